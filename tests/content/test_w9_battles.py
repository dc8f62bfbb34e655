"""Files of the 9th edition: every datasheet compiles, every battle is played to its end, every file is tried."""

from __future__ import annotations

import json
import random

import pytest
from classic import battle_of, in_phase, raw_army, raw_sheet

from wh_env import Battle
from wh_env.agents.match import play_battle
from wh_env.agents.policies import make
from wh_env.content import ContentError, w9
from wh_env.content.load import config_root, names, read_yaml
from wh_env.content.w8.schema import PowerSpec as EighthPower
from wh_env.content.w9.schema import PowerSpec
from wh_env.content.w9.trial import datasheet
from wh_env.core.tables import DESTROYED, EMBARKED, ON_TABLE
from wh_env.rulesets.w40k.attack.abilities import in_force
from wh_env.rulesets.w40k.attack.casualties import mortal_wounds
from wh_env.rulesets.w40k.psychic.data import Affects, Lasts
from wh_env.rulesets.w40k.psychic.state import known, numbers_in, power_of
from wh_env.testing import kind, pick, words

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
    profiles = {setup.names["units"][row]: each for row, each in setup.statics["psychic_profiles"].items()}
    assert sorted(profiles) == ["hive tyrant", "librarian", "neurothrope"]
    librarian = profiles["librarian"]
    assert (librarian.manifests, librarian.denies) == (2, 1)
    assert [power.name for power in librarian.powers] == ["Mind Spear", "Veil of Haste"]
    spear = librarian.powers[0]
    assert (spear.charge, spear.amount, spear.affects, spear.lasts) == (6, (1, 3, 0), Affects.ENEMY, Lasts.TURN)


DISCIPLINE = {
    "name": "Words",
    "powers": [{"name": f"Word {n}", "charge": 4 + n, "effect": "mortal", "amount": 1} for n in range(3)],
}


def psykers(own=(DISCIPLINE,), **psyker):
    """A battle of two armies of one psyker each, with disciplines of their own."""
    abilities = {"psyker": {"manifest": 1, "deny": 1, **psyker}}
    sheet = raw_sheet("Seer", keywords=["INFANTRY", "PSYKER"], abilities=abilities)
    army = raw_army(sheet, disciplines=list(own))
    return setup_of("w9/only-war-patrol", armies=[army, army])


@pytest.mark.parametrize("player", [0, 1])
def test_powers_of_disciplines_are_selected_before_the_battle(player):
    """One is on the datasheet; the player selects another of the same discipline."""
    battle = battle_of(psykers(powers=["Word 0"], learns=1, disciplines=["Words"]))
    while battle.decision.player != player:
        battle.apply(battle.first_legal())
    assert kind(battle) == "learn-power"
    assert [text.split(" knows ")[1] for text in words(battle).values()] == ["Word 1", "Word 2"]
    pick(battle, "Word 2")
    unit = battle.players.first_unit[player]
    assert [power_of(battle, n).name for n in numbers_in(known(battle, unit))] == ["Smite", "Word 0", "Word 2"]


def test_a_discipline_instead_of_those_of_the_datasheet_comes_from_files_too():
    other = {"name": "Signs", "powers": [{"name": "Sign", "charge": 5, "effect": "leadership", "affects": "friend"}]}
    battle = battle_of(psykers((DISCIPLINE, other), learns=1, disciplines=["Words"], instead="Signs"))
    assert sorted(words(battle).values()) == ["Seer: Signs", "Seer: Words"]


@pytest.mark.parametrize(("psyker", "disciplines", "field", "value"), [
    ({"powers": ["Wrod 0"]}, (DISCIPLINE,), "abilities.psyker.powers", "Wrod 0"),
    ({"disciplines": ["Swords"]}, (DISCIPLINE,), "abilities.psyker.disciplines", "Swords"),
    ({"instead": "Swords"}, (DISCIPLINE,), "abilities.psyker.instead", "Swords"),
    ({"powers": ["Word 0"]}, (), "abilities.psyker.powers", "Word 0"),
    ({}, ({**DISCIPLINE, "powers": [{"name": "Word", "charge": 5, "effect": "motral"}]},), "powers[0].effect", "motral"),
    ({}, (DISCIPLINE, {**DISCIPLINE, "name": "Again"}), "disciplines", None),
])  # fmt: skip
def test_faults_of_psykers_are_named(psyker, disciplines, field, value):
    with pytest.raises(ContentError) as caught:
        psykers(disciplines, **psyker)
    assert caught.value.field.endswith(field)
    assert value is None or caught.value.value == value


