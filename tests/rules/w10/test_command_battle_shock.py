"""Command phase: Battle-shock tests and what Battle-shocked units suffer (w10.command.battle-shock.*)."""

import pytest

from wh_env.content.battle import Battle
from wh_env.rulesets.w10.codes import Phase
from wh_env.testing import Scene, choose, dice_left, pick, play_until, ranged, sheet, slots, told, words

TEST = "w10.command.battle-shock.test"
NO_CP = {"cp_each_command_phase": 0}  # nobody has the CP for a Stratagem


def who_tested(battle: Battle) -> list[int]:
    """Units that took a test so far, in order."""
    return [e["unit"] for e in told(battle, TEST)]


def lone(battle_round: int = 1, dice: tuple[int, ...] = (), **unit: object) -> tuple[Battle, int]:
    """Player 0's Command phase with one unit of ten that has four models left; Leadership 7 unless told."""
    scene = Scene()
    ld = int(unit.pop("Ld", 7))  # type: ignore[call-overload]
    mine = scene.unit(0, sheet("Mine", Ld=ld), at=(10, 10), models=10, lost=range(6), **unit)  # type: ignore[arg-type]
    scene.unit(1, sheet("Theirs"), at=(10, 40), models=1)
    return scene.battle(phase="command", round=battle_round, dice=dice, rules=NO_CP), mine.row


@pytest.mark.rule("w10.command.battle-shock.who")
@pytest.mark.parametrize(("active", "tests"), [(0, 1), (1, 0)])
def test_only_own_units_on_the_battlefield_below_half_strength(active: int, tests: int):
    """4 of 10 on the table tests; 5 of 10, 4 of 10 in Reserves and 2 of 5 embarked do not; nobody in B's phase."""
    scene = Scene()
    four = scene.unit(0, sheet("Four"), at=(5, 10), models=10, lost=range(6))
    scene.unit(0, sheet("Five"), at=(25, 10), models=10, lost=range(5))
    scene.unit(0, sheet("Reserve"), models=10, lost=range(6), reserves="strategic")
    bus = scene.unit(
        0,
        sheet("Bus", hull_in=(5, 3), keywords=("VEHICLE", "TRANSPORT"), abilities={"transport": {"capacity": 10, "allowed": ["INFANTRY"]}}),
        at=(50, 10),
    )  # fmt: skip
    scene.unit(0, sheet("Inside"), models=5, lost=range(3), embarked_in=bus)
    scene.unit(1, sheet("Theirs"), at=(10, 40), models=1)
    battle = scene.battle(phase="command", active=active, dice=[6, 6])
    assert who_tested(battle) == [four.row][:tests]
    assert dice_left(battle) == 2 - 2 * tests


