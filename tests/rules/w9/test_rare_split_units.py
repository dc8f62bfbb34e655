"""Units that split into two (w9.rare.split-units.*, w9.deploy.at-the-start, w9.mission.while-we-stand.split)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.core.tables import EMBARKED, ON_TABLE, RESERVE
from wh_env.core.validation import Validator
from wh_env.rulesets.w9.deploy.reserves import power_of
from wh_env.rulesets.w9.mission.stand import STANDING, identified
from wh_env.rulesets.w9.rare.splitting import carry_over
from wh_env.rulesets.w40k.attack.abilities import in_force
from wh_env.rulesets.w40k.attack.casualties import remove_model
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.questions.hulls import hull_of
from wh_env.rulesets.w40k.questions.parts import parts, points
from wh_env.rulesets.w40k.sequence.effects import take_effect
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import cell_nearest, choose, kind, melee, offered, pick, play_until, ranged, sheet, slots, told
from wh_env.testing.moves import walk

PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")
GUNS = {"gun": ranged(36, A=1, BS=3, S=4), "knife": melee(A=1)}
SPLIT = "w9.rare.split-units"


def check_state(battle):
    """Nothing in the state contradicts its bounds or anything else."""
    assert [str(fault) for fault in Validator(battle.setup).faults(battle)] == []
    audit = battle.setup.ruleset.audit(battle)
    assert [*audit._kept(), *audit._composition()] == []


def at_once(player=0, detail="squad", **unit):
    """A unit of ten that splits at the start of the Charge phase, an enemy far away."""
    scene = NinthScene()
    spots = [(10 + 1.3 * (k % 5), 20 + 1.3 * (k // 5)) for k in range(10)]
    squad = scene.unit(player, sheet("Squad", weapons=GUNS), at=spots, splits=5, **unit)
    scene.unit(player, sheet("Watch", weapons=GUNS), at=(46, 30))
    scene.unit(1 - player, sheet("Foe", W=9), at=(50, 30))
    scene.rule(TimedRule("Squads", "charge", player, "split", squad, 0))
    return scene.battle("charge", active=player, detail=detail), squad


@pytest.mark.rule("w9.rare.split-units")
@pytest.mark.parametrize("player", [0, 1])
def test_two_units_of_five(player):
    battle, squad = at_once(player, moved=Moved.ADVANCE, advance=3, shocked=1)
    u = battle.units
    assert [u.alive[row] for row in (squad, squad.spare)] == [5, 5]
    assert [u.strength[row] for row in (squad, squad.spare)] == [5, 5]
    assert [list(battle.members(row)) for row in (squad, squad.spare)] == [
        [squad.model(k) for k in range(5)],
        [squad.model(k) for k in range(5, 10)],
    ]
    assert [(u.moved[row], u.advance[row], u.shocked[row]) for row in (squad, squad.spare)] == [
        (Moved.ADVANCE, 3, 1)
    ] * 2
    assert u.place[squad.spare] == ON_TABLE
    assert len(told(battle, SPLIT)) == 1
    check_state(battle)
    play_until(battle, None)
    check_state(battle)


@pytest.mark.rule("w9.rare.split-units")
@pytest.mark.parametrize("player", [0, 1])
def test_the_player_chooses_who_goes(player):
    battle, squad = at_once(player, "full")
    for k in range(5):
        assert (kind(battle), battle.decision.player) == ("split-model", player)
        assert len(slots(battle, "model")) == 10 - k
        choose(battle, "model", 0)
    assert list(battle.members(squad.spare)) == [squad.model(k) for k in range(5)]
    assert list(battle.members(squad.row)) == [squad.model(k) for k in range(5, 10)]
    assert kind(battle) != "split-model"


@pytest.mark.rule("w9.rare.split-units")
@pytest.mark.parametrize("lost", [5, 6])
def test_not_without_models_left_over(lost):
    battle, squad = at_once(lost=range(10 - lost, 10))
    assert battle.units.alive[squad] == 10 - lost
    assert not told(battle, SPLIT)
    assert parts(battle, squad.row) == (squad.row,)


def protected(player, detail="squad", affects=Affects.FRIEND, spots=None):
    """+1 to saving throws on (or from) a psyker beside a squad that splits at the start of its Charge phase; the battle then."""
    ward = PsychicPower("Ward", 5, "+1 to saving throws", affects, 6 if affects != Affects.FRIEND else 24)
    y, other = (6, 30) if player == 0 else (38, 14)
    scene = NinthScene()
    scene.unit(player, sheet("Caster", W=9, keywords=PSYKER), at=(10, y), psychic=PsychicProfile(1, 0, (ward,)))
    spots = spots or [(16 + 1.3 * (k % 5), y + 1.3 * (k // 5)) for k in range(10)]
    squad = scene.unit(player, sheet("Squad", Sv=4), at=spots, splits=5)
    guns = scene.unit(1 - player, sheet("Guns", weapons={"gun": ranged(48, A=1, BS=2, S=8)}), at=(50, other), models=2)
    scene.unit(player, sheet("Watch", weapons=GUNS), at=(44, other))
    scene.rule(TimedRule("Squads", "charge", player, "split", squad, 0))
    battle = scene.battle("psychic", active=player, dice=[4, 4], detail=detail)
    pick(battle, "Caster")
    pick(battle, "Ward (5+)")
    if affects == Affects.FRIEND:
        pick(battle, "Ward: Squad")
    for _ in range(60):
        if parts(battle, squad.row) != (squad.row,):
            return battle, squad, guns
        battle.apply(battle.first_legal())
    raise LookupError("it has not split")


def under(battle, unit):
    """Names of what is in force on the unit in attacks at it."""
    return [power.name for power in in_force(battle, int(unit), "targeted")]


@pytest.mark.rule("w9.rare.split-units")
@pytest.mark.parametrize("player", [0, 1])
def test_a_power_goes_on_for_both_until_it_ends(player):
    battle, squad, _ = protected(player)
    assert [under(battle, row) for row in (squad.row, squad.spare)] == [["Ward"], ["Ward"]]
    turn = battle.clock.turn[0]
    while battle.clock.turn[0] == turn:
        assert [under(battle, row) for row in (squad.row, squad.spare)] == [["Ward"], ["Ward"]]
        battle.apply(battle.first_legal())
    assert [under(battle, row) for row in (squad.row, squad.spare)] == [[], []]


@pytest.mark.rule("w9.rare.split-units")
@pytest.mark.parametrize("effect", ["fights-last", "cannot-fall-back", "passes-morale"])
def test_other_effects_too(effect):
    """What lasts until the end of the turn stands in tables of its own."""
    scene = NinthScene()
    spots = [(10 + 1.3 * (k % 5), 20 + 1.3 * (k // 5)) for k in range(10)]
    squad = scene.unit(1, sheet("Squad", weapons=GUNS), at=spots, splits=5)
    scene.unit(0, sheet("Watch", weapons=GUNS), at=(46, 30))
    scene.unit(1, sheet("Foe", W=9), at=(50, 30))
    scene.rule(TimedRule("Effect", "command", 1, effect, squad, 1, own_turn_only=False))
    scene.rule(TimedRule("Squads", "charge", 1, "split", squad, 0, own_turn_only=False))
    battle = scene.battle("command", active=0)
    for _ in range(60):
        if parts(battle, squad.row) != (squad.row,):
            break
        battle.apply(battle.first_legal())
    table, column = {
        "fights-last": ("combat", "last"), "cannot-fall-back": ("combat", "held"), "passes-morale": ("nerve", "passes"),
    }[effect]  # fmt: skip
    marks = getattr(getattr(battle, table), column)
    assert (marks[squad.row], marks[squad.spare], marks[0]) == (1, 1, 0)


@pytest.mark.rule("w9.rare.split-units")
@pytest.mark.parametrize("player", [0, 1])
def test_a_rule_that_falls_due_again_and_again_changes_both(player):
    """A rule of the unit in every Command phase: after it has split in the Charge phase both halves are held in the turns after."""
    scene = NinthScene()
    spots = [(10 + 1.3 * (k % 5), 20 + 1.3 * (k // 5)) for k in range(10)]
    squad = scene.unit(player, sheet("Squad", weapons=GUNS), at=spots, splits=5)
    scene.unit(player, sheet("Watch", weapons=GUNS), at=(46, 30))
    scene.unit(1 - player, sheet("Foe", W=9), at=(50, 30))
    scene.rule(TimedRule("Held", "command", player, "cannot-fall-back", squad, 1, own_turn_only=False))
    scene.rule(TimedRule("Squads", "charge", player, "split", squad, 0))
    battle = scene.battle("charge", active=player)
    assert parts(battle, squad.row) == (squad.row, squad.spare)
    assert [battle.combat.held[row] for row in (squad.row, squad.spare)] == [0, 0]
    turn = battle.clock.turn[0]
    while battle.clock.turn[0] == turn:
        battle.apply(battle.first_legal())
    assert [battle.combat.held[row] for row in (squad.row, squad.spare)] == [1, 1]


@pytest.mark.rule("w9.rare.split-units.aura")
@pytest.mark.parametrize("player", [0, 1])
def test_an_aura_only_within_its_range(player):
    """A 6" aura of the psyker; after the split one half is 5" away, the other 7"."""
    y = 6 if player == 0 else 38
    spots = [(10 + 1.0 + 5.0, y + 1.1 * k) for k in range(5)] + [(10 + 1.0 + 7.0, y + 1.1 * k) for k in range(5)]
    battle, squad, _ = protected(player, affects=Affects.FRIENDS_NEAR, spots=spots)
    caster = 0 if player == 0 else battle.players.first_unit[1]
    assert battle.distance(caster, squad.row) == pytest.approx(5)
    assert battle.distance(caster, squad.spare) == pytest.approx(7)
    assert [under(battle, row) for row in (squad.row, squad.spare)] == [["Ward"], []]


