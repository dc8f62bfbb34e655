"""Shooting phase: eligibility, selecting targets, declaring weapons (w10.shoot.*)."""

from __future__ import annotations

from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import Bounds, anything, between, count_of, player, row_of, row_plus_one
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, V
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w10.codes import Moved, Phase, Selected
from wh_env.rulesets.w10.stratagems.book import Stratagem
from wh_env.rulesets.w10.stratagems.effects import can_throw
from wh_env.rulesets.w10.transport.firing_deck import (
    FiringDeck,
    add_deck_jobs,
    armed,
    deck_size,
    deck_targets,
    in_use,
    return_weapons,
)
from wh_env.rulesets.w40k.attack.making import Attacks
from wh_env.rulesets.w40k.attack.sequence import RANGED
from wh_env.rulesets.w40k.reaction.windows import Moment, delegated, open_window
from wh_env.rulesets.w40k.sequence.timing import end_phase, start_phase
from wh_env.rulesets.w40k.shoot.declare import (
    add_jobs,
    clear_jobs,
    declare_weapon,
    engagements,
    forget_targets,
    shooting_mode,
    shooting_row,
    weapon_targets,
)
from wh_env.rulesets.w40k.shoot.overwatch import mark_ready
from wh_env.rulesets.w40k.shoot.targets import BIG_GUNS, PISTOLS_ONLY, YES

PLAYER = V
# of Shoot: WEAPON counts from 1, TARGET is the only one allowed + 1, DECLARED has a bit for each weapon of MODEL declared
UNIT, MODEL, WEAPON, TARGET, DECLARED = V, V + 1, V + 2, V + 3, V + 4


class ShootingPhase(Procedure):
    """w10.shoot.sequence: one unit after the other selects targets and makes its attacks."""

    steps = between(0, 2)
    slots: ClassVar[dict[int, Bounds]] = {
        PLAYER: player(),
    }
    asks = ("select-to-shoot",)

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        step = stack[f + STEP]
        if step == 0:
            start_phase(g, Phase.SHOOTING)
            forget_targets(g)
            stack[f + STEP] = 1
            if delegated(g, Stratagem.GRENADE) and open_window(g, Moment.BETWEEN_SHOOTERS):
                return GO
        if step == 2:
            end_phase(g)
            return g.pop()
        return g.ask(SelectToShoot, stack[f + PLAYER])


def ready_to_shoot(g: BattleCore, player: int) -> list[int]:
    """Units that can be selected to shoot: eligible, not selected yet, and some weapon has a target."""
    statics, setup, u = g.setup.statics, g.setup, g.units
    found = g.work.found
    count = mark_ready(
        g.models.rows,
        u.rows,
        setup.blocks,
        setup.corners,
        statics["weapons"],
        statics["arsenal"],
        engagements(g),
        g.targets,
        player,
        int(Selected.SHOOT),
        int(Moved.ADVANCE),
        int(Moved.FELL_BACK),
        found,
        g.work.reaches,
    )
    ready: list[int] = found[:count].tolist()
    if statics["firing_deck"]:
        for unit in statics["firing_deck"]:
            if unit not in ready and u.owner[unit] == player and u.place[unit] == ON_TABLE:
                if not u.selected[unit] & Selected.SHOOT and shooting_mode(g, unit) >= 0 and deck_targets(g, unit):
                    ready.append(unit)
    return ready


