"""Odds of spells and what saves and dispels them: Magic Resistance, Banishment, bolts, and what helps only against
shooting.
"""

from __future__ import annotations

import pytest
from arcana import duel
from lore_hits import PLAYERS, Field, wizard

from wh_env import Battle
from wh_env.content.wap.spell_odds import spell_odds
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.magic.spells import Casting, Spell
from wh_env.rulesets.wap.magic.wizards import rows_of, spell_at
from wh_env.rulesets.wap.view.appraise_magic import best_bonus, resisting
from wh_env.rulesets.wap.view.odds_magic import wounds_on_average
from wh_env.testing.wap import UnitHandle, square

TIMES = 1500  # castings played for an average


def castings(battle: Battle, mage: UnitHandle, target: UnitHandle, name: str) -> Casting:
    """The casting of a spell in its base version."""
    row = next(row for row in rows_of(battle, mage.row) if spell_at(battle, row).name == name)
    spell: Spell = spell_at(battle, row)
    return Casting(mage.player, mage.row, row, spell, 0, target.row, spell.value)


def played(battle: Battle, casting: Casting) -> float:
    """The Wounds that a spell costs its target on average, as it is played."""
    before, total, copy = wounds_of(battle, casting.target), 0, battle.clone()
    for seed in range(TIMES):
        copy.copy_from(battle)
        copy._seed(seed)
        for deed in casting.spell.versions[0].deeds:
            deed.act(copy, casting, casting.target)
        total += before - wounds_of(copy, casting.target)
    return total / TIMES


RESISTS, FLIES_UNDER = {"rules": ["Magic Resistance (3)"]}, {"banner": "Standard of Shielding", "command": ["standard"]}
HARD = {"rules": ["Regeneration (4+)"], "equipment": ["heavy armour"]}


@PLAYERS
@pytest.mark.parametrize(
    ("lore", "number", "name", "card", "fields"),
    [
        ("beasts", 3, "The Amber Spear", {}, {}),
        ("beasts", 3, "The Amber Spear", RESISTS, {}),
        ("light", 5, "Banishment", RESISTS, {}),
        ("fire", 4, "Piercing Bolts of Burning", RESISTS, {}),
        ("fire", 0, "Fireball", HARD, {}),
        ("life", 1, "Awakening of the Wood", {}, FLIES_UNDER),
        ("metal", 0, "Searing Doom", {"equipment": ["heavy armour"]}, {}),
        ("heavens", 4, "Urannon's Thunderbolt", {"equipment": ["heavy armour"]}, FLIES_UNDER),
    ],
)
@pytest.mark.rule("wap.special.magic-resistance.ward", "wap.lore.light.banishment", "wap.lore.beasts.amber-spear")
def test_the_odds_are_those_of_played_castings(
    player: int, lore: str, number: int, name: str, card: dict[str, object], fields: dict[str, object]
) -> None:
    field = Field(player, wizard(lore, number))
    target = field.enemy(square(**card), (24, 30), models=23, files=5, **fields)
    battle = field.battle()
    casting = castings(battle, field.caster, target, name)
    found = wounds_on_average(battle, casting, target.row)
    assert found > 0.3 and played(battle, casting) == pytest.approx(found, abs=0.12 + 0.03 * found)


@pytest.mark.parametrize(("spell", "card"), [("The Amber Spear", "shaman"), ("The Dwellers Below", "high wizard")])
def test_the_program_knows_spells_of_all_kinds(spell: str, card: str) -> None:
    """A bolt, and a test for each model."""
    odds = spell_odds(card, "halberdiers", spell, models=10, files=5)
    assert 0.5 < odds.wounds[0] < 10


@PLAYERS
@pytest.mark.rule("wap.special.magic-resistance.dispel")
def test_greedy_play_knows_how_magic_resistance_helps_to_dispel(player: int) -> None:
    """Level 2 adds 1, Magic Resistance 3; nothing helps the enemy against what is cast on the caster's own."""
    d = duel(player, foe=RESISTS)
    assert best_bonus(d.battle, 1 - player, [d.target.row]) == 4
    assert best_bonus(d.battle, 1 - player, [d.guard.row]) == best_bonus(d.battle, 1 - player, []) == 1
    spear = next(spell_at(d.battle, row) for row in rows_of(d.battle, d.mage.row) if spell_at(d.battle, row).range)
    assert resisting(d.battle, spear, d.target.row) == [d.target.row]
