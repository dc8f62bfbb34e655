"""Magic items in army lists: who may have which, how many, and what they cost (wap.item.general.*)."""

from __future__ import annotations

from typing import Any

import pytest
from carrying import duel, saves

from wh_env import ContentError
from wh_env.content.wap import load_army, load_rules, regiment_of
from wh_env.content.wap.item_files import known_items
from wh_env.content.wap.limits import Muster
from wh_env.content.wap.load import troop_types
from wh_env.testing import script
from wh_env.testing.wap import RegimentScene, fight, square

EFFECTS: dict[str, list[dict[str, Any]]] = {
    "weapon": [{"stat": "S", "by": 1, "scope": "weapon-attacks"}],
    "armour": [{"ward": 6}],
}


def row(name: str, family: str, points: int = 5, **values: Any) -> dict[str, Any]:
    """A magic item of an army book."""
    effects = EFFECTS.get(family, [{"grant": ["fear"]}])
    return {"name": name, "rule": "wap.item.test", "family": family, "points": points, "effects": effects, **values}


# an item of each sort that the rules of lists tell apart
BOOK = [
    row("Great Axe", "weapon", **{"as": "great-weapon"}),
    row("Keen Axe", "weapon", **{"as": "hand-weapon"}),
    row("Twin Axes", "weapon", **{"as": "two-hand-weapons"}),
    row("Light Mail", "armour", **{"as": "light-armour"}),
    row("Heavy Mail", "armour", **{"as": "heavy-armour"}),
    row("Plate", "armour", **{"as": "full-plate-armour"}),
    row("Targe", "armour", **{"as": "shield"}),
    row("Helm", "armour", **{"as": "helm"}),
    row("Scroll", "arcane", one_use=True),
    row("Stone", "arcane", one_use=True),
    row("Staff", "arcane"),
    row("Rod", "arcane"),
    row("Ring", "enchanted"),
    row("Carpet", "enchanted", requires="infantry"),
    row("Boots", "enchanted", requires="on-foot"),
    row("Imp", "enchanted", 1, beside_other_enchanted=True, counts_in_allowance=False),
    row("Amulet", "talisman"),
    row("Flag", "banner", 20),
]
HERO: dict[str, Any] = {"items": {"points": 50}}
MAGE: dict[str, Any] = {**HERO, "wizard": {"level": 1, "lores": ["fire"]}}
ARMOURS = ["light armour", "heavy armour"]
HORSE = {"m": 8, "ws": 3, "bs": 0, "s": 3, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 5}


def army(card: dict[str, Any], *bearers: dict[str, Any], prices: dict[str, int] | None = None) -> dict[str, Any]:
    """A list whose heroes are of ``card``, each with what his entry says, after a leader and a unit with a banner."""
    fields = {"category": "hero", "size": [1, 1], "character": True, **card}
    cards = {
        "leader": square(category="lord", size=[1, 1], character=True),
        "hero": square(**fields),
        "men": square(banner=20),
    }
    units = [{"card": "leader", "models": 1}, *({"card": "hero", "models": 1, **bearer} for bearer in bearers)]
    sheet = {"name": "sheet", "cards": cards, "items": BOOK, "prices": prices or {}}
    return {"name": "list", "sheet": sheet, "units": units}


def told(found: dict[str, Any]) -> str:
    """The message about a list; "" if it is legal."""
    try:
        load_army(found)
    except ContentError as fault:
        return str(fault)
    return ""


def check(found: dict[str, Any], field: str, value: str, rule: str) -> None:
    """Check that a list has one fault, told in one line with its field, value, and rule ("": it has none)."""
    message = told(found)
    if not rule:
        assert message == ""
        return
    assert "\n" not in message and message.startswith(f"<army>: {field}: {value} "), message
    assert "; expected " in message and message.endswith(f"({rule})"), message


RULES = "wap.item.general."


# ---------------------------------------------------------------- points


@pytest.mark.rule("wap.item.general.common-items")
@pytest.mark.parametrize(
    ("card", "items", "field", "value", "rule"),
    [
        (HERO, ["Sword of Might", "Talisman of Protection"], "", "", ""),
        (HERO, ["Armour of Fortune", "Sword of Might"], "", "", ""),
        (
            HERO,
            ["Armour of Fortune", "Sword of Might", "Amulet"],
            "units[1].items",
            "['Armour of Fortune', 'Sword of Might', 'Amulet']",
            "common-items",
        ),
        (HERO, ["Armour of Fortune", "Sword of Might", "Imp"], "", "", ""),  # the imp counts for no allowance
        ({}, ["Sword of Might"], "units[1].items[0]", "'Sword of Might'", "common-items"),
        (
            {"items": {"points": 50, "families": ["weapon", "armour"]}},
            ["Sword of Might", "Amulet"],
            "units[1].items[1]",
            "'Amulet'",
            "common-items",
        ),
    ],
)
def test_items_are_taken_within_the_allowance_of_the_entry(
    card: dict[str, Any], items: list[str], field: str, value: str, rule: str
) -> None:
    check(army({"equipment": ARMOURS, **card}, {"items": items}), field, value, rule and RULES + rule)


