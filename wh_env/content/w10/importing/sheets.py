"""Datasheets from a roster's entry for a unit.

Characteristics, weapons and keywords are the roster's; bases and heights come from a known sheet, or are guessed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from wh_env.content.catalogues.telling import (
    MOST_NAME,
    MOST_TEXT,
    Report,
    amount_in,
    guessed_base,
    name_of,
    number_in,
    roll_in,
)
from wh_env.content.errors import ContentError, Expected
from wh_env.content.rosters.selections import (
    ABILITY,
    FACTION,
    MELEE,
    RANGED,
    UNIT,
    Profile,
    Selection,
)
from wh_env.content.w10.schema import Datasheet
from wh_env.content.w40k.weapons import WeaponRule

INVULNERABLE = re.compile(r"([2-6])\+\s*invulnerable save|invulnerable save\W*([2-6])\+", re.IGNORECASE)
NUMBERED = re.compile(
    r"(scouts|firing deck|feel no pain|deadly demise)\W*([0-9]*d?[0-9]+(?:\+[0-9]+)?)?", re.IGNORECASE
)
PLAIN = {
    "deep strike": "deep_strike",
    "infiltrators": "infiltrators",
    "lone operative": "lone_operative",
    "stealth": "stealth",
    "fights first": "fights_first",
    "hover": "hover",
}
NO_ABILITY = ("leader", "invulnerable save", "warlord")
_DICE = re.compile(r"\b([0-9]*)d([36])\b")  # of a number, as some files write them
PART_OF_NAME = re.compile(r"\s*[-–]\s*")
Loadout = tuple[str, ...]
Items = Mapping[str, str]  # by their names in small letters, items that abilities of a known datasheet name


def weapon_profile(profile: Profile, file: str, place: str, report: Report, unit: str) -> dict[str, Any]:
    """A line of a weapon table as a mapping of the schema."""
    melee = profile.kind == MELEE
    row: dict[str, Any] = {
        "range": "melee" if melee else max(1, number_in(profile.get("Range"), file, f"{place}.Range"))
    }
    row["A"] = amount_in(profile.get("A"), file, f"{place}.A")
    rules = []
    for word in re.split(r"[,;]", profile.get("Keywords")):
        text = word.strip().strip("[]").strip()
        if not text or text == "-":
            continue
        try:
            rule = str(WeaponRule.model_validate(_DICE.sub(r"\1D\2", text)))
        except (Expected, ValueError):
            report.leave(f"{unit}: weapon ability {text[:40]!r}")
            continue
        if rule not in rules:
            rules.append(rule)
    skill = profile.get("WS" if melee else "BS")
    if "Torrent" in rules:
        row["skill"] = "N/A"
    else:
        row["skill"] = roll_in(skill, file, f"{place}.{'WS' if melee else 'BS'}")
    row["S"] = amount_in(profile.get("S"), file, f"{place}.S")
    row["AP"] = -abs(number_in(profile.get("AP"), file, f"{place}.AP"))
    row["D"] = amount_in(profile.get("D"), file, f"{place}.D")
    if rules:
        row["abilities"] = rules
    return row


def weapons_of(selection: Selection, known: Mapping[str, list[Profile]]) -> list[Profile]:
    """The lines of a selection's weapon table: its own, else those of the same name elsewhere in the roster."""
    return selection.profiles_of(RANGED, MELEE) or known.get(selection.name, [])


def known_weapons(selections: Iterable[Selection]) -> dict[str, list[Profile]]:
    """Weapon tables of the whole roster by the name of the selection, as a repeated weapon may come without its own."""
    found: dict[str, list[Profile]] = {}
    for top in selections:
        for one in top.all():
            if profiles := one.profiles_of(RANGED, MELEE):
                found.setdefault(one.name, profiles)
    return found


def items_of(sheet: Datasheet | None) -> Items:
    """The items of a known datasheet that are no weapons and that abilities name."""
    abilities = (*sheet.abilities.auras, *sheet.abilities.other) if sheet is not None else ()
    named = (ability.wargear for ability in abilities)
    return {name.lower(): name for name in named if name is not None and sheet and name not in sheet.weapons}


