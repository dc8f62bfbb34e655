"""Arcane items that act on an attempt to cast a spell, on its dice and on a miscast, and one that learns spells."""

from __future__ import annotations

import pytest
from arcana import Duel, decline, duel
from wizards import (
    TRIAL,
    cast,
    dispel,
    in_cast,
    knowing,
    known_names,
    let_be,
    named,
    offered_spells,
    pools,
    ring,
    row_of,
    wizard,
)

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.codes import KNOWN
from wh_env.rulesets.wap.magic.casting import Cast
from wh_env.rulesets.wap.magic.in_play import in_play
from wh_env.rulesets.wap.magic.spell_dice import chance_of
from wh_env.rulesets.wap.magic.spells import Kind
from wh_env.rulesets.wap.magic.wizards import rows_of, spell_at
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told, words
from wh_env.testing.wap import RegimentScene

PLAYERS = pytest.mark.parametrize("player", [0, 1])
JOINS = pytest.mark.parametrize("joins", [False, True])
CAST = "wap.magic.cast.value"


def sound(battle: Battle) -> bool:
    """Whether the battle may be stored and loaded again."""
    return list(Validator(battle.setup).faults(battle)) == []


def declares(player: int, item: str, spell: str = "Stroke", **fields: object) -> Duel:
    """A wizard with an item has named a spell and its target, and is asked about the item."""
    d = duel(player, [item], **fields)  # type: ignore[arg-type]
    cast(d.battle, d.mage, spell, d.target, 0)
    assert kind(d.battle) == "use-item" and sound(d.battle)
    assert d.battle.decision is not None and d.battle.decision.player == player
    return d


# ---------------------------------------------------------------- power scroll


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.power-scroll")
@pytest.mark.parametrize(
    ("dice", "free"),
    [
        ((3, 3, 5, 2), (4,)),
        ((3, 3, 5, 5), (4, 4)),
        ((1, 1, 4, 2), ()),
        ((6, 6, 3, 2), (3, 3)),  # a 6 each, and nothing more as a pair
        ((4, 4, 4, 4), (4, 2)),
        ((4, 4, 4, 2), (4,)),  # free dice make no further doubles
    ],
)
def test_the_power_scroll_counts_doubles(
    player: int, joins: bool, dice: tuple[int, ...], free: tuple[int, ...]
) -> None:
    d = declares(player, "Power Scroll", joins=joins)
    choose(d.battle, "option")
    assert kind(d.battle) == "spell-dice" and len(slots(d.battle, "number")) == 4
    script(d.battle, [*dice, *free])
    choose(d.battle, "number", 3)
    row = told(d.battle, CAST)[-1]
    assert row["rolls"] == (*dice, *free) and row["amount"] == sum(dice) + sum(free) + 1
    if dice.count(1) == 2:
        script(d.battle, [1, 1, 2])
        let_be(d.battle)
        assert told(d.battle, "wap.magic.miscast.r6")[0]["die"] == 2


@PLAYERS
@pytest.mark.rule("wap.item.arcane.power-scroll")
def test_the_power_scroll_acts_on_one_attempt_of_its_bearer(player: int) -> None:
    """If it is kept, doubles count nothing; it is offered at the next attempt, and never again once it is used."""
    d = declares(player, "Power Scroll")
    choose(d.battle, "done")
    script(d.battle, [3, 3, 6, 6])
    choose(d.battle, "number", 1)
    assert told(d.battle, CAST)[-1]["rolls"] == (3, 3)
    let_be(d.battle)
    cast(d.battle, d.mage, "Curse", d.target, 0)
    assert kind(d.battle) == "use-item"
    choose(d.battle, "option")
    script(d.battle, [2, 2, 1])
    choose(d.battle, "number", 1)  # 2, 2 and 1: not cast
    assert told(d.battle, CAST)[-1]["rolls"] == (2, 2, 1) and not d.battle.items.charge[0]
    cast(d.battle, d.mage, "Spark", d.target, 0)
    assert kind(d.battle) == "spell-dice"
    script(d.battle, [3, 3])
    choose(d.battle, "number", 1)
    assert told(d.battle, CAST)[-1]["rolls"] == (3, 3)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.power-scroll", "wap.item.arcane.power-stone")
def test_items_of_attempts_are_their_bearers_own(player: int) -> None:
    for item in ("Power Scroll", "Power Stone"):
        scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
        mage = scene.unit(player, wizard(2), (36, 36), models=1)
        scene.unit(player, wizard(2), (46, 36), models=1, items=[item])
        foe = scene.unit(1 - player, None, (36, 36 + sign * 12), models=20, files=10)
        battle = scene.battle("magic", player=player, dice=(6, 6, 1, 1, 1, 1), set_state=knowing({mage: "Stroke"}))
        cast(battle, mage, "Stroke", foe, 0)
        assert kind(battle) == "spell-dice"


