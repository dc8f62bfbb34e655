"""Every rule that code names stands in a catalogue: ids in full, keys of shared code, calls of ``told`` in tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import catalogue_ids
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION
from wh_env.rulesets.w9.ruleset import NINTH_EDITION
from wh_env.rulesets.w10.ruleset import TENTH_EDITION
from wh_env.rulesets.w40k.edition import Edition

ROOT = Path(__file__).resolve().parent.parent
IDS = catalogue_ids(ROOT / "docs" / "rules")
BEGUN = {rule[:at] for rule in IDS for at, sign in enumerate(rule) if sign == "."}
EDITIONS: tuple[Edition, ...] = (TENTH_EDITION, NINTH_EDITION, EIGHTH_EDITION)
AREAS = {rule.split(".")[1] for rule in IDS if rule.split(".")[0] in {edition.id for edition in EDITIONS}}
RULE = re.compile(r"(?<![\w./-])(?:w8|w9|w10|wap|epic)(?:\.[a-z0-9-]+)+(?:\.?\*)?")
KEY = re.compile(r"([a-z]+)(?:\.[a-z0-9-]+)+")
SPOKEN = re.compile(r"(?<![\w./-])(?=[a-z.]*-)[a-z]+(?:\.[a-z0-9-]+)+")
# what begins an id, for whatever follows
BEGINNINGS = {
    "wh_env/rulesets/wap/view/tell.py": "REASONS: the longest beginning of a rule's id says what a test is for"
}
# programs whose options take the beginnings of ids, and parts of rulesets
OPTIONS = {"scripts/rule_coverage.py"}
# keys that are put together: what follows, by what stands before it
COMPOSED: Mapping[str, Callable[[Edition], Iterable[str]]] = {
    "concepts.sequencing.": lambda edition: ("in-battle", "outside-turns"),
    "move.desperate-escape.": lambda edition: ("battle-shock", "over-enemies"),
    "stratagem.": lambda edition: edition.stratagems.names,
}


def modules(*folders: str) -> Iterator[tuple[str, str]]:
    """Path from the root and text of each module."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def begins_an_id(text: str) -> bool:
    """Whether some rule's id begins with the words of the text: ``w9.move.*``, ``w9.move``, ``w9.terrain.dense-*``."""
    return text.removesuffix("*").removesuffix(".") in BEGUN or (
        text.endswith("-*") and any(rule.startswith(text[:-1]) for rule in IDS)
    )


@cache
def strings(text: str) -> set[str]:
    """String literals of a module that are no parts of composed ones, docstrings among them."""
    tree = ast.parse(text)
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts
    }


@cache
def composed(text: str) -> set[str]:
    """What stands before the first gap of each composed string of a module."""
    found = (node.values[0] for node in ast.walk(ast.parse(text)) if isinstance(node, ast.JoinedStr) and node.values)
    return {str(first.value) for first in found if isinstance(first, ast.Constant)}


def unknown_ids(path: str, text: str) -> set[str]:
    """Ids in a module that no catalogue has.

    String literals must be rules. Docstrings and comments may name several rules by a beginning.
    """
    literals = {each for each in strings(text) if RULE.fullmatch(each)}
    if path in BEGINNINGS:
        literals = {each for each in literals if not begins_an_id(each)}
    spoken = {each for each in RULE.findall(text) if not begins_an_id(each)}
    return (literals | spoken) - IDS


def keys_of(text: str, edition: Edition) -> set[str]:
    """Keys of rules that a module has as literals, and those that its composed strings make in an edition.

    Raises:
        KeyError: nothing is known of what follows the beginning of a composed key (``COMPOSED``).
    """
    found = {each for each in strings(text) if (match := KEY.fullmatch(each)) and match[1] in AREAS}
    starts = {start for start in composed(text) if start.partition(".")[0] in AREAS and "." in start}
    return found | {start + rest for start in starts for rest in COMPOSED[start](edition)}


def unknown_keys(text: str, editions: Sequence[Edition]) -> set[str]:
    """Keys in a module for which an edition has no rule and does not say so, or for which all of them have none."""
    ids = [(key, edition.rule(key)) for edition in editions for key in keys_of(text, edition) if edition.has_rule(key)]
    nowhere = {key for edition in editions for key in keys_of(text, edition)} - {key for key, _ in ids}
    return nowhere | {key for key, rule in ids if rule not in IDS}


