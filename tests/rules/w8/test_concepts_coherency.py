"""Unit coherency: 2" across and 6" up, one connected group, at every move; split units (w8.concepts.coherency.*)."""

from __future__ import annotations

import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.move.coherency import in_coherency
from wh_env.testing import UnitHandle, choose, kind, pick, ranged, sheet, slots, told, words
from wh_env.testing.moves import check_move, walk

FAR = (55, 40)
Spot = tuple[float, float]


def line(*gaps: float, x: float = 10.0, y: float = 10.0) -> list[Spot]:
    """Places of 1" bases in a row along x with these gaps between them."""
    spots = [(x, y)]
    for gap in gaps:
        spots.append((spots[-1][0] + 1.0 + gap, y))
    return spots


def squad(spots: list[Spot], player: int = 0, run: bool = True, **options: object) -> tuple[Battle, UnitHandle]:
    """The Movement phase of the player, who has a squad there."""
    scene = EighthScene()
    names = ("detail", "dice")
    unit = scene.unit(player, sheet("Squad"), at=spots, **{k: v for k, v in options.items() if k not in names})  # type: ignore[arg-type]
    scene.unit(1 - player, sheet("Far"), at=FAR, models=1)
    rest = {k: v for k, v in options.items() if k in names}
    return scene.battle(active=player, run=run, **rest), unit  # type: ignore[arg-type]


@pytest.mark.rule("w8.concepts.coherency")
@pytest.mark.parametrize(("across", "height", "legal"), [(2.0, 6.0, True), (2.1, 6.0, False), (2.0, 6.1, False)])
@pytest.mark.parametrize("player", [0, 1])
def test_two_inches_across_and_six_up(across: float, height: float, legal: bool, player: int) -> None:
    """The second of two models ends its move above the first."""
    scene = EighthScene()
    scene.floor(20.95, 10, 40, 30, height)
    unit = scene.unit(player, sheet("Squad", M=30), at=[(20, 20), (20, 21.5)])
    scene.unit(1 - player, sheet("Far"), at=FAR, models=1)
    battle = scene.battle(active=player, detail="full")
    fault = check_move(battle, unit, "normal", {1: [(21 + across, 20, height)]})
    assert fault == (Fault.LEGAL if legal else Fault.NOT_COHERENT)


@pytest.mark.rule("w8.concepts.coherency")
def test_a_single_model_is_coherent() -> None:
    battle, unit = squad(line(9.0), lost=(1,))
    assert in_coherency(battle, unit.row)


@pytest.mark.rule("w8.concepts.coherency.group")
@pytest.mark.parametrize(
    ("gaps", "whole"),
    [((1.0, 8.0, 1.0), False), ((2.0, 2.0, 2.0), True), ((1.0, 2.1, 1.0), False), ((2.0,) * 9, True)],
)
def test_one_connected_group_whatever_its_size(gaps: tuple[float, ...], whole: bool) -> None:
    """Two pairs 8" apart are none although each model has a neighbour; ten in a line are: nobody needs two neighbours."""
    battle, unit = squad(line(*gaps), run=False)
    assert in_coherency(battle, unit.row) is whole


@pytest.mark.rule("w8.concepts.coherency.every-move")
@pytest.mark.parametrize("move", ["normal", "advance", "fall back", "charge", "pile in", "consolidate"])
@pytest.mark.parametrize(("end", "legal"), [((14.0, 10), False), ((13.0, 10), True)])
def test_every_kind_of_move_ends_in_coherency(move: str, end: Spot, legal: bool) -> None:
    """Two models 2" apart, of which the second goes on by 1" or 0.5"."""
    battle, unit = squad(line(2.0 if not legal else 1.5), detail="full")
    fault = check_move(battle, unit, move, {1: [end]}, roll=3 if move in ("advance", "charge") else None)
    assert fault == (Fault.LEGAL if legal else Fault.NOT_COHERENT)


@pytest.mark.rule("w8.concepts.coherency.every-move")
def test_set_up_ends_in_coherency() -> None:
    """Units that arrive and that are deployed stand in coherency, wherever they are put."""
    scene = EighthScene()
    unit = scene.unit(0, sheet("Squad", abilities={"deep_strike": True}), models=6, reserves="deep-strike")
    scene.unit(0, sheet("Rest"), at=(5, 5), models=1)
    scene.unit(1, sheet("Far"), at=FAR, models=1)
    battle = scene.battle(round=2)
    pick(battle, "Rest: Remain Stationary")
    pick(battle, "Squad", kind="select-reserves")
    for cell in slots(battle, "cell")[::40]:
        put = battle.clone()
        choose(put, "cell", cell)
        assert in_coherency(put, unit.row)


@pytest.mark.rule("w8.concepts.coherency.restore")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_split_unit_mends_at_its_next_move(detail: str, player: int) -> None:
    """A line of three with gaps of 2" whose middle model is lost: the outer two, 5" apart by their centres, close up or stay; they
    may shoot all the same."""
    scene = EighthScene()
    gun = {"gun": ranged(60, BS=3, S=4)}
    unit = scene.unit(player, sheet("Squad", weapons=gun), at=line(2.0, 2.0), lost=(1,))
    scene.unit(1 - player, sheet("Far", W=9), at=FAR, models=1)
    shoots = scene.battle("shooting", active=player, detail=detail)
    while kind(shoots) in ("select-to-shoot", "shoot-target", "weapon-target") and shoots.clock.turn[0] == player:
        shoots.apply(shoots.decision.options[-1])  # type: ignore[union-attr]
    assert told(shoots, "w8.attack.hit")
    battle = scene.battle(active=player, detail=detail)
    pick(battle, "Normal move")
    if detail == "squad":
        cells = slots(battle, "cell")
        for cell in cells[:: max(1, len(cells) // 25)]:
            moved = battle.clone()
            choose(moved, "cell", cell)
            assert in_coherency(moved, unit.row)
        assert cells
        return
    walk(battle, 0, 8, 10)
    assert "end the move" not in words(battle).values()
    pick(battle, "take the move back")
    walk(battle, 0, 13, 10)
    pick(battle, "end the move")
    assert in_coherency(battle, unit.row)


@pytest.mark.rule("w8.concepts.coherency.cannot-restore")
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_that_cannot_mend_stays_where_it_is(player: int) -> None:
    """Two models 20" apart with M 5": no Normal move is offered; an Advance of 6 brings them together, one of 1 does not, and nobody
    moves."""
    for roll, mends in ((6, True), (1, False)):
        scene = EighthScene()
        unit = scene.unit(player, sheet("Squad", M=5), at=line(20.0, x=20))
        scene.unit(player, sheet("Rest"), at=(5, 40), models=1)
        scene.unit(1 - player, sheet("Far"), at=FAR, models=1)
        battle = scene.battle(active=player, dice=[roll])
        pick(battle, "Squad", kind="select-to-move")
        assert sorted(words(battle).values()) == ["Squad: Advance", "Squad: Remain Stationary"]
        before = [battle.models.x[unit.model(k)] for k in range(2)]
        pick(battle, "Advance")
        assert (kind(battle) == "move-to") is mends
        assert bool(told(battle, "w8.concepts.coherency.cannot-restore")) is not mends
        if mends:
            battle.apply(battle.first_legal())
            assert in_coherency(battle, unit.row)
        else:
            assert [battle.models.x[unit.model(k)] for k in range(2)] == before
        assert battle.units.moved[unit] == Moved.ADVANCE