def test_a_battle_holds_so_many_powers():
    many = [
        {"name": f"D{n}", "powers": [{**DISCIPLINE["powers"][0], "name": f"W{n} {k}"} for k in range(12)]}
        for n in range(4)
    ]
    names_of = [each["name"] for each in many]
    assert psykers(many[:3], learns=1, disciplines=names_of[:3])
    with pytest.raises(ContentError, match="at most 48 psychic powers"):
        psykers(many, learns=1, disciplines=names_of)


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("active", "psyker", "power", "target"), [
    (0, "librarian", "Mind Spear", "neurothrope"), (1, "neurothrope", "Piercing Scream", "librarian"),
])  # fmt: skip
@pytest.mark.parametrize(("deny", "lost"), [(None, 2), ((4, 3), 2), ((4, 4), 2), ((5, 6), 0)])
def test_psykers_of_files_manifest_and_deny(active, psyker, power, target, detail, deny, lost):
    """A test of 8 is denied by 11. It is a 9 of a Neurothrope, and a 7 of the Librarian in the Shadow in the Warp,
    which a deny test of 8 beats. The power takes two wounds (a D3 of 3)."""
    if (psyker, deny) == ("librarian", (4, 4)):
        lost = 0
    loaded = w9.GAME.load("w9/only-war-incursion", {"detail": detail})
    dice = [3, 5, *(deny or ()), 3]
    battle = in_phase(loaded, "psychic", {"librarian": (15, 15), "neurothrope": (27, 15)}, active=active, dice=dice)
    names_of = battle.setup.names["units"]
    pick(battle, psyker, kind="select-psyker")
    offered = [text.split(": ")[1].split(" (")[0] for text in words(battle).values() if "(" in text]
    assert offered == [
        "Smite",
        *({"librarian": ["Mind Spear", "Veil of Haste"]}.get(psyker) or ["Piercing Scream", "Dread of the Swarm"]),
    ]
    pick(battle, f"{psyker}: {power} (")
    if kind(battle) == "power-target":
        pick(battle, target)
    assert kind(battle) == "deny"
    assert battle.decision.player == 1 - active
    if deny is None:
        battle.apply(0)
    else:
        pick(battle, target)
    hurt = battle.units.first[names_of.index(target)]
    while (
        kind(battle) not in ("select-power", "select-psyker", "move-kind", "select-to-shoot")
        and battle.decision.player != active
    ):
        battle.apply(battle.first_legal())
    assert battle.models.max_wounds[hurt] - battle.models.wounds[hurt] == lost


RITUAL = {"name": "Ritual", "charge": 4, "effect": "cp", "amount": 1, "near": "centre", "reach": 9}
BANNER = {"name": "Banner", "starts": "movement", "effect": "cp", "amount": 1, "keyword": "PSYKER"}


@pytest.mark.parametrize("active", [0, 1])
def test_psykers_of_files_perform_the_actions_of_the_mission(active):
    """A psychic action within 9" of the centre gives a Command point on a test of 4; it is offered to nobody farther away. Another action is
    started at the end of the Movement phase."""
    own = w9.load_mission("only-war").model_dump(mode="json", exclude_none=True)
    mission = {**own, "psychic_actions": [RITUAL], "actions": [BANNER]}
    loaded = w9.GAME.load("w9/only-war-incursion", {"mission": mission})
    name, other = (("librarian", "neurothrope"), ("neurothrope", "librarian"))[active]
    length, width = loaded.battlefield.size
    for x, offered in ((length / 2 + 2, True), (5.0, False)):
        spots = {name: (x, width / 2), other: (length - 3, 3.0)}
        battle = in_phase(loaded, "psychic", spots, active=active, dice=[1, 3])
        pick(battle, name, kind="select-psyker")
        rituals = [text for text in words(battle).values() if "Ritual (4+)" in text]
        assert bool(rituals) is offered
        if offered:
            pick(battle, rituals[0])
            assert battle.players.cp[active] == 1
    battle = in_phase(loaded, "movement", {name: (length / 2, width / 2), other: (length - 3, 3.0)}, active=active)
    while kind(battle) != "start-action":
        still = [action for action, text in words(battle).items() if "Stationary" in text]
        battle.apply(still[0] if still else battle.first_legal())
    pick(battle, name)
    assert battle.acting.now[battle.setup.names["units"].index(name)] == 1


