"""Every bad input gives one ContentError that names file, field, value and what was expected."""

from __future__ import annotations

import copy
import pickle

import pytest
import yaml

from wh_env.content import ContentError, find
from wh_env.content.battle import Battle
from wh_env.content.load import config_root, read_yaml
from wh_env.content.w10 import load_army, load_battle, load_battlefield, load_datasheet, load_mission, muster_army
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION
from wh_env.rulesets.w9.ruleset import NINTH_EDITION
from wh_env.rulesets.w10.ruleset import TENTH_EDITION

ROOT = config_root() / "w10"
SHEET = read_yaml(ROOT / "datasheets" / "adeptus-astartes" / "intercessor-squad.yaml")
ARMY = read_yaml(ROOT / "armies" / "astartes-skirmish.yaml")
FIELD = read_yaml(ROOT / "battlefields" / "skirmish-1.yaml")
MISSING = object()


def changed(raw, path, value):
    """A copy of ``raw`` with the field at ``path`` set, or taken out."""
    result = copy.deepcopy(raw)
    at = result
    for step in path[:-1]:
        at = at[step]
    if value is MISSING:
        del at[path[-1]]
    elif path[-1] == "+":
        at.append(value)
    else:
        at[path[-1]] = value
    return result


def fault(call, *args, **kwargs) -> ContentError:
    with pytest.raises(ContentError) as caught:
        call(*args, **kwargs)
    error = caught.value
    for part in (error.file, error.field, error.expected):
        assert part in str(error)
    assert not isinstance(error.__cause__, Exception)
    return error


