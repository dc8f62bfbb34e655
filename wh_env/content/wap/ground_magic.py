"""The spells that the ground of a battle casts (wap.terrain.monument.magic-portal, .river.light)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from wh_env.content.errors import ContentError
from wh_env.content.wap.spells import Grimoire
from wh_env.rulesets.wap.basics.by_magic import ByMagic
from wh_env.rulesets.wap.basics.effects import Effect
from wh_env.rulesets.wap.basics.ground import Ground
from wh_env.rulesets.wap.magic.ground_spells import enters_light
from wh_env.rulesets.wap.magic.in_play import take_own_forms
from wh_env.rulesets.wap.magic.nets import is_caught
from wh_env.rulesets.wap.magic.phase import casts_without
from wh_env.rulesets.wap.turns.riddles import BLOWS

BY_MAGIC = ByMagic(enters_light, is_caught, casts_without, take_own_forms)
TAUGHT = "death"  # the file of the lore that riddles teach


def lores_taught(laid: Iterable[Ground]) -> tuple[str, ...]:
    """The lores that ground can teach any wizard for the rest of the game (wap.building.arcane.sphinx)."""
    return (TAUGHT,) if any(item.traits.riddles for item in laid) else ()


def effects_of_riddles(laid: Iterable[Ground]) -> tuple[Effect, ...]:
    """The effects of rewards for riddles (wap.building.arcane.sphinx)."""
    return (BLOWS,) if any(item.traits.riddles for item in laid) else ()


def lores_of_ground(laid: Iterable[Ground]) -> Iterator[str]:
    """The lores of the spells that ground casts."""
    for item in laid:
        if item.traits.portal is not None:
            yield from dict.fromkeys(lore for lore, _ in item.traits.portal.spells)
        if item.traits.casts:
            yield item.traits.casts


def spells_of_ground(laid: Iterable[Ground], grimoire: Grimoire) -> Mapping[int, tuple[int, ...]]:
    """``statics["ground_spells"]``: the numbers of the spells that ground casts, by feature.

    Raises:
        ContentError: a lore has no such spell.
    """
    found = {}
    for item in laid:
        if item.traits.portal is not None:
            found[item.row] = tuple(number_of(grimoire, *spell) for spell in item.traits.portal.spells)
        elif item.traits.casts:
            found[item.row] = tuple(grimoire.of_lore(item.traits.casts))
    return found


def number_of(grimoire: Grimoire, lore: str, name: str) -> int:
    """The number of a spell of a lore."""
    numbers = {grimoire.spells[n].name: n for n in grimoire.of_lore(lore)}
    if name not in numbers:
        raise ContentError("<battle>", "features", name, "one of " + ", ".join(numbers))
    return numbers[name]


def magic_of_ground(laid: Sequence[Ground], grimoire: Grimoire) -> dict[str, Any]:
    """Statics about spells that ground casts, and about what magic does at moments of other chapters."""
    return {"by_magic": BY_MAGIC, "ground_spells": spells_of_ground(laid, grimoire)}
