"""Allow an option of a command line to take several values: ``--agents random greedy --battles a b``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def spread(arguments: Sequence[str], several: Iterable[str]) -> list[str]:
    """Repeat each option of ``several`` before each of its values, because click reads lists in that
    form.
    """
    names = set(several)
    spread_out: list[str] = []
    option = ""
    has_value = False
    for argument in arguments:
        if argument.startswith("-"):
            option, has_value = (argument, False) if argument in names else ("", False)
            spread_out.append(argument)
        else:
            if option and has_value:
                spread_out.append(option)
            spread_out.append(argument)
            has_value = True
    return spread_out
