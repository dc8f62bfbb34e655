"""Units that are removed and set up again (w9.rare.repositioned.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w9.actions.data import Action, When, Whose
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import kind, melee, offered, pick, ranged, sheet, slots, told

PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")
GATE = PsychicPower("Gate", 5, "reposition", Affects.FRIEND, 12)
GUNS = {"gun": ranged(36, A=1, BS=4, S=4, abilities=["Heavy"]), "knife": melee(A=1)}


def gate(active=0, detail="squad", action=None, **unit):
    """A psyker who knows Gate, a squad beside it and an enemy far away; the battle after Gate was manifested, and the squad."""
    y, other = (6, 26) if active == 0 else (38, 18)
    scene = NinthScene()
    scene.marker(20, y)
    if action is not None:
        scene.action(action)
    scene.unit(active, sheet("Caster", W=5, keywords=PSYKER), at=(10, y), psychic=PsychicProfile(1, 0, (GATE,)))
    squad = scene.unit(active, sheet("Squad", W=2, weapons=GUNS), at=(16, y), **{"models": 5, **unit})
    scene.unit(active, sheet("Sentry", weapons=GUNS), at=(50, y))
    enemy = scene.unit(1 - active, sheet("Enemy", W=9), at=(40, other))

    def performs(battle):
        if action is not None:
            battle.acting.now[squad] = battle.acting.last[squad] = 1
            battle.acting.round[squad] = battle.clock.round[0] or 1

    battle = scene.battle("psychic", active=active, dice=[4, 4], detail=detail, set_state=performs)
    pick(battle, "Caster")
    pick(battle, "Gate (5+)")
    pick(battle, "Gate: Squad")
    return battle, squad, enemy


def nearest_place(battle, enemy):
    """The offered place of the squad that is nearest to the enemy."""
    best, chosen = 1e9, -1
    ex, ey = battle.models.x[enemy.first], battle.models.y[enemy.first]
    for action, text in {a: battle.describe(a) for a in battle.decision.options}.items():
        x, y = (float(part) for part in text.split(" at ")[1].split(", "))
        away = ((x - ex) ** 2 + (y - ey) ** 2) ** 0.5
        if away < best:
            best, chosen = away, action
    battle.apply(chosen)


@pytest.mark.rule("w9.rare.repositioned.both")
@pytest.mark.parametrize("active", [0, 1])
def test_it_stands_more_than_nine_inches_away_has_moved_and_may_shoot_and_charge(active):
    battle, squad, enemy = gate(active)
    assert kind(battle) == "reposition-at"
    nearest_place(battle, enemy)
    assert 9 < battle.distance(squad, enemy) < 12
    assert battle.units.moved[squad] == Moved.NORMAL
    assert battle.units.arrived[squad] == 1
    base = battle.players.first_unit[active]
    assert [base + slot for slot in offered(battle, "select-to-shoot")] == [squad, squad.row + 1]
    pick(battle, "done")
    assert [base + slot for slot in offered(battle, "select-to-charge")] == [squad]


@pytest.mark.rule("w9.rare.repositioned.both")
def test_model_by_model_too():
    battle, squad, enemy = gate(detail="full")
    for _ in range(60):
        if kind(battle) is None or not str(kind(battle)).startswith("place"):
            break
        battle.apply(battle.first_legal())
    assert all(battle.models.on_table[squad.model(k)] for k in range(5))
    assert battle.distance(squad, enemy) > 9
    assert battle.units.moved[squad] == Moved.NORMAL


@pytest.mark.rule("w9.rare.repositioned.both", "w9.rare.repositioned.movement-phase")
def test_it_makes_no_move_afterwards():
    """Set up again at the end of its Movement phase it is not selected to move any more."""
    scene = NinthScene()
    scene.unit(0, sheet("Squad", weapons=GUNS), at=(16, 6), models=5)
    scene.unit(1, sheet("Enemy", W=9), at=(30, 26))
    scene.rule(TimedRule("Gate", "movement-end", 0, "reposition", -1, 0))
    battle = scene.battle("movement")
    pick(battle, "Remain Stationary")
    pick(battle, "Squad", kind="reposition")
    battle.apply(battle.first_legal())
    assert battle.units.moved[0] == Moved.NORMAL
    assert kind(battle) == "select-to-shoot"


@pytest.mark.rule("w9.rare.repositioned.only")
@pytest.mark.parametrize("moved", [Moved.ADVANCE, Moved.FELL_BACK])
def test_losses_wounds_and_what_it_did_stay(moved):
    """Six of ten, one of them wounded, that Advanced (or Fell Back): it still cannot charge."""
    battle, squad, enemy = gate(models=10, lost=range(6, 10), wounds=[2, 2, 2, 2, 2, 1], moved=moved, advance=3)
    nearest_place(battle, enemy)
    rows = [squad.model(k) for k in range(10)]
    assert [battle.models.on_table[k] for k in rows] == [1] * 6 + [0] * 4
    assert [battle.models.wounds[k] for k in rows] == [2] * 5 + [1] + [0] * 4
    assert battle.units.alive[squad] == 6
    assert (battle.units.moved[squad], battle.units.advance[squad]) == (moved, 3)
    assert battle.distance(squad, enemy) < 12
    while battle.clock.turn[0] == 0:
        assert kind(battle) != "select-to-charge"
        battle.apply(battle.first_legal())


@pytest.mark.rule("w9.rare.repositioned.only")
def test_powers_and_passengers_stay():
    """A modifier until the end of the turn goes on; what is embarked stays embarked."""
    blessing = PsychicPower("Blessing", 5, "+1 to hit", Affects.FRIEND, 12)
    truck = sheet(
        "Truck", keywords=("VEHICLE", "TRANSPORT"), W=8, models=(1, 1),
        abilities={"transport": {"capacity": 10, "allowed": ["INFANTRY"]}},
    )  # fmt: skip
    scene = NinthScene()
    scene.unit(0, sheet("Caster", W=5, keywords=PSYKER), at=(10, 6), psychic=PsychicProfile(2, 0, (blessing, GATE)))
    carrier = scene.unit(0, truck, at=(16, 6))
    cargo = scene.unit(0, sheet("Cargo"), embarked_in=carrier)
    scene.unit(0, sheet("Sentry", weapons=GUNS), at=(50, 6))
    scene.unit(1, sheet("Enemy"), at=(40, 26))
    battle = scene.battle("psychic", dice=[4, 4, 4, 4])
    pick(battle, "Caster")
    for name in ("Blessing", "Gate"):
        pick(battle, f"{name} (5+)")
        pick(battle, f"{name}: Truck")
    before = battle.psyche.under[carrier]
    battle.apply(battle.first_legal())
    assert told(battle, "w9.rare.repositioned.both")
    assert battle.psyche.under[carrier] == before > 0
    assert battle.units.carrier[cargo] == carrier
    assert battle.units.alive[cargo] == 1


@pytest.mark.rule("w9.rare.repositioned.action")
def test_its_action_fails_and_it_starts_no_other():
    """Set up within 3" of the same marker; at the next moment of the battle round it is not asked."""
    scan = Action("Scan", When(Phase.PSYCHIC, Whose.OWN), When(Phase.MORALE))
    battle, squad, _ = gate(action=scan)
    assert [e["case"] for e in told(battle, "w9.actions.fail")] == ["leave"]
    x, y = battle.objectives.x[0], battle.objectives.y[0]
    places = {a: battle.describe(a).split(" at ")[1].split(", ") for a in battle.decision.options}
    near = min(places, key=lambda a: (float(places[a][0]) - x) ** 2 + (float(places[a][1]) - y) ** 2)
    battle.apply(near)
    assert battle.marker_distance(squad, 0) <= 3
    assert battle.acting.now[squad] == 0
    while battle.clock.turn[0] == 0:
        assert kind(battle) != "start-action" or squad not in slots(battle, "own")
        battle.apply(battle.first_legal())
    assert not [e for e in battle.events if e.kind == "completes its action"]


