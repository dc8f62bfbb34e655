"""Objectives, victory points and the end of the game (epic.mission.*)."""

from __future__ import annotations

from math import hypot, inf

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.epic.rally.breaking import is_broken
from wh_env.rulesets.epic.sequence.timing import wiped_out


@kernel
def hold_objectives(models: Array, units: Array, objectives: Array, reach: float) -> None:
    """Set the holder of each objective: the side of the nearest unit within ``reach`` cm; nobody on a tie. Units in
    retreat or in contact with an enemy do not count (epic.mission.objectives).
    """
    for o in range(len(objectives)):
        nearest0 = inf
        nearest1 = inf
        for k in range(len(models)):
            m = models[k]
            if m["on_table"] == 0 or m["contact"] == 1 or units[m["unit"]]["retreating"] == 1:
                continue
            apart = hypot(m["x"] - objectives[o]["x"], m["y"] - objectives[o]["y"])
            if apart > reach + EPS:
                continue
            if m["owner"] == 0:
                nearest0 = min(nearest0, apart)
            else:
                nearest1 = min(nearest1, apart)
        holder = -1
        if nearest0 < nearest1 - EPS:
            holder = 0
        elif nearest1 < nearest0 - EPS:
            holder = 1
        objectives[o]["holder"] = holder


def determine_holders(g: BattleCore) -> None:
    """Determine who holds each objective now. It only counts at the end of the game."""
    g.work.call(hold_objectives, g.models.rows, g.units.rows, g.objectives.rows, g.setup.rules["objective_reach_cm"])


def broken_points(g: BattleCore, player: int) -> int:
    """Victory points of a player for enemy formations that have reached their break point
    (epic.mission.broken-points).
    """
    rules, u = g.setup.rules["broken"], g.units
    total = 0
    for unit in g.units_of(1 - player):
        if is_broken(g, unit):
            strength = u.strength[unit] * (rules["vehicle_counts"] if u.vehicle[unit] else 1)
            total += rules["points"] * -(-strength // rules["every"])
    return total


def score(g: BattleCore) -> None:
    """Count the victory points of both players at the end of the game."""
    determine_holders(g)
    worth = g.setup.rules["objective_points"]
    for player in (0, 1):
        held = sum(1 for holder in g.objectives.holder if holder == player)
        broken = broken_points(g, player)
        g.players.vp[player] = held * worth + broken
        if g.recorder is not None:
            g.note("epic.mission.objectives", "objectives held", player=player, held=held, points=held * worth)
            g.note("epic.mission.broken-points", "enemy formations broken", player=player, points=broken)


def finish_if_decided(g: BattleCore) -> bool:
    """End the game after its last turn, or when a player has no unit left; returns whether it ended
    (epic.mission.victory).
    """
    if g.clock.round[0] < g.setup.rules["rounds"] and not (wiped_out(g, 0) or wiped_out(g, 1)):
        return False
    score(g)
    g.finish()
    return True


def winner_of(g: BattleCore) -> int:
    """The winner: the player with more victory points, -1 on a tie. A player without units loses, unless the other has
    none either.
    """
    lost = (wiped_out(g, 0), wiped_out(g, 1))
    vp = g.players.vp
    if lost[0] != lost[1]:
        winner = 1 if lost[0] else 0
    else:
        winner = -1 if vp[0] == vp[1] else int(vp[1] > vp[0])
    g.note("epic.mission.victory", "victor", winner=winner, vp=(vp[0], vp[1]))
    return winner
