"""Finding and reading the YAML files. Every loader takes a name, a path or a dict of the same schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import parse_qsl

import numpy as np
from pydantic import ValidationError

from wh_env.content import reading
from wh_env.content.errors import ContentError, from_validation, together, unknown
from wh_env.content.plain import plain
from wh_env.content.w10.muster import Muster, army_faults, muster
from wh_env.content.w10.random_config import AtHand, drawn, draws
from wh_env.content.w10.schema import (
    Army,
    Battle,
    Battlefield,
    BattleSize,
    Content,
    Datasheet,
    Faction,
    Mission,
    Random,
    Terrain,
    Zones,
)
from wh_env.content.w40k.terrain import check_battlefield, check_objectives, deployment_zones, scale_battlefield

Source = str | Path | Mapping[str, Any]
T = TypeVar("T", bound=Content)

MOST_QUERY = 1000
LONGEST_NAME = 200  # of a file
_STEM = re.compile(r"[\w.+ -]{1,120}")
KINDS = ("armies", "battlefields", "battles", "datasheets", "factions", "missions", "terrain")


# ---------------------------------------------------------------- files


@lru_cache(maxsize=1)
def config_root() -> Path:
    """The folder of the shipped configurations: in an installed package, else in the repository."""
    here = Path(__file__).resolve()
    packed = here.parents[1] / "_configs"
    return packed if packed.is_dir() else here.parents[2] / "configs"


def slug(name: str) -> str:
    """The file name of a name: lower case, words joined by hyphens, no apostrophes."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "").replace("’", "")).strip("-")


def rulesets() -> list[str]:
    """Rulesets that have configurations."""
    return sorted(path.name for path in config_root().iterdir() if path.is_dir() and (path / "battles").is_dir())


def names(kind: str, ruleset: str | None = None) -> list[str]:
    """Everything of a kind that is shipped, as ``ruleset/name``."""
    root = config_root()
    found: list[str] = []
    for rules in [ruleset] if ruleset else rulesets():
        found += [f"{rules}/{path.stem}" for path in sorted((root / rules / kind).glob("*.yaml"))]
    return found


def find(
    kind: str, name_or_path: str | Path, ruleset: str | None = None, *, file: str = "<call>", field: str = ""
) -> Path:
    """The file of a configuration.

    Args:
        kind: one of ``KINDS``.
        name_or_path: ``w10/only-war-incursion``, ``only-war-incursion`` or a path to a YAML file, which is relative to the file that it
            stands in (``file``), else to the working directory.
        ruleset: where a name without one is looked for; all rulesets when not given.
        file: where the name stands, for the message.
        field: likewise.

    Raises:
        ContentError: if there is none, or more than one.
    """
    field = field or kind
    if kind not in KINDS:
        raise unknown(file, "kind", kind, KINDS)
    if not isinstance(name_or_path, str | Path):
        raise ContentError(file, field, name_or_path, "a name, a path or a mapping")
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or text.endswith((".yaml", ".yml")):
        path = folder_of(file) / name_or_path
        if not there(path):
            raise ContentError(file, field, text, f"a YAML file that exists ({path})", "does not exist")
        return path
    rules, _, stem = text.rpartition("/")
    choices = [rules] if rules else [ruleset] if ruleset else rulesets()
    root = config_root()
    sound = _STEM.fullmatch(stem) and not set(choices) - set(rulesets())  # names only, no paths
    found = [path for rule in choices if sound and there(path := root / rule / kind / f"{stem}.yaml")]
    if len(found) != 1:
        known = names(kind, None if rules or not ruleset else ruleset)
        if found:
            raise ContentError(file, field, text, "one of " + ", ".join(known), "is in several rulesets")
        raise unknown(file, field, text, known if "/" in text or not ruleset else [k.split("/")[1] for k in known])
    return found[0]


def there(path: Path) -> bool:
    """Whether there is a file of any kind, whatever the path; ``reading`` says what is wrong with one that is not to be read."""
    try:
        return path.exists() and not path.is_dir()
    except (OSError, ValueError):
        return False


def display(path: Path) -> str:
    """The path as messages show it: ``configs/...`` for shipped files."""
    root = config_root()
    try:
        resolved = path.resolve()
    except (OSError, RuntimeError, ValueError):
        return str(path)
    return f"configs/{resolved.relative_to(root).as_posix()}" if resolved.is_relative_to(root) else str(path)


def folder_of(file: str) -> Path:
    """Where paths in a file begin, given as messages show it; the working directory for what stands in no file."""
    name = file.partition(": ")[0]
    for path in (config_root() / name.removeprefix("configs/"), Path(name)):
        if there(path):
            return path.parent
    return Path()


