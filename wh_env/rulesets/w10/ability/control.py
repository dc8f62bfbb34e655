"""Control of objective markers by abilities: markers that stay under control, Objective Control that is halved (w10.objective.control)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w10.codes import Phase
from wh_env.rulesets.w40k.attack.conditions import by_marker
from wh_env.rulesets.w40k.shoot.declare import engagements

COMMAND = int(Phase.COMMAND)


def halved(g: BattleCore) -> list[int]:
    """Models whose Objective Control is halved: of units within Engagement Range of a unit with that ability."""
    powers = g.setup.statics["powers"]["halves control"]
    if not powers:
        return []
    m, u = g.models, g.units
    engaged = engagements(g)
    units = set()
    for power in powers:
        for unit in {m.unit[k] for k in power.models if m.on_table[k]}:
            touching = engaged[unit].tobytes()
            if 1 in touching:
                units |= {enemy for enemy in g.units_of(1 - power.owner) if touching[enemy] and u.alive[enemy]}
    return [k for unit in sorted(units) for k in g.members(unit)]


def hold_on(g: BattleCore) -> None:
    """Control was counted: who secured a marker keeps it until the opponent controls it; in the own Command phase units secure those that
    they are near to."""
    if not g.setup.statics["powers"]["secures"]:
        return
    for player, secured in enumerate(g.players.secured):
        if secured:
            keep(g, player)
    if g.clock.phase[0] == COMMAND:
        secure(g, g.clock.turn[0])


def keep(g: BattleCore, player: int) -> None:
    """The player keeps control of the markers that are secured, until the opponent controls them."""
    objectives, secured = g.objectives, g.players.secured
    for o, holder in enumerate(objectives.holder):
        if objectives.placed[o] and secured[player] >> o & 1:
            if holder == 1 - player:
                secured[player] &= ~(1 << o)
            elif holder < 0:
                objectives.holder[o] = player


def secure(g: BattleCore, player: int) -> None:
    """Units of the player with the ability secure the markers under the player's control that they are within range of."""
    near, far = g.setup.rules["marker_range"], g.setup.rules["marker_vertical"]
    rows = g.objectives.rows
    m, powers = g.models, g.setup.statics["powers"]["secures"]
    for unit in dict.fromkeys(
        m.unit[k] for power in powers if power.owner == player for k in power.models if m.on_table[k]
    ):
        for o, holder in enumerate(g.objectives.holder):
            if holder == player and g.objectives.placed[o]:
                if g.work.call(by_marker, g.models.rows, g.units.rows, rows[o : o + 1], unit, near, far):
                    g.players.secured[player] |= 1 << o
