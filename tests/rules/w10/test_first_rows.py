"""Rules at the first row of a table, at the second of two, and for the second player (what a test of one of them does not show)."""

from __future__ import annotations

from math import hypot

import pytest

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w10.codes import Phase
from wh_env.rulesets.w10.deploy.scouts import scout_distance
from wh_env.testing import Scene, choose, dice_left, melee, pick, ranged, sheet, slots, told, words
from wh_env.testing.melee_moves import check_charge_move
from wh_env.testing.moves import walk

POOR = {"cp_each_command_phase": 0}
ASKED = {"stratagems": {"command-re-roll": "ask"}, **POOR}


def kind(battle: Battle) -> str | None:
    """The kind of the waiting decision."""
    return battle.decision.kind if battle.decision is not None else None


# ---------------------------------------------------------------- Command Re-roll


def first_against_first(shooter: int, dice: list[int], *, rules: dict[str, object] = ASKED, **gun: object) -> Battle:
    """The first unit of a player shoots at the first of the other; both have 1 CP."""
    scene = Scene()
    weapon = {"gun": ranged(24, **gun)}  # type: ignore[arg-type]
    for player in (0, 1):
        armed = weapon if player == shooter else {}
        first = sheet(f"First {player}", Sv=3, W=9, weapons=armed, keywords=("BEASTS",))
        scene.unit(player, first, at=(10, 10 + 10 * player), models=1)
        scene.unit(player, sheet(f"Other {player}", weapons=armed), at=(50, 10 + 10 * player), models=1)
    battle = scene.battle("shooting", active=shooter, cp=(1, 1), dice=dice, rules=rules)
    pick(battle, f"First {shooter}", kind="select-to-shoot")
    if kind(battle) == "shoot-target":
        pick(battle, f"First {1 - shooter}")
    return battle


@pytest.mark.rule("w10.stratagem.command-re-roll")
@pytest.mark.parametrize("shooter", [0, 1])
def test_the_first_unit_of_either_army_may_roll_a_save_again(shooter: int) -> None:
    battle = first_against_first(shooter, [4, 4, 2, 3])
    while kind(battle) == "command-re-roll-die" and battle.decision is not None and battle.decision.player == shooter:
        choose(battle, "done") if slots(battle, "done") else pick(battle, "keep")
    assert battle.decision is not None
    assert (kind(battle), battle.decision.player) == ("command-re-roll-die", 1 - shooter)
    assert sorted(words(battle).values()) == ["Command Re-roll: a save roll of 2", "keep the save roll"]
    pick(battle, "Command Re-roll: a save roll of 2")
    assert battle.players.cp[1 - shooter] == 0
    assert battle.players.cp[shooter] == 1
    assert not told(battle, "w10.attack.damage.amount")
    assert all(battle.models.wounds[k] == battle.models.max_wounds[k] for k in range(4))


@pytest.mark.rule("w10.stratagem.command-re-roll")
@pytest.mark.parametrize("shooter", [0, 1])
def test_the_first_unit_of_either_army_may_roll_a_hit_again(shooter: int) -> None:
    battle = first_against_first(shooter, [3, 4, 4, 6])
    assert battle.decision is not None
    assert (kind(battle), battle.decision.player) == ("command-re-roll-die", shooter)
    pick(battle, "Command Re-roll: a hit roll of 3")
    assert battle.players.cp[shooter] == 0
    assert battle.players.cp[1 - shooter] == 1


@pytest.mark.rule("w10.concepts.reroll.optional", "w10.datasheet.random.other")
@pytest.mark.parametrize("shooter", [0, 1])
@pytest.mark.parametrize(
    ("number", "first", "again", "attacks"),
    [("D6", 3, 5, 5), ("D6", 4, None, 4), ("D3", 2, 6, 3), ("D3", 4, None, 2), ("D6+2", 3, 5, 7)],
)
def test_a_policy_rolls_a_number_of_attacks_below_the_average_again(
    shooter: int, number: str, first: int, again: int | None, attacks: int
) -> None:
    """A rule allows it. The average of a D6 is 3.5, of a D3 2 (4 shows a 2); what reaches it is kept."""
    dice = [first, *([] if again is None else [again]), *[1] * 12]
    rules = {**POOR, "stratagems": {}, "rerolls": [{"player": shooter, "roll": "attacks"}]}
    battle = first_against_first(shooter, dice, rules=rules, A=number)
    assert dice_left(battle) == 12 - attacks


