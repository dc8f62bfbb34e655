"""Armies, keywords, measuring, sight, Engagement Range, destroyed models, abilities (w9.concepts.*)."""

from __future__ import annotations

import pytest
from classic import TABLE, in_phase, raw_army, raw_sheet
from ninth import NinthScene

from wh_env.content import w9
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.w9.mission.quarters import quarters, wholly_within
from wh_env.rulesets.w40k.attack.casualties import heal, mortal_wounds
from wh_env.rulesets.w40k.modified import modified
from wh_env.rulesets.w40k.questions.move_limits import engaged
from wh_env.rulesets.w40k.questions.strength import below_half_strength
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import (
    apart,
    choose,
    dice_left,
    in_sight,
    kind,
    pick,
    ranged,
    sheet,
    slots,
    told,
    words,
)

FAR = (50, 40)
GUN = {"gun": ranged(24, BS=4, S=4)}

# ---------------------------------------------------------------- armies


@pytest.mark.rule("w9.concepts.units")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_models_of_an_army_are_friends_those_of_the_other_enemies(detail, player):
    """Eight friendly models, the own unit among them, and four enemies in one unit: nobody else is shot at, and none of the eight."""
    scene = NinthScene()
    first = scene.unit(player, sheet("A1", weapons=GUN), at=(10, 10), models=5)
    second = scene.unit(player, sheet("A2", weapons=GUN), at=(10, 14), models=3)
    other = scene.unit(1 - player, sheet("B1", weapons=GUN, W=9), at=(10, 24), models=4)
    battle = scene.battle("shooting", active=player, detail=detail)
    armies = [[k for unit in battle.units_of(side) for k in battle.members(unit)] for side in (player, 1 - player)]
    assert [len(army) for army in armies] == [8, 4]
    assert [len(battle.units_of(side)) for side in (player, 1 - player)] == [2, 1]
    assert armies[0] == [*battle.members(first.row), *battle.members(second.row)]
    assert armies[1] == list(battle.members(other.row))
    pick(battle, "A1")
    while kind(battle) in ("shoot-target", "weapon-target"):
        assert all(text.endswith(("at B1", "hold fire")) for text in words(battle).values())
        pick(battle, "B1")
    shots = told(battle, "w9.attack.hit")
    assert [event["target"] for event in shots] == [other.row] * 5
    assert sorted(event["attacker"] for event in shots) == list(battle.members(first.row))


def mixed(names, weapons=None, **fields):
    """A unit of four models of INFANTRY and one that is a CHARACTER too."""
    data = sheet("Squad", weapons=weapons or GUN, models=(4, 4), **fields)
    hero = {**data["models"][0], "name": "Hero", "min": 1, "max": 1, "keywords": list(names)}
    return {**data, "models": [data["models"][0], hero], "points": [{"models": 5, "points": 100}]}


@pytest.mark.rule("w9.concepts.keywords")
@pytest.mark.parametrize(
    ("keyword", "scope", "count"),
    [("CHARACTER", "unit", 5), ("CHARACTER", "model", 1), ("INFANTRY", "model", 5), ("VEHICLE", "unit", 0)],
)
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_has_the_keywords_of_all_its_models_a_model_its_own(keyword, scope, count, player):
    """BS 4+: of five hit rolls of 3 those hit to which +1 for models, or units, with the keyword applies."""
    scene = NinthScene()
    scene.unit(player, mixed(["CHARACTER"]), at=(10, 10), models=5)
    scene.unit(1 - player, sheet("Target", W=20), at=(12, 20))
    rows = [{"effect": "+1 to hit", "keyword": keyword, "of": scope}]
    battle = scene.battle("shooting", active=player, dice=[3] * 5 + [1] * 9, rules={"modifiers": rows})
    pick(battle, "Squad")
    rolls = told(battle, "w9.attack.hit")
    assert len(rolls) == 5
    assert sum(roll["result"] > 0 for roll in rolls) == count


