"""Random battlefields, armies and battles: lawful, fair, the same for the same seed."""

from __future__ import annotations

import hashlib
import json
import math
import os
import subprocess
import sys

import numpy as np
import pytest
import yaml

from wh_env import Battle
from wh_env.content import ContentError
from wh_env.content.games import random_battle
from wh_env.content.geometry import area, gap_between, overlap
from wh_env.content.w10 import (
    army_faults,
    load_army,
    load_battle,
    load_battlefield,
    load_datasheets,
    load_faction,
    load_mission,
    load_terrain,
    muster_army,
)
from wh_env.content.w10.random_army import draw_army
from wh_env.content.w40k.load import source_of
from wh_env.content.w40k.random_battlefield import draw_battlefield
from wh_env.content.w40k.random_config import field_for, played, write_down
from wh_env.content.w40k.schema import FEATURE_KINDS, Random
from wh_env.content.w40k.terrain import check_battlefield, check_objectives, place_features
from wh_env.core.actions import ActionSpace
from wh_env.envs.observation import MARKERS, UNITS
from wh_env.rulesets.w10.numbers import GUIDELINES

SIZES = ("skirmish", "incursion", "strike-force")
FACTIONS = ("Adeptus Astartes", "Tyranids")
SEEDS = range(8)
LANE, TANK = 5.0, 100 / 25.4  # inches


def random_battlefield(size, rng, **how):
    """A battlefield for a size of battle, with its templates."""
    _, mission, battle_size = played("w10", load_mission, size)
    options = Random(**how)
    terrain = load_terrain(options.terrain, "w10")
    return load_battlefield(write_down(field_for(mission, battle_size, terrain, options, rng, GUIDELINES)), "w10")


def random_army(faction, points, rng):
    """An army of a faction for a points limit, from the shipped datasheets."""
    return draw_army(load_faction(faction), load_datasheets(faction), points, rng, name=f"Random {faction}")


def fields(layout: str, size: str):
    return [random_battlefield(size, np.random.default_rng(seed), layout=layout) for seed in SEEDS]


@pytest.fixture(scope="module", params=[(lay, size) for lay in ("turned", "even") for size in SIZES[:2]], ids="-".join)
def drawn(request):
    layout, size = request.param
    return layout, fields(layout, size)


def boards(field) -> list[list[tuple[float, float]]]:
    """The boards of 22" by 30" that the table is made of."""
    length, width = field.size
    columns, rows = (2, 2) if width > 30 else (2, 1)
    dx, dy = length / columns, width / rows
    corners = [(i * dx, j * dy) for i in range(columns) for j in range(rows)]
    return [[(x, y), (x + dx, y), (x + dx, y + dy), (x, y + dy)] for x, y in corners]


# ---------------------------------------------------------------- battlefields


@pytest.mark.rule("w10.terrain.layout-guidelines")
def test_battlefields_follow_the_guidelines(drawn):
    for field in drawn[1]:
        length, width = field.size
        placed = check_battlefield(field)
        for item in placed:
            assert all(LANE <= x <= length - LANE and LANE <= y <= width - LANE for x, y in item.outline)
        for board in boards(field):
            assert any(overlap(board, item.footprint) > 0.5 for item in placed)
        ruins = [item.outline for item in placed if item.kind == "ruins"]
        centre = (length / 2, width / 2)
        near = [outline for outline in ruins if gap_between(outline, centre) < 8.1]
        assert any(min(x for x, _ in o) < length / 2 < max(x for x, _ in o) for o in near)
        covered = sum(area(item.outline) for item in placed) / (length * width)
        assert 0.1 <= covered < 0.25
        assert len(placed) <= ActionSpace().numbers


