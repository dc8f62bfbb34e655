"""Ground that casts spells: the magic portal and the river of light."""

from __future__ import annotations

import pytest

from tests.marching import ADVANCE, FORWARD, ahead, finish, go, leg
from tests.moving_spells import mage
from wh_env import Battle
from wh_env.content.wap import spells
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.effects import begin_effect, effect_of, effects_of, rows_in_use
from wh_env.rulesets.wap.basics.profiles import characteristic
from wh_env.rulesets.wap.rule_book import ALWAYS_STRIKES_FIRST
from wh_env.testing import choose, dice_left, kind, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square

STONE = (23.0, 20.0, 25.0, 22.0)
PLAYERS = pytest.mark.parametrize("player", [0, 1])
OWNERS = pytest.mark.parametrize("owner", [0, 1])
CALM = square(rules=["Immunity (Panic)", "Regeneration (2+)"])


def at_portal(
    player: int, owner: int, dice: list[int], gaps: tuple[float, float] = (3.0, 5.0), *, wizards: bool = False
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit of ``owner`` south of a portal and an enemy of it north, in the Magic phase of ``player``."""
    scene = RegimentScene()
    scene.area("monument", *STONE, example="magic portal")
    near = scene.unit(owner, CALM, (24, STONE[1] - gaps[0]), models=10, files=5, facing=NORTH)
    far = scene.unit(1 - owner, CALM, (24, STONE[3] + gaps[1]), models=10, files=5, facing=SOUTH)
    if wizards:
        scene.unit(player, mage(), (44, 24), models=1, files=1)
    return scene.battle("magic", player=player, dice=dice), near, far


@PLAYERS
@OWNERS
@pytest.mark.rule("wap.terrain.monument.magic-portal")
def test_a_portal_casts_a_fireball_on_the_nearest_unit_of_either_side(player: int, owner: int) -> None:
    """Winds of 1 and 1, then 5 and 6 on the table, a 4 for the hits; two of them wound on 3+."""
    battle, near, far = at_portal(player, owner, [1, 1, 5, 6, 4, 3, 3, 2, 2])
    [cast] = told(battle, "wap.terrain.monument.magic-portal")
    assert (cast["unit"], cast["name"]) == (near.row, "Fireball")
    [rolled] = told(battle, "wap.shoot.wound.roll")
    assert (rolled["amount"], rolled["needed"], rolled["result"]) == (4, 3, 2)
    assert (battle.units.alive[near.row], battle.units.alive[far.row]) == (8, 10)
    assert not told(battle, "wap.shoot.save.roll") and dice_left(battle) == 0  # it burns
    assert kind(battle) != "dispel-by" and not told(battle, "wap.magic.cast.value")


@PLAYERS
@OWNERS
@pytest.mark.parametrize(
    ("dice", "name", "changes"),
    [
        ((1, 1), "Soulblight", (-1, -1)), ((2, 2), "Soulblight", (-1, -1)),
        ((1, 4), "Wyssan's Wildform", (1, 1)), ((3, 3), "Wyssan's Wildform", (1, 1)),
        ((3, 4), "Plague of Rust", (0, 0)),
        ((4, 4), "The Speed of Light", (0, 0)), ((4, 5), "The Speed of Light", (0, 0)),
        ((5, 5), "Fireball", (0, 0)), ((6, 6), "Fireball", (0, 0)),
    ],
)  # fmt: skip
@pytest.mark.rule("wap.terrain.monument.magic-portal")
def test_the_table_of_the_portal(
    player: int, owner: int, dice: tuple[int, int], name: str, changes: tuple[int, int]
) -> None:
    """What lasts ends when the next Magic phase of the player begins in whose phase it was cast; rust never does."""
    more = [1, 1] if name == "Fireball" else []
    battle, near, _ = at_portal(player, owner, [1, 1, 1, 1, *dice, *more], wizards=True)
    assert [event["name"] for event in told(battle, "wap.terrain.monument.magic-portal")] == [name]
    line = battle.units.first_line[near.row]
    assert (characteristic(battle, line, "s"), characteristic(battle, line, "t")) == (3 + changes[0], 3 + changes[1])
    assert has(battle, near.row, ALWAYS_STRIKES_FIRST) is (name == "The Speed of Light")
    if name == "Fireball":
        return
    assert len(list(rows_in_use(battle))) == 1
    ended = "wap.lore.general.until-next-magic-phase"
    while len(told(battle, "wap.magic.winds.roll")) < 3:  # his phase, the enemy's, and his again
        assert name in [effect_of(battle, k).name for k in rows_in_use(battle)] and not told(battle, ended)
        choose(battle, "done")
    assert [event["name"] for event in told(battle, ended)] == [name] * (name != "Plague of Rust")


@pytest.mark.rule("wap.terrain.monument.magic-portal")
def test_every_unit_may_be_under_every_spell_of_a_portal() -> None:
    battle, *_ = at_portal(0, 0, [1, 1, 5, 5, 1, 1])
    names = ("Soulblight", "Wyssan's Wildform", "Plague of Rust", "The Speed of Light")
    first = {effect.name: n for n, effect in reversed(list(enumerate(effects_of(battle))))}
    for unit in range(len(battle.units.owner)):
        assert all(begin_effect(battle, first[name], unit, 0) for name in names)
    assert len(list(rows_in_use(battle))) == len(names) * len(battle.units.owner)


@PLAYERS
@pytest.mark.rule("wap.terrain.monument.magic-portal")
def test_what_helps_wizards_does_nothing_for_the_spells_of_a_portal(player: int) -> None:
    """A wizard could roll dice again, and the last unit has been hit by fire before; a fireball of the ground has its
    D6 hits, and nobody is asked.
    """
    scene = RegimentScene()
    scene.area("monument", *STONE, example="magic portal")
    near = scene.unit(player, CALM, (24, STONE[1] - 3.0), models=10, files=5, facing=NORTH)
    scene.unit(1 - player, CALM, (44, 44), models=10, files=5, facing=SOUTH)
    wizard = scene.unit(1 - player, mage("heavens"), (4, 44), models=1, files=1)

    def fateful(battle: Battle) -> None:
        battle.wizards.fate[wizard.row] = 1
        for unit in range(len(battle.units.owner)):
            battle.wizards.hit_by[unit] = (1 << len(battle.setup.statics["lores"])) - 1

    # winds of 1 and 1, two dice that channel nothing, 5 and 6 on the table, a 4 for the hits
    battle = scene.battle("magic", player=player, dice=[1, 1, 1, 1, 5, 6, 4, 3, 3, 2, 2], set_state=fateful)
    [rolled] = told(battle, "wap.shoot.wound.roll")
    assert (rolled["target"], rolled["amount"], battle.units.alive[near.row]) == (near.row, 4, 8)
    assert kind(battle) != "fate-die" and not told(battle, "wap.lore.fire.attribute-extra-hits")


@PLAYERS
@pytest.mark.parametrize(("lot", "which"), [(1, 0), (2, 1)])
@pytest.mark.rule("wap.terrain.monument.magic-portal")
def test_units_equally_near_are_diced_for(player: int, lot: int, which: int) -> None:
    battle, *units = at_portal(player, 0, [1, 1, 6, 6, lot, 1, 1], (4.0, 4.0))
    assert [event["unit"] for event in told(battle, "wap.terrain.monument.magic-portal")] == [units[which].row]


@pytest.mark.rule("wap.terrain.monument.magic-portal")
def test_a_portal_reaches_units_in_combat_and_any_distance() -> None:
    scene = RegimentScene()
    scene.area("monument", 23, 44, 25, 46, example="magic portal")
    unit = scene.unit(0, CALM, (24, 12), models=5, facing=NORTH)
    foe = scene.beside(unit, 1, CALM, models=5)
    battle = scene.battle("magic", dice=[1, 1, 2, 3])
    assert [event["unit"] for event in told(battle, "wap.terrain.monument.magic-portal")] == [foe.row]


# ---------------------------------------------------------------- the river


def at_river(player: int, dice: list[int], *, inside: bool = False) -> tuple[Battle, UnitHandle]:
    """A unit that has walked four inches into, or through, a river of light."""
    scene = RegimentScene()
    y, forth = (10, 1) if player == 0 else (38, -1)
    unit = scene.unit(player, CALM, (20, y), models=5)
    scene.unit(player, None, (44, y), models=5)
    scene.unit(1 - player, None, (44, 47 if player == 0 else 1), models=5)
    near, far = (y - forth, y + 8 * forth) if inside else (y + forth, y + 2 * forth)
    low, high = sorted((near, far))
    scene.area("river", 0, low, 30, high, example="river of light")
    battle = scene.battle("movement", player=player, detail="full", dice=dice)
    go(battle, unit, ADVANCE)
    leg(battle, FORWARD, ahead(4.0))
    finish(battle)
    return battle, unit


def light(battle: Battle) -> list[str]:
    """The spells of the Lore of Light that a river may cast."""
    [river] = battle.setup.statics["features"]
    found = battle.setup.statics["ground_spells"][river.row]
    return [battle.setup.statics["spells"][number].name for number in found]


@PLAYERS
@pytest.mark.rule("wap.terrain.river.light")
def test_who_enters_the_river_of_light_is_the_target_of_a_spell_at_random(player: int) -> None:
    battle, unit = at_river(player, [])
    names = light(battle)
    assert names == [spell.name for spell in sorted(spells.load_lore("light").spells, key=lambda row: row.number)]
    lot = names.index("The Speed of Light")
    battle, unit = at_river(player, [lot])  # of more spells than a die has faces
    [event] = told(battle, "wap.terrain.river.light")
    assert (event["unit"], event["name"]) == (unit.row, "The Speed of Light")
    assert has(battle, unit.row, ALWAYS_STRIKES_FIRST) and dice_left(battle) == 0
    [k] = rows_in_use(battle)
    assert (effect_of(battle, k).name, battle.effects.player[k]) == ("The Speed of Light", player)
    assert not told(battle, "wap.magic.cast.value") and not told(battle, "wap.magic.dispel.value")


@PLAYERS
@pytest.mark.rule("wap.terrain.river.light")
def test_the_gaze_of_the_river_burns(player: int) -> None:
    """The base version: a D6 of 3, and Strength 4 wounds Toughness 3 on 3+; nobody regenerates."""
    battle, unit = at_river(player, [])
    lot = light(battle).index("Shem's Burning Gaze")
    battle, unit = at_river(player, [lot, 3, 3, 2, 4])
    [rolled] = told(battle, "wap.shoot.wound.roll")
    assert (rolled["target"], rolled["amount"], rolled["needed"], rolled["result"]) == (unit.row, 3, 3, 2)
    assert battle.units.alive[unit.row] == 3 and dice_left(battle) == 0
    assert not told(battle, "wap.magic.dispel.value")


@PLAYERS
@pytest.mark.rule("wap.terrain.river.light")
def test_a_spell_of_the_river_knows_no_wizards_near_it(player: int) -> None:
    """Banishment has Strength 4; a 1 for each of the two dice, and one of the hits wounds."""
    battle, unit = at_river(player, [])
    lot = light(battle).index("Banishment")
    battle, unit = at_river(player, [lot, 1, 1, 1, 3])
    [rolled] = told(battle, "wap.shoot.wound.roll")
    assert (rolled["target"], rolled["amount"], rolled["needed"], rolled["result"]) == (unit.row, 2, 3, 1)


@PLAYERS
@pytest.mark.rule("wap.terrain.river.light")
def test_who_stands_in_it_does_not_enter_it_again(player: int) -> None:
    battle, _ = at_river(player, [1], inside=True)
    assert not told(battle, "wap.terrain.river.light") and dice_left(battle) == 1