def read_yaml(path: Path) -> Any:
    """What a YAML file says, as plain data; anything that is not YAML, or beyond the limits of ``reading``, is a ContentError with its
    line."""
    return reading.read_yaml(path, display(path))


def validate(cls: type[T], raw: Any, file: str) -> T:
    """``raw`` as an instance of the schema ``cls``, or one ContentError."""
    if not isinstance(raw, Mapping):
        raise ContentError(file, "", raw, f"a mapping with the fields of {cls.__name__}", "is no mapping")
    raw = plain(raw, file)
    try:
        model = cls.model_validate(raw)
    except ValidationError as error:
        raise from_validation(file, error, raw) from None
    model._source = file
    return model


def _from_file(cls: type[T], path: Path) -> T:
    """The content of a file. Shipped files are kept in memory until they are edited: many battles share them."""
    if not path.is_absolute() or not path.is_relative_to(config_root()):
        return validate(cls, read_yaml(path), display(path))
    state = path.stat()
    return cast(T, _shipped(cls, path, state.st_mtime_ns, state.st_size))


@lru_cache(maxsize=1024)
def _shipped(cls: type[Content], path: Path, _time: int, _size: int) -> Content:
    return validate(cls, read_yaml(path), display(path))


def _load(cls: type[T], kind: str, source: Source, ruleset: str | None, file: str = "<call>", field: str = "") -> T:
    if isinstance(source, Mapping):
        inline = f"{file}: {field}" if field else f"<{cls.__name__.lower()}>"
        return validate(cls, source, inline)
    path = find(kind, source, ruleset, file=file, field=field)
    return _from_file(cls, path)


# ---------------------------------------------------------------- one kind each


def load_datasheet(source: Source, ruleset: str = "w10", faction: str | None = None) -> Datasheet:
    """One datasheet by name (of a faction), path or dict."""
    if isinstance(source, Mapping):
        return validate(Datasheet, source, "<datasheet>")
    if isinstance(source, Path) or str(source).endswith((".yaml", ".yml")):
        path = find("datasheets", source)
        return _from_file(Datasheet, path)
    found = _datasheet_files(ruleset, faction, slug(str(source)))
    if not found:
        raise unknown("<call>", "datasheet", source, load_datasheets(ruleset, faction))
    return _from_file(Datasheet, found[0])


def load_datasheets(ruleset: str = "w10", faction: str | None = None) -> dict[str, Datasheet]:
    """All datasheets of a faction (of all factions when not given), by name."""
    sheets: dict[str, Datasheet] = {}
    for path in _datasheet_files(ruleset, faction, "*"):
        sheet = _from_file(Datasheet, path)
        if path.stem != slug(sheet.name):
            raise ContentError(
                display(path), "name", sheet.name, f"a file named {slug(sheet.name)}.yaml", "names another"
            )
        sheets[sheet.name] = sheet
    return sheets


def _datasheet_files(ruleset: str, faction: str | None, stem: str) -> list[Path]:
    known = [name for name in rulesets() if (config_root() / name / "datasheets").is_dir()]
    if ruleset not in known:
        raise unknown("<call>", "ruleset", ruleset, known)
    root = config_root() / ruleset / "datasheets"
    factions = [path.name for path in root.iterdir() if path.is_dir()]
    if faction is not None and slug(faction) not in factions:
        raise unknown("<call>", "faction", faction, factions)
    if len(stem) > LONGEST_NAME:
        return []
    return sorted(root.glob(f"{slug(faction) if faction else '*'}/{stem}.yaml"))


def datasheets_of(army: Army, ruleset: str = "w10") -> dict[str, Datasheet]:
    """The datasheets that an army uses: its own and the ruleset's; all of them where a name is not found."""
    own = {sheet.name: sheet for sheet in army.datasheets}
    needed = {unit.datasheet for unit in army.units} - own.keys()
    found: dict[str, Datasheet] = {}
    for name in sorted(needed):
        for path in _datasheet_files(ruleset, None, slug(name)):
            sheet = _from_file(Datasheet, path)
            if sheet.name == name:
                found[name] = sheet
    if needed - found.keys():
        found = load_datasheets(ruleset)
    return {**found, **own}


def load_faction(source: Source, ruleset: str = "w10") -> Faction:
    """A faction with its detachments."""
    if isinstance(source, str) and "/" not in source and not source.endswith((".yaml", ".yml")):
        source = slug(source)
    return _load(Faction, "factions", source, ruleset)


def load_army(source: Source, ruleset: str | None = None) -> Army:
    """An army list (its form only; ``muster`` checks it against the datasheets)."""
    return _load(Army, "armies", source, ruleset)


