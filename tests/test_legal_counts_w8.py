"""How many sequences of answers frozen positions of the 8th edition allow, each worked out a second time in plain code.

What is counted, and the plain geometry, is that of ``test_legal_counts``: grids of 17 x 17, round bases of 1 inch.
"""

from __future__ import annotations

from itertools import permutations, product
from math import hypot
from typing import Any

import pytest
from eighth import EighthScene
from eighth_shooting import squad
from test_legal_counts import EPS, GRID, GUN, LATTICE, R, far, sees, sequences, way_of_a_unit, window
from test_legal_counts_w9 import check_heroic_interventions, ends

from wh_env import Battle
from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.testing import melee, pick, ranged, sheet

PSYKER = ("INFANTRY", "PSYKER")
HERO = ("INFANTRY", "CHARACTER")
LONG, WIDE, ZONE = 60.0, 44.0, 12.0


# ---------------------------------------------------------------- deployment


def on_the_field(**rules: Any) -> Battle:
    """Deployment of two units of the player who divides the battlefield and three of the other one, who rolled 6 against 1."""
    scene = EighthScene(size=(LONG, WIDE))
    for player, count in enumerate((3, 2)):
        for n in range(count):
            scene.unit(player, sheet(f"{player}{n}"), models=1)
    return scene.battle("mission", dice=[6, 1, 2], rules={"attacker": -1, **rules})


def test_dividing_the_battlefield() -> None:
    """Four lines, then two halves, then the player who divided sets up either of two units."""
    battle = on_the_field()
    assert battle.decision is not None
    assert battle.decision.player == 1
    assert sequences(battle, 1) == {("divide",): 4}
    assert sequences(battle, 2) == {("divide", "choose-zone"): 4 * 2}
    assert sequences(battle, 3) == {("divide", "choose-zone", "select-to-deploy"): 4 * 2 * 2}


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("division", range(4))
def test_places_in_a_half(division: int, half: int) -> None:
    """A unit is set up wholly more than 12" from the other half: in 18" by 44" or 60" by 10" at an edge, or in the corner that a line 12"
    from the diagonal cuts off. The grid covers the smallest upright rectangle round it."""
    battle = on_the_field(division=division)
    assert battle.decision is not None
    battle.apply(battle.decision.options[half])
    pick(battle, "10", kind="select-to-deploy")
    diagonal = hypot(LONG, WIDE)
    # what is added to the distance from the line that divides the table, by x and y
    a, b, c = [
        (-1, 0, LONG / 2),
        (0, -1, WIDE / 2),
        (WIDE / diagonal, -LONG / diagonal, 0),
        (-WIDE / diagonal, -LONG / diagonal, WIDE * LONG / diagonal),
    ][division]
    mine = -1 if half == 0 else 1  # player 0 chose: player 1 has the other half

    def inside(x: float, y: float) -> bool:
        return mine * (a * x + b * y + c) - R > ZONE and R <= x <= LONG - R and R <= y <= WIDE - R

    corners = [(x, y) for x, y in product((0, LONG), (0, WIDE)) if mine * (a * x + b * y + c) > ZONE]
    along = LONG / 2 - ZONE if division == 0 else LONG if division == 1 else LONG - ZONE * diagonal / WIDE
    deep = WIDE if division == 0 else WIDE / 2 - ZONE if division == 1 else WIDE - ZONE * diagonal / LONG
    x, y = corners[0]
    x0, y0 = (0 if x == 0 else LONG - along), (0 if y == 0 else WIDE - deep)
    free = sum(
        inside(x0 + (i + 0.5) * along / GRID, y0 + (j + 0.5) * deep / GRID)
        for i, j in product(range(GRID), range(GRID))
    )
    assert free == (17 * 17, 17 * 15, 136, 136)[division]
    assert sequences(battle, 1) == {("deploy-to",): free}


# ---------------------------------------------------------------- moves


def test_a_move_past_an_enemy() -> None:
    """An enemy 4" ahead: nobody comes within 1" of it, neither at the end of a move nor on its way. The last row that is far enough from
    it is 2.25" ahead: the place 3" ahead is 1.0" from it."""
    scene = EighthScene()
    scene.unit(0, sheet("Mine"), at=(30, 22))
    scene.unit(1, sheet("Theirs"), at=(30, 27))
    battle = scene.battle("movement")
    pick(battle, "Normal move")

    def clear(x: float, y: float) -> bool:
        return far((x, y), (30, 27)) > 1 + EPS

    def free(x: float, y: float) -> bool:
        return clear(x, y) and ((x, y) == (30, 22) or way_of_a_unit(x - 30, y - 22, 6, (0, 5), gap=1))

    assert (window(30, 22, 6, clear), window(30, 22, 6, free)) == (180, 178)
    assert sequences(battle, 1) == {("move-to",): window(30, 22, 6, free)}


