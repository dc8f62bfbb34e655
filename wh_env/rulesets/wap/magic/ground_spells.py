"""Spells that ground casts: without a wizard, without dice, and nobody dispels them (wap.terrain.monument.magic-portal,
.river.light).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, between, row_of
from wh_env.core.procedures import GO, OfPlayer, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.dice import one_at_random
from wh_env.rulesets.wap.basics.ground import Ground, distance_to, with_trait
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.magic.spells import Casting, spells_of
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.panic.panic import Panic

PORTAL, RIVER = "wap.terrain.monument.magic-portal", "wap.terrain.river.light"
LEAST = 2  # the lowest result of two dice
MOST = 128  # features of a table
NEAREST = 1e-6  # inches within which two units are equally near
NOBODY = -1  # a caster


def spells_of_ground(g: BattleCore, ground: Ground) -> tuple[int, ...]:
    """The numbers of the spells that a feature casts: of a portal by the result of 2D6 from 2 on, of other ground those
    among which chance decides.
    """
    found: tuple[int, ...] = g.setup.statics["ground_spells"][ground.row]
    return found


def cast_by_ground(g: BattleCore, player: int, number: int, unit: int, ground: Ground, rule: str) -> None:
    """``ground`` casts a spell on a unit. ``player``: in whose next Magic phase its effects end. ``rule``: why."""
    if g.recorder is not None:
        g.note(rule, "is the target of a spell of the ground", unit=unit, name=spells_of(g)[number].name)
    g.push(GroundSpell, player, number, unit, ground.row)


def enters_light(g: BattleCore, unit: int, ground: Ground) -> None:
    """A unit enters ground that casts a spell at random on it."""
    spells = spells_of_ground(g, ground)
    cast_by_ground(g, g.units.owner[unit], spells[one_at_random(g, len(spells))], unit, ground, RIVER)


def nearest_to(g: BattleCore, ground: Ground) -> int:
    """The unit on the table that is nearest to a feature, one at random of several; -1: there is none."""
    units = [unit for unit in range(len(g.units.owner)) if g.units.place[unit] == ON_TABLE]
    gaps = {unit: distance_to(g, unit, ground) for unit in units}
    near = [unit for unit in units if gaps[unit] <= min(gaps.values()) + NEAREST]
    if not near:
        return NOBODY
    return near[one_at_random(g, len(near)) if len(near) > 1 else 0]


class Portals(OfPlayer):
    """The portals of the table cast their spells, one after the other."""

    AT = integer(between(0, MOST))  # portals that have done so

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        portals, at = with_trait(g, "portal"), g.stack[f + Portals.AT]
        if at == len(portals):
            return g.pop()
        g.stack[f + Portals.AT] += 1
        number = spells_of_ground(g, portals[at])[g.roll(2) - LEAST]
        unit = nearest_to(g, portals[at])
        if unit >= 0:
            cast_by_ground(g, g.stack[f + Portals.PLAYER], number, unit, portals[at], PORTAL)
        return GO


class GroundSpell(OfPlayer):
    """A spell of the ground acts on a unit, in its base version (wap.magic.resolve)."""

    SPELL = integer(amount())
    UNIT = integer(row_of("units"))
    GROUND = integer(row_of("features"))  # that casts it
    DEED = integer(amount())  # the next to be done

    def fits(self, g: BattleCore, f: int) -> bool:
        spells, number = spells_of(g), g.stack[f + GroundSpell.SPELL]
        done: int = g.stack[f + GroundSpell.DEED]
        return number < len(spells) and done <= len(spells[number].versions[0].deeds)

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        stack = g.stack
        unit, spell, at = (
            stack[f + GroundSpell.UNIT],
            spells_of(g)[stack[f + GroundSpell.SPELL]],
            stack[f + GroundSpell.DEED],
        )
        deeds = spell.versions[0].deeds
        if at == len(deeds) or g.units.place[unit] != ON_TABLE:
            return g.pop()
        stack[f + GroundSpell.DEED] += 1
        player, ground = stack[f + GroundSpell.PLAYER], stack[f + GroundSpell.GROUND]
        deeds[at].act(g, Casting(player, NOBODY, NOBODY, spell, 0, unit, spell.value, ground=ground), unit)
        return GO