@pytest.mark.rule("w10.concepts.reroll.optional", "w10.datasheet.random.other")
@pytest.mark.parametrize(
    ("number", "first", "again"),
    [("D3", 2, True), ("D3", 4, False), ("D3", 6, False), ("D6", 3, True), ("D6", 4, False), ("D6+2", 3, True)],
)
def test_a_policy_is_content_with_an_average_number_of_attacks_in_melee(number: str, first: int, again: bool) -> None:
    """Full detail: one model divides its attacks over two units, so their number is rolled first; 4 shows a 2 on a D3, the average."""
    scene = Scene()
    scene.unit(0, sheet("Unit", weapons={"club": melee(A=number)}), at=(20, 10), models=1)
    scene.unit(1, sheet("X"), at=(18.5, 10), models=1)
    scene.unit(1, sheet("Y"), at=(21.5, 10), models=1)
    scene.unit(1, sheet("Elsewhere"), at=(50, 40), models=1)
    rules = {"stratagems": {}, **POOR, "rerolls": [{"player": 0, "roll": "attacks"}]}
    battle = scene.battle(phase="fight", detail="full", dice=[first, 6, *[1] * 8], rules=rules)
    while kind(battle) not in (None, "reroll"):
        choose(battle, "done") if slots(battle, "done") else battle.apply(battle.first_legal())
    (policy,) = (kind for kind in battle.setup.ruleset.kinds if kind.name == "reroll")
    answer = policy.delegate(battle, battle.frame, battle.mask.data)
    assert words(battle)[answer].startswith("re-roll" if again else "keep")


# ---------------------------------------------------------------- Stratagems


@pytest.mark.rule("w10.stratagem.tank-shock")
@pytest.mark.parametrize("order", ["abc", "bca", "cab", "acb"])
def test_squad_detail_takes_the_strongest_weapon_wherever_it_stands(order: str) -> None:
    strength = {"a": 2, "b": 4, "c": 3}
    scene = Scene()
    weapons = {name: melee(A=1, S=strength[name]) for name in order}
    scene.unit(0, sheet("Tank", weapons=weapons, W=12, keywords=("VEHICLE",)), at=(20, 10))
    scene.unit(1, sheet("Target", T=4, W=20, keywords=("MONSTER",)), at=(20, 17))
    rules = {"stratagems": {"tank-shock": "ask", "command-re-roll": "off"}, **POOR}
    battle = scene.battle("charge", cp=(1, 0), dice=[6, 6, 1, 1, 1, 1, 1], rules=rules)
    if kind(battle) == "select-to-charge":
        pick(battle, "Tank")
    while kind(battle) == "charge-target":
        choose(battle, "done") if slots(battle, "done") else battle.apply(battle.first_legal())
    pick(battle, "Tank Shock: Tank")
    assert told(battle, "w10.stratagem.tank-shock")[-1]["dice"] == [1] * 4


