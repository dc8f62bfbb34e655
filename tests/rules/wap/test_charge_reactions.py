"""Charge reactions: who may do what, and flights from charges."""

from __future__ import annotations

from math import atan2, cos, sin

import pytest
from charging import BOWS, FLEE, HOLD, SHOOT, charge, charged, chargers, facing_off, over, react, targets
from marching import FAR_AWAY

from wh_env import Battle
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.wap.codes import FLED, HOLDS, SHOOTS
from wh_env.rulesets.wap.ways.poses import middle_of
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.play import script
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, pose, square


def middle(battle: Battle, unit: UnitHandle) -> tuple[float, float]:
    return middle_of(battle, unit.row, *pose(battle, unit))


def bystanders(scene: RegimentScene) -> None:
    """Two units at the edge that could charge each other, so that the charge step goes on."""
    scene.unit(0, None, (44, 4), models=1)
    scene.unit(1, None, (44, 7), models=1)


@pytest.mark.parametrize(
    ("card", "gap", "reactions"),
    [
        (BOWS, 8.0, [HOLD, SHOOT, FLEE]),
        (BOWS, 4.1, [HOLD, SHOOT, FLEE]),
        (BOWS, 4.0, [HOLD, FLEE]),
        (None, 8.0, [HOLD, FLEE]),
    ],
)
@pytest.mark.rule("wap.charge.reaction.list")
def test_reactions(card: dict | None, gap: float, reactions: list[int]) -> None:
    """Nobody shoots at who is no farther away than his Movement."""
    scene, unit, foe = facing_off(gap, foe=card)
    battle = scene.battle("movement")
    charge(battle, unit, foe)
    assert (kind(battle), battle.clock.player[0], slots(battle, "option")) == ("charge-reaction", 1, reactions)


@pytest.mark.rule("wap.charge.hold")
def test_who_holds_stays_as_he_is() -> None:
    scene, unit, foe = facing_off(7.0)
    scene.unit(0, None, (8, 12), models=5)
    scene.unit(1, None, (8, 16), models=5)
    battle = scene.battle("movement")
    charge(battle, unit, foe)
    react(battle, HOLD)
    assert kind(battle) == "declare-charge"  # the other unit
    assert pose(battle, foe) == (24, 19, SOUTH) and battle.units.files[foe] == 5
    assert told(battle, "wap.charge.reaction.list")[-1]["unit"] == foe.row


@pytest.mark.rule("wap.charge.hold.engaged")
def test_who_fights_already_can_only_hold() -> None:
    """Bowmen, engaged in front, are charged in the flank: nobody is asked."""
    scene = RegimentScene()
    bows = scene.unit(1, BOWS, (24, 24), models=20, files=5)
    scene.beside(bows, 0, models=5)
    unit = scene.unit(0, None, (32, 26), models=5, facing=atan2(0.0, -1.0))
    battle = scene.battle("movement")
    choose(battle, "own", unit.number)
    assert kind(battle) != "charge-reaction"
    assert [note["unit"] for note in told(battle, "wap.charge.reaction.list")] == [bows.row]
    assert [event.kind for event in battle.events if event.rule == "wap.charge.reaction.list"] == ["holds"]


@pytest.mark.rule("wap.charge.flee.compulsory")
def test_who_flees_can_only_flee() -> None:
    """A unit that was fleeing before the turn: it is not asked, and flees 2D6"."""
    scene, unit, foe = facing_off(7.0)
    other = scene.unit(0, None, (40, 14), models=5)
    scene.unit(1, None, (40, 18), models=5)
    battle = scene.battle("movement", dice=[3, 4], set_state=lambda b: b.units.fleeing.__setitem__(foe.row, 1))
    charge(battle, unit, foe)
    assert chargers(battle) == [other.number]
    assert dice_left(battle) == 0 and battle.units.did[foe] & FLED
    assert [event.kind for event in battle.events if event.rule == "wap.charge.reaction.list"] == ["flees"]


