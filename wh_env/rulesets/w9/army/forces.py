"""Battle sizes, Detachments, Battle-forged armies and their Command points (w9.army.*)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from wh_env.rulesets.w40k.keywords import singular


@dataclass(frozen=True)
class BattleSize:
    """Points of each army, starting Command points, Detachments, and the smallest battlefield in inches (w9.army.battle-size)."""

    points: int
    cp: int
    detachments: int
    battlefield: tuple[float, float]


BATTLE_SIZES: Mapping[str, BattleSize] = MappingProxyType(
    {
        "Combat Patrol": BattleSize(500, 3, 1, (44.0, 30.0)),
        "Incursion": BattleSize(1000, 6, 2, (44.0, 30.0)),
        "Strike Force": BattleSize(2000, 12, 3, (44.0, 60.0)),
        "Onslaught": BattleSize(3000, 18, 4, (44.0, 90.0)),
    }
)


@dataclass(frozen=True)
class Detachment:
    """What a Detachment costs, and how many of these CP it refunds if the WARLORD is in it (w9.army.detachments)."""

    cp: int
    refund: int = 0


DETACHMENTS: Mapping[str, Detachment] = MappingProxyType(
    {
        "Patrol": Detachment(2, 2),
        "Battalion": Detachment(3, 3),
        "Brigade": Detachment(4, 4),
        "Vanguard": Detachment(3),
        "Spearhead": Detachment(3),
        "Outrider": Detachment(3),
        "Super-heavy": Detachment(6),
        "Super-heavy Auxiliary": Detachment(3),
        "Air Wing": Detachment(3),
        "Fortification Network": Detachment(1),
        "Auxiliary Support": Detachment(2),
    }
)


def starting_cp(size: str, detachments: Sequence[str], warlord_in: int | None = None) -> int:
    """Command points of a Battle-forged army before the battle.

    Args:
        size: of the battle. detachments: of the army, by name. warlord_in: the index of the one with the WARLORD.

    Raises:
        ValueError: too many Detachments for the size, or they cost more than there is.
    """
    known, chosen = BATTLE_SIZES[size], [DETACHMENTS[name] for name in detachments]
    if len(chosen) > known.detachments:
        raise ValueError(f"{len(chosen)} Detachments; {size}: at most {known.detachments} were expected")
    refund = chosen[warlord_in].refund if warlord_in is not None else 0
    left = known.cp - sum(detachment.cp for detachment in chosen) + refund
    if left < 0:
        raise ValueError(f"Detachments cost {known.cp - left} CP; {size}: at most {known.cp} were expected")
    return left


def battle_forged(units: Iterable[tuple[bool, Collection[str]]], too_general: Collection[str] = ()) -> bool:
    """Whether an army is Battle-forged (w9.army.battle-forged).

    Args:
        units: of each whether it is in a Detachment, and its Faction keywords; exceptions are left out.
        too_general: Faction keywords that are not enough.
    """
    general, shared = {singular(keyword) for keyword in too_general}, None
    for inside, factions in units:
        if not inside:
            return False
        own = {singular(keyword) for keyword in factions} - general
        shared = own if shared is None else shared & own
    return bool(shared)
