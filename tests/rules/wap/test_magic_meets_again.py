"""More meetings of magic with other rules: standards of who has no equipment, spells of which two are on one unit,
hits of a push, questions that a net asks, dice of fate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from heroes import hero
from lore_hits import Field, amounts
from lore_hits import wizard as caster_of
from wizards import cast, knowing, offered_spells, wizard

from tests.spell_scenes import Circle, end_magic, hits
from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.allies.relations import bearers_of, generals_of
from wh_env.rulesets.wap.basics.effects import Bares, On, begin_effect, effect_of, effects_of, end_effect, rows_in_use
from wh_env.rulesets.wap.basics.forms import other_form
from wh_env.rulesets.wap.basics.traps import flees_or_pursues
from wh_env.rulesets.wap.characters.joining import stand_in
from wh_env.rulesets.wap.codes import KNOWN, LEFT
from wh_env.rulesets.wap.commands.standards import capture_of_army
from wh_env.rulesets.wap.magic.shapes import turn_into
from wh_env.rulesets.wap.magic.spells import spells_of
from wh_env.rulesets.wap.morale.army_leaders import has_battle_standard, holds_ground, presence
from wh_env.testing import choose, dice_left, kind, pick, script, told
from wh_env.testing.wap import RegimentScene, UnitHandle, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])
CAGE, THORNS, NET, KADON = "Fulminating Flame Cage", "Shield of Thorns", "Net of Amyntok", "Transformation of Kadon"
CALM = ["Immunity (Panic)"]


def number_of(battle: Battle, name: str, on: On) -> int:
    """The number of an effect by its name and the models that it acts on."""
    return next(n for n, effect in enumerate(effects_of(battle)) if effect.name == name and effect.on is on)


# ---------------------------------------------------------------- standards, Generals and other forms


@PLAYERS
@pytest.mark.parametrize("monster", [False, True])
@pytest.mark.rule(
    "wap.item.arcane.sivejirs-hex-scroll",
    "wap.lore.beasts.transformation-of-kadon.limits",
    "wap.general.bsb.combat-result",
    "wap.general.bsb.hold-your-ground",
)
def test_the_standard_of_the_army_does_nothing_without_its_bearer_s_equipment(player: int, monster: bool) -> None:
    """A toad or a monster bears none: no point for it, no tests rolled again; in his own form he does again."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    unit = scene.unit(player, None, (36, 36), models=20, files=10)
    shaman = scene.unit(player, wizard(4, "beasts"), inside=unit, models=1, leads=["battle standard"])
    near = scene.unit(player, None, (30, 36 - sign * 6), models=5)
    rival = scene.unit(1 - player, wizard(4, "beasts"), (36, 36 + sign * 20), models=1, items=["Sivejir's Hex Scroll"])
    known = knowing({shaman: KADON})
    battle = scene.battle("magic", player=player, dice=[6, 6, *[1] * 8], detail="full", set_state=known)

    def helps() -> tuple[bool, bool, bool]:
        return has_battle_standard(battle, unit.row), holds_ground(battle, unit.row), holds_ground(battle, near.row)

    assert helps() == (True, True, True)
    if monster:
        script(battle, [5, 5, 5])
        cast(battle, shaman, KADON, None, 3)
        pick(battle, "let it be")
        assert battle.units.alive[other_form(battle, shaman.row)]
    else:
        toad = next(
            n for n, effect in enumerate(effects_of(battle)) if any(isinstance(p, Bares) for p in effect.powers)
        )
        begin_effect(battle, toad, shaman.row, 1 - player, rival.row)
    assert helps() == (False, False, False)
    if not monster:
        end_effect(battle, next(iter(rows_in_use(battle))))
        assert helps() == (True, True, True)


