"""Making the declared attacks of a unit: target by target, profile by profile (w10.shoot.attacks.*, w10.fight.attacks.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, V
from wh_env.core.tables import Array
from wh_env.rulesets.w10.casualties import Demises, machine_asks, settle
from wh_env.rulesets.w10.firing_deck import lent_weapons
from wh_env.rulesets.w10.machine import ask_machine, run_machine
from wh_env.rulesets.w10.modifiers import changes_attacks, modify_attacks
from wh_env.rulesets.w10.rerolls import SAVES, windows
from wh_env.rulesets.w40k.attack_rolls import COVERED, Near
from wh_env.rulesets.w40k.attacks import (
    DONE,
    LOSS,
    begin_group,
    begin_hazardous,
    begin_hazardous_loss,
    begin_mortal,
    begin_pending,
    begin_volley,
)
from wh_env.rulesets.w40k.cover import drop_cover, take_cover
from wh_env.rulesets.w40k.jobs import groups_left, targets_left
from wh_env.rulesets.w40k.profiles import WeaponAbility

RANGED, MELEE = 0, 1
# SHELTERED: models of the attacking unit when the cover of the target was last determined
# PENDING_NOW: mortal wounds to come from its attacks so far, PSYCHIC: those of them from Psychic Attacks
UNIT, KIND, TARGET, TESTS, FAILED, SHELTERED, PENDING_NOW, PSYCHIC = range(V, V + 8)
HAZARDOUS = int(WeaponAbility.HAZARDOUS)
IGNORES_COVER = int(WeaponAbility.IGNORES_COVER)
PSYCHIC_WEAPON = int(WeaponAbility.PSYCHIC)
COVER, PLUNGING = int(Near.COVER), int(Near.AP_PLUS)

# steps of Attacks
NEXT_TARGET, NEXT_GROUP, GROUP, PENDING, HAZARD, LOSE, END = range(1, 8)


class Attacks(Procedure):
    """Resolves the rows of ``jobs``: all attacks against one target before the next, all of one profile before another."""

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        step = stack[f + STEP]
        if step == 0:
            begin_volley(g.attack.rows, stack[f + UNIT])
            g.attack.asks[0] = machine_asks(g)
            g.attack.jobs[0] = declared(g)
            g.attack.offer[0] = windows(g, stack[f + UNIT], -1)
            if changes_attacks(g):
                modify_attacks(g)
            stack[f + TESTS] = hazardous_tests(g, stack[f + KIND])
            stack[f + STEP] = step = NEXT_TARGET
        if step == NEXT_TARGET:
            return self.next_target(g, f)
        if step == NEXT_GROUP:
            return self.next_group(g, f)
        if step in (GROUP, PENDING, HAZARD, LOSE):
            return self.run(g, f, step)
        g.pop()
        settle(g)
        return GO

    @staticmethod
    def next_target(g: BattleCore, f: int) -> int:
        if g.stack[f + SHELTERED]:
            drop_cover(g.models.rows, g.units.rows, g.stack[f + TARGET])
            g.stack[f + SHELTERED] = 0
        targets = left_targets(g)
        if len(targets) == 1 or (targets and g.defaulted(TargetOrder)):
            begin_target(g, f, targets[0])
            return GO
        if not targets:
            if g.stack[f + TESTS]:
                begin_hazardous(
                    g.attack.rows, g.stack[f + UNIT], g.stack[f + TESTS], g.dice.rows, g.script_array, log(g)
                )
                g.stack[f + STEP] = HAZARD
            else:
                g.stack[f + STEP] = END
            return GO
        return g.ask(TargetOrder, g.units.owner[g.stack[f + UNIT]], g.stack[f + UNIT])

    @staticmethod
    def next_group(g: BattleCore, f: int) -> int:
        groups = next_groups(g, f)
        if len(groups) == 1 or (groups and g.defaulted(ProfileOrder)):
            resolve_group(g, f, groups[0])
            return GO
        if groups:
            return g.ask(ProfileOrder, g.units.owner[g.stack[f + UNIT]], g.stack[f + UNIT])
        g.attack.target[0] = g.stack[f + TARGET]
        mental = g.stack[f + PSYCHIC]
        if mental:
            # those of Psychic Attacks first, as a group of their own (w10.datasheet.psychic)
            begin_mortal(g.attack.rows, g.stack[f + TARGET], mental, -1)
            g.attack.psychic[0] = 1
            g.attack.pending[0] -= mental
            g.stack[f + PENDING_NOW], g.stack[f + PSYCHIC] = g.attack.pending[0], 0
            g.stack[f + STEP] = GROUP
            return GO
        begin_pending(g.attack.rows)
        g.stack[f + PENDING_NOW] = 0
        g.stack[f + STEP] = PENDING
        return GO

    @staticmethod
    def run(g: BattleCore, f: int, step: int) -> int:
        stack = g.stack
        code = run_machine(g, 0)
        if code == LOSS:
            g.push(Demises)
            return GO
        if code != DONE:
            return ask_machine(g, code, 0)
        if step == GROUP:
            more = g.attack.pending[0] - stack[f + PENDING_NOW]
            stack[f + PENDING_NOW] += more
            if g.attack.psychic[0]:
                stack[f + PSYCHIC] = max(0, stack[f + PSYCHIC] + more)
            elif more < 0:
                stack[f + PSYCHIC] = 0  # the target is destroyed
            stack[f + STEP] = NEXT_GROUP
        elif step == PENDING:
            stack[f + STEP] = NEXT_TARGET
        elif step == HAZARD:
            stack[f + FAILED] = g.attack.failures[0]
            stack[f + STEP] = LOSE
        elif stack[f + FAILED] and hazardous_models(g, stack[f + UNIT]):
            stack[f + FAILED] -= 1
            return g.ask(HazardousModel, g.units.owner[stack[f + UNIT]], stack[f + UNIT])
        else:
            stack[f + STEP] = END
        g.push(Demises)
        return GO


def log(g: BattleCore) -> Array:
    """Where the machine writes its log."""
    rows: Array = g.setup.statics["no_log" if g.recorder is None else "log"]
    return rows


def shelter(g: BattleCore, f: int, group: int) -> None:
    """Which models of the target have the Benefit of Cover from terrain against the attacks of a group that begins.

    Nobody moves while a unit makes its attacks, so it is asked once a target, and again when attacking models were lost
    (w10.terrain.cover.per-model, .all-attackers).
    """
    stack, setup = g.stack, g.setup
    unit, target, near = stack[f + UNIT], stack[f + TARGET], g.jobs.near[group]
    if stack[f + KIND] != RANGED or not len(setup.features):
        return
    if g.recorder is not None and near & PLUNGING:
        g.note("w10.terrain.ruins.plunging-fire", "fires from above", unit=unit, target=target)
    if near & COVER or setup.statics["weapon_abilities"][g.jobs.weapon[group]] & IGNORES_COVER:
        return
    if stack[f + SHELTERED] != g.units.alive[unit] and cover_counts(g, target, g.jobs.weapon[group], near):
        stack[f + SHELTERED] = g.units.alive[unit]
        count = take_cover(g.models.rows, g.units.rows, setup.features, setup.blocks, setup.corners, unit, target)
        if g.recorder is not None and count:
            models = [k for k in g.members(target) if g.models.flags[k] & COVERED]
            g.note("w10.terrain.cover.per-model", "Benefit of Cover", unit=unit, target=target, models=models)


def declared(g: BattleCore) -> int:
    """Rows of ``jobs`` in use."""
    rows = g.jobs.rows["attacks"].nonzero()[0]
    return int(rows[-1]) + 1 if len(rows) else 0


def cover_counts(g: BattleCore, target: int, weapon: int, near: int) -> bool:
    """Whether the Benefit of Cover would help any model of the target against the attacks (w10.terrain.cover.three-plus)."""
    statics, save = g.setup.statics, g.models.save
    if near & PLUNGING or statics["weapons"][weapon]["ap"] != 0:
        return True
    good = statics["attack_rules"][0]["no_cover_save"]
    return any(save[k] > good for k in g.members(target))


def left_targets(g: BattleCore) -> list[int]:
    """Units that declared attacks are still to be made against, in order of declaration."""
    out = g.setup.statics["marks"]
    count = targets_left(g.models.rows, g.units.rows, g.jobs.rows, g.attack.jobs[0], out)
    return out[:count].tolist()  # type: ignore[no-any-return]


def left_groups(g: BattleCore, target: int) -> list[int]:
    """Groups of alike attacks still to be made against a target, in order of declaration; none once it is destroyed."""
    out = g.setup.statics["marks"]
    count = groups_left(g.models.rows, g.units.rows, g.jobs.rows, g.attack.jobs[0], target, out)
    return out[:count].tolist()  # type: ignore[no-any-return]


def next_groups(g: BattleCore, f: int) -> list[int]:
    """The groups that may be resolved next: once a profile was begun, its own (w10.shoot.attacks.profile-order)."""
    groups = left_groups(g, g.stack[f + TARGET])
    if len(groups) > 1:
        weapon, begun = g.jobs.weapon, g.attack.weapon[0]
        return [group for group in groups if weapon[group] == begun] or groups
    return groups


def begin_target(g: BattleCore, f: int, target: int) -> None:
    """The attacks against this target are made next."""
    g.stack[f + TARGET] = target
    g.stack[f + STEP] = NEXT_GROUP
    g.attack.weapon[0] = -1
    g.attack.offer[0] = g.attack.offer[0] & ~SAVES | windows(g, -1, target)


def resolve_group(g: BattleCore, f: int, group: int) -> None:
    """This group of alike attacks is made next."""
    shelter(g, f, group)
    begin_group(g.units.rows, g.jobs.rows, g.attack.rows, group)
    weapon = g.attack.weapon[0] = g.jobs.weapon[group]
    g.attack.psychic[0] = bool(g.setup.statics["weapon_abilities"][weapon] & PSYCHIC_WEAPON)
    g.stack[f + STEP] = GROUP


def hazardous_tests(g: BattleCore, kind: int) -> int:
    """One test for each Hazardous weapon that attacks (w10.weapon.hazardous.test).

    A ranged weapon has one row of ``jobs``; the attacks of a melee weapon may be split over several.
    """
    jobs, abilities = g.jobs, g.setup.statics["weapon_abilities"]
    rows = [r for r in range(g.attack.jobs[0]) if jobs.attacks[r] and abilities[jobs.weapon[r]] & HAZARDOUS]
    return len(rows) if kind == RANGED else len({(jobs.model[row], jobs.weapon[row]) for row in rows})


def hazardous_models(g: BattleCore, unit: int) -> list[int]:
    """Models of the unit equipped with a Hazardous weapon, a TRANSPORT also by its Firing Deck."""
    m, abilities, arsenal = g.models, g.setup.statics["weapon_abilities"], g.setup.statics["arsenal_weapon"]
    lent = any(abilities[weapon] & HAZARDOUS for weapon in lent_weapons(g, unit))
    return [
        k
        for k in g.members(unit)
        if lent
        or any(abilities[arsenal[s]] & HAZARDOUS for s in range(m.first_weapon[k], m.first_weapon[k] + m.weapons[k]))
    ]


class TargetOrder(DecisionKind):
    """Which of the declared targets is resolved next."""

    name = "target-order"
    rules = ("w10.shoot.attacks.target-order", "w10.fight.attacks.target-order")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[g.stack[f + UNIT]]]
        for target in left_targets(g):
            mask[at + target] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        first = g.players.first_unit[1 - g.units.owner[g.stack[f + UNIT]]]
        begin_target(g, f, first + action - g.setup.space.enemy)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        """The target that was declared first."""
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[g.stack[f + UNIT]]]
        return int(at + left_targets(g)[0])


class ProfileOrder(DecisionKind):
    """Which group of alike attacks against the target is resolved next; once begun, all of its profile follow."""

    name = "profile-order"
    rules = ("w10.shoot.attacks.profile-order", "w10.fight.attacks.profile-order")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        allowed = next_groups(g, f)
        for number, group in enumerate(left_groups(g, g.stack[f + TARGET])[: g.setup.space.numbers]):
            if group in allowed:
                mask[g.setup.space.number + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        resolve_group(g, f, left_groups(g, g.stack[f + TARGET])[action - g.setup.space.number])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        group = left_groups(g, g.stack[f + TARGET])[action - g.setup.space.number]
        return f"resolve {g.setup.names['weapons'][g.jobs.weapon[group]]}"


class HazardousModel(DecisionKind):
    """Which model with a Hazardous weapon pays for a failed test."""

    name = "hazardous-model"
    rules = ("w10.weapon.hazardous.model-destroyed",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        payers = set(hazardous_models(g, g.stack[f + UNIT]))
        for slot, model in enumerate(g.members(g.stack[f + UNIT])):
            if model in payers:
                mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        from wh_env.rulesets.w10.machine import LOST, tell

        model = list(g.members(g.stack[f + UNIT]))[action - g.setup.space.model]
        g.attack.casualties[0] = g.queue[LOST]
        begin_hazardous_loss(
            g.models.rows,
            g.units.rows,
            g.attack.rows,
            g.setup.statics["attack_rules"],
            log(g),
            g.casualties_array,
            model,
        )
        g.queue[LOST] = g.attack.casualties[0]
        if g.recorder is not None:
            tell(g, g.attack)
