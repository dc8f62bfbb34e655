"""Destroyed TRANSPORTS: the order of events, who finds no room, the casualties (w9.transport.destroyed.*)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.tables import DESTROYED, EMBARKED, ON_TABLE
from wh_env.rulesets.w40k.codes import FROM_WRECK, Moved
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import UnitHandle, dice_left, kind, pick, play_until, ranged, sheet, slots, told, words

CANNON = {"cannon": ranged(60, BS=2, S=18, AP=-3, D=6, abilities=["Indirect Fire"])}  # terrain is no obstacle to it
KILL = [6, 6, 1]  # hits, wounds, the save fails: the bus has six wounds
NO_CP = {"cp_each_command_phase": 0}


def bus(demise: str | None = None, **fields: object) -> dict[str, object]:
    """A TRANSPORT of 5" by 3" with 6 wounds."""
    abilities: dict[str, object] = {"transport": {"capacity": 12, "allowed": ["INFANTRY"]}}
    if demise is not None:
        abilities["deadly_demise"] = demise
    data = {"M": 12, "W": 6, "T": 9, "Sv": 6, "hull_in": (5, 3), "height": 2.5, "models": (1, 1), **fields}
    return sheet("Bus", keywords=("VEHICLE", "TRANSPORT"), abilities=abilities, **data)  # type: ignore[arg-type]


class Wrecking:
    """The shooter's cannon destroys the other player's bus at (20, 22), in which units of these sizes are embarked."""

    def __init__(
        self, sizes: Sequence[int] = (5,), dice: Sequence[int] = (), *, demise: str | None = None, detail: str = "squad",
        shooter: int = 0, build: Callable[[NinthScene], object] | None = None, hull: tuple[float, float] = (5, 3),
        squad: dict[str, object] | None = None, kill: Sequence[int] = KILL,
    ) -> None:  # fmt: skip
        scene = NinthScene()
        self.gun = scene.unit(shooter, sheet("Gun", weapons=CANNON), at=[(20, 40)])
        scene.unit(
            shooter, sheet("Idle", weapons=CANNON), at=[(56, 40)]
        )  # has still to shoot, so that the phase goes on
        self.bus = scene.unit(1 - shooter, bus(demise, hull_in=hull), at=(20, 22), facing=0.0)
        self.units: list[UnitHandle] = []
        for name, size in zip("ABC", sizes, strict=False):
            data = {**(squad or sheet("Squad")), "name": name}
            self.units.append(scene.unit(1 - shooter, data, models=size, embarked_in=self.bus))
        scene.unit(1 - shooter, sheet("Rest"), at=[(3, 3)])
        self.built = build(scene) if build is not None else None
        self.battle = scene.battle("shooting", dice=[*kill, *dice], detail=detail, rules=NO_CP, active=shooter)
        pick(self.battle, "Gun", kind="select-to-shoot")
        if kind(self.battle) in ("shoot-target", "weapon-target"):
            pick(self.battle, "Bus" if detail == "squad" else "at Bus")

    def out(self) -> None:
        """Everybody gets out at the first place that is offered."""
        while (kind(self.battle) or "").startswith(("disembark-at", "wreck-order", "place-")):
            self.battle.apply(self.battle.first_legal())

    def standing(self, unit: int = 0) -> list[int]:
        """Numbers of the models of a unit that stand on the table."""
        handle, count = self.units[unit], self.battle.units.count[self.units[unit]]
        return [k for k in range(count) if self.battle.models.on_table[handle.model(k)]]


def farthest(battle: Battle, model: int, half: tuple[float, float] = (2.5, 1.5)) -> float:
    """From the hull to the farthest point of a round base."""
    m = battle.models
    dx, dy = max(0.0, abs(m.x[model] - 20) - half[0]), max(0.0, abs(m.y[model] - 22) - half[1])
    return hypot(dx, dy) + m.radius[model]


@pytest.mark.rule("w9.transport.destroyed")
@pytest.mark.parametrize("shooter", [0, 1])
def test_explosion_then_the_passengers_then_the_wreck_is_removed(shooter: int) -> None:
    """Explodes on a 6: units within 6" suffer D3 mortal wounds each, the five passengers none; then they are set up wholly within
    3" of the hull, which still stands, and then it is removed."""

    def near(scene: NinthScene) -> UnitHandle:
        return scene.unit(1 - shooter, sheet("Near", W=9), at=[(29, 22)])

    wreck = Wrecking((5,), [6, 5, 2, 3, 4, 5, 6], demise="D3", build=near, shooter=shooter)
    battle, hull, unit = wreck.battle, wreck.bus.first, wreck.units[0]
    assert kind(battle) == "disembark-at"
    assert battle.decision is not None
    assert battle.decision.player == 1 - shooter
    assert dice_left(battle) == 5  # the explosion is over
    assert [e["amount"] for e in told(battle, "w9.concepts.destroyed") if "amount" in e] == [3]
    assert battle.models.wounds[wreck.built.first] == 6  # type: ignore[attr-defined]
    assert (battle.models.on_table[hull], battle.models.alive[hull]) == (1, 0)
    assert battle.units.place[unit] == EMBARKED
    wreck.out()
    assert battle.units.place[wreck.bus] == DESTROYED
    assert battle.models.on_table[hull] == 0
    assert wreck.standing() == [0, 1, 2, 3, 4]
    assert all(farthest(battle, unit.model(k)) <= 3.001 for k in range(5))
    assert battle.models.wounds[unit.first] == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.transport.destroyed")
