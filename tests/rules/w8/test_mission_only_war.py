"""Only War: what comes before the battle, the Underdog, primary objectives, victory (w8.mission.*)."""

from __future__ import annotations

from math import hypot

import numpy as np
import pytest
from eighth import EighthScene

from wh_env.core.tables import DESTROYED, ON_TABLE, RESERVE
from wh_env.rulesets.w8.mission import halves
from wh_env.rulesets.w8.mission.state import Primary
from wh_env.rulesets.w40k.deploy.markers import marker_allowed
from wh_env.rulesets.w40k.deploy.zones import zone_of
from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.testing import choose, dice_left, kind, ranged, sheet, slots, told, words

SQUAD = sheet("Squad")
HERO = sheet("Hero", W=4, models=(1, 1), keywords=("CHARACTER", "INFANTRY"))
GUN = sheet("Gun", weapons={"gun": ranged(48, A=10, BS=2, S=10, AP=-6, D=6)}, models=(1, 1))


def field(**options):
    """An army on each side, on 72" by 48", from the mission sequence on."""
    scene = EighthScene(size=options.pop("size", (72, 48)))
    for player, units in enumerate(options.pop("armies", ([(SQUAD, 40)], [(SQUAD, 40)]))):
        for number, (datasheet, power, *more) in enumerate(units):
            more = more[0] if more else {}
            scene.unit(player, datasheet, place="deploy", power=power, name=f"{player} {number}", **more)
    for marker in options.pop("markers", ()):
        scene.marker(*marker)
    options.setdefault("attacker", None)
    rules = {"first_player": -1, **options.pop("rules", {})}
    return scene.battle("mission", rules=rules, **options)


def events(battle, rule, kind):
    """Data of the events of a rule of one kind."""
    return [event.data for event in battle.events if (event.rule, event.kind) == (rule, kind)]


def to(battle, name):
    """Play on with the first legal answers until this decision waits."""
    while battle.decision is not None and kind(battle) != name:
        battle.apply(battle.first_legal())
    assert battle.decision is not None
    return battle


# ---------------------------------------------------------------- objective markers


@pytest.mark.rule("w8.mission.objectives.place", "w8.mission.objectives.order")
@pytest.mark.parametrize(("dice", "first"), [([3, 5], 1), ([5, 3], 0), ([4, 4, 6, 1], 0)])
def test_the_players_take_turns_from_the_winner_of_a_roll_off_until_four_are_placed(dice, first):
    battle = field(dice=dice, rules={"players_place_markers": 4})
    asked = []
    while kind(battle) == "place-marker":
        asked.append(battle.decision.player)
        battle.apply(battle.first_legal())
    assert asked == [first, 1 - first, first, 1 - first]
    o = battle.objectives
    places = [(o.x[k], o.y[k]) for k in range(4)]
    assert all(hypot(a[0] - b[0], a[1] - b[1]) >= 10 - 1e-3 for a in places for b in places if a != b)


@pytest.mark.rule("w8.mission.objectives.place", "w8.mission.objectives.measure")
@pytest.mark.parametrize(
    ("place", "allowed"),
    [
        ((30, 20), True),
        ((29.9, 20), False),
        ((20, 30), True),
        ((20, 29.9), False),
        ((1, 1), True),
        ((71.5, 47.5), True),
    ],
)
def test_ten_inches_from_centre_to_centre_are_enough(place, allowed):
    """A marker at (20, 20); there is no rule about edges."""
    battle = field(rules={"players_place_markers": 4})
    o = battle.objectives
    o.x[0], o.y[0], o.placed[0] = 20, 20, 1
    assert marker_allowed(battle, *place) is allowed


