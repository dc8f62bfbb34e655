"""Victory points, armies, friend and foe, keywords, battlefield, terrain, measuring (w10.concepts.*)."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env.content.battle import Battle
from wh_env.content.errors import ContentError
from wh_env.content.w10 import load_battle
from wh_env.core.geometry.paths import Fault
from wh_env.rulesets.w40k.deploy.formations import has_room
from wh_env.testing import Scene, dice_left, melee, pick, play_until, ranged, sheet, slots, told
from wh_env.testing.melee_moves import check_consolidation
from wh_env.testing.moves import check_move

GUN = {"gun": ranged(24, BS=4, S=4)}

# ---------------------------------------------------------------- victory


@pytest.mark.rule("w10.concepts.victory-points")
@pytest.mark.parametrize(("vp", "winner"), [((7, 6), 0), ((6, 7), 1), ((6, 6), None), ((1, 0), 0)])
def test_the_higher_score_wins_a_battle_that_both_armies_survive(vp, winner):
    scene = Scene()
    scene.unit(0, sheet("A"), at=(10, 10))
    scene.unit(1, sheet("B"), at=(50, 40))
    battle = scene.battle("end", active=1, round=5, vp=vp)
    assert battle.over
    assert [battle.units.alive[u] for u in (0, 1)] == [1, 1]
    assert battle.result.winner == winner
    assert battle.result.victory_points == vp


# ---------------------------------------------------------------- the full rule


@pytest.mark.rule("w10.concepts.full-rule-first")
def test_closer_is_enough_although_the_summary_says_as_close_as_possible():
    """A model 4" from the closest enemy cannot reach base contact with 3": it may end 3.5" away, not 4.1"."""

    def position():
        scene = Scene()
        # the first model keeps the unit within Engagement Range, the third is 4" behind it
        unit = scene.unit(0, sheet("Squad", weapons={"fist": melee()}), at=[(10, 10), (11.5, 8), (10, 6.5)])
        scene.unit(1, sheet("Foe"), at=(10, 11.5))
        battle = scene.battle("fight", run=False)
        models = battle.models
        return battle, unit, lambda: float(np.hypot(models.x[2] - models.x[3], models.y[2] - models.y[3])) - 1.0

    battle, unit, away = position()
    assert away() == pytest.approx(4.0)
    assert check_consolidation(battle, unit, {2: [(10, 7)]}) == Fault.LEGAL
    assert away() == pytest.approx(3.5)
    battle, unit, away = position()
    assert check_consolidation(battle, unit, {2: [(10, 6.4)]}) == Fault.NOT_CLOSER
    assert away() == pytest.approx(4.0)


@pytest.mark.rule("w10.concepts.full-rule-first")
def test_friends_in_the_way_change_nothing_about_it():
    """A model 4.2" from the only enemy, behind friends who are nearer, may go as little as 0.7"."""
    scene = Scene()
    unit = scene.unit(0, sheet("Squad", weapons={"fist": melee()}), at=[(10, 10), (12, 10), (14, 10)])
    enemy = scene.unit(1, sheet("Foe"), at=(15.2, 10))
    battle = scene.battle("fight", run=False)
    models = battle.models
    # the first model: 5.2" from centre to centre, so 4.2" away; it moves to 3.5"
    first = unit.first

    def away():
        return float(np.hypot(models.x[first] - models.x[3], models.y[first] - models.y[3])) - 1.0

    assert away() == pytest.approx(4.2)
    assert check_consolidation(battle, unit, {0: [(10.7, 10)]}) == Fault.LEGAL
    assert away() == pytest.approx(3.5)
    assert battle.distance(unit, enemy) <= 1.0


# ---------------------------------------------------------------- armies


@pytest.mark.rule("w10.concepts.army")
def test_an_army_is_exactly_the_models_under_its_player():
    scene = Scene()
    five = scene.unit(0, sheet("Five"), at=(10, 10), models=5)
    three = scene.unit(0, sheet("Three"), at=(10, 15), models=3)
    ten = scene.unit(1, sheet("Ten"), at=(10, 30), models=10)
    battle = scene.battle("movement")
    armies = [{k for unit in battle.units_of(player) for k in battle.members(unit)} for player in (0, 1)]
    assert [len(army) for army in armies] == [8, 10]
    assert armies[0] == {*battle.members(five.row), *battle.members(three.row)}
    assert armies[1] == set(battle.members(ten.row))
    assert armies[0] | armies[1] == set(range(18))
    assert not armies[0] & armies[1]
    assert [k for k in range(18) if battle.models.owner[k] == 1] == sorted(armies[1])


@pytest.mark.rule("w10.concepts.army")
def test_the_mission_gives_the_size_of_an_army():
    """The shipped Incursion lists are legal at 1000 points and refused at fewer."""
    assert load_battle("w10/only-war-incursion").size.points == 1000
    with pytest.raises(ContentError):
        load_battle("w10/only-war-incursion", {"size": "Skirmish", "mission": "only-war-skirmish"})


@pytest.mark.rule("w10.concepts.friendly-enemy")
@pytest.mark.parametrize("player", [0, 1])
def test_units_of_the_own_army_are_friendly_all_others_enemy(player):
    """Everybody is in range and sight of everybody: what may be shot at is exactly the enemy."""
    scene = Scene()
    scene.unit(0, sheet("A1", weapons=GUN), at=(10, 10))
    scene.unit(0, sheet("A2", weapons=GUN), at=(14, 10))
    scene.unit(1, sheet("B1", weapons=GUN), at=(12, 20))
    scene.unit(1, sheet("B2", weapons=GUN), at=(16, 20))
    battle = scene.battle("shooting", active=player)
    own, enemies = ("A", "B") if player == 0 else ("B", "A")
    assert slots(battle, "own") == [0, 1]
    pick(battle, f"{own}1")
    assert battle.decision.kind == "shoot-target"
    assert all(enemies in battle.describe(action) for action in battle.decision.options)
    assert slots(battle, "own") == []
    assert slots(battle, "enemy") == [0, 1]


@pytest.mark.rule("w10.concepts.friendly-enemy")
def test_only_enemies_keep_a_unit_from_ending_its_move_beside_them():
    """0.5" from a friend of another unit is a legal end, 0.5" from an enemy is not."""
    for owner, legal in ((0, True), (1, False)):
        scene = Scene()
        unit = scene.unit(0, sheet("A1"), at=(10, 10))
        scene.unit(owner, sheet("Other"), at=(10, 14.5))
        scene.unit(1, sheet("Far"), at=(50, 40))
        battle = scene.battle("movement")
        assert (check_move(battle, unit, "normal", {0: [(10, 13)]}) == Fault.LEGAL) is legal


@pytest.mark.rule("w10.concepts.unspecified-side")
def test_a_rule_on_units_affects_both_sides():
    """Deadly Demise 1 on a 6: the friend at 4" and the enemy at 5" suffer one mortal wound each, the enemy at 6.5" none."""
    scene = Scene()
    scene.unit(0, sheet("Bomb", abilities={"deadly_demise": 1}), at=(30, 20))
    friend = scene.unit(0, sheet("Friend", W=3), at=(25, 20))
    enemy = scene.unit(1, sheet("Enemy", W=3), at=(36, 20))
    far = scene.unit(1, sheet("Far", W=3), at=(30, 27.5))
    scene.unit(1, sheet("Guns", weapons={"gun": ranged(24, BS=3, S=8, AP=-4)}), at=(30, 5))
    battle = scene.battle("shooting", active=1, dice=[3, 6, 1, 6])
    assert [battle.distance(0, u) for u in (friend, enemy, far)] == pytest.approx([4, 5, 6.5])
    pick(battle, "Guns")
    play_until(battle, "shoot-target")
    pick(battle, "Bomb")
    assert battle.units.alive[0] == 0
    assert told(battle, "w10.attack.deadly-demise")[0]["roll"] == 6
    assert [battle.models.wounds[u.first] for u in (friend, enemy, far)] == [2, 2, 3]
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- keywords


