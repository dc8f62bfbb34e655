"""Sivejir's Hex Scroll: an enemy wizard becomes a toad, and himself again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from arcana import Duel, duel
from heroes import HORSE
from wizards import cast, offered_spells

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.carried import Moment, usable
from wh_env.rulesets.wap.basics.effects import is_bare
from wh_env.rulesets.wap.basics.forms import other_form
from wh_env.rulesets.wap.basics.special_rules import models_have
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import CHARACTERISTICS, FRONT, MOUNTS
from wh_env.rulesets.wap.magic.dispelling import who_can
from wh_env.rulesets.wap.magic.in_play import end_spell, in_play
from wh_env.rulesets.wap.magic.toads import toads_of
from wh_env.rulesets.wap.magic.wizards import channellers
from wh_env.rulesets.wap.rule_book import FEAR, WARD_SAVE
from wh_env.rulesets.wap.view.tell import sentence
from wh_env.rulesets.wap.weapons.arms import NO_SAVE, outfit_of, weapon_of
from wh_env.rulesets.wap.weapons.saves import armour_save, wards_against
from wh_env.testing import choose, dice_left, kind, pick, script, told, words
from wh_env.testing.wap import UnitHandle

PLAYERS = pytest.mark.parametrize("player", [0, 1])
JOINS = pytest.mark.parametrize("joins", [False, True])
HEX = "Sivejir's Hex Scroll"
RULE = "wap.item.arcane.sivejirs-hex-scroll"
ARMOURED = {
    "equipment": ["heavy armour", "shield", "halberd (polearm)"],
    "w": 3,
    "m": 5,
    "ws": 4,
    "bs": 4,
    "s": 4,
    "t": 4,
    "i": 4,
}


def hexed(
    player: int, die: int, *own: str, joins: bool = False, spell: str = "Stroke", on: str = "target", **fields: Any
) -> Duel:
    """A Level 3 wizard with items has cast a spell, and the enemy's scroll was used; this is his roll."""
    mage = {**ARMOURED, **fields.pop("mage", {})}
    d = duel(player, own, [HEX], level=3, joins=joins, mage=mage, **fields)
    script(d.battle, [5, 5])
    cast(d.battle, d.mage, spell, getattr(d, on), 2)
    while kind(d.battle) in ("use-item", "spell-version"):
        choose(d.battle, *(("done",) if kind(d.battle) == "use-item" else ("option", 0)))
    assert kind(d.battle) == "dispel-by"
    script(d.battle, [*([1, 1] if spell == "Stroke" else []), die])
    pick(d.battle, f"uses {HEX}")
    return d


def values(battle: Battle, unit: UnitHandle) -> list[int]:
    """The characteristics of a unit's first fighting profile."""
    line = battle.units.first_line[unit]
    return [int(getattr(battle.lines, name)[line]) for name in CHARACTERISTICS]


def sound(battle: Battle) -> bool:
    """Whether the battle may be stored and loaded again."""
    return list(Validator(battle.setup).faults(battle)) == []


