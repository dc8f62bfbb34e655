"""Values of options: for every decision the option with the best expected value, one step ahead.

Values are points: mean wounds that attacks take (by exact probabilities) times the cost of a wound of the target,
markers won or held, the chance that a Charge roll reaches its target, less what the enemy can do in return. Only open
information is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.chances import mean
from wh_env.core.geometry.shapes import unit_distance
from wh_env.core.procedures import Appraiser
from wh_env.core.setup import Setup
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.attack.odds import expected_wounds
from wh_env.rulesets.w40k.edition import edition_of
from wh_env.rulesets.w40k.profiles import WeaponAbility
from wh_env.rulesets.w40k.questions.chances import chance_of, chances_of
from wh_env.rulesets.w40k.questions.move_limits import engaged_with
from wh_env.rulesets.w40k.view.appraise_places import (
    MARKER,
    Foes,
    marker_worth,
)
from wh_env.rulesets.w40k.view.prospects import prospects

ASSAULT, EXTRA = int(WeaponAbility.ASSAULT), int(WeaponAbility.EXTRA_ATTACKS)
STATIONARY, NORMAL, ADVANCE, FALL_BACK = range(4)  # options of "move-kind"
TAKES = 0.05  # weight of what blows take, where it matters more who strikes first


def marker_range(battle: BattleCore) -> float:
    """Inches from a marker within which models count (objective.range)."""
    return float(battle.setup.rules["marker_range"])


class Table:
    """Positions of the units now: (units,) arrays that policies read often."""

    def __init__(self, battle: BattleCore) -> None:
        models, units = battle.models.rows, battle.units.rows
        rows = np.flatnonzero(models["on_table"])
        unit = models["unit"][rows]
        count = len(units)
        number = np.bincount(unit, minlength=count)
        safe = np.maximum(number, 1)
        x, y = models["x"][rows], models["y"][rows]
        self.x = np.bincount(unit, x, count) / safe
        self.y = np.bincount(unit, y, count) / safe
        self.here = (number > 0) & (units["place"] == ON_TABLE)
        self.size = np.zeros(count)
        np.maximum.at(self.size, unit, np.hypot(x - self.x[unit], y - self.y[unit]) * 0.8 + models["radius"][rows])
        control = np.bincount(unit, models["control"][rows], count)
        self.control = np.where(units["shocked"] != 0, 0.0, control)
        self.owner = units["owner"]


class EditionAppraiser(Appraiser):
    """Takes the option with the best expected value; of equal options the first."""

    def __init__(self, setup: Setup) -> None:
        self.scorers: dict[str, Callable[[BattleCore, Array], int]] = {
            "place-marker": self.place_marker,
            "attach-leader": self.last_option,
            "deploy-to": self.deploy,
            "arrive-at": self.arrive,
            "disembark-at": self.arrive,
            "select-reserves": self.any_unit,
            "scout-move": self.move,
            "select-to-move": self.select_to_move,
            "move-kind": self.move_kind,
            "move-to": self.move,
            "fall-back-to": self.move,
            "model-to": self.model_to,
            "model-refine": self.refine,
            "select-model": self.select_model,
            "select-to-shoot": self.select_to_shoot,
            "shoot-target": self.shoot_target,
            "weapon-target": self.shoot_target,
            "select-to-charge": self.select_to_charge,
            "charge-target": self.charge_target,
            "select-to-fight": self.select_to_fight,
            "fight-target": self.fight_target,
            "attack-target": self.fight_target,
            "pile-in": self.last_option,
            "consolidate": self.last_option,
        }
        own, chances = edition_of(setup), chances_of(setup)
        self._engaged, self._charge_reach = chances.engaged, chances.charge_reach
        self._charge_odds, self._charge_mean = chances.charge, chances.charge_mean
        self._near = np.array([chances.engaged, chances.charge_mean])
        self._advance_mean = mean(own.dice.advance)
        # inches within which a unit can fight after it piles in
        self._fights = own.measures.engagement + own.fighting.pile_in
        self._weapons, self._arsenal = setup.statics["weapons"], setup.statics["arsenal"]
        self._rules = setup.statics["attack_rules"]
        units, models = (setup.layout.view(setup.template, table) for table in ("units", "models"))
        wounds = np.array([models["max_wounds"][u["first"] : u["first"] + u["count"]].sum() for u in units])
        self._price = units["points"] / np.maximum(1, wounds)
        for spare, whole in setup.statics["spares"].items():
            self._price[spare] = self._price[whole]
        self._reach = self._weapons["range"].astype(np.float64)
        self._assault = (self._weapons["abilities"] & np.uint64(ASSAULT)) != 0
        self._worth = np.full((len(self._weapons), len(units)), np.nan)
        self._ranged: dict[tuple[int, int], tuple[Array, Array]] = {}
        self._melee: dict[tuple[int, int, int], float] = {}
        self._begun: tuple[int, int, int] = (-1, -1, -1)

    def best(self, battle: BattleCore, mask: Array) -> int:
        """The best option of the pending decision."""
        scorer = self.scorers.get(battle.setup.ruleset.kinds[battle.clock.kind[0]].name)
        return super().best(battle, mask) if scorer is None else int(scorer(battle, mask))

    def prospects(self, g: BattleCore, unit: int, enemy: int) -> Sequence[str]:
        """Words on what the unit's weapons can expect of the enemy; see ``prospects``."""
        return [*prospects(g, unit, enemy)]

    # ---- what attacks are worth

    def worth(self, battle: BattleCore, model: int, weapon: int, target: int) -> float:
        """Points that one model's attacks with a weapon take from ``target`` on average."""
        found = self._worth[weapon, target]
        if np.isnan(found):
            models, units = battle.models.rows, battle.units.rows
            wounds = expected_wounds(models, units, self._weapons, self._rules, model, weapon, target, 0)
            found = wounds * self._price[target]
            if battle.units.place[target] == ON_TABLE:
                self._worth[weapon, target] = found
        return float(found)

    def ranged(self, battle: BattleCore, unit: int) -> tuple[Array, Array]:
        """The ranged weapons of a unit (rows of weapons), and how many of its models fire each."""
        key = (unit, battle.units.alive[unit])
        found = self._ranged.get(key)
        if found is None:
            counts: dict[int, int] = {}
            m, carried = battle.models, battle.setup.statics["arsenal_weapon"]
            for k in battle.members(unit):
                for s in range(m.first_weapon[k], m.first_weapon[k] + m.weapons[k]):
                    w = carried[s]
                    if not self._weapons[w]["melee"] and self._weapons[w]["profile_of"] == 0:
                        counts[w] = counts.get(w, 0) + 1
            found = np.array(list(counts), np.int64), np.array(list(counts.values()), np.float64)
            if battle.units.place[unit] == ON_TABLE:  # off the table it has no models
                self._ranged[key] = found
        return found

    def volleys(self, battle: BattleCore, unit: int, targets: Array) -> Array:
        """(weapons, targets): points that each ranged weapon of the unit takes from each target."""
        weapons, counts = self.ranged(battle, unit)
        if len(weapons) == 0 or len(targets) == 0:
            return np.zeros((len(weapons), len(targets)))
        return self.worths(battle, weapons, targets.tolist(), [unit] * len(weapons)) * counts[:, None]

    def worths(self, battle: BattleCore, weapons: Array, targets: list[int], owners: list[int]) -> Array:
        """(weapons, targets): points that one model's attacks with each weapon take from each target. ``owners``: the
        unit of each weapon.
        """
        found: Array = self._worth[weapons[:, None], targets]
        if np.isnan(found).any():
            for w, owner in zip(weapons.tolist(), owners, strict=True):
                for e in targets:
                    self.worth(battle, next(battle.members(owner)), w, e)
            found = np.nan_to_num(self._worth[weapons[:, None], targets])
        return found

    def melee(self, battle: BattleCore, unit: int, target: int) -> float:
        """Points that the whole unit takes from ``target`` in melee on average, each model with its best weapon and
        Extra Attacks.
        """
        key = (unit, battle.units.alive[unit], target)
        found = self._melee.get(key)
        if found is None:
            found = 0.0
            m, carried = battle.models, battle.setup.statics["arsenal_weapon"]
            for k in battle.members(unit):
                best = 0.0
                for s in range(m.first_weapon[k], m.first_weapon[k] + m.weapons[k]):
                    w = carried[s]
                    if self._weapons[w]["melee"]:
                        value = self.worth(battle, k, w, target)
                        if int(self._weapons[w]["abilities"]) & EXTRA:
                            found += value
                        else:
                            best = max(best, value)
                found += best
            self._melee[key] = found
        return found

    def price(self, unit: int) -> float:
        """Points that a wound of the unit costs."""
        return float(self._price[unit])

    def left(self, battle: BattleCore, unit: int) -> float:
        """The points of the wounds that a unit has left."""
        m = battle.models
        return float(sum(m.wounds[k] * self._price[m.datasheet[k]] for k in battle.members(unit)))

    # ---- what places are worth

    def enemies(self, battle: BattleCore, table: Table, player: int) -> Array:
        """Rows of the enemy units on the table."""
        return np.flatnonzero(table.here & (table.owner != player))

    def marker_values(
        self, battle: BattleCore, table: Table, unit: int, xs: Array, ys: Array, size: float, move: float
    ) -> Array:
        """(places,): points for markers if the unit stands at each place."""
        player = battle.units.owner[unit]
        control = table.control[unit]
        if not table.here[unit]:
            control = sum(battle.models.control[k] for k in self.rows_of(battle, unit))
        best = np.empty(len(xs))
        marker_worth(
            best, xs, ys, unit, player, float(control), size, max(1.0, move), battle.objectives.rows,
            table.x, table.y, table.size, table.control, table.owner, table.here, marker_range(battle),
        )  # fmt: skip
        return best

    def rows_of(self, battle: BattleCore, unit: int) -> list[int]:
        """Model rows of a unit, on the table or not."""
        u = battle.units
        return [
            k for row in (unit, u.leader[unit]) if row >= 0 for k in range(u.first[row], u.first[row] + u.count[row])
        ]

    def place_values(
        self,
        battle: BattleCore,
        table: Table,
        unit: int,
        xs: Array,
        ys: Array,
        *,
        moved: int = NORMAL,
        size: float | None = None,
        foes: Foes | None = None,
    ) -> Array:
        """(places,): points for standing at each place after a move of kind ``moved``. ``foes``: the enemies, if they
        are known already.
        """
        move = float(min((battle.models.move[k] for k in self.rows_of(battle, unit)), default=6.0))
        size = float(table.size[unit]) if size is None else size
        total = self.marker_values(battle, table, unit, xs, ys, size, move)
        foes = foes or self.foes(battle, table, unit)
        if moved == FALL_BACK:
            fires = np.zeros(len(foes.reach), np.bool_)
        else:
            fires = foes.assault if moved == ADVANCE else np.ones(len(foes.reach), np.bool_)
        foes.worth(total, xs, ys, size, move, fires, moved not in (ADVANCE, FALL_BACK))
        return total

    def foes(self, battle: BattleCore, table: Table, unit: int) -> Foes:
        """What the unit and the enemies on the table can do to each other; empty if the unit is not on the table."""
        rows = self.enemies(battle, table, battle.units.owner[unit])
        enemies = rows.tolist() if table.here[unit] else []
        move = battle.models.move
        speed = [move[next(battle.members(e))] for e in enemies]
        blows = np.array([self.melee(battle, e, unit) for e in enemies])
        weapons = self.ranged(battle, unit)[0] if enemies else np.zeros(0, np.int64)
        armed = [self.ranged(battle, e) for e in enemies]
        carried = np.concatenate([w for w, _ in armed]) if enemies else weapons
        counts = np.concatenate([c for _, c in armed]) if enemies else np.zeros(0)
        owners = np.repeat(np.arange(len(armed)), [len(w) for w, _ in armed])
        return Foes(
            x=table.x[rows[: len(enemies)]],
            y=table.y[rows[: len(enemies)]],
            size=table.size[rows[: len(enemies)]],
            gain=np.array([self.melee(battle, unit, e) for e in enemies]) - 0.5 * blows,
            danger_reach=np.array(speed) + self._charge_mean,
            danger=blows,
            reach=self._reach[weapons],
            volleys=self.volleys(battle, unit, rows[: len(enemies)]),
            assault=self._assault[weapons],
            back_from=owners,
            back_reach=self._reach[carried],
            back=self.worths(battle, carried, [unit], [enemies[n] for n in owners.tolist()])[:, 0] * counts,
            near=self._near,
            charge=self._charge_reach,
            odds=self._charge_odds,
        )

    def best_cell(self, battle: BattleCore, mask: Array, values: Array) -> int:
        """The action of the legal cell with the highest value; without a legal cell, the first legal action."""
        space = battle.setup.space
        legal = mask[space.cell : space.angle]
        if not legal.any():
            return int(mask.argmax())
        return int(space.cell + np.where(legal, values, -np.inf).argmax())

    # ---- setting up

    def place_marker(self, battle: BattleCore, mask: Array) -> int:
        """The cell nearest to the middle of the table."""
        xs, ys = battle.pending().cells(battle.setup.space.grid)
        return self.best_cell(battle, mask, -np.hypot(xs - battle.setup.length / 2, ys - battle.setup.width / 2))

    def deploy(self, battle: BattleCore, mask: Array) -> int:
        """The cell that is best for markers."""
        unit = battle.clock.subject[0]
        xs, ys = battle.pending().cells(battle.setup.space.grid)
        return self.best_cell(battle, mask, self.marker_values(battle, Table(battle), unit, xs, ys, 1.5, 6.0))

    def arrive(self, battle: BattleCore, mask: Array) -> int:
        """The cell where standing is worth most."""
        unit = battle.clock.subject[0]
        xs, ys = battle.pending().cells(battle.setup.space.grid)
        return self.best_cell(battle, mask, self.place_values(battle, Table(battle), unit, xs, ys, size=1.5))

    def last_option(self, battle: BattleCore, mask: Array) -> int:
        """The last legal action: pile in, consolidate, attach the Leader."""
        return len(mask) - 1 - int(mask[::-1].argmax())

    def any_unit(self, battle: BattleCore, mask: Array) -> int:
        """The first legal action other than done."""
        return int(mask[1:].argmax()) + 1 if mask[1:].any() else 0

    # ---- moving

    def select_to_move(self, battle: BattleCore, mask: Array) -> int:
        """The unit with the most Objective Control."""
        table = Table(battle)
        space = battle.setup.space
        first = battle.players.first_unit[battle.clock.player[0]]
        slots = np.flatnonzero(mask[space.own : space.enemy])
        return int(space.own + slots[table.control[first + slots].argmax()])

    def move_kind(self, battle: BattleCore, mask: Array) -> int:
        """The kind of move whose best place, in a straight line, is worth most."""
        unit, option = battle.clock.subject[0], battle.setup.space.option
        table = Table(battle)
        if mask[option + FALL_BACK]:
            enemies = self.enemies(battle, table, battle.units.owner[unit])
            m, u = battle.models.rows, battle.units.rows
            areas = battle.setup.statics["engaged_across"]
            close = [
                e
                for e in enemies.tolist()
                if unit_distance(m, u, unit, e) <= self._engaged + 0.01 or (areas and engaged_with(battle, unit, e))
            ]
            out = max((self.melee(battle, unit, e) for e in close), default=0.0)
            back = sum(self.melee(battle, e, unit) for e in close)
            return option + (FALL_BACK if 1.5 * out < back else STATIONARY)
        if not mask[option + NORMAL]:
            return int(mask.argmax())
        move = min(battle.models.move[k] for k in battle.members(unit))
        x, y = table.x[unit], table.y[unit]
        angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        best, choice, foes = -np.inf, STATIONARY, self.foes(battle, table, unit)
        length, width = battle.setup.length, battle.setup.width
        for kind, reach in ((STATIONARY, 0.0), (NORMAL, move), (ADVANCE, move + self._advance_mean)):
            if not mask[option + kind]:
                continue
            rings = np.array([0.0]) if kind == STATIONARY else np.array([0.5 * reach, reach])
            xs = np.clip((x + rings[:, None] * np.cos(angles)).ravel(), 1.0, length - 1.0)
            ys = np.clip((y + rings[:, None] * np.sin(angles)).ravel(), 1.0, width - 1.0)
            value = self.place_values(battle, table, unit, xs, ys, moved=kind, foes=foes).max()
            value += 0.5 if kind == STATIONARY else 0.0
            if value > best + 1e-9:
                best, choice = value, kind
        return option + choice

    def move(self, battle: BattleCore, mask: Array) -> int:
        """The cell where standing is worth most."""
        kind, unit = self.kind(battle), battle.clock.subject[0]
        table = Table(battle)
        xs, ys = battle.pending().cells(battle.setup.space.grid, (table.x[unit], table.y[unit]))
        moved = battle.units.moved[unit] - 1 if kind != "scout-move" else NORMAL
        values = self.place_values(battle, table, unit, xs, ys, moved=max(STATIONARY, moved))
        return self.best_cell(battle, mask, values)

    def refine(self, battle: BattleCore, mask: Array) -> int:
        """The legal cell nearest to the middle of the window."""
        grid = battle.setup.space.grid
        cells = np.arange(grid * grid)
        return self.best_cell(battle, mask, -np.hypot(cells % grid - grid // 2, cells // grid - grid // 2))

    def model_to(self, battle: BattleCore, mask: Array) -> int:
        """The first model moves where it is best for the unit; the others keep their place beside it."""
        unit, m, origin = battle.clock.subject[0], battle.models, battle.origin
        xs, ys = battle.pending().cells(battle.setup.space.grid)
        lead = next((k for k in battle.members(unit) if m.moved[k]), None)
        if lead is None:
            moved = max(STATIONARY, battle.units.moved[unit] - 1)
            return self.best_cell(battle, mask, self.place_values(battle, Table(battle), unit, xs, ys, moved=moved))
        # the window lies around the model that moves
        middle = len(xs) // 2
        x, y = xs[middle] + m.x[lead] - origin.x[lead], ys[middle] + m.y[lead] - origin.y[lead]
        return self.best_cell(battle, mask, -np.hypot(xs - x, ys - y))

    def select_model(self, battle: BattleCore, mask: Array) -> int:
        """The models in turn. A move that fails is taken back and not tried again this turn."""
        space, clock, unit = battle.setup.space, battle.clock, battle.clock.subject[0]
        models = mask[space.model :]
        fresh = not any(battle.models.moved[k] for k in battle.members(unit))
        turn = (unit, clock.round[0], clock.turn[0])
        if fresh and mask[0] and self._begun == turn:
            return 0
        if models.any():
            self._begun = turn
            return int(space.model + models.argmax())
        return int(mask.argmax())

    # ---- shooting, charging, fighting

    def kind(self, battle: BattleCore) -> str:
        """The name of the pending decision."""
        return str(battle.setup.ruleset.kinds[battle.clock.kind[0]].name)

    def targets(self, battle: BattleCore, mask: Array) -> tuple[Array, Array]:
        """The enemy units that the mask allows: their actions and their rows."""
        space = battle.setup.space
        slots = np.flatnonzero(mask[space.enemy : space.cell])
        return space.enemy + slots, battle.players.first_unit[1 - battle.clock.player[0]] + slots

    def shots(self, battle: BattleCore, unit: int, targets: Array) -> Array:
        """Points that the unit takes from each target by shooting now; more if it can destroy the target."""
        m, u = battle.models.rows, battle.units.rows
        weapons, _ = self.ranged(battle, unit)
        apart = np.array([unit_distance(m, u, unit, e) for e in targets.tolist()])
        values = (self.volleys(battle, unit, targets) * (self._weapons["range"][weapons][:, None] >= apart)).sum(axis=0)
        left = np.array([self.left(battle, e) for e in targets.tolist()])
        hurt: Array = np.minimum(values, left) * np.where(values >= left, 1.3, 1.0)
        return hurt

    def select_to_shoot(self, battle: BattleCore, mask: Array) -> int:
        """The unit with the best volley. Every unit that can shoot is selected in turn."""
        space = battle.setup.space
        player = battle.clock.player[0]
        slots = np.flatnonzero(mask[space.own : space.enemy])
        if len(slots) < 2:
            return self.any_unit(battle, mask)
        enemies = self.enemies(battle, Table(battle), player)
        first = battle.players.first_unit[player]
        values = [self.volleys(battle, first + slot, enemies).sum(axis=0).max(initial=0.0) for slot in slots.tolist()]
        return int(space.own + slots[int(np.argmax(values))])

    def shoot_target(self, battle: BattleCore, mask: Array) -> int:
        """The target that loses most points."""
        actions, targets = self.targets(battle, mask)
        if len(actions) == 0:
            return int(mask.argmax())
        return int(actions[self.shots(battle, battle.clock.subject[0], targets).argmax()])

    def charge_value(self, battle: BattleCore, unit: int, target: int) -> float:
        """The chance to reach the target times the points of the fight, with a bonus if the target is near a marker."""
        m, u = battle.models.rows, battle.units.rows
        chance = chance_of(self._charge_odds, unit_distance(m, u, unit, target) - self._engaged - 1e-4)
        if chance == 0.0:
            return 0.0
        gain = min(self.melee(battle, unit, target), self.left(battle, target)) - 0.6 * self.melee(battle, target, unit)
        o = battle.objectives
        model = next(battle.members(target))
        for marker in range(len(o.x)):
            apart = np.hypot(battle.models.x[model] - o.x[marker], battle.models.y[model] - o.y[marker])
            if o.placed[marker] and apart <= marker_range(battle) + o.radius[marker] + 2.0:
                gain += 0.3 * MARKER
                break
        return float(chance * gain)

    def in_reach(self, battle: BattleCore, unit: int) -> list[int]:
        """Enemy units within charge reach."""
        m, u = battle.models.rows, battle.units.rows
        enemies = self.enemies(battle, Table(battle), battle.units.owner[unit])
        return [e for e in enemies.tolist() if unit_distance(m, u, unit, e) <= self._charge_reach]

    def select_to_charge(self, battle: BattleCore, mask: Array) -> int:
        """The unit with the best charge; done if no charge is worth it."""
        space = battle.setup.space
        first = battle.players.first_unit[battle.clock.player[0]]
        best, choice = 0.0, 0
        for slot in np.flatnonzero(mask[space.own : space.enemy]).tolist():
            unit = first + slot
            value = max((self.charge_value(battle, unit, e) for e in self.in_reach(battle, unit)), default=0.0)
            if value > best:
                best, choice = value, space.own + slot
        return int(choice)

    def charge_target(self, battle: BattleCore, mask: Array) -> int:
        """Done if that is legal; else the target with the best charge."""
        if mask[0]:
            return 0
        actions, targets = self.targets(battle, mask)
        unit = battle.clock.subject[0]
        return int(actions[int(np.argmax([self.charge_value(battle, unit, e) for e in targets.tolist()]))])

    def select_to_fight(self, battle: BattleCore, mask: Array) -> int:
        """The unit for which it matters most to fight before the enemies beside it; of equal ones, the unit that takes
        most from the enemy.
        """
        space, player = battle.setup.space, battle.clock.player[0]
        first = battle.players.first_unit[player]
        slots = np.flatnonzero(mask[space.own : space.enemy])
        if len(slots) < 2:
            return int(space.own + slots[0])
        foes = self.fights(battle, player)
        values = [self.striking_now(battle, first + slot, foes) for slot in slots.tolist()]
        return int(space.own + slots[int(np.argmax(values))])

    def fights(self, battle: BattleCore, player: int) -> list[tuple[int, float, list[int]]]:
        """The enemy units that a player's units can fight: their rows, the most points that their own blows will still
        take, and the player's units that they can fight.
        """
        m, u = battle.models.rows, battle.units.rows
        own = [k for k in battle.units_of(player) if battle.units.place[k] == ON_TABLE]
        found = []
        for enemy in self.enemies(battle, Table(battle), player).tolist():
            near = [k for k in own if unit_distance(m, u, k, enemy) <= self._fights]
            threats = [min(self.melee(battle, enemy, k), self.left(battle, k)) for k in near]
            found.append((enemy, 0.0 if battle.units.fought[enemy] else max(threats, default=0.0), near))
        return found

    def striking_now(self, battle: BattleCore, unit: int, foes: list[tuple[int, float, list[int]]]) -> float:
        """Points that fighting now instead of last is worth to a unit: blows of the enemy that it prevents, and its own
        that the enemy would prevent; with a little of what its blows take.
        """
        takes = prevents = lost = 0.0
        whole = max(1e-9, self.left(battle, unit))
        for enemy, threat, near in foes:
            if unit not in near:
                continue
            left = max(1e-9, self.left(battle, enemy))
            blows = min(self.melee(battle, unit, enemy), left)
            takes, prevents = max(takes, blows), max(prevents, blows / left * threat)
            if threat > 0.0:
                lost = max(lost, min(1.0, self.melee(battle, enemy, unit) / whole))
        return prevents + lost * takes + TAKES * takes

    def fight_target(self, battle: BattleCore, mask: Array) -> int:
        """The target that loses most points, with those that its own blows take less afterwards."""
        actions, targets = self.targets(battle, mask)
        if len(actions) == 0:
            return int(mask.argmax())
        unit, threats = battle.clock.subject[0], {}
        if len(actions) > 1:
            threats = {enemy: threat for enemy, threat, _ in self.fights(battle, battle.clock.player[0])}
        values = []
        for enemy in targets.tolist():
            left = max(1e-9, self.left(battle, enemy))
            blows = min(self.melee(battle, unit, enemy), left)
            values.append(blows + blows / left * threats.get(enemy, 0.0))
        return int(actions[int(np.argmax(values))])