@pytest.mark.rule("wap.charge.flee.pivot")
def test_fleers_turn_their_backs_on_the_middle_of_the_charger() -> None:
    """The unit's centre is at (20, 20), the charger's at (26, 28): it faces (-0.6, -0.8)."""
    scene = RegimentScene()
    away = atan2(-8.0, -6.0)
    unit = scene.unit(0, None, (26 + cos(away), 28 + sin(away)), models=10, files=5, facing=away)
    foe = scene.unit(1, None, (20, 21), models=10, files=5, facing=NORTH)
    bystanders(scene)
    battle = scene.battle("movement", dice=[1, 1])
    assert middle(battle, unit) == pytest.approx((26, 28)) and middle(battle, foe) == pytest.approx((20, 20))
    charge(battle, unit, foe)
    react(battle, FLEE)
    turned = told(battle, "wap.charge.flee.pivot")
    assert [note["unit"] for note in turned] == [foe.row]
    assert turned[0]["facing"] == round(233.13)
    assert middle(battle, foe) == pytest.approx((20 - 2 * 0.6, 20 - 2 * 0.8))  # the turn costs nothing of the flight


@pytest.mark.rule("wap.charge.flee.move")
def test_fleers_flee_two_dice() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 34), models=10, files=5, facing=SOUTH)
    foe = scene.unit(1, None, (20, 25), models=10, files=5, facing=NORTH)
    scene.unit(1, None, FAR_AWAY)
    battle = scene.battle("movement", dice=[3, 5, 1, 1])
    assert middle(battle, foe) == pytest.approx((20, 24))
    charge(battle, unit, foe)
    react(battle, FLEE)
    flight = [
        event.data
        for event in battle.events
        if event.kind == "flees" and event.data["unit"] == foe.row and "roll" in event.data
    ]
    assert [note["roll"] for note in flight] == [8]
    assert middle(battle, foe) == pytest.approx((20, 16))
    assert pose(battle, foe)[2] == pytest.approx(SOUTH)


@pytest.mark.parametrize(("movement", "dice", "caught"), [(8, [1, 4], True), (4, [1, 5], True), (4, [1, 4], False)])
@pytest.mark.rule("wap.charge.flee.caught")
def test_a_flight_may_not_be_far_enough(movement: int, dice: list[int], caught: bool) -> None:
    """6" away, it flees 3": 9" are asked. It turns on its centre, so its rear is where its front was."""
    scene, unit, foe = facing_off(6.0, card=square(m=movement))
    battle = scene.battle("movement", dice=[1, 2, *dice])
    charge(battle, unit, foe)
    react(battle, FLEE)
    measured = [note for note in told(battle, "wap.charge.success") if note["unit"] == unit.row]
    assert [(note["far"], note["passed"]) for note in measured] == [(9.0, caught)]
    assert (battle.units.place[foe] == DESTROYED) == caught  # ten models run down by Unit Strength 10
    assert bool(told(battle, "wap.charge.failed")) != caught