@pytest.mark.rule("w9.concepts.precedence")
@pytest.mark.parametrize(("keywords", "legal"), [(("INFANTRY", "FLY"), True), (("INFANTRY",), False)])
def test_what_a_datasheet_says_goes_before_the_core_rule(keywords, legal):
    """AIRCRAFT that only units with FLY can charge stands 6" away: FLY rolls 2 + 4 and ends 0.5" from it."""
    scene = NinthScene()
    unit = scene.unit(0, sheet("Charger", keywords=keywords), at=(10, 10))
    scene.unit(0, sheet("Other", keywords=keywords), at=(18, 10))  # could charge too, so that the phase goes on
    wing = scene.unit(1, sheet("Wing", W=9, keywords=("VEHICLE", "AIRCRAFT", "FLY")), at=(10, 17))
    battle = scene.battle("charge", dice=[2, 4])
    if not legal:
        assert told(battle, "w9.charge.roll") == []
        assert dice_left(battle) == 2
        return
    pick(battle, "Charger")
    assert told(battle, "w9.charge.roll")[-1]["roll"] == 6
    assert battle.distance(unit, wing) <= 1.0
    assert told(battle, "w9.charge.fail") == []


# ---------------------------------------------------------------- measuring


@pytest.mark.rule("w9.concepts.measure")
def test_distances_run_between_the_closest_points_of_bases():
    """Bases of 32 mm, centres 5" apart: 3.74"."""
    scene = NinthScene()
    scene.unit(0, sheet("A", base_mm=32), at=(10, 10))
    scene.unit(1, sheet("B", base_mm=32), at=(15, 10))
    battle = scene.battle("movement")
    assert apart(battle, 0, 1) == pytest.approx(3.74, abs=0.005)


@pytest.mark.rule("w9.concepts.measure")
def test_a_model_without_a_base_is_measured_from_its_hull():
    """A hull of 4" by 2": 3" from its front, 4" from its side, whatever its centre."""
    for facing, gap in ((0.0, 3.0), (1.5707963, 4.0)):
        scene = NinthScene()
        scene.unit(0, sheet("Tank", hull_in=(4, 2), base_mm=None, keywords=("VEHICLE",)), at=[(10, 10, 0, facing)])
        scene.unit(1, sheet("B"), at=(15.5, 10))
        battle = scene.battle("movement")
        assert apart(battle, 0, 1) == pytest.approx(gap, abs=1e-3)


@pytest.mark.rule("w9.concepts.measure")
@pytest.mark.parametrize(("reach", "in_range"), [(5.01, True), (4.99, False)])
def test_distances_are_three_dimensional(reach, in_range):
    """3" across and 4" up: 5" for a weapon."""
    scene = NinthScene()
    scene.floor(13.4, 5, 30, 15, 4.0)
    scene.unit(0, sheet("A", weapons={"gun": ranged(reach)}), at=(10, 10))
    scene.unit(1, sheet("B"), at=[(14, 10, 4.0)])
    battle = scene.battle("shooting")
    assert (kind(battle) == "select-to-shoot" and battle.decision.player == 0) is in_range


@pytest.mark.rule("w9.concepts.within")
@pytest.mark.parametrize(("place", "within"), [(16.4, True), (16.5, True), (16.6, False), (17.0, False)])
def test_a_model_is_within_a_distance_if_any_part_of_its_base_is(place, within):
    """Range 6 from the edge of a base at x = 10.5: a base that spans 5.9" to 6.9" is in range, one from 6.1" on is not."""
    scene = NinthScene()
    scene.unit(0, sheet("A", weapons={"gun": ranged(6)}), at=(10, 10))
    scene.unit(1, sheet("B"), at=(place + 0.5, 10))
    battle = scene.battle("shooting")
    assert (kind(battle) == "select-to-shoot") is within


