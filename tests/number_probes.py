"""Positions that are asked something, so that the answer shows the numbers of an edition (``rulesets/test_numbers*.py``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import pi
from typing import Any

import numpy as np

from wh_env import Battle, testing
from wh_env.content.w40k.load import load_terrain
from wh_env.content.w40k.random_battlefield import draw_battlefield
from wh_env.content.w40k.schema import Markers
from wh_env.core.frozen import frozen
from wh_env.core.tables import DICE, Array
from wh_env.rulesets.w10.ruleset import TENTH_EDITION
from wh_env.rulesets.w40k.attack import machine, rolls
from wh_env.rulesets.w40k.attack.casualties import Demises
from wh_env.rulesets.w40k.attack.sequence import LOST
from wh_env.rulesets.w40k.charge.phase import free_to_charge, near_enough, targets_in_reach
from wh_env.rulesets.w40k.codes import AFTER_IT_MOVED, Effect, Moved, Selected
from wh_env.rulesets.w40k.deploy.beside import DISEMBARK, EMERGENCY, cells_beside, conditions
from wh_env.rulesets.w40k.deploy.formations import hover, waits
from wh_env.rulesets.w40k.deploy.markers import marker_allowed
from wh_env.rulesets.w40k.deploy.places import DEEP_STRIKE, INFILTRATION, JUST_LEFT, STRATEGIC, STRIPS, cells_for
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.fight.close_moves import TOWARDS_ENEMY, can_pile_in, charge_succeeds, consolidation, pile_in
from wh_env.rulesets.w40k.move.aircraft import can_turn, turn_back
from wh_env.rulesets.w40k.move.fall_back import escape_tests, untested
from wh_env.rulesets.w40k.move.reinforcements import may_arrive, ways_to_arrive
from wh_env.rulesets.w40k.move.unit_moves import fill_cells
from wh_env.rulesets.w40k.profiles import WEAPON, WeaponAbility
from wh_env.rulesets.w40k.questions.engagements import engagements
from wh_env.rulesets.w40k.questions.move_limits import (
    NORMAL,
    SCOUT,
    limits_for,
)
from wh_env.rulesets.w40k.shoot.declare import add_jobs, melee_targets, shooting_mode, shooting_row
from wh_env.rulesets.w40k.tables import JOB, MODEL, UNIT
from wh_env.rulesets.w40k.terrain.cover import take_cover
from wh_env.rulesets.w40k.transport.losses import Wreck
from wh_env.rulesets.w40k.transport.transports import carriers_beside, may_disembark
from wh_env.testing import melee, ranged, sheet
from wh_env.testing.melee_moves import check_charge_move, check_pile_in_move
from wh_env.testing.moves import judged

Answer = Any
Probe = Callable[[], Answer]

GUN = {"gun": ranged(24, A=2, abilities=["Rapid Fire 1"])}
FLYER = ("INFANTRY", "FLY")
PLANE = ("VEHICLE", "AIRCRAFT", "FLY")


# ---------------------------------------------------------------- what is asked


ASKED: dict[str, Edition] = {"edition": TENTH_EDITION}  # whose answers are asked for


def ask(probe: Probe, own: Edition) -> Answer:
    """The answer to a probe by an edition."""
    before, ASKED["edition"] = ASKED["edition"], own
    try:
        return probe()
    finally:
        ASKED["edition"] = before


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


def over_a_box(kind: str = NORMAL, height: float = 2.5, **mine: Any) -> Answer:
    """Where a unit can go with a box so high in its way."""
    scene = Scene()
    scene.box(10, 12, 30, 13, height)
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


def turned_about() -> Answer:
    """Where a long hull can end that turns by a right angle."""
    scene = Scene()
    tank = scene.unit(0, sheet("Mine", hull_in=(6, 0.1), keywords=("VEHICLE",)), at=(20, 20), facing=0.0, models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle(run=False)
    return [int(judged(battle, tank, (20 + x, 20, 0, pi / 2))) for x in (0.0, 1.0, 2.0, 3.0)]


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


def charging_together() -> Answer:
    """Whether three models can charge two enemies past two others: the first of them bars the way if it is set down where it first can be."""
    scene = Scene()
    scene.unit(0, sheet("Mine", base_mm=25.4), at=[(20, 20), (20.585, 18.073), (21.6, 19.835)])
    places = ((26.317, 24.418), (23.99, 20.643), (24.645, 16.858), (23.406, 23.872))
    for number, at in enumerate(places):
        scene.unit(1, sheet(f"Foe {number}", base_mm=25.4), at=at, models=1)
    battle = scene.battle("charge", run=False)
    battle.charge_targets_array[1:3] = 1
    return charge_succeeds(battle, 0, 6)


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


def reaching_one_of_two() -> Answer:
    """Whether a charge against two units may end at one of them, whose place is closer to the other one too."""
    scene = Scene()
    scene.unit(0, sheet("Mine"), at=(20, 20), models=1)
    scene.unit(1, sheet("Near"), at=(20, 25), models=1)
    scene.unit(1, sheet("Far"), at=(20, 31), models=1)
    return check_charge_move(scene.battle("charge", run=False), 0, [1, 2], 6.0, {0: [(20, 23.998)]})


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


def past_plane() -> Answer:
    """Where a unit can move to that has an AIRCRAFT 2" away."""
    return cells(two(2.0, enemy={"keywords": PLANE}), 0)


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