# ---------------------------------------------------------------- power stone


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.power-stone")
@pytest.mark.parametrize(("die", "given", "most"), [(4, 2, 2), (1, 1, 3), (6, 3, 1)])
def test_the_power_stone_gives_dice_within_the_limit(player: int, joins: bool, die: int, given: int, most: int) -> None:
    """A wizard of level 2, with 4 dice at most; one at least is of the pool."""
    d = declares(player, "Power Stone", joins=joins)
    script(d.battle, [die, *([2, 3, 3, 3] if most == 1 else [])])
    choose(d.battle, "option")
    if most > 1:  # else it is not asked
        assert kind(d.battle) == "spell-dice" and slots(d.battle, "number") == list(range(most)) and sound(d.battle)
        assert f"{chance_of(given + 1, 5):.0%}" in next(iter(words(d.battle).values()))
        script(d.battle, [2, *[3] * given])
        choose(d.battle, "number", 0)
    assert told(d.battle, CAST)[-1]["rolls"] == (2, *[3] * given) and pools(d.battle)[player] == 11
    assert in_cast(d.battle, Cast.ROLLED) == 1 + given


@PLAYERS
@pytest.mark.rule("wap.item.arcane.power-stone")
def test_the_power_stone_and_the_limit_of_low_levels_and_bound_spells(player: int) -> None:
    """Of three dice of a wizard of level 1 two are the stone's; of a bound spell's three with the free die one is."""
    d = declares(player, "Power Stone", level=1)
    script(d.battle, [6, 2, 2, 3])
    choose(d.battle, "option")
    assert told(d.battle, CAST)[-1]["rolls"] == (2, 2, 3) and pools(d.battle)[player] == 11
    bound = duel(player, ["Power Stone"], mage={"bound": ring("Curse", 5)}, spells="")
    cast(bound.battle, bound.mage, "Curse", bound.target, 0, bound=True, free=True)
    assert kind(bound.battle) == "use-item"
    script(bound.battle, [6])
    choose(bound.battle, "option")
    assert bound.battle.items.charge[0] == 1


@PLAYERS
@pytest.mark.rule("wap.item.arcane.power-stone")
def test_dice_of_the_stone_can_miscast(player: int) -> None:
    d = declares(player, "Power Stone")
    script(d.battle, [4])
    choose(d.battle, "option")
    script(d.battle, [5, 1, 1])
    choose(d.battle, "number", 0)
    script(d.battle, [1, 1, 3])
    let_be(d.battle)
    assert told(d.battle, "wap.magic.miscast.r6")


# ---------------------------------------------------------------- luck stone


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.luck-stone")
def test_the_luck_stone_cancels_a_miscast(player: int, joins: bool) -> None:
    """1, 1 and 5: one 1 becomes a 6, which gives a free die."""
    d = duel(player, ["Luck Stone"], joins=joins)
    script(d.battle, [1, 1, 5])
    cast(d.battle, d.mage, "Stroke", d.target, 3)
    assert kind(d.battle) == "luck-die" and sound(d.battle)
    assert list(words(d.battle).values()) == [
        "let all dice stand",
        "take the die that shows 1",
        "take the die that shows 5",
    ]
    choose(d.battle, "option", 0)
    assert next(iter(words(d.battle).values())) == "roll 1 again" and sound(d.battle)
    script(d.battle, [6, 4])
    choose(d.battle, "done")
    row = told(d.battle, CAST)[-1]
    assert sorted(row["rolls"]) == [1, 4, 5, 6] and row["amount"] == 16 + 1 and dice_left(d.battle) == 0
    assert in_cast(d.battle, Cast.ONES) == 1 and d.battle.items.used[0]
    let_be(d.battle)
    assert kind(d.battle) == "cast-by"
    script(d.battle, [3, 3])
    cast(d.battle, d.mage, "Spark", d.target, 2)
    assert kind(d.battle) == "dispel-by"


@PLAYERS
@pytest.mark.rule("wap.item.arcane.luck-stone")
def test_dice_may_all_stand_and_the_stone_is_kept(player: int) -> None:
    d = duel(player, ["Luck Stone"])
    script(d.battle, [3, 3])
    cast(d.battle, d.mage, "Spark", d.target, 2)
    choose(d.battle, "done")
    assert told(d.battle, CAST)[-1]["rolls"] == (3, 3) and not d.battle.items.used[0]


