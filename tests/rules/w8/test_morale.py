"""Morale phase: who tests, in what order, the test, flight (w8.morale.*)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from eighth import EighthScene

from wh_env.content.battle import Battle
from wh_env.content.w8.load import load_datasheet
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import UnitHandle, choose, dice_left, kind, melee, pick, ranged, sheet, slots, told, words


def file(y: float, models: int, x: float = 10.0) -> list[tuple[float, float]]:
    """So many places in a row, in coherency."""
    return [(x + 1.5 * k, y) for k in range(models)]


def shaken(
    models: int, lost: int, dice: Sequence[int], *, Ld: int = 7, player: int = 0, active: int = 0, detail: str = "squad",
    **fields: Any,
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """The Morale phase with a unit that has lost so many of its models this turn; another unit on each side."""
    scene = EighthScene()
    for side in (0, 1):
        scene.unit(side, sheet(f"Calm {side}"), at=(50, 10 + 20 * side), models=1)
    unit = scene.unit(player, sheet("Shaken", Ld=Ld), at=file(22, models), lost=range(lost), name="Shaken", **fields)

    def strike(battle: Battle) -> None:
        for k in range(lost):
            battle.toll[unit.model(k)] = 1

    return scene.battle("morale", active=active, dice=dice, detail=detail, set_state=strike), unit


def alive(battle: Battle, unit: UnitHandle) -> int:
    """Models left in the unit."""
    return int(battle.units.alive[unit])


# ---------------------------------------------------------------- who, in what order


@pytest.mark.rule("w8.morale.who", "w8.morale.order")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("first", ["A1", "A2"])
def test_all_units_of_the_active_player_test_first(active: int, first: str) -> None:
    """A1, A2 and B1, B2 lost models, A3 only wounds, A4 lost one in an earlier turn: A's two in the order its player chooses, then B's."""
    scene = EighthScene()
    a1, a2 = (scene.unit(active, sheet(n, W=2), at=file(y, 6), lost=[0], name=n) for n, y in (("A1", 4), ("A2", 8)))
    scene.unit(active, sheet("A3", W=2), at=file(12, 6), wounds=[1] * 6, name="A3")
    scene.unit(active, sheet("A4", W=2), at=file(16, 6), lost=[0], name="A4")
    b1, b2 = (scene.unit(1 - active, sheet(n), at=file(y, 6), lost=[0, 1], name=n) for n, y in (("B1", 24), ("B2", 28)))

    def strike(battle: Battle) -> None:
        for unit, lost in ((a1, 1), (a2, 1), (b1, 2), (b2, 2)):
            for k in range(lost):
                battle.toll[unit.model(k)] = 1

    battle = scene.battle("morale", active=active, dice=[1] * 4, detail="full", set_state=strike)
    assert battle.decision is not None
    assert (kind(battle), battle.decision.player) == ("select-to-test", active)
    assert set(words(battle).values()) == {"A1", "A2"}
    pick(battle, first)
    assert battle.decision is not None
    assert (kind(battle), battle.decision.player) == ("select-to-test", 1 - active)
    pick(battle, "B2")
    tested = [(e["unit"], e["bonus"]) for e in told(battle, "w8.morale.test")]
    ours = [(a1, 1), (a2, 1)] if first == "A1" else [(a2, 1), (a1, 1)]
    assert tested == [*ours, (b2, 2), (b1, 2)]
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- the test, flight


@pytest.mark.rule("w8.morale.test", "w8.morale.flee")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize(
    ("Ld", "lost", "die", "fled"),
    [(8, 4, 3, 0), (8, 4, 4, 0), (8, 4, 5, 1), (8, 3, 6, 1), (7, 4, 6, 3), (7, 1, 6, 0)],
)
def test_a_model_flees_for_each_point_above_leadership(
    player: int, active: int, Ld: int, lost: int, die: int, fled: int
) -> None:
    """3 + 4 and 4 + 4 do not exceed 8; 3 + 6 exceeds it by 1; against 7 a 6 with 4 slain by 3. Nothing else is rolled."""
    battle, unit = shaken(12, lost, [die], Ld=Ld, player=player, active=active)
    (test,) = told(battle, "w8.morale.test")
    assert test == {"unit": unit.row, "roll": die, "bonus": lost, "needed": Ld, "passed": not fled}
    assert alive(battle, unit) == 12 - lost - fled
    assert len(told(battle, "w8.morale.flee")) == fled
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.morale.no-auto-pass")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("lost", "die", "fled"), [(9, 1, 2), (7, 1, 0), (2, 6, 0)])
def test_no_roll_passes_or_fails_by_itself(player: int, lost: int, die: int, fled: int) -> None:
    """9 slain, Ld 8 and a 1: 10 exceeds 8 by 2; with 2 slain a 6 passes."""
    battle, unit = shaken(14, lost, [die], Ld=8, player=player)
    assert alive(battle, unit) == 14 - lost - fled


@pytest.mark.rule("w8.morale.flee.choice")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("slot", [0, 1])
def test_the_player_of_the_unit_chooses_who_flees(player: int, slot: int) -> None:
    """Of two models left, one wounded, either may flee."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Men", Ld=7, W=2), at=file(22, 5), lost=[0, 1, 2], wounds={3: 1}, name="Men")
    scene.unit(1 - player, sheet("Calm"), at=(50, 40), models=1)

    def strike(battle: Battle) -> None:
        for k in range(3):
            battle.toll[unit.model(k)] = 1

    battle = scene.battle("morale", active=1 - player, dice=[5], detail="full", set_state=strike)
    assert battle.decision is not None
    assert (kind(battle), battle.decision.player) == ("fleeing-model", player)
    assert slots(battle, "model") == [0, 1]
    choose(battle, "model", slot)
    assert [e["model"] for e in told(battle, "w8.morale.flee")] == [unit.model(3 + slot)]
    assert [bool(battle.models.alive[unit.model(k)]) for k in (3, 4)] == [slot == 1, slot == 0]


