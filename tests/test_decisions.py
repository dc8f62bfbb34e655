"""The page of all decisions says what the code does."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from scripts.decisions import (
    asked_at_squad,
    choices_in,
    choices_of,
    decided,
    delegate,
    differences,
    kinds_of,
    main,
    nowhere,
    page_of,
    play,
    settled,
    unreached,
    waivers,
    who,
)
from wh_env import Battle
from wh_env.content.games import game_named
from wh_env.content.load import rulesets
from wh_env.content.rulebook import catalogue
from wh_env.content.w10.choices import CHOICES, Choice
from wh_env.core.procedures import DecisionKind
from wh_env.envs.registry import environment
from wh_env.rulesets.w10.numbers import CORE_RULES
from wh_env.rulesets.w10.ruleset import TENTH_EDITION

ROOT = Path(__file__).resolve().parents[1]
BY_PLAYERS = dict(TENTH_EDITION.by_players)
PAGE = page_of(TENTH_EDITION)
RULESETS = [game_named(name).ruleset for name in rulesets()]
KINDS = [pytest.param(ruleset, kind, id=f"{ruleset.id}-{kind.name}") for ruleset in RULESETS for kind in ruleset.kinds]
EVERY = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)
SKIRMISH = "w10/only-war-skirmish"
STATES = {"yes", "delegated", "full only", "squad only", "off"}


@EVERY
def test_the_page_is_up_to_date(ruleset):
    assert differences(ruleset, page_of(ruleset)) == [], "run scripts/decisions.py"


@EVERY
def test_kinds_name_rules_of_the_catalogue(ruleset):
    rules = catalogue(ruleset.id)
    unknown = {kind.name: [rule for rule in kind.rules if rule not in rules] for kind in ruleset.kinds}
    assert {name: ids for name, ids in unknown.items() if ids} == {}
    assert all(len(set(kind.rules)) == len(kind.rules) for kind in ruleset.kinds)


@EVERY
def test_every_rule_with_a_decision_is_asked_carried_or_waived(ruleset):
    due = set(decided(catalogue(ruleset.id)))
    assert (set(nowhere(ruleset)) & due) - set(waivers()) == set()
    ids = decided(catalogue(ruleset.id))
    by_ruling = set(settled()) & set(ids)
    assert not any(kinds_of(ruleset, rule) or choices_of(rule) for rule in by_ruling)
    left = by_ruling | set(nowhere(ruleset))
    listed = [rule for rule in ids if kinds_of(ruleset, rule) or choices_of(rule) or rule in left]
    assert listed == ids


def test_rules_are_served_by_kinds_or_files():
    assert len(decided(catalogue("w10"))) == 99
    assert kinds_of(TENTH_EDITION, "w10.charge.targets") == ["charge-target"]
    assert [(c.schema.__name__, c.field) for c in choices_of("w10.army.warlord")] == [("ArmyUnit", "warlord")]
    assert choices_in(TENTH_EDITION) == list(CHOICES)
    assert choices_in(game_named("epic").ruleset) == []


def asked(choice: Choice) -> list[list[str]]:
    """For each rule of a choice, the kinds that ask it in a battle."""
    return [kinds_of(TENTH_EDITION, rule) for rule in choice.rules]


def test_choices_stand_in_fields_that_there_are():
    """Each on a rule of the catalogue with a decision; a switch is one of the battle's rules, and its kinds ask in a battle."""
    rules = catalogue("w10")
    for choice in CHOICES:
        assert choice.field in choice.schema.model_fields
        assert choice.rules
        assert all("decision" in rules[rule] for rule in choice.rules)
        name, _, value = choice.asked.partition(": ")
        assert (BY_PLAYERS[name] == value) if choice.asked else not any(asked(choice))
        assert not choice.asked or all(asked(choice))
    assert set(BY_PLAYERS) - set(CORE_RULES) <= {"markers"}  # which Battle.load itself understands


@pytest.mark.parametrize(("ruleset", "kind"), KINDS)
def test_every_kind_has_an_honest_row(ruleset, kind):
    """Somebody decides; what; a state; what answers in the player's place, or what happens instead."""
    state = asked_at_squad(ruleset, kind)
    assert state in STATES
    assert who(kind.rules, catalogue(ruleset.id))
    assert kind.what.endswith((".", "..."))
    assert (state in ("delegated", "full only")) == (not kind.squad)
    assert kind.squad or kind.full
    assert not (kind.instead and (kind.squad or kind.policy))
    assert delegate(kind)


@pytest.mark.parametrize(("ruleset", "kind"), KINDS)
def test_a_delegate_that_is_not_the_first_option_has_words(ruleset, kind):
    own = type(kind).delegate is not DecisionKind.delegate
    assert not own or kind.policy or kind.instead


@EVERY
def test_battles_ask_what_the_page_says(ruleset):
    """Random battles at both details, with all that players can choose: nothing that is said not to be asked."""
    states = {kind.name: asked_at_squad(ruleset, kind) for kind in ruleset.kinds}
    skirmish = environment(ruleset.id).skirmish
    squad, full = (play(skirmish, 1, detail, ruleset.by_players) for detail in ("squad", "full"))
    assert {name for name in squad if states[name] not in ("yes", "squad only")} == set()
    assert {name for name in full if states[name] == "squad only"} == set()
    if ruleset is TENTH_EDITION:
        assert {"place-feature", "place-marker", "attach-leader"} <= set(squad) & set(full)


