"""A charge of three dice is one number of an edition: rule, observations and the odds of policies follow it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from math import ceil

import numpy as np
import pytest

from wh_env import Battle
from wh_env.agents.policies.tactician_doctrine import place_gains
from wh_env.agents.policies.tactician_reading import Reader
from wh_env.agents.policies.tactician_value import threat
from wh_env.envs.observation import Observer
from wh_env.envs.observation_fields import PARTS, fields_of
from wh_env.rulesets.w8.ruleset import EighthEdition
from wh_env.rulesets.w9.ruleset import NinthEdition
from wh_env.rulesets.w10.ruleset import TenthEdition
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.view.appraise import EditionAppraiser, Table
from wh_env.rulesets.w40k.view.appraise_attacks import chance_to_charge
from wh_env.testing import Scene, melee, sheet

EDITIONS: dict[str, type[Edition]] = {"w8": EighthEdition, "w9": NinthEdition, "w10": TenthEdition}
MOVE, REACH = 4.0, 12.0
FIGHTERS = sheet("Fighters", M=MOVE, weapons={"axe": melee(3, WS=3, S=5, D=2)})
TARGETS = sheet("Targets", M=MOVE, T=3, Sv=6)
GAPS = (1.5, 3.25, 6.0, 7.5, 9.0, 10.75, 11.5)

both = pytest.mark.parametrize("dice", [2, 3])
every = pytest.mark.parametrize("name", EDITIONS)


@cache
def edition(name: str, dice: int, reach: float = REACH) -> Edition:
    """An edition with so many dice for a Charge roll and such a reach of charges (inches); None: its own numbers."""
    shipped = EDITIONS[name]
    numbers = replace(
        shipped.numbers,
        dice=replace(shipped.numbers.dice, charge=dice),
        charging=replace(shipped.numbers.charging, reach=reach),
    )
    return type("OfSoManyDice", (shipped,), {"numbers": numbers})()  # type: ignore[call-arg]


def at_least(dice: int, needed: float) -> float:
    """The chance that so many dice show at least that, all rolls counted."""
    rolls = list(product(range(1, 7), repeat=dice))
    return sum(sum(roll) >= needed for roll in rolls) / len(rolls)


def charge_chance(dice: int, gap: float, reach: float = REACH) -> float:
    """The chance of a charge over so many inches, to within 1 inch."""
    return at_least(dice, ceil(gap - 1.0)) if gap <= reach else 0.0


def facing(
    name: str, dice: int, gap: float, *, reach: float = REACH, player: int = 0, rolls: tuple[int, ...] = ()
) -> Battle:
    """The player's Charge phase: one model, and an enemy so many inches before it."""
    scene = Scene(size=(60, 44), edition=edition(name, dice, reach))
    scene.unit(player, FIGHTERS, at=(10, 22), name="Fighters")
    scene.unit(1 - player, TARGETS, at=(11 + gap, 22), name="Targets")
    return scene.battle("charge", active=player, dice=rolls)


def rolled(battle: Battle) -> tuple[int, bool]:
    """The Charge roll of the only unit, which declares a charge, and whether the charge succeeded."""
    while not any(event.kind in ("charges", "charge fails") for event in battle.events):
        declares = battle.decision.kind == "select-to-charge"
        battle.apply(battle.decision.options[-1 if declares else 0])
    roll = next(event.data["roll"] for event in battle.events if event.kind == "Charge roll")
    return roll, any(event.kind == "charges" for event in battle.events)


def relations(battle: Battle, seat: int, field: str) -> float:
    """A field of the relation of a seat's first unit to the other's, as observed."""
    column = [each.name for each in fields_of(battle.setup.ruleset, PARTS["relations"].fields)].index(field)
    return float(Observer(battle.setup, "entities").observe(battle, seat)["relations"][0, 0, column])


@every
@pytest.mark.parametrize("player", [0, 1])
def test_the_rule_rolls_three_dice(name: str, player: int) -> None:
    assert rolled(facing(name, 2, 10.5, player=player, rolls=(4, 5, 6))) == (9, False)
    assert rolled(facing(name, 3, 10.5, player=player, rolls=(4, 5, 6))) == (15, True)
    assert rolled(facing(name, 3, 10.5, player=player, rolls=(2, 1, 3))) == (6, False)


