"""Spells that change characteristics, Leadership tests and fears."""

from __future__ import annotations

import pytest
from arming import man, rider
from enchanting import LEVEL, Rite, cast, dice_for, end_magic, until, wizard
from heroes import hero

from wh_env import Battle
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.breaking.break_tests import break_test
from wh_env.rulesets.wap.characters.stepping_out import step_out
from wh_env.rulesets.wap.codes import RALLIED, Phase
from wh_env.rulesets.wap.magic.in_play import end_spell, in_play
from wh_env.rulesets.wap.morale.leadership import leadership_test, leadership_value, psychology_test
from wh_env.rulesets.wap.rule_book import FEAR, TERROR
from wh_env.rulesets.wap.special.psychology import frightened_by
from wh_env.rulesets.wap.weapons.blows import is_slow
from wh_env.testing import choose, dice_left, kind, slots, told, words
from wh_env.testing.play import script
from wh_env.testing.wap import UnitHandle, fight, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
WOUNDS = "wap.combat.wound.roll"


def values(battle: Battle, unit: UnitHandle, names: str) -> list[int]:
    """Characteristics of a unit's rank and file."""
    line = battle.units.first_line[unit]
    return [getattr(battle.lines, name)[line] for name in names.split()]


# ---------------------------------------------------------------- characteristics


@OWNERS
@pytest.mark.rule("wap.lore.shadow.melkoths-mystifying-miasma")
@pytest.mark.parametrize(
    ("chosen", "after"), [("WS", [1, 2, 4, 5]), ("BS", [3, 1, 4, 5]), ("I", [3, 2, 2, 5]), ("M", [3, 2, 4, 3])]
)
def test_the_miasma_lowers_a_characteristic_of_the_casters_choice(owner: int, chosen: str, after: list[int]) -> None:
    """By a D3 (here a 2), to 1 at least."""
    rite = Rite("shadow", owner)
    foes = rite.enemy(square(ws=3, bs=2, i=4, m=5), models=5)
    battle = rite.battle()
    cast(battle, "Miasma", foes, 5, version=f"the version of 5+, {chosen}", then=[3])
    assert values(battle, foes, "ws bs i m") == after and not dice_left(battle)


@OWNERS
@pytest.mark.rule("wap.lore.shadow.melkoths-mystifying-miasma")
def test_the_stronger_miasma_lowers_all_four_by_one_die(owner: int) -> None:
    """WS 3, BS 2, I 4, M 5 and a D3 of 2: 1, 1, 2, 3, until the caster's next Magic phase."""
    rite = Rite("shadow", owner)
    foes = rite.enemy(square(ws=3, bs=2, i=4, m=5), models=5)
    battle = rite.battle()
    cast(battle, "Miasma", foes, 10, version="the version of 10+", then=[4])
    assert values(battle, foes, "ws bs i m") == [1, 1, 2, 3] and movement_of(battle, foes.row) == 3
    end_magic(battle)
    until(battle, lambda b: b.clock.turn[0] != owner)
    assert values(battle, foes, "ws bs i m") == [1, 1, 2, 3]
    until(battle, lambda b: b.clock.turn[0] == owner and b.clock.phase[0] == Phase.MAGIC)
    assert values(battle, foes, "ws bs i m") == [3, 2, 4, 5]


@pytest.mark.rule("wap.lore.shadow.melkoths-mystifying-miasma")
def test_a_characteristic_of_0_stays_0_and_all_choices_are_offered() -> None:
    rite = Rite("shadow")
    foes = rite.enemy(square(bs=0), models=5)
    battle = rite.battle()
    choose(battle, "own", 0)
    if kind(battle) == "cast-spell":
        battle.apply(next(action for action, told in words(battle).items() if "Miasma" in told))
    dice = dice_for(10)
    script(battle, [*dice, 5])
    choose(battle, "number", len(dice) - 1)
    assert [told.partition(", ")[2] for told in words(battle).values()] == ["WS", "BS", "I", "M", ""]
    choose(battle, "option", 1)
    choose(battle, "done")
    assert values(battle, foes, "ws bs i m") == [3, 0, 3, 4]


