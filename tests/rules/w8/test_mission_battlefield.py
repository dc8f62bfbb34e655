"""Before the battle: which mission, on what battlefield, with which terrain (w8.mission.select, .battlefield-size, .terrain, .expansions)."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from eighth import EighthScene

from wh_env import ContentError
from wh_env.content import w8
from wh_env.content.battle import Battle
from wh_env.content.geometry import inside, overlap
from wh_env.content.w40k.terrain import place_features
from wh_env.rulesets.w8.terrain import TYPES
from wh_env.testing import kind, pick, play_until, ranged, sheet, told

SHORT_WAR = {
    "name": "Short War",
    "ruleset": "w8",
    "sizes": [{"name": "Only War", "power": 50, "min_width_in": 36, "min_length_in": 60}],
    "rounds": 3,
    "markers": {"number": 4, "from_edges_in": 0, "apart_in": 10, "placed_by": "players"},
    "zones": {"from_centre_line_in": 12},
}


# ---------------------------------------------------------------- the mission


def settled(proposals: tuple[Any, Any], *dice: int) -> tuple[Any, list[int]]:
    """The mission that is played, and the dice that were not rolled."""
    left = list(dice)
    assert w8.GAME.select_mission is not None
    mission, event = w8.GAME.select_mission(proposals, lambda: left.pop(0))
    assert (event is None) == (len(left) == len(dice))
    if event is not None:
        assert (event.rule, tuple(event.data["rolls"])) == ("w8.mission.select", dice[len(dice) - len(left) - 2 :])
    return mission, left


@pytest.mark.rule("w8.mission.select")
@pytest.mark.parametrize(
    ("dice", "winner"), [((2, 6), 1), ((6, 2), 0), ((1, 2), 1), ((3, 3, 5, 4), 0), ((6, 6, 1, 1, 1, 2), 1)]
)
def test_who_wins_the_roll_off_chooses_the_mission(dice: tuple[int, ...], winner: int) -> None:
    """The battle is set up by it: its rounds, its table."""
    proposals = ("only-war", SHORT_WAR)
    mission, left = settled(proposals, *dice)
    assert (mission, left) == (proposals[winner], [])
    config: dict[str, Any] = {"mission": mission, "battlefield": "random", "random": {"seed": 1}}
    loaded = w8.GAME.load("w8/only-war", config)
    assert loaded.mission.rounds == (5, 3)[winner]
    assert tuple(loaded.battlefield.size) == ((72, 48), (60, 36))[winner]


@pytest.mark.rule("w8.mission.select")
def test_where_they_agree_nothing_is_rolled_and_in_a_battle_nobody_is_asked() -> None:
    assert settled(("only-war", "only-war"), 2, 6) == ("only-war", [2, 6])
    assert settled((SHORT_WAR, dict(SHORT_WAR)), 2, 6) == (SHORT_WAR, [2, 6])
    battle = Battle(w8.GAME.compile(w8.GAME.load("w8/only-war", None), None, None), 1, record=True)
    assert told(battle, "w8.mission.setup-order")[0] == {"step": 1, "name": "select the mission"}
    assert told(battle, "w8.mission.select") == []
    assert kind(battle) == "divide"  # armies and markers are those of the files, and no choice came before it


# ---------------------------------------------------------------- the battlefield


@pytest.mark.rule("w8.mission.battlefield-size")
def test_only_war_is_fought_on_72_by_48_unless_something_else_is_said() -> None:
    assert tuple(w8.GAME.load("w8/only-war", None).battlefield.size) == (72, 48)
    battle = Battle(w8.GAME.compile(w8.GAME.load("w8/only-war", None), None, None), 1)
    assert (battle.setup.length, battle.setup.width) == (72.0, 48.0)
    for seed in range(3):
        assert tuple(w8.GAME.load(f"w8/random-war?seed={seed}", None).battlefield.size) == (72, 48)
        assert w8.GAME.random_battle is not None
        drawn = w8.GAME.random_battle("Only War", np.random.default_rng(seed))
        assert tuple(drawn["battlefield"]["size"]) == (72, 48)


@pytest.mark.rule("w8.mission.battlefield-size")
@pytest.mark.parametrize(
    ("size", "enough"), [((72, 48), True), ((96, 60), True), ((48, 72), True), ((71, 48), False), ((72, 47), False)]
)
def test_a_battlefield_may_be_larger_and_not_smaller(size: tuple[int, int], enough: bool) -> None:
    changes = {"battlefield": {"name": "Bare", "size": list(size)}}
    if enough:
        assert tuple(w8.GAME.load("w8/only-war", changes).battlefield.size) == size
    else:
        with pytest.raises(ContentError, match="size"):
            w8.GAME.load("w8/only-war", changes)


# ---------------------------------------------------------------- terrain


def areas(length: float, width: float) -> list[list[tuple[float, float]]]:
    """The areas of 24" by 24" of a table."""
    corners = product(range(0, int(length), 24), range(0, int(width), 24))
    return [[(x, y), (x + 24, y), (x + 24, y + 24), (x, y + 24)] for x, y in corners]


@pytest.mark.rule("w8.mission.terrain")
@pytest.mark.parametrize("layout", ["turned", "even"])
def test_a_drawn_battlefield_has_one_or_two_features_in_each_area(layout: str) -> None:
    """Of 72" by 48": 6 to 12 features, each wholly in one of six areas; all these numbers come up."""
    found = set()
    assert w8.GAME.random_battle is not None
    for seed in range(25):
        config = w8.GAME.random_battle("Only War", np.random.default_rng(seed), layout=layout)
        field = w8.load_battle(config).battlefield
        placed = place_features(field)
        assert 6 <= len(placed) <= 12
        found.add(len(placed))
        for area in areas(*field.size):
            touching = [item for item in placed if overlap(area, item.footprint) > 1e-6]
            assert 1 <= len(touching) <= 2
            assert all(inside(area, corner) for item in touching for corner in item.footprint)
        assert any(item.kind == "ruins" for item in placed)  # somewhere to hide
    assert found == {"turned": {6, 8, 10, 12}, "even": {6, 12}}[layout]


@pytest.mark.rule("w8.mission.terrain")
@pytest.mark.parametrize("name", ["w8/random-war?seed=3", "w8/random-war?seed=4&layout=even", "w8/only-war"])
def test_so_have_the_battlefields_of_shipped_battles(name: str) -> None:
    field = w8.GAME.load(name, None).battlefield
    placed = place_features(field)
    for area in areas(*field.size):
        assert 1 <= sum(overlap(area, item.footprint) > 1e-6 for item in placed) <= 2


@pytest.mark.rule("w8.mission.terrain")
@pytest.mark.parametrize("number", [0, 1, 20])
def test_any_number_of_features_can_be_played(number: int) -> None:
    features = [
        {"id": f"hill {k}", "template": "crater", "at": [7 + 14 * (k % 5), 6 + 12 * (k // 5)]} for k in range(number)
    ]
    bare = {"name": "Own", "size": [72, 48], "terrain": "standard", "features": features}
    loaded = w8.GAME.load("w8/only-war", {"battlefield": bare})
    battle = Battle(w8.GAME.compile(loaded, None, None), 1)
    assert len(battle.setup.features) == number
    play_until(battle, "select-to-deploy")
    assert battle.decision is not None


# ---------------------------------------------------------------- nothing but the core rules


def shot(name: str | None, place: tuple[float, float]) -> dict[str, list[int]]:
    """What the rolls of a shot need and come to, with flat terrain of this kind at a place: at the shooter, between, at the target."""
    scene = EighthScene()
    if name is not None:
        scene.area(name, place[0] - 3, place[1] - 3, place[0] + 3, place[1] + 3)
    arms = {"gun": ranged(24, BS=4, S=4, AP=-1), "pike": ranged(24, BS=4, S=4, abilities=["Heavy"])}
    scene.unit(0, sheet("Guns", weapons=arms), at=(20, 10), models=1)
    scene.unit(1, sheet("Target", W=9, Sv=4), at=(20, 26), models=1)
    battle = scene.battle("shooting", dice=[4] * 6)
    pick(battle, "Guns")
    while battle.decision is not None and kind(battle) in ("shoot-target", "weapon-target"):
        battle.apply(battle.decision.options[-1])
    rules = ("w8.attack.hit", "w8.attack.wound", "w8.attack.save")
    return {rule: [e["needed"] for e in told(battle, rule) if "die" in e] for rule in rules}


@pytest.mark.rule("w8.mission.expansions")
@pytest.mark.parametrize("name", sorted(TYPES))
def test_shooting_knows_cover_and_nothing_else_of_terrain(name: str) -> None:
    """A feature of any kind without a height at the shooter or between changes no roll; at the target its saves are better by one."""
    bare = shot(None, (0, 0))
    assert bare == {"w8.attack.hit": [4, 4], "w8.attack.wound": [4, 4], "w8.attack.save": [5, 4]}
    assert shot(name, (20, 10)) == bare
    assert shot(name, (20, 18)) == bare
    assert shot(name, (20, 26)) == {**bare, "w8.attack.save": [4, 3]}


@pytest.mark.rule("w8.mission.expansions")
@pytest.mark.parametrize("name", sorted(TYPES))
def test_nor_does_it_slow_or_hurt_or_hearten_anybody(name: str) -> None:
    """A unit stands in it, moves and charges through it, fights and tests its nerves there: rolls and distances as in the open."""

    def played(feature: str | None) -> list[Any]:
        scene = EighthScene()
        if feature is not None:
            scene.area(feature, 14, 4, 26, 34)
        arms = {"blade": {"range": "melee", "A": 1, "skill": 4, "S": 4, "AP": -2, "D": 1, "abilities": []}}
        mine = scene.unit(0, sheet("Mine", W=2, weapons=arms), at=[(20 + 1.3 * k, 10) for k in range(4)])
        theirs = scene.unit(1, sheet("Theirs", W=2, weapons=arms), at=[(20 + 1.3 * k, 24) for k in range(4)])
        battle = scene.battle(dice=[5] * 60, first_player=0)
        pick(battle, "Normal move")
        reach = sorted(battle.decision.options) if battle.decision is not None else []
        while battle.decision is not None and battle.clock.turn[0] == 0:
            battle.apply(battle.decision.options[-1])
        rules = ("w8.charge.roll", "w8.attack.hit", "w8.attack.wound", "w8.attack.save", "w8.morale.test")
        rolls = [[(e.get("needed"), e.get("result"), e.get("roll")) for e in told(battle, rule)] for rule in rules]
        return [reach, rolls, battle.units.alive[mine], battle.units.alive[theirs]]

    in_the_open = played(None)
    assert all(in_the_open[1])
    assert played(name) == in_the_open


@pytest.mark.rule("w8.mission.expansions")
def test_the_edition_has_no_other_rules_of_terrain() -> None:
    """No ground that slows, no screens, no fighting across, no defence of a feature: what the mechanisms of other editions could do is off."""
    ruleset = w8.GAME.ruleset
    assert ruleset.ground is None  # type: ignore[attr-defined]
    for terrain in TYPES.values():
        assert (terrain.screen, terrain.across, terrain.engage, terrain.ends) == (0, 0.0, 0.0, True)
    battle = Battle(w8.GAME.compile(w8.GAME.load("w8/only-war", None), None, None), 1)
    assert not battle.setup.statics["engaged_across"]
