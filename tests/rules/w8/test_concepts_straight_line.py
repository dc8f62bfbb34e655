"""1" of an enemy is a straight line in three dimensions, wherever it is asked (w8.concepts.measuring.three-dimensional)."""

from __future__ import annotations

from math import hypot, sqrt

import pytest
from eighth import EighthScene

from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w40k.questions.move_limits import engaged
from wh_env.testing import apart, choose, kind, melee, pick, ranged, sheet, slots, told
from wh_env.testing.moves import judged


@pytest.mark.rule("w8.concepts.measuring.three-dimensional")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("reach", "in_range"), [(5.0, True), (4.99, False)])
def test_a_weapon_reaches_up_along_the_straight_line(reach: float, in_range: bool, player: int) -> None:
    """On a roof 4" up and 3" across: 5" away."""
    scene = EighthScene()
    scene.floor(13.4, 5, 30, 15, 4.0)
    scene.unit(player, sheet("A", weapons={"gun": ranged(reach)}), at=(10, 10), models=1)
    scene.unit(1 - player, sheet("B"), at=[(14, 10, 4.0)])
    battle = scene.battle("shooting", active=player)
    assert battle.distance(0, 1) == pytest.approx(5.0)
    assert bool(told(battle, "w8.attack.hit")) or (kind(battle) == "select-to-shoot") is in_range


@pytest.mark.rule("w8.concepts.measuring.three-dimensional", "w8.concepts.within")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("across", "height", "near"),
    [
        (1.0, 0.0, True),
        (1.01, 0.0, False),
        (0.8, 0.6, True),
        (0.81, 0.6, False),
        (0.6, 0.8, True),
        (0.5, 1.2, False),
        (0.9, 0.9, False),
    ],
)
def test_within_1_inch_counts_heights(across: float, height: float, near: bool, player: int) -> None:
    """Who is within 1" may stay or Fall Back, and fights; 0.6" across and 0.8" up is exactly 1"."""
    scene = EighthScene()
    if height:
        scene.box(10.9, 5, 20, 15, height, kind="hill")
    knife = {"knife": melee(A=1, WS=3, S=4)}
    mine = scene.unit(player, sheet("A", weapons=knife, height=0.5), at=[(10, 10), (8.5, 10)])
    theirs = scene.unit(
        1 - player, sheet("B", weapons=knife, W=9), at=[(11 + across, 10, height), (13 + across, 10, height)]
    )
    battle = scene.battle(active=player)
    assert engaged(battle, mine.row) is engaged(battle, theirs.row) is near
    assert slots(battle, "option") == ([0, 3] if near else [0, 1, 2])
    fight = scene.battle("fight", active=player)
    assert (kind(fight) == "pile-in") is near


@pytest.mark.rule("w8.concepts.measuring.three-dimensional", "w8.move.enemy-1")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("height", [0.0, 0.6, 0.9, 1.1])
def test_masks_keep_1_inch_in_a_straight_line(height: float, detail: str) -> None:
    """On a ledge, the enemy keeps those below it away by the side of a triangle; none above 1" keeps nobody."""
    scene = EighthScene()
    if height:
        scene.floor(24.3, 18, 26, 22, height)
    scene.unit(0, sheet("Squad", height=0.3), at=(20, 20), models=1)
    scene.unit(1, sheet("Foe"), at=[(25, 20, height)])
    battle = scene.battle(detail=detail)
    pick(battle, "Normal move")
    if detail == "full":
        pick(battle, "move Squad")
        if kind(battle) == "model-level":
            battle.apply(battle.setup.space.number)
    grid = battle.setup.space.grid
    step = 12.0 / (grid - 1)
    found = set(slots(battle, "cell"))
    keep = sqrt(max(0.0, 1.0 - height * height)) if height <= 1.0 else -1.0
    seen = {True: 0, False: 0}
    for cell in range(grid * grid):
        x, y = 20 + (cell % grid - grid // 2) * step, 20 + (cell // grid - grid // 2) * step
        away = hypot(x - 25, y - 20) - 1.0
        if x > 23.2 or hypot(x - 20, y - 20) > 5.99 or abs(away - keep) < 1e-3:
            continue  # under the ledge, or out of reach
        assert (cell in found) == (away > keep), (x, y)
        seen[cell in found] += 1
    assert seen[True] > 20


@pytest.mark.rule("w8.concepts.measuring.three-dimensional", "w8.move.enemy-1", "w8.move.enemy-1.path")
def test_paths_keep_1_inch_in_a_straight_line() -> None:
    """An enemy 0.8" up: a path that passes 0.5" beside it is refused, one that passes 0.7" beside it is not."""
    for beside, verdict in ((0.5, Fault.ENGAGES_ON_THE_WAY), (0.59, Fault.ENGAGES_ON_THE_WAY), (0.62, Fault.LEGAL)):
        scene = EighthScene()
        scene.floor(22, 20.45, 24, 23, 0.8)
        unit = scene.unit(0, sheet("Squad", height=0.3), at=(20, 20), models=1)
        scene.unit(1, sheet("Foe"), at=[(23, 21 + beside, 0.8)])
        battle = scene.battle(detail="full")
        assert judged(battle, unit, (26, 20)) == verdict
    ground, unit = _beside(0.62)
    assert judged(ground, unit, (26, 20)) == Fault.ENGAGES_ON_THE_WAY  # on the same level


def _beside(gap: float):  # type: ignore[no-untyped-def]
    scene = EighthScene()
    unit = scene.unit(0, sheet("Squad"), at=(20, 20), models=1)
    scene.unit(1, sheet("Foe"), at=[(23, 21 + gap)])
    return scene.battle(detail="full"), unit


@pytest.mark.rule("w8.concepts.measuring.three-dimensional", "w8.transport.disembark.position")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("height", "keep"), [(0.0, 1.0), (0.8, 0.6), (1.1, -1.0)])
def test_passengers_keep_1_inch_in_a_straight_line(height: float, keep: float, player: int) -> None:
    """Beside an enemy 0.8" up on a ledge they get out more than 0.6" across from it; beneath one that is 1.1" up anywhere."""
    scene = EighthScene()
    if height:
        scene.floor(24.3, 18, 30, 22, height)
    tank = scene.unit(player, sheet("Tank", keywords=("VEHICLE", "TRANSPORT"), abilities={"transport": {"capacity": 10, "allowed": ["INFANTRY"]}}),
                      at=(21, 20), models=1)  # fmt: skip
    squad = scene.unit(player, sheet("Squad", height=0.3), models=1, embarked_in=tank)
    foe = scene.unit(1 - player, sheet("Foe"), at=[(25, 20, height)])
    battle = scene.battle(detail="full", active=player)
    pick(battle, "Squad disembarks")
    assert kind(battle) == "place-model"
    near = []
    for cell in slots(battle, "cell"):
        clone = battle.clone()
        choose(clone, "cell", cell)
        for action in clone.decision.options if clone.decision is not None else ():
            put = clone.clone()
            put.apply(action)
            near.append(apart(put, squad.first, foe.first))
            if near[-1] > 2.0:
                break  # the places of one cell are at most 0.71" from each other: none of these is one of the nearest
    assert keep < min(near) < max(0.0, keep) + 0.12
