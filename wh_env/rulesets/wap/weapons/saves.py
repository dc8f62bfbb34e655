"""Saving throws: armour by sums of points, then the ward save (wap.shoot.save.*, wap.shoot.ward.*,
wap.special.parry.*).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.carried import show_items
from wh_env.rulesets.wap.basics.changed_dice import changes_of, rerolls_under_effects
from wh_env.rulesets.wap.basics.charms import wounds_charmed_away
from wh_env.rulesets.wap.basics.dice_changes import ARMOUR
from wh_env.rulesets.wap.basics.effects import powers_on
from wh_env.rulesets.wap.basics.immunity import ignores, parts
from wh_env.rulesets.wap.basics.powers import GhostToShots
from wh_env.rulesets.wap.basics.profiles import characteristic
from wh_env.rulesets.wap.basics.rerolls import NONE, Rerolls, is_hit, rolled
from wh_env.rulesets.wap.basics.resistance import resistance_of
from wh_env.rulesets.wap.basics.special_rules import models_have, parameters
from wh_env.rulesets.wap.basics.spoiled_wards import must_save_again, show_spoilers
from wh_env.rulesets.wap.codes import FRONT, INFANTRY
from wh_env.rulesets.wap.rule_book import (
    DODGE,
    ETHEREAL,
    FLAMING_ATTACKS,
    ICE_ATTACKS,
    IMMUNITY,
    LIGHTNING_ATTACKS,
    NATURAL_ARMOUR,
    PARRY,
    REGENERATION,
    WARD_SAVE,
    SpecialRule,
)
from wh_env.rulesets.wap.weapons.arms import MOST_POINTS, NO_SAVE, Piece, outfit_of, weapon_of
from wh_env.rulesets.wap.weapons.blows import Blow, is_slow
from wh_env.rulesets.wap.weapons.hit import (
    AUTOMATIC,
    BANISHING,
    DIRECT,
    ENGINE,
    FLAMING,
    ICE,
    LIGHTNING,
    MAGICAL,
    MORTAL,
    RANGED,
    SPELL,
    SWIFT,
    UNHEALED,
    Hit,
)

MODIFIED_FROM = 4  # the lowest Strength that worsens armour saves (wap.shoot.save.modifier)
WORST_DIE = 6  # a save that needs more is not rolled
BEST_COMBINED = 4  # wap.shoot.ward.combine
BEST_WARD = 2  # a natural 1 fails


class Saved(NamedTuple):
    """How many wounds remain after saves; the scores that armour saves and ward saves needed which were failed and may
    still be rolled again. More than 6: none may.
    """

    left: int
    armour: int
    ward: int


class Ward(NamedTuple):
    """A ward save from one source; ``again``: a failed one may be rolled again."""

    save: int
    again: bool = False


# words behind a ward save that holds only against some hits, and what those are (wap.shoot.what-is)
ONLY: Mapping[str, int] = MappingProxyType({"against shooting": RANGED, "against war machines": ENGINE})
ENERGIES = ((FLAMING, FLAMING_ATTACKS), (ICE, ICE_ATTACKS), (LIGHTNING, LIGHTNING_ATTACKS))
WARD_OF_ETHER = (Ward(2), Ward(5))  # against physical hits, against magical hits


# ---------------------------------------------------------------- pure


def points_of(save: int) -> int:
    """Points of a save: 6+ is one, 1+ is six, no save is none (wap.shoot.save.combine)."""
    return max(0, NO_SAVE - save)


def save_of(points: int) -> int:
    """The save that ``points`` make, never better than 1+ (wap.shoot.save.best); ``NO_SAVE``: none."""
    return NO_SAVE - min(MOST_POINTS, max(0, points))


def strength_modifier(strength: int) -> int:
    """The number by which hits of a Strength worsen armour saves (wap.shoot.save.modifier)."""
    return max(0, strength - MODIFIED_FROM + 1)


def armour_needed(points: int, strength: int, piercing: int = 0) -> int:
    """The score that an armour save of ``points`` needs against a hit; more than 6: it is not rolled
    (wap.shoot.save.impossible).
    """
    return save_of(points) + strength_modifier(strength) + piercing if points > 0 else NO_SAVE


def combined(wards: Sequence[Ward]) -> Ward:
    """The ward save that several make together: by points, never better than 4+, never rolled again
    (wap.shoot.ward.combine, .reroll). A single one stays as it is; an empty list makes ``NO_SAVE``.
    """
    if len(wards) == 1:
        return wards[0]
    return Ward(max(BEST_COMBINED, save_of(sum(points_of(ward.save) for ward in wards)))) if wards else Ward(NO_SAVE)


def chance(ward: Ward, doomed: bool = False) -> float:
    """The probability that a ward save cancels a wound. ``doomed``: passed saves must be rolled again."""
    once = max(0, WORST_DIE + 1 - max(2, ward.save)) / WORST_DIE
    if doomed == ward.again:
        return once
    return 1 - (1 - once) ** 2 if ward.again else once**2


def ward_choices(wards: Sequence[Ward]) -> list[Ward]:
    """The different ward saves that can be made of ``wards``, the likeliest first; the owner chooses one
    (wap.shoot.ward.choice).
    """
    found = {combined(some) for n in range(1, len(wards) + 1) for some in combinations(wards, n)}
    return sorted(found, key=lambda ward: (-chance(ward), ward))


def ward_save(wards: Sequence[Ward]) -> Ward:
    """The likeliest ward save that can be made of ``wards``."""
    return next(iter(ward_choices(wards)), Ward(NO_SAVE))


# ---------------------------------------------------------------- of units


def serves(g: BattleCore, unit: int, piece: Piece) -> bool:
    """Whether a piece of armour counts in close combat: one held in a hand does not beside a two-handed weapon
    (wap.special.two-hands).
    """
    return not (piece.guards and weapon_of(g, unit).two_hands)


def armour_points(
    g: BattleCore, unit: int, *, shooting: bool = False, template: bool = False, side: int = FRONT
) -> int:
    """Armour points of the models of a unit by what they wear and are (wap.armour.general.values, .stacking).
    Arguments are those of ``added_points``.
    """
    if fixed := fixed_points(g, unit, shooting=shooting):
        return fixed
    return added_points(g, unit, shooting=shooting, template=template, side=side) + natural_points(g, unit)


def fixed_points(g: BattleCore, unit: int, *, shooting: bool = False) -> int:
    """Points of armour of the models of a unit to which nothing is added, against blows or shooting; 0: theirs add up
    (wap.item.armour.armour-of-silvered-steel, .shield-of-ptolos).
    """
    outfit = outfit_of(g, unit)
    return outfit.fixed_shooting if shooting else outfit.fixed


def worn_points(g: BattleCore, unit: int) -> int:
    """Armour points against blows of the models of a unit by what they wear."""
    return fixed_points(g, unit) or added_points(g, unit)


def added_points(g: BattleCore, unit: int, *, shooting: bool = False, template: bool = False, side: int = FRONT) -> int:
    """Armour points of the models of a unit by what they wear, as those of its pieces add up.

    Args:
        shooting: against shooting attacks, normal or magical, instead of blows.
        template: against templates, which may be shooting attacks, and direct damage: the points against blows, with
            hands free.
        side: the side of the unit's block from which missiles come.
    """
    worn = outfit_of(g, unit).worn
    if shooting and not template:
        found = sum(piece.shooting for piece in worn)
    else:
        found = sum(piece.combat for piece in worn if template or serves(g, unit, piece))
    if shooting and side == FRONT and g.units.kind[unit] == INFANTRY:
        found += sum(piece.faced for piece in worn)
    return found


def natural_points(g: BattleCore, unit: int) -> int:
    """Points of Natural Armour of the models of a unit; a rider's and his mount's add up
    (wap.special.natural-armour).
    """
    if NATURAL_ARMOUR not in g.setup.statics["named_rules"]:
        return 0
    return sum(points_of(int(words[0])) for words in parameters(g, unit, NATURAL_ARMOUR))


def points_under_effects(g: BattleCore, unit: int, points: int, *, fixed: bool = False) -> int:
    """The armour points of the models of a unit as effects change ``points``. A save that is already the best possible
    gets worse from there (wap.shoot.save.best, wap.lore.metal.plague-of-rust). ``fixed``: nothing improves them, and no
    Natural Armour is among them.
    """
    changes = changes_of(g, unit)
    most = 0 if fixed else MOST_POINTS
    worn = sum(min(most, dice.worn_armour) for dice in changes)
    more = sum(min(most, dice.armour) for dice in changes)
    if not worn and not more:
        return points
    natural = 0 if fixed else natural_points(g, unit)
    kept = max(0, min(MOST_POINTS, points - natural) + worn) + natural
    return max(0, min(MOST_POINTS, kept) + more)


def points_against(g: BattleCore, unit: int, hit: Hit | Blow, side: int) -> int:
    """Armour points of the models of a unit that count against a hit from a side (wap.special.lightning-attacks,
    .immunity, .killing-blow, .ignores-armour).
    """
    if hit.ignores_armour or hit.nature & MORTAL:
        return 0
    if hit.nature & LIGHTNING and not ignores(g, unit, LIGHTNING_ATTACKS):
        points = natural_points(g, unit)
        return min(points, points_under_effects(g, unit, points))
    shooting = bool(hit.nature & RANGED)
    points = armour_points(g, unit, shooting=shooting, template=bool(hit.nature & DIRECT), side=side)
    return points_under_effects(g, unit, points, fixed=fixed_points(g, unit, shooting=shooting) > 0)


def armour_save(g: BattleCore, unit: int, *, shooting: bool = False, template: bool = False, side: int = FRONT) -> int:
    """The armour save of the models of a unit before modifiers; ``NO_SAVE``: none."""
    return save_of(armour_points(g, unit, shooting=shooting, template=template, side=side))


def parries_of(g: BattleCore, unit: int) -> list[Ward]:
    """The ward save of Parry, which is one special rule: the best of those from the weapon in hand, from a shield or
    buckler beside a hand weapon, from special rules (wap.special.parry, wap.armour.shield, .buckler). Empty: none.
    """
    weapon = weapon_of(g, unit)
    found = [weapon.parry] if weapon.parry < NO_SAVE else []
    if weapon.is_hand_weapon:
        found += [piece.parry for piece in outfit_of(g, unit).worn if piece.parry < NO_SAVE and serves(g, unit, piece)]
    parries = [Ward(save) for save in found] + wards_named(g, unit, PARRY)
    return [max(parries, key=chance)] if parries else []


def may_parry(g: BattleCore, unit: int, strength: int, side: int, automatic: bool) -> bool:
    """Whether the models may parry (wap.special.parry.limits): only from the front, not automatic hits, not hits of
    twice the model's Strength, and not if they ride.
    """
    own = characteristic(g, g.units.first_line[unit], "s")
    return side == FRONT and not automatic and strength < 2 * own and not outfit_of(g, unit).ridden


def wards_named(g: BattleCore, unit: int, rule: SpecialRule) -> list[Ward]:
    """Ward saves of a special rule, read from its parameters such as ``5+`` or ``5+ re-rolled``."""
    return [Ward(int(words[0]), "re-rolled" in words) for words in parameters(g, unit, rule)]


def wards_by_rule(g: BattleCore, unit: int, nature: int) -> list[Ward]:
    """Ward saves of the rule Ward Save; some hold only against shooting, or only against shots of war machines
    (wap.item.banner.standard-of-shielding, wap.item.enchanted.ironcurse-icon).
    """
    told = parameters(g, unit, WARD_SAVE)
    held = (words for words in told if all(nature & hits or not words.endswith(only) for only, hits in ONLY.items()))
    return [Ward(int(words[0]), "re-rolled" in words) for words in held]


def may_dodge(g: BattleCore, unit: int, side: int, nature: int) -> bool:
    """Whether the models may dodge (wap.special.dodge.limits): only from the front; not against magic that hits without
    dice, nor an attacker that always strikes first; not if they always strike last or ride.
    """
    quick = nature & SWIFT or (nature & MAGICAL and nature & AUTOMATIC)
    return side == FRONT and not quick and not outfit_of(g, unit).mounted and not is_slow(g, g.units.first_line[unit])


def is_shot(nature: int) -> bool:
    """Whether a hit is of a shooting attack: not of direct damage, against which it is treated like one
    (wap.shoot.what-is).
    """
    return bool(nature & RANGED) and not (nature & DIRECT and nature & SPELL)


def may_regenerate(g: BattleCore, unit: int, nature: int) -> bool:
    """Whether the models may regenerate: not from fire unless they are immune to it, nor from what says so; killing
    blows are left aside (wap.special.regeneration.limits, wap.special.immunity).
    """
    if nature & UNHEALED or not nature & FLAMING:
        return not nature & UNHEALED
    return any(FLAMING_ATTACKS.name in parts(words) for words in parameters(g, unit, IMMUNITY))


def is_harmless(g: BattleCore, unit: int, nature: int) -> bool:
    """Whether hits do no harm at all to the models of a unit: those of spells are not physical, so immunity to what
    they are is immunity to all of them (wap.special.immunity, wap.magic.damage.kind).
    """
    return bool(nature & SPELL) and any(nature & bit and ignores(g, unit, rule) for bit, rule in ENERGIES)


def wards_of_nature(g: BattleCore, unit: int, side: int, nature: int) -> list[Ward]:
    """Ward saves of Regeneration, of Dodge, and of ethereal models (wap.special.regeneration.limits, .dodge,
    .ethereal.ward).
    """
    found = [] if nature & MORTAL or not may_regenerate(g, unit, nature) else wards_named(g, unit, REGENERATION)
    if models_have(g, unit, DODGE) and may_dodge(g, unit, side, nature):
        found += wards_named(g, unit, DODGE)
    if models_have(g, unit, ETHEREAL) or (is_shot(nature) and any(True for _ in powers_on(g, unit, GhostToShots))):
        found.append(WARD_OF_ETHER[bool(nature & MAGICAL)])
    return found


def wards_against(g: BattleCore, unit: int, strength: int, side: int, nature: int) -> list[Ward]:
    """The ward saves of the models of a unit against hits of a Strength from a side; ``nature``: bits of
    ``weapons.hit``.
    """
    found = wards_by_rule(g, unit, nature) + wards_of_nature(g, unit, side, nature)
    resistance = resistance_of(g, unit) if nature & SPELL else 0
    if resistance:  # wap.special.magic-resistance.ward
        found.append(Ward(max(BEST_WARD, NO_SAVE - resistance)))
    if nature & (RANGED | DIRECT) or not may_parry(g, unit, strength, side, bool(nature & AUTOMATIC)):
        return found
    return found + parries_of(g, unit)


def ward_taken(g: BattleCore, unit: int, wards: Sequence[Ward]) -> Ward:
    """The ward save that a unit takes now: the one that its owner has chosen, else the likeliest. The choice is
    used up.
    """
    chosen, choices = g.units.ward[unit], ward_choices(wards)
    g.units.ward[unit] = 0
    return choices[chosen - 1] if 0 < chosen <= len(choices) else ward_save(wards)


def failed_saves(g: BattleCore, wounds: int, needed: int, rerolls: Rerolls = NONE) -> int:
    """How many of ``wounds`` remain after a die for each that needs ``needed``. A 1 always fails; an impossible save is
    not rolled.
    """
    if needed > WORST_DIE:
        return wounds
    return wounds - sum(is_hit(die, needed) for die in rolled(g, wounds, needed, rerolls))


def unsaved(g: BattleCore, unit: int, wounds: int, hit: Hit | Blow, side: int, *, points: int | None = None) -> int:
    """How many wounds of a unit remain after its saves. Arguments are those of ``roll_saves``."""
    return roll_saves(g, unit, wounds, hit, side, points=points).left


def roll_saves(
    g: BattleCore, unit: int, wounds: int, hit: Hit | Blow, side: int, *, points: int | None = None
) -> Saved:
    """Roll the saves of a unit: armour, then ward (wap.shoot.ward.after-armour). A charm takes the place of the ward
    save against the first wound.

    Args:
        wounds: how many wounds it was dealt. hit: their Strength, Armour Piercing and nature.
        side: the side of the unit's block from which they come.
        points: armour points, None: those of the unit's own models.
    """
    needed = armour_needed(points_against(g, unit, hit, side) if points is None else points, hit.strength, hit.piercing)
    rerolls = rerolls_under_effects(g, unit, ARMOUR)
    left = failed_saves(g, wounds, needed, rerolls)
    ward = ward_taken(g, unit, wards_against(g, unit, hit.strength, side, hit.nature))
    doomed = left > 0 and must_save_again(g, unit)
    again = Rerolls(passed=int(doomed or bool(hit.nature & BANISHING)))
    first, lost = wounds_charmed_away(g, unit, left, again)
    again += Rerolls(failed=int(ward.again))
    remaining = lost + failed_saves(g, left - first, ward.save, again)
    if wounds:
        show_items(g, unit)
    if doomed and ward.save <= WORST_DIE:
        show_spoilers(g, unit)
    if g.recorder is not None and wounds and min(needed, ward.save) <= WORST_DIE:
        g.note("wap.shoot.save.roll", "saves", unit=unit, amount=wounds, needed=(needed, ward.save), result=remaining)
    return Saved(remaining, once(needed, rerolls), once(ward.save, again) if remaining > lost else NO_SAVE)


def once(needed: int, rerolls: Rerolls) -> int:
    """The score that dice needed which may still be rolled again: no die is rolled twice (wap.core.reroll.once)."""
    return needed if needed <= WORST_DIE and not rerolls.faces(needed) else NO_SAVE
