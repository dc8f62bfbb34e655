"""Army lists: points, categories and their shares, how many units, the General, what may be had but so often."""

from __future__ import annotations

import re
from math import ceil
from pathlib import Path
from typing import Any

import pytest
import yaml

from wh_env import Battle, ContentError
from wh_env.content.load import config_root
from wh_env.content.wap import load_army, load_battle, load_rules
from wh_env.content.wap.limits import Muster, eligible, general_of, least_units, most_alike
from wh_env.content.wap.load import troop_types
from wh_env.content.wap.muster import cost_of
from wh_env.content.wap.schema_units import Entry
from wh_env.core.features import Veil
from wh_env.core.tables import DEPLOYING, RESERVE
from wh_env.rulesets.wap.codes import SCOUTS
from wh_env.testing import choose, kind, slots
from wh_env.testing.wap import RegimentScene, UnitHandle, square

RULE = re.compile(r"\((wap\.[a-z.-]+)\)")
LEADERS = ("lord", "hero")
PLENTY = (
    ("core", 1000),
    ("core", 400),
    ("special", 200),
    ("rare", 100),
    ("core", 60),
    ("hero", 100),
)  # all that a list needs


def card(category: str, points: int = 5, **values: Any) -> dict[str, Any]:
    """A card of a category; a unit of it is one model unless told otherwise."""
    size = values.pop("size", [1, 1])
    return square(category=category, points=points, size=size, character=category in LEADERS, **values)


def list_of(*spent: tuple[str, int], **fields: Any) -> dict[str, Any]:
    """An army list with units of these categories that cost so much, no two of one card."""
    cards = {f"{category} {n}": card(category, cost) for n, (category, cost) in enumerate(spent)}
    return {
        "name": "list",
        "sheet": {"name": "sheet", "cards": cards},
        "units": [{"card": name, "models": 1} for name in cards],
        **fields,
    }


def faults(army: dict[str, Any], points: int | None = None, rules: dict[str, Any] | None = None) -> list[ContentError]:
    loaded = load_army(army)
    return Muster(loaded.army, loaded.sheet, load_rules(rules), troop_types(), points).faults()


def broken(army: dict[str, Any], points: int | None = None, rules: dict[str, Any] | None = None) -> set[str]:
    """Rules of army lists that a list does not keep."""
    return {RULE.findall(fault.expected)[-1] for fault in faults(army, points, rules)}