@PLAYERS
@pytest.mark.rule(
    "wap.lore.beasts.transformation-of-kadon.limits", "wap.ally.general-and-standard", "wap.victory.standards"
)
def test_leaders_of_allied_armies_lead_in_another_form_too(player: int) -> None:
    """A General as a monster lends its Leadership of 8; the standard of a bearer who falls as one is captured."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    for book in ("Empire", "Dwarfs"):
        scene.army(player, book, "order")
    card = {"card": wizard(4, "beasts", ld=5), "models": 1}
    general = scene.unit(player, at=(30, 36), army=0, leads=["general"], **card)
    bearer = scene.unit(player, at=(40, 36), army=1, leads=["battle standard"], **card)
    friend = scene.unit(player, square(ld=4), (30, 36 - sign * 6), models=5, army=0)
    scene.unit(1 - player, None, (36, 36 + sign * 20), models=10)
    known = knowing({general: KADON, bearer: KADON})
    battle = scene.battle("magic", player=player, dice=[6, 6, *[1] * 9], detail="full", set_state=known)
    assert presence(battle, friend.row) == 5
    form, other = (other_form(battle, unit.row) for unit in (general, bearer))
    assert turn_into(battle, general.row, form) and turn_into(battle, bearer.row, other)
    assert generals_of(battle, player) == (form,) and presence(battle, friend.row) == 8
    battle.units.alive[other] = 0
    capture_of_army(battle, other)
    assert battle.players.battle_standard[1 - player] == 1 and bearers_of(battle, player) == (bearer.row,)


# ---------------------------------------------------------------- two spells of one name on one unit


@PLAYERS
@pytest.mark.rule("wap.magic.same-spell", "wap.lore.life.shield-of-thorns")
def test_thorns_on_a_unit_and_on_a_hero_in_it_stab_once(player: int) -> None:
    place = Circle("life", player)
    friend = place.friend(square(t=6), (16, 24), models=10, files=5, facing=0.0)
    foes = [place.scene.beside(friend, 1 - player, square(t=6), side=side, models=5) for side in (0, LEFT)]
    lord = place.hero(True, hero(w=3), friend, 2)
    battle = place.battle()
    place.cast(battle, THORNS, [4, 4], target=friend)
    begin_effect(battle, number_of(battle, THORNS, On.BESIDES), lord.row, player, place.wizard.row)
    end_magic(battle, [4, 4, *[1] * 8, 1, 2, *[1] * 30])
    assert hits(battle) == {foes[0].row: 8, foes[1].row: 3}


def caged(player: int, on_unit: bool, on_hero: bool) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit of ten and a hero two inches beside it, in cages or not, in the Movement phase of their player."""
    scene = RegimentScene(size=(72, 72))
    unit = scene.unit(player, square(rules=CALM), (36, 36), models=10, files=5)
    lord = scene.unit(player, hero(w=3, rules=CALM), (42, 36), models=1, facing=unit.facing)
    mage = scene.unit(1 - player, caster_of("fire", 5), (8, 8), models=1)

    def state(battle: Battle) -> None:
        for there, target, on in ((on_unit, unit, On.UNIT), (on_hero, lord, On.BESIDES)):
            if there:
                begin_effect(battle, number_of(battle, CAGE, on), target.row, 1 - player, mage.row)

    return scene.battle("movement", player=player, set_state=state), unit, lord


def burnt(battle: Battle) -> list[tuple[int, int]]:
    """(unit, hits) for each unit that a cage has burnt."""
    found = told(battle, "wap.lore.fire.flame-cage")
    return [(event["unit"], event["amount"]) for event in found if "target" not in event]


@PLAYERS
@pytest.mark.rule("wap.magic.same-spell", "wap.lore.fire.flame-cage.trap")
def test_cages_on_a_unit_and_on_a_hero_in_it_burn_once(player: int) -> None:
    battle, unit, lord = caged(player, True, True)
    stand_in(battle, lord.row, unit.row, 0, "wap.character.join.types")
    script(battle, [1] * 20)
    flees_or_pursues(battle, unit.row)
    assert burnt(battle) == [(unit.row, 10), (lord.row, 1)] and not list(rows_in_use(battle))


@PLAYERS
@pytest.mark.rule("wap.lore.fire.flame-cage.trap", "wap.character.join.procedure")
def test_a_hero_in_a_cage_who_joins_a_unit_is_burnt_alone(player: int) -> None:
    """He has moved, the unit has not; its own cage stays."""
    battle, unit, lord = caged(player, True, True)
    choose(battle, "own", lord.number)
    pick(battle, "advances")
    script(battle, [6] * 4)
    choose(battle, "own", unit.number)
    while kind(battle) == "hero-place":
        battle.apply(battle.first_legal())
    assert battle.units.bodyguard[lord] == unit.row and burnt(battle) == [(lord.row, 1)]
    assert battle.models.wounds[lord.model()] == 2
    assert [battle.effects.unit[k] for k in rows_in_use(battle)] == [unit.row]


