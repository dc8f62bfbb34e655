"""The worth of a round of close combat: average wounds, the combat result that they give with ranks and standards, and
the chances to break.

Averages stand for distributions: the result of a round is taken as normally distributed about its mean, with the
variance of the wounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import erf, sqrt

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.auras import wounding_near
from wh_env.rulesets.wap.basics.changed_dice import rerolls_under_effects, strength_under_effects
from wh_env.rulesets.wap.basics.changed_units import average_result
from wh_env.rulesets.wap.basics.dice import FACES
from wh_env.rulesets.wap.basics.dice_changes import ARMOUR
from wh_env.rulesets.wap.basics.needed import AUTOMATIC, to_hit, to_wound
from wh_env.rulesets.wap.basics.parties import MOST_AT_A_MACHINE
from wh_env.rulesets.wap.basics.profiles import characteristic, lines_of, wholly
from wh_env.rulesets.wap.basics.rerolls import Rerolls
from wh_env.rulesets.wap.basics.spoiled_wards import must_save_again
from wh_env.rulesets.wap.basics.strength import rank_bonus, unit_strength
from wh_env.rulesets.wap.breaking.break_tests import is_unbreakable
from wh_env.rulesets.wap.casualties.harm import is_slain, may_slay, most_wounds, wound_rerolls
from wh_env.rulesets.wap.codes import FRONT, LEADERS, MOUNTS, REAR, STANDARD, STOMPS
from wh_env.rulesets.wap.commands.roles import leads
from wh_env.rulesets.wap.morale.army_leaders import has_battle_standard
from wh_env.rulesets.wap.morale.leadership import LeadershipTest, as_taken, passes_all_tests, value_of
from wh_env.rulesets.wap.special.psychology import (
    fears_fire,
    fearsome_strength,
    frightened_by,
    heeds_scarecrows,
    is_stubborn,
)
from wh_env.rulesets.wap.troops.war_machines import crew_left, figures_of, is_machine
from wh_env.rulesets.wap.view.odds_harm import number_chances
from wh_env.rulesets.wap.ways.poses import depth_of, front_width
from wh_env.rulesets.wap.weapons.arms import CHARGES
from wh_env.rulesets.wap.weapons.blows import NEVER, STOMP, Blow, arm_of, blow_of, extra_ranks
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC as NO_DICE
from wh_env.rulesets.wap.weapons.hit import MORTAL, ONE, Hit
from wh_env.rulesets.wap.weapons.saves import armour_needed, chance, points_against, ward_save, wards_against

CAUGHT = 0.75  # share of a broken unit's cost that counts as taken
NARROW = 5  # the least Unit Strength for the bonus of a flank or rear attack
STEADY = 10  # the least Unit Strength to be steadfast
WIDEST = 12  # the greatest lead that is looked at
DOUBT = 1.0  # variance of a result that its wounds do not account for


def passes(needed: int) -> float:
    """The share of dice that show at least ``needed``."""
    return max(0.0, min(5.0, 7.0 - needed)) / 6.0


def passes_at_last(needed: int, rerolls: Rerolls) -> float:
    """The share of dice that show at least ``needed`` after re-rolls."""
    once = passes(needed)
    again = rerolls.faces(min(FACES, needed)) if needed <= FACES else 0
    if not again:
        return once
    lost = sum(again >> die & 1 for die in range(max(2, needed), FACES + 1)) / FACES
    return once - lost + once * again.bit_count() / FACES


def unsaved_share(g: BattleCore, hit: Hit, target: int, side: int) -> float:
    """The share of wounds that saves do not prevent."""
    points = points_against(g, target, hit, side)
    needed = armour_needed(points, hit.strength, hit.piercing)
    unsaved = 1.0 - passes_at_last(needed, rerolls_under_effects(g, target, ARMOUR)) if points > 0 else 1.0
    ward = ward_save(wards_against(g, target, hit.strength, side, hit.nature))
    return unsaved * (1.0 - chance(ward, must_save_again(g, target)))


def share_of_hit(g: BattleCore, hit: Hit, target: int, side: int, toughness: int) -> float:
    """Average wounds that one hit costs a unit."""
    needed = min(FACES, to_wound(hit.strength, toughness) - hit.wounding - wounding_near(g, target))
    needed = min(needed, hit.at_worst or needed)
    rerolls = wound_rerolls(g, target, hit)
    wound, again = passes_at_last(needed, rerolls), rerolls.faces(needed)
    most, slays = most_wounds(g, target), 0.0
    takes = 1.0 if hit.takes == ONE else sum(min(most, n) * share for n, share in number_chances(hit.takes).items())
    if may_slay(g, target, hit.nature):
        six = ((not again >> FACES & 1) + again.bit_count() / FACES) / FACES
        mortal = unsaved_share(g, hit._replace(nature=hit.nature | MORTAL), target, side)
        slays = six * mortal * (most if is_slain(g, target, hit.nature) else takes)
        wound = max(0.0, wound - six)
    return slays + wound * unsaved_share(g, hit, target, side) * takes


def share_of_wounds(g: BattleCore, blow: Blow, target: int, side: int) -> float:
    """Average wounds that one blow costs a unit, struck from a side of its block."""
    line = g.units.first_line[target]
    needed = AUTOMATIC if blow.nature & NO_DICE else to_hit(blow.weapon_skill, characteristic(g, line, "ws"))
    hit = 1.0 if needed == AUTOMATIC else passes_at_last(min(FACES, needed - blow.hitting), blow.rerolls)
    return hit * blow.hits * share_of_hit(g, blow.hit, target, side, characteristic(g, line, "t"))


def if_charging(g: BattleCore, unit: int, line: int, blow: Blow) -> Blow:
    """A blow as it would be after a charge that the unit has not made yet."""
    weapon = arm_of(g, line)
    if g.units.charging[unit] or weapon.when != CHARGES or strength_under_effects(g, line):
        return blow
    return blow._replace(strength=min(10, blow.strength + weapon.bonus))


def abreast(g: BattleCore, unit: int, side: int, room: float) -> int:
    """The number of models of a unit that touch an enemy that lies along ``room`` inches of a side of its block."""
    u = g.units
    files = min(u.files[unit], u.alive[unit])
    models = files if side in (FRONT, REAR) else -(-u.alive[unit] // max(1, files))
    half = u.base_b[unit] if side in (FRONT, REAR) else u.base_a[unit]
    return int(min(models, room / (2.0 * half) + 1.0))


class Contestant:
    """A unit, with the characters in it, that fights an enemy: what does not depend on the sides at which they touch.
    Each part is worked out once, so it holds only as long as neither unit changes.

    Args:
        g: the battle.
        unit: the unit.
        target: its enemy.
    """

    def __init__(self, g: BattleCore, unit: int, target: int) -> None:
        self.g, self.unit, self.target = g, unit, target
        self.machine = is_machine(g, target)
        self._lines: dict[int, list[int]] = {}
        self._blows: dict[int, Blow] = {}
        self._shares: dict[tuple[int, int, bool, int], tuple[Blow, float]] = {}

    @cached_property
    def heroes(self) -> list[int]:
        """The characters in the unit that strike."""
        return heroes_striking(self.g, self.unit)

    @cached_property
    def ranks_behind(self) -> int:
        """Ranks that support the rank in contact."""
        return extra_ranks(self.g, self.unit)

    @cached_property
    def strength(self) -> int:
        """Its Unit Strength."""
        return unit_strength(self.g, self.unit)

    @cached_property
    def enemy_strength(self) -> int:
        """The Unit Strength of its enemy."""
        return unit_strength(self.g, self.target)

    @cached_property
    def rank_bonus(self) -> int:
        """Its bonus for ranks."""
        return rank_bonus(self.g, self.unit)

    @cached_property
    def steady_bonus(self) -> tuple[int, int]:
        """What it adds to its result at all sides, without ranks and charge; and its Fear bonus."""
        g, unit = self.g, self.unit
        total = int(self.strength > self.enemy_strength) + leads(g, unit, STANDARD) + has_battle_standard(g, unit)
        return total + round(average_result(g, unit)), fear_of(g, unit, self.target)

    @cached_property
    def nerve(self) -> tuple[int, Sequence[float], bool] | None:
        """The Leadership of its break test, the chances to pass by Leadership, and whether it is steadfast; None if it
        never breaks.
        """
        g, unit = self.g, self.unit
        if is_unbreakable(g, unit) or passes_all_tests(g, unit):
            return None
        test = as_taken(g, unit, LeadershipTest("wap.break.test"))
        leadership, odds = value_of(g, unit, test), test.chances
        steady = self.strength > self.enemy_strength and self.strength >= STEADY
        return leadership, odds, is_stubborn(g, unit) or (steady and self.rank_bonus > 0)

    def lines(self, row: int) -> list[int]:
        """The fighting profiles that strike, of the unit or of a character in it (``row``)."""
        found = self._lines.get(row)
        if found is None:
            kind = self.g.lines.kind
            found = self._lines[row] = [line for line in lines_of(self.g, row) if kind[line] != LEADERS]
        return found

    def blow(self, line: int) -> Blow:
        """How a fighting profile strikes the enemy."""
        found = self._blows.get(line)
        if found is None:
            found = self._blows[line] = blow_of(self.g, self.unit, line, self.target)
        return found

    def share(self, row: int, line: int, other: int, *, charges: bool) -> tuple[Blow, float]:
        """The blow of a fighting profile, and the average wounds of one of them at the side ``other`` of the enemy."""
        key = (row, line, charges, other)
        found = self._shares.get(key)
        if found is None:
            blow = self.blow(line)
            if charges:
                blow = if_charging(self.g, self.unit, line, blow)
            found = self._shares[key] = blow, share_of_wounds(self.g, blow, self.target, other)
        return found

    def wounds(self, side: int, other: int, room: float, *, charges: bool) -> float:
        """Average wounds that it deals to the enemy at its ``side``, when it stands at the side ``other`` of the enemy
        along ``room`` inches.
        """
        g, unit, u = self.g, self.unit, self.g.units
        front = most_assailants(g, unit) if self.machine else abreast(g, unit, side, room)
        behind = max(0, u.alive[unit] - u.files[unit]) if side == FRONT and not self.machine else 0
        support = min(front * self.ranks_behind, behind)
        charges = charges and not self.machine
        found = self._wounds_of(unit, other, (front, support), charges)
        found += sum(self._wounds_of(hero, other, (1, 0), charges) for hero in self.heroes)
        return min(found, most_to_lose(g, self.target))

    def _wounds_of(self, row: int, other: int, models: tuple[int, int], charges: bool) -> float:
        """Average wounds by ``models`` (in contact, behind them) of the unit or of a character in it (``row``)."""
        g, found, (front, support) = self.g, 0.0, models
        for line in self.lines(row):
            if self.blow(line).tier == NEVER:
                continue
            blow, share = self.share(row, line, other, charges=charges)
            strikes = figures_of(g, row, line) * (front * blow.on_average + support * blow.supports)
            if g.lines.kind[line] == STOMPS:
                strikes *= STOMP
            strikes += front * (charges and g.lines.kind[line] == MOUNTS)  # impact hits
            found += strikes * share
        return found

    def bonus(self, side: int, mine: int, *, charges: bool) -> int:
        """What it adds to its result besides wounds; it stands at ``side`` of the enemy, and the enemy at its side
        ``mine``. There is no bonus for a charge on a machine, and a machine has no flanks.
        """
        always, fear = self.steady_bonus
        total = always + int((charges or bool(self.g.units.charging[self.unit])) and not self.machine)
        if mine == FRONT or self.enemy_strength < STEADY:
            total += self.rank_bonus
        if side != FRONT and not self.machine and self.strength >= NARROW:
            total += 2 if side == REAR else 1
        return total + fear

    def odds_to_break(self, lead: float, spread: float) -> float:
        """The chance that it breaks. It loses by ``lead`` on average (below 0: it wins), with standard deviation
        ``spread``.
        """
        if self.nerve is None:
            return 0.0
        leadership, odds, steady = self.nerve
        found, below = 0.0, _below(0.5, lead, spread)
        for by in range(1, WIDEST + 1):
            up_to = _below(by + 0.5, lead, spread) if by < WIDEST else 1.0
            found += (up_to - below) * (1.0 - odds[max(0, min(len(odds) - 1, leadership - (0 if steady else by)))])
            below = up_to
        return found


def wounds_on_average(
    g: BattleCore, unit: int, side: int, target: int, other: int, room: float, charges: bool
) -> float:
    """Average wounds that a unit and the characters in it deal to an enemy at its ``side``, when the unit stands at the
    side ``other`` of the enemy.
    """
    return Contestant(g, unit, target).wounds(side, other, room, charges=charges)


def most_assailants(g: BattleCore, unit: int) -> int:
    """The most models of a unit that assault a war machine (wap.machine.combat.assault-group)."""
    return int(min(g.units.alive[unit], max(1, MOST_AT_A_MACHINE // max(1, g.units.each[unit]))))


def most_to_lose(g: BattleCore, unit: int) -> float:
    """Wounds that a unit of unhurt models can lose; of a war machine its crew."""
    if is_machine(g, unit):
        return float(crew_left(g, unit))
    return float(g.units.alive[unit] * characteristic(g, g.units.first_line[unit], "w"))


def heroes_striking(g: BattleCore, unit: int) -> list[int]:
    """The characters in a unit that do not cower and are no pack masters. They are assumed to reach the enemy."""
    return [row for row in wholly(g, unit)[1:] if not g.units.cowers[row] and not g.units.drives[row]]


def bonus_of(g: BattleCore, unit: int, target: int, side: int, mine: int, charges: bool) -> int:
    """What a unit adds to its result besides wounds; it stands at ``side`` of the enemy, and the enemy at its side
    ``mine``.
    """
    return Contestant(g, unit, target).bonus(side, mine, charges=charges)


def fear_of(g: BattleCore, unit: int, target: int) -> int:
    """The Fear bonus of a unit that fights one enemy alone (wap.special.fear.result, .double)."""
    if not frightened_by(g, target, unit):
        return 0
    wings = heeds_scarecrows(g, target, unit)
    feared = fearsome_strength(g, unit, fire=fears_fire(g, target), wings=wings)
    return 2 if feared >= 2 * unit_strength(g, target) else 1


def odds_to_break(g: BattleCore, unit: int, other: int, lead: float, spread: float) -> float:
    """The chance that a unit breaks. It loses by ``lead`` on average (below 0: it wins), with standard deviation
    ``spread``.
    """
    return Contestant(g, unit, other).odds_to_break(lead, spread)


def _below(value: float, mean: float, spread: float) -> float:
    return 0.5 * (1.0 + erf((value - mean) / (spread * sqrt(2.0))))


def worth_left(g: BattleCore, unit: int) -> float:
    """The share of a unit's points that its living models stand for."""
    return g.units.points[unit] * g.units.alive[unit] / max(1, g.units.strength[unit])


