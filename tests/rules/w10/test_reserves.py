"""Strategic Reserves: declaring them, their limit, when and where they arrive (w10.reserves.*)."""

import pytest

from wh_env import Battle
from wh_env.core.tables import EMBARKED, ON_TABLE, RESERVE
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.deploy.places import cell_place
from wh_env.testing import Scene, choose, kind, pick, play_until, sheet, slots, told, words

MM = 25.4
STRATEGIC = "Strategic Reserves"
DROP = {"deep_strike": True}


def declaring(limit: int, *points: int, keywords: tuple[str, ...] = ("INFANTRY",)) -> Battle:
    """Player 0 declares formations for units of so many points; a unit that stays is there too."""
    scene = Scene()
    for number, cost in enumerate(points):
        scene.unit(0, sheet(f"U{number}", keywords=keywords), models=1, points=cost)
    scene.unit(1, sheet("Theirs"), models=1, points=9999)
    return scene.battle(
        phase="mission", rules={"formations": "choose", "strategic_reserves_points": limit, "first_player": 0}
    )


@pytest.mark.rule("w10.reserves.declare")
def test_units_placed_into_strategic_reserves_are_not_deployed():
    """500 of 2000 points: units worth 500 together may be placed there; only the third is deployed."""
    battle = declaring(500, 300, 200, 100)
    pick(battle, STRATEGIC, kind="reserves")
    pick(battle, STRATEGIC, kind="reserves")
    assert kind(battle) != "reserves"  # nothing is left of the limit for the third
    play_until(battle, "move-kind")
    assert [battle.units.place[u] for u in range(3)] == [RESERVE, RESERVE, ON_TABLE]
    assert [battle.models.on_table[u] for u in range(3)] == [0, 0, 1]


@pytest.mark.rule("w10.reserves.declare")
def test_placing_units_into_strategic_reserves_is_a_choice():
    """Each unit may as well be deployed."""
    battle = declaring(500, 300, 200)
    assert sorted(words(battle).values()) == [STRATEGIC, "deploy"]
    pick(battle, "deploy")
    pick(battle, "deploy")
    play_until(battle, "move-kind")
    assert [battle.units.place[u] for u in range(2)] == [ON_TABLE, ON_TABLE]


@pytest.mark.rule("w10.reserves.limit")
def test_the_limit_in_points():
    """Strike Force: 500 points are legal, 505 are not; the limit is that of the battle size, whatever was spent."""
    exact = declaring(500, 300, 200)
    pick(exact, STRATEGIC)
    assert STRATEGIC in words(exact).values()
    over = declaring(500, 300, 205)
    pick(over, STRATEGIC)
    assert kind(over) != "reserves"
    alone = declaring(500, 505)
    assert kind(alone) != "reserves"


@pytest.mark.rule("w10.reserves.limit")
@pytest.mark.parametrize(("limit", "legal"), [(250, False), (260, True)])
def test_what_is_embarked_counts_too(limit: int, legal: bool):
    """A TRANSPORT of 80 points with a unit of 180 embarked counts 260: too much for Incursion."""
    scene = Scene()
    abilities = {"transport": {"capacity": 6, "allowed": ["INFANTRY"]}}
    bus = scene.unit(0, sheet("Bus", keywords=("VEHICLE", "TRANSPORT"), abilities=abilities), models=1, points=80)
    inside = scene.unit(0, sheet("Inside"), models=5, points=180)
    scene.unit(1, sheet("Theirs"), models=1, points=9999)
    rules = {"formations": "choose", "strategic_reserves_points": limit}
    battle = scene.battle(phase="mission", rules=rules)
    pick(battle, "Bus", kind="start-embarked")
    assert (kind(battle) == "reserves") == legal
    if legal:
        pick(battle, STRATEGIC)
        assert (battle.units.place[bus], battle.units.place[inside]) == (RESERVE, EMBARKED)
    # the TRANSPORT alone is well within either limit
    battle = scene.battle(phase="mission", rules=rules)
    pick(battle, "done", kind="start-embarked")
    assert battle.decision is not None
    assert (kind(battle), battle.decision.subject) == ("reserves", bus.row)


