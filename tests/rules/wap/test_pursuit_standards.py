"""Standards that fall in close combat and in pursuits are captured; those that fall elsewhere are not."""

from __future__ import annotations

import pytest
from heroes import hero

from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.codes import Phase
from wh_env.testing import pick
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, fought, other_combats


@pytest.mark.parametrize(("flee", "losers", "captured"), [((1, 1), 8, 1), ((1, 1), 25, 0), ((6, 6), 8, 0)])
@pytest.mark.rule("wap.victory.standards")
def test_a_standard_of_who_is_caught_and_wiped_out_is_captured(
    flee: tuple[int, int], losers: int, captured: int
) -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 10), models=10, files=5)
    b = scene.beside(a, 1, models=losers, files=5, command=("standard",))
    other_combats(scene)
    battle = scene.battle("combat", dice=[*flee, 2, 3], set_state=fought(won=[a], broken=[b]))
    pick(battle, "pursues")
    assert list(battle.players.standards) == [captured, 0]


@pytest.mark.rule("wap.victory.standards")
def test_a_standard_of_a_fleeing_unit_that_a_pursuit_runs_down_is_captured() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 10), models=10, files=5)
    b = scene.beside(a, 1, models=4, files=4)
    scene.unit(1, None, (24, 16), models=5, facing=NORTH, fleeing=1, command=("standard",))
    other_combats(scene)
    battle = scene.battle("combat", dice=[1, 1, 4, 4], set_state=fought(won=[a], broken=[b]))
    pick(battle, "pursues")
    assert list(battle.players.standards) == [1, 0]


@pytest.mark.parametrize(("fleers", "captured"), [(5, (1, 1)), (25, (0, 0))])
@pytest.mark.rule("wap.victory.standards")
def test_so_is_the_battle_standard_if_nobody_is_left(fleers: int, captured: tuple[int, int]) -> None:
    """Its bearer flees with a standard of his unit; a pursuit of nine runs into them."""
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 10), models=9, files=5)
    b = scene.beside(a, 1, models=4, files=4)
    bearer = scene.unit(1, None, (24, 15 + fleers // 5), models=fleers, files=5, facing=NORTH, fleeing=1, command=("standard",), leads=("battle standard",))  # fmt: skip
    other_combats(scene)
    battle = scene.battle("combat", dice=[1, 1, 6, 6], set_state=fought(won=[a], broken=[b]))
    pick(battle, "pursues")
    assert battle.units.alive[bearer] == max(0, fleers - 18)
    assert (battle.players.standards[0], battle.players.battle_standard[0]) == captured


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("pursuers", "captured"), [(10, 1), (9, 0)])
@pytest.mark.rule("wap.victory.standards", "wap.charge.fleeing.us10")
def test_so_is_the_battle_standard_in_a_unit_that_is_run_down_to_the_last(
    player: int, pursuers: int, captured: int
) -> None:
    """Ten pursuers remove all that flee, the bearer among them; of nine he escapes, as his soldiers take the wounds."""
    scene = RegimentScene()
    ahead = NORTH if player == 0 else SOUTH
    a = scene.unit(player, None, (24, 10 if player == 0 else 38), models=pursuers, files=5)
    b = scene.beside(a, 1 - player, models=4, files=4)
    fleers = scene.unit(1 - player, None, (24, 16 if player == 0 else 32), models=5, facing=ahead, fleeing=1)
    bearer = scene.unit(1 - player, hero(), inside=fleers, models=1, leads=("battle standard",))
    other_combats(scene)
    battle = scene.battle("combat", player=player, dice=[1, 1, 4, 4], set_state=fought(won=[a], broken=[b]))
    pick(battle, "pursues")
    assert battle.units.alive[fleers] == 0 and battle.units.alive[bearer] == 1 - captured
    assert list(battle.players.battle_standard) == [captured * (player == 0), captured * (player == 1)]


@pytest.mark.parametrize(("phase", "fighting", "captured"), [
    (Phase.COMBAT, 1, 1), (Phase.COMBAT, 0, 0), (Phase.SHOOTING, 0, 0), (Phase.MOVEMENT, 0, 0),
])  # fmt: skip
@pytest.mark.rule("wap.victory.standards.close-combat-only")
def test_a_bearer_slain_outside_close_combat_is_not_captured(phase: Phase, fighting: int, captured: int) -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 10), models=5)
    b = scene.beside(a, 1, models=5, command=("standard",))
    battle = scene.battle("combat", run=False)
    battle.clock.phase[0] = phase
    battle.units.fighting[b] = fighting
    suffer(battle, b.row, 4)
    assert list(battle.players.standards) == [0, 0]
    suffer(battle, b.row, 1)
    assert list(battle.players.standards) == [captured, 0]
