"""The winds of magic: both players' dice for a Magic phase (wap.magic.winds.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.arcane import aid_of, show_aids
from wh_env.rulesets.wap.basics.auras import channelling_near, channels_again
from wh_env.rulesets.wap.basics.ground import with_trait
from wh_env.rulesets.wap.magic.shares import gain_dice
from wh_env.rulesets.wap.magic.wizards import channellers, level_of

WINDS = 2  # dice up to 3,999 points
FOR_EACH = 2000  # full points that bring as many dice (wap.magic.winds.roll)
POWER, DISPEL = 5, 6  # the least roll that channels a die (wap.magic.winds.channel-power, .channel-dispel)


def winds_for(points: int) -> int:
    """The number of dice of the winds of magic in a game of so many points."""
    return WINDS * max(1, points // FOR_EACH)


def roll_winds(g: BattleCore, player: int) -> None:
    """Roll the winds of magic in the Magic phase of a player: power dice for him (wap.magic.winds.power-pool), dispel
    dice for his enemy, who gets the best half of the roll (wap.magic.winds.dispel-pool,
    wap.magic.winds.dispel-pool.large).
    """
    dice = sorted(g.d6() for _ in range(g.setup.statics["winds"]))
    pools = g.pools.dice
    power, against = sum(dice), sum(dice[len(dice) // 2 :])
    pools[player] += power
    pools[1 - player] += against
    if g.recorder is not None:
        told = {"rolls": tuple(dice), "amount": power, "against": against}
        g.note("wap.magic.winds.roll", "winds of magic", player=player, **told)
    channel(g, player, POWER, "wap.magic.winds.channel-power")
    channel(g, 1 - player, DISPEL, "wap.magic.winds.channel-dispel")


def channel(g: BattleCore, player: int, least: int, rule: str) -> None:
    """Each wizard of a player rolls a D6 for each of his levels; each ``least`` or more adds a die to the player's
    pool. Items and ground may add to the dice, or ground have failed ones rolled again
    (wap.terrain.monument.elven-waystone, .arcane-ruins).
    """
    auras = with_trait(g, "auras")
    for unit in channellers(g, player):
        needed = least - (channelling_near(g, unit) if auras else 0) - aid_of(g, unit, "channel")
        dice = [g.d6() for _ in range(level_of(g, unit))]
        if auras and channels_again(g, unit):
            dice = [die if die >= needed else g.d6() for die in dice]
        more = sum(die >= needed for die in dice)
        show_aids(g, unit, "channel")
        gain_dice(g, unit, more)
        if g.recorder is not None:
            g.note(rule, "channels", unit=unit, rolls=tuple(dice), needed=needed, amount=more)
