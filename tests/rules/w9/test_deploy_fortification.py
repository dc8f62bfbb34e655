"""Fortifications: terrain that is part of an army (w9.deploy.fortification.*, w9.army.fortifications)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.core.geometry.shapes import polygon_gap_at
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.w40k.deploy.fortifications import terrain_features
from wh_env.testing import apart, choose, kind, play_until, sheet, slots, told

FORT = {"keywords": ("FORTIFICATION", "VEHICLE"), "M": 0, "W": 12, "T": 8, "height": 3}


def bunker(name="Bunker", **fields):
    return sheet(name, base_mm=76.2, models=(1, 3), **{**FORT, **fields})


def mirrored(player, y0, y1):
    return (y0, y1) if player == 0 else (44 - y1, 44 - y0)


def deploying(player=0, detail="squad", *, terrain=(), models=1, more=(), depth=10, data=None, **rules):
    """Fortifications of a player that are to be deployed; ``terrain``: kind and box of each feature, as player 0 would see it."""
    scene = NinthScene(zone_depth=depth)
    fort = scene.unit(player, data or bunker(), models=models, place="deploy")
    for each in more:
        scene.unit(player, each, place="deploy")
    scene.unit(1 - player, sheet("Foe"), place="deploy")
    for kind_of, x0, y0, x1, y1 in terrain:
        low, high = mirrored(player, y0, y1)
        scene.area(kind_of, x0, low, x1, high, 4.0)
    # player 0 has the first zone, whoever is asked first
    return scene.battle("mission", attacker=0, detail=detail, rules=rules), fort


def until(battle, unit):
    """Up to the decision where the unit is set up."""
    for _ in range(200):
        if battle.decision is None or (
            battle.decision.subject == unit.row and kind(battle) in ("deploy-to", "place-model")
        ):
            return
        battle.apply(battle.first_legal())


def outcomes(battle):
    for cell in slots(battle, "cell"):
        trial = battle.clone()
        choose(trial, "cell", cell)
        if kind(trial) == "place-exactly":
            trial.apply(trial.first_legal())
        yield trial


def gap_to(battle, model, feature):
    m, row = battle.models, battle.setup.features[feature]
    x, y, facing = m.x[model], m.y[model], m.facing[model]
    return float(polygon_gap_at(m.rows, model, x, y, facing, battle.setup.corners, row["first"], row["count"]))


@pytest.mark.rule("w9.deploy.fortification")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("kind_of", "least"), [("woods", 3.0), ("ruins", 3.0), ("crater", 3.0), ("hill", 0.0)])
def test_more_than_three_inches_from_terrain_but_hills(player, detail, kind_of, least):
    battle, fort = deploying(player, detail, terrain=[(kind_of, 25, 2, 33, 8)])
    until(battle, fort)
    gaps = [gap_to(trial, fort.first, 0) for trial in outcomes(battle)]
    assert gaps
    assert least < min(gaps) < least + 1.5 if least else min(gaps) < 1


@pytest.mark.rule("w9.deploy.fortification")
def test_units_of_other_roles_stand_there():
    walker = sheet("Walker", base_mm=76.2, keywords=("VEHICLE",), W=12, height=3)
    battle, unit = deploying(terrain=[("woods", 25, 2, 33, 8)], data=walker)
    until(battle, unit)
    assert min(gap_to(trial, unit.first, 0) for trial in outcomes(battle)) < 1


@pytest.mark.rule("w9.deploy.fortification")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_parts_of_the_same_datasheet_stand_together_another_fortification_does_not(player, detail):
    """Two parts of one Fortification within 2" of each other; a second Fortification is more than 3" away from both."""
    battle, fort = deploying(player, detail, models=2, more=[bunker("Tower")])
    until(battle, fort)
    while battle.units.place[fort] != ON_TABLE:
        battle.apply(battle.first_legal())
    assert apart(battle, fort.first, fort.first + 1) <= 2
    assert terrain_features(battle)[1] == [fort.row]
    tower = fort.row + 1
    for _ in range(50):
        if battle.decision.subject == tower:
            break
        battle.apply(battle.first_legal())
    gaps = [min(apart(trial, fort.first + 2, fort.first + k) for k in (0, 1)) for trial in outcomes(battle)]
    assert 3 < min(gaps) < 4.5


@pytest.mark.rule("w9.deploy.fortification.impossible")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("kind_of", "fits"), [("woods", False), ("hill", True)])
def test_where_no_place_is_left_it_counts_as_destroyed(player, detail, kind_of, fits):
    """Features every 5" along the zone: no point of it is more than 3" from all of them."""
    terrain = [(kind_of, x, 4.5, x + 0.5, 5.5) for x in range(2, 60, 5)]
    battle, fort = deploying(player, detail, terrain=terrain, more=[sheet("Watch")], vp_each_unit_destroyed=2)
    vp = battle.players.vp[1 - player]
    play_until(battle, "move-kind")
    assert battle.units.place[fort] == (ON_TABLE if fits else DESTROYED)
    assert (battle.units.alive[fort], battle.models.alive[fort.first]) == ((1, 1) if fits else (0, 0))
    assert battle.players.vp[1 - player] - vp == (0 if fits else 2)
    assert len(told(battle, "w9.deploy.fortification.impossible")) == (0 if fits else 1)


@pytest.mark.rule("w9.army.fortifications")
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_and_a_terrain_feature(player):
    """An army of four units, one a Fortification, on a battlefield with six features: four units and seven features."""
    scene = NinthScene()
    for number in range(6):
        scene.area("woods", 5 + 9 * number, 20, 8 + 9 * number, 24, 4.0)
    fort = scene.unit(player, bunker(), at=(30, 6))
    for number in range(3):
        scene.unit(player, sheet(f"Squad {number}"), at=(5 + 10 * number, 10), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(50, 40))
    battle = scene.battle("movement")
    assert len(battle.units_of(player)) == 4
    features, units = terrain_features(battle)
    assert (len(features), units) == (6, [fort.row])
    battle.models.on_table[fort.first] = 0
    battle.units.place[fort] = DESTROYED
    assert terrain_features(battle) == (features, [])


@pytest.mark.rule("w9.deploy.fortification", "w9.deploy.zone.large-models")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_wide_one_keeps_away_too(detail):
    """Parts of 6" by 6" on a base of 3": they stay over the zone, and the base more than 3" away from a wood."""
    battle, fort = deploying(0, detail, terrain=[("woods", 25, 2, 33, 8)], data=bunker(span_in=(6, 6)))
    until(battle, fort)
    found = [(gap_to(trial, fort.first, 0), trial.models.y[fort.first]) for trial in outcomes(battle)]
    assert found
    assert min(gap for gap, _ in found) > 3
    assert all(3 - 1e-3 <= y <= 7 + 1e-3 for _, y in found)
