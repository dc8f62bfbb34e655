"""How far a unit has moved, and rules triggered by moves (w9.glossary.moves-x.*, w9.rare.edge-abilities)."""

from __future__ import annotations

from math import pi

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.tables import ON_TABLE, RESERVE
from wh_env.rulesets.w9.move.moved import MOVED_OVER, least_displacement, moved_at_least
from wh_env.testing import UnitHandle, cell_nearest, choose, dice_left, kind, pick, ranged, sheet, slots, told
from wh_env.testing.moves import walk

Spot = tuple[float, float]


def moving(
    mine: list[Spot], inches: float, detail: str = "full", player: int = 0, foe: Spot = (55, 40), **fields: object
) -> tuple[Battle, UnitHandle]:
    """A unit whose player gains a Command point when it moves so far, selected to move."""
    scene = NinthScene()
    squad = scene.unit(player, sheet("Squad", **fields), at=mine, models=len(mine))  # type: ignore[arg-type]
    scene.unit(player, sheet("Watch"), at=(50, 3), models=1)
    scene.unit(1 - player, sheet("Foe"), at=foe, models=1)
    row = {"unit": squad.row, "inches": inches, "effect": "cp", "amount": 1}
    battle = scene.battle(detail=detail, active=player, rules={"moved": (row,)})
    pick(battle, "Squad", kind="select-to-move")
    return battle, squad


@pytest.mark.rule("w9.glossary.moves-x.requirement", "w9.glossary.moves-x.trigger")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("inches", "met"), [(6.0, True), (6.1, False)])
def test_from_start_to_end(inches: float, met: bool, player: int) -> None:
    """Every model ends 6.0" from its start: the rule about 6" or more is triggered, one about 6.1" is not; at both details."""
    for detail in ("full", "squad"):
        battle, squad = moving([(20, 20), (20, 21.5)], inches, detail, player)
        pick(battle, "Normal move")
        if detail == "squad":
            choose(battle, "cell", cell_nearest(battle, 6, 0, 6))
        else:
            walk(battle, 0, 26, 20)
            walk(battle, 1, 26, 21.5)
            pick(battle, "end the move")
        assert moved_at_least(battle, squad.row, inches) == met
        assert battle.players.cp[player] == met
        assert len(told(battle, "w9.glossary.moves-x.trigger")) == met


@pytest.mark.rule("w9.glossary.moves-x.requirement", "w9.glossary.moves-x.trigger")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_not_the_way_that_was_travelled(detail: str) -> None:
    """A unit with M 12" that ends 3" from its start after a bent way, or of which one of five models ends 5.2" from it, has not
    moved 6"; after an Advance and a Fall Back it is asked as well."""
    battle, squad = moving([(20, 20 + 1.5 * k) for k in range(5)], 6.0, detail, M=12)
    pick(battle, "Normal move")
    if detail == "full":
        for k in range(5):
            walk(battle, k, 26.5 if k else 25.2, 20 + 1.5 * k)
        pick(battle, "end the move")
    else:
        choose(battle, "cell", cell_nearest(battle, 3, 0, 12))
    assert not moved_at_least(battle, squad.row, 6.0)
    assert battle.players.cp[0] == 0
    for move, foe in (("Advance", (55.0, 40.0)), ("Fall Back", (20.0, 21.5))):
        battle, _ = moving([(20, 20)], 5.0, detail, foe=foe)
        pick(battle, f"Squad: {move}")
        if detail == "full":
            walk(battle, 0, 20, 14.5)
            pick(battle, "end the move")
        else:
            reach = 6 + battle.units.advance[0]
            choose(battle, "cell", cell_nearest(battle, 0, -5.8, reach))
        assert battle.players.cp[0] == 1


