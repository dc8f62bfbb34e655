"""Deployment: who chooses his side, one unit each in turn, who plays first (wap.battle.deploy.*, wap.scenario.battleline.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, flag, row_of
from wh_env.core.features import Pending
from wh_env.core.procedures import GO, STEP, DecisionKind, OfPlayer, Procedure, Steps, integer
from wh_env.core.tables import DEPLOYING
from wh_env.rulesets.wap.basics.casualties import remove_unit
from wh_env.rulesets.wap.basics.dice import roll_off
from wh_env.rulesets.wap.battle.setting_up import (
    ahead_of,
    angle_of,
    cells_for,
    has_room,
    lawful_files,
    place_of,
    region,
    set_up,
    usual,
)
from wh_env.rulesets.wap.battle.timing import start_phase
from wh_env.rulesets.wap.codes import SCOUTS, Phase
from wh_env.rulesets.wap.commands.places import choose_places
from wh_env.rulesets.wap.movement.start_of_turn import StartEffect
from wh_env.rulesets.wap.special.deploying import HoldBack, Vanguard

SIDES = ("the southern half", "the northern half")


def to_deploy(g: BattleCore, player: int) -> list[int]:
    """Units of a player that are deployed next: scouts who were kept back after all others of both sides (wap.special.scouts.deploy)."""
    u = g.units
    left = [unit for unit in range(len(u.owner)) if u.place[unit] == DEPLOYING]
    first = [unit for unit in left if not u.deployed[unit] & SCOUTS]
    return [unit for unit in first or left if u.owner[unit] == player]


def waiting(g: BattleCore, player: int) -> bool:
    """Whether a player has units to deploy yet, scouts among them."""
    return any(g.units.place[unit] == DEPLOYING for unit in g.units_of(player))


def scouts_left(g: BattleCore) -> bool:
    """Whether only scouts are left to be deployed."""
    left = [unit for player in (0, 1) for unit in to_deploy(g, player)]
    return bool(left) and all(g.units.deployed[unit] & SCOUTS for unit in left)


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
        if not to_deploy(g, player):
            player = 1 - player
        if not to_deploy(g, player):
            stack[f + STEP] = Step.VANGUARD
            return GO
        stack[f + Deployment.PLAYER] = 1 - player
        g.clock.turn[0] = player
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
        for unit in to_deploy(g, player):
            mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player = g.clock.turn[0]
        g.players.drops[player] += 1
        g.push(Drop, g.players.first_unit[player] + action - g.setup.space.own)


class Drop(Procedure):
    """One unit is set up: its files, its facing, its place."""

    class Step(Steps):
        BEGIN, FILES, FACING, WHERE, REFINE, DONE = range(6)

    UNIT = integer(row_of("units"))
    FILES = integer(between(0, "numbers"))
    ANGLE = integer(between(0, "angles", -1))
    TURNED = integer(flag())  # it faces as the player said, not towards the enemy
    CELL = integer(row_of("cells"))
    asks = ("deploy-files", "deploy-facing", "deploy-to", "deploy-refine")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Drop.Step
        stack, step = g.stack, g.stack[f + STEP]
        unit = stack[f + Drop.UNIT]
        owner = g.units.owner[unit]
        if step == Step.BEGIN:
            stack[f + Drop.FILES] = usual(g, unit)[1]
            if not stack[f + Drop.FILES]:
                remove_unit(g, unit)  # the zone has no room for it: it stays away, and counts as lost
                return g.pop()
            stack[f + STEP] = Step.FILES if g.setup.rules["detail"] == "full" else Step.WHERE
            return GO
        if step == Step.FILES:
            return g.ask(DeployFiles, owner, unit)
        if step == Step.FACING:
            return g.ask(DeployFacing, owner, unit)
        if step == Step.WHERE:
            return g.ask(DeployTo, owner, unit)
        if step == Step.REFINE:
            return g.ask(DeployRefine, owner, unit)
        g.pop()
        choose_places(g, unit)
        return GO


def facing_of(g: BattleCore, f: int) -> float:
    """How the unit that is set up will face."""
    stack = g.stack
    if stack[f + Drop.TURNED]:
        return angle_of(g, stack[f + Drop.ANGLE])
    return usual_facing(g, stack[f + Drop.UNIT])


def usual_facing(g: BattleCore, unit: int) -> float:
    """Towards the other side."""
    return ahead_of(g, g.units.owner[unit])


class DeployFiles(DecisionKind):
    name = "deploy-files"
    what = "In how many files the unit is set up."
    instead = "It is set up as its army list says."
    keys = ("wap.core.unit.formation", "wap.core.unit.rank-limit")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + Drop.UNIT], g.setup.space
        facing = usual_facing(g, unit)
        for files in range(1, space.numbers + 1):
            mask[space.number + files - 1] = lawful_files(g, unit, files) and has_room(g, unit, facing, files)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + Drop.FILES] = action - g.setup.space.number + 1
        g.stack[f + STEP] = Drop.Step.FACING

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{g.setup.names['units'][g.stack[f + Drop.UNIT]]} in {action - g.setup.space.number + 1} files"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.number + usual(g, g.stack[f + Drop.UNIT])[1] - 1)


class DeployFacing(DecisionKind):
    name = "deploy-facing"
    what = "Which way the unit faces."
    instead = "It faces the other side of the table."
    keys = ("wap.core.unit.formation",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space, files = g.stack[f + Drop.UNIT], g.setup.space, g.stack[f + Drop.FILES]
        for slot in range(space.angles):
            mask[space.angle + slot] = has_room(g, unit, angle_of(g, slot), files)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + Drop.ANGLE] = action - g.setup.space.angle
        g.stack[f + Drop.TURNED] = 1
        g.stack[f + STEP] = Drop.Step.WHERE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        slot = action - g.setup.space.angle
        return f"{g.setup.names['units'][g.stack[f + Drop.UNIT]]} faces {slot * 360 // g.setup.space.angles} degrees"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        south = g.units.owner[g.stack[f + Drop.UNIT]] == g.clock.attacker[0]
        return int(g.setup.space.angle + g.setup.space.angles * (1 if south else 3) // 4)


class DeployTo(DecisionKind):
    name = "deploy-to"
    what = "Where the middle of the unit's front edge is: a cell of a grid over the deployment zone."
    keys = ("wap.scenario.battleline.deployment", "wap.battle.deploy.spacing", "wap.battle.deploy.edges")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + Drop.UNIT], g.setup.space
        cells_for(g, unit, facing_of(g, f), g.stack[f + Drop.FILES], g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack, cell = g.stack, action - g.setup.space.cell
        unit = stack[f + Drop.UNIT]
        if g.setup.rules["detail"] == "full":
            stack[f + Drop.CELL], stack[f + STEP] = cell, Drop.Step.REFINE
            return
        set_up(g, unit, *place_of(g, unit, cell), facing_of(g, f), stack[f + Drop.FILES])
        stack[f + STEP] = Drop.Step.DONE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + Drop.UNIT]
        x, y = place_of(g, unit, action - g.setup.space.cell)
        return f'{g.setup.names["units"][unit]} at {x:.1f}, {y:.1f}"'

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(region(g, g.stack[f + Drop.UNIT]))


class DeployRefine(DecisionKind):
    name = "deploy-refine"
    what = "Where exactly: a cell of the second grid over the chosen one."
    instead = "The middle of the chosen cell."
    keys = ("wap.scenario.battleline.deployment", "wap.battle.deploy.spacing")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        stack, space = g.stack, g.setup.space
        cells_for(
            g, stack[f + Drop.UNIT], facing_of(g, f), stack[f + Drop.FILES], g.mask[space.cell : space.angle],
            stack[f + Drop.CELL],
        )  # fmt: skip

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack = g.stack
        unit, fine = stack[f + Drop.UNIT], action - g.setup.space.cell
        place = place_of(g, unit, stack[f + Drop.CELL], fine)
        set_up(g, unit, *place, facing_of(g, f), stack[f + Drop.FILES])
        stack[f + STEP] = Drop.Step.DONE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + Drop.UNIT]
        x, y = place_of(g, unit, g.stack[f + Drop.CELL], action - g.setup.space.cell)
        return f'{g.setup.names["units"][unit]} at {x:.2f}, {y:.2f}"'

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(region(g, g.stack[f + Drop.UNIT], g.stack[f + Drop.CELL]))

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        middle = g.setup.space.cell + g.setup.space.grid**2 // 2
        return int(middle) if mask[middle] else g.first_legal()
