"""Disembarking: when, where, what the unit may still do (w9.transport.disembark.*, w9.rare.disembark-large)."""

from __future__ import annotations

from math import hypot

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.tables import EMBARKED, ON_TABLE
from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import UnitHandle, cell_nearest, choose, kind, pick, ranged, sheet, slots, words

MIDDLE = 17 * 17 // 2  # the cell of no movement
HALF = (2.5, 1.5)  # half length and width of the bus along x and y
MM = 25.4


def bus(allowed: str = "INFANTRY", **fields: object) -> dict[str, object]:
    """A TRANSPORT of 5" by 3"."""
    abilities = {"transport": {"capacity": 12, "allowed": [allowed]}}
    data = {"M": 12, "W": 6, "hull_in": (5, 3), "height": 2.5, "models": (1, 1), **fields}
    return sheet("Bus", keywords=("VEHICLE", "TRANSPORT"), abilities=abilities, **data)  # type: ignore[arg-type]


def loaded(
    models: int = 5, foe: tuple[float, float] = (50, 40), player: int = 0, allowed: str = "INFANTRY",
    squad: dict[str, object] | None = None, walls: bool = False, **battle: object,
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """The Movement phase of the player with a unit embarked in the bus at (20, 20) and an enemy; battle, unit, bus."""
    scene = NinthScene()
    if walls:  # nothing but 1" is left round the bus
        for box in ((14, 14, 16.5, 26), (23.5, 14, 26, 26), (16.5, 14, 23.5, 17.5), (16.5, 22.5, 23.5, 26)):
            scene.box(*box, height=5)
    carrier = scene.unit(player, bus(allowed), at=(20, 20), facing=0.0)
    data = squad or sheet("Squad", weapons={"rifle": ranged(24)})
    unit = scene.unit(player, data, models=models, embarked_in=carrier)
    scene.unit(1 - player, sheet("Foe", W=9), at=foe, models=1)
    return scene.battle(active=player, **battle), unit, carrier  # type: ignore[arg-type]


def farthest(x: float, y: float, r: float = 0.5) -> float:
    """From the hull at (20, 20) to the farthest point of a round base."""
    dx, dy = max(0.0, abs(x - 20) - HALF[0]), max(0.0, abs(y - 20) - HALF[1])
    return hypot(dx, dy) + r


def drive(battle: Battle, move: str) -> None:
    """The bus makes this kind of move, of 0"."""
    pick(battle, "Bus", kind="select-to-move")
    pick(battle, move, kind="move-kind")
    if kind(battle) == "move-to":
        choose(battle, "cell", cell_nearest(battle, 0, 0, 12))


def spots(battle: Battle) -> list[tuple[float, float]]:
    """The places that are offered to the next model."""
    return [
        tuple(float(part) for part in battle.describe(a).rsplit(" at ", 1)[1].split(", "))  # type: ignore[misc]
        for a in (battle.decision.options if battle.decision is not None else ())
    ]


@pytest.mark.rule("w9.transport.disembark")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("move", "offered"), [(None, True), ("Remain Stationary", True), ("Normal move", False), ("Advance", False)]
)
def test_only_before_the_transport_has_moved(move: str | None, offered: bool, player: int) -> None:
    """Before it moved, or after it Remained Stationary, its passengers may get out; not after a Normal Move or an Advance."""
    battle, squad, _ = loaded(player=player)
    if move is not None:
        drive(battle, move)
    gets_out = "Squad disembarks" in words(battle).values()
    assert gets_out == offered
    if offered:
        pick(battle, "Squad disembarks")
        battle.apply(battle.first_legal())
        assert (battle.units.place[squad], battle.units.carrier[squad]) == (ON_TABLE, -1)


@pytest.mark.rule("w9.transport.disembark")
def test_not_after_the_transport_fell_back() -> None:
    """Engaged, the bus falls back: nobody gets out any more; before it did they could."""
    battle, squad, _ = loaded(foe=(20, 22.6))
    assert "Squad disembarks" in words(battle).values()
    pick(battle, "Bus", kind="select-to-move")
    pick(battle, "Fall Back")
    choose(battle, "cell", cell_nearest(battle, 0, -6, 12))
    assert "Squad disembarks" not in words(battle).values()
    assert battle.units.place[squad] == EMBARKED