@pytest.mark.rule("w9.glossary.moves-x.part")
def test_each_part_of_a_hull_counts() -> None:
    """A hull that turns by 180 degrees about its centre has not moved 1", one that moves 2" on has; of a hull that turns by 90
    degrees and moves, the part that moved least counts; a round base has moved as its centre has."""
    scene = NinthScene()
    hull = scene.unit(0, sheet("Hull", hull_in=(6, 2)), at=(20, 20), models=1, facing=0.0)
    disc = scene.unit(0, sheet("Disc"), at=(40, 20), models=1, facing=0.0)
    scene.unit(1, sheet("Foe"), at=(55, 40), models=1)
    battle = scene.battle()
    m, origin = battle.models, battle.origin

    def displaced(unit: UnitHandle, x: float, y: float, facing: float) -> float:
        k = unit.first
        origin.x[k], origin.y[k], origin.z[k], origin.facing[k] = 20.0, 20.0, 0.0, 0.0
        m.x[k], m.y[k], m.facing[k] = x, y, facing
        return least_displacement(battle, k)

    assert displaced(hull, 20, 20, pi) == 0
    assert not moved_at_least(battle, hull.row, 1.0)
    assert displaced(hull, 22, 20, 0.0) == pytest.approx(2)
    assert displaced(disc, 20, 20, pi) == 0
    assert displaced(disc, 22, 20, pi) == pytest.approx(2)
    # by hand: every part p goes to (12 - py, px) from (px, py), the nearest one is the corner (3, -1) or (3, 1)
    parts = [(px, py) for px in (-3.0, 0.0, 3.0) for py in (-1.0, 0.0, 1.0)]
    least = min(((12 - py - px) ** 2 + (px - py) ** 2) ** 0.5 for px, py in parts)
    assert displaced(hull, 32, 20, pi / 2) == pytest.approx(least, abs=0.05)


def bomber(
    foes: list[Spot], player: int = 0, detail: str = "squad", dice: tuple[int, ...] = (), at: Spot = (30, 22), inches: float = 20
) -> tuple[Battle, UnitHandle, list[UnitHandle]]:  # fmt: skip
    """An AIRCRAFT 4" long and 2" wide whose nose points at the edge, and "after this model has moved 20" or more, one unit it moved over
    suffers D3 mortal wounds"; it has chosen to fly off the edge at x = 60."""
    scene = NinthScene(size=(60, 44))
    keywords = ("VEHICLE", "AIRCRAFT", "FLY")
    jet = sheet("Jet", M=60, hull_in=(4, 2), height=3, W=10, models=(1, 1), keywords=keywords)
    plane = scene.unit(player, jet, at=at, facing=0.0, least_move=20)
    scene.unit(player, sheet("Watch"), at=(3, 3), models=1)
    under = [scene.unit(1 - player, sheet(f"B{n}", W=5), at=spot, models=1) for n, spot in enumerate(foes, 1)]
    row = {"unit": plane.row, "inches": inches, "effect": "mortal", "amount": "D3", "on": MOVED_OVER}
    battle = scene.battle(active=player, detail=detail, dice=dice, rules={"moved": (row,)})
    pick(battle, "Jet", kind="select-to-move")
    pick(battle, "Normal move")
    choose(battle, "angle", 0)
    if kind(battle) == "aircraft-pivot-exactly":
        choose(battle, "angle", 0)
    if kind(battle) == "aircraft-distance":  # else it has to leave
        pick(battle, "leave the battlefield")
    return battle, plane, under


@pytest.mark.rule("w9.rare.edge-abilities")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("die", "lost"), [(6, 3), (3, 2), (1, 1)])
def test_what_a_move_triggers_comes_before_it_leaves(die: int, lost: int, detail: str, player: int) -> None:
    """An AIRCRAFT that leaves over the edge has ended its move there: a D6 of 6 is D3 of 3, and the unit that it moved over suffers as
    many mortal wounds first, then it is in Strategic Reserves."""
    battle, plane, (under, beside) = bomber([(40, 22), (40, 26)], player, detail, (die, 1))
    assert battle.models.wounds[under.first] == 5 - lost
    assert battle.models.wounds[beside.first] == 5
    assert battle.units.place[plane] == RESERVE
    assert dice_left(battle) == 1
    kinds = [event.rule for event in battle.events]
    assert kinds.index("w9.attack.mortal") < kinds.index("w9.aircraft.reserves.leave")
    assert battle.models.x[plane.first] + 2 == pytest.approx(60)  # where it touched the edge


@pytest.mark.rule("w9.rare.edge-abilities")
@pytest.mark.parametrize("player", [0, 1])
def test_one_of_the_units_that_it_moved_over(player: int) -> None:
    """Its player selects one of two that it moved over, the second of them at the edge of its way and in the last inch before the edge of
    the battlefield; units beside its way and behind its start are not offered. The mortal wounds come before it leaves."""
    # bases of 0.5" round; its way is 21 <= y <= 23 wide
    spots = [(40.0, 22.0), (59.3, 23.45), (40.0, 23.51), (27.4, 22.0)]
    battle, plane, foes = bomber(spots, player, dice=(6,))
    assert (kind(battle), battle.decision.player) == ("moved-over", player)  # type: ignore[union-attr]
    assert [foes[n].row for n in (0, 1)] == [battle.players.first_unit[1 - player] + n for n in slots(battle, "enemy")]
    assert battle.units.place[plane] == ON_TABLE
    pick(battle, "B2")
    assert [battle.models.wounds[foe.first] for foe in foes] == [5, 2, 5, 5]
    assert battle.units.place[plane] == RESERVE


