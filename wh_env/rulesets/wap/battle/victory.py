"""Victory points and who has won (wap.victory.*, wap.scenario.battleline.victory)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.basics.dice import part_of
from wh_env.rulesets.wap.battle.timing import wiped_out

DRAW = "draw"


def share_of(g: BattleCore, unit: int) -> tuple[str, int]:
    """What of a unit's cost its enemy scores at the end, in percent, and by which rule: the highest that applies, never a sum
    (wap.victory.points)."""
    u, shares = g.units, g.setup.rules["victory"]
    us, start = u.us[unit], u.us_start[unit]
    if u.place[unit] == DESTROYED or u.alive[unit] == 0:
        return "wap.victory.dead-or-fled", shares["destroyed"]
    if u.fleeing[unit] and 2 * us < start:
        return "wap.victory.scattered", shares["scattered"]
    if u.fleeing[unit] and 2 * us > start:
        return "wap.victory.broken", shares["broken"]
    if 2 * us <= start:
        return "wap.victory.decimated", shares["decimated"]
    return "", 0


def score(g: BattleCore) -> None:
    """Count the victory points of both players at the end of the battle; fractions are rounded up."""
    for unit in range(len(g.units.owner)):
        rule, percent = share_of(g, unit)
        if not percent:
            continue
        points, enemy = part_of(g.units.points[unit], 100, percent), 1 - g.units.owner[unit]
        g.players.vp[enemy] += points
        if g.recorder is not None:
            g.note(rule, "scored", unit=unit, player=enemy, points=points)


def degree_of(lead: int, points: int, degrees: dict[str, int]) -> str:
    """How great a victory by so many points is in a battle of armies of ``points`` (wap.victory.result)."""
    for name, least in (("massacre", degrees["massacre"]), ("solid victory", degrees["solid"])):
        if 100 * lead >= least * points:
            return name
    return "minor victory" if 100 * lead >= degrees["minor"] * points else DRAW


def winner_of(g: BattleCore) -> int:
    """Who has won, -1 for a draw (wap.scenario.battleline.victory)."""
    vp, rules = g.players.vp, g.setup.rules
    degree = degree_of(abs(vp[0] - vp[1]), rules["points"], rules["degrees"])
    winner = -1 if degree == DRAW else int(vp[1] > vp[0])
    if g.recorder is not None:
        g.note("wap.scenario.battleline.victory", "victor", winner=winner, vp=(vp[0], vp[1]), degree=degree)
    return winner


def finish_if_decided(g: BattleCore) -> bool:
    """The battle ends after its last game turn, or when an army has nothing left (wap.battle.end, wap.scenario.battleline.length)."""
    if g.clock.round[0] < g.setup.rules["rounds"] and not (wiped_out(g, 0) or wiped_out(g, 1)):
        return False
    score(g)
    if g.recorder is not None:
        g.note("wap.battle.end", "end of the battle", round=g.clock.round[0], vp=(g.players.vp[0], g.players.vp[1]))
    g.finish()
    return True
