"""Effects of the core Stratagems: Fire Overwatch, Counter-Offensive, Insane Bravery, Cut Them Down, Emergency
Disembarkation (w9.stratagem.*).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import beneath
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w9.charge.defence import snapping
from wh_env.rulesets.w9.fight.combat import stance
from wh_env.rulesets.w9.stratagems.book import BOOK, Stratagem
from wh_env.rulesets.w40k.attack.casualties import mortal_wounds
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.fight.phase import FightPhase, can_fight
from wh_env.rulesets.w40k.questions.move_limits import engaged, models_engaged
from wh_env.rulesets.w40k.reaction.windows import Interruptible, UseStratagem, decline, unit_of
from wh_env.rulesets.w40k.shoot.overwatch import mark_shooters
from wh_env.rulesets.w40k.shoot.snap import Overwatch, promise

ANYWHERE = 1e6  # inches: only the range of the weapons counts
CUTS = 6  # of Cut Them Down
FELL_BACK = int(Moved.FELL_BACK)


# ---------------------------------------------------------------- Fire Overwatch


class FireOverwatch(UseStratagem):
    name = "fire-overwatch"
    what = (
        "Which target of the charge that was declared shoots at the charging unit before the Charge roll (done: none)."
    )
    policy = "Its policy: the unit whose weapons are expected to do most."
    keys = ("w9.stratagem.fire-overwatch", "w9.charge.overwatch", "w9.stratagem.use", "w9.stratagem.once-per-phase")
    stratagem = Stratagem.FIRE_OVERWATCH

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        u, setup, statics = g.units, g.setup, g.setup.statics
        if u.owner[unit] == player:
            return ()
        marks = np.zeros(len(u.rows), np.uint8)
        g.work.call(
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
            ANYWHERE,
            int(Moved.ADVANCE),
            int(Moved.FELL_BACK),
            marks,
            g.work.reaches,
        )
        return [
            target
            for target in marks.nonzero()[0].tolist()
            if g.charge_targets[target] and not engaged(g, target) and not g.combat.set_to_defend[target]
        ]

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        Overwatch.at(g, unit, unit_of(g, f))

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        own, first = g.setup.space.own, g.players.first_unit[g.clock.player[0]]
        slots = [slot for slot in range(g.setup.space.units) if mask[own + slot]]
        hurt = {slot: promise(g, first + slot, unit_of(g, f), snapping(g, first + slot)) for slot in slots}
        return (own + max(slots, key=hurt.__getitem__)) if slots else 0


# ---------------------------------------------------------------- Counter-Offensive


class CounterOffensive(UseStratagem):
    name = "counter-offensive"
    what = "Which eligible unit fights next, after an enemy unit has fought (done: the order stays)."
    policy = "Its policy: the one that costs most."
    keys = ("w9.stratagem.counter-offensive", "w9.rare.fight-first-last.counter-offensive", "w9.stratagem.use")
    stratagem = Stratagem.COUNTER_OFFENSIVE

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        if g.units.owner[unit] == player:
            return ()
        return [
            own
            for own in g.units_of(player)
            if can_fight(g, own) and stance(g, own) >= 0 and not g.combat.broke_out[own]
        ]

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        g.pop()  # the window; beneath it is the Fight phase
        FightPhase.select(g, beneath(f), unit)


# ---------------------------------------------------------------- Insane Bravery


class InsaneBravery(UseStratagem):
    name = "insane-bravery"
    what = "Whether the unit passes its Morale test without a roll (done: it is rolled)."
    policy = "Its policy always uses it."
    keys = ("w9.stratagem.insane-bravery", "w9.stratagem.use")
    stratagem = Stratagem.INSANE_BRAVERY

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        return (unit,) if g.units.owner[unit] == player else ()

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        Interruptible.mark(g, beneath(f))


# ---------------------------------------------------------------- Cut Them Down


class CutThemDown(UseStratagem):
    name = "cut-them-down"
    what = "Whether a D6 is rolled for each own model within Engagement Range of the unit that Falls Back (done: not)."
    policy = "Its policy: if three models or more strike."
    keys = ("w9.stratagem.cut-them-down", "w9.stratagem.use")
    stratagem = Stratagem.CUT_THEM_DOWN
    waits = True

    @staticmethod
    def occasion(g: BattleCore, unit: int, player: int) -> bool:
        """Whether the unit is an enemy that Falls Back."""
        return g.units.moved[unit] == FELL_BACK and g.units.owner[unit] != player

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        mask[g.setup.space.option] = self.strikes(g, unit_of(g, f), g.clock.player[0]) > 0

    @staticmethod
    def strikes(g: BattleCore, unit: int, player: int) -> int:
        """How many models of the player can strike at the unit; 0 unless it is an enemy that Falls Back."""
        u = g.units
        if not CutThemDown.occasion(g, unit, player) or u.place[unit] != ON_TABLE:
            return 0
        return sum(
            1
            for enemy in g.units_of(player)
            if u.place[enemy] == ON_TABLE
            for k in g.members(enemy)
            if any(models_engaged(g, j, k) for j in g.members(unit))
        )

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            decline(g, f, self.stratagem)
            return
        unit, player = unit_of(g, f), g.clock.player[0]
        BOOK.pay(g, player, self.stratagem, unit)
        dice = [g.d6() for _ in range(self.strikes(g, unit, player))]
        wounds = sum(die >= CUTS for die in dice)
        g.note("w9.stratagem.cut-them-down", "cut down", unit=unit, dice=dice, mortal_wounds=wounds)
        Interruptible.mark(g, beneath(f))  # losses may make the move impossible
        if wounds:
            mortal_wounds(g, unit, wounds)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        title = BOOK.table[self.stratagem].title
        return f"{title}: {g.setup.names['units'][unit_of(g, f)]}" if action else f"no {title}"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        enough = mask[g.setup.space.option] and self.strikes(g, unit_of(g, f), g.clock.player[0]) >= 3
        return int(g.setup.space.option) if enough else 0


# ---------------------------------------------------------------- Emergency Disembarkation


class EmergencyDisembarkation(UseStratagem):
    name = "emergency-disembarkation"
    what = "Whether all units embarked in the destroyed TRANSPORT get out farther away, at a greater risk (done: not)."
    policy = "Its policy never does."
    keys = ("w9.stratagem.emergency-disembarkation", "w9.stratagem.use")
    stratagem = Stratagem.EMERGENCY_DISEMBARKATION

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        return (unit,) if g.units.owner[unit] == player else ()

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        Interruptible.mark(g, beneath(f))

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return 0
