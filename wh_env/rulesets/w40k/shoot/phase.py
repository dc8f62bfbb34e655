"""Shooting phase: eligibility, selecting targets, declaring weapons (shoot.*)."""

from __future__ import annotations

from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import anything, count_of, row_of, row_plus_one
from wh_env.core.features import Pending
from wh_env.core.procedures import GO, STEP, ChooseUnit, DecisionKind, OfPlayer, Procedure, Steps, integer
from wh_env.core.tables import EMBARKED
from wh_env.rulesets.w40k.attack.making import Attacks
from wh_env.rulesets.w40k.attack.sequence import RANGED
from wh_env.rulesets.w40k.codes import YES, Deed, Moved, Selected
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.phases.timing import end_phase, start_phase
from wh_env.rulesets.w40k.questions.engagements import engagements, forget_targets
from wh_env.rulesets.w40k.questions.targets import BIG_GUNS, PISTOLS_ONLY
from wh_env.rulesets.w40k.reaction.windows import open_window
from wh_env.rulesets.w40k.shoot.declare import (
    HELD,
    add_jobs,
    clear_jobs,
    declare_weapon,
    shooting_mode,
    shooting_row,
    weapon_targets,
)
from wh_env.rulesets.w40k.shoot.overwatch import mark_ready

ADVANCED, FELL_BACK = int(Moved.ADVANCE), int(Moved.FELL_BACK)
TARGETS_SELECTED, SHOOTS = Moment.TARGETS_SELECTED, Deed.SHOOT


class ShootingPhase(OfPlayer):
    """shoot.sequence: one unit after the other selects targets and makes its attacks."""

    class Step(Steps):
        BEGIN, SELECT, END = range(3)

    asks = ("select-to-shoot",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = ShootingPhase.Step
        stack = g.stack
        step = stack[f + STEP]
        if step == Step.BEGIN:
            start_phase(g, self)
            forget_targets(g)
            stack[f + STEP] = Step.SELECT
            if self.begun(g):
                return GO
        if step == Step.END:
            end_phase(g)
            return g.pop()
        return g.ask(SelectToShoot, stack[f + ShootingPhase.PLAYER])

    def begun(self, g: BattleCore) -> bool:
        """Called when the phase has begun. Returns whether a procedure was pushed that comes before the first unit."""
        return False


def ready_to_shoot(g: BattleCore, player: int) -> list[int]:
    """Units that can be selected to shoot: eligible, not selected yet, with a target for some weapon."""
    statics, setup, u = g.setup.statics, g.setup, g.units
    found = g.work.found
    count = g.work.call(
        mark_ready,
        g.models.rows,
        u.rows,
        setup.blocks,
        setup.corners,
        statics["weapons"],
        statics["arsenal"],
        engagements(g),
        statics["shooting_rules"],
        g.targets,
        player,
        Selected.SHOOT,
        ADVANCED,
        FELL_BACK,
        found,
        g.work.reaches,
    )
    ready: list[int] = [unit for unit in found[:count].tolist() if not edition(g).does_nothing_more(g, unit)]
    ready += (unit for unit in edition(g).lending.ready(g, player) if unit not in ready)
    return ready


class SelectToShoot(ChooseUnit):
    """Which eligible unit shoots next, or end the phase (shoot.select-unit)."""

    name = "select-to-shoot"
    what = "Which eligible unit shoots next (done: the phase ends)."
    keys: ClassVar[tuple[str, ...]] = ("shoot.select-unit", "actions.fail")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.stack[f + ShootingPhase.PLAYER]
        at = g.setup.space.own - g.players.first_unit[player]
        mask[0] = True
        for unit in ready_to_shoot(g, player):
            mask[at + unit] = True

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + STEP] = ShootingPhase.Step.END

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.units.selected[unit] |= Selected.SHOOT
        g.tell("shoot.select-unit", "selected to shoot", unit=unit)
        g.push(Shoot, unit)


