"""Embarking, and what an embarked unit is not (w9.transport.capacity, .embark, .embarked, .start-embarked)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.tables import EMBARKED, ON_TABLE
from wh_env.testing import (
    UnitHandle,
    cell_nearest,
    choose,
    kind,
    melee,
    pick,
    play_until,
    ranged,
    sheet,
    slots,
    told,
    words,
)

MIDDLE = 17 * 17 // 2  # the cell of no movement
Spot = tuple[float, float]


def bus(name: str = "Bus", capacity: int = 10, **fields: object) -> dict[str, object]:
    """A TRANSPORT of 5" by 3" for INFANTRY; large models take two places."""
    abilities = {"transport": {"capacity": capacity, "allowed": ["INFANTRY"], "places": {"LARGE": 2}}}
    data = {"M": 12, "W": 6, "hull_in": (5, 3), "height": 2.5, "models": (1, 1), **fields}
    return sheet(name, keywords=("VEHICLE", "TRANSPORT"), abilities=abilities, **data)  # type: ignore[arg-type]


def beside(
    spots: list[Spot], foe: Spot = (55, 40), capacity: int = 10, aboard: int = 0, player: int = 0, detail: str = "squad",
    engaged: bool = False, **fields: object,
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """A bus at (20, 20) whose side is at x = 22.5, a unit that is selected to move, an enemy (or one 0.9" behind the bus)."""
    scene = NinthScene()
    carrier = scene.unit(player, bus(capacity=capacity), at=(20, 20), facing=0.0)
    squad = scene.unit(player, sheet("Squad", **fields), at=spots, models=len(spots))  # type: ignore[arg-type]
    if aboard:
        scene.unit(player, sheet("Crew"), models=aboard, embarked_in=carrier)
    scene.unit(1 - player, sheet("Foe"), at=(20, 22.9) if engaged else foe, models=1)
    battle = scene.battle(active=player, detail=detail)
    pick(battle, "Squad", kind="select-to-move")
    return battle, squad, carrier


def move(battle: Battle, squad: UnitHandle, what: str = "Normal move", dx: float = 0.0) -> None:
    """The unit makes the move, ``dx`` inches along x."""
    pick(battle, f"Squad: {what}")
    if kind(battle) == "move-to":
        choose(battle, "cell", cell_nearest(battle, dx, 0, 6 + battle.units.advance[squad]))
    else:
        pick(battle, "end the move")


def five(gap: float) -> list[Spot]:
    """Five models beside the bus whose farthest rims are so far from it."""
    return [(22.5 + gap - 0.5, 18.5 + 1.05 * k) for k in range(3)] + [
        (22.5 + gap - 1.55, 18.5 + 1.05 * k) for k in range(2)
    ]


# ---------------------------------------------------------------- embarking


@pytest.mark.rule("w9.transport.embark")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("gap", "offered"), [(3.0, True), (3.05, False), (3.2, False)])
def test_all_models_wholly_within_three_inches(gap: float, offered: bool, detail: str, player: int) -> None:
    """Five models end a Normal Move wholly within 3" of a TRANSPORT with five places: they may embark; not if one rim is 3.2"
    away."""
    battle, squad, carrier = beside(five(gap), player=player, capacity=5, detail=detail)
    move(battle, squad)
    assert (kind(battle) == "embark") == offered
    if offered:
        assert battle.decision is not None
        assert battle.decision.player == player
        assert sorted(words(battle).values()) == ["do not embark", "embark in Bus"]
        staying = battle.clone()
        pick(staying, "do not embark")
        assert staying.units.place[squad] == ON_TABLE
        pick(battle, "embark in Bus")
        assert (battle.units.place[squad], battle.units.carrier[squad]) == (EMBARKED, carrier.row)
        assert not any(battle.models.on_table[squad.model(k)] for k in range(5))


