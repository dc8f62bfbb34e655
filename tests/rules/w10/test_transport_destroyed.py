"""Destroyed TRANSPORTS: passengers get out, Deadly Demise, casualties, emergency disembarkation
(w10.transport.destroyed.*, w10.transport.emergency.*, w10.attack.deadly-demise.transport-first)."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

import pytest

from wh_env import Battle
from wh_env.core.tables import DESTROYED, EMBARKED, ON_TABLE
from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import (
    Scene,
    UnitHandle,
    choose,
    dice_left,
    kind,
    pick,
    play_until,
    ranged,
    sheet,
    slots,
    told,
    words,
)

CANNON = {"cannon": ranged(60, BS=2, S=18, AP=-3, D=6, abilities=["Indirect Fire"])}  # terrain is no obstacle to it
KILL = [6, 6, 1]  # hits, wounds, the save (Sv 6+, AP -3) fails: the bus has six wounds
NO_CP = {"cp_each_command_phase": 0}
HALF = (2.5, 1.5)  # half length and width of the bus along x and y
Spot = tuple[float, float]


def bus(name: str = "Bus", demise: int | str | None = None, **fields: object) -> dict[str, object]:
    """A TRANSPORT of 5" by 3" with 6 wounds."""
    abilities: dict[str, object] = {"transport": {"capacity": 12, "allowed": ["INFANTRY"]}}
    if demise is not None:
        abilities["deadly_demise"] = demise
    data = {"M": 12, "W": 6, "T": 9, "Sv": 6, "hull_in": (5, 3), "height": 2.5, "models": (1, 1), **fields}
    return sheet(name, keywords=("VEHICLE", "TRANSPORT"), abilities=abilities, **data)  # type: ignore[arg-type]


class Wrecking:
    """A's cannon shoots at B's bus at (20, 15), in which units of these sizes are embarked."""

    def __init__(
        self, sizes: Sequence[int] = (5,), dice: Sequence[int] = (), *, demise: int | str | None = None,
        carrier: dict[str, object] | None = None, squad: dict[str, object] | None = None, detail: str = "squad",
        build: object = None, rolls: Sequence[int] = (),
    ) -> None:  # fmt: skip
        scene = Scene()
        self.gun = scene.unit(0, sheet("Gun", weapons=CANNON), at=[(50, 30)])
        scene.unit(0, sheet("Idle", weapons=CANNON), at=[(53, 30)])  # has still to shoot, so that the phase goes on
        self.bus = scene.unit(1, carrier or bus(demise=demise), at=(20, 15), facing=0.0)
        names = ("A", "B", "C")
        self.units: list[UnitHandle] = []
        for name, size in zip(names, sizes, strict=False):
            data = {**(squad or sheet("Squad", weapons={"rifle": ranged(24)})), "name": name}
            self.units.append(scene.unit(1, data, models=size, embarked_in=self.bus))
        if callable(build):
            build(scene)
        self.battle = scene.battle("shooting", dice=[*KILL, *rolls, *dice], detail=detail, rules=NO_CP)
        pick(self.battle, "Gun", kind="select-to-shoot")
        if kind(self.battle) in ("shoot-target", "weapon-target"):
            pick(self.battle, "Bus" if detail == "squad" else "at Bus")

    def out(self) -> None:
        """Everybody gets out at the first place that is offered."""
        while kind(self.battle) in ("disembark-at", "wreck-order"):
            self.battle.apply(self.battle.first_legal())

    def wounds(self, unit: int = 0) -> list[int]:
        """Wounds left of the models of a unit."""
        handle = self.units[unit]
        count = self.battle.units.count[handle]
        return [self.battle.models.wounds[handle.model(k)] for k in range(count)]


def farthest(battle: Battle, model: int, half: Spot = HALF, hull: Spot = (20.0, 15.0)) -> float:
    """From the hull to the farthest point of a round base."""
    m = battle.models
    dx = max(0.0, abs(m.x[model] - hull[0]) - half[0])
    dy = max(0.0, abs(m.y[model] - hull[1]) - half[1])
    return hypot(dx, dy) + m.radius[model]


def standing(battle: Battle, unit: UnitHandle) -> list[int]:
    """Models of the unit on the table."""
    count = battle.units.count[unit]
    return [unit.model(k) for k in range(count) if battle.models.on_table[unit.model(k)]]


# ---------------------------------------------------------------- getting out


@pytest.mark.rule("w10.transport.destroyed.disembark")
def test_all_embarked_units_get_out_before_the_wreck_is_removed() -> None:
    """Units of 5 and 5: both are set up wholly within 3" of the hull, which still stands; then it is removed."""
    wreck = Wrecking((5, 5), dice=[6] * 10)
    battle, hull = wreck.battle, wreck.bus.first
    asked = []
    while kind(battle) == "disembark-at":
        assert battle.decision is not None
        assert battle.decision.player == 1
        asked.append(battle.decision.subject)
        assert (battle.models.on_table[hull], battle.models.alive[hull]) == (1, 0)
        battle.apply(battle.decision.options[-1])
    assert asked == [unit.row for unit in wreck.units]
    assert battle.models.on_table[hull] == 0
    assert battle.units.place[wreck.bus] == DESTROYED
    for unit in wreck.units:
        rows = standing(battle, unit)
        assert (len(rows), battle.units.place[unit], battle.units.carrier[unit]) == (5, ON_TABLE, -1)
        for k in rows:
            assert farthest(battle, k) <= 3.0 + 1e-3
            dx, dy = abs(battle.models.x[k] - 20.0), abs(battle.models.y[k] - 15.0)
            assert dx >= HALF[0] + 0.49 or dy >= HALF[1] + 0.49 or hypot(dx - HALF[0], dy - HALF[1]) >= 0.49
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.transport.destroyed.disembark")
def test_not_within_engagement_range_and_in_the_order_of_choice() -> None:
    """Full detail: the owner picks which unit gets out first; nobody is set up within 1" of the enemy beside the bus."""
    wreck = Wrecking((1, 1), dice=[6, 6], detail="full", build=lambda s: s.unit(0, sheet("Foe"), at=[(20, 18.5)]))
    battle = wreck.battle
    assert kind(battle) == "wreck-order"
    assert battle.decision is not None
    assert battle.decision.player == 1
    assert sorted(words(battle).values()) == ["A", "B"]
    pick(battle, "B")
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.subject) == ("place-model", wreck.units[1].row)
    while kind(battle).startswith("place-"):
        assert battle.decision is not None
        for action in battle.decision.options:
            x, y = (float(part) for part in battle.describe(action).rsplit(" at ", 1)[1].split(", "))
            assert hypot(x - 20, y - 18.5) - 1.0 > 1.0 - 0.01
        battle.apply(battle.first_legal())
    assert [battle.units.place[unit] for unit in wreck.units] == [ON_TABLE] * 2
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.transport.destroyed.disembark")
def test_the_army_is_not_destroyed_while_its_last_units_are_embarked() -> None:
    """The bus was all of B's army on the table: the battle goes on with its passengers."""
    wreck = Wrecking((5,), dice=[6] * 5)
    wreck.out()
    assert not wreck.battle.over
    play_until(wreck.battle, "select-to-move")
    assert wreck.battle.units.alive[wreck.units[0]] > 0


