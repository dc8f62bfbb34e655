"""Arcane structures that teach: the wizard's tower and the Nehekharan sphinx."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.heroes import hero
from tests.moving_spells import mage, to_casting
from tests.wizards import cast
from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.special_rules import line_has, models_have
from wh_env.rulesets.wap.magic.in_play import in_play
from wh_env.rulesets.wap.magic.wizards import known_rows, level_of, spell_at
from wh_env.rulesets.wap.rule_book import DEVASTATING_CHARGE, HEROIC_KILLING_BLOW
from wh_env.rulesets.wap.view.audit_magic import MagicAudit
from wh_env.rulesets.wap.view.ledger import Ledger
from wh_env.rulesets.wap.view.tell import sentence
from wh_env.testing import choose, dice_left, kind, script, slots, told
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle

HOUSE = (22.0, 20.0, 26.0, 24.0)
PLAYERS = pytest.mark.parametrize("player", [0, 1])
SIGNATURE = {"Shem's Burning Gaze"}  # of the Lore of Light
TOWER, SPHINX = "wap.building.arcane.wizards-tower", "wap.building.arcane.sphinx"


def names_of(battle: Battle, unit: UnitHandle) -> set[str]:
    """The spells that a wizard knows now."""
    return {spell_at(battle, row).name for row in known_rows(battle, unit.row)}


def allowed(battle: Battle, unit: UnitHandle, lore: int = 0) -> set[str]:
    """The spells of a lore that his level allows."""
    spells = [spell for spell in battle.setup.statics["spells"] if spell.lore == lore]
    return {spell.name for spell in spells if spell.number <= level_of(battle, unit.row) + 2}


def at_tower(
    player: int,
    gaps: Sequence[float],
    dice: Sequence[int],
    *,
    turn: int | None = None,
    detail: str = "squad",
    card: Mapping[str, Any] | None = None,
) -> tuple[Battle, list[UnitHandle]]:
    """Wizards of the Lore of Light at distances south of a wizard's tower, the second one of the enemy."""
    scene = RegimentScene()
    scene.area("building", *HOUSE, example="wizards tower", storeys=2)
    fields = {**mage("light"), **(card or {})}
    found = [
        scene.unit(owner, fields, (22.5 + 3 * n, HOUSE[1] - gap), models=1, files=1, facing=NORTH)
        for n, (gap, owner) in enumerate(zip(gaps, (player, 1 - player), strict=False))
    ]
    scene.unit(1 - player, None, (4, 44), models=5)
    turn = player if turn is None else turn
    return scene.battle("magic", player=turn, dice=dice, detail=detail), found


@PLAYERS
@pytest.mark.parametrize(("gap", "is_near"), [(3.0, True), (3.1, False)])
@pytest.mark.rule("wap.building.arcane.wizards-tower")
def test_a_wizard_near_the_tower_masters_his_lore_for_the_phase(player: int, gap: float, is_near: bool) -> None:
    battle, (wizard,) = at_tower(player, [gap], [6, 6, 1, 1])
    if not is_near:
        assert names_of(battle, wizard) == SIGNATURE and not told(battle, TOWER)
        return
    assert kind(battle) == "cast-by"
    assert names_of(battle, wizard) == allowed(battle, wizard) > SIGNATURE
    assert "Birona's Timewarp" not in names_of(battle, wizard)  # number 6, of level 4
    assert list(Validator(battle.setup).faults(battle)) == []
    choose(battle, "done")
    assert names_of(battle, wizard) == SIGNATURE


@PLAYERS
@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize(("die", "which"), [(1, 0), (3, 0), (4, 1), (5, 1)])
@pytest.mark.rule("wap.building.arcane.wizards-tower")
def test_of_two_wizards_a_die_says_which_masters_it(player: int, turn: int, die: int, which: int) -> None:
    battle, wizards = at_tower(player, [3.0, 2.0], [die], turn=turn)
    rows = sorted(wizard.row for wizard in wizards)
    assert [event["unit"] for event in told(battle, TOWER)][:1] == [rows[which]]
    if kind(battle) == "cast-by":
        first, second = (names_of(battle, unit) for unit in sorted(wizards, key=lambda unit: unit.row))
        assert (first == SIGNATURE, second == SIGNATURE) == (which == 1, which == 0)


