"""The mission sequence: selecting a mission, its eleven steps, roll-offs, pre-battle rules, the beginning (w10.mission.*)."""

import pytest

from wh_env.content.battle import Battle
from wh_env.content.w10 import GAME
from wh_env.core.tables import DEPLOYING, DESTROYED
from wh_env.rulesets.w40k.deploy.zones import zone_of
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import Scene, dice_left, pick, play_until, sheet, told, words


def two_units(**rules: object) -> Scene:
    """A scene with one unit for each player, to be deployed."""
    scene = Scene()
    scene.unit(0, sheet("Mine"), models=3)
    scene.unit(1, sheet("Theirs"), models=3)
    return scene


@pytest.mark.rule("w10.mission.select")
def test_without_agreement_the_winner_of_a_roll_off_decides():
    """A 3, B 5: B's mission; A 6, B 1: A's; ties are rolled again; where they agree nothing is rolled."""

    def decide(proposals: tuple[str, str], *dice: int) -> tuple[object, list[int]]:
        left = list(dice)
        assert GAME.select_mission is not None
        chosen, _ = GAME.select_mission(proposals, lambda: left.pop(0))
        return chosen, left

    assert decide(("x", "y"), 3, 5) == ("y", [])
    assert decide(("x", "y"), 6, 1) == ("x", [])
    assert decide(("x", "y"), 2, 2, 1, 6) == ("y", [])
    assert decide(("x", "x"), 3, 5) == ("x", [3, 5])


@pytest.mark.rule("w10.mission.select")
def test_the_mission_of_the_winner_is_played():
    """Two proposals of different length: the battle is set up by that of the higher roll."""
    long, short = "only-war", {**ONLY_WAR, "name": "Short War", "rounds": 3}
    winners = set()
    for seed in range(8):
        battle = Battle.load("w10/only-war-incursion", seed, record=True, missions=(long, short))
        rolls = told(battle, "w10.mission.select")[-1]["rolls"]
        winner = 0 if rolls[0] > rolls[1] else 1
        assert battle.setup.rules["rounds"] == (5, 3)[winner]
        winners.add(winner)
    assert winners == {0, 1}
    agreed = Battle.load("w10/only-war-incursion", 1, record=True, missions=(long, long))
    assert told(agreed, "w10.mission.select") == []
    assert agreed.setup.rules["rounds"] == 5


ONLY_WAR = {
    "ruleset": "w10",
    "sizes": [{"name": "Incursion", "points": 1000, "min_width_in": 44, "min_length_in": 60}],
    "primary": [
        {"name": "Capture and Control", "first_scoring_round": 2, "vp_each_marker": 1, "max_vp_per_turn": 3, "max_vp_total": 12}
    ],
    "markers": {"number": 4, "from_edges_in": 6, "apart_in": 9, "placed_by": "players"},
    "zones": {"from_centre_line_in": 12},
}  # fmt: skip


@pytest.mark.rule("w10.mission.sequence")
def test_eleven_steps_in_order():
    """Every step once, in order; no unit is deployed before formations are revealed, no roll for the first turn before
    everything is deployed."""
    scene = two_units()
    battle = scene.battle(
        phase="mission",
        attacker=None,
        rules={"players_place_markers": 4, "formations": "choose", "strategic_reserves_points": 1000, "rounds": 1},
    )
    kinds = []
    while battle.decision is not None:
        kinds.append(battle.decision.kind)
        if battle.decision.kind == "deploy-to":
            assert tuple(battle.players.ready) == (1, 1)
            assert told(battle, "w10.mission.only-war.first-turn") == []
        battle.apply(battle.first_legal())
    steps = [(e["step"], e["name"]) for e in told(battle, "w10.mission.sequence")]
    assert steps == [
        (1, "Muster Armies"),
        (2, "Read Mission Objectives"),
        (3, "Create the Battlefield"),
        (4, "Determine Attacker and Defender"),
        (5, "Declare Battle Formations"),
        (6, "Deploy Armies"),
        (7, "Determine First Turn"),
        (8, "Resolve Pre-battle Rules"),
        (9, "Begin the Battle"),
        (10, "Ending the Battle"),
        (11, "Determine Victor"),
    ]
    order = [k for n, k in enumerate(kinds) if k not in kinds[:n]]
    assert order[:3] == ["place-marker", "reserves", "deploy-to"]
    where = [
        [event.data.get("step", event.rule) for event in battle.events].index(mark)
        for mark in (
            3,
            "w10.mission.only-war.markers",
            4,
            "w10.mission.attacker-defender",
            5,
            "w10.mission.formations.secret",
            6,
            "w10.mission.only-war.deploy",
            7,
            "w10.mission.only-war.first-turn",
            9,
            "w10.mission.begin",
            "w10.command.gain-cp",
            "w10.mission.ending",
            11,
            "w10.mission.only-war.victor",
        )
    ]
    assert where == sorted(where)