Duel = tuple[Contestant, Contestant]


def duel_of(g: BattleCore, unit: int, target: int) -> Duel:
    """A unit and its enemy, each against the other."""
    return Contestant(g, unit, target), Contestant(g, target, unit)


def worth_of_round(
    g: BattleCore,
    unit: int,
    target: int,
    side: int,
    *,
    mine: int = FRONT,
    charges: bool = False,
    duel: Duel | None = None,
) -> float:
    """Points that a round of close combat is worth to a unit at ``side`` of an enemy, less what it costs; ``mine``: the
    side of the unit at which the enemy stands; ``duel``: the two units, if they are known.
    """
    along = front_width(g, target) if side in (FRONT, REAR) else depth_of(g, target)
    room = min(along, front_width(g, unit) if mine in (FRONT, REAR) else depth_of(g, unit))
    one, other = duel_of(g, unit, target) if duel is None else duel
    deals = one.wounds(mine, side, room, charges=charges)
    takes = other.wounds(side, mine, room, charges=False)
    return worth_of_result(g, unit, target, side, mine, (deals, takes), charges=charges, duel=(one, other))


def lead_of(
    g: BattleCore,
    unit: int,
    target: int,
    side: int,
    mine: int,
    wounds: tuple[float, float],
    *,
    charges: bool = False,
    duel: Duel | None = None,
) -> tuple[float, float]:
    """The lead by which a unit wins a round on average, and its standard deviation; ``wounds``: that it deals and takes
    on average.
    """
    deals, takes = wounds
    one, other = duel_of(g, unit, target) if duel is None else duel
    lead = deals - takes + one.bonus(side, mine, charges=charges) - other.bonus(mine, side, charges=False)
    return lead, sqrt(0.6 * (deals + takes) + DOUBT)


