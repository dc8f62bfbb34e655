"""Facts of datasheets of the 10th edition: of a shipped one, and of a unit of a catalogue, under the same fields."""

from __future__ import annotations

import re

from wh_env.content.catalogues.entries import Entry, Line
from wh_env.content.catalogues.facts import Facts, alike, plain_name
from wh_env.content.w10.schema import Datasheet
from wh_env.content.w40k.weapons import Weapon
from wh_env.rulesets.w40k.keywords import singular

RANGED, MELEE, UNIT, ABILITY = "Ranged Weapons", "Melee Weapons", "Unit", "Abilities"
CHARACTERISTICS = ("M", "T", "Sv", "W", "Ld", "OC")
FLAGS = ("deep_strike", "infiltrators", "hover", "lone_operative", "stealth", "fights_first")
NUMBERED = ("scouts", "firing deck", "feel no pain", "deadly demise")
NO_ABILITIES = ("leader", "transport", "invulnerable save", "damaged", "wargear")  # told by fields of their own
FACTION = "Faction: "
LEFT_OUT = frozenset(
    (
        "crusade",
        "weapon modifications",
        "weapon upgrades",
        "crusade relic upgrades",
        "enhancements",
        "warlord",
        "battle traits",
    )
)  # entries that campaigns and army lists add to a unit
_INVULNERABLE = re.compile(r"([2-6])\+")
_DAMAGED = re.compile(r"1\s*-\s*([0-9]+)")
_CAPACITY = re.compile(r"transport capacity of ([0-9]+)", re.IGNORECASE)
_LED = re.compile(r"^\W*[■▪•\-*]\s*(.+?)\s*$", re.MULTILINE)
_NUMBER = re.compile(r"([0-9]*[dD]?[0-9]+(?:\+[0-9]+)?)\W*$")


def facts_of_sheet(sheet: Datasheet) -> Facts:
    """The facts of one of our datasheets."""
    facts: Facts = {}
    for model in sheet.models:
        name = plain_name(model.name)
        facts[f"{name}: M"] = str(model.M_roll) if model.M_roll is not None else f"{model.M:g}"
        facts[f"{name}: T"] = str(model.T)
        facts[f"{name}: Sv"] = f"{model.Sv}+"
        facts[f"{name}: W"] = str(model.W)
        facts[f"{name}: Ld"] = f"{model.Ld}+"
        facts[f"{name}: OC"] = str(model.OC)
    saves = {f"{model.invuln}+" for model in sheet.models if model.invuln is not None}
    facts["invulnerable save"] = frozenset(saves)
    abilities = sheet.abilities
    for flag in FLAGS:
        if getattr(abilities, flag):
            facts[flag.replace("_", " ")] = "yes"
    numbers = {
        "scouts": f"{abilities.scouts:g}" if abilities.scouts else None,
        "firing deck": str(abilities.transport.firing_deck)
        if abilities.transport and abilities.transport.firing_deck
        else None,
        "feel no pain": f"{abilities.feel_no_pain}+" if abilities.feel_no_pain else None,
        "deadly demise": str(abilities.deadly_demise) if abilities.deadly_demise else None,
        "damaged at": str(abilities.damaged) if abilities.damaged else None,
        "capacity": str(abilities.transport.capacity) if abilities.transport else None,
    }
    facts |= {name: value for name, value in numbers.items() if value is not None}
    facts["leads"] = frozenset(alike(name) for name in abilities.leader)
    facts["keywords"] = frozenset(singular(word.upper()) for word in sheet.keywords) - {singular(sheet.name.upper())}
    facts["faction keywords"] = frozenset(word.upper() for word in sheet.faction_keywords)
    facts["abilities"] = frozenset(alike(one.name) for one in (*abilities.other, *abilities.auras))
    facts["models"] = f"{sheet.smallest}-{sheet.largest}"
    for row in sheet.points:
        facts[f"points of {row.models}"] = row.points
    for name, weapon in sheet.weapons.items():
        facts |= _weapon_facts(name, weapon)
    return facts


def _weapon_facts(name: str, weapon: Weapon) -> Facts:
    facts: Facts = {}
    for profile in weapon.profiles:
        title = alike(f"{name} - {profile.name}" if profile.name else name)
        facts[f"weapon {title}"] = {
            "range": "melee" if profile.melee else f"{profile.range:g}",
            "A": str(profile.A),
            "skill": f"{profile.skill}+" if profile.skill else "N/A",
            "S": str(profile.S),
            "AP": str(profile.AP),
            "D": str(profile.D),
            "abilities": frozenset(str(rule).lower() for rule in profile.abilities),
        }
    return facts


