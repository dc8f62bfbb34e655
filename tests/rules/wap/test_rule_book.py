"""The book of special rules: its entries agree with the catalogue, with each other and with the state, and code names
rules by them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from wh_env.rulesets.wap.codes import TROOP_TYPES
from wh_env.rulesets.wap.rule_book import (
    BOOK,
    ETHEREAL,
    FEAR,
    FLY,
    FRENZY,
    IMMUNITY,
    MAGICAL_ATTACKS,
    PSYCHOLOGY,
    STUBBORN,
    TERROR,
    UNSTABLE,
    SpecialRule,
)
from wh_env.rulesets.wap.turns.handlers import HANDLERS

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = (ROOT / "wh_env" / "rulesets" / "wap", ROOT / "wh_env" / "content" / "wap")
RULES = pytest.mark.parametrize("rule", BOOK.rules, ids=lambda rule: rule.name)


@pytest.fixture(scope="module")
def catalogue() -> list[str]:
    """Ids of the rules of the game."""
    found = []
    for file in sorted((ROOT / "docs" / "rules").glob("wap-*.yaml")):
        loaded = yaml.safe_load(file.read_text(encoding="utf-8"))
        found += [rule["id"] for rule in (loaded["rules"] if isinstance(loaded, dict) else loaded)]
    return found


@RULES
def test_every_rule_carries_out_rules_of_the_catalogue(rule: SpecialRule, catalogue: list[str]) -> None:
    for start in rule.catalogue:
        assert any(known == start or known.startswith(f"{start}.") for known in catalogue), start


@RULES
def test_the_example_of_a_form_fits_it(rule: SpecialRule) -> None:
    form = rule.form
    assert form is None or (form.fits(form.example) and form.fits(None) is not form.needed)


def test_names_and_bits_are_of_one_rule_each() -> None:
    assert len(BOOK.by_name) == len(BOOK.rules) >= 55
    for bits in (BOOK.lost_bits, BOOK.gained_bits):
        assert sorted(bits.values()) == [1 << bit for bit in range(len(bits))] and len(bits) < 31
    assert {BOOK.lost_mask(rule) >> 16 for rule in BOOK.lost_bits} == set(BOOK.lost_bits.values())
    assert set(BOOK.lost_bits) == {FRENZY, FLY}


def test_what_observations_show_keeps_its_order() -> None:
    shown = "Stubborn, Fear, Terror, Frenzy, Hatred, Unbreakable, Unstable, Always Strikes First, Always Strikes Last"
    assert [rule.name for rule in BOOK.shown] == shown.split(", ")


def test_who_includes_what() -> None:
    assert BOOK.with_included([TERROR]) == {TERROR, FEAR}
    assert BOOK.with_included([ETHEREAL]) == {ETHEREAL, UNSTABLE, MAGICAL_ATTACKS, IMMUNITY}
    assert BOOK.includers[FEAR] == (TERROR.of(),)
    assert FRENZY.of(PSYCHOLOGY.name) in BOOK.includers[IMMUNITY] and STUBBORN not in BOOK.includers


def test_handlers_are_of_rules_in_the_book() -> None:
    assert {handler.rule for handler in HANDLERS} <= set(BOOK)


def literals(source: str) -> Iterator[tuple[int, str]]:
    """Strings of a module, docstrings aside, and their lines."""
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.lineno, node.value


def test_code_names_rules_by_their_objects() -> None:
    """A misspelt string would be found by nobody."""
    names = set(BOOK.names) - set(TROOP_TYPES)
    files = [file for folder in FOLDERS for file in sorted(folder.rglob("*.py")) if file.name != "rule_book.py"]
    assert len(files) > 200
    found = [
        f"{file.name}:{line}: {text}"
        for file in files
        for line, text in literals(file.read_text(encoding="utf-8"))
        if text in names
    ]
    assert found == []
    assert list(literals('"Fear"\nx = has(g, 1, "Fear")')) == [(2, "Fear")]
