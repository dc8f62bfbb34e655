"""From validated content to a ``Setup``: rows of units, models and weapons, terrain, zones, numbers of the mission."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from wh_env.content.abilities import ability_statics, is_psyker, with_models
from wh_env.content.errors import ContentError
from wh_env.content.muster import MusteredModel, MusteredUnit, carrying, roster_entry
from wh_env.content.schema import INCH, Amount, Datasheet, Weapon, WeaponProfile
from wh_env.core.actions import ActionSpace
from wh_env.core.procedures import Ruleset
from wh_env.core.setup import Delegate, Setup
from wh_env.core.tables import BLOCK, CIRCLE, FEATURE, OVAL, RECT, Array
from wh_env.rulesets.epic.ruleset import EPIC
from wh_env.rulesets.w10.numbers import CORE_RULES
from wh_env.rulesets.w10.ruleset import TENTH_EDITION
from wh_env.rulesets.w10.terrain import TYPES
from wh_env.rulesets.w40k.deploy.setting_up import zone_statics
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.keywords import singular
from wh_env.rulesets.w40k.move.limits import move_limits
from wh_env.rulesets.w40k.profiles import ARSENAL, FIRST_FREE_KEYWORD, WEAPON, Ability, Keyword, WeaponAbility
from wh_env.rulesets.w40k.tables import blank, layout

RULESETS: dict[str, Ruleset] = {"epic": EPIC, "w10": TENTH_EDITION}
TERRAIN_TYPES = {"w10": TYPES}
RESERVES = {None: 0, "deep-strike": 1, "strategic": 2}
TERRAIN_PLACED_BY = ("layout", "players")
MOST_PROFILES = 64  # bits of the column ``spent``
MODEL_FLAGS = ~(Ability.LEADER | Ability.AURA)


@dataclass(frozen=True)
class Plan:
    """What a Setup is made of. ``zones``: the Attacker's and the Defender's, convex polygons in inches."""

    ruleset: str
    size: tuple[float, float]
    armies: tuple[Sequence[MusteredUnit], Sequence[MusteredUnit]]
    zones: tuple[Sequence[tuple[float, float]], Sequence[tuple[float, float]]]
    terrain: tuple[Array, Array, Array] | None = None
    objectives: Sequence[tuple[float, float]] = ()
    markers: int = 0  # to be placed by the players
    marker_diameter_mm: float = 40.0
    rules: Mapping[str, Any] = field(default_factory=dict)
    timed: Sequence[Any] = ()
    delegates: Mapping[str, Delegate] = field(default_factory=dict)
    players: tuple[str, str] = ("player 0", "player 1")
    script: int = 1
    source: str = ""


def corners_of(polygon: Sequence[tuple[float, float]]) -> Array:
    """A polygon as an array of its corners, shape (n, 2)."""
    return np.array(polygon, np.float64).reshape(-1, 2)


class _Keywords:
    """Bits of keywords: fixed ones for those that rules name, free ones for the rest."""

    def __init__(self) -> None:
        self.bits = {k.name: int(k) for k in Keyword if k.name}
        self.known = {singular(name): bit for name, bit in self.bits.items()}
        self.next = FIRST_FREE_KEYWORD

    def bit(self, keyword: str) -> int:
        name = singular(keyword)
        if name not in self.known:
            if self.next == 64:
                raise ContentError("<battle>", "armies", keyword, "at most 40 keywords beyond those of the core rules")
            self.bits[name] = self.known[name] = 1 << self.next
            self.next += 1
        return self.known[name]

    def mask(self, names: Sequence[str]) -> int:
        total = 0
        for name in names:
            total |= self.bit(name)
        return total


class _Weapons:
    """The table of weapon profiles of a battle; profiles alike are one row."""

    def __init__(self, keywords: _Keywords) -> None:
        self.keywords = keywords
        self.rows: list[Array] = []
        self.names: list[str] = []
        self.known: dict[tuple[str, WeaponProfile], int] = {}
        self.weapons: dict[tuple[str, Weapon], list[int]] = {}

    def of(self, name: str, weapon: Weapon) -> list[int]:
        """Rows of the weapon's profiles."""
        key = (name, weapon)
        if key not in self.weapons:
            self.weapons[key] = [
                self._row(name, profile, at, len(weapon.profiles)) for at, profile in enumerate(weapon.profiles)
            ]
        return self.weapons[key]

    def _row(self, name: str, profile: WeaponProfile, at: int, count: int) -> int:
        row = np.zeros(1, WEAPON)
        r = row[0]
        r["range"], r["melee"], r["abilities"] = profile.range, profile.melee, int(profile.flags)
        _amount(r, "attacks", profile.A)
        _amount(r, "damage", profile.D)
        _amount(r, "sustained", profile.amount(WeaponAbility.SUSTAINED_HITS))
        _amount(r, "strength", profile.S)
        _amount(r, "rapid_fire", profile.amount(WeaponAbility.RAPID_FIRE))
        _amount(r, "melta", profile.amount(WeaponAbility.MELTA))
        r["skill"], r["ap"] = profile.skill, profile.AP
        for rule in profile.abilities:
            if rule.keyword is not None:
                r["anti"][rule.value] |= self.keywords.bit(rule.keyword)
        r["profile_of"] = at
        self.rows.append(row)
        self.names.append(f"{name} ({profile.name or at + 1})" if count > 1 else name)
        return len(self.rows) - 1


