"""Movement phase: its steps, who is selected, Normal Moves, paths, distances, where a model may end (w9.move.*)."""

from __future__ import annotations

from math import hypot, pi

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.core.tables import RESERVE
from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import (
    UnitHandle,
    cell_nearest,
    choose,
    dice_left,
    kind,
    offered,
    pick,
    ranged,
    sheet,
    slots,
    told,
    words,
)
from wh_env.testing.moves import check_move, judged, reachable, walk

Spot = tuple[float, float]
STAY, NORMAL, ADVANCE, FALL_BACK = range(4)


def duel(
    mine: list[Spot] | Spot,
    foes: list[Spot] | Spot = (50, 40),
    detail: str = "full",
    friend: Spot | None = None,
    player: int = 0,
    **fields: object,
) -> tuple[Battle, UnitHandle]:
    """A unit of the player and one of the other, perhaps a friendly model, in the Movement phase of the player."""
    scene = NinthScene()
    squad = scene.unit(player, sheet("Squad", **fields), at=mine, models=None if isinstance(mine, list) else 1)  # type: ignore[arg-type]
    if friend is not None:
        scene.unit(player, sheet("Friend"), at=friend, models=1)
    scene.unit(1 - player, sheet("Foes"), at=foes, models=None if isinstance(foes, list) else 1)
    return scene.battle(detail=detail, active=player), squad


# ---------------------------------------------------------------- the phase


@pytest.mark.rule("w9.move.phase")
@pytest.mark.parametrize("player", [0, 1])
def test_reinforcements_come_after_the_units_have_moved(player: int) -> None:
    """Two units to move and one in reserve, round 2: it is offered only after both were moved; then nobody moves again."""
    scene = NinthScene()
    first = scene.unit(player, sheet("First"), at=(20, 20), models=1)
    second = scene.unit(player, sheet("Second"), at=(30, 20), models=1)
    late = scene.unit(player, sheet("Late"), models=1, reserves="strategic")
    scene.unit(1 - player, sheet("Foes"), at=(50, 22), models=1)
    battle = scene.battle(round=2, active=player)
    assert sorted(words(battle).values()) == ["First", "Second"]
    pick(battle, "First", kind="select-to-move")
    pick(battle, "Remain Stationary")
    pick(battle, "Remain Stationary")  # the second one selects itself
    assert sorted(words(battle).values()) == ["Late", "done"]
    assert kind(battle) == "select-reserves"
    assert battle.units.place[late] == RESERVE
    before = len(told(battle, "w9.move.select"))
    choose(battle, "done")
    assert [event["unit"] for event in told(battle, "w9.move.select")][:before] == [first.row, second.row]
    while battle.clock.turn[0] == player:  # neither is selected again in this turn
        assert kind(battle) not in ("select-to-move", "move-kind")
        battle.apply(battle.first_legal())


@pytest.mark.rule("w9.move.select")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_each_unit_is_selected_once(detail: str, player: int) -> None:
    """When A1 has moved 3" only A2 is left. When the step is ended, A2 has Remained Stationary: a Heavy weapon of BS 4+ hits on a 4, that of A1 does not."""
    scene = NinthScene()
    guns = {"cannon": ranged(48, A=1, BS=4, S=9, abilities=["Heavy"])}
    one = scene.unit(player, sheet("A1", weapons=guns), at=(20, 20), models=1)
    two = scene.unit(player, sheet("A2", weapons=guns), at=(30, 20), models=1)
    foes = scene.unit(1 - player, sheet("Foes", W=9, Sv=7), at=(40, 30), models=1)
    battle = scene.battle(active=player, detail=detail, dice=[4, 4, 6])
    assert sorted(words(battle).values()) == ["A1", "A2"]
    pick(battle, "A1", kind="select-to-move")
    pick(battle, "Normal move")
    if detail == "squad":
        choose(battle, "cell", cell_nearest(battle, 3, 0, 6))
    else:
        walk(battle, 0, 23, 20)
        choose(battle, "done")
    assert battle.models.x[one.first] == pytest.approx(23)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.subject) == ("move-kind", two.row)  # nobody else is left to select
    assert not any("A1" in text for text in words(battle).values())
    pick(battle, "Remain Stationary")
    assert (battle.units.moved[one], battle.units.moved[two]) == (Moved.NORMAL, Moved.STATIONARY)
    for name in ("A1", "A2"):
        if kind(battle) == "select-to-shoot":
            pick(battle, name)
        while kind(battle) in ("shoot-target", "weapon-target"):
            pick(battle, "Foes")
    hits = {event["attacker"]: event["result"] > 0 for event in told(battle, "w9.attack.hit")}
    assert hits == {one.first: False, two.first: True}
    assert battle.models.wounds[foes.first] < 9


