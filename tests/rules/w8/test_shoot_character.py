"""CHARACTERS are targets of those to whom no other enemy in sight is closer (w8.shoot.character.*)."""

from __future__ import annotations

import numpy as np
import pytest
from eighth import EighthScene
from eighth_shooting import HIT, gunners, shots, targets, waits

from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.questions.screens import open_to, protected
from wh_env.rulesets.w40k.shoot.overwatch import mark_shooters
from wh_env.rulesets.w40k.shoot.snap import Overwatch
from wh_env.testing import in_sight, melee, pick, ranged, sheet, told, words

HERO = ("INFANTRY", "CHARACTER")
GUNS = gunners(weapon=ranged(60, BS=2, S=8))
MOB = sheet("Mob")


def hero(name="Hero", W=6, keywords=HERO, **fields):
    """A unit of one CHARACTER."""
    return sheet(name, W=W, keywords=keywords, **fields)


def line(*units, player=0, shooters=((20, 5),)):
    """A unit of guns, and enemy units: datasheet, inches between the nearest model and the first gun along y, x."""
    scene = EighthScene()
    scene.unit(player, GUNS, at=list(shooters))
    for data, gap, x in units:
        away = np.sqrt((gap + 1.0) ** 2 - (x - 20) ** 2)
        scene.unit(1 - player, data, at=(x, 5 + float(away)), models=1)
    return scene


def found(scene, player=0, detail="full"):
    """Names of the units that the first gun may target."""
    battle = scene.battle("shooting", active=player, detail=detail)
    pick(battle, "Guns")
    return targets(battle)


FAR = (sheet("Far"), 30.0, 30)
FARTHER = (sheet("Farther"), 31.0, 10)


@pytest.mark.rule("w8.shoot.character")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("gap", "target"), [(8.0, False), (9.9, False), (11.0, True)])
def test_a_closer_enemy_in_sight_protects_it(player, detail, gap, target):
    """The CHARACTER is 10" away."""
    scene = line((hero(), 10.0, 20), (MOB, gap, 24), FAR, FARTHER, player=player)
    assert ("Hero" in found(scene, player, detail)) == target


@pytest.mark.rule("w8.shoot.character")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_an_enemy_that_is_not_seen_protects_nobody(player, detail):
    scene = EighthScene()
    scene.unit(player, GUNS, at=(20, 5))
    scene.unit(1 - player, hero(), at=(20, 16))
    mob = scene.unit(1 - player, MOB, at=[(26, 11), (27.2, 11)])  # 7.5" away
    scene.unit(1 - player, sheet("Far"), at=(10, 35))
    scene.box(22.5, 6, 24, 10, 8, kind="hill")
    battle = scene.battle("shooting", active=player, run=False)
    mine = battle.units.first[battle.players.first_unit[player]]
    assert not in_sight(battle, mine, mob.model(0))
    assert battle.distance(battle.players.first_unit[player], mob.row) < 10
    assert "Hero" in found(scene, player, detail)


@pytest.mark.rule("w8.shoot.character")
def test_a_second_character_and_the_largest_of_all_protect_too():
    for data in (
        hero("Other", W=4),
        sheet("Tank", W=14, keywords=("VEHICLE",)),
        sheet("Plane", keywords=("AIRCRAFT",)),
    ):
        assert "Hero" not in found(line((hero(), 10.0, 20), (data, 8.0, 24), FAR, FARTHER))


@pytest.mark.rule("w8.shoot.character")
def test_it_has_to_be_visible_itself_and_in_range():
    scene = EighthScene()
    scene.unit(0, gunners(weapon=ranged(12)), at=(20, 5))
    scene.unit(1, hero(), at=(20, 18.1))
    scene.unit(1, sheet("Far"), at=(10, 35))
    assert scene.battle("shooting").decision.kind != "select-to-shoot"


@pytest.mark.rule("w8.shoot.character.large")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("wounds", "target"), [(9, False), (10, True)])
def test_ten_wounds_by_the_characteristic_are_not_protected(player, detail, wounds, target):
    scene = EighthScene()
    scene.unit(player, GUNS, at=(20, 5))
    scene.unit(1 - player, hero(W=wounds), at=(20, 16), wounds=[3])
    scene.unit(1 - player, MOB, at=(24, 13))
    scene.unit(1 - player, sheet("Far"), at=(10, 35))
    assert ("Hero" in found(scene, player, detail)) == target


@pytest.mark.rule("w8.shoot.character.per-model")
@pytest.mark.parametrize("player", [0, 1])
def test_each_firing_model_has_its_own_closest_unit(player):
    scene = EighthScene()
    scene.unit(player, gunners(), at=[(18, 5), (21, 5)])
    scene.unit(1 - player, hero(), at=(18, 15))  # 9" and 9.4"
    scene.unit(1 - player, MOB, at=(24.4, 13.5))  # 9.6" and 8.2"
    scene.unit(1 - player, sheet("Far"), at=(50, 20))
    battle = scene.battle("shooting", active=player, detail="full")
    pick(battle, "Guns")
    assert sorted(words(battle).values()) == ["Guns 1, gun: at Hero", "Guns 1, gun: at Mob"]
    pick(battle, "at Hero")
    first = battle.players.first_unit[1 - player]  # the second has but one target, and is not asked
    assert list(battle.jobs.target[:2]) == [first, first + 1]


