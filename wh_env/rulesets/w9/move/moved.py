"""How far a unit has moved, and rules that ask for it (w9.glossary.moves-x.*).

Rules that are triggered by moves are data: rows of ``rules["moved"]``, mappings with ``unit`` (whose move), ``inches`` (how far at
least), ``effect`` (a name of ``Edition.effects``), ``amount`` and, where it is another unit that suffers, ``on``.
Rules about moving normally are rows of ``rules["moves_normally"]``: ``unit`` and ``inches``, which are added to its M.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.rulesets.w40k.move.displacement import least_displacement
from wh_env.rulesets.w40k.sequence.effects import take_effect


def added(g: BattleCore, unit: int) -> float:
    """Inches that rules about moving normally add to the M of the unit, for Normal Moves alone (w9.glossary.move-normally)."""
    return float(sum(row["inches"] for row in g.setup.rules["moves_normally"] if row["unit"] == unit))


def moved_at_least(g: BattleCore, unit: int, inches: float) -> bool:
    """Whether all parts of all models of the unit have ended their move so far from where they started it, whatever way they took
    (w9.glossary.moves-x.requirement, w9.glossary.moves-x.part)."""
    return all(least_displacement(g, k) >= inches - EPS for k in g.members(unit))


def move_ended(g: BattleCore, unit: int) -> None:
    """The unit has ended a Normal Move, an Advance or a Fall Back: what that triggers is resolved."""
    for row in g.setup.rules["moved"]:
        if row["unit"] == unit and moved_at_least(g, unit, row["inches"]):
            if g.recorder is not None:
                g.note("w9.glossary.moves-x.trigger", "moved so far", unit=unit, inches=row["inches"])
            take_effect(g, row["effect"], g.units.owner[unit], row.get("on", unit), row["amount"])
