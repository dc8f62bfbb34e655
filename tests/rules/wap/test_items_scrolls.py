"""Scrolls that take the place of an attempt to dispel an enemy spell, and what else protects from one."""

from __future__ import annotations

import pytest
from arcana import Duel, decline, duel
from carrying import SAVE
from wizards import cast, in_cast, knowing, known_names, let_be, offered_spells, pools, ring, wizard

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.magic.casting import Cast
from wh_env.rulesets.wap.magic.in_play import in_play
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told, words
from wh_env.testing.wap import RegimentScene

PLAYERS = pytest.mark.parametrize("player", [0, 1])
JOINS = pytest.mark.parametrize("joins", [False, True])


def sound(battle: Battle) -> bool:
    """Whether the battle may be stored and loaded again."""
    return list(Validator(battle.setup).faults(battle)) == []


def attacked(
    player: int, item: str, *, spell: str = "Stroke", dice: tuple[int, ...] = (5, 4), pool: int = 6, **fields: object
) -> Duel:
    """A wizard has cast a spell with these dice at the unit of an enemy wizard with an item, who is asked now."""
    d = duel(player, (), [item], **fields)  # type: ignore[arg-type]
    d.battle.pools.dice[1 - player] = pool
    script(d.battle, dice)
    cast(d.battle, d.mage, spell, d.target, len(dice) - dice.count(6))
    if kind(d.battle) == "spell-version":
        choose(d.battle, "option", 0)
    assert kind(d.battle) == "dispel-by", kind(d.battle)
    return d


def read(d: Duel, dice: tuple[int, ...]) -> None:
    """The scroll is used."""
    script(d.battle, dice)
    choose(d.battle, "number", 0)


# ---------------------------------------------------------------- all of them


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.replaces-dispel", "wap.item.arcane.scroll-of-shielding")
def test_a_scroll_takes_the_place_of_an_attempt(player: int, joins: bool) -> None:
    """The choice is between nothing, the army, a wizard and the scroll. The dice are left for the next spell, for which
    the scroll is not offered again."""
    d = attacked(player, "Scroll of Shielding", dice=(4, 4), pool=4, joins=joins)
    assert in_cast(d.battle, Cast.RESULT) == 9 and sound(d.battle)
    assert d.battle.decision is not None and d.battle.decision.player == 1 - player
    name = d.rival.regiment.name
    assert list(words(d.battle).values()) == [
        "let it be",
        "the army dispels",
        f"{name} dispels",
        f"{name} uses Scroll of Shielding",
    ]
    read(d, (3, 6, 1, 1))
    assert kind(d.battle) == "cast-by" and pools(d.battle)[1 - player] == 4 and dice_left(d.battle) == 0
    assert told(d.battle, "wap.item.arcane.scroll-of-shielding")[0] == {
        "unit": d.rival.row,
        "name": "Scroll of Shielding",
    }
    script(d.battle, [4, 4])
    cast(d.battle, d.mage, "Curse", d.target, 2)
    assert kind(d.battle) == "dispel-by" and slots(d.battle, "number") == []


@PLAYERS
@pytest.mark.rule("wap.item.arcane.replaces-dispel")
def test_a_scroll_needs_no_dice_in_the_pool(player: int) -> None:
    d = attacked(player, "Scroll of Shielding", pool=0)
    assert list(words(d.battle).values()) == ["let it be", f"{d.rival.regiment.name} uses Scroll of Shielding"]


@PLAYERS
@pytest.mark.rule("wap.item.arcane.replaces-dispel")
@pytest.mark.parametrize(
    ("item", "offered"),
    [
        ("Dispel Scroll", False),
        ("Spell Destroyer Scroll", False),
        ("Feedback Scroll", True),
        ("Scroll of Leeching", True),
    ],
)
def test_who_has_lost_concentration_uses_no_scroll_that_dispels(player: int, item: str, offered: bool) -> None:
    d = duel(player, (), [item])
    d.battle.wizards.cannot_dispel[d.rival] = 1
    script(d.battle, [5, 4])
    cast(d.battle, d.mage, "Stroke", d.target, 2)
    assert bool(slots(d.battle, "number")) == offered


@PLAYERS
@pytest.mark.rule("wap.item.arcane.replaces-dispel")
def test_a_slain_bearer_uses_no_scroll(player: int) -> None:
    d = duel(player, (), ["Feedback Scroll"])
    slay(d.battle, d.rival.model())
    script(d.battle, [5, 4])
    cast(d.battle, d.mage, "Stroke", d.target, 2)
    assert kind(d.battle) == "dispel-by" and slots(d.battle, "number") == []


