"""War machines beside ground: what they see past woods, and their shots at buildings."""

from __future__ import annotations

from typing import Any

import pytest

from tests.machine_scenes import ARROW, HIT, MISFIRE, NORTH, Range, losses, struck
from wh_env import Battle
from wh_env.rulesets.wap.shooting.spots import spot_of
from wh_env.testing import dice_left, kind, pick, slots, told, words
from wh_env.testing.wap import UnitHandle, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
SEEING = pytest.mark.parametrize("weapon", ["bolt thrower", "cannon", "stone thrower", "fire thrower"])
TEMPLATES = "wap.building.shooting.at.templates"
DIRECTLY, INDIRECTLY = "it sees", "indirectly"
WALL = 32.0  # x of the near wall of the building


def before_building(
    player: int, weapon: str, card: Any = None, *, wall: float = WALL, held: bool = True, storeys: int = 2
) -> tuple[Range, UnitHandle | None]:
    """A machine before a building 5 inches square; 20 enemies are in it if it is ``held``."""
    place = Range(player, weapon)
    place.area("building", wall, 21.5, wall + 5, 26.5, storeys=storeys)
    return place, place.garrison(False, card) if held else None


def rolled(battle: Battle) -> list[tuple[int, int]]:
    """The garrisons that a template touched, and the dice for their hits."""
    return [(event["unit"], event["die"]) for event in told(battle, TEMPLATES)]


def wounding(battle: Battle) -> list[tuple[int, int, int]]:
    """The hits that were rolled to wound: target, number, and what they need."""
    return [(event["target"], event["amount"], event["needed"]) for event in told(battle, "wap.shoot.wound.roll")]


def sees_any(place: Range) -> bool:
    """Whether the machine may fire a shot that needs sight."""
    battle, name = place.battle([1] * 20), place.machine.regiment.name
    if not any(text == f"{name} shoots" for text in words(battle).values()):
        return False
    pick(battle, f"{name} shoots")
    return kind(battle) == "machine-way" or place.machine.regiment.card.machine.weapon != "stone thrower"


# ---------------------------------------------------------------- woods


@BOTH_PLAYERS
@SEEING
@pytest.mark.parametrize(("deep", "seen"), [(4.9, True), (5.0, False)])
@pytest.mark.rule("wap.machine.fire.line-of-sight", "wap.terrain.forest.line-of-sight")
def test_five_inches_of_wood_hide_a_target_from_a_machine(player: int, weapon: str, deep: float, seen: bool) -> None:
    """The wood lies between them, the target stands in it, or the machine does."""
    for x0, x1 in ((14.0, 14.0 + deep), (24.0 - deep, 40.0), (0.0, 10.0 + deep)):
        place = Range(player, weapon)
        place.area("forest", x0, 0, x1, 48)
        place.enemy(None, (24, 24), models=5)
        assert sees_any(place) is seen, (x0, x1)


@BOTH_PLAYERS
@SEEING
@pytest.mark.parametrize(("levels", "seen"), [(1, False), (2, False), (3, True)])
@pytest.mark.rule("wap.terrain.forest.line-of-sight", "wap.terrain.hill.line-of-sight")
def test_a_machine_looks_over_a_wood_from_a_high_hill(player: int, weapon: str, levels: int, seen: bool) -> None:
    """A machine has a Line of Sight value of 1, a wood one of 5: on two levels they are equal."""
    place = Range(player, weapon)
    place.area("hill", 4, 18, 12, 30, levels=levels)
    place.area("forest", 14, 0, 22, 48)
    place.enemy(None, (24, 24), models=5)
    assert sees_any(place) is seen


@BOTH_PLAYERS
@SEEING
@pytest.mark.rule("wap.terrain.hill.line-of-sight")
def test_a_machine_on_a_hill_sees_over_men(player: int, weapon: str) -> None:
    for levels in (0, 1):
        place = Range(player, weapon)
        if levels:
            place.area("hill", 4, 18, 12, 30, levels=levels)
        place.enemy(None, (24, 24), models=5)
        place.unit(True, None, (18, 24), models=20, files=20)
        assert sees_any(place) is bool(levels)


