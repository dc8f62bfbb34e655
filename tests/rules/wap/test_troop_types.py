"""Troop types: ranks, supporting attacks, rules and figures of each; models of several profiles."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero

from wh_env import Battle, ContentError
from wh_env.content.wap import load_sheet
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.immunity import ignores
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.basics.special_rules import line_has, models_have
from wh_env.rulesets.wap.basics.strength import rank_bonus, unit_strength
from wh_env.rulesets.wap.battle.victory import share_of
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.codes import BEASTS, CREW, FRONT, MOUNTS, REAR, STOMPS, TROOPERS
from wh_env.rulesets.wap.combat.fighters import groups_of
from wh_env.rulesets.wap.morale.leadership import leadership_of
from wh_env.rulesets.wap.movement.going import MARCH
from wh_env.rulesets.wap.movement.manoeuvre import Manoeuvre
from wh_env.rulesets.wap.movement.reform_choices import can_reform
from wh_env.rulesets.wap.rule_book import POISONED_ATTACKS, UNBREAKABLE
from wh_env.rulesets.wap.shooting.aims import fires_all_round
from wh_env.rulesets.wap.shooting.cover import covers
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, WAYS, firings, ways_of
from wh_env.rulesets.wap.special.light_troops import has_vanguard
from wh_env.rulesets.wap.special.stride import charge_roll
from wh_env.rulesets.wap.troops.cavalry import defence
from wh_env.rulesets.wap.ways.poses import lone
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.rulesets.wap.weapons.saves import armour_save
from wh_env.testing import choose, kind, slots, told
from wh_env.testing.wap import INCH, PLAIN, RegimentScene, UnitHandle, fight, special_rules_of, square

BIG = [50, 50]
LONG = [50, 100]


def profile(**values: int) -> dict[str, int]:
    return {**PLAIN, **values}


def of_type(name: str, base: list[int] | None = None, **values: Any) -> dict[str, Any]:
    return square(**{"type": name, "base_mm": base or BIG, **values})


def alone(card: dict[str, Any], models: int = 1, files: int | None = None, **fields: Any) -> tuple[Battle, UnitHandle]:
    """One unit on the table, an enemy far away."""
    scene = RegimentScene((60, 48))
    unit = scene.unit(0, card, (24, 20), models=models, files=files, **fields)
    scene.unit(1, None, (24, 46), models=5)
    return scene.battle("movement", run=False), unit


def bonus(card: dict[str, Any], models: int, files: int) -> int:
    battle, unit = alone(card, models, files)
    return rank_bonus(battle, unit.row)


def attacks(
    card: dict[str, Any],
    models: int,
    files: int,
    *,
    side: int = FRONT,
    enemy: dict[str, Any] | None = None,
    foes: int = 20,
) -> dict[int, int]:
    """Attacks of the profiles of a unit, by kind, against a wide enemy at a side of it."""
    scene = RegimentScene((60, 48))
    unit = scene.unit(0, card, (30, 20), models=models, files=files)
    scene.beside(unit, 1, enemy or square(ws=3), side=side, models=foes, files=min(10, foes))
    battle = scene.battle("combat", run=False)
    found: dict[int, int] = {}
    for line, behind, targets, number in groups_of(battle, unit.row, 1):
        blow = blow_of(battle, unit.row, line, 1)
        kind_of = int(battle.lines.kind[line])
        found[kind_of] = found.get(kind_of, 0) + number * (blow.supports if behind else blow.attacks) * bool(targets)
    return {key: value for key, value in found.items() if value}


# ---------------------------------------------------------------- ranks


@pytest.mark.parametrize(
    ("name", "models", "files", "expected"),
    [
        pytest.param("monstrous infantry", 9, 3, 2, marks=pytest.mark.rule("wap.troop.monstrous-infantry.ranks")),
        pytest.param("monstrous infantry", 8, 3, 1, marks=pytest.mark.rule("wap.troop.monstrous-infantry.ranks")),
        pytest.param("monstrous cavalry", 6, 3, 1, marks=pytest.mark.rule("wap.troop.monstrous-cavalry.ranks")),
        pytest.param("monstrous cavalry", 5, 3, 0, marks=pytest.mark.rule("wap.troop.monstrous-cavalry.ranks")),
        pytest.param("war beast", 10, 5, 1, marks=pytest.mark.rule("wap.troop.war-beast.ranks")),
        pytest.param("war beast", 8, 4, 0, marks=pytest.mark.rule("wap.troop.war-beast.ranks")),
        pytest.param("monstrous beast", 6, 3, 1, marks=pytest.mark.rule("wap.troop.monstrous-beast.ranks")),
        pytest.param("monstrous beast", 4, 2, 0, marks=pytest.mark.rule("wap.troop.monstrous-beast.ranks")),
        pytest.param("chariot", 6, 3, 1, marks=pytest.mark.rule("wap.troop.chariot.ranks")),
        pytest.param("chariot", 4, 2, 0, marks=pytest.mark.rule("wap.troop.chariot.ranks")),
    ],
)
def test_models_that_make_a_rank(name: str, models: int, files: int, expected: int) -> None:
    assert bonus(of_type(name, w=3), models, files) == expected


# ---------------------------------------------------------------- supporting attacks


@pytest.mark.rule("wap.troop.monstrous-infantry.support")
@pytest.mark.parametrize(("a", "expected"), [(3, 18), (4, 21), (2, 12)])
def test_ogres_support_with_three_attacks_at_most(a: int, expected: int) -> None:
    assert attacks(of_type("monstrous infantry", w=3, a=a), 6, 3) == {TROOPERS: expected}


@pytest.mark.rule("wap.troop.monstrous-beast.support")
@pytest.mark.parametrize(("a", "behind"), [(4, 3), (2, 2)])
def test_beasts_support_with_three_attacks_at_most(a: int, behind: int) -> None:
    assert attacks(of_type("monstrous beast", w=3, a=a), 2, 1) == {TROOPERS: a + behind}


@pytest.mark.rule("wap.troop.monstrous-cavalry.support")
def test_riders_and_their_monsters_support() -> None:
    ridden = of_type("monstrous cavalry", a=3, mount=profile(a=4, w=3))
    assert attacks(ridden, 2, 1) == {TROOPERS: 3 + 1, MOUNTS: 4 + 3}
    assert attacks(of_type("monstrous cavalry", a=5, w=3), 2, 1) == {TROOPERS: 5 + 4}


# ---------------------------------------------------------------- what comes with a type


@pytest.mark.parametrize(
    ("name", "rules", "reach"),
    [
        pytest.param(
            "monstrous infantry",
            {"Fear", "Swiftstride"},
            14.0,
            marks=pytest.mark.rule("wap.troop.monstrous-infantry.rules"),
        ),
        pytest.param(
            "monstrous beast", {"Fear", "Swiftstride"}, 14.0, marks=pytest.mark.rule("wap.troop.monstrous-beast.rules")
        ),
    ],
)
def test_the_great_frighten_and_are_swift(name: str, rules: set[str], reach: float) -> None:
    scene = RegimentScene((60, 48))
    unit = scene.unit(0, of_type(name, m=6, w=3), (24, 20), models=3, files=3)
    scene.unit(1, None, (24, 46), models=5)
    battle = scene.battle("movement", run=False, dice=(3, 5))
    assert rules <= set(special_rules_of(battle, unit.row))
    assert charge_roll(battle, unit.row).reaches == reach


@pytest.mark.rule("wap.troop.monstrous-beast.rules")
def test_fast_beasts_take_the_best_two_of_three_dice() -> None:
    scene = RegimentScene((60, 48))
    unit = scene.unit(0, of_type("monstrous beast", m=7, w=3), (24, 20), models=3, files=3)
    scene.unit(1, None, (24, 46), models=5)
    assert charge_roll(scene.battle("movement", run=False, dice=(1, 5, 6)), unit.row).reaches == 18.0


@pytest.mark.rule("wap.troop.war-beast.rules")
def test_hounds_go_ahead_and_nobody_minds_them() -> None:
    scene = RegimentScene((60, 48))
    unit = scene.unit(0, of_type("war beast", [25, 50], m=8), (24, 20), models=10, files=5)
    scene.unit(1, None, (24, 46), models=5)
    battle = scene.battle("movement", run=False, dice=(2, 4, 6))
    assert {"Vanguard", "Swiftstride", "Expendable"} <= set(special_rules_of(battle, unit.row)) and has_vanguard(
        battle, unit.row
    )
    assert charge_roll(battle, unit.row).reaches == 18.0


@pytest.mark.rule("wap.troop.swarm.rules")
def test_swarms_crumble_and_have_no_ranks() -> None:
    battle, unit = alone(of_type("swarm", [40, 40], w=5), 10, 5)
    assert {"Unstable", "Expendable", "Skirmishers"} <= set(special_rules_of(battle, unit.row))
    assert rank_bonus(battle, unit.row) == 0 and battle.units.spacing[unit] == 0.5


@pytest.mark.rule("wap.troop.monstrous-cavalry.rules")
def test_monstrous_cavalry_crashes_in() -> None:
    scene = RegimentScene((60, 48))
    unit = scene.unit(
        0, of_type("monstrous cavalry", mount=profile(s=5, w=3, a=0)), (30, 20), models=3, files=3, charging=1
    )
    scene.beside(unit, 1, square(), models=20, files=10)
    battle = fight(scene.battle("combat", run=False), unit)
    assert told(battle, "wap.special.impact-hits.number")[0]["amount"] == 3
    assert {"Fear", "Swiftstride", "Impact Hits"} <= set(special_rules_of(battle, unit.row))
    assert told(battle, "wap.combat.wound.roll")[0]["needed"] == 2  # of the mount's Strength of 5


@pytest.mark.rule("wap.troop.monstrous-cavalry.as-cavalry")
def test_rider_and_monster_are_one_model() -> None:
    battle, unit = alone(of_type("monstrous cavalry", ws=4, t=3, w=1, mount=profile(ws=3, t=5, w=3)), 3, 3)
    assert defence(battle, unit.row) == (4, 5)
    assert [battle.models.wounds[unit.model(n)] for n in range(3)] == [3, 3, 3]


@pytest.mark.rule("wap.troop.swarm.base")
def test_swarms_hide_nobody() -> None:
    for between, cover in (("swarm", 0), ("infantry", 2)):
        scene = RegimentScene((60, 48))
        bows = scene.unit(0, square(equipment=["hand weapon", "bow"]), (24, 10), models=5, files=5)
        target = scene.unit(1, square(), (24, 26), models=5, files=5)
        scene.unit(1, of_type(between, [40, 40], w=3), (24, 18), models=8, files=8)
        battle = scene.battle("shooting", run=False)
        eyes = {bows.model(2)}
        assert max(covers(battle, bows.row, target.row, eyes).values()) == cover


@pytest.mark.rule("wap.troop.war-beast.mount")
@pytest.mark.rule("wap.troop.monstrous-beast.mount")
def test_what_a_hero_rides_makes_his_type() -> None:
    wolf = hero(type="cavalry", base_mm=[25, 50], mount=profile(m=9))
    bear = hero(type="monstrous cavalry", base_mm=[50, 50], mount=profile(m=7, w=3))
    for card, each, sight, rules, missing in (
        (wolf, 2, 2, {"Impact Hits", "Swiftstride"}, {"Vanguard", "Expendable", "Fear"}),
        (bear, 4, 3, {"Impact Hits", "Swiftstride", "Fear"}, {"Vanguard", "Expendable"}),
    ):
        battle, lord = alone(card)
        assert (battle.units.each[lord], battle.units.sight[lord]) == (each, sight)
        own = set(special_rules_of(battle, lord.row))
        assert rules <= own and not missing & own


# ---------------------------------------------------------------- monsters

DRAGON = profile(ws=3, s=6, t=6, w=6, i=3, a=5, ld=6, m=6)
RIDER = {"ws": 6, "s": 4, "t": 3, "w": 2, "i": 5, "a": 3, "ld": 9, "bs": 4}


def ridden(**values: Any) -> dict[str, Any]:
    return of_type("monster", LONG, **{**RIDER, "mount": DRAGON, **values})


@pytest.mark.rule("wap.troop.monster.rules")
def test_monsters_fight_alone_and_stomp() -> None:
    battle, unit = alone(of_type("monster", s=5, w=5))
    assert {"Stomp", "Swiftstride", "Terror"} <= set(special_rules_of(battle, unit.row))
    assert attacks(of_type("monster", s=5, w=5, a=4), 1, 1) == {TROOPERS: 4, STOMPS: 1}
    sheet = {"name": "one", "cards": {"it": of_type("monster", size=[1, 3])}}
    with pytest.raises(ContentError, match="fight alone"):
        load_sheet(sheet)


@pytest.mark.rule("wap.troop.monster.mixed-profile.attack")
def test_rider_and_monster_strike_at_their_own_time() -> None:
    assert attacks(ridden(), 1, 1) == {TROOPERS: 3, MOUNTS: 5, STOMPS: 1}
    scene = RegimentScene((60, 48))
    unit = scene.unit(0, ridden(), (30, 20), models=1)
    scene.beside(unit, 1, square(w=9, t=10, i=1), models=20, files=10)
    battle = fight(scene.battle("combat", run=False), unit)
    steps = [event["initiative"] for event in told(battle, "wap.combat.order.initiative")]
    assert steps[:2] == [5, 3]


@pytest.mark.rule("wap.troop.monster.mixed-profile.attack")
def test_both_choose_their_enemies() -> None:
    scene = RegimentScene((60, 48))
    unit = scene.unit(0, ridden(), (30, 20), models=1)
    for along in (-1.0, 1.0):
        scene.beside(unit, 1, square(), along=along, models=4, files=2)
    battle = fight(scene.battle("combat", run=False), unit)
    asked = []
    while kind(battle) in ("strike-target", "strike-share"):
        if kind(battle) == "strike-target":
            asked.append((battle.describe(battle.first_legal()), len(slots(battle, "enemy"))))
        battle.apply(battle.first_legal())
    assert [number for _, number in asked[:2]] == [2, 2] and "mounts" in asked[1][0] and "mounts" not in asked[0][0]


@pytest.mark.rule("wap.troop.monster.attacked")
@pytest.mark.rule("wap.troop.monster.leadership")
@pytest.mark.rule("wap.troop.monster.unit-strength")
def test_hits_are_on_the_monster() -> None:
    battle, unit = alone(ridden(mount={**DRAGON, "w": 5}))
    assert defence(battle, unit.row) == (6, 6) and battle.models.wounds[unit.model()] == 5
    assert leadership_of(battle, unit.row) == 9
    battle, unit = alone(ridden(ws=2))
    assert defence(battle, unit.row) == (2, 6)
    assert unit_strength(battle, unit.row) == 7
    battle.models.wounds[unit.model()] = 2
    assert unit_strength(battle, unit.row) == 7


@pytest.mark.rule("wap.troop.monster.rules-scope")
def test_rules_of_a_rider_are_his_own() -> None:
    scene = RegimentScene((60, 48))
    unit = scene.unit(0, ridden(i=3, rules=["Always Strikes First"]), (30, 20), models=1)
    scene.beside(unit, 1, square(i=4, w=9, t=10), models=20, files=10)
    battle = scene.battle("combat", run=False)
    first = battle.units.first_line[unit]
    last = first + battle.units.lines[unit] - 1
    assert blow_of(battle, unit.row, first, 1).tier == 0 and blow_of(battle, unit.row, last, 1).tier == 1
    fight(battle, unit)
    order = [(event["step"], event["initiative"]) for event in told(battle, "wap.combat.order.initiative")]
    assert order[:3] == [("first", 3), ("in order", 4), ("in order", 3)]


@pytest.mark.rule("wap.troop.monster.shooting")
@pytest.mark.parametrize(
    "kind_of", ["monster", pytest.param("chariot", marks=pytest.mark.rule("wap.troop.chariot.shooting"))]
)
def test_riders_shoot_all_round_and_what_is_fixed_ahead(kind_of: str) -> None:
    card = of_type(
        kind_of,
        LONG,
        **{**RIDER, "mount": {**DRAGON, "bs": 2}},
        equipment=["hand weapon", "bow"],
        mount_equipment=["crossbow"],
    )
    for y, ways in ((30.0, [0, 1]), (5.0, [0])):
        scene = RegimentScene((60, 48))
        unit = scene.unit(0, card, (24, 20), models=1)
        foe = scene.unit(1, square(), (24, y), models=5, files=5)
        battle = scene.battle("shooting", run=False)
        found = sorted({way // WAYS for way in ways_of(battle, unit.row, foe.row, IN_PHASE)})
        assert found == ways
        if len(found) == 2:
            bs = {battle.lines.kind[firings(battle, unit.row, foe.row, WAYS * way, IN_PHASE)[0].line] for way in found}
            assert bs == {TROOPERS, MOUNTS}
        assert fires_all_round(battle, unit.row, battle.setup.statics["outfits"][unit.row].missiles[0])


# ---------------------------------------------------------------- chariots and shrines

BODY = profile(s=5, t=5, w=4, a=0, ws=0, m=7)
STEEDS = profile(ws=3, t=3, ld=5, m=7)


def chariot(**values: Any) -> dict[str, Any]:
    return of_type(
        "chariot",
        LONG,
        **{"figures": 2, "ws": 4, "ld": 8, "mount": BODY, "beasts": STEEDS, "beasts_figures": 2, **values},
    )


def farthest(battle: Battle, unit: UnitHandle) -> float:
    """How far ahead an advance leads; what may pivot at will is moved by its middle."""
    start = battle.models.y[unit.model()] if lone(battle, unit.row) else battle.units.y[unit]
    choose(battle, "own", unit.number)
    choose(battle, "option", 1)
    y = battle.pending().cells(battle.setup.space.grid)[1][slots(battle, "cell")]
    return float(max(y)) - float(start)


@pytest.mark.rule("wap.troop.chariot.single-model")
@pytest.mark.rule("wap.troop.chariot.attacked")
def test_a_chariot_is_one_model() -> None:
    """Body, crew of two and two steeds: one base, which moves 7", and four Wounds, with the last of which all are gone."""
    battle, unit = alone(chariot())
    assert [battle.models.wounds[k] for k in battle.members(unit.row)] == [4]
    assert defence(battle, unit.row) == (4, 5) and leadership_of(battle, unit.row) == 8
    assert suffer(battle, unit.row, 3) == 0 and battle.units.place[unit] == ON_TABLE
    battle.run()
    assert farthest(battle.clone(), unit) == pytest.approx(7.0)
    assert suffer(battle, unit.row, 1) == 1 and battle.units.place[unit] == DESTROYED


