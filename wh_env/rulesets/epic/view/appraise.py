"""Values of options: for each decision the option with the best expected value, without looking further ahead.

Values are victory points; an enemy unit is worth a fifth of one (epic.mission.broken-points). They add up the units
that fire destroys on average, the chances to win combats and nearby objectives, less what the enemy can do in return.
Orders of the enemy are not read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot, pi

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Appraiser
from wh_env.core.setup import Setup
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.epic.codes import INFANTRY
from wh_env.rulesets.epic.deploy.deployment import place_of
from wh_env.rulesets.epic.fire.aim import chance_to_kill
from wh_env.rulesets.epic.fire.odds import BEATS, EDGE, rates_of
from wh_env.rulesets.epic.move.plans import allowance_of
from wh_env.rulesets.epic.move.unit_plans import PlanUnits, planned_first
from wh_env.rulesets.epic.orders.orders import Order, order_of

UNIT_WORTH = 0.2  # victory points of a unit; a vehicle counts as several
NEXT_TURN = 0.7  # factor on the worth of something a turn's move away
TAKEN = 0.25  # factor on the worth of an objective that a friend is nearer to
DANGER = 0.3  # weight of what the enemy can fire in return
THREAT_MOVE = 5.0  # cm that the enemy comes nearer before firing
UNSEEN = 0.7  # weight of fire at what may not be in sight from there
REACTION = 0.8  # weight of fire in the enemy's movement that still has to find a target
HERE = 8.0  # cm from an objective that count as being there
CHARGES = 0.75  # weight of an assault that the enemy can still evade
RINGS, ANGLES = (0.5, 1.0), 16


class Formations:
    """The formations as they stand now; arrays by row of ``units``.

    Attributes:
        x, y: the middle of the formation, cm.
        number: its units on the table.
        owner: its player.
        here: whether it is on the table.
        retreating: whether it is in retreat.
    """

    def __init__(self, g: BattleCore) -> None:
        models, units = g.models.rows, g.units.rows
        rows = np.flatnonzero(models["on_table"])
        unit, count = models["unit"][rows], len(units)
        self.number = np.bincount(unit, minlength=count)
        safe = np.maximum(self.number, 1)
        self.x = np.bincount(unit, models["x"][rows], count) / safe
        self.y = np.bincount(unit, models["y"][rows], count) / safe
        self.here = (self.number > 0) & (units["place"] == ON_TABLE)
        self.owner = units["owner"]
        self.retreating = units["retreating"] != 0

    def of(self, player: int) -> Array:
        """Rows of a player's formations on the table."""
        return np.flatnonzero(self.here & (self.owner == player))


