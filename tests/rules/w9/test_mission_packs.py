"""Secondary objectives and rules of mission packs (w9.mission.while-we-stand.*, .capture-and-control.*, .supply-cache, .crusade.*)."""

from __future__ import annotations

import pytest
from classic import battle_of, in_phase
from ninth import NinthScene

from wh_env.content import ContentError, w9
from wh_env.core.tables import DESTROYED, RESERVE
from wh_env.rulesets.w9.mission.stand import STANDING, identified
from wh_env.rulesets.w9.mission.steps import STEPS
from wh_env.testing import choose, kind, pick, place, sheet, slots, told

SCORE = "w9.mission.while-we-stand.score"


def chosen_by(player):
    return {"secondaries": ((STANDING,), ()) if player == 0 else ((), (STANDING,))}


def army(points, *, player=0, fortification=None):
    """An army of units of these points, before the battle."""
    scene = NinthScene()
    units = [scene.unit(player, sheet(f"Unit {n}"), points=p) for n, p in enumerate(points)]
    if fortification is not None:
        units.append(scene.unit(player, sheet("Fort", keywords=("FORTIFICATION",)), points=fortification))
    scene.unit(1 - player, sheet("Other"), points=500)
    return scene.battle("mission", rules=chosen_by(player)), units


@pytest.mark.rule("w9.mission.while-we-stand.choose")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("tied", [2, 3])
def test_the_three_units_that_cost_most_ties_by_choice(player, tied):
    """200, 150, 120, 120 and 90 points and a Fortification of 180: the 200, the 150 and one of the two of 120."""
    battle, units = army([200, 150, 120, 120, 90], player=player, fortification=180)
    assert (kind(battle), battle.decision.player) == ("stand-and-fight", player)
    assert slots(battle, "own") == [2, 3]
    pick(battle, f"Unit {tied}")
    assert kind(battle) != "stand-and-fight"
    assert identified(battle, player) == sorted(units[n].row for n in (0, 1, tied))
    assert identified(battle, 1 - player) == []


@pytest.mark.rule("w9.mission.while-we-stand.choose")
def test_without_ties_nothing_is_asked_and_without_the_objective_nobody_is_identified():
    battle, units = army([90, 200, 150, 120])
    assert kind(battle) != "stand-and-fight"
    assert identified(battle, 0) == [units[n].row for n in (1, 2, 3)]
    scene = NinthScene()
    for player in (0, 1):
        scene.unit(player, sheet(f"Unit {player}"))
    assert identified(scene.battle("mission"), 0) == []


@pytest.mark.rule("w9.mission.while-we-stand.small-army")
@pytest.mark.parametrize("points", [[50], [50, 50], [90, 50, 90]])
def test_of_three_units_or_fewer_all_are_identified(points):
    battle, units = army(points, fortification=200)
    assert kind(battle) != "stand-and-fight"
    assert identified(battle, 0) == [unit.row for unit in units[:-1]]


def ending(places, player=0, active=1, round=5):
    """The last turn of a battle; the identified units of the player are in these places."""
    scene = NinthScene()
    units = []
    for number, where in enumerate(places):
        at = (10 + 8 * number, 10)
        if where == "embarked":
            cargo = {"transport": {"capacity": 5, "allowed": ["INFANTRY"]}}
            bus = sheet("Bus", keywords=("VEHICLE", "TRANSPORT"), abilities=cargo)
            carrier = scene.unit(player, bus, at=(40, 20))
            units.append(scene.unit(player, sheet(f"Unit {number}"), models=1, embarked_in=carrier))
        elif where == "table":
            units.append(scene.unit(player, sheet(f"Unit {number}"), at=at))
        else:
            units.append(scene.unit(player, sheet(f"Unit {number}"), models=1, place=where))
    scene.unit(player, sheet("Not identified"), at=(5, 5))
    scene.unit(1 - player, sheet("Other"), at=(50, 40))

    def identify(battle):
        for unit in units:
            battle.standing[unit.row] = 1

    return scene.battle("morale", active=active, round=round, rules=chosen_by(player), set_state=identify)


@pytest.mark.rule("w9.mission.while-we-stand.score")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("places", "vp"),
    [
        (("destroyed", "embarked", "table"), 5),
        (("table", "table", "table"), 15),
        (("table", "table"), 10),
        (("reserves", "table", "destroyed"), 5),
        (("destroyed",) * 3, 0),
    ],
)
def test_five_points_for_each_that_is_on_the_battlefield_at_the_end(player, places, vp):
    battle = ending(places, player)
    assert battle.over
    assert battle.players.vp[player] == vp
    assert battle.players.vp[1 - player] == 0
    assert [event["scored"] for event in told(battle, SCORE)] == [vp]