@OWNERS
@pytest.mark.rule("wap.lore.shadow.enfeebling-foe")
@pytest.mark.parametrize(("die", "strength"), [(1, 2), (6, 1)])
def test_foes_are_enfeebled_as_long_as_the_spell_lasts(owner: int, die: int, strength: int) -> None:
    """Strength 3 less a D3 of 1 or 3; 3 again as soon as the spell is dispelled."""
    rite = Rite("shadow", owner)
    foes = rite.enemy(None, (16, 20), models=5)
    battle = rite.battle()
    cast(battle, "Enfeebling Foe", foes, 10, then=[die])
    assert values(battle, foes, "s") == [strength]
    (row,) = in_play(battle)
    end_spell(battle, row, "wap.magic.rip.dispel")
    assert values(battle, foes, "s") == [3]


@OWNERS
@pytest.mark.rule("wap.lore.shadow.the-withering")
@pytest.mark.parametrize(("toughness", "die", "after", "needed"), [(4, 4, 2, 3), (2, 6, 1, 2)])
def test_foes_wither(owner: int, toughness: int, die: int, after: int, needed: int) -> None:
    """Toughness 4 less 2 is wounded by Strength 3 on 3+; Toughness 2 less 3 is 1."""
    rite = Rite("shadow", owner)
    foes = rite.enemy(man(t=toughness), (18, 22), models=5)
    own = rite.facing(foes, man(i=5), own=True, models=5)
    battle = rite.battle()
    cast(battle, "Withering", foes, 13, then=[die])
    assert values(battle, foes, "t") == [after]
    script(battle, [4, 1, 1, 1, 1, needed])
    battle.events.clear()
    fight(battle, own)
    first = told(battle, WOUNDS)[0]
    assert (first["unit"], first["needed"], first["result"]) == (own.row, needed, 1)


@OWNERS
@pytest.mark.rule("wap.lore.light.bironas-timewarp")
def test_time_is_warped(owner: int) -> None:
    """M 4, I 3, A 1: 8, 10, 2. A mount of M 8 has 10."""
    rite = Rite("light", owner)
    own = rite.own(None, models=5)
    riders = rite.own(rider(), (10, 20), models=5)
    battle = rite.battle()
    cast(battle, "Timewarp", own, 14)
    assert values(battle, own, "m i a") == [8, 10, 2] and movement_of(battle, own.row) == 8
    battle.spellbook.rows["tried"] = 0
    cast(battle, "Timewarp", riders, 14)
    assert movement_of(battle, riders.row) == 10


@pytest.mark.rule("wap.lore.light.bironas-timewarp", "wap.character.combined.move-modifier")
@pytest.mark.parametrize(("slow", "pace"), [(4, 8), (3, 6), (5, 8)])
def test_time_is_warped_for_a_unit_with_a_character(slow: int, pace: int) -> None:
    """Its Movement is that of its slowest model, doubled. When he has left, theirs alone is doubled."""
    rite = Rite("light")
    own = rite.own(None, models=5)
    joined = rite.own(hero(m=slow, i=3, a=2), None, models=1, inside=own, post=1)
    battle = rite.battle()
    cast(battle, "Timewarp", own, 14)
    assert movement_of(battle, own.row) == pace
    assert values(battle, joined, "i a") == [10, 3]
    step_out(battle, joined.row)
    assert movement_of(battle, own.row) == 8 and values(battle, joined, "m i a") == [slow, 3, 2]


@OWNERS
@pytest.mark.rule("wap.lore.heavens.iceshard-blizzard", "wap.special.ice-attacks.ranged")
def test_ice_numbs(owner: int) -> None:
    """WS 3 and Ld 7 become 2 and 6, BS 3 becomes 2; they strike last until the caster's next turn."""
    rite = Rite("heavens", owner)
    foes = rite.enemy(man(), (18, 22), models=5)
    joined = rite.enemy(hero(), None, models=1, inside=foes, post=1)
    battle = rite.battle()
    cast(battle, "Iceshard", foes, 5)
    assert values(battle, foes, "ws bs ld") == [2, 2, 6]
    assert all(is_slow(battle, battle.units.first_line[unit]) for unit in (foes, joined))
    end_magic(battle)
    until(battle, lambda b: b.clock.turn[0] != owner)
    assert is_slow(battle, battle.units.first_line[foes]) and values(battle, foes, "ws bs ld") == [2, 2, 6]
    until(battle, lambda b: b.clock.turn[0] == owner)
    assert not is_slow(battle, battle.units.first_line[foes])


