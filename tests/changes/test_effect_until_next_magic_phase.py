"""A change try: a spell-like effect on a unit until the next Magic phase is one row of data
(``basics.effects.Effect``).

No spell is cast in the game yet, so no test here shows a rule of the catalogue; they are named where one is followed.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from heroes import hero

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.effects import Effect, On, Until, begin_effect, end_effect
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.basics.special_rules import line_parameters, lose, models_have, parameters
from wh_env.rulesets.wap.casualties.removing import remove_unit
from wh_env.rulesets.wap.characters.joining import stand_in
from wh_env.rulesets.wap.characters.stepping_out import step_out
from wh_env.rulesets.wap.codes import PHASE_NAMES, Phase
from wh_env.rulesets.wap.rule_book import (
    ARMOUR_PIERCING,
    FEAR,
    FLY,
    FRENZY,
    HATRED,
    IMMUNITY,
    REGENERATION,
    TERROR,
)
from wh_env.rulesets.wap.special.flying import can_fly
from wh_env.rulesets.wap.special.psychology import frightened_by
from wh_env.rulesets.wap.weapons.blows import blow_of, hates, rerolls_of
from wh_env.testing import told
from wh_env.testing.wap import RegimentScene, UnitHandle, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
# a spell is a row
FURY = Effect("Fury of the Hills", grants=(FRENZY.of(), ARMOUR_PIERCING.of("1")))
DREAD = Effect("Mask of Dread", grants=(TERROR.of(),))
STONE = Effect("Skin of Stone", changes=(("t", 2), ("m", -1)))
ROT = Effect("Rot", changes=(("t", -2), ("s", -9)))
MENDING = Effect("Mending", On.MODELS, Until.PHASE, grants=(REGENERATION.of("4+"),))
SPITE = Effect("Spite", until=Until.TURN, grants=(HATRED.of("Orcs"),))
AEGIS = Effect("Aegis", On.BESIDES, Until.BATTLE, changes=(("t", 1),), while_caster_lives=True)
WEBS = Effect("Webs", takes=(FLY,))
EFFECTS = (FURY, DREAD, STONE, ROT, MENDING, SPITE, AEGIS, WEBS)


def number_of(effect: Effect) -> int:
    return EFFECTS.index(effect)


def scene_of(
    owner: int,
    phase: str = "shooting",
    *,
    rules: tuple[str, ...] = (),
    effects: tuple[Effect, ...] = EFFECTS,
    run: bool = False,
) -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle]:
    """A unit with a hero in it, in contact with an enemy; a friend stands far off. It is its player's turn."""
    scene = RegimentScene(effects=effects)
    unit = scene.unit(owner, square(rules=list(rules)), (24, 24), models=10, files=5)
    lord = scene.unit(owner, hero(rules=list(rules)), inside=unit, models=1)
    foe = scene.beside(unit, 1 - owner, square(w=9), models=10, files=5)
    scene.unit(owner, None, (44, 4 if owner == 0 else 44), models=5)
    return scene.battle(phase, player=owner, run=run), unit, lord, foe


def attacks(battle: Battle, unit: UnitHandle, line_of: UnitHandle, foe: UnitHandle) -> int:
    return blow_of(battle, unit.row, battle.units.first_line[line_of], foe.row).attacks


