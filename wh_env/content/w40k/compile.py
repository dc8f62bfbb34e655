"""Compiles fielded armies of a 40k edition to a ``Setup``.

This module holds the parts that all editions share; the plan hands over the edition.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from wh_env.content.errors import ContentError
from wh_env.content.fields import INCH, Amount
from wh_env.content.w40k.load import LoadedBattle, source_of
from wh_env.content.w40k.rules import NO_RULES, OwnRules, checked_rules
from wh_env.content.w40k.schema import FEATURE_KINDS, Base, OtherAbility
from wh_env.content.w40k.terrain import compile_terrain
from wh_env.content.w40k.weapons import Weapon, WeaponProfile
from wh_env.core.actions import ActionSpace
from wh_env.core.setup import Delegate, Setup
from wh_env.core.tables import BLOCK, CIRCLE, DESTROYED, FEATURE, OVAL, RECT, Array
from wh_env.rulesets.w40k.ability.candidates import choice_rows
from wh_env.rulesets.w40k.ability.data import Ends, by_moment
from wh_env.rulesets.w40k.attack.abilities import BEARERS, SAVES, WOUNDS
from wh_env.rulesets.w40k.deploy.zones import zone_statics
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.keywords import singular
from wh_env.rulesets.w40k.profiles import ARSENAL, FIRST_FREE_KEYWORD, WEAPON, Keyword, WeaponAbility
from wh_env.rulesets.w40k.psychic.data import PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.psychic.state import psychic_statics
from wh_env.rulesets.w40k.questions.move_limits import move_limits
from wh_env.rulesets.w40k.tables import blank, layout

RESERVES = {None: 0, "deep-strike": 1, "strategic": 2}
WAITING = tuple(kind for kind in RESERVES if kind is not None)
SUMMONED = "summoned"  # it is in no army until a rule adds it to one
TERRAIN_PLACED_BY = ("layout", "players")
MOST_PROFILES = 64  # bits of the column ``spent``

Arsenals = list[list[list[tuple[int, int]]]]  # by unit and model: weapon profile and slot of everything it carries


class Named(Protocol):
    """A type of model."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def span_in(self) -> tuple[float, float] | None:
        """Length and width in inches of a box round all its parts, if they reach beyond its base; else None."""


class FieldedModel(Protocol):
    """A model of a unit."""

    @property
    def type(self) -> Named:
        """Its type."""


class FieldedUnit(Protocol):
    """A unit that takes part, in any edition.

    ``leads`` and ``embarked_in`` are indices of units of the same army.
    """

    @property
    def name(self) -> str:
        """Its own name."""

    @property
    def points(self) -> int:
        """Its points."""

    @property
    def models(self) -> Sequence[FieldedModel]:
        """Its models, in the order of their rows."""

    @property
    def leads(self) -> int | None:
        """Index of the unit that it starts attached to."""

    @property
    def embarked_in(self) -> int | None:
        """Index of the TRANSPORT that it starts in."""

    @property
    def reserves(self) -> str | None:
        """The rule by which it starts in Reserves: a key of ``RESERVES``, or ``SUMMONED``."""

    @property
    def splits(self) -> int:
        """The number of its models that can become a unit of their own, with a spare row; 0: none."""


U = TypeVar("U", bound=FieldedUnit)


@dataclass(frozen=True)
class Plan(Generic[U]):
    """All data that a Setup is compiled from.

    ``zones`` are the Attacker's and the Defender's, convex polygons in inches.
    """

    edition: Edition
    size: tuple[float, float]
    armies: tuple[Sequence[U], Sequence[U]]
    zones: tuple[Sequence[tuple[float, float]], Sequence[tuple[float, float]]]
    terrain: tuple[Array, Array, Array] | None = None
    objectives: Sequence[tuple[float, float]] = ()
    markers: int = 0  # to be placed by the players
    marker_diameter_mm: float = 40.0
    rules: Mapping[str, Any] = field(default_factory=dict)
    timed: Sequence[Any] = ()
    psychic: Mapping[int, PsychicProfile] = field(default_factory=dict)  # by unit row
    psychic_actions: Sequence[PsychicPower] = ()
    actions: Sequence[Any] = ()  # that units may perform, as the edition knows them
    delegates: Mapping[str, Delegate] = field(default_factory=dict)
    players: tuple[str, str] = ("player 0", "player 1")
    script: int = 1
    source: str = ""
    declared: Sequence[str] = ()  # rules of its armies that are declared and not played
    army_rules: Sequence[Sequence[OtherAbility]] = ()  # by player, where armies have some