@pytest.mark.rule("w10.reserves.limit")
@pytest.mark.parametrize(("size", "points"), [("Incursion", 250), ("Strike Force", 500), ("Onslaught", 750)])
def test_a_quarter_of_the_points_of_the_battle_size(size: str, points: int):
    """250, 500 and 750, though each army has only 1000 points."""
    battle = Battle.load("w10/only-war-incursion", overrides={"size": size, "scale": True})
    assert battle.setup.rules["strategic_reserves_points"] == points


@pytest.mark.rule("w10.reserves.fortifications")
def test_no_fortifications():
    """A FORTIFICATION of 100 points is not offered Strategic Reserves; another unit of as many points is."""
    assert kind(declaring(500, 100, keywords=("FORTIFICATION",))) != "reserves"
    assert STRATEGIC in words(declaring(500, 100)).values()


# ---------------------------------------------------------------- arriving


def waiting(battle_round: int, enemy: tuple[float, float] = (3, 41), base_mm: float = MM, **unit: object) -> Battle:
    """One model of player 0 in Reserves; a unit that watches, and an enemy."""
    scene = Scene()
    how = str(unit.pop("how", "strategic"))
    scene.unit(0, sheet("Late", base_mm=base_mm, **unit), models=1, reserves=how)  # type: ignore[arg-type]
    scene.unit(0, sheet("Watch"), at=(3, 3), models=1)
    scene.unit(1, sheet("Enemy"), at=enemy, models=1)
    battle = scene.battle(round=battle_round)
    pick(battle, "Remain Stationary")
    return battle


@pytest.mark.rule("w10.reserves.arrive")
def test_from_round_two_on_until_it_has_arrived():
    """Not offered in round 1, offered in each of the rounds 2 to 5; once arrived never again."""
    declined, offers = waiting(1), []
    while declined.decision is not None:
        if kind(declined) == "select-reserves":
            offers.append(declined.clock.round[0])
            assert sorted(words(declined).values()) == ["Late", "done"]
        declined.apply(declined.first_legal())
    assert offers == [2, 3, 4, 5]
    taken, offers = waiting(1), []
    while taken.decision is not None:
        if kind(taken) == "select-reserves":
            offers.append(taken.clock.round[0])
            if taken.clock.round[0] == 3:
                pick(taken, "Late")
        taken.apply(taken.first_legal())
    assert offers == [2, 3]
    assert taken.units.place[0] == ON_TABLE


@pytest.mark.rule("w10.reserves.kinds")
def test_two_kinds_of_reserves():
    """Round 1: only the unit in Reserves by Deep Strike may arrive; at the end both count as destroyed if they have not."""
    scene = Scene()
    drop = scene.unit(0, sheet("Drop", abilities=DROP), models=1, reserves="deep-strike")
    kept = scene.unit(0, sheet("Kept", abilities=DROP), models=1, reserves="strategic")
    scene.unit(0, sheet("Watch"), at=(3, 3), models=1)
    scene.unit(1, sheet("Enemy"), at=(3, 41), models=1)
    battle = scene.battle()
    pick(battle, "Remain Stationary")
    assert (kind(battle), sorted(words(battle).values())) == ("select-reserves", ["Drop", "done"])
    assert [battle.units.place[u] for u in (drop, kept)] == [RESERVE, RESERVE]
    choose(battle, "done")
    play_until(battle, "select-reserves")
    assert battle.clock.round[0] == 2
    assert sorted(words(battle).values()) == ["Drop", "Kept", "done"]
    play_until(battle)
    assert [e["unit"] for e in told(battle, "w10.move.reinforcements.never-arrived")] == [drop.row, kept.row]