def worth_of_result(
    g: BattleCore,
    unit: int,
    target: int,
    side: int,
    mine: int,
    wounds: tuple[float, float],
    *,
    charges: bool = False,
    duel: Duel | None = None,
) -> float:
    """Points that a round is worth; ``wounds``: that the unit deals and takes on average."""
    deals, takes = wounds
    one, other = duel = duel_of(g, unit, target) if duel is None else duel
    lead, spread = lead_of(g, unit, target, side, mine, wounds, charges=charges, duel=duel)
    gain, loss = worth_left(g, target), worth_left(g, unit)
    taken, given = deals / models_of(g, target), takes / models_of(g, unit)
    breaks, broken = other.odds_to_break(lead, spread), one.odds_to_break(-lead, spread)
    worth: float = gain * (min(1.0, taken) + CAUGHT * breaks) - loss * (min(1.0, given) + CAUGHT * broken)
    return worth


def models_of(g: BattleCore, unit: int) -> float:
    """The models of a unit, at least 1; of a war machine its crew."""
    return max(1.0, crew_left(g, unit) if is_machine(g, unit) else g.units.alive[unit])


def worth_of_charge(g: BattleCore, unit: int, target: int, side: int, duel: Duel | None = None) -> float:
    """Points that a charge at a side of an enemy is worth; a fleeing target is assumed to be run down."""
    if g.units.fleeing[unit]:
        return 0.0
    if g.units.fleeing[target]:
        return 0.8 * worth_left(g, target)
    return worth_of_round(g, unit, target, side, charges=True, duel=duel)


def worth_of_charges(g: BattleCore, unit: int, target: int, sides: Sequence[int]) -> list[float]:
    """Points that a charge on an enemy is worth, for each of these sides."""
    duel = duel_of(g, unit, target)
    return [worth_of_charge(g, unit, target, side, duel) for side in sides]
