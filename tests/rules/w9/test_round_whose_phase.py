"""Whose phase it is, acting as if it were another phase, Command points spent and gained through Stratagems (w9.round.active-player,
.out-of-phase, w9.command.cp-pool, w9.rare.stratagem-cost.*, w9.rare.cp-stratagems)."""

from __future__ import annotations

import pytest
from ninth_stratagems import only, scene_of

from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import choose, kind, pick, ranged, sheet, told

# ---------------------------------------------------------------- whose phase


@pytest.mark.rule("w9.round.active-player")
def test_your_movement_phase_is_one_of_your_own_turn():
    """In battle round 2 both players have 1 CP and more: each is offered it in the own Movement phase alone."""
    scene, _, _ = scene_of()
    battle = scene.battle("movement", round=2, cp=(5, 5), rules=only("march"))
    first = []
    while battle.clock.round[0] == 2 and not battle.over:
        if kind(battle) == "march":
            first.append((battle.decision.player, battle.clock.turn[0], battle.clock.phase[0]))
            choose(battle, "done")
            continue
        if kind(battle) == "move-kind":
            pick(battle, "Normal move")
            continue
        battle.apply(battle.first_legal())
    assert first == [(0, 0, Phase.MOVEMENT), (1, 1, Phase.MOVEMENT)]


# ---------------------------------------------------------------- out of phase

RAPID = ranged(24, A=1, BS=2, S=8, AP=-6, abilities=["Rapid Fire 1"])


