"""The Close Combat phase: which combats are fought, in which order, all of them."""

from __future__ import annotations

from math import hypot
from typing import Any

import pytest

from wh_env.content.battle import Battle
from wh_env.rulesets.wap.basics.contacts import combat_of
from wh_env.rulesets.wap.basics.declared_charges import enter
from wh_env.rulesets.wap.casualties.removing import remove_unit
from wh_env.rulesets.wap.codes import BROKEN, CHARGED, HOLDS, LEFT, REAR, RIGHT
from wh_env.testing import choose, kind, pick, slots, told, words
from wh_env.testing.play import script
from wh_env.testing.wap import NORTH, RegimentScene, fight, fought, other_combats, pose, square

SEQUENCE, HIT = "wap.combat.phase.sequence", "wap.combat.hit.roll"


def two_combats(**fields: Any) -> tuple[RegimentScene, list[Any]]:
    """Player 0's a against b, c against d."""
    scene = RegimentScene()
    a = scene.unit(0, square(i=5), (12, 24), models=5, files=5, name="a", **fields)
    b = scene.beside(a, 1, models=5, files=5, name="b")
    c = scene.unit(0, None, (36, 24), models=4, files=4, name="c")
    d = scene.beside(c, 1, models=4, files=4, name="d")
    scene.unit(0, None, (3, 3), models=5)
    scene.unit(1, None, (45, 45), models=5)
    return scene, [a, b, c, d]


def stay(battle: Battle) -> None:
    """Nobody reforms who may after a combat."""
    while kind(battle) == "combat-reform":
        pick(battle, "stays as it is")


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
    stay(battle)
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
    stay(battle)
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
    stay(battle)
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


def routed(**fields: Any) -> tuple[Battle, list[Any]]:
    """Player 0's a has beaten b by 2, who broke with a 9 on Leadership 7; its player is asked what a does."""
    scene, units = two_combats(**fields)
    battle = scene.battle("combat", dice=[6, 1, 1, 1, 1, 6, *[1] * 4, 5, 4], turn=2)
    pick(battle, "a against b")
    assert kind(battle) == "pursue"
    return battle, units


def in_order(battle: Battle, rules: list[str]) -> list[str]:
    """Those of some rules that were told, in the order in which they were."""
    return [event.rule for event in battle.events if event.rule in rules]


@pytest.mark.rule("wap.combat.phase.sequence", "wap.combat.phase.choose-combat")
def test_the_steps_of_a_combat_that_ends_in_a_pursuit() -> None:
    """Flees 7", is pursued 5": both have moved before a die of the other combat is rolled, which is then the only one left."""
    battle, (a, b, c, d) = routed()
    before = pose(battle, a)
    script(battle, [3, 4, 2, 3, *[1] * 8])
    pick(battle, "a pursues b")
    rules = [
        "wap.combat.order.initiative", "wap.result.winner", "wap.break.test", "wap.pursuit.choice", "wap.pursuit.flee-roll",
        "wap.pursuit.pursuit-roll", "wap.pursuit.escaped", "wap.pursuit.flee-move", "wap.pursuit.move",
    ]  # fmt: skip
    second = next(n for n, e in enumerate(battle.events) if e.rule == SEQUENCE and e.data["unit"] == c.row)
    told_first = [event.rule for event in battle.events[:second] if event.rule in rules]
    assert list(dict.fromkeys(told_first)) == rules
    assert [e["initiative"] for e in told(battle, "wap.combat.order.initiative")][:2] == [5, 3]
    assert hypot(pose(battle, a)[0] - before[0], pose(battle, a)[1] - before[1]) == pytest.approx(5, abs=0.02)
    assert battle.units.fleeing[b] == 1
    assert [unit for unit, _ in rolled(battle)] == [a.row, b.row, c.row, d.row]
    assert len(told(battle, SEQUENCE)) == 2


