"""Arcane items that help their bearers all the time, and those that are used at the start of a Magic phase."""

from __future__ import annotations

from typing import Any

import pytest
from arcana import duel
from wizards import (
    SPARE,
    TRIAL,
    cast,
    dispel,
    in_cast,
    knowing,
    known_names,
    let_be,
    offered_spells,
    pools,
    ring,
    row_of,
    wizard,
)

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.magic.casting import Cast
from wh_env.rulesets.wap.magic.dispelling import own_bonus
from wh_env.rulesets.wap.magic.in_play import reduce_level
from wh_env.rulesets.wap.magic.may_cast import bonus_for
from wh_env.rulesets.wap.view.ledger import Ledger
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told, words
from wh_env.testing.wap import RegimentScene, UnitHandle

PLAYERS = pytest.mark.parametrize("player", [0, 1])
JOINS = pytest.mark.parametrize("joins", [False, True])


def sound(battle: Battle) -> bool:
    """Whether the battle may be stored and loaded again."""
    return list(Validator(battle.setup).faults(battle)) == []


# ---------------------------------------------------------------- what they add


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.channelling-staff")
def test_the_channelling_staff_adds_to_each_die_that_channels(player: int, joins: bool) -> None:
    """4 and 3 bring a power die, 5 and 4 a dispel die."""
    for items, more in ((["Channelling Staff"], 1), ([], 0)):
        own = duel(player, items, channel=(4, 3, 1, 1), joins=joins)
        assert pools(own.battle)[player] == 12 + more and dice_left(own.battle) == 0
        other = duel(player, (), items, channel=(1, 1, 5, 4), joins=joins)
        assert pools(other.battle)[1 - player] == 6 + more
    assert [row["needed"] for row in told(duel(player, ["Channelling Staff"]).battle, CHANNEL)] == [4]


CHANNEL = "wap.magic.winds.channel-power"


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.sceptre-of-stability")
def test_the_sceptre_of_stability_adds_to_dispel_results(player: int, joins: bool) -> None:
    """5 and 3 of a wizard of level 2 are 10, and 9 without it."""
    for items, lost in ((["Sceptre of Stability"], 0), ([], 2)):
        d = duel(player, (), items, joins=joins)
        script(d.battle, [5, 4, 5, 3, 6, 6])
        cast(d.battle, d.mage, "Stroke", d.target, 2)
        assert in_cast(d.battle, Cast.RESULT) == 10
        dispel(d.battle, d.rival, 2)
        assert told(d.battle, "wap.magic.dispel.value")[-1]["amount"] == 10 - (not items)
        assert d.battle.units.alive[d.target] == 20 - lost


@PLAYERS
@pytest.mark.rule("wap.item.arcane.sceptre-of-stability")
def test_the_sceptre_counts_within_five_and_not_for_others(player: int) -> None:
    d = duel(player, (), ["Sceptre of Stability"], against=4, foe={"rules": ["Magic Resistance (3)"]})
    script(d.battle, [5, 4, 2, 1, 6, 6])
    cast(d.battle, d.mage, "Stroke", d.target, 2)
    dispel(d.battle, d.rival, 2)
    assert told(d.battle, "wap.magic.dispel.value")[-1]["amount"] == 3 + 5
    assert [own_bonus(d.battle, unit.row) for unit in (d.mage, d.rival)] == [1, 3]
    script(d.battle, [6, 4, 4, 6, 6])
    cast(d.battle, d.mage, "Spark", d.target, 1)
    dispel(d.battle, None, 1)
    assert told(d.battle, "wap.magic.dispel.value")[-1]["amount"] == 4 + 3


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.wand-of-jet")
def test_the_wand_of_jet_adds_to_casting_results(player: int, joins: bool) -> None:
    """5 and 4 and 1 of Gale's 10 need half a level and the wand; a natural 2 casts nothing at all."""
    for items, is_cast in ((["Wand of Jet"], True), ([], False)):
        d = duel(player, items, joins=joins)
        script(d.battle, [5, 3, 6])
        cast(d.battle, d.mage, "Gale", None, 2)
        assert told(d.battle, "wap.magic.cast.value")[-1]["amount"] == 8 + 1 + bool(items)
        assert (kind(d.battle) == "dispel-by") == is_cast
    d = duel(player, ["Wand of Jet"], level=4)
    script(d.battle, [2])
    cast(d.battle, d.mage, "Spark", d.target, 1)
    assert told(d.battle, "wap.magic.cast.value")[-1]["amount"] == 5 and kind(d.battle) != "dispel-by"
    assert d.battle.wizards.cannot_cast[d.mage]


