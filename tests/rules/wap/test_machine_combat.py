"""War machines in close combat: the assault group, blows both ways, the result, what becomes of both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from heroes import hero

from tests.machines import machine
from wh_env import Battle
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.wap.codes import CHARGED, LEFT, REAR, RIGHT
from wh_env.testing import choose, kind, pick, slots, told, words
from wh_env.testing.play import dice_left
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
RULE = "wap.machine.combat.assault-group"
BIG = [50, 50]


def scene_with(player: int, card: dict[str, Any] | None = None) -> tuple[RegimentScene, UnitHandle]:
    """A war machine of a player in the middle of the table; its crew strike last."""
    scene = RegimentScene()
    return scene, scene.unit(player, card or machine(i=1), (24, 24), models=1)


def begun(scene: RegimentScene, dice: Sequence[int] = (), detail: str = "squad", **known: Any) -> Battle:
    """The Close Combat phase of player 0's turn."""
    return scene.battle("combat", dice=dice, detail=detail, **known)


def chosen(battle: Battle) -> dict[int, int]:
    """Models chosen for assaults, by the row of their unit."""
    return {event["unit"]: event["amount"] for event in told(battle, RULE)}


def strikers(battle: Battle, unit: UnitHandle, target: UnitHandle) -> int:
    """Models of a unit, and of characters in it, that have struck at a target in this phase."""
    made = [event for event in told(battle, "wap.combat.attacks.number") if event["unit"] == unit.row]
    return sum(event["strikers"] for event in made if target.row in event["targets"])


def attacks_of(battle: Battle, unit: UnitHandle) -> list[int]:
    """Attacks that a unit has made, roll by roll."""
    return [event["amount"] for event in told(battle, "wap.combat.hit.roll") if event["unit"] == unit.row]


def rolls(battle: Battle, rule: str, unit: UnitHandle) -> list[int]:
    """What the rolls of a unit needed."""
    return [event["needed"] for event in told(battle, rule) if event["unit"] == unit.row]


# ---------------------------------------------------------------- who takes part


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.assault-group")
def test_six_models_in_all_fight_a_machine(player: int) -> None:
    """Two units of 10 at both sides: the first chosen sends 6, nobody else may."""
    scene, cannon = scene_with(player)
    left = scene.beside(cannon, 1 - player, side=LEFT, models=10, files=5)
    right = scene.beside(cannon, 1 - player, side=RIGHT, models=10, files=5)
    battle = begun(scene)
    assert (kind(battle), battle.clock.player[0], slots(battle, "own")) == ("machine-assault", 1 - player, [0, 1])
    assert not battle.mask[0]
    choose(battle, "own", right.number)
    assert chosen(battle) == {right.row: 6}
    assert kind(battle) != "machine-assault"
    assert (strikers(battle, right, cannon), strikers(battle, left, cannon)) == (6, 0)


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.assault-group")
def test_fewer_may_be_sent_and_others_beside_them(player: int) -> None:
    """At full detail any number is legal: 2 of one unit, then up to 4 of the other, or nobody."""
    scene, cannon = scene_with(player)
    left = scene.beside(cannon, 1 - player, side=LEFT, models=10, files=5)
    right = scene.beside(cannon, 1 - player, side=RIGHT, models=10, files=5)
    battle = begun(scene, detail="full")
    choose(battle, "own", left.number)
    assert (kind(battle), slots(battle, "number")) == ("machine-assault-number", [1, 2, 3, 4, 5, 6])
    choose(battle, "number", 2)
    assert (kind(battle), slots(battle, "own"), battle.mask[0]) == ("machine-assault", [right.number], True)
    choose(battle, "own", right.number)
    assert slots(battle, "number") == [1, 2, 3, 4]
    choose(battle, "number", 4)
    assert chosen(battle) == {left.row: 2, right.row: 4}
    assert (strikers(battle, left, cannon), strikers(battle, right, cannon)) == (2, 4)


@pytest.mark.rule("wap.machine.combat.assault-group")
def test_done_leaves_the_others_out() -> None:
    scene, cannon = scene_with(1)
    left = scene.beside(cannon, 0, side=LEFT, models=10, files=5)
    right = scene.beside(cannon, 0, side=RIGHT, models=10, files=5)
    battle = begun(scene, detail="full")
    choose(battle, "own", left.number)
    choose(battle, "number", 1)
    assert "nobody else assaults" in words(battle)[0]
    choose(battle, "done")
    assert chosen(battle) == {left.row: 1}
    assert strikers(battle, right, cannon) == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.assault-group")
