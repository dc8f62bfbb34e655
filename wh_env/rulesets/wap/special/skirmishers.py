"""Skirmishers close up for combat and spread out again (wap.special.skirmishers.formation, .close-up, .spread-again).
In a battle only this module writes ``units.spacing``.
"""

from __future__ import annotations

from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.passage import ground_to_stand_in
from wh_env.rulesets.wap.basics.room import may_stand
from wh_env.rulesets.wap.codes import COLUMN, RANKS, SKIRMISH
from wh_env.rulesets.wap.rule_book import SKIRMISHERS
from wh_env.rulesets.wap.special.light_troops import is_skirmishing

GAP = 0.5  # inches between neighbouring bases


def close_ranks(g: BattleCore, unit: int, foe: int) -> None:
    """Close up a unit that comes into combat, in the same ranks and files, about the central model of its front rank.
    Of two central models it is the one nearer to unit ``foe``.
    """
    u = g.units
    gap = u.spacing[unit]
    if gap == 0.0 or u.place[unit] != ON_TABLE or u.garrison[unit] >= 0:
        return
    x, y, f, files = u.x[unit], u.y[unit], u.facing[unit], u.files[unit]
    if min(files, u.block[unit]) % 2 == 0:
        left = (u.x[foe] - x) * -sin(f) + (u.y[foe] - y) * cos(f) > 0.0
        aside = 0.5 * gap * (1.0 if left else -1.0)
        x, y = x - aside * sin(f), y + aside * cos(f)
    u.spacing[unit] = 0.0
    if u.shape[unit] == SKIRMISH:
        u.shape[unit] = RANKS
    set_block(g, unit, x, y, f, files)
    if g.recorder is not None:
        g.note("wap.special.skirmishers.close-up", "closes up", unit=unit, place=(round(x, 2), round(y, 2)))


def spread(g: BattleCore, unit: int) -> bool:
    """Spread out a unit in close formation where it stands, or moved to a side, forward or back as little as gives it
    room. Returns whether it had room.
    """
    u, setup = g.units, g.setup
    x, y, f, files = u.x[unit], u.y[unit], u.facing[unit], u.files[unit]
    wider, deeper = GAP * (min(files, u.block[unit]) - 1), GAP * (-(-u.block[unit] // files) - 1)
    u.spacing[unit] = GAP
    for back in (0.0, 0.5 * deeper, deeper, -0.5 * deeper, -deeper):
        for aside in (0.0, 0.25 * wider, -0.25 * wider, 0.5 * wider, -0.5 * wider):
            px, py = x - back * cos(f) - aside * sin(f), y - back * sin(f) + aside * cos(f)
            if g.work.call(
                may_stand,
                g.troops,
                ground_to_stand_in(g, unit),
                setup.corners,
                setup.length,
                setup.width,
                unit,
                px,
                py,
                f,
                files,
                setup.rules["one_inch"],
                g.work.block,
            ):
                if u.shape[unit] != COLUMN:
                    u.shape[unit] = SKIRMISH
                set_block(g, unit, px, py, f, files)
                if g.recorder is not None:
                    told = {"place": (round(px, 2), round(py, 2))}
                    g.note("wap.special.skirmishers.spread-again", "spreads out", unit=unit, **told)
                return True
    u.spacing[unit] = 0.0
    return False


def spread_all(g: BattleCore, player: int) -> None:
    """At the start of a player's remaining moves, spread out his skirmishers in close formation that are not in combat.
    Those without room stay as they are.
    """
    u = g.units
    if SKIRMISHERS not in g.setup.statics["named_rules"]:
        return
    for unit in g.units_of(player):
        if (
            u.place[unit] == ON_TABLE
            and u.garrison[unit] < 0
            and u.spacing[unit] == 0.0
            and is_skirmishing(g, unit)
            and not engaged(g, unit)
        ):
            spread(g, unit)
