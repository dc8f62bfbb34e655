"""Compiles a loaded battle of the 10th edition to a ``Setup``: datasheets and missions become rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wh_env.content.errors import ContentError
from wh_env.content.w10.abilities import ability_statics, is_psyker
from wh_env.content.w10.load import LoadedBattle
from wh_env.content.w10.muster import MusteredModel, MusteredUnit, carrying, may_lead, roster_entry
from wh_env.content.w10.schema import Datasheet
from wh_env.content.w40k.compile import (
    MOST_PROFILES,
    Arsenals,
    Compiler,
    Plan,
    battle_plan,
    fill_amount,
    fill_base,
    with_models,
)
from wh_env.content.w40k.schema import OtherAbility
from wh_env.core.setup import Delegate, Setup
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.profiles import HUGE, Ability, WeaponAbility

MODEL_FLAGS = ~(Ability.LEADER | Ability.AURA)


def plan_of(
    edition: Edition, loaded: LoadedBattle, rules: Mapping[str, Any], delegates: Mapping[str, Delegate]
) -> Plan[MusteredUnit]:
    """The plan that a loaded battle compiles from."""
    score = loaded.mission.primary[0]
    numbers = {
        "first_scoring_round": score.first_scoring_round,
        "vp_each_marker": score.vp_each_marker,
        "max_vp_each_turn": score.max_vp_per_turn,
        "strategic_reserves_points": loaded.size.points // 4,
    }
    plan = battle_plan(edition, loaded, rules, delegates, numbers)
    return replace(plan, declared=declared(loaded), army_rules=army_rules(loaded))


def army_rules(loaded: LoadedBattle) -> tuple[tuple[OtherAbility, ...], ...]:
    """For each player, the rules of the faction and the rules and Stratagems of the Detachment."""
    return tuple(
        (
            *(army.faction.rules if army.faction is not None else ()),
            *((*army.detachment.rules, *army.detachment.stratagems) if army.detachment is not None else ()),
        )
        for army in loaded.armies
    )


def declared(loaded: LoadedBattle) -> tuple[str, ...]:
    """Rules that are declared and not played: of armies, of their Detachments, and of bought Enhancements."""
    found: dict[str, None] = {}
    for army in loaded.armies:
        for owner in (army.faction, army.detachment):
            if owner is not None:
                found.update(dict.fromkeys(f"{owner.name}: {rule.name}" for rule in owner.rules if not rule.active))
        if army.detachment is not None:
            name, own = army.detachment.name, army.detachment.stratagems
            found.update(dict.fromkeys(f"{name}: {rule.name}" for rule in own if not rule.active))
        for unit in army.units:
            if unit.enhancement is not None and not unit.enhancement.active:
                found.setdefault(f"Enhancement: {unit.enhancement.name}")
    return tuple(found)


def compile_plan(plan: Plan[MusteredUnit]) -> Setup:
    """The frozen Setup of a plan.

    Raises:
        ContentError: more units, models or keywords than the tables hold.
    """
    return TenthCompiler(plan).run()


def model_flags(sheet: Datasheet) -> int:
    """Ability bits that each model of a datasheet has."""
    return int(sheet.core & MODEL_FLAGS)


class TenthCompiler(Compiler[MusteredUnit]):
    """Compiles datasheets of the 10th edition."""

    def arsenals(self) -> Arsenals:
        """The arsenal of each model of each unit; each weapon is a slot of its own unless its datasheet numbers it."""
        return [[self._arsenal(unit, model) for model in unit.models] for _, unit in self.units]

    def _arsenal(self, unit: MusteredUnit, model: MusteredModel) -> list[tuple[int, int]]:
        """(weapon profile, slot) of each weapon of the model."""
        entries: list[tuple[int, int]] = []
        psyker = is_psyker(unit.datasheet, model.type)
        for number, name in enumerate(model.weapons):
            weapon = unit.datasheet.weapons[name]
            slot = 100 + weapon.slot if weapon.slot is not None else number
            profiles = zip(self.weapons.of(name, weapon), weapon.profiles, strict=True)
            # w10.datasheet.psychic: only PSYKERS use Psychic weapons
            entries += [(row, slot) for row, p in profiles if psyker or not p.flags & WeaponAbility.PSYCHIC]
        if len(entries) > MOST_PROFILES:
            expected = f"at most {MOST_PROFILES} weapon profiles of a model"
            raise ContentError("<battle>", f"units.{unit.name}", len(entries), expected, "profiles are too many")
        return entries

    def hulls(self) -> dict[int, tuple[int, ...]]:
        """The rows of the models that carry others, by TRANSPORT unit row."""
        return {
            row: tuple(rows[number] for number in carrying(unit.datasheet, unit.models))
            for row, _, unit, rows in with_models(self.units)
            if unit.datasheet.abilities.transport is not None
        }

    def jobs(self, arsenals: Arsenals, hulls: Mapping[int, tuple[int, ...]]) -> int:
        """The most groups of attacks that one unit declares at once, with those from a Firing Deck."""
        most = super().jobs(arsenals, hulls)
        for row, carriers in hulls.items():
            transport = self.units[row][1].datasheet.abilities.transport
            deck = transport.firing_deck if transport is not None else 0
            most = max(most, sum(len(a) for a in arsenals[row]) + deck * len(carriers))
        return most

    def statics(self, models: Array) -> dict[str, Any]:
        """The statics of every edition, and numbers of attacks, abilities, Leaders, transports' cargo and rosters."""
        # profiles that abilities change are entered among the weapons before those become a table
        abilities = ability_statics(
            self.plan, self.units, models, self.weapons.rows, self.weapons.names, self.keywords.mask
        )
        can_lead: dict[int, tuple[int, ...]] = {}
        cargo: dict[int, tuple[int, int, int, tuple[tuple[int, int], ...]]] = {}
        firing_deck: dict[int, int] = {}
        for row, (player, unit) in enumerate(self.units):
            transport = unit.datasheet.abilities.transport
            if transport is not None:
                wide = tuple((self.keywords.bit(name), places) for name, places in transport.places.items())
                allowed, one_of = self.keywords.mask(transport.allowed), self.keywords.mask(transport.one_of)
                cargo[row] = (allowed, one_of, self.keywords.mask(transport.excluded), wide)
                if transport.firing_deck:
                    firing_deck[row] = transport.firing_deck
            names = unit.datasheet.abilities.leader
            # a unit has the keywords of its models (w10.concepts.keywords.model-or-unit)
            if names and any(unit.datasheet.model_has(model.type, "CHARACTER") for model in unit.models):
                army, base = self.plan.armies[player], self.first_unit[player]
                can_lead[row] = tuple(
                    base + k
                    for k, other in enumerate(army)
                    if may_lead(unit.datasheet, unit.models, other.datasheet.name)
                )
        return {
            **super().statics(models),
            "can_lead": can_lead,
            "cargo": cargo,
            "firing_deck": firing_deck,
            "rosters": tuple([roster_entry(unit) for unit in army] for army in self.plan.armies),
            "hover": tuple(row for row, (_, unit) in enumerate(self.units) if unit.hover),
            "scout_distance": [unit.datasheet.abilities.scouts or 0.0 for _, unit in self.units],
            "immobile": any(model.type.M == 0 for _, unit in self.units for model in unit.models),
            **abilities,
        }

    def inactive(self) -> tuple[str, ...]:
        """Declared rules that are not played: those of the armies, then abilities of datasheets with their sheets."""
        sheets = sorted({unit.datasheet.name: unit.datasheet.inactive for _, unit in self.units}.items())
        own = (f"{sheet}: {ability}" for sheet, abilities in sheets for ability in abilities)
        return (*self.plan.declared, *own)

    def fill_units(self, units: Array) -> None:
        """Fill the unit rows, with the capacity of TRANSPORTS."""
        super().fill_units(units)
        for row, (_, unit) in enumerate(self.units):
            transport = unit.datasheet.abilities.transport
            units[row]["capacity"] = transport.capacity if transport is not None else 0

    def fill_models(self, units: Array, models: Array, arsenals: Arsenals) -> None:
        """Fill the model rows: characteristics, bases, keywords and abilities."""
        row = 0
        for number, (player, unit) in enumerate(self.units):
            sheet = unit.datasheet
            own = self.keywords.mask([*sheet.keywords, *sheet.faction_keywords])
            flags = model_flags(sheet)
            union = 0
            warlord = row + unit.warlord_model if unit.warlord else -1
            for model, entries in zip(unit.models, arsenals[number], strict=True):
                r, kind = models[row], model.type
                fill_base(r, kind.base)
                # a random Move is rolled when the unit is selected to move
                r["height"], r["move"] = kind.height_in, kind.M_roll.maximum if kind.M_roll else kind.M
                r["unit"] = r["datasheet"] = number
                r["owner"], r["alive"] = player, 1
                r["wounds"] = r["max_wounds"] = kind.W
                r["toughness"], r["save"], r["leadership"], r["control"] = kind.T, kind.Sv, kind.Ld, kind.OC
                r["invulnerable"], r["invulnerable2"] = kind.invuln or 0, kind.invuln2 or 0
                r["feel_no_pain"] = kind.fnp or 0
                if sheet.abilities.feel_no_pain:
                    second = "feel_no_pain2" if kind.fnp else "feel_no_pain"
                    r[second] = sheet.abilities.feel_no_pain
                keywords = own | self.keywords.mask(kind.keywords)
                if row == warlord:
                    keywords |= self.keywords.bit("WARLORD")  # w10.army.warlord
                if 0 < self.plan.edition.huge <= kind.W:
                    keywords |= HUGE
                union |= keywords
                r["keywords"], r["flags"] = keywords, flags
                if sheet.abilities.deadly_demise:
                    fill_amount(r, "demise", sheet.abilities.deadly_demise)
                r["first_weapon"], r["weapons"], r["profile"] = len(self.arsenal), len(entries), row
                self.arsenal += entries
                row += 1
            units[number]["keywords"], units[number]["flags"] = union, flags
