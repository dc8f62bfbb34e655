"""Assault moves to the centimetre: who engages whom and where, who is offered, where the others go (epic.assault.*)."""

from __future__ import annotations

from math import hypot
from typing import Any

import pytest

from wh_env import Battle
from wh_env.testing import choose, pick, slots, told
from wh_env.testing.epic import A, B, EpicScene, FormationHandle, move_by, place_of


def fighter(**card: Any) -> dict[str, Any]:
    """A card of infantry that only fights; 10 cm to engage."""
    return {"class": "infantry", "move_cm": 5, "save": 4, "assault_factor": 0, **card}


def charging(scene: EpicScene, formation: FormationHandle, detail: str = "squad") -> Battle:
    """The formation is the one that makes its assault move now."""
    battle = scene.battle("assault", dice=[A if formation.player == 0 else B], detail=detail)
    pick(battle, "own side first")
    choose(battle, "own", formation.number)
    return battle


def flipped(player: int, place: tuple[float, float]) -> tuple[float, float]:
    """The same place seen by the player of the northern edge."""
    return place if player == 0 else (120 - place[0], 120 - place[1])


@pytest.mark.rule("epic.assault.charge-move", "epic.assault.shortest-path")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("far", "own"), [(39.0, True), (39.8, False)])
def test_a_unit_goes_up_to_4_cm_farther_to_an_enemy_of_its_own(player: int, far: float, own: bool) -> None:
    """Both are 4.2 cm from the first enemy; the second charger would go 4.4 cm beside the first one, and 8 or 8.8 cm to the other."""
    scene = EpicScene()
    scene.formation(player, "Boy", at=flipped(player, (90, 30)), order="march")
    pair = scene.formation(player, fighter(), at=[flipped(player, (x, 30)) for x in (30, 33)], order="charge")
    scene.formation(1 - player, "Boy", at=flipped(player, (90, 90)), order="march")
    foes = scene.formation(
        1 - player, "Boy", at=[flipped(player, (31.5, 35)), flipped(player, (33, far))], order="march"
    )
    battle = charging(scene, pair)
    choose(battle, "enemy", foes.number)
    first, second = (flipped(player, place_of(battle, pair.model(n))) for n in (0, 1))
    assert hypot(first[0] - 31.5, first[1] - 35) == pytest.approx(1)
    assert first == pytest.approx((31.5 - 1.5 / hypot(1.5, 5), 35 - 5 / hypot(1.5, 5)))
    if own:
        assert second == pytest.approx((33, far - 1))
    else:
        assert hypot(second[0] - 31.5, second[1] - 35) == pytest.approx(1)
        assert 1.0 - 1e-3 <= hypot(second[0] - first[0], second[1] - first[1]) < 1.1
        assert second[0] > first[0]
    (event,) = told(battle, "epic.assault.charge-move")
    assert (event["unit"], event["target"], event["units"]) == (pair.row, foes.row, 2)


@pytest.mark.rule("epic.assault.charge-move", "epic.assault.infantry-double")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_formations_in_reach_of_any_unit_can_be_engaged(player: int, detail: str) -> None:
    """Of five enemy formations: one 10 cm from the last unit, one 10.2 cm, one that is gone, one behind a cliff, one with its
    second unit in reach."""
    scene = EpicScene()
    pair = scene.formation(player, fighter(), at=[flipped(player, (x, 30)) for x in (30, 33)], order="charge")
    scene.area("cliff", *(v for place in sorted((flipped(player, (20, 24)), flipped(player, (40, 27)))) for v in place))
    for places in ([(44, 30)], [(18.8, 30)], [], [(31, 23)], [(31, 60), (31, 39)]):
        at = [flipped(player, place) for place in places]
        scene.formation(1 - player, "Boy", at=at or None, units=None if at else 1, order="march")
    battle = charging(scene, pair, detail)
    offered = set()
    if detail == "squad":
        offered = set(slots(battle, "enemy"))
    else:
        for unit in (0, 1):
            probe = battle.clone()
            choose(probe, "model", unit)
            found = slots(probe, "enemy")
            assert found == [[4], [0, 4]][unit]
            offered |= set(found)
    assert offered == {0, 4}


@pytest.mark.rule("epic.assault.charge-move")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("card", "reach", "fine"), [("Rhino", 12.0, True), ("Boy", 5.0, False)])
def test_a_charge_that_engages_nobody_is_a_move_to_a_cell(player: int, card: str, reach: float, fine: bool) -> None:
    """Once the Movement both ways; where a cell is wider than 1 cm a second choice says where exactly. To stay is no move."""
    scene = EpicScene()
    unit = scene.formation(player, card, at=(60, 60), order="charge")
    scene.formation(1 - player, "Boy", at=(110, 110), order="march")
    battle = charging(scene, unit)
    assert battle.decision is not None
    assert battle.decision.kind == "assault-to"
    assert 144 not in slots(battle, "cell")
    assert slots(battle, "done") == [0]
    assert {136, 152, 8, 280} <= set(slots(battle, "cell"))
    assert 0 not in slots(battle, "cell")
    step = reach / 8
    choose(battle, "cell", 5 * 17 + 4)
    expected = [60 - 4 * step, 60 - 3 * step]
    if fine:
        assert battle.decision is not None
        assert battle.decision.kind == "assault-refine"
        choose(battle, "cell", 2 * 17 + 11)
        expected = [expected[0] + 3 * step / 16, expected[1] - 6 * step / 16]
    assert battle.decision is None or battle.decision.kind not in ("assault-refine", "assault-to")
    assert place_of(battle, unit.model()) == pytest.approx(tuple(expected))


