"""What an observation says: every battle within its space, fields that mean what their page says, buffers of every shape."""

from __future__ import annotations

import dataclasses
import inspect
import os
import re
import subprocess
import sys
from itertools import pairwise
from math import pi
from pathlib import Path

import numpy as np
import pytest
from programs_in_place import in_place

from scripts.observation import PAGE, as_json, render
from wh_env import Battle, ContentError
from wh_env.content.load import names
from wh_env.core.features import UNITS, Features, Field, Pending, Region
from wh_env.core.geometry.unit_sight import unit_sees_unit
from wh_env.core.procedures import DecisionKind
from wh_env.core.tables import ATTACHED
from wh_env.envs.observation import PARTS, SIZE, Observer, column_of, fields_of, split
from wh_env.envs.observation_fields import KINDS, OWN_FIELDS, ROOM
from wh_env.envs.registry import environment
from wh_env.rulesets.epic.ruleset import EPIC
from wh_env.rulesets.w10.ruleset import TENTH_EDITION
from wh_env.rulesets.w40k.attack.odds import expected_wounds
from wh_env.testing import Scene, choose, melee, pick, play_until, ranged, sheet, words

ROOT = Path(__file__).resolve().parents[2]
SKIRMISH = "w10/only-war-skirmish"
BATTLES = names("battles")
TENTH = [name for name in BATTLES if name.startswith("w10/")]
GUN = {"gun": ranged(24, A=2, BS=3, S=4, AP=-1)}


def value(battle: Battle, part: str, *where: object) -> float:
    """A number of what player 0 sees: rows first, the name of the field last."""
    *rows, name = where
    seen = Observer(battle.setup, "entities").observe(battle, 0)[part]
    return float(seen[(*rows, column_of(battle.setup.ruleset, part, str(name)))])


def in_ranges(battle: Battle, seen: dict[str, np.ndarray]) -> None:
    """Each field lies in the range that its page gives, and what nobody uses is 0."""
    ruleset = battle.setup.ruleset
    for part in PARTS.values():
        if not part.fields:
            assert set(np.unique(seen[part.name])) <= {0.0, 1.0}
            continue
        fields = fields_of(ruleset, part.fields)
        rows = seen[part.name].reshape(part.shape[0], -1).T if part.name == "terrain" else seen[part.name]
        rows = rows.reshape(-1, rows.shape[-1])
        low, high = rows.min(axis=0), rows.max(axis=0)
        for column, field in enumerate(fields):
            assert field.low <= low[column] <= high[column] <= field.high, (part.name, field.name)
            if field.unit == "0/1":
                assert set(np.unique(rows[:, column])) <= {0.0, 1.0}, (part.name, field.name)
        assert not rows[:, len(fields) :].any()


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("battle", BATTLES)
def test_every_observation_lies_in_its_space(battle, detail):
    """Random play; every field stays in its own range too, and whoever asks for cells says where they lie."""
    game = Battle.load(battle, 3, detail=detail, rules={"formations": "choose"} if battle in TENTH else None)
    both = Observer(game.setup), Observer(game.setup, "entities")
    space, chance, cells = game.setup.space, np.random.default_rng(1), False
    for step in range(250 if detail == "full" else 10_000):
        if game.over:
            break
        legal = game.legal()
        cells = bool(legal[space.cell : space.angle].any())
        if step % 17 == 0 or (cells and step % 7 == 0):
            for seat in (0, 1):
                vector, seen = (observer.observe(game, seat) for observer in both)
                assert both[0].space.contains(vector)
                assert both[1].space.contains(seen)
                in_ranges(game, seen)
            asked = both[1].observe(game, game.clock.player[0])
            decision = dict(
                zip([f.name for f in fields_of(game.setup.ruleset, "decision")], asked["decision"], strict=False)
            )
            assert decision["cells"] == cells, game.decision
            assert decision["asked"] == 1
            models = np.flatnonzero(legal[space.model :])
            assert asked["models"][models, 0].all(), game.decision
        game.apply(int(chance.choice(legal.nonzero()[0])))
    for seat in (0, 1):
        assert both[0].space.contains(both[0].observe(game, seat))
    assert game.over or detail == "full"


@pytest.mark.parametrize("ruleset", [TENTH_EDITION, EPIC], ids=lambda ruleset: ruleset.id)
def test_every_kind_that_asks_for_a_place_says_where_its_cells_lie(ruleset):
    """Those that write cells of the action space say what they are about; others were looked at while battles were played."""
    writing = {type(kind) for kind in ruleset.kinds if ".cell" in inspect.getsource(type(kind).options)}
    assert len(writing) > 8
    assert [kind.name for kind in writing if kind.pending is DecisionKind.pending] == []