def with_cards(cards: dict[str, dict[str, Any]], units: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    """A list of a hero, a large Core unit and these units, however few they are."""
    base = {"leader": card("hero", 50), "mass": card("core", 20, size=[1, 100])}
    own = [{"card": "leader", "models": 1}, {"card": "mass", "models": 50}]
    return {
        "name": "list",
        "sheet": {"name": "sheet", "cards": {**base, **cards}},
        "units": [*own, *units],
        "without": ["units"],
        **fields,
    }


# ---------------------------------------------------------------- points


@pytest.mark.rule("wap.army.points.cost")
def test_a_unit_costs_its_models_and_what_was_bought_for_them() -> None:
    """Twenty at 5 points and a full command of 30."""
    full = ["champion", "standard", "musician"]
    cards = {"spears": card("core", 5, size=[10, 30], options={"bow": 1})}
    loaded = load_army(
        {
            "name": "one",
            "sheet": {"name": "s", "cards": cards},
            "units": [{"card": "spears", "models": 20, "command": full}],
        }
    )
    own = loaded.sheet.cards["spears"]
    assert cost_of(loaded.army.units[0], own, load_rules().command_points) == 130
    assert cost_of(Entry(card="spears", models=20, options=("bow",)), own, 10) == 120
    army = load_army("menagerie")
    hounds = next(entry for entry in army.army.units if entry.card == "hounds")
    assert cost_of(hounds, army.sheet.cards["hounds"], 10) == 6 * 7 + 2 * 5  # with those who drive them


@pytest.mark.parametrize(("agreed", "cost", "fine"), [
    (2500, 2500, True), (2500, 2460, True), (2500, 2501, False), (3000, 2990, True), (3000, 3000, True), (3000, 3001, False),
])  # fmt: skip
@pytest.mark.rule("wap.battle.points", "wap.army.points.limit")
def test_no_army_costs_more_than_was_agreed(agreed: int, cost: int, fine: bool) -> None:
    rest = cost - 6 * 300 - 100
    army = list_of(*[("core", 300)] * 6, ("core", rest), ("hero", 100))
    assert broken(army, agreed) == (set() if fine else {"wap.battle.points"})
    assert broken({**army, "points": agreed}) == broken(army, agreed)
    overrides = {"armies": [army, army], "points": agreed}
    if fine:
        assert Battle.load("wap/open-skirmish", 1, overrides=overrides).setup.rules["points"] == agreed
        return
    with pytest.raises(ContentError) as caught:
        Battle.load("wap/open-skirmish", 1, overrides=overrides)
    fault = caught.value
    assert (fault.file.rpartition(": ")[2], fault.field, fault.value) == ("armies[0]", "units", cost)
    assert fault.expected.startswith(f"at most {agreed} points") and len(fault.others) == 1


# ---------------------------------------------------------------- the General


@pytest.mark.rule("wap.army.general.required")
def test_an_army_has_a_general() -> None:
    none = list_of(*PLENTY[:-1])
    assert broken(none) == {"wap.army.general.required"} and broken({**none, "without": ["general"]}) == set()
    fault = faults(none)[0]
    assert fault.field == "units" and "'general' among `without`" in fault.expected
    one = load_army(list_of(*PLENTY))
    assert general_of(one.army, one.sheet) == 5 and broken(list_of(*PLENTY)) == set()
    battle = Battle.load("wap/open-skirmish", 1, overrides={"armies": ["hills-patrol", list_of(*PLENTY)]})
    assert battle.players.general[1] == 3 + 5 and battle.players.general[0] == -1


@pytest.mark.rule("wap.army.general.required")
def test_of_several_who_could_lead_one_is_named() -> None:
    army = list_of(*PLENTY, ("hero", 90))
    assert broken(army) == {"wap.army.general.required"}
    assert "`general: true` for one of hero 5, hero 6" in faults(army)[0].expected
    army["units"][6]["general"] = True
    assert broken(army) == set()
    army["units"][6]["general"], army["units"][0]["general"] = False, True
    assert [fault.field for fault in faults(army)] == ["units[0].general"]  # no character


@pytest.mark.rule("wap.army.general.lord")
def test_a_lord_leads_before_a_hero() -> None:
    army = list_of(*PLENTY, ("lord", 200))
    loaded = load_army(army)
    assert (
        eligible(loaded.army, loaded.sheet) == [6]
        and general_of(loaded.army, loaded.sheet) == 6
        and broken(army) == set()
    )
    cards = army["sheet"]["cards"]
    cards["hero 5"]["profile"]["ld"], cards["lord 6"]["profile"]["ld"] = 9, 8
    army["units"][5]["general"] = True
    assert broken(army) == {"wap.army.general.lord"} and faults(army)[0].field == "units[5].general"
    army["units"][5]["general"], army["units"][6]["general"] = False, True
    assert broken(army) == set()


# ---------------------------------------------------------------- how many units


@pytest.mark.parametrize(("points", "units"), [
    (1, 1), (500, 1), (501, 2), (750, 2), (1000, 2), (1001, 3), (1250, 3), (1500, 3), (2000, 4), (2001, 5), (2500, 5), (2501, 6), (4000, 8),
])  # fmt: skip
@pytest.mark.rule("wap.army.units.minimum")
def test_so_many_units_at_least(points: int, units: int) -> None:
    limits = load_rules().army
    assert least_units(points, limits) == units
    each = [("core", points // (units + 1))]
    assert "wap.army.units.minimum" not in broken(list_of(*each * units, ("hero", 1)), points)
    few = broken(list_of(*each * (units - 1), ("hero", 1), ("hero", 1)), points)
    assert "wap.army.units.minimum" in few  # characters do not count


@pytest.mark.rule("wap.army.units.minimum")
def test_the_text_asks_for_one_more_at_full_steps() -> None:
    limits = load_rules({"army": {"units_by": "text"}}).army
    assert [least_units(points, limits) for points in (750, 1250, 2499, 2500)] == [2, 3, 5, 6]


# ---------------------------------------------------------------- categories


@pytest.mark.parametrize(("spent", "rule", "fine"), [
    ([("core", 499)], "core.minimum", False), ([("core", 500)], "core.minimum", True), ([("core", 1800)], "core.minimum", True),
    ([("special", 1001)], "special.maximum", False), ([("special", 500), ("special", 500)], "special.maximum", True),
    ([("special", 600), ("special", 401)], "special.maximum", False),
    ([("rare", 501)], "rare.maximum", False), ([("rare", 500)], "rare.maximum", True),
    ([("lord", 500), ("hero", 200)], "characters.maximum", True), ([("lord", 500), ("hero", 201)], "characters.maximum", False),
    ([("hero", 700)], "characters.maximum", True), ([("hero", 701)], "characters.maximum", False),
    ([("lord", 501)], "characters.maximum", False), ([("lord", 500)], "characters.maximum", True),
])  # fmt: skip
@pytest.mark.rule(
    "wap.army.percentages", "wap.army.core.minimum", "wap.army.special.maximum", "wap.army.rare.maximum",
    "wap.army.characters.maximum",
)  # fmt: skip
def test_shares_of_two_thousand_points(spent: list[tuple[str, int]], rule: str, fine: bool) -> None:
    assert (f"wap.army.{rule}" not in broken(list_of(*spent), 2000)) is fine


@pytest.mark.rule("wap.army.percentages")
def test_percentages_are_those_of_the_game() -> None:
    army = list_of(("core", 460), ("special", 500), ("hero", 40))
    assert "wap.army.core.minimum" in broken(army, 2000)
    assert "wap.army.core.minimum" not in broken(army, 2000, {"army": {"percent_of": "spent"}})
    assert "wap.army.core.minimum" not in broken(army)  # of 1,000 points, those that it costs
    assert "wap.army.special.maximum" in broken(army, rules={"army": {"special_most": 49}})


@pytest.mark.rule("wap.army.percentages")
def test_every_card_of_a_sheet_has_a_category() -> None:
    army = list_of(*PLENTY)
    for name in ("core 0", "rare 3"):
        army["sheet"]["cards"][name].pop("category")
    with pytest.raises(
        ContentError, match=r"cards\.core 0\.category.*expected one of lord, hero, core, special, rare.*\n.*rare 3"
    ):
        load_army(army)
    for name, category in (("core 0", "hero"), ("hero 5", "core")):
        army = list_of(*PLENTY)
        army["sheet"]["cards"][name]["category"] = category
        with pytest.raises(ContentError, match=r"category.*character"):
            load_army(army)


@pytest.mark.parametrize("by_type", [False, True])
@pytest.mark.rule("wap.army.core.expendable", "wap.special.expendable.core")
def test_no_more_expendable_core_units_than_others(by_type: bool) -> None:
    """Two and one is too many, two and two is not; other categories do not count. Swarms are Expendable by their type."""
    cheap = {"type": "swarm", "base_mm": [40, 40]} if by_type else {"rules": ["Expendable"]}
    cards = {
        "vermin": card("core", **cheap),
        "dogs": card("special", **cheap),
        "men": card("core"),
        "guard": card("special"),
    }
    two = [{"card": "vermin", "models": 1}] * 2
    assert broken(with_cards(cards, two)) == {"wap.army.core.expendable"}
    assert faults(with_cards(cards, two))[0].field == "units[3].card"
    assert broken(with_cards(cards, [*two, {"card": "guard", "models": 1}])) == {"wap.army.core.expendable"}
    assert broken(with_cards(cards, [*two, {"card": "men", "models": 1}])) == set()
    assert broken(with_cards(cards, [*two[:1], {"card": "dogs", "models": 1}])) == set()
    assert broken(with_cards(cards, two, without=["units", "expendable"])) == set()


# ---------------------------------------------------------------- but so often


@pytest.mark.rule("wap.army.special-characters")
def test_a_special_character_is_there_once() -> None:
    cards = {"himself": card("hero", 50, special_character=True), "another": card("hero", 50)}
    cards["leader"] = card("lord", 50)
    for name, fine in (("another", True), ("himself", False)):
        army = with_cards(cards, [{"card": name, "models": 1, "name": f"{n}"} for n in range(2)])
        assert broken(army) == (set() if fine else {"wap.army.special-characters"})
    assert broken(with_cards(cards, [{"card": "himself", "models": 1}])) == set()


@pytest.mark.parametrize("most", [1, 2])
@pytest.mark.rule("wap.army.limited-choices")
def test_a_limited_choice(most: int) -> None:
    cards = {"few": card("core", limit=most)}
    for number in (most, most + 1):
        army = with_cards(cards, [{"card": "few", "models": 1}] * number)
        assert broken(army) == (set() if number <= most else {"wap.army.limited-choices"})
    fault = faults(army)[0]
    assert fault.field == f"units[{2 + most}].card" and f"0-{most}" in fault.expected


@pytest.mark.parametrize(("points", "special", "rare"), [
    (999, 1, 1), (1000, 2, 1), (1999, 2, 1), (2000, 3, 1), (2500, 3, 1), (2999, 3, 1), (3000, 4, 2), (3999, 4, 2), (4000, 5, 3), (5000, 6, 4),
])  # fmt: skip
@pytest.mark.rule("wap.army.duplicates")
def test_so_many_of_the_same(points: int, special: int, rare: int) -> None:
    limits = load_rules().army
    assert (most_alike("special", points, limits), most_alike("rare", points, limits)) == (special, rare)
    assert most_alike("core", points, limits) is None and most_alike("lord", points, limits) is None
    cards = {"special": card("special"), "rare": card("rare"), "core": card("core")}
    for name, most in (("special", special), ("rare", rare), ("core", 9)):
        for number in (most, most + 1):
            found = broken(with_cards(cards, [{"card": name, "models": 1}] * number), points)
            assert ("wap.army.duplicates" in found) is (name != "core" and number > most)


@pytest.mark.rule("wap.army.duplicates.kind")
def test_sizes_and_options_make_no_other_kind() -> None:
    cards = {"guard": card("special", 10, size=[5, 20], options={"bow": 1, "shield": 1}), "scouts": card("special", 10)}
    units: list[dict[str, Any]] = [{"card": "guard", "models": n, "name": f"company {n}"} for n in (5, 6, 7, 8)]
    units[1]["options"], units[2]["options"] = ["bow"], ["shield"]
    assert broken(with_cards(cards, units, points=2500, without=["units", "core"])) == {"wap.army.duplicates"}
    units[3] = {"card": "scouts", "models": 1}
    assert broken(with_cards(cards, units, points=2500, without=["units", "core"])) == set()


@pytest.mark.parametrize("category", ["rare", "special", "core"])
@pytest.mark.rule("wap.army.duplicates.mounts")
def test_mounts_count_among_the_units_of_their_kind(category: str) -> None:
    beast = {"type": "monster", "base_mm": [50, 50]}
    cards = {
        "drake": card(category, 50, **beast),
        "leader": card("lord", 50, rides="drake", **beast),
        "foot": card("hero", 10),
    }
    most = {"rare": 1, "special": 3}.get(category, 4)
    for number in (most - 1, most):
        army = with_cards(cards, [{"card": "drake", "models": 1}] * number, points=2500, without=["units", "core"])
        assert broken(army) == ({"wap.army.duplicates"} if number == most and category != "core" else set())
    cards["leader"].pop("rides")
    assert (
        broken(with_cards(cards, [{"card": "drake", "models": 1}] * most, points=2500, without=["units", "core"]))
        == set()
    )
    cards["foot"]["rides"] = "mass"
    with pytest.raises(ContentError, match=r"cards\.foot\.rides"):
        load_army(with_cards(cards, []))


# ---------------------------------------------------------------- a list and its faults


def test_all_faults_of_both_lists_are_told() -> None:
    first, second = list_of(("rare", 900), ("core", 100)), list_of(("special", 900))
    with pytest.raises(ContentError) as caught:
        Battle.load("wap/open-skirmish", 1, overrides={"armies": [first, second]})
    told = [caught.value, *caught.value.others]
    assert [(fault.file.rpartition(": ")[2], RULE.findall(fault.expected)[-1].removeprefix("wap.army.")) for fault in told] == [
        ("armies[0]", "general.required"), ("armies[0]", "core.minimum"), ("armies[0]", "rare.maximum"),
        ("armies[1]", "general.required"), ("armies[1]", "units.minimum"), ("armies[1]", "core.minimum"),
        ("armies[1]", "special.maximum"),
    ]  # fmt: skip
    assert all("among `without`" in fault.expected for fault in told)
    many = {
        "name": "x",
        "sheet": "free-towns",
        "units": [{"card": "spearmen", "models": 5, "options": ["bow"]}, {"card": "spears", "models": 5}],
    }
    with pytest.raises(ContentError) as caught:
        load_army(many)
    assert [fault.field for fault in (caught.value, *caught.value.others)] == [
        "units[0].models",
        "units[0].options",
        "units[1].card",
    ]


def test_a_group_may_agree_otherwise() -> None:
    """Rules of the battle and of the call count."""
    army = list_of(("rare", 400), ("core", 560), ("hero", 40))
    overrides = {"armies": [army, army]}
    with pytest.raises(ContentError, match=r"rare\.maximum"):
        Battle.load("wap/open-skirmish", 1, overrides=overrides)
    other = {"army": {"rare_most": 40}}
    Battle.load("wap/open-skirmish", 1, overrides={**overrides, "rules": other})
    Battle.load("wap/open-skirmish", 1, overrides=overrides, rules=other)
    with pytest.raises(ContentError, match=r"core\.minimum"):
        Battle.load("wap/open-skirmish", 1, rules={"army": {"core_least": 90}})


def oracle(file: Path) -> set[str]:
    """Limits that a shipped list does not keep, from the YAML alone."""
    root = config_root() / "wap"
    army = yaml.safe_load(file.read_text(encoding="utf-8"))
    cards = yaml.safe_load((root / "factions" / f"{army['sheet']}.yaml").read_text(encoding="utf-8"))["cards"]
    vermin = {"swarm", "war beast"}
    spent, core, number = dict.fromkeys(("lord", "hero", "core", "special", "rare"), 0), {True: 0, False: 0}, 0
    alike: dict[str, int] = {}
    for unit in army["units"]:
        own = cards[unit["card"]]
        each = own["points"] + sum(own.get("options", {})[option] for option in unit.get("options", ()))
        masters = own.get("masters", {"number": 0, "points": 0})
        spent[own["category"]] += (
            unit["models"] * each + 10 * len(unit.get("command", ())) + masters["number"] * masters["points"]
        )
        number += own["category"] not in LEADERS
        if own["category"] == "core":
            core[own["type"] in vermin] += 1
        if own["category"] in ("special", "rare"):
            alike[unit["card"]] = alike.get(unit["card"], 0) + 1
    whole = army.get("points", sum(spent.values()))
    assert sum(spent.values()) <= whole < 3000
    most = 1 + whole // 1000
    found = {
        "general": not any(unit.get("general") for unit in army["units"]),
        "units": number < ceil(whole / 500),
        "core": spent["core"] < whole / 4,
        "special": spent["special"] > whole / 2,
        "rare": spent["rare"] > whole / 4,
        "characters": spent["lord"] > whole / 4 or spent["hero"] + spent["lord"] > 0.35 * whole,
        "expendable": core[True] > core[False],
        "duplicates": any(n > (most if cards[name]["category"] == "special" else 1) for name, n in alike.items()),
    }
    return {limit for limit, missed in found.items() if missed}


@pytest.mark.parametrize("file", sorted((config_root() / "wap" / "armies").glob("*.yaml")), ids=lambda file: file.stem)
@pytest.mark.rule("wap.army.percentages", "wap.army.units.minimum", "wap.army.duplicates")
def test_shipped_lists_do_without_what_they_say_and_keep_the_rest(file: Path) -> None:
    army = load_army(file)
    assert set(army.army.without) == oracle(file)
    assert Muster(army.army, army.sheet, load_rules(), troop_types()).faults() == []


# ---------------------------------------------------------------- what the other player knows of a list


def test_what_is_seen_on_models_is_told_to_both() -> None:
    """Which unit is which and what it bears stands in the rosters, bought equipment too: for both seats, from the start."""
    battle = Battle.load("wap/open-field", 1)
    roster = {unit["name"]: unit for unit in battle.setup.statics["rosters"][1]}
    assert list(roster) == [entry.name or entry.card for entry in load_battle("wap/open-field").armies[1].army.units]
    assert (
        "great weapon" in roster["old guard"]["equipment"] and "short bow" in roster["skulkers with bows"]["equipment"]
    )
    assert "short bow" not in roster["skulkers with spears"]["equipment"]
    assert list(roster["boars"]["command"]) == ["champion", "standard", "musician"] and roster["boars"]["points"] == 170


def test_where_somebody_hides_is_written_down_and_not_told() -> None:
    """Who is hidden is hidden in a unit that is named; the enemy does not see in which until he appears."""
    scene = RegimentScene((60, 48))
    hosts = [scene.unit(0, None, models=20, files=5) for _ in range(2)]
    knife = scene.unit(0, card("hero", 100, rules=["Hidden"]), models=1)
    scene.unit(1, None, models=5)
    battle = scene.battle("deployment", dice=[6, 1])
    choose(battle, "option", 0)
    while kind(battle) != "join-unit":
        cells = slots(battle, "cell")
        choose(battle, "cell", cells[len(cells) // 2]) if cells else battle.apply(battle.first_legal())
    choose(battle, "option", 0)  # he hides: the unit must be named
    assert slots(battle, "own") == [host.number for host in hosts] and not battle.legal()[0]
    choose(battle, "own", hosts[1].number)
    u, veil = battle.units, Veil()
    assert (u.place[knife], u.hides_in[knife]) == (RESERVE, hosts[1].row)
    assert (veil.over(battle, 1).units.place[knife], veil.over(battle, 1).units.hides_in[knife]) == (DEPLOYING, -1)
    assert veil.over(battle, 0).units.hides_in[knife] == hosts[1].row


# ---------------------------------------------------------------- Core units in ambush


def holding_back(*cards: dict[str, Any]) -> tuple[Battle, list[UnitHandle]]:
    """Player 0 is asked which of these are kept back."""
    scene = RegimentScene()
    units = [scene.unit(0, own, models=5) for own in cards]
    scene.unit(1, None, models=5)
    battle = scene.battle("deployment", dice=[6, 1])
    choose(battle, "option", 0)
    return battle, units


@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.rule("wap.special.ambushers.core-limit")
def test_as_many_core_units_stay_as_lie_in_ambush(first: int) -> None:
    """Of three Core units with Ambushers, one of them Expendable, any one may lie in ambush, and no two."""
    plain = card("core", size=[5, 20], rules=["Ambushers"])
    battle, units = holding_back(plain, plain, card("core", size=[5, 20], rules=["Ambushers", "Expendable"]))
    assert kind(battle) == "hold-back" and slots(battle, "own") == [0, 1, 2]
    choose(battle, "own", first)
    assert kind(battle) != "hold-back" and battle.units.place[units[first]] == RESERVE


@pytest.mark.rule("wap.special.ambushers.core-limit")
def test_who_is_not_core_neither_counts_nor_stays_for_others() -> None:
    core, special = (card(category, size=[5, 20], rules=["Ambushers"]) for category in ("core", "special"))
    battle, _ = holding_back(
        core, special, card("special", size=[5, 20]), card("core", size=[5, 20], rules=["Expendable"])
    )
    assert kind(battle) == "hold-back" and slots(battle, "own") == [1]
    battle, _ = holding_back(core, core, core, card("core", size=[5, 20]))
    choose(battle, "own", 0)
    assert slots(battle, "own") == [1, 2]  # two and two
    choose(battle, "own", 2)
    assert kind(battle) != "hold-back"


@pytest.mark.rule("wap.special.ambushers.core-limit", "wap.special.scouts.deploy")
def test_who_may_not_lie_in_ambush_can_scout_yet() -> None:
    """The only Core unit has both rules: no other one stays for it."""
    battle, units = holding_back(
        card("core", size=[5, 20], rules=["Ambushers", "Scouts"]), card("special", size=[5, 20])
    )
    assert kind(battle) == "hold-back" and slots(battle, "own") == [0]
    choose(battle, "own", 0)
    assert battle.units.place[units[0]] == DEPLOYING and battle.units.deployed[units[0]] == SCOUTS
