"""Miscasts (wap.magic.miscast.*)."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero
from houses import house
from wizards import cast, dispel, knowing, known_names, let_be, offered_spells, pools, ring, wizard

from wh_env import Battle
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.magic.earthing import roll_miscast
from wh_env.rulesets.wap.magic.may_cast import castable
from wh_env.rulesets.wap.magic.miscasts import apply_miscast, models_touching
from wh_env.rulesets.wap.magic.spell_dice import Thrown
from wh_env.rulesets.wap.magic.wizards import level_of
from wh_env.testing import choose, dice_left, kind, script, told, words
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle

PLAYERS = pytest.mark.parametrize("player", [0, 1])
EVERY = "Stroke,Shield,Curse,Cloak,Rot,Gale"
POWER_LOSS, ENEMY_CASTS, BACKLASH, DRAIN, DETONATION, AMNESIA, CALAMITY, POSSESSION, CASCADE, DAMNED = range(3, 13)


def miscasting(
    player: int = 0, *, level: int = 4, dice: tuple[int, ...] = (1, 1, 6, 1), pool: int = 3, enemy: int = 0,
    card: dict[str, Any] | None = None, known: str = EVERY, spell: str = "Spark", second: bool = False,
) -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle | None]:  # fmt: skip
    """A wizard of ``player`` has cast a spell with ``pool`` dice of 12, which show ``dice``; the enemy may dispel it."""
    scene = RegimentScene(size=(72, 72))
    sign = 1 if player == 0 else -1
    mage = scene.unit(player, wizard(level, **(card or {})), (36, 36), models=1)
    foe = scene.unit(1 - player, None, (36, 36 + sign * 12), models=40, files=10)
    rival = scene.unit(1 - player, wizard(enemy), (43.5, 36 + sign * 12), models=1) if enemy else None
    if second:
        scene.unit(player, wizard(1), (42, 36), models=1)
    battle = scene.battle(
        "magic", player=player, dice=(6, 6, *[1] * (level + enemy + second)),
        set_state=knowing({mage: known, **({rival: EVERY} if rival else {})}),
    )  # fmt: skip
    script(battle, dice)
    cast(battle, mage, spell, foe, pool)
    return battle, mage, foe, rival


# ---------------------------------------------------------------- when


@pytest.mark.rule("wap.magic.miscast.trigger", "wap.magic.miscast.all-dice")
@PLAYERS
@pytest.mark.parametrize(
    ("dice", "pool", "miscasts"),
    [
        ((1, 1, 6, 5, 2), 4, True),
        ((1, 2, 6, 3), 3, False),
        ((6, 1, 4, 1), 3, True),  # the free die counts
        ((6, 1, 4, 2), 3, False),
        ((1, 1), 2, True),  # although it fails
        ((1,), 1, False),
    ],
)
def test_two_ones_among_all_dice_that_were_rolled(
    player: int, dice: tuple[int, ...], pool: int, miscasts: bool
) -> None:
    """The actual scores count, not the bonus of the level."""
    battle, *_ = miscasting(player, dice=(*dice, 1), pool=pool)
    if kind(battle) == "spell-version":
        choose(battle, "option", 0)
    if kind(battle) == "dispel-by":
        script(battle, [1, 1, *[1] * 20])
        let_be(battle)
    found = [event for event in battle.events if event.kind == "miscasts"]
    assert len(found) == miscasts


@pytest.mark.rule("wap.magic.miscast.all-dice")
def test_ones_are_counted_among_dice_and_free_dice() -> None:
    assert Thrown((6, 1, 4), (1,)).ones == 2 and Thrown((1, 4, 4), ()).ones == 1 and Thrown((1, 1), ()).ones == 2


@pytest.mark.rule("wap.magic.miscast.when", "wap.magic.miscast.roll")
@PLAYERS
@pytest.mark.parametrize("dispelled", [True, False])
def test_it_is_rolled_after_the_dispel_and_the_effects(player: int, dispelled: bool) -> None:
    """Three dice and a free one, and a die of 3 make 7, Detonation: he takes a hit of Strength 10, dispelled or not."""
    battle, mage, foe, _ = miscasting(player)
    assert kind(battle) == "dispel-by" and not told(battle, "wap.magic.miscast.r7")
    script(battle, [6, 6, 5, 1, 1, 3, 1] if dispelled else [1, 6, 3, 1])
    if dispelled:
        dispel(battle, None, 3)
    else:
        let_be(battle)
    rules = [event.rule for event in battle.events]
    assert told(battle, "wap.magic.miscast.r7") == [{"unit": mage.row, "name": "Spark", "die": 3, "result": 7}]
    assert ("wap.magic.type.missile" in rules) != dispelled
    if not dispelled:
        assert rules.index("wap.magic.type.missile") < rules.index("wap.magic.miscast.r7")
    assert battle.units.alive[foe] == (40 if dispelled else 39)
    assert told(battle, "wap.shoot.wound.roll")[-1]["target"] == mage.row


@pytest.mark.rule("wap.magic.miscast.roll")
@pytest.mark.parametrize(
    ("rolled", "die", "rule"),
    [(2, 1, "r2-3"), (2, 2, "r4"), (4, 1, "r5"), (4, 2, "r6"), (4, 3, "r7"), (4, 4, "r8"), (4, 5, "r9"), (4, 6, "r10"),
     (6, 5, "r11"), (6, 6, "r12"), (8, 6, "r12")],
)  # fmt: skip
def test_the_table(rolled: int, die: int, rule: str) -> None:
    battle, mage, _, _ = miscasting()
    script(battle, [die] + [1] * 30)
    assert roll_miscast(battle, mage.row, 0, rolled, 0) == min(12, die + rolled)
    assert told(battle, f"wap.magic.miscast.{rule}")[0]["result"] == min(12, die + rolled)


# ---------------------------------------------------------------- results


@pytest.mark.rule("wap.magic.miscast.r2-3")
@PLAYERS
def test_power_loss(player: int) -> None:
    """Two dice and a die of 1: he casts nothing more in this phase, and takes no hit."""
    card = {"bound": ring("Curse", 4)}
    battle, mage, _, _ = miscasting(player, dice=(1, 1, 1), pool=2, second=True, card=card)
    assert kind(battle) == "cast-by" and offered_spells(battle, mage) == []  # nor from his ring
    assert told(battle, "wap.magic.miscast.r2-3")[0]["result"] == 3 and dice_left(battle) == 0
    assert battle.models.wounds[mage.first] == 2


@pytest.mark.rule("wap.magic.miscast.r4")
@PLAYERS
@pytest.mark.parametrize(("dice", "saved"), [((3, 4), True), ((3, 3), False)])
def test_the_enemy_casts_a_spell_without_dice(player: int, dice: tuple[int, int], saved: bool) -> None:
    """The spell that miscast has a value of 9: Gale of 10 is not offered, Shield of 8 is, and is cast in its base
    version; the active player dispels it on 8 with power dice, with a wizard's bonus."""
    battle, mage, foe, rival = miscasting(player, level=2, dice=(1, 1, 4, 1), pool=3, enemy=4, spell="Rot")
    assert rival is not None and kind(battle) == "cast-at-once" and battle.decision is not None
    assert battle.decision.player == 1 - player and battle.legal()[0]
    assert offered_spells(battle, rival) == ["Spark", "Stroke", "Shield", "Curse", "Cloak", "Rot"]
    before = pools(battle)
    script(battle, dice)
    cast(battle, rival, "Shield", rival, 0)
    assert kind(battle) == "dispel-by" and battle.decision.player == player
    assert battle.legal()[battle.setup.space.own + mage.number]
    dispel(battle, mage, 2)
    assert told(battle, "wap.magic.dispel.value")[-1]["needed"] == 8
    assert pools(battle)[player] == before[player] - 2 and pools(battle)[1 - player] == before[1 - player]
    assert battle.lines.t[battle.units.first_line[rival]] == (3 if saved else 4)
    assert kind(battle) == "cast-by" and battle.decision.player == player and foe.row != rival.row
    assert offered_spells(battle, mage) == ["Spark", "Stroke", "Shield", "Curse", "Cloak", "Gale"]


