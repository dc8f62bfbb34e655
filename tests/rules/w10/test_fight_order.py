"""Fight phase: its two steps, who may fight in which, and who selects when (w10.fight.*)."""

import pytest

from wh_env.content.battle import Battle
from wh_env.rulesets.w10.codes import Phase
from wh_env.rulesets.w40k.profiles import Ability
from wh_env.testing import Scene, choose, dice_left, melee, pick, sheet, slots, told, words

TOUCH = 1.005  # between the centres of two bases of 1 inch in contact
FIRST = {"fights_first": True}
KILLER = {"axe": melee(A=1, WS=2, S=8, AP=-6)}


def order(battle: Battle) -> list[tuple[int, int]]:
    """The units selected to fight in the first turn played, each with the step it fights in."""
    found = []
    for event in battle.events:
        if event.rule == "w10.round.end-of-turn":
            break
        if event.rule == "w10.fight.alternate":
            found.append((event.data["unit"], event.data["step"]))
    return found


def fought_out(battle: Battle) -> list[tuple[int, int]]:
    """The order of the first Fight phase, played to its end by first answers."""
    for _ in range(200):
        if battle.over or told(battle, "w10.round.end-of-turn"):
            return order(battle)
        battle.apply(battle.first_legal())
    raise LookupError("the turn does not end")


def offered(battle: Battle) -> set[str]:
    """Names of the units that the waiting player may select to fight."""
    assert battle.decision is not None
    assert battle.decision.kind == "select-to-fight"
    assert slots(battle, "done") == []
    assert slots(battle, "option") == []  # no way to pass
    return set(words(battle).values())


def pairs(count: int, **first: object) -> tuple[Scene, list[int], list[int]]:
    """``count`` pairs of units in base contact, A1 with B1 and so on; ``first``: columns of A1."""
    scene = Scene()
    ours, theirs = [], []
    for n in range(count):
        ours.append(scene.unit(0, sheet(f"A{n + 1}"), at=(10 + 10 * n, 10), **(first if n == 0 else {})))  # type: ignore[arg-type]
    for n in range(count):
        theirs.append(scene.unit(1, sheet(f"B{n + 1}"), at=(10 + 10 * n, 10 + TOUCH)))
    return scene, [u.row for u in ours], [u.row for u in theirs]


@pytest.mark.rule("w10.fight.steps", "w10.fight.remaining-combats")
def test_fights_first_and_then_remaining_combats():
    """The charging unit fights in step 1, the two other engaged units in step 2 and not before."""
    scene = Scene()
    charger = scene.unit(0, sheet("Charger"), at=(10, 10), charged=1)
    other = scene.unit(0, sheet("Other"), at=(10 + TOUCH, 11))
    enemy = scene.unit(1, sheet("Enemy"), at=(10, 10 + TOUCH))
    battle = scene.battle(phase="fight")
    assert fought_out(battle) == [(charger, 1), (other, 2), (enemy, 2)]


@pytest.mark.rule("w10.fight.remaining-combats")
def test_a_unit_without_fights_first_cannot_be_selected_in_step_one():
    """While step 1 goes on only the charging units are offered; the engaged one comes in step 2."""
    scene, ours, _theirs = pairs(3, charged=1)
    battle = scene.battle(phase="fight", set_state=lambda b: b.units.charged.__setitem__(ours[1], 1))
    assert battle.clock.step[0] == 1
    assert offered(battle) == {"A1", "A2"}
    pick(battle, "A1")
    assert order(battle) == [(ours[0], 1), (ours[1], 1), (ours[2], 2)]  # each then the only choice
    assert offered(battle) == {"B1", "B2", "B3"}


@pytest.mark.rule("w10.fight.alternate")
def test_players_select_in_turn():
    """A1, A2, B1, B2 eligible in step 2 of A's turn: A, B, A, B."""
    scene, ours, theirs = pairs(2)
    battle = scene.battle(phase="fight")
    assert (battle.decision.player, offered(battle)) == (0, {"A1", "A2"})
    pick(battle, "A2")
    assert (battle.decision.player, offered(battle)) == (1, {"B1", "B2"})
    pick(battle, "B1")
    assert [unit for unit, _ in order(battle)] == [ours[1], theirs[0], ours[0], theirs[1]]


@pytest.mark.rule("w10.fight.alternate")
def test_the_turn_player_starts_and_starts_again_in_step_two():
    """In B's turn B selects first; and whoever selected last in step 1, the turn player begins step 2."""
    scene, *_ = pairs(2)
    battle = scene.battle(phase="fight", active=1)
    assert (battle.decision.player, offered(battle)) == (1, {"B1", "B2"})
    scene, ours, _theirs = pairs(3, charged=1)
    battle = scene.battle(phase="fight")
    assert order(battle) == [(ours[0], 1)]
    assert (battle.decision.player, offered(battle)) == (0, {"A2", "A3"})