# ---------------------------------------------------------------- Deadly Demise


def exploding(demise: int | str, dice: Sequence[int]) -> tuple[Wrecking, UnitHandle, UnitHandle]:
    """The bus has Deadly Demise; friends of its crew and an enemy stand within 6"."""
    near: list[UnitHandle] = []

    def build(scene: Scene) -> None:
        near.append(scene.unit(1, sheet("Friend", W=9), at=[(26, 15)]))
        near.append(scene.unit(0, sheet("Enemy", W=9), at=[(20, 21.5)]))

    wreck = Wrecking((5,), dice, demise=demise, build=build)
    return wreck, near[0], near[1]


@pytest.mark.rule("w10.transport.destroyed.deadly-demise", "w10.attack.deadly-demise.transport-first")
def test_deadly_demise_comes_first_and_does_not_touch_the_passengers() -> None:
    """Deadly Demise 3 and a 6: others within 6" suffer 3 mortal wounds each, the passengers none from it; they roll their
    own five D6. While they choose their place the demise is resolved and none of their dice is rolled."""
    wreck, friend, enemy = exploding(3, [6, 2, 3, 4, 5, 6])
    battle = wreck.battle
    assert kind(battle) == "disembark-at"
    assert dice_left(battle) == 5
    hurt = {e["unit"]: e["amount"] for e in told(battle, "w10.attack.deadly-demise.random")}
    assert hurt == {friend.row: 3, enemy.row: 3}
    assert battle.units.place[wreck.units[0]] == EMBARKED
    wreck.out()
    assert [battle.models.wounds[friend.first], battle.models.wounds[enemy.first]] == [6, 6]
    assert wreck.wounds() == [1] * 5
    assert [e["rolls"] for e in told(battle, "w10.transport.destroyed.rolls")] == [[2, 3, 4, 5, 6]]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.deadly-demise.transport-first")
