"""The `rule` marker: checks the ids that tests name and records which rules passing tests show, and which decisions are
asked in them."""

from __future__ import annotations

import gc
import json
import os
import re
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

# Threads of torch wait for each other where cores are shared; it looks when it is imported, and so do processes that tests start.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Reading the ids alone spares every test process the parsing of the whole catalogue.
RULE_ID = re.compile(r"^\s*- id: *(\S+)\s*$", re.MULTILINE)
PROPERTY = "rules"
ASKED = "asked"
DELEGATED = "delegated"
CATALOGUE = pytest.StashKey[frozenset[str]]()


def catalogue_ids(folder: Path) -> frozenset[str]:
    """Every rule id of the catalogue files in `folder`."""
    files = [path for path in folder.glob("*.yaml") if path.name not in ("waivers.yaml", "parts.yaml")]
    return frozenset(rule for path in files for rule in RULE_ID.findall(path.read_text(encoding="utf-8")))


def named_rules(item: pytest.Item) -> list[str]:
    """The ids that the marks on a test, its class and its module name; an unknown one is an error."""
    marks = list(item.iter_markers("rule"))
    if not marks:
        return []
    known = item.config.stash.get(CATALOGUE, None)
    if known is None:
        known = item.config.stash[CATALOGUE] = catalogue_ids(item.config.rootpath / "docs" / "rules")
    for mark in marks:
        if not mark.args:
            raise pytest.Collector.CollectError(f"{item.nodeid}: the rule mark names no rule")
        unknown = [rule for rule in mark.args if rule not in known]
        if unknown:
            raise pytest.Collector.CollectError(f"{item.nodeid}: not in the catalogue: {', '.join(map(str, unknown))}")
    return sorted({rule for mark in marks for rule in mark.args})


