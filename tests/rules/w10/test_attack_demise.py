"""Deadly Demise: when it is rolled, whom it reaches, random amounts, several at a time (w10.attack.deadly-demise*)."""

from __future__ import annotations

import pytest

from wh_env.testing import Scene, choose, dice_left, pick, ranged, sheet, slots, told, words

CANNON = ranged(48, BS=2, S=16, AP=-3, D=6)
KILL = [2, 2]  # hits and wounds; against Sv 6+ with AP -3 a save is rolled and fails
SAVE = [1]


def tank(name="Tank", demise=2, W=6, **fields):
    """A VEHICLE that dies to one cannon shot."""
    return sheet(name, W=W, Sv=6, keywords=("VEHICLE",), abilities={"deadly_demise": demise}, **fields)


def gunner(**fields):
    """The unit that shoots."""
    return sheet("Gunner", weapons={"cannon": CANNON}, **fields)


def names(battle, rule="w10.attack.deadly-demise.random"):
    """Units that suffered mortal wounds of Deadly Demise, in order."""
    return [battle.setup.names["units"][e["unit"]] for e in told(battle, rule)]


def explosion(roll, demise=2, **scripts):
    """A tank at (20, 20) is destroyed with units at 3", 6.0" and 6.1" of its base; the battle afterwards."""
    scene = Scene()
    scene.unit(0, gunner(), at=(50, 20))
    scene.unit(0, sheet("Enemy at 6", W=9), at=(20, 27.0))
    scene.unit(1, tank(demise=demise), at=(20, 20))
    scene.unit(1, sheet("Own at 3", W=9), at=(16, 20))
    scene.unit(0, sheet("Enemy beyond", W=9), at=(20, 12.9))
    battle = scene.battle("shooting", dice=KILL + SAVE + [roll], **scripts)
    pick(battle, "Gunner")
    if battle.decision is not None and battle.decision.kind == "shoot-target":
        pick(battle, "Tank")
    return battle


def lost(battle):
    """Wounds lost by unit."""
    m = battle.models
    return {
        battle.setup.names["units"][u]: m.max_wounds[battle.units.first[u]] - m.wounds[battle.units.first[u]]
        for u in range(len(battle.units.place))
    }


@pytest.mark.rule("w10.attack.deadly-demise")
def test_on_a_six_each_unit_within_six_inches_suffers_mortal_wounds():
    battle = explosion(6)
    assert lost(battle) == {"Gunner": 0, "Enemy at 6": 2, "Enemy beyond": 0, "Tank": 6, "Own at 3": 2}
    assert [e["roll"] for e in told(battle, "w10.attack.deadly-demise")] == [6]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.deadly-demise")
def test_on_a_five_nobody_suffers():
    battle = explosion(5)
    assert lost(battle) == {"Gunner": 0, "Enemy at 6": 0, "Enemy beyond": 0, "Tank": 6, "Own at 3": 0}
    assert [e["roll"] for e in told(battle, "w10.attack.deadly-demise")] == [5]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.deadly-demise")
def test_it_is_rolled_at_once_and_the_rest_of_its_own_unit_suffers_too():
    """Two cannons at a squadron of two: the roll comes before the second cannon's save, and reaches the second vehicle."""
    scene = Scene()
    scene.unit(0, gunner(), at=(50, 20), models=2)
    squadron = scene.unit(1, tank("Squadron", demise=1, W=6), at=(20, 20), models=2)
    # 2 hits, 2 wounds; save fails, one vehicle is destroyed; Deadly Demise 6: the other loses 1; its save fails, it is
    # destroyed; Deadly Demise 5
    battle = scene.battle("shooting", dice=[2, 2, 2, 2, 1, 6, 1, 5])
    pick(battle, "Gunner")
    assert dice_left(battle) == 0
    shown = [
        (e.rule.removeprefix("w10.attack."), e.data.get("roll", e.data.get("die")))
        for e in battle.events
        if e.rule in ("w10.attack.save.roll", "w10.attack.deadly-demise")
    ]
    assert shown == [("save.roll", 1), ("deadly-demise", 6), ("save.roll", 1), ("deadly-demise", 5)]
    assert names(battle) == ["Squadron"]
    assert battle.units.alive[squadron] == 0