@pytest.mark.parametrize(
    ("card", "models", "expected"),
    [
        (square(type="monstrous infantry", base_mm=BIG, w=3, a=3), 4, 2),
        (square(type="monster", base_mm=[50, 100], w=7, size=[1, 1], command=[]), 1, 1),
        (square(type="cavalry", base_mm=[25, 50]), 5, 3),
        (square(), 4, 4),
    ],
)
def test_unit_strength_limits_the_group(player: int, card: dict[str, Any], models: int, expected: int) -> None:
    """Monstrous infantry counts 3 each: 2 fight. A monster of Unit Strength 7 may fight alone."""
    scene, cannon = scene_with(player)
    unit = scene.beside(cannon, 1 - player, card, side=RIGHT, models=models, files=min(models, 2))
    battle = begun(scene)
    assert chosen(battle) == {unit.row: expected}


@pytest.mark.rule("wap.machine.combat.assault-group")
@pytest.mark.parametrize(
    ("words", "attacks"), [("6 of unit 00, the champion among them", [2, 5]), ("6 of unit 00, not the champion", [6])]
)
def test_the_champion_may_stay_behind(words: str, attacks: list[int]) -> None:
    scene, cannon = scene_with(1)
    unit = scene.beside(cannon, 0, side=RIGHT, models=7, files=7, command=["champion"])
    battle = begun(scene, detail="full")
    assert (kind(battle), slots(battle, "number")) == ("machine-assault-number", [1, 2, 3, 4, 5, 6, *range(9, 15)])
    pick(battle, words)
    made = [event["amount"] for event in told(battle, "wap.combat.attacks.number") if event["unit"] == unit.row]
    assert sorted(made) == attacks
    assert strikers(battle, unit, cannon) == 6


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.assault-group")
def test_characters_count_by_themselves(player: int) -> None:
    """A hero and five of his men, or six men without him."""
    scene, cannon = scene_with(player)
    unit = scene.beside(cannon, 1 - player, side=RIGHT, models=9, files=5)
    lord = scene.unit(1 - player, hero(), inside=unit, models=1, post=2)
    battle = begun(scene, detail="full")
    assert (kind(battle), slots(battle, "own")) == ("machine-assault", [unit.number, lord.number])
    choose(battle, "own", lord.number)
    choose(battle, "own", unit.number)
    assert slots(battle, "number") == [1, 2, 3, 4, 5]
    choose(battle, "number", 5)
    assert chosen(battle) == {lord.row: 1, unit.row: 5}
    assert strikers(battle, unit, cannon) == 6
    assert battle.units.assaults[lord] == cannon.row


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.contact")
def test_who_touches_another_enemy_cannot_be_chosen(player: int) -> None:
    """A unit of 10 in two ranks: three of its front rank touch an enemy unit, the other two the machine. Of the 7 that
    touch no other enemy 6 fight the machine, with all their attacks."""
    scene = RegimentScene()
    cannon = scene.unit(player, machine(i=1), (25.6, 20), facing=SOUTH, models=1)
    other = scene.unit(player, square(i=1), (22.9, 20), facing=SOUTH, models=3, files=3)
    unit = scene.unit(1 - player, square(a=2, i=5), (24, 20), facing=NORTH, models=10, files=5)
    battle = begun(scene, detail="full")
    assert slots(battle, "number") == [1, 2, 3, 4, 5, 6]
    choose(battle, "number", 6)
    fought = strikers(battle, unit, cannon)
    assert (fought, strikers(battle, unit, other)) == (6, 3)
    assert sorted(attacks_of(battle, unit)) == [3 * 2 + 1, 6 * 2]  # the seventh supports against the other enemy


