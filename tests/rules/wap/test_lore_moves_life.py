"""The Lore of Life: its attribute, Regrowth, the Throne of Vines and what it does to other spells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.heroes import hero
from tests.machines import machine
from tests.moving_spells import cast, knows, mage, to_casting
from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.blocks import derive
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.contacts import foes_of
from wh_env.rulesets.wap.basics.effects import granted
from wh_env.rulesets.wap.basics.profiles import characteristic
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import STANDARD
from wh_env.rulesets.wap.magic.in_play import end_spell, in_play
from wh_env.rulesets.wap.rule_book import FEAR, REGENERATION
from wh_env.rulesets.wap.view.ledger import Ledger
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])
OGRES = {"type": "monstrous infantry", "base_mm": (40, 40), "points": 30, "profile": {**square()["profile"], "w": 3}}
HORSE = {"m": 8, "ws": 3, "bs": 0, "s": 3, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 5}
RIDERS = {"type": "cavalry", "base_mm": [25.4, 50.8], "mount": HORSE}
QUIET = (6, 6, 1, 1)  # twelve power dice, and two dice that channel nothing


def scene_with(
    card: Any = None,
    *,
    player: int = 0,
    models: int = 15,
    lost: int = 5,
    at: tuple[float, float] = (24, 20),
    **fields: Any,
) -> tuple[RegimentScene, UnitHandle, UnitHandle]:
    """A wizard of the Lore of Life, a unit of his, and an enemy far away."""
    scene = RegimentScene()
    unit = scene.unit(player, card, at, models=models, lost=lost, facing=NORTH, **{"files": 5, **fields})
    wizard = scene.unit(player, mage("life"), (34, 20), models=1, files=1, facing=NORTH)
    scene.unit(1 - player, None, (4, 46 if player == 0 else 2), models=5)
    return scene, unit, wizard


def regrown(
    scene: RegimentScene,
    unit: UnitHandle,
    wizard: UnitHandle,
    dice: Sequence[int],
    *,
    then: Any = None,
    detail: str = "squad",
) -> Battle:
    """The battle after Regrowth was cast on a unit with a result of 10."""
    knowing = knows((wizard, "Regrowth"), (wizard, "Flesh to Stone"))  # which he could cast next

    def apply(battle: Battle) -> None:
        knowing(battle)
        if then is not None:
            then(battle)

    battle = scene.battle("magic", player=unit.player, dice=[*QUIET, 4, 5, *dice], set_state=apply, detail=detail)
    cast(battle, wizard, "Regrowth", unit)
    return battle


@PLAYERS
@pytest.mark.parametrize(("die", "back"), [(1, 2), (2, 2), (4, 3), (5, 4), (6, 4)])
@pytest.mark.rule("wap.lore.life.regrowth")
def test_a_unit_recovers_a_d3_and_one_of_lost_models(player: int, die: int, back: int) -> None:
    battle = regrown(*scene_with(player=player), [die])
    assert battle.units.alive[0 if player == 0 else 1] == 15 + back
    assert dice_left(battle) == 0 and list(Validator(battle.setup).faults(battle)) == []


@PLAYERS
@pytest.mark.rule("wap.lore.life.regrowth")
def test_no_unit_has_more_models_than_at_the_start(player: int) -> None:
    scene, unit, wizard = scene_with(player=player, models=19, lost=1)
    battle = regrown(scene, unit, wizard, [6])
    assert battle.units.alive[unit.row] == 20


@PLAYERS
@pytest.mark.rule("wap.lore.life.regrowth")
def test_riders_count_as_two(player: int) -> None:
    """Of three Wounds one rider comes back, and the rest is lost."""
    scene, unit, wizard = scene_with(square(**RIDERS), player=player, models=10, lost=5)
    battle = regrown(scene, unit, wizard, [4])
    assert battle.units.alive[unit.row] == 11


@PLAYERS
@pytest.mark.rule("wap.lore.life.regrowth")
def test_characters_recover_nothing_of_it(player: int) -> None:
    """Neither one in the unit nor one by himself; what the attribute gives back is not asked of the hurt one."""
    scene, unit, wizard = scene_with(player=player)
    captain = scene.unit(player, hero(w=3), models=1, inside=unit)
    alone = scene.unit(player, hero(w=3), (32, 26), models=1, files=1, facing=NORTH)

    def hurt(battle: Battle) -> None:
        battle.models.wounds[captain.model()] = battle.models.wounds[alone.model()] = 1

    battle = regrown(scene, unit, wizard, [4], then=hurt)
    assert battle.units.alive[unit.row] == 18
    assert sum(battle.models.wounds[each.model()] for each in (captain, alone)) == 3  # one Wound of the attribute
    battle = scene.battle("magic", player=player, dice=[*QUIET, 4, 5, 6], set_state=knows((wizard, "Regrowth")))
    battle.models.wounds[alone.model()] = 1
    cast(battle, wizard, "Regrowth", alone)
    assert battle.models.wounds[alone.model()] == 2  # of the attribute alone


@PLAYERS
@pytest.mark.parametrize(("dice", "named", "acts"), [((4, 5), True, False), ((5, 5), True, True)])
@pytest.mark.rule("wap.lore.life.regrowth")
def test_the_boosted_version_reaches_twice_as_far(player: int, dice: tuple[int, int], named: bool, acts: bool) -> None:
    """A unit 30 inches away: 4 + 5 + 1 cast the base version, which does not reach it, 5 + 5 + 1 the other."""
    scene = RegimentScene()
    unit = scene.unit(player, None, (5, 20), models=10, lost=5, files=5, facing=NORTH)
    wizard = scene.unit(player, mage("life"), (38, 20), models=1, files=1, facing=NORTH)
    scene.unit(1 - player, None, (44, 46 if player == 0 else 2), models=5)
    battle = scene.battle("magic", player=player, dice=[*QUIET, *dice, 1], set_state=knows((wizard, "Regrowth")))
    cast(battle, wizard, "Regrowth", unit, version=1)
    assert (battle.units.alive[unit.row] > 10) is acts


@PLAYERS
@pytest.mark.rule("wap.lore.life.regrowth.order")
def test_the_champion_returns_first_then_wounds_are_healed(player: int) -> None:
    """Of six ogres four are left, the champion is dead and one has one Wound; four Wounds come back."""
    scene, unit, wizard = scene_with(OGRES, player=player, models=6, lost=0, files=3, command=("champion",))

    def dead(battle: Battle) -> None:
        for at in (0, 5):
            battle.models.alive[unit.model(at)] = battle.models.wounds[unit.model(at)] = 0
        battle.units.alive[unit.row] -= 2
        battle.models.wounds[unit.model(4)] = 1
        derive(battle, unit.row)

    battle = regrown(scene, unit, wizard, [5], then=dead)
    m = battle.models
    hurt = m.wounds[unit.model(4)]
    assert (m.alive[unit.model(0)], m.wounds[unit.model(0)], battle.units.alive[unit.row]) == (1, 3, 5)
    assert hurt == 3  # one of the spell, one of the attribute: nobody else is hurt
    assert [event["model"] for event in told(battle, "wap.lore.life.attribute")] == [unit.model(4)]


@PLAYERS
@pytest.mark.rule("wap.lore.life.regrowth.order")
def test_what_is_left_brings_ordinary_models_back_one_after_the_other(player: int) -> None:
    """Two ogres of six are dead, nobody is hurt: four Wounds are a whole ogre and one of one Wound."""
    scene, unit, wizard = scene_with(OGRES, player=player, models=4, lost=2, files=3)
    battle = regrown(scene, unit, wizard, [6])
    assert battle.units.alive[unit.row] == 6
    assert sorted(battle.models.wounds[unit.model(n)] for n in (4, 5)) == [2, 3]  # the attribute gives one more


@PLAYERS
@pytest.mark.rule("wap.lore.life.regrowth.order")
def test_a_unit_in_combat_grows_at_its_rear_as_long_as_its_formation_is_lawful(player: int) -> None:
    scene, unit, wizard = scene_with(player=player, models=12, lost=5)
    foe = scene.beside(unit, 1 - player, models=5)
    battle = regrown(scene, unit, wizard, [6])
    assert battle.units.alive[unit.row] == 16 and battle.units.files[unit.row] == 5
    assert foes_of(battle, unit.row) == [foe.row]
    assert list(Validator(battle.setup).faults(battle)) == []
    scene, unit, wizard = scene_with(player=player, models=12, lost=5)
    foe = scene.beside(unit, 1 - player, models=5)
    scene.unit(player, None, (24, 16.5), models=5, files=5, facing=NORTH)  # half an inch behind it
    battle = regrown(scene, unit, wizard, [6])
    assert battle.units.alive[unit.row] == 15
    assert foes_of(battle, unit.row) == [foe.row]


@PLAYERS
@pytest.mark.rule("wap.lore.life.regrowth.order")
def test_a_unit_grows_no_nearer_to_others_than_an_inch(player: int) -> None:
    """Fifteen in three ranks are an inch and a half before another unit: a fourth rank has no room."""
    scene, unit, wizard = scene_with(player=player, models=13, lost=7)
    scene.unit(player, None, (24, 15.5), models=5, files=5, facing=NORTH)
    battle = regrown(scene, unit, wizard, [6])
    assert battle.units.alive[unit.row] == 15


@PLAYERS
@pytest.mark.rule("wap.lore.life.regrowth")
def test_a_garrison_recovers_models(player: int) -> None:
    scene = RegimentScene()
    scene.area("building", 20, 18, 25, 23, storeys=2)
    unit = scene.unit(player, None, garrison=0, models=10, lost=5)
    wizard = scene.unit(player, mage("life"), (34, 20), models=1, files=1, facing=NORTH)
    scene.unit(1 - player, None, (4, 46 if player == 0 else 2), models=5)
    battle = regrown(scene, unit, wizard, [4])
    assert battle.units.alive[unit.row] == 13


# ---------------------------------------------------------------- the attribute


def bloom(
    player: int, gap: float, *, dice: Sequence[int] = (4, 5), detail: str = "full", inside: bool = False
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A wizard with one of two Wounds and a hero with two of three, after Flesh to Stone with these dice."""
    scene = RegimentScene()
    wizard = scene.unit(player, mage("life"), (24, 20), models=1, files=1, facing=NORTH)
    if inside:
        unit = scene.unit(player, None, (24 + gap + 5.5, 20), models=9, files=9, facing=NORTH)
        other = scene.unit(player, hero(w=3), models=1, inside=unit, post=9)
    else:
        other = scene.unit(player, hero(w=3), (24 + gap + 1, 20), models=1, files=1, facing=NORTH)
    scene.unit(1 - player, None, (4, 46 if player == 0 else 2), models=5)

    def hurt(battle: Battle) -> None:
        knows((wizard, "Flesh to Stone"))(battle)
        battle.models.wounds[wizard.model()], battle.models.wounds[other.model()] = 1, 2

    battle = scene.battle("magic", player=player, dice=[*QUIET, *dice], set_state=hurt, detail=detail)
    cast(battle, wizard, "Flesh to Stone", wizard)
    return battle, wizard, other