def hits(dice, rows, keywords, *, models=1, detail="squad", **fields):
    """Hits of a unit with these keywords and BS 4+."""
    scene = Scene()
    squad = sheet("Guns", weapons=GUN, keywords=keywords, **fields)
    scene.unit(0, squad, at=[(10 + 2 * k, 10) for k in range(models)])
    scene.unit(1, sheet("Target", W=20), at=(10, 20))
    battle = scene.battle("shooting", dice=[*dice, *[1] * 20], detail=detail, rules={"modifiers": rows})
    pick(battle, "Guns", kind="select-to-shoot")
    return [roll["result"] > 0 for roll in told(battle, "w10.attack.hit.roll")]


def plus_one(keyword, **fields):
    return [{"effect": "+1 to hit", "keyword": keyword, **fields}]


FACTION = {"faction_keywords": ["FACTION X"]}


@pytest.mark.rule("w10.concepts.keywords")
@pytest.mark.parametrize(("die", "infantry", "vehicle"), [(3, True, False), (4, True, True), (2, False, False)])
def test_a_rule_for_a_keyword_applies_to_units_that_have_it(die, infantry, vehicle):
    assert hits([die], plus_one("INFANTRY"), ["INFANTRY"], **FACTION) == [infantry]
    assert hits([die], plus_one("INFANTRY"), ["VEHICLE"], **FACTION) == [vehicle]