@pytest.mark.rule("w8.shoot.character.per-model")
@pytest.mark.parametrize("player", [0, 1])
def test_squad_detail_only_those_that_may_shoot_at_the_character(player):
    scene = EighthScene()
    guns = scene.unit(player, gunners(), at=[(18, 5), (21, 5)])
    unit = scene.unit(1 - player, hero(), at=(18, 15))
    mob = scene.unit(1 - player, MOB, at=(24.4, 13.5))
    scene.unit(1 - player, sheet("Far"), at=(50, 20))
    battle = scene.battle("shooting", active=player, dice=[1, 1])
    pick(battle, "Guns")
    pick(battle, "Hero")
    assert shots(battle) == [(guns.model(0), unit), (guns.model(1), mob)]


@pytest.mark.rule("w8.shoot.character.tie")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_exactly_as_close_as_another_it_is_a_target(player, detail):
    scene = EighthScene()
    scene.unit(player, GUNS, at=(20, 15))
    scene.unit(1 - player, hero(), at=(20, 25))
    scene.unit(1 - player, MOB, at=(30, 15))
    assert found(scene, player, detail) == ["Hero", "Mob"]


@pytest.mark.rule("w8.shoot.character.engaged-units-count")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_units_that_are_no_targets_themselves_protect_it(player, detail):
    """An enemy 6" away within 1" of a friend, the CHARACTER at 9"."""
    scene = EighthScene()
    scene.unit(player, GUNS, at=(20, 5))
    scene.unit(player, sheet("Friend", height=0.4, base_mm=20.0), at=(25, 9.6))
    scene.unit(1 - player, MOB, at=(25, 10.9))
    scene.unit(1 - player, hero(), at=(20, 15))
    scene.unit(1 - player, sheet("Far"), at=(10, 30))
    scene.unit(1 - player, sheet("Farther"), at=(10, 33))
    assert found(scene, player, detail) == ["Far", "Farther"]


@pytest.mark.rule("w8.shoot.character.engaged-units-count")
def test_units_out_of_range_of_the_weapon_protect_it():
    """A weapon of 24" and a short one: the Mob is out of range of none that matters, it only has to be closer."""
    weapons = {"long": ranged(24)}
    scene = EighthScene()
    scene.unit(0, sheet("Guns", weapons=weapons), at=(20, 5))
    scene.unit(1, hero(), at=(20, 31))
    scene.unit(1, MOB, at=(28, 29.6))  # 24.9" away, closer than the CHARACTER at 25"
    scene.unit(1, sheet("Far"), at=(10, 22))
    battle = scene.battle("shooting", run=False)
    fire = battle.setup.statics["shooting_rules"]
    tables = battle.models.rows, battle.units.rows, battle.setup.blocks, battle.setup.corners, fire
    assert protected(battle.models.rows, battle.units.rows, fire, 1)
    assert not open_to(*tables, 0, 1)


@pytest.mark.rule("w8.shoot.character.shooting-phase-only")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_overwatch_at_a_charging_character(player, detail):
    """Another enemy is closer to the unit that fires."""
    scene = EighthScene()
    guns = scene.unit(player, gunners(weapon=ranged(24, BS=3, S=4)), at=(20, 15))
    unit = scene.unit(1 - player, hero(Sv=6, weapons={"fist": melee()}), at=(20, 23))
    scene.unit(1 - player, MOB, at=(25, 18))
    battle = scene.battle("charge", active=1 - player, detail=detail, dice=[6, 4, 1], run=False)
    Overwatch.at(battle, guns.row, unit.row)
    battle.run()
    assert [(e["attacker"], e["target"], e["needed"]) for e in told(battle, HIT)] == [(guns.model(0), unit.row, 6)]
    assert battle.models.wounds[unit.first] == 5


@pytest.mark.rule("w8.shoot.character.shooting-phase-only")
@pytest.mark.parametrize("phase", ["shooting", "charge"])
def test_who_could_fire_out_of_the_phase_is_asked_without_the_rule(phase):
    scene = EighthScene()
    guns = scene.unit(0, gunners(), at=(20, 15))
    unit = scene.unit(1, hero(), at=(20, 23))
    scene.unit(1, MOB, at=(25, 18))
    battle = scene.battle(phase, active=1, run=False)
    statics, setup = battle.setup.statics, battle.setup
    marks = np.zeros(len(battle.units.rows), np.uint8)
    mark_shooters(
        battle.models.rows, battle.units.rows, setup.blocks, setup.corners, statics["weapons"], statics["arsenal"], battle.engaged,
        statics["fire_rules"], unit.row, 99.0, int(Moved.ADVANCE), int(Moved.FELL_BACK), marks, battle.work.reaches,
    )  # fmt: skip
    assert marks[guns.row] == 1