def test_the_order_of_dice() -> None:
    """Deadly Demise D3: the D6, then the number of mortal wounds of each unit, then one D6 for each passenger."""
    wreck, friend, enemy = exploding("D3", [6, 1, 6, 1, 1, 6, 6, 6])
    wreck.out()
    battle = wreck.battle
    amounts = {e["unit"]: e["amount"] for e in told(battle, "w10.attack.deadly-demise.random")}
    assert sorted(amounts.values()) == [1, 3]
    assert set(amounts) == {friend.row, enemy.row}
    assert [e["rolls"] for e in told(battle, "w10.transport.destroyed.rolls")] == [[1, 1, 6, 6, 6]]
    rules = [event.rule for event in battle.events]
    order = [
        rules.index("w10.attack.deadly-demise"),
        rules.index("w10.attack.deadly-demise.random"),
        rules.index("w10.transport.destroyed.rolls"),
    ]
    assert order == sorted(order)
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- what it costs


@pytest.mark.rule("w10.transport.destroyed.rolls")
def test_a_mortal_wound_for_each_one() -> None:
    """Five passengers roll 1, 1, 2, 5, 6: two mortal wounds, after the unit has been set up."""
    wreck = Wrecking((5,), dice=[1, 1, 2, 5, 6])
    battle = wreck.battle
    assert kind(battle) == "disembark-at"
    assert dice_left(battle) == 5
    wreck.out()
    assert [e["mortal_wounds"] for e in told(battle, "w10.transport.destroyed.rolls")] == [2]
    assert len(standing(battle, wreck.units[0])) == 3
    assert battle.units.alive[wreck.units[0]] == 3
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.transport.destroyed.rolls")
def test_each_unit_rolls_for_its_own_models_and_feel_no_pain_is_rolled() -> None:
    """Units of 2 and 3: a 1 in the second costs the second a mortal wound; with Feel No Pain 5+ a 5 ignores it."""
    tough = sheet("Squad", fnp=5)
    wreck = Wrecking((2, 3), dice=[2, 2, 1, 2, 1, 5, 4], squad=tough)
    wreck.out()
    battle = wreck.battle
    rolls = [(e["unit"], e["rolls"]) for e in told(battle, "w10.transport.destroyed.rolls")]
    assert rolls == [(wreck.units[0].row, [2, 2]), (wreck.units[1].row, [1, 2, 1])]
    assert [e["die"] for e in told(battle, "w10.attack.feel-no-pain")] == [5, 4]
    assert [battle.units.alive[unit] for unit in wreck.units] == [2, 2]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.transport.destroyed.rolls")
