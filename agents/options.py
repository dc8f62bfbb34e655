"""Allow an option of a command line to take several values: ``--agents random greedy --battles a b``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def spread(arguments: Sequence[str], several: Iterable[str]) -> list[str]:
    """Repeat each option of ``several`` before each of its values, because click reads lists in that
    form.
    """
    wanted = set(several)
    out: list[str] = []
    option = ""
    given = False
    for argument in arguments:
        if argument.startswith("-"):
            option, given = (argument, False) if argument in wanted else ("", False)
            out.append(argument)
        else:
            if option and given:
                out.append(option)
            out.append(argument)
            given = True
    return out