@PLAYERS
@pytest.mark.rule("wap.item.arcane.replaces-dispel")
def test_own_spells_are_no_matter_for_scrolls(player: int) -> None:
    d = duel(player, ["Feedback Scroll"])
    script(d.battle, [5, 4])
    cast(d.battle, d.mage, "Stroke", d.target, 2)
    assert slots(d.battle, "number") == []


# ---------------------------------------------------------------- those that dispel


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.dispel-scroll")
def test_the_dispel_scroll_rolls_six_dice(player: int, joins: bool) -> None:
    """19 of six dice and a free one, and 1 for half a level, are 20; the pool is untouched."""
    d = attacked(player, "Dispel Scroll", dice=(6, 5, 5, 3), joins=joins)
    assert in_cast(d.battle, Cast.RESULT) == 20
    read(d, (6, 4, 3, 1, 1, 1, 3))
    row = told(d.battle, "wap.magic.dispel.value")[-1]
    assert (row["rolls"], row["amount"], row["needed"]) == ((6, 4, 3, 1, 1, 1, 3), 20, 20)
    assert d.battle.units.alive[d.target] == 20 and pools(d.battle)[1 - player] == 6 and dice_left(d.battle) == 0
    weak = attacked(player, "Dispel Scroll", dice=(6, 5, 5, 3))
    read(weak, (6, 4, 3, 1, 1, 1, 2, 6, 6))
    assert weak.battle.units.alive[weak.target] == 18


@PLAYERS
@pytest.mark.rule("wap.item.arcane.dispel-scroll")
def test_the_dispel_scroll_ends_a_spell_in_play(player: int) -> None:
    """In the enemy's next Magic phase its base value of 7 is enough, and no dice are needed."""
    d = attacked(player, "Dispel Scroll", spell="Curse", dice=(5, 5))
    let_be(d.battle)
    assert in_play(d.battle)
    while (d.battle.clock.turn[0], kind(d.battle)) != (1 - player, "cast-by"):
        if d.battle.clock.phase[0] == Phase.MOVEMENT:
            script(d.battle, [1, 1, 1, 1, 1, 1])
        d.battle.apply(0 if d.battle.legal()[0] else d.battle.first_legal())
    d.battle.pools.dice[1 - player] = 0
    pick(d.battle, "dispel Curse")
    if kind(d.battle) == "dispel-by":
        assert list(words(d.battle).values()) == [f"{d.rival.regiment.name} uses Dispel Scroll"] and sound(d.battle)
        read(d, (1, 1, 1, 1, 1, 1))
    assert not in_play(d.battle) and d.battle.items.used[0] and d.battle.items.charge[0] == 0
    assert told(d.battle, "wap.magic.dispel.value")[-1]["needed"] == 7


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.spell-destroyer-scroll")
@pytest.mark.parametrize(("die", "known"), [(4, False), (3, True)])
def test_the_destroyer_scroll_may_destroy_a_spell_that_it_does_not_dispel(
    player: int, joins: bool, die: int, known: bool
) -> None:
    d = attacked(player, "Spell Destroyer Scroll", dice=(6, 5, 5, 5), joins=joins)
    assert in_cast(d.battle, Cast.RESULT) == 22
    read(d, (3, 3, 4, 2, 5, 1, 6, 6, die))
    assert told(d.battle, "wap.magic.dispel.value")[-1]["amount"] == 19
    assert d.battle.units.alive[d.target] == 18 and dice_left(d.battle) == 0  # it took effect now
    assert ("Stroke" in known_names(d.battle, d.mage)) == known and sound(d.battle)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.spell-destroyer-scroll")
def test_the_destroyer_scroll_destroys_what_it_dispels_too(player: int) -> None:
    d = attacked(player, "Spell Destroyer Scroll")
    read(d, (3, 3, 4, 2, 5, 1, 6))
    assert d.battle.units.alive[d.target] == 20 and "Stroke" not in known_names(d.battle, d.mage)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.spell-destroyer-scroll")
