"""Reserves units: where they are, when and where they arrive, what they may do then, what becomes of those that never do."""

from __future__ import annotations

from math import hypot

import pytest

from wh_env import Battle
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.deploy.places import cell_place
from wh_env.testing import Scene, choose, dice_left, pick, play_until, ranged, sheet, slots, told

DROP = {"abilities": {"deep_strike": True}}
BOX = {"base_mm": 50.8, "height": 3, "keywords": ["VEHICLE", "TRANSPORT"]}


def selected(battle: Battle, kind: str) -> list[int]:
    """The own units that can be selected in the decision of this kind, which must wait."""
    assert battle.decision is not None
    assert battle.decision.kind == kind
    return slots(battle, "own")


@pytest.mark.rule("w10.move.reinforcements.reserves-units")
def test_a_reserves_unit_is_not_on_the_battlefield() -> None:
    """Five models in Reserves: none is deployed; the unit is chosen neither to move nor to shoot nor as a target."""
    guns = {"gun": ranged(60, A=1, BS=4)}
    scene = Scene()
    drop = scene.unit(0, sheet("Drop", weapons=guns, **DROP), models=5, reserves="deep-strike")  # type: ignore[arg-type]
    for name in ("Squad", "Others"):
        scene.unit(0, sheet(name, weapons=guns), models=1, place="deploy")
    for name in ("Foes", "Fiends"):
        scene.unit(1, sheet(name, weapons=guns), models=1, place="deploy")
    battle = scene.battle("mission")
    play_until(battle, "select-to-move")
    assert battle.clock.round[0] == 1
    assert sum(battle.models.on_table[drop.model(k)] for k in range(5)) == 0
    asked: dict[str, set[tuple[int, int]]] = {}
    while battle.clock.round[0] == 1 and battle.decision is not None:
        player, kind = battle.decision.player, battle.decision.kind
        own, enemy = slots(battle, "own"), slots(battle, "enemy")
        asked.setdefault(kind, set()).update({(player, k) for k in own} | {(1 - player, k) for k in enemy})
        choose(battle, "own", own[0]) if kind == "select-to-shoot" else battle.apply(battle.first_legal())
    assert (0, 0) in asked["select-reserves"]  # it is the unit in row 0, asked for in the Reinforcements step only
    for kind in ("select-to-move", "select-to-shoot", "shoot-target"):
        assert (0, 0) not in asked[kind]
        assert asked[kind] >= {(0, 1), (0, 2)}


def reserves(round: int = 2, detail: str = "squad", **units: str) -> Battle:
    """Units of player 0 in Reserves by name and kind; one unit on each side of the table."""
    scene = Scene()
    for name, kind in units.items():
        scene.unit(0, sheet(name, **DROP), models=1, reserves=kind.replace("_", "-"))  # type: ignore[arg-type]
    scene.unit(0, sheet("Watch"), at=(3, 3), models=1)
    scene.unit(1, sheet("Foes"), at=(55, 40), models=1)
    battle = scene.battle(round=round, detail=detail)
    pick(battle, "Watch: Remain Stationary")
    return battle


@pytest.mark.rule("w10.move.reinforcements.arrive")
@pytest.mark.parametrize("order", [[], ["R1"], ["R2"], ["R1", "R2"], ["R2", "R1"]])
def test_any_of_the_reserves_arrive_in_any_order_or_none(order: list[str]) -> None:
    """None, R1, R2, or both in either order; each is set up before the next is chosen; then the phase is over."""
    battle = reserves(R1="deep_strike", R2="deep_strike")
    rows = {"R1": 0, "R2": 1}
    waiting = [0, 1]
    for name in order:
        assert selected(battle, "select-reserves") == waiting
        pick(battle, name)
        assert battle.decision is not None
        assert battle.decision.kind == "arrive-at"
        assert battle.decision.subject == rows[name]  # nothing else comes before its place
        battle.apply(battle.first_legal())
        waiting.remove(rows[name])
        assert battle.models.on_table[rows[name]] == 1
    if waiting:
        assert selected(battle, "select-reserves") == waiting
        choose(battle, "done")
    arrived = [event["unit"] for event in told(battle, "w10.move.reinforcements.counts-as-normal")]
    assert arrived == [rows[name] for name in order]
    assert [battle.models.on_table[row] for row in (0, 1)] == [row not in waiting for row in (0, 1)]
    phases = [event.data["phase"] for event in battle.events if event.rule == "w10.round.phases"]
    assert phases[:2] == ["Movement", "Shooting"]


