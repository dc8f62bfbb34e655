"""Magic items that the enemy does not know (wap.army.list.hidden), and what observations show of items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from arcana import Duel, duel
from heroes import hero
from results import scored, side
from wizards import cast, dispel, knowing, let_be, wizard

from wh_env import Battle
from wh_env.core.features import Veil
from wh_env.core.tables import ON_TABLE
from wh_env.core.validation import Validator
from wh_env.core.views import SeatView
from wh_env.envs.observation import Observer, column_of
from wh_env.rulesets.wap.items.windows import UseItems
from wh_env.rulesets.wap.magic.dispelling import own_bonus
from wh_env.rulesets.wap.magic.may_cast import own_bonus_for
from wh_env.rulesets.wap.magic.wizards import rows_of
from wh_env.rulesets.wap.view.audit_items import ItemAudit
from wh_env.rulesets.wap.weapons.hit import Hit
from wh_env.rulesets.wap.weapons.saves import unsaved
from wh_env.testing import choose, kind, script, slots, told, words
from wh_env.testing.wap import RegimentScene, UnitHandle, fight, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
HIDDEN = {"lists": "hidden"}
EAGER = {
    "name": "Eager Blade", "rule": "wap.item.test", "family": "weapon", "points": 5, "as": "hand-weapon",
    "effects": [{"stat": "A", "by": 2}, {"grant": ["fear"]}],
}  # fmt: skip
ITEMS = [EAGER, "Armour of Fortune", "Talisman of Protection", "Potion of Strength"]
WAYS = 2.0 ** -np.arange(1, 9)  # of the first, second, ... thing in a field


def standing(
    owner: int, lists: str = "hidden", *, near: bool = False, **card: Any
) -> tuple[RegimentScene, UnitHandle, UnitHandle]:
    """A hero of ``owner`` with a great weapon and items, alone, and an enemy unit far away or in contact."""
    scene = RegimentScene(rules={"lists": lists})
    bearer = hero(**{"a": 3, "i": 4, "equipment": ["great weapon", "light armour"], **card})
    own = scene.unit(owner, bearer, (24, 24), models=1, files=1, items=ITEMS)
    if near:
        return scene, own, scene.beside(own, 1 - owner, square(i=5, ws=3), models=5)
    return scene, own, scene.unit(1 - owner, None, (6, 40 if owner == 0 else 8), models=10)


def seen(battle: Battle, seat: int, unit: UnitHandle, name: str) -> float:
    """A field of a unit in the observation of a seat."""
    part = "own" if unit.player == seat else "enemy"
    found = Observer(battle.setup, "entities").observe(battle, seat)[part]
    return float(found[unit.number, column_of("wap", part, name)])


def states(battle: Battle, seat: int, unit: UnitHandle) -> list[str]:
    """The words about a unit in the view of a seat."""
    return battle.setup.ruleset.states(Veil().over(battle, seat), unit.row)


@OWNERS
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.rule("wap.army.list.hidden")
def test_items_are_secret_until_they_are_used(owner: int, detail: str) -> None:
    """The enemy's roster names the great weapon; profile, armour, rules and words are those without items."""
    scene, own, _ = standing(owner)
    battle = scene.battle("movement", player=owner, detail=detail, run=False)
    (entry,) = [row for row in battle.setup.statics["rosters"][owner] if row["name"] == own.regiment.name]
    assert "great weapon" in entry["equipment"] and "items" not in entry
    for name, with_items, without in (
        ("profile_a", 0.5, 0.3),
        ("armour", 2 / 6, 1 / 6),
        ("fear", 1.0, 0.0),
        ("items", float(WAYS[:4].sum()), 0.0),
        ("which_items", float(WAYS[:4].sum()), 0.0),
    ):
        assert seen(battle, owner, own, name) == pytest.approx(with_items), name
        assert seen(battle, 1 - owner, own, name) == pytest.approx(without), name
    carried = ["has Eager Blade", "has Armour of Fortune", "has Talisman of Protection", "has Potion of Strength"]
    assert [word for word in states(battle, owner, own) if word.startswith("has ")] == carried
    assert [word for word in states(battle, 1 - owner, own) if word.startswith("has ")] == []
    shown = SeatView().of(battle, 1 - owner)
    assert shown.items.item.tolist() == [-1] * 4 and shown.lines.a[battle.units.first_line[own.row]] == 3


