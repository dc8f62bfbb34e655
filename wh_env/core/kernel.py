"""The decorators ``kernel`` and ``inner_kernel``. Only this module, the other ``kernel_`` modules and
``geometry.readonly`` touch numba.

Numba does not notice that a function was edited which a cached kernel calls. So the kernels of a module are cached
(``kernel_cache``) under a hash of its source and of the sources of all modules of the package that it imports, directly
or indirectly. After an edit only the kernels that depend on it are compiled again. With ``NUMBA_DISABLE_JIT=1`` kernels
are plain Python.
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
TYPES: Any = numba.types  # Any, because the type stubs lack most of its members
NUMBERS = {"int": TYPES.int64, "float": TYPES.float64, "bool": TYPES.boolean}  # numba's type by annotation
IMPORT = re.compile(r"^\s*from (wh_env[\w.]*) import", re.MULTILINE)
WORD = re.compile(r"\w+")


def name_of_record(record: Any) -> tuple[str, tuple[int]]:
    """The name of a row type in the names of machine code, which is the same in every process.

    Numba itself numbers row types anew in each process. A cached kernel that takes rows of two tables could then have
    the name of another kernel that takes them in the other order.
    """
    return "Record", (int(hashlib.sha256(str(record).encode()).hexdigest()[:12], 16),)


TYPES.Record.mangling_args = property(name_of_record)


@cache
def _imports(file: Path) -> tuple[bytes, tuple[Path, ...]]:
    """The source of the module in ``file``, and the files of the modules of this package that its imports name."""
    source = file.read_bytes()
    found = []
    for name in IMPORT.findall(source.decode("utf-8")):
        place = PACKAGE.parent.joinpath(*name.split("."))
        found.append(place.with_suffix(".py") if place.with_suffix(".py").is_file() else place / "__init__.py")
    return source, tuple(found)


@cache
def source_hash(file: Path) -> str:
    """16 hex digits: a hash of numba's version, of the module in ``file`` and of every module of this package that it
    depends on.
    """
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
    """Compile ``function`` with numba on its first call, without parallelism and fast-math, which could change results.

    Two things that numba does by default cost more than they gain here and are switched off:

    - Numba counts references to arrays, atomically and at every call of another kernel, which took a third of all time.
      The arguments of a kernel outlive its call, so only a kernel that makes arrays (by a function of ``ALLOCATING``),
      returns one or calls a kernel that does counts references. A kernel that copies a slice of an array into another
      array must do so in a loop.
    - Numba compiles a kernel again for every constant and every width of integer that another kernel passes, which
      doubled the time to compile. Such arguments arrive as int64 or bool.
    """
    if numba.config.DISABLE_JIT:
        return function
    dispatcher = _dispatcher(function, "")
    _calls_of_kernels(dispatcher, dispatcher)
    return cast("Callable[P, R]", dispatcher)


def inner_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` as ``kernel`` does, for kernels that only other kernels call: without the code by which
    Python calls it, which takes a good part of the time to compile.

    Python can still call it, as tests do; then it is compiled a second time like any other kernel.
    """
    if numba.config.DISABLE_JIT:
        return function
    dispatcher = _dispatcher(function, "")
    _calls_of_kernels(dispatcher, _dispatcher(function, ".inner", no_cpython_wrapper=True, no_cfunc_wrapper=True))
    return cast("Callable[P, R]", dispatcher)


