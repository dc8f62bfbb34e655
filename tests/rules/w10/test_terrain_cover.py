"""Terrain: the Benefit of Cover, and which model has it (w10.terrain.cover.*, *.cover, w10.terrain.types)."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env import Battle
from wh_env.rulesets.w10.terrain import TYPES
from wh_env.rulesets.w40k.codes import Effect
from wh_env.rulesets.w40k.terrain.cover import Trait
from wh_env.testing import Scene, choose, dice_left, in_full_view, in_sight, melee, pick, ranged, sheet, told, words

VEHICLE = ("VEHICLE",)


def guns(scene: Scene, at: Any, ap: int = 0, **fields: Any) -> Any:
    """The shooting unit: one attack a model, BS 2+, wounds on 2+."""
    return scene.unit(0, sheet("Guns", weapons={"gun": ranged(60, BS=2, S=8, AP=ap)}, **fields), at=at)


def can_shoot(battle: Battle) -> bool:
    """Whether the Guns have a target in their Shooting phase."""
    waits = battle.decision
    return waits is not None and waits.kind == "select-to-shoot" and "Guns" in words(battle).values()


def saves_on(scene: Scene, fails: int = 1, **more: Any) -> list[int]:
    """What each save needs when the Guns shoot; each model's attack hits, wounds and is failed to be saved with ``fails``."""
    count = len(scene.units[0][0]["spots"])
    battle = scene.battle("shooting", dice=[6] * (2 * count) + [fails] * count, **more)
    pick(battle, "Guns")
    assert dice_left(battle) == 0
    return [roll["needed"] for roll in told(battle, "w10.attack.save.roll")]


def behind(kind: str, ap: int = 0, foe: tuple[float, ...] = (30, 10), high: float = 1.0, **fields: Any) -> list[int]:
    """What a model at (30, 10) needs to save, shot at from (10, 10) with a feature at x = 28.4 .. 29 between."""
    scene = Scene()
    guns(scene, (10, 10), ap)
    scene.box(28.4, 5, 29, 15, high, kind=kind)
    scene.unit(1, sheet("Foes", T=4, **{"Sv": 4, **fields}), at=foe)
    return saves_on(scene)


# ---------------------------------------------------------------- types


TABLE = {
    "crater": (("AREA TERRAIN", "CRATER"), True, "normal", ("COVER_WITHIN", "ONLY_INFANTRY")),
    "barricade": (("OBSTACLE", "BARRICADE"), False, "normal", ("COVER_BEHIND", "ONLY_INFANTRY", "ONLY_NEAR")),
    "debris": (("OBSTACLE", "BATTLEFIELD DEBRIS"), False, "normal", ("COVER_BEHIND",)),
    "statue": (("OBSTACLE", "BATTLEFIELD DEBRIS"), False, "normal", ("COVER_BEHIND",)),
    "container": (("HILL",), True, "normal", ("COVER_BEHIND",)),
    "hill": (("HILL",), True, "normal", ("COVER_BEHIND",)),
    "building": (("HILL",), True, "normal", ("COVER_BEHIND",)),
    "woods": (("AREA TERRAIN", "WOODS"), True, "never fully visible", ("COVER_WITHIN", "COVER_BEHIND")),
    "ruins": (("AREA TERRAIN", "RUINS"), True, "blocked", ("COVER_WITHIN", "COVER_BEHIND")),
}


@pytest.mark.rule("w10.terrain.types")
@pytest.mark.parametrize("kind", TYPES)
def test_each_type_has_its_keywords_and_rules(kind: str) -> None:
    """Keywords, whether models can end moves on it, what it does to sight, and when it gives cover, by type."""
    keywords, ends, sight, cover = TABLE[kind]
    known = TYPES[kind]
    assert known.keywords == keywords
    assert known.ends is ends
    assert ("normal", "never fully visible", "blocked")[known.screen] == sight
    bits = {bit.name for bit in known.traits if bit >= Trait.COVER_WITHIN and bit != Trait.PLUNGING_FIRE}
    assert bits == set(cover)
    # and so it stands in the battle: a block that says that models can stand on it is believed only where they can
    scene = Scene()
    top = [(5, 5), (10, 5), (10, 10), (5, 10)]
    scene.area(kind, 5, 5, 10, 10, 3, masses=[{"polygon": top, "height": 3, "walkable": True}])
    setup = scene.battle(run=False).setup
    assert set(Trait(int(setup.features[0]["traits"]))) == set(known.traits)
    assert [bool(block["walkable"]) for block in setup.blocks if block["solid"]] == [ends]
    assert set(TYPES) == set(TABLE)


