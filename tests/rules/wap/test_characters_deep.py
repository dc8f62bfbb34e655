"""Characters on deep bases in units that fight and that losses leave with one full rank: bases stand beside each other, in the rectangles that the unit covers."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from heroes import rider

from wh_env import Battle
from wh_env.core.geometry.shapes import EPS, overlap_at
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.joined import joined_to, models_in
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.tables import PARTS
from wh_env.rulesets.wap.view.formations import corners_of
from wh_env.testing.wap import RegimentScene, UnitHandle, square

SCENES = 25


def overlapping(g: Battle, unit: int) -> list[tuple[int, int]]:
    """Pairs of bases of a combined unit that lie on each other."""
    m, rows = g.models, g.models.rows

    def pose(k: int) -> tuple[float, float, float]:
        return m.x[k], m.y[k], m.facing[k]

    return [(k, j) for k, j in combinations(models_in(g, unit), 2) if overlap_at(rows, k, *pose(k), j, *pose(j))]


def outside(g: Battle, unit: int) -> list[int]:
    """Models of a combined unit whose base no rectangle of its block covers as far as its middle line."""
    m, p, first = g.models, g.parts, g.units.first_part[unit]
    parts = [
        corners_of(p.x[k], p.y[k], p.facing[k], p.half_a[k] + EPS, p.half_b[k] + EPS)
        for k in range(first, first + PARTS)
        if p.on_table[k]
    ]
    found = []
    for k in models_in(g, unit):
        tips = corners_of(m.x[k], m.y[k], m.facing[k], m.half_a[k], m.half_b[k])
        if not all(any(within(tip, part) for part in parts) for tip in tips):
            found.append(k)
    return found


def within(point: tuple[float, float], corners: tuple[tuple[float, float], ...]) -> bool:
    """Whether a point is in a rectangle, given from its front left corner on clockwise."""
    x, y = point
    ring = zip(corners, (*corners[1:], corners[0]), strict=True)
    return all((bx - ax) * (y - ay) - (by - ay) * (x - ax) <= EPS for (ax, ay), (bx, by) in ring)


def in_front(g: Battle, unit: int) -> int:
    """Files of the front rank that bases take."""
    u, m = g.units, g.models
    return sum(round(2.0 * m.half_b[k] / (2.0 * u.base_b[unit])) for k in models_in(g, unit) if m.rank[k] == 0)


def led_by_riders(posts: list[int], models: int, files: int, fights: bool = True) -> tuple[Battle, UnitHandle]:
    scene = RegimentScene((48, 48))
    host = scene.unit(0, square(ld=10), (24, 20), models=models, files=files)
    for post in posts:
        scene.unit(0, rider(), inside=host, models=1, post=post)
    if fights:
        scene.beside(host, 1, square(ld=10), models=2 * files, files=files)
    scene.unit(1, None, (24, 46))
    return scene.battle("combat", run=False), host


@pytest.mark.rule("wap.character.base.multiple", "wap.core.unit.even-ranks", "wap.core.casualties.rear-rank")
@pytest.mark.parametrize("number", range(SCENES))
def test_losses_leave_bases_beside_each_other(number: int) -> None:
    chance = Random(number)
    files = chance.randint(2, 7)
    riders = chance.randint(1, min(3, files))
    battle, host = led_by_riders(chance.sample(range(files), riders), files * 2 + chance.randint(0, files), files)
    while battle.units.place[host] == ON_TABLE and battle.units.alive[host]:
        assert overlapping(battle, host.row) == []
        assert outside(battle, host.row) == []
        assert in_front(battle, host.row) == battle.units.files[host]
        assert len(joined_to(battle, host.row)) == riders
        assert not list(battle.setup.ruleset.contradictions(battle))
        suffer(battle, host.row, 1)