@pytest.mark.rule("w10.reserves.kinds")
def test_both_kinds_are_reserves_for_rapid_ingress():
    """At the end of the opponent's Movement phase either of them may be chosen."""
    scene = Scene()
    scene.unit(0, sheet("Drop", abilities=DROP), models=1, reserves="deep-strike")
    scene.unit(0, sheet("Kept"), models=1, reserves="strategic")
    scene.unit(0, sheet("Watch"), at=(3, 3), models=1)
    scene.unit(1, sheet("Enemy"), at=(3, 41), models=1)
    battle = scene.battle(round=2, active=1, cp=(1, 0))
    play_until(battle, "rapid-ingress")
    offered = words(battle).values()
    assert [any(name in word for word in offered) for name in ("Drop", "Kept", "Watch")] == [True, True, False]


@pytest.mark.rule("w10.reserves.deep-strike-choice")
def test_a_unit_with_deep_strike_may_use_either_kind():
    """Deploy, Reserves by Deep Strike or Strategic Reserves; what was declared decides how it arrives."""
    scene = Scene()
    unit = scene.unit(0, sheet("Drop", abilities=DROP), models=1, points=100)
    scene.unit(0, sheet("Watch"), models=1, points=9999)
    scene.unit(1, sheet("Theirs"), models=1, points=9999)
    rules = {"formations": "choose", "strategic_reserves_points": 250, "first_player": 0}
    offered = {}
    for choice in ("Deep Strike", STRATEGIC):
        battle = scene.battle(phase="mission", rules=rules)
        assert sorted(words(battle).values()) == ["Reserves (Deep Strike)", STRATEGIC, "deploy"]
        pick(battle, choice, kind="reserves")
        while (kind(battle), battle.clock.round[0]) != ("select-reserves", 2):
            battle.apply(battle.first_legal())
        pick(battle, "Drop")
        offered[choice] = [cell_place(battle, unit.row, cell) for cell in slots(battle, "cell")]
    edge = {how: max(min(x, 60 - x, y, 44 - y) + 0.5 for x, y in spots) for how, spots in offered.items()}
    assert edge[STRATEGIC] <= 6.0001
    assert edge["Deep Strike"] > 15


@pytest.mark.rule("w10.reserves.deep-strike-choice")
def test_the_points_of_a_unit_with_deep_strike_count_in_strategic_reserves():
    """100 points of a limit of 99: only Deep Strike is left."""
    scene = Scene()
    scene.unit(0, sheet("Drop", abilities=DROP), models=1, points=100)
    scene.unit(1, sheet("Theirs"), models=1, points=9999)
    battle = scene.battle(phase="mission", rules={"formations": "choose", "strategic_reserves_points": 99})
    assert sorted(words(battle).values()) == ["Reserves (Deep Strike)", "deploy"]


# ---------------------------------------------------------------- where


@pytest.mark.rule("w10.reserves.place.round-2")
@pytest.mark.parametrize(("reach", "legal"), [(6.0, True), (6.1, False)])
def test_round_two_wholly_within_six_inches_of_any_edge(reach: float, legal: bool):
    """A base whose farthest point is 6.0" from the edge is legal, 6.1" not: along each edge that is not the enemy's."""
    for cell, inches in ((1 * 17 + 8, 1.5 * 44 / 17), (8 * 17 + 1, 1.5 * 60 / 17), (8 * 17 + 15, 1.5 * 60 / 17)):
        battle = waiting(2, enemy=(30, 22), hull_in=(2 * (reach - inches), 2 * (reach - inches)), keywords=("VEHICLE",))
        pick(battle, "Late", kind="select-reserves")
        if kind(battle) == "arrive-by":  # no cell of the grid over the table is left, only the strips along the edges
            assert not legal
            continue
        x, y = cell_place(battle, 0, cell)
        assert min(x, 60 - x, y, 44 - y) == pytest.approx(inches)
        assert (cell in slots(battle, "cell")) == legal


