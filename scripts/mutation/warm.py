"""Run rule tests against mutants: one process imports everything and runs the tests once, then forks a child per
mutant.

Started as ``python -m scripts.mutation.warm JOB``; JOB is a JSON file. Results are JSON objects, one a line,
written to the file descriptor that the job names.

The files with mutants are imported with a mark before every statement, so that the first run shows which tests
reach which statements. Kernels in these files, and kernels that call them, run as plain Python; all other kernels
stay compiled. A child replaces the code of the changed function. If the change lies outside functions, the child
imports the file again.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import json
import os
import re
import resource
import selectors
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import update_wrapper
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np
import pytest

from scripts.mutation.sites import Mutant

KERNELS = "wh_env.core.kernel"
MARKS = "_mutation_marks"
IMPORT = re.compile(r"^\s*(?:from|import) ([\w.]+)", re.MULTILINE)
TIMES = 10.0  # limit of a test, as a multiple of its usual time; the job's patience comes on top
WAITING = 20.0  # limit of a child by the clock, as a multiple of its limit of processor time
WARMING = 30.0  # seconds of tests that are run again before the mutants, so that kernels are loaded
SAVE_EVERY = 100  # tests between two savings of the record
MEMORY = 2 << 30  # bytes that a child may allocate in addition to the memory it starts with


@dataclass
class Job:
    """What to do, as `scripts/mutants.py` writes it to a file.

    Attributes:
        root: folder of the project.
        tests: paths of tests, for pytest.
        files: files with mutants, relative to ``root``.
        mutants: the changes to test.
        jobs: number of children at a time.
        out: file descriptor for the results.
        log: file that takes what pytest prints.
        record: file that keeps which tests reach which statements.
        patience: seconds of processor time that every test may take in any case.
        ruleset: run only tests of rules of this ruleset. None: tests of all rules.
    """

    root: Path
    tests: list[str]
    files: list[str]
    mutants: list[Mutant]
    jobs: int
    out: int
    log: Path
    record: Path
    patience: float
    ruleset: str | None = None

    @classmethod
    def read(cls, path: Path) -> Job:
        """Read a job from a JSON file."""
        data = json.loads(path.read_text(encoding="utf-8"))
        data["mutants"] = [Mutant(**mutant) for mutant in data["mutants"]]
        return cls(**{**data, "root": Path(data["root"]), "log": Path(data["log"]), "record": Path(data["record"])})


# ---------------------------------------------------------------- importing


class Marker(ast.NodeTransformer):
    """Puts a mark before every statement inside functions.

    Attributes:
        lines: for each mark, the first line of its statement.
        inside: True while the nodes of a function are visited.
    """

    def __init__(self) -> None:
        self.lines: list[int] = []
        self.inside = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Mark the statements of a function and of the functions inside it."""
        outside, self.inside = self.inside, True
        self.generic_visit(node)
        self.inside = outside
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Mark the statements of every block of a function."""
        for name, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                block: list[ast.stmt] = []
                for statement in value:
                    if self.inside:
                        block.append(self.mark(statement))
                    self.visit(statement)
                    block.append(statement)
                setattr(node, name, block)
            elif isinstance(value, list) and value and isinstance(value[0], ast.excepthandler | ast.match_case):
                for part in value:
                    self.generic_visit(part)
        return node

    def mark(self, statement: ast.stmt) -> ast.stmt:
        """The statement ``marks[n] = 1``, at the line of ``statement``."""
        self.lines.append(statement.lineno)
        assignment = ast.parse(f"{MARKS}[{len(self.lines) - 1}] = 1").body[0]
        for part in ast.walk(assignment):
            ast.copy_location(part, statement)
        return assignment


def marked(source: str) -> tuple[ast.Module, list[int]]:
    """The syntax tree of a source text with marks, and the line of each mark."""
    tree = ast.parse(source)
    marker = Marker()
    marker.visit(tree)
    return tree, marker.lines


class Importer(MetaPathFinder):
    """Imports files with mutants so that they have marks, and kernels that depend on these files as plain Python.

    Attributes:
        root: folder of the project.
        files: files with mutants by absolute path, each with its path relative to ``root``.
        sources: text of each file.
        marks: one byte for each mark of a file; 1 if the statement was reached.
        lines: for each mark of a file, the line of its statement.
        names: module names by file.
        users: by absolute path of a module, whether it has mutants or imports a module that has some.
    """

    def __init__(self, root: Path, files: Sequence[str]) -> None:
        self.root = root
        self.files = {str(root / file): file for file in files}
        self.sources = {file: (root / file).read_text(encoding="utf-8") for file in files}
        self.marks: dict[str, bytearray] = {}
        self.lines: dict[str, list[int]] = {}
        self.names: dict[str, str] = {}
        self.users: dict[str, bool] = dict.fromkeys(self.files, True)

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Choose `Loader` for files with mutants and for modules that depend on them; None leaves the import to
        Python.
        """
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin is None or not spec.origin.startswith(str(self.root)):
            return None
        if spec.origin in self.files or name == KERNELS or self.depends(spec.origin):
            spec.loader = Loader(name, spec.origin, self)
            return spec
        return None

    def depends(self, origin: str) -> bool:
        """True if the module at the path ``origin`` has mutants or imports, directly or not, a module that has some."""
        if origin not in self.users:
            self.users[origin] = False  # ends the recursion when modules import each other
            text = Path(origin).read_text(encoding="utf-8") if origin.endswith(".py") else ""
            places = (self.root.joinpath(*dotted.split(".")).with_suffix(".py") for dotted in IMPORT.findall(text))
            self.users[origin] = any(self.depends(str(place)) for place in places if place.is_file())
        return self.users[origin]

    def clear(self) -> None:
        """Forget which statements were reached."""
        for marks in self.marks.values():
            marks[:] = bytes(len(marks))

    def reached(self) -> dict[str, list[int]]:
        """The lines of the statements that were reached since `clear`, by file."""
        lines_by_file = {}
        for file, marks in self.marks.items():
            places = np.frombuffer(marks, np.uint8).nonzero()[0].tolist()
            if places:
                lines_by_file[file] = [self.lines[file][place] for place in places]
        return lines_by_file


