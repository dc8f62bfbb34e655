"""The call graph of the project: which definition names which other definitions, found in the syntax trees alone.

A name that is not a local variable stands for what the module defines or imports under that name; a dotted name is
followed through modules. A class counts as naming everything in its body, because procedures and decision kinds are
called through tables. So the graph contains more calls than really happen, and a function that it calls uncalled is
called by nobody.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

PACKAGES = ("wh_env", "agents", "scripts", "tests")
BESIDE = ("agents", "scripts")  # folders beside wh_env that are imported as parts of it
ENGINE = ("wh_env.core.geometry", "wh_env.rulesets")  # where rules are carried out
POSITIONS = "wh_env.testing"  # builds positions for tests; a function that only it calls is not part of any game
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.Lambda)
AT_ONCE = "<module>"  # stands for the statements that run when a module is imported
Name = tuple[str, str]  # full name of a module, name of a definition in it


def within(module: str, packages: Iterable[str]) -> bool:
    """True if a module is one of the packages or lies in one."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body and all statements inside them."""
    for node in body:
        yield node
        for name in ("body", "orelse", "finalbody"):
            yield from statements(getattr(node, name, ()))
        for branch in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            yield from statements(branch.body)


def is_fixture(node: ast.stmt) -> bool:
    """True if a function is a pytest fixture."""
    return any("fixture" in ast.unparse(each) for each in getattr(node, "decorator_list", ()))