@pytest.mark.rule("w9.mission.while-we-stand.score")
def test_nothing_is_scored_before_the_end():
    battle = ending(("table",) * 3, round=4)
    assert not battle.over
    assert battle.players.vp[0] == 0


# ---------------------------------------------------------------- Capture and Control of the packs

MARKERS = ((10, 20), (25, 20), (40, 20), (52, 20))


def scored(mine, theirs, *, battle_round=2, active=0):
    """VP of the active player at the end of its Command phase; of so many markers each player controls."""
    scene = NinthScene()
    for marker in MARKERS:
        scene.marker(*marker)
    for player in (0, 1):
        scene.unit(player, sheet(f"Far {player}"), at=(5 + 50 * player, 40))
    for number, (x, y) in enumerate(MARKERS[: mine + theirs]):
        player = active if number < mine else 1 - active
        scene.unit(player, sheet(f"Unit {number}"), at=(x, y + 3))
    rules = {"primary": "conditions", "first_scoring_round": 2, "max_vp_each_turn": 15}
    battle = scene.battle("command", active=active, round=battle_round, rules=rules)
    assert battle.players.vp[1 - active] == 0
    return battle.players.vp[active]


@pytest.mark.rule("w9.mission.capture-and-control.conditional")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize(
    ("mine", "theirs", "vp"), [(2, 1, 15), (1, 1, 5), (2, 2, 10), (1, 0, 10), (0, 1, 0), (4, 0, 15), (0, 0, 0)]
)
def test_five_points_for_each_condition_that_is_met(mine, theirs, vp, active):
    assert scored(mine, theirs, active=active) == vp


@pytest.mark.rule("w9.mission.capture-and-control.conditional")
@pytest.mark.parametrize(("battle_round", "vp"), [(1, 0), (2, 15), (5, 15)])
def test_from_the_second_battle_round_on(battle_round, vp):
    assert scored(2, 1, battle_round=battle_round) == vp


@pytest.mark.rule("w9.mission.supply-cache")
@pytest.mark.parametrize(("mine", "vp"), [(2, 10), (1, 5)])
def test_the_second_condition_is_two_markers_or_more(mine, vp):
    """The opponent controls as many, so that the third condition is not met."""
    assert scored(mine, mine) == vp


# ---------------------------------------------------------------- Crusade


def waiting(last, *, active=1, round=3, begun=True):
    """The end of a battle round with a TRANSPORT and its passengers in Reserves, since before the battle or not."""
    scene = NinthScene()
    cargo = {"transport": {"capacity": 5, "allowed": ["INFANTRY"]}}
    bus = scene.unit(
        0, sheet("Bus", keywords=("VEHICLE", "TRANSPORT"), abilities=cargo), models=1, reserves="strategic"
    )
    riders = scene.unit(0, sheet("Riders"), models=2, embarked_in=bus)
    scene.unit(0, sheet("Line"), at=(5, 5))
    scene.unit(1, sheet("Other"), at=(50, 40))

    def state(battle):
        battle.waiting[bus.row] = int(begun)

    rules = {"reserves_lost_after": last}
    battle = scene.battle("morale", active=active, round=round, rules=rules, set_state=state, run=False)
    for _ in range(2000):  # to the first decision of the next turn
        if battle.clock.turn[0] != active or battle.over:
            break
        battle.run()
    return battle, bus.row, riders.row


@pytest.mark.rule("w9.mission.crusade.reserves-lost")
def test_what_has_not_arrived_by_the_end_of_the_third_round_counts_as_destroyed():
    battle, bus, riders = waiting(3)
    assert [battle.units.place[unit] for unit in (bus, riders)] == [DESTROYED] * 2
    assert [battle.units.alive[unit] for unit in (bus, riders)] == [0, 0]
    told_of = [event["unit"] for event in told(battle, "w9.mission.crusade.reserves-lost")]
    assert sorted(told_of) == sorted([bus, riders])


@pytest.mark.rule("w9.mission.crusade.reserves-lost")
def test_none_of_their_models_is_left():
    """Each model of the TRANSPORT and of its passengers is destroyed, with no Wounds; those that stand are not."""
    battle, bus, riders = waiting(3)
    lost = [battle.models.unit[k] in (bus, riders) for k in range(len(battle.models.alive))]
    assert sum(lost) == 3
    assert [alive == 0 for alive in battle.models.alive] == lost
    assert [wounds == 0 for wounds in battle.models.wounds] == lost