@pytest.mark.rule("w9.transport.disembark")
@pytest.mark.parametrize("player", [0, 1])
def test_every_part_of_the_base_within_three_inches(player: int) -> None:
    """Full detail: places up to 3.0" are offered, none beyond, none within 1" of the enemy."""
    battle, _, _ = loaded(1, foe=(20, 24.5), player=player, detail="full")
    pick(battle, "Squad disembarks")
    assert kind(battle) == "place-model"
    reached = []
    for cell in slots(battle, "cell"):
        near = battle.clone()
        choose(near, "cell", cell)
        for x, y in spots(near):
            reached.append(farthest(x, y))
            assert hypot(x - 20, y - 24.5) - 1.0 > 1.0 - 0.01
    assert 2.9 < max(reached) <= 3.0 + 0.006  # words round to 0.01


@pytest.mark.rule("w9.transport.disembark")
def test_all_models_or_none() -> None:
    """With 1" of room round the bus four models of 0.8" find room, four of 1.2" do not: the unit cannot disembark."""
    for models, offered in ((4, True), (12, True), (4, False)):
        large = not offered
        battle, _, _ = loaded(models, walls=models == 4, squad=sheet("Squad", base_mm=(1.2 if large else 0.8) * MM))
        assert ("Squad disembarks" in words(battle).values()) == offered


@pytest.mark.rule("w9.transport.disembark")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_set_up_in_coherency(detail: str) -> None:
    """Five models stand within 3" of the hull, each within 2" of another."""
    battle, squad, _ = loaded(detail=detail)
    pick(battle, "Squad disembarks")
    while kind(battle) != "select-to-move" and kind(battle) != "move-kind":
        assert battle.decision is not None
        battle.apply(battle.decision.options[-1])
    m, rows = battle.models, [squad.model(k) for k in range(5)]
    for k in rows:
        assert farthest(m.x[k], m.y[k]) <= 3.001
        assert min(hypot(m.x[k] - m.x[o], m.y[k] - m.y[o]) - 1 for o in rows if o != k) <= 2.001


@pytest.mark.rule("w9.rare.disembark-large")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_model_too_large_stands_within_one_inch(detail: str, player: int) -> None:
    """A walker with a base of 3.5" is set up within 1" of the hull and no farther, not within 1" of the enemy; a model of 1.6"
    still has to be wholly within 3"."""
    for base in (3.5, 1.6):
        walker = sheet("Squad", base_mm=base * MM, keywords=["VEHICLE"], models=(1, 1))
        battle, squad, _ = loaded(1, foe=(20, 27.2), player=player, allowed="VEHICLE", squad=walker, detail=detail)
        pick(battle, "Squad disembarks")
        found = []
        for cell in slots(battle, "cell"):
            near = battle.clone()
            choose(near, "cell", cell)
            inner = slots(near, "cell") if detail == "full" and kind(near) == "place-exactly" else [None]
            for fine in inner:
                last = near.clone()
                if fine is not None:
                    choose(last, "cell", fine)
                x, y = last.models.x[squad.first], last.models.y[squad.first]
                found.append(farthest(x, y, -base / 2 if base == 3.5 else base / 2))
                assert hypot(x - 20, y - 27.2) - 0.5 - base / 2 > 1.0
        limit = 1.0 if base == 3.5 else 3.0
        assert limit - 0.25 < max(found) <= limit + 1e-3


