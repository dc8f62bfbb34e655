"""Rosters as list builders write them, of the tests' own making: as a tree, as JSON, as XML, zipped."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

Tree = dict[str, Any]
WRAPPED = {
    "forces": "force", "selections": "selection", "profiles": "profile", "characteristics": "characteristic", "rules": "rule",
    "categories": "category", "costs": "cost",
}  # fmt: skip


def profile(name: str, kind: str, **values: str) -> Tree:
    """A profile."""
    return {
        "name": name,
        "typeName": kind,
        "characteristics": [{"name": key, "$text": text} for key, text in values.items()],
    }


def unit_line(name: str, **values: str) -> Tree:
    """Characteristics of a model."""
    return profile(name, "Unit", **{"M": '6"', "T": "4", "SV": "3+", "W": "2", "LD": "6+", "OC": "2", **values})


def ranged(name: str, reach: str, a: str, bs: str, s: str, ap: str, d: str, keywords: str = "-") -> Tree:
    """A ranged weapon."""
    return profile(name, "Ranged Weapons", Range=reach, A=a, BS=bs, S=s, AP=ap, D=d, Keywords=keywords)


def melee(name: str, a: str, ws: str, s: str, ap: str, d: str, keywords: str = "-") -> Tree:
    """A melee weapon."""
    return profile(name, "Melee Weapons", Range="Melee", A=a, WS=ws, S=s, AP=ap, D=d, Keywords=keywords)


def ability(name: str, words: str = "words that nobody stores") -> Tree:
    """An ability."""
    return profile(name, "Abilities", Description=words)


def chosen(
    name: str, kind: str = "upgrade", number: int = 1, points: int = 0, *, profiles: Sequence[Tree] = (), rules: Sequence[str] = (),
    categories: Sequence[str] = (), inside: Sequence[Tree] = (), group: str = "",
) -> Tree:  # fmt: skip
    """A selection."""
    tree: Tree = {"name": name, "type": kind, "number": number}
    if points:
        tree["costs"] = [{"name": "pts", "typeId": "x", "value": points}]
    if profiles:
        tree["profiles"] = list(profiles)
    if rules:
        tree["rules"] = [{"name": rule, "description": "words that nobody stores"} for rule in rules]
    if categories:
        tree["categories"] = [{"name": name, "primary": n == 0} for n, name in enumerate(categories)]
    if inside:
        tree["selections"] = list(inside)
    if group:
        tree["group"] = group
    return tree


MARINES = ("Faction: Adeptus Astartes", "Infantry")
BOLT_RIFLE = ranged("Bolt rifle", '24"', "2", "3+", "4", "-1", "1", "Assault, Heavy")
LAUNCHER = (
    ranged("➤ Astartes grenade launcher - frag", '24"', "D3", "3+", "4", "0", "1", "Blast"),
    ranged("➤ Astartes grenade launcher - krak", '24"', "1", "3+", "9", "-2", "D3"),
)
FIST = melee("Power fist", "3", "3+", "8", "-2", "2")
KNIFE = melee("Close combat weapon", "3", "3+", "4", "0", "1")


def captain(**fields: Any) -> Tree:
    """A leader with an Enhancement, the Warlord."""
    leads = "This model can be attached to the following units: ■ Intercessor Squad ■ Tactical Squad"
    inside = [
        chosen("Warlord"),
        chosen("Artificer Armour", points=10, group="Enhancements"),
        chosen("Bolt pistol", profiles=[ranged("Bolt pistol", '12"', "1", "2+", "4", "0", "1", "Pistol")]),
        chosen("Power weapon", profiles=[melee("Power weapon", "6", "2+", "5", "-2", "1")]),
    ]
    profiles = [
        unit_line("Captain", W="5", OC="1"),
        ability("Invulnerable Save", "It has a 4+ invulnerable save."),
        ability("Leader", leads),
    ]
    return chosen(
        "Captain", "model", points=80, profiles=[*profiles, ability("Rites of Battle")], rules=["Leader"],
        categories=[*MARINES, "Character"], inside=inside, **fields,
    )  # fmt: skip


def intercessors(points: int = 80) -> Tree:
    """A sergeant and four others: four rifles, one launcher in all; the rifles of the others come without their table."""
    sergeant = [chosen("Bolt rifle", profiles=[BOLT_RIFLE]), chosen("Power fist", profiles=[FIST])]
    others = [
        chosen("Bolt rifle", number=4),
        chosen("Astartes grenade launcher", profiles=LAUNCHER),
        chosen("Close combat weapon", number=4, profiles=[KNIFE]),
    ]
    inside = [
        chosen("Intercessor Sergeant", "model", profiles=[unit_line("Intercessor Squad")], inside=sergeant),
        chosen("Intercessors", "model", 4, profiles=[unit_line("Intercessor Squad")], inside=others),
    ]
    return chosen("Intercessor Squad", "unit", points=points, categories=[*MARINES, "Battleline"], inside=inside)


def eel_riders() -> Tree:
    """A unit of a faction that nobody knows."""
    lance = melee("Lance", "4", "3+", "6", "-2", "2", "Lance, [LETHAL HITS], Mystery 3")
    flamer = ranged("Flamer", '12"', "D6", "N/A", "4", "0", "1", "Ignores Cover, Torrent, Anti-Infantry 4+")
    riders = chosen(
        "Eel Rider", "model", 3, profiles=[unit_line("Eel Rider", M='10"', T="5", W="3", LD="7+")],
        inside=[chosen("Lance", number=3, profiles=[lance]), chosen("Flamer", profiles=[flamer])],
    )  # fmt: skip
    rules = ["Deep Strike", "Feel No Pain 5+", 'Scouts 6"', "Deadly Demise D3", "Slippery"]
    return chosen(
        "Eel Riders", "unit", points=120, categories=["Faction: River Folk", "Mounted"], rules=rules, inside=[riders]
    )


def eel_king() -> Tree:
    """Its leader."""
    trident = chosen("Trident", profiles=[melee("Trident", "5", "2+", "6", "-2", "2")])
    return chosen(
        "Eel King", "model", points=90, profiles=[unit_line("Eel King", W="6")], categories=["Faction: River Folk", "Character", "Monster"],
        inside=[trident],
    )  # fmt: skip


def roster(
    *units: Tree, book: str = "Imperium - Adeptus Astartes - Space Marines", detachment: str = "Gladius Task Force"
) -> Tree:
    """A roster, in the shape of New Recruit's JSON."""
    choices = [
        chosen("Battle Size", inside=[chosen("1. Incursion")]),
        chosen("Detachment", inside=[chosen(detachment)]),
    ]
    game = "Warhammer 40,000 10th Edition"
    return {
        "roster": {
            "name": "My list",
            "gameSystemName": game,
            "forces": [{"catalogueName": book, "selections": [*choices, *units]}],
        }
    }


