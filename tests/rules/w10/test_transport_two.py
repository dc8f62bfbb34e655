"""Two TRANSPORTS at once, and whose wounds are meant when passengers leave a wreck (w10.transport.*)."""

from __future__ import annotations

import pytest

from wh_env.core.tables import DESTROYED, EMBARKED, ON_TABLE
from wh_env.testing import Scene, choose, dice_left, kind, pick, play_until, ranged, sheet, slots, told, words

CANNON = {"cannon": ranged(60, BS=2, S=18, AP=-3, D=6, abilities=["Indirect Fire"])}
RIFLE = {"rifle": ranged(24, A=1, BS=3)}
KILL = [6, 6, 1]  # hits, wounds, the save fails: a bus has six wounds
NO_CP = {"cp_each_command_phase": 0}


def bus(name: str, deck: int = 0) -> dict[str, object]:
    """A TRANSPORT of 5" by 3" with 6 wounds and no weapon."""
    transport = {"capacity": 12, "allowed": ["INFANTRY"], "firing_deck": deck}
    return sheet(
        name, M=12, W=6, T=9, Sv=6, hull_in=(5, 3), height=2.5, models=(1, 1), keywords=("VEHICLE", "TRANSPORT"),
        abilities={"transport": transport},
    )  # fmt: skip


@pytest.mark.rule("w10.transport.destroyed.disembark")
@pytest.mark.parametrize("victim", ["Empty", "Loaded"])
def test_only_the_passengers_of_the_destroyed_transport_get_out(victim: str) -> None:
    """Of two TRANSPORTS, one empty and one loaded, one is destroyed: who rides in the other stays where it is."""
    scene = Scene()
    scene.unit(0, sheet("Gun", weapons=CANNON), at=[(50, 30)])
    scene.unit(0, sheet("Idle", weapons=CANNON), at=[(53, 30)])
    hulls = {
        name: scene.unit(1, bus(name), at=at, facing=0.0) for name, at in (("Empty", (20, 15)), ("Loaded", (30, 15)))
    }
    squad = scene.unit(1, sheet("Squad"), models=3, embarked_in=hulls["Loaded"])
    battle = scene.battle("shooting", dice=[*KILL, 6, 6, 6], rules=NO_CP)
    pick(battle, "Gun", kind="select-to-shoot")
    pick(battle, victim, kind="shoot-target")
    gets_out = victim == "Loaded"
    assert (kind(battle) == "disembark-at") == gets_out
    if gets_out:
        battle.apply(battle.first_legal())
    assert battle.units.place[squad] == (ON_TABLE if gets_out else EMBARKED)
    assert battle.units.place[hulls[victim]] == DESTROYED
    assert dice_left(battle) == (0 if gets_out else 3)
    assert kind(battle) in ("select-to-shoot", "shoot-target")


@pytest.mark.rule("w10.transport.destroyed.rolls", "w10.attack.mortal.allocate")
def test_full_detail_asks_whom_of_the_passengers_the_mortal_wound_hurts() -> None:
    """Three passengers of two wounds, a roll of 1: their owner picks the model, also while the volley that
    destroyed the TRANSPORT has another target."""
    scene = Scene()
    scene.unit(0, sheet("Gun", weapons=CANNON), at=[(50, 30)])
    scene.unit(0, sheet("Idle", weapons=CANNON), at=[(53, 30)])
    hull = scene.unit(1, bus("Bus"), at=(20, 15), facing=0.0)
    squad = scene.unit(1, sheet("Squad", W=2), models=3, embarked_in=hull)
    battle = scene.battle("shooting", detail="full", dice=[*KILL, 1, 6, 6], rules=NO_CP)
    pick(battle, "Gun", kind="select-to-shoot")
    if kind(battle) == "weapon-target":
        pick(battle, "at Bus")
    while kind(battle) != "allocate":
        battle.apply(battle.first_legal())
    assert battle.decision is not None
    assert (battle.decision.player, battle.decision.subject) == (1, squad.row)
    assert slots(battle, "model") == [0, 1, 2]
    choose(battle, "model", 1)
    assert [battle.models.wounds[squad.model(k)] for k in range(3)] == [2, 1, 2]
    assert battle.models.wounds[hull.first] == 0
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.transport.firing-deck", "w10.shoot.select-unit")
@pytest.mark.parametrize("player", [0, 1])
def test_only_the_own_transports_on_the_table_shoot_with_borrowed_weapons(player: int) -> None:
    """Each side has a TRANSPORT without weapons on the table, the shooting one a second in Reserves, all loaded with rifles:
    one of the four can be selected, once."""
    scene = Scene()
    other = 1 - player
    for owner, name, at in ((player, "Mine", (20, 15)), (other, "Theirs", (20, 25))):
        hull = scene.unit(owner, bus(name, deck=2), at=at, facing=0.0)
        scene.unit(owner, sheet("Squad", weapons=RIFLE), models=3, embarked_in=hull)
    away = scene.unit(player, bus("Away", deck=2), reserves="strategic")
    scene.unit(player, sheet("Crew", weapons=RIFLE), models=3, embarked_in=away)
    scene.unit(player, sheet("Guns", weapons=RIFLE), at=[(24, 15)])
    scene.unit(other, sheet("Foe", W=20), at=[(24, 25)])
    battle = scene.battle("shooting", active=player, round=2, dice=[1] * 9, rules=NO_CP)
    assert kind(battle) == "select-to-shoot"
    assert sorted(words(battle).values()) == ["Guns", "Mine", "done"]
    pick(battle, "Mine")
    while kind(battle) == "shoot-target":
        pick(battle, "Foe")
    assert len(told(battle, "w10.transport.firing-deck")) == 2
    assert "Mine" not in words(battle).values()
    play_until(battle, "select-to-move")
