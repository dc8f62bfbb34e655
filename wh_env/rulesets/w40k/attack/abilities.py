"""Abilities of datasheets as data: an enumerated effect, its bearers and the units that it affects.

A ``Power`` is an ability of one unit of the battle: an Aura with its range, an ability of the bearers' own unit, or one
that an item of wargear confers. It holds while a model that bears it stands on the battlefield, and counts once for a
unit however often the unit is within its range (datasheet.aura.*, .wargear-abilities). The rules ask for effects where
they need them: when attacks are made (``modifiers``), when a test is taken (``test_bonus``), before wounds are suffered
(``protect``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.conditions import STATES
from wh_env.rulesets.w40k.attack.granting import CHANGES, MADE, ONLY_SUFFERED, SUFFERED
from wh_env.rulesets.w40k.attack.powers import POWER, guard_unit, mark_powers
from wh_env.rulesets.w40k.attack.rolls import FINE_ARMOUR, MOST_LOST_BITS, Near
from wh_env.rulesets.w40k.codes import Freedom
from wh_env.rulesets.w40k.edition import Edition, edition
from wh_env.rulesets.w40k.edition_parts.prices import FREE, GRATIS, REFUNDS
from wh_env.rulesets.w40k.modified import Operation, modified
from wh_env.rulesets.w40k.profiles import ALL_FAILED, Keyword, WeaponAbility

# attacks made by the unit; a second ability with the same effect sets the second bit
ATTACKS: dict[str, tuple[int, ...]] = {
    "+1 to hit": (int(Near.HIT_PLUS), int(Near.HIT_PLUS_2ND)),
    "-1 to hit": (int(Near.HIT_MINUS), int(Near.HIT_MINUS_2ND)),
    "+1 to wound": (int(Near.WOUND_PLUS), int(Near.WOUND_PLUS_2ND)),
    "-1 to wound": (int(Near.WOUND_MINUS), int(Near.WOUND_MINUS_2ND)),
    "re-roll hit rolls": (int(Near.REROLL_HITS),),
    "re-roll failed hit rolls": (int(Near.REROLL_FAILED_HITS),),
    "re-roll hit rolls of 1": (int(Near.REROLL_HIT_ONES),),
    "re-roll wound rolls": (int(Near.REROLL_WOUNDS),),
    "re-roll wound rolls of 1": (int(Near.REROLL_WOUND_ONES),),
    "+1 Attacks": (int(Near.ATTACKS_PLUS), int(Near.ATTACKS_PLUS_2ND)),
}
# attacks that target the unit
TARGETED: dict[str, tuple[int, ...]] = {
    "attacks at it: -1 to hit": (int(Near.HIT_MINUS), int(Near.HIT_MINUS_2ND)),
    "attacks at it: -1 to wound": (int(Near.WOUND_MINUS), int(Near.WOUND_MINUS_2ND)),
    "+1 to saving throws": (int(Near.SAVE_PLUS), int(Near.SAVE_PLUS_2ND)),
    "Benefit of Cover": (int(Near.COVER),),
    "Stealth": (int(Near.STEALTH),),
}


def _steps(name: str, steps: Iterable[int]) -> dict[str, tuple[Operation, int]]:
    """``+1 Move``, ``-1 Move`` and so on, for each of these numbers."""
    found: dict[str, tuple[Operation, int]] = {}
    for number in steps:
        found |= {f"+{number} {name}": ("add", number), f"-{number} {name}": ("subtract", number)}
    return found


# characteristics of the unit's weapons: column, operation, amount
WEAPONS: dict[str, tuple[str, Operation, int]] = {
    "+1 Strength": ("strength_plus", "add", 1),
    "-1 Strength": ("strength_plus", "subtract", 1),
    "double Strength": ("strength_plus", "multiply", 2),
    "halve Strength": ("strength_plus", "divide", 2),
    "Strength 6": ("strength_plus", "replace", 6),
    "improve AP by 1": ("ap", "subtract", 1),
    "worsen AP by 1": ("ap", "add", 1),
    "+1 Damage": ("damage_bonus", "add", 1),
    "2 hit rolls for each attack": ("hit_rolls", "replace", 1),
    "unmodified wound rolls of 2+ wound": ("wounds_from", "replace", 2),
    "re-roll failed wound rolls": ("wound_reroll", "replace", ALL_FAILED),
    **{effect: ("strength_plus", *how) for effect, how in _steps("Strength", range(2, 5)).items()},
    "-1 Attacks": ("attacks_plus", "subtract", 1),
    **{effect: ("attacks_plus", *how) for effect, how in _steps("Attacks", range(2, 5)).items()},
    "improve Ballistic Skill by 1": ("skill", "subtract", 1),
    "worsen Ballistic Skill by 1": ("skill", "add", 1),
    "improve Weapon Skill by 1": ("skill", "subtract", 1),
    "worsen Weapon Skill by 1": ("skill", "add", 1),
}
# the number added to the Toughness of the unit
TOUGHNESS: dict[str, int] = {
    effect: number if operation == "add" else -number
    for effect, (operation, number) in _steps("Toughness", range(1, 5)).items()
}
# other characteristics of the models of the unit
CHARACTERISTICS: dict[str, tuple[str, Operation, int]] = {
    **{effect: ("Move", *how) for effect, how in _steps("Move", range(1, 7)).items()},
    "halve Move": ("Move", "divide", 2),
    "double Move": ("Move", "multiply", 2),
    **{effect: ("Leadership", *how) for effect, how in _steps("Leadership", range(1, 5)).items()},
}
# weapons of attacks that target the unit: column, the number added, and the modified value that the column must have
# (None: any) (rare.defensive-characteristic)
DEFENCES: dict[str, tuple[str, int, int | None]] = {
    "attacks at it: AP -1 is AP 0": ("ap", 1, -1),
    "attacks at it: unmodified wound rolls of 1 to 3 fail": ("fails_below", 4, None),
}
# attacks made by models of the unit that suffered damage this phase
AFTER_DAMAGE: dict[str, tuple[int, ...]] = {
    "+1 to hit if it suffered damage this phase": (int(Near.HIT_PLUS), int(Near.HIT_PLUS_2ND)),
}
# tests and rolls of the unit: name of the test, and how its result is modified
TESTS: dict[str, tuple[str, Operation, int]] = {
    "+1 to Battle-shock tests": ("battle-shock", "add", 1),
    "-1 to Battle-shock tests": ("battle-shock", "subtract", 1),
    "+1 to Leadership tests": ("leadership", "add", 1),
    "-1 to Leadership tests": ("leadership", "subtract", 1),
    "+1 to Psychic tests": ("psychic", "add", 1),
    "-1 to Psychic tests": ("psychic", "subtract", 1),
    "+1 to Deny the Witch tests": ("deny", "add", 1),
    "+1 to charge rolls": ("charge", "add", 1),
    "-1 to charge rolls": ("charge", "subtract", 1),
    "+2 to charge rolls": ("charge", "add", 2),
    "-2 to charge rolls": ("charge", "subtract", 2),
    "halve charge rolls": ("charge", "divide", 2),
    "double charge rolls": ("charge", "multiply", 2),
    "halve Advance rolls": ("advance", "divide", 2),
    "+1 to Advance rolls": ("advance", "add", 1),
    "+2 to Advance rolls": ("advance", "add", 2),
    "-1 to Advance rolls": ("advance", "subtract", 1),
    "-2 to Advance rolls": ("advance", "subtract", 2),
}
# saves and wounds of the unit: column of ``POWER``, the roll or number, whether only against Psychic Attacks
GUARDS: dict[str, tuple[str, int, bool]] = {
    **{f"feel no pain {n}+": ("feel_no_pain", n, False) for n in range(2, 7)},
    **{f"feel no pain {n}+ against Psychic Attacks": ("feel_no_pain", n, True) for n in range(2, 7)},
    **{f"feel no pain {n}+ against mortal wounds": ("feel_no_pain", n, False) for n in range(2, 7)},
    **{f"invulnerable save {n}+": ("invulnerable", n, False) for n in range(2, 7)},
    **{f"wounds lost in a phase: at most {n}": ("most_lost", n, False) for n in range(1, MOST_LOST_BITS + 1)},
}
# mortal wounds that each unmodified wound roll of 6 of the unit's attacks inflicts in addition
# (rare.mortal-wound-order)
MORTALS: dict[str, int] = {"wound rolls of 6: 1 mortal wound": 1}
# enemy units cannot be set up as Reinforcements within range of an Aura (rare.prevent-reinforcements)
ARRIVALS: dict[str, bool] = {"no Reinforcements within range": True}
# flags of the bearers alone
BEARERS: dict[str, int] = {"+1 to armour saving throws": FINE_ARMOUR}
# attacks of the unit that generate more attacks; these make one hit roll each and generate none
# (rare.generated-attacks). True: an unmodified hit roll of 6 does so at once, with the same weapon at the same unit.
# False: an attack that inflicts no damage does so, once all are resolved
GENERATED: dict[str, bool] = {
    "one more attack for each that inflicts no damage": False,
    "hit rolls of 6: one more attack": True,
}
# changes of single attacks (``granting``)
MADE_CHANGES: dict[str, str] = {MADE + name: name for name in CHANGES if name not in ONLY_SUFFERED}
SUFFERED_CHANGES: dict[str, str] = {SUFFERED + name: name for name in CHANGES}
# the unit passes its Morale tests without a roll
STEADY: dict[str, bool] = {"passes Morale tests": True}
# rolls of the unit that its player may make again: the name of a ``rerolls.DiceRoll``
REROLLED: dict[str, str] = {
    "re-roll charge rolls": "charge",
    "re-roll Advance rolls": "advance",
    "re-roll Battle-shock tests": "battle-shock",
}
# what the unit may do although it Advanced or Fell Back: bits of ``units.marks``
FREEDOMS: dict[str, int] = {
    "shoot after Advancing": Freedom.SHOOT_ADVANCED,
    "charge after Advancing": Freedom.CHARGE_ADVANCED,
    "shoot after Falling Back": Freedom.SHOOT_FELL_BACK,
    "charge after Falling Back": Freedom.CHARGE_FELL_BACK,
}
# the first attack that would inflict damage on a bearer inflicts none; True: in each turn, False: in the battle
SHRUGGED: dict[str, bool] = {"first Damage of a turn is 0": True, "first Damage of a battle is 0": False}
# Save characteristic of the models that bear it, as mustered
SAVES: dict[str, int] = {f"Save {n}+": n for n in range(2, 7)}
# Wounds characteristic of the models that bear it, as mustered
WOUNDS: dict[str, int] = {f"Wounds {n}": n for n in range(2, 13)}
# SECURES: markers within range that the unit's player controls stay under control. HALVES: enemy units within
# Engagement Range have half their OC
SECURES: dict[str, bool] = {"keeps control of markers": True}
HALVES: dict[str, bool] = {"halves Objective Control of engaged enemies": True}
# what is added to the Objective Control characteristic of the models of the unit
CONTROL: dict[str, int] = {f"+{n} Objective Control": n for n in range(1, 4)}
# the unit cannot be the target of Fire Overwatch
UNWATCHED: dict[str, bool] = {"no Fire Overwatch at it": True}
# a Command point for each model that the unit destroys with one of these keyword bits
KILLS: dict[str, int] = {"1 CP for each CHARACTER that it destroys": int(Keyword.CHARACTER)}
# the player may re-roll one roll of the unit in each turn: hit, wound, damage, Advance or Charge roll, or saving throw
SINGLE: dict[str, bool] = {"one re-roll in each turn": True}
# of a TRANSPORT: bits of what units may do that disembark after it Advanced, or before it moved
LEAVES_ADVANCED, CHARGES_ADVANCED, CHARGES_LATER, CHARGES_MOVED = 1, 2, 4, 8
CARRYING: dict[str, int] = {
    "passengers may disembark after its Advance": LEAVES_ADVANCED,
    "passengers may charge after its Advance": LEAVES_ADVANCED | CHARGES_ADVANCED,
    "passengers that leave before it moves may charge after Advancing": CHARGES_LATER,
    "passengers may charge after its Normal move": CHARGES_MOVED,
}
# bearers have Lone Operative while another friendly unit with this keyword bit is within these inches; 0: with the
# keywords that the ability names
LONE: dict[str, tuple[int, float]] = {
    "Lone Operative within 3 inches of a VEHICLE": (int(Keyword.VEHICLE), 3.0),
    "Lone Operative within 3 inches of friends": (0, 3.0),
}
# inches that the unit Advances farther than its Move, without a roll
FIXED_ADVANCES: dict[str, int] = {"Advances 6 inches without a roll": 6}
# an enemy unit that fails a Battle-shock test suffers D3 mortal wounds, and the unit of the bearers regains up to D3
# wounds
LEECHES: dict[str, bool] = {"D3 mortal wounds for failed Battle-shock tests, D3 wounds healed": True}
# Deep Strike: the unit must be set up farther than these inches from enemies; it cannot charge in that turn if it is
# nearer than other units may be
TUNNELS: dict[str, float] = {"arrives by Deep Strike more than 6 inches away and does not charge": 6.0}
# dice of the unit's Battle-shock tests
SHOCK_DICE: dict[str, int] = {"Battle-shock tests on 3D6": 3}
HOOKS: dict[str, dict[str, object]] = {
    "saves": dict(SAVES),
    "mustered wounds": dict(WOUNDS),
    "single": dict(SINGLE),
    "free": dict(FREE),
    "gratis": dict(GRATIS),
    "refunds": dict(REFUNDS),
    "secures": dict(SECURES),
    "halves control": dict(HALVES),
    "control": dict(CONTROL),
    "unwatched": dict(UNWATCHED),
    "kills": dict(KILLS),
    "carrying": dict(CARRYING),
    "lone": dict(LONE),
    "fixed advances": dict(FIXED_ADVANCES),
    "leeches": dict(LEECHES),
    "tunnels": dict(TUNNELS),
    "shock dice": dict(SHOCK_DICE),
    "made": dict(MADE_CHANGES),
    "suffered": dict(SUFFERED_CHANGES),
    "rerolled": dict(REROLLED),
    "steady": dict(STEADY),
    "freedoms": dict(FREEDOMS),
    "shrugged": dict(SHRUGGED),
    "attacks": dict(ATTACKS),
    "targeted": dict(TARGETED),
    "weapons": dict(WEAPONS),
    "toughness": dict(TOUGHNESS),
    "characteristics": dict(CHARACTERISTICS),
    "tests": dict(TESTS),
    "guards": dict(GUARDS),
    "mortals": dict(MORTALS),
    "defences": dict(DEFENCES),
    "after damage": dict(AFTER_DAMAGE),
    "arrivals": dict(ARRIVALS),
    "bearers": dict(BEARERS),
    "generated": dict(GENERATED),
}
AGAINST_MORTAL = " against mortal wounds"
EFFECTS = tuple(effect for hook in HOOKS.values() for effect in hook)


@dataclass(frozen=True)
class Power:
    """An active ability of a unit of the battle.

    Attributes:
        name: name of the ability. Auras of the same name are the same Aura.
        effect: one of ``EFFECTS``.
        owner: player.
        models: rows of the models that bear it.
        reach: range of an Aura in inches; 0: only the units of the bearers.
        enemies: whether an Aura affects enemy units instead of friendly ones.
        keyword: bits; affected units have all of them.
        by: amount, for effects that have one.
        leading: only while the bearers' Leader is attached to a unit.
        own_only: only for the models that bear it.
        mark: bits of ``units.marks``; affected units have one of them. 0: any unit.
        states: names of ``conditions.STATES``; affected units are in all of them.
        under: bits like ``mark``; affected units have one of these as well. 0: any unit.
        weapons: ``melee`` or ``ranged``: changes attacks with these; empty: both.
        profiles: rows of weapon profiles; empty: any.
        facing_keyword, facing_mark, facing_states: the same for the other unit: the target of attacks made, the
            attacker of attacks suffered.
        facing_without: bits; the other unit has none of them.
    """

    name: str
    effect: str
    owner: int
    models: tuple[int, ...]
    reach: float = 0.0
    enemies: bool = False
    keyword: int = 0
    by: int = 0
    leading: bool = False
    own_only: bool = False
    mark: int = 0
    states: tuple[str, ...] = ()
    weapons: str = ""
    profiles: frozenset[int] = frozenset()
    under: int = 0
    facing_keyword: int = 0
    facing_mark: int = 0
    facing_states: tuple[str, ...] = ()
    facing_without: int = 0


def by_hook(powers: tuple[Power, ...]) -> dict[str, tuple[Power, ...]]:
    """The powers of a battle by hook: the place in the rules where their effects are asked."""
    return {hook: tuple(power for power in powers if power.effect in effects) for hook, effects in HOOKS.items()}


def power_rows(powers: tuple[Power, ...]) -> tuple[Array, Array]:
    """Powers as rows of ``POWER``, and the rows of the models that bear them (int32)."""
    rows = np.zeros(len(powers), POWER)
    bearers: list[int] = []
    for row, power in zip(rows, powers, strict=True):
        row["reach"], row["keyword"] = power.reach, power.keyword
        row["owner"], row["enemies"] = power.owner, power.enemies
        row["leading"], row["own_only"], row["mark"] = power.leading, power.own_only, power.mark
        row["first"], row["count"] = len(bearers), len(power.models)
        bearers += power.models
        if power.effect in GUARDS:
            column, roll, only_psychic = GUARDS[power.effect]
            row[column], row["only_psychic"] = roll, only_psychic
            row["only_mortal"] = power.effect.endswith(AGAINST_MORTAL)
    return rows, np.array(bearers, np.int32)


def in_force(g: BattleCore, unit: int, hook: str, against: int = -1) -> list[Power]:
    """The powers of a hook in force on the unit, each name once (datasheet.aura.several, .same-once). ``against``: the
    target unit, for attacks.
    """
    own: Edition = g.setup.ruleset  # type: ignore[assignment]
    for_a_while = own.modifiers(g, unit, hook, against)
    powers = g.setup.statics["powers"][hook]
    if not powers or not g.work.concerned[hook][g.units.owner[unit]]:
        return for_a_while
    rows, bearers = own.power_rows(g, hook)
    marks = g.work.in_force[hook]
    if not g.work.call(mark_powers, g.models.rows, g.units.rows, rows, bearers, unit, marks):
        return for_a_while
    found: dict[str, Power] = {}
    for power in for_a_while:
        found[power.name] = power
    for power in compress(powers, marks.tobytes()):
        if power.under and not g.units.marks[unit] & power.under:
            continue
        if not power.states or all(STATES[state](g, unit) for state in power.states):
            found.setdefault(power.name, power)
    return list(found.values())


def single_reroll(g: BattleCore, unit: int) -> int:
    """The unit whose ability lets the player re-roll one roll of this unit in this turn; -1: none, or it was used."""
    if not g.setup.statics["powers"]["single"]:
        return -1
    m, marks = g.models, g.units.marks
    own = (m.unit[k] for power in in_force(g, unit, "single") for k in power.models if m.on_table[k])
    return next((bearer for bearer in own if not marks[bearer] & Freedom.REROLLED), -1)


def test_changes(g: BattleCore, unit: int, test: str) -> list[tuple[Operation, int]]:
    """The modifiers of the roll of a test of the unit."""
    if not g.setup.statics["powers"]["tests"]:
        return []
    changes = [TESTS[power.effect] for power in in_force(g, unit, "tests")]
    return [(operation, amount) for name, operation, amount in changes if name == test]


def test_bonus(g: BattleCore, unit: int, test: str) -> int:
    """The sum of what is added to and subtracted from the roll of a test of the unit."""
    signs = {"add": 1, "subtract": -1}
    return sum(signs[operation] * amount for operation, amount in test_changes(g, unit, test))


def test_result(g: BattleCore, unit: int, test: str, result: int) -> int:
    """The result of a test of the unit after modifiers, at least 1 (concepts.dice.modifiers)."""
    changes = test_changes(g, unit, test)
    return modified(result, changes, 1) if changes else result


def characteristic_changes(g: BattleCore, unit: int, name: str) -> list[tuple[Operation, int]]:
    """The modifiers of a characteristic of models of the unit."""
    if not g.setup.statics["powers"]["characteristics"]:
        return []
    changes = [CHARACTERISTICS[power.effect] for power in in_force(g, unit, "characteristics")]
    return [(operation, amount) for which, operation, amount in changes if which == name]


def characteristic(g: BattleCore, unit: int, name: str, value: int, least: int | None) -> int:
    """The characteristic ``value`` of models of the unit after abilities, at least ``least`` (``None``: no limit)."""
    changes = characteristic_changes(g, unit, name)
    return modified(value, changes, least) if changes else value


def additional_mortals(g: BattleCore, unit: int) -> int:
    """Mortal wounds that each unmodified wound roll of 6 of the unit's attacks inflicts in addition to its damage."""
    return sum(MORTALS[power.effect] for power in in_force(g, unit, "mortals"))