@pytest.mark.rule("w9.concepts.within")
@pytest.mark.parametrize(("last", "within"), [((16.9, 10), True), ((17.2, 10), False)])
def test_a_unit_is_within_a_distance_if_any_of_its_models_is(last, within):
    scene = NinthScene()
    scene.unit(0, sheet("A", weapons={"gun": ranged(6)}), at=(10, 10))
    scene.unit(1, sheet("B"), at=[(18.5, 12), (18.5, 10), last])
    battle = scene.battle("shooting")
    assert (kind(battle) == "select-to-shoot") is within


# ---------------------------------------------------------------- Engagement Range


@pytest.mark.rule("w9.concepts.engagement-range")
@pytest.mark.parametrize(
    ("gap", "height", "near"),
    [(1.0, 4.0, True), (1.1, 4.0, False), (0.5, 5.5, False), (1.0, 0.0, True), (1.1, 0.0, False), (0.5, 5.0, True)],
)
def test_within_1_inch_across_and_5_up(gap, height, near):
    scene = NinthScene()
    if height:
        scene.floor(10.8, 5, 20, 15, height, kind="building")
    mine = scene.unit(0, sheet("A"), at=[(10, 10), (8.5, 10)])
    theirs = scene.unit(1, sheet("B"), at=[(11 + gap, 10, height), (13 + gap, 10, height)])
    battle = scene.battle("movement", run=False)
    assert engaged(battle, mine.row) is near
    assert engaged(battle, theirs.row) is near


@pytest.mark.rule("w9.concepts.engagement-range.set-up")
@pytest.mark.parametrize(("gap", "open_"), [(0.8, False), (1.0, False), (1.01, True)])
def test_no_set_up_within_engagement_range(gap, open_):
    """Two zones that nearly meet: the cell opposite the enemy base is so far from it, the one beside it is far enough."""
    grid, middle = 17, 8
    depth = (44 - gap - 1.0) / (2 * 16.5 / grid)
    scene = NinthScene(zone_depth=depth)
    scene.unit(0, sheet("First"))
    second = scene.unit(1, sheet("Second"))
    battle = scene.battle("mission", attacker=0)
    assert battle.decision.player == 1  # who did not choose the zones
    choose(battle, "cell", middle)
    assert battle.decision.player == 0
    cells = slots(battle, "cell")
    assert (16 * grid + middle in cells) is open_
    assert 16 * grid + middle + 1 in cells
    if open_:
        choose(battle, "cell", 16 * grid + middle)
        assert battle.distance(0, second) == pytest.approx(gap, abs=1e-6)


@pytest.mark.rule("w9.concepts.engagement-range.set-up")
@pytest.mark.parametrize(("gap", "refused"), [(0.8, True), (1.3, False)])
def test_a_returned_model_is_not_set_up_within_engagement_range(gap, refused):
    """Walls leave the model one place beside its unit, ``gap`` inches from an enemy model."""
    scene = NinthScene()
    unit = scene.unit(0, sheet("Squad"), at=[(10, 10), (11.2, 10)], lost=(1,))
    scene.box(4, 10.55, 16, 16, 6)
    scene.box(4, 4, 16, 9.45, 6)
    scene.box(4, 9.45, 9.45, 10.55, 6)
    scene.unit(1, sheet("Guard"), at=(11.0 + 1.0 + gap, 10))
    scene.rule(TimedRule("Back", "command", 0, "return", unit.row, 1))
    battle = scene.battle("command")
    assert battle.units.alive[unit] == (1 if refused else 2)


# ---------------------------------------------------------------- sight


@pytest.mark.rule("w9.concepts.visibility")
@pytest.mark.parametrize(("height", "seen"), [(2.2, True), (1.9, False)])
def test_a_model_is_visible_if_any_part_of_it_is(height, seen):
    """An opaque wall of 2" hides all of it but what is higher; both stand on the ground, the observer is 1.5" high."""
    scene = NinthScene()
    scene.wall(15, 0, 15, 30, 2.0)
    scene.unit(0, sheet("A", height=1.9), at=(5, 10))
    scene.unit(1, sheet("B", height=height), at=(16.2, 10))
    battle = scene.battle("movement", run=False)
    # from 1.9" over the top of 2" at 9.5" a line rises to 2.02" at the far model
    assert in_sight(battle, 0, 1) is seen


