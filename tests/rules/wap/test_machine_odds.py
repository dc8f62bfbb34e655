"""The distribution of an assault of a war machine, against rolled rounds; what appraisers make of machines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.machine_scenes import Range
from tests.machines import machine
from wh_env import Battle
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.combat.close_combat import begin_combat
from wh_env.rulesets.wap.combat.impact_hits import ImpactHits
from wh_env.rulesets.wap.combat.machine_assault import choose
from wh_env.rulesets.wap.combat.strikes import Strikes
from wh_env.rulesets.wap.shooting.machine_ways import DIRECT
from wh_env.rulesets.wap.view.appraise_combat import worth_of_charge
from wh_env.rulesets.wap.view.appraise_machines import worth_of_machine
from wh_env.rulesets.wap.view.odds import round_odds
from wh_env.testing.play import play_until
from wh_env.testing.wap import NORTH, PLAIN, SOUTH, RegimentScene, UnitHandle, square

ROUNDS = 400


def assaulted(
    card: dict[str, Any], attackers: dict[str, Any], models: int, **fields: Any
) -> tuple[Battle, UnitHandle, UnitHandle]:
    scene = RegimentScene()
    cannon = scene.unit(0, card, (24, 24), facing=NORTH, models=1)
    unit = scene.beside(cannon, 1, attackers, side=FRONT, models=models, files=min(models, 5), **fields)
    return scene.battle("combat", run=False), cannon, unit


@pytest.mark.parametrize(
    ("card", "attackers", "models", "group", "fields"),
    [
        (machine(i=5, t=4), square(i=3), 10, 6, {}),
        (machine(i=2), square(i=4, a=2), 4, 4, {"command": ["champion"]}),
        ({**machine(crew=2, i=6, ws=4), "crew": {**PLAIN, "ws": 5, "i": 6, "a": 2}}, square(i=3, t=4), 8, 6, {}),
        (machine(i=1), square(type="cavalry", rules=["Devastating Charge"], i=4), 5, 3, {"charging": 1}),
    ],
)
def test_the_distribution_is_that_of_rolled_rounds(
    card: dict[str, Any], attackers: dict[str, Any], models: int, group: int, fields: dict[str, Any]
) -> None:
    battle, cannon, unit = assaulted(card, attackers, models, **fields)
    expected = round_odds(battle, cannon.row, unit.row).means
    lost = np.zeros(2)
    for seed in range(ROUNDS):
        played = battle.clone()
        played._seed(seed)
        lost += rolled(played, cannon, unit, group)
    assert lost / ROUNDS == pytest.approx(np.array(expected), abs=0.2)


def rolled(battle: Battle, cannon: UnitHandle, unit: UnitHandle, group: int) -> np.ndarray:
    before = wounds_of(battle, cannon.row), wounds_of(battle, unit.row)
    while battle.clock.depth[0]:
        battle.pop()
    choose(battle, cannon.row, unit.row, group, led=bool(unit.regiment.command))
    begin_combat(battle, unit.row)
    battle.push(Strikes)
    battle.push(ImpactHits)
    battle.run()
    play_until(battle)
    return np.array([before[0] - wounds_of(battle, cannon.row), before[1] - wounds_of(battle, unit.row)])


def test_a_charge_on_a_weak_machine_is_worth_it() -> None:
    """Ten knights expect more of a machine's crew than the crew of them; flanks and lances change nothing."""
    scene = RegimentScene()
    cannon = scene.unit(0, machine(points=100), (24, 24), facing=NORTH, models=1)
    unit = scene.unit(1, square(ws=4, s=4, points=10), (24, 34), facing=SOUTH, models=10, files=5)
    battle = scene.battle("movement", player=1, run=False)
    worth = [worth_of_charge(battle, unit.row, cannon.row, side) for side in range(4)]
    assert min(worth) > 0
    assert worth == pytest.approx([worth[0]] * 4)


@pytest.mark.parametrize("weapon", ["cannon", "stone thrower", "fire thrower"])
def test_a_shot_at_a_garrison_is_worth_a_die_of_hits(weapon: str) -> None:
    """A garrison takes 3.5 hits on average where a lone model takes one. The machine costs no points, so misfires cost
    none.
    """
    worth = []
    for held in (False, True):
        place = Range(0, weapon, points=0)
        if held:
            place.area("building", 22.5, 21.5, 27.5, 26.5, storeys=2)
            target = place.garrison(False, square(points=10), models=8)
        else:
            target = place.enemy(square(points=10), (22.5, 24))
        battle = place.battle(run=False)
        worth.append(worth_of_machine(battle, place.machine.row, DIRECT, target.row))
    assert worth[0] > 0 and worth[1] == pytest.approx(3.5 * worth[0])
