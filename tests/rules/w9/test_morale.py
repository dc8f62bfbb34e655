"""Morale phase: who tests, the test, flight, Combat Attrition, coherency checks (w9.morale.*)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.rulesets.w40k.morale.phase import rules_of
from wh_env.rulesets.w40k.sequence.effects import take_effect
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import UnitHandle, choose, dice_left, kind, pick, ranged, sheet, slots, told

QUIET = {"cp_each_command_phase": 0}


def file(y: float, models: int, x: float = 10.0) -> list[tuple[float, float]]:
    """So many places in a row, in coherency."""
    return [(x + 1.5 * k, y) for k in range(models)]


def shaken(
    models: int, lost: int, dice: Sequence[int], *, Ld: int = 7, player: int = 0, active: int = 0, detail: str = "squad",
    effects: Sequence[str] = (), **fields: object,
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """The Morale phase with a unit that has lost so many of its models this turn; another unit on each side."""
    scene = NinthScene()
    for side in (0, 1):
        scene.unit(side, sheet(f"Calm {side}"), at=(50, 10 + 20 * side), models=1)
    unit = scene.unit(player, sheet("Shaken", Ld=Ld), at=file(22, models), lost=range(lost), name="Shaken")

    def strike(battle: Battle) -> None:
        for k in range(lost):
            battle.toll[unit.model(k)] = 1
        for effect in effects:
            take_effect(battle, effect, player, unit.row, 1)

    battle = scene.battle("morale", active=active, dice=dice, detail=detail, set_state=strike, rules=QUIET, **fields)  # type: ignore[arg-type]
    return battle, unit


def alive(battle: Battle, unit: UnitHandle) -> int:
    """Models left in the unit."""
    return int(battle.units.alive[unit])


# ---------------------------------------------------------------- who, and in what order


def two_sides(active: int, detail: str = "full") -> tuple[Battle, list[UnitHandle]]:
    """A with A1 (2 lost), B with B1 (1 lost) and B2 (3 lost); everybody else is unhurt."""
    scene = NinthScene()
    units = [
        scene.unit(active, sheet("A1"), at=file(10, 6), lost=range(2), name="A1"),
        scene.unit(active, sheet("A2"), at=file(4, 6), name="A2"),
        scene.unit(1 - active, sheet("B1"), at=file(20, 6), lost=range(1), name="B1"),
        scene.unit(1 - active, sheet("B2"), at=file(30, 6), lost=range(3), name="B2"),
        scene.unit(1 - active, sheet("Gone"), at=file(40, 2), place="destroyed", name="Gone"),
    ]

    def strike(battle: Battle) -> None:
        for unit, lost in ((units[0], 2), (units[2], 1), (units[3], 3), (units[4], 2)):
            for k in range(lost):
                battle.toll[unit.model(k)] = 1

    return scene.battle("morale", active=active, dice=[1] * 3, detail=detail, set_state=strike, rules=QUIET), units


@pytest.mark.rule("w9.morale.who")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("first", ["B1", "B2"])
def test_both_armies_test_in_turn_each_unit_once(active: int, first: str) -> None:
    """A1 is tested, then B chooses; unhurt units (A2) and destroyed ones (Gone) take no test."""
    battle, (a1, _, b1, b2, _) = two_sides(active)
    assert [e["unit"] for e in told(battle, "w9.morale.test")] == [a1]
    assert (kind(battle), battle.decision.player) == ("select-to-test", 1 - active)
    assert len(slots(battle, "own")) == 2
    pick(battle, first)
    assert [e["unit"] for e in told(battle, "w9.morale.test")] == [a1, *((b1, b2) if first == "B1" else (b2, b1))]
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.morale.who")
def test_the_other_player_selects_in_between() -> None:
    """A1, B1, A2: after A's first unit B's comes before A's second."""
    scene = NinthScene()
    units = [
        scene.unit(player, sheet(name), at=file(y, 6), lost=[0], name=name)
        for player, name, y in ((0, "A1", 10), (0, "A2", 4), (1, "B1", 20))
    ]

    def strike(battle: Battle) -> None:
        for unit in units:
            battle.toll[unit.model(0)] = 1

    battle = scene.battle("morale", dice=[1, 1, 1], detail="full", set_state=strike, rules=QUIET)
    pick(battle, "A2", kind="select-to-test")
    assert [e["unit"] for e in told(battle, "w9.morale.test")] == [units[1], units[2], units[0]]


