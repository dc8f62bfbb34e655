"""What a unit may not do for the rest of the turn after it Advanced or Fell Back (w9.move.advance.restrictions, .fall-back.restrictions)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.testing import UnitHandle, cell_nearest, choose, kind, pick, ranged, sheet, slots

RAPID = {"rifle": ranged(24, abilities=["Rapid Fire 1"])}
ASSAULT = {"carbine": ranged(24, abilities=["Assault"])}
SELECTIONS = ("select-psyker", "select-to-shoot", "select-to-charge")


def moving(
    player: int, foe: float, what: str, dx: float, dice: list[int], detail: str = "squad", **fields: Any
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """A psyker unit of five at x = 20 makes its move of ``dx`` inches along the table; an enemy stands at ``foe``."""
    scene = NinthScene()
    data = {"weapons": RAPID, "keywords": ("INFANTRY", "PSYKER"), **fields}
    spots = [(20.0, 18 + 1.5 * k) for k in range(5)]
    unit = scene.unit(player, sheet("Squad", **data), at=spots, models=5, psychic=PsychicProfile(1, 1, ()))
    scene.unit(player, sheet("Watch"), at=(55, 3), models=1)  # has still to move, so that the phase goes on
    scene.unit(1 - player, sheet("Foe", W=30), at=(foe, 21), models=1)
    battle = scene.battle(active=player, dice=dice, detail=detail)
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, what, kind="move-kind")
    if detail == "squad":
        choose(battle, "cell", cell_nearest(battle, dx, 0, 6 + sum(dice)))
    return battle, unit


def selections(battle: Battle, unit: UnitHandle, turn: int) -> set[str]:
    """Plays the turn of a player on, nobody doing anything more; in which phases the unit could have been selected."""
    found: set[str] = set()
    owner = battle.units.owner[unit]
    number = unit.row - battle.players.first_unit[owner]
    while battle.decision is not None and battle.clock.turn[0] == turn:
        name = kind(battle) or ""
        if name in SELECTIONS and battle.decision.player == owner and number in slots(battle, "own"):
            found.add(name)
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    return found


@pytest.mark.rule("w9.move.advance.restrictions")
@pytest.mark.parametrize("player", [0, 1])
def test_after_an_advance_powers_only(player: int) -> None:
    """Advanced with a 3 and 8" from an enemy: offered in the Psychic phase, not to shoot, not to charge; with Assault weapons it
    may shoot, and after a Normal Move all three."""
    advanced, unit = moving(player, 33.5, "Advance", 4.5, [3])
    assert advanced.units.moved[unit] == Moved.ADVANCE
    assert advanced.models.x[unit.first] == pytest.approx(24.5)  # the gap to the foe is 8"
    assert selections(advanced, unit, player) == {"select-psyker"}
    armed, unit = moving(player, 33.5, "Advance", 4.5, [3], weapons=ASSAULT)
    assert selections(armed, unit, player) == {"select-psyker", "select-to-shoot"}
    walked, unit = moving(player, 33.5, "Normal move", 4.5, [])
    assert selections(walked, unit, player) == set(SELECTIONS)


@pytest.mark.rule("w9.move.advance.restrictions")
@pytest.mark.parametrize("player", [0, 1])
def test_the_next_turn_is_free_again(player: int) -> None:
    """What it may not do, it may not do in that turn."""
    battle, unit = moving(player, 33.5, "Advance", 4.5, [3])
    assert selections(battle, unit, player) == {"select-psyker"}
    selections(battle, unit, 1 - player)  # the opponent's turn
    assert battle.clock.turn[0] == player
    assert battle.units.moved[unit] == Moved.NOT_YET
    assert selections(battle, unit, player) == set(SELECTIONS)


@pytest.mark.rule("w9.move.fall-back.restrictions")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("weapons", [RAPID, ASSAULT, {"pistol": ranged(12, abilities=["Pistol"])}])
def test_after_falling_back_nothing(weapons: dict[str, Any], player: int) -> None:
    """Fell Back 6" and 7" from an enemy: eligible in none of the three phases, whatever its weapons; TITANIC, in two of them."""
    battle, unit = moving(player, 22, "Fall Back", -6, [], weapons=weapons)
    assert battle.units.moved[unit] == Moved.FELL_BACK
    assert battle.models.x[unit.first] == pytest.approx(14.0)  # the gap to the foe is 7"
    assert selections(battle, unit, player) == set()
    titan, unit = moving(player, 22, "Fall Back", -6, [], weapons=weapons, keywords=("PSYKER", "TITANIC"))
    assert titan.units.moved[unit] == Moved.FELL_BACK
    assert selections(titan, unit, player) == {"select-psyker", "select-to-shoot"}
