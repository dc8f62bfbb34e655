"""Full detail of melee: the weapon of each model and the target of each attack (fight.weapons.*, .targets.*)."""

from __future__ import annotations

from typing import Any, ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import MOST_ATTACKS, between, count_of, row_of
from wh_env.core.features import Pending
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, beneath, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.attack.brackets import weapon_now
from wh_env.rulesets.w40k.attack.modifiers import more_attacks
from wh_env.rulesets.w40k.attack.rerolls import DiceRoll, summed
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.profiles import WeaponAbility
from wh_env.rulesets.w40k.questions.melee_targets import reaches_in_melee
from wh_env.rulesets.w40k.shoot.declare import append_job
from wh_env.rulesets.w40k.shoot.volley import melee_near

EXTRA_ATTACKS = int(WeaponAbility.EXTRA_ATTACKS)


def melee_rows(g: BattleCore, model: int, extra: int) -> list[int]:
    """Arsenal rows of the melee profiles that the model can choose: of its ``extra``-th Extra Attacks weapon, counted
    from 1; if ``extra`` is 0, of its other weapons.
    """
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
    u, barred = g.units, edition(g).barred_in_melee(g, g.models.unit[model])
    tables = g.models.rows, u.rows, g.setup.blocks, g.setup.corners, g.setup.statics["fire_rules"]
    return [
        enemy
        for enemy in g.units_of(1 - g.models.owner[model])
        if u.place[enemy] == ON_TABLE and not barred[enemy] and reaches_in_melee(*tables, model, enemy)
    ]


class MeleeWeapons(Procedure):
    """Each model in turn chooses one melee weapon profile, its Extra Attacks weapons, and a target for each attack."""

    class Step(Steps):
        CHOOSE, COUNT, AIM = range(3)

    UNIT = integer(row_of("units"))
    SLOT = integer(count_of("slots"))  # number of the model in its unit
    WEAPON = integer(row_of("weapons"))
    EXTRA = integer(count_of("slots"))  # number of its Extra Attacks weapon from 1; 0: another weapon
    LEFT = integer(between(-MOST_ATTACKS, MOST_ATTACKS))  # attacks that have no target yet
    asks = ("melee-weapon", "extra-attacks", "attack-target")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = MeleeWeapons.Step
        stack = g.stack
        unit = stack[f + MeleeWeapons.UNIT]
        owner = g.units.owner[unit]
        rows = list(g.members(unit))
        if stack[f + MeleeWeapons.SLOT] >= len(rows):
            return g.pop()
        model = rows[stack[f + MeleeWeapons.SLOT]]
        step = stack[f + STEP]
        targets = reachable(g, model)
        if step == Step.CHOOSE:
            if melee_rows(g, model, stack[f + MeleeWeapons.EXTRA]) and targets:
                return g.ask(ExtraWeapon if stack[f + MeleeWeapons.EXTRA] else MeleeWeapon, owner, unit)
            self.next(g, f, model)
            return GO
        if step == Step.COUNT:
            stack[f + STEP] = Step.AIM
            if len(targets) == 1:
                # all attacks have one target: their number is rolled when they are made
                declare(g, model, stack[f + MeleeWeapons.WEAPON], targets[0], -1)
                stack[f + MeleeWeapons.LEFT] = 0
                return GO
            self.count(g, f, model)
            return GO
        if stack[f + MeleeWeapons.LEFT] <= 0:
            stack[f + STEP] = Step.CHOOSE
            self.next(g, f, model)
            return GO
        return g.ask(AttackTarget, owner, unit)

    def count(self, g: BattleCore, f: int, model: int) -> None:
        """Set ``LEFT`` to the number of attacks of the model with the chosen weapon. A random number is rolled next and
        added.
        """
        weapon = self.profile(g, f)
        fixed = int(weapon["attacks_plus"])
        if not int(weapon["abilities"]) & EXTRA_ATTACKS:  # weapon.extra-attacks.no-modify
            more = more_attacks(g, model)
            least = 0 if weapon["attacks_dice"] else min(fixed, edition(g).least_attacks)
            fixed = fixed + more if more >= 0 or weapon["attacks_dice"] else max(least, fixed + more)
        g.stack[f + MeleeWeapons.LEFT] = fixed
        if weapon["attacks_dice"]:
            g.push(AttacksRoll, g.stack[f + MeleeWeapons.UNIT])

    @staticmethod
    def next(g: BattleCore, f: int, model: int) -> None:
        """Go to the model's next Extra Attacks weapon; if there is none, to the next model."""
        stack = g.stack
        stack[f + MeleeWeapons.EXTRA] += 1
        if not melee_rows(g, model, stack[f + MeleeWeapons.EXTRA]):
            stack[f + MeleeWeapons.SLOT] += 1
            stack[f + MeleeWeapons.EXTRA] = 0

    @staticmethod
    def profile(g: BattleCore, f: int) -> Any:
        """The row of ``weapons`` of the chosen weapon, as its brackets make it now."""
        model = list(g.members(g.stack[f + MeleeWeapons.UNIT]))[g.stack[f + MeleeWeapons.SLOT]]
        return g.setup.statics["weapons"][weapon_now(g, model, g.stack[f + MeleeWeapons.WEAPON])]

    @staticmethod
    def aim(g: BattleCore, f: int, model: int, target: int) -> None:
        """Declare one attack of the model with the chosen weapon against unit ``target``."""
        weapon, jobs = g.stack[f + MeleeWeapons.WEAPON], g.jobs
        for row, attacks in enumerate(jobs.attacks):
            if attacks > 0 and (jobs.model[row], jobs.weapon[row], jobs.target[row]) == (model, weapon, target):
                jobs.attacks[row] += 1
                break
        else:
            declare(g, model, weapon, target, 1)
        g.stack[f + MeleeWeapons.LEFT] -= 1

    @staticmethod
    def add_attacks(g: BattleCore, f: int, count: int) -> None:
        """Add ``count`` attacks that need a target."""
        g.stack[f + MeleeWeapons.LEFT] += count