@pytest.mark.rule("wap.magic.miscast.r4")
@PLAYERS
def test_the_enemy_may_let_it_be(player: int) -> None:
    battle, *_ = miscasting(player, level=2, dice=(1, 1, 4, 1), pool=3, enemy=4, spell="Rot")
    choose(battle, "done")
    assert kind(battle) == "cast-by" and battle.decision is not None and battle.decision.player == player


@pytest.mark.rule("wap.magic.miscast.r4", "wap.magic.cast.once", "wap.magic.rip.dispel-failed")
@PLAYERS
def test_who_may_not_cast_may_not_cast_at_once_either(player: int) -> None:
    """He has failed to dispel a spell in play in this phase, or flees; a spell that he has cast so already, he does not
    cast so again in this turn."""
    battle, mage, foe, rival = miscasting(player, level=2, dice=(1, 1, 4, 1), pool=3, enemy=4, spell="Rot")
    assert rival is not None
    for column in ("cannot_cast", "fleeing"):
        copy = battle.clone()
        getattr(copy.wizards if column == "cannot_cast" else copy.units, column)[rival] = 1
        assert offered_or_none(copy, rival) == []
    cast(battle, rival, "Cloak", rival, 0)
    let_be(battle)
    script(battle, [1, 1, 3, 1])
    cast(battle, mage, "Curse", foe, 3)
    assert offered_spells(battle, rival) == ["Spark", "Stroke", "Curse"]  # not above 7, and not Cloak