def protect(g: BattleCore, unit: int, psychic: bool) -> None:
    """Write the invulnerable saves and Feel No Pain that abilities give the unit's models, before wounds are inflicted
    on it.

    Of several abilities of a kind the best counts, beside the model's own. ``psychic``: the wounds come from a Psychic
    Attack.
    """
    statics = g.setup.statics
    if statics["guarded"][unit]:
        rows, bearers = edition(g).power_rows(g, "guards")
        g.work.call(guard_unit, g.models.rows, g.units.rows, rows, bearers, statics["own_guards"], unit, psychic, True)


def counts_in(g: BattleCore, power: Power, weapon: int, facing: int) -> bool:
    """Whether a power in force on a unit counts for attacks with this profile that it makes or suffers; ``facing``: the
    other unit.
    """
    if power.weapons and (power.weapons == "melee") != bool(g.setup.statics["weapons"][weapon]["melee"]):
        return False
    if power.profiles and weapon not in power.profiles:
        return False
    if power.facing_keyword and not power.facing_keyword & g.units.keywords[facing]:
        return False
    if power.facing_without & g.units.keywords[facing]:
        return False
    if power.facing_mark and not power.facing_mark & g.units.marks[facing]:
        return False
    return all(STATES[state](g, facing) for state in power.facing_states)