@OWNERS
def test_a_rule_for_a_combined_unit_until_the_next_magic_phase(owner: int) -> None:
    """It is there through the enemy's whole turn and the player's next Movement phase, for soldiers and hero; then
    nobody has it (wap.lore.general.until-next-magic-phase)."""
    battle, unit, lord, foe = scene_of(owner)
    plain = [attacks(battle, unit, one, foe) for one in (unit, lord)]
    assert begin_effect(battle, number_of(FURY), unit.row, owner)
    under = [attacks(battle, unit, one, foe) for one in (unit, lord)]
    assert under == [count + 1 for count in plain]
    assert "Fury of the Hills" in battle.setup.ruleset.states(battle, unit.row)
    assert told(battle, "wap.magic.resolve")[0]["name"] == "Fury of the Hills"
    begun, seen = battle.clock.round[0], set()
    battle.run()
    while not battle.over and battle.clock.round[0] <= begun + 1:
        acts = number_of(FURY) in battle.effects.effect.tolist()
        if battle.units.alive[unit] and battle.units.alive[lord]:
            kept = [acts and not battle.units.lost_rules[one] for one in (unit, lord)]
            assert [models_have(battle, one.row, FRENZY) for one in (unit, lord)] == kept
            assert has(battle, unit.row, FRENZY) is any(kept)
        seen.add((int(battle.clock.round[0]), bool(battle.clock.turn[0] == owner), acts))
        battle.apply(battle.first_legal())
    assert {(begun, True, True), (begun, False, True), (begun + 1, False, False)} <= seen
    events = [event for event in battle.events if event.kind in ("phase", "is free of an effect")]
    at = [event.kind for event in events].index("is free of an effect")
    assert events[at].data == {"unit": unit.row, "name": FURY.name}
    assert events[at + 1].data == {"phase": PHASE_NAMES[Phase.MAGIC], "player": owner, "round": begun + 1}


@OWNERS
def test_what_it_gives_is_seen_in_play(owner: int) -> None:
    battle, unit, lord, foe = scene_of(owner)
    assert not has(battle, unit.row, FEAR) and not frightened_by(battle, foe.row, unit.row)
    begin_effect(battle, number_of(DREAD), unit.row, owner)
    assert has(battle, unit.row, FEAR) and models_have(battle, lord.row, TERROR)
    assert frightened_by(battle, foe.row, unit.row)
    begin_effect(battle, number_of(FURY), unit.row, owner)
    line = battle.units.first_line[lord]
    assert blow_of(battle, unit.row, line, foe.row).piercing == 1 and models_have(battle, unit.row, IMMUNITY)
    assert line_parameters(battle, line, ARMOUR_PIERCING) == ("1",)
    lose(battle, lord.row, FRENZY)  # as who is beaten does
    assert not models_have(battle, lord.row, FRENZY) and has(battle, unit.row, FRENZY)


@OWNERS
def test_all_is_undone_exactly(owner: int) -> None:
    """With every effect begun and ended the state is as before, byte for byte; a copy that was made under them has them
    still."""
    battle, unit, lord, _ = scene_of(owner, "movement", rules=("Fly (8)",), run=True)
    before = battle.state_bytes()
    for number in range(len(EFFECTS)):
        assert begin_effect(battle, number, unit.row, owner, lord.row)
        assert not begin_effect(battle, number, unit.row, owner)  # wap.magic.same-spell
    under = battle.state_bytes()
    assert under != before
    assert list(Validator(battle.setup).faults(battle)) == []
    copy = battle.clone()
    for k in range(len(EFFECTS)):
        end_effect(battle, k)
    assert battle.state_bytes() == before and copy.state_bytes() == under
    assert has(copy, unit.row, FRENZY) and not has(battle, unit.row, FRENZY)


@OWNERS
def test_a_character_who_leaves_is_free_of_it_and_who_joins_comes_under_it(owner: int) -> None:
    battle, unit, lord, _ = scene_of(owner)
    t, m = battle.lines.t, battle.lines.m
    lines = [battle.units.first_line[one] for one in (unit, lord)]
    begin_effect(battle, number_of(STONE), unit.row, owner)
    assert [t[line] for line in lines] == [5, 5] and movement_of(battle, unit.row) == 3.0
    assert [m[line] for line in lines] == [3, 4]  # his is that of the unit while he is in it
    step_out(battle, lord.row)
    assert [t[line] for line in lines] == [5, 3]
    stand_in(battle, lord.row, unit.row, 0, "wap.character.join.types")
    assert [t[line] for line in lines] == [5, 5]


