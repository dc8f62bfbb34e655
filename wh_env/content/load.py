"""Finding and reading the YAML files of any game. A loader takes a name, a path or a dict of the same schema."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import parse_qsl

from pydantic import ValidationError

from wh_env.content import reading
from wh_env.content.errors import ContentError, from_validation, unknown
from wh_env.content.fields import Content
from wh_env.content.plain import plain

Source = str | Path | Mapping[str, Any]
T = TypeVar("T", bound=Content)

RANDOM = "random"  # the name that a battle gives to parts that are drawn
MOST_QUERY = 1000
_STEM = re.compile(r"[\w.+ -]{1,120}")
ENVIRONMENT = "environment.yaml"  # in the folder of a ruleset
OWN = "WH_ENV_CONTENT"  # in the environment: folders of the user's own, laid out as the shipped one
KINDS = (
    "armies", "armouries", "battlefields", "battles", "datasheets", "factions", "items", "lores", "missions", "suites",
    "terrain",
)  # fmt: skip
SUITE = "suite:"  # before the name of a battle that is a suite


# ---------------------------------------------------------------- files


@lru_cache(maxsize=1)
def config_root() -> Path:
    """The folder of the shipped configurations: in an installed package, else in the repository."""
    here = Path(__file__).resolve()
    packed = here.parents[1] / "_configs"
    return packed if packed.is_dir() else here.parents[2] / "configs"


def own_roots() -> list[Path]:
    """The user's content folders from ``$WH_ENV_CONTENT``, separated as in ``$PATH``; the first takes precedence.

    Raises:
        ContentError: one of them is no folder.
    """
    found = []
    for name in os.environ.get(OWN, "").split(os.pathsep):
        if name:
            path = Path(name).absolute()
            if not path.is_dir():
                raise ContentError(OWN, "", name, "a folder with content of your own", "is no folder")
            found.append(path)
    return found


def content_roots() -> list[Path]:
    """All folders searched for content by name: the user's own, then the shipped one."""
    return [*own_roots(), config_root()]


