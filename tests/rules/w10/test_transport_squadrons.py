"""TRANSPORT units of several models: capacity, embarking, disembarking, destruction and Firing Deck are those of each model
(w10.transport.*)."""

from __future__ import annotations

from math import hypot

import pytest

from wh_env.core.features import Veil
from wh_env.core.tables import DESTROYED, EMBARKED, ON_TABLE
from wh_env.rulesets.w40k.questions.hulls import hull_of, passengers_of
from wh_env.testing import (
    Scene,
    cell_nearest,
    choose,
    dice_left,
    kind,
    pick,
    play_until,
    ranged,
    sheet,
    slots,
    told,
    words,
)

PLACES = [(20.0, 10.0), (20.0, 14.5)]  # two hulls of 5" by 3", 1.5" apart
HALF = (2.5, 1.5)
MIDDLE = 17 * 17 // 2
RIFLE = {"rifle": ranged(24, A=1, BS=3)}
NO_CP = {"cp_each_command_phase": 0}
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])


def buses(capacity=6, deck=0, demise=None, weapons=None, **fields):
    """A unit of one to three TRANSPORTS."""
    abilities = {"transport": {"capacity": capacity, "allowed": ["INFANTRY"], "firing_deck": deck}}
    if demise is not None:
        abilities["deadly_demise"] = demise
    data = {"M": 12, "W": 6, "T": 9, "Sv": 6, "hull_in": (5, 3), "height": 2.5, "models": (1, 3), **fields}
    return sheet("Buses", keywords=("VEHICLE", "TRANSPORT"), abilities=abilities, weapons=weapons, **data)


def from_hull(battle, model, hull):
    """From a hull (facing along x) to the farthest point of a round base."""
    m = battle.models
    dx = max(0.0, abs(m.x[model] - m.x[hull]) - HALF[0])
    dy = max(0.0, abs(m.y[model] - m.y[hull]) - HALF[1])
    return hypot(dx, dy) + m.radius[model]


def ended_move(spots, *, capacity=6, aboard=(), detail="squad", models=None):
    """A squad has ended a Normal move of 0" on these spots beside two buses; ``aboard``: models embarked in each of them."""
    scene = Scene()
    carrier = scene.unit(0, buses(capacity), at=PLACES, facing=0.0)
    squad = scene.unit(0, sheet("Squad"), at=spots, models=models or len(spots))
    for hull, size in enumerate(aboard):
        if size:
            scene.unit(0, sheet(f"In {hull}"), models=size, embarked_in=carrier, hull=hull)
    scene.unit(1, sheet("Foe"), at=(50, 40), models=1)
    battle = scene.battle(detail=detail)
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move", kind="move-kind")
    choose(battle, "cell", MIDDLE) if kind(battle) == "move-to" else choose(battle, "done")
    return battle, squad, carrier


# ---------------------------------------------------------------- embarking

BETWEEN = [(23.5, 11.7), (23.5, 12.8)]  # within 3" of both
LOW = [(23.5, 7.0), (23.5, 8.2)]  # within 3" of the first only: the second begins at y = 13


@pytest.mark.rule("w10.transport.capacity", "w10.transport.whole-units")
@pytest.mark.parametrize(("aboard", "offered"), [((4, 4), True), ((5, 5), False), ((6, 4), True), ((5, 6), False)])
def test_the_capacity_is_that_of_each_model(aboard, offered):
    """Capacity 6 each: a unit of two finds room where one model has two places left, not where both have one."""
    battle, squad, carrier = ended_move(BETWEEN, aboard=aboard)
    assert (kind(battle) == "embark") == offered
    if offered:
        pick(battle, "Buses")
        assert battle.units.place[squad] == EMBARKED
        assert hull_of(battle, squad.row) == carrier.model(0 if aboard[0] == 4 else 1)