@pytest.mark.rule("w10.attack.deadly-demise")
def test_no_roll_for_models_without_it_or_that_live():
    scene = Scene()
    scene.unit(0, gunner(), at=(50, 20))
    scene.unit(1, tank(W=7), at=(20, 20))
    scene.unit(1, sheet("Bystander"), at=(20, 22))
    battle = scene.battle("shooting", dice=KILL + SAVE)
    pick(battle, "Gunner")
    pick(battle, "Tank")
    assert told(battle, "w10.attack.deadly-demise") == []
    assert dice_left(battle) == 0
    battle = scene.battle("shooting", dice=KILL + SAVE)
    pick(battle, "Gunner")
    pick(battle, "Bystander")
    assert battle.units.alive[2] == 0
    assert told(battle, "w10.attack.deadly-demise") == []
    assert dice_left(battle) == 0


def three_around(detail="squad"):
    """A TRANSPORT with Deadly Demise D3 is destroyed, its roll is a 6 and three units stand within 6"."""
    scene = Scene()
    scene.unit(0, gunner(), at=(20, 2))
    transport = tank("Transport", "D3")
    transport["keywords"] = ["VEHICLE", "TRANSPORT"]
    transport["abilities"]["transport"] = {"capacity": 10, "allowed": ["INFANTRY"]}
    scene.unit(1, transport, at=(20, 20))
    for name, at in (("A", (18, 20)), ("B", (22, 20)), ("C", (20, 25))):
        scene.unit(1, sheet(name, W=9), at=at)
    battle = scene.battle("shooting", detail=detail, dice=KILL + SAVE + [6, 1, 4, 6])
    pick(battle, "Gunner")
    pick(battle, "Transport" if detail == "squad" else "at Transport")
    return battle


@pytest.mark.rule("w10.attack.deadly-demise.random")
def test_a_random_number_is_rolled_for_each_unit():
    battle = three_around()
    assert [lost(battle)[name] for name in "ABC"] == [1, 2, 3]
    assert [e["amount"] for e in told(battle, "w10.attack.deadly-demise.random")] == [1, 2, 3]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.deadly-demise.random", "w10.attack.deadly-demise.chain")
def test_full_detail_the_turn_player_orders_the_units():
    battle = three_around("full")
    assert battle.decision.kind == "demise-unit"
    assert battle.decision.player == 0  # whose turn it is, not the owner of the wreck
    assert sorted(words(battle).values()) == ["A", "B", "C"]
    pick(battle, "C")
    assert sorted(words(battle).values()) == ["A", "B"]
    pick(battle, "A")
    assert [lost(battle)[name] for name in "ABC"] == [2, 3, 1]
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- chains


def chain(detail, dice):
    """P and Q have Deadly Demise 3; Q (3 wounds left) and a unit stand within 6" of P, another within 6" of Q only."""
    scene = Scene()
    scene.unit(0, gunner(), at=(20, 42))
    scene.unit(1, tank("P", 3), at=(20, 20))
    scene.unit(1, tank("Q", 3), at=(15, 20), wounds=[3])
    scene.unit(1, sheet("Near P", W=9), at=(26, 20))  # 5" from P, 10" from Q
    scene.unit(1, sheet("Near Q", W=9), at=(9, 20))  # 10" from P, 5" from Q
    battle = scene.battle("shooting", detail=detail, dice=dice)
    pick(battle, "Gunner")
    pick(battle, "P" if detail == "squad" else "at P")
    return battle


@pytest.mark.rule("w10.attack.deadly-demise.chain")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_model_destroyed_by_deadly_demise_is_dealt_with_afterwards_from_its_own_place(detail):
    battle = chain(detail, KILL + SAVE + [6, 6])
    if detail == "full":
        assert battle.decision.kind == "demise-unit"
        assert sorted(words(battle).values()) == ["Near P", "Q"]
        pick(battle, "Q")
    assert dice_left(battle) == 0
    # P's mortal wounds on Q and on the unit near P, only then Q's die, from Q's place
    shown = [
        e.data.get("roll", e.data.get("unit"))
        for e in battle.events
        if e.rule in ("w10.attack.deadly-demise", "w10.attack.deadly-demise.random")
    ]
    assert shown == [6, 2, 3, 6, 4]
    assert lost(battle) == {"Gunner": 0, "P": 6, "Q": 6, "Near P": 3, "Near Q": 3}


