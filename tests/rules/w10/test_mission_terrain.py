"""Create the Battlefield: terrain features that the players place (w10.concepts.terrain-features, w10.objective.on-terrain,
w10.terrain.layout-guidelines)."""

from __future__ import annotations

import random
from itertools import combinations
from math import cos, hypot, pi, sin

import numpy as np
import pytest

from wh_env import Battle, ContentError
from wh_env.content.geometry import overlap
from wh_env.content.w10 import load_battle
from wh_env.content.w40k.terrain import compile_terrain
from wh_env.core.procedures import Default
from wh_env.rulesets.w10.numbers import GUIDELINES
from wh_env.rulesets.w10.ruleset import TENTH_EDITION
from wh_env.rulesets.w40k.deploy.battlefield import LADDER, LEFT_OUT, STANDS, boards
from wh_env.testing import Scene, choose, dice_left, sheet, slots, told

KINDS = ("select-feature", "turn-feature", "place-feature", "place-feature-exactly")
RADIUS = 40 / 25.4 / 2
GRID = 17


def tables(features: int = 2, dice: tuple[int, ...] = (5, 2), size: tuple[float, float] = (60, 44), **more: object):
    """A scene with so many containers of 4" by 2" to place; player 0 wins the roll-off unless told."""
    scene = Scene(size=size)
    for k in range(features):
        scene.box(1, 3 * k + 1, 5, 3 * k + 3, 3)
    scene.unit(0, sheet("Mine"), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    more.setdefault("detail", "squad")
    return scene.battle(phase="mission", dice=dice, rules={"terrain": "players", **more.pop("rules", {})}, **more)


def placing(battle: Battle) -> bool:
    """Whether a decision on terrain waits."""
    return battle.decision is not None and battle.decision.kind in KINDS


def played(name: str, seed: int, detail: str = "squad", **rules: object) -> Battle:
    """A shipped battle with its terrain placed at random."""
    battle = Battle.load(name, seed, detail=detail, record=True, rules={"terrain": "players", **rules})
    chance = random.Random(seed)
    while placing(battle):
        battle.apply(chance.choice(battle.decision.options))
    return battle


@pytest.mark.rule("w10.concepts.terrain-features")
@pytest.mark.parametrize(("dice", "order"), [((5, 2), [0, 1, 0]), ((1, 6), [1, 0, 1]), ((4, 4, 2, 3), [1, 0, 1])])
def test_the_players_place_features_alternately(dice: tuple[int, ...], order: list[int]) -> None:
    """The winner of a roll-off first, before anything else; each feature once, and then it stands there."""
    battle = tables(3, dice)
    assert dice_left(battle) == 0
    assert len(battle.setup.features) == 0
    players = []
    while placing(battle):
        players.append(battle.decision.player)
        battle.apply(battle.decision.options[-1])
    assert players == order
    assert list(battle.sites.placed) == [STANDS] * 3
    assert len(battle.setup.features) == 3
    assert not battle.models.rows["on_table"].any()
    assert [e["player"] for e in told(battle, "w10.concepts.terrain-features") if "feature" in e] == order


@pytest.mark.rule("w10.concepts.terrain-features")
def test_full_detail_chooses_feature_angle_and_exact_place() -> None:
    """The second container, upright, by cell and finer cell: its corners are then known exactly."""
    battle = tables(2, detail="full")
    assert battle.decision.kind == "select-feature"
    assert slots(battle, "number") == [0, 1]
    choose(battle, "number", 1)
    assert battle.decision.kind == "turn-feature"
    assert slots(battle, "angle") == list(range(24))
    choose(battle, "angle", 6)
    assert battle.decision.kind == "place-feature"
    cell = 8 * GRID + 5
    choose(battle, "cell", cell)
    assert battle.decision.kind == "place-feature-exactly"
    assert len(slots(battle, "cell")) == GRID * GRID  # nothing is near
    choose(battle, "cell", 3 * GRID + 10)
    x = (5.5 + 2 / GRID) * 60 / GRID
    y = (8.5 - 5 / GRID) * 44 / GRID
    assert (battle.decision.kind, battle.decision.player) == ("turn-feature", 1)  # one feature is left
    choose(battle, "angle", 0)
    choose(battle, "cell", slots(battle, "cell")[0])
    choose(battle, "cell", slots(battle, "cell")[0])
    corners = battle.setup.corners[battle.setup.features[1]["first"] :][:4]
    assert sorted(map(tuple, corners.round(6))) == sorted(
        (round(x + dx, 6), round(y + dy, 6)) for dx in (-1, 1) for dy in (-2, 2)
    )


def outlines(battle: Battle) -> list[list[tuple[float, float]]]:
    """Corners of the footprints that stand."""
    setup = battle.setup
    return [[tuple(p) for p in setup.corners[f["first"] : f["first"] + f["count"]]] for f in setup.features]


def apart(a: list[tuple[float, float]], b: list[tuple[float, float]]) -> float:
    """Distance between two outlines that do not overlap, from points along their edges."""

    def along(points):
        for (x1, y1), (x2, y2) in zip(points, [*points[1:], points[0]], strict=True):
            for t in np.linspace(0, 1, 41):
                yield x1 + t * (x2 - x1), y1 + t * (y2 - y1)

    one, other = np.array(list(along(a))), np.array(list(along(b)))
    return float(np.hypot(*(one[:, None] - other[None]).transpose(2, 0, 1)).min())


@pytest.mark.rule("w10.terrain.layout-guidelines")
@pytest.mark.parametrize("name", ["w10/only-war-incursion", "w10/only-war-skirmish"])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_places_follow_the_guidelines(name: str, detail: str) -> None:
    """Measured by other means: apart, lanes of 5" along the edges, 4" between what is higher than 2", every board used,
    Ruins across the middle. A place that breaks one is offered only where none keeps them all."""
    for seed in range(2):
        battle = played(name, seed, detail)
        setup, shapes = battle.setup, outlines(battle)
        events = {
            e["feature"]: e["guidelines"] for e in told(battle, "w10.concepts.terrain-features") if "feature" in e
        }
        standing = [k for k, placed in enumerate(battle.sites.placed) if placed == STANDS]
        assert len(standing) == len(shapes) == len(events)
        assert sum(kept == LADDER[0] for kept in events.values()) >= len(shapes) - 5
        height = [setup.blocks[setup.blocks["feature"] == k] for k in range(len(shapes))]
        tall = [bool((b["z_high"][b["solid"] == 1] > 2).any()) for b in height]
        for k, shape in enumerate(shapes):
            lane = 5.0 if "lane" in events[standing[k]] else 0.0
            for x, y in shape:
                assert lane - 1e-3 <= x <= setup.length - lane + 1e-3 and lane - 1e-3 <= y <= setup.width - lane + 1e-3
        for a, b in combinations(range(len(shapes)), 2):
            assert overlap(shapes[a], shapes[b]) < 0.02
            if tall[a] and tall[b] and "gap" in events[standing[a]] and "gap" in events[standing[b]]:
                assert apart(shapes[a], shapes[b]) > 3.999
        columns, rows = boards(setup.length, setup.width, GUIDELINES.board)
        used = {
            (int(battle.sites.x[k] / setup.length * columns), int(battle.sites.y[k] / setup.width * rows))
            for k in standing
        }
        assert len(used) == columns * rows
        ruins = [shape for shape, f in zip(shapes, setup.features, strict=True) if f["kind"] == 0]
        assert any(min(x for x, _ in s) < setup.length / 2 < max(x for x, _ in s) for s in ruins)


@pytest.mark.rule("w10.terrain.layout-guidelines")
@pytest.mark.parametrize(
    ("size", "expected"), [((44, 30), (2, 1)), ((60, 44), (2, 2)), ((44, 60), (2, 2)), ((90, 44), (3, 2))]
)
def test_boards_are_about_22_by_30(size: tuple[float, float], expected: tuple[int, int]) -> None:
    assert boards(*size, GUIDELINES.board) == expected


def test_placed_terrain_is_what_the_map_would_compile_to() -> None:
    """The same features written into the battlefield where the players put them: the same tables."""
    battle = played("w10/only-war-incursion", 3, "full")
    loaded = load_battle("w10/only-war-incursion")
    field, features = loaded.battlefield, []
    for feature in field.features:
        features += [feature.model_copy(update={"mirror": False})]
        if feature.mirror:
            x, y = feature.at
            other = {"mirror": False, "at": (60 - x, 44 - y), "rotation": feature.rotation + 180}
            features.append(feature.model_copy(update=other))
    sites = battle.sites
    assert list(sites.placed) == [STANDS] * len(features)
    _, corners, rows = compile_terrain(field)
    for k, feature in enumerate(features):
        shape = corners[rows[k]["first"] : rows[k]["first"] + rows[k]["count"]]
        cx, cy = (shape.min(axis=0) + shape.max(axis=0)) / 2
        dx, dy, turn = feature.at[0] - cx, feature.at[1] - cy, sites.facing[k]
        at = (sites.x[k] + cos(turn) * dx - sin(turn) * dy, sites.y[k] + sin(turn) * dx + cos(turn) * dy)
        features[k] = feature.model_copy(update={"at": at, "rotation": feature.rotation + turn * 180 / pi})
    blocks, corners, rows = compile_terrain(
        field.model_copy(update={"features": tuple(features)}), types=TENTH_EDITION.terrain
    )
    assert len(corners) == len(battle.setup.corners)
    assert (rows == battle.setup.features).all()
    for column in set(blocks.dtype.names) - {"first"}:
        assert np.allclose(blocks[column], battle.setup.blocks[column]), column
    for row in (*rows, *blocks):  # a hull may begin with another of its corners
        part = slice(row["first"], row["first"] + row["count"])
        here, due = battle.setup.corners[part], corners[part]
        assert np.abs(here[:, None] - due[None]).sum(axis=2).min(axis=0).max() < 1e-6


def test_a_battle_on_placed_terrain_is_saved_copied_and_played_again() -> None:
    """In the middle of placing and after it: the same decisions, the same terrain; and it is played to its end."""
    battle = Battle.load("w10/only-war-skirmish", 5, detail="full", rules={"terrain": "players", "markers": "players"})
    chance = random.Random(5)
    start, actions = battle.clone(), []

    def play(until: int) -> None:
        while battle.decision is not None and len(actions) < until:
            actions.append(chance.choice(battle.decision.options))
            battle.apply(actions[-1])

    for until in (9, 120):
        play(until)
        resumed = Battle.from_bytes(battle.to_bytes())
        assert resumed.decision == battle.decision
        assert (resumed.setup.corners == battle.setup.corners).all()
    assert start.decision.kind == "select-feature"
    other = start.clone()
    other.copy_from(battle)
    assert other.setup is battle.setup
    assert other.decision == battle.decision
    play(10_000)
    again, on_table = start.clone(), start.clone()
    assert len(start.setup.features) == 0
    table = start.clone()
    for action in actions:
        again.apply(action)
        on_table.apply_on(table, action)
    assert again.over
    assert again.state_bytes() == on_table.state_bytes() == battle.state_bytes()
    assert (on_table.setup.corners == battle.setup.corners).all()


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_delegates_lay_the_map_out_about_as_it_is(detail: str) -> None:
    """The battle asks nothing; each feature stands within a cell or two of its place in the map, turned as there."""
    kinds = Battle.load("w10/only-war-skirmish").setup.ruleset.kind_by_name
    policies = {name: Default(kinds[name]) for name in KINDS}
    battle = Battle.load("w10/only-war-skirmish", detail=detail, rules={"terrain": "players"}, delegates=policies)
    assert not placing(battle)
    asis = Battle.load("w10/only-war-skirmish").setup
    for here, there in zip(battle.setup.features, asis.features, strict=True):
        place = battle.setup.corners[here["first"] : here["first"] + here["count"]].mean(axis=0)
        due = asis.corners[there["first"] : there["first"] + there["count"]].mean(axis=0)
        assert abs(place - due).max() < 4
    assert not any(battle.sites.facing)


@pytest.mark.rule("w10.terrain.layout-guidelines")
def test_guidelines_are_no_limits() -> None:
    """A table of 9" by 9" has no lanes of 5": a container is placed all the same. Where the first of
    two stands in the middle of 9" by 6" there is no room for the second: it is left out."""
    battle = tables(1, size=(9, 9))
    choose(battle, "cell", slots(battle, "cell")[0])
    assert [e["guidelines"] for e in told(battle, "w10.concepts.terrain-features") if "feature" in e] == [()]
    assert len(battle.setup.features) == 1
    scene = Scene(size=(9, 6), zone_depth=1)
    for x in (0.2, 4.6):
        scene.box(x, 0.2, x + 4, 5.7, 3)
    narrow = scene.battle(phase="mission", rules={"terrain": "players"})
    while placing(narrow):
        choose(narrow, "cell", 8 * GRID + 8)
    assert list(narrow.sites.placed) == [STANDS, LEFT_OUT]
    assert len(narrow.setup.features) == 1


# ---------------------------------------------------------------- markers and terrain


@pytest.mark.rule("w10.objective.on-terrain")
def test_players_shift_a_feature_away_from_a_marker_of_the_map() -> None:
    """The marker stands at (30, 22): a container 4" by 2" is offered no place within 1" of its edge, and others beyond."""
    scene = Scene()
    scene.box(1, 1, 5, 3, 3)
    scene.marker(30, 22)
    scene.unit(0, sheet("Mine"), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission", dice=(5, 2), rules={"terrain": "players"})
    offered = set(slots(battle, "cell"))
    for cell in range(GRID * GRID):
        x, y = (cell % GRID + 0.5) * 60 / GRID, (cell // GRID + 0.5) * 44 / GRID
        on_table = 7 <= x <= 53 and 6 <= y <= 38
        gap = hypot(max(abs(x - 30) - 2, 0), max(abs(y - 22) - 1, 0)) - RADIUS
        assert (cell in offered) == (on_table and gap > 1.0001)


@pytest.mark.rule("w10.objective.on-terrain")
@pytest.mark.parametrize(("gap", "legal"), [(0.9, False), (1.1, True)])
def test_players_place_markers_more_than_one_inch_from_walls(gap: float, legal: bool) -> None:
    """A wall so far from the edge of a marker in the middle cell."""
    scene = Scene()
    wall = [(20, 22 + RADIUS + gap), (40, 22 + RADIUS + gap), (40, 25), (20, 25)]
    scene.feature(kind="ruins", polygon=wall, height=5, parts={"walls": [{"polygon": wall, "height": 5}]})
    scene.unit(0, sheet("Mine"), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission", dice=(5, 2), rules={"players_place_markers": 4})
    assert (8 * GRID + 8 in slots(battle, "cell")) == legal


def test_unknown_ways_of_placing_are_refused() -> None:
    with pytest.raises(ContentError, match=r"rules\.terrain"):
        Battle.load("w10/only-war-skirmish", rules={"terrain": "nobody"})
    with pytest.raises(ContentError, match="at most 32"):
        tables(33, size=(60, 200))
