"""Terrain: Woods and Ruins, what can be seen through them, and cover in them (w10.terrain.woods.*, w10.terrain.ruins.*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from wh_env import Battle
from wh_env.testing import Scene, UnitHandle, dice_left, in_full_view, in_sight, pick, ranged, sheet, told, words

Area = tuple[float, float, float, float]
VEHICLE = ("VEHICLE",)
TOWER = ("VEHICLE", "TOWERING")
PLANE = ("VEHICLE", "AIRCRAFT", "FLY")


def can_shoot(battle: Battle) -> bool:
    """Whether the Guns have a target in their Shooting phase."""
    waits = battle.decision
    return waits is not None and waits.kind == "select-to-shoot" and "Guns" in words(battle).values()


class Range:
    """Guns and Foes (both of player's choice) with one feature on the table."""

    def __init__(
        self,
        kind: str,
        area: Area,
        guns: Sequence[float] = (10, 10),
        foes: Sequence[float] = (30, 10),
        *,
        walls: Sequence[Mapping[str, Any]] = (),
        floors: Sequence[float] = (),
        ap: int = 0,
        shooter: Mapping[str, Any] | None = None,
        target: Mapping[str, Any] | None = None,
    ) -> None:
        self.scene = Scene()
        gun = {"gun": ranged(60, BS=2, S=8, AP=ap)}
        self.guns = self.scene.unit(0, sheet("Guns", weapons=gun, **dict(shooter or {})), at=guns)
        if kind == "ruins":
            self.scene.ruins(*area, walls=walls, floors=floors)
        else:
            self.scene.woods(*area)
        self.foes = self.scene.unit(1, sheet("Foes", **{"Sv": 4, **dict(target or {})}), at=foes)

    def battle(self, **more: Any) -> Battle:
        """In the Shooting phase of the Guns."""
        return self.scene.battle("shooting", **more)

    def views(self) -> tuple[bool, bool, bool, bool]:
        """Guns see Foes, fully; Foes see Guns, fully."""
        battle, one, two = self.battle(), self.guns.first, self.foes.first
        return (
            in_sight(battle, one, two),
            in_full_view(battle, one, two),
            in_sight(battle, two, one),
            in_full_view(battle, two, one),
        )

    def needed(self) -> int | None:
        """The number that the save against the Guns needs; None where they have no target."""
        battle = self.battle(dice=[6, 6, 1])
        if not can_shoot(battle):
            assert dice_left(battle) == 3
            return None
        pick(battle, "Guns")
        assert dice_left(battle) == 0
        return int(told(battle, "w10.attack.save.roll")[0]["needed"])


GROVE = (18.0, 8.0, 24.0, 12.0)  # 6" by 4", between the models


# ---------------------------------------------------------------- Woods


@pytest.mark.rule("w10.terrain.woods.footprint")
def test_the_base_of_the_woods_is_their_footprint() -> None:
    """Wholly inside the rectangle of 6" by 4" a model is within them; 0.1" outside it is not.

    The attacker is wholly within too and sees out of them normally, so only the place of the target matters.
    """
    for x, y, within in (
        (23.5, 10, True),
        (23.6, 10, False),
        (22, 11.5, True),
        (22, 11.6, False),
        (20, 8.5, True),
        (20, 8.4, False),
    ):
        position = Range("woods", GROVE, guns=(18.6, 10), foes=(x, y))
        assert position.views()[:2] == (True, not within)
        assert position.needed() == (3 if within else 4)


@pytest.mark.rule("w10.terrain.woods.within")
def test_who_is_within_woods_is_never_fully_visible() -> None:
    """5" from the observer, nothing else between: visible and not fully visible, from outside and from within."""
    assert Range("woods", GROVE, guns=(13.5, 10), foes=(19, 10)).views()[:2] == (True, False)
    assert Range("woods", GROVE, guns=(19, 10), foes=(23, 10)).views() == (True, False, True, False)
    assert Range("woods", GROVE, guns=(13.5, 10), foes=(17, 10)).views()[:2] == (True, True)


@pytest.mark.rule("w10.terrain.woods.through")
def test_looking_through_woods() -> None:
    """Woods between: visible but not fully, +1 to the save; with the observer wholly within them neither."""
    between = Range("woods", GROVE)
    assert between.views() == (True, False, True, False)
    assert between.needed() == 3
    within = Range("woods", GROVE, guns=(23, 10))
    assert within.views()[:2] == (True, True)
    assert within.needed() == 4
    partly = Range("woods", GROVE, guns=(18, 10))  # half of its base inside
    assert partly.views()[:2] == (True, False)
    assert partly.needed() == 3
    beside = Range("woods", GROVE, guns=(10, 4), foes=(30, 4))
    assert beside.views() == (True, True, True, True)
    assert beside.needed() == 4
    # over them as through them, and true line of sight still counts
    high = Range("woods", GROVE, guns=(10, 10), foes=(30, 10), target={"height": 9}, shooter={"height": 9})
    assert high.views() == (True, False, True, False)
    hidden = Range("woods", GROVE)
    hidden.scene.box(26, 5, 27, 15, 6)
    assert hidden.views() == (False, False, False, False)


@pytest.mark.rule("w10.terrain.woods.aircraft-towering")
@pytest.mark.parametrize("keywords", [TOWER, PLANE])
def test_towering_models_look_over_woods(keywords: tuple[str, ...]) -> None:
    """A TOWERING model 8" tall and a unit 20" away beyond Woods 4" high are fully visible to each other, without +1."""
    tall = {"keywords": keywords, "height": 8, "base_mm": 50.8}
    shooting = Range("woods", GROVE, shooter=tall)
    assert shooting.views() == (True, True, True, True)
    assert shooting.needed() == 4
    shot_at = Range("woods", GROVE, target=tall)
    assert shot_at.needed() == 4
    other = Range("woods", GROVE, shooter={**tall, "keywords": VEHICLE})
    assert other.views() == (True, False, True, False)
    assert other.needed() == 3
    # what stands in the way is still in the way
    trees = Range("woods", GROVE, shooter=tall)
    trees.scene.box(26, 5, 27, 15, 7)
    assert trees.views()[0] is False


@pytest.mark.rule("w10.terrain.woods.seeing-out")
def test_looking_out_of_woods() -> None:
    """Wholly within Woods, a target in the open 12" away: fully visible, no +1; the other way it is not."""
    out = Range("woods", GROVE, guns=(18.5, 10), foes=(31.5, 10))
    assert out.views() == (True, True, True, False)
    assert out.needed() == 4


@pytest.mark.rule("w10.terrain.woods.cover")
def test_cover_of_woods() -> None:
    """A VEHICLE wholly within against AP -1: a 4 saves; so 3" behind them. Beside them a 5 is needed."""
    tank = {"keywords": VEHICLE, "base_mm": 50.8, "height": 3}
    assert Range("woods", GROVE, foes=(21, 10), ap=-1, target=tank).needed() == 4
    assert Range("woods", GROVE, foes=(28, 10), ap=-1, target=tank).needed() == 4  # 24 + 3 + 1
    assert Range("woods", GROVE, foes=(28, 2), guns=(10, 2), ap=-1, target=tank).needed() == 5
    # even from above, where nothing is in the way
    above = Range("woods", GROVE, guns=(16, 10), foes=(21, 10), ap=-1, target=tank, shooter={"keywords": TOWER})
    assert above.needed() == 4


# ---------------------------------------------------------------- Ruins


SQUARE = (18.0, 7.0, 24.0, 13.0)  # 6" by 6", between the models
DOORWAY = (
    {"line": [(18.2, 7.2), (18.2, 12.8)], "height": 5, "openings": [{"from": 1.8, "to": 3.8, "z_high": 4}]},
    {"line": [(23.8, 7.2), (23.8, 12.8)], "height": 5, "openings": [{"from": 1.8, "to": 3.8, "z_high": 4}]},
)


@pytest.mark.rule("w10.terrain.ruins.blocked")
def test_nobody_sees_through_ruins() -> None:
    """Ruins of 6" by 6" between, with a doorway 2" wide on the line: not visible; nor over the mere footprint."""
    assert Range("ruins", SQUARE, walls=DOORWAY).views() == (False, False, False, False)
    assert Range("ruins", SQUARE, walls=DOORWAY).needed() is None
    assert Range("ruins", SQUARE).needed() is None
    assert Range("woods", SQUARE).views()[0]  # the rule, not the walls
    # over the top, from wherever
    high = Range("ruins", SQUARE, shooter={"height": 20}, target={"height": 20})
    assert high.views() == (False, False, False, False)
    # past them: a footprint that leaves half of the target free does not hide it
    for y, needed in ((13.4, 4), (12.6, 3), (12.55, 3), (12.45, None)):
        position = Range("ruins", SQUARE, guns=(10, y), foes=(30, y))
        assert position.views()[0] == (needed is not None)
        assert position.needed() == needed
    assert Range("ruins", SQUARE, guns=(10, 14), foes=(30, 14)).needed() == 4


@pytest.mark.rule("w10.terrain.ruins.blocked")
def test_ruins_block_whole_units() -> None:
    """Targets of many models: offered exactly where some model stands clear of the footprint."""
    for last, offered in (((30, 10), False), ((30, 18), True)):
        scene = Scene()
        gun = {"gun": ranged(60)}
        scene.unit(0, sheet("Guns", weapons=gun), at=[(10, 9 + 0.5 * k + k) for k in range(3)])
        scene.ruins(*SQUARE)
        scene.unit(1, sheet("Foes"), at=[(32, 9), (32, 10.5), last])
        battle = scene.battle("shooting")
        assert can_shoot(battle) == offered


@pytest.mark.rule("w10.terrain.ruins.footprint")
def test_the_whole_base_of_the_ruins_is_inside() -> None:
    """Ruins of 9" by 6" with walls along two sides only: the open corner counts too, for sight and for cover."""
    area = (18.0, 7.0, 27.0, 13.0)
    walls = [{"line": [(18.2, 12.8), (26.8, 12.8), (26.8, 7.2)], "height": 5}]
    inside = Range("ruins", area, walls=walls, foes=(18.5, 7.5))
    assert inside.views()[:2] == (True, True)
    assert inside.needed() == 3
    assert Range("ruins", area, walls=walls, foes=(18.4, 7.5)).needed() == 4
    # across the open corner nobody sees
    assert Range("ruins", area, walls=walls, guns=(17.3, 9.3), foes=(20.3, 6.3)).needed() is None
    assert Range("ruins", area, walls=walls, guns=(16, 6.5), foes=(19, 4.5)).needed() == 4


@pytest.mark.rule("w10.terrain.ruins.aircraft-towering")
@pytest.mark.parametrize("keywords", [TOWER, PLANE])
def test_towering_models_are_seen_over_ruins(keywords: tuple[str, ...]) -> None:
    """Ruins 5" high between INFANTRY and a TOWERING model 8" tall: each sees the other over the top, if it is so."""
    walls = [{"line": [(18.2, 7.2), (18.2, 12.8)], "height": 5}, {"line": [(23.8, 7.2), (23.8, 12.8)], "height": 5}]
    tall = {"keywords": keywords, "height": 8, "base_mm": 50.8}
    over = Range("ruins", SQUARE, walls=walls, guns=(2, 10), foes=(30, 10), target=tall)
    assert over.views()[::2] == (True, True)
    assert over.needed() == 3  # its feet are hidden by the walls
    assert Range("ruins", SQUARE, guns=(2, 10), target=tall).needed() == 4  # no walls, nothing hidden
    low = Range("ruins", SQUARE, walls=walls, guns=(14, 10), foes=(56, 10), target=tall)
    assert low.views()[::2] == (False, False)  # too steep
    plain = Range("ruins", SQUARE, walls=walls, guns=(2, 10), target={**tall, "keywords": VEHICLE})
    assert plain.views()[::2] == (False, False)


@pytest.mark.rule("w10.terrain.ruins.seeing-in-out")
def test_looking_into_and_out_of_ruins() -> None:
    """Wholly within behind a window 1" wide that faces an observer 10" outside: visible both ways; not past the wall."""
    for window, seen in ((True, True), (False, False)):
        openings = [{"from": 2.3, "to": 3.3, "z_low": 0.8, "z_high": 2}] if window else []
        walls = [{"line": [(18.2, 7.2), (18.2, 12.8)], "height": 5, "openings": openings}]
        for guns, foes in (((7.5, 10), (19.5, 10)), ((19.5, 10), (7.5, 10))):
            position = Range("ruins", SQUARE, guns=guns, foes=foes, walls=walls)
            assert position.views()[::2] == (seen, seen)
            assert (position.needed() is not None) == seen
    # out on the open side nothing is in the way; out through the far side neither
    assert Range("ruins", SQUARE, guns=(19, 10), foes=(40, 10)).views() == (True, True, True, True)
    # two models within see each other
    assert Range("ruins", SQUARE, guns=(19, 10), foes=(23, 10)).views()[::2] == (True, True)


HULL = {"keywords": VEHICLE, "base_mm": None, "hull_in": (4, 2), "height": 3}


@pytest.mark.rule("w10.terrain.ruins.partly-within")
@pytest.mark.parametrize("inside", [2.0, 1.0, 3.0])
def test_partly_within_ruins(inside: float) -> None:
    """A VEHICLE with half of its 4" hull inside: an enemy 10" beyond the far side is not visible to it, one 10" away on
    its near side is; it can be seen from both sides. The same with more or less of it inside."""
    x = 18.0 - 2.0 + inside  # the hull along x, its front inside
    beyond = Range("ruins", SQUARE, guns=(x, 10, 0, 0), foes=(34.5, 10), shooter=HULL)
    assert beyond.views()[0] is False
    assert beyond.views()[2] is True
    assert beyond.needed() is None
    near = Range("ruins", SQUARE, guns=(x, 10, 0, 0), foes=(x - 12.5, 10), shooter=HULL)
    assert near.views()[::2] == (True, True)
    assert near.needed() == 4
    seen = Range("ruins", SQUARE, guns=(34.5, 10), foes=(x, 10, 0, 0), target=HULL)
    assert seen.needed() == 4  # half within, fully visible
    walled = Range(
        "ruins", SQUARE, guns=(34.5, 10), foes=(x, 10, 0, 0), target=HULL,
        walls=[{"line": [(23.8, 7.2), (23.8, 12.8)], "height": 5}],
    )  # fmt: skip
    assert walled.views()[0] is False  # by true line of sight
    # lines that end inside the footprint are normal
    assert Range("ruins", SQUARE, guns=(x, 10, 0, 0), foes=(22.5, 8), shooter=HULL).views()[0]
    # and a line along the outside
    assert Range("ruins", SQUARE, guns=(x, 10, 0, 0), foes=(15, 25), shooter=HULL).views()[0]


@pytest.mark.rule("w10.terrain.ruins.cover")
def test_cover_of_ruins() -> None:
    """INFANTRY wholly within in full view: cover; half within and fully visible: none; Sv 3+ against AP 0: none."""
    assert Range("ruins", SQUARE, foes=(21, 10)).needed() == 3
    assert Range("ruins", SQUARE, foes=(18, 10)).needed() == 4
    assert Range("ruins", SQUARE, foes=(21, 10), target={"Sv": 3}).needed() == 3
    assert Range("ruins", SQUARE, foes=(21, 10), target={"Sv": 3}, ap=-1).needed() == 3
    tank = {"keywords": VEHICLE, "base_mm": 50.8, "height": 3}
    assert Range("ruins", SQUARE, foes=(21, 10), target=tank).needed() == 3
    low = [{"line": [(18.2, 7.2), (18.2, 12.8)], "height": 1}]
    assert Range("ruins", SQUARE, guns=(21, 10), foes=(14, 10), walls=low).needed() == 3  # behind its low wall


@pytest.mark.rule("w10.terrain.ruins.plunging-fire")
def test_plunging_fire() -> None:
    """From a floor 6" up AP -1 is -2 and AP 0 is -1; from 5.9" up, or with a target model on a container, it is not."""

    def needed(up: float, ap: int, foes: Any = (30, 10), x: float = 23.4, count: int = 1) -> list[int]:
        scene = Scene()
        gun = {"gun": ranged(60, A=count, BS=2, S=8, AP=ap)}
        scene.unit(0, sheet("Guns", weapons=gun), at=(x, 10, up))
        scene.ruins(*SQUARE, floors=[up])
        scene.box(34, 12, 38, 16, 3)
        handle: UnitHandle = scene.unit(1, sheet("Foes", Sv=2), at=foes)
        battle = scene.battle("shooting", dice=[6] * (2 * count) + [1] * count)
        pick(battle, "Guns")
        assert dice_left(battle) == 0
        fired = told(battle, "w10.terrain.ruins.plunging-fire")
        rolls = [roll["needed"] for roll in told(battle, "w10.attack.save.roll")]
        assert bool(fired) == (rolls[0] != 2 - ap)
        assert handle.row == 1
        return rolls

    assert needed(6, -1) == [4]
    assert needed(5.9, -1) == [3]
    assert needed(6, 0) == [3]
    assert needed(5.9, 0) == [2]
    assert needed(6, -1, [(30, 14), (30, 12.5)], count=2) == [4, 4]
    assert needed(6, -1, [(30, 14), (36, 14, 3)], count=2) == [3, 3]


@pytest.mark.rule("w10.terrain.ruins.plunging-fire")
def test_fire_plunges_only_from_ruins() -> None:
    """From a container 6" high it does not."""
    for kind, needed in (("container", 3), ("ruins", 4)):
        scene = Scene()
        scene.unit(0, sheet("Guns", weapons={"gun": ranged(60, BS=2, S=8, AP=-1)}), at=(23.4, 10, 6))
        if kind == "ruins":
            scene.ruins(*SQUARE, floors=[6])
        else:
            scene.box(*SQUARE, 6)
        scene.unit(1, sheet("Foes", Sv=2), at=(30, 10))
        battle = scene.battle("shooting", dice=[6, 6, 1])
        pick(battle, "Guns")
        assert [roll["needed"] for roll in told(battle, "w10.attack.save.roll")] == [needed]
