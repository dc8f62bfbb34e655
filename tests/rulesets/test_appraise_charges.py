"""What charges are worth to an appraiser, however many dice an edition rolls for them and however far its charges reach."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import ceil

import numpy as np
import pytest

from wh_env import Battle
from wh_env.content import w10
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w10.numbers import CHARGING, DICE, NUMBERS
from wh_env.rulesets.w10.ruleset import TenthEdition
from wh_env.rulesets.w40k.view.appraise import EditionAppraiser, Table
from wh_env.rulesets.w40k.view.appraise_attacks import apart, chance_to_charge
from wh_env.rulesets.w40k.view.appraise_places import LATER, NEXT_TURN, Foes

NOTHING, WHOLE = np.zeros(0), np.zeros(0, np.int64)


class FarEdition(TenthEdition):
    """The 10th edition with charges of three dice over 19 inches."""

    id = "far"
    numbers = replace(NUMBERS, charging=replace(CHARGING, reach=19.0), dice=replace(DICE, charge=3))


EDITIONS = {2: w10.GAME, 3: w10.fielded_alike(FarEdition())}


def at_least(dice: int, needed: int) -> float:
    """The chance that so many dice show at least that, all rolls counted."""
    rolls = list(product(range(1, 7), repeat=dice))
    return sum(sum(roll) >= needed for roll in rolls) / len(rolls)


def battle_of(dice: int, detail: str) -> Battle:
    """A battle of the edition that rolls so many dice, with everybody set up."""
    game = EDITIONS[dice]
    battle = Battle(game.compile(game.load("w10/only-war-skirmish", {"detail": detail}), None, None), 3)
    while not all(any(battle.units.place[u] == ON_TABLE for u in battle.units_of(player)) for player in (0, 1)):
        battle.apply(battle.decision.options[0])
    return battle


def lone_charge(own: Foes, away: float) -> float:
    """What a place so many inches from the only enemy is worth, for a fight that gains 100 points."""
    foe = replace(
        own, x=np.array([away]), y=np.zeros(1), size=np.zeros(1), gain=np.array([100.0]), danger_reach=np.zeros(1),
        danger=np.zeros(1), reach=NOTHING, volleys=np.zeros((0, 1)), assault=np.zeros(0, np.bool_), back_from=WHOLE,
        back_reach=NOTHING, back=NOTHING,
    )  # fmt: skip
    total = np.zeros(1)
    foe.worth(total, np.zeros(1), np.zeros(1), 0.0, 0.01, np.zeros(0, np.bool_), True)
    return float(total[0])


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("dice", "reach"), [(2, 12.0), (3, 19.0)])
def test_a_place_from_which_a_charge_is_possible_is_worth_the_chance_of_its_dice(
    dice: int, reach: float, player: int, detail: str
) -> None:
    battle = battle_of(dice, detail)
    values = EditionAppraiser(battle.setup)
    unit = battle.players.first_unit[player]
    own = values.foes(battle, Table(battle), unit)
    assert own.charge == reach
    for away in (4.5, 9.5, 11.9, 12.0, 13.5, 14.5, 15.5, 17.5, 18.9, 19.0, 19.5):
        chance = at_least(dice, ceil(away - own.near[0])) if away <= reach else 0.0
        later = LATER * NEXT_TURN ** max(0.0, away - own.near[0] - 3.5 * dice)
        assert lone_charge(own, away) == pytest.approx(100.0 * max(chance, later)), away
    # a reach beyond what the dice can make: no more than nothing, and nothing outside the table is read
    assert lone_charge(replace(own, charge=1e9), 500.0) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("dice", [2, 3])
def test_charges_on_targets_far_away_are_appraised_with_the_dice_of_the_edition(dice: int, player: int) -> None:
    battle = battle_of(dice, "squad")
    values = EditionAppraiser(battle.setup)
    unit, target = (
        next(u for u in battle.units_of(side) if battle.units.place[u] == ON_TABLE) for side in (player, 1 - player)
    )
    rows = list(battle.members(unit))
    foe = next(battle.members(target))
    seen = set()
    for x in np.arange(0.0, 60.0, 0.5):
        for row in rows:
            battle.models.x[row], battle.models.y[row] = x, battle.models.y[foe]
        inches = apart(battle, unit, target) - 1.0
        chance = at_least(dice, max(0, ceil(inches - 1e-4)))
        assert chance_to_charge(battle, unit, target) == pytest.approx(chance), x
        assert values.charge_value(battle, unit, target) != 0.0 or chance == 0.0 or inches > 6 * dice
        seen.add(chance)
    assert len(seen) > 4