@pytest.mark.rule("w9.rare.split-units.aura")
def test_before_it_split_the_aura_reached_all_of_it():
    """The same unit as one: that a part of it is within range is enough."""
    spots = [(16, 6 + 1.1 * k) for k in range(5)] + [(18, 6 + 1.1 * k) for k in range(5)]
    ward = PsychicPower("Ward", 5, "+1 to saving throws", Affects.FRIENDS_NEAR, 6)
    scene = NinthScene()
    scene.unit(0, sheet("Caster", W=9, keywords=PSYKER), at=(10, 6), psychic=PsychicProfile(1, 0, (ward,)))
    squad = scene.unit(0, sheet("Squad", Sv=4), at=spots, splits=5)
    scene.unit(1, sheet("Guns"), at=(50, 30))
    scene.unit(0, sheet("Watch", weapons=GUNS), at=(44, 30))
    battle = scene.battle("psychic", dice=[4, 4])
    pick(battle, "Caster")
    pick(battle, "Ward (5+)")
    assert under(battle, squad.row) == ["Ward"]


# ---------------------------------------------------------------- at the start of deployment


def before(player=0, **rules):
    """A unit of ten that may split at the start of deployment, a TRANSPORT, enemies; from the mission sequence on."""
    truck = sheet(
        "Truck", keywords=("VEHICLE", "TRANSPORT"), W=8, models=(1, 1),
        abilities={"transport": {"capacity": 5, "allowed": ["INFANTRY"]}},
    )  # fmt: skip
    scene = NinthScene()
    squad = scene.unit(player, sheet("Squad"), models=10, splits=5, power=8, points=200, place="deploy")
    truck = scene.unit(player, truck, place="deploy", power=4)
    scene.unit(1 - player, sheet("Foe"), place="deploy")
    scene.rule(TimedRule("Squads", "deployment-start", player, "split", squad, 0))
    rules = {"formations": "choose", **rules}
    return scene.battle("mission", cp=(3, 3), rules=rules), squad, truck