def test_cells_of_a_region():
    """Rows of cells along x, from the first to the last; displacements are added to where the unit stands."""
    window = Pending(Region.square(3.0, 4.0, 2.0))
    xs, ys = window.cells(3)
    assert xs.tolist() == [1, 3, 5] * 3
    assert ys.tolist() == [2, 2, 2, 4, 4, 4, 6, 6, 6]
    assert window.cells(3, (10.0, 10.0))[0].tolist() == xs.tolist()
    moves = Pending(Region.square(0.0, 0.0, 2.0), moves=True)
    assert moves.cells(3, (10.0, 20.0))[0].tolist() == [8, 10, 12] * 3
    assert Region.of_grid(1.0, 2.0, 0.5, 1.0, 3) == Region.between(1.0, 2.0, 2.0, 4.0) == (1.5, 3, 0.5, 1, 1, 2, 2, 4)
    with pytest.raises(ValueError, match="no cells"):
        Pending().cells(3)


def test_the_vector_is_the_parts_of_the_entities():
    game = Battle.load(SKIRMISH, 2)
    both = Observer(game.setup), Observer(game.setup, "entities")
    chance = np.random.default_rng(2)
    while not game.over:
        for seat in (0, 1):
            vector, seen = (observer.observe(game, seat) for observer in both)
            parts = split(vector)
            assert sum(part.size for part in parts.values()) == SIZE
            for name, part in parts.items():
                if name != "terrain":
                    np.testing.assert_array_equal(part, seen[name])
            pooled = seen["terrain"].reshape(len(parts["terrain"]), 8, 2, 12, 2).mean(axis=(2, 4))
            np.testing.assert_allclose(parts["terrain"], pooled, atol=1e-6)
        for _ in range(9):
            if not game.over:
                game.apply(int(chance.choice(game.legal().nonzero()[0])))


def test_the_subjects_row_of_the_relations():
    """Whether the decision is about an own or an enemy unit, its relations stand in ``subject``."""
    game, chance, whose = Battle.load(SKIRMISH, 4), np.random.default_rng(2), set()
    observer = Observer(game.setup, "entities")
    while not game.over:
        subject = game.clock.subject[0]
        for seat in (0, 1):
            seen = observer.observe(game, seat)
            if subject < 0:
                assert not seen["subject"].any()
                continue
            own = game.units.owner[subject] == seat
            slot = subject - game.players.first_unit[game.units.owner[subject]]
            np.testing.assert_array_equal(
                seen["subject"], seen["relations"][slot] if own else seen["relations"][:, slot]
            )
            whose |= {own} if seen["subject"].any() else set()
        for _ in range(7):
            if not game.over:
                game.apply(int(chance.choice(game.legal().nonzero()[0])))
    assert whose == {True, False}


def test_sizes_and_spaces_are_those_of_every_battle():
    setups = [Battle.load(name, 0, detail=detail).setup for name in BATTLES for detail in ("squad", "full")]
    for form in ("vector", "entities"):
        spaces = [Observer(setup, form).space for setup in setups]
        assert all(space == spaces[0] for space in spaces)
    assert Observer(setups[0]).space.shape == (SIZE,)


@pytest.mark.parametrize("form", ["vector", "entities"])
def test_rows_of_a_batch(form):
    """Buffers of any use: rows of a batch, used ones, those of another array's layout; the observer itself keeps nothing."""
    games = [Battle.load(name, 1) for name in (SKIRMISH, SKIRMISH)]
    setup = games[0].setup
    games[1] = Battle(setup, 5)
    for _ in range(40):
        games[1].apply(games[1].first_legal())
    shared = Observer(setup, form)
    batch = shared.empty(3)
    if form == "vector":
        batch[:] = 9.0
        turned = np.zeros((SIZE, 3), np.float32)
        for row, game in enumerate((games[0], games[1], games[0])):
            shared.write(game, 1, batch[row])
            shared.write(game, 1, turned[:, row])
        np.testing.assert_array_equal(batch, turned.T)
        rows = list(batch)
    else:
        for array in batch.values():
            array[:] = 9.0
        for row, game in enumerate((games[0], games[1], games[0])):
            shared.write(game, 1, {name: array[row] for name, array in batch.items()})
        rows = [{name: array[row] for name, array in batch.items()} for row in range(3)]
    for row, game in zip(rows, (games[0], games[1], games[0]), strict=True):
        alone = Observer(setup, form).observe(game, 1)
        for name in alone if form == "entities" else ["all"]:
            a, b = (row[name], alone[name]) if form == "entities" else (row, alone)
            assert a.tobytes() == b.tobytes(), name
        assert shared.space.contains(row)


