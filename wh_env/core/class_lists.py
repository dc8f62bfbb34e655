"""The classes of a ruleset by name: a procedure or decision kind belongs to the ruleset in whose chapter it stands.

A ruleset lists names, since their order is their numbers. Nothing is kept between calls: each call imports the chapters
(the folders of a package), looks through their modules and returns what it finds. So no ruleset sees the classes of
another one, and a module can move to another chapter without a change of the list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TypeVar

from wh_env.core.procedures import DecisionKind, Procedure

T = TypeVar("T", Procedure, DecisionKind)


def listed_classes(
    packages: Sequence[str], procedures: str, kinds: str
) -> tuple[tuple[type[Procedure], ...], tuple[type[DecisionKind], ...]]:
    """The classes of these names in the order of the two lists.

    Args:
        packages: dotted names; first the ruleset's own package, then those that it shares with others. A class of an
            earlier one comes before a class of the same name in a later one.
        procedures: names of procedures, separated by blanks and line ends; ``losses.Wreck`` where several modules of a
            package have a class of that name.
        kinds: names of decision kinds, the same way.

    Raises:
        LookupError: a listed class is missing or stands in several modules, or an own class is not listed.
            Bases of listed classes need not be listed.
    """
    found = [classes_in_chapters(package) for package in packages]
    asked = tuple(_named(name, Procedure, packages, found) for name in procedures.split())
    deciding = tuple(_named(name, DecisionKind, packages, found) for name in kinds.split())
    played = {base for cls in (*asked, *deciding) for base in cls.__mro__}
    for cls in found[0]:
        if cls not in played:
            raise LookupError(
                f"{packages[0]}: {_place(cls)} is not listed; its name goes to the end of a list of classes.py"
            )
    return asked, deciding


def classes_in_chapters(package: str) -> list[type]:
    """The procedures and decision kinds that are defined in the chapters of a package."""
    return [
        cls
        for module in _chapters(package)
        for cls in vars(module).values()
        if isinstance(cls, type) and issubclass(cls, (Procedure, DecisionKind)) and cls.__module__ == module.__name__
    ]


def _chapters(package: str) -> Iterator[ModuleType]:
    """The modules in the folders of a package; modules beside the folders are no chapters."""
    for entry in iter_modules(import_module(package).__path__):
        if entry.ispkg:
            yield from _modules(f"{package}.{entry.name}")


def _modules(folder: str) -> Iterator[ModuleType]:
    """A folder and the modules in it and in its own folders."""
    chapter = import_module(folder)
    yield chapter
    for entry in iter_modules(chapter.__path__):
        name = f"{folder}.{entry.name}"
        yield from _modules(name) if entry.ispkg else [import_module(name)]


def _place(cls: type) -> str:
    return f"{cls.__module__}.{cls.__name__}"


def _named(name: str, root: type[T], packages: Sequence[str], found: Sequence[Sequence[type]]) -> type[T]:
    """The class of a name in the first package that has one.

    Raises:
        LookupError: there is none, or several modules of that package have one.
    """
    for classes in found:
        fitting = [cls for cls in classes if issubclass(cls, root) and _place(cls).endswith(f".{name}")]
        if len(fitting) > 1:
            places = " and ".join(_place(cls) for cls in fitting)
            raise LookupError(f"{packages[0]}: {name} is {places}; expected one of them: module.{name}")
        if fitting:
            return fitting[0]
    raise LookupError(f"{packages[0]}: no chapter of {' or '.join(packages)} has the {root.__name__} {name}")