@PLAYERS
@pytest.mark.rule("wap.lore.fire.flame-cage.trap", "wap.character.combined.reposition")
def test_a_hero_who_changes_places_moves_his_unit_in_the_cage(player: int) -> None:
    scene = RegimentScene(size=(72, 72))
    unit = scene.unit(player, square(rules=CALM), (36, 36), models=9, files=5)
    lord = scene.unit(player, hero(w=3, rules=CALM), inside=unit, post=2, models=1)
    mage = scene.unit(1 - player, caster_of("fire", 5), (8, 8), models=1)

    def state(battle: Battle) -> None:
        begin_effect(battle, number_of(battle, CAGE, On.UNIT), unit.row, 1 - player, mage.row)

    battle = scene.battle("movement", player=player, set_state=state)
    choose(battle, "own", lord.number)
    pick(battle, "takes another place")
    script(battle, [1] * 30)
    while kind(battle) == "hero-place":
        battle.apply(battle.first_legal())
    assert burnt(battle) == [(unit.row, 9), (lord.row, 1)] and not list(rows_in_use(battle))


# ---------------------------------------------------------------- hits of a push


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.wind-blast.collision", "wap.character.lone.look-out-sir")
def test_nobody_looks_out_for_who_is_blown_into_a_unit(player: int) -> None:
    """Two hits on him, of which one wounds, and three on the unit."""
    field = Field(player, caster_of("heavens", 2))
    lord = field.enemy(hero(w=3, rules=CALM), (24, 24), models=1)
    field.enemy(square(rules=CALM), (20, 24), models=5, files=5)
    wall = field.enemy(square(rules=CALM), (24, 28.5), models=10, files=5)
    battle = field.battle()
    field.cast(battle, "Wind Blast", lord, [6, 6, 2, 6, 1, 3, 6, 1, 1])
    assert amounts(battle, "wap.lore.heavens.wind-blast") == [2, 3] and not told(
        battle, "wap.character.lone.look-out-sir"
    )
    assert battle.models.wounds[lord.model()] == 2 and battle.units.alive[wall] == 9 and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.wind-blast", "wap.character.lone.look-out-sir", "wap.building.magic.no-protection")
def test_comrades_look_out_for_a_hero_in_a_building_that_the_wind_strikes(player: int) -> None:
    """He cannot be pushed; of two hits they take one."""
    field = Field(player, caster_of("heavens", 2))
    field.area("building", 22, 24, 26, 28, storeys=1)
    lord = field.enemy(hero(w=3, rules=CALM), None, models=1, garrison=0)
    comrades = field.enemy(square(rules=CALM), (18, 26), models=6, files=3)
    battle = field.battle(detail="full")
    field.cast(battle, "Wind Blast", lord, [1, 1, 2])
    script(battle, [4, 6, 6])
    pick(battle, "looks out")
    pick(battle, "takes the hit")
    assert [event["result"] for event in told(battle, "wap.character.lone.look-out-sir")] == [1]
    assert battle.models.wounds[lord.model()] == 2 and battle.units.alive[comrades] == 5


def fated(field: Field, battle: Battle, spell: str, target: UnitHandle, then: Sequence[int]) -> None:
    """Cast a spell; its wizard, who may roll a die again, lets those of the casting roll stand."""
    battle.wizards.fate[field.caster] = 1
    field.cast(battle, spell, target, then)
    assert kind(battle) == "fate-die"
    choose(battle, "done")
    while kind(battle) in ("spell-version", "dispel-by"):
        choose(battle, *(("option", 0) if kind(battle) == "spell-version" else ("done",)))


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.attribute", "wap.lore.heavens.wind-blast.collision")
def test_a_die_of_the_hits_of_a_push_may_be_rolled_again(player: int) -> None:
    """The unit behind the target takes two hits in place of four."""
    field = Field(player, caster_of("heavens", 2))
    field.enemy(square(rules=CALM), (24, 28.5), models=10, files=5)
    target = field.enemy(square(rules=CALM), (24, 24), models=5, files=5)
    battle = field.battle()
    fated(field, battle, "Wind Blast", target, [6, 6, 1, 4])
    assert kind(battle) == "fate-die"
    script(battle, [2, *[1] * 3])
    pick(battle, "shows 4 again")
    assert amounts(battle, "wap.lore.heavens.wind-blast") == [2, 1]


