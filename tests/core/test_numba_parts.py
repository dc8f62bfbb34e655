"""The private parts of numba that ``core/kernel*`` replaces or leans on are those that it was written for.

A version of numba that changes one of them may compile kernels wrongly or not at all, or keep code that does
not fit. The failing test names the part, what of wh_env stands on it and what to look at. Look at it, then
write its new fingerprint here. When all parts were looked at, raise the bound in ``pyproject.toml``, the
version in ``constraints.txt`` and ``CHECKED``.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import textwrap
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numba
import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
CHECKED = "0.68.1"  # the version of numba that the fingerprints are of


class Part(NamedTuple):
    """A function of numba.

    Attributes:
        where: its module and what it is called there.
        ours: what replaces it, or calls it, in ``wh_env/core``.
        look: what to look at if it is another function than it was.
        print: its fingerprint (``fingerprint``).
    """

    where: str
    ours: str
    look: str
    print: str


PARTS = (
    Part(
        "numba.core.types.npytypes:Record.mangling_args",
        "kernel.name_of_record replaces it",
        "it returns a name and a tuple from which names of machine code are made, and nothing else asks for it",
        "2d09b8998726",
    ),
    Part(
        "numba.core.itanium_mangler:mangle_type_or_value",
        "kernel.name_of_record is asked here",
        "it takes (name, parameters) from mangling_args, and whole numbers are parameters",
        "656c295172b4",
    ),
    Part(
        "numba.core.dispatcher:Dispatcher.compile",
        "kernel_cache.in_turn wraps it",
        "it holds global_compiler_lock, looks into overloads, calls load_overload, and save_overload if it compiles",
        "5ca7bb37b4df",
    ),
    Part(
        "numba.core.dispatcher:_DispatcherBase.get_call_template",
        "kernel._calls_of_kernels replaces it",
        "it takes types of arguments, by place and by name, and compiles for them; any dispatcher can use its template",
        "10e2515d0c14",
    ),
    Part(
        "numba.core.dispatcher:_DispatcherBase.get_overload",
        "kernel._calls_of_kernels replaces it",
        "it returns the entry point of a signature that get_call_template has compiled",
        "53951f8883ca",
    ),
    Part(
        "numba.core.caching:Cache.__init__",
        "kernel_cache.KernelCache does without it",
        "each attribute that it sets and other methods read is set by KernelCache, or its reader is replaced, too",
        "1168f58512e4",
    ),
    Part(
        "numba.core.caching:Cache.load_overload",
        "kernel_cache.KernelCache.load_overload replaces it",
        "it refreshes the context, and returns a CompileResult or None",
        "4dfd0465282f",
    ),
    Part(
        "numba.core.caching:Cache._load_overload",
        "kernel_cache.KernelCache.load_overload replaces it",
        "disabled caches, the key, how what was kept is rebuilt",
        "4a80a66899ae",
    ),
    Part(
        "numba.core.caching:Cache.save_overload",
        "kernel_cache.KernelCache.save_overload replaces it",
        "it is handed a CompileResult",
        "dbc23ab2657a",
    ),
    Part(
        "numba.core.caching:Cache._save_overload",
        "kernel_cache.KernelCache.save_overload replaces it",
        "which results are not to be kept, the key, how a result is reduced",
        "71c3578745e0",
    ),
    Part(
        "numba.core.caching:Cache._index_key",
        "kernel_cache.KernelCache._wanted calls it",
        "it says all that compiled code depends on besides sources, and its repr is the same in every process",
        "f33a57ee1b0d",
    ),
    Part(
        "numba.core.caching:CompileResultCacheImpl.check_cachable",
        "kernel_cache.KernelCache.save_overload does what it does",
        "which results are not to be kept",
        "c767b2fd484a",
    ),
    Part(
        "numba.core.compiler:CompileResult._reduce",
        "kernel_cache.KernelCache.save_overload calls it",
        "what it returns can be pickled, and _rebuild takes it",
        "37fd9bee27ad",
    ),
    Part(
        "numba.core.compiler:CompileResult._rebuild",
        "kernel_cache.KernelCache.load_overload calls it",
        "it takes the context and what _reduce returned",
        "43290b866c82",
    ),
    Part(
        "numba.core.compiler:CompilerBase.compile_extra",
        "kernel_library.KernelCompiler.compile_extra comes before it",
        "it begins with a state whose library may be set",
        "db4201447212",
    ),
    Part(
        "numba.core.typed_passes:BaseNativeLowering.run_pass",
        "kernel_library.KernelCompiler hands it a KernelLibrary",
        "it takes the library of the state if there is one, as it would make it, and never asks for another",
        "b70e4fad1c1c",
    ),
    Part(
        "numba.core.codegen:CPUCodeLibrary.add_linking_library",
        "kernel_library.KernelLibrary.add_linking_library replaces it",
        "what is called is finalized and copied, here and nowhere else",
        "6fd242bdc902",
    ),
    Part(
        "numba.core.codegen:CPUCodeLibrary.finalize",
        "kernel_library.KernelLibrary.finalize goes on after it",
        "libraries are linked in here, and _final_module is whole afterwards",
        "ef22a6120c22",
    ),
    Part(
        "numba.core.codegen:CPUCodeLibrary.serialize_using_object_code",
        "kernel_library.KernelLibrary.serialize_using_object_code replaces it",
        "name, kind, machine code and bitcode, as _unserialize takes them",
        "9cd4066f646b",
    ),
    Part(
        "numba.core.codegen:CPUCodeLibrary._unserialize",
        "kernel_library.KernelLibrary.serialize_using_object_code writes what it reads",
        "of the bitcode it needs the names of what is defined and no more",
        "6c5f7edb5041",
    ),
)


def source_of(where: str) -> str:
    """The source of the module of a part, whatever has been replaced in this process."""
    return inspect.getsource(import_module(where.partition(":")[0]))


def fingerprint(text: str, path: str) -> str:
    """A hash of a function in the source of a module, without indents, comments, empty lines and its docstring.

    Raises:
        LookupError: the module has no function of this name.
    """
    node: Any = ast.parse(text)
    for name in path.split("."):
        node = next((each for each in node.body if getattr(each, "name", None) == name), None)
        if node is None:
            raise LookupError(f"{path} is gone")
    lines = text.splitlines()
    if ast.get_docstring(node) is not None:
        docstring = node.body[0]
        lines[docstring.lineno - 1 : docstring.end_lineno] = [""] * (docstring.end_lineno - docstring.lineno + 1)
    first = min(each.lineno for each in (node, *node.decorator_list))
    own = textwrap.dedent("\n".join(lines[first - 1 : node.end_lineno])).splitlines()
    kept = "\n".join(line.rstrip() for line in own if line.strip() and not line.lstrip().startswith("#"))
    return hashlib.sha256(kept.encode()).hexdigest()[:12]


def changed(part: Part, text: str) -> str:
    """What to look at if a part is another than it was; empty if it is the same. ``text``: the source of its module."""
    path = part.where.partition(":")[2]
    try:
        now = fingerprint(text, path)
    except LookupError as gone:
        return f"numba {numba.__version__}: {gone}; wh_env/core/{part.ours}. Look at what does its work: {part.look}."
    if now == part.print:
        return ""
    return (
        f"numba {numba.__version__}: {part.where} is another than in {CHECKED}; wh_env/core/{part.ours}. "
        f"Look whether this still holds: {part.look}. Then its fingerprint here is {now}."
    )


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.where.partition(":")[2])
def test_the_part_is_as_it_was(part: Part) -> None:
    said = changed(part, source_of(part.where))
    assert not said, said


TOY = """
class Cache:
    @property
    def path(self):
        return self._path

    def flush(self):
        self.file.flush()