@pytest.mark.rule("w9.mission.crusade.reserves-lost")
@pytest.mark.parametrize(
    "options", [{"active": 0}, {"round": 2}, {"begun": False}], ids=["first turn", "second round", "left later"]
)
def test_not_earlier_and_not_what_went_into_reserves_during_the_battle(options):
    battle, bus, riders = waiting(3, **options)
    assert battle.units.place[bus] == RESERVE
    assert battle.units.alive[riders] == 2


@pytest.mark.rule("w9.mission.crusade.reserves-lost")
def test_other_missions_wait_until_the_end():
    battle, bus, _ = waiting(0)
    assert battle.units.place[bus] == RESERVE


@pytest.mark.rule("w9.mission.crusade.reserves-lost")
def test_who_is_in_reserves_when_the_first_round_begins_is_noted():
    scene = NinthScene()
    for player in (0, 1):
        scene.unit(player, sheet(f"Line {player}"))
    late = scene.unit(1, sheet("Late"), models=1, reserves="strategic")
    battle = scene.battle("mission")
    while battle.clock.round[0] == 0:
        battle.apply(battle.first_legal())
    assert [bool(battle.waiting[unit]) for unit in (0, 1, late.row)] == [False, False, True]


def arriving(*, battle_round=1, active=0, **rules):
    """The Movement phase with a unit in Strategic Reserves and one with Teleport Strike; who can arrive is asked when all have moved."""
    scene = NinthScene()
    guard = scene.unit(active, sheet("Guard"), models=1, reserves="strategic", points=50)
    scene.unit(active, sheet("Strikers", abilities={"deep_strike": True}), models=1, reserves="deep-strike", points=50)
    scene.unit(active, sheet("Line", M=1), at=(30, 22))
    scene.unit(1 - active, sheet("Other"), at=(5, 22))
    battle = scene.battle("movement", active=active, round=battle_round, rules=rules)
    pick(battle, "Remain Stationary")
    return battle, guard


CRUSADE = {"reinforcements_from_round": 2}


@pytest.mark.rule("w9.mission.crusade.reserves-round-one")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize(
    ("battle_round", "rules", "offered"),
    [
        (1, CRUSADE, []),
        (1, {**CRUSADE, "strategic_reserves_from_round": 1}, [0]),
        (2, CRUSADE, [0, 1]),
        (2, {**CRUSADE, "strategic_reserves_from_round": 1}, [0, 1]),
    ],
)
def test_who_can_arrive_in_the_first_battle_round(battle_round, rules, offered, active):
    """Nobody; with a sentence of the mission units in Strategic Reserves, and never one with Teleport Strike."""
    battle, _ = arriving(battle_round=battle_round, active=active, **rules)
    found = slots(battle, "own") if kind(battle) == "select-reserves" else []
    assert found == offered


@pytest.mark.rule("w9.mission.crusade.reserves-placement")
@pytest.mark.parametrize("active", [0, 1])
def test_in_the_first_round_they_are_set_up_as_in_the_second(active):
    """Wholly within 6" of an edge, not in the enemy zone, more than 9" from enemies."""
    battle, guard = arriving(active=active, **CRUSADE, strategic_reserves_from_round=1)
    pick(battle, "Guard")
    if kind(battle) == "arrive-by":
        pick(battle, "away from enemies")
    cells = slots(battle, "cell")
    by_a_side = False
    for cell in cells:
        trial = battle.clone()
        choose(trial, "cell", cell)
        x, y = place(trial, guard.first)
        own = y if active == 0 else 44 - y  # from the own edge
        assert own <= 34 - 0.5 + 1e-3
        assert min(x, y, 60 - x, 44 - y) <= 5.5 + 1e-3
        assert trial.distance(guard.row, 3 if active == 0 else 0) > 9
        by_a_side = by_a_side or (12 < own < 32 and min(x, 60 - x) < 6)
    assert by_a_side


# ---------------------------------------------------------------- quarters