def to_magic(battle: Battle, player: int, until: str = "shake-off") -> None:
    """Play on to the next Magic phase of a player; nobody does anything. All dice show a 3, which is no toad's 4."""
    seen = battle.clock.turn[0]
    for _ in range(400):
        if battle.clock.turn[0] != seen and battle.clock.turn[0] == player and kind(battle) == until:
            return
        if battle.clock.turn[0] != player:
            seen = battle.clock.turn[0]
        script(battle, [1] * 30)
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    raise AssertionError("no such question")


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.sivejirs-hex-scroll", "wap.item.arcane.replaces-dispel")
def test_a_wizard_of_level_3_who_rolls_4_is_a_toad(player: int, joins: bool) -> None:
    """After his spell has been resolved: 1 in every characteristic but Wounds, no saves, nothing but his hands. In his
    next Magic phase his player rolls 3, and one turn later 4: from that phase on he is himself."""
    d = hexed(player, 4, "Talisman of Preservation", joins=joins)
    battle, mage = d.battle, d.mage
    assert dice_left(battle) == 0 and sound(battle)
    kinds = [event.kind for event in battle.events if event.kind in ("spell hits", "may become a toad")]
    assert kinds == ["spell hits", "may become a toad"]
    assert values(battle, mage) == [1, 1, 1, 1, 1, 3, 1, 1, 1]
    assert armour_save(battle, mage.row) == NO_SAVE and weapon_of(battle, mage.row).name == "hand weapon"
    assert wards_against(battle, mage.row, 4, FRONT, 0) == [] and not models_have(battle, mage.row, WARD_SAVE)
    assert kind(battle) != "cast-by" or offered_spells(battle, mage) == []
    for die in (3, 4):
        to_magic(battle, player)
        assert battle.clock.player[0] == player and battle.clock.subject[0] == mage.row and sound(battle)
        assert mage.row not in channellers(battle, player)
        script(battle, [die, 5, 5, *[6] * 3, *[1] * 4])
        choose(battle, "option", 0)
        assert is_bare(battle, mage.row) == (die == 3) and sound(battle)
    assert values(battle, mage) == [5, 4, 4, 4, 4, 3, 4, 3, 9] and armour_save(battle, mage.row) < NO_SAVE
    assert [ward.save for ward in wards_against(battle, mage.row, 4, FRONT, 0)] == [4]
    assert mage.row in channellers(battle, player) and "Stroke" in offered_spells(battle, mage)
    events = [event for event in battle.events if event.rule == RULE]
    name = mage.regiment.name
    assert [sentence(battle, event) for event in events] == [
        f"{d.rival.regiment.name} uses {HEX}",
        f"{name} becomes a toad (rolled 4, 3 or less needed)",
        f"{name} stays a toad (rolled 3, 4+ needed)",
        f"{name} is itself again (rolled 4, 4+ needed)",
    ]


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.sivejirs-hex-scroll")
def test_a_wizard_of_level_3_who_rolls_3_resists(player: int, joins: bool) -> None:
    d = hexed(player, 3, joins=joins)
    assert not is_bare(d.battle, d.mage.row) and values(d.battle, d.mage)[0] == 5 and sound(d.battle)
    assert "Curse" in offered_spells(d.battle, d.mage)
    assert told(d.battle, RULE)[-1] == {"unit": d.mage.row, "die": 3, "needed": 3, "result": 0}


@PLAYERS
@JOINS
@pytest.mark.rule("wap.item.arcane.sivejirs-hex-scroll")
def test_the_toad_is_undone_exactly(player: int, joins: bool) -> None:
    """All tables of units, models, profiles and effects are those of a wizard who has resisted."""
    toad, free = (hexed(player, die, "Dawnstone", joins=joins) for die in (4, 3))
    assert values(toad.battle, toad.mage) != values(free.battle, free.mage)
    for d in (toad, free):
        if kind(d.battle) == "cast-by":
            choose(d.battle, "done")
    to_magic(toad.battle, player)
    script(toad.battle, [4, *[3] * 20])
    choose(toad.battle, "option", 0)
    line = slice(toad.battle.units.first_line[toad.mage.row], toad.battle.units.first_line[toad.mage.row] + 2)
    for name in (*CHARACTERISTICS, *[f"more_{name}" for name in CHARACTERISTICS]):
        ours, theirs = (d.battle.lines.rows[name][line] for d in (toad, free))
        assert np.array_equal(ours, theirs)
    assert toad.battle.effects.rows.tobytes() == free.battle.effects.rows.tobytes()
    assert toad.battle.units.lost_rules[toad.mage] == free.battle.units.lost_rules[free.mage]


@PLAYERS
@pytest.mark.rule("wap.item.arcane.sivejirs-hex-scroll")
def test_its_player_need_not_roll(player: int) -> None:
    d = hexed(player, 6)
    to_magic(d.battle, player)
    assert list(words(d.battle).values()) == [
        f"{d.mage.regiment.name} stays a toad",
        f"{d.mage.regiment.name} tries to be itself again",
    ]
    script(d.battle, [5, 5, *[1] * 9])
    choose(d.battle, "done")
    assert is_bare(d.battle, d.mage.row) and len(told(d.battle, RULE)) == 2