# ---------------------------------------------------------------- blows


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.step-up")
def test_models_step_up_in_place_of_the_fallen(player: int) -> None:
    """Crew strike first and kill 2 of 10: six still strike, eight are left."""
    scene, cannon = scene_with(player, machine(i=5, ws=10, s=10, a=1))
    unit = scene.beside(cannon, 1 - player, square(i=2), side=RIGHT, models=10, files=5)
    battle = begun(scene, dice=[6, 6, 1, 6, 6])
    assert chosen(battle) == {unit.row: 6}
    losses = [event for event in told(battle, "wap.core.casualties.rear-rank") if event["unit"] == unit.row]
    assert losses[0]["amount"] == 2
    assert strikers(battle, unit, cannon) == 6


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.crew-attacks")
def test_crew_that_are_left_strike(player: int) -> None:
    """One of three falls to faster attackers: two attacks at WS 3 and S 3."""
    scene, cannon = scene_with(player, machine(i=3, s=3, ws=3))
    scene.beside(cannon, 1 - player, square(i=5, ws=4, t=4), side=RIGHT, models=2, files=2)
    battle = begun(scene, dice=[6, 1, 6, 4, 4, 5, 5])
    assert attacks_of(battle, cannon) == [2]
    assert rolls(battle, "wap.combat.hit.roll", cannon) == [4]
    assert rolls(battle, "wap.combat.wound.roll", cannon)[:1] == [5]


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.crew-attacks")
def test_attacks_of_crew_are_their_own_times_their_number(player: int) -> None:
    scene, cannon = scene_with(player, machine(a=2, i=6))
    scene.beside(cannon, 1 - player, square(), side=RIGHT, models=10, files=5)
    battle = begun(scene)
    assert attacks_of(battle, cannon) == [6]


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.crew-attacks")
def test_crew_may_strike_whom_they_choose(player: int) -> None:
    """Of two units at it only the one that takes part can be struck; if both do, the crew's player chooses."""
    scene, cannon = scene_with(player, machine(i=6))
    left = scene.beside(cannon, 1 - player, side=LEFT, models=10, files=5)
    right = scene.beside(cannon, 1 - player, side=RIGHT, models=10, files=5)
    battle = begun(scene, detail="full")
    both = battle.clone()
    choose(battle, "own", left.number)
    choose(battle, "number", 6)
    assert {event["target"] for event in told(battle, "wap.combat.hit.roll") if event["unit"] == cannon.row} == {
        left.row
    }
    choose(both, "own", left.number)
    choose(both, "number", 3)
    choose(both, "own", right.number)
    choose(both, "number", 3)
    assert (kind(both), both.clock.player[0], slots(both, "enemy")) == (
        "strike-target",
        player,
        [left.number, right.number],
    )


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.attacking-crew", "wap.machine.profile")
def test_blows_meet_the_crew(player: int) -> None:
    """WS 4 and S 4 against crew of WS 3, T 4 and a machine of T 7: 3+ to hit, 4+ to wound. Light armour saves on 6+,
    and S 4 takes 1 off.
    """
    scene, cannon = scene_with(
        player, machine(t=4, ws=3, toughness=7, equipment=["hand weapon", "light armour"], rules=["Ward Save (5+)"])
    )
    unit = scene.beside(cannon, 1 - player, square(ws=4, s=4, i=5), side=RIGHT, models=5, files=5)
    battle = begun(scene, dice=[3, 3, 2, 2, 2, 4, 3, 5, 1])
    assert rolls(battle, "wap.combat.hit.roll", unit)[0] == 3
    assert rolls(battle, "wap.combat.wound.roll", unit)[0] == 4
    saves = [event for event in told(battle, "wap.shoot.save.roll") if event["unit"] == cannon.row]
    assert saves[0]["needed"] == (7, 5)
    assert saves[0]["result"] == 0


@pytest.mark.rule("wap.machine.profile")
@BOTH_PLAYERS
def test_s4_blows_wound_t3_crew_on_3(player: int) -> None:
    scene, cannon = scene_with(player, machine(t=3, equipment=["hand weapon", "light armour"]))
    unit = scene.beside(cannon, 1 - player, square(s=4, i=5), side=RIGHT, models=5, files=5)
    battle = begun(scene, dice=[6, 1, 1, 1, 1])
    assert rolls(battle, "wap.combat.wound.roll", unit) == [3]
    assert not [event for event in told(battle, "wap.shoot.save.roll") if event["unit"] == cannon.row]


KNIGHTS: dict[str, Any] = {
    "type": "cavalry",
    "base_mm": [25, 50],
    "equipment": ["hand weapon", "lance"],
    "rules": ["Devastating Charge"],
    "mount": {"m": 8, "ws": 3, "bs": 0, "s": 3, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 5},
}


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.no-charge-bonus")
@pytest.mark.parametrize("on_machine", [True, False])
def test_no_bonus_of_a_charge_on_a_machine(player: int, on_machine: bool) -> None:
    """Lances, impact hits, Devastating Charge and Initiative bring nothing; against men they do."""
    scene = RegimentScene()
    card = machine(i=1, t=4) if on_machine else square(i=1, t=4)
    target = scene.unit(player, card, (24, 24), models=1 if on_machine else 3, files=1 if on_machine else 3)
    unit = scene.beside(target, 1 - player, square(**KNIGHTS), models=3, files=3, charging=1, did=CHARGED)
    battle = begun(scene, dice=[1] * 60)
    assert bool(told(battle, "wap.special.impact-hits.number")) is not on_machine
    blows = [event for event in told(battle, "wap.combat.hit.roll") if event["unit"] == unit.row]
    assert max(event["amount"] for event in blows) == (3 if on_machine else 6)
    steps = [event["initiative"] for event in told(battle, "wap.combat.order.initiative")]
    assert max(steps) == (3 if on_machine else 6)
    score = next(event for event in told(battle, "wap.result.state") if event["unit"] == unit.row)
    assert score["charge"] == (0 if on_machine else 1)


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.no-charge-bonus")
def test_lances_are_no_stronger_against_a_machine(player: int) -> None:
    """S 3 riders wound T 4 crew on 5+, not on 3+ as with the lance's bonus."""
    scene, cannon = scene_with(player, machine(i=1, t=4, crew=6))
    unit = scene.beside(cannon, 1 - player, square(**KNIGHTS), models=3, files=3, charging=1, did=CHARGED)
    battle = begun(scene, dice=[6, 6, 6, 1, 1, 1] + [1] * 30)
    assert 5 in rolls(battle, "wap.combat.wound.roll", unit)
    assert 3 not in rolls(battle, "wap.combat.wound.roll", unit)


