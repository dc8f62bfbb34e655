"""Falling Back: where to, over whom, what the unit may not do afterwards, Desperate Escape tests."""

from __future__ import annotations

from math import hypot

import pytest

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import Scene, UnitHandle, cell_nearest, choose, dice_left, pick, ranged, sheet, slots, told, words
from wh_env.testing.moves import check_move, walk

STAY, FALL_BACK = 0, 3  # options of an engaged unit
ESCAPE = "w10.move.desperate-escape"


def locked(
    mine: list[tuple[float, float]],
    foes: list[tuple[float, float]],
    detail: str = "full",
    dice: list[int] | None = None,
    shocked: int = 0,
    **fields: object,
) -> tuple[Battle, UnitHandle]:
    """A unit of player 0 that may be engaged, and one of player 1; a third unit keeps the battle going."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad", **fields), at=mine, models=len(mine), shocked=shocked)  # type: ignore[arg-type]
    scene.unit(0, sheet("Watch"), at=(50, 5), models=1)
    scene.unit(1, sheet("Foes"), at=foes, models=len(foes))
    battle = scene.battle(detail=detail, dice=dice or [])
    pick(battle, "Squad")
    return battle, squad


def gaps(battle: Battle) -> list[float]:
    """Inches between each model of the squad and the closest enemy model."""
    m = battle.models
    foes = [k for k in range(len(m.x)) if m.owner[k] == 1 and m.on_table[k]]
    return [min(hypot(m.x[i] - m.x[j], m.y[i] - m.y[j]) - 1 for j in foes) for i in battle.members(0)]


@pytest.mark.rule("w10.move.fall-back.move")
def test_a_fall_back_of_m_inches_may_pass_close_to_enemies() -> None:
    """6" that leave Engagement Range and pass 0.5" from another enemy are legal if they end more than 1" away."""
    foes = [(20, 21.5), (23, 18.5), (28.1, 20)]
    battle, squad = locked([(20, 20)], foes)
    assert check_move(battle.clone(), squad, "fall back", {0: [(26, 20)]}) == Fault.LEGAL  # passes 0.5", ends 1.1" away
    assert check_move(battle.clone(), squad, "fall back", {0: [(26.1, 20)]}) == Fault.TOO_FAR
    foes[2] = (27.9, 20)
    battle, squad = locked([(20, 20)], foes)
    assert check_move(battle.clone(), squad, "fall back", {0: [(26, 20)]}) == Fault.ENGAGES_AT_THE_END
    assert check_move(battle.clone(), squad, "normal", {0: [(25, 20)]}) == Fault.ENGAGES_ON_THE_WAY


@pytest.mark.rule("w10.move.fall-back.move")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_fall_back_is_played(detail: str) -> None:
    """The unit ends up to M away, more than 1" from all enemies; no die is rolled where nobody crosses one."""
    battle, squad = locked([(20, 20), (21.5, 20)], [(20, 21.5)], detail, dice=[1])
    pick(battle, "Squad: Fall Back")
    if detail == "squad":
        battle.apply(battle.setup.space.cell + cell_nearest(battle, 0, -6, 6))
    else:
        choose(battle, "done")  # nobody crosses enemies
        walk(battle, 0, 20, 14)
        walk(battle, 1, 21.5, 14)
        pick(battle, "end the move")
    assert list(battle.models.y)[:2] == pytest.approx([14, 14])
    assert battle.units.moved[squad] == Moved.FELL_BACK
    assert dice_left(battle) == 1


RING = [(20, 21.2), (21.2, 20), (20, 18.8), (18.8, 20)]