@pytest.mark.rule("w8.mission.objectives.place")
def test_a_cell_whose_centre_is_too_near_is_not_offered():
    battle = field(rules={"players_place_markers": 4})
    grid = battle.setup.space.grid
    choose(battle, "cell", 8 * grid + 8)
    for cell in slots(battle, "cell"):
        x, y = (cell % grid + 0.5) * 72 / grid, (cell // grid + 0.5) * 48 / grid
        assert hypot(x - 36, y - 24) >= 10 - 1e-3


# ---------------------------------------------------------------- primary objectives, zones


@pytest.mark.rule("w8.mission.primary.roll", "w8.mission.primary.table")
@pytest.mark.parametrize(("die", "primary"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
@pytest.mark.parametrize(("rolls", "winner"), [([5, 2], 0), ([1, 6], 1)])
def test_the_winner_rolls_for_the_primary_objective(die, primary, rolls, winner):
    battle = field(dice=[*rolls, die])
    assert dice_left(battle) == 0
    assert battle.mission.primary[0] == primary
    (event,) = told(battle, "w8.mission.primary.table")
    assert event["player"] == winner
    assert event["name"] == {1: "Slay and Secure", 2: "Ancient Relic", 3: "Domination"}[primary]


@pytest.mark.rule("w8.mission.deploy.halves", "w8.mission.deploy.halves.lines")
@pytest.mark.parametrize(("rolls", "roller"), [([5, 2], 0), ([1, 6], 1)])
def test_who_did_not_roll_divides_the_battlefield_in_one_of_four_ways(rolls, roller):
    battle = field(dice=[*rolls, 1])
    assert (kind(battle), battle.decision.player) == ("divide", 1 - roller)
    assert slots(battle, "option") == [0, 1, 2, 3]
    assert len(battle.decision.options) == 4
    for number in range(4):
        for half in halves.halves(72.0, 48.0, number):
            x, y = half[:, 0], half[:, 1]
            assert abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2 == pytest.approx(72 * 48 / 2)
    across = halves.halves(72.0, 48.0, 0)
    assert {float(x) for x in across[0][:, 0]} == {0.0, 36.0}
    assert {float(x) for x in across[1][:, 0]} == {36.0, 72.0}


@pytest.mark.rule("w8.mission.deploy.zones", "w8.mission.deploy.alternate")
@pytest.mark.parametrize("roller", [0, 1])
@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("division", [0, 1, 2, 3])
def test_the_other_player_chooses_a_half_and_deploys_second(roller, half, division):
    battle = field(dice=[6, 1, 1] if roller == 0 else [1, 6, 1])
    choose(battle, "option", division)
    assert (kind(battle), battle.decision.player) == ("choose-zone", roller)
    assert slots(battle, "option") == [0, 1]
    choose(battle, "option", half)
    assert (kind(battle), battle.decision.player) == ("deploy-to", 1 - roller)
    battle.apply(battle.first_legal())
    battle.apply(battle.first_legal())
    a, b, c = halves.lines(72.0, 48.0)[division]
    for player in (0, 1):
        first = roller if half == 0 else 1 - roller
        side = 1 if player == first else -1
        for k in battle.members(player):
            m = battle.models
            gap = side * (c - a * m.x[k] - b * m.y[k]) - m.radius[k]
            assert gap > 12.0  # from the line, on the own side of it


@pytest.mark.rule("w8.mission.deploy.halves.lines", "w8.mission.deploy.zones")
@pytest.mark.parametrize("size", [(72, 48), (48, 72), (48, 48)])
@pytest.mark.parametrize("division", [0, 1, 2, 3])
def test_halves_are_called_by_where_they_lie(size, division):
    """On tables that are longer along x and along y alike: the middle of the half that is named lies that way from the centre."""
    battle = field(size=size, dice=[6, 1, 1])
    said = words(battle)[battle.setup.space.option + division]
    choose(battle, "option", division)
    named = list(words(battle).values())
    both = halves.halves(*map(float, size), division)
    for name, half in zip(named, both, strict=True):
        x, y = half.mean(axis=0) - np.array(size) / 2
        assert ("east" in name, "west" in name) == (x > 1, x < -1)
        assert ("north" in name, "south" in name) == (y > 1, y < -1)
    a, b, _ = halves.lines(*map(float, size))[division]
    if "short edges" in said:
        assert abs(a) == (size[0] >= size[1])
    elif "long edges" in said:
        assert abs(b) == (size[0] >= size[1])
    else:
        rises = a * b < 0
        assert ("south-west to the north-east" in said) is rises


@pytest.mark.rule("w8.mission.deploy.where")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_units_stand_more_than_twelve_inches_from_the_other_half(detail):
    battle = field(dice=[6, 1, 1], detail=detail)
    choose(battle, "option", 0)
    choose(battle, "option", 0)
    west, east = zone_of(battle, 0), zone_of(battle, 1)
    assert west[:, 0].max() == pytest.approx(24.0, abs=1e-3)
    assert west[:, 0].max() < 24.0  # 12" exactly are not enough
    assert east[:, 0].min() == pytest.approx(48.0, abs=1e-3)
    assert east[:, 0].min() > 48.0


@pytest.mark.rule("w8.mission.deploy.alternate", "w8.mission.deploy.run-out")
@pytest.mark.parametrize(("mine", "theirs", "order"), [(2, 3, "BABAB"), (1, 3, "BABB"), (3, 1, "BAAA"), (1, 1, "BA")])
def test_units_are_set_up_in_turn_from_the_player_who_divided_the_battlefield(mine, theirs, order):
    """A (player 0) chose the zones."""
    armies = [[(SQUAD, 4)] * mine, [(SQUAD, 4)] * theirs]
    battle = field(dice=[6, 1, 1], armies=armies)
    choose(battle, "option", 1)
    choose(battle, "option", 0)
    picked = ""
    while kind(battle) in ("select-to-deploy", "deploy-to"):
        if kind(battle) == "deploy-to":
            picked += "AB"[battle.decision.player]
        battle.apply(battle.first_legal())
    assert picked == order


@pytest.mark.rule("w8.mission.deploy.run-out")
def test_a_unit_in_reserve_takes_a_pick_and_one_that_is_embarked_does_not():
    truck = sheet(
        "Truck",
        models=(1, 1),
        keywords=("TRANSPORT", "VEHICLE"),
        abilities={"transport": {"capacity": 12, "allowed": ["INFANTRY"]}},
    )
    scene = EighthScene(size=(72, 48))
    strikers = sheet("Strikers", abilities={"deep_strike": True})
    waiting = scene.unit(1, strikers, place="deploy", reserves="deep-strike")
    carrier = scene.unit(1, truck, place="deploy")
    inside = scene.unit(1, SQUAD, embarked_in=carrier, place="deploy")
    for number in range(3):
        scene.unit(0, SQUAD, place="deploy", name=f"A {number}")
    battle = scene.battle("mission", attacker=None, dice=[6, 1, 1])
    choose(battle, "option", 1)
    choose(battle, "option", 0)
    assert (kind(battle), battle.decision.player) == ("select-to-deploy", 1)
    choose(battle, "own", waiting.number)
    assert battle.units.place[waiting] == RESERVE
    assert battle.decision.player == 0
    battle.apply(battle.first_legal())
    battle.apply(battle.first_legal())
    assert (kind(battle), battle.decision.player) == ("deploy-to", 1)  # only the TRANSPORT is left to B
    battle.apply(battle.first_legal())
    assert battle.units.carrier[inside] == carrier.row
    assert battle.decision.player == 0


# ---------------------------------------------------------------- no room, Power Levels, the Underdog


GIANT = sheet("Giant", base_mm=400, models=(1, 1))  # zones of a table of 44" by 30" are 10" deep


@pytest.mark.rule("w8.mission.deploy.until", "w8.mission.deploy.left-over")
def test_a_unit_without_room_is_skipped_and_takes_no_part():
    armies = [[(SQUAD, 5), (SQUAD, 5), (GIANT, 4)], [(SQUAD, 5)]]
    battle = to(field(size=(44, 30), dice=[6, 1, 1], armies=armies, rules={"division": 0}), "first-turn")
    assert battle.units.place[2] == DESTROYED
    (event,) = [e for e in told(battle, "w8.mission.power-level") if "levels" in e]
    assert event["levels"] == (10, 5)
    assert not [e for e in told(battle, "w8.concepts.unit-destroyed") if e.get("unit") == 2]


@pytest.mark.rule("w8.mission.deploy.left-over")
def test_to_slay_all_other_units_is_to_slay_the_army():
    """Of two enemy units one found no room. The gun shoots the only other model, and the battle is over; it is not if the shots
    miss, nor if the second unit stands on the table."""
    lone = sheet("Lone", models=(1, 1))
    for second, missed in ((GIANT, False), (GIANT, True), (sheet("Other", models=(1, 1)), False)):
        armies = [[(GUN, 5)], [(lone, 5), (second, 4)]]
        dice = [6, 1, 1, *[1 if missed else 6] * 20, *[1] * 10]
        battle = field(size=(44, 30), dice=dice, armies=armies, rules={"division": 0, "first_player": 0})
        to(battle, "move-kind")
        assert battle.units.place[2] == (DESTROYED if second is GIANT else ON_TABLE)
        assert not battle.over
        to(battle, "select-to-shoot")
        while battle.decision is not None and battle.clock.phase[0] == 3 and battle.units.alive[1]:
            battle.apply(battle.decision.options[-1])
        assert battle.over is (second is GIANT and not missed)
        if battle.over:
            assert (battle.clock.round[0], battle.result.winner) == (1, 0)
            assert len(events(battle, "w8.mission.victory.wipe-out", "major victory")) == 1


@pytest.mark.rule("w8.mission.power-level", "w8.mission.command-rerolls")
@pytest.mark.parametrize(
    ("mine", "theirs", "weaker", "rerolls"),
    [(42, 37, 1, 0), (60, 51, 1, 0), (60, 50, 1, 1), (60, 41, 1, 1), (60, 40, 1, 2), (20, 50, 0, 3), (10, 59, 0, 4)],
)
def test_the_lower_power_level_is_the_underdog_with_a_reroll_for_each_full_ten(mine, theirs, weaker, rerolls):
    battle = to(field(armies=[[(SQUAD, mine - 3), (SQUAD, 3)], [(SQUAD, theirs)]], rules={"division": 1}), "first-turn")
    assert battle.decision.player == weaker
    assert battle.players.cp[weaker] == rerolls
    assert battle.players.cp[1 - weaker] == 0


@pytest.mark.rule("w8.mission.power-level.tie")
@pytest.mark.parametrize(("rolls", "roller"), [([5, 2], 0), ([1, 6], 1)])
def test_of_equal_armies_who_chose_the_zones_is_the_underdog(rolls, roller):
    battle = to(field(dice=[*rolls, 1]), "first-turn")
    assert battle.decision.player == roller


@pytest.mark.rule("w8.mission.first-turn", "w8.round.same-first-player")
@pytest.mark.parametrize("option", [0, 1])
@pytest.mark.parametrize("weaker", [0, 1])
def test_the_underdog_chooses_who_has_the_first_turn_of_every_round(option, weaker):
    powers = (30, 40) if weaker == 0 else (40, 30)
    battle = to(field(armies=[[(SQUAD, powers[0])], [(SQUAD, powers[1])]]), "first-turn")
    assert slots(battle, "option") == [0, 1]
    choose(battle, "option", option)
    first = weaker if option == 0 else 1 - weaker
    while battle.decision is not None and battle.clock.round[0] < 3:
        battle.apply(battle.first_legal())
    turns = [(e["player"], e["round"]) for e in events(battle, "w8.round.turns", "turn")]
    assert turns[:4] == [(first, 1), (1 - first, 1), (first, 2), (1 - first, 2)]


@pytest.mark.rule("w8.mission.setup-order")
def test_the_steps_come_in_their_order():
    armies = [[(HERO, 5, {"warlord": True}), (SQUAD, 5)], [(SQUAD, 5)]]
    battle = field(armies=armies, rules={"players_place_markers": 4, "warlords": "choose"})
    seen = []
    while battle.clock.round[0] == 0:
        seen.append(kind(battle))
        if kind(battle) == "warlord-trait":
            assert battle.setup.ruleset.deployment_zones(battle)
            assert not any(battle.models.on_table)
        slot = slots(battle, "own")
        battle.apply(battle.first_legal()) if kind(battle) != "nominate-unit" else choose(battle, "own", slot[0])
    order = list(dict.fromkeys(seen))
    assert order == [
        "nominate-unit", "place-marker", "divide", "choose-zone", "warlord-trait", "select-to-deploy", "deploy-to", "first-turn",
    ]  # fmt: skip
    steps = [(e["step"], e["name"]) for e in told(battle, "w8.mission.setup-order") if "step" in e]
    assert [step for step, _ in steps] == list(range(1, 12))


# ---------------------------------------------------------------- what markers are worth


MARKERS = ((10, 20), (26, 20), (42, 20), (58, 20))


def ending(primary, places, *, active=1, round=5, phase="morale", lost=(), dice=(), holder=-1, **options):
    """The end of a turn with models at places: (player, place); ``lost``: players whose Warlord is slain; ``holder``: who controlled the
    first marker up to now."""
    scene = EighthScene(size=(72, 48))
    for marker in MARKERS:
        scene.marker(*marker)
    for player, place in places:
        scene.unit(player, sheet(f"Unit {player} {place}", models=(1, 1)), at=place)
    warlords = [
        scene.unit(player, sheet(f"Warlord {player}", models=(1, 1)), at=(5 + 60 * player, 40), name=f"W{player}",
                   place="destroyed" if player in lost else "table")
        for player in (0, 1)
    ]  # fmt: skip

    def settle(battle):
        battle.mission.primary[0] = primary
        battle.mission.underdog[0] = 1 + options.pop("underdog", 0)
        battle.objectives.holder[0] = holder
        for player in (0, 1):
            battle.warlords.model[player] = warlords[player].model(0) + 1

    return scene.battle(phase, active=active, round=round, dice=dice, set_state=settle)


TWO_TO_ONE = [(0, (10, 20)), (0, (26, 20)), (1, (42, 20)), (0, (58, 20)), (1, (58, 21.5))]


@pytest.mark.rule("w8.mission.primary.slay-and-secure")
@pytest.mark.parametrize(("die", "more"), [(1, 1), (2, 1), (3, 2), (6, 3)])
@pytest.mark.parametrize("swap", [False, True])
def test_slay_and_secure(die, more, swap):
    places = [(1 - p if swap else p, place) for p, place in TWO_TO_ONE]
    battle = ending(Primary.SLAY_AND_SECURE, places, lost=(0,) if swap else (1,), dice=[die])
    assert battle.over
    assert dice_left(battle) == 0
    vp = list(battle.players.vp)
    assert (vp[::-1] if swap else vp) == [4 + more, 2]


@pytest.mark.rule("w8.mission.primary.slay-and-secure")
def test_nothing_is_scored_before_the_end_or_for_living_warlords():
    battle = ending(Primary.SLAY_AND_SECURE, TWO_TO_ONE, dice=[6])
    assert list(battle.players.vp) == [4, 2]
    assert dice_left(battle) == 1
    assert list(ending(Primary.SLAY_AND_SECURE, TWO_TO_ONE, round=4).players.vp) == [0, 0]


@pytest.mark.rule("w8.mission.primary.domination")
def test_domination_counts_at_the_end_of_each_turn_for_both():
    battle = ending(Primary.DOMINATION, TWO_TO_ONE, active=0, round=2)
    assert list(battle.players.vp) == [2, 1]
    while battle.clock.round[0] == 2 and battle.clock.turn[0] == 1 and not battle.over:
        battle.apply(battle.first_legal())
        if battle.clock.turn[0] == 0:
            break
    assert list(battle.players.vp) == [4, 2]
    last = ending(Primary.DOMINATION, TWO_TO_ONE)
    assert last.over
    assert list(last.players.vp) == [2, 1]


@pytest.mark.rule("w8.mission.primary.ancient-relic")
def test_one_marker_is_left_after_deployment_and_worth_six():
    battle = to(field(markers=MARKERS, dice=[6, 1, 3]), "first-turn")
    assert battle.mission.primary[0] == Primary.ANCIENT_RELIC
    assert sum(battle.objectives.placed) == 4
    choose(battle, "option", 0)
    assert sum(battle.objectives.placed) == 1
    (event,) = [e for e in told(battle, "w8.mission.primary.ancient-relic") if "marker" in e]
    assert list(battle.objectives.placed).index(1) == event["marker"]


@pytest.mark.rule("w8.mission.primary.ancient-relic")
def test_every_marker_can_be_the_relic():
    found = set()
    for seed in range(40):
        battle = to(field(markers=MARKERS, dice=[6, 1, 3], seed=seed), "first-turn")
        choose(battle, "option", 0)
        found.add(list(battle.objectives.placed).index(1))
    assert found == {0, 1, 2, 3}


@pytest.mark.rule("w8.mission.primary.ancient-relic")
@pytest.mark.parametrize(("places", "vp"), [([(0, (10, 20))], [6, 0]), ([(1, (10, 20))], [0, 6]), ([], [0, 0])])
def test_the_relic_is_worth_six_to_who_controls_it_at_the_end(places, vp):
    scene_battle = ending(Primary.ANCIENT_RELIC, places, round=4)
    scene_battle.objectives.placed[1] = scene_battle.objectives.placed[2] = scene_battle.objectives.placed[3] = 0
    while not scene_battle.over:
        actions = slots(scene_battle, "option")
        if kind(scene_battle) == "move-kind" and actions:
            choose(scene_battle, "option", 0)  # everybody stays
        else:
            scene_battle.apply(scene_battle.first_legal())
    assert list(scene_battle.players.vp) == vp


# ---------------------------------------------------------------- control


@pytest.mark.rule("w8.mission.objectives.control")
@pytest.mark.parametrize(
    ("mine", "theirs", "holder"), [(3, 2, 0), (2, 2, -1), (1, 0, 0), (0, 1, 1), (2, 3, 1), (0, 0, -1)]
)
def test_more_models_control_a_marker_and_all_count_alike(mine, theirs, holder):
    places = [(0, (8.5 + k * 1.4, 21.8)) for k in range(mine)] + [(1, (8.5 + k * 1.4, 18.2)) for k in range(theirs)]
    battle = ending(Primary.DOMINATION, places, active=0, round=2)
    assert battle.objectives.holder[0] == holder
    assert list(battle.players.vp) == [int(holder == 0), int(holder == 1)]


@pytest.mark.rule("w8.mission.objectives.control", "w8.mission.objectives.measure")
@pytest.mark.parametrize(("away", "counts"), [(3.0, True), (3.05, False), (3.8, False)])
@pytest.mark.parametrize("player", [0, 1])
def test_distances_are_measured_to_the_centre(away, counts, player):
    radius = 0.5
    battle = ending(Primary.DOMINATION, [(player, (10, 20 + away + radius))], active=0, round=2)
    assert (battle.players.vp[player] == 1) is counts


@pytest.mark.rule("w8.mission.objectives.control.present")
@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize("primary", list(Primary))
def test_control_does_not_stay_with_those_who_left(primary, before):
    """A player controlled the marker; when markers are scored nobody is there, or the other one."""
    for places, now in (([], -1), ([(1 - before, (10, 20))], 1 - before), ([(before, (10, 20))], before)):
        battle = ending(primary, places, holder=before)
        worth = {Primary.SLAY_AND_SECURE: 2, Primary.ANCIENT_RELIC: 6, Primary.DOMINATION: 1}[primary]
        assert battle.over
        assert battle.objectives.holder[0] == now
        assert list(battle.players.vp) == [worth * (now == 0), worth * (now == 1)]


@pytest.mark.rule("w8.mission.objectives.control.present")
def test_passengers_do_not_count():
    truck = sheet(
        "Truck",
        models=(1, 1),
        keywords=("TRANSPORT", "VEHICLE"),
        abilities={"transport": {"capacity": 12, "allowed": ["INFANTRY"]}},
    )
    scene = EighthScene(size=(72, 48))
    scene.marker(10, 20)
    carrier = scene.unit(0, truck, at=(10, 22))
    scene.unit(0, SQUAD, models=5, embarked_in=carrier)
    scene.unit(1, sheet("Two", models=(2, 2)), at=[(10, 18.4), (11.5, 18.4)])

    def dominate(battle):
        battle.mission.primary[0] = Primary.DOMINATION

    battle = scene.battle("morale", active=0, round=2, set_state=dominate)
    assert (battle.objectives.level0[0], battle.objectives.level1[0]) == (1, 2)
    assert list(battle.players.vp) == [0, 1]


# ---------------------------------------------------------------- length and victory


@pytest.mark.rule("w8.mission.length", "w8.mission.victory.points")
@pytest.mark.parametrize("swap", [False, True])
def test_the_battle_ends_after_five_rounds_and_more_points_win(swap):
    places = [(1 - p if swap else p, place) for p, place in TWO_TO_ONE]
    battle = ending(Primary.SLAY_AND_SECURE, places)
    assert battle.over
    assert battle.clock.round[0] == 5
    assert battle.result.winner == (1 if swap else 0)
    assert len(events(battle, "w8.mission.victory.points", "major victory")) == 1


@pytest.mark.rule("w8.mission.victory.tie")
@pytest.mark.parametrize("weaker", [0, 1])
def test_of_equal_points_the_underdog_wins_a_minor_victory(weaker):
    battle = ending(Primary.SLAY_AND_SECURE, [], underdog=weaker)
    assert battle.over
    assert battle.result.winner == weaker
    assert len(events(battle, "w8.mission.victory.tie", "minor victory")) == 1


def shot(target, **options):
    """A gun that cannot fail but by its dice aims at the last unit of the enemy."""
    scene = EighthScene()
    scene.unit(0, GUN, at=(30, 10))
    victim = scene.unit(1, target, at=(30, 25), name="Victim")
    for add in options.pop("more", ()):
        add(scene)
    battle = scene.battle("shooting", round=2, **options)
    to(battle, "select-to-shoot")
    battle.apply(battle.decision.options[-1])
    while battle.decision is not None and kind(battle) in ("shoot-target", "weapon-target"):
        battle.apply(battle.decision.options[-1])
    return battle, victim


@pytest.mark.rule("w8.mission.victory.wipe-out")
def test_who_slays_all_foes_wins_at_once_whatever_the_points():
    battle, _ = shot(sheet("Victim", models=(1, 1)), vp=(0, 7), dice=[6] * 20 + [1] * 10)
    assert battle.over
    assert battle.clock.round[0] == 2
    assert battle.result.winner == 0
    assert len(events(battle, "w8.mission.victory.wipe-out", "major victory")) == 1


@pytest.mark.rule("w8.mission.victory.wipe-out.off-board")
def test_units_in_reserve_and_embarked_are_still_alive():
    strikers = sheet("Strikers", abilities={"deep_strike": True})
    battle, _ = shot(
        sheet("Victim", models=(1, 1)),
        dice=[6] * 20 + [1] * 10,
        more=[lambda scene: scene.unit(1, strikers, reserves="deep-strike")],
    )
    assert battle.units.place[1] == DESTROYED
    assert not battle.over


@pytest.mark.rule("w8.mission.victory.wipe-out.off-board")
def test_an_army_whose_last_model_flees_is_slain():
    scene = EighthScene()
    scene.unit(0, SQUAD, at=(10, 10))
    unit = scene.unit(1, sheet("Last", Ld=4), models=5, at=[(20 + 1.5 * k, 30) for k in range(5)], lost=range(4))

    def strike(battle):
        for k in range(4):
            battle.toll[unit.model(k)] = 1

    battle = scene.battle("morale", round=2, dice=[6], set_state=strike)
    while not battle.over and kind(battle) in ("select-to-test", "fleeing-model"):
        battle.apply(battle.first_legal())
    assert battle.over
    assert battle.result.winner == 0


def mutual(vp, underdog, *, dice=(6, 6, 1, 1), player=0, rest=False):
    """A psyker with 1 wound, the last of its army, 4" from the last enemy model, which has 1 wound; ``rest``: one more enemy far away."""
    scene = EighthScene()
    caster = sheet("Caster", W=1, models=(1, 1), keywords=("INFANTRY", "CHARACTER", "PSYKER"))
    scene.unit(player, caster, at=(30, 20), psychic=PsychicProfile(1, 0))
    scene.unit(1 - player, sheet("Enemy", W=1, models=(1, 1)), at=(30, 25))
    if rest:
        scene.unit(1 - player, SQUAD, at=(5, 40), models=1)

    def settle(battle):
        battle.mission.primary[0] = Primary.DOMINATION
        battle.mission.underdog[0] = 1 + underdog

    battle = scene.battle("psychic", active=player, round=2, vp=vp, dice=dice, set_state=settle)
    while battle.decision is not None and kind(battle) in ("select-psyker", "select-power", "attempt"):
        battle.apply(battle.decision.options[-1])
    return battle


@pytest.mark.rule("w8.mission.victory.mutual")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("underdog", [0, 1])
def test_if_both_armies_are_slain_by_the_same_event_points_decide_and_then_the_underdog(underdog, player):
    """Perils slay the psyker, its explosion the last enemy."""
    for vp in ((3, 3), (0, 0)):
        battle = mutual(vp, underdog, player=player)
        assert battle.over
        assert list(battle.units.alive) == [0, 0]
        assert battle.result.winner == underdog
        assert len(events(battle, "w8.mission.victory.tie", "minor victory")) == 1
    for vp in ((3, 4), (4, 3)):
        battle = mutual(vp, underdog, player=player)
        assert battle.over
        assert battle.result.winner == (0 if vp[0] > vp[1] else 1)
        assert len(events(battle, "w8.mission.victory.points", "major victory")) == 1
        assert list(battle.players.vp) == list(vp)  # the last points were scored before


@pytest.mark.rule("w8.mission.victory.mutual", "w8.mission.victory.wipe-out")
@pytest.mark.parametrize("player", [0, 1])
def test_whoever_has_a_model_left_wins_alone(player):
    """The psyker's own army is slain, the enemy's is not."""
    battle = mutual((9, 0) if player == 0 else (0, 9), player, player=player, rest=True)
    assert battle.over
    assert battle.result.winner == 1 - player
    assert len(events(battle, "w8.mission.victory.wipe-out", "major victory")) == 1
