"""Mutated rosters and lists of list builders, and mutated sentences of abilities."""

from __future__ import annotations

import io
import json
import re
import tempfile
import zipfile
from functools import cached_property
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from wh_env import ContentError
from wh_env.content.catalogues.abilities import Abilities
from wh_env.content.catalogues.prose import attacks, ninth, tenth, units
from wh_env.content.catalogues.prose.words import About
from wh_env.content.catalogues.telling import Report
from wh_env.content.games import GAMES
from wh_env.content.rosters import import_roster

from .yaml_inputs import Chance, changed_value, copied, garbled, mutated, paths_of, pick, replaced

Tree = dict[str, Any]
FORMS = ("json", "xml", "zip")
TIMES = (2, 10, 100, 1000, 10_000)  # how often a part is repeated
MOST_INPUT = 1 << 22  # characters of a repeated part
TEXTS = (
    "9" * 5000,
    "(" * 2000,
    "- " * 900,
    "\ud800",
    "5+ ",
    "1,",
    "\n",
    "x (80 points)\n",
    "D6+",
    " and ",
    ". ",
    "if ",
)
LIST = """River list (410 points)

Space Marines
Gladius Task Force

Captain (90 points)
  • Warlord
  • 1x Bolt pistol
  • Enhancements: Artificer Armour

Intercessor Squad (160 points)
  • 1x Intercessor Sergeant: Bolt rifle, Power fist
  • 9x Intercessor
     ◦ 9 with Bolt rifle, Close combat weapon
"""
SENTENCES = (
    "Each time a model in this unit makes a melee attack that targets a Monster unit, add 1 to the Hit roll.",
    "Each time an attack targets this unit, subtract 1 from the Wound roll.",
    "Each time this model makes an attack, if it made a Charge move this turn, that attack has the [LANCE] ability.",
    "While this model is leading a unit, models in that unit have the Feel No Pain 5+ ability.",
    'While a friendly Eel Infantry unit is within 6" of this model, add 1 to Charge rolls made for that unit.',
    "Re-roll a Wound roll of 1. If the target of that attack is below Half-strength, re-roll the Wound roll instead.",
    "In your Shooting phase, after this unit has shot, select one enemy unit hit by one or more of those attacks. Until"
    " the end of the turn, that unit cannot have the Benefit of Cover.",
    "Once per battle, at the start of the Fight phase, this model can use this ability. If it does, until the end of"
    " the phase, add 3 to the Attacks characteristic of melee weapons equipped by this model.",
)


def profile(name: str, kind: str, values: dict[str, str]) -> Tree:
    """A profile of a roster."""
    told = [{"name": key, "$text": text} for key, text in values.items()]
    return {"name": name, "typeName": kind, "characteristics": told}


def selection(name: str, kind: str, number: int, profiles: list[Tree], inside: list[Tree]) -> Tree:
    """A selection of a roster."""
    return {"name": name, "type": kind, "number": number, "profiles": profiles, "selections": inside}


def roster(edition: str) -> Tree:
    """A roster of a leader and a unit."""
    line = {"M": '6"', "T": "4", "W": "2"}
    if edition == "10th":
        line |= {"SV": "3+", "LD": "6+", "OC": "2"}
        tables = {"Ranged Weapons": "BS", "Melee Weapons": "WS"}
        guns = {
            kind: {"Range": '24"', "A": "2", skill: "3+", "S": "4", "AP": "-1", "D": "D3", "Keywords": "Rapid Fire 1"}
            for kind, skill in tables.items()
        }
    else:
        line |= {"WS": "3+", "BS": "3+", "S": "4", "A": "2", "Ld": "8", "Save": "3+"}
        row = {"Range": '24"', "Type": "Rapid Fire 1", "S": "4", "AP": "-1", "D": "D3", "Abilities": "-"}
        guns = {"Weapon": row}
    weapons = [selection(f"Net {kind}", "upgrade", 3, [profile("Net", kind, row)], []) for kind, row in guns.items()]
    ability = profile("Dodge", "Abilities", {"Description": SENTENCES[1]})
    leads = profile("Leader", "Abilities", {"Description": "It leads: Eels"})
    king = selection("Eel King", "model", 1, [profile("Eel King", "Unit", line), ability, leads], weapons)
    models = [selection("Eel", "model", 3, [profile("Eel", "Unit", line)], weapons)]
    eels = selection("Eels", "unit", 1, [ability], models)
    for unit, role in ((king, "Character"), (eels, "Infantry")):
        unit["categories"] = [{"name": name} for name in ("Faction: Eels", role, "HQ")]
        unit["costs"] = [{"name": "pts", "value": 90}, {"name": " PL", "value": 4.0}]
        unit["rules"] = [{"name": "Deep Strike"}, {"name": "Scouts 6"}]
    force = {"catalogueName": "Xenos - Eels", "selections": [king, eels]}
    return {"name": "Mine", "gameSystemName": f"Warhammer 40,000 {edition} Edition", "forces": [force]}


