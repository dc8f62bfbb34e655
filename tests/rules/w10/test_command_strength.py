"""Starting Strength, below half-strength, destroyed models and units, Attached units (w10.command.*)."""

import pytest

from wh_env.content.battle import Battle
from wh_env.core.geometry.engaged import coherent
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.w10.codes import Phase
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import Scene, UnitHandle, dice_left, pick, sheet, slots, told, words

TEST = "w10.command.battle-shock.test"
DESTROYED_UNIT = "w10.command.destroyed.unit"
HERO = sheet("Hero", W=5, Ld=6, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Squad"]})


def count_tests(models: int, left: int, W: int = 1, wounds: dict[int, int] | None = None) -> int:
    """How many Battle-shock tests a unit of that many models takes in its Command phase with ``left`` of them."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", W=W), at=(10, 10), models=models, lost=range(left, models), wounds=wounds)
    scene.unit(1, sheet("Theirs"), at=(10, 40), models=1)
    battle = scene.battle(phase="command", dice=[6, 6])
    assert battle.units.strength[unit] == models
    tests = len(told(battle, TEST))
    assert dice_left(battle) == 2 - 2 * tests
    return tests


@pytest.mark.rule("w10.command.starting-strength")
def test_starting_strength_is_that_of_the_muster():
    """10 mustered, 6 destroyed: Starting Strength is still 10, so that 4 are below half and test."""
    assert count_tests(10, 4) == 1


@pytest.mark.rule("w10.command.starting-strength.wounds-irrelevant")
def test_only_models_count_in_units_of_several():
    """1 of 2 on its last wound is not below half; 1 unhurt of 3 is."""
    assert count_tests(2, 1, W=10, wounds={0: 1}) == 0
    assert count_tests(3, 1, W=10) == 1


@pytest.mark.rule("w10.command.below-half.single")
@pytest.mark.parametrize(("W", "wounds", "tests"), [(12, 6, 0), (12, 5, 1), (7, 4, 0), (7, 3, 1), (1, 1, 0)])
def test_a_single_model_is_below_half_by_its_wounds(W: int, wounds: int, tests: int):
    """Fewer wounds than half of W."""
    assert count_tests(1, 1, W=W, wounds={0: wounds}) == tests


@pytest.mark.rule("w10.command.below-half.multi")
@pytest.mark.parametrize(("models", "left", "tests"), [(10, 5, 0), (10, 4, 1), (5, 3, 0), (5, 2, 1)])
def test_other_units_are_below_half_by_their_models(models: int, left: int, tests: int):
    """Fewer models than half of the Starting Strength."""
    assert count_tests(models, left) == tests
    # lost wounds on those that are left do not matter
    assert count_tests(models, left, W=6, wounds={0: 1, 1: 1}) == tests


# ---------------------------------------------------------------- destroyed


@pytest.mark.rule("w10.command.destroyed.model")
def test_a_destroyed_model_is_gone():
    """It blocks neither movement nor sight and counts for neither coherency, OC nor half-strength."""
    scene = Scene()
    marker = scene.marker(20, 14)
    wall = scene.unit(0, sheet("Wall", hull_in=(4, 1), height=5, W=1), at=[(20, 11, 0, 0)])
    gun = sheet("Gun", weapons={"gun": {"range": 24, "A": 1, "skill": 3, "S": 4, "AP": 0, "D": 1}})
    scene.unit(0, gun, at=(20, 5), models=1)
    scene.unit(1, sheet("Target", height=1), at=(20, 22), models=1)
    standing = scene.battle(phase="shooting")
    assert (
        standing.decision is None
        or standing.decision.kind != "select-to-shoot"
        or "Gun" not in words(standing).values()
    )
    before = scene.battle(phase="movement")
    pick(before, "Gun", kind="select-to-move")
    pick(before, "Normal move")
    ahead = before.setup.space.grid * (before.setup.space.grid - 1) + before.setup.space.grid // 2
    assert ahead not in slots(before, "cell")  # 6" straight on would end on the wall

    scene.rule(TimedRule("Lightning", "command", 0, "mortal", wall.row, 1))
    battle = scene.battle(phase="command")
    assert not battle.models.on_table[wall.first]
    assert not battle.models.alive[wall.first]
    assert [e["unit"] for e in told(battle, DESTROYED_UNIT)] == [wall.row]
    assert battle.objectives.level0[marker] == 0
    pick(battle, "Normal move", kind="move-kind")
    assert ahead in slots(battle, "cell")
    battle.apply(battle.setup.space.cell + battle.setup.space.grid**2 // 2)
    assert battle.clock.phase[0] == Phase.SHOOTING
    assert "Gun" in words(battle).values()


@pytest.mark.rule("w10.command.destroyed.model")
def test_a_destroyed_model_counts_for_nothing():
    """A chain of five loses its middle model: no OC by the marker, out of coherency; with two more gone, below half."""
    scene = Scene()
    marker = scene.marker(20, 14)
    spots = [(20.0, 10.0), (15.0, 10.0), (17.5, 10.0), (22.5, 10.0), (25.0, 10.0)]
    unit = scene.unit(0, sheet("Chain"), at=spots)
    scene.unit(1, sheet("Theirs"), at=(50, 40), models=1)

    def play(lost: range) -> Battle:
        units = scene.units[0][0]
        units["lost"] = set(lost)
        return scene.battle(phase="command", dice=[6, 6])

    whole, hurt, few = play(range(0)), play(range(1)), play(range(3))
    assert (whole.objectives.level0[marker], hurt.objectives.level0[marker]) == (1, 0)

    def together(battle: Battle) -> bool:
        labels = battle.work.labels
        return bool(coherent(battle.models.rows, battle.units.rows, unit.row, 2.0, 5.0, 7, labels))

    assert together(whole)
    assert not together(hurt)
    assert [len(told(battle, TEST)) for battle in (whole, hurt, few)] == [0, 0, 1]


@pytest.mark.rule("w10.command.destroyed.unit")
@pytest.mark.parametrize(("wounds", "destroyed"), [(2, 0), (3, 1)])
def test_a_unit_is_destroyed_with_its_last_model_once(wounds: int, destroyed: int):
    """Not after the second of three models; after the third, one time."""
    scene = Scene()
    unit = scene.unit(0, sheet("Three"), at=(10, 10), models=3)
    scene.unit(0, sheet("Other"), at=(40, 10), models=1)
    scene.unit(1, sheet("Theirs"), at=(50, 40), models=1)
    scene.rule(TimedRule("Lightning", "command", 0, "mortal", unit.row, wounds))
    battle = scene.battle(phase="command", rules={"vp_each_unit_destroyed": 1})
    assert battle.units.alive[unit] == 3 - wounds
    assert [e["unit"] for e in told(battle, DESTROYED_UNIT)] == [unit.row] * destroyed
    assert (battle.units.place[unit] == DESTROYED) == bool(destroyed)
    assert battle.players.vp[1] == destroyed


# ---------------------------------------------------------------- Attached units


def attached(
    lost: range = range(0), hero_wounds: int = 5, hero_at: tuple[float, float] = (16, 11.4)
) -> tuple[Scene, UnitHandle, UnitHandle]:
    """A Hero (W 5) attached to a Squad of five, another unit, and an enemy far away."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad"), at=(10, 10), models=5, lost=lost)
    hero = scene.unit(0, HERO, at=[hero_at], models=1, leads=squad, wounds={0: hero_wounds})
    scene.unit(0, sheet("Other"), at=(40, 10), models=1)
    scene.unit(1, sheet("Theirs"), at=(50, 40), models=1)
    return scene, squad, hero