@PLAYERS
@pytest.mark.rule("wap.lore.heavens.attribute", "wap.lore.metal.gehennas-golden-hounds", "wap.magic.attribute")
def test_a_die_of_the_hits_on_a_single_model_may_be_rolled_again(player: int) -> None:
    """A wizard of two lores whose fate is known lets the hounds loose: a 1 becomes a 4."""
    field = Field(player, hero(wizard={"level": 4, "lores": ["heavens", "metal"], "together": 2}, ld=8))
    lord = field.enemy(hero(w=3, t=3), (24, 22), models=1)
    battle = field.battle(set_state=lambda battle: battle.spellbook.rows["known"].fill(KNOWN))
    fated(field, battle, "Gehenna's", lord, [1])
    assert kind(battle) == "fate-die"
    script(battle, [4, *[1] * 4])
    pick(battle, "shows 1 again")
    assert amounts(battle, "wap.lore.metal.gehennas-golden-hounds") == [4] and dice_left(battle) == 0


# ---------------------------------------------------------------- others


@PLAYERS
@pytest.mark.parametrize("detail", ["full", "squad"])
@pytest.mark.rule("wap.lore.light.net-of-amyntok", "wap.magic.cast.once")
def test_who_is_caught_in_a_net_does_not_go_on_to_another_spell(player: int, detail: str) -> None:
    """The hits cost his unit a model of a single rank, so that its player is asked which end is shortened."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    unit = scene.unit(player, square(rules=CALM), (36, 36), models=5, files=6)
    mage = scene.unit(player, wizard(4, "beasts", spells=[0, 1], rules=CALM), inside=unit, models=1)
    scene.unit(1 - player, square(), (36, 36 + sign * 15), models=20, files=10)
    rival = scene.unit(1 - player, wizard(4, "light"), (8, 36 + sign * 30), models=1)

    def state(battle: Battle) -> None:
        begin_effect(battle, number_of(battle, NET, On.UNIT), unit.row, 1 - player, rival.row)

    battle = scene.battle("magic", player=player, dice=[6, 6, *[1] * 8], detail=detail, set_state=state)
    choose(battle, "own", mage.number)
    script(battle, [6, 1, 6])
    pick(battle, "Flock of Doom")
    assert not list(Validator(battle.setup).faults(battle))
    while kind(battle) != "cast-by":
        battle.apply(battle.first_legal())
    assert battle.units.alive[unit] == 4 and dice_left(battle) == 0
    assert offered_spells(battle, mage) == ["Wyssan's Wildform"]


@PLAYERS
@pytest.mark.rule("wap.lore.metal.searing-doom", "wap.character.shooting.few-left")
def test_doom_wounds_a_hero_on_his_own_save(player: int) -> None:
    """Four soldiers with a save of 6+ and a hero with 3+: of five hits each takes one; a 3 wounds him alone."""
    field = Field(player, caster_of("metal", 0))
    unit = field.enemy(square(equipment=["hand weapon", "light armour"], ld=10), (24, 24), models=4, files=5)
    arms: dict[str, Any] = {"equipment": ["hand weapon", "full plate armour"], "w": 3}
    lord = field.scene.unit(1 - player, hero(**arms), inside=unit, models=1)
    battle = field.battle()
    field.cast(battle, "Searing Doom", unit, [5, 3, 3, 3, 3, 3])
    assert battle.models.wounds[lord.model()] == 2 and battle.units.alive[unit] == 4
    assert not [k for k in rows_in_use(battle) if effect_of(battle, k).name]


@pytest.mark.rule("wap.lore.general.eight-lores")
def test_spells_are_called_as_players_call_them() -> None:
    """Their names are no titles of the catalogue, which parts some of them into clauses."""
    for lore in ("fire", "metal", "life", "beasts", "heavens", "light", "shadow", "death"):
        field = Field(0, caster_of(lore))
        field.enemy()
        assert not [spell.name for spell in spells_of(field.battle()) if set("(,:") & set(spell.name)]