class RuleResults:
    """Collects outcomes where the reports of all processes arrive, and writes them at the end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rules: dict[str, list[str]] = {}
        self.outcomes: dict[str, set[str]] = defaultdict(set)
        self.whole = True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.whole = self.whole and not report.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # A process that crashed reports without properties; those of the set-up before it still hold.
        for name, value in report.user_properties:
            if name == PROPERTY:
                self.rules[report.nodeid] = [str(rule) for rule in value]  # type: ignore[attr-defined]
        if report.failed:
            self.outcomes[report.nodeid].add("failed")
        elif report.skipped or hasattr(report, "wasxfail"):
            self.outcomes[report.nodeid].add("skipped")
        elif report.when == "call":
            self.outcomes[report.nodeid].add("passed")

    def pytest_sessionfinish(self) -> None:
        # xdist runs the rest where a file cannot be collected; results with a hole would pass for whole ones.
        if not self.whole:
            self.path.unlink(missing_ok=True)
            return
        results: dict[str, dict[str, list[str]]] = {}
        for nodeid, rules in sorted(self.rules.items()):
            outcomes = self.outcomes[nodeid]
            # The worst phase decides: a test whose tear-down failed has not passed.
            worst = next((name for name in ("failed", "skipped", "passed") if name in outcomes), None)
            if worst is None:
                continue
            for rule in rules:
                results.setdefault(rule, {"passed": [], "failed": [], "skipped": []})[worst].append(nodeid)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", encoding="utf-8")


class AskedKinds:
    """Notes in every process which kinds of decision the battles of a test ask, at which level of detail, and which their
    default delegates answer at squad detail (``DELEGATED``)."""

    def __init__(self) -> None:
        self.found: set[tuple[str, str, str]] = set()  # ruleset, detail or DELEGATED, kind

    def watch(self) -> None:
        """From now on every decision that waits or is delegated is noted."""
        from wh_env.content.games import GAMES
        from wh_env.core.battle import BattleCore
        from wh_env.core.procedures import DecisionKind, Default

        run, is_answered_by_default = BattleCore.run, BattleCore.is_answered_by_default

        def note(battle: BattleCore, kind: DecisionKind, how: str) -> None:
            self.found.add((battle.setup.ruleset.id, how, kind.name))

        def running(battle: BattleCore) -> None:
            run(battle)
            if battle.clock.asking[0]:
                note(battle, battle.setup.ruleset.kinds[battle.clock.kind[0]], str(battle.setup.rules["detail"]))

        def watched(delegate: Any) -> Any:
            def answering(kind: DecisionKind, battle: BattleCore, f: int, mask: memoryview) -> int:
                own = battle.setup.delegates.get(battle.clock.kind[0])
                if isinstance(own, Default) and own.kind is kind and battle.setup.rules["detail"] == "squad":
                    note(battle, kind, DELEGATED)
                return int(delegate(kind, battle, f, mask))

            return answering

        def answered(battle: BattleCore, kind: type[DecisionKind]) -> bool:
            at_once = is_answered_by_default(battle, kind)
            if at_once and battle.setup.rules["detail"] == "squad":
                note(battle, battle.setup.ruleset.kinds[battle.setup.ruleset.number[kind]], DELEGATED)
            return at_once

        BattleCore.run = running  # type: ignore[method-assign]
        for game in GAMES.values():
            for kind in game.ruleset.kinds:
                type(kind).delegate = watched(type(kind).delegate)  # type: ignore[method-assign]
        BattleCore.is_answered_by_default = answered  # type: ignore[method-assign]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, Any, Any]:
        self.found.clear()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, Any]:
        item.user_properties.append((ASKED, sorted(self.found)))
        return (yield)


@pytest.fixture(scope="session", autouse=True)
def events_are_as_declared() -> Generator[None, Any, Any]:
    """Every event that a battle records in a test is checked: one that is not as its ruleset declares it fails the test there."""
    from wh_env.core.battle import BattleCore
    from wh_env.core.events import check_event

    note = BattleCore.note

    def checked(battle: BattleCore, rule: str, kind: str, **data: Any) -> None:
        note(battle, rule, kind, **data)
        if battle.recorder is not None:
            faults = check_event(battle.setup, battle.recorder[-1])
            assert not faults, "; ".join(faults)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BattleCore, "note", checked)
        yield


class AskedResults:
    """Collects them where the reports of all processes arrive, and writes them at the end: the tests by ruleset, detail (or
    ``DELEGATED``) and kind."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tests: dict[str, dict[str, dict[str, list[str]]]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == ASKED and report.when == "teardown":
                for ruleset, detail, kind in value:  # type: ignore[attr-defined]
                    kinds = self.tests.setdefault(ruleset, {}).setdefault(detail, {})
                    kinds.setdefault(kind, []).append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps(self.tests, indent=1, sort_keys=True) + "\n", encoding="utf-8")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Hardly anything that collecting makes is garbage, and looking for it again and again takes a quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Every other worker begins with the last folder: what one has compiled the other reads, where all would compile the same at once."""
    report = yield
    worker = getattr(collector.config, "workerinput", {}).get("workerid", "gw0")
    if isinstance(collector, pytest.Directory) and report.passed and int(worker[2:]) % 2:
        report.result.reverse()
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests of whole programs, which stand in this folder itself, begin first: they take longest, and one that began last would be waited for alone.

    Workers sort by file, so that they come to one order.
    """
    here, parallel = Path(__file__).parent, hasattr(config, "workerinput")
    items.sort(key=lambda item: (item.path.parent != here, item.path.parts if parallel else ()))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rule-results", metavar="FILE", help="write which rules passed, failed and skipped, as JSON")
    parser.addoption("--asked-kinds", metavar="FILE", help="write which tests ask which kinds of decision, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    asked = config.getoption("--asked-kinds")
    if asked:
        watcher = AskedKinds()
        watcher.watch()
        config.pluginmanager.register(watcher, "asked-kinds")
        if not hasattr(config, "workerinput"):
            config.pluginmanager.register(AskedResults(Path(asked).resolve()), "asked-results")
    path = config.getoption("--rule-results")
    # Under xdist the workers send their reports to the controller, which alone writes.
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(RuleResults(Path(path).resolve()), "rule-results")


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem() -> Generator[None, Any, Any]:
    """Attach the rules where an item is made, so that an unknown id is a collection error of its file."""
    made = yield
    for item in made if isinstance(made, list) else [made]:
        if isinstance(item, pytest.Item) and (rules := named_rules(item)):
            item.user_properties.append((PROPERTY, rules))
    return made