@pytest.mark.rule("w9.concepts.visibility")
@pytest.mark.parametrize(("own", "seen"), [(True, True), (False, False)])
def test_a_model_sees_through_its_own_unit_and_through_no_other_model(own, seen):
    scene = NinthScene()
    scene.unit(0, sheet("A"), at=[(10, 10), *([(13, 10)] if own else [])])
    if not own:
        scene.unit(0, sheet("Big", base_mm=120, height=6, keywords=("VEHICLE",)), at=(14, 10))
    target = scene.unit(1, sheet("B"), at=(18, 10))
    battle = scene.battle("movement", run=False)
    assert in_sight(battle, 0, target.first) is seen


@pytest.mark.rule("w9.concepts.visibility")
def test_a_unit_is_visible_if_one_of_its_models_is():
    """One of two models stands beside the wall: the unit can be shot at; with both behind it, it cannot."""
    for second, seen in (((20, 18.5), True), ((20, 14.5), False)):
        scene = NinthScene()
        scene.wall(15, 0, 15, 14, 9.0)
        scene.unit(0, sheet("A", weapons=GUN), at=(10, 10))
        scene.unit(1, sheet("B"), at=[(20, 16.5), second])
        battle = scene.battle("shooting")
        assert (kind(battle) == "select-to-shoot") is seen


# ---------------------------------------------------------------- strength and losses


@pytest.mark.rule("w9.concepts.starting-strength")
def test_the_starting_strength_is_what_was_mustered():
    scene = NinthScene()
    unit = scene.unit(0, sheet("Ten"), at=(10, 10), models=10, lost=(7, 8, 9))
    scene.unit(1, sheet("Far"), at=FAR)
    battle = scene.battle("movement")
    assert (battle.units.strength[unit], battle.units.alive[unit]) == (10, 7)


@pytest.mark.rule("w9.concepts.destroyed")
@pytest.mark.parametrize("player", [0, 1])
def test_a_unit_is_destroyed_with_its_last_model(player):
    """Two models of one wound: the first attack destroys a model, the second the unit."""
    for rolls, alive in (([2, 2, 1], 1), ([2, 2, 2, 2, 1, 1], 0)):
        scene = NinthScene()
        gun = ranged(24, A=len(rolls) // 3, BS=2, S=8, AP=-6)
        scene.unit(player, sheet("Guns", weapons={"gun": gun}), at=(10, 10))
        target = scene.unit(1 - player, sheet("Two", Sv=6), at=[(10, 20), (12, 20)])
        scene.unit(1 - player, sheet("Other"), at=FAR)
        battle = scene.battle("shooting", active=player, dice=rolls)
        pick(battle, "Guns")
        if kind(battle) == "shoot-target":
            pick(battle, "Two")
        assert battle.units.alive[target] == alive
        assert battle.units.place[target] == (ON_TABLE if alive else DESTROYED)
        assert sum(battle.models.on_table[target.first + k] for k in (0, 1)) == alive
        assert [event["unit"] for event in told(battle, "w9.concepts.destroyed")] == ([] if alive else [target.row])


# ---------------------------------------------------------------- Auras


def aura(name, effect="+1 Attacks", reach=6.0):
    return {"auras": [{"name": name, "effect": effect, "active": True, "range": reach}]}


@pytest.mark.rule("w9.concepts.aura")
@pytest.mark.parametrize(
    ("bearers", "attacks"),
    [
        ([("Drill", 14.0)], 2),
        ([("Drill", 14.0), ("Drill", 7.0)], 2),  # the same name: once
        ([("Drill", 14.0), ("Zeal", 7.0)], 3),
        ([("Drill", 17.0)], 2),  # 6"
        ([("Drill", 17.2)], 1),
        ([], 1),
    ],
)
def test_auras_work_within_range_each_name_once(bearers, attacks):
    """ "+1 Attacks" on a unit with a gun of one attack."""
    scene = NinthScene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=2)}), at=(10, 10))
    for number, (name, x) in enumerate(bearers):
        scene.unit(0, sheet(f"Bearer {number}", abilities=aura(name)), at=(x, 10))
    scene.unit(1, sheet("Target", W=9), at=(10, 20))
    battle = scene.battle("shooting", dice=[1] * 6)
    pick(battle, "Guns")
    assert len(told(battle, "w9.attack.hit")) == attacks


