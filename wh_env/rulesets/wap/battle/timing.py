"""What the beginning of turns and phases changes (wap.battle.turn.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.effects import end_effects
from wh_env.rulesets.wap.basics.ground import with_trait
from wh_env.rulesets.wap.basics.sight import within
from wh_env.rulesets.wap.basics.standing import height_of_most
from wh_env.rulesets.wap.casualties.removing import narrow
from wh_env.rulesets.wap.codes import ENTERED, IN_TOWER, PHASE_NAMES, Phase


@kernel
def remember_strength(units: Array, hurts: Array, fired: int) -> None:
    """Write the columns that ``start_phase`` sets in all units, and clear ``hurts``. ``fired``: the player whose
    Shooting phase has ended, -1: none.
    """
    for u in range(len(units)):
        unit = units[u]
        unit["us_phase"] = unit["us"]
        unit["alive_phase"] = unit["alive"]
        unit["steeled"] = 0
        unit["scorched"] = 0
        unit["fought"] = 0
        unit["breathed"] = 0
        if unit["fights"] == 0:
            unit["charging"] = 0
        if unit["owner"] == fired and unit["ducks"] > 0:
            unit["ducks"] -= 1
    for k in range(len(hurts)):
        hurts[k] = 0


def start_phase(g: BattleCore, phase: Phase) -> None:
    """Begin a phase: remember how strong each unit is now and clear what has hurt it. A unit that has charged and has
    no enemy in contact (it ran the enemy down, or the enemy was destroyed) does not count as charging any more. After
    the Shooting phase the crews of machines that hid in it come out (wap.machine.panic).
    """
    g.clock.phase[0], g.clock.step[0] = phase, 0
    fired = g.clock.turn[0] if phase == Phase.COMBAT else -1
    g.work.call(remember_strength, g.units.rows, g.hurts_array, fired)
    end_effects(g, phase)
    if g.recorder is not None:
        told = PHASE_NAMES[phase]
        g.note("wap.battle.turn.phases", "phase", phase=told, player=g.clock.turn[0], round=g.clock.round[0])


@kernel
def forget_deeds(units: Array, player: int) -> None:
    """Write the columns that ``start_turn`` sets in all units. Enemies of the player are no longer chilled by the ice
    of that player's last turn (wap.special.ice-attacks.ranged). A turn of theirs is over for machines that cannot fire
    (wap.machine.misfire.black-powder.malfunction).
    """
    for u in range(len(units)):
        units[u]["did"] = 0
        units[u]["disgraced"] = 0
        if units[u]["owner"] != player:
            units[u]["chilled"] = 0
            units[u]["jammed"] = max(0, units[u]["jammed"] - 1)


def keep_in_tower(g: BattleCore) -> None:
    """A unit deployed in the watchtower that is still there does not leave it of its own will in the first game turn,
    as if it had just entered (wap.scenario.watchtower.garrison).
    """
    for unit in range(len(g.units.owner)):
        if g.units.deployed[unit] & IN_TOWER and g.units.garrison[unit] >= 0:
            g.units.did[unit] |= ENTERED


def start_turn(g: BattleCore, player: int) -> None:
    """Begin a player's turn (wap.battle.turn.alternate): no unit has done anything in it."""
    g.clock.turn[0] = player
    g.work.call(forget_deeds, g.units.rows, player)
    if g.clock.round[0] == 1:
        keep_in_tower(g)
    hosts = g.units.bodyguard.tolist()
    for unit in g.units_of(player):
        if unit in hosts:  # a unit without characters stays as wide as it is
            narrow(g, unit)
    if with_trait(g, "lifts"):
        for unit in range(len(g.units.owner)):
            g.units.high[unit] = height_of_most(g, within(g, unit))
    g.note("wap.battle.turn.alternate", "turn", player=player, round=g.clock.round[0])


def start_game_turn(g: BattleCore) -> None:
    """Begin a game turn, to which the turns of both players belong (wap.battle.turn.game-turn)."""
    g.clock.round[0] += 1
    g.note("wap.battle.turn.game-turn", "game turn", round=g.clock.round[0])