@pytest.mark.rule("w9.rare.repositioned.movement-phase")
@pytest.mark.parametrize("player", [0, 1])
def test_units_that_moved_and_units_that_arrived_can_be_selected(player):
    y = 6 if player == 0 else 38
    scene = NinthScene()
    moved = scene.unit(player, sheet("A1"), at=(16, y), models=3)
    arrives = scene.unit(player, sheet("A2", abilities={"deep_strike": True}), reserves="deep-strike", models=3)
    waits = scene.unit(player, sheet("A3", abilities={"deep_strike": True}), reserves="deep-strike", models=3)
    scene.unit(1 - player, sheet("Enemy"), at=(30, 22))
    scene.rule(TimedRule("Gate", "movement-end", player, "reposition", -1, 0))
    battle = scene.battle("movement", active=player, round=2)
    pick(battle, "Normal move", kind="move-kind")
    battle.apply(battle.decision.options[-1])
    for _ in range(20):
        if kind(battle) == "select-reserves":
            break
        battle.apply(battle.first_legal())
    pick(battle, "A2", kind="select-reserves")
    battle.apply(battle.first_legal())
    pick(battle, "done", kind="select-reserves")
    base = battle.players.first_unit[player]
    assert battle.decision is not None
    assert battle.decision.player == player
    assert [base + slot for slot in offered(battle, "reposition")] == [moved, arrives]
    assert battle.units.place[waits] != 1
    pick(battle, "A2")
    battle.apply(battle.first_legal())
    assert battle.units.place[arrives] == 1


@pytest.mark.rule("w9.rare.repositioned.both")
@pytest.mark.parametrize("player", [0, 1])
def test_set_up_again_in_the_command_phase_it_is_not_selected_to_move(player):
    y = 6 if player == 0 else 38
    scene = NinthScene()
    again = scene.unit(player, sheet("A1"), at=(16, y), models=3)
    other = scene.unit(player, sheet("A2"), at=(30, y), models=3)
    scene.unit(1 - player, sheet("Enemy"), at=(30, 22))
    scene.rule(TimedRule("Gate", "command", player, "reposition", again, 0))
    battle = scene.battle("command", active=player)
    while kind(battle) == "reposition-at":
        battle.apply(battle.first_legal())
    if kind(battle) == "move-kind":  # the only one that is left
        assert battle.decision is not None
        assert battle.decision.subject == other
    else:
        assert offered(battle, "select-to-move") == [other.row - battle.players.first_unit[player]]


@pytest.mark.rule("w9.rare.repositioned.both")
@pytest.mark.parametrize(("size", "asked"), [(14.0, False), (30.0, True)])
def test_a_unit_without_room_is_not_offered(size, asked):
    scene = NinthScene(size=(size, size), zone_depth=2)
    scene.unit(0, sheet("A1"), at=(3, 3))
    scene.unit(1, sheet("Enemy", W=9), at=(size / 2, size / 2))
    scene.rule(TimedRule("Gate", "movement-end", 0, "reposition", -1, 0))
    battle = scene.battle("movement")
    pick(battle, "Remain Stationary", kind="move-kind")
    assert (kind(battle) == "reposition") == asked
