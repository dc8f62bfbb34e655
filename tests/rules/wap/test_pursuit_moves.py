"""Pursuit and overrun moves, what stops them, new enemies, the edge of the table and the way back."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, cos, pi, sin
from typing import Any

import pytest

from wh_env import Battle
from wh_env.core.tables import DESTROYED, ON_TABLE, RESERVE
from wh_env.rulesets.wap.basics.blocks import distance, set_block
from wh_env.rulesets.wap.basics.contacts import foes_of, side_towards
from wh_env.rulesets.wap.casualties.removing import remove_unit
from wh_env.rulesets.wap.codes import ARRIVED, CHARGED, DRIVEN, FRONT, LEFT, OVERRAN, PURSUED, RIGHT
from wh_env.rulesets.wap.pursuit.new_enemies import charge
from wh_env.rulesets.wap.pursuit.ways import straight_on
from wh_env.rulesets.wap.ways.poses import middle_of
from wh_env.testing import choose, dice_left, kind, pick, slots, told, words
from wh_env.testing.wap import NORTH, WEST, RegimentScene, UnitHandle, fought, other_combats, pose, ranks, square

ESCAPES, CATCHES = [6, 6], [1, 1]  # flee rolls
Place = Callable[[RegimentScene], Any]


def chase(
    dice: list[int], place: Place | None = None, *, at: tuple[float, float] = (24, 20), losers: int = 10, models: int = 10,
    facing: float = NORTH, size: tuple[float, float] = (60, 60), turn: int = 1, player: int = 0, detail: str = "squad",
    **card: Any,
) -> tuple[Battle, UnitHandle, UnitHandle, Any]:  # fmt: skip
    """``a`` of player 0 pursues ``b``, that it has broken front to front; ``place`` adds what else stands there. Dice: flee roll, pursuit roll."""
    scene = RegimentScene(size)
    a = scene.unit(0, square(**card), at, models=models, files=5, facing=facing)
    b = scene.beside(a, 1, models=losers, files=5)
    other_combats(scene)
    more = place(scene) if place else None
    battle = scene.battle(
        "combat", dice=dice, turn=turn, player=player, detail=detail, set_state=fought(won=[a], broken=[b])
    )
    pick(battle, "pursues")
    return battle, a, b, more


@pytest.mark.parametrize("along", [-2.0, 0.0, 1.5])
@pytest.mark.rule("wap.pursuit.move")
def test_a_pursuer_turns_to_the_centre_of_who_flees_and_goes_straight_on(along: float) -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 20), models=10, files=5)
    b = scene.beside(a, 1, along=along, models=10, files=5)
    other_combats(scene)
    battle = scene.battle("combat", dice=[4, 5, 2, 4], set_state=fought(won=[a], broken=[b]))
    x, y, facing = pose(battle, b)
    flees_to = (x - cos(facing) * 1.0 - 9 * cos(facing), y - sin(facing) - 9 * sin(facing))  # its centre
    pick(battle, "pursues")
    assert middle_of(battle, b.row, *pose(battle, b)) == pytest.approx(flees_to)
    turned = atan2(flees_to[1] - 19.0, flees_to[0] - 24.0)
    after = pose(battle, a)
    assert after[2] == pytest.approx(turned)
    assert after[:2] == pytest.approx((24 + 7 * cos(turned), 19 + 7 * sin(turned)))


@pytest.mark.parametrize(
    ("far", "roll", "goes"), [(5, (4, 5), 4.0), (5, (2, 2), 4.0), (5, (1, 2), 3.0), (3, (6, 4), 2.0)]
)
@pytest.mark.rule("wap.pursuit.obstacle")
def test_a_pursuit_stops_an_inch_before_friends_and_impassable_ground(
    far: float, roll: tuple[int, int], goes: float
) -> None:
    def friend(scene: RegimentScene) -> None:
        scene.unit(0, None, (24, 20 + far + 1), models=5)

    def rock(scene: RegimentScene) -> None:
        scene.area("impassable", 20, 20 + far, 28, 21 + far)

    for place in (friend, rock):
        battle, a, _, _ = chase([1, 1, *roll], place, losers=4)
        assert pose(battle, a)[:2] == pytest.approx((24, 20 + goes), abs=1e-4), place.__name__


def behind_a_friend(a_at: float, **fields: Any) -> tuple[RegimentScene, UnitHandle, UnitHandle]:
    """A broad unit, and at the right end of its front an enemy who looks to the north-east, with a friend of the unit at
    his left: the unit would have to turn into that friend. The enemy's nearest corner is at 18.94".
    """
    scene = RegimentScene()
    a = scene.unit(0, None, (24, a_at), models=16, files=8, facing=NORTH, **fields)
    e = scene.unit(1, None, (26, 20), models=1, files=1, facing=0.25 * pi)
    scene.beside(e, 0, side=LEFT, models=3, files=3)
    return scene, a, e


CORNER = 20 - 1.5 * 0.5**0.5  # of the enemy that is nearest to the unit


@pytest.mark.rule("wap.pursuit.new-enemy.must-charge", "wap.charge.unusual.fails")
def test_a_pursuit_without_a_place_at_the_enemy_ends_an_inch_before_him() -> None:
    scene, a, e = behind_a_friend(12.0)
    b = scene.beside(a, 1, models=4, files=4)
    other_combats(scene)
    battle = scene.battle("combat", dice=[1, 1, 2, 6], set_state=fought(won=[a], broken=[b]))
    pick(battle, "pursues")
    assert not battle.units.alive[b]  # caught
    assert foes_of(battle, a.row) == [] and len(foes_of(battle, e.row)) == 1
    assert pose(battle, a) == pytest.approx((24, CORNER - 1.0, NORTH))
    assert not told(battle, "wap.pursuit.new-enemy.next-phase") and not battle.units.charging[a]


@pytest.mark.rule("wap.pursuit.new-enemy.must-charge", "wap.charge.unusual.fails")
def test_who_was_nearer_to_the_enemy_than_an_inch_then_stays() -> None:
    scene, a, e = behind_a_friend(18.5)
    scene.unit(1, None, (4, 44), models=5)
    battle = scene.battle("combat", run=False)
    end = straight_on(battle, a.row, 8.0)
    assert end.met == (e.row,) and end.far == pytest.approx(CORNER - 18.5, abs=0.01)
    assert charge(battle, a.row, end) == -1
    assert pose(battle, a) == (24, 18.5, NORTH) and foes_of(battle, a.row) == []


def test_what_stands_beside_the_way_does_not_stop_it() -> None:
    def beside(scene: RegimentScene) -> None:
        scene.unit(0, None, (24 + 6.0, 26), models=5)
        scene.unit(1, None, (24 - 6.0, 26), models=5)

    battle, a, _, _ = chase([6, 6, 3, 4], beside)
    assert pose(battle, a)[1] == pytest.approx(27)
    assert foes_of(battle, a.row) == []


def enemy_at(x: float, y: float, **fields: Any) -> Place:
    return lambda scene: scene.unit(1, fields.pop("card", None), (x, y), **{"models": 10, "files": 5, **fields})


@pytest.mark.rule(
    "wap.pursuit.new-enemy.must-charge", "wap.pursuit.new-enemy.no-reaction", "wap.pursuit.new-enemy.next-phase"
)
def test_a_pursuer_charges_a_new_enemy_in_his_way() -> None:
    battle, a, _, e = chase([6, 6, 2, 6], enemy_at(24, 25))
    assert foes_of(battle, a.row) == [e.row]
    assert (side_towards(battle, a.row, e.row), side_towards(battle, e.row, a.row)) == (FRONT, FRONT)
    assert pose(battle, a)[:2] == pytest.approx((24, 25))
    assert dice_left(battle) == 0  # neither for the distance nor for a reaction
    assert battle.units.did[a] & PURSUED and battle.units.did[a] & CHARGED
    assert battle.units.charging[a] == 1 and battle.units.rounds[a] == 0
    assert battle.units.fought[a] and battle.units.fought[e]
    assert kind(battle) == "choose-combat" and len(slots(battle, "own")) == 2
    assert told(battle, "wap.pursuit.new-enemy.next-phase")


@pytest.mark.parametrize(("roll", "meets"), [((2, 3), True), ((2, 2), False)])
def test_the_roll_must_reach_the_new_enemy(roll: tuple[int, int], meets: bool) -> None:
    battle, a, _, e = chase([6, 6, *roll], enemy_at(24, 25))
    assert (foes_of(battle, a.row) == [e.row]) is meets
    if not meets:
        assert pose(battle, a)[1] == pytest.approx(24, abs=1e-3)


@pytest.mark.rule("wap.pursuit.new-enemy.must-charge")
def test_the_door_is_closed_for_most_models_in_contact() -> None:
    """The enemy stands aslant and half aside: the charger wheels and lies flush with all five on five."""
    battle, a, _, e = chase([6, 6, 4, 5], enemy_at(26, 26, facing=-0.5 * pi + 0.25))
    assert foes_of(battle, a.row) == [e.row]
    out = pose(battle, a)[2] - pose(battle, e)[2]
    assert cos(out) == pytest.approx(-1.0)
    [note] = told(battle, "wap.pursuit.new-enemy.must-charge")
    assert note["contacts"] == 10


@pytest.mark.rule("wap.pursuit.new-enemy.next-phase", "wap.pursuit.new-enemy.counts-charging")
def test_a_new_enemy_of_the_other_players_turn_is_not_fought_at_once() -> None:
    """The winner is not the player whose turn it is: his new enemy does not have to fight again, nor now."""
    battle, a, _, e = chase([6, 6, 2, 6], enemy_at(24, 25), player=1)
    assert battle.units.fought[e] == 1
    offered = set(words(battle).values())
    assert kind(battle) == "choose-combat" and not any(battle.setup.names["units"][e.row] in word for word in offered)
    assert battle.units.charging[a] == 1


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.pursuit.new-enemy.fight-again")
def test_a_pursuer_fights_again_in_a_combat_that_was_not_fought_yet(player: int) -> None:
    def combat(scene: RegimentScene) -> tuple[UnitHandle, UnitHandle]:
        d = scene.unit(1, None, (24, 25), models=20, files=5)
        return d, scene.beside(d, 0, side=RIGHT, models=5)

    battle, a, _, (d, c) = chase([6, 6, 2, 6], combat, player=player)
    assert sorted(foes_of(battle, d.row)) == sorted([a.row, c.row])
    assert battle.units.fought[a] == 1 and not battle.units.fought[d] and not battle.units.fought[c]
    assert battle.units.charging[a] == 1
    assert told(battle, "wap.pursuit.new-enemy.fight-again")
    mine = [word for word in words(battle).values() if battle.setup.names["units"][d.row] in word]
    assert kind(battle) == "choose-combat" and len(mine) == 1
    pick(battle, mine[0])
    combats = [event.data["units"] for event in battle.events if event.kind == "combat"]
    assert sorted(combats[0]) == sorted([a.row, c.row, d.row])


@pytest.mark.rule("wap.pursuit.new-enemy.fight-again.no-overrun")
@pytest.mark.parametrize("gone", [False, True])
def test_who_has_pursued_restrains_himself_without_a_test_and_may_reform(gone: bool) -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 20), models=10, files=5)
    b = scene.beside(a, 1, models=10, files=5)
    other_combats(scene)

    def then(battle: Battle) -> None:
        battle.units.did[a.row] |= CHARGED | PURSUED
        if gone:
            remove_unit(battle, b.row)

    battle = scene.battle("combat", dice=[3, 4], set_state=fought(won=[a], broken=[b], then=then))
    assert dice_left(battle) == (2 if gone else 0)
    assert kind(battle) == "after-victory" and slots(battle, "option") == [1, 2]
    assert not told(battle, "wap.pursuit.pursuit-roll") and not told(battle, "wap.pursuit.restrain-test")
    before = pose(battle, a)
    choose(battle, "option", 2)
    assert pose(battle, a) == before and kind(battle) == "choose-combat"


@pytest.mark.parametrize(("strength", "fled", "left"), [(8, 10, 0), (4, 10, 2), (10, 25, 0), (9, 25, 7)])
@pytest.mark.rule("wap.pursuit.new-enemy.fleeing")
def test_a_fleeing_unit_in_the_way_is_run_down(strength: int, fled: int, left: int) -> None:
    battle, a, _, e = chase(
        [6, 6, 2, 6], enemy_at(24, 25 + fled // 5, models=fled, facing=NORTH, fleeing=1), models=strength, losers=5
    )
    u = battle.units
    assert u.alive[e] == left
    assert u.fights[a] == 0 and dice_left(battle) == 0
    if left:
        assert u.fleeing[e] == 1 and distance(battle, a.row, e.row) == pytest.approx(1.0, abs=1e-3)
        assert kind(battle) == "choose-combat"
    else:
        assert u.place[e] == DESTROYED
        assert (kind(battle), slots(battle, "option")) == ("after-victory", [1, 2])
        choose(battle, "option", 1)
        assert kind(battle) == "reform-files"


@pytest.mark.parametrize(("roll", "leaves"), [((4, 5), True), ((3, 3), True), ((3, 2), False)])
@pytest.mark.rule("wap.pursuit.off-table")
def test_a_pursuer_that_reaches_an_edge_is_carried_off_and_not_destroyed(roll: tuple[int, int], leaves: bool) -> None:
    battle, a, b, _ = chase([6, 6, *roll], at=(24, 54))
    assert battle.units.place[b] == DESTROYED  # it has deserted
    u = battle.units
    assert u.place[a] == (RESERVE if leaves else ON_TABLE)
    assert u.alive[a] == 10
    if not leaves:
        assert pose(battle, a)[1] == pytest.approx(59)


def play_on(battle: Battle, until: Callable[[Battle], bool]) -> None:
    for _ in range(200):
        if until(battle):
            return
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    raise AssertionError("it never comes")


@pytest.mark.parametrize("edge", ["north", "east"])
@pytest.mark.rule("wap.pursuit.off-table.return")
def test_it_comes_back_where_it_left(edge: str) -> None:
    at, facing = ((20, 54), NORTH) if edge == "north" else ((54, 20), 0.0)
    battle, a, _, _ = chase([6, 6, 4, 5], at=at, facing=facing, models=20)
    u = battle.units
    assert u.place[a] == RESERVE
    play_on(battle, lambda g: g.clock.round[0] == 2 and g.clock.turn[0] == 0 and kind(g) == "select-to-move")
    assert u.place[a] == ON_TABLE and u.did[a] & ARRIVED
    assert pose(battle, a)[:2] == pytest.approx((20, 56) if edge == "north" else (56, 20))
    assert cos(pose(battle, a)[2] - facing) == pytest.approx(-1.0)
    assert ranks(battle, a) == [5, 5, 5, 5]
    pick(battle, battle.setup.names["units"][a.row])
    told_words = list(words(battle).values())
    assert any("advances" in word for word in told_words) and not any("marches" in word for word in told_words)
    assert u.left_edge[a] == -1


def test_it_comes_back_beside_who_stands_there() -> None:
    def friend(scene: RegimentScene) -> UnitHandle:
        return scene.unit(1, None, None, models=5, reserve=True)

    battle, a, _, friend_ = chase([6, 6, 4, 5], friend, at=(20, 54))
    u = battle.units
    u.place[friend_] = ON_TABLE
    set_block(battle, friend_.row, 21.0, 59.0, 0.5 * pi, 5)
    play_on(battle, lambda g: u.place[a] == ON_TABLE)
    x, y, _ = pose(battle, a)
    assert y == pytest.approx(58)
    assert x == pytest.approx(21 - 2.5 - 1 - 2.5, abs=0.06)


# ---------------------------------------------------------------- overruns, reforms of who stayed


def annihilation(
    dice: list[int], *, did: int = CHARGED, place: Place | None = None, at: tuple[float, float] = (24, 20), **card: Any
) -> tuple[Battle, UnitHandle, Any]:
    """``a`` has wiped out the only enemy that it fought."""
    scene = RegimentScene()
    a = scene.unit(0, square(**card), at, models=20, files=5)
    b = scene.beside(a, 1, models=5)
    other_combats(scene)
    more = place(scene) if place else None

    def then(battle: Battle) -> None:
        battle.units.did[a.row] |= did
        remove_unit(battle, b.row)

    return scene.battle("combat", dice=dice, set_state=fought(won=[a], held=[b], then=then)), a, more


@pytest.mark.parametrize(("did", "options"), [
    (CHARGED, [0, 1, 2]), (0, [1, 2]), (CHARGED | PURSUED, [1, 2]), (CHARGED | OVERRAN, [1, 2]),
])  # fmt: skip
@pytest.mark.parametrize("rules", [[], ["Frenzy"]])
@pytest.mark.rule(
    "wap.pursuit.overrun", "wap.result.annihilation", "wap.special.frenzy.annihilated", "wap.pursuit.reform-stayed"
)
def test_who_charged_and_wiped_out_his_enemies_may_overrun(did: int, options: list[int], rules: list[str]) -> None:
    battle, _, _ = annihilation([4, 5], did=did, rules=rules)
    assert (kind(battle), slots(battle, "option")) == ("after-victory", options)
    assert dice_left(battle) == 2


@pytest.mark.rule("wap.pursuit.overrun")
def test_who_wipes_out_an_enemy_that_he_has_caught_does_not_overrun() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 20), models=10, files=5, did=CHARGED)
    b = scene.beside(a, 1, models=4, files=4)
    other_combats(scene)
    battle = scene.battle("combat", dice=[1, 1, 2, 3], set_state=fought(won=[a], broken=[b]))
    assert kind(battle) == "pursue"
    pick(battle, "pursues")
    assert battle.units.place[b] == DESTROYED
    assert pose(battle, a)[1] == pytest.approx(25) and kind(battle) == "choose-combat"


@pytest.mark.rule("wap.pursuit.overrun.move")
def test_an_overrun_goes_straight_ahead() -> None:
    battle, a, _ = annihilation([4, 5])
    choose(battle, "option", 0)
    assert pose(battle, a) == pytest.approx((24, 29, NORTH))
    assert battle.units.did[a] & OVERRAN and kind(battle) == "choose-combat"


@pytest.mark.rule("wap.pursuit.overrun.move")
def test_an_overrun_charges_a_new_enemy_and_leaves_the_table() -> None:
    battle, a, e = annihilation([4, 5], place=enemy_at(24, 26))
    choose(battle, "option", 0)
    assert foes_of(battle, a.row) == [e.row] and battle.units.charging[a] == 1
    battle, a, _ = annihilation([4, 5], at=(24, 40))
    choose(battle, "option", 0)
    assert battle.units.place[a] == RESERVE


@pytest.mark.parametrize("slot", [1, 2])
@pytest.mark.rule("wap.pursuit.reform-stayed", "wap.result.annihilation")
def test_who_does_not_overrun_reforms_or_stays(slot: int) -> None:
    battle, a, _ = annihilation([4, 5])
    choose(battle, "option", slot)
    if slot == 1:
        assert kind(battle) == "reform-files"
        assert 4 - 1 not in slots(battle, "number")
        choose(battle, "number", 5 - 1)
        centre = (24.0, 18.0)
        assert kind(battle) == "reform-facing"
        pick(battle, "180 degrees")
        assert ranks(battle, a) == [5, 5, 5, 5]
        assert middle_of(battle, a.row, *pose(battle, a)) == pytest.approx(centre)
        assert cos(pose(battle, a)[2] - WEST) == pytest.approx(1.0)
    else:
        assert pose(battle, a) == (24, 20, NORTH)
    assert (kind(battle), dice_left(battle)) == ("choose-combat", 2)


@pytest.mark.rule("wap.pursuit.reform-stayed")
def test_who_restrained_himself_reforms_after_the_flight_and_who_pursues_does_not() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 20), models=20, files=5)
    b = scene.beside(a, 1, models=20, files=5)
    other_combats(scene)
    battle = scene.battle("combat", dice=[1, 1, 3, 4], set_state=fought(won=[a], broken=[b]))
    choose(battle, "done")
    assert (kind(battle), slots(battle, "option")) == ("after-victory", [1, 2])
    assert pose(battle, b)[1] == pytest.approx(24 + 7)
    choose(battle, "option", 1)
    assert kind(battle) == "reform-files"


@pytest.mark.parametrize(("m", "quarter"), [(1, False), (4, True)])
@pytest.mark.rule("wap.pursuit.reform-stayed")
def test_no_model_goes_farther_in_that_reform_than_twice_its_movement(m: int, quarter: bool) -> None:
    """Seven side by side: in a turn by a quarter those at the ends go 4.24", by 15 degrees 0.78"."""
    scene = RegimentScene()
    a = scene.unit(0, square(m=m), (24, 20), models=7, files=7)
    b = scene.beside(a, 1, models=20, files=5)
    other_combats(scene)
    battle = scene.battle("combat", dice=[1, 1, 3, 4], set_state=fought(won=[a], broken=[b]))
    choose(battle, "done")
    choose(battle, "option", 1)
    choose(battle, "number", 7 - 1)
    angles = battle.setup.space.angles
    assert angles // 4 + 1 in slots(battle, "angle")  # 15 degrees
    assert (0 in slots(battle, "angle")) is quarter


@pytest.mark.rule("wap.pursuit.reform-stayed")
def test_who_pursued_is_offered_no_reform() -> None:
    battle, a, _, _ = chase([6, 6, 3, 4])
    assert kind(battle) == "choose-combat" and battle.units.did[a] & PURSUED
    assert not told(battle, "wap.pursuit.reform-stayed")


# ---------------------------------------------------------------- targets that are gone before the phase


def vanished(
    dice: list[int], *, did: int = CHARGED, fleeing: int = 0, place: Place | None = None, targets: int = 1
) -> tuple[Battle, UnitHandle, Any]:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 20), models=10, files=5)
    b = scene.unit(1, None, (24, 30), models=5)
    other = scene.unit(1, None, (30, 40), models=5)
    other_combats(scene)
    more = place(scene) if place else None

    def state(battle: Battle) -> None:
        u, c = battle.units, battle.charges
        u.did[a.row] |= did
        c.unit[0], c.target[0] = a.row, b.row
        if targets == 2:
            c.unit[1], c.target[1] = a.row, other.row
        u.fleeing[b.row] = fleeing
        remove_unit(battle, b.row)

    return scene.battle("combat", dice=dice, set_state=state), a, more


@pytest.mark.rule("wap.pursuit.overrun.enemy-gone")
def test_a_charger_whose_target_is_gone_overruns_or_reforms_before_any_blow() -> None:
    battle, a, _ = vanished([2, 3])
    assert (kind(battle), slots(battle, "option"), dice_left(battle)) == ("after-victory", [0, 1, 2], 2)
    choose(battle, "option", 0)
    assert pose(battle, a) == pytest.approx((24, 25, NORTH))
    assert kind(battle) == "choose-combat"
    battle, a, _ = vanished([2, 3])
    choose(battle, "option", 1)
    assert kind(battle) == "reform-files"
    battle, a, _ = vanished([2, 3])
    choose(battle, "option", 2)
    assert (kind(battle), dice_left(battle)) == ("choose-combat", 2)


@pytest.mark.parametrize("fields", [
    {"did": CHARGED | DRIVEN}, {"did": 0}, {"fleeing": 1}, {"targets": 2},
], ids=["moved since", "no charge", "ran him down", "another target left"])  # fmt: skip
@pytest.mark.rule("wap.pursuit.overrun.enemy-gone")
def test_who_has_no_such_choice(fields: dict[str, int]) -> None:
    battle, _, _ = vanished([2, 3], **fields)
    assert (kind(battle), dice_left(battle)) == ("choose-combat", 2)


def test_such_an_overrun_into_a_combat_is_fought_in_this_phase_and_into_a_free_enemy_in_the_next() -> None:
    battle, a, e = vanished([2, 6], place=enemy_at(24, 24))
    choose(battle, "option", 0)
    assert foes_of(battle, a.row) == [e.row] and battle.units.fought[a] and battle.units.fought[e]

    def combat(scene: RegimentScene) -> UnitHandle:
        d = scene.unit(1, None, (24, 24), models=20, files=5)
        scene.beside(d, 0, side=RIGHT, models=5)
        return d

    battle, a, d = vanished([2, 6], place=combat)
    choose(battle, "option", 0)
    assert a.row in foes_of(battle, d.row) and not battle.units.fought[a] and not battle.units.fought[d]
    assert len(slots(battle, "own")) == 3


@pytest.mark.parametrize("turns", [False, True])
def test_dangerous_ground_on_the_way_of_a_pursuit_is_tested_for(turns: bool) -> None:
    def swamp(scene: RegimentScene) -> None:
        scene.area("dangerous", 20, 22, 28, 23) if turns else scene.area("dangerous", 30, 22, 33, 23)

    battle, a, _, _ = chase([6, 6, 3, 3, *([2] * (8 + turns)), 1, 1], swamp, models=10, losers=1)
    assert battle.units.alive[a] == (8 if turns else 10)
