"""Emergency Disembarkation (w9.stratagem.emergency-disembarkation)."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Any

import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.charge.heroic import may_intervene
from wh_env.rulesets.w40k.charge.phase import free_to_charge
from wh_env.testing import choose, dice_left, kind, pick, ranged, sheet, slots, told

CANNON = {"cannon": ranged(60, BS=2, S=18, AP=-6, D=6)}
KILL = [6, 6, 1]
QUIET = {"cp_each_command_phase": 0}
HALF = (2.5, 1.5)  # of the bus along x and y
LAST = [1, 2, 3, 4, 5, 6]


def wrecked(player: int, dice: Sequence[int], *, cp: int = 1, demise: bool = False) -> tuple[Battle, Any, Any]:
    """The bus of a player with six CHARACTERS in it is shot in the opponent's turn, and is destroyed."""
    scene = NinthScene()
    scene.unit(1 - player, sheet("Gun", weapons=CANNON), at=(50, 30), models=1, name="Gun")
    scene.unit(1 - player, sheet("Idle", weapons=CANNON), at=(53, 30), models=1, name="Idle")
    abilities: dict[str, Any] = {"transport": {"capacity": 12, "allowed": ["INFANTRY"]}}
    if demise:
        abilities["deadly_demise"] = "D6"
    data = sheet(
        "Bus",
        M=12,
        W=6,
        T=9,
        Sv=6,
        hull_in=(5, 3),
        height=2.5,
        models=(1, 1),
        keywords=("VEHICLE", "TRANSPORT"),
        abilities=abilities,
    )
    bus = scene.unit(player, data, at=(20, 15), facing=0.0, name="Bus")
    squad = scene.unit(
        player, sheet("Squad", keywords=("INFANTRY", "CHARACTER")), models=6, embarked_in=bus, name="Squad"
    )
    points = (cp, 0) if player == 0 else (0, cp)
    battle = scene.battle("shooting", active=1 - player, cp=points, dice=[*KILL, *dice], rules=QUIET)
    pick(battle, "Gun")
    if kind(battle) == "shoot-target":
        pick(battle, "Bus")
    return battle, bus, squad


def far(battle: Battle, squad: Any) -> float:
    """How far the remotest model of the unit stands from the hull, measured to its farther edge."""
    m = battle.models
    found = 0.0
    for k in battle.members(squad.row):
        dx = max(0.0, abs(m.x[k] - 20) - HALF[0])
        dy = max(0.0, abs(m.y[k] - 15) - HALF[1])
        found = max(found, hypot(dx, dy) + m.radius[k])
    return found


@pytest.mark.rule("w9.stratagem.emergency-disembarkation")
@pytest.mark.parametrize("player", [0, 1])
def test_two_models_instead_of_one_are_lost(player: int) -> None:
    """6 models, dice 1 to 6: 2 are destroyed with it, 1 without; its owner is asked, for 1 CP."""
    battle, bus, squad = wrecked(player, LAST)
    assert (kind(battle), battle.decision.player) == ("emergency-disembarkation", player)
    plain = battle.clone()
    choose(battle, "own", slots(battle, "own")[0])
    choose(plain, "done")
    for game, left, points in ((battle, 4, 0), (plain, 5, 1)):
        while kind(game) == "disembark-at":
            game.apply(game.first_legal())
        assert (game.units.alive[squad], game.units.place[squad]) == (left, ON_TABLE)
        assert (dice_left(game), game.players.cp[player]) == (0, points)
        assert not game.units.alive[bus]
    battle, bus, squad = wrecked(player, LAST, cp=0)
    assert kind(battle) != "emergency-disembarkation"


@pytest.mark.rule("w9.stratagem.emergency-disembarkation")
@pytest.mark.parametrize("player", [0, 1])
def test_they_are_set_up_wholly_within_six_inches(player: int) -> None:
    """Without it nobody stands beyond 3", with it some place is beyond 3" and none beyond 6"."""
    reached = []
    for use in (False, True):
        battle, _, squad = wrecked(player, [6] * 6)
        if use:
            choose(battle, "own", slots(battle, "own")[0])
        else:
            choose(battle, "done")
        assert kind(battle) == "disembark-at"
        most = 0.0
        cells = slots(battle, "cell")
        for cell in (*cells[:6], *cells[-6:]):
            after = battle.clone()
            choose(after, "cell", cell)
            most = max(most, far(after, squad))
        reached.append(most)
    assert reached[0] <= 3.0 + 1e-6 < reached[1] <= 6.0 + 1e-6


@pytest.mark.rule("w9.stratagem.emergency-disembarkation")
@pytest.mark.parametrize("player", [0, 1])
def test_the_explosion_spares_them_and_they_do_not_charge(player: int) -> None:
    """The bus explodes on a 6: nobody who gets out is hurt by it; they declare no charge and make no Heroic Intervention this turn."""
    battle, _, squad = wrecked(player, [6, *[6] * 6], demise=True)
    choose(battle, "own", slots(battle, "own")[0])
    while kind(battle) == "disembark-at":
        battle.apply(battle.first_legal())
    assert [e["roll"] for e in told(battle, "w9.concepts.destroyed") if "roll" in e] == [6]
    assert battle.units.alive[squad] == 6
    assert dice_left(battle) == 0
    assert not free_to_charge(battle, squad.row)
    assert not may_intervene(battle, squad.row)
