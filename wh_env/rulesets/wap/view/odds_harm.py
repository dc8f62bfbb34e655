"""Chances of what a blow costs, from its dice to hit to the Wounds lost, worked out from the tables and words of the
rules.

Nothing that rolls dice in a battle is used, so each is a check of the other. From the battle it reads the state, and
the weapons and armour of models (``weapons.blows``, ``weapons.saves``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.auras import wounding_near
from wh_env.rulesets.wap.basics.changed_dice import rerolls_under_effects, wound_rerolls_against
from wh_env.rulesets.wap.basics.dice import times_of
from wh_env.rulesets.wap.basics.dice_changes import ARMOUR
from wh_env.rulesets.wap.basics.immunity import catches_fire, ignores
from wh_env.rulesets.wap.basics.profiles import characteristic, lines_of, wounds_each
from wh_env.rulesets.wap.basics.rerolls import Rerolls
from wh_env.rulesets.wap.basics.special_rules import parameters
from wh_env.rulesets.wap.basics.spoiled_wards import must_save_again
from wh_env.rulesets.wap.codes import MOUNTS, TROOP_TYPES
from wh_env.rulesets.wap.rule_book import KILLING_BLOW, REGENERATION
from wh_env.rulesets.wap.weapons.blows import Blow
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC, BANISHING, FLAMING, HEROIC, SLAYING, Hit, Number
from wh_env.rulesets.wap.weapons.saves import (
    Ward,
    chance,
    is_harmless,
    may_regenerate,
    points_against,
    ward_save,
    wards_against,
)

FACES = range(1, 7)
# the roll needed: rows by the attacker's Weapon Skill or Strength, 1 to 10; columns by the target's Weapon Skill or
# Toughness
TO_HIT = (
    "4455666666", "3444556666", "2344445566", "2334444455", "2233444444",
    "2233344444", "2223334444", "2223333444", "2222333344", "2222333334",
)  # fmt: skip
TO_WOUND = (
    "4566666666", "3456666666", "2345666666", "2234566666", "2223456666",
    "2222345666", "2222234566", "2222223456", "2222222345", "2222222234",
)  # fmt: skip
ARMOUR_WORSE = (0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7)  # by Strength
BEST_OF_SEVERAL = 4  # the best save that several ward saves give together
NO_SAVE = 7
SLAIN = ("infantry", "cavalry", "war beast")  # by a Killing Blow; by a Heroic one all but swarms
BODIES = ("monster", "chariot", "shrine")  # their own Toughness counts, not their riders'


@lru_cache(maxsize=256)
def pass_chance(
    needed: int, failed: bool = False, passed: bool = False, ones: bool = False, sixes: bool = False
) -> float:
    """The chance that a die passes that needs ``needed``; failures, passes, 1s or 6s may be rolled again. A 1 never
    passes, a 6 always.
    """
    return sum(face_chance(die, needed, failed, passed, ones, sixes) for die in FACES if passes(die, needed))


def passes(die: int, needed: int) -> bool:
    """Whether a die passes that needs ``needed``."""
    return die == FACES[-1] or (die != 1 and die >= needed)


def face_chance(face: int, needed: int, failed: bool, passed: bool, ones: bool, sixes: bool) -> float:
    """The chance that a die that needs ``needed`` shows a face in the end; arguments as for ``pass_chance``. Nothing is
    rolled again if rules that help meet rules that harm.
    """
    if (failed or ones) and (passed or sixes):
        return 1 / 6
    again = {die for die in FACES if (passed if passes(die, needed) else failed)}
    again |= ({FACES[0]} if ones else set()) | ({FACES[-1]} if sixes else set())
    return (face not in again) / 6 + len(again) / 36


def words_of(rerolls: Rerolls) -> tuple[bool, bool, bool, bool]:
    """Re-rolls as ``pass_chance`` takes them."""
    return rerolls.failed > 0, rerolls.passed > 0, rerolls.ones, rerolls.sixes


@lru_cache(maxsize=256)
def number_chances(number: Number) -> Mapping[int, float]:
    """The chance of each value of a rolled number."""
    dice, sides, plus = number[:3]
    found = {plus: 1.0}
    for _ in range(dice):
        after: dict[int, float] = {}
        for total, share in found.items():
            for die in FACES:
                at = total + (die if sides == FACES[-1] else (die + 1) // 2)
                after[at] = after.get(at, 0.0) + share / 6
        found = after
    return {total * times_of(number): share for total, share in found.items()}


def hit_chance(blow: Blow, skill: int) -> float:
    """The chance that a blow hits models of Weapon Skill ``skill``; models with none are hit without dice."""
    if skill == 0 or blow.nature & AUTOMATIC:
        return 1.0
    needed = int(TO_HIT[blow.weapon_skill - 1][skill - 1]) if blow.weapon_skill else FACES[-1]
    return pass_chance(min(FACES[-1], needed - blow.hitting), *words_of(blow.rerolls))


def wound_needed(hit: Hit, toughness: int) -> int:
    """The roll that a hit needs to wound models of a Toughness."""
    return int(TO_WOUND[max(1, hit.strength) - 1][max(1, toughness) - 1]) - hit.wounding


def ward_chance(wards: list[Ward]) -> float:
    """The chance that ward saves cancel a wound: by the best of them, or by several together, which are never better
    than 4+ nor rolled again.
    """
    found = 0.0
    for number in range(1, len(wards) + 1):
        for some in combinations(wards, number):
            save = some[0].save if number == 1 else max(BEST_OF_SEVERAL, NO_SAVE - sum(NO_SAVE - w.save for w in some))
            once = max(0, NO_SAVE - max(2, save)) / 6
            found = max(found, 1 - (1 - once) ** 2 if number == 1 and some[0].again else once)
    return found


def unsaved_chance(g: BattleCore, target: int, hit: Hit, side: int, *, mortal: bool = False) -> float:
    """The chance that saves do not prevent a wound; ``mortal``: it is of a killing blow, against which neither armour
    nor Regeneration helps, even if the blow does not slay.
    """
    points = 0 if mortal else points_against(g, target, hit, side)
    needed = max(1, NO_SAVE - points) + ARMOUR_WORSE[hit.strength] + hit.piercing
    again = words_of(rerolls_under_effects(g, target, ARMOUR))
    armour = pass_chance(needed, *again) if points and needed < NO_SAVE else 0.0
    wards = list(wards_against(g, target, hit.strength, side, hit.nature))
    if mortal and may_regenerate(g, target, hit.nature):
        for words in parameters(g, target, REGENERATION):
            wards.remove(Ward(int(words[0]), words.endswith("re-rolled")))
    spoiled = must_save_again(g, target) or bool(hit.nature & BANISHING)
    return (1 - armour) * (1 - (chance(ward_save(wards), doomed=True) if spoiled else ward_chance(wards)))


def chance_by_score(needs: int) -> float:
    """The chance of a hit that wounds on a score of its own, which nothing changes: on 1 always, above 6 never."""
    return max(0, FACES[-1] + 1 - max(1, needs)) / 6


def harm_of(g: BattleCore, target: int, hit: Hit, toughness: int, side: int) -> tuple[float, ...]:
    """The chances that a hit costs a unit 0, 1, ... Wounds. A model that a killing blow slays is assumed unhurt. If a
    killing blow does not slay, it takes what any wound takes (wap.special.killing-blow.types,
    wap.special.multiple-wounds, wap.special.general.cumulative).
    """
    if is_harmless(g, target, hit.nature):
        return 1.0, 0.0
    needed, troop = wound_needed(hit, toughness) - wounding_near(g, target), TROOP_TYPES[g.units.kind[target]]
    needed = min(needed, hit.at_worst or needed)
    failed, *others = words_of(hit.wound_rerolls + wound_rerolls_against(g, target))
    again = (failed or bool(hit.nature & FLAMING and catches_fire(g, target)), *others)
    wounds, most = chance_by_score(hit.needs) if hit.needs else pass_chance(needed, *again), wounds_each(g, target)
    found = [0.0] * (most + 1)
    left = 0.0  # chance of an unsaved wound that does not slay
    if hit.nature & SLAYING and not ignores(g, target, KILLING_BLOW):
        six = face_chance(FACES[-1], needed, *again)
        wounds -= six
        mortal = six * unsaved_chance(g, target, hit, side, mortal=True)
        if troop in SLAIN or (hit.nature & HEROIC and troop != "swarm"):
            found[most] += mortal
        else:
            left += mortal
    left += wounds * unsaved_chance(g, target, hit, side)
    for taken, share in number_chances(hit.takes).items():
        found[min(most, taken)] += left * share
    while len(found) > 2 and found[-1] == 0.0:
        found.pop()
    found[0] = 1.0 - sum(found[1:])
    return tuple(found)


def mount_line(g: BattleCore, unit: int) -> int:
    """The row in ``lines`` of a unit's mounts; -1: it has none."""
    return next((line for line in lines_of(g, unit) if g.lines.kind[line] == MOUNTS), -1)


