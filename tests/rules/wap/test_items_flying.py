"""The Carpet of Araby and the Flying Boots: how their bearers move, and who may have them."""

from __future__ import annotations

from typing import Any

import pytest
from charging import HOLD, charge, react
from heroes import HORSE, hero
from marching import ADVANCE, FINISH, FORWARD, MARCH, MOST, ahead, go, limit, select

from wh_env import ContentError
from wh_env.content.wap import load_army
from wh_env.rulesets.wap.characters.joining import is_open_to
from wh_env.rulesets.wap.movement.going import FLY, FLY_FAR
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import INCH, RegimentScene, pose, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
CARPET, BOOTS = "Carpet of Araby", "Flying Boots"
CHARGED = "wap.charge.distance"


def there(owner: int, y: float) -> tuple[float, float]:
    """A place in the middle of the table, ``y`` inches from the owner's edge."""
    return 24.0, y if owner == 0 else 48.0 - y


def beyond(owner: int, y: float) -> float:
    """How far from the owner's edge something is."""
    return y if owner == 0 else 48.0 - y


# ---------------------------------------------------------------- the carpet


@OWNERS
@pytest.mark.rule("wap.item.enchanted.carpet-of-araby")
def test_the_carpet_of_araby_flies_over_a_unit(owner: int) -> None:
    """Ten inches over a friend three inches deep, from 10 to 20, or twenty in a march; on foot he moves 4 and 8."""
    scene = RegimentScene()
    own = scene.unit(owner, hero(), there(owner, 10), models=1, items=[CARPET])
    scene.unit(owner, None, there(owner, 18), models=15, files=5)
    scene.unit(1 - owner, None, (4, there(owner, 46)[1]), models=5)
    battle = scene.battle("movement", player=owner, detail="full")
    select(battle, own)
    assert {ADVANCE, FLY, MARCH, FLY_FAR} <= set(slots(battle, "option"))
    march = battle.clone()
    choose(march, "option", FLY_FAR)
    assert limit(march, FORWARD) == 20.0
    choose(battle, "option", FLY)
    choose(battle, "option", FORWARD)
    assert slots(battle, "number") == [*range(ahead(10.0) + 1), MOST]
    choose(battle, "number", ahead(7.0))
    assert FINISH not in slots(battle, "option")  # over the friend
    choose(battle, "option", FORWARD)
    choose(battle, "number", MOST)
    if kind(battle) == "leg":
        choose(battle, "option", FINISH)
    assert beyond(owner, pose(battle, own)[1]) == pytest.approx(20.0)
    assert told(battle, "wap.special.fly.move")[-1]["far"] == 10.0


@OWNERS
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.rule("wap.item.enchanted.carpet-of-araby")
def test_who_has_the_carpet_of_araby_ends_in_no_unit(owner: int, detail: str) -> None:
    """He is not offered a unit that he could reach, neither another character; who has no carpet is."""
    for items in ([CARPET], []):
        scene = RegimentScene()
        own = scene.unit(owner, hero(), there(owner, 10), models=1, items=items)
        host = scene.unit(owner, None, there(owner, 13), models=10, files=5)
        other = scene.unit(owner, hero(), (30, there(owner, 10)[1]), models=1)
        scene.unit(1 - owner, None, (4, there(owner, 46)[1]), models=5)
        battle = scene.battle("movement", player=owner, detail=detail)
        for row in (host, other):
            assert is_open_to(battle, own.row, row.row) == (not items)
        assert is_open_to(battle, other.row, own.row) == (not items) and is_open_to(battle, other.row, host.row)
        go(battle, own, ADVANCE)
        assert (host.number in slots(battle, "own")) == (not items)