@pytest.mark.rule("w10.reserves.place.round-2", "w10.reserves.place.round-3")
@pytest.mark.parametrize(("battle_round", "legal"), [(2, False), (3, True), (4, True)])
def test_the_enemy_zone_is_closed_in_round_two_and_open_from_round_three(battle_round: int, legal: bool):
    """Along the enemy's own edge, inside the enemy zone (beyond y = 34) and more than 9" from enemy models."""
    battle = waiting(battle_round, enemy=(30, 22))
    pick(battle, "Late", kind="select-reserves")
    inside = [cell for cell in slots(battle, "cell") if cell_place(battle, 0, cell)[1] + 0.5 > 34]
    assert bool(inside) == legal
    assert ((15 * 17 + 8) in inside) == legal  # 40.1 by 30.0, in the middle of that edge
    if legal:
        assert all(
            44 - cell_place(battle, 0, c)[1] + 0.5 <= 6.0001 or abs(cell_place(battle, 0, c)[0] - 30) > 24
            for c in inside
        )


@pytest.mark.rule("w10.reserves.place.round-2")
@pytest.mark.parametrize(("over", "legal"), [(-0.01, True), (0.05, False)])
def test_round_two_no_part_of_a_base_in_the_enemy_zone(over: float, legal: bool):
    """By the left edge, a base that ends just before the enemy zone (y = 34) or reaches a little into it."""
    y = 12.5 * 44 / 17
    battle = waiting(2, enemy=(50, 5), base_mm=2 * (34 + over - y) * MM)
    pick(battle, "Late", kind="select-reserves")
    cell = 12 * 17
    assert cell_place(battle, 0, cell)[1] == pytest.approx(y)
    assert (cell in slots(battle, "cell")) == legal


@pytest.mark.rule("w10.reserves.place.nine-inches")
@pytest.mark.parametrize("battle_round", [2, 3])
@pytest.mark.parametrize(("gap", "legal"), [(9.0, False), (9.1, True)])
def test_more_than_nine_inches_from_enemy_models(battle_round: int, gap: float, legal: bool):
    """Horizontally; having arrived the unit counts as having made a Normal move and cannot move."""
    x, y = 8.5 * 60 / 17, 1.5 * 44 / 17
    battle = waiting(battle_round, enemy=(x, y + 1 + gap))
    pick(battle, "Late", kind="select-reserves")
    cell = 1 * 17 + 8
    assert (cell in slots(battle, "cell")) == legal
    if legal:
        choose(battle, "cell", cell)
        assert kind(battle) == "select-to-charge"  # nothing but a charge is left to it this turn
        assert (battle.units.moved[0], battle.units.arrived[0]) == (Moved.NORMAL, 1)
        assert told(battle, "w10.move.reinforcements.counts-as-normal") == [{"unit": 0}]
    assert 0 not in [e["unit"] for e in told(battle, "w10.move.select-unit")]


@pytest.mark.rule("w10.reserves.arrive")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_large_model_arrives_within_the_strip_along_an_edge(detail: str):
    """A hull of 5.8" by 5" finds a place wholly within 6" of an edge, one of 6.1" by 6.1" does not."""
    for size, arrives in (((5.8, 5.0), True), ((6.1, 6.1), False)):
        scene = Scene()
        late = scene.unit(0, sheet("Late", hull_in=size, keywords=("VEHICLE",)), models=1, reserves="strategic")
        scene.unit(1, sheet("Enemy"), at=(30, 22), models=1)
        battle = scene.battle(round=2, detail=detail)
        assert (kind(battle) == "select-reserves") == arrives
        if arrives:
            pick(battle, "Late")
            assert len(words(battle)) == 6  # not by the enemy's edge; facing inwards or along each of the others
            pick(battle, "left edge, facing along it", kind="arrive-by")
            while battle.units.place[late] != ON_TABLE:
                battle.apply(battle.first_legal())
            assert battle.models.x[late.first] + battle.models.half_b[late.first] <= 6.0001