def as_json(tree: Tree) -> bytes:
    """As New Recruit and ListForge write it."""
    return json.dumps(tree).encode()


def as_xml(tree: Tree) -> bytes:
    """As BattleScribe writes it."""
    body = element("roster", {**tree["roster"], "xmlns": "http://www.battlescribe.net/schema/rosterSchema"})
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{body}'.encode()


def element(name: str, tree: Tree) -> str:
    """An element: values as attributes, lists in wrapper elements."""
    told = "".join(
        f" {key}={quoteattr(str(value).lower() if isinstance(value, bool) else str(value))}"
        for key, value in tree.items()
        if not isinstance(value, list | dict) and key != "$text"
    )
    inner = escape(tree.get("$text", ""))
    for key, value in tree.items():
        if isinstance(value, list):
            inner += f"<{key}>{''.join(element(WRAPPED[key], one) for one in value)}</{key}>"
    return f"<{name}{told}>{inner}</{name}>"


def zipped(*files: tuple[str, bytes]) -> bytes:
    """A zip."""
    room = io.BytesIO()
    with zipfile.ZipFile(room, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files:
            packed.writestr(name, data)
    return room.getvalue()


# lists as text: of the official app, of tournament packs, of New Recruit
APP = """Sunday list (410 points)

Space Marines
Gladius Task Force
Incursion (1000 points)

CHARACTERS

Captain (90 points)
  • Warlord
  • 1x Bolt pistol
  • 1x Power weapon
  • Enhancements: Artificer Armour

BATTLELINE

Intercessor Squad (160 points)
  • 1x Intercessor Sergeant
     ◦ 1x Bolt rifle
     ◦ 1x Power fist
  • 9x Intercessor
     ◦ 9x Bolt rifle
     ◦ 9x Close combat weapon
     ◦ 1x Mystery banner

OTHER DATASHEETS

Terminator Squad (185 points)

Exported with App Version: v1.2
"""
PACK = """+++++++++++++++++++++++++++++++++++++++++++++++
+ FACTION KEYWORD: Imperium - Adeptus Astartes
+ DETACHMENT: Gladius Task Force (bonus)
+ TOTAL ARMY POINTS: 170pts
+
+ WARLORD: Char1: Captain
+ ENHANCEMENT: Artificer Armour (on Char1: Captain)
+ NUMBER OF UNITS: 2
+++++++++++++++++++++++++++++++++++++++++++++++

Char1: 1x Captain (90 pts): Warlord, Artificer Armour, Bolt pistol, Power weapon
5x Intercessor Squad (80 pts)
• 1x Intercessor Sergeant: Bolt rifle, Power fist
• 4x Intercessor: 4 with Bolt rifle, Close combat weapon
"""
RECRUIT = """My list - Adeptus Astartes - Gladius Task Force - [170 pts]

# ++ Army Roster ++ [170 pts]
## Character [90 pts]
Captain [90 pts]: Warlord, Artificer Armour [10 pts], Bolt pistol

## Battleline [80 pts]
Intercessor Squad [80 pts]
• 1x Intercessor Sergeant: Bolt rifle, Power fist
• 4x Intercessor: Bolt rifle, Close combat weapon
"""
