"""What the audit and the checks of states find in magic: every check is shown a state that it has to refuse."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wh_env import Battle
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.basics.effects import begin_effect
from wh_env.rulesets.wap.codes import FORGOTTEN, KNOWN, UNKNOWN, Phase
from wh_env.rulesets.wap.view.audit_magic import MagicAudit
from wh_env.testing.wap import RegimentScene, square

DEATH = 1  # the row of ``spellbook`` of the second spell of the first mage


def scene() -> Battle:
    """A mage of level 2 of player 0 with the Lore of Death keeps Doom and Darkness up on the enemy's unit."""
    scene = RegimentScene()
    card = square(character=True, size=[1, 1], w=2, wizard={"level": 2, "lores": ["death"]})
    scene.unit(0, card, (24, 10), models=1, files=1, name="mage")
    scene.unit(0, square(), (12, 10), models=10, files=5, name="friends")
    scene.unit(1, square(), (24, 30), models=10, files=5, name="enemies")

    def set_state(battle: Battle) -> None:
        battle.spellbook.rows["known"] = KNOWN
        number = next(
            n for n, effect in enumerate(battle.setup.statics["effects"]) if effect.name == "Doom and Darkness"
        )
        begin_effect(battle, number, 2, 0, 0, DEATH + 1)

    return scene.battle("magic", dice=[3, 3, 1, 1], set_state=set_state)


def faults(battle: Battle) -> list[str]:
    return [str(fault) for fault in battle.setup.ruleset.contradictions(battle)]


def put(table: str, column: str, row: int, value: int) -> Callable[[Battle], None]:
    return lambda battle: getattr(getattr(battle, table), column).__setitem__(row, value)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (put("spellbook", "known", DEATH, FORGOTTEN), "effects[0].cast"),
        (put("spellbook", "known", DEATH, UNKNOWN), "effects[0].cast"),
        (put("effects", "caster", 0, 1), "effects[0].cast"),
        (put("effects", "cast", 0, 0), ""),
        (put("effects", "cast", 1, 1), "effects[1].cast"),
        (put("units", "place", 0, DESTROYED), "effects[0].cast"),
        (put("wizards", "level", 0, 0), "spellbook[0].known"),
        (put("wizards", "hit_by", 1, 1), ""),
        (put("wizards", "hit_by", 1, 2), "wizards[1].hit_by"),
    ],
)
def test_states_that_cannot_be_are_refused(change: Callable[[Battle], None], told: str) -> None:
    battle = scene()
    assert faults(battle) == []
    change(battle)
    found = faults(battle)
    assert any(fault.startswith(told) for fault in found) if told else not found


def test_what_is_not_known_was_not_tried() -> None:
    battle = scene()
    battle.spellbook.tried[0], battle.spellbook.known[0] = 1, UNKNOWN
    assert any(fault.startswith("spellbook[0].tried") for fault in faults(battle))
    battle.spellbook.known[0] = FORGOTTEN
    assert faults(battle) == []


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (put("wizards", "level", 0, 1), put("wizards", "level", 0, 2), "the level of mage rose from 1"),
        (put("wizards", "level", 0, 2), put("wizards", "level", 0, 1), ""),
        (
            put("spellbook", "known", 0, FORGOTTEN),
            put("spellbook", "known", 0, KNOWN),
            "mage knows a forgotten spell again",
        ),
        (put("spellbook", "known", 0, UNKNOWN), put("spellbook", "known", 0, KNOWN), "mage learned a spell"),
        (put("spellbook", "known", 0, KNOWN), put("spellbook", "known", 0, FORGOTTEN), ""),
        (put("clock", "phase", 0, Phase.COMBAT), put("pools", "dice", 0, 1), "pools changed from"),
        (put("clock", "phase", 0, Phase.MAGIC), put("pools", "dice", 0, 1), ""),
    ],
)
def test_changes_that_cannot_be_are_found(
    before: Callable[[Battle], None], after: Callable[[Battle], None], told: str
) -> None:
    battle = scene()
    before(battle)
    audit = MagicAudit(battle)
    assert audit.faults() == []
    after(battle)
    found = audit.faults()
    assert bool(found) is bool(told) and all(fault.startswith(told) for fault in found[:1])
    assert audit.faults() == []


def test_pools_may_change_while_a_magic_phase_passes() -> None:
    battle = scene()
    battle.clock.phase[0] = Phase.MOVEMENT
    audit = MagicAudit(battle)
    battle.clock.phase[0], battle.pools.dice[0] = Phase.COMBAT, 1
    assert audit.faults() == []


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_battle_with_magic_is_read_again_as_it_was_stored(detail: str) -> None:
    battle = Battle.load("wap/open-magic", 1, detail=detail)
    again = Battle.from_bytes(battle.to_bytes())
    assert again.state_bytes() == battle.state_bytes() and again.setup.source == battle.setup.source


def test_the_audit_compares_characteristics_with_the_effects_that_act() -> None:
    """They are worked out anew only for effects that change them."""
    battle = scene()
    audit = battle.setup.ruleset.audit(battle)
    assert not [fault for fault in audit.after() if "profile" in fault]
    line = battle.units.first_line[2]
    assert battle.lines.ld[line] < battle.setup.statics["profiles"]["ld"][line]  # Doom and Darkness
    battle.lines.ld[line] += 1
    assert [fault for fault in audit.after() if "what effects make of the profile" in fault]