def battle_plan(
    edition: Edition,
    loaded: LoadedBattle[Any, Any],
    rules: Mapping[str, Any],
    delegates: Mapping[str, Delegate],
    numbers: Mapping[str, Any],
    own_rules: OwnRules = NO_RULES,
    beside: Sequence[str] = (),
) -> Plan[Any]:
    """The plan that a loaded battle compiles from.

    Args:
        edition, loaded, delegates: the edition that plays the battle, the battle, and its delegates.
        rules: rules that override those of the battle.
        numbers: numbers of its mission that other editions lack.
        own_rules: rules of the edition that other editions lack.
        beside: attributes of a mustered army that are written out beside its datasheets.
    """
    units = first_rows([*(army.units for army in loaded.armies), ()])[-1]
    rules = checked_rules(edition, edition.core_rules, rules, own=own_rules, units=units)
    mission, field = loaded.mission, loaded.battlefield
    markers = mission.markers
    by_players = rules.get("markers", "layout" if field.objectives else markers.placed_by) == "players"
    own: dict[str, Any] = {
        "detail": loaded.config.detail,
        "rounds": mission.rounds,
        "marker_range": markers.range_in,
        "marker_vertical": markers.range_vertical_in,
        "marker_from_edge": markers.from_edges_in,
        "marker_from_marker": markers.apart_in,
        "attacker": -1 if loaded.config.attacker is None else loaded.config.attacker,
        **numbers,
    }
    return Plan(
        edition=edition,
        size=field.size,
        armies=(loaded.armies[0].units, loaded.armies[1].units),
        zones=(loaded.zones.attacker, loaded.zones.defender),
        terrain=compile_terrain(field, types=edition.terrain),
        objectives=() if by_players else field.objectives,
        markers=markers.number if by_players else 0,
        marker_diameter_mm=markers.diameter_mm,
        rules={**own, **{k: v for k, v in rules.items() if k != "markers"}},
        delegates=delegates,
        players=(loaded.armies[0].army.name, loaded.armies[1].army.name),
        source=source_of(loaded, rules, beside),
    )


def engagement_across(plan: Plan[Any]) -> float:
    """Inches that Engagement Range reaches across areas of the battlefield; 0 if there is no such area."""
    return float(plan.terrain[0]["engage"].max(initial=0.0)) if plan.terrain is not None else 0.0


def with_models(units: Sequence[tuple[int, U]]) -> Iterator[tuple[int, int, U, range]]:
    """Yield row, player, unit and model rows of each unit."""
    first = 0
    for row, (player, unit) in enumerate(units):
        yield row, player, unit, range(first, first + len(unit.models))
        first += len(unit.models)


def spare_rows(army: Sequence[U]) -> list[U]:
    """An empty unit for each unit of an army that can split."""
    nothing: dict[str, Any] = {
        "models": (),
        "points": 0,
        "leads": None,
        "embarked_in": None,
        "reserves": None,
        "splits": 0,
    }
    found: list[Any] = [
        replace(unit, name=f"{unit.name}, second part", warlord=False, **nothing)  # type: ignore[type-var]
        for unit in army
        if unit.splits
    ]
    return found


def first_rows(armies: Sequence[Sequence[FieldedUnit]]) -> tuple[int, ...]:
    """The row of the first unit of each army; spare rows follow the units of their army."""
    rows = [0]
    for army in armies:
        rows.append(rows[-1] + len(army) + sum(unit.splits > 0 for unit in army))
    return tuple(rows[:-1])


def corners_of(polygon: Sequence[tuple[float, float]]) -> Array:
    """A polygon as an array of its corners, shape (n, 2)."""
    return np.array(polygon, np.float64).reshape(-1, 2)