@dataclass(frozen=True)
class Characteristics:
    """What the bearers of weapons bring to them, in editions whose datasheets give Strength and Attacks to models.

    Attributes:
        users: by weapon row: Strength of the bearer, its multiplier, and what is added. Weapons with a Strength of
            their own have no entry.
        of_models: whether Attacks are a characteristic of models, which counts only in melee.
        least_attacks: lowest value of Attacks.
    """

    users: Mapping[int, tuple[int, int, int]] = field(default_factory=dict)
    of_models: bool = False
    least_attacks: int = 1

    def touched(self, effect: str, weapon: Any) -> bool:
        """Whether the effect changes this profile (weapon.extra-attacks.no-modify)."""
        column = WEAPONS[effect][0]
        if column == "skill":
            return bool(weapon["melee"]) == ("Weapon" in effect)
        if column == "attacks_plus":
            extra = int(weapon["abilities"]) & int(WeaponAbility.EXTRA_ATTACKS)
            return not extra and (not self.of_models or bool(weapon["melee"]))
        return True

    def strength(self, row: int, printed: int, changes: Iterable[tuple[Operation, int]]) -> int:
        """The Strength of a profile: its bearer's Strength is modified before the weapon multiplies it and
        adds to it.
        """
        if row not in self.users:
            return modified(printed, changes, 1)
        strength, times, plus = self.users[row]
        return max(1, modified(strength, changes, 1) * times + plus)


