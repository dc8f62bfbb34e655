"""Datasheets of the 9th edition from the units of a catalogue; entries that do not map are reported."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wh_env.content.catalogues.abilities import Abilities, ability_lines
from wh_env.content.catalogues.entries import Entry, Line, own_parts
from wh_env.content.catalogues.facts import alike, plain_name
from wh_env.content.catalogues.loadouts import ItemsOf, no_items
from wh_env.content.catalogues.prose import attacks, ninth, units
from wh_env.content.catalogues.prose.words import About, plain
from wh_env.content.catalogues.sheets import (
    FACTION,
    LEGENDS,
    NO_KEYWORDS,
    WeaponSheet,
    armed,
    kinds,
    name_of_kind,
    transport_of,
)
from wh_env.content.catalogues.telling import Report, amount_in, guessed_base, name_of, number_in, roll_in
from wh_env.content.classic.facts import (
    ABILITY,
    AUTOMATIC,
    CHANGING,
    CHARACTERISTICS,
    CLOSEST,
    EXPLODES,
    INVULNERABLE,
    ONE_OF_ROLE,
    PSYKER,
    ROLES,
    TRANSPORT,
    UNIT,
    WOUNDS_LEFT,
    half_range_damage,
    model_name,
    power_of_entry,
    unit_lines,
    whole_number,
)
from wh_env.content.classic.schema import MOST_BRACKETS
from wh_env.content.classic.weapons import ClassicProfile
from wh_env.content.errors import ContentError

TRACK, OTHER_TRACK = "Wound Track", "Stat Damage"
TRACK_COLUMNS = {"Movement": "M", "Move": "M", "Strength": "S", "Attacks": "A"} | {word: word for word in CHANGING}
NO_TITLE = "Characteristic "
Tracks = list[tuple[int | None, dict[str, str]]]
FEARLESS = 10  # Leadership of models that have none
ANY_ROLE = "Elites"  # of a unit of a library, which says none
MELEE = "melee"
# words of a weapon's ability, and their name in the schema
ABILITIES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(words, re.IGNORECASE), name)
    for words, name in (
        (r"\bblast\b", "Blast"),
        (AUTOMATIC.pattern, "Automatic hits"),
        (r"not visible|aren't visible", "Not visible"),
        (r"not receive the benefits? of (?:light )?cover", "Ignores Cover"),
        (r"you can re-roll (?:the|that attack's) wound roll", "Re-roll wounds"),
        (r"once per battle", "Once"),
        (r"cannot use any rules to ignore the wounds", "Wounds cannot be ignored"),
        (r"hit roll of 6 scores 1 additional hit", "Hit rolls of 6: 1 additional hit"),
        (r"hit roll of 6 automatically wounds", "Hit rolls of 6 wound"),
        (r"hit rolls? of 1[^.]*bearer is (?:destroyed|slain)", "Hit rolls of 1 slay the bearer"),
    )
)
HIT = re.compile(r"subtract 1 from (?:that|the) attack's hit roll", re.IGNORECASE)
MORE = re.compile(r"makes? ([0-9]+) additional attacks? with this weapon", re.IGNORECASE)
NO_OTHERS = re.compile(r"no more than [0-9]+ attacks? can be made", re.IGNORECASE)
_TWO = re.compile(r"^(?:two|2x)\s", re.IGNORECASE)
_NEEDED = re.compile(r"on a ([2-6])", re.IGNORECASE)
_BURST = re.compile(
    r"(?:explodes,? and each unit|the closest enemy unit) within ([0-9]+)\W+suffers ([0-9]*D?[0-9]+) mort?al wound",
    re.IGNORECASE,
)
_SHRUGS = re.compile(
    r"each time (?:this model|a model in this unit) would lose a wound, roll (?:one|a) d6\W+on a ([2-6])\+?,?"
    r" (?:that|the)"
    r" wound is not lost"
)
_STEADY = re.compile(
    r"this (?:unit|model) automatically passes morale tests"
    r"|each time a morale test is taken for this (?:unit|model), it is automatically passed"
)
_ARRIVES = re.compile(r"set up [^.]*more than 9\W+away from any enemy models", re.IGNORECASE)
_LATER = re.compile(r"reinforcements step|end of (?:one|any) of your movement phases", re.IGNORECASE)
_ONLY_IF = re.compile(r"\b(?:against|if|excluding|within half)\b", re.IGNORECASE)
_MOVE = re.compile(r"[0-9]+-[0-9]+|[0-9]*D6(?:\+[0-9]+)?|[0-9]+")
_CHOSEN = re.compile(r"<[^>]*>\s*|\bCHAPTER\b\s*")  # a keyword that the player chooses
TOLD_ELSEWHERE = ("explodes", "warlord", "invulnerable")


def sheet_of_entry(
    entry: Entry, faction: str, file: str, report: Report, every_keyword: frozenset[str]
) -> dict[str, Any]:
    """A datasheet of a unit of a catalogue, as a mapping of the schema ``ClassicDatasheet``.

    Args:
        faction: name of its faction.
        file: the catalogue's file, for messages.
        every_keyword: the keywords of all units, in capital letters.

    Raises:
        ContentError: characteristics are missing or cannot be read.
    """
    name = LEGENDS.sub("", name_of(entry.name))
    words = [c for one in entry.walk() if one is entry or one.kind == "model" for c in one.categories]
    roles = [ONE_OF_ROLE.get(word.removeprefix("Non-Compulsory "), word) for word in words]
    role = next((each for each in roles if each in ROLES), None)
    if role is None:
        report.guess(f"{name}: {ANY_ROLE}")
    keywords = [
        word.upper()
        for word, as_role in zip(words, roles, strict=True)
        if word
        and not word.startswith((FACTION, "Non-Compulsory "))
        and as_role not in ROLES
        and plain_name(word) not in (*NO_KEYWORDS, plain_name(name))
    ]
    weapons = _Weapons(file, name, report, weapon_profile)
    told = Report()
    models = _models(entry, keywords, weapons, file, told)
    smallest, largest = sum(model["min"] for model in models), sum(model["max"] for model in models)
    about = About(tuple(weapons.used(models)), every_keyword, largest=largest, chooses=False)
    read = Abilities(name, about, (attacks.RULES, units.RULES, ninth.RULES), report)
    abilities = _abilities(entry, keywords, read)
    if read.items:
        told = Report()
        models = _models(entry, keywords, weapons, file, told, read.items_of)
    report.add(told)
    read.settle(models)
    if rows := read.rows():
        abilities["other"] = rows
    held = [w.removeprefix(FACTION).strip("<> ").upper() for w in words if w.startswith(FACTION)]
    points = models[-1].pop("points")
    for model in models[:-1]:
        if model["points"] == points:
            del model["points"]
    return {
        "name": name,
        "source": name_of(Path(file).name, "catalogue"),
        "faction": faction,
        "faction_keywords": list(dict.fromkeys(held)) or [faction.upper()],
        "keywords": list(dict.fromkeys(keywords)) or ["INFANTRY"],
        "role": role or ANY_ROLE,
        "power": _power(entry, smallest, largest),
        "points": points,
        "models": models,
        "weapons": weapons.used(models),
        "abilities": abilities,
    }


# ---------------------------------------------------------------- models


def _line_of(model: Entry, unit: Entry) -> Line | None:
    """The characteristics of an unhurt model: its own, else those of its name in the unit, else those of the unit."""
    own = sorted(model.lines_of(UNIT), key=lambda line: line.name)
    return next(iter([*own, *unit_lines(unit, model.name), *unit.lines_of(UNIT)]), None)


def _models(
    entry: Entry,
    keywords: list[str],
    weapons: WeaponSheet,
    file: str,
    report: Report,
    items_of: ItemsOf = no_items,
) -> list[dict[str, Any]]:
    """The kinds of models, with points, as mappings of the schema; ``items_of`` as for ``loadouts``."""
    place = f"unit {entry.name!r}"
    base, height = guessed_base(entry.name, keywords, report)
    tracks = _tracks(entry)
    unhurt = next((now for left, now in tracks if left is None), {})
    rows: list[dict[str, Any]] = []
    for kind in kinds(entry, file, _line_of):
        name = name_of_kind(kind)
        if any(row["name"] == name for row in rows):
            name = f"{name} ({len(rows) + 1})"
        first = kind.entries[0]
        row: dict[str, Any] = {"name": name, "min": kind.least, "max": kind.most}
        row |= _characteristics(kind.line, file, place, unhurt if "*" in "".join(kind.line.values.values()) else None)
        wards = [m[1] for one in (first, *([] if first is entry else [entry])) if (m := _ward(one))]
        if wards:
            row["invuln"] = f"{min(wards)}+"
        damage = _damage(entry, kind.line, tracks, file, place)
        if damage:
            row["damage"] = damage
        row |= {"base": dict(base), "height_in": height}
        arms = armed(kind, weapons, report, entry.name, items_of)
        row |= arms.fields()
        row["points"] = arms.points + first.points
        rows.append(row)
    least = sum(row["min"] for row in rows)
    if entry.models() != [entry] and entry.points and least:
        each = -(-entry.points // least)
        report.guess(f"{entry.name}: {each} points of a model more, from {entry.points} of the unit")
        for row in rows:
            row["points"] += each
    return rows


def _characteristics(line: Line, file: str, place: str, track: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The characteristics of a line; ``track`` overrides them with a row of a separate damage table."""
    told = {word: line.get("Save" if word == "Sv" else word) for word in CHARACTERISTICS} | dict(track or {})
    return {
        "M": _move(told["M"], file, place),
        "WS": _skill(told["WS"], file, place),
        "BS": _skill(told["BS"], file, place),
        "S": number_in(told["S"], file, f"{place}.S"),
        "T": number_in(told["T"], file, f"{place}.T"),
        "W": number_in(told["W"], file, f"{place}.W"),
        "A": amount_in(told["A"], file, f"{place}.A"),
        "Ld": number_in(told["Ld"], file, f"{place}.Ld") or FEARLESS,
        "Sv": roll_in(_plus(told["Sv"]), file, f"{place}.Save", "-"),
    }