@pytest.mark.rule("w9.round.out-of-phase")
@pytest.mark.parametrize(("move", "dice", "attacks"), [("Normal move", [], 5), ("Advance", [3], 0)])
def test_what_holds_in_that_phase_holds_for_the_action(move, dice, attacks):
    """Shooting at the end of the Movement phase: five Rapid Fire weapons after a Normal move, none after an Advance."""
    scene, _, _ = scene_of(RAPID)
    battle = scene.battle("movement", cp=(5, 5), dice=[*dice, *[1] * 20], rules=only("salvo", "steady"))
    pick(battle, move)
    choose(battle, "cell", battle.setup.space.grid**2 // 2)  # it stays in range
    if attacks:
        assert (kind(battle), battle.clock.phase[0]) == ("salvo", Phase.MOVEMENT)
        choose(battle, "own", 0)
    assert told(battle, "w9.move.advance" if attacks == 0 else "w9.move.normal")
    assert len(told(battle, "w9.attack.hit")) == attacks
    assert battle.players.cp[0] == 5 - (attacks > 0)


@pytest.mark.rule("w9.round.out-of-phase")
def test_stratagems_of_that_phase_cannot_be_used_for_it():
    """The Stratagem "use in your Shooting phase" is offered when the unit shoots then, not when it does before."""
    scene, _, _ = scene_of(RAPID)
    battle = scene.battle("movement", cp=(5, 5), dice=[1] * 20, rules=only("salvo", "steady"))
    pick(battle, "Stationary")
    assert kind(battle) == "salvo"
    choose(battle, "own", 0)
    assert len(told(battle, "w9.attack.hit")) == 5
    assert kind(battle) == "select-to-shoot"
    pick(battle, "Mine")
    assert (kind(battle), battle.clock.phase[0]) == ("steady", Phase.SHOOTING)


# ---------------------------------------------------------------- the pool


@pytest.mark.rule("w9.command.cp-pool")
@pytest.mark.parametrize(("cp", "offered"), [(1, False), (2, True), (3, True)])
def test_only_what_the_pool_holds_can_be_spent(cp, offered):
    """A Stratagem of 2 CP."""
    scene, _, _ = scene_of()
    battle = scene.battle("movement", cp=(cp, 0), rules=only("dear"))
    pick(battle, "Normal move")
    battle.apply(battle.first_legal())
    assert (kind(battle) == "dear") is offered
    if offered:
        choose(battle, "own", 0)
    assert battle.players.cp[0] == cp - (2 if offered else 0)


@pytest.mark.rule("w9.command.cp-pool")
def test_each_player_spends_from_a_pool_of_their_own():
    """1 CP buys one march; the second move of the phase offers none, and the other player still has 1."""
    scene, _, _ = scene_of()
    scene.unit(0, sheet("Second"), at=(20, 20))
    battle = scene.battle("movement", cp=(1, 1), rules=only("march"))
    pick(battle, "Mine")
    pick(battle, "Normal move")
    battle.apply(battle.first_legal())
    assert kind(battle) == "march"
    choose(battle, "own", 0)
    assert tuple(battle.players.cp) == (0, 1)


# ---------------------------------------------------------------- what a Stratagem costs


def change(operation, amount, stratagem="dear", **more):
    return {"stratagem": stratagem, "operation": operation, "amount": amount, **more}


def paid(changes, cp=5):
    """What the Stratagem of 2 CP costs player 0 with these changes; ``None`` if it is not offered."""
    scene, _, _ = scene_of()
    battle = scene.battle("movement", cp=(cp, 5), rules=only("dear", stratagem_costs=changes))
    pick(battle, "Normal move")
    battle.apply(battle.first_legal())
    if kind(battle) != "dear":
        return None
    choose(battle, "own", 0)
    return cp - battle.players.cp[0]


@pytest.mark.rule("w9.rare.stratagem-cost.replacement")
@pytest.mark.parametrize("rows", [[change("replace", 0), change("add", 1)], [change("add", 1), change("replace", 0)]])
def test_a_cost_is_replaced_before_it_is_changed(rows):
    """0 CP, and 1 CP more: 1, in whatever order the rules came."""
    assert paid(rows) == 1
    assert paid(rows[:0]) == 2


@pytest.mark.rule("w9.rare.stratagem-cost.order")
@pytest.mark.parametrize(
    ("rows", "cost"),
    [
        ([change("replace", 3), change("subtract", 1), change("add", 1), change("divide", 2)], 2),  # 1.5 + 1 - 1
        ([change("replace", 3), change("divide", 2)], 2),
        ([change("add", 1), change("multiply", 2)], 5),
        ([change("subtract", 1), change("multiply", 2), change("divide", 2)], 1),
        ([change("subtract", 1, stratagem="march"), change("subtract", 1, player=1)], 2),  # not of this one
    ],
)
def test_divided_multiplied_added_subtracted_then_rounded_up(rows, cost):
    assert paid(rows) == cost


@pytest.mark.rule("w9.rare.stratagem-cost.minimum")
@pytest.mark.parametrize("cp", [0, 5])
def test_a_cost_is_never_below_0(cp):
    """A Stratagem of 1 CP and two rules of 1 less and more: it costs 0 CP, none is gained, and it can be used without any."""
    assert paid([change("replace", 1), change("subtract", 1), change("subtract", 1)], cp=cp) == 0


@pytest.mark.rule("w9.rare.stratagem-cost.order", "w9.command.cp-pool")
def test_what_it_costs_now_has_to_be_in_the_pool():
    assert paid([], cp=2) == 2
    assert paid([change("add", 1)], cp=2) is None
    assert paid([change("subtract", 1)], cp=1) == 1


# ---------------------------------------------------------------- what a Stratagem gains


@pytest.mark.rule("w9.rare.cp-stratagems")
def test_what_a_stratagem_gains_in_a_phase_is_under_no_limit():
    """An ability has given the 1 CP of the round; the Stratagem then gives 3 for its 1, and a later ability none."""
    scene, _, _ = scene_of()
    scene.rule(TimedRule("early", "command", 0, "cp", -1, 1))
    scene.rule(TimedRule("late", "charge", 0, "cp", -1, 1))
    battle = scene.battle("command", cp=(1, 0), rules=only("windfall"))
    assert battle.players.cp[0] == 1 + 1 + 1
    pick(battle, "Normal move")
    battle.apply(battle.first_legal())
    assert kind(battle) == "windfall"
    choose(battle, "own", 0)
    assert battle.players.cp[0] == 3 - 1 + 3


@pytest.mark.rule("w9.rare.cp-stratagems")
def test_nor_is_it_counted_against_the_limit():
    scene, _, _ = scene_of()
    scene.rule(TimedRule("late", "charge", 0, "cp", -1, 1))
    scene.unit(1, sheet("Near"), at=(30, 30))
    battle = scene.battle("movement", cp=(1, 0), rules=only("windfall"))
    pick(battle, "Normal move")
    battle.apply(battle.first_legal())
    choose(battle, "own", 0)
    while not told(battle, "w9.command.cp-gain-limit"):
        battle.apply(battle.first_legal())
    assert told(battle, "w9.command.cp-gain-limit")[0] == {"player": 0, "wanted": 1, "gained": 1}


@pytest.mark.rule("w9.rare.cp-stratagems.outside-phase")
@pytest.mark.parametrize(
    ("when", "active", "gained"), [("round-end", 1, 1), ("round-start", 1, 1), ("command", 1, 2), ("command", 0, 2)]
)
def test_outside_a_phase_the_limit_holds(when, active, gained):
    """2 CP by a Stratagem used at the end of a battle round, or at its start: 1 is gained; in a Command phase both."""
    scene, _, _ = scene_of()
    scene.rule(TimedRule("gift", when, active, "stratagem-cp", -1, 2))
    phase = "command" if when == "command" else "morale"
    battle = scene.battle(phase, active=active, rules=only(cp_each_command_phase=0))
    assert battle.players.cp[active] == gained
