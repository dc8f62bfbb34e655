"""The drawing as data: everything on the table, to scale, with what the last action did."""

from __future__ import annotations

import copy
from dataclasses import replace
from math import hypot, inf, pi

import numpy as np
import pytest

from wh_env import Battle
from wh_env.render import Follower
from wh_env.render.labels import Labels
from wh_env.render.last import Last, tell, telling
from wh_env.render.lettering import WIDE, Name, write
from wh_env.render.scene import build_scene, choices
from wh_env.render.shapes import Shape, pairs
from wh_env.render.theme import MODES, styles
from wh_env.testing import Scene, pick, ranged, sheet

GUNS, WALKER, MOB, TANK = range(4)


def of_style(shapes: dict[str, Shape], style: str) -> list[Shape]:
    return [shape for shape in shapes.values() if shape.style == style]


def test_bases_are_drawn_to_scale(stage):
    battle = stage.battle()
    scene = build_scene(battle)
    m = battle.models
    assert (scene.length, scene.width, scene.grain, scene.unit) == (60.0, 44.0, 1.0, "in")
    for k in range(len(m.x)):
        base = scene.shapes[f"m{k}"]
        assert (base.x, base.y, base.turn, base.unit) == (m.x[k], m.y[k], m.facing[k], m.unit[k])
        assert (base.a, base.b) == (m.half_a[k], m.half_b[k])
        assert base.style == f"model-{m.owner[k]}" and base.nose
    walker, tank = scene.shapes["m3"], scene.shapes["m6"]
    assert (
        walker.kind == "oval" and walker.a == pytest.approx(105 / 25.4 / 2) and walker.b == pytest.approx(70 / 25.4 / 2)
    )
    assert walker.turn == pytest.approx(pi / 2)
    assert tank.kind == "box" and (tank.a, tank.b) == (2.5, 1.5)
    assert tank.text == "11"
    assert scene.shapes["m0"].text == ""  # of one wound nothing is told


def test_only_what_stands_on_the_table_is_drawn(stage):
    battle = stage.battle(set_state=lambda g: (g.models.on_table.__setitem__(1, 0), g.models.alive.__setitem__(1, 0)))
    shapes = build_scene(battle).shapes
    assert "m1" not in shapes and "m0" in shapes
    assert shapes["u0"].text == "Guns ×2"


def test_models_on_floors_say_so_and_lie_above(stage):
    up = stage.unit(0, sheet("Watch"), at=(50, 12, 6.0))
    battle = stage.battle()
    shapes = build_scene(battle).shapes
    base = shapes[f"m{up.first}"]
    assert base.layer > shapes["m0"].layer
    assert shapes[f"z{up.first}"].text == "▲6"
    assert '6" up' in base.title


def test_terrain_shows_heights_walls_and_names(stage):
    shapes = build_scene(stage.battle()).shapes
    floors = {name: shape for name, shape in shapes.items() if shape.style.startswith("floor-")}
    level = {shape.points[:2]: int(shape.style[-1]) for shape in floors.values()}
    assert len(floors) == 3  # a container and two floors
    assert sorted(level.values()) != [0, 0, 0]
    words = {shape.text for shape in of_style(shapes, "height")}
    assert words == {'2.5"', '3"', '6"'}
    assert {shape.text for shape in of_style(shapes, "feature")} == {"container", "ruins", "woods"}
    (wall,) = of_style(shapes, "wall")
    assert {x for x, _ in pairs(wall.points)} == {44.0, 54.0}
    (woods,) = of_style(shapes, "ground-woods")
    assert pairs(woods.points)[0] in [(2.0, 30.0), (10.0, 30.0), (10.0, 36.0), (2.0, 36.0)]
    upper, lower = (next(s for s in floors.values() if s.layer == layer) for layer in _layers(floors))
    assert upper.layer > lower.layer


def _layers(floors: dict[str, Shape]) -> tuple[int, int]:
    layers = sorted({shape.layer for shape in floors.values()})
    return layers[-1], layers[0]


def test_terrain_that_players_place_is_drawn_as_it_is_placed():
    battle = Battle.load("w10/only-war-skirmish", 1, rules={"terrain": "players"})
    pieces = len(battle.setup.statics["pieces"][2])
    seen = set()
    for _ in range(400):
        if battle.clock.round[0]:
            break
        seen.add(sum(key[0] == "f" and key[1:].isdigit() for key in build_scene(battle).shapes))
        battle.apply(battle.first_legal())
    assert 0 in seen and pieces in seen and len(seen) > 2


