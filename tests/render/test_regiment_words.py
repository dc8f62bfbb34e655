"""Battles of regiments as their players tell them: reports and the words of pages."""

from __future__ import annotations

import re

import numpy as np
import pytest

from wh_env import Battle
from wh_env.agents.report import Reporter
from wh_env.render.labels import Labels
from wh_env.render.words import sentence
from wh_env.rulesets.wap.view.tell import REASONS, ROLLS, TESTS, UNTOLD, WORDS, reason, towards
from wh_env.testing.play import dice_left
from wh_env.testing.wap import RegimentScene, square

HEADINGS = {"turn", "phase"}


def told_of(battle: Battle) -> list[str]:
    """The report of all that a battle has recorded."""
    reporter = Reporter(battle)
    for event in battle.events:
        reporter(event)
    return [line.strip() for line in reporter.finish()]


def test_a_round_of_combat_reads_like_one() -> None:
    """Five men against five: three of the quick ones' blows hit, two wound, one of four saves; the slow ones miss."""
    scene = RegimentScene()
    quick = scene.unit(0, square(i=5), (24, 24), models=5, files=5, name="quick")
    scene.beside(quick, 1, square(i=2, ld=7), models=5, files=5, name="slow")
    battle = scene.battle("combat", dice=[4, 4, 4, 1, 1, 6, 6, 1, 1, 1, 1, 3, 3, 1, 1])
    while dice_left(battle) > 2:  # those of the flight
        battle.apply(battle.first_legal())
    lines = told_of(battle)
    at = lines.index("combat between quick and slow.")
    names = list(battle.setup.names["players"])
    assert lines[at : at + 8] == [
        "combat between quick and slow.",
        "blows at Initiative 5.",
        "quick → slow: 5 attacks, 3 hits, 2 wounds, 2 wounds lost.",
        "slow loses 2 models.",
        "blows at Initiative 2.",
        "slow → quick: 3 attacks.",
        f"{names[0]} scores 3: 2 wounds + 1 outnumber.",
        f"{names[1]} scores 0.",
    ]
    assert lines[at + 8] == f"{names[0]} wins the combat by 3, 3:0."
    assert lines[at + 9] == "slow tests not to break: 6 on Leadership 4, failed."


@pytest.mark.parametrize(
    ("name", "seed"), [*(("open-skirmish", seed) for seed in range(6)), *(("open-magic", seed) for seed in range(3))]
)
def test_everything_that_happens_has_words(name: str, seed: int) -> None:
    """No event of a random battle falls back on its fields unless it is one that they tell well; pages use the same words as reports."""
    battle = Battle.load(f"wap/{name}", seed, record=True)
    rng, labels = np.random.default_rng(seed), Labels(battle)
    while not battle.over:
        battle.apply(int(rng.choice(np.flatnonzero(battle.legal()))))
    seen = {event.kind for event in battle.events}
    assert seen <= {*WORDS, *TESTS, *ROLLS, *UNTOLD, *HEADINGS}
    for event in battle.events:
        words = battle.setup.ruleset.sentence(battle, event)
        if event.kind in WORDS or event.kind in TESTS:
            assert words and not re.search(r"[(_]", words.replace(f"({labels.battle.setup.names['players'][0]})", "").replace(
                f"({labels.battle.setup.names['players'][1]})", "").replace("(rolled", ""))  # fmt: skip
            assert sentence(labels, event) == words
        else:
            assert words is None
    report = "\n".join(told_of(battle))
    assert "999" not in report and "unit " not in report


@pytest.mark.parametrize(
    ("facing", "name"),
    [
        (0, "east"),
        (22, "east"),
        (23, "north-east"),
        (90, "north"),
        (-90, "south"),
        (270, "south"),
        (337, "south-east"),
        (338, "east"),
    ],
)
def test_points_of_the_compass(facing: float, name: str) -> None:
    assert towards(facing) == name


def test_the_longest_beginning_of_a_rule_gives_the_reason() -> None:
    assert reason("wap.break.test") == " not to break"
    assert reason("wap.breaking") == ""  # another word that begins the same
    assert reason("wap.pursuit.choice") == " to restrain itself"
    assert all(reason(f"{begin}.some") == f" {words}" for begin, words in REASONS.items())