def offered_or_none(battle: Battle, unit: UnitHandle) -> list[int]:
    """Spells of a unit that could be cast at once."""
    return castable(battle, unit.row, 10)


@pytest.mark.rule("wap.magic.miscast.r4")
def test_the_range_of_a_spell_cast_at_once_is_that_of_its_base_version() -> None:
    """The enemy is 30 inches away: Curse reaches so far only boosted. Bound spells are not cast so."""
    scene = RegimentScene(size=(72, 72))
    mage = scene.unit(0, wizard(2), (36, 10), models=1)
    friend = scene.unit(0, None, (44, 10), models=5)
    rival = scene.unit(1, wizard(4, bound=ring("Cloak", 4)), (36, 40), models=1)
    battle = scene.battle("magic", dice=(6, 6, *[1] * 6), set_state=knowing({mage: "Shield", rival: "Curse,Shield"}))
    script(battle, [1, 1, 2])
    cast(battle, mage, "Shield", friend, 2)
    assert kind(battle) == "cast-at-once" and offered_spells(battle, rival) == ["Shield"]


@pytest.mark.rule("wap.magic.miscast.r4")
@PLAYERS
def test_a_spell_in_play_cast_at_once_is_not_dispelled_again_in_this_phase(player: int) -> None:
    battle, mage, _, rival = miscasting(player, level=2, dice=(1, 1, 4, 1), pool=3, enemy=4, spell="Rot")
    assert rival is not None
    cast(battle, rival, "Cloak", rival, 0)
    let_be(battle)
    assert kind(battle) == "cast-by" and not any("dispel" in text for text in words(battle).values())
    assert list(Validator(battle.setup).faults(battle)) == [] and mage.row != rival.row


@pytest.mark.rule("wap.magic.miscast.r5")
@PLAYERS
def test_backlash(player: int) -> None:
    """A hit of Strength 4 on the wizard and on friends within 12 inches who can channel; he casts no more."""
    scene = RegimentScene(size=(72, 72))
    host = scene.unit(player, None, (36, 36.5), facing=NORTH, models=10, files=5)
    mage = scene.unit(player, wizard(4), inside=host, models=1, post=2)
    near = scene.unit(player, wizard(1), (36, 36.5 + 13), facing=NORTH, models=1)
    far = scene.unit(player, wizard(1), (36 + 1 + 12.2, 36.5), facing=NORTH, models=1)
    flees = scene.unit(player, wizard(1), (30, 30), facing=NORTH, models=1, fleeing=1)
    lord = scene.unit(player, hero(), (38, 40), facing=NORTH, models=1)
    enemy = scene.unit(1 - player, wizard(1), (36, 28), models=1)
    battle = scene.battle("magic", player=player, run=False)
    apply_miscast(battle, mage.row, 0, BACKLASH)
    hit = [event["target"] for event in told(battle, "wap.shoot.wound.roll")]
    assert hit == [mage.row, near.row]
    assert all(event["needed"] == 3 for event in told(battle, "wap.shoot.wound.roll"))
    assert battle.wizards.cannot_cast[mage] and not battle.wizards.cannot_cast[near]
    for unit in (far, flees, lord, enemy, host):
        assert unit.row not in hit


