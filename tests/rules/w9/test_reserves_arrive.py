"""Reinforcements: when and where they arrive, at what distance from enemies, what they may do then (w9.reserves.*)."""

from __future__ import annotations

from math import cos, hypot, pi, sin

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.deploy.places import cell_place
from wh_env.testing import UnitHandle, choose, kind, melee, pick, play_until, ranged, sheet, slots, told, words

MM = 25.4
DROP = {"deep_strike": True}
AWAY, OWN_EDGE = "away from enemies", "by its own edge"
Spot = tuple[float, float]


def waiting(
    battle_round: int, enemy: Spot | tuple[float, float, float] = (30, 22), player: int = 0, detail: str = "squad", how: str = "strategic",
    models: int = 1, floor: float = 0.0, **unit: object,
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """A unit of the player in Reserves, another one, and an enemy; the Reinforcements step of the player."""
    scene = NinthScene()
    if floor:
        x, y = enemy[0], enemy[1]
        scene.floor(x - 2, y - 2, x + 2, y + 2, floor)
    late = scene.unit(player, sheet("Late", **unit), models=models, reserves=how)  # type: ignore[arg-type]
    scene.unit(player, sheet("Watch"), at=(3, 22), models=1)
    scene.unit(1 - player, sheet("Enemy", weapons={"blade": melee()}), at=[enemy], models=1)
    battle = scene.battle(round=battle_round, active=player, detail=detail)
    pick(battle, "Remain Stationary")
    return battle, late


def arriving(battle: Battle, by: str = AWAY) -> None:
    """It is selected, and arrives in this way where there is a choice."""
    pick(battle, "Late", kind="select-reserves")
    if kind(battle) == "arrive-by":
        pick(battle, by)


def edge_y(player: int, inches: float) -> float:
    """So far from the player's own edge."""
    return inches if player == 0 else 44.0 - inches


# ---------------------------------------------------------------- when


@pytest.mark.rule("w9.reserves.reinforcements")
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_with_a_rule_of_its_own_arrives_or_is_held_back(player: int) -> None:
    """Teleport Strike: in the Reinforcements step it may be set up anywhere more than 9" from enemies, or held back."""
    battle, late = waiting(2, player=player, how="deep-strike", abilities=DROP)
    assert kind(battle) == "select-reserves"
    assert sorted(words(battle).values()) == ["Late", "done"]
    held = battle.clone()
    choose(held, "done")
    while kind(held) != "select-reserves":
        held.apply(0 if held.legal()[0] else held.first_legal())
    assert held.clock.round[0] == 3
    arriving(battle)
    places = [cell_place(battle, late.row, cell) for cell in slots(battle, "cell")]
    assert all(hypot(x - 30, y - 22) - 1 > 9 for x, y in places)
    assert any(min(x, 60 - x, y, 44 - y) > 10 for x, y in places)
    battle.apply(battle.first_legal())
    assert battle.units.place[late] == ON_TABLE


@pytest.mark.rule("w9.reserves.reinforcements.lost")
@pytest.mark.parametrize("player", [0, 1])
def test_what_never_arrives_counts_as_destroyed(player: int) -> None:
    """Declined in every round: at the end of the battle it counts as destroyed."""
    battle, late = waiting(2, player=player)
    while battle.decision is not None:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert battle.units.place[late] == DESTROYED
    assert battle.units.alive[late] == 0
    assert [e["unit"] for e in told(battle, "w9.reserves.reinforcements.lost")] == [late.row]


@pytest.mark.rule("w9.reserves.strategic.arrive")
@pytest.mark.parametrize("player", [0, 1])
def test_from_the_second_battle_round_on(player: int) -> None:
    """Never offered in round 1, in each of the rounds 2 to 5 until it has arrived."""
    battle, late = waiting(1, player=player)
    offers = []
    while battle.decision is not None:
        if kind(battle) == "select-reserves":
            assert battle.decision.player == player
            offers.append(battle.clock.round[0])
            if battle.clock.round[0] == 4:
                arriving(battle)
                continue
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert offers == [2, 3, 4]
    assert battle.units.place[late] == ON_TABLE


@pytest.mark.rule("w9.reserves.strategic.arrive")
def test_others_may_arrive_in_the_first_round() -> None:
    """In round 1 a unit with its own rule is offered, one in Strategic Reserves is not."""
    scene = NinthScene()
    scene.unit(0, sheet("Drop", abilities=DROP), models=1, reserves="deep-strike")
    scene.unit(0, sheet("Kept", abilities=DROP), models=1, reserves="strategic")
    scene.unit(0, sheet("Watch"), at=(3, 22), models=1)
    scene.unit(1, sheet("Enemy"), at=(30, 22), models=1)
    battle = scene.battle()
    pick(battle, "Remain Stationary")
    assert sorted(words(battle).values()) == ["Drop", "done"]


# ---------------------------------------------------------------- where


@pytest.mark.rule("w9.reserves.strategic.round-two", "w9.reserves.strategic.round-three")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("battle_round", [2, 3, 5])
def test_wholly_within_six_inches_of_an_edge_but_the_enemys(battle_round: int, player: int) -> None:
    """Every place that is offered: wholly within 6" of the own edge or a side edge, more than 9" from the enemy; in the enemy
    zone from round 3 on, and then only along the sides, never by the enemy's own edge alone."""
    battle, late = waiting(battle_round, player=player)
    arriving(battle)
    grown = set()
    for cell in slots(battle, "cell"):
        x, y = cell_place(battle, late.row, cell)
        own, theirs = (y, 44 - y) if player == 0 else (44 - y, y)
        assert min(own, x, 60 - x) + 0.5 <= 6.0001
        assert hypot(x - 30, y - 22) - 1 > 9
        if theirs - 0.5 < 10:
            assert battle_round > 2
            assert min(x, 60 - x) + 0.5 <= 6.0001
            grown.add(theirs + 0.5 <= 6.0)
    assert grown == (set() if battle_round == 2 else {True, False})


@pytest.mark.rule("w9.reserves.strategic.round-two", "w9.reserves.strategic.round-three")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("battle_round", [2, 3])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("reach", "gap", "legal"), [(6.0, 9.1, True), (6.1, 9.1, False), (6.0, 8.9, False)])
def test_six_and_nine_inches(
    reach: float, gap: float, legal: bool, detail: str, battle_round: int, player: int
) -> None:
    """By a side edge: a base that reaches 6.0" from it and stands 9.1" from the enemy is accepted, 6.1" or 8.9" is refused."""
    cell, grid = 8 * 17 + 1, 17
    x, y = 1.5 * 60 / grid, 22.0
    size = 2 * (reach - x)
    hull = {"hull_in": (size, size), "keywords": ("VEHICLE",), "height": 2}
    battle, late = waiting(battle_round, (x, y + size / 2 + gap + 0.5), player, detail, **hull)
    if kind(battle) != "select-reserves":
        assert not legal
        return
    pick(battle, "Late", kind="select-reserves")
    if kind(battle) == "arrive-by":
        if AWAY not in words(battle).values():  # only the strips along the edges are left
            assert not legal
            return
        pick(battle, AWAY)
    if detail == "full":
        choose(battle, "angle", 0)
    assert cell_place(battle, late.row, cell) == pytest.approx((x, y))
    assert (cell in slots(battle, "cell")) == legal


