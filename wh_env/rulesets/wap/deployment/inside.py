"""War machines that are deployed in a building (wap.building.enter.types)."""

from __future__ import annotations

from math import hypot

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import DecisionKind
from wh_env.rulesets.wap.basics.garrisons import SIDES, Building, buildings_of, garrison_in, occupy
from wh_env.rulesets.wap.codes import WAR_MACHINE
from wh_env.rulesets.wap.deployment.setting_up import is_scouting, place_to_deploy
from wh_env.rulesets.wap.ways.poses import degrees

RULE = "wap.building.enter.types"
MOST = 4  # buildings that are offered, the first of the battlefield's file


def is_within(polygon: list[tuple[float, float]], building: Building) -> bool:
    """Whether a building lies wholly in a convex zone, given by its corners counter-clockwise."""
    walls = [building.wall(side) for side in range(SIDES)]
    corners = [
        (ax + bx - building.x, ay + by - building.y)
        for (ax, ay, *_), (bx, by, *_) in zip(walls, [*walls[1:], walls[0]], strict=True)
    ]
    sides = list(zip(polygon, [*polygon[1:], polygon[0]], strict=True))
    return all(
        (qx - px) * (y - py) - (qy - py) * (x - px) >= -EPS * hypot(qx - px, qy - py)
        for (px, py), (qx, qy) in sides
        for x, y in corners
    )


def buildings_for(g: BattleCore, unit: int) -> list[int]:
    """The empty buildings of its deployment zone in which a war machine may be deployed."""
    if g.units.kind[unit] != WAR_MACHINE or is_scouting(g, unit) or not buildings_of(g):
        return []
    zone = [(float(x), float(y)) for x, y in place_to_deploy(g, unit).polygon]
    free = (row for row, building in buildings_of(g).items() if garrison_in(g, row) < 0 and is_within(zone, building))
    return list(free)[:MOST]


class DeployInside(DecisionKind):
    name = "deploy-inside"
    what = "In which building a war machine is deployed, and out of which wall it looks; done: it stands in the open."
    keys = ("wap.building.enter.types", "wap.machine.terrain")

    @staticmethod
    def chosen(g: BattleCore, action: int) -> tuple[int, int]:
        """The building and the wall that an action stands for."""
        at = action - g.setup.space.option
        return buildings_for(g, g.clock.subject[0])[at // SIDES], at % SIDES

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for at in range(SIDES * len(buildings_for(g, g.clock.subject[0]))):
            mask[g.setup.space.option + at] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            feature, side = DeployInside.chosen(g, action)
            occupy(g, g.clock.subject[0], feature, RULE, side)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.names["units"][g.clock.subject[0]]
        if action == 0:
            return f"{name} stands in the open"
        feature, side = DeployInside.chosen(g, action)
        building = buildings_of(g)[feature]
        looks = degrees(building.wall(side)[2])
        return f"{name} in the building at {building.x:.1f}, {building.y:.1f}, facing {looks}"
