"""TRANSPORTS of the 8th edition (w8.transport.*)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot
from typing import Any

import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.core.tables import DESTROYED, EMBARKED, ON_TABLE
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.morale.toll import slain_this_turn
from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import (
    UnitHandle,
    cell_nearest,
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

MIDDLE = 17 * 17 // 2
Spot = tuple[float, float]
CANNON = {"cannon": ranged(60, BS=2, S=18, AP=-3, D=6)}
KILL = [6, 6, 1]  # hits, wounds, the save fails: the bus has six wounds


def bus(capacity: int = 10, keywords: Sequence[str] = ("VEHICLE", "TRANSPORT"), **fields: object) -> dict[str, object]:
    """A TRANSPORT of 5" by 3" for INFANTRY."""
    abilities = {"transport": {"capacity": capacity, "allowed": ["INFANTRY"]}} if "TRANSPORT" in keywords else {}
    data = {"M": 12, "W": 6, "T": 9, "Sv": 6, "hull_in": (5, 3), "height": 2.5, "models": (1, 1), **fields}
    return sheet("Bus", keywords=keywords, abilities=abilities, **data)  # type: ignore[arg-type]


def five(gap: float) -> list[Spot]:
    """Five models beside the bus at (20, 20), the farthest so far from its side."""
    return [(22.5 + gap + 0.5, 18.5 + 1.05 * k) for k in range(3)] + [
        (22.5 + gap - 0.55, 18.5 + 1.05 * k) for k in range(2)
    ]


def beside(
    spots: list[Spot], aboard: int = 0, player: int = 0, detail: str = "squad", capacity: int = 10, foe: Spot = (55, 40),
    transport: Sequence[str] = ("VEHICLE", "TRANSPORT"), **fields: object,
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """A bus at (20, 20) whose side is at x = 22.5, a unit that is selected to move, an enemy."""
    scene = EighthScene()
    carrier = scene.unit(player, bus(capacity, transport), at=(20, 20), facing=0.0)
    squad = scene.unit(player, sheet("Squad", **fields), at=spots, models=len(spots))  # type: ignore[arg-type]
    if aboard:
        scene.unit(player, sheet("Crew"), models=aboard, embarked_in=carrier)
    scene.unit(1 - player, sheet("Foe"), at=foe, models=1)
    battle = scene.battle(active=player, detail=detail)
    pick(battle, "Squad", kind="select-to-move")
    return battle, squad, carrier


def move(battle: Battle, squad: UnitHandle, what: str = "Normal move", dx: float = 0.0) -> None:
    """The unit makes the move, ``dx`` inches along x."""
    pick(battle, f"Squad: {what}")
    if kind(battle) in ("move-to", "fall-back-to"):
        choose(battle, "cell", cell_nearest(battle, dx, 0, 6 + battle.units.advance[squad]))
    else:
        pick(battle, "end the move")


def from_hull(battle: Battle, model: int, x: float = 20, y: float = 20) -> float:
    """Between a round base and the hull of the bus."""
    m = battle.models
    return hypot(max(0.0, abs(m.x[model] - x) - 2.5), max(0.0, abs(m.y[model] - y) - 1.5)) - m.radius[model]


# ---------------------------------------------------------------- embarking


@pytest.mark.rule("w8.transport.embark", "w8.transport.keyword")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("gap", "offered"), [(2.9, True), (3.0, True), (3.1, False)])
def test_all_models_within_three_inches(gap: float, offered: bool, detail: str, player: int) -> None:
    """The nearest part of each base counts; and nobody embarks in what is no TRANSPORT."""
    battle, squad, carrier = beside(five(gap), player=player, detail=detail)
    move(battle, squad)
    assert (kind(battle) == "embark") is offered
    other, unit, _ = beside(five(gap), player=player, detail=detail, transport=("VEHICLE",))
    move(other, unit)
    assert kind(other) != "embark"
    if offered:
        staying = battle.clone()
        pick(staying, "do not embark")
        assert staying.units.place[squad] == ON_TABLE
        pick(battle, "embark in Bus")
        assert (battle.units.place[squad], battle.units.carrier[squad]) == (EMBARKED, carrier.row)
        assert not any(battle.models.on_table[squad.model(k)] for k in range(5))


@pytest.mark.rule("w8.transport.embark")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_an_enemy_beside_the_transport_keeps_nobody_out(detail: str, player: int) -> None:
    """An enemy stands 0.5" from the bus, on its other side: nothing forbids to embark."""
    battle, squad, carrier = beside(five(2.9), player=player, detail=detail, foe=(16.5, 20))
    foe = 2 if player == 0 else 0
    assert battle.distance(carrier, foe) == pytest.approx(0.5)
    move(battle, squad)
    pick(battle, "embark in Bus")
    assert battle.units.place[squad] == EMBARKED


