"""Standards that fall in close combat or in a pursuit are captured by the enemy (wap.victory.standards,
.close-combat-only).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.allies.relations import bearers_of
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.forms import whose_form
from wh_env.rulesets.wap.codes import NO_INTENT, STANDARD, Phase


def standards_of(g: BattleCore, unit: int) -> int:
    """The number of standard bearers of a unit that are alive."""
    m, u = g.models, g.units
    return sum(1 for k in range(u.first[unit], u.first[unit] + u.count[unit]) if m.alive[k] and m.role[k] == STANDARD)


def falls_to_enemy(g: BattleCore, unit: int) -> bool:
    """Whether a model of a unit that falls now falls in close combat or to pursuers: the unit is in the combat that is
    being fought and has neither begun to flee nor to pursue.
    """
    u, unit = g.units, block_of(g, unit)
    still = not u.fleeing[unit] and u.intent[unit] == NO_INTENT  # neither flees nor pursues
    return bool(g.clock.phase[0] == Phase.COMBAT and u.fighting[unit] and still)


def capture(g: BattleCore, unit: int, count: int = 1) -> None:
    """The enemy of a unit captures ``count`` of its standards."""
    if count <= 0:
        return
    enemy = 1 - g.units.owner[unit]
    g.players.standards[enemy] += count
    g.note("wap.victory.standards", "standard captured", unit=unit, player=enemy, amount=count)


def capture_of_army(g: BattleCore, unit: int) -> None:
    """The enemy captures the standard of the whole army, if the unit is its bearer, in whatever form, and has no model
    left.
    """
    owner, bearers = g.units.owner[unit], bearers_of(g, g.units.owner[unit])
    if (unit in bearers or whose_form(g, unit) in bearers) and g.units.alive[unit] == 0:
        g.players.battle_standard[1 - owner] += 1
        g.note("wap.victory.standards", "battle standard captured", unit=unit, player=1 - owner)
