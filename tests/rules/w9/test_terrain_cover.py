"""The benefits of cover, and what gives them (w9.terrain.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w9.terrain import TYPES
from wh_env.rulesets.w40k.terrain.cover import Trait
from wh_env.testing import choose, dice_left, melee, pick, ranged, sheet, told

HIT, SAVE = "w9.attack.hit", "w9.attack.save"
GUN = ranged(48, BS=2, S=8, AP=-1)
FEET, BEAST, BUGS = ("INFANTRY",), ("BEASTS",), ("SWARM",)
TANK = ("VEHICLE",)


def saves(
    terrain, at, *, shooter=(20, 5), gun=GUN, keywords=FEET, player=0, Sv=4, base_mm=25.4, z=0.0, invuln=None, die=4
):
    """The save of one attack against a model behind or within terrain: what was needed."""
    scene = NinthScene()
    terrain(scene)
    scene.unit(player, sheet("Guns", weapons={"gun": gun}), at=shooter)
    spot = (*at, z) if z else at
    scene.unit(1 - player, sheet("X", W=9, Sv=Sv, keywords=keywords, base_mm=base_mm, invuln=invuln), at=spot)
    battle = scene.battle("shooting", active=player, dice=[3, 2, die])
    pick(battle, "Guns")
    assert dice_left(battle) == 0
    (save,) = told(battle, SAVE)
    assert save["result"] == (die >= save["needed"])
    return save["needed"]


def nothing(scene):
    """An empty table."""


def crater(scene):
    """Area Terrain with Light Cover."""
    scene.crater(15, 18, 25, 24)


def barricade(scene):
    """An Obstacle with Light and Heavy Cover, 1" high."""
    scene.box(15, 20, 25, 20.5, 1, kind="barricade")


def container(scene):
    """An Obstacle with Light Cover and Exposed Position, 1" high."""
    scene.box(17, 18, 23, 20, 1, kind="container")


def hill(scene):
    """A hill."""
    scene.box(15, 18, 25, 24, 1, kind="hill")


def wood(scene):
    """Area Terrain with Dense Cover, no Light Cover."""
    scene.woods(15, 18, 25, 24)


def ruin(scene):
    """Area Terrain with Light Cover and other traits."""
    scene.ruins(15, 18, 25, 24, height=4.0)


# ---------------------------------------------------------------- Light Cover


@pytest.mark.rule("w9.terrain.light-cover")
@pytest.mark.parametrize("player", [0, 1])
def test_light_cover_adds_one_to_saves(player):
    """Sv 4+ against AP -1: a 4 saves in cover, and not without."""
    assert saves(nothing, (20, 20), player=player) == 5
    assert saves(crater, (20, 20), player=player) == 4
    assert saves(crater, (20, 20), player=player, gun=ranged(48, BS=2, S=8, AP=-3)) == 6


@pytest.mark.rule("w9.terrain.light-cover")
def test_several_features_do_not_add_up():
    def both(scene):
        crater(scene)
        scene.box(15, 15, 25, 15.5, 1, kind="barricade")

    assert saves(both, (20, 18)) == 4


@pytest.mark.rule("w9.terrain.light-cover")
def test_invulnerable_saves_are_not_improved():
    gun = ranged(48, BS=2, S=8, AP=-4)
    assert saves(nothing, (20, 20), gun=gun, invuln=5) == 5
    assert saves(crater, (20, 20), gun=gun, invuln=5) == 5


@pytest.mark.rule("w9.terrain.light-cover")
@pytest.mark.parametrize("player", [0, 1])
def test_light_cover_does_not_help_in_melee(player):
    assert fight(crater, player=player) == 5


def fight(
    terrain,
    *,
    player=0,
    charged=False,
    at=(20, 21),
    foe=(20, 19.5),
    keywords=FEET,
    AP=-1,
    invuln=None,
    attacker_charged=True,
):
    """The save of one melee attack with AP -1 against Sv 4+: what was needed. ``charged``: the target made a charge move."""
    scene = NinthScene()
    terrain(scene)
    fists = sheet("Fists", weapons={"fist": melee(WS=2, S=8, AP=AP)})
    attacker = scene.unit(player, fists, at=foe, charged=int(attacker_charged))
    target = scene.unit(
        1 - player, sheet("X", W=9, Sv=4, keywords=keywords, invuln=invuln), at=at, charged=int(charged)
    )

    def declared(battle):
        battle.charges[attacker, target] = battle.charges[target, attacker] = 1

    battle = scene.battle("fight", active=player, dice=[2, 2, 4], set_state=declared)
    while not told(battle, SAVE):
        battle.apply(battle.first_legal())
    (save,) = told(battle, SAVE)[:1]
    return save["needed"]


# ---------------------------------------------------------------- Heavy Cover