def test_features_leave_room_between_them(drawn):
    for field in drawn[1]:
        placed = place_features(field)
        for at, one in enumerate(placed):
            for two in placed[:at]:
                # of two convex outlines at least one corner is nearest to the other
                gap = min(
                    min(gap_between(one.footprint, p) for p in two.footprint),
                    min(gap_between(two.footprint, p) for p in one.footprint),
                )
                solid = all(item.prisms and item.kind != "barricade" for item in (one, two))
                assert overlap(one.footprint, two.footprint) <= 0
                assert gap >= (TANK if solid else 1.0), (one.kind, two.kind)


def test_a_turned_battlefield_looks_the_same_from_both_sides():
    for size in SIZES[:2]:
        for field in fields("turned", size):
            length, width = field.size

            def seen(turned: bool, field=field, length=length, width=width) -> set[tuple]:
                def point(p):
                    x, y = (length - p[0], width - p[1]) if turned else p
                    return round(x, 6) + 0.0, round(y, 6) + 0.0

                return {
                    (
                        item.kind,
                        item.height,
                        frozenset(map(point, item.outline)),
                        frozenset((q.z_low, q.z_high, q.kind, frozenset(map(point, q.corners))) for q in item.prisms),
                    )
                    for item in place_features(field)
                }

            assert seen(False) == seen(True)
            assert {(length - x, width - y) for x, y in field.objectives} == set(field.objectives)


def test_an_even_battlefield_has_the_same_features_on_every_board():
    for size in SIZES[:2]:
        for field in fields("even", size):
            first, *others = field.features  # the Ruin over the centre, then rounds of one feature a board
            assert field.templates[first.template].kind == "ruins"
            assert gap_between(place_features(field)[0].footprint, (field.size[0] / 2, field.size[1] / 2)) == 0
            lists = [
                sorted(
                    f.template
                    for f in others
                    if board[0][0] <= f.at[0] < board[2][0] and board[0][1] <= f.at[1] < board[2][1]
                )
                for board in boards(field)
            ]
            assert sum(map(len, lists)) == len(others)
            assert all(found == lists[0] for found in lists)


def test_large_models_find_ways_to_every_marker(drawn):
    step, radius = 1.0, 1.18  # a base of 60 mm
    for field in drawn[1][:4]:
        length, width = field.size
        solid = [item.footprint for item in place_features(field) if item.prisms and item.kind != "barricade"]
        free = {
            (i, j)
            for i in range(2, int((length - radius) / step))
            for j in range(2, int((width - radius) / step))
            if all(
                math.dist(s[0], (i * step, j * step)) > 16 or gap_between(s, (i * step, j * step)) >= radius
                for s in solid
            )
        }
        seen: set[tuple[int, int]] = set()
        queue = [min(free)]
        while queue:
            at = queue.pop()
            if at not in seen:
                seen.add(at)
                queue += [n for n in ((at[0] + dx, at[1] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)) if n in free]
        assert len(seen) > 0.95 * len(free)
        for x, y in field.objectives:
            assert any(math.hypot(i * step - x, j * step - y) < 3.0 + 0.78 + radius for i, j in seen)


def test_markers_stand_by_the_rules(drawn):
    markers = load_mission("w10/only-war").markers
    for field in drawn[1]:
        assert len(field.objectives) == markers.number
        check_objectives(field, markers)


def test_markers_may_be_left_to_the_players():
    field = random_battlefield("skirmish", np.random.default_rng(3), markers="players")
    assert field.objectives == ()
    battle = Battle.load("w10/random-skirmish?seed=3&markers=players", 1)
    assert battle.setup.ruleset.kinds[battle.clock.kind[0]].name == "place-marker"


def test_every_kind_of_feature_is_drawn():
    kinds = {item.kind for size in SIZES[:2] for field in fields("turned", size) for item in place_features(field)}
    assert kinds == set(FEATURE_KINDS)


def test_deployment_zones_stay_free(drawn):
    for field in drawn[1]:
        length, width = field.size
        depth = 10.0 if width == 44 else 7.0
        for low, high in ((0.0, depth), (width - depth, width)):
            solid = [item.footprint for item in place_features(field) if item.prisms and item.kind != "barricade"]
            points = [(x, y) for x in np.arange(0.5, length) for y in np.arange(low + 0.5, high)]
            free = sum(all(gap_between(s, p) > 0 for s in solid if math.dist(s[0], p) < 16) for p in points)
            assert free / len(points) > 0.67


