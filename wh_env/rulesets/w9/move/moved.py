"""How far a unit has moved, and rules that ask for it (w9.glossary.moves-x.*).

Rules that moves trigger are data: rows of ``rules["moved"]``. Each is a mapping with ``unit`` (the unit that moves),
``inches`` (how far it must move at least), ``effect`` (a name of ``Edition.effects``) and ``amount`` (a number or a
name of ``DICE``). If another unit suffers the effect, ``on`` is its row, or ``MOVED_OVER`` for an enemy unit that was
moved over and that the player selects. Rules about moving normally are rows of ``rules["moves_normally"]``: ``unit``
and the ``inches`` that are added to its M.
"""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import TableSpec
from wh_env.rulesets.w9.move.over import SufferBelow, amount_of
from wh_env.rulesets.w40k.attack.abilities import Power
from wh_env.rulesets.w40k.move.displacement import least_displacement
from wh_env.rulesets.w40k.questions.parts import origin, parts
from wh_env.rulesets.w40k.sequence.effects import take_effect
from wh_env.rulesets.w40k.tables import BYTE

MOVED_OVER = "moved over"
FLEETING = "attacks at it: -1 to hit"


def tables(units: int) -> Sequence[TableSpec]:
    """``fleeting``: 1 for units that are harder to hit because of how far they moved."""
    return (TableSpec("fleeting", BYTE, units, flag()),)


def hard_to_hit(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """The effect of a rule: until its player's next turn begins, attacks at the unit have -1 to hit."""
    g.fleeting[unit] = 1


def turn_begins(g: BattleCore) -> None:
    """End the effects of ``hard_to_hit`` on the units of the player whose turn begins."""
    if g.setup.rules["moved"]:
        for unit in g.units_of(g.clock.turn[0]):
            g.fleeting[unit] = 0


def modifiers(g: BattleCore, unit: int, hook: str) -> list[Power]:
    """The -1 to hit of attacks at the unit, as an ability in force; empty if there is none or ``hook`` is not
    "targeted".
    """
    if hook != "targeted" or not g.fleeting[unit]:
        return []
    return [Power("moved so far", FLEETING, g.units.owner[unit], ())]


def added(g: BattleCore, unit: int) -> float:
    """Inches that rules about moving normally add to the M of the unit; they count for Normal Moves only
    (w9.glossary.move-normally).
    """
    rows = g.setup.rules["moves_normally"]
    return float(sum(row["inches"] for row in rows if row["unit"] == origin(g, unit))) if rows else 0.0


def moved_at_least(g: BattleCore, unit: int, inches: float) -> bool:
    """Whether every part of every model of the unit ended its move at least ``inches`` from where it began, whatever
    way the model took (w9.glossary.moves-x.requirement, w9.glossary.moves-x.part). False for a destroyed unit.
    """
    return g.units.alive[unit] > 0 and all(least_displacement(g, k) >= inches - EPS for k in g.members(unit))


def move_ended(g: BattleCore, unit: int) -> None:
    """The unit has ended a Normal Move, an Advance or a Fall Back: resolve the rules that this move triggers."""
    for number, row in enumerate(g.setup.rules["moved"]):
        if row["unit"] != origin(g, unit) or not moved_at_least(g, unit, row["inches"]):
            continue
        g.note("w9.glossary.moves-x.trigger", "moved so far", unit=unit, inches=row["inches"])
        on = row.get("on", row["unit"])
        if on == MOVED_OVER:
            g.push(SufferBelow, unit, number)
            continue
        for sufferer in (unit,) if on == row["unit"] else parts(g, on):
            take_effect(g, row["effect"], g.units.owner[unit], sufferer, amount_of(g, row["amount"]))