def always_borne(sheet: Datasheet | None, model: str) -> set[str]:
    """The items that models of the type ``model`` have, whichever option they take; none without a known datasheet."""
    kinds = [kind for kind in sheet.models if kind.name.lower() == model.lower()] if sheet is not None else []
    return {item for kind in kinds for item in kind.wargear if all(item in option.wargear for option in kind.options)}


def items_in(selection: Selection, items: Items) -> set[str]:
    """The items that a selection gives, by its own name and those of its abilities."""
    named = (selection.name, *(profile.name for profile in selection.profiles_of(ABILITY)))
    return {items[name.lower()] for name in named if name.lower() in items}


def items_of_unit(unit: Selection, items: Items) -> set[str]:
    """The items that a unit of several models has outside of them."""
    outside = outside_models(unit) if models_in(unit) != [unit] else ()
    return {item for one in outside for item in items_in(one, items)}


def outside_models(unit: Selection) -> Iterator[Selection]:
    """The selections of a unit that are not inside its models."""
    for one in unit.inside:
        if one.kind != "model":
            yield one
            yield from outside_models(one)


def loadouts(
    model: Selection, known: Mapping[str, list[Profile]], items: Items, loose: Iterable[str] = ()
) -> Counter[tuple[Loadout, Loadout]]:
    """The weapons and the items of the models of a selection, counted.

    A roster gives totals of wargear for all models, so items are dealt to the models one after the other.

    Args:
        loose: items of the first model.
    """
    count = max(1, model.number)
    carried: list[list[str]] = [[] for _ in range(count)]
    borne: list[set[str]] = [set() for _ in range(count)]
    borne[0].update(loose)
    at = 0
    for one in model.all():
        armed, given = bool(weapons_of(one, known)), items_in(one, items)
        if (one is not model and one.kind == "model") or not (armed or given):
            continue
        each, over = divmod(count if one is model else one.number, count)
        dealt = [each + ((n - at) % count < over) for n in range(count)]
        for n, number in enumerate(dealt):
            carried[n] += [one.name] * number if armed else []
            borne[n] |= given if number else set()
        at += over
    return Counter((tuple(sorted(names)), tuple(sorted(have))) for names, have in zip(carried, borne, strict=True))


def abilities_in(unit: Selection) -> list[str]:
    """Names of all rules and abilities of a unit and of the selections inside it."""
    found: dict[str, None] = {}
    for one in unit.all():
        for name in (*one.rules, *(profile.name for profile in one.profiles_of(ABILITY))):
            found.setdefault(name)
    return list(found)


def core_abilities(unit: Selection, others: Iterable[str], report: Report) -> dict[str, Any]:
    """The abilities of a datasheet.

    Core abilities keep their numbers. A Leader lists the units at hand that it can lead. Others are named and not
    played.
    """
    found: dict[str, Any] = {}
    other = []
    weapon_words = {word for one in unit.all() for p in one.profiles_of(RANGED, MELEE) for word in words_of(p)}
    for name in abilities_in(unit):
        low = name.lower()
        numbered = NUMBERED.match(low)
        if low in PLAIN:
            found[PLAIN[low]] = True
        elif numbered and (numbered[2] or numbered[1] == "deadly demise"):
            number = numbered[2] or "1"
            if numbered[1] == "scouts":
                found["scouts"] = int(re.sub(r"\D", "", number) or 6)
            elif numbered[1] == "feel no pain":
                found["feel_no_pain"] = f"{re.sub(r'[^0-9]', '', number) or 6}+"
            elif numbered[1] == "deadly demise":
                found["deadly_demise"] = number.upper()
            else:
                report.leave(f"{unit.name}: {name}")
        elif low.startswith(NO_ABILITY) or low in weapon_words:
            continue
        else:
            other.append(name)
    leads = led_units(unit, others)
    if leads:
        found["leader"] = leads
    if other:
        found["other"] = [{"name": name, "effect": "not played", "active": False} for name in other[:30]]
        for name in other:
            report.leave(f"{unit.name}: {name}")
    return found


