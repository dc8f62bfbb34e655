"""Find every place where rules code can be changed, and every way to change it: each gives one `Mutant`.

A mutant replaces one piece of a source file, which is found in the syntax tree. Some code is never changed, because
a change would mean nothing or break everything: texts (docstrings, `describe`, arguments of `note`, `tell` and
`pending`), methods named `fits` (they check states from outside), annotations, defaults, decorators, `__all__`,
raised errors, and numbering (enumerations, dtypes, places in frames, bits).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef
Signature = tuple[list[str], int]  # names of the parameters without self; number of those without a default

SHIFTED: dict[type, type] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
FLIPPED: dict[type, type] = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ARITHMETIC: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
EXTREMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
# In a comparison with a tolerance, < and <= mean the same, because distances are never equal to the last bit.
TOLERANCES = ("EPS", "TINY")
NUMBERING = ("Enum", "IntEnum", "IntFlag", "Flag")
WORDS = ("describe", "note", "pending", "tell")
FITS = "fits"  # name of the methods that check a frame of a state from outside


@dataclass(frozen=True)
class Mutant:
    """One change of the source code: `source[start:end]` of `file` is replaced by `text`."""

    file: str  # path relative to the project, with slashes
    function: str  # dotted name of the function in the file; outside functions, of the class, or empty
    line: int  # line of the change, from 1
    statement: int  # first line of the innermost statement around the change; 0 outside functions
    start: int  # characters from the start of the file
    end: int
    text: str
    way: str  # kind of change, in a word or two
    before: str  # the line before the change, without spaces at its ends
    after: str  # the line after the change

    @property
    def where(self) -> str:
        """File and line, as ``file:line``."""
        return f"{self.file}:{self.line}"

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Identifies the mutant even if the lines above it change: file, function, line before, line after."""
        return self.file, self.function, self.before, self.after

    def applied(self, source: str) -> str:
        """The source of the file with this change."""
        return source[: self.start] + self.text + source[self.end :]


def in_frame(addition: ast.BinOp) -> bool:
    """True for a place in a frame of the stack, ``f + Procedure.NAME``, which must not be changed."""
    name = addition.right.attr if isinstance(addition.right, ast.Attribute) else getattr(addition.right, "id", "")
    return isinstance(addition.op, ast.Add) and getattr(addition.left, "id", "") == "f" and name.isupper()


