"""Pursuits into new enemies, played on to the blows that follow."""

from __future__ import annotations

from typing import Any

import pytest
from arming import HORSE
from charging import BOWS, charge, facing_off

from wh_env import Battle
from wh_env.rulesets.wap.basics.contacts import foes_of
from wh_env.rulesets.wap.codes import CHARGED, RIGHT
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told
from wh_env.testing.wap import WEST, RegimentScene, UnitHandle, fought, other_combats, square

TERRIBLE = square(rules=["Terror"])
# Strength 3 on horses of Strength 3: 5 with the lance in a charge, impact hits of 3
LANCERS: dict[str, Any] = square(
    type="cavalry",
    base_mm=[25.4, 50.8],
    mount=HORSE,
    equipment=["hand weapon", "lance"],
    rules=["Impact Hits (1)"],
    i=3,
)
TOUGH = square(t=5, i=3, ld=10)
TERROR = "wap.special.terror.charged"
SUM, WOUND, NUMBER = "wap.result.sum", "wap.combat.wound.roll", "wap.combat.attacks.number"


def newest(battle: Battle, rule: str, known: int = 0) -> list[dict[str, Any]]:
    """What was told by a rule after the first ``known`` events."""
    return [event.data for event in battle.events[known:] if event.rule == rule]


def wounding(battle: Battle, unit: UnitHandle, target: UnitHandle, known: int) -> list[int]:
    """What the dice to wound of a unit needed against another, one blow after the other."""
    return [
        data["needed"]
        for data in newest(battle, WOUND, known)
        if (data["unit"], data["target"]) == (unit.row, target.row)
    ]


@pytest.mark.rule("wap.pursuit.new-enemy.no-reaction")
def test_archers_before_a_terrible_pursuer_neither_shoot_nor_flee_nor_test() -> None:
    scene = RegimentScene((60, 60))
    a = scene.unit(0, TERRIBLE, (24, 20), models=10, files=5)
    b = scene.beside(a, 1, models=4, files=4)
    e = scene.unit(1, BOWS, (24, 25), models=10, files=5)
    other_combats(scene)
    # b is caught and gone; six dice are left for shots or tests
    battle = scene.battle("combat", dice=[1, 1, 2, 6, *([6] * 6)], detail="full", set_state=fought(won=[a], broken=[b]))
    pick(battle, "pursues")
    assert foes_of(battle, a.row) == [e.row] and not battle.units.fleeing[e]
    assert kind(battle) == "choose-combat" and dice_left(battle) == 6
    assert battle.units.alive[a] == 10 and not told(battle, TERROR)
    # the same enemies in the Movement phase: they test, and who passes may do what he likes
    scene, unit, foe = facing_off(6.0, card=TERRIBLE, foe=BOWS)
    battle = scene.battle("movement", dice=[1, 1], detail="full")
    charge(battle, unit, foe)
    assert told(battle, TERROR) and kind(battle) == "charge-reaction" and len(slots(battle, "option")) > 1


def arrived(friend: bool = False, dice: tuple[int, ...] = ()) -> tuple[Battle, list[UnitHandle]]:
    """Lancers of player 0 pursue into ``e`` in his turn; the next turn comes, in which ``f`` may charge their flank."""
    scene = RegimentScene((60, 60))
    a = scene.unit(0, LANCERS, (24, 20), models=5, files=5)
    b = scene.beside(a, 1, models=4, files=4)
    e = scene.unit(1, TOUGH, (24, 25), models=20, files=5)
    units = [a, e]
    if friend:
        units.append(scene.unit(1, LANCERS, (36, 24), models=5, files=5, facing=WEST))
    battle = scene.battle("combat", dice=[1, 1, 2, 6, *dice], set_state=fought(won=[a], broken=[b]))
    pick(battle, "pursues")
    return battle, units


