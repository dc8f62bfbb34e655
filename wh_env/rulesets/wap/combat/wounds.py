"""From attacks to losses: rolls to hit and to wound, saves, the tally, removal of models (wap.combat.hit.*, .wound.*,
.save.*, .casualties.*).

Attacks that are made at one time stand in ``blows``. No model is removed before all of them are rolled
(wap.combat.order.simultaneous).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag, row_of
from wh_env.core.procedures import integer
from wh_env.rulesets.wap.basics.contacts import row_between, side_towards, tally
from wh_env.rulesets.wap.basics.dice import FACES
from wh_env.rulesets.wap.basics.effects import Effect
from wh_env.rulesets.wap.basics.many_dice import throw
from wh_env.rulesets.wap.basics.needed import AUTOMATIC as NO_DICE
from wh_env.rulesets.wap.basics.needed import to_hit
from wh_env.rulesets.wap.basics.rows import rows_in_use
from wh_env.rulesets.wap.basics.stomps import halves_stomps
from wh_env.rulesets.wap.casualties.casualties import Casualties
from wh_env.rulesets.wap.casualties.harm import UNHARMED, Harm, harmed, roll_to_wound
from wh_env.rulesets.wap.casualties.losses import is_asked, wounds_of
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.casualties.second_saves import SaveAgain, ask_about_save, may_save_again
from wh_env.rulesets.wap.codes import FRONT, STOMPS
from wh_env.rulesets.wap.combat.curses import curse
from wh_env.rulesets.wap.combat.ward_choice import ChooseWard, WardChoice, may_choose_ward
from wh_env.rulesets.wap.troops.cavalry import defence
from wh_env.rulesets.wap.weapons.blows import Blow, arm_of
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC


def clear_blows(g: BattleCore) -> None:
    """Empty all rows of ``blows``."""
    rows = g.blows.rows
    for column in rows.dtype.names or ():
        rows[column] = -1 if column in ("unit", "target", "line") else 0


def aim(
    g: BattleCore, unit: int, line: int, target: int, attacks: int, key: int, *, later: bool = False, breath: int = 0
) -> None:
    """Add attacks of a profile at the unit ``target`` to ``blows``.

    Args:
        key: the step at which they are made. later: that step comes after the one at which they are aimed.
        breath: they are hits of that breath of the profile, counted from 1; 0: of none.

    Raises:
        LookupError: no row is free.
    """
    b = g.blows
    free = -1
    for k in range(len(b.unit)):
        if (b.unit[k], b.line[k], b.target[k], b.key[k], b.breath[k]) == (unit, line, target, key, breath):
            b.attacks[k] += attacks
            return
        if b.unit[k] < 0 and free < 0:
            free = k
            break
    if free < 0:
        raise LookupError("no room for further blows")
    b.unit[free], b.line[free], b.target[free], b.attacks[free], b.key[free] = unit, line, target, attacks, key
    b.later[free], b.breath[free] = later, breath


def aimed(g: BattleCore) -> list[int]:
    """The rows of ``blows`` in use."""
    return rows_in_use(g.blows.unit)


def free_row(g: BattleCore, k: int) -> None:
    """Empty row ``k`` of ``blows``."""
    b = g.blows
    b.unit[k] = b.line[k] = b.target[k] = -1
    b.attacks[k] = b.key[k] = b.later[k] = b.wounds[k] = b.breath[k] = 0


def asks_for_ward(g: BattleCore, k: int, blow: Blow) -> bool:
    """Push the question which ward save the target of row ``k`` takes against ``blow``, if its owner has to be asked.
    Returns whether it did (wap.shoot.ward.choice).
    """
    unit, target = g.blows.unit[k], g.blows.target[k]
    if g.units.ward[target] or g.is_answered_by_default(WardChoice) or row_between(g, unit, target) < 0:
        return False
    side = side_towards(g, target, unit)
    if not may_choose_ward(g, target, blow.strength, side, blow.nature):
        return False
    g.push(ChooseWard, target, blow.strength, side, blow.nature)
    return True


def stomped(g: BattleCore, unit: int, target: int, models: int) -> int:
    """Roll the hits of so many models that stomp: D6 each, D3 on a lone model of infantry and on skirmishers
    (wap.special.stomp).
    """
    few = halves_stomps(g, target)
    dice = [g.d6() for _ in range(models)]
    hits = sum(-(-die // 2) if few else die for die in dice)
    if g.recorder is not None:
        g.note("wap.special.stomp", "stomps", unit=unit, target=target, rolls=tuple(dice), amount=hits)
    return hits


def hit_needed(blow: Blow, skill: int) -> int:
    """What a blow needs to hit models of Weapon Skill ``skill``; ``AUTOMATIC``: no die (wap.profile.zero.ws)."""
    needed = to_hit(blow.weapon_skill, skill)
    return needed if needed == NO_DICE else min(FACES, needed - blow.hitting)


def strike(g: BattleCore, k: int, blow: Blow) -> bool:
    """Roll the attacks of row ``k``: to hit, to wound, saves; enter the wounds in the row, where no attacks are left
    then. The target has to be in contact or a rival slain in a duel of this round; else the attacks are lost. Returns
    False if a player is asked first whether he rolls a save again.
    """
    b = g.blows
    unit, target, attacks, row = b.unit[k], b.target[k], b.attacks[k], g.lines.unit[b.line[k]]
    fallen = g.units.duel[target] == row and not g.units.alive[target]
    if row_between(g, unit, target) < 0 and not fallen:  # the target is not there any more
        b.attacks[k] = 0
        return True
    skill, toughness = defence(g, target)
    hits = stomped(g, unit, target, attacks) if g.lines.kind[b.line[k]] == STOMPS else attacks
    if not blow.nature & AUTOMATIC:
        needed = hit_needed(blow, skill)
        hits, shown = throw(g, attacks, needed, blow.rerolls)
        if g.recorder is not None:
            told = {"amount": attacks, "needed": needed, "rolls": shown, "result": hits}
            g.note("wap.combat.hit.roll", "to hit", unit=unit, target=target, **told)
    hits *= blow.hits
    wounds = roll_to_wound(g, target, hits, blow, toughness)
    if g.recorder is not None and hits:
        told = {"amount": hits, "needed": wounds.needed, "rolls": wounds.shown, "result": wounds.number}
        g.note("wap.combat.wound.roll", "to wound", unit=unit, target=target, **told)
    harm = UNHARMED
    if wounds.number:
        side = FRONT if fallen else side_towards(g, target, unit)
        harm = harmed(g, target, wounds, blow.hit, side, wounds_due(g, target), duel=is_in_duel(g, k))
    if may_save_again(g, target, harm):
        g.units.ward[target] = 0
        g.push(SaveFromBlows, target, harm.lost, harm.unsaved, *harm.failed, k, int(bool(blow.curses)))
        return False
    enter(g, k, harm, blow.curses)
    return True


def wounds_due(g: BattleCore, target: int) -> int:
    """The Wounds that a unit loses by the blows that are rolled already."""
    b = g.blows
    return sum(b.wounds[n] for n in aimed(g) if b.target[n] == target)


def is_in_duel(g: BattleCore, k: int) -> bool:
    """Whether the attacks of row ``k`` are those of a duel."""
    b = g.blows
    own = g.units.duel[b.target[k]] == g.lines.unit[b.line[k]]
    return bool(own and g.lines.kind[b.line[k]] != STOMPS and not b.breath[k])


def enter(g: BattleCore, k: int, harm: Harm, curses: tuple[Effect, ...]) -> None:
    """Enter in row ``k`` what its attacks cost the target; no attacks are left then."""
    b, lost = g.blows, harm.lost
    unit, target, row, due = b.unit[k], b.target[k], g.lines.unit[b.line[k]], wounds_due(g, b.target[k])
    if lost and is_in_duel(g, k):
        g.units.overkill[unit] += max(0, due + lost - max(due, wounds_of(g, target)))
    g.units.ward[target] = b.attacks[k] = 0
    b.wounds[k] = max(0, min(lost, wounds_of(g, target) - due))
    if b.wounds[k]:
        tally(g, unit, target, b.wounds[k])
    if curses and harm.unsaved and due + b.wounds[k] < wounds_of(g, target):
        curse(g, row, target, curses, harm.unsaved)
    if g.recorder is not None and lost:
        told = {"amount": b.wounds[k], "result": lost}
        g.note("wap.combat.casualties.tally", "wounds", unit=unit, target=target, **told)


class SaveFromBlows(SaveAgain):
    """A unit may roll a save again against blows, which are entered in their row afterwards."""

    advance = ask_about_save
    ROW = integer(row_of("blows"))
    CURSES = integer(flag())  # the weapon of the blows has curses

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the row has blows at the unit."""
        k = g.stack[f + SaveFromBlows.ROW]
        is_row = g.blows.unit[k] >= 0 and g.blows.target[k] == g.stack[f + SaveFromBlows.UNIT] and g.blows.attacks[k]
        return bool(is_row and super().fits(g, f))

    def goes_on(self, g: BattleCore, unit: int, harm: Harm, f: int) -> None:
        k = g.stack[f + SaveFromBlows.ROW]
        enter(g, k, harm, arm_of(g, g.blows.line[k]).curses if g.stack[f + SaveFromBlows.CURSES] else ())


def remove_losses(g: BattleCore, rows: list[int]) -> None:
    """Take off the losses of all the rows at once and free the rows (wap.combat.order.simultaneous,
    .casualties.from-rear, .casualties.excess).
    """
    b = g.blows
    lost: dict[int, dict[int, int]] = {}  # by target, then by the unit that has dealt it
    for k in rows:
        if b.wounds[k]:
            by = lost.setdefault(b.target[k], {})
            by[b.unit[k]] = by.get(b.unit[k], 0) + b.wounds[k]
        free_row(g, k)
    later: list[tuple[int, int, int]] = []
    for target, by in lost.items():
        wounds, worst = sum(by.values()), max(by, key=lambda unit: by[unit])
        if is_asked(g, target, wounds):
            later.append((target, wounds, worst))
        else:
            suffer(g, target, wounds, by=worst)
    for target, wounds, worst in reversed(later):
        g.push(Casualties, target, wounds, worst + 1)
