"""No two folders of a ruleset import each other, directly or through others.

A folder is a package directly below the ruleset; a module directly below it counts as a node of its own. Imports within functions and under
``if TYPE_CHECKING`` count as others do, imports within one folder do not.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RULESETS = ("w8", "w9", "w10", "epic")  # to come: wap, w40k
MOST_LINES_SHOWN = 3  # of the imports from one folder to another

# Of each node the nodes that it imports, with the lines that do so: "path:line: statement".
Graph = Mapping[str, Mapping[str, list[str]]]


def imported(node: ast.stmt, package: list[str]) -> Iterator[list[str]]:
    """Absolute dotted names, as lists of their parts, that a statement imports.

    Args:
        node: any statement; one that is no import yields nothing.
        package: parts of the package that holds the module: what ``.`` stands for.
    """
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name.split(".")
    elif isinstance(node, ast.ImportFrom):
        base = package[: len(package) - node.level + 1] if node.level else []
        base = [*base, *(node.module.split(".") if node.module else [])]
        for alias in node.names:
            yield [*base, alias.name]


def folders_importing(ruleset: Path, name: str) -> Graph:
    """Of each folder, and each module directly below the ruleset, what it imports of the ruleset.

    Args:
        ruleset: folder of the ruleset.
        name: dotted name of its package.
    """
    parts = name.split(".")
    nodes = {path.stem if path.is_file() else path.name for path in ruleset.iterdir()}
    graph: dict[str, dict[str, list[str]]] = {}
    for path in sorted(ruleset.rglob("*.py")):
        within = path.relative_to(ruleset)
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        here = within.parts[0].removesuffix(".py")
        edges = graph.setdefault(here, {})
        for node in ast.walk(ast.parse(source)):
            if not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            for target in imported(node, [*parts, *within.parts[:-1]]):
                if target[: len(parts)] != parts:
                    continue
                there = target[len(parts)] if len(target) > len(parts) else "__init__"
                there = there if there in nodes else "__init__"  # a name that the ruleset's package itself defines
                if there != here:
                    shown = f"{within.as_posix()}:{node.lineno}: {lines[node.lineno - 1].strip()}"
                    if shown not in edges.setdefault(there, []):
                        edges[there].append(shown)
    for there in {there for edges in graph.values() for there in edges}:
        graph.setdefault(there, {})
    return graph


def shortest_cycle(graph: Graph) -> list[str]:
    """Nodes of a shortest cycle, each of which imports the next and the last the first; empty if there is none."""
    shortest: list[str] = []
    for start in sorted(graph):
        came_from = {start: start}
        queue = deque([start])
        while queue:
            node = queue.popleft()
            if start in graph[node]:
                cycle = [node]
                while cycle[-1] != start:
                    cycle.append(came_from[cycle[-1]])
                if not shortest or len(cycle) < len(shortest):
                    shortest = cycle[::-1]
                break
            for other in sorted(graph[node]):
                if other not in came_from:
                    came_from[other] = node
                    queue.append(other)
    return shortest


def mutual_pairs(graph: Graph) -> list[tuple[str, str]]:
    """Pairs of nodes that import each other directly."""
    return [(one, two) for one in sorted(graph) for two in sorted(graph[one]) if one < two and one in graph[two]]


def report(graph: Graph) -> str:
    """A shortest cycle with the lines that make it, then all pairs that import each other; empty if there is no cycle."""
    cycle = shortest_cycle(graph)
    if not cycle:
        return ""
    said = ["folders import each other: " + " -> ".join([*cycle, cycle[0]])]
    for here, there in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        lines = graph[here][there]
        said.append(f"  {here} imports {there} in {len(lines)} place(s):")
        said += [f"    {line}" for line in lines[:MOST_LINES_SHOWN]]
    pairs = mutual_pairs(graph)
    said.append(f"  {len(pairs)} pair(s) import each other: " + ", ".join(f"{one} <-> {two}" for one, two in pairs))
    return "\n".join(said)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_folders_of_a_ruleset_do_not_import_each_other(ruleset: str) -> None:
    graph = folders_importing(ROOT / "wh_env" / "rulesets" / ruleset, f"wh_env.rulesets.{ruleset}")
    assert len(graph) > 3 and sum(len(edges) for edges in graph.values()) > 3
    said = report(graph)
    assert not said, said


def write(folder: Path, files: Mapping[str, str]) -> Graph:
    """The graph of a ruleset ``games.toy`` with these files."""
    for name, text in {"__init__.py": "", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folders_importing(folder, "games.toy")


@pytest.mark.parametrize(
    ("path", "statement", "there"),
    [
        ("charge/declare.py", "from games.toy.move.phase import f", "move"),
        ("charge/declare.py", "from games.toy.move import phase", "move"),
        ("charge/declare.py", "from games.toy import move", "move"),
        ("charge/declare.py", "from games.toy import VERSION", "__init__"),
        ("charge/declare.py", "import games.toy.move.phase as p", "move"),
        ("charge/declare.py", "import games.toy", "__init__"),
        ("charge/declare.py", "from ..move.phase import f", "move"),
        ("charge/declare.py", "from .. import move", "move"),
        ("charge/deep/declare.py", "from ...move import phase", "move"),
        ("charge/__init__.py", "from ..move import phase", "move"),
        ("charge/declare.py", "from ..codes import HIT", "codes"),
        ("classes.py", "from .move import phase", "move"),
        ("charge/declare.py", "def f():\n    from ..move import phase", "move"),
        ("charge/declare.py", "if TYPE_CHECKING:\n    from ..move.phase import Phase", "move"),
        ("charge/declare.py", "try:\n    import games.toy.move\nexcept ImportError:\n    pass", "move"),
    ],
)
def test_imports_are_found(tmp_path: Path, path: str, statement: str, there: str) -> None:
    graph = write(tmp_path, {"move/phase.py": "", "codes.py": "", path: statement})
    assert {node: list(edges) for node, edges in graph.items() if edges} == {
        path.split("/")[0].removesuffix(".py"): [there]
    }


@pytest.mark.parametrize(
    "statement",
    [
        "from games.toy.charge.other import f",
        "from .other import f",
        "from . import other",
        "import games.other.move",
        "from games.toybox.move import phase",
        "from move import phase",
        "import numpy",
        "move = 'from ..move import phase'",
    ],
)
def test_other_imports_are_no_edges(tmp_path: Path, statement: str) -> None:
    graph = write(tmp_path, {"move/phase.py": "", "charge/other.py": "", "charge/declare.py": statement})
    assert graph["charge"] == {}


def test_a_cycle_is_shown_with_its_lines(tmp_path: Path) -> None:
    graph = write(
        tmp_path,
        {
            "a/one.py": "import os\n\nfrom ..b.two import f\n",
            "b/two.py": "from ..codes import HIT\n\n\ndef f():\n    from ..c import three\n",
            "c/three.py": "from games.toy.a import one\n",
            "codes.py": "HIT = 1\n",
        },
    )
    assert shortest_cycle(graph) == ["a", "b", "c"]
    said = report(graph)
    assert "a -> b -> c -> a" in said
    assert "a/one.py:3: from ..b.two import f" in said
    assert "b/two.py:5: from ..c import three" in said
    assert "c/three.py:1: from games.toy.a import one" in said
    assert mutual_pairs(graph) == []


def test_a_pair_is_the_shortest_cycle(tmp_path: Path) -> None:
    graph = write(
        tmp_path,
        {
            "a/one.py": "from ..b import two",
            "b/two.py": "from ..c import three",
            "c/three.py": "from ..a import one\nfrom ..b import two",
        },
    )
    assert shortest_cycle(graph) == ["b", "c"]
    assert mutual_pairs(graph) == [("b", "c")]


def test_no_cycle_is_no_report(tmp_path: Path) -> None:
    graph = write(tmp_path, {"a/one.py": "from ..b import two\nfrom ..c import three", "b/two.py": "from ..c import x"})
    assert shortest_cycle(graph) == []
    assert report(graph) == ""