@pytest.mark.rule("w8.transport.embark.which-moves")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("what", "dx", "offered"), [
    ("Normal move", -1.5, True), ("Advance", 0.0, True), ("Remain Stationary", 0.0, False),
])  # fmt: skip
def test_after_moves_of_the_movement_phase(what: str, dx: float, offered: bool, player: int) -> None:
    battle, squad, _ = beside(five(4.4 if dx else 3.0), player=player)
    if what == "Remain Stationary":
        pick(battle, what)
    else:
        move(battle, squad, what, dx)
    assert (kind(battle) == "embark") is offered


@pytest.mark.rule("w8.transport.embark.which-moves")
def test_after_a_fall_back_but_no_move_of_other_phases() -> None:
    """It Falls Back to within 3"; in the Fight phase it piles in and consolidates beside the bus and is not asked."""
    battle, squad, _ = beside([(26.5, 20), (26.5, 21.2)], foe=(28.0, 20))
    move(battle, squad, "Fall Back", -2.25)
    assert kind(battle) == "embark"
    scene = EighthScene()
    scene.unit(0, bus(), at=(20, 20), facing=0.0)
    scene.unit(0, sheet("Squad"), at=(24.0, 20), models=1)
    scene.unit(1, sheet("Foe", W=9), at=(25.5, 20), models=1)
    fight = scene.battle("fight")
    assert kind(fight) == "pile-in"
    while fight.decision is not None and fight.clock.turn[0] == 0:
        assert fight.decision.kind != "embark"
        fight.apply(fight.first_legal())


@pytest.mark.rule("w8.transport.capacity", "w8.transport.several-units")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("aboard", "models", "keyword", "offered"), [
    (6, 4, "INFANTRY", True), (6, 5, "INFANTRY", False), (6, 4, "BEAST", False), (5, 5, "INFANTRY", True), (0, 5, "INFANTRY", True),
])  # fmt: skip
def test_whole_units_as_the_capacity_allows(aboard: int, models: int, keyword: str, offered: bool, player: int) -> None:
    battle, squad, carrier = beside(five(3.0)[:models], aboard, player, keywords=(keyword,))
    move(battle, squad)
    assert (kind(battle) == "embark") is offered
    if offered:
        pick(battle, "embark in Bus")
        assert battle.units.carrier[squad] == carrier.row
        assert battle.units.alive[squad] == models


@pytest.mark.rule("w8.transport.start-embarked")
@pytest.mark.parametrize("player", [0, 1])
def test_units_may_start_the_battle_embarked(player: int) -> None:
    """Two units of five fill the bus; they are not deployed apart from it; the third is."""
    scene = EighthScene()
    carrier = scene.unit(player, bus(), place="deploy")
    units = [scene.unit(player, sheet(f"Unit {k}"), models=n, place="deploy") for k, n in enumerate((5, 5, 3))]
    scene.unit(1 - player, sheet("Foe"), models=1, place="deploy")
    battle = scene.battle(phase="mission", rules={"formations": "choose", "first_player": 0})
    deployed, asked = [], 0
    while battle.clock.round[0] == 0 and battle.decision is not None:
        if kind(battle) == "start-embarked":
            asked += 1
            inside = "Bus" in words(battle).values()
            pick(battle, "Bus" if inside else "done")
            continue
        if kind(battle) == "deploy-to":
            deployed.append(battle.decision.subject)
        battle.apply(battle.first_legal())
    assert asked == 2  # no room for the third
    assert [battle.units.place[unit] for unit in units] == [EMBARKED, EMBARKED, ON_TABLE]
    assert carrier.row in deployed
    assert units[2].row in deployed
    assert not {units[0].row, units[1].row} & set(deployed)