@pytest.mark.parametrize("form", ["vector", "entities"])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("names", [(TENTH[0], SKIRMISH), ("epic/bridgehead", "epic/river-crossing")])
def test_writing_again_writes_what_has_changed(names, detail, form):
    """With ``last`` buffers hold the same as new ones, whatever stood there: a battle of other armies, the other seat, the end."""
    games = [Battle.load(name, 3, detail=detail) for name in names]
    eyes = [Observer(game.setup, form) for game in games]
    out, last = eyes[0].empty(), None
    chance = np.random.default_rng(4)
    for _ in range(40):
        which, seat = int(chance.integers(2)), int(chance.integers(2))
        game = games[which]
        for _ in range(9):
            if not game.over:
                game.apply(int(chance.choice(np.flatnonzero(game.legal()))))
        last = eyes[which].write(game, seat, out, last)
        alone = Observer(game.setup, form).observe(game, seat)
        for name in alone if form == "entities" else ["all"]:
            a, b = (out[name], alone[name]) if form == "entities" else (out, alone)
            assert a.tobytes() == b.tobytes(), name


def test_observing_changes_nothing():
    game = Battle.load(SKIRMISH, 1)
    play_until(game, "shoot-target")
    before = game.state_bytes()
    for form in ("vector", "entities"):
        Observer(game.setup, form).observe(game, 0)
    assert game.state_bytes() == before


def test_what_does_not_fit_is_refused():
    setup = Battle.load(SKIRMISH, 0).setup
    with pytest.raises(ValueError, match="expected one of vector, entities"):
        Observer(setup, "tensor")
    small = dataclasses.replace(setup.space, units=UNITS + 1)
    with pytest.raises(ValueError, match="33 units a side"):
        Observer(dataclasses.replace(setup, space=small))

    def with_fields(group: str, *fields: Field) -> None:
        features = type("Toy", (Features,), {"fields": {group: fields}})()
        ruleset = type("Ruleset", (), {"id": "toy", "kinds": [], "features": features, "length_unit": "in"})()
        Observer(dataclasses.replace(setup, ruleset=ruleset))

    with_fields("globals", Field("one", "one"))
    with pytest.raises(ValueError, match="room for 16"):
        with_fields("globals", *(Field(f"n{n}", "") for n in range(ROOM["globals"] + 1)))
    with pytest.raises(ValueError, match="expected one of globals"):
        with_fields("global", Field("one", "one"))
    with pytest.raises(ValueError, match="expected within"):
        with_fields("units", Field("inches", "", "in", 0.0, 24.0))
    with pytest.raises(ValueError, match="duplicate"):
        with_fields("units", Field("x", "the core has it"))
    ruleset = type(
        "Ruleset", (), {"id": "toy", "kinds": range(KINDS + 1), "features": Features(), "length_unit": "in"}
    )()
    with pytest.raises(ValueError, match="room for 128"):
        Observer(dataclasses.replace(setup, ruleset=ruleset))


def test_a_ruleset_without_fields_of_its_own_has_the_cores():
    setup = Battle.load(SKIRMISH, 0).setup
    game, chance = Battle(setup, 3), np.random.default_rng(1)
    while game.decision.kind != "move-to":
        game.apply(int(chance.choice(game.legal().nonzero()[0])))
    full = split(Observer(setup).observe(game, 0).copy())
    bare = dataclasses.replace(setup, ruleset=_bare())
    plain = split(Observer(bare).observe(_under(game, bare), 0))
    for part in ("globals", "own", "enemy", "subject"):
        core = len(OWN_FIELDS[PARTS[part].fields])
        np.testing.assert_array_equal(plain[part][..., :core], full[part][..., :core])
        assert not plain[part][..., core:].any()
        assert full[part][..., core:].any()


def _bare():
    """The 10th edition with the features of none."""
    import copy

    ruleset = copy.copy(TENTH_EDITION)
    vars(ruleset)["features"] = Features()
    return ruleset


def _under(game: Battle, setup) -> Battle:
    """The battle under another Setup of the same layout."""
    copy = game.clone()
    copy.setup = setup
    return copy


# ---------------------------------------------------------------- units and markers