@pytest.mark.rule("wap.troop.chariot.attack")
def test_beasts_strike_only_ahead() -> None:
    assert attacks(chariot(), 1, 1) == {TROOPERS: 2, BEASTS: 2}
    assert attacks(chariot(), 1, 1, side=REAR) == {TROOPERS: 2}


@pytest.mark.rule("wap.troop.chariot.no-pivot")
def test_a_chariot_reforms_to_turn() -> None:
    for card, pivots in ((chariot(), False), (of_type("monster", LONG, w=5), True)):
        battle, unit = alone(card)
        assert lone(battle, unit.row) is pivots and can_reform(battle, unit.row) is not pivots


@pytest.mark.rule("wap.troop.chariot.save")
@pytest.mark.rule("wap.troop.shrine.save")
def test_crew_and_body_are_armoured_together() -> None:
    battle, unit = alone(chariot(armour=5, equipment=["hand weapon", "light armour"]))
    assert armour_save(battle, unit.row) == 4
    battle, unit = alone(of_type("shrine", [60, 100], mount=BODY, armour=6, equipment=["hand weapon", "medium armour"]))
    assert armour_save(battle, unit.row) == 4


@pytest.mark.rule("wap.troop.chariot.character")
def test_a_character_on_a_chariot_brings_his_own_armour() -> None:
    battle, unit = alone(
        chariot(
            character=True,
            size=[1, 1],
            figures=1,
            crew=profile(a=1),
            crew_figures=2,
            armour=5,
            equipment=["hand weapon", "heavy armour"],
        )
    )
    assert armour_save(battle, unit.row) == 2
    assert is_character(battle, unit.row) and battle.units.kind[unit] == 8
    assert attacks(chariot(character=True, size=[1, 1], figures=1, a=3, crew=profile(a=1), crew_figures=2), 1, 1) == {
        TROOPERS: 3, CREW: 2, BEASTS: 2,
    }  # fmt: skip


