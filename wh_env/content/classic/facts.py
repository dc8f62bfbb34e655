"""Facts of datasheets of the 9th edition: of a shipped one, and of a unit of a catalogue, under the same fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches

from wh_env.content.catalogues.entries import Entry, Line, own_parts
from wh_env.content.catalogues.facts import Facts, alike, plain_name
from wh_env.content.classic.numbers import NO_SAVE
from wh_env.content.classic.schema import ClassicDatasheet, ClassicModel, DamageRow
from wh_env.content.classic.weapons import ClassicProfile
from wh_env.rulesets.w40k.keywords import singular

UNIT, WEAPON, ABILITY, PSYKER, TRANSPORT = "Unit", "Weapon", "Abilities", "Psyker", "Transport"
CHARACTERISTICS = ("M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv")
CHANGING = ("M", "WS", "BS", "S", "A")  # characteristics that a damage table may change
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
ONE_OF_ROLE = {"Flyer": "Flyers", "Lord of War": "Lords of War", "Fortification": "Fortifications"}
NO_KEYWORDS = frozenset(singular(word) for word in (*ROLES, *ONE_OF_ROLE, *(f"Non-Compulsory {r}" for r in ROLES)))
LEFT_OUT = frozenset(
    (
        *("warlord", "relics", "crusade", "stratagem", "stratagems", "battle honours", "warlord traits"),
        *("special-issue wargear", "bio-artefacts", "adaptive physiologies"),
    )
)
SPELT_ALIKE = 0.95  # of two names that are one
CLOSEST = "closest enemy unit"  # the only unit that some explosions harm
_BRACKET = re.compile(r"\s*[\[(].*$")
_SERGEANT = re.compile(r"\bsgt\b")
_PROFILE = re.compile(r"(?:\s+-\s+|\s*\()([^()]+?)\)?$")
WOUNDS_LEFT = re.compile(r"\(\s*(?:1\s*-\s*)?([0-9]+)\s*(?:-\s*([0-9]+)|\+)?\s*wounds", re.IGNORECASE)
INVULNERABLE = re.compile(r"(?:have|has) a ([2-6])\+ invul", re.IGNORECASE)
EXPLODES = re.compile(r"([0-9]+)\W*/\s*([0-9]*D?[0-9]+)", re.IGNORECASE)
_CAPACITY = re.compile(r"([0-9]+)")
_HALF_RANGE = re.compile(r"half range.*?Damage characteristic of D[36]\+([0-9]+)", re.IGNORECASE | re.DOTALL)
AUTOMATIC = re.compile(r"automatically (?:hits|scores a hit)", re.IGNORECASE)
_PLUS = re.compile(r"\+([0-9]+)$")


def facts_of_sheet(sheet: ClassicDatasheet) -> Facts:
    """The facts of one of our datasheets."""
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
    if (burst := abilities.explodes) is not None:
        facts["explodes"] = f"{burst.range:g}, {burst.damage}{f', {CLOSEST}' if burst.closest_enemy else ''}"
    facts["role"] = sheet.role
    facts["power"] = _steps(sheet, sheet.power_of)
    facts["keywords"] = frozenset(singular(word) for word in sheet.keywords) - {singular(sheet.name)} - NO_KEYWORDS
    facts["faction keywords"] = frozenset(word.upper() for word in sheet.faction_keywords)
    for name, weapon in sheet.weapons.items():
        for profile in weapon.profiles:
            facts[f"weapon {_weapon_name(f'{name}, {profile.name}' if profile.name else name)}"] = _profile_facts(
                profile
            )
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
    """The facts of a catalogue's unit; models are looked up by the names in our datasheet ``sheet``."""
    least, most = entry.sizes()
    facts: Facts = {"models": f"{least}-{most}"}
    for model in sheet.models:
        lines = unit_lines(entry, model.name)
        if not lines:
            continue
        for word in CHARACTERISTICS:
            facts[f"{alike(model.name)}: {word}"] = _cell(lines[0], word)
        for line in lines[1:]:
            left = WOUNDS_LEFT.search(line.name)
            if left is None:  # of an upgrade
                continue
            for word in CHANGING:
                facts[f"{alike(model.name)}: {word} with {left[2] or left[1]} wounds"] = _cell(line, word)
        facts[f"{alike(model.name)}: points"] = _points(entry, model.name)
    abilities = entry.lines_of(ABILITY)
    own = [line for one in own_parts(entry) for line in one.lines if line.kind == ABILITY]
    facts["invulnerable save"] = frozenset(
        f"{match[1]}+" for line in own if (match := INVULNERABLE.search(line.get("Description")))
    )
    for line in entry.lines_of(PSYKER):
        facts["manifests"], facts["denies"] = whole_number(line.get("Cast")), whole_number(line.get("Deny"))
    for line in entry.lines_of(TRANSPORT):
        if match := _CAPACITY.search(line.get("Capacity")):
            facts["capacity"] = int(match[1])
    for name, told in (*((rule, "") for rule in entry.rules), *((a.name, a.get("Description")) for a in abilities)):
        if match := EXPLODES.search(name):
            facts["explodes"] = f"{match[1]}, {match[2].upper()}{f', {CLOSEST}' if CLOSEST in told else ''}"
    roles = [ONE_OF_ROLE.get(word, word) for word in entry.categories]
    facts["role"] = next((role for role in roles if role in ROLES), sheet.role)  # libraries of units say none
    facts["power"] = _steps(sheet, lambda models: power_of_entry(entry, models))
    words = [c for one in entry.walk() if one is entry or one.kind == "model" for c in one.categories]
    facts["keywords"] = (
        frozenset(singular(w) for w in words if not w.startswith(FACTION)) - {singular(sheet.name)} - NO_KEYWORDS
    )
    named = frozenset(word.upper() for word in sheet.faction_keywords)
    held = [w.removeprefix(FACTION).upper() for w in words if w.startswith(FACTION)]
    # a keyword that the player chooses stands in angle brackets; a datasheet may give it its name without
    facts["faction keywords"] = frozenset(w.strip("<>") for w in held if "<" not in w or w.strip("<>") in named)
    weapons = entry.lines_of(WEAPON)
    ours = _our_names(sheet, [_weapon_name(line.name) for line in weapons])
    for line in weapons:
        name = _weapon_name(line.name)
        facts[f"weapon {ours.get(name, name)}"] = _line_facts(line)
    return facts