def words_of(profile: Profile) -> set[str]:
    """Abilities that a line of a weapon table names, each with and without its number."""
    words = [word.strip().strip("[]").lower() for word in profile.get("Keywords").split(",") if len(word) <= MOST_NAME]
    return {*words, *(re.sub(r"\W*[0-9d+]+$", "", word) for word in words)}


def led_units(unit: Selection, others: Iterable[str]) -> list[str]:
    """The other units that the Leader ability of ``unit`` names."""
    texts = dict.fromkeys(
        profile.get("Description")
        for one in unit.all()
        for profile in one.profiles_of(ABILITY)
        if profile.name.lower() == "leader"
    )
    told = " ".join(texts)[:MOST_TEXT]
    return [
        name
        for name in others
        if name != unit.name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", told, re.IGNORECASE)
    ]


def invulnerable(unit: Selection) -> str:
    """The invulnerable save that an ability gives, or an empty text."""
    for one in unit.all():
        for profile in one.profiles_of(ABILITY):
            if "invulnerable" in profile.name.lower():
                match = INVULNERABLE.search(f"{profile.name} {profile.get('Description')}") or re.search(
                    r"([2-6])\+()", profile.get("Description")
                )
                if match:
                    return f"{match[1] or match[2]}+"
    return ""


def models_in(unit: Selection) -> list[Selection]:
    """The models of a unit; a unit without models is a model itself."""
    return [one for one in unit.all() if one.kind == "model"] or [unit]


def characteristics(model: Selection, unit: Selection) -> Profile | None:
    """The characteristics of a model: its own, else those of its name in the unit, else those of the unit."""
    own = model.profiles_of(UNIT)
    every = [profile for one in unit.all() for profile in one.profiles_of(UNIT)]
    named = [profile for profile in every if profile.name.lower() == model.name.lower()]
    return next(iter([*own, *named, *every]), None)


def keywords_of(unit: Selection) -> tuple[list[str], list[str]]:
    """Faction keywords and keywords of a unit, in capital letters."""
    faction = [name.removeprefix(FACTION).upper() for name in unit.categories if name.startswith(FACTION)]
    others = [name.upper() for name in unit.categories if name and not name.startswith(FACTION)]
    others = [
        name
        for name in dict.fromkeys(others)
        if name not in ("CONFIGURATION", "UNIT", "UNCATEGORISED", "UNCATEGORIZED")
    ]
    return list(dict.fromkeys(faction)), others


def stands_on(
    model: str, keywords: Iterable[str], sheet: Datasheet | None, unit: str, report: Report
) -> tuple[Any, float]:
    """Base and height (inches) of a model.

    They are those of the known sheet's model of that name, else of its last model. Without a sheet they are guessed
    from the keywords, and the report says so.
    """
    if sheet is not None:
        known = next((kind for kind in sheet.models if kind.name.lower() == model.lower()), sheet.models[-1])
        base = {name: value for name, value in known.base.model_dump(mode="json").items() if value is not None}
        return base, known.height_in
    return guessed_base(unit, keywords, report)


def numbers_in(profile: Profile, file: str, place: str) -> dict[str, Any]:
    """The characteristics of a model from its profile.

    Raises:
        ContentError: one is missing or unreadable.
    """
    numbers: dict[str, Any] = {name: number_in(profile.get(name), file, f"{place}.{name}") for name in ("M", "T")}
    numbers["Sv"] = roll_in(profile.get("SV"), file, f"{place}.SV", "7+")
    numbers["W"] = number_in(profile.get("W"), file, f"{place}.W")
    numbers["Ld"] = roll_in(profile.get("LD"), file, f"{place}.LD")
    return {**numbers, "OC": number_in(profile.get("OC"), file, f"{place}.OC")}