@pytest.mark.rule("wap.troop.chariot.support")
def test_chariots_behind_add_to_the_crash() -> None:
    scene = RegimentScene((60, 48))
    unit = scene.unit(0, chariot(), (30, 20), models=4, files=2, charging=1)
    scene.beside(unit, 1, square(), models=20, files=10)
    battle = fight(scene.battle("combat", run=False, dice=(3, 5, 2, 3)), unit)
    assert told(battle, "wap.special.impact-hits.number")[0]["amount"] == 11
    assert attacks(chariot(), 4, 2) == {TROOPERS: 4, BEASTS: 4}


@pytest.mark.rule("wap.troop.chariot.rules")
def test_scythes_add_to_the_crash() -> None:
    for rules, hits in (([], 4), (["Impact Hits (D6+1)"], 5)):
        scene = RegimentScene((60, 48))
        unit = scene.unit(0, chariot(rules=rules), (30, 20), models=1, charging=1)
        scene.beside(unit, 1, square(t=4), models=20, files=10)
        battle = fight(scene.battle("combat", run=False, dice=(4,)), unit)
        assert told(battle, "wap.special.impact-hits.number")[0]["amount"] == hits
        assert told(battle, "wap.combat.wound.roll")[0]["needed"] == 3  # the chariot's Strength of 5
        assert "Swiftstride" in special_rules_of(battle, unit.row)


