"""Effects and conditions of abilities that imported datasheets use: each alone, on a unit of the test."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env import Battle
from wh_env.rulesets.w10.ability.control import with_more_control
from wh_env.rulesets.w10.ability.effects import EFFECTS
from wh_env.rulesets.w10.ability.occasions import LONE_OPERATIVE, refund, stale_lone
from wh_env.rulesets.w10.stratagems.reactions import FireOverwatch
from wh_env.rulesets.w40k.ability.candidates import candidates
from wh_env.rulesets.w40k.attack import abilities
from wh_env.rulesets.w40k.attack.abilities import TESTS, in_force
from wh_env.rulesets.w40k.attack.modifiers import Granted
from wh_env.rulesets.w40k.charge.phase import free_to_charge
from wh_env.rulesets.w40k.codes import AFTER_IT_MOVED, Moved
from wh_env.rulesets.w40k.edition_parts.stratagem_book import gratis
from wh_env.rulesets.w40k.questions.engagements import engagements
from wh_env.testing import Scene, UnitHandle, dice_left, pick, ranged, sheet

pytestmark = pytest.mark.rule("w10.datasheet.abilities")
HIT = {"effect": "hit rolls", "by": 1}


def able(*plays: dict[str, Any], name: str = "Squad", **more: Any) -> dict[str, Any]:
    """A datasheet whose one ability has these effects."""
    ability = {"name": "Way", "effect": "as the test says", "active": True, "plays": list(plays)}
    return sheet(name, abilities={"other": [ability]}, weapons={"gun": ranged(48)}, **more)


def changes(battle: Battle, unit: UnitHandle, target: UnitHandle) -> list[tuple[str, int]]:
    """What abilities make of attacks of the unit at the target."""
    return sorted(Granted(battle).changes(unit.first, 0, target.row))


@pytest.mark.parametrize(
    ("keywords", "expected"),
    [
        (("INFANTRY",), [("hit rolls", 1)]),
        (("VEHICLE",), []),
        (("MONSTER", "FLY"), []),
        (("INFANTRY", "FLY"), [("hit rolls", 1)]),
    ],
)
def test_a_keyword_that_the_target_must_not_have(keywords: tuple[str, ...], expected: list[tuple[str, int]]) -> None:
    scene = Scene()
    squad = scene.unit(0, able({**HIT, "unless": ["VEHICLE", "MONSTER"]}), at=(10, 10), models=1)
    foes = scene.unit(1, sheet("Foes", keywords=keywords), at=(30, 10), models=1)
    assert changes(scene.battle("shooting", run=False), squad, foes) == expected


@pytest.mark.parametrize(
    ("state", "lost", "expected"),
    [
        ("at Starting Strength", [], True),
        ("at Starting Strength", [0], False),
        ("at least Half-strength", [0, 1], True),
        ("at least Half-strength", [0, 1, 2], False),
    ],
)
def test_targets_that_are_whole(state: str, lost: list[int], expected: bool) -> None:
    scene = Scene()
    squad = scene.unit(0, able({**HIT, "facing": [state]}), at=(10, 10), models=1)
    foes = scene.unit(1, sheet("Foes"), at=(30, 10), models=4, lost=lost)
    assert bool(changes(scene.battle("shooting", run=False), squad, foes)) == expected


@pytest.mark.parametrize("led", [False, True])
def test_a_unit_that_a_leader_leads(led: bool) -> None:
    scene = Scene()
    squad = scene.unit(0, able({**HIT, "when": ["led"]}), at=(10, 10), models=3)
    lord = sheet("Lord", keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Squad"]})
    scene.unit(0, lord, at=(10, 14), models=1, **({"leads": squad} if led else {}))
    foes = scene.unit(1, sheet("Foes"), at=(30, 10), models=1)
    assert bool(changes(scene.battle("shooting", run=False), squad, foes)) == led


@pytest.mark.parametrize(
    ("keywords", "expected"), [(("INFANTRY",), False), (("EEL",), False), (("INFANTRY", "EEL"), True)]
)
def test_friends_that_need_both_keywords(keywords: tuple[str, ...], expected: bool) -> None:
    scene = Scene()
    scene.unit(
        0, able({**HIT, "range": 6, "keyword": ["EEL", "INFANTRY"]}, keywords=("VEHICLE",)), at=(10, 10), models=1
    )
    friends = scene.unit(0, sheet("Friends", keywords=keywords, weapons={"gun": ranged(48)}), at=(10, 13), models=1)
    foes = scene.unit(1, sheet("Foes"), at=(30, 10), models=1)
    assert bool(changes(scene.battle("shooting", run=False), friends, foes)) == expected


def test_more_objective_control() -> None:
    """Two models of OC 1 and one more each hold a marker against three of OC 1."""
    for more, holder in ((0, 1), (1, 0)):
        scene = Scene()
        ability = [{"effect": "+1 Objective Control"}] if more else [HIT]
        squad = scene.unit(0, able(*ability, OC=1), at=(10, 10), models=2, gap=0.1)
        scene.unit(1, sheet("Foes", OC=1), at=(10, 13.5), models=3, gap=0.1)
        scene.marker(10, 11.5)
        battle = scene.battle("command", run=False)
        assert [k for k, _ in with_more_control(battle)] == ([squad.model(0), squad.model(1)] if more else [])
        battle.setup.ruleset.count_control(battle)
        assert battle.objectives.holder[0] == holder
        assert battle.models.control[squad.first] == 1


@pytest.mark.parametrize(("moved", "may"), [(Moved.NORMAL, True), (Moved.ADVANCE, False)])
def test_passengers_that_charge_after_a_normal_move(moved: Moved, may: bool) -> None:
    scene = Scene()
    ramp = {"name": "Ramp", "effect": "passengers may charge after its Normal move", "active": True}
    carries = {"transport": {"capacity": 12, "allowed": ["INFANTRY"]}, "other": [ramp]}
    hull = scene.unit(0, sheet("Hull", keywords=("VEHICLE", "TRANSPORT"), abilities=carries), at=(20, 20), models=1)
    squad = scene.unit(0, sheet("Squad"), at=(20, 26), models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle("charge", run=False)
    battle.units.moved[hull] = moved
    battle.units.moved[squad] = moved
    battle.units.disembarked[squad] = AFTER_IT_MOVED
    before = free_to_charge(battle, squad.row)
    battle.setup.ruleset.left_transport(battle, squad.row, hull.row)
    assert (before, free_to_charge(battle, squad.row)) == (False, may)


@pytest.mark.rule("w10.stratagem.fire-overwatch")
@pytest.mark.parametrize("hidden", [False, True])
def test_no_fire_overwatch_at_it(hidden: bool) -> None:
    scene = Scene()
    plays = [{"effect": "no Fire Overwatch at it"}] if hidden else [HIT]
    squad = scene.unit(0, able(*plays), at=(10, 10), models=1)
    scene.unit(1, sheet("Guns", weapons={"gun": ranged(48)}), at=(25, 10), models=1)
    battle = scene.battle("movement", run=False)
    found = list(FireOverwatch().units(battle, squad.row, 1))
    assert bool(found) != hidden
    assert bool(in_force(battle, squad.row, "unwatched")) == hidden


def test_more_on_advance_rolls() -> None:
    scene = Scene()
    squad = scene.unit(0, able({"effect": "+2 to Advance rolls"}), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(30, 10), models=1)
    battle = scene.battle("movement", run=False)
    assert [TESTS[power.effect] for power in in_force(battle, squad.row, "tests")] == [("advance", "add", 2)]
    assert abilities.test_result(battle, squad.row, "advance", 3) == 5


def test_units_that_cannot_be_chosen() -> None:
    """A choice among enemy units leaves out those with a keyword."""
    scene = Scene()
    said = {"when": "command", "whom": "enemy", "without": ["VEHICLE"]}
    way = {
        "name": "Way",
        "effect": "marks an enemy",
        "active": True,
        "chooses": said,
        "plays": [{**HIT, "chosen": "target"}],
    }
    squad = scene.unit(0, sheet("Squad", abilities={"other": [way]}), at=(10, 10), models=1)
    foes = scene.unit(1, sheet("Foes"), at=(30, 10), models=1)
    scene.unit(1, sheet("Tank", keywords=("VEHICLE",)), at=(30, 20), models=1)
    battle = scene.battle("command", run=False)
    [choice] = battle.setup.statics["choices"]
    assert candidates(battle, 0, choice, -1) == [foes.row]
    assert squad.row != foes.row


@pytest.mark.rule("w10.move.advance.roll")
def test_an_advance_without_a_roll() -> None:
    """6" without a die, and nothing is added to a roll that was not made."""
    scene = Scene()
    plays = [{"effect": "Advances 6 inches without a roll"}, {"effect": "+2 to Advance rolls"}]
    squad = scene.unit(0, able(*plays, M=5), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(40, 40), models=1)
    battle = scene.battle("movement", dice=[1])
    pick(battle, "Advance")
    assert battle.units.advance[squad] == 6 and dice_left(battle) == 1