@pytest.mark.rule("w9.morale.test", "w9.morale.who")
@pytest.mark.parametrize("shooter", [0, 1])
def test_losses_of_the_turn_count_whatever_caused_them(shooter: int) -> None:
    """Three models shot and one taken by mortal wounds add 4; in the next turn nothing of it counts."""
    scene = NinthScene()
    gun = {"gun": ranged(24, A=3, BS=2, S=8, AP=-6)}
    scene.unit(shooter, sheet("Guns", weapons=gun), at=(10, 10), models=1, name="Guns")
    foes = scene.unit(1 - shooter, sheet("Foes", T=3, Ld=8), at=file(22, 10), name="Foes")
    scene.rule(TimedRule("Storm", "charge", shooter, "mortal", foes, 1, round=1))  # type: ignore[arg-type]
    battle = scene.battle("shooting", active=shooter, dice=[2, 2, 2, 2, 2, 2, 1, 1, 1, 1], rules=QUIET)
    pick(battle, "Guns")
    if kind(battle) == "shoot-target":
        pick(battle, "Foes")
    while not told(battle, "w9.morale.test"):
        battle.apply(battle.first_legal())
    assert told(battle, "w9.morale.test") == [
        {"unit": foes.row, "roll": 1, "bonus": 4, "needed": 8, "passed": True},
    ]
    while battle.clock.round[0] < 3:
        battle.apply(battle.first_legal())
    assert len(told(battle, "w9.morale.test")) == 1


# ---------------------------------------------------------------- the test


@pytest.mark.rule("w9.morale.test")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("models", "lost", "die", "passed"),
    [(14, 4, 3, True), (14, 4, 4, False), (14, 10, 1, True), (14, 10, 2, False), (14, 1, 6, True)],
)
def test_a_die_and_the_slain_against_leadership(player: int, models: int, lost: int, die: int, passed: bool) -> None:
    """Ld 7: 4 lost and a 3 pass, a 4 fails; an unmodified 1 always passes."""
    attrition = [] if passed else [6] * (models - lost - 1)
    battle, unit = shaken(models, lost, [die, *attrition], player=player)
    assert [e["passed"] for e in told(battle, "w9.morale.test")] == [passed]
    assert alive(battle, unit) == models - lost - (not passed)
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.morale.test")
@pytest.mark.parametrize(("fourth", "passed"), [(8, True), (4, False)])
def test_the_highest_leadership_in_the_unit_counts(fourth: int, passed: bool) -> None:
    """4 and 4 slain are 8: a Sergeant of Ld 8 among men of Ld 6 is enough, if he is alive."""
    scene = NinthScene()
    unit = scene.unit(0, sheet("Men", Ld=6), at=file(22, 12), name="Men")
    scene.unit(1, sheet("Calm"), at=(50, 40), models=1)

    def strike(battle: Battle) -> None:
        for k in (5, 6, 7, fourth):
            battle.toll[unit.model(k)] = 1
            battle.models.alive[unit.model(k)] = battle.models.on_table[unit.model(k)] = 0
            battle.units.alive[unit] -= 1
        battle.models.leadership[unit.model(4)] = 8

    battle = scene.battle("morale", dice=[4, *[6] * 12], set_state=strike, rules=QUIET)
    assert [(e["bonus"], e["passed"]) for e in told(battle, "w9.morale.test")] == [(4, passed)]


