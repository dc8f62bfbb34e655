"""Keywords that rules of other editions name: the primer does not know AIRCRAFT, a model with that keyword is one that can Fly, or not."""

from __future__ import annotations

import pytest
from eighth import EighthScene

from wh_env.core.tables import DESTROYED
from wh_env.rulesets.w8.codes import Phase
from wh_env.testing import kind, melee, pick, sheet, told, words

BLADE = {"blade": melee(A=2, WS=3, S=4)}
PLANE = sheet("Plane", W=9, M=20, keywords=("VEHICLE", "AIRCRAFT", "FLY"), weapons=BLADE, models=(1, 1))
WALKER = sheet("Walker", W=9, keywords=("INFANTRY",), weapons=BLADE, models=(1, 1))


def charge(charger: dict[str, object], target: dict[str, object], player: int, detail: str) -> list[str]:
    """What the player may charge with: one unit before another, 5" away."""
    scene = EighthScene()
    scene.unit(player, charger, at=(20, 20), name="Charger")
    scene.unit(1 - player, target, at=(20, 26), name="Target")
    battle = scene.battle("charge", active=player, detail=detail, dice=[6, 6])
    return list(words(battle).values()) if kind(battle) == "select-to-charge" else []


@pytest.mark.rule("w8.charge.select", "w8.charge.targets")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("charger", "target"), [(PLANE, WALKER), (WALKER, PLANE)])
def test_it_charges_and_is_charged(
    charger: dict[str, object], target: dict[str, object], detail: str, player: int
) -> None:
    assert "Charger" in charge(charger, target, player, detail)


@pytest.mark.rule("w8.fight.targets", "w8.fight.eligible")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_it_strikes_and_is_struck(detail: str, player: int) -> None:
    """Both make their attacks, and the walker piles in towards it."""
    scene = EighthScene()
    walker = scene.unit(player, WALKER, at=(20, 20), name="Walker")
    plane = scene.unit(1 - player, PLANE, at=(20, 21.9), name="Plane")
    battle = scene.battle("fight", active=player, detail=detail)
    while battle.decision is not None and battle.clock.phase[0] == Phase.FIGHT:
        battle.apply(battle.decision.options[-1])
    assert {e["attacker"] for e in told(battle, "w8.attack.hit")} == {walker.first, plane.first}


@pytest.mark.rule("w8.move.select", "w8.move.distance")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_it_moves_as_others_do(detail: str, player: int) -> None:
    """It stays, makes a Normal move in any direction or Advances."""
    scene = EighthScene()
    scene.unit(player, PLANE, at=(30, 30), name="Plane")
    scene.unit(player, WALKER, at=(40, 40), name="Friend")
    scene.unit(1 - player, WALKER, at=(3, 3), name="Walker")
    battle = scene.battle(active=player, detail=detail)
    pick(battle, "Plane", kind="select-to-move")
    assert sorted(words(battle).values()) == ["Plane: Advance", "Plane: Normal move", "Plane: Remain Stationary"]
    pick(battle, "Normal move")
    assert kind(battle) in ("move-to", "select-model", "model-to", "model-facing")


@pytest.mark.rule("w8.transport.capacity")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("keyword", ["DEDICATED TRANSPORT", "FORTIFICATION"])
def test_an_empty_transport_of_such_a_keyword_is_deployed(keyword: str, player: int) -> None:
    """Nothing says that it is destroyed where nobody starts in it."""
    scene = EighthScene(size=(72, 48))
    hold = {"transport": {"capacity": 10, "allowed": ["INFANTRY"]}}
    bus = sheet("Bus", keywords=("VEHICLE", "TRANSPORT", keyword), abilities=hold, models=(1, 1))
    carrier = scene.unit(player, bus, place="deploy")
    scene.unit(player, sheet("Crew"), models=3, place="deploy")
    scene.unit(1 - player, sheet("Foe"), models=3, place="deploy")
    battle = scene.battle("mission", rules={"division": 0, "formations": "choose"}, dice=[6, 1, 1])
    while battle.decision is not None and kind(battle) != "deploy-to":
        battle.apply(battle.first_legal())
    assert battle.units.place[carrier] != DESTROYED
