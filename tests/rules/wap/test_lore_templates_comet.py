"""The Comet of Casandora: its markers, and how it strikes."""

from __future__ import annotations

import pytest

from tests.spell_scenes import Circle, end_magic, hits
from wh_env import Battle
from wh_env.rulesets.wap.basics.marks import marks_in_use
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.testing import kind, script, slots, told
from wh_env.testing.wap import square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
COMET, RULE = "Comet of Casandora", "wap.lore.heavens.comet-of-casandora"  # fmt: skip
STURDY = square(t=10)
POINT = (48.0, 24.0)


def sky(player: int) -> Circle:
    """A wizard, and far from the middle of the table an enemy who lives long."""
    place = Circle("heavens", player)
    place.enemy(STURDY, (80, 4), models=20)
    place.friend(STURDY, (4, 4), models=20)
    return place


def markers(battle: Battle) -> list[int]:
    """The markers of each comet."""
    return [battle.omens.count[k] for k in marks_in_use(battle)]


def next_magic(battle: Battle, player: int, die: int) -> None:
    """Play on to a player's Magic phase; the comet rolls ``die`` at its start."""
    before = len(told(battle, RULE))
    while battle.clock.phase[0] == 2:
        end_magic(battle)
    for _ in range(300):
        script(battle, [1] * 60)
        if battle.clock.phase[0] == 1 and battle.clock.turn[0] == player:
            script(battle, [die, *[1] * 60])
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
        if len(told(battle, RULE)) > before:
            return
    raise AssertionError("no Magic phase came")


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.heavens.comet-of-casandora")
def test_any_point_of_the_table_may_be_named(player: int) -> None:
    """Without arc, range or sight; boosted it has two markers."""
    for dice, version, number in (([5, 5], "", 1), ([5, 5, 5, 5, 2], "24+", 2), ([5, 5, 5, 5, 2], "12+", 1)):
        place = sky(player)
        battle = place.battle()
        place.begin(battle, COMET)
        assert kind(battle) == "spell-place"
        assert len(slots(battle, "cell")) == battle.setup.space.grid**2
        place.aim(battle, None, (0, 48))
        place.roll(battle, dice, version=version)
        assert markers(battle) == [number] and hits(battle) == {}
        k = marks_in_use(battle)[0]
        assert place.there(battle.omens.x[k], battle.omens.y[k]) == (0.0, 48.0)


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.heavens.comet-of-casandora")
def test_each_magic_phase_adds_a_marker_or_brings_the_comet(player: int) -> None:
    """2 in the opponent's phase: a second marker; 4 in the caster's next: it strikes with two."""
    place = sky(player)
    battle = place.battle()
    place.cast(battle, COMET, [5, 5], at=POINT)
    assert markers(battle) == [1]
    next_magic(battle, 1 - player, 2)
    assert markers(battle) == [2]
    next_magic(battle, player, 4)
    assert markers(battle) == [] and told(battle, RULE)[-1]["amount"] == 2
    assert [event.kind for event in battle.events if event.rule == RULE] == ["is called", "comes nearer", "comes down"]


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.heavens.comet-of-casandora")
def test_a_boosted_comet_grows_by_two(player: int) -> None:
    place = sky(player)
    battle = place.battle()
    place.begin(battle, COMET)
    place.aim(battle, None, POINT)
    place.roll(battle, [5, 5, 5, 5, 2], version="24+")
    next_magic(battle, 1 - player, 3)
    assert markers(battle) == [4]


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.heavens.comet-of-casandora")
def test_the_comet_cannot_be_dispelled_once_cast(player: int) -> None:
    """Nobody is offered to dispel it, and it comes though its caster is dead."""
    place = sky(player)
    battle = place.battle()
    place.cast(battle, COMET, [5, 5], at=POINT)
    assert kind(battle) not in ("dispel-in-play", "dispel-by")
    slay(battle, place.wizard.model())
    next_magic(battle, 1 - player, 1)
    assert markers(battle) == [2]
    assert kind(battle) != "dispel-in-play"
    assert not any("dispel" in battle.describe(action) for action in battle.decision.options)


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.heavens.comet-of-casandora.strike")
def test_the_comet_hits_all_units_near_the_point(player: int) -> None:
    """3 markers, 7": units at 5" and 7" of either side are hit, with 8 + 3 and 3 + 3 hits of Strength 7; that at 9" is
    not. The markers are gone then.
    """
    place = sky(player)
    near = place.enemy(STURDY, (POINT[0] + 5, 24), models=20, files=5)
    friend = place.friend(STURDY, (POINT[0], 24 - 7), models=20, files=5, facing=1.5707963)
    far = place.enemy(STURDY, (POINT[0], 24 + 9), models=20, files=5, facing=-1.5707963)
    battle = place.battle()
    place.cast(battle, COMET, [5, 5], at=POINT)
    battle.omens.count[marks_in_use(battle)[0]] = 3
    while battle.clock.phase[0] == 2:
        end_magic(battle)
    while battle.clock.turn[0] == player or battle.clock.phase[0] == 1:
        script(battle, [1] * 60)
        if battle.clock.phase[0] == 1 and battle.clock.turn[0] == 1 - player:
            script(battle, [4, 3, 4, 4, 4, *[1] * 11, 1, 2, *[1] * 60])
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert hits(battle) == {near.row: 11, friend.row: 6} and far.row >= 0
    assert told(battle, "wap.shoot.wound.roll")[-1]["needed"] == 6  # Strength 7 against Toughness 10
    assert markers(battle) == []


@BOTH_PLAYERS
@pytest.mark.rule("wap.lore.heavens.comet-of-casandora")
def test_a_stored_battle_keeps_the_comet(player: int) -> None:
    place = sky(player)
    battle = place.battle()
    place.cast(battle, COMET, [5, 5], at=POINT)
    again = battle.clone()
    assert markers(again) == [1]
    while markers(again) == [1]:
        script(again, [1] * 80)
        again.apply(0 if again.legal()[0] else again.first_legal())
    assert markers(again) == [2]
