"""What is ruled out before a way is looked for: it must be what the search itself would not find."""

from __future__ import annotations

import math
from random import Random

import numpy as np

from wh_env.core.geometry.areas import engages_across
from wh_env.core.geometry.board import Board
from wh_env.core.geometry.charge_moves import is_stuck_in_block
from wh_env.core.geometry.contact_paths import approach
from wh_env.core.geometry.melee_search import CHARGE, linked, may_be_linked, squad_of
from wh_env.core.geometry.moves import ONLY_TARGETS, SAME_FOR_ALL
from wh_env.core.geometry.paths import DIAGONALLY, ON_FOOT
from wh_env.core.geometry.shapes import SLACK, within_reach_at
from wh_env.core.geometry.single import find_path, near_models
from wh_env.core.tables import OVAL, RECT
from wh_env.testing.tabletop import Table


def position(draw: Random) -> Table:
    """A unit of five, a target and an enemy that is none, by chance, with terrain between them."""
    mine = [(20.0 + 1.3 * k, 20.0 + draw.uniform(-1.5, 1.5)) for k in range(5)]
    foes = [(20.0 + 2.5 * k, 26.0 + draw.uniform(-1.5, 2.5), draw.choice((0.0, 0.0, 3.0))) for k in range(2)]
    t = Table((0, mine), (1, foes), (1, [(18.0 + draw.uniform(0.0, 8.0), 31.0)]))
    for i in range(5, 8):
        shape, a, b = draw.choice(((int(t.models["shape"][i]), 0.5, 0.5), (OVAL, 1.2, 0.7), (RECT, 1.1, 0.6)))
        t.shape(i, shape, a, b, draw.uniform(0.0, 6.0))
    for _ in range(draw.randint(0, 3)):
        x, y = draw.uniform(17.0, 27.0), draw.uniform(22.0, 25.0)
        t.block(
            x, y, x + draw.uniform(0.5, 5.0), y + draw.uniform(0.2, 1.0), top=draw.choice((1.0, 3.0, 9.0)), walkable=1
        )
    if draw.random() < 0.5:
        t.area(18.0, 23.0, 26.0, 24.0, 2.0)
    t.limits["engage_path"] = t.limits["engage_end"] = ONLY_TARGETS
    t.limits["mode"], t.limits["extra"] = SAME_FOR_ALL, float(draw.randint(2, 10))
    t.targets[1] = 1
    t.room()
    return t


def test_ways_that_end_near_enough_are_denied_only_where_there_is_none() -> None:
    """Asked first whether a way may end within a distance of its goal: where not, the way as close as can be does not end there."""
    answers = set()
    for seed in range(400):
        draw = Random(seed)
        t = position(draw)
        board = Board(*t.tables)
        squad = squad_of(t.models, t.units, 0, CHARGE, -1, 0.0, t.scratch, t.marks)
        i, goal = draw.randrange(5), draw.choice((5, 6))
        nn = near_models(t.models, t.limits, t.models["x"][i], t.models["y"][i], 30.0, squad.near)
        within = max(1.0, float(t.limits["engage_across"][0])) + SLACK
        maybe = approach(board, squad, i, goal, 0, nn, within) > 0
        points = approach(board, squad, i, goal, 0, nn, 0.0)
        ends = False
        if points:
            x, y, z, f = squad.best[points - 1].tolist()
            ends = within_reach_at(t.models, i, x, y, z, f, goal, 1.0, 5.0)
            ends = ends or engages_across(t.models, board.blocks, board.corners, i, x, y, z, f, goal, 5.0)
        assert maybe or not ends, seed
        answers.add((maybe, ends, points > 0))
    assert answers >= {(False, False, True), (True, True, True)}


def test_models_are_denied_coherency_only_where_they_have_none() -> None:
    """Nobody is linked with more models than may be, at the place itself or as far as it may be moved."""
    answers = set()
    for seed in range(300):
        draw = Random(seed)
        t = position(draw)
        board = Board(*t.tables)
        squad = squad_of(t.models, t.units, 0, CHARGE, -1, 0.0, t.scratch, t.marks)
        for k in range(5):
            squad.flags[k] = draw.randint(0, 1)
        i, link, more = draw.randrange(5), draw.randint(1, 3), draw.choice((0.0, 1.0, 3.0))
        x, y = draw.uniform(16.0, 30.0), draw.uniform(17.0, 24.0)
        turn, far = draw.uniform(0.0, 7.0), more * draw.random()
        found = linked(
            board, squad, i, x + far * math.cos(turn), y + far * math.sin(turn), draw.choice((0.0, 6.0)), 0.0
        )
        maybe = may_be_linked(board, squad, i, x, y, more, link)
        assert maybe or found < link, seed
        answers.add((maybe, found >= link))
    assert answers == {(False, False), (True, False), (True, True)}


def test_who_is_shut_in_has_no_way_anywhere() -> None:
    """Models in and beside blocks of all heights: where one is said to be shut in no path is found to any place."""
    answers = set()
    for seed in range(150):
        draw = Random(seed)
        t = position(draw)
        i = draw.randrange(5)
        if draw.random() < 0.5:
            t.shape(i, *draw.choice(((OVAL, 1.2, 0.7), (RECT, 1.1, 0.6))), draw.uniform(0.0, 6.0))
        m = t.models[i]
        x, y = m["x"] + draw.uniform(-1.0, 1.0), m["y"] + draw.uniform(-1.0, 1.0)
        bottom, top = draw.choice(((0.0, 1.5), (0.0, 4.0), (0.0, 1e4), (1.0, 1e4), (2.0, 1e4)))
        t.block(x - draw.uniform(0.1, 2.0), y - draw.uniform(0.1, 2.0), x + 0.1, y + 0.1, top, bottom)
        t.limits["through_air"] = draw.choice((ON_FOOT, ON_FOOT, DIAGONALLY))
        t.room()
        models, _, blocks, corners, objectives, limits, targets = t.tables
        shut = bool(is_stuck_in_block(models, blocks, corners, limits, i))
        found = 0
        for _ in range(60):
            far, turn = draw.uniform(0.0, float(t.limits["extra"][0])), draw.uniform(0.0, 7.0)
            to = float(m["x"]) + far * math.cos(turn), float(m["y"]) + far * math.sin(turn)
            z = draw.choice((0.0, float(m["z"]), min(top, 9.0)))
            points = np.zeros((2, 4))
            found += find_path(
                models, blocks, corners, objectives, limits, targets, i, *to, z, float(m["facing"]), points, t.marks, -1, -1, True,
            ) > 0  # fmt: skip
        assert not (shut and found), seed
        answers.add((shut, found > 0))
    assert answers == {(True, False), (False, False), (False, True)}