@pytest.mark.rule("w9.morale.returned-models")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("returned", "added"), [(2, [1]), (3, []), (0, [3])])
def test_returned_models_are_not_counted(player: int, returned: int, added: list[int]) -> None:
    """Of 3 models destroyed so many are returned in the same turn."""
    scene = NinthScene()
    foe = scene.unit(
        1 - player, sheet("Guns", weapons={"gun": ranged(24, A=3, BS=2, S=8, AP=-6)}), at=(10, 5), models=1
    )
    unit = scene.unit(player, sheet("Dead", T=3), at=file(22, 6), name="Dead")
    if returned:
        scene.rule(TimedRule("Rise", "charge", player, "return", unit, returned, own_turn_only=False))  # type: ignore[arg-type]
    battle = scene.battle(
        "shooting", active=1 - player, dice=[2, 2, 2, 2, 2, 2, 1, 1, 1, *[1] * len(added)], rules=QUIET
    )
    pick(battle, battle.setup.names["units"][foe.row])
    if kind(battle) == "shoot-target":
        pick(battle, "Dead")
    while battle.clock.turn[0] == 1 - player and not battle.over:
        battle.apply(battle.first_legal())
    assert [e["bonus"] for e in told(battle, "w9.morale.test") if e["unit"] == unit.row] == added
    assert alive(battle, unit) == 3 + returned


# ---------------------------------------------------------------- flight


@pytest.mark.rule("w9.morale.flee")
@pytest.mark.parametrize("player", [0, 1])
def test_one_model_of_its_players_choice_flees_and_the_rest_are_tested(player: int) -> None:
    """A unit of 6 that fails: one model chosen is gone, 5 Combat Attrition dice are rolled."""
    battle, unit = shaken(10, 4, [4, 6, 6, 6, 6, 6], player=player, detail="full")
    assert (kind(battle), battle.decision.player) == ("fleeing-model", player)
    assert len(slots(battle, "model")) == 6
    choose(battle, "model", 2)
    assert [e["model"] for e in told(battle, "w9.morale.flee")] == [unit.model(6)]
    assert not battle.models.alive[unit.model(6)]
    assert [e["rolls"] for e in told(battle, "w9.morale.attrition")] == [[6] * 5]
    assert (alive(battle, unit), dice_left(battle)) == (5, 0)


@pytest.mark.rule("w9.morale.attrition")
@pytest.mark.parametrize("player", [0, 1])
def test_a_model_flees_for_each_one(player: int) -> None:
    """5 models remain of 10, not below Half-strength; 1, 2, 1, 5, 6: two more flee, chosen by their player."""
    battle, unit = shaken(10, 4, [4, 1, 2, 1, 5, 6], player=player, detail="full")
    choose(battle, "model", 0)
    for left in (5, 4):
        assert (kind(battle), battle.decision.player, len(slots(battle, "model"))) == ("fleeing-model", player, left)
        choose(battle, "model", 0)
    assert [e["model"] for e in told(battle, "w9.morale.flee")] == [unit.model(k) for k in (4, 5, 6)]
    assert (alive(battle, unit), dice_left(battle)) == (3, 0)


@pytest.mark.rule("w9.morale.attrition.half-strength", "w9.concepts.half-strength")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("models", "lost", "dice", "left"),
    [
        (10, 5, [1, 2, 3, 6], 2),
        (10, 4, [1, 2, 3, 6, 6], 4),
        (9, 4, [1, 2, 3, 6], 2),
        (7, 2, [2, 2, 2, 2], 4),
        (7, 3, [2, 2, 2], 0),
    ],
)
def test_below_half_strength_twos_flee_too(models: int, lost: int, dice: list[int], left: int, player: int) -> None:
    """4 of 10 remain after the first has fled: 1 and 2 flee; with 5 only the 1 does. Half of 9 is 4.5, half of 7 is 3.5."""
    battle, unit = shaken(models, lost, [6, *dice], player=player, Ld=6)
    assert (alive(battle, unit), dice_left(battle)) == (left, 0)


