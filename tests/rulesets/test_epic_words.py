"""Every event of an Epic-scale battle is a sentence: names, numbers and outcomes, no field of the engine."""

from __future__ import annotations

import re

import pytest

from wh_env import Battle
from wh_env.agents.policies import make
from wh_env.agents.report import Reporter
from wh_env.render.labels import Labels
from wh_env.render.words import sentence

PLAYER = re.compile(r"[Pp]layer [01] \([^)]*\)")
FIELD = re.compile(r"[_\[\]{}();]|\b(?:target|model|unit|weapon|order|loser|place) -?\d|\bTrue\b|\bFalse\b")


def told(name: str, seed: int, detail: str) -> tuple[list[tuple[str, str]], list[str]]:
    """The events of a battle, each with its sentence; and the lines of the report."""
    battle = Battle.load(name, seed, record=True, detail=detail)
    reporter, found = Reporter(battle), []
    players = [make("greedy", seed), make("greedy", seed + 1)]
    labels, seen = Labels(battle), 0
    lines: list[str] = []
    while not battle.over:
        battle.apply(players[battle.decision.player].act(battle, battle.legal()))
        for event in battle.events[seen:]:
            reporter(event)
            found.append((event.kind, sentence(labels, event)))
        seen = len(battle.events)
        lines += reporter.lines()
    return found, lines + list(reporter.finish())


BATTLES = [
    ("epic/broken-country", 0),
    ("epic/broken-country", 1),
    ("epic/random-company?seed=1", 0),
    ("epic/random-company?seed=2", 0),
]
COMMON = {"order revealed", "formation fires", "deployed", "initiative", "formation moved", "counters in the cup"}
RARE = {
    "combat",
    "engages",
    "morale test",
    "retreats",
    "to hit",
    "save",
    "hit by terrain",
    "dangerous terrain",
    "shot lost",
}


@pytest.mark.parametrize(("detail", "kinds"), [("squad", COMMON | RARE), ("full", COMMON)])
def test_every_event_is_a_sentence_of_names_and_numbers(detail, kinds):
    seen = set()
    for name, seed in BATTLES if detail == "squad" else BATTLES[:2]:
        events, lines = told(name, seed, detail)
        seen |= {kind for kind, _ in events}
        for words in [*(words for _, words in events), *lines]:
            assert not FIELD.search(PLAYER.sub("player", words)), words
    assert kinds <= seen


def test_shots_of_a_formation_are_summed_up_in_one_line():
    """Each weapon counts once: it hits, misses, is out of range or is lost."""
    for name, seed in BATTLES[:2]:
        events, lines = told(name, seed, "squad")
        shots = sum(kind in ("to hit", "out of range", "shot lost") for kind, _ in events)
        counted = 0
        for line in (line for line in lines if " → " in line):
            found = re.findall(r"(\d+) (shot|out of range|lost|hit|eliminated|saved)", line)
            counts = {what: int(n) for n, what in found}
            counted += counts.get("shot", 0) + counts.get("out of range", 0) + counts.get("lost", 0)
            assert counts.get("hit", 0) >= counts.get("eliminated", 0) + counts.get("saved", 0)
        assert counted == shots > 0
