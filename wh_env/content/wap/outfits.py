"""Equipment and abilities of the models of a unit, from its card.

They are weapons, armour, special rules by profile, and supporting attacks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from wh_env.content.errors import ContentError, unknown
from wh_env.content.wap.gear import BARE, Gear
from wh_env.content.wap.load import armour, machines, weapons
from wh_env.content.wap.regiment import Regiment
from wh_env.content.wap.schema_units import Card, Profile, TroopType
from wh_env.rulesets.wap.basics.powers import Aura
from wh_env.rulesets.wap.basics.special_rules import Abilities, abilities_of, of_the_unit, whole_model
from wh_env.rulesets.wap.codes import BEASTS, CHASSIS, CREW, EXTRA, LEADERS, MOUNTS, OFF_HAND, STOMPS, TROOPERS
from wh_env.rulesets.wap.rule_book import (
    DAEMONIC,
    FLY,
    SKIRMISHERS,
    STOMP,
    STRENGTH_BONUS,
    UNDEAD,
    VAMPIRIC,
    SpecialRule,
)
from wh_env.rulesets.wap.tables import MOST
from wh_env.rulesets.wap.weapons.arms import NO_SAVE, Outfit, Piece, Weapon, beside_hand_weapon, beside_magic, usable
from wh_env.rulesets.wap.weapons.machines import BOLT_THROWER, Machine

ADDITIONAL = "additional hand weapon"
KINDS = frozenset({DAEMONIC.name, UNDEAD.name, VAMPIRIC.name})  # special rules by which models are called
MOST_MISSILES = 2  # the ways to shoot with each of them are options of one decision
BY_SEAT = {"spear (infantry)": "spear (cavalry)"}  # the weapon as a rider uses it (wap.troop.cavalry.single-profile)
ON_FOOT = {name: other for other, name in BY_SEAT.items()}
SUPPORT_OF_ALL = re.compile(r"A, max ([0-9])")
SUPPORT_OF_RIDERS = re.compile(
    r"([0-9]) rider \+ (?:([0-9]) mount|mount's A max ([0-9])) \((?:max )?([0-9]) if no mixed profile\)"
)


def outfit_for(
    card: Card, kit: Sequence[str], names: Sequence[str] = (), champion: str | None = None, gear: Gear = BARE
) -> Outfit:
    """The equipment of the models of a card.

    Args:
        kit: names of all equipment.
        names: names by which an enemy's Hatred or ground may call the models, beside their troop type and those of
            ``KINDS`` that they are.
        champion: the weapon that the champion has in place of the others' (wap.command.champion.equipment).
        gear: its magic items.

    Raises:
        ContentError: a name is not known, or there are too many missile weapons.
    """
    known, pieces = {**weapons(), **{own.weapon: own.compiled() for own in card.weapons}}, armour()
    swapped: Mapping[str, str] = BY_SEAT if card.is_mounted else ON_FOOT
    carried, worn = list[Weapon](), list[Piece]()
    for item in kit:
        if item in gear.replaced:
            continue
        if item in pieces:
            worn.append(pieces[item])
        elif item in known:
            carried.append(known[swapped.get(item, item)])
        else:
            raise unknown("<card>", "equipment", item, [*known, *pieces])
    for item in card.mount_equipment:
        if item not in known or not known[item].range:
            raise unknown("<card>", "mount_equipment", item, [name for name, arm in known.items() if arm.range])
        carried.append(replace(known[item], attached=True))
    worn += [piece for piece, _ in gear.armour]
    if card.armour is not None:
        worn.append(Piece("body", NO_SAVE - card.armour, NO_SAVE - card.armour))
    if card.machine is not None:
        carried += missiles_of(machines()[card.machine.weapon])
    missiles = tuple(weapon for weapon in carried if weapon.range)
    if len(missiles) > MOST_MISSILES:
        expected = f"at most {MOST_MISSILES} missile weapons"
        raise ContentError("<card>", "equipment", [weapon.name for weapon in missiles], expected, "are too many")
    return Outfit(
        weapons=tuple(beside_magic(weapon, off_hand(carried)) for weapon in magic_weapons(card, carried, gear))
        or usable((*(weapon for weapon in carried if not weapon.range), *beside_hand_weapon(missiles))),
        missiles=missiles,
        worn=tuple(worn),
        mounted=card.is_mounted,
        ridden=card.mount is not None,
        names=frozenset(name.lower() for name in (*names, card.type, *KINDS.intersection(card.rules))),
        champion=None if champion is None else known[swapped.get(champion, champion)],
    )


def magic_weapons(card: Card, carried: Sequence[Weapon], gear: Gear) -> tuple[Weapon, ...]:
    """The magic weapons of a character for close combat: he fights with no others (wap.item.general.weapon-use)."""
    own = [weapon for weapon in carried if weapon.magic and not weapon.range and card.character]
    return gear.weapons + tuple(replace(weapon, hand=not weapon.two_hands) for weapon in own)


def off_hand(carried: Sequence[Weapon]) -> Weapon | None:
    """What a model can hold in its off hand beside a magic weapon: an additional hand weapon, a pistol; None: nothing
    (wap.item.general.weapon-is-hand-weapon, wap.weapon.missile.pistol).
    """
    pistol = (weapon for weapon in carried if weapon.range and "attacks" in weapon.starred)
    return next((weapon for weapon in carried if weapon.name == ADDITIONAL), next(pistol, None))


def has_off_hand(unit: Regiment) -> bool:
    """Whether a unit has an Attack with a mundane weapon beside a magic one."""
    if not unit.card.character:
        return False
    return any(weapon.paired for weapon in outfit_for(unit.card, unit.kit, gear=unit.gear).weapons)


def missiles_of(machine: Machine) -> list[Weapon]:
    """What a war machine fires like a missile weapon (wap.machine.bolt-thrower.to-hit, .grapeshot.choice)."""
    return [*([machine.weapon] if machine.kind == BOLT_THROWER else []), *machine.others]


class Line(NamedTuple):
    """A fighting profile of a unit: its owner (``codes``), and the number of such figures on each model."""

    kind: int
    profile: Profile
    number: int = 1


def fighting_lines(unit: Regiment, troop: TroopType) -> list[Line]:
    """The fighting profiles of a unit: troopers, champion, off hand, extra attack, crew, beasts, stomps, and the mounts
    last.

    A champion has one Attack more than the troopers unless the sheet gives a profile (wap.core.precedence.army-book).
    """
    card = unit.card
    champion = card.champion
    if champion is None:
        champion = card.profile.model_copy(update={"a": min(MOST, card.profile.a + 1)})
    found = [Line(TROOPERS, card.profile, card.figures), Line(LEADERS, champion, card.figures)]
    if has_off_hand(unit):
        found.append(Line(OFF_HAND, card.profile, card.figures))
    attacks, strength = unit.gear.extra
    if strength:
        found.append(Line(EXTRA, card.profile.model_copy(update={"a": attacks, "s": strength})))
    if card.crew is not None:
        found.append(Line(CREW, card.crew, card.crew_figures))
    if card.beasts is not None:
        found.append(Line(BEASTS, card.beasts, card.beasts_figures))
    if STOMP in abilities_of((*card.rules, *card.mount_rules, *troop.rules)):
        found.append(Line(STOMPS, card.body))
    if card.mount is not None:
        found.append(Line(MOUNTS, card.mount))
    if card.machine is not None:  # wap.machine.profile
        nothing = dict.fromkeys(("ws", "bs", "s", "w", "i", "a", "ld"), 0)
        found.append(Line(CHASSIS, Profile(m=card.profile.m, t=card.machine.toughness, **nothing), 0))
    return found


def strength_of_model(card: Card, troop: TroopType) -> int:
    """Unit Strength of a model: that of its type, with exceptions.

    A monster has its Wounds and its riders, a chariot its Wounds and ``extra``, a shrine its Wounds
    (wap.troop.monster.unit-strength, .chariot.unit-strength, .shrine.unit-strength). A war machine has its crew, as
    many as it has left (wap.troop.war-machine.unit-strength).
    """
    if card.machine is not None:
        return crew_of(card)
    if troop.each or card.type not in ("monster", "chariot", "shrine"):
        return troop.each
    riders = card.figures + (card.crew_figures if card.crew is not None else 0)
    more = {"monster": riders if card.mount is not None else 0, "chariot": card.extra}
    return card.body.w + more.get(card.type, 0)


def crew_of(card: Card) -> int:
    """The number of crew of a war machine, with those that have a profile of their own (wap.machine.crew.wounds)."""
    return card.figures + (card.crew_figures if card.crew is not None else 0)


def slowed_by(kit: Sequence[str]) -> int:
    """Inches of Movement that the equipment costs its bearer (wap.armour.barding)."""
    pieces = armour()
    return sum(pieces[item].slower for item in kit if item in pieces)


def unit_abilities_of(card: Card, troop: TroopType) -> Abilities:
    """Special rules of a unit: those of its card and troop type, and of its mounts if they hold for the whole model.

    Mounts' saves hold for the whole model (wap.troop.cavalry.saves).
    """
    own = abilities_of((*card.rules, *of_the_unit(card.mount_rules), *troop.rules))
    return own if FLY not in own else MappingProxyType({**own, SKIRMISHERS: ()})  # wap.special.fly.skirmish


def line_abilities_of(unit: Regiment, troop: TroopType) -> list[Abilities]:
    """Special rules of each fighting profile: troopers, champion, mounts and others (wap.troop.cavalry.rules-scope).
    Rules that a magic weapon gives are not those of the weapon beside it (wap.item.general.weapon-is-hand-weapon), nor
    of an attack without a weapon.
    """
    card = unit.card
    riders = (*card.rules, *whole_model(card.mount_rules), *troop.rules)
    mounts = (*card.mount_rules, *whole_model(card.rules), *troop.rules)
    body = card.mount_rules if card.mount is not None else card.rules
    mundane = list(riders)
    for rule in unit.gear.of_weapons:
        mundane.remove(rule)
    known = {
        TROOPERS: riders,
        LEADERS: (*riders, *card.champion_rules),
        OFF_HAND: tuple(mundane),
        EXTRA: tuple(mundane),
        CREW: riders,
        BEASTS: (*card.beast_rules, *whole_model(card.rules), *troop.rules),
        STOMPS: tuple(words for words in body if STRENGTH_BONUS in abilities_of((words,))),
        MOUNTS: mounts,
        CHASSIS: riders,  # wap.troop.war-machine.type
    }
    return [abilities_of(known[line.kind]) for line in fighting_lines(unit, troop)]


def supports_for(unit: Regiment, troop: TroopType) -> list[int]:
    """The most supporting attacks of each fighting profile, by troop type (wap.troop.general.types)."""
    told = str(troop.support)
    rider = mount = int(told) if told.isdigit() else 0
    if match := SUPPORT_OF_ALL.fullmatch(told):
        rider = mount = int(match[1])
    elif match := SUPPORT_OF_RIDERS.fullmatch(told):
        mount = int(match[2] or match[3])
        rider = int(match[1]) if unit.card.mount is not None else int(match[4])
    most = {TROOPERS: rider, LEADERS: rider, MOUNTS: mount}
    return [most.get(line.kind, 0) for line in fighting_lines(unit, troop)]


def auras_of(units: Sequence[tuple[int, Regiment]]) -> tuple[tuple[int, tuple[Aura, ...]], ...]:
    """The units that have auras, by row, with these (wap.special.general.same-army)."""
    rows = ((row, tuple(aura.compiled() for aura in unit.card.auras)) for row, (_, unit) in enumerate(units))
    return tuple((row, auras) for row, auras in rows if auras)


def gifts_near(bearers: Sequence[tuple[int, tuple[Aura, ...]]]) -> frozenset[SpecialRule]:
    """The special rules that auras of units give."""
    return frozenset(rule for _, auras in bearers for aura in auras for rule, _ in aura.grants)