@pytest.mark.rule("epic.assault.charge-move", "epic.assault.coherency")
@pytest.mark.parametrize("player", [0, 1])
def test_those_who_do_not_engage_move_by_themselves(player: int) -> None:
    """The first of three engages; the others, coherent with each other, go where they like, by up to 5 cm and out of contact."""
    scene = EpicScene()
    places = [(30, 30), (32, 30), (34, 30)]
    squad = scene.formation(player, fighter(), at=[flipped(player, place) for place in places], order="charge")
    scene.formation(1 - player, "Boy", at=flipped(player, (21, 30)), order="march")
    battle = charging(scene, squad)
    assert slots(battle, "enemy") == [0]
    choose(battle, "enemy", 0)
    assert battle.decision is not None
    assert battle.decision.kind == "assault-to"
    assert 144 not in slots(battle, "cell")
    move_by(battle, 0, 2.5)
    assert flipped(player, place_of(battle, squad.model(0))) == pytest.approx((22, 30))
    rest = [flipped(player, place_of(battle, squad.model(n))) for n in (1, 2)]
    up = 2.5 if player == 0 else -2.5
    assert rest == [pytest.approx((32, 30 + up)), pytest.approx((34, 30 + up))]


@pytest.mark.rule("epic.assault.charge-move", "epic.orders.charge")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_who_charged_in_the_movement_phase_makes_its_assault_move(player: int, detail: str) -> None:
    """Both units moved 10 cm in the movement phase; in the assault phase of the same turn they engage."""
    scene = EpicScene()
    pair = scene.formation(player, fighter(), at=[(60, 60), (62, 60)], order="charge")
    scene.formation(1 - player, "Boy", at=(61, 76), order="march")
    draw = A if player == 0 else B
    battle = scene.battle("movement", dice=[draw], detail=detail)
    pick(battle, "own side first")
    if battle.decision is not None and battle.decision.kind == "select-to-move":
        choose(battle, "own", 0)
    if detail == "full":
        for unit in (0, 1):
            if battle.decision is not None and battle.decision.kind == "select-unit":
                choose(battle, "model", unit)
            move_by(battle, 0, 7.5, pair.model(unit))
    else:
        move_by(battle, 0, 7.5)
    while battle.decision is not None and battle.decision.kind != "who-assaults-first":
        choose(battle, "done")
    assert [place_of(battle, pair.model(n))[1] for n in (0, 1)] == [pytest.approx(67.5)] * 2
    assert battle.decision is not None
    choose(battle, "option", battle.decision.player ^ player)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("select-to-assault", player)
    choose(battle, "own", 0)
    if detail == "full":
        assert slots(battle, "model") == [0, 1]
        choose(battle, "model", 0)
    choose(battle, "enemy", 0)
    x, y = place_of(battle, pair.model(0))
    assert hypot(x - 61, y - 76) == pytest.approx(1)


@pytest.mark.rule("epic.assault.charge-move", "epic.pin.pinned", "epic.morale.retreat-effects")
@pytest.mark.parametrize("player", [0, 1])
def test_who_is_offered_an_assault_move(player: int) -> None:
    """Charge alone, and of these not one in retreat, not one whose only unit is held; one that is held in part can."""
    scene = EpicScene()
    scene.formation(player, fighter(), at=(10, 60), order="charge", retreating=1)
    scene.formation(player, fighter(), at=(20, 60), order="charge")
    scene.formation(player, fighter(), at=[(30, 60), (32, 60)], order="charge")
    scene.formation(player, fighter(), at=(50, 60), order="advance")
    scene.formation(player, fighter(), at=(60, 60), order="charge")
    scene.formation(player, fighter(), order="charge", units=1)
    for x in (20, 30):
        scene.formation(1 - player, "Boy", at=(x, 61), order="march")
    battle = scene.battle("assault", dice=[A if player == 0 else B])
    pick(battle, "own side first")
    assert (slots(battle, "own"), slots(battle, "done")) == ([2, 4], [0])
    choose(battle, "own", 4)
    choose(battle, "done")
    assert slots(battle, "own") == [2]


@pytest.mark.rule("epic.assault.shortest-path")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("place", [(38, 36), (30, 38), (22.5, 25), (33, 22)])
def test_a_vehicle_ends_in_contact_on_the_straight_line(player: int, place: tuple[float, float]) -> None:
    """From any side: at the point of contact on the line between both centres, if it is named by its unit or as a formation."""
    for detail in ("squad", "full"):
        scene = EpicScene()
        rhino = scene.formation(player, "Rhino", at=(30, 30), order="charge")
        foe = scene.formation(1 - player, "Predator", at=place, order="march")
        battle = charging(scene, rhino, detail)
        if battle.decision is not None and battle.decision.kind == "select-unit":
            choose(battle, "model", 0)
        choose(battle, "enemy", foe.number)
        apart = hypot(place[0] - 30, place[1] - 30)
        along = (apart - 3.0) / apart
        expected = (30 + along * (place[0] - 30), 30 + along * (place[1] - 30))
        assert place_of(battle, rhino.model()) == pytest.approx(expected)