@pytest.mark.rule("wap.combat.phase.sequence")
def test_the_steps_of_a_combat_whose_winner_stays() -> None:
    battle, (_, _, c, _) = routed()
    script(battle, [3, 3, 3, 4, *[1] * 8])
    pick(battle, "restrain")
    assert kind(battle) == "after-victory" and told(battle, "wap.pursuit.flee-move")
    pick(battle, "stays as it is")
    rules = [
        "wap.break.test",
        "wap.pursuit.restrain-test",
        "wap.pursuit.flee-roll",
        "wap.pursuit.flee-move",
        "wap.pursuit.reform-stayed",
    ]
    assert list(dict.fromkeys(in_order(battle, rules))) == rules
    assert told(battle, SEQUENCE)[1]["unit"] == c.row


@pytest.mark.rule("wap.combat.phase.timeline")
def test_what_comes_when_in_the_phase() -> None:
    """Weapons are chosen before a combat is picked; impact hits come before blows, those by tier and Initiative; then the result, the break test, what
    the winner does, rolls, moves."""
    scene = RegimentScene()
    rules = ["Always Strikes Last"]
    a = scene.unit(0, square(type="cavalry", i=4), (24, 24), models=5, files=5, charging=1, name="a")
    kit = ["hand weapon", "great weapon", "flail"]
    b = scene.beside(a, 1, square(i=9, rules=rules, equipment=kit), models=15, files=5, name="b")
    c = scene.unit(0, None, (6, 24), models=4, files=4, name="c")
    scene.beside(c, 1, models=4, files=4, name="d")
    # five impact hits kill five, five blows five; the rest hits nobody; the unit breaks without dice
    battle = scene.battle("combat", dice=[6] * 15 + [1] * 5, turn=2)
    assert kind(battle) == "choose-weapon" and not told(battle, SEQUENCE)
    pick(battle, "flail")
    assert kind(battle) == "choose-combat" and not told(battle, SEQUENCE)
    pick(battle, "a against b")
    assert kind(battle) == "pursue"
    script(battle, [2, 2, 3, 3])
    pick(battle, "a pursues b")
    order = [
        "wap.weapon.general.choose", SEQUENCE, "wap.special.impact-hits.number", "wap.combat.order.initiative", "wap.result.winner", "wap.break.automatic",
        "wap.pursuit.choice", "wap.pursuit.flee-roll", "wap.pursuit.pursuit-roll", "wap.pursuit.caught",
    ]  # fmt: skip
    end = next(n for n, e in enumerate(battle.events) if e.rule == SEQUENCE and e.data["unit"] == c.row)
    assert list(dict.fromkeys(e.rule for e in battle.events[:end] if e.rule in order)) == order
    steps = [(e["initiative"], e["step"]) for e in told(battle, "wap.combat.order.initiative")]
    assert steps[:2] == [(5, "in order"), (9, "last")]
    assert battle.units.alive[b] == 0