@PLAYERS
@pytest.mark.rule("wap.building.arcane.wizards-tower")
def test_who_has_several_lores_says_which(player: int) -> None:
    card = {"wizard": {"level": 2, "lores": ["light", "fire"], "together": 2}}
    battle, (wizard,) = at_tower(player, [3.0], [6, 6, 1, 1], detail="full", card=card)
    assert (kind(battle), battle.clock.player[0], slots(battle, "option")) == ("library-lore", player, [0, 1])
    choose(battle, "option", 0)
    to_casting(battle)
    assert names_of(battle, wizard) == allowed(battle, wizard, 0) | {"Fireball"}  # the signature spell of the other


@PLAYERS
@pytest.mark.rule("wap.building.arcane.wizards-tower", "wap.magic.rip.lasting")
def test_a_spell_that_was_lent_ends_with_the_phase(player: int) -> None:
    """He loses the spell, which would remain in play."""
    card = {"wizard": {"level": 4, "lores": ["life"]}}
    battle, (wizard,) = at_tower(player, [3.0], [6, 6, 1, 1, 1, 1, 5, 5, 5], detail="full", card=card)
    cast(battle, wizard, "Throne of Vines", dice=3)
    if kind(battle) == "dispel-by":
        choose(battle, "done")
    assert kind(battle) == "cast-by" and [spell_at(battle, row).name for row in in_play(battle)] == ["Throne of Vines"]
    assert list(Validator(battle.setup).faults(battle)) == []
    choose(battle, "done")
    assert in_play(battle) == [] and list(Validator(battle.setup).faults(battle)) == []


# ---------------------------------------------------------------- the sphinx


def at_sphinx(
    player: int, dice: Sequence[int], gap: float = 6.0, *, inside: bool = False, card: dict[str, object] | None = None
) -> tuple[Battle, UnitHandle]:
    """A hero of Initiative 4 near a sphinx when the turn of his player begins."""
    scene = RegimentScene()
    scene.area("building", *HOUSE, example="nehekharan sphinx", storeys=2)
    fields = hero(i=4) if card is None else card
    at = (24.0, HOUSE[1] - gap)
    if inside:
        unit = scene.unit(player, None, at, models=9, files=5, facing=NORTH)
        found = scene.unit(player, fields, models=1, inside=unit)
    else:
        found = scene.unit(player, fields, at, models=1, files=1, facing=NORTH)
    scene.unit(1 - player, hero(i=4), (24, HOUSE[3] + 3), models=1, files=1)
    scene.unit(player, None, (44, 4), models=5)
    return scene.battle("movement", player=player, dice=dice), found


@PLAYERS
@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize(
    ("die", "rule"),
    [*((n, DEVASTATING_CHARGE) for n in (1, 2)), *((n, HEROIC_KILLING_BLOW) for n in (3, 4)), (5, None), (6, None)],
)
@pytest.mark.rule("wap.building.arcane.sphinx")
def test_who_answers_the_riddle_is_rewarded_for_the_game(player: int, inside: bool, die: int, rule: object) -> None:
    battle, answerer = at_sphinx(player, [4, die], inside=inside)
    assert (kind(battle), battle.clock.player[0], slots(battle, "own")) == (
        "answer-riddle", player, [answerer.number]
    )  # fmt: skip
    assert slots(battle, "done")
    choose(battle, "own", answerer.number)
    line = battle.units.first_line[answerer.row]
    for each in (DEVASTATING_CHARGE, HEROIC_KILLING_BLOW):
        assert models_have(battle, answerer.row, each) is line_has(battle, line, each) is (each is rule)
    assert battle.models.wounds[answerer.model()] == 2 and dice_left(battle) == 0
    assert list(Validator(battle.setup).faults(battle)) == []
    if rule is HEROIC_KILLING_BLOW:
        for _ in range(12):
            if kind(battle):
                choose(battle, "done") if slots(battle, "done") else choose(
                    battle, "option", slots(battle, "option")[0]
                )
        assert models_have(battle, answerer.row, HEROIC_KILLING_BLOW)


