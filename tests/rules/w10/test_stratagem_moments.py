"""Stratagems whose moment is of the own unit, of one that has left the table or of one that is gone (w10.stratagem.*)."""

from __future__ import annotations

import pytest

from wh_env.core.tables import DESTROYED, EMBARKED
from wh_env.testing import Scene, choose, dice_left, kind, melee, pick, ranged, sheet, told

POOR = {"cp_each_command_phase": 0}
ASK = {**POOR, "stratagems": {"command-re-roll": "off", "fire-overwatch": "ask"}}
DROP = {"deep_strike": True}


@pytest.mark.rule("w10.stratagem.fire-overwatch")
def test_nobody_fires_overwatch_at_an_own_unit_that_arrives() -> None:
    """B's unit arrives by Rapid Ingress in A's Movement phase, 12" from guns of A and of B, and B has CP left: it is set up in
    the opponent's Movement phase, but is no enemy of B."""
    scene = Scene()
    scene.unit(0, sheet("Enemy guns", weapons={"gun": ranged(36)}), at=(30, 10), models=1)
    scene.unit(1, sheet("Guns", weapons={"gun": ranged(36)}), at=(45, 35), models=1)
    late = scene.unit(1, sheet("Late", abilities=DROP, weapons={"gun": ranged(36)}), models=1, reserves="deep-strike")
    battle = scene.battle("movement", round=2, cp=(2, 3), rules=ASK)
    while kind(battle) != "rapid-ingress":
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    pick(battle, "Late")
    while kind(battle) in ("arrive-at", "arrive-by", "place-model", "place-exactly"):
        battle.apply(battle.first_legal())
    assert battle.models.on_table[late.first] == 1
    assert kind(battle) not in ("fire-overwatch", None)
    assert battle.players.cp[1] == 2


@pytest.mark.rule("w10.stratagem.heroic-intervention", "w10.stratagem.fire-overwatch")
def test_nobody_fires_overwatch_at_an_own_unit_that_intervenes() -> None:
    """B's unit makes its Heroic Intervention in A's Charge phase; guns of B see it, and B could pay: it is no enemy of B."""
    scene = Scene()
    charger = scene.unit(0, sheet("Charger", W=9), at=(20, 10), models=1)
    scene.unit(1, sheet("Target", W=9), at=(20, 16), models=1)
    friend = scene.unit(1, sheet("Friend", W=9), at=(25, 16), models=1)
    scene.unit(1, sheet("Guns", weapons={"gun": ranged(36)}), at=(30, 26), models=1)
    battle = scene.battle("charge", cp=(0, 4), dice=[3, 4, 4, 4], rules=POOR)
    pick(battle, "Charger", kind="select-to-charge")
    pick(battle, "Target", kind="charge-target")
    if kind(battle) == "charge-target":
        choose(battle, "done")
    asked = []
    while kind(battle) in ("fire-overwatch", "heroic-intervention"):
        assert battle.decision is not None
        asked.append((battle.decision.kind, battle.decision.subject))
        if battle.decision.kind == "heroic-intervention":
            pick(battle, "Heroic Intervention: Friend")
        else:
            choose(battle, "done")
    assert told(battle, "w10.charge.move") == [{"unit": charger.row}, {"unit": friend.row}]
    assert {subject for what, subject in asked if what == "fire-overwatch"} == {charger.row}
    assert battle.players.cp[1] == 2


@pytest.mark.rule("w10.stratagem.fire-overwatch", "w10.transport.embark")
def test_nobody_fires_at_a_unit_that_ended_its_move_in_a_transport() -> None:
    """The unit embarks at the end of its move: it is no longer on the battlefield when Overwatch could be used."""
    scene = Scene()
    transport = {"capacity": 6, "allowed": ["INFANTRY"]}
    bus = sheet("Bus", hull_in=(5, 3), W=9, keywords=("VEHICLE", "TRANSPORT"), abilities={"transport": transport})
    hull = scene.unit(0, bus, at=(30, 8), models=1, facing=0.0)
    squad = scene.unit(0, sheet("Squad"), at=(30, 14), models=1)
    scene.unit(1, sheet("Guns", weapons={"gun": ranged(36)}), at=(30, 30), models=1)
    battle = scene.battle("movement", cp=(0, 1), rules=ASK)
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move", kind="move-kind")
    while battle.units.place[squad] != EMBARKED:
        if kind(battle) == "fire-overwatch":
            assert battle.units.place[squad] != EMBARKED
            choose(battle, "done")
        elif kind(battle) == "move-to":
            ends = {}
            for action in battle.decision.options:  # type: ignore[union-attr]
                probe = battle.clone()
                probe.apply(action)
                ends[action] = abs(probe.models.y[squad.first] - 11.0) + abs(probe.models.x[squad.first] - 30.0)
            battle.apply(min(ends, key=lambda action: ends[action]))
        else:
            pick(battle, "Bus", kind="embark")
    assert kind(battle) != "fire-overwatch"
    assert battle.units.carrier[squad] == hull.row