@pytest.mark.rule("w8.morale.flee.cap")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_no_more_flee_than_there_are(player: int, detail: str) -> None:
    """2 left, Ld 6, 8 slain and a 3: five points, both flee and the unit is destroyed."""
    battle, unit = shaken(10, 8, [3], Ld=6, player=player, detail=detail)
    while kind(battle) == "fleeing-model":
        choose(battle, "model", 0)
    assert alive(battle, unit) == 0
    assert len(told(battle, "w8.morale.flee")) == 2
    assert [e["unit"] for e in told(battle, "w8.concepts.unit-destroyed")] == [unit.row]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.morale.highest-leadership")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("champion", "needed"), [(True, 8), (False, 7)])
def test_the_highest_leadership_of_those_left_counts(player: int, champion: bool, needed: int) -> None:
    """Men of Ld 7 with a Champion of Ld 8: 8 while he is there, 7 if he was slain."""
    scene = EighthScene()
    men = sheet("Men", Ld=7)
    men["models"][0].update(min=4, max=9)
    men["models"].append(dict(men["models"][0], name="Champion", min=1, max=1, Ld=8))
    men["points"] = [{"models": 10, "points": 100}]
    lost = [0, 1] if champion else [0, 5]
    unit = scene.unit(player, men, at=file(22, 6), models=6, lost=lost, name="Men")
    scene.unit(1 - player, sheet("Calm"), at=(50, 40), models=1)

    def strike(battle: Battle) -> None:
        for k in lost:
            battle.toll[unit.model(k)] = 1

    battle = scene.battle("morale", active=player, dice=[6], set_state=strike)
    assert battle.setup.names["models"][unit.model(5)].startswith("Champion")
    (test,) = told(battle, "w8.morale.test")
    assert (test["needed"], test["passed"]) == (needed, champion)


# ---------------------------------------------------------------- who counts as slain


