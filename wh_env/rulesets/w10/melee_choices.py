"""Full detail of melee: the weapon of each model, and which of its attacks go at which unit (w10.fight.weapons.*, .targets.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, V
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w10.declare import append_job
from wh_env.rulesets.w40k.profiles import WeaponAbility
from wh_env.rulesets.w40k.targets import reaches_in_melee
from wh_env.rulesets.w40k.volley import melee_near

UNIT, SLOT, WEAPON, EXTRA, LEFT, FIRST_JOB = V, V + 1, V + 2, V + 3, V + 4, V + 5
EXTRA_ATTACKS = int(WeaponAbility.EXTRA_ATTACKS)

# steps
CHOOSE, COUNT, AIM = range(3)


def melee_rows(g: BattleCore, model: int, extra: bool) -> list[int]:
    """Arsenal rows of the model's melee profiles: its Extra Attacks weapons, or the others."""
    statics, m = g.setup.statics, g.models
    first = m.first_weapon[model]
    return [
        s
        for s in range(first, first + m.weapons[model])
        if statics["weapons"][statics["arsenal_weapon"][s]]["melee"]
        and bool(statics["weapon_abilities"][statics["arsenal_weapon"][s]] & EXTRA_ATTACKS) == extra
    ]


def reachable(g: BattleCore, model: int) -> list[int]:
    """Enemy units that the model may attack in melee."""
    u = g.units
    return [
        enemy
        for enemy in g.units_of(1 - g.models.owner[model])
        if u.place[enemy] == ON_TABLE and reaches_in_melee(g.models.rows, u.rows, model, enemy)
    ]


class MeleeWeapons(Procedure):
    """Model by model: one melee weapon profile, Extra Attacks weapons besides, and the target of each attack."""

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        unit = stack[f + UNIT]
        owner = g.units.owner[unit]
        rows = list(g.members(unit))
        if stack[f + SLOT] >= len(rows):
            return g.pop()
        model = rows[stack[f + SLOT]]
        step = stack[f + STEP]
        if step == CHOOSE:
            profiles = melee_rows(g, model, bool(stack[f + EXTRA]))
            if profiles and reachable(g, model):
                return g.ask(ExtraWeapon if stack[f + EXTRA] else MeleeWeapon, owner, unit)
            self.next(g, f)
            return GO
        if step == COUNT:
            weapon = g.setup.statics["weapons"][stack[f + WEAPON]]
            stack[f + LEFT] = g.roll(int(weapon["attacks_dice"]), int(weapon["attacks_sides"]), int(weapon["attacks_plus"]))
            stack[f + STEP] = AIM
            return GO
        if stack[f + LEFT] <= 0:
            stack[f + STEP] = CHOOSE
            self.next(g, f)
            return GO
        return g.ask(AttackTarget, owner, unit)

    @staticmethod
    def next(g: BattleCore, f: int) -> None:
        """Extra Attacks of the same model, then the next model."""
        stack = g.stack
        if stack[f + EXTRA]:
            stack[f + SLOT] += 1
        stack[f + EXTRA] = 1 - stack[f + EXTRA]


class MeleeWeapon(DecisionKind):
    """Which melee weapon profile the model uses."""

    name = "melee-weapon"
    rules = ("w10.fight.weapons.one", "w10.fight.weapons.profile")
    extra = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        model = list(g.members(g.stack[f + UNIT]))[g.stack[f + SLOT]]
        for number, _ in enumerate(melee_rows(g, model, self.extra)):
            mask[g.setup.space.number + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        model = list(g.members(g.stack[f + UNIT]))[g.stack[f + SLOT]]
        row = melee_rows(g, model, self.extra)[action - g.setup.space.number]
        g.stack[f + WEAPON] = g.setup.statics["arsenal_weapon"][row]
        g.stack[f + STEP] = COUNT

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return "no Extra Attacks weapon"
        model = list(g.members(g.stack[f + UNIT]))[g.stack[f + SLOT]]
        row = melee_rows(g, model, self.extra)[action - g.setup.space.number]
        weapon = g.setup.names["weapons"][g.setup.statics["arsenal_weapon"][row]]
        return f"{g.setup.names['models'][model]} fights with {weapon}"


class ExtraWeapon(MeleeWeapon):
    """Whether the model also uses an Extra Attacks weapon (done: it does not)."""

    name = "extra-attacks"
    rules = ("w10.weapon.extra-attacks",)
    extra = True

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        super().options(g, f, mask)
        mask[0] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            super().answer(g, f, action)
        else:
            MeleeWeapons.next(g, f)


class AttackTarget(DecisionKind):
    """The unit that one attack of the model targets (w10.fight.targets.split)."""

    name = "attack-target"
    rules = ("w10.fight.targets.all-first", "w10.fight.targets.split", "w10.fight.targets.eligible")

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
        only = len(reachable(g, model)) == 1
        count = stack[f + LEFT] if only else 1
        jobs = g.jobs
        for row, attacks in enumerate(jobs.attacks):
            if attacks > 0 and (jobs.model[row], jobs.weapon[row], jobs.target[row]) == (model, weapon, target):
                jobs.attacks[row] += count
                break
        else:
            near = melee_near(g.models.rows, g.units.rows, g.setup.statics["weapons"], model, weapon, target)
            append_job(g, model, weapon, target, near, count)
        stack[f + LEFT] -= count
