"""All that people read of battles is in players' words; ``scripts/soak.py --words`` reads more battles."""

from __future__ import annotations

import pytest

from wh_env import Battle, Event
from wh_env.agents.wording import FIELD, untold, word_faults

BATTLES = (
    "w10/only-war-skirmish",
    "w9/only-war-patrol",
    "w8/only-war-skirmish",
    "wap/open-skirmish",
    "epic/bridgehead",
)


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("name", BATTLES)
def test_what_people_read_are_players_words(name: str, detail: str) -> None:
    texts, faults = word_faults(Battle.load(name, 7, detail=detail, record=True), 7)
    assert faults == [] and texts > 500


@pytest.mark.parametrize(
    "words",
    [
        "order revealed (order march)",
        "wounds (target halberdiers; amount 2)",
        "uses Stratagem (cp 0)",
        "option 2",
        "cell column 3",
        "fnp roll 3",
        "unit_moves",
        "a roll of None",
    ],
)
def test_fields_of_the_engine_are_found(words: str) -> None:
    assert FIELD.search(words)


def test_an_event_without_a_sentence_is_found() -> None:
    battle = Battle.load(BATTLES[0], 1)
    assert untold(battle, Event("w10.a", "something new", {"unit": 0}))
    assert not untold(battle, Event("w10.a", "turn", {"player": 0, "round": 1}))
    assert not untold(battle, Event("w10.a", "Advance roll", {"unit": 0, "roll": 3}))