@OWNERS
@pytest.mark.rule("wap.army.list.hidden")
def test_a_talisman_is_secret_as_its_bearer_is_deployed(owner: int) -> None:
    """The great weapon is not."""
    scene = RegimentScene(rules=HIDDEN)
    bearer = hero(w=9, equipment=["great weapon", "light armour"])
    own = scene.unit(owner, bearer, models=1, items=["Talisman of Protection"])
    scene.unit(1 - owner, None, models=20)
    battle = scene.battle("deployment", detail="full")
    while battle.clock.round[0] == 0:
        battle.apply(battle.first_legal())
    assert battle.units.place[own.row] == ON_TABLE
    (entry,) = [row for row in battle.setup.statics["rosters"][owner] if row["name"] == own.regiment.name]
    assert "great weapon" in entry["equipment"] and "items" not in entry
    for seat, known in ((owner, 1), (1 - owner, 0)):
        assert ("has Talisman of Protection" in states(battle, seat, own)) == known
        assert (seen(battle, seat, own, "items") > 0) == known


@OWNERS
@pytest.mark.rule("wap.army.list.hidden")
def test_open_lists_tell_both_players(owner: int) -> None:
    scene, own, _ = standing(owner, "open")
    battle = scene.battle("movement", player=owner, run=False)
    (entry,) = [row for row in battle.setup.statics["rosters"][owner] if row["name"] == own.regiment.name]
    assert list(entry["items"]) == [item if isinstance(item, str) else item["name"] for item in ITEMS]
    for seat in (0, 1):
        assert seen(battle, seat, own, "profile_a") == 0.5 and seen(battle, seat, own, "fear") == 1.0
        assert seen(battle, seat, own, "items") == pytest.approx(WAYS[:4].sum())
        assert "has Potion of Strength" in states(battle, seat, own)
    assert Veil().over(battle, 1 - owner) is battle


@OWNERS
@pytest.mark.rule("wap.army.list.hidden")
def test_a_round_of_close_combat_shows_what_acts_all_the_time(owner: int) -> None:
    """Not the potion, which its bearer has kept. Each is told once. Profile, armour and rules are those that count."""
    scene, own, _ = standing(owner, near=True, t=9, w=9)
    battle = scene.battle("combat", player=owner, run=False)
    assert seen(battle, 1 - owner, own, "profile_a") == pytest.approx(0.3)
    fight(battle, own)
    shown = [row["name"] for row in told(battle, "wap.army.list.hidden")]
    assert shown == ["Eager Blade", "Armour of Fortune", "Talisman of Protection"]
    assert battle.items.seen.tolist() == [1, 1, 1, 0]
    for seat in (0, 1):
        assert states(battle, seat, own)[-3:] != [] and "has Eager Blade" in states(battle, seat, own)
    assert "has Potion of Strength" not in states(battle, 1 - owner, own)
    assert seen(battle, 1 - owner, own, "items") == pytest.approx(WAYS[:3].sum())
    for name, value in (("profile_a", 0.5), ("armour", 2 / 6), ("fear", 1.0)):
        assert seen(battle, 1 - owner, own, name) == pytest.approx(value), name
    assert battle.setup.ruleset.sentence(battle, next(e for e in battle.events if e.rule == "wap.army.list.hidden"))