@PLAYERS
@pytest.mark.rule("wap.item.arcane.wand-of-jet")
def test_the_wand_adds_nothing_to_bound_spells_nor_to_dispelling(player: int) -> None:
    d = duel(player, ["Wand of Jet"], mage={"bound": ring("Spark", 5)})
    assert bonus_for(d.battle, d.mage.row, row_of(d.battle, d.mage, "Spark", bound=True)) == 0
    assert bonus_for(d.battle, d.mage.row, row_of(d.battle, d.mage, "Spark")) == 2
    assert own_bonus(d.battle, d.mage.row) == 1


def adding(**aids: int) -> dict[str, Any]:
    """An arcane item that adds to the magic of its bearer."""
    ((name, number),) = aids.items()
    about = {"name": f"Wand of {number}", "rule": "wap.item.test", "family": "arcane", "points": 5}
    return {**about, "effects": [{name: number}]}


@PLAYERS
@JOINS
@pytest.mark.rule("wap.magic.cast.bonus-cap", "wap.magic.cast.not-enough")
@pytest.mark.parametrize(
    ("more", "dice", "result", "is_cast"),
    [((2, 3), (1, 3), 9, True), ((2,), (1, 3), 8, True), ((2, 3), (1, 1), 7, False), ((2, 3), (1, 2), 8, True)],
)
def test_all_casting_bonuses_are_five_at_most(
    player: int, joins: bool, more: tuple[int, ...], dice: tuple[int, int], result: int, is_cast: bool
) -> None:
    """Level 4 and items of 2 and 3: 1 and 3 make 9, not 11; with one item of 2 they make 8. 1 and 1 cast nothing,
    though Spark needs 5.
    """
    d = duel(player, [adding(casting=number) for number in more], level=4, joins=joins)
    script(d.battle, dice)
    cast(d.battle, d.mage, "Spark", d.target, 2)
    row = told(d.battle, "wap.magic.cast.value")[-1]
    assert (row["amount"], row["needed"]) == (result, 5) and (kind(d.battle) == "dispel-by") == is_cast
    if is_cast:
        assert in_cast(d.battle, Cast.RESULT) == result


@PLAYERS
@JOINS
@pytest.mark.rule("wap.magic.dispel.bonus")
def test_all_bonuses_to_dispel_are_five_at_most(player: int, joins: bool) -> None:
    """Level 4 and items of 2 and 3: 2 and 2 make 9 of 9; of 10 they do not."""
    for dice, lost in (((5, 3), 0), ((5, 4), 2)):
        d = duel(player, (), [adding(dispel=2), adding(dispel=3)], against=4, joins=joins)
        script(d.battle, [*dice, 2, 2, 6, 6])
        cast(d.battle, d.mage, "Stroke", d.target, 2)
        dispel(d.battle, d.rival, 2)
        assert told(d.battle, "wap.magic.dispel.value")[-1]["amount"] == 9
        assert d.battle.units.alive[d.target] == 20 - lost


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.wizards-staff")
def test_the_wizard_s_staff_allows_one_more_die(player: int, joins: bool) -> None:
    for items, most in ((["Wizard's Staff"], 5), ([], 4)):
        d = duel(player, items, joins=joins)
        cast(d.battle, d.mage, "Stroke", d.target, 0)
        assert kind(d.battle) == "spell-dice" and len(slots(d.battle, "number")) == most
        d.battle.pools.dice[player] = 3
        assert len(words(d.battle)) == most  # of the question that is asked already
    few = duel(player, ["Wizard's Staff"], winds=(1, 1))
    cast(few.battle, few.mage, "Stroke", few.target, 0)
    assert len(slots(few.battle, "number")) == 2


