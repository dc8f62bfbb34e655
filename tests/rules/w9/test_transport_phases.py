"""What units do in which phase after they got out of a TRANSPORT, and that psykers in one do nothing (w9.transport.*)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.tables import EMBARKED, ON_TABLE
from wh_env.rulesets.w9.actions.data import Action, When
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import UnitHandle, choose, kind, melee, pick, ranged, sheet, slots, told, words

MIDDLE = 17 * 17 // 2  # the cell of no movement


def bus(name: str = "Bus", **fields: Any) -> dict[str, Any]:
    """A TRANSPORT of 5" by 3" for INFANTRY."""
    data = {"M": 12, "W": 6, "hull_in": (5, 3), "height": 2.5, "models": (1, 1), **fields}
    carried = {"transport": {"capacity": 10, "allowed": ["INFANTRY"]}}
    return sheet(name, keywords=("VEHICLE", "TRANSPORT"), abilities=carried, **data)


def out(battle: Battle) -> None:
    """The squad gets out on the side of the enemy and is selected to move."""
    pick(battle, "Squad disembarks")
    assert battle.decision is not None
    battle.apply(battle.decision.options[-1])


# ---------------------------------------------------------------- embarking again


@pytest.mark.rule("w9.transport.embark", "w9.transport.embark.out-of-phase")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("when", "offered"), [("movement-end", False), ("charge", True)])
def test_it_may_embark_again_in_another_phase(when: str, offered: bool, player: int) -> None:
    """A unit got out in the Movement phase. A move as if it were the Movement phase, by the TRANSPORT: in the same phase it may not embark,
    in the Charge phase it may."""
    scene = NinthScene()
    carrier = scene.unit(player, bus(), at=(20, 20), facing=0.0)
    squad = scene.unit(player, sheet("Squad"), models=1, embarked_in=carrier)
    scene.unit(1 - player, sheet("Foe"), at=(55, 40), models=1)
    scene.rule(TimedRule("Onward", when, player, "move", squad, 0))  # type: ignore[arg-type]
    battle = scene.battle(active=player)
    out(battle)
    while kind(battle) != "move-to" or battle.decision is None or battle.decision.subject != squad.row:
        if kind(battle) == "select-to-move":
            pick(battle, "Bus")
        elif kind(battle) == "move-kind":
            stays = "Remain Stationary" if "Bus: Remain Stationary" in words(battle).values() else "Normal move"
            pick(battle, stays)
        else:
            battle.apply(0)
        if stays_put(battle, squad):
            choose(battle, "cell", MIDDLE)  # in its own move: it ends it by the TRANSPORT and is not offered to embark
            assert kind(battle) != "embark"
    assert told(battle, "w9.move.out-of-phase") == [{"unit": squad.row}]
    choose(battle, "cell", MIDDLE)
    assert (kind(battle) == "embark") == offered
    if offered:
        assert battle.clock.phase[0] == Phase.CHARGE
        pick(battle, "embark in Bus")
    assert battle.units.place[squad] == (EMBARKED if offered else ON_TABLE)


def stays_put(battle: Battle, unit: UnitHandle) -> bool:
    """Whether the unit is asked where it goes in its own move."""
    asked = kind(battle) == "move-to" and battle.decision is not None and battle.decision.subject == unit.row
    return asked and not told(battle, "w9.move.out-of-phase")


# ---------------------------------------------------------------- after disembarking


@pytest.mark.rule("w9.transport.disembark.after")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("die", "hits"), [(4, 0), (5, 1)])
@pytest.mark.parametrize("inside", [True, False])
def test_its_heavy_weapons_have_the_penalty(inside: bool, die: int, hits: int, detail: str, player: int) -> None:
    """INFANTRY gets out and is not moved further: with a Heavy weapon of BS 4+ a 4 misses and a 5 hits; who stood there all the
    time hits on a 4. It may declare a charge all the same."""
    scene = NinthScene()
    carrier = scene.unit(player, bus(), at=(20, 20), facing=0.0)
    guns = {"cannon": ranged(36, A=1, BS=4, S=9, abilities=["Heavy"])}
    place: dict[str, Any] = {"embarked_in": carrier} if inside else {"at": (20, 23)}
    squad = scene.unit(player, sheet("Squad", weapons=guns), models=1, **place)
    foe = scene.unit(1 - player, sheet("Foe", W=9, Sv=7), at=(20, 31), models=1)
    battle = scene.battle(active=player, detail=detail, dice=[die, 6], rules={"cp_each_command_phase": 0})
    if inside:
        pick(battle, "Squad disembarks")
        while (kind(battle) or "").startswith(("disembark-at", "place-")):
            assert battle.decision is not None
            battle.apply(battle.decision.options[-1])
    assert battle.units.place[squad] == ON_TABLE
    charges = False
    while battle.decision is not None and battle.clock.phase[0] <= Phase.CHARGE and not charges:
        charges = kind(battle) == "select-to-charge"
        if kind(battle) == "move-kind":
            pick(
                battle,
                "Normal move" if "Squad: Normal move" in words(battle).values() and inside else "Remain Stationary",
            )
        elif kind(battle) == "move-to":
            choose(battle, "cell", MIDDLE)
        elif kind(battle) == "select-model":
            pick(battle, "end the move")
        elif not charges:
            battle.apply(battle.decision.options[-1])
    assert charges
    assert squad.row - battle.players.first_unit[player] in slots(battle, "own")
    assert 9 - battle.models.wounds[foe.first] == (hits if inside else 1)


# ---------------------------------------------------------------- embarked


@pytest.mark.rule("w9.transport.embarked.inactive")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("inside", [True, False])
def test_an_embarked_psyker_is_asked_for_nothing(inside: bool, player: int) -> None:
    """A PSYKER with guns and blades 2" from a marker, beside enemies. Embarked: in a whole turn of its player and one of the other's it
    manifests, denies, shoots, charges, fights, starts no action, and the two enemies hold the marker against the TRANSPORT. Standing
    there it does all that."""
    scene = NinthScene()
    arms = {"rifle": ranged(48, A=1, BS=3, S=4), "blade": melee(A=1, WS=3, S=4)}
    carrier = scene.unit(player, bus(W=50, Sv=2), at=(20, 20), facing=0.0)
    bolt = PsychicPower("Bolt", 5, "mortal", Affects.ENEMY, 18, amount=(0, 0, 1))
    place: dict[str, Any] = {"embarked_in": carrier} if inside else {"at": (17, 16.5)}
    psykers = sheet("Squad", W=30, weapons=arms, keywords=("INFANTRY", "PSYKER", "CHARACTER"))
    squad = scene.unit(player, psykers, models=2, psychic=PsychicProfile(2, 9, (bolt,)), **place)
    other = PsychicProfile(1, 0, (bolt,))
    foes = sheet("Foes", W=30, weapons=arms, keywords=("INFANTRY", "PSYKER"))
    scene.unit(1 - player, foes, at=[(19.4, 13), (20.6, 13)], psychic=other)
    marker = scene.marker(20, 16.5)
    scene.action(Action("Scan", When(Phase.MOVEMENT), owner=player))
    battle = scene.battle("command", active=player, first_player=player, rules={"cp_each_command_phase": 0})
    number, own = squad.row - battle.players.first_unit[player], set()
    while battle.decision is not None and battle.clock.round[0] == 1:
        chooses = battle.decision.player == player and number in slots(battle, "own")
        if chooses or battle.decision.subject == squad.row:
            own.add(kind(battle))
        declined = [a for a in battle.decision.options if "disembarks" not in battle.describe(a)]
        manifests = kind(battle) in ("select-psyker", "select-power") and battle.decision.player != player
        battle.apply(declined[-1] if manifests or kind(battle) == "start-action" else declined[0])
    if inside:
        assert own <= {"select-to-move"}  # to get out
        assert (battle.units.place[squad], battle.units.alive[squad]) == (EMBARKED, 2)
        assert battle.objectives.holder[marker] == 1 - player
        assert not [e for e in told(battle, "w9.actions.definition") if e["unit"] == squad.row]
    else:
        assert own >= {"select-psyker", "deny", "select-to-shoot", "start-action"}
        assert battle.objectives.holder[marker] == player
