"""The Warlord of each army and its Trait (w8.warlord.*)."""

from __future__ import annotations

from enum import IntEnum

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, declared, row_plus_one
from wh_env.core.tables import DESTROYED, ON_TABLE, TableSpec
from wh_env.rulesets.w40k.keywords import keyword_bit

WARLORD = "WARLORD"  # the keyword of models that army lists name


class Trait(IntEnum):
    """Warlord Traits by the result of the D3 (w8.warlord.trait.table)."""

    LEGENDARY_FIGHTER = 1
    INSPIRING_LEADER = 2
    TENACIOUS_SURVIVOR = 3


WARLORDS, WARLORDS_BOUNDS = declared(
    [
        ("model", "i4", row_plus_one("models")),  # row + 1, 0: there is none
        ("trait", "i4", between(0, len(Trait))),  # 0: none
    ]
)


def tables() -> tuple[TableSpec, ...]:
    """``warlords``: one row for each player, see ``WARLORDS``."""
    return (TableSpec("warlords", WARLORDS, 2, WARLORDS_BOUNDS),)


def by_lists(g: BattleCore, player: int) -> int:
    """The model that the player's army list names as Warlord, -1: none."""
    bit = keyword_bit(g.setup.statics["keyword_bits"], WARLORD)
    m = g.models
    return next((k for k, owner in enumerate(m.owner) if owner == player and m.keywords[k] & bit), -1)


def warlord(g: BattleCore, player: int) -> int:
    """The model that is the player's Warlord, -1: none."""
    return g.warlords.model[player] - 1


def has_trait(g: BattleCore, player: int, trait: Trait) -> bool:
    """Whether the Warlord of the player has the Trait and stands on the battlefield."""
    model = warlord(g, player)
    if model < 0 or g.warlords.trait[player] != trait:
        return False
    return bool(g.models.alive[model]) and g.units.place[g.models.unit[model]] == ON_TABLE


def slain_warlord(g: BattleCore, player: int) -> bool:
    """Whether the Warlord of the player was slain, or counts as slain."""
    model = warlord(g, player)
    return model >= 0 and (not g.models.alive[model] or g.units.place[g.models.unit[model]] == DESTROYED)


def forget_left_over(g: BattleCore) -> None:
    """A Warlord that found no room in deployment takes no part in the battle: its player has none
    (w8.mission.deploy.left-over).
    """
    for player in (0, 1):
        if slain_warlord(g, player):
            g.warlords.model[player] = g.warlords.trait[player] = 0
