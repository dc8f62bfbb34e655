"""Random battles of the game of regiments: lawful, the same for the same seed, with all that an army can have."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle, ContentError
from wh_env.content.games import random_battle
from wh_env.content.wap import load_battle, load_rules
from wh_env.content.wap.drawn_army import draw_army
from wh_env.content.wap.limits import Muster
from wh_env.content.wap.load import LoadedArmy, load_sheet, troop_types
from wh_env.content.wap.schema_battle import POINTS
from wh_env.content.wap.whole_battle import sheet_names

SIZES = pytest.mark.parametrize("size", sorted(POINTS))


def armies_of(size: str, seeds: int) -> list[LoadedArmy]:
    return [army for seed in range(seeds) for army in load_battle(f"wap/random-{size}?seed={seed}").armies]


@SIZES
def test_the_same_seed_draws_the_same_battle_and_every_one_can_be_stored(size: str) -> None:
    sources = set()
    for seed in range(4):
        battle = Battle.load(f"wap/random-{size}?seed={seed}", 1)
        assert (
            battle.setup.source == Battle.load(f"wap/random-{size}?seed={seed}&factions=[null, null]", 1).setup.source
        )
        assert Battle.from_bytes(battle.to_bytes()).to_bytes() == battle.to_bytes()
        sources.add(battle.setup.source)
    assert len(sources) == 4


@SIZES
def test_drawn_armies_are_legal_and_use_their_points(size: str) -> None:
    rules, types, spent = load_rules(), troop_types(), []
    for army in armies_of(size, 8):
        muster = Muster(army.army, army.sheet, rules, types)
        assert muster.faults() == [] and army.army.without == () and muster.points == POINTS[size]
        spent.append(muster.cost / POINTS[size])
    assert max(spent) <= 1 and np.mean(spent) > 0.85


def test_drawn_armies_have_whatever_an_army_can_have() -> None:
    found = armies_of("battle", 16)
    assert {army.army.sheet for army in found} == set(sheet_names())
    entries = [entry for army in found for entry in army.army.units]
    cards = [army.sheet.cards[entry.card] for army in found for entry in army.army.units]
    assert {card.category for card in cards} == {"lord", "hero", "core", "special", "rare"}
    assert {"infantry", "cavalry", "monster", "war machine"} <= {card.type for card in cards}
    for field in ("battle_standard", "general", "command", "options", "level", "lores", "items", "banner", "inside"):
        assert any(getattr(entry, field) for entry in entries), field
    assert len({name for entry in entries for name in entry.items}) > 20


def test_a_faction_can_be_named() -> None:
    for seed in range(3):
        loaded = load_battle(f"wap/random-patrol?seed={seed}&factions=[hill-host, null]")
        assert loaded.armies[0].sheet.name == "Hill Host"


def test_environments_draw_without_anything_random_left() -> None:
    config = random_battle("wap", "patrol", np.random.default_rng(5), factions=["free-towns", "menagerie"])
    assert "random" not in config and "random" not in (config["mission"], config["battlefield"], *config["armies"])
    assert Battle.load(config, 1).setup.source == Battle.load(config, 2).setup.source
    assert random_battle("wap", "patrol", np.random.default_rng(6)) != config


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("wap/random-clash?sed=7", "random.sed: 'sed' is not known"),
        ("wap/random-clash?size=huge", "random.size: 'huge'"),
        ("wap/random-clash?factions=[elves, null]", "random.factions[0]: 'elves' is not known"),
        ("wap/open-field?seed=7", "has nothing to draw"),
    ],
)
def test_bad_options_are_told(source: str, message: str) -> None:
    with pytest.raises(ContentError) as caught:
        load_battle(source)
    assert message in str(caught.value)


def test_a_sheet_that_makes_no_army_is_named() -> None:
    """A lone beast of 400 points is no army of 500."""
    card = {"type": "monster", "category": "rare", "base_mm": [50, 50], "points": 400, "profile": dict.fromkeys(
        ("m", "ws", "bs", "s", "t", "w", "i", "a", "ld"), 4)}  # fmt: skip

    sheet = load_sheet({"name": "Beasts", "cards": {"beast": card}})
    with pytest.raises(ContentError, match="cards that make an army of 500 points"):
        draw_army("beasts", sheet, 500, load_rules(), troop_types(), np.random.default_rng(1))


def test_ground_keeps_its_spells_beside_units_with_another_form() -> None:
    """A magic portal stands on the table, and a unit can take another form: both need spells."""
    setup = Battle.load("wap/random-battle?seed=41", 0).setup
    assert setup.statics["ground_spells"] and any(row >= 0 for row in setup.statics["forms"])
