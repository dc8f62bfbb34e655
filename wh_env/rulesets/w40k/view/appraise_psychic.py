"""Values of psychic powers: the psyker, power and target to attempt, and the powers worth denying (psychic.*).

The value of a power is the points of its effect times the chance that it is manifested and not denied, less the cost of
Perils of the Warp.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.chances import ways
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import beneath
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.attack.abilities import ATTACKS, TARGETED, test_result
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.morale.toll import slain_this_turn
from wh_env.rulesets.w40k.psychic.data import AURAS, NOTHING, SELECTED, Affects, Lasts, PsychicPower
from wh_env.rulesets.w40k.psychic.lasting import leadership, range_of, unaffected
from wh_env.rulesets.w40k.psychic.manifest import PERILS, Manifest, closest, deniers, targets
from wh_env.rulesets.w40k.psychic.perils import D3
from wh_env.rulesets.w40k.psychic.phase import Psyker, SelectPower, may_be_picked, open_powers
from wh_env.rulesets.w40k.psychic.state import LEADERSHIP, power_of, profile_of
from wh_env.rulesets.w40k.view.appraise import EditionAppraiser
from wh_env.rulesets.w40k.view.appraise_attacks import apart, swing
from wh_env.rulesets.w40k.view.appraise_effects import effect_worth, mortal_worth
from wh_env.rulesets.w40k.view.appraise_places import DANGER
from wh_env.rulesets.w40k.view.chances import RESULTS, above, amounts

OUTCOMES = frozenset(sum(dice) for dice in PERILS)  # results that only the dice of Perils of the Warp give


class PsychicScorers:
    """Decisions of the Psychic phase. Values are for the player of the psyker."""

    def __init__(self, values: EditionAppraiser) -> None:
        self.values = values
        self.scorers = {
            "select-psyker": self.select_psyker,
            "select-power": self.select_power,
            "power-target": self.power_target,
            "deny": self.deny,
            "closest-unit": self.select_closest,
        }

    # ---- what a power does

    def lasting(self, g: BattleCore, power: PsychicPower, number: int, unit: int) -> float:
        """Points that a modifier on ``unit`` is worth to the player of that unit."""
        if g.psyche.under[unit] >> number & 1 or unaffected(g, unit):
            return 0.0
        lasts = power.lasts != Lasts.TURN
        u = g.units
        foes = [e for e in g.units_of(1 - u.owner[unit]) if u.place[e] == ON_TABLE]
        if power.effect in ATTACKS:
            near = ATTACKS[power.effect][0]
            swings = [swing(self.values, g, unit, e, near, lasts) for e in foes]
            return max(swings, default=0.0, key=abs)
        if power.effect in TARGETED:
            near = TARGETED[power.effect][0]
            return -DANGER * sum(swing(self.values, g, e, unit, near, lasts) for e in foes)
        lost = slain_this_turn(g, unit)
        if power.effect != LEADERSHIP or not lost:
            return 0.0
        # one point of Leadership decides at most the share of Morale tests with one result; at least one model flees
        alive, counts = u.alive[unit], ways(edition(g).dice.leadership)
        most = power.amount[2] * max(counts) * self.values.left(g, unit)
        return most / (sum(counts) * alive) if alive > 0 else 0.0

    def affected(self, g: BattleCore, unit: int, number: int, target: int) -> list[int]:
        """Units that a power affects at once if it is manifested with this target (-1: it selects none)."""
        power, u = power_of(g, number), g.units
        if power.affects in SELECTED:
            return [target]
        if power.affects == Affects.CLOSEST:
            near = [e for e in closest(g, unit, number) if not unaffected(g, e)]
            return near if len(near) < 2 else [max(near, key=lambda e: self.on(g, unit, number, e, 0))]
        if power.affects not in AURAS or power.effect in edition(g).effects:
            return [unit]
        own = power.affects == Affects.FRIENDS_NEAR
        reach = range_of(g, unit, number) + EPS
        player = u.owner[unit] if own else 1 - u.owner[unit]
        return [k for k in g.units_of(player) if u.place[k] == ON_TABLE and apart(g, unit, k) <= reach]

    def on(self, g: BattleCore, unit: int, number: int, affected: int, result: int) -> float:
        """Points that the power's effect on the unit ``affected`` is worth, with this result of the Psychic test."""
        power, owner = power_of(g, number), g.units.owner[unit]
        sign = 1.0 if g.units.owner[affected] == owner else -1.0
        total = 0.0
        if power.beyond_leadership != NOTHING and result > leadership(g, affected):
            total -= sign * mortal_worth(self.values, g, affected, power.beyond_leadership)
        if power.effect not in edition(g).effects:
            return total + sign * self.lasting(g, power, number, affected)
        amount = power.more if power.better and result >= power.better else power.amount
        return total + effect_worth(self.values, g, owner, power.effect, affected, owner, amount)

    def manifested(self, g: BattleCore, unit: int, number: int, target: int, result: int) -> float:
        """Points that the power is worth once it is manifested with this result."""
        return sum(self.on(g, unit, number, k, result) for k in self.affected(g, unit, number, target))

    # ---- an attempt

    @staticmethod
    def obstacles(g: BattleCore, unit: int, number: int, target: int) -> tuple[bool, float]:
        """Whether the enemy can attempt to deny the power, and the chance that the target itself does not deny it."""
        if not power_of(g, number).deniable:
            return False, 1.0
        resists = profile_of(g, target).resists if target >= 0 else 0
        return bool(deniers(g, unit)), (resists - 1) / 6 if resists else 1.0

    def attempt(self, g: BattleCore, unit: int, number: int, target: int) -> float:
        """Points that an attempt is worth on average, Perils of the Warp included."""
        needed = power_of(g, number).charge + edition(g).psychic.rise(g, unit, number)
        survives, harm = self.perils(g, unit)
        deniable, stands = self.obstacles(g, unit, number, target)
        total, known = 0.0, dict[tuple[int, bool], float]()
        power = power_of(g, number)
        for dice, chance in RESULTS.items():
            result = test_result(g, unit, "psychic", dice)
            if dice in OUTCOMES:
                total -= chance * harm
                chance *= survives
            if result < needed:
                continue
            # results differ in value only if the power has a rule for high results
            asks = result if power.beyond_leadership != NOTHING else 0
            key = (asks, bool(power.better) and result >= power.better)
            if key not in known:
                known[key] = self.manifested(g, unit, number, target, result)
            total += chance * stands * (1.0 - above(result) if deniable else 1.0) * known[key]
        return total

    def perils(self, g: BattleCore, unit: int) -> tuple[float, float]:
        """The chance that the psyker survives Perils of the Warp, and their mean cost in points, including the
        explosion (psychic.perils.*).
        """
        wounds = sum(g.models.wounds[k] for k in g.members(unit))
        dies = sum(chance for amount, chance in amounts(D3).items() if amount >= wounds)
        harm = mortal_worth(self.values, g, unit, D3)
        if dies:
            u, reach = g.units, edition(g).psychic.perils_reach + EPS
            for other, place in enumerate(u.place):
                if other != unit and place == ON_TABLE and apart(g, unit, other) <= reach:
                    sign = 1.0 if u.owner[other] == u.owner[unit] else -1.0
                    harm += dies * sign * mortal_worth(self.values, g, other, D3)
        return 1.0 - dies, harm

    def best_target(self, g: BattleCore, unit: int, number: int) -> tuple[int, float]:
        """The best target of a power (-1: it selects none), and the points of that attempt."""
        if power_of(g, number).affects not in SELECTED:
            return -1, self.attempt(g, unit, number, -1)
        found = [(self.attempt(g, unit, number, target), -target) for target in targets(g, unit, number)]
        worth, target = max(found)
        return -target, worth

    def plan(self, g: BattleCore, unit: int, attempts: int) -> list[tuple[float, int]]:
        """The points and numbers of the psyker's further attempts, best first. A power attempted instead of all others
        is alone in the list.
        """
        numbers = open_powers(g, unit, attempts)
        found = sorted(((self.best_target(g, unit, n)[1], n) for n in numbers), key=lambda each: -each[0])
        together = [each for each in found if not power_of(g, each[1]).alone and each[0] > 0.0]
        together = together[: profile_of(g, unit).manifests - attempts]
        alone = [each for each in found if power_of(g, each[1]).alone and each[0] > sum(worth for worth, _ in together)]
        return alone[:1] or together

    # ---- decisions

    def select_psyker(self, g: BattleCore, mask: Array) -> int:
        """The psyker whose next power is worth most; none if no attempt is worth its risk."""
        space, first = g.setup.space, g.players.first_unit[g.clock.player[0]]
        best, choice = 0.0, 0
        for slot in mask[space.own : space.enemy].nonzero()[0].tolist():
            plan = self.plan(g, first + slot, 0)
            if plan and plan[0][0] > best + 1e-9:
                best, choice = plan[0][0], space.own + slot
        return int(choice)

    def select_power(self, g: BattleCore, mask: Array) -> int:
        """The power that is worth most; none if no power is worth its risk and the player may decline."""
        f = g.frame
        unit = g.stack[f + Psyker.UNIT]
        plan = self.plan(g, unit, g.stack[f + Psyker.ATTEMPTS])
        numbers = SelectPower.numbers(g, f)
        best = next((number for _, number in plan if number in numbers), None)
        if best is None and not mask[0]:
            best = max(numbers, key=lambda number: self.best_target(g, unit, number)[1])
        return 0 if best is None else (g.setup.space.option + numbers.index(best))

    def power_target(self, g: BattleCore, mask: Array) -> int:
        """The target of the best attempt."""
        f, space = g.frame, g.setup.space
        unit, number = g.stack[f + Psyker.UNIT], g.stack[f + Psyker.NUMBER]
        target, _ = self.best_target(g, unit, number)
        own = power_of(g, number).affects == Affects.FRIEND
        player = g.units.owner[unit] if own else 1 - g.units.owner[unit]
        return int((space.own if own else space.enemy) + target - g.players.first_unit[player])

    def select_closest(self, g: BattleCore, mask: Array) -> int:
        """Of the equally close units, the one on which the power is worth most."""
        f, space = g.frame, g.setup.space
        unit, number, result = (g.stack[f + n] for n in (Manifest.UNIT, Manifest.POWER, Manifest.RESULT))
        slots = mask[space.enemy : space.cell].nonzero()[0].tolist()
        first = g.players.first_unit[1 - g.units.owner[unit]]
        return space.enemy + max(slots, key=lambda slot: self.on(g, unit, number, first + slot, result))

    def deny(self, g: BattleCore, mask: Array) -> int:
        """Attempt to deny a power that hurts, unless at least as many worse powers may follow as attempts to deny are
        left.
        """
        f, space = g.frame, g.setup.space
        unit, number, target = (g.stack[f + n] for n in (Manifest.UNIT, Manifest.POWER, Manifest.TARGET))
        result = g.stack[f + Manifest.RESULT]
        now = above(result) * self.manifested(g, unit, number, target, result)
        if now <= 0.0:
            return 0
        left = sum(profile_of(g, k).denies - g.psyche.denies[k] for k in deniers(g, unit))
        coming = self.plan(g, unit, g.stack[beneath(f) + Psyker.ATTEMPTS])
        for other in g.units_of(g.units.owner[unit]):
            if other != unit and may_be_picked(g, other):
                coming = coming + self.plan(g, other, 0)
        worse = sum(self.spared(g, unit, each) > now for each in coming)
        if worse >= left:
            return 0
        return int(space.own + mask[space.own : space.enemy].argmax())

    @staticmethod
    def spared(g: BattleCore, unit: int, coming: tuple[float, int]) -> float:
        """Points that an attempt to deny the coming power saves on average."""
        worth, number = coming
        power = power_of(g, number)
        if not power.deniable:
            return 0.0
        needed = power.charge + edition(g).psychic.rise(g, unit, number)
        passes = [result for result in RESULTS if result >= needed]
        stands = sum(RESULTS[result] * (1.0 - above(result)) for result in passes)
        stopped = sum(RESULTS[result] * above(result) for result in passes)
        return worth * stopped / stands if stands > 0.0 else 0.0  # ``worth`` includes the denial already
