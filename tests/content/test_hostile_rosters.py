"""Rosters and lists that are made to take long: an army or one clear error, soon."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from rosters import Tree, ability, as_json, chosen, profile, ranged, roster, unit_line

from wh_env import ContentError
from wh_env.content.rosters import MOST_MODELS, MOST_SELECTIONS, Imported, import_roster
from wh_env.content.rosters.sniffing import MOST_LINE, MOST_LIST
from wh_env.content.w9.rosters import ROSTERS as NINTH
from wh_env.content.w10.importing import ROSTERS as TENTH

SECONDS = 10.0  # of the processor; what these took without limits is more, up to hours
CAPTAIN = "My list (90 points)\nSpace Marines\nCaptain (90 points)\n"


def eels(*profiles: Tree, number: int = 1, inside: Any = (), **more: Any) -> Tree:
    """A unit of one kind of models, of the 10th edition if no characteristics are given."""
    models = chosen("Eel", "model", number, inside=inside)
    lines = profiles or (unit_line("Eel"),)
    categories = ["Faction: River Folk", "Character"]
    return chosen("Eels", "unit", points=90, profiles=lines, categories=categories, inside=[models], **more)


def ninth_line(**values: str) -> Tree:
    usual = {"M": '6"', "WS": "3+", "BS": "3+", "S": "4", "T": "4", "W": "2", "A": "2", "Ld": "8", "Save": "3+"}
    return profile("Eel", "Unit", **{**usual, **values})


def of_tenth(*units: Tree) -> bytes:
    return as_json(roster(*units, book="Xenos - River Folk"))


def of_ninth(*units: Tree) -> bytes:
    tree = roster(*units, book="Xenos - River Folk")
    tree["roster"]["gameSystemName"] = "Warhammer 40,000 9th Edition"
    return as_json(tree)


def read(folder: Path, data: bytes) -> Imported:
    path = folder / "list"
    path.write_bytes(data)
    begun = time.process_time()
    try:
        return import_roster([TENTH, NINTH], path)
    finally:
        assert time.process_time() - begun < SECONDS


NUMBER = "9" * 5000
GUNS = [
    chosen(f"Gun {n}", number=1 + n, profiles=[profile(f"Gun {n}", "Weapon", Range='24"', Type="Heavy 1", S="4")])
    for n in range(900)
]
REFUSED = {
    "a number of models in a list": (f"{CAPTAIN}{NUMBER}x Otter (80 points)\n".encode(), "line 4: 5019 are too many"),
    "points of a list": (f"{CAPTAIN}Otter ({NUMBER} points)\n".encode(), "at most 1000 characters"),
    "spaces in a list": (f"{CAPTAIN}a{' ' * 20_000}b\n".encode(), "at most 1000 characters"),
    "dashes in a list": (f"{CAPTAIN}{'a - ' * 5000}\n".encode(), "at most 1000 characters"),
    "items of a list": ((CAPTAIN + f"• Otter: {'b,' * 400}\n" * 4000).encode(), f"at most {MOST_LIST} characters"),
    "a number in a characteristic": (of_tenth(eels(unit_line("Eel", T=NUMBER))), "models[0].T"),
    "a number in one of the 9th edition": (of_ninth(eels(ninth_line(A=NUMBER))), "models[0].A"),
    "models": (of_tenth(eels(number=1000)), f"Eels: 1000 are too many; expected at most {MOST_MODELS} models"),
    "selections": (
        of_ninth(eels(ninth_line(), inside=[chosen("Net")] * MOST_SELECTIONS)),
        f"Eels: {MOST_SELECTIONS + 2} are too many; expected at most {MOST_SELECTIONS} selections",
    ),
    "weapons dealt in many ways": (of_ninth(eels(ninth_line(), number=100, inside=GUNS)), "at most 32 kinds of models"),
    "weapons of one model": (of_ninth(eels(ninth_line(), inside=GUNS)), "at most 32 weapons in a unit"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_too_large_is_refused_soon(tmp_path: Path, name: str) -> None:
    data, told = REFUSED[name]
    with pytest.raises(ContentError) as caught:
        read(tmp_path, data)
    assert told in str(caught.value) and "\n" not in str(caught.value) and len(str(caught.value)) < 300


GUN = ranged("Gun", '24"', "1", "3+", "4", "0", "1", "d" * 3900 + "x")
LEADER = [ability("Leader", f"{n} {'x' * 3900}") for n in range(40)]
TAKEN = {
    "words of weapons": of_tenth(eels(unit_line("Eel"), *[GUN] * 1000)),
    "abilities": of_tenth(eels(rules=[f"Rule {n}" for n in range(60_000)])),
    "texts on what Leaders lead": of_tenth(
        *({**eels(unit_line("Eel"), *LEADER), "name": f"Eels {n}"} for n in range(60))
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_long_is_read_soon(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, TAKEN[name]).army["units"]


def test_a_number_in_a_name_and_a_line_of_the_longest_length(tmp_path: Path) -> None:
    """A list is refused for its lines only where they are too long; unknown lines are told."""
    filled = "• 1x Otter" + "r" * (MOST_LINE - len("• 1x Otter"))
    found = read(tmp_path, f"{CAPTAIN}  • Warlord\n{filled}\n".encode())
    assert len(filled) == MOST_LINE and any("is not on its datasheet" in line for line in found.report.unplayed)
    with pytest.raises(ContentError, match="line 5: 1001 are too many"):
        read(tmp_path, f"{CAPTAIN}  • Warlord\n{filled}r\n".encode())