# ---------------------------------------------------------------- the benefit


@pytest.mark.rule("w10.terrain.cover.effect")
def test_cover_adds_one_to_armour_saves_against_shooting() -> None:
    """Sv 4+ behind debris against AP -1: a 4 saves, a 3 does not; an invulnerable save of 5+ gets nothing."""
    for die, saved in ((4, 1), (3, 0)):
        scene = Scene()
        guns(scene, (10, 10), -1)
        scene.box(28.4, 5, 29, 15, 1, kind="debris")
        foes = scene.unit(1, sheet("Foes", Sv=4), at=(30, 10))
        battle = scene.battle("shooting", dice=[6, 6, die])
        pick(battle, "Guns")
        assert [(r["needed"], r["result"]) for r in told(battle, "w10.attack.save.roll")] == [(4, saved)]
        assert battle.units.alive[foes] == saved
    assert behind("debris", -1, Sv=7, invuln=5) == [5]
    assert behind("debris", -3, Sv=4, invuln=5) == [5]  # armour would need 6 in cover
    assert behind("crater", -1) == [5]  # nothing between: no cover


@pytest.mark.rule("w10.terrain.cover.effect")
def test_cover_is_nothing_against_melee() -> None:
    """A model in Woods needs 5 against a melee attack of AP -1."""
    scene = Scene()
    scene.unit(0, sheet("Blades", weapons={"blade": melee(WS=2, S=8, AP=-1)}), at=(10, 10))
    scene.woods(10.8, 8, 16, 12)
    scene.unit(1, sheet("Foes", Sv=4, W=2), at=(11.5, 10))
    battle = scene.battle("fight", dice=[6, 6, 4])
    if battle.decision is not None and battle.decision.kind == "pile-in":
        pick(battle, "do not pile in")
    assert [(r["needed"], r["result"]) for r in told(battle, "w10.attack.save.roll")] == [(5, 0)]


@pytest.mark.rule("w10.terrain.cover.three-plus")
def test_good_armour_has_no_cover_against_ap_zero() -> None:
    """Sv 3+ behind debris: 3 against AP 0, 3 against AP -1; Sv 4+ needs 3 against AP 0."""
    assert behind("debris", 0, Sv=3) == [3]
    assert behind("debris", -1, Sv=3) == [3]
    assert behind("debris", 0, Sv=2) == [2]
    assert behind("debris", -1, Sv=2) == [2]
    assert behind("debris", 0, Sv=4) == [3]


@pytest.mark.rule("w10.terrain.cover.no-stacking")
def test_cover_from_several_things_counts_once() -> None:
    """Wholly within Woods, behind debris and under a Smokescreen: +1, not +2 or +3."""

    def needed(woods: bool, debris: bool, smoke: bool) -> list[int]:
        scene = Scene()
        guns(scene, (10, 10), -1)
        if woods:
            scene.woods(29, 8, 33, 12)
        if debris:
            scene.box(27, 5, 28, 15, 1, kind="debris")
        scene.unit(1, sheet("Foes", Sv=4), at=(30, 10))
        battle = scene.battle("shooting", dice=[6, 6, 1])
        battle.units.cover[1] = Effect.BENEFIT_OF_COVER if smoke else 0
        pick(battle, "Guns")
        assert dice_left(battle) == 0
        return [roll["needed"] for roll in told(battle, "w10.attack.save.roll")]

    assert needed(False, False, False) == [5]
    assert needed(True, False, False) == needed(False, True, False) == needed(False, False, True) == [4]
    assert needed(True, True, False) == needed(True, True, True) == [4]