def test_templates_need_something_that_blocks_visibility():
    terrain = load_terrain("standard", "w10")
    bare = {name: shape for name, shape in terrain.templates.items() if shape.kind != "ruins"}
    with pytest.raises(ContentError, match=r"terrain\.standard\.templates.*at least one of the kind ruins"):
        draw_battlefield(
            (60, 44), "standard", bare, load_mission("w10/only-war").markers, 10, np.random.default_rng(0), GUIDELINES
        )


def test_a_table_that_is_too_small_is_refused():
    terrain = load_terrain("standard", "w10")
    markers = load_mission("w10/only-war").markers
    with pytest.raises(ContentError, match="too small"):
        draw_battlefield((18, 16), "standard", terrain.templates, markers, 3, np.random.default_rng(0), GUIDELINES)


# ---------------------------------------------------------------- armies


@pytest.mark.parametrize("faction", FACTIONS)
@pytest.mark.parametrize("points", [500, 1000, 2000, 3000])
def test_armies_may_be_played(faction, points):
    space = ActionSpace()
    for seed in range(25):
        mustered = muster_army(random_army(faction, points, np.random.default_rng(seed)), limit=points)
        assert 0.9 * points <= mustered.points <= points
        assert len(mustered.units) <= min(space.units, UNITS)
        assert all(len(unit.models) <= space.models - 2 for unit in mustered.units)
        for at, unit in enumerate(mustered.units):
            if unit.datasheet.has("DEDICATED TRANSPORT"):  # w10.army.dedicated-transport
                assert any(other.embarked_in == at for other in mustered.units)
        assert any(unit.datasheet.has("BATTLELINE") for unit in mustered.units)


def test_armies_vary():
    drawn = [
        muster_army(random_army(faction, 1000, np.random.default_rng(seed)), limit=1000)
        for faction in FACTIONS
        for seed in range(40)
    ]
    units = [unit for army in drawn for unit in army.units]
    assert {unit.datasheet.name for unit in units} == load_datasheets().keys()
    assert len({json.dumps(army.army.model_dump(mode="json")) for army in drawn}) == len(drawn)
    for faction in FACTIONS:
        own = [unit for unit in units if unit.datasheet.faction == faction]
        assert any(unit.leads is not None for unit in own)
        assert any(unit.reserves == "deep-strike" for unit in own)
        assert any(unit.reserves == "strategic" for unit in own)
        assert any(unit.hover for unit in own)
        assert any(unit.enhancement for unit in own)
        assert any(model.option for unit in own for model in unit.models)
        assert any(unit.datasheet.smallest < len(unit.models) for unit in own)
    inside = [unit for unit in units if unit.embarked_in is not None]
    assert any(unit.reserves for unit in inside)  # in an AIRCRAFT
    assert any(unit.leads is not None for unit in inside)
    swarm = [len(army.units) for army in drawn]
    assert min(swarm) <= 7 and max(swarm) >= 11


def test_what_is_aboard_an_aircraft_that_cannot_hover_is_in_reserves():
    faction, sheets = load_faction("Adeptus Astartes"), load_datasheets("Adeptus Astartes")
    raven = sheets["Stormraven Gunship"]
    few = {name: sheets[name] for name in ("Captain", "Hellblaster Squad", "Bladeguard Veteran Squad")}
    few[raven.name] = raven.model_copy(update={"abilities": raven.abilities.model_copy(update={"hover": False})})
    aboard = 0
    for seed in range(40):
        army = draw_army(faction, few, 1000, np.random.default_rng(seed))
        assert army_faults(army, few, faction, 1000) == []
        aboard += sum(unit.embarked_in is not None for unit in army.units)
    assert aboard > 0