# ---------------------------------------------------------------- spots on a building


@BOTH_PLAYERS
@pytest.mark.parametrize(("weapon", "eye", "far"), [("cannon", 10.0, 48.0), ("stone thrower", 8.5, 60.0)])
@pytest.mark.rule("wap.machine.cannon.target")
def test_any_spot_of_a_held_building_may_be_aimed_at(player: int, weapon: str, eye: float, far: float) -> None:
    """Those in range: their distance to the muzzle or the arm counts."""
    for wall in (WALL, eye + far - 2.0, eye + far + 0.1):
        place, held = before_building(player, weapon, wall=wall)
        assert held is not None
        battle = place.battle()
        if wall > eye + far:
            assert place.targets(battle, DIRECTLY) == set()
            continue
        assert place.targets(battle, DIRECTLY if weapon != "cannon" else "") == {held.row}
        cells = slots(battle, "cell")
        found = [place.there(*spot_of(battle, held.row, cell)) for cell in cells]
        assert len(found) > 100
        assert min(x for x, _ in found) == pytest.approx(wall)
        assert max(x for x, _ in found) == pytest.approx(wall + (5.0 if wall == WALL else 2.0), abs=0.35)
        if wall == WALL:
            assert len(found) == battle.setup.space.grid**2
            assert (min(y for _, y in found), max(y for _, y in found)) == pytest.approx((21.5, 26.5))


@BOTH_PLAYERS
@pytest.mark.parametrize("weapon", ["bolt thrower", "cannon"])
@pytest.mark.rule("wap.building.shooting.at")
def test_a_building_is_seen_beside_what_hides_its_middle(player: int, weapon: str) -> None:
    for y0, y1, seen in ((22.5, 25.5, True), (10.0, 38.0, False)):
        place, _ = before_building(player, weapon, storeys=1)
        place.area("impassable", WALL - 2, y0, WALL - 1, y1)
        assert sees_any(place) is seen


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.stone-thrower.no-friends", "wap.shoot.template.friends")
def test_no_template_is_laid_over_a_building_of_friends(player: int) -> None:
    """Its wall is at y = 21.5; the small template reaches 1.5 inches."""
    place = Range(player, "stone thrower")
    place.area("building", WALL, 21.5, WALL + 5, 26.5, storeys=2)
    place.garrison(True)
    target = place.enemy(square(base_mm=[50.8, 50.8]), (WALL + 1.5, 19.9))
    battle = place.battle()
    assert place.targets(battle, DIRECTLY) == {target.row}
    heights = [place.there(*spot_of(battle, target.row, cell))[1] for cell in slots(battle, "cell")]
    assert heights and max(heights) <= 20.0 and max(heights) > 19.8
    empty = Range(player, "stone thrower")
    empty.area("building", WALL, 21.5, WALL + 5, 26.5, storeys=2)
    target = empty.enemy(square(base_mm=[50.8, 50.8]), (WALL + 1.5, 19.9))
    battle = empty.battle()
    assert empty.targets(battle, DIRECTLY) == {target.row}
    assert max(empty.there(*spot_of(battle, target.row, cell))[1] for cell in slots(battle, "cell")) > 20.8


# ---------------------------------------------------------------- cannonballs


@BOTH_PLAYERS
@pytest.mark.rule("wap.building.shooting.at.templates", "wap.machine.cannon.bounce.impassable")
def test_a_ball_comes_down_in_a_held_building(player: int) -> None:
    """A D6 of Strength 10 hits, each unsaved wound is a D6 of Wounds. The walls hold the ball: none bounces out."""
    for bounce in (5, MISFIRE):
        place, held = before_building(player, "cannon", square(w=3))
        assert held is not None
        behind = place.enemy(None, (38.5, 24))
        battle = place.battle([HIT, 0, 1, bounce, 4, 2, 2, 1, 3, 2, 5, 4])
        place.fire(battle, held, WALL + 2.5, 24)
        assert rolled(battle) == [(held.row, 4)] and struck(battle) == [held.first]
        assert wounding(battle) == [(held.row, 4, 2)]
        assert losses(battle) == {held.row: 2 + 3 + 3} and dice_left(battle) == 0
        assert battle.units.alive[held.row] == 20 - 2 and battle.units.alive[behind.row] == 1
        assert told(battle, "wap.machine.cannon.bounce")[-1]["far"] == 0.0