@pytest.mark.rule("wap.magic.miscast.r6")
@PLAYERS
@pytest.mark.parametrize(("left", "die", "after"), [(5, 4, 3), (5, 1, 4), (5, 6, 2), (1, 4, 0)])
def test_power_drain(player: int, left: int, die: int, after: int) -> None:
    """He may go on casting."""
    battle, mage, _, _ = miscasting(player)
    battle.pools.dice[player] = left
    script(battle, [die])
    apply_miscast(battle, mage.row, 0, DRAIN)
    assert pools(battle)[player] == after and not battle.wizards.cannot_cast[mage]


@pytest.mark.rule("wap.magic.miscast.r7")
@PLAYERS
def test_detonation(player: int) -> None:
    """In the middle of the front rank of a unit of 5 by 2: he and the five models around him."""
    scene = RegimentScene()
    host = scene.unit(player, None, (24, 24), models=9, files=5)
    mage = scene.unit(player, wizard(4), inside=host, models=1, post=2)
    foe = scene.unit(1 - player, None, (24, 40 if player == 0 else 8), models=10)
    battle = scene.battle("magic", player=player, run=False)
    assert len(models_touching(battle, mage.row)) == 5
    script(battle, [1] * 5 + [2])
    apply_miscast(battle, mage.row, 0, DETONATION)
    found = told(battle, "wap.shoot.wound.roll")
    assert [(event["target"], event["amount"], event["needed"]) for event in found] == [
        (host.row, 5, 2), (mage.row, 1, 2),
    ]  # fmt: skip
    assert battle.models.wounds[mage.first] == 1 and foe.row != host.row


@pytest.mark.rule("wap.magic.miscast.r7")
@PLAYERS
def test_detonation_strikes_foes_in_contact_and_characters_themselves(player: int) -> None:
    """Nobody takes a hit for a hero beside him: no template is used."""
    scene = RegimentScene()
    host = scene.unit(player, None, (24, 24), models=13, files=5)
    mage = scene.unit(player, wizard(4), inside=host, models=1, post=2)
    lord = scene.unit(player, hero(), inside=host, models=1, post=3)
    foe = scene.beside(host, 1 - player, models=15, files=5)
    battle = scene.battle("magic", player=player, run=False)
    script(battle, [1] * 20)
    apply_miscast(battle, mage.row, 0, DETONATION)
    found = {event["target"]: event["amount"] for event in told(battle, "wap.shoot.wound.roll")}
    assert found == {host.row: 4, lord.row: 1, foe.row: 3, mage.row: 1}


@pytest.mark.rule("wap.core.unit.self-contact")
@PLAYERS
@pytest.mark.parametrize(("gap", "touched"), [(0.5, False), (0.0, True)])
def test_nobody_is_in_contact_with_himself(player: int, gap: float, touched: bool) -> None:
    """Alone he takes only the hit that the miscast gives to himself; models that touch his base take one each."""
    scene = RegimentScene()
    mage = scene.unit(player, wizard(4, w=5), (24, 24), facing=NORTH, models=1)
    friend = scene.unit(player, None, (24, 25 + gap), facing=NORTH, models=1, files=1)
    scene.unit(1 - player, None, (4, 40 if player == 0 else 8), models=10)
    battle = scene.battle("magic", player=player, run=False)
    assert models_touching(battle, mage.row) == ([friend.first] if touched else [])
    script(battle, [6, 6])
    apply_miscast(battle, mage.row, 0, DETONATION)
    found = [(event["target"], event["amount"]) for event in told(battle, "wap.shoot.wound.roll")]
    assert found == [*([(friend.row, 1)] if touched else []), (mage.row, 1)]
    assert battle.models.wounds[mage.first] == 4


@pytest.mark.rule("wap.magic.miscast.r8")
@PLAYERS
def test_amnesia(player: int) -> None:
    """Four dice and a die of 4: he forgets that spell, and casts the others, in this phase too; what he kept up with it
    ends."""
    battle, mage, foe, _ = miscasting(player, dice=(1, 1, 4, 2), pool=4, spell="Curse")
    script(battle, [4])
    let_be(battle)
    assert told(battle, "wap.magic.miscast.r8")[0]["result"] == 8
    assert "Curse" not in known_names(battle, mage) and "Cloak" in offered_spells(battle, mage)
    assert "Curse" not in offered_spells(battle, mage)
    assert battle.lines.t[battle.units.first_line[foe]] == 3
    choose(battle, "done")
    while not (kind(battle) == "cast-by" and battle.clock.turn[0] == player):
        battle.apply(battle.first_legal())
    assert "Curse" not in known_names(battle, mage)
    assert list(Validator(battle.setup).faults(battle)) == []


