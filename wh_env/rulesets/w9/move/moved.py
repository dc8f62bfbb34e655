"""How far a unit has moved, and rules that ask for it (w9.glossary.moves-x.*).

Rules that are triggered by moves are data: rows of ``rules["moved"]``, mappings with ``unit`` (whose move), ``inches`` (how far at
least), ``effect`` (a name of ``Edition.effects``), ``amount`` (a number or a name of ``DICE``) and, where it is another unit that
suffers, ``on``: its row, or ``MOVED_OVER`` for an enemy unit that was moved over, of the player's choice.
Rules about moving normally are rows of ``rules["moves_normally"]``: ``unit`` and ``inches``, which are added to its M.
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
    """``fleeting``: units that are harder to hit because of how far they moved."""
    return (TableSpec("fleeting", BYTE, units, flag()),)


def hard_to_hit(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """The effect of a rule: until its player's next turn begins 1 is subtracted from the hit rolls of attacks at the unit."""
    g.fleeting[unit] = 1


def turn_begins(g: BattleCore) -> None:
    """What units did in their player's last turn counts no more."""
    if g.setup.rules["moved"]:
        for unit in g.units_of(g.clock.turn[0]):
            g.fleeting[unit] = 0


def modifiers(g: BattleCore, unit: int, hook: str) -> list[Power]:
    """That attacks at the unit are at -1, as an ability in force."""
    if hook != "targeted" or not g.fleeting[unit]:
        return []
    return [Power("moved so far", FLEETING, g.units.owner[unit], ())]


def added(g: BattleCore, unit: int) -> float:
    """Inches that rules about moving normally add to the M of the unit, for Normal Moves alone (w9.glossary.move-normally)."""
    rows = g.setup.rules["moves_normally"]
    return float(sum(row["inches"] for row in rows if row["unit"] == origin(g, unit))) if rows else 0.0


def moved_at_least(g: BattleCore, unit: int, inches: float) -> bool:
    """Whether all parts of all models of the unit have ended their move so far from where they started it, whatever way they took; not of
    a unit that is gone (w9.glossary.moves-x.requirement, w9.glossary.moves-x.part)."""
    return g.units.alive[unit] > 0 and all(least_displacement(g, k) >= inches - EPS for k in g.members(unit))


def move_ended(g: BattleCore, unit: int) -> None:
    """The unit has ended a Normal Move, an Advance or a Fall Back: what that triggers is resolved."""
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
