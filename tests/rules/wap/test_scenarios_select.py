"""Which mission is played: by a die, or as the players agree."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from wh_env import Battle, ContentError
from wh_env.content.load import names
from wh_env.content.wap import load_battle, load_mission, load_rules
from wh_env.content.wap.drawn_mission import rolled_mission

TABLE = ("battleline", "dawn-attack", "pass", "blood-and-glory", "meeting-engagement", "watchtower")
TITLES = (
    "Battleline",
    "Dawn Attack",
    "Battle for the Pass",
    "Blood and Glory",
    "Meeting Engagement",
    "The Watchtower",
)


@pytest.mark.parametrize(("die", "name"), list(enumerate(TABLE, 1)))
@pytest.mark.rule("wap.scenario.select.random")
def test_a_die_names_the_mission(die: int, name: str) -> None:
    assert rolled_mission(load_rules().scenarios, TABLE, lambda: die) == name
    assert load_mission(name).name == TITLES[die - 1]


@pytest.mark.rule("wap.scenario.select.random")
def test_what_cannot_be_played_is_rolled_again() -> None:
    """Who has no mission of the name of the Watchtower rolls again."""
    known = tuple(name.removeprefix("wap/") for name in names("missions", "wap"))
    assert set(known) == set(TABLE)
    dice = iter([6, 6, 4])
    assert rolled_mission(load_rules().scenarios, TABLE[:5], lambda: next(dice)) == "blood-and-glory"
    assert not list(dice)


@pytest.mark.rule("wap.scenario.select.random")
def test_a_random_mission_is_drawn_with_its_seed() -> None:
    for seed in range(6):
        chance = np.random.default_rng(seed)
        dice = (int(chance.integers(1, 7)) for _ in itertools.count())
        name = next(TABLE[die - 1] for die in dice)
        loaded = load_battle(f"wap/random-field?seed={seed}")
        assert loaded.config.mission == name and loaded.mission == load_mission(name)
    drawn = {load_battle(f"wap/random-field?seed={seed}").mission.name for seed in range(40)}
    assert drawn == set(TITLES)
    assert load_battle("wap/random-field").mission == load_battle("wap/random-field?seed=0").mission


@pytest.mark.rule("wap.scenario.select.random")
def test_what_was_drawn_is_part_of_the_battle() -> None:
    battle = Battle.load("wap/random-field?seed=3", 5)
    twin = Battle.from_bytes(battle.to_bytes())
    assert twin.setup.rules["mission"] == battle.setup.rules["mission"]
    assert twin.setup.source == battle.setup.source


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.rule("wap.scenario.select.agree")
def test_who_names_a_mission_rolls_no_die(name: str) -> None:
    loaded = load_battle("wap/open-heroes", {"mission": name, "battlefield": {"name": "bare"}})
    assert loaded.mission == load_mission(name)
    with pytest.raises(ContentError, match=r"random: .* has nothing to draw; expected a mission, .* that is random"):
        load_battle("wap/open-heroes", {"mission": name, "random": {"seed": 1}})


@pytest.mark.parametrize(
    ("fields", "told_as"),
    [
        ({"rules": {"scenarios": ["tower"] * 6}}, r"rules.scenarios: .* names none; expected one of battleline"),
        ({"rules": {"scenarios": ["pass"] * 5}}, r"scenarios"),
        ({"random": {"seed": -1}}, r"random.seed: -1 is not valid"),
        ({"random": {"faction": "hills"}}, r"random.faction: 'faction' is not known"),
    ],
)
@pytest.mark.rule("wap.scenario.select.random")
def test_bad_drawings(fields: dict[str, Any], told_as: str) -> None:
    with pytest.raises(ContentError, match=told_as):
        load_battle("wap/random-field", fields)


@pytest.mark.rule("wap.scenario.format")
def test_special_rules_are_those_of_three_missions() -> None:
    special = {name: load_mission(name).special_rules for name in TABLE}
    assert special["battleline"] == special["dawn-attack"] == special["watchtower"] == ()
    assert special["pass"] == ("Bottleneck",)
    assert special["blood-and-glory"] == ("Breaking Point", "Fortitude")
    assert special["meeting-engagement"] == ("Reserves",)
