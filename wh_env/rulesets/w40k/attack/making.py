"""Making the declared attacks of a unit: target by target, profile by profile (shoot.attacks.*, fight.attacks.*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, between, code, count_of, flag, row_of
from wh_env.core.kernel import kernel
from wh_env.core.procedures import GO, STEP, DecisionKind, Default, Steps, integer
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack import sequence
from wh_env.rulesets.w40k.attack.abilities import additional_mortals
from wh_env.rulesets.w40k.attack.brackets import degrade
from wh_env.rulesets.w40k.attack.casualties import Demises, machine_asks, settle
from wh_env.rulesets.w40k.attack.decisions import MACHINE_ASKS, RunsMachine, ask_machine, run_machine, tell
from wh_env.rulesets.w40k.attack.die_windows import offer_saves, windows
from wh_env.rulesets.w40k.attack.fading import fade
from wh_env.rulesets.w40k.attack.jobs import groups_left, targets_left
from wh_env.rulesets.w40k.attack.machine import begin_hazardous_loss, begin_volley
from wh_env.rulesets.w40k.attack.modifiers import modify_attacks
from wh_env.rulesets.w40k.attack.sequence import (
    ASK_GROUP,
    ASK_TARGET,
    CHOOSE_GROUP,
    CHOOSE_TARGET,
    DEMISES,
    FADES,
    FROM_ABOVE,
    IN_COVER,
    LOST,
    MELEE,
    OFFER_SAVES,
    OFFERS,
    PREPARE,
    PREPARES,
    RANGED,
    RECORDS,
    TELL,
    TELL_SHELTER,
    go_on,
    next_groups,
    survey,
)
from wh_env.rulesets.w40k.attack_row import DONE, LOSS, Asks
from wh_env.rulesets.w40k.codes import COVERED, Effect
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.profiles import WeaponAbility

# hooks of powers that change attacks
FADING = ("attacks", "targeted", "weapons", "toughness", "made", "suffered", "mortals")
HAZARDOUS, MARK_HITS, HIT = int(WeaponAbility.HAZARDOUS), int(Asks.MARK_HITS), int(Effect.HIT)


class Attacks(RunsMachine):
    """Resolves the rows of ``jobs``: all attacks against one target before the next, all of one profile before another.

    Kernels of ``sequence`` work on its frame and its steps.
    """

    class Step(Steps):
        BEGIN = 0
        NEXT_TARGET, BEGIN_TARGET = sequence.NEXT_TARGET, sequence.BEGIN_TARGET
        NEXT_GROUP, BEGIN_GROUP, GROUP = sequence.NEXT_GROUP, sequence.BEGIN_GROUP, sequence.GROUP
        PENDING, HAZARD = sequence.PENDING, sequence.HAZARD
        LOSE, END = sequence.LOSE, sequence.END

    # steps at which the procedure can stop: no decision comes up in BEGIN_TARGET and BEGIN_GROUP
    steps = code(0, Step.NEXT_TARGET, Step.NEXT_GROUP, Step.GROUP, Step.PENDING, Step.HAZARD, Step.LOSE, Step.END)
    UNIT = integer(row_of("units"), at=sequence.UNIT)
    KIND = integer(between(RANGED, MELEE), at=sequence.KIND)
    TARGET = integer(row_of("units"), at=sequence.TARGET)
    TESTS = integer(count_of("jobs"), at=sequence.TESTS)
    FAILED = integer(count_of("jobs"), at=sequence.FAILED)
    SHELTERED = integer(count_of("models"), at=sequence.SHELTERED)
    PENDING_NOW = integer(amount(), at=sequence.PENDING_NOW)
    PSYCHIC = integer(amount(), at=sequence.PSYCHIC)
    CHOSEN = integer(amount(), at=sequence.CHOSEN)
    ASKED = integer(flag())  # the choices before the attacks were offered
    GENERATED = integer(flag())  # attacks that the first ones generated are being made
    LOST_BEFORE = integer(count_of("models"))  # casualties listed before the first attack
    HITS = integer(amount())  # for the edition: attacks of the group that hit and have inflicted no damage
    asks = (*MACHINE_ASKS, "target-order", "profile-order", "hazardous-model")

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether ``CHOSEN`` is a row of ``units`` or ``jobs``."""
        return bool(g.stack[f + Attacks.CHOSEN] < max(len(g.units.place), len(g.jobs.group)))

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        Step, step = Attacks.Step, stack[f + STEP]
        if step == Step.BEGIN:
            unit, melee = stack[f + Attacks.UNIT], stack[f + Attacks.KIND] == MELEE
            if not stack[f + Attacks.ASKED] and edition(g).before_attacks(g, unit, melee):
                stack[f + Attacks.ASKED] = 1
                return GO
            self.begin(g, f, unit)
            edition(g).declared(g, unit, melee)
            stack[f + STEP] = step = Step.NEXT_TARGET
        if step < Step.LOSE:
            code = run_sequence(g, f)
            step = stack[f + STEP]
            if code == DONE and step < Step.LOSE:
                return GO
            if code == DEMISES:
                g.push(Demises)
                return GO
            unit = stack[f + Attacks.UNIT]
            if code == CHOOSE_TARGET:
                return g.ask(TargetOrder, g.units.owner[unit], unit)
            if code == CHOOSE_GROUP:
                return g.ask(ProfileOrder, g.units.owner[unit], unit)
            if code != DONE:
                return ask_machine(g, code, 0)
        if step == Step.LOSE:
            return self.lose(g, f)
        if g.setup.statics["powers"]["generated"] and edition(g).generates(g, stack[f + Attacks.UNIT]):
            stack[f + STEP] = Step.NEXT_TARGET
            stack[f + Attacks.GENERATED] = 1
            return GO
        unit, melee = stack[f + Attacks.UNIT], stack[f + Attacks.KIND] == MELEE
        g.pop()
        settle(g)
        if not g.clock.over[0]:
            edition(g).attacked(g, unit, melee)
        return GO

    @staticmethod
    def begin(g: BattleCore, f: int, unit: int) -> None:
        """Set up the machine for the unit's declared attacks and write all changes by abilities and damage
        into them.
        """
        statics, attack = g.setup.statics, g.attack
        if statics["degrading"]:
            degrade(g, unit)
        g.work.call(begin_volley, attack.rows, unit)
        asks = machine_asks(g)
        if statics["marks_hits"]:
            asks |= MARK_HITS
            g.work.call(forget_hits, g.units.rows)
        g.stack[f + Attacks.LOST_BEFORE] = g.queue[LOST]
        attack.asks[0] = asks
        attack.offer[0] = windows(g, unit, -1)
        attack.critical_mortals[0] = additional_mortals(g, unit)
        if take_stock(g, f) or statics["powers"]["toughness"] or g.setup.rules["modifiers"] or edition(g).modifying(g):
            modify_attacks(g)

    @staticmethod
    def lose(g: BattleCore, f: int) -> int:
        """Let a model pay for each failed Hazardous test, one after the other."""
        stack = g.stack
        code = run_machine(g, 0)
        if code not in (DONE, LOSS):
            return ask_machine(g, code, 0)
        if code == DONE:
            if stack[f + Attacks.FAILED] and hazardous_models(g, stack[f + Attacks.UNIT]):
                stack[f + Attacks.FAILED] -= 1
                return g.ask(HazardousModel, g.units.owner[stack[f + Attacks.UNIT]], stack[f + Attacks.UNIT])
            stack[f + STEP] = Attacks.Step.END
        g.push(Demises)
        return GO