@pytest.mark.rule("w10.mission.attacker-defender")
@pytest.mark.parametrize(("dice", "attacker"), [([2, 4], 1), ([6, 5], 0), ([3, 3, 1, 2], 1)])
def test_the_winner_of_the_roll_off_is_the_attacker(dice: list[int], attacker: int):
    """A 2, B 4: B is the Attacker: it deploys first, in the Attacker's zone (here along y = 0)."""
    battle = two_units().battle(phase="mission", attacker=None, dice=dice)
    assert dice_left(battle) == 0
    assert battle.clock.attacker[0] == attacker
    assert battle.decision is not None
    assert battle.decision.player == attacker
    assert zone_of(battle, attacker)[:, 1].max() == 10.0
    assert zone_of(battle, 1 - attacker)[:, 1].min() == 34.0


@pytest.mark.rule("w10.mission.first-turn", "w10.mission.only-war.first-turn")
@pytest.mark.parametrize("attacker", [0, 1])
@pytest.mark.parametrize(("dice", "first"), [([5, 2], 0), ([1, 4], 1), ([4, 4, 2, 1], 0)])
def test_a_roll_off_after_deployment_decides_who_has_the_first_turn(attacker: int, dice: list[int], first: int):
    """A 5, B 2: A has the first turn in every round, whoever is the Attacker; nobody is asked."""
    battle = two_units().battle(phase="mission", attacker=attacker, dice=dice)
    kinds = set()
    while battle.decision is not None:
        kinds.add(battle.decision.kind)
        if DEPLOYING in battle.units.place:
            assert dice_left(battle) == len(dice)
        battle.apply(battle.first_legal())
    assert dice_left(battle) == 0
    assert kinds == {"deploy-to", "move-kind"}
    turns = [(e["round"], e["player"]) for e in told(battle, "w10.round.structure")]
    assert turns == [(n, p) for n in range(1, 6) for p in (first, 1 - first)]


@pytest.mark.rule("w10.mission.pre-battle")
@pytest.mark.parametrize(("first", "order"), [(0, ["A1", "B1", "A2"]), (1, ["B1", "A1", "A2"])])
def test_pre_battle_rules_are_resolved_alternately(first: int, order: list[str]):
    """A has two, B one: A, B, A if A has the first turn; B, A, A if B has it."""
    scene = two_units()
    scene.rule(TimedRule("A1", "before-battle", 0, "cp", -1, 1))
    scene.rule(TimedRule("A2", "before-battle", 0, "cp", -1, 1))
    scene.rule(TimedRule("B1", "before-battle", 1, "cp", -1, 1))
    battle = scene.battle(phase="mission", rules={"first_player": first})
    play_until(battle, "move-kind")
    assert [e["name"] for e in told(battle, "w10.mission.pre-battle")] == order


@pytest.mark.rule("w10.mission.pre-battle")
def test_each_player_chooses_among_the_own_pre_battle_rules():
    """A picks the second of A's rules first; B is never offered A's; all before the first battle round."""
    scene = two_units()
    for name, owner in (("A1", 0), ("A2", 0), ("B1", 1), ("B2", 1)):
        scene.rule(TimedRule(name, "before-battle", owner, "cp", -1, 1))
    battle = scene.battle(phase="mission", detail="full", rules={"first_player": 0})
    play_until(battle, "pre-battle")
    assert battle.decision is not None
    assert battle.decision.player == 0
    assert battle.clock.round[0] == 0
    assert sorted(words(battle).values()) == ["A1", "A2"]
    pick(battle, "A2")
    assert battle.decision.player == 1
    assert sorted(words(battle).values()) == ["B1", "B2"]
    pick(battle, "B2")
    assert [e["name"] for e in told(battle, "w10.mission.pre-battle")] == ["A2", "B2", "A1", "B1"]


@pytest.mark.rule("w10.mission.begin")
def test_the_first_battle_round_begins_with_scouts_moves():
    """Pre-battle rules, then round 1 with Scouts moves, then the first player's Command phase."""
    scene = Scene()
    scene.unit(0, sheet("Mine"), models=3)
    scene.unit(1, sheet("Scouts", abilities={"scouts": 6}), models=3)
    scene.rule(TimedRule("A1", "before-battle", 0, "cp", -1, 1))
    battle = scene.battle(phase="mission", rules={"first_player": 0})
    play_until(battle, "scout-move")
    assert battle.clock.round[0] == 1
    assert told(battle, "w10.command.gain-cp") == []
    battle.apply(battle.first_legal())
    rules = [event.rule for event in battle.events]
    marks = ("w10.mission.pre-battle", "w10.mission.begin", "w10.round.structure", "w10.command.gain-cp")
    assert [rules.index(rule) for rule in marks] == sorted(rules.index(rule) for rule in marks)
    assert battle.clock.round[0] == 1
    assert battle.clock.turn[0] == 0


@pytest.mark.rule("w10.mission.begin")
@pytest.mark.parametrize("player", [0, 1])
def test_an_army_without_any_room_has_lost_before_the_first_turn(player):
    """A destroyed army, of either player, ends the battle as soon as it begins."""
    scene = Scene(zone_depth=0.9)
    scene.unit(player, sheet("Mine"), models=3)
    scene.unit(1 - player, sheet("Small", base_mm=20), models=3)
    battle = scene.battle(phase="mission", rules={"first_player": 0})
    play_until(battle)
    assert battle.units.place[player] == DESTROYED
    assert told(battle, "w10.round.structure") == []
    assert battle.result is not None
    assert battle.result.winner == 1 - player