def test_a_unit_that_dies_in_the_wreck_is_destroyed() -> None:
    """Both passengers roll a 1: the unit is destroyed, and with it B's army."""
    wreck = Wrecking((2,), dice=[1, 1])
    wreck.out()
    battle = wreck.battle
    assert battle.units.place[wreck.units[0]] == DESTROYED
    assert sorted(e["unit"] for e in told(battle, "w10.command.destroyed.unit")) == [wreck.bus.row, wreck.units[0].row]
    assert battle.over
    assert battle.result is not None
    assert battle.result.winner == 0


@pytest.mark.rule("w10.transport.destroyed.battle-shocked")
def test_battle_shocked_until_the_owners_next_command_phase() -> None:
    """Destroyed in the opponent's Shooting phase: Battle-shocked (OC 0) through the rest of that turn, until the owner's
    next Command phase starts."""
    wreck = Wrecking((5,), dice=[6] * 5, build=lambda s: s.marker(20, 18))
    battle, squad = wreck.battle, wreck.units[0]
    assert battle.decision is not None

    def off(action: int) -> float:
        x, y = (float(part) for part in battle.describe(action).rsplit(" at ", 1)[1].split(", "))
        return hypot(x - 20, y - 18)

    battle.apply(min(battle.decision.options, key=off))
    assert battle.units.shocked[squad] == 1
    assert battle.marker_distance(squad, 0) < 3.0
    while battle.clock.turn[0] == 0:
        assert battle.units.shocked[squad] == 1
        play_on(battle)
    assert battle.units.shocked[squad] == 0
    assert [e["unit"] for e in told(battle, "w10.command.battle-shock.duration")] == [squad.row]
    # B controls the marker from then on only: at the ends of A's phases the five models had OC 0
    assert [e["levels"] for e in told(battle, "w10.objective.control")] == [(0, 5)]
    order = [event.rule for event in battle.events]
    assert order.index("w10.command.battle-shock.duration") < order.index("w10.objective.control")


def play_on(battle: Battle) -> None:
    """One decision: nobody shoots, charges or moves."""
    battle.apply(0 if battle.legal()[0] else battle.first_legal())


@pytest.mark.rule("w10.transport.destroyed.counts-as-moved")
def test_in_the_owners_own_movement_phase() -> None:
    """A's bus is destroyed by an Overwatch attack as it starts its move: the passengers are not moved this phase, shoot
    without the Heavy bonus (BS 4+ stays 4+) and may not charge an enemy 4" away this turn."""
    scene = Scene()
    carrier = scene.unit(0, bus(), at=(20, 15), facing=0.0)
    heavy = sheet("Squad", weapons={"heavy": ranged(24, A=1, BS=4, abilities=["Heavy"])})
    squad = scene.unit(0, heavy, models=5, embarked_in=carrier)
    other = scene.unit(0, sheet("Other"), at=[(20, 5)])
    scene.unit(1, sheet("Gun", W=9, weapons=CANNON), at=[(20, 24)])
    rules = {"stratagems": {"fire-overwatch": "ask"}, **NO_CP}
    battle = scene.battle(dice=[6, 2, 1, 2, 2, 2, 2, 2], cp=(0, 1), rules=rules)
    pick(battle, "Bus", kind="select-to-move")
    pick(battle, "Normal move", kind="move-kind")
    pick(battle, "Gun", kind="fire-overwatch")
    assert kind(battle) == "disembark-at"
    assert battle.decision is not None
    gaps = {}
    for action in battle.decision.options:
        after = battle.clone()
        after.apply(action)
        gaps[action] = abs(after.distance(squad, 3) - 4.0)
    battle.apply(min(gaps, key=lambda a: gaps[a]))
    assert battle.distance(squad, 3) == pytest.approx(4.0, abs=0.5)
    assert dice_left(battle) == 0
    assert battle.units.moved[squad] == Moved.NORMAL
    # only the other unit is left to move
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.subject) == ("move-kind", other.row)
    pick(battle, "Remain Stationary")
    assert kind(battle) == "select-to-shoot"
    pick(battle, "Squad")
    assert {hit["needed"] for hit in told(battle, "w10.attack.hit.roll")[1:]} == {4}
    while battle.clock.phase[0] < 4 and battle.clock.turn[0] == 0:
        play_on(battle)
    charging = []
    while battle.clock.turn[0] == 0 and not battle.over:
        if kind(battle) == "select-to-charge":
            charging += list(words(battle).values())
        play_on(battle)
    assert "Squad" not in charging