@pytest.mark.rule("w10.concepts.keywords")
def test_faction_keywords_work_like_the_others():
    assert hits([3], plus_one("FACTION X"), ["VEHICLE"], **FACTION) == [True]
    assert hits([3], plus_one("FACTION X"), ["VEHICLE"]) == [False]


@pytest.mark.rule("w10.concepts.keywords")
@pytest.mark.parametrize("written", ["MONSTER", "MONSTERS", "Monsters"])
def test_singular_and_plural_are_one_keyword(written):
    assert hits([3], plus_one(written), ["MONSTER"]) == [True]
    assert hits([3], plus_one(written), ["INFANTRY"]) == [False]


@pytest.mark.rule("w10.concepts.keywords")
@pytest.mark.parametrize(
    ("keyword", "written"),
    [("PSYKER", "Psykers"), ("EPIC HERO", "EPIC HEROES"), ("TYRANIDS", "Tyranid"), ("GRENADES", "GRENADE")],
)
@pytest.mark.parametrize("rule", ["modifier", "anti", "transport"])
def test_any_keyword_may_be_named_in_either_form(keyword, written, rule):
    """By a rule of +1 to hit, by Anti (a 3 is a Critical Wound of S 1 against T 10) and by what a TRANSPORT carries."""
    if rule == "modifier":
        assert hits([3], plus_one(written), [keyword]) == [True]
        return
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=2, S=1, abilities=[f"anti-{written} 3+"])}), at=(10, 10))
    target = scene.unit(1, sheet("Target", T=10, W=5, keywords=[keyword]), at=(10, 20))
    cargo = {"transport": {"capacity": 5, "allowed": [written]}}
    bus = scene.unit(1, sheet("Bus", T=10, keywords=["TRANSPORT"], abilities=cargo), at=(10, 40))
    battle = scene.battle("shooting", dice=[6, 3, 1])
    if rule == "transport":
        assert has_room(battle, bus.row, target.row)
        return
    pick(battle, "Guns")
    assert battle.models.wounds[1] == 4


@pytest.mark.rule("w10.concepts.keywords")
@pytest.mark.parametrize("written", ["anti-monster 3+", "anti-monsters 3+"])
@pytest.mark.parametrize(("keyword", "wounded"), [("MONSTER", True), ("INFANTRY", False)])
def test_weapon_rules_name_keywords_in_either_form(written, keyword, wounded):
    """S 1 against T 10 wounds on 6; Anti makes a 3 a Critical Wound."""
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=2, S=1, abilities=[written])}), at=(10, 10))
    scene.unit(1, sheet("Target", T=10, W=5, keywords=[keyword]), at=(10, 20))
    battle = scene.battle("shooting", dice=[6, 3, 1])
    pick(battle, "Guns")
    assert battle.models.wounds[1] == (4 if wounded else 5)


def attached(rows, dice):
    """A Leader (CHARACTER) attached to five Bodyguards (GRENADES); all six have the same gun and shoot."""
    scene = Scene()
    guards = scene.unit(0, sheet("Guards", weapons=GUN, keywords=["INFANTRY", "GRENADES"]), at=(10, 10), models=5)
    hero = sheet("Hero", weapons=GUN, keywords=["INFANTRY", "CHARACTER"], abilities={"leader": ["Guards"]})
    scene.unit(0, hero, at=(10, 8.5), leads=guards)
    scene.unit(1, sheet("Target", W=20), at=(12, 20))
    battle = scene.battle("shooting", dice=[*dice, *[1] * 20], rules={"modifiers": rows})
    pick(battle, "Guards")
    return sum(roll["result"] > 0 for roll in told(battle, "w10.attack.hit.roll")), battle