@pytest.mark.rule("wap.pursuit.new-enemy.counts-charging", "wap.pursuit.new-enemy.next-phase")
def test_who_came_by_a_pursuit_charges_in_the_next_phase_and_in_no_later_one() -> None:
    impact, riders, horses, theirs = [1] * 5, [6] * 5 + [1] * 5, [1] * 5, [1] * 10
    battle, (a, e) = arrived(dice=(*impact, *riders, *horses, *theirs, 1, 1))
    assert battle.clock.turn[0] == 1
    [hits] = newest(battle, "wap.special.impact-hits.number")
    assert (hits["unit"], hits["amount"]) == (a.row, 5)
    # impact hits of Strength 3, riders of 5 against Toughness 5
    assert wounding(battle, a, e, 0) == [6, 4]
    steps = [data["initiative"] for data in newest(battle, "wap.combat.order.initiative")]
    assert steps[1:] == [4, 3]  # the horses, of Initiative 3, before enemies of 3
    assert [data["charge"] for data in newest(battle, SUM)] == [1, 0]
    assert battle.units.fights[a] and not battle.units.charging[a]


@pytest.mark.rule("wap.pursuit.new-enemy.both-charging")
def test_who_came_by_a_pursuit_and_who_charges_him_then_both_charge() -> None:
    battle, (a, e, f) = arrived(friend=True)
    assert kind(battle) == "declare-charge" and battle.clock.turn[0] == 1
    # the charge; impact hits of f, then of a; the riders of f, then of a; no blow wounds
    script(battle, [6, 6, 6, *[1] * 4, *[1] * 5, *[6] * 4, *[1] * 4, *[6] * 5, *[1] * 5, *[1] * 30])
    charge(battle, f, a)
    assert battle.units.charging[a] == battle.units.charging[f] == 1
    while kind(battle) in ("strike-target", "strike-share"):
        battle.apply(battle.first_legal())
    assert {(data["unit"], data["targets"]) for data in newest(battle, "wap.special.impact-hits.number")} == {
        (a.row, (e.row,)),
        (f.row, (a.row,)),
    }
    assert wounding(battle, a, e, 0) == [6, 4] and wounding(battle, f, a, 0) == [4, 2]
    assert [data["charge"] for data in newest(battle, SUM)] == [1, 1]


@pytest.mark.rule("wap.pursuit.new-enemy.fight-again")
def test_a_pursuer_strikes_again_in_the_same_phase_with_the_bonuses_of_a_charge() -> None:
    """``a`` beats ``b`` and pursues into ``d``, which ``c`` fights in a combat that is still to come."""
    scene = RegimentScene((60, 60))
    a = scene.unit(0, None, (24, 20), models=10, files=5, charging=1, did=CHARGED)
    b = scene.beside(a, 1, models=5)
    d = scene.unit(1, square(ld=10), (24, 26), models=20, files=5)
    c = scene.beside(d, 0, side=RIGHT, models=5)
    battle = scene.battle("combat")
    # four fall, one strikes in vain and breaks; it is caught; then nobody hits
    script(battle, [6] * 10 + [6] * 4 + [1] * 6 + [1] + [1, 1, 2, 6] + [1] * 30)
    choose(battle, "own", a.number)
    assert kind(battle) == "pursue"
    known = len(battle.events)
    pick(battle, "pursues")
    while kind(battle) in ("strike-target", "strike-share"):
        battle.apply(battle.first_legal())
    assert not battle.units.alive[b] and foes_of(battle, d.row) == [a.row, c.row]
    assert battle.clock.turn[0] == 0  # still this phase
    [fought_again] = newest(battle, "wap.combat.phase.sequence", known)[:1]
    assert set(fought_again["units"]) == {a.row, c.row, d.row}
    assert (a.row, (d.row,), 5) in [(n["unit"], n["targets"], n["amount"]) for n in newest(battle, NUMBER, known)]
    scores = newest(battle, SUM, known)
    assert [data["charge"] for data in scores[:2]] == [1, 0]