@pytest.mark.rule("w10.command.attached.merge")
def test_leader_and_bodyguards_are_one_unit():
    """One activation for all six models."""
    scene, squad, hero = attached()
    battle = scene.battle(phase="movement")
    assert sorted(words(battle).values()) == ["Other", "Squad"]
    assert battle.units.alive[squad] == 6
    six = (*range(squad.first, squad.first + 5), hero.first)
    before = [battle.models.y[k] for k in six]
    pick(battle, "Squad")
    pick(battle, "Normal move")
    battle.apply(battle.first_legal())  # the lowest row of the window
    assert [battle.models.y[k] - y for k, y in zip(six, before, strict=True)] == pytest.approx([-6.0] * 6)
    assert battle.decision is not None
    assert battle.decision.subject == battle.setup.names["units"].index("Other")


@pytest.mark.rule("w10.command.attached.starting-strength")
@pytest.mark.parametrize(("lost", "left", "tests"), [(range(2, 5), 3, 0), (range(1, 5), 2, 1)])
def test_starting_strengths_are_added(lost: range, left: int, tests: int):
    """1 + 5: with 3 models not below half-strength, with 2 it is."""
    scene, squad, _ = attached(lost)
    battle = scene.battle(phase="command", dice=[6, 6])
    assert (battle.units.strength[squad], battle.units.alive[squad]) == (6, left)
    assert len(told(battle, TEST)) == tests
    assert dice_left(battle) == 2 - 2 * tests


