"""Charges where one rule meets another: who has nobody left to fight, terror of many, flights and deaths between a declaration and its move."""

from __future__ import annotations

import pytest
from charging import HOLD, charge, over, react

from wh_env.core.validation import Validator
from wh_env.envs.observation import Observer
from wh_env.envs.observation_fields import column_of
from wh_env.rulesets.wap.basics.contacts import foes_of
from wh_env.rulesets.wap.basics.declared_charges import dares_not
from wh_env.rulesets.wap.casualties.removing import remove_unit
from wh_env.testing import choose, kind, pick, script, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, square

SUM = "wap.result.sum"
TERRIBLE = square(rules=["Terror"])


# ---------------------------------------------------------------- who has charged and fights nobody


@pytest.mark.parametrize("how", ["runs down", "vanishes"])
@pytest.mark.rule("wap.result.charge", "wap.combat.order.charge-bonus", "wap.special.impact-hits.when")
def test_a_charge_that_ends_with_nobody_counts_for_nothing_when_an_enemy_charges_next(how: str) -> None:
    """Horses run fleers down, or see their target vanish in the Magic phase. In the next turn they are charged: only their enemy counts as charging."""
    scene = RegimentScene()
    horse = {"m": 8, "ws": 3, "bs": 0, "s": 3, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 5}
    card = square(type="cavalry", mount=horse, base_mm=[25.4, 50.8], ld=10)
    unit = scene.unit(0, card, (24, 12), models=5, files=5)
    prey = scene.unit(
        1, None, (24, 18), models=10, facing=NORTH if how == "runs down" else SOUTH, fleeing=int(how == "runs down")
    )
    foe = scene.unit(1, square(ld=10), (24, 27), models=10, files=5)
    scene.unit(0, None, (4, 4), models=5)
    battle = scene.battle("movement", dice=[1, 1, 6, 6, 6, 6, 6] if how == "runs down" else [6, 6, 6])
    charge(battle, unit, prey)
    if kind(battle) == "charge-reaction":
        react(battle, HOLD)
    over(battle)
    if how == "vanishes":
        assert battle.units.charging[unit] == 1 and foes_of(battle, unit.row) == [prey.row]
        remove_unit(battle, prey.row)
        battle.run()
    while battle.clock.turn[0] == 0:
        if kind(battle) == "after-victory":
            pick(battle, "stays as it is")
        elif kind(battle) == "test-to-reform":
            choose(battle, "option", 0)
        else:
            battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert kind(battle) == "declare-charge" and not battle.units.alive[prey]
    assert battle.units.charging[unit] == 0
    script(battle, [6, 6] + [1] * 40)
    charge(battle, foe, unit)
    if kind(battle) == "charge-reaction":
        react(battle, HOLD)
    over(battle)
    while not told(battle, SUM):
        battle.apply(battle.first_legal())
    assert [note["charge"] for note in told(battle, SUM)[:2]] == [0, 1]
    assert not told(battle, "wap.special.impact-hits.number")


# ---------------------------------------------------------------- terror


@pytest.mark.parametrize("several", [3, 5])
@pytest.mark.rule("wap.special.terror.charging")
def test_as_many_as_like_may_fail_to_charge_as_many_terrible_enemies(several: int) -> None:
    """The most are more tests that are failed than there is room for charges: every unit may charge none of the enemies any more in this turn."""
    scene = RegimentScene((72, 48))
    units = [scene.unit(0, square(ld=2, m=10), (30 + 2.2 * n, 20), models=1, files=1) for n in range(several)]
    foes = [scene.unit(1, TERRIBLE, (25.5 + 1.8 * n, 29), models=1, files=1) for n in range(11)]
    battle = scene.battle("movement", dice=[6] * 200)
    tested = set()
    while kind(battle) == "declare-charge":
        own = slots(battle, "own")[0]
        choose(battle, "own", own)
        while kind(battle) == "charge-target":
            choose(battle, "enemy", slots(battle, "enemy")[0])
        assert Validator(battle.setup).fault(battle) is None
    for note in told(battle, "wap.special.terror.charging"):
        assert not note["passed"]
        tested.add(note["unit"])
    assert tested == {unit.row for unit in units}
    refused = {(unit.row, foe.row) for unit in units for foe in foes if dares_not(battle, unit.row, foe.row)}
    assert len(refused) == len(told(battle, "wap.special.terror.charging"))
    if several == 5:
        assert len(refused) > len(battle.charges.unit)


@pytest.mark.rule("wap.special.terror.charging")
def test_a_charge_that_a_unit_did_not_dare_is_not_shown_as_declared() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=2), (24, 12), models=5)
    foe = scene.unit(1, TERRIBLE, (20, 18), models=1, files=1)
    other = scene.unit(1, None, (28, 18), models=5)
    battle = scene.battle("movement", dice=[6, 6])
    charge(battle, unit, foe)
    assert dares_not(battle, unit.row, foe.row) and not dares_not(battle, unit.row, other.row)
    column, observer = column_of(battle.setup.ruleset, "relations", "charges"), Observer(battle.setup, "entities")
    seen = observer.observe(battle, 0)["relations"]
    assert [seen[0, n, column] for n in (0, 1)] == [0.0, 0.0]
    charge(battle, unit, other)
    seen = observer.observe(battle, 0)["relations"]
    assert [seen[0, n, column] for n in (0, 1)] == [0.0, 1.0]