@pytest.mark.parametrize(
    ("path", "value", "field", "shown", "expected"),
    [
        (["models", 0, "T"], -4, "models[0].T", "-4", "at least 1"),
        (["models", 0, "T"], "four", "models[0].T", "'four'", "a whole number"),
        (["models", 0, "T"], 4.5, "models[0].T", "4.5", "a whole number"),
        (["models", 0, "W"], True, "models[0].W", "True", "a whole number"),
        (["models", 0, "T"], MISSING, "models[0].T", "is missing", "a value"),
        (["models", 0, "Sv"], "3", "models[0].Sv", "'3'", "a roll such as 3+"),
        (["models", 0, "Ld"], 0, "models[0].Ld", "0", "a roll such as 3+"),
        (["models", 1, "M"], '6"', "models[1].M", "'6\"'", "a number"),
        (["models", 1, "M"], float("nan"), "models[1].M", "nan", "a finite number"),
        (["models", 0, "min"], 3, "models[0].min", "3", "at most max (1)"),
        (["models", 0, "weapons"], ["Bolt pistl"], "models[0].weapons", "'Bolt pistl'", "Bolt pistol"),
        (["models", 0, "base"], {"circle": 32}, "models[0].base.circle", "'circle'", "did you mean 'circle_mm'?"),
        (["models", 0, "base"], {}, "models[0].base", "{}", "exactly one of circle_mm, oval_mm, hull_in"),
        (["models"], "many", "models", "'many'", "a list"),
        (["models"], [], "models", "[]", "at least 1 items"),
        (["weapons", "Bolt rifle", "A"], -2, "weapons.Bolt rifle.A", "-2", "dice such as D6+1"),
        (["weapons", "Bolt rifle", "A"], "D7", "weapons.Bolt rifle.A", "'D7'", "dice such as D3"),
        (["weapons", "Bolt rifle", "range"], "near", "weapons.Bolt rifle.range", "'near'", "a range in inches"),
        (["weapons", "Bolt rifle", "AP"], 1, "weapons.Bolt rifle.AP", "1", "0 or a negative number"),
        (["weapons", "Bolt rifle", "S"], "D8", "weapons.Bolt rifle.S", "'D8'", "dice such as D3"),
        (["weapons", "Bolt rifle", "S"], "10D6", "weapons.Bolt rifle.S", "'10D6'", "at most 9 dice"),
        (["weapons", "Bolt rifle", "skill"], MISSING, "weapons.Bolt rifle.skill", "0", "a BS or WS such as 3+"),
        (["weapons", "Bolt rifle", "rang"], 24, "weapons.Bolt rifle.rang", "'rang'", "did you mean 'range'?"),
        (["weapons", "Bolt rifle", "abilities"], ["Asault"], "weapons.Bolt rifle.abilities[0]", "'Asault'", "Assault"),
        (
            ["weapons", "Bolt rifle", "abilities"],
            ["Melta"],
            "weapons.Bolt rifle.abilities[0]",
            "'Melta'",
            "with a number",
        ),
        (
            ["weapons", "Bolt rifle", "abilities"],
            ["Rapid Fire D5"],
            "weapons.Bolt rifle.abilities[0]",
            "'D5'",
            "dice such as D3",
        ),
        (
            ["weapons", "Bolt rifle", "abilities"],
            ["Anti-VEHICLE 4+", "Lethal Hits", "Anti-VEHICLE 2+"],
            "weapons.Bolt rifle.abilities[2]",
            "'Anti-VEHICLE 2+'",
            "Anti once for each keyword",
        ),
        (
            ["weapons", "Bolt rifle", "abilities"],
            ["Melta 2", "Melta D3"],
            "weapons.Bolt rifle.abilities[1]",
            "'Melta D3'",
            "each ability once",
        ),
        (
            ["weapons", "Bolt rifle", "abilities"],
            [{"ability": "ANTI", "keyword": "VEHICLE", "value": 9}],
            "weapons.Bolt rifle.abilities[0]",
            "'VEHICLE'",
            "Anti-VEHICLE 4+",
        ),
        (
            ["weapons", "Bolt rifle", "abilities"],
            ["Blast 2"],
            "weapons.Bolt rifle.abilities[0]",
            "'Blast 2'",
            "without",
        ),
        (["abilities", "scouts"], -6, "abilities.scouts", "-6", "more than 0"),
        (["abilities", "sprint"], True, "abilities.sprint", "'sprint'", "one of"),
        (["points"], [{"models": 50, "points": 3}], "points", "[50]", "within 5-10"),
        (["colour"], "blue", "colour", "'colour'", "one of abilities, as_of, faction"),
        (["keywords"], "INFANTRY", "keywords", "'INFANTRY'", "a list"),
        (["name"], MISSING, "name", "is missing", "a value"),
    ],
)
def test_bad_datasheets(path, value, field, shown, expected):
    error = fault(load_datasheet, changed(SHEET, path, value))
    assert error.field == field
    assert shown in str(error)
    assert expected in error.expected


@pytest.mark.parametrize(
    ("path", "value", "field", "shown", "expected"),
    [
        (
            ["units", 1, "datasheet"],
            "Intercesor Squad",
            "units[1].datasheet",
            "'Intercesor Squad'",
            "'Intercessor Squad'?",
        ),
        (["units", 1, "models"], 11, "units[1].models", "11", "5 to 10 models"),
        (["units", 1, "models"], 0, "units[1].models", "0", "at least 1"),
        (["units", "+"], {"datasheet": "Lictor"}, "units[5].datasheet", "'Lictor' is of TYRANIDS", "ADEPTUS ASTARTES"),
        (["points_limit"], 400, "units", "475 points", "at most 400 points"),
        (["faction"], "Orks", "faction", "'Orks'", "adeptus-astartes, tyranids"),
        (["detachment"], "Gladius", "detachment", "'Gladius'", "did you mean 'Gladius Task Force'?"),
        (["units", 0, "leads"], "terminators", "units[0].leads", "'Terminator Squad'", "that Captain can lead"),
        (["units", 0, "leads"], "intercesors", "units[0].leads", "'intercesors'", "did you mean 'intercessors'?"),
        (["units", 0, "leads"], 17, "units[0].leads", "17", "0 to 4"),
        (["units", 0, "leads"], 1.5, "units[0].leads", "1.5", "text or a whole number"),
        (["units", 1, "embarked_in"], "terminators", "units[1].embarked_in", "'Terminator Squad'", "a TRANSPORT"),
        (["units", 2, "reserves"], "deep-strike", "units[2].reserves", "'deep-strike'", "all have Deep Strike"),
        (["units", 2, "reserves"], "deepstrike", "units[2].reserves", "'deepstrike'", "did you mean 'deep-strike'?"),
        (["units", 2, "equipment"], {"Scout": {}}, "units[2].equipment.Scout", "'Scout'", "Assault Intercessor"),
        (["units"], [], "units", "[]", "at least 1 items"),
        (["unit"], [], "unit", "'unit'", "did you mean 'units'?"),
    ],
)
def test_bad_armies(path, value, field, shown, expected):
    error = fault(lambda: muster_army(load_army(changed(ARMY, path, value))))
    assert error.file == "<army>"
    assert error.field == field
    assert shown in str(error)
    assert expected in error.expected


