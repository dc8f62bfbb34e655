"""The decisions where a spell's template is placed, or in which direction its line goes
(wap.magic.type.direct-damage.template).
"""

from __future__ import annotations

from math import tau

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, count_of, flag, row_of
from wh_env.core.features import Pending, Region
from wh_env.core.procedures import DecisionKind, Procedure, beneath, integer
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.sight import within
from wh_env.rulesets.wap.magic.places import (
    bases_of,
    cells_of,
    crossed_by,
    length_of,
    line_from,
    point_of,
    radius_of,
    spots_on,
    versions_for,
    ways_for,
)
from wh_env.rulesets.wap.magic.sides import side_of, who_aims
from wh_env.rulesets.wap.magic.spells import Aim, Spell, Version
from wh_env.rulesets.wap.magic.targets import are_foes
from wh_env.rulesets.wap.magic.wizards import known_rows, spell_at
from wh_env.rulesets.wap.shooting.spots import spot_of, window_over
from wh_env.rulesets.wap.ways.poses import degrees

NEAR = 7.0  # inches: what comes down on a point reaches as far on average


class AimSpell(Procedure):
    """The player of a wizard says where a spell is laid. What was chosen is written to the frame beneath, counted
    from 1.
    """

    UNIT = integer(row_of("units"))
    ROW = integer(count_of("spellbook"))
    TARGET = integer(count_of("units"))  # over which a template is placed, counted from 1; 0: none
    BOOSTED = integer(flag())  # the spell may be cast in any of its versions
    INTO = integer(amount())  # offset in the frame beneath
    VERSION = integer(amount())  # in which it was cast, counted from 1; 0: it is not cast yet
    asks = ("spell-place", "spell-direction")

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the unit knows the spell, and there is a place for it."""
        stack = g.stack
        unit, row, target = stack[f + AimSpell.UNIT], stack[f + AimSpell.ROW], stack[f + AimSpell.TARGET]
        if row not in known_rows(g, unit):
            return False
        spell = spell_at(g, row)
        return bool((target or spell.aim is not Aim.SPOT) and stack[f + AimSpell.VERSION] <= len(spell.versions))

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + AimSpell.UNIT]
        kind = SpellDirection if AimSpell.spell(g, f).aim is Aim.WAY else SpellPlace
        return g.ask(kind, who_aims(g, unit), unit)

    @staticmethod
    def spell(g: BattleCore, f: int) -> Spell:
        """The spell that is aimed."""
        return spell_at(g, g.stack[f + AimSpell.ROW])

    @staticmethod
    def versions(g: BattleCore, f: int) -> tuple[Version, ...]:
        """The versions in which it may be cast, or the one in which it was cast."""
        spell, version = AimSpell.spell(g, f), g.stack[f + AimSpell.VERSION]
        if version:
            return (spell.versions[version - 1],)
        return versions_for(spell, boosted=bool(g.stack[f + AimSpell.BOOSTED]))

    @staticmethod
    def chosen(g: BattleCore, f: int, place: int) -> None:
        """A place was chosen."""
        into = g.stack[f + AimSpell.INTO]
        g.pop()
        g.stack[beneath(f) + into] = place + 1


class SpellPlace(DecisionKind):
    name = "spell-place"
    what = (
        "Where the middle of a spell's template is placed over its target, or which point of the table a spell names."
    )
    policy = (
        "The spot at which the template covers most models of the target; the point near which there are most enemy "
        "units and fewest friends."
    )
    keys = (
        "wap.magic.type.direct-damage.template",
        "wap.magic.cast.declare",
        "wap.lore.fire.flame-storm",
        "wap.lore.shadow.pit-of-shades",
        "wap.lore.heavens.comet-of-casandora",
    )

    @staticmethod
    def cells(g: BattleCore, f: int) -> Array:
        """The cells that may be chosen, bool."""
        unit, target = g.stack[f + AimSpell.UNIT], g.stack[f + AimSpell.TARGET] - 1
        spell = AimSpell.spell(g, f)
        if spell.aim is not Aim.SPOT:
            return np.ones(g.setup.space.grid**2, np.bool_)
        return spots_on(g, unit, AimSpell.versions(g, f), target)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        cell = g.setup.space.cell
        for at in np.flatnonzero(self.cells(g, f)).tolist():
            mask[cell + at] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        AimSpell.chosen(g, f, action - g.setup.space.cell)

    def pending(self, g: BattleCore, f: int) -> Pending:
        grid, target = g.setup.space.grid, g.stack[f + AimSpell.TARGET] - 1
        if target < 0:
            return Pending(Region.between(0.0, 0.0, g.setup.length, g.setup.width))
        x, y, step = window_over(g, target)
        return Pending(Region.of_grid(x, y, step, step, grid))

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        target = g.stack[f + AimSpell.TARGET] - 1
        if target < 0:
            return int(g.setup.space.cell + best_point(g, who_aims(g, g.stack[f + AimSpell.UNIT])))
        legal = self.cells(g, f)
        radius = radius_of(AimSpell.versions(g, f)[0])
        covered = (bases_of(g, target).gaps(*cells_of(g, target)) <= radius).sum(axis=0)
        return int(g.setup.space.cell + np.where(legal, covered, -1).argmax())

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        at, target = action - g.setup.space.cell, g.stack[f + AimSpell.TARGET] - 1
        x, y = spot_of(g, target, at) if target >= 0 else point_of(g, at)
        return f"{AimSpell.spell(g, f).name} at {x:.1f}, {y:.1f}"


def best_point(g: BattleCore, player: int) -> int:
    """The cell of the grid over the table near which there are most units of the enemy of a player and fewest of his
    own.
    """
    xs, ys = (
        np.array(each) for each in zip(*(point_of(g, cell) for cell in range(g.setup.space.grid**2)), strict=True)
    )
    worth = np.zeros(len(xs), np.int64)
    for unit in range(len(g.units.owner)):
        if g.units.place[unit] == ON_TABLE:
            near = bases_of(g, unit).gaps(xs, ys).min(axis=0) <= NEAR
            worth += near if g.units.owner[unit] != player else -near.astype(np.int64)
    return int(worth.argmax())


class SpellDirection(DecisionKind):
    name = "spell-direction"
    what = "In which direction of the wizard's front arc the line of a spell goes: over an enemy, over no friend."
    policy = "The one in which the line of the base version crosses the largest enemy units."
    keys = (
        "wap.magic.type.direct-damage.template",
        "wap.lore.fire.burning-head",
        "wap.lore.shadow.penumbral-pendulum",
    )

    @staticmethod
    def slots(g: BattleCore, f: int) -> list[int]:
        """The slots of the directions that may be chosen."""
        return list(ways_for(g, g.stack[f + AimSpell.UNIT], AimSpell.versions(g, f)))

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot in self.slots(g, f):
            mask[g.setup.space.angle + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        AimSpell.chosen(g, f, action - g.setup.space.angle)

    @staticmethod
    def over(g: BattleCore, f: int, slot: int) -> list[int]:
        """The enemy units that the line of the first version crosses."""
        unit = g.stack[f + AimSpell.UNIT]
        line = line_from(g, unit, slot, length_of(AimSpell.versions(g, f)[0]))
        return [other for other in crossed_by(g, unit, line) if are_foes(g, side_of(g, unit), other)]

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        worth = {slot: sum(len(within(g, unit)) for unit in self.over(g, f, slot)) for slot in self.slots(g, f)}
        return int(g.setup.space.angle + max(worth, key=lambda slot: worth[slot]))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        slot, names = action - g.setup.space.angle, g.setup.names["units"]
        over = ", ".join(names[unit] for unit in self.over(g, f, slot)) or "nobody yet"
        return f"{AimSpell.spell(g, f).name} at {degrees(slot * tau / g.setup.space.angles)} degrees, over {over}"