def _our_names(sheet: ClassicDatasheet, theirs: Sequence[str]) -> dict[str, str]:
    """Our names of a catalogue's weapons, where they differ.

    A sheet may write the weapon before its profile, or spell a name differently.
    """
    alone, own = {}, set()
    for name, weapon in sheet.weapons.items():
        for profile in weapon.profiles:
            whole = _weapon_name(f"{name}, {profile.name}" if profile.name else name)
            own.add(whole)
            if profile.name:
                alone[_weapon_name(profile.name)] = whole
    found = {name: alone[name] for name in theirs if name in alone and name not in own}
    missing = sorted(own.difference(theirs, found.values()))
    for name in theirs:
        if name not in own and name not in found:
            found.update((name, close) for close in get_close_matches(name, missing, 1, SPELT_ALIKE))
    return found


def _steps(sheet: ClassicDatasheet, power: Callable[[int], int]) -> str:
    """The Power of units by their sizes: ``4 up to 10, 8 up to 20``."""
    rows = {power(models): models for models in range(sheet.smallest, sheet.largest + 1)}
    return ", ".join(f"{value} up to {models}" for value, models in rows.items())


def power_of_entry(entry: Entry, models: int) -> int:
    """Power of a unit of ``models`` models: that of the unit, or the sum over its models."""
    each = next((one.power for one in entry.models() if one is not entry and one.power), 0)
    found = entry.power or each * models
    for least, value in entry.stronger:
        found = value if models >= least else found
    return found


def model_name(name: str) -> str:
    """The name of a kind of models for comparison, without a trailing bracket."""
    return alike(_SERGEANT.sub("sergeant", plain_name(_BRACKET.sub("", name))))


def _weapon_name(name: str) -> str:
    """The name of a weapon for comparison, its profile after a comma; ``melee`` is dropped, as the range says so."""
    told = _PROFILE.sub(r", \1", plain_name(name)).removesuffix(", melee")
    return alike(told)


def whole_number(text: str) -> int:
    match = re.search(r"[0-9]+", text)
    return int(match[0]) if match else 0


def _points(entry: Entry, model: str) -> int:
    """Points of one model of this name: its own, else those of the unit."""
    found = [one for one in entry.models() if model_name(one.name) == model_name(model)] or entry.models()[:1]
    return found[0].points or entry.points


def unit_lines(entry: Entry, name: str) -> list[Line]:
    """The rows of a model's characteristics, the unhurt one first."""
    every = entry.lines_of(UNIT)
    lines = [line for line in every if model_name(line.name) == model_name(name)]
    if not lines and len({tuple(line.values.items()) for line in every}) == 1:
        lines = every[:1]
    return sorted(lines, key=lambda line: line.name)


def _cell(line: Line, word: str) -> str:
    text = line.get("Save" if word == "Sv" else word).replace('"', "").replace(" ", "").strip()
    if word in ("WS", "BS", "Sv") and text.isdigit():
        text += "+"
    if word in ("M", "A") and text == "-":
        return "0"
    return text.upper() if "d" in text.lower() else text


def _line_facts(line: Line) -> Facts:
    kind, text = line.get("Type").strip().lower(), line.get("Abilities")
    reach = re.sub(r"[^0-9]", "", line.get("Range"))
    damage = line.get("D").replace(" ", "").upper()
    return {
        "range": "melee" if kind == "melee" else reach,
        "type": kind,
        "S": line.get("S").strip().lower(),
        "AP": line.get("AP").replace(" ", ""),
        "D": damage,
        "blast": "yes" if plain_name(text).startswith("blast") or " blast" in plain_name(text) else "no",
        "hits automatically": "yes" if AUTOMATIC.search(text) else "no",
        "damage at half range": half_range_damage(text, damage),
    }


def half_range_damage(text: str, damage: str) -> int:
    """The Damage that a weapon's ability adds within half range."""
    half, plus = _HALF_RANGE.search(text), _PLUS.search(damage)
    return int(half[1]) - (int(plus[1]) if plus else 0) if half else 0