class EpicAppraiser(Appraiser):
    """Takes the option with the best expected value; the first of equal ones."""

    def __init__(self, setup: Setup) -> None:
        self.scorers: dict[str, Callable[[BattleCore, Array], int]] = {
            "select-to-deploy": self.any_unit,
            "deploy-to": self.deploy,
            "give-order": self.give_order,
            "who-moves-first": self.second_option,
            "select-to-move": self.any_unit,
            "move-to": self.move,
            "move-refine": self.middle,
            "select-unit": self.select_unit,
            "place-unit": self.place_unit,
            "refine-unit": self.middle,
            "overwatch": self.react,
            "select-to-fire": self.select_to_fire,
            "fire-at": self.fire_at,
            "fire-at-unit": self.fire_at_unit,
            "select-to-assault": self.any_unit,
            "assault-to": self.assault,
            "assault-refine": self.middle,
        }
        units, models = (setup.layout.view(setup.template, table) for table in ("units", "models"))
        first = units["first"]
        self._worth = UNIT_WORTH * np.where(units["vehicle"] != 0, setup.rules["broken"]["vehicle_counts"], 1)
        self._factor, self._move = models["assault"][first], models["move"][first]
        self._infantry = models["rank"][first] == INFANTRY
        self._flight = int(setup.rules["retreat"]["assault_factor"])
        rates = rates_of(setup)
        self._rate, self._reach = rates.kills, rates.reach

    def best(self, battle: BattleCore, mask: Array) -> int:
        """The option of the highest value for the decision asked; the default option if no scorer knows the
        decision.
        """
        scorer = self.scorers.get(battle.setup.ruleset.kinds[battle.clock.kind[0]].name)
        return super().best(battle, mask) if scorer is None else int(scorer(battle, mask))

    def prospects(self, g: BattleCore, unit: int, enemy: int) -> Sequence[str]:
        """Words on what the formation's fire destroys, in range and in the open, and on what an assault is worth."""
        now = Formations(g)
        kills = min(self._rate[unit, enemy] * now.number[unit], now.number[enemy])
        gain = self.assaults(now, unit, np.array([enemy]))[0]
        told = (
            f"{kills:.1f} of {now.number[enemy]} units destroyed by its fire on average, "
            f"in range ({self._reach[unit]:.0f} cm) and in the open",
            f"{gain:+.1f} victory points: what an assault takes less what it costs, on average",
        )
        return told if self._reach[unit] else told[1:]

    # ---- what things are worth

    def volleys(self, now: Formations, units: Array, targets: Array) -> Array:
        """Victory points, shape (units, targets), that each formation's fire takes from each target, in range and in
        the open.
        """
        kills = self._rate[np.ix_(units, targets)] * now.number[units][:, None]
        return np.asarray(np.minimum(kills, now.number[targets]) * self._worth[targets])

    def assaults(self, now: Formations, unit: int, targets: Array) -> Array:
        """Victory points that an assault of the formation on each target is worth: losses of the target less its own
        losses.
        """
        factor = self._factor + self._flight * now.retreating
        lead = np.clip(factor[unit] - factor[targets], -EDGE, EDGE)
        win, lose = BEATS[lead + EDGE], BEATS[EDGE - lead]
        pairs = np.minimum(now.number[unit], now.number[targets])
        # a unit left over adds a die, which decides most combats
        extra = np.clip(now.number[unit] - now.number[targets], 0, pairs)
        win = win + (1.0 - win) * 0.6 * extra / np.maximum(1, pairs)
        return np.asarray(pairs * (win * self._worth[targets] - 0.9 * lose * self._worth[unit]))

    def objectives(self, g: BattleCore, now: Formations, unit: int, xs: Array, ys: Array, stride: float) -> Array:
        """The value of each place (xs, ys) for objectives. ``stride``: cm that the formation moves in a turn."""
        worth = g.setup.rules["objective_points"]
        best = np.zeros(len(xs))
        if now.retreating[unit]:
            return best
        friends = [u for u in now.of(int(now.owner[unit])) if u != unit and not now.retreating[u]]
        for o in range(len(g.objectives.x)):
            ox, oy = g.objectives.x[o], g.objectives.y[o]
            away = np.maximum(0.0, np.hypot(xs - ox, ys - oy) - HERE)
            nearest = min((hypot(now.x[u] - ox, now.y[u] - oy) for u in friends), default=np.inf)
            own = hypot(now.x[unit] - ox, now.y[unit] - oy)
            value = worth * (TAKEN if nearest < own else 1.0) * NEXT_TURN ** (away / max(1.0, stride))
            best = np.maximum(best, value)
        return best

    def fire_values(self, now: Formations, unit: int, xs: Array, ys: Array) -> Array:
        """Victory points that the best fire from each place takes."""
        enemies = now.of(1 - int(now.owner[unit]))
        if not len(enemies) or self._reach[unit] == 0.0:
            return np.zeros(len(xs))
        apart = np.hypot(xs[:, None] - now.x[enemies], ys[:, None] - now.y[enemies])
        takes = self.volleys(now, np.array([unit]), enemies)[0]
        return np.asarray(((apart <= self._reach[unit]) * takes).max(axis=1))

    def dangers(self, now: Formations, unit: int, xs: Array, ys: Array) -> Array:
        """Victory points that the enemy's fire can take at each place."""
        enemies = now.of(1 - int(now.owner[unit]))
        if not len(enemies):
            return np.zeros(len(xs))
        apart = np.hypot(xs[:, None] - now.x[enemies], ys[:, None] - now.y[enemies])
        takes = self.volleys(now, enemies, np.array([unit]))[:, 0]
        return np.asarray(np.minimum(((apart <= self._reach[enemies] + THREAT_MOVE) * takes).sum(axis=1), 3.0))

    def strikes(self, g: BattleCore, now: Formations, unit: int, xs: Array, ys: Array, then: float) -> Array:
        """The value of the best assault from each place, with an assault move of ``then`` cm."""
        enemies = now.of(1 - int(now.owner[unit]))
        if not len(enemies):
            return np.zeros(len(xs))
        apart = np.hypot(xs[:, None] - now.x[enemies], ys[:, None] - now.y[enemies])
        gain = np.maximum(0.0, self.assaults(now, unit, enemies))
        return np.asarray(((apart <= then + 2.0) * gain).max(axis=1))

    def assault_reach(self, g: BattleCore, unit: int) -> float:
        """The formation's assault move to engage, cm."""
        return float(self._move[unit] * (g.setup.rules["assault"]["infantry_move"] if self._infantry[unit] else 1.0))

    def place_values(
        self, g: BattleCore, now: Formations, unit: int, xs: Array, ys: Array, order: Order | None
    ) -> Array:
        """The value of standing at each place after the move, for a formation with this order."""
        move = self._move[unit]
        total = self.objectives(g, now, unit, xs, ys, 2.0 * move) - DANGER * self.dangers(now, unit, xs, ys)
        if order is not None and order.fires:
            total = total + UNSEEN * self.fire_values(now, unit, xs, ys)
        if order is not None and order.assault_move:
            total = total + CHARGES * self.strikes(g, now, unit, xs, ys, self.assault_reach(g, unit))
        return np.asarray(total)

    # ---- deployment and orders

    def any_unit(self, g: BattleCore, mask: Array) -> int:
        """The first unit offered; done only if none is."""
        return int(mask[1:].argmax()) + 1 if mask[1:].any() else 0

    def second_option(self, g: BattleCore, mask: Array) -> int:
        """Let the opponent go first, so that the opponent's moves are known."""
        return g.setup.space.option + 1

    def middle(self, g: BattleCore, mask: Array) -> int:
        """The middle of the chosen cell."""
        middle = g.setup.space.cell + g.setup.space.grid**2 // 2
        return int(middle) if mask[middle] else int(mask.argmax())

    def deploy(self, g: BattleCore, mask: Array) -> int:
        """The place nearest to objectives; objectives that a friend is nearer to count less."""
        space, unit = g.setup.space, g.clock.subject[0]
        cells = np.flatnonzero(mask[space.cell : space.angle])
        places = np.array([place_of(g, unit, int(cell)) for cell in cells])
        stride = max(1.0, 2.0 * self._move[unit])
        values = self.objectives(g, Formations(g), unit, places[:, 0], places[:, 1], stride)
        return int(space.cell + cells[values.argmax()])

    def give_order(self, g: BattleCore, mask: Array) -> int:
        """The order whose best place, measured in a straight line, is worth most."""
        unit, now = g.clock.subject[0], Formations(g)
        x, y, move = float(now.x[unit]), float(now.y[unit]), float(self._move[unit])
        angles = np.linspace(0.0, 2.0 * pi, ANGLES, endpoint=False)
        best, choice = -np.inf, 0
        for number, order in enumerate(g.setup.statics["orders"]):
            reach = order.move_cm if order.move_cm is not None else order.move * move
            rings = np.array([0.0, *(ring * reach for ring in RINGS)])
            xs = np.clip((x + rings[:, None] * np.cos(angles)).ravel(), 1.0, g.setup.length - 1.0)
            ys = np.clip((y + rings[:, None] * np.sin(angles)).ravel(), 1.0, g.setup.width - 1.0)
            values = self.place_values(g, now, unit, xs, ys, order)
            if order.fires and order.reroll_natural_ones:
                values = values + 0.15 * self.fire_values(now, unit, xs, ys)
            if order.reaction_to_hit is not None and self._reach[unit]:
                near = self.fire_values(now, unit, np.array([x]), np.array([y]))[0]
                values = values + (REACTION - 1.0) * near
            value = float(values.max())
            if value > best + 1e-9:
                best, choice = value, number
        return g.setup.space.option + choice

    # ---- movement

    def cells(self, g: BattleCore, unit: int, only: int = -1) -> tuple[Array, Array]:
        """(dx, dy): the displacements, cm, of the cells of the move window."""
        grid = g.setup.space.grid
        line = np.linspace(-1.0, 1.0, grid) * allowance_of(g, unit, only)
        return np.tile(line, grid), np.repeat(line, grid)

    def best_cell(self, g: BattleCore, mask: Array, values: Array) -> int:
        """The legal cell of the highest value."""
        space = g.setup.space
        legal = mask[space.cell : space.angle]
        if not legal.any():
            return int(mask.argmax())
        return int(space.cell + np.where(legal, values, -np.inf).argmax())

    def move(self, g: BattleCore, mask: Array) -> int:
        """The best cell of the window. A formation in retreat goes as far from the enemy as it can."""
        unit, now = g.clock.subject[0], Formations(g)
        dx, dy = self.cells(g, unit)
        xs, ys = now.x[unit] + dx, now.y[unit] + dy
        if now.retreating[unit]:
            enemies = now.of(1 - int(now.owner[unit]))
            apart = np.hypot(xs[:, None] - now.x[enemies], ys[:, None] - now.y[enemies])
            return self.best_cell(g, mask, apart.min(axis=1) if len(enemies) else xs)
        return self.best_cell(g, mask, self.place_values(g, now, unit, xs, ys, order_of(g, unit)))

    def select_unit(self, g: BattleCore, mask: Array) -> int:
        """One unit after the other. After one plan was taken back, the formation stays."""
        space, unit = g.setup.space, g.clock.subject[0]
        waiting = mask[space.model :]
        if mask[0] and planned_first(g, unit) < 0 and g.stack[g.frame + PlanUnits.TRIES]:
            return 0  # it was taken back once
        if waiting.any():
            return int(space.model + waiting.argmax())
        return 0 if mask[0] else int(mask.argmax())

    def place_unit(self, g: BattleCore, mask: Array) -> int:
        """Engage if possible. Else the first unit goes where it is best for the formation, and the others make the same
        displacement.
        """
        unit, space = g.clock.subject[0], g.setup.space
        enemies = np.flatnonzero(mask[space.enemy : space.cell])
        if len(enemies):
            return self.assault_target(g, unit, enemies)
        model = int(g.units.first[unit] + g.stack[g.frame + PlanUnits.SLOT])
        dx, dy = self.cells(g, unit, model)
        lead = planned_first(g, unit)
        if lead < 0:
            now = Formations(g)
            values = self.place_values(g, now, unit, now.x[unit] + dx, now.y[unit] + dy, order_of(g, unit))
            return self.best_cell(g, mask, values)
        went_x, went_y = g.models.x[lead] - g.origin.x[lead], g.models.y[lead] - g.origin.y[lead]
        return self.best_cell(g, mask, -np.hypot(dx - went_x, dy - went_y))

    # ---- fire

    def kills(self, g: BattleCore, unit: int, target: int, modifier: int = 0) -> float:
        """Victory points that the formation takes from the target by firing from where it stands, with cover and
        range.
        """
        m, u, statics = g.models, g.units, g.setup.statics
        tables = m.rows, statics["ground"], g.setup.corners, statics["weapons"], statics["numbers"]
        left = {t: 1.0 for t in range(u.first[target], u.first[target] + u.count[target]) if m.on_table[t]}
        whole = float(len(left))
        for k in range(u.first[unit], u.first[unit] + u.count[unit]):
            if not m.on_table[k] or m.contact[k]:
                continue
            for w in range(m.first_weapon[k], m.first_weapon[k] + m.weapons[k]):
                chances = {t: chance_to_kill(*tables, k, w, t, modifier) for t in left}
                best = max(left, key=lambda t: left[t] * chances[t], default=-1)
                if best >= 0:
                    left[best] *= 1.0 - chances[best]
        return float((whole - sum(left.values())) * self._worth[target])

    def best_shots(self, g: BattleCore, unit: int, modifier: int = 0) -> float:
        """Victory points that the formation's best fire at any target takes."""
        enemies = Formations(g).of(1 - g.units.owner[unit])
        near = [e for e in enemies.tolist() if g.aims[unit, e] != 1]
        return max((self.kills(g, unit, e, modifier) for e in near), default=0.0)

    def react(self, g: BattleCore, mask: Array) -> int:
        """The formation whose overwatch takes most, if that is at least 0.7 of what it could take by waiting; else
        wait.
        """
        space, moved = g.setup.space, g.clock.subject[0]
        first = g.players.first_unit[g.clock.player[0]]
        best, choice = 0.0, 0
        for slot in np.flatnonzero(mask[space.own : space.enemy]).tolist():
            order = order_of(g, first + slot)
            modifier = order.reaction_to_hit or 0 if order is not None else 0
            value = self.kills(g, first + slot, moved, modifier)
            if value > best and value >= 0.7 * self.best_shots(g, first + slot):
                best, choice = value, space.own + slot
        return int(choice)

    def select_to_fire(self, g: BattleCore, mask: Array) -> int:
        """The formation whose fire takes most."""
        space = g.setup.space
        first = g.players.first_unit[g.clock.player[0]]
        slots = np.flatnonzero(mask[space.own : space.enemy]).tolist()
        if len(slots) == 1:
            return space.own + slots[0]
        values = [self.best_shots(g, first + slot) for slot in slots]
        return space.own + slots[int(np.argmax(values))]

    def fire_at(self, g: BattleCore, mask: Array) -> int:
        """The target from which the formation's fire takes most."""
        space, unit = g.setup.space, g.clock.subject[0]
        slots = np.flatnonzero(mask[space.enemy : space.cell]).tolist()
        if not slots:
            return 0
        first = g.players.first_unit[1 - g.clock.player[0]]
        return space.enemy + slots[int(np.argmax([self.kills(g, unit, first + slot) for slot in slots]))]

    def fire_at_unit(self, g: BattleCore, mask: Array) -> int:
        """The unit with the fewest shots aimed at it so far, so that shots are spread."""
        space = g.setup.space
        slots = np.flatnonzero(mask[space.model :])
        first, targets = g.units.first[g.clock.subject[0]], list(g.shots.target)
        aimed = [targets.count(first + slot) for slot in slots.tolist()]
        return int(space.model + slots[int(np.argmin(aimed))])

    # ---- assault

    def assault_target(self, g: BattleCore, unit: int, slots: Array) -> int:
        """The enemy formation of ``slots`` on which an assault is worth most."""
        first = g.players.first_unit[1 - g.units.owner[unit]]
        return int(g.setup.space.enemy + slots[self.assaults(Formations(g), unit, first + slots).argmax()])

    def assault(self, g: BattleCore, mask: Array) -> int:
        """Engage if that is worth more than 0, else move to the best place; done if staying is as good."""
        space, unit, now = g.setup.space, g.clock.subject[0], Formations(g)
        slots = np.flatnonzero(mask[space.enemy : space.cell])
        first = g.players.first_unit[1 - g.units.owner[unit]]
        if len(slots):
            values = self.assaults(now, unit, first + slots)
            if values.max() > 0.0:
                return int(space.enemy + slots[values.argmax()])
        if not mask[space.cell : space.angle].any():
            return int(mask.argmax())
        dx, dy = self.cells(g, unit)
        xs, ys = now.x[unit] + dx, now.y[unit] + dy
        values = self.objectives(g, now, unit, xs, ys, 2.0 * self._move[unit])
        values = values - DANGER * self.dangers(now, unit, xs, ys)
        cell = self.best_cell(g, mask, values)
        stay = values[space.grid**2 // 2]
        return cell if values[cell - space.cell] > stay + 1e-9 or not mask[0] else 0
