"""Breath attacks: in the Shooting phase with the flame template, in close combat, their recharge."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, pi
from typing import Any

import numpy as np
import pytest

from tests.arming import beast, man
from wh_env import Battle
from wh_env.content.errors import ContentError
from wh_env.rulesets.wap.codes import MARCHED, RALLIED, REFORMED, STAYED
from wh_env.rulesets.wap.combat.fighters import OWN
from wh_env.rulesets.wap.shooting.flames import FLAME, beneath, can_breathe, lies_in_front, placings
from wh_env.rulesets.wap.special.breath import blow_of_breath
from wh_env.rulesets.wap.weapons.hit import FLAMING, RANGED
from wh_env.rulesets.wap.weapons.saves import points_against
from wh_env.testing import dice_left, kind, pick, slots, told, words
from wh_env.testing.wap import EAST, NORTH, SOUTH, RegimentScene, UnitHandle, fight, fight_again, square

FIRE = "Breath Attack (S4, Flaming Attacks)"
POISON = "Breath Attack (S3)"
HERO = square(character=True, size=[1, 1], w=2)


def drake(*breaths: str, **values: Any) -> dict[str, Any]:
    """A monster of Initiative 8 that breathes."""
    return beast("monster", rules=[*(breaths or (FIRE,)), *values.pop("rules", [])], i=8, w=6, t=6, s=6, **values)


def facing_each_other(
    mine: dict[str, Any] | None = None, theirs: dict[str, Any] | None = None, *, dice: Sequence[int] = (), models: int = 20,
    far: float = 3.0, archers: bool = False, **columns: Any,
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """A drake that looks north at a unit 3 inches before it, in the Shooting phase."""
    scene = RegimentScene()
    a = scene.unit(0, mine or drake(), (24, 20), models=1, facing=NORTH, **columns)
    if archers:
        scene.unit(0, man("bow"), (12, 20), models=5, facing=NORTH)
    b = scene.unit(1, theirs or man(), (24, 20 + far), models=models, files=min(5, models), facing=SOUTH)
    return scene.battle("shooting", dice=dice), a, b


def north(battle: Battle) -> int:
    """The slot of angles that is north."""
    return battle.setup.space.angles // 4


def breathe(battle: Battle, with_what: str = "breathes (") -> None:
    """The only drake breathes northwards."""
    pick(battle, "unit 00 shoots")
    pick(battle, with_what, kind="choose-breath")
    if kind(battle) == "breath-direction":
        battle.apply(battle.setup.space.angle + north(battle))


# ---------------------------------------------------------------- the Shooting phase


@pytest.mark.rule("wap.special.breath.template")
def test_who_is_beneath_the_template_is_hit() -> None:
    """Twenty in ranks of five 3 inches ahead: those whose bases the drop touches are hit, counted here by points of it."""
    battle, a, b = facing_each_other(dice=[1] * 20)
    far, inside = FLAME.length - FLAME.radius, set[int]()
    for along in np.linspace(0.0, FLAME.length, 161):
        for aside in np.linspace(-FLAME.radius, FLAME.radius, 51):
            slope = FLAME.radius / far
            on_side = along <= far and abs(aside) <= along * slope / (1 + slope**2) ** 0.5
            if on_side or hypot(along - far, aside) <= FLAME.radius:
                x, y = 24.0 + aside, 20.0 + along
                inside |= {
                    k
                    for k in battle.members(b.row)
                    if abs(battle.models.x[k] - x) <= 0.5 and abs(battle.models.y[k] - y) <= 0.5
                }
    assert set(placings(battle, a.row)[north(battle)]) == inside and 8 <= len(inside) <= 14
    breathe(battle)
    event = told(battle, "wap.special.breath.template")[0]
    assert event["amount"] == len(inside) and list(event["targets"]) == [b.row]
    assert told(battle, "wap.shoot.wound.roll")[0]["needed"] == 3
    assert dice_left(battle) == 20 - len(inside)


@pytest.mark.rule("wap.special.breath.template")
def test_the_template_lies_in_the_front_quarter() -> None:
    """Every direction offered keeps the whole drop within 45 degrees of the corners of the base; the next one to either side does not."""
    battle, a, _ = facing_each_other(theirs=man(), models=40, far=1.1)
    model, angles = a.first, battle.setup.space.angles
    half = battle.models.half_b[model]

    def within(turn: float) -> bool:
        far = FLAME.length - FLAME.radius
        around = np.linspace(0.0, 2 * pi, 721)
        along = far * np.cos(turn) + FLAME.radius * np.cos(around)
        aside = far * np.sin(turn) + FLAME.radius * np.sin(around)
        return bool(np.all(np.abs(aside) - half <= along + 1e-3))

    turns = [(slot - north(battle)) * 2 * pi / angles for slot in range(angles)]
    assert [lies_in_front(half, turn) for turn in turns] == [within(turn) for turn in turns]
    pick(battle, "unit 00 shoots")
    pick(battle, "breathes (")
    offered = slots(battle, "angle")
    assert offered == [
        slot for slot, turn in enumerate(turns) if within(turn) and beneath(battle, model, slot * 2 * pi / angles)
    ]
    assert north(battle) in offered and 3 <= len(offered) < angles // 4


@pytest.mark.rule("wap.special.breath.template")
def test_no_template_over_friends_or_over_who_fights() -> None:
    for player, fights in ((0, False), (1, True), (1, False)):
        scene = RegimentScene()
        a = scene.unit(0, drake(), (24, 20), models=1, facing=NORTH)
        scene.unit(1, man(), (24, 23), models=5, files=5, facing=SOUTH)
        other = scene.unit(player, man(), (24, 26), models=5, files=5, facing=SOUTH)
        if fights:
            scene.beside(other, 0, man(), side=2, models=5)
        battle = scene.battle("shooting")
        assert (north(battle) in placings(battle, a.row)) == (player == 1 and not fights)


@pytest.mark.rule("wap.special.breath.shooting")
def test_who_has_marched_or_reformed_breathes() -> None:
    for did, breathes in ((MARCHED, True), (REFORMED, True), (RALLIED, False), (STAYED, True)):
        battle, _, _ = facing_each_other(did=did)
        assert (kind(battle) == "select-to-shoot") == breathes
    assert kind(facing_each_other(fleeing=1)[0]) != "select-to-shoot"
    assert kind(facing_each_other(far=9.0)[0]) != "select-to-shoot"


@pytest.mark.rule("wap.special.breath.shooting")
def test_no_breath_against_a_charge() -> None:
    """Who has nothing but its breath is not offered to stand and shoot."""
    scene = RegimentScene()
    scene.unit(0, man(m=6), (24, 20), models=10, files=5, facing=NORTH)
    scene.unit(1, drake(), (24, 28), models=1, facing=SOUTH)
    battle = scene.battle("movement")
    pick(battle, "unit 00", kind="declare-charge")
    assert kind(battle) == "charge-reaction"
    assert not any("shoot" in text for text in words(battle).values())
    assert not told(battle, "wap.special.breath.template")


@pytest.mark.rule("wap.special.breath.use")
def test_once_in_a_phase_and_not_at_all_if_its_player_wants() -> None:
    """Archers are still to shoot, so that the phase goes on."""
    two = drake(FIRE, POISON)
    for answer, used in (("does not breathe", 0), ("breathes (S4", 1), ("breathes (S3", 2)):
        battle, a, _ = facing_each_other(two, dice=[1] * 20, archers=True)
        pick(battle, "unit 00 shoots")
        assert len(words(battle)) == 3
        pick(battle, answer, kind="choose-breath")
        if used:
            battle.apply(battle.setup.space.angle + north(battle))
        assert kind(battle) == "select-to-shoot" and not can_breathe(battle, a.row)
        assert not any("unit 00" in text for text in words(battle).values())
        assert battle.units.breaths[a] == used


@pytest.mark.rule("wap.special.breath.recharge")
def test_a_breath_that_was_used_needs_a_four() -> None:
    for die, fires in ((3, False), (4, True)):
        battle, a, _ = facing_each_other(dice=[die, *[1] * 20], breaths=1)
        breathe(battle)
        assert told(battle, "wap.special.breath.recharge")[0]["passed"] == fires
        assert bool(told(battle, "wap.special.breath.template")) == fires
    battle, a, _ = facing_each_other(drake(FIRE, POISON), dice=[1] * 20, breaths=2)
    breathe(battle, "breathes (S4")
    assert not told(battle, "wap.special.breath.recharge") and battle.units.breaths[a.row] == 3


@pytest.mark.rule("wap.special.breath.nature")
def test_who_is_immune_to_a_breath_takes_no_harm() -> None:
    battle, _, b = facing_each_other(theirs=man(rules=["Immunity (Flaming Attacks)"]), dice=[6] * 40)
    breathe(battle)
    assert battle.units.alive[b] == 20 and dice_left(battle) == 40
    battle, _, b = facing_each_other(drake(POISON), man(rules=["Immunity (Flaming Attacks)"]), dice=[6] * 40)
    breathe(battle)
    assert battle.units.alive[b] < 20


@pytest.mark.rule("wap.special.breath.nature")
def test_cover_does_not_help_and_armour_does_as_against_templates() -> None:
    """Behind a wall hits need no dice, and Strength 4 wounds Toughness 3 on 3+; armour counts as against blows."""
    scene = RegimentScene()
    scene.unit(0, drake(), (24, 20), models=1, facing=NORTH)
    b = scene.unit(1, man("hand weapon", "light armour"), (24, 23), models=20, files=5, facing=SOUTH)
    wall = [(16.0, 22.2), (32.0, 22.2), (32.0, 22.6), (16.0, 22.6)]
    scene.features.append({"kind": "open", "cover": "heavy", "name": None, "polygon": wall})
    battle = scene.battle("shooting", dice=[3] * 60)
    hit = blow_of_breath("S4, Flaming Attacks").hit
    assert hit.strength == 4 and hit.nature & FLAMING and hit.nature & RANGED
    assert points_against(battle, b.row, hit, 0) == 1
    struck = len(placings(battle, 0)[north(battle)])
    breathe(battle)
    wounds = told(battle, "wap.shoot.wound.roll")[0]
    assert wounds["amount"] == struck == wounds["result"] and wounds["needed"] == 3
    assert not any(event.kind == "shoots" for event in battle.recorder)


@pytest.mark.rule("wap.troop.swarm.templates")
def test_a_swarm_base_takes_a_die_of_hits() -> None:
    """Three bases one behind the other, 2, 4 and 6 hits."""
    scene = RegimentScene()
    a = scene.unit(0, drake(), (24, 20), models=1, facing=NORTH)
    scene.unit(1, {**beast("swarm", w=5), "base_mm": [40, 40]}, (24, 21.2), models=3, files=1, facing=SOUTH)
    battle = scene.battle("shooting", dice=[2, 4, 6, *[1] * 12])
    assert len(placings(battle, a.row)[north(battle)]) == 3
    breathe(battle)
    assert [event["die"] for event in told(battle, "wap.troop.swarm.templates")] == [2, 4, 6]
    assert told(battle, "wap.shoot.wound.roll")[0]["amount"] == 12 and dice_left(battle) == 0


def with_hero(
    soldiers: int, hero: dict[str, Any], dice: Sequence[int], **columns: Any
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A drake before a unit with a hero in the middle of its front rank."""
    scene = RegimentScene()
    scene.unit(0, drake(), (24, 20), models=1, facing=NORTH)
    b = scene.unit(1, man(), (24, 23), models=soldiers, files=3, facing=SOUTH, **columns)
    c = scene.unit(1, hero, models=1, inside=b, post=1)
    return scene.battle("shooting", dice=dice), b, c


