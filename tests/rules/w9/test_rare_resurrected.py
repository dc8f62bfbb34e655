"""Models that are returned to their unit (w9.rare.resurrected.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.core.tables import ON_TABLE, RESERVE
from wh_env.rulesets.w40k.attack_row import ALLOCATED
from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.sequence.effects import take_effect
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import apart, kind, pick, ranged, sheet, slots, told

PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")
RAISE = PsychicPower("Raise", 5, "return", Affects.FRIEND, 24, amount=(0, 0, 1))


def raised(player, amount, lost, foe, *, count=10, detail="squad", spots=None, enemies=1, **more):
    """A unit of so many models with so many destroyed, after a rule has returned some at the start of the Charge phase."""
    scene = NinthScene()
    spots = spots if spots is not None else [(10 + 1.3 * (k % 5), 20 + 1.3 * (k // 5)) for k in range(count)]
    unit = scene.unit(player, sheet("Dead", W=2), at=spots, name="Dead", lost=range(count - lost, count), **more)
    scene.unit(1 - player, sheet("Foe", W=9), at=foe, models=enemies)
    scene.rule(TimedRule("Rise", "charge", player, "return", unit, amount))
    return scene.battle("charge", active=player, detail=detail), unit


def finish(battle):
    while kind(battle) is not None and kind(battle).startswith("place-"):
        battle.apply(battle.first_legal())


@pytest.mark.rule("w9.rare.resurrected.set-up")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("lost", "amount", "back"), [(1, 2, 1), (3, 2, 2), (0, 2, 0)])
def test_never_more_than_its_starting_strength(player, detail, lost, amount, back):
    """9 of 10, and two could be returned: one is."""
    battle, unit = raised(player, amount, lost, (40, 30), detail=detail)
    if detail == "full" and back:
        assert (kind(battle), battle.decision.player) == ("place-model", player)
    finish(battle)
    assert battle.units.alive[unit] == 10 - lost + back
    assert sum(battle.models.on_table[unit.model(k)] for k in range(10)) == 10 - lost + back
    assert len(told(battle, "w9.rare.resurrected.set-up")) == back
    assert battle.units.reserve[unit] == 0


@pytest.mark.rule("w9.rare.resurrected.set-up")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("engaged", [False, True])
def test_near_an_enemy_only_if_its_unit_is(player, engaged):
    """An enemy beside the unit: within 1" of it no place is offered unless the unit is within 1" of it already."""
    foe = (10 + 4 * 1.3 + 1 + (0.5 if engaged else 1.5), 20)
    battle, unit = raised(player, 1, 1, foe, detail="full")
    enemy = battle.units.first[1 - player if player else 1]
    near = 0
    for action in list(battle.decision.options):
        clone = battle.clone()
        clone.apply(action)
        clone.apply(clone.first_legal())
        near += clone.distance(unit.row, battle.models.unit[enemy]) <= 1 and apart(clone, unit.model(9), enemy) <= 1
        assert apart(clone, unit.model(9), enemy) > 1 or engaged
    assert (near > 0) == engaged


@pytest.mark.rule("w9.rare.resurrected.set-up")
def test_another_enemy_is_still_kept_away_from():
    """Engaged with one enemy unit it comes within 1" of that, and of no other."""
    scene = NinthScene()
    unit = scene.unit(0, sheet("Dead"), at=[(20, 20), (21.3, 20), (22.6, 20)], lost=[2])
    one = scene.unit(1, sheet("One", W=9), at=(20, 21.5))
    other = scene.unit(1, sheet("Other", W=9), at=(22.8, 22.6))
    scene.rule(TimedRule("Rise", "charge", 0, "return", unit, 1))
    battle = scene.battle("charge", detail="full")
    seen = set()
    for action in list(battle.decision.options):
        clone = battle.clone()
        clone.apply(action)
        clone.apply(clone.first_legal())
        seen.add((apart(clone, unit.model(2), one.first) <= 1, apart(clone, unit.model(2), other.first) <= 1))
    assert seen == {(True, False), (False, False)}


