"""What the units did and suffered this turn that says when they fight and whom (w9.fight.*, w9.rare.fight-first-last.*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, declared, flag
from wh_env.core.tables import Array, TableSpec
from wh_env.rulesets.w40k.edition import Effect
from wh_env.rulesets.w40k.fight.phase import has_fights_first
from wh_env.rulesets.w40k.tables import BYTE

# by unit: how many rules let it fight first or make it fight last this turn, and whether it made a Heroic Intervention
COMBAT, COMBAT_BOUNDS = declared([("first", "i4", amount()), ("last", "i4", amount()), ("intervened", "i4", flag())])


def tables(units: int) -> Sequence[TableSpec]:
    """``combat``: see ``COMBAT``; ``charges``: which unit has declared a charge against which this turn, as flags."""
    return (TableSpec("combat", COMBAT, units, COMBAT_BOUNDS), TableSpec("charges", BYTE, units, flag(), units))


def forget(g: BattleCore) -> None:
    """A turn begins."""
    g.combat.rows[:] = 0
    g.charges[:] = 0


def stance(g: BattleCore, unit: int) -> int:
    """1: the unit fights first, -1: it fights last, 0: neither, or both at once, however many rules say so
    (w9.rare.fight-first-last.both, .rules-first, .rules-last)."""
    first = g.combat.first[unit] > 0 or has_fights_first(g, unit)
    last = g.combat.last[unit] > 0
    return int(first) - int(last)


def barred(g: BattleCore, unit: int) -> Array:
    """Enemy units that the unit may not target in melee: one that charged fights those it charged and those that made a Heroic
    Intervention (w9.fight.targets.charged)."""
    if not g.units.charged[unit]:
        none: Array = g.work.no_targets
        return none
    return np.where((g.charges[unit] != 0) | (g.combat.rows["intervened"] != 0), 0, 1).astype(np.int32)


def fight_first(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """Until the end of the turn one more rule lets the unit fight first."""
    g.combat.first[unit] += 1


def fight_last(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """Until the end of the turn one more rule makes the unit fight last."""
    g.combat.last[unit] += 1


EFFECTS: Mapping[str, Effect] = MappingProxyType({"fights-first": fight_first, "fights-last": fight_last})
