"""Army Rosters, DEDICATED TRANSPORTS without passengers, units as wholes (w10.army.roster, .dedicated-transport,
w10.concepts.unit)."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle, ContentError
from wh_env.content.w10 import load_army
from wh_env.core.tables import DESTROYED, EMBARKED, ON_TABLE
from wh_env.envs.observation import Observer, column_of, split
from wh_env.testing import Scene, choose, pick, play_until, ranged, sheet, slots, told
from wh_env.testing.moves import walk

GUN = {"gun": ranged(24, A=2, BS=3)}


@pytest.mark.rule("w10.army.roster")
@pytest.mark.parametrize("formations", ["lists", "choose"])
def test_both_players_know_both_rosters_before_deployment(formations: str) -> None:
    """Unit 1: 5 models, its weapons, 80 points: in the roster and in the other player's observation, before anything is
    deployed or declared."""
    scene = Scene()
    scene.unit(0, sheet("Alphas", weapons=GUN), models=4, points=70)
    data = sheet("Betas", weapons=GUN)
    data["weapons"]["cannon"] = ranged(36, S=9)
    data["models"][0]["options"] = [{"name": "heavy", "weapons": ["cannon"], "max": 1}]
    scene.unit(1, data, models=5, points=80, equipment={"Betas": {"heavy": 1}})
    scene.unit(1, sheet("Gammas"), models=1, points=35)
    battle = scene.battle("mission", rules={"formations": formations})
    assert not battle.models.rows["on_table"].any()
    roster = battle.roster(1)
    assert [(row["name"], len(row["models"]), row["points"]) for row in roster] == [("Betas", 5, 80), ("Gammas", 1, 35)]
    assert [m["weapons"] for m in roster[0]["models"]] == [("gun",)] * 4 + [("cannon",)]
    assert [m["wargear"] for m in roster[0]["models"]] == [None] * 4 + ["heavy"]
    assert [(row["name"], len(row["models"]), row["points"]) for row in battle.roster(0)] == [("Alphas", 4, 70)]
    observer = Observer(battle.setup)

    def shown(seat: int, slot: int, name: str) -> float:
        rows = split(observer.observe(battle, seat))["enemy"]
        return float(rows[slot, column_of(battle.setup.ruleset, "enemy", name)])

    assert [shown(0, slot, "there") for slot in (0, 1, 2)] == [1, 1, 0]
    assert shown(0, 0, "models") == pytest.approx(5 / 20)
    assert shown(0, 0, "points") == pytest.approx(80 / 400)
    assert shown(0, 0, "reach") == pytest.approx(36 / 48)  # that of the cannon
    assert shown(0, 0, "ranged") > shown(0, 1, "ranged") == 0
    assert shown(1, 0, "models") == pytest.approx(4 / 20)
    assert shown(1, 0, "points") == pytest.approx(70 / 400)


def with_transport(full: bool, keywords: tuple[str, ...], **rules: object) -> tuple[Battle, int, int]:
    """A TRANSPORT of player 0 and a squad that can start in it, in Declare Battle Formations."""
    scene = Scene()
    data = sheet("Rhino", keywords=keywords, abilities={"transport": {"capacity": 6, "allowed": ["INFANTRY"]}})
    carrier = scene.unit(0, data, models=1)
    squad = scene.unit(0, sheet("Squad"), models=3)
    scene.unit(0, sheet("Tank", keywords=("VEHICLE",)), models=1)
    scene.unit(1, sheet("Foes"), models=1)
    battle = scene.battle(
        "mission", rules={"formations": "choose", "first_player": 0, "vp_each_unit_destroyed": 5, **rules}
    )
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.subject) == ("start-embarked", squad.row)
    if full:
        choose(battle, "own", carrier.number)
    else:
        choose(battle, "done")
    return battle, carrier.row, squad.row


DEDICATED = ("VEHICLE", "TRANSPORT", "DEDICATED TRANSPORT")


@pytest.mark.rule("w10.army.dedicated-transport")
def test_an_empty_dedicated_transport_is_not_deployed_and_counts_as_destroyed() -> None:
    """It is not deployed, and in round 1 it counts as destroyed, once: the opponent scores once for it."""
    battle, carrier, squad = with_transport(False, DEDICATED)
    deployed = []
    while battle.decision is not None and battle.clock.round[0] == 0:
        deployed += [battle.decision.subject] if battle.decision.kind == "deploy-to" else []
        assert battle.players.vp[1] == 0  # not before the battle begins
        battle.apply(battle.first_legal())
    assert carrier not in deployed
    assert squad in deployed
    assert battle.units.place[carrier] == DESTROYED
    assert battle.units.alive[carrier] == 0
    assert battle.clock.round[0] == 1
    assert battle.players.vp[1] == 5
    assert told(battle, "w10.command.destroyed.unit") == [{"unit": carrier}]
    while battle.decision is not None:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert told(battle, "w10.command.destroyed.unit") == [{"unit": carrier}]
    assert battle.players.vp[1] == 5


@pytest.mark.rule("w10.army.dedicated-transport")
def test_with_a_unit_embarked_it_is_deployed() -> None:
    battle, carrier, squad = with_transport(True, DEDICATED)
    play_until(battle, "select-to-move")
    assert battle.units.place[carrier] == ON_TABLE
    assert (battle.units.place[squad], battle.units.carrier[squad]) == (EMBARKED, carrier)
    assert told(battle, "w10.command.destroyed.unit") == []


@pytest.mark.rule("w10.army.dedicated-transport")
def test_other_transports_may_be_empty() -> None:
    battle, carrier, _ = with_transport(False, ("VEHICLE", "TRANSPORT"))
    play_until(battle, "select-to-move")
    assert battle.units.place[carrier] == ON_TABLE
    assert told(battle, "w10.command.destroyed.unit") == []


@pytest.mark.rule("w10.army.dedicated-transport")
def test_reserves_do_not_save_it() -> None:
    """Put into Strategic Reserves it is empty all the same."""
    battle, carrier, _ = with_transport(False, DEDICATED, strategic_reserves_points=500)
    pick(battle, "Strategic Reserves", kind="reserves")
    play_until(battle, "select-to-move")
    assert battle.units.place[carrier] == DESTROYED
    assert told(battle, "w10.command.destroyed.unit") == [{"unit": carrier}]


# ---------------------------------------------------------------- units


def rows(battle: Battle, first: int, count: int) -> np.ndarray:
    """Where models stand."""
    m = battle.models.rows[first : first + count]
    return np.stack([m["x"], m["y"]], axis=1)


@pytest.mark.rule("w10.concepts.unit")
def test_a_unit_moves_in_one_activation() -> None:
    """5 models of one datasheet: selected to move, all 5 are moved in that activation and no other model moves."""
    scene = Scene()
    unit = scene.unit(0, sheet("Squad"), at=(10, 10), models=5)
    scene.unit(0, sheet("Others"), at=(10, 20), models=5)
    scene.unit(1, sheet("Foes"), at=(40, 40), models=5)
    battle = scene.battle()
    before = rows(battle, 0, 15)
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move")
    choose(battle, "cell", slots(battle, "cell")[-1])
    after = rows(battle, 0, 15)
    assert (np.abs(after - before).sum(axis=1) > 1.0).tolist() == [True] * 5 + [False] * 10
    assert battle.decision is not None
    assert battle.decision.subject != unit.row  # it is the turn of the other unit, and the first is not selected again


@pytest.mark.rule("w10.concepts.unit")
def test_model_by_model_the_activation_is_the_units() -> None:
    """Full detail: each of the 5 may be moved before the activation ends, no model of another unit is offered."""
    scene = Scene()
    unit = scene.unit(0, sheet("Squad"), at=(10, 10), models=5)
    scene.unit(0, sheet("Others"), at=(10, 20), models=5)
    scene.unit(1, sheet("Foes"), at=(40, 40), models=5)
    battle = scene.battle(detail="full")
    before = rows(battle, 0, 15)
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move")
    for number in range(5):
        assert battle.decision is not None
        assert battle.decision.subject == unit.row
        assert slots(battle, "model") in (list(range(number, 5)), [])
        x, y = before[number]
        walk(battle, number, x, y + 3)
    if battle.decision is not None and battle.decision.kind == "select-model":
        choose(battle, "done")
    after = rows(battle, 0, 15)
    assert (np.abs(after - before).sum(axis=1) > 1.0).tolist() == [True] * 5 + [False] * 10
    assert battle.decision is not None
    assert battle.decision.subject != unit.row


@pytest.mark.rule("w10.concepts.unit")
def test_a_unit_is_of_one_datasheet() -> None:
    """3 models of A and 2 of B in one unit: refused."""
    units = [{"datasheet": ["A", "A", "A", "B", "B"], "models": 5}]
    with pytest.raises(ContentError, match="one datasheet"):
        load_army({"name": "army", "faction": "Testers", "detachment": "Any", "units": units})