HILL = {"kind": "hill", "height": 2}


@pytest.mark.parametrize(
    ("path", "value", "field", "shown", "expected"),
    [
        (["features", "+"], {**HILL, "polygon": [[0, 0], [4, 4], [4, 0], [0, 4]]}, "features[5].polygon",
         "intersects itself", "a simple polygon"),
        (["features", "+"], {**HILL, "polygon": [[0, 0], [4, 4], [8, 8]]}, "features[5].polygon", "folds back", "an area"),
        (["features", "+"], {**HILL, "polygon": [[0, 0], [0, 0], [8, 8]]}, "features[5].polygon", "same corner", "an area"),
        (["features", "+"], {**HILL, "polygon": [[0, 0], [4, 4]]}, "features[5].polygon", "[[0, 0], [4, 4]]", "at least 3"),
        (["features", "+"], {**HILL, "polygon": [[0, 0], [4, "a"], [4, 0]]}, "features[5].polygon[1][1]", "'a'", "a number"),
        (["features", "+"], {**HILL, "polygon": [[40, 0], [46, 0], [46, 3]]}, "features[5]", "leaves the table", "44 x 30"),
        (["features", "+"], {**HILL, "polygon": [[18, 10], [20, 10], [20, 12]]}, "features[5]", "overlaps features[0]", "do not"),
        (["features", "+"], {"template": "ruin", "at": [3, 3]}, "features[5].template", "'ruin'", "one of barricade"),
        (["features", "+"], {"template": "hill"}, "features[5]", "has no place", "at"),
        (["features", "+"], {"kind": "lava", "polygon": [[0, 0], [1, 0], [1, 1]], "height": 1}, "features[5].kind",
         "'lava'", "one of barricade"),
        (["features", "+"], {"kind": "hill"}, "features[5]", "lacks polygon, height", "template, or"),
        (["size"], [44], "size", "[44]", "at least 2 items"),
        (["size"], [44, -3], "size[1]", "-3", "at least 6"),
        (["terrain"], "standrd", "terrain", "'standrd'", "did you mean 'standard'?"),
        (["feature"], [], "feature", "'feature'", "did you mean 'features'?"),
    ],
)  # fmt: skip
def test_bad_battlefields(path, value, field, shown, expected):
    error = fault(load_battlefield, changed(FIELD, path, value), "w10")
    assert error.file == "<battlefield>"
    assert error.field == field
    assert shown in str(error)
    assert expected in error.expected


def with_wall(**wall):
    parts = {"walls": [{"line": [[0, 1], [5, 1]], "height": 3, **wall}]}
    shape = {"kind": "ruins", "polygon": [[0, 0], [6, 0], [6, 4], [0, 4]], "height": 3, "parts": parts}
    return {"name": "x", "size": [44, 30], "features": [shape]}


