"""From attacks to losses: to hit, to wound, saves, the tally, who is removed (wap.combat.hit.*, .wound.*, .save.*, .casualties.*).

What is struck at one time stands in ``blows``: nobody is removed before all of it is rolled (wap.combat.order.simultaneous).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.contacts import row_between, side_towards, tally
from wh_env.rulesets.wap.basics.many_dice import throw
from wh_env.rulesets.wap.basics.needed import to_hit
from wh_env.rulesets.wap.basics.rows import rows_in_use
from wh_env.rulesets.wap.casualties.casualties import Casualties
from wh_env.rulesets.wap.casualties.harm import roll_to_wound, wounds_lost
from wh_env.rulesets.wap.casualties.losses import is_asked, wounds_of
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.codes import FRONT, STOMPS
from wh_env.rulesets.wap.combat.ward_choice import ChooseWard, WardChoice, may_choose_ward
from wh_env.rulesets.wap.rule_book import SKIRMISHERS
from wh_env.rulesets.wap.troops.cavalry import defence
from wh_env.rulesets.wap.weapons.blows import Blow
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC


def clear_blows(g: BattleCore) -> None:
    """Nothing has been aimed any more."""
    rows = g.blows.rows
    for column in rows.dtype.names or ():
        rows[column] = -1 if column in ("unit", "target", "line") else 0


def aim(
    g: BattleCore, unit: int, line: int, target: int, attacks: int, key: int, *, later: bool = False, breath: int = 0
) -> None:
    """Add attacks of a profile at an enemy to those that are made when their time comes; ``later``: others strike before;
    ``breath``: they are hits of that one of its breaths, counted from 1.

    Raises:
        LookupError: there is no row left.
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
    """Rows of ``blows`` in use."""
    return rows_in_use(g.blows.unit)


def free_row(g: BattleCore, k: int) -> None:
    """The blows of a row have been struck."""
    b = g.blows
    b.unit[k] = b.line[k] = b.target[k] = -1
    b.attacks[k] = b.key[k] = b.later[k] = b.wounds[k] = b.breath[k] = 0


def asks_for_ward(g: BattleCore, k: int, blow: Blow) -> bool:
    """Ask the owner of the unit that a row strikes which ward save it takes against it, where he has to be asked (wap.shoot.ward.choice)."""
    unit, target = g.blows.unit[k], g.blows.target[k]
    if g.units.ward[target] or g.is_answered_by_default(WardChoice) or row_between(g, unit, target) < 0:
        return False
    side = side_towards(g, target, unit)
    if not may_choose_ward(g, target, blow.strength, side, blow.nature):
        return False
    g.push(ChooseWard, target, blow.strength, side, blow.nature)
    return True


def stomped(g: BattleCore, unit: int, target: int, models: int) -> int:
    """Hits of so many models that stomp: D6 each, D3 on a lone model and on skirmishers (wap.special.stomp)."""
    few = halves_stomps(g, target)
    dice = [g.d6() for _ in range(models)]
    hits = sum(-(-die // 2) if few else die for die in dice)
    if g.recorder is not None:
        g.note("wap.special.stomp", "stomps", unit=unit, target=target, rolls=tuple(dice), amount=hits)
    return hits


def halves_stomps(g: BattleCore, target: int) -> bool:
    """Whether a stomp finds fewer in a unit: a lone model, or skirmishers."""
    return g.units.block[target] == 1 or has(g, target, SKIRMISHERS)


def strike(g: BattleCore, k: int, blow: Blow) -> None:
    """Roll the attacks of a row at an enemy in contact, or at a rival slain in a duel of this round: to hit, to wound,
    saves; it has none left then."""
    b = g.blows
    unit, target, attacks, row = b.unit[k], b.target[k], b.attacks[k], g.lines.unit[b.line[k]]
    fallen = g.units.duel[target] == row and not g.units.alive[target]
    if row_between(g, unit, target) < 0 and not fallen:  # nobody is there any more
        b.attacks[k] = 0
        return
    skill, toughness = defence(g, target)
    hits = stomped(g, unit, target, attacks) if g.lines.kind[b.line[k]] == STOMPS else attacks
    if not blow.nature & AUTOMATIC:
        needed = to_hit(blow.weapon_skill, skill)
        hits, shown = throw(g, attacks, needed, blow.rerolls)
        if g.recorder is not None:
            told = {"amount": attacks, "needed": needed, "rolls": shown, "result": hits}
            g.note("wap.combat.hit.roll", "to hit", unit=unit, target=target, **told)
    wounds = roll_to_wound(g, target, hits, blow, toughness)
    if g.recorder is not None and hits:
        told = {"amount": hits, "needed": wounds.needed, "rolls": wounds.shown, "result": wounds.number}
        g.note("wap.combat.wound.roll", "to wound", unit=unit, target=target, **told)
    lost, due = 0, sum(b.wounds[n] for n in aimed(g) if b.target[n] == target)
    if wounds.number:
        duel = g.units.duel[target] == row and g.lines.kind[b.line[k]] != STOMPS and not b.breath[k]
        side = FRONT if fallen else side_towards(g, target, unit)
        lost = wounds_lost(g, target, wounds, blow.hit, side, due, duel=duel)
        if duel:
            g.units.overkill[unit] += max(0, due + lost - max(due, wounds_of(g, target)))
    g.units.ward[target] = b.attacks[k] = 0
    b.wounds[k] = max(0, min(lost, wounds_of(g, target) - due))
    if b.wounds[k]:
        tally(g, unit, target, b.wounds[k])
    if g.recorder is not None and lost:
        told = {"amount": b.wounds[k], "result": lost}
        g.note("wap.combat.casualties.tally", "wounds", unit=unit, target=target, **told)


def remove_losses(g: BattleCore, rows: list[int]) -> None:
    """All that the rows have cost is taken off at once (wap.combat.order.simultaneous, .casualties.from-rear, .casualties.excess)."""
    b = g.blows
    lost: dict[int, dict[int, int]] = {}  # by target, by who has dealt it
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