# ---------------------------------------------------------------- emergency disembarkation


def walled(opening: bool) -> object:
    """Terrain everywhere within 3.2" of the bus; with an ``opening`` a lane 1.2" wide for four 1" bases beside it."""

    def build(scene: Scene) -> None:
        scene.box(14.3, 8.5, 17.5, 21.5, 5)
        scene.box(22.5, 8.5, 25.7, 21.5, 5)
        scene.box(17.5, 10.3, 22.5, 13.5, 5)
        if opening:
            scene.box(17.5, 17.7, 22.5, 19.7, 5)
            scene.box(22.1, 16.5, 22.5, 17.7, 5)
        else:
            scene.box(17.5, 16.5, 22.5, 19.7, 5)

    return build


@pytest.mark.rule("w10.transport.emergency.when")
def test_if_not_all_fit_within_three_inches_the_whole_unit_makes_an_emergency_disembarkation() -> None:
    """Room for 4 within 3": a unit of 4 has to use it (mortal wounds on 1s), a unit of 10 is set up within 6" as a whole
    (on 1-3); on open ground ten models may not use 6"."""
    for models, build, emergency in ((4, walled(True), False), (10, walled(True), True), (10, None, False)):
        wreck = Wrecking((models,), dice=[2] * models + [6] * 10, build=build)
        battle = wreck.battle
        battle.script_array[: battle.dice.script_end[0]] = 6  # nobody is hurt: only the places matter here
        outcomes = []
        while kind(battle) == "disembark-at":
            assert battle.decision is not None
            for action in battle.decision.options:
                after = battle.clone()
                after.apply(action)
                outcomes.append(max(farthest(after, k) for k in standing(after, wreck.units[0])))
            battle.apply(battle.first_legal())
        outcomes.append(max(farthest(battle, k) for k in standing(battle, wreck.units[0])))
        assert len(standing(battle, wreck.units[0])) == models
        assert max(outcomes) <= (6.0 if emergency else 3.0) + 1e-3
        assert (max(outcomes) > 3.1) == emergency
        assert bool(told(battle, "w10.transport.emergency.rolls")) == emergency
        assert bool(told(battle, "w10.transport.destroyed.rolls")) != emergency


@pytest.mark.rule("w10.transport.emergency.distance")
def test_six_inches_and_not_a_hair_more() -> None:
    """The grid has places with the far edge at 6.00" and at 6.06" from the hull: the first is legal, the other is not."""
    wreck = Wrecking((1,), dice=[6], detail="full", build=walled(False))
    battle, squad = wreck.battle, wreck.units[0]
    assert kind(battle) == "place-model"
    choose(battle, "cell", 8 * 17 + 16)
    edges = set()
    for fine in slots(battle, "cell"):
        after = battle.clone()
        choose(after, "cell", fine)
        edges.add(round(after.models.x[squad.first] + 0.5 - 22.5, 3))
    assert edges == {round(6.0 - k / 17, 3) for k in range(9)}


@pytest.mark.rule("w10.transport.emergency.distance")
def test_an_emergency_disembarkation_keeps_out_of_engagement_range() -> None:
    """Nobody is set up within 1" of an enemy that stands 6" from the bus."""

    def build(scene: Scene) -> None:
        walled(False)(scene)  # type: ignore[operator]
        scene.unit(0, sheet("Foe"), at=[(20, 22.9)])

    wreck = Wrecking((3,), dice=[6] * 3, build=build)
    battle = wreck.battle
    foe = battle.setup.names["units"].index("Foe")
    assert battle.decision is not None
    gaps = []
    for action in battle.decision.options:
        after = battle.clone()
        after.apply(action)
        gaps.append(after.distance(foe, wreck.units[0]))
    assert 1.0 < min(gaps) < 1.6


