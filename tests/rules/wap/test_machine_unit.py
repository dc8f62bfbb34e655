"""War machines as units: their two profiles, their crew, their weapons and misfire tables as data."""

from __future__ import annotations

from typing import Any

import pytest

from tests.machines import gunner, machine
from wh_env import ContentError
from wh_env.content.load import config_root
from wh_env.content.reading import read_yaml
from wh_env.content.rulebook import catalogue
from wh_env.content.wap import load_sheet
from wh_env.content.wap.load import machines
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.wap.basics.characteristic_tests import unit_characteristic_test
from wh_env.rulesets.wap.basics.immunity import ignores
from wh_env.rulesets.wap.basics.special_rules import line_has
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.codes import CHASSIS, CREW, LEADERS, TROOPERS
from wh_env.rulesets.wap.rule_book import IMMUNITY, PANIC
from wh_env.rulesets.wap.special.psychology import immune_to
from wh_env.rulesets.wap.troops.war_machines import chassis_line, crew_left, is_machine
from wh_env.rulesets.wap.weapons.machines import BOLT_THROWER, CANNON, FIRE_THROWER, STONE_THROWER, machine_of
from wh_env.testing import told
from wh_env.testing.wap import RegimentScene, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
DATA = read_yaml(config_root() / "wap" / "machines.yaml")


def alone(player: int, card: dict[str, Any] | str, dice: list[int] | None = None) -> Any:
    """A war machine and an enemy far away; its row is the first of its player."""
    scene = RegimentScene()
    unit = scene.unit(player, card, (24, 20), models=1)
    scene.unit(1 - player, None, (6, 46), models=10)
    return scene.battle("movement", run=False, dice=dice or []), unit.row


# ---------------------------------------------------------------- the unit


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.crew.wounds")
@pytest.mark.rule("wap.troop.war-machine.unit-strength")
def test_crew_are_the_wounds_and_the_unit_strength(player: int) -> None:
    battle, unit = alone(player, machine(crew=3))
    assert is_machine(battle, unit)
    assert not is_machine(battle, 1 - unit)
    assert (crew_left(battle, unit), unit_strength(battle, unit), battle.units.alive[unit]) == (3, 3, 1)
    suffer(battle, unit, 1)
    assert (crew_left(battle, unit), unit_strength(battle, unit)) == (2, 2)
    suffer(battle, unit, 1)
    assert (crew_left(battle, unit), unit_strength(battle, unit), battle.units.alive[unit]) == (1, 1, 1)
    assert [event["amount"] for event in told(battle, "wap.machine.crew.wounds")] == [1, 1]


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.destroyed")
def test_a_machine_without_crew_is_removed(player: int) -> None:
    battle, unit = alone(player, machine("bolt thrower", crew=2))
    suffer(battle, unit, 1)
    assert battle.units.place[unit] == ON_TABLE
    suffer(battle, unit, 1)
    assert battle.units.place[unit] == DESTROYED
    assert (battle.units.alive[unit], unit_strength(battle, unit)) == (0, 0)
    assert not battle.models.on_table[battle.units.first[unit]]


@BOTH_PLAYERS
@pytest.mark.rule("wap.troop.war-machine.type")
def test_special_rules_of_a_machine_are_its_crew_s(player: int) -> None:
    battle, unit = alone(player, machine(crew=3, rules=["Immunity (Panic)"]))
    first = battle.units.first_line[unit]
    assert [line_has(battle, line, IMMUNITY) for line in range(first, first + battle.units.lines[unit])] == [True] * 3
    assert ignores(battle, unit, PANIC)
    assert immune_to(battle, unit, PANIC)
    plain, other = alone(player, machine(crew=3))
    assert not immune_to(plain, other, PANIC)


@BOTH_PLAYERS
def test_crew_of_two_profiles(player: int) -> None:
    battle, unit = alone(player, {**machine(crew=2), "crew": gunner(bs=4)})
    kinds = [battle.lines.kind[line] for line in range(battle.units.first_line[unit], chassis_line(battle, unit) + 1)]
    assert kinds == [TROOPERS, LEADERS, CREW, CHASSIS]
    assert crew_left(battle, unit) == 3


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.characteristic-tests")
@pytest.mark.parametrize(("die", "passes"), [(3, True), (4, False)])
def test_characteristic_tests_are_the_crew_s(player: int, die: int, passes: bool) -> None:
    battle, unit = alone(player, machine(i=3), dice=[die])
    assert unit_characteristic_test(battle, unit, "i", "wap.core.chartest.roll") is passes


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.characteristic-tests")
@pytest.mark.parametrize(("die", "passes"), [(3, True), (4, False)])
def test_a_toughness_test_is_not_the_machine_s(player: int, die: int, passes: bool) -> None:
    battle, unit = alone(player, machine(toughness=7, t=3), dice=[die])
    assert unit_characteristic_test(battle, unit, "t", "wap.core.chartest.roll") is passes