@pytest.mark.rule("w10.fight.no-pass")
def test_nobody_can_pass():
    """With several eligible units one of them must be taken; with one it is selected without a question."""
    scene, ours, theirs = pairs(2)
    battle = scene.battle(phase="fight")
    assert offered(battle) == {"A1", "A2"}  # and nothing else: see ``offered``
    scene, ours, theirs = pairs(1)
    battle = scene.battle(phase="fight")
    assert order(battle)[:2] == [(ours[0], 2), (theirs[0], 2)]


@pytest.mark.rule("w10.fight.eligible")
def test_within_engagement_range_or_charged():
    """1.0" from the closest enemy: eligible; 1.1" and not charged: not; 1.1" and charged: eligible."""
    for gap, charged, eligible in ((1.0, 0, True), (1.1, 0, False), (1.1, 1, True)):
        scene = Scene()
        unit = scene.unit(0, sheet("Unit"), at=(10, 10), charged=charged)
        enemy = scene.unit(1, sheet("Enemy"), at=(10, 11 + gap))
        battle = scene.battle(phase="fight")
        if battle.decision.kind == "pile-in":
            pick(battle, "do not pile in")
        fights = [unit for unit, _ in fought_out(battle)]
        assert (unit in fights) == eligible
        assert (enemy in fights) == (gap == 1.0)


@pytest.mark.rule("w10.fight.eligible")
def test_a_charging_unit_fights_though_its_target_is_gone():
    """Two units charged one enemy; the first destroys it, the second is still selected and makes no attacks."""
    scene = Scene()
    first = scene.unit(0, sheet("First", weapons=KILLER), at=(10, 10), charged=1)
    second = scene.unit(0, sheet("Second", weapons=KILLER), at=(10, 10 + 2 * TOUCH), charged=1)
    victim = scene.unit(1, sheet("Victim"), at=(10, 10 + TOUCH))
    scene.unit(1, sheet("Elsewhere"), at=(50, 40))
    battle = scene.battle(phase="fight", dice=[6, 6, 1])
    pick(battle, "First")
    assert dice_left(battle) == 0
    assert battle.units.alive[victim] == 0
    assert order(battle) == [(first, 1), (second, 1)]
    assert told(battle, "w10.fight.targets.none") == [{"unit": second.row}]


@pytest.mark.rule("w10.fight.once")
def test_no_unit_fights_twice():
    """A unit with Fights First that fought in step 1 and is still engaged is not offered in step 2."""
    scene = Scene()
    quick = scene.unit(0, sheet("Quick", abilities=FIRST), at=(10, 10))
    scene.unit(0, sheet("Slow"), at=(20, 10))
    scene.unit(0, sheet("Slower"), at=(30, 10))
    for n in range(3):
        scene.unit(1, sheet(f"B{n + 1}"), at=(10 + 10 * n, 10 + TOUCH))
    battle = scene.battle(phase="fight")
    assert order(battle) == [(quick, 1)]
    assert battle.clock.step[0] == 2
    assert offered(battle) == {"Slow", "Slower"}
    fights = [unit for unit, _ in fought_out(battle)]
    assert sorted(fights) == [0, 1, 2, 3, 4, 5]


@pytest.mark.rule("w10.fight.remaining-of-one-side")
def test_one_side_goes_on_alone():
    """A has one eligible unit, B three: A1, then all of B's, one at a time."""
    scene = Scene()
    ours = scene.unit(0, sheet("A1"), at=(10, 10))
    names = ("B1", "B2", "B3")
    rows = [
        scene.unit(1, sheet(name), at=at).row
        for name, at in zip(names, ((10, 10 + TOUCH), (10 - TOUCH, 10), (10 + TOUCH, 10)), strict=True)
    ]
    battle = scene.battle(phase="fight")
    pick(battle, "B1", kind="fight-target")
    assert offered(battle) == {"B1", "B2", "B3"}
    pick(battle, "B2")
    assert (battle.decision.player, offered(battle)) == (1, {"B1", "B3"})
    pick(battle, "B3")
    assert [unit for unit, _ in order(battle)] == [ours, rows[1], rows[2], rows[0]]


def consolidates_into(*, step_one: bool, fights_first: bool) -> Battle:
    """A1 has just destroyed B1 and may consolidate into B2; B4 (and in step 1: B5) fights elsewhere."""
    scene = Scene()
    scene.unit(0, sheet("A1", weapons=KILLER), at=(10, 10), charged=int(step_one))
    scene.unit(0, sheet("A4"), at=(30, 10))
    scene.unit(0, sheet("A5"), at=(40, 10))
    scene.unit(1, sheet("B1"), at=(10, 10 + TOUCH))
    scene.unit(1, sheet("B2", abilities=FIRST if fights_first else {}), at=(10, 14.8))
    scene.unit(1, sheet("B4"), at=(30, 10 + TOUCH))
    scene.unit(1, sheet("B5", abilities=FIRST if step_one else {}), at=(40, 10 + TOUCH))
    battle = scene.battle(phase="fight", dice=[6, 6, 1])
    if battle.decision.kind == "select-to-fight":
        pick(battle, "A1")
    assert dice_left(battle) == 0
    assert battle.decision.kind == "consolidate"
    return battle