@pytest.mark.rule("w9.terrain.heavy-cover")
@pytest.mark.parametrize("player", [0, 1])
def test_heavy_cover_adds_one_in_melee_but_to_models_that_charged(player):
    """The target stands 1.5" behind the barricade, the attacker on the other side within 1" of it."""
    place = {"at": (20, 21.2), "foe": (20, 19.45)}

    def thin(scene):
        scene.box(15, 20, 25, 20.1, 1, kind="barricade")

    assert fight(thin, player=player, **place) == 4
    assert fight(thin, player=player, attacker_charged=False, **place) == 4  # irrelevant
    assert fight(nothing, player=player, **place) == 5
    assert fight(thin, player=player, keywords=TANK, **place) == 5


@pytest.mark.rule("w9.terrain.heavy-cover")
def test_a_model_that_made_a_charge_move_has_no_heavy_cover():
    place = {"at": (20, 21.2), "foe": (20, 19.45)}

    def thin(scene):
        scene.box(15, 20, 25, 20.1, 1, kind="barricade")

    assert fight(thin, charged=True, attacker_charged=True, **place) == 5


@pytest.mark.rule("w9.terrain.heavy-cover")
def test_invulnerable_saves_are_not_improved_in_melee_either():
    """AP -4 against Sv 4+ in Heavy Cover leaves the invulnerable save of 5+ as it is; with AP -1 the armour is the better one."""
    place = {"at": (20, 21.2), "foe": (20, 19.45), "invuln": 5}

    def thin(scene):
        scene.box(15, 20, 25, 20.1, 1, kind="barricade")

    assert [fight(terrain, AP=-4, **place) for terrain in (nothing, thin)] == [5, 5]
    assert fight(thin, **place) == 4


@pytest.mark.rule("w9.terrain.heavy-cover")
def test_features_with_light_cover_alone_give_none_in_melee():
    for terrain in (crater, ruin, container):
        assert fight(terrain, at=(20, 22), foe=(20, 23.5)) == 5


# ---------------------------------------------------------------- who, and from which features


@pytest.mark.rule("w9.terrain.cover-keywords")
@pytest.mark.parametrize(
    ("keywords", "covered"),
    [(FEET, True), (BEAST, True), (BUGS, True), (TANK, False), (("MONSTER",), False), (("MOUNTED",), False)],
)
@pytest.mark.parametrize("terrain", [crater, barricade])
def test_only_infantry_beasts_and_swarms_have_cover(keywords, covered, terrain):
    assert saves(terrain, (20, 21.5), keywords=keywords) == (4 if covered else 5)


@pytest.mark.rule("w9.terrain.cover-keywords")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("model", "needed"), [(0, 4), (2, 4), (3, 5), (4, 5)])
def test_each_model_is_tested_for_itself(player, model, needed):
    """Three models within the ruin, two outside; the attack is allocated to one of them."""
    scene = NinthScene()
    scene.ruins(15, 18, 25, 24, height=4.0)
    scene.unit(player, sheet("Guns", weapons={"gun": GUN}), at=(30, 5))
    scene.unit(1 - player, sheet("X", Sv=4), at=[(21, 19), (22.5, 19), (24, 19), (26, 19), (27.5, 19)])
    battle = scene.battle("shooting", active=player, detail="full", dice=[2, 2, 4])
    pick(battle, "Guns")
    pick(battle, "at X")
    choose(battle, "model", model)
    assert [e["needed"] for e in told(battle, SAVE)] == [needed]


@pytest.mark.rule("w9.terrain.cover-keywords", "w9.terrain.hills")
@pytest.mark.parametrize("terrain", [wood, hill])
def test_features_without_light_cover_give_none(terrain):
    assert saves(terrain, (20, 20), z=1.0 if terrain is hill else 0.0) == 5
    assert saves(terrain, (20, 25.5)) == 5


@pytest.mark.rule("w9.terrain.area")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("shooter", [(20, 5), (20, 40), (2, 21), (42, 12)])
def test_any_part_of_the_base_over_the_footprint_is_within(player, shooter):
    """0.1" of a base of 1" over the crater's edge at y = 24, seen from any side."""
    assert saves(crater, (20, 24.4), shooter=shooter, player=player) == 4
    assert saves(crater, (20, 24.6), shooter=shooter, player=player) == 5
    assert saves(crater, (20, 24.4), shooter=shooter, player=player, keywords=TANK) == 5


@pytest.mark.rule("w9.terrain.area")
def test_models_on_an_upper_level_are_within():
    def tower(scene):
        scene.ruins(15, 18, 25, 24, floors=[3.0], height=4.0)

    assert saves(tower, (20, 20), z=3.0) == 4


