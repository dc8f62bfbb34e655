"""Auras of who is embarked, and auras on who is (w8.transport.embarked.aura)."""

from __future__ import annotations

from typing import Any

import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.core.tables import EMBARKED, ON_TABLE
from wh_env.rulesets.w8.warlord.state import Trait
from wh_env.rulesets.w40k.attack.abilities import in_force
from wh_env.testing import UnitHandle, pick, ranged, sheet, told

LORD = sheet("Lord", models=(1, 1), keywords=("CHARACTER", "INFANTRY"))
BUS = sheet(
    "Bus", hull_in=(5, 3), height=2.5, models=(1, 1), keywords=("VEHICLE", "TRANSPORT"),
    abilities={"transport": {"capacity": 10, "allowed": ["INFANTRY"]}},
)  # fmt: skip
DRILL = {"auras": [{"name": "Drill", "effect": "+1 to hit", "active": True, "range": 6}]}
GUNS = sheet("Guns", weapons={"gun": ranged(24, A=1, BS=4)}, models=(1, 1))


def shaken(inside: bool, player: int) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A Morale test with Ld 7, 3 slain and a die of 5, 2" from a TRANSPORT; an Inspiring Leader in it, or beside it."""
    scene = EighthScene()
    carrier = scene.unit(player, BUS, at=(20, 20), facing=0.0)
    where = {"embarked_in": carrier} if inside else {"at": (23.5, 18)}
    lord = scene.unit(player, LORD, **where)
    unit = scene.unit(
        player, sheet("Shaken", Ld=7), at=[(25 + 1.4 * k, 20) for k in range(6)], models=6, lost=range(3, 6)
    )
    scene.unit(1 - player, sheet("Foes"), at=(20, 40), models=1)

    def settle(battle: Any) -> None:
        battle.warlords.model[player] = lord.model(0) + 1
        battle.warlords.trait[player] = Trait.INSPIRING_LEADER
        for k in range(3, 6):
            battle.toll[unit.model(k)] = 1

    battle = scene.battle("morale", dice=[5], set_state=settle)
    while battle.decision is not None and not told(battle, "w8.morale.test"):
        battle.apply(battle.first_legal())
    return battle, lord, carrier


@pytest.mark.rule("w8.transport.embarked.aura")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("inside", [True, False])
def test_an_embarked_leader_inspires_nobody(inside: bool, player: int) -> None:
    battle, lord, carrier = shaken(inside, player)
    assert battle.units.place[lord] == (EMBARKED if inside else ON_TABLE)
    assert battle.distance(carrier, carrier.row + 2) == pytest.approx(2.0)
    (event,) = told(battle, "w8.morale.test")
    assert (event["needed"], event["passed"]) == ((7, False) if inside else (8, True))


@pytest.mark.rule("w8.transport.embarked.aura")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("place", ["beside", "inside"])
def test_nor_is_an_embarked_unit_inspired(place: str, player: int) -> None:
    """Wherever the rows of its models say that they stood last: here beside the Leader."""
    scene = EighthScene()
    carrier = scene.unit(player, BUS, at=(20, 20), facing=0.0)
    lord = scene.unit(player, LORD, at=(24, 20))
    where = {"at": [(24, 22)]} if place == "beside" else {"embarked_in": carrier}
    unit = scene.unit(player, sheet("Squad"), models=1, **where)
    scene.unit(1 - player, sheet("Foes"), at=(20, 40), models=1)

    def settle(battle: Any) -> None:
        battle.warlords.model[player] = lord.model(0) + 1
        battle.warlords.trait[player] = Trait.INSPIRING_LEADER
        battle.models.x[unit.first], battle.models.y[unit.first] = 24, 22

    battle = scene.battle("movement", set_state=settle)
    assert battle.setup.ruleset.more_leadership(battle, unit.row) == (place == "beside")
    assert battle.setup.ruleset.more_leadership(battle, carrier.row) == 1


@pytest.mark.rule("w8.transport.embarked.aura")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("inside", [True, False])
def test_an_aura_of_a_datasheet_works_from_the_battlefield_alone(inside: bool, player: int) -> None:
    """ "+1 to hit" within 6" of a bearer that is embarked 2" away, or stands there; who bears it in a TRANSPORT has it not either."""
    scene = EighthScene()
    carrier = scene.unit(player, BUS, at=(20, 20), facing=0.0)
    where = {"embarked_in": carrier} if inside else {"at": [(23.5, 18)]}
    bearer = scene.unit(player, sheet("Bearer", abilities=DRILL), models=1, **where)
    guns = scene.unit(player, GUNS, at=(25, 20))
    scene.unit(1 - player, sheet("Target", W=9), at=(25, 34), models=1)
    battle = scene.battle("shooting", active=player, dice=[3, 1])
    for unit in (guns, carrier, bearer):
        assert [power.name for power in in_force(battle, unit.row, "attacks")] == ([] if inside else ["Drill"])
    pick(battle, "Guns")
    (event,) = told(battle, "w8.attack.hit")
    assert (event["needed"], event["result"]) == ((4, 0) if inside else (3, 1))