class Loader(SourceFileLoader):
    """Loads one module for `Importer`."""

    def __init__(self, name: str, path: str, importer: Importer) -> None:
        super().__init__(name, path)
        self.importer = importer

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, with marks if it has mutants.

        Compiled kernels that it imports are wrapped by `plain_numbers`.
        """
        importer = self.importer
        file = importer.files.get(self.path)
        if file is None:
            super().exec_module(module)
        else:
            tree, lines = marked(importer.sources[file])
            importer.lines[file], importer.names[file] = lines, module.__name__
            importer.marks[file] = vars(module)[MARKS] = bytearray(len(lines))
            exec(compile(tree, self.path, "exec", dont_inherit=True), vars(module))
        if module.__name__ == KERNELS:
            choose_kernels(module, importer)
        else:
            for name, value in list(vars(module).items()):
                if hasattr(value, "py_func") and hasattr(value, "get_call_template"):
                    setattr(module, name, plain_numbers(value))


def choose_kernels(module: Any, importer: Importer) -> None:
    """Change the decorators of the kernel module so that functions that depend on mutants are not compiled.

    ``kernel`` and ``inner_kernel`` then return such functions unchanged. ``compiled_for`` returns everything
    unchanged that is not compiled or that `plain_numbers` has wrapped.
    """

    def unless_mutated(compile_: Callable[..., Any]) -> Callable[..., Any]:
        def kernel(function: Any) -> Any:
            return function if importer.depends(function.__code__.co_filename) else compile_(function)

        return kernel

    compiled_for = module.compiled_for

    def compiled_if_kernel(kernel: Any, arguments: Sequence[Any]) -> Any:
        return compiled_for(kernel, arguments) if hasattr(kernel, "compile") else kernel

    module.kernel, module.inner_kernel = unless_mutated(module.kernel), unless_mutated(module.inner_kernel)
    module.compiled_for = compiled_if_kernel


def plain_numbers(compiled: Callable[..., Any]) -> Callable[..., Any]:
    """A wrapper of a compiled kernel that converts NumPy numbers among the arguments to Python numbers.

    Compiled callers would pass such numbers in this way; a NumPy number would make the kernel compile again.
    """

    def call(*arguments: Any) -> Any:
        return compiled(*[given.item() if isinstance(given, np.number | np.bool_) else given for given in arguments])

    update_wrapper(call, compiled)
    return call


# ---------------------------------------------------------------- changing


class Unreachable(Exception):
    """The function cannot be found by its name, or the change lies outside functions."""


def function_at(module: ModuleType, dotted: str) -> Any:
    """The function of a module with a dotted name, without its decorators.

    Caches around it are cleared.

    Raises:
        Unreachable: the name leads to no function.
    """
    owner: Any = module
    for name in dotted.split("."):
        try:
            owner = vars(owner)[name]
        except (KeyError, TypeError) as error:
            raise Unreachable(dotted) from error
        if isinstance(owner, staticmethod | classmethod):
            owner = owner.__func__
        elif isinstance(owner, property):
            owner = owner.fget
    while hasattr(owner, "__wrapped__"):
        if hasattr(owner, "cache_clear"):
            owner.cache_clear()
        owner = owner.__wrapped__
    if not hasattr(owner, "__code__"):
        raise Unreachable(dotted)
    return owner


def code_at(code: CodeType, dotted: str) -> CodeType:
    """The code of a function inside the code of its module.

    Raises:
        Unreachable: no function or several functions have this name.
    """
    for name in dotted.split("."):
        inner = [part for part in code.co_consts if isinstance(part, CodeType) and part.co_name == name]
        if len(inner) != 1:
            raise Unreachable(dotted)
        code = inner[0]
    return code


def change(importer: Importer, mutant: Mutant) -> None:
    """Replace the code of the function that contains the mutant.

    Raises:
        Unreachable: this is not possible; the file must be imported again.
    """
    if mutant.statement == 0:
        raise Unreachable(mutant.function)
    source = mutant.applied(importer.sources[mutant.file])
    module = sys.modules[importer.names[mutant.file]]
    code = code_at(compile(source, module.__file__ or "", "exec", dont_inherit=True), mutant.function)
    function_at(module, mutant.function).__code__ = code


# ---------------------------------------------------------------- running


@dataclass
class Row:
    """What is known of a test: whether it passes without mutants, how long it takes and what it reaches."""

    hash: str  # hash of the test's file
    seconds: float  # processor time
    passed: bool
    lines: dict[str, list[int]]  # by file, the lines of the statements that the test reaches


class Record:
    """What each test reaches, kept in a file.

    A row is valid as long as neither the code of the project nor the file of the test changes.
    """

    def __init__(self, job: Job) -> None:
        self.path = job.record
        digest = hashlib.sha256(json.dumps(sorted(job.files)).encode())
        tests = [job.root / "tests"]
        for file in sorted(job.root.glob("*/**/*.py")) + sorted(job.root.glob("configs/**/*.yaml")):
            if not any(folder in file.parents for folder in tests) or file.name == "conftest.py":
                if not any(
                    part.startswith(".") or part in ("scripts", "out") for part in file.relative_to(job.root).parts
                ):
                    digest.update(file.read_bytes())
        self.code = digest.hexdigest()
        self.rows: dict[str, Row] = {}
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            if data["code"] == self.code:
                self.rows = {node: Row(**row) for node, row in data["tests"].items()}
        except (OSError, ValueError, TypeError, KeyError):
            pass  # no record yet, or one of another version

    def hash_of(self, path: Path) -> str:
        """Hash of a test file."""
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]

    def known(self, node: str, hash_: str) -> Row | None:
        """What is known of the test ``node``; None if its file has changed or it was never run."""
        row = self.rows.get(node)
        return row if row is not None and row.hash == hash_ else None

    def save(self) -> None:
        """Write the record. If the program is killed meanwhile, the old file stays."""
        data = {"code": self.code, "tests": {node: vars(row) for node, row in self.rows.items()}}
        # Not above: ``Importer`` must be there before any module of the project is imported.
        from wh_env.core.files import replacing

        with replacing(self.path) as draft:
            draft.write_text(json.dumps(data), encoding="utf-8")


@dataclass
class Child:
    """A process that runs tests against one mutant."""

    mutant: int  # its number in the job
    pid: int
    pipe: int  # file descriptor of what the process reports
    began: float  # time of the clock
    limit: float  # seconds by the clock
    report: bytes = b""  # what it has reported so far


@dataclass(eq=False)
class Warm:
    """The pytest plugin that runs the tests once after they are collected, and then the mutants.

    Attributes:
        job: what to do.
        importer: knows the files with mutants.
        seconds: usual processor time of each test.
        by_line: numbers of the tests that reach a statement, by file and line.
        passes: for each test, whether it passes without mutants.
        failed: whether the test that is running has failed.
    """

    job: Job
    importer: Importer
    seconds: list[float] = field(default_factory=list)
    by_line: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    passes: list[bool] = field(default_factory=list)
    failed: bool = False

    def tell(self, **what: Any) -> None:
        """Write a line with a JSON object to the program that started this one."""
        os.write(self.job.out, (json.dumps(what) + "\n").encode())

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep only the tests of rules (of the job's ruleset)."""
        items[:] = [item for item in items if self.tests_rule(item)]

    def tests_rule(self, item: pytest.Item) -> bool:
        """True for a test of a rule (of the job's ruleset)."""
        rules = [str(rule) for mark in item.iter_markers("rule") for rule in mark.args]
        if self.job.ruleset is None:
            return bool(rules) or "/rules/" in item.path.as_posix()
        return any(rule.startswith(f"{self.job.ruleset}.") for rule in rules)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that a test has failed."""
        if report.failed:
            self.failed = True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Count a file that cannot be collected as a failure."""
        if report.failed:
            self.failed = True

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run all tests once, then all mutants."""
        self.record(session.items)
        gc.freeze()
        self.all_mutants(session.items)
        return True

    def run(self, item: pytest.Item, following: pytest.Item | None) -> bool:
        """Run a test, and return True if it passed. The test ``following`` runs next, so that shared fixtures are kept
        for it.
        """
        self.failed = False
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        return not self.failed

    def record(self, items: Sequence[pytest.Item]) -> None:
        """Find out what each test reaches and how long it takes.

        Tests that the record already knows are not run again, except a few that load the kernels.
        """
        record = Record(self.job)
        hashes = {path: record.hash_of(path) for path in {item.path for item in items}}
        known = [record.known(item.nodeid, hashes[item.path]) for item in items]
        fresh = {number for number, row in enumerate(known) if row is None}
        to_run = sorted(fresh | self.warming(known))
        for place, number in enumerate(to_run):
            following = items[to_run[place + 1]] if place + 1 < len(to_run) else None
            self.importer.clear()
            began = time.process_time()
            passed = self.run(items[number], following)
            if number in fresh:
                row = Row(hashes[items[number].path], time.process_time() - began, passed, self.importer.reached())
                record.rows[items[number].nodeid] = known[number] = row
                if place % SAVE_EVERY == SAVE_EVERY - 1:
                    record.save()
            self.tell(recorded=place + 1, tests=len(to_run))
        record.save()
        rows = [row for row in known if row is not None]
        for number, row in enumerate(rows):
            for file, lines in row.lines.items():
                for line in set(lines):
                    self.by_line.setdefault((file, line), []).append(number)
        self.seconds, self.passes = [row.seconds for row in rows], [row.passed for row in rows]
        failed = [item.nodeid for item, passed in zip(items, self.passes, strict=True) if not passed]
        self.tell(failing=failed, tests=len(items), seconds=sum(self.seconds))

    @staticmethod
    def warming(known: Sequence[Row | None]) -> set[int]:
        """Numbers of fast tests that together reach every statement that the known tests reach.

        Running them once loads and compiles the kernels that the children use. Their total time is limited by
        `WARMING`.
        """
        reached: set[tuple[str, int]] = set()
        chosen, spent = set(), 0.0
        for number in sorted(range(len(known)), key=lambda n: row.seconds if (row := known[n]) else 0.0):
            row = known[number]
            if row is not None and spent < WARMING and row.passed:
                lines = {(file, line) for file, lines in row.lines.items() for line in lines}
                if not lines <= reached:
                    reached |= lines
                    spent += row.seconds
                    chosen.add(number)
        return chosen

    def tests_of(self, mutant: Mutant) -> list[int]:
        """Numbers of the tests that reach a mutant and pass without it, the fastest first."""
        if mutant.statement:
            numbers = set(self.by_line.get((mutant.file, mutant.statement), ()))
        else:
            numbers = self.users_of(mutant)
        return sorted((n for n in numbers if self.passes[n]), key=lambda n: self.seconds[n])

    def users_of(self, mutant: Mutant) -> set[int]:
        """Numbers of the tests that reach a statement with the name of a changed constant, or of a constant computed
        from it.
        """
        names = {mutant.before.split("=")[0].split(":")[0].strip()}
        trees = {file: ast.parse(text) for file, text in self.importer.sources.items()}
        grown = True
        while grown:
            before = len(names)
            for tree in trees.values():
                for node in tree.body:
                    if isinstance(node, ast.Assign) and names_in(node.value) & names:
                        names |= {
                            part.id
                            for target in node.targets
                            for part in ast.walk(target)
                            if isinstance(part, ast.Name)
                        }
            grown = len(names) > before
        numbers: set[int] = set()
        for file, tree in trees.items():
            for part in ast.walk(tree):
                if isinstance(part, ast.stmt) and not isinstance(part, ast.FunctionDef | ast.ClassDef):
                    if names_in(part) & names:
                        numbers.update(self.by_line.get((file, part.lineno), ()))
        # a constant that is reached through its class, or from other files, is not found: take all tests of the file
        return numbers or {n for (file, _), tests in self.by_line.items() if file == mutant.file for n in tests}

    # ------------------------------------------------------------ children

    def all_mutants(self, items: list[pytest.Item]) -> None:
        """Run a child for each mutant; at most ``job.jobs`` run at a time."""
        waiting = list(range(len(self.job.mutants)))[::-1]
        children: dict[int, Child] = {}
        with selectors.DefaultSelector() as selector:
            while waiting or children:
                while waiting and len(children) < self.job.jobs:
                    number = waiting.pop()
                    child = self.start(number, items)
                    if child is not None:
                        children[child.pipe] = child
                        selector.register(child.pipe, selectors.EVENT_READ)
                for key, _ in selector.select(timeout=1.0):
                    child = children[key.fd]
                    data = os.read(child.pipe, 65536)
                    child.report += data
                    if not data:
                        selector.unregister(child.pipe)
                        os.close(child.pipe)
                        self.report_end(children.pop(child.pipe))
                for child in children.values():
                    if time.monotonic() - child.began > child.limit:
                        os.kill(child.pid, signal.SIGKILL)

    def start(self, number: int, items: list[pytest.Item]) -> Child | None:
        """Fork a child for the mutant with this number. Returns None if no test reaches it; it is then reported as
        survived.
        """
        mutant = self.job.mutants[number]
        tests = self.tests_of(mutant)
        if not tests:
            self.tell(mutant=number, result="survived", by="no test reaches it", tests=0, seconds=0.0)
            return None
        limit = self.job.patience + sum(1.0 + TIMES * self.seconds[n] for n in tests)
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            self.child(mutant, [items[n] for n in tests], [self.seconds[n] for n in tests], writing)
        os.close(writing)
        return Child(number, pid, reading, time.monotonic(), WAITING * limit)

    def report_end(self, child: Child) -> None:
        """Wait for the end of a child and report its result."""
        _, status = os.waitpid(child.pid, 0)
        seconds = round(time.monotonic() - child.began, 2)
        lines = child.report.decode(errors="replace").splitlines()
        test = next((line[5:] for line in reversed(lines) if line.startswith("test ")), "")
        tests_run = sum(line.startswith("test ") for line in lines)
        last = lines[-1] if lines else ""
        if last in ("killed", "survived"):
            result, by = last, test if last == "killed" else ""
        elif os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGVTALRM, signal.SIGKILL):
            result, by = "timeout", test
        else:
            result, by = "killed", f"{test} (the process ended)"
        self.tell(mutant=child.mutant, result=result, by=by, tests=tests_run, seconds=seconds)

    def child(self, mutant: Mutant, items: list[pytest.Item], seconds: list[float], pipe: int) -> None:
        """The program of the child: change the code, run the tests, report, end the process.

        Args:
            mutant: the change.
            items: tests that reach it.
            seconds: usual processor time of each.
            pipe: file descriptor for the report.
        """
        code = 1
        try:
            quiet = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(quiet, stream)
            size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
            signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
            try:
                change(self.importer, mutant)
                survived = self.try_all(items, seconds, pipe)
            except Unreachable:
                survived = self.try_after_import(mutant, items, seconds, pipe)
            os.write(pipe, b"survived\n" if survived else b"killed\n")
            code = 0
        except BaseException:
            os.write(pipe, b"killed\n")  # the changed code cannot be compiled or imported
        finally:
            os._exit(code)

    def try_all(self, items: Sequence[pytest.Item], seconds: Sequence[float], pipe: int) -> bool:
        """Run tests until one fails. Returns True if none failed, that is, if the mutant survived."""
        for item, following, usual in zip(items, [*items[1:], None], seconds, strict=True):
            os.write(pipe, f"test {item.nodeid}\n".encode())
            signal.setitimer(signal.ITIMER_VIRTUAL, self.job.patience + TIMES * usual)
            passed = self.run(item, following)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
            if not passed:
                return False
        return True

    def try_after_import(
        self, mutant: Mutant, items: Sequence[pytest.Item], seconds: Sequence[float], pipe: int
    ) -> bool:
        """Import the changed file and all modules that depend on it again, collect the tests again and run them.

        Returns:
            True if the mutant survived.
        """
        self.importer.sources[mutant.file] = mutant.applied(self.importer.sources[mutant.file])
        for name, module in list(sys.modules.items()):
            origin = getattr(module, "__file__", None) or ""
            is_project_module = origin.startswith(str(self.job.root)) and not name.startswith("scripts.mutation")
            if is_project_module and (
                self.importer.depends(origin) or "/tests/" in origin or origin.endswith("__init__.py")
            ):
                del sys.modules[name]
        plugin = AfterImport(self, [item.nodeid for item in items], list(seconds), pipe)
        arguments = [str(path) for path in sorted({item.path for item in items})]
        pytest.main([*options(self.job), *arguments], plugins=[plugin])
        return plugin.survived


@dataclass(eq=False)
class AfterImport:
    """The pytest plugin of a child that has imported the changed file again."""

    warm: Warm
    nodes: list[str]
    seconds: list[float]
    pipe: int
    survived: bool = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that a test has failed."""
        self.warm.pytest_runtest_logreport(report)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests in their order. If one of them does not exist any more, the mutant counts as killed."""
        items = {item.nodeid: item for item in session.items}
        if all(node in items for node in self.nodes):
            self.survived = self.warm.try_all([items[node] for node in self.nodes], self.seconds, self.pipe)
        return True


def names_in(node: ast.AST) -> set[str]:
    """All names and attributes in a syntax tree."""
    parts: Iterator[ast.AST] = ast.walk(node)
    return {
        part.id if isinstance(part, ast.Name) else part.attr
        for part in parts
        if isinstance(part, ast.Name | ast.Attribute)
    }


def options(job: Job) -> list[str]:
    """Options for pytest: without plugins that write files, change the order or run tests in other processes."""
    return [
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "no:randomly",
        "--rootdir",
        str(job.root),
        "--tb=line",
    ]


def main() -> int:
    """Read the job and do it. Returns the exit status."""
    job = Job.read(Path(sys.argv[1]))
    sys.path.insert(0, str(job.root))
    log = os.open(job.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.chdir(job.root)
    importer = Importer(job.root, job.files)
    sys.meta_path.insert(0, importer)
    warm = Warm(job, importer)
    code = pytest.main([*options(job), *job.tests], plugins=[warm])
    if not warm.seconds:
        warm.tell(error=f"the tests could not be collected (pytest exit status {int(code)}); see {job.log}")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
