"""In the rules that the 40k editions share questions import no procedures.

Which folders stand on which floor is a contract of imports in ``pyproject.toml``. Within chapters a module with a class
that is a procedure or a decision kind holds procedures; a module without one holds questions.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = "wh_env.rulesets.w40k"
BASES = {"Procedure", "DecisionKind", "OfPlayer", "ChooseUnit"}  # of ``core.procedures``
ABOVE = ("view", "played", "validity")  # they stand above procedures and may know them


class Module:
    """What one module imports and which classes it defines.

    Attributes:
        imports: by the name in the module, the module that it is from and its name there.
        classes: by name, the names of the bases as they are written.
    """

    def __init__(self, path: Path) -> None:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        self.imports: dict[str, tuple[str, str]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = (node.module, alias.name)
        self.classes = {
            node.name: [ast.unparse(base) for base in node.bases]
            for node in tree.body
            if isinstance(node, ast.ClassDef)
        }


def modules() -> dict[str, Module]:
    """The modules of the shared rules, by dotted name."""
    folder = ROOT / SHARED.replace(".", "/")
    found = {}
    for path in sorted(folder.rglob("*.py")):
        within = path.relative_to(folder).with_suffix("").parts
        found[".".join((SHARED, *within))] = Module(path)
    return found


def is_procedure(of: Mapping[str, Module], module: str, name: str) -> bool:
    """Whether a class, by its module and its name, is a procedure or a decision kind."""
    if module not in of:
        return module == "wh_env.core.procedures" and name in BASES
    for base in of[module].classes.get(name, ()):
        first, _, attribute = base.partition(".")
        if base in of[module].classes:
            where = module, base
        elif first in of[module].imports:
            package, imported = of[module].imports[first]
            where = (f"{package}.{imported}", attribute) if attribute else (package, imported)
        else:
            continue
        if is_procedure(of, *where):
            return True
    return False


def with_procedures(of: Mapping[str, Module]) -> set[str]:
    """Modules that define a procedure or a decision kind."""
    return {name for name, module in of.items() if any(is_procedure(of, name, its) for its in module.classes)}


def asked_above(of: Mapping[str, Module]) -> list[str]:
    """Imports from a module of questions to one with procedures, as "one imports the other"."""
    holding = with_procedures(of)
    found = []
    for name, module in of.items():
        floor = name.removeprefix(SHARED + ".").partition(".")[0]
        if name in holding or floor in ABOVE:
            continue
        targets = {f"{package}.{its}" for package, its in module.imports.values()} | {
            p for p, _ in module.imports.values()
        }
        found += [f"{name} imports {other}" for other in sorted(targets & holding)]
    return found


def test_procedures_are_found() -> None:
    found = with_procedures(modules())
    for module in ("charge.phase", "charge.heroic", "attack.casualties", "sequence.rolloff", "fight.splitting"):
        assert f"{SHARED}.{module}" in found
    for module in ("attack.odds", "questions.targets", "deploy.places", "shoot.volley", "psychic.lasting"):
        assert f"{SHARED}.{module}" not in found


def test_questions_import_no_procedures() -> None:
    assert asked_above(modules()) == []


def test_an_import_of_a_procedure_is_found() -> None:
    of = modules()
    of[f"{SHARED}.attack.odds"].imports["ChargeMove"] = (f"{SHARED}.charge.phase", "ChargeMove")
    assert asked_above(of) == [f"{SHARED}.attack.odds imports {SHARED}.charge.phase"]
