"""What the programs of ``scripts/`` share: exit codes, errors, Ctrl-C."""

from __future__ import annotations

import signal
from types import FrameType
from typing import NoReturn

import typer

INTERRUPTED = 130
BAD_INPUT = 2


def fail(error: object) -> NoReturn:
    """Print an error and exit."""
    typer.echo(f"error: {error}", err=True)
    raise typer.Exit(BAD_INPUT)


class Interrupt:
    """Turns the first Ctrl-C into a wish to stop after the step that runs, and says so if there is something ``told``; the second
    stops at once. It is true once somebody wished so."""

    def __init__(self, told: str = "") -> None:
        self.asked, self.told = False, told

    def __enter__(self) -> Interrupt:
        self.before = signal.signal(signal.SIGINT, self.hear)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self.before)

    def hear(self, _number: int, _frame: FrameType | None) -> None:
        """Ctrl-C was pressed."""
        self.asked = True
        signal.signal(signal.SIGINT, self.before)
        if self.told:
            typer.echo(self.told, err=True)

    def __call__(self) -> bool:
        return self.asked