@pytest.mark.parametrize(
    ("keywords", "at", "expected"),
    [
        (("VEHICLE", "EEL"), 13, True),
        (("VEHICLE", "EEL"), 15, False),
        (("VEHICLE",), 13, False),
    ],
)
@pytest.mark.rule("w10.shoot.lone-operative")
def test_lone_operative_near_friends_with_keywords(keywords: tuple[str, ...], at: float, expected: bool) -> None:
    """Within 3" of another friendly unit that has all of the keywords; the own unit has them, and does not count."""
    play = {"effect": "Lone Operative within 3 inches of friends", "keyword": ["VEHICLE", "EEL"]}
    scene = Scene()
    one = scene.unit(0, able(play, keywords=("VEHICLE", "EEL")), at=(10, 10), models=1)
    scene.unit(0, sheet("Friends", keywords=keywords), at=(at, 10), models=1)
    scene.unit(1, sheet("Foes", weapons={"gun": ranged(48)}), at=(40, 10), models=1)
    battle = scene.battle("shooting", active=1, run=False)
    engagements(battle)
    assert bool(battle.units.flags[one] & LONE_OPERATIVE) == expected
    assert not stale_lone(battle)


@pytest.mark.parametrize(
    ("holder", "own", "foes"),
    [(0, True, False), (1, False, True), (-1, False, True)],
)
def test_who_controls_the_marker_nearby(holder: int, own: bool, foes: bool) -> None:
    """``foes``: of a target near the marker, whether the attacker does not control it."""
    scene = Scene()
    plays = [
        {**HIT, "when": ["near a marker it controls"]},
        {"effect": "wound rolls", "by": 1, "facing": ["near a marker that enemies do not control"]},
    ]
    squad = scene.unit(0, able(*plays), at=(10, 10), models=1)
    target = scene.unit(1, sheet("Foes"), at=(12, 10), models=1)
    scene.marker(11, 10)
    battle = scene.battle("shooting", run=False)
    battle.objectives.holder[0] = holder
    expected = [("hit rolls", 1)] * own + [("wound rolls", 1)] * foes
    assert changes(battle, squad, target) == expected


