"""The miscast table (wap.magic.miscast.r2-3 to .r12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.rulesets.wap.basics.contacts import block_of, touches_model
from wh_env.rulesets.wap.basics.forms import as_it_is
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import FRONT, OF_ITEM
from wh_env.rulesets.wap.magic.in_play import forget_spell, reduce_level
from wh_env.rulesets.wap.magic.shares import army_of, take_dice
from wh_env.rulesets.wap.magic.spells import Casting
from wh_env.rulesets.wap.magic.targets import are_friends, gap_between, model_of
from wh_env.rulesets.wap.magic.thrones import ignores_miscast
from wh_env.rulesets.wap.magic.wizards import channellers, is_there, spell_at
from wh_env.rulesets.wap.morale.panic_causes import NOBODY
from wh_env.rulesets.wap.shooting.hits import take_hits
from wh_env.rulesets.wap.shooting.templates import ROUND, beneath_disc, hits_of_magic
from wh_env.rulesets.wap.shooting.templates_on_buildings import models_struck
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC, FROM_AFAR, Hit

POWER_LOSS, ENEMY_CASTS, BACKLASH, DRAIN, DETONATION, AMNESIA, CALAMITY, POSSESSION, CASCADE, DAMNED = range(3, 13)
NEAR = 12.0  # inches of the backlash
WEAK, STRONG = 4, 10  # Strengths of hits
OF_MISCAST = AUTOMATIC | FROM_AFAR["direct damage"]  # magical, but no damage of a spell
RULES = {POWER_LOSS: "r2-3", ENEMY_CASTS: "r4", **{number: f"r{number}" for number in range(BACKLASH, DAMNED + 1)}}


def result_of(die: int, rolled: int) -> int:
    """The result on the table: the die, and the dice that were rolled to cast the spell (wap.magic.miscast.roll)."""
    return max(POWER_LOSS, min(DAMNED, die + rolled))


def tell_miscast(g: BattleCore, unit: int, row: int, die: int, rolled: int) -> None:
    """Note the result that stands."""
    if g.recorder is not None:
        result = result_of(die, rolled)
        told = {"unit": unit, "name": spell_at(g, row).name, "die": die, "result": result}
        g.note(f"wap.magic.miscast.{RULES[result]}", "miscasts", **told)


def apply_miscast(g: BattleCore, unit: int, row: int, result: int) -> None:
    """Apply a result of the miscast table to a wizard (wap.magic.miscast.r6 drains his player's pool).
    ``ENEMY_CASTS`` is left to the caller. Who has taken another form is struck in it.
    """
    here = as_it_is(g, unit)
    if result in (POWER_LOSS, BACKLASH):  # not even bound spells
        g.wizards.cannot_cast[unit] = g.wizards.cannot_cast_bound[unit] = 1
    if result == BACKLASH:
        strike_rows(g, who_feels_backlash(g, here), WEAK)
    elif result == DRAIN:
        take_dice(g, g.units.owner[unit], -(-g.d6() // 2), army_of(g, unit))
    elif result == DETONATION:
        strike_models(g, here, lambda: Counter(g.models.unit[k] for k in models_touching(g, here)))
    elif result == AMNESIA:
        forget_spell(g, row, "wap.magic.miscast.r8")
    elif result in (CALAMITY, CASCADE):
        radius = ROUND["small" if result == CALAMITY else "large"]
        strike_models(g, here, lambda: hits_of_magic(g, models_near(g, here, radius)))
    elif result == POSSESSION:
        take_hits(g, here, [(1, hit_of(STRONG))], FRONT, NOBODY)
        if is_there(g, here):
            reduce_level(g, unit, "wap.magic.miscast.r10", highest=True)
    elif result == DAMNED:
        slay(g, model_of(g, here), "wap.magic.miscast.r12")


def hit_of(strength: int) -> Hit:
    """A hit of a miscast."""
    return Hit(strength, nature=OF_MISCAST)


def who_feels_backlash(g: BattleCore, unit: int) -> list[int]:
    """A wizard and the friendly wizards within 12" of him who can channel (wap.magic.miscast.r5)."""
    near = (other for other in channellers(g, g.units.owner[unit]) if other != unit and are_friends(g, unit, other))
    return [unit, *[other for other in near if gap_between(g, unit, other) <= NEAR + EPS]]


def models_touching(g: BattleCore, unit: int) -> list[int]:
    """The models in base contact with a wizard's, which his own is not (wap.magic.miscast.r7,
    wap.core.unit.self-contact).
    """
    own = model_of(g, unit)
    return [k for k in range(len(g.models.x)) if k != own and g.work.call(touches_model, g.models.rows, own, k, 0.0)]


def models_near(g: BattleCore, unit: int, radius: float) -> list[int]:
    """The other models beneath a round template with its middle on a wizard (wap.magic.miscast.r9,
    wap.magic.miscast.r11). ``radius``: inches.
    """
    own = model_of(g, unit)
    return [k for k in beneath_disc(g, g.models.x[own], g.models.y[own], radius) if k != own]


def strike_rows(g: BattleCore, rows: list[int], strength: int) -> None:
    """The own models of each of these units take a hit."""
    for row in rows:
        take_hits(g, row, [(1, hit_of(strength))], FRONT, NOBODY)


def strike_models(g: BattleCore, unit: int, hits: Callable[[], Mapping[int, int]]) -> None:
    """A wizard takes a Strength 10 hit, for which nobody else can take it, and other models take ``hits``, by their
    units. In a building it is D6 models of the garrison instead, the wizard among them (wap.building.magic.templates).
    """
    inside = is_inside(g, block_of(g, unit))
    struck = models_struck(g, unit, g.d6() - 1, apart=unit) if inside else hits()
    for row in sorted(struck):
        take_hits(g, row, [(struck[row], hit_of(STRONG))], FRONT, NOBODY)
    take_hits(g, unit, [(1, hit_of(STRONG))], FRONT, NOBODY)


def is_spared(g: BattleCore, casting: Casting) -> bool:
    """Whether a miscast has no effect on a wizard: he is gone, or shielded from it (wap.lore.life.throne-of-vines)."""
    return not is_there(g, as_it_is(g, casting.caster)) or ignores_miscast(g, casting.caster, casting.row)


def bound_miscast(g: BattleCore, casting: Casting) -> None:
    """A bound spell has miscast: the item is dust, or the unit casts no more bound spells in this phase
    (wap.magic.bound.miscast-item, .miscast-innate).
    """
    if g.spellbook.source[casting.row] == OF_ITEM:
        forget_spell(g, casting.row, "wap.magic.bound.miscast-item")
    else:
        g.wizards.cannot_cast_bound[casting.caster] = 1
        g.note("wap.magic.bound.miscast-innate", "loses concentration", unit=casting.caster)