@pytest.mark.parametrize(("item", "known"), [(False, True), (True, False)])
def test_innate_bound_spells_are_not_destroyed(player: int, item: bool, known: bool) -> None:
    d = duel(player, (), ["Spell Destroyer Scroll"], mage={"bound": ring("Curse", 5, item=item)}, spells="")
    script(d.battle, [4, 4])
    cast(d.battle, d.mage, "Curse", d.target, 2, bound=True)
    read(d, (3, 3, 4, 2, 5, 1, 6))
    assert ("Curse" in known_names(d.battle, d.mage)) == known


# ---------------------------------------------------------------- those that let the spell be cast


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.feedback-scroll")
def test_the_feedback_scroll_wounds_the_caster(player: int, joins: bool) -> None:
    """Three dice and a free one: 5, 2, 6 and 1 are two Wounds, after the spell, without armour save."""
    d = attacked(
        player, "Feedback Scroll", dice=(6, 4, 2, 3), joins=joins, mage={"w": 3, "equipment": ["heavy armour"]}
    )
    read(d, (6, 6, 5, 2, 6, 1))
    assert d.battle.units.alive[d.target] == 18 and d.battle.models.wounds[d.mage.model()] == 1
    assert told(d.battle, "wap.item.arcane.feedback-scroll")[1]["rolls"] == (5, 2, 6, 1) and dice_left(d.battle) == 0


@PLAYERS
@pytest.mark.rule("wap.item.arcane.feedback-scroll")
def test_a_ward_save_helps_against_feedback_and_the_caster_may_die(player: int) -> None:
    for dice, left in (((5, 5, 5, 4), 1), ((5, 5, 4, 4), 0)):
        d = attacked(player, "Feedback Scroll", mage={"w": 2, "rules": ["Ward Save (5+)"]})
        read(d, (1, 1, *dice))
        assert d.battle.units.alive[d.mage] == left and not d.battle.over


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.scroll-of-leeching")
def test_the_scroll_of_leeching_brings_dispel_dice(player: int, joins: bool) -> None:
    """Four dice and a free one: a pool of 2 holds 7."""
    d = attacked(player, "Scroll of Leeching", dice=(6, 4, 2, 3, 2), pool=2, joins=joins)
    read(d, (6, 6))
    assert pools(d.battle)[1 - player] == 7 and d.battle.units.alive[d.target] == 18


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.scroll-of-shielding")
@pytest.mark.parametrize("resistant", [False, True])
def test_the_scroll_of_shielding_gives_magic_resistance(player: int, joins: bool, resistant: bool) -> None:
    """A missile that causes four wounds: the ward saves of 4, 5, 3 and 1 save two. The next spell meets none.
    ``resistant``: the caster has Magic Resistance, which is nothing to the target.
    """
    mage = {"rules": ["Magic Resistance (1)"]} if resistant else None
    d = attacked(player, "Scroll of Shielding", spell="Spark", dice=(5, 4), joins=joins, mage=mage)
    read(d, (4, 6, 6, 6, 6, 4, 5, 3, 1))
    assert told(d.battle, SAVE)[-1]["needed"] == (7, 4) or told(d.battle, SAVE)[-1]["needed"] == 4
    assert d.battle.units.alive[d.target] == 18 and dice_left(d.battle) == 0
    assert told(d.battle, "wap.magic.type.missile")[-1]["amount"] == 4
    script(d.battle, [5, 4, 6, 6])
    cast(d.battle, d.mage, "Stroke", d.target, 2)
    let_be(d.battle)
    assert d.battle.units.alive[d.target] == 16


@PLAYERS
@pytest.mark.rule("wap.item.arcane.scroll-of-shielding")
def test_greater_resistance_of_the_target_counts(player: int) -> None:
    d = attacked(player, "Scroll of Shielding", foe={"rules": ["Magic Resistance (1)"]})
    assert told(d.battle, "wap.magic.cast.value")
    read(d, (6, 6, 3, 4))
    assert d.battle.units.alive[d.target] == 19


# ---------------------------------------------------------------- shield and maze


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.brags-mystic-shield")
@pytest.mark.parametrize("tries", [True, False])
def test_brag_s_shield_stops_a_spell_that_was_not_dispelled(player: int, joins: bool, tries: bool) -> None:
    d = attacked(player, "Brag's Mystic Shield", spell="Spark", dice=(6, 5, 3), joins=joins)
    assert slots(d.battle, "number") == []
    if tries:
        script(d.battle, [1, 1])
        choose(d.battle, "option", 0)
        choose(d.battle, "number", 1)
    else:
        let_be(d.battle)
    assert kind(d.battle) == "use-item" and sound(d.battle)
    keeps = d.battle.clone()
    choose(d.battle, "option")
    assert d.battle.units.alive[d.target] == 20 and kind(d.battle) == "cast-by"
    assert "Spark" not in offered_spells(d.battle, d.mage)  # it counts as cast
    script(keeps, [2, 6, 6])
    choose(keeps, "done")
    assert keeps.units.alive[d.target] == 18 and not keeps.items.used[0]