@OWNERS
def test_what_a_wizard_gives_himself_and_his_unit_goes_with_him(owner: int) -> None:
    """wap.magic.type.augment.leaving"""
    battle, unit, lord, _ = scene_of(owner)
    t, friend = battle.lines.t, lord.row + 1
    lines = [battle.units.first_line[row] for row in (unit.row, lord.row, friend)]
    begin_effect(battle, number_of(AEGIS), lord.row, owner, lord.row)
    assert [t[line] for line in lines] == [4, 4, 3]
    step_out(battle, lord.row)
    assert [t[line] for line in lines] == [3, 4, 3]
    stand_in(battle, lord.row, friend, 0, "wap.character.join.types")
    assert [t[line] for line in lines] == [3, 4, 4]
    remove_unit(battle, friend)  # and him with it
    assert battle.effects.effect.tolist().count(-1) == len(battle.effects.effect)


@OWNERS
def test_changes_add_up_within_limits(owner: int) -> None:
    """wap.magic.type.cumulative"""
    battle, unit, _, _ = scene_of(owner)
    line = battle.units.first_line[unit]
    begin_effect(battle, number_of(ROT), unit.row, 1 - owner)
    assert (battle.lines.t[line], battle.lines.s[line]) == (1, 1)
    begin_effect(battle, number_of(STONE), unit.row, owner)
    assert battle.lines.t[line] == 3


@OWNERS
def test_other_ends_and_other_scopes(owner: int) -> None:
    battle, unit, lord, foe = scene_of(owner)
    begin_effect(battle, number_of(MENDING), unit.row, owner)
    begin_effect(battle, number_of(SPITE), unit.row, owner)
    assert parameters(battle, unit.row, REGENERATION) == ("4+",) and not parameters(battle, lord.row, REGENERATION)
    line = battle.units.first_line[unit]
    assert not hates(battle, line, foe.row)  # who is no Orc
    left = []
    battle.run()
    while not battle.over and battle.clock.turn[0] == owner:
        left.append((int(battle.clock.phase[0]), sum(number >= 0 for number in battle.effects.effect.tolist())))
        battle.apply(battle.first_legal())
    assert set(left) <= {(Phase.SHOOTING, 1), (Phase.COMBAT, 1)} and left
    assert all(number < 0 for number in battle.effects.effect.tolist())


@OWNERS
def test_wings_that_an_effect_takes_away_come_back(owner: int) -> None:
    battle, unit, _, _ = scene_of(owner, rules=("Fly (8)",))
    assert can_fly(battle, unit.row) and has(battle, unit.row, FLY)
    begin_effect(battle, number_of(WEBS), unit.row, 1 - owner)
    assert not can_fly(battle, unit.row) and not has(battle, unit.row, FLY)
    end_effect(battle, 0)
    assert can_fly(battle, unit.row) and has(battle, unit.row, FLY)


@OWNERS
def test_hatred_that_comes_late_counts_from_the_next_round_on(owner: int) -> None:
    hatred = Effect("Grudge", grants=(HATRED.of(),))
    battle, unit, _, foe = scene_of(owner, effects=(hatred,))
    line = battle.units.first_line[unit]
    battle.units.rounds[unit] = 2
    assert rerolls_of(battle, unit.row, line, foe.row).failed == 0
    begin_effect(battle, 0, unit.row, owner)
    assert rerolls_of(battle, unit.row, line, foe.row).failed == 1
    end_effect(battle, 0)
    assert rerolls_of(battle, unit.row, line, foe.row).failed == 0 and not battle.units.fresh_rules[unit]


def test_battles_without_effects_have_no_rows_and_no_room_runs_out_silently() -> None:
    battle = Battle.load("wap/open-skirmish", 1)
    assert len(battle.effects.rows) == 0
    scene = RegimentScene(effects=[replace(FURY, name=f"Fury {n}") for n in range(9)])
    unit = scene.unit(0, None, (24, 10))
    crowded = scene.battle("shooting", run=False)
    for number in range(4):
        begin_effect(crowded, number, unit.row, 0)
    with pytest.raises(LookupError, match="the table has 4 rows"):
        begin_effect(crowded, 4, unit.row, 0)