@pytest.mark.rule("w10.command.battle-shock.order")
def test_the_turn_player_chooses_the_order_of_the_tests():
    """U2 is picked first and gets 2 + 3, U1 the following 6 + 6."""
    scene = Scene()
    u1 = scene.unit(0, sheet("U1"), at=(5, 10), models=10, lost=range(6))
    u2 = scene.unit(0, sheet("U2"), at=(30, 10), models=10, lost=range(6))
    scene.unit(1, sheet("Theirs"), at=(10, 40), models=1)
    battle = scene.battle(phase="command", detail="full", dice=[2, 3, 6, 6], rules=NO_CP)
    assert battle.decision is not None
    assert battle.decision.player == 0
    assert sorted(words(battle).values()) == ["U1", "U2"]
    pick(battle, "U2", kind="battle-shock-order")
    assert [(e["unit"], e["roll"], e["passed"]) for e in told(battle, TEST)] == [(u2.row, 5, False), (u1.row, 12, True)]
    assert (battle.units.shocked[u1], battle.units.shocked[u2]) == (0, 1)
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.command.battle-shock.test")
@pytest.mark.parametrize(("dice", "shocked"), [((3, 3), 0), ((2, 3), 1), ((6, 6), 0), ((1, 1), 1)])
def test_two_dice_against_leadership(dice: tuple[int, ...], shocked: int):
    """Ld 6+: a total of 6 passes, 5 fails."""
    battle, mine = lone(dice=dice, Ld=6)
    assert battle.units.shocked[mine] == shocked
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.command.battle-shock.test")
@pytest.mark.parametrize(("led", "shocked"), [(True, 0), (False, 1)])
def test_the_best_leadership_of_the_unit_counts(led: bool, shocked: int):
    """A total of 6 passes with a Leader of Ld 6+ among models of Ld 7+, and fails without."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad", Ld=7), at=(10, 10), models=10, lost=range(8))
    if led:
        hero = sheet("Hero", Ld=6, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Squad"]})
        scene.unit(0, hero, at=[(23, 11.4)], models=1, leads=squad)
    scene.unit(1, sheet("Theirs"), at=(10, 40), models=1)
    battle = scene.battle(phase="command", dice=[3, 3], rules=NO_CP)
    assert who_tested(battle) == [squad.row]
    assert dice_left(battle) == 0
    assert battle.units.shocked[squad] == shocked


@pytest.mark.rule("w10.command.battle-shock.duration")
def test_until_the_start_of_the_own_next_command_phase():
    """Failed in round 2: shocked in all phases of both turns of round 2, no longer when round 3 starts; then it tests anew."""
    battle, mine = lone(battle_round=2, dice=(1, 1, 6, 6))
    assert battle.units.shocked[mine] == 1
    turns = set()
    while battle.clock.round[0] == 2:
        assert battle.units.shocked[mine] == 1
        turns.add(battle.clock.turn[0])
        battle.apply(battle.first_legal())
    assert turns == {0, 1}
    assert battle.clock.round[0] == 3
    assert battle.units.shocked[mine] == 0
    assert who_tested(battle) == [mine, mine]
    assert dice_left(battle) == 0
    rules = [event.rule for event in battle.events]
    # it ends at the start of the phase, before the test of that phase
    ended = rules.index("w10.command.battle-shock.duration")
    assert ended < len(rules) - 1 - rules[::-1].index(TEST)
    assert rules[ended - 1] == "w10.round.phases"


@pytest.mark.rule("w10.command.battle-shock.oc")
@pytest.mark.parametrize(("shocked", "levels", "holder"), [(0, (10, 1), 0), (1, (0, 1), 1)])
def test_objective_control_is_zero(shocked: int, levels: tuple[int, int], holder: int):
    """Five models with OC 2 against one with OC 1: 10 to 1; while they are Battle-shocked 0 to 1."""
    scene = Scene()
    marker = scene.marker(30, 22)
    scene.unit(0, sheet("Holders", OC=2), at=(27, 24), models=5, shocked=shocked)
    scene.unit(1, sheet("Enemy"), at=(30, 19), models=1)
    battle = scene.battle(phase="command", active=1)  # player 0's units stay Battle-shocked in player 1's turn
    o = battle.objectives
    assert (o.level0[marker], o.level1[marker]) == levels
    assert o.holder[marker] == holder


@pytest.mark.rule("w10.command.battle-shock.desperate-escape")
@pytest.mark.parametrize(("shocked", "rolled"), [(1, 5), (0, 0)])
def test_every_model_of_a_battle_shocked_unit_tests_when_it_falls_back(shocked: int, rolled: int):
    """Five models fall straight back from an enemy in front of them: five dice if Battle-shocked, else none."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=(20, 10), models=5, shocked=shocked)
    scene.unit(1, sheet("Enemy"), at=(20, 11.5), models=1)
    battle = scene.battle(phase="movement", dice=[3, 3, 3, 3, 3])
    pick(battle, "Fall Back", kind="move-kind")
    down = battle.setup.space.grid // 2  # the lowest row, the middle column: straight away
    assert battle.decision is not None
    assert battle.decision.kind == "fall-back-to"
    assert down in slots(battle, "cell")
    choose(battle, "cell", down)
    assert dice_left(battle) == 5 - rolled
    assert battle.units.alive[unit] == 5
    assert battle.models.y[unit.first] == pytest.approx(4.0)


