"""Facts of datasheets of the 9th edition: of a shipped one, and of a unit of a catalogue, under the same fields."""

from __future__ import annotations

import re

from wh_env.content.catalogues.entries import Entry, Line
from wh_env.content.catalogues.facts import Facts, alike, plain_name
from wh_env.content.classic.numbers import NO_SAVE
from wh_env.content.classic.schema import ClassicDatasheet, ClassicModel, DamageRow
from wh_env.content.classic.weapons import ClassicProfile
from wh_env.rulesets.w40k.keywords import singular

UNIT, WEAPON, ABILITY, PSYKER, TRANSPORT = "Unit", "Weapon", "Abilities", "Psyker", "Transport"
CHARACTERISTICS = ("M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv")
CHANGING = ("M", "WS", "BS", "S", "A")  # what a damage table may change
FACTION = "Faction: "
ROLES = (
    "HQ",
    "Troops",
    "Elites",
    "Fast Attack",
    "Heavy Support",
    "Flyers",
    "Lords of War",
    "Fortifications",
    "Dedicated Transport",
)
NO_KEYWORDS = frozenset(singular(word) for word in (*ROLES, "Flyer", "Lord of War", "Fortification"))
LEFT_OUT = frozenset(("warlord", "relics", "crusade", "stratagem", "stratagems", "battle honours", "warlord traits"))
_BRACKET = re.compile(r"\s*[\[(].*$")
_LEFT = re.compile(r"\(\s*(?:1\s*-\s*)?([0-9]+)\s*(?:-\s*([0-9]+)|\+)?\s*wounds", re.IGNORECASE)
_INVULNERABLE = re.compile(r"(?:have|has) a ([2-6])\+ invulnerable", re.IGNORECASE)
_EXPLODES = re.compile(r"([0-9]+)\W*/\s*([0-9]*D?[0-9]+)", re.IGNORECASE)
_CAPACITY = re.compile(r"([0-9]+)")
_HALF_RANGE = re.compile(r"half range.*?Damage characteristic of D[36]\+([0-9]+)", re.IGNORECASE | re.DOTALL)
_AUTOMATIC = re.compile(r"automatically hits", re.IGNORECASE)


def facts_of_sheet(sheet: ClassicDatasheet) -> Facts:
    """The facts of a datasheet of ours."""
    facts: Facts = {"models": f"{sheet.smallest}-{sheet.largest}"}
    for model in sheet.models:
        for word in CHARACTERISTICS:
            facts[f"{alike(model.name)}: {word}"] = _own(model, word)
        for row in model.damage:
            for word in CHANGING:
                facts[f"{alike(model.name)}: {word} with {row.wounds} wounds"] = _changed(model, row, word)
        facts[f"{alike(model.name)}: points"] = sheet.points if model.points is None else model.points
    facts["invulnerable save"] = frozenset(f"{m.invuln}+" for m in sheet.models if m.invuln is not None)
    abilities = sheet.abilities
    if abilities.psyker is not None:
        facts["manifests"], facts["denies"] = abilities.psyker.manifest, abilities.psyker.deny
    if abilities.transport is not None:
        facts["capacity"] = abilities.transport.capacity
    if abilities.explodes is not None:
        facts["explodes"] = f"{abilities.explodes.range:g}, {abilities.explodes.damage}"
    facts["keywords"] = frozenset(singular(word) for word in sheet.keywords) - {singular(sheet.name)} - NO_KEYWORDS
    facts["faction keywords"] = frozenset(word.upper() for word in sheet.faction_keywords)
    for name, weapon in sheet.weapons.items():
        for profile in weapon.profiles:
            facts[f"weapon {alike(f'{name}, {profile.name}' if profile.name else name)}"] = _profile_facts(profile)
    return facts


def _own(model: ClassicModel, word: str) -> str:
    if word == "M":
        return str(model.M._write())
    value = getattr(model, word)
    if word in ("WS", "BS"):
        return f"{value}+" if value else "-"
    if word == "Sv":
        return "-" if value == NO_SAVE else f"{value}+"
    return str(value)


def _changed(model: ClassicModel, row: DamageRow, word: str) -> str:
    value = getattr(row, word)
    if value is None:
        return _own(model, word)
    if word == "M":
        return str(value._write())
    if word in ("WS", "BS"):
        return f"{value}+" if value else "-"
    return str(value)


