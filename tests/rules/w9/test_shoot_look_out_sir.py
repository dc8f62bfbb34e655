"""CHARACTERS that other units screen (w9.shoot.look-out-sir.*)."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from ninth import NinthScene

from wh_env.rulesets.w40k.questions.screens import closest_unit, screened
from wh_env.testing import in_sight, pick, play_until, ranged, sheet, slots, words

HERO = ("INFANTRY", "CHARACTER")
GUNS = sheet("Guns", weapons={"gun": ranged(60, BS=2, S=8)})


def hero(name="Hero", W=5, keywords=HERO):
    """A unit of one CHARACTER."""
    return sheet(name, W=W, keywords=keywords)


def targets(scene, player=0, detail="full"):
    """Names of the units that the first model of the unit of guns may target."""
    battle = scene.battle("shooting", active=player, detail=detail)
    pick(battle, "Guns")
    units, first = battle.setup.names["units"], battle.players.first_unit[1 - player]
    if battle.decision is None or battle.decision.kind not in ("weapon-target", "shoot-target"):
        return None
    return [units[first + slot] for slot in slots(battle, "enemy")]


def line(*units, player=0, shooters=((10, 5),)):
    """A unit of guns, and enemy units (datasheet, distance along y from its edge to the first model, x, number of models)."""
    scene = NinthScene()
    scene.unit(player, GUNS, at=list(shooters))
    for data, gap, x, models in units:
        radius = data["models"][0]["base"]["circle_mm"] / 50.8
        scene.unit(1 - player, data, at=(x, 5.5 + gap + radius), models=models)
    return scene


MOB = sheet("Mob")


@pytest.mark.rule("w9.shoot.look-out-sir")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(
    ("wounds", "gap", "models", "protected"),
    [
        (5, 2.5, 3, True),
        (5, 3.0, 3, True),
        (5, 3.1, 3, False),
        (5, 2.5, 2, False),
        (9, 2.5, 3, True),
        (10, 2.5, 3, False),
    ],
)
def test_a_character_near_three_models_is_no_target(player, detail, wounds, gap, models, protected):
    """The Mob stands nearer to the shooter; the CHARACTER ``gap`` behind its first model."""
    scene = line((MOB, 10, 30, models), (hero(W=wounds), 11 + gap, 30, 1), (sheet("Far"), 25, 40, 1), player=player)
    found = targets(scene, player, detail)
    assert found == (["Mob", "Far"] if protected else ["Mob", "Hero", "Far"])


@pytest.mark.rule("w9.shoot.look-out-sir")
def test_the_characteristic_counts_not_the_wounds_left():
    scene = NinthScene()
    scene.unit(0, GUNS, at=(10, 5))
    scene.unit(1, MOB, at=(30, 16), models=3)
    scene.unit(1, hero(W=10), at=(30, 19.5), wounds=[4])
    assert targets(scene) == ["Mob", "Hero"]


@pytest.mark.rule("w9.shoot.look-out-sir")
def test_models_that_fell_screen_no_longer():
    scene = NinthScene()
    scene.unit(0, GUNS, at=(10, 5))
    scene.unit(1, MOB, at=(30, 16), models=3, lost=[2])
    scene.unit(1, hero(), at=(30, 19.5))
    assert targets(scene) == ["Mob", "Hero"]


@pytest.mark.rule("w9.shoot.look-out-sir", "w9.shoot.look-out-sir.vehicle-character")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("keywords", "wounds", "protected"),
    [
        (("MONSTER", "CHARACTER"), 9, False),
        (("MONSTER", "CHARACTER"), 10, True),
        (("VEHICLE", "CHARACTER"), 9, False),
        (("VEHICLE", "CHARACTER"), 10, True),
        (("VEHICLE",), 6, True),
        (("MONSTER",), 6, True),
        (("INFANTRY",), 20, False),
        (("INFANTRY", "CHARACTER"), 20, False),
    ],
)
def test_a_single_big_model_screens(player, keywords, wounds, protected):
    screen = sheet("Screen", W=wounds, keywords=keywords)
    found = targets(line((screen, 10, 30, 1), (hero(), 13.5, 30, 1), (sheet("Far"), 25, 40, 1), player=player), player)
    assert ("Hero" in found) == (not protected)


@pytest.mark.rule("w9.shoot.look-out-sir.vehicle-character")
def test_a_unit_of_several_characters_does_not_screen():
    court = sheet("Court", W=4, keywords=HERO)
    assert "Hero" in targets(line((court, 10, 30, 3), (hero(), 13.5, 30, 1), (sheet("Far"), 25, 40, 1)))


@pytest.mark.rule("w9.shoot.look-out-sir.closest")
@pytest.mark.parametrize("player", [0, 1])
def test_the_closest_unit_may_be_targeted_other_characters_left_out(player):
    """C1 at 10", C2 at 8", five models at 12", all within 3" of each other."""
    units = [(hero("C1"), 10, 30, 1), (hero("C2", W=4), 8, 30, 1), (MOB, 12, 30, 5)]
    assert targets(line(*units, player=player), player) == ["C1", "C2", "Mob"]


@pytest.mark.rule("w9.shoot.look-out-sir.closest")
@pytest.mark.parametrize("hidden", [False, True])
def test_a_closer_unit_protects_even_out_of_sight(hidden):
    scene = NinthScene()
    scene.unit(0, GUNS, at=(30, 5))
    scene.unit(1, hero("C1"), at=(27.5, 16))
    scene.unit(1, hero("C2", W=4), at=(27, 14.4))
    scene.unit(1, MOB, at=[(31.5, 12.2), (32.7, 12.2), (31.5, 13.4), (32.7, 13.4), (30.6, 14.5)])  # about 6" away
    scene.unit(1, sheet("Far"), at=(10, 30))
    if hidden:
        scene.box(29.2, 8, 36, 9, 8, kind="hill")
    if hidden:
        battle = scene.battle("shooting", run=False)
        assert [in_sight(battle, 0, k) for k in range(1, 8)] == [True, True, *(5 * [False])]
    found = targets(scene)
    assert found == (["Far"] if hidden else ["Mob", "Far"])


@pytest.mark.rule("w9.shoot.look-out-sir.closest")
def test_the_closest_unit_must_be_visible_itself():
    """The CHARACTER is the closest, behind a hill; the others are seen."""
    scene = NinthScene()
    scene.unit(0, GUNS, at=(30, 5))
    scene.unit(1, hero(), at=(30, 12))
    scene.unit(1, MOB, at=(36, 13.5), models=3)
    scene.box(28, 8, 32, 10, 8, kind="hill")
    battle = scene.battle("shooting", detail="full")
    pick(battle, "Guns")
    assert "Guns 1, gun: at Hero" not in words(battle).values()


@pytest.mark.rule("w9.shoot.look-out-sir.per-model")
@pytest.mark.parametrize("player", [0, 1])
def test_each_firing_model_has_its_own_closest_unit(player):
    """S1 stands before the CHARACTER, S2 before ten other models."""
    scene = NinthScene()
    scene.unit(player, sheet("Guns", weapons={"gun": ranged(36)}), at=[(18, 5), (21, 5)])
    scene.unit(1 - player, hero(), at=(18, 16))
    scene.unit(1 - player, MOB, at=[(20.5 + 1.1 * n, 16) for n in range(10)])
    battle = scene.battle("shooting", active=player, detail="full")
    pick(battle, "Guns")
    assert sorted(words(battle).values()) == ["Guns 1, gun: at Hero", "Guns 1, gun: at Mob", "Guns 1, gun: hold fire"]
    pick(battle, "at Hero")
    assert sorted(words(battle).values()) == ["Guns 2, gun: at Mob", "Guns 2, gun: hold fire"]


@pytest.mark.rule("w9.shoot.look-out-sir.per-model")
def test_squad_detail_only_those_that_may_shoot_at_the_character():
    scene = NinthScene()
    guns = scene.unit(0, sheet("Guns", weapons={"gun": ranged(36)}), at=[(18, 5), (21, 5)])
    unit = scene.unit(1, hero(), at=(18, 16))
    mob = scene.unit(1, MOB, at=[(20.5 + 1.1 * n, 16) for n in range(10)])
    battle = scene.battle("shooting", dice=[1, 1])
    pick(battle, "Guns")
    pick(battle, "Hero")
    shots = [(e.data["attacker"], e.data["target"]) for e in battle.events if e.rule == "w9.attack.hit"]
    assert shots == [(guns.model(0), unit), (guns.model(1), mob)]


@pytest.mark.rule("w9.shoot.look-out-sir")
def test_a_screen_that_falls_to_one_unit_opens_the_way_for_the_next():
    """The second unit is asked after the first has shot two of three models: what was known of its targets is forgotten."""
    scene = NinthScene()
    for x in (28, 32):
        gun = ranged(36, A=2, BS=2, S=8)
        scene.unit(0, sheet("Guns", weapons={"gun": gun}), at=(x, 5), name=f"Guns at {x}")
    scene.unit(1, sheet("Mob", Sv=6), at=(30, 16), models=3)
    scene.unit(1, hero(), at=(30, 19.5))
    scene.unit(1, sheet("Far"), at=(50, 25))
    battle = scene.battle("shooting", detail="squad", dice=[2, 2, 2, 2, 1, 1])
    pick(battle, "Guns at 28")
    assert sorted(words(battle).values()) == ["Far", "Mob"]
    pick(battle, "Mob")
    play_until(battle, "select-to-shoot")
    pick(battle, "Guns at 32")
    assert sorted(words(battle).values()) == ["Far", "Hero", "Mob"]


# ---------------------------------------------------------------- random tables against plain loops


def reading(battle, model, target):
    """Whether a model may not target a unit for Look Out, Sir, told from the words of the rule; visibility aside."""
    m, u = battle.models, battle.units

    def living(unit):
        return [k for k in range(len(m.x)) if m.unit[k] == unit and m.on_table[k]]

    def apart(a, b):
        return np.hypot(m.x[a] - m.x[b], m.y[a] - m.y[b]) - m.radius[a] - m.radius[b]

    def has(models, bits):
        return [k for k in models if m.keywords[k] & bits]

    character, big = 1 << 3, 1 << 1 | 1 << 2
    light = {e for e in range(len(u.owner)) if any(m.max_wounds[k] <= 9 for k in has(living(e), character))}
    if target not in light:
        return False
    shielded = False
    for unit in range(len(u.owner)):
        models = living(unit)
        if unit == target or u.owner[unit] != u.owner[target] or not models:
            continue
        if min(apart(a, b) for a, b in product(models, living(target))) > 3.0001:
            continue
        giants = [k for k in has(models, big) if m.max_wounds[k] >= 10]
        others = not has(models, character)
        if giants or (others and has(models, big)) or (others and len(models) >= 3):
            shielded = True
    if not shielded:
        return False
    mine = min(apart(model, k) for k in living(target))
    rivals = [e for e in range(len(u.owner)) if e != target and u.owner[e] == u.owner[target] and e not in light]
    nearer = [e for e in rivals if living(e) and min(apart(model, k) for k in living(e)) < mine - 0.001]
    return bool(nearer)


@pytest.mark.rule("w9.shoot.look-out-sir", "w9.shoot.look-out-sir.closest", "w9.shoot.look-out-sir.vehicle-character")
def test_random_tables_against_the_words_of_the_rule():
    rng = np.random.default_rng(9)
    kinds = [
        sheet("Men"),
        hero("Light", W=9),
        hero("Strong", W=10),
        sheet("Walker", W=8, keywords=("VEHICLE",)),
        sheet("Prince", W=9, keywords=("MONSTER", "CHARACTER")),
        sheet("Giant", W=12, keywords=("MONSTER", "CHARACTER")),
    ]
    answers = []
    for _ in range(120):
        scene = NinthScene(size=(30, 30))
        free = [(x, y) for x in np.arange(2, 28, 2.3) for y in np.arange(2, 28, 2.3)]
        spots = [tuple(float(v) for v in free[k]) for k in rng.permutation(len(free))]
        scene.unit(0, GUNS, at=[spots.pop() for _ in range(3)], models=3)
        for n in range(7):
            data = kinds[int(rng.integers(len(kinds)))]
            at = spots.pop()
            count = int(rng.integers(1, 5)) if data["name"] == "Men" else 1
            near = sorted(spots, key=lambda s, at=at: np.hypot(s[0] - at[0], s[1] - at[1]))[: count - 1]
            spots = [s for s in spots if s not in near]
            scene.unit(1, data, at=[at, *near] if near else at, models=count, name=f"U{n}")
        battle = scene.battle("shooting", run=False)
        fire = battle.setup.statics["fire_rules"]
        rows = battle.models.rows, battle.units.rows, fire
        for model, target in product(range(3), range(1, 8)):
            answer = screened(*rows, target) and not closest_unit(*rows, model, target)
            assert bool(answer) == reading(battle, model, target), (model, target)
            answers.append(bool(answer))
    assert 60 < sum(answers) < len(answers) - 60