@pytest.mark.rule("w9.move.select")
@pytest.mark.parametrize("player", [0, 1])
def test_units_are_selected_one_at_a_time(player: int) -> None:
    scene = NinthScene()
    units = [scene.unit(player, sheet(f"A{n}"), at=(20 + 5 * n, 20), models=1) for n in range(3)]
    scene.unit(1 - player, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle(active=player)
    numbers = [unit.row - battle.players.first_unit[player] for unit in units]
    for n in (2, 0):
        assert offered(battle, "select-to-move") == sorted(numbers)
        pick(battle, f"A{n}", kind="select-to-move")
        numbers.remove(units[n].row - battle.players.first_unit[player])
        pick(battle, "Remain Stationary")
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.subject) == ("move-kind", units[1].row)


@pytest.mark.rule("w9.move.stationary")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("stays", [True, False])
def test_who_remains_stationary_moves_no_model_and_hits_with_heavy_weapons(
    stays: bool, detail: str, player: int
) -> None:
    """INFANTRY with a Heavy weapon of BS 4+, two models: a 4 hits if they stayed, and misses after a move of 1"."""
    scene = NinthScene()
    guns = {"cannon": ranged(36, A=1, BS=4, S=9, abilities=["Heavy"])}
    squad = scene.unit(player, sheet("Squad", weapons=guns), at=[(20, 20), (20, 22)])
    foe = scene.unit(1 - player, sheet("Foe", W=9, Sv=7), at=(40, 20), models=1)
    battle = scene.battle(active=player, detail=detail, dice=[4, 4, *([6, 6] if stays else [])])
    before = [(battle.models.x[squad.first + k], battle.models.y[squad.first + k]) for k in range(2)]
    pick(battle, "Remain Stationary" if stays else "Normal move")
    if not stays and detail == "squad":
        choose(battle, "cell", cell_nearest(battle, 1, 0, 6))
    elif not stays:
        for k, (x, y) in enumerate(before):
            walk(battle, k, x + 1, y)
        choose(battle, "done")
    after = [(battle.models.x[squad.first + k], battle.models.y[squad.first + k]) for k in range(2)]
    assert (after == before) == stays
    pick(battle, "Squad", kind="select-to-shoot")
    while kind(battle) in ("shoot-target", "weapon-target"):
        pick(battle, "Foe")
    assert 9 - battle.models.wounds[foe.first] == (2 if stays else 0)
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.move.options.unengaged", "w9.move.options.engaged")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(
    ("gap", "options"),
    [
        (3.0, [STAY, NORMAL, ADVANCE]),
        (1.1, [STAY, NORMAL, ADVANCE]),
        (1.0, [STAY, FALL_BACK]),
        (0.9, [STAY, FALL_BACK]),
    ],
)
def test_what_a_selected_unit_can_do(gap: float, options: list[int], detail: str, player: int) -> None:
    """3" from the nearest enemy: Normal Move, Advance or Remain Stationary; 0.9" from it: Fall Back or Remain Stationary."""
    battle, _ = duel((20, 20), (21 + gap, 20), detail, player=player)
    assert kind(battle) == "move-kind"
    assert slots(battle, "option") == options
    heard = " ".join(words(battle).values())
    assert ("Fall Back" in heard) == (FALL_BACK in options)
    assert ("Advance" in heard) == (ADVANCE in options)


# ---------------------------------------------------------------- Normal Moves


@pytest.mark.rule("w9.move.normal")
@pytest.mark.parametrize("player", [0, 1])
def test_each_model_moves_up_to_m(player: int) -> None:
    """M 6": a path of 6.0" is legal, of 6.1" it is refused, straight or bent, judged and played."""
    battle, squad = duel((20, 20), player=player)
    assert judged(battle, squad, (26, 20)) == Fault.LEGAL
    assert judged(battle, squad, (26.1, 20)) == Fault.TOO_FAR
    assert judged(battle, squad, (22, 20), (22, 24)) == Fault.LEGAL
    assert judged(battle, squad, (22, 20), (22, 24.1)) == Fault.TOO_FAR
    pick(battle, "Normal move")
    with pytest.raises(LookupError):
        walk(battle.clone(), 0, 26.2, 20)
    assert walk(battle, 0, 26, 20) == pytest.approx((26, 20))