@OWNERS
@pytest.mark.rule("wap.lore.heavens.iceshard-blizzard", "wap.special.ice-attacks.ranged")
@pytest.mark.parametrize("numb", [False, True])
def test_the_numb_strike_last(owner: int, numb: bool) -> None:
    """Initiative 9 strikes before Initiative 1, but for the ice: then two of the five fall before they strike."""
    rite = Rite("heavens", owner)
    foes = rite.enemy(man(i=9, ws=3), (18, 22), models=5)
    own = rite.facing(foes, man(i=1), own=True, models=5)
    battle = rite.battle()
    if numb:
        cast(battle, "Iceshard", foes, 5)
    blows = [4, 4, 1, 1, 1, 4, 4] if numb else [1, 1, 1, 1, 1, 4, 4, 1, 1, 1, 4, 4]
    script(battle, [*blows, 1, 1, 1, 1, 1])
    battle.events.clear()
    fight(battle, own)
    struck = [(event["unit"], event["amount"]) for event in told(battle, "wap.combat.hit.roll")]
    assert struck == ([(own.row, 5), (foes.row, 3)] if numb else [(foes.row, 5), (own.row, 5)])


# ---------------------------------------------------------------- Leadership


@OWNERS
@pytest.mark.rule("wap.lore.death.doom-and-darkness", "wap.general.modifiers")
@pytest.mark.parametrize("lent", [False, True])
def test_doom_weighs_on_whichever_leadership_the_unit_uses(owner: int, lent: bool) -> None:
    """Leadership 7: a 5 is too much, it needs 4; a General's 9 becomes 6. After the spell it needs 7, or 9."""
    rite = Rite("death", owner)
    foes = rite.enemy(square(ld=7), models=5)
    if lent:
        rite.enemy(hero(ld=9), (24, 32), models=1, files=1, leads=["general"])
    battle = rite.battle()
    best = 9 if lent else 7
    assert leadership_value(battle, foes.row) == best
    cast(battle, "Doom and Darkness", foes, 10)
    assert leadership_value(battle, foes.row) == best - 3
    script(battle, [best - 5, 3])
    assert not psychology_test(battle, foes.row, "wap.panic.test")
    script(battle, [best - 6, 3])
    assert psychology_test(battle, foes.row, "wap.panic.test")
    (row,) = in_play(battle)
    end_spell(battle, row, "wap.magic.rip.dispel")
    assert leadership_value(battle, foes.row) == best
    script(battle, [best - 3, 3])
    assert psychology_test(battle, foes.row, "wap.panic.test")


@pytest.mark.rule("wap.lore.death.doom-and-darkness", "wap.magic.type.cumulative")
def test_doom_leaves_a_leadership_of_1() -> None:
    rite = Rite("death")
    foes = rite.enemy(square(ld=3), models=5)
    battle = rite.battle()
    cast(battle, "Doom and Darkness", foes, 10)
    assert values(battle, foes, "ld") == [1] and leadership_value(battle, foes.row) == 1


@pytest.mark.rule("wap.lore.death.doom-and-darkness")
def test_doom_on_the_generals_own_unit_counts_once() -> None:
    """He is under the spell himself: units near him use his 6, not 3."""
    rite = Rite("death")
    guard = rite.enemy(square(ld=5), (18, 30), models=5)
    rite.enemy(hero(ld=9), None, models=1, inside=guard, post=1, leads=["general"])
    other = rite.enemy(square(ld=4), (30, 30), models=5)
    battle = rite.battle()
    cast(battle, "Doom and Darkness", guard, 10)
    assert [leadership_value(battle, unit.row) for unit in (guard, other)] == [6, 6]


@OWNERS
@pytest.mark.rule("wap.lore.light.light-of-battle", "wap.compulsory.rally.reform")
def test_the_fleeing_rally_in_the_light(owner: int) -> None:
    """A fleeing unit at ten inches rallies at once and reforms; a unit beyond twelve inches is not reached with 9."""
    rite = Rite("light", owner)
    own = rite.own(None, (18, 14), models=10, fleeing=1)
    battle = rite.battle()
    cast(battle, "Light of Battle", own, 9)
    assert not battle.units.fleeing[own] and battle.units.did[own] & RALLIED
    assert told(battle, "wap.compulsory.rally.reform") and kind(battle) == "reform-files"
    until(battle, lambda b: kind(b) == "cast-by")
    assert battle.clock.phase[0] == Phase.MAGIC and dice_left(battle) == 0