@pytest.mark.parametrize(("dice", "gone"), [([2, 3], True), ([2, 2], False)])
@pytest.mark.rule("wap.charge.flee.off-table")
def test_who_touches_the_edge_is_lost(dice: list[int], gone: bool) -> None:
    """Its leading edge, once it has turned about, is 5" from the northern edge."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 33), models=10, files=5)
    foe = scene.unit(1, None, (24, 41), models=10, files=5)
    scene.unit(1, None, (4, 10), models=5)
    battle = scene.battle("movement", dice=[*dice, 1, 1])
    charge(battle, unit, foe)
    react(battle, FLEE)
    assert (battle.units.place[foe] == DESTROYED) == gone
    if not gone:
        assert (battle.units.place[foe], pose(battle, foe)[1]) == (ON_TABLE, pytest.approx(47.0))


def two_chargers(foe: dict | None = None, third: bool = False) -> tuple[RegimentScene, list[UnitHandle]]:
    """Units to the south and to the west (and to the north) of an enemy on (24, 24)."""
    scene = RegimentScene()
    x = scene.unit(1, foe, (24, 25), models=10, files=5, facing=NORTH)
    a = scene.unit(0, None, (24, 15.5), models=10, files=5)
    b = scene.unit(0, None, (14, 24), models=10, files=5, facing=0.0)
    units = [x, a, b]
    if third:
        units.append(scene.unit(0, None, (24, 33), models=10, files=5, facing=SOUTH))
    scene.unit(0, None, (44, 4), models=1)
    return scene, units


@pytest.mark.rule("wap.charge.flee.persists", "wap.charge.flee.one-move")
def test_who_has_fled_flees_from_every_charge_and_moves_once() -> None:
    scene, (x, a, b) = two_chargers()
    battle = scene.battle("movement", dice=[1, 1, 1, 1, 1, 1])
    charge(battle, a, x)
    react(battle, FLEE)
    assert dice_left(battle) == 4 and pose(battle, x)[2] == pytest.approx(NORTH)
    assert middle(battle, x) == pytest.approx((24, 26))
    charge(battle, b, x)  # nobody is asked, nothing is rolled, and both charges are carried out
    assert [note["unit"] for note in told(battle, "wap.charge.flee.pivot")] == [x.row]
    reacted = [
        (event.kind, event.data["target"]) for event in battle.events if event.rule == "wap.charge.reaction.list"
    ]
    assert reacted == [("flees", a.row), ("flees", b.row)]


@pytest.mark.rule("wap.charge.reaction.several-charges", "wap.charge.stand-shoot.once")
def test_reactions_to_several_charges_may_differ() -> None:
    """Hold, stand and shoot, flee; who has shot cannot shoot again."""
    scene, (x, a, b, c) = two_chargers(BOWS, third=True)
    battle = scene.battle("movement", dice=[1, 1, 1, 1])
    charge(battle, a, x)
    assert slots(battle, "option") == [HOLD, SHOOT, FLEE]
    react(battle, HOLD)
    charge(battle, b, x)
    assert slots(battle, "option") == [HOLD, SHOOT, FLEE]
    react(battle, SHOOT)
    answers = [battle.charges.reaction[k] for k in range(2)]
    assert answers == [HOLDS, SHOOTS]
    charge(battle, c, x)
    assert slots(battle, "option") == [HOLD, FLEE]
    react(battle, FLEE)
    assert battle.units.fleeing[x] or battle.units.place[x] == DESTROYED


@pytest.mark.rule("wap.charge.reaction.timing")
def test_where_it_has_fled_to_counts_for_the_next_declaration() -> None:
    """B stands where it could charge X before that has fled, and cannot afterwards."""
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 15), models=10, files=5)
    b = scene.unit(0, None, (32, 18), models=10, files=5, facing=2.4)
    x = scene.unit(1, None, (24, 24), models=10, files=5)
    y = scene.unit(1, None, (10, 15), models=1)
    battle = scene.battle("movement", dice=[6, 6, 1, 1])
    assert chargers(battle) == [a.number, b.number]
    charge(battle, a, x)
    react(battle, FLEE)
    assert charged(battle, a)[0] == x.row and y.number == 1
    assert chargers(battle) == []


# ---------------------------------------------------------------- terror and frenzy


@pytest.mark.parametrize(("roll", "flees"), [([4, 5], True), ([3, 4], False)])
@pytest.mark.rule("wap.special.terror.charged")
def test_a_terrible_charger_calls_for_a_panic_test(roll: list[int], flees: bool) -> None:
    """Ld 7: a 9 makes the unit flee, with a 7 it may react as it likes. It takes no other Panic test in this phase."""
    scene, unit, foe = facing_off(8.0, card=square(rules=["Terror"]))
    battle = scene.battle("movement", dice=[*roll, 1, 1, 1, 1])
    charge(battle, unit, foe)
    tests = told(battle, "wap.special.terror.charged")
    assert (tests[0]["unit"], tests[0]["passed"]) == (foe.row, not flees)
    if flees:
        assert [event.kind for event in battle.events if event.data.get("unit") == foe.row][1:3] == [
            "flees",
            "begins to flee",
        ]
    else:
        assert (kind(battle), slots(battle, "option")) == ("charge-reaction", [HOLD, FLEE])
        assert battle.units.steeled[foe] == 1


@pytest.mark.parametrize("rules", [["Fear"], ["Terror"], ["Immunity (Fear)"], ["Immunity (Psychology)"]])
@pytest.mark.rule("wap.special.terror.charged")
def test_who_is_not_afraid_takes_no_test(rules: list[str]) -> None:
    scene, unit, foe = facing_off(8.0, card=square(rules=["Terror"]), foe=square(rules=rules))
    battle = scene.battle("movement", dice=[1, 1])
    charge(battle, unit, foe)
    assert kind(battle) == "charge-reaction" and not told(battle, "wap.special.terror.charged")


@pytest.mark.rule("wap.special.terror.charged")
def test_a_random_move_that_ends_in_an_enemy_frightens_nobody() -> None:
    scene, unit, foe = facing_off(5.0, card=square(rules=["Terror", "Random Movement (2D6)"]))
    battle = scene.battle("movement", dice=[3, 4])
    choose(battle, "angle", battle.setup.space.angles // 4)
    assert told(battle, "wap.special.random-movement.contact") and not told(battle, "wap.special.terror.charged")
    assert unit.row != foe.row


@pytest.mark.parametrize(("roll", "dares"), [([4, 4], False), ([3, 4], True)])
@pytest.mark.rule("wap.special.terror.charging")
def test_who_would_charge_the_terrible_tests_first(roll: list[int], dares: bool) -> None:
    """Ld 7: with an 8 it cannot charge that enemy in this turn and may charge another one, or none; with a 7 it does."""
    scene, unit, dragon = facing_off(6.0, foe=square(rules=["Terror"]))
    other = scene.unit(1, None, (29.5, 19), models=4, files=4)
    battle = scene.battle("movement", dice=roll)
    choose(battle, "own", unit.number)
    choose(battle, "enemy", dragon.number)
    assert [note["passed"] for note in told(battle, "wap.special.terror.charging")] == [dares]
    assert dice_left(battle) == 0
    if dares:
        assert (kind(battle), battle.clock.subject[0]) == ("charge-reaction", dragon.row)
        return
    assert (chargers(battle), slots(battle, "done")) == ([unit.number], [0])
    charge(battle, unit, dragon)  # nobody else is left, so that it is not asked whom
    assert (kind(battle), battle.clock.subject[0]) == ("charge-reaction", other.row)


@pytest.mark.parametrize("number", [0, 15, 16, 17])
@pytest.mark.rule("wap.special.terror.charging")
def test_of_many_enemies_the_one_whom_it_dared_not_charge_is_charged_no_more(number: int) -> None:
    """Twenty enemies, of which it reaches a terrible one and the next one to it, or the one before."""
    scene = RegimentScene((72, 48))
    unit = scene.unit(0, None, (24, 12), models=10, files=5)
    plain = number - 1 if number else 1
    for k in range(20):
        at = {number: (21, 18), plain: (27, 18)}.get(k, (3 * k + 7, 46))
        scene.unit(1, square(rules=["Terror"]) if k == number else None, at, models=2, files=2)
    battle = scene.battle("movement", dice=[4, 4])
    assert targets(battle, unit) == sorted((number, plain))
    choose(battle, "own", unit.number)
    choose(battle, "enemy", number)
    assert [note["passed"] for note in told(battle, "wap.special.terror.charging")] == [False]
    choose(battle, "own", unit.number)  # nobody else is left, so that it is not asked whom
    assert (kind(battle), battle.clock.subject[0]) == ("charge-reaction", 1 + plain)


@pytest.mark.parametrize(
    ("card", "reactions"),
    [(square(rules=["Frenzy"], equipment=["throwing axe"]), [HOLD, SHOOT]), (square(rules=["Frenzy"]), [])],
)
@pytest.mark.rule("wap.special.frenzy.charge-reaction")
def test_the_frenzied_do_not_flee(card: dict, reactions: list[int]) -> None:
    scene, unit, foe = facing_off(9.0, foe=card)
    battle = scene.battle("movement", dice=[1, 1])
    charge(battle, unit, foe)
    if reactions:
        assert (kind(battle), slots(battle, "option")) == ("charge-reaction", reactions)
    else:
        assert kind(battle) != "charge-reaction"  # it can only hold
        assert [event.kind for event in battle.events if event.rule == "wap.charge.reaction.list"] == ["holds"]


@pytest.mark.rule("wap.special.frenzy.charge-reaction")
def test_whose_frenzy_is_lost_flees_again() -> None:
    scene, unit, foe = facing_off(9.0, foe=square(rules=["Frenzy"]))
    battle = scene.battle("movement", dice=[1, 1], set_state=lambda b: b.units.lost_rules.__setitem__(foe.row, 1))
    charge(battle, unit, foe)
    assert (kind(battle), slots(battle, "option")) == ("charge-reaction", [HOLD, FLEE])


def frenzied() -> tuple[RegimentScene, UnitHandle, UnitHandle, UnitHandle]:
    """A frenzied unit of Ld 7 with enemies 9" and 6" away."""
    scene = RegimentScene()
    unit = scene.unit(0, square(rules=["Frenzy"]), (24, 12), models=10, files=5)
    far = scene.unit(1, None, (27.5, 21), models=4, files=4)
    near = scene.unit(1, None, (20.5, 18), models=4, files=4)
    return scene, unit, near, far


@pytest.mark.parametrize("where", ["declare-charge", "charge-target"])
@pytest.mark.parametrize(("roll", "charges"), [([4, 4], True), ([3, 4], False)])
@pytest.mark.rule("wap.special.frenzy.must-charge")
def test_the_frenzied_charge_unless_they_pass_a_test(where: str, roll: list[int], charges: bool) -> None:
    """Who does not want to charge with it says so at either question."""
    scene, unit, near, _ = frenzied()
    battle = scene.battle("movement", dice=roll)
    if where == "charge-target":
        choose(battle, "own", unit.number)
        assert len(slots(battle, "enemy")) == 2
    choose(battle, "done")
    tests = [event for event in told(battle, "wap.special.frenzy.must-charge") if "passed" in event]
    assert [event["passed"] for event in tests] == [not charges]
    if charges:
        assert (kind(battle), battle.clock.subject[0]) == ("charge-reaction", near.row)
        return
    if where == "charge-target":
        choose(battle, "done")  # it need not charge, and is not tested again
    assert kind(battle) == "select-to-move" and len(told(battle, "wap.special.frenzy.must-charge")) == 1


@pytest.mark.rule("wap.special.frenzy.must-charge")
def test_the_frenzied_charge_whom_their_player_likes_without_a_test() -> None:
    scene, unit, _, far = frenzied()
    battle = scene.battle("movement", dice=[])
    charge(battle, unit, far)
    assert (kind(battle), battle.clock.subject[0]) == ("charge-reaction", far.row)
    assert not told(battle, "wap.special.frenzy.must-charge")


@pytest.mark.rule("wap.special.frenzy.must-charge")
def test_the_frenzied_who_cannot_charge_take_no_test() -> None:
    scene, _, _ = facing_off(10.5, card=square(rules=["Frenzy"]))
    battle = scene.battle("movement")
    assert kind(battle) == "select-to-move" and not told(battle, "wap.special.frenzy.must-charge")
    script(battle, [])
    over(battle)
