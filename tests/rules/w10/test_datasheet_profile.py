"""The characteristics of models (w10.datasheet.move, .toughness, .save, .wounds, .leadership, .objective-control, .random.*)."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.content.w10 import load_datasheet
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import Scene, UnitHandle, choose, dice_left, melee, pick, ranged, sheet, slots, told, words
from wh_env.testing.moves import check_move

GUN = {"gun": ranged(24, A=1, BS=2, S=4, AP=0)}


def shots(
    gun: dict[str, object], dice: list[int], detail: str = "squad", **target: object
) -> tuple[Battle, UnitHandle]:
    """One model with this gun shoots at a unit 10" away."""
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": gun}), at=(10, 10), models=1)
    foes = scene.unit(1, sheet("Foes", **target), at=(21, 10), models=1)  # type: ignore[arg-type]
    battle = scene.battle("shooting", dice=dice, detail=detail)
    choose(battle, "own", 0)
    while battle.decision is not None and battle.decision.kind in ("weapon-target", "shoot-target"):
        choose(battle, "enemy", 0)
    return battle, foes


@pytest.mark.rule("w10.datasheet.move")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_unit_with_no_move_only_remains_stationary(detail: str) -> None:
    """M "-": nothing is asked about its move, engaged or not; with M 1" a Normal move is offered."""
    for foes in ((30, 30), (11.5, 10)):
        scene = Scene()
        data = sheet("Fort")
        data["models"][0]["M"] = "-"
        unit = scene.unit(0, data, at=(10, 10), models=1)
        scene.unit(1, sheet("Foes"), at=foes, models=1)
        battle = scene.battle(detail=detail)
        assert told(battle, "w10.move.remain-stationary") == [{"unit": unit.row}]
        assert (battle.models.x[0], battle.models.y[0]) == (10, 10)
    scene = Scene()
    scene.unit(0, sheet("Slow", M=1), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(30, 30), models=1)
    assert len(words(scene.battle(detail=detail))) == 3


@pytest.mark.rule("w10.datasheet.move")
def test_a_unit_with_no_move_neither_charges_nor_piles_in() -> None:
    """A target 5" away: no charge. An enemy at 0.8" and one at 2": no pile-in and no consolidation is asked; with M 1"
    all three are."""
    for move, can in (("-", False), (1, True)):
        data = sheet("Fort", weapons={"fists": melee(1)}, W=5)
        data["models"][0]["M"] = move
        scene = Scene()
        unit = scene.unit(0, data, at=(10, 10), models=1)
        scene.unit(1, sheet("Foes"), at=(16, 10), models=1)
        battle = scene.battle("charge")
        assert (battle.decision is not None and battle.decision.kind == "select-to-charge") == can
        scene = Scene()
        unit = scene.unit(0, data, at=(10, 10), models=1)
        scene.unit(1, sheet("Foes", W=9), at=(11.8, 10), models=1)
        battle = scene.battle("fight", dice=[1])
        kinds = []
        while battle.decision is not None and battle.clock.turn[0] == 0 and battle.clock.phase[0] == 5:
            if battle.decision.subject == unit.row:
                kinds.append(battle.decision.kind)
            battle.apply(battle.decision.options[-1])
        assert ("pile-in" in kinds) == can
        assert ("consolidate" in kinds) is False or can
        assert (battle.models.x[0] == 10) == (not can)


@pytest.mark.rule("w10.datasheet.toughness")
@pytest.mark.parametrize(("toughness", "needed"), [(4, 3), (5, 4), (6, 5)])
def test_toughness_against_strength(toughness: int, needed: int) -> None:
    """S 5 against T 4, 5 and 6: 3+, 4+ and 5+, and one less fails."""
    for die, left in ((needed, 0), (needed - 1, 1)):
        dice = [6, die, 1] if die == needed else [6, die]
        battle, foes = shots(ranged(24, S=5, BS=2), dice, T=toughness, Sv=7)
        assert battle.units.alive[foes] == left
        assert told(battle, "w10.attack.wound.roll")[0]["needed"] == needed
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.save")
@pytest.mark.parametrize(("die", "left"), [(4, 1), (3, 0)])
def test_the_save_characteristic(die: int, left: int) -> None:
    """Sv 4+ against AP 0: 4 saves, 3 does not."""
    battle, foes = shots(ranged(24, S=4), [6, 6, die], T=4, Sv=4)
    assert (battle.units.alive[foes], dice_left(battle)) == (left, 0)


