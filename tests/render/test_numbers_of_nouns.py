"""Whatever is counted agrees with its number: 1 hit, 2 hits; 1 model touches, 2 models touch."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

from wh_env import Battle
from wh_env.agents.report import Reporter
from wh_env.core.sentences import acting, agreed, agreeing, counted, for_both
from wh_env.render.labels import Labels
from wh_env.render.words import sentence, volley

BATTLES = ("wap/open-magic", "wap/open-machines", "epic/bridgehead", "w10/only-war-skirmish", "w9/only-war-patrol")
NOUNS = "attack|hit|wound|shot|point|model|file|rank|standard|degree|test|save|inche|weapon|unit|objective|round|marker"
ONE_OF_SEVERAL = re.compile(rf"(?<![\d.:+-])1 (?:[a-z]+ )?(?:(?i:{NOUNS})s|dice)\b")
SEVERAL_OF_ONE = re.compile(rf"\b(?:[02-9]|\d\d+) (?:{NOUNS.replace('inche', 'inch')})\b(?! roll)")


def test_nouns_and_verbs_agree_with_their_number() -> None:
    assert [counted(n, what) for n, what in ((1, "hit"), (0, "hit"), (2, "die"), (1, "die"), (4.5, "inch"))] == [
        "1 hit",
        "0 hits",
        "2 dice",
        "1 die",
        "4.5 inches",
    ]
    assert counted(1.04, "inch") == "1 inch"
    assert [acting(n, "model", "comes", "come") for n in (1, 2)] == ["1 model comes", "2 models come"]
    assert [agreeing(1, words) for words in ("wounds lost", "saved", "out of range", "Hazardous tests")] == [
        "wound lost",
        "saved",
        "out of range",
        "Hazardous test",
    ]
    assert agreeing(2, "wounds lost") == "wounds lost"


@pytest.mark.parametrize(
    ("words", "both"),
    [
        ("loses its frenzy", "[loses/lose] [its/their] frenzy"),
        ("rallies of itself", "[rallies/rally] of [itself/themselves]"),
        ("fires at and flees from", "[fires/fire] at and [flees/flee] from"),
        ("passes of itself", "[passes/pass] of [itself/themselves]"),
        ("is late", "[is/are] late"),
        ("will reform", "will reform"),
    ],
)
def test_verbs_are_told_of_one_and_of_several(words: str, both: str) -> None:
    assert for_both(words) == both
    assert agreed(f"the wizard {both}") == f"the wizard {words}"
    assert "[" not in agreed(f"spearmen of the guards {both}")
    assert agreed("bows cannot see and [loses/lose] shots", "bows") == "bows cannot see and lose shots"
    assert agreed("knights 2 [is/are] slain") == "knights 2 are slain"


def words_of(name: str, detail: str, seed: int) -> Iterator[str]:
    """All that is told of a battle at random: its report, the options that were chosen, and what holds of units."""
    battle, chance = Battle.load(name, seed, detail=detail), np.random.default_rng(seed)
    report, labels, seen = Reporter(battle), Labels(battle), 0
    while not battle.over:
        action = int(chance.choice(battle.legal().nonzero()[0]))
        yield battle.describe(action)
        battle.apply(action)
        for n in range(seen, len(battle.events)):
            report(battle.events[n])
            yield sentence(labels, battle.events[n])
            yield volley(labels, battle.events[max(0, n - 40) : n + 1])
        seen = len(battle.events)
        yield from report.lines()
    for unit in range(len(battle.units.owner)):
        yield from battle.setup.ruleset.states(battle, unit)
    yield from report.finish()


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("name", BATTLES)
def test_what_is_told_of_a_battle_agrees_in_number(name: str, detail: str) -> None:
    told = [line for line in words_of(name, detail, 1) if line]
    assert [line for line in told if ONE_OF_SEVERAL.search(line) or SEVERAL_OF_ONE.search(line)] == []
    assert len(told) > 100
