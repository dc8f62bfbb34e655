"""The Other Trickster's Shard, which spoils ward saves."""

from __future__ import annotations

import pytest
from carrying import HIT, duel
from heroes import hero
from houses import house
from wizards import wizard

from wh_env import Battle
from wh_env.core.features import Veil
from wh_env.rulesets.wap.basics.effects import Bares, begin_effect, effects_of, end_effect, rows_in_use
from wh_env.rulesets.wap.basics.spoiled_wards import must_save_again
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.weapons.hit import Hit
from wh_env.rulesets.wap.weapons.saves import unsaved
from wh_env.testing import dice_left, script, told
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle, fight, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
RULE, SHARD = "wap.item.enchanted.other-tricksters-shard", "The Other Trickster's Shard"
WARDED = ["Ward Save (4+)"]


def passes(battle: Battle, unit: UnitHandle, dice: list[int]) -> bool:
    """Whether a unit saves a wound with these dice, all of which it rolls."""
    script(battle, dice)
    left = unsaved(battle, unit.row, 1, Hit(3), 0)
    assert dice_left(battle) == 0
    return left == 0


@OWNERS
@pytest.mark.rule("wap.item.enchanted.other-tricksters-shard")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_an_enemy_in_contact_rolls_passed_ward_saves_again(owner: int, detail: str) -> None:
    """A hero with a 4+ ward save rolls 5, and 3 the second time: he suffers the wound. The bearer's own ward save
    fares alike.
    """
    foe = hero(rules=WARDED, w=3, t=3, i=2, a=1)
    battle, own, enemy = duel(owner, [SHARD], bearer={"a": 1, "w": 3, "rules": WARDED}, foe=foe, foes=1, detail=detail)
    script(battle, [6, 6, 5, 3, 6, 6, 4, 2])
    fight(battle, own)
    wounds = battle.models.wounds
    assert (wounds[enemy.model()], wounds[own.model()]) == (2, 2) and len(told(battle, HIT)) == 2
    assert [row["target"] for row in told(battle, RULE)] == [enemy.row, own.row]
    assert battle.setup.ruleset.sentence(battle, next(event for event in battle.events if event.rule == RULE))


@OWNERS
@pytest.mark.rule("wap.item.enchanted.other-tricksters-shard")
def test_a_save_that_passes_twice_holds_and_a_failed_one_is_not_rolled_again(owner: int) -> None:
    battle, _, enemy = duel(owner, [SHARD], foe=hero(rules=WARDED, w=3), foes=1)
    assert passes(battle, enemy, [5, 4]) and not passes(battle, enemy, [4, 3]) and not passes(battle, enemy, [3])


@OWNERS
@pytest.mark.rule("wap.item.enchanted.other-tricksters-shard", "wap.core.reroll.cancel")
def test_a_ward_save_that_may_be_rolled_again_is_rolled_once(owner: int) -> None:
    battle, _, enemy = duel(owner, [SHARD], foe=hero(rules=["Ward Save (4+ re-rolled)"], w=3), foes=1)
    assert passes(battle, enemy, [4]) and not passes(battle, enemy, [3])


@OWNERS
@pytest.mark.rule("wap.item.enchanted.other-tricksters-shard")
def test_armour_saves_are_left_alone(owner: int) -> None:
    foe = hero(rules=WARDED, w=3, equipment=["heavy armour", "shield"])
    battle, _, enemy = duel(owner, [SHARD], foe=foe, foes=1)
    assert passes(battle, enemy, [3]) and not passes(battle, enemy, [1, 6, 3])


def lined_up(owner: int, post: int) -> tuple[Battle, dict[str, UnitHandle]]:
    """The bearer in a unit ten wide, at a place of its front rank counted from the right, with a friend beside him in
    the unit. Enemies stand before both ends of it, and another friend apart.
    """
    scene = RegimentScene()
    host = scene.unit(owner, square(rules=WARDED), (24, 24), models=18, files=10)
    own = scene.unit(owner, hero(rules=WARDED), inside=host, post=post, models=1, items=[SHARD])
    other = scene.unit(owner, hero(rules=WARDED), inside=host, post=4, models=1)
    near = scene.beside(host, 1 - owner, square(rules=WARDED), models=6, files=3, along=-3.5)
    far = scene.beside(host, 1 - owner, square(rules=WARDED), models=6, files=3, along=3.5)
    friend = scene.unit(owner, square(rules=WARDED), (6, 24), models=5)
    battle = scene.battle("combat", player=owner, run=False)
    return battle, {"host": host, "own": own, "other": other, "near": near, "far": far, "friend": friend}