@pytest.mark.parametrize("kind_of", ["actions", "psychic_actions"])
def test_actions_with_unknown_effects_are_refused(kind_of):
    own = w9.load_mission("only-war").model_dump(mode="json", exclude_none=True)
    action = {**(BANNER if kind_of == "actions" else RITUAL), "effect": "glory"}
    with pytest.raises(ContentError) as caught:
        w9.load_mission({**own, kind_of: [action]})
    assert caught.value.field == f"{kind_of}[0].effect"


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("roll", "needed", "away", "lost"), [
    (4, "4+", 2.9, 2), (3, "4+", 2.9, 0), (4, "4+", 3.1, 0), (5, "6+", 2.9, 0), (6, "6+", 2.9, 2)
])  # fmt: skip
def test_a_destroyed_model_explodes_as_its_datasheet_says(roll, needed, away, lost, player):
    """A unit within 3" loses two wounds on a high enough roll; one farther away, or on a lower roll, none."""
    bomb = raw_sheet("Bomb", model={"max": 1}, abilities={"explodes": {"needed": needed, "range": 3, "damage": 2}})
    near = raw_sheet("Near", model={"max": 1, "W": 5})
    armies = [raw_army(bomb, near), raw_army(bomb, near)]
    loaded = w9.GAME.load("w9/only-war-patrol", {"armies": armies})
    battle = in_phase(loaded, "shooting", {}, dice=[roll])
    first = battle.players.first_unit[player]
    width = 2 * battle.models.radius[0]
    for unit, x in ((first, 15.0), (battle.players.first_unit[1 - player] + 1, 15.0 + width + away)):
        model = battle.units.first[unit]
        battle.units.place[unit] = ON_TABLE
        battle.models.x[model], battle.models.y[model], battle.models.on_table[model] = x, 15.0, 1
    mortal_wounds(battle, first, 9)
    battle.run()
    assert battle.units.place[first] == DESTROYED
    hurt = battle.units.first[battle.players.first_unit[1 - player] + 1]
    assert 5 - battle.models.wounds[hurt] == lost


SPOTS = {
    "captain": (10, 10), "lieutenant": (10, 12), "intercessors 1": (12, 10), "impulsor": (12, 14),
    "hive tyrant": (30, 10), "warriors": (30, 14), "rippers": (33, 10), "librarian": (16, 20),
}  # fmt: skip


