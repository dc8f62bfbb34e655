"""The Transformation of Kadon: a wizard turns into a monster and back."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import rider
from lore_hits import PLAYERS, Field, wizard

from wh_env import Battle
from wh_env.core.tables import ATTACHED, DESTROYED, ON_TABLE, RESERVE
from wh_env.rulesets.wap.basics.effects import rows_in_use
from wh_env.rulesets.wap.basics.forms import as_it_is, has_changed, other_form
from wh_env.rulesets.wap.battle.victory import points_of
from wh_env.rulesets.wap.casualties.removing import strike_down
from wh_env.rulesets.wap.codes import FRONT, MONSTER
from wh_env.rulesets.wap.magic.may_cast import castable
from wh_env.rulesets.wap.magic.wizards import channellers, dispellers
from wh_env.rulesets.wap.special.breath import breaths_of
from wh_env.rulesets.wap.special.flying import can_fly, flight_of
from wh_env.rulesets.wap.validity import contradictions
from wh_env.rulesets.wap.weapons.saves import wards_against
from wh_env.testing import choose, kind, script, slots, told, words
from wh_env.testing.wap import square

KADON, RULE, LIMITS = (
    "Transformation of Kadon",
    "wap.lore.beasts.transformation-of-kadon",
    "wap.lore.beasts.transformation-of-kadon.limits",
)
PROFILE = {"m": 6, "ws": 6, "bs": 0, "s": 6, "t": 6, "w": 6, "i": 3, "a": 5, "ld": 8}


def shaman(**values: Any) -> dict[str, Any]:
    """A wizard of Beasts who knows the Transformation and the Amber Spear."""
    card: dict[str, Any] = wizard("beasts", 3, 6, **values)
    return card


def changed(field: Field, battle: Battle) -> int:
    """The row of the form of the caster after he has cast the spell."""
    field.cast(battle, KADON)
    row = other_form(battle, field.caster.row)
    assert not list(contradictions(battle))
    assert has_changed(battle, field.caster.row) and as_it_is(battle, field.caster.row) == row
    return row


def line(battle: Battle, unit: int) -> dict[str, int]:
    """The characteristics of a unit's models now."""
    row = battle.units.first_line[unit]
    return {name: getattr(battle.lines, name)[row] for name in PROFILE}


@pytest.mark.rule("wap.lore.beasts.transformation-of-kadon")
@PLAYERS
def test_the_wizard_becomes_a_monster_that_flies_and_breathes(player: int) -> None:
    field = Field(player, shaman(equipment=["hand weapon", "light armour"]))
    field.enemy(None, (24, 40))
    battle = field.battle(detail="full")
    form = changed(field, battle)
    u, own = battle.units, field.caster.row
    assert line(battle, form) == PROFILE and u.kind[form] == MONSTER
    assert u.place[form] == ON_TABLE and u.place[own] == RESERVE and not battle.models.on_table[field.caster.model()]
    assert battle.models.wounds[u.first[form]] == 6 and can_fly(battle, form) and flight_of(battle, form) == 7
    assert breaths_of(battle, form) == ("S4, Flaming Attacks",)
    assert u.us[form] == 6 and u.owner[form] == player
    assert (u.x[form], u.y[form], u.facing[form]) == (u.x[own], u.y[own], u.facing[own])


@pytest.mark.rule("wap.lore.beasts.transformation-of-kadon")
@PLAYERS
def test_a_mounted_wizard_cannot_cast_it(player: int) -> None:
    field = Field(player, rider(wizard={"level": 4, "lores": ["beasts"], "spells": [3, 6]}))
    target = field.enemy(None, (24, 30))
    battle = field.battle(detail="full")
    names = [
        battle.setup.statics["spells"][battle.spellbook.spell[row]].name for row in castable(battle, field.caster.row)
    ]
    assert names == ["The Amber Spear"] and other_form(battle, field.caster.row) == -1 and battle.units.alive[target]


