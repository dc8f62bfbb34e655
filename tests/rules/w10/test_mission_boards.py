"""Creating the battlefield: boards with the fewest features, and what objective markers keep off
(w10.terrain.layout-guidelines, w10.objective.on-terrain)."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.testing import Scene, choose, sheet, slots

GRID = 17
RADIUS = 40 / 25.4 / 2


def board(cell: int) -> tuple[int, int]:
    """The board, of two by two, in which the middle of a cell lies."""
    return int((cell % GRID + 0.5) / GRID * 2), int((cell // GRID + 0.5) / GRID * 2)


def three_boxes(last: tuple[int, int]) -> Battle:
    """Containers are placed on the boards in this order, each near the middle of one."""
    scene = Scene()
    for k in range(4):
        scene.box(1, 3 * k + 1, 3, 3 * k + 2, 3)
    scene.unit(0, sheet("Mine"), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission", dice=(5, 2), detail="full", rules={"terrain": "players"})
    for spot in [(x, y) for y in (0, 1) for x in (0, 1) if (x, y) != last]:
        if battle.decision is not None and battle.decision.kind == "select-feature":
            choose(battle, "number", slots(battle, "number")[0])
        choose(battle, "angle", 0)
        cell = (4 + 8 * spot[1]) * GRID + 4 + 8 * spot[0]
        assert cell in slots(battle, "cell")
        choose(battle, "cell", cell)
        choose(battle, "cell", slots(battle, "cell")[0])
    return battle


@pytest.mark.rule("w10.terrain.layout-guidelines")
@pytest.mark.parametrize("last", [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_a_feature_goes_to_a_board_with_the_fewest(last: tuple[int, int]) -> None:
    """Three of four boards have a feature: the fourth goes on the one that has none, whichever it is."""
    battle = three_boxes(last)
    assert battle.decision is not None
    if battle.decision.kind == "select-feature":
        choose(battle, "number", slots(battle, "number")[0])
    choose(battle, "angle", 0)
    offered = {board(cell) for cell in slots(battle, "cell")}
    assert offered == {last}


@pytest.mark.rule("w10.objective.on-terrain")
@pytest.mark.parametrize(
    ("kind", "part", "z", "legal"),
    [
        ("ruins", "walls", 3.0, True),  # it hangs in the air: a lintel
        ("ruins", "walls", 0.6, True),
        ("ruins", "walls", 0.0, False),
        ("ruins", "floors", 3.0, True),
        ("ruins", "masses", 3.0, False),  # an arch: a mass, wherever it begins
        ("ruins", "masses", 0.0, False),
        ("container", "masses", 3.0, False),
        ("container", "masses", 0.0, False),
        ("container", "walls", 3.0, True),
        ("container", "walls", 0.0, False),
        ("container", "floors", 3.0, True),
    ],
)
def test_markers_keep_off_walls_and_masses_but_not_off_floors_and_what_hangs(
    kind: str, part: str, z: float, legal: bool
) -> None:
    """Something 0.5" beside the marker in the middle of the table."""
    scene = Scene()
    low = 22 + RADIUS + 0.5
    outline = [(20, low), (40, low), (40, 25), (20, 25)]
    piece: dict[str, object] = {"polygon": outline, "height": 5 if part != "floors" else z}
    if z and part != "floors":
        piece["z"] = z
    scene.feature(kind=kind, polygon=outline, height=5, parts={part: [piece]})
    scene.unit(0, sheet("Mine"), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission", dice=(5, 2), rules={"players_place_markers": 4})
    assert (8 * GRID + 8 in slots(battle, "cell")) == legal