@pytest.mark.rule("w9.reserves.strategic.round-two")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("over", "legal"), [(-0.01, True), (0.05, False)])
def test_no_part_of_a_base_in_the_enemy_zone_in_round_two(over: float, legal: bool, player: int) -> None:
    """By a side edge, a base that ends just before the enemy zone or reaches a little into it."""
    row = 12 if player == 0 else 4
    y = (row + 0.5) * 44 / 17
    away = 34 - y if player == 0 else y - 10
    battle, late = waiting(2, (50, 22), player, base_mm=2 * (away + over) * MM)
    arriving(battle)
    assert cell_place(battle, late.row, row * 17)[1] == pytest.approx(y)
    assert (row * 17 in slots(battle, "cell")) == legal


@pytest.mark.rule("w9.reserves.horizontal-distance")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("how", ["strategic", "deep-strike"])
@pytest.mark.parametrize(("gap", "legal"), [(8.0, False), (9.0, False), (9.1, True)])
def test_the_distance_is_horizontal(gap: float, legal: bool, how: str, player: int) -> None:
    """An enemy on a floor 6" up: a place 8" away on the plan, 10" in a straight line, is refused; 9.1" on the plan is not."""
    x, y = 1.5 * 60 / 17, 22.0
    battle, late = waiting(2, (x + 1 + gap, y, 6.0), player, how=how, floor=6.0, abilities=DROP)
    arriving(battle)
    cell = 8 * 17 + 1
    assert cell_place(battle, late.row, cell) == pytest.approx((x, y))
    assert (cell in slots(battle, "cell")) == legal