@pytest.mark.rule("w9.terrain.obstacles")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("at", "shooter", "needed"),
    [
        ((20, 22.9), (20, 5), 4),  # 1.9" behind it, the shooter straight in front
        ((20, 24.0), (20, 5), 4),  # 3.0" behind it
        ((20, 24.1), (20, 5), 5),
        ((20, 22.9), (20, 40), 5),  # the shooter on the same side
        ((20, 19.0), (20, 5), 5),  # the model in front of it
        ((25.7, 22), (25.7, 5), 5),  # past its end
        ((24.9, 22), (24.9, 5), 4),  # half of the base behind it
    ],
)
def test_an_obstacle_covers_those_behind_it_within_three_inches(player, at, shooter, needed):
    assert saves(barricade, at, shooter=shooter, player=player) == needed


@pytest.mark.rule("w9.terrain.obstacles")
def test_one_point_of_the_base_with_clear_lines_is_enough():
    """A wide base looks past the end of the barricade with its right side, a small one does not."""

    def wide(base_mm):
        scene = NinthScene()
        barricade(scene)
        scene.unit(0, sheet("Guns", weapons={"gun": GUN}, base_mm=base_mm), at=(24.4, 10))
        scene.unit(1, sheet("X", W=9, Sv=4), at=(25.4, 21.2))
        battle = scene.battle("shooting", dice=[3, 2, 4])
        pick(battle, "Guns")
        return told(battle, SAVE)[0]["needed"]

    assert wide(25.4) == 4
    assert wide(200) == 5


@pytest.mark.rule("w9.terrain.obstacles")
def test_no_model_has_cover_where_one_of_its_unit_is_wholly_clear():
    def needed(second):
        scene = NinthScene()
        barricade(scene)
        scene.unit(0, sheet("Guns", weapons={"gun": GUN}), at=(24, 5))
        scene.unit(1, sheet("X", Sv=4), at=[(24, 21.5), second])
        battle = scene.battle("shooting", detail="full", dice=[2, 2, 4])
        pick(battle, "Guns")
        pick(battle, "at X")
        choose(battle, "model", 0)
        return [e["needed"] for e in told(battle, SAVE)]

    assert needed((22.5, 21.5)) == [4]
    assert needed((26.5, 21.5)) == [5]


@pytest.mark.rule("w9.terrain.obstacles")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_firing_models_on_both_sides_are_told_apart(detail):
    """One model of a unit shoots over the barricade, the other past its end: their attacks are made apart."""
    scene = NinthScene()
    scene.box(15, 20, 20, 20.5, 1, kind="barricade")
    guns = scene.unit(0, sheet("Guns", weapons={"gun": GUN}), at=[(19, 18), (21.5, 19), (23, 20.4)])
    scene.unit(1, sheet("X", W=9, Sv=4), at=(19, 22))
    battle = scene.battle("shooting", detail=detail, dice=[2, 2, 4, 2, 2, 2, 2, 4, 4])
    pick(battle, "Guns")
    while battle.decision is not None and battle.decision.kind in ("weapon-target", "profile-order"):
        pick(battle, "at X") if battle.decision.kind == "weapon-target" else choose(battle, "number", 0)
    needed = {e["attacker"]: e["needed"] for e in told(battle, SAVE)}
    assert needed[guns.model(0)] == 4
    assert {n for k, n in needed.items() if k != guns.model(0)} == {5}


@pytest.mark.rule("w9.terrain.obstacles")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_attacks_over_one_obstacle_are_told_apart_from_those_over_two(detail, player):
    """All lines cross a wall far before the target, those of the first model the barricade beside it as well."""
    scene = NinthScene()
    scene.box(8, 13, 40, 13.2, 1, kind="barricade")
    scene.box(15, 20, 20, 20.5, 1, kind="barricade")
    guns = scene.unit(player, sheet("Guns", weapons={"gun": GUN}), at=[(19, 12), (32, 12)])
    scene.unit(1 - player, sheet("X", W=9, Sv=4), at=(19, 22))
    battle = scene.battle("shooting", active=player, detail=detail, dice=[2, 2, 4] * 2)
    pick(battle, "Guns")
    while battle.decision is not None and battle.decision.kind in ("weapon-target", "profile-order"):
        pick(battle, "at X") if battle.decision.kind == "weapon-target" else choose(battle, "number", 0)
    needed = {e["attacker"]: e["needed"] for e in told(battle, SAVE)}
    assert needed == {guns.model(0): 4, guns.model(1): 5}