def load_mission(source: Source, ruleset: str | None = None) -> Mission:
    """A mission."""
    return _load(Mission, "missions", source, ruleset)


def load_terrain(source: Source, ruleset: str | None = None) -> Terrain:
    """A set of terrain templates."""
    return _load(Terrain, "terrain", source, ruleset)


def load_battlefield(source: Source, ruleset: str | None = None) -> Battlefield:
    """A battlefield with its templates looked up; its terrain is checked."""
    return _battlefield(source, ruleset)


def _battlefield(source: Source, ruleset: str | None, file: str = "<call>", field: str = "") -> Battlefield:
    field_ = _load(Battlefield, "battlefields", source, ruleset, file, field)
    if field_.terrain is not None:
        shared = _load(Terrain, "terrain", field_.terrain, ruleset or _ruleset_of(field_), field_.source, "terrain")
        merged = field_.model_copy(update={"templates": {**shared.templates, **field_.templates}})
        merged._source = field_.source
        field_ = merged
    check_battlefield(field_)
    return field_


def _ruleset_of(content: Content) -> str | None:
    parts = content.source.split("/")
    return parts[1] if parts[0] == "configs" and len(parts) > 2 else None


# ---------------------------------------------------------------- battles


@dataclass(frozen=True)
class LoadedBattle:
    """A battle with everything that its names refer to, checked against each other."""

    config: Battle
    mission: Mission
    size: BattleSize
    battlefield: Battlefield
    zones: Zones
    armies: tuple[Muster, Muster]

    @property
    def inactive(self) -> dict[str, tuple[str, ...]]:
        """Abilities that are declared on datasheets but not played, by datasheet."""
        sheets = {unit.datasheet.name: unit.datasheet for army in self.armies for unit in army.units}
        return {name: sheet.inactive for name, sheet in sorted(sheets.items()) if sheet.inactive}


def raw_battle(source: Source, overrides: Mapping[str, Any] | None = None) -> tuple[Any, str]:
    """What a battle's YAML says, with ``overrides`` merged in and not validated yet; and where it stands, for messages."""
    if isinstance(source, Mapping):
        raw, file = plain(source, "<battle>"), "<battle>"
    else:
        name, asked = asked_of(source)
        path = find("battles", name)
        raw, file = read_yaml(path), display(path)
        if asked and isinstance(raw, Mapping):
            raw = merge(raw, {"random": asked})
    if overrides is not None and not isinstance(overrides, Mapping):
        raise ContentError("<call>", "overrides", overrides, "a mapping with fields of a battle", "is no mapping")
    if overrides and isinstance(raw, Mapping):
        changes: Mapping[str, Any] = plain(overrides, "<call>", "overrides")
        raw = merge(raw, {name: from_here(value) for name, value in changes.items()})
    return raw, file


def from_here(value: Any) -> Any:
    """What replaces a field of a file: paths in it begin at the working directory, not at the file."""
    if isinstance(value, list | tuple):
        return [from_here(part) for part in value]
    is_path = isinstance(value, Path) or (isinstance(value, str) and value.endswith((".yaml", ".yml")))
    return str(Path(value).absolute()) if is_path else value


def load_battle(source: Source, overrides: Mapping[str, Any] | None = None) -> LoadedBattle:
    """A battle by name (``w10/only-war-incursion``), path or dict.

    Args:
        source: name, path or dict. After a ``?`` a name or path says how what the battle names ``random`` is drawn:
            ``w10/random-incursion?seed=7&layout=even`` (fields of ``schema.Random``).
        overrides: fields that replace those of the file; nested mappings are merged.
    """
    raw, file = raw_battle(source, overrides)
    config = validate(Battle, raw, file)
    if config.ruleset not in rulesets():
        raise unknown(file, "ruleset", config.ruleset, rulesets())

    mission = _load(Mission, "missions", config.mission, config.ruleset, file, "mission")
    if mission.ruleset != config.ruleset:
        expected = f"a mission of the ruleset {config.ruleset}"
        raise ContentError(mission.source, "ruleset", mission.ruleset, expected, "is another ruleset")
    size = mission.size(config.size)
    if size is None:
        raise unknown(file, "size", config.size, [s.name for s in mission.sizes])
    if draws(config):
        how = config.random or Random()
        terrain = _load(Terrain, "terrain", how.terrain, config.ruleset, file, "random.terrain")
        chance = np.random.default_rng(how.seed)
        config = drawn(config, mission, size, at_hand(config.ruleset), terrain, chance)
    elif config.random is not None:
        expected = "a battlefield or an army that is random"
        raise ContentError(file, "random", raw["random"], expected, "has nothing to draw")
    battlefield = _battlefield(config.battlefield, config.ruleset, file, "battlefield")
    if config.scale:
        battlefield = scale_battlefield(battlefield, (size.min_length_in, size.min_width_in))
        check_battlefield(battlefield)
    length, width = max(battlefield.size), min(battlefield.size)
    if length < size.min_length_in or width < size.min_width_in:
        expected = f"at least [{size.min_length_in:g}, {size.min_width_in:g}] for {mission.name} at {size.name}"
        raise ContentError(battlefield.source, "size", list(battlefield.size), expected, "is too small")
    placed = battlefield.objectives or mission.markers.placed_by == "battlefield"
    if placed and len(battlefield.objectives) != mission.markers.number:
        expected = f"{mission.markers.number} objective markers for {mission.name}"
        raise ContentError(battlefield.source, "objectives", len(battlefield.objectives), expected, "markers are given")
    check_objectives(battlefield, mission.markers)

    musters: list[Muster] = []
    faults: list[ContentError] = []
    for at, entry in enumerate(config.armies):
        try:
            army = _load(Army, "armies", entry, config.ruleset, file, f"armies[{at}]")
            musters.append(muster_army(army, config.ruleset, size.points))
        except ContentError as fault:
            faults.append(fault)
    if faults:
        raise together(faults)
    zones = deployment_zones(battlefield, mission.zones)
    return LoadedBattle(config, mission, size, battlefield, zones, (musters[0], musters[1]))


