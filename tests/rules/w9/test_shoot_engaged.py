"""Shooting at units that are engaged and by units that are (w9.shoot.locked.target, w9.shoot.big-guns.*, w9.weapon.blast.engaged)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.testing import choose, dice_left, melee, pick, ranged, sheet, slots, told, words

HIT = "w9.attack.hit"
GUN = ranged(24, BS=3)
LOST = "w9.shoot.big-guns.others"


def targets(battle):
    """Names of the units that may be targeted in the waiting decision."""
    assert battle.decision.kind in ("shoot-target", "weapon-target"), battle.decision
    units, first = battle.setup.names["units"], battle.players.first_unit[1 - battle.decision.player]
    return [units[first + slot] for slot in slots(battle, "enemy")]


def asked(battle):
    """The model and weapon that the waiting decision is about."""
    (text,) = {w.split(":")[0] for w in words(battle).values()}
    return text


@pytest.mark.rule("w9.shoot.locked.target")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("keywords", [("INFANTRY",), ("VEHICLE",), ("MONSTER",)])
@pytest.mark.parametrize(("gap", "offered"), [(0.9, False), (1.0, False), (1.1, True)])
def test_a_unit_engaged_with_friends_is_no_target(detail, player, keywords, gap, offered):
    scene = NinthScene()
    scene.unit(player, sheet("A1", weapons={"gun": GUN}), at=(10, 10))
    scene.unit(player, sheet("A2", weapons={"fist": melee()}), at=(20, 20))
    scene.unit(1 - player, sheet("B1", keywords=keywords), at=(20, 21 + gap))
    scene.unit(1 - player, sheet("B2"), at=(10, 20))
    battle = scene.battle("shooting", active=player, detail=detail)
    pick(battle, "A1")
    if detail == "squad" and not offered:
        assert battle.decision is None or battle.decision.kind != "shoot-target"  # B2 is the only one: nothing is asked
        assert {e["target"] for e in told(battle, HIT)} == {3 if player == 0 else 1}
        return
    assert targets(battle) == (["B1", "B2"] if offered else ["B2"])


def tank(keywords=("VEHICLE",), **weapons):
    """A unit of one big model with some weapons."""
    return sheet("Tank", weapons=weapons, keywords=keywords, W=10, T=7, base_mm=60)


def engaged(weapons, *, player=0, detail="full", dice=(), keywords=("VEHICLE",), b1=None, friend=False, active=True):
    """A big model 0.5" from B1, with B2 about 15" away."""
    scene = NinthScene()
    unit = scene.unit(player, tank(keywords, **weapons), at=(20, 20))
    if friend:
        scene.unit(player, sheet("A2", weapons={"fist": melee()}), at=(20, 24.2))
    foe = scene.unit(1 - player, b1 or sheet("B1", Sv=6), at=(20, 22.2))
    far = scene.unit(1 - player, sheet("B2", W=9, Sv=6), at=(36, 20))
    return scene.battle("shooting", active=player, detail=detail, dice=list(dice)), unit, foe, far


@pytest.mark.rule("w9.shoot.big-guns")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("keywords", [("VEHICLE",), ("MONSTER",)])
def test_a_big_model_shoots_at_those_it_is_engaged_with(player, keywords):
    """B1 is engaged with a friendly unit too; B2 is no target of an only weapon."""
    battle, _, foe, _ = engaged({"gun": GUN}, player=player, keywords=keywords, friend=True, dice=[3, 5, 1])
    pick(battle, "Tank")
    assert targets(battle) == ["B1"]
    pick(battle, "at B1")
    assert [e["target"] for e in told(battle, HIT)] == [foe]
    assert battle.units.alive[foe] == 0


@pytest.mark.rule("w9.shoot.big-guns")
@pytest.mark.parametrize("player", [0, 1])
def test_squad_detail_offers_only_units_it_is_engaged_with(player):
    scene = NinthScene()
    scene.unit(player, tank(gun=GUN, cannon=GUN), at=(20, 20))
    for name, at in (("B1", (20, 22.2)), ("B2", (36, 20)), ("B3", (20, 17.8))):
        scene.unit(1 - player, sheet(name), at=at)
    battle = scene.battle("shooting", active=player)
    pick(battle, "Tank")
    assert targets(battle) == ["B1", "B3"]


@pytest.mark.rule("w9.shoot.big-guns")
def test_others_do_not_shoot_while_engaged():
    battle, *_ = engaged({"gun": GUN}, keywords=("INFANTRY",))
    assert battle.decision is None or battle.decision.kind != "select-to-shoot"


@pytest.mark.rule("w9.shoot.big-guns.others")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("save", "fires"), [(1, True), (6, False)])
def test_what_is_aimed_elsewhere_is_fired_once_the_unit_is_free(player, save, fires):
    weapons = {"gun": GUN, "cannon": ranged(36, BS=3)}
    battle, _, foe, far = engaged(weapons, player=player, dice=[3, 5, save, 3, 5, 1])
    pick(battle, "Tank")
    assert asked(battle).endswith("gun")
    assert targets(battle) == ["B1", "B2"]
    pick(battle, "at B1")
    assert targets(battle) == ["B1", "B2"]
    pick(battle, "at B2")
    pick(battle, "B1", kind="target-order")
    assert battle.units.alive[foe] == (not fires)
    assert [e["target"] for e in told(battle, HIT)] == [foe, far] if fires else [foe]
    assert battle.models.wounds[far.first] == 9 - fires
    assert len(told(battle, LOST)) == (not fires)
    assert dice_left(battle) == (0 if fires else 3)


@pytest.mark.rule("w9.shoot.big-guns.others")
def test_aimed_elsewhere_and_resolved_first_is_lost():
    weapons = {"gun": GUN, "cannon": ranged(36, BS=3)}
    battle, _, foe, far = engaged(weapons, dice=[3, 5, 1])
    pick(battle, "Tank")
    pick(battle, "at B1")
    pick(battle, "at B2")
    pick(battle, "B2", kind="target-order")
    assert [e["target"] for e in told(battle, HIT)] == [foe]
    assert battle.units.alive[foe] == 0
    assert battle.models.wounds[far.first] == 9
    assert len(told(battle, LOST)) == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.shoot.big-guns.others")
def test_a_second_enemy_within_engagement_range_keeps_it_from_firing():
    weapons = {"gun": GUN, "cannon": ranged(36, BS=3)}
    scene = NinthScene()
    scene.unit(0, tank(**weapons), at=(20, 20))
    foe = scene.unit(1, sheet("B1", Sv=6), at=(20, 22.2))
    far = scene.unit(1, sheet("B2", W=9, Sv=6), at=(36, 20))
    scene.unit(1, sheet("B3"), at=(20, 17.8))
    battle = scene.battle("shooting", detail="full", dice=[3, 5, 1])
    pick(battle, "Tank")
    pick(battle, "at B1")
    pick(battle, "at B2")
    pick(battle, "B1", kind="target-order")
    assert battle.units.alive[foe] == 0
    assert battle.models.wounds[far.first] == 9
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.shoot.big-guns.others")
@pytest.mark.parametrize(("save", "fires"), [(1, True), (6, False)])
def test_squad_detail_weapons_that_cannot_hit_the_engaged_unit_wait(save, fires):
    """The Blast cannon stands first on the sheet and cannot be fired at B1; it comes last."""
    weapons = {"cannon": ranged(36, BS=3, abilities=["Blast"]), "gun": GUN}
    battle, _, foe, far = engaged(weapons, detail="squad", dice=[3, 5, save, 3, 5, 1])
    pick(battle, "Tank")
    assert [e["target"] for e in told(battle, HIT)] == [foe, far] if fires else [foe]
    assert battle.models.wounds[far.first] == 9 - fires
    assert len(told(battle, LOST)) == (not fires)


@pytest.mark.rule("w9.shoot.big-guns.penalty")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("abilities", "needed"), [(["Heavy"], 4), (["Assault"], 3), ([], 3), (["Pistol"], 3)])
def test_heavy_weapons_fired_in_combat_are_worse(player, abilities, needed):
    battle, *_ = engaged({"gun": ranged(24, BS=3, abilities=abilities)}, player=player, dice=[3, 1])
    pick(battle, "Tank")
    pick(battle, "at B1")
    assert [(e["die"], e["needed"], e["result"]) for e in told(battle, HIT)] == [(3, needed, int(needed == 3))]


@pytest.mark.rule("w9.shoot.big-guns.penalty")
@pytest.mark.parametrize(("gap", "needed"), [(1.0, 4), (1.1, 3)])
def test_any_enemy_within_engagement_range_of_the_unit_counts(gap, needed):
    """The first of two models fires; only the second one has an enemy near."""
    walkers = sheet("Walkers", weapons={"gun": ranged(24, BS=3, abilities=["Heavy"])}, keywords=("VEHICLE",))
    scene = NinthScene()
    scene.unit(0, walkers, at=[(20, 20), (22.4, 20)])
    scene.unit(1, sheet("B1"), at=(23.4 + gap, 20))
    battle = scene.battle("shooting", detail="full", dice=[1, 1])
    pick(battle, "Walkers")
    pick(battle, "at B1")
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        pick(battle, "hold fire")
    assert [e["needed"] for e in told(battle, HIT)] == [needed]


@pytest.mark.rule("w9.shoot.big-guns.penalty")
def test_the_penalty_holds_for_attacks_that_waited():
    """Free by then, but it fired "while any enemy unit" was near when its targets were selected: the modifier is fixed there."""
    weapons = {"gun": GUN, "cannon": ranged(36, BS=3, abilities=["Heavy"])}
    battle, _, _, _ = engaged(weapons, dice=[3, 5, 1, 3])
    pick(battle, "Tank")
    pick(battle, "at B1")
    pick(battle, "at B2")
    pick(battle, "B1", kind="target-order")
    assert [e["needed"] for e in told(battle, HIT)] == [3, 4]


@pytest.mark.rule("w9.weapon.blast.engaged")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("keywords", [("VEHICLE",), ("MONSTER",)])
def test_blast_is_never_fired_at_a_unit_that_is_engaged_with_the_shooter(player, keywords):
    weapons = {
        "cannon": ranged(36, A="D6", BS=3, abilities=["Heavy", "Blast"]),
        "gun": ranged(36, A=3, BS=3, abilities=["Heavy"]),
        "mortar": ranged(12, BS=3, abilities=["Pistol", "Blast"]),
    }
    scene = NinthScene()
    scene.unit(player, tank(keywords, **weapons), at=(20, 20))
    scene.unit(1 - player, sheet("B1"), at=(20, 22.2), models=10)
    battle = scene.battle("shooting", active=player, detail="full")
    pick(battle, "Tank")
    assert asked(battle).endswith("gun")  # nothing is asked about the cannon
    assert targets(battle) == ["B1"]
    choose(battle, "done")
    assert battle.decision is None or battle.decision.kind != "weapon-target"  # nor about the mortar


@pytest.mark.rule("w9.weapon.blast.engaged")
def test_a_blast_pistol_is_not_fired_in_combat():
    scene = NinthScene()
    scene.unit(0, sheet("Men", weapons={"pistol": ranged(12, abilities=["Pistol", "Blast"])}), at=(20, 20))
    scene.unit(1, sheet("B1"), at=(20, 21.5))
    battle = scene.battle("shooting")
    assert battle.decision is None or battle.decision.kind != "select-to-shoot"