@pytest.mark.rule("w9.morale.flee.destroyed")
@pytest.mark.parametrize("player", [0, 1])
def test_who_flees_is_destroyed_without_a_trigger(player: int) -> None:
    """The last models of a unit with Deadly Demise flee: nothing is rolled for it, its unit counts as destroyed."""
    scene = NinthScene()
    bomb = sheet("Bombs", abilities={"deadly_demise": "D3"})
    unit = scene.unit(player, bomb, at=file(22, 4), lost=[0, 1], name="Bombs")
    scene.unit(player, sheet("Beside"), at=file(24, 2), name="Beside")
    foe = scene.unit(1 - player, sheet("Foes"), at=file(26, 2), name="Foes")

    def strike(battle: Battle) -> None:
        battle.toll[unit.model(0)] = battle.toll[unit.model(1)] = 1

    battle = scene.battle("morale", dice=[6, 1], set_state=strike, rules={**QUIET, "vp_each_unit_destroyed": 2})
    assert [e["model"] for e in told(battle, "w9.morale.flee")] == [unit.model(3), unit.model(2)]
    assert (alive(battle, unit), dice_left(battle)) == (0, 0)
    assert [e["unit"] for e in told(battle, "w9.concepts.destroyed")] == [unit.row]
    assert battle.players.vp[1 - player] == 2
    assert alive(battle, foe) == 2


# ---------------------------------------------------------------- without a roll


@pytest.mark.rule("w9.morale.priority")
@pytest.mark.parametrize(
    ("effects", "dice", "left"),
    [
        (("fails-morale", "passes-morale"), [], 5),
        (("passes-morale",), [], 5),
        (("fails-morale",), [6, 6, 6, 6], 4),
        ((), [1], 5),
    ],
)
def test_what_passes_comes_before_what_fails(effects: tuple[str, ...], dice: list[int], left: int) -> None:
    """5 of 10 are left; both rules at once: no die is rolled and nobody flees."""
    battle, unit = shaken(10, 5, dice, effects=effects)
    assert (alive(battle, unit), dice_left(battle)) == (left, 0)
    assert len(told(battle, "w9.morale.test")) == (not effects)


WILL = {"name": "Will", "effect": "passes Morale tests", "range": 6, "keyword": "TESTERS", "active": True}


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("away", "keyword", "passed"), [(5.9, "TESTERS", True), (6.1, "TESTERS", False), (5.9, "OTHERS", False)]
)
def test_an_aura_lets_units_near_by_pass_without_a_roll(player: int, away: float, keyword: str, passed: bool) -> None:
    """5 of 10 with Leadership 7 are left: with a 6 a model flees and none of the four attrition tests of 6 fails."""
    scene = NinthScene()
    scene.unit(1 - player, sheet("Calm"), at=(50, 40), models=1)
    unit = scene.unit(
        player, sheet("Shaken", faction_keywords=[keyword]), at=file(22, 10), lost=range(5), name="Shaken"
    )
    scene.unit(player, sheet("Mind", abilities={"auras": [WILL]}), at=(23.5 + 1 + away, 22), models=1)

    def strike(battle: Battle) -> None:
        for k in range(5):
            battle.toll[unit.model(k)] = 1

    battle = scene.battle("morale", active=0, dice=[6, 6, 6, 6, 6], detail="squad", set_state=strike, rules=QUIET)
    assert (alive(battle, unit), dice_left(battle)) == ((5, 5) if passed else (4, 0))
    assert bool(told(battle, "w9.morale.test")) != passed


# ---------------------------------------------------------------- coherency checks


