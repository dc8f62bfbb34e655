"""Engagement Range across Area Terrain with Obscuring (w9.terrain.obscuring.engagement-range), wherever it is asked.

A ruin is a strip of 1" from y = 20 to 21 without walls, bases are of 1". The oracle of the random pairs knows nothing of the
engine: it samples outlines and lines.
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Any

import numpy as np
import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w10.ruleset import TENTH_EDITION
from wh_env.rulesets.w40k.questions.aircraft import engaged_units
from wh_env.rulesets.w40k.questions.engagements import engagements, forget_targets
from wh_env.rulesets.w40k.questions.move_limits import engaged, models_engaged
from wh_env.rulesets.w40k.shoot.declare import melee_targets
from wh_env.testing import Scene, kind, melee, pick, ranged, sheet, slots, words
from wh_env.testing.moves import judged, reachable

RULE = pytest.mark.rule("w9.terrain.obscuring.engagement-range")
PLAYERS = pytest.mark.parametrize("player", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
QUIET = {"cp_each_command_phase": 0}
STRIP = (20.0, 20.0, 40.0, 21.0)
BEHIND = (30.0, 22.2)
ARMS = {"blade": melee(A=1, WS=2, S=8, AP=0), "gun": ranged(24, BS=2, S=8)}
PISTOL = {"pistol": ranged(12, BS=2, S=8, abilities=["Pistol"])}


def strip(scene: Any, feature: str | None = "ruins", height: float = 5.0) -> None:
    """The feature between the two sides."""
    if feature == "barricade":
        scene.box(*STRIP, 1, kind=feature)
    elif feature is not None:
        scene.area(feature, *STRIP, 0.0 if feature == "crater" else height)


def facing(
    gap: float, feature: str | None = "ruins", *, player: int = 0, phase: str = "movement", height: float = 5.0,
    near: float | None = None, arms: Any = ARMS, **more: Any,
) -> Battle:  # fmt: skip
    """Mine and Foes ``gap`` inches apart, Mine ``near`` inches from the strip (else both as far from it)."""
    scene = NinthScene()
    strip(scene, feature, height)
    edge = 20.0 - ((gap - 1.0) / 2.0 if near is None else near)
    scene.unit(player, sheet("Mine", weapons=arms, W=9), at=(30, edge - 0.5), models=1, name="Mine")
    scene.unit(1 - player, sheet("Foes", weapons=arms, W=9), at=(30, edge + gap + 0.5), models=1, name="Foes")
    battle: Battle = scene.battle(phase, active=player, rules=QUIET, **more)
    return battle


def pair(
    one: tuple[float, ...], two: tuple[float, ...], feature: str | None = "ruins", **more: Any
) -> bool:  # fmt: skip
    """Whether two models there are engaged: asked in every way, and both ways round."""
    scene = NinthScene()
    strip(scene, feature)
    for hill in more.get("hills", ()):
        scene.box(*hill, kind="hill")
    scene.unit(0, sheet("Mine"), at=one, models=1)
    scene.unit(1, sheet("Foes"), at=two, models=1)
    return all_agree(scene.battle("fight", run=False))


def all_agree(battle: Battle) -> bool:
    """Whether models 0 and 1, the only ones of their units, are engaged, as all answers say."""
    forget_targets(battle)
    answers = {
        models_engaged(battle, 0, 1), models_engaged(battle, 1, 0), engaged(battle, 0), engaged(battle, 1),
        engaged_units(battle, 0) == [1], engaged_units(battle, 1) == [0],
        bool(engagements(battle)[0, 1]), bool(engagements(battle)[1, 0]),
        melee_targets(battle, 0)[1], melee_targets(battle, 1)[1],
    }  # fmt: skip
    assert len(answers) == 1
    return answers.pop()


# ---------------------------------------------------------------- what it is


@RULE
@pytest.mark.parametrize("near", [0.3, 0.7, None])
@pytest.mark.parametrize(
    ("gap", "feature", "within"),
    [(1.99, "ruins", True), (2.0, "ruins", True), (2.01, "ruins", False), (2.1, "ruins", False),
     (1.99, "crater", False), (1.99, None, False), (1.01, None, False), (1.0, None, True)],
)  # fmt: skip
def test_two_inches_across_the_footprint(gap: float, feature: str | None, within: bool, near: float | None) -> None:
    battle = facing(gap, feature, near=near, run=False)
    assert all_agree(battle) == within
    assert battle.setup.statics["engaged_across"] == (2.0 if feature == "ruins" else 0.0)


@RULE
@pytest.mark.parametrize("height", [0.5, 4.9, 9.0])
def test_the_height_of_the_feature_does_not_matter(height: float) -> None:
    assert all_agree(facing(1.9, height=height, run=False))


@RULE
@pytest.mark.parametrize(
    ("one", "two", "within"),
    [
        ((30, 18), (32.9, 18), False),  # 1.9" apart beside it
        ((30, 19.499), (32.9, 19.499), False),  # alongside it, touching it
        ((30, 19.8), (30, 16.9), False),  # on it, and the line leads away from it
        ((30, 16.9), (30, 19.8), False),
        ((30, 20.8), (30, 17.9), True),  # the line leaves it
        ((30, 20.5), (32.9, 20.5), True),  # both within it
        ((30, 20.5), (33.02, 20.5), False),
        ((39.9, 19.2), (39.9, 22.1), True),  # past its end or not
        ((40.1, 19.2), (40.1, 22.1), False),
        ((39.5, 19.2), (40.9, 21.6), True),  # over its corner
        ((40.0, 19.2), (41.4, 21.6), False),
    ],
)
def test_the_shortest_line_has_to_pass_over_it(one: Any, two: Any, within: bool) -> None:
    assert pair(one, two) == within
    assert not pair(one, two, None)


@RULE
@pytest.mark.parametrize(("z", "within"), [(4.0, True), (5.0, True), (5.1, False)])
@pytest.mark.parametrize("high", [0, 1])
def test_five_inches_up_or_down(z: float, within: bool, high: int) -> None:
    hill = (25, 21.1, 35, 26, z)
    ends = [(30, 19.2), (30, 22.1, z)]
    assert pair(ends[high], ends[1 - high], hills=[hill]) == within


@RULE
def test_hulls_face_each_other_over_any_part_of_their_sides() -> None:
    """Two hulls of 4" by 2", side by side along the ruin's end: only 0.5" of their sides lies over against each other there."""
    for x, within in ((36.5, True), (37.9, True), (42.1, False)):
        scene = NinthScene()
        strip(scene)
        scene.unit(0, sheet("Mine", hull_in=(4, 2)), at=(x, 18.6), models=1, facing=0.0)
        scene.unit(1, sheet("Foes", hull_in=(4, 2)), at=(x, 22.5), models=1, facing=0.0)
        assert all_agree(scene.battle("fight", run=False)) == within, x