@PLAYERS
@pytest.mark.rule("wap.item.general.arcane-access")
def test_who_is_no_wizard_any_more_has_nothing_of_arcane_items(player: int) -> None:
    d = duel(player, (), ["Sceptre of Stability", "Dispel Scroll"], against=1)
    reduce_level(d.battle, d.rival.row, "wap.magic.miscast.r10")
    assert own_bonus(d.battle, d.rival.row) == 0
    script(d.battle, [5, 4])
    cast(d.battle, d.mage, "Stroke", d.target, 2)
    assert kind(d.battle) == "dispel-by" and slots(d.battle, "number") == []


# ---------------------------------------------------------------- what their bearers know


def learning(
    player: int, items: list[str], *lores: str, level: int = 2, together: int = 1
) -> tuple[Battle, UnitHandle]:
    """A wizard with items, before anything is deployed."""
    scene = RegimentScene()
    mage = scene.unit(player, wizard(level, *lores, together=together), models=1, items=items)
    scene.unit(player, None, models=5)
    scene.unit(1 - player, None, models=5)
    return scene.battle("deployment", detail="full"), mage


@PLAYERS
@pytest.mark.rule("wap.item.arcane.spell-familiar")
def test_the_spell_familiar_brings_one_more_spell(player: int) -> None:
    """Of a wizard of level 2: three of the numbers 1 to 4, and the signature spell."""
    for items, number in ((["Spell Familiar"], 3), ([], 2)):
        battle, mage = learning(player, items)
        for n, name in enumerate(["Stroke", "Shield", "Curse"][:number]):
            assert kind(battle) == "learn-spell"
            assert list(words(battle).values()) == ["Stroke", "Shield", "Curse", "Cloak"][n:]
            pick(battle, name)
        assert known_names(battle, mage) == ["Spark", "Stroke", "Shield", "Curse"][: number + 1]
        assert kind(battle) != "learn-spell" and sound(battle)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.book-of-ashur")
def test_the_book_of_ashur_makes_a_loremaster(player: int) -> None:
    battle, mage = learning(player, ["Book of Ashur"])
    assert known_names(battle, mage) == ["Spark", "Stroke", "Shield", "Curse", "Cloak"]
    assert kind(battle) not in ("learn-spell", "learns-next")
    battle, mage = learning(player, ["Book of Ashur"], SPARE, TRIAL, together=2)
    assert known_names(battle, mage) == ["Glow", "Might", "Bane", "Halo", "Spark"] or known_names(battle, mage)[:2] == [
        "Spark",
        "Glow",
    ]
    assert "Stroke" not in known_names(battle, mage)


# ---------------------------------------------------------------- the start of a Magic phase


