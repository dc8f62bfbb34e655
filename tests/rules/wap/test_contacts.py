"""Who is in contact with whom, and which units fight in one combat."""

from __future__ import annotations

import pytest

from wh_env.rulesets.wap.basics.contacts import combat_of, foes_of, row_between, side_towards, sides_engaged
from wh_env.rulesets.wap.basics.special_rules import abilities_of
from wh_env.rulesets.wap.casualties.removing import remove_unit
from wh_env.rulesets.wap.codes import FRONT, LEFT, REAR, RIGHT
from wh_env.rulesets.wap.rule_book import IMMUNITY, IMPACT_HITS, STUBBORN
from wh_env.testing import told
from wh_env.testing.wap import RegimentScene


@pytest.mark.parametrize("side", [FRONT, RIGHT, REAR, LEFT])
def test_a_block_beside_another_is_in_contact_with_that_side(side: int) -> None:
    scene = RegimentScene()
    target = scene.unit(0, None, (24, 24), models=20, files=5, facing=0.3)
    foe = scene.beside(target, 1, side=side, along=0.5)
    battle = scene.battle("combat", run=False)
    assert foes_of(battle, target.row) == [foe.row]
    assert side_towards(battle, target.row, foe.row) == side
    assert side_towards(battle, foe.row, target.row) == FRONT
    assert battle.units.fights[foe] == 1


@pytest.mark.rule("wap.multi.definition")
def test_units_linked_by_contact_are_in_one_combat() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=20, files=5)
    b = scene.beside(a, 1, along=-2.5, models=20, files=5)
    c = scene.unit(0, None, (29.5, 24), models=20, files=5)
    d = scene.beside(c, 1, along=-3, models=20, files=5)
    other = scene.unit(0, None, (6, 6), models=5)
    far = scene.beside(other, 1, models=5)
    battle = scene.battle("combat", run=False)
    assert combat_of(battle, a.row) == combat_of(battle, d.row) == sorted([a.row, b.row, c.row, d.row])
    assert combat_of(battle, far.row) == [other.row, far.row]
    assert sides_engaged(battle, a.row) == {FRONT}


def test_a_unit_that_flees_is_in_contact_with_nobody() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=10, fleeing=1)
    b = scene.beside(a, 1)
    battle = scene.battle("combat", run=False)
    assert row_between(battle, a.row, b.row) == -1 and battle.units.fights[a] == 0


def test_a_unit_that_is_gone_is_in_contact_with_nobody() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=1)
    b = scene.beside(a, 1, models=5)
    battle = scene.battle("combat", run=False)
    remove_unit(battle, a.row)
    assert row_between(battle, a.row, b.row) == -1
    assert battle.units.fights[a] == battle.units.fights[b] == 0
    assert combat_of(battle, b.row) == [b.row]


def test_losses_of_whole_ranks_bring_the_other_up() -> None:
    """A unit charged in the rear that loses its rear rank is followed by who stands there."""
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 24), models=10, files=5)
    b = scene.beside(a, 1, side=REAR, models=5)
    battle = scene.battle("combat", run=False)
    from wh_env.rulesets.wap.casualties.removing import suffer

    suffer(battle, a.row, 5)
    assert battle.units.y[b] == pytest.approx(23.0)
    assert foes_of(battle, a.row) == [b.row]
    assert told(battle, "wap.combat.gap.after-casualties")


def test_special_rules_by_name() -> None:
    found = abilities_of(("Stubborn", "Impact Hits (1)", "Impact Hits (D6+1)", "Immunity (Psychology)"))
    assert dict(found) == {STUBBORN: (), IMPACT_HITS: ("1", "D6+1"), IMMUNITY: ("Psychology",)}
