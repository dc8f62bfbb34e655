"""Where compiled kernels are stored between processes: one sealed file for each kernel and types of arguments.

Numba's own cache fails in ways that a battle must not. A damaged file raises whatever unpickling raises; damaged
machine code is run; a folder that cannot be written ends the import or moves the cache into the source tree. Here a
damaged file is removed and its kernel compiled again, and a folder that takes no files is skipped.
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
    """The folders in which kernels are looked for, the first of which is used for writing if it takes files.

    First the folder ``wh_env`` in ``WH_ENV_CACHE``, ``XDG_CACHE_HOME`` or ``.cache`` of the home folder; then one for
    this user among the temporary files.
    """
    return tuple(folder for folder in (_chosen_folder(), _shared_folder()) if folder is not None)


def _chosen_folder() -> Path | None:
    """The folder that the environment names, or the one in the home folder; None if the user has no home folder."""
    chosen = os.environ.get("WH_ENV_CACHE") or os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(chosen) if chosen else Path.home() / ".cache") / "wh_env"
    except RuntimeError:
        return None  # nobody's home


@lru_cache(maxsize=1)
def _shared_folder() -> Path | None:
    """A folder for this user in the folder for temporary files, where everybody may write; None if there is no such
    folder.
    """
    try:
        return Path(tempfile.gettempdir()) / f"wh_env-{_user()}"
    except OSError:
        return None  # no folder for temporary files either


def _user() -> int:
    """The number of the user, 0 on systems without such numbers."""
    return os.getuid() if hasattr(os, "getuid") else 0


def _own(folder: Path) -> bool:
    """Whether ``folder`` is a folder that only this user can write to. From any other folder one could be made to run
    somebody else's code.
    """
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == _user() and not found.st_mode & 0o022


@cache
def _say(folder: Path, reason: str) -> None:
    """Log, once for each folder and reason, that kernels cannot be stored there."""
    LOG.warning("kernels cannot be kept in %s: %s (WH_ENV_CACHE names another folder)", folder, reason)


class KernelCache(FunctionCache):  # type: ignore[misc]
    """The cache that a dispatcher of numba uses for its compiled code.

    Args:
        function: the kernel in Python.
        key: a name for everything besides the kernel itself that the compiled code depends on.
        mark: part of its file names; it tells two kinds of compiled code of one kernel from each other.
    """

    def __init__(self, function: Callable[..., Any], key: str, mark: str = "") -> None:
        """See the class."""
        # numba's own __init__ is not called: it looks for a folder of its own and fails if there is none
        code = function.__code__
        self._py_func = function
        # the module's name and not its path, so that checkouts and wheels with the same sources share kernels
        self._folder: Path = Path(key) / function.__module__
        version = f"py{sys.version_info[0]}{sys.version_info[1]}"
        stem = f"{Path(code.co_filename).stem}.{function.__qualname__}-{code.co_firstlineno}{mark}.{version}"
        self.name = f"{function.__module__}.{function.__qualname__}{mark}"
        self._stem: str = stem.replace("<", "").replace(">", "")
        self.enable()

    @property
    def cache_path(self) -> str:
        """The folder in which the kernel is stored if the first cache folder takes files."""
        return str(next(iter(cache_folders()), Path()) / self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for the signature ``sig``; None if no undamaged file has it. Damaged files are removed."""
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
        """Store the compiled code ``data`` for the signature ``sig`` in the first folder that takes it. Failures are
        logged, not raised.
        """
        calls, large = getattr(data.library, "calls", {}), getattr(data.library, "large", False)
        introduce(data, self.name, calls, large)
        if data.library.has_dynamic_globals:
            return  # the code contains addresses of this process
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
        """A context manager during which no other process compiles this kernel (``kernel_turns``). It does not wait if
        the kernel is stored already or no folder takes files.
        """
        wanted = self._wanted(sig, codegen)
        folders = cache_folders()
        if not any(self._file(folder, wanted).exists() for folder in folders):
            for folder in folders:
                with contextlib.ExitStack() as stack:
                    try:
                        _ready(folder)
                        stack.enter_context(turn(self._file(folder, wanted)))
                    except OSError:
                        continue  # the folder takes no files
                    yield
                    return
        yield

    @property
    def place(self) -> tuple[Path, str]:
        """The folder of its files, relative to a cache folder, and the prefix of their names."""
        return self._folder, f"{self._stem}."

    def _called(self, calls: list[tuple[str, tuple[Any, ...], str]]) -> dict[str, Callee]:
        """The kernels that stored code calls, compiled or loaded, by symbol.

        Args:
            calls: for each, its name, the types of its arguments and the symbol under which the stored code calls it.

        Raises:
            KeyError: there is no such kernel any more. ValueError: its symbol has changed, so the stored code cannot
                call it.
        """
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
        """Remove all files of this kernel from all cache folders."""
        for folder in cache_folders():
            for file in (folder / self._folder).glob(f"{self._stem}.*"):
                _remove(file)

    def _wanted(self, sig: Any, codegen: Any) -> str:
        """A text that names what compiled code must fit: the types, the processor, the kernel's own code."""
        return repr(self._index_key(sig, codegen))

    def _file(self, folder: Path, wanted: str) -> Path:
        """The file in ``folder`` for the compiled code that ``wanted`` describes."""
        return folder / self._folder / f"{self._stem}.{hashlib.sha256(wanted.encode()).hexdigest()[:16]}.nbc"


def in_turn(dispatcher: Any) -> None:
    """Let a dispatcher that has a ``KernelCache`` compile only in its turn, and register it in ``DISPATCHERS`` so that
    kernels that call it find it.
    """
    kernel_cache, compile_now = dispatcher._cache, dispatcher.compile

    def compile_in_turn(sig: Any) -> Any:
        with global_compiler_lock:  # first, so that a thread in its turn never waits for another thread
            if sig in dispatcher.overloads:
                return compile_now(sig)
            with kernel_cache.turn(sig, dispatcher.targetctx.codegen()):
                return compile_now(sig)

    dispatcher.compile = compile_in_turn
    DISPATCHERS[kernel_cache.name] = dispatcher


def folder_for_kernels() -> Path | None:
    """The first cache folder that takes files; None if none does."""
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
    """Make ``folder`` if it is the shared one, and make sure that nobody else can write to it.

    Raises:
        OSError: the folder cannot be made, or others can write to it.
    """
    if folder == _shared_folder():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _own(folder):
            raise PermissionError(errno.EPERM, "others can write there")


def _write(file: Path, data: bytes) -> None:
    """Write a file as a whole or not at all, even if other processes write it at the same time. Missing folders are
    made.

    Raises:
        OSError: the file cannot be written.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{uuid.uuid4().hex}")
    try:
        part.write_bytes(data)
        part.replace(file)
    except BaseException:
        _remove(part)
        raise


def _seal(wanted: str, content: bytes) -> bytes:
    """The checksum (32 bytes) of ``content`` that is stored for ``wanted``."""
    return hashlib.sha256(wanted.encode() + content).digest()


def _remove(file: Path) -> None:
    """Remove a file if possible; errors are ignored."""
    with contextlib.suppress(OSError):  # a damaged file that stays is refused again when it is read
        file.unlink(missing_ok=True)
