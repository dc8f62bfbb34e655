"""The worth of options in the game of regiments. Each decision takes the option with the best expected value and looks
no further ahead.

Values are points of the armies: what a round of close combat takes and costs on average, the chances that a side breaks
in it, and the rounds that either side could begin next turn from where the units then stand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, pi, sin, tau

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Appraiser, Outlook
from wh_env.core.setup import Setup
from wh_env.core.tables import ATTACHED, Array
from wh_env.rulesets.wap.basics.declared_charges import targets_of
from wh_env.rulesets.wap.basics.profiles import characteristic, lines_there, movement_of
from wh_env.rulesets.wap.breaking.combat_reform import REFORM as WISH
from wh_env.rulesets.wap.breaking.combat_reform import STAY as AS_IT_IS
from wh_env.rulesets.wap.challenges.duels import facing_heroes
from wh_env.rulesets.wap.charge.reactions import FLEE, HOLD, SHOOT, React
from wh_env.rulesets.wap.charge.targets import possible_targets
from wh_env.rulesets.wap.codes import CAVALRY
from wh_env.rulesets.wap.combat.aiming import Aiming
from wh_env.rulesets.wap.deployment.divisions import division_of
from wh_env.rulesets.wap.deployment.setting_up import place_of as deployment_place
from wh_env.rulesets.wap.movement.distances import march, normal
from wh_env.rulesets.wap.movement.going import (
    ADVANCE,
    FINISH,
    FLY,
    FLY_FAR,
    FORWARD,
    FREE_REFORM,
    MARCH,
    REFORM,
    STAY,
    SWIFT_REFORM,
    WHEEL_LEFT,
    WHEEL_RIGHT,
    MoveFrame,
)
from wh_env.rulesets.wap.movement.legs import SIDES, amount_of, gone, lengths
from wh_env.rulesets.wap.movement.move_to import EndWheel, aim_of, reach, window
from wh_env.rulesets.wap.movement.plans import planned
from wh_env.rulesets.wap.movement.reform_choices import facing_of
from wh_env.rulesets.wap.shooting.machine_ways import OTHERWISE, sort_of
from wh_env.rulesets.wap.shooting.shooting import Aim, FireMachine, MachineAim
from wh_env.rulesets.wap.shooting.spots import best_spot
from wh_env.rulesets.wap.special.flying import flight_of
from wh_env.rulesets.wap.view import appraise_fates, appraise_items, appraise_magic
from wh_env.rulesets.wap.view.appraise_aftermath import Aftermath
from wh_env.rulesets.wap.view.appraise_blows import worth_of_attacks, worth_of_weapon
from wh_env.rulesets.wap.view.appraise_breath import best_breath, best_direction, worth_of_breath_on
from wh_env.rulesets.wap.view.appraise_charges import (
    enemy_slots,
    own_slots,
    worth_of_declaring,
    worth_of_fleeing,
    worth_of_holding,
)
from wh_env.rulesets.wap.view.appraise_machines import best_of_machine, is_rash, worth_of_machine
from wh_env.rulesets.wap.view.appraise_places import Key, Standing, place_values
from wh_env.rulesets.wap.view.appraise_reforms import best_reform
from wh_env.rulesets.wap.view.appraise_shots import worth_of_shots, worth_of_standing, worth_of_volley
from wh_env.rulesets.wap.view.outlook import Prospect
from wh_env.rulesets.wap.view.prospects import prospects
from wh_env.rulesets.wap.ways.poses import depth_of, front_width, lone, wheeled_to

TURNS = np.linspace(-0.5 * pi, 0.5 * pi, 13)  # radians: wheels that are tried before a move is chosen
SHARES = (0.35, 0.7, 1.0)  # shares of the move left after the wheel that are tried
RISK = 2.0  # points that a test to march is assumed to cost
WORTH_A_DRINK = 4  # models lost from which a drink from a well is worth its danger
COURAGE = 2  # how many times stronger a challenger may be
EFFORT = 1.0  # points by which a move must be better than none


def prowess(g: BattleCore, unit: int) -> int:
    """The strength of a character in a duel: what it deals times what it can bear."""
    line = g.units.first_line[unit]
    deals = sum(characteristic(g, row, "a") * characteristic(g, row, "s") for row in lines_there(g, unit))
    return deals * characteristic(g, line, "ws") * characteristic(g, line, "t") * g.models.wounds[g.units.first[unit]]


class RegimentAppraiser(Appraiser):
    """Takes the option with the best expected value; of equal options the first."""

    def __init__(self, setup: Setup) -> None:
        self.scorers: dict[str, Callable[[BattleCore, Array], int]] = {
            "deploy-unit": self.any_unit,
            "join-unit": self.any_unit,
            "deploy-to": self.deploy,
            "select-to-move": self.mover,
            "vanguard-unit": self.any_unit,
            "go-along": self.any_unit,
            "bring-on": self.any_unit,
            "manoeuvre": self.manoeuvre,
            "move-to": self.move_to,
            "move-refine": self.refine,
            "end-wheel": self.end_wheel,
            "leg": self.leg,
            "leg-length": self.leg_length,
            "pivot-to": self.turn,
            "reform-files": self.files,
            "reform-facing": self.turn,
            "declare-charge": self.declare,
            "charge-target": self.charge_target,
            "charge-reaction": self.react,
            "redirect": self.redirect,
            "pursue": self.pursue,
            "after-victory": self.after_victory,
            "combat-reform": self.combat_reform,
            "strike-target": self.strike_target,
            "strike-share": self.strike_share,
            "choose-weapon": self.weapon,
            "select-to-shoot": self.shooter,
            "shoot-target": self.shoot_target,
            "challenge": self.challenge,
            "accept-challenge": self.accept,
            "make-way": self.any_unit,
            "name-coward": self.coward,
            "take-building": self.any_unit,
            "choose-party": self.any_unit,
            "assault-again": self.any_unit,
            "tower-garrison": self.any_unit,
            "choose-breath": self.breath,
            "breath-direction": self.breath_direction,
            "breath-target": self.breath_target,
            "drink": self.drink,
            "machine-assault": self.any_unit,
            "machine-way": self.machine_way,
            "machine-target": self.machine_target,
            "machine-aim": self.machine_aim,
            "learns-next": self.any_unit,
            **appraise_magic.SCORERS,
            **appraise_items.SCORERS,
            **appraise_fates.SCORERS,
        }
        self._known: dict[Key, list[float]] = {}
        self._prospect = Prospect()
        self._copy: BattleCore | None = None
        self._cells = np.zeros(setup.space.grid**2, np.bool_)

    def best(self, battle: BattleCore, mask: Array) -> int:
        """The option of the highest value for the decision that is asked; the default option if the decision has no
        scorer.
        """
        scorer = self.scorers.get(battle.setup.ruleset.kinds[battle.clock.kind[0]].name)
        if scorer is None:
            return super().best(battle, mask)
        action = int(scorer(battle, mask))
        return action if mask[action] else int(mask.argmax())

    def outlook(self, g: BattleCore, seat: int) -> Outlook:
        """Points due, points left, and what charges and combats can take; see ``outlook``."""
        return self._prospect.outlook(g, seat)

    def prospects(self, g: BattleCore, unit: int, enemy: int) -> Sequence[str]:
        """Lines about a charge of a unit on an enemy and a round of close combat; see ``prospects``."""
        return tuple(prospects(g, unit, enemy))

    def standing(self, g: BattleCore) -> Standing:
        """The units as they stand now."""
        return Standing(g, self._known)

    def copy_of(self, g: BattleCore) -> BattleCore:
        """A copy of the battle to try things on. The next call writes over it."""
        if self._copy is None or self._copy.setup.layout is not g.setup.layout:
            self._copy = g.clone()
        self._copy.copy_from(g)
        return self._copy

    # ---- deployment

    def any_unit(self, g: BattleCore, mask: Array) -> int:
        """The first unit, or other option, that is offered; done only if none is."""
        return int(mask[1:].argmax()) + 1 if mask[1:].any() else 0

    def mover(self, g: BattleCore, mask: Array) -> int:
        """The first unit offered that is not a character in a unit."""
        return next((action for action, unit in own_slots(g, mask) if g.units.place[unit] != ATTACHED), 0)

    def deploy(self, g: BattleCore, mask: Array) -> int:
        """A place well forward: cavalry towards the sides, all others in the middle."""
        space, unit = g.setup.space, g.clock.subject[0]
        cells = np.flatnonzero(mask[space.cell : space.angle])
        places = np.array([deployment_place(g, unit, int(cell)) for cell in cells])
        (dx, dy), half = division_of(g).way, np.array([0.5 * g.setup.length, 0.5 * g.setup.width])
        x, y = (places - half).T
        wanted = 0.7 * (half[0] * abs(dy) + half[1] * abs(dx)) if g.units.kind[unit] == CAVALRY else 0.0
        values = -np.abs(np.abs(x * dy - y * dx) - wanted) - 2.0 * np.abs(x * dx + y * dy)
        return int(space.cell + cells[values.argmax()])

    # ---- places

    def value_of(self, g: BattleCore, unit: int, now: Standing, fronts: list[tuple[float, float, float]]) -> Array:
        """The worth to a unit of each pose (middle of the front edge, facing)."""
        half = 0.5 * depth_of(g, unit)
        poses = np.array(fronts)
        xs, ys = poses[:, 0] - half * np.cos(poses[:, 2]), poses[:, 1] - half * np.sin(poses[:, 2])
        return place_values(now, unit, xs, ys, poses[:, 2])

    def manoeuvre(self, g: BattleCore, mask: Array) -> int:
        """The kind of move with the best place that it may lead to, as if nothing were in the way. A unit whose shots
        are worth enough stays.
        """
        unit, now = MoveFrame.unit(g, g.frame), self.standing(g)
        option, u = g.setup.space.option, g.units
        if mask[option + STAY] and worth_of_standing(g, unit) > EFFORT:
            return option + STAY
        pose = (u.x[unit], u.y[unit], u.facing[unit])
        stays = float(self.value_of(g, unit, now, [pose])[0]) + EFFORT
        best, choice = stays, STAY
        movement, flight = movement_of(g, unit), flight_of(g, unit)
        turns = [(*self.on_centre(g, unit, pose[2] + turn),) for turn in np.linspace(-pi, pi, 24, endpoint=False)]
        for kind, poses, cost in (
            (ADVANCE, self.reachable(g, unit, normal(movement)), 0.0),
            (MARCH, self.reachable(g, unit, march(movement)), RISK),
            (FLY, self.reachable(g, unit, normal(flight)), 0.0),
            (FLY_FAR, self.reachable(g, unit, march(flight)), RISK),
            (FREE_REFORM, turns, 0.2 * EFFORT),
            (SWIFT_REFORM, turns, 0.5 * EFFORT),
            (REFORM, turns, EFFORT),
        ):
            if not mask[option + kind]:
                continue
            value = float(self.value_of(g, unit, now, poses).max()) - cost
            if value > best + 1e-9:
                best, choice = value, kind
        return option + choice

    @staticmethod
    def on_centre(g: BattleCore, unit: int, facing: float) -> tuple[float, float, float]:
        """The pose of a unit after it has turned about its centre to ``facing``, radians."""
        u, half = g.units, 0.5 * depth_of(g, unit)
        cx, cy = u.x[unit] - half * cos(u.facing[unit]), u.y[unit] - half * sin(u.facing[unit])
        return cx + half * cos(facing), cy + half * sin(facing), facing

    @staticmethod
    def reachable(g: BattleCore, unit: int, far: float) -> list[tuple[float, float, float]]:
        """Some poses to which a wheel and a straight move of ``far`` inches in all lead on an empty table."""
        u, width = g.units, front_width(g, unit)
        pose = (u.x[unit], u.y[unit], u.facing[unit])
        found = []
        for turn in TURNS:
            cost = 0.0 if lone(g, unit) else width * abs(turn)
            if cost > far:
                continue
            x, y, f = wheeled_to(pose, width, 1.0 if turn > 0 else -1.0, abs(turn))
            for share in SHARES:
                go = share * (far - cost)
                px, py = x + go * cos(f), y + go * sin(f)
                if 0.0 < px < g.setup.length and 0.0 < py < g.setup.width:
                    found.append((px, py, f))
        return found or [pose]

    def cells(self, g: BattleCore, mask: Array, cell: int) -> int:
        """The best cell of the grid of places to move to, or of the second grid over ``cell``."""
        space, f = g.setup.space, g.frame
        unit, room, grid = MoveFrame.unit(g, f), g.work.ways, space.grid
        x0, y0, step = window(g, f, cell)
        reach(g, f, x0, y0, step, grid, self._cells)
        legal = np.flatnonzero(mask[space.cell : space.angle])
        facing = aim_of(g, f)[2]
        fs = facing + room.turns[legal]
        xs, ys = x0 + legal % grid * step, y0 + legal // grid * step
        if not lone(g, unit):
            half = 0.5 * depth_of(g, unit)
            xs, ys = xs - half * np.cos(fs), ys - half * np.sin(fs)
        return int(space.cell + legal[place_values(self.standing(g), unit, xs, ys, fs).argmax()])

    def move_to(self, g: BattleCore, mask: Array) -> int:
        """The best cell within reach. A character joins the first unit that it can reach."""
        joins = own_slots(g, mask)
        return joins[0][0] if joins else self.cells(g, mask, -1)

    def refine(self, g: BattleCore, mask: Array) -> int:
        """The best place within a cell."""
        return self.cells(g, mask, MoveFrame.cell(g, g.frame))

    def end_wheel(self, g: BattleCore, mask: Array) -> int:
        """The wheel at the end of a move that leads to the best facing."""
        f, number = g.frame, g.setup.space.number
        unit = MoveFrame.unit(g, f)
        slots = np.flatnonzero(mask[number : number + g.setup.space.numbers])
        poses = [
            wheeled_to(planned(g, unit), front_width(g, unit), *EndWheel.turn_of(g, f, int(slot))) for slot in slots
        ]
        return int(number + slots[self.value_of(g, unit, self.standing(g), poses).argmax()])

    # ---- legs

    def after(self, g: BattleCore, f: int, leg: int, amount: float) -> tuple[float, float, float]:
        """The pose after a leg."""
        unit = MoveFrame.unit(g, f)
        if leg in SIDES:
            return wheeled_to(planned(g, unit), front_width(g, unit), SIDES[leg], amount)
        return gone(*planned(g, unit), leg, amount)

    def ends_of(self, g: BattleCore, f: int, leg: int) -> tuple[Array, list[tuple[float, float, float]]]:
        """The slots of the lengths of a leg, and the pose after each."""
        if lengths(g, f, leg) <= 0.0:
            return np.zeros(0, np.int64), []
        slots = np.flatnonzero(g.work.ways.slots)
        return slots, [self.after(g, f, leg, amount_of(g, f, leg, int(slot))) for slot in slots]

    def leg(self, g: BattleCore, mask: Array) -> int:
        """Straight on or a wheel, if a length of it leads to a better place; else the end of the move."""
        f, option, now = g.frame, g.setup.space.option, self.standing(g)
        unit = MoveFrame.unit(g, f)
        if joins := own_slots(g, mask):
            return joins[0][0]
        best, choice = float(self.value_of(g, unit, now, [planned(g, unit)])[0]) + 0.2, FINISH
        for leg in (FORWARD, WHEEL_LEFT, WHEEL_RIGHT):
            poses = self.ends_of(g, f, leg)[1] if mask[option + leg] else []
            value = float(self.value_of(g, unit, now, poses).max()) if poses else -np.inf
            if value > best:
                best, choice = value, leg
        return option + choice

    def leg_length(self, g: BattleCore, mask: Array) -> int:
        """The length that leads to the best place."""
        f, number = g.frame, g.setup.space.number
        slots, poses = self.ends_of(g, f, MoveFrame.leg(g, f))
        if not poses:
            return int(mask.argmax())
        values = self.value_of(g, MoveFrame.unit(g, f), self.standing(g), poses)
        values[~mask[number + slots].astype(bool)] = -np.inf
        return int(number + slots[values.argmax()])

    # ---- reforms

    def turn(self, g: BattleCore, mask: Array) -> int:
        """The facing in which the unit stands best; done keeps its facing."""
        space, unit = g.setup.space, g.clock.subject[0]
        angles = np.flatnonzero(mask[space.angle : space.number])
        facings = [facing_of(g, unit, int(slot)) for slot in angles]
        actions = [int(space.angle + slot) for slot in angles]
        if mask[0]:
            facings, actions = [*facings, g.units.facing[unit]], [*actions, 0]
        if not facings:
            return int(mask.argmax())
        poses = [self.on_centre(g, unit, facing % tau) for facing in facings]
        return actions[int(self.value_of(g, unit, self.standing(g), poses).argmax())]

    def files(self, g: BattleCore, mask: Array) -> int:
        """The legal number of files nearest to the unit's present one, or to five if it has fewer."""
        number, unit = g.setup.space.number, g.clock.subject[0]
        slots = np.flatnonzero(mask[number : number + g.setup.space.numbers])
        wanted = max(5, g.units.files[unit])
        return int(number + slots[np.abs(slots + 1 - wanted).argmin()])

    # ---- charges

    def declare(self, g: BattleCore, mask: Array) -> int:
        """The unit whose best charge is worth most, if that is worth more than 0 and than standing to shoot."""
        best, choice = 0.0, 0
        for action, unit in own_slots(g, mask):
            value = max((worth_of_declaring(g, unit, target) for target in possible_targets(g, unit)), default=0.0)
            if value > best and value > worth_of_standing(g, unit):
                best, choice = value, action
        return choice if choice or mask[0] else int(mask.argmax())

    def charge_target(self, g: BattleCore, mask: Array) -> int:
        """The target that is worth most."""
        unit = g.clock.subject[0]
        values = [(worth_of_declaring(g, unit, target), -action) for action, target in enemy_slots(g, mask)]
        return -max(values)[1] if values else 0

    def react(self, g: BattleCore, mask: Array) -> int:
        """Flee if that costs less than to await the charge; else stand and shoot if possible; else hold."""
        row, option = g.stack[g.frame + React.ROW], g.setup.space.option
        unit, charger, side = g.charges.target[row], g.charges.unit[row], g.charges.side[row]
        if mask[option + FLEE] and worth_of_fleeing(g, unit, charger) > worth_of_holding(g, unit, charger, side):
            return option + FLEE
        return option + (SHOOT if mask[option + SHOOT] else HOLD)

    def redirect(self, g: BattleCore, mask: Array) -> int:
        """A unit for which a charge at another target is worth more than its charge at the fleeing one."""
        for action, unit in own_slots(g, mask):
            before = targets_of(g, unit)
            others = [target for target in possible_targets(g, unit) if target not in before]
            keeps = max((worth_of_declaring(g, unit, target) for target in before), default=0.0)
            if max((worth_of_declaring(g, unit, target) for target in others), default=0.0) > max(0.0, keeps):
                return action
        return 0 if mask[0] else int(mask.argmax())

    # ---- a round and its aftermath

    def strike_target(self, g: BattleCore, mask: Array) -> int:
        """The enemy at which the attacks are worth most."""
        worth = worth_of_attacks(g, g.frame)
        return -max((worth[foe][-1], -action) for action, foe in enemy_slots(g, mask))[1]

    def challenge(self, g: BattleCore, mask: Array) -> int:
        """The strongest character, unless an enemy that may accept is stronger."""
        found = [(prowess(g, unit), -action) for action, unit in own_slots(g, mask)]
        rivals = [prowess(g, foe) for _, unit in own_slots(g, mask) for foe in facing_heroes(g, unit)]
        best, action = max(found)
        return -action if best >= max(rivals, default=0) or not mask[0] else 0

    def accept(self, g: BattleCore, mask: Array) -> int:
        """The strongest character, unless it is much weaker than the challenger and the challenge may be refused."""
        best, action = max((prowess(g, unit), -action) for action, unit in own_slots(g, mask))
        return 0 if mask[0] and COURAGE * best < prowess(g, g.clock.subject[0]) else -action

    def coward(self, g: BattleCore, mask: Array) -> int:
        """The strongest of the enemy characters offered."""
        return -max((prowess(g, unit), -action) for action, unit in enemy_slots(g, mask))[1]

    def shooter(self, g: BattleCore, mask: Array) -> int:
        """The first unit offered; of war machines only those whose shot is worth more than their misfires cost."""
        return next((action for action, unit in own_slots(g, mask) if not is_rash(g, unit)), 0)

    def machine_way(self, g: BattleCore, mask: Array) -> int:
        """The way of firing that is worth most."""
        unit, option = g.stack[g.frame + FireMachine.UNIT], g.setup.space.option
        worth, way = best_of_machine(g, unit)
        return option + (OTHERWISE if mask[option + OTHERWISE] and worth_of_volley(g, unit) > worth else way)

    def machine_target(self, g: BattleCore, mask: Array) -> int:
        """The enemy that loses most by the machine's shot."""
        unit, way = g.stack[g.frame + FireMachine.UNIT], g.stack[g.frame + FireMachine.WAY] - 1
        return -max((worth_of_machine(g, unit, way, foe), -action) for action, foe in enemy_slots(g, mask))[1]

    def machine_aim(self, g: BattleCore, mask: Array) -> int:
        """The spot at which the shot strikes most of the enemy."""
        unit, way, target = MachineAim.of(g, g.frame)
        return g.setup.space.cell + best_spot(g, unit, target, sort_of(g, unit, way))[0]

    def shoot_target(self, g: BattleCore, mask: Array) -> int:
        """The enemy that loses most by the shots."""
        unit = g.stack[g.frame + Aim.UNIT]
        foes = [(action, foe) for action, foe in enemy_slots(g, mask) if g.units.place[foe] != ATTACHED]
        return -max((worth_of_shots(g, unit, foe), -action) for action, foe in foes)[1]

    def breath(self, g: BattleCore, mask: Array) -> int:
        """The breath that costs the enemy most; in close combat none if the normal attacks cost more."""
        return best_breath(g, g.frame)

    def breath_direction(self, g: BattleCore, mask: Array) -> int:
        """The direction in which the breath costs the enemy most."""
        return best_direction(g, g.frame)

    def breath_target(self, g: BattleCore, mask: Array) -> int:
        """The enemy that loses most by the breath."""
        return -max((worth_of_breath_on(g, g.frame, foe), -action) for action, foe in enemy_slots(g, mask))[1]

    def drink(self, g: BattleCore, mask: Array) -> int:
        """A unit that has lost enough models to want them back; done: there is none."""
        u = g.units
        thirsty = (action for action, unit in own_slots(g, mask) if u.count[unit] - u.alive[unit] >= WORTH_A_DRINK)
        return next(thirsty, 0)

    def strike_share(self, g: BattleCore, mask: Array) -> int:
        """The share of the attacks on the chosen enemy that is worth most together with the rest on the best other
        enemy.
        """
        worth, number = worth_of_attacks(g, g.frame), g.setup.space.number
        first = worth.pop(g.stack[g.frame + Aiming.ENEMY])
        shares = [int(share) for share in np.flatnonzero(mask[number : number + g.setup.space.numbers])]
        # the last number stands for all of them
        goes = {share: share if share < shares[-1] else len(first) - 1 for share in shares}

        def together(share: int) -> tuple[float, int]:
            rest = len(first) - 1 - goes[share]
            return first[goes[share]] + max((others[rest] for others in worth.values()), default=0.0), share

        return number + max(shares, key=together)

    def weapon(self, g: BattleCore, mask: Array) -> int:
        """The weapon with which the round is worth most."""
        unit, option = g.clock.subject[0], g.setup.space.option
        legal = np.flatnonzero(mask[option : option + g.setup.space.options])
        values = [worth_of_weapon(self.copy_of(g), unit, int(at)) for at in legal]
        return int(option + legal[int(np.argmax(values))])

    def combat_reform(self, g: BattleCore, mask: Array) -> int:
        """Whether to reform, and into which files and facing."""
        unit, space = g.clock.subject[0], g.setup.space
        found = best_reform(self.copy_of(g), unit, self._known)
        wish = bool(mask[space.option + AS_IT_IS])
        if found is None:
            return (space.option + AS_IT_IS) if wish else 0
        if wish:
            return space.option + WISH
        files = space.number + found.files - 1
        return files if mask[files] else space.angle + found.slot

    def pursue(self, g: BattleCore, mask: Array) -> int:
        """The broken enemy whose pursuit is worth most, or restraint if that is worth more."""
        unit, foes = g.clock.subject[0], enemy_slots(g, mask)
        found = Aftermath(self.copy_of(g), self._known).choice(unit, [foe for _, foe in foes])
        worth, action = max((found.pursuits[foe], -action) for action, foe in foes)
        return 0 if mask[0] and found.restrains > worth else -action

    def after_victory(self, g: BattleCore, mask: Array) -> int:
        """Overrun, reform or stay, by the worth of where that leaves the unit."""
        unit, option, now, u = g.clock.subject[0], g.setup.space.option, self.standing(g), g.units
        pose = (u.x[unit], u.y[unit], u.facing[unit])
        turns = [self.on_centre(g, unit, pose[2] + turn) for turn in np.linspace(-pi, pi, 24, endpoint=False)]
        values = [
            Aftermath(self.copy_of(g), self._known).overrunning(unit) if mask[option] else 0.0,
            float(self.value_of(g, unit, now, turns).max()) - EFFORT,
            float(self.value_of(g, unit, now, [pose])[0]),
        ]
        legal = [n for n in range(3) if mask[option + n]]
        return option + max(legal, key=lambda n: values[n])