def wounds(battle: Battle, *units: UnitHandle) -> list[int]:
    """The Wounds of characters."""
    return [battle.models.wounds[unit.model()] for unit in units]


@PLAYERS
@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.rule("wap.lore.life.attribute")
def test_the_wizard_or_a_friend_near_him_recovers_one_wound(player: int, which: int) -> None:
    battle, *units = bloom(player, 10.0)
    assert (kind(battle), battle.clock.player[0]) == ("recover-wound", player)
    assert slots(battle, "own") == sorted(unit.number for unit in units) and not slots(battle, "done")
    choose(battle, "own", units[which].number)
    assert wounds(battle, *units) == [2 - which, 2 + which]


@PLAYERS
@pytest.mark.parametrize(("gap", "asked"), [(12.0, True), (12.1, False)])
@pytest.mark.rule("wap.lore.life.attribute")
def test_a_friend_farther_than_12_inches_does_not(player: int, gap: float, asked: bool) -> None:
    battle, *units = bloom(player, gap)
    assert (kind(battle) == "recover-wound") is asked
    if not asked:
        assert wounds(battle, *units) == [2, 2]


@PLAYERS
@pytest.mark.rule("wap.lore.life.attribute")
def test_a_hero_in_a_unit_recovers_where_he_stands(player: int) -> None:
    battle, wizard, other = bloom(player, 1.0, inside=True)
    assert slots(battle, "own") == sorted((wizard.number, other.number))