# ---------------------------------------------------------------- weapons and misfires as data


def test_weapons_of_shipped_machines() -> None:
    kinds = {
        name: machines()[card.machine.weapon].kind
        for sheet in ("free-towns", "hill-host", "menagerie")
        for name, card in load_sheet(sheet).cards.items()
        if card.machine is not None
    }
    assert kinds == {
        "cannon": CANNON,
        "fire thrower": FIRE_THROWER,
        "stone thrower": STONE_THROWER,
        "bolt thrower": BOLT_THROWER,
    }
    cards = load_sheet("free-towns").cards
    assert (cards["cannon"].points, cards["fire thrower"].points) == (100, 90)
    assert load_sheet("hill-host").cards["stone thrower"].points == 85


@pytest.mark.parametrize("name", ["black-powder", "stone-thrower"])
def test_misfire_tables_are_the_rules(name: str) -> None:
    """Faces and results are those of the catalogue; the machine of the battle has one result for each face."""
    rows = catalogue("wap")[f"wap.machine.misfire.{name}"]["table"]
    own = DATA["misfires"][name.replace("-", " ")]
    assert [(row["d6"], row["result"]) for row in own] == [(row["d6"], row["result"]) for row in rows]
    for row, told_of in zip(own, rows, strict=True):
        assert row.get("destroyed", False) == ("destroyed" in told_of["effect"])
        assert row.get("turns", 1) == (2 if "may not fire this turn nor" in told_of["effect"] else 1)
        assert row.get("wounds", 0) == int("suffers 1 wound" in told_of["effect"])


def test_the_machine_of_a_unit() -> None:
    battle, unit = alone(0, "cannon")
    weapon = machine_of(battle, unit)
    assert weapon is not None
    assert (weapon.least, weapon.weapon.range, weapon.weapon.fixed) == (12, 48, 10)
    assert (weapon.direct, weapon.bounce) == ((1, 6, 0), (1, 3, 0))
    assert [other.name for other in weapon.others] == ["grapeshot"]
    assert [result.name for result in weapon.misfires] == [
        "destroyed", "destroyed", "malfunction", "malfunction", "no shot", "no shot",
    ]  # fmt: skip
    assert machine_of(battle, 1) is None


# ---------------------------------------------------------------- bad cards


def sheet_of(**fields: Any) -> dict[str, Any]:
    return {"name": "sheet", "cards": {"engine": {**machine(), **fields}}}


@pytest.mark.parametrize(
    ("fields", "field", "expected"),
    [
        ({"machine": None}, "cards.engine.machine", "both the type war machine and `machine`"),
        ({"type": "infantry"}, "cards.engine.type", "both the type war machine and `machine`"),
        ({"machine": {"weapon": "canon", "toughness": 7}}, "cards.engine.machine.weapon", "did you mean 'cannon'?"),
        ({"machine": {"weapon": "cannon", "toughness": 11}}, "cards.engine.machine.toughness", "at most 10"),
        ({"profile": gunner(w=2)}, "cards.engine.profile.w", "each crewman is a Wound"),
        ({"figures": 0}, "cards.engine.figures", "at least 1"),
        ({"mount": gunner()}, "cards.engine.mount", "a war machine has no mount"),
        ({"command": ["champion"]}, "cards.engine.command", "[]"),
        ({"size": [1, 3]}, "cards.engine.size", "[1, 1]"),
        ({"base_mm": [20, 20]}, "cards.engine.base_mm", "mm, or larger"),
    ],
)
def test_faults_of_cards(fields: dict[str, Any], field: str, expected: str) -> None:
    with pytest.raises(ContentError) as caught:
        load_sheet(sheet_of(**fields))
    assert caught.value.field == field
    assert expected in str(caught.value)


def test_a_plain_card_has_no_machine() -> None:
    assert load_sheet({"name": "sheet", "cards": {"men": square()}}).cards["men"].machine is None