class KeywordBits:
    """Bits of keywords: fixed bits for keywords that rules name, free bits for the rest."""

    def __init__(self, strange: Collection[Keyword] = ()) -> None:
        self.bits = {k.name: int(k) for k in Keyword if k.name and k not in strange}
        self.known = {singular(name): bit for name, bit in self.bits.items()}
        self.next = FIRST_FREE_KEYWORD

    def bit(self, keyword: str) -> int:
        """The bit of a keyword, in any case, singular or plural."""
        name = singular(keyword)
        if name not in self.known:
            if self.next == 64:
                raise ContentError("<battle>", "armies", keyword, "at most 40 keywords beyond those of the core rules")
            self.bits[name] = self.known[name] = 1 << self.next
            self.next += 1
        return self.known[name]

    def mask(self, names: Sequence[str]) -> int:
        """The bits of several keywords."""
        total = 0
        for name in names:
            total |= self.bit(name)
        return total


class WeaponTable:
    """The table of weapon profiles of a battle; equal profiles share one row."""

    def __init__(self, keywords: KeywordBits) -> None:
        self.keywords = keywords
        self.rows: list[Array] = []
        self.names: list[str] = []
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
        fill_amount(r, "attacks", profile.A)
        fill_amount(r, "damage", profile.D)
        fill_amount(r, "sustained", profile.amount(WeaponAbility.SUSTAINED_HITS))
        fill_amount(r, "strength", profile.S)
        fill_amount(r, "rapid_fire", profile.amount(WeaponAbility.RAPID_FIRE))
        fill_amount(r, "melta", profile.amount(WeaponAbility.MELTA))
        r["skill"], r["ap"] = profile.skill, profile.AP
        for rule in profile.abilities:
            if rule.keyword is not None:
                r["anti"][rule.value] |= self.keywords.bit(rule.keyword)
        if profile.flags & (WeaponAbility.SUSTAINED_HITS | WeaponAbility.LETHAL_HITS):
            r["hit_trigger"] = 6
        r["profile_of"] = at
        self.rows.append(row)
        self.names.append(f"{name} ({profile.name or at + 1})" if count > 1 else name)
        return len(self.rows) - 1


def fill_amount(row: Any, prefix: str, amount: Amount) -> None:
    """Write dice, sides and plus of an amount into the columns with this prefix."""
    row[f"{prefix}_dice"], row[f"{prefix}_sides"], row[f"{prefix}_plus"] = amount.dice, amount.sides, amount.plus


def fill_base(row: Any, base: Base) -> None:
    """Write the base or hull of a model into its columns."""
    row["half_a"], row["half_b"] = base.halves
    row["shape"] = CIRCLE if base.circle_mm else OVAL if base.oval_mm else RECT
    square = base.hull_in is not None
    row["radius"] = np.hypot(row["half_a"], row["half_b"]) if square else max(row["half_a"], row["half_b"])