@pytest.mark.rule("w9.concepts.aura")
def test_a_model_is_always_in_range_of_its_own_aura():
    """An aura of 0.1" helps the one that has it."""
    scene = NinthScene()
    guns = {"gun": ranged(24, BS=2)}
    scene.unit(0, sheet("Guns", weapons=guns, abilities=aura("Drill", reach=0.1)), at=(10, 10))
    scene.unit(1, sheet("Target", W=9), at=(10, 20))
    battle = scene.battle("shooting", dice=[1] * 6)
    pick(battle, "Guns")
    assert len(told(battle, "w9.attack.hit")) == 2


# ---------------------------------------------------------------- half strength, areas, modifiers


@pytest.mark.rule("w9.concepts.half-strength")
@pytest.mark.parametrize(("models", "left", "below"), [(10, 5, False), (10, 4, True), (5, 3, False), (5, 2, True)])
def test_a_unit_is_below_half_strength_with_fewer_than_half_its_models(models, left, below):
    scene = NinthScene()
    unit = scene.unit(0, sheet("Squad", W=3), at=(10, 10), models=models, lost=range(left, models), wounds=[1] * models)
    scene.unit(1, sheet("Far"), at=FAR)
    assert below_half_strength(scene.battle("movement", run=False), unit.row) is below


@pytest.mark.rule("w9.concepts.half-strength")
@pytest.mark.parametrize(("wounds", "below"), [(12, False), (6, False), (5, True)])
def test_a_unit_of_one_model_is_by_its_wounds(wounds, below):
    scene = NinthScene()
    unit = scene.unit(0, sheet("Walker", W=12), at=(10, 10), wounds=[wounds])
    scene.unit(1, sheet("Far"), at=FAR)
    assert below_half_strength(scene.battle("movement", run=False), unit.row) is below


@pytest.mark.rule("w9.concepts.half-strength")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("degrades", [True, False])
def test_a_single_model_is_below_it_as_it_is_hurt_and_healed(degrades, player):
    """W 12, with a damage table or without one: three shots of Damage 3 leave 3 wounds, less than half; 3 of the lost ones
    healed it is not any more, and 1 lost again it is. A unit of two, one of which is left with 1 wound, has half of its models."""
    table = {"damage": TABLE} if degrades else {}
    model = {"name": "Tank", "max": 1, "M": 12, "W": 12, "T": 7, "Sv": "6+", "weapons": ["gun"], **table}
    hull = raw_sheet("Tank", keywords=["VEHICLE"], role="Heavy Support", model=model)
    pair = raw_sheet("Pair", model={"min": 2, "max": 2})
    gun = {"gun": {"range": 48, "type": "Heavy 1", "S": 8, "AP": -4, "D": 3}}
    guns = raw_sheet("Guns", weapons=gun, model={"weapons": ["gun"], "min": 3, "max": 3})
    armies = [raw_army(raw_sheet("Watch"), hull, pair), raw_army(guns)]
    loaded = w9.GAME.load("w9/only-war-patrol", {"armies": armies if player == 0 else armies[::-1]})
    spots = {"Watch": (4, 2), "Tank": (10, 15), "Pair": (4, 28), "Guns": (30, 15)}
    battle = in_phase(loaded, "shooting", spots, active=1 - player, dice=[6] * 6)
    unit = battle.players.first_unit[player] + 1
    model, pair = battle.units.first[unit], unit + 1
    below = []
    pick(battle, "Guns")
    if kind(battle) == "shoot-target":
        pick(battle, "Tank")
    assert battle.models.wounds[model] == 3
    below.append(below_half_strength(battle, unit))
    heal(battle, unit, 3)
    below.append(below_half_strength(battle, unit))
    mortal_wounds(battle, unit, 1)
    battle.run()
    below.append(below_half_strength(battle, unit))
    assert below == [True, False, True]
    mortal_wounds(battle, pair, 3)
    battle.run()
    assert [battle.models.wounds[k] for k in battle.members(pair)] == [1]
    assert not below_half_strength(battle, pair)


