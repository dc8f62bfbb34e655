"""The Net of Amyntok: a Strength test each time that a unit moves, shoots or casts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.arming import man
from tests.charging import SHOOT, charge, react
from tests.moving_spells import cast, knows, mage, to_casting
from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.effects import begin_effect, effects_of, rows_in_use
from wh_env.rulesets.wap.codes import Phase
from wh_env.testing import choose, dice_left, kind, script, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])
RULE, HIT = "wap.lore.light.net-of-amyntok", "wap.shoot.wound.roll"
CALM = {"rules": ["Immunity (Panic)"]}


def netted(
    player: int,
    phase: str,
    card: Any = None,
    dice: Sequence[int] = (),
    *,
    target_gap: float = 14.0,
    hero: Any = None,
    **fields: Any,
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit of ``player`` in a net of an enemy wizard, in a phase of its player, with an enemy before it."""
    scene = RegimentScene()
    unit = scene.unit(player, card or man("bow", **CALM), (24, 20), models=10, files=5, facing=NORTH, **fields)
    foe = scene.unit(1 - player, square(**CALM), (24, 20 + target_gap), models=5, files=5, facing=SOUTH)
    wizard = scene.unit(1 - player, mage("light"), (4, 44), models=1, files=1)
    scene.unit(player, man("bow"), (44, 4), models=5, facing=NORTH)
    if hero is not None:
        scene.unit(player, hero, models=1, inside=unit)

    def cast_it(battle: Battle) -> None:
        number = next(n for n, effect in enumerate(effects_of(battle)) if effect.name == "Net of Amyntok")
        begin_effect(battle, number, unit.row, 1 - player, wizard.row)

    return scene.battle(phase, player=player, dice=dice, set_state=cast_it), unit, foe


@PLAYERS
@pytest.mark.rule("wap.lore.light.net-of-amyntok")
def test_the_spell_puts_a_net_on_an_enemy_until_the_next_magic_phase(player: int) -> None:
    scene = RegimentScene()
    wizard = scene.unit(player, mage("light"), (24, 8), models=1, files=1, facing=NORTH)
    foe = scene.unit(1 - player, None, (24, 30), models=5, files=5, facing=SOUTH)
    battle = scene.battle(
        "magic",
        player=player,
        dice=[6, 6, 1, 1, 4, 5],
        set_state=knows((wizard, "Net of Amyntok"), (wizard, "The Speed of Light")),
    )
    cast(battle, wizard, "Net of Amyntok", foe)
    [k] = rows_in_use(battle)
    assert (battle.effects.unit[k], effects_of(battle)[battle.effects.effect[k]].name) == (foe.row, "Net of Amyntok")
    assert list(Validator(battle.setup).faults(battle)) == []
    while not (battle.clock.turn[0] == player and battle.clock.phase[0] == Phase.MOVEMENT):
        choose(battle, "done")
    assert list(rows_in_use(battle)) == [k]
    while battle.clock.phase[0] != Phase.MAGIC:
        choose(battle, "done")
    assert list(rows_in_use(battle)) == []


@PLAYERS
@pytest.mark.rule("wap.lore.light.net-of-amyntok")
def test_who_fails_does_not_move_and_takes_hits_and_may_shoot_if_the_next_test_is_passed(player: int) -> None:
    """Strength 3: a 4 fails, three hits of Strength 4 wound on 3+; a 3 lets it shoot."""
    battle, unit, _foe = netted(player, "movement", dice=[4, 3, 3, 2, 3])
    assert kind(battle) == "select-to-move"
    choose(battle, "own", unit.number)
    [hits] = told(battle, HIT)
    assert (hits["target"], hits["amount"], hits["needed"]) == (unit.row, 3, 3)
    assert (battle.units.y[unit.row], battle.units.alive[unit.row], dice_left(battle)) == (20.0, 8, 0)
    assert unit.number not in slots(battle, "own")
    choose(battle, "done")
    while kind(battle) and kind(battle) != "select-to-shoot":
        choose(battle, "done")
    script(battle, [3])
    choose(battle, "own", unit.number)
    assert kind(battle) == "shoot-target" or told(battle, "wap.shoot.hit.roll")
    assert len(told(battle, RULE)) == 2 + 1 and list(Validator(battle.setup).faults(battle)) == []


@PLAYERS
@pytest.mark.rule("wap.lore.light.net-of-amyntok")
def test_who_passes_moves_as_ever(player: int) -> None:
    battle, unit, _ = netted(player, "movement", dice=[3])
    choose(battle, "own", unit.number)
    assert kind(battle) == "manoeuvre" and dice_left(battle) == 0 and not told(battle, HIT)


@PLAYERS
@pytest.mark.rule("wap.lore.light.net-of-amyntok")
def test_the_best_strength_in_the_unit_counts(player: int) -> None:
    battle, unit, _ = netted(player, "movement", dice=[5], hero=mage("fire", s=5))
    choose(battle, "own", unit.number)
    assert kind(battle) == "manoeuvre"