def rooms() -> Iterator[tuple[str, str, Sequence[Edition]]]:
    """Path and text of each module that may name rules by keys, with the editions that it is played in."""
    for path, text in modules("wh_env/core", "wh_env/rulesets/w40k"):
        yield path, text, EDITIONS
    for edition in EDITIONS:
        for path, text in modules(f"wh_env/rulesets/{edition.id}"):
            if not path.endswith("/rule_ids.py"):
                yield path, text, (edition,)


def test_ids_in_code_are_rules_of_a_catalogue() -> None:
    files = dict(modules("wh_env", "agents", "scripts", "examples"))
    assert len(files) > 700
    assert {
        path: wrong for path, text in files.items() if path not in OPTIONS and (wrong := unknown_ids(path, text))
    } == {}


def test_keys_in_code_are_rules_of_each_edition_that_does_not_say_otherwise() -> None:
    found = list(rooms())
    assert sum(len(keys_of(text, TENTH_EDITION)) for _, text, _ in found) > 200
    assert {path: wrong for path, text, editions in found if (wrong := unknown_keys(text, editions))} == {}


def test_keys_with_a_hyphen_in_comments_and_docstrings_are_rules_of_some_ruleset() -> None:
    others = {key for edition in EDITIONS for key in edition.rule_ids.others}
    known = others | {rule.partition(".")[2] for rule in IDS | BEGUN}
    wrong = {
        path: unknown
        for path, text, _ in rooms()
        if (unknown := {key for key in SPOKEN.findall(text) if key.partition(".")[0] in AREAS} - known)
    }
    assert wrong == {}


def test_an_edition_says_only_what_differs_and_what_code_asks_for() -> None:
    for edition in EDITIONS:
        same = {key for key, rule in edition.rule_ids.others.items() if rule == f"{edition.id}.{key}"}
        assert same == set(), edition.id
        assert set(edition.rule_ids.others.values()) <= IDS, edition.id
        asked = {key for _, text, editions in rooms() if edition in editions for key in keys_of(text, edition)}
        assert edition.rule_ids.absent <= asked, edition.id
        assert {key for key in edition.rule_ids.absent if f"{edition.id}.{key}" in IDS} == set(), edition.id


def test_what_tests_ask_to_be_told_are_rules_of_a_catalogue() -> None:
    """Nothing is ever told by an id that no catalogue has: a test that asks for it sees nothing, whatever happens."""
    asked = {}
    for path, text in modules("tests"):
        calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and len(node.args) == 2)
        rules = (call.args[1] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "told")
        wrong = {rule.value for rule in rules if isinstance(rule, ast.Constant) and rule.value not in IDS}
        if wrong:
            asked[path] = wrong
    assert asked == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('g.note("w10.charge.roll", "charge")', set()),
        ('g.note("w10.charge.by-train", "charge")', {"w10.charge.by-train"}),
        ('"""A charge (epic.assault.by-train)."""', {"epic.assault.by-train"}),
        ("x = 1  # wap.charge.by-train.*", {"wap.charge.by-train.*"}),
        ('"""Assaults (epic.assault.*, w9.terrain)."""', set()),
        ('g.note("w10.attack.damage", "damage")', {"w10.attack.damage"}),
        ('"""Terrain (epic.terrain.dangerous-*, epic.terrain.by-train-*)."""', {"epic.terrain.by-train-*"}),
        ('g.note(f"w10.by-train.{how}", "charge")', {"w10.by-train"}),
    ],
)
def test_an_invented_id_is_found(text: str, found: set[str]) -> None:
    assert unknown_ids("a.py", text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('g.tell("charge.roll", "charge")', set()),
        ('g.tell("charge.by-train", "charge")', {"charge.by-train"}),
        ('keys = ("charge.targets", "charge.by-train")', {"charge.by-train"}),
        ('g.tell("weapon.lethal-hits", "hit")', set()),  # the 8th edition says that it has none
        ('g.tell("w10.charge.roll", "charge")', set()),
        ('open("charge.yaml.txt")', {"charge.yaml.txt"}),
    ],
)
def test_an_invented_key_is_found(text: str, found: set[str]) -> None:
    assert unknown_keys(text, EDITIONS) == found


def test_a_key_that_all_editions_call_absent_is_found() -> None:
    """Each of them has a reason to; a key that stands for nothing anywhere has none."""
    assert not TENTH_EDITION.has_rule("shoot.split")
    assert unknown_keys('g.tell("shoot.split", "split")', (TENTH_EDITION,)) == {"shoot.split"}


def test_a_composed_key_of_which_nothing_is_known_is_an_error() -> None:
    with pytest.raises(KeyError, match="charge"):
        keys_of('g.tell(f"charge.{how}", "charge")', TENTH_EDITION)