def test_units_and_markers_are_seen_from_the_own_side():
    scene = Scene(size=(60, 44))
    mine = scene.unit(0, sheet("Mine", weapons=GUN, M=6), at=[(10, 10), (14, 10)], facing=pi / 2, points=100)
    theirs = scene.unit(1, sheet("Theirs", W=3), at=[(30, 30)], wounds=[1], points=200)
    scene.unit(1, sheet("Far"), at=[(50, 40)], points=0)
    scene.marker(16, 10)
    scene.marker(45, 34)
    battle = scene.battle(vp=(3, 10))
    for name, expected in {
        "x": (12 - 30) / 30,
        "y": (10 - 22) / 22,
        "facing_y": 1.0,
        "models": 2 / 20,
        "move": 6 / 24,
    }.items():
        assert value(battle, "own", mine.number, name) == pytest.approx(expected, abs=1e-6), name
    seen = Observer(battle.setup, "entities").observe(battle, 1)
    at = column_of(battle.setup.ruleset, "enemy", "x")
    assert seen["enemy"][mine.number, at : at + 2] == pytest.approx([(30 - 12) / 30, (22 - 10) / 22])  # turned
    assert value(battle, "enemy", theirs.number, "wounds_left") == pytest.approx(1 / 3)
    assert value(battle, "enemy", theirs.number, "there") == 1
    assert value(battle, "enemy", 2, "there") == 0
    assert value(battle, "globals", "vp_lead") == pytest.approx(-7 / 20)
    assert value(battle, "globals", "own_left") == 1
    assert value(battle, "globals", "enemy_left") == pytest.approx((200 / 3 + 1) / 201)
    # 14, 10 to 30, 30 less both radii of half an inch
    near = (16**2 + 20**2) ** 0.5 - 1
    assert value(battle, "own", mine.number, "nearest_enemy") == pytest.approx(near / 48)
    # from 14, 10 to the edge of the marker round 16, 10
    gap = 2 - 0.5 - battle.objectives.radius[0]
    assert value(battle, "own", mine.number, "nearest_marker") == pytest.approx(gap / 48, abs=1e-6)
    assert [value(battle, "markers", row, "x") for row in (0, 1)] == pytest.approx([-14 / 30, 0.5])
    assert value(battle, "markers", 1, "enemy_distance") < value(battle, "markers", 1, "own_distance")


