"""Kernels that are called as compiled for the first arguments they were given get arguments of the same types ever after."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import pytest

from wh_env import Battle
from wh_env.agents.match import play_battle
from wh_env.agents.policies import make
from wh_env.rulesets.w40k.workspace import Workspace


def kind(argument: Any) -> Any:
    """The type of an argument for a kernel, but for whether it may be written to, which changes nothing where it is read."""
    found = numba.typeof(argument)
    return found.copy(readonly=False) if isinstance(found, numba.types.Array) else found


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("w10/only-war-incursion", "squad"),
        ("w10/only-war-skirmish", "full"),
        ("w9/only-war-incursion", "squad"),
        ("w8/only-war", "squad"),
    ],
)
def test_arguments_keep_their_types(monkeypatch: pytest.MonkeyPatch, name: str, detail: str) -> None:
    known: dict[Any, list[Any]] = {}
    call: Callable[..., Any] = Workspace.call

    def watched(work: Workspace, kernel: Any, *arguments: Any) -> Any:
        now = [kind(argument) for argument in arguments]
        assert known.setdefault(kernel, now) == now, kernel
        return call(work, kernel, *arguments)

    monkeypatch.setattr(Workspace, "call", watched)
    setup = Battle.load(name, 1, detail=detail).setup
    for seed in range(4):
        play_battle(Battle(setup, seed), [make("random", 2 * seed + n) for n in range(2)], max_decisions=1500)
    assert len(known) > 15, "hardly any kernel was called"