def test_armies_take_up_so_much_room():
    faction, sheets = load_faction("Tyranids"), load_datasheets("Tyranids")
    for seed in range(20):
        army = draw_army(faction, sheets, 2000, np.random.default_rng(seed), room=150.0)
        bases = 0.0
        for unit in muster_army(army).units:
            if not unit.datasheet.has("AIRCRAFT"):
                bases += sum(4 * math.prod(model.type.base.halves) for model in unit.models)
        assert bases < 150.0


def test_what_no_army_can_be_drawn_from_is_refused():
    faction, sheets = load_faction("Tyranids"), load_datasheets("Tyranids")
    with pytest.raises(ContentError, match=r"<random>: points: 70 are too few; expected enough points for a CHARACTER"):
        draw_army(faction, sheets, 70, np.random.default_rng(0))
    bare = faction.model_copy(update={"detachments": ()})
    with pytest.raises(ContentError, match="expected a faction with a Detachment"):
        draw_army(bare, sheets, 1000, np.random.default_rng(0))


def test_few_points_are_spent_as_far_as_they_go():
    faction, sheets = load_faction("Adeptus Astartes"), load_datasheets("Adeptus Astartes")
    one = {name: sheets[name] for name in ("Captain", "Intercessor Squad")}
    army = muster_army(draw_army(faction, one, 240, np.random.default_rng(0)), limit=240)
    assert army.points >= 0.9 * 240


# ---------------------------------------------------------------- battles


@pytest.mark.parametrize("size", SIZES)
def test_battles_are_source_of(size, tmp_path):
    config = random_battle("w10", size, np.random.default_rng(5), factions=["Tyranids", None], layout="even")
    file = tmp_path / "battle.yaml"
    file.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    loaded, read = load_battle(config), load_battle(file)
    assert source_of(loaded, {}) == source_of(read, {})
    assert loaded.armies[0].army.faction == "Tyranids"
    assert "random" not in source_of(loaded, {}).replace("Random", "").lower() or loaded.config.random is None
    assert load_battlefield(config["battlefield"], "w10").objectives == loaded.battlefield.objectives
    assert load_army(config["armies"][0]).units == loaded.armies[0].army.units
    assert len(loaded.battlefield.objectives) <= MARKERS
    assert loaded.size.points >= max(army.points for army in loaded.armies)


def test_a_name_says_how_a_battle_is_drawn():
    seven = load_battle("w10/random-incursion?seed=7")
    assert source_of(seven, {}) == source_of(load_battle("w10/random-incursion", {"random": {"seed": 7}}), {})
    assert source_of(seven, {}) != source_of(load_battle("w10/random-incursion?seed=8"), {})
    even = load_battle("w10/random-incursion?seed=7&layout=even&factions=[Tyranids, Adeptus Astartes]")
    assert [army.army.faction for army in even.armies] == ["Tyranids", "Adeptus Astartes"]
    assert even.battlefield.features != seven.battlefield.features


def test_armies_do_not_change_with_the_battlefield():
    turned, even = (load_battle(f"w10/random-incursion?seed=2&layout={layout}") for layout in ("turned", "even"))
    assert [army.army for army in turned.armies] == [army.army for army in even.armies]


def test_parts_of_a_battle_may_be_random():
    raw = {"battlefield": "incursion-1", "armies": ["astartes-incursion", "random"], "random": {"seed": 4}}
    loaded = load_battle("w10/random-incursion", raw)
    assert (loaded.battlefield.name, loaded.armies[0].army.name) == ("Incursion 1", "Astartes Incursion")
    assert loaded.armies[1].army.name.startswith("Random ")
    field = load_battle("w10/only-war-incursion", {"battlefield": "random"})
    assert field.battlefield.name == "Random"
    assert field.armies == load_battle("w10/only-war-incursion").armies


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("w10/random-incursion?sed=7", r"random\.sed: 'sed' is not known; expected .* \(did you mean 'seed'\?\)"),
        ("w10/random-incursion?seed=x", r"random\.seed: 'x' is not valid; expected a whole number"),
        ("w10/random-incursion?layout=odd", r"random\.layout: 'odd' is not known; expected one of even, turned"),
        ("w10/random-incursion?terrain=none", r"random\.terrain: 'none' is not known"),
        ("w10/random-incursion?factions=[Orks, null]", r"random\.factions\[0\]: 'Orks' is not known; expected one of"),
        ("w10/only-war-incursion?seed=7", r"only-war-incursion\.yaml: random: .* has nothing to draw"),
        ("w10/random-onslaught", "'w10/random-onslaught' is not known"),
    ],
)
def test_what_cannot_be_drawn_is_refused(name, message):
    with pytest.raises(ContentError, match=message):
        load_battle(name)