@pytest.mark.rule("wap.troop.chariot.rules")
def test_rules_of_beasts_are_theirs_alone() -> None:
    battle, unit = alone(chariot(beast_rules=["Poisoned Attacks"]))
    first = battle.units.first_line[unit]
    by_kind = {
        battle.lines.kind[line]: line_has(battle, line, POISONED_ATTACKS)
        for line in range(first, first + battle.units.lines[unit])
    }
    assert by_kind[BEASTS] and not by_kind[TROOPERS] and not by_kind[MOUNTS]


@pytest.mark.rule("wap.troop.chariot.unit-strength")
@pytest.mark.rule("wap.troop.shrine.unit-strength")
def test_strength_by_wounds_at_the_start() -> None:
    battle, unit = alone(chariot(extra=1))
    battle.models.wounds[unit.model()] = 1
    assert unit_strength(battle, unit.row) == 5
    battle, unit = alone(of_type("shrine", [60, 100], mount={**BODY, "w": 5}))
    assert unit_strength(battle, unit.row) == 5


SHRINE = {"figures": 2, "ws": 4, "t": 3, "mount": {**BODY, "w": 5}, "beasts": profile(), "beasts_figures": 4}


@pytest.mark.rule("wap.troop.shrine.single-model")
@pytest.mark.rule("wap.troop.shrine.attacked")
def test_a_shrine_is_one_model() -> None:
    battle, unit = alone(of_type("shrine", [60, 100], **SHRINE))
    assert [battle.models.wounds[k] for k in battle.members(unit.row)] == [5]
    assert defence(battle, unit.row) == (4, 5)
    assert suffer(battle, unit.row, 4) == 0 and battle.units.place[unit] == ON_TABLE
    battle.run()
    assert farthest(battle.clone(), unit) == pytest.approx(7.0)
    assert suffer(battle, unit.row, 1) == 1 and battle.units.place[unit] == DESTROYED


