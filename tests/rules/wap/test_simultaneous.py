"""Rules that fall due at the same moment, the start of a turn: the player whose turn it is says which comes first."""

from __future__ import annotations

import pytest

from tests.heroes import hero
from wh_env import Battle
from wh_env.agents.invariants import Invariants
from wh_env.content.wap import compile as compiling
from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap import rule_book
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.battle.restoring import heal
from wh_env.rulesets.wap.movement.start_of_turn import ON_START_OF_TURN, StartEffect
from wh_env.rulesets.wap.rule_book import SpecialRule
from wh_env.rulesets.wap.turns.handlers import HANDLERS
from wh_env.testing import choose, dice_left, kind, slots, told, words
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle, square

RULE = "wap.core.sequence.simultaneous"
MENDING = SpecialRule("Mending")
GAZES, _, FAVOURS, RULES = range(4)  # options
GAZED = (1, 2, 6, 6)  # it is gazed at: 2 hits, which wound
BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])


class Mends(StartEffect):
    """A unit has a Wound back."""

    rule = "wap.move.start"

    def due(self, g: BattleCore, unit: int) -> bool:
        return has(g, unit, MENDING)

    def resolve(self, g: BattleCore, unit: int) -> None:
        heal(g, unit, 1)


@pytest.fixture(autouse=True)
def written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A special rule of these tests stands in the book."""
    monkeypatch.setattr(rule_book, "BOOK", rule_book.BOOK.with_rules(MENDING))
    monkeypatch.setattr(compiling, "HANDLERS", (*HANDLERS, ON_START_OF_TURN.does(MENDING, Mends())))


def beside_a_statue(player: int, dice: tuple[int, ...], *, gap: float = 3.0) -> tuple[Battle, UnitHandle]:
    """A troll of 3 Wounds that mends itself, and a statue so many inches from it, as its turn begins."""
    scene = RegimentScene()
    scene.area("monument", 23, 20, 25, 22, example="sinister statue")
    troll = scene.unit(player, square(w=3, rules=["Mending"]), (24, 20 - gap), models=1, facing=NORTH)
    scene.unit(1 - player, None, (44, 47 if player == 0 else 1), models=5)
    return scene.battle("movement", player=player, dice=dice), troll


@pytest.mark.rule("wap.core.sequence.simultaneous")
@BOTH_PLAYERS
@pytest.mark.parametrize(("first", "left"), [(GAZES, 2), (RULES, 1)])
def test_what_heals_and_what_hurts_one_model(player: int, first: int, left: int) -> None:
    """Unhurt, it mends nothing; hurt first, it mends one of the two Wounds that it has lost."""
    battle, troll = beside_a_statue(player, GAZED)
    assert (kind(battle), battle.clock.player[0]) == ("due-order", player)
    assert slots(battle, "option") == [GAZES, RULES] and not battle.legal()[0]
    assert set(words(battle).values()) == {
        "first the ground gazes at units near it",
        "first special rules of units act",
    }
    assert Invariants(battle).after() == []
    stored = battle.clone()
    for game in (stored, battle):
        choose(game, "option", first)
        assert game.models.wounds[troll.model()] == left and dice_left(game) == 0
    assert stored.state_bytes() == battle.state_bytes()
    assert [event["player"] for event in told(battle, RULE)] == [player]


@pytest.mark.rule("wap.core.sequence.simultaneous")
@BOTH_PLAYERS
def test_what_acts_on_different_units_needs_no_order(player: int) -> None:
    battle, troll = beside_a_statue(player, (), gap=7.0)
    assert told(battle, RULE) == [] and kind(battle) == "select-to-move"
    assert [event["unit"] for event in told(battle, "wap.move.start")] == [troll.row]


@pytest.mark.rule("wap.core.sequence.simultaneous")
@BOTH_PLAYERS
@pytest.mark.parametrize("first", [GAZES, FAVOURS])
def test_the_order_of_what_belongs_to_the_enemy(player: int, first: int) -> None:
    """A hero of the enemy with 2 Wounds on a temple beside a statue: with a favour he has 3 before the gaze costs 2."""
    scene = RegimentScene()
    scene.area("hill", 20, 20, 28, 28, example="temple of skulls")
    scene.area("monument", 23, 29, 25, 31, example="sinister statue")
    lord = scene.unit(1 - player, hero(), (24, 27), models=1, facing=NORTH)
    scene.unit(1 - player, None, (4, 47 if player == 0 else 1), models=5)
    scene.unit(player, None, (44, 1 if player == 0 else 47), models=5)
    favour = (2, 3, 5, 1)  # one Wound more
    dice = GAZED if first == GAZES else (*favour, *GAZED)
    battle = scene.battle("movement", player=player, dice=dice)
    assert (kind(battle), battle.clock.player[0]) == ("due-order", player)
    assert slots(battle, "option") == [GAZES, FAVOURS]
    choose(battle, "option", first)
    if first == GAZES:  # he is gone, and seeks no favour
        assert battle.units.alive[lord] == 0 and kind(battle) != "seek-favour"
        return
    assert (kind(battle), battle.clock.player[0]) == ("seek-favour", 1 - player)
    choose(battle, "option", 0)
    assert battle.models.wounds[lord.model()] == 1 and dice_left(battle) == 0