@pytest.mark.rule("w10.stratagem.epic-challenge")
@pytest.mark.parametrize("player", [0, 1])
def test_a_policy_challenges_with_a_character_and_no_other_model(player: int) -> None:
    """The Champion leads two others: the policy pays for him, and his wound goes to the enemy Leader."""
    blade = {"blade": melee(A=1, WS=3, S=4, AP=-3, D=2)}
    scene = Scene()
    guard = scene.unit(player, sheet("Retinue", W=2), at=[(18.9, 10), (17.6, 10)])
    hero = sheet("Champion", W=5, keywords=("INFANTRY", "CHARACTER"), weapons=blade, abilities={"leader": ["Retinue"]})
    scene.unit(player, hero, at=(20, 10), leads=guard)
    squad = scene.unit(1 - player, sheet("Squad", W=3, Sv=6), at=[(20, 11.5), (18.9, 11.5)])
    lord = sheet("Lord", W=4, Sv=6, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Squad"]})
    leader = scene.unit(1 - player, lord, at=(21.1, 11.5), leads=squad)
    rules = {"stratagems": {"epic-challenge": "delegate", "command-re-roll": "off", "counter-offensive": "off"}, **POOR}
    battle = scene.battle("fight", active=player, cp=(1, 1), dice=[3, 4, 6], rules=rules)
    while battle.decision is not None and battle.clock.phase[0] == Phase.FIGHT and battle.clock.round[0] == 1:
        battle.apply(battle.first_legal())
    assert battle.players.cp[player] == 0
    assert battle.models.wounds[leader.first] == 2
    assert [battle.models.wounds[squad.model(n)] for n in (0, 1)] == [3, 3]


@pytest.mark.rule("w10.stratagem.fire-overwatch", "w10.stratagem.rapid-ingress")
def test_nobody_fires_overwatch_at_his_own_unit_that_arrives_among_the_enemy() -> None:
    """B's unit arrives in A's Movement phase, within 24" of guns of both: B, who could pay, is not asked, and neither is A."""
    scene = Scene()
    for x in (10, 30, 50):
        scene.unit(0, sheet(f"Foes {x}", weapons={"gun": ranged(48)}), at=(x, 22), models=1)
    scene.unit(1, sheet("Guns", weapons={"gun": ranged(48)}), at=(45, 40), models=1)
    drop = {"deep_strike": True}
    late = scene.unit(1, sheet("Late", abilities=drop, weapons={"gun": ranged(48)}), models=1, reserves="deep-strike")
    ask = {"stratagems": {"rapid-ingress": "ask", "fire-overwatch": "ask"}, **POOR}
    battle = scene.battle("movement", round=2, cp=(3, 3), rules=ask)
    while kind(battle) != "rapid-ingress":
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    pick(battle, "Late")
    while kind(battle) in ("arrive-at", "arrive-by", "place-model", "place-exactly"):
        battle.apply(battle.first_legal())
    assert battle.models.on_table[late.first] == 1
    gaps = [
        hypot(battle.models.x[k] - battle.models.x[late.first], battle.models.y[k] - battle.models.y[late.first])
        for k in range(3)
    ]
    assert min(gaps) < 24
    assert kind(battle) != "fire-overwatch"
    assert battle.players.cp[1] == 2


# ---------------------------------------------------------------- markers


@pytest.mark.rule("w10.objective.control", "w10.objective.level")
@pytest.mark.parametrize("away", [0, 1, 2])
def test_a_marker_that_is_not_there_takes_nothing_from_the_others(away: int) -> None:
    """Of three markers one is not on the battlefield, whichever: the two others are controlled by who stands there."""
    scene = Scene()
    for n in range(3):
        scene.marker(10 + 20 * n, 22)
        scene.unit(n % 2, sheet(f"Unit {n}", OC=2 + n), at=(12 + 20 * n, 22), models=1)

    def gone(battle: Battle) -> None:
        battle.objectives.placed[away] = 0
        for n in range(3):
            battle.objectives.holder[n] = -1

    battle = scene.battle("movement", set_state=gone)
    while battle.decision is not None and kind(battle) in ("select-to-move", "move-kind"):
        stay = [action for action, text in words(battle).items() if "Remain Stationary" in text]
        battle.apply(stay[0] if stay else battle.first_legal())
    o = battle.objectives
    found = [(o.holder[n], o.level0[n], o.level1[n]) for n in range(3)]
    expected = [(0, 2, 0), (1, 0, 3), (0, 4, 0)]
    assert [row for n, row in enumerate(found) if n != away] == [row for n, row in enumerate(expected) if n != away]
    assert found[away][0] == -1


# ---------------------------------------------------------------- saves and Feel No Pain of several abilities


@pytest.mark.rule("w10.attack.save.invulnerable.choice", "w10.attack.feel-no-pain", "w10.datasheet.abilities")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("given", [(4, 5), (5, 4), (4, 6), (5, 5), (6, 4)])
def test_of_two_given_saves_the_better_counts(player: int, given: tuple[int, int]) -> None:
    """Two abilities of the target's player give invulnerable saves, in either order; beside a Feel No Pain of two values."""
    best = min(given)
    for effect in ("invulnerable save", "feel no pain"):
        for roll, lost in ((best, 0), (best - 1, 1)):
            others = [
                {"name": f"F{n}", "effect": f"{effect} {value}+", "active": True} for n, value in enumerate(given)
            ]
            scene = Scene()
            gun = {"gun": ranged(24, A=1, BS=2, S=4, AP=-6)}
            scene.unit(player, sheet("Guns", weapons=gun), at=(10, 10), models=1)
            scene.unit(1 - player, sheet("Others"), at=(55, 22), models=1)
            foe = scene.unit(1 - player, sheet("Foes", W=9, abilities={"other": others}), at=(10, 20), models=1)
            dice = [6, 6, roll] if effect == "invulnerable save" else [6, 6, 1, roll]
            battle = scene.battle("shooting", active=player, dice=dice, rules=POOR)
            pick(battle, "Guns", kind="select-to-shoot")
            assert battle.models.wounds[foe.first] == 9 - lost
            assert dice_left(battle) == 0


# ---------------------------------------------------------------- who is seen, who is fought


@pytest.mark.rule("w10.shoot.targets.range-and-visible", "w10.shoot.lone-operative")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("start", "far"),
    [
        ((10.0, 12.0), (40.0, 12.0)),
        ((10.0, 8.0), (10.0, 42.0)),
        ((10.0, 12.0), (36.0, 36.0)),
        ((40.0, 30.0), (8.0, 26.0)),
    ],
)
def test_what_stood_behind_a_destroyed_vehicle_is_a_target_for_the_next_unit(
    player: int, start: tuple[float, float], far: tuple[float, float]
) -> None:
    """Half way stands a tall Lone Operative, too far away for the guns and before the only unit in their range; who is near
    destroys it: now the guns have a target, in any direction."""
    middle = ((start[0] + far[0]) / 2, (start[1] + far[1]) / 2)
    scene = Scene()
    killer = {"gun": ranged(12, A=1, BS=2, S=20, AP=-6, D=20)}
    scene.unit(player, sheet("Killer", weapons=killer), at=(middle[0] + 5, middle[1] - 5), models=1)
    scene.unit(player, sheet("Guns", weapons={"gun": ranged(44)}), at=start, models=1)
    lone = {"lone_operative": True}
    wall = sheet("Wall", T=4, W=4, base_mm=100, height=8, keywords=("VEHICLE",), abilities=lone)
    scene.unit(1 - player, wall, at=middle, models=1)
    scene.unit(1 - player, sheet("Hidden"), at=far, models=1)
    battle = scene.battle("shooting", active=player, dice=[6, 6, 1], rules=POOR)
    assert not any("Guns" in text for text in words(battle).values())
    pick(battle, "Killer", kind="select-to-shoot")
    while kind(battle) not in ("select-to-shoot", None):
        battle.apply(battle.first_legal())
    assert (battle.clock.round[0], battle.clock.phase[0]) == (1, Phase.SHOOTING)
    pick(battle, "Guns", kind="select-to-shoot")