@pytest.mark.rule("wap.magic.miscast.r9", "wap.magic.miscast.r11")
@PLAYERS
@pytest.mark.parametrize(("result", "radius"), [(CALAMITY, 1.5), (CASCADE, 2.5)])
def test_templates_centred_on_the_wizard(player: int, result: int, radius: float) -> None:
    """Bases 0.1 inches within the rim and 0.1 beyond it."""
    scene = RegimentScene()
    mage = scene.unit(player, wizard(4), (24, 24.5), facing=NORTH, models=1)
    inner = scene.unit(player, None, (24 + radius - 0.1 + 0.5, 24.5), facing=NORTH, models=1, files=1)
    outer = scene.unit(1 - player, None, (24 - radius - 0.1 - 0.5, 24.5), facing=NORTH, models=1, files=1)
    battle = scene.battle("magic", player=player, run=False)
    script(battle, [1, 1])
    apply_miscast(battle, mage.row, 0, result)
    found = told(battle, "wap.shoot.wound.roll")
    assert [(event["target"], event["amount"], event["needed"]) for event in found] == [
        (inner.row, 1, 2), (mage.row, 1, 2),
    ]  # fmt: skip
    assert outer.row not in [event["target"] for event in found]


@pytest.mark.rule("wap.magic.miscast.r9", "wap.magic.miscast.r11")
@PLAYERS
@pytest.mark.parametrize("result", [CALAMITY, CASCADE])
def test_the_wizard_himself_is_hit_in_the_midst_of_his_unit(player: int, result: int) -> None:
    """Nobody takes it for him; for another hero beneath the template a soldier does.
    Bases that the rim just touches are hit."""
    scene = RegimentScene()
    host = scene.unit(player, None, (24, 24), models=18, files=5)
    mage = scene.unit(player, wizard(4), inside=host, models=1, post=2)
    lord = scene.unit(player, hero(), inside=host, models=1, post=3)
    scene.unit(1 - player, None, (24, 44 if player == 0 else 4), models=10)
    battle = scene.battle("magic", player=player, run=False)
    script(battle, [1] * 30)
    apply_miscast(battle, mage.row, 0, result)
    found = {event["target"]: event["amount"] for event in told(battle, "wap.shoot.wound.roll")}
    assert found[mage.row] == 1 and lord.row not in found
    assert found[host.row] == (8 if result == CALAMITY else 15)


@pytest.mark.rule("wap.magic.miscast.r10")
@PLAYERS
def test_possession(player: int) -> None:
    """He survives the hit: level 2 with spells 1 and 4 becomes level 1 with spell 1, without a die for the spell."""
    battle, mage, _, _ = miscasting(player, level=2, known="Stroke,Cloak")
    script(battle, [1, 1])
    apply_miscast(battle, mage.row, 0, POSSESSION)
    assert level_of(battle, mage.row) == 1 and known_names(battle, mage) == ["Spark", "Stroke"]
    assert dice_left(battle) == 1
    one, mage, _, _ = miscasting(player, level=1, known="Stroke", dice=(5,), pool=1)
    script(one, [1])
    apply_miscast(one, mage.row, 0, POSSESSION)
    assert level_of(one, mage.row) == 0 and known_names(one, mage) == []
    dead, mage, _, _ = miscasting(player, level=2, known="Stroke,Cloak", card={"w": 1})
    script(dead, [6])
    apply_miscast(dead, mage.row, 0, POSSESSION)
    assert dead.units.place[mage] == DESTROYED


