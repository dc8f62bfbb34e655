"""Abilities about objective markers: markers that stay secured, Objective Control that is halved
(w10.objective.control).
"""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w10.codes import Phase
from wh_env.rulesets.w40k.attack.abilities import CONTROL, in_force
from wh_env.rulesets.w40k.attack.conditions import by_marker
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.questions.engagements import engagements

COMMAND = int(Phase.COMMAND)


@kernel
def mark_halved(models: Array, units: Array, powers: Array, bearers: Array, engaged: Array, out: Array) -> int:
    """Set ``out`` (int32, by unit) to 1 for units that are engaged with an enemy model on the table that bears one of
    the powers, else to 0; returns how many. Destroyed units do not count.
    """
    for u in range(len(units)):
        out[u] = 0
    found = 0
    for p in range(len(powers)):
        for n in range(powers[p]["first"], powers[p]["first"] + powers[p]["count"]):
            k = bearers[n]
            if models[k]["on_table"] == 0:
                continue
            for u in range(len(units)):
                enemy = units[u]["owner"] != powers[p]["owner"] and units[u]["alive"] > 0
                if enemy and engaged[models[k]["unit"], u] != 0 and out[u] == 0:
                    out[u] = 1
                    found += 1
    return found


def halved(g: BattleCore) -> list[int]:
    """Models whose Objective Control is halved: those of units engaged with a unit that has the ability."""
    if not g.setup.statics["powers"]["halves control"]:
        return []
    rows, bearers = edition(g).power_rows(g, "halves control")
    found = g.work.found
    if not g.work.call(mark_halved, g.models.rows, g.units.rows, rows, bearers, engagements(g), found):
        return []
    return [k for unit in found.nonzero()[0].tolist() for k in g.members(unit)]


def with_more_control(g: BattleCore) -> list[tuple[int, int]]:
    """(model row, number added) for models whose Objective Control abilities improve."""
    if not g.setup.statics["powers"]["control"]:
        return []
    found = []
    for unit in np.flatnonzero(g.units.rows["place"] == ON_TABLE).tolist():
        more = sum(CONTROL[power.effect] for power in in_force(g, unit, "control"))
        found += [(k, more) for k in g.members(unit) if more]
    return found


def hold_on(g: BattleCore) -> None:
    """Control was counted: a player keeps secured markers until the opponent controls them. In a Command phase units of
    the turn player secure the markers that they are in range of.
    """
    if not g.setup.statics["powers"]["secures"]:
        return
    for player, secured in enumerate(g.players.secured):
        if secured:
            keep(g, player)
    if g.clock.phase[0] == COMMAND:
        secure(g, g.clock.turn[0])


def keep(g: BattleCore, player: int) -> None:
    """The player keeps control of secured markers without a holder. A marker that the opponent controls is no longer
    secured.
    """
    objectives, secured = g.objectives, g.players.secured
    for o, holder in enumerate(objectives.holder):
        if objectives.placed[o] and secured[player] >> o & 1:
            if holder == 1 - player:
                secured[player] &= ~(1 << o)
            elif holder < 0:
                objectives.holder[o] = player


def secure(g: BattleCore, player: int) -> None:
    """The player's units with the ability secure the markers in their range that the player controls."""
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