@pytest.mark.rule("wap.lore.beasts.transformation-of-kadon.limits")
@PLAYERS
def test_wounds_are_kept_for_each_form(player: int) -> None:
    """At 1 of 2 Wounds; as a monster he loses 4 of 6; then he has 1 again, and as a monster all 6 the next time."""
    field = Field(player, shaman(w=2))
    field.enemy(None, (24, 40))

    def hurt(battle: Battle) -> None:
        battle.models.wounds[field.caster.model()] = 1

    battle = field.battle(detail="full", set_state=hurt)
    form = changed(field, battle)
    strike_down(battle, battle.units.first[form], 4)
    assert battle.models.wounds[battle.units.first[form]] == 2 and battle.models.wounds[field.caster.model()] == 1
    until_ending(battle)
    assert asked(battle) == player and f"end {KADON}" in words(battle).values()
    choose(battle, "option", 0)
    assert battle.models.wounds[field.caster.model()] == 1 and battle.units.place[field.caster] == ON_TABLE
    assert not has_changed(battle, field.caster.row) and battle.units.place[form] == DESTROYED
    assert not list(rows_in_use(battle))
    until_casting(battle, player)
    assert changed(field, battle) == form and battle.models.wounds[battle.units.first[form]] == 6


def until_casting(battle: Battle, player: int) -> None:
    """Play on with the default answers until a player casts, who has dice for any spell."""
    while not (kind(battle) == "cast-by" and asked(battle) == player and battle.clock.turn[0] == player):
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    battle.pools.dice[player], battle.pools.dice[1 - player] = 12, 0


def asked(battle: Battle) -> int:
    """The player who is asked."""
    assert battle.decision is not None
    return battle.decision.player


def until_ending(battle: Battle) -> None:
    """Play on with the default answers until a player is asked about a spell in play."""
    while kind(battle) != "end-spell" and not battle.over:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert kind(battle) == "end-spell"


@pytest.mark.rule("wap.lore.beasts.transformation-of-kadon.limits")
@PLAYERS
def test_he_may_end_it_at_the_start_of_each_magic_phase_of_either_player(player: int) -> None:
    field = Field(player, shaman())
    field.enemy(None, (24, 40))
    battle = field.battle(detail="full")
    changed(field, battle)
    for turn in (1 - player, player):
        until_ending(battle)
        assert asked(battle) == player and battle.clock.turn[0] == turn
        choose(battle, "done")
        assert has_changed(battle, field.caster.row)


@pytest.mark.rule("wap.lore.beasts.transformation-of-kadon.limits")
@PLAYERS
def test_as_a_monster_he_neither_channels_casts_nor_dispels_and_has_no_equipment(player: int) -> None:
    field = Field(player, square())
    card = shaman(rules=["Ward Save (5+)"], equipment=["hand weapon", "light armour", "shield"])
    field.caster = field.own(card, (32, 12), models=1, files=1, items=["Talisman of Preservation"])
    target = field.enemy(None, (24, 30))
    battle = field.battle(detail="full")
    own = field.caster.row
    assert own in channellers(battle, player) and own in dispellers(battle, player)
    assert min(ward.save for ward in wards_against(battle, own, 3, FRONT, 0)) == 4
    form = changed(field, battle)
    assert wards_against(battle, form, 3, FRONT, 0) == []
    assert not channellers(battle, player) and not dispellers(battle, player)
    assert not castable(battle, own) and not castable(battle, form)
    outfit = battle.setup.statics["outfits"][form]
    assert not outfit.worn and [weapon.name for weapon in outfit.weapons] == ["hand weapon"]
    assert kind(battle) != "cast-by" and battle.units.alive[target]


@pytest.mark.rule("wap.lore.beasts.transformation-of-kadon.limits")
@PLAYERS
@pytest.mark.parametrize("own", [25.4, 25.0, 20.0])
def test_in_a_unit_he_stays_and_the_unit_is_rearranged(player: int, own: float) -> None:
    field = Field(player, shaman(base_mm=[own, own]))
    host = field.own(square(base_mm=[own, own]), (10, 14), models=20, files=5)
    field.caster.at, field.caster.inside = None, host
    field.enemy(None, (24, 40))
    battle = field.battle(detail="full")
    u = battle.units
    assert u.place[field.caster] == ATTACHED and u.block[host] == 21
    form = changed(field, battle)
    assert u.place[form] == ATTACHED and u.bodyguard[form] == host.row and u.place[field.caster] == RESERVE
    assert (u.block[host], u.beside[form]) == ((24, 0) if own == 25.0 else (20, u.beside[form]))
    assert u.us[host] == 20 + 6 and battle.models.on_table[u.first[form]]
    assert not list(contradictions(battle))
    until_ending(battle)
    choose(battle, "option", 0)
    assert u.place[field.caster] == ATTACHED and u.bodyguard[field.caster] == host.row and u.block[host] == 21
    assert u.bodyguard[form] == -1 and u.us[host] == 21