@kernel
def forget_hits(units: Array) -> None:
    """Clear the mark "was hit" of all units before attacks are made."""
    for u in range(len(units)):
        units[u]["cover"] = int(units[u]["cover"]) & ~HIT


def log(g: BattleCore) -> Array:
    """The array for the machine's log; one without room if no events are recorded."""
    rows: Array = g.work.no_log if g.recorder is None else g.work.log
    return rows


def asked(setup: Setup) -> int:
    """Bits of ``sequence``: choices and re-rolls that come up while attacks are made in a battle."""
    numbers, rules, statics = setup.ruleset.number, setup.rules, setup.statics
    bits = 0
    if not isinstance(setup.delegates.get(numbers[TargetOrder]), Default):
        bits |= ASK_TARGET
    if not isinstance(setup.delegates.get(numbers[ProfileOrder]), Default):
        bits |= ASK_GROUP
    if rules["rerolls"] or statics["reroll_for_cp"] or statics["powers"]["single"]:
        bits |= OFFERS
    if statics["degrading"] or any(statics["powers"][hook] for hook in FADING):
        bits |= FADES
    return bits


def run_sequence(g: BattleCore, f: int) -> int:
    """Make attacks until a choice or interruption comes up. Returns a code of ``go_on`` or of the machine."""
    statics, setup = g.setup.statics, g.setup
    guards, bearers = statics["power_rows"]["guards"]
    game = edition(g)
    recorded = g.recorder is not None
    heeded = bool(statics["powers"]["generated"]) and game.heeds(g, g.stack[f + Attacks.UNIT])
    logged = recorded or heeded
    frame = g.stack_array[f:]
    asks = g.work.about(setup, asked)
    if logged:
        asks |= RECORDS
    if game.prepares(g, g.stack[f + Attacks.UNIT]):
        asks |= PREPARES
    if game.modifying(g):
        asks |= FADES
    while True:
        code = g.work.call(
            go_on,
            frame,
            asks,
            g.models.rows,
            g.units.rows,
            statics["weapons"],
            g.jobs.rows,
            g.attack.rows,
            statics["attack_rules"],
            g.dice.rows,
            g.script_array,
            g.work.log if logged else g.work.no_log,
            g.casualties_array,
            g.queue_array,
            g.work.marks,
            setup.features,
            setup.blocks,
            setup.corners,
            guards,
            bearers,
            statics["own_guards"],
        )
        if heeded:
            game.heed(g)
        if recorded:
            tell(g, g.attack)
        elif heeded:
            g.attack.log_count[0] = 0
        if code == OFFER_SAVES:
            offer_saves(g, g.stack[f + Attacks.TARGET])
            fallen = g.casualties_array[g.stack[f + Attacks.LOST_BEFORE] : g.queue[LOST]].tolist()
            if asks & FADES and fallen and not g.stack[f + Attacks.GENERATED]:
                after_losses(g, g.stack[f + Attacks.UNIT], g.stack[f + Attacks.TARGET], fallen)
        elif code == PREPARE:
            game.prepare(g, g.stack[f + Attacks.CHOSEN], g.stack[f + Attacks.KIND] == MELEE)
        elif code & TELL_SHELTER:
            tell_shelter(g, f, code)
        elif code != TELL:
            return int(code)