class Compiler(ABC, Generic[U]):
    """Compiles one plan; subclasses of editions read their datasheets."""

    def __init__(self, plan: Plan[U]) -> None:
        self.plan = plan
        self.keywords = KeywordBits(plan.edition.strange_keywords)
        self.weapons = WeaponTable(self.keywords)
        self.arsenal: list[tuple[int, int]] = []
        self.armies = tuple([*army, *spare_rows(army)] for army in plan.armies)
        self.units: list[tuple[int, U]] = [(p, unit) for p in (0, 1) for unit in self.armies[p]]
        self.first_unit = first_rows(plan.armies)
        # spare rows, each with the unit that may split
        self.spares: dict[int, int] = {}
        for first, army, every in zip(self.first_unit, plan.armies, self.armies, strict=True):
            whole = [first + at for at, unit in enumerate(army) if unit.splits]
            self.spares |= dict(zip(range(first + len(army), first + len(every)), whole, strict=True))
        self.space = ActionSpace()

    # ---- for editions to define

    @abstractmethod
    def arsenals(self) -> Arsenals:
        """The arsenal of each model; enters the weapon profiles in ``weapons``."""

    @abstractmethod
    def fill_models(self, units: Array, models: Array, arsenals: Arsenals) -> None:
        """Fill the model rows, keywords and flags of units, and ``arsenal``."""

    def fill_units(self, units: Array) -> None:
        """Fill the unit rows, except keywords and flags."""
        for row, player, unit, rows in with_models(self.units):
            r = units[row]
            r["owner"], r["first"], r["count"] = player, rows.start, len(rows)
            r["alive"] = r["strength"] = r["own_strength"] = len(rows)
            r["points"] = unit.points
            if unit.embarked_in is not None:
                r["carrier"] = self.first_unit[player] + unit.embarked_in
        for spare, whole in self.spares.items():
            # its models will be some of these
            units[spare]["first"], units[spare]["count"] = units[whole]["first"], units[whole]["count"]
            units[spare]["place"] = DESTROYED

    def hulls(self) -> dict[int, tuple[int, ...]]:
        """The rows of the models that carry others, by TRANSPORT unit row."""
        return {}

    def jobs(self, arsenals: Arsenals, hulls: Mapping[int, tuple[int, ...]]) -> int:
        """The most groups of attacks that one unit declares at once."""
        return max([1, *(4 * sum(len(a) for a in unit) for unit in arsenals)])

    def statics(self, models: Array) -> dict[str, Any]:
        """Frozen tables; ``models`` are the model rows at the start."""
        plan, weapons = self.plan, self.weapons
        table = np.concatenate(weapons.rows) if weapons.rows else np.zeros(0, WEAPON)
        units = list(enumerate(self.units))
        return {
            "limits": move_limits(
                plan.edition, *plan.size, plan.marker_diameter_mm / INCH / 2, engagement_across(plan)
            ),
            "weapons": table,
            "arsenal": np.array(self.arsenal, ARSENAL) if self.arsenal else np.zeros(0, ARSENAL),
            "arsenal_weapon": [weapon for weapon, _ in self.arsenal],
            "weapon_abilities": [int(row["abilities"]) for row in table],
            **zone_statics(plan.edition, (corners_of(plan.zones[0]), corners_of(plan.zones[1])), *plan.size),
            "leads": tuple(
                (row, self.first_unit[player] + unit.leads) for row, (player, unit) in units if unit.leads is not None
            ),
            "reserves": tuple((row, RESERVES[unit.reserves]) for row, (_, unit) in units if unit.reserves in WAITING),
            "summoned": tuple(row for row, (_, unit) in units if unit.reserves == SUMMONED),
            "degrading": (),  # rows of models with a damage table
            "explosions": {},  # by row of a datasheet its own ``Demise``
            "timed": tuple(plan.timed),
            "choices": (),  # of abilities
            "choice_rows": choice_rows(()),
            "mark_ends": Ends(),
            "choice_moments": by_moment(()),  # their numbers
            "mark_names": {},  # by mark the choice or option that it stands for
            "marks_hits": False,  # whether units that attacks hit are marked
            "actions": tuple(plan.actions),
            **psychic_statics(plan.psychic, plan.psychic_actions, plan.edition.effects),
            "keyword_bits": {**self.keywords.known, **self.keywords.bits},
            "splits": {whole: (spare, self.units[whole][1].splits) for spare, whole in self.spares.items()},
            "spares": dict(self.spares),
            "spans": {
                row: (model.type.span_in[0] / 2, model.type.span_in[1] / 2)
                for _, _, unit, rows in with_models(self.units)
                for row, model in zip(rows, unit.models, strict=True)
                if model.type.span_in is not None
            },
        }

    def share(self, statics: dict[str, Any]) -> dict[str, Any]:
        """The statics with the psychic powers and protections of units copied to their spare rows."""
        for spare, whole in self.spares.items():
            statics["guarded"][spare] = statics["guarded"][whole]
            for name in ("psychic_profiles", "psychic_known", "known_powers"):
                if whole in statics.get(name, {}):
                    statics[name][spare] = statics[name][whole]
        return statics

    def inactive(self) -> tuple[str, ...]:
        """Abilities that datasheets declare and that are not played."""
        return ()

    # ---- shared by all editions

    def run(self) -> Setup:
        """The frozen Setup.

        Raises:
            ContentError: more units, models or keywords than the tables hold.
        """
        plan, edition = self.plan, self.plan.edition
        models = sum(len(unit.models) for _, unit in self.units)
        self._check_sizes()
        arsenals, hulls = self.arsenals(), self.hulls()
        rules = {**plan.edition.core_rules, **plan.rules}
        terrain = plan.terrain or (np.zeros(0, BLOCK), np.zeros((0, 2), np.float64), np.zeros(0, FEATURE))
        sites = self._sites(rules["terrain"], terrain)
        table = layout(
            len(self.units),
            max(1, models),
            len(plan.objectives) + plan.markers,
            self.jobs(arsenals, hulls),
            plan.script,
            sites,
            any(len(carriers) > 1 for carriers in hulls.values()),
            plan.edition.tables(len(self.units), max(1, models)),
        )
        buffer = blank(table)
        rows = table.view(buffer, "models")
        self._fill_players(table.view(buffer, "players"))
        self.fill_units(table.view(buffer, "units"))
        self.fill_models(table.view(buffer, "units"), rows, arsenals)
        for spare, whole in self.spares.items():
            for column in ("keywords", "flags"):
                table.view(buffer, "units")[column][spare] = table.view(buffer, "units")[column][whole]
        self._fill_objectives(table.view(buffer, "objectives"))
        statics = self.share(self.statics(rows))
        self._remove_summoned(statics["summoned"], table.view(buffer, "units"), rows)
        self._apply_powers(statics["powers"], rows)
        # features that players place have no place yet
        blocks, corners, features = terrain if not sites else tuple(part[:0] for part in terrain)
        return Setup(
            ruleset=edition,
            layout=table,
            template=buffer,
            space=self.space,
            length=plan.size[0],
            width=plan.size[1],
            blocks=blocks,
            corners=corners,
            features=features,
            statics={**statics, **edition.statics(rules, engagement_across(plan)), "pieces": terrain, "hulls": hulls},
            names=self._names(),
            rules=rules,
            delegates=edition.delegates(rules["detail"], {**edition.policies(rules), **plan.delegates}),
            source=plan.source,
            digest=hashlib.sha256(plan.source.encode()).hexdigest(),
            policies=plan.delegates,
            inactive=self.inactive(),
        )

    def _names(self) -> dict[str, list[str]]:
        """The names of rows, by table."""
        return {
            "units": [unit.name for _, unit in self.units],
            "models": [f"{m.type.name} {k + 1}" for _, u in self.units for k, m in enumerate(u.models)],
            "weapons": self.weapons.names,
            "players": list(self.plan.players),
            "terrain": list(FEATURE_KINDS),
        }

    def _remove_summoned(self, summoned: Sequence[int], units: Array, models: Array) -> None:
        """Units that a rule may add later count as destroyed."""
        for row in summoned:
            unit = units[row]
            unit["alive"] = unit["strength"] = 0
            unit["place"] = DESTROYED
            absent = models[unit["first"] : unit["first"] + unit["count"]]
            absent["alive"] = absent["wounds"] = 0

    def _apply_powers(self, powers: Mapping[str, Any], models: Array) -> None:
        """Enter what abilities that hold for the whole battle change in the rows of their bearers."""
        for power in powers["bearers"]:
            models["flags"][list(power.models)] |= np.uint64(BEARERS[power.effect])
        for power in powers["saves"]:
            models["save"][list(power.models)] = np.minimum(models["save"][list(power.models)], SAVES[power.effect])
        for power in powers["mustered wounds"]:
            models["wounds"][list(power.models)] = models["max_wounds"][list(power.models)] = WOUNDS[power.effect]

    def _check_sizes(self) -> None:
        largest = max((len(army) for army in self.armies), default=0)
        if largest > self.space.units:
            expected = f"at most {self.space.units} units in an army"
            raise ContentError("<battle>", "armies", largest, expected, "units are too many")
        for _, unit in self.units:
            if len(unit.models) > self.space.models - 2:
                expected = f"at most {self.space.models - 2} models in a unit"
                raise ContentError("<battle>", f"units.{unit.name}", len(unit.models), expected, "models are too many")

    def _sites(self, placed_by: str, terrain: tuple[Array, Array, Array]) -> int:
        """The number of terrain features that the players place."""
        if placed_by not in TERRAIN_PLACED_BY:
            raise ContentError("<battle>", "rules.terrain", placed_by, "one of " + ", ".join(TERRAIN_PLACED_BY))
        sites = len(terrain[2]) if placed_by == "players" else 0
        if sites > self.space.numbers:
            expected = f"at most {self.space.numbers} that the players place"
            raise ContentError("<battle>", "battlefield.features", sites, expected, "features are too many")
        return sites

    def _fill_players(self, players: Array) -> None:
        for player in (0, 1):
            players[player]["first_unit"] = self.first_unit[player]
            players[player]["units"] = len(self.armies[player])

    def _fill_objectives(self, objectives: Array) -> None:
        for row, (x, y) in enumerate(self.plan.objectives):
            objectives[row]["x"], objectives[row]["y"], objectives[row]["placed"] = x, y, 1
        objectives["radius"] = self.plan.marker_diameter_mm / INCH / 2
