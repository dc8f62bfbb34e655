"""Ground that strikes when magic is used in it, and then walks (wap.terrain.forest.blood.hits, .blood.move)."""

from __future__ import annotations

from collections.abc import Iterable

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.forms import as_it_is
from wh_env.rulesets.wap.basics.ground import Ground, is_partly_in, touching, with_trait
from wh_env.rulesets.wap.codes import REAR
from wh_env.rulesets.wap.field.walking import walk
from wh_env.rulesets.wap.magic.spells import Casting
from wh_env.rulesets.wap.magic.targets import model_of
from wh_env.rulesets.wap.morale.panic_causes import ground_source
from wh_env.rulesets.wap.shooting.hits import take_hits
from wh_env.rulesets.wap.weapons.hit import Hit

BY_MAGIC = "magic"


def rouse_ground(g: BattleCore, casting: Casting, units: Iterable[int]) -> None:
    """A spell was cast and not dispelled: ground in which its caster, or a model of the ``units`` that it was cast on,
    stands strikes every unit that is partly in it, those of the caster's player first; once these hits are resolved, it
    may move.
    """
    for ground in with_trait(g, "harm"):
        if ground.traits.harm is not None and ground.traits.harm.when == BY_MAGIC:
            if is_used_in(g, casting, ground, units):
                strike_all(g, ground, casting.player)
                if ground.traits.harm.walks:
                    walk(g, ground.row, ground.traits.harm.walks, casting.player)


def is_used_in(g: BattleCore, casting: Casting, ground: Ground, units: Iterable[int]) -> bool:
    """Whether a spell was cast by, or on, a model that is at least partly in a feature; a wizard who has changed is
    where his other form is.
    """
    caster = as_it_is(g, casting.caster)
    if model_of(g, caster) in touching(g, block_of(g, caster), ground):
        return True
    return any(g.units.place[unit] == ON_TABLE and is_partly_in(g, unit, ground) for unit in units)


def strike_all(g: BattleCore, ground: Ground, player: int) -> None:
    """Every unit that is partly in a feature takes D6 hits of it, on its own models and from no side."""
    harm, u = ground.traits.harm, g.units
    if harm is None:
        return
    rows = (*g.units_of(player), *g.units_of(1 - player))
    struck = [unit for unit in rows if u.place[unit] == ON_TABLE and is_partly_in(g, unit, ground)]
    for unit in struck:
        number = g.d6()
        if g.recorder is not None:
            g.note(harm.rule, "is hit by the ground", unit=unit, amount=number)
        hit, source = Hit(harm.strength, ignores_armour=harm.no_armour), ground_source(g, ground.row)
        take_hits(g, unit, [(number, hit)], REAR, source)
