"""How far a unit has moved, and rules that ask for it (w9.glossary.moves-x.*).

Rules that are triggered by moves are data: rows of ``rules["moved"]``, mappings with ``unit`` (whose move), ``inches`` (how far at
least), ``effect`` (a name of ``Edition.effects``), ``amount`` (a number or a name of ``DICE``) and, where it is another unit that
suffers, ``on``: its row, or ``MOVED_OVER`` for an enemy unit that was moved over, of the player's choice.
Rules about moving normally are rows of ``rules["moves_normally"]``: ``unit`` and ``inches``, which are added to its M.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, pi, sin, tan

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.geometry.shapes import EPS, disc_gap_at
from wh_env.core.tables import CIRCLE, TableSpec
from wh_env.rulesets.w9.move.over import SufferBelow, amount_of
from wh_env.rulesets.w40k.attack.abilities import Power
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


def least_displacement(g: BattleCore, model: int) -> float:
    """Inches between where a part of the model stands and where it stood when its unit began to move, of the part that has moved
    least: of a round base its centre, of any other each part of it (w9.glossary.moves-x.part)."""
    m, origin = g.models, g.origin
    dx, dy, dz = m.x[model] - origin.x[model], m.y[model] - origin.y[model], m.z[model] - origin.z[model]
    turn = (m.facing[model] - origin.facing[model] + pi) % (2.0 * pi) - pi
    if m.shape[model] == CIRCLE or abs(turn) < EPS:
        return hypot(dx, dy, dz)
    # the base turned about this point, so that parts move the more the farther they are from it
    c = 1.0 / tan(turn / 2.0)
    x, y, facing = origin.x[model], origin.y[model], origin.facing[model]
    px, py = x + 0.5 * (dx - c * dy), y + 0.5 * (c * dx + dy)
    away = max(0.0, float(disc_gap_at(m.rows, model, x, y, facing, px, py, 0.0)))
    return hypot(2.0 * abs(sin(turn / 2.0)) * away, dz)


def added(g: BattleCore, unit: int) -> float:
    """Inches that rules about moving normally add to the M of the unit, for Normal Moves alone (w9.glossary.move-normally)."""
    return float(sum(row["inches"] for row in g.setup.rules["moves_normally"] if row["unit"] == unit))


def moved_at_least(g: BattleCore, unit: int, inches: float) -> bool:
    """Whether all parts of all models of the unit have ended their move so far from where they started it, whatever way they took
    (w9.glossary.moves-x.requirement, .trigger)."""
    return all(least_displacement(g, k) >= inches - EPS for k in g.members(unit))


def move_ended(g: BattleCore, unit: int) -> None:
    """The unit has ended a Normal Move, an Advance or a Fall Back: what that triggers is resolved."""
    for number, row in enumerate(g.setup.rules["moved"]):
        if row["unit"] != unit or not moved_at_least(g, unit, row["inches"]):
            continue
        if g.recorder is not None:
            g.note("w9.glossary.moves-x.trigger", "moved so far", unit=unit, inches=row["inches"])
        on = row.get("on", unit)
        if on == MOVED_OVER:
            g.push(SufferBelow, unit, number)
        else:
            take_effect(g, row["effect"], g.units.owner[unit], on, amount_of(g, row["amount"]))