@pytest.mark.rule("wap.troop.shrine.attack")
def test_bearers_strike_to_all_sides() -> None:
    crew = {key: value for key, value in SHRINE.items() if not key.startswith("beasts")}
    card = of_type("shrine", [60, 100], **crew, crew=profile(), crew_figures=4)
    assert attacks(card, 1, 1, side=REAR) == {TROOPERS: 2, CREW: 4}


# ---------------------------------------------------------------- stomps


def stomping(card: dict[str, Any], enemy: dict[str, Any], *dice: int, models: int = 10) -> Battle:
    scene = RegimentScene((60, 48))
    unit = scene.unit(0, card, (30, 20), models=1)
    scene.beside(unit, 1, enemy, models=models, files=min(5, models))
    return fight(scene.battle("combat", run=False, dice=dice), unit)


IDLE = {"a": 0, "w": 6, "t": 10, "s": 6}


@pytest.mark.rule("wap.special.stomp")
@pytest.mark.parametrize(
    ("enemy", "models", "die", "hits"),
    [
        (square(a=0), 10, 5, 5),
        (square(a=0, rules=["Skirmishers"]), 6, 5, 3),
        (square(a=0), 1, 4, 2),
        (of_type("war beast", [25, 50], a=0), 10, 6, 6),
        (of_type("cavalry", [25, 50], a=0), 5, 6, 0),
    ],
)
def test_a_monster_stomps_on_the_small(enemy: dict[str, Any], models: int, die: int, hits: int) -> None:
    battle = stomping(of_type("monster", **IDLE), enemy, die, models=models)
    found = told(battle, "wap.special.stomp")
    assert [event["amount"] for event in found] == ([hits] if hits else [])
    if hits:
        wounds = told(battle, "wap.combat.wound.roll")[0]
        assert (wounds["amount"], wounds["needed"]) == (hits, 2)