@pytest.mark.rule("wap.item.general.common-items")
@pytest.mark.parametrize(("prices", "paid"), [({}, 30), ({"Sword of Might": 20}, 35)])
def test_the_army_book_s_price_is_paid_and_counts_for_the_army(prices: dict[str, int], paid: int) -> None:
    """Also against the allowance: 20 and 35 are too many for 50 points, 15 and 35 are not."""
    items = ["Sword of Might", "Talisman of Protection"]
    loaded = load_army(army(HERO, {"items": items}, prices=prices))
    bare = load_army(army(HERO, {}))
    costs = [Muster(one.army, one.sheet, load_rules(), troop_types()).cost for one in (loaded, bare)]
    assert costs[0] - costs[1] == paid
    dear = army({"equipment": ARMOURS, **HERO}, {"items": ["Sword of Might", "Armour of Fortune"]}, prices=prices)
    assert bool(told(dear)) == bool(prices)


@pytest.mark.rule("wap.item.general.common-items")
def test_a_banner_counts_for_the_cost_of_its_unit() -> None:
    found = army(HERO, {})
    costs = []
    for banner in ({}, {"banner": "Lichebone Pennant"}):
        found["units"][2:] = [{"card": "men", "models": 10, "command": ["standard"], **banner}]
        loaded = load_army(found)
        costs.append(Muster(loaded.army, loaded.sheet, load_rules(), troop_types()).costs[2])
    assert costs == [60, 70]


@pytest.mark.rule("wap.item.general.common-items")
def test_items_count_for_what_a_unit_is_worth_in_the_battle() -> None:
    """Victory points are of all that it cost."""
    loaded = load_army(army(HERO, {"items": ["Sword of Might", "Imp"]}, prices={"Imp": 3}))
    units = [regiment_of(entry, loaded.sheet, load_rules()) for entry in loaded.army.units]
    assert [unit.points for unit in units] == [5, 5 + 15 + 3]


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"prices": {"Sword of Migth": 20}}, "prices.Sword of Migth: 'Sword of Migth' is not known"),
        ({"items": [*BOOK, row("Ring", "talisman")]}, "items[18].name: 'Ring' is not valid; expected another name"),
        ({"items": [row("Sword of Might", "talisman")]}, "items[0].name: 'Sword of Might' is not valid"),
    ],
)
def test_an_army_book_names_its_items_and_prices_rightly(values: dict[str, Any], line: str) -> None:
    found = army(HERO, {})
    found["sheet"].update(values)
    assert line in told(found)


def test_items_of_an_army_book_are_not_those_of_others() -> None:
    assert "Ring" not in known_items()
    found = army(HERO, {"items": ["Ring"]})
    assert told(found) == ""
    found["sheet"]["items"] = []
    assert "units[1].items[0]: 'Ring' is not known" in told(found)


def test_only_characters_are_allowed_items() -> None:
    found = army(HERO, {})
    found["sheet"]["cards"]["men"]["items"] = {"points": 5}
    assert "cards.men.items" in told(found) and "expected a character" in told(found)


# ---------------------------------------------------------------- how many


@pytest.mark.rule("wap.item.general.unique")
def test_an_item_is_there_once_in_an_army() -> None:
    """And once in each of two armies."""
    scroll = {"items": ["Scroll"]}
    check(army(MAGE, scroll, scroll), "units[2].items", "'Scroll'", "wap.item.general.unique")
    check(army(MAGE, scroll, {"items": ["Staff"]}), "", "", "")
    for _ in (0, 1):
        check(army(MAGE, scroll), "", "", "")
    banners = army(HERO, {})
    banners["units"] += [{"card": "men", "models": 10, "command": ["standard"], "banner": "Flag"} for _ in (0, 1)]
    check(banners, "units[3].banner", "'Flag'", "wap.item.general.unique")


def test_two_opposing_armies_may_have_the_same_item() -> None:
    scene = RegimentScene()
    for player, y in ((0, 10), (1, 38)):
        hero = square(character=True, size=[1, 1])
        scene.unit(player, hero, (24, y), models=1, files=1, items=["Sword of Might"])
    battle = scene.battle("movement", run=False)
    assert battle.items.unit.tolist() == [0, 1] and battle.items.item.tolist() == [0, 0]


