"""Magic items that hold bound spells."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero
from wizards import cast, in_cast, let_be, offered_spells, pools, row_of, wizard

from wh_env import Battle, ContentError
from wh_env.content.load import validate
from wh_env.content.wap.items import read_items
from wh_env.content.wap.schema_items import ItemFile
from wh_env.core.features import Veil
from wh_env.core.validation import Validator
from wh_env.core.views import SeatView
from wh_env.rulesets.wap.codes import FORGOTTEN, KNOWN, UNKNOWN
from wh_env.rulesets.wap.magic.casting import Cast
from wh_env.rulesets.wap.magic.wizards import level_of
from wh_env.testing import choose, dice_left, kind, script, slots, told
from wh_env.testing.wap import RegimentScene, UnitHandle, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
RING, FIREBALL = "Ruby Ring of Ruin", "wap.lore.fire.fireball"


def bearing(
    owner: int, item: str = RING, *, apart: float = 12, joins: bool = False, foe: dict[str, Any] | None = None,
    level: int = 0, lists: str = "open", detail: str = "full",
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """A hero with an item, a wizard if ``level`` is not 0, ``apart`` inches before an enemy unit, alone or in a unit
    (``joins``). His player begins a Magic phase with 12 power dice; the enemy has 6.
    """
    scene, sign = RegimentScene(size=(72, 72), rules={"lists": lists}), 1 if owner == 0 else -1
    host = scene.unit(owner, None, (36, 36), models=10) if joins else None
    at: dict[str, Any] = {"inside": host} if joins else {"at": (36, 36)}
    lord = scene.unit(owner, wizard(level) if level else hero(), models=1, items=[item], **at)
    enemy = scene.unit(1 - owner, square(**(foe or {})), (36, 36 + sign * apart), models=20, files=10)
    battle = scene.battle("magic", player=owner, dice=(6, 6, *[1] * level), detail=detail)
    assert kind(battle) == "cast-by" and dice_left(battle) == 0 and pools(battle)[owner] == 12
    return battle, lord, enemy


@OWNERS
@pytest.mark.rule("wap.item.enchanted.ruby-ring-of-ruin")
@pytest.mark.parametrize("joins", [False, True])
def test_the_ruby_ring_of_ruin_casts_fireball(owner: int, joins: bool) -> None:
    """A hero who is no wizard uses a die of the pool and the free one: 1 and 3 cast it. D6 hits of Strength 4."""
    battle, lord, enemy = bearing(owner, joins=joins)
    assert offered_spells(battle, lord) == ["Fireball"] and level_of(battle, lord.row) == 0
    cast(battle, lord, "Fireball", enemy, 0, free=True)
    assert slots(battle, "number") == [0, 1]  # three dice at most, the free one among them
    assert told(battle, "wap.item.enchanted.ruby-ring-of-ruin") == [{"unit": lord.row, "name": RING}]
    script(battle, [1, 3])
    choose(battle, "number", 0)
    (row,) = told(battle, "wap.magic.cast.value")
    assert (row["rolls"], row["needed"], row["amount"]) == ((1, 3), 4, 4) and pools(battle)[owner] == 11
    script(battle, [3, 3, 3, 2])  # Toughness 3 is wounded on 3
    let_be(battle)
    assert told(battle, FIREBALL)[-1]["amount"] == 3 and battle.units.alive[enemy] == 18 and dice_left(battle) == 0
    assert battle.spellbook.known[row_of(battle, lord, "Fireball", bound=True)] == KNOWN
    assert kind(battle) != "cast-by"  # once in a turn


@OWNERS
@pytest.mark.rule("wap.item.enchanted.ruby-ring-of-ruin")
def test_the_ring_holds_the_base_version_alone(owner: int) -> None:
    """20 reaches the boosted ones, of 2D6 and 3D6 hits and of 36 and 48 inches."""
    battle, lord, enemy = bearing(owner)
    script(battle, [6, 6, 4, 2, 2])  # a 6 brings a free die
    cast(battle, lord, "Fireball", enemy, 2, free=True)
    assert kind(battle) == "dispel-by" and in_cast(battle, Cast.RESULT) == 20
    script(battle, [2, 1, 1])
    let_be(battle)
    assert told(battle, FIREBALL)[-1]["amount"] == 2
    near, lord, enemy = bearing(owner, apart=23.9)
    assert offered_spells(near, lord) == ["Fireball"]
    scene = RegimentScene(size=(72, 72))
    scene.unit(owner, hero(), (36, 20 if owner == 0 else 52), models=1, items=[RING])
    scene.unit(1 - owner, None, (36, 46 if owner == 0 else 26), models=10)
    assert kind(scene.battle("magic", player=owner, dice=(6, 6))) != "cast-by"


@OWNERS
@pytest.mark.rule("wap.item.enchanted.ruby-ring-of-ruin")
def test_the_ring_is_destroyed_by_a_miscast(owner: int) -> None:
    """1 and 1 reach no 4; no die is rolled for the miscast, and the ring casts nothing in later turns."""
    battle, lord, enemy = bearing(owner)
    script(battle, [1, 1])
    cast(battle, lord, "Fireball", enemy, 1, free=True)
    assert dice_left(battle) == 0 and battle.units.alive[enemy] == 20
    assert told(battle, "wap.magic.bound.miscast-item") == [{"unit": lord.row, "name": "Fireball"}]
    assert not any(event.rule.startswith("wap.magic.miscast") for event in battle.events)
    assert battle.spellbook.known[row_of(battle, lord, "Fireball", bound=True)] == FORGOTTEN
    assert battle.items.used.tolist() == [1]
    assert [word for word in battle.setup.ruleset.states(battle, lord.row) if "Ring" in word] == [f"has used {RING}"]
    assert list(Validator(battle.setup).faults(battle)) == []
    asked = set()
    while battle.clock.round[0] < 3 and not battle.over:
        asked.add(kind(battle))
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert "cast-by" not in asked


@OWNERS
@pytest.mark.rule("wap.item.enchanted.ruby-ring-of-ruin")
def test_the_ring_may_be_kept_and_is_there_in_the_next_turn(owner: int) -> None:
    battle, lord, enemy = bearing(owner)
    script(battle, [2, 1])
    cast(battle, lord, "Fireball", enemy, 1, free=True)
    assert battle.items.used.tolist() == [0] and not told(battle, "wap.magic.bound.miscast-item")
    for _ in range(200):
        if kind(battle) == "cast-by" and battle.clock.turn[0] == owner:
            break
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert offered_spells(battle, lord) == ["Fireball"]
    choose(battle, "done")
    assert kind(battle) != "cast-by" and battle.items.used.tolist() == [0]


@OWNERS
@pytest.mark.rule("wap.item.enchanted.ruby-ring-of-ruin")
def test_a_wizard_casts_with_the_ring_beside_his_own_spells(owner: int) -> None:
    """He adds nothing to the roll: 2 and 1 of a wizard of level 4 reach no 4."""
    battle, lord, enemy = bearing(owner, level=4)
    assert "Fireball" in offered_spells(battle, lord)
    script(battle, [2, 1])
    cast(battle, lord, "Fireball", enemy, 2, bound=True)
    assert told(battle, "wap.magic.cast.value")[-1]["amount"] == 3
    assert told(battle, "wap.magic.cast.value")[-1]["needed"] == 4 and not battle.wizards.cannot_cast[lord]


@OWNERS
@pytest.mark.rule("wap.item.enchanted.ruby-ring-of-ruin", "wap.army.list.hidden")
def test_a_secret_ring_comes_to_light_as_it_is_used(owner: int) -> None:
    """Neither its spell nor the question who casts is known before."""
    battle, lord, enemy = bearing(owner, lists="hidden")
    row = row_of(battle, lord, "Fireball", bound=True)
    for seat, known in ((owner, KNOWN), (1 - owner, UNKNOWN)):
        view = Veil().over(battle, seat)
        assert view.spellbook.known[row] == known and view.clock.asking[0] == (seat == owner)
        assert ("knows Fireball" in battle.setup.ruleset.states(view, lord.row)) == (seat == owner)
    assert SeatView().of(battle, 1 - owner).decision is None and not list(Validator(battle.setup).faults(battle))
    cast(battle, lord, "Fireball", enemy, 0, free=True)
    assert battle.items.seen.tolist() == [1]
    for seat in (0, 1):
        view = Veil().over(battle, seat)
        assert view.spellbook.known[row] == KNOWN and f"has {RING}" in battle.setup.ruleset.states(view, lord.row)
    script(battle, [1, 3])
    choose(battle, "number", 0)
    assert kind(battle) == "dispel-by"


@pytest.mark.parametrize(
    ("spell", "text"),
    [("wap.lore.fire.snowball", "of the lore fire"), ("fireball", "the id of a spell"), ("wap.lore.mud.x", "one of")],
)
def test_an_item_holds_a_spell_that_there_is(spell: str, text: str) -> None:
    effects = [{"bound_spell": spell, "power_level": 4}]
    row = {"name": "Toy", "rule": "wap.item.test", "family": "enchanted", "points": 5, "effects": effects}
    with pytest.raises(ContentError, match=text):
        read_items(validate(ItemFile, {"items": [row]}, "<test>"))