def test_where_to_fall_back_to() -> None:
    """X is 0.5" ahead, Y 3" behind: a way may come within 1" of both, not through their bases, and ends more than 1" from them."""
    enemies = (30.0, 23.5), (30.0, 18.0)
    scene = EighthScene()
    scene.unit(0, sheet("Mine"), at=(30, 22))
    for name, at in zip("XY", enemies, strict=True):
        scene.unit(1, sheet(name), at=at)
    battle = scene.battle("movement")

    def clear(x: float, y: float) -> bool:
        return all(far((x, y), at) > 1 + EPS for at in enemies)

    def free(x: float, y: float) -> bool:
        return clear(x, y) and way_of_a_unit(x - 30, y - 22, 6, *((a - 30, b - 22) for a, b in enemies))

    assert (window(30, 22, 6, clear), window(30, 22, 6, free)) == (152, 143)
    assert sequences(battle, 1) == {("move-kind",): 2}
    assert sequences(battle, 2) == {
        ("move-kind", "pile-in"): 2,
        ("move-kind", "fall-back-to"): window(30, 22, 6, free),
    }


@pytest.mark.parametrize(("least", "near"), [(20, 21), (60, 193)])
def test_a_minimum_move(least: int, near: int) -> None:
    """Move 20"-60", steps of 7.5": of the 197 places the 21 nearer than 2.67 steps are left out. Where the least is the most, four are
    left. It can neither stay nor be left out."""
    scene = EighthScene(size=(180, 178))
    flyer = sheet("Flyer", M=60, base_mm=60, keywords=("VEHICLE", "FLY"), models=(1, 1))
    scene.unit(0, flyer, at=(90, 90), least_move=least)
    scene.unit(1, sheet("Foe"), at=(3, 3))
    battle = scene.battle("movement")
    assert window(90, 90, 60, lambda x, y: hypot(x - 90, y - 90) < least - EPS) == near
    assert sequences(battle, 1) == {("move-kind",): 2}
    pick(battle, "Normal move")
    assert sequences(battle, 1) == {("move-to",): LATTICE - near}


# ---------------------------------------------------------------- powers


def test_powers_and_denying() -> None:
    """Either of two psykers, or none, which leads to the Charge phase with its two units that may charge, or nobody: 3. Smite is all that
    they know and strikes the closest: the psyker of the enemy denies it or not, 2 * 2. Then the other one is selected, or nobody."""
    scene = EighthScene()
    for k in range(2):
        scene.unit(0, sheet(f"Psyker {k}", keywords=PSYKER), at=(20 + 5 * k, 10), psychic=PsychicProfile(1, 0))
    enemies = (25, 20), (30, 21)
    scene.unit(1, sheet("Enemy", W=5), at=enemies[0])
    scene.unit(1, sheet("Denier", keywords=PSYKER), at=enemies[1], psychic=PsychicProfile(0, 1))
    battle = scene.battle("psychic", dice=[3, 4, 1, 1])
    reach = [sum(far((20 + 5 * k, 10), at) <= 12 for at in enemies) for k in range(2)]
    assert reach == [1, 2]
    assert sequences(battle, 1) == {("select-psyker",): 3}
    assert sequences(battle, 2) == {("select-psyker", "select-to-charge"): 3, ("select-psyker", "deny"): 2 * 2}
    assert sequences(battle, 3)["select-psyker", "deny", "select-psyker"] == 2 * 2 * 2


def test_equally_close_to_smite() -> None:
    """Two enemies equally close and one farther: the psyker's player chooses one of two."""
    scene = EighthScene()
    scene.unit(0, sheet("Psyker", keywords=PSYKER), at=(20, 10), psychic=PsychicProfile(1, 0))
    places = (15, 16), (25, 16), (20, 20)
    for n, at in enumerate(places):
        scene.unit(1, sheet(f"Enemy {n}", W=5), at=at)
    battle = scene.battle("psychic", dice=[3, 4, 1])
    pick(battle, "Psyker")
    away = [far((20, 10), at) for at in places]
    assert [gap == pytest.approx(min(away)) for gap in away] == [True, True, False]
    assert sequences(battle, 1) == {("closest-unit",): 2}