class AttacksRoll(DiceRoll):
    """The random number of a model's attacks, rolled before they are divided over several units; ``MeleeWeapons``
    pushes it.
    """

    name = "attacks"
    command = True

    @staticmethod
    def of_weapon(g: BattleCore) -> tuple[int, int]:
        """The number of dice and the sides of each."""
        weapon = MeleeWeapons.profile(g, beneath(g.frame))
        return int(weapon["attacks_dice"]), int(weapon["attacks_sides"])

    def number(self, g: BattleCore, unit: int) -> int:
        return self.of_weapon(g)[0]

    def total(self, g: BattleCore, unit: int, faces: list[int]) -> int:
        return summed(faces, self.of_weapon(g)[1])

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        MeleeWeapons.add_attacks(g, g.frame, result)

    def good(self, g: BattleCore, unit: int, result: int) -> bool:
        dice, sides = self.of_weapon(g)
        return 2 * result >= dice * (sides + 1)


def declare(g: BattleCore, model: int, weapon: int, target: int, count: int) -> None:
    """Declare ``count`` melee attacks of the model with a weapon at a target (-1: as many as the weapon has)."""
    append_job(g, model, weapon, target, melee_near(g.models.rows, g.units.rows, model), count)


def fighter(g: BattleCore, f: int) -> int:
    """The model whose melee weapons are chosen."""
    return int(list(g.members(g.stack[f + MeleeWeapons.UNIT]))[g.stack[f + MeleeWeapons.SLOT]])


class MeleeWeapon(DecisionKind):
    name = "melee-weapon"
    what = "Which melee weapon profile the model uses."
    instead = "The one expected to hurt its target most."
    keys: ClassVar[tuple[str, ...]] = ("fight.weapons.one", "fight.weapons.profile")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        model = list(g.members(g.stack[f + MeleeWeapons.UNIT]))[g.stack[f + MeleeWeapons.SLOT]]
        for number, _ in enumerate(melee_rows(g, model, g.stack[f + MeleeWeapons.EXTRA])):
            mask[g.setup.space.number + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        model = list(g.members(g.stack[f + MeleeWeapons.UNIT]))[g.stack[f + MeleeWeapons.SLOT]]
        row = melee_rows(g, model, g.stack[f + MeleeWeapons.EXTRA])[action - g.setup.space.number]
        g.stack[f + MeleeWeapons.WEAPON] = g.setup.statics["arsenal_weapon"][row]
        g.stack[f + STEP] = MeleeWeapons.Step.COUNT

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return "no Extra Attacks weapon"
        model = list(g.members(g.stack[f + MeleeWeapons.UNIT]))[g.stack[f + MeleeWeapons.SLOT]]
        row = melee_rows(g, model, g.stack[f + MeleeWeapons.EXTRA])[action - g.setup.space.number]
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
            MeleeWeapons.next(g, f, list(g.members(g.stack[f + MeleeWeapons.UNIT]))[g.stack[f + MeleeWeapons.SLOT]])


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
        unit = g.stack[f + MeleeWeapons.UNIT]
        model = list(g.members(unit))[g.stack[f + MeleeWeapons.SLOT]]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        for enemy in reachable(g, model):
            mask[at + enemy] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack = g.stack
        unit = stack[f + MeleeWeapons.UNIT]
        model = list(g.members(unit))[stack[f + MeleeWeapons.SLOT]]
        target = g.players.first_unit[1 - g.units.owner[unit]] + action - g.setup.space.enemy
        MeleeWeapons.aim(g, f, model, target)

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(model=fighter(g, f), weapon=g.stack[f + MeleeWeapons.WEAPON])