@pytest.mark.rule("w9.move.normal")
def test_a_unit_moved_as_one_goes_up_to_m() -> None:
    """Squad detail: exactly the cells within 6" are offered on open ground."""
    battle, _ = duel([(20, 20), (21.5, 20)], detail="squad")
    pick(battle, "Normal move")
    grid, step, found = battle.setup.space.grid, 12 / (battle.setup.space.grid - 1), set(slots(battle, "cell"))
    for cell in range(grid * grid):
        inches = hypot(cell % grid - grid // 2, cell // grid - grid // 2) * step
        assert (cell in found) == (inches <= 6.0001)
    choose(battle, "cell", cell_nearest(battle, -6, 0, 6))
    assert list(battle.models.x)[:2] == pytest.approx([14, 15.5])


@pytest.mark.rule("w9.move.normal.engagement")
@pytest.mark.parametrize("move", ["normal", "advance"])
def test_no_part_of_the_path_comes_within_engagement_range(move: str) -> None:
    """A straight path of 6" that passes 0.7" from an enemy and ends 3" from it is refused; passing at 1.1" it is not."""
    for gap, verdict in ((0.7, Fault.ENGAGES_ON_THE_WAY), (1.0, Fault.ENGAGES_ON_THE_WAY), (1.1, Fault.LEGAL)):
        along = (4.0**2 - (1 + gap) ** 2) ** 0.5  # bases 3" apart
        battle, squad = duel((20, 20), (26 - along, 21 + gap))
        assert check_move(battle, squad, move, {0: [(26, 20)]}, roll=1 if move == "advance" else None) == verdict
    battle, squad = duel((20, 20), (26, 20))
    assert judged(battle, squad, (23.95, 20)) == Fault.LEGAL
    assert judged(battle, squad, (24.05, 20)) == Fault.ENGAGES_ON_THE_WAY  # and the end


@pytest.mark.rule("w9.move.normal.engagement")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("move", ["Normal move", "Advance"])
def test_no_place_in_engagement_range_is_offered(move: str, detail: str) -> None:
    """Of all places that are offered none is within 1" of the enemy, and some are just outside."""
    battle, _ = duel((20, 20), (24, 20), detail)
    reach = 6.0
    pick(battle, move)
    if move == "Advance":
        reach += battle.units.advance[0]
    if detail == "full":
        pick(battle, "move Squad")
    grid = battle.setup.space.grid
    step = 2 * reach / (grid - 1)
    gaps = [
        hypot(20 + (cell % grid - grid // 2) * step - 24, (cell // grid - grid // 2) * step) - 1
        for cell in slots(battle, "cell")
    ]
    assert 1.0 < min(gaps) < 1.8


@pytest.mark.rule("w9.move.partial")
@pytest.mark.parametrize("player", [0, 1])
def test_one_model_moves_and_the_others_stay(player: int) -> None:
    """Five models: one moves 1" and the unit has made a Normal Move, all its models counting as having moved; a move that
    leaves the unit out of coherency cannot be ended."""
    row = [(20 + 1.5 * k, 20.0) for k in range(5)]
    battle, squad = duel(row, player=player, friend=(50, 5))
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move")
    lost = battle.clone()
    walk(lost, 4, 26, 26)
    assert "end the move" not in words(lost).values()
    walk(battle, 0, 20, 21)
    pick(battle, "end the move")
    m = battle.models
    assert [m.y[squad.model(k)] for k in range(5)] == pytest.approx([21, 20, 20, 20, 20], abs=0.05)
    assert battle.units.moved[squad] == Moved.NORMAL
    battle, squad = duel(row, player=player, friend=(50, 5))
    pick(battle, "Squad", kind="select-to-move")
    assert check_move(battle.clone(), squad, "normal", {0: [(20, 21)]}) == Fault.LEGAL
    assert check_move(battle, squad, "normal", {0: [(16, 20)]}) == Fault.NOT_COHERENT


# ---------------------------------------------------------------- paths and distances


@pytest.mark.rule("w9.move.path")
@pytest.mark.parametrize("player", [0, 1])
def test_a_path_goes_around_friendly_bases(player: int) -> None:
    """A friendly base across the straight path: the path is refused, one of 5.8" around the base is accepted with M 6"."""
    battle, squad = duel((20, 20), friend=(22.5, 20), player=player)
    assert judged(battle, squad, (25, 20)) == Fault.CROSSES_FRIEND
    around = (22.5, 20 + (2.9**2 - 2.5**2) ** 0.5)  # two legs of 2.9"
    assert judged(battle, squad, around, (25, 20)) == Fault.LEGAL
    assert judged(battle, squad, (22.5, 20 + (3.05**2 - 2.5**2) ** 0.5), (25, 20)) == Fault.TOO_FAR
    assert reachable(battle, squad, 0, (25, 20)) is not None
    beside, squad = duel((20, 20), friend=(22.5, 21.05), player=player)
    assert judged(beside, squad, (25, 20)) == Fault.LEGAL
    rim, squad = duel((20, 20), friend=(22.5, 20.9), player=player)
    assert judged(rim, squad, (25, 20)) == Fault.CROSSES_FRIEND


@pytest.mark.rule("w9.move.path")
def test_a_path_crosses_neither_enemies_nor_the_edge() -> None:
    """An enemy base on the way, or the battlefield edge, refuses the path, even where it ends on the table."""
    battle, squad = duel((20, 20), (22.5, 20))
    assert judged(battle, squad, (25.9, 20)) == Fault.CROSSES_ENEMY
    battle, squad = duel((20, 2))
    assert judged(battle, squad, (20, 0.5)) == Fault.LEGAL
    assert judged(battle, squad, (20, 0.4)) == Fault.OFF_TABLE
    assert judged(battle, squad, (20, 0.4), (21, 2)) == Fault.OFF_TABLE


@pytest.mark.rule("w9.move.path")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_row_of_friends_shuts_the_way(detail: str) -> None:
    """Behind a long row of friendly models nothing is offered within M 6"; with FLY it is."""
    for keywords, open_way in ((["INFANTRY"], False), (["INFANTRY", "FLY"], True)):
        scene = NinthScene()
        scene.unit(0, sheet("Squad", keywords=keywords), at=(20, 20), models=1)
        scene.unit(0, sheet("Friends"), at=[(22, 10 + 1.2 * k) for k in range(17)])
        scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
        battle = scene.battle(detail=detail)
        pick(battle, "Squad", kind="select-to-move")
        pick(battle, "Squad: Normal move")
        if detail == "squad":
            assert (cell_nearest(battle, 6, 0, 6) in slots(battle, "cell")) == open_way
        elif open_way:
            assert walk(battle, 0, 26, 20) == pytest.approx((26, 20))
        else:
            with pytest.raises(LookupError):
                walk(battle, 0, 25, 20)


@pytest.mark.rule("w9.move.distance")
def test_the_part_that_moves_furthest_is_measured() -> None:
    """A hull of 6" by 4" that turns by 90 degrees and moves 7" has moved more than 10"; a round base only its centre's path."""
    arc = pi / 2 * hypot(3, 2)
    assert arc > 4
    battle, squad = duel((20, 15), hull_in=(6, 4), M=10)  # it faces +y
    assert judged(battle, squad, (27, 15, 0, 0.0)) == Fault.TOO_FAR
    assert judged(battle, squad, (20 + 10 - arc - 0.01, 15, 0, 0.0)) == Fault.LEGAL
    assert judged(battle, squad, (20 + 10 - arc + 0.05, 15, 0, 0.0)) == Fault.TOO_FAR
    assert judged(battle, squad, (20, 22)) == Fault.LEGAL
    assert judged(battle, squad, (20, 25)) == Fault.LEGAL
    battle, squad = duel((20, 15), hull_in=(6, 4), M=7 + arc + 0.01)
    assert judged(battle, squad, (27, 15, 0, 0.0)) == Fault.LEGAL
    battle, squad = duel((20, 20))
    assert judged(battle, squad, (26, 20, 0, pi)) == Fault.LEGAL  # a turn of a round base costs nothing


@pytest.mark.rule("w9.move.end-position")
def test_where_a_model_may_end() -> None:
    """Bases of radius 0.63": centres 1.2" apart overlap, 1.26" apart they touch, which friends may; nor off the table."""
    mm = 0.63 * 2 * 25.4
    scene = NinthScene()
    squad = scene.unit(0, sheet("Squad", base_mm=mm), at=(20, 20), models=1)
    scene.unit(0, sheet("Friend", base_mm=mm), at=(23, 20), models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle(detail="full")
    assert judged(battle, squad, (21.8, 20)) != Fault.LEGAL
    assert judged(battle, squad, (21.74, 20)) == Fault.LEGAL
    scene = NinthScene()
    flier = scene.unit(0, sheet("Flier", base_mm=mm, keywords=["INFANTRY", "FLY"]), at=(20, 20), models=1)
    scene.unit(0, sheet("Friend", base_mm=mm), at=(23, 20), models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle(detail="full")
    assert judged(battle, flier, (21.8, 20)) == Fault.OVERLAPS_MODEL
    assert judged(battle, flier, (24.26, 20)) == Fault.LEGAL
    assert judged(battle, flier, (24.2, 20)) == Fault.OVERLAPS_MODEL
    pick(battle, "Flier", kind="select-to-move")
    pick(battle, "Normal move")
    with pytest.raises(LookupError):
        walk(battle, 0, 23, 20)