@PLAYERS
@pytest.mark.rule("wap.item.arcane.luck-stone")
def test_a_six_that_is_rolled_again_loses_its_free_die(player: int) -> None:
    """6, 6 and 2 with free dice of 4 and 1: one 6 and the 2 become 3 and 1; the free 1 goes with the 6. A free die that
    is rolled again as a 6 brings nothing."""
    d = duel(player, ["Luck Stone"])
    script(d.battle, [6, 6, 2, 4, 1])
    cast(d.battle, d.mage, "Stroke", d.target, 3)
    assert slots(d.battle, "option") == [1, 5, 6, 9]
    choose(d.battle, "option", 1)
    choose(d.battle, "option", 5)
    script(d.battle, [1, 3])
    choose(d.battle, "done")
    assert sorted(told(d.battle, CAST)[-1]["rolls"]) == [1, 3, 4, 6] and dice_left(d.battle) == 0
    free = duel(player, ["Luck Stone"])
    script(free.battle, [6, 3, 1])
    cast(free.battle, free.mage, "Stroke", free.target, 2)
    choose(free.battle, "option", 6)
    script(free.battle, [6])
    choose(free.battle, "done")
    assert sorted(told(free.battle, CAST)[-1]["rolls"]) == [3, 6, 6]


@PLAYERS
@pytest.mark.rule("wap.item.arcane.luck-stone")
def test_the_luck_stone_may_cause_a_miscast(player: int) -> None:
    d = duel(player, ["Luck Stone"])
    script(d.battle, [1, 2, 2])
    cast(d.battle, d.mage, "Spark", d.target, 3)
    choose(d.battle, "option", 1)
    script(d.battle, [1, 3])
    choose(d.battle, "done")
    assert told(d.battle, CAST)[-1]["amount"] == 5 and kind(d.battle) == "dispel-by"
    script(d.battle, [1, 1, 3])
    let_be(d.battle)
    assert told(d.battle, "wap.magic.miscast.r6")


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.luck-stone")
def test_the_luck_stone_rolls_dice_to_dispel_again(player: int, joins: bool) -> None:
    """10 is needed: 2 and 3 and half a level, then 6 and a free 3."""
    d = duel(player, (), ["Luck Stone"], joins=joins)
    script(d.battle, [5, 4])
    cast(d.battle, d.mage, "Stroke", d.target, 2)
    army = d.battle.clone()
    script(d.battle, [2, 3])
    dispel(d.battle, d.rival, 2)
    assert kind(d.battle) == "luck-die" and sound(d.battle)
    choose(d.battle, "option", 1)
    script(d.battle, [6, 3])
    choose(d.battle, "done")
    assert told(d.battle, "wap.magic.dispel.value")[-1]["amount"] == 13 and d.battle.units.alive[d.target] == 20
    script(army, [2, 3, 1, 1])
    dispel(army, None, 2)
    assert kind(army) == "cast-by" and not army.items.used[0]


@PLAYERS
@pytest.mark.rule("wap.item.arcane.luck-stone")
@pytest.mark.parametrize(("rolls", "again"), [((2, 3), True), ((2, 6, 4), False), ((3, 3), False)])
def test_policies_roll_poor_dice_of_a_failed_attempt_to_dispel_again(
    player: int, rolls: tuple[int, ...], again: bool
) -> None:
    """10 is needed, and half a level is added: 2 and 3 fail; 2, 6 and a free 4 dispel; 3 and 3 fail without a poor
    die.
    """
    d = duel(player, (), ["Luck Stone"])
    script(d.battle, [5, 4])
    cast(d.battle, d.mage, "Stroke", d.target, 2)
    script(d.battle, rolls)
    dispel(d.battle, d.rival, 2)
    asked = d.battle.setup.ruleset.kind_by_name["luck-die"]
    action = asked.delegate(d.battle, d.battle.frame, memoryview(d.battle.legal()))
    assert words(d.battle)[action] == ("take the die that shows 2" if again else "let all dice stand")


# ---------------------------------------------------------------- earthing rod


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.earthing-rod")
@pytest.mark.parametrize("uses", [True, False])
def test_the_earthing_rod_rolls_a_miscast_again(player: int, joins: bool, uses: bool) -> None:
    """Four dice and a 6 are 10; the second roll of 1 makes 5, and stands."""
    d = duel(player, ["Earthing Rod"], joins=joins, mage={"w": 3, "t": 3})
    script(d.battle, [1, 1, 5, 4, 6])
    cast(d.battle, d.mage, "Spark", d.target, 4)
    script(d.battle, [1, 1, 6])
    let_be(d.battle)
    assert kind(d.battle) == "earth-miscast" and sound(d.battle)
    assert list(words(d.battle).values()) == ["let the miscast of 10 stand", "roll again with Earthing Rod"]
    script(d.battle, [1, 1])
    choose(d.battle, *(("option", 0) if uses else ("done",)))
    assert (
        bool(told(d.battle, "wap.magic.miscast.r5")) == uses and bool(told(d.battle, "wap.magic.miscast.r10")) != uses
    )
    assert d.battle.wizards.level[d.mage] == (2 if uses else 1) and d.battle.items.used[0] == uses


