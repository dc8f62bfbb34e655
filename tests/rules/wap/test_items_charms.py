"""Magic items that act by themselves on the first hit or wound of their bearer."""

from __future__ import annotations

import pytest
from carrying import duel, saves
from guarding import alone, in_unit, shot, struck, under_spells
from heroes import hero
from wizards import cast, let_be

from tests.machine_scenes import HIT, Range
from wh_env import Battle
from wh_env.core.views import SeatView
from wh_env.rulesets.wap.basics.carried import Moment
from wh_env.rulesets.wap.basics.charms import charm_of, hits_that_land
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.view.audit_items import ItemAudit
from wh_env.rulesets.wap.view.tell import sentence
from wh_env.rulesets.wap.weapons.hit import BANISHING, RANGED, Hit
from wh_env.testing import kind, script, told
from wh_env.testing.wap import RegimentScene, fight, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
SHIELD, AMULET = "wap.item.armour.charmed-shield", "wap.item.talisman.opal-amulet"
SHOT = Hit(3, nature=RANGED)


def said(battle: Battle, rule: str) -> list[str | None]:
    """The events of an item in words."""
    return [sentence(battle, event) for event in battle.events if event.rule == rule]


# ---------------------------------------------------------------- the first hit


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.armour.charmed-shield", "wap.item.general.one-use")
@pytest.mark.parametrize(("die", "lost"), [(2, 0), (6, 0), (1, 1)])
def test_the_charmed_shield_stops_the_first_blow(owner: int, detail: str, die: int, lost: int) -> None:
    """Of one hit; of two hits at once it stops one, and none after that. It is a shield: 6+, and a parry."""
    wound = [] if die > 1 else [4, 5, 5]
    assert struck(owner, ["Charmed Shield"], [4, die, *wound], detail=detail)[1] == lost
    rest = [4, 5, 6] if die > 1 else [4, 4, 5, 5, 6, 6]
    expected = ([(6, 6)], 0)
    assert struck(owner, ["Charmed Shield"], [4, 4, die, *rest], foe={"a": 2}, detail=detail) == expected


@OWNERS
@pytest.mark.rule("wap.item.armour.charmed-shield")
@pytest.mark.parametrize(("die", "left"), [(2, 5), (1, 4)])
def test_the_charmed_shield_is_used_up_by_the_first_hit(owner: int, die: int, left: int) -> None:
    """Whether it stops that or not, and even if that would not have wounded."""
    battle, own, foe = alone(owner, ["Charmed Shield"])
    audit = ItemAudit(battle)
    assert battle.items.used[0] == 0 and charm_of(battle, own.row, Moment.FIRST_HIT) == 0
    shot(battle, own, foe, [die] if die > 1 else [die, 4, 1], (1, SHOT))
    assert battle.models.wounds[own.model()] == left and battle.items.used[0] == battle.items.seen[0] == 1
    stops = "ignores the hit" if die > 1 else "does not stop the hit"
    assert said(battle, SHIELD) == [
        f"{own.regiment.name} uses Charmed Shield",
        f"Charmed Shield of {own.regiment.name} {stops}: {die}, 2+ needed",
    ]
    assert shot(battle, own, foe, [4, 2], (1, SHOT)) == [(5, 7)] and battle.models.wounds[own.model()] == left - 1
    assert not told(battle, SHIELD) and not audit.faults()


@OWNERS
@pytest.mark.rule("wap.item.armour.charmed-shield")
def test_a_hit_that_wounds_nobody_is_a_hit(owner: int) -> None:
    battle, own, foe = alone(owner, ["Charmed Shield"])
    shot(battle, own, foe, [1, 1], (1, SHOT))
    assert battle.models.wounds[own.model()] == 5
    assert shot(battle, own, foe, [4, 2], (1, SHOT)) == [(5, 7)] and battle.models.wounds[own.model()] == 4


@OWNERS
@pytest.mark.rule("wap.item.armour.charmed-shield")
def test_the_charmed_shield_guards_its_bearer_and_not_his_unit(owner: int) -> None:
    battle, host, own, foe = in_unit(owner, ["Charmed Shield"])
    assert shot(battle, host, foe, [4, 4], (2, SHOT)) == [] and battle.units.alive[host] == 8
    assert not battle.items.used[0]
    assert shot(battle, own, foe, [2], (1, SHOT)) == [] and battle.items.used[0]
    battle, host, own, foe = in_unit(owner, ["Charmed Shield"])
    slay(battle, own.model())
    assert charm_of(battle, own.row, Moment.FIRST_HIT) == -1


@OWNERS
@pytest.mark.rule("wap.item.armour.charmed-shield")
@pytest.mark.parametrize(("die", "left"), [(2, 5), (1, 1)])
def test_the_charmed_shield_stops_a_cannonball(owner: int, die: int, left: int) -> None:
    place = Range(1 - owner)
    own = place.enemy(hero(w=5), (34, 24), items=["Charmed Shield"], files=1)
    place.enemy(None, (60, 40), models=10)
    wound = [] if die > 1 else [2, 4]
    battle = place.battle([HIT, 0, 1, 4, die, *wound])
    place.fire(battle, own, 34.5, 24)
    assert [(row["die"], row["result"]) for row in told(battle, SHIELD) if "die" in row] == [(die, int(die > 1))]
    assert battle.models.wounds[own.model()] == left


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.armour.charmed-shield")
def test_the_charmed_shield_stops_one_hit_of_a_spell(owner: int, detail: str) -> None:
    battle, mage, target, own = under_spells(owner, ["Charmed Shield"], detail=detail)
    script(battle, [4, 5, 2, 4, 4])
    cast(battle, mage, "Stroke", target, 2)
    if kind(battle) == "dispel-by":
        let_be(battle)
    assert battle.models.wounds[own.model()] == 4 and battle.items.used[0] == 1