def grown(rng: Chance, value: Any) -> Any:
    """The tree with a list or a text in it repeated many times, or an odd text in it."""
    paths = paths_of(value)[1:]
    return replaced(value, pick(rng, paths), lambda old: repeated(rng, old))


def repeated(rng: Chance, value: Any) -> Any:
    """A list or a text repeated, or an odd text repeated."""
    part = value if isinstance(value, list) else str(pick(rng, (str(value), *TEXTS)))
    most = MOST_INPUT // max(1, len(str(part)))
    return part * min(int(pick(rng, TIMES)), most)


def xml(tag: str, value: Tree) -> str:
    """A tree as XML: lists as wrapper elements."""
    odd = re.compile("[^\t\n -\ud7ff]")
    attributes = "".join(
        f" {name}={quoteattr(odd.sub('', str(one)))}"
        for name, one in value.items()
        if not isinstance(one, list | dict) and name.isalpha()
    )
    lists = "".join(
        f"<{name}>{''.join(xml('one', each) for each in one if isinstance(each, dict))}</{name}>"
        for name, one in value.items()
        if isinstance(one, list) and name.isalpha()
    )
    return f"<{tag}{attributes}>{escape(odd.sub('', str(value.get('$text', ''))))}{lists}</{tag}>"


def packed(form: str, value: Any) -> bytes:
    """A roster in the form of a file; what XML cannot hold is JSON."""
    if form == "xml" and isinstance(value, dict):
        return xml("roster", value).encode()
    data = json.dumps(value).encode()
    if form != "zip":
        return data
    room = io.BytesIO()
    with zipfile.ZipFile(room, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("list.json", data)
    return room.getvalue()


class Rosters:
    """Mutated rosters of every edition that reads them, and lists as text."""

    name = "rosters"

    @cached_property
    def folder(self) -> tempfile.TemporaryDirectory[str]:
        """The folder for inputs and the armies made of them."""
        return tempfile.TemporaryDirectory(prefix="fuzz-")

    def make(self, rng: Chance) -> bytes:
        """A roster with a value changed or a part repeated, or a list with lines repeated; one in ten is unchanged."""
        share = rng.random()
        if share < 0.25:
            lines = LIST.splitlines(keepends=True)
            for _ in range(int(rng.integers(4))):
                lines = grown(rng, lines) if rng.random() < 0.5 else mutated_lines(rng, lines)
            data = "".join(lines)[:MOST_INPUT].encode(errors="replace")
            return garbled(rng, data) if share < 0.05 and data else data
        value: Any = roster(pick(rng, ("10th", "9th", "8th")))
        if share > 0.35:
            value = grown(rng, value) if share < 0.7 else mutated(rng, value)
        data = packed(pick(rng, FORMS), value)
        return garbled(rng, data) if share > 0.95 else data

    def feed(self, data: bytes) -> bool:
        """Make the army of the file and write it."""
        file = Path(self.folder.name) / "list"
        file.write_bytes(data)
        try:
            editions = [game.rosters for game in GAMES.values() if game.rosters is not None]
            import_roster(editions, file).write(file.parent, replace=True)
        except ContentError as error:
            str(error)
            return False
        return True


def mutated_lines(rng: Chance, lines: list[str]) -> list[str]:
    """The lines with one in another place, or a word changed."""
    paths = paths_of(lines)[1:]
    if rng.random() < 0.5:
        found: list[str] = copied(lines, pick(rng, paths), pick(rng, paths))
        return found
    changed: list[str] = replaced(lines, pick(rng, paths), lambda old: str(changed_value(rng, old)))
    return changed


class AbilityTexts:
    """Mutated sentences of abilities."""

    name = "abilities"

    def make(self, rng: Chance) -> bytes:
        """Sentences with words repeated, or words of other sentences between theirs; one in four is unchanged."""
        text = str(pick(rng, SENTENCES))
        for _ in range(int(rng.integers(4))):
            words = text.split(" ")
            other = str(pick(rng, (*SENTENCES, *TEXTS))).split(" ")
            at, start = int(rng.integers(len(words))), int(rng.integers(len(other)))
            more = other[start : start + int(rng.integers(1, 9))]
            words[at : at + int(rng.integers(3))] = more * int(pick(rng, (1, 1, *TIMES)))
            text = " ".join(words)[:MOST_INPUT]
        return text.encode(errors="surrogatepass")

    def feed(self, data: bytes) -> bool:
        """Read the text as an ability of a leader and of a unit, of two editions. Returns whether one understood it."""
        text, known = data.decode(errors="surrogatepass"), frozenset(("EEL", "INFANTRY"))
        found = False
        for about in (About(("Net",), known, leads=True), About(("Net",), known, largest=10), About()):
            for rules in ((attacks.RULES, units.RULES, tenth.RULES), (attacks.RULES, units.RULES, ninth.RULES)):
                read = Abilities("Eels", about, rules, Report())
                read.read("Dodge", text)
                found = found or bool(read.active)
                read.rows()
        return found
