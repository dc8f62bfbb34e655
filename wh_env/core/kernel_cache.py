"""Where compiled kernels are kept between processes: one sealed file for each kernel and types of arguments.

What numba keeps by itself fails in ways that a battle must not: a damaged file raises whatever unpickling it raises, damaged machine code is
run, and a folder that cannot be written to ends the import or moves the cache into the source tree. Here a file that is not
as it was written is removed and its kernel compiled anew, and a folder that takes no files is passed over.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import logging
import os
import pickle
import stat
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.serialize import dumps

from wh_env.core.kernel_library import Callee, introduce
from wh_env.core.kernel_turns import turn

DISPATCHERS: dict[str, Any] = {}
LOG = logging.getLogger(__name__)
SEAL = hashlib.sha256().digest_size


@lru_cache(maxsize=1)
def cache_folders() -> tuple[Path, ...]:
    """Folders in which kernels are looked for, and kept in the first that takes them: that of ``WH_ENV_CACHE``, ``XDG_CACHE_HOME`` or the
    home folder, then one for this user among temporary files."""
    return tuple(folder for folder in (_chosen_folder(), _shared_folder()) if folder is not None)


def _chosen_folder() -> Path | None:
    chosen = os.environ.get("WH_ENV_CACHE") or os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(chosen) if chosen else Path.home() / ".cache") / "wh_env"
    except RuntimeError:
        return None  # nobody's home


@lru_cache(maxsize=1)
def _shared_folder() -> Path | None:
    """A folder in one where everybody may write."""
    try:
        return Path(tempfile.gettempdir()) / f"wh_env-{_user()}"
    except OSError:
        return None  # no folder for temporary files either


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0


def _own(folder: Path) -> bool:
    """Whether only this user can have written what lies there: whoever else could would run code as this user."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == _user() and not found.st_mode & 0o022


@cache
def _say(folder: Path, reason: str) -> None:
    """Say once that a folder takes no kernels."""
    LOG.warning("kernels cannot be kept in %s: %s (WH_ENV_CACHE names another folder)", folder, reason)