@pytest.mark.rule("w9.deploy.at-the-start")
@pytest.mark.parametrize("player", [0, 1])
def test_each_half_is_declared_on_its_own(player):
    """One half embarks in a TRANSPORT with five places, the other is placed in Strategic Reserves."""
    battle, squad, truck = before(player)
    assert (kind(battle), battle.decision.player) == ("at-the-start", player)
    assert told(battle, "w9.deploy.sequence")[-1]["name"] == "Declare Reserves and Transports"
    pick(battle, "Squads")
    assert [battle.units.alive[row] for row in (squad, squad.spare)] == [5, 5]
    assert [power_of(battle, row) for row in (squad.row, squad.spare)] == [4, 4]
    assert [points(battle, row) for row in (squad.row, squad.spare)] == [100, 100]
    asked = []
    while kind(battle) in ("at-the-start", "start-embarked", "reserves"):
        asked.append((kind(battle), battle.decision.subject))
        if asked[-1] == ("start-embarked", squad.row):
            choose(battle, "own", 1)
        elif asked[-1] == ("reserves", squad.spare):
            pick(battle, "Strategic Reserves")
        else:
            battle.apply(battle.first_legal())
    assert ("start-embarked", squad.row) in asked
    assert ("reserves", squad.spare) in asked
    u = battle.units
    assert (u.place[squad], u.carrier[squad]) == (EMBARKED, truck.row)
    assert u.place[squad.spare] == RESERVE
    assert battle.players.cp[player] == 3 - 1


