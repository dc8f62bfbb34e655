"""Compiles fielded units of the classic editions to a ``Setup``.

Weapons are compiled for each bearer, once for each row of a damage table. The module also adds transport capacities and
explosions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wh_env.content.classic.fielding import FieldedModel, FieldedUnit, carrying, roster_entry
from wh_env.content.classic.muster import ClassicMuster
from wh_env.content.classic.powers import profile_of
from wh_env.content.classic.schema import ClassicDatasheet, ClassicModel
from wh_env.content.classic.weapons import (
    CLOSE_COMBAT,
    CLOSE_COMBAT_NAME,
    BorneProfile,
    ClassicWeapon,
    extras,
    resolved,
)
from wh_env.content.errors import ContentError
from wh_env.content.w40k.compile import (
    MOST_PROFILES,
    Arsenals,
    Compiler,
    KeywordBits,
    Plan,
    WeaponTable,
    fill_amount,
    fill_base,
    first_rows,
    with_models,
)
from wh_env.content.w40k.powers import Powers
from wh_env.content.w40k.schema import OtherAbility
from wh_env.content.w40k.weapons import Weapon, WeaponProfile
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.abilities import Characteristics, Power, by_hook, changed_weapons, power_rows
from wh_env.rulesets.w40k.numbers import Demise
from wh_env.rulesets.w40k.profiles import Ability
from wh_env.rulesets.w40k.psychic.data import MOST_POWERS, SMITE, PsychicPower, PsychicProfile


class BracketedWeapons(WeaponTable):
    """Weapon profiles of a battle; for models with a damage table there is a row for each row of the table.

    Attributes:
        later: the replacing weapon row, by damage table row and weapon row.
        users: the Strength of weapons that use their bearer's (``BorneProfile.user``).
    """

    def __init__(self, keywords: KeywordBits) -> None:
        super().__init__(keywords)
        self.later: dict[tuple[int, int], int] = {}
        self.users: dict[int, tuple[int, int, int]] = {}
        self.entered: dict[tuple[str, tuple[Weapon, ...]], list[int]] = {}

    def _row(self, name: str, profile: WeaponProfile, at: int, count: int) -> int:
        row = super()._row(name, profile, at, count)
        if isinstance(profile, BorneProfile):
            self.rows[row]["hit"], self.rows[row]["wound_reroll"] = profile.hit, profile.wound_reroll
            if profile.user is not None:
                self.users[row] = profile.user
        return row

    def bracketed(self, name: str, weapons: tuple[Weapon, ...]) -> list[int]:
        """Weapon rows of the profiles of an unhurt model's weapon.

        ``weapons`` holds the weapon once for each row of the model's damage table, the unhurt one first. Weapons that
        degrade in different ways get different rows.
        """
        first, *rest = weapons
        if all(weapon == first for weapon in rest):
            return self.of(name, first)
        key = (name, weapons)
        if key not in self.entered:
            count = len(first.profiles)
            self.entered[key] = [self._row(name, profile, at, count) for at, profile in enumerate(first.profiles)]
            for bracket, weapon in enumerate(rest, 1):
                for own, then in zip(self.entered[key], self.of(name, weapon), strict=True):
                    self.later[bracket, own] = then
        return self.entered[key]


def psychic_of(
    armies: Sequence[ClassicMuster[Any, Any]], actions: Sequence[PsychicPower] = ()
) -> dict[int, PsychicProfile]:
    """What each unit of psykers can do in the Psychic phase, by unit row (w8.psychic.allowance, w9.psychic.powers).

    ``actions`` are the psychic actions of the mission.

    Raises:
        ContentError: they know more powers than a battle holds.
    """
    found: dict[int, PsychicProfile] = {}
    for first, army in zip(first_rows([army.units for army in armies]), armies, strict=True):
        for row, unit in enumerate(army.units, first):
            if unit.psyker is not None:
                found[row] = profile_of(unit.psyker, army.disciplines)
    powers = {SMITE, *actions, *(power for profile in found.values() for power in profile.every_power)}
    if len(powers) > MOST_POWERS:
        expected = f"at most {MOST_POWERS} psychic powers that units know or may select"
        raise ContentError("<battle>", "armies", len(powers), expected, "powers are too many")
    return found


def compile_plan(plan: Plan[FieldedUnit]) -> Setup:
    """The frozen Setup of a plan.

    Raises:
        ContentError: more units, models, weapons or keywords than the tables hold.
    """
    return ClassicCompiler(plan).run()


def model_flags(sheet: ClassicDatasheet, kind: ClassicModel) -> int:
    """Ability bits of a model."""
    held = {
        Ability.DEEP_STRIKE: sheet.abilities.teleport,
        Ability.DEADLY_DEMISE: sheet.abilities.explodes is not None,
        Ability.FEEL_NO_PAIN: bool(sheet.abilities.feel_no_pain or kind.fnp),
        Ability.PSYCHIC: sheet.abilities.psyker is not None,
    }
    flags = Ability(0)
    for bit, has in held.items():
        if has:
            flags |= bit
    return int(flags)


class ClassicCompiler(Compiler[FieldedUnit]):
    """Compiles datasheets of the classic editions."""

    weapons: BracketedWeapons

    def __init__(self, plan: Plan[FieldedUnit]) -> None:
        super().__init__(plan)
        self.weapons = BracketedWeapons(self.keywords)

    # ---- weapons

    def arsenals(self) -> Arsenals:
        """The arsenal of each model of each unit; each weapon is a slot of its own."""
        return [[self._arsenal(unit, model) for model in unit.models] for _, unit in self.units]

    def _arsenal(self, unit: FieldedUnit, model: FieldedModel) -> list[tuple[int, int]]:
        """(weapon profile, slot) of each weapon of the model.

        A model without melee weapon has a close combat weapon (w9.weapon.close-combat).
        """
        sheet, kind = unit.datasheet, model.type
        carried = [(name, sheet.weapons[name]) for name in model.weapons]
        if not any(profile.melee and not profile.only_extra for _, weapon in carried for profile in weapon.profiles):
            carried.append((CLOSE_COMBAT_NAME, CLOSE_COMBAT))
        entries: list[tuple[int, int]] = []
        slot = 0
        for at, (name, weapon) in enumerate(carried):
            again = weapon.melee and name in [other for other, _ in carried[:at]]
            if again:
                continue  # a second weapon of the same kind adds only its own extra attacks
            copies = sum(other == name for other, _ in carried) if weapon.melee else 1
            for found in (self._by_bracket(weapon, kind), self._extras(weapon, kind, copies)):
                if found:
                    entries += [(row, slot) for row in self.weapons.bracketed(name, found)]
                    slot += 1
        if len(entries) > MOST_PROFILES:
            expected = f"at most {MOST_PROFILES} weapon profiles of a model"
            raise ContentError("<battle>", f"units.{unit.name}", len(entries), expected, "profiles are too many")
        return entries

    @staticmethod
    def _by_bracket(weapon: ClassicWeapon, kind: ClassicModel) -> tuple[Weapon, ...]:
        found = [resolved(weapon, kind.bearer(bracket)) for bracket in range(kind.brackets)]
        unhurt = found[0]
        return () if unhurt is None else tuple(unhurt if each is None else each for each in found)

    @staticmethod
    def _extras(weapon: ClassicWeapon, kind: ClassicModel, copies: int) -> tuple[Weapon, ...]:
        found = [extras(weapon, kind.bearer(bracket), copies) for bracket in range(kind.brackets)]
        unhurt = found[0]
        return () if unhurt is None else tuple(unhurt if each is None else each for each in found)

    # ---- units

    def hulls(self) -> dict[int, tuple[int, ...]]:
        """The rows of the models that carry others, by TRANSPORT unit row."""
        return {
            row: tuple(rows[number] for number in carrying(unit.datasheet, unit.models))
            for row, _, unit, rows in with_models(self.units)
            if unit.datasheet.abilities.transport is not None
        }

    def fill_units(self, units: Array) -> None:
        """Fill the unit rows, with the capacity of TRANSPORTS."""
        super().fill_units(units)
        for row, (_, unit) in enumerate(self.units):
            transport = unit.datasheet.abilities.transport
            units[row]["capacity"] = transport.capacity if transport is not None else 0

    def fill_models(self, units: Array, models: Array, arsenals: Arsenals) -> None:
        """Fill the model rows: characteristics of unhurt models, bases, keywords and abilities."""
        for number, player, unit, rows in with_models(self.units):
            union, shared = 0, ~0
            for row, model, entries in zip(rows, unit.models, arsenals[number], strict=True):
                warlord = unit.warlord and row == rows.start + unit.warlord_model
                self._fill_model(models[row], unit, model, warlord)
                r = models[row]
                r["unit"] = r["datasheet"] = number
                r["owner"], r["alive"], r["profile"] = player, 1, row
                r["first_weapon"], r["weapons"] = len(self.arsenal), len(entries)
                self.arsenal += entries
                union |= int(r["keywords"])
                shared &= int(r["flags"])
            units[number]["keywords"], units[number]["flags"] = union, shared if rows else 0

    def _fill_model(self, r: Any, unit: FieldedUnit, model: FieldedModel, warlord: bool) -> None:
        sheet, kind = unit.datasheet, model.type
        fill_base(r, kind.base)
        r["height"], r["move"] = kind.height_in, kind.M.most
        r["wounds"] = r["max_wounds"] = kind.W
        r["toughness"], r["save"], r["leadership"] = kind.T, kind.Sv, kind.Ld
        never = sheet.has("AIRCRAFT") or sheet.has("FORTIFICATION")  # w9.objective.excluded
        r["control"] = 0 if never else 1
        saves = [save for save in (kind.invuln, model.option.invuln if model.option is not None else None) if save]
        r["invulnerable"], r["invulnerable2"] = min(saves, default=0), kind.invuln2 or 0
        r["feel_no_pain"] = kind.fnp or 0
        if sheet.abilities.feel_no_pain:
            r["feel_no_pain2" if kind.fnp else "feel_no_pain"] = sheet.abilities.feel_no_pain
        r["keywords"] = self.keywords.mask([*sheet.every_keyword, *kind.keywords])
        if warlord:
            r["keywords"] |= np.uint64(self.keywords.bit("WARLORD"))  # w9.army.warlord
        r["flags"] = model_flags(sheet, kind)
        if sheet.abilities.explodes is not None:
            fill_amount(r, "demise", sheet.abilities.explodes.damage)

    # ---- statics

    def statics(self, models: Array) -> dict[str, Any]:
        """The statics of every edition, and abilities, transports, damage tables, explosions, Power and rosters."""
        powers = self._powers()
        hooks = by_hook(powers)
        # profiles that abilities change are entered among the weapons before those become a table
        game = self.plan.edition
        own = Characteristics(self.weapons.users, game.attacks_of_models, game.least_attacks)
        changed = changed_weapons(self.weapons.rows, self.weapons.names, powers, own)
        cargo: dict[int, tuple[int, int, int, tuple[tuple[int, int], ...]]] = {}
        for row, (_, unit) in enumerate(self.units):
            transport = unit.datasheet.abilities.transport
            if transport is not None:
                wide = tuple((self.keywords.bit(name), places) for name, places in transport.places.items())
                cargo[row] = (self.keywords.mask(transport.allowed), 0, self.keywords.mask(transport.excluded), wide)
        sheets = [unit.datasheet for _, unit in self.units]
        guarded = self._guarded(hooks["guards"])
        protected = guarded[models["unit"]].astype(np.int32)
        return {
            **super().statics(models),
            "powers": hooks,
            "power_rows": {hook: power_rows(found) for hook, found in hooks.items()},
            "changed_weapons": changed,
            "damaged": np.zeros(len(models), np.int32),
            "random_move": self._random_moves(),
            "own_guards": np.stack([models["invulnerable2"], models["feel_no_pain2"], protected], axis=1),
            "guarded": guarded,
            "can_lead": {},
            "cargo": cargo,
            "drops": tuple(row for row, sheet in enumerate(sheets) if (t := sheet.abilities.transport) and t.drops),
            "open_topped": {
                row: t.shoots_engaged
                for row, each in enumerate(sheets)
                if (t := each.abilities.transport) and t.open_topped
            },
            "firing_deck": {},
            "hover": (),
            "scout_distance": [0.0] * len(sheets),
            "immobile": any(model.type.M.most == 0 for _, unit in self.units for model in unit.models),
            "rosters": tuple([roster_entry(unit) for unit in army] for army in self.plan.armies),
            "power": [unit.power for _, unit in self.units],
            "least_move": [unit.least_move for _, unit in self.units],
            "passes_morale": tuple(
                row for row, (_, unit) in enumerate(self.units) if unit.datasheet.abilities.passes_morale
            ),
            "explosions": {
                row: Demise(burst.needed, burst.range, burst.closest_enemy)
                for row, sheet in enumerate(sheets)
                if (burst := sheet.abilities.explodes) is not None
            },
            **self._brackets(models, changed),
        }

    def _random_moves(self) -> dict[int, tuple[int, int, int, tuple[int, ...]]]:
        """Units with a random Move (datasheet.random.move), by unit row: dice, sides, plus, and rows of its models."""
        found: dict[int, tuple[int, int, int, tuple[int, ...]]] = {}
        for row, _, unit, rows in with_models(self.units):
            rolls = [(k, model.type.M.roll) for k, model in zip(rows, unit.models, strict=True)]
            first = next((roll for _, roll in rolls if roll is not None), None)
            if first is not None:
                models = tuple(k for k, roll in rolls if roll is not None)
                found[row] = (first.dice, first.sides, first.plus, models)
        return found

    def _brackets(self, models: Array, changed: Mapping[tuple[str, int], int]) -> dict[str, Any]:
        """Damage tables (w9.concepts.damaged).

        ``degrading``: rows of models with a damage table. ``bracket_wounds[model][k]``: row k + 1 counts at this many
        wounds or fewer. ``bracket_moves``, ``bracket_least`` ``[model, k]``: most and least Move in row k, inches.
        ``bracket_weapons[k, weapon]``: the weapon row that replaces a weapon row in row k.
        """
        deepest = max([1, *(unit.datasheet.brackets for _, unit in self.units)])
        wounds = np.zeros((len(models), deepest - 1), np.int32)
        moves, least = np.zeros((len(models), deepest)), np.zeros((len(models), deepest))
        for _, _, unit, rows in with_models(self.units):
            for row, model in zip(rows, unit.models, strict=True):
                kind = model.type
                for bracket in range(deepest):
                    own = min(bracket, kind.brackets - 1)
                    moves[row, bracket] = kind.movement(own).most
                    least[row, bracket] = kind.movement(own).least or 0
                    if 0 < bracket < kind.brackets:
                        wounds[row, bracket - 1] = kind.damage[bracket - 1].wounds
        later = dict(self.weapons.later)
        for (effect, row), new in changed.items():  # an ability changes degraded weapons, too
            for bracket in range(1, deepest):
                if (bracket, row) in later:
                    later[bracket, new] = changed[effect, later[bracket, row]]
        weapons = np.tile(np.arange(len(self.weapons.rows), dtype=np.int32), (deepest, 1))
        for (bracket, row), then in later.items():
            weapons[bracket, row] = then
        return {
            "degrading": tuple(int(row) for row in np.flatnonzero(wounds.any(axis=1))),
            # Python counts in a handful of numbers quicker than numpy
            "bracket_wounds": tuple(map(tuple, wounds.tolist())),
            "bracket_moves": moves,
            "bracket_least": least,
            "bracket_weapons": weapons,
        }

    def _powers(self) -> tuple[Power, ...]:
        """The active abilities of the units of the battle.

        Raises:
            ContentError: an ability needs a choice, which no phase of the edition asks for.
        """
        names = self.weapons.names

        def profiles(wanted: Sequence[str]) -> frozenset[int]:
            return frozenset(
                row for row, name in enumerate(names) if name in wanted or name.partition(" (")[0] in wanted
            )

        found = Powers(self.keywords.mask, profiles)
        for _, player, unit, rows in with_models(self.units):
            abilities = unit.datasheet.abilities
            for ability in (*abilities.auras, *abilities.other):
                bearers = tuple(k for k, model in zip(rows, unit.models, strict=True) if bears(ability, model))
                if ability.chooses is not None:
                    field = f"{unit.name}.{ability.name}.chooses"
                    raise ContentError(
                        "<battle>", field, ability.chooses.when, "no choice", "is not asked in this edition"
                    )
                if ability.active and bearers:
                    found.add(ability, player, bearers, lambda keyword: ())
        return found.finished()[0]

    def _guarded(self, guards: Sequence[Power]) -> Array:
        """By unit row, 1 if one of the powers ``guards`` could ever be in force on the unit, else 0."""
        found = np.zeros(len(self.units), np.uint8)
        for row, player, _, rows in with_models(self.units):
            for power in guards:
                if (player == power.owner) != power.enemies and (power.reach > 0 or power.models[0] in rows):
                    found[row] = 1
        return found

    def inactive(self) -> tuple[str, ...]:
        """Abilities that datasheets declare and that are not played, each with its datasheet."""
        sheets: Mapping[str, tuple[str, ...]] = {u.datasheet.name: u.datasheet.inactive for _, u in self.units}
        return tuple(f"{sheet}: {ability}" for sheet, names in sorted(sheets.items()) for ability in names)


def bears(ability: OtherAbility, model: FieldedModel) -> bool:
    """Whether a model has the ability; an ability of a wargear item needs the item."""
    option = model.option
    items = model.type.wargear if option is None else (option.name, *option.wargear)
    return ability.wargear is None or ability.wargear in (*model.weapons, *items)
