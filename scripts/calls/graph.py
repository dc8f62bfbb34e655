"""Which functions name which others, by syntax alone.

A name that is not shadowed leads to what the module defines or imports under it, a dotted name through modules. What a class holds counts as named
by the class, since procedures and decision kinds are called through tables. So more counts as called than is: who is uncalled here is called by nobody.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

PACKAGES = ("wh_env", "agents", "scripts", "tests")
BESIDE = ("agents", "scripts")  # are imported as parts of wh_env
ENGINE = ("wh_env.core.geometry", "wh_env.rulesets")  # where rules are carried out
POSITIONS = "wh_env.testing"  # builds positions for tests: what it alone calls nobody plays
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.Lambda)
AT_ONCE = "<module>"  # what runs when a module is imported
Name = tuple[str, str]  # module, what it defines


def within(module: str, packages: Iterable[str]) -> bool:
    """Whether a module is one of the packages or lies in one."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements and those within them."""
    for node in body:
        yield node
        for name in ("body", "orelse", "finalbody"):
            yield from statements(getattr(node, name, ()))
        for branch in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            yield from statements(branch.body)


def is_fixture(node: ast.stmt) -> bool:
    """Whether pytest hands over what a function returns."""
    return any("fixture" in ast.unparse(each) for each in getattr(node, "decorator_list", ()))


@dataclass
class Module:
    """A file of Python."""

    name: str
    package: str
    body: list[ast.stmt]
    defines: dict[str, ast.stmt] = field(default_factory=dict)
    imports: dict[str, tuple[str, str | None]] = field(
        default_factory=dict
    )  # the name here: module, and the name there

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
        """The module that an import names, without leading dots."""
        if not node.level:
            return node.module or ""
        above = self.package.split(".")
        return ".".join([*above[: len(above) - node.level + 1], *([node.module] if node.module else [])])


def read_modules(root: Path) -> dict[str, Module]:
    """The modules below ``root`` by the names under which they are imported; tests import each other by their path below ``tests``."""
    found: dict[str, Module] = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            parts = list(path.relative_to(root).with_suffix("").parts)
            if package in BESIDE:
                parts.insert(0, "wh_env")
            initial = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if initial else parts)
            body = ast.parse(path.read_text(encoding="utf-8")).body
            if name in found:  # agents and scripts lie in two folders
                body = [*found[name].body, *body]
            found[name] = Module(name, name if initial else name.rpartition(".")[0], body)
    return found


class Graph:
    """The definitions of a project and what each of them names."""

    def __init__(self, root: Path) -> None:
        self.modules = read_modules(root)
        self._found: dict[tuple[str, str], Name | str | None] = {}
        self._named: dict[Name, set[Name]] = {}

    def module(self, name: str) -> str | None:
        """The module that an import of this name finds."""
        return next((full for full in (name, f"tests.{name}") if full in self.modules), None)

    def lookup(self, module: str, name: str) -> Name | str | None:
        """What a name of a module means: a definition, or a module; none where it is nothing of the project."""
        key = (module, name)
        if key not in self._found:
            self._found[key] = None  # while it is looked for: modules may import each other
            self._found[key] = self._look_up(self.modules[module], name)
        return self._found[key]

    def _look_up(self, module: Module, name: str) -> Name | str | None:
        if name in module.defines:
            return (module.name, name)
        if name not in module.imports:
            return self.module(f"{module.name}.{name}")
        source, there = module.imports[name]
        if there is None:
            return self.module(source)
        if (whole := self.module(f"{source}.{there}")) is not None:
            return whole
        return None if (found := self.module(source)) is None else self.lookup(found, there)

    def named_by(self, definition: Name) -> set[Name]:
        """The definitions that one of them names; ``AT_ONCE``: what a module names as it is imported."""
        if definition not in self._named:
            module = self.modules[definition[0]]
            if definition[1] == AT_ONCE:
                nodes = [node for node in module.body if node not in module.defines.values()]
            else:
                nodes = [module.defines[definition[1]]]
            named: set[Name] = set()
            for node in nodes:
                self._add_names(module, node, frozenset(), named)
            self._named[definition] = named
        return self._named[definition]

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
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(found := self._meant(module, node, local), tuple):
            named.add(found)
        for child in ast.iter_child_nodes(node):
            self._add_names(module, child, local, named)

    def _meant(self, module: Module, node: ast.expr, local: frozenset[str]) -> Name | str | None:
        if isinstance(node, ast.Name) and node.id not in local:
            return self.lookup(module.name, node.id)
        if isinstance(node, ast.Attribute) and isinstance(base := self._meant(module, node.value, local), str):
            return self.lookup(base, node.attr)
        return None

    def _fixtures(self, module: Module, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Name]:
        """What pytest hands over by the names of arguments."""
        places = [name for name in (module.name, "tests.conftest") if name in self.modules]
        for argument in node.args.args:
            for found in (self.lookup(place, argument.arg) for place in places):
                if isinstance(found, tuple) and is_fixture(self.modules[found[0]].defines[found[1]]):
                    yield found

    def reached(self, roots: Iterable[Name]) -> set[Name]:
        """The roots and all that they lead to."""
        found = set(roots)
        todo = list(found)
        while todo:
            new = self.named_by(todo.pop()) - found
            found |= new
            todo += new
        return found

    @cached_property
    def uncalled(self) -> frozenset[Name]:
        """Functions of the engine to which nothing in wh_env leads but the building of positions."""
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
    def _leading(self) -> dict[Name, set[Name]]:
        """The uncalled functions by the definitions that lead to them."""
        named_by: dict[Name, set[Name]] = {}
        for module in self.modules.values():
            for definition in ((module.name, name) for name in module.defines):
                for named in self.named_by(definition):
                    named_by.setdefault(named, set()).add(definition)
        leading: dict[Name, set[Name]] = {}
        for function in self.uncalled:
            todo, found = [function], {function}
            while todo:
                new = named_by.get(todo.pop(), set()) - found
                found |= new
                todo += new
            for definition in found:
                leading.setdefault(definition, set()).add(function)
        return leading

    def uncalled_by_test(self, node_id: str) -> list[Name]:
        """The uncalled functions to which a test leads, named as pytest names it (``tests/a/test_b.py::TestC::test_d[e]``)."""
        path, _, inside = node_id.partition("::")
        definition = (path.removesuffix(".py").replace("/", "."), inside.split("[")[0].split("::")[0])
        return sorted(self._leading.get(definition, ()))
