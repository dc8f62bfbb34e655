"""Spells that change armour saves, and that let models regenerate."""

from __future__ import annotations

import pytest
from arming import man, rider
from enchanting import LEVEL, NO_CHANNEL, POOL, Rite, cast, end_magic, until, wizard

from wh_env import Battle
from wh_env.rulesets.wap.basics.special_rules import parameters
from wh_env.rulesets.wap.codes import FRONT, Phase
from wh_env.rulesets.wap.rule_book import REGENERATION
from wh_env.rulesets.wap.weapons.arms import MOST_POINTS, NO_SAVE
from wh_env.rulesets.wap.weapons.hit import FLAMING, LIGHTNING, RANGED, Hit
from wh_env.rulesets.wap.weapons.saves import points_against, save_of, unsaved, wards_against
from wh_env.testing import choose, dice_left, kind, slots
from wh_env.testing.play import script
from wh_env.testing.wap import UnitHandle, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
PLAIN = Hit(3)


def save(battle: Battle, unit: UnitHandle, hit: Hit = PLAIN) -> int:
    """The armour save of a unit against a hit."""
    return save_of(points_against(battle, unit.row, hit, FRONT))


def next_magic(battle: Battle, player: int, winds: tuple[int, ...] = (*POOL, *NO_CHANNEL, 1)) -> None:
    """Go on to the player's next Magic phase, with scripted winds."""
    until(battle, lambda b: b.clock.turn[0] != player)
    until(battle, lambda b: b.clock.turn[0] == player and b.clock.phase[0] == Phase.MOVEMENT)
    script(battle, winds)
    until(battle, lambda b: b.clock.phase[0] == Phase.MAGIC)


@OWNERS
@pytest.mark.rule("wap.lore.metal.plague-of-rust")
def test_rust_eats_armour_for_the_rest_of_the_game(owner: int) -> None:
    """Light armour and shields, 5+: 6+ after the first casting, none after the second, to the end of the game."""
    rite = Rite("metal", owner)
    foes = rite.enemy(man("light armour", "shield"), models=5)
    others = rite.enemy(man("light armour", "shield"), (30, 40), models=5)
    battle = rite.battle()
    assert save(battle, foes) == 5
    cast(battle, "Plague of Rust", foes, 7)
    assert (save(battle, foes), save(battle, others)) == (6, 5)
    end_magic(battle)
    next_magic(battle, owner)
    assert save(battle, foes) == 6
    cast(battle, "Plague of Rust", foes, 7)
    assert save(battle, foes) == NO_SAVE
    rows = [k for k, number in enumerate(battle.effects.effect.tolist()) if number >= 0]
    assert len(rows) == 1 and battle.effects.amount[rows[0]] == 1  # one row, however often it is cast
    end_magic(battle)
    next_magic(battle, owner)
    assert (save(battle, foes), save(battle, others)) == (NO_SAVE, 5)


@pytest.mark.rule("wap.lore.metal.plague-of-rust")
def test_rust_leaves_natural_armour() -> None:
    owner = 0
    rite = Rite("metal")
    scaly = rite.enemy(man("light armour", rules=["Natural Armour (5+)"]), models=5)
    bare = rite.enemy(man(rules=["Natural Armour (5+)"]), (30, 30), models=5)
    battle = rite.battle()
    assert (save(battle, scaly), save(battle, bare)) == (4, 5)
    cast(battle, "Plague of Rust", scaly, 7)
    assert save(battle, scaly) == 5
    end_magic(battle)
    next_magic(battle, owner)
    cast(battle, "Plague of Rust", scaly, 7)
    assert save(battle, scaly) == 5 and save(battle, scaly, Hit(3, nature=LIGHTNING)) == 5


@pytest.mark.rule("wap.lore.metal.plague-of-rust")
def test_rust_takes_from_the_best_save_there_is() -> None:
    """More points than a save of 1+ needs do not keep it there."""
    rite = Rite("metal")
    foes = rite.enemy(rider("full plate armour", "shield", "barding", rules=["Natural Armour (6+)"]), models=5)
    battle = rite.battle()
    worn = points_against(battle, foes.row, PLAIN, FRONT) - 1
    assert worn >= MOST_POINTS
    for times in range(1, MOST_POINTS + 2):
        cast(battle, "Plague of Rust", foes, 7)
        assert save(battle, foes) == save_of(max(0, MOST_POINTS - times) + 1)
        battle.spellbook.rows["tried"] = 0
        battle.pools.dice[0] = 10


@OWNERS
@pytest.mark.rule("wap.lore.metal.scales-of-steel")
@pytest.mark.parametrize(
    ("equipment", "before", "after"),
    [((), NO_SAVE, 5), (("medium armour", "shield"), 4, 2), (("full plate armour", "shield"), 2, 1)],
)
def test_scales_improve_the_save_by_two(owner: int, equipment: tuple[str, ...], before: int, after: int) -> None:
    rite = Rite("metal", owner)
    own = rite.own(man(*equipment), (12, 16), models=5)
    rite.enemy(None, (40, 44), models=5)
    battle = rite.battle()
    assert save(battle, own) == before
    cast(battle, "Scales of Steel", own, 9)
    assert save(battle, own) == after
    script(battle, [1])
    assert unsaved(battle, own.row, 1, PLAIN, FRONT) == 1  # a 1 fails
    script(battle, [after if after > 1 else 2])
    assert unsaved(battle, own.row, 1, PLAIN, FRONT) == 0
    end_magic(battle)
    until(battle, lambda b: b.clock.turn[0] != owner)
    assert save(battle, own) == after
    until(battle, lambda b: b.clock.turn[0] == owner and b.clock.phase[0] == Phase.MAGIC)
    assert save(battle, own) == before


