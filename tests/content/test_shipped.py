"""Everything under configs/ is valid, and the shipped factions show every core ability and weapon ability."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from wh_env.content import ContentError
from wh_env.content.geometry import gap_between, hull, inside, overlap
from wh_env.content.load import config_root, names, read_yaml
from wh_env.content.w10 import (
    compile_terrain,
    load_army,
    load_battle,
    load_battlefield,
    load_datasheets,
    load_faction,
    load_mission,
    muster_army,
)
from wh_env.content.w40k.schema import Terrain
from wh_env.content.w40k.terrain import check_objectives, place_features, zone_at
from wh_env.rulesets.w40k.profiles import Ability, WeaponAbility

RULESET = "w10"


@pytest.fixture(scope="module")
def sheets():
    return load_datasheets()


def test_every_file_starts_with_a_comment_and_is_read():
    files = sorted((config_root() / RULESET).rglob("*.yaml"))
    assert files
    for path in files:
        assert path.read_text(encoding="utf-8").startswith("# "), path
        assert isinstance(read_yaml(path), dict), path


def test_terrain_sets_are_valid():
    for path in (config_root() / RULESET / "terrain").glob("*.yaml"):
        Terrain.model_validate(read_yaml(path))


@pytest.mark.parametrize("name", names("factions", RULESET))
def test_factions(name):
    faction = load_faction(name)
    assert faction.detachments
    assert len(load_datasheets(faction.name)) >= 10


@pytest.mark.parametrize("name", names("missions", RULESET))
def test_missions(name):
    assert load_mission(name).ruleset == RULESET


@pytest.mark.parametrize("name", names("armies", RULESET))
def test_armies_may_be_played(name):
    army = load_army(name)
    mustered = muster_army(army)
    assert army.points_limit is not None
    assert 0.95 * army.points_limit <= mustered.points <= army.points_limit
    assert sum(unit.warlord for unit in mustered.units) == 1


@pytest.mark.parametrize("name", names("battles", RULESET))
def test_battles(name):
    battle = load_battle(name)
    assert battle.config.ruleset == RULESET
    assert all(army.points <= battle.size.points for army in battle.armies)
    sheets = [unit.datasheet for army in battle.armies for unit in army.units]
    assert set(battle.inactive) == {
        s.name for s in sheets if not all(o.active for o in (*s.abilities.other, *s.abilities.auras))
    }


def test_armies_hold_what_rules_need():
    units = [unit for army in load_battle("w10/only-war-incursion").armies for unit in army.units]
    assert any(unit.leads is not None for unit in units)
    assert any(unit.embarked_in is not None for unit in units)
    assert any(unit.reserves == "deep-strike" for unit in units)
    assert any(unit.datasheet.abilities.scouts for unit in units)
    assert any(unit.datasheet.abilities.infiltrators for unit in units)


def test_every_core_ability_is_shown(sheets):
    shown = Ability(0)
    for sheet in sheets.values():
        shown |= sheet.core
    assert [ability.name for ability in Ability if ability not in shown] == []
    assert any(sheet.has("AIRCRAFT") and sheet.abilities.hover for sheet in sheets.values())
    assert any(sheet.has("DEDICATED TRANSPORT") for sheet in sheets.values())


def test_every_weapon_ability_is_shown(sheets):
    shown = WeaponAbility(0)
    for sheet in sheets.values():
        for weapon in sheet.weapons.values():
            for profile in weapon.profiles:
                shown |= profile.flags
    others = WeaponAbility.GRENADE | WeaponAbility.UNIGNORABLE | WeaponAbility.OVERHEATS  # of other editions
    assert [ability.name for ability in WeaponAbility if ability not in shown | others] == []


def test_shared_keywords_are_spelt_alike(sheets):
    for sheet in sheets.values():
        for keyword in (*sheet.keywords, *sheet.faction_keywords):
            assert keyword == keyword.upper()
        if sheet.abilities.leader:
            assert sheet.has("CHARACTER")
        assert (sheet.abilities.transport is not None) == sheet.has("TRANSPORT")


BATTLEFIELDS = names("battlefields", RULESET)


@pytest.mark.parametrize("name", BATTLEFIELDS)
def test_battlefields_favour_neither_side(name):
    field = load_battlefield(name)
    length, width = field.size
    placed = place_features(field)

    def signature(turned: bool) -> set[tuple]:
        found = set()
        for item in placed:
            points = [(length - x, width - y) if turned else (x, y) for x, y in item.outline]
            found.add((item.kind, item.height, frozenset((round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in points)))
        return found

    assert signature(False) == signature(True)
    markers = {(round(x, 6), round(y, 6)) for x, y in field.objectives}
    assert markers == {(round(length - x, 6), round(width - y, 6)) for x, y in field.objectives}


@pytest.mark.parametrize("name", BATTLEFIELDS)
def test_markers_of_battlefields_stand_by_the_rules(name):
    field = load_battlefield(name)
    markers = load_mission("w10/only-war").markers
    assert len(field.objectives) == markers.number
    check_objectives(field, markers)


@pytest.mark.parametrize("name", BATTLEFIELDS)
@pytest.mark.rule("w10.terrain.layout-guidelines")
def test_battlefields_follow_the_guidelines(name):
    field = load_battlefield(name)
    length, width = field.size
    placed = place_features(field)
    lane = 5.0
    for item in placed:
        assert all(lane <= x <= length - lane and lane <= y <= width - lane for x, y in item.outline), item.field
    columns, rows = round(length / 30) if length > 44 else 2, 2 if width > 30 else 1
    for i in range(columns):
        for j in range(rows):
            x, y, dx, dy = i * length / columns, j * width / rows, length / columns, width / rows
            board = [(x, y), (x + dx, y), (x + dx, y + dy), (x, y + dy)]
            assert any(overlap(board, item.footprint) > 0.5 for item in placed)
    ruins = [item for item in placed if item.kind == "ruins"]
    centre = (length / 2, width / 2)
    assert any(min(math.dist(centre, p) for p in item.outline) < 10 for item in ruins)
    middle = [(length / 2, width * k / 400) for k in range(401)]
    assert any(inside(item.footprint, point) for item in ruins for point in middle)


@pytest.mark.parametrize("name", BATTLEFIELDS)
def test_tanks_find_ways(name):
    # a base of 100 mm moved through the gaps between solid features reaches the other long edge
    field = load_battlefield(name)
    length, width = field.size
    solid = [item.footprint for item in place_features(field) if item.prisms and item.kind != "barricade"]
    radius, step = 100 / 25.4 / 2, 0.5
    free = {
        (i, j)
        for i in range(int(length / step) + 1)
        for j in range(int(width / step) + 1)
        if radius <= i * step <= length - radius
        and radius <= j * step <= width - radius
        and all(_clear(polygon, (i * step, j * step), radius) for polygon in solid)
    }
    seen: set[tuple[int, int]] = set()
    queue = [next(iter(sorted(free)))]
    while queue:
        at = queue.pop()
        if at in seen:
            continue
        seen.add(at)
        queue += [n for n in ((at[0] + dx, at[1] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)) if n in free]
    assert len(seen) > 0.95 * len(free)


def _clear(polygon, point, radius):
    return gap_between(polygon, point) >= radius


def test_compiled_battlefields_have_convex_blocks_within_their_features():
    for name in BATTLEFIELDS:
        field = load_battlefield(name)
        blocks, corners, features = compile_terrain(field)
        assert len(features) == len(place_features(field))
        for block in blocks:
            points = [tuple(p) for p in corners[block["first"] : block["first"] + block["count"]]]
            assert len(hull(points)) == len(points)
            feature = features[block["feature"]]
            outline = [tuple(p) for p in corners[feature["first"] : feature["first"] + feature["count"]]]
            assert all(inside(outline, p, 1e-3) for p in points)
            assert block["z_low"] < block["z_high"] <= feature["height"] + 1e-9


@pytest.mark.rule("w10.mission.deploy.zones")
def test_zones_of_the_incursion_map():
    zones = load_battle("w10/only-war-incursion").zones
    assert zone_at(zones, (30, 9)) == "attacker"
    assert zone_at(zones, (30, 22)) is None
    assert zone_at(zones, (30, 40)) == "defender"


def test_a_wheel_finds_its_configs():
    assert config_root().is_dir()
    assert Path(config_root() / RULESET / "battles").is_dir()


def test_loaders_take_dicts():
    battle = read_yaml(config_root() / RULESET / "battles" / "only-war-skirmish.yaml")
    battle["armies"][0] = read_yaml(config_root() / RULESET / "armies" / "astartes-skirmish.yaml")
    battle["mission"] = read_yaml(config_root() / RULESET / "missions" / "only-war-skirmish.yaml")
    battle["battlefield"] = read_yaml(config_root() / RULESET / "battlefields" / "skirmish-1.yaml")
    loaded = load_battle(battle)
    assert loaded.armies[0].points == load_battle("w10/only-war-skirmish").armies[0].points
    battle["armies"][0]["units"][0]["datasheet"] = "Kaptain"
    with pytest.raises(ContentError, match=r"<battle>: armies\[0\]: units\[0\].datasheet: 'Kaptain' is not known"):
        load_battle(battle)
