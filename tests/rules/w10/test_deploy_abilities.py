"""Deployment abilities: Deep Strike, Infiltrators, Scouts (w10.deploy.*)."""

from collections.abc import Callable
from math import hypot

import pytest

from wh_env import Battle
from wh_env.core.tables import DEPLOYING, EMBARKED, ON_TABLE, RESERVE
from wh_env.rulesets.w40k.deploy.places import cell_place
from wh_env.testing import Scene, choose, kind, pick, play_until, sheet, slots, told, words

MM = 25.4
CHOOSE = {"formations": "choose", "first_player": 0}
DROP = {"deep_strike": True}
HERO = {"keywords": ("INFANTRY", "CHARACTER"), "models": (1, 1)}


def stand(row: int, x: float, y: float) -> Callable[[Battle], None]:
    """Sets the one model of the last unit up at a place before the battle runs."""

    def put(g: Battle) -> None:
        g.models.x[row], g.models.y[row], g.models.on_table[row] = x, y, 1
        g.units.place[g.models.unit[row]] = ON_TABLE

    return put


# ---------------------------------------------------------------- Deep Strike


@pytest.mark.rule("w10.deploy.abilities")
def test_deep_strike_and_infiltrators_on_one_unit():
    """Every model has both: it may be put in Reserves; if not, it may be deployed more than 9" from the enemy."""
    scene = Scene()
    unit = scene.unit(0, sheet("Both", abilities={**DROP, "infiltrators": True}), models=5)
    scene.unit(1, sheet("Theirs"), models=1)
    kept = scene.battle(phase="mission", rules=CHOOSE)
    assert sorted(words(kept).values()) == ["Reserves (Deep Strike)", "deploy"]
    out = kept.clone()
    pick(kept, "Reserves (Deep Strike)")
    assert kept.units.place[unit] == RESERVE
    pick(out, "deploy")
    assert sorted(words(out).values()) == ["Infiltrators", "in the deployment zone"]
    pick(out, "Infiltrators", kind="deploy-by")
    places = [cell_place(out, unit.row, cell) for cell in slots(out, "cell")]
    assert max(y for _, y in places) > 20  # the enemy zone begins at 34
    assert all(y < 34 - 9 for _, y in places)