def drawing_terrain() -> Answer:
    """Which features a battlefield is drawn with."""
    markers = Markers(number=0, from_edges_in=0, apart_in=0, placed_by="players")
    templates = load_terrain("standard", "w10").templates
    chance, own = np.random.default_rng(1), ASKED["edition"].guidelines
    field = draw_battlefield((72, 48), "standard", templates, markers, 0.2, chance, own, "even", False)
    return [(feature.template, feature.at) for feature in field.features]


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


def placing_markers() -> Answer:
    """Which places an objective marker may have, near another one."""
    scene = Scene(size=(60, 44))
    scene.unit(0, sheet("Mine"), models=1)
    scene.unit(1, sheet("Theirs"), models=1)
    battle = scene.battle("mission", rules={"players_place_markers": 2})
    o = battle.objectives
    o.x[0], o.y[0], o.placed[0] = 20.0, 20.0, 1
    return [marker_allowed(battle, x, 20.0) for x in np.arange(28.0, 36.0, 0.25)]


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
        critical = rolls.critical_wound(rows, 0, near, 0, rules)
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


def half_in_cover() -> Answer:
    """The saves of a model in cover, of whose unit another is not."""
    field = Field()
    field.attack["target"], field.attack["wounds"] = 1, 1
    field.models[2]["flags"] = rolls.COVERED
    machine.allocate(field.models, field.units, weapon(), field.attack, edition_rules(), field.log)
    assert field.attack["model"][0] == 2
    return field.attack["need"][0].tolist()


def ignored_twice() -> Answer:
    """The dice for two mortal wounds that a model may ignore by two abilities."""
    field = Field()
    field.models["feel_no_pain"], field.models["feel_no_pain2"] = 5, 6
    field.script[:4], field.dice["script_end"] = [4, 6, 5, 1], 4
    machine.begin_mortal(field.attack, 1, 2, -1)
    arrays = field.models, field.units, weapon(), np.zeros(1, JOB), field.attack, edition_rules()
    machine.resolve(*arrays, field.dice, field.script, field.log, field.casualties)
    return int(field.dice["script_at"][0]), field.models["wounds"].tolist()


def pistols_in_combat() -> Answer:
    """Whom a unit may shoot at that is engaged with one unit and has another near."""
    scene = Scene()
    pistol = {"pistol": ranged(12, abilities=["Pistol"])}
    scene.unit(0, sheet("Mine", weapons=pistol), at=[(20, 20), (21.8, 19.5)])
    scene.unit(1, sheet("Near"), at=(20, 21.7))
    scene.unit(1, sheet("Beside"), at=(23.9, 20.5))
    battle = scene.battle("shooting", run=False)
    return shooting_row(battle, 0, shooting_mode(battle, 0))[0].tobytes()


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