@PLAYERS
@pytest.mark.rule("wap.item.arcane.brags-mystic-shield")
@pytest.mark.parametrize(
    ("spell", "on", "dice"), [("Gale", "target", (6, 5, 3)), ("Shield", "guard", (5, 5)), ("Cloak", "guard", (5, 5))]
)
def test_brag_s_shield_is_not_offered_against_other_spells(
    player: int, spell: str, on: str, dice: tuple[int, ...]
) -> None:
    """On all enemies, and on the enemy's own units; nor against one that was dispelled."""
    d = duel(player, (), ["Brag's Mystic Shield"], joins=True)
    script(d.battle, dice)
    cast(d.battle, d.mage, spell, None if spell == "Gale" else getattr(d, on), len(dice) - dice.count(6))
    let_be(d.battle)
    assert kind(d.battle) == "cast-by"


@PLAYERS
@pytest.mark.rule("wap.item.arcane.brags-mystic-shield")
def test_brag_s_shield_is_not_offered_against_a_dispelled_spell(player: int) -> None:
    d = attacked(player, "Brag's Mystic Shield")
    script(d.battle, [6, 6, 6, 6])
    choose(d.battle, "option", 0)
    choose(d.battle, "number", 1)
    assert kind(d.battle) == "cast-by" and not d.battle.items.used[0]


def maze(player: int, *, inches: float, owner: int) -> tuple[Battle, Duel]:
    """A wizard has cast Spark on archers in front of him; a unit of ``owner`` stands ``inches`` east of their middle."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    mage = scene.unit(player, wizard(2), (36, 36), models=1)
    target = scene.unit(1 - player, None, (36, 36 + sign * 12), models=4, files=2)
    rival = scene.unit(1 - player, wizard(2), (8, 36 + sign * 34), models=1, items=["Mystic Maze"])
    front = 36 + sign * (14 if owner == player else 12)  # its two ranks are on a line with the middle of the archers
    other = scene.unit(owner, None, (36 + inches, front), models=10, files=5)
    battle = scene.battle(
        "magic", player=player, dice=(6, 6, 1, 1, 1, 1), set_state=knowing({mage: "Curse"}), detail="full"
    )
    script(battle, [4, 4])
    cast(battle, mage, "Spark", target, 2)
    let_be(battle)
    return battle, Duel(battle, mage, target, rival, other)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.mystic-maze")
@pytest.mark.parametrize("friend", [False, True])
def test_the_maze_leads_a_spell_to_another_unit(player: int, friend: bool) -> None:
    """3D6 inches to the east of the middle of the unit: of the enemy, or of the caster's own side; a knight behind him
    is no legal target. At another distance there is nobody."""
    east = 0 if player == 1 else 120  # the scatter die lies as the player sees it
    for dice, hit in (((4, 4, 3), True), ((1, 1, 1), False)):
        copy, d = maze(player, inches=11, owner=player if friend else 1 - player)
        assert kind(copy) == "use-item" and sound(copy)
        script(copy, [*dice, 1, east, *((2, 6, 6) if hit else ())])
        choose(copy, "option")
        row = [row for row in told(copy, "wap.item.arcane.mystic-maze") if "amount" in row][-1]
        assert row["amount"] == sum(dice) and copy.units.alive[d.target] == 4
        assert row["target"] == (d.guard.row if hit else -1)
        assert copy.units.alive[d.guard] == 10 - 2 * hit and kind(copy) == "cast-by"
        assert not copy.items.charge[0] and sound(copy)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.mystic-maze")
def test_a_spell_that_ends_on_the_same_unit_acts_on_it(player: int) -> None:
    d = attacked(player, "Mystic Maze", dice=(5, 5))
    let_be(d.battle)
    script(d.battle, [1, 1, 1, 1, 0, 6, 6])
    choose(d.battle, "option")
    assert d.battle.units.alive[d.target] == 18
    decline(d.battle, "use-item")
