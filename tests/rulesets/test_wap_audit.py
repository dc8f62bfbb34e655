"""What the audit of regiments finds: every check is shown a state that it has to refuse."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wh_env import Battle
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.contacts import meet
from wh_env.rulesets.wap.casualties.casualties import Casualties, wounds_still_due
from wh_env.rulesets.wap.casualties.removing import kill, remove_unit, suffer
from wh_env.rulesets.wap.codes import CHARGED
from wh_env.rulesets.wap.view.audit import RegimentAudit
from wh_env.testing.wap import RegimentScene, square


def looked_at() -> tuple[Battle, RegimentAudit]:
    """Two units in contact (their models have two Wounds), one that is free, an enemy a way off it; everything is as it should be."""
    scene = RegimentScene()
    a = scene.unit(0, square(w=2), (24, 24), models=10, files=5, name="a")
    scene.unit(0, None, (8, 10), models=10, files=5, name="free")
    scene.beside(a, 1, square(w=2), models=10, files=5, name="b")
    scene.unit(1, None, (8, 14), models=10, files=5, name="near")
    battle = scene.battle("movement")
    audit = battle.setup.ruleset.audit(battle)
    assert isinstance(audit, RegimentAudit)
    audit.before()
    assert audit.after() == []
    return battle, audit


def row(battle: Battle, name: str) -> int:
    return battle.setup.names["units"].index(name)


def shift(battle: Battle, name: str, dy: float) -> None:
    u, unit = battle.units, row(battle, name)
    set_block(battle, unit, u.x[unit], u.y[unit] + dy, u.facing[unit], u.files[unit])


def test_contacts_have_no_gap() -> None:
    battle, audit = looked_at()
    shift(battle, "b", 0.009)
    assert audit._gaps() == []
    shift(battle, "b", 0.002)
    assert audit._gaps() == ["a and b fight 0.011 apart"]
    assert "a and b are told to touch" in audit.after()


def test_contacts_are_told_once_and_by_both() -> None:
    battle, audit = looked_at()
    rows = battle.contacts.rows
    rows[1] = rows[0]
    assert any("told twice" in fault for fault in audit.after())
    battle, audit = looked_at()
    battle.units.fights[row(battle, "b")] = 0
    assert any("contacts of units are" in fault for fault in audit.after())
    battle, audit = looked_at()
    battle.contacts.rows["a"] = battle.contacts.rows["b"] = -1
    assert "a and b touch" in audit.after()


def test_nobody_flees_in_a_fight() -> None:
    battle, audit = looked_at()
    battle.units.fleeing[row(battle, "b")] = 1
    assert "b flees and fights" in audit.after()


def test_a_fight_is_between_two_armies() -> None:
    battle, audit = looked_at()
    battle.units.owner[row(battle, "b")] = 0
    assert any("of one army" in fault for fault in audit._gaps())


@pytest.mark.parametrize(("left", "did", "told"), [(1.0, 0, False), (0.99, 0, True), (0.5, CHARGED, False)])
def test_who_is_not_in_contact_keeps_an_inch_unless_a_charge_left_him_nearer(left: float, did: int, told: bool) -> None:
    battle, audit = looked_at()
    battle.units.did[row(battle, "near")] |= did
    shift(battle, "near", left - 4.0)
    meet(battle)
    assert [fault for fault in audit.after() if "apart" in fault] == (
        [f"free and near are {left:.3f} apart"] if told else []
    )


def wound(battle: Battle, amount: int) -> None:
    """An event that deals the unit ``b`` wounds."""
    battle.note("wap.combat.casualties.tally", "wounds", unit=0, target=row(battle, "b"), amount=amount, result=amount)


def lose_a_wound(battle: Battle) -> None:
    suffer(battle, row(battle, "b"), 1)


def told_only(battle: Battle) -> None:
    wound(battle, 3)


def told_and_lost(battle: Battle) -> None:
    wound(battle, 3)
    suffer(battle, row(battle, "b"), 3)


def told_and_due(battle: Battle) -> None:
    wound(battle, 3)
    battle.push(Casualties, row(battle, "b"), 3)
    assert wounds_still_due(battle, row(battle, "b")) == 3


def more_than_it_has(battle: Battle) -> None:
    wound(battle, 50)
    suffer(battle, row(battle, "b"), 50)
    assert battle.units.place[row(battle, "b")] == DESTROYED


def silent_loss(battle: Battle) -> None:
    wound(battle, 2)
    kill(battle, battle.units.first[row(battle, "b")] + 9)


def silent_removal(battle: Battle) -> None:
    remove_unit(battle, row(battle, "b"))


def deserts(battle: Battle) -> None:
    silent_removal(battle)
    battle.note("wap.compulsory.flee.off-table", "deserts", unit=row(battle, "b"))


def only_told_to_desert(battle: Battle) -> None:
    battle.note("wap.compulsory.flee.off-table", "deserts", unit=row(battle, "b"))


def points(battle: Battle) -> None:
    battle.players.vp[1] += 5


def points_told(battle: Battle) -> None:
    battle.players.vp[1] += 5
    battle.note("wap.victory.decimated", "scored", unit=0, player=1, points=5)


@pytest.mark.parametrize(("change", "said"), [
    (lose_a_wound, ["b has lost 1 Wounds, events deal 0"]),
    (told_only, ["b has lost 0 Wounds, events deal 3"]),
    (told_and_lost, []),
    (told_and_due, []),
    (more_than_it_has, []),
    (silent_loss, ["b has lost 1 models, events remove 0"]),
    (silent_removal, ["b has lost 20 Wounds, events deal 0", "b has lost 10 models, events remove 0"]),
    (deserts, []),
    (only_told_to_desert, ["b is told to be gone"]),
    (points, ["player 1 has 5 victory points, events give 0"]),
    (points_told, []),
])  # fmt: skip
def test_losses_and_points_are_what_events_have_told(change: Callable[[Battle], None], said: list[str]) -> None:
    battle, audit = looked_at()
    change(battle)
    assert audit._ledger.faults() == said


def test_a_battle_that_tells_nothing_is_not_held_to_it() -> None:
    battle, audit = looked_at()
    battle.recorder = None
    lose_a_wound(battle)
    assert audit._ledger.faults() == []