@pytest.mark.rule("wap.special.stomp")
def test_a_stomp_may_be_left() -> None:
    for answer in (True, False):
        scene = RegimentScene((60, 48))
        unit = scene.unit(0, of_type("monster", **IDLE), (30, 20), models=1)
        foe = scene.beside(unit, 1, square(a=0), models=10, files=5)
        battle = fight(scene.battle("combat", run=False, detail="full"), unit)
        assert kind(battle) == "strike-target" and slots(battle, "enemy") == [foe.number] and battle.legal()[0]
        choose(battle, "enemy" if answer else "done", 0)
        assert bool(told(battle, "wap.special.stomp")) is answer


@pytest.mark.rule("wap.special.stomp.order")
def test_a_stomp_comes_last() -> None:
    battle = stomping(of_type("monster", **{**IDLE, "a": 4, "i": 6}), square(w=9, t=10, i=2), *[3] * 60)
    steps = [(event["step"], event["initiative"]) for event in told(battle, "wap.combat.order.initiative")]
    assert steps == [("in order", 6), ("in order", 2), ("last", 6)]
    # slain before: no stomp
    battle = stomping(of_type("monster", a=0, w=1, t=1), square(a=9, ws=9, s=9, i=9), *[6] * 90)
    assert not told(battle, "wap.special.stomp")
    # nobody is left
    battle = stomping(of_type("monster", **{**IDLE, "a": 6, "i": 9}), square(t=1, i=1), *[6] * 40, models=1)
    assert not told(battle, "wap.special.stomp")


