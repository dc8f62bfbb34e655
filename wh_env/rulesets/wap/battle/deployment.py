"""Deployment: who chooses his side, one unit each in turn, who plays first (wap.battle.deploy.*, wap.scenario.battleline.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.procedures import GO, STEP, DecisionKind, OfPlayer, Steps
from wh_env.core.tables import DEPLOYING, Array
from wh_env.rulesets.wap.basics.dice import roll_off
from wh_env.rulesets.wap.battle.drops import Drop
from wh_env.rulesets.wap.battle.timing import start_phase
from wh_env.rulesets.wap.characters.deploying import DeployCharacters
from wh_env.rulesets.wap.characters.joined import is_character
from wh_env.rulesets.wap.codes import SCOUTS, Phase
from wh_env.rulesets.wap.movement.start_of_turn import StartEffect
from wh_env.rulesets.wap.special.deploying import HoldBack, Vanguard

SIDES = ("the southern half", "the northern half")


def droppable(g: BattleCore, player: int) -> list[int]:
    """Those of them that can be deployed next: characters come when all others are there (wap.battle.deploy.characters)."""
    characters = g.setup.statics["characters"]
    return [unit for unit in to_deploy(g, player) if not characters[unit]]


def to_deploy(g: BattleCore, player: int) -> list[int]:
    """Units of a player that are deployed next: scouts who were kept back after all others of both sides (wap.special.scouts.deploy)."""
    units = g.units_of(player)
    bits = bits_to_deploy(g.units.rows, units.start, units.stop)
    return [units.start + k for k in range(bits.bit_length()) if bits >> k & 1]


@kernel
def only_scouts_wait(units: Array) -> bool:
    """Whether nobody but scouts who were kept back, if anybody, is left to be deployed."""
    for u in range(len(units)):
        if units[u]["place"] == DEPLOYING and units[u]["deployed"] & SCOUTS == 0:
            return False
    return True


@kernel
def bits_to_deploy(units: Array, first: int, last: int) -> int:
    """``to_deploy`` among the units ``first`` .. ``last`` - 1, bit by bit."""
    scouts, found = only_scouts_wait(units), 0
    for u in range(first, last):
        if units[u]["place"] == DEPLOYING and (scouts or units[u]["deployed"] & SCOUTS == 0):
            found |= 1 << (u - first)
    return found


def waiting(g: BattleCore, player: int) -> bool:
    """Whether a player has units to deploy yet, scouts among them."""
    units = g.units_of(player)
    return DEPLOYING in g.units.place[units.start : units.stop].tolist()


def scouts_left(g: BattleCore) -> bool:
    """Whether only scouts are left to be deployed."""
    return DEPLOYING in g.units.place.tolist() and only_scouts_wait(g.units.rows)


class Deployment(OfPlayer):
    """Sides, then one unit each in turn; a player who has none left is passed over (wap.battle.deploy.alternate)."""

    class Step(Steps):
        ROLL, SIDES, NEXT, EFFECTS, FIRST_TURN, HOLD, SCOUT, VANGUARD = range(8)

    asks = ("choose-side", "deploy-unit")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Deployment.Step
        stack, step = g.stack, g.stack[f + STEP]
        if step == Step.ROLL:
            start_phase(g, Phase.DEPLOYMENT)
            g.clock.turn[0] = stack[f + Deployment.PLAYER] = roll_off(g, "wap.battle.deploy.roll-side")
            stack[f + STEP] = Step.SIDES
            return GO
        if step == Step.SIDES:
            return g.ask(ChooseSide, stack[f + Deployment.PLAYER])
        if step == Step.HOLD:
            stack[f + STEP] = Step.NEXT
            for player in (1 - g.clock.attacker[0], g.clock.attacker[0]):
                g.push(HoldBack, player)
            return GO
        if step == Step.VANGUARD:
            stack[f + STEP] = Step.EFFECTS
            g.push(Vanguard, stack[f + Deployment.PLAYER])
            return GO
        if step == Step.EFFECTS:
            stack[f + STEP] = Step.FIRST_TURN
            start_of_battle(g)
            return GO
        if step == Step.FIRST_TURN:
            g.pop()
            first = first_player_of(g)
            g.clock.first_player[0] = g.clock.turn[0] = first
            return GO
        if step == Step.NEXT and scouts_left(g):
            stack[f + STEP] = Step.SCOUT
            if all(to_deploy(g, player) for player in (0, 1)):
                stack[f + Deployment.PLAYER] = roll_off(g, "wap.special.scouts.roll-off")
        self._finished(g)
        player = stack[f + Deployment.PLAYER]
        left = to_deploy(g, player)
        if not left:
            player = 1 - player
            left = to_deploy(g, player)
        if not left:
            stack[f + STEP] = Step.VANGUARD
            return GO
        stack[f + Deployment.PLAYER] = 1 - player
        g.clock.turn[0] = player
        if all(is_character(g, unit) for unit in left):
            g.players.drops[player] += 1
            g.push(DeployCharacters, player, 0, stack[f + STEP] == Step.SCOUT)
            return GO
        return g.ask(DeployUnit, player)

    def _finished(self, g: BattleCore) -> None:
        """Remember who finished deploying first."""
        if g.clock.finished[0] < 0:
            done = [player for player in (0, 1) if not waiting(g, player)]
            if done:
                g.clock.finished[0] = done[0] if len(done) == 1 else 1 - g.clock.turn[0]


def start_of_battle(g: BattleCore) -> None:
    """What rules do before the game, when everybody is deployed and nobody knows who plays first (wap.special.general.start-of-battle); the player who
    has the southern half first."""
    effects: tuple[StartEffect, ...] = g.setup.statics["battle_effects"]
    for effect in effects:
        for player in (g.clock.attacker[0], 1 - g.clock.attacker[0]):
            for unit in g.units_of(player):
                if effect.due(g, unit):
                    effect.resolve(g, unit)


def first_player_of(g: BattleCore) -> int:
    """Who plays first: a roll-off. As the mission says, the player who finished deploying first adds 1 to his die
    (wap.scenario.battleline.first-turn) or the one with fewer units (wap.battle.first-turn)."""
    bonus = [0, 0]
    by_finishing = g.setup.rules["mission"]["first_turn"]["roll"] == "finished-first"
    if by_finishing:
        bonus[g.clock.finished[0]] = 1
    else:
        counts = g.players.units
        if counts[0] != counts[1]:
            bonus[0 if counts[0] < counts[1] else 1] = 1
    rule = "wap.scenario.battleline.first-turn" if by_finishing else "wap.battle.first-turn"
    first = roll_off(g, rule, (bonus[0], bonus[1]))
    if g.recorder is not None:
        g.note(rule, "plays first", first_player=first)
    return first


class ChooseSide(DecisionKind):
    name = "choose-side"
    what = "In which half of the table the army is deployed; whoever chooses also places the first unit."
    keys = ("wap.battle.deploy.roll-side", "wap.scenario.battleline.side", "wap.battle.deploy.edges")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option] = mask[option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player, south = g.stack[f + Deployment.PLAYER], action == g.setup.space.option
        g.clock.attacker[0] = player if south else 1 - player
        g.stack[f + STEP] = Deployment.Step.HOLD
        if g.recorder is not None:
            g.note("wap.scenario.battleline.side", "sides", player=player, south=g.clock.attacker[0])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return SIDES[action - g.setup.space.option]


class DeployUnit(DecisionKind):
    name = "deploy-unit"
    what = "Which unit is deployed next."
    keys = ("wap.battle.deploy.alternate", "wap.scenario.battleline.deployment", "wap.special.scouts.roll-off")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.clock.turn[0]
        at = g.setup.space.own - g.players.first_unit[player]
        for unit in droppable(g, player):
            mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player = g.clock.turn[0]
        g.players.drops[player] += 1
        g.push(Drop, g.players.first_unit[player] + action - g.setup.space.own)