@PLAYERS
@pytest.mark.rule("wap.lore.life.attribute")
@pytest.mark.rule("wap.troop.war-machine.unit-strength")
def test_the_crew_of_a_machine_that_recovers_counts_again(player: int) -> None:
    """The machine has the Unit Strength of its crew; a state in which it has not is refused when it is loaded."""
    scene = RegimentScene()
    cannon = scene.unit(player, machine("cannon"), (30, 24), models=1, files=1, facing=NORTH)
    target = scene.unit(player, None, (40, 24), models=5)
    wizard = scene.unit(player, mage("life"), (34, 20), models=1, files=1, facing=NORTH)
    scene.unit(1 - player, None, (4, 46 if player == 0 else 2), models=5)
    battle = scene.battle("magic", player=player, dice=[*QUIET, 5, 6], set_state=knows((wizard, "Flesh to Stone")))
    battle.models.wounds[cannon.model()] = 1
    derive(battle, cannon.row)
    cast(battle, wizard, "Flesh to Stone", target)
    assert battle.models.wounds[cannon.model()] == battle.units.us[cannon.row] == 2
    assert Validator(battle.setup).fault(battle) is None


@PLAYERS
@pytest.mark.rule("wap.lore.life.attribute")
@pytest.mark.rule("wap.magic.miscast.r10")
def test_a_wound_that_is_recovered_is_lost_again_in_a_miscast(player: int) -> None:
    """The attribute acts before the miscast; both are accounted for."""
    scene, unit, wizard = scene_with(player=player)
    battle = scene.battle(
        "magic", player=player, dice=[*QUIET, 1, 1, 5, 5, 6, 2], set_state=knows((wizard, "Flesh to Stone"))
    )
    battle.models.wounds[wizard.model()] = 1
    ledger = Ledger(battle)
    cast(battle, wizard, "Flesh to Stone", unit, dice=4)
    assert told(battle, "wap.lore.life.attribute") and told(battle, "wap.magic.miscast.r10")
    assert wounds(battle, wizard) == [1] and ledger.faults() == []


