"""The garrison of the watchtower before other units are deployed (wap.scenario.watchtower.garrison).

``GarrisonTower`` is pushed for the player who controls the tower, before any other unit is deployed.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import ChooseUnit, OfPlayer
from wh_env.core.tables import DEPLOYING
from wh_env.rulesets.wap.basics.garrisons import buildings_of, occupy
from wh_env.rulesets.wap.codes import IN_TOWER, INFANTRY

MOST_MODELS = 20
RULE = "wap.scenario.watchtower.garrison"


def tower_of(g: BattleCore) -> int:
    """The building that decides the battle, by feature; -1: the mission has none."""
    feature: int = g.setup.statics["controlled"]
    return feature if feature in buildings_of(g) else -1


def may_hold_tower(g: BattleCore, unit: int) -> bool:
    """Whether a unit may be deployed in the tower: Core infantry of at most 20 models."""
    u, statics = g.units, g.setup.statics
    return bool(
        u.place[unit] == DEPLOYING
        and statics["core"][unit]
        and u.kind[unit] == INFANTRY
        and u.alive[unit] <= MOST_MODELS
        and not statics["characters"][unit]
    )


class GarrisonTower(OfPlayer):
    """The player who controls the tower may deploy a unit in it."""

    asks = ("tower-garrison",)

    def advance(self, g: BattleCore, f: int) -> int:
        player, tower = g.stack[f + GarrisonTower.PLAYER], tower_of(g)
        if tower >= 0 and any(may_hold_tower(g, unit) for unit in g.units_of(player)):
            return g.ask(TowerGarrison, player)
        return g.pop()


class TowerGarrison(ChooseUnit):
    name = "tower-garrison"
    what = "Which Core infantry of at most 20 models the player deploys in the watchtower; done: none."
    keys = ("wap.scenario.watchtower.garrison",)
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_hold_tower(g, unit)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.pop()
        occupy(g, unit, tower_of(g), RULE)
        g.units.deployed[unit] |= IN_TOWER
        g.players.drops[g.units.owner[unit]] += 1

    def declined(self, g: BattleCore, f: int) -> None:
        g.pop()

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{g.default_words(action)} holds the tower" if action else "the tower stays empty"