@pytest.mark.rule("w10.fight.newly-eligible")
def test_a_unit_consolidated_into_may_fight_in_the_same_step():
    """B2 was not engaged until A1 consolidated into it in step 2: B may select it now; else not."""
    battle = consolidates_into(step_one=False, fights_first=False)
    stays = battle.clone()
    pick(battle, "consolidate")
    assert offered(battle) == {"B2", "B4", "B5"}
    choose(stays, "option", 0)
    assert offered(stays) == {"B4", "B5"}


@pytest.mark.rule("w10.fight.newly-eligible")
def test_a_late_fights_first_unit_fights_in_step_two():
    """B2 has Fights First, but step 1 is over when A1 consolidates into it: it may be selected in step 2."""
    battle = consolidates_into(step_one=False, fights_first=True)
    pick(battle, "consolidate")
    assert offered(battle) == {"B2", "B4", "B5"}
    pick(battle, "B2")
    assert (4, 2) in order(battle)
    assert battle.setup.names["units"][4] == "B2"


@pytest.mark.rule("w10.fight.newly-eligible.fights-first")
def test_fights_first_is_settled_at_the_start_of_the_phase():
    """A1 consolidates into B2 in step 1: though B2 has Fights First it waits for step 2; B5 fights in step 1."""
    battle = consolidates_into(step_one=True, fights_first=True)
    assert battle.clock.step[0] == 1
    pick(battle, "consolidate")
    fights = fought_out(battle)
    names = [(battle.setup.names["units"][unit], step) for unit, step in fights]
    assert names[:2] == [("A1", 1), ("B5", 1)]
    assert ("B2", 2) in names
    assert [step for _, step in names] == sorted(step for _, step in names)


def with_ability(how_many: int, active: int) -> list[tuple[int, int]]:
    """The order when ``how_many`` of the five models of player 0's unit have Fights First, in a turn of ``active``."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit", abilities=FIRST), at=[(10 + 1.5 * n, 10) for n in range(5)])
    scene.unit(1, sheet("Enemy"), at=(10, 10 + TOUCH))

    def take_away(battle: Battle) -> None:
        for n in range(how_many, 5):
            battle.models.flags[unit.model(n)] &= ~int(Ability.FIGHTS_FIRST)

    return fought_out(scene.battle(phase="fight", active=active, set_state=take_away))


@pytest.mark.rule("w10.fight.fights-first")
def test_every_model_must_have_fights_first():
    """Four of five models have it: step 2. All five: step 1, in the opponent's turn too."""
    assert with_ability(4, active=0) == [(0, 2), (1, 2)]
    assert with_ability(5, active=0) == [(0, 1), (1, 2)]
    assert with_ability(4, active=1) == [(1, 2), (0, 2)]
    assert with_ability(5, active=1) == [(0, 1), (1, 2)]


@pytest.mark.rule("w10.fight.fights-first")
def test_a_charge_gives_it_to_the_whole_unit():
    """A unit without the ability that charged fights in step 1, alternating with one that has it."""
    scene = Scene()
    unit = scene.unit(0, sheet("Unit"), at=(10, 10), charged=1)
    enemy = scene.unit(1, sheet("Enemy", abilities=FIRST), at=(10, 10 + TOUCH))
    assert fought_out(scene.battle(phase="fight")) == [(unit, 1), (enemy, 1)]


@pytest.mark.rule("w10.fight.end-of-turn")
def test_nobody_to_fight_ends_phase_and_turn():
    """Without an eligible unit nothing is selected; after A's turn comes B's, after B's turn the next round."""
    for active, then in ((0, (1, 1)), (1, (2, 0))):
        scene = Scene()
        scene.unit(0, sheet("A"), at=(10, 10))
        scene.unit(1, sheet("B"), at=(10, 20))
        battle = scene.battle(phase="fight", active=active, round=1)
        assert order(battle) == []
        assert battle.decision.kind != "select-to-fight"
        assert (battle.clock.round[0], battle.clock.turn[0]) == then
        assert battle.clock.phase[0] in (Phase.COMMAND, Phase.MOVEMENT)


@pytest.mark.rule("w10.fight.end-of-turn")
def test_the_last_fight_phase_ends_the_battle():
    """In the second turn of round 5 the battle ends with the turn; with fights to make they come first."""
    scene, ours, theirs = pairs(1)
    battle = scene.battle(phase="fight", active=1, round=5)
    assert battle.over
    assert order(battle) == [(theirs[0], 2), (ours[0], 2)]