@pytest.mark.parametrize(("die", "expected"), [(2, 0), (3, 1)])
def test_a_command_point_back_on_a_roll(die: int, expected: int) -> None:
    scene = Scene()
    squad = scene.unit(0, able({"effect": "1 CP for a Stratagem on it on 3+"}), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(40, 40), models=1)
    battle = scene.battle("shooting", run=False, dice=[die])
    before = battle.players.cp[0]
    refund(battle, 0, squad.row)
    assert battle.players.cp[0] - before == expected


@pytest.mark.rule("w10.stratagem.tank-shock")
def test_a_free_tank_shock() -> None:
    scene = Scene()
    tank = scene.unit(0, able({"effect": "Tank Shock costs 0 CP"}, keywords=("VEHICLE",)), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(40, 40), models=1)
    battle = scene.battle("charge", run=False)
    assert [power.effect for power in gratis(battle, 0, tank.row, "tank-shock")] == ["Tank Shock costs 0 CP"]
    assert not gratis(battle, 0, tank.row, "heroic-intervention")


@pytest.mark.parametrize(("die", "expected"), [(2, 1), (3, 2), (6, 3)])
def test_up_to_d3_models_come_back(die: int, expected: int) -> None:
    scene = Scene()
    squad = scene.unit(0, sheet(), at=(10, 10), models=5, lost=[2, 3, 4])
    scene.unit(1, sheet("Foes"), at=(40, 40), models=1)
    battle = scene.battle("command", run=False, dice=[die])
    EFFECTS["return D3"](battle, 0, squad.row, 0)
    assert battle.units.alive[squad] == 2 + expected