@pytest.mark.rule("w9.morale.coherency")
@pytest.mark.parametrize("player", [0, 1])
def test_models_are_removed_until_one_group_is_left(player: int) -> None:
    """Two pairs 5" apart: after two models of one pair are gone nobody else is removed, no test follows, nothing explodes."""
    scene = NinthScene()
    pairs = [(10, 22), (11.5, 22), (17.5, 22), (19, 22)]
    bomb = sheet("Pairs", abilities={"deadly_demise": "D3"})
    unit = scene.unit(player, bomb, at=pairs, name="Pairs")
    scene.unit(1 - player, sheet("Calm"), at=(50, 40), models=1)
    battle = scene.battle("morale", detail="full", dice=[6, 6], rules=QUIET)
    for number, left in ((0, 4), (0, 3)):
        assert (kind(battle), battle.decision.player, len(slots(battle, "model"))) == (
            "coherency-removal",
            player,
            left,
        )
        choose(battle, "model", number)
    assert [e["model"] for e in told(battle, "w9.morale.coherency")] == [unit.model(0), unit.model(1)]
    assert (alive(battle, unit), dice_left(battle)) == (2, 2)
    assert not told(battle, "w9.morale.test")


@pytest.mark.rule("w9.morale.coherency")
def test_one_of_each_pair_first_leaves_a_single_model() -> None:
    """Taken from both pairs, three models go."""
    scene = NinthScene()
    unit = scene.unit(0, sheet("Pairs"), at=[(10, 22), (11.5, 22), (17.5, 22), (19, 22)], name="Pairs")
    scene.unit(1, sheet("Calm"), at=(50, 40), models=1)
    battle = scene.battle("morale", detail="full", rules=QUIET)
    for number in (0, 1, 0):
        choose(battle, "model", number)
    assert (alive(battle, unit), kind(battle) == "coherency-removal") == (1, False)


@pytest.mark.rule("w9.morale.phase")
def test_tests_come_before_coherency_checks() -> None:
    """6 of 10 are left in two groups of 3 that are 6" apart: Ld 7, 4 slain and a 2 pass, nobody flees; then models are removed."""
    scene = NinthScene()
    places = [(30, 30), (31.5, 30), (33, 30), (34.5, 30), *file(22, 3), *file(22, 3, x=20.0)]
    unit = scene.unit(0, sheet("Torn"), at=places, lost=range(4), name="Torn")
    scene.unit(1, sheet("Calm"), at=(50, 40), models=1)

    def strike(battle: Battle) -> None:
        for k in range(4):
            battle.toll[unit.model(k)] = 1

    battle = scene.battle("morale", dice=[2], set_state=strike, rules=QUIET)
    rules = [e.rule for e in battle.events if e.rule.startswith("w9.morale")]
    assert rules == ["w9.morale.test", *["w9.morale.coherency"] * 3]
    assert told(battle, "w9.morale.test")[0]["passed"]
    assert alive(battle, unit) == 3


@pytest.mark.rule("w9.morale.phase")
def test_a_failed_test_comes_before_the_check_too() -> None:
    """The same with a 6: one flees, and the check finds what is left."""
    scene = NinthScene()
    torn = scene.unit(0, sheet("Torn", Ld=5), at=[(30, 30), *file(22, 3), *file(22, 2, x=20.0)], lost=[0], name="Torn")
    scene.unit(1, sheet("Calm"), at=(50, 40), models=1)

    def strike(battle: Battle) -> None:
        battle.toll[torn.model(0)] = 1

    battle = scene.battle("morale", dice=[6, 6, 6, 6, 6], set_state=strike, rules=QUIET)
    rules = [e.rule for e in battle.events if e.rule.startswith("w9.morale")]
    assert rules == ["w9.morale.test", "w9.morale.flee", "w9.morale.attrition", "w9.morale.coherency"]
    assert alive(battle, torn) == 3


@pytest.mark.rule("w9.morale.attrition.half-strength")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("left", "fleeing"), [(6, 6 / 6), (5, 5 / 6), (4, 4 / 3)])
def test_what_is_expected_to_flee_is_what_flees_on_average(left: int, fleeing: float, player: int) -> None:
    """Starting Strength 10: each of the models left flees on a 1, below Half-strength (4, not 5) on a 1 or 2."""
    battle, unit = shaken(10, 3, [], player=player, active=player, run=False)
    assert rules_of(battle).mean_follow(battle, unit.row, left) == pytest.approx(fleeing)
    assert alive(battle, unit) == 7  # it asks what would be
