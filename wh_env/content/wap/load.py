"""Reads the YAML files of the game of regiments and checks them against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from wh_env.content.errors import ContentError, together, unknown
from wh_env.content.fields import Content
from wh_env.content.geometry import Points, convex_pieces, counter_clockwise, fault_of_polygon, overlap
from wh_env.content.load import (
    Source,
    config_root,
    display,
    from_file,
    load_content,
    merge,
    read_yaml,
    validate,
)
from wh_env.content.wap.alliances import Party, check_alignment
from wh_env.content.wap.armoury import Armoury, Weapons
from wh_env.content.wap.drawn_mission import FACES
from wh_env.content.wap.fords import beside_crossings
from wh_env.content.wap.item_files import known_items
from wh_env.content.wap.item_limits import faults_of_uniqueness
from wh_env.content.wap.machinery import Machines
from wh_env.content.wap.muster import faults_of_entry
from wh_env.content.wap.placing import Placing, place_all, who_begins
from wh_env.content.wap.schema_battle import Battle, Battlefield, Feature, Mission, Rules, Tower
from wh_env.content.wap.schema_pieces import Pieces
from wh_env.content.wap.schema_terrain import KINDS, Terrain
from wh_env.content.wap.schema_units import RIDDEN, Ally, Army, Card, OneArmy, Sheet, TroopTypes
from wh_env.content.wap.spells import load_lore
from wh_env.rulesets.wap.basics.garrisons import rectangle_of
from wh_env.rulesets.wap.basics.ground import NOTHING, Traits
from wh_env.rulesets.wap.rule_book import HIDDEN
from wh_env.rulesets.wap.weapons.arms import Piece, Weapon
from wh_env.rulesets.wap.weapons.machines import Machine

RULESET = "wap"
DRAWS_GROUND = 1  # the stream of chance that draws battlefields
TOWER = Tower(storeys=2, size=(4.0, 4.0))  # on drawn tables, for missions that ask for a feature and describe none
SHOOTERS = 5  # that a storey of a building has room for (wap.building.shooting.five-per-storey)
PLAIN = {  # kinds of ground that have no file, and no examples
    "open": NOTHING,
    "dangerous": Traits(dangerous="everybody"),
    "impassable": Traits(entry="impassable", screen="heavy"),
}
DEEP_WATER = Traits(entry="impassable", water=True)  # impassable ground with ``water``; it lies flat
FEATURES = 31  # bits of ``models.crossed`` in the state
T = TypeVar("T", bound=Content)


@dataclass(frozen=True)
class Placed:
    """A terrain feature where it stands, cut into convex pieces (counter-clockwise)."""

    kind: str
    outline: Points
    pieces: list[Points]
    name: str | None = None
    traits: Traits = NOTHING
    example: str | None = None
    levels: int = 1
    storeys: int = 0
    shooters: int = SHOOTERS
    fords: tuple[tuple[float, list[Points]], ...] = ()  # (width of a crossing, pieces of the river beside it)


@dataclass(frozen=True)
class LoadedArmy:
    """An army with its sheet, and the other armies of its side."""

    army: OneArmy
    sheet: Sheet
    allies: tuple[LoadedArmy, ...] = ()

    @property
    def side(self) -> tuple[LoadedArmy, ...]:
        """All armies of the side, this one first."""
        return (self, *self.allies)

    @property
    def party(self) -> Party:
        """The army as alliances see it."""
        player = self.army.player if isinstance(self.army, Ally) else None
        return Party(self.army.name, self.sheet.book or self.sheet.name, self.sheet.alignment, player or "")


@dataclass(frozen=True)
class LoadedBattle:
    """A battle with all content that its names refer to, checked against each other."""

    config: Battle
    rules: Rules
    battlefield: Battlefield
    mission: Mission
    features: tuple[Placed, ...]
    armies: tuple[LoadedArmy, LoadedArmy]

    @property
    def size(self) -> tuple[float, float]:
        """Length and width of the table, inches."""
        return self.battlefield.size or self.rules.table


def table_of(cls: type[T], name: str) -> T:
    """One of the tables that every battle shares."""
    return from_file(cls, config_root() / RULESET / f"{name}.yaml")


def troop_types() -> TroopTypes:
    """Unit Strength, sight, ranks and bases by troop type."""
    return table_of(TroopTypes, "troop-types")


def weapons() -> Mapping[str, Weapon]:
    """All shared weapons by name."""
    return table_of(Weapons, "weapons").by_name


def armour() -> Mapping[str, Piece]:
    """All armour, by name."""
    return table_of(Armoury, "armour").by_name


def machines() -> Mapping[str, Machine]:
    """All weapons of war machines, by name."""
    return table_of(Machines, "machines").by_name


def load_rules(overrides: Mapping[str, Any] | None = None, file: str = "<rules>") -> Rules:
    """The rules of ``configs/wap/rules.yaml`` with ``overrides`` (nested mappings are merged)."""
    path = config_root() / RULESET / "rules.yaml"
    raw = read_yaml(path)
    return validate(Rules, merge(raw, overrides) if overrides else raw, file if overrides else display(path))


def load_sheet(source: Source, file: str = "<call>", field: str = "") -> Sheet:
    """An army sheet, checked: troop types allow its bases, and its equipment is known."""
    sheet = load_content(Sheet, "factions", source, RULESET, file, field)
    types, shared, pieces = troop_types(), weapons(), armour()
    for name, card in sheet.cards.items():
        row, arms = types.row(card.type), {**shared, **{own.weapon: own.compiled() for own in card.weapons}}
        known = [*arms, *pieces]
        if not row.allows(*card.base_mm):
            listed = ", ".join(f"{a}x{b}" for a, b in row.listed)
            raise ContentError(
                sheet.source,
                f"cards.{name}.base_mm",
                list(card.base_mm),
                f"one of {listed} mm, or larger",
                "is too small",
            )
        for at, item in enumerate(card.equipment):
            if item not in known:
                raise unknown(sheet.source, f"cards.{name}.equipment[{at}]", item, known)
            if item in arms and arms[item].mounted and not card.is_mounted:
                field = f"cards.{name}.equipment[{at}]"
                raise ContentError(sheet.source, field, item, "a weapon for use on foot", "is for riders only")
        for item in card.options:
            if item not in known:
                raise unknown(sheet.source, f"cards.{name}.options", item, known)
            if item in arms and arms[item].mounted and not card.is_mounted:
                field = f"cards.{name}.options"
                raise ContentError(sheet.source, field, item, "a weapon for use on foot", "is for riders only")
        melee = [item for item, arm in arms.items() if not arm.range and (card.is_mounted or not arm.mounted)]
        for item in card.champion_options:
            if item not in melee:
                raise unknown(sheet.source, f"cards.{name}.champion_options", item, melee)
        if HIDDEN.name in card.rules and not card.character:
            raise ContentError(
                sheet.source, f"cards.{name}.rules", HIDDEN.name, "a character", "is a rule of one model"
            )
        check_magic(sheet, name, card)
        if card.machine is not None and card.machine.weapon not in machines():
            raise unknown(sheet.source, f"cards.{name}.machine.weapon", card.machine.weapon, machines())
    check_choices(sheet)
    check_alignment(sheet)
    if sheet.items or sheet.prices:
        known_items(sheet)
    return sheet


def check_magic(sheet: Sheet, name: str, card: Card) -> None:
    """Check that the lores and bound spells of a card are known.

    Raises:
        ContentError: one is not.
    """
    for at, lore in enumerate(card.wizard.lores if card.wizard is not None else ()):
        load_lore(lore, sheet.source, f"cards.{name}.wizard.lores[{at}]")
    for at, bound in enumerate(card.bound):
        spells = [row.name for row in load_lore(bound.lore, sheet.source, f"cards.{name}.bound[{at}].lore").spells]
        if bound.spell not in spells:
            raise unknown(sheet.source, f"cards.{name}.bound[{at}].spell", bound.spell, spells)


def check_choices(sheet: Sheet) -> None:
    """Check that army lists can choose from a sheet.

    Every card has a category, and the mount that a card rides is a card for a mount, not a character.

    Raises:
        ContentError: the first fault, the others in its ``others``.
    """
    mounts = [name for name, card in sheet.cards.items() if card.type in RIDDEN and not card.character]
    faults = []
    for name, card in sheet.cards.items():
        if card.category is None:
            expected = "one of lord, hero, core, special, rare (wap.army.percentages)"
            faults.append(ContentError(sheet.source, f"cards.{name}.category", None, expected, "is no category"))
        if card.rides is not None and card.rides not in mounts:
            faults.append(unknown(sheet.source, f"cards.{name}.rides", card.rides, mounts))
    if faults:
        raise together(faults)


def load_army(source: Source, file: str = "<call>", field: str = "") -> LoadedArmy:
    """An army, checked against its sheet; ``limits.check_lists`` checks the limits of the game.

    Raises:
        ContentError: the first fault, the others in its ``others``.
    """
    army = load_content(Army, "armies", source, RULESET, file, field)
    found = with_sheet(army)
    allies = (
        with_sheet(validate(Ally, ally.model_dump(mode="json", by_alias=True), f"{army.source}: allies[{n}]"))
        for n, ally in enumerate(army.allies)
    )
    return replace(found, allies=tuple(allies))


def with_sheet(army: OneArmy) -> LoadedArmy:
    """An army with its sheet, checked against it.

    Raises:
        ContentError: the first fault, the others in its ``others``.
    """
    sheet = load_sheet(army.sheet, army.source, "sheet")
    faults = [fault for at in range(len(army.units)) for fault in faults_of_unit(army, sheet, at)]
    faults += faults_of_uniqueness(army)
    if faults:
        raise together(faults)
    return LoadedArmy(army, sheet)


def faults_of_unit(army: OneArmy, sheet: Sheet, at: int) -> Iterator[ContentError]:
    """The faults of a unit of an army, by its card."""
    entry, place = army.units[at], f"units[{at}]"
    card = sheet.cards.get(entry.card)
    if card is None:
        yield unknown(army.source, f"{place}.card", entry.card, sheet.cards)
        return
    for fault in faults_of_entry(entry, card, sheet):
        yield ContentError(army.source, f"{place}.{fault.field}", fault.value, fault.expected, fault.problem)
    if entry.general and HIDDEN.name in card.rules:
        expected = "a General who does not hide (wap.special.hidden.general)"
        yield ContentError(army.source, f"{place}.general", True, expected, f"{entry.card} is Hidden")
    if entry.inside is not None:
        known = {e.name or e.card: sheet.cards.get(e.card) for e in reversed(army.units)}
        hosts = [name for name, found in known.items() if found is not None and not found.character]
        if not card.character or entry.inside not in hosts:
            yield unknown(army.source, f"{place}.in", entry.inside, hosts)


def load_mission(source: Source, file: str = "<call>", field: str = "") -> Mission:
    """A mission."""
    return load_content(Mission, "missions", source, RULESET, file, field)


def load_battlefield(source: Source, file: str = "<call>", field: str = "") -> Battlefield:
    """A battlefield, checked against its schema only; ``placed`` checks the places of features."""
    return load_content(Battlefield, "battlefields", source, RULESET, file, field)


def load_terrain(kind: str, file: str = "<call>", field: str = "") -> Terrain:
    """A kind of ground with its examples.

    Raises:
        ContentError: its file is of another kind.
    """
    found = load_content(Terrain, "terrain", kind, RULESET, file, field)
    if found.kind != kind:
        raise ContentError(found.source, "kind", found.kind, f"{kind}, as the file is called", "is not that")
    return found


def traits_of(feature: Feature, file: str, field: str) -> Traits:
    """What a feature does, by its kind and example.

    Raises:
        ContentError: its kind has no such example.
    """
    examples: Mapping[str, Any] = {}
    if feature.kind in KINDS:
        terrain = load_terrain(feature.kind, file, f"{field}.kind")
        examples = terrain.examples
        traits = NOTHING if feature.example not in (None, *examples) else terrain.traits_of(feature.example)
    else:
        traits = DEEP_WATER if feature.water else PLAIN[feature.kind]
    if feature.example is not None and feature.example not in examples:
        raise unknown(file, f"{field}.example", feature.example, examples)
    return traits if feature.cover is None or traits.screen == "heavy" else replace(traits, screen=feature.cover)


def placed(battlefield: Battlefield, size: tuple[float, float]) -> tuple[Placed, ...]:
    """The features of a battlefield, checked: they lie on the table, and do not overlap but for hills."""
    file = battlefield.source
    found: list[Placed] = []
    for at, feature in enumerate(battlefield.features):
        field = f"features[{at}]"
        fault = fault_of_polygon(feature.polygon)
        if fault:
            expected = "a simple polygon with an area"
            raise ContentError(file, f"{field}.polygon", [list(p) for p in feature.polygon], expected, fault)
        traits = traits_of(feature, file, field)
        for turned in (False, True) if feature.mirror else (False,):
            item = place_of(feature, traits, size, turned, file, field)
            check_place(item, found, size, file, field)
            found.append(item)
    noted = sum(item.traits.noted for item in found)
    if noted > FEATURES:
        expected = f"at most {FEATURES} features that call for Dangerous Terrain tests"
        raise ContentError(file, "features", noted, expected, "features do so")
    return tuple(found)


def place_of(
    feature: Feature, traits: Traits, size: tuple[float, float], turned: bool, file: str, field: str
) -> Placed:
    """A feature where it stands; ``turned``: by half a turn about the centre of the table.

    Raises:
        ContentError: crossings cover all of a river.
    """

    def stands(polygon: Sequence[tuple[float, float]]) -> Points:
        return counter_clockwise([(size[0] - x, size[1] - y) if turned else (x, y) for x, y in polygon])

    outline = stands(feature.polygon)
    pieces = convex_pieces(outline)
    crossings = [(bridge.wide, stands(bridge.polygon)) for bridge in feature.crossings]
    fords = tuple(beside_crossings(pieces, crossings))
    if not all(beside for _, beside in fords):
        expected = "crossings that leave some of the river"
        raise ContentError(file, f"{field}.crossings", len(crossings), expected, "crossings cover all of it")
    own = (feature.example, feature.levels or 1, feature.storeys or 0, feature.shooters or SHOOTERS, fords)
    return Placed(feature.kind, outline, pieces, feature.name, traits, *own)


def check_place(item: Placed, found: Sequence[Placed], size: tuple[float, float], file: str, field: str) -> None:
    """Check that a feature lies on the table and overlaps none of those before it, unless one of both is a hill, and
    that a building is a rectangle.

    Raises:
        ContentError: it does not.
    """
    length, width = size
    if any(x < 0 or y < 0 or x > length or y > width for x, y in item.outline):
        expected = f"a place on the {length:g} x {width:g} table"
        raise ContentError(file, f"{field}.polygon", [list(p) for p in item.outline], expected, "leaves the table")
    if item.storeys and rectangle_of(tuple(item.outline)) is None:
        expected = "a rectangle, or several that are its parts, or `kind: impassable`"
        raise ContentError(file, f"{field}.polygon", [list(p) for p in item.outline], expected, "is no rectangle")
    for other in found:
        if item.traits.lifts or other.traits.lifts:
            continue
        if any(overlap(a, b) > 1e-3 for a in item.pieces for b in other.pieces):
            expected = "features that do not overlap"
            raise ContentError(file, field, item.kind, expected, f"overlaps a feature of kind {other.kind}")


def with_tower(battlefield: Battlefield, mission: Mission, size: tuple[float, float]) -> Battlefield:
    """The battlefield with the tower of the mission in its centre, before all other features, unless it has a feature
    of that name (wap.scenario.watchtower.tower).
    """
    own = prescribed_by(mission, size) if mission.tower else ()
    if any(item.name == tower.name for tower in own for item in battlefield.features):
        return battlefield
    return battlefield.model_copy(update={"features": (*own, *battlefield.features)})


def controlled(mission: Mission, features: Sequence[Placed]) -> int:
    """Row of the terrain feature whose control decides the battle (wap.victory.by-scenario), -1: none does.

    Raises:
        ContentError: the battlefield has no feature of that name, or several.
    """
    if mission.control is None:
        return -1
    name = mission.control.feature
    found = [at for at, item in enumerate(features) if item.name == name]
    if not found:
        named = {item.name for item in features if item.name is not None}
        raise unknown(mission.source, "control.feature", name, named)
    if len(found) > 1:
        raise ContentError(mission.source, "control.feature", name, "the name of one feature", f"names {len(found)}")
    return found[0]


def examples_of(kind: str) -> tuple[str, ...]:
    """The examples of a kind of ground, by name."""
    return tuple(sorted(load_terrain(kind).examples)) if kind in KINDS else ()


def prescribed_by(mission: Mission, size: tuple[float, float]) -> tuple[Feature, ...]:
    """The features that stand on the table before players place others: the tower that the mission is fought over
    (wap.scenario.battlefield).
    """
    control, tower = mission.control, mission.tower or TOWER
    if control is None:
        return ()
    (length, width), (along, across) = size, tower.size
    xs, ys = (0.5 * (length - along), 0.5 * (length + along)), (0.5 * (width - across), 0.5 * (width + across))
    corners = ((xs[0], ys[0]), (xs[1], ys[0]), (xs[1], ys[1]), (xs[0], ys[1]))
    return (Feature(kind="building", name=control.feature, storeys=tower.storeys, polygon=corners),)


def drawn_battlefield(mission: Mission, size: tuple[float, float], seed: int) -> dict[str, Any]:
    """A battlefield laid out at random by two players, as a configuration (wap.battle.terrain.placing)."""
    chance = np.random.default_rng((seed, DRAWS_GROUND))
    first = who_begins(lambda: int(chance.integers(1, FACES + 1)))
    pieces = from_file(Pieces, config_root() / RULESET / "pieces.yaml").pieces
    prescribed = prescribed_by(mission, size)
    table = Placing(size, first, lambda field: placed(field, size), prescribed=prescribed)
    place_all(table, pieces, examples_of, chance)
    return table.battlefield(f"Random {seed}").model_dump(mode="json", by_alias=True, exclude_none=True)