@pytest.mark.rule("w10.datasheet.wounds")
@pytest.mark.parametrize(("damage", "left", "alive"), [(2, 1, 1), (3, 0, 0)])
def test_the_wounds_characteristic(damage: int, left: int, alive: int) -> None:
    """W 3: after losing 2 it is on the battlefield with 1 left; after losing the third it is destroyed."""
    battle, foes = shots(ranged(24, S=4, D=damage), [6, 6, 1], W=3)
    assert battle.models.wounds[foes.first] == left
    assert (battle.units.alive[foes], battle.models.on_table[foes.first]) == (alive, alive)
    assert dice_left(battle) == 0


def two_leaderships() -> dict[str, object]:
    """A unit of a model with Ld 6+ and one with Ld 7+."""
    data = sheet("Mixed", Ld=6, models=(1, 1))
    other = {**data["models"][0], "name": "Other", "Ld": 7}
    return {**data, "models": [data["models"][0], other], "points": [{"models": 2, "points": 10}]}


@pytest.mark.rule("w10.datasheet.leadership")
@pytest.mark.parametrize(("lost", "needed"), [((), 6), ((1,), 6), ((0,), 7)])
def test_the_best_leadership_counts(lost: tuple[int, ...], needed: int) -> None:
    """Ld 6+ and 7+ in one unit: 6+ is needed while that model lives."""
    scene = Scene()
    unit = scene.unit(0, two_leaderships(), at=[(10, 10), (12, 10)], models=2, lost=lost)
    scene.unit(1, sheet("Foes"), at=(30, 30), models=1)
    scene.rule(TimedRule("Test", "command", 0, "leadership", unit.row, 0))
    battle = scene.battle("command", dice=[3, 3])
    assert told(battle, "w10.datasheet.leadership-test")[0]["needed"] == needed
    assert told(battle, "w10.datasheet.leadership-test")[0]["passed"] == (needed == 6)


@pytest.mark.rule("w10.datasheet.leadership-test")
@pytest.mark.parametrize(("dice", "passed"), [((3, 4), True), ((2, 4), False), ((6, 6), True)])
def test_a_leadership_test(dice: tuple[int, int], passed: bool) -> None:
    """Ld 7+: 3 and 4 passes, 2 and 4 fails; a failed one leaves the unit unshocked."""
    scene = Scene()
    unit = scene.unit(0, sheet("Squad", Ld=7), at=(10, 10), models=2)
    scene.unit(1, sheet("Foes"), at=(30, 30), models=1)
    scene.rule(TimedRule("Test", "command", 0, "leadership", unit.row, 0))
    battle = scene.battle("command", dice=dice)
    event = told(battle, "w10.datasheet.leadership-test")[0]
    assert (event["unit"], event["roll"], event["needed"], event["passed"]) == (unit.row, sum(dice), 7, passed)
    assert battle.units.shocked[unit] == 0
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.objective-control")
@pytest.mark.parametrize(("control", "level"), [(2, 10), (1, 5), (0, 0)])
def test_objective_control_adds_up(control: int, level: int) -> None:
    """5 models with OC 2 within range of a marker contribute 10."""
    scene = Scene()
    scene.unit(0, sheet("Squad", OC=control), at=(28, 22), models=5, gap=0.1)
    scene.unit(1, sheet("Foes"), at=(5, 40), models=1)
    scene.marker(30, 20)
    battle = scene.battle("shooting")
    while battle.clock.phase[0] == 3 and battle.decision is not None:
        battle.apply(battle.first_legal())
    assert battle.objectives.level0[0] == level
    assert battle.objectives.holder[0] == (0 if level else -1)


# ---------------------------------------------------------------- random characteristics


def runner() -> dict[str, object]:
    data = sheet("Runners")
    data["models"][0]["M"] = "2D6"
    return data