@PLAYERS
@pytest.mark.parametrize(("ward", "dice", "left"), [(False, [5], 1), (True, [5, 4], 2), (True, [6, 3], 1)])
@pytest.mark.rule("wap.building.arcane.sphinx")
def test_who_fails_loses_a_wound_that_no_armour_saves(player: int, ward: bool, dice: list[int], left: int) -> None:
    rules = ["Ward Save (4+)"] if ward else []
    card = hero(i=4, rules=rules, equipment=["hand weapon", "full plate armour", "shield"])
    battle, answerer = at_sphinx(player, dice, card=card)
    choose(battle, "own", answerer.number)
    assert battle.models.wounds[answerer.model()] == left and dice_left(battle) == 0
    assert [row["amount"] for row in told(battle, SPHINX) if "amount" in row] == [1] * (2 - left)


@PLAYERS
@pytest.mark.rule("wap.building.arcane.sphinx")
def test_nobody_has_to_answer_and_who_is_too_far_cannot(player: int) -> None:
    battle, answerer = at_sphinx(player, [])
    choose(battle, "done")
    assert battle.models.wounds[answerer.model()] == 2 and not told(battle, SPHINX)
    battle, _ = at_sphinx(player, [], 6.1)
    assert kind(battle) != "answer-riddle"


@PLAYERS
@pytest.mark.rule("wap.building.arcane.sphinx")
def test_a_wizard_may_master_the_lore_of_death(player: int) -> None:
    battle, answerer = at_sphinx(player, [2, 5], card=mage("fire", level=1, i=4))
    assert names_of(battle, answerer) == {"Fireball"}
    audit = MagicAudit(battle)
    choose(battle, "own", answerer.number)
    assert audit.faults() == []
    lores = battle.setup.statics["lores"]
    death = next(n for n, lore in enumerate(lores) if lore.name == "Lore of Death")
    assert names_of(battle, answerer) == {"Fireball"} | allowed(battle, answerer, death)
    assert {"Soulblight"} <= names_of(battle, answerer) and "Doom and Darkness" not in names_of(battle, answerer)
    assert list(Validator(battle.setup).faults(battle)) == []


@PLAYERS
@pytest.mark.rule("wap.building.arcane.sphinx", "wap.item.talisman.luckstone")
@pytest.mark.parametrize(("again", "left"), [(4, 2), (3, 1)])
def test_the_luckstone_helps_against_a_riddle(player: int, again: int, left: int) -> None:
    """He fails his test and his ward save; the stone lets him roll that again before the Wound is lost."""
    scene = RegimentScene()
    scene.area("building", *HOUSE, example="nehekharan sphinx", storeys=2)
    card = hero(i=4, rules=["Ward Save (4+)"])
    scene.unit(player, None, (44, 4), models=5)
    found = scene.unit(player, card, (24.0, HOUSE[1] - 6), models=1, facing=NORTH, items=["Luckstone"])
    scene.unit(1 - player, None, (44, 44), models=5)
    battle = scene.battle("movement", player=player, dice=[5, 3], detail="full")
    choose(battle, "own", found.number)
    assert kind(battle) == "save-again" and list(Validator(battle.setup).faults(battle)) == []
    ledger = Ledger(battle)
    script(battle, [again])
    choose(battle, "option", slots(battle, "option")[-1])
    assert battle.models.wounds[found.model()] == left and ledger.faults() == []
    assert [row["amount"] for row in told(battle, SPHINX) if "amount" in row] == [1] * (2 - left)
    told_of = " ".join(filter(None, (sentence(battle, event) for event in battle.events)))
    assert ("saves the wound" in told_of) == (left == 2)