@pytest.mark.rule("w9.terrain.obstacles")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("walls", "base_mm", "needed"),
    [("left", 130, 5), ("right", 130, 5), ("both", 130, 5), ("left", 25.4, 4), ("right", 25.4, 4)],
)
def test_each_obstacle_is_judged_for_itself(walls, base_mm, needed, player):
    """A wide base looks past the end of each of two barricades, but not past both; a small one past neither."""
    scene = NinthScene()
    if walls != "right":
        scene.box(14, 27, 19.9, 27.2, 1, kind="barricade")
    if walls != "left":
        scene.box(20.1, 27, 26, 27.2, 1, kind="barricade")
    scene.unit(player, sheet("Guns", weapons={"gun": GUN}, base_mm=base_mm), at=(20, 20))
    scene.unit(1 - player, sheet("X", W=9, Sv=4), at=(20, 30))
    battle = scene.battle("shooting", active=player, dice=[3, 2, 4])
    pick(battle, "Guns")
    assert [e["needed"] for e in told(battle, SAVE)] == [needed]


# ---------------------------------------------------------------- Exposed Position


@pytest.mark.rule("w9.terrain.exposed-position")
@pytest.mark.parametrize("player", [0, 1])
def test_on_top_of_a_container_there_is_no_cover(player):
    assert saves(container, (20, 19), z=1.0, player=player) == 5
    assert saves(container, (20, 22), shooter=(25.9, 5), player=player) == 4  # behind it
    assert saves(container, (20, 23.6), shooter=(25.9, 5), player=player) == 5  # farther than 3"


# ---------------------------------------------------------------- rules that ignore cover


@pytest.mark.rule("w9.terrain.cover-ignored")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("abilities", "hit", "save"), [(["Ignores Cover"], 4, 4), ([], 5, 3)])
def test_what_ignores_cover_ignores_dense_cover_as_well(player, abilities, hit, save):
    """BS 4+ through a wood at INFANTRY in a crater."""
    scene = NinthScene()
    scene.woods(15, 12, 25, 15)
    scene.crater(15, 18, 25, 24)
    scene.unit(player, sheet("Guns", weapons={"gun": ranged(48, BS=4, S=8, abilities=abilities)}), at=(20, 5))
    scene.unit(1 - player, sheet("X", W=9, Sv=4), at=(20, 20))
    battle = scene.battle("shooting", active=player, dice=[5, 2, 1])
    pick(battle, "Guns")
    assert [e["needed"] for e in told(battle, HIT)] == [hit]
    assert [e["needed"] for e in told(battle, SAVE)] == [save]


# ---------------------------------------------------------------- categories


@pytest.mark.rule("w9.terrain.categories")
def test_each_feature_has_one_category():
    """Hills have no traits; a bunker with a datasheet is a unit."""
    categories = Trait.HILL | Trait.OBSTACLE | Trait.AREA_TERRAIN
    of = {kind: kind_type.traits & categories for kind, kind_type in TYPES.items()}
    assert of["hill"] == Trait.HILL
    assert of["barricade"] == Trait.OBSTACLE
    assert of["woods"] == Trait.AREA_TERRAIN
    for kind, traits in of.items():
        assert traits in (Trait.HILL, Trait.OBSTACLE, Trait.AREA_TERRAIN, Trait(0)), kind
    assert TYPES["hill"].keywords == ("HILL",)
    scene = NinthScene()
    hill(scene)
    scene.box(30, 10, 36, 10.5, 1, kind="barricade")
    scene.woods(40, 10, 46, 16)
    scene.unit(0, sheet("Guns", weapons={"gun": GUN}), at=(5, 5))
    bunker = scene.unit(1, sheet("Bunker", T=8, W=12, keywords=("FORTIFICATION",), base_mm=100), at=(50, 35))
    battle = scene.battle("shooting", run=False)
    traits = [Trait(int(t)) for t in battle.setup.features["traits"]]
    assert [bool(t & (Trait.OBSTACLE | Trait.AREA_TERRAIN)) for t in traits] == [False, True, True]
    assert battle.units.alive[bunker] == 1


@pytest.mark.rule("w9.terrain.buildings")
@pytest.mark.parametrize("player", [0, 1])
def test_an_enemy_fortification_is_shot_at_like_a_unit_and_gives_no_cover(player):
    scene = NinthScene()
    scene.unit(player, sheet("Guns", weapons={"gun": ranged(48, BS=2, S=16, D=3)}), at=(20, 5))
    bunker = sheet("Bunker", M=0, T=8, W=12, Sv=3, keywords=("FORTIFICATION", "VEHICLE"), base_mm=120, height=3)
    unit = scene.unit(1 - player, bunker, at=(20, 20))
    infantry = scene.unit(1 - player, sheet("X", W=9, Sv=4), at=(24, 23))
    battle = scene.battle("shooting", active=player, dice=[2, 2, 2])
    pick(battle, "Guns")
    pick(battle, "Bunker")
    assert battle.models.wounds[unit.first] == 9
    assert len(battle.setup.features) == 0
    assert battle.units.alive[infantry] == 1