@PLAYERS
@pytest.mark.rule("wap.item.arcane.earthing-rod")
def test_a_used_earthing_rod_is_not_offered_again(player: int) -> None:
    d = duel(player, ["Earthing Rod"])
    d.battle.items.used[0] = 1
    script(d.battle, [1, 1, 5, 1])
    cast(d.battle, d.mage, "Spark", d.target, 3)
    script(d.battle, [1, 1, 1])
    let_be(d.battle)
    assert kind(d.battle) != "earth-miscast"


@PLAYERS
@pytest.mark.rule("wap.item.arcane.earthing-rod")
def test_a_second_result_may_let_the_enemy_cast(player: int) -> None:
    d = duel(player, ["Earthing Rod"])
    script(d.battle, [1, 1])
    cast(d.battle, d.mage, "Spark", d.target, 2)
    script(d.battle, [2])
    if kind(d.battle) == "dispel-by":
        let_be(d.battle)
    assert kind(d.battle) != "earth-miscast" or sound(d.battle)
    decline(d.battle, "earth-miscast", "cast-at-once")


# ---------------------------------------------------------------- gem of tarante


GEM = "wap.item.arcane.gem-of-tarante"


def mighty(player: int, spell: str = "Stroke", *, level: int = 2, by_army: bool = False, bound: bool = False) -> Duel:
    """A wizard of the trial lore casts a spell, which the side of a wizard of fire with the gem dispels."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    card = wizard(4, TRIAL, **({"bound": ring(spell, 5)} if bound else {}))
    mage = scene.unit(player, card, (36, 36), models=1)
    target = scene.unit(1 - player, None, (36, 36 + sign * 9), models=20, files=10)
    rival = scene.unit(1 - player, wizard(level, "fire"), (36, 36 + sign * 14), models=1, items=["Gem of Tarante"])
    battle = scene.battle(
        "magic", player=player, dice=(6, 6, *[1] * (4 + level)), detail="full",
        set_state=knowing({mage: "" if bound else "Stroke,Rot,Gale"}),
    )  # fmt: skip
    script(battle, [4, 4, 2])
    cast(battle, mage, spell, target, 3, bound=bound)
    if kind(battle) == "spell-version":
        choose(battle, "option", 0)
    script(battle, [6, 6, 6, 6, 6, 6])
    dispel(battle, None if by_army else rival, 3)
    return Duel(battle, mage, target, rival, target)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.gem-of-tarante")
@pytest.mark.parametrize("by_army", [False, True])
def test_the_gem_teaches_a_dispelled_spell_of_another_lore(player: int, by_army: bool) -> None:
    d = mighty(player, by_army=by_army)
    assert kind(d.battle) == "use-item" and sound(d.battle)
    assert d.battle.decision is not None and d.battle.decision.player == 1 - player
    keeps = d.battle.clone()
    assert "Stroke" not in known_names(d.battle, d.rival)
    choose(d.battle, "option")
    assert "Stroke" in known_names(d.battle, d.rival) and sound(d.battle)
    assert told(d.battle, GEM)[-1] == {"unit": d.rival.row, "name": "Stroke"}
    choose(keeps, "done")
    assert "Stroke" not in known_names(keeps, d.rival) and not keeps.items.used[0]
    while (d.battle.clock.turn[0], kind(d.battle)) != (1 - player, "cast-by"):
        d.battle.apply(0 if d.battle.legal()[0] else d.battle.first_legal())
    assert "Stroke" in offered_spells(d.battle, d.rival)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.gem-of-tarante")
@pytest.mark.parametrize(
    ("spell", "level", "bound", "learns"),
    [("Gale", 2, False, False), ("Rot", 2, False, False), ("Rot", 3, False, True), ("Stroke", 2, True, False)],
)
def test_the_gem_keeps_to_the_level_and_learns_no_bound_spell(
    player: int, spell: str, level: int, bound: bool, learns: bool
) -> None:
    d = mighty(player, spell, level=level, bound=bound)
    assert (kind(d.battle) == "use-item") == learns


@PLAYERS
@pytest.mark.rule("wap.item.arcane.gem-of-tarante")
def test_a_gem_is_offered_when_its_own_side_dispels(player: int) -> None:
    """In the enemy's phase a spell of his is dispelled and the gem kept. Later in the phase the enemy dispels a spell
    of the gem's owner: that is no occasion."""
    d = duel(player, ["Gem of Tarante"], spells="Curse", joins=True)
    battle = d.battle
    battle.spellbook.known[row_of(battle, d.rival, "Stroke")] = KNOWN
    script(battle, [5, 4])
    cast(battle, d.mage, "Curse", d.target, 2)
    let_be(battle)
    while (battle.clock.turn[0], kind(battle)) != (1 - player, "cast-by"):
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    battle.pools.dice[0] = battle.pools.dice[1] = 9
    script(battle, [5, 4, 6, 6, 1, 1])
    cast(battle, d.rival, "Stroke", d.guard, 2)
    dispel(battle, d.mage, 2)
    assert kind(battle) == "use-item" and "Gem of Tarante" in next(iter(words(battle).values()))
    choose(battle, "done")
    script(battle, [6, 6, 1, 1])
    pick(battle, "dispel Curse")
    dispel(battle, None, 2)
    assert kind(battle) != "use-item" and not in_play(battle) and not battle.items.used[0]