def facts_of_entry(entry: Entry, sheet: Datasheet) -> Facts:
    """The facts of a catalogue's unit; model names and sizes are those of our datasheet ``sheet``."""
    facts: Facts = {}
    for model in sheet.models:
        line = _line_of(entry, model.name)
        if line is not None:
            for word in CHARACTERISTICS:
                facts[f"{plain_name(model.name)}: {word}"] = _cell(word, line.get(word))
    abilities = entry.lines_of(ABILITY)
    facts["invulnerable save"] = frozenset(
        f"{match[1]}+"
        for line in abilities
        if plain_name(line.name).startswith("invulnerable")
        and (match := _INVULNERABLE.search(f"{line.name} {line.get('Description')}"))
    )
    rules = [plain_name(name) for one in entry.walk() if one is entry or one.kind == "model" for name in one.rules]
    for name in rules:
        for word in NUMBERED:
            if name.startswith(word):
                match = _NUMBER.search(name.rstrip('"+ '))
                number = match[1].upper() if match else "1"
                facts[word] = f"{number}+" if word == "feel no pain" else number
        if name.replace(" ", "_") in FLAGS:
            facts[name] = "yes"
    leads: set[str] = set()
    told: set[str] = set()
    for line in abilities:
        name, text = plain_name(line.name), line.get("Description")
        if name.startswith("damaged") and (match := _DAMAGED.search(line.name)):
            facts["damaged at"] = match[1]
        elif name.startswith("transport") and (match := _CAPACITY.search(text)):
            facts["capacity"] = match[1]
        elif name == "leader":
            leads |= {alike(found) for found in _LED.findall(text) if "cannot" not in found}
        if not name.startswith(NO_ABILITIES):
            told.add(alike(name))
    facts["leads"] = frozenset(leads)
    facts["abilities"] = frozenset(told)
    words = [c for one in entry.walk() if one is entry or one.kind == "model" for c in one.categories]
    facts["keywords"] = frozenset(singular(w.upper()) for w in words if not w.startswith(FACTION)) - {
        singular(sheet.name.upper())
    }
    facts["faction keywords"] = frozenset(w.removeprefix(FACTION).upper() for w in words if w.startswith(FACTION))
    for row in sheet.points:
        facts[f"points of {row.models}"] = points_of(entry, row.models)
    least, most = entry.sizes()
    facts["models"] = f"{least}-{most}"
    for line in entry.lines_of(RANGED, MELEE):
        facts |= _line_facts(line)
    return facts


def points_of(entry: Entry, models: int) -> int:
    """Points of a unit of ``models`` models, without options."""
    each = max((one.points for one in entry.models() if one is not entry), default=0)
    cost = entry.points + models * each
    for least, points in entry.dearer:
        if models >= least:
            cost = points
    return cost


def _line_of(entry: Entry, name: str) -> Line | None:
    """The characteristics of a model by its name; if all models share one profile, that one."""
    lines = entry.lines_of(UNIT)
    wanted = singular(plain_name(name).upper())
    for line in lines:
        if singular(plain_name(line.name).upper()) == wanted:
            return line
    values = {tuple(line.values.items()) for line in lines}
    return lines[0] if len(values) == 1 else None


def _cell(word: str, text: str) -> str:
    """A characteristic as both sources write it: 6, 3+."""
    plain = text.replace('"', "").replace(" ", "").strip()
    return (
        "0"
        if word in ("M", "OC") and plain in ("-", "–", "N/A", "")
        else plain.rstrip("*").removesuffix("+")
        if word == "M"
        else plain
    )


def _line_facts(line: Line) -> Facts:
    title = alike(line.name)
    melee = line.kind == MELEE
    words = [word.strip().strip("[]").strip().lower() for word in re.split(r"[,;]", line.get("Keywords"))]
    reach = re.sub(r"[^0-9D]", "", line.get("Range").upper())
    skill = line.get("WS" if melee else "BS").strip() or "N/A"
    row: Facts = {
        "range": "melee" if melee else reach,
        "A": line.get("A").replace(" ", "").upper(),
        "skill": "N/A" if skill in ("N/A", "-") else skill,
        "S": line.get("S").replace(" ", "").upper(),
        "AP": line.get("AP").strip(),
        "D": line.get("D").replace(" ", "").upper(),
        "abilities": frozenset(word for word in words if word not in ("", "-")),
    }
    return {f"weapon {title}": row}
