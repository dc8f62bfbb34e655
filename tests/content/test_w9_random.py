"""Random battles of the 9th edition: lawful, the same for the same seed, nearly all points spent."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle
from wh_env.content import ContentError, w9
from wh_env.content.games import random_battle
from wh_env.content.w9.load import CONTENT, load_tables
from wh_env.content.w9.random_army import SPENT

SIZES = ("combat-patrol", "incursion", "strike-force")
LIMITS = dict(zip(SIZES, (500, 1000, 2000), strict=True))
SEEDS = range(8)


@pytest.mark.parametrize("size", SIZES)
def test_armies_are_lawful_and_spend_their_points(size):
    """Loading musters them: Detachments, Command points, transports, reserves."""
    spent = []
    for seed in SEEDS:
        config = random_battle("w9", size, np.random.default_rng(seed))
        loaded = w9.load_battle(config)
        for army in loaded.armies:
            assert army.battle_forged
            assert army.points <= LIMITS[size]
            assert army.army.detachments[0].type in load_tables().detachments
            assert sum(unit.warlord for unit in army.units) == 1
            waiting = [unit for unit in army.units if unit.reserves is not None]
            assert 2 * len(waiting) <= len(army.units)
            spent.append(army.points)
    assert np.mean(spent) >= SPENT * LIMITS[size]


def test_the_same_seed_draws_the_same_and_another_one_something_else():
    first, again, other = (random_battle("w9", "incursion", np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert first == again != other
    named = [Battle.load(f"w9/random-patrol?seed={seed}", 1).setup.source for seed in (1, 1, 2)]
    assert named[0] == named[1] != named[2]


def test_transports_and_reserves_are_drawn_too():
    units = [
        unit
        for seed in range(12)
        for army in random_battle("w9", "incursion", np.random.default_rng(seed))["armies"]
        for detachment in army["detachments"]
        for unit in detachment["units"]
    ]
    assert {unit.get("reserves") for unit in units} == {None, "deep-strike", "strategic"}
    assert any("embarked_in" in unit for unit in units)
    assert any(unit.get("equipment") for unit in units)


def test_factions_can_be_named():
    config = random_battle("w9", "combat-patrol", np.random.default_rng(1), factions=("Tyranids", "Tyranids"))
    assert [army["name"] for army in config["armies"]] == ["Random Tyranids", "Random Tyranids 2"]


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: random_battle("w9", "skirmish", np.random.default_rng(0)), "size"),
        (lambda: random_battle("w9", "incursion", np.random.default_rng(0), factions=("Orks", None)), "random.factions[0]"),
        (lambda: w9.load_battle("w9/only-war-patrol", {"random": {"seed": 1}}), "random"),
        (lambda: w9.load_battle("w9/random-patrol?terrain=nothing"), "random.terrain"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_an_error(call, field):
    with pytest.raises(ContentError) as caught:
        call()
    assert caught.value.field == field


def test_too_few_points_are_an_error():
    size = w9.load_mission("only-war-patrol").size("Combat Patrol").model_copy(update={"points": 60})
    with pytest.raises(ContentError) as caught:
        CONTENT.at_hand().army("Tyranids", size, np.random.default_rng(0), 1000.0, "Small")
    assert caught.value.field == "points"


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_they_are_played_to_their_end(detail):
    for seed in range(2):
        battle, chance = Battle.load(f"w9/random-patrol?seed={seed}", seed, detail=detail), np.random.default_rng(seed)
        while battle.decision is not None:
            battle.apply(int(chance.choice(battle.decision.options)))
        assert battle.over