@pytest.mark.rule("w10.stratagem.tank-shock", "w10.stratagem.same-trigger")
@pytest.mark.parametrize(("left", "dice"), [(0, 0), (1, 8)])
def test_a_vehicle_that_overwatch_destroys_rams_nobody(left: int, dice: int) -> None:
    """The opponent's Stratagems come first: the VEHICLE is shot at where it ends its Charge move. Without its last wound it rams
    nobody and no die is rolled; with one left it does."""
    scene = Scene()
    tank = scene.unit(
        0, sheet("Tank", weapons={"ram": melee(S=6)}, W=1 + left, Sv=6, keywords=("VEHICLE",)), at=(20, 10), models=1
    )
    scene.unit(0, sheet("Rest"), at=(50, 5), models=1)
    target = scene.unit(1, sheet("Target", W=9), at=(20, 19), models=1)
    gun = {"gun": ranged(36, A=1, BS=2, S=12, AP=-6)}
    scene.unit(1, sheet("Guns", weapons=gun, keywords=("MONSTER",)), at=(26, 25), models=1)
    battle = scene.battle("charge", cp=(1, 1), dice=[4, 4, 6, 6, 1, *[5] * 8], rules=ASK, detail="full")
    pick(battle, "Tank", kind="select-to-charge")
    pick(battle, "Tank Shock: Tank")
    pick(battle, "no Fire Overwatch")
    pick(battle, "leave the move to the engine", kind="close-order")
    pick(battle, "the opponent first", kind="tank-shock-order")
    pick(battle, "Fire Overwatch: Guns")
    pick(battle, "at Tank", kind="weapon-target")
    while kind(battle) in ("allocate", "tank-shock-target", "tank-shock-weapon"):
        battle.apply(battle.first_legal())
    assert (battle.units.place[tank] == DESTROYED) == (not left)
    assert [len(event["dice"]) for event in told(battle, "w10.stratagem.tank-shock") if "dice" in event] == (
        [dice] if left else []
    )
    assert dice_left(battle) == 8 - dice
    assert battle.models.alive[target.first] == 1


@pytest.mark.rule("w10.stratagem.tank-shock", "w10.weapon.hazardous.test")
def test_a_vehicle_whose_target_is_gone_rams_nobody() -> None:
    """The opponent's Stratagems come first: the target fires Overwatch with a Hazardous weapon and destroys itself. The VEHICLE is
    within Engagement Range of nobody then."""
    scene = Scene()
    ram = {"ram": melee(S=6)}
    scene.unit(0, sheet("Tank", weapons=ram, W=9, keywords=("VEHICLE",)), at=(20, 10), models=1)
    scene.unit(0, sheet("Rest"), at=(50, 5), models=1)
    gun = {"gun": ranged(36, A=1, BS=6, S=1, abilities=["Hazardous"])}
    target = scene.unit(1, sheet("Target", W=3, weapons=gun, keywords=("MONSTER",)), at=(20, 19), models=1)
    scene.unit(1, sheet("Others"), at=(55, 40), models=1)
    battle = scene.battle("charge", cp=(1, 1), dice=[4, 4, 1, 1, *[5] * 8], rules=ASK, detail="full")
    pick(battle, "Tank", kind="select-to-charge")
    pick(battle, "Tank Shock: Tank")
    pick(battle, "no Fire Overwatch")
    pick(battle, "leave the move to the engine", kind="close-order")
    pick(battle, "the opponent first", kind="tank-shock-order")
    pick(battle, "Fire Overwatch: Target")
    pick(battle, "at Tank", kind="weapon-target")
    assert battle.units.place[target] == DESTROYED
    assert all("dice" not in event for event in told(battle, "w10.stratagem.tank-shock"))
    assert dice_left(battle) == 8


@pytest.mark.rule("w10.stratagem.fire-overwatch.start-of-move", "w10.deploy.leader.split")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("first", [True, False])
def test_a_leader_whose_unit_overwatch_destroys_goes_on_with_the_move(player: int, first: bool) -> None:
    """The Bodyguard is shot at as it starts its move and destroyed; its Leader makes the move, wherever in the army list the unit
    stands and whoever moves."""
    scene = Scene()
    if not first:
        scene.unit(player, sheet("Before"), at=(50, 22), models=1)
    squad = scene.unit(player, sheet("Squad", T=3, Sv=6), at=(20, 20), models=1)
    hero = sheet("Hero", W=5, Sv=2, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Squad"]})
    lead = scene.unit(player, hero, at=(21.5, 20), models=1, leads=squad)
    scene.unit(player, sheet("After"), at=(55, 22), models=1)
    gun = {"gun": ranged(36, A=1, BS=2, S=8, AP=-6)}
    scene.unit(1 - player, sheet("Guns", weapons=gun), at=(20, 36 if player == 0 else 6), models=1)
    cp = (0, 1) if player == 0 else (1, 0)
    battle = scene.battle("movement", active=player, cp=cp, dice=[6, 6, 1], rules=ASK)
    if kind(battle) == "select-to-move":
        pick(battle, "Squad")
    pick(battle, "Normal move", kind="move-kind")
    pick(battle, "Guns", kind="fire-overwatch")
    assert battle.units.place[squad] == DESTROYED
    assert battle.models.alive[lead.first] == 1
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player, battle.decision.subject) == ("move-to", player, lead.row)
    before = battle.models.x[lead.first]
    battle.apply(battle.decision.options[-1])
    assert (battle.models.x[lead.first], battle.models.y[lead.first]) != (before, 20)
    assert battle.units.moved[lead] == 2
