"""Events and options of battles with machines, ground, buildings and allies are sentences, without fields of the
engine."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wh_env.rulesets.wap
from tests.render.test_regiment_words import HEADINGS
from wh_env import Battle
from wh_env.agents.policies import make
from wh_env.core.events import Event
from wh_env.render.labels import Labels
from wh_env.render.words import sentence
from wh_env.rulesets.wap.view.tell import ROLLS, TESTS, UNTOLD, WORDS
from wh_env.rulesets.wap.view.tell import sentence as told
from wh_env.testing.wap import RegimentScene

SENTENCES = {*WORDS, *TESTS}
KNOWN = {*SENTENCES, *ROLLS, *UNTOLD, *HEADINGS}
# what each battle is there for
SHOWS = {
    "wap/open-machines": {"turns to fire"},
    "wap/open-allies": set[str](),
    "wap/walled-field": {"shoots"},
    "wap/watch-field": {"enters a building", "length"},
    "wap/wild-field": {"dangerous terrain"},
    "wap/river-field": set[str](),
    "wap/broken-field": {"dangerous terrain"},
}
FIELDS = re.compile(r"\((?!rolled \d|player \d)[^)]*\)|[_\[\]{}=]|-?\b999\b|\b(?:unit|model|target|winner) -?\d")
SLOT = re.compile(r"\b(?:option|number|angle|model|slot|cell|unit|enemy|own) \d")
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])


@DETAILS
@pytest.mark.parametrize("name", SHOWS)
def test_every_event_is_a_sentence(name: str, detail: str) -> None:
    battle, seen, kinds = Battle.load(name, 2, record=True, detail=detail), 0, set[str]()
    players, labels = [make("greedy", 2), make("random", 3)], Labels(battle)
    while not battle.over:
        decision = battle.decision
        assert decision is not None
        battle.apply(players[decision.player].act(battle, battle.legal()))
        for event in battle.events[seen:]:
            kinds.add(event.kind)
            words = sentence(labels, event)
            for player in battle.setup.names["players"]:
                words = words.replace(f"({player})", "")
            assert event.kind not in SENTENCES or not FIELDS.search(words), (event, words)
        seen = len(battle.events)
    assert kinds <= KNOWN and SHOWS[name] <= kinds and len(kinds) > 25


@DETAILS
@pytest.mark.parametrize("name", SHOWS)
def test_every_option_says_what_it_means(name: str, detail: str) -> None:
    battle, chance, kinds = Battle.load(name, 1, detail=detail), np.random.default_rng(1), set[str]()
    while not battle.over:
        legal, decision = battle.legal().nonzero()[0], battle.decision
        assert decision is not None
        kinds.add(decision.kind)
        for action in {int(legal[0]), int(legal[-1]), int(chance.choice(legal))}:
            assert not SLOT.search(battle.describe(action)), (decision.kind, battle.describe(action))
        battle.apply(int(chance.choice(legal)))
    assert len(kinds) > 10


def kinds_noted() -> Iterator[tuple[str, str]]:
    """Every kind of event that a module of the engine writes as a text, with the module."""
    for path in Path(wh_env.rulesets.wap.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "note":
                kind = node.args[1]
                texts = [kind.body, kind.orelse] if isinstance(kind, ast.IfExp) else [kind]
                yield from ((path.name, str(t.value)) for t in texts if isinstance(t, ast.Constant))


def test_the_engine_notes_no_kind_of_event_without_words() -> None:
    noted = set(kinds_noted())
    assert {("gazes.py", "is gazed at"), ("late.py", "is there")} <= noted
    assert [(module, kind) for module, kind in sorted(noted) if kind not in KNOWN] == []


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        ("dangerous terrain", {"unit": 0, "dice": (1, 4), "amount": 1},
         "axes roll 1, 4 in dangerous terrain: 1 Wound"),
        ("is gazed at", {"unit": 0, "die": 2, "amount": 3}, "a statue gazes at axes (rolled 2): 3 hits"),
        ("is burnt", {"unit": 0, "amount": 4}, "axes take 4 hits from the burning obstacle"),
        ("drinks", {"unit": 0, "die": 1, "name": "poison"}, "axes drink from a well (rolled 1): poison"),
        ("is favoured", {"unit": 0, "model": 0, "die": 3, "name": "ws", "amount": 2}, "axes 1 gains 2 WS (rolled 3)"),
        ("is devoured", {"unit": 0, "model": 0, "die": 1}, "axes 1 is devoured (rolled 1)"),
        ("is healed", {"unit": 0, "amount": 3, "result": 2}, "axes are healed of 3 Wounds, 2 models come back"),
        ("is healed", {"unit": 0, "amount": 1, "result": 1}, "axes are healed of 1 Wound, 1 model comes back"),
        ("is healed", {"unit": 0, "amount": 1}, "axes are healed of 1 Wound"),
        ("is hurt", {"unit": 0, "amount": 1}, "axes lose 1 Wound"),
        ("rolls its charge again", {"unit": 0}, "axes roll their charge again"),
        ("charges the rear", {"unit": 0, "target": 1, "die": 6}, "axes charge the rear of bows (rolled 6)"),
        ("hit by friends", {"unit": 0, "target": 1, "amount": 2}, "2 shots at bows hit axes"),
        ("second rank", {"unit": 0, "rolls": (3, 5)}, "the second rank of axes rolls 3, 5 for its impact hits"),
        ("characteristic test", {"unit": 0, "die": 4, "passed": False},
         "axes test a characteristic (rolled 4): failed"),
        ("characteristic test", {"unit": 0, "die": 0, "passed": False}, "axes test a characteristic: failed"),
        ("misfires", {"unit": 0, "die": 1, "name": "destroyed"}, "axes misfire (rolled 1): destroyed"),
        ("keeps faith", {"player": 0, "name": "Skaven", "die": 4}, "Skaven keeps faith with its allies (rolled 4)"),
        ("loses faith", {"player": 0, "name": "Skaven", "die": 3}, "Skaven trusts its allies less (rolled 3)"),
        ("shoots", {"unit": 0, "target": 1, "name": "bow", "amount": 12, "needed": 5, "rolls": (5, 6), "result": 5},
         "axes shoot at bows with bow: 12 shots, 5+ needed, 5 hits"),
        ("to hit", {"unit": 0, "target": 1, "amount": 1, "needed": 3, "result": 1},
         "axes strike at bows: 1 attack, 3+ needed, 1 hit"),
        ("to wound", {"unit": -1, "target": 1, "amount": 2, "needed": 4, "result": 0},
         "an attack wounds bows: 2 hits, 4+ needed, 0 wounds"),
        ("saves", {"unit": 1, "amount": 5, "needed": (5, 7), "result": 3}, "bows save 2 of 5 wounds: armour 5+"),
        ("saves", {"unit": 1, "amount": 1, "needed": (7, 6), "result": 1}, "bows save 0 of 1 wound: ward 6+"),
        ("saves", {"unit": 1, "amount": 2, "needed": (7, 7), "result": 2}, "bows save 0 of 2 wounds"),
        ("wounds", {"unit": 0, "target": 1, "amount": 2, "result": 2}, "bows lose 2 Wounds"),
        ("killing blows", {"unit": 1, "amount": 1, "result": 3}, "1 killing blow at bows: 3 Wounds"),
        ("length", {"round": 5, "die": 5, "passed": True}, "the battle ends after game turn 5 (rolled 5)"),
        ("length", {"round": 4, "die": 5, "passed": False}, "the battle goes on after game turn 4 (rolled 5)"),
    ],
)  # fmt: skip
def test_what_players_read(kind: str, data: dict[str, Any], words: str) -> None:
    scene = RegimentScene()
    scene.unit(0, None, (12, 12), models=5, name="axes")
    scene.unit(1, None, (36, 36), models=5, name="bows")
    battle = scene.battle("movement", run=False)
    assert told(battle, Event("wap.x", kind, data)) == words


def test_killing_blows_are_counted_for_whom_they_hit() -> None:
    scene = RegimentScene()
    scene.unit(0, None, (12, 12), models=5, name="axes")
    scene.unit(1, None, (36, 36), models=5, name="bows")
    battle = scene.battle("movement", run=False)
    event = Event("wap.special.killing-blow", "killing blows", {"unit": 1, "amount": 1, "result": 3})
    counted = battle.setup.ruleset.tally(battle, event)
    assert counted is not None and (counted.target, counted.counts) == (1, {"wounds lost": 3})