def test_led_carried_and_destroyed_units():
    scene = Scene()
    hero = sheet("Hero", keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Squad"]}, models=(1, 1))
    bus = sheet("Bus", hull_in=(5, 3), keywords=("VEHICLE", "TRANSPORT"), models=(1, 1),
                abilities={"transport": {"capacity": 6, "allowed": ["INFANTRY"]}})  # fmt: skip
    squad = scene.unit(0, sheet("Squad"), at=(10, 10), models=3)
    leader = scene.unit(0, hero, at=(20, 10), leads=squad)
    carrier = scene.unit(0, bus, at=(30, 10))
    cargo = scene.unit(0, sheet("Cargo"), models=2, embarked_in=carrier)
    dead = scene.unit(0, sheet("Dead"), models=2, place="destroyed")
    scene.unit(1, sheet("Foes"), at=(30, 40))
    battle = scene.battle()
    assert battle.units.place[leader] == ATTACHED
    assert value(battle, "own", squad.number, "led") == value(battle, "own", leader.number, "leads") == 1
    assert value(battle, "own", leader.number, "host") == pytest.approx((squad.number + 1) / 32)
    assert value(battle, "own", squad.number, "models") == pytest.approx(4 / 20)
    assert value(battle, "own", cargo.number, "carried") == value(battle, "own", cargo.number, "embarked") == 1
    assert value(battle, "own", cargo.number, "host") == pytest.approx((carrier.number + 1) / 32)
    assert value(battle, "own", cargo.number, "nearest_enemy") == 1
    assert value(battle, "own", dead.number, "destroyed") == 1
    assert value(battle, "own", dead.number, "models") == 0
    assert value(battle, "own", carrier.number, "is_transport") == 1


# ---------------------------------------------------------------- relations


def test_distance_is_that_of_the_closest_models():
    game, chance = Battle.load(TENTH[0], 5), np.random.default_rng(3)
    observer, far = Observer(game.setup, "entities"), 0
    ruleset = game.setup.ruleset
    while not game.over:
        for _ in range(25):
            if not game.over:
                game.apply(int(chance.choice(game.legal().nonzero()[0])))
        seen = observer.observe(game, 1)
        for i, own in enumerate(game.units_of(1)):
            nearest = min(game.distance(own, enemy) for enemy in game.units_of(0))
            row = seen["own"][i, column_of(ruleset, "own", "nearest_enemy")]
            assert row == pytest.approx(min(1.0, nearest / 48), abs=1e-6)
            for j, enemy in enumerate(game.units_of(0)):
                there, away = seen["relations"][i, j, :2]
                distance = game.distance(own, enemy)
                assert there == (distance < float("inf"))
                assert away == pytest.approx(min(1.0, distance / 48) if there else 0.0, abs=1e-6)
                far += there
    assert far > 100


def test_expected_losses_are_those_of_the_odds():
    """Each of 3 models: a gun at half range and a pistol that it then does not fire, a blade and a claw besides."""
    arms = {
        "gun": ranged(24, A=2, BS=3, S=5, AP=-1, abilities=["RAPID FIRE 1"]),
        "pistol": ranged(12, A=9, BS=2, S=9, abilities=["PISTOL"]),
        "blade": melee(A=3, WS=3, S=4, AP=-1),
        "stick": melee(A=1, WS=6, S=3),
        "claw": melee(A=1, WS=4, S=6, D=2, abilities=["EXTRA ATTACKS"]),
    }
    scene = Scene()
    mine = scene.unit(0, sheet("Mine", weapons=arms), at=(10, 10), models=3)
    foes = scene.unit(
        1,
        sheet("Foes", T=5, Sv=3, W=2, invuln=5, fnp=6, weapons={"rifle": GUN["gun"]}),
        at=(10, 21),
        models=6,
        wounds=[2, 2, 2, 2, 2, 1],
    )
    battle = scene.battle("shooting")
    names = battle.setup.names["weapons"]

    def wounds(unit, weapon: str, target, near: int = 0) -> float:
        statics = battle.setup.statics
        tables = battle.models.rows, battle.units.rows, statics["weapons"], statics["attack_rules"]
        return expected_wounds(*tables, unit.model(0), names.index(weapon), target.row, near)

    half = 1  # Near.HALF_RANGE
    relation = {name: value(battle, "relations", mine.number, foes.number, name) for name in (
        "ranged", "melee", "enemy_ranged", "in_range", "in_enemy_range", "charge", "engaged", "distance")}  # fmt: skip
    assert relation["distance"] == pytest.approx(10 / 48)
    assert relation["ranged"] == pytest.approx(3 * wounds(mine, "gun", foes, half) / 11, abs=1e-6)
    assert relation["melee"] == pytest.approx(
        3 * (wounds(mine, "blade", foes) + wounds(mine, "claw", foes)) / 11, abs=1e-6
    )
    assert relation["enemy_ranged"] == pytest.approx(min(1, 6 * wounds(foes, "rifle", mine) / 3), abs=1e-6)
    assert (relation["in_range"], relation["in_enemy_range"], relation["engaged"]) == (1, 1, 0)
    assert relation["charge"] == pytest.approx(10 / 36)  # 9 or more


@pytest.mark.parametrize(("away", "ways"), [(12.0, 3), (11.95, 3), (12.05, 0), (8.0, 21), (2.5, 36), (1.0, 0)])
def test_charge_odds(away, ways):
    """2D6 must bring the models within 1 inch: 11 or more from 12 inches; nothing farther or within 1 inch is charged."""
    scene = Scene()
    mine = scene.unit(0, sheet("Mine"), at=(10, 10))
    foes = scene.unit(1, sheet("Foes"), at=(10 + 1 + away, 10))
    battle = scene.battle("shooting", active=1)
    assert value(battle, "relations", mine.number, foes.number, "charge") == pytest.approx(ways / 36)


def test_weapons_out_of_range_or_spent_do_not_count():
    scene = Scene()
    mine = scene.unit(
        0,
        sheet(
            "Mine",
            weapons={"gun": ranged(24, A=2, BS=3), "rocket": ranged(48, A=1, BS=3, S=9, D=3, abilities=["ONE SHOT"])},
        ),
        at=(10, 2),
    )
    foes = scene.unit(1, sheet("Foes", W=5), at=(10, 40))
    battle = scene.battle("movement")
    assert value(battle, "relations", mine.number, foes.number, "ranged") > 0
    battle.models.spent[mine.model(0)] = 2
    assert value(battle, "relations", mine.number, foes.number, "in_range") == 0
    assert value(battle, "relations", mine.number, foes.number, "ranged") == 0


def test_sight_past_walls_and_ruins():
    scene = Scene()
    mine = scene.unit(0, sheet("Mine"), at=(10, 5))
    open_ = scene.unit(1, sheet("Open"), at=(30, 5))
    behind = scene.unit(1, sheet("Behind"), at=(10, 30))
    ruined = scene.unit(1, sheet("Ruined"), at=(30, 30))
    within = scene.unit(1, sheet("Within"), at=(20, 20))
    scene.wall(5, 20, 15, 20, height=6)
    scene.ruins(17, 17, 23, 23)
    battle = scene.battle()
    sight = Observer(battle.setup, "entities").observe(battle, 0)["sight"]
    assert [sight[mine.number, unit.number] for unit in (open_, behind, ruined, within)] == [1, 0, 0, 1]
    assert not sight[1:].any()
    back = Observer(battle.setup, "entities").observe(battle, 1)["sight"]
    np.testing.assert_array_equal(back, sight.T)


def test_the_estimate_of_sight_is_mostly_right():
    """Over battles among ruins nine of ten pairs at least are as the rules have it, and few that are not seen seem to be.

    Those few stand behind other models, which the estimate does not look at. How many do differs from battle to battle, from one to six in a
    hundred, as units that stand still are counted again and again: so several battles are judged together.
    """
    count, by_terrain = np.zeros((2, 2)), 0
    for seed in range(1, 7):
        game, chance = Battle.load("w10/only-war-incursion", seed), np.random.default_rng(5)
        observer, blocks = Observer(game.setup, "entities"), (game.setup.blocks, game.setup.corners)
        while not game.over:
            for _ in range(40):
                if not game.over:
                    game.apply(int(chance.choice(game.legal().nonzero()[0])))
            seen, models, units = observer.observe(game, 0), game.models.rows, game.units.rows
            for i, own in enumerate(game.units_of(0)):
                for j, enemy in enumerate(game.units_of(1)):
                    if seen["relations"][i, j, 0]:
                        sees, seems = unit_sees_unit(models, units, *blocks, own, enemy), bool(seen["sight"][i, j])
                        count[int(sees), int(seems)] += 1
                        if seems and not sees:
                            alone = models.copy()
                            alone["on_table"][(alone["unit"] != own) & (alone["unit"] != enemy)] = 0
                            by_terrain += not unit_sees_unit(alone, units, *blocks, own, enemy)
    assert count.sum() > 2000
    assert count.trace() / count.sum() > 0.88
    assert count[0, 1] / count.sum() < 0.05
    assert by_terrain / count.sum() < 0.005


# ---------------------------------------------------------------- terrain


def test_terrain_planes():
    """A box of 5 by 5.5 inches and 6 inches high fills 2 x 2 cells of 2.5 by 2.75 inches, one of them by half a container more."""
    scene = Scene(size=(60, 44), zone_depth=11.0)
    scene.unit(0, sheet("Mine"), at=(30, 5))
    scene.unit(1, sheet("Theirs"), at=(30, 40))
    scene.box(10, 5.5, 15, 11, height=6.0)
    scene.ruins(40, 22, 45, 27.5)
    battle = scene.battle()
    planes = Observer(battle.setup, "entities").observe(battle, 0)["terrain"].copy()
    at = {name: planes[column_of(battle.setup.ruleset, "terrain", name)] for name in (
        "height", "solid", "screen", "surface", "feature", "own_zone", "enemy_zone", "cover")}  # fmt: skip
    box, ruins = (slice(2, 4), slice(4, 6)), (slice(8, 10), slice(16, 18))
    assert (at["solid"][box] == 1).all() and at["solid"].sum() == 4
    assert at["height"][box] == pytest.approx(np.full((2, 2), 0.5))
    assert (at["surface"][box] == 1).all()
    assert (at["screen"][ruins] == 1).all() and at["screen"].sum() == 4
    assert at["feature"].sum() == at["cover"].sum() == 8
    assert (at["own_zone"][:4] == 1).all() and not at["own_zone"][4:].any()
    assert (at["enemy_zone"][12:] == 1).all() and not at["enemy_zone"][:12].any()
    turned = Observer(battle.setup, "entities").observe(battle, 1)["terrain"]
    np.testing.assert_array_equal(turned[:5], planes[:5, ::-1, ::-1])
    own = column_of(battle.setup.ruleset, "terrain", "own_zone")
    np.testing.assert_array_equal(turned[own], at["enemy_zone"][::-1, ::-1])


def test_terrain_that_players_place_is_seen_as_it_is_placed():
    game = Battle.load(SKIRMISH, 1, rules={"terrain": "players"})
    observer, chance = Observer(game.setup, "entities"), np.random.default_rng(1)
    feature = column_of(game.setup.ruleset, "terrain", "feature")
    covered = [float(observer.observe(game, 0)["terrain"][feature].sum())]
    while not all(game.sites.placed):
        before = sum(game.sites.placed)
        game.apply(int(chance.choice(game.legal().nonzero()[0])))
        if sum(game.sites.placed) > before:
            covered.append(float(observer.observe(game, 0)["terrain"][feature].sum()))
    assert covered[0] == 0
    assert all(a < b for a, b in pairwise(covered))
    game.apply(game.first_legal())
    assert observer.observe(game, 0)["terrain"][feature].sum() == pytest.approx(covered[-1])


# ---------------------------------------------------------------- the decision


def place(battle: Battle, cell: int) -> tuple[float, float]:
    """Where the observation of whoever is asked says that a cell of the action space lies, on the table."""
    names = [field.name for field in fields_of(battle.setup.ruleset, "decision")]
    seat = battle.clock.player[0]
    seen = dict(zip(names, Observer(battle.setup).observe(battle, seat)[PARTS["decision"].start :], strict=False))
    assert seen["cells"] == 1
    grid, setup = battle.setup.space.grid, battle.setup
    turn = 1 if battle.clock.attacker[0] == seat else -1
    across = (2 * (cell % grid) / (grid - 1) - 1) * seen["span_x"] * 48
    along = (2 * (cell // grid) / (grid - 1) - 1) * seen["span_y"] * 48
    x = turn * seen["x"] * setup.length / 2 + setup.length / 2 + across
    y = turn * seen["y"] * setup.width / 2 + setup.width / 2 + along
    return float(x), float(y)


@pytest.mark.parametrize("rules", [{}, {"markers": "players", "terrain": "players"}])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_cells_lie_where_the_region_says(detail, rules):
    """The words of a choice name the place or the displacement of its cell."""
    game = Battle.load(SKIRMISH, 6, detail=detail, rules=rules)
    space, chance, known = game.setup.space, np.random.default_rng(4), set()
    for _ in range(500):
        if game.over:
            break
        legal = game.legal()
        cells = np.flatnonzero(legal[space.cell : space.angle])
        kind = game.decision.kind
        if len(cells) and kind not in known:
            x, y = place(game, int(cells[-1]))
            told = [float(n) for n in re.findall(r"[-+]?\d+\.\d+", game.describe(space.cell + int(cells[-1])))]
            if kind in ("move-to", "fall-back-to"):
                rows = list(game.members(game.clock.subject[0]))
                told[0] += sum(game.models.x[k] for k in rows) / len(rows)
                told[1] += sum(game.models.y[k] for k in rows) / len(rows)
            if told:
                assert (x, y) == pytest.approx(told, abs=0.06), kind
                known.add(kind)
        game.apply(int(chance.choice(legal.nonzero()[0])))
    expected = {"deploy-to", "move-to"} if detail == "squad" else {"place-model", "place-exactly"}
    if rules:
        expected |= (
            {"place-marker", "place-feature"}
            if detail == "squad"
            else {"place-marker-exactly", "place-feature-exactly"}
        )
    assert expected <= known


def test_model_windows_lie_where_the_region_says():
    """Full detail: a model that moves to a cell, and then to a cell of the finer window, stands there."""
    scene = Scene()
    mine = scene.unit(0, sheet("Mine", M=6), at=(20, 10), models=2)
    scene.unit(1, sheet("Theirs"), at=(30, 40))
    battle = scene.battle("movement", detail="full")
    pick(battle, "Normal move")
    choose(battle, "model", 1)
    assert value(battle, "models", 1, "asked") == 1
    assert value(battle, "models", 0, "asked") == 0
    coarse = place(battle, 8 * 17 + 12)
    assert coarse == pytest.approx((21.5 + 3.0, 10))
    choose(battle, "cell", 8 * 17 + 12)
    fine = place(battle, 10 * 17 + 8)
    assert fine == pytest.approx((24.5, 10 + 2 * 0.75 / 8))
    choose(battle, "cell", 10 * 17 + 8)
    assert (battle.models.x[mine.model(1)], battle.models.y[mine.model(1)]) == pytest.approx(fine)
    assert value(battle, "models", 1, "moved") == 1


def test_the_roll_and_the_weapon_that_are_asked_about():
    scene = Scene()
    scene.unit(0, sheet("Mine", weapons={"gun": ranged(30, A="D6", BS=2, S=8, AP=-3, D="D3")}), at=(20, 10))
    scene.unit(1, sheet("Theirs"), at=(20, 25))
    battle = scene.battle("shooting", detail="full")
    pick(battle, "Mine")
    seen = {name: value(battle, "decision", name) for name in (
        "weapon_range", "weapon_attacks", "weapon_skill", "weapon_strength", "weapon_ap", "weapon_damage", "own_subject")}  # fmt: skip
    assert seen == pytest.approx({
        "weapon_range": 30 / 48, "weapon_attacks": 3.5 / 20, "weapon_skill": 5 / 6, "weapon_strength": 0.5,
        "weapon_ap": 0.5, "weapon_damage": 0.2, "own_subject": 1,
    })  # fmt: skip

    scene = Scene()
    scene.unit(0, sheet("Mine"), at=(20, 10))
    scene.unit(1, sheet("Theirs"), at=(20, 20))
    battle = scene.battle("charge", cp=(1, 0), dice=[2, 5], rules={"stratagems": {"command-re-roll": "ask"}})
    pick(battle, "Mine")
    assert battle.decision.kind == "command-re-roll"
    assert "7" in next(iter(words(battle).values()))
    assert value(battle, "decision", "roll") == pytest.approx(7 / 12)


# ---------------------------------------------------------------- kernels

POSITION = """
import numpy as np
from wh_env.envs.observation import Observer
from wh_env.testing import Scene, melee, ranged, sheet
arms = {"gun": ranged(24, A=2, BS=3, S=5, AP=-1, abilities=["BLAST"]), "blade": melee(A=3, S=5)}
hull = sheet("Hull", hull_in=(4, 2.5), weapons=arms, keywords=("VEHICLE",), T=9, W=10)
scene = Scene()
scene.unit(0, sheet("Squad", weapons=arms), at=[(12, 9), (14, 9.5), (13, 11)])
scene.unit(0, hull, at=[(33, 12)])
scene.unit(1, sheet("Swarm", weapons=arms, T=3), at=[(30, 30), (32, 31)])
scene.unit(1, hull, at=[(11, 25)])
scene.marker(20, 20)
scene.box(20, 14, 27, 18, height=5.0)
scene.ruins(38, 20, 44, 29)
battle = scene.battle("shooting", run=False)
seen = Observer(battle.setup, "entities").observe(battle, 0)
told = {name: round(float((part.ravel() * np.arange(1, part.size + 1)).sum()), 1) for name, part in seen.items()}
"""


def test_kernels_run_as_plain_python():
    """The same numbers come out with and without the compiler."""
    here: dict[str, object] = {}
    exec(POSITION, here)
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", POSITION + "print(told)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=environment)
    assert done.stdout.strip() == str(here["told"])
    assert all(here["told"][name] for name in ("own", "enemy", "relations", "sight", "markers", "terrain"))


# ---------------------------------------------------------------- the page


def test_the_page_is_up_to_date(tmp_path):
    """docs/observation.md is what the fields say; the program finds a changed field, and tells the parts as JSON."""

    assert render() == PAGE.read_text(encoding="utf-8"), "run scripts/observation.py"
    old = tmp_path / "page.md"
    old.write_text(render().replace("| `round` | of the battle's rounds |", "| `round` | of 5 |"), encoding="utf-8")
    done = in_place("observation.py", "--check", "--out", old)
    assert done.returncode == 1
    assert "of 5" in done.stdout and "out of date" in done.stderr
    assert as_json()["size"] == SIZE


def test_the_pages_indices_are_those_of_the_vector():
    """A unit's column as the page has it, in the vector."""
    game = Battle.load(SKIRMISH, 1)
    vector = Observer(game.setup).observe(game, 0)
    points = column_of(TENTH_EDITION, "enemy", "points")
    assert f"| {points} | `points` |" in PAGE.read_text(encoding="utf-8")
    start, width = map(int, re.search(r"`enemy` .*?(\d+) \+ (\d+) \* slot", PAGE.read_text(encoding="utf-8")).groups())
    unit = game.players.first_unit[1] + 2
    assert vector[start + width * 2 + points] == pytest.approx(game.units.points[unit] / 400)


@pytest.mark.parametrize("name", ["w10", "epic"])
def test_columns_are_found_by_the_id_of_a_ruleset(name):
    battle = Battle.load(environment(name).skirmish, 0)
    for part, field in (("own", "x"), ("globals", "round"), ("terrain", "own_zone")):
        assert column_of(name, part, field) == column_of(battle.setup.ruleset, part, field)
    with pytest.raises(ContentError, match="w11"):
        column_of("w11", "own", "x")