@pytest.mark.rule("w10.deploy.deep-strike.reserves")
@pytest.mark.parametrize(("attach", "hero", "offered"), [(True, {}, False), (False, {}, True), (True, DROP, True)])
def test_every_model_must_have_deep_strike(attach: bool, hero: dict[str, bool], offered: bool):
    """An Attached unit of 6 whose Leader lacks it cannot; the five without the Leader can; with it on all six, the six."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad", abilities=DROP), models=5)
    leader = scene.unit(0, sheet("Hero", **HERO, abilities={"leader": ["Squad"], **hero}), models=1)  # type: ignore[arg-type]
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission", rules=CHOOSE)
    pick(battle, "Squad" if attach else "done", kind="attach-leader")
    assert (kind(battle) == "reserves") == offered
    if offered:
        pick(battle, "Reserves (Deep Strike)")
        assert battle.units.place[squad] == RESERVE
    play_until(battle, "move-kind")
    # nobody of it stands on the battlefield
    whole = [squad.model(k) for k in range(5)] + ([leader.first] if attach else [])
    assert {battle.models.on_table[k] for k in whole} == {0 if offered else 1}


@pytest.mark.rule("w10.deploy.deep-strike.points")
def test_deep_strike_does_not_count_towards_strategic_reserves():
    """500 of 500 points in Strategic Reserves and 600 by Deep Strike, declared in either order."""
    for first in ("Drop", "Kept"):
        scene = Scene()
        units = {}
        for name in (first, "Kept" if first == "Drop" else "Drop"):
            points = 600 if name == "Drop" else 500
            units[name] = scene.unit(0, sheet(name, abilities=DROP if name == "Drop" else {}), models=5, points=points)
        scene.unit(1, sheet("Theirs"), models=1, points=2000)
        battle = scene.battle(phase="mission", rules={**CHOOSE, "strategic_reserves_points": 500})
        for _ in range(2):
            assert battle.decision is not None
            unit = battle.setup.names["units"][battle.decision.subject]
            # 600 points would be too much for Strategic Reserves
            assert ("Strategic Reserves" in words(battle).values()) == (unit == "Kept")
            pick(battle, "Deep Strike" if unit == "Drop" else "Strategic Reserves", kind="reserves")
        assert [battle.units.place[units[name]] for name in ("Drop", "Kept")] == [RESERVE, RESERVE]


@pytest.mark.rule("w10.deploy.deep-strike.arrive")
@pytest.mark.parametrize("battle_round", [1, 2, 5])
@pytest.mark.parametrize(("gap", "legal"), [(9.0, False), (9.1, True)])
def test_deep_strike_arrives_more_than_nine_inches_from_enemies(battle_round: int, gap: float, legal: bool):
    """In any round, round 1 included; anywhere on the battlefield, the enemy zone included."""
    spot = (8.5 * 60 / 17, 14.5 * 44 / 17)  # a cell within the enemy deployment zone
    scene = Scene()
    drop = scene.unit(0, sheet("Drop", abilities=DROP), models=1, reserves="deep-strike")
    scene.unit(0, sheet("Watch"), at=(3, 3), models=1)
    scene.unit(1, sheet("Enemy"), at=(spot[0] - 1 - gap, spot[1]), models=1)
    battle = scene.battle(round=battle_round)
    pick(battle, "Remain Stationary")
    assert kind(battle) == "select-reserves"
    assert sorted(words(battle).values()) == ["Drop", "done"]
    pick(battle, "Drop")
    cell = 14 * 17 + 8
    assert cell_place(battle, drop.row, cell) == pytest.approx(spot)
    assert (cell in slots(battle, "cell")) == legal
    if legal:
        choose(battle, "cell", cell)
        assert battle.units.place[drop] == ON_TABLE
        assert battle.models.x[drop.first] == pytest.approx(spot[0])


@pytest.mark.rule("w10.deploy.deep-strike.arrive")
def test_full_detail_places_each_model_that_arrives():
    """Five models one by one, each more than 9" from the enemy and in coherency."""
    scene = Scene()
    drop = scene.unit(0, sheet("Drop", abilities=DROP), models=5, reserves="deep-strike")
    scene.unit(1, sheet("Enemy"), at=(30, 22), models=1)
    battle = scene.battle(round=2, detail="full")
    pick(battle, "Drop", kind="select-reserves")
    for model in range(5):
        assert kind(battle) == "place-model"
        choose(battle, "cell", slots(battle, "cell")[len(slots(battle, "cell")) // 2])
        assert kind(battle) == "place-exactly"
        choose(battle, "cell", slots(battle, "cell")[-1])
        m, k = battle.models, drop.model(model)
        assert m.on_table[k] == 1
        assert hypot(m.x[k] - 30, m.y[k] - 22) - 1 > 9
        others = [hypot(m.x[k] - m.x[o], m.y[k] - m.y[o]) - 1 for o in range(drop.first, k)]
        assert all(gap >= -1e-6 for gap in others)
        assert not others or min(others) <= 2.0001
    assert battle.units.place[drop] == ON_TABLE
    assert [e["unit"] for e in told(battle, "w10.move.reinforcements.counts-as-normal")] == [drop.row]


# ---------------------------------------------------------------- Infiltrators


def infiltrating(radius: float, enemy: tuple[float, float] | None = None) -> Battle:
    """A unit of one model with Infiltrators about to be deployed by that ability; an enemy model may stand already."""
    scene = Scene()
    scene.unit(0, sheet("Sneaks", base_mm=2 * radius * MM, abilities={"infiltrators": True}), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission", set_state=stand(1, *enemy) if enemy else None)
    assert sorted(words(battle).values()) == ["Infiltrators", "in the deployment zone"]
    pick(battle, "Infiltrators")
    return battle


@pytest.mark.rule("w10.deploy.infiltrators")
@pytest.mark.parametrize(("gap", "legal"), [(9.0, False), (9.1, True)])
def test_infiltrators_keep_away_from_the_enemy_zone(gap: float, legal: bool):
    """In No Man's Land, 9.0" from the enemy zone (which begins at y = 34): rejected; 9.1": legal."""
    y = 9.5 * 44 / 17
    battle = infiltrating(radius=34 - gap - y)
    cell = 9 * 17 + 8
    assert cell_place(battle, 0, cell)[1] == pytest.approx(y)
    assert (cell in slots(battle, "cell")) == legal
    assert (8 * 17 + 8) in slots(battle, "cell")
    assert (11 * 17 + 8) not in slots(battle, "cell")
    choose(battle, "cell", 8 * 17 + 8)
    assert battle.units.place[0] == ON_TABLE
    assert told(battle, "w10.deploy.infiltrators") == [{"unit": 0}]


@pytest.mark.rule("w10.deploy.infiltrators")
@pytest.mark.parametrize(("gap", "legal"), [(9.0, False), (9.1, True)])
def test_infiltrators_keep_away_from_enemy_models(gap: float, legal: bool):
    """An enemy model in No Man's Land, 9.0" and 9.1" away."""
    spot = (8.5 * 60 / 17, 8.5 * 44 / 17)
    battle = infiltrating(radius=0.5, enemy=(spot[0] + 1 + gap, spot[1]))
    assert (8 * 17 + 8 in slots(battle, "cell")) == legal


@pytest.mark.rule("w10.deploy.infiltrators")
def test_infiltrators_may_use_their_own_zone_like_others():
    """An enemy 9" off does not keep them out of their own zone."""
    scene = Scene()
    scene.unit(0, sheet("Sneaks", abilities={"infiltrators": True}), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission", set_state=stand(1, 30, 14))
    pick(battle, "in the deployment zone")
    spots = [cell_place(battle, 0, cell) for cell in slots(battle, "cell")]
    assert max(y for _, y in spots) > 9
    assert any(hypot(x - 30, y - 14) < 6 for x, y in spots)


@pytest.mark.rule("w10.deploy.infiltrators")
@pytest.mark.parametrize("ability", [True, False])
def test_every_model_must_have_infiltrators(ability: bool):
    """With a Leader that lacks it, the unit is deployed in its zone like any other."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad", abilities={"infiltrators": True}), models=3)
    hero = sheet("Hero", **HERO, abilities={"leader": ["Squad"], "infiltrators": ability})  # type: ignore[arg-type]
    scene.unit(0, hero, models=1, leads=squad)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission")
    assert kind(battle) == ("deploy-by" if ability else "deploy-to")


# ---------------------------------------------------------------- Scouts


@pytest.mark.rule("w10.deploy.scouts.move")
def test_a_scouts_move_comes_before_the_first_turn_and_costs_nothing():
    """Scouts 6" and M 9": up to 6.0" before the first turn; then an ordinary Movement phase with 9"."""
    scene = Scene()
    scout = scene.unit(0, sheet("Scouts", M=9, abilities={"scouts": 6}), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission", rules={"first_player": 0})
    choose(battle, "cell", 8 * 17 + 8)
    play_until(battle, "scout-move")
    assert told(battle, "w10.round.structure") == []
    assert 0 in slots(battle, "done")
    y = battle.models.y[scout.first]
    up = 16 * 17 + 8  # the last row of the window: straight ahead as far as it goes
    assert up in slots(battle, "cell")
    choose(battle, "cell", up)
    assert battle.models.y[scout.first] - y == pytest.approx(6.0)
    assert kind(battle) == "move-kind"
    pick(battle, "Normal move")
    choose(battle, "cell", up)
    assert battle.models.y[scout.first] - y == pytest.approx(15.0)


@pytest.mark.rule("w10.deploy.scouts.move")
@pytest.mark.parametrize(("ability", "moves"), [({"scouts": 6}, 1), ({}, 0)])
def test_every_model_must_have_scouts(ability: dict[str, float], moves: int):
    """A Leader without it keeps the whole unit from moving."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad", abilities={"scouts": 6}), models=3)
    hero = sheet("Hero", **HERO, abilities={"leader": ["Squad"], **ability})  # type: ignore[arg-type]
    scene.unit(0, hero, models=1, leads=squad)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission", rules={"first_player": 0})
    asked = 0
    while kind(battle) != "move-kind":
        asked += kind(battle) == "scout-move"
        battle.apply(battle.first_legal())
    assert asked == moves


@pytest.mark.rule("w10.deploy.scouts.distance")
@pytest.mark.parametrize(("gap", "legal"), [(9.0, False), (9.1, True)])
def test_a_scouts_move_may_not_end_within_nine_inches(gap: float, legal: bool):
    """Six inches straight ahead end 9.0" or 9.1" from an enemy model; staying is always possible."""
    scene = Scene()
    scene.unit(0, sheet("Scouts", abilities={"scouts": 6}), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    y = 8.5 * 10 / 17
    battle = scene.battle(
        phase="mission", rules={"first_player": 0}, set_state=stand(1, 8.5 * 60 / 17, y + 6 + 1 + gap)
    )
    choose(battle, "cell", 8 * 17 + 8)
    assert kind(battle) == "scout-move"
    assert (16 * 17 + 8 in slots(battle, "cell")) == legal
    assert slots(battle, "done") == [0]


def transported(*passengers: str, dedicated: bool = True) -> Battle:
    """A (DEDICATED) TRANSPORT of M 12 with these units embarked, when the first battle round has begun."""
    scene = Scene()
    bus = sheet(
        "Bus",
        M=12,
        hull_in=(5, 3),
        keywords=("VEHICLE", "TRANSPORT", *(["DEDICATED TRANSPORT"] if dedicated else [])),
        abilities={"transport": {"capacity": 12, "allowed": ["INFANTRY"]}},
        models=(1, 1),
    )
    scene.unit(0, bus, models=1)
    for name in passengers:
        scene.unit(0, sheet(name, abilities={"scouts": 6} if name.startswith("Scouts") else {}), models=3)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission", rules=CHOOSE)
    for _ in passengers:
        pick(battle, "Bus", kind="start-embarked")
    while battle.clock.round[0] == 0:
        assert kind(battle) in ("deploy-to", "select-to-deploy")
        if kind(battle) == "deploy-to" and battle.clock.player[0] == 0:
            choose(battle, "cell", min(slots(battle, "cell"), key=lambda c: abs(c - (8 * 17 + 8))))
        else:
            battle.apply(battle.first_legal())
    return battle


@pytest.mark.rule("w10.deploy.scouts.dedicated-transport")
def test_a_dedicated_transport_moves_by_the_scouts_of_its_passengers():
    """Scouts 6" embarked: the TRANSPORT may move 6" of its 12, ending more than 9" from enemies; they stay embarked."""
    battle = transported("Scouts")
    assert battle.units.place[1] == EMBARKED
    assert battle.decision is not None
    assert (kind(battle), battle.decision.subject, battle.clock.round[0]) == ("scout-move", 0, 1)
    y = battle.models.y[0]
    far = 16 * 17 + 8
    assert far in slots(battle, "cell")
    choose(battle, "cell", far)
    assert battle.models.y[0] - y == pytest.approx(6.0)
    assert battle.units.place[1] == EMBARKED
    assert kind(battle) != "scout-move"
    assert told(battle, "w10.deploy.scouts.move")[0]["unit"] == 0


@pytest.mark.rule("w10.deploy.scouts.dedicated-transport")
@pytest.mark.parametrize("passengers", [("Scouts", "Others"), ("Others",)])
def test_every_passenger_must_have_scouts(passengers: tuple[str, ...]):
    """With another unit without Scouts embarked, or with only such a unit, it may not move."""
    battle = transported(*passengers)
    assert kind(battle) != "scout-move"
    assert told(battle, "w10.deploy.scouts.move") == []
    assert kind(transported("Scouts", "Scouts 2")) == "scout-move"


@pytest.mark.rule("w10.deploy.scouts.dedicated-transport")
def test_only_a_dedicated_transport_moves_by_its_passengers():
    """Another TRANSPORT with the same passengers may not."""
    assert kind(transported("Scouts", dedicated=False)) != "scout-move"


@pytest.mark.rule("w10.deploy.scouts.order")
@pytest.mark.parametrize("first", [0, 1])
def test_the_player_with_the_first_turn_moves_all_scouts_first(first: int):
    """Two Scouts units each: both of the first player's, in the order of that player's choice, then the other's."""
    scene = Scene()
    for player in (0, 1):
        for k in (1, 2):
            scene.unit(player, sheet(f"Scouts {player}{k}", abilities={"scouts": 6}), models=1)
    battle = scene.battle(phase="mission", detail="full", rules={"first_player": first})
    play_until(battle, "select-scouts")
    moved = []
    while kind(battle) in ("select-scouts", "scout-move"):
        if kind(battle) == "select-scouts":
            assert battle.decision is not None
            assert len(words(battle)) == 2
            pick(battle, f"{battle.decision.player}2")  # the second of them goes first
        assert battle.decision is not None
        moved.append(battle.setup.names["units"][battle.decision.subject])
        choose(battle, "done")
    second = 1 - first
    assert moved == [f"Scouts {first}2", f"Scouts {first}1", f"Scouts {second}2", f"Scouts {second}1"]
    assert DEPLOYING not in battle.units.place


@pytest.mark.rule("w10.deploy.scouts.move", "w10.transport.embark")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("moves", [False, True])
def test_a_scouts_move_is_a_normal_move_after_which_a_unit_may_embark(detail: str, moves: bool):
    """It ends its move (of 0") 2" from a TRANSPORT; without a move it may not embark."""
    scene = Scene()
    abilities = {"transport": {"capacity": 6, "allowed": ["INFANTRY"]}}
    bus = scene.unit(0, sheet("Bus", hull_in=(5, 3), keywords=("VEHICLE", "TRANSPORT"), abilities=abilities), models=1)
    squad = scene.unit(0, sheet("Squad", abilities={"scouts": 6}), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle(phase="mission", detail=detail, rules={"first_player": 0})
    play_until(battle, "scout-move")
    m = battle.models
    m.x[bus.first], m.y[bus.first], m.x[squad.first], m.y[squad.first] = 30, 4, 30, 9
    if not moves:
        choose(battle, "done")
    elif detail == "full":
        choose(battle, "option")
        pick(battle, "end the move")
    else:
        choose(battle, "cell", 17 * 17 // 2)
    assert (kind(battle) == "embark") == moves
    if moves:
        pick(battle, "embark in Bus")
        assert (battle.units.place[squad], battle.units.carrier[squad]) == (EMBARKED, bus.row)
    assert battle.units.moved[squad] == 0