# ---------------------------------------------------------------- disembarking


def loaded(
    models: int = 5, foe: Spot = (50, 40), player: int = 0, phase: str = "movement", **battle: object
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit with Heavy weapons (BS 3+) embarked in the bus at (20, 20), and an enemy; battle, unit, bus."""
    scene = EighthScene()
    carrier = scene.unit(player, bus(), at=(20, 20), facing=0.0)
    guns = {"gun": ranged(48, BS=3, S=4, abilities=["Heavy"])}
    unit = scene.unit(player, sheet("Squad", weapons=guns), models=models, embarked_in=carrier)
    scene.unit(1 - player, sheet("Foe", W=9), at=foe, models=1)
    return scene.battle(phase, active=player, **battle), unit, carrier  # type: ignore[arg-type]


@pytest.mark.rule("w8.transport.disembark")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("what", "offered"), [(None, True), ("Remain Stationary", True), ("Normal move", False), ("Advance", False)]
)
def test_before_the_transport_moves(what: str | None, offered: bool, player: int) -> None:
    battle, squad, carrier = loaded(player=player)
    if what is not None:
        pick(battle, "Bus", kind="select-to-move")
        pick(battle, what)
        if kind(battle) == "move-to":
            choose(battle, "cell", cell_nearest(battle, 3, 0, 12 + battle.units.advance[carrier]))
    assert ("Squad disembarks" in words(battle).values()) is offered
    if offered:
        pick(battle, "Squad disembarks")
        battle.apply(battle.first_legal())
        assert battle.units.place[squad] == ON_TABLE
        assert ("Bus" in words(battle).values()) is (what is None)  # it may still move


@pytest.mark.rule("w8.transport.disembark.position")
@pytest.mark.parametrize("player", [0, 1])
def test_some_part_within_3_inches_and_more_than_1_from_enemies(player: int) -> None:
    """An enemy 1.5" from the hull: places reach out to 3.0" from the hull, and to just over 1" of the enemy."""
    battle, squad, _ = loaded(1, (20, 23.5), player, detail="full")
    foe = 2 if player == 0 else 0
    pick(battle, "Squad disembarks")
    out, near = [], []
    for cell in slots(battle, "cell"):
        coarse = battle.clone()
        choose(coarse, "cell", cell)
        for action in (
            coarse.decision.options if kind(coarse) == "place-exactly" and coarse.decision is not None else ()
        ):
            put = coarse.clone()
            put.apply(action)
            out.append(from_hull(put, squad.first))
            near.append(put.distance(squad, foe))
    assert 2.95 < max(out) <= 3.0 + 1e-3
    assert 1.0 < min(near) < 1.1


@pytest.mark.rule("w8.transport.disembark.act", "w8.transport.disembark.counts-as-moved", "w8.transport.not-same-turn")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("what", ["Normal move", "Advance", "Remain Stationary"])
def test_they_act_normally_but_have_moved(what: str, player: int) -> None:
    """After it got out the unit may move, Advance or stay, never get in again; a Heavy weapon misses on a 3 though it was not moved on;
    it may charge, unless it Advanced."""
    battle, squad, _ = loaded(1, (20, 30), player, dice=[1, 3] if what == "Advance" else [3])
    pick(battle, "Squad disembarks")
    assert battle.decision is not None
    battle.apply(battle.decision.options[-1])  # towards the enemy
    pick(battle, "Squad", kind="select-to-move")
    assert {"Squad: Advance", "Squad: Normal move"} <= set(words(battle).values())
    if what == "Remain Stationary" and "Squad: Remain Stationary" not in words(battle).values():
        pytest.fail("a unit need not move")
    pick(battle, what)
    if kind(battle) == "move-to":
        choose(battle, "cell", MIDDLE)
    seen, number = set(), squad.row - battle.players.first_unit[player]
    while battle.decision is not None and battle.clock.turn[0] == player:
        assert battle.decision.kind != "embark"
        if number in slots(battle, "own"):
            seen.add(kind(battle))
        if kind(battle) == "select-to-shoot":
            pick(battle, "Squad")
        elif kind(battle) == "move-kind":
            pick(battle, "Remain Stationary")
        else:
            battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert ("select-to-charge" in seen) is (what != "Advance")
    hits = [e["result"] > 0 for e in told(battle, "w8.attack.hit")]
    assert hits == ([] if what == "Advance" else [False])


@pytest.mark.rule("w8.transport.not-same-turn")
@pytest.mark.parametrize("player", [0, 1])
def test_who_embarked_does_not_get_out_in_the_same_turn(player: int) -> None:
    battle, squad, _ = beside(five(3.0), player=player)
    move(battle, squad)
    pick(battle, "embark in Bus")
    while battle.clock.turn[0] == player:
        assert "Squad disembarks" not in words(battle).values()
        battle.apply(battle.first_legal())
    play_until(battle, "select-to-move")
    while battle.clock.turn[0] != player or kind(battle) != "select-to-move":
        battle.apply(battle.first_legal())
    assert "Squad disembarks" in words(battle).values()


@pytest.mark.rule("w8.transport.embarked.inactive")
@pytest.mark.parametrize("player", [0, 1])
def test_an_embarked_unit_does_nothing_and_is_no_target(player: int) -> None:
    """In two turns of its player it is asked nothing but to get out, holds no marker, and nobody shoots at it or charges it."""
    scene = EighthScene()
    arms = {"rifle": ranged(48, A=1, BS=3, S=4)}
    carrier = scene.unit(player, bus(W=50, Sv=2), at=(20, 20), facing=0.0)
    squad = scene.unit(
        player, sheet("Squad", weapons=arms, keywords=("INFANTRY", "PSYKER")), models=5, embarked_in=carrier
    )
    scene.unit(1 - player, sheet("Foes", weapons=arms), at=[(20, 14), (21.2, 14)])
    marker = scene.marker(20, 16.5)
    battle = scene.battle(active=player, first_player=player)
    number = squad.row - battle.players.first_unit[player]
    while battle.decision is not None and battle.clock.round[0] < 3:
        assert battle.decision.subject != squad.row
        segment = "own" if battle.decision.player == player else "enemy"
        if number in slots(battle, segment):
            assert words(battle)[getattr(battle.setup.space, segment) + number] == "Squad disembarks"
        out = battle.setup.space.own + number if segment == "own" else -1
        battle.apply(next(action for action in battle.decision.options if action != out))
    assert (battle.units.place[squad], battle.units.alive[squad]) == (EMBARKED, 5)
    assert battle.objectives.holder[marker] == 1 - player


@pytest.mark.rule("w8.transport.embarked.inactive")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("mine", [True, False])
def test_an_explosion_of_perils_hurts_the_transport_and_not_its_passengers(mine: bool, player: int) -> None:
    """Beside the psyker's own TRANSPORT, or beside the enemy's: D3 mortal wounds for the bus, none for the five in it, wherever their rows
    say that they stood last; the embarked psyker is not asked for a power."""
    scene = EighthScene()
    data = {"W": 1, "models": (1, 1), "keywords": ("INFANTRY", "PSYKER")}
    caster = scene.unit(player, sheet("Caster", **data), at=(20, 25), psychic=PsychicProfile(1, 0))
    owner = player if mine else 1 - player
    carrier = scene.unit(owner, bus(), at=(20, 20), facing=0.0)
    aboard = sheet("Aboard", keywords=("INFANTRY", "PSYKER"), W=4)
    squad = scene.unit(owner, aboard, models=5, embarked_in=carrier, psychic=PsychicProfile(1, 1))
    scene.unit(player, sheet("Friend", W=9, keywords=data["keywords"]), at=(3, 3), psychic=PsychicProfile(1, 0))
    scene.unit(1 - player, sheet("Foe", W=9), at=(20, 42), models=1)

    def settle(battle: Battle) -> None:
        for k in range(5):
            battle.models.x[squad.first + k], battle.models.y[squad.first + k] = 20 + k, 23

    battle = scene.battle("psychic", active=player, dice=[6, 6, 1, 6], set_state=settle)
    assert sorted(words(battle).values()) == ["Caster", "Friend", "done"]
    pick(battle, "Caster")
    assert battle.units.place[caster] == DESTROYED
    assert battle.models.wounds[carrier.first] == 6 - 3
    assert [battle.models.wounds[squad.first + k] for k in range(5)] == [4] * 5
    assert (battle.units.place[squad], battle.units.alive[squad]) == (EMBARKED, 5)
    assert [e["unit"] for e in told(battle, "w8.datasheet.abilities") if "amount" in e] == [carrier.row]
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- destroyed


class Wrecking:
    """The shooter's cannon destroys the other player's bus at (20, 22), in which units of these sizes are embarked."""

    def __init__(
        self, sizes: Sequence[int] = (5,), dice: Sequence[int] = (), *, detail: str = "squad", shooter: int = 0,
        build: Callable[[Any], object] | None = None, hull: tuple[float, float] = (5, 3),
    ) -> None:  # fmt: skip
        scene = EighthScene()
        scene.unit(shooter, sheet("Gun", weapons=CANNON, height=9), at=[(20, 40)])
        scene.unit(
            shooter, sheet("Idle", weapons=CANNON), at=[(56, 40)]
        )  # has still to shoot, so that the phase goes on
        self.bus = scene.unit(1 - shooter, bus(12, hull_in=hull, height=9), at=(20, 22), facing=0.0)
        self.units = [
            scene.unit(1 - shooter, sheet(name), models=size, embarked_in=self.bus)
            for name, size in zip("ABC", sizes, strict=False)
        ]
        scene.unit(1 - shooter, sheet("Rest"), at=[(3, 3)])
        if build is not None:
            build(scene)
        self.battle = scene.battle("shooting", dice=[*KILL, *dice], detail=detail, active=shooter)
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


@pytest.mark.rule("w8.transport.destroyed")
@pytest.mark.parametrize("shooter", [0, 1])
def test_the_passengers_get_out_before_the_wreck_is_removed(shooter: int) -> None:
    """Full detail, an enemy beside the wreck: the owner names the order; all end within 3" and more than 1" from the enemy."""
    wreck = Wrecking(
        (2, 1), [6] * 3, detail="full", shooter=shooter, build=lambda s: s.unit(shooter, sheet("Foe"), at=[(20, 26)])
    )
    battle, hull = wreck.battle, wreck.bus.first
    assert kind(battle) == "wreck-order"
    assert battle.decision is not None
    assert battle.decision.player == 1 - shooter
    assert sorted(words(battle).values()) == ["A", "B"]
    assert (battle.models.on_table[hull], battle.models.alive[hull]) == (1, 0)
    pick(battle, "B")
    while (kind(battle) or "").startswith("place-"):
        assert battle.models.on_table[hull]
        battle.apply(battle.decision.options[-1])
    assert battle.units.place[wreck.bus] == DESTROYED
    assert not battle.models.on_table[hull]
    foe = next(u for u in battle.units_of(shooter) if battle.setup.names["units"][u] == "Foe")
    for unit in wreck.units:
        assert battle.units.place[unit] == ON_TABLE
        assert battle.distance(unit, foe) > 1.0
        for k in battle.members(unit.row):
            assert from_hull(battle, k, 20, 22) <= 3.001


@pytest.mark.rule("w8.transport.destroyed.casualties")
@pytest.mark.parametrize("shooter", [0, 1])
def test_a_1_slays_a_model_of_their_players_choice(shooter: int) -> None:
    """Dice 1, 3, 1, 6, 2: two of five, whom the owner names; they count as slain this turn."""
    wreck = Wrecking((5,), [1, 3, 1, 6, 2], detail="full", shooter=shooter)
    battle, unit = wreck.battle, wreck.units[0]
    wreck.out()
    assert kind(battle) == "wreck-loss"
    assert battle.decision is not None
    assert (battle.decision.player, slots(battle, "model")) == (1 - shooter, [0, 1, 2, 3, 4])
    pick(battle, "A 2 is destroyed")
    pick(battle, "A 5 is destroyed")
    assert wreck.standing() == [0, 2, 3]
    assert (battle.units.alive[unit], slain_this_turn(battle, unit.row)) == (3, 2)
    assert told(battle, "w8.transport.destroyed.casualties")[0]["rolls"] == [1, 3, 1, 6, 2]
    assert dice_left(battle) == 0
    safe = Wrecking((5,), [2, 3, 4, 5, 6], shooter=shooter)
    safe.out()
    assert len(safe.standing()) == 5


def pen(scene: Any) -> None:
    """Terrain everywhere about a bus of 5" by 5" but in a lane of 1.2" by 3.9" beside it."""
    scene.box(8.0, 8.0, 17.5, 36.0, 8)
    scene.box(23.7, 8.0, 33.0, 36.0, 8)
    scene.box(17.5, 24.5, 22.5, 36.0, 8)
    scene.box(17.5, 8.0, 22.5, 19.5, 8)
    scene.box(22.5, 23.9, 23.7, 36.0, 8)
    scene.box(22.5, 8.0, 23.7, 20.0, 8)


@pytest.mark.rule("w8.transport.disembark.no-room")
@pytest.mark.parametrize("shooter", [0, 1])
def test_who_finds_no_room_is_slain(shooter: int) -> None:
    """Five passengers and room for three: two are slain, and three dice are rolled."""
    wreck = Wrecking((5,), [6] * 3, build=pen, hull=(5, 5), shooter=shooter)
    battle, unit = wreck.battle, wreck.units[0]
    assert slain_this_turn(battle, unit.row) == 2
    wreck.out()
    assert len(wreck.standing()) == battle.units.alive[unit] == 3
    assert len(told(battle, "w8.transport.disembark.no-room")) == 2
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.transport.destroyed.timing-moved")
@pytest.mark.parametrize("shooter", [0, 1])
def test_forced_out_in_the_enemys_turn_they_move_normally_in_their_own(shooter: int) -> None:
    wreck = Wrecking((5,), [6] * 5, shooter=shooter)
    wreck.out()
    battle, unit = wreck.battle, wreck.units[0]
    while battle.clock.turn[0] == shooter or kind(battle) != "select-to-move":
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    pick(battle, "A", kind="select-to-move")
    assert {"A: Normal move", "A: Advance"} <= set(words(battle).values())
    pick(battle, "Normal move")
    assert battle.units.moved[unit] == Moved.NORMAL
    assert battle.units.disembarked[unit] == 0


@pytest.mark.rule("w8.transport.destroyed.same-turn")
@pytest.mark.parametrize("player", [0, 1])
def test_who_embarked_this_turn_gets_out_of_a_wreck_all_the_same(player: int) -> None:
    """The bus is destroyed right after the unit embarked, in the Charge phase of the same turn."""
    scene = EighthScene()
    carrier = scene.unit(player, bus(), at=(20, 20), facing=0.0)
    squad = scene.unit(player, sheet("Squad"), at=five(3.0))
    scene.unit(player, sheet("Near"), at=(50, 33), models=1)
    scene.unit(1 - player, sheet("Foe"), at=(50, 40), models=1)
    scene.rule(TimedRule("Crash", "charge", player, "mortal", carrier.row, 6))
    battle = scene.battle(active=player, dice=[6] * 5)
    pick(battle, "Squad", kind="select-to-move")
    move(battle, squad)
    pick(battle, "embark in Bus")
    while battle.units.place[squad] == EMBARKED and battle.clock.turn[0] == player:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert battle.units.place[carrier] == DESTROYED
    assert (battle.units.place[squad], battle.units.alive[squad]) == (ON_TABLE, 5)
    assert told(battle, "w8.transport.destroyed.casualties")[0]["rolls"] == [6] * 5
    assert dice_left(battle) == 0
