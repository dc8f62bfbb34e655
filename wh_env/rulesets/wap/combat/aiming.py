"""How attacks are divided between enemies: the player is asked where like models touch several enemy units
(wap.combat.who.choose-target, .attacks.support.target).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, flag, row_of
from wh_env.core.procedures import STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.sentences import counted
from wh_env.rulesets.wap.codes import BEASTS, CREW, EXTRA, LEADERS, MOUNTS, OFF_HAND, STOMPS
from wh_env.rulesets.wap.combat.fighters import COLD, enemies_of
from wh_env.rulesets.wap.combat.wounds import aim
from wh_env.rulesets.wap.weapons.blows import LAST, Blow, blow_of

TIER = 64  # steps of one tier of strikes
IMPACT = TIER * (LAST + 1)  # impact hits come ahead of all steps


class Aiming(Procedure):
    """A procedure that divides attacks between enemies. After the player has named an enemy it goes
    on at ``CHOSEN``.
    """

    class Step(Steps):
        BEGIN, GO_ON, TARGET, CHOSEN, END = range(5)

    LIMIT = integer(amount())  # steps before this one are still to come
    # the attacks still to be aimed: their unit and profile, the enemies they may go to (bits), their number, and their
    # step
    UNIT = integer(row_of("units"))
    LINE = integer(row_of("lines"))
    BEHIND = integer(flag())
    TARGETS = integer(amount())
    ATTACKS = integer(amount())
    KEY = integer(amount())
    ENEMY = integer(row_of("units"))
    asks = ("strike-target", "strike-share")


def step_of(blow: Blow) -> int:
    """The step at which an attack is made: its tier, then its Initiative within the tier. A higher step strikes
    earlier.
    """
    return (LAST - blow.tier) * TIER + blow.initiative


def chosen(enemies: list[int], bits: int) -> list[int]:
    """The members of ``enemies`` whose bit is set in ``bits``."""
    return [enemy for n, enemy in enumerate(enemies) if bits >> n & 1]


WHO = {
    LEADERS: "'s champion", MOUNTS: "'s mounts", CREW: "'s crew", BEASTS: "'s beasts", STOMPS: "'s stomp",
    OFF_HAND: "'s second weapon", EXTRA: "'s extra attack",
}  # fmt: skip


def name_of(g: BattleCore, f: int) -> str:
    """The name of the unit whose attacks are aimed, with the part of it that strikes (champion, mounts, crew, ...)."""
    stack = g.stack
    line = stack[f + Aiming.LINE]
    unit, kind = g.lines.unit[line], g.lines.kind[line]
    who = WHO.get(kind, "")
    behind = " from behind" if stack[f + Aiming.BEHIND] else ""
    return f"{g.setup.names['units'][unit]}{who}{behind}"


def may_be_left(g: BattleCore, line: int) -> bool:
    """Whether the player may leave out attacks of a profile: only stomps, and only at full detail
    (wap.special.stomp).
    """
    return bool(g.lines.kind[line] == STOMPS and g.setup.rules["detail"] == "full")


def targets_left(g: BattleCore, f: int) -> list[int]:
    """The enemy units that the attacks of the frame may be aimed at."""
    return chosen(enemies_of(g, g.stack[f + Aiming.UNIT]), g.stack[f + Aiming.TARGETS])


def aim_some(g: BattleCore, f: int, enemy: int, attacks: int) -> None:
    """Aim ``attacks`` of the frame's attacks at ``enemy``, who then is no target for the others any more. A weapon may
    be slower against this enemy than against another one; then the attacks are marked to be made at a later step.
    """
    stack = g.stack
    unit, line, now = stack[f + Aiming.UNIT], stack[f + Aiming.LINE], stack[f + Aiming.KEY]
    key = now if now == IMPACT else step_of(blow_of(g, unit, line, enemy, bool(stack[f + Aiming.TARGETS] & COLD)))
    aim(g, unit, line, enemy, attacks, key, later=key < now)
    stack[f + Aiming.ATTACKS] -= attacks
    for n, other in enumerate(enemies_of(g, unit)):
        if other == enemy:
            stack[f + Aiming.TARGETS] &= ~(1 << n)
    if g.recorder is not None:
        rule = "wap.combat.attacks.support.target" if stack[f + Aiming.BEHIND] else "wap.combat.who.choose-target"
        g.note(rule, "aims", unit=unit, target=enemy, amount=attacks)


class StrikeTarget(DecisionKind):
    name = "strike-target"
    what = (
        "Which of the enemy units that they touch models strike, or those whom they support; or which unit takes "
        "the odd impact hit; done: no stomp."
    )
    keys = (
        "wap.combat.who.choose-target",
        "wap.combat.who.rank-and-file",
        "wap.combat.attacks.support.target",
        "wap.troop.cavalry.mixed-profile.attack",
        "wap.special.impact-hits.distribution",
        "wap.troop.monster.mixed-profile.attack",
        "wap.troop.chariot.attack",
        "wap.character.combat.allocation",
        "wap.special.stomp",
        "wap.building.assault.allocation",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + Aiming.UNIT]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        for enemy in targets_left(g, f):
            mask[at + enemy] = True
        mask[0] = may_be_left(g, g.stack[f + Aiming.LINE])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Aiming.UNIT]
        if action == 0:
            g.stack[f + Aiming.ATTACKS], g.stack[f + STEP] = 0, Aiming.Step.GO_ON
            return
        g.stack[f + Aiming.ENEMY] = action - g.setup.space.enemy + g.players.first_unit[1 - g.units.owner[unit]]
        g.stack[f + STEP] = Aiming.Step.CHOSEN

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{name_of(g, f)} at {g.default_words(action)}" if action else f"{name_of(g, f)} is not made"


class StrikeShare(DecisionKind):
    name = "strike-share"
    what = "How many of the attacks go to the enemy chosen; the rest is aimed at another one."
    policy = "All of them."
    keys = ("wap.combat.who.choose-target", "wap.machine.combat.crew-attacks", "wap.building.assault.allocation")
    squad = False

    def _most(self, g: BattleCore, f: int) -> int:
        return int(min(g.stack[f + Aiming.ATTACKS], g.setup.space.numbers - 1))

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        number = g.setup.space.number
        for share in range(1, self._most(g, f) + 1):
            mask[number + share] = True

    def _share(self, g: BattleCore, f: int, action: int) -> int:
        share = action - g.setup.space.number
        return int(g.stack[f + Aiming.ATTACKS]) if share == self._most(g, f) else share

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        aim_some(g, f, g.stack[f + Aiming.ENEMY], self._share(g, f, action))
        g.stack[f + STEP] = Aiming.Step.GO_ON

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.number + self._most(g, f)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        enemy = g.setup.names["units"][g.stack[f + Aiming.ENEMY]]
        return f"{self._share(g, f, action)} of {counted(g.stack[f + Aiming.ATTACKS], 'attack')} at {enemy}"