@PLAYERS
@pytest.mark.rule("wap.lore.life.attribute")
def test_a_spell_that_fails_or_is_dispelled_gives_no_wound_and_the_dead_stay_dead(player: int) -> None:
    battle, *units = bloom(player, 10.0, dice=(1, 2))
    assert wounds(battle, *units) == [1, 2]
    scene, unit, wizard = scene_with(player=player)
    battle = scene.battle("magic", player=player, dice=[*QUIET, 4, 5], set_state=knows((wizard, "Flesh to Stone")))
    cast(battle, wizard, "Flesh to Stone", unit)
    assert battle.units.alive[unit.row] == 15 and not told(battle, "wap.lore.life.attribute")
    scene, unit, wizard = scene_with(player=player)
    battle = scene.battle(
        "magic", player=player, dice=[*QUIET, 4, 5, 6, 6, 6, 6], set_state=knows((wizard, "Flesh to Stone"))
    )
    battle.models.wounds[wizard.model()] = 1
    to_casting(battle)
    choose(battle, "own", wizard.number)
    pick(battle, "Flesh to Stone (")
    if kind(battle) == "spell-target":
        choose(battle, "own", unit.number)
    choose(battle, "number", 1)
    choose(battle, "option", 0)
    choose(battle, "number", 1)
    assert wounds(battle, wizard) == [1] and not told(battle, "wap.lore.life.attribute")


# ---------------------------------------------------------------- the throne


def enthroned(
    player: int, dice: Sequence[int], *spells: str, wizard_at: tuple[float, float] = (32, 20)
) -> tuple[Battle, list[UnitHandle], UnitHandle]:
    """Two units and a wizard of level 4 who knows the Throne of Vines and other spells."""
    scene = RegimentScene()
    units = [scene.unit(player, None, (x, 20), models=10, lost=7, files=5, facing=NORTH) for x in (16, 24)]
    wizard = scene.unit(player, mage("life", 4), wizard_at, models=1, files=1, facing=NORTH)
    scene.unit(1 - player, None, (4, 46 if player == 0 else 2), models=5)
    known = [(wizard, name) for name in ("Throne of Vines", *spells)]
    battle = scene.battle(
        "magic", player=player, dice=[6, 6, 1, 1, 1, 1, *dice], set_state=knows(*known), detail="full"
    )
    return battle, units, wizard