@pytest.mark.rule("wap.item.general.one-per-family")
@pytest.mark.parametrize(
    ("items", "second"),
    [
        (["Talisman of Protection", "Amulet"], 1),
        (["Sword of Might", "Talisman of Protection", "Keen Axe"], 2),
        (["Talisman of Protection", "Sword of Might", "Light Mail"], -1),
        (["Light Mail", "Helm"], 1),
        (["Ring", "Boots"], 1),
        (["Ring", "Imp"], -1),
        (["Imp", "Boots"], -1),
        (["Ring", "Boots", "Imp"], 1),
        (["Imp", "Imp"], 1),
    ],
)
def test_a_model_has_one_item_of_each_family(items: list[str], second: int) -> None:
    found = army({"equipment": ARMOURS, **HERO}, {"items": items})
    rule = "" if second < 0 else "wap.item.general.one-per-family"
    check(found, f"units[1].items[{second}]", f"{items[second]!r}", rule)


@pytest.mark.rule("wap.item.general.two-arcane-items")
@pytest.mark.parametrize(
    ("items", "at"),
    [
        (["Scroll", "Staff"], -1),
        (["Staff", "Scroll"], -1),
        (["Scroll", "Stone"], 1),
        (["Staff", "Rod"], 1),
        (["Scroll", "Staff", "Rod"], 2),
        (["Scroll", "Scroll"], 1),
    ],
)
def test_of_two_arcane_items_one_is_one_use(items: list[str], at: int) -> None:
    rule = "" if at < 0 else "wap.item.general.two-arcane-items"
    check(army(MAGE, {"items": items}), f"units[1].items[{at}]", f"{items[at]!r}", rule)


# ---------------------------------------------------------------- who


@pytest.mark.rule("wap.item.general.arcane-access")
def test_arcane_items_are_for_wizards() -> None:
    check(army(HERO, {"items": ["Scroll"]}), "units[1].items[0]", "'Scroll'", "wap.item.general.arcane-access")
    check(army(MAGE, {"items": ["Scroll"]}), "", "", "")


@pytest.mark.rule("wap.item.general.wizards-and-armour")
@pytest.mark.parametrize("item", ["Helm", "Light Mail", "Targe"])
def test_wizards_have_magic_armour_only_if_they_may_have_mundane(item: str) -> None:
    found = army(MAGE, {"items": [item]})
    check(found, "units[1].items[0]", f"{item!r}", "wap.item.general.wizards-and-armour")
    for kit in ({"equipment": ["light armour", "shield"]}, {"options": {"light armour": 1, "shield": 1}}):
        check(army({**MAGE, **kit}, {"items": [item]}), "", "", "")
    check(army({**MAGE, "equipment": ["shield"]}, {"items": ["Helm"]}), "", "", "")
    barded = {**MAGE, "type": "cavalry", "base_mm": [25.4, 50.8], "mount": HORSE, "equipment": ["barding"]}
    check(army(barded, {"items": ["Helm"]}), "units[1].items[0]", "'Helm'", "wap.item.general.wizards-and-armour")


@pytest.mark.rule("wap.item.general.armour-access")
@pytest.mark.parametrize(
    ("has", "item", "fine"),
    [
        (["light armour"], "Heavy Mail", False),
        (["light armour"], "Light Mail", True),
        (["heavy armour"], "Light Mail", True),
        (["heavy armour"], "Heavy Mail", True),
        (["heavy armour"], "Plate", False),
        (["full plate armour"], "Heavy Mail", True),
        (["shield"], "Light Mail", False),
        (["shield"], "Targe", True),
        (["light armour"], "Targe", False),
        (["buckler"], "Targe", False),
        (["medium armour"], "Targe", True),  # its save is better than a shield's
        ([], "Light Mail", False),
    ],
)
def test_magic_armour_needs_the_mundane_equivalent_or_better(has: list[str], item: str, fine: bool) -> None:
    for kit in ({"equipment": has}, {"options": dict.fromkeys(has, 1)}):
        found = army({**HERO, **kit}, {"items": [item]})
        check(found, "units[1].items[0]", f"{item!r}", "" if fine else "wap.item.general.armour-access")


@pytest.mark.rule("wap.item.general.armour-other-pieces")
@pytest.mark.parametrize("has", ["shield", "buckler", "light armour", ""])
def test_other_pieces_need_any_mundane_armour(has: str) -> None:
    found = army({**HERO, "equipment": [has] if has else []}, {"items": ["Helm"]})
    check(found, "units[1].items[0]", "'Helm'", "" if has else "wap.item.general.armour-other-pieces")


