"""Sentences of abilities as effects: what each pattern makes of a sentence of ours, and what is not understood.

The sentences stand in ``ability_sentences.yaml``.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from wh_env.content.catalogues.abilities import Abilities
from wh_env.content.catalogues.prose import (
    MOST_TEXT,
    Understood,
    ability_of,
    attacks,
    choices,
    ninth,
    tenth,
    understood,
    units,
)
from wh_env.content.catalogues.prose.words import About, plain
from wh_env.content.catalogues.sheets import MOST_OTHER
from wh_env.content.catalogues.telling import Report
from wh_env.content.load import validate
from wh_env.content.w40k.schema import OtherAbility

Row = dict[str, Any]
TENTH = (attacks.RULES, units.RULES, tenth.RULES)
NINTH = (attacks.RULES, units.RULES, ninth.RULES)
KEYWORDS = frozenset(("RIVER FOLK", "EEL", "INFANTRY", "VEHICLE", "MONSTER", "SPIRIT"))
SQUAD = About(("Harpoon", "Net gun"), KEYWORDS, largest=10, wounds=3)
LEADER = About(("Harpoon",), KEYWORDS, leads=True)
UNITS = {
    "squad": SQUAD,
    "one": About(("Harpoon", "Net gun"), KEYWORDS, wounds=3),
    "mixed": About((), KEYWORDS, largest=5, whole=False),
    "leader": LEADER,
    "of some": About((), KEYWORDS, largest=10, whole=False),  # models of the unit
    "optional one": About(("Harpoon",), KEYWORDS, whole=False),
    "optional leader": replace(LEADER, whole=False),
}
TOLD: dict[str, list[Row]] = yaml.safe_load(Path(__file__).with_name("ability_sentences.yaml").read_text("utf-8"))


def rows(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("row", [pytest.param(row, id=row["says"][:60]) for row in TOLD[name]])


def effects(row: Row, edition: str = "tenth") -> Understood | None:
    about = replace(UNITS[row["unit"]], chooses=edition == "tenth")
    return understood(row["says"], about, TENTH if edition == "tenth" else NINTH)


def in_order(plays: Any) -> list[list[tuple[str, Any]]]:
    return [sorted(play.items()) for play in plays]


def check(row: Row, found: Understood | None) -> None:
    assert found is not None and found.chooses == row.get("chooses")
    assert in_order(found.plays) == in_order(row.get("plays", ()))
    validate(OtherAbility, ability_of("Name", found, False), "<test>")


@rows("tenth edition")
def test_what_sentences_of_the_10th_edition_do(row: Row) -> None:
    check(row, effects(row))


@rows("ninth edition")
def test_what_sentences_of_the_9th_edition_do(row: Row) -> None:
    check(row, effects(row, "ninth"))


@rows("choices")
def test_what_sentences_let_players_choose(row: Row) -> None:
    check(row, effects(row))
    assert effects(row, "ninth") is None


@rows("not understood")
def test_what_is_not_understood(row: Row) -> None:
    """A condition or an effect that the vocabulary lacks, or a condition that could be about several clauses."""
    assert effects(row) is None
    assert effects(row, "ninth") is None


@pytest.mark.parametrize("more", ["{} while the moon is full", "if the moon is full, {}", "{}. It then dances", "{} x"])
@pytest.mark.parametrize("edition", ["tenth", "ninth"])
def test_no_pattern_drops_a_condition(edition: str, more: str) -> None:
    """No sentence that is understood is understood with a condition more, or with a sentence more."""
    told = TOLD[f"{edition} edition"] + (TOLD["choices"] if edition == "tenth" else [])
    assert len(told) > 3
    taken = [row["says"] for row in told if effects({**row, "says": more.format(plain(row["says"]))}, edition)]
    assert not taken


def test_once_in_a_battle_is_always_said() -> None:
    """A limit at the beginning is kept, or the sentence is not understood."""
    found = [
        effects({**row, "says": f"Once per battle, {row['says']}"}) for row in TOLD["tenth edition"] + TOLD["choices"]
    ]
    kept = [one for one in found if one is not None]
    assert kept and all(one.chooses is not None and one.chooses["once"] for one in kept)


@pytest.mark.parametrize(
    "text",
    [
        "while a friendly "
        + "river " * 40
        + 'unit is within 6" of this model, add 1 to charge rolls made for that unit',
        "while a friendly " + "eel " * 40 + 'unit is within 6" of this model, add 1 to charge rolls made for that unit',
        "Each time a model in this unit makes an attack, add 1 to the Hit roll" + " as well" * 14_000,
        "Each time a model in this unit makes an attack, add 1 to the Hit roll" + " and add 1" * 10_000,
        "[" * 50_000 + "]" * 50_000,
        "(excluding " * 10_000,
        " " * 100_000 + "x",
    ],
)
def test_long_texts_end_soon(text: str) -> None:
    begun = time.process_time()
    assert understood(text, UNITS["one"], TENTH) is None
    assert time.process_time() - begun < 2


def test_the_longest_text() -> None:
    """Marks and spaces count, as they must be read, too."""
    row = TOLD["tenth edition"][0]
    padded = row["says"] + " " * (MOST_TEXT - len(row["says"]))
    assert effects({**row, "says": padded}) is not None
    assert effects({**row, "says": padded + " "}) is None


def test_many_abilities_are_told() -> None:
    """Abilities beyond the number that a datasheet can have are not played, and named."""
    report = Report()
    read = Abilities("Eels", SQUAD, TENTH, report)
    for number in range(MOST_OTHER + 2):
        read.read(f"Active {number}", TOLD["tenth edition"][0]["says"])
    read.read("Odd", "On Tuesdays this unit sings.")
    assert [row["name"] for row in read.rows()] == [f"Active {number}" for number in range(MOST_OTHER)]
    assert report.unplayed == [f"Eels: Active {MOST_OTHER}", f"Eels: Active {MOST_OTHER + 1}", "Eels: Odd"]


def test_every_pattern_is_tested() -> None:
    """Each pattern of a sentence, a clause or a choice matches a sentence that is understood."""
    told = [row["says"] for name in ("tenth edition", "ninth edition", "choices") for row in TOLD[name]]
    tried: set[re.Pattern[str]] = set()
    for group in (*TENTH, ninth.RULES):
        for pattern, _ in group:
            tried.add(pattern)
    used = {
        pattern for sentence in told for pattern in tried if any(_matches(pattern, part) for part in _parts(sentence))
    }
    assert not [pattern.pattern for pattern in tried - used]
    chosen = [pattern for pattern, _ in choices.CHOICES]
    unused = [p.pattern for p in chosen if not any(p.fullmatch(plain(sentence)) for sentence in told)]
    assert not unused
    sentences = [part for text in told for part in plain(text).split(". ")]
    clauses = [clause for sentence in sentences for clause in attacks._CLAUSES.split(sentence)]
    clauses += [clause.split(", ")[-1] for clause in clauses]
    clauses = [attacks._TAIL.sub("", clause).removesuffix(" instead") for clause in clauses]
    for pattern, _ in (*attacks.MADE, *attacks.SUFFERED):
        assert any(re.fullmatch(pattern, clause) for clause in clauses), pattern


def _parts(sentence: str) -> list[str]:
    """The sentence and its ends after each comma or "and"."""
    words = plain(sentence)
    ends = [words, *(words[m.end() :] for m in re.finditer(r", ", words))]
    return [part for end in ends for part in (end, *end.split(" and "))]


def _matches(pattern: re.Pattern[str], words: str) -> bool:
    return pattern.fullmatch(words) is not None