@pytest.mark.rule("w8.morale.slain-count", "w8.morale.every-turn")
@pytest.mark.parametrize("active", [0, 1])
def test_every_cause_counts_in_this_turn_only(active: int) -> None:
    """One slain by a mortal wound, two by shots and one in melee add 4; in the next turn one slain adds 1; who fled never counts."""
    scene = EighthScene()
    arms = {"gun": ranged(24, A=2, BS=2, S=8, AP=-6), "axe": melee(A=1, WS=2, S=8, AP=-6)}
    scene.unit(active, sheet("Guns", weapons={"gun": arms["gun"]}), at=(10, 5), models=1, name="Guns")
    axe = scene.unit(
        active, sheet("Axe", W=9, weapons={"axe": arms["axe"]}), at=(10, 24.9), models=1, name="Axe", charged=1
    )
    foes = scene.unit(1 - active, sheet("Foes", Ld=8), at=file(22, 10), name="Foes")
    for player, number in ((active, 1), (1 - active, 2)):
        scene.rule(TimedRule(f"Storm {number}", "charge", player, "mortal", foes, 1, round=1))  # type: ignore[arg-type]

    def charge(battle: Battle) -> None:
        battle.charges[axe, foes] = 1

    # shots: hits, wounds, saves; the axe: hit, wound, save; morale: 6 + 4, two flee
    battle = scene.battle(
        "shooting", active=active, first_player=active, dice=[2, 2, 2, 2, 1, 1, 2, 2, 1, 6, 1], set_state=charge
    )
    pick(battle, "Guns")
    for _ in range(200):
        if len(told(battle, "w8.morale.test")) == 2:
            break
        if kind(battle) == "pile-in":
            pick(battle, "do not pile in" if len(told(battle, "w8.morale.test")) else "pile in")
        else:
            battle.apply(battle.first_legal())
    first, second = told(battle, "w8.morale.test")
    assert (first["unit"], first["bonus"], first["passed"]) == (foes.row, 4, False)
    assert len(told(battle, "w8.morale.flee")) == 2
    assert (second["unit"], second["bonus"]) == (foes.row, 1)
    turns = [e.rule for e in battle.events if e.rule in ("w8.round.next-turn", "w8.morale.test")]
    assert turns[:3] == ["w8.morale.test", "w8.round.next-turn", "w8.morale.test"]


@pytest.mark.rule("w8.datasheet.abilities", "w8.morale.test")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("passes", [False, True])
def test_a_unit_whose_datasheet_says_so_passes_without_a_roll(passes: bool, player: int) -> None:
    """Two of four are slain in the opponent's turn: no die is rolled and nobody flees; else 6 + 2 is 3 more than 5, and both do."""
    scene = EighthScene()
    unit = scene.unit(
        player, sheet("Herd", Ld=5, Sv=7), at=[(10 + 1.5 * k, 10) for k in range(4)], passes_morale=passes
    )
    guns = sheet("Guns", weapons={"gun": ranged(24, A=2, BS=2, S=8, AP=-6, abilities=["Assault"])})
    scene.unit(1 - player, guns, at=(10, 30))
    battle = scene.battle("morale", active=player, dice=[6, 6, 6, 6, 6])
    while kind(battle) != "select-to-shoot":
        battle.apply(battle.first_legal())
    pick(battle, "Guns")
    while battle.clock.turn[0] == 1 - player and not battle.over:
        choose(battle, "done") if kind(battle) == "select-to-charge" else battle.apply(battle.first_legal())
    assert battle.units.alive[unit] == (2 if passes else 0)
    assert len(told(battle, "w8.morale.test")) == (0 if passes else 1)
    assert [e["unit"] for e in told(battle, battle.setup.ruleset.rule("morale.automatic"))] == [unit.row] * passes


@pytest.mark.rule("w8.datasheet.abilities")
def test_poxwalkers_pass_and_do_not_split() -> None:
    sheet_ = load_datasheet("Poxwalkers")
    assert sheet_.abilities.passes_morale
    assert not any(other.active for other in sheet_.abilities.other)
    assert not load_datasheet("Plague Marines").abilities.passes_morale
    battle = Battle.load("w8/only-war", 1)
    units = [battle.setup.names["units"][row] for row in battle.setup.statics["passes_morale"]]
    assert units == ["poxwalkers"]