@pytest.mark.rule("w10.concepts.keywords.model-or-unit")
@pytest.mark.parametrize(
    ("keyword", "scope", "count"),
    [
        ("CHARACTER", "unit", 6),
        ("GRENADES", "unit", 6),
        ("CHARACTER", "model", 1),
        ("GRENADES", "model", 5),
        ("INFANTRY", "model", 6),
        ("PSYKER", "unit", 0),
    ],
)
def test_a_unit_has_the_keywords_of_all_its_components_a_model_its_own(keyword, scope, count):
    """Six hit rolls of 3 with BS 4+: those that "+1 to hit" applies to hit."""
    found, battle = attached(plus_one(keyword, of=scope), [3] * 6)
    assert len(told(battle, "w10.attack.hit.roll")) == 6
    assert found == count


@pytest.mark.rule("w10.concepts.keywords.model-or-unit")
def test_without_its_leader_the_unit_is_no_character_unit():
    scene = Scene()
    scene.unit(0, sheet("Guards", weapons=GUN, keywords=["INFANTRY", "GRENADES"]), at=(10, 10), models=5)
    scene.unit(1, sheet("Target", W=20), at=(12, 20))
    battle = scene.battle("shooting", dice=[3] * 5, rules={"modifiers": plus_one("CHARACTER")})
    pick(battle, "Guards")
    assert not any(roll["result"] for roll in told(battle, "w10.attack.hit.roll"))


@pytest.mark.rule("w10.concepts.keywords.model-or-unit")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("lost", "hits"), [((), 5), ((4,), 0)])
def test_a_unit_loses_the_keyword_of_its_last_model_that_has_it(lost, hits, player):
    """Four models and a CHARACTER with the same gun, BS 4+, and "+1 to hit for CHARACTER units": once he is gone 3s miss."""
    scene = Scene()
    data = sheet("Squad", weapons=GUN, models=(4, 4))
    hero = {**data["models"][0], "name": "Hero", "min": 1, "max": 1, "keywords": ["CHARACTER"]}
    squad = {**data, "models": [data["models"][0], hero], "points": [{"models": 5, "points": 100}]}
    scene.unit(player, squad, at=(10, 10), models=5, lost=lost)
    scene.unit(1 - player, sheet("Target", W=20), at=(12, 20))
    battle = scene.battle("shooting", active=player, dice=[3] * 5 + [1] * 9, rules={"modifiers": plus_one("CHARACTER")})
    pick(battle, "Squad")
    assert sum(roll["result"] > 0 for roll in told(battle, "w10.attack.hit.roll")) == hits


# ---------------------------------------------------------------- battlefield and terrain

OPEN = {"name": "open", "size": [60, 44]}


@pytest.mark.rule("w10.concepts.battlefield")
@pytest.mark.parametrize(
    ("size", "fits"), [((60, 44), True), ((44, 60), True), ((60, 43.9), False), ((59.9, 44), False)]
)
def test_the_mission_gives_the_dimensions(size, fits):
    """Only War at Strike Force: at least 44" by 60"."""
    overrides = {"size": "Strike Force", "battlefield": {"name": "open", "size": list(size)}}
    if fits:
        field = load_battle("w10/only-war-incursion", overrides).battlefield
        assert sorted(field.size) == sorted(size)
        return
    with pytest.raises(ContentError, match=r"\[60, 44\]"):
        load_battle("w10/only-war-incursion", overrides)


@pytest.mark.rule("w10.concepts.battlefield")
def test_a_point_beyond_the_edge_is_off_the_battlefield():
    """44" deep: a base of 1" may reach 44.0", not 44.1" - where it is placed and where it moves."""
    scene = Scene()
    unit = scene.unit(0, sheet("A"), at=(30, 43.5))
    scene.unit(1, sheet("B"), at=(5, 5))
    battle = scene.battle("movement")
    assert check_move(battle, unit, "normal", {0: [(30, 43.6)]}) == Fault.OFF_TABLE
    assert check_move(battle, unit, "normal", {0: [(30, 43.4)]}) == Fault.LEGAL
    outside = Scene()
    outside.unit(0, sheet("A"), at=(30, 43.6))
    with pytest.raises(ContentError):
        outside.battle("movement")


