"""Advances and Fall Backs: the roll, where they lead, what the unit may not do afterwards (w9.move.advance, .fall-back)."""

from __future__ import annotations

from math import hypot

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import UnitHandle, cell_nearest, choose, dice_left, pick, sheet, slots, told, words
from wh_env.testing.moves import check_move, walk

Spot = tuple[float, float]
STAY, FALL_BACK = 0, 3
MIDDLE = 17 * 17 // 2
RING = [(20, 21.2), (21.2, 20), (20, 18.8), (18.8, 20)]
SEA = RING + [(20 + 2.5 * i, 20 + 2.5 * j) for i in range(-2, 3) for j in range(-2, 3) if (i, j) != (0, 0)]


def played(
    mine: list[Spot], foes: list[Spot], detail: str = "full", dice: list[int] | None = None, player: int = 0,
    **fields: object,
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """The unit of the player is selected to move; another one of its side keeps the phase going."""
    scene = NinthScene()
    squad = scene.unit(player, sheet("Squad", **fields), at=mine, models=len(mine))  # type: ignore[arg-type]
    scene.unit(player, sheet("Watch"), at=(50, 22), models=1)
    scene.unit(1 - player, sheet("Foes"), at=foes, models=len(foes))
    battle = scene.battle(detail=detail, dice=dice or [], active=player)
    pick(battle, "Squad", kind="select-to-move")
    return battle, squad


def gaps(battle: Battle, squad: UnitHandle) -> list[float]:
    """Inches between each model of the squad and the closest enemy model."""
    m = battle.models
    foes = [k for k in range(len(m.x)) if m.owner[k] != battle.units.owner[squad] and m.on_table[k]]
    return [min(hypot(m.x[i] - m.x[j], m.y[i] - m.y[j]) - 1 for j in foes) for i in battle.members(squad.row)]


@pytest.mark.rule("w9.move.advance")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_an_advance_adds_one_die_to_m(detail: str, player: int) -> None:
    """M 6" and a roll of 4: each of three models may move up to 10"; one die is rolled, before anybody moves."""
    battle, squad = played([(20, 20), (20, 21.5), (20, 23)], [(50, 40)], detail, [4, 1], player)
    pick(battle, "Advance")
    assert dice_left(battle) == 1
    assert told(battle, "w9.move.advance")[0] == {"unit": squad.row, "roll": 4}
    assert [battle.models.x[squad.model(k)] for k in range(3)] == [20] * 3
    assert check_move(battle.clone(), squad, "advance", {k: [(30, 20 + 1.5 * k)] for k in range(3)}) == Fault.LEGAL
    assert check_move(battle.clone(), squad, "advance", {0: [(30.1, 20)]}) == Fault.TOO_FAR
    if detail == "squad":
        choose(battle, "cell", cell_nearest(battle, 10, 0, 10))
    else:
        with pytest.raises(LookupError):
            walk(battle.clone(), 0, 30.2, 20)
        for k in range(3):
            walk(battle, k, 30, 20 + 1.5 * k)
        pick(battle, "end the move")
    assert [battle.models.x[squad.model(k)] for k in range(3)] == pytest.approx([30] * 3)
    assert battle.units.moved[squad] == Moved.ADVANCE
    assert dice_left(battle) == 1


@pytest.mark.rule("w9.move.advance")
def test_the_roll_counts_for_this_phase_only() -> None:
    """In its next Movement phase the unit makes a Normal Move of M again."""
    battle, squad = played([(20, 20)], [(50, 40)], "full", [4])
    pick(battle, "Advance")
    pick(battle, "end the move")
    for _ in range(200):
        if battle.clock.round[0] == 2 and battle.decision is not None and battle.decision.kind == "select-to-move":
            break
        battle.apply(battle.first_legal())
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move")
    with pytest.raises(LookupError):
        walk(battle.clone(), 0, battle.models.x[squad.first] + 6.3, 20)


@pytest.mark.rule("w9.move.fall-back")
@pytest.mark.parametrize("player", [0, 1])
def test_a_fall_back_passes_enemies_but_crosses_nobody(player: int) -> None:
    """M 6", engaged: within Engagement Range on the way is legal, at the end it is not, nor across an enemy or a friend."""
    foes = [(20, 21.5), (23, 18.5), (28.1, 20)]
    battle, squad = played([(20, 20)], foes, player=player)
    assert check_move(battle.clone(), squad, "fall back", {0: [(26, 20)]}) == Fault.LEGAL  # passes one at 0.5"
    assert check_move(battle.clone(), squad, "fall back", {0: [(26.1, 20)]}) == Fault.TOO_FAR
    assert check_move(battle.clone(), squad, "fall back", {0: [(22.5, 20.4)]}) == Fault.ENGAGES_AT_THE_END
    assert check_move(battle.clone(), squad, "fall back", {0: [(20, 25.9)]}) == Fault.CROSSES_ENEMY
    scene = NinthScene()
    squad = scene.unit(player, sheet("Squad"), at=(20, 20), models=1)
    scene.unit(player, sheet("Friend"), at=(20, 17.5), models=1)
    scene.unit(1 - player, sheet("Foes"), at=(20, 21.5), models=1)
    battle = scene.battle(active=player, detail="full")
    assert check_move(battle.clone(), squad, "fall back", {0: [(20, 15)]}) == Fault.CROSSES_FRIEND
    assert check_move(battle.clone(), squad, "fall back", {0: [(18, 16)]}) == Fault.LEGAL


@pytest.mark.rule("w9.move.fall-back")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_fall_back_is_played(detail: str, player: int) -> None:
    """The unit ends up to M away and unengaged; no die is rolled and nobody is lost."""
    battle, squad = played([(20, 20), (21.5, 20)], [(20, 21.5)], detail, [1], player)
    pick(battle, "Squad: Fall Back")
    if detail == "squad":
        assert MIDDLE not in slots(battle, "cell")  # staying where it is engaged is no end
        choose(battle, "cell", cell_nearest(battle, 0, -6, 6))
    else:
        assert slots(battle, "done") == []
        walk(battle, 0, 20, 14)
        walk(battle, 1, 21.5, 14)
        pick(battle, "end the move")
    assert [battle.models.y[squad.model(k)] for k in range(2)] == pytest.approx([14, 14])
    assert battle.units.moved[squad] == Moved.FELL_BACK
    assert min(gaps(battle, squad)) > 1
    assert (dice_left(battle), battle.units.alive[squad]) == (1, 2)


@pytest.mark.rule("w9.move.fall-back")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_no_fall_back_where_one_model_has_no_end(detail: str, player: int) -> None:
    """A model in a sea of enemies, between which no path leads without crossing a base: Fall Back is refused for its whole
    unit, whether or not the other model could go; with a way out it is offered."""
    shut = [(20, 20), (20, 18.5)]
    foes = [s for s in SEA if hypot(s[0] - 20, s[1] - 18.5) > 1.05]
    for mine, others, offered in (
        ([(20, 20)], SEA, False),
        (shut, [*foes, (21.1, 18.6), (18.9, 18.6)], False),
        ([(20, 20)], [(20, 21.2)], True),
    ):
        scene = NinthScene()
        squad = scene.unit(player, sheet("Squad", M=5), at=mine, models=len(mine))
        scene.unit(player, sheet("Watch"), at=(50, 22), models=1)
        half = len(others) // 2
        for number, spots in enumerate((others[:half], others[half:])):
            if spots:
                scene.unit(1 - player, sheet(f"Foes {number}"), at=spots, models=len(spots))
        battle = scene.battle(detail=detail, active=player)
        pick(battle, "Squad", kind="select-to-move")
        if offered:
            assert slots(battle, "option") == [STAY, FALL_BACK]
        else:  # one option is not asked
            assert battle.units.moved[squad] == Moved.STATIONARY


@pytest.mark.rule("w9.move.fall-back")
def test_a_player_who_finds_no_way_lets_the_unit_fall_back_as_one() -> None:
    """Taken back, the Fall Back cannot be ended where the unit is engaged: it falls back as one."""
    battle, squad = played([(20, 20), (21.5, 20), (23, 20)], [(20, 21.5)])
    pick(battle, "Squad: Fall Back")
    walk(battle, 2, 28, 18)
    assert "end the move" not in words(battle).values()
    pick(battle, "take the move back")
    pick(battle, "end the move")
    assert min(gaps(battle, squad)) > 1
    assert battle.units.moved[squad] == Moved.FELL_BACK
