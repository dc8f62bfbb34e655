"""What the appraisal of the 10th edition says of places, against the same sums written out with arrays."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle
from wh_env.agents.policies import make
from wh_env.rulesets.w40k.profiles import WeaponAbility
from wh_env.rulesets.w40k.view.appraise import ADVANCE, FALL_BACK, NORMAL, STATIONARY, EditionAppraiser, Table
from wh_env.testing import Scene, melee, ranged, sheet

GUNS = sheet("Guns", W=2, weapons={"gun": ranged(18, A=2, BS=3, S=5, AP=-1, D=1), "butt": melee(A=1, WS=4, S=4)})


def expected(appraiser, battle, unit, xs, ys, moved):
    """Points of each place: markers, the best target now and later, the best fight, a quarter of what comes back."""
    table, player = Table(battle), battle.units.owner[unit]
    enemies = np.flatnonzero(table.here & (table.owner != player))
    move = max(1.0, min(battle.models.move[k] for k in battle.members(unit)))
    worths = [np.zeros(len(xs))]
    for marker in battle.objectives.rows:
        if not marker["placed"]:
            continue
        reach = 3.0 + marker["radius"]
        near = table.here & (np.hypot(table.x - marker["x"], table.y - marker["y"]) - table.size <= reach)
        near[unit] = False
        mine, theirs = (table.control[near & (table.owner == p)].sum() for p in (player, 1 - player))
        worth = 0.2 if mine > theirs else 1.0 if mine + table.control[unit] > theirs else 0.45
        away = np.hypot(xs - marker["x"], ys - marker["y"]) - 0.7 * table.size[unit] - reach
        worths.append(70.0 * worth * 0.6 ** (np.maximum(0.0, away) / move))
    total = np.max(worths, axis=0)
    apart = np.hypot(xs[:, None] - table.x[enemies], ys[:, None] - table.y[enemies])
    apart = np.maximum(0.0, apart - table.size[unit] - table.size[enemies])
    weapons, _ = appraiser.ranged(battle, unit)
    volleys = appraiser.volleys(battle, unit, enemies)
    reach, abilities = battle.setup.statics["weapons"]["range"], battle.setup.statics["weapons"]["abilities"]
    if len(weapons):
        fired = (apart[:, :, None] <= reach[weapons]) & (moved != FALL_BACK)
        if moved == ADVANCE:
            fired &= (abilities[weapons] & np.uint64(int(WeaponAbility.ASSAULT))) != 0
        total = total + np.einsum("cew,we->ce", fired, volleys).max(axis=1)
        later = 0.6 ** (np.maximum(0.0, apart - reach[weapons].max()) / move)
        total += 0.35 * (volleys.sum(axis=0) * later).max(axis=1)
    strikes = np.array([appraiser.melee(battle, unit, e) for e in enemies.tolist()])
    blows = np.array([appraiser.melee(battle, e, unit) for e in enemies.tolist()])
    gain = np.maximum(0.0, strikes - 0.5 * blows)
    fight = 0.35 * gain * 0.6 ** (np.maximum(0.0, apart - 8.0) / move)
    if moved not in (ADVANCE, FALL_BACK):
        two_dice = [sum(a + b >= n for a in range(1, 7) for b in range(1, 7)) / 36 for n in range(14)]
        needed = np.clip(np.ceil(apart - 1.0), 2, 13).astype(int)
        fight = np.maximum(fight, np.where(apart <= 12.0, np.take(two_dice, needed), 0.0) * gain)
    total = total + fight.max(axis=1)
    for n, e in enumerate(enemies.tolist()):
        speed = battle.models.move[next(battle.members(e))]
        danger = np.where(apart[:, n] <= speed + 7.0, blows[n], 0.0)
        armed, _ = appraiser.ranged(battle, e)
        for weapon, shots in zip(armed, appraiser.volleys(battle, e, np.array([unit]))[:, 0], strict=True):
            danger = danger + np.where(apart[:, n] <= reach[weapon] + 6.0, shots, 0.0)
        total -= 0.25 * danger
    return total


@pytest.mark.parametrize("decisions", [40, 90, 150])
def test_places_are_worth_what_the_sums_say(decisions):
    battle, guide = Battle.load("w10/only-war-skirmish", decisions), make("greedy")
    for _ in range(decisions):
        battle.apply(guide.act(battle, battle.legal()))
    appraiser, rng, table = EditionAppraiser(battle.setup), np.random.default_rng(decisions), Table(battle)
    units = np.flatnonzero(table.here).tolist()
    assert len(units) >= 6
    for unit in units:
        xs, ys = rng.uniform(0, battle.setup.length, 80), rng.uniform(0, battle.setup.width, 80)
        for moved in (STATIONARY, NORMAL, ADVANCE, FALL_BACK):
            values = appraiser.place_values(battle, table, unit, xs, ys, moved=moved)
            assert values == pytest.approx(expected(appraiser, battle, unit, xs, ys, moved), abs=1e-9)


def test_a_unit_that_was_asked_about_in_reserve_has_its_weapons_when_it_arrives():
    scene = Scene()
    scene.unit(0, GUNS, at=[(20, 20), (22, 20)])
    scene.unit(1, GUNS, at=[(30, 20), (32, 20)])
    battle = scene.battle("shooting", round=2)
    appraiser = EditionAppraiser(battle.setup)
    away = battle.clone()
    away.models.rows["on_table"][:2] = 0
    away.units.place[0] = 0
    assert len(appraiser.ranged(away, 0)[0]) == 0
    weapons, counts = appraiser.ranged(battle, 0)
    assert len(weapons) == 1 and counts.tolist() == [2.0]