@pytest.mark.parametrize(
    ("wall", "field"),
    [
        ({"line": [[0, 1], [9, 1]]}, "features[0].parts"),
        ({"line": [[0, 1], [5, 1], [0, 1.5]]}, "features[0].parts.walls[0].line"),
        ({"line": [[0, 1], [0.1, 1]]}, "features[0].parts.walls[0].line"),
        ({"openings": [{"from": 4, "to": 6, "z_high": 2}]}, "features[0].parts.walls[0].openings[0]"),
        ({"openings": [{"from": 2, "to": 1, "z_high": 2}]}, "features[0].parts.walls[0].openings[0]"),
        ({"openings": [{"from": 1, "to": 3, "z_high": 2}, {"from": 2, "to": 4, "z_high": 2}]},
         "features[0].parts.walls[0].openings[1]"),
        ({"polygon": [[0, 0], [1, 0], [1, 1]]}, "features[0].parts.walls[0]"),
    ],
)  # fmt: skip
def test_bad_walls(wall, field):
    assert fault(load_battlefield, with_wall(**wall)).field == field


@pytest.mark.parametrize(
    ("overrides", "field", "shown", "expected"),
    [
        ({"size": "Patrol"}, "size", "'Patrol'", "Incursion, Onslaught, Strike Force"),
        ({"mission": "only-wat"}, "mission", "'only-wat'", "did you mean 'only-war'?"),
        ({"mission": None}, "mission", "None", "text or a mapping"),
        ({"battlefield": "nowhere"}, "battlefield", "'nowhere'", "incursion-1"),
        ({"armies": ["astartes-incursion"]}, "armies", "['astartes-incursion']", "at least 2 items"),
        ({"armies": ["astartes", "tyranids-incursion"]}, "armies[0]", "'astartes'", "one of"),
        ({"ruleset": "w11"}, "ruleset", "'w11'", "w10"),
        ({"detail": "some"}, "detail", "'some'", "full, squad"),
        ({"seed": -1}, "seed", "-1", "at least 0"),
        ({"colour": 1}, "colour", "'colour'", "one of"),
    ],
)
def test_bad_battles(overrides, field, shown, expected):
    error = fault(load_battle, "w10/only-war-incursion", overrides)
    assert error.file == "configs/w10/battles/only-war-incursion.yaml"
    assert error.field == field
    assert shown in str(error)
    assert expected in error.expected


MISSION = read_yaml(ROOT / "missions" / "only-war.yaml")
SCORE = MISSION["primary"][0]
EDGE = [[0, 0], [60, 0], [60, 10], [0, 10]]


@pytest.mark.parametrize(
    ("mission", "field", "shown", "expected"),
    [
        ({"primary": [SCORE, SCORE]}, "primary", "name", "at most 1 items"),
        ({"primary": [{**SCORE, "max_vp_total": 11}]}, "primary[0].max_vp_total", "11", "at least 12"),
        ({"special_rules": [{"name": "Night", "effect": "Stealth", "active": True}]}, "special_rules[0].active", "True", "false"),
        ({"ruleset": "epic"}, "ruleset", "'epic'", "a mission of the ruleset w10"),
        ({"sizes": []}, "sizes", "[]", "at least 1 items"),
    ],
)  # fmt: skip
def test_bad_missions(mission, field, shown, expected):
    """Whatever a mission says that would not be played is refused."""
    error = fault(load_battle, "w10/only-war-incursion", {"mission": {**MISSION, **mission}})
    assert error.field == field
    assert shown in str(error)
    assert expected in error.expected