# ---------------------------------------------------------------- the first wound


@OWNERS
@DETAILS
@pytest.mark.rule("wap.item.talisman.opal-amulet", "wap.item.general.one-use")
@pytest.mark.parametrize("worn", [[], ["heavy armour"]])
@pytest.mark.parametrize(("die", "lost"), [(2, 0), (1, 1)])
def test_the_opal_amulet_saves_the_first_wound(owner: int, detail: str, worn: list[str], die: int, lost: int) -> None:
    """After a failed armour save; the second wound, at the same time or later, meets no ward save."""
    save = [3] if worn else []
    needed = [(4, 7)] if worn else []
    bearer = {"equipment": worn}
    one, two = [4, 4, *save, die], [4, 4, 4, 4, *save, *save, die]
    assert struck(owner, ["Opal Amulet"], one, bearer=bearer, detail=detail) == (needed, lost)
    assert struck(owner, ["Opal Amulet"], two, bearer=bearer, foe={"a": 2}, detail=detail) == (needed, lost + 1)
    battle, own, foe = alone(owner, ["Opal Amulet"], bearer)
    shot(battle, own, foe, [4, *save, die], (1, SHOT))
    saves_it = "saves the wound" if die > 1 else "does not save the wound"
    assert said(battle, AMULET) == [
        f"{own.regiment.name} uses Opal Amulet",
        f"Opal Amulet of {own.regiment.name} {saves_it}: {die}, 2+ needed",
    ]
    shot(battle, own, foe, [4, *save], (1, SHOT))
    assert battle.models.wounds[own.model()] == 5 - lost - 1 and not told(battle, AMULET)


@OWNERS
@pytest.mark.rule("wap.item.talisman.opal-amulet")
def test_the_opal_amulet_waits_for_a_wound_that_armour_does_not_stop(owner: int) -> None:
    """Hits that do not wound, and saved wounds, leave it; so do those of his unit."""
    battle, own, foe = alone(owner, ["Opal Amulet"], {"equipment": ["heavy armour"]})
    assert shot(battle, own, foe, [4, 3, 4], (2, SHOT)) == [(4, 7)] and not battle.items.used[0]
    shot(battle, own, foe, [4, 3, 2], (1, SHOT))
    assert battle.items.used[0] and battle.models.wounds[own.model()] == 5
    battle, host, own, foe = in_unit(owner, ["Opal Amulet"])
    shot(battle, host, foe, [4], (1, SHOT))
    assert not battle.items.used[0] and battle.units.alive[host] == 9


@OWNERS
@pytest.mark.rule("wap.item.talisman.opal-amulet")
@pytest.mark.parametrize(("dice", "lost"), [([2], 0), ([1], 1), ([2, 4], 0), ([1, 4], 1), ([1, 3], 2)])
def test_the_opal_amulet_is_not_combined_with_other_ward_saves(owner: int, dice: list[int], lost: int) -> None:
    """The first wound meets the amulet alone, the second the ward save that he has besides."""
    number = len(dice)
    battle, own, foe = alone(owner, ["Opal Amulet"], {"rules": ["Ward Save (4+)"]})
    shot(battle, own, foe, [4] * number + dice, (number, SHOT))
    assert battle.models.wounds[own.model()] == 5 - lost


@OWNERS
@pytest.mark.rule("wap.item.talisman.opal-amulet")
@pytest.mark.parametrize(("again", "lost"), [(2, 0), (1, 1)])
def test_the_opal_amulet_against_what_breaks_ward_saves(owner: int, again: int, lost: int) -> None:
    """A save that holds is rolled again; and a killing blow is a wound."""
    battle, own, foe = alone(owner, ["Opal Amulet"])
    shot(battle, own, foe, [4, 5, again], (1, Hit(3, nature=RANGED | BANISHING)))
    assert battle.models.wounds[own.model()] == 5 - lost
    killer = square(i=5, rules=["Killing Blow"])
    battle, own, _ = duel(owner, ["Opal Amulet"], bearer={"w": 5, "i": 1}, foe=killer, foes=1)
    script(battle, [4, 6, again, 1, 1, 1])
    fight(battle, own)
    assert bool(battle.units.alive[own]) == (again > 1) and saves(battle, own) == []


@OWNERS
@pytest.mark.rule("wap.army.list.hidden")
def test_an_item_that_a_seat_does_not_know_is_no_charm_to_it(owner: int) -> None:
    """Two heroes have one each; in the battle as the enemy's seat knows it no hit on them is cancelled."""
    scene = RegimentScene(rules={"lists": "hidden"})
    heroes = [
        scene.unit(owner, hero(w=5), (x, 20), models=1, files=1, items=[item])
        for x, item in ((24, "Talisman of Protection"), (34, "Charmed Shield"))
    ]
    scene.unit(1 - owner, None, (24, 40 if owner == 0 else 4), models=5)
    battle = scene.battle("shooting", player=1 - owner, run=False)
    for seat, row in ((owner, 1), (1 - owner, -1)):
        known = SeatView().of(battle, seat)
        assert [charm_of(known, own.row, Moment.FIRST_HIT) for own in heroes] == [-1, row]
    assert [hits_that_land(known, own.row, 1) for own in heroes] == [1, 1]
