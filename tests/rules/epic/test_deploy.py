"""Deployment: sides, order, zones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from wh_env import Battle, ContentError
from wh_env.content.epic import load_rules
from wh_env.core.features import Veil
from wh_env.envs.observation import Observer
from wh_env.rulesets.epic.deploy.deployment import arrangement, cells_for, deploy_at, in_the_way, zone
from wh_env.rulesets.epic.move.cells import EVERYBODY
from wh_env.rulesets.epic.move.coherency import groups
from wh_env.testing import choose, pick, slots, told
from wh_env.testing.epic import EpicScene, FormationHandle


def muster(first: int, second: int, **rules: Any) -> EpicScene:
    scene = EpicScene(rules={"attacker": None, **rules})
    for player, count in ((0, first), (1, second)):
        for _ in range(count):
            scene.formation(player, "Boy", units=5)
    return scene


def deploy_all(battle: Battle) -> list[int]:
    """Deploy everything; returns who was asked where to, in order."""
    asked = []
    while battle.clock.phase[0] == 0:
        assert battle.decision is not None
        if battle.decision.kind == "deploy-to":
            asked.append(battle.decision.player)
        battle.apply(battle.first_legal())
    return asked


@pytest.mark.parametrize(("lot", "south"), [(0, 0), (1, 1)])
@pytest.mark.rule("epic.deploy.sides")
def test_the_lot_gives_the_south_edge(lot: int, south: int) -> None:
    battle = muster(1, 1).battle("deployment", dice=[lot, 0])
    assert battle.clock.attacker[0] == south
    deploy_all(battle)
    models = battle.models.rows
    assert (models["y"][models["owner"] == south] <= 15).all()
    assert (models["y"][models["owner"] != south] >= 105).all()


@pytest.mark.parametrize(("begins", "expected"), [(0, [0, 1, 0, 1, 0]), (1, [1, 0, 1, 0, 0])])
@pytest.mark.rule("epic.deploy.order")
def test_alternately_one_formation_each(begins: int, expected: list[int]) -> None:
    battle = muster(3, 2).battle("deployment", dice=[0, begins])
    assert battle.decision is not None
    assert (battle.decision.player, battle.decision.kind) == (begins, "select-to-deploy")
    assert slots(battle, "own") == list(range(3 if begins == 0 else 2))
    assert deploy_all(battle) == expected


@pytest.mark.parametrize(
    ("strategic", "lots", "expected"),
    [((5, 3), [0], [1, 1, 0, 0, 0]), ((3, 5), [0], [0, 0, 0, 1, 1]), ((4, 4), [0, 1], [1, 1, 0, 0, 0])],
)
@pytest.mark.rule("epic.deploy.order")
def test_one_army_after_the_other(strategic: tuple[int, int], lots: list[int], expected: list[int]) -> None:
    """The one with the lower Strategic Value first, equal ones by lot."""
    scene = muster(3, 2, deployment="one-army-first")
    scene.strategic = strategic
    assert deploy_all(scene.battle("deployment", dice=lots)) == expected


@pytest.mark.rule("epic.deploy.order")
def test_both_in_secret() -> None:
    """What one player deploys is hidden from the other until both are ready, and no longer."""
    battle = muster(2, 2, deployment="secret").battle("deployment", dice=[0])
    choose(battle, "own", 0)
    choose(battle, "cell", slots(battle, "cell")[0])
    hidden = {h.table: (h.first, h.last) for h in battle.setup.ruleset.hidden(battle, 1)}
    assert hidden == {"models": (0, 10), "units": (0, 2), "clock": (0, 1)}
    assert {h.table: h.first for h in battle.setup.ruleset.hidden(battle, 0)} == {"models": 10, "units": 2}
    seen = Veil().over(battle, 1)
    assert not seen.models.rows["x"][:10].any()
    assert battle.models.rows["x"][:5].any()
    assert deploy_all(battle) == [0, 1, 1]
    assert not [h for h in battle.setup.ruleset.hidden(battle, 1) if h.table == "models"]


@pytest.mark.rule("epic.deploy.order")
def test_nothing_of_a_secret_deployment_shows() -> None:
    """Wherever the first player deploys, the second sees the same until both are ready."""

    def watched(which: int) -> tuple[list[bytes], bytes]:
        battle = muster(2, 2, deployment="secret").battle("deployment", dice=[0])
        observer, seen = Observer(battle.setup), []
        while battle.clock.unseen[0]:
            assert battle.decision is not None
            seen.append(observer.observe(battle, 1).tobytes())
            options = battle.decision.options
            own = battle.decision.player == 0
            battle.apply(options[which % len(options)] if own else options[0])
        return seen, observer.observe(battle, 1).tobytes()

    one, other = watched(0), watched(7)
    assert one[0] == other[0]
    assert len(one[0]) > 4
    assert one[1] != other[1]


@pytest.mark.rule("epic.deploy.order")
def test_armies_deployed_in_secret_cannot_be_in_each_others_way() -> None:
    """Zones of 15 cm on a table 33 cm wide leave room for a vehicle in both; on one of 32.9 cm they do not."""
    for width, refused in ((33.0, False), (32.9, True)):
        scene = EpicScene((120.0, width), rules={"deployment": "secret"})
        scene.formation(0, "Boy", units=1)
        scene.formation(1, "Boy", units=1)
        if refused:
            with pytest.raises(ContentError, match=r"deployment_depth_cm: 15\.0.*at most 14\.95 cm"):
                scene.battle("deployment")
        else:
            scene.battle("deployment")


def test_there_is_no_other_order() -> None:
    with pytest.raises(ContentError, match=r"deployment: 'at-will'.*alternate, one-army-first, secret"):
        load_rules({"deployment": "at-will"})


def placeable(battle: Battle, formation: FormationHandle, x: float, y: float) -> bool:
    setup, row = battle.setup, formation.row
    statics, marks = setup.statics, battle.work.marks
    low, high = zone(battle, formation.player)
    n, w = in_the_way(battle.models.rows, statics["ground"], row, low, high, marks)
    tables = battle.models.rows, battle.units.rows, statics["ground"], setup.corners, statics["numbers"]
    return arrangement(*tables, row, x, y, low, high, marks, n, w) >= 0


@pytest.mark.parametrize(
    ("y", "legal"), [(14.0, True), (15.0, True), (15.01, False), (16.0, False), (1.5, True), (1.4, False)]
)
@pytest.mark.rule("epic.deploy.zone")
def test_within_15_cm_of_the_own_edge(y: float, legal: bool) -> None:
    """At y = 14 of the south edge a unit is legal, at 16 not; and it stands on the table whole."""
    scene = EpicScene()
    tank = scene.formation(0, "Predator", units=1)
    other = scene.formation(1, "Predator", units=1)
    battle = scene.battle("deployment", dice=[0])
    assert placeable(battle, tank, 60, y) is legal
    assert placeable(battle, other, 60, 120 - y) is legal
    assert not placeable(battle, other, 60, y)


@pytest.mark.rule("epic.deploy.zone")
def test_not_in_impassable_terrain() -> None:
    """A tank may not stand in a building, infantry may; nobody on a cliff."""
    scene = EpicScene()
    tank = scene.formation(0, "Predator", units=1)
    squad = scene.formation(0, "Tactical Marine", units=2)
    scene.formation(1, "Boy", units=1)
    scene.area("buildings", 20, 2, 40, 14)
    scene.area("cliff", 60, 2, 80, 14)
    battle = scene.battle("deployment", dice=[0, 0])
    assert not placeable(battle, tank, 30, 8)
    assert placeable(battle, squad, 30, 8)
    assert not placeable(battle, squad, 70, 8)
    assert placeable(battle, tank, 50, 8)


@pytest.mark.rule("epic.deploy.zone")
def test_formations_are_set_up_coherent_and_apart() -> None:
    scene = EpicScene()
    for _ in range(12):
        scene.formation(0, "Boy", units=10)
    scene.formation(1, "Boy", units=1)
    battle = scene.battle("deployment", dice=[0, 0])
    deploy_all(battle)
    labels = np.zeros(len(battle.models.x), np.int32)
    models = battle.models.rows
    for row in range(12):
        assert groups(models, battle.units.rows, row, 3.0, EVERYBODY, labels) == 1
    own = models[models["owner"] == 0]
    assert (own["y"] <= 15).all()
    apart = np.hypot(own["x"][:, None] - own["x"], own["y"][:, None] - own["y"])
    assert (apart + 9 * np.eye(len(own)) >= 1.0 - 1e-3).all()


@pytest.mark.rule("epic.deploy.zone", "epic.deploy.order")
def test_full_detail_places_every_unit() -> None:
    """Units are put elsewhere one by one; two pairs 4 cm apart are rejected: the formation must be coherent to be done."""
    scene = EpicScene()
    squad = scene.formation(0, "Boy", units=2)
    scene.formation(1, "Boy", units=1)
    battle = scene.battle("deployment", dice=[0, 0], detail="full")
    battle.apply(slots(battle, "cell")[140] + battle.setup.space.cell)
    choose(battle, "cell", 144)
    assert battle.decision is not None
    assert battle.decision.kind == "deploy-unit"
    assert slots(battle, "done") == [0]
    choose(battle, "model", 0)
    choose(battle, "cell", slots(battle, "cell")[0])
    choose(battle, "cell", slots(battle, "cell")[-1])
    x, y = battle.models.x, battle.models.y
    assert np.hypot(x[0] - x[1], y[0] - y[1]) > 3
    assert slots(battle, "done") == []
    pick(battle, "set up as it was")
    assert np.hypot(x[0] - x[1], y[0] - y[1]) <= 3
    assert told(battle, "epic.deploy.zone")[0]["unit"] == squad.row


@pytest.mark.rule("epic.deploy.zone", "epic.move.distance")
def test_units_that_were_placed_one_by_one_may_move_in_turn_1() -> None:
    scene = EpicScene()
    scene.formation(0, "Boy", units=2)
    scene.formation(1, "Boy", units=1)
    battle = scene.battle("deployment", dice=[0, 0], detail="full")
    battle.apply(slots(battle, "cell")[140] + battle.setup.space.cell)
    choose(battle, "cell", 144)
    for unit, row in ((0, 4), (1, 6)):  # 1.8 cm apart
        choose(battle, "model", unit)
        choose(battle, "cell", row * 17 + 8)
        choose(battle, "cell", 144)
    while battle.decision is not None and battle.decision.kind != "who-moves-first":
        pick(battle, "advance") if battle.decision.kind == "give-order" else battle.apply(battle.first_legal())
    choose(battle, "option", 0)
    seen = set()
    while battle.decision is not None and battle.decision.kind == "select-to-move":
        seen.add((battle.decision.player, *slots(battle, "own")))
        choose(battle, "done")
    assert seen == {(0, 0), (1, 0)}


@pytest.mark.rule("epic.deploy.zone")
def test_the_cells_are_what_the_validator_allows() -> None:
    scene = EpicScene()
    squad = scene.formation(0, "Boy", units=4)
    scene.formation(0, "Predator", at=(60, 8))
    scene.formation(1, "Boy", units=1)
    scene.area("cliff", 20, 2, 40, 14)
    battle = scene.battle("deployment", dice=[0, 0])
    cells = np.zeros(17 * 17, np.bool_)
    found = cells_for(battle, squad.row, cells)
    wanted = [placeable(battle, squad, (c % 17 + 0.5) * 120 / 17, (c // 17 + 0.5) * 15 / 17) for c in range(289)]
    assert cells.tolist() == wanted
    assert 0 < found < 289
    assert cells_for(battle, squad.row, cells, most=1) == 1
    deploy_at(battle, squad.row, 80, 8)
    assert battle.units.place[squad] == 1


@pytest.mark.rule("epic.deploy.zone")
def test_a_unit_for_which_no_cell_is_free_stays() -> None:
    """Two tanks in a gap of a cliff with the middle of one cell, where both are in each other's way; else a cell must be named."""
    scene = EpicScene()
    pair = scene.formation(0, "Predator", units=2)
    scene.formation(1, "Boy", units=1)
    x, y = 8.5 * 120 / 17, 8.5 * 15 / 17
    for x0, y0, x1, y1 in (
        (0, 0, x - 3, 15),
        (x + 3, 0, 120, 15),
        (x - 3, 0, x + 3, y - 0.4),
        (x - 3, y + 0.4, x + 3, 15),
    ):
        scene.area("cliff", x0, y0, x1, y1)
    battle = scene.battle("deployment", dice=[0, 0], detail="full")
    while battle.decision is not None and battle.decision.kind != "deploy-unit":
        choose(battle, "cell", 144)
    places = [(battle.models.x[k], battle.models.y[k]) for k in (pair.model(0), pair.model(1))]
    assert slots(battle, "model") == [0, 1]
    choose(battle, "model", 1)
    assert battle.decision is not None
    assert battle.decision.kind == "deploy-unit"
    assert slots(battle, "model") == [0]
    assert [(battle.models.x[k], battle.models.y[k]) for k in (pair.model(0), pair.model(1))] == places