def test_several_units_get_out_in_the_order_of_choice_and_out_of_engagement_range() -> None:
    """Full detail: the owner says which unit gets out first; no place within 1" of an enemy is offered."""
    wreck = Wrecking((1, 1), [6, 6], detail="full", build=lambda s: s.unit(0, sheet("Foe"), at=[(20, 25.4)]))
    battle = wreck.battle
    assert kind(battle) == "wreck-order"
    assert sorted(words(battle).values()) == ["A", "B"]
    pick(battle, "B")
    asked = []
    while (kind(battle) or "").startswith("place-"):
        assert battle.decision is not None
        asked.append(battle.decision.subject)
        for action in battle.decision.options:
            x, y = (float(part) for part in battle.describe(action).rsplit(" at ", 1)[1].split(", "))
            assert hypot(x - 20, y - 25.4) - 1.0 > 0.99
        battle.apply(battle.first_legal())
    assert asked[0] == wreck.units[1].row
    assert asked[-1] == wreck.units[0].row
    assert [battle.units.place[unit] for unit in wreck.units] == [ON_TABLE] * 2


def pen(room: bool) -> Callable[[NinthScene], object]:
    """Terrain everywhere within 3.2" of a bus of 5" by 5" but in a lane of 1.2" by 7.6" beside it."""

    def build(scene: NinthScene) -> None:
        scene.box(12.0, 12.0, 17.5, 32.0, 5)
        scene.box(23.7, 12.0, 29.0, 32.0, 5)
        scene.box(17.5, 24.5, 22.5, 32.0, 5)
        scene.box(17.5, 12.0, 22.5, 19.5, 5)
        scene.box(22.5, 25.8 if room else 19.0, 23.7, 32.0, 5)
        scene.box(22.5, 12.0, 23.7, 18.2 if room else 19.0, 5)

    return build