@pytest.mark.rule("w9.transport.embark")
@pytest.mark.parametrize(("what", "dx"), [("Normal move", -1.5), ("Advance", 0.0)])
def test_after_a_normal_move_or_an_advance(what: str, dx: float) -> None:
    """A unit that Advances may embark, and one that comes 1.5" nearer; one that Remains Stationary may not."""
    battle, squad, _ = beside(five(4.4 if dx else 3.0))
    stays = battle.clone()
    pick(stays, "Remain Stationary")
    assert kind(stays) != "embark"
    move(battle, squad, what, dx)
    assert kind(battle) == "embark"


@pytest.mark.rule("w9.transport.embark")
def test_after_a_fall_back() -> None:
    """An engaged unit falls back to the bus and may embark."""
    battle, _, _ = beside([(26.5, 20), (26.5, 21.2)], foe=(28.0, 20))
    pick(battle, "Squad: Fall Back")
    choose(battle, "cell", cell_nearest(battle, -2.25, 0, 6))
    assert kind(battle) == "embark"


@pytest.mark.rule("w9.transport.embark")
def test_not_in_a_transport_within_engagement_range() -> None:
    """With an enemy within 1" of the bus embarking is not offered; with the enemy gone it is."""
    for near in (True, False):
        battle, squad, _ = beside(five(3.0), engaged=near)
        move(battle, squad)
        assert (kind(battle) == "embark") != near


@pytest.mark.rule("w9.transport.embark")
def test_not_in_the_phase_in_which_it_disembarked() -> None:
    """A unit that got out and moves beside the bus is not offered to get in again."""
    scene = NinthScene()
    carrier = scene.unit(0, bus(), at=(20, 20), facing=0.0)
    squad = scene.unit(0, sheet("Squad"), models=5, embarked_in=carrier)
    scene.unit(1, sheet("Foe"), at=(55, 40), models=1)
    battle = scene.battle()
    pick(battle, "Squad disembarks")
    battle.apply(battle.first_legal())
    pick(battle, "Squad", kind="select-to-move")
    move(battle, squad)
    assert kind(battle) != "embark"
    assert battle.units.place[squad] == ON_TABLE


@pytest.mark.rule("w9.transport.capacity")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("models", "keywords", "offered"), [
    (5, ["INFANTRY"], False), (4, ["INFANTRY"], True), (2, ["INFANTRY", "LARGE"], True), (3, ["INFANTRY", "LARGE"], False),
    (1, ["BEAST"], False),
])  # fmt: skip
def test_the_capacity_is_never_exceeded(models: int, keywords: list[str], offered: bool, player: int) -> None:
    """Ten places of which six are taken: five models are refused, four accepted, as are two that take two places each."""
    battle, squad, _ = beside(five(3.0)[:models], aboard=6, player=player, keywords=keywords)
    move(battle, squad)
    assert (kind(battle) == "embark") == offered


@pytest.mark.rule("w9.transport.embark.then-move")
@pytest.mark.parametrize("player", [0, 1])
def test_the_transport_moves_after_a_unit_embarked(player: int) -> None:
    """A1 embarks, then T makes a Normal Move of 12"; A1 is offered to disembark in its player's next Movement phase."""
    scene = NinthScene()
    carrier = scene.unit(player, bus(), at=(20, 20), facing=0.0)
    squad = scene.unit(player, sheet("Squad"), at=five(3.0))
    scene.unit(player, sheet("Watch"), at=(5, 22), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(55, 40), models=1)
    battle = scene.battle(active=player)
    pick(battle, "Squad", kind="select-to-move")
    move(battle, squad)
    pick(battle, "embark in Bus")
    assert sorted(words(battle).values()) == ["Bus", "Watch"]
    pick(battle, "Bus", kind="select-to-move")
    pick(battle, "Normal move")
    choose(battle, "cell", cell_nearest(battle, 12, 0, 12))
    assert battle.models.x[carrier.first] == pytest.approx(32)
    while battle.clock.turn[0] == player:
        assert "Squad disembarks" not in words(battle).values()
        battle.apply(battle.first_legal())
    while battle.clock.turn[0] != player or kind(battle) != "select-to-move":
        assert "Squad disembarks" not in words(battle).values()
        battle.apply(battle.first_legal())
    assert "Squad disembarks" in words(battle).values()