@pytest.mark.rule("w9.rare.resurrected.set-up")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_in_coherency_with_models_that_were_there_before(detail):
    """Three come back to two: each is within 2" of one of those two, not only of another that came back."""
    battle, unit = raised(0, 3, 3, (50, 40), count=5, detail=detail, spots=[(10, 20), (11.3, 20), *[(0, 0)] * 3])
    while kind(battle) is not None and kind(battle).startswith("place-"):
        battle.apply(max(battle.decision.options))
    for back in (2, 3, 4):
        assert min(apart(battle, unit.model(back), unit.model(k)) for k in (0, 1)) <= 2.0001
    assert battle.units.alive[unit] == 5


@pytest.mark.rule("w9.rare.resurrected.set-up")
@pytest.mark.parametrize("player", [0, 1])
def test_one_neighbour_is_enough_in_a_small_unit(player):
    """Two models are left of three: places near one of them alone are offered, and none out of coherency with both."""
    battle, unit = raised(player, 1, 1, (50, 40), count=3, detail="full", spots=[(10, 20), (13, 20), (0, 0)])
    near = []
    for action in list(battle.decision.options):
        clone = battle.clone()
        clone.apply(action)
        clone.apply(clone.first_legal())
        near.append(sum(apart(clone, unit.model(2), unit.model(k)) <= 2.0001 for k in range(2)))
    assert set(near) == {1, 2}


@pytest.mark.rule("w9.rare.resurrected.set-up")
def test_two_neighbours_in_a_unit_of_six():
    battle, unit = raised(0, 1, 1, (50, 40), count=6, detail="full", spots=[(10 + 2.5 * k, 20) for k in range(6)])
    near = []
    for action in list(battle.decision.options):
        clone = battle.clone()
        clone.apply(action)
        clone.apply(clone.first_legal())
        near.append(sum(apart(clone, unit.model(5), unit.model(k)) <= 2.0001 for k in range(5)))
    assert min(near) == 2


@pytest.mark.rule("w9.rare.resurrected.set-up")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_without_room_it_stays_destroyed(detail):
    """In a corner between walls, with one model left: no model finds a place in coherency."""
    scene = NinthScene()
    unit = scene.unit(0, sheet("Dead", base_mm=100), at=[(2, 2), (0, 0)], lost=[1])
    scene.unit(1, sheet("Foe", W=9), at=(50, 40))
    scene.box(4.0, 0.0, 10.0, 10.0, 10.0)
    scene.box(0.0, 4.0, 4.0, 10.0, 10.0)
    scene.rule(TimedRule("Rise", "charge", 0, "return", unit, 1))
    battle = scene.battle("charge", detail=detail)
    assert kind(battle) is None or not kind(battle).startswith("place-")
    assert (battle.units.alive[unit], battle.models.alive[unit.model(1)]) == (1, 0)


@pytest.mark.rule("w9.rare.resurrected.fresh")
@pytest.mark.parametrize("player", [0, 1])
def test_one_that_came_back_in_the_phase_is_as_good_as_new(player):
    """M1 is destroyed by the Smite of the enemy and returned by a power in the same Psychic phase; of the mortal wound that comes then
    the controller may give any model its share."""
    smite = PsychicPower("Bolt", 5, "mortal", Affects.FRIEND, 24, amount=(0, 0, 2))
    scene = NinthScene()
    profile = PsychicProfile(2, 0, (RAISE, smite))
    scene.unit(player, sheet("Caster", W=9, keywords=PSYKER), at=(10, 6), psychic=profile)
    again = PsychicPower("Lance", 5, "mortal", Affects.FRIEND, 24, amount=(0, 0, 1))
    scene.unit(player, sheet("Second", W=9, keywords=PSYKER), at=(14, 6), psychic=PsychicProfile(1, 0, (again,)))
    squad = scene.unit(player, sheet("Squad", W=2), at=(10, 10), models=5)
    scene.unit(1 - player, sheet("Foe", W=9), at=(40, 30))
    battle = scene.battle("psychic", active=player, dice=[4] * 8, detail="full")
    pick(battle, "Caster")
    pick(battle, "Bolt (5+)")
    pick(battle, "Bolt: Squad")
    assert kind(battle) == "allocate"
    assert slots(battle, "model") == [0, 1, 2, 3, 4]
    battle.apply(battle.setup.space.model)
    if kind(battle) == "allocate":
        battle.apply(battle.first_legal())
    assert battle.units.alive[squad] == 4
    pick(battle, "Raise (5+)")
    pick(battle, "Raise: Squad")
    finish(battle)
    assert (battle.units.alive[squad], battle.models.wounds[squad.first]) == (5, 2)
    pick(battle, "Second")
    pick(battle, "Lance (5+)")
    pick(battle, "Lance: Squad")
    assert kind(battle) == "allocate"
    assert slots(battle, "model") == [0, 1, 2, 3, 4]