@PLAYERS
@pytest.mark.rule("wap.item.arcane.gem-of-tarante")
def test_spells_that_a_gem_may_teach_are_not_selected(player: int) -> None:
    scene = RegimentScene()
    mage = scene.unit(player, wizard(2, "fire"), models=1, items=["Gem of Tarante"])
    scene.unit(1 - player, wizard(2, TRIAL), models=1)
    battle = scene.battle("deployment", detail="full")
    if battle.decision is not None and battle.decision.player == player and kind(battle) == "learn-spell":
        assert "Stroke" not in words(battle).values()
    assert "Stroke" not in known_names(battle, mage)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.gem-of-tarante", "wap.item.arcane.power-familiar")
def test_the_gem_learns_what_is_dispelled_in_play_with_a_familiar_s_die(player: int) -> None:
    """Curse of 7 in play, against 6, a free 2 and half a level; the pool is empty, so the army cannot try it."""
    d = duel(player, (), ["Gem of Tarante", "Power Familiar"])
    script(d.battle, [5, 4])
    cast(d.battle, d.mage, "Curse", d.target, 2)
    let_be(d.battle)
    while (d.battle.clock.turn[0], kind(d.battle)) != (1 - player, "cast-by"):
        d.battle.apply(0 if d.battle.legal()[0] else d.battle.first_legal())
    d.battle.pools.dice[1 - player] = 0
    script(d.battle, [6, 2])
    pick(d.battle, "dispel Curse")
    assert told(d.battle, "wap.magic.dispel.value")[-1]["unit"] == d.rival.row
    assert kind(d.battle) == "use-item" and sound(d.battle) and d.battle.wizards.own_dice[d.rival] == 0
    choose(d.battle, "option")
    assert "Curse" in known_names(d.battle, d.rival) and sound(d.battle)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.gem-of-tarante")
def test_a_gem_among_enemies_of_many_lores_leaves_a_slot_for_each_spell(player: int) -> None:
    """The owner may come to know more spells than there are slots; he knows three, the last of them by the gem."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    mage = scene.unit(player, wizard(4, "fire"), (36, 36), models=1, items=["Gem of Tarante"])
    target = scene.unit(1 - player, None, (36, 36 + sign * 9), models=20, files=10)
    for x, lore in enumerate(("metal", "death", "shadow", "heavens", "beasts")):
        scene.unit(1 - player, wizard(4, lore), (4 + 4 * x, 36 + sign * 30), models=1)

    def learns(battle: Battle) -> None:
        rows = rows_of(battle, mage.row)
        assert len(rows) > battle.setup.space.numbers
        missiles = (row for row in reversed(rows) if spell_at(battle, row).kind is Kind.MISSILE)
        battle.spellbook.known[next(missiles)] = battle.spellbook.known[rows[1]] = KNOWN

    battle = scene.battle("magic", player=player, dice=(6, 6, *[1] * 24), detail="full", set_state=learns)
    names = known_names(battle, mage)
    assert set(offered_spells(battle, mage)) <= set(names) and names[-1] in offered_spells(battle, mage)
    copy = named(battle, mage)
    assert set(slots(copy, "number")) <= set(range(len(names))) and not slots(copy, "model")
    cast(battle, mage, names[-1], target, 0)
    assert in_cast(battle, Cast.ROW) > 33 and spell_at(battle, in_cast(battle, Cast.ROW) - 1).name == names[-1]