def standing(spots, lost=()):
    scene = NinthScene(size=(44, 60))
    unit = scene.unit(0, sheet("Squad"), at=spots, lost=lost)
    scene.unit(1, sheet("Far"), at=(40, 55))
    return scene.battle("movement", run=False), unit.row


@pytest.mark.parametrize(("lost", "within"), [((), False), ((4,), True), ((0,), False)])
def test_a_unit_is_wholly_within_only_if_every_part_of_every_model_is(lost, within):
    """The base of the fifth model sticks out of the quarter by 0.1"."""
    battle, unit = standing([(14.0 + 1.5 * k, 10) for k in range(4)] + [(21.6, 10)], lost)
    assert wholly_within(battle, unit, quarters(44, 60)[0]) is within


def test_a_base_that_touches_the_line_from_inside_is_within():
    for x, within in ((21.5, True), (21.51, False)):
        battle, unit = standing([(x, 10)])
        assert wholly_within(battle, unit, quarters(44, 60)[0]) is within


@pytest.mark.rule("w9.mission.quarters")
def test_quarters_are_divided_by_lines_through_the_centre():
    """A battlefield of 44" by 60": x = 22 and y = 30; a unit from x = 21 to 23 is wholly within none."""
    found = quarters(44, 60)
    assert len(found) == 4
    for area in found:
        assert sorted(set(area[:, 0])) in ([0, 22], [22, 44])
        assert sorted(set(area[:, 1])) in ([0, 30], [30, 60])
    for spots, number in (([(21.5, 10), (22.5, 10)], 0), ([(20, 10)], 1), ([(24, 35)], 1), ([(10, 30)], 0)):
        battle, unit = standing(spots)
        assert sum(wholly_within(battle, unit, area) for area in found) == number


@pytest.mark.parametrize(
    ("value", "changes", "result"),
    [
        (3, [("add", 1), ("multiply", 2)], 7),
        (5, [("subtract", 1), ("divide", 2)], 2),
        (4, [("subtract", 1), ("replace", 6)], 5),
        (3, [("divide", 2), ("multiply", 3)], 5),
        (4, [], 4),
    ],
)
def test_characteristics_are_modified_in_order_and_rounded_up_last(value, changes, result):
    """Whatever the order in which the rules came."""
    assert modified(value, changes) == modified(value, changes[::-1]) == result


@pytest.mark.rule("w9.concepts.characteristic.minimum")
def test_no_characteristic_falls_below_1_and_a_dash_is_not_modified():
    assert modified(1, [("subtract", 2)], 1) == 1
    assert modified(4, [("subtract", 2)], 1) == 2
    assert modified(None, [("add", 1)], 1) is None


@pytest.mark.rule("w9.concepts.dice.modifiers")
@pytest.mark.parametrize(
    ("die", "changes", "result"),
    [
        (2, [("subtract", 1), ("subtract", 3)], 1),
        (2, [("subtract", 1), ("add", 3)], 4),
        (5, [("subtract", 1), ("divide", 2)], 2),
        (6, [("add", 2), ("multiply", 2)], 14),
    ],
)
def test_modifiers_of_a_roll_are_cumulative_and_never_make_it_less_than_1(die, changes, result):
    assert modified(die, changes, 1) == result