@PLAYERS
@pytest.mark.parametrize("unholy", ["Daemonic", "Undead", "Vampiric"])
@pytest.mark.rule("wap.lore.light.net-of-amyntok")
def test_the_unholy_take_twice_as_many_hits(player: int, unholy: str) -> None:
    """2 and 1 are three hits."""
    battle, unit, _ = netted(player, "movement", square(rules=[unholy, *CALM["rules"]]), [5, 2, 1, 1, 1, 1])
    choose(battle, "own", unit.number)
    assert [event["amount"] for event in told(battle, HIT)] == [3] and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.light.net-of-amyntok")
def test_a_charge_is_tested_when_it_is_declared(player: int) -> None:
    for die, charges in ((3, True), (4, False)):
        battle, unit, foe = netted(player, "movement", dice=[die, 1, 1] if die == 4 else [die], target_gap=6.0)
        charge(battle, unit, foe)
        assert bool(told(battle, "wap.charge.declare")) is charges
        assert bool(told(battle, HIT)) is not charges


@PLAYERS
@pytest.mark.rule("wap.lore.light.net-of-amyntok")
def test_a_caught_unit_neither_shoots_nor_moves_at_random(player: int) -> None:
    battle, unit, _ = netted(player, "shooting", dice=[6, 1, 2])
    choose(battle, "own", unit.number)
    assert not told(battle, "wap.shoot.hit.roll") and kind(battle) != "select-to-shoot"
    assert battle.units.alive[unit.row] == 10 and [event["amount"] for event in told(battle, HIT)] == [1]
    card = square(rules=["Immunity (Panic)", "Random Movement (2D6)"])
    battle, unit, _ = netted(player, "movement", card, [6, 1, 2])
    while kind(battle) in ("compelled-next",):
        choose(battle, "own", unit.number)
    assert battle.units.y[unit.row] == 20.0 and told(battle, RULE)


@PLAYERS
@pytest.mark.rule("wap.lore.light.net-of-amyntok")
def test_units_that_flee_are_caught_too_but_moves_outside_the_phase_are_not_tested(player: int) -> None:
    """A rally test of 6 and 6 fails, and so does the test on 6."""
    battle, unit, _ = netted(player, "movement", square(**CALM), [6, 6, 6, 1, 2], fleeing=1)
    assert battle.units.fleeing[unit.row] and battle.units.y[unit.row] == 20.0
    assert [event["amount"] for event in told(battle, HIT)] == [1]


@PLAYERS
@pytest.mark.parametrize(("die", "casts"), [(3, True), (4, False)])
@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.rule("wap.lore.light.net-of-amyntok")
def test_a_wizard_in_a_net_tests_before_he_casts(player: int, die: int, casts: bool, inside: bool) -> None:
    scene = RegimentScene()
    if inside:
        unit = scene.unit(player, square(**CALM), (24, 20), models=9, files=5, facing=NORTH)
        wizard = scene.unit(player, mage("fire"), models=1, inside=unit)
    else:
        unit = wizard = scene.unit(player, mage("fire", rules=CALM["rules"]), (24, 20), models=1, files=1, facing=NORTH)
    foe = scene.unit(1 - player, square(**CALM), (24, 34), models=5, files=5, facing=SOUTH)
    other = scene.unit(1 - player, mage("light"), (4, 44), models=1, files=1)

    def cast_it(battle: Battle) -> None:
        number = next(n for n, effect in enumerate(effects_of(battle)) if effect.name == "Net of Amyntok")
        begin_effect(battle, number, unit.row, 1 - player, other.row)

    battle = scene.battle("magic", player=player, dice=[6, 6, 1, 1, 1, 1], set_state=cast_it)
    to_casting(battle)
    script(battle, [die] if casts else [die, 1, 1])
    choose(battle, "own", wizard.number)
    assert (kind(battle) in ("spell-target", "spell-dice")) is casts
    assert bool(told(battle, HIT)) is not casts and foe.row >= 0
    if not casts:
        assert any(battle.spellbook.tried.tolist()) and not told(battle, "wap.magic.cast.value")


@PLAYERS
@pytest.mark.rule("wap.lore.light.net-of-amyntok")
def test_who_stands_and_shoots_tests_too(player: int) -> None:
    scene = RegimentScene()
    charger = scene.unit(1 - player, square(**CALM), (24, 30), models=10, files=5, facing=SOUTH)
    unit = scene.unit(player, man("bow", **CALM), (24, 20), models=10, files=5, facing=NORTH)
    wizard = scene.unit(1 - player, mage("light"), (4, 44), models=1, files=1)

    def cast_it(battle: Battle) -> None:
        number = next(n for n, effect in enumerate(effects_of(battle)) if effect.name == "Net of Amyntok")
        begin_effect(battle, number, unit.row, 1 - player, wizard.row)

    battle = scene.battle("movement", player=1 - player, dice=[4, 1, 2], set_state=cast_it)
    charge(battle, charger, unit)
    react(battle, SHOOT)
    assert not told(battle, "wap.shoot.hit.roll") and [event["amount"] for event in told(battle, HIT)] == [1]
