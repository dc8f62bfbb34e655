"""Read-only views of arrays inside kernels."""

from __future__ import annotations

from typing import Any

import numba
from numba.core.imputils import impl_ret_borrowed

from wh_env.core.tables import Array


def read_only(array: Array) -> Array:
    """A read-only view of ``array``. It has the type that the arrays of a Setup have, so that kernels that take either
    are compiled once.
    """
    view = array.view()
    view.flags.writeable = False
    return view


def _retyped(_typing: Any, array: Any) -> Any:
    """The numba implementation of ``read_only``: the same array with a read-only type."""

    def same(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return impl_ret_borrowed(context, builder, signature.return_type, values[0])

    return array.copy(readonly=True)(array), same


if not numba.config.DISABLE_JIT:
    read_only = numba.extending.intrinsic(_retyped)
