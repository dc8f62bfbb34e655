"""Strategic Reserves: which units may be placed there, their cost, and arriving within Engagement Range
(w9.reserves.*).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import DEPLOYING, EMBARKED, RESERVE
from wh_env.rulesets.w40k.codes import WITH_BONUS
from wh_env.rulesets.w40k.deploy.formations import STRATEGIC, points_of
from wh_env.rulesets.w40k.questions.engagements import engagements
from wh_env.rulesets.w40k.questions.hulls import embarked_in
from wh_env.rulesets.w40k.questions.move_limits import engaged
from wh_env.rulesets.w40k.questions.parts import origin, share
from wh_env.rulesets.w40k.questions.parts import points as points_held

POWER_STEP = 10  # Power Rating for each further Command point


def power_of(g: BattleCore, unit: int) -> int:
    """Power Rating of the unit and of all units embarked in it."""
    own = share(g, unit, g.setup.statics["power"][origin(g, unit)])
    return own + sum(power_of(g, other) for other in embarked_in(g, unit))


def strategic_units(g: BattleCore, player: int) -> list[int]:
    """Units of the player in Strategic Reserves, without those embarked in them."""
    u = g.units
    return [unit for unit in g.units_of(player) if u.place[unit] == RESERVE and u.reserve[unit] == STRATEGIC]


def cost(power: int) -> int:
    """Command points for Strategic Reserves of this combined Power Rating (w9.reserves.strategic.cost)."""
    return power // POWER_STEP + 1 if power else 0


def may_wait(g: BattleCore, unit: int, strategic: bool) -> bool:
    """Whether the unit can start in Reserves along with the units that are there already.

    Only a Battle-forged army with enough Command points has Strategic Reserves. Under ``half_in_reserves`` at most half
    of the army may be in any Reserves.
    """
    rules, player = g.setup.rules, g.units.owner[unit]
    if rules["half_in_reserves"] and not within_half(g, unit):
        return False
    if not strategic:
        return True
    if not rules["battle_forged"][player] or not rules["strategic_reserves"]:
        return False
    power = sum(power_of(g, other) for other in strategic_units(g, player)) + power_of(g, unit)
    return cost(power) <= g.players.cp[player]


def within_half(g: BattleCore, unit: int) -> bool:
    """Whether at most half of the army, by units and by points, is in Reserves once this unit is there too
    (w9.reserves.half-army).
    """
    u, player = g.units, g.units.owner[unit]
    waiting = [unit, *(other for other in g.units_of(player) if u.place[other] == RESERVE)]
    inside = [other for carrier in waiting for other in embarked_in(g, carrier)]
    units, points = len(waiting) + len(inside), sum(points_of(g, other) for other in waiting)
    army = [row for row in g.units_of(player) if u.place[row] in (DEPLOYING, RESERVE, EMBARKED)]
    return 2 * units <= len(army) and 2 * points <= sum(points_held(g, row) for row in army)


def pay(g: BattleCore) -> None:
    """Both players have declared their Reserves: take the Command points for Strategic Reserves. If an army has too
    few, its last units in them are deployed instead, until it can pay.
    """
    u, cp = g.units, g.players.cp
    for player in (0, 1):
        waiting = strategic_units(g, player)
        while waiting and cost(sum(power_of(g, unit) for unit in waiting)) > cp[player]:
            unit = waiting.pop()
            u.place[unit], u.reserve[unit] = DEPLOYING, 0
            g.note("w9.reserves.strategic.cost", "cannot be paid for and is deployed", unit=unit)
        price = cost(sum(power_of(g, unit) for unit in waiting))
        cp[player] -= price
        if price and g.recorder is not None:
            g.note("w9.reserves.strategic.cost", "Strategic Reserves", player=player, cp=price)


def arrived(g: BattleCore, unit: int) -> None:
    """If the unit has arrived within Engagement Range of enemies, it counts as having made a charge move against them
    (w9.reserves.strategic.own-edge.charged).
    """
    if engaged(g, unit):
        g.units.charged[unit] = WITH_BONUS
        g.charges[unit] = engagements(g)[unit]
        g.note("w9.reserves.strategic.own-edge.charged", "arrives within Engagement Range", unit=unit)