class Shoot(Procedure):
    """A unit shoots: it selects all targets first, then makes the attacks."""

    class Step(Steps):
        BEGIN, TARGET, WEAPONS, SELECTED, ATTACKS, END = range(6)

    UNIT = integer(row_of("units"))
    MODEL = integer(count_of("models"))
    WEAPON = integer(count_of("arsenal"))  # of the model, counted from 1
    TARGET = integer(row_plus_one("units"))  # the only one allowed + 1
    DECLARED = integer(anything())  # a bit for each weapon of the model; kinds that it gave up (``declare.HELD``)
    asks = ("shoot-target", "weapon-target")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Shoot.Step
        stack = g.stack
        unit, step = stack[f + Shoot.UNIT], stack[f + STEP]
        owner = g.units.owner[unit]
        if step == Step.BEGIN:
            clear_jobs(g)
            edition(g).lending.give_back(g)
            mode = shooting_mode(g, unit)
            g.units.engaged_before[unit] = mode in (BIG_GUNS, PISTOLS_ONLY)
            stack[f + STEP] = step = Step.WEAPONS if g.setup.rules["detail"] == "full" else Step.TARGET
            if step == Step.WEAPONS:
                edition(g).lending.choose(g, unit)
                return GO
        if step == Step.TARGET:
            stack[f + STEP] = Step.SELECTED
            return self.select_target(g, f)
        if step == Step.WEAPONS:
            if self.next_weapon(g, f):
                return g.ask(WeaponTarget, owner, unit)
            stack[f + STEP] = Step.SELECTED
            return GO
        if step == Step.SELECTED:
            stack[f + STEP] = Step.ATTACKS
            self.selected(g)
            if open_window(g, TARGETS_SELECTED, unit):
                return GO
            step = Step.ATTACKS
        if step == Step.ATTACKS:
            stack[f + STEP] = Step.END
            if any(g.jobs.attacks):
                edition(g).acts(g, unit, SHOOTS)
            g.push(Attacks, unit, RANGED)
            return GO
        edition(g).lending.give_back(g)
        return g.pop()

    def select_target(self, g: BattleCore, f: int) -> int:
        """Squad detail: ask for the target of all weapons."""
        unit = g.stack[f + Shoot.UNIT]
        return g.ask(ShootTarget, g.units.owner[unit], unit)

    def selected(self, g: BattleCore) -> None:
        """Called when all targets are selected and all weapons declared."""

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the weapon of the frame is one of the model's."""
        stack = g.stack
        rows = edition(g).lending.armed(g, stack[f + Shoot.UNIT])
        asked = stack[f + Shoot.MODEL]
        return bool(asked >= len(rows) or 0 <= stack[f + Shoot.WEAPON] <= g.models.weapons[rows[asked]])

    @staticmethod
    def asked(g: BattleCore, f: int) -> tuple[int, int]:
        """The model that the decision is about, and the number of its weapon (arsenal entry)."""
        stack = g.stack
        return int(edition(g).lending.armed(g, stack[f + Shoot.UNIT])[stack[f + Shoot.MODEL]]), stack[
            f + Shoot.WEAPON
        ] - 1

    @staticmethod
    def gave_up(g: BattleCore, f: int) -> int:
        """Kinds of weapons that the model does not fire, as bits (bit 0: ``declare.OTHERS``)."""
        return int(g.stack[f + Shoot.DECLARED] >> HELD)

    @staticmethod
    def give_up(g: BattleCore, f: int, kind: int) -> None:
        """Note that the model fires no weapons of this kind."""
        g.stack[f + Shoot.DECLARED] |= 1 << HELD + kind

    def next_weapon(self, g: BattleCore, f: int) -> bool:
        """Go on to the next weapon, of this or a later model, that has a target. Returns whether there is one."""
        stack = g.stack
        rows = edition(g).lending.armed(g, stack[f + Shoot.UNIT])
        while stack[f + Shoot.MODEL] < len(rows):
            while stack[f + Shoot.WEAPON] < g.models.weapons[rows[stack[f + Shoot.MODEL]]]:
                stack[f + Shoot.WEAPON] += 1
                if open_targets(g, f, rows[stack[f + Shoot.MODEL]], stack[f + Shoot.WEAPON] - 1):
                    return True
            stack[f + Shoot.MODEL] += 1
            stack[f + Shoot.WEAPON] = stack[f + Shoot.DECLARED] = 0
        return False