# ---------------------------------------------------------------- the own edge


@pytest.mark.rule("w9.reserves.strategic.own-edge")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_by_the_own_edge_at_any_distance_from_enemies(detail: str, player: int) -> None:
    """An enemy 4" from the own edge: with all bases within 1" of that edge and wholly in the own zone places 2.5" from it, and
    within Engagement Range, are accepted; 1.5" from the edge none is."""
    battle, late = waiting(2, (30, edge_y(player, 4.5)), player, detail)
    by_rule = battle.clone()
    arriving(by_rule, AWAY)
    assert all(
        hypot(x - 30, y - edge_y(player, 4.5)) - 1 > 9
        for x, y in (cell_place(by_rule, late.row, cell) for cell in slots(by_rule, "cell"))
    )
    arriving(battle, OWN_EDGE)
    gaps, rims = [], []
    for cell in slots(battle, "cell"):
        near = battle.clone()
        choose(near, "cell", cell)
        for fine in slots(near, "cell") if kind(near) == "place-exactly" else [None]:
            last = near.clone()
            if fine is not None:
                choose(last, "cell", fine)
            x, y = last.models.x[late.first], last.models.y[late.first]
            gaps.append(hypot(x - 30, y - edge_y(player, 4.5)) - 1)
            rims.append((y if player == 0 else 44 - y) - 0.5)
    assert max(rims) <= 1.0001
    assert min(rims) >= -1e-6
    assert max(rims) > 0.3
    assert any(2.0 < gap < 3.0 for gap in gaps)
    assert min(gaps) >= 0 - 1e-6
    assert battle.clock.round[0] == 2