def after_losses(g: BattleCore, unit: int, target: int, fallen: Sequence[int]) -> None:
    """The unit's attacks on another target begin after these models were destroyed, one of which may have hurt it in
    an explosion: use the abilities and damage tables of now.
    """
    fade(g, target, fallen)
    g.attack.critical_mortals[0] = additional_mortals(g, unit)
    if g.setup.statics["degrading"]:
        degrade(g, unit, target)


def tell_shelter(g: BattleCore, f: int, code: int) -> None:
    """Report terrain events of the group of attacks that begins: fire from above, Benefit of Cover."""
    unit, target = g.stack[f + Attacks.UNIT], g.stack[f + Attacks.TARGET]
    if g.stack[f + Attacks.KIND] != RANGED or not len(g.setup.features):
        return
    if code & FROM_ABOVE:
        g.tell("terrain.ruins.plunging-fire", "fires from above", unit=unit, target=target)
    if code & IN_COVER:
        models = [k for k in g.members(target) if g.models.flags[k] & COVERED]
        g.tell("terrain.cover.per-model", "Benefit of Cover", unit=unit, target=target, models=models)


def take_stock(g: BattleCore, f: int) -> bool:
    """Count the declared attacks. Returns whether abilities or damage change any of them."""
    statics = g.setup.statics
    rows: Mapping[str, tuple[Array, Array]] = statics["power_rows"]
    return bool(
        g.work.call(
            survey,
            g.stack_array,
            f,
            g.models.rows,
            g.units.rows,
            statics["weapons"],
            g.jobs.rows,
            g.attack.rows,
            statics["damaged"],
            *rows["attacks"],
            *rows["weapons"],
            *rows["targeted"],
            *rows["made"],
            *rows["suffered"],
        )
    )


