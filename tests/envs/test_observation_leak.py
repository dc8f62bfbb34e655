"""What one seat does not know is in none of its bytes: battle formations, dice to come, whatever a ruleset declares hidden."""

from __future__ import annotations

import copy
import dataclasses

import numpy as np
import pytest

from wh_env import Battle
from wh_env.core.features import hidden_parts
from wh_env.core.procedures import Hidden
from wh_env.envs.observation import Observer, column_of
from wh_env.rulesets.w10.ruleset import TENTH_EDITION

SKIRMISH = "w10/only-war-skirmish"
CHOOSE = {"formations": "choose", "strategic_reserves_points": 500}
FORMS = ("vector", "entities")


def seen(observer: Observer, battle: Battle, seat: int) -> bytes:
    """Everything that the seat sees, as bytes."""
    out = observer.observe(battle, seat)
    return out.tobytes() if observer.form == "vector" else b"".join(out[name].tobytes() for name in out)


def scramble(battle: Battle, hidden: Hidden, chance: np.random.Generator) -> Battle:
    """A copy with random bytes where something is hidden."""
    other = battle.clone()
    for part in hidden_parts(other.setup, other.buffer, hidden):
        part[...] = np.frombuffer(chance.bytes(part.nbytes), part.dtype).reshape(part.shape)
    return other


@pytest.mark.parametrize("form", FORMS)
def test_formations_are_in_no_byte_of_the_other_seat(form):
    """At every decision until both are ready: whatever stands in the other seat's hidden columns, the same bytes are seen."""
    battle, chance = Battle.load(SKIRMISH, 3, rules=CHOOSE), np.random.default_rng(1)
    observer, tables = Observer(battle.setup, form), set()
    decisions = 0
    while not all(battle.players.ready):
        for seat in (0, 1):
            hidden = battle.setup.ruleset.hidden(battle, seat)
            plain = seen(observer, battle, seat)
            for what in hidden:
                tables.add((what.table, battle.clock.player[0] == seat))
                assert seen(observer, scramble(battle, what, chance), seat) == plain, what
        battle.apply(int(chance.choice(battle.legal().nonzero()[0])))
        decisions += 1
    assert decisions > 6
    assert tables >= {("units", True), ("units", False), ("models", True), ("models", False), ("clock", False)}
    assert battle.setup.ruleset.hidden(battle, 0) == battle.setup.ruleset.hidden(battle, 1) == ()


@pytest.mark.parametrize("form", FORMS)
def test_the_waiting_seat_cannot_tell_what_the_other_declares(form):
    """However player 0 declares its formations, player 1 sees the same at each of its own decisions and before; once both are
    ready it sees the difference."""

    def views(first: bool) -> tuple[set[bytes], list[bytes], bytes]:
        battle = Battle.load(SKIRMISH, 3, rules=CHOOSE)
        observer = Observer(battle.setup, form)
        before, own = set(), []
        while not all(battle.players.ready):
            if battle.players.ready[0] or battle.decision.kind == "place-marker":
                if battle.players.ready[0]:
                    own.append(seen(observer, battle, 1))
                battle.apply(battle.first_legal())
                continue
            if battle.decision.player == 0:
                before.add(seen(observer, battle, 1))
                options = battle.decision.options
                battle.apply(options[0] if first else options[-1])
        return before, own, seen(observer, battle, 1)

    one, other = views(True), views(False)
    assert len(one[0]) == len(other[0]) == 1
    assert one[0] == other[0]
    assert one[1] == other[1] and one[1]
    assert one[2] != other[2]


def test_own_formations_are_seen_at_once_and_the_others_when_both_are_ready():
    battle = Battle.load(SKIRMISH, 3, rules={"formations": "choose"})
    observer = Observer(battle.setup, "entities")
    names = ("led", "leads", "in_reserve", "attached", "by_deep_strike")
    columns = [column_of(battle.setup.ruleset, "own", name) for name in names]
    changed = False
    while not all(battle.players.ready):
        for seat in (0, 1):
            assert not observer.observe(battle, seat)["enemy"][:, columns].any()
        changed = changed or observer.observe(battle, 0)["own"][:, columns].any()
        # attach every Leader, put into Reserves what can be
        battle.apply(int(battle.legal().nonzero()[0][-1]))
    assert changed
    assert observer.observe(battle, 1)["enemy"][:, columns].any()


@pytest.mark.parametrize("form", FORMS)
def test_dice_to_come_are_not_seen(form):
    battle, chance = Battle.load(SKIRMISH, 5), np.random.default_rng(2)
    observer, looks = Observer(battle.setup, form), 0
    while not battle.over:
        for seat in (0, 1):
            plain = seen(observer, battle, seat)
            for table in ("dice", "script"):
                rows = len(battle.setup.layout.view(battle.buffer, table))
                assert seen(observer, scramble(battle, Hidden(table, (), 0, rows), chance), seat) == plain
            looks += 1
        for _ in range(12):
            if not battle.over:
                battle.apply(int(chance.choice(battle.legal().nonzero()[0])))
    assert looks > 20


@pytest.mark.parametrize("form", FORMS)
def test_whatever_a_ruleset_hides_is_not_seen(form):
    """A game with secret orders: here the other seat's Command points and what its units have done this turn."""

    class Secretive(type(TENTH_EDITION)):
        def hidden(self, g, seat):
            first = g.players.first_unit[1 - seat]
            units = Hidden("units", ("moved", "selected"), first, first + g.players.units[1 - seat])
            return (units, Hidden("players", ("cp",), 1 - seat, 2 - seat))

    game, chance = Battle.load(SKIRMISH, 4), np.random.default_rng(3)
    for _ in range(100):
        game.apply(int(chance.choice(game.legal().nonzero()[0])))
    ruleset = copy.copy(TENTH_EDITION)
    object.__setattr__(ruleset, "__class__", Secretive)
    setup = dataclasses.replace(game.setup, ruleset=ruleset)
    battle = game.clone()
    battle.setup = setup
    observer, open_observer = Observer(setup, form), Observer(game.setup, form)
    for seat in (0, 1):
        plain = seen(observer, battle, seat)
        assert plain != seen(open_observer, game, seat)
        for what in ruleset.hidden(battle, seat):
            other = scramble(battle, what, chance)
            assert seen(observer, other, seat) == plain
            assert seen(observer, other, 1 - seat) != seen(observer, battle, 1 - seat)  # its own it sees


@pytest.mark.parametrize("form", FORMS)
def test_secret_orders_and_deployments_are_not_seen(form):
    """The Epic-scale game, as it declares its secrets."""
    battle, chance = Battle.load("epic/bridgehead", 2), np.random.default_rng(4)
    observer, tables = Observer(battle.setup, form), set()
    for _ in range(150):
        if battle.over:
            break
        for seat in (0, 1):
            plain = seen(observer, battle, seat)
            for what in battle.setup.ruleset.hidden(battle, seat):
                tables.add((what.table, what.columns))
                assert seen(observer, scramble(battle, what, chance), seat) == plain, what
        battle.apply(int(chance.choice(battle.legal().nonzero()[0])))
    assert any("order" in columns for _, columns in tables)