@pytest.mark.rule("w10.transport.embark")
@DETAILS
@pytest.mark.parametrize(
    ("spots", "hulls"),
    [
        (BETWEEN, [0, 1]),
        (LOW, [0]),
        ([(23.5, 8.0), (23.5, 9.2), (23.5, 10.4), (23.5, 11.6), (23.5, 12.8), (23.5, 14.0), (23.5, 15.2)], []),
    ],
)
def test_all_models_end_the_move_within_three_inches_of_the_same_model(spots, hulls, detail):
    """A unit of which some are near the one and the others near the other cannot embark."""
    battle, squad, carrier = ended_move(spots, capacity=12, detail=detail)
    assert (kind(battle) == "embark") == bool(hulls)
    if not hulls:
        return
    pick(battle, "Buses")
    if detail == "full" and len(hulls) > 1:
        assert (kind(battle), slots(battle, "model")) == ("embark-model", hulls)
        assert sorted(words(battle).values()) == ["embark in Buses 1", "embark in Buses 2"]
        pick(battle, "Buses 2")
        assert told(battle, "w10.transport.embark")[-1] == {"unit": squad.row, "model": carrier.model(1)}
        hulls = [1]
    assert kind(battle) != "embark-model"
    assert hull_of(battle, squad.row) == carrier.model(hulls[0])
    assert passengers_of(battle, carrier.model(hulls[0])) == [squad.row]


@pytest.mark.rule("w10.transport.start-embarked", "w10.transport.capacity")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_units_that_start_embarked_are_in_one_model_each(detail):
    """Capacity 6: two units of five go into one model each, a third one into none."""
    scene = Scene()
    carrier = scene.unit(0, buses(), models=2)
    squads = [scene.unit(0, {**sheet("Squad"), "name": f"S{n}"}, models=5) for n in range(3)]
    scene.unit(1, sheet("Foe"), models=1)
    battle = scene.battle("mission", detail=detail, rules={"formations": "choose"})
    for number in range(2):
        play_until(battle, "start-embarked")
        assert battle.decision.subject == squads[number].row
        pick(battle, "Buses")
        if detail == "full" and number == 0:
            assert kind(battle) == "embark-model"
            pick(battle, "Buses 2")
    assert kind(battle) == "select-to-deploy"
    first = 1 if detail == "full" else 0
    assert passengers_of(battle, carrier.model(first)) == [squads[0].row]
    assert passengers_of(battle, carrier.model(1 - first)) == [squads[1].row]
    assert battle.units.place[squads[2]] != EMBARKED


@pytest.mark.rule("w10.mission.formations.secret")
def test_the_model_that_a_unit_starts_in_is_secret():
    scene = Scene()
    carrier = scene.unit(0, buses(), models=2)
    scene.unit(0, sheet("Squad"), models=5)
    scene.unit(1, sheet("Foe"), models=1)
    battle = scene.battle("mission", detail="full", rules={"formations": "choose"})
    pick(battle, "Buses", kind="start-embarked")
    pick(battle, "Buses 2", kind="embark-model")
    battle.players.ready[0] = battle.players.ready[1] = 0
    assert list(battle.hulls) == [0, carrier.model(1), 0]
    assert list(Veil().over(battle, 0).hulls) == [0, carrier.model(1), 0]
    assert list(Veil().over(battle, 1).hulls) == [0, 0, 0]


# ---------------------------------------------------------------- disembarking


@pytest.mark.rule("w10.transport.disembark.set-up")
@pytest.mark.parametrize("hull", [0, 1])
def test_a_unit_gets_out_of_its_own_model(hull):
    """Wholly within 3" of the model that it was embarked in; every place that is offered."""
    scene = Scene()
    carrier = scene.unit(0, buses(), at=[(20.0, 10.0), (20.0, 14.5)], facing=0.0)
    squad = scene.unit(0, sheet("Squad"), models=3, embarked_in=carrier, hull=hull)
    scene.unit(1, sheet("Foe"), at=(50, 40), models=1)
    battle = scene.battle()
    pick(battle, "Squad disembarks", kind="select-to-move")
    assert kind(battle) == "disembark-at"
    for action in battle.decision.options[::7]:
        after = battle.clone()
        after.apply(action)
        assert after.units.place[squad] == ON_TABLE
        assert all(from_hull(after, squad.model(k), carrier.model(hull)) <= 3.0 + 1e-4 for k in range(3))


