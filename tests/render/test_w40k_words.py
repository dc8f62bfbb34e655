"""Events of the three editions are sentences: names, numbers and outcomes, no field of the engine."""

from __future__ import annotations

import re
from string import Formatter

import numpy as np
import pytest

from wh_env import Battle
from wh_env.agents.policies import make
from wh_env.content.load import raw_battle
from wh_env.core.events import Event
from wh_env.core.sentences import FIELD, NUMBERED, counted, is_plural, listed, told
from wh_env.render.labels import Labels
from wh_env.render.words import is_attack, sentence
from wh_env.rulesets.w40k.event_fields import EVENT_FIELDS
from wh_env.rulesets.w40k.view.tell import TEMPLATES

BRACKET = re.compile(r"\((?!\d CP\))[^)]*\)|[_\[\]{};]|\b(?:cp|unit|model|roll|target|owner|holder|winner) -?\d")
SLOT = re.compile(r"\b(?:option|number|angle|model|slot) \d")  # words that say no more than where an action stands


def played(name: str, seed: int, detail: str) -> list[tuple[Event, str]]:
    """The events of a battle of greedy against random, each with its sentence; attacks are left out."""
    battle, found, seen = Battle.load(name, seed, record=True, detail=detail), [], 0
    players, labels = [make("greedy", seed), make("random", seed + 1)], Labels(battle)
    while not battle.over:
        battle.apply(players[battle.decision.player].act(battle, battle.legal()))
        found += [(event, sentence(labels, event)) for event in battle.events[seen:] if not is_attack(event)]
        seen = len(battle.events)
    return found


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("w10/only-war-skirmish", "squad"),
        ("w10/only-war-skirmish", "full"),
        ("w10/only-war-incursion", "squad"),
        ("w9/only-war-patrol", "squad"),
        ("w8/only-war-skirmish", "squad"),
    ],
)
def test_every_event_is_a_sentence(name, detail):
    told_of = played(name, 4, detail)
    assert len({event.kind for event, _ in told_of}) > 15
    for event, words in told_of:
        assert not BRACKET.search(words), (event, words)


def test_templates_name_declared_fields_and_have_matching_brackets():
    for kind, templates in TEMPLATES.items():
        assert templates, kind
        for template in templates:
            for name, _ in FIELD.findall(template):
                assert name in EVENT_FIELDS, (kind, name)
            rest = NUMBERED.sub("", FIELD.sub("", template))
            assert not set("[]{}") & set(rest), template
            assert list(Formatter().parse(rest)), template


@pytest.mark.parametrize(
    ("name", "seed"), [("w10/only-war-skirmish", 1), ("w9/only-war-patrol", 3), ("w8/only-war-skirmish", 3)]
)
def test_every_option_says_what_it_means(name, seed):
    battle, chance, kinds = Battle.load(name, seed, detail="full"), np.random.default_rng(seed), set()
    while not battle.over:
        legal = battle.legal().nonzero()[0]
        kinds.add(battle.decision.kind)
        for action in {legal[0], legal[-1], chance.choice(legal)}:
            assert not SLOT.search(battle.describe(action)), (battle.decision.kind, battle.describe(action))
        battle.apply(int(chance.choice(legal)))
    assert len(kinds) > 15


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        ("Advance roll", {"unit": 0, "roll": 4}, "Guns Advance: a roll of 4"),
        ("Advance roll", {"unit": 2, "roll": 4}, "Mob Advances: a roll of 4"),
        ("piles in", {"unit": 2, "moved": 1}, "Mob piles in: 1 model moved"),
        ("mortal wounds", {"model": -1, "unit": 2, "amount": 3}, "Mob suffers 3 mortal wounds"),
        ("mortal wounds", {"model": -1, "unit": -1, "amount": 1}, "1 mortal wound suffered"),
        ("Battle-shock test", {"unit": 0, "roll": 5, "needed": 6, "passed": False},
         "Guns take a Battle-shock test: 5, 6+ needed, failed"),
        ("victor", {"winner": -1, "vp": (3, 3), "destroyed": (False, False)}, "the battle is a draw: 3 and 3 VP"),
        ("moves straight forward", {"unit": 2, "inches": 20.0}, "Mob moves straight forward, 20 inches"),
        ("something new", {"unit": 2}, None),
    ],
)  # fmt: skip
def test_the_first_template_whose_fields_are_there_is_filled(stage, kind, data, words):
    assert told(stage.battle(), Event("w10.x", kind, data), TEMPLATES) == words


@pytest.mark.parametrize("name", ["w10/only-war-skirmish", "w9/only-war-patrol", "w8/only-war-skirmish"])
def test_armies_of_one_name_are_told_apart(name):
    battle = Battle.load(name, 1)
    names = battle.setup.names["players"]
    army = raw_battle(name)[0]["armies"][0]
    mirrored = Battle.load(name, 1, overrides={"armies": [army, army]})
    event = Event("r", "first turn", {"player": 1})
    assert sentence(Labels(battle), event) == f"{names[1]} has the first turn"
    assert sentence(Labels(mirrored), event) == f"{names[0]} (player 1) has the first turn"
    assert sentence(Labels(mirrored), Event("r", "turn", {"player": 0, "round": 2})) == (
        f"turn of {names[0]} (player 0), round 2"
    )


def test_numbers_and_names():
    assert [is_plural(name) for name in ("Guns", "Mob", "Intercessors 2", "Boss", "Colossus", "a + termagants")] == [
        True, False, True, False, False, True,
    ]  # fmt: skip
    assert listed(["a"]) == "a" and listed(["a", "b", "c"]) == "a, b and c"
    assert counted(1, "inch") == "1 inch" and counted(2.5, "inch") == "2.5 inches" and counted(0, "model") == "0 models"