# ---------------------------------------------------------------- the result and after


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.no-flank")
def test_a_machine_has_no_rear(player: int) -> None:
    """Ten that charged from behind have 1 for the wound and 1 for Unit Strength."""
    scene, cannon = scene_with(player, machine(i=1, ld=10))
    unit = scene.beside(cannon, 1 - player, square(i=3), side=REAR, models=10, files=10, charging=1, did=CHARGED)
    battle = begun(scene, dice=[6, 1, 1, 1, 1, 1, 6, 1, 1, 1, 1])
    scores = next(event for event in told(battle, "wap.result.sum") if event["player"] == 1 - player)
    named = {name: scores[name] for name in ("wounds", "charge", "ranks", "outnumber", "arcs")}
    assert named == {"wounds": 1, "charge": 0, "ranks": 0, "outnumber": 1, "arcs": 0}
    assert unit.row in [event["unit"] for event in told(battle, "wap.result.state")]


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.wins")
def test_a_machine_that_wins_stays(player: int) -> None:
    """Two of two attackers' friends fall, the last breaks: no test to restrain, nobody pursues."""
    scene, cannon = scene_with(player, machine(i=6, ws=10, s=10, crew=6))
    unit = scene.beside(cannon, 1 - player, square(ld=2), side=RIGHT, models=5, files=5)
    battle = begun(scene, dice=[6, 6, 1, 1, 1, 1, 6, 6, 1, 1, 1, 6, 6, 3, 3])
    assert battle.units.fleeing[unit] or battle.units.place[unit] == DESTROYED
    assert [event["unit"] for event in told(battle, "wap.machine.combat.wins")] == [cannon.row]
    assert not told(battle, "wap.pursuit.restrain-test")
    assert not told(battle, "wap.pursuit.pursuit-roll")
    assert (battle.units.x[cannon], battle.units.y[cannon]) == (24, 24)


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.combat.loses", "wap.machine.forced-to-flee")
def test_a_machine_that_breaks_is_destroyed(player: int) -> None:
    """Ld 7 beaten by 3 (a wound, a rank, Unit Strength): 8 is more than 4. No dice for flight or pursuit are rolled,
    and the chargers may overrun.
    """
    scene, cannon = scene_with(player, machine(i=1, ld=7))
    unit = scene.beside(cannon, 1 - player, square(i=3), side=RIGHT, models=10, files=5, charging=1, did=CHARGED)
    dice = [6, 1, 1, 1, 1, 1, 6, 1, 1, 4, 4]
    battle = begun(scene, dice=dice, turn=1, player=1 - player)
    assert battle.units.place[cannon] == DESTROYED
    assert [event["unit"] for event in told(battle, "wap.machine.forced-to-flee")] == [cannon.row]
    assert not told(battle, "wap.pursuit.flee-roll")
    assert not told(battle, "wap.pursuit.pursuit-roll")
    assert kind(battle) == "after-victory"
    offered = " / ".join(words(battle).values())
    assert "overruns" in offered and "reforms" in offered, offered
    assert dice_left(battle) == 0
    assert battle.units.place[unit] == ON_TABLE


@pytest.mark.rule("wap.machine.combat.loses")
@pytest.mark.parametrize(("dice", "stands"), [((1, 3), True), ((1, 4), False)])
def test_the_penalty_counts(dice: tuple[int, int], stands: bool) -> None:
    """Ld 7 beaten by 3 (a wound, a rank, Unit Strength): a roll of 4 holds, 5 does not."""
    scene, cannon = scene_with(1, machine(i=1, ld=7))
    scene.beside(cannon, 0, square(i=3), side=RIGHT, models=10, files=5)
    battle = begun(scene, dice=[6, 1, 1, 1, 1, 1, 6, 1, 1, *dice])
    assert (battle.units.place[cannon] == ON_TABLE) is stands