def test_a_comrade_takes_the_hit_of_a_character() -> None:
    battle, b, c = with_hero(8, HERO, [1] * 20)
    models = placings(battle, 0)[north(battle)]
    assert c.first in models
    breathe(battle)
    assert {event["target"] for event in told(battle, "wap.character.look-out-sir.template")} == {c.row}
    rolled = {event["target"]: event["amount"] for event in told(battle, "wap.shoot.wound.roll")}
    assert rolled == {b.row: len(models)}


@pytest.mark.rule("wap.character.look-out-sir.limits")
def test_few_soldiers_and_others_of_another_kind_look_out_for_nobody() -> None:
    """The champion is one of the soldiers; who rides a warhorse stands out from men on foot, and so does a larger creature."""
    for soldiers, saved in ((4, False), (5, True)):
        battle, b, c = with_hero(soldiers, HERO, [1] * 20, command=("champion",))
        assert c.first in placings(battle, 0)[north(battle)]
        breathe(battle)
        struck = {event["target"] for event in told(battle, "wap.shoot.wound.roll")}
        assert (c.row not in struck) == saved and b.row in struck
    horse = square(type="cavalry", character=True, size=[1, 1], base_mm=[25.4, 50.8], w=2)
    ogre = square(type="monstrous infantry", character=True, size=[1, 1], base_mm=[25.4, 25.4], w=3)
    for other in (horse, ogre):
        battle, b, c = with_hero(20, other, [1] * 40)
        breathe(battle)
        assert {c.row, b.row} <= {event["target"] for event in told(battle, "wap.shoot.wound.roll")}