@OWNERS
@pytest.mark.rule("wap.army.list.hidden")
def test_the_question_about_an_unknown_item_is_secret(owner: int) -> None:
    """The enemy does not see who is asked what; once the potion is drunk both know of it."""
    scene, own, _ = standing(owner)
    battle = scene.battle("movement", player=owner)
    assert kind(battle) == "use-item" and battle.clock.player[0] == owner
    other, mine = Veil().over(battle, 1 - owner), Veil().over(battle, owner)
    assert (other.clock.asking[0], other.clock.subject[0]) == (0, -1) and mine.clock.subject[0] == own.row
    item = Observer(battle.setup, "entities")
    for seat, value in ((owner, 4 / 32), (1 - owner, 0.0)):
        decision = item.observe(battle, seat)["decision"]
        assert decision[column_of("wap", "decision", "item")] == pytest.approx(value)
    assert "Potion" not in " ".join(states(battle, 1 - owner, own))
    script(battle, [4])
    choose(battle, "option")
    for seat in (0, 1):
        assert "has used Potion of Strength" in states(battle, seat, own)
    assert battle.items.seen.tolist() == [0, 0, 0, 1]
    assert seen(battle, owner, own, "items") == pytest.approx(WAYS[:3].sum())  # the potion is used up
    assert seen(battle, 1 - owner, own, "items") == 0.0


@OWNERS
@pytest.mark.rule("wap.army.list.hidden")
def test_a_potion_that_is_kept_stays_secret(owner: int) -> None:
    scene, own, _ = standing(owner)
    battle = scene.battle("movement", player=owner)
    before = len(battle.events)
    assert any("Potion" in text for text in words(battle).values())
    battle.apply(0)
    assert not [event for event in battle.events[before:] if "Potion" in str(event)]
    assert battle.items.seen.tolist() == [0] * 4 and seen(battle, 1 - owner, own, "items") == 0.0


@OWNERS
@pytest.mark.rule("wap.army.list.hidden")
def test_a_secret_banner_is_no_effect_in_the_enemy_s_eyes(owner: int) -> None:
    scene = RegimentScene(rules=HIDDEN)
    unit = scene.unit(owner, None, (24, 24), models=10, command=["standard"], banner="Lichebone Pennant")
    scene.beside(unit, 1 - owner, None, models=10)
    battle = scene.battle("combat", player=owner, run=False)
    assert "Lichebone Pennant" in states(battle, owner, unit)
    assert not [word for word in states(battle, 1 - owner, unit) if "Pennant" in word]
    assert Veil().over(battle, 1 - owner).effects.effect.tolist() == [-1] * len(battle.effects.effect)
    fight(battle, unit)
    assert "has Lichebone Pennant" in states(battle, 1 - owner, unit)
    assert "Lichebone Pennant" in states(battle, 1 - owner, unit)


@OWNERS
@pytest.mark.rule("wap.army.list.hidden")
def test_what_a_secret_banner_lends_is_in_no_profile_under_it(owner: int) -> None:
    """One more Leadership for the unit of the bearer, and for who is in it."""
    scene = RegimentScene(rules=HIDDEN)
    banner: dict[str, Any] = {"command": ["standard"], "banner": "Standard of Discipline"}
    unit = scene.unit(owner, square(ld=6), (24, 24), models=10, **banner)
    lord = scene.unit(owner, hero(ld=8), inside=unit, models=1)
    scene.unit(1 - owner, None, (6, 40 if owner == 0 else 8), models=10)
    battle = scene.battle("movement", player=owner, run=False)
    for seat, more in ((owner, 1), (1 - owner, 0)):
        shown = SeatView().of(battle, seat)
        assert [shown.lines.ld[battle.units.first_line[one.row]] for one in (unit, lord)] == [6 + more, 8 + more]
        for one, plain in ((unit, 6), (lord, 8)):
            assert seen(battle, seat, one, "profile_ld") == pytest.approx((plain + more) / 10)