def open_targets(g: BattleCore, f: int, model: int, number: int) -> list[int]:
    """Units that arsenal entry ``number`` of the model may target now (frame ``f`` of Shoot)."""
    stack = g.stack
    unit = stack[f + Shoot.UNIT]
    if not edition(g).lending.in_use(g, unit, model, number):
        return []
    asked = (
        g, unit, model, number, shooting_mode(g, unit), stack[f + Shoot.DECLARED], stack[f + Shoot.TARGET] - 1,
    )  # fmt: skip
    if g.units.place[unit] == EMBARKED:
        with edition(g).lending.outlook(g, unit):
            return weapon_targets(*asked)
    return weapon_targets(*asked)


class ShootTarget(DecisionKind):
    name = "shoot-target"
    what = "Squad detail: the unit at which every weapon that can shoots; the others take their best target."
    full = False
    keys: ClassVar[tuple[str, ...]] = (
        "shoot.targets.all-first",
        "shoot.targets.models",
        "shoot.targets.weapons",
        "shoot.split",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + Shoot.UNIT]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        row = shooting_row(g, unit, shooting_mode(g, unit))[0].tobytes()
        lent = edition(g).lending.targets(g, unit)
        for enemy in g.units_of(1 - g.units.owner[unit]):
            if row[enemy] == YES or enemy in lent:
                mask[at + enemy] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Shoot.UNIT]
        target = g.players.first_unit[1 - g.units.owner[unit]] + action - g.setup.space.enemy
        add_jobs(g, unit, target)
        edition(g).lending.declare(g, unit, target)


class WeaponTarget(DecisionKind):
    name = "weapon-target"
    what = "The target of one weapon profile of one model, or not to fire it."
    instead = (
        "Every weapon that can fires at the unit of `shoot-target`, the others at what they are expected to hurt most."
    )
    keys: ClassVar[tuple[str, ...]] = (
        "shoot.targets.all-first",
        "shoot.targets.weapons",
        "shoot.targets.declare",
        "weapon.pistol.engaged-targets",
        "weapon.pistol.or-others",
        "stratagem.fire-overwatch",
    )
    squad = False
    one_target = True  # an engaged unit fires all its Pistols at one unit

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        stack = g.stack
        unit = stack[f + Shoot.UNIT]
        model = edition(g).lending.armed(g, unit)[stack[f + Shoot.MODEL]]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        mask[0] = True
        for enemy in open_targets(g, f, model, stack[f + Shoot.WEAPON] - 1):
            mask[at + enemy] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            return
        stack = g.stack
        unit = stack[f + Shoot.UNIT]
        model = edition(g).lending.armed(g, unit)[stack[f + Shoot.MODEL]]
        target = g.players.first_unit[1 - g.units.owner[unit]] + action - g.setup.space.enemy
        declare_weapon(g, unit, model, stack[f + Shoot.WEAPON] - 1, target)
        stack[f + Shoot.DECLARED] |= 1 << stack[f + Shoot.WEAPON] - 1
        if self.one_target and shooting_mode(g, unit) == PISTOLS_ONLY:
            stack[f + Shoot.TARGET] = target + 1

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        stack = g.stack
        model = edition(g).lending.armed(g, stack[f + Shoot.UNIT])[stack[f + Shoot.MODEL]]
        row = g.models.first_weapon[model] + stack[f + Shoot.WEAPON] - 1
        weapon = g.setup.names["weapons"][g.setup.statics["arsenal_weapon"][row]]
        what = "hold fire" if action == 0 else f"at {g.default_words(action)}"
        return f"{g.setup.names['models'][model]}, {weapon}: {what}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        model = edition(g).lending.armed(g, g.stack[f + Shoot.UNIT])[g.stack[f + Shoot.MODEL]]
        row = g.models.first_weapon[model] + g.stack[f + Shoot.WEAPON] - 1
        return Pending(model=model, weapon=g.setup.statics["arsenal_weapon"][row])