@pytest.mark.rule("w9.rare.resurrected.fresh")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("returned", ["return", "return, 1 Wound", ""])
def test_attacks_allocated_before_it_was_destroyed_do_not_count(player, returned):
    """M1 loses a wound, then the last, to one unit; a rule returns it before the next one shoots: whoever is left may be chosen for it,
    while without that rule (M1 lost one wound only) it has to be M1."""
    gun = {"gun": ranged(48, A=2 if returned else 1, BS=2, S=10, AP=-6, D=1)}
    scene = NinthScene()
    for number in range(2):
        scene.unit(
            player, sheet(f"Guns {number}", weapons=gun), at=(10 + 3 * number, 6 if player == 0 else 38), models=1
        )
    spots = [(10 + 1.3 * k, 22) for k in range(5)]
    squad = scene.unit(1 - player, sheet("Squad", W=2, Sv=6), at=spots)
    dice = [6, 6, 6, 6, 1, 1] if returned else [6, 6, 1]
    battle = scene.battle("shooting", active=player, dice=[*dice, *[6] * 4], detail="full")
    pick(battle, "Guns 0")
    for _ in range(20):
        if kind(battle) == "select-to-shoot":
            break
        battle.apply(battle.setup.space.model if kind(battle) == "allocate" else battle.decision.options[-1])
    assert battle.units.alive[squad] == (4 if returned else 5)
    assert battle.models.allocated[squad.first] & ALLOCATED
    if returned:
        battle.clock.asking[0] = 0
        take_effect(battle, returned, 1 - player, squad.row, 1)
        battle.run()
        finish(battle)
        assert battle.units.alive[squad] == 5
        assert battle.models.wounds[squad.first] == (1 if "1" in returned else 2)
    for _ in range(20):
        if kind(battle) == "allocate" or battle.clock.turn[0] != player:
            break
        if kind(battle) == "select-to-shoot":
            pick(battle, "Guns 1")
        else:
            battle.apply(battle.decision.options[-1])
    if returned:
        assert kind(battle) == "allocate"
        assert slots(battle, "model") == [0, 1, 2, 3, 4]
    else:
        assert kind(battle) != "allocate"
        assert battle.models.wounds[squad.first] == 0


@pytest.mark.rule("w9.rare.resurrected.set-up")
@pytest.mark.parametrize(("place", "back"), [(ON_TABLE, 1), (RESERVE, 0)])
def test_nobody_comes_back_to_a_unit_that_is_not_on_the_battlefield(place, back):
    """One model of two is left: beside it the other is returned, in Reserves it is not."""
    battle, unit = raised(0, 0, 1, (40, 30), count=2)
    battle.units.place[unit] = place
    take_effect(battle, "return", 0, unit.row, 1)
    assert battle.units.alive[unit] == 1 + back
    assert battle.models.alive[unit.model(1)] == back


# ---------------------------------------------------------------- with fewer Wounds


@pytest.mark.rule("w9.rare.resurrected.set-up")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(
    ("effect", "dice", "wounds"), [("return", [], 3), ("return, 1 Wound", [], 1), ("return, D3 Wounds", [3], 2)]
)
def test_a_rule_says_with_how_many_wounds_it_comes_back(effect, dice, wounds, detail, player):
    """A model of W 3."""
    scene = NinthScene()
    unit = scene.unit(player, sheet("Dead", W=3), at=[(20, 20), (21.3, 20), (22.6, 20)], lost=[2])
    scene.unit(1 - player, sheet("Foe", W=9), at=(50, 40))
    scene.rule(TimedRule("Rise", "charge", player, effect, unit, 1))
    battle = scene.battle("charge", active=player, detail=detail, dice=dice)
    finish(battle)
    assert [battle.models.wounds[unit.model(k)] for k in range(3)] == [3, 3, wounds]
