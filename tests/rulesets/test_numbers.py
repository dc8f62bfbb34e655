"""Every number of the 10th edition is played: each of them changed by one changes an answer of the rules it stands for.

A probe sets up a position, asks it something, and gives the answer; the same probe is asked of an edition that differs in one
number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from wh_env import Battle, testing
from wh_env.core.frozen import frozen
from wh_env.core.geometry.paths import ANYBODY
from wh_env.core.tables import DICE, Array
from wh_env.rulesets.w10 import numbers as tenth
from wh_env.rulesets.w10.ruleset import TENTH_EDITION, TenthEdition
from wh_env.rulesets.w40k.attack import machine, rolls
from wh_env.rulesets.w40k.attack.casualties import Demises
from wh_env.rulesets.w40k.attack.rolls import ATTACK_RULES, Near, attack_rules
from wh_env.rulesets.w40k.attack.sequence import LOST
from wh_env.rulesets.w40k.charge.phase import free_to_charge, near_enough, targets_in_reach
from wh_env.rulesets.w40k.codes import AFTER_IT_MOVED, Effect, Moved, Selected
from wh_env.rulesets.w40k.deploy.beside import DISEMBARK, EMERGENCY, cells_beside, conditions
from wh_env.rulesets.w40k.deploy.formations import hover, waits
from wh_env.rulesets.w40k.deploy.setting_up import DEEP_STRIKE, INFILTRATION, JUST_LEFT, STRATEGIC, STRIPS, cells_for
from wh_env.rulesets.w40k.fight.close_moves import TOWARDS_ENEMY, can_pile_in, charge_succeeds, consolidation, pile_in
from wh_env.rulesets.w40k.move.aircraft import can_turn, turn_back
from wh_env.rulesets.w40k.move.fall_back import escape_tests, untested
from wh_env.rulesets.w40k.move.limits import (
    CHARGE,
    FALL_BACK,
    KINDS,
    NORMAL,
    PILE_IN,
    SCOUT,
    limits_for,
    move_limits,
)
from wh_env.rulesets.w40k.move.reinforcements import may_arrive, ways_to_arrive
from wh_env.rulesets.w40k.move.unit_moves import fill_cells
from wh_env.rulesets.w40k.numbers import MoveRules
from wh_env.rulesets.w40k.profiles import WEAPON, Keyword, WeaponAbility
from wh_env.rulesets.w40k.shoot.declare import add_jobs, engagements, melee_targets, shooting_mode, shooting_row
from wh_env.rulesets.w40k.shoot.fire_rules import FIRE_RULES, fire_rules
from wh_env.rulesets.w40k.tables import JOB, MODEL, UNIT
from wh_env.rulesets.w40k.terrain.cover import take_cover
from wh_env.rulesets.w40k.transport.losses import Wreck
from wh_env.rulesets.w40k.transport.transports import carriers_beside, may_disembark
from wh_env.testing import melee, ranged, sheet
from wh_env.testing.melee_moves import check_charge_move, check_pile_in_move

Answer = Any
Probe = Callable[[], Answer]

GUN = {"gun": ranged(24, A=2, abilities=["Rapid Fire 1"])}
FLYER = ("INFANTRY", "FLY")
PLANE = ("VEHICLE", "AIRCRAFT", "FLY")


# ---------------------------------------------------------------- what is asked


ASKED = {"edition": TENTH_EDITION}  # whose answers are asked for


def Scene(**fields: Any) -> testing.Scene:
    """A scene that is played by the edition that is asked."""
    return testing.Scene(edition=ASKED["edition"], **fields)


def cells(battle: Battle, unit: int, kind: str = NORMAL, extra: float = 0.0) -> bytes:
    """Where the unit can move to, by cell."""
    marks = np.zeros(battle.setup.space.grid**2, np.bool_)
    fill_cells(battle, unit, limits_for(battle, unit, kind, extra), marks)
    return marks.tobytes()


def places(battle: Battle, unit: int, way: int) -> bytes:
    """Where the unit can be set up in this way, by cell."""
    marks = np.zeros(battle.setup.space.grid**2, np.bool_)
    cells_for(battle, unit, marks, way)
    return marks.tobytes()


def options(battle: Battle) -> tuple[str, tuple[int, ...]]:
    """The decision that waits."""
    assert battle.decision is not None
    return battle.decision.kind, tuple(battle.decision.options)


def two(gap: float, phase: str = "movement", *, z: float = 0.0, **mine: Any) -> Battle:
    """A unit at (20, 20) and an enemy so many inches above it on the table, on a floor at height ``z``."""
    scene = Scene()
    if z:
        scene.floor(17, 21 + gap - 0.5, 23, 27 + gap, z)
    columns = {name: mine.pop(name) for name in ("disembarked", "charged") if name in mine}
    enemy = mine.pop("enemy", {})
    scene.unit(0, sheet("Mine", **{"weapons": GUN, **mine}), at=(20, 20), models=1, **columns)
    scene.unit(1, sheet("Foes", **enemy), at=[(20, 21 + gap, z)])
    return scene.battle(phase, run=False)


def engaged() -> Answer:
    """Whether models 1.5" apart and models 5.5" above each other are engaged."""
    return [engagements(two(gap, z=z)).tobytes() for gap, z in ((1.5, 0.0), (0.2, 5.5))]


def spread_out() -> Answer:
    """What units do that stand 2.5" and 5.5" apart, and one of seven in a chain."""
    found = []
    for spots in ([(10, 10), (13.5, 10)], [(10, 10), (10.3, 11.5, 5.5)], [(8 + 2.9 * k, 10) for k in range(7)]):
        scene = Scene()
        scene.floor(9, 10.9, 13, 14, 5.5)
        scene.unit(0, sheet("Mine"), at=spots)
        scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
        found.append(cells(scene.battle(run=False), 0))
    return found


def over_a_box(kind: str = NORMAL, **mine: Any) -> Answer:
    """Where a unit can go with a box 2.5" high in its way."""
    scene = Scene()
    scene.box(10, 12, 30, 13, 2.5)
    scene.unit(0, sheet("Mine", **mine), at=(20, 10.5), models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    return cells(scene.battle(run=False), 0, kind)


def onto_a_marker() -> Answer:
    """Where a unit can go with an objective marker on a floor 1.5" above its way."""
    scene = Scene()
    scene.floor(26, 19, 34, 23, 1.5)
    scene.marker(30, 21)
    scene.unit(0, sheet("Mine"), at=(30, 18), models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    return cells(scene.battle(run=False), 0)


def across_a_barricade() -> Answer:
    """Whether an enemy 1.2" behind a barricade is charged from its other side."""
    scene = Scene()
    scene.box(20, 20, 40, 20.3, 1, kind="barricade")
    unit = scene.unit(0, sheet("Mine"), at=(30, 14), models=1)
    foes = scene.unit(1, sheet("Foes"), at=(30, 20.3 + 1.2 + 0.5), models=1)
    return check_charge_move(scene.battle("charge", run=False), unit, [foes], 6, {0: [(30, 19.5)]})


def onto_a_hill() -> Answer:
    """Where a unit that FLIES can go with a high hill beside it."""
    scene = Scene()
    scene.box(10, 12, 30, 20, 4, kind="hill")
    scene.unit(0, sheet("Mine", keywords=FLYER, M=8), at=(20, 10.5), models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    return cells(scene.battle(run=False), 0)


def lone_operative() -> Answer:
    """Whether a Lone Operative 12.5" away is a target."""
    battle = two(12.5, "shooting", enemy={"abilities": {"lone_operative": True}})
    return shooting_row(battle, 0, shooting_mode(battle, 0))[0].tobytes()


def big_guns() -> Answer:
    """What an engaged VEHICLE may fire."""
    return shooting_mode(two(0.5, "shooting", keywords=("VEHICLE",)), 0)


def engaged_tank(**field: Any) -> Battle:
    """A VEHICLE with two guns engaged with a VEHICLE, which a unit behind it could shoot at; another enemy stands 10" away."""
    guns = {"gun": ranged(24), "mortar": ranged(24)}
    tank = sheet("Tanks", weapons=guns, keywords=("VEHICLE",), models=(1, 2))
    scene = Scene()
    scene.unit(0, tank, at=[(20, 20), (20, 18)], **field)
    scene.unit(0, sheet("Guns", weapons=GUN), at=(20, 10))
    scene.unit(1, sheet("Foes", keywords=("VEHICLE",)), at=(20, 21.5))
    scene.unit(1, sheet("Far"), at=(30, 20))
    return scene.battle("shooting", run=False)


def big_target() -> Answer:
    """Whom the unit behind the VEHICLE may shoot at."""
    return shooting_row(battle := engaged_tank(), 1, shooting_mode(battle, 1))[0].tobytes()


def fallen_back() -> Answer:
    """What a VEHICLE that fell back may fire."""
    return shooting_mode(engaged_tank(moved=Moved.FELL_BACK), 0)


def past_the_engaged() -> Answer:
    """Circumstances of attacks at a unit that the VEHICLE is not engaged with."""
    add_jobs(battle := engaged_tank(), 0, 3)
    return battle.jobs.near.tolist()


def behind_the_engaged() -> Answer:
    """Circumstances of attacks at the unit that one of two VEHICLES is engaged with."""
    add_jobs(battle := engaged_tank(), 0, 2)
    return battle.jobs.near.tolist()


def past_the_enemy(kind: str = NORMAL, **mine: Any) -> Answer:
    """Where a unit can go with a line of enemies across its way."""
    scene = Scene()
    scene.unit(0, sheet("Mine", M=9, **mine), at=(20, 20), models=1)
    scene.unit(1, sheet("Foes"), at=[(16 + 1.5 * k, 23) for k in range(6)])
    return cells(scene.battle(run=False), 0, kind)


def past_friends(keyword: str) -> Answer:
    """Where a unit can go with a line of friends with its keyword across its way."""
    scene = Scene()
    scene.unit(0, sheet("Mine", keywords=(keyword,)), at=(20, 20), models=1)
    for k in range(8):
        scene.unit(0, sheet(f"Friends {k}", keywords=(keyword,)), at=(15 + 1.5 * k, 22), models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    return cells(scene.battle(run=False), 0)


def scouting() -> Answer:
    """Where a Scouts move can end with an enemy 12" away."""
    return cells(two(12.0), 0, SCOUT, 6.0)


def charging(gap: float = 3.0) -> Answer:
    """Whether a roll suffices to charge an enemy that another stands beside."""
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=(20, 20), models=1)
    scene.unit(1, sheet("Foes"), at=(20, 21 + gap), models=1)
    scene.unit(1, sheet("Beside"), at=(21.2, 21 + gap), models=1)
    battle = scene.battle("charge", run=False)
    battle.charge_targets_array[1:] = 1
    both = charge_succeeds(battle, 0, 9)
    battle.charge_targets_array[2] = 0
    return both, charge_succeeds(battle, 0, 9), charge_succeeds(battle, 0, 2)


def charging_a_plane() -> Answer:
    """Whether a unit that FLIES can charge an AIRCRAFT."""
    battle = two(4.0, "charge", keywords=FLYER, enemy={"keywords": PLANE, "M": 20})
    battle.charge_targets_array[1] = 1
    return charge_succeeds(battle, 0, 8)


def closing_in(**mine: Any) -> Answer:
    """Whether units can pile in and consolidate at enemies at these distances."""
    near = [two(gap, "fight", charged=1, **mine) for gap in (2.0, 4.5)]
    return [(can_pile_in(battle, 0), consolidation(battle, 0) == TOWARDS_ENEMY) for battle in near]


def towards_a_marker() -> Answer:
    """Where a unit far from enemies consolidates with an objective marker 4" away."""
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=(20, 20), models=1, charged=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    scene.marker(20, 25)
    return consolidation(scene.battle("fight", run=False), 0)


def from_behind() -> Answer:
    """Which models of three in file fight an enemy 0.4" before the first, 0.4" from one another."""
    scene = Scene()
    scene.unit(0, sheet("Mine", weapons={"blade": melee()}), at=[(20, 20), (20, 18.6), (20, 17.2)])
    scene.unit(1, sheet("Foes"), at=(20, 21.4), models=1)
    return melee_targets(scene.battle("fight", run=False), 0)[0].tolist()


def stopping_short() -> Answer:
    """Whether a model 2" from an enemy may pile in 1.5" only."""
    return check_pile_in_move(two(2.0, "fight", charged=1), 0, {0: [(20, 21.5)]})


def staying_behind() -> Answer:
    """Whether one of two models that charge may stay where it stands."""
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=[(20, 21.5), (20, 23)])
    scene.unit(1, sheet("Foes"), at=(20, 25), models=1)
    return check_charge_move(scene.battle("charge", run=False), 0, [1], 6.0, {1: [(20, 23.998)]})


def far_from_anybody() -> Answer:
    """Whether a unit 6" from the enemy can pile in."""
    return can_pile_in(two(6.0, "fight", charged=1), 0)


def closing_in_on_a_plane() -> Answer:
    """Where a model that FLIES ends its Pile-in with an AIRCRAFT nearer than the enemy on its other side."""
    scene = Scene()
    scene.unit(0, sheet("Mine", keywords=FLYER), at=(20, 20), models=1, charged=1)
    scene.unit(1, sheet("Plane", keywords=PLANE, M=20), at=(23, 20), models=1)
    scene.unit(1, sheet("Foes"), at=(20, 16), models=1)
    battle = scene.battle("fight", run=False)
    return pile_in(battle, 0), battle.models.x[0], battle.models.y[0]


def flight() -> Answer:
    """How far an AIRCRAFT flies at least, and by how much it may pivot."""
    scene = Scene(size=(60, 60))
    scene.unit(0, sheet("Mine", keywords=PLANE, M=20), at=(30, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(55, 55), models=1)
    battle, found = scene.battle(detail="full"), []
    while battle.decision is not None and battle.decision.kind.startswith("aircraft"):
        found.append((options(battle), tuple(battle.models.y)))
        battle.apply(
            battle.decision.options[-1] if "exactly" in battle.decision.kind else sorted(battle.decision.options)[6]
        )
    return found


def hovering() -> Answer:
    """The Move of an AIRCRAFT in Hover mode."""
    scene = Scene()
    scene.unit(0, sheet("Mine", keywords=PLANE, M=30, abilities={"hover": True}), at=(20, 20), models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle(run=False)
    hover(battle, 0)
    return tuple(battle.models.move)


def escaping() -> Answer:
    """How many tests fail with 1 to 6, and who takes none."""
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=(20, 20), models=6)
    scene.unit(0, sheet("Bats", keywords=FLYER), at=(20, 10), models=2)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle(dice=range(1, 7), run=False)
    return escape_tests(battle, 0, 0b111111), untested(battle, 1)


def arriving(battle_round: int) -> Answer:
    """Where units from Reserves and Infiltrators can be set up."""
    scene = Scene()
    scene.unit(0, sheet("Mine"), models=1, reserves="strategic")
    scene.unit(1, sheet("Foes"), at=[(30, 22), (50, 14)])
    battle = scene.battle(run=False, round=battle_round)
    battle.clock.round[0] = battle_round
    ways = (DEEP_STRIKE, STRATEGIC, INFILTRATION, STRIPS[2])
    return may_arrive(battle, 0), [places(battle, 0, way) for way in ways]


def early() -> Answer:
    """In the second battle round."""
    return arriving(2)


def late() -> Answer:
    """In the third battle round."""
    return arriving(3)


BUS: Mapping[str, Any] = {
    "M": 12, "W": 6, "hull_in": (5, 3), "keywords": ("VEHICLE", "TRANSPORT"),
    "abilities": {"transport": {"capacity": 12, "allowed": ["INFANTRY"]}},
}  # fmt: skip


def getting_in(gap: float = 3.5, foe: tuple[float, float] = (50, 40)) -> Answer:
    """Whether a unit so far beside a TRANSPORT can embark."""
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=(20, 20), models=1, moved=int(Moved.NORMAL))
    scene.unit(0, sheet("Bus", **BUS), at=(20, 22.0 + gap), facing=0.0)  # its side is that far from the base
    scene.unit(1, sheet("Foes"), at=foe, models=1)
    return carriers_beside(scene.battle(run=False), 0)


def staying_in() -> Answer:
    """Whether passengers of a TRANSPORT that Advanced can disembark."""
    scene = Scene()
    bus = scene.unit(0, sheet("Bus", **BUS), at=(20, 25), facing=0.0, moved=int(Moved.ADVANCE))
    scene.unit(0, sheet("Mine"), models=1, embarked_in=bus, selected=Selected.ABOARD)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    return may_disembark(scene.battle(run=False), 1)


def getting_out_large() -> Answer:
    """How many places beside a TRANSPORT there are for a base of 3.5"."""
    scene = Scene()
    bus = scene.unit(0, sheet("Bus", **BUS), at=(20, 25), facing=0.0)
    scene.unit(0, sheet("Mine", base_mm=88.9), models=1, embarked_in=bus)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle(run=False)
    return cells_beside(battle, 1, DISEMBARK, 0.0, np.zeros(battle.setup.space.grid**2, np.bool_))


def ways_in(**mine: Any) -> Answer:
    """In which ways a unit of Strategic Reserves can arrive, and in how many cells."""
    scene = Scene()
    scene.unit(0, sheet("Mine", **mine), models=1, reserves="strategic")
    scene.unit(1, sheet("Foes"), at=(30, 22), models=1)
    battle = scene.battle(run=False, set_state=lambda b: b.clock.round.__setitem__(0, 2))
    return ways_to_arrive(battle, 0), cells_for(battle, 0, np.zeros(battle.setup.space.grid**2, np.bool_))


def fortified() -> Answer:
    """In how many cells a Fortification can be deployed beside a wood."""
    scene = Scene()
    scene.unit(0, sheet("Mine", keywords=("FORTIFICATION",)), models=1, place="deploy")
    scene.unit(1, sheet("Foes"), at=(30, 40), models=1)
    scene.woods(20, 2, 40, 8)
    battle = scene.battle(run=False)
    return cells_for(battle, 0, np.zeros(battle.setup.space.grid**2, np.bool_))


def waiting_plane() -> Answer:
    """Whether an AIRCRAFT waits in Reserves, and what becomes of one that has left when a round begins."""
    scene = Scene()
    scene.unit(0, sheet("Mine", keywords=PLANE), models=1, reserves="strategic")
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle(run=False, set_state=lambda b: b.units.reserve.__setitem__(0, JUST_LEFT))
    turn_back(battle)
    return waits(battle, 0), battle.units.reserve[0]


def turning() -> Answer:
    """Whether an AIRCRAFT turns where its nose comes near to an enemy."""
    scene = Scene()
    scene.unit(0, sheet("Mine", keywords=PLANE, hull_in=(6, 2)), at=(30, 20), models=1, facing=0.0)
    scene.unit(1, sheet("Foes"), at=(30, 24), models=1)
    return can_turn(scene.battle(run=False), 0, 1.5)


def getting_out() -> Answer:
    """Where passengers are set up, and how many mortal wounds dice from 1 to 6 cost them."""
    scene = Scene()
    bus = scene.unit(0, sheet("Bus", **BUS), at=(20, 25), facing=0.0)
    scene.unit(0, sheet("Mine"), models=6, embarked_in=bus)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    found: list[Answer] = []
    for way in (DISEMBARK, EMERGENCY):
        battle = scene.battle(run=False, dice=range(1, 7))
        marks = np.zeros(battle.setup.space.grid**2, np.bool_)
        cells_beside(battle, 1, way, 0.0, marks)
        found.append((marks.tobytes(), conditions(battle, 1, way)[0].tolist()))
        for k in range(1, 7):
            battle.models.on_table[k] = 1
        battle.push(Wreck, 0, 1, 0, way)
        Wreck().roll(battle, battle.frame)
        found.append(int(battle.attack2.mortal[0]))
    return found


def free_after_a_ride() -> Answer:
    """Whether a unit that disembarked after its TRANSPORT had moved may charge."""
    return free_to_charge(two(5.0, "charge", disembarked=AFTER_IT_MOVED), 0)


def in_charge_reach() -> Answer:
    """Whether an enemy 12.5" away can be charged."""
    battle = two(12.5, "charge")
    near_enough(battle.models.rows, battle.units.rows, 0, battle.setup.ruleset.charging.reach)  # type: ignore[attr-defined]
    return battle.units.can_charge[0], targets_in_reach(battle, 0)


def exploding() -> Answer:
    """Whom a Deadly Demise reaches on a 5 and on a 6."""
    found = []
    for die in (5, 6):
        scene = Scene()
        scene.unit(0, sheet("Bomb", abilities={"deadly_demise": 1}), at=(20, 20), models=1)
        scene.unit(0, sheet("Near"), at=(20, 24), models=1)
        scene.unit(1, sheet("Far"), at=(20, 27.5), models=1)
        battle = scene.battle(run=False, dice=[die])
        battle.casualties[0], battle.queue[LOST] = 0, 1
        battle.push(Demises)
        Demises.start(battle, battle.frame, 0)
        found.append(tuple(battle.affected))
    return found


def placing_terrain(size: tuple[float, float] = (34, 30)) -> Answer:
    """Where three features can be placed, one after the other."""
    scene = Scene(size=size, zone_depth=8)
    scene.ruins(8, 1, 11, 4, walls=[{"polygon": [(8, 1), (11, 1), (11, 1.2), (8, 1.2)], "height": 4}])
    for k in range(3):
        scene.box(1, 4 * k + 1, 5, 4 * k + 4, 3)
    scene.marker(17, 15)
    scene.unit(0, sheet("Mine"), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle("mission", dice=(5, 2), rules={"terrain": "players"})
    chance, found = np.random.default_rng(1), []
    while battle.decision is not None and "feature" in battle.decision.kind:
        found.append(options(battle))
        battle.apply(int(chance.choice(battle.decision.options)))
    return found


def volley(gap: float, weapon: Mapping[str, Any], foes: int = 5, *, z: float = 0.0) -> Answer:
    """The circumstances of an attack."""
    scene = Scene()
    if z:
        scene.ruins(18, 18, 22, 22, floors=[z])
    scene.unit(0, sheet("Mine", weapons={"gun": dict(weapon)}), at=[(20, 20, z)])
    scene.unit(1, sheet("Foes"), at=[(20 + 1.2 * k, 21 + gap) for k in range(foes)])
    battle = scene.battle("shooting", run=False)
    add_jobs(battle, 0, 1)
    return battle.jobs.near[0]


def behind_a_barricade() -> Answer:
    """How many models have cover 3.5" behind a barricade."""
    scene = Scene()
    scene.box(15, 24, 25, 24.5, 1, kind="barricade")
    scene.unit(0, sheet("Mine", weapons=GUN), at=(20, 10), models=1)
    scene.unit(1, sheet("Foes"), at=(20, 27.5), models=1)
    battle = scene.battle("shooting", run=False)
    setup = battle.setup
    rules = setup.statics["attack_rules"]
    return take_cover(battle.models.rows, battle.units.rows, setup.features, setup.blocks, setup.corners, rules, 0, 1)


# ---------------------------------------------------------------- what attacks need


def edition_rules() -> Array:
    """The row of the edition that is asked."""
    return ASKED["edition"].attack_rules


def weapon(*abilities: WeaponAbility, melee_weapon: bool = False) -> Array:
    """A weapon: skill 4+, Strength 4."""
    rows = np.zeros(1, WEAPON)
    rows["abilities"] = sum(int(ability) for ability in abilities)
    rows["skill"], rows["strength_plus"], rows["attacks_plus"], rows["damage_plus"] = 4, 4, 1, 1
    rows["melee"] = melee_weapon
    return frozen(rows)


def hits(near: int, *abilities: WeaponAbility, skill: int = 4, stealthy: bool = False) -> Probe:
    """The die that hits."""

    def probe() -> Answer:
        rows = np.copy(weapon(*abilities))
        rows["skill"] = skill
        return rolls.hit_needed(frozen(rows), 0, near, stealthy, edition_rules())

    return probe


def wounds(near: int, *abilities: WeaponAbility, strength: int = 4) -> Probe:
    """The die that wounds Toughness 4, and the one that is critical."""

    def probe() -> Answer:
        rules, rows = edition_rules(), weapon(*abilities)
        critical = rolls.critical_wound(rows, 0, 0, rules)
        return critical, rolls.wound_needed(rows, 0, near, strength, 4, critical, rules)

    return probe


def saves(save: int, ap: int, cover: bool, near: int = 0) -> Probe:
    """The die that saves."""
    return lambda: rolls.armour_needed(save, ap, cover, near, edition_rules())


class Field:
    """Two units on arrays: one that attacks, two targets."""

    def __init__(self, keywords: int = 0) -> None:
        self.models, self.units = np.zeros(3, MODEL), np.zeros(2, UNIT)
        self.models["unit"], self.models["datasheet"] = [0, 1, 1], [0, 1, 1]
        self.models["alive"] = self.models["on_table"] = 1
        self.models["wounds"] = self.models["max_wounds"] = 5
        self.models["save"], self.models["keywords"] = 7, keywords
        self.units["first"], self.units["count"], self.units["alive"] = [0, 1], [1, 2], [1, 2]
        self.units["leader"] = self.units["bodyguard"] = -1
        self.attack, self.dice = np.zeros(1, machine.ATTACK), np.zeros(1, DICE)
        self.script, self.log = np.zeros(8, np.int32), np.zeros((32, machine.LOG_COLUMNS), np.int32)
        self.casualties = np.zeros(8, np.int32)
        machine.begin_volley(self.attack, 0)


def allocated() -> Answer:
    """Whether a model that had attacks allocated must take the next one."""
    field = Field()
    field.models[1]["allocated"] = 1
    return rolls.candidates(field.models, field.units, 1, edition_rules())


def shielded() -> Answer:
    """The saves of a model under an effect that gives it one."""
    field = Field()
    field.attack["target"], field.attack["wounds"] = 1, 1
    field.units[1]["cover"] = Effect.SHIELDED
    machine.allocate(field.models, field.units, weapon(), field.attack, edition_rules(), field.log)
    return field.attack["need"][0].tolist()


def hazards() -> Answer:
    """How many of the Hazardous tests with 1, 2 and 3 fail."""
    field = Field()
    field.script[:3], field.dice["script_end"] = [1, 2, 3], 3
    rules = edition_rules()
    machine.begin_hazardous(field.attack, 1, 3, rules, field.dice, field.script, field.log)
    arrays = field.models, field.units, weapon(), np.zeros(1, JOB), field.attack, rules
    machine.resolve(*arrays, field.dice, field.script, field.log, field.casualties)
    return int(field.attack["failures"][0])


def covered_in_melee() -> Answer:
    """Whether a model in cover has it against a melee weapon."""
    field = Field()
    field.models["flags"] = rolls.COVERED
    return rolls.covered(field.models, weapon(melee_weapon=True), 0, 0, 0, edition_rules())


def paid(keywords: int = 0) -> Answer:
    """What the bearer of a weapon that failed a Hazardous test suffers."""
    field = Field(keywords)
    arrays = field.models, field.units, field.attack, edition_rules(), field.log, field.casualties
    machine.begin_hazardous_loss(*arrays, 1)
    return int(field.attack["mortal"][0]), int(field.models[1]["alive"])


W = WeaponAbility
BLASTS = ranged(24, A=1, abilities=["Blast"])
RAPID = ranged(24, A=1, abilities=["Rapid Fire 1"])
VEHICLE = int(Keyword.VEHICLE)

ATTACKS: Mapping[str, tuple[float, Probe]] = {
    "hit_cap": (1, hits(int(Near.HIT_PLUS | Near.HIT_PLUS_2ND))),
    "wound_cap": (1, wounds(int(Near.WOUND_PLUS | Near.WOUND_PLUS_2ND))),
    "save_cap": (1, saves(4, 0, False, int(Near.SAVE_PLUS | Near.SAVE_PLUS_2ND))),
    "save_cap_nets_ap": (-1, saves(4, -1, False, int(Near.SAVE_PLUS | Near.SAVE_PLUS_2ND))),
    "six_hits": (-1, hits(int(Near.HIT_MINUS), skill=6)),
    "six_wounds": (-1, wounds(int(Near.WOUND_MINUS), strength=1)),
    "critical": (-1, wounds(0)),
    "snap": (-1, hits(int(Near.SNAP))),
    "cover": (1, saves(6, -2, True)),
    "no_cover_save": (1, saves(4, 0, True)),
    "plunging_ap": (-1, saves(4, 0, False, int(Near.AP_PLUS))),
    "shielded_save": (-1, shielded),
    "allocated_counts": (-1, allocated),
    "heavy_stationary": (-1, hits(int(Near.STATIONARY), W.HEAVY)),
    "stealth": (1, hits(0, stealthy=True)),
    "engaged": (1, hits(int(Near.ENGAGED_SHOOTER))),
    "unseen": (1, hits(int(Near.UNSEEN), W.INDIRECT_FIRE)),
    "lance_charged": (-1, wounds(int(Near.CHARGED), W.LANCE)),
    "blast": (1, lambda: volley(10.0, BLASTS)),
    "hazardous": (1, hazards),
    "hazardous_mortals": (1, lambda: paid(VEHICLE)),
    "hazardous_spared": (-VEHICLE, lambda: paid(VEHICLE)),
    "half_range": (0.1, lambda: volley(12.5, RAPID)),
    "cover_reach": (1, behind_a_barricade),
    "plunging_height": (1, lambda: volley(10.0, RAPID, z=6.5)),
    "snap_steady": (-1, hits(int(Near.SNAP | Near.STEADY))),
    "melee_cover": (1, covered_in_melee),
    "heavy_moved": (-1, hits(0, W.HEAVY)),
    "assault_advanced": (-1, hits(int(Near.ADVANCED), W.ASSAULT)),
    "engaged_heavy": (1, hits(int(Near.ENGAGED_SHOOTER), W.HEAVY)),
    "blast_few": (1, lambda: volley(10.0, BLASTS)),
}
# numbers of other editions that say nothing alone
SILENT = {"heavy_slows", "blast_many", "blast_least", "lookout", "lookout_wounds", "lookout_screen"}

# by name of the dataclass, of its field: what is put in its place (or added to it), and who is asked
NUMBERS: Mapping[str, Mapping[str, tuple[Any, Probe]]] = {
    "measures": {
        "engagement": (1.0, engaged),
        "engagement_vertical": (1.0, engaged),
        "coherency": (1.0, spread_out),
        "coherency_vertical": (1.0, spread_out),
        "large_unit": (1, spread_out),
        "low": (1.0, over_a_box),
        "on_marker": (1.0, onto_a_marker),
        "beside_barrier": (1.0, across_a_barricade),
    },
    "targeting": {
        "lone_range": (1.0, lone_operative),
        "big_guns": (-VEHICLE, big_guns),
        "big_targets": (-VEHICLE, big_target),
        "fell_back": (VEHICLE, fallen_back),
        "others_wait": (True, past_the_engaged),
        "engaged_as_unit": (True, behind_the_engaged),
    },
    "aircraft": {
        "least": (1.0, flight),
        "pivot": (-10.0, flight),
        "hover": (1.0, hovering),
        "in_reserves": (-1, waiting_plane),
        "pivots_first": (1, turning),
        "must_return": (-1, waiting_plane),
    },
    "escape": {"needed": (1, escaping), "exempt": (-int(Keyword.FLY), escaping)},
    "placing": {
        "infiltrators": (1.0, early),
        "deep_strike": (1.0, early),
        "strategic": (1.0, early),
        "edge": (1.0, early),
        "first_round": (1, early),
        "enemy_zone": (1, late),
        "own_edge": (1.0, ways_in),
        "enemy_edge": (-1, late),
        "large_touch": (1, lambda: ways_in(hull_in=(8, 7))),
        "aircraft_anywhere": (1, lambda: ways_in(keywords=PLANE)),
        "from_features": (3.0, fortified),
    },
    "transports": {
        "embark": (1.0, getting_in),
        "disembark": (1.0, getting_out),
        "emergency": (1.0, getting_out),
        "hurt": (1, getting_out),
        "emergency_hurt": (1, getting_out),
        "no_charge": ((), free_after_a_ride),
        "embark_wholly": (1, lambda: getting_in(2.5)),
        "embark_engaged": (-1, lambda: getting_in(2.5, (20, 27.0))),
        "closed_after": ((), staying_in),
        "large": (1.0, getting_out_large),
    },
    "charging": {"reach": (1.0, in_charge_reach)},
    "fighting": {
        "pile_in": (1.0, closing_in),
        "consolidate": (1.0, closing_in),
        "to_markers": (-1, towards_a_marker),
        "rank": (0.5, from_behind),
    },
    "demise": {"needed": (-1, exploding), "reach": (1.0, exploding)},
    "guidelines": {
        "lane": (1.0, placing_terrain),
        "gap": (1.0, placing_terrain),
        "middle": (1.0, lambda: placing_terrain((60, 44))),
        "board": ((23.0, 30.0), placing_terrain),
        "from_parts": (1.0, placing_terrain),
    },
}

# of ``MoveRules``: for which kind of move, with FLY or without, and what is put in its place
MOVES: Mapping[str, tuple[tuple[str, bool], Any, Probe]] = {
    "own": ((NORMAL, False), False, past_the_enemy),
    "engage_path": ((NORMAL, False), ANYBODY, past_the_enemy),
    "engage_end": ((NORMAL, True), ANYBODY, lambda: past_the_enemy(keywords=FLYER)),
    "over_enemies": ((FALL_BACK, False), False, lambda: past_the_enemy(FALL_BACK)),
    "over_friends": ((NORMAL, False), False, lambda: past_friends("INFANTRY")),
    "over_big": ((NORMAL, False), True, lambda: past_friends("VEHICLE")),
    "big": ((NORMAL, False), 0, lambda: past_friends("VEHICLE")),
    "through_air": ((NORMAL, True), False, onto_a_hill),
    "air_end": ((CHARGE, True), False, charging_a_plane),
    "air_goal": ((PILE_IN, True), False, closing_in_on_a_plane),
    "keep_away": ((SCOUT, False), 10.0, scouting),
    "need_contact": ((PILE_IN, False), False, stopping_short),
    "need_closer": ((CHARGE, False), False, staying_behind),
    "end_engaged": ((PILE_IN, False), False, far_from_anybody),
}


# ---------------------------------------------------------------- the tests


def changed(**numbers: Any) -> TenthEdition:
    """The 10th edition with other numbers."""
    return type("Changed", (TenthEdition,), numbers)()  # type: ignore[no-any-return]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[[Probe, TenthEdition], Answer]:
    """The answer to a probe by an edition."""

    def ask(probe: Probe, edition: TenthEdition) -> Answer:
        monkeypatch.setitem(ASKED, "edition", edition)
        try:
            return probe()
        finally:
            monkeypatch.setitem(ASKED, "edition", TENTH_EDITION)

    return ask


@cache
def at_home(probe: Probe) -> Answer:
    """The answer of the 10th edition."""
    return probe()


@pytest.mark.parametrize("column", ATTACKS)
def test_every_number_of_attacks_counts(column: str, answers: Callable[[Probe, TenthEdition], Answer]) -> None:
    by, probe = ATTACKS[column]
    row = tenth.ATTACK_NUMBERS.copy()
    row[column] = row[column][0].item() + by
    assert answers(probe, changed(attack_rules=frozen(row))) != at_home(probe)


@pytest.mark.parametrize(("chapter", "name"), [(c, n) for c, names in NUMBERS.items() for n in names])
def test_every_number_counts(chapter: str, name: str, answers: Callable[[Probe, TenthEdition], Answer]) -> None:
    other, probe = NUMBERS[chapter][name]
    group = getattr(TENTH_EDITION, chapter)
    new = other if isinstance(other, tuple) else getattr(group, name) + other
    assert answers(probe, changed(**{chapter: replace(group, **{name: new})})) != at_home(probe)


@pytest.mark.parametrize("name", MOVES)
def test_every_rule_of_moves_counts(name: str, answers: Callable[[Probe, TenthEdition], Answer]) -> None:
    kind, new, probe = MOVES[name]
    rules = replace(tenth.MOVES[kind], **{name: new})
    assert answers(probe, changed(moves={**tenth.MOVES, kind: rules})) != at_home(probe)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fly", [False, True])
@pytest.mark.parametrize("name", [field.name for field in fields(MoveRules)])
def test_the_rules_of_each_kind_of_move_reach_its_limits(kind: str, fly: bool, name: str) -> None:
    rules = tenth.MOVES[kind, fly]
    other = changed(
        moves={**tenth.MOVES, (kind, fly): replace(rules, **{name: 0 if name == "big" else 1 - getattr(rules, name)})}
    )
    before, after = (move_limits(edition, 60.0, 44.0, 0.8) for edition in (TENTH_EDITION, other))
    assert [key for key in before if before[key].tobytes() != after[key].tobytes()] == [(kind, fly)]


def test_no_number_is_left_out() -> None:
    for chapter, names in NUMBERS.items():
        given = [field.name for field in fields(getattr(TENTH_EDITION, chapter))]
        assert [name for name in given if name not in SILENT] == list(names)
    assert set(ATTACKS) == set(ATTACK_RULES.names or ()) - SILENT
    assert set(MOVES) == {field.name for field in fields(MoveRules)}
    own = TENTH_EDITION
    given = {field.name for group in (own.measures, own.targeting, own.fighting) for field in fields(group)}
    assert set(FIRE_RULES.names or ()) <= given


@pytest.mark.parametrize(("make", "row"), [(attack_rules, tenth.ATTACK_NUMBERS), (fire_rules, None)])
def test_rows_name_every_column_once(make: Callable[..., Array], row: Array | None) -> None:
    if row is None:
        row = TENTH_EDITION.statics(tenth.CORE_RULES)["fire_rules"]
    numbers = {name: row[name][0].item() for name in row.dtype.names}
    again = make(**numbers)
    assert again.tobytes() == row.tobytes()
    assert not again.flags.writeable
    some, *rest = numbers
    with pytest.raises(ValueError, match=f"missing: .*{some}"):
        make(**{name: numbers[name] for name in rest})
    with pytest.raises(ValueError, match=r"unknown: .*luck"):
        make(**numbers, luck=1)
