"""What all programs of ``scripts/`` share: exit codes, errors in one line, Ctrl-C, checks that files
can be written.

Exit codes: 0 success; 1 the checked thing is not in order; 2 bad arguments or a bad input file; 70
a fault of the program or of a policy; 74 something cannot be written or read; 130 Ctrl-C; 141
nobody reads the output.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import typer
from typer.main import get_command

from wh_env import ContentError
from wh_env.content.load import OWN, own_roots

from .options import spread
from .policies import UnknownPolicy

INTERRUPTED = 130
BAD_INPUT = 2
INTERNAL = 70
INPUT_OUTPUT = 74
NO_READER = 141
CONTENT = "--content"
OF_ALL = f"Every program takes {CONTENT} DIR (or ${OWN}): a folder of your own, searched before the included content."
BAD_USE: Any = typer.BadParameter.mro()[1]  # UsageError, whose module depends on the version of typer
TRACEBACK = "WH_ENV_TRACEBACK"  # environment variable; with any value, faults are printed with their traceback
MOST_SEED = 2**62  # greatest seed to give, because programs add numbers of games and players to it
BLOCK = 4096  # bytes that a folder must accept before a program writes there


def run(program: Callable[..., Any] | typer.Typer, several: Iterable[str] = ()) -> NoReturn:
    """Run a program with the arguments of the command line, then exit. Errors are printed in one line.

    Args:
        program: a function whose signature is its command line, or an application with several commands.
        several: options that take several values (``options.spread``).
    """
    if not isinstance(program, typer.Typer):
        app = typer.Typer(add_completion=False)
        app.command()(program)
        program = app
    command = get_command(program)
    command.epilog = OF_ALL

    def invoked() -> Any:  # ``command.main`` would use its own exit codes
        arguments = with_own_content(sys.argv[1:])
        with command.make_context(Path(sys.argv[0]).name, spread(arguments, several)) as context:
            return command.invoke(context)

    sys.exit(exit_code_of(invoked))


def with_own_content(arguments: Sequence[str]) -> list[str]:
    """Remove ``--content DIR`` from the arguments and make its folders known to this process and those
    that it starts.

    Returns:
        The other arguments.

    Raises:
        ContentError: a folder is missing.
    """
    rest: list[str] = []
    folders: list[str] = []
    left = iter(arguments)
    for argument in left:
        name, equals, value = argument.partition("=")
        if name != CONTENT:
            rest.append(argument)
        elif folder := value if equals else next(left, ""):
            folders.append(folder)
        else:
            raise ContentError(CONTENT, "", "", "a folder with content of your own", "names none")
    if folders:
        os.environ[OWN] = os.pathsep.join(str(Path(folder).absolute()) for folder in folders)
        own_roots()  # raises an error for a path that is no folder
    return rest


def exit_code_of(work: Callable[[], Any]) -> int:
    """Do the work, print what went wrong, and return the exit code."""
    try:
        code = work()
        sys.stdout.flush()
    except BaseException as error:
        code = _code(error)
        if code == INTERNAL and os.environ.get(TRACEBACK):
            traceback.print_exception(error)
        elif code != NO_READER:
            _tell(_words(error, code))
        _leave_output()
    return code if isinstance(code, int) else 0


def _code(error: BaseException) -> int:
    """The exit code for an exception."""
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return INTERRUPTED
    if isinstance(error, SystemExit | typer.Exit):
        code = error.code if isinstance(error, SystemExit) else error.exit_code
        return code if isinstance(code, int) else int(code is not None)
    if isinstance(error, BrokenPipeError):
        return NO_READER
    if isinstance(error, OSError | sqlite3.OperationalError):
        return INPUT_OUTPUT
    return BAD_INPUT if isinstance(error, ContentError | UnknownPolicy | BAD_USE) else INTERNAL


def _words(error: BaseException, code: int) -> str:
    """The line to print for an exception; empty for none."""
    if code == INTERRUPTED:
        return "interrupted"
    if isinstance(error, SystemExit | typer.Exit):
        return ""
    if isinstance(error, BAD_USE):
        return f"error: {error.format_message() or 'a command is missing'} (--help lists the options)"
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename is not None else ""
        return f"error: {place}{error.strerror or error}"
    try:
        words = str(error)
    except Exception:  # the error class of a user's policy may be broken
        words = "it does not say what"
    if code in (BAD_INPUT, INPUT_OUTPUT):
        return f"error: {words}"
    frames = traceback.extract_tb(error.__traceback__)
    where = f", {Path(frames[-1].filename).name} line {frames[-1].lineno}" if frames else ""
    return f"error: {type(error).__name__}: {' '.join(words.split())[:500]}{where} ({TRACEBACK}=1 tells more)"


def _tell(words: str) -> None:
    """Print a line to standard error; nothing if it cannot be written."""
    if words:
        try:
            sys.stderr.write(words + "\n")
            sys.stderr.flush()
        except (OSError, ValueError):
            pass  # nobody reads standard error


def _leave_output() -> None:
    """Send the rest of the output to nowhere if it cannot be written, so that Python does not try
    again at its end.
    """
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def writable(path: Path | None, option: str) -> None:
    """Check, before the work, that a file can be written at this path.

    Args:
        path: the file; ``None`` passes.
        option: name of the command-line option, for the error.

    Raises:
        typer.Exit: the file cannot be written; the reason is printed.
    """
    if path is None:
        return
    try:
        with contextlib.suppress(FileNotFoundError):
            path.stat()
        if path.exists() and not path.is_file():
            fail(f"{option}: {path}: expected the name of an ordinary file")
        writable_folder(path.parent, option)
    except (OSError, ValueError) as error:
        fail(f"{option}: {path}: cannot be written ({reason(error)})", INPUT_OUTPUT)


def writable_folder(folder: Path, option: str) -> None:
    """Check, before the work, that files can be written in a folder. Make the folder if it does not
    exist.

    Raises:
        typer.Exit: files cannot be written; the reason is printed.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(BLOCK))
    except (OSError, ValueError) as error:
        fail(f"{option}: {folder}: cannot be written ({reason(error)})", INPUT_OUTPUT)


def reason(error: Exception) -> str:
    """Why a file cannot be used, in words."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def fail(error: object, code: int = BAD_INPUT) -> NoReturn:
    """Print an error and exit with ``code``."""
    typer.echo(f"error: {error}", err=True)
    raise typer.Exit(code)


class Interrupt:
    """Turns the first Ctrl-C into a request to stop after the present step; the second one stops at
    once.

    Use it as a context. Calling it returns whether a stop was requested.

    Args:
        told: text to print at the first Ctrl-C; empty for none.
    """

    def __init__(self, told: str = "") -> None:
        self.asked, self.told = False, told

    def __enter__(self) -> Interrupt:
        self.before = signal.signal(signal.SIGINT, self.hear)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self.before)

    def hear(self, _number: int, _frame: FrameType | None) -> None:
        """Handle Ctrl-C."""
        self.asked = True
        signal.signal(signal.SIGINT, self.before)
        if self.told:
            typer.echo(self.told, err=True)

    def __call__(self) -> bool:
        """Whether a stop was requested."""
        return self.asked