@pytest.mark.rule("w10.fight.targets.eligible", "w10.fight.weapons.one")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("weak", [0, 1])
def test_a_model_that_does_not_reach_the_target_of_its_unit_fights_whom_it_hurts_most(player: int, weak: int) -> None:
    """The second model touches two other units, one of T 3 and one of T 12, in either order: its attack goes to the weak one."""
    scene = Scene()
    club = {"club": melee(A=1, WS=2, S=4, AP=-6)}
    unit = scene.unit(player, sheet("Unit", weapons=club), at=[(10, 10), (11.9, 10)])
    scene.unit(1 - player, sheet("Wanted", W=5), at=(9.0, 10), models=1)
    foes = [
        scene.unit(1 - player, sheet(f"Foe {n}", T=3 if n == weak else 12, W=5), at=place, models=1)
        for n, place in enumerate(((11.9, 11.0), (11.9, 9.0)))
    ]
    battle = scene.battle("fight", active=player, dice=[6] * 12, rules={"stratagems": {}, **POOR})
    while kind(battle) not in (None, "fight-target"):
        if (
            battle.decision is not None
            and battle.decision.kind == "select-to-fight"
            and battle.decision.player != player
        ):
            choose(battle, "done") if slots(battle, "done") else battle.apply(battle.first_legal())
        else:
            choose(battle, "done") if slots(battle, "done") else battle.apply(battle.first_legal())
    pick(battle, "Wanted")
    wounds = [battle.models.wounds[foe.first] for foe in foes]
    assert wounds == [4 if n == weak else 5 for n in (0, 1)]
    assert unit.number == 0


# ---------------------------------------------------------------- units of which some models FLY


@pytest.mark.rule("w10.aircraft.charge.targets")
@pytest.mark.parametrize("first", ["Flyer", "Walker"])
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_of_which_one_model_flies_ends_its_charge_at_aircraft(player: int, first: str) -> None:
    """Only units that can FLY charge AIRCRAFT; this one can, and so its Charge move may end within Engagement Range of one."""
    data = sheet("Squad", weapons={"blade": melee(2, WS=3, S=4)})
    model = data["models"][0]
    flyer = {**model, "name": "Flyer", "min": 1, "max": 1, "keywords": ["FLY"]}
    walker = {**model, "name": "Walker", "min": 1, "max": 1}
    data["models"] = [flyer, walker] if first == "Flyer" else [walker, flyer]
    data["points"] = [{"models": 2, "points": 100}]
    scene = Scene()
    scene.unit(player, sheet("Others"), at=(50, 22), models=1)
    unit = scene.unit(player, data, at=[(20, 20), (20, 21.5)])
    kite = sheet("Kite", M=20, W=10, models=(1, 1), keywords=("VEHICLE", "AIRCRAFT", "FLY"))
    air = scene.unit(1 - player, kite, at=(26, 20))
    battle = scene.battle("charge", active=player, run=False)
    assert check_charge_move(battle, unit, [air], 7.0, {0: [(25.0, 20.0)], 1: [(25.577, 20.907)]}) == Fault.LEGAL