@pytest.mark.rule("w9.transport.start-embarked")
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_may_start_the_battle_embarked(player: int) -> None:
    """Capacity 10, ten models: declared before armies are deployed; setting up the TRANSPORT sets up both. Eleven do not fit."""
    for models in (10, 11):
        scene = NinthScene()
        carrier = scene.unit(player, bus(), place="deploy")
        squad = scene.unit(player, sheet("Squad"), models=models, place="deploy")
        scene.unit(1 - player, sheet("Foe"), models=1, place="deploy")
        battle = scene.battle(phase="mission", rules={"formations": "choose", "first_player": 0})
        while kind(battle) == "reserves" and battle.decision is not None and battle.decision.player != player:
            pick(battle, "deploy")
        if models == 11:
            assert kind(battle) != "start-embarked"
            continue
        assert kind(battle) == "start-embarked"
        assert battle.decision is not None
        assert (battle.decision.player, battle.decision.subject) == (player, squad.row)
        assert sorted(words(battle).values()) == ["Bus", "done"]
        apart = battle.clone()
        pick(apart, "done")
        play_until(apart, "select-to-move")
        assert apart.units.place[squad] == ON_TABLE
        pick(battle, "Bus")
        deployed = []
        while battle.clock.round[0] == 0:
            if kind(battle) == "deploy-to":
                assert battle.decision is not None
                deployed.append(battle.decision.subject)
            battle.apply(battle.first_legal())
        assert squad.row not in deployed
        assert carrier.row in deployed
        assert (battle.units.place[carrier], battle.units.place[squad]) == (ON_TABLE, EMBARKED)
        steps = [e["name"] for e in told(battle, "w9.deploy.sequence") if "name" in e]
        assert steps.index("Declare Reserves and Transports") < steps.index("Deploy Armies")


@pytest.mark.rule("w9.transport.embarked.inactive")
@pytest.mark.parametrize("player", [0, 1])
def test_an_embarked_unit_does_nothing_and_is_no_target(player: int) -> None:
    """Embarked 2" from an objective marker and next to enemies: in two turns of its player it is asked nothing, does not count
    for the marker, which two enemies hold against the bus, and nobody can shoot at it, charge it or fight it."""
    scene = NinthScene()
    arms = {"rifle": ranged(48, A=1, BS=3, S=4), "blade": melee(A=1, WS=3, S=4)}
    carrier = scene.unit(player, bus(W=50, Sv=2), at=(20, 20), facing=0.0)
    psykers = sheet("Squad", weapons=arms, keywords=["INFANTRY", "PSYKER"])
    squad = scene.unit(player, psykers, models=5, embarked_in=carrier)
    scene.unit(1 - player, sheet("Foes", weapons=arms), at=[(20, 14), (21.2, 14)])
    marker = scene.marker(20, 16.5)
    battle = scene.battle("command", active=player, first_player=player)
    number = squad.row - battle.players.first_unit[player]
    seen = set()
    while battle.decision is not None and battle.clock.round[0] < 3:
        seen.add(battle.decision.kind)
        assert battle.decision.subject != squad.row
        segment = "own" if battle.decision.player == player else "enemy"
        options = [slot for slot in slots(battle, segment) if slot == number]
        assert not options or words(battle)[getattr(battle.setup.space, segment) + number] == "Squad disembarks"
        out = battle.setup.space.own + number
        battle.apply(next(action for action in battle.decision.options if not options or action != out))
    assert {"select-to-move", "select-to-shoot"} <= seen
    assert (battle.units.place[squad], battle.units.alive[squad]) == (EMBARKED, 5)
    assert battle.objectives.holder[marker] == 1 - player