def slug(name: str) -> str:
    """The file name for a name: lower case, words joined by hyphens, no apostrophes."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "").replace("’", "")).strip("-")


def rulesets() -> list[str]:
    """Rulesets that can be played: those whose configurations name an environment."""
    return sorted(name for name in folders() if (config_root() / name / ENVIRONMENT).is_file())


def folders() -> list[str]:
    """Rulesets that have a folder of battles, including unfinished ones."""
    return sorted(path.name for path in config_root().iterdir() if (path / "battles").is_dir())


def _has_battles(ruleset: str) -> bool:
    """Whether ``ruleset`` is one of ``folders``."""
    sound = _STEM.fullmatch(ruleset) is not None and ruleset not in (".", "..")
    return sound and (config_root() / ruleset / "battles").is_dir()


def names(kind: str, ruleset: str | None = None) -> list[str]:
    """All shipped and user files of a kind, as ``ruleset/name``."""
    roots = content_roots()
    found: list[str] = []
    for rules in [ruleset] if ruleset else rulesets():
        stems = {path.stem for root in roots for path in (root / rules / kind).glob("*.yaml")}
        found += [f"{rules}/{stem}" for stem in sorted(stems)]
    return found


def find(
    kind: str, name_or_path: str | Path, ruleset: str | None = None, *, file: str = "<call>", field: str = ""
) -> Path:
    """The path of a configuration file; a file in the user's folders (``own_roots``) hides a shipped one of its name.

    Args:
        kind: one of ``KINDS``.
        name_or_path: ``w10/only-war-incursion``, ``only-war-incursion`` or a path to a YAML file. A path is relative to
            the file that names it (``file``), else to the working directory.
        ruleset: where a name without a ruleset is looked for; None: in all rulesets.
        file, field: where the name stands, for the message.

    Raises:
        ContentError: there is no such file, or more than one.
    """
    field = field or kind
    if kind not in KINDS:
        raise unknown(file, "kind", kind, KINDS)
    if not isinstance(name_or_path, str | Path):
        raise ContentError(file, field, name_or_path, "a name, a path or a mapping")
    text = (
        str.__str__(name_or_path) if isinstance(name_or_path, str) else str(name_or_path)
    )  # a text's own words may fail
    if is_path(name_or_path):
        path = folder_of(file) / text
        if not there(path):
            raise ContentError(file, field, text, f"a YAML file that exists ({path})", "does not exist")
        return path
    rules, _, stem = text.rpartition("/")
    choices = [rules] if rules else [ruleset] if ruleset else rulesets()
    roots = content_roots()
    sound = _STEM.fullmatch(stem) and all(map(_has_battles, choices))  # names only, no paths
    places = [[root / rule / kind / f"{stem}.yaml" for root in roots] for rule in choices] if sound else []
    found = [next(filter(there, paths)) for paths in places if any(map(there, paths))]
    if len(found) != 1:
        known = names(kind, None if rules or not ruleset else ruleset)
        if found:
            raise ContentError(file, field, text, "one of " + ", ".join(known), "is in several rulesets")
        raise unknown(file, field, text, known if "/" in text or not ruleset else [k.split("/")[1] for k in known])
    return found[0]


def there(path: Path) -> bool:
    """Whether ``path`` is an existing file of any kind, not a folder; ``reading`` reports files that cannot be read."""
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
    """The folder that paths in a file are relative to; the working directory for inline content.

    ``file`` is a name as messages show it.
    """
    name = file.partition(": ")[0]
    for path in (config_root() / name.removeprefix("configs/"), Path(name)):
        if there(path):
            return path.parent
    return Path()


def read_yaml(path: Path) -> Any:
    """The content of a YAML file as plain data of the caller's own. Shipped files are parsed once until they are
    edited.

    Raises:
        ContentError: the file is not YAML or exceeds the limits of ``reading``; the error names the line.
    """
    state = _state_of(path)
    if state is None:
        return reading.read_yaml(path, display(path))
    return plain(_parsed(path, *state), display(path))


def _state_of(path: Path) -> tuple[int, int] | None:
    """Time and size of a shipped file, by which a change of it is noticed; None: it is not shipped, or not there."""
    if not path.is_absolute() or not path.is_relative_to(config_root()):
        return None
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size


@lru_cache(maxsize=256)
def _parsed(path: Path, _time: int, _size: int) -> Any:
    return reading.read_yaml(path, display(path))


def validate(cls: type[T], raw: Any, file: str, context: Any = None) -> T:
    """``raw`` as an instance of the schema ``cls``; the schema's validators read ``context``.

    Raises:
        ContentError: ``raw`` does not fit the schema.
    """
    if not isinstance(raw, Mapping):
        raise ContentError(file, "", raw, f"a mapping with the fields of {cls.__name__}", "is no mapping")
    raw = plain(raw, file)
    try:
        model = cls.model_validate(raw, context=context)
    except ValidationError as error:
        raise from_validation(file, error, raw) from None
    model._source = file
    return model


def from_file(cls: type[T], path: Path) -> T:
    """The content of a file. Shipped files are kept in memory until they are edited: many battles share them."""
    state = _state_of(path)
    if state is None:
        return validate(cls, reading.read_yaml(path, display(path)), display(path))
    return cast(T, _shipped(cls, path, *state))


@lru_cache(maxsize=1024)
def _shipped(cls: type[Content], path: Path, _time: int, _size: int) -> Content:
    return validate(cls, reading.read_yaml(path, display(path)), display(path))


def load_content(
    cls: type[T], kind: str, source: Source, ruleset: str | None, file: str = "<call>", field: str = ""
) -> T:
    """Content of a kind by name, path or mapping.

    Args:
        cls: its schema.
        kind: one of ``KINDS``.
        source: a name (of this ``ruleset``, or with a ruleset before it), a path or a mapping.
        ruleset: where a name without a ruleset is looked for; None: in all rulesets.
        file, field: where the source stands, for messages.
    """
    if isinstance(source, Mapping):
        inline = f"{file}: {field}" if field else f"<{cls.__name__.lower()}>"
        return validate(cls, source, inline)
    path = find(kind, source, ruleset, file=file, field=field)
    return from_file(cls, path)


# ---------------------------------------------------------------- battles


def raw_battle(source: Source, overrides: Mapping[str, Any] | None = None) -> tuple[Any, str]:
    """The data of a battle's YAML with ``overrides`` merged in, not validated yet; and its file, for messages."""
    if isinstance(source, Mapping):
        raw, file = plain(source, "<battle>"), "<battle>"
    else:
        name, asked = asked_of(source)
        path = battle_file(name)
        raw, file = read_yaml(path), display(path)
        if asked and isinstance(raw, Mapping):
            raw = merge(raw, {"random": asked})
    if overrides is not None and not isinstance(overrides, Mapping):
        raise ContentError("<call>", "overrides", overrides, "a mapping with fields of a battle", "is no mapping")
    if overrides and isinstance(raw, Mapping):
        changes: Mapping[str, Any] = plain(overrides, "<call>", "overrides")
        raw = merge(raw, {name: from_here(value) for name, value in changes.items()})
    return raw, file