@pytest.mark.parametrize(("unit", "hook", "names"), [
    ("intercessors 1", "attacks", {"Rites of Battle", "Tactical Precision"}), ("impulsor", "attacks", set()),
    ("captain", "attacks", set()),
    ("warriors", "steady", {"Synapse"}), ("rippers", "steady", {"Synapse"}), ("intercessors 1", "steady", set()),
    ("librarian", "tests", {"Shadow in the Warp"}), ("captain", "tests", set()),
])  # fmt: skip
def test_auras_of_shipped_datasheets_reach_whom_they_name(unit, hook, names):
    """Captains and Lieutenants help CORE units, Synapse the Hive Fleet within 6", the Shadow hurts PSYKERS within 18"."""
    battle = in_phase(w9.GAME.load("w9/only-war-incursion", {}), "shooting", SPOTS)
    row = battle.setup.names["units"].index(unit)
    assert {power.name for power in in_force(battle, row, hook)} == names


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("away", "lost"), [((2.9, 2.0, 1.0), (0, 2)), ((1.9, 2.0, 1.0), (2, 0)), ((3.1, 3.2, 1.0), (0, 0))]
)
def test_only_the_closest_enemy_suffers_where_the_datasheet_says_so(away, lost, player):
    """Of two enemies within 3" the nearer one loses two wounds, a friend nearer still none; beyond 3" nobody does."""
    burst = {"needed": "6+", "range": 3, "damage": 2, "closest_enemy": True}
    bomb = raw_sheet("Bomb", model={"max": 1}, abilities={"explodes": burst})
    near, far = (raw_sheet(name, model={"max": 1, "W": 5}) for name in ("Near", "Far"))
    armies = [raw_army(bomb, near, far), raw_army(bomb, near, far)]
    battle = in_phase(w9.GAME.load("w9/only-war-patrol", {"armies": armies}), "shooting", {}, dice=[6])
    own, other = battle.players.first_unit[player], battle.players.first_unit[1 - player]
    width = 2 * battle.models.radius[0]
    places = {own: (15.0, 15.0), own + 1: (15.0, 15.0 - width - away[2])}
    places |= {other + 1: (15.0 + width + away[0], 15.0), other + 2: (15.0 - width - away[1], 15.0)}
    for unit, (x, y) in places.items():
        model = battle.units.first[unit]
        battle.units.place[unit] = ON_TABLE
        battle.models.x[model], battle.models.y[model], battle.models.on_table[model] = x, y, 1
    mortal_wounds(battle, own, 9)
    battle.run()
    hurt = [5 - battle.models.wounds[battle.units.first[unit]] for unit in (other + 1, other + 2, own + 1)]
    assert hurt == [*lost, 0]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("drops", [True, False])
def test_a_pod_of_files_drops_its_passengers_as_it_arrives(player, drops):
    abilities = {"teleport": True, "transport": {"capacity": 10, "allowed": ["INFANTRY"], "drops": drops}}
    pod = raw_sheet("Pod", keywords=["VEHICLE", "TRANSPORT"], model={"max": 1}, abilities=abilities)
    army = raw_army(raw_sheet("Watch", model={"max": 1}), pod, raw_sheet("Squad"))
    army["units"][2]["embarked_in"] = 1
    loaded = w9.GAME.load("w9/only-war-patrol", {"armies": [army, army]})
    battle = in_phase(loaded, "movement", {}, active=player, round=2)
    first = battle.players.first_unit[player]
    battle.units.place[first + 2] = EMBARKED
    battle.units.reserve[first + 1] = 1
    while kind(battle) != "arrive-at":
        pods = [a for a, text in words(battle).items() if text.startswith("Pod")]
        battle.apply(pods[0] if pods else battle.first_legal())
    battle.apply(battle.first_legal())
    assert (kind(battle) == "disembark-at") is drops


def test_aircraft_have_two_moves():
    name, overrides = datasheet(ROOT / "datasheets" / "tyranids" / "harpy.yaml")
    setup = setup_of(name, **overrides)
    assert list(setup.statics["least_move"]) == [None, 15.0] * 2
    models = setup.layout.view(setup.template.copy(), "models")
    assert (models[1]["move"], models[1]["control"], models[0]["control"]) == (40, 0, 1)


@pytest.mark.parametrize("name", ["w9/only-war-patrol", "w9/only-war-incursion"])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_battle_from_files_is_played_at_random_to_its_end(name, detail):
    battle = battle_of(setup_of(name, detail=detail), seed=3)
    play_battle(battle, [make("random", 1), make("random", 2)])
    assert battle.over


@pytest.mark.parametrize("kind", ["armies", "battlefields", "battles", "missions", "factions", "terrain"])
def test_every_file_is_tried(kind):
    for path in sorted((ROOT / kind).glob("*.yaml")):
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


def test_powers_last_until_phases_that_the_edition_has():
    said = {"name": "Fog", "charge": 5, "effect": "-1 to hit", "lasts": "next command"}
    assert PowerSpec.model_validate(said).power.lasts == Lasts.NEXT_COMMAND
    with pytest.raises(ValueError, match="one of turn, next psychic"):
        EighthPower.model_validate(said)
    assert EighthPower.model_validate({**said, "lasts": "next psychic"}).power.lasts == Lasts.NEXT_PSYCHIC