@RULE
def test_other_editions_have_no_such_rule() -> None:
    scene = Scene(edition=TENTH_EDITION)
    strip(scene)
    scene.unit(0, sheet("Mine"), at=(30, 19), models=1)
    scene.unit(1, sheet("Foes"), at=(30, 21.9), models=1)
    battle = scene.battle("fight", run=False)
    assert not all_agree(battle)
    assert battle.setup.statics["engaged_across"] == 0.0
    assert not battle.setup.blocks["engage"].any()


# ---------------------------------------------------------------- an oracle


def outline(shape: str, a: float, b: float, x: float, y: float, f: float, n: int = 900) -> Any:
    """Points of an outline."""
    if shape == "hull":
        side = np.linspace(-1, 1, n // 4)
        one = np.ones_like(side)
        u = np.concatenate([a * side, a * side, a * one, -a * one])
        v = np.concatenate([b * one, -b * one, b * side, b * side])
    else:
        t = np.linspace(0, 2 * pi, n, endpoint=False)
        u, v = a * np.cos(t), b * np.sin(t)
    return np.stack([x + cos(f) * u - sin(f) * v, y + sin(f) * u + cos(f) * v], axis=1)


def depth(points: Any, box: tuple[float, ...]) -> Any:
    """How deep points lie in an upright rectangle; below 0 outside."""
    x0, y0, x1, y1 = box
    x, y = points[..., 0], points[..., 1]
    return np.minimum(np.minimum(x - x0, x1 - x), np.minimum(y - y0, y1 - y))


def by_sampling(one: Any, two: Any, box: tuple[float, ...]) -> bool | None:
    """Whether two outlines are engaged over the box; ``None`` where samples cannot tell."""
    apart = np.hypot(one[:, None, 0] - two[None, :, 0], one[:, None, 1] - two[None, :, 1])
    gap = float(apart.min())
    if gap <= 0.98:
        return True
    if gap > 2.02:
        return False
    if not 1.02 < gap < 1.98:
        return None
    nearest = np.argwhere(apart <= gap + 1e-4)
    t = np.linspace(0.01, 0.99, 99)[:, None]
    deep = max(float(depth(one[i] + t * (two[j] - one[i]), box).max()) for i, j in nearest[:50])
    return None if abs(deep) < 0.06 else deep > 0.0


SHAPES = {"round": ({"base_mm": 32}, 16 / 25.4, 16 / 25.4), "oval": ({"base_mm": (90, 52)}, 45 / 25.4, 26 / 25.4),
          "hull": ({"hull_in": (4, 2)}, 2.0, 1.0)}  # fmt: skip


@RULE
@pytest.mark.parametrize("first", SHAPES)
@pytest.mark.parametrize("second", SHAPES)
def test_random_pairs_against_sampled_lines(first: str, second: str) -> None:
    box = (20.0, 20.0, 24.0, 21.0)
    scene = NinthScene()
    scene.area("ruins", *box, 5.0)
    scene.unit(0, sheet("Mine", **SHAPES[first][0]), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes", **SHAPES[second][0]), at=(10, 30), models=1)
    battle = scene.battle("fight", run=False)
    m = battle.models
    random = np.random.default_rng(sum(map(ord, first + second)))
    told_apart = {True: 0, False: 0}
    for _ in range(250):
        poses = []
        x, y = random.uniform(19, 25), random.uniform(17, 24)
        away, turn = random.uniform(2.0, 5.5), random.uniform(0, 2 * pi)
        for k, (px, py) in enumerate(((x, y), (x + away * cos(turn), y + away * sin(turn)))):
            f = random.uniform(0, 2 * pi)
            m.x[k], m.y[k], m.facing[k] = px, py, f
            _, a, b = SHAPES[(first, second)[k]]
            poses.append(outline((first, second)[k], a, b, px, py, f))
        right = by_sampling(poses[0], poses[1], box)
        if right is not None:
            assert all_agree(battle) == right, poses
            told_apart[right] += 1
    assert min(told_apart.values()) > 20


# ---------------------------------------------------------------- moves


@RULE
@PLAYERS
@pytest.mark.parametrize(
    ("gap", "feature", "held"), [(2.0, "ruins", True), (2.01, "ruins", False), (1.9, "crater", False)]
)
def test_an_engaged_unit_falls_back_or_stays(gap: float, feature: str, held: bool, player: int) -> None:
    battle = facing(gap, feature, player=player)
    if kind(battle) == "select-to-move":
        pick(battle, "Mine")
    offers = " ".join(words(battle).values())
    assert ("Fall Back" in offers) == held
    assert ("Normal move" in offers) != held


def clear(x0: float, y0: float, x1: float, y1: float, foe: tuple[float, float], slack: float) -> bool:
    """Whether a round model of 1" sliding so never is within 2" + ``slack`` of one at ``foe`` across the strip, by samples."""
    for t in np.linspace(0, 1, 60):
        x, y = x0 + t * (x1 - x0), y0 + t * (y1 - y0)
        away = hypot(foe[0] - x, foe[1] - y)
        if away - 1.0 > 2.0 + slack:
            continue
        line = np.linspace(0.5 / away, 1 - 0.5 / away, 80)[:, None]
        points = np.array([x, y]) + line * (np.array(foe) - np.array([x, y]))
        if (depth(points, STRIP) > -slack).any():
            return False
    return True


def cells_of(battle: Battle) -> dict[int, tuple[float, float]]:
    """The displacement of every cell of the waiting decision on a move."""
    grid, region = battle.setup.space.grid, battle.pending().region
    half, step = grid // 2, 2.0 * region.half_x / (grid - 1)
    return {c: ((c % grid - half) * step, (c // grid - half) * step) for c in range(grid * grid)}


def moving(move: str, at: list[tuple[float, float]], player: int, feature: str | None) -> Battle:
    """A unit that stands there is asked where it moves; an enemy stands at ``BEHIND`` the strip."""
    scene = NinthScene()
    strip(scene, feature)
    scene.unit(player, sheet("Mine"), at=at, name="Mine")
    scene.unit(player, sheet("Beside"), at=(50, 40), name="Beside", models=1)
    scene.unit(1 - player, sheet("Foes"), at=BEHIND, models=1)
    battle: Battle = scene.battle("movement", active=player, rules=QUIET, dice=[3])
    pick(battle, "Mine", kind="select-to-move")
    pick(battle, move, kind="move-kind")
    return battle


def takes_each(battle: Battle, cells: set[int]) -> None:
    """Each of these cells is moved to, and there the unit is engaged with nobody."""
    row = battle.setup.names["units"].index("Mine")
    for cell in cells:
        after = battle.clone()
        after.apply(after.setup.space.cell + cell)
        m = after.models
        assert not engaged(after, row)
        assert all(clear(m.x[k], m.y[k], m.x[k], m.y[k], BEHIND, -0.02) for k in after.members(row))


@RULE
@PLAYERS
@pytest.mark.parametrize("move", ["Normal move", "Advance"])
def test_masks_of_moves_and_each_option(move: str, player: int) -> None:
    """Without a ruin there are more cells: those that are lost end or pass within Engagement Range. Each option is played."""
    at = [(25.8, 17.6), (25.2, 18.8)]
    battle, without = (moving(move, at, player, feature) for feature in ("ruins", None))
    legal, cells = set(slots(battle, "cell")), cells_of(battle)
    assert legal < set(slots(without, "cell"))
    lost = 0
    for cell in slots(without, "cell"):
        dx, dy = cells[cell]
        if all(clear(x, y, x + dx, y + dy, BEHIND, 0.02) for x, y in at):
            assert cell in legal, (dx, dy)
        if not all(clear(x + dx, y + dy, x + dx, y + dy, BEHIND, -0.02) for x, y in at):
            assert cell not in legal, (dx, dy)
            lost += 1
    assert lost >= 3
    takes_each(battle, legal)


@RULE
@PLAYERS
def test_who_falls_back_gets_out_of_it(player: int) -> None:
    """From 1.8" across the ruin; all places that are 2.1" away and more, straight back, are offered."""
    at = [(30.0, 19.4), (31.2, 18.6)]
    battle = moving("Fall Back", at, player, "ruins")
    legal, cells = set(slots(battle, "cell")), cells_of(battle)
    for cell, (dx, dy) in cells.items():
        if not all(clear(x + dx, y + dy, x + dx, y + dy, BEHIND, -0.02) for x, y in at):
            assert cell not in legal, (dx, dy)
        elif dx == 0 and -5.9 < dy < -0.3:
            assert cell in legal, dy
    assert len(legal) > 20
    takes_each(battle, legal)


@RULE
@PLAYERS
def test_a_path_may_not_pass_within_it(player: int) -> None:
    """Along the ruin past an enemy 1.5" behind it, and 2.01" past it; through the middle it comes too near, whatever it ends."""
    for gap, feature, fault in (
        (1.9, "ruins", Fault.ENGAGES_ON_THE_WAY), (2.02, "ruins", Fault.LEGAL), (1.9, "crater", Fault.LEGAL),
    ):  # fmt: skip
        scene = NinthScene()
        strip(scene, feature)
        unit = scene.unit(player, sheet("Mine", M=8), at=(26.5, 19), models=1)
        scene.unit(1 - player, sheet("Foes"), at=(30, 19 + 1 + gap), models=1)
        battle = scene.battle("movement", active=player, run=False)
        assert judged(battle, unit, (33.5, 19)) == fault, gap
        assert judged(battle, unit, (30, 15), (33.5, 19)) == Fault.TOO_FAR
        ends = Fault.ENGAGES_AT_THE_END if fault else Fault.LEGAL
        assert judged(battle, unit, (30, 19)) in (ends, fault)


@RULE
@DETAILS
def test_where_one_model_may_go(detail: str) -> None:
    """Every place of a lattice: it is found a way there only where it would not end engaged, and to all where it can go straight."""
    scene = NinthScene()
    strip(scene)
    foe = (30.0, 22.2)
    unit = scene.unit(0, sheet("Mine"), at=(26.6, 18.0), models=1)
    scene.unit(1, sheet("Foes"), at=foe, models=1)
    battle = scene.battle("movement", run=False, detail=detail)
    asked = 0
    for x in np.arange(24.0, 32.0, 0.4):
        for y in np.arange(16.5, 24.0, 0.4):
            if hypot(x - 26.6, y - 18.0) > 5.9 or hypot(x - foe[0], y - foe[1]) < 2.05:
                continue
            way = reachable(battle, unit, 0, (float(x), float(y)))
            if not clear(x, y, x, y, foe, -0.02):
                assert way is None, (x, y)
                asked += 1
            elif way is not None:
                points = [(26.6, 18.0), *((px, py) for px, py, _, _ in way)]
                for (ax, ay), (bx, by) in pairwise(points):
                    assert clear(ax, ay, bx, by, foe, -0.05), (x, y)
            elif hypot(x - foe[0], y - foe[1]) > 2.1 and clear(26.6, 18.0, x, y, foe, 0.03):
                along = np.linspace(0, 1, 100)
                near = np.hypot(26.6 + along * (x - 26.6) - foe[0], 18.0 + along * (y - 18.0) - foe[1]).min()
                assert near <= 2.01, (x, y)
    assert asked > 5
