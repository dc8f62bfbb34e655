"""Arcane items where they meet the rest of magic: allies who share dice, ground that teaches, spells that shield."""

from __future__ import annotations

import pytest
from wizards import cast, knowing, pools, row_of, wizard

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.marks import put_mark
from wh_env.rulesets.wap.magic.in_play import in_play
from wh_env.rulesets.wap.magic.shares import dice_for_unit, dice_of
from wh_env.testing import choose, kind, script, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene

PLAYERS = pytest.mark.parametrize("player", [0, 1])
HOUSE = (22.0, 20.0, 26.0, 24.0)


def sound(battle: Battle) -> bool:
    """Whether the battle may be stored and loaded again."""
    return list(Validator(battle.setup).faults(battle)) == []


@PLAYERS
@pytest.mark.rule("wap.item.arcane.power-familiar", "wap.ally.magic.sharing")
def test_the_die_of_a_familiar_is_no_die_of_an_army(player: int) -> None:
    """The winds of 8 go to the second army; the first one's wizard has the die of his familiar alone."""
    scene, y = RegimentScene((72, 48)), (10, 38)
    for n, book in enumerate(("Empire", "Dwarfs")):
        scene.army(player, book, "order", leader=str(n) if n else "")
    facing = (NORTH, SOUTH)
    at = {"models": 1, "facing": facing[player]}
    owner = scene.unit(player, wizard(2), (30, y[player]), items=["Power Familiar"], **at)
    other = scene.unit(player, wizard(2), (45, y[player]), army=1, **at)
    foe = scene.unit(1 - player, None, (24, (30, 18)[player]), models=20, files=5, facing=facing[1 - player])
    battle = scene.battle("magic", player=player, dice=(5, 3, 1, 1, 1, 1), detail="full")
    assert kind(battle) == "share-dice" and max(slots(battle, "number")) + 1 == 8 and sound(battle)
    choose(battle, "done")
    assert [dice_for_unit(battle, unit.row) for unit in (owner, other)] == [1, 8]
    assert [dice_of(battle, player, player + army) for army in (0, 1)] == [0, 8]
    assert pools(battle)[player] == 8 and sound(battle)
    script(battle, [5, 1, 1, 1])
    cast(battle, owner, "Spark", foe)  # with one die: there is no choice
    assert [dice_for_unit(battle, unit.row) for unit in (owner, other)] == [0, 8]
    assert pools(battle)[player] == 8


@PLAYERS
@pytest.mark.rule("wap.item.arcane.forbidden-rod", "wap.building.arcane.wizards-tower")
def test_items_are_offered_when_ground_has_taught(player: int) -> None:
    """A wizard of two lores says first which the tower teaches him, and then whether he uses his rod."""
    scene = RegimentScene()
    scene.area("building", *HOUSE, example="wizards tower", storeys=2)
    card = wizard(2, "light", "fire", together=2)
    mage = scene.unit(player, card, (22.5, HOUSE[1] - 3), models=1, items=["Forbidden Rod"], facing=NORTH)
    scene.unit(1 - player, None, (4, 44), models=5)
    battle = scene.battle("magic", player=player, dice=[6, 6, 6, 6, 1, 1, 1, 1, 1, 1], detail="full")
    assert kind(battle) == "library-lore" and sound(battle)
    choose(battle, "option", 1)
    assert kind(battle) == "use-item" and battle.clock.player[0] == player and sound(battle)
    choose(battle, "option", 0)
    assert told(battle, "wap.item.arcane.forbidden-rod")[0]["unit"] == mage.row and sound(battle)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.earthing-rod", "wap.lore.life.throne-of-vines")
