"""The obstacles near a unit that moves, in the form that the kernels of ``ways.ways`` take (wap.move.one-inch)."""

from __future__ import annotations

from math import cos, pi, tau

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import Way, keep_only_marked, set_margin
from wh_env.core.tables import ATTACHED
from wh_env.rulesets.wap.basics.contacts import block_of, foes_of
from wh_env.rulesets.wap.basics.marks import vortices
from wh_env.rulesets.wap.basics.passage import ground_to_cross, ground_to_end_off, passes_all_ground
from wh_env.rulesets.wap.codes import ASKED, Phase
from wh_env.rulesets.wap.ways.poses import Pose
from wh_env.rulesets.wap.ways.way_room import ROUND
from wh_env.rulesets.wap.ways.ways import ENDS_MARK, GROUND_MARK, add_pieces, gather, leave_block

DEPLOYMENT = Phase.DEPLOYMENT.value
CLEAR = 0.02  # inches by which a base stays off a vortex
KEPT_AWAY = 12.0 + 2e-4  # inches between a vanguard move and every enemy: just over 12


def before_battle(g: BattleCore, unit: int) -> bool:
    """Whether the unit makes its vanguard move, before the battle."""
    return bool(g.clock.phase[0] == DEPLOYMENT and g.units.deployed[unit] & ASKED)


def add_vortices(g: BattleCore, n: int) -> int:
    """Append the vortices to the ``n`` obstacles: nobody walks into them (wap.magic.type.vortex.no-entry). Returns how
    many there are then.
    """
    room, m, turns = g.work.ways, g.omens, np.arange(ROUND) * tau / ROUND
    for k in vortices(g):
        first = int(room.near["first"][n - 1] + room.near["count"][n - 1]) if n else 0
        reach = (m.radius[k] + CLEAR) / cos(pi / ROUND)
        room.points[first : first + ROUND, 0] = m.x[k] + reach * np.cos(turns)
        room.points[first : first + ROUND, 1] = m.y[k] + reach * np.sin(turns)
        room.near[n] = (m.x[k], m.y[k], reach, 0.0, first, ROUND, GROUND_MARK)
        n += 1
    return n


def survey(g: BattleCore, unit: int, far: float, pose: Pose | None = None, *, aloft: bool = False) -> Way:
    """The obstacles that the unit may meet within ``far`` inches of where it stands: the first arguments of the kernels
    of ``ways``.

    ``pose``: where its move has led so far. ``aloft``: it flies, so that obstacles matter only where it ends. Ground
    that it passes through stands last (``ways.through``).
    """
    setup, room, u = g.setup, g.work.ways, g.units
    x, y, f = pose or (u.x[unit], u.y[unit], u.facing[unit])
    early = g.clock.phase[0] == DEPLOYMENT and before_battle(g, unit)
    n, rows = g.work.call(
        gather,
        g.parts.rows,
        u.rows,
        ground_to_cross(g, unit),
        setup.corners,
        unit,
        x,
        y,
        f,
        float(far),
        KEPT_AWAY if early else setup.rules["one_inch"],
        room.empty,
    )
    if early:
        for row in room.near[:n]:
            if row["mark"] < 0 or u.owner[row["mark"]] == u.owner[unit]:
                row["margin"] = min(row["margin"], setup.rules["one_inch"])
    n = add_vortices(g, n) if any(g.omens.row.tolist()) else n
    attached = u.place[unit] == ATTACHED
    host = u.bodyguard[unit] if attached else u.out_of[unit]
    if aloft and u.fights[block_of(g, unit)]:  # magic carries him out of a combat
        for foe in foes_of(g, block_of(g, unit)):
            g.work.call(set_margin, room.near, n, foe, setup.rules["one_inch"])
    if aloft and attached:
        g.work.call(set_margin, room.near, n, host, setup.rules["one_inch"])
    elif host >= 0:  # until a character has left his unit it is no obstacle to him
        n = g.work.call(
            leave_block,
            Way(room.near, room.points, n, room.body, rows),
            host,
            setup.rules["one_inch"],
            x,
            y,
            f,
            setup.length,
            setup.width,
        )
    if passes_all_ground(g, unit):
        n = add_ends(g, unit, n, rows)
    return Way(room.near, room.points, n, room.body, rows)


def add_ends(g: BattleCore, unit: int, n: int, rows: int) -> int:
    """Append to the ``n`` obstacles the ground that a unit passes through and may not end in
    (wap.special.ethereal.movement). Returns how many there are then.
    """
    room, u, inch = g.work.ways, g.units, g.setup.rules["one_inch"]
    pose, pieces = (u.x[unit], u.y[unit], u.facing[unit]), ground_to_end_off(g, unit)
    found: int = g.work.call(
        add_pieces, Way(room.near, room.points, n, room.body, rows), *pose, g.setup.corners, pieces, inch, ENDS_MARK
    )
    return found


def own_block(g: BattleCore, unit: int) -> Way:
    """The block of the unit that a character is in, as the only obstacle near him, to be kept an inch away from."""
    setup, room, u = g.setup, g.work.ways, g.units
    pose = (u.x[unit], u.y[unit], u.facing[unit])
    far = setup.length + setup.width
    n, rows = g.work.call(
        gather,
        g.parts.rows,
        u.rows,
        setup.statics["ground"],
        setup.corners,
        unit,
        *pose,
        far,
        setup.rules["one_inch"],
        room.empty,
    )
    n = g.work.call(keep_only_marked, room.near, n, u.bodyguard[unit])
    g.work.call(set_margin, room.near, n, u.bodyguard[unit], setup.rules["one_inch"])
    return Way(room.near, room.points, n, room.body, rows)
