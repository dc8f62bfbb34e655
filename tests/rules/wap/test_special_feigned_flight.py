"""Feigned flights of skirmishers and fast cavalry."""

from __future__ import annotations

from typing import Any

import pytest
from charging import FLEE, charge

from wh_env import Battle
from wh_env.rulesets.wap.codes import FLED_THROUGH, MARCHED, MOVED
from wh_env.rulesets.wap.fleeing.flight import flee
from wh_env.rulesets.wap.movement.aftermath import barred_from_shooting
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, firings, ways_of
from wh_env.rulesets.wap.special.light_troops import FEIGNS
from wh_env.testing import choose, dice_left, kind, play_until, script, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, may_move, square

RALLY, MUSICIAN = "wap.compulsory.rally.test", "wap.command.musician.feigned-flight"
SKIRMISHERS = {"rules": ["Skirmishers"]}
RIDERS = {"rules": ["Fast Cavalry"], "type": "cavalry", "base_mm": [25, 50]}
FEINT = {
    "Skirmishers": "wap.special.skirmishers.feigned-flight",
    "Fast Cavalry": "wap.special.fast-cavalry.feigned-flight",
}


def rallying(card: dict[str, Any], *dice: int, feigned: int = FEIGNS, **fields: Any) -> tuple[Battle, UnitHandle]:
    scene = RegimentScene()
    unit = scene.unit(
        0, square(**card, **fields.pop("values", {})), (24, 30), models=8, files=8, fleeing=1, feigned=feigned, **fields
    )
    scene.unit(0, None, (8, 10), models=5)
    scene.unit(1, None, (24, 4), models=5, facing=NORTH)
    battle = scene.battle("movement", dice=dice)
    if kind(battle) in ("reform-files", "reform-facing"):
        while kind(battle) in ("reform-files", "reform-facing"):
            battle.apply(battle.first_legal())
    return battle, unit


@pytest.mark.rule("wap.command.musician.feigned-flight")
@pytest.mark.parametrize("card", [SKIRMISHERS, RIDERS])
def test_a_musician_rallies_them_without_dice(card: dict[str, Any]) -> None:
    for command, dice in ((("musician",), ()), ((), (6, 6, 1, 1))):
        battle, unit = rallying(card, *dice, command=command, values={"ld": 3})
        assert not battle.units.fleeing[unit] and dice_left(battle) == 0
        assert len(told(battle, MUSICIAN)) == bool(command)
        assert len(told(battle, RALLY)) == (not command)
        assert may_move(battle, unit.row)


@pytest.mark.rule("wap.special.skirmishers.feigned-flight", "wap.special.fast-cavalry.feigned-flight")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("card", [SKIRMISHERS, RIDERS])
def test_who_feigned_tests_again_moves_and_shoots(card: dict[str, Any], player: int) -> None:
    """9 fails, 6 rallies; it may move in the same phase, and shoots with 1 less: on 5+, where BS 3 needs 4+."""
    scene = RegimentScene()
    unit = scene.unit(
        player, square(**card, equipment=["bow"]), (24, 30), models=5, files=5, fleeing=1, feigned=FEIGNS, facing=SOUTH
    )
    scene.unit(player, None, (44, 44), models=5, facing=NORTH)
    scene.unit(1 - player, None, (24, 18), models=20, files=20, facing=NORTH)
    battle = scene.battle("movement", player=player, dice=[4, 5, 2, 4])
    assert [event["roll"] for event in told(battle, FEINT[card["rules"][0]])] == [6]
    while kind(battle) in ("reform-files", "reform-facing"):
        choose(battle, "angle", 3 * battle.setup.space.angles // 4) if slots(battle, "angle") else battle.apply(
            battle.first_legal()
        )
    assert not battle.units.fleeing[unit] and dice_left(battle) == 0
    if kind(battle) == "declare-charge":
        assert unit.number not in slots(battle, "own")
        choose(battle, "done")
    assert kind(battle) == "select-to-move" and unit.number in slots(battle, "own")
    choose(battle, "done")
    assert kind(battle) == "select-to-shoot" and slots(battle, "own") == [unit.number]
    choose(battle, "own", unit.number)
    while kind(battle) == "shoot-way":
        choose(battle, "option", 0)
    assert [(note["unit"], note["needed"]) for note in told(battle, "wap.shoot.hit.roll")] == [(unit.row, 5)]