# ---------------------------------------------------------------- model by model, twice


@pytest.mark.rule("w10.move.models.any-and-order", "w10.move.normal")
@pytest.mark.parametrize("player", [0, 1])
def test_models_that_moved_one_by_one_move_again_in_the_next_round(player: int) -> None:
    """Both models of a unit make their Normal move; in the next battle round each of them can be selected again."""
    scene = Scene()
    unit = scene.unit(player, sheet("Squad"), at=[(20, 22), (21.5, 22)])
    scene.unit(player, sheet("Watch"), at=(50, 30), models=1)
    scene.unit(1 - player, sheet("Foes"), at=(55, 5), models=1)
    battle = scene.battle("movement", active=player, first_player=player, detail="full", rules=POOR)
    for turn in (1, 2):
        while kind(battle) != "select-to-move" or battle.decision is None or battle.decision.player != player:
            assert battle.decision is not None
            choose(battle, "done") if slots(battle, "done") else battle.apply(battle.first_legal())
        assert battle.clock.round[0] == turn
        pick(battle, "Squad", kind="select-to-move")
        pick(battle, "Normal move", kind="move-kind")
        assert {text for text in words(battle).values() if text.startswith("move ")} == {"move Squad 1", "move Squad 2"}
        for n in (0, 1):
            x, y = battle.models.x[unit.model(n)], battle.models.y[unit.model(n)]
            walk(battle, n, x, y + 2)
        pick(battle, "end the move")


# ---------------------------------------------------------------- Scouts of Attached units and of TRANSPORTS


@pytest.mark.rule("w10.deploy.scouts.move")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("squad", "leader", "distance"), [(6, 9, 6), (9, 6, 6), (6, None, 0), (None, 6, 0), (7, 7, 7), (8, 0, 8)]
)
def test_an_attached_unit_scouts_by_the_smaller_distance_if_all_of_it_can(
    player: int, squad: int | None, leader: int | None, distance: int
) -> None:
    """The first unit of either army and its Leader (0: it has none): both must have Scouts."""
    scene = Scene()
    first = sheet("Squad", abilities={"scouts": squad} if squad else {})
    unit = scene.unit(player, first, at=[(20, 22), (21.5, 22)])
    if leader != 0:
        own = {"leader": ["Squad"], **({"scouts": leader} if leader else {})}
        scene.unit(player, sheet("Lord", keywords=("INFANTRY", "CHARACTER"), abilities=own), at=(23, 22), leads=unit)
    scene.unit(1 - player, sheet("Foes", abilities={"scouts": 9}), at=(55, 5), models=1)
    battle = scene.battle("movement", active=player, run=False)
    assert scout_distance(battle, unit.row) == distance


@pytest.mark.rule("w10.fight.pile-in", "w10.move.models.any-and-order")
@pytest.mark.parametrize("player", [0, 1])
def test_a_model_that_was_selected_to_pile_in_may_stay(player: int) -> None:
    """Full detail: where it ends is asked, and it may end where it stands."""
    scene = Scene()
    unit = scene.unit(player, sheet("Squad", W=3), at=[(20, 10), (21.2, 10)])
    scene.unit(1 - player, sheet("Foes", W=3), at=[(20, 11.7)])
    scene.unit(1 - player, sheet("Others", W=3), at=[(50, 40)])
    battle = scene.battle("fight", active=player, detail="full", rules={"stratagems": {}, **POOR})
    while kind(battle) not in (None, "close-to"):
        moves = [action for action, text in words(battle).items() if text.startswith(("move Squad", "pile in"))]
        battle.apply(moves[0] if moves else battle.first_legal())
    assert kind(battle) == "close-to"
    places = [(battle.models.x[unit.model(n)], battle.models.y[unit.model(n)]) for n in (0, 1)]
    assert slots(battle, "done") == [0]
    choose(battle, "done")
    assert [(battle.models.x[unit.model(n)], battle.models.y[unit.model(n)]) for n in (0, 1)] == places