@pytest.mark.rule("w10.transport.emergency.rolls")
def test_a_mortal_wound_for_each_one_to_three() -> None:
    """Five passengers roll 1, 2, 3, 4, 6: three mortal wounds (one, had they not to make an emergency disembarkation)."""
    for build, rule, lost in ((walled(False), "emergency", 3), (None, "destroyed", 1)):
        wreck = Wrecking((5,), dice=[1, 2, 3, 4, 6], build=build)
        wreck.out()
        battle = wreck.battle
        rolls = told(battle, f"w10.transport.{rule}.rolls")
        assert [(e["rolls"], e["mortal_wounds"]) for e in rolls] == [([1, 2, 3, 4, 6], lost)]
        assert battle.units.alive[wreck.units[0]] == 5 - lost
        assert battle.units.shocked[wreck.units[0]] == 1
        assert battle.units.disembarked[wreck.units[0]] == 3
        assert dice_left(battle) == 0


def pen(scene: Scene) -> None:
    """Terrain everywhere within 6" of a bus of 5" by 5" at (20, 15) but in a lane 1.2" by 7.6" beside it."""
    scene.box(10.0, 5.0, 17.5, 25.0, 5)
    scene.box(23.7, 5.0, 30.0, 25.0, 5)
    scene.box(17.5, 17.5, 22.5, 25.0, 5)
    scene.box(17.5, 5.0, 22.5, 12.5, 5)
    scene.box(22.5, 18.8, 23.7, 25.0, 5)
    scene.box(22.5, 5.0, 23.7, 11.2, 5)


@pytest.mark.rule("w10.transport.emergency.destroyed")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_models_without_room_are_destroyed(detail: str) -> None:
    """A lane for seven 1" bases and ten passengers: seven are set up, three destroyed (at full detail the owner says
    which); seven dice are rolled."""
    wreck = Wrecking((10,), dice=[6] * 7, carrier=bus(hull_in=(5, 5)), build=pen, detail=detail)
    battle, squad = wreck.battle, wreck.units[0]
    chosen = []
    while kind(battle) == "left-in-wreck":
        assert battle.decision is not None
        assert battle.decision.player == 1
        assert len(battle.decision.options) == 10 - len(chosen)
        chosen.append(len(chosen) * 2)
        pick(battle, f"Squad {chosen[-1] + 1} is destroyed")
    assert chosen == ([0, 2, 4] if detail == "full" else [])
    while kind(battle).startswith(("place-", "disembark-at")):
        battle.apply(battle.first_legal())
    rows = standing(battle, squad)
    assert (len(rows), battle.units.alive[squad]) == (7, 7)
    lost = [e["model"] for e in told(battle, "w10.transport.emergency.destroyed")]
    assert lost == ([squad.model(k) for k in (0, 2, 4)] if detail == "full" else [squad.model(k) for k in (9, 8, 7)])
    assert [e["rolls"] for e in told(battle, "w10.transport.emergency.rolls")] == [[6] * 7]
    assert max(farthest(battle, k, (2.5, 2.5)) for k in rows) <= 6.0 + 1e-3
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.transport.emergency.destroyed")
def test_without_any_room_the_whole_unit_is_destroyed() -> None:
    """Terrain fills everything within 6": all five passengers are destroyed, no die is rolled for them."""

    def build(scene: Scene) -> None:
        pen(scene)
        scene.box(22.5, 11.2, 23.7, 18.8, 5)

    wreck = Wrecking((5,), carrier=bus(hull_in=(5, 5)), build=build)
    battle, squad = wreck.battle, wreck.units[0]
    assert battle.units.place[squad] == DESTROYED
    assert len(told(battle, "w10.transport.emergency.destroyed")) == 5
    assert battle.over
    assert dice_left(battle) == 0
