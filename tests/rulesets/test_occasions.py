"""Stratagems that wait for an occasion: a window opens at their moment where one of them has its own (``UseStratagem.occasion``)."""

from __future__ import annotations

from typing import Any

import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.rulesets.w40k.edition import occasion_at
from wh_env.rulesets.w40k.reaction.windows import UseStratagem, Window
from wh_env.testing import kind, pick, sheet


class Even(UseStratagem):
    waits = True

    @staticmethod
    def occasion(g: Any, unit: int, player: int) -> bool:
        return unit % 2 == 0


class Own(UseStratagem):
    waits = True

    @staticmethod
    def occasion(g: Any, unit: int, player: int) -> bool:
        return unit == player


class Anytime(UseStratagem):
    pass


@pytest.mark.parametrize("offered", [[], [Anytime], [Even, Anytime]])
def test_a_window_may_open_whenever_one_waits_for_nothing(offered: list[type[UseStratagem]]) -> None:
    assert occasion_at(offered) is None


def test_it_is_an_occasion_if_one_of_them_has_its_own() -> None:
    alone, both = occasion_at([Even]), occasion_at([Even, Own])
    assert alone is not None and both is not None
    units = range(4)
    assert [alone(None, unit, 1) for unit in units] == [True, False, True, False]  # type: ignore[arg-type]
    assert [both(None, unit, 1) for unit in units] == [True, True, True, False]  # type: ignore[arg-type]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("away", "engaged"), [(2.0, True), (6.0, False)])
def test_no_window_opens_without_an_occasion(
    player: int, away: float, engaged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Desperate Breakout is offered to an engaged unit; for another that is selected to move there is no window at all."""
    scene = NinthScene()
    scene.unit(player, sheet("Foot"), at=(20, 20), models=1, name="Foot")
    scene.unit(player, sheet("Rest"), at=(5, 5), models=1, name="Rest")
    scene.unit(1 - player, sheet("Foe"), at=(20 + away, 20), models=1, name="Foe")
    battle, pushed = scene.battle("movement", active=player, cp=(4, 4)), []
    push = Battle.push

    def noted(g: Battle, procedure: type, *values: int) -> None:
        pushed.append(procedure)
        push(g, procedure, *values)

    monkeypatch.setattr(Battle, "push", noted)
    pick(battle, "Foot")
    assert (kind(battle) == "desperate-breakout") == engaged
    assert (Window in pushed) == engaged