@dataclass
class Module:
    """The definitions and imports of a Python file.

    Attributes:
        name: full name, as in an import.
        package: the package that leading dots of its imports refer to.
        body: the statements of the file.
        defines: the statement that defines each name.
        imports: by the name in this file: the module that is imported, and the name there (None: the module itself).
    """

    name: str
    package: str
    body: list[ast.stmt]
    defines: dict[str, ast.stmt] = field(default_factory=dict)
    imports: dict[str, tuple[str, str | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        todo = list(self.body)
        while todo:
            node = todo.pop()
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                self.defines[node.name] = node
            elif isinstance(node, ast.If | ast.Try | ast.With):
                todo += [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in (name for name in targets if isinstance(name, ast.Name)):
                    self.defines.setdefault(target.id, node)
        for node in statements(self.body):
            if isinstance(node, ast.ImportFrom):
                source = self.absolute(node)
                self.imports |= {alias.asname or alias.name: (source, alias.name) for alias in node.names}
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    whole = alias.name if alias.asname else alias.name.split(".")[0]
                    self.imports[alias.asname or whole] = (whole, None)

    def absolute(self, node: ast.ImportFrom) -> str:
        """The full name of the module that an import names, without leading dots."""
        if not node.level:
            return node.module or ""
        above = self.package.split(".")
        return ".".join([*above[: len(above) - node.level + 1], *([node.module] if node.module else [])])


def read_modules(root: Path) -> dict[str, Module]:
    """All modules below ``root`` by their full names, as in an import.

    Tests import each other by their path below ``tests``, but their names here begin with ``tests.``.
    """
    modules: dict[str, Module] = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            parts = list(path.relative_to(root).with_suffix("").parts)
            if package in BESIDE:
                parts.insert(0, "wh_env")
            initial = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if initial else parts)
            body = ast.parse(path.read_text(encoding="utf-8")).body
            if name in modules:  # agents and scripts lie in two folders
                body = [*modules[name].body, *body]
            modules[name] = Module(name, name if initial else name.rpartition(".")[0], body)
    return modules


class Graph:
    """The definitions of a project and the definitions that each of them names."""

    def __init__(self, root: Path) -> None:
        self.modules = read_modules(root)
        self._looked_up: dict[tuple[str, str], Name | str | None] = {}
        self._names_of: dict[Name, set[Name]] = {}

    def module(self, name: str) -> str | None:
        """The full name of the module that an import of ``name`` finds; None if it is not part of the project."""
        return next((full for full in (name, f"tests.{name}") if full in self.modules), None)

    def lookup(self, module: str, name: str) -> Name | str | None:
        """What a name of a module stands for: a definition (`Name`), a module (its full name), or None if it is not
        part of the project.
        """
        key = (module, name)
        if key not in self._looked_up:
            self._looked_up[key] = None  # ends the recursion when modules import each other
            self._looked_up[key] = self._look_up(self.modules[module], name)
        return self._looked_up[key]

    def _look_up(self, module: Module, name: str) -> Name | str | None:
        if name in module.defines:
            return (module.name, name)
        if name not in module.imports:
            return self.module(f"{module.name}.{name}")
        source, name_there = module.imports[name]
        if name_there is None:
            return self.module(source)
        if (whole := self.module(f"{source}.{name_there}")) is not None:
            return whole
        return None if (source_module := self.module(source)) is None else self.lookup(source_module, name_there)

    def named_by(self, definition: Name) -> set[Name]:
        """The definitions that a definition names; for ``AT_ONCE``, those named while it is imported."""
        if definition not in self._names_of:
            module = self.modules[definition[0]]
            if definition[1] == AT_ONCE:
                nodes = [node for node in module.body if node not in module.defines.values()]
            else:
                nodes = [module.defines[definition[1]]]
            named: set[Name] = set()
            for node in nodes:
                self._add_names(module, node, frozenset(), named)
            self._names_of[definition] = named
        return self._names_of[definition]

    def _add_names(self, module: Module, node: ast.AST, local: frozenset[str], named: set[Name]) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            return
        if isinstance(node, SCOPES):
            local |= {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
            local |= {
                each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            }
        if isinstance(node, FUNCTIONS) and module.name.startswith("tests."):
            named.update(self._fixtures(module, node))
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(meant := self._meant(module, node, local), tuple):
            named.add(meant)
        for child in ast.iter_child_nodes(node):
            self._add_names(module, child, local, named)

    def _meant(self, module: Module, node: ast.expr, local: frozenset[str]) -> Name | str | None:
        if isinstance(node, ast.Name) and node.id not in local:
            return self.lookup(module.name, node.id)
        if isinstance(node, ast.Attribute) and isinstance(base := self._meant(module, node.value, local), str):
            return self.lookup(base, node.attr)
        return None

    def _fixtures(self, module: Module, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Name]:
        """The fixtures that pytest passes to a function, found by the names of its arguments."""
        places = [name for name in (module.name, "tests.conftest") if name in self.modules]
        for argument in node.args.args:
            for fixture in (self.lookup(place, argument.arg) for place in places):
                if isinstance(fixture, tuple) and is_fixture(self.modules[fixture[0]].defines[fixture[1]]):
                    yield fixture

    def reached(self, roots: Iterable[Name]) -> set[Name]:
        """The definitions in ``roots`` and all definitions that they lead to."""
        definitions = set(roots)
        todo = list(definitions)
        while todo:
            new = self.named_by(todo.pop()) - definitions
            definitions |= new
            todo += new
        return definitions

    @cached_property
    def uncalled(self) -> frozenset[Name]:
        """Functions of the engine that nothing in wh_env leads to, apart from the module that builds positions for
        tests.
        """
        roots, functions = [], set()
        for module in self.modules.values():
            if module.name.startswith("tests.") or within(module.name, (POSITIONS,)):
                continue
            roots.append((module.name, AT_ONCE))
            for name, node in module.defines.items():
                if within(module.name, ENGINE) and isinstance(node, FUNCTIONS):
                    functions.add((module.name, name))
                else:
                    roots.append((module.name, name))
        return frozenset(functions - self.reached(roots))

    @cached_property
    def _uncalled_of(self) -> dict[Name, set[Name]]:
        """For each definition, the uncalled functions that it leads to."""
        named_by: dict[Name, set[Name]] = {}
        for module in self.modules.values():
            for definition in ((module.name, name) for name in module.defines):
                for named in self.named_by(definition):
                    named_by.setdefault(named, set()).add(definition)
        uncalled_of: dict[Name, set[Name]] = {}
        for function in self.uncalled:
            todo, leading = [function], {function}
            while todo:
                new = named_by.get(todo.pop(), set()) - leading
                leading |= new
                todo += new
            for definition in leading:
                uncalled_of.setdefault(definition, set()).add(function)
        return uncalled_of

    def uncalled_by_test(self, node_id: str) -> list[Name]:
        """The uncalled functions that a test leads to; ``node_id`` is pytest's name of it, as
        ``tests/a/test_b.py::TestC::test_d[e]``.
        """
        path, _, inside = node_id.partition("::")
        definition = (path.removesuffix(".py").replace("/", "."), inside.split("[")[0].split("::")[0])
        return sorted(self._uncalled_of.get(definition, ()))