OF_WEAPONS = Characteristics()  # all characteristics are those of weapons


def changed_profile(printed: Array, effects: Iterable[str], row: int = -1, own: Characteristics = OF_WEAPONS) -> Array:
    """A copy of weapon profile ``printed`` (an array of one row, number ``row``) with these effects. A fixed Strength
    is at least 1.
    """
    new = np.copy(printed)
    changes: dict[str, list[tuple[Operation, int]]] = {}
    for effect in effects:
        column, operation, amount = WEAPONS[effect]
        changes.setdefault(column, []).append((operation, amount))
    for column, those in changes.items():
        if column == "strength_plus" and not printed["strength_dice"][0]:
            new[column] = own.strength(row, int(printed[column][0]), those)
        elif column == "attacks_plus" and not printed["attacks_dice"][0] and own.least_attacks:
            new[column] = modified(int(printed[column][0]), those, own.least_attacks)
        else:
            new[column] = modified(int(printed[column][0]), those)
    new["ap"] = min(0, int(new["ap"][0]))  # AP is never worse than 0
    return new


def changed_weapons(
    weapons: list[Array], names: list[str], powers: tuple[Power, ...], own: Characteristics = OF_WEAPONS
) -> dict[tuple[str, int], int]:
    """Append to ``weapons`` the profiles that the effects in the battle make of them.

    Returns the new row by effect and row that it changes. If abilities of several names have the same effect, each of
    them changes the profile once more.
    """
    known: dict[tuple[str, int], int] = {}
    made: dict[int, tuple[int, tuple[str, ...]]] = {}  # by new row: the printed row and the effects on it
    for effect in sorted({power.effect for power in powers if power.effect in WEAPONS}):
        for _ in {power.name for power in powers if power.effect == effect}:
            for row in range(len(weapons)):
                if (effect, row) in known:
                    continue
                if not own.touched(effect, weapons[row][0]):
                    known[effect, row] = row
                    continue
                printed, before = made.get(row, (row, ()))
                known[effect, row] = len(weapons)
                made[len(weapons)] = printed, (*before, effect)
                weapons.append(changed_profile(weapons[printed], (*before, effect), printed, own))
                names.append(f"{names[row]}, {effect}")
    for effect in sorted({power.effect for power in powers if power.effect in TOUGHNESS}):
        for _ in {power.name for power in powers if power.effect == effect}:
            for row in [row for row in range(len(weapons)) if (effect, row) not in known]:
                new = np.copy(weapons[row])
                new["toughness"] += TOUGHNESS[effect]
                known[effect, row] = len(weapons)
                weapons.append(new)
                names.append(names[row])
    for effect in sorted({power.effect for power in powers if power.effect in DEFENCES}):
        column, change, wanted = DEFENCES[effect]
        for row in range(len(weapons)):
            if wanted is None or weapons[row][column][0] == wanted:
                new = np.copy(weapons[row])
                new[column] += change
                known[effect, row] = len(weapons)
                weapons.append(new)
                names.append(names[row])
    for effect in sorted({power.effect for power in powers if power.effect in GENERATED}):
        for row in range(len(weapons)):
            if GENERATED[effect] or weapons[row]["hit_rolls"][0] > 0:
                new = np.copy(weapons[row])
                new["hit_rolls"] = 0
                known[effect, row] = len(weapons)
                weapons.append(new)
                names.append(names[row])
    return known
