"""Stratagems by which a unit acts out of its player's phase or order: Fire Overwatch, Rapid Ingress, Heroic
Intervention, Counter-offensive (w10.stratagem.out-of-phase).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS, unit_distance
from wh_env.core.procedures import beneath
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w10.stratagems.book import Stratagem
from wh_env.rulesets.w40k.attack.abilities import in_force
from wh_env.rulesets.w40k.charge.phase import ChargeRoll, could_charge
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.fight.phase import FightPhase, is_engaged
from wh_env.rulesets.w40k.move.reinforcements import Arrive, may_arrive
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.questions.engagements import engagements
from wh_env.rulesets.w40k.reaction.windows import Interruptible, UseStratagem, moment_of, unit_of
from wh_env.rulesets.w40k.shoot.overwatch import mark_shooters
from wh_env.rulesets.w40k.shoot.snap import Overwatch, promise

ADVANCED, FELL_BACK = int(Moved.ADVANCE), int(Moved.FELL_BACK)
OVERWATCH_RANGE, INTERVENTION_RANGE = 24.0, 6.0
VEHICLE, WALKER = int(Keyword.VEHICLE), int(Keyword.WALKER)


# ---------------------------------------------------------------- Fire Overwatch


class FireOverwatch(UseStratagem):
    name = "fire-overwatch"
    what = "Which unit shoots at the enemy unit that is set up or starts or ends a move (done: none)."
    policy = (
        "Its policy uses it at the start of a Charge move only, with the unit whose weapons are expected to do most."
    )
    keys = (
        "w10.stratagem.fire-overwatch",
        "w10.stratagem.fire-overwatch.start-of-move",
        "w10.stratagem.fire-overwatch.once-per-turn",
        "w10.stratagem.pay",
    )
    stratagem = Stratagem.FIRE_OVERWATCH

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        u, setup = g.units, g.setup
        if u.owner[unit] == player or u.place[unit] != ON_TABLE or in_force(g, unit, "unwatched"):
            return ()
        marks = np.zeros(len(u.rows), np.uint8)
        statics = setup.statics
        found = g.work.call(
            mark_shooters,
            g.models.rows,
            u.rows,
            setup.blocks,
            setup.corners,
            statics["weapons"],
            statics["arsenal"],
            g.engaged,
            statics["fire_rules"],
            unit,
            OVERWATCH_RANGE,
            ADVANCED,
            FELL_BACK,
            marks,
            g.work.reaches,
        )
        return marks.nonzero()[0].tolist() if found else ()

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        if moment_of(g, f) == Moment.STARTS_MOVE:
            Interruptible.mark(g, beneath(f))  # losses may make the move impossible
        Overwatch.at(g, unit, unit_of(g, f))

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        if moment_of(g, f) != Moment.STARTS_CHARGE:
            return 0
        own, first = g.setup.space.own, g.players.first_unit[g.clock.player[0]]
        slots = [slot for slot in range(g.setup.space.units) if mask[own + slot]]
        if not slots:
            return 0
        return own + max(slots, key=lambda slot: promise(g, first + slot, unit_of(g, f)))


# ---------------------------------------------------------------- Rapid Ingress


class RapidIngress(UseStratagem):
    name = "rapid-ingress"
    what = "Which Reserves unit arrives at the end of the opponent's Movement phase (done: none)."
    policy = "Its policy: none."
    keys = ("w10.stratagem.rapid-ingress", "w10.stratagem.rapid-ingress.round", "w10.stratagem.pay")
    stratagem = Stratagem.RAPID_INGRESS

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        return (own for own in g.units_of(player) if may_arrive(g, own))

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        g.push(Arrive, unit)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return 0


# ---------------------------------------------------------------- Heroic Intervention


class HeroicIntervention(UseStratagem):
    name = "heroic-intervention"
    what = "Which unit charges the enemy unit that has just ended a Charge move (done: none)."
    policy = "Its policy: none."
    keys = (
        "w10.stratagem.heroic-intervention",
        "w10.stratagem.heroic-intervention.vehicle",
        "w10.stratagem.heroic-intervention.no-bonus",
        "w10.stratagem.pay",
    )
    stratagem = Stratagem.HEROIC_INTERVENTION

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        u = g.units
        if u.owner[unit] == player or u.place[unit] != ON_TABLE:
            return
        for own in g.units_of(player):
            if (
                u.place[own] == ON_TABLE
                and (not u.keywords[own] & VEHICLE or u.keywords[own] & WALKER)
                and unit_distance(g.models.rows, u.rows, own, unit) <= INTERVENTION_RANGE + EPS
                and could_charge(g, own, unit)
            ):
                yield own

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        g.charge_targets_array[:] = 0
        g.charge_targets[unit_of(g, f)] = 1
        g.push(ChargeRoll, unit)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return 0


# ---------------------------------------------------------------- Counter-offensive


class CounterOffensive(UseStratagem):
    name = "counter-offensive"
    what = "Which unit fights next, after an enemy unit has fought (done: the order stays)."
    policy = "Its policy: the one that costs most."
    keys = ("w10.stratagem.counter-offensive", "w10.stratagem.counter-offensive.resume", "w10.stratagem.pay")
    stratagem = Stratagem.COUNTER_OFFENSIVE

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        u = g.units
        if u.owner[unit] == player:
            return
        for own in g.units_of(player):
            # facing an enemy across a barricade is no Engagement Range here (w10.terrain.barricades.other-phases)
            if u.place[own] == ON_TABLE and not u.fought[own] and is_engaged(g, own) and any(engagements(g)[own]):
                yield own

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        g.pop()  # the window; beneath it is the Fight phase
        FightPhase.select(g, beneath(f), unit)