def sheet_of(
    unit: Selection,
    name: str,
    known: Mapping[str, list[Profile]],
    sheet: Datasheet | None,
    faction: str,
    others: Iterable[str],
    cost: int,
    file: str,
    report: Report,
) -> dict[str, Any]:
    """A datasheet of a unit as it was chosen: fixed numbers of models, each with its weapons.

    Args:
        name: of the sheet.
        known: weapon tables by name.
        sheet: the known datasheet of that unit; None: there is none.
        faction: of the army.
        others: names of the army's units.
        cost: its points.

    Raises:
        ContentError: characteristics are missing or unreadable.
    """
    faction_keywords, keywords = keywords_of(unit)
    place = f"unit {unit.name!r}"
    weapons: dict[str, Any] = {}
    models: list[dict[str, Any]] = []
    ward = invulnerable(unit)
    items = items_of(sheet)
    for at, model in enumerate(models_in(unit)):
        profile = characteristics(model, unit)
        if profile is None:
            raise ContentError(file, place, model.name, "a profile of the type Unit", "has no characteristics")
        base, height = stands_on(model.name, keywords, sheet, unit.name, report)
        row = {**numbers_in(profile, file, place), "base": base, "height_in": height}
        if ward:
            row["invuln"] = ward
        fixed = always_borne(sheet, model.name)
        for (carried, borne), count in loadouts(model, known, items, () if at else items_of_unit(unit, items)).items():
            for weapon in dict.fromkeys(carried):
                if weapon not in weapons:
                    weapons[weapon] = weapon_of(weapon, known, unit, file, report)
            if len(set(carried)) < len(carried):
                report.guess(f"{unit.name}: of weapons that a model has twice it uses one")
            called = model.name if all(m["name"] != model.name for m in models) else f"{model.name} ({len(models) + 1})"
            wargear = {"wargear": sorted(fixed.union(borne))} if fixed or borne else {}
            arms = {"weapons": list(dict.fromkeys(carried)), **wargear}
            models.append({"name": called, "min": count, "max": count, **row, **arms})
    return {
        "name": name,
        "faction": faction,
        "faction_keywords": faction_keywords or [faction.upper()],
        "keywords": keywords or ["INFANTRY"],
        "models": models,
        "weapons": weapons,
        "abilities": core_abilities(unit, others, report) if sheet is None else played(sheet, unit, others, report),
        "points": [{"models": sum(m["max"] for m in models), "points": cost}],
    }


def played(sheet: Datasheet, unit: Selection, others: Iterable[str], report: Report) -> dict[str, Any]:
    """The abilities of a known sheet; those that are not played are reported."""
    found: dict[str, Any] = sheet.abilities.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    for name in sheet.inactive:
        report.leave(f"{unit.name}: {name}")
    leads = [name for name in others if name in sheet.abilities.leader]
    if "leader" in found:
        found["leader"] = [*dict.fromkeys([*leads, *found["leader"]])]
    return found


def weapon_of(
    name: str, known: Mapping[str, list[Profile]], unit: Selection, file: str, report: Report
) -> dict[str, Any]:
    """A weapon by its name: one profile, or several, named after their differences."""
    own = [p for one in unit.all() if one.name == name for p in one.profiles_of(RANGED, MELEE)]
    lines: list[Profile] = []
    for profile in own or known[name]:
        if all(profile != other for other in lines):
            lines.append(profile)
    place = f"unit {unit.name!r}: weapon {name!r}"
    rows = [weapon_profile(profile, file, place, report, unit.name) for profile in lines[:8]]
    if len(rows) == 1:
        return rows[0]
    for n, (row, profile) in enumerate(zip(rows, lines, strict=False), 1):
        row["name"] = name_of(PART_OF_NAME.split(profile.name)[-1], f"profile {n}")
    if len({row["name"] for row in rows}) < len(rows):
        for n, row in enumerate(rows, 1):
            row["name"] = f"{row['name']} {n}"
    return {"profiles": rows}