@PLAYERS
@pytest.mark.rule("wap.item.arcane.sivejirs-hex-scroll")
def test_it_is_rolled_for_by_default(player: int) -> None:
    d = hexed(player, 6, detail="squad")
    for _ in range(60):
        if len(told(d.battle, RULE)) > 2:
            break
        script(d.battle, [4] * 40)
        d.battle.apply(0 if d.battle.legal()[0] else d.battle.first_legal())
    assert told(d.battle, RULE)[2] == {"unit": d.mage.row, "die": 4, "needed": 4, "result": 1}


@PLAYERS
@pytest.mark.rule("wap.item.arcane.sivejirs-hex-scroll")
def test_the_toad_s_magic_items_do_nothing_and_it_may_lead_a_dispel(player: int) -> None:
    """Its scroll is not offered, its wand adds nothing; half its level counts."""
    d = hexed(player, 5, "Dispel Scroll")
    battle = d.battle
    assert usable(battle, player, Moment.ENEMY_SPELL) == []
    battle.pools.dice[player] = 3
    assert d.mage.row in who_can(battle, player, [])


@PLAYERS
@pytest.mark.rule("wap.item.arcane.sivejirs-hex-scroll")
def test_spells_in_play_go_on(player: int) -> None:
    d = hexed(player, 5, spell="Cloak", on="guard", joins=True)
    assert len(in_play(d.battle)) == 1 and is_bare(d.battle, d.mage.row)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.sivejirs-hex-scroll")
def test_a_slain_toad_is_over(player: int) -> None:
    d = hexed(player, 5)
    slay(d.battle, d.mage.model())
    assert not is_bare(d.battle, d.mage.row) and (d.battle.effects.effect[0] < 0) and sound(d.battle)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.sivejirs-hex-scroll")
def test_rules_of_his_nature_stay(player: int) -> None:
    d = hexed(player, 5, mage={"rules": ["Fear", "Ward Save (5+)"]})
    assert models_have(d.battle, d.mage.row, FEAR)
    assert [ward.save for ward in wards_against(d.battle, d.mage.row, 4, FRONT, 0)] == [5]


@PLAYERS
@pytest.mark.rule("wap.item.arcane.sivejirs-hex-scroll")
def test_a_mounted_toad_keeps_its_horse_and_shoots_no_bow(player: int) -> None:
    """Played on at random, the battle can be stored at every question."""
    kit = ["heavy armour", "bow", "halberd (polearm)", "additional hand weapon"]
    card = {"type": "cavalry", "base_mm": [25.4, 50.8], "mount": HORSE, "equipment": kit, "w": 3}
    d = hexed(player, 6, "Wand of Jet", mage=card, lists="hidden")
    battle, row = d.battle, d.mage.row
    lines = range(battle.units.first_line[row], battle.units.first_line[row] + battle.units.lines[row])
    assert [int(battle.lines.m[line]) for line in lines if battle.lines.kind[line] == MOUNTS] == [8]
    assert outfit_of(battle, row).missiles == () and armour_save(battle, row) == NO_SAVE
    rng = np.random.default_rng(player)
    for step in range(250):
        if battle.over:
            break
        battle.apply(int(rng.choice(np.flatnonzero(battle.legal()))))
        assert step % 10 or sound(battle)


@PLAYERS
@pytest.mark.rule("wap.item.arcane.sivejirs-hex-scroll")
def test_who_has_changed_his_form_is_hexed_in_it(player: int) -> None:
    """A wizard who has become a monster by the spell: its characteristics are 1; back in his own form he is a toad."""
    d = duel(player, (), [HEX], level=4, lore="beasts", spells="Transformation of Kadon", winds=(6, 6))
    battle, form = d.battle, other_form(d.battle, d.mage.row)
    script(battle, [5, 5, 5, 5])
    cast(battle, d.mage, "Transformation of Kadon", None, 4)
    while kind(battle) == "spell-version":
        choose(battle, "option", 0)
    script(battle, [5])
    pick(battle, f"uses {HEX}")
    assert battle.units.alive[form] and is_bare(battle, form) and sound(battle)
    assert int(battle.lines.s[battle.units.first_line[form]]) == 1
    end_spell(battle, in_play(battle)[0], "wap.magic.rip.end")
    assert is_bare(battle, d.mage.row) and values(battle, d.mage)[:5] == [1] * 5 and not is_bare(battle, form)
    assert toads_of(battle, player).keys() == {d.mage.row} and sound(battle)
