"""Full detail of melee: the weapon of each model, and which of its attacks go at which unit (fight.weapons.*, .targets.*)."""

from __future__ import annotations

from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import MOST_ATTACKS, Bounds, between, count_of, row_of
from wh_env.core.features import Pending
from wh_env.core.procedures import FRAME_SIZE, GO, STEP, DecisionKind, Procedure, V
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.attack.modifiers import more_attacks
from wh_env.rulesets.w40k.attack.rerolls import DiceRoll
from wh_env.rulesets.w40k.profiles import WeaponAbility
from wh_env.rulesets.w40k.shoot.declare import append_job
from wh_env.rulesets.w40k.shoot.targets import reaches_in_melee
from wh_env.rulesets.w40k.shoot.volley import melee_near

UNIT, SLOT, WEAPON, EXTRA, LEFT = V, V + 1, V + 2, V + 3, V + 4
EXTRA_ATTACKS = int(WeaponAbility.EXTRA_ATTACKS)

# steps
CHOOSE, COUNT, AIM = range(3)


def melee_rows(g: BattleCore, model: int, extra: int) -> list[int]:
    """Arsenal rows of the melee profiles to choose among: of its ``extra``-th Extra Attacks weapon, or (0) of the others."""
    statics, m = g.setup.statics, g.models
    first = m.first_weapon[model]
    rows: list[int] = []
    slots: list[int] = []
    for s in range(first, first + m.weapons[model]):
        weapon, slot = statics["arsenal_weapon"][s], int(statics["arsenal"][s]["slot"])
        if not statics["weapons"][weapon]["melee"] or bool(statics["weapon_abilities"][weapon] & EXTRA_ATTACKS) != (
            extra > 0
        ):
            continue
        if slot not in slots:
            slots.append(slot)
        if extra == 0 or len(slots) == extra:
            rows.append(s)
    return rows


def reachable(g: BattleCore, model: int) -> list[int]:
    """Enemy units that the model may attack in melee."""
    u = g.units
    tables = g.models.rows, u.rows, g.setup.blocks, g.setup.corners
    return [
        enemy
        for enemy in g.units_of(1 - g.models.owner[model])
        if u.place[enemy] == ON_TABLE and reaches_in_melee(*tables, model, enemy)
    ]


class MeleeWeapons(Procedure):
    """Model by model: one melee weapon profile, Extra Attacks weapons besides, and the target of each attack."""

    steps = between(CHOOSE, AIM)
    slots: ClassVar[dict[int, Bounds]] = {
        UNIT: row_of("units"),
        SLOT: count_of("slots"),
        WEAPON: row_of("weapons"),
        EXTRA: count_of("slots"),
        LEFT: between(-MOST_ATTACKS, MOST_ATTACKS),
    }
    asks = ("melee-weapon", "extra-attacks", "attack-target")

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        unit = stack[f + UNIT]
        owner = g.units.owner[unit]
        rows = list(g.members(unit))
        if stack[f + SLOT] >= len(rows):
            return g.pop()
        model = rows[stack[f + SLOT]]
        step = stack[f + STEP]
        targets = reachable(g, model)
        if step == CHOOSE:
            if melee_rows(g, model, stack[f + EXTRA]) and targets:
                return g.ask(ExtraWeapon if stack[f + EXTRA] else MeleeWeapon, owner, unit)
            self.next(g, f, model)
            return GO
        if step == COUNT:
            stack[f + STEP] = AIM
            if len(targets) == 1:
                # nothing to divide: their number is rolled when they are made
                declare(g, model, stack[f + WEAPON], targets[0], -1)
                stack[f + LEFT] = 0
                return GO
            weapon = g.setup.statics["weapons"][stack[f + WEAPON]]
            fixed = int(weapon["attacks_plus"])
            if not int(weapon["abilities"]) & EXTRA_ATTACKS:  # weapon.extra-attacks.no-modify
                fixed += more_attacks(g, model)
            stack[f + LEFT] = fixed
            if weapon["attacks_dice"]:
                g.push(AttacksRoll, unit)
            return GO
        if stack[f + LEFT] <= 0:
            stack[f + STEP] = CHOOSE
            self.next(g, f, model)
            return GO
        return g.ask(AttackTarget, owner, unit)

    @staticmethod
    def next(g: BattleCore, f: int, model: int) -> None:
        """The next Extra Attacks weapon of the model, then the next model."""
        stack = g.stack
        stack[f + EXTRA] += 1
        if not melee_rows(g, model, stack[f + EXTRA]):
            stack[f + SLOT] += 1
            stack[f + EXTRA] = 0