@pytest.mark.rule("wap.item.general.armour-other-pieces")
@pytest.mark.parametrize("owner", [0, 1])
def test_a_shield_and_a_helm_are_a_save_of_five(owner: int) -> None:
    """Strength 3 takes nothing from it: a 5 saves, a 4 does not."""
    card = {"equipment": ["shield"], "items": {"points": 50}}
    check(army(card, {"items": ["Dragonhelm"]}), "", "", "")
    for die, left in ((5, 2), (4, 1)):
        battle, own, _ = duel(owner, ["Dragonhelm"], bearer=card, foe=square(s=3, i=5), foes=1)
        script(battle, [4, 4, die, *([1] if left == 1 else [])])
        fight(battle, own)
        assert saves(battle, own)[0][0] == 5 and battle.models.wounds[own.model()] == left


@pytest.mark.rule("wap.item.general.weapon-types")
def test_a_magic_weapon_of_a_type_needs_that_mundane_weapon() -> None:
    rule, great = "wap.item.general.weapon-types", {"items": ["Great Axe"]}
    check(army(HERO, great), "units[1].items[0]", "'Great Axe'", rule)
    check(army({**HERO, "equipment": ["flail"]}, great), "units[1].items[0]", "'Great Axe'", rule)
    for kit in ({"equipment": ["great weapon"]}, {"options": {"great weapon": 4}}):
        check(army({**HERO, **kit}, great), "", "", "")
    for one_handed in ("Sword of Might", "Keen Axe", "Twin Axes"):
        check(army(HERO, {"items": [one_handed]}), "", "", "")


@pytest.mark.rule("wap.item.general.weapon-names")
def test_a_hero_with_an_axe_may_have_a_sword() -> None:
    axe = {"weapons": [{"weapon": "axe", "strength": "user"}], "equipment": ["axe"]}
    check(army({**HERO, **axe}, {"items": ["Sword of Might"]}), "", "", "")


@pytest.mark.parametrize(
    ("item", "card", "fine"),
    [
        ("Carpet", {}, True),
        ("Boots", {"type": "monstrous infantry", "base_mm": [40, 40]}, True),
        ("Carpet", {"type": "monstrous infantry", "base_mm": [40, 40]}, False),
        ("Boots", {"type": "cavalry", "base_mm": [25.4, 50.8], "mount": HORSE}, False),
    ],
)
def test_some_items_are_for_models_of_a_kind(item: str, card: dict[str, Any], fine: bool) -> None:
    check(army({**HERO, **card}, {"items": [item]}), "units[1].items[0]", f"{item!r}", "" if fine else "wap.item.test")


# ---------------------------------------------------------------- banners


@pytest.mark.rule("wap.item.general.banner-access")
@pytest.mark.parametrize(
    ("unit", "allowed", "fine"),
    [
        ({"command": ["standard"]}, 20, True),
        ({"command": ["standard"]}, 50, True),
        ({"command": ["standard"]}, 19, False),
        ({"command": ["standard"]}, None, False),
        ({"command": ["musician"]}, 20, False),
    ],
)
def test_the_standard_bearer_of_a_unit_carries_its_magic_banner(
    unit: dict[str, Any], allowed: int | None, fine: bool
) -> None:
    found = army(HERO, {})
    found["sheet"]["cards"]["men"]["banner"] = allowed
    found["units"][1:] = [{"card": "men", "models": 10, "banner": "Flag", **unit}]
    check(found, "units[1].banner", "'Flag'", "" if fine else "wap.item.general.banner-access")


@pytest.mark.rule("wap.item.general.banner-access")
@pytest.mark.parametrize(
    ("entry", "fine"), [({"battle_standard": True}, True), ({"general": True}, False), ({}, False)]
)
def test_of_characters_only_the_battle_standard_bearer_has_one(entry: dict[str, Any], fine: bool) -> None:
    found = army({**HERO, "banner": 50}, {"banner": "Flag", **entry})
    found["units"][0]["general"] = "general" not in entry
    check(found, "units[1].banner", "'Flag'", "" if fine else "wap.item.general.banner-access")


def test_a_banner_stands_in_its_own_field() -> None:
    assert "units[1].items[0]: 'Flag' is not that; expected no magic banner" in told(army(HERO, {"items": ["Flag"]}))
    assert "units[1].banner: 'Ring' is not that; expected a magic banner" in told(army(HERO, {"banner": "Ring"}))