@pytest.mark.rule("w10.move.reinforcements.how")
def test_each_kind_of_reserves_is_set_up_its_own_way() -> None:
    """Round 3: by Deep Strike anywhere more than 9" from enemies; from Strategic Reserves also within 6" of an edge."""
    battle = reserves(round=3, R1="deep_strike", R2="strategic")
    grid = battle.setup.space.grid
    for number, name in enumerate(("R1", "R2")):
        after = battle.clone()
        pick(after, name)
        offered = set(slots(after, "cell"))
        for cell in range(grid * grid):
            x, y = cell_place(after, number, cell)
            edge = min(x, y, 60 - x, 44 - y)
            legal = edge >= 0.5 and hypot(x - 55, y - 40) - 1 > 9 and hypot(x - 3, y - 3) >= 1
            if name == "R2":
                legal = legal and edge + 0.5 <= 6
            assert (cell in offered) == legal
        assert offered
    everywhere, edges = battle.clone(), battle.clone()
    pick(everywhere, "R1")
    pick(edges, "R2")
    assert len(slots(everywhere, "cell")) > 2 * len(slots(edges, "cell"))


def drop_beside(gap: float, z: float = 0.0, weapons: dict[str, object] | None = None) -> tuple[Battle, int]:
    """A unit with Deep Strike about to be set up, and the cell that is ``gap`` inches from the enemy model."""
    spot = (30.0, 22.0)
    for _ in range(2):  # first to learn where the middle cell lies, then with the enemy beside it
        scene = Scene()
        if z:
            scene.floor(spot[0] + gap, spot[1] - 3, spot[0] + gap + 6, spot[1] + 3, z)
        scene.unit(0, sheet("Drop", weapons=weapons, **DROP), models=1, reserves="deep-strike")  # type: ignore[arg-type]
        scene.unit(0, sheet("Watch"), at=(3, 3), models=1)
        scene.unit(1, sheet("Foes", W=9), at=(spot[0] + 1 + gap, spot[1], z), models=1)
        battle = scene.battle(round=2)
        pick(battle, "Watch: Remain Stationary")
        pick(battle, "Drop")
        middle = battle.setup.space.grid**2 // 2
        spot = cell_place(battle, 0, middle)
    return battle, middle


@pytest.mark.rule("w10.move.reinforcements.horizontal")
@pytest.mark.parametrize("z", [0.0, 9.0])
def test_the_distance_from_enemies_is_horizontal(z: float) -> None:
    """An enemy on a floor 9" up: 8" away horizontally (12" in a straight line) is refused, as on the ground; so is
    exactly 9"; 9.1" is not."""
    assert hypot(8, 9) > 9
    for gap, legal in ((8.0, False), (9.0, False), (9.1, True)):
        battle, cell = drop_beside(gap, z)
        assert (cell in slots(battle, "cell")) == legal


@pytest.mark.rule("w10.move.reinforcements.counts-as-normal")
def test_a_unit_that_arrives_has_made_a_normal_move() -> None:
    """9.1" from an enemy: it cannot move, Heavy gives no +1, it can shoot and declare a charge."""
    battle, cell = drop_beside(9.1, weapons={"gun": ranged(24, A=1, BS=4, abilities=["HEAVY"])})
    choose(battle, "cell", cell)
    assert battle.units.moved[0] == Moved.NORMAL
    assert selected(battle, "select-to-shoot") == [0]  # the Movement phase is over, it was not selected in it
    assert 0 not in [event["unit"] for event in told(battle, "w10.move.select-unit")]
    battle.script_array[:2] = [3, 6]
    battle.dice.script_at[0], battle.dice.script_end[0] = 0, 2
    pick(battle, "Drop")
    assert dice_left(battle) == 1  # a 3 missed: it is not stationary
    assert selected(battle, "select-to-charge") == [0]


@pytest.mark.rule("w10.move.reinforcements.never-arrived")
@pytest.mark.parametrize("another", [False, True])
def test_reserves_that_never_arrive_count_as_destroyed(another: bool) -> None:
    """A Reserves unit with a unit embarked in it at the end of round 5: both are destroyed before the victor is named."""
    scene = Scene()
    box = scene.unit(
        0,
        sheet("Box", abilities={"deep_strike": True, "transport": {"capacity": 6, "allowed": ["INFANTRY"]}}, **BOX),  # type: ignore[arg-type]
        models=1,
        reserves="deep-strike",
    )
    riders = scene.unit(0, sheet("Riders"), models=3, embarked_in=box)
    if another:
        scene.unit(0, sheet("Watch"), at=(3, 3), models=1)
    scene.unit(1, sheet("Foes"), at=(55, 40), models=1)
    battle = scene.battle(round=5, active=0, first_player=1)
    play_until(battle, "select-reserves")
    assert battle.units.alive[box] == 1
    choose(battle, "done")
    play_until(battle)
    assert [event["unit"] for event in told(battle, "w10.move.reinforcements.never-arrived")] == [box.row, riders.row]
    assert battle.units.alive[box] == battle.units.alive[riders] == 0
    assert battle.result is not None
    assert battle.result.rounds == 5
    # with nothing else the army is destroyed and the other player wins; with a unit left it is a draw on points
    assert battle.result.winner == (None if another else 1)
    order = [event.rule for event in battle.events]
    assert order.index("w10.move.reinforcements.never-arrived") < order.index("w10.mission.ending")
