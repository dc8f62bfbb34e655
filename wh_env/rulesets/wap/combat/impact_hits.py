"""Impact hits of units that have charged (wap.special.impact-hits.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP
from wh_env.rulesets.wap.basics.changed_dice import rerolls_under_effects
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import Number, number_of, rolled_number, times_of
from wh_env.rulesets.wap.basics.dice_changes import WOUND
from wh_env.rulesets.wap.basics.profiles import characteristic, wholly
from wh_env.rulesets.wap.basics.special_rules import line_parameters, parameters
from wh_env.rulesets.wap.basics.touching import TRODDEN
from wh_env.rulesets.wap.codes import CHARIOT
from wh_env.rulesets.wap.combat.aiming import IMPACT, Aiming, StrikeTarget, aim_some, chosen
from wh_env.rulesets.wap.combat.fighters import MOUNT, OWN, blocks_against, enemies_of, groups_of
from wh_env.rulesets.wap.combat.strikes import fighting, order_of
from wh_env.rulesets.wap.combat.wounds import aim, aimed, asks_for_ward, clear_blows, remove_losses, strike
from wh_env.rulesets.wap.rule_book import IMPACT_HITS
from wh_env.rulesets.wap.shooting.allotting import IMPACTS, Allot, is_few
from wh_env.rulesets.wap.troops.cavalry import mount_of
from wh_env.rulesets.wap.weapons.blows import Blow, blow_at, own_bonus
from wh_env.rulesets.wap.weapons.charged import has_impetus, held_at, targets_of
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC

NO_HITS: Number = (0, 6, 0)


def hits_each(g: BattleCore, line: int) -> Number:
    """Impact hits of each model with a profile (that of its mount, if it has one), as (dice, sides, added). If rules
    give several, the highest (wap.special.impact-hits.number).
    """
    told = parameters(g, g.lines.unit[line], IMPACT_HITS) + line_parameters(g, line, IMPACT_HITS)
    return max(map(number_of, told), key=lambda n: times_of(n) * n[0] * (n[1] + 1) + 2 * n[2], default=NO_HITS)


def hits_of(g: BattleCore, line: int, models: int) -> int:
    """Impact hits that so many models of a profile roll, each for itself."""
    number = hits_each(g, line)
    return sum(rolled_number(g, number) for _ in range(models))


def hits_from_behind(g: BattleCore, unit: int) -> int:
    """Impact hits that the chariots of the second rank add, D3 each and once a round (wap.troop.chariot.support)."""
    m = g.models
    if g.units.kind[unit] != CHARIOT:
        return 0
    rows = [k for k in g.members(unit) if m.rank[k] == 1 and not m.struck[k]]
    for k in rows:
        m.struck[k] |= MOUNT
    dice = [g.d6() for _ in rows]
    if g.recorder is not None and rows:
        g.note("wap.troop.chariot.support", "second rank", unit=unit, rolls=tuple(dice))
    return sum(-(-die // 2) for die in dice)


def impact_of(g: BattleCore, unit: int, line: int) -> Blow:
    """The blow of impact hits: the Strength of the profile (a mount's, if there is one) with its bonus; they hit
    automatically and no other rule applies (wap.special.impact-hits.strength, .no-other-rules,
    wap.troop.cavalry.rules).
    """
    blow = blow_at(characteristic(g, line, "s") + own_bonus(g, unit, line), AUTOMATIC)
    return blow._replace(wound_rerolls=rerolls_under_effects(g, g.lines.unit[line], WOUND))


def next_impact(g: BattleCore, unit: int) -> tuple[int, list[int], int]:
    """The next models of a unit that make impact hits: models, characters among them, that touch the same of the
    enemies the unit has charged and have not made theirs (wap.special.impact-hits.when). Marks that they have made
    them.

    Returns:
        Their profile (the mount's, if they have one), those enemies, and the number of models; 0: there are none.
    """
    found: tuple[int, list[int], int] = (-1, [], 0)
    if not has_impetus(g, unit) or IMPACT_HITS not in g.setup.statics["named_rules"]:
        return found
    m, enemies, charged = g.models, enemies_of(g, unit), targets_of(g, unit)
    duel = g.units.duel
    foes = [foe for foe in blocks_against(g, unit) if foe in charged and any(duel[row] < 0 for row in wholly(g, foe))]
    foes = [foe for foe in foes if not held_at(g, unit, foe)]
    groups_of(g, unit, 0, again=True)
    for row in wholly(g, unit):
        mount = mount_of(g, row)
        for k in g.members(row):
            line = m.line[k] if mount < 0 else mount
            touched = {block_of(g, enemy) for enemy in chosen(enemies, int(g.work.strikes.reach[k, TRODDEN]))}
            struck = [foe for foe in foes if foe in touched]
            if m.struck[k] & OWN or not struck or hits_each(g, line) == NO_HITS:
                continue
            if not found[2] or (line, struck) == found[:2]:
                m.struck[k] |= OWN
                found = line, struck, found[2] + 1
    return found


def next_shared(g: BattleCore) -> int:
    """A unit so small that characters in it may take impact hits, and with hits that are not allotted yet; -1: there is
    none (wap.special.impact-hits.distribution).
    """
    b = g.blows
    return next((b.target[k] for k in aimed(g) if b.attacks[k] and not b.later[k] and is_few(g, b.target[k])), -1)


class ImpactHits(Aiming):
    """The impact hits of all units in the combat, before any unit strikes (wap.special.impact-hits.when)."""

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack = ImpactHits.Step, g.stack
        if stack[f + STEP] == Step.BEGIN:
            clear_blows(g)
            g.models.rows["struck"] = 0
            stack[f + STEP] = Step.GO_ON
        elif stack[f + STEP] == Step.TARGET:
            return g.ask(StrikeTarget, g.units.owner[stack[f + ImpactHits.UNIT]], stack[f + ImpactHits.UNIT])
        elif stack[f + STEP] == Step.CHOSEN:
            aim_some(g, f, stack[f + ImpactHits.ENEMY], 1)
            stack[f + STEP] = Step.GO_ON
        elif stack[f + STEP] == Step.END:
            clear_blows(g)
            return g.pop()
        if self._distributed(g, f):
            if (target := next_shared(g)) >= 0:
                g.push(Allot, target, target, 0, IMPACTS)
                return GO
            rows = sorted(aimed(g), key=lambda k: order_of(g, k))
            for k in rows:
                if not g.blows.attacks[k]:
                    continue
                blow = impact_of(g, g.blows.unit[k], g.blows.line[k])
                if asks_for_ward(g, k, blow) or not strike(g, k, blow):
                    return GO
            stack[f + STEP] = Step.END
            remove_losses(g, rows)
        return GO

    def _distributed(self, g: BattleCore, f: int) -> bool:
        """Roll all hits and aim them. Returns whether that is finished; False: a player is to be asked first."""
        stack = g.stack
        while not stack[f + ImpactHits.ATTACKS]:
            if not self._rolled(g, f):
                return True
        stack[f + STEP] = ImpactHits.Step.TARGET  # there are more enemies than odd hits
        return False

    def _rolled(self, g: BattleCore, f: int) -> bool:
        """Roll the hits of the next models that have not made theirs and divide them as evenly as possible
        (wap.special.impact-hits.distribution). Returns False if there are no such models.
        """
        stack = g.stack
        for unit in fighting(g):
            line, struck, models = next_impact(g, unit)
            if not models:
                continue
            hits = hits_of(g, line, models) + hits_from_behind(g, unit)
            if g.recorder is not None:
                told = {"targets": tuple(struck), "amount": hits, "strikers": models}
                g.note("wap.special.impact-hits.number", "impact hits", unit=unit, **told)
            each, odd = divmod(hits, len(struck))
            for enemy in struck if each else ():
                aim(g, unit, line, enemy, each, IMPACT)
            stack[f + ImpactHits.UNIT], stack[f + ImpactHits.LINE], stack[f + ImpactHits.BEHIND] = unit, line, 0
            stack[f + ImpactHits.ATTACKS], stack[f + ImpactHits.KEY] = odd, IMPACT
            stack[f + ImpactHits.TARGETS] = sum(
                1 << n for n, enemy in enumerate(enemies_of(g, unit)) if enemy in struck
            )
            return True
        return False