@pytest.mark.rule("w10.datasheet.random.move")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_random_move_is_rolled_once_for_the_unit(detail: str) -> None:
    """M 2D6" and 5 models: 3 and 5 are rolled when the unit is selected, each model may move up to 8", no other dice."""
    scene = Scene()
    unit = scene.unit(0, runner(), at=(10, 10), models=5)
    scene.unit(0, sheet("Others"), at=(5, 5), models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle(detail=detail, dice=[3, 5])
    assert dice_left(battle) == 2  # it is not yet selected
    pick(battle, "Runners", kind="select-to-move")
    assert dice_left(battle) == 0
    assert told(battle, "w10.datasheet.random.move") == [{"unit": unit.row, "inches": 8}]
    pick(battle, "Normal move")
    for model in range(5):
        x = battle.models.x[model]
        assert check_move(battle.clone(), unit, "normal", {model: [(x, 18.0)]}) in (Fault.LEGAL, Fault.NOT_COHERENT)
        assert check_move(battle.clone(), unit, "normal", {model: [(x, 18.1)]}) == Fault.TOO_FAR
    assert (
        check_move(battle.clone(), unit, "normal", {k: [(battle.models.x[k], 18.0)] for k in range(5)}) == Fault.LEGAL
    )
    if detail == "squad":
        choose(battle, "cell", slots(battle, "cell")[-1])
        assert battle.models.y[0] <= 18.0001


@pytest.mark.rule("w10.datasheet.random.move")
def test_it_is_rolled_anew_each_time_it_is_selected() -> None:
    """In the next turn 1 and 1: up to 2"."""
    scene = Scene()
    unit = scene.unit(0, runner(), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle(dice=[6, 6])
    assert battle.models.move[unit.first] == 12
    script_left = dice_left(battle)
    assert script_left == 0
    pick(battle, "Remain Stationary")
    seen = len(told(battle, "w10.datasheet.random.move"))
    while battle.clock.round[0] == 1:
        assert battle.decision is not None
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    while battle.decision is not None and battle.decision.subject != unit.row:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    events = told(battle, "w10.datasheet.random.move")
    assert len(events) == seen + 1
    assert battle.models.move[unit.first] == events[-1]["inches"]


def led_by(leader_move: object, move: object) -> tuple[Battle, UnitHandle, UnitHandle]:
    """Bodyguards and a Leader with these Move characteristics, selected to move; dice 2, 3, then 6."""
    scene = Scene()
    guards = sheet("Guards")
    guards["models"][0]["M"] = move
    lord = sheet("Lord", keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Guards"]})
    lord["models"][0]["M"] = leader_move
    unit = scene.unit(0, guards, at=(10, 10), models=3)
    leader = scene.unit(0, lord, at=(10, 12), leads=unit)
    scene.unit(0, sheet("Others"), at=(5, 5), models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle(dice=[2, 3, 6])
    pick(battle, "Guards", kind="select-to-move")
    return battle, unit, leader


@pytest.mark.rule("w10.datasheet.random.move", "w10.deploy.leader.one-unit")
def test_the_random_move_of_an_attached_leader_is_rolled() -> None:
    """M 2D6" of the Leader alone, of both (one roll for the whole unit), and different dice (a roll for each)."""
    for leader_move, move, inches, left in (
        ("2D6", 6, (5, 6), 1),
        ("2D6", "2D6", (5, 5), 1),
        (6, "2D6", (6, 5), 1),
        ("D6", "2D6", (6, 5), 0),
        (6, 6, (6, 6), 3),
    ):
        battle, unit, leader = led_by(leader_move, move)
        assert (battle.models.move[leader.first], battle.models.move[unit.first]) == inches
        assert all(battle.models.move[unit.model(k)] == inches[1] for k in range(3))
        assert dice_left(battle) == left
    pick(battle, "Normal move")


@pytest.mark.rule("w10.datasheet.random.move")
def test_a_random_move_reads_back() -> None:
    loaded = load_datasheet(runner())
    model = loaded.models[0]
    assert model.M_roll is not None
    assert str(model.M_roll) == "2D6"
    assert load_datasheet(loaded.model_dump(mode="json", by_alias=True, exclude_none=True)) == loaded


@pytest.mark.rule("w10.datasheet.random.other")
def test_other_random_characteristics_are_rolled_each_time() -> None:
    """2 models with A D6 and D D3: two separate D6 give their attacks, each unsaved attack rolls its own D3."""
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, A="D6", BS=2, S=8, AP=-6, D="D3")}), at=(10, 10), models=2)
    foes = scene.unit(1, sheet("Foes", W=10, Sv=6), at=(20, 10), models=1)
    # attacks 2 and 1; hits; wounds; for each of three attacks a save and the damage (a D6 of 1-2 is 1, 3-4 2, 5-6 3)
    battle = scene.battle("shooting", dice=[2, 1, 6, 6, 6, 6, 6, 6, 1, 2, 1, 4, 1, 5])
    choose(battle, "own", 0)
    rolls = told(battle, "w10.shoot.attacks.number")
    assert [(e["attacker"], e["result"]) for e in rolls] == [(0, 2), (1, 1)]
    damage = [e["result"] for e in told(battle, "w10.attack.damage.amount") if "result" in e and e["die"]]
    assert damage == [1, 2, 3]
    assert battle.models.wounds[foes.first] == 4
    assert dice_left(battle) == 0