@pytest.mark.rule("wap.combat.phase.timeline")
def test_the_start_of_the_phase_and_panic_before_the_winner_is_asked() -> None:
    """Whose target is gone overruns before weapons are chosen, and that before a combat is picked; friends of who breaks test for panic before the
    winner says what it does."""
    scene = RegimentScene((72, 48))
    a = scene.unit(
        0,
        square(equipment=["hand weapon", "great weapon", "flail"]),
        (24, 24),
        models=10,
        files=5,
        charging=1,
        did=CHARGED,
        name="a",
    )
    b = scene.beside(a, 1, square(ld=3), models=20, files=5, name="b")
    friend = scene.unit(1, square(ld=10), (30.5, 26), models=10, files=5, name="friend")
    gone = scene.unit(1, None, (60, 44), models=5, name="gone")
    z = scene.unit(0, None, (60, 20), models=5, did=CHARGED, charging=1, name="z")
    c = scene.unit(0, None, (6, 24), models=4, files=4, name="c")
    scene.beside(c, 1, models=4, files=4, name="d")

    def target_is_gone(battle: Battle) -> None:
        enter(battle, z.row, gone.row, 0, HOLDS)
        remove_unit(battle, gone.row)

    battle = scene.battle("combat", set_state=target_is_gone)
    assert kind(battle) == "after-victory" and not told(battle, "wap.weapon.general.choose")
    script(battle, [2, 3])
    pick(battle, "overruns")
    assert kind(battle) == "choose-weapon" and not told(battle, SEQUENCE)
    pick(battle, "great weapon")
    assert kind(battle) == "choose-combat"
    # b strikes in vain; five of the ten attacks that count kill; b breaks without dice; its friend passes
    script(battle, [1] * 10 + [6] * 10 + [6] * 10 + [1, 1])
    pick(battle, "a against b")
    assert kind(battle) == "pursue" and battle.units.outcome[b] == BROKEN and not battle.units.fleeing[b]
    assert [note["unit"] for note in told(battle, "wap.panic.friend-broken") if "roll" in note] == [friend.row]
    rules = [
        "wap.pursuit.overrun.enemy-gone", "wap.pursuit.overrun.move", "wap.weapon.general.choose", SEQUENCE,
        "wap.combat.order.initiative", "wap.result.winner", "wap.break.automatic", "wap.panic.friend-broken",
    ]  # fmt: skip
    assert list(dict.fromkeys(e.rule for e in battle.events if e.rule in rules)) == rules
    assert not told(battle, "wap.pursuit.flee-roll")


@pytest.mark.rule("wap.combat.phase.timeline")
def test_the_end_of_a_combat() -> None:
    """One winner restrains itself, one pursues, one fights on: tests to restrain, all rolls, the flight and the panic that it makes, the reform of who
    stayed, the pursuit, the combat reform."""
    scene = RegimentScene((72, 60))
    b = scene.unit(1, square(ld=5), (36, 30), models=20, files=5, facing=NORTH, name="b")
    a1 = scene.beside(b, 0, square(ld=10), models=15, files=5, name="a1")  # before it: it pursues
    a2 = scene.beside(b, 0, square(ld=10), side=LEFT, models=5, files=4, name="a2")  # stays
    a3 = scene.beside(b, 0, square(ld=10), side=RIGHT, along=0.5, models=12, files=3, name="a3")  # c holds it
    c = scene.beside(a3, 1, side=REAR, along=2.5, models=4, files=4, name="c")
    scene.unit(1, square(ld=10), (36, 20), models=10, files=5, facing=NORTH, name="friend")
    other_combats(scene)
    battle = scene.battle("combat", player=0, set_state=fought(won=[a1, a2, a3], broken=[b], held=[c]))
    # a2 restrains itself; b flees by 12 through its friend, which passes; a1 rolls 5
    script(battle, [1, 1, 6, 6, 2, 3, 1, 1] + [1] * 20)
    while battle.units.fighting[a3]:
        assert battle.decision is not None
        if kind(battle) == "pursue":
            pick(battle, "a1 pursues" if battle.decision.subject == a1.row else "restrain")
        elif kind(battle) == "after-victory":
            pick(battle, "reforms")
        elif kind(battle) == "combat-reform":
            tries = battle.decision.subject == c.row and not told(battle, "wap.break.reform.loser")
            pick(
                battle,
                "tries to reform" if tries else "c reforms into 2" if battle.decision.subject == c.row else "stays",
            )
        else:
            battle.apply(min(words(battle)))
    rules = [
        "wap.pursuit.restrain-test", "wap.pursuit.flee-roll", "wap.pursuit.pursuit-roll", "wap.pursuit.flee-direction", "wap.compulsory.flee.friends-panic",
        "wap.pursuit.reform-stayed", "wap.pursuit.move", "wap.break.reform.loser", "wap.break.reform.how",
    ]  # fmt: skip
    order = list(dict.fromkeys(e.rule for e in battle.events if e.rule in rules))
    assert order == rules