# ---------------------------------------------------------------- destroyed

CANNON = {"cannon": ranged(60, A=2, BS=2, S=18, AP=-3, D=6)}
KILL = [6, 6, 6, 6]  # two hits and wounds; the failed saves (Sv 6+, AP -3) of 1 follow


def shot_at(dice, *, sizes=(3, 2), demise=None, detail="squad", weapons=None, models=2):
    """A gun shoots at buses with a unit in each; battle, buses, passengers."""
    scene = Scene()
    scene.unit(0, sheet("Gun", weapons=weapons or CANNON), at=[(50, 30)])
    scene.unit(0, sheet("Idle", weapons=CANNON), at=[(53, 30)])
    carrier = scene.unit(1, buses(demise=demise), at=PLACES[:models], facing=0.0)
    squads = [
        scene.unit(1, {**sheet("Squad", weapons=RIFLE, W=2), "name": name}, models=size, embarked_in=carrier, hull=hull)
        for hull, (name, size) in enumerate(zip("AB", sizes))
        if size
    ]
    battle = scene.battle("shooting", dice=dice, detail=detail, rules=NO_CP)
    pick(battle, "Gun", kind="select-to-shoot")
    if kind(battle) in ("shoot-target", "weapon-target"):
        pick(battle, "Buses" if detail == "squad" else "at Buses")
    return battle, carrier, squads


@pytest.mark.rule("w10.transport.destroyed.disembark", "w10.transport.destroyed.rolls")
def test_only_the_passengers_of_the_destroyed_model_get_out():
    """The last model takes the attack (D 6, W 6): its two passengers get out, at once, before the second attack's save; those
    of the other model stay embarked."""
    battle, carrier, (first, second) = shot_at([*KILL, 1, 4, 1, 6])
    assert battle.models.alive[carrier.model(1)] == 0
    assert kind(battle) == "disembark-at" and battle.decision.subject == second.row
    assert battle.models.on_table[carrier.model(1)] == 1  # until they are out
    assert battle.models.wounds[carrier.model(0)] == 6
    assert dice_left(battle) == 3
    battle.apply(battle.first_legal())
    assert battle.models.on_table[carrier.model(1)] == 0
    for k in range(2):
        assert from_hull(battle, second.model(k), carrier.model(1)) <= 3.0 + 1e-4
    assert (battle.units.place[second], battle.units.shocked[second]) == (ON_TABLE, 1)
    assert sum(battle.models.wounds[second.model(k)] for k in range(2)) == 3  # rolls of 4 and 1
    # the second attack goes on: the 6 fails against AP -3, and the first model is destroyed too
    assert battle.models.alive[carrier.model(0)] == 0
    assert kind(battle) == "disembark-at" and battle.decision.subject == first.row


@pytest.mark.rule("w10.transport.destroyed.disembark")
def test_an_empty_model_is_removed_at_once_and_the_others_keep_their_passengers():
    battle, carrier, (first,) = shot_at([6, 6, 1], sizes=(3, 0), weapons={"cannon": ranged(60, BS=2, S=18, AP=-3, D=6)})
    assert [battle.models.on_table[carrier.model(k)] for k in range(2)] == [1, 0]
    assert kind(battle) == "select-to-shoot"
    assert (battle.units.place[first], hull_of(battle, first.row)) == (EMBARKED, carrier.model(0))
    assert battle.units.place[carrier] == ON_TABLE


