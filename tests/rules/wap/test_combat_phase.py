"""The Close Combat phase: which combats are fought, in which order, all of them."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env.content.battle import Battle
from wh_env.rulesets.wap.basics.contacts import combat_of
from wh_env.rulesets.wap.combat.close_combat import PARTS_OF_COMBAT, FightCombat
from wh_env.testing import choose, kind, pick, slots, told
from wh_env.testing.wap import RegimentScene, fight, square

SEQUENCE, HIT = "wap.combat.phase.sequence", "wap.combat.hit.roll"


def two_combats(**fields: Any) -> tuple[RegimentScene, list[Any]]:
    """Player 0's a against b, c against d."""
    scene = RegimentScene()
    a = scene.unit(0, None, (12, 24), models=5, files=5, name="a", **fields)
    b = scene.beside(a, 1, models=5, files=5, name="b")
    c = scene.unit(0, None, (36, 24), models=4, files=4, name="c")
    d = scene.beside(c, 1, models=4, files=4, name="d")
    scene.unit(0, None, (3, 3), models=5)
    scene.unit(1, None, (45, 45), models=5)
    return scene, [a, b, c, d]


def rolled(battle: Battle) -> list[tuple[int, int]]:
    """Who rolled to hit in this phase, for how many attacks."""
    return [(event["unit"], event["amount"]) for event in told(battle, HIT)]


@pytest.mark.rule("wap.combat.phase.both-sides")
@pytest.mark.parametrize("player", [0, 1])
def test_both_sides_strike_whoever_s_turn_it_is(player: int) -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=5, files=5)
    b = scene.beside(a, 1, models=5, files=5)
    battle = scene.battle("combat", dice=[6, 1, 1, 1, 1, 6] * 2, player=player, run=False)
    fight(battle, a)
    assert sorted(rolled(battle)) == [(a.row, 5), (b.row, 5)]
    assert battle.units.dealt[a] == battle.units.dealt[b] == 1


@pytest.mark.rule("wap.combat.phase.must-fight", "wap.combat.phase.choose-combat")
@pytest.mark.parametrize("first", ["a", "c"])
def test_the_player_whose_turn_it_is_picks_and_all_combats_are_fought(first: str) -> None:
    scene, (a, b, c, d) = two_combats()
    battle = scene.battle("combat", dice=[1] * 18)
    assert kind(battle) == "choose-combat" and battle.decision is not None and battle.decision.player == 0
    assert slots(battle, "own") == [0, 1] and slots(battle, "done") == []
    assert not rolled(battle)
    pick(battle, "a against b" if first == "a" else "c against d")
    # the other combat is the only one left: nobody is asked
    both = [(a.row, 5), (b.row, 5)], [(c.row, 4), (d.row, 4)]
    assert rolled(battle)[:4] == [*both[first == "c"], *both[first == "a"]]
    assert [event["unit"] for event in told(battle, SEQUENCE)][:2] == [a.row, c.row][:: 1 if first == "a" else -1]


@pytest.mark.rule("wap.combat.phase.must-fight")
def test_no_unit_that_is_engaged_stays_out() -> None:
    scene, units = two_combats()
    battle = scene.battle("combat", dice=[1] * 18, player=1)
    assert slots(battle, "own") == [0, 1] and battle.decision is not None and battle.decision.player == 1
    pick(battle, "b against a")
    fought = {event["unit"] for event in told(battle, HIT)}
    assert fought >= {unit.row for unit in units}


def test_a_combat_of_several_units_is_offered_once() -> None:
    scene = RegimentScene()
    b = scene.unit(1, None, (12, 24), models=10, files=10)
    for along in (-2.5, 2.5):
        scene.beside(b, 0, along=along, models=5, files=5)
    c = scene.unit(0, None, (36, 24), models=4, files=4)
    scene.beside(c, 1, models=4, files=4)
    battle = scene.battle("combat", dice=[1] * 40)
    assert kind(battle) == "choose-combat" and slots(battle, "own") == [0, 2]


def test_a_combat_that_somebody_has_fought_before_is_named_by_another_unit() -> None:
    """The first of the player's units in it has fought in this phase already: the second names it."""
    scene = RegimentScene()
    b = scene.unit(1, None, (12, 24), models=10, files=10)
    first, second = (scene.beside(b, 0, along=along, models=5, files=5) for along in (-2.5, 2.5))
    c = scene.unit(0, None, (36, 24), models=4, files=4)
    scene.beside(c, 1, models=4, files=4)

    battle = scene.battle("combat", dice=[1] * 40)
    assert combat_of(battle, first.row) == sorted([b.row, first.row, second.row])
    battle.units.fought[first] = 1
    choose(battle, "own", 2)
    assert [event["unit"] for event in told(battle, SEQUENCE)][:2] == [c.row, second.row]


@pytest.mark.rule("wap.combat.phase.definition")
def test_impact_hits_count_as_close_combat_attacks() -> None:
    """Two wounds of impact hits and one of a blow make three."""
    scene = RegimentScene()
    chariot = square(type="chariot", base_mm=[50, 50], s=5, i=6, a=1)
    a = scene.unit(0, chariot, (24, 24), models=1, files=1, charging=1)
    scene.beside(a, 1, square(a=0), models=20, files=5)
    battle = fight(scene.battle("combat", dice=[4, 2, 2, 1, 1, 6, 6], run=False), a)
    assert battle.units.dealt[a] == 3


def test_the_parts_of_a_combat_are_the_rule_s() -> None:
    """Impact hits, strikes, break tests, what is done about the beaten, flights, reforms of who stayed, pursuits, combat reforms, sliding."""
    names = [PARTS_OF_COMBAT[step].__name__ for step in sorted(PARTS_OF_COMBAT)]
    order = [
        "ImpactHits",
        "Strikes",
        "BreakTests",
        "PursueOrRestrain",
        "CombatFlights",
        "StayedReforms",
        "Pursuits",
        "CombatReforms",
        "Slides",
    ]
    assert [name for name in names if name in order] == order
    step = FightCombat.Step
    assert step.IMPACT < step.STRIKE < step.SCORE < step.BREAK < step.CHOOSE < step.ROLL < step.FLEE < step.PURSUE
