"""Whatever a seat chooses in secret, the other one sees, is told and may do the same until it is revealed.

Battles are played that differ only in what one seat answers while it is hidden (``Ruleset.hidden``). Everything that reaches the other
seat is compared, with repetitions left out: how often the first one is asked in secret is its own affair.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import wh_env
from wh_env.core.features import hidden_parts
from wh_env.core.procedures import Hidden
from wh_env.envs.observation import FORMS

VARIANTS = range(3)
# decisions that both seats see while something else is hidden: terrain and markers are placed before formations are chosen
OPEN = {
    "select-feature",
    "turn-feature",
    "place-feature",
    "place-feature-exactly",
    "place-marker",
    "place-marker-exactly",
}
CHOOSE = {"formations": "choose", "strategic_reserves_points": 500}


class Secret(NamedTuple):
    """A phase in which something is chosen in secret: the ``nth`` of a battle."""

    battle: str
    rules: dict[str, Any]
    detail: str = "squad"
    nth: int = 0


SECRETS = {
    "orders of the first turn": Secret("epic/bridgehead", {}),
    "orders of the second turn": Secret("epic/river-crossing", {}, nth=1),
    "orders, every decision asked": Secret("epic/bridgehead", {}, "full"),
    "deployment": Secret("epic/bridgehead", {"deployment": "secret"}),
    "orders after a secret deployment": Secret("epic/bridgehead", {"deployment": "secret"}, nth=1),
    "deployment, every decision asked": Secret("epic/bridgehead", {"deployment": "secret"}, "full"),
    "formations": Secret("w10/only-war-skirmish", CHOOSE),
    "formations, every decision asked": Secret("w10/only-war-incursion", CHOOSE, "full"),
    "formations after terrain and markers": Secret("w10/only-war-skirmish", {**CHOOSE, "terrain": "players"}),
}


class Run(NamedTuple):
    """What the watching seat got until the reveal, what stood hidden then, what it saw after it, how often the other was asked."""

    views: list[Any]
    hidden: bytes
    after: Any
    asked: int


def plain(value: Any) -> Any:
    """A value that can be compared."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    return value.tobytes() if isinstance(value, np.ndarray) else value


def secrets(battle: wh_env.Battle, seat: int) -> tuple[Hidden, ...]:
    """What is hidden from the seat, besides who is asked what. As long as that is the same it is one phase."""
    return tuple(what for what in battle.setup.ruleset.hidden(battle, seat) if what.table != "clock")


def what_is_hidden(battle: wh_env.Battle, seat: int) -> bytes:
    """What is hidden from the seat now, as bytes."""
    parts = (part for what in secrets(battle, seat) for part in hidden_parts(battle.setup, battle.buffer, what))
    return b"".join(part.tobytes() for part in parts)


def run(secret: Secret, form: str, watcher: int, variant: int) -> Run:
    """Play as far as the reveal."""
    ruleset = secret.battle.split("/")[0]
    env = wh_env.raw_env(ruleset, secret.battle, detail=secret.detail, observation=form, rules=secret.rules)
    env.reset(seed=5)
    me, battle = env.possible_agents[watcher], env.battle
    open_chance, own_chance, secret_chance = (np.random.default_rng([n, variant * (n == 2)]) for n in range(3))
    views, hidden, phase, was, asked = list[Any](), b"", -1, (), 0
    while True:
        now = secrets(battle, watcher)
        revealed = now != was and phase == secret.nth
        phase += now != () and now != was
        was = now
        mine = env.agent_selection == me
        view = (
            plain(env.observe(me)), env.infos[me].copy(), env.rewards[me], env.terminations[me], env.truncations[me], mine,
            bool(battle.clock.over[0]),
        )  # fmt: skip
        if revealed:
            return Run(views, hidden, view[0], asked)
        if now and phase == secret.nth:
            hidden = what_is_hidden(battle, watcher)
            if not views or views[-1] != view:
                views.append(view)
        in_secret = now != () and phase == secret.nth and not mine and battle.decision.kind not in OPEN
        asked += in_secret
        chance = secret_chance if in_secret else own_chance if now and mine else open_chance
        options = env.observe(env.agent_selection)["action_mask"].nonzero()[0]
        env.step(int(options[int(chance.random() * len(options))]))


@pytest.mark.rule("epic.orders.secret", "epic.deploy.order", "w10.mission.formations.secret")
@pytest.mark.parametrize("watcher", [0, 1])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_choice_reaches_the_other_seat_only_when_it_is_revealed(name, form, watcher):
    first, *others = (run(SECRETS[name], form, watcher, variant) for variant in VARIANTS)
    for other in others:
        assert len(other.views) == len(first.views)
        for one, two in zip(first.views, other.views, strict=True):
            assert one == two
    assert first.views
    assert len({r.hidden for r in (first, *others)}) > 1  # the choices did differ
    assert any(r.after != first.after for r in others)


@pytest.mark.parametrize("name", ["deployment, every decision asked", "formations"])
def test_the_number_of_secret_decisions_differs(name):
    """The test above would say little of counts if it did not."""
    assert len({run(SECRETS[name], "vector", 1, variant).asked for variant in VARIANTS}) > 1


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", [name for name, secret in SECRETS.items() if not secret.nth])
def test_nor_does_it_reach_a_learner_whose_opponent_plays_inside(name, form):
    """Observations, masks, infos, words and pictures of the single-agent view, in the first phase in which something is hidden."""
    secret = SECRETS[name]

    def views(variant: int) -> list[Any]:
        chances = np.random.default_rng(1), np.random.default_rng([2, variant])

        def opponent(battle: wh_env.Battle, mask: Any) -> int:
            in_secret = secrets(battle, 1) != () and battle.decision.kind not in OPEN
            return int(chances[in_secret].choice(mask.nonzero()[0]))

        env = wh_env.single_env(
            secret.battle.split("/")[0], secret.battle, detail=secret.detail, observation=form, rules=secret.rules, seat=1,
            opponent=opponent, render_mode="ansi",
        )  # fmt: skip
        seen, info = env.reset(seed=5)
        chance, found, phase = np.random.default_rng(7), list[Any](), ()
        while not phase or secrets(env.battle, 1) == phase:
            phase = secrets(env.battle, 1)
            if phase:
                found.append((plain(seen), plain(info), env.words(), env.render() if form == FORMS[0] else ""))
            seen, _, _, _, info = env.step(int(chance.choice(env.action_masks().nonzero()[0])))
        return found

    first = views(0)
    assert first
    assert views(1) == first