@PLAYERS
@pytest.mark.rule("wap.item.arcane.power-familiar")
def test_the_die_of_a_power_familiar_is_its_owner_s(player: int) -> None:
    """Winds of 7: the owner of the familiar may use 8 dice, another wizard 7; with an empty pool he casts alone."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    owner = scene.unit(player, wizard(4), (36, 36), models=1, items=["Power Familiar"])
    other = scene.unit(player, wizard(4), (42, 36), models=1)
    foe = scene.unit(1 - player, None, (36, 36 + sign * 12), models=20, files=10)
    spells = {owner: "Stroke,Curse", other: "Stroke,Curse"}
    battle = scene.battle("magic", player=player, dice=(5, 2, *[1] * 8), set_state=knowing(spells), detail="full")
    assert pools(battle)[player] == 7 and battle.wizards.own_dice[owner] == 1 and sound(battle)
    battle.pools.dice[player] = 3
    for mage, most in ((owner, 4), (other, 3)):
        copy = battle.clone()
        cast(copy, mage, "Stroke", foe, 0)
        assert len(slots(copy, "number")) == most
    script(battle, [2, 2, 2])
    cast(battle, owner, "Stroke", foe, 1)
    if kind(battle) == "dispel-by":
        let_be(battle)
    assert (pools(battle)[player], battle.wizards.own_dice[owner]) == (3, 0)  # his own die is used first
    battle.wizards.own_dice[owner], battle.pools.dice[player] = 1, 0
    assert battle.clone().wizards.own_dice[owner] == 1
    empty = duel(player, ["Power Familiar"], winds=(1, 1))
    empty.battle.pools.dice[player] = 0
    script(empty.battle, [5])
    assert offered_spells(empty.battle, empty.mage)
    cast(empty.battle, empty.mage, "Spark", empty.target, 1)
    assert empty.battle.wizards.own_dice[empty.mage] == 0


@PLAYERS
@pytest.mark.rule("wap.item.arcane.power-familiar")
def test_the_familiar_brings_its_die_in_own_phases_alone(player: int) -> None:
    d = duel(player, (), ["Power Familiar"])
    assert d.battle.wizards.own_dice[d.rival] == 0 and pools(d.battle) == [12, 6][:: 1 if player == 0 else -1]


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.forbidden-rod")
def test_the_forbidden_rod_adds_dice_and_wounds_its_bearer(player: int, joins: bool) -> None:
    d = duel(player, ["Forbidden Rod"], winds=(), channel=(), joins=joins, mage={"equipment": ["heavy armour"]})
    assert kind(d.battle) == "use-item" and sound(d.battle)
    assert list(words(d.battle).values()) == [
        f"{d.mage.regiment.name} {does} Forbidden Rod" for does in ("keeps", "uses")
    ]
    keeps, ledger = d.battle.clone(), Ledger(d.battle)
    script(d.battle, [4, 5, 2, 1, 1, 1, 1])
    choose(d.battle, "option")
    assert ledger.faults() == []
    assert pools(d.battle)[player] == 7 + 4 and d.battle.models.wounds[d.mage.model()] == 1
    assert dice_left(d.battle) == 0 and d.battle.items.used[0] == d.battle.items.seen[0] == 1
    script(keeps, [5, 2, 1, 1, 1, 1])
    choose(keeps, "done")
    assert pools(keeps)[player] == 7 and keeps.models.wounds[d.mage.model()] == 2 and not keeps.items.used[0]


@PLAYERS
@pytest.mark.rule("wap.item.arcane.forbidden-rod")
def test_a_ward_save_helps_against_the_forbidden_rod(player: int) -> None:
    for die, left in ((5, 1), (4, 0)):
        d = duel(player, ["Forbidden Rod"], winds=(), channel=(), mage={"w": 1, "rules": ["Ward Save (5+)"]})
        script(d.battle, [3, die, 1, 1, *[1] * 4])
        choose(d.battle, "option")
        assert d.battle.units.alive[d.mage] == left and pools(d.battle)[player] == 2 + 3


@PLAYERS
@pytest.mark.rule("wap.item.arcane.forbidden-rod")
def test_the_forbidden_rod_is_not_offered_in_the_enemy_s_phase(player: int) -> None:
    d = duel(player, (), ["Forbidden Rod"])
    assert kind(d.battle) == "cast-by"


SHARD = "wap.item.arcane.tricksters-shard"


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.tricksters-shard")
def test_the_trickster_s_shard_strikes_wizards_who_dispel(player: int, joins: bool) -> None:
    """A 4 costs a Wound, a 3 none; the army dispels unharmed."""
    d = duel(player, ["Trickster's Shard"], winds=(), channel=(), joins=joins)
    assert kind(d.battle) == "use-item"
    script(d.battle, [6, 6, 1, 1, 1, 1])
    choose(d.battle, "option")
    d.battle.pools.dice[1 - player] = 12
    rolls = ([3, 3, 6, 6, 4], [3, 3, 6, 6, 3], [3, 4, 6, 6, 6])
    spells = ("Spark", "Stroke", "Curse")
    for number, (spell, dice) in enumerate(zip(spells, rolls, strict=True)):
        script(d.battle, [*dice[:2], dice[2], 3, *([dice[4]] if number < 2 else [])])
        cast(d.battle, d.mage, spell, d.target, 2)
        dispel(d.battle, d.rival if number < 2 else None, 1)
        assert dice_left(d.battle) == 0 and d.battle.units.alive[d.target] == 20
        assert d.battle.models.wounds[d.rival.model()] == 1
    assert [row.get("die") for row in told(d.battle, SHARD) if "die" in row] == [4, 3]


@PLAYERS
@pytest.mark.rule("wap.item.arcane.tricksters-shard")
def test_the_shard_acts_in_one_phase_if_it_is_used(player: int) -> None:
    d = duel(player, ["Trickster's Shard"], winds=(), channel=())
    script(d.battle, [6, 6, 1, 1, 1, 1])
    choose(d.battle, "done")
    script(d.battle, [3, 3, 6, 3])
    cast(d.battle, d.mage, "Spark", d.target, 2)
    dispel(d.battle, d.rival, 1)
    assert d.battle.models.wounds[d.rival.model()] == 2 and not told(d.battle, SHARD)


ROD = "wap.item.arcane.rod-of-power"


def to_magic(battle: Battle, player: int, dice: list[int]) -> None:
    """Play on to the Magic phase of a player without magic, whose first dice are given."""
    while (battle.clock.turn[0], battle.clock.phase[0]) != (player, Phase.MAGIC):
        if (battle.clock.turn[0], battle.clock.phase[0]) == (player, Phase.MOVEMENT):
            script(battle, dice)
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
        assert not battle.over


@PLAYERS
@pytest.mark.rule("wap.item.arcane.rod-of-power")
@pytest.mark.parametrize(("die", "came"), [(3, 3), (2, 0)])
def test_the_rod_of_power_keeps_dice_for_the_next_phase(player: int, die: int, came: int) -> None:
    """Three dispel dice of the enemy's phase become power dice, or are lost; with none kept no die is rolled."""
    d = duel(player, (), ["Rod of Power"])
    d.battle.pools.dice[player] = 1
    choose(d.battle, "done")
    assert kind(d.battle) == "store-dice" and d.battle.decision is not None
    assert d.battle.decision.player == 1 - player and sound(d.battle)
    assert list(words(d.battle).values())[:2] == ["keep no dice", "keep 1 die in Rod of Power"]
    assert slots(d.battle, "number") == [0, 1, 2]
    none = d.battle.clone()
    choose(d.battle, "number", 2)
    assert d.battle.items.charge[0] == 3 and sound(d.battle)
    to_magic(d.battle, 1 - player, [die, 5, 5, 1, 1, 1, 1])
    assert pools(d.battle)[1 - player] == 10 + came and d.battle.items.charge[0] == 0
    assert told(d.battle, ROD)[-1]["amount"] == came
    choose(none, "done")
    to_magic(none, 1 - player, [5, 5, 1, 1, 1, 1])
    assert pools(none)[1 - player] == 10


