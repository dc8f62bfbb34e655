"""What rules give back: lost wounds to several models, destroyed models of a unit (w10.concepts.sequencing.in-battle,
w10.command.strength.starting)."""

from __future__ import annotations

import pytest

from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import Scene, sheet


@pytest.mark.rule("w10.concepts.sequencing.in-battle")
@pytest.mark.parametrize(
    ("amount", "wounds"), [(1, [2, 3, 1, 3]), (2, [3, 3, 1, 3]), (3, [3, 3, 2, 3]), (9, [3, 3, 3, 3])]
)
@pytest.mark.parametrize("player", [0, 1])
def test_wounds_are_given_back_up_to_w_and_no_more_than_the_amount(player: int, amount: int, wounds: list[int]) -> None:
    """Models of W 3 with 1, 3, 1 and 3 wounds left: the first is healed before the next, nobody beyond W."""
    scene = Scene()
    other = scene.unit(1 - player, sheet("Other", W=3), at=[(40, 20), (41.5, 20)], models=2, wounds=[1, 3])
    unit = scene.unit(player, sheet("Squad", W=3), at=(20, 20), models=4, wounds=[1, 3, 1, 3])
    scene.rule(TimedRule("Balm", "charge", player, "heal", unit.row, amount))
    battle = scene.battle("charge", active=player)
    assert [battle.models.wounds[unit.model(k)] for k in range(4)] == wounds
    assert [battle.models.wounds[other.model(k)] for k in range(2)] == [1, 3]


@pytest.mark.rule("w10.concepts.sequencing.in-battle")
def test_mortal_wounds_hit_the_unit_that_is_meant() -> None:
    """A rule of B deals two mortal wounds to the second unit of A: no other unit loses any."""
    scene = Scene()
    units = [scene.unit(0, sheet(f"Unit {n}", W=3), at=(20, 10 + 5 * n), models=1) for n in range(3)]
    scene.unit(1, sheet("Theirs", W=3), at=(20, 35), models=1)
    scene.rule(TimedRule("Curse", "charge", 1, "mortal", units[1].row, 2, own_turn_only=False))
    battle = scene.battle("charge")
    assert [battle.models.wounds[k] for k in range(4)] == [3, 1, 3, 3]


@pytest.mark.rule("w10.concepts.sequencing.in-battle")
@pytest.mark.parametrize(("amount", "alive"), [(1, 3), (2, 4), (5, 4)])
def test_destroyed_models_come_back_with_full_wounds(amount: int, alive: int) -> None:
    """Two of four models of W 2 are destroyed, one of the others has lost a wound: so many come back, all wounds on them; the
    wounded one stays wounded."""
    scene = Scene()
    unit = scene.unit(0, sheet("Squad", W=2), at=(20, 20), models=4, lost=[1, 3], wounds=[1, 2, 2, 2])
    scene.unit(1, sheet("Theirs"), at=(20, 35), models=1)
    scene.rule(TimedRule("Muster", "charge", 0, "return", unit.row, amount))
    battle = scene.battle("charge")
    m = battle.models
    assert battle.units.alive[unit] == alive
    rows = [unit.model(k) for k in range(4)]
    assert [m.wounds[k] for k in rows if m.on_table[k]] == [1] + [2] * (alive - 1)
    assert [m.alive[k] for k in rows] == [m.on_table[k] for k in rows]
    assert m.alive[rows[1]] == 1