@pytest.mark.rule("w9.mission.quarters", "w9.concepts.wholly-within")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("spots", "lost", "scored"),
    [
        ([(20, 10)], (), 1),
        ([(21.5, 10), (22.5, 10)], (), 0),  # spread over x = 21 to 23
        ([(14, 10), (15.5, 10), (17, 10), (18.5, 10), (21.6, 10)], (), 0),  # the fifth sticks out by 0.1"
        ([(14, 10), (15.5, 10), (17, 10), (18.5, 10), (21.6, 10)], (4,), 1),
        ([(10, 30)], (), 0),  # across y = 30
        ([(10, 29.5)], (), 1),
    ],
)
def test_points_for_quarters_in_which_a_unit_is_wholly_within(player, spots, lost, scored):
    """A battlefield of 44" by 60", divided at x = 22 and y = 30, at the end of a Command phase; another unit is in the opposite quarter."""
    scene = NinthScene(size=(44, 60))
    scene.unit(player, sheet("Squad"), at=spots, models=len(spots), lost=lost)
    scene.unit(player, sheet("Watch"), at=(30, 45), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(40, 55), models=1)
    secondaries = (("quarters",), ()) if player == 0 else ((), ("quarters",))
    battle = scene.battle("command", active=player, rules={"secondaries": secondaries, "vp_each_quarter": 2})
    assert battle.players.vp[player] == 2 * (1 + scored)
    assert battle.players.vp[1 - player] == 0
    assert kind(battle) == "select-to-move" or battle.clock.round[0] > 1


# ---------------------------------------------------------------- Crossfire


@pytest.mark.rule("w9.mission.crossfire-map")
@pytest.mark.parametrize(
    ("size", "places"),
    [([44, 30], [(10, 15), (34, 15)]), ([30, 44], [(15, 10), (15, 34)]), ([60, 44], [(18, 22), (42, 22)])],
)
def test_markers_of_crossfire_stand_twelve_inches_from_the_vertical_centre_line(size, places):
    """They stand before anything is asked, and keep their places through the battle; nobody places any."""
    field = {"name": "bare", "size": size}
    loaded = w9.GAME.load("w9/only-war-incursion", {"mission": "crossfire", "battlefield": field})
    battle = battle_of(w9.GAME.compile(loaded, None, None))
    for _ in range(60):
        assert kind(battle) not in ("place-marker", "place-marker-exactly")
        assert [(battle.objectives.x[k], battle.objectives.y[k]) for k in range(len(battle.objectives.x))] == places
        assert list(battle.objectives.placed) == [1, 1]
        battle.apply(battle.first_legal())


@pytest.mark.rule("w9.mission.crossfire-map")
def test_markers_of_the_mission_are_placed_on_no_other_battlefield_than_it_fits():
    """Places that do not fit its number are a fault of the file; those of the battlefield give way to those of the mission."""
    own = w9.load_mission("crossfire").model_dump(mode="json", exclude_none=True)
    with pytest.raises(ContentError) as caught:
        w9.load_mission({**own, "markers": {**own["markers"], "at": [[-12, 0]]}})
    assert caught.value.field == "markers.at"
    field = {"name": "bare", "size": [44, 30], "objectives": [[22, 10], [22, 20]]}
    loaded = w9.GAME.load("w9/only-war-incursion", {"mission": "crossfire", "battlefield": field})
    assert loaded.battlefield.objectives == ((10, 15), (34, 15))
    with pytest.raises(ContentError, match="too near"):  # a container stands there
        w9.GAME.load("w9/only-war-incursion", {"mission": "crossfire", "battlefield": "incursion-1"})


# ---------------------------------------------------------------- the Crusade mission sequence


@pytest.mark.rule("w9.mission.crusade.step-numbers")
@pytest.mark.parametrize("crusade", [True, False])
def test_steps_of_crusade_missions_are_numbered_as_the_errata_say(crusade):
    """Deploy Armies is step 11, Determine First Turn 12, and when the battle is over Update Order of Battle 18; the order is that of other
    missions, whose steps keep their numbers."""
    own = w9.load_mission("only-war-patrol").model_dump(mode="json", exclude_none=True)
    loaded = w9.GAME.load("w9/only-war-patrol", {"mission": {**own, "crusade": crusade, "rounds": 1}})
    battle = in_phase(loaded, "mission", None)
    while battle.decision is not None:
        battle.apply(battle.first_legal())
    found = [e.data for e in battle.events if e.kind == "step"]
    steps = [(each["name"], each["step"]) for each in found if "step" in each]
    names = [each["name"] for each in found]
    assert names[:8] == list(STEPS)
    if crusade:
        assert {"Deploy Armies": 11, "Determine First Turn": 12, "Update Order of Battle": 18}.items() <= dict(
            steps
        ).items()
        assert [number for _, number in steps] == [11, 12, 13, 14, 18]
        assert names[8:] == ["Update Order of Battle"]
        assert {e.rule for e in battle.events if e.kind == "step" and "step" in e.data} == {
            "w9.mission.crusade.step-numbers"
        }
    else:
        assert steps == [(name, at) for at, name in enumerate(STEPS, 1)]