@pytest.mark.rule("w8.shoot.character")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_when_the_closer_unit_falls_the_next_may_shoot_at_the_character(detail):
    """Casualties of any unit change who is closest: what was known of targets is forgotten."""
    scene = EighthScene()
    for x in (16, 24):
        scene.unit(0, gunners(weapon=ranged(36, BS=2, S=8)), at=(x, 5), name=f"Guns at {x}")
    scene.unit(1, hero(height=4.0), at=(20, 17))
    scene.unit(1, sheet("Mob", Sv=6), at=(20, 14))
    scene.unit(1, sheet("Far"), at=(40, 25))
    battle = scene.battle("shooting", detail=detail, dice=[2, 2, 1])
    pick(battle, "Guns at 16")
    assert targets(battle) == ["Mob", "Far"]
    pick(battle, "Mob" if detail == "squad" else "at Mob")
    if waits(battle, "select-to-shoot"):
        pick(battle, "Guns at 24")
    assert targets(battle) == ["Hero", "Far"]


@pytest.mark.rule("w8.shoot.character")
def test_a_model_that_blocked_the_view_falls_and_a_closer_unit_is_seen():
    """A wide model hides the Mob; once it is gone, the Mob protects the CHARACTER from the next unit."""
    scene = EighthScene()
    scene.unit(0, gunners(weapon=ranged(36, BS=2, S=8)), at=(10, 5), name="First")
    scene.unit(0, gunners(weapon=ranged(36, BS=2, S=8)), at=(30, 5), name="Second")
    scene.unit(1, sheet("Wide", Sv=6, base_mm=(260.0, 60.0), height=8.0), at=[(30, 12, 0, 0.0)])
    scene.unit(1, sheet("Mob", height=1.0), at=(30, 16))
    scene.unit(1, hero(height=1.0), at=(41.5, 19), name="Hero")
    scene.unit(1, sheet("Far"), at=(45, 30))
    battle = scene.battle("shooting", dice=[2, 2, 1], detail="full", run=False)
    assert not in_sight(battle, 1, 3)
    battle.run()
    pick(battle, "First")
    pick(battle, "at Wide")
    if waits(battle, "select-to-shoot"):
        pick(battle, "Second")
    assert "Mob" in targets(battle)
    assert "Hero" not in targets(battle)


# ---------------------------------------------------------------- random tables against plain loops


def reading(battle, model, target):
    """Whether a model may not target a unit for this rule, told from its words."""
    m, u = battle.models, battle.units

    def living(unit):
        return [k for k in range(len(m.x)) if m.unit[k] == unit and m.on_table[k]]

    def apart(unit):
        return min(
            np.hypot(m.x[model] - m.x[k], m.y[model] - m.y[k]) - m.radius[model] - m.radius[k] for k in living(unit)
        )

    if not any(m.keywords[k] & 1 << 3 and m.max_wounds[k] < 10 for k in living(target)):
        return False
    others = [e for e in range(len(u.owner)) if e != target and u.owner[e] == u.owner[target] and living(e)]
    seen = [e for e in others if any(in_sight(battle, model, k) for k in living(e))]
    return any(apart(e) < apart(target) - 0.001 for e in seen)


@pytest.mark.rule("w8.shoot.character", "w8.shoot.character.large", "w8.shoot.character.per-model")
def test_random_tables_against_the_words_of_the_rule():
    rng = np.random.default_rng(8)
    kinds = [sheet("Men"), hero("Light", W=9), hero("Strong", W=10), sheet("Walker", W=8, keywords=("VEHICLE",))]
    answers = []
    for _ in range(100):
        scene = EighthScene(size=(30, 30))
        free = [(x, y) for x in np.arange(2, 28, 2.3) for y in np.arange(2, 28, 2.3)]
        spots = [tuple(float(v) for v in free[k]) for k in rng.permutation(len(free))]
        scene.unit(0, GUNS, at=[spots.pop() for _ in range(3)], models=3)
        for n in range(6):
            data = kinds[int(rng.integers(len(kinds)))]
            at = spots.pop()
            count = int(rng.integers(1, 4)) if data["name"] == "Men" else 1
            near = sorted(spots, key=lambda s, at=at: np.hypot(s[0] - at[0], s[1] - at[1]))[: count - 1]
            spots = [s for s in spots if s not in near]
            scene.unit(1, data, at=[at, *near] if near else at, models=count, name=f"U{n}")
        x, y = spots.pop()
        scene.box(x - 0.6, y - 0.6, x + 0.6, y + 0.6, 6.0)
        battle = scene.battle("shooting", run=False)
        fire = battle.setup.statics["shooting_rules"]
        rows = battle.models.rows, battle.units.rows
        for model in range(3):
            for target in range(1, 7):
                answer = protected(*rows, fire, target) and not open_to(
                    *rows, battle.setup.blocks, battle.setup.corners, fire, model, target
                )
                assert bool(answer) == reading(battle, model, target), (model, target)
                answers.append(bool(answer))
    assert 100 < sum(answers) < len(answers) - 100
