"""Units that are added to an army during the battle (w9.army.all-units.added).

``Setup.statics["summoned"]`` has their rows. Until they are added they have no place, no models and no Starting
Strength.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import DESTROYED, RESERVE
from wh_env.rulesets.w40k.deploy.places import DEEP_STRIKE, finds_room
from wh_env.rulesets.w40k.move.reinforcements import Arrive


def summon(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """The effect of a rule: set up the first unit of the owner's list that has not been summoned yet and for which
    there is room more than 9" from enemies.
    """
    for row in g.setup.statics["summoned"]:
        if g.units.owner[row] != owner or g.units.strength[row]:
            continue
        join_army(g, row, True)
        if finds_room(g, row):
            g.note("w9.army.all-units.added", "is added to the army", unit=row)
            g.push(Arrive, row)
            return
        join_army(g, row, False)


def join_army(g: BattleCore, unit: int, added: bool) -> None:
    """If ``added``, the unit joins the army with all its models, in Reserves; else it has no models and counts as
    destroyed.
    """
    u, m = g.units, g.models
    u.strength[unit] = u.alive[unit] = u.count[unit] if added else 0
    u.place[unit], u.reserve[unit] = (RESERVE, DEEP_STRIKE) if added else (DESTROYED, 0)
    for k in range(u.first[unit], u.first[unit] + u.count[unit]):
        m.alive[k], m.wounds[k] = int(added), m.max_wounds[k] if added else 0