@OWNERS
@pytest.mark.rule("wap.army.list.hidden")
def test_a_saving_throw_shows_armour_and_no_weapon(owner: int) -> None:
    scene, own, _ = standing(owner)
    battle = scene.battle("shooting", player=1 - owner, run=False)
    script(battle, [1, 1])
    unsaved(battle, own.row, 1, Hit(3), 0)
    shown = ["Armour of Fortune", "Talisman of Protection"]
    assert [row["name"] for row in told(battle, "wap.army.list.hidden")] == shown
    assert battle.items.seen.tolist() == [0, 1, 1, 0]
    assert seen(battle, 1 - owner, own, "items") == pytest.approx(WAYS[1:3].sum())
    assert seen(battle, 1 - owner, own, "profile_a") == pytest.approx(0.3)  # the blade is still unknown


@OWNERS
@pytest.mark.rule("wap.army.list.hidden")
def test_a_banner_that_helps_to_dispel_comes_to_light(owner: int) -> None:
    scene = RegimentScene(size=(72, 72), rules=HIDDEN)
    mage = scene.unit(1 - owner, wizard(2), (36, 36), models=1)
    unit = scene.unit(
        owner, None, (36, 48 if owner else 24), models=20, command=["standard"], banner="Lichebone Pennant"
    )
    battle = scene.battle("magic", player=1 - owner, dice=(6, 6, 1, 1), set_state=knowing({mage: "Stroke"}))
    battle.pools.dice[owner] = 6
    script(battle, [6, 4])
    cast(battle, mage, "Stroke", unit, 1)
    assert battle.items.seen.tolist() == [0]
    script(battle, [4, 5, 1, 1])
    dispel(battle, None, 2)
    assert told(battle, "wap.magic.dispel.value")[-1]["amount"] == 10 and battle.items.seen.tolist() == [1]


@OWNERS
@pytest.mark.parametrize("lists", ["open", "hidden"])
def test_hidden_lists_change_no_rule(owner: int, lists: str) -> None:
    scene, own, enemy = standing(owner, lists, near=True, t=9, w=9)
    assert side(scored(scene, own), owner)["fear"] == 1
    battle = scene.battle("combat", player=owner, run=False)
    assert battle.lines.a[battle.units.first_line[own.row]] == 5
    fight(battle, own)
    attacks = [row["amount"] for row in told(battle, "wap.combat.attacks.number") if row["unit"] == own.row]
    assert attacks == [5] and battle.units.alive[enemy]


# ---------------------------------------------------------------- arcane items


@OWNERS
@pytest.mark.rule("wap.army.list.hidden")
def test_a_secret_arcane_item_adds_nothing_in_the_enemy_s_eyes(owner: int) -> None:
    """A wizard of level 2 has a bonus of 1; a wand adds 1 to casting, a sceptre 1 to dispelling."""
    d = duel(owner, ["Wand of Jet", "Sceptre of Stability"], lists="hidden")
    row = rows_of(d.battle, d.mage.row)[0]
    for seat, bonus in ((owner, 2), (1 - owner, 1)):
        shown = SeatView().of(d.battle, seat)
        assert own_bonus_for(shown, d.mage.row, row) == bonus and own_bonus(shown, d.mage.row) == bonus


def staff_channels(owner: int) -> Battle:
    """The winds blow, and the wizard channels."""
    return duel(owner, ["Channelling Staff"], lists="hidden").battle


def wand_casts(owner: int) -> Battle:
    """The wizard rolls for a spell."""
    d = duel(owner, ["Wand of Jet"], lists="hidden")
    cast(d.battle, d.mage, "Stroke", d.target, 0)
    assert d.battle.items.seen.tolist() == [0]
    script(d.battle, [4, 4])
    choose(d.battle, "number", 1)
    return d.battle


def more_dice_cast(owner: int) -> Battle:
    """A wizard of level 2 rolls four dice for a spell, and then five for another one."""
    d = duel(owner, ["Wizard's Staff"], lists="hidden")
    script(d.battle, [4, 3, 2, 2])
    cast(d.battle, d.mage, "Stroke", d.target, 4)
    assert d.battle.items.seen.tolist() == [0]
    script(d.battle, [1, 1])
    let_be(d.battle)
    script(d.battle, [4, 3, 2, 2, 1])
    cast(d.battle, d.mage, "Curse", d.target, 5)
    return d.battle