@OWNERS
@pytest.mark.rule("wap.lore.light.light-of-battle")
@pytest.mark.parametrize("lit", [True, False])
def test_the_lit_pass_all_leadership_tests(owner: int, lit: bool) -> None:
    """Whatever the modifiers: a combat lost by 6, a test on 0 or less, no dice. Until the next Magic phase."""
    rite = Rite("light", owner)
    own = rite.own(square(ld=5), (12, 14), models=5)
    rite.enemy(None, (40, 44), models=5)
    battle = rite.battle()
    if lit:
        cast(battle, "Light of Battle", own, 9)
    battle.units.penalty[own] = 6
    script(battle, [6, 6])
    assert break_test(battle, own.row) is lit
    assert dice_left(battle) == 2  # at -1 nobody rolls
    assert leadership_test(battle, own.row, "wap.panic.test") is lit
    if lit:
        battle.units.rows["answered"] = battle.units.rows["penalty"] = 0
        end_magic(battle)
        until(battle, lambda b: b.clock.turn[0] != owner)
        assert leadership_test(battle, own.row, "wap.panic.test")
        until(battle, lambda b: b.clock.turn[0] == owner and b.clock.phase[0] == Phase.MAGIC)
        script(battle, [6, 6])
        assert not leadership_test(battle, own.row, "wap.panic.test")


@pytest.mark.rule("wap.lore.light.light-of-battle")
@pytest.mark.parametrize(("total", "passes"), [(9, False), (13, True)])
def test_the_light_reaches_farther_if_boosted(total: int, passes: bool) -> None:
    rite = Rite("light")
    own = rite.own(None, (26, 12), models=5)
    battle = rite.battle()
    cast(battle, "Light of Battle", own, total, version="13+")
    script(battle, [6, 6])
    assert leadership_test(battle, own.row, "wap.panic.test") is passes


# ---------------------------------------------------------------- Fear


@OWNERS
@pytest.mark.rule("wap.lore.death.aspect-of-the-dreadknight")
@pytest.mark.parametrize(
    ("rules", "total", "fear", "terror"),
    [((), 5, True, False), (("Fear",), 5, True, True), ((), 9, True, True), (("Fear",), 9, True, True)],
)
def test_death_walks(owner: int, rules: tuple[str, ...], total: int, fear: bool, terror: bool) -> None:
    """Fear; Terror for those that cause Fear already, or with 8+."""
    rite = Rite("death", owner)
    own = rite.own(square(rules=list(rules)), (18, 20), models=5)
    foes = rite.enemy(None, (18, 30), models=5)
    battle = rite.battle()
    cast(battle, "Dreadknight", own, total, version="8+")
    assert (has(battle, own.row, FEAR), has(battle, own.row, TERROR)) == (fear, terror)
    assert frightened_by(battle, foes.row, own.row)
    end_magic(battle)
    until(battle, lambda b: b.clock.turn[0] != owner)
    assert has(battle, own.row, TERROR) is terror
    until(battle, lambda b: b.clock.turn[0] == owner and b.clock.phase[0] == Phase.MAGIC)
    assert has(battle, own.row, FEAR) is bool(rules) and not has(battle, own.row, TERROR)


@OWNERS
@pytest.mark.rule("wap.lore.death.aspect-of-the-dreadknight", "wap.character.special-rules.not-shared")
@pytest.mark.parametrize(("unit", "lord", "terror"), [((), ("Fear",), False), (("Fear",), (), True)])
def test_the_fear_of_most_models_is_that_of_the_unit(
    owner: int, unit: tuple[str, ...], lord: tuple[str, ...], terror: bool
) -> None:
    """Men led by a hero who causes Fear did not cause it themselves; skeletons led by a man did."""
    rite = Rite("death", owner)
    own = rite.own(square(rules=list(unit)), (18, 20), models=5)
    rite.own(hero(rules=list(lord)), None, models=1, inside=own)
    battle = rite.battle()
    cast(battle, "Dreadknight", own, 5)
    assert has(battle, own.row, FEAR) and has(battle, own.row, TERROR) is terror


@pytest.mark.rule("wap.lore.death.aspect-of-the-dreadknight", "wap.magic.same-spell")
def test_two_aspects_on_one_unit_are_one() -> None:
    """The Fear of the first casting does not make the second one give Terror."""
    rite = Rite("death")
    second = rite.own(wizard("death"), (8, 8), models=1, files=1)
    own = rite.own(None, (18, 20), models=5)
    battle = rite.battle(levels=2 * LEVEL)
    cast(battle, "Dreadknight", own, 5)
    cast(battle, "Dreadknight", own, 5, by=second)
    assert has(battle, own.row, FEAR) and not has(battle, own.row, TERROR)
    assert len([n for n in battle.effects.effect.tolist() if n >= 0]) == 1
    assert slots(battle, "own")