@pytest.mark.rule("w9.transport.destroyed.unplaceable")
@pytest.mark.parametrize("shooter", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_only_those_without_room_are_destroyed(detail: str, shooter: int) -> None:
    """Ten passengers and a lane for seven bases: seven are set up wholly within 3", three are destroyed before seven dice are
    rolled for the others."""
    wreck = Wrecking((10,), [6] * 7, detail=detail, build=pen(True), hull=(5, 5), shooter=shooter)
    battle = wreck.battle
    chosen = []
    while kind(battle) == "left-in-wreck":
        assert battle.decision is not None
        assert battle.decision.player == 1 - shooter
        chosen.append(2 * len(chosen))
        pick(battle, f"Squad {chosen[-1] + 1} is destroyed")
    assert chosen == ([0, 2, 4] if detail == "full" else [])
    assert dice_left(battle) == 7
    wreck.out()
    assert len(wreck.standing()) == 7
    assert battle.units.alive[wreck.units[0]] == 7
    assert len(told(battle, "w9.transport.destroyed.unplaceable")) == 3
    unit = wreck.units[0]
    assert all(farthest(battle, unit.model(k), (2.5, 2.5)) <= 3.001 for k in wreck.standing())
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.transport.destroyed.unplaceable")
def test_nobody_is_set_up_where_there_is_no_room() -> None:
    """No room at all: the unit is destroyed and no die is rolled for it."""
    wreck = Wrecking((5,), build=pen(False), hull=(5, 5))
    assert wreck.battle.units.place[wreck.units[0]] == DESTROYED
    assert len(told(wreck.battle, "w9.transport.destroyed.unplaceable")) == 5
    assert not told(wreck.battle, "w9.transport.destroyed.roll")


@pytest.mark.rule("w9.transport.destroyed.roll")
@pytest.mark.parametrize("shooter", [0, 1])
def test_the_owner_chooses_a_model_for_each_one(shooter: int) -> None:
    """Dice 1, 3, 6, 1, 4: two models that the owner chooses are destroyed, whatever their wounds; the others are unhurt."""
    tough = sheet("Squad", W=3, fnp=2)
    wreck = Wrecking((5,), [1, 3, 6, 1, 4], detail="full", squad=tough, shooter=shooter)
    battle, unit = wreck.battle, wreck.units[0]
    assert dice_left(battle) == 5
    wreck.out()
    assert kind(battle) == "wreck-loss"
    assert dice_left(battle) == 0
    assert battle.decision is not None
    assert (battle.decision.player, battle.decision.subject) == (1 - shooter, unit.row)
    assert slots(battle, "model") == [0, 1, 2, 3, 4]
    pick(battle, "Squad 2 is destroyed")
    assert slots(battle, "model") == [0, 1, 2, 3]
    pick(battle, "Squad 5 is destroyed")
    assert wreck.standing() == [0, 2, 3]
    assert battle.units.alive[unit] == 3
    assert [battle.models.wounds[unit.model(k)] for k in (0, 2, 3)] == [3, 3, 3]
    assert told(battle, "w9.transport.destroyed.roll")[0]["rolls"] == [1, 3, 6, 1, 4]


@pytest.mark.rule("w9.transport.destroyed.roll")
def test_each_unit_rolls_for_its_own_models() -> None:
    """Squad detail, units of 2 and 3: 2, 6 and 1, 2, 1 cost the second unit its last two models; a 1 each destroys a unit."""
    wreck = Wrecking((2, 3), [2, 6, 1, 2, 1])
    wreck.out()
    assert (wreck.standing(0), wreck.standing(1)) == ([0, 1], [0])
    assert dice_left(wreck.battle) == 0
    whole = Wrecking((2,), [1, 1])
    whole.out()
    assert whole.battle.units.place[whole.units[0]] == DESTROYED
    assert whole.units[0].row in [e["unit"] for e in told(whole.battle, "w9.concepts.destroyed") if "unit" in e]
    assert not whole.battle.over


@pytest.mark.rule("w9.transport.destroyed.restrictions")
@pytest.mark.parametrize("wrecked", [True, False])
@pytest.mark.parametrize("shooter", [0, 1])
def test_who_left_a_wreck_makes_no_heroic_intervention(shooter: int, wrecked: bool) -> None:
    """A bus is destroyed in the opponent's Shooting phase; the CHARACTER who was in it stands 2" from an enemy when the Charge phase
    comes and may not intervene. If the shot misses, one who stands there on foot may."""

    def near(scene: NinthScene) -> None:
        scene.unit(shooter, sheet("Near", W=9), at=[(26.6, 22)])
        if not wrecked:
            scene.unit(1 - shooter, sheet("Hero", W=5, keywords=("INFANTRY", "CHARACTER")), at=[(29.6, 22)])

    hero = sheet("Rider", W=5, keywords=("INFANTRY", "CHARACTER"))
    wreck = Wrecking((1,), [6], build=near, shooter=shooter, squad=hero, kill=KILL if wrecked else [1])
    battle, rider = wreck.battle, wreck.units[0]
    if wrecked:
        while (kind(battle) or "").startswith("disembark-at"):
            assert battle.decision is not None
            gaps = {}
            for action in battle.decision.options:
                after = battle.clone()
                after.apply(action)
                gaps[action] = abs(after.models.x[rider.first] - 24.0) + abs(after.models.y[rider.first] - 22)
            battle.apply(min(gaps, key=lambda action: gaps[action]))
        gap = hypot(battle.models.x[rider.first] - 26.6, battle.models.y[rider.first] - 22) - 1.0
        assert 1.0 < gap <= 2.5
        assert battle.units.disembarked[rider] == FROM_WRECK
    while kind(battle) != "select-to-charge":
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    battle.apply(0)  # no charge
    assert (kind(battle) == "select-to-intervene") != wrecked


@pytest.mark.rule("w9.transport.destroyed.restrictions")
def test_who_left_a_wreck_counts_as_having_moved() -> None:
    """Its passengers have moved and left a wreck; nobody is shaken."""
    wreck = Wrecking((5,), [6] * 5)
    wreck.out()
    battle, unit = wreck.battle, wreck.units[0]
    assert battle.units.disembarked[unit] == FROM_WRECK
    assert battle.units.moved[unit] == Moved.NORMAL
    assert battle.units.shocked[unit] == 0


@pytest.mark.rule("w9.transport.destroyed.restrictions")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("wrecked", [True, False])
def test_who_left_a_wreck_declares_no_charge_in_that_turn(wrecked: bool, player: int) -> None:
    """The bus is destroyed in its player's Command phase: its passengers, near enough to an enemy, may not charge; those who got
    out by themselves may."""
    scene = NinthScene()
    carrier = scene.unit(player, bus(), at=(20, 22), facing=0.0)
    squad = scene.unit(player, sheet("Squad"), models=1, embarked_in=carrier)
    scene.unit(player, sheet("Watch"), at=(3, 3), models=1)
    scene.unit(1 - player, sheet("Foe", W=9), at=(30, 22), models=1)
    if wrecked:
        scene.rule(TimedRule("Crash", "command", player, "mortal", carrier, 6))  # type: ignore[arg-type]
    battle = scene.battle("command", active=player, dice=[6])
    number, charged = squad.row - battle.players.first_unit[player], False
    while battle.decision is not None and battle.clock.turn[0] == player:
        known = words(battle)
        if kind(battle) == "disembark-at":
            assert battle.decision.options
            battle.apply(battle.decision.options[-1])
        elif "Squad disembarks" in known.values():
            pick(battle, "Squad disembarks")
        else:
            charged = charged or (kind(battle) == "select-to-charge" and number in slots(battle, "own"))
            battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert battle.units.place[squad] == ON_TABLE
    assert battle.units.place[carrier] == (DESTROYED if wrecked else ON_TABLE)
    assert charged != wrecked


@pytest.mark.rule("w9.transport.destroyed.off-board")
@pytest.mark.parametrize("player", [0, 1])
def test_passengers_of_a_transport_that_never_arrives_are_destroyed(player: int) -> None:
    """A TRANSPORT with six passengers in Strategic Reserves at the end of the battle: both units are destroyed."""
    scene = NinthScene()
    carrier = scene.unit(player, bus(), reserves="strategic")
    squad = scene.unit(player, sheet("Squad"), models=6, embarked_in=carrier)
    scene.unit(player, sheet("Rest"), at=(3, 22), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(56, 22), models=1)
    battle = scene.battle(active=player, round=5)
    while battle.decision is not None:
        assert kind(battle) != "select-to-disembark"
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert (battle.units.place[carrier], battle.units.place[squad]) == (DESTROYED, DESTROYED)
    lost = [e["unit"] for e in told(battle, "w9.reserves.reinforcements.lost")]
    assert sorted(lost) == sorted([carrier.row, squad.row])
    assert battle.units.alive[squad] == 0
    play_until(battle)


@pytest.mark.rule("w9.transport.disembark.after", "w9.transport.destroyed.restrictions")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("when", ["command", "movement"])
def test_who_left_a_wreck_in_its_own_turn_may_move(when: str, detail: str, player: int) -> None:
    """The bus is destroyed in its player's Command phase, or as it Falls Back and is cut down: its passengers are out before their
    unit was selected to move, and move by up to 6"; they have moved in any case."""
    scene = NinthScene()
    carrier = scene.unit(player, bus(), at=(20, 22), facing=0.0, wounds=[1])
    squad = scene.unit(player, sheet("Squad"), models=1, embarked_in=carrier)
    scene.unit(player, sheet("Watch"), at=(3, 3), models=1)
    scene.unit(1 - player, sheet("Foe", W=9), at=(20, 24.5), models=1)
    if when == "command":
        scene.rule(TimedRule("Crash", "command", player, "mortal", carrier, 1))  # type: ignore[arg-type]
    points = (0, 1) if player == 0 else (1, 0)
    cut = {"stratagems": {"emergency-disembarkation": "off"}, **NO_CP}
    battle = scene.battle(when, active=player, dice=[6, 6], cp=points, detail=detail, rules=cut)
    if when == "movement":
        pick(battle, "Bus", kind="select-to-move")
        pick(battle, "Fall Back")
        pick(battle, "Cut Them Down: Bus")
    while kind(battle) in ("disembark-at", "place-facing", "place-model", "place-exactly"):
        battle.apply(battle.first_legal())
    assert battle.units.place[carrier] == DESTROYED
    assert battle.units.moved[squad] == Moved.NORMAL
    pick(battle, "Squad", kind="select-to-move")
    assert {"Squad: Normal move", "Squad: Advance"} <= set(words(battle).values())
