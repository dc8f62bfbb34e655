"""What the house promises to those who look for something: no large import cycles, no game named where games are shared, rules by keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import reduce
from importlib import import_module
from pathlib import Path

import grimp
import pytest
import yaml

from wh_env.rulesets.epic.rule_ids import CARRIED_OUT_BY as OF_EPIC
from wh_env.rulesets.w8.rule_ids import CARRIED_OUT_BY as OF_THE_EIGHTH
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION
from wh_env.rulesets.w9.rule_ids import CARRIED_OUT_BY as OF_THE_NINTH
from wh_env.rulesets.w9.ruleset import NINTH_EDITION
from wh_env.rulesets.w10.rule_ids import CARRIED_OUT_BY as OF_THE_TENTH
from wh_env.rulesets.w10.ruleset import TENTH_EDITION
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.wap.rule_ids import CARRIED_OUT_BY as OF_REGIMENTS

ROOT = Path(__file__).resolve().parent.parent
RULESETS = ROOT / "wh_env" / "rulesets"
SHARED = (ROOT / "wh_env" / "core", RULESETS / "w40k", ROOT / "wh_env" / "envs")
REGISTRIES = {"wh_env/envs/registry.py"}
LARGEST_CYCLE = 2
KEY = re.compile(r"(?<![\w./-])[a-z]+(?:\.[a-z0-9-]+)+")
RULE = re.compile(r"(?<![\w./-])(?:w8|w9|w10|wap|epic)(?:\.[a-z0-9-]+)+")
EDITIONS: tuple[Edition, ...] = (TENTH_EDITION, NINTH_EDITION, EIGHTH_EDITION)
PLACES: Mapping[str, str] = {**OF_THE_TENTH, **OF_EPIC}


def sources(*folders: Path) -> Iterator[tuple[str, str]]:
    """Path from the root and text of each module."""
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def cycles(graph: dict[str, set[str]]) -> list[set[str]]:
    """Groups of modules that import each other, directly or not (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in graph[module]:
            if other not in index:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], index[other])
        if low[module] == index[module]:
            at = stack.index(module)
            found.append(set(stack[at:]))
            del stack[at:]

    for module in graph:
        if module not in index:
            visit(module)
    return [group for group in found if len(group) > 1]


def test_a_cycle_is_found() -> None:
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]


def test_no_import_cycle_of_a_ruleset_is_larger_than_two_modules() -> None:
    built = grimp.build_graph("wh_env", cache_dir=None)
    modules = {module for module in built.modules if module.startswith("wh_env.rulesets.")}
    graph = {module: set(built.find_modules_directly_imported_by(module)) & modules for module in sorted(modules)}
    assert len(graph) > 100
    assert [sorted(group) for group in cycles(graph) if len(group) > LARGEST_CYCLE] == []


def test_shared_code_names_no_game() -> None:
    named = {
        f"{path}:{number}: {line.strip()}"
        for path, text in sources(*SHARED)
        for number, line in enumerate(text.splitlines(), 1)
        if re.search(r"w10|tenth|10th", line, re.IGNORECASE) and path not in REGISTRIES
    }
    assert sorted(named) == []


def catalogue(ruleset: str) -> set[str]:
    """Ids of the rules of a ruleset."""
    found: set[str] = set()
    for path in (ROOT / "docs" / "rules").glob(f"{ruleset}*.yaml"):
        found.update(rule["id"] for rule in yaml.safe_load(path.read_text(encoding="utf-8"))["rules"])
    return found


def keys_in_shared_code() -> set[str]:
    """Keys of rules that code names which editions share, and whatever else has their form."""
    return {key for _, text in sources(*SHARED[:2]) for key in KEY.findall(text)}


def rules_by_keys(edition: Edition) -> set[str]:
    """Ids of the rules of an edition that shared code names by keys."""
    composed = {f"stratagem.{name}" for name in edition.stratagems.names}
    composed |= {f"concepts.sequencing.{moment}" for moment in ("in-battle", "outside-turns")}
    composed |= {f"move.desperate-escape.{why}" for why in ("battle-shock", "over-enemies")}
    keys = (composed | keys_in_shared_code() | edition.rule_ids.others.keys()) - edition.rule_ids.absent
    return {edition.rule(key) for key in keys} & catalogue(edition.id)


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.id)
def test_keys_of_shared_code_stand_for_rules_of_the_edition(edition: Edition) -> None:
    known, ids = catalogue(edition.id), edition.rule_ids
    assert {rule for rule in ids.others.values() if rule not in known} == set()
    used = keys_in_shared_code()
    composed = ("stratagem.", "concepts.sequencing.", "move.desperate-escape.")
    idle = {key for key in (*ids.others, *ids.absent) if key not in used and not key.startswith(composed)}
    assert idle == set()
    missing = {key for key in used if f"{edition.id}.{key}" in known and key not in ids}
    assert missing == set()


