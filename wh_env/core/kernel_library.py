"""How the machine code of kernels that call each other is put together.

Numba gives every kernel a copy of all that it calls, directly or not, and has LLVM work on the whole of it again: a kernel at the end of a chain of
five is optimised and translated five times, and once more for everybody else who calls one of the five. Here a kernel holds copies of what
is small, so that it can be inlined, and calls what is not where it lies, so that it is worked on once.

So a kernel's code is not whole without that of the kernels it calls: who loads it from a file loads those first (``kernel_cache``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult

# Lines of LLVM's text of a kernel and of what it holds copies of; what has more is called. A first battle takes 214 s of processor time to compile where
# nothing is, 151 with 4,000, 136 with 1,000 and 133 with 100; but with 1,000 battles take 10 % longer, with 100 a fifth and more.
LARGE = 4000


@dataclass(frozen=True)
class Callee:
    """Compiled code as those see it who call it.

    Args:
        kernel: what its dispatcher is known by.
        arguments: the types that it is compiled for.
        symbol: the name of its machine code.
        large: whether it is called where it lies.
        library: its code in this process.
    """

    kernel: str
    arguments: tuple[Any, ...]
    symbol: str
    large: bool
    library: Any = field(compare=False, repr=False)


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of one kernel while it is compiled."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.calls: dict[str, Callee] = {}  # by symbol, those called where they lie
        self.callees: list[tuple[str, tuple[Any, ...]]] = []  # all kernels that it calls, and for which types
        self.large = False

    def add_linking_library(self, library: Any) -> None:
        """Take in a copy of what is called, or note that it is called."""
        library._ensure_finalized()
        callee: Callee | None = getattr(library, "callee", None)
        if callee is not None:
            self.callees.append((callee.kernel, callee.arguments))
        if callee is not None and callee.large:
            self.calls[callee.symbol] = callee
        else:
            self.calls.update(getattr(library, "calls", {}))
            super().add_linking_library(library)

    def finalize(self) -> None:
        """Make the code ready to be called."""
        super().finalize()
        self.large = str(self._final_module).count("\n") > LARGE

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """The code to be kept: of what nobody copies, beside the machine code the names alone."""
        if not self.large:
            kept: tuple[str, str, tuple[bytes, bytes]] = super().serialize_using_object_code()
            return kept
        return self.name, "object", (self._get_compiled_object(), _names_alone(self._final_module))


def introduce(compiled: CompileResult, kernel: str, calls: dict[str, Callee], large: bool) -> None:
    """Note with compiled code what those must know who call it."""
    library, symbol = compiled.library, compiled.fndesc.llvm_func_name
    library.calls = calls
    library.callee = Callee(kernel, tuple(compiled.signature.args), symbol, large, library)


def _names_alone(module: Any) -> bytes:
    """A module that defines the same names as another and says nothing of them."""
    functions = [
        f'define void @"{found.name}"() {{ ret void }}' for found in module.functions if not found.is_declaration
    ]
    others = [f'@"{found.name}" = global i8 0' for found in module.global_variables if not found.is_declaration]
    bitcode: bytes = llvm.parse_assembly("\n".join(functions + others)).as_bitcode()
    return bitcode


class KernelCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler with code put together as above."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function in Python."""
        self.state.library = KernelLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(function)
