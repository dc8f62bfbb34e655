"""Every decision of every game has a title and a question in a player's words."""

from __future__ import annotations

import re

import pytest

from wh_env import Battle
from wh_env.agents.policies import make
from wh_env.core.questions import answer_words, asked, option_words, question_of
from wh_env.envs.registry import environment, rulesets

BATTLES = {name: environment(name).skirmish for name in rulesets()}
JARGON = re.compile(
    r"\b(?:cells?|grid|options? \d|(?:squad|full) detail|displacement|slots?|window|engine|done|batch|policy|delegate|"
    r"refine|by number|by its face)\b|[`_{}\[\]]|\(\w*: ",
    re.IGNORECASE,
)
SHORT = 40  # letters of a title


@pytest.mark.parametrize("game", BATTLES)
def test_titles_and_questions_are_a_players_words(game: str) -> None:
    ruleset = Battle.load(BATTLES[game], 1).setup.ruleset
    for kind in ruleset.kinds:
        title, question, done = asked(ruleset, kind)
        assert title[0].isupper() and len(title) <= SHORT and "-to" not in title, (kind.name, title)
        assert not JARGON.search(f"{title} {done}"), (kind.name, title, done)
        assert question.endswith((".", "?")) and question[0].isupper(), (kind.name, question)
        assert not JARGON.search(question), (kind.name, question)


def test_every_title_belongs_to_a_decision_of_some_game() -> None:
    rulesets = [Battle.load(battle, 1).setup.ruleset for battle in BATTLES.values()]
    known = {game: {kind.name for kind in ruleset.kinds} for game, ruleset in zip(BATTLES, rulesets, strict=True)}
    for game, ruleset in zip(BATTLES, rulesets, strict=True):
        found = known["w10"] | known["w9"] | known["w8"] if game.startswith("w") and game != "wap" else known[game]
        assert set(ruleset.questions) <= found


@pytest.mark.parametrize(
    ("what", "question"),
    [
        ("Squad detail: where the unit falls back to.", "Where the unit falls back to."),
        ("Which unit shoots next; done: nobody else does.", "Which unit shoots next?"),
        ("Which unit flees (done: none); asked again.", "Which unit flees; asked again."),
        ("Which TRANSPORT it is in (done: none).", "Which TRANSPORT it is in."),
        ("Where he goes; done: he stays. Others wait.", "Where he goes. Others wait."),
    ],
)
def test_what_programs_are_told_is_left_out(what: str, question: str) -> None:
    assert question_of(what) == question


def asked_for(game: str, kind: str) -> Battle:
    """A battle in which this is asked."""
    battle, players = Battle.load(BATTLES[game], 3), [make("greedy", 1), make("greedy", 2)]
    while battle.decision is not None and battle.decision.kind != kind:
        battle.apply(players[battle.decision.player].act(battle, battle.legal()))
    return battle


def test_choosing_nothing_says_what_it_means() -> None:
    battle = asked_for("w10", "select-to-charge")
    assert battle.describe(0) == "done"
    assert option_words(battle, 0) == "the phase ends"
    assert answer_words(battle, 0) == "Choose a unit to charge: the phase ends"


def test_a_title_is_not_told_twice() -> None:
    battle = asked_for("w10", "fire-overwatch")
    assert answer_words(battle, 0) == "no Fire Overwatch"
