"""What a model strikes with in this round: its profile, changed by its weapon, its charge and its special rules
(wap.weapon.*, wap.special.strike-order.table).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.auras import attacks_near, hitting_near
from wh_env.rulesets.wap.basics.changed_dice import (
    hitting_first_under_effects,
    is_dazed,
    is_idle,
    rerolls_under_effects,
    strength_under_effects,
    striking_under_effects,
    wounding_under_effects,
)
from wh_env.rulesets.wap.basics.dice import number_of, rolled_number
from wh_env.rulesets.wap.basics.dice_changes import HIT, WOUND
from wh_env.rulesets.wap.basics.effects import Effect, unchanged
from wh_env.rulesets.wap.basics.ground import is_venomous_ground
from wh_env.rulesets.wap.basics.immunity import ignores, parts
from wh_env.rulesets.wap.basics.profiles import bounded, characteristic, lines_of
from wh_env.rulesets.wap.basics.rerolls import NONE, Rerolls
from wh_env.rulesets.wap.basics.special_rules import (
    abilities_of,
    book_of,
    handlers_at,
    is_gained_without_words,
    line_has,
    line_has_itself,
    line_parameters,
    parameters,
)
from wh_env.rulesets.wap.codes import BEASTS, EXTRA, INFANTRY, LEADERS, MOUNTS, OFF_HAND, STOMPS, SWARM, WAR_BEAST
from wh_env.rulesets.wap.rule_book import (
    ALWAYS_STRIKES_FIRST,
    ALWAYS_STRIKES_LAST,
    ARMOUR_PIERCING,
    FIGHT_IN_EXTRA_RANKS,
    FLAMING_ATTACKS,
    FRENZY,
    HATRED,
    HEROIC_KILLING_BLOW,
    ICE_ATTACKS,
    IGNORES_ARMOUR_SAVES,
    IMMUNITY,
    KILLING_BLOW,
    LIGHTNING_ATTACKS,
    MAGICAL_ATTACKS,
    MULTIPLE_WOUNDS,
    POISONED_ATTACKS,
    RANDOM_ATTACKS,
    STRENGTH_BONUS,
    Point,
    SpecialRule,
)
from wh_env.rulesets.wap.weapons.arms import ALWAYS, CHARGES, HAND_WEAPON, Weapon, outfit_of, weapon_of
from wh_env.rulesets.wap.weapons.charged import charged_in_front, gains_by_charge, has_charged, has_impetus, held_at
from wh_env.rulesets.wap.weapons.defending import hitting_across, is_slowed_at_obstacle
from wh_env.rulesets.wap.weapons.hit import (
    AUTOMATIC,
    FLAMING,
    FROM_AFAR,
    HEROIC,
    ICE,
    KILLING,
    LIGHTNING,
    MAGICAL,
    MISSILE_WEAPON,
    ONE,
    SWIFT,
    Hit,
    Number,
)

# what a rule of a fighting profile adds to the Attacks of a model in contact: called with the battle, the profile's row
# and the enemy unit
ON_ATTACKS: Point[Callable[[BattleCore, int, int], int]] = Point("Attacks")
FIRST, ORDINARY, LAST = 0, 1, 2  # tiers of the order of strikes
SUPPORTING_RANKS = 1  # wap.combat.attacks.support.who
KINDS_OF_ATTACK = (POISONED_ATTACKS, LIGHTNING_ATTACKS, FLAMING_ATTACKS, ICE_ATTACKS)
POISON = 1  # added to dice to wound (wap.special.poisoned-attacks)
NATURES = {FLAMING_ATTACKS: FLAMING, ICE_ATTACKS: ICE, LIGHTNING_ATTACKS: LIGHTNING}
KILLERS = {KILLING_BLOW: KILLING, HEROIC_KILLING_BLOW: HEROIC}
NO_DICE = (0, 6)
BARE = Weapon("")  # a mount fights without a weapon
SECOND = Weapon(HAND_WEAPON)  # in the off hand
BARE_HANDED = (MOUNTS, BEASTS, STOMPS, EXTRA)
SINGLE = (OFF_HAND, EXTRA)  # profiles of one Attack beside those of the model
NEVER = -(1 << 10)  # the tier of attacks that cannot be made at an enemy
STOMP = 3.5  # average hits of a stomp
STOMPED = (INFANTRY, WAR_BEAST, SWARM)  # wap.special.stomp


class Blow(NamedTuple):
    """How a model of a fighting profile strikes an enemy unit.

    Attributes:
        attacks: of a model in contact. supports: of a model that supports.
        weapon_skill, strength, initiative: as they count for these attacks.
        tier: ``FIRST``, ``ORDINARY`` or ``LAST``; within a tier the higher Initiative strikes first.
        piercing: Armour Piercing. ignores_armour: no armour save against it.
        rerolls, wound_rerolls: of dice to hit, to wound. wounding: added to dice to wound.
        takes: Wounds that each unsaved wound takes. nature: bits, see ``weapons.hit``.
        hitting: added to dice to hit.
        dice: (dice, sides) rolled for each model in contact; their sum is added to ``attacks``.
        hits, at_worst, curses: of the weapon (``Weapon``).
    """

    attacks: int
    supports: int
    weapon_skill: int
    strength: int
    initiative: int
    tier: int = ORDINARY
    piercing: int = 0
    ignores_armour: bool = False
    rerolls: Rerolls = NONE
    wounding: int = 0
    takes: Number = ONE
    nature: int = 0
    dice: tuple[int, int] = NO_DICE
    hitting: int = 0
    wound_rerolls: Rerolls = NONE
    hits: int = 1
    at_worst: int = 0
    curses: tuple[Effect, ...] = ()

    @property
    def hit(self) -> Hit:
        """The hit that it becomes."""
        own = (self.strength, self.piercing, self.ignores_armour, self.wounding, self.takes, self.nature)
        return Hit(*own, self.wound_rerolls, at_worst=self.at_worst)

    @property
    def on_average(self) -> float:
        """Attacks of a model in contact, on average."""
        dice, sides = self.dice
        return self.attacks + 0.5 * dice * (sides + 1)

    @property
    def most(self) -> int:
        """Attacks of a model in contact, at most."""
        return self.attacks + self.dice[0] * self.dice[1]


def arm_of(g: BattleCore, line: int) -> Weapon:
    """The weapon that a fighting profile uses: its unit's, or a weapon bought for the champion alone
    (wap.command.champion.equipment). A mount has none (wap.troop.cavalry.equipment), nor has an extra attack
    (wap.item.enchanted.combat-familiar). Beside a magic weapon the off hand has a mundane one
    (wap.item.general.weapon-is-hand-weapon).
    """
    kind, unit = g.lines.kind[line], g.lines.unit[line]
    if kind == OFF_HAND:
        return SECOND
    own = outfit_of(g, unit).champion if kind == LEADERS else None
    return BARE if kind in BARE_HANDED else own or weapon_of(g, unit)


def is_first_round(g: BattleCore, unit: int) -> bool:
    """Whether the unit fights its first round of close combat since it was last free, whoever its enemies are
    (wap.combat.first-round.definition, .new-enemy).
    """
    return g.units.rounds[unit] == 0


def holds(g: BattleCore, unit: int, weapon: Weapon, name: str, target: int) -> bool:
    """Whether the value ``name`` of a weapon holds in this turn against this enemy; a value without a star
    always does.
    """
    if weapon.when == ALWAYS or name not in weapon.starred:
        return True
    if weapon.when != CHARGES:
        return charged_in_front(g, unit)
    return has_impetus(g, unit) and has_charged(g, unit, target) and not held_at(g, unit, target)


def own_bonus(g: BattleCore, unit: int, line: int) -> int:
    """Strength Bonus of the model itself: in the first round, for all its attacks and impact hits
    (wap.special.strength-bonus).
    """
    return sum(map(int, line_parameters(g, line, STRENGTH_BONUS))) if is_first_round(g, unit) else 0


def weapon_bonus(g: BattleCore, unit: int, weapon: Weapon, target: int) -> int:
    """Strength Bonus of a weapon against ``target``, in the first round, for attacks with it
    (wap.special.strength-bonus.weapon).
    """
    if not weapon.bonus or not is_first_round(g, unit) or not holds(g, unit, weapon, "bonus", target):
        return 0
    return 0 if weapon.against and g.units.kind[target] not in weapon.against else weapon.bonus


def strength_of(g: BattleCore, unit: int, line: int, target: int) -> int:
    """Strength of a profile's attacks against ``target``; bonuses add up (wap.special.strength-bonus.cumulative). A
    characteristic that an effect puts in its place has no bonus (wap.lore.shadow.okkams-mindrazor). That of an extra
    attack is its own, whatever the bearer's is (wap.item.enchanted.combat-familiar).
    """
    if g.lines.kind[line] == EXTRA:
        return unchanged(g, line, "s")
    weapon = arm_of(g, line)
    if other := strength_under_effects(g, line):
        return characteristic(g, line, other)
    value = weapon.strength_of(characteristic(g, line, "s"))
    return bounded(value + own_bonus(g, unit, line) + weapon_bonus(g, unit, weapon, target))


def initiative_of(g: BattleCore, unit: int, line: int, target: int) -> int:
    """Initiative for the order of strikes, changed by the weapon; one more if the unit has charged
    (wap.combat.order.charge-bonus).
    """
    weapon, own = arm_of(g, line), characteristic(g, line, "i")
    if is_slowed_at_obstacle(g, g.lines.unit[line]):
        own = -(-own // 2)
    change = weapon.initiative if holds(g, unit, weapon, "initiative", target) else 0
    return bounded(own + change + gains_by_charge(g, unit, target))


def ignores_ice(g: BattleCore, line: int) -> bool:
    """Whether ice does not slow a fighting profile: it has Immunity to it, as models with Ice Attacks have
    (wap.special.ice-attacks.immunity).
    """
    return any(ICE_ATTACKS.name in parts(text) for text in line_parameters(g, line, IMMUNITY))


def is_slow(g: BattleCore, line: int, cold: bool = False) -> bool:
    """Whether a profile always strikes last: by its weapon, by its rules, by ice that has hit its unit, or by ice that
    it touches (``cold``) (wap.special.ice-attacks.contact, .ranged).
    """
    if arm_of(g, line).last or line_has(g, line, ALWAYS_STRIKES_LAST):
        return True
    return bool(cold or g.units.chilled[g.lines.unit[line]]) and not ignores_ice(g, line)


def tier_of(g: BattleCore, line: int, cold: bool = False) -> int:
    """The tier of a profile's attacks. Always Strikes First and Always Strikes Last cancel each other
    (wap.special.always-strikes-last.cancel).
    """
    first = arm_of(g, line).first or line_has(g, line, ALWAYS_STRIKES_FIRST)
    last = is_slow(g, line, cold)
    return ORDINARY if first == last else FIRST if first else LAST


def quickest(g: BattleCore, unit: int, enemy: int) -> int:
    """The highest Initiative of the unit's profiles, leaders and stomps left out; its ``enemy`` compares its
    own with it.
    """
    lines = [line for line in lines_of(g, unit) if g.lines.kind[line] not in (LEADERS, STOMPS)]
    return max(initiative_of(g, unit, line, enemy) for line in lines)


def hates(g: BattleCore, line: int, target: int) -> bool:
    """Whether a profile hates an enemy unit: all enemies, or those of a kind or an army book
    (wap.special.hatred.faction).
    """
    if not line_has(g, line, HATRED):
        return False
    whom = line_parameters(g, line, HATRED)
    if not whom or is_gained_without_words(g, g.lines.unit[line], HATRED):
        return True
    return any(name.lower() in outfit_of(g, target).names for name in whom)


def is_fresh(g: BattleCore, unit: int, line: int, rule: SpecialRule) -> bool:
    """Whether the round counts as the first for a rule of a profile. It does in the unit's first round, and if the
    profile's unit has gained the rule since the last round (wap.special.hatred.gained-late).
    """
    gained = g.units.fresh_rules[g.lines.unit[line]] & book_of(g).gained_bits.get(rule, 0)
    return is_first_round(g, unit) or bool(gained)


def rerolls_of(g: BattleCore, unit: int, line: int, target: int, cold: bool = False) -> Rerolls:
    """The re-rolls of dice to hit, with the number of rules that give them (wap.special.hatred.reroll,
    .always-strikes-first.reroll, .always-strikes-last.reroll).
    """
    tier = tier_of(g, line, cold)
    failed = passed = 0
    if tier != ORDINARY:
        mine, theirs = initiative_of(g, unit, line, target), quickest(g, target, unit)
        failed += tier == FIRST and mine >= theirs
        passed += tier == LAST and mine < theirs
    failed += is_fresh(g, unit, line, HATRED) and hates(g, line, target)
    return Rerolls(int(failed), int(passed)) + rerolls_under_effects(g, g.lines.unit[line], HIT)


def attacks_with(g: BattleCore, line: int, target: int) -> int:
    """Attacks of a model in contact: its own, one more for a second weapon, and those that special rules add at
    ``ON_ATTACKS`` (wap.special.general.cumulative). 0 if its own are 0 (wap.weapon.melee.additional-hand-weapon,
    wap.profile.zero). Of random Attacks only the fixed part counts here (``random_attacks``).
    """
    own, kind = characteristic(g, line, "a"), g.lines.kind[line]
    if kind in SINGLE:
        return int(own > 0 and (kind == EXTRA or weapon_of(g, g.lines.unit[line]).paired))
    if random := random_attacks(g, line):
        own = random[2]
    elif own == 0:
        return 0
    more = sum(
        handler.act(g, line, target) for handler in handlers_at(g, ON_ATTACKS) if line_has(g, line, handler.rule)
    )
    return max(0, own + arm_of(g, line).attacks + more)


def more_in_frenzy(g: BattleCore, line: int, _target: int) -> int:
    """Frenzy: one more Attack (wap.special.frenzy.grants); as many as an aura says for a profile that has it without
    the aura (wap.terrain.monument.altar-of-khaine).
    """
    more = attacks_near(g, g.lines.unit[line], FRENZY)
    return more if more and line_has_itself(g, line, FRENZY) else 1


def one_more_in_a_charge(g: BattleCore, line: int, target: int) -> int:
    """A Devastating Charge: one more Attack if the unit has charged (wap.special.devastating-charge)."""
    return int(gains_by_charge(g, g.lines.unit[line], target))


def random_attacks(g: BattleCore, line: int) -> Number | None:
    """The dice rolled for the Attacks of each model of a profile, as (dice, sides, plus); None: its Attacks are fixed
    (wap.special.random-attacks).
    """
    told = line_parameters(g, line, RANDOM_ATTACKS)
    return number_of(told[0]) if told and g.lines.kind[line] not in SINGLE else None


def rolled_attacks(g: BattleCore, blow: Blow, models: int) -> int:
    """Attacks of ``models`` models in contact; each rolls its own if they are random."""
    if not blow.dice[0]:
        return models * blow.attacks
    return sum(rolled_number(g, (*blow.dice, blow.attacks)) for _ in range(models))


def supports_of(g: BattleCore, line: int) -> int:
    """Attacks of a model that supports: as many as its troop type allows, but no more than its own if these are fixed
    (wap.combat.attacks.support.one).
    """
    most = g.setup.statics["supports"][line]
    return int(most if random_attacks(g, line) else min(most, characteristic(g, line, "a")))


def piercing_of(g: BattleCore, line: int) -> int:
    """Armour Piercing of the attacks in close combat: of the model and of its weapon together
    (wap.special.armour-piercing.stack). A model's own does not count for its shots (wap.special.armour-piercing).
    """
    return arm_of(g, line).piercing + sum(map(int, line_parameters(g, line, ARMOUR_PIERCING)))


def attack_kinds(g: BattleCore, line: int, weapon: Weapon | None) -> frozenset[SpecialRule]:
    """The rules of ``KINDS_OF_ATTACK`` that hold for a model's attacks with a weapon. None hold for special attacks
    (``weapon`` is None: impact hits, stomps, breath), and only its own for a magic weapon
    (wap.special.attack-kind.scope).
    """
    if weapon is None:
        return frozenset()
    plain = not weapon.magic
    return frozenset(kind for kind in KINDS_OF_ATTACK if weapon.has(kind) or (plain and line_has(g, line, kind)))


def is_poisoned(g: BattleCore, line: int, weapon: Weapon, target: int) -> bool:
    """Whether poison makes the attacks wound more easily: not if the target is immune to it (wap.special.immunity)."""
    return POISONED_ATTACKS in attack_kinds(g, line, weapon) and not ignores(g, target, POISONED_ATTACKS)


def strikes_with_poison(g: BattleCore, line: int, weapon: Weapon, target: int) -> bool:
    """Whether poison makes attacks in close combat wound more easily: that of the model, or of the ground it stands in
    (wap.terrain.forest.venom.poison).
    """
    if is_poisoned(g, line, weapon, target):
        return True
    venomous = not weapon.magic and is_venomous_ground(g, g.lines.unit[line])
    return venomous and not ignores(g, target, POISONED_ATTACKS)


def is_magical(g: BattleCore, line: int, weapon: Weapon) -> bool:
    """Whether attacks with a weapon are magical (wap.special.magical-attacks)."""
    return weapon.magic or weapon.has(MAGICAL_ATTACKS) or line_has(g, line, MAGICAL_ATTACKS)


def nature_of(g: BattleCore, line: int, weapon: Weapon, *, ranged: bool = False) -> int:
    """Bits of the nature of a profile's attacks with a weapon (``weapons.hit``). A shot has a killing blow only if the
    weapon has one (wap.special.killing-blow.scope).
    """
    kinds = attack_kinds(g, line, weapon)
    found = FROM_AFAR[MISSILE_WEAPON] if ranged else 0
    for kind, bit in NATURES.items():
        found |= bit if kind in kinds else 0
    for rule, bit in KILLERS.items():
        found |= bit if weapon.has(rule) or (not ranged and line_has(g, line, rule)) else 0
    return found | (MAGICAL if is_magical(g, line, weapon) else 0)


def takes_of(g: BattleCore, line: int, weapon: Weapon, *, ranged: bool = False) -> Number:
    """Wounds that an unsaved wound takes, as (dice, sides, plus): by the weapon, or in close combat also by the model;
    the most of several (wap.special.multiple-wounds, .scope).
    """
    found = abilities_of(weapon.rules).get(MULTIPLE_WOUNDS, ())
    if not ranged:
        found += line_parameters(g, line, MULTIPLE_WOUNDS)
    return max(map(number_of, found), key=lambda n: n[0] * (n[1] + 1) + 2 * n[2], default=ONE)


def blow_at(strength: int, nature: int = 0) -> Blow:
    """Hits of a Strength that are no attacks, as of an impact, a spell or a march through the enemy; no rule of attacks
    applies.
    """
    return Blow(0, 0, 0, bounded(strength), 0, nature=nature)


def blow_of(g: BattleCore, unit: int, line: int, target: int, cold: bool = False) -> Blow:
    """How models of a fighting profile of ``unit`` strike an enemy unit now. A mount strikes with its own Strength and
    without its rider's weapon. ``cold``: they touch models with Ice Attacks.
    """
    if g.lines.kind[line] == STOMPS:
        return stomp_of(g, unit, line, target)
    random, dazed = random_attacks(g, line), AUTOMATIC if is_dazed(g, target) else 0
    if is_idle(g, line):
        return Blow(0, 0, 0, 0, 0, nature=dazed)
    weapon, tier = arm_of(g, line), tier_of(g, line, cold)
    return Blow(
        attacks=attacks_with(g, line, target),
        supports=supports_of(g, line),
        weapon_skill=characteristic(g, line, "ws"),
        strength=strength_of(g, unit, line, target),
        initiative=initiative_of(g, unit, line, target),
        tier=tier,
        piercing=piercing_of(g, line),
        ignores_armour=weapon.ignores_armour or line_has(g, line, IGNORES_ARMOUR_SAVES),
        rerolls=rerolls_of(g, unit, line, target, cold),
        wounding=POISON * strikes_with_poison(g, line, weapon, target) + wounding_under_effects(g, line),
        takes=takes_of(g, line, weapon),
        nature=nature_of(g, line, weapon) | (SWIFT if tier == FIRST else 0) | dazed,
        dice=random[:2] if random else NO_DICE,
        hitting=weapon.hitting + hitting_of(g, unit, line, target),
        wound_rerolls=rerolls_under_effects(g, g.lines.unit[line], WOUND),
        hits=weapon.hits,
        at_worst=weapon.at_worst,
        curses=weapon.curses,
    )


def hitting_of(g: BattleCore, unit: int, line: int, target: int) -> int:
    """What is added to the dice to hit of a fighting profile's blows (wap.item.banner.banner-of-might)."""
    first = hitting_first_under_effects(g, line) if is_first_round(g, unit) else 0
    return hitting_across(g, unit, target) + hitting_near(g, unit) + striking_under_effects(g, line, target) + first


def stomp_of(g: BattleCore, unit: int, line: int, target: int) -> Blow:
    """A stomp: one attack of each model, made last of all, with its hits rolled then, by Strength alone; only on
    infantry, war beasts and swarms (wap.special.stomp, .order, .no-other-rules).
    """
    strength = bounded(characteristic(g, line, "s") + own_bonus(g, unit, line))
    tier = LAST if g.units.kind[target] in STOMPED and not is_idle(g, line) else NEVER
    again = rerolls_under_effects(g, g.lines.unit[line], WOUND)
    return Blow(1, 0, 0, strength, characteristic(g, line, "i"), tier, nature=AUTOMATIC, wound_rerolls=again)


def extra_ranks(g: BattleCore, unit: int) -> int:
    """Ranks that support the rank in contact: one, and more with some weapons and special rules
    (wap.special.extra-ranks).
    """
    own = parameters(g, unit, FIGHT_IN_EXTRA_RANKS)
    return SUPPORTING_RANKS + weapon_of(g, unit).ranks + sum(map(int, own))
