"""Game turns, players' turns and their phases (wap.battle.length, .turn.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, flag
from wh_env.core.procedures import GO, STEP, Procedure, integer
from wh_env.rulesets.wap.basics.carried import Moment
from wh_env.rulesets.wap.battle.concede import Concede
from wh_env.rulesets.wap.battle.control import determine_control
from wh_env.rulesets.wap.battle.timing import start_game_turn, start_phase, start_turn
from wh_env.rulesets.wap.battle.victory import finish_if_decided, finish_if_left
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.combat.close_combat import CloseCombat
from wh_env.rulesets.wap.items.windows import offer_items
from wh_env.rulesets.wap.magic.phase import MagicPhase
from wh_env.rulesets.wap.magic.spells import has_magic
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.shooting.shooting import Shooting
from wh_env.rulesets.wap.turns.gazes import AFTER_SHOOTING, Gazes, gazing
from wh_env.rulesets.wap.turns.ground_harm import AFTER_TURN, GroundHarm, harmful
from wh_env.rulesets.wap.turns.movement_phase import Movement

# phases of a turn and the procedures that play them (wap.battle.turn.phases)
SEQUENCE: tuple[tuple[Phase, type[Procedure]], ...] = (
    (Phase.MOVEMENT, Movement),
    (Phase.MAGIC, MagicPhase),
    (Phase.SHOOTING, Shooting),
    (Phase.COMBAT, CloseCombat),
)


class Turns(Procedure):
    """Player turns, one after the other, two to a game turn. Its step counts the phases of the player's turn."""

    PHASES = integer(between(0, len(SEQUENCE) + 1), at=STEP)  # the last: the ground has harmed who stands in it
    SECOND = integer(flag())  # it is the turn of the game turn's second player

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):  # causes of panic at the very end of a phase count in it
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        stack = g.stack
        begun = stack[f + Turns.PHASES]
        if begun == len(SEQUENCE) and harmful(g, AFTER_TURN):
            stack[f + Turns.PHASES] += 1
            g.push(GroundHarm, g.clock.turn[0], AFTER_TURN)
            return GO
        if begun >= len(SEQUENCE):
            begun, second = 0, stack[f + Turns.SECOND] ^ 1
            stack[f + Turns.PHASES], stack[f + Turns.SECOND] = begun, second
            if not second and finish_if_decided(g):
                return GO
        if begun == 0:
            second = stack[f + Turns.SECOND]
            if not second:
                start_game_turn(g)
            start_turn(g, g.clock.first_player[0] ^ second)
            determine_control(g)
        phase, procedure = SEQUENCE[begun]
        start_phase(g, phase)
        while procedure is MagicPhase and not has_magic(g):  # nothing is done in this phase
            begun += 1
            phase, procedure = SEQUENCE[begun]
            start_phase(g, phase)
        stack[f + Turns.PHASES] = begun + 1
        if procedure is Shooting and gazing(g, AFTER_SHOOTING):
            g.push(Gazes, g.clock.turn[0], AFTER_SHOOTING)
        g.push(procedure, g.clock.turn[0])
        offer_items(g, g.clock.turn[0], Moment.START_OF_PHASE)
        if phase == Phase.MOVEMENT:  # pushed later, asked earlier
            offer_items(g, g.clock.turn[0], Moment.START_OF_TURN)
        if g.setup.rules["conceding"]:
            g.push(Concede, g.clock.turn[0])
        return GO