@pytest.mark.rule("w10.terrain.cover.per-model")
def test_models_of_one_unit_differ() -> None:
    """5 models of which 3 stand wholly on a crater: +1 for an attack allocated to one of those, none for the others."""
    for chosen, needed in ((0, 3), (1, 3), (2, 3), (3, 4), (4, 4)):
        scene = Scene()
        guns(scene, (10, 10))
        scene.crater(29, 8, 34, 12)
        foes = scene.unit(1, sheet("Foes", Sv=4), at=[(30, 10), (31.5, 10), (33, 10), (34.5, 10), (36, 10)])
        battle = scene.battle("shooting", dice=[6, 6, 1], detail="full")
        pick(battle, "Guns")
        pick(battle, "at Foes")
        assert battle.decision is not None
        assert battle.decision.kind == "allocate"
        choose(battle, "model", chosen)
        (roll,) = told(battle, "w10.attack.save.roll")
        assert roll["needed"] == needed
        assert dice_left(battle) == 0
        assert told(battle, "w10.terrain.cover.per-model")[0]["models"] == [foes.model(k) for k in range(3)]


@pytest.mark.rule("w10.terrain.cover.all-attackers")
def test_one_hindered_attacker_is_enough() -> None:
    """4 attackers see the target fully, 1 only past a statue: it has cover against the attacks of all 5."""
    for statue, needed in ((True, 3), (False, 4)):
        scene = Scene()
        squad = guns(scene, [(10, 10), (10, 12), (10, 14), (10, 16), (10, 18)])
        if statue:
            scene.box(14, 9.2, 15, 10, 3, kind="statue")
        foes = scene.unit(1, sheet("Foes", Sv=4, W=9), at=(20, 10))
        battle = scene.battle("shooting", dice=[6] * 10 + [2] * 5)
        views = [in_full_view(battle, squad.model(k), foes.first) for k in range(5)]
        assert views == [not statue, True, True, True, True]
        assert all(in_sight(battle, squad.model(k), foes.first) for k in range(5))
        pick(battle, "Guns")
        assert [r["needed"] for r in told(battle, "w10.attack.save.roll")] == [needed] * 5
        assert dice_left(battle) == 0


def test_cover_ends_with_the_attacks() -> None:
    """What one unit's attacks found is not kept for the next unit, which has a clear view."""
    scene = Scene()
    guns(scene, (10, 10))
    scene.unit(0, sheet("Flank", weapons={"gun": ranged(60, BS=2, S=8)}), at=(30, 20))
    scene.box(28.4, 5, 29, 15, 1, kind="debris")
    scene.unit(1, sheet("Foes", Sv=4, W=9), at=(30, 10))
    battle = scene.battle("shooting", dice=[6, 6, 1, 6, 6, 1])
    before = battle.models.rows["flags"].copy()
    pick(battle, "Guns")
    assert (battle.models.rows["flags"] == before).all()
    pick(battle, "Flank")
    assert [r["needed"] for r in told(battle, "w10.attack.save.roll")] == [3, 4]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.ignores-cover")
def test_terrain_gives_no_cover_against_weapons_that_ignore_it() -> None:
    """The same model behind the same debris, shot at with Ignores Cover."""
    scene = Scene()
    gun = ranged(60, BS=2, S=8, abilities=["Ignores Cover"])
    scene.unit(0, sheet("Guns", weapons={"gun": gun}), at=(10, 10))
    scene.box(28.4, 5, 29, 15, 1, kind="debris")
    scene.unit(1, sheet("Foes", Sv=4), at=(30, 10))
    assert saves_on(scene) == [4]


# ---------------------------------------------------------------- by type


@pytest.mark.rule("w10.terrain.craters.cover")
def test_craters_cover_infantry_wholly_on_them() -> None:
    """INFANTRY wholly on a crater in full view needs 3 instead of 4; 0.1" outside, or MOUNTED, it needs 4."""

    def on_crater(x: float, **fields: Any) -> list[int]:
        scene = Scene()
        shooter = guns(scene, (10, 10))
        scene.crater(29, 8, 34, 12)
        foes = scene.unit(1, sheet("Foes", Sv=4, **fields), at=(x, 10))
        battle = scene.battle("shooting")
        assert in_full_view(battle, shooter.first, foes.first)
        return saves_on(scene)

    assert on_crater(31) == [3]
    assert on_crater(29.5) == [3]
    assert on_crater(29.4) == [4]
    assert on_crater(33.6) == [4]
    assert on_crater(31, keywords=("MOUNTED",)) == [4]
    assert on_crater(31, keywords=VEHICLE) == [4]