def _tracks(entry: Entry) -> Tracks:
    """Rows of a damage table that stands beside the characteristics.

    Each row is (most wounds left, changed characteristics by name); None wounds left: the model is unhurt. Columns
    without a title are those of the starred characteristics, in their order.
    """
    lines = [
        line for one in entry.walk() for line in one.lines if any(kind in line.kind for kind in (TRACK, OTHER_TRACK))
    ]
    printed = next((line for line in entry.lines_of(UNIT) if "*" in "".join(line.values.values())), None)
    starred = [word for word in CHANGING if printed is not None and printed.get(word).strip() == "*"]
    wounds = whole_number(printed.get("W")) if printed is not None else 0
    columns: dict[str, str] = dict(TRACK_COLUMNS)
    for line in lines:
        titles = {name: text.strip() for name, text in line.values.items() if text.strip() in CHANGING}
        columns |= titles if line.kind == TRACK else {}
    if not any(name.startswith(NO_TITLE) for name in columns):
        columns |= {f"{NO_TITLE}{number}": word for number, word in enumerate(starred, 1)}
    rows: Tracks = []
    for line in lines:
        left = line.get("Remaining W") or line.get("Wounds")
        numbers = [int(number) for number in re.findall(r"[0-9]+", left)]
        if numbers:
            now = {
                columns[name]: text
                for name, text in line.values.items()
                if name in columns and text.strip() not in ("", "-")
            }
            whole = "+" in left or (wounds and max(numbers) >= wounds)
            rows.append((None if whole else max(numbers), now))
    return rows