@pytest.mark.rule("w9.rare.disembark-large")
def test_a_long_hull_that_is_narrow_is_not_too_large() -> None:
    """A hull of 5" by 2" can stand wholly within 3", so it must."""
    walker = sheet("Squad", hull_in=(5, 2), keywords=["VEHICLE"], models=(1, 1))
    battle, squad, _ = loaded(1, allowed="VEHICLE", squad=walker, detail="full")
    pick(battle, "Squad disembarks")
    choose(battle, "angle", 0)  # along the bus
    for cell in slots(battle, "cell"):
        near = battle.clone()
        choose(near, "cell", cell)
        for x, y in spots(near) if kind(near) == "place-exactly" else []:
            assert abs(y - 20) + 1.0 <= HALF[1] + 3.0 + 0.01
            assert abs(x - 20) + 2.5 <= HALF[0] + 3.0 + 0.01
    assert battle.units.place[squad] == EMBARKED


@pytest.mark.rule("w9.transport.disembark.after")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("what", ["Normal move", "Advance"])
def test_it_acts_normally_afterwards_but_has_moved(what: str, player: int) -> None:
    """It may make a Normal Move or Advance, never Remain Stationary; not moved further it has moved, and it may shoot and charge."""
    arms = sheet("Squad", weapons={"rifle": ranged(24)})
    battle, squad, _ = loaded(1, foe=(20, 29), player=player, squad=arms)
    pick(battle, "Squad disembarks")
    assert battle.decision is not None
    battle.apply(battle.decision.options[-1])  # towards the enemy
    pick(battle, "Squad", kind="select-to-move")
    assert sorted(w.split(": ")[1] for w in words(battle).values()) == ["Advance", "Normal move"]
    pick(battle, what)
    choose(battle, "cell", MIDDLE)
    assert battle.units.moved[squad] == (Moved.NORMAL if what == "Normal move" else Moved.ADVANCE)
    pick(battle, "Bus: Remain Stationary")
    asked = set()
    while battle.decision is not None and battle.clock.turn[0] == player:
        if squad.row - battle.players.first_unit[player] in slots(battle, "own"):
            asked.add(kind(battle))
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert asked >= ({"select-to-shoot", "select-to-charge"} if what == "Normal move" else set())
    assert "select-to-charge" not in asked or what == "Normal move"


@pytest.mark.rule("w9.reserves.transport-disembark")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("drops", [True, False])
def test_who_gets_out_of_an_arriving_pod_is_a_reinforcement(drops: bool, player: int) -> None:
    """A pod set up in round 2: its passengers have to get out, are Reinforcements and make no Normal Move in this turn; from
    another TRANSPORT they get out in round 3 and may move then."""
    scene = NinthScene()
    abilities = {"transport": {"capacity": 10, "allowed": ["INFANTRY"]}, "deep_strike": True}
    pod = sheet("Pod", M=1, hull_in=(3, 3), models=(1, 1), keywords=("VEHICLE", "TRANSPORT"), abilities=abilities)
    carrier = scene.unit(player, pod, models=1, reserves="deep-strike", drops=drops)
    squad = scene.unit(player, sheet("Squad", weapons={"rifle": ranged(72)}), models=10, embarked_in=carrier)
    scene.unit(player, sheet("Watch"), at=(3, 22), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(55, 22), models=1)
    battle = scene.battle(round=2, active=player, first_player=player)
    pick(battle, "Watch: Remain Stationary")
    pick(battle, "Pod", kind="select-reserves")
    middle = [a for a in battle.decision.options if "30.0, 22" in battle.describe(a)] if battle.decision else []
    battle.apply(middle[0] if middle else battle.first_legal())
    if drops:
        assert kind(battle) == "disembark-at"  # one unit, and it has to
        battle.apply(battle.first_legal())
        assert battle.units.place[squad] == ON_TABLE
        assert (battle.units.arrived[squad], battle.units.moved[squad]) == (1, Moved.NORMAL)
        return
    assert battle.units.place[squad] == EMBARKED
    while battle.clock.round[0] == 2 or "Squad disembarks" not in words(battle).values():
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert (battle.clock.round[0], battle.clock.turn[0]) == (3, player)
    pick(battle, "Squad disembarks")
    battle.apply(battle.first_legal())
    pick(battle, "Squad", kind="select-to-move")
    assert "Squad: Normal move" in words(battle).values()
    assert battle.units.arrived[squad] == 0
