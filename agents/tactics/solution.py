"""Best values of positions, as they are kept beside the positions, so that scoring an agent needs no search."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agents.tactics.position import Position, load_theme
from wh_env import ContentError

SUFFIX = ".solved.json"


@dataclass(frozen=True)
class Option:
    """A choice in the first decision: what it is worth if everything after it is played best, with its standard error."""

    words: str
    value: float
    error: float


@dataclass(frozen=True)
class Solution:
    """What is known of a position.

    Attributes:
        digest: of the position it was measured on.
        value, error, samples: of best play: mean and standard error over so many dice futures.
        random, random_error: of uniformly random play, over as many.
        options: of the first decision, the best ones first, and those that the position names.
        best, naive: where in ``options`` the choices stand that the position names.
        seed: all dice followed from it. tries: dice futures for each choice while best play was looked for.
    """

    digest: str
    value: float
    error: float
    samples: int
    random: float
    random_error: float
    options: tuple[Option, ...]
    best: int
    naive: int
    seed: int
    tries: int

    @property
    def stake(self) -> float:
        """What random play gives away."""
        return self.value - self.random


def file_of(position: Position) -> Path:
    """Where the solutions of a position's theme are kept."""
    return position.file.with_name(position.file.stem + SUFFIX)


def _read(file: Path) -> dict[str, Any]:
    if not file.is_file():
        return {}
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ContentError(
            str(file), "", str(error), "what tactics.py --solve has written", "cannot be read"
        ) from error
    return dict(data)


def read_solutions(positions: Iterable[Position]) -> dict[str, Solution]:
    """The solutions of positions by name.

    Raises:
        ContentError: there is none, or the position has been changed since it was solved.
    """
    found: dict[str, Solution] = {}
    for position in positions:
        file = file_of(position)
        data = _read(file).get(position.name)
        if data is None or data.get("digest") != position.digest:
            problem = "has no solution" if data is None else "has been changed since it was solved"
            raise ContentError(
                str(file),
                position.name,
                position.name,
                f"a solution: tactics.py --solve --position {position.name}",
                problem,
            )
        options = tuple(Option(**option) for option in data["options"])
        found[position.name] = Solution(**{**data, "options": options})
    return found


def write_solution(position: Position, solution: Solution) -> None:
    """Keep a solution; the file is replaced as a whole, solutions of positions that are gone are dropped."""
    file = file_of(position)
    known = {**_read(file), position.name: asdict(solution)}
    order = [other.name for other in load_theme(position.file)]
    kept = {name: known[name] for name in order if name in known}
    scratch = file.with_name(file.name + ".part")
    scratch.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    os.replace(scratch, file)
