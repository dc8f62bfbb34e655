"""The phases of a turn (w9.round.phases)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.testing import sheet, told, words

PHASES = ["Command", "Movement", "Psychic", "Shooting", "Charge", "Fight", "Morale"]


def quiet(**options):
    """Two lone models that never get near each other."""
    scene = NinthScene()
    scene.unit(0, sheet("A"), at=(5, 5))
    scene.unit(1, sheet("B"), at=(55, 40))
    return scene.battle(**options)


def idle(battle, until=lambda battle: False):
    """Play on to the end of the battle; nobody moves."""
    while not battle.over and not until(battle):
        known = words(battle)
        stay = [action for action, text in known.items() if "Remain Stationary" in text]
        battle.apply(stay[0] if stay else battle.first_legal())


@pytest.mark.rule("w9.round.phases")
@pytest.mark.parametrize("player", [0, 1])
def test_a_turn_has_seven_phases_in_order(player):
    """Then comes the Command phase of the other player, in the same battle round if that is the second one."""
    battle = quiet(phase="mission", rules={"first_player": player})
    idle(battle)
    reported = [(event["round"], event["player"], event["phase"]) for event in told(battle, "w9.round.phases")]
    assert reported[:8] == [(1, player, phase) for phase in PHASES] + [(1, 1 - player, "Command")]
    assert reported == [(n, p, phase) for n in range(1, 6) for p in (player, 1 - player) for phase in PHASES]