# ---------------------------------------------------------------- shooting


@pytest.mark.parametrize("walled", [False, True])
def test_a_character_behind_others(walled: bool) -> None:
    """Full detail, a gun each. The left model has a CHARACTER as the closest enemy, and another one beyond, which the wall hides from it:
    2 targets, or 1, which is not asked. The right one sees the other one closer by: 1. Then it is asked whose shots are resolved first, where
    there are two targets; after one the unit charges or does not."""
    hero, guard, models, wall = (10, 20), (18.5, 18), ((10, 10), (16, 10)), ((11, 14), (16, 14))
    scene = EighthScene()
    scene.unit(0, sheet("Line", weapons=GUN), at=list(models))
    scene.unit(1, sheet("Hero", W=5, keywords=HERO), at=hero)
    scene.unit(1, sheet("Guard", W=5), at=guard)
    if walled:
        scene.wall(*wall[0], *wall[1], 9)
    battle = scene.battle("shooting", detail="full", dice=[1, 1])
    options = []
    for model in models:
        seen = [at for at in (hero, guard) if not walled or sees(model, at, wall)]
        near = min(far(model, at) for at in seen)
        options.append(sum(at != hero or far(model, at) <= near for at in seen))
    assert options == ([1, 1] if walled else [2, 1])
    pick(battle, "Line")
    if walled:
        assert sequences(battle, 1) == {("target-order",): 2}
    else:
        assert sequences(battle, 1) == {("weapon-target",): 2}
        assert sequences(battle, 2) == {("weapon-target", "target-order"): 2, ("weapon-target", "select-to-charge"): 2}


def declarations(battle: Battle) -> int:
    """In how many ways the questions about weapons that follow each other can be answered."""
    if battle.decision is None or battle.decision.kind != "weapon-target":
        return 1
    return sum(declarations(after(battle, action)) for action in battle.decision.options)


def after(battle: Battle, action: int) -> Battle:
    """The battle once this was answered."""
    then = battle.clone()
    then.apply(action)
    return then


@pytest.mark.parametrize("models", [1, 2, 3])
def test_one_kind_of_weapon_for_each_model(models: int) -> None:
    """Full detail, a gun, a Pistol and a grenade each, one target: each model fires its gun or its Pistol, one of the unit may throw instead.
    It is asked for the gun (fired, or kept for what comes later), then for the Pistol; with two kept it throws."""
    kinds = ("gun", "pistol", "grenade")
    weapons = {
        "gun": ranged(24),
        "pistol": ranged(12, abilities=["Pistol"]),
        "grenade": ranged(6, abilities=["Grenade"]),
    }
    scene = EighthScene()
    scene.unit(0, squad("Line", [(models, kinds)], weapons), at=[(9 + 1.5 * k, 10) for k in range(models)])
    scene.unit(1, sheet("Foe", W=9), at=(11, 14))
    battle = scene.battle("shooting", detail="full", dice=[1] * models)
    pick(battle, "Line")
    ways = sum(each.count("grenade") <= 1 for each in product(kinds, repeat=models))
    assert ways == {1: 3, 2: 8, 3: 20}[models]
    assert declarations(battle) == ways
    assert sequences(battle, 1) == {("weapon-target",): 2}
    if models > 1:  # the Pistol of this one or the gun of the next one
        assert sequences(battle, 2) == {("weapon-target",) * 2: 2 * 2}


# ---------------------------------------------------------------- charges


def charge(*dice: int, detail: str = "squad", guns: bool = False) -> Battle:
    """A model at (20, 10), enemies 4" ahead and 4.22" ahead and aside, 0.5" apart; another one 13" away cannot be charged."""
    scene = EighthScene()
    scene.unit(0, sheet("Mine", weapons={"blade": melee(A=1)}), at=(20, 10))
    for name, at in {"Ahead": (20, 15), "Aside": (21.5, 15), "Far": (20, 24)}.items():
        scene.unit(1, sheet(name, W=3, weapons=GUN if guns else None), at=at)
    return scene.battle("charge", detail=detail, dice=dice)


