"""TRANSPORTS: capacity, starting the battle embarked, embarking after a move, what embarked units do not do
(w10.transport.capacity, .whole-units, .start-embarked, .embark.*, .embarked.inactive)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from wh_env import Battle
from wh_env.content.errors import ContentError
from wh_env.core.tables import EMBARKED, ON_TABLE
from wh_env.testing import (
    Scene,
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

MIDDLE = 17 * 17 // 2  # the cell of no movement
NO_CP = {"cp_each_command_phase": 0}


def bus(capacity: int = 12, name: str = "Bus", **fields: object) -> dict[str, object]:
    """A TRANSPORT of 5" by 3" for INFANTRY; set up facing along x its right side is 2.5" from its middle."""
    return sheet(
        name, M=10, W=6, hull_in=(5, 3), height=2.5, models=(1, 1), keywords=("VEHICLE", "TRANSPORT"),
        abilities={"transport": {"capacity": capacity, "allowed": ["INFANTRY"]}, **fields},
    )  # fmt: skip


def beside(last: float, number: int = 5) -> list[tuple[float, float]]:
    """Spots for 1" bases beside the bus at (20, 10): all 1" from its right side but the last one, ``last`` inches."""
    column = [(24.0, 12.5 - 1.25 * k) for k in range(number - 1)]
    return [*column, (23.0 + last, column[-1][1])]