@BOTH_PLAYERS
@pytest.mark.parametrize(("weapon", "lost"), [("cannon", 2), ("great cannon", 4)])
@pytest.mark.rule("wap.building.shooting.at.templates", "wap.machine.cannon.bounce.impassable")
def test_a_ball_bounces_into_a_held_building(player: int, weapon: str, lost: int) -> None:
    """Its hits are those of the bounce: a D3 of Wounds, a D6 those of a great cannon. It ends at the wall."""
    place, held = before_building(player, weapon, square(w=5))
    assert held is not None
    soldier, behind = place.enemy(None, (27.5, 24)), place.enemy(None, (38.5, 24))
    battle = place.battle([HIT, 0, 1, 5, 1, 2, 1, 2, 4])
    place.fire(battle, soldier, 28, 24)
    assert struck(battle) == [soldier.first, held.first] and rolled(battle) == [(held.row, 2)]
    assert wounding(battle) == [(soldier.row, 1, 2), (held.row, 2, 2)]
    assert losses(battle) == {held.row: lost} and dice_left(battle) == 0
    assert battle.units.alive[soldier.row] == battle.units.alive[behind.row] == 1
    assert told(battle, "wap.machine.cannon.bounce")[-1]["far"] == pytest.approx(WALL - 28)
    # a bounce that is too short does not reach it
    place, held = before_building(player, weapon)
    soldier = place.enemy(None, (27.5, 24))
    battle = place.battle([HIT, 0, 1, 1, 1])
    place.fire(battle, soldier, 28, 24)
    assert struck(battle) == [soldier.first] and not rolled(battle) and dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.cannon.bounce.impassable")
def test_an_empty_building_ends_the_bounce(player: int) -> None:
    place, _ = before_building(player, "cannon", held=False)
    soldier = place.enemy(None, (27.5, 24))
    before, behind = place.enemy(None, (30.5, 24)), place.enemy(None, (37.5, 24))
    battle = place.battle([HIT, 0, 1, 5, 1, 1])
    place.fire(battle, soldier, 28, 24)
    assert struck(battle) == [soldier.first, before.first] and behind.first not in struck(battle)
    assert told(battle, "wap.machine.cannon.bounce")[-1]["far"] == pytest.approx(WALL - 28)
    # one that comes down in it strikes nobody
    place, _ = before_building(player, "cannon", held=False)
    beside = place.enemy(None, (WALL + 1, 20.9), facing=0)
    battle = place.battle([ARROW, NORTH, 3, 5])
    place.fire(battle, beside, WALL + 1, 20.9)
    x, y = place.place(battle, "wap.machine.cannon.deviation")
    assert WALL < x < WALL + 5 and 21.5 < y < 26.5
    assert not struck(battle) and dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.building.shooting.at.templates")
def test_a_ball_beside_a_held_building_spares_its_garrison(player: int) -> None:
    place, held = before_building(player, "cannon")
    assert held is not None
    battle = place.battle([ARROW, NORTH, 4, 5])
    place.fire(battle, held, WALL + 2.5, 24)  # 4 inches aside of the middle
    assert place.place(battle, "wap.machine.cannon.deviation")[1] > 26.6
    assert not rolled(battle) and not struck(battle) and dice_left(battle) == 0


# ---------------------------------------------------------------- stones, flames, bolts


@BOTH_PLAYERS
@pytest.mark.parametrize("indirect", [False, True])
@pytest.mark.rule("wap.building.shooting.at.templates", "wap.machine.stone-thrower.multiple-wounds")
def test_a_stone_whose_middle_is_over_a_held_building(player: int, indirect: bool) -> None:
    """A D6 of hits, all of Strength 10 and with a D6 of Wounds each; none of Strength 4."""
    place, held = before_building(player, "stone thrower", square(w=5))
    assert held is not None
    battle = place.battle([HIT, 0, 1, 3, 2, 1, 2, 4, 3])
    place.fire(battle, held, WALL + 2.5, 24, INDIRECTLY if indirect else DIRECTLY)
    assert rolled(battle) == [(held.row, 3)] and wounding(battle) == [(held.row, 3, 2)]
    assert losses(battle) == {held.row: 7} and dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.building.shooting.at.templates")