@pytest.mark.parametrize(("die", "asks"), [(3, True), (4, False)])
def test_a_rod_earths_what_the_throne_does_not_ignore(player: int, die: int, asks: bool) -> None:
    """Cast with 1, 1 and 5; a miscast that the throne lets through is a 5 on the table, with which the rod is asked."""
    scene = RegimentScene()
    unit = scene.unit(player, None, (16, 20), models=10, files=5, facing=NORTH)
    mage = scene.unit(player, wizard(4, "life"), (32, 20), models=1, items=["Earthing Rod"], facing=NORTH)
    scene.unit(1 - player, None, (4, 46 if player == 0 else 2), models=5)
    known = knowing({mage: "Throne of Vines,Flesh to Stone"})
    dice = [6, 6, 1, 1, 1, 1, 4, 4, 1, 1, 5, die, 5, 1]
    battle = scene.battle("magic", player=player, dice=dice, set_state=known, detail="full")
    cast(battle, mage, "Throne of Vines", dice=2)
    if kind(battle) == "dispel-by":
        choose(battle, "done")
    assert len(in_play(battle)) == 1
    cast(battle, mage, "Flesh to Stone", unit, dice=3)
    if kind(battle) == "dispel-by":
        choose(battle, "done")
    assert (kind(battle) == "earth-miscast") is asks and sound(battle)
    if asks:
        choose(battle, "option", 0)
        assert told(battle, "wap.item.arcane.earthing-rod") and told(battle, "wap.magic.miscast.r4")


@PLAYERS
@pytest.mark.rule("wap.item.arcane.brags-mystic-shield")
def test_the_shield_is_not_offered_against_a_template(player: int) -> None:
    """The Comet is called on a point of the table, though an enemy unit stands there."""
    scene, sign = RegimentScene((72, 72)), 1 if player == 0 else -1
    mage = scene.unit(player, wizard(4, "heavens"), (36, 36), models=1, facing=(NORTH, SOUTH)[player])
    scene.unit(1 - player, None, (36, 36 + sign * 12), models=20, files=10)
    scene.unit(1 - player, wizard(2), (8, 36 + sign * 34), models=1, items=["Brag's Mystic Shield"])
    known = knowing({mage: "Comet of Casandora"})
    dice = [6, 6, *[1] * 6, 5, 5, 5, 5, 1, 1]
    battle = scene.battle("magic", player=player, dice=dice, set_state=known, detail="full")
    cast(battle, mage, "Comet of Casandora", dice=0)
    if kind(battle) == "spell-place":
        choose(battle, "cell", slots(battle, "cell")[0])
    assert kind(battle) == "spell-dice"
    choose(battle, "number", 3)
    while kind(battle) in ("dispel-by", "spell-version"):
        choose(battle, *(("done",) if kind(battle) == "dispel-by" else ("option", slots(battle, "option")[0])))
    assert kind(battle) != "use-item" and sound(battle)
    assert told(battle, "wap.lore.heavens.comet-of-casandora")


@PLAYERS
@pytest.mark.rule("wap.item.arcane.rod-of-power", "wap.lore.death.purple-sun-of-xereus.later-moves")
def test_dice_are_kept_after_vortices_have_moved(player: int) -> None:
    """The Sun that was cast in an earlier phase moves at the end of this one; then the rod keeps the dice left over."""
    scene, sign = RegimentScene((72, 72)), 1 if player == 0 else -1
    mage = scene.unit(
        player, wizard(4, "death"), (36, 36), models=1, items=["Rod of Power"], facing=(NORTH, SOUTH)[player]
    )
    scene.unit(1 - player, None, (8, 36 + sign * 30), models=5)
    name, place = "The Purple Sun of Xereus", (36, 36 + sign * 8)

    def cast_before(battle: Battle) -> None:
        knowing({mage: name})(battle)
        put_mark(battle, row_of(battle, mage, name), 0, *place, radius=1.5)
        battle.omens.fresh[0] = 0

    battle = scene.battle("magic", player=player, dice=[6, 6, *[1] * 4], set_state=cast_before, detail="full")
    while kind(battle) != "store-dice":
        assert (battle.omens.x[0], battle.omens.y[0]) == place and sound(battle)
        choose(battle, "done")
    assert (battle.omens.x[0], battle.omens.y[0]) != place and sound(battle)
    choose(battle, "number", 2)
    assert sorted(battle.items.charge)[-1] == 3 and sound(battle)