def ended_move(
    spots: Sequence[tuple[float, float]],
    move: str = "Normal move",
    *,
    dice: Sequence[int] = (),
    detail: str = "squad",
    **squad: object,
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A squad on these spots has ended a move of this kind (of 0") beside the bus at (20, 10); the battle, squad, bus."""
    scene = Scene()
    carrier = scene.unit(0, bus(), at=(20, 10), facing=0.0)
    unit = scene.unit(0, sheet("Squad"), at=spots, **squad)  # type: ignore[arg-type]
    scene.unit(1, sheet("Foe"), at=(50, 40), models=1)
    battle = scene.battle(dice=dice, detail=detail)
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, move, kind="move-kind")
    if kind(battle) == "move-to":
        choose(battle, "cell", MIDDLE)
    elif kind(battle) == "select-model":
        choose(battle, "done")
    return battle, unit, carrier


# ---------------------------------------------------------------- embarking


@pytest.mark.rule("w10.transport.embark")
@pytest.mark.parametrize(("last", "offered"), [(3.0, True), (3.01, False), (3.2, False)])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_all_models_end_the_move_within_three_inches(last: float, offered: bool, detail: str) -> None:
    """Four models at 1" and the fifth at 3.0": they can embark, and leave the battlefield; at 3.2" they cannot."""
    battle, squad, carrier = ended_move(beside(last), detail=detail)
    assert (kind(battle) == "embark") == offered
    if offered:
        assert sorted(words(battle).values()) == ["do not embark", "embark in Bus"]
        declined = battle.clone()
        pick(declined, "do not embark")
        assert (declined.units.place[squad], sum(declined.models.on_table)) == (ON_TABLE, 7)
        pick(battle, "Bus")
        assert (battle.units.place[squad], battle.units.carrier[squad]) == (EMBARKED, carrier.row)
        assert [battle.models.on_table[squad.model(k)] for k in range(5)] == [0] * 5
        assert [e["unit"] for e in told(battle, "w10.transport.embark")] == [squad.row]


@pytest.mark.rule("w10.transport.embark")
def test_after_an_advance_or_a_fall_back_too_but_not_remaining_stationary() -> None:
    """The same unit can embark at the end of an Advance, not after Remaining Stationary next to the TRANSPORT."""
    battle, _, _ = ended_move(beside(2.0), "Advance", dice=[3])
    assert (kind(battle), dice_left(battle)) == ("embark", 0)
    battle, _, _ = ended_move(beside(2.0), "Remain Stationary")
    assert kind(battle) == "move-kind"  # of the bus, the only unit left
    assert battle.decision is not None
    assert battle.decision.subject == 0


@pytest.mark.rule("w10.transport.embark")
def test_after_a_fall_back() -> None:
    """A unit falls back from an enemy to the side of its TRANSPORT and embarks."""
    scene = Scene()
    scene.unit(0, bus(), at=(20, 10), facing=0.0)
    squad = scene.unit(0, sheet("Squad"), at=[(28, 10), (28, 11.25)])
    scene.unit(1, sheet("Foe"), at=[(29.5, 10)])
    battle = scene.battle()
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Fall Back", kind="move-kind")
    choose(battle, "cell", cell_nearest(battle, -3.0, 0.0, 6.0))
    assert kind(battle) == "embark"
    pick(battle, "Bus")
    assert battle.units.place[squad] == EMBARKED


@pytest.mark.rule("w10.transport.embark")
def test_which_of_two_transports() -> None:
    """Two TRANSPORTS within 3": either can be chosen; an enemy one within 3" never."""
    scene = Scene()
    scene.unit(0, bus(name="Left"), at=(20, 10), facing=0.0)
    right = scene.unit(0, bus(name="Right"), at=(28, 10), facing=0.0)
    squad = scene.unit(0, sheet("Squad"), at=[(24, 10), (24, 11.25)])
    scene.unit(1, bus(name="Theirs"), at=(24, 14.5), facing=0.0)
    battle = scene.battle()
    assert battle.distance(squad, 3) <= 3.0
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move")
    choose(battle, "cell", MIDDLE)
    assert sorted(words(battle).values()) == ["do not embark", "embark in Left", "embark in Right"]
    pick(battle, "Right")
    assert battle.units.carrier[squad] == right.row


@pytest.mark.rule("w10.transport.embark.not-after-disembark")
@pytest.mark.parametrize("aboard", [True, False])
def test_no_embarking_after_disembarking_in_the_same_phase(aboard: bool) -> None:
    """A unit that disembarked and made a Normal move within 3" of another TRANSPORT is not offered to embark (the same
    unit is that did not disembark); nor can a unit disembark that embarked in this phase."""
    scene = Scene()
    first = scene.unit(0, bus(name="First"), at=(20, 10), facing=0.0)
    scene.unit(0, bus(name="Second"), at=(29, 10), facing=0.0)
    if aboard:
        scene.unit(0, sheet("Squad"), models=2, embarked_in=first)
    else:
        scene.unit(0, sheet("Squad"), at=[(23.5, 10), (23.5, 11.1)])
    scene.unit(1, sheet("Foe"), at=(50, 40), models=1)
    battle = scene.battle()
    if aboard:
        pick(battle, "Squad disembarks", kind="select-to-move")
        choose(battle, "cell", next(c for c in slots(battle, "cell") if c % 17 == 15 and c // 17 == 8))
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move", kind="move-kind")
    choose(battle, "cell", MIDDLE)
    assert battle.distance(2, 1) <= 3.0
    assert (kind(battle) == "embark") == (not aboard)
    if not aboard:
        pick(battle, "Second")
        assert battle.decision is not None
        assert battle.decision.kind == "select-to-move"
        assert sorted(words(battle).values()) == ["First", "Second"]


# ---------------------------------------------------------------- capacity


def offered(capacity: int, sizes: Sequence[int], number: int, keyword: str = "INFANTRY", owner: int = 0) -> bool:
    """Whether a unit of ``number`` models of that kind may embark in a bus in which units of ``sizes`` are embarked."""
    scene = Scene()
    carrier = scene.unit(0, bus(capacity), at=(20, 10), facing=0.0)
    for size in sizes:
        scene.unit(0, sheet("Aboard"), models=size, embarked_in=carrier)
    spots = [(24.0 + 1.1 * (k % 2), 12.5 - 1.1 * (k // 2)) for k in range(number)]
    scene.unit(owner, sheet("Squad", keywords=(keyword,)), at=spots)
    scene.unit(1, sheet("Foe"), at=(50, 40), models=1)
    battle = scene.battle(active=owner)
    pick(battle, "Squad", kind="select-to-move") if kind(battle) == "select-to-move" else None
    pick(battle, "Fall Back" if owner else "Normal move", kind="move-kind")
    choose(battle, "cell", slots(battle, "cell")[0] if owner else MIDDLE)
    return kind(battle) == "embark"


@pytest.mark.rule("w10.transport.capacity")
def test_capacity_and_kinds_of_models() -> None:
    """Capacity 12 INFANTRY, 6 embarked: 6 INFANTRY may embark; 7 INFANTRY and 3 MOUNTED may not."""
    assert offered(12, [6], 6)
    assert not offered(12, [6], 7)
    assert not offered(12, [6], 3, "MOUNTED")
    assert offered(12, [6], 3)


@pytest.mark.rule("w10.transport.capacity")
def test_an_enemy_unit_never_embarks() -> None:
    """An INFANTRY unit beside an empty TRANSPORT of the enemy: it is not offered to embark at the end of its move."""
    scene = Scene()
    scene.unit(1, bus(), at=(20, 10), facing=0.0)
    scene.unit(0, sheet("Squad"), at=[(24.2, 10), (24.2, 11.25)])
    battle = scene.battle()
    pick(battle, "Normal move", kind="move-kind")
    choose(battle, "cell", MIDDLE)
    assert battle.distance(0, 1) <= 3.0
    assert kind(battle) != "embark"


@pytest.mark.rule("w10.transport.capacity")
def test_models_that_take_more_places_and_kinds_that_are_excluded() -> None:
    """Models of a keyword take up two places each; a keyword keeps others out altogether."""

    def fits(number: int, *keywords: str) -> bool:
        data = bus(6)
        data["abilities"]["transport"] |= {"places": {"BULKY": 2}, "excluded": ["JUMP PACK"]}  # type: ignore[index]
        scene = Scene()
        scene.unit(0, data, at=(20, 10), facing=0.0)
        scene.unit(0, sheet("Squad", keywords=("INFANTRY", *keywords)), at=beside(2.5, number))
        scene.unit(1, sheet("Foe"), at=(50, 40), models=1)
        battle = scene.battle()
        pick(battle, "Squad", kind="select-to-move")
        pick(battle, "Normal move")
        choose(battle, "cell", MIDDLE)
        return kind(battle) == "embark"

    assert fits(3, "BULKY")
    assert not fits(4, "BULKY")
    assert fits(4)
    assert not fits(4, "JUMP PACK")


@pytest.mark.rule("w10.transport.whole-units")
def test_units_embark_as_a_whole() -> None:
    """With 6 places left a unit of 10 cannot embark; two units of 3 both can, one after the other."""
    assert not offered(12, [6], 10)
    scene = Scene()
    carrier = scene.unit(0, bus(), at=(20, 10), facing=0.0)
    scene.unit(0, sheet("Aboard"), models=6, embarked_in=carrier)
    three = [scene.unit(0, sheet(f"Three {n}"), at=[(24 + 1.1 * n, 9 + 1.1 * k) for k in range(3)]) for n in (0, 1)]
    scene.unit(1, sheet("Foe"), at=(50, 40), models=1)
    battle = scene.battle()
    for unit in three:
        pick(battle, battle.setup.names["units"][unit.row], kind="select-to-move")
        pick(battle, "Normal move", kind="move-kind")
        choose(battle, "cell", MIDDLE)
        pick(battle, "embark in Bus", kind="embark")
    assert [battle.units.place[unit] for unit in three] == [EMBARKED] * 2
    assert [battle.units.alive[unit] for unit in three] == [3] * 2
    assert sum(battle.models.on_table) == 2  # the bus and the foe


# ---------------------------------------------------------------- starting the battle embarked


def formations() -> tuple[Battle, list[UnitHandle]]:
    """Declare Battle Formations with a bus of capacity 12 and units of 5, 5 and 3."""
    scene = Scene()
    units = [scene.unit(0, bus())]
    units += [scene.unit(0, sheet(name), models=size) for name, size in (("A", 5), ("B", 5), ("C", 3))]
    scene.unit(1, sheet("Foe"), models=1)
    return scene.battle(phase="mission", rules={"formations": "choose", **NO_CP}), units


@pytest.mark.rule("w10.transport.start-embarked")
def test_units_declared_embarked_are_not_deployed_separately() -> None:
    """Capacity 12: 5 and 5 are declared embarked, then 3 more find no room; deployed are the bus and the third unit."""
    battle, (carrier, a, b, c) = formations()
    for unit in (a, b):
        assert battle.decision is not None
        assert (battle.decision.kind, battle.decision.subject) == ("start-embarked", unit.row)
        pick(battle, "Bus")
    deployed = []
    while kind(battle) in ("select-to-deploy", "deploy-to"):
        assert battle.decision is not None
        if battle.decision.kind == "deploy-to":
            deployed.append(battle.decision.subject)
        battle.apply(battle.first_legal())
    assert sorted(deployed) == [carrier.row, c.row, 4]
    assert [battle.units.place[unit] for unit in (carrier, a, b, c)] == [ON_TABLE, EMBARKED, EMBARKED, ON_TABLE]
    assert [battle.units.carrier[unit] for unit in (a, b)] == [carrier.row] * 2
    told_of = [e["unit"] for e in told(battle, "w10.transport.start-embarked")]
    assert told_of == [a.row, b.row]


@pytest.mark.rule("w10.transport.start-embarked")
def test_nobody_is_embarked_once_the_transport_is_set_up() -> None:
    """Declared to be deployed on their own: after the bus is set up no decision offers to embark before the battle."""
    battle, (_, a, b, c) = formations()
    kinds = []
    while battle.clock.round[0] == 0:
        assert battle.decision is not None
        kinds.append(battle.decision.kind)
        declined = battle.decision.kind == "start-embarked"
        battle.apply(0 if declined else battle.first_legal())
    assert kinds[:3] == ["start-embarked"] * 3
    assert "start-embarked" not in kinds[3:]
    assert "embark" not in kinds
    assert [battle.units.place[unit] for unit in (a, b, c)] == [ON_TABLE] * 3


@pytest.mark.rule("w10.transport.start-embarked", "w10.transport.capacity")
def test_army_lists_say_who_is_embarked_within_the_capacity() -> None:
    """An army list with a unit in an Impulsor: it starts embarked with its Leader; ten models in it are refused."""
    battle = Battle.load("w10/only-war-incursion")
    names = battle.setup.names["units"]
    guards, leader, carrier = (names.index(name) for name in ("bladeguard", "captain", "impulsor"))
    assert (battle.units.place[guards], battle.units.carrier[guards]) == (EMBARKED, carrier)
    assert (battle.units.leader[guards], battle.units.alive[guards]) == (leader, 4)
    with pytest.raises(ContentError, match="places are taken"):
        Battle.load(_battle_with_a_full_bus())


def _battle_with_a_full_bus() -> dict[str, object]:
    """A battle whose Impulsor (7 places) carries ten Intercessors."""
    army = {
        "name": "Full", "faction": "Adeptus Astartes", "detachment": "Gladius Task Force", "points_limit": 500,
        "units": [
            {"id": "bus", "datasheet": "Impulsor"},
            {"datasheet": "Captain", "warlord": True},
            {"datasheet": "Intercessor Squad", "models": 10, "embarked_in": "bus"},
        ],
    }  # fmt: skip
    return {
        "name": "Full bus", "ruleset": "w10", "mission": "only-war-skirmish", "size": "Skirmish",
        "battlefield": "skirmish-1", "armies": [army, "tyranids-skirmish"],
    }  # fmt: skip


# ---------------------------------------------------------------- embarked units


def loaded(phase: str, **fields: object) -> tuple[Battle, UnitHandle, UnitHandle]:
    """4 of 10 models of a unit with an Aura of 6" embarked, an objective marker beside the bus; battle, unit, bus."""
    scene = Scene()
    carrier = scene.unit(0, bus(), at=(20, 10), facing=0.0, **({"wounds": [1]} if phase == "command" else {}))
    aura = {"name": "Banner", "effect": "+1 to hit", "range": 6, "active": True}
    gun = {"gun": ranged(24, A=1, BS=4, S=4)}
    unit = scene.unit(
        0, sheet("Squad", weapons=gun, abilities={"auras": [aura]}), models=10, lost=range(6), embarked_in=carrier
    )
    scene.unit(0, sheet("Friend", weapons=gun), at=[(24, 8)])
    scene.unit(1, sheet("Foe", weapons=gun), at=[(20, 20)])
    scene.marker(20, 13.5)
    return scene.battle(phase, **fields), unit, carrier  # type: ignore[arg-type]


@pytest.mark.rule("w10.transport.embarked.inactive")
def test_no_battle_shock_test() -> None:
    """4 of 10 embarked: no test in its player's Command phase (the bus, at 1 of 6 wounds, takes one)."""
    battle, unit, carrier = loaded("command", dice=[6, 6])
    tests = [e["unit"] for e in told(battle, "w10.command.battle-shock.test")]
    assert tests == [carrier.row]
    assert (battle.units.shocked[unit], dice_left(battle)) == (0, 0)


@pytest.mark.rule("w10.transport.embarked.inactive")
def test_no_aura_no_shooting_no_level_of_control() -> None:
    """Its Aura of +1 to hit does not help the friend within 6", it is not selected to shoot and controls no marker."""
    battle, unit, _ = loaded("shooting", dice=[3])
    assert sorted(words(battle).values()) == ["Friend", "done"]
    pick(battle, "Friend")
    assert [(e["die"], e["needed"]) for e in told(battle, "w10.attack.hit.roll")] == [(3, 4)]
    assert not told(battle, "w10.attack.wound.roll")  # the 3 missed: no +1
    play_until(battle, "select-to-charge")
    assert battle.objectives.level0[0] == battle.models.control[0]  # the bus alone
    assert battle.units.place[unit] == EMBARKED


@pytest.mark.rule("w10.transport.embarked.inactive")
def test_it_is_no_eligible_target() -> None:
    """The enemy may shoot at the bus and the friend, not at the embarked unit."""
    battle, _, _ = loaded("shooting", active=1)
    pick(battle, "Foe")
    assert sorted(words(battle).values()) == ["Bus", "Friend"]


@pytest.mark.rule("w10.transport.embarked.inactive")
def test_no_mortal_wounds_of_a_deadly_demise() -> None:
    """A wreck 3" away explodes: the bus suffers 3 mortal wounds, the unit in it none."""
    scene = Scene()
    carrier = scene.unit(0, bus(), at=(20, 10), facing=0.0)
    unit = scene.unit(0, sheet("Squad"), models=5, embarked_in=carrier)
    tank = sheet("Tank", W=1, Sv=7, keywords=("VEHICLE",), abilities={"deadly_demise": 3})
    scene.unit(0, tank, at=(26, 10))
    scene.unit(1, sheet("Foe", weapons={"gun": ranged(48, BS=2, S=8, AP=-6, D=3)}), at=[(40, 10)])
    battle = scene.battle("shooting", active=1, dice=[2, 2, 1, 6])
    pick(battle, "Foe")
    pick(battle, "Tank", kind="shoot-target")
    assert battle.distance(carrier, 2) > 1e6 or told(battle, "w10.attack.deadly-demise")
    hurt = [(e["unit"], e["amount"]) for e in told(battle, "w10.attack.deadly-demise.random")]
    assert hurt == [(carrier.row, 3)]
    assert battle.models.wounds[carrier.first] == 3
    assert (battle.units.alive[unit], [battle.models.wounds[unit.model(k)] for k in range(5)]) == (5, [1] * 5)
    assert dice_left(battle) == 0