@PLAYERS
@pytest.mark.rule("wap.item.arcane.rod-of-power")
def test_the_rod_keeps_power_dice_for_dispelling_and_is_filled_again(player: int) -> None:
    d = duel(player, ["Rod of Power"], winds=(1, 1))
    choose(d.battle, "done")
    assert kind(d.battle) == "store-dice" and slots(d.battle, "number") == [0, 1]
    choose(d.battle, "number", 1)
    to_magic(d.battle, 1 - player, [2, 4, 4, 1, 1, 1, 1])
    assert pools(d.battle)[player] == 4 + 2
    assert kind(d.battle) == "store-dice" and slots(d.battle, "number") == [0, 1, 2]


@PLAYERS
@pytest.mark.rule("wap.item.arcane.rod-of-power")
def test_a_slain_bearer_s_rod_is_lost(player: int) -> None:
    d = duel(player, (), ["Rod of Power"])
    choose(d.battle, "done")
    choose(d.battle, "number", 2)
    slay(d.battle, d.rival.model())
    while len(told(d.battle, "wap.magic.winds.roll")) < 2:
        d.battle.apply(0 if d.battle.legal()[0] else d.battle.first_legal())
    assert not [row for row in told(d.battle, ROD) if "die" in row] and d.battle.items.charge[0] == 0