def sceptre_dispels(owner: int) -> Battle:
    """The wizard rolls to dispel a spell."""
    d = duel(1 - owner, (), ["Sceptre of Stability"], lists="hidden")
    script(d.battle, [5, 4])
    cast(d.battle, d.mage, "Stroke", d.target, 2)
    assert d.battle.items.seen.tolist() == [0]
    script(d.battle, [5, 3])
    dispel(d.battle, d.rival, 2)
    return d.battle


def familiar_brings_a_die(owner: int) -> Battle:
    """A Magic phase of the wizard's player has begun."""
    return duel(owner, ["Power Familiar"], lists="hidden").battle


def familiar_brings_a_spell(owner: int) -> Battle:
    """A wizard of level 2 selects two spells, and then a third."""
    scene = RegimentScene(rules=HIDDEN)
    scene.unit(owner, wizard(2), models=1, items=["Spell Familiar"])
    scene.unit(1 - owner, None, models=10)
    battle = scene.battle("deployment", detail="full")
    for _ in range(3):
        assert kind(battle) == "learn-spell" and battle.items.seen.tolist() == [0]
        choose(battle, "number", slots(battle, "number")[0])
    return battle


@OWNERS
@pytest.mark.parametrize(
    "uses",
    [
        staff_channels, wand_casts, more_dice_cast, sceptre_dispels, familiar_brings_a_die, familiar_brings_a_spell
    ],
)  # fmt: skip
@pytest.mark.rule("wap.army.list.hidden")
def test_an_item_that_helps_magic_comes_to_light_as_it_helps(owner: int, uses: Callable[[int], Battle]) -> None:
    battle = uses(owner)
    assert battle.items.seen.tolist() == [1]
    assert len(told(battle, "wap.army.list.hidden")) == 1


def asked_to_store(owner: int) -> Duel:
    """A wizard may keep dice that were not used."""
    d = duel(owner, ["Rod of Power"], lists="hidden", winds=(1, 1))
    choose(d.battle, "done")
    return d


def asked_to_roll_again(owner: int) -> Duel:
    """A wizard may roll dice of an attempt again."""
    d = duel(owner, ["Luck Stone"], lists="hidden")
    script(d.battle, [1, 1, 5])
    cast(d.battle, d.mage, "Stroke", d.target, 3)
    return d


def asked_to_earth(owner: int) -> Duel:
    """A wizard may roll a miscast again."""
    d = duel(owner, ["Earthing Rod"], lists="hidden", mage={"w": 3, "t": 3})
    script(d.battle, [1, 1, 5, 4, 6])
    cast(d.battle, d.mage, "Spark", d.target, 4)
    script(d.battle, [1, 1, 6])
    choose(d.battle, "done")
    return d


@OWNERS
@pytest.mark.parametrize(
    ("asks", "question"),
    [(asked_to_store, "store-dice"), (asked_to_roll_again, "luck-die"), (asked_to_earth, "earth-miscast")],
)
@pytest.mark.rule("wap.army.list.hidden")
def test_questions_about_an_unknown_arcane_item_are_secret(
    owner: int, asks: Callable[[int], Duel], question: str
) -> None:
    d = asks(owner)
    assert kind(d.battle) == question and d.battle.clock.player[0] == owner
    for seat, shown in ((owner, (1, d.mage.row)), (1 - owner, (0, -1))):
        view = Veil().over(d.battle, seat)
        assert (view.clock.asking[0], view.clock.subject[0]) == shown
    assert SeatView().of(d.battle, 1 - owner).decision is None
    assert d.battle.items.seen.tolist() == [0]