@pytest.mark.rule("w10.terrain.craters.visibility")
def test_craters_hide_nothing() -> None:
    """3" behind a flat crater a model is visible and fully visible to an observer 20" away; it has no cover."""
    scene = Scene()
    shooter = guns(scene, (10, 10))
    scene.crater(20, 5, 26.5, 15)
    foes = scene.unit(1, sheet("Foes", Sv=4), at=(30, 10))
    battle = scene.battle("shooting")
    assert in_sight(battle, shooter.first, foes.first)
    assert in_full_view(battle, shooter.first, foes.first)
    assert saves_on(scene) == [4]


@pytest.mark.rule("w10.terrain.barricades.visibility", "w10.terrain.barricades.cover")
def test_a_barricade_hides_the_legs() -> None:
    """A model 2" tall directly behind a barricade of 1" is visible, not fully visible, and has cover."""
    scene = Scene()
    shooter = guns(scene, (10, 10))
    scene.box(28.4, 5, 29, 15, 1, kind="barricade")
    foes = scene.unit(1, sheet("Foes", Sv=4, height=2), at=(29.52, 10))
    battle = scene.battle("shooting")
    assert in_sight(battle, shooter.first, foes.first)
    assert not in_full_view(battle, shooter.first, foes.first)
    assert can_shoot(battle)
    assert saves_on(scene) == [3]


@pytest.mark.rule("w10.terrain.barricades.cover")
def test_barricades_cover_infantry_wholly_within_three_inches() -> None:
    """0.5" behind it: cover; 3.5" behind, a VEHICLE there, or with the attacker on the same side: none."""
    assert behind("barricade", foe=(30, 10)) == [3]
    assert behind("barricade", foe=(33, 10)) == [4]
    assert behind("barricade", foe=(31.5, 10)) == [3]  # its far side is 3" away
    assert behind("barricade", foe=(31.6, 10)) == [4]
    assert behind("barricade", foe=(30, 10), keywords=VEHICLE) == [4]
    assert behind("debris", foe=(33, 10)) == [3]  # which debris does not mind
    assert behind("debris", foe=(30, 10), keywords=VEHICLE) == [3]
    scene = Scene()
    guns(scene, (50, 10))
    scene.box(28.4, 5, 29, 15, 1, kind="barricade")
    scene.unit(1, sheet("Foes", Sv=4), at=(30, 10))
    assert saves_on(scene) == [4]


@pytest.mark.rule("w10.terrain.barricades.cover")
def test_wholly_within_is_measured_to_the_far_side_of_any_base() -> None:
    """An oval base and a square one: every part must be within 3" of the barricade."""
    oval = {"base_mm": (50.8, 25.4)}  # 2" by 1"
    assert behind("barricade", foe=(31, 10, 0, 0), **oval) == [3]  # 1" beyond its centre: 3"
    assert behind("barricade", foe=(31.1, 10, 0, 0), **oval) == [4]
    square = {"base_mm": None, "hull_in": (2, 1)}
    assert behind("barricade", foe=(31, 10, 0, 0), **square) == [3]
    assert behind("barricade", foe=(31.1, 10, 0, 0), **square) == [4]


@pytest.mark.rule("w10.terrain.debris.visibility")
def test_debris_hides_what_it_hides() -> None:
    """A wreck 2" high before the left half of a target 15" from the observer: visible, not fully visible."""
    scene = Scene()
    shooter = guns(scene, (10, 10))
    scene.box(24, 10, 25, 12, 2, kind="debris")
    foes = scene.unit(1, sheet("Foes", Sv=4), at=(26, 10))
    battle = scene.battle("shooting")
    assert in_sight(battle, shooter.first, foes.first)
    assert not in_full_view(battle, shooter.first, foes.first)