def _plus(text: str) -> str:
    """A roll with its plus sign, which the catalogue may leave out."""
    return f"{text.strip()}+" if text.strip().isdigit() else text


def _skill(text: str, file: str, place: str) -> str:
    return roll_in(_plus(text), file, place, "-")


def _move(text: str, file: str, place: str) -> int | str:
    """A Move: inches, dice, two values, or a dash.

    Raises:
        ContentError: it is none of these.
    """
    plain = text.replace('"', "").replace("”", "").replace(" ", "").upper()
    if plain in ("-", "N/A", ""):
        return "-"
    match = _MOVE.fullmatch(plain.removesuffix("+"))
    if match is None:
        raise ContentError(file, f"{place}.M", text, "a Move in inches")
    return int(match[0]) if match[0].isdigit() else match[0]


def _ward(entry: Entry) -> re.Match[str] | None:
    """The invulnerable save that an entry, or one of its mandatory entries, gives; None: none."""
    lines = [line for one in own_parts(entry) if one is entry or one.kind != "model" for line in one.lines]
    found = (INVULNERABLE.search(line.get("Description")) for line in lines if line.kind == ABILITY)
    return next((match for match in found if match), None)


def _damage(entry: Entry, unhurt: Line, tracks: Tracks, file: str, place: str) -> list[dict[str, Any]]:
    """Rows of a model's damage table: the changed characteristics by wounds left."""
    starred = "*" in "".join(unhurt.values.values())
    start = next((now for left, now in tracks if left is None), {}) if starred else None
    whole = _characteristics(unhurt, file, place, start)
    found = {left: _characteristics(unhurt, file, place, now) for left, now in tracks if left is not None and starred}
    for line in entry.lines_of(UNIT):
        left = WOUNDS_LEFT.search(line.name)
        if left is not None and line is not unhurt and model_name(line.name) == model_name(unhurt.name):
            found[int(left[2] or left[1])] = _characteristics(line, file, place)
    rows = {
        left: {word: now[word] for word in CHANGING if now[word] != whole[word]}
        for left, now in found.items()
        if left < whole["W"]
    }
    return [{"wounds": left, **rows[left]} for left in sorted(rows, reverse=True)][:MOST_BRACKETS]


def _power(entry: Entry, smallest: int, largest: int) -> list[dict[str, int]]:
    """Power by size: one row for each largest size with the same Power."""
    rows: list[dict[str, int]] = []
    for models in range(smallest, largest + 1):
        power = power_of_entry(entry, models)
        if rows and rows[-1]["power"] == power:
            rows[-1]["models"] = models
        else:
            rows.append({"models": models, "power": power})
    return rows


