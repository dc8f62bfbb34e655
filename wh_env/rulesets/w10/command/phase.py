"""Command phase: Command points, Command-phase rules, Battle-shock (w10.command.*), scoring at its end."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.kernel import kernel
from wh_env.core.procedures import GO, STEP, ChooseUnit, OfPlayer, Steps, integer
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w10.command.leadership import best_leadership
from wh_env.rulesets.w40k.attack.abilities import SHOCK_DICE, in_force, test_bonus
from wh_env.rulesets.w40k.attack.rerolls import DiceRoll
from wh_env.rulesets.w40k.codes import Effect, Selected
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.phases.timing import end_phase, start_phase
from wh_env.rulesets.w40k.questions.strength import below_half
from wh_env.rulesets.w40k.reaction.windows import open_window
from wh_env.rulesets.w40k.sequence.objectives import held
from wh_env.rulesets.w40k.sequence.points import score
from wh_env.rulesets.w40k.sequence.sequencing import push_due

SHOCK_TEST = int(Selected.SHOCK_TEST)


class CommandPhase(OfPlayer):
    """Both steps of the Command phase, then control of markers and scoring."""

    class Step(Steps):
        COMMAND, BATTLE_SHOCK, END = range(3)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = CommandPhase.Step
        stack = g.stack
        player, step = stack[f + CommandPhase.PLAYER], stack[f + STEP]
        if step == Step.COMMAND:
            self.begin(g, player)
            stack[f + STEP] = step = Step.BATTLE_SHOCK
            if push_due(g, "command", player):
                return GO
        if step == Step.BATTLE_SHOCK:
            stack[f + STEP] = Step.END
            if left_to_test(g, player):
                g.push(BattleShock, player)
                return GO
        end_phase(g)
        score_command_phase(g, player)
        return g.pop()

    def begin(self, g: BattleCore, player: int) -> None:
        """The phase begins: units of the player are no longer Battle-shocked, and both players gain CP."""
        start_phase(g, self)
        for unit in g.units_of(player):
            if g.units.shocked[unit]:
                g.units.shocked[unit] = 0
                g.note("w10.command.battle-shock.duration", "no longer Battle-shocked", unit=unit)
        for side in (0, 1):
            g.players.cp[side] += g.setup.rules["cp_each_command_phase"]
        if g.recorder is not None:
            g.note("w10.command.gain-cp", "both players gain CP", cp=tuple(g.players.cp))


def score_command_phase(g: BattleCore, player: int) -> None:
    """Score Capture and Control at the end of the player's Command phase, from the second battle round on
    (w10.mission.only-war.score).
    """
    rules = g.setup.rules
    if g.clock.round[0] >= rules["first_scoring_round"]:
        score(g, player, rules["vp_each_marker"] * held(g, player), "w10.mission.only-war.score")


@kernel
def units_to_test(models: Array, units: Array, player: int, tested: int, out: Array) -> int:
    """Write into ``out`` the units of the player that still have to take a Battle-shock test; returns how many.
    ``tested``: the bit of ``selected`` for units that have taken it.
    """
    found = 0
    for u in range(len(units)):
        unit = units[u]
        if unit["owner"] != player or unit["place"] != ON_TABLE or unit["alive"] <= 0 or unit["selected"] & tested:
            continue
        if below_half(models, units, u):
            out[found] = u
            found += 1
    return found


def left_to_test(g: BattleCore, player: int) -> list[int]:
    """Units of the player that still have to take a Battle-shock test (w10.command.battle-shock.who)."""
    found = g.work.found
    count = g.work.call(units_to_test, g.models.rows, g.units.rows, player, SHOCK_TEST, found)
    return found[:count].tolist()  # type: ignore[no-any-return]


class BattleShock(OfPlayer):
    """The Battle-shock step: one test after the other (w10.command.battle-shock.order)."""

    pass
    asks = ("battle-shock-order",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + BattleShock.PLAYER]
        if left_to_test(g, player):
            return g.ask(ShockOrder, player)
        return g.pop()


class ShockOrder(ChooseUnit):
    name = "battle-shock-order"
    what = "Which unit takes its Battle-shock test next."
    keys = ("w10.command.battle-shock.order",)
    squad = False

    def may(self, g: BattleCore, unit: int) -> bool:
        return unit in left_to_test(g, g.units.owner[unit])

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.units.selected[unit] |= Selected.SHOCK_TEST
        g.push(BattleShockTest, unit)


class ShockedByAll(OfPlayer):
    """A rule makes every unit of the player on the battlefield take a Battle-shock test, one after the other."""

    NEXT = integer(row_of("units", after=True))  # the first unit that was not looked at yet

    def advance(self, g: BattleCore, f: int) -> int:
        u, stack = g.units, g.stack
        if stack[f + ShockedByAll.NEXT]:
            u.cover[stack[f + ShockedByAll.NEXT] - 1] &= ~Effect.TESTED_BY_ALL
        for unit in g.units_of(stack[f + ShockedByAll.PLAYER]):
            if unit >= stack[f + ShockedByAll.NEXT] and u.place[unit] == ON_TABLE and u.alive[unit] > 0:
                stack[f + ShockedByAll.NEXT] = unit + 1
                u.cover[unit] |= Effect.TESTED_BY_ALL
                g.push(BattleShockTest, unit)
                return GO
        return g.pop()


class BattleShockTest(DiceRoll):
    """A roll against the best Leadership (w10.command.battle-shock.test)."""

    name = "battle-shock"

    def dice(self, g: BattleCore) -> int:
        return edition(g).dice.leadership

    def number(self, g: BattleCore, unit: int) -> int:
        if not g.setup.statics["powers"]["shock dice"]:
            return self.dice(g)
        return max([self.dice(g), *(SHOCK_DICE[power.effect] for power in in_force(g, unit, "shock dice"))])

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        needed = best_leadership(g, unit)
        passed = result + test_bonus(g, unit, self.name) >= needed
        if not passed:
            g.units.shocked[unit] = 1
        g.note(
            "w10.command.battle-shock.test",
            "Battle-shock test",
            unit=unit,
            roll=result,
            needed=needed,
            passed=passed,
        )
        if not passed:
            if g.setup.statics["powers"]["leeches"] and in_force(g, unit, "leeches"):
                edition(g).shocked(g, unit)
            open_window(g, Moment.TEST_FAILED, unit)

    def good(self, g: BattleCore, unit: int, result: int) -> bool:
        return result + test_bonus(g, unit, self.name) >= best_leadership(g, unit)
