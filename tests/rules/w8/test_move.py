"""The Movement phase of the 8th edition: who moves, how far, past whom, over what (w8.move.*)."""

from __future__ import annotations

from math import pi

import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.core.reports import IllegalAction
from wh_env.rulesets.w8.codes import Phase
from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import UnitHandle, cell_nearest, choose, kind, offered, pick, place, sheet, slots, told, words
from wh_env.testing.moves import check_move, judged, reachable, walk

Spot = tuple[float, float]
FLYING = ("INFANTRY", "FLY")
FAR = (55, 40)


def duel(
    mine: list[Spot] | Spot = (20, 20), foes: list[Spot] | Spot = FAR, friend: Spot | None = None, player: int = 0,
    detail: str = "full", facing: float | None = None, **fields: object,
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """A unit of the player and one of the other, perhaps a friendly model, in the Movement phase of the player."""
    scene = EighthScene()
    data = sheet("Squad", **fields)  # type: ignore[arg-type]
    squad = scene.unit(player, data, at=mine, facing=facing, models=None if isinstance(mine, list) else 1)
    if friend is not None:
        scene.unit(player, sheet("Friend"), at=friend, models=1)
    scene.unit(1 - player, sheet("Foes"), at=foes, models=None if isinstance(foes, list) else 1)
    return scene.battle(detail=detail, active=player), squad


# ---------------------------------------------------------------- who moves


@pytest.mark.rule("w8.move.select", "w8.move.unit-at-a-time")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_each_unit_moves_once_if_at_all(detail: str, player: int) -> None:
    """X moves, then Y; neither is offered again; Z stays, and the next phase begins."""
    scene = EighthScene()
    units = {name: scene.unit(player, sheet(name), at=(20 + 5 * k, 20), models=1) for k, name in enumerate("XYZ")}
    scene.unit(1 - player, sheet("Foe"), at=FAR, models=1)
    battle = scene.battle(active=player, detail=detail)
    assert sorted(words(battle).values()) == ["X", "Y", "Z"]
    for name, left in (("X", "YZ"), ("Y", "Z")):
        pick(battle, name, kind="select-to-move")
        pick(battle, "Normal move")
        if detail == "squad":
            choose(battle, "cell", cell_nearest(battle, 0, 3, 6))
        else:
            walk(battle, 0, 20 + 5 * "XYZ".index(name), 23)
            pick(battle, "end the move")
        unit = units[name].row - battle.players.first_unit[player]
        assert unit not in offered(battle, "select-to-move")
        assert battle.clock.phase[0] == Phase.MOVEMENT
        assert len(left) > 1 or kind(battle) == "move-kind"  # the last one is selected without a question
    pick(battle, "Z: Remain Stationary")
    assert battle.clock.turn[0] == 1 - player  # nobody can do anything else
    assert [battle.models.y[unit.first] for unit in units.values()] == pytest.approx([23, 23, 20], abs=0.05)
    assert told(battle, "w8.round.phase-order")[1]["phase"] == "Psychic"


@pytest.mark.rule("w8.move.models-optional", "w8.move.once", "w8.move.unit-at-a-time")
@pytest.mark.parametrize("player", [0, 1])
def test_some_models_move_once_and_the_others_stay(player: int) -> None:
    """Two of five models move; who has moved is not offered again, nor is anybody once the move is ended."""
    battle, squad = duel([(20 + 1.5 * k, 20.0) for k in range(5)], friend=(50, 5), player=player)
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move")
    walk(battle, 0, 20, 21)
    assert slots(battle, "model") == [1, 2, 3, 4]
    with pytest.raises(IllegalAction):
        battle.apply(battle.setup.space.model)
    walk(battle, 1, 21.5, 21)
    pick(battle, "end the move")
    m = battle.models
    assert [m.y[squad.model(k)] for k in range(5)] == pytest.approx([21, 21, 20, 20, 20], abs=0.05)
    assert [m.moved[squad.model(k)] for k in range(5)] == [1, 1, 0, 0, 0]
    assert kind(battle) == "move-kind"  # of the friend


# ---------------------------------------------------------------- how far


@pytest.mark.rule("w8.move.distance")
@pytest.mark.parametrize("player", [0, 1])
def test_in_any_direction_up_to_m(player: int) -> None:
    """M 5": a way of 5.0" is legal, straight or bent; of 5.1" it is not."""
    battle, squad = duel(M=5, player=player)
    for end in ((25, 20), (15, 20), (20, 25), (23, 16)):
        assert judged(battle, squad, end) == Fault.LEGAL
    assert judged(battle, squad, (25.1, 20)) == Fault.TOO_FAR
    assert judged(battle, squad, (23, 20), (23, 22)) == Fault.LEGAL
    assert judged(battle, squad, (23, 20), (23, 22.1)) == Fault.TOO_FAR
    pick(battle, "Normal move")
    with pytest.raises(LookupError):
        walk(battle.clone(), 0, 25.2, 20)
    assert walk(battle, 0, 25, 20) == pytest.approx((25, 20))


@pytest.mark.rule("w8.move.no-part-farther")
def test_no_part_moves_farther_than_m() -> None:
    """A hull of 6" with M 3" cannot turn about; a round base turns for nothing."""
    battle, squad = duel(hull_in=(6, 2), M=3)
    assert judged(battle, squad, (20, 20, 0, -pi / 2)) == Fault.TOO_FAR
    battle, squad = duel(M=3)
    assert judged(battle, squad, (23, 20, 0, 0.0)) == Fault.LEGAL


@pytest.mark.rule("w8.move.no-part-farther", "w8.move.no-part-farther.measure")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("fly", [False, True])
def test_every_part_is_measured_from_where_it_began_to_where_it_ends(fly: bool, player: int) -> None:
    """A hull of 6" and hardly any width, M 6", faces along x and ends facing along y: its tail goes by (x + 3, -3)."""
    battle, squad = duel(hull_in=(6, 0.1), facing=0.0, M=6, player=player, keywords=FLYING if fly else ("VEHICLE",))
    for x, verdict in ((4.0, Fault.TOO_FAR), (2.18, Fault.TOO_FAR), (2.16, Fault.LEGAL), (2.0, Fault.LEGAL)):
        for end in ((20 + x, 20, 0, pi / 2), (20 - x, 20, 0, pi / 2), (20 + x, 20, 0, -pi / 2)):
            assert judged(battle, squad, end) == verdict
    assert judged(battle, squad, (26, 20, 0, 0)) == Fault.LEGAL
    assert judged(battle, squad, (20, 23, 0, 0), (23.1, 20, 0, 0)) == Fault.TOO_FAR  # the way of the centre counts, too
    assert judged(battle, squad, (20, 22, 0, pi / 2), (20, 20, 0, 0)) == Fault.LEGAL  # where it ends, not where it was
    battle, squad = duel(hull_in=(6, 0.1), facing=0.0, M=6.1, player=player, keywords=FLYING if fly else ("VEHICLE",))
    assert judged(battle, squad, (20, 20, 0, pi)) == Fault.LEGAL  # both ends go 6", though 9.4" along the arc
    assert judged(battle, squad, (20.15, 20, 0, pi)) == Fault.TOO_FAR


@pytest.mark.rule("w8.move.no-part-farther.measure")
def test_corners_and_ovals_are_parts_too() -> None:
    """A hull of 6" by 4" that turns by a right angle: a corner goes by (5, 1) and as far as its centre; an oval of 6" by 4" less."""
    battle, squad = duel(hull_in=(6, 4), facing=0.0, M=6, keywords=("VEHICLE",))
    assert judged(battle, squad, (20.9, 20, 0, pi / 2)) == Fault.LEGAL  # 5.9, 1
    assert judged(battle, squad, (21.0, 20, 0, pi / 2)) == Fault.TOO_FAR
    battle, squad = duel(base_mm=(152.4, 101.6), facing=0.0, M=6, keywords=("VEHICLE",))
    assert judged(battle, squad, (22.0, 20, 0, pi / 2)) == Fault.LEGAL
    assert judged(battle, squad, (22.2, 20, 0, pi / 2)) == Fault.TOO_FAR


@pytest.mark.rule("w8.move.no-part-farther.measure")
def test_full_detail_offers_a_turn_where_no_part_goes_too_far() -> None:
    """Of a hull of 6" with M 6" that turns by a right angle: 2" on, not 4"."""
    battle, squad = duel(hull_in=(6, 0.1), facing=0.0, M=6, keywords=("VEHICLE",))
    pick(battle, "Normal move")
    quarter = battle.setup.space.angles // 4
    with pytest.raises(LookupError):
        walk(battle.clone(), 0, 24, 20, facing=quarter)
    walk(battle, 0, 22, 20, facing=quarter)
    m = battle.models
    assert (m.x[squad.first], m.y[squad.first], m.facing[squad.first]) == pytest.approx((22, 20, pi / 2), abs=0.06)


@pytest.mark.rule("w8.move.no-through-models")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("keywords", [("INFANTRY",), ("VEHICLE",), ("VEHICLE", "AIRCRAFT")])
def test_nobody_is_moved_through_friend_or_foe(keywords: tuple[str, ...], player: int) -> None:
    """A friend of any kind across the way, or an enemy, shuts it; the way around is open; with FLY there is none to shut."""
    for fly in (False, True):
        scene = EighthScene()
        squad = scene.unit(player, sheet("Squad", keywords=FLYING if fly else ("INFANTRY",)), at=(20, 20), models=1)
        scene.unit(player, sheet("Friend", keywords=keywords), at=(22.5, 20), models=1)
        scene.unit(1 - player, sheet("Foe", keywords=keywords), at=(20, 22.5), models=1)
        battle = scene.battle(active=player, detail="full")
        assert judged(battle, squad, (25, 20)) == (Fault.LEGAL if fly else Fault.CROSSES_FRIEND)
        assert judged(battle, squad, (20, 25.9)) == (Fault.LEGAL if fly else Fault.CROSSES_ENEMY)
        assert judged(battle, squad, (22.5, 18.53), (25, 20)) == Fault.LEGAL
        assert reachable(battle, squad, 0, (25, 20)) is not None


@pytest.mark.rule("w8.move.no-through-models")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_row_of_friends_shuts_the_way(detail: str) -> None:
    for keywords in (("INFANTRY",), FLYING):
        scene = EighthScene()
        scene.unit(0, sheet("Squad", keywords=keywords), at=(20, 20), models=1)
        scene.unit(0, sheet("Friends"), at=[(22, 10 + 1.2 * k) for k in range(17)])
        scene.unit(1, sheet("Foes"), at=FAR, models=1)
        battle = scene.battle(detail=detail)
        pick(battle, "Squad", kind="select-to-move")
        pick(battle, "Squad: Normal move")
        if detail == "squad":
            assert (cell_nearest(battle, 6, 0, 6) in slots(battle, "cell")) == ("FLY" in keywords)
        elif "FLY" in keywords:
            assert walk(battle, 0, 26, 20) == pytest.approx((26, 20))
        else:
            with pytest.raises(LookupError):
                walk(battle, 0, 25, 20)


@pytest.mark.rule("w8.move.vertical", "w8.move.no-through-terrain")
def test_every_inch_up_or_down_counts() -> None:
    """M 6", a box 3" high at the base: up costs 3", so 3" are left on top, and nothing low is free; a wall is climbed, not crossed."""
    for height, end, verdict in (
        (3.0, (23.0, 20, 3.0), Fault.LEGAL),
        (3.0, (23.1, 20, 3.0), Fault.TOO_FAR),
        (0.5, (25.5, 20, 0.5), Fault.LEGAL),
        (0.5, (25.6, 20, 0.5), Fault.TOO_FAR),
    ):
        scene = EighthScene()
        scene.box(20.5, 10, 40, 30, height)
        squad = scene.unit(0, sheet("Squad"), at=(20, 20), models=1)
        scene.unit(1, sheet("Foe"), at=FAR, models=1)
        assert judged(scene.battle(detail="full"), squad, end) == verdict
    for keywords, M, verdict in (
        (("INFANTRY",), 5, Fault.TOO_FAR),
        (("INFANTRY",), 8.01, Fault.LEGAL),
        (FLYING, 2, Fault.LEGAL),
    ):
        scene = EighthScene()
        scene.box(20.6, 10, 20.7, 30, 3)
        squad = scene.unit(0, sheet("Squad", M=M, keywords=keywords), at=(20, 20), models=1)
        scene.unit(1, sheet("Foe"), at=FAR, models=1)
        assert judged(scene.battle(detail="full"), squad, (22, 20, 0)) == verdict


@pytest.mark.rule("w8.move.battlefield-edge")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("edge", ["near", "far", "left", "right"])
@pytest.mark.parametrize("keywords", [("INFANTRY",), FLYING])
def test_nobody_leaves_the_battlefield(keywords: tuple[str, ...], edge: str, player: int) -> None:
    """A table of 72" by 48", 2" from each of its edges: no end and no way by which a base crosses it; whatever is offered ends on the table."""

    def at(out: float, along: float = 0.0) -> Spot:
        """So many inches from the edge."""
        return {
            "near": (20 + along, out), "far": (20 + along, 48 - out), "left": (out, 20 + along), "right": (72 - out, 20 + along),
        }[edge]  # fmt: skip

    def duel_there(detail: str) -> tuple[Battle, UnitHandle]:
        scene = EighthScene(size=(72, 48))
        squad = scene.unit(player, sheet("Squad", keywords=keywords), at=[at(2.0)])
        scene.unit(1 - player, sheet("Foes"), at=(40, 30), models=1)
        return scene.battle(detail=detail, active=player), squad

    battle, squad = duel_there("full")
    assert judged(battle, squad, at(0.5)) == Fault.LEGAL
    assert judged(battle, squad, at(0.4)) == Fault.OFF_TABLE
    assert judged(battle, squad, at(0.4), at(2.0, 1.0)) == Fault.OFF_TABLE
    battle, squad = duel_there("squad")
    pick(battle, "Normal move")
    rims = []
    for cell in slots(battle, "cell"):
        copy = battle.clone()
        choose(copy, "cell", cell)
        x, y = place(copy, squad.first)
        rims.append(min(x, 72 - x, y, 48 - y) - 0.5)
    assert len(rims) > 50 and -1e-4 <= min(rims) < 0.5


# ---------------------------------------------------------------- FLY


@pytest.mark.rule("w8.move.fly", "w8.move.fly.end-position")
@pytest.mark.parametrize("player", [0, 1])
def test_fly_passes_over_everything_and_ends_like_others(player: int) -> None:
    """M 12", a wall of 5" and a line of enemies: 12" on the plan; not on a model, not within 1" of an enemy, not on a wall."""
    line = [(16.0, 2.0 + 1.3 * k) for k in range(14)]
    for keywords in (FLYING, ("INFANTRY",)):
        scene = EighthScene()
        scene.box(13, 2, 13.2, 40, 5)
        squad = scene.unit(player, sheet("Squad", M=12, keywords=keywords), at=[(10, 10), (10, 11.5)])
        scene.unit(1 - player, sheet("Foes"), at=line)
        battle = scene.battle(active=player, detail="full")
        both = {0: [(22, 10)], 1: [(22, 11.5)]}
        assert (check_move(battle.clone(), squad, "normal", both) == Fault.LEGAL) == ("FLY" in keywords)
    battle, squad = duel((10, 10), line, (14, 18), M=12, keywords=FLYING, player=player)
    assert judged(battle, squad, (22, 10)) == Fault.LEGAL
    assert judged(battle, squad, (22.1, 10)) == Fault.TOO_FAR
    assert judged(battle, squad, (14, 18.2)) == Fault.OVERLAPS_MODEL
    assert judged(battle, squad, (18.0, 9.8)) == Fault.ENGAGES_AT_THE_END
    assert judged(battle, squad, (18.1, 9.8)) == Fault.LEGAL
    pair, squad = duel([(10, 10), (10, 11.5)], keywords=FLYING)
    assert check_move(pair, squad, "normal", {0: [(14, 10)]}) == Fault.NOT_COHERENT


# ---------------------------------------------------------------- within 1" of enemies


@pytest.mark.rule("w8.move.enemy-1", "w8.concepts.within")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("move", ["normal", "advance"])
def test_no_move_ends_within_1_inch_of_an_enemy(move: str, player: int) -> None:
    battle, squad = duel(foes=(25, 20), player=player)
    roll = 1 if move == "advance" else None
    for inches, verdict in ((2.99, Fault.LEGAL), (3.0, Fault.ENGAGES_ON_THE_WAY), (3.5, Fault.ENGAGES_ON_THE_WAY)):
        assert check_move(battle.clone(), squad, move, {0: [(20 + inches, 20)]}, roll=roll) == verdict


@pytest.mark.rule("w8.move.enemy-1.path")
@pytest.mark.parametrize("player", [0, 1])
def test_nor_passes_within_1_inch_but_by_fly_or_falling_back(player: int) -> None:
    """Between two enemies 2.5" apart."""
    foes = [(23.0, 18.25), (23.0, 21.75)]
    battle, squad = duel(foes=foes, player=player)
    assert judged(battle, squad, (26, 20)) == Fault.ENGAGES_ON_THE_WAY
    assert check_move(battle.clone(), squad, "fall back", {0: [(26, 20)]}) == Fault.LEGAL
    battle, squad = duel(foes=foes, player=player, keywords=FLYING)
    assert judged(battle, squad, (26, 20)) == Fault.LEGAL


@pytest.mark.rule("w8.move.enemy-1.movement-phase-only")
@pytest.mark.parametrize("move", ["pile in", "consolidate"])
def test_other_moves_may_come_within_1_inch_of_anybody(move: str) -> None:
    battle, squad = duel(foes=(23.5, 20))
    assert check_move(battle.clone(), squad, move, {0: [(22, 20)]}) == Fault.LEGAL
    assert check_move(battle.clone(), squad, "normal", {0: [(22, 20)]}) != Fault.LEGAL


@pytest.mark.rule("w8.move.enemy-1.movement-phase-only")
def test_a_charge_comes_within_1_inch_of_its_targets_only() -> None:
    scene = EighthScene()
    squad = scene.unit(0, sheet("Squad"), at=(20, 20), models=1)
    foe = scene.unit(1, sheet("Foe"), at=(25, 20), models=1)
    other = scene.unit(1, sheet("Other"), at=(20, 25), models=1)
    battle = scene.battle("charge", detail="full", run=False)
    for target, verdict in ((foe, Fault.LEGAL), (other, Fault.ENGAGES_ON_THE_WAY)):
        assert check_move(battle.clone(), squad, "charge", {0: [(23.5, 20)]}, roll=8, targets=[target]) == verdict


# ---------------------------------------------------------------- Advance


@pytest.mark.rule("w8.move.advance", "w8.move.advance.roll")
@pytest.mark.parametrize("player", [0, 1])
def test_one_die_is_added_for_all_models(player: int) -> None:
    """M 5" and a 4: each of five may move up to 9"; once a model has moved there is no choice any more."""
    scene = EighthScene()
    squad = scene.unit(player, sheet("Squad", M=5), at=[(20, 20 + 1.5 * k) for k in range(5)])
    scene.unit(1 - player, sheet("Foe"), at=FAR, models=1)
    battle = scene.battle(active=player, detail="full", dice=[4, 6])
    assert sorted(w.split(": ")[1] for w in words(battle).values()) == ["Advance", "Normal move", "Remain Stationary"]
    pick(battle, "Advance")
    assert [e["roll"] for e in told(battle, "w8.move.advance.roll")] == [4]
    assert check_move(battle.clone(), squad, "advance", {k: [(29, 20 + 1.5 * k)] for k in range(5)}) == Fault.LEGAL
    assert check_move(battle.clone(), squad, "advance", {0: [(29.1, 20)]}) == Fault.TOO_FAR
    walk(battle, 0, 20, 18.7)
    assert not any("Advance" in w for w in words(battle).values())
    assert battle.units.moved[squad] == Moved.ADVANCE
