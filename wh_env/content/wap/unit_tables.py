"""What units of a battle can do, worked out once: how they move and shoot, their machines, what they wear."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wh_env.content.wap.fill import wings_of
from wh_env.content.wap.load import machines, troop_types
from wh_env.content.wap.outfits import (
    unit_abilities_of,
)
from wh_env.content.wap.regiment import Regiment
from wh_env.core.tables import Array
from wh_env.rulesets.wap import rule_book
from wh_env.rulesets.wap.basics.special_rules import Abilities, random_dice
from wh_env.rulesets.wap.rule_book import FLY, SWIFTSTRIDE
from wh_env.rulesets.wap.weapons.arms import Outfit
from wh_env.rulesets.wap.weapons.machines import Machine

Units = Sequence[tuple[int, Regiment]]  # of both armies, each with its player


def moving_of(units: Sequence[tuple[int, Regiment]], abilities: Sequence[Abilities]) -> dict[str, Array]:
    """How units move by their cards, as arrays by unit.

    ``wings``: inches they fly (0: none). ``flyers``, ``swift``: whether they have Fly and Swiftstride (bool). ``dice``:
    dice in place of a Movement.
    """
    return {
        "wings": np.array([wings_of(unit) for _, unit in units], np.int64),
        "flyers": np.array([FLY in rules for rules in abilities], np.bool_),
        "swift": np.array([SWIFTSTRIDE in rules for rules in abilities], np.bool_),
        "dice": np.array([random_dice(unit.card.rules) for _, unit in units], np.int64),
    }


def shooting_of(units: Sequence[tuple[int, Regiment]], outfits: Sequence[Outfit]) -> dict[str, tuple[Any, ...]]:
    """The missile weapons of units.

    By unit: ``missiles``, whether it has any; ``ranges``, its longest range in inches; ``bearers``, for each of its
    weapons a bool array of the units that have it. By player: ``armed``, the rows of units with missiles.
    """
    return {
        "missiles": tuple(bool(outfit.missiles) for outfit in outfits),
        "ranges": tuple(max((weapon.range for weapon in outfit.missiles), default=0) for outfit in outfits),
        "bearers": tuple(
            tuple(np.array([weapon in other.missiles for other in outfits], np.bool_) for weapon in outfit.missiles)
            for outfit in outfits
        ),
        "armed": tuple(
            tuple(row for row, (player, _) in enumerate(units) if player == side and outfits[row].missiles)
            for side in (0, 1)
        ),
    }


def machines_of(units: Sequence[tuple[int, Regiment]]) -> tuple[Machine | None, ...]:
    """The weapon of each unit that is a war machine, by unit; None: it is none."""
    engines = [unit.card.machine for _, unit in units]
    known = machines() if any(engines) else {}
    return tuple(None if engine is None else known[engine.weapon] for engine in engines)


def engines_of(units: Sequence[tuple[int, Regiment]]) -> tuple[tuple[int, ...], ...]:
    """The rows of the war machines of each player."""
    return tuple(
        tuple(row for row, (player, unit) in enumerate(units) if player == side and unit.card.machine is not None)
        for side in (0, 1)
    )


def worn_by(units: Sequence[tuple[int, Regiment]], outfits: Sequence[Outfit]) -> Array:
    """Values of each unit that observations show, as int64 with five columns.

    They are points of armour, bits of the special rules of ``Book.shown``, the longest range of its missile weapons,
    whether it is a character, and inches that it flies.
    """
    types, found = troop_types(), np.zeros((len(units), 5), np.int64)
    for row, ((_, unit), outfit) in enumerate(zip(units, outfits, strict=True)):
        rules = unit_abilities_of(unit.card, types.row(unit.card.type))
        missile = max(outfit.missiles, key=lambda weapon: weapon.range, default=None)
        found[row] = (
            sum(piece.combat for piece in outfit.worn),
            sum(1 << n for n, rule in enumerate(rule_book.BOOK.shown) if rule in rules),
            _range_of(unit) if missile is None else missile.range,
            unit.card.character,
            wings_of(unit),
        )
    return found


def _range_of(unit: Regiment) -> int:
    """The range of a war machine's weapon in inches; 0: it has none."""
    engine = unit.card.machine
    return 0 if engine is None else machines()[engine.weapon].weapon.range