def _dispatcher(function: Callable[..., Any], mark: str, **options: bool) -> Any:
    """The numba dispatcher that compiles ``function`` for given types of arguments.

    Args:
        function: the kernel in Python. mark: part of the names of its cache files, different for each dispatcher of one
            function. options: passed to ``numba.njit``.
    """
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
    """Let kernels that call ``dispatcher`` call the code that ``inner`` compiles, for argument types that ``_general``
    has widened.
    """
    specialised, overload = inner.get_call_template, inner.get_overload

    def template(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        return specialised([_general(kind) for kind in args], {name: _general(kind) for name, kind in kws.items()})

    dispatcher.get_call_template, dispatcher.get_overload = template, overload
    dispatcher.inner = inner  # `kernel_plan` reads which compiled code kernels call


def compiled_for(kernel: Callable[P, R], arguments: Sequence[Any]) -> Callable[P, R]:
    """The machine code of ``kernel`` for the types of ``arguments``, compiled now if it is not yet.

    A dispatcher inspects the type of each argument in each call, which takes longer than a small kernel; the machine
    code does not. So the caller must pass arrays of the same types and layouts in every call: rows of another size are
    refused, other differences are not noticed and lead to wrong values. A number has the type that the kernel declares,
    so that a whole number in the first call does not turn later floats into whole numbers.
    """
    if numba.config.DISABLE_JIT:
        return kernel
    compiled: Any = kernel
    return cast("Callable[P, R]", compiled.compile(argument_types(kernel, arguments)))


def argument_types(kernel: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, ...]:
    """Numba's types for the arguments of a kernel: for arrays and tuples their own, for numbers the declared one."""
    function: Any = getattr(kernel, "py_func", kernel)
    annotations, names = function.__annotations__, function.__code__.co_varnames
    return tuple(
        NUMBERS.get(annotations.get(name)) or _type_of(value) for name, value in zip(names, arguments, strict=False)
    )


def _type_of(argument: Any) -> Any:
    """Numba's type of an argument. Types of tables are cached, because numba works out all their columns for each table
    and battles have hundreds. A named tuple has the numbers that its fields declare.
    """
    if isinstance(argument, tuple):
        return TYPES.BaseTuple.from_types(
            _types_of_fields(argument), None if type(argument) is tuple else type(argument)
        )
    if type(argument) is not np.ndarray or argument.dtype.fields is None:
        return numba.typeof(argument)
    flags, row = argument.flags, argument.dtype
    layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    return _type_of_table(row, row.isalignedstruct, argument.ndim, layout, flags.writeable)


def _types_of_fields(group: tuple[Any, ...]) -> tuple[Any, ...]:
    """Numba's types of the values of a tuple: for numbers those that a named tuple declares."""
    declared = getattr(type(group), "__annotations__", {})
    names = getattr(group, "_fields", range(len(group)))
    return tuple(
        NUMBERS.get(_name_of(declared.get(name))) or _type_of(value) for name, value in zip(names, group, strict=True)
    )


def _name_of(annotation: Any) -> Any:
    """An annotation as text; ``NamedTuple`` turns texts into forward references."""
    return getattr(annotation, "__forward_arg__", annotation)


@cache
def _type_of_table(row: np.dtype[Any], aligned: bool, dimensions: int, layout: str, writeable: bool) -> Any:
    """Numba's type of a table with these rows.

    Args:
        row: the row type. aligned: whether it is aligned; equal row types may differ in that. dimensions: of the array.
            layout: "C", "F" or "A". writeable: whether the array is.
    """
    return TYPES.Array(numba.from_dtype(row), dimensions, layout, readonly=not writeable)


def _returns_arrays(function: Callable[..., Any] | None) -> bool:
    """Whether the return annotation of a function says that it returns an array, or a named tuple with an array in one
    of its fields.
    """
    annotation = str(getattr(function, "__annotations__", {}).get("return"))
    known = getattr(function, "__globals__", {})
    fields = (getattr(known.get(word), "__annotations__", None) for word in WORD.findall(annotation))
    return "Array" in annotation or any("Array" in str(field) for field in fields if field)


def _general(kind: Any) -> Any:
    """The type as which an argument of type ``kind`` is passed on: int64 for narrower integers, no constants."""
    kind = TYPES.unliteral(kind)
    narrow = isinstance(kind, TYPES.Integer) and kind.bitwidth < TYPES.int64.bitwidth
    return TYPES.int64 if narrow else kind
