"""Games without a server: turns, undoing, what each seat is told, saving and going on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heroes import hero

from wh_env import Battle, ContentError
from wh_env.agents.serving.game import PERSON, Game, seat_message
from wh_env.agents.serving.hints import ADVISERS, Adviser, Bookmaker, preview_action
from wh_env.agents.serving.messages import Refused
from wh_env.agents.serving.viewpoint import WATCHER
from wh_env.content.load import rulesets
from wh_env.content.replay import read_replay
from wh_env.core.actions import Segment
from wh_env.core.views import SeatView
from wh_env.envs.registry import environment
from wh_env.testing import choose, kind, slots
from wh_env.testing.wap import RegimentScene

EPIC = "epic/bridgehead"
BOTH = (PERSON, PERSON)


def game_of(
    battle: str = EPIC, seed: int = 3, agents: tuple[str, str] = BOTH, file: Path | None = None, **how: Any
) -> Game:
    return Game(Battle.load(battle, seed, record=True, **how), seed, agents, (0, 0), file)


def act(game: Game, action: int | None = None) -> None:
    """Whoever is asked takes an action, the first legal one if none is named."""
    seat = game.seat
    game.act(seat, game.at(seat), game.battle.first_legal() if action is None else action)


def play(game: Game, chance: np.random.Generator, until: Callable[[Game], bool] = lambda game: False) -> None:
    """Take random actions."""
    while not game.battle.over and not until(game):
        act(game, int(chance.choice(np.flatnonzero(game.battle.legal()))))


def told(game: Game, seat: int) -> str:
    """Everything that the page of a seat shows."""
    view = game.views[seat]
    return json.dumps([seat_message(game, seat), view.log, view.whole()])


# ---------------------------------------------------------------- what is asked


@pytest.mark.parametrize("ruleset", rulesets())
def test_what_can_be_clicked_is_the_mask(ruleset):
    """At every decision of a battle: every legal action once, with words; units, models and places are those that there are."""
    game = game_of(environment(ruleset).skirmish, 5)
    chance, view = np.random.default_rng(1), SeatView()
    seen: set[str] = set()
    while not game.battle.over:
        seat, battle = game.seat, game.battle
        asked, other = game.views[seat].asked(), game.views[1 - seat].asked()
        assert asked is not None and other is None
        assert [option["a"] for option in asked["options"]] == np.flatnonzero(battle.legal()).tolist()
        for option in asked["options"]:
            segment, slot = battle.setup.space.split(option["a"])
            assert option["w"] and option["s"] == segment.name.lower()
            if segment in (Segment.OWN, Segment.ENEMY):
                side = seat if segment == Segment.OWN else 1 - seat
                assert option["u"] == battle.units_of(side)[slot]
            if "x" in option:
                assert asked["spacing"] and np.isfinite([option["x"], option["y"]]).all()
            seen.add(option["s"])
        action = int(chance.choice(np.flatnonzero(battle.legal())))
        before = battle.state_bytes()
        if len(game.views[seat].log) % 7 == 0:
            preview_action(view, battle, seat, action)
        assert battle.state_bytes() == before
        act(game, action)
    assert {"own", "cell", "option"} <= seen


def test_a_place_is_where_the_unit_goes():
    """Of a move by places: the middle of the unit stands there afterwards."""
    game = game_of("w10/only-war-skirmish", 4)
    chance, checked = np.random.default_rng(2), 0
    while checked < 5:
        asked = game.views[game.seat].asked()
        assert asked is not None
        if asked["kind"] != "move to":
            act(game, int(chance.choice([option["a"] for option in asked["options"]])))
            continue
        unit, option = asked["unit"], asked["options"][int(chance.integers(len(asked["options"])))]
        found = preview_action(SeatView(), game.battle, game.seat, option["a"])
        act(game, option["a"])
        rows, m = list(game.battle.members(unit)), game.battle.models
        middle = (float(np.mean([m.x[k] for k in rows])), float(np.mean([m.y[k] for k in rows])))
        assert middle == pytest.approx((option["x"], option["y"]), abs=0.01)
        for k in rows if not found["dice"] else ():
            shape = found["shapes"].get(f"g{k}")
            assert shape is None or (shape["x"], shape["y"]) == pytest.approx((m.x[k], m.y[k]), abs=0.01)
        checked += 1


def test_acting_out_of_turn_is_refused():
    game = game_of()
    seat, before = game.seat, game.battle.state_bytes()
    legal = game.battle.first_legal()
    for who, at, action in (
        (1 - seat, 0, legal),
        (seat, 7, legal),
        (seat, 0, 10**6),
        (seat, 0, -1),
        (WATCHER, 0, legal),
    ):
        with pytest.raises(Refused):
            game.act(who, game.at(who) + at, action)
    with pytest.raises(Refused):
        game.act(seat, game.at(seat), int(np.flatnonzero(~game.battle.legal())[0]))
    assert game.battle.state_bytes() == before and game.replay().actions == []


# ---------------------------------------------------------------- undoing


@pytest.mark.parametrize("battle", [EPIC, "w10/only-war-skirmish", "wap/open-skirmish"])
def test_undoing_makes_everything_what_it_was(battle):
    """Wherever an action can be undone the state, the log and the record are those before it; where a die was rolled it cannot."""
    game, chance = game_of(battle, 6), np.random.default_rng(3)
    undone = kept = 0
    while not game.battle.over and (undone < 40 or kept < 3):
        seat, action = game.seat, int(chance.choice(np.flatnonzero(game.battle.legal())))
        before = game.battle.state_bytes(), [list(view.log) for view in game.views.values()], game.replay().actions
        shown, rolled = game.views[seat].whole(), game.battle.dice.counter[0]
        act(game, action)
        events = len(game.battle.events)
        if game.why_not_undoable(seat):
            kept += 1
            with pytest.raises(Refused):
                game.undo(seat, game.at(seat))
            assert game.battle.dice.counter[0] != rolled or "hidden" in game.why_not_undoable(seat) or game.battle.over
            continue
        assert game.battle.dice.counter[0] == rolled
        game.undo(seat, game.at(seat))
        after = game.battle.state_bytes(), [list(view.log) for view in game.views.values()], game.replay().actions
        assert after == before and len(game.battle.events) <= events
        assert game.views[seat].whole()["beside"] == shown["beside"]
        act(game, action)
        undone += 1
    assert undone > 10 and kept > 0, "a battle has some of either"
    other = Game.replayed(game.replay())
    assert other.battle.state_bytes() == game.battle.state_bytes()


def test_several_actions_are_undone_one_after_the_other_but_not_those_of_the_other_seat():
    game, states = game_of(), []
    play(game, np.random.default_rng(1), until=lambda game: kind(game.battle) == "give-order")
    seat = game.seat
    while game.seat == seat and kind(game.battle) == "give-order":
        states.append(game.battle.state_bytes())
        act(game)
    with pytest.raises(Refused):
        game.undo(1 - seat, game.at(1 - seat))
    while states:
        assert not game.why_not_undoable(seat)
        game.undo(seat, game.at(seat))
        assert game.battle.state_bytes() == states.pop()


@pytest.mark.rule("epic.orders.secret")
def test_who_has_seen_the_enemy_s_orders_does_not_undo_his_own():
    """The last order is given without a die, and reveals all of them."""
    game = game_of()
    play(game, np.random.default_rng(1), until=lambda game: kind(game.battle) == "give-order")
    while not game.battle.clock.revealed[0]:
        seat, rolled = game.seat, game.battle.dice.counter[0]
        act(game)
    assert "hidden" in game.why_not_undoable(seat) or game.battle.dice.counter[0] != rolled
    assert game.why_not_undoable(seat)


# ---------------------------------------------------------------- secrets


def secretly_deployed() -> Game:
    return game_of(rules={"deployment": "secret"})


def in_orders() -> Game:
    game = game_of()
    play(game, np.random.default_rng(1), until=lambda game: kind(game.battle) == "give-order")
    return game


def declaring_formations() -> Game:
    return game_of("w10/only-war-skirmish", rules={"formations": "choose", "strategic_reserves_points": 500})


def with_an_assassin() -> Game:
    scene = RegimentScene((60, 48))
    for _ in range(2):
        scene.unit(0, None, models=20, files=5)
    scene.unit(0, hero(rules=["Hidden"], points=100, ld=10), models=1)
    scene.unit(1, None, models=5)
    battle = scene.battle("deployment", dice=[6, 1])
    choose(battle, "option", 0)
    while kind(battle) != "join-unit":
        cells = slots(battle, "cell")
        choose(battle, "cell", cells[len(cells) // 2]) if cells else battle.apply(battle.first_legal())
    choose(battle, "option", 0)  # he hides: in which unit is asked next
    return Game(battle, 0, BOTH)


@pytest.mark.parametrize("begin", [secretly_deployed, in_orders, declaring_formations, with_an_assassin])
def test_the_other_seat_is_told_the_same_whatever_is_done_in_secret(begin):
    """Two games in which one seat does different things in secret: all that the other is told is equal until they are revealed."""
    one, two = begin(), begin()
    seat, differ, compared = one.seat, False, 0
    for _ in range(60):
        if one.seat != seat or two.seat != seat or (differ and not one.views[1 - seat].hidden()):
            break
        act(one)
        act(two, int(np.flatnonzero(two.battle.legal())[-1]))
        differ = one.battle.state_bytes() != two.battle.state_bytes()
        if not (one.views[1 - seat].hidden() and two.views[1 - seat].hidden()):
            break
        if one.seat == two.seat:
            assert told(one, 1 - seat) == told(two, 1 - seat)
            compared += differ
    for game in (one, two):
        while game.seat == seat and game.views[1 - seat].hidden():
            act(game)
    assert differ and compared
    assert one.views[seat].log != two.views[seat].log, "who did it knows"
    if one.views[1 - seat].hidden() and two.views[1 - seat].hidden():
        assert told(one, 1 - seat) == told(two, 1 - seat)


def test_orders_are_told_when_they_are_revealed():
    game = in_orders()
    seat = game.seat
    act(game)
    assert not [
        line for line in game.views[1 - seat].log if " has the order " in line["w"] or "Give an order" in line["w"]
    ]
    assert [line for line in game.views[seat].log if line["w"].startswith("Give an order")]
    while not game.battle.clock.revealed[0]:
        act(game)
    assert len([line for line in game.views[1 - seat].log if " has the order " in line["w"]]) > 3


def test_nothing_that_is_told_holds_a_seed():
    seed = 0x5EED_1234_5678
    game = game_of(seed=seed)
    game.seeds = (seed + 1, seed + 2)
    play(game, np.random.default_rng(2), until=lambda game: len(game.replay().actions) > 40)
    dice = game.battle.dice
    for seat in (0, 1):
        text = told(game, seat)
        for secret in (seed, seed + 1, dice.seed_low[0], dice.seed_high[0]):
            assert str(secret) not in text


# ---------------------------------------------------------------- hints


@pytest.mark.parametrize("battle", ["w10/only-war-skirmish", EPIC, "wap/open-skirmish"])
def test_hints_are_legal_and_change_nothing(battle):
    game, chance = game_of(battle, 8, ("random", PERSON)), np.random.default_rng(4)
    advisers, book = [Adviser(name) for name in ADVISERS], Bookmaker(game.battle)
    odds = 0
    for number in range(60):
        if game.battle.over:
            break
        if game.seat == 1 and number % 6 == 0:
            before = game.battle.state_bytes()
            for adviser in advisers[: 2 if number % 12 else 1]:
                said = adviser(game.battle, 1)
                assert game.battle.legal()[said["action"]] and said["words"] == game.battle.describe(said["action"])
            assert game.battle.state_bytes() == before
        if game.seat == 1:
            told_now = book(game.battle, 1)
            odds += len(told_now)
            assert all(pair["lines"] and game.battle.units.owner[pair["unit"]] == 1 for pair in told_now)
        act(game, int(chance.choice(np.flatnonzero(game.battle.legal()))))
    assert odds > 3


def test_an_adviser_that_cannot_answer_says_why_and_no_place_of_this_machine():
    game = game_of()
    assert "error" in Adviser("nobody")(game.battle, game.seat)
    pytest.importorskip("sb3_contrib", reason="sb3-contrib (extra train) is not installed")
    said = Adviser("learned,checkpoint=w10")(game.battle, game.seat)
    assert said["error"] == "plays w10, not epic"


# ---------------------------------------------------------------- saving


def test_the_file_is_the_game_after_every_action(tmp_path):
    file = tmp_path / "game.replay"
    game, chance = game_of(file=file), np.random.default_rng(5)
    for _ in range(30):
        act(game, int(chance.choice(np.flatnonzero(game.battle.legal()))))
        saved = read_replay(file)
        assert saved.actions == game.replay().actions and saved.final == game.battle.state_bytes()
        assert saved.agents == BOTH
    again = Game.resumed(file)
    assert again.battle.state_bytes() == game.battle.state_bytes()
    for seat in (0, 1):
        assert again.views[seat].log == game.views[seat].log
        assert bool(again.why_not_undoable(seat)) == bool(game.why_not_undoable(seat))
    assert [path.name for path in tmp_path.iterdir()] == ["game.replay"]


def test_what_cannot_be_saved_was_not_done(tmp_path, monkeypatch):
    file = tmp_path / "game.replay"
    game = game_of(file=file)
    act(game)
    before, log, at = game.battle.state_bytes(), list(game.views[0].log), game.at(game.seat)

    def full(self):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Game, "save", full)
        with pytest.raises(Refused, match="No space"):
            act(game)
        seat = next(seat for seat in (0, 1) if not game.why_not_undoable(seat)) if game.seat >= 0 else 0
        with pytest.raises(Refused, match="No space"):
            game.undo(seat, game.at(seat))
    assert game.battle.state_bytes() == before and game.views[0].log == log and len(game.replay().actions) == 1
    assert game.at(game.seat) >= at
    act(game)
    assert read_replay(file).actions == game.replay().actions


def test_a_replay_that_leads_elsewhere_is_refused(tmp_path):
    file = tmp_path / "game.replay"
    game = game_of(file=file)
    for _ in range(4):
        act(game)
    replay = game.replay()
    replay.final = bytes(len(replay.final))
    with pytest.raises(ContentError, match="final state"):
        Game.replayed(replay)
    replay = game.replay()
    replay.actions[2] = 0
    with pytest.raises(ContentError, match="actions"):
        Game.replayed(replay)
