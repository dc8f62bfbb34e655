"""Reading the Epic-scale game's YAML files and checking them against each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from wh_env.content.epic.drawing import Pools, drawn, is_drawn
from wh_env.content.epic.schema import MOST_UNITS, Army, Battle, Battlefield, FormationEntry, Random, Rules, Sheet
from wh_env.content.errors import ContentError, unknown
from wh_env.content.geometry import Points, convex_pieces, counter_clockwise, fault_of_polygon, inside, overlap
from wh_env.content.load import (
    Source,
    config_root,
    display,
    load_content,
    merge,
    names,
    raw_battle,
    read_yaml,
    validate,
)

RULESET = "epic"
RULES = "rules.yaml"


@dataclass(frozen=True)
class Placed:
    """A terrain feature where it stands, cut into convex pieces (counter-clockwise)."""

    kind: str
    outline: Points
    pieces: list[Points]


@dataclass(frozen=True)
class LoadedArmy:
    """An army with its sheet."""

    army: Army
    sheet: Sheet


@dataclass(frozen=True)
class LoadedEpicBattle:
    """A battle with all content that its names refer to, checked against each other."""

    config: Battle
    rules: Rules
    battlefield: Battlefield
    features: tuple[Placed, ...]
    armies: tuple[LoadedArmy, LoadedArmy]

    @property
    def size(self) -> tuple[float, float]:
        """Length and width of the table, cm."""
        return self.battlefield.size or self.rules.table_cm


def load_rules(overrides: Mapping[str, Any] | None = None, file: str = "<rules>") -> Rules:
    """The rules of ``configs/epic/rules.yaml`` with ``overrides`` (nested mappings are merged)."""
    path = config_root() / RULESET / RULES
    raw = read_yaml(path)
    return validate(Rules, merge(raw, overrides) if overrides else raw, file if overrides else display(path))


def load_sheet(source: Source) -> Sheet:
    """The reference sheet of an army."""
    return load_content(Sheet, "factions", source, RULESET)


def load_army(source: Source, file: str = "<call>", field: str = "") -> LoadedArmy:
    """An army, checked against its sheet: squads of infantry or single vehicles of known cards."""
    army = load_content(Army, "armies", source, RULESET, file, field)
    sheet = load_content(Sheet, "factions", army.sheet, RULESET, army.source, "sheet")
    for at, entry in enumerate(army.formations):
        place = f"formations[{at}].units"
        for card in entry.units:
            if card not in sheet.cards:
                raise unknown(army.source, place, card, sheet.cards)
        vehicles = sum(number for card, number in entry.units.items() if sheet.cards[card].is_vehicle)
        if vehicles and entry.size > 1:
            raise ContentError(army.source, place, entry.units, "a squad of infantry or a single vehicle", "is neither")
        if entry.size > MOST_UNITS:
            raise ContentError(army.source, place, entry.size, f"at most {MOST_UNITS} units", "units are too many")
    return LoadedArmy(army, sheet)


def formations_at_hand() -> Pools:
    """For each army sheet: the formations of the list of it with the most formations; armies are drawn from them."""
    found: dict[str, tuple[Sheet, tuple[FormationEntry, ...]]] = {}
    for name in names("armies", RULESET):
        loaded = load_army(name)
        sheet, formations = loaded.army.sheet, loaded.army.formations
        if isinstance(sheet, str) and (sheet not in found or len(formations) > len(found[sheet][1])):
            found[sheet] = (loaded.sheet, formations)
    return found


def load_battlefield(source: Source, file: str = "<call>", field: str = "") -> Battlefield:
    """A battlefield, checked against its schema only; ``placed`` checks it against the rules."""
    return load_content(Battlefield, "battlefields", source, RULESET, file, field)


def placed(battlefield: Battlefield, rules: Rules) -> tuple[Placed, ...]:
    """The features of a battlefield, checked: their kinds are known, they lie on the table and do not overlap."""
    file = battlefield.source
    length, width = battlefield.size or rules.table_cm
    found: list[Placed] = []
    for at, feature in enumerate(battlefield.features):
        field = f"features[{at}]"
        if feature.kind not in rules.terrain:
            raise unknown(file, f"{field}.kind", feature.kind, rules.terrain)
        fault = fault_of_polygon(feature.polygon)
        if fault:
            expected = "a simple polygon with an area"
            raise ContentError(file, f"{field}.polygon", [list(p) for p in feature.polygon], expected, fault)
        outlines = [list(feature.polygon)]
        if feature.mirror:
            outlines.append([(length - x, width - y) for x, y in feature.polygon])
        for points in outlines:
            outline = counter_clockwise(points)
            if any(x < 0 or y < 0 or x > length or y > width for x, y in outline):
                expected = f"a place on the {length:g} x {width:g} table"
                raise ContentError(file, f"{field}.polygon", [list(p) for p in outline], expected, "leaves the table")
            item = Placed(feature.kind, outline, convex_pieces(outline))
            for other in found:
                if rules.terrain[item.kind].carries or rules.terrain[other.kind].carries:
                    continue
                if any(overlap(a, b) > 1e-3 for a in item.pieces for b in other.pieces):
                    expected = "features that do not overlap"
                    raise ContentError(file, field, feature.kind, expected, f"overlaps a feature of kind {other.kind}")
            found.append(item)
    for at, (x, y) in enumerate(battlefield.objectives):
        if not (0 <= x <= length and 0 <= y <= width):
            expected = f"a place on the {length:g} x {width:g} table"
            raise ContentError(file, f"objectives[{at}]", [x, y], expected, "leaves the table")
        for item in found:
            if rules.terrain[item.kind].infantry == "impassable" and any(inside(p, (x, y)) for p in item.pieces):
                expected = "a place that infantry can reach"
                raise ContentError(file, f"objectives[{at}]", [x, y], expected, f"lies in {item.kind}")
    return tuple(found)


def load_battle(source: Source, overrides: Mapping[str, Any] | None = None) -> LoadedEpicBattle:
    """A battle by name (``epic/river-crossing``), path or dict.

    Args:
        source: name, path or dict. A name or path may end in ``?`` and options for drawing the ``random`` parts:
            ``epic/random-company?seed=7``.
        overrides: fields that replace those of the file; nested mappings are merged.

    Raises:
        ContentError: a file is not valid, or options for drawing are given and nothing is ``random``.
    """
    raw, file = raw_battle(source, overrides)
    config = validate(Battle, raw, file)
    rules = load_rules(config.rules, f"{file}: rules")
    if is_drawn(config):
        how = config.random or Random()
        config = drawn(config, rules, formations_at_hand(), file, np.random.default_rng(how.drawn))
    elif config.random is not None:
        expected = "a battlefield or an army that is random"
        raise ContentError(file, "random", raw["random"], expected, "has nothing to draw")
    battlefield = load_battlefield(config.battlefield, file, "battlefield")
    features = placed(battlefield, rules)
    armies = tuple(load_army(entry, file, f"armies[{at}]") for at, entry in enumerate(config.armies))
    return LoadedEpicBattle(config, rules, battlefield, features, (armies[0], armies[1]))