def test_a_battle_of_full_detail_begins_with_its_map_and_its_formations():
    """Terrain, then markers, then formations, then deployment: every decision before the first turn is the players'."""
    battle, chance = Battle.load(SKIRMISH, 3, detail="full", rules=BY_PLAYERS), random.Random(3)
    order: list[str] = []
    while battle.decision is not None and battle.clock.round[0] == 0:
        if battle.decision.kind not in order:
            order.append(battle.decision.kind)
        battle.apply(chance.choice(battle.decision.options))
    first = [order.index(name) for name in ("select-feature", "place-marker", "attach-leader", "select-to-deploy")]
    assert first == sorted(first)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("| `charge-target` | `w10.charge.targets` |", "| `charge-target` | `w10.charge.move` |"),
        ("| `charge-target` | `w10", "| `charge-targets` | `w10"),
        ("| Pile in or stay. | yes |", "| Pile in or stay. | off |"),
        ("| The better one. |", "| The first one. |"),
        ("| `w10.charge.targets` | Charge targets | `charge-target` |", ""),
        (
            "| `ArmyUnit.warlord` | `w10.army.warlord` | each player |",
            "| `ArmyUnit.general` | `w10.army.warlord` | x |",
        ),
    ],
)
def test_a_changed_page_is_told(tmp_path, old, new):
    text, changed = PAGE.read_text(encoding="utf-8"), tmp_path / "decisions.md"
    assert text.count(old) == 1
    changed.write_text(text.replace(old, new), encoding="utf-8")
    found = differences(TENTH_EDITION, changed)
    assert [line[0] for line in found] == ["-", "+"]
    assert old in found[1]


def test_averages_are_not_compared(tmp_path):
    text = PAGE.read_text(encoding="utf-8")
    changed = tmp_path / "decisions.md"
    changed.write_text(re.sub(r"\| [0-9.]+ \|$", "| 99.9 |", text, flags=re.MULTILINE), encoding="utf-8")
    assert changed.read_text(encoding="utf-8") != text
    assert differences(TENTH_EDITION, changed) == []


def test_kinds_that_no_test_comes_to_are_told():
    """The states ask for tests at squad detail, at full detail or by the default delegate; what is missing or too much."""
    everything: dict[str, dict[str, list[str]]] = {"squad": {}, "full": {}, "delegated": {}}
    for kind in TENTH_EDITION.kinds:
        state = asked_at_squad(TENTH_EDITION, kind)
        if state in ("yes", "squad only", "off"):
            everything["squad"][kind.name] = ["t"]
        if state != "squad only":
            everything["full"][kind.name] = ["t"]
        if state == "delegated":
            everything["delegated"][kind.name] = ["t"]
    assert unreached(TENTH_EDITION, everything) == []
    del everything["full"]["allocate"], everything["delegated"]["target-order"], everything["squad"]["move-to"]
    everything["full"]["fall-back-to"] = ["too::much"]
    assert unreached(TENTH_EDITION, everything) == [
        "move-to (squad only): no test where it is asked at squad detail",
        "fall-back-to (squad only): is asked at full detail in too::much",
        "target-order (delegated): no test where it is answered by its default delegate",
        "allocate (full only): no test where it is asked at full detail",
    ]


TEST_THAT_ASKS = """
import pytest
from wh_env.testing import Scene, pick, sheet

@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_move(detail):
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=(10, 10))
    scene.unit(1, sheet("Theirs"), at=(40, 40))
    pick(scene.battle(detail=detail), "Normal move")
"""


def test_tests_tell_what_they_ask(tmp_path):
    """``pytest --asked-kinds``: a test that chooses a Normal move asks how, as one or model by model."""
    (tmp_path / "test_ask.py").write_text(TEST_THAT_ASKS, encoding="utf-8")
    (tmp_path / "conftest.py").write_bytes((ROOT / "tests" / "conftest.py").read_bytes())
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--asked-kinds", "asked.json", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    asked = json.loads((tmp_path / "asked.json").read_text(encoding="utf-8"))
    assert asked == {
        "w10": {
            "full": {kind: ["test_ask.py::test_a_move[full]"] for kind in ("move-kind", "select-model")},
            "squad": {kind: ["test_ask.py::test_a_move[squad]"] for kind in ("move-kind", "move-to")},
        }
    }


def test_check_as_a_program(tmp_path):
    app = typer.Typer()
    app.command()(main)
    changed, asked = tmp_path / "decisions.md", tmp_path / "asked.json"
    changed.write_text(PAGE.read_text(encoding="utf-8").replace("`w10.charge.targets`", "`w10.charge.move`"))
    asked.write_text("{}")
    w10 = ("--ruleset", "w10")
    for arguments, code in (
        (["--check"], 0),
        (["--check", "--ruleset", "epic"], 0),
        (["--check", *w10, "--out", PAGE], 0),
        (["--check", *w10, "--out", changed, "--json"], 1),
        (["--check", *w10, "--out", tmp_path / "none.md"], 2),
        (["--check", "--out", PAGE], 2),
        (["--check", "--ruleset", "w11"], 2),
        (["--check-asked", *w10, "--asked", asked], 1),
        (["--check-asked", "--asked", tmp_path / "none.json"], 2),
    ):
        done = CliRunner().invoke(app, list(map(str, arguments)))
        assert done.exit_code == code, done.output