@pytest.mark.rule("wap.lore.beasts.transformation-of-kadon.limits")
@PLAYERS
def test_without_room_the_spell_fails(player: int) -> None:
    """Friends stand about him on all sides, an inch away."""
    field = Field(player, shaman())
    for x, y in ((24 - 3.6, 13), (24 + 3.6, 13), (24, 9.8), (24, 14.2)):
        field.own(None, (x, y), models=3, files=3)
    field.enemy(None, (24, 40))
    battle = field.battle(detail="full")
    before = [getattr(battle, name).rows.copy() for name in ("units", "models", "parts")]
    field.cast(battle, KADON)
    assert not has_changed(battle, field.caster.row) and not list(rows_in_use(battle))
    assert [event for event in battle.events if event.kind == "finds no room"]
    for name, rows in zip(("models", "parts"), before[1:], strict=True):
        assert (getattr(battle, name).rows == rows).all()


@pytest.mark.rule("wap.lore.beasts.transformation-of-kadon.limits")
@PLAYERS
def test_in_a_building_there_is_no_room_for_a_monster(player: int) -> None:
    field = Field(player, shaman())
    spot = field.spot((24, 12))
    field.scene.area("building", spot[0] - 3, spot[1] - 3, spot[0] + 3, spot[1] + 3, storeys=1)
    field.caster.at, field.caster.garrison = None, 0
    field.enemy(None, (24, 40))
    battle = field.battle(detail="full")
    field.cast(battle, KADON)
    assert not has_changed(battle, field.caster.row) and [e for e in battle.events if e.kind == "finds no room"]


@pytest.mark.rule("wap.lore.beasts.transformation-of-kadon.limits")
@PLAYERS
def test_if_the_monster_dies_so_does_the_wizard(player: int) -> None:
    field = Field(player, shaman(points=100))
    field.own(None, (40, 12), models=10)
    field.enemy(None, (24, 40))
    battle = field.battle(detail="full")
    form = changed(field, battle)
    assert points_of(battle, field.caster.row) == ("", 0)
    strike_down(battle, battle.units.first[form], 6)
    u = battle.units
    assert u.place[form] == u.place[field.caster] == DESTROYED and not u.alive[field.caster]
    assert not list(rows_in_use(battle)) and points_of(battle, field.caster.row)[1] == 100
    assert points_of(battle, form) == ("", 0)


@pytest.mark.rule("wap.lore.beasts.transformation-of-kadon.limits")
@PLAYERS
def test_in_combat_he_goes_on_fighting_as_a_monster(player: int) -> None:
    field = Field(player, shaman())
    foe = field.enemy(None, (24, 12))
    battle = field.battle(detail="full")
    assert battle.units.fights[field.caster] == 1
    form = changed(field, battle)
    assert battle.units.fights[form] == battle.units.fights[foe] == 1 and battle.units.fights[field.caster] == 0
    until_ending(battle)
    if battle.units.alive[form] and battle.units.fights[form]:
        choose(battle, "option", 0)
        assert battle.units.fights[field.caster] == 1


@pytest.mark.rule("wap.lore.beasts.transformation-of-kadon")
@PLAYERS
def test_the_enemy_may_dispel_it_in_later_magic_phases(player: int) -> None:
    field = Field(player, shaman())
    field.enemy(None, (24, 40))
    battle = field.battle(detail="full")
    changed(field, battle)
    until_ending(battle)
    choose(battle, "done")
    assert kind(battle) == "cast-by" and asked(battle) == 1 - player
    assert f"dispel {KADON}" in words(battle).values()
    script(battle, [6, 6, 6, 6, 6, 6])
    choose(battle, "option", 0)
    if kind(battle) == "dispel-by":
        choose(battle, "option", 0)
    if kind(battle) == "dispel-dice":
        choose(battle, "number", max(slots(battle, "number")))
    assert not has_changed(battle, field.caster.row) and told(battle, "wap.magic.rip.dispel")