@pytest.mark.rule("w9.rare.edge-abilities")
@pytest.mark.parametrize(("at", "inches"), [((48.0, 22.0), 20.0), ((30.0, 22.0), 28.1)])
def test_nothing_follows_where_it_moved_over_nobody_or_not_so_far(at: Spot, inches: float) -> None:
    """Its way to the edge was too short, or nobody stood under it: no die is rolled."""
    battle, plane, (foe,) = bomber([(54, 22)], dice=(6,), at=at, inches=inches)
    assert (battle.models.wounds[foe.first], dice_left(battle)) == (5, 1)
    assert battle.units.place[plane] == RESERVE
    battle, plane, (foe,) = bomber([(50, 26)], dice=(6,))
    assert (battle.models.wounds[foe.first], dice_left(battle)) == (5, 1)
    assert battle.units.place[plane] == RESERVE


@pytest.mark.rule("w9.rare.edge-abilities")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("detail", "keywords", "foe", "hurt"), [
    ("squad", ("INFANTRY", "FLY"), (20.0, 26.0), True), ("full", ("INFANTRY", "FLY"), (20.0, 26.0), True),
    ("squad", ("INFANTRY", "FLY"), (23.0, 26.0), False), ("full", ("INFANTRY", "FLY"), (23.0, 26.0), False),
    ("full", ("INFANTRY",), (20.0, 25.0), False),
])  # fmt: skip
def test_units_with_fly_move_over_others_on_the_battlefield_too(
    detail: str, keywords: tuple[str, ...], foe: Spot, hurt: bool, player: int
) -> None:
    """A model of 12" flies 10" straight on, over an enemy or past one that is 3" beside its way; one on foot, which goes round an enemy that
    stands between start and end, has moved over nobody."""
    scene = NinthScene()
    squad = scene.unit(player, sheet("Squad", M=12, keywords=keywords), at=(20, 20), models=1)
    scene.unit(player, sheet("Watch"), at=(50, 3), models=1)
    under = scene.unit(1 - player, sheet("B1", W=5), at=foe, models=1)
    row = {"unit": squad.row, "inches": 5.0, "effect": "mortal", "amount": "D3", "on": MOVED_OVER}
    battle = scene.battle(active=player, detail=detail, dice=[5], rules={"moved": (row,)})
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move")
    if detail == "full":
        walk(battle, 0, 20, 30)
        if kind(battle) == "select-model":
            pick(battle, "end the move")
    else:
        choose(battle, "cell", cell_nearest(battle, 0, 10, 12))
    assert battle.models.y[squad.first] == pytest.approx(30, abs=0.5)
    assert battle.models.wounds[under.first] == (2 if hurt else 5)


@pytest.mark.rule("w9.rare.edge-abilities")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("way", "foe", "hurt"), [(1, 33.8, False), (-1, 6.2, False), (1, 25.0, True), (-1, 15.0, True)]
)
def test_what_lies_beyond_the_end_of_its_way_it_has_not_moved_over(
    way: int, foe: float, hurt: bool, player: int
) -> None:
    """A hull 2" across flies 10.5" sideways and ends 1.3" before another one, or beyond it."""
    scene = NinthScene(size=(40, 44))
    hull = {"hull_in": (6, 2), "height": 3.0, "models": (1, 1)}
    tank = scene.unit(player, sheet("Tank", M=12, keywords=("VEHICLE", "FLY"), **hull), at=(20, 20), facing=pi / 2)
    scene.unit(player, sheet("Watch"), at=(3, 40), models=1)
    other = scene.unit(1 - player, sheet("B1", W=5, keywords=("VEHICLE",), **hull), at=(foe, 20), facing=pi / 2)
    row = {"unit": tank.row, "inches": 5.0, "effect": "mortal", "amount": "D3", "on": MOVED_OVER}
    battle = scene.battle(active=player, dice=[5], rules={"moved": (row,)})
    pick(battle, "Tank", kind="select-to-move")
    pick(battle, "Normal move")
    choose(battle, "cell", cell_nearest(battle, 10.5 * way, 0, 12))
    assert battle.models.x[tank.first] == pytest.approx(20 + 10.5 * way)
    assert battle.models.wounds[other.first] == (2 if hurt else 5)


