"""Units that look out for a lone character when a spell hits him."""

from __future__ import annotations

import pytest
from heroes import hero
from lore_hits import ENOUGH, PLAYERS, Field, wizard
from wizards import TRIAL

from wh_env import Battle
from wh_env.rulesets.wap.magic.spells import Casting
from wh_env.rulesets.wap.magic.wizards import rows_of, spell_at
from wh_env.rulesets.wap.view.judge_magic import JUDGE
from wh_env.rulesets.wap.view.odds_magic import wounds_on_average
from wh_env.testing import choose, dice_left, kind, script, slots, told
from wh_env.testing.wap import UnitHandle, square


def lone(
    player: int, lore: str, number: int, *, soldiers: int = 5, detail: str = "full", apart: float = 2.0
) -> tuple[Field, Battle, UnitHandle, UnitHandle]:
    """A hero of 3 Wounds on his own, and soldiers as far from him as said; a wizard who knows a spell of a lore."""
    field = Field(player, wizard(lore, number))
    friends = field.enemy(square(ld=10), (24 + 3 + apart, 24), models=soldiers, files=5)
    lord = field.enemy(hero(w=3, ld=10), (24, 24), models=1)
    return field, field.battle(detail=detail), lord, friends


def wounded(battle: Battle) -> list[tuple[int, int]]:
    """(unit, hits) for each unit that hits were rolled to wound against."""
    return [(event["target"], event["amount"]) for event in told(battle, "wap.shoot.wound.roll")]


@pytest.mark.rule("wap.character.lone.look-out-sir", "wap.shoot.what-is")
@PLAYERS
def test_a_missile_is_shooting_so_friends_look_out_hit_by_hit(player: int) -> None:
    """4 hits: with 3 the first is his, with 4 the second falls on a soldier, the third he takes himself."""
    field, battle, lord, friends = lone(player, "fire", 0)
    field.cast(battle, "Fireball", lord, [4], roll=ENOUGH[:1])
    assert battle.decision is not None
    assert kind(battle) == "take-hit" and battle.decision.player == 1 - player
    assert slots(battle, "own") == [friends.number] and battle.legal()[0]
    script(battle, [3, 4])
    choose(battle, "own", friends.number)
    choose(battle, "own", friends.number)
    choose(battle, "done")
    script(battle, [6, *(1, 1, 1), 2])
    choose(battle, "own", friends.number)
    assert wounded(battle) == [(lord.row, 2), (friends.row, 2)] and dice_left(battle) == 0
    assert [event["result"] for event in told(battle, "wap.character.lone.look-out-sir")] == [0, 1, 1]
    assert [event["amount"] for event in told(battle, "wap.lore.fire.fireball")] == [4]


@pytest.mark.rule("wap.character.lone.look-out-sir")
@PLAYERS
@pytest.mark.parametrize(("soldiers", "apart"), [(4, 2.0), (5, 3.5)])
def test_few_or_distant_friends_do_not_look_out(player: int, soldiers: int, apart: float) -> None:
    field, battle, lord, _ = lone(player, "fire", 0, soldiers=soldiers, apart=apart)
    field.cast(battle, "Fireball", lord, [2, 1, 1], roll=ENOUGH[:1])
    assert wounded(battle) == [(lord.row, 2)] and dice_left(battle) == 0


@pytest.mark.rule("wap.shoot.what-is")
@PLAYERS
def test_nobody_looks_out_for_direct_damage(player: int) -> None:
    """It is no shooting."""
    field, battle, lord, _ = lone(player, TRIAL, 1)
    field.cast(battle, "Stroke", lord, [1, 1], roll=ENOUGH[:2])
    assert kind(battle) != "take-hit" and not told(battle, "wap.character.lone.look-out-sir")
    assert [row for row, _ in wounded(battle)] == [lord.row]


@pytest.mark.rule("wap.character.lone.look-out-sir")
@PLAYERS
def test_without_the_player_the_nearest_unit_looks_out_for_each_hit(player: int) -> None:
    field, battle, lord, friends = lone(player, "fire", 0, detail="squad")
    field.cast(battle, "Fireball", lord, [3, 4, 3, 5, 1, 1, 1], roll=ENOUGH[:1])
    assert wounded(battle) == [(lord.row, 1), (friends.row, 2)] and dice_left(battle) == 0


@pytest.mark.rule("wap.character.lone.look-out-sir")
@PLAYERS
def test_a_single_strong_hit_falls_on_one_soldier(player: int) -> None:
    """The Amber Spear of D3 Wounds strikes the soldier who looks out, and goes no further."""
    field, battle, lord, friends = lone(player, "beasts", 3)
    field.cast(battle, "The Amber Spear", lord)
    assert kind(battle) == "take-hit"
    script(battle, [4, 5])
    choose(battle, "own", friends.number)
    if kind(battle) == "loss-end":
        battle.apply(battle.first_legal())
    assert wounded(battle) == [(friends.row, 1)] and battle.units.alive[friends] == 4
    assert battle.models.wounds[lord.model()] == 3


@pytest.mark.rule("wap.character.lone.look-out-sir")
@PLAYERS
def test_a_stored_battle_goes_on_with_the_hits_that_are_left(player: int) -> None:
    field, battle, lord, friends = lone(player, "fire", 0)
    field.cast(battle, "Fireball", lord, [2], roll=ENOUGH[:1])
    choose(battle, "done")
    copy = battle.clone()
    for b in (battle, copy):
        assert kind(b) == "take-hit"
        script(b, [4, 1, 1])
        choose(b, "own", friends.number)
    assert wounded(battle) == [(lord.row, 1), (friends.row, 1)]
    assert battle.to_bytes() == copy.to_bytes()


@pytest.mark.rule("wap.character.lone.look-out-sir")
@PLAYERS
@pytest.mark.parametrize(
    ("lore", "number", "name", "apart"),
    [("fire", 0, "Fireball", 2.0), ("fire", 0, "Fireball", 3.5), (TRIAL, 1, "Stroke", 2.0)],
)
def test_odds_of_spells_know_who_looks_out(player: int, lore: str, number: int, name: str, apart: float) -> None:
    """Of a missile's hits half cost the lone character, half a soldier of Toughness 4; of direct damage all cost him."""
    field = Field(player, wizard(lore, number))
    friends = field.enemy(square(t=4), (24 + 3 + apart, 24), models=10, files=5)
    lord = field.enemy(hero(w=9, t=3, points=90), (24, 24), models=1)
    battle = field.battle()
    row = next(row for row in rows_of(battle, field.caster.row) if spell_at(battle, row).name == name)
    casting = Casting(player, field.caster.row, row, spell_at(battle, row), 0, lord.row, 9)
    deed = casting.spell.versions[0].deeds[0]
    alone = deed.worth(JUDGE, battle, casting._replace(caster=-1), lord.row)  # of the ground: no shooting
    wounds, worth = wounds_on_average(battle, casting, lord.row), deed.worth(JUDGE, battle, casting, lord.row)
    if lore != "fire" or apart > 3.0:
        assert worth == pytest.approx(alone)
        return
    assert wounds == pytest.approx(3.5 * (0.5 * 2 / 3 + 0.5 / 2))  # D6 hits of Strength 4
    assert alone == pytest.approx(-3.5 * 2 / 3 * 10)
    assert worth == pytest.approx(-3.5 * (0.5 * 2 / 3 * 10 + 0.5 / 2 * 5)) and friends.player == lord.player