# ---------------------------------------------------------------- weapons


class _Weapons(WeaponSheet):
    """The weapon sheet of the 9th edition; an entry may stand for two weapons."""

    def copies(self, entry: Entry) -> int:
        return 2 if _TWO.match(entry.name) else 1


def weapon_profile(line: Line, file: str, place: str, report: Report, unit: str) -> dict[str, Any]:
    """A line of a weapon table as a mapping of the schema.

    Raises:
        ContentError: it cannot be read.
    """
    kind, text = line.get("Type").strip(), line.get("Abilities").replace("’", "'").strip()
    melee = kind.lower() == MELEE
    damage = line.get("D").replace(" ", "").upper()
    row: dict[str, Any] = {
        "range": MELEE if melee else max(1, number_in(line.get("Range"), file, f"{place}.Range")),
        "type": "Melee" if melee else kind.replace(" d", " D"),
        "S": _strength(line.get("S"), file, place),
        "AP": -abs(number_in(line.get("AP"), file, f"{place}.AP")),
        "D": amount_in(damage, file, f"{place}.D"),
    }
    rules = [name for words, name in ABILITIES if words.search(text)]
    if "Re-roll wounds" in rules and _ONLY_IF.search(text):
        rules.remove("Re-roll wounds")
    half, more = half_range_damage(text, damage), MORE.search(text) if melee else None
    if HIT.search(text):
        row["hit"] = -1
    if half > 0:
        row["half_range_damage"] = half
    if more:
        row["extra"] = int(more[1])
        if NO_OTHERS.search(text):
            row["only_extra"] = True
    if rules:
        row["abilities"] = rules
    try:
        ClassicProfile.model_validate(row)
    except ValueError:
        raise ContentError(file, f"{place}.Type", kind, "a type, Strength and Damage that are known") from None
    if text not in ("", "-") and not (rules or half or more or "hit" in row):
        report.leave(f"{unit}: the ability of {name_of(line.name, 'a weapon')}")
    return row


def _strength(text: str, file: str, place: str) -> str | int:
    """The Strength of a weapon: the bearer's, a change of the bearer's, or a number."""
    plain = text.replace(" ", "").lower()
    if plain == "user":
        return "User"
    if re.fullmatch(r"[+-][0-9]{1,2}|x[2-9]", plain):
        return plain
    return amount_in(text, file, f"{place}.S")


# ---------------------------------------------------------------- abilities


def _abilities(entry: Entry, keywords: list[str], read: Abilities) -> dict[str, Any]:
    """The abilities that the schema has fields for, and those whose texts are understood; others are named and not
    played.
    """
    found: dict[str, Any] = {}
    texts = [(rule, "", True) for one in own_parts(entry) for rule in one.rules]
    texts += [
        (line.name, line.get("Description"), whole) for line, whole in ability_lines(entry, ABILITY, only_own=True)
    ]
    for title, words, whole in texts:
        row = _field_of(title, words.replace("’", "'"))
        if row is not None:
            found |= row
            read.as_field(title)
        elif not alike(title).startswith(TOLD_ELSEWHERE):
            read.read(title, words, whole)
    for line in entry.lines_of(PSYKER)[:1]:
        if "PSYKER" in keywords:
            found["psyker"] = {"manifest": whole_number(line.get("Cast")), "deny": whole_number(line.get("Deny"))}
            read.report.leave(f"{read.unit}: psychic powers beside Smite")
    for line in entry.lines_of(TRANSPORT)[:1]:
        if carries := transport_of(_CHOSEN.sub("", line.get("Capacity")), 0):
            found["transport"] = carries
            read.report.guess(f"{read.unit}: carries {', '.join(carries['allowed'])}")
    return found


def _field_of(title: str, words: str) -> dict[str, Any] | None:
    """The fields of the schema for an ability; empty: another part of the datasheet has it. None: there are none."""
    sentence = plain(words)
    if burst := EXPLODES.search(title) or _BURST.search(words):
        needed = _NEEDED.search(words)
        closest = {"closest_enemy": True} if CLOSEST in words else {}
        roll = f"{needed[1] if needed else 6}+"
        return {"explodes": {"needed": roll, "range": int(burst[1]), "damage": burst[2].upper(), **closest}}
    if shrugs := _SHRUGS.fullmatch(sentence):
        return {"feel_no_pain": f"{shrugs[1]}+"}
    if _STEADY.fullmatch(sentence):
        return {"passes_morale": True}
    if _ARRIVES.search(words) and _LATER.search(words):
        return {"teleport": True}
    return {} if INVULNERABLE.search(words) and len(re.split(r"[.:] ", sentence)) == 1 else None