def test_who_fires_overwatch() -> None:
    """Either target, no more or the other one too: 2 + 2. The targets, not the third unit, fire in either order, or none: of a charge at one
    it or nobody, of one at both either or nobody, and then the other one or nobody. All shots miss; to be charged costs nothing."""
    battle = charge(1, 1, 1, 1, guns=True)
    assert sequences(battle, 2) == {("select-to-charge", "select-to-move"): 3, ("select-to-charge", "charge-target"): 2}
    pick(battle, "Mine")
    assert sequences(battle, 1) == {("charge-target",): 2}
    assert sequences(battle, 2) == {("charge-target", "charge-target"): 2 * 2}
    assert sequences(battle, 3) == {("charge-target", "charge-target", "overwatch"): 2 * (2 + 3)}
    pick(battle, "Ahead")
    pick(battle, "Aside")
    assert sequences(battle, 1) == {("overwatch",): 3}
    assert sequences(battle, 2) == {("overwatch", "overwatch"): 2 * 2, ("overwatch", "select-to-move"): 3}


@pytest.mark.parametrize("first", ["Ahead", "Aside"])
@pytest.mark.parametrize(
    ("dice", "goes"),
    [
        ([1, 1], {"Ahead": False, "Aside": False, "both": False}),
        ([1, 2], {"Ahead": True, "Aside": False, "both": True}),
        ([1, 3], {"Ahead": True, "Aside": True, "both": True}),
    ],
)
def test_whether_to_go_after_the_charge_roll(dice: list[int], goes: dict[str, bool], first: str) -> None:
    """Full detail: a charge is made or not where some place within reach is within 1" of a target, no matter which, and of nobody who is
    no target; else it fails, and the opponent's three units are next."""
    at = {"Ahead": (20.0, 15.0), "Aside": (21.5, 15.0)}
    other = {"Ahead": "Aside", "Aside": "Ahead"}[first]
    roll = sum(dice)
    alone = ends(roll, [at[first]], [at[other]]) > 0
    both = any(ends(roll, [target], []) > 0 for target in at.values())
    assert (alone, both) == (goes[first], goes["both"])
    battle = charge(*dice, detail="full")
    pick(battle, "Mine")
    pick(battle, first)
    expected = {
        ("charge-target", "charge-or-stay"): 2 * (alone + both),
        ("charge-target", "select-to-move"): 3 * (2 - alone - both),
    }
    assert sequences(battle, 2) == {kinds: number for kinds, number in expected.items() if number}


def test_heroic_interventions() -> None:
    check_heroic_interventions(EighthScene())


# ---------------------------------------------------------------- fights, nerves


@pytest.mark.parametrize("charged", [0, 1, 2])
def test_who_fights_first(charged: int) -> None:
    """Three units a side, of which so many of the turn player's charged: one of those, or, if none did, one of his three. He piles in or not,
    and where he then makes no attack consolidates or not, or the next one is chosen: another charger, or any of the opponent's."""
    scene = EighthScene()
    for player, side in enumerate("AB"):
        for n, x in enumerate((10, 30, 50)):
            scene.unit(player, sheet(f"{side}{n}"), at=(x, 20 + 1.5 * player), charged=int(player == 0 and n < charged))
    battle = scene.battle("fight")
    assert battle.decision is not None
    assert battle.decision.player == 0
    first = charged or 3
    assert sequences(battle, 1) == {("select-to-fight",): first} if first > 1 else {("pile-in",): 2}
    if charged != 1:
        assert sequences(battle, 2) == {("select-to-fight", "pile-in"): first * 2}


def test_who_flees() -> None:
    """Two of six were slain, and 5 + 2 is 2 more than 5: two of the four that are left, the first of 4, the second of 3. Nobody asks how far
    apart the others stand. Then the opponent's unit moves: 3."""
    scene = EighthScene()
    scene.unit(0, sheet("Mine", Ld=5), at=[(20 + 1.5 * k, 20.0) for k in range(6)], lost=range(2))
    scene.unit(0, sheet("Calm"), at=(40, 10))
    scene.unit(1, sheet("Theirs"), at=(40, 40))

    def strike(battle: Battle) -> None:
        battle.toll[0] = battle.toll[1] = 1

    battle = scene.battle("morale", detail="full", dice=[5], set_state=strike)
    fled = len(list(permutations(range(4), 5 + 2 - 5)))
    assert fled == 4 * 3
    assert sequences(battle, 1) == {("fleeing-model",): 4}
    assert sequences(battle, 2) == {("fleeing-model",) * 2: fled}
    assert sequences(battle, 3) == {("fleeing-model", "fleeing-model", "move-kind"): fled * 3}
