"""Wholly within, for models without a round base that stand askew (w10.terrain.craters.cover)."""

from __future__ import annotations

from math import cos, pi, sin

import pytest

from wh_env.testing import Scene, dice_left, pick, ranged, sheet, told

LEFT, LOW, RIGHT, HIGH = 29.0, 6.0, 37.0, 14.0


def save_needed(at: tuple[float, float, float, float], **base: object) -> int:
    """What INFANTRY of Sv 4+ at this place needs to save against a gun that sees all of it, beside a crater."""
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(60, BS=2, S=8)}), at=[(10, 10)])
    scene.crater(LEFT, LOW, RIGHT, HIGH)
    scene.unit(1, sheet("Foes", Sv=4, **base), at=[at], models=1)  # type: ignore[arg-type]
    battle = scene.battle("shooting", dice=[6, 6, 1])
    pick(battle, "Guns")
    assert dice_left(battle) == 0
    return int(told(battle, "w10.attack.save.roll")[0]["needed"])


@pytest.mark.rule("w10.terrain.craters.cover")
@pytest.mark.parametrize("turn", [pi / 6, 2 * pi / 3, -pi / 9])
@pytest.mark.parametrize("shape", ["hull", "oval"])
def test_every_part_of_a_turned_base_must_be_on_the_crater(turn: float, shape: str) -> None:
    """4" by 1", turned: with its outermost part just within each of the four edges there is cover, just over it none."""
    a, b = 2.0, 0.5
    c, s = abs(cos(turn)), abs(sin(turn))
    if shape == "hull":
        base: dict[str, object] = {"base_mm": None, "hull_in": (4, 1)}
        wide, deep = a * c + b * s, a * s + b * c
    else:
        base = {"base_mm": (101.6, 25.4)}
        wide, deep = ((a * c) ** 2 + (b * s) ** 2) ** 0.5, ((a * s) ** 2 + (b * c) ** 2) ** 0.5
    for over, needed in ((-0.03, 3), (0.03, 4)):
        for x, y in (
            (LEFT + wide - over, 10.0),
            (RIGHT - wide + over, 10.0),
            (33.0, LOW + deep - over),
            (33.0, HIGH - deep + over),
        ):
            assert save_needed((x, y, 0.0, turn), **base) == needed


@pytest.mark.rule("w10.terrain.barricades.cover")
@pytest.mark.parametrize("turn", [pi / 6, 2 * pi / 3, -pi / 9])
@pytest.mark.parametrize("shape", ["hull", "oval"])
@pytest.mark.parametrize("across", [False, True])
def test_every_part_of_a_turned_base_must_be_near_the_barricade(turn: float, shape: str, across: bool) -> None:
    """2" by 1", turned, behind a barricade that lies along either side of the table: its far side just within 3", or just not."""
    a, b = 1.0, 0.5
    c, s = abs(cos(turn)), abs(sin(turn))
    if shape == "hull":
        base: dict[str, object] = {"base_mm": None, "hull_in": (2, 1)}
        wide, deep = a * c + b * s, a * s + b * c
    else:
        base = {"base_mm": (50.8, 25.4)}
        wide, deep = ((a * c) ** 2 + (b * s) ** 2) ** 0.5, ((a * s) ** 2 + (b * c) ** 2) ** 0.5
    for over, needed in ((-0.03, 3), (0.03, 4)):
        scene = Scene()
        gun = sheet("Guns", weapons={"gun": ranged(60, BS=2, S=8)})
        if across:
            scene.unit(0, gun, at=[(30, 5)])
            scene.box(22, 20.4, 38, 21, 1, kind="barricade")
            at = (30.0, 24.0 - deep + over, 0.0, turn)
        else:
            scene.unit(0, gun, at=[(10, 20)])
            scene.box(28.4, 12, 29, 28, 1, kind="barricade")
            at = (32.0 - wide + over, 20.0, 0.0, turn)
        scene.unit(1, sheet("Foes", Sv=4, **base), at=[at], models=1)  # type: ignore[arg-type]
        battle = scene.battle("shooting", dice=[6, 6, 1])
        pick(battle, "Guns")
        assert told(battle, "w10.attack.save.roll")[0]["needed"] == needed