def left_targets(g: BattleCore) -> list[int]:
    """Targets of declared attacks that are still to be made, in order of declaration."""
    out = g.work.marks
    count = g.work.call(targets_left, g.models.rows, g.units.rows, g.jobs.rows, g.attack.jobs[0], out)
    return out[:count].tolist()  # type: ignore[no-any-return]


def left_groups(g: BattleCore, target: int) -> list[int]:
    """Groups of alike attacks still to be made against a target, in order of declaration; none if it is destroyed."""
    out = g.work.marks
    count = g.work.call(groups_left, g.models.rows, g.units.rows, g.jobs.rows, g.attack.jobs[0], target, out)
    return out[:count].tolist()  # type: ignore[no-any-return]


def allowed_groups(g: BattleCore, target: int) -> list[int]:
    """The groups against a target that may be made next."""
    out = g.work.marks
    count = g.work.call(next_groups, g.models.rows, g.units.rows, g.jobs.rows, g.attack.rows, target, out)
    return out[:count].tolist()  # type: ignore[no-any-return]


def hazardous_models(g: BattleCore, unit: int) -> list[int]:
    """Models of the unit equipped with a Hazardous weapon; a TRANSPORT also counts weapons fired by Firing Deck."""
    m, abilities, arsenal = g.models, g.setup.statics["weapon_abilities"], g.setup.statics["arsenal_weapon"]
    lent = {hull for hull, weapon in edition(g).lending.lent(g, unit) if abilities[weapon] & HAZARDOUS}
    return [
        k
        for k in g.members(unit)
        if k in lent
        or any(abilities[arsenal[s]] & HAZARDOUS for s in range(m.first_weapon[k], m.first_weapon[k] + m.weapons[k]))
    ]


class TargetOrder(DecisionKind):
    name = "target-order"
    what = "Which of the declared targets is resolved next."
    policy = "The target that was declared first."
    keys = ("shoot.attacks.target-order", "fight.attacks.target-order")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[g.stack[f + Attacks.UNIT]]]
        for target in left_targets(g):
            mask[at + target] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        first = g.players.first_unit[1 - g.units.owner[g.stack[f + Attacks.UNIT]]]
        g.stack[f + Attacks.CHOSEN] = first + action - g.setup.space.enemy
        g.stack[f + STEP] = Attacks.Step.BEGIN_TARGET

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[g.stack[f + Attacks.UNIT]]]
        return int(at + left_targets(g)[0])


class ProfileOrder(DecisionKind):
    name = "profile-order"
    what = "Which group of alike attacks against the target is resolved next; once begun, all of its profile follow."
    keys = ("shoot.attacks.profile-order", "fight.attacks.profile-order")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        groups, allowed = left_groups(g, g.stack[f + Attacks.TARGET]), allowed_groups(g, g.stack[f + Attacks.TARGET])
        for number, group in enumerate(groups[: g.setup.space.numbers]):
            if group in allowed:
                mask[g.setup.space.number + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + Attacks.CHOSEN] = left_groups(g, g.stack[f + Attacks.TARGET])[action - g.setup.space.number]
        g.stack[f + STEP] = Attacks.Step.BEGIN_GROUP

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        group = left_groups(g, g.stack[f + Attacks.TARGET])[action - g.setup.space.number]
        return f"resolve {g.setup.names['weapons'][g.jobs.weapon[group]]}"


class HazardousModel(DecisionKind):
    name = "hazardous-model"
    what = "Which model with a Hazardous weapon pays for a failed test."
    keys = ("weapon.hazardous.model-destroyed",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        payers = set(hazardous_models(g, g.stack[f + Attacks.UNIT]))
        for slot, model in enumerate(g.members(g.stack[f + Attacks.UNIT])):
            if model in payers:
                mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        model = list(g.members(g.stack[f + Attacks.UNIT]))[action - g.setup.space.model]
        g.attack.casualties[0] = g.queue[LOST]
        begin_hazardous_loss(
            g.models.rows,
            g.units.rows,
            g.attack.rows,
            g.setup.statics["attack_rules"],
            log(g),
            g.casualties_array,
            model,
        )
        g.queue[LOST] = g.attack.casualties[0]
        if g.recorder is not None:
            tell(g, g.attack)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        model = list(g.members(g.stack[f + Attacks.UNIT]))[action - g.setup.space.model]
        return f"{g.setup.names['models'][model]} pays"