def _profile_facts(profile: ClassicProfile) -> Facts:
    return {
        "range": "melee" if profile.melee else f"{profile.range:g}",
        "type": profile.type._write().lower(),
        "S": str(profile.S._write()).lower(),
        "AP": str(profile.AP),
        "D": str(profile.D),
        "blast": "yes" if "Blast" in profile.abilities else "no",
        "hits automatically": "yes" if "Automatic hits" in profile.abilities else "no",
        "damage at half range": profile.half_range_damage,
    }


def facts_of_entry(entry: Entry, sheet: ClassicDatasheet) -> Facts:
    """The facts of a unit of a catalogue; ``sheet``: the datasheet of ours, whose names of models are asked for."""
    least, most = entry.sizes()
    facts: Facts = {"models": f"{least}-{most}"}
    for model in sheet.models:
        lines = _lines_of(entry, model.name)
        if not lines:
            continue
        for word in CHARACTERISTICS:
            facts[f"{alike(model.name)}: {word}"] = _cell(lines[0], word)
        for line in lines[1:]:
            left = _LEFT.search(line.name)
            wounds = (left[2] or left[1]) if left else "?"
            for word in CHANGING:
                facts[f"{alike(model.name)}: {word} with {wounds} wounds"] = _cell(line, word)
        facts[f"{alike(model.name)}: points"] = _points(entry, model.name)
    abilities = entry.lines_of(ABILITY)
    own = [
        line
        for one in entry.walk()
        if one is entry or one.kind == "model"
        for line in one.lines
        if line.kind == ABILITY
    ]
    facts["invulnerable save"] = frozenset(
        f"{match[1]}+" for line in own if (match := _INVULNERABLE.search(line.get("Description")))
    )
    for line in entry.lines_of(PSYKER):
        facts["manifests"], facts["denies"] = _whole(line.get("Cast")), _whole(line.get("Deny"))
    for line in entry.lines_of(TRANSPORT):
        if match := _CAPACITY.search(line.get("Capacity")):
            facts["capacity"] = int(match[1])
    for name in (*entry.rules, *(line.name for line in abilities)):
        if match := _EXPLODES.search(name):
            facts["explodes"] = f"{match[1]}, {match[2].upper()}"
    words = [c for one in entry.walk() if one is entry or one.kind == "model" for c in one.categories]
    facts["keywords"] = (
        frozenset(singular(w) for w in words if not w.startswith(FACTION)) - {singular(sheet.name)} - NO_KEYWORDS
    )
    facts["faction keywords"] = frozenset(
        w.removeprefix(FACTION).upper() for w in words if w.startswith(FACTION) and "<" not in w
    )
    for line in entry.lines_of(WEAPON):
        facts[f"weapon {alike(line.name)}"] = _line_facts(line)
    return facts


def _whole(text: str) -> int:
    match = re.search(r"[0-9]+", text)
    return int(match[0]) if match else 0


def _points(entry: Entry, model: str) -> int:
    """Points of each model of a name: its own, or those of a unit of one."""
    found = [one for one in entry.models() if alike(_BRACKET.sub("", one.name)) == alike(model)] or entry.models()[:1]
    return found[0].points or entry.points


def _lines_of(entry: Entry, name: str) -> list[Line]:
    """The rows of a model's characteristics, the unhurt one first."""
    every = entry.lines_of(UNIT)
    lines = [line for line in every if alike(_BRACKET.sub("", line.name)) == alike(name)]
    if not lines and len({tuple(line.values.items()) for line in every}) == 1:
        lines = every[:1]
    return sorted(lines, key=lambda line: line.name)


def _cell(line: Line, word: str) -> str:
    text = line.get("Save" if word == "Sv" else word).replace('"', "").replace(" ", "").strip()
    if word in ("WS", "BS", "Sv") and text.isdigit():
        text += "+"
    return text.upper() if "d" in text.lower() else text


def _line_facts(line: Line) -> Facts:
    kind, text = line.get("Type").strip().lower(), line.get("Abilities")
    reach = re.sub(r"[^0-9]", "", line.get("Range"))
    half = _HALF_RANGE.search(text)
    return {
        "range": "melee" if kind == "melee" else reach,
        "type": kind,
        "S": line.get("S").strip().lower(),
        "AP": line.get("AP").strip(),
        "D": line.get("D").replace(" ", "").upper(),
        "blast": "yes" if plain_name(text).startswith("blast") or " blast" in plain_name(text) else "no",
        "hits automatically": "yes" if _AUTOMATIC.search(text) else "no",
        "damage at half range": int(half[1]) if half else 0,
    }
