"""What observations show of machines, ground, buildings and allies, to both seats."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from wh_env import Battle
from wh_env.envs.observation import Observer, column_of
from wh_env.rulesets.wap.basics.garrisons import occupy
from wh_env.rulesets.wap.codes import DRANK, ENTERED, EXPOSED, POISONED, SPURRED, TAKES_PART
from wh_env.rulesets.wap.view.observe import TERRAIN
from wh_env.testing.wap import RegimentScene, UnitHandle

Change = Callable[[Battle, int], object]
BOTH = pytest.mark.parametrize("seat", [0, 1])
PARTS = ("own", "enemy")


def placed() -> tuple[Battle, tuple[UnitHandle, UnitHandle]]:
    """A unit of each army of a side, beside a house; the other side is far away."""
    scene = RegimentScene()
    scene.area("building", 30, 20, 36, 26, storeys=2)
    for book in ("Orcs & Goblins", "Skaven"):
        scene.army(0, book, "destruction")
    units = [scene.unit(0, None, (10.0 + 20 * n, 10), army=n) for n in (0, 1)]
    scene.unit(1, None, (24, 44))
    return scene.battle("movement", run=False), (units[0], units[1])


def seen(battle: Battle, seat: int, part: str, slot: int, name: str) -> float:
    found = Observer(battle.setup, "entities").observe(battle, seat)[part]
    return float(found[slot, column_of("wap", part, name)])


def does(deed: int) -> Change:
    return lambda g, unit: g.units.did.__setitem__(unit, g.units.did[unit] | deed)


def gets(column: str, value: int) -> Change:
    return lambda g, unit: getattr(g.units, column).__setitem__(unit, value)


WAYS: list[tuple[str, Change, float]] = [
    ("spurred", does(SPURRED), 1.0),
    ("drank", does(DRANK), 1.0),
    ("poisoned", does(POISONED), 1.0),
    ("entered", does(ENTERED), 1.0),
    ("high", gets("high", 4), 0.4),
    ("inside", lambda g, unit: occupy(g, unit, 0, "wap.building.enter"), 1.0),
    ("storms", gets("storms", 0), 1.0),
    ("stormed", gets("stormed", 0), 1.0),
    ("party", gets("party", TAKES_PART | EXPOSED), 5 / 7),
    ("ducks", gets("ducks", 2), 1.0),
    ("jammed", gets("jammed", 1), 0.5),
    ("distrust", lambda g, unit: g.armies.distrust.__setitem__(g.units.contingent[unit], 2), 2 / 3),
]


@BOTH
@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize(("name", "change", "value"), WAYS, ids=[name for name, _, _ in WAYS])
def test_both_seats_see_what_becomes_of_a_unit(name: str, change: Change, value: float, which: int, seat: int) -> None:
    battle, units = placed()
    part = PARTS[seat]
    assert [seen(battle, seat, part, slot, name) for slot in (0, 1)] == [0.0, 0.0]
    change(battle, units[which].row)
    assert seen(battle, seat, part, which, name) == pytest.approx(value)
    assert seen(battle, seat, part, 1 - which, name) == 0.0
    assert seen(battle, seat, PARTS[1 - seat], 0, name) == 0.0


@BOTH
def test_both_seats_see_to_which_army_of_a_side_a_unit_belongs(seat: int) -> None:
    battle, _ = placed()
    assert [seen(battle, seat, PARTS[seat], slot, "ally") for slot in (0, 1)] == [0.0, 0.25]
    assert seen(battle, seat, PARTS[1 - seat], 0, "ally") == 0.0


@BOTH
@pytest.mark.parametrize("kind", ["hill", "forest", "river", "marsh", "obstacle", "building"])
def test_both_seats_see_ground_of_each_kind_from_their_own_edge(kind: str, seat: int) -> None:
    """A square of 6" in the south-western corner of a table of 48"."""
    scene, kinds = RegimentScene((48, 48)), [field.name for field in TERRAIN]
    scene.area(kind, 0, 0, 6, 6, storeys=1 if kind == "building" else None)
    for player in (0, 1):
        scene.unit(player, None, (24, 20 + 8 * player))
    battle = scene.battle("movement", run=False)
    terrain = Observer(battle.setup, "entities").observe(battle, seat)["terrain"]
    planes = {name: terrain[column_of("wap", "terrain", name)] for name in kinds}
    shown = {name for name in kinds[2:] if planes[name].any()}
    assert shown == {kind} | ({"impassable"} if kind == "building" else set())
    there = planes[kind]
    deep, wide = there.shape[0] // 8, there.shape[1] // 8
    corner = there[:deep, :wide] if seat == 0 else there[-deep:, -wide:]
    assert np.all(corner == 1.0) and there.sum() == pytest.approx(corner.sum())