@pytest.mark.rule("w9.deploy.at-the-start")
@pytest.mark.parametrize("player", [0, 1])
def test_not_offered_once_units_are_being_deployed(player):
    battle, squad, _ = before(player, formations="lists")
    choose(battle, "done")
    seen = []
    while battle.clock.round[0] == 0:
        seen.append(kind(battle))
        battle.apply(battle.first_legal())
    assert "at-the-start" not in seen
    assert battle.units.alive[squad] == 10
    assert battle.units.alive[squad.spare] == 0
    check_state(battle)


@pytest.mark.rule("w9.deploy.at-the-start")
def test_of_both_players_the_winner_of_a_roll_off_is_asked_first():
    scene = NinthScene()
    squads = [scene.unit(player, sheet(f"Squad {player}"), models=10, splits=5, place="deploy") for player in (0, 1)]
    for player in (0, 1):
        scene.rule(TimedRule(f"Squads {player}", "deployment-start", player, "split", squads[player], 0))
    battle = scene.battle("mission", attacker=0, dice=[2, 5])
    for player in (1, 0):
        assert (kind(battle), battle.decision.player) == ("at-the-start", player)
        pick(battle, f"Squads {player}")
    assert [battle.units.alive[squad.spare] for squad in squads] == [5, 5]
    while battle.clock.round[0] == 0:
        battle.apply(battle.first_legal())
    assert all(battle.units.place[row] == ON_TABLE for squad in squads for row in (squad.row, squad.spare))
    check_state(battle)