# ---------------------------------------------------------------- close combat


def grappling(
    theirs: dict[str, Any] | None = None, models: int = 8, mine: dict[str, Any] | None = None, *, dice: Sequence[int] = (), **columns: Any
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """A drake in contact with a unit."""
    scene = RegimentScene()
    a = scene.unit(0, mine or drake(a=5), (24, 24), models=1, facing=NORTH, **columns)
    b = scene.beside(a, 1, theirs or man(), models=models, files=min(5, models))
    return scene.battle("combat", dice=dice, run=False), a, b


@pytest.mark.rule("wap.special.breath.use")
def test_the_choice_in_close_combat() -> None:
    battle, a, _ = grappling(mine=drake(FIRE, POISON, a=5), dice=[2, 2, *[1] * 40])
    fight(battle, a)
    assert kind(battle) == "choose-breath" and len(words(battle)) == 3
    pick(battle, "does not breathe")
    assert told(battle, "wap.combat.attacks.number")[0]["amount"] == 5
    assert not told(battle, "wap.special.breath.combat")


@pytest.mark.rule("wap.special.breath.combat")
def test_no_model_takes_more_than_one_hit() -> None:
    """Eleven hits on eight models are eight, on a lone monster one; the drake makes no other attacks but its stomp."""
    for theirs, models, hits in ((man(), 8, 8), (beast("monster", w=5), 1, 1), (man(), 20, 11)):
        battle, a, b = grappling(theirs, models, dice=[5, 6, *[1] * 60])
        fight(battle, a)
        pick(battle, "breathes (")
        event = told(battle, "wap.special.breath.combat")[0]
        assert (event["rolls"], event["amount"], event["targets"]) == ((5, 6), hits, (b.row,))
        assert told(battle, "wap.combat.wound.roll")[0]["amount"] == hits
        assert battle.models.struck[a.first] & OWN
        mine = [event for event in told(battle, "wap.combat.hit.roll") if event["unit"] == a.row]
        assert not mine


@pytest.mark.rule("wap.special.breath.combat")
def test_its_player_says_which_of_several_enemies() -> None:
    scene = RegimentScene()
    a = scene.unit(0, drake(), (24, 24), models=1, facing=NORTH)
    scene.beside(a, 1, man(), models=2, files=2)
    c = scene.beside(a, 1, man(), side=1, models=2, files=2)
    battle = scene.battle("combat", dice=[1, 2, *[1] * 60], run=False)
    fight(battle, a)
    pick(battle, "breathes (")
    assert kind(battle) == "breath-target" and len(words(battle)) == 2
    pick(battle, "unit 11")
    assert told(battle, "wap.special.breath.combat")[0]["targets"] == (c.row,)


@pytest.mark.rule("wap.special.breath.recharge")
def test_who_finds_no_breath_strikes() -> None:
    battle, a, _ = grappling(dice=[3, *[1] * 60], breaths=1)
    fight(battle, a)
    pick(battle, "breathes (")
    assert not told(battle, "wap.special.breath.combat")
    assert told(battle, "wap.combat.attacks.number")[0]["amount"] == 5
    battle, a, _ = grappling(dice=[4, 1, 1, *[1] * 60], breaths=1)
    fight(battle, a)
    pick(battle, "breathes (")
    assert told(battle, "wap.special.breath.combat")


@pytest.mark.rule("wap.special.breath.use")
@pytest.mark.rule("wap.special.breath.recharge")
def test_the_next_round_asks_again() -> None:
    battle, a, _ = grappling(beast("monster", w=9), 1, dice=[1, 1, *[1] * 60])
    fight(battle, a)
    pick(battle, "breathes (")
    fight_again(battle, a, dice=[6, 1, 1, *[1] * 60])
    pick(battle, "breathes (", kind="choose-breath")
    assert len(told(battle, "wap.special.breath.combat")) == 2
    assert len(told(battle, "wap.special.breath.recharge")) == 1


@pytest.mark.rule("wap.special.breath.result")
def test_wounds_of_a_breath_count_for_the_result() -> None:
    battle, a, b = grappling(dice=[2, 3, 6, 6, 6, 6, 6, *[1] * 60])
    fight(battle, a)
    pick(battle, "breathes (")
    assert battle.units.dealt[a] == 5 and battle.units.alive[b] == 3


@pytest.mark.rule("wap.special.breath.nature")
def test_immunity_helps_in_close_combat_too() -> None:
    battle, a, b = grappling(man(rules=["Immunity (Flaming Attacks)"]), dice=[6, 6, *[1] * 60])
    fight(battle, a)
    pick(battle, "breathes (")
    assert battle.units.dealt[a] == 0 and battle.units.alive[b] == 8


# ---------------------------------------------------------------- cards


@pytest.mark.parametrize(
    ("card", "words_of"),
    [
        (beast("monster", rules=["Breath Attack"]), "no Strength"),
        (beast("monster", rules=["Breath Attack (S4, Stubborn)"]), "no Strength"),
        (man(rules=["Breath Attack (S4)"]), "unit by itself"),
    ],
)
def test_cards_say_breaths_in_full(card: dict[str, Any], words_of: str) -> None:
    with pytest.raises(ContentError, match=words_of):
        RegimentScene().unit(0, card, (24, 24), models=1, facing=EAST)
