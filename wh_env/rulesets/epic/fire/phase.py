"""Fire phase: formations fire in turn; the fire of one formation, from naming targets to the last save
(epic.fire.*).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import NEVER, between, count_of, row_of
from wh_env.core.features import PLAIN, Pending
from wh_env.core.procedures import STEP, ChooseUnit, DecisionKind, OfPlayer, Procedure, Steps, integer
from wh_env.core.tables import Array
from wh_env.rulesets.epic.basics.formation import listed
from wh_env.rulesets.epic.codes import FIRED, Phase
from wh_env.rulesets.epic.event_fields import both_sides
from wh_env.rulesets.epic.fire.aim import (
    ALL_SETTLED,
    LOST,
    NO_SAVE,
    OUT_OF_RANGE,
    REROLLED,
    ROLLED,
    ROLLED_AGAIN,
    ROLLED_KEEP,
    gather_shots,
    spread_shots,
    target_formations,
    target_units,
    volley,
)
from wh_env.rulesets.epic.fire.eligible import ANY, may_fire
from wh_env.rulesets.epic.orders.orders import order_of
from wh_env.rulesets.epic.sequence.initiative import draw_initiative
from wh_env.rulesets.epic.sequence.timing import start_phase

# ---------------------------------------------------------------- the phase


class FirePhase(OfPlayer):
    """The players fire alternately with one formation each, until neither can fire or both have passed
    (epic.fire.alternate). ``PLAYER``: the player who fires next.
    """

    class Step(Steps):
        BEGIN, FIRE = range(2)

    asks = ("select-to-fire",)

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        if stack[f + STEP] == FirePhase.Step.BEGIN:
            stack[f + STEP] = FirePhase.Step.FIRE
            start_phase(g, Phase.FIRE)
            g.players.passed[0] = g.players.passed[1] = 0
            stack[f + FirePhase.PLAYER] = draw_initiative(g)
        for _ in (0, 1):
            player = stack[f + FirePhase.PLAYER]
            if not g.players.passed[player] and any(may_fire(g, unit) for unit in g.units_of(player)):
                g.clock.turn[0] = player
                return g.ask(SelectToFire, player)
            stack[f + FirePhase.PLAYER] = 1 - player
        return g.pop()


class SelectToFire(ChooseUnit):
    name = "select-to-fire"
    what = "Which formation fires next; done: pass for the rest of the phase."
    keys = ("epic.fire.alternate", "epic.fire.who-may")
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_fire(g, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        player = g.stack[f + FirePhase.PLAYER]
        g.stack[f + FirePhase.PLAYER] = 1 - player
        g.players.passed[player] = 1
        g.note("epic.fire.alternate", "passes", player=player)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.stack[f + FirePhase.PLAYER] = 1 - g.stack[f + FirePhase.PLAYER]
        g.push(Fire, unit, ANY, 0)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "pass for the rest of the phase" if action == 0 else g.default_words(action)


# ---------------------------------------------------------------- one formation


class Fire(Procedure):
    """One formation fires: all targets are named, then the shots are resolved (epic.fire.declare-targets,
    .simultaneity).
    """

    class Step(Steps):
        BEGIN, NAME, NAME_UNIT, ROLL, END = range(5)

    UNIT = integer(row_of("units"))
    ONLY = integer(row_of("units", none=True))  # the only formation that it may fire at, -1: any
    MODIFIER = integer(between(-NEVER, NEVER))  # to hit
    SHOTS = integer(count_of("shots"))
    SHOT = integer(row_of("shots", none=True))  # that is asked about
    TARGET = integer(row_of("units"))  # the formation that was chosen for the shot
    asks = ("fire-at", "fire-at-unit", "re-roll-ones")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Fire.Step
        stack = g.stack
        unit = stack[f + Fire.UNIT]
        owner = g.units.owner[unit]
        if stack[f + STEP] == Step.BEGIN:
            g.units.fired[unit] = 1
            g.units.selected[unit] |= FIRED
            stack[f + Fire.SHOTS] = g.work.call(gather_shots, g.models.rows, g.units.rows, unit, g.shots.rows)
            stack[f + Fire.SHOT] = 0 if g.setup.rules["detail"] == "full" else ANY
            stack[f + STEP] = Step.NAME
            g.note("epic.fire.once-per-weapon", "formation fires", unit=unit, weapons=stack[f + Fire.SHOTS])
        if stack[f + STEP] == Step.NAME:
            if stack[f + Fire.SHOT] < stack[f + Fire.SHOTS]:
                return g.ask(FireAt, owner, unit)
            stack[f + STEP], stack[f + Fire.SHOT] = Step.ROLL, 0
        if stack[f + STEP] == Step.NAME_UNIT:
            return g.ask(FireAtUnit, owner, stack[f + Fire.TARGET])
        order = order_of(g, unit)
        stack[f + Fire.SHOT] = resolve(g, f, order is not None and order.reroll_natural_ones)
        if stack[f + Fire.SHOT] != ALL_SETTLED:
            return g.ask(RerollOnes, owner, unit)
        return g.pop()


def resolve(g: BattleCore, f: int, reroll: bool) -> int:
    """Resolve shots until the player may re-roll dice of one. Returns the row of that shot, ``ALL_SETTLED`` at the
    end.
    """
    stack, statics = g.stack, g.setup.statics
    log: Array = g.work.no_log if g.recorder is None else g.work.log
    if len(log):
        log[0, 0] = 0
    found = g.work.call(
        volley,
        g.models.rows,
        g.units.rows,
        statics["ground"],
        g.setup.corners,
        statics["weapons"],
        statics["numbers"],
        g.shots.rows,
        stack[f + Fire.SHOTS],
        stack[f + Fire.SHOT],
        stack[f + Fire.MODIFIER],
        reroll,
        g.aims,
        g.dice.rows,
        g.script_array,
        log,
    )
    if g.recorder is not None:
        tell_shots(g, log)
    return int(found)


def tell_shots(g: BattleCore, log: Array) -> None:
    """Record the log of a volley (``aim.volley``): to-hit dice, lost shots, saves."""
    for what, k, a, b, c, d, e, _ in log[1 : int(log[0, 0]) + 1].tolist():
        shot = {**both_sides(g, k, a), "weapon": g.setup.names["weapons"][b]}
        if what in (ROLLED, REROLLED):
            rule = "epic.fire.to-hit" if d <= 6 else "epic.fire.seven-plus"
            rule = "epic.orders.support-fire" if what == REROLLED else rule
            g.note(rule, "to hit", **shot, roll=c, needed=d, hit=bool(e))
        elif what == OUT_OF_RANGE:
            g.note("epic.fire.out-of-range", "out of range", **shot)
        elif what == LOST:
            g.note("epic.fire.declare-targets", "shot lost", **shot)
        elif what == NO_SAVE:
            g.note("epic.save.none", "eliminated without a save", **shot)
        else:
            g.note("epic.save.roll", "save", **shot, roll=c, needed=d, saved=bool(e))


def mark_targets(g: BattleCore, f: int, mask: Array, shot: int) -> int:
    """Mark the enemy formations that the shot may name, or that any shot without a target may (``ANY``); returns how
    many. Slot i is the i-th formation of the enemy.
    """
    stack, statics = g.stack, g.setup.statics
    enemy = 1 - g.units.owner[stack[f + Fire.UNIT]]
    return int(
        g.work.call(
            target_formations,
            g.models.rows,
            g.units.rows,
            statics["ground"],
            g.setup.corners,
            statics["weapons"],
            g.shots.rows,
            stack[f + Fire.SHOTS],
            shot,
            stack[f + Fire.ONLY],
            g.players.first_unit[enemy],
            g.players.units[enemy],
            mask,
        )
    )


def weapon_asked(g: BattleCore, f: int) -> Pending:
    """``Pending`` of a decision about one weapon at full detail."""
    shot = g.stack[f + Fire.SHOT]
    if shot == ANY:
        return PLAIN
    return Pending(model=g.shots.model[shot], slots=listed(g, g.clock.subject[0]), weapon=g.shots.weapon[shot])


class FireAt(DecisionKind):
    """Squad detail: all weapons with a legal target in the chosen formation take one there, each the unit where it adds
    most. The question is repeated for the other weapons. Full detail: it is asked for one weapon after the other.
    """

    name = "fire-at"
    what = "Which enemy formation is fired at; done: those that have no target yet do not fire."
    keys = (
        "epic.fire.declare-targets",
        "epic.fire.once-per-weapon",
        "epic.fire.targets",
        "epic.fire.no-premeasure",
        "epic.orders.overwatch",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        mark_targets(g, f, g.mask[space.enemy : space.cell], g.stack[f + Fire.SHOT])
        mask[0] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack, space = g.stack, g.setup.space
        full = stack[f + Fire.SHOT] != ANY
        if action == 0:
            # full: this weapon does not fire; squad: naming ends
            stack[f + Fire.SHOT] = stack[f + Fire.SHOT] + 1 if full else stack[f + Fire.SHOTS]
            return
        unit = g.players.first_unit[1 - g.units.owner[stack[f + Fire.UNIT]]] + action - space.enemy
        if full:
            stack[f + Fire.TARGET], stack[f + STEP] = unit, Fire.Step.NAME_UNIT
            return
        statics = g.setup.statics
        g.work.call(
            spread_shots,
            g.models.rows, g.units.rows, statics["ground"], g.setup.corners, statics["weapons"], statics["numbers"],
            g.shots.rows, stack[f + Fire.SHOTS], unit, stack[f + Fire.MODIFIER], g.work.poses,
        )  # fmt: skip

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return "no fire" if g.stack[f + Fire.SHOT] != ANY else "no further targets"
        return f"fire at {g.default_words(action)}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return weapon_asked(g, f)


class FireAtUnit(DecisionKind):
    name = "fire-at-unit"
    what = "Which unit of the chosen formation a weapon fires at; all are named before any dice are rolled."
    instead = "Every weapon fires at the unit where it adds most."
    keys = ("epic.fire.declare-targets", "epic.fire.targets")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        stack, statics, space = g.stack, g.setup.statics, g.setup.space
        target_units(
            g.models.rows, g.units.rows, statics["ground"], g.setup.corners, statics["weapons"], g.shots.rows,
            stack[f + Fire.SHOT], stack[f + Fire.TARGET], g.mask[space.model :],
        )  # fmt: skip

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack = g.stack
        g.shots.target[stack[f + Fire.SHOT]] = g.units.first[stack[f + Fire.TARGET]] + action - g.setup.space.model
        stack[f + Fire.SHOT] += 1
        stack[f + STEP] = Fire.Step.NAME

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        row = g.units.first[g.stack[f + Fire.TARGET]] + action - g.setup.space.model
        return f"fire at {g.setup.names['models'][row]}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return weapon_asked(g, f)


class RerollOnes(DecisionKind):
    name = "re-roll-ones"
    what = "Support fire: whether the natural 1s of a shot are rolled again."
    policy = "They are rolled again."
    keys = ("epic.orders.support-fire",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option] = mask[option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        again = action == g.setup.space.option
        g.shots.state[g.stack[f + Fire.SHOT]] = ROLLED_AGAIN if again else ROLLED_KEEP

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        ones = g.shots.ones[g.stack[f + Fire.SHOT]]
        return f"re-roll {ones} natural 1" if action == g.setup.space.option else "keep them"

    def pending(self, g: BattleCore, f: int) -> Pending:
        shot = g.stack[f + Fire.SHOT]
        return Pending(model=g.shots.model[shot], values={"ones": g.shots.ones[shot]})