def toughness(battle: Battle, unit: UnitHandle) -> int:
    """The Toughness of a unit now."""
    return characteristic(battle, battle.units.first_line[unit.row], "t")


@PLAYERS
@pytest.mark.rule("wap.lore.life.throne-of-vines.empowered-spells")
def test_spells_cast_after_the_throne_are_stronger(player: int) -> None:
    """Toughness 5 before it and 6 after it; Regrowth gives a D6 and one."""
    battle, units, wizard = enthroned(player, [4, 4, 4, 3, 4, 5, 5], "Flesh to Stone")
    cast(battle, wizard, "Flesh to Stone", units[0])
    cast(battle, wizard, "Throne of Vines")
    assert [toughness(battle, unit) for unit in units] == [5, 3]
    for row in range(len(battle.spellbook.tried)):
        battle.spellbook.tried[row] = 0
    cast(battle, wizard, "Flesh to Stone", units[1])
    assert [toughness(battle, unit) for unit in units] == [5, 6]
    battle, units, wizard = enthroned(player, [4, 4, 4, 5, 5], "Regrowth")
    cast(battle, wizard, "Throne of Vines")
    cast(battle, wizard, "Regrowth", units[0])
    assert battle.units.alive[units[0].row] == 16


@PLAYERS
@pytest.mark.parametrize("throne", [False, True])
@pytest.mark.rule("wap.lore.life.throne-of-vines.empowered-spells")
def test_earth_blood_regenerates_better_on_the_throne(player: int, throne: bool) -> None:
    """5+ and 6+ for another unit become 4+ and 5+."""
    dice = [4, 4] * throne + [4, 4, 4, 4]
    battle, units, wizard = enthroned(player, dice, "Earth Blood", "Flesh to Stone", wizard_at=(26, 27))
    if throne:
        cast(battle, wizard, "Throne of Vines")
    for target, save in ((wizard, 5), (units[1], 6)):
        cast(battle, wizard, "Earth Blood", target)
        assert granted(battle, target.row, REGENERATION) == (f"{save - throne}+",)
        for row in range(len(battle.spellbook.tried)):
            battle.spellbook.tried[row] = 0


@PLAYERS
@pytest.mark.parametrize("fate", [0, 1])
@pytest.mark.rule("wap.lore.life.throne-of-vines.empowered-spells")
def test_awakening_of_the_wood_is_stronger_on_the_throne(player: int, fate: int) -> None:
    """Strength 5 against Toughness 3, also after the number of its hits was rolled again."""
    scene = RegimentScene()
    wizard = scene.unit(player, mage("life", 4), (24, 20), models=1, files=1, facing=NORTH)
    foe = scene.unit(1 - player, None, (24, 32), models=10, files=5)
    known = knows((wizard, "Throne of Vines"), (wizard, "Awakening of the Wood"))
    hits = [1, 3] if fate else [3]
    battle = scene.battle(
        "magic", player=player, dice=[6, 6, 1, 1, 1, 1, 4, 4, 4, 4, *hits, 1, 1, 2], set_state=known, detail="full"
    )
    cast(battle, wizard, "Throne of Vines")
    to_casting(battle)
    battle.wizards.fate[wizard.row] = fate
    cast(battle, wizard, "Awakening of the Wood", foe)
    if fate:
        choose(battle, "option", 0)
    [rolled] = told(battle, "wap.shoot.wound.roll")
    assert (rolled["target"], rolled["amount"], rolled["needed"], rolled["result"]) == (foe.row, 3, 2, 1)