@pytest.mark.rule("w10.terrain.debris.cover")
def test_debris_covers_anybody_at_any_distance() -> None:
    """A VEHICLE partly hidden by a wreck 10" in front of it has cover against that attacker, not against another."""
    for at, needed in (((10, 10), 3), ((40, 30), 4)):
        scene = Scene()
        guns(scene, at)
        scene.box(28, 10, 29, 12, 3, kind="debris")
        scene.unit(1, sheet("Tank", Sv=4, keywords=VEHICLE, height=3, base_mm=50.8), at=(40, 10))
        assert saves_on(scene) == [needed]


@pytest.mark.rule("w10.terrain.hills.cover")
def test_a_hill_covers_who_stands_back_from_its_edge() -> None:
    """On a container 4" high, feet hidden from the ground 2" behind the edge: 4 against AP -1; at the edge 5."""
    for x, needed in ((33, 4), (31, 5)):
        scene = Scene()
        shooter = guns(scene, (10, 10), -1)
        scene.box(30, 5, 40, 15, 4)
        foes = scene.unit(1, sheet("Foes", Sv=4, base_mm=None, hull_in=(2, 2)), at=(x, 10, 4, 0))
        battle = scene.battle("shooting")
        assert in_sight(battle, shooter.first, foes.first)
        assert in_full_view(battle, shooter.first, foes.first) == (needed == 5)
        assert saves_on(scene) == [needed]


@pytest.mark.rule("w10.terrain.hills.visibility", "w10.terrain.general-visibility")
def test_containers_follow_true_line_of_sight() -> None:
    """A container 5" high hides what stands behind it on the ground; from its top one sees and is seen."""
    for z, seen in ((0, False), (5, True)):
        scene = Scene()
        shooter = guns(scene, (10, 10))
        scene.box(20, 5, 24, 15, 5)
        foes = scene.unit(1, sheet("Foes", Sv=4), at=(22, 10, 5) if z else (30, 10))
        battle = scene.battle("shooting")
        assert in_sight(battle, shooter.first, foes.first) == seen
        assert in_sight(battle, foes.first, shooter.first) == seen
        assert can_shoot(battle) == seen
    # from a container of the same height it looks over the one between
    scene = Scene()
    shooter = guns(scene, (10, 10, 5))
    scene.box(8, 5, 12, 15, 5)
    scene.box(20, 5, 21, 15, 5)
    foes = scene.unit(1, sheet("Foes"), at=(30, 10, 0))
    tall = scene.unit(1, sheet("Tall", height=6), at=(30, 13, 0))
    battle = scene.battle("shooting")
    assert not in_sight(battle, shooter.first, foes.first)
    assert in_sight(battle, shooter.first, tall.first)


@pytest.mark.rule("w10.terrain.general-visibility")
def test_a_low_barricade_hides_no_one() -> None:
    """A target half visible above a barricade of 1" is visible."""
    scene = Scene()
    shooter = guns(scene, (10, 10))
    scene.box(28.4, 5, 29, 15, 1, kind="barricade")
    foes = scene.unit(1, sheet("Foes"), at=(30, 10))
    battle = scene.battle("shooting")
    assert in_sight(battle, shooter.first, foes.first)
    assert can_shoot(battle)


@pytest.mark.rule("w10.terrain.no-target")
def test_terrain_is_no_target() -> None:
    """A ruin and no enemy within 24": nothing to shoot at; with an enemy in range, only that enemy is offered."""
    for x, offered in ((40, None), (30, {"gun: at Foes", "gun: hold fire"})):
        scene = Scene()
        scene.unit(0, sheet("Guns", weapons={"gun": ranged(24)}), at=(10, 10))
        scene.ruins(12, 14, 20, 20, walls=[{"line": [(12.5, 14.5), (19.5, 14.5)], "height": 5}])
        scene.unit(1, sheet("Foes"), at=(x, 10))
        battle = scene.battle("shooting", detail="full")
        if offered is None:
            assert not can_shoot(battle)
            continue
        pick(battle, "Guns")
        assert {word.split(", ")[1] for word in words(battle).values()} == offered