@pytest.mark.rule("w10.attack.deadly-demise", "w10.transport.destroyed.deadly-demise")
def test_deadly_demise_of_one_model_before_its_passengers_get_out():
    """Deadly Demise 1 of the second model on a 6: the other model loses a wound, the passengers none."""
    weapons = {"cannon": ranged(60, BS=2, S=18, AP=-3, D=6)}
    battle, carrier, (_, second) = shot_at([6, 6, 1, 6, 4, 4], demise=1, weapons=weapons)
    assert kind(battle) == "disembark-at"
    assert battle.models.wounds[carrier.model(0)] == 5
    battle.apply(battle.first_legal())
    assert [battle.models.wounds[second.model(k)] for k in range(2)] == [2, 2]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.transport.destroyed.disembark", "w10.attack.deadly-demise.transport-first")
def test_two_models_destroyed_together_stand_until_both_are_empty():
    """The Deadly Demise of the second model destroys the first too; the passengers of neither stand where the other is."""
    weapons = {"cannon": ranged(60, BS=2, S=18, AP=-3, D=6)}
    battle, carrier, squads = shot_at([6, 6, 1, 6, 1, 4, 4, 4, 4, 4], demise=6, weapons=weapons)
    assert [battle.models.alive[carrier.model(k)] for k in range(2)] == [0, 0]
    while kind(battle) in ("wreck-order", "disembark-at"):
        for hull in (carrier.model(0), carrier.model(1)):
            assert battle.models.on_table[hull] == bool(passengers_of(battle, hull))
        battle.apply(battle.first_legal())
    assert [battle.units.place[squad] for squad in squads] == [ON_TABLE, ON_TABLE]
    assert battle.units.place[carrier] == DESTROYED
    for squad, hull in zip(squads, range(2)):
        for k in range(battle.units.count[squad]):
            assert from_hull(battle, squad.model(k), carrier.model(hull)) <= 3.0 + 1e-4
            others = [from_hull(battle, squad.model(k), carrier.model(h)) for h in range(2)]
            assert min(others) >= 2 * battle.models.radius[squad.model(k)] - 1e-3  # beside both hulls, not on them


@pytest.mark.rule("w10.concepts.coherency.removal-no-trigger")
@DETAILS
def test_passengers_of_a_model_removed_for_coherency_are_destroyed_with_it(detail):
    scene = Scene()
    carrier = scene.unit(0, buses(), at=[(20, 10), (20, 14.5), (40, 10)], facing=0.0)
    stay = scene.unit(0, {**sheet("Squad"), "name": "Stay"}, models=3, embarked_in=carrier, hull=0)
    lost = scene.unit(0, {**sheet("Squad"), "name": "Lost"}, models=3, embarked_in=carrier, hull=2)
    scene.unit(1, sheet("Foe"), at=(50, 40), models=1)
    battle = scene.battle("end", detail=detail)
    if detail == "full":
        assert kind(battle) == "coherency-removal"
        choose(battle, "model", 2)
    assert battle.models.alive[carrier.model(2)] == 0
    assert (battle.units.place[lost], battle.units.alive[lost]) == (DESTROYED, 0)
    assert (battle.units.place[stay], hull_of(battle, stay.row)) == (EMBARKED, carrier.model(0))


# ---------------------------------------------------------------- Firing Deck


def decks(*, deck=2, detail="squad", dice=(), gap=0.0, hazard=()):
    """Two buses with three rifles in each and an enemy; the second bus stands ``gap`` farther from it."""
    rifles = {"rifle": ranged(24, A=1, BS=3, abilities=list(hazard))}
    scene = Scene()
    carrier = scene.unit(0, buses(deck=deck), at=[(20, 14.5), (20, 10.0)], facing=0.0)
    for hull in range(2):
        data = {**sheet("Squad", weapons=rifles), "name": f"S{hull}"}
        scene.unit(0, data, models=3, embarked_in=carrier, hull=hull)
    scene.unit(0, sheet("More", weapons=RIFLE), at=[(30, 20)], models=1)
    scene.unit(1, sheet("Foe", W=19), at=[(20, 32.5 + gap)])
    return scene.battle("shooting", detail=detail, dice=dice), carrier


