"""The choices of greedy play in the Magic phase: what is cast on which unit with how many dice, and what is dispelled.

The worth of a spell is what it does to units (``judge_magic``), to the enemy's with the sign turned. A casting is worth
its versions by the chances of the dice, less the chance that it is dispelled, what a miscast costs, and what its dice
could do for other spells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import beneath
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.carried import item_at
from wh_env.rulesets.wap.basics.dice import FACES
from wh_env.rulesets.wap.basics.effects import rows_in_use
from wh_env.rulesets.wap.basics.resistance import resistance_of
from wh_env.rulesets.wap.codes import OF_ITEM
from wh_env.rulesets.wap.magic.casting import Cast, FreeCast
from wh_env.rulesets.wap.magic.dispelling import BY_ARMY, Dispel, may_dispel, most_dice, own_bonus
from wh_env.rulesets.wap.magic.in_play import under
from wh_env.rulesets.wap.magic.learning import LearnSpells, open_rows
from wh_env.rulesets.wap.magic.may_cast import castable, dice_for, lowered, own_bonus_for, targets_for
from wh_env.rulesets.wap.magic.miscasts import (
    AMNESIA,
    BACKLASH,
    CALAMITY,
    CASCADE,
    DAMNED,
    DETONATION,
    DRAIN,
    ENEMY_CASTS,
    POSSESSION,
    POWER_LOSS,
)
from wh_env.rulesets.wap.magic.phase import MagicPhase
from wh_env.rulesets.wap.magic.scrolls import SPENT_WELL, Scroll
from wh_env.rulesets.wap.magic.shares import ANY, dice_for_unit, dice_of, purses
from wh_env.rulesets.wap.magic.spell_dice import LEAST, chance_of, chance_of_miscast, totals
from wh_env.rulesets.wap.magic.spells import AT_PLACES, Aim, Casting, Spell, lore_of
from wh_env.rulesets.wap.magic.targets import acted_on, flyers_there
from wh_env.rulesets.wap.magic.thrones import deeds_of
from wh_env.rulesets.wap.magic.wizards import MOST_BONUS, bonus_of, dispellers, is_bound, spell_at, spell_slot
from wh_env.rulesets.wap.view.appraise_charges import enemy_slots, own_slots
from wh_env.rulesets.wap.view.appraise_combat import worth_left
from wh_env.rulesets.wap.view.judge_magic import JUDGE
from wh_env.rulesets.wap.view.kept import Kept

# the share of a wizard's worth that results of the miscast table are taken to cost
COSTS = {
    POWER_LOSS: 0.05, ENEMY_CASTS: 0.1, BACKLASH: 0.15, DRAIN: 0.05, DETONATION: 0.5,
    AMNESIA: 0.2, CALAMITY: 0.5, POSSESSION: 0.6, CASCADE: 0.7, DAMNED: 1.0,
}  # fmt: skip
LATER = 0.5  # the share of their worth that other spells are expected to keep
EACH = 2.5  # dice that a spell takes on average
USUAL, BEST_FEW = 3, 3  # dice for a spell, and units that it is mostly cast on
THROWN_AWAY = 0.1  # points that a casting or dispelling must be worth


KEPT = Kept()


class Plan(NamedTuple):
    """A casting.

    Attributes:
        worth: points, less what its dice could do elsewhere. row: of ``spellbook``. target: unit row. dice: how many.
    """

    worth: float
    row: int
    target: int
    dice: int


# ---------------------------------------------------------------- what spells are worth


def worth_on(g: BattleCore, casting: Casting, units: Sequence[int]) -> float:
    """Points that the version of a casting is worth to its caster if it acts on these units."""
    found, owner = 0.0, g.units.owner
    for deed in deeds_of(g, casting):
        for unit in units[:1] if deed.once else units:
            value = deed.worth(JUDGE, g, casting, unit)
            found += value if owner[unit] == casting.player else -value
    return found


def worth_of_casting(g: BattleCore, casting: Casting) -> float:
    """Points that a spell is worth to its caster if it is not dispelled."""
    version = casting.spell.versions[casting.version]
    units = acted_on(g, casting.caster, casting.spell, casting.target, version.everyone, version.range)
    return worth_on(g, casting, units)


def worths_of_versions(g: BattleCore, unit: int, row: int, target: int) -> list[float]:
    """The worth of each version of a spell of a unit on a target; of a bound spell of its base version."""
    known, key = KEPT.of(g), (unit, row, target)
    if key not in known:
        spell, player = spell_at(g, row), g.units.owner[unit]
        versions = range(1 if is_bound(g, row) else len(spell.versions))
        known[key] = [worth_of_casting(g, Casting(player, unit, row, spell, n, target, 0)) for n in versions]
    return known[key]


@lru_cache(maxsize=32)
def share_lost_by_miscast(dice: int) -> float:
    """The share of its worth that a wizard is expected to lose by miscasts of so many dice."""
    results = [max(POWER_LOSS, min(DAMNED, die + dice)) for die in range(1, FACES + 1)]
    return chance_of_miscast(dice) * sum(COSTS[result] for result in results) / FACES


def best_bonus(g: BattleCore, player: int, targets: Iterable[int]) -> int:
    """The greatest bonus with which a player can dispel a spell on these units: that of his wizards who can still do
    so, and the Magic Resistance of his units among them.
    """
    resists = max((resistance_of(g, unit) for unit in targets if g.units.owner[unit] == player), default=0)
    return min(MOST_BONUS, max((own_bonus(g, unit) for unit in dispellers(g, player)), default=0) + resists)


def resisting(g: BattleCore, spell: Spell, target: int) -> list[int]:
    """The units whose Magic Resistance helps to dispel a spell with a target (wap.special.magic-resistance.dispel)."""
    if spell.aim in AT_PLACES:
        return []
    return flyers_there(g) if spell.aim is Aim.FLYERS else [target]


def chance_to_dispel(g: BattleCore, player: int, result: int, share: float, bonus: int) -> float:
    """The chance that a player dispels a casting result with a share of his dice, at least one of them."""
    pool = g.pools.dice[player]
    dice = min(pool, max(1, round(pool * share)))
    return chance_of(dice, result - bonus) if dice else 0.0


def worth_of_dice(
    g: BattleCore, unit: int, values: Sequence[float], spell: Spell, target: int, dice: int, bonus: int
) -> float:
    """Points that a spell on a target is worth, cast with so many dice of the pool; ``values``: of its versions."""
    player, less, found = g.units.owner[unit], lowered(g, spell, target), 0.0
    share, other = dice / max(1, g.pools.dice[player]), best_bonus(g, 1 - player, resisting(g, spell, target))
    for total, chance in enumerate(totals(dice)):
        result = total + bonus
        reached = [
            value for value, version in zip(values, spell.versions, strict=False) if version.value - less <= result
        ]
        if total >= LEAST and reached and chance and max(reached) > 0.0:
            found += chance * max(reached) * (1.0 - chance_to_dispel(g, 1 - player, result, share, other))
    return found


def castings(g: BattleCore, unit: int, limit: int = 0) -> Iterator[tuple[int, int, list[float]]]:
    """The castings that a unit can try now: row of ``spellbook``, target, and the worth of each version."""
    for row in castable(g, unit, limit):
        for target in targets_for(g, unit, spell_at(g, row)):
            yield row, target, worths_of_versions(g, unit, row, target)


def worth_of_spells(g: BattleCore, player: int) -> dict[int, float]:
    """By row of ``spellbook``: what the spells that a player can still try are worth at best; only those worth
    something.
    """
    found = dict[int, float]()
    for unit in g.units_of(player):
        for row, _, values in castings(g, unit):
            found[row] = max(found.get(row, 0.0), *values)
    return {row: worth for row, worth in found.items() if worth > 0.0}


def worth_of_rest(worths: Iterable[float], dice: int) -> float:
    """Points that so many dice are expected to bring with spells of these worths: the best of them are cast."""
    found, left = 0.0, dice / EACH
    for worth in sorted(worths, reverse=True):
        found += LATER * worth * min(1.0, left)
        left -= 1.0
        if left <= 0.0:
            break
    return found


def plan_for(
    g: BattleCore, unit: int, among: dict[int, float], row: int = -1, target: int = -1, more: int = 0
) -> Plan | None:
    """The casting of a unit that is worth most; None if none is worth anything.

    Args:
        among: ``worth_of_spells`` of its player. row, target: if they are chosen already.
        more: what the lore adds to the casting roll.
    """
    best, pool = None, dice_for_unit(g, unit)
    rows = castable(g, unit) if row < 0 else [row]
    for at in rows:
        spell, bound = spell_at(g, at), is_bound(g, at)
        bonus = min(MOST_BONUS, own_bonus_for(g, unit, at) + more)
        free = int(g.spellbook.source[at] == OF_ITEM)
        others = [worth for other, worth in among.items() if other != at]
        rest = [worth_of_rest(others, left) for left in range(pool + 1)]
        for aim in targets_for(g, unit, spell) if target < 0 else [target]:
            values = worths_of_versions(g, unit, at, aim)
            if max(values) <= 0.0:
                continue
            for dice in range(1, dice_for(g, unit, at, free) + 1):
                worth = worth_of_dice(g, unit, values, spell, aim, dice + free, bonus)
                worth -= rest[pool] - rest[pool - dice]
                worth -= 0.0 if bound else share_lost_by_miscast(dice) * worth_left(g, unit)
                if best is None or worth > best.worth:
                    best = Plan(worth, at, aim, dice)
    return best


# ---------------------------------------------------------------- casting


def best_caster(g: BattleCore, mask: Array) -> int:
    """The wizard whose casting is worth most, or a spell in play that is better dispelled; else no more magic."""
    player, option = g.stack[g.frame + MagicPhase.PLAYER], g.setup.space.option
    among, found = worth_of_spells(g, player), [(THROWN_AWAY, 0)]
    for action, unit in own_slots(g, mask):
        plan = plan_for(g, unit, among)
        if plan is not None:
            found.append((plan.worth, -action))
    for at, row in enumerate(may_dispel(g, player)):
        found.append((worth_of_ending(g, player, row, LATER * sum(among.values())), -(option + at)))
    return -max(found)[1]


def best_spell(g: BattleCore, mask: Array) -> int:
    """The spell of the casting that is worth most."""
    f, number = g.frame, g.setup.space.number
    unit, limit = g.stack[f + Cast.UNIT], g.stack[f + Cast.LIMIT]
    if limit:
        row = max(castings(g, unit, limit), key=lambda found: found[2][0])[0]
        return int(number + spell_slot(g, unit, row))
    plan = plan_for(g, unit, worth_of_spells(g, g.units.owner[unit]))
    return int(number + spell_slot(g, unit, plan.row)) if plan is not None else int(mask.argmax())


def best_target(g: BattleCore, mask: Array) -> int:
    """The target on which the chosen spell is worth most."""
    f = g.frame
    unit, row, slots = g.stack[f + Cast.UNIT], g.stack[f + Cast.ROW] - 1, [*own_slots(g, mask), *enemy_slots(g, mask)]
    plan = None
    if not g.stack[f + Cast.LIMIT]:
        plan = plan_for(g, unit, worth_of_spells(g, g.units.owner[unit]), row)
    if plan is not None:
        return next(action for action, target in slots if target == plan.target)
    return -max((worths_of_versions(g, unit, row, target)[0], -action) for action, target in slots)[1]


def best_dice(g: BattleCore, mask: Array) -> int:
    """The number of dice with which the chosen casting is worth most."""
    f, number = g.frame, g.setup.space.number
    unit, row, target = g.stack[f + Cast.UNIT], g.stack[f + Cast.ROW] - 1, g.stack[f + Cast.TARGET] - 1
    more = lore_of(g, spell_at(g, row)).attribute.adds(g, unit)
    plan = plan_for(g, unit, worth_of_spells(g, g.units.owner[unit]), row, target, more)
    action = number + plan.dice - 1 if plan is not None else number
    return int(action if mask[action] else mask.argmax())


def best_version(g: BattleCore, mask: Array) -> int:
    """The version that is worth most."""
    casting, option = Cast.casting(g, g.frame), g.setup.space.option
    legal = [int(n) for n in np.flatnonzero(mask[option : option + g.setup.space.options])]
    return option + max(legal, key=lambda n: (worth_of_casting(g, casting._replace(version=n)), n))


def best_at_once(g: BattleCore, mask: Array) -> int:
    """The wizard whose spell without dice is worth most; nobody if none is worth anything."""
    limit = g.stack[g.frame + FreeCast.LIMIT]
    found = [
        (max((values[0] for _, _, values in castings(g, unit, limit)), default=0.0), -action)
        for action, unit in own_slots(g, mask)
    ]
    return -max([(0.0, 0), *found])[1]


# ---------------------------------------------------------------- dispelling


def threats(g: BattleCore, player: int) -> float:
    """Points that the spells that the enemy of a player can still try in this phase may cost him."""
    enemy = 1 - player
    if not g.pools.dice[enemy] or g.clock.turn[0] != enemy:
        return 0.0
    return worth_of_rest(worth_of_spells(g, enemy).values(), g.pools.dice[enemy])


def harm_in_play(g: BattleCore, player: int, row: int) -> float:
    """Points that an enemy spell in play costs a player as long as it lasts."""
    found = 0.0
    for k in rows_in_use(g):
        if g.effects.cast[k] == row + 1:
            value = JUDGE.of_acting(g, k)
            found += value if g.units.owner[g.effects.unit[k]] != player else -value
    return found


def dice_to_dispel(
    g: BattleCore, player: int, harm: float, needed: int, others: float, army: int = ANY
) -> tuple[float, int]:
    """What it is worth to dispel something, and the number of dice for it.

    Args:
        harm: points that it costs. needed: the natural total that dispels it. others: points that the dice of the pool
            could save elsewhere. army: that dispels it, ``ANY``: not chosen yet.
    """
    price = others / max(1, g.pools.dice[player])
    return max(
        ((harm * chance_of(n, needed) - price * n, -n) for n in range(1, most_dice(g, player, army) + 1)),
        default=(0.0, 0),
    )


def worth_of_ending(g: BattleCore, player: int, row: int, others: float) -> float:
    """What it is worth to dispel an enemy spell in play now; ``others``: as in ``dice_to_dispel``."""
    needed = spell_at(g, row).value - best_bonus(g, player, under(g, row))
    return dice_to_dispel(g, player, harm_in_play(g, player, row), needed, others)[0]


def harm_of_asked(g: BattleCore, f: int) -> float:
    """Points that the spell costs which a player is asked to dispel."""
    player, row = g.stack[f + Dispel.PLAYER], g.stack[f + Dispel.ROW] - 1
    return harm_in_play(g, player, row) if row >= 0 else worth_of_casting(g, Cast.casting(g, beneath(f)))


def best_dispeller(g: BattleCore, mask: Array) -> int:
    """The wizard with the greatest bonus, or the army; nobody if the dice are worth more against other spells."""
    f = g.frame
    player, wizards = g.stack[f + Dispel.PLAYER], own_slots(g, mask)
    bonus = min(MOST_BONUS, Dispel.bonus(g, f) + max((own_bonus(g, unit) for _, unit in wizards), default=0))
    needed = g.stack[f + Dispel.VALUE] - bonus
    harm = harm_of_asked(g, f)
    worth, _ = dice_to_dispel(g, player, harm, needed, threats(g, player))
    scroll = best_scroll(g, mask)
    if scroll and harm > SPENT_WELL and worth < harm / 2:
        return scroll
    if worth <= THROWN_AWAY and mask[0]:
        return 0
    if not mask[g.setup.space.option + BY_ARMY] and not wizards:
        return scroll
    if not wizards:
        return max_purse(g, player)
    return -max((own_bonus(g, unit), -action) for action, unit in wizards)[1]


def best_scroll(g: BattleCore, mask: Array) -> int:
    """The item that takes the place of dispelling dice, those first that dispel the spell; 0: there is none."""
    number = g.setup.space.number
    dispels = [scroll_dice(g, k) for k in Dispel.scrolls(g, g.frame)]
    found = [(dice, -n) for n, dice in enumerate(dispels) if mask[number + n]]
    return number - max(found)[1] if found else 0


def scroll_dice(g: BattleCore, k: int) -> int:
    """The dice with which the item of row ``k`` dispels; 0: it does something else."""
    use = item_at(g, k).use_at(Dispel.moment(g, g.frame))
    return use.free_dice if isinstance(use, Scroll) else 0


def max_purse(g: BattleCore, player: int) -> int:
    """The option by which the army with the most dice dispels without a wizard."""
    armies = purses(g, player)
    most = max(range(len(armies)), key=lambda n: (dice_of(g, player, armies[n]), -n))
    return int(g.setup.space.option + BY_ARMY + most)


def best_dispel_dice(g: BattleCore, mask: Array) -> int:
    """The number of dice with which dispelling is worth most."""
    f = g.frame
    player, needed = g.stack[f + Dispel.PLAYER], g.stack[f + Dispel.VALUE] - Dispel.bonus(g, f)
    _, less = dice_to_dispel(g, player, harm_of_asked(g, f), needed, threats(g, player), Dispel.army(g, f))
    return int(g.setup.space.number + max(1, -less) - 1)


def best_in_play(g: BattleCore, mask: Array) -> int:
    """The enemy spell in play that is worth most to dispel; none if the dice are worth more against other spells."""
    player, option = 1 - g.stack[g.frame + MagicPhase.PLAYER], g.setup.space.option
    others = threats(g, player)
    found = [(worth_of_ending(g, player, row, others), -(option + at)) for at, row in enumerate(may_dispel(g, player))]
    return -max([(THROWN_AWAY, 0), *found])[1]


# ---------------------------------------------------------------- spells to learn


def worth_of_knowing(g: BattleCore, unit: int, row: int) -> float:
    """Points that a spell is worth to a wizard on average over the best units that it may be cast on, with his usual
    dice.
    """
    spell, player = spell_at(g, row), g.units.owner[unit]
    side = 1 - player if spell.aim is Aim.ENEMY else player
    targets = list(g.units_of(side)) if spell.aim in (Aim.ENEMY, Aim.FRIEND) else [unit]
    casting = Casting(player, unit, row, spell, 0, unit, spell.value)
    found = [worth_on(g, casting._replace(target=target), [target]) for target in targets]
    best = sorted(found, reverse=True)[:BEST_FEW]
    chance = chance_of(USUAL, spell.value - bonus_of(g, unit))
    return chance * sum(best) / max(1, len(best))


def best_to_learn(g: BattleCore, mask: Array) -> int:
    """The spell that is worth most on average."""
    unit = g.stack[g.frame + LearnSpells.UNIT] - 1
    row = max(open_rows(g, unit), key=lambda row: (worth_of_knowing(g, unit, row), -row))
    return int(g.setup.space.number + row - g.wizards.first_spell[unit])


SCORERS = {
    "learn-spell": best_to_learn,
    "cast-by": best_caster,
    "cast-spell": best_spell,
    "spell-target": best_target,
    "spell-dice": best_dice,
    "spell-version": best_version,
    "cast-at-once": best_at_once,
    "dispel-by": best_dispeller,
    "dispel-dice": best_dispel_dice,
    "dispel-in-play": best_in_play,
}