@OWNERS
@pytest.mark.rule("wap.item.enchanted.carpet-of-araby")
def test_who_has_the_carpet_of_araby_is_deployed_alone(owner: int) -> None:
    scene = RegimentScene()
    scene.unit(owner, None, models=15)
    own = scene.unit(owner, hero(), models=1, items=[CARPET])
    scene.unit(1 - owner, None, models=15)
    battle = scene.battle("deployment")
    while battle.clock.phase[0] == 0:
        assert kind(battle) != "join-unit"
        cells = slots(battle, "cell")  # not at the edge of the table: who joins takes room at the rear
        choose(battle, "cell", cells[len(cells) // 2]) if cells else battle.apply(battle.first_legal())
    assert battle.units.bodyguard[own] == -1


# ---------------------------------------------------------------- the boots


@OWNERS
@pytest.mark.rule("wap.item.enchanted.flying-boots")
@pytest.mark.parametrize(
    ("ground", "fields"), [("forest", {}), ("forest", {"example": "venom thicket"}), ("marsh", {}), ("river", {})]
)
@pytest.mark.parametrize(("how", "inches"), [(ADVANCE, 10.0), (MARCH, 20.0)])
def test_flying_boots_cross_all_ground(
    owner: int, ground: str, fields: dict[str, Any], how: int, inches: float
) -> None:
    """10 inches, or 20 in a march, through ground that he stands in: no test, no inch less."""
    scene = RegimentScene()
    own = scene.unit(owner, hero(), there(owner, 10), models=1, items=[BOOTS])
    scene.unit(owner, None, (44, there(owner, 6)[1]), models=5)
    scene.unit(1 - owner, None, (4, there(owner, 46)[1]), models=5)
    south, north = sorted((there(owner, 8)[1], there(owner, 18)[1]))
    scene.area(ground, 10, south, 38, north, **fields)
    battle = scene.battle("movement", player=owner, detail="full", dice=[1, 1, 1])
    go(battle, own, how)
    assert limit(battle, FORWARD) == inches
    choose(battle, "option", FORWARD)
    choose(battle, "number", MOST)
    if kind(battle) == "leg":
        choose(battle, "option", FINISH)
    assert beyond(owner, pose(battle, own)[1]) == pytest.approx(10.0 + inches)
    assert dice_left(battle) == 3 and battle.models.wounds[own.model()] == 2


@OWNERS
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.rule("wap.item.enchanted.flying-boots")
@pytest.mark.parametrize(("gap", "reached"), [(18.9, True), (19.1, False)])
def test_flying_boots_charge_with_the_two_highest_of_three_dice(
    owner: int, detail: str, gap: float, reached: bool
) -> None:
    """5, 4 and 2: 19 inches."""
    scene = RegimentScene()
    own = scene.unit(owner, hero(), there(owner, 10), models=1, items=[BOOTS])
    scene.unit(owner, None, (44, there(owner, 6)[1]), models=5)
    foe = scene.unit(1 - owner, None, there(owner, 10 + gap), models=10, files=5)
    battle = scene.battle("movement", player=owner, detail=detail, dice=[5, 4, 2])
    charge(battle, own, foe)
    react(battle, HOLD)
    while (kind(battle) or "").startswith("charge"):  # where he touches the enemy
        battle.apply(battle.first_legal())
    assert told(battle, CHARGED)[0]["dice"] == (5, 4, 2) and bool(battle.units.fights[own]) == reached


@OWNERS
@pytest.mark.rule("wap.item.enchanted.flying-boots")
def test_flying_boots_move_their_bearer_alone(owner: int) -> None:
    """In a unit of Movement 4 he goes as far as that."""
    scene = RegimentScene()
    host = scene.unit(owner, None, there(owner, 10), models=10, files=5)
    scene.unit(owner, hero(), inside=host, models=1, items=[BOOTS])
    scene.unit(1 - owner, None, (4, there(owner, 46)[1]), models=5)
    battle = scene.battle("movement", player=owner, detail="full")
    go(battle, host, ADVANCE)
    assert limit(battle, FORWARD) == 4.0


# ---------------------------------------------------------------- who may have them


@pytest.mark.rule("wap.item.enchanted.carpet-of-araby", "wap.item.enchanted.flying-boots")
@pytest.mark.parametrize(
    ("card", "allowed"),
    [
        ({}, {CARPET, BOOTS}),
        ({"type": "monstrous infantry", "base_mm": [40, 40]}, {BOOTS}),
        ({"type": "cavalry", "base_mm": [INCH, 2 * INCH], "mount": HORSE}, set()),
    ],
)
@pytest.mark.parametrize("item", [CARPET, BOOTS])
def test_flying_items_are_for_models_on_foot(card: dict[str, Any], allowed: set[str], item: str) -> None:
    cards = {
        "leader": hero(category="lord"),
        "hero": hero(items={"points": 50}, **card),
        "men": square(),
    }
    units = [{"card": "leader", "models": 1}, {"card": "hero", "models": 1, "items": [item]}]
    sheet = {"name": "sheet", "cards": cards}
    try:
        load_army({"name": "list", "sheet": sheet, "units": units})
        refused = ""
    except ContentError as fault:
        refused = str(fault)
    assert (refused == "") == (item in allowed)
    rule = "carpet-of-araby" if item == CARPET else "flying-boots"
    assert not refused or (
        refused.startswith("<army>: units[1].items[0]") and f"(wap.item.enchanted.{rule})" in refused
    )
