"""Deployment: the players' sides, one unit each in turn, the first turn (wap.battle.deploy.*,
wap.scenario.battleline.*).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, flag
from wh_env.core.kernel import kernel
from wh_env.core.procedures import GO, STEP, DecisionKind, OfPlayer, Steps, integer
from wh_env.core.tables import DEPLOYING, Array
from wh_env.rulesets.wap import rule_book
from wh_env.rulesets.wap.basics.combined_unit import has, total_of
from wh_env.rulesets.wap.basics.dice import roll_off
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.basics.special_rules import handlers_at
from wh_env.rulesets.wap.battle.scenarios import cited
from wh_env.rulesets.wap.battle.timing import start_phase
from wh_env.rulesets.wap.codes import SCOUTS, WAR_MACHINE, Phase
from wh_env.rulesets.wap.deployment.characters import DeployCharacters
from wh_env.rulesets.wap.deployment.divisions import Division, division_of
from wh_env.rulesets.wap.deployment.first_turn import FirstTurn
from wh_env.rulesets.wap.deployment.fortress import PlaceFortress, fortresses_of
from wh_env.rulesets.wap.deployment.gathering import deploy
from wh_env.rulesets.wap.deployment.late import roll_who_is_late
from wh_env.rulesets.wap.deployment.special_deployment import HoldBack, Vanguard, wait_as_scouts
from wh_env.rulesets.wap.deployment.tower import GarrisonTower
from wh_env.rulesets.wap.movement.start_of_turn import ON_START_OF_BATTLE
from wh_env.rulesets.wap.rule_book import AMBUSHERS

NO_GROUP, MACHINES, CHEAP = range(3)  # units that are deployed in one go (wap.battle.deploy.groups)


def droppable(g: BattleCore, player: int) -> list[int]:
    """Units of a player that may be deployed next, without characters: those come when all others are there
    (wap.battle.deploy.characters).
    """
    characters = g.setup.statics["characters"]
    return [unit for unit in to_deploy(g, player) if not characters[unit]]


def alternates(g: BattleCore) -> bool:
    """Whether the players deploy one unit each in turn."""
    return bool(g.setup.rules["mission"]["deployment"]["order"] == "alternate")


def group_of(g: BattleCore, unit: int) -> int:
    """The group with all of which a unit is deployed in one go, ``NO_GROUP``: it is a drop by itself
    (wap.battle.deploy.groups).
    """
    if g.units.kind[unit] == WAR_MACHINE:
        return MACHINES
    cost = total_of(g, unit, g.units.points)  # with the pack masters of a mixed unit
    return CHEAP if cost < g.setup.rules["cheap_unit"] else NO_GROUP


def group_left(g: BattleCore, player: int, group: int) -> list[int]:
    """The units of a group that a player has still to deploy."""
    return [unit for unit in droppable(g, player) if group_of(g, unit) == group]


def to_deploy(g: BattleCore, player: int) -> list[int]:
    """Units of a player that are deployed next. Scouts that were kept back come after all other units of both sides
    (wap.special.scouts.deploy).
    """
    units = g.units_of(player)
    bits = g.work.call(bits_to_deploy, g.units.rows, units.start, units.stop)
    return [units.start + k for k in range(bits.bit_length()) if bits >> k & 1]


@kernel
def only_scouts_wait(units: Array) -> bool:
    """Whether all units still to be deployed, if any, are scouts that were kept back."""
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


def keep_scouts_back(g: BattleCore, *, sure: bool) -> None:
    """In missions where dice say where units go, keep scouts back: they are deployed by their own rule alone
    (wap.scenario.dawn-attack.scouts). ``sure``: only scouts that could not lie in ambush instead.
    """
    if not division_of(g).areas:
        return
    u = g.units
    for unit in range(len(u.owner)):
        undecided = u.place[unit] == DEPLOYING and not u.deployed[unit] and has(g, unit, rule_book.SCOUTS)
        if undecided and not (sure and has(g, unit, AMBUSHERS)):
            wait_as_scouts(g, unit)


def waiting(g: BattleCore, player: int) -> bool:
    """Whether a player still has units to deploy, scouts included."""
    units = g.units_of(player)
    return DEPLOYING in g.units.place[units.start : units.stop].tolist()


def scouts_left(g: BattleCore) -> bool:
    """Whether there are units left to deploy, all of them scouts that were kept back."""
    return DEPLOYING in g.units.place.tolist() and g.work.call(only_scouts_wait, g.units.rows)


class Deployment(OfPlayer):
    """The players get their sides and deploy one unit each in turn. A player with no unit left is passed over
    (wap.battle.deploy.alternate).
    """

    class Step(Steps):
        ROLL, SIDES, NEXT, EFFECTS, FIRST_TURN, HOLD, SCOUT, VANGUARD = range(8)

    FIRST = integer(flag())  # the player who chooses a side, and deploys first
    ROLLED = integer(between(0, 3))  # the players who have rolled for late units, bit by bit
    GROUP = integer(between(NO_GROUP, CHEAP))  # of which the player of the last drop has units left to place
    asks = ("choose-side", "deploy-unit")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Deployment.Step
        stack, step = g.stack, g.stack[f + STEP]
        if step == Step.ROLL:
            start_phase(g, Phase.DEPLOYMENT)
            winner, held = roll_off(g, cited(g).roll_off), g.setup.rules["mission"]["deployment"]["tower_held"]
            chooser = g.clock.turn[0] = 1 - winner if held else winner
            stack[f + Deployment.PLAYER] = stack[f + Deployment.FIRST] = chooser
            stack[f + STEP] = Step.SIDES
            if held:
                g.push(GarrisonTower, winner)
            return GO
        if step == Step.SIDES:
            return g.ask(ChooseSide, stack[f + Deployment.PLAYER])
        if step == Step.HOLD:
            stack[f + STEP] = Step.NEXT
            keep_scouts_back(g, sure=True)
            for player in (1 - g.clock.attacker[0], g.clock.attacker[0]):
                g.push(HoldBack, player)
            for player in (1 - g.clock.attacker[0], g.clock.attacker[0]):
                if fortresses_of(g, player):
                    g.push(PlaceFortress, player)
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
            first = stack[f + Deployment.FIRST]
            g.pop()
            g.push(FirstTurn, first)
            return GO
        return self._next(g, f)

    def _next(self, g: BattleCore, f: int) -> int:
        """Find the player who deploys next and ask which unit; when no unit is left, go on to vanguard moves."""
        Step, stack = Deployment.Step, g.stack
        if stack[f + Deployment.GROUP] and group_left(g, g.clock.turn[0], stack[f + Deployment.GROUP]):
            return g.ask(DeployUnit, g.clock.turn[0])
        stack[f + Deployment.GROUP] = NO_GROUP
        if stack[f + STEP] == Step.NEXT:
            keep_scouts_back(g, sure=False)
            if scouts_left(g):
                stack[f + STEP] = Step.SCOUT
                if all(to_deploy(g, player) for player in (0, 1)):
                    stack[f + Deployment.PLAYER] = roll_off(g, "wap.special.scouts.roll-off")
        self._finished(g)
        player = stack[f + Deployment.PLAYER]
        self._who_is_late(g, f, player)
        left = to_deploy(g, player)
        if not left:
            player = 1 - player
            self._who_is_late(g, f, player)
            left = to_deploy(g, player)
        if not left:
            stack[f + STEP] = Step.VANGUARD
            return GO
        whole = not alternates(g) and stack[f + STEP] == Step.NEXT
        stack[f + Deployment.PLAYER] = player if whole else 1 - player
        g.clock.turn[0] = player
        if all(is_character(g, unit) for unit in left):
            g.players.drops[player] += 1
            g.push(DeployCharacters, player, 0, stack[f + STEP] == Step.SCOUT)
            return GO
        return g.ask(DeployUnit, player)

    def _who_is_late(self, g: BattleCore, f: int, player: int) -> None:
        """Before a player's army is deployed, roll for each of its units whether it is late, if the mission asks for
        that.
        """
        rolled = g.stack[f + Deployment.ROLLED]
        if g.setup.rules["mission"]["deployment"]["late"] and not rolled >> player & 1:
            g.stack[f + Deployment.ROLLED] = rolled | 1 << player
            roll_who_is_late(g, player)

    def _finished(self, g: BattleCore) -> None:
        """Remember the player who finished deploying first."""
        if g.clock.finished[0] < 0:
            done = [player for player in (0, 1) if not waiting(g, player)]
            if done:
                g.clock.finished[0] = done[0] if len(done) == 1 else 1 - g.clock.turn[0]


def start_of_battle(g: BattleCore) -> None:
    """Resolve the rules that act when all units are deployed, before it is known who plays first
    (wap.special.general.start-of-battle). The player with the first side of the table comes first.
    """
    for handler in handlers_at(g, ON_START_OF_BATTLE):
        effect = handler.act
        for player in (g.clock.attacker[0], 1 - g.clock.attacker[0]):
            for unit in g.units_of(player):
                if effect.due(g, unit):
                    effect.resolve(g, unit)


class ChooseSide(DecisionKind):
    name = "choose-side"
    what = (
        "In which half of the table the army is deployed, and between which corners halves lie; "
        "whoever chooses also places the first unit."
    )
    keys = (
        "wap.battle.deploy.roll-side",
        "wap.scenario.battleline.side",
        "wap.battle.deploy.edges",
        "wap.scenario.dawn-attack.side",
        "wap.scenario.pass.side",
        "wap.scenario.blood-and-glory.side",
        "wap.scenario.meeting-engagement.corners",
        "wap.scenario.watchtower.side",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        for slot in range(2 * len(g.setup.statics["divisions"])):
            mask[option + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player, (division, second) = g.stack[f + Deployment.PLAYER], divmod(action - g.setup.space.option, 2)
        g.clock.division[0] = division
        g.clock.attacker[0] = 1 - player if second else player
        g.stack[f + STEP] = Deployment.Step.HOLD
        if g.recorder is not None:
            g.note(cited(g).side, "sides", player=player, south=g.clock.attacker[0])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        division, second = divmod(action - g.setup.space.option, 2)
        divisions: tuple[Division, ...] = g.setup.statics["divisions"]
        return f"the {divisions[division].sides[second]}ern half"


class DeployUnit(DecisionKind):
    name = "deploy-unit"
    what = "Which unit is deployed next."
    keys = (
        "wap.battle.deploy.alternate",
        "wap.battle.deploy.groups",
        "wap.scenario.battleline.deployment",
        "wap.special.scouts.roll-off",
        "wap.scenario.dawn-attack.order",
        "wap.scenario.meeting-engagement.order",
        "wap.scenario.watchtower.deployment",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player, group = g.clock.turn[0], g.stack[f + Deployment.GROUP]
        at = g.setup.space.own - g.players.first_unit[player]
        for unit in group_left(g, player, group) if group else droppable(g, player):
            mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player, stack = g.clock.turn[0], g.stack
        unit = g.players.first_unit[player] + action - g.setup.space.own
        if not stack[f + Deployment.GROUP]:
            g.players.drops[player] += 1
            if alternates(g) and stack[f + STEP] == Deployment.Step.NEXT:
                stack[f + Deployment.GROUP] = group_of(g, unit)
        deploy(g, unit)