@pytest.mark.parametrize(
    ("battlefield", "field", "problem"),
    [
        ({"objectives": [[20, 20], [30, 20], [40, 20]]}, "objectives", "markers are given"),
        ({"zones": {"attacker": [[0, 0], [60, 0], [60, 10], [30, 2], [0, 10]], "defender": EDGE}}, "zones.attacker",
         "is not convex"),
        ({"zones": {"attacker": EDGE, "defender": [[0, 9], [60, 9], [60, 44], [0, 44]]}}, "zones.defender",
         "overlaps zones.attacker"),
        ({"zones": {"attacker": EDGE, "defender": [[0, 34], [60, 34], [60, 45], [0, 45]]}}, "zones.defender",
         "leaves the table"),
    ],
)  # fmt: skip
def test_bad_maps(battlefield, field, problem):
    """Zones that the engine cannot play on, and another number of markers than the mission wants."""
    error = fault(
        load_battle, "w10/only-war-incursion", {"battlefield": {"name": "map", "size": [60, 44], **battlefield}}
    )
    assert (error.field, error.problem) == (field, problem)


@pytest.mark.rule("w10.mission.deploy.zones")
def test_the_corners_of_a_zone_may_run_either_way():
    """A map with clockwise zones gives the same zones as one with counter-clockwise ones."""
    far = [[0, 34], [60, 34], [60, 44], [0, 44]]
    loaded = [
        load_battle(
            "w10/only-war-incursion",
            {"battlefield": {"name": "map", "size": [60, 44], "zones": {"attacker": a, "defender": d}}},
        ).zones
        for a, d in ((EDGE, far), (EDGE[::-1], far[::-1]))
    ]
    for zone in ("attacker", "defender"):
        corners = [list(getattr(zones, zone)) for zones in loaded]
        start = corners[1].index(corners[0][0])
        assert corners[1][start:] + corners[1][:start] == corners[0]


@pytest.mark.parametrize(
    ("rules", "fields", "shown"),
    [
        ({"roundz": 3}, ["rules.roundz"], "did you mean 'rounds'?"),
        ({"rounds": "3", "attacker": True}, ["rules.rounds", "rules.attacker"], "a whole number"),
        ({"marker_range": "near"}, ["rules.marker_range"], "a number"),
        ({"formations": "chose"}, ["rules.formations"], "did you mean 'choose'?"),
        ({"markers": "nobody", "terrain": None}, ["rules.markers", "rules.terrain"], "one of layout, players"),
        ({"stratagems": {"grenades": "ask", "grenade": "never"}}, ["rules.stratagems.grenades", "rules.stratagems.grenade"],
         "did you mean 'grenade'?"),
        ({"stratagems": "off"}, ["rules.stratagems"], "a mapping"),
        ({"rerolls": 1}, ["rules.rerolls"], "a list"),
    ],
)  # fmt: skip
def test_bad_rules(rules, fields, shown):
    error = fault(Battle.load, "w10/only-war-skirmish", rules=rules)
    assert [f.field for f in (error, *error.others)] == fields
    assert shown in error.expected
    Battle.load("w10/only-war-skirmish", rules={"marker_range": 4, "rerolls": [], "first_player": 1})


@pytest.mark.parametrize(
    ("edition", "battle"),
    [
        (TENTH_EDITION, "w10/only-war-skirmish"),
        (NINTH_EDITION, "w9/only-war-patrol"),
        (EIGHTH_EDITION, "w8/only-war-skirmish"),
    ],
    ids=["w10", "w9", "w8"],
)
def test_a_value_of_no_type_is_refused_for_every_number_and_switch(edition, battle):
    for name in edition.core_rules:
        error = fault(Battle.load, battle, rules={name: (1, {"x": ()})})
        assert error.field.startswith(f"rules.{name}")


def test_names_that_are_not_found():
    assert "did you mean 'w10/only-war-incursion'?" in fault(load_battle, "w10/only-war-incursio").expected
    assert "did you mean 'Captain'?" in fault(load_datasheet, "Captein").expected
    assert fault(load_army, "nowhere/army.yaml").problem == "does not exist"
    assert fault(find, "ships", "x").field == "kind"
    assert find("battles", "only-war-strike-force") == find("battles", "w10/only-war-strike-force")
    assert "several rulesets" in fault(find, "battles", "only-war-skirmish").problem