@pytest.mark.rule("w9.deploy.at-the-start")
def test_halves_are_set_up_move_and_shoot_on_their_own():
    """A whole battle of units that have split."""
    scene = NinthScene()
    squads = [
        scene.unit(player, sheet(f"Squad {player}", weapons=GUNS), models=10, splits=4, place="deploy")
        for player in (0, 1)
    ]
    scene.marker(30, 22)
    for player in (0, 1):
        scene.rule(TimedRule(f"Squads {player}", "deployment-start", player, "split", squads[player], 0))
    battle = scene.battle("mission", attacker=0, seed=3)
    for _ in range(2):
        battle.apply(battle.decision.options[-1])
    play_until(battle, "select-to-move")
    assert len(offered(battle, "select-to-move")) == 2
    assert [battle.units.alive[row] for squad in squads for row in (squad.row, squad.spare)] == [6, 4, 6, 4]
    for _ in range(400):
        if battle.over:
            break
        options = list(battle.decision.options)
        battle.apply(options[len(options) // 2])
        check_state(battle)
    m = battle.models
    for squad in squads:
        for row in (squad.row, squad.spare):
            own = [k for k in range(squad.first, squad.first + 10) if m.unit[k] == row and m.alive[k]]
            assert len(own) == battle.units.alive[row]


# ---------------------------------------------------------------- While We Stand, We Fight


@pytest.mark.rule("w9.mission.while-we-stand.split")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("first", "second", "scored"), [(0, 5, 5), (5, 0, 5), (5, 5, 5), (0, 0, 0)])
def test_one_half_that_stands_is_enough_once(player, first, second, scored):
    scene = NinthScene()
    spots = [(10 + 1.3 * (k % 5), 20 + 1.3 * (k // 5)) for k in range(10)]
    squad = scene.unit(player, sheet("Squad"), at=spots, splits=5, points=300)
    scene.unit(player, sheet("Watch", weapons=GUNS), at=(46, 30), points=10)
    scene.unit(1 - player, sheet("Foe", W=9), at=(50, 30))
    scene.rule(TimedRule("Squads", "charge", player, "split", squad, 0))
    secondaries = [(), ()]
    secondaries[player] = (STANDING,)

    def note(battle):
        battle.standing[squad.row] = 1

    battle = scene.battle(
        "charge",
        active=player,
        round=5,
        set_state=note,
        rules={"secondaries": tuple(secondaries), "vp_more_markers": 0},
    )
    assert parts(battle, squad.row) == (squad.row, squad.spare)
    for row, left in ((squad.row, first), (squad.spare, second)):
        for model in list(battle.members(row))[left:]:
            remove_model(battle, model)
    play_until(battle, None)
    assert [e["scored"] for e in told(battle, "w9.mission.while-we-stand.score")] == [scored]


@pytest.mark.rule("w9.mission.while-we-stand.split")
def test_identified_before_it_split():
    """Armies are mustered before the start of deployment: the unit of ten is noted, and no part besides."""
    scene = NinthScene()
    squad = scene.unit(0, sheet("Squad"), models=10, splits=5, points=300, place="deploy")
    for number in range(3):
        scene.unit(0, sheet(f"Other {number}"), points=100 - number, place="deploy")
    scene.unit(1, sheet("Foe"), place="deploy")
    scene.rule(TimedRule("Squads", "deployment-start", 0, "split", squad, 0))
    battle = scene.battle("mission", rules={"secondaries": ((STANDING,), ())})
    pick(battle, "Squads")
    assert identified(battle, 0) == [squad.row, squad.row + 1, squad.row + 2]


@pytest.mark.rule("w9.mission.while-we-stand.small-army")
def test_a_spare_row_is_no_unit_of_the_army():
    scene = NinthScene()
    squad = scene.unit(0, sheet("Squad"), models=10, splits=5, points=300, place="deploy")
    other = scene.unit(0, sheet("Other"), points=100, place="deploy")
    scene.unit(1, sheet("Foe"), place="deploy")
    battle = scene.battle("mission", rules={"secondaries": ((STANDING,), ())})
    assert identified(battle, 0) == [squad.row, other.row]


@pytest.mark.rule("w9.deploy.at-the-start")
def test_half_of_the_army_counts_halves_as_units_with_their_points():
    """Ten models of 200 points and one unit of 100: unsplit it may not wait where half of the army may; a half of it, and no more, may."""
    scene = NinthScene()
    squad = scene.unit(0, sheet("Squad"), models=10, splits=5, points=200, place="deploy")
    scene.unit(0, sheet("Other", keywords=("INFANTRY", "FORTIFICATION")), points=100, place="deploy")
    scene.unit(1, sheet("Foe", keywords=("FORTIFICATION",)), place="deploy")
    scene.rule(TimedRule("Squads", "deployment-start", 0, "split", squad, 0))
    rules = {"formations": "choose", "half_in_reserves": True}
    battle = scene.battle("mission", rules=rules, cp=(3, 3))
    whole = battle.clone()
    choose(whole, "done")
    assert kind(whole) != "reserves"
    pick(battle, "Squads")
    assert (kind(battle), battle.decision.subject) == ("reserves", squad.row)
    pick(battle, "Strategic Reserves")
    assert kind(battle) != "reserves"


@pytest.mark.rule("w9.rare.split-units")
def test_an_action_stays_with_the_first_part():
    """What the unit did holds for both; the action that it performs is performed by the first alone."""
    battle, squad = at_once()
    battle.acting.now[squad.row] = battle.acting.last[squad.row] = 1
    battle.acting.round[squad.row] = 1
    carry_over(battle, squad.row, squad.spare)
    acting = battle.acting
    assert (acting.now[squad.row], acting.now[squad.spare]) == (1, 0)
    assert acting.last[squad.spare] == acting.round[squad.spare] == 1


# ---------------------------------------------------------------- rules that name the unit


def split_early(player, detail, rules, *, foe=(40, 34), **unit):
    """A unit of ten for which these rules (of its row) are, which splits at the start of its player's turn: the second part behind the
    first."""
    scene = NinthScene()
    spots = [(10 + 1.3 * k, 20 + 1.3 * row) for row in range(2) for k in range(5)]
    squad = scene.unit(player, sheet("Squad", **{"weapons": GUNS, **unit}), at=spots, splits=5, name="Squad")
    scene.unit(player, sheet("Watch"), at=(55, 3), models=1)
    scene.unit(1 - player, sheet("Foe", W=30, Sv=7), at=foe, models=1, name="Foe")
    scene.rule(TimedRule("Squads", "command", player, "split", squad, 0))
    battle = scene.battle(
        "command", active=player, detail=detail, rules={"cp_each_command_phase": 0, **rules(squad.row)}
    )
    while kind(battle) == "split-model":
        choose(battle, "model", slots(battle, "model")[-1])
    assert parts(battle, squad.row) == (squad.row, squad.spare)
    return battle, squad


def advance(battle, row):
    """The part makes a Normal Move of 3" away from the other one."""
    base = battle.players.first_unit[battle.units.owner[row]]
    choose(battle, "own", row - base)
    pick(battle, "Normal move", kind="move-kind")
    up = -3 if row in battle.setup.statics["splits"] else 3
    if kind(battle) == "move-to":
        choose(battle, "cell", cell_nearest(battle, 0, up, 6))
        return
    for slot, k in enumerate(list(battle.members(row))):
        walk(battle, slot, battle.models.x[k], battle.models.y[k] + up)
    if kind(battle) == "select-model":
        pick(battle, "end the move")


PLAYERS = pytest.mark.parametrize("player", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])


@pytest.mark.rule("w9.rare.split-units", "w9.rare.stationary.shoot")
@PLAYERS
@DETAILS
def test_both_parts_count_as_stationary(player, detail):
    """The rule names the unit; both parts have moved, and both count as stationary in the Shooting phase."""
    battle, squad = split_early(player, detail, lambda row: {"stationary": ({"unit": row, "phases": ("shooting",)},)})
    for row in (squad.row, squad.spare):
        advance(battle, row)
        assert battle.units.moved[row] == Moved.NORMAL
    for _ in range(20):
        if kind(battle) == "select-to-shoot":
            break
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert [battle.units.moved[row] for row in (squad.row, squad.spare)] == [Moved.STATIONARY] * 2


@pytest.mark.rule("w9.rare.split-units", "w9.glossary.moves-x.trigger")
@PLAYERS
@DETAILS
def test_the_moves_of_both_parts_trigger_a_rule(player, detail):
    """ "If this unit moved 2" or more an enemy unit loses a Wound": each part that moves so far costs it one."""
    foe = 1 if player == 0 else 0

    def rules(row):
        foe_row = 3 if player == 0 else 0
        return {"moved": ({"unit": row, "inches": 2.0, "effect": "mortal", "amount": 1, "on": foe_row},)}

    battle, squad = split_early(player, detail, rules)
    (enemy,) = [u for u in range(len(battle.units.owner)) if battle.units.owner[u] == foe and battle.units.alive[u]]
    lost = []
    for row in (squad.row, squad.spare):
        advance(battle, row)
        lost.append(30 - battle.models.wounds[battle.units.first[enemy]])
    assert lost == [1, 2]


@pytest.mark.rule("w9.rare.split-units", "w9.glossary.moves-x.trigger")
@PLAYERS
def test_both_parts_suffer_from_what_names_the_unit(player):
    """The Watch moves, and by the rule a Wound is lost by the unit: by each of its parts."""

    def rules(row):
        watch = row + 1
        return {"moved": ({"unit": watch, "inches": 2.0, "effect": "mortal", "amount": 1, "on": row},)}

    battle, squad = split_early(player, "squad", rules, W=2)
    watch = squad.row + 1
    choose(battle, "own", watch - battle.players.first_unit[player])
    pick(battle, "Normal move", kind="move-kind")
    choose(battle, "cell", cell_nearest(battle, 0, 4, 6))
    hurt = [sum(battle.models.wounds[k] < 2 for k in battle.members(row)) for row in (squad.row, squad.spare)]
    assert hurt == [1, 1]


@pytest.mark.rule("w9.rare.split-units", "w9.glossary.move-normally")
@PLAYERS
def test_both_parts_move_farther(player):
    """+2" to Normal Moves of the unit: each part is offered 8"."""
    battle, squad = split_early(player, "squad", lambda row: {"moves_normally": ({"unit": row, "inches": 2.0},)})
    base = battle.players.first_unit[player]
    for row in (squad.row, squad.spare):
        clone = battle.clone()
        choose(clone, "own", row - base)
        pick(clone, "Normal move", kind="move-kind")
        assert clone.pending().region.half_x == pytest.approx(8.0)


@pytest.mark.rule("w9.rare.split-units", "w9.rare.stationary.triggers")
@PLAYERS
@DETAILS
def test_both_parts_have_what_the_unit_has_while_stationary(player, detail):
    """Rapid Fire at any range for a unit that Remained Stationary: each part of five makes ten attacks at 20"."""
    rapid = {"rifle": ranged(30, A=1, BS=4, abilities=["Rapid Fire 1"])}
    effect = "Rapid Fire at any range"
    battle, squad = split_early(
        player, detail, lambda row: {"when_stationary": ({"unit": row, "effect": effect},)}, foe=(35, 21), weapons=rapid
    )
    while kind(battle) != "select-to-shoot":
        if kind(battle) == "move-kind":
            pick(battle, "Remain Stationary")
        else:
            battle.apply(0 if battle.legal()[0] else battle.first_legal())
    base = battle.players.first_unit[player]
    for number, row in enumerate((squad.row, squad.spare), 1):
        choose(battle, "own", row - base)
        while kind(battle) in ("shoot-target", "weapon-target"):
            pick(battle, "Foe")
        assert len(told(battle, "w9.attack.hit")) == 10 * number


@pytest.mark.rule("w9.rare.split-units", "w9.concepts.dice.reroll")
@PLAYERS
def test_both_parts_may_make_a_roll_again(player):
    """A rule by which the unit may make its Advance roll again."""
    battle, squad = split_early(
        player, "full", lambda row: {"rerolls": ({"player": player, "roll": "advance", "unit": row, "name": "Swift"},)}
    )
    base = battle.players.first_unit[player]
    for row in (squad.row, squad.spare):
        clone = battle.clone()
        choose(clone, "own", row - base)
        pick(clone, "Advance", kind="move-kind")
        assert (kind(clone), clone.decision.subject) == ("reroll", row)


@pytest.mark.rule("w9.rare.split-units")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("hull", [0, 1])
def test_both_parts_are_in_the_same_model_of_a_transport_unit(player, hull):
    """Two vehicles far from each other are one TRANSPORT unit; a rule splits the unit in one of them: both halves are
    in it, and disembark beside it."""
    carried = {"transport": {"capacity": 12, "allowed": ["INFANTRY"]}}
    trucks = sheet("Trucks", keywords=("VEHICLE", "TRANSPORT"), W=8, models=(2, 2), base_mm=60, abilities=carried)
    scene = NinthScene()
    carrier = scene.unit(player, trucks, at=[(15, 20), (45, 20)], name="Trucks")
    squad = scene.unit(player, sheet("Squad"), models=10, splits=5, embarked_in=carrier, hull=hull, name="Squad")
    scene.unit(1 - player, sheet("Foe"), at=(30, 42), models=1)

    battle = scene.battle("movement", active=player, rules={"cp_each_command_phase": 0}, run=False)
    take_effect(battle, "split", player, squad.row, 0)
    battle.run()
    for row in (squad.row, squad.spare):
        assert (battle.units.place[row], battle.units.alive[row]) == (EMBARKED, 5)
        assert hull_of(battle, row) == carrier.model(hull)
        choose(battle, "own", row - battle.players.first_unit[player])
        battle.apply(battle.first_legal())
        own = [k for k, unit in enumerate(battle.models.unit) if unit == row]
        assert len(own) == 5
        assert all(abs(battle.models.x[k] - (15, 45)[hull]) < 6 for k in own)
        assert (battle.units.place[row], battle.units.carrier[row]) == (ON_TABLE, -1)
