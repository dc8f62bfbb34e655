"""Files of the 9th edition: every datasheet compiles, every battle is played to its end, every file is tried."""

from __future__ import annotations

import json
import random

import pytest
from classic import battle_of

from wh_env import Battle
from wh_env.agents.match import play_battle
from wh_env.agents.policies import make
from wh_env.content import ContentError, w9
from wh_env.content.load import config_root, names, read_yaml
from wh_env.content.w9.trial import datasheet

ROOT = config_root() / "w9"
SHEETS = sorted((ROOT / "datasheets").rglob("*.yaml"))


def setup_of(name, **overrides):
    return w9.GAME.compile(w9.GAME.load(name, overrides), None, None)


def test_every_file_starts_with_a_comment_and_is_read():
    files = sorted(ROOT.rglob("*.yaml"))
    assert len(files) > 40
    for path in files:
        assert path.read_text(encoding="utf-8").startswith("# "), path
        assert isinstance(read_yaml(path), dict), path


def test_datasheets_say_where_their_numbers_come_from():
    for path in SHEETS:
        comments = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
        assert any("Second source" in line for line in comments), path


@pytest.mark.parametrize("path", SHEETS, ids=[path.stem for path in SHEETS])
def test_every_datasheet_compiles(path):
    name, overrides = datasheet(path)
    setup = setup_of(name, **overrides)
    sheet = w9.load_datasheet(path)
    models = setup.layout.view(setup.template.copy(), "models")
    assert len(models) == 2 * (1 + sheet.smallest)
    first = models[1]
    kind = sheet.models[0]
    assert (first["toughness"], first["wounds"], first["leadership"]) == (kind.T, kind.W, kind.Ld)
    assert first["weapons"] > 0
    assert (first["demise_dice"] or first["demise_plus"]) == (sheet.abilities.explodes is not None)


def test_datasheets_lie_under_their_names():
    assert len(w9.load_datasheets()) == len(SHEETS) >= 25


def test_a_battle_written_out_compiles_to_the_same():
    setup = setup_of("w9/only-war-patrol")
    written = json.loads(setup.source)
    again = w9.GAME.compile(w9.GAME.load(written["battle"], None), written["rules"], None)
    assert again.source == setup.source
    assert again.template.tobytes() == setup.template.tobytes()


def test_what_armies_begin_with():
    setup = setup_of("w9/only-war-incursion")
    battle = battle_of(setup)
    assert list(battle.players.cp) == [6, 6]
    assert list(setup.statics["power"]) == [
        unit.power for army in w9.GAME.load("w9/only-war-incursion", None).armies for unit in army.units
    ]
    assert not battle.units.keywords[0] & setup.statics["keyword_bits"]["TRANSPORT"]
    warlords = [
        u for u in range(len(battle.units.place)) if battle.units.keywords[u] & setup.statics["keyword_bits"]["WARLORD"]
    ]
    assert [setup.names["units"][u] for u in warlords] == ["captain", "hive tyrant"]


def test_psykers_are_handed_on_with_their_powers():
    setup = setup_of("w9/only-war-incursion")
    known = {setup.names["units"][row]: each for row, each in setup.statics["known_powers"].items()}
    assert sorted(known) == ["hive tyrant", "librarian", "neurothrope"]
    assert (known["librarian"]["manifests"], known["librarian"]["denies"]) == (2, 1)
    assert [power["name"] for power in known["librarian"]["powers"]] == ["Mind Spear", "Veil of Haste"]
    spear = known["librarian"]["powers"][0]
    assert (spear["charge"], spear["amount"], spear["affects"], spear["lasts"]) == (6, (1, 3, 0), "ENEMY", "TURN")


def test_aircraft_have_two_moves():
    name, overrides = datasheet(ROOT / "datasheets" / "tyranids" / "harpy.yaml")
    setup = setup_of(name, **overrides)
    assert list(setup.statics["least_move"]) == [None, 15.0] * 2
    models = setup.layout.view(setup.template.copy(), "models")
    assert (models[1]["move"], models[1]["control"], models[0]["control"]) == (40, 0, 1)


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_battle_from_files_is_played_at_random_to_its_end(detail):
    battle = battle_of(setup_of("w9/only-war-patrol", detail=detail), seed=3)
    play_battle(battle, [make("random", 1), make("random", 2)])
    assert battle.over


def test_a_battle_with_damage_tables_is_played_to_its_end():
    battle = battle_of(setup_of("w9/only-war-incursion"), seed=5)
    play_battle(battle, [make("random", 3), make("random", 4)])
    assert battle.over


@pytest.mark.parametrize("kind", ["armies", "battlefields", "battles", "missions", "factions", "terrain"])
def test_every_file_is_tried(kind):
    for path in sorted((ROOT / kind).glob("*.yaml")):
        if path.stem == "only-war":  # its sizes are not those of the small battle
            continue
        name, overrides = w9.GAME.trials[kind](path)
        assert setup_of(name, **(overrides or {})).layout is not None


@pytest.mark.parametrize(("change", "field"), [
    ({"size": "Skirmish"}, "size"), ({"mission": "only-wat"}, "mission"), ({"armies": ["astartes-patrol", "nobody"]}, "armies[1]"),
    ({"battlefield": {"name": "small", "size": [30, 20]}}, "size"),
])  # fmt: skip
def test_faults_of_a_battle_name_the_field(change, field):
    with pytest.raises(ContentError) as caught:
        w9.GAME.load("w9/only-war-patrol", change)
    assert caught.value.field == field


def test_a_duel_fields_every_weapon():
    fight = w9.GAME.duel("Exocrine", "Termagants", 12)
    assert fight.weapons == {"Bio-plasmic cannon": 1, "Powerful limbs": 1}
    assert len(names("battles", "w9")) == 4


def test_battles_have_all_that_shared_procedures_ask_of_a_setup():
    shared = set(Battle.load("w10/only-war-skirmish", 1).setup.statics)
    assert shared - set(setup_of("w9/only-war-patrol").statics) == set()


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_players_may_choose_formations_and_place_terrain_and_markers(detail):
    """A TRANSPORT that is put into Reserves with units in it arrives, too."""
    for seed in range(3):
        battle = Battle.load("w9/only-war-incursion", seed, detail=detail, rules=dict(w9.GAME.ruleset.by_players))
        chance = random.Random(seed)
        while battle.decision is not None:
            battle.apply(chance.choice(battle.decision.options))
        assert battle.over