@pytest.mark.rule("w10.transport.firing-deck", "w10.transport.firing-deck.bearer")
@pytest.mark.parametrize(("gap", "shooters"), [(0.0, [0, 0, 1, 1]), (7.9, [0, 0])])
def test_each_model_has_its_own_firing_deck(gap, shooters):
    """Firing Deck 2: two rifles of each model, measured from the model that carries them (24" reach from the first only)."""
    battle, carrier = decks(gap=gap, dice=[1] * len(shooters))
    pick(battle, "Buses", kind="select-to-shoot")
    attackers = sorted(e["attacker"] for e in told(battle, "w10.attack.hit.roll"))
    assert attackers == [carrier.model(k) for k in shooters]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.transport.firing-deck")
def test_at_full_detail_models_are_asked_one_after_the_other():
    """Up to two of the three passengers of the first model, then of those of the second."""
    battle, carrier = decks(detail="full", dice=[1] * 3)
    pick(battle, "Buses", kind="select-to-shoot")
    asked = []
    while kind(battle) in ("firing-deck-model", "firing-deck-weapon"):
        if kind(battle) == "firing-deck-model":
            asked.append(sorted(w for w in words(battle).values() if w != "no further model"))
        names = slots(battle, "model")
        choose(battle, "done") if len(asked) == 4 else choose(battle, "model", names[0]) if names else battle.apply(
            battle.first_legal()
        )
    assert [len(names) for names in asked] == [3, 2, 3, 2]
    while kind(battle) == "weapon-target":
        pick(battle, "at Foe")
    attackers = sorted(e["attacker"] for e in told(battle, "w10.attack.hit.roll"))
    assert attackers == [carrier.model(0), carrier.model(0), carrier.model(1)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.hazardous.mortal", "w10.transport.firing-deck.bearer")
def test_a_hazardous_weapon_is_that_of_the_model_that_fires_it():
    """Only the model with a Hazardous weapon on its Firing Deck can pay for a failed test."""
    hot = {"hot": ranged(24, A=1, BS=3, abilities=["Hazardous"])}
    scene = Scene()
    carrier = scene.unit(0, buses(deck=2), at=PLACES, facing=0.0)
    scene.unit(0, {**sheet("Squad", weapons=hot), "name": "Hot"}, models=1, embarked_in=carrier, hull=1)
    scene.unit(0, {**sheet("Squad", weapons=RIFLE), "name": "Cold"}, models=1, embarked_in=carrier, hull=0)
    scene.unit(1, sheet("Foe", W=9), at=[(20, 25)])
    battle = scene.battle("shooting", dice=[1, 1, 1], detail="squad")
    pick(battle, "Buses", kind="select-to-shoot")
    assert [battle.models.wounds[carrier.model(k)] for k in range(2)] == [6, 3]
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- moves of the unit


@pytest.mark.rule("w10.transport.disembark.not-after-advance", "w10.transport.disembark.after-normal")
@pytest.mark.parametrize(("move", "offered"), [("Normal move", True), ("Advance", False)])
def test_what_the_unit_did_is_what_each_of_its_models_did(move, offered):
    scene = Scene()
    carrier = scene.unit(0, buses(), at=PLACES, facing=0.0)
    squad = scene.unit(0, sheet("Squad"), models=2, embarked_in=carrier, hull=1)
    scene.unit(1, sheet("Foe"), at=(50, 40), models=1)
    battle = scene.battle(dice=[1])
    pick(battle, "Buses", kind="select-to-move")
    pick(battle, move, kind="move-kind")
    choose(battle, "cell", cell_nearest(battle, 5.0, 0.0, 12.0 + battle.units.advance[carrier]))
    offers = kind(battle) == "select-to-move" and any("Squad disembarks" in w for w in words(battle).values())
    assert offers == offered
    assert hull_of(battle, squad.row) == carrier.model(1)