class Source:
    """The text of a file, with the places of its syntax tree (line and byte) converted to characters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self.lines = text.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        """First character of a node in the text, and the character after its last one."""
        start = self._at(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        return start, self._at(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def _at(self, line: int, byte: int) -> int:
        row = self.lines[line - 1]
        return self.starts[line - 1] + (byte if row.isascii() else len(row.encode()[:byte].decode()))

    def line_at(self, place: int) -> int:
        """The number of the line, from 1, that contains the character ``place``."""
        return self.text.count("\n", 0, place) + 1


def signatures(files: list[Path]) -> dict[str, Signature]:
    """Signatures of the functions in these files that have parameters with defaults, by name.

    A name is left out if functions with different signatures share it.
    """
    by_name: dict[str, Signature | None] = {}
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                names = [a.arg for a in node.args.args]
                if names[:1] in (["self"], ["cls"]):
                    names = names[1:]
                known = (names, len(names) - len(node.args.defaults))
                by_name[node.name] = known if by_name.get(node.name, known) == known else None
    return {name: known for name, known in by_name.items() if known is not None and known[1] < len(known[0])}


def mutants_of(root: Path, file: Path, signatures_by_name: dict[str, Signature]) -> list[Mutant]:
    """All mutants of a file, in the order of the text.

    Args:
        root: folder of the project.
        file: path of the file.
        signatures_by_name: from `signatures`; arguments of these functions can be dropped.
    """
    source = Source(file.read_text(encoding="utf-8"))
    finder = _Finder(source, file.relative_to(root).as_posix(), signatures_by_name)
    finder.scope(source.tree.body, "", 0)
    return finder.mutants


class _Finder:
    """Walks the syntax tree of a file and collects mutants."""

    def __init__(self, source: Source, file: str, signatures: dict[str, Signature]) -> None:
        self.source, self.file, self.signatures = source, file, signatures
        self.mutants: list[Mutant] = []
        self.function, self.statement = "", 0

    # ------------------------------------------------------------ statements

    def scope(self, body: list[ast.stmt], name: str, depth: int) -> None:
        """Collect the mutants of a module, a class or a function, ``name``; classes and modules have ``depth`` 0."""
        for node in body:
            self.function = name
            if isinstance(node, ast.ClassDef):
                if not any(ast.unparse(base).split(".")[-1] in NUMBERING for base in node.bases):
                    self.scope(node.body, f"{name}.{node.name}" if name else node.name, 0)
            elif isinstance(node, Function):
                if depth == 0 and node.name not in WORDS and not (name and node.name == FITS):
                    self.function = f"{name}.{node.name}" if name else node.name
                    self.block(node.body)
            elif depth == 0:
                self.declared(node)

    def declared(self, node: ast.stmt) -> None:
        """Collect the mutants of a constant of a module or a class."""
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            return
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        text = ast.unparse(node.value)
        if isinstance(target, ast.Name) and not target.id.startswith("__") and "<<" not in text and "dtype" not in text:
            self.statement = 0
            if isinstance(node.value, ast.Constant):
                self.constant(node.value)

    def block(self, body: list[ast.stmt]) -> None:
        """Collect the mutants of the statements of a function."""
        for node in body:
            self.statement = node.lineno
            self.statement_mutants(node)

    def statement_mutants(self, node: ast.stmt) -> None:
        """Collect the mutants of a statement and of everything inside it."""
        if isinstance(node, Function):
            self.block(node.body)  # a nested function is a part of the function around it
        elif isinstance(node, ast.If | ast.While):
            if "recorder" not in ast.unparse(node.test):
                self.condition(node.test)
                self.expression(node.test)
                self.block(node.body)
            self.block(node.orelse)
        elif isinstance(node, ast.For):
            self.expression(node.iter)
            self.block(node.body)
            self.block(node.orelse)
        elif isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Call) and not self.words(node.value):
                self.replace(node, "pass", "statement deleted")
                self.expression(node.value)
            elif not isinstance(node.value, ast.Constant | ast.Call):
                self.expression(node.value)
        elif isinstance(node, ast.AugAssign):
            self.replace(node, "pass", "statement deleted")
            if type(node.op) in ARITHMETIC and not isinstance(node.op, ast.Mult | ast.Div | ast.FloorDiv):
                new = ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value)
                self.replace(node, ast.unparse(new), "operator")
            self.expression(node.value)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if not any(isinstance(part, ast.Name | ast.Tuple) for part in targets):
                self.replace(node, "pass", "statement deleted")
            for target in targets:
                if isinstance(target, ast.Subscript):
                    self.expression(target)
            if node.value is not None:
                self.expression(node.value)
        elif isinstance(node, ast.Continue):
            self.replace(node, "break", "continue to break")
            self.replace(node, "pass", "statement deleted")
        elif isinstance(node, ast.Break):
            self.replace(node, "continue", "break to continue")
        elif isinstance(node, ast.Return):
            if node.value is None:
                self.replace(node, "pass", "statement deleted")
            else:
                if isinstance(node.value, ast.Compare | ast.BoolOp):
                    self.condition(node.value)
                self.expression(node.value)
        elif isinstance(node, ast.With):
            self.block(node.body)
        elif isinstance(node, ast.Try):
            for part in (node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody):
                self.block(part)

    # ------------------------------------------------------------ expressions

    def expression(self, node: ast.expr) -> None:
        """Collect the mutants of an expression and of everything inside it."""
        flags = {id(node)} | {id(part.operand) for part in ast.walk(node) if isinstance(part, ast.UnaryOp)}
        for part in self.walk(node):
            if isinstance(part, ast.Compare):
                self.comparison(part)
            elif isinstance(part, ast.BoolOp):
                other = ast.Or() if isinstance(part.op, ast.And) else ast.And()
                self.replace(part, ast.unparse(ast.BoolOp(other, part.values)), "and or or")
            elif isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not):
                self.replace(part, ast.unparse(part.operand), "not dropped")
            elif isinstance(part, ast.BinOp) and type(part.op) in ARITHMETIC and not in_frame(part):
                new = ast.BinOp(part.left, ARITHMETIC[type(part.op)](), part.right)
                self.replace(part, ast.unparse(new), "operator")
            elif isinstance(part, ast.Constant):
                self.constant(part, flag=id(part) in flags)
            elif isinstance(part, ast.IfExp):
                self.condition(part.test)
            elif isinstance(part, ast.comprehension):
                for test in part.ifs:
                    self.condition(test)
            elif isinstance(part, ast.Call):
                self.call(part)

    def walk(self, node: ast.AST) -> Iterator[ast.AST]:
        """A node and all nodes inside it, without texts, f-strings and parameters of lambdas."""
        if isinstance(node, ast.Call) and self.words(node):
            return
        if isinstance(node, ast.JoinedStr):
            return
        yield node
        for part in ast.iter_child_nodes(node):
            if isinstance(node, ast.Lambda) and part is node.args:
                continue
            yield from self.walk(part)

    @staticmethod
    def words(call: ast.Call) -> bool:
        """True if a call only reports something: its arguments are texts."""
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        return name in WORDS or name.endswith(("Error", "cast"))

    def condition(self, test: ast.expr) -> None:
        """Add the negated condition as a mutant.

        Single comparisons and ``not`` are left out, because other mutants already turn them round.
        """
        simple = isinstance(test, ast.Compare) and len(test.ops) == 1
        if not simple and not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            self.replace(test, ast.unparse(ast.UnaryOp(ast.Not(), test)), "condition negated")

    def comparison(self, node: ast.Compare) -> None:
        """For each operator of a comparison: add one mutant that moves its limit (< to <=) and one that turns it round
        (< to >=).
        """
        near = any(name in ast.unparse(node) for name in TOLERANCES)
        for number, sign in enumerate(node.ops):
            for ways, word in ((SHIFTED, "comparison shifted"), (FLIPPED, "comparison turned round")):
                if type(sign) in ways and not (ways is SHIFTED and near):
                    signs = [*node.ops[:number], ways[type(sign)](), *node.ops[number + 1 :]]
                    self.replace(node, ast.unparse(ast.Compare(node.left, signs, node.comparators)), word)

    def constant(self, node: ast.Constant, flag: bool = False) -> None:
        """Add mutants with the number one more or one less, or the opposite truth value.

        0 does not become -1: as an index -1 is the last place of a row, it lies beyond no limit, and it is as true
        as 1. If ``flag`` is set, the number is the whole expression; then 1 becomes only 0 and -1 only 0, since
        often only the sign matters.
        """
        value: Any = node.value
        if isinstance(value, bool):
            self.replace(node, str(not value), "truth value")
        elif isinstance(value, int | float):
            if not (flag and value == 1):
                self.replace(node, repr(value + 1), "constant + 1")
            if value:
                self.replace(node, repr(value - 1) if value >= 1 else f"({value - 1!r})", "constant - 1")

    def call(self, node: ast.Call) -> None:
        """Add a mutant that calls another function (min for max), or mutants that leave out one argument with a
        default.
        """
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if isinstance(node.func, ast.Name) and name in EXTREMES:
            self.replace(node.func, EXTREMES[name], f"{name} to {EXTREMES[name]}")
        if name not in self.signatures or any(isinstance(part, ast.Starred) for part in node.args):
            return
        names, needed = self.signatures[name]
        for number, keyword in enumerate(node.keywords):
            if keyword.arg in names[needed:]:
                others = node.keywords[:number] + node.keywords[number + 1 :]
                self.replace(node, ast.unparse(ast.Call(node.func, node.args, others)), "argument dropped")
        if len(node.args) > needed and len(node.args) <= len(names) and not node.keywords:
            self.replace(node, ast.unparse(ast.Call(node.func, node.args[:-1], [])), "argument dropped")

    def replace(self, node: ast.AST, text: str, way: str) -> None:
        """Add the mutant that replaces ``node`` by ``text``; ``way`` names the kind of change."""
        source = self.source
        start, end = source.span(node)
        if isinstance(node, ast.Compare | ast.BoolOp | ast.BinOp | ast.UnaryOp | ast.Lambda | ast.IfExp):
            # the new text may bind less tightly than the old one or than the operators around it
            inner = source.text[start - 1 : start] + source.text[end : end + 1]
            text = text if inner == "()" else f"({text})"
        elif way == "condition negated" and source.text[start - 1 : start] + source.text[end : end + 1] != "()":
            text = f"({text})"
        first = source.text.rfind("\n", 0, start) + 1
        last = source.text.find("\n", end)
        last = len(source.text) if last < 0 else last
        before = " ".join(source.text[first:last].split())
        after = " ".join((source.text[first:start] + text + source.text[end:last]).split())
        if before != after:
            line = source.line_at(start)
            self.mutants.append(
                Mutant(self.file, self.function, line, self.statement, start, end, text, way, before, after)
            )
