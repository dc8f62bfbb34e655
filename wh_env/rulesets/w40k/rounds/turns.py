"""Battle rounds, turns and the end of a turn (round.*, concepts.coherency.end-of-turn)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, flag, row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, OfPlayer, Procedure, integer
from wh_env.rulesets.w40k.attack.casualties import remove_model
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.move.aircraft import turn_back
from wh_env.rulesets.w40k.move.coherency import first_scattered, in_coherency
from wh_env.rulesets.w40k.phases.forgetting import turn_begun
from wh_env.rulesets.w40k.phases.timing import end_battle, end_if_army_destroyed
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.reaction.windows import open_window
from wh_env.rulesets.w40k.sequence.sequencing import BY_ROLL_OFF, push_due


class BattleRounds(Procedure):
    """round.structure: each battle round has the first player's turn, then the other's. STEP counts the turns begun."""

    TURNS = integer(between(0, "turns"), at=STEP)
    ROUND_OVER = integer(flag())  # the rules due at the end of the round were pushed
    BATTLE_OVER = integer(flag())

    @classmethod
    def enter(cls, g: BattleCore, battle_round: int, second: bool) -> None:
        """Start in this battle round. The next turn is that of the player who goes first, or of the other one if
        ``second``.
        """
        g.push(cls)
        g.stack[g.frame + cls.TURNS] = 2 * battle_round - (0 if second else 1)

    def advance(self, g: BattleCore, f: int) -> int:
        clock, stack = g.clock, g.stack
        turns = stack[f + BattleRounds.TURNS]
        if turns and turns % 2 == 0 and not stack[f + BattleRounds.ROUND_OVER]:
            stack[f + BattleRounds.ROUND_OVER] = 1
            open_window(g, Moment.ROUND_ENDS)  # opens after the rules that fall due, which are pushed on top of it
            push_due(g, "round-end", BY_ROLL_OFF)
            return GO
        if turns == 2 * g.setup.rules["rounds"]:
            if stack[f + BattleRounds.BATTLE_OVER]:
                end_battle(g, "mission.ending")
            else:
                stack[f + BattleRounds.BATTLE_OVER] = 1
                push_due(g, "after-battle", BY_ROLL_OFF)
            return GO
        stack[f + BattleRounds.TURNS] = turns + 1
        stack[f + BattleRounds.ROUND_OVER] = 0
        first = clock.first_player[0]
        clock.turn[0] = first if turns % 2 == 0 else 1 - first
        g.push(Turn, clock.turn[0])
        if turns % 2 == 0:
            clock.round[0] = turns // 2 + 1
            g.players.cp_gained[0] = g.players.cp_gained[1] = 0
            turn_back(g)
            push_due(g, "round-start", BY_ROLL_OFF)
        return GO


class Turn(OfPlayer):
    """round.phases: the phases of the edition and the end of the turn. STEP counts those begun."""

    PHASES = integer(between(0, 16), at=STEP)

    @classmethod
    def enter(cls, g: BattleCore, player: int, phase: int) -> None:
        """Start a turn of the player with this phase, counted from 0. Earlier phases are left out."""
        g.push(cls, player)
        g.stack[g.frame + cls.PHASES] = phase

    def advance(self, g: BattleCore, f: int) -> int:
        player, begun = g.stack[f + Turn.PLAYER], g.stack[f + STEP]
        g.stack[f + STEP] = begun + 1
        if begun == 0:
            start_turn(g, player)
        own = edition(g)
        phases, ends = own.turn, own.turn_ends
        if begun < len(phases):
            g.push(phases[begun], player)
            if begun == 0:
                own.turn_starts(g, player)
            own.before_phase(g, player, begun + 1)
        elif begun < len(phases) + len(ends):
            g.push(ends[begun - len(phases)])
        else:
            expire(g)
            return g.pop()
        if 0 < begun <= len(phases) and g.clock.phase[0] == begun:  # it was played, not left out
            own.phase_ended(g, player, begun)
        return GO


def start_turn(g: BattleCore, player: int) -> None:
    """Start the turn of ``player``: clear everything that units and players did "this turn"."""
    g.work.call(turn_begun, g.units.rows)
    forget_targets(g)
    g.players.vp_turn[0] = g.players.vp_turn[1] = 0
    g.players.used_turn[0] = g.players.used_turn[1] = 0
    edition(g).turn_begins(g)
    g.tell("round.structure", "turn", player=player, round=g.clock.round[0])


def expire(g: BattleCore) -> None:
    """End effects that last until the end of the turn, after the coherency removals (round.end-of-turn)."""
    g.units.rows["charged"] = 0
    g.units.rows["moved"] = Moved.NOT_YET
    forget_targets(g)
    g.tell("round.end-of-turn", "turn ends", player=g.clock.turn[0])


class EndOfTurn(Procedure):
    """Each player, the turn player first, removes models from units that are out of coherency. STEP counts the players
    done.
    """

    PLAYERS = integer(between(0, 2), at=STEP)
    UNIT = integer(row_of("units"))
    asks = ("coherency-removal",)

    def advance(self, g: BattleCore, f: int) -> int:
        while (done := g.stack[f + EndOfTurn.PLAYERS]) < 2:
            player = g.clock.turn[0] if done == 0 else 1 - g.clock.turn[0]
            unit = first_scattered(g, player)
            if unit >= 0:
                g.stack[f + EndOfTurn.UNIT] = unit
                return g.ask(CoherencyRemoval, player, unit)
            g.stack[f + EndOfTurn.PLAYERS] = done + 1
        g.pop()
        end_if_army_destroyed(g)
        return GO


class CoherencyRemoval(DecisionKind):
    name = "coherency-removal"
    what = "Which model of an incoherent unit is removed next."
    policy = (
        "A model outside the largest group that holds together (lowest row first), else one whose loss mends the unit "
        "(Bodyguards first, from the last on)."
    )
    keys = ("concepts.coherency.end-of-turn",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot, _ in enumerate(g.members(g.stack[f + EndOfTurn.UNIT])):
            mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + EndOfTurn.UNIT]
        model = list(g.members(unit))[action - g.setup.space.model]
        g.tell("concepts.coherency.end-of-turn", "removed for coherency", unit=unit, model=model)
        remove_model(g, model)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        model = list(g.members(g.stack[f + EndOfTurn.UNIT]))[action - g.setup.space.model]
        return f"remove {g.setup.names['models'][model]}"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        unit, m = g.stack[f + EndOfTurn.UNIT], g.models
        in_coherency(g, unit)
        labels = g.work.labels
        rows = list(g.members(unit))
        groups = [labels[k] for k in rows]
        largest = max(groups, key=lambda label: (groups.count(label), -label))
        outside = [slot for slot, label in enumerate(groups) if label != largest]
        if outside:
            return g.setup.space.model + outside[0]
        order = sorted(range(len(rows)), key=lambda slot: (m.datasheet[rows[slot]] != unit, -slot))
        whole = []  # models without which the others are still one group
        for slot in order:
            m.on_table[rows[slot]] = 0
            enough = in_coherency(g, unit)
            m.on_table[rows[slot]] = 1
            if enough:
                return g.setup.space.model + slot
            if len({labels[k] for k in rows if k != rows[slot]}) == 1:
                whole.append(slot)
        return g.setup.space.model + (whole or order)[0]