def test_others_neither_test_again_nor_move() -> None:
    battle, unit = rallying({}, 1, 1, feigned=0)
    assert not battle.units.fleeing[unit] and not may_move(battle, unit.row)
    battle, unit = rallying(SKIRMISHERS, 4, 5, 1, 1, feigned=0)
    assert battle.units.fleeing[unit] == 1


@pytest.mark.parametrize(("rules", "feigns"), [(["Skirmishers"], 1), (["Skirmishers", "Fly (10)"], 0), ([], 0)])
def test_a_flight_by_choice_is_feigned(rules: list[str], feigns: int) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 10), models=5)
    foe = scene.unit(1, square(rules=rules), (24, 16), models=5)
    scene.unit(0, None, (6, 6), models=5)
    battle = scene.battle("movement", dice=[1, 1, 1, 1])
    charge(battle, unit, foe)
    choose(battle, "option", FLEE)
    play_until(battle, "select-to-move")
    assert battle.units.feigned[foe] == feigns


@pytest.mark.rule("wap.special.skirmishers.feigned-flight", "wap.special.fast-cavalry.feigned-flight")
@pytest.mark.parametrize(("feigned", "alarmed"), [(FEIGNS, 0), (0, FLED_THROUGH)])
def test_friends_do_not_panic_at_a_feint(feigned: int, alarmed: int) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(**SKIRMISHERS), (24, 20), models=12, files=6, fleeing=1, feigned=feigned)
    friend = scene.unit(0, None, (24, 24), models=5)
    scene.unit(1, None, (24, 4), models=5)
    battle = scene.battle("movement", run=False)
    flee(battle, unit.row, 6)
    assert battle.units.due[friend] & FLED_THROUGH == alarmed


@pytest.mark.rule("wap.special.fast-cavalry.march-and-shoot")
def test_fast_cavalry_shoots_after_a_march() -> None:
    """Ballistic Skill 4: 3+, and 4+ after a move; other cavalry does not shoot."""
    for rules, barred in ((["Fast Cavalry"], ""), ([], "wap.move.march.no-shooting")):
        card = {
            **square(bs=4, equipment=["hand weapon", "bow"]),
            "type": "cavalry",
            "base_mm": [25, 50],
            "rules": rules,
        }
        scene = RegimentScene()
        unit = scene.unit(0, card, (24, 10), models=5, did=MOVED | MARCHED)
        foe = scene.unit(1, None, (24, 20), models=10)
        battle = scene.battle("shooting", run=False)
        assert barred_from_shooting(battle, unit.row) == barred
        if not barred:
            way = ways_of(battle, unit.row, foe.row, IN_PHASE)[0]
            assert {firing.needed for firing in firings(battle, unit.row, foe.row, way, IN_PHASE)} == {4}


@pytest.mark.rule("wap.special.fast-cavalry.fire-and-flee")
@pytest.mark.parametrize(("rules", "offered"), [(["Fast Cavalry"], [0, 1, 2, 3]), ([], [0, 1, 2])])
def test_fast_cavalry_fires_and_flees(rules: list[str], offered: list[int]) -> None:
    """Of Ballistic Skill 4 it hits on 3+, less one for each of charge and movement; its flight is of two dice."""
    mount = {"m": 8, "ws": 3, "bs": 0, "s": 3, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 5}
    scene = RegimentScene()
    unit = scene.unit(
        1,
        square(
            rules=rules,
            mount_rules=["Swiftstride"],
            type="cavalry",
            base_mm=[25, 50],
            mount=mount,
            bs=4,
            equipment=["hand weapon", "bow"],
        ),
        (24, 26),
        models=5,
        files=5,
    )
    charger = scene.unit(0, square(m=8), (24, 13), models=20, files=5)
    scene.unit(0, None, (6, 6), models=5)
    battle = scene.battle("movement")
    choose(battle, "own", 0)
    while kind(battle) == "charge-target":
        battle.apply(battle.first_legal())
    assert kind(battle) == "charge-reaction" and slots(battle, "option") == offered
    if 3 not in offered:
        return
    script(battle, (5, 5, 4, 4, 4, 1, 1, 3, 4))
    choose(battle, "option", 3)
    shots = told(battle, "wap.charge.stand-shoot.resolve")[0]
    assert (shots["needed"], shots["result"], shots["unit"], shots["target"]) == (5, 2, unit.row, charger.row)
    fled = [event for event in battle.events if event.kind == "flees"]
    assert battle.units.fleeing[unit] and fled and fled[0].data["far"] == pytest.approx(7.0)
    assert battle.units.feigned[unit] == FEIGNS
