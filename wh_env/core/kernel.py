"""The ``kernel`` decorator: this module, ``kernel_cache`` and ``kernel_library`` are all that touches numba.

Numba does not notice that a function called by a cached kernel was edited. So each module's kernels are cached (``kernel_cache``) in a
folder keyed by a hash of its source and of every module of the package that it imports, directly or not: an edit compiles afresh
what depends on it and nothing else. With ``NUMBA_DISABLE_JIT=1`` kernels are plain Python.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np

from wh_env.core.kernel_cache import KernelCache, in_turn
from wh_env.core.kernel_library import KernelCompiler

P = ParamSpec("P")
R = TypeVar("R")

PACKAGE = Path(__file__).resolve().parent.parent
ALLOCATING = frozenset(("arange", "array", "copy", "empty", "empty_like", "full", "ones", "zeros", "zeros_like"))
TYPES: Any = numba.types  # whose stubs know but a part of them
NUMBERS = {"int": TYPES.int64, "float": TYPES.float64, "bool": TYPES.boolean}  # by annotation
IMPORT = re.compile(r"^\s*from (wh_env[\w.]*) import", re.MULTILINE)
WORD = re.compile(r"\w+")


def name_of_record(record: Any) -> tuple[str, tuple[int]]:
    """What a type of rows is called in the names of machine code: the same in every process.

    numba counts them, each process anew, so that code kept by one could have the name of other code in the next: of a kernel that takes rows of
    two tables, called in both orders.
    """
    return "Record", (int(hashlib.sha256(str(record).encode()).hexdigest()[:12], 16),)


TYPES.Record.mangling_args = property(name_of_record)


@cache
def _imports(file: Path) -> tuple[bytes, tuple[Path, ...]]:
    """The source of a module and the files of the modules of this package that it names in imports."""
    source = file.read_bytes()
    found = []
    for name in IMPORT.findall(source.decode("utf-8")):
        place = PACKAGE.parent.joinpath(*name.split("."))
        found.append(place.with_suffix(".py") if place.with_suffix(".py").is_file() else place / "__init__.py")
    return source, tuple(found)


@cache
def source_hash(file: Path) -> str:
    """A hash of the module in ``file`` and of everything in this package that it depends on."""
    seen: dict[Path, bytes] = {}
    queue = [file]
    while queue:
        path = queue.pop()
        if path not in seen and path.is_file():
            seen[path], more = _imports(path)
            queue += more
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(seen):
        digest.update(seen[path])
    return digest.hexdigest()[:16]


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` with numba on first call; no parallelism, no fast-math (results must not depend on it).

    Two things that numba does by default cost more than they give here and are not done:

    - counting references to arrays, atomically and at every call of another kernel, which took a third of all time: the arrays a kernel
      is given outlive the call. Only a kernel that makes arrays (by one of ``ALLOCATING``), returns one or calls a kernel that does needs it;
      one that copies a slice of an array into another must do so in a loop.
    - compiling a kernel anew for every constant and width of integer that another kernel calls it with, which doubled the time to compile:
      such arguments arrive as int64 or bool.
    """
    if numba.config.DISABLE_JIT:
        return function
    dispatcher = _dispatcher(function, "")
    _calls_of_kernels(dispatcher, dispatcher)
    return cast("Callable[P, R]", dispatcher)


def inner_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that only kernels call: for them it is compiled without what Python calls it by, which would take a good part of the time to compile.

    Python can call it, as tests do: then it is compiled a second time, as any other kernel.
    """
    if numba.config.DISABLE_JIT:
        return function
    dispatcher = _dispatcher(function, "")
    _calls_of_kernels(dispatcher, _dispatcher(function, ".inner", no_cpython_wrapper=True, no_cfunc_wrapper=True))
    return cast("Callable[P, R]", dispatcher)


def _dispatcher(function: Callable[..., Any], mark: str, **options: bool) -> Any:
    """What compiles a function for types of arguments; ``mark``: tells its files in the cache from those of another for the same function."""
    file = Path(function.__code__.co_filename)
    names = function.__code__.co_names
    called = (getattr(function.__globals__.get(name), "py_func", None) for name in names)
    counting = not ALLOCATING.isdisjoint(names) or any(map(_returns_arrays, (function, *called)))
    dispatcher = numba.njit(nogil=True, error_model="numpy", pipeline_class=KernelCompiler, _nrt=counting, **options)(
        function
    )
    dispatcher._cache = KernelCache(function, source_hash(file), mark)
    in_turn(dispatcher)
    return dispatcher


def _calls_of_kernels(dispatcher: Any, inner: Any) -> None:
    """Kernels that call ``dispatcher`` call what ``inner`` compiles, for arguments as general as ``_general`` makes them."""
    specialised, overload = inner.get_call_template, inner.get_overload

    def template(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        return specialised([_general(kind) for kind in args], {name: _general(kind) for name, kind in kws.items()})

    dispatcher.get_call_template, dispatcher.get_overload = template, overload
    dispatcher.inner = inner  # for whoever asks which compiled code kernels call (``kernel_plan``)


def compiled_for(kernel: Callable[P, R], arguments: Sequence[Any]) -> Callable[P, R]:
    """The machine code of a kernel for arguments of the types of these, compiled now if it is not yet.

    A dispatcher looks at the type of each argument of each call, which takes longer than a small kernel; this does not. So it is for callers whose arrays
    have the same types and layouts at each call: those of other rows are refused where they differ in size, else misread. Numbers are taken as what
    the kernel declares them, so that a whole number in the first call does not make whole numbers of those in later ones.
    """
    if numba.config.DISABLE_JIT:
        return kernel
    compiled: Any = kernel
    return cast("Callable[P, R]", compiled.compile(argument_types(kernel, arguments)))


def argument_types(kernel: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, ...]:
    """numba's types of what a kernel is handed: of arrays and tuples their own, of numbers those that the kernel declares."""
    function: Any = getattr(kernel, "py_func", kernel)
    said, names = function.__annotations__, function.__code__.co_varnames
    return tuple(NUMBERS.get(said.get(name)) or _type_of(value) for name, value in zip(names, arguments, strict=False))


def _type_of(argument: Any) -> Any:
    """numba's type of an argument. Those of tables are kept: numba works out all their columns anew for each table, and battles have hundreds."""
    if type(argument) is not np.ndarray or argument.dtype.fields is None:
        return numba.typeof(argument)
    flags, row = argument.flags, argument.dtype
    layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    return _type_of_table(row, row.isalignedstruct, argument.ndim, layout, flags.writeable)


@cache
def _type_of_table(row: np.dtype[Any], aligned: bool, dimensions: int, layout: str, writeable: bool) -> Any:
    """That of tables of such rows; ``aligned``: those of the rows, which equal dtypes may differ in."""
    return TYPES.Array(numba.from_dtype(row), dimensions, layout, readonly=not writeable)


def _returns_arrays(function: Callable[..., Any] | None) -> bool:
    """Whether it says so: what a kernel returns is annotated, and kernels stand behind those they call.

    A tuple with named fields returns arrays if one of its fields is one.
    """
    said = str(getattr(function, "__annotations__", {}).get("return"))
    known = getattr(function, "__globals__", {})
    fields = (getattr(known.get(word), "__annotations__", None) for word in WORD.findall(said))
    return "Array" in said or any("Array" in str(field) for field in fields if field)


def _general(kind: Any) -> Any:
    """The type that an argument of this type is handed over as."""
    kind = TYPES.unliteral(kind)
    narrow = isinstance(kind, TYPES.Integer) and kind.bitwidth < TYPES.int64.bitwidth
    return TYPES.int64 if narrow else kind