@every
@both
def test_observations_show_the_chance_of_these_dice(name: str, dice: int) -> None:
    for gap in (*GAPS, 0.5, 12.5, 30.0):
        expected = 0.0 if gap <= 1.0 else charge_chance(dice, gap)
        for seat in (0, 1):
            assert relations(facing(name, dice, gap), seat, "charge") == pytest.approx(expected), (gap, seat)


@every
@both
def test_greedy_counts_on_these_dice(name: str, dice: int) -> None:
    for gap in GAPS:
        battle = facing(name, dice, gap)
        values = battle.setup.ruleset.appraiser(battle.setup)
        assert isinstance(values, EditionAppraiser)
        worth = values.melee(battle, 0, 1)
        gain = min(worth, values.left(battle, 1)) - 0.6 * values.melee(battle, 1, 0)
        assert gain > 0.0
        assert values.charge_value(battle, 0, 1) == pytest.approx(charge_chance(dice, gap) * gain), gap
        assert chance_to_charge(battle, 0, 1) == pytest.approx(charge_chance(dice, gap)), gap
        foes = values.foes(battle, Table(battle), 0)
        assert foes.near.tolist() == [1.0, 3.5 * dice]
        assert foes.danger_reach.tolist() == [MOVE + 3.5 * dice]


@every
@both
def test_the_tactician_counts_on_these_dice(name: str, dice: int) -> None:
    for gap in GAPS:
        battle = facing(name, dice, gap)
        reader = Reader(battle.setup)
        seen = reader.read(battle, 0)
        left = max(0.0, gap - MOVE)
        chance = at_least(dice, max(0, ceil(left - 1.0 - 1e-3)))
        blows = float(seen.odds("own")[2][0, 0] * seen.enemy.points[0])
        assert blows > 0.0
        assert threat(seen, "own") == pytest.approx(chance * blows, rel=1e-4), gap
        assert reader.chances.charge_mean == 3.5 * dice


@every
def test_the_tactician_fears_who_can_charge_as_far_as_the_dice_go(name: str) -> None:
    """An enemy 12 inches away, which moves 4, comes as far as three dice show on average, and not as far as two do."""
    lost = {}
    for dice in (2, 3):
        scene = Scene(size=(60, 44), edition=edition(name, dice))
        scene.unit(0, TARGETS, at=(10, 22))
        scene.unit(1, FIGHTERS, at=(24, 22))
        battle = scene.battle("movement")
        seen = Reader(battle.setup).read(battle, 0)
        everything, markers, targets, *_ = place_gains(seen, 0, seen.own.x[:1], seen.own.y[:1])
        lost[dice] = float((markers + targets - everything)[0])
    assert lost[2] == pytest.approx(0.0)
    assert lost[3] > 0.0


@every
@both
@pytest.mark.parametrize("reach", [12.0, 18.0, 90.0])
def test_nothing_reads_outside_a_table(name: str, dice: int, reach: float) -> None:
    """However far a charge may be declared, what no dice can show has no chance."""
    for gap in (0.25, 5.5, 11.9, 12.1, 14.9, 17.9, 18.1, 19.1, 44.0):
        battle = facing(name, dice, gap, reach=reach)
        chance = charge_chance(dice, gap, reach)
        assert relations(battle, 0, "charge") == pytest.approx(chance if gap > 1.0 else 0.0), gap
        values = battle.setup.ruleset.appraiser(battle.setup)
        total = np.zeros(3)
        foes = values.foes(battle, Table(battle), 0)
        foes.worth(total, np.array([0.0, 10.0, 500.0]), np.full(3, 22.0), 0.5, 4.0, np.zeros(0, np.bool_), True)
        assert np.isfinite(total).all()
        assert 0.0 <= chance_to_charge(battle, 0, 1) <= 1.0
        assert (gap <= 6 * dice + 1.0) == (chance_to_charge(battle, 0, 1) > 0.0), gap
        reader = Reader(battle.setup)
        odds = reader.chances.reaches(np.array([-5.0, 0.0, gap, 6.0 * dice + 1.1, 500.0, np.inf]))
        assert odds[0] == odds[1] == 1.0 and not odds[3:].any()
        assert np.isfinite(threat(reader.read(battle, 0), "own"))


@every
def test_the_shipped_number_is_two(name: str) -> None:
    assert edition(name, 2).numbers == EDITIONS[name].numbers