class AttacksRoll(DiceRoll):
    """The random number of a model's attacks, rolled when they are divided over several units."""

    name = "attacks"
    command = True

    @staticmethod
    def of_weapon(g: BattleCore) -> tuple[int, int]:
        """Number and sides of the dice; the frame beneath is that of ``MeleeWeapons``."""
        weapon = g.setup.statics["weapons"][g.stack[g.frame - FRAME_SIZE + WEAPON]]
        return int(weapon["attacks_dice"]), int(weapon["attacks_sides"])

    def throw(self, g: BattleCore, unit: int) -> int:
        return g.roll(*self.of_weapon(g))

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        g.stack[g.frame + LEFT] += result

    def good(self, g: BattleCore, unit: int, result: int) -> bool:
        dice, sides = self.of_weapon(g)
        return 2 * result >= dice * (sides + 1)


def declare(g: BattleCore, model: int, weapon: int, target: int, count: int) -> None:
    """Add ``count`` attacks of the model (-1: as many as its weapon has) to those declared."""
    append_job(g, model, weapon, target, melee_near(g.models.rows, g.units.rows, model), count)


def fighter(g: BattleCore, f: int) -> int:
    """The model whose melee weapons are chosen."""
    return int(list(g.members(g.stack[f + UNIT]))[g.stack[f + SLOT]])


class MeleeWeapon(DecisionKind):
    name = "melee-weapon"
    what = "Which melee weapon profile the model uses."
    instead = "The one expected to hurt its target most."
    keys: ClassVar[tuple[str, ...]] = ("fight.weapons.one", "fight.weapons.profile")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        model = list(g.members(g.stack[f + UNIT]))[g.stack[f + SLOT]]
        for number, _ in enumerate(melee_rows(g, model, g.stack[f + EXTRA])):
            mask[g.setup.space.number + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        model = list(g.members(g.stack[f + UNIT]))[g.stack[f + SLOT]]
        row = melee_rows(g, model, g.stack[f + EXTRA])[action - g.setup.space.number]
        g.stack[f + WEAPON] = g.setup.statics["arsenal_weapon"][row]
        g.stack[f + STEP] = COUNT

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return "no Extra Attacks weapon"
        model = list(g.members(g.stack[f + UNIT]))[g.stack[f + SLOT]]
        row = melee_rows(g, model, g.stack[f + EXTRA])[action - g.setup.space.number]
        weapon = g.setup.names["weapons"][g.setup.statics["arsenal_weapon"][row]]
        return f"{g.setup.names['models'][model]} fights with {weapon}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(model=fighter(g, f))


class ExtraWeapon(MeleeWeapon):
    name = "extra-attacks"
    what = "Whether the model also uses an Extra Attacks weapon (done: it does not)."
    instead = "It always does, at the target of its other attacks."
    keys = ("weapon.extra-attacks",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        super().options(g, f, mask)
        mask[0] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            super().answer(g, f, action)
        else:
            MeleeWeapons.next(g, f, list(g.members(g.stack[f + UNIT]))[g.stack[f + SLOT]])


class AttackTarget(DecisionKind):
    name = "attack-target"
    what = "The unit that one attack of the model targets."
    instead = "All attacks of a model go at one unit: that of `fight-target`, else the one it is expected to hurt most."
    keys = (
        "fight.targets.all-first",
        "fight.targets.split",
        "fight.targets.eligible",
        "weapon.extra-attacks",
    )
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + UNIT]
        model = list(g.members(unit))[g.stack[f + SLOT]]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        for enemy in reachable(g, model):
            mask[at + enemy] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack = g.stack
        unit = stack[f + UNIT]
        model = list(g.members(unit))[stack[f + SLOT]]
        target = g.players.first_unit[1 - g.units.owner[unit]] + action - g.setup.space.enemy
        weapon = stack[f + WEAPON]
        jobs = g.jobs
        for row, attacks in enumerate(jobs.attacks):
            if attacks > 0 and (jobs.model[row], jobs.weapon[row], jobs.target[row]) == (model, weapon, target):
                jobs.attacks[row] += 1
                break
        else:
            declare(g, model, weapon, target, 1)
        stack[f + LEFT] -= 1

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(model=fighter(g, f), weapon=g.stack[f + WEAPON])
