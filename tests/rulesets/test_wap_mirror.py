"""The game of regiments is the same game to both sides: with the players swapped everything happens as before."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from machines import machine
from mirror import play_swapped

from wh_env import Battle
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, square

ARMIES = (
    [("spearmen", 20), ("knights", 6), ("outriders", 5), ("swords", 12), ("halberdiers", 20), ("spearmen", 10)],
    [("warriors", 25), ("boars", 5), ("wolves", 6), ("skulkers", 16), ("old guard", 15), ("warriors", 12)],
)


def deployed_by_players(swapped: bool, seed: int, detail: str) -> Battle:
    """A battle from deployment on; swapped: who was player 0 is player 1. Whoever that is rolls first."""
    scene = RegimentScene((72, 48))
    scene.area("impassable", 20, 22, 26, 26)
    scene.area("impassable", 34, 22, 40, 26)
    for at, army in enumerate(ARMIES):
        for card, models in army:
            scene.unit(at ^ swapped, card, models=models)

    def southern(battle: Battle) -> None:
        battle.clock.attacker[0] = int(swapped)

    return scene.battle("deployment", seed=seed, detail=detail, set_state=southern)


def in_a_mission(mission: str) -> Callable[[bool, int, str], Battle]:
    """The same with leaders, in a mission: from its first roll on."""
    hero = square(character=True, points=50, size=[1, 1])

    def build(swapped: bool, seed: int, detail: str) -> Battle:
        scene = RegimentScene((72, 48), mission=mission, points=1000)
        scene.area("impassable", 20, 22, 26, 26)
        scene.area("impassable", 46, 22, 52, 26)
        if mission == "watchtower":
            scene.area("building", 34, 22, 38, 26, name="tower", storeys=2)
        for at in range(2):
            player = at ^ swapped
            for models in (20, 10, 6):
                scene.unit(player, None, models=models, command=("standard",))
            scene.unit(player, square(rules=["Scouts"]), models=8)
            scene.unit(player, square(rules=["Fly (8)", "Ambushers"]), models=5)
            scene.unit(player, hero, models=1, files=1, leads=("general",))
            scene.unit(player, hero, models=1, files=1, leads=("battle standard",))

        def first(battle: Battle) -> None:
            battle.clock.attacker[0] = int(swapped)

        return scene.battle("deployment", seed=seed, detail=detail, set_state=first)

    return build


def on_wings(swapped: bool, seed: int, detail: str) -> Battle:
    """Flyers, skirmishers and fast cavalry round rocks, others in their way."""
    scene = RegimentScene((54, 40))
    scene.area("impassable", 14, 17, 17, 20)
    scene.area("impassable", 30, 20, 33, 22)
    light = square(rules=["Skirmishers"], m=5)
    for at, (y, facing) in enumerate(((9, NORTH), (31, SOUTH))):
        side = 1 if facing == NORTH else -1
        for k, (card, models, files) in enumerate(
            (("cave bats", 6, 3), (light, 8, 4), ("harpies", 3, 3), ("wyvern", 1, 1), ("wolves", 5, 5), (None, 12, 4))
        ):
            scene.unit(at ^ swapped, card, (27 + side * (8.2 * k - 20), y), models=models, files=files, facing=facing)
        scene.unit(at ^ swapped, None, (27, y + 4 * side), models=18, files=9, facing=facing)

    def southern(battle: Battle) -> None:
        battle.clock.attacker[0] = int(swapped)

    return scene.battle("movement", player=int(swapped), seed=seed, detail=detail, set_state=southern)


def on_ground(swapped: bool, seed: int, detail: str) -> Battle:
    """Allies with machines, among ground of all kinds, a house and monuments."""
    scene = RegimentScene((60, 44))
    for kind, x, example in (
        ("hill", 4, None), ("forest", 14, "venom thicket"), ("marsh", 24, None), ("obstacle", 34, None),
        ("building", 42, None), ("river", 50, "necrotic ooze"),
    ):  # fmt: skip
        deep = 21.5 if kind == "obstacle" else 20
        more = {"building": {"storeys": 2}}.get(kind, {})
        scene.area(kind, x, deep, x + 6, 44 - deep, **{**more, **({"example": example} if example else {})})
    for x, example in ((12, "sinister statue"), (31, "charnel pit")):
        scene.area("monument", x, 21, x + 1.5, 23, example=example)
    for at in range(2):
        for n, book in enumerate(("Orcs & Goblins", "Skaven")):
            scene.army(at, book, "destruction", leader=str(n) if n else "")
    lord = square(character=True, points=50, size=[1, 1])
    for at, (y, facing) in enumerate(((10, NORTH), (34, SOUTH))):
        side, player = (1 if facing == NORTH else -1), at ^ swapped
        for k in range(5):
            x = 30 + side * (11 * k - 22)
            scene.unit(player, None, (x, y + 4 * side), models=12, files=4, facing=facing, army=k % 2)
        for k, weapon in enumerate(("cannon", "stone thrower")):
            scene.unit(player, machine(weapon), (30 + side * (22 * k - 11), y - 5 * side), models=1, facing=facing)
        for k, role in enumerate(("general", "general")):
            at_hero = (30 + side * (14 * k - 7), y - side)
            scene.unit(player, lord, at_hero, models=1, facing=facing, army=k, leads=(role,))

    def southern(battle: Battle) -> None:
        battle.clock.attacker[0] = int(swapped)

    return scene.battle("movement", player=int(swapped), seed=seed, detail=detail, set_state=southern)


def in_flight(swapped: bool, seed: int, detail: str) -> Battle:
    """Both sides flee, through each other and their friends."""
    scene = RegimentScene()
    scene.area("impassable", 20, 22, 28, 26)
    for at, (y, facing) in enumerate(((14, NORTH), (34, SOUTH))):
        for k, x in enumerate((6, 15, 24, 33, 42)):
            scene.unit(at ^ swapped, square(ld=6), (x, y), models=12, files=6, facing=facing, fleeing=int(k % 4 > 0))
        for k, x in enumerate((10, 24, 38)):
            card = square(rules=["Random Movement (2D6)"] if k == 1 else [])
            back = 7 if facing == NORTH else 41
            scene.unit(at ^ swapped, card, (x, back), models=10, files=5, facing=facing)

    def southern(battle: Battle) -> None:
        battle.clock.attacker[0] = int(swapped)

    return scene.battle("movement", player=int(swapped), seed=seed, detail=detail, set_state=southern)


@pytest.mark.parametrize("mission", ["pass", "blood-and-glory", "dawn-attack", "meeting-engagement", "watchtower"])
@pytest.mark.parametrize(("detail", "seed"), [("squad", 5), ("full", 6)])
def test_missions_are_the_same_to_swapped_players(mission, detail, seed):
    build = in_a_mission(mission)
    play_swapped(build(False, seed, detail), build(True, seed, detail), seed, every=5)


@pytest.mark.parametrize("build", [deployed_by_players, in_flight, on_wings, on_ground])
@pytest.mark.parametrize(("detail", "seed"), [("squad", 3), ("full", 2)])
def test_swapped_players_see_may_do_and_reach_the_same(build, detail, seed):
    play_swapped(build(False, seed, detail), build(True, seed, detail), seed, every=5)