def battle_file(name: str | Path, file: str = "<call>", field: str = "battles") -> Path:
    """The path of a battle, by its name (``w10/random-skirmish``), its path, or the name of a suite
    (``suite:w10/claims``).

    Args:
        name: name or path, without options.
        file, field: where it stands, for the message.

    Raises:
        ContentError: there is no such battle.
    """
    if isinstance(name, str) and name.startswith(SUITE):
        return find("suites", name.removeprefix(SUITE), file=file, field=field)
    return find("battles", name, file=file, field=field)


def check_battle_name(source: str, file: str, field: str) -> None:
    """Check that a battle or suite has this name. Paths pass; whoever loads them says what is wrong.

    Raises:
        ContentError: there is no such battle; the error names ``file`` and ``field``.
    """
    name, _ = asked_of(source)
    if not is_path(name):
        battle_file(name, file, field)


def is_drawn_anew(source: Source, overrides: Mapping[str, Any] | None = None) -> bool:
    """Whether a battle names something ``random`` and no seed to draw it with.

    Such a battle is another one each time that it is drawn. ``w10/random-skirmish`` is one, and
    ``w10/random-skirmish?seed=7`` is not.
    """
    raw, _ = raw_battle(source, overrides)
    if not isinstance(raw, Mapping):
        return False
    asked = source.get("random") if isinstance(source, Mapping) else asked_of(source)[1]
    given = [how for how in (asked or {}, (overrides or {}).get("random") or {}) if isinstance(how, Mapping)]
    armies = raw.get("armies")
    named = (raw.get("battlefield"), raw.get("mission"), *(armies if isinstance(armies, list | tuple) else ()))
    return RANDOM in named and len(given) == 2 and not any("seed" in how for how in given)


def from_here(value: Any) -> Any:
    """The value that replaces a field of a file, with its paths made absolute from the working directory."""
    if isinstance(value, list | tuple):
        return [from_here(part) for part in value]
    return str(Path(value).absolute()) if is_path(value) else value


def is_path(value: Any) -> bool:
    """Whether a value of content is the path of a file, not a name or the content itself."""
    return isinstance(value, Path) or (isinstance(value, str) and value.endswith((".yaml", ".yml")))


def asked_of(source: str | Path) -> tuple[str | Path, dict[str, Any]]:
    """A name or path of a battle, and the options after its ``?`` (values are read as YAML)."""
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


def merge(base: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with the fields of ``overrides``; mappings in both are merged, anything else is replaced."""
    merged = dict(base)
    for key, value in overrides.items():
        old = merged.get(key)
        merged[key] = merge(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return merged


# ---------------------------------------------------------------- settings of programs


def shipped_settings(folder: str) -> list[str]:
    """Names of the files in a folder of ``configs`` that belongs to no ruleset (``train``, ``tournaments``)."""
    return sorted(path.stem for path in (config_root() / folder).glob("*.yaml"))


def settings_of(folder: str, source: str | Path) -> tuple[Any, str]:
    """The content of a file of such a folder, by name or path; and its file, for messages.

    Raises:
        ContentError: there is no such file, or it cannot be read.
    """
    path = Path(source)
    if path.suffix not in (".yaml", ".yml"):
        if str(source) not in shipped_settings(folder):
            raise unknown("--config", "", str(source), shipped_settings(folder))
        path = config_root() / folder / f"{source}.yaml"
    elif not there(path):
        raise ContentError("--config", "", str(source), "a YAML file that exists", "does not exist")
    return read_yaml(path), display(path)