@pytest.mark.rule("w9.glossary.moves-x.trigger")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("inches", "harder"), [(10.0, True), (10.1, False)])
def test_who_moved_so_far_is_harder_to_hit(inches: float, harder: bool, detail: str, player: int) -> None:
    """ "If this unit moved 10" or more it has -1 to be hit": every model ends 10.0" from its start, and in the enemy turn a 4 with BS 4+
    misses it; a rule about 10.1" changes nothing. Another unit is hit by a 4, and when the next turn of its player has begun it is, too."""
    scene = NinthScene()
    squad = scene.unit(player, sheet("Squad", M=10, W=9), at=[(20, 20), (20, 21.5)], models=2)
    other = scene.unit(player, sheet("Other", W=9), at=(30, 24), models=1)
    gun = {"gun": ranged(48, A=2, BS=4, S=1)}
    for n, y in enumerate((38.0, 40.0)):
        scene.unit(1 - player, sheet(f"Guns {n}", weapons=gun), at=(50, y), models=1)
    row = {"unit": squad.row, "inches": inches, "effect": "hard-to-hit", "amount": 0}
    quiet = {"cp_each_command_phase": 0, "first_player": player}
    battle = scene.battle(active=player, detail=detail, dice=[4] * 40, rules={"moved": (row,), **quiet})
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move")
    if detail == "full":
        walk(battle, 0, 30, 20)
        walk(battle, 1, 30, 21.5)
        if kind(battle) == "select-model":
            pick(battle, "end the move")
    else:
        choose(battle, "cell", cell_nearest(battle, 10, 0, 10))
    assert all(battle.models.x[squad.model(k)] == pytest.approx(30) for k in range(2))

    def shot(target: UnitHandle, name: str) -> list[int]:
        """Results of the hit rolls of the enemy unit at the target."""
        pick(battle, f"Guns {name}", kind="select-to-shoot")
        text = "Squad" if target is squad else "Other"
        while kind(battle) in ("shoot-target", "weapon-target"):
            pick(battle, text)
        return [event["result"] for event in told(battle, "w9.attack.hit") if event["target"] == target.row]

    while kind(battle) != "select-to-shoot" or battle.clock.turn[0] == player:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert shot(squad, "0") == [0 if harder else 1] * 2
    assert battle.fleeting[squad] == harder
    assert shot(other, "1") == [1, 1]
    while battle.clock.turn[0] != player:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert battle.fleeting[squad] == 0


@pytest.mark.rule("w9.glossary.move-normally")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("move", "inches"), [("Normal move", 8.0), ("Advance", 9.0), ("Fall Back", 6.0)])
def test_moving_normally_means_normal_moves(move: str, inches: float, detail: str, player: int) -> None:
    """ "When this unit moves normally, add 2 to its M", M 6": 8" in a Normal Move, 9" in an Advance with a 3, 6" in a Fall Back;
    another unit moves 6"."""
    scene = NinthScene()
    squad = scene.unit(player, sheet("Squad"), at=(20, 22), models=1)
    scene.unit(player, sheet("Other"), at=(20, 10), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(21.9, 22) if move == "Fall Back" else (55, 40), models=1)
    rules = {"moves_normally": ({"unit": squad.row, "inches": 2.0},)}
    battle = scene.battle(detail=detail, active=player, dice=[3], rules=rules)
    other = battle.clone()
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, f"Squad: {move}")
    if detail == "squad":
        choose(battle, "cell", cell_nearest(battle, -inches, 0, inches))
        assert battle.models.x[squad.first] == pytest.approx(20 - inches)
    else:
        with pytest.raises(LookupError):
            walk(battle.clone(), 0, 20 - inches - 0.3, 22)
        assert walk(battle, 0, 20 - inches, 22)[0] == pytest.approx(20 - inches, abs=0.05)
    if move == "Normal move" and detail == "full":
        pick(other, "Other", kind="select-to-move")
        pick(other, "Other: Normal move")
        with pytest.raises(LookupError):
            walk(other, 0, 26.3, 10)