@OWNERS
@pytest.mark.rule("wap.item.enchanted.other-tricksters-shard")
@pytest.mark.parametrize("post", [0, 9])
def test_all_models_of_the_units_that_touch_him_and_no_others(owner: int, post: int) -> None:
    """All of his own unit and of the enemy before him; not the enemy at the other end of his unit, nor a friend."""
    battle, units = lined_up(owner, post)
    foes = ["near", "far"]
    touching = next(name for name in foes if must_save_again(battle, units[name].row))
    for name, unit in units.items():
        assert must_save_again(battle, unit.row) == (name in ("host", "own", "other", touching)), name
    bearer = battle.models.x[units["own"].model()]
    apart = {name: abs(battle.units.x[units[name].row] - bearer) for name in foes}
    assert min(apart, key=lambda name: apart[name]) == touching
    assert not passes(battle, units[touching], [6, 1]) and passes(battle, units["host"], [6, 6])
    slay(battle, units["own"].model())
    assert not any(must_save_again(battle, unit.row) for unit in units.values())


@OWNERS
@pytest.mark.rule("wap.item.enchanted.other-tricksters-shard")
def test_a_friendly_unit_that_touches_him_alone(owner: int) -> None:
    scene = RegimentScene()
    own = scene.unit(owner, hero(), (24, 24), models=1, files=1, items=[SHARD])
    beside = scene.unit(owner, square(rules=WARDED), (25.5 + 1, 24), models=10, files=4)
    apart = scene.unit(owner, square(rules=WARDED), (20, 24), models=10, files=4)
    scene.unit(1 - owner, None, (24, 44 if owner == 0 else 4), models=5)
    battle = scene.battle("movement", player=owner, run=False)
    assert must_save_again(battle, own.row) and not must_save_again(battle, apart.row)
    assert must_save_again(battle, beside.row)


@OWNERS
@pytest.mark.rule("wap.item.enchanted.other-tricksters-shard", "wap.army.list.hidden")
def test_a_secret_shard_comes_to_light_as_it_spoils_a_save(owner: int) -> None:
    scene = RegimentScene(rules={"lists": "hidden"})
    own = scene.unit(owner, hero(), (24, 24), models=1, files=1, items=[SHARD])
    enemy = scene.beside(own, 1 - owner, hero(rules=WARDED, w=3), models=1)
    battle = scene.battle("combat", player=owner, run=False)
    assert battle.items.seen.tolist() == [0] and not must_save_again(Veil().over(battle, 1 - owner), enemy.row)
    assert not passes(battle, enemy, [5, 3])
    assert battle.items.seen.tolist() == [1] and must_save_again(Veil().over(battle, 1 - owner), enemy.row)
    assert f"has {SHARD}" in battle.setup.ruleset.states(Veil().over(battle, 1 - owner), own.row)


@OWNERS
@pytest.mark.rule("wap.item.enchanted.other-tricksters-shard")
@pytest.mark.parametrize("storms", [True, False])
def test_in_an_assault_both_sides_are_in_contact(owner: int, storms: bool) -> None:
    """The bearer assaults a building, or is in it."""
    scene = RegimentScene()
    house(scene)
    side = owner if storms else 1 - owner
    outside = scene.unit(side, square(), (22.5, 20), facing=NORTH, models=10, files=5, storms=0)
    inside = scene.unit(1 - side, square(), models=10, garrison=0)
    other = scene.unit(1 - owner, square(), (6, 6), models=5)
    host = outside if storms else inside
    own = scene.unit(owner, hero(), inside=host, models=1, items=[SHARD], **({"post": 0} if storms else {}))
    battle = scene.battle("combat", player=side, run=False)
    found = [must_save_again(battle, unit.row) for unit in (outside, inside, own, other)]
    assert found == [True, True, True, False]


@OWNERS
@pytest.mark.rule("wap.item.enchanted.other-tricksters-shard", "wap.item.arcane.sivejirs-hex-scroll")
def test_the_shard_of_a_toad_spoils_nothing(owner: int) -> None:
    """The enemy's scroll has made a toad of its bearer; once he is himself again the shard works as before."""
    scene = RegimentScene()
    own = scene.unit(owner, wizard(w=2), (24, 24), models=1, files=1, items=[SHARD])
    enemy = scene.beside(own, 1 - owner, wizard(w=2, rules=WARDED), models=1, items=["Sivejir's Hex Scroll"])
    battle = scene.battle("combat", player=owner, run=False)
    assert must_save_again(battle, enemy.row)
    toad = next(n for n, effect in enumerate(effects_of(battle)) if any(isinstance(p, Bares) for p in effect.powers))
    begin_effect(battle, toad, own.row, 1 - owner, enemy.row)
    assert not must_save_again(battle, enemy.row) and passes(battle, enemy, [4])
    end_effect(battle, next(k for k in rows_in_use(battle) if battle.effects.effect[k] == toad))
    assert must_save_again(battle, enemy.row)