@pytest.mark.rule("wap.special.stomp.no-other-rules")
def test_a_stomp_follows_no_other_rules() -> None:
    rules = ["Killing Blow", "Poisoned Attacks", "Armour Piercing (1)"]
    battle = stomping(
        of_type("monster", **{**IDLE, "s": 4}, rules=rules),
        square(a=0, t=4, equipment=["hand weapon", "full plate armour"]),
        3,
        6,
        6,
        6,
    )
    assert told(battle, "wap.combat.wound.roll")[0]["needed"] == 4 and not told(battle, "wap.special.killing-blow")
    assert told(battle, "wap.shoot.save.roll")[0]["needed"][0] == 4


# ---------------------------------------------------------------- the rest


@pytest.mark.rule("wap.special.animated-construct")
def test_constructs_neither_break_nor_march() -> None:
    scene = RegimentScene((60, 48))
    unit = scene.unit(0, square(rules=["Animated Construct"]), (24, 20), models=5)
    other = scene.unit(0, None, (40, 20), models=5)
    scene.unit(1, None, (24, 46), models=5)
    battle = scene.battle("movement")
    assert models_have(battle, unit.row, UNBREAKABLE) and ignores(battle, unit.row, POISONED_ATTACKS)
    assert not ignores(battle, other.row, POISONED_ATTACKS)
    for handle, marches in ((unit, False), (other, True)):
        copy = battle.clone()
        copy.apply(copy.setup.space.own + handle.number)
        assert kind(copy) == Manoeuvre.name and (MARCH in slots(copy, "option")) is marches


@pytest.mark.rule("wap.character.combined.restrictions")
def test_who_cannot_march_keeps_his_unit_from_it() -> None:
    for rules, marches in (([], True), (["Animated Construct"], False)):
        scene = RegimentScene((60, 48))
        unit = scene.unit(0, None, (24, 20), models=10, files=5)
        scene.unit(0, hero(rules=rules), inside=unit, models=1)
        scene.unit(1, None, (24, 46), models=5)
        battle = scene.battle("movement")
        battle.apply(battle.setup.space.own + unit.number)
        assert (MARCH in slots(battle, "option")) is marches and movement_of(battle, unit.row) == 4.0


@pytest.mark.rule("wap.victory.wounded")
@pytest.mark.parametrize(
    ("card", "most", "left", "percent"),
    [
        (hero(w=3), 3, 1, 50),
        (hero(w=3), 3, 2, 0),
        (of_type("monster", w=6), 6, 3, 50),
        (of_type("monster", w=6), 6, 4, 0),
        (square(w=3), 3, 1, 0),
    ],
)
def test_half_dead_heroes_and_monsters_are_worth_half(card: dict[str, Any], most: int, left: int, percent: int) -> None:
    battle, unit = alone(card)
    assert battle.models.wounds[unit.model()] == most
    battle.models.wounds[unit.model()] = left
    rule, share = share_of(battle, unit.row)
    assert share == percent and (rule == "wap.victory.wounded") is bool(percent)


def test_scenes_are_as_they_are_meant() -> None:
    battle, unit = alone(chariot())
    assert distance(battle, unit.row, 1) > 20.0 and INCH == 25.4