def _amount(row: Any, prefix: str, amount: Amount) -> None:
    row[f"{prefix}_dice"], row[f"{prefix}_sides"], row[f"{prefix}_plus"] = amount.dice, amount.sides, amount.plus


def model_flags(sheet: Datasheet) -> int:
    """Ability bits that each model of a datasheet has."""
    return int(sheet.core & MODEL_FLAGS)


class _Compiler:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.keywords = _Keywords()
        self.weapons = _Weapons(self.keywords)
        self.arsenal: list[tuple[int, int]] = []
        self.units: list[tuple[int, MusteredUnit]] = [(p, unit) for p in (0, 1) for unit in plan.armies[p]]
        self.first_unit = (0, len(plan.armies[0]))
        self.space = ActionSpace()

    def run(self) -> Setup:
        plan = self.plan
        models = sum(len(unit.models) for _, unit in self.units)
        largest = max((len(army) for army in plan.armies), default=0)
        if largest > self.space.units:
            expected = f"at most {self.space.units} units in an army"
            raise ContentError("<battle>", "armies", largest, expected, "units are too many")
        for _, unit in self.units:
            if len(unit.models) > self.space.models - 2:
                expected = f"at most {self.space.models - 2} models in a unit"
                raise ContentError("<battle>", f"units.{unit.name}", len(unit.models), expected, "models are too many")
        arsenals = [[self._arsenal(unit, model) for model in unit.models] for _, unit in self.units]
        hulls = self._hulls()
        jobs = max([1, *(4 * sum(len(a) for a in unit) for unit in arsenals)])
        for row, carriers in hulls.items():  # and what is fired from a Firing Deck
            transport = self.units[row][1].datasheet.abilities.transport
            deck = transport.firing_deck if transport is not None else 0
            jobs = max(jobs, sum(len(a) for a in arsenals[row]) + deck * len(carriers))
        squadrons = any(len(carriers) > 1 for carriers in hulls.values())
        objectives = len(plan.objectives) + plan.markers
        rules = {**CORE_RULES, **plan.rules}
        terrain = plan.terrain or (np.zeros(0, BLOCK), np.zeros((0, 2), np.float64), np.zeros(0, FEATURE))
        sites = self._sites(rules["terrain"], terrain)
        table = layout(len(self.units), max(1, models), objectives, jobs, plan.script, sites, squadrons)
        buffer = blank(table)
        self._fill_units(table.view(buffer, "units"), table.view(buffer, "players"))
        self._fill_models(table.view(buffer, "units"), table.view(buffer, "models"), arsenals)
        self._fill_objectives(table.view(buffer, "objectives"))
        # what the players place stands nowhere yet
        blocks, corners, features = terrain if not sites else tuple(part[:0] for part in terrain)
        ruleset = RULESETS[plan.ruleset]
        rows = table.view(buffer, "models")
        mask = self.keywords.mask
        abilities = ability_statics(self.units, rows, self.weapons.rows, self.weapons.names, mask)
        statics = {**self._statics(), **abilities, **ruleset.statics(rules), "pieces": terrain, "hulls": hulls}
        return Setup(
            ruleset=ruleset,
            layout=table,
            template=buffer,
            space=self.space,
            length=plan.size[0],
            width=plan.size[1],
            blocks=blocks,
            corners=corners,
            features=features,
            statics=statics,
            names={
                "units": [unit.name for _, unit in self.units],
                "models": [f"{m.type.name} {k + 1}" for _, u in self.units for k, m in enumerate(u.models)],
                "weapons": self.weapons.names,
                "players": list(plan.players),
            },
            rules=rules,
            delegates=ruleset.delegates(rules["detail"], {**ruleset.policies(rules), **plan.delegates}),
            source=plan.source,
            digest=hashlib.sha256(plan.source.encode()).hexdigest(),
            policies=plan.delegates,
            inactive=tuple(
                f"{sheet}: {ability}"
                for sheet, abilities in sorted({u.datasheet.name: u.datasheet.inactive for _, u in self.units}.items())
                for ability in abilities
            ),
        )

    def _hulls(self) -> dict[int, tuple[int, ...]]:
        """By TRANSPORT unit the rows of the models that carry others."""
        return {
            row: tuple(rows[number] for number in carrying(unit.datasheet, unit.models))
            for row, _, unit, rows in with_models(self.units)
            if unit.datasheet.abilities.transport is not None
        }

    def _sites(self, placed_by: str, terrain: tuple[Array, Array, Array]) -> int:
        """How many terrain features the players place."""
        if placed_by not in TERRAIN_PLACED_BY:
            raise ContentError("<battle>", "rules.terrain", placed_by, "one of " + ", ".join(TERRAIN_PLACED_BY))
        sites = len(terrain[2]) if placed_by == "players" else 0
        if sites > self.space.numbers:
            expected = f"at most {self.space.numbers} that the players place"
            raise ContentError("<battle>", "battlefield.features", sites, expected, "features are too many")
        return sites

    def _statics(self) -> dict[str, Any]:
        plan, weapons = self.plan, self.weapons
        edition = cast(Edition, RULESETS[plan.ruleset])
        table = np.concatenate(weapons.rows) if weapons.rows else np.zeros(0, WEAPON)
        arsenal = np.array(self.arsenal, ARSENAL) if self.arsenal else np.zeros(0, ARSENAL)
        marker = plan.marker_diameter_mm / INCH / 2
        can_lead: dict[int, tuple[int, ...]] = {}
        cargo: dict[int, tuple[int, int, tuple[tuple[int, int], ...]]] = {}
        leads, reserves = [], []
        for row, (player, unit) in enumerate(self.units):
            base = self.first_unit[player]
            transport = unit.datasheet.abilities.transport
            if transport is not None:
                wide = tuple((self.keywords.bit(name), places) for name, places in transport.places.items())
                cargo[row] = (self.keywords.mask(transport.allowed), self.keywords.mask(transport.excluded), wide)
            names = unit.datasheet.abilities.leader
            # a unit has the keywords of its models (w10.concepts.keywords.model-or-unit)
            if names and any(unit.datasheet.model_has(model.type, "CHARACTER") for model in unit.models):
                can_lead[row] = tuple(
                    base + k for k, other in enumerate(plan.armies[player]) if other.datasheet.name in names
                )
            if unit.leads is not None:
                leads.append((row, base + unit.leads))
            if unit.reserves is not None:
                reserves.append((row, RESERVES[unit.reserves]))
        return {
            "limits": move_limits(edition, *plan.size, marker),
            "weapons": table,
            "arsenal": arsenal,
            "arsenal_weapon": [weapon for weapon, _ in self.arsenal],
            "weapon_abilities": [int(row["abilities"]) for row in table],
            **zone_statics(edition, (corners_of(plan.zones[0]), corners_of(plan.zones[1])), *plan.size),
            "can_lead": can_lead,
            "cargo": cargo,
            "firing_deck": {
                row: transport.firing_deck
                for row, (_, unit) in enumerate(self.units)
                if (transport := unit.datasheet.abilities.transport) and transport.firing_deck
            },
            "leads": tuple(leads),
            "reserves": tuple(reserves),
            "rosters": tuple([roster_entry(unit) for unit in army] for army in plan.armies),
            "hover": tuple(row for row, (_, unit) in enumerate(self.units) if unit.hover),
            "scout_distance": [unit.datasheet.abilities.scouts or 0.0 for _, unit in self.units],
            "timed": tuple(plan.timed),
            "keyword_bits": dict(self.keywords.bits),
            "immobile": any(model.type.M == 0 for _, unit in self.units for model in unit.models),
        }

    def _arsenal(self, unit: MusteredUnit, model: MusteredModel) -> list[tuple[int, int]]:
        """(weapon profile, slot) of everything the model carries; each weapon is a slot of its own unless told."""
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

    def _fill_units(self, units: Array, players: Array) -> None:
        for player in (0, 1):
            players[player]["first_unit"] = self.first_unit[player]
            players[player]["units"] = len(self.plan.armies[player])
        first = 0
        for row, (player, unit) in enumerate(self.units):
            r, sheet = units[row], unit.datasheet
            r["owner"], r["first"], r["count"] = player, first, len(unit.models)
            r["alive"] = r["strength"] = r["own_strength"] = len(unit.models)
            r["points"] = unit.points
            r["capacity"] = sheet.abilities.transport.capacity if sheet.abilities.transport else 0
            if unit.embarked_in is not None:
                r["carrier"] = self.first_unit[player] + unit.embarked_in
            first += len(unit.models)

    def _fill_models(self, units: Array, models: Array, arsenals: list[list[list[tuple[int, int]]]]) -> None:
        row = 0
        for number, (player, unit) in enumerate(self.units):
            sheet = unit.datasheet
            own = self.keywords.mask([*sheet.keywords, *sheet.faction_keywords])
            flags = model_flags(sheet)
            union = 0
            warlord = row + unit.warlord_model if unit.warlord else -1
            for model, entries in zip(unit.models, arsenals[number], strict=True):
                r, kind = models[row], model.type
                r["half_a"], r["half_b"] = kind.base.halves
                r["shape"] = CIRCLE if kind.base.circle_mm else OVAL if kind.base.oval_mm else RECT
                square = kind.base.hull_in is not None
                r["radius"] = np.hypot(r["half_a"], r["half_b"]) if square else max(r["half_a"], r["half_b"])
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
                union |= keywords
                r["keywords"], r["flags"] = keywords, flags
                if sheet.abilities.deadly_demise:
                    _amount(r, "demise", sheet.abilities.deadly_demise)
                r["first_weapon"], r["weapons"], r["profile"] = len(self.arsenal), len(entries), row
                self.arsenal += entries
                row += 1
            units[number]["keywords"], units[number]["flags"] = union, flags

    def _fill_objectives(self, objectives: Array) -> None:
        for row, (x, y) in enumerate(self.plan.objectives):
            objectives[row]["x"], objectives[row]["y"], objectives[row]["placed"] = x, y, 1
        objectives["radius"] = self.plan.marker_diameter_mm / INCH / 2


def compile_plan(plan: Plan) -> Setup:
    """The frozen Setup of a plan.

    Raises:
        ContentError: more units, models or keywords than the tables hold.
    """
    return _Compiler(plan).run()