@pytest.mark.rule("epic.deploy.zone")
@pytest.mark.parametrize("side", [0, 1])
def test_a_unit_that_is_put_elsewhere_is_put_somewhere(side: int) -> None:
    """Where cells are free there is no staying; each unit is put elsewhere once; what was set up as it was is not asked about again."""
    scene = EpicScene()
    pair = scene.formation(side, "Boy", units=2)
    scene.formation(1 - side, "Boy", units=1)
    battle = scene.battle("deployment", dice=[side], detail="full")
    choose(battle, "cell", 144)
    choose(battle, "cell", 144)
    places = [(battle.models.x[k], battle.models.y[k]) for k in (pair.model(0), pair.model(1))]
    assert all(abs(y - (7.5, 112.5)[side]) < 1 and abs(x - 60) < 2 for x, y in places)
    facing = battle.models.facing[pair.model(0)]
    assert facing == pytest.approx((np.pi / 2, -np.pi / 2)[side])
    choose(battle, "model", 1)
    assert battle.decision is not None
    assert battle.decision.kind == "deploy-unit-to"
    assert slots(battle, "done") == []
    choose(battle, "cell", slots(battle, "cell")[0])
    choose(battle, "cell", slots(battle, "cell")[0])
    assert slots(battle, "model") == [0]
    assert slots(battle, "option") == [0]
    pick(battle, "set up as it was")
    assert [(battle.models.x[k], battle.models.y[k]) for k in (pair.model(0), pair.model(1))] == places
    assert battle.decision is not None
    assert battle.decision.kind != "deploy-unit"