class KernelCache(FunctionCache):  # type: ignore[misc]
    """What a dispatcher of numba keeps compiled code in.

    Args:
        function: the kernel in Python.
        key: a name for everything that the compiled code depends on and that is not the kernel itself.
        mark: of the name of its files; tells two kinds of compiled code of one kernel from each other.
    """

    def __init__(self, function: Callable[..., Any], key: str, mark: str = "") -> None:
        # not that of numba, which looks for a folder of its own and fails if there is none
        code = function.__code__
        self._py_func = function
        self._folder: Path = (
            Path(key) / function.__module__
        )  # not its path: checkouts and wheels with the same sources share kernels
        version = f"py{sys.version_info[0]}{sys.version_info[1]}"
        stem = f"{Path(code.co_filename).stem}.{function.__qualname__}-{code.co_firstlineno}{mark}.{version}"
        self.name = f"{function.__module__}.{function.__qualname__}{mark}"
        self._stem: str = stem.replace("<", "").replace(">", "")
        self.enable()

    @property
    def cache_path(self) -> str:
        """The folder that kernels are kept in if it takes them."""
        return str(next(iter(cache_folders()), Path()) / self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for a signature; None if there is none that is sound."""
        target_context.refresh()
        wanted = self._wanted(sig, target_context.codegen())
        for folder in cache_folders():
            if folder == _shared_folder() and not _own(folder):
                continue
            file = self._file(folder, wanted)
            try:
                data = file.read_bytes()
            except OSError:
                continue
            try:
                if data[:SEAL] != _seal(wanted, data[SEAL:]):
                    raise ValueError("not as it was written")
                calls, large, callees, content = pickle.loads(data[SEAL:])
                called = self._called(calls)
                compiled = CompileResult._rebuild(target_context, *content)
                introduce(compiled, self.name, called, large)
                compiled.library.callees = callees
                return compiled
            except Exception as fault:  # whatever comes of a file of another making
                LOG.info("%s is made anew: %s", file, fault)
                _remove(file)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code, if there is a folder that takes it."""
        calls, large = getattr(data.library, "calls", {}), getattr(data.library, "large", False)
        introduce(data, self.name, calls, large)
        if data.library.has_dynamic_globals:
            return  # holds addresses of this process
        wanted = self._wanted(sig, data.codegen)
        listed = [(callee.kernel, callee.arguments, callee.symbol) for callee in calls.values()]
        callees = getattr(data.library, "callees", [])
        content = dumps((listed, large, callees, data._reduce()))
        for folder in cache_folders():
            try:
                _ready(folder)
                _write(self._file(folder, wanted), _seal(wanted, content) + content)
                return
            except OSError as fault:
                _say(folder, fault.strerror or str(fault))

    @contextlib.contextmanager
    def turn(self, sig: Any, codegen: Any) -> Iterator[None]:
        """While it lasts no other process compiles this kernel (``kernel_turns``); at once where it is kept already."""
        wanted = self._wanted(sig, codegen)
        folders = cache_folders()
        if not any(self._file(folder, wanted).exists() for folder in folders):
            for folder in folders:
                with contextlib.ExitStack() as stack:
                    try:
                        _ready(folder)
                        stack.enter_context(turn(self._file(folder, wanted)))
                    except OSError:
                        continue  # it takes no files
                    yield
                    return
        yield

    @property
    def place(self) -> tuple[Path, str]:
        """The folder below a cache folder that its files lie in, and what their names begin with."""
        return self._folder, f"{self._stem}."

    def _called(self, calls: list[tuple[str, tuple[Any, ...], str]]) -> dict[str, Callee]:
        """The kernels that kept code calls, ready to be called."""
        found = {}
        for name, arguments, symbol in calls:
            dispatcher = DISPATCHERS[name]
            dispatcher.compile(arguments)
            callee = dispatcher.overloads[arguments].library.callee
            if callee.symbol != symbol:
                raise ValueError(f"{name} was compiled anew since")
            found[symbol] = callee
        return found

    def flush(self) -> None:
        """Forget everything that is kept of this kernel."""
        for folder in cache_folders():
            for file in (folder / self._folder).glob(f"{self._stem}.*"):
                _remove(file)

    def _wanted(self, sig: Any, codegen: Any) -> str:
        """In words, what compiled code has to fit: types, processor, the kernel's own code."""
        return repr(self._index_key(sig, codegen))

    def _file(self, folder: Path, wanted: str) -> Path:
        """Where in a folder the compiled code is kept."""
        return folder / self._folder / f"{self._stem}.{hashlib.sha256(wanted.encode()).hexdigest()[:16]}.nbc"


def in_turn(dispatcher: Any) -> None:
    """Let a dispatcher with a ``KernelCache`` compile when it is its turn, and be found by kernels that call it."""
    kept, compile_now = dispatcher._cache, dispatcher.compile

    def compile_in_turn(sig: Any) -> Any:
        with global_compiler_lock:  # before the turn: a thread that has it waits for nobody else in this process
            if sig in dispatcher.overloads:
                return compile_now(sig)
            with kept.turn(sig, dispatcher.targetctx.codegen()):
                return compile_now(sig)

    dispatcher.compile = compile_in_turn
    DISPATCHERS[kept.name] = dispatcher


def folder_for_kernels() -> Path | None:
    """The first cache folder that takes files; None if there is none."""
    for folder in cache_folders():
        try:
            _ready(folder)
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


def _ready(folder: Path) -> None:
    """Make sure that what is written to a folder is safe there.

    Raises:
        OSError: it is not.
    """
    if folder == _shared_folder():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _own(folder):
            raise PermissionError(errno.EPERM, "others can write there")


def _write(file: Path, data: bytes) -> None:
    """Write a file as a whole or not at all, whoever else writes it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{uuid.uuid4().hex}")
    try:
        part.write_bytes(data)
        part.replace(file)
    except BaseException:
        _remove(part)
        raise


def _seal(wanted: str, content: bytes) -> bytes:
    return hashlib.sha256(wanted.encode() + content).digest()


def _remove(file: Path) -> None:
    with contextlib.suppress(OSError):  # whoever reads it next refuses it again
        file.unlink(missing_ok=True)