def test_sizes_are_known():
    with pytest.raises(ContentError, match=r"size: 'huge' is not known; expected one of .*strike-force"):
        random_battle("w10", "huge", np.random.default_rng(0))
    assert load_battle(random_battle("w10", "onslaught", np.random.default_rng(0))).battlefield.size == (90.0, 44.0)


def test_the_same_seed_gives_the_same_bytes_in_any_process():
    script = (
        "import hashlib, numpy as np\n"
        "from wh_env import Battle\n"
        "from wh_env.content.games import random_battle\n"
        "np.random.seed(int(__import__('os').environ['PYTHONHASHSEED']))\n"
        "rng = np.random.default_rng(9)\n"
        "found = [Battle.load(random_battle('w10', 'skirmish', rng), 1).to_bytes() for _ in range(2)]\n"
        "print(hashlib.sha256(b''.join(found)).hexdigest())\n"
    )
    mine = os.environ.get("PYTHONHASHSEED")
    there = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONHASHSEED": "2" if mine == "1" else "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    rng = np.random.default_rng(9)
    here = [Battle.load(random_battle("w10", "skirmish", rng), 1).to_bytes() for _ in range(2)]
    assert there == hashlib.sha256(b"".join(here)).hexdigest()


def test_the_generator_passed_is_the_only_chance():
    state = np.random.get_state()[1].copy()  # noqa: NPY002 - that the global one is left alone
    rng = np.random.default_rng(1)
    first, second = random_battle("w10", "skirmish", rng), random_battle("w10", "skirmish", rng)
    assert first != second
    again = np.random.default_rng(1)
    assert [random_battle("w10", "skirmish", again) for _ in range(2)] == [first, second]
    assert (np.random.get_state()[1] == state).all()  # noqa: NPY002


def test_a_random_battle_is_resumed_from_its_bytes():
    battle = Battle.load("w10/random-incursion?seed=30", 2)
    for _ in range(60):
        battle.apply(int(battle.legal().nonzero()[0][-1]))
    loaded = Battle.from_bytes(battle.to_bytes())
    assert (loaded.setup.statics["weapons"] == battle.setup.statics["weapons"]).all()
    assert loaded.setup.names == battle.setup.names
    for _ in range(60):
        assert (loaded.legal() == battle.legal()).all()
        action = int(battle.legal().nonzero()[0][0])
        battle.apply(action)
        loaded.apply(action)
    assert loaded.state_bytes() == battle.state_bytes()


def test_what_models_carry_does_not_change_when_a_battle_is_saved():
    # an order of options that is not that of the alphabet
    battle = load_battle("w10/only-war-incursion")
    army = battle.armies[0].army.model_dump(mode="json", exclude_defaults=True)
    squad = next(unit for unit in army["units"] if unit["datasheet"] == "Terminator Squad")
    squad["equipment"] = {"Terminator": {"chainfist": 1, "assault cannon": 1}}
    before = Battle.load("w10/only-war-incursion", 1, overrides={"armies": [army, "tyranids-incursion"]})
    after = Battle.from_bytes(before.to_bytes())
    assert after.setup.names == before.setup.names
    assert (after.setup.statics["arsenal"] == before.setup.statics["arsenal"]).all()