@pytest.mark.rule("w10.attack.deadly-demise.chain")
def test_the_chain_ends_with_a_roll_below_six():
    battle = chain("squad", KILL + SAVE + [6, 5])
    assert lost(battle) == {"Gunner": 0, "P": 6, "Q": 6, "Near P": 3, "Near Q": 0}
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.deadly-demise.chain")
def test_full_detail_the_turn_player_orders_several_deadly_demises():
    """P destroys Q and R: whose roll comes first is the turn player's choice."""
    scene = Scene()
    scene.unit(0, gunner(), at=(20, 42))
    scene.unit(1, tank("P", 3), at=(20, 20))
    scene.unit(1, tank("Q", 1), at=(15, 20), wounds=[3])
    scene.unit(1, tank("R", 1), at=(25, 20), wounds=[3])
    battle = scene.battle("shooting", detail="full", dice=KILL + SAVE + [6, 5, 4])
    pick(battle, "Gunner")
    pick(battle, "at P")
    pick(battle, "Q", kind="demise-unit")
    assert battle.decision.kind == "demise-order"
    assert battle.decision.player == 0
    assert len(slots(battle, "option")) == 2
    choose(battle, "option", 1)
    rolls = [
        (battle.setup.names["units"][battle.models.datasheet[e["model"]]], e["roll"])
        for e in told(battle, "w10.attack.deadly-demise")
    ]
    assert rolls == [("P", 6), ("R", 5), ("Q", 4)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.deadly-demise", "w10.attack.target-destroyed")
def test_the_explosion_can_destroy_another_declared_target_whose_attacks_are_lost():
    scene = Scene()
    scene.unit(0, sheet("Gunner", weapons={"cannon": CANNON, "rifle": ranged(48, A=3, BS=2)}), at=(50, 20))
    scene.unit(1, tank(), at=(20, 20))
    scene.unit(1, sheet("Crew", W=2), at=(20, 22))
    scene.unit(1, sheet("Others"), at=(40, 40))
    battle = scene.battle("shooting", detail="full", dice=KILL + SAVE + [6])
    pick(battle, "Gunner")
    pick(battle, "at Tank")
    pick(battle, "at Crew")
    pick(battle, "Tank", kind="target-order")
    assert battle.units.alive[2] == 0
    assert len(told(battle, "w10.attack.hit.roll")) == 1  # the rifle never fires
    assert dice_left(battle) == 0


@pytest.mark.parametrize(("victim", "made"), [(0, 2), (1, 1)])
def test_attacks_of_a_model_that_the_explosion_destroys_first_are_lost(victim, made):
    """The first model destroys the tank beside it; its owner chooses which of the two shooters the mortal wound kills."""
    data = sheet("Pair", weapons={"cannon": CANNON, "rifle": ranged(48, BS=2)})
    kind = data["models"][0]
    data["models"] = [
        {**kind, "name": name, "min": 1, "max": 1, "weapons": [weapon]}
        for name, weapon in (("First", "cannon"), ("Second", "rifle"))
    ]
    data["points"] = [{"models": 2, "points": 100}]
    scene = Scene()
    scene.unit(0, data, at=(20, 16), models=2)
    scene.unit(1, tank(demise=1), at=(20, 20))
    scene.unit(1, sheet("Others"), at=(40, 20))
    battle = scene.battle("shooting", detail="full", dice=KILL + SAVE + [6, 1])
    pick(battle, "Pair")
    pick(battle, "at Tank", kind="weapon-target")
    pick(battle, "at Others", kind="weapon-target")
    pick(battle, "Tank", kind="target-order")
    assert (battle.decision.kind, battle.decision.player) == ("allocate", 0)
    choose(battle, "model", victim)
    assert len(told(battle, "w10.attack.hit.roll")) == made
    assert dice_left(battle) == 2 - made