"""


@pytest.fixture
def flushing() -> Part:
    return Part("toy:Cache.flush", "toy.Kept.flush replaces it", "files are removed", fingerprint(TOY, "Cache.flush"))


def test_a_change_says_which_part_and_what_to_look_at(flushing: Part) -> None:
    assert changed(flushing, TOY) == ""
    text = TOY.replace("self.file.flush()", "self.file.flush(True)")
    said = changed(flushing, text)
    assert "toy:Cache.flush is another" in said
    assert "wh_env/core/toy.Kept.flush replaces it" in said
    assert "files are removed" in said and fingerprint(text, "Cache.flush") in said
    assert "is another" in changed(flushing, TOY.replace("def flush(self)", "def flush(self, how=None)"))
    assert "is another" in changed(flushing, TOY.replace("    def flush", "    @locked\n    def flush"))


def test_a_part_that_is_gone_says_so(flushing: Part) -> None:
    assert "Cache.flush is gone" in changed(flushing, TOY.replace("flush", "clear"))
    assert "files are removed" in changed(flushing, TOY.replace("class Cache", "class Kept"))


def test_comments_docstrings_and_what_stands_around_make_no_difference(flushing: Part) -> None:
    text = TOY.replace("self._path", "None").replace(
        "        self.file", '        """Forget\n\n        it."""\n        # all of it\n\n        self.file'
    )
    assert text != TOY
    assert changed(flushing, text) == ""


def test_no_version_comes_in_that_nobody_has_looked_at() -> None:
    """The bound lets in the checked minor version and none after it; what is installed for tests is the checked one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (wanted,) = (need for need in map(Requirement, project["dependencies"]) if need.name == "numba")
    major, minor = Version(CHECKED).release[:2]
    assert wanted.specifier.contains(CHECKED)
    assert not wanted.specifier.contains(f"{major}.{minor + 1}.0")
    assert not wanted.specifier.contains(f"{major + 1}.0.0")
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert f"numba=={CHECKED}" in pins