@pytest.mark.rule("w10.move.fall-back.end")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_fall_back_ends_out_of_engagement_range(detail: str) -> None:
    """Every place that is offered is more than 1" from all enemies; staying where it is engaged is none of them."""
    battle, _ = locked([(20, 20), (20, 18.5)], [(20, 21.5), (23, 20)], detail)
    pick(battle, "Squad: Fall Back")
    if detail == "full":
        choose(battle, "done")
        assert slots(battle, "done") == []  # the move cannot end where the unit stands
        pick(battle, "move Squad 1")
    grid = battle.setup.space.grid
    for cell in slots(battle, "cell"):
        x, y = 20 + (cell % grid - grid // 2) * 0.75, 20 + (cell // grid - grid // 2) * 0.75
        if detail == "full" and cell == grid * grid // 2:
            continue  # in the middle of its unit's move a model may stay
        assert min(hypot(x - 20, y - 21.5), hypot(x - 23, y - 20)) > 2.0
    assert cell_nearest(battle, 0, -6, 6) in slots(battle, "cell")
    assert (grid * grid // 2 in slots(battle, "cell")) == (detail == "full")


@pytest.mark.rule("w10.move.fall-back.end")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_no_fall_back_for_a_unit_of_which_one_model_has_no_legal_end(detail: str) -> None:
    """M 5" in a sea of enemies: Remain Stationary is the only option; a gap 5" away brings Fall Back back."""
    sea = RING + [(20 + 2.5 * i, 20 + 2.5 * j) for i in range(-2, 3) for j in range(-2, 3) if (i, j) != (0, 0)]
    for gap, options in ((False, None), (True, [STAY, FALL_BACK])):
        scene = Scene()
        scene.unit(0, sheet("Squad", M=5), at=[(20, 20)], models=1)
        scene.unit(0, sheet("Watch"), at=(50, 5), models=1)
        for number, spots in enumerate((sea[:14], sea[14:])):
            free = [s for s in spots if not gap or hypot(s[0] - 25, s[1] - 20) > 2.0]
            scene.unit(1, sheet(f"Foes {number}"), at=free, models=len(free))
        battle = scene.battle(detail=detail)
        pick(battle, "Squad")
        if options is None:  # one option is not asked
            assert battle.units.moved[0] == Moved.STATIONARY
            assert battle.decision is not None
            assert battle.decision.subject == 1
        else:
            assert slots(battle, "option") == options


@pytest.mark.rule("w10.move.fall-back.end")
def test_one_model_without_an_end_is_enough() -> None:
    """Two models, one of them shut in: the unit cannot Fall Back although the other could."""
    sea = RING + [
        (20 + 2.5 * i, 20 + 2.5 * j) for i in range(-2, 2) for j in range(-2, 3) if (i, j) not in ((0, 0), (1, 0))
    ]
    for move, options in ((3, None), (9, [STAY, FALL_BACK])):
        scene = Scene()
        scene.unit(0, sheet("Squad", M=move), at=[(20, 20), (22.9, 20)])
        scene.unit(0, sheet("Watch"), at=(50, 5), models=1)
        for number, spots in enumerate((sea[:14], sea[14:])):
            scene.unit(1, sheet(f"Foes {number}"), at=spots, models=len(spots))
        battle = scene.battle(detail="full")
        pick(battle, "Squad")
        if options is None:
            assert battle.units.moved[0] == Moved.STATIONARY
        else:
            assert slots(battle, "option") == options


@pytest.mark.rule("w10.move.fall-back.restrictions")
def test_no_shooting_and_no_charge_after_falling_back() -> None:
    """5" from an enemy with Assault and Pistol weapons: eligible neither to shoot nor to charge."""
    arms = {
        "carbine": ranged(24, A=1, BS=4, abilities=["ASSAULT"]),
        "pistol": ranged(12, A=1, BS=4, abilities=["PISTOL"]),
    }
    battle, squad = locked([(20, 20)], [(20, 21.5)], "squad", weapons=arms)
    pick(battle, "Squad: Fall Back")
    battle.apply(battle.setup.space.cell + cell_nearest(battle, 0, -4.5, 6))
    assert gaps(battle) == pytest.approx([5.0])
    assert battle.units.moved[squad] == Moved.FELL_BACK
    pick(battle, "Watch: Remain Stationary")
    assert battle.clock.turn[0] == 1  # neither shooting nor charging was asked
    assert not told(battle, "w10.shoot.select-unit") + told(battle, "w10.charge.select-unit")
    # having stayed out of reach with a Normal move it would have been asked
    scene = Scene()
    scene.unit(0, sheet("Squad", weapons=arms), at=(20, 15.5), models=1)
    scene.unit(1, sheet("Foes"), at=(20, 21.5), models=1)
    free = scene.battle(detail="squad")
    pick(free, "Normal move")
    choose(free, "cell", 17 * 17 // 2)
    assert free.decision is not None
    assert free.decision.kind == "select-to-shoot"


def wall_of_foes() -> list[tuple[float, float]]:
    """Enemies in a row just in front of the squad."""
    return [(17 + 1.2 * k, 21.2) for k in range(9)]


@pytest.mark.rule("w10.move.fall-back.over-enemies", "w10.move.desperate-escape.over-enemies")
def test_falling_back_over_an_enemy_model_costs_one_test() -> None:
    """Straight through an enemy's base, ending 2" beyond: legal, with exactly one test before the model moves."""
    battle, squad = locked([(20, 20)], [(20, 21.2)], dice=[3, 1])
    assert check_move(battle.clone(), squad, "fall back", {0: [(20, 24.2)]}) == Fault.LEGAL
    assert check_move(battle.clone(), squad, "fall back", {0: [(20, 24.2)]}, over=[]) == Fault.CROSSES_ENEMY
    pick(battle, "Squad: Fall Back")
    before = (battle.models.x[0], battle.models.y[0])
    choose(battle, "model", 0)
    assert [event["roll"] for event in told(battle, f"{ESCAPE}.over-enemies")] == [3]
    assert (battle.models.x[0], battle.models.y[0]) == before  # the test comes first
    walk(battle, 0, 20, 24.2)
    pick(battle, "end the move")
    assert gaps(battle) == pytest.approx([2.0], abs=0.1)
    assert dice_left(battle) == 1


@pytest.mark.rule("w10.move.fall-back.over-enemies")
def test_a_model_that_was_not_declared_goes_around() -> None:
    """Without the declaration the places beyond the enemies are not offered; no die is rolled."""
    battle, _ = locked([(20, 20)], wall_of_foes(), dice=[3])
    pick(battle, "Squad: Fall Back")
    choose(battle, "done")
    with pytest.raises(LookupError):
        walk(battle.clone(), 0, 20, 24.5)
    walk(battle, 0, 20, 15)
    pick(battle, "end the move")
    assert dice_left(battle) == 1


@pytest.mark.rule("w10.move.fall-back.over-enemies")
def test_who_has_no_other_way_must_be_declared() -> None:
    """Shut in by enemies: the declaration cannot be ended before the model is named."""
    battle, _ = locked([(20, 20)], RING)
    assert slots(battle, "option") == [STAY, FALL_BACK]
    pick(battle, "Squad: Fall Back")  # only one answer is left, so it is not asked
    assert len(told(battle, f"{ESCAPE}.over-enemies")) == 1


ROW = [(17.6, 20), (18.8, 20), (20, 20), (21.2, 20), (22.4, 20)]


@pytest.mark.rule("w10.move.desperate-escape.over-enemies")
@pytest.mark.parametrize(
    ("keywords", "tests"), [(["INFANTRY"], 2), (["INFANTRY", "FLY"], 0), (["INFANTRY", "TITANIC"], 0)]
)
def test_two_of_five_models_cross_enemies(keywords: list[str], tests: int) -> None:
    """Two D6 before any model moves; none for models with FLY or TITANIC, which need no declaration."""
    battle, _ = locked(ROW, wall_of_foes(), dice=[3, 4, 1], keywords=keywords)
    before = list(battle.models.y)[:5]
    pick(battle, "Squad: Fall Back")
    if tests:
        choose(battle, "model", 1)
        choose(battle, "model", 3)
        assert dice_left(battle) == 3
        choose(battle, "done")
    assert dice_left(battle) == 3 - tests
    assert len(told(battle, f"{ESCAPE}.over-enemies")) == tests
    assert list(battle.models.y)[:5] == before
    assert battle.decision is not None
    assert battle.decision.kind == "select-model"
    walk(battle, 1, 18.8, 24.5)
    walk(battle, 3, 21.2, 24.5)
    assert dice_left(battle) == 3 - tests


@pytest.mark.rule("w10.move.desperate-escape.over-enemies")
def test_the_whole_unit_over_enemies() -> None:
    """Squad detail: the way over the enemies costs a test for each model that crosses one, the way round none."""
    for dy, tests in ((-6, 0), (6, 5)):
        battle, _ = locked(ROW, wall_of_foes(), "squad", dice=[3] * 6, M=8)
        pick(battle, "Squad: Fall Back")
        battle.apply(battle.setup.space.cell + cell_nearest(battle, 0, dy, 8))
        assert len(told(battle, f"{ESCAPE}.over-enemies")) == tests
        assert dice_left(battle) == 6 - tests
        assert list(battle.models.y)[:5] == pytest.approx([20 + dy] * 5)


@pytest.mark.rule("w10.move.desperate-escape.battle-shock")
@pytest.mark.parametrize("keywords", [["INFANTRY"], ["INFANTRY", "FLY"], ["INFANTRY", "TITANIC"]])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_every_model_of_a_battle_shocked_unit_is_tested(detail: str, keywords: list[str]) -> None:
    """Six models, with FLY or without: six D6 before any of them moves, though nobody crosses an enemy."""
    six = [*ROW, (23.6, 20)]
    battle, _ = locked(six, [(20, 21.5)], detail, dice=[3, 4, 5, 6, 3, 4, 1], shocked=1, keywords=keywords)
    before = list(battle.models.y)[:6]
    pick(battle, "Squad: Fall Back")
    if detail == "squad":
        assert dice_left(battle) == 7
        battle.apply(battle.setup.space.cell + cell_nearest(battle, 0, -6, 6))
        kinds = [event.kind for event in battle.events]
        assert kinds.index("Desperate Escape test") < kinds.index("unit falls back")
        assert list(battle.models.y)[:6] == pytest.approx([14] * 6)
    else:
        assert list(battle.models.y)[:6] == before
    assert [event["roll"] for event in told(battle, f"{ESCAPE}.battle-shock")] == [3, 4, 5, 6, 3, 4]
    assert dice_left(battle) == 1


@pytest.mark.rule("w10.move.desperate-escape.once")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_one_test_a_model_and_phase(detail: str) -> None:
    """A Battle-shocked unit of 5 of which some cross enemies: 5 D6 are rolled, not more."""
    foes = [(18.8, 21.2), (20, 21.2), (21.2, 21.2)] if detail == "full" else wall_of_foes()[1:4]
    battle, _ = locked(ROW, foes, detail, dice=[3, 3, 3, 3, 3, 6, 6, 6], shocked=1, M=8)
    pick(battle, "Squad: Fall Back")
    if detail == "squad":
        battle.apply(battle.setup.space.cell + cell_nearest(battle, 0, 6, 8))
    else:
        for number, x in ((1, 18.8), (2, 20.0), (3, 21.2)):
            walk(battle, number, x, 25)
        walk(battle, 0, 17.6, 25)
        walk(battle, 4, 22.4, 25)
        pick(battle, "end the move")
    assert dice_left(battle) == 3
    assert len(told(battle, f"{ESCAPE}.battle-shock")) == 5
    assert not told(battle, f"{ESCAPE}.over-enemies")


@pytest.mark.rule("w10.move.desperate-escape.test")
def test_the_owner_chooses_who_is_lost() -> None:
    """Rolls of 1, 2, 3, 4 and 6: exactly two models, chosen by the owner, are destroyed; the others fall back."""
    battle, squad = locked(ROW, [(20, 21.5)], dice=[1, 2, 3, 4, 6], shocked=1)
    pick(battle, "Squad: Fall Back")
    assert dice_left(battle) == 0
    assert battle.decision is not None
    assert battle.decision.kind == "escape-loss"
    assert (battle.decision.player, slots(battle, "model")) == (0, [0, 1, 2, 3, 4])
    choose(battle, "model", 4)
    assert slots(battle, "model") == [0, 1, 2, 3]
    choose(battle, "model", 0)
    assert list(battle.models.alive)[:5] == [0, 1, 1, 1, 0]
    assert battle.units.alive[squad] == 3
    assert battle.decision.kind == "select-model"
    for number, x in enumerate((18.8, 20, 21.2)):
        assert walk(battle, number, x, 15)[1] == pytest.approx(15, abs=0.05)
    pick(battle, "end the move")
    assert min(gaps(battle)) > 1


@pytest.mark.rule("w10.move.desperate-escape.test")
def test_the_delegate_chooses_at_squad_detail() -> None:
    """The last model is lost first, an attached Leader only when nobody else is left; the rest falls back."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad"), at=ROW[:3])
    lead = scene.unit(0, sheet("Lead", W=4, abilities={"leader": ["Squad"]}), at=(21.2, 20), models=1, leads=squad)
    scene.unit(0, sheet("Watch"), at=(50, 5), models=1)
    scene.unit(1, sheet("Foes"), at=(20, 21.5), models=1)
    battle = scene.battle(dice=[2, 1, 3, 5], set_state=lambda b: b.units.shocked.__setitem__(0, 1))
    pick(battle, "Squad")
    pick(battle, "Squad: Fall Back")
    battle.apply(battle.setup.space.cell + cell_nearest(battle, 0, -6, 6))
    assert dice_left(battle) == 0
    assert [battle.models.alive[squad.model(k)] for k in range(3)] == [1, 0, 0]
    assert battle.models.alive[lead.first] == 1
    assert battle.models.y[squad.first] == battle.models.y[lead.first] < 15  # closed up, as near as that allows
    assert min(gaps(battle)) > 1


@pytest.mark.rule("w10.move.desperate-escape.test")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_unit_that_is_lost_whole_is_destroyed(detail: str) -> None:
    """One model, a roll of 2: it is destroyed and nothing falls back; a 3 is survived."""
    battle, squad = locked([(20, 20)], [(20, 21.5)], detail, dice=[2], shocked=1)
    pick(battle, "Squad: Fall Back")
    if detail == "squad":
        battle.apply(battle.setup.space.cell + cell_nearest(battle, 0, -6, 6))
    assert battle.units.alive[squad] == 0
    assert told(battle, "w10.command.destroyed.unit") == [{"unit": 0}]
    battle, squad = locked([(20, 20)], [(20, 21.5)], detail, dice=[3], shocked=1)
    pick(battle, "Squad: Fall Back")
    if detail == "squad":
        battle.apply(battle.setup.space.cell + cell_nearest(battle, 0, -6, 6))
    assert battle.units.alive[squad] == 1


@pytest.mark.rule("w10.move.fall-back.end")
def test_a_player_who_finds_no_way_gives_the_move_to_the_unit_as_one() -> None:
    """Taken back, the Fall Back cannot be ended where the unit is engaged: the unit falls back as one instead."""
    battle, squad = locked(ROW, [(20, 21.5)])
    pick(battle, "Squad: Fall Back")
    choose(battle, "done")
    walk(battle, 0, 12, 18)
    assert "end the move" not in words(battle).values()  # out of coherency
    pick(battle, "take the move back")
    pick(battle, "end the move")
    assert min(gaps(battle)) > 1
    assert battle.units.moved[squad] == Moved.FELL_BACK
    assert told(battle, "w10.move.fall-back.move")
