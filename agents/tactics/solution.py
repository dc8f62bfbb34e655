"""Best values of positions, stored beside the positions, so that scoring an agent needs no search."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from wh_env import ContentError
from wh_env.content.errors import Expected
from wh_env.content.fields import Content, Count, Name, Positive
from wh_env.content.load import there, validate
from wh_env.content.plain import plain
from wh_env.content.reading import MOST_BYTES, read_bytes
from wh_env.core.files import replacing

from .position import Position
from .themes import load_theme

SUFFIX = ".solved.json"
Whole = Annotated[int, Field(strict=True)]
Value = Annotated[float, Field(strict=True, allow_inf_nan=False)]


@dataclass(frozen=True)
class Option:
    """A choice in the first decision, with its value if everything after it is played best, and the standard
    error of that value.
    """

    words: str
    value: float
    error: float


@dataclass(frozen=True)
class Solution:
    """The solution of a position.

    Attributes:
        digest: digest of the position that was solved.
        value, error, samples: mean value of best play, its standard error, and the number of dice futures.
        random, random_error: the same of uniformly random play, with as many futures.
        options: choices in the first decision: the best ones first, then those that the position names.
        best, naive: indices in ``options`` of the choices that the position names.
        seed: seed of all dice.
        tries: number of dice futures for each choice in the search.
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
        """The regret of random play."""
        return self.value - self.random


def file_of(position: Position) -> Path:
    """The file with the solutions of a position's theme."""
    return position.file.with_name(position.file.stem + SUFFIX)


class _Option(Content):
    """An option in the file."""

    words: Name
    value: Value
    error: Value


class _Solved(Content):
    """A solution in the file."""

    digest: Name
    value: Value
    error: Value
    samples: Positive
    random: Value
    random_error: Value
    options: Annotated[tuple[_Option, ...], Field(min_length=1, max_length=1000)]
    best: Count
    naive: Count
    seed: Whole
    tries: Positive

    @model_validator(mode="after")
    def _check_indices(self) -> Self:
        """Refuse indices without an option."""
        for field in ("best", "naive"):
            if getattr(self, field) >= len(self.options):
                raise Expected(f"less than {len(self.options)}, the options", "is none", field, getattr(self, field))
        return self


def _read(file: Path) -> dict[str, Any]:
    """The content of a file of solutions; empty if there is no file.

    Raises:
        ContentError: it cannot be read.
    """
    if not there(file):
        return {}
    try:
        data = json.loads(read_bytes(file, str(file), MOST_BYTES).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        if isinstance(error, ContentError):
            raise
        raise ContentError(
            str(file), "", str(error), "what tactics.py --solve has written", "cannot be read"
        ) from error
    solutions = plain(data, str(file))
    if not isinstance(solutions, dict):
        raise ContentError(str(file), "", solutions, "solutions by the names of positions", "is no mapping")
    return solutions


def read_solutions(positions: Iterable[Position]) -> dict[str, Solution]:
    """The solutions of positions by name.

    Raises:
        ContentError: a solution is missing, or its position was changed since.
    """
    solutions: dict[str, Solution] = {}
    for position in positions:
        file = file_of(position)
        data = _read(file).get(position.name)
        if not isinstance(data, dict) or data.get("digest") != position.digest:
            problem = "has no solution" if data is None else "has been changed since it was solved"
            raise ContentError(
                str(file),
                position.name,
                position.name,
                f"a solution: tactics.py --solve --position {position.name}",
                problem,
            )
        fields = dict(validate(_Solved, data, f"{file}: {position.name}"))
        options = tuple(Option(**dict(option)) for option in fields["options"])
        solutions[position.name] = Solution(**{**fields, "options": options})
    return solutions


def write_solution(position: Position, solution: Solution) -> None:
    """Store a solution. The file is replaced as a whole; solutions of positions that no longer exist are
    removed.
    """
    file = file_of(position)
    known = {**_read(file), position.name: asdict(solution)}
    order = [other.name for other in load_theme(position.file)]
    solutions = {name: known[name] for name in order if name in known}
    with replacing(file) as draft:
        draft.write_text(json.dumps(solutions, indent=1) + "\n", encoding="utf-8")
