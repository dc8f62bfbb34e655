"""The weapon that a unit fights with: chosen before the first blow of a combat, and kept until the combat ends
(wap.weapon.general.choose, .keep).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.kernel import kernel
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.weapons.arms import outfit_of

UNCHOSEN = 0


@kernel
def put_all_down(units: Array) -> None:
    """Do ``put_down`` for all units."""
    for u in range(len(units)):
        if units[u]["rounds"] == 0:
            units[u]["weapon"] = UNCHOSEN


def put_down(g: BattleCore, unit: int) -> None:
    """Clear the chosen weapon of a unit that has fought no round of its combat."""
    if g.units.rounds[unit] == 0:
        g.units.weapon[unit] = UNCHOSEN


def has_to_choose(g: BattleCore, unit: int) -> bool:
    """Whether a unit is about to fight its first round, has several weapons and has chosen none."""
    u = g.units
    fresh = engaged(g, unit) and u.rounds[unit] == 0 and u.weapon[unit] == UNCHOSEN
    return fresh and len(outfit_of(g, unit).weapons) > 1


class ChooseWeapons(Procedure):
    """Each unit with several weapons chooses one: first the units of the player whose turn it is, in the order of the
    army list.

    At the start of the phase all engaged units choose. At the start of a combat those choose that were drawn into it in
    this phase.
    """

    IN_COMBAT = integer(flag())  # only units of the combat that is being fought
    asks = ("choose-weapon",)

    def advance(self, g: BattleCore, f: int) -> int:
        only, fights = g.stack[f + ChooseWeapons.IN_COMBAT], g.units.fights.tolist()
        if not any(fights):
            return g.pop()
        turn = g.clock.turn[0]
        for player in (turn, 1 - turn):
            for unit in g.units_of(player):
                if fights[unit] and (g.units.fighting[unit] or not only) and has_to_choose(g, unit):
                    return g.ask(ChooseWeapon, player, unit)
        return g.pop()


class ChooseWeapon(DecisionKind):
    name = "choose-weapon"
    what = "Which of its close combat weapons a unit fights with until the combat is over."
    keys = ("wap.weapon.general.choose", "wap.item.general.weapon-use")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for at in range(len(outfit_of(g, g.clock.subject[0]).weapons)):
            mask[g.setup.space.option + at] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, at = g.clock.subject[0], action - g.setup.space.option
        g.units.weapon[unit] = at + 1
        if g.recorder is not None:
            g.note("wap.weapon.general.choose", "weapon", unit=unit, name=outfit_of(g, unit).weapons[at].name)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return outfit_of(g, g.clock.subject[0]).weapons[action - g.setup.space.option].name