def defences(g: BattleCore, unit: int) -> list[tuple[int, int]]:
    """Weapon Skill and Toughness that attacks meet, for the rank and file and for a champion that is alone. Of rider
    and mount the higher counts; monsters, chariots and shrines have their own Toughness.
    """
    mount, found = mount_line(g, unit), list[tuple[int, int]]()
    for line in lines_of(g, unit)[:2]:
        skill, toughness = characteristic(g, line, "ws"), characteristic(g, line, "t")
        if mount >= 0:
            skills, ridden = characteristic(g, mount, "ws"), characteristic(g, mount, "t")
            body = TROOP_TYPES[g.units.kind[unit]] in BODIES
            skill, toughness = (skill, ridden) if body else (max(skill, skills), max(toughness, ridden))
        found.append((skill, toughness))
    return found


def blow_harm(g: BattleCore, target: int, blow: Blow, skill: int, toughness: int, side: int) -> tuple[float, ...]:
    """The chances that a blow at models of a Weapon Skill and Toughness costs 0, 1, ... Wounds; ``side``: of their
    block from which it comes.
    """
    hits = hit_chance(blow, skill)
    each = harm_of(g, target, blow.hit, toughness, side)
    harm = list(each)
    for _ in range(blow.hits - 1):
        harm = [
            sum(harm[n] * each[total - n] for n in range(len(harm)) if 0 <= total - n < len(each))
            for total in range(len(harm) + len(each) - 1)
        ]
    costs = [hits * share for share in harm[1:]]
    return 1.0 - sum(costs), *costs