class SelectToShoot(DecisionKind):
    """Which eligible unit shoots next, or end the phase (w10.shoot.select-unit); option 0: use Grenade first."""

    name = "select-to-shoot"
    rules = ("w10.shoot.select-unit", "w10.stratagem.grenade")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.stack[f + PLAYER]
        at = g.setup.space.own - g.players.first_unit[player]
        mask[0] = True
        for unit in ready_to_shoot(g, player):
            mask[at + unit] = True
        mask[g.setup.space.option] = not delegated(g, Stratagem.GRENADE) and can_throw(g, player)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            g.stack[f + STEP] = 2
            return
        if action == g.setup.space.option:
            open_window(g, Moment.BETWEEN_SHOOTERS)
            return
        unit = g.players.first_unit[g.stack[f + PLAYER]] + action - g.setup.space.own
        g.units.selected[unit] |= Selected.SHOOT
        if g.recorder is not None:
            g.note("w10.shoot.select-unit", "selected to shoot", unit=unit)
        g.push(Shoot, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "use Grenade" if action == g.setup.space.option else g.default_words(action)


class Shoot(Procedure):
    """A unit shoots: targets first (all of them), then the attacks."""

    steps = between(0, 5)
    slots: ClassVar[dict[int, Bounds]] = {
        UNIT: row_of("units"),
        MODEL: count_of("models"),
        WEAPON: count_of("arsenal"),
        TARGET: row_plus_one("units"),
        DECLARED: anything(),
    }
    asks = ("shoot-target", "weapon-target")

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        unit, step = stack[f + UNIT], stack[f + STEP]
        owner = g.units.owner[unit]
        if step == 0:
            clear_jobs(g)
            return_weapons(g)
            mode = shooting_mode(g, unit)
            g.units.engaged_before[unit] = mode in (BIG_GUNS, PISTOLS_ONLY)
            stack[f + STEP] = 2 if g.setup.rules["detail"] == "full" else 1
            if stack[f + STEP] == 2 and deck_size(g, unit):
                g.push(FiringDeck, unit)
            return GO
        if step == 1:
            stack[f + STEP] = 3
            return g.ask(ShootTarget, owner, unit)
        if step == 2:
            if self.next_weapon(g, f):
                return g.ask(WeaponTarget, owner, unit)
            stack[f + STEP] = 3
            return GO
        if step == 3:
            stack[f + STEP] = 4
            open_window(g, Moment.TARGETS_SELECTED, unit)
            return GO
        if step == 4:
            stack[f + STEP] = 5
            g.push(Attacks, unit, RANGED)
            return GO
        return_weapons(g)
        return g.pop()

    def fits(self, g: BattleCore, f: int) -> bool:
        """The weapon is one of the model's."""
        stack = g.stack
        rows = armed(g, stack[f + UNIT])
        asked = stack[f + MODEL]
        return bool(asked >= len(rows) or 0 <= stack[f + WEAPON] <= g.models.weapons[rows[asked]])

    def next_weapon(self, g: BattleCore, f: int) -> bool:
        """Go on to the next weapon (of the next model) that has a target."""
        stack = g.stack
        rows = armed(g, stack[f + UNIT])
        while stack[f + MODEL] < len(rows):
            while stack[f + WEAPON] < g.models.weapons[rows[stack[f + MODEL]]]:
                stack[f + WEAPON] += 1
                if open_targets(g, f, rows[stack[f + MODEL]]):
                    return True
            stack[f + MODEL] += 1
            stack[f + WEAPON] = stack[f + DECLARED] = 0
        return False


def open_targets(g: BattleCore, f: int, model: int) -> list[int]:
    """Units that the weapon now asked about (frame ``f`` of Shoot) may target."""
    stack = g.stack
    unit = stack[f + UNIT]
    if not in_use(g, unit, model, stack[f + WEAPON] - 1):
        return []
    mode = shooting_mode(g, unit)
    return weapon_targets(g, unit, model, stack[f + WEAPON] - 1, mode, stack[f + DECLARED], stack[f + TARGET] - 1)


class ShootTarget(DecisionKind):
    """Squad detail: the unit at which every weapon that can shoots; the others take their best target."""

    name = "shoot-target"
    rules = ("w10.shoot.targets.all-first", "w10.shoot.targets.models", "w10.shoot.targets.weapons")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + UNIT]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        row, _ = shooting_row(g, unit, shooting_mode(g, unit))
        deck = deck_targets(g, unit)
        for enemy in g.units_of(1 - g.units.owner[unit]):
            if row[enemy] == YES or enemy in deck:
                mask[at + enemy] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + UNIT]
        target = g.players.first_unit[1 - g.units.owner[unit]] + action - g.setup.space.enemy
        add_jobs(g, unit, target)
        add_deck_jobs(g, unit, target)


class WeaponTarget(DecisionKind):
    """The target of one weapon profile of one model, or not to fire it.

    At squad detail every weapon that can fires at the unit of `shoot-target`, the others at what they are expected to hurt
    most.
    """

    name = "weapon-target"
    rules = (
        "w10.shoot.targets.all-first",
        "w10.shoot.targets.weapons",
        "w10.shoot.targets.declare",
        "w10.weapon.pistol.engaged-targets",
        "w10.weapon.pistol.or-others",
        "w10.stratagem.fire-overwatch",
    )
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        stack = g.stack
        unit = stack[f + UNIT]
        model = armed(g, unit)[stack[f + MODEL]]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        mask[0] = True
        for enemy in open_targets(g, f, model):
            mask[at + enemy] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            return
        stack = g.stack
        unit = stack[f + UNIT]
        model = armed(g, unit)[stack[f + MODEL]]
        target = g.players.first_unit[1 - g.units.owner[unit]] + action - g.setup.space.enemy
        declare_weapon(g, unit, model, stack[f + WEAPON] - 1, target)
        stack[f + DECLARED] |= 1 << stack[f + WEAPON] - 1
        if shooting_mode(g, unit) == PISTOLS_ONLY:
            stack[f + TARGET] = target + 1

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        stack = g.stack
        model = armed(g, stack[f + UNIT])[stack[f + MODEL]]
        row = g.models.first_weapon[model] + stack[f + WEAPON] - 1
        weapon = g.setup.names["weapons"][g.setup.statics["arsenal_weapon"][row]]
        what = "hold fire" if action == 0 else f"at {g.default_words(action)}"
        return f"{g.setup.names['models'][model]}, {weapon}: {what}"