@pytest.mark.rule("wap.lore.metal.scales-of-steel")
@pytest.mark.parametrize(("total", "reached"), [(9, False), (13, True)])
def test_scales_reach_twelve_inches_or_twenty_four(total: int, reached: bool) -> None:
    rite = Rite("metal")
    own = rite.own(None, (26, 16), models=5)
    battle = rite.battle()
    cast(battle, "Scales of Steel", own, total, version="13+")
    assert (save(battle, own) == 5) is reached


@pytest.mark.rule("wap.lore.metal.scales-of-steel", "wap.magic.type.cumulative")
def test_changes_of_armour_add_up() -> None:
    """Rust and scales on one unit, be it against blows or shots. Lightning meets neither scales nor worn armour."""
    rite = Rite("metal")
    other = rite.enemy(wizard("metal"), (44, 44), models=1, files=1)
    own = rite.own(man("light armour", "shield"), (12, 16), models=5)
    battle = rite.battle()
    cast(battle, "Scales of Steel", own, 9)
    assert save(battle, own) == 3 and save(battle, own, Hit(3, nature=RANGED)) == 2  # the shield of infantry in front
    assert save(battle, own, Hit(3, nature=LIGHTNING)) == NO_SAVE
    end_magic(battle)
    until(battle, lambda b: b.clock.turn[0] == 1 and b.clock.phase[0] == Phase.MOVEMENT)
    script(battle, [*POOL, *[1] * (2 * LEVEL + 1)])
    until(battle, lambda b: b.clock.phase[0] == Phase.MAGIC)
    cast(battle, "Plague of Rust", own, 9, version="9+", by=other)
    assert save(battle, own) == 4


@OWNERS
@pytest.mark.rule("wap.lore.metal.transmutation-of-lead")
def test_lead_takes_from_the_whole_save(owner: int) -> None:
    """Also from Natural Armour, which rust does not touch."""
    rite = Rite("metal", owner)
    foes = rite.enemy(man(rules=["Natural Armour (5+)"]), models=5)
    battle = rite.battle()
    cast(battle, "Transmutation of Lead", foes, 12)
    assert save(battle, foes) == 6 and save(battle, foes, Hit(3, nature=LIGHTNING)) == 6


# ---------------------------------------------------------------- Regeneration


@OWNERS
@pytest.mark.rule("wap.lore.life.earth-blood")
def test_earth_blood_heals_the_wizard_and_his_unit(owner: int) -> None:
    """5+: of 5, 6, 4, 3, 2, 1 two are regenerated; against fire none."""
    rite = Rite("life", owner, at=None)
    unit = rite.own(None, (18, 12), models=10)
    mage = rite.own(wizard("life"), None, models=1, inside=unit, post=1)
    battle = rite.battle()
    cast(battle, "Earth Blood", unit, 8)
    for row in (unit.row, mage.row):
        assert parameters(battle, row, REGENERATION) == ("5+",)
    script(battle, [5, 6, 4, 3, 2, 1])
    assert unsaved(battle, unit.row, 6, PLAIN, FRONT) == 4 and not dice_left(battle)
    script(battle, [6])
    assert unsaved(battle, unit.row, 6, Hit(3, nature=FLAMING), FRONT) == 6 and dice_left(battle) == 1


@OWNERS
@pytest.mark.rule("wap.lore.life.earth-blood")
def test_earth_blood_heals_another_unit_less(owner: int) -> None:
    """6+ for a unit at ten inches; only the 6 counts. Units farther than twelve inches are not offered."""
    rite = Rite("life", owner)
    near, far = rite.own(None, (18, 14), models=5, files=5), rite.own(None, (26, 12), models=5)
    battle = rite.battle()
    choose(battle, "own", 0)
    while kind(battle) == "cast-spell":
        actions = [a for a in battle.decision.options if "Earth Blood" in battle.describe(a)]  # type: ignore[union-attr]
        battle.apply(actions[0])
    assert slots(battle, "own") == [0, near.number]
    choose(battle, "own", near.number)
    script(battle, [3, 3])
    choose(battle, "number", 1)
    choose(battle, "done")
    assert [parameters(battle, u.row, REGENERATION) for u in (near, far, rite.wizard)] == [("6+",), (), ()]
    script(battle, [5, 6, 4, 3, 2, 1])
    assert unsaved(battle, near.row, 6, PLAIN, FRONT) == 5
    assert wards_against(battle, near.row, 3, FRONT, FLAMING) == []


@pytest.mark.rule("wap.lore.life.earth-blood")
def test_a_wizard_alone_heals_himself() -> None:
    rite = Rite("life")
    other = rite.own(None, (16, 12), models=5)
    battle = rite.battle()
    assert rite.wizard is not None
    cast(battle, "Earth Blood", rite.wizard, 8)
    assert parameters(battle, rite.wizard.row, REGENERATION) == ("5+",)
    assert parameters(battle, other.row, REGENERATION) == ()


@pytest.mark.rule("wap.lore.life.earth-blood", "wap.magic.bound.base-version")
@pytest.mark.parametrize("own", [True, False])
def test_a_bound_earth_blood_has_both_choices(own: bool) -> None:
    bound = square(character=True, size=[1, 1], w=2, bound=[{"lore": "life", "spell": "Earth Blood", "power": 5}])
    rite = Rite("life", card=bound)
    other = rite.own(None, (16, 12), models=5)
    battle = rite.scene.battle("magic", dice=POOL)
    assert rite.wizard is not None
    target = rite.wizard if own else other
    choose(battle, "own", 0)
    choose(battle, "own", target.number)
    script(battle, [3, 3])
    choose(battle, "number", 1)
    if kind(battle) == "dispel-by":
        choose(battle, "done")
    assert parameters(battle, target.row, REGENERATION) == ("5+" if own else "6+",)