def asked_of(source: str | Path) -> tuple[str | Path, dict[str, Any]]:
    """A name or path of a battle, and what stands after its ``?`` (values are read as YAML)."""
    if not isinstance(source, str):
        return source, {}
    name, _, query = source.partition("?")
    if len(query) > MOST_QUERY:
        raise ContentError("<call>", "battle", source, f"at most {MOST_QUERY} characters after the ?", "is too long")
    asked: dict[str, Any] = {}
    for key, value in parse_qsl(query, keep_blank_values=True):
        if key in asked:
            raise ContentError("<call>", f"battle?{key}", value, "each field once", "stands twice")
        asked[key] = reading.parse_yaml(value, f"<call>: battle?{key}")
    return name, asked


def at_hand(ruleset: str) -> AtHand:
    """The factions of a ruleset and their datasheets."""
    found: dict[str, Faction] = {}
    for faction in load_all("factions", ruleset):
        assert isinstance(faction, Faction)
        found[faction.name] = faction
    return AtHand(found, {name: load_datasheets(ruleset, name) for name in found})


def muster_army(army: Army, ruleset: str = "w10", limit: int | None = None) -> Muster:
    """The army checked against the ruleset's datasheets and its faction."""
    sheets = datasheets_of(army, ruleset)
    faction = None
    known = [name.split("/")[1] for name in names("factions", ruleset)]
    if slug(army.faction) in known:
        faction = load_faction(army.faction, ruleset)
    elif not army.datasheets:
        fault = unknown(army.source, "faction", army.faction, known)
        raise together([fault, *army_faults(army, sheets, None, limit, factions=False)])
    return muster(army, sheets, faction, limit)


def shipped_settings(folder: str) -> list[str]:
    """Names of the files of a folder of ``configs`` that is of no ruleset (``train``, ``tournaments``)."""
    return sorted(path.stem for path in (config_root() / folder).glob("*.yaml"))


def settings_of(folder: str, source: str | Path) -> tuple[Any, str]:
    """What a file of such a folder says, by name or path; and where it stands, for messages.

    Raises:
        ContentError: there is none, or it cannot be read.
    """
    path = Path(source)
    if path.suffix not in (".yaml", ".yml"):
        if str(source) not in shipped_settings(folder):
            raise unknown("--config", "", str(source), shipped_settings(folder))
        path = config_root() / folder / f"{source}.yaml"
    elif not there(path):
        raise ContentError("--config", "", str(source), "a YAML file that exists", "does not exist")
    return read_yaml(path), display(path)


def merge(base: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with the fields of ``overrides``; mappings in both are merged, anything else is replaced."""
    merged = dict(base)
    for key, value in overrides.items():
        old = merged.get(key)
        merged[key] = merge(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return merged


def load_all(kind: str, ruleset: str) -> Iterable[Content]:
    """Everything of a kind that a ruleset ships (not datasheets, which lie in folders of factions)."""
    loaders: dict[str, Any] = {
        "armies": load_army,
        "battlefields": load_battlefield,
        "missions": load_mission,
        "factions": load_faction,
    }
    for name in names(kind, ruleset):
        yield loaders[kind](config_root() / f"{ruleset}/{kind}/{name.split('/')[1]}.yaml", ruleset)
