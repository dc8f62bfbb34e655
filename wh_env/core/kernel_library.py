"""How the machine code of kernels that call each other is put together.

Numba gives every kernel a copy of everything that it calls, directly or indirectly, and has LLVM work on all of it
again. A kernel at the end of a chain of five is optimised and translated five times, and again for every other caller
of one of the five. Here a kernel contains copies of small kernels, which LLVM can inline, and calls large kernels where
they lie, so that these are worked on once.

So the code of a kernel is incomplete without the large kernels that it calls: ``kernel_cache`` loads those first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult

# A kernel is large if its LLVM text, copies included, has more lines. To compile a first battle takes 214 s of
# processor time without a limit, 151 with 4,000, 136 with 1,000, 133 with 100. Battles take 10 % longer with 1,000 and
# 20 % longer with 100.
LARGE = 4000


@dataclass(frozen=True)
class Callee:
    """Compiled code as its callers see it.

    Args:
        kernel: the name of its dispatcher.
        arguments: the types that it is compiled for.
        symbol: the name of its machine code.
        large: whether callers call it where it lies instead of copying it.
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
        """``codegen``: numba's code generator. ``name``: of the library."""
        super().__init__(codegen, name)
        self.calls: dict[str, Callee] = {}  # by symbol, the large kernels that it calls where they lie
        self.callees: list[tuple[str, tuple[Any, ...]]] = []  # names and argument types of all kernels that it calls
        self.large = False

    def add_linking_library(self, library: Any) -> None:
        """Copy the code of ``library`` if it is small; note that this kernel calls it if it is large."""
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
        """Make the code ready to be called, and find out whether it is large."""
        super().finalize()
        self.large = str(self._final_module).count("\n") > LARGE

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """The code to be stored. No kernel copies a large one, so for a large kernel only names are stored beside the
        machine code.
        """
        if not self.large:
            whole_code: tuple[str, str, tuple[bytes, bytes]] = super().serialize_using_object_code()
            return whole_code
        return self.name, "object", (self._get_compiled_object(), _names_alone(self._final_module))


def introduce(compiled: CompileResult, kernel: str, calls: dict[str, Callee], large: bool) -> None:
    """Attach to compiled code what its callers must know.

    Args:
        compiled: the code. kernel: the name of its dispatcher. calls: the large kernels that it calls, by symbol.
            large: whether it is large itself.
    """
    library, symbol = compiled.library, compiled.fndesc.llvm_func_name
    library.calls = calls
    library.callee = Callee(kernel, tuple(compiled.signature.args), symbol, large, library)


def _names_alone(module: Any) -> bytes:
    """LLVM bitcode of a module that defines the same names as ``module`` with empty contents."""
    functions = [
        f'define void @"{found.name}"() {{ ret void }}' for found in module.functions if not found.is_declaration
    ]
    others = [f'@"{found.name}" = global i8 0' for found in module.global_variables if not found.is_declaration]
    bitcode: bytes = llvm.parse_assembly("\n".join(functions + others)).as_bitcode()
    return bitcode


class KernelCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, with the code put together by ``KernelLibrary``."""

    def compile_extra(self, function: Any) -> Any:
        """Compile the Python function ``function``."""
        self.state.library = KernelLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(function)