@pytest.mark.rule("w9.reserves.strategic.own-edge")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_all_models_of_the_unit(detail: str, player: int) -> None:
    """Five models arrive by the own edge: each of them ends within 1" of it."""
    battle, late = waiting(2, (30, edge_y(player, 4.5)), player, models=5, detail=detail)
    arriving(battle, OWN_EDGE)
    while battle.units.place[late] != ON_TABLE:
        assert battle.decision is not None
        battle.apply(battle.decision.options[len(battle.decision.options) // 2])
    rims = [abs(battle.models.y[late.model(k)] - edge_y(player, 0)) - 0.5 for k in range(5)]
    assert max(rims) <= 1.0001 and min(rims) >= -1e-6


@pytest.mark.rule("w9.reserves.strategic.own-edge")
@pytest.mark.parametrize("models", [1, 3])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_wholly_within_the_own_zone(detail: str, player: int, models: int) -> None:
    """A zone that has the left half of the own edge: no base that arrives so near to enemies has a part beyond it; along the other half the 9" hold."""
    scene = NinthScene()
    near, deep = edge_y(player, 0), edge_y(player, 10)
    zones = list(scene.zones)
    zones[player] = ((0, near), (30, near), (30, deep), (0, deep))[:: 1 if player == 0 else -1]
    scene.zones = tuple(zones)
    late = scene.unit(player, sheet("Late"), models=models, reserves="strategic")
    scene.unit(player, sheet("Watch"), at=(3, 22), models=1)
    for x in (25, 35):
        scene.unit(1 - player, sheet("Enemy"), at=(x, edge_y(player, 4.5)), models=1)
    battle = scene.battle(round=2, active=player, detail=detail)
    pick(battle, "Remain Stationary")
    arriving(battle, OWN_EDGE)
    ends = set()
    todo = [battle]
    while todo:
        at = todo.pop()
        if at.units.place[late] == ON_TABLE:
            xs = [at.models.x[late.model(k)] for k in range(models)]
            rims = [abs(at.models.y[late.model(k)] - near) - 0.5 for k in range(models)]
            assert max(xs) + 0.5 <= 30.0001 and max(rims) <= 1.0001
            ends.add(round(max(xs), 3))
            continue
        assert at.decision is not None
        options = at.decision.options
        last = max(options, key=lambda action: cell_x(at, late, action))
        for action in {options[0], options[len(options) // 2], last}:
            copy = at.clone()
            copy.apply(action)
            todo.append(copy)
    assert max(ends) > 27  # up to the end of the zone


def cell_x(battle: Battle, unit: UnitHandle, action: int) -> float:
    """Where the cell of an action lies along the table; 0: the action is no cell."""
    cell = action - battle.setup.space.cell
    return cell_place(battle, unit.row, cell)[0] if 0 <= cell < battle.setup.space.grid**2 else 0.0


@pytest.mark.rule("w9.reserves.strategic.own-edge")
def test_not_for_units_with_another_rule_and_not_in_round_one() -> None:
    """A unit that arrives by a rule of its own has no such choice."""
    battle, _ = waiting(2, (30, 4.5), how="deep-strike", abilities=DROP)
    pick(battle, "Late", kind="select-reserves")
    assert kind(battle) == "arrive-at"


@pytest.mark.rule("w9.reserves.strategic.own-edge.charged")
@pytest.mark.parametrize("player", [0, 1])
def test_arriving_within_engagement_range_is_a_charge(player: int) -> None:
    """0.8" from an enemy: no charge is declared and nobody fires; the unit fights first and may target that enemy."""
    scene = NinthScene()
    arms = {"blade": melee(A=2, WS=2, S=8)}
    late = scene.unit(player, sheet("Late", weapons=arms), models=1, reserves="strategic")
    scene.unit(player, sheet("Watch", weapons=arms), at=(3, 22), models=1)
    grid_x = 8.5 * 60 / 17
    enemy = scene.unit(
        1 - player, sheet("Enemy", W=9, weapons=arms), at=(grid_x, edge_y(player, 0.9 + 0.5 + 1.8)), models=1
    )
    battle = scene.battle(round=2, active=player, cp=(3, 3))
    pick(battle, "Remain Stationary")
    arriving(battle, OWN_EDGE)
    cells = [c for c in slots(battle, "cell") if abs(cell_place(battle, late.row, c)[0] - grid_x) < 0.01]
    choose(battle, "cell", max(cells, key=lambda c: abs(cell_place(battle, late.row, c)[1] - edge_y(player, 0))))
    assert 0 < battle.distance(late.row, enemy.row) <= 1
    assert battle.units.charged[late] == 1
    assert told(battle, "w9.reserves.strategic.own-edge.charged") == [{"unit": late.row}]
    while battle.decision is not None and kind(battle) not in ("pile-in", "select-to-fight", "fight-target"):
        assert kind(battle) not in ("select-to-charge", "fire-overwatch")
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    while battle.decision is not None and battle.clock.turn[0] == player:
        battle.apply(battle.first_legal())
    fought = [e["attacker"] for e in told(battle, "w9.attack.hit")]
    assert late.first in fought
    assert fought[0] == late.first
    assert {e["target"] for e in told(battle, "w9.attack.hit") if e["attacker"] == late.first} == {enemy.row}


@pytest.mark.rule("w9.reserves.strategic.large")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_model_too_large_for_the_strip_touches_the_edge(detail: str, player: int) -> None:
    """A hull of 8" by 7" arrives touching the edge, more than 9" from the enemy; by the enemy's edge it does not arrive."""
    hull = {"hull_in": (8, 7), "keywords": ("VEHICLE",), "height": 3}
    battle, late = waiting(2, (30, 22), player, detail, **hull)
    pick(battle, "Late", kind="select-reserves")
    assert kind(battle) == "arrive-by"
    ways = [w for w in words(battle).values() if "edge, facing" in w]
    assert {w.split()[2] for w in ways} == {"left", "right", "near" if player == 0 else "far"}
    for way in ways:
        by = battle.clone()
        pick(by, way)
        for _ in range(40):
            if by.units.place[late] == ON_TABLE:
                break
            assert by.decision is not None
            by.apply(by.decision.options[len(by.decision.options) // 2])
        m, k = by.models, late.first
        turned = abs(abs(m.facing[k]) % pi - pi / 2) < 0.1
        dx, dy = (3.5, 4.0) if turned else (4.0, 3.5)
        rims = (m.y[k] - dy, 44 - m.y[k] - dy, m.x[k] - dx, 60 - m.x[k] - dx)
        assert min(rims) == pytest.approx(0.0, abs=2e-3)
        assert by.distance(late.row, battle.setup.names["units"].index("Enemy")) > 9


@pytest.mark.rule("w9.reserves.strategic.large")
@pytest.mark.parametrize("player", [0, 1])
def test_it_may_face_as_its_player_likes(player: int) -> None:
    """At ``full`` detail every facing is offered, and however it faces its hull of 8" by 7" touches the edge with a part of it and no more
    of the battlefield than that."""
    hull = {"hull_in": (8, 7), "keywords": ("VEHICLE",), "height": 3}
    battle, late = waiting(2, (30, 22), player, "full", **hull)
    pick(battle, "Late", kind="select-reserves")
    pick(battle, next(w for w in words(battle).values() if "left edge, facing inwards" in w))
    assert kind(battle) == "place-facing"
    angles = slots(battle, "angle")
    assert len(angles) == battle.setup.space.angles
    for angle in angles:
        turned = battle.clone()
        choose(turned, "angle", angle)
        while kind(turned) in ("place-model", "place-exactly"):
            assert turned.decision is not None
            turned.apply(turned.decision.options[len(turned.decision.options) // 2])
        m, k = turned.models, late.first
        facing = 2 * pi * angle / battle.setup.space.angles
        assert abs(cos(m.facing[k] - facing)) == pytest.approx(1.0, abs=1e-6)
        assert m.x[k] == pytest.approx(4.0 * abs(cos(facing)) + 3.5 * abs(sin(facing)), abs=2e-3)


@pytest.mark.rule("w9.reserves.reinforcements.no-move")
@pytest.mark.parametrize("player", [0, 1])
def test_what_arrives_does_not_move_any_more(player: int) -> None:
    """It counts as having moved and is not selected to move in this turn; it may charge."""
    battle, late = waiting(2, (30, edge_y(player, 16)), player)
    arriving(battle)
    gap = {
        cell: hypot(
            cell_place(battle, late.row, cell)[0] - 30, cell_place(battle, late.row, cell)[1] - edge_y(player, 16)
        )
        for cell in slots(battle, "cell")
    }
    choose(battle, "cell", min(gap, key=lambda cell: gap[cell]))
    assert (battle.units.moved[late], battle.units.arrived[late]) == (Moved.NORMAL, 1)
    play_until(battle, "select-to-charge")
    assert late.row - battle.players.first_unit[player] in slots(battle, "own")
    assert late.row not in [e["unit"] for e in told(battle, "w9.move.select")]


@pytest.mark.rule("w9.reserves.reinforcements.no-move")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("keywords", "lost"), [(("INFANTRY",), 1), (("VEHICLE",), 2)])
def test_it_counts_as_having_moved_when_it_shoots_heavy_weapons(
    player: int, keywords: tuple[str, ...], lost: int
) -> None:
    """BS 3+ and a roll of 3 and of 4: INFANTRY that has arrived hits once, a VEHICLE twice."""
    gun = {"gun": ranged(48, A=2, BS=3, S=8, AP=-6, abilities=["Heavy"])}
    scene = NinthScene()
    late = scene.unit(player, sheet("Late", weapons=gun, keywords=keywords), models=1, reserves="strategic")
    scene.unit(player, sheet("Watch"), at=(3, 22), models=1)
    enemy = scene.unit(1 - player, sheet("Enemy", W=9, T=4), at=(30, 22), models=1)
    battle = scene.battle(round=2, active=player, dice=[3, 4, 6, 6])
    pick(battle, "Remain Stationary")
    arriving(battle)
    battle.apply(battle.first_legal())
    assert battle.units.place[late] == ON_TABLE
    pick(battle, "Late", kind="select-to-shoot")
    assert battle.models.wounds[enemy.first] == 9 - lost