def test_what_a_procedure_may_ask_is_a_decision_of_some_edition_and_of_its_own_all_are() -> None:
    everywhere = {kind.name for edition in EDITIONS for kind in edition.kinds}
    for edition in EDITIONS:
        for procedure in edition.procedures:
            own = f".{edition.id}." in type(procedure).__module__ and "asks" in vars(type(procedure))
            assert set(procedure.asks) <= (set(edition.kind_by_name) if own else everywhere), procedure


@pytest.mark.parametrize("key", ["charge.roll", "w10.charge.roll"])
def test_a_rule_is_found_by_its_key_and_by_its_id(key: str) -> None:
    assert TENTH_EDITION.rule(key) == "w10.charge.roll"


def test_a_key_that_an_edition_has_no_rule_for_is_an_error() -> None:
    assert NINTH_EDITION.rule("psychic.deny") == "w9.psychic.deny"
    with pytest.raises(KeyError, match=r"w10 has no rule for psychic\.deny"):
        TENTH_EDITION.rule("psychic.deny")


def waived() -> set[str]:
    """Ids of the rules that nothing has to show."""
    entries = yaml.safe_load((ROOT / "docs" / "rules" / "waivers.yaml").read_text(encoding="utf-8"))
    return {entry["id"] for entry in entries}


def named_by_modules() -> set[str]:
    """Ids of rules that stand in full in some module, or that keys of shared code stand for."""
    texts = (text for path, text in sources(ROOT / "wh_env") if not path.endswith("/rule_ids.py"))
    named = {rule for text in texts for rule in RULE.findall(text)}
    return named.union(*(rules_by_keys(edition) for edition in EDITIONS))


def split(place: str) -> tuple[Path, str, list[str]]:
    """File, module and names within it of an entry of the maps.

    Raises:
        ValueError: there is no such module.
    """
    parts = place.split(".")
    for at in range(len(parts) - 1, 0, -1):
        path = ROOT.joinpath("wh_env", *parts[:at]).with_suffix(".py")
        if path.is_file():
            return path, ".".join(["wh_env", *parts[:at]]), parts[at:]
    raise ValueError(f"{place}: no module below wh_env")


@pytest.mark.parametrize("ruleset", ["w10", "epic"])
def test_every_rule_is_found_in_the_code_by_its_id(ruleset: str) -> None:
    rules = catalogue(ruleset)
    assert len(rules) > 50
    assert rules - waived() - named_by_modules() - PLACES.keys() == set()


def shown(ruleset: str) -> set[str]:
    """Ids of the rules that tests show."""
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "rules" / ruleset).glob("*.py"))
    marks = (mark for text in texts for mark in re.findall(r"mark\.rule\(([^)]*)\)", text))
    return {rule for mark in marks for rule in RULE.findall(mark)}


@pytest.mark.parametrize(
    ("ruleset", "places", "least"), [("w8", OF_THE_EIGHTH, 340), ("w9", OF_THE_NINTH, 370), ("wap", OF_REGIMENTS, 130)]
)
def test_every_rule_that_is_shown_is_found_in_the_code_by_its_id(
    ruleset: str, places: Mapping[str, str], least: int
) -> None:
    rules = shown(ruleset)
    assert len(rules) >= least
    assert rules - catalogue(ruleset) == set()
    assert rules - waived() - named_by_modules() - places.keys() == set()
    assert places.keys() - catalogue(ruleset) == set()
    assert places.keys() & named_by_modules() == set()


def test_the_maps_name_only_rules_that_nothing_else_names() -> None:
    assert PLACES.keys() - catalogue("w10") - catalogue("epic") == set()
    assert PLACES.keys() & named_by_modules() == set()
    assert {rule for rule in OF_THE_TENTH if not rule.startswith("w10.")} == set()
    assert {rule for rule in OF_EPIC if not rule.startswith("epic.")} == set()


@pytest.mark.parametrize(
    "place", sorted({*PLACES.values(), *OF_THE_NINTH.values(), *OF_THE_EIGHTH.values(), *OF_REGIMENTS.values()})
)
def test_the_code_that_carries_out_a_rule_exists(place: str) -> None:
    """It is defined in that module, not imported there."""
    path, module, names = split(place)
    reduce(getattr, names, import_module(module))
    defined = rf"^(?:(?:def|class) )?{re.escape(names[0])}\b.*[(:=]"
    assert re.search(defined, path.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("place", ["rulesets.w10.nowhere.at_all", "core.dice"])
def test_a_place_without_a_module_is_an_error(place: str) -> None:
    with pytest.raises(ValueError, match=re.escape(place)):
        split(place)