@pytest.mark.rule("wap.magic.miscast.r12")
@PLAYERS
@pytest.mark.parametrize("inside", [True, False])
def test_damned(player: int, inside: bool) -> None:
    """Six dice and a die of 6: he is slain without a save, whatever his Wounds."""
    scene = RegimentScene()
    card = wizard(4, w=3, rules=["Ward Save (4+)", "Magic Resistance (3)"])
    host = scene.unit(player, None, (34, 24), models=10, files=5)
    mage = scene.unit(player, card, inside=host, models=1) if inside else scene.unit(player, card, (24, 24), models=1)
    foe = scene.unit(1 - player, None, (30, 38 if player == 0 else 10), models=20)
    battle = scene.battle("magic", player=player, dice=(6, 6, 1, 1, 1, 1))
    script(battle, [1, 1, 2, 2, 2, 2, 1, 1, 6])
    cast(battle, mage, "Spark", foe, 6)
    let_be(battle)
    assert told(battle, "wap.magic.miscast.r12")[0]["result"] == 12
    assert battle.units.place[mage] == DESTROYED and dice_left(battle) == 0
    assert not any(e["unit"] == mage.row for e in told(battle, "wap.shoot.save.roll"))
    assert battle.units.place[host] == ON_TABLE


@pytest.mark.rule("wap.building.magic.templates")
@PLAYERS
@pytest.mark.parametrize("result", [DETONATION, CALAMITY, CASCADE])
@pytest.mark.parametrize(("die", "soldiers"), [(4, 3), (1, 0), (6, 5)])
def test_a_miscast_in_a_building_hits_d6_models(player: int, result: int, die: int, soldiers: int) -> None:
    """He is one of them; nobody outside is."""
    scene = RegimentScene()
    house(scene)
    host = scene.unit(player, None, models=15, garrison=0)
    mage = scene.unit(player, wizard(4), inside=host, models=1)
    friend = scene.unit(player, None, (22.5, 19.9), models=5)
    battle = scene.battle("magic", player=player, run=False)
    script(battle, [die] + [1] * 10)
    apply_miscast(battle, mage.row, 0, result)
    found = {event["target"]: event["amount"] for event in told(battle, "wap.shoot.wound.roll")}
    assert found == ({host.row: soldiers, mage.row: 1} if soldiers else {mage.row: 1})
    assert dice_left(battle) == 9 - soldiers and friend.row not in found


@pytest.mark.rule("wap.building.magic.templates")
def test_no_more_models_are_hit_than_are_in_the_building() -> None:
    scene = RegimentScene()
    house(scene)
    host = scene.unit(0, None, models=2, garrison=0)
    mage = scene.unit(0, wizard(4), inside=host, models=1)
    lord = scene.unit(0, hero(), inside=host, models=1)
    scene.unit(1, None, (40, 40), models=5)
    battle = scene.battle("magic", run=False)
    script(battle, [6] + [1] * 10)
    apply_miscast(battle, mage.row, 0, CASCADE)
    found = {event["target"]: event["amount"] for event in told(battle, "wap.shoot.wound.roll")}
    assert found == {host.row: 2, lord.row: 1, mage.row: 1}


@pytest.mark.rule("wap.building.magic.templates")
@PLAYERS
@pytest.mark.parametrize("result", [CALAMITY, CASCADE])
def test_a_miscast_beside_a_building_hits_no_model_inside_twice(player: int, result: int) -> None:
    """The template on a wizard outside touches the building: a 6 finds the two soldiers and the lord inside."""
    scene = RegimentScene()
    house(scene)
    host = scene.unit(1 - player, None, models=2, garrison=0)
    lord = scene.unit(1 - player, hero(), inside=host, models=1)
    mage = scene.unit(player, wizard(4), (22.5, 19), facing=NORTH, models=1)
    battle = scene.battle("magic", player=player, run=False)
    script(battle, [6] + [1] * 10)
    apply_miscast(battle, mage.row, 0, result)
    found = {event["target"]: event["amount"] for event in told(battle, "wap.shoot.wound.roll")}
    assert found == {host.row: 2, lord.row: 1, mage.row: 1}


@pytest.mark.rule("wap.special.magic-resistance.ward")
def test_magic_resistance_is_no_help_against_a_miscast() -> None:
    """It is no damage of a spell."""
    battle, mage, _, _ = miscasting(card={"rules": ["Magic Resistance (3)"]})
    script(battle, [6, 6])
    apply_miscast(battle, mage.row, 0, POSSESSION)
    assert battle.models.wounds[mage.first] == 1 and dice_left(battle) == 1