@PLAYERS
@pytest.mark.parametrize(("throne", "needed"), [(False, 6), (True, 5)])
@pytest.mark.rule("wap.lore.life.throne-of-vines.empowered-spells")
def test_thorns_are_sharper_on_the_throne(player: int, throne: bool, needed: int) -> None:
    """Strength 3 wounds Toughness 5 on 6+, Strength 4 on 5+."""
    scene, tough = RegimentScene(), square(t=5, rules=["Immunity (Panic)"])
    wizard = scene.unit(player, mage("life", 4), (32, 20), models=1, files=1, facing=NORTH)
    unit = scene.unit(player, tough, (24, 20), models=10, files=5, facing=NORTH)
    foe = scene.beside(unit, 1 - player, tough, models=5)
    known = [(wizard, name) for name in ("Throne of Vines", "Shield of Thorns", "Flesh to Stone")]
    dice = [*[4, 4] * throne, 4, 5, 1, 2]
    battle = scene.battle(
        "magic", player=player, dice=[6, 6, 1, 1, 1, 1, *dice], set_state=knows(*known), detail="full"
    )
    if throne:
        cast(battle, wizard, "Throne of Vines")
    cast(battle, wizard, "Shield of Thorns", unit)
    choose(battle, "done")
    rolled = told(battle, "wap.shoot.wound.roll")[0]
    assert (rolled["target"], rolled["amount"], rolled["needed"]) == (foe.row, 3, needed)


@PLAYERS
@pytest.mark.rule("wap.lore.life.throne-of-vines")
@pytest.mark.parametrize(("die", "saved"), [(4, True), (3, False), (6, True), (1, False)])
def test_a_miscast_on_the_throne_is_ignored_on_a_4(player: int, die: int, saved: bool) -> None:
    """The spell itself is cast with 1, 1 and 5; the table is rolled on with a D6 and 3."""
    battle, units, wizard = enthroned(player, [4, 4, 1, 1, 5, die, 5], "Flesh to Stone")
    cast(battle, wizard, "Throne of Vines")
    assert len(in_play(battle)) == 1
    cast(battle, wizard, "Flesh to Stone", units[0], dice=3)
    assert toughness(battle, units[0]) == 6
    miscasts = told(battle, "wap.magic.miscast.r8")
    assert bool(miscasts) is not saved
    if not saved:
        assert (miscasts[0]["die"], miscasts[0]["result"]) == (5, 8)
    [rolled] = told(battle, "wap.lore.life.throne-of-vines")[-1:]
    assert (rolled["die"], rolled["result"]) == (die, int(saved))


@PLAYERS
@pytest.mark.rule("wap.lore.life.throne-of-vines")
def test_the_throne_protects_its_wizard_alone_and_ends_with_the_spell(player: int) -> None:
    battle, units, wizard = enthroned(player, [4, 4, 1, 1, 5, 5], "Flesh to Stone")
    cast(battle, wizard, "Throne of Vines")
    to_casting(battle)
    end_spell(battle, in_play(battle)[0], "wap.magic.rip.end")
    cast(battle, wizard, "Flesh to Stone", units[0], dice=3)
    assert toughness(battle, units[0]) == 5 and told(battle, "wap.magic.miscast.r8")


@PLAYERS
@pytest.mark.rule("wap.lore.life.regrowth.order", "wap.item.general.banner-access")
@pytest.mark.parametrize("lists", ["open", "hidden"])
def test_a_restored_standard_bearer_brings_his_magic_banner_back(player: int, lists: str) -> None:
    """The banner ends with him, acts again with him, and ends again."""
    scene = RegimentScene(rules={"lists": lists})
    unit = scene.unit(
        player, None, (24, 20), models=3, files=3, command=["champion", "standard"], banner="Dread Banner"
    )
    wizard = scene.unit(player, mage("life"), (34, 20), models=1, files=1, facing=NORTH)
    scene.unit(1 - player, None, (4, 46 if player == 0 else 2), models=5)
    battle = scene.battle("magic", player=player, dice=QUIET, set_state=knows((wizard, "Regrowth")))
    bearer, soldier = unit.model(1), unit.model(2)
    assert battle.models.role[bearer] == STANDARD and has(battle, unit.row, FEAR)
    for model in (soldier, bearer):
        slay(battle, model)
    assert not has(battle, unit.row, FEAR)
    script(battle, [5, 5, 1])
    cast(battle, wizard, "Regrowth", unit)
    assert battle.models.alive[bearer] and has(battle, unit.row, FEAR)
    assert list(Validator(battle.setup).faults(battle)) == []
    slay(battle, bearer)
    assert not has(battle, unit.row, FEAR)
