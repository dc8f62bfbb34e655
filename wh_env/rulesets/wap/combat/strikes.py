"""The blows of one round of close combat, step by step in order of Initiative (wap.combat.order.*,
wap.special.strike-order.table).

A step is a number: the tier of the attacks first, the Initiative within it second. Higher steps strike earlier. A model
strikes if it stands in contact when its step comes (wap.combat.who.base-contact, .casualties.step-up);
``models.struck`` marks the models that have struck.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP
from wh_env.rulesets.wap.basics.carried import show_items
from wh_env.rulesets.wap.combat.aiming import (
    IMPACT,
    TIER,
    Aiming,
    StrikeShare,
    StrikeTarget,
    aim_some,
    chosen,
    may_be_left,
    step_of,
    targets_left,
)
from wh_env.rulesets.wap.combat.breath_blows import BreathBlow, can_breathe_now
from wh_env.rulesets.wap.combat.fighters import COLD, bits_ahead, enemies_of, fallen_rivals, groups_of, mark_struck
from wh_env.rulesets.wap.combat.wounds import aim, aimed, asks_for_ward, clear_blows, remove_losses, strike
from wh_env.rulesets.wap.special.breath import breath_of
from wh_env.rulesets.wap.weapons.blows import LAST, Blow, blow_of, extra_ranks, rolled_attacks

TIERS = ("first", "in order", "last")
Group = tuple[int, int, int, int, int]  # unit, line, 1: it stands behind, bits of the enemies, models


def fighting(g: BattleCore) -> list[int]:
    """The units of the combat that are in contact with an enemy or have slain one in a duel of this round, those of the
    player whose turn it is first."""
    turn, u = g.clock.turn[0], g.units
    there = [unit for player in (turn, 1 - turn) for unit in g.units_of(player) if u.fighting[unit] and u.files[unit]]
    return [unit for unit in there if u.fights[unit] or fallen_rivals(g, unit)]


class Blows:
    """The blows of the profiles in the combat, worked out once while no player is asked. Only curses of weapons change
    them within a round.
    """

    __slots__ = ("_known", "_ranks", "g")

    def __init__(self, g: BattleCore) -> None:
        self.g = g
        self._known: dict[tuple[int, int, int, bool], tuple[Blow, int]] = {}
        self._ranks: dict[int, int] = {}

    def of(self, unit: int, line: int, enemy: int, cold: bool = False) -> tuple[Blow, int]:
        """The blow of a profile against an enemy and its step; ``cold``: for models that touch an enemy with Ice
        Attacks.
        """
        key = (unit, line, enemy, cold)
        found = self._known.get(key)
        if found is None:
            blow = blow_of(self.g, unit, line, enemy, cold)
            found = self._known[key] = (blow, step_of(blow))
        return found

    def in_row(self, k: int) -> tuple[Blow, bool]:
        """The blow of row ``k`` of ``blows``, and whether Ice Attacks slow it, so that it is made at another step."""
        b = self.g.blows
        if b.breath[k]:
            return breath_of(self.g, self.g.lines.unit[b.line[k]], b.breath[k] - 1), False
        who = b.unit[k], b.line[k], b.target[k]
        blow, step = self.of(*who)
        if step == b.key[k]:
            return blow, False
        cold, late = self.of(*who, True)
        return (cold, True) if late == b.key[k] else (blow, False)

    def ranks(self, unit: int) -> int:
        """The number of ranks of a unit that support."""
        found = self._ranks.get(unit)
        if found is None:
            found = self._ranks[unit] = extra_ranks(self.g, unit)
        return found


def next_strikers(g: BattleCore, blows: Blows, limit: int) -> tuple[int, list[Group]]:
    """The next step before ``limit`` at which models strike that have not struck, and their groups; -1 if there is
    none. Models whose step has passed do not strike any more (wap.combat.casualties.step-up).
    """
    best, found = -1, list[Group]()
    for unit in fighting(g):
        enemies = enemies_of(g, unit)
        for line, behind, targets, models in groups_of(g, unit, blows.ranks(unit)):
            at, bits = -1, 0
            for n, enemy in enumerate(enemies):
                step = blows.of(unit, line, enemy, bool(targets & COLD))[1] if targets >> n & 1 else limit
                if step < limit:
                    at, bits = max(at, step), bits | 1 << n
            if at < best or at < 0:
                continue
            if at > best:
                best, found = at, []
            found.append((unit, line, behind, targets, models))
    return best, found


def attacks_now(g: BattleCore, blows: Blows, unit: int, line: int, enemy: int, cold: bool) -> int:
    """The most attacks that the models of a profile can make which now stand in contact with an enemy or support
    against it; ``cold``: counts the models that Ice Attacks slow, else the others.
    """
    if enemy not in enemies_of(g, unit):
        return 0
    bit, found = 1 << enemies_of(g, unit).index(enemy), 0
    for own, behind, targets, models in groups_of(g, unit, blows.ranks(unit), again=True):
        if own == line and targets & bit and bool(targets & COLD) == cold:
            blow, _ = blows.of(unit, line, enemy, cold)
            found += models * (blow.supports if behind else blow.most)
    return found


def stand_firm(g: BattleCore, blows: Blows, k: int) -> None:
    """The step of row ``k`` has come. If its attacks were aimed at an earlier one, only models and targets that are
    still there count (wap.combat.order.killed-before-striking, .no-target, .mixed-profile-killed).
    """
    b = g.blows
    if b.later[k]:
        _, cold = blows.in_row(k)
        b.attacks[k] = min(b.attacks[k], attacks_now(g, blows, b.unit[k], b.line[k], b.target[k], cold))
        b.later[k] = 0


def struck(g: BattleCore, blows: Blows, k: int) -> bool:
    """Make the attacks of row ``k``. Returns False if a player is to be asked first."""
    b = g.blows
    blow, _ = blows.in_row(k)
    if b.attacks[k]:
        if asks_for_ward(g, k, blow):
            return False
        return strike(g, k, blow)
    return True


def order_of(g: BattleCore, k: int) -> tuple[bool, int, int, int]:
    """A key that sorts the rows of a step into the order in which they are rolled: first those of the player whose turn
    it is, then by unit row, target and profile.
    """
    b = g.blows
    return g.units.owner[b.unit[k]] != g.clock.turn[0], b.unit[k], b.target[k], b.line[k]


class Strikes(Aiming):
    """All blows of the units in the combat, except impact hits."""

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack = Strikes.Step, g.stack
        if stack[f + STEP] == Step.BEGIN:
            clear_blows(g)
            g.models.rows["struck"] = 0
            for unit in fighting(g):
                show_items(g, unit, strikes=True)
            stack[f + Strikes.LIMIT] = IMPACT
            stack[f + STEP] = Step.GO_ON
        elif stack[f + STEP] == Step.TARGET:
            return g.ask(StrikeTarget, g.units.owner[stack[f + Strikes.UNIT]], stack[f + Strikes.UNIT])
        elif stack[f + STEP] == Step.CHOSEN:
            if stack[f + Strikes.ATTACKS] > 1 and not g.is_answered_by_default(StrikeShare):
                return g.ask(StrikeShare, g.units.owner[stack[f + Strikes.UNIT]], stack[f + Strikes.UNIT])
            aim_some(g, f, stack[f + Strikes.ENEMY], stack[f + Strikes.ATTACKS])
            stack[f + STEP] = Step.GO_ON
        return self._go_on(g, f)

    def _go_on(self, g: BattleCore, f: int) -> int:
        """Take step after step until a player is to be asked or all models have struck."""
        stack, blows, depth = g.stack, Blows(g), g.clock.depth[0]
        while g.clock.depth[0] == depth:
            if stack[f + Strikes.ATTACKS] and not self._aimed(g, f):
                stack[f + STEP] = Strikes.Step.TARGET
                return GO
            limit = stack[f + Strikes.LIMIT]
            at, groups = next_strikers(g, blows, limit)
            rows = [k for k in aimed(g) if g.blows.key[k] < limit]
            moment = max([at, *(g.blows.key[k] for k in rows)])
            if moment < 0:
                clear_blows(g)
                return g.pop()
            if at == moment and any(self._takes_aim(g, f, blows, moment, limit, group) for group in groups):
                continue
            due = sorted((k for k in aimed(g) if g.blows.key[k] == moment), key=lambda k: order_of(g, k))
            if g.recorder is not None and due and all(g.blows.attacks[k] for k in due):
                told = {"initiative": moment % TIER, "step": TIERS[LAST - moment // TIER]}
                g.note("wap.combat.order.initiative", "strikes", **told)
            for k in due:
                stand_firm(g, blows, k)
            cursed = any(blows.in_row(k)[0].curses for k in due)
            if not all(struck(g, blows, k) for k in due):
                return GO
            remove_losses(g, due)
            if cursed:  # an enemy may have fewer Attacks now
                blows = Blows(g)
            stack[f + Strikes.LIMIT] = moment
        return GO

    def _takes_aim(self, g: BattleCore, f: int, blows: Blows, step: int, limit: int, group: Group) -> bool:
        """Aim the attacks of a group. Returns True if its player is to be asked first."""
        unit, line, behind, targets, models = group
        stack, enemies = g.stack, enemies_of(g, unit)
        if can_breathe_now(g, line, behind):
            g.push(BreathBlow, g.lines.unit[line], 0, step)
            return True
        room = g.work.strikes
        mark_struck(g.models.rows, g.units.rows, g.lines.rows, line, behind, targets, bits_ahead(g, unit), room.reach)
        cold = bool(targets & COLD)
        offered = [enemy for enemy in chosen(enemies, targets) if blows.of(unit, line, enemy, cold)[1] < limit]
        blow, _ = blows.of(unit, line, offered[0], cold)
        attacks = models * blow.supports if behind else rolled_attacks(g, blow, models)
        if g.recorder is not None and attacks:
            rule = "wap.combat.attacks.support.who" if behind else "wap.combat.attacks.number"
            g.note(rule, "attacks", unit=unit, targets=tuple(offered), amount=attacks, strikers=models)
        if (len(offered) == 1 and not may_be_left(g, line)) or not attacks:
            if attacks:
                aim(g, unit, line, offered[0], attacks, step)
            return False
        stack[f + Strikes.UNIT], stack[f + Strikes.LINE], stack[f + Strikes.BEHIND] = unit, line, behind
        stack[f + Strikes.ATTACKS], stack[f + Strikes.KEY] = attacks, step
        stack[f + Strikes.TARGETS] = sum(1 << n for n, enemy in enumerate(enemies) if enemy in offered) | targets & COLD
        return True

    def _aimed(self, g: BattleCore, f: int) -> bool:
        """Aim the attacks of the frame without a question if one enemy is left for them. Returns whether it did."""
        left = targets_left(g, f)
        if len(left) != 1 or may_be_left(g, g.stack[f + Strikes.LINE]):
            return False
        aim_some(g, f, left[0], g.stack[f + Strikes.ATTACKS])
        return True