def test_files_that_are_no_yaml(tmp_path):
    path = tmp_path / "army.yaml"
    path.write_text("name: [1, 2\nfaction: x\n", encoding="utf-8")
    error = fault(load_army, path)
    assert error.file == str(path)
    assert error.field.startswith("line 2")
    path.write_text("name: x\nname: y\n", encoding="utf-8")
    assert "'name' stands twice" in str(fault(load_army, path))
    path.write_bytes(b"\xff\xfe\x00name")
    assert "UTF-8" in fault(load_army, path).expected
    path.write_text("- 1\n", encoding="utf-8")
    assert "a mapping with the fields of Army" in fault(load_army, path).expected
    path.write_text("", encoding="utf-8")
    assert "a mapping with the fields of Army" in fault(load_army, path).expected


def test_errors_of_files_name_the_file(tmp_path):
    path = tmp_path / "army.yaml"
    path.write_text(yaml.safe_dump(changed(ARMY, ["name"], 3)), encoding="utf-8")
    error = fault(load_army, path)
    assert str(error) == f"{path}: name: 3 is not valid; expected text"


def test_all_faults_are_kept_and_errors_travel():
    raw = changed(changed(SHEET, ["models", 0, "T"], -4), ["models", 0, "W"], "x")
    error = fault(load_datasheet, raw)
    assert [other.field for other in error.others] == ["models[0].W"]
    assert "(and 1 more)" in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    missing = fault(load_datasheet, changed(SHEET, ["name"], MISSING))
    assert str(pickle.loads(pickle.dumps(missing))) == str(missing)


def test_what_only_other_editions_say_is_unknown():
    """A TRANSPORT of the 10th edition drops nobody as it arrives; its units have no Power Rating and no lower Move."""
    rhino = read_yaml(ROOT / "datasheets" / "adeptus-astartes" / "rhino.yaml")
    for path, field in (
        (["abilities", "transport", "drops"], "drops"),
        (["power"], "power"),
        (["least_move"], "least_move"),
    ):
        error = fault(load_datasheet, changed(rhino, path, True))
        assert error.field.endswith(field)
        assert "is not known" in str(error) or "unknown" in str(error)


def test_unknown_keys_hide_no_other_fault():
    """Two unknown fields, one of them of a unit, and two values of the wrong type: four faults, each told in a line."""
    raw = changed(changed(ARMY, ["units", 1, "models"], "five"), ["units", 2, "size"], 3)
    error = fault(load_army, changed(changed(raw, ["points_limit"], "400"), ["colour"], "blue"))
    faults = (error, *error.others)
    assert {f.field for f in faults} == {"colour", "points_limit", "units[1].models", "units[2].size"}
    assert all(f"{f.field}: " in line for f, line in zip(faults, str(error).splitlines(), strict=True))
    weapon = changed(changed(SHEET, ["weapons", "Bolt rifle", "rang"], 24), ["weapons", "Bolt rifle", "A"], "D7")
    error = fault(load_datasheet, changed(weapon, ["weapons", "Bolt rifle", "reach"], 24))
    fields = {f.field for f in (error, *error.others)}
    assert fields == {f"weapons.Bolt rifle.{field}" for field in ("rang", "reach", "A")}


def test_an_unknown_faction_hides_no_other_fault():
    raw = changed(changed(ARMY, ["faction"], "Adeptus Astarte"), ["units", 1, "models"], 4)
    error = fault(lambda: muster_army(load_army(raw)))
    assert [f.field for f in (error, *error.others)] == ["faction", "units[1].models"]


def test_the_faults_of_both_armies_are_told():
    bad = [changed(changed(ARMY, ["units", 1, "models"], 4), ["detachment"], "Gladius"), changed(ARMY, ["faction"], 3)]
    error = fault(load_battle, "w10/only-war-incursion", {"armies": bad})
    file = "configs/w10/battles/only-war-incursion.yaml: armies"
    assert [(f.file, f.field) for f in (error, *error.others)] == [
        (f"{file}[0]", "units[1].models"), (f"{file}[0]", "detachment"), (f"{file}[1]", "faction"),
    ]  # fmt: skip
    assert len(str(error).splitlines()) == 3


