"""From shots to losses: to hit, to wound, saves, who is removed (wap.shoot.sequence, .wound.roll, .wound.natural,
.unusual, .hit.automatic).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.combined_unit import units_beside
from wh_env.rulesets.wap.basics.contacts import block_of, foes_of
from wh_env.rulesets.wap.basics.dice import chosen_at_random
from wh_env.rulesets.wap.basics.profiles import bounded, characteristic
from wh_env.rulesets.wap.basics.special_rules import line_has
from wh_env.rulesets.wap.casualties.casualties import Casualties
from wh_env.rulesets.wap.casualties.harm import Wounds, roll_to_wound, wounds_lost
from wh_env.rulesets.wap.casualties.losses import is_asked, wounds_of
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.codes import FRONT, REAR
from wh_env.rulesets.wap.morale.panic_causes import NOBODY
from wh_env.rulesets.wap.rule_book import IGNORES_ARMOUR_SAVES
from wh_env.rulesets.wap.shooting.aims import quarters_of_models
from wh_env.rulesets.wap.shooting.shots import FACES, IMPOSSIBLE, SECOND
from wh_env.rulesets.wap.troops.cavalry import defence_of
from wh_env.rulesets.wap.weapons.arms import Weapon
from wh_env.rulesets.wap.weapons.blows import POISON, is_poisoned, nature_of, piercing_from, takes_of
from wh_env.rulesets.wap.weapons.hit import FLAMING, ICE, RANGED, Hit
from wh_env.rulesets.wap.weapons.saves import points_against, points_of, save_of

STRADDLES = 4  # the least die that puts who stands in two quarters alike at the one farther to the rear


def shared(values: Iterable[int]) -> int:
    """What a unit whose models differ counts as having: the value of most of them; of two alike the average, rounded up
    (wap.shoot.wound.mixed-unit).
    """
    found = Counter(values)
    most = [value for value in found if found[value] == max(found.values())]
    return -(-sum(most) // len(most))


def toughness_of(g: BattleCore, target: int) -> int:
    """Toughness that shots at a unit meet, of rider and mount the higher one."""
    lines = [g.models.line[k] for k in g.members(target)]
    known = {line: defence_of(g, target, line)[1] for line in set(lines)}
    return shared(known[line] for line in lines)


def points_against_shots(g: BattleCore, target: int, hit: Hit, side: int) -> int:
    """Points of armour of a unit against shots from a side: all its models wear the same; no more count than make the
    best save.
    """
    return points_of(save_of(points_against(g, target, hit._replace(nature=hit.nature | RANGED), side)))


def hit_of(g: BattleCore, line: int, weapon: Weapon, target: int) -> Hit:
    """A hit with a missile weapon: of its own Strength where it has one (wap.shoot.wound.roll)."""
    return Hit(
        bounded(weapon.strength_of(characteristic(g, line, "s"))),
        piercing_from(g, line, weapon),
        weapon.ignores_armour or line_has(g, line, IGNORES_ARMOUR_SAVES),
        POISON if is_poisoned(g, line, weapon, target) else 0,
        takes_of(g, line, weapon, ranged=True),
        nature_of(g, line, weapon, ranged=True),
    )


def roll_to_hit(g: BattleCore, shots: int, needed: int) -> tuple[int, int, tuple[int, ...]]:
    """How many of so many shots hit, how many dice show a natural 1, what they show; a 1 always misses
    (wap.shoot.hit.one-misses), for more than 6 a second die decides (wap.shoot.hit.seven-plus).
    """
    if needed >= IMPOSSIBLE:
        return 0, 0, ()
    dice = tuple(g.d6() for _ in range(shots))
    ones = dice.count(1)
    if needed <= FACES:
        return sum(die > 1 and die >= needed for die in dice), ones, dice
    again = tuple(g.d6() for _ in range(dice.count(FACES)))
    return sum(die >= SECOND[needed] for die in again), ones, dice + again


def side_shot(g: BattleCore, unit: int, target: int) -> int:
    """The side of a target that a unit shoots at: of the quarter in which most of its models stand; of two alike a die
    says which (wap.shoot.side, .side.straddle).
    """
    stands = quarters_of_models(g, unit, target)
    most = max(stands.values())
    found = sorted((side for side in stands if stands[side] == most), key=lambda side: (side != FRONT) + (side == REAR))
    if len(found) == 1:
        return found[0]
    return found[-1] if g.d6() >= STRADDLES else found[0]


def wounds_from(g: BattleCore, target: int, hits: int, hit: Hit, by: int = NOBODY) -> Wounds:
    """How many hits wound; a 1 never does, a 6 always (wap.shoot.wound.natural)."""
    wounds = roll_to_wound(g, target, hits, hit, toughness_of(g, target))
    if g.recorder is not None and hits:
        told = {"amount": hits, "needed": wounds.needed, "rolls": wounds.shown, "result": wounds.number}
        g.note("wap.shoot.wound.roll", "to wound", unit=by, target=target, **told)
    return wounds


def take_hits(g: BattleCore, target: int, hits: list[tuple[int, Hit]], side: int, by: int) -> None:
    """A unit takes hits that are no blows, all at once: dice to wound, saves, losses (wap.shoot.unusual,
    .hit.automatic, wap.armour.shield.infantry-front).

    Args:
        hits: how many of each kind. side: of its block from which they come. by: the row of who has dealt them,
            ``NOBODY``.
    """
    lost = 0
    for wounds, hit in [(wounds_from(g, target, number, hit, by), hit) for number, hit in hits]:
        if not wounds.number:
            continue
        shot = hit._replace(nature=hit.nature | RANGED)
        more = wounds_lost(g, target, wounds, shot, side, lost, points=points_against_shots(g, target, hit, side))
        g.units.scorched[block_of(g, target)] |= bool(more and hit.nature & FLAMING)
        lost += more
    lost = min(wounds_of(g, target), lost)
    if not lost:
        return
    g.note("wap.shoot.sequence", "wounds", unit=by, target=target, amount=lost)
    if is_asked(g, target, lost):
        g.push(Casualties, target, lost, by + 1)
    else:
        suffer(g, target, lost, by=by)


def freeze(g: BattleCore, target: int, hits: list[tuple[int, Hit]]) -> None:
    """A unit of which ice hits anybody always strikes last, with those who have joined it, until the next turn of who
    has shot begins (wap.special.ice-attacks.ranged)."""
    if not any(number and hit.nature & ICE for number, hit in hits):
        return
    for row in units_beside(g, target):
        if not g.units.chilled[row]:
            g.units.chilled[row] = 1
            g.note("wap.special.ice-attacks.ranged", "freezes", unit=row)


def friends_hit(g: BattleCore, target: int, ones: int) -> dict[int, int]:
    """Which friends in a combat the shots that show a 1 hit, each at random (wap.shoot.into-combat.ones)."""
    friends, found = foes_of(g, target), dict[int, int]()
    for _ in range(ones if friends else 0):
        friend = friends[chosen_at_random(g, len(friends)) if len(friends) > 1 else 0]
        found[friend] = found.get(friend, 0) + 1
    return found