@OWNERS
@pytest.mark.rule("wap.army.list.hidden")
def test_what_an_unknown_item_keeps_is_secret(owner: int) -> None:
    """A gem keeps in mind which spell was dispelled. Once it has taught that, both players know of it."""
    scene = RegimentScene(size=(72, 72), rules=HIDDEN)
    y = 30 if owner else 36
    mage = scene.unit(1 - owner, wizard(4), (36, y), models=1)
    target = scene.unit(owner, None, (36, 66 - y), models=20)
    bearer = scene.unit(owner, wizard(2, "fire"), (8, 66 - y), models=1, items=["Gem of Tarante"])
    battle = scene.battle("magic", player=1 - owner, dice=(6, 6, *[1] * 6), set_state=knowing({mage: "Stroke"}))
    script(battle, [4, 4, 2])
    cast(battle, mage, "Stroke", target, 3)
    script(battle, [6, 5, 5])
    dispel(battle, bearer, 3)
    assert kind(battle) == "use-item"
    kept = battle.items.charge.tolist()[0]
    assert kept > 0
    for seat, charge in ((owner, kept), (1 - owner, 0)):
        assert SeatView().of(battle, seat).items.charge.tolist() == [charge]
    choose(battle, "option")
    for seat in (0, 1):
        assert "has used Gem of Tarante" in states(battle, seat, bearer)
        assert "knows Stroke" in states(battle, seat, bearer)


# ---------------------------------------------------------------- states


def faults(battle: Battle) -> list[str]:
    """The faults of a stored state."""
    return [str(fault) for fault in Validator(battle.setup).faults(battle)]


@OWNERS
@pytest.mark.parametrize("lists", ["open", "hidden"])
def test_a_battle_with_items_is_cloned_and_stored(owner: int, lists: str) -> None:
    """At the question about the potion, and after it; both play on alike."""
    scene, own, _ = standing(owner, lists)
    battle = scene.battle("movement", player=owner)
    assert not faults(battle)
    stored = battle.state_bytes()
    copy = battle.clone()
    script(copy, [4])
    choose(copy, "option")
    assert copy.items.used.tolist() == [0, 0, 0, 1] and not faults(copy)
    assert battle.items.used.tolist() == [0] * 4 and battle.state_bytes() == stored
    again = battle.clone()
    for one in (battle, again):
        script(one, [4])
        choose(one, "option")
        assert one.lines.s[one.units.first_line[own.row]] == 5 and one.items.used[3]
    assert battle.state_bytes() == again.state_bytes() == copy.state_bytes()


@OWNERS
@pytest.mark.parametrize("lists", ["open", "hidden"])
@pytest.mark.parametrize(
    ("change", "told_"),
    [
        (lambda g: g.stack.__setitem__(g.frame + UseItems.ASKED, 4), "UseItems"),
        (lambda g: g.stack.__setitem__(g.frame + UseItems.THEIRS, 1), "UseItems"),
        (lambda g: g.items.used.__setitem__(3, 1), "items"),
        (lambda g: g.items.item.__setitem__(0, 1), "items[0].item"),
        (lambda g: g.items.item.__setitem__(0, -1), "items[0].item"),
    ],
)
def test_broken_states_are_found(owner: int, lists: str, change: Callable[[Battle], None], told_: str) -> None:
    """A question about no item, an item that was used in secret, and another item than the bearer's."""
    scene, _, _ = standing(owner, lists)
    battle = scene.battle("movement", player=owner)
    if told_ == "items":
        battle.items.seen[3] = 0
    change(battle)
    assert any(told_ in fault for fault in faults(battle)), faults(battle)


@OWNERS
@pytest.mark.parametrize("column", ["used", "seen"])
def test_the_audit_knows_what_was_used_and_seen(owner: int, column: str) -> None:
    scene, own, _ = standing(owner)
    battle = scene.battle("movement", player=owner)
    audit = ItemAudit(battle)
    choose(battle, "option")
    assert audit.faults() == []
    getattr(battle.items, column)[3] = 0
    assert audit.faults() == [f"Potion of Strength of unit {own.row} is as if it had not been used or seen"]