@pytest.mark.rule("w10.concepts.mission-required")
def test_a_game_needs_a_mission():
    raw = {
        "name": "no mission", "ruleset": "w10", "size": "Incursion", "battlefield": "incursion-1",
        "armies": ["astartes-incursion", "tyranids-incursion"],
    }  # fmt: skip
    error = fault(load_battle, raw)
    assert (error.field, error.problem) == ("mission", "is missing")
    battle = load_battle({**raw, "mission": "only-war"})
    assert battle.size.points == 1000
    assert (battle.size.min_width_in, battle.size.min_length_in) == (44, 60)
    assert battle.mission.markers.number == 4
    assert battle.mission.rounds == 5


@pytest.mark.rule("w10.mission.objectives")
def test_only_war_has_one_objective():
    mission = load_mission("w10/only-war")
    assert [score.name for score in mission.primary] == ["Capture and Control"]
    assert mission.special_rules == ()


@pytest.mark.parametrize(
    ("path", "value", "suggested"),
    [
        (("keywords", "+"), "INFANTY", "INFANTRY"),
        (("keywords", "+"), "Charcter", "CHARACTER"),
        (("models", 0, "keywords"), ["Psycker"], "PSYKER"),
        (("weapons", "Bolt rifle", "abilities"), ["Anti-vehicel 4+"], "VEHICLE"),
    ],
)
def test_misspelt_keywords_of_the_core_rules_are_refused(path, value, suggested):
    error = fault(load_datasheet, changed(SHEET, path, value))
    assert "seems misspelt" in str(error) and suggested in error.expected


@pytest.mark.parametrize("keyword", ["Infantry", "MONSTERS", "GRAVIS", "OUTRIDER", "Epic Heroes"])
def test_keywords_of_ones_own_and_other_forms_are_taken(keyword):
    assert keyword in load_datasheet(changed(SHEET, ("keywords", "+"), keyword)).keywords


def test_paths_in_a_file_begin_where_the_file_lies(tmp_path, monkeypatch):
    folder = tmp_path / "mine"
    (folder / "lists").mkdir(parents=True)
    (folder / "lists" / "own.yaml").write_text(yaml.safe_dump({**ARMY, "name": "From the file"}))
    (folder / "field.yaml").write_text(yaml.safe_dump(FIELD))
    raw = {**read_yaml(ROOT / "battles" / "only-war-skirmish.yaml"), "battlefield": "field.yaml"}
    raw["armies"] = ["lists/own.yaml", raw["armies"][1]]
    (folder / "battle.yaml").write_text(yaml.safe_dump(raw))
    for here, source in (
        (tmp_path, "mine/battle.yaml"),
        (folder / "lists", "../battle.yaml"),
        (folder, folder / "battle.yaml"),
    ):
        monkeypatch.chdir(here)
        assert load_battle(source).armies[0].army.name == "From the file"
    # what replaces a field comes from the caller, and so do its paths
    monkeypatch.chdir(folder / "lists")
    assert load_battle("w10/only-war-skirmish", {"armies": ["own.yaml", "w10/tyranids-skirmish"]}).armies[0].army.name
    error = fault(load_battle, "../battle.yaml", {"battlefield": "field.yaml"})
    assert error.field == "battlefield" and "lists" in error.expected


def test_paths_in_a_file_of_epic_begin_where_the_file_lies(tmp_path, monkeypatch):
    battle = read_yaml(config_root() / "epic" / "battles" / "bridgehead.yaml")
    field = read_yaml(find("battlefields", battle["battlefield"], "epic"))
    (tmp_path / "field.yaml").write_text(yaml.safe_dump(field))
    (tmp_path / "battle.yaml").write_text(yaml.safe_dump({**battle, "battlefield": "field.yaml"}))
    monkeypatch.chdir("/")
    assert Battle.load(tmp_path / "battle.yaml", 1).over is False