@pytest.mark.rule("w10.command.attached.revert")
@pytest.mark.parametrize(("wounds", "tests"), [(3, 0), (2, 1)])
def test_the_leader_left_alone_has_its_own_starting_strength(wounds: int, tests: int):
    """All Bodyguard models destroyed: Starting Strength 1; 3 of 5 wounds is not below half, 2 is."""
    scene, squad, hero = attached(hero_wounds=wounds)
    scene.rule(TimedRule("Lightning", "command", 0, "mortal", squad.row, 5))
    battle = scene.battle(phase="command", dice=[6, 6])
    assert battle.units.place[squad] == DESTROYED
    assert battle.units.place[hero] == ON_TABLE
    assert (battle.units.strength[hero], battle.units.alive[hero]) == (1, 1)
    assert [e["unit"] for e in told(battle, TEST)] == [hero.row] * tests


@pytest.mark.rule("w10.command.attached.revert")
def test_the_bodyguards_left_alone_have_their_own_starting_strength():
    """The Hero is lost to coherency with three of five left: Starting Strength 5, and 3 is not below half."""
    scene, squad, hero = attached(range(3, 5), hero_at=(30, 20))
    battle = scene.battle(phase="end", active=1, first_player=0, dice=[6, 6])
    assert battle.units.place[hero] == DESTROYED
    assert battle.clock.round[0] == 2
    assert battle.clock.turn[0] == 0
    assert (battle.units.strength[squad], battle.units.alive[squad]) == (5, 3)
    assert told(battle, TEST) == []
    assert dice_left(battle) == 2


@pytest.mark.rule("w10.command.attached.destroyed-triggers")
def test_each_component_triggers_when_it_is_destroyed():
    """1 VP for each enemy unit destroyed: one for the Bodyguard unit, one for the Leader, two in all."""
    scene, squad, hero = attached()
    scene.rule(TimedRule("first", "command", 0, "mortal", squad.row, 5))
    battle = scene.battle(phase="command", rules={"vp_each_unit_destroyed": 1})
    assert (battle.players.vp[1], [e["unit"] for e in told(battle, DESTROYED_UNIT)]) == (1, [squad.row])

    scene.rule(TimedRule("second", "command", 0, "mortal", hero.row, 5))
    battle = scene.battle(phase="command", rules={"vp_each_unit_destroyed": 1})
    assert battle.players.vp[1] == 2
    assert [e["unit"] for e in told(battle, DESTROYED_UNIT)] == [squad.row, hero.row]
