"""What is kept while charges are declared, and when it is forgotten; columns looked through; the cells where a unit may be deployed."""

from __future__ import annotations

import numpy as np
import pytest
from charging import HOLD, charge, chargers, react

from wh_env import Battle
from wh_env.agents.policies import RandomPolicy
from wh_env.rulesets.wap.basics.blocks import block_parts, set_block
from wh_env.rulesets.wap.basics.room import in_zone, may_stand
from wh_env.rulesets.wap.basics.rows import rows_in_use, rows_with
from wh_env.rulesets.wap.charge.targets import has_place
from wh_env.rulesets.wap.deployment.drops import Drop, facing_of
from wh_env.rulesets.wap.deployment.setting_up import window, zone_of
from wh_env.testing import kind
from wh_env.testing.wap import RegimentScene


def test_places_of_charges_are_known_until_somebody_stands_elsewhere() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (12, 12), models=10, files=5)
    b = scene.unit(0, None, (32, 12), models=10, files=5)
    x = scene.unit(1, None, (12, 19), models=10, files=5)
    y = scene.unit(1, None, (32, 19), models=10, files=5)
    battle = scene.battle("movement")
    assert chargers(battle) == [a.number, b.number]
    before = battle.work.aims.of(battle)
    charge(battle, a, x)
    react(battle, HOLD)
    assert kind(battle) == "declare-charge"
    after = battle.work.aims.of(battle)
    assert after is not before and after.places is before.places and after.seen is before.seen
    assert {unit for unit, *_ in after.places} == {a.row, b.row}
    assert all(fits == has_place(battle, *key) for key, fits in after.places.items())
    u = battle.units
    set_block(battle, y.row, u.x[y.row], u.y[y.row] + 0.25, u.facing[y.row], u.files[y.row])
    assert not battle.work.aims.of(battle).places and not battle.work.aims.of(battle).reach


def test_what_is_known_of_one_battle_is_not_asked_by_another() -> None:
    setup = Battle.load("wap/open-skirmish", 1).setup
    battles = [Battle(setup, seed) for seed in (1, 2)]
    policies = [RandomPolicy(seed) for seed in (1, 2)]
    for _ in range(150):
        for battle, policy in zip(battles, policies, strict=True):
            if not battle.over:
                battle.apply(policy.act(battle, battle.legal()))
    for battle in battles:
        known = battle.work.aims.of(battle)
        assert all(fits == has_place(battle, *key) for key, fits in known.places.items())


@pytest.mark.parametrize("seed", range(5))
def test_rows_are_found_by_column(seed: int) -> None:
    chance = np.random.default_rng(seed)
    rows = np.zeros(40, [("before", "i4"), ("unit", "i4")])
    rows["unit"] = chance.integers(-1, 4, 40) if seed else -1
    column = memoryview(rows["unit"])
    for value in range(-1, 5):
        assert rows_with(column, value) == [k for k in range(40) if column[k] == value]
    assert rows_in_use(column) == [k for k in range(40) if column[k] >= 0]


@pytest.mark.rule("wap.battle.deploy.spacing", "wap.scenario.battleline.deployment")
@pytest.mark.parametrize(("name", "seed"), [("open-field", 3), ("open-heroes", 4)])
def test_cells_of_a_zone_are_those_where_the_block_may_stand(name: str, seed: int) -> None:
    battle, policy, asked = Battle.load(f"wap/{name}", seed), RandomPolicy(seed), 0
    setup, block = battle.setup, battle.work.block
    while battle.clock.round[0] == 0:
        if kind(battle) == "deploy-to":
            f = battle.frame
            unit, files, facing = battle.stack[f + Drop.UNIT], battle.stack[f + Drop.FILES], facing_of(battle, f)
            x0, y0, step_x, step_y = window(battle, unit)
            zone, grid = zone_of(battle, battle.units.owner[unit]), setup.space.grid
            cells = battle.legal()[setup.space.cell : setup.space.angle]
            for cell in range(grid * grid):
                x, y = x0 + cell % grid * step_x, y0 + cell // grid * step_y
                block_parts(battle.units.rows, unit, x, y, facing, files, block, 0)
                fine = in_zone(block, zone) and may_stand(
                    battle.troops,
                    setup.statics["ground"],
                    setup.corners,
                    setup.length,
                    setup.width,
                    unit,
                    x,
                    y,
                    facing,
                    files,
                    setup.rules["one_inch"],
                    block,
                )
                assert cells[cell] == fine
            asked += 1
        battle.apply(policy.act(battle, battle.legal()))
    assert asked > 5