FEATURES = [
    {"kind": "container", "polygon": [(x, y), (x + 2, y), (x + 2, y + 2), (x, y + 2)], "height": 3}
    for x in (14, 22, 36, 44)
    for y in (16, 26)
]


@pytest.mark.rule("w10.concepts.terrain-features")
def test_terrain_stands_before_deployment_belongs_to_nobody_and_does_not_move():
    """Only War says nothing about terrain: eight features, anywhere."""
    field = {
        "name": "eight",
        "size": [60, 44],
        "features": FEATURES,
        "objectives": [[10, 22], [30, 12], [30, 32], [50, 22]],
    }
    battle = Battle.load("w10/only-war-incursion", seed=3, overrides={"battlefield": field})
    setup = battle.setup
    assert len(setup.features) == 8
    assert not battle.models.rows["on_table"].any()  # nothing is deployed yet
    assert "owner" not in [*(setup.features.dtype.names or ()), *(setup.blocks.dtype.names or ())]
    before = [array.tobytes() for array in (setup.features, setup.blocks, setup.corners)]
    rng = np.random.default_rng(5)
    while not battle.over:
        battle.apply(int(rng.choice(np.flatnonzero(battle.legal()))))
    assert [array.tobytes() for array in (setup.features, setup.blocks, setup.corners)] == before


@pytest.mark.rule("w10.concepts.terrain-features")
def test_any_arrangement_may_be_used():
    """Features of any kind, in any place of the battlefield, touching an edge or each other; not beyond the edge."""

    def field(x):
        return {
            **OPEN,
            "features": [{"kind": "ruins", "polygon": [(x, 0), (x + 6, 0), (x + 6, 6), (x, 6)], "height": 3}],
        }

    for x in (0, 27, 54):
        assert len(load_battle("w10/only-war-incursion", {"battlefield": field(x)}).battlefield.features) == 1
    with pytest.raises(ContentError):
        load_battle("w10/only-war-incursion", {"battlefield": field(54.5)})


# ---------------------------------------------------------------- measuring


@pytest.mark.rule("w10.concepts.measuring.anytime")
def test_a_distance_is_known_before_a_charge_is_declared():
    """8.4" between the closest bases; asking costs nothing and changes nothing, whoever asks."""
    scene = Scene()
    unit = scene.unit(0, sheet("Chargers"), at=[(10, 10), (12, 10)])
    target = scene.unit(1, sheet("Target"), at=[(10, 19.4), (12, 21)])
    battle = scene.battle("charge", cp=(1, 1))
    assert battle.decision.kind == "select-to-charge"
    before, waiting = battle.state_bytes(), battle.decision
    assert battle.distance(unit, target) == pytest.approx(8.4)
    assert battle.distance(target, unit) == pytest.approx(8.4)
    assert battle.state_bytes() == before
    assert battle.decision == waiting
    pick(battle, "Chargers")
    assert told(battle, "w10.charge.select-unit")


@pytest.mark.rule("w10.concepts.measuring.anytime")
def test_measuring_works_in_every_phase_and_after_the_battle():
    scene = Scene()
    unit = scene.unit(0, sheet("A"), at=(10, 10))
    other = scene.unit(1, sheet("B"), at=(10, 31))
    scene.marker(14, 10)
    for phase in ("command", "movement", "shooting", "charge", "fight", "end"):
        battle = scene.battle(phase, round=5, active=1)
        assert battle.distance(unit, other) == pytest.approx(20)
        assert battle.marker_distance(unit, 0) == pytest.approx(3.5 - 20 / 25.4)


@pytest.mark.rule("w10.concepts.measuring.anytime")
def test_heights_count_in_a_straight_line():
    """3" across and 4" up are 5"."""
    scene = Scene()
    scene.floor(13, 9, 16, 12, 4)
    unit = scene.unit(0, sheet("A"), at=(10, 10))
    other = scene.unit(1, sheet("B"), at=(14, 10, 4))
    assert scene.battle("movement").distance(unit, other) == pytest.approx(5)
