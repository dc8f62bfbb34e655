"""Random battles of the Epic-scale game: lawful, the same for the same seed, alike from both sides."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle, ContentError
from wh_env.content.epic import load_battle
from wh_env.content.games import random_battle

SEEDS = range(40)


@pytest.mark.parametrize("size", ["patrol", "company"])
def test_the_same_seed_draws_the_same_battle_and_every_one_can_be_stored(size):
    sources = set()
    for seed in SEEDS:
        battle = Battle.load(f"epic/random-{size}?seed={seed}", 1)
        assert (
            battle.setup.source == Battle.load(f"epic/random-{size}?seed={seed}&factions=[null, null]", 1).setup.source
        )
        assert Battle.from_bytes(battle.to_bytes()).to_bytes() == battle.to_bytes()
        sources.add(battle.setup.source)
    assert len(sources) == len(SEEDS)


@pytest.mark.parametrize("armies", [["marine-patrol"] * 2, ["ork-raiders"] * 2, ["marine-company", "marine-patrol"]])
def test_two_armies_of_one_sheet_can_be_stored(armies):
    battle = Battle.load({"name": "Mirror", "ruleset": "epic", "battlefield": "river-crossing", "armies": armies}, 3)
    assert Battle.from_bytes(battle.to_bytes()).to_bytes() == battle.to_bytes()


def test_features_and_objectives_look_the_same_from_both_sides_and_leave_the_zones_free():
    kinds = set()
    for seed in SEEDS:
        loaded = load_battle(f"epic/random-company?seed={seed}")
        length, width = loaded.size
        spots = {(round(x, 3), round(y, 3)) for x, y in loaded.battlefield.objectives}
        assert len(spots) in (4, 5)
        assert {(round(length - x, 3), round(width - y, 3)) for x, y in spots} == spots
        kinds.update(feature.kind for feature in loaded.features)
        depth = loaded.rules.deployment_depth_cm
        assert len(loaded.features) >= 4
        assert all(depth <= y <= width - depth for feature in loaded.features for _, y in feature.outline)
    assert {"woods", "buildings", "ruins", "fortification", "marsh", "river", "cliff", "hill"} <= kinds


def test_both_sizes_draw_from_both_sheets_and_a_faction_can_be_named():
    units = {size: [] for size in ("patrol", "company")}
    seen = set()
    for size, counts in units.items():
        for seed in SEEDS:
            armies = load_battle(f"epic/random-{size}?seed={seed}").armies
            seen.update(army.sheet.name for army in armies)
            counts += [sum(entry.size for entry in army.army.formations) for army in armies]
            assert all(len(army.army.formations) >= 2 for army in armies)
    assert seen == {"Orks", "Space Marines"}
    assert np.mean(units["patrol"]) < 0.7 * np.mean(units["company"])
    for seed in range(5):
        loaded = load_battle(f"epic/random-patrol?seed={seed}&factions=[orks, null]")
        assert loaded.armies[0].sheet.name == "Orks"


def test_environments_draw_without_anything_random_left():
    config = random_battle("epic", "patrol", np.random.default_rng(5), factions=["orks", "orks"])
    assert "random" not in config
    Battle.load(config, 1)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("epic/random-patrol?sed=7", "random.sed: 'sed' is not known"),
        ("epic/random-patrol?size=huge", "random.size: 'huge'"),
        ("epic/random-patrol?factions=[elves, null]", "random.factions[0]: 'elves' is not known"),
        ("epic/bridgehead?seed=7", "has nothing to draw"),
    ],
)
def test_bad_options_are_told(source, message):
    with pytest.raises(ContentError) as caught:
        load_battle(source)
    assert message in str(caught.value)


def test_a_table_without_room_is_told():
    with pytest.raises(ContentError, match="table_cm"):
        load_battle("epic/random-patrol", {"rules": {"table_cm": [20.0, 30.0], "deployment_depth_cm": 14.0}})