def test_a_stone_whose_rim_alone_touches_a_held_building(player: int) -> None:
    """With its hole 0.2 inches outside the wall it deals a D6 of Strength 4 hits, with its rim outside none."""
    for number, touches in ((1, True), (2, False)):
        place, held = before_building(player, "stone thrower")
        assert held is not None
        aimed = 26.7 - 2.0
        target = place.enemy(square(base_mm=[10, 10]), (WALL - 0.5, aimed))
        battle = place.battle([ARROW, NORTH, number, *([3, 3, 2, 1] if touches else ())])
        place.fire(battle, target, WALL - 0.5 + 5 / 25.4, aimed, DIRECTLY)
        x, y = place.place(battle, "wap.machine.stone-thrower.scatter")
        assert x < WALL and y == pytest.approx(aimed + 2 * number, abs=0.01)
        assert rolled(battle) == ([(held.row, 3)] if touches else [])
        assert wounding(battle) == ([(held.row, 3, 3)] if touches else [])
        assert losses(battle) == ({held.row: 1} if touches else {}) and dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.building.shooting.at.templates", "wap.machine.stone-thrower.other-hits")
def test_a_stone_over_a_wall_strikes_those_beside_it_too(player: int) -> None:
    """Its hole is over the building; two enemies before the wall take one hit of Strength 4 each."""
    place, held = before_building(player, "stone thrower", square(w=5))
    assert held is not None
    beside = place.enemy(square(base_mm=[20, 20]), (WALL - 1.0, 24), models=2, files=2)
    battle = place.battle([HIT, 0, 1, 2] + [1] * 4)
    place.fire(battle, held, WALL, 24, DIRECTLY)
    assert rolled(battle) == [(held.row, 2)]
    assert set(wounding(battle)) == {(held.row, 2, 2), (beside.row, 2, 3)}
    assert dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.building.shooting.at.templates", "wap.machine.fire-thrower.hits")
def test_flames_over_a_held_building(player: int) -> None:
    """The building is from x = 16 to 21. With a 2 the flames cover 12 to 20, with a 6 they cover 16 to 24, and so on;
    a building from 12.5 to 17.5 is left behind by a 10."""
    for wall, face, touches in ((16.0, 1, True), (16.0, 3, True), (12.5, 5, False), (12.5, 1, True)):
        place, held = before_building(player, "fire thrower", wall=wall)
        assert held is not None
        battle = place.battle([face, *([4, 2, 2, 1, 1, 3] if touches else ())])
        place.fire(battle, held, wall, 24)
        assert rolled(battle) == ([(held.row, 4)] if touches else [])
        assert wounding(battle) == ([(held.row, 4, 2)] if touches else [])
        assert losses(battle) == ({held.row: 2} if touches else {})


@BOTH_PLAYERS
@pytest.mark.rule("wap.building.shooting.at.many-ranks")
def test_a_bolt_at_a_garrison_ends_with_the_first_model(player: int) -> None:
    """It needs 6+ at heavy cover, and its D3 of Wounds slay one model of a garrison. Of a unit in ranks it slays
    four.
    """
    place, held = before_building(player, "bolt thrower")
    assert held is not None
    battle = place.battle([6, 2, 3])
    pick(battle, f"{place.machine.regiment.name} shoots")
    assert [event["needed"] for event in told(battle, "wap.shoot.hit.roll")] == [6]
    assert not told(battle, "wap.machine.bolt-thrower.pierce") and wounding(battle) == [(held.row, 1, 2)]
    assert losses(battle) == {held.row: 1} and battle.units.alive[held.row] == 19
    place = Range(player, "bolt thrower")
    free = place.enemy(None, (WALL, 24), models=20, files=5)
    battle = place.battle([6, 2, 3, 2, 3, 3, 3, 4, 3])
    pick(battle, f"{place.machine.regiment.name} shoots")
    assert losses(battle) == {free.row: 4}
