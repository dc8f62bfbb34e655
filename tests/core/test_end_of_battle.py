"""A battle that ends in the middle of a step: the step may go on to its end, and nothing begins after it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wh_env import Battle
from wh_env.content.load import names, rulesets
from wh_env.core.battle import BattleCore
from wh_env.core.procedures import ASK, GO

SHIPPED = [next(n for n in names("battles", ruleset) if "/random-" not in n) for ruleset in rulesets()]


def pops(g: BattleCore) -> int:
    """The step ends itself and its caller."""
    g.pop()
    return g.pop()


def begins(g: BattleCore) -> int:
    """The step starts another."""
    g.push(type(g.setup.ruleset.procedures[g.stack[g.frame]]))
    return GO


def asks(g: BattleCore) -> int:
    """The step asks a decision, of the kind that was asked last."""
    return ASK


def ends_again(g: BattleCore) -> int:
    """The step ends the battle once more."""
    g.finish()
    return g.pop()


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("goes_on", [pops, begins, asks, ends_again])
def test_a_step_that_goes_on_after_the_end_starts_nothing(
    name: str, goes_on: Callable[[BattleCore], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    battle, steps = Battle.load(name, 0), 0

    def ends(g: BattleCore, f: int) -> int:
        nonlocal steps
        steps += 1
        g.finish()
        return goes_on(g)

    ruleset = battle.setup.ruleset
    monkeypatch.setitem(vars(ruleset), "advances", (ends,) * len(ruleset.advances))
    assert battle.decision is not None
    battle.apply(battle.first_legal())
    assert steps == 1
    assert battle.over and battle.decision is None and battle.result is not None
    assert battle.clock.depth[0] == 0
