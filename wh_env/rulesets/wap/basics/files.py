"""Files of a rank, counted from the right: the middle ones, those that bases take, and those where drivers stand."""

from __future__ import annotations

from wh_env.core.kernel import inner_kernel


@inner_kernel
def from_middle(n: int, files: int) -> int:
    """The file of model ``n`` of a rank with ``files`` models: 0 in the middle, the others in turn on both
    sides of it.
    """
    step = (n + 1) // 2
    return (files - 1) // 2 + (step if n % 2 == 1 else -step)


@inner_kernel
def file_bits(file: int, wide: int) -> int:
    """The bits of ``wide`` files from ``file`` on."""
    return ((1 << wide) - 1) << file


@inner_kernel
def has_file(taken: int, at: int, wide: int, most: int, reach: int) -> bool:
    """Whether a base takes ``wide`` of ``most`` files from ``at`` on, none of them ``taken``. ``reach``: files that
    remain of the short rank behind if the base reaches into it.
    """
    return at >= 0 and at + wide <= most and taken & file_bits(at, wide) == 0 and reach >= 0


@inner_kernel
def driver_place(filled: int, files: int, n: int) -> tuple[int, int]:
    """(rank, file) of driver ``n`` of a unit: in the middle of its last rank, or of the rank before once that is full
    (wap.special.mixed-unit.formation).
    """
    rank = (filled - 1) // files
    standing = filled - rank * files
    while n >= standing and rank > 0:
        n -= standing
        rank -= 1
        standing = files
    return rank, from_middle(n, standing)