@pytest.mark.parametrize("holder", [-1, 0, 1])
def test_objectives_show_who_holds_them_and_their_range(stage, holder):
    battle = stage.battle(set_state=lambda g: g.objectives.holder.__setitem__(0, holder))
    shapes = build_scene(battle).shapes
    assert shapes["o0"].style == ("marker-none" if holder < 0 else f"marker-{holder}")
    assert shapes["ot0"].text == "1"
    assert shapes["r0"].a == pytest.approx(battle.objectives.radius[0] + battle.setup.rules["marker_range"])
    assert Labels(battle).player(holder) in shapes["o0"].title


def test_the_waiting_decision_is_marked(stage):
    battle = stage.battle("movement")
    assert set(choices(battle)) == {GUNS, WALKER}
    marked = {key.split(".")[0] for key in build_scene(battle).shapes if key[0] == "c" and "." in key}
    assert marked == {"c0", "c1"}
    pick(battle, "Guns")
    halos = {key.split(".")[0] for key in build_scene(battle).shapes if key[0] == "h" and "." in key}
    assert halos == {"h0"}


def test_a_move_leaves_a_trail(stage):
    battle = stage.battle("movement")
    pick(battle, "Walker")
    follower = Follower(battle)
    before = battle.models.x[3], battle.models.y[3]
    while battle.decision and battle.decision.subject == WALKER and (battle.models.x[3], battle.models.y[3]) == before:
        cells = [a for a in battle.decision.options if battle.setup.space.cell <= a < battle.setup.space.angle]
        battle.apply(cells[-1] if cells else _normal_move(battle))
    shapes = build_scene(battle, telling(battle, follower.step())).shapes
    ghost, base = shapes["w3"], shapes["m3"]
    assert (ghost.x, ghost.y) == before
    assert (base.x, base.y) != before
    assert shapes["way"].text == Labels(battle).length(hypot(base.x - ghost.x, base.y - ghost.y))
    assert pairs(shapes["v3"].points)[0] == before
    assert not [key for key in shapes if key[0] in "vw" and key[1:].isdigit() and key[1:] != "3"]


def _normal_move(battle: Battle) -> int:
    return next(a for a in battle.decision.options if "ormal" in battle.describe(a))


def test_a_recorded_path_is_enough_for_a_trail(stage):
    battle = stage.battle("movement")
    pick(battle, "Walker")
    while not any("path" in event.data for event in battle.events):
        cells = [a for a in battle.decision.options if battle.setup.space.cell <= a < battle.setup.space.angle]
        battle.apply(cells[-1] if cells else _normal_move(battle))
    ghost = build_scene(battle).shapes["w3"]
    assert (ghost.x, ghost.y) == (30.0, 12.0)


@pytest.fixture
def volley(stage):
    """The Guns have shot at the Mob, which lost both its models; and what that action did."""
    battle = stage.battle("shooting", dice=[6] * 12 + [1] * 6)
    follower = Follower(battle)
    pick(battle, "Guns")  # the Mob is the only target
    return battle, follower.look()


def test_shots_are_lines_with_distance_and_range(volley):
    battle, last = volley
    attack = next(n for n, event in enumerate(last.events) if event.kind == "hit roll")
    # as it stood when the dice fell
    early = Last(last.events[: attack + 6])
    stage_ = battle.clone()
    for k in (4, 5):
        stage_.models.on_table[k] = stage_.models.alive[k] = 1
    shapes = build_scene(stage_, early).shapes
    lines = [shape for key, shape in shapes.items() if key.startswith("s") and key.endswith(".2")]
    assert {line.style for line in lines} == {"shot-0"}
    assert len(lines) == 3
    for line, k in zip(sorted(lines, key=lambda s: s.points[0]), (0, 1, 2), strict=True):
        (x, y), *_ = pairs(line.points)
        assert hypot(x - battle.models.x[k], y - battle.models.y[k]) == pytest.approx(battle.models.radius[k])
    assert shapes["d2"].text == Labels(battle).length(stage_.distance(GUNS, MOB))
    assert shapes["reach"].a == pytest.approx(24 + battle.models.radius[0])


def test_the_fallen_are_crossed_out(volley):
    battle, last = volley
    assert battle.units.alive[MOB] == 0
    shapes = build_scene(battle, telling(battle, last)).shapes
    for k in (4, 5):
        assert f"m{k}" not in shapes
        (x0, y0), (x1, y1) = pairs(shapes[f"x{k}"].points)
        assert ((x0 + x1) / 2, (y0 + y1) / 2) == (battle.models.x[k], battle.models.y[k])


def test_what_ends_an_action_does_not_hide_what_it_did(volley):
    battle, last = volley
    assert last.events[-1].kind not in ("hit roll", "save roll", "model destroyed")
    told = telling(battle, last)
    assert tell(battle, told).unit == GUNS
    assert tell(battle, told).targets == [MOB]