@pytest.mark.rule("w10.command.battle-shock.phase-end")
def test_the_movement_phase_begins_after_the_last_test_and_its_reactions():
    """Two units test; while the second test can still be re-rolled the Command phase goes on."""
    scene = Scene()
    scene.unit(0, sheet("U1"), at=(5, 10), models=10, lost=range(6))
    u2 = scene.unit(0, sheet("U2"), at=(30, 10), models=10, lost=range(6))
    scene.unit(1, sheet("Theirs"), at=(10, 40), models=1)
    rerolls = [{"player": 0, "roll": "battle-shock", "unit": u2.row}]
    battle = scene.battle(phase="command", detail="full", dice=[6, 6, 1, 1, 6, 5], rules={"rerolls": rerolls, **NO_CP})
    assert battle.clock.phase[0] == Phase.COMMAND
    assert who_tested(battle) == []
    pick(battle, "U1", kind="battle-shock-order")
    # U2 is the only one left and tests at once; its failed roll waits for the reaction
    assert len(who_tested(battle)) == 1
    assert dice_left(battle) == 2
    assert battle.decision is not None
    assert battle.decision.kind == "reroll"
    assert battle.clock.phase[0] == Phase.COMMAND
    pick(battle, "re-roll")
    assert [e["roll"] for e in told(battle, TEST)] == [12, 11]
    assert dice_left(battle) == 0
    assert battle.clock.phase[0] == Phase.MOVEMENT
    rules = [(event.rule, event.data.get("phase")) for event in battle.events]
    assert rules.index(("w10.round.phases", "Movement")) > max(k for k, (rule, _) in enumerate(rules) if rule == TEST)


@pytest.mark.rule("w10.command.battle-shock.who")
def test_a_unit_tests_only_once_in_a_phase():
    """Having passed, it is still below half-strength but not asked again before the next own Command phase."""
    battle, mine = lone(dice=(6, 6))
    play_until(battle, "move-kind")
    assert who_tested(battle) == [mine]
    assert battle.clock.phase[0] == Phase.MOVEMENT


@pytest.mark.rule("w10.command.battle-shock.stratagems")
@pytest.mark.parametrize("shocked", [0, 1])
def test_no_stratagem_of_its_own_player_on_a_battle_shocked_unit(shocked: int):
    """Shot at with 1 CP in hand: neither Go to Ground nor a re-roll of its failed save, unless it is not Battle-shocked."""
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, A=1, BS=2, S=8, AP=-2)}), at=(20, 10), models=1)
    scene.unit(1, sheet("Target", T=4, Sv=4), at=(20, 22), models=2, shocked=shocked)
    stratagems = {"command-re-roll": "ask"}
    battle = scene.battle(phase="shooting", cp=(0, 1), dice=[6, 6, 2, 2], rules={"stratagems": stratagems})
    asked = []
    while battle.decision is not None and battle.clock.phase[0] == Phase.SHOOTING:
        if battle.decision.player == 1:
            asked.append(battle.decision.kind)
            battle.apply(battle.first_legal())  # not used
        else:
            pick(battle, "Guns", kind="select-to-shoot")
    assert asked == ([] if shocked else ["go-to-ground", "command-re-roll-die"])
    assert battle.units.alive[1] == 1
    assert battle.players.cp[1] == 1


@pytest.mark.rule("w10.command.battle-shock.stratagems")
def test_the_opponent_may_affect_a_battle_shocked_unit_with_stratagems():
    """An enemy Grenade is thrown at it; its own Grenade it cannot throw."""
    for shocked in ((0, 1), (1, 0)):
        scene = Scene()
        thrower = sheet("Thrower", keywords=("INFANTRY", "GRENADES"), weapons={"gun": ranged(24, BS=6)})
        scene.unit(0, thrower, at=(20, 10), models=1, shocked=shocked[0])
        target = scene.unit(1, sheet("Target"), at=(20, 16), models=6, shocked=shocked[1])
        battle = scene.battle(phase="shooting", cp=(1, 0), dice=[6, 6, 4, 1, 1, 1])
        throw = battle.setup.space.option  # the option of throwing, where units are selected to shoot
        assert battle.decision is not None
        assert (throw in battle.decision.options) == (not shocked[0])
        if not shocked[0]:
            battle.apply(throw)
            assert told(battle, "w10.stratagem.grenade")[-1]["mortal_wounds"] == 3
            assert dice_left(battle) == 0
        assert battle.units.alive[target] == (6 if shocked[0] else 3)
        assert battle.players.cp[0] == shocked[0]