def test_a_charge_roll_is_a_circle(stage):
    runner = stage.unit(0, sheet("Runners", M=6), at=[(20, 24)])
    battle = stage.battle("charge", dice=[1, 2])
    pick(battle, "Runners")
    while not any(event.kind == "Charge roll" for event in battle.events):
        battle.apply(battle.first_legal())
    at = next(n for n, event in enumerate(battle.events) if event.kind == "Charge roll")
    shapes = build_scene(battle, Last(battle.events[: at + 1])).shapes
    assert shapes["reach"].a == pytest.approx(3 + battle.models.radius[runner.first])
    assert (shapes["reach"].x, shapes["reach"].y) == (20, 24)


def test_drawing_changes_nothing(stage):
    battle = stage.battle("shooting")
    state, told, legal = battle.state_bytes(), len(battle.events), battle.legal().copy()
    first = build_scene(battle)
    assert build_scene(battle).shapes == first.shapes
    assert battle.state_bytes() == state
    assert len(battle.events) == told
    assert (battle.legal() == legal).all()


def test_lengths_carry_the_unit_of_the_ruleset(stage):
    battle = stage.battle()
    metric = copy.copy(battle.setup.ruleset)
    vars(metric).update(length_unit="cm", phases=())
    battle.setup = replace(battle.setup, ruleset=metric)
    shapes = build_scene(battle).shapes
    assert {shape.text for shape in of_style(shapes, "height")} == {"2.5 cm", "3 cm", "6 cm"}
    marks = [shape.text for shape in of_style(shapes, "ruler")]
    assert all(mark.endswith(" cm") for mark in marks) and "10 cm" in marks
    assert Labels(battle).phase() == f"phase {battle.clock.phase[0]}"


def test_every_style_that_is_drawn_is_known(stage, replay):
    known = styles("light").keys()
    assert styles("dark").keys() == known and set(MODES) == {"light", "dark"}
    follower = None
    drawn = {shape.style for shape in build_scene(stage.battle()).shapes.values()}
    for number, battle in enumerate(replay.play(record=True)):
        follower = follower or Follower(battle)
        last = follower.step()
        if number % 3 == 0:
            drawn |= {shape.style for shape in build_scene(battle, telling(battle, last)).shapes.values()}
    assert drawn <= known
    assert {"trail-0", "trail-1", "shot-0", "halo", "choice", "fallen-1"} <= drawn


# ---- names


def boxes(names: list[Name], places: list[tuple[float, float]], size: float) -> np.ndarray:
    half = np.array([WIDE * size * len(name.words) for name in names])
    x, y = np.array(places).T
    return np.column_stack([x - half, y - size / 2, x + half, y + size / 2])


def shared(one: np.ndarray, two: np.ndarray) -> float:
    sides = np.minimum(one[2:], two[2:]) - np.maximum(one[:2], two[:2])
    return float(np.clip(sides, 0, None).prod())


def test_names_keep_off_each_other_and_stay_on_the_table():
    crowd = [Name(f"company {k}", np.array([(20 + 3 * k, 0.5, 22.5 + 3 * k, 3.0)])) for k in range(5)]
    crowd.append(Name("in the corner", np.array([(58.0, 42.0, 60.0, 44.0)])))
    bases = np.vstack([name.bases for name in crowd])
    found = boxes(crowd, write(crowd, 0.85, bases, (60.0, 44.0)), 0.85)
    for one in range(len(found)):
        for other in range(one):
            assert shared(found[one], found[other]) == 0.0
        assert found[one].min() >= -1e-9 and found[one][2] <= 60.0 and found[one][3] <= 44.0 + 1e-9
        assert max(shared(found[one], base) for base in bases) < 0.3


def test_a_name_stands_below_its_unit_where_there_is_room():
    name = Name("alone", np.array([(30.0, 20.0, 31.0, 21.0), (32.0, 20.0, 33.0, 21.0)]))
    ((x, y),) = write([name], 1.0, name.bases, (60.0, 44.0))
    assert x == pytest.approx(31.5) and 18.5 < y < 20.0
    assert inf > y


def test_leaders_are_named_with_their_units():
    scene = Scene()
    guards = scene.unit(0, sheet("Guards"), at=[(10, 10), (12, 10)])
    lead = {"leader": ["Guards"]}
    scene.unit(0, sheet("Chief", keywords=("CHARACTER", "INFANTRY"), abilities=lead), at=(14, 10), leads=guards)
    scene.unit(1, sheet("Mob", weapons={"gun": ranged(12)}), at=(30, 30))
    battle = scene.battle()
    texts = {shape.text for shape in build_scene(battle).shapes.values() if shape.style == "label-0"}
    assert texts == {"Chief + Guards ×3"}
