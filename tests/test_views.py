"""What a seat is shown, masks that cannot be written to, and delegates that are checked."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle, IllegalAction
from wh_env.agents.policies import GreedyPolicy, make
from wh_env.core.features import Veil, hidden_parts
from wh_env.core.views import SeatView
from wh_env.envs import registry
from wh_env.rulesets.epic.codes import NO_ORDER, Phase

SKIRMISH = "w10/only-war-skirmish"
EPIC = registry.environment("epic").skirmish
CHOOSE = {"formations": "choose", "strategic_reserves_points": 500}
SECRETS = [(SKIRMISH, CHOOSE, "squad"), (SKIRMISH, CHOOSE, "full")] + [
    (EPIC, {"deployment": how}, detail) for how in ("secret", "alternate") for detail in ("squad", "full")
]


def load(name: str, rules=None, seed: int = 0, **how) -> Battle:
    return Battle.load(name, seed, rules=rules, **how)


def random_step(battle: Battle, chance: np.random.Generator) -> None:
    battle.apply(int(chance.choice(battle.legal().nonzero()[0])))


# ---------------------------------------------------------------- masks


def test_a_mask_cannot_be_written_to():
    battle = load(SKIRMISH)
    mask = battle.legal()
    wrong = int((~mask).argmax())
    with pytest.raises(ValueError, match="read-only"):
        mask[wrong] = True
    with pytest.raises(ValueError, match="WRITEABLE"):
        mask.setflags(write=True)
    assert isinstance(mask.base, bytes)
    with pytest.raises(ValueError, match="read-only"):
        mask.view(np.uint8)[wrong] = 1
    with pytest.raises(TypeError):
        memoryview(mask)[wrong] = True
    battle.mask[:] = True  # where decisions mark their options is not what is checked
    battle.bits[wrong] = True
    assert (battle.legal() == mask).all()
    with pytest.raises(IllegalAction):
        battle.apply(wrong)


def test_a_mask_that_is_kept_stays_what_it_was():
    battle = load(SKIRMISH)
    masks = []
    chance = np.random.default_rng(1)
    for _ in range(40):
        masks.append((battle.legal(), battle.legal().copy()))
        random_step(battle, chance)
    assert all((mask == copy).all() for mask, copy in masks)


class Number:
    """Says one thing and then another when it is asked for its number."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)

    def __index__(self) -> int:
        return self.numbers.pop(0) if len(self.numbers) > 1 else self.numbers[0]

    __int__ = __index__

    def __le__(self, _other: object) -> bool:
        return True

    __lt__ = __ge__ = __gt__ = __le__


def test_an_action_is_asked_for_its_number_once():
    battle = load(SKIRMISH)
    right, wrong = battle.first_legal(), int((~battle.legal()).argmax())
    state = battle.state_bytes()
    for action, message in ((Number(wrong, right), "not legal"), (10**9999, "of many digits is outside")):
        with pytest.raises(IllegalAction, match=message):
            battle.apply(action)
    for action in (None, "3", 2.0):
        with pytest.raises(TypeError):
            battle.apply(action)
    assert battle.state_bytes() == state
    other = battle.clone()
    battle.apply(Number(right, wrong))
    other.apply(right)
    assert battle.state_bytes() == other.state_bytes()


# ---------------------------------------------------------------- delegates


def play_until_fault(battle: Battle, error: type[Exception], message: str) -> None:
    """Random actions until a delegate fails."""
    chance = np.random.default_rng(0)

    def play() -> None:
        while not battle.over:
            random_step(battle, chance)

    with pytest.raises(error, match=message):
        play()


class Odd:
    """A delegate that answers twice as it should and then otherwise."""

    def __init__(self, answer: object) -> None:
        self.answer, self.asked = answer, 0

    def __call__(self, battle, mask):
        self.asked += 1
        return int(mask.nonzero()[0][-1]) if self.asked < 3 else self.answer


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (100_000, "action 100000 is outside the action space"),
        (-1, "action -1 is outside the action space"),
        (10**9999, "action of many digits is outside the action space"),
        (330, r"action 330 \(.*\) is not legal for decision select-to-move"),
        (None, "'NoneType' object cannot be interpreted as an integer"),
        (1.0, "'float' object cannot be interpreted as an integer"),
    ],
    ids=["too great", "negative", "huge", "illegal", "none", "float"],
)
def test_a_delegate_is_checked_like_a_player(answer, message):
    """What was answered before is carried out; the delegate's decision waits, can be saved, and can be answered by hand."""
    delegate = Odd(answer)
    battle = Battle.load(SKIRMISH, 3, delegates={"select-to-move": delegate})
    play_until_fault(battle, IllegalAction, f"delegate Odd of select-to-move: {message}")
    assert delegate.asked == 3 and battle.decision.kind == "select-to-move"
    assert Battle.from_bytes(battle.to_bytes()).decision == battle.decision
    number = battle.clock.decisions[0]
    delegate.asked = 0
    battle.apply(battle.first_legal())
    assert battle.clock.decisions[0] == number + 1


def test_a_delegate_that_fails_while_a_battle_begins_is_named():
    def wrong(battle, mask):
        return 100_000

    with pytest.raises(IllegalAction, match=r"delegate .*wrong of select-to-deploy: action 100000 is outside"):
        Battle.load(SKIRMISH, 3, delegates={"select-to-deploy": wrong})


def test_a_delegate_that_raises_leaves_its_decision_waiting():
    class Unsure(Odd):
        def __call__(self, battle, mask):
            if self.asked == 2:
                raise KeyError("no idea")
            return super().__call__(battle, mask)

    delegate = Unsure(0)
    battle = Battle.load(SKIRMISH, 3, delegates={"select-to-move": delegate})
    play_until_fault(battle, KeyError, "no idea")
    assert battle.decision.kind == "select-to-move"
    delegate.asked = 0
    battle.apply(battle.first_legal())


def test_a_delegate_cannot_touch_the_battle():
    """It sees a decision that waits, tries things out, spoils what it is shown: the battle is as if it had only answered."""
    kept = []

    def good(battle, mask):
        return int(mask.nonzero()[0][-1])

    def bad(battle, mask):
        answer = good(battle, mask)
        if battle not in kept:
            assert battle.decision.kind == "select-to-deploy" and battle.legal()[answer]
            assert not mask.flags.writeable
            copy = battle.clone(5)
            copy.apply(answer)
        battle.players.vp[0] = 90
        battle.buffer[:] = 255
        battle.apply = battle.run = battle.legal = battle.setup = None
        kept.append(battle)
        return answer

    battles = [Battle.load(SKIRMISH, 3, delegates={"select-to-deploy": delegate}) for delegate in (good, bad)]
    chance = np.random.default_rng(0)
    while not battles[0].over:
        action = int(chance.choice(battles[0].legal().nonzero()[0]))
        for battle in battles:
            battle.apply(action)
        for spoiled in kept:
            spoiled.buffer[:] = 77
        assert battles[0].state_bytes() == battles[1].state_bytes()
    assert battles[1].over and kept


def test_greedy_answers_on_a_fresh_clone():
    """Also where it leaves the answer to the kind's own default; nobody has asked the clone for its mask."""
    battle = Battle.load(SKIRMISH, 2, detail="full", rules={"formations": "choose"})
    policy, chance, other = GreedyPolicy(), np.random.default_rng(2), set()
    for _ in range(600):
        if battle.over:
            break
        mask = battle.legal()
        answer = policy.act(battle.clone(), mask)
        assert mask[answer]
        other.add(battle.decision.kind)
        random_step(battle, chance)
    assert len(other) > 12


# ---------------------------------------------------------------- views


@pytest.mark.parametrize(("name", "rules", "detail"), SECRETS)
def test_what_is_shown_is_the_battle_without_its_secrets(name, rules, detail):
    """What is hidden is as before the battle, except what the ruleset completes; the rest, but for the dice, is the battle's."""
    battle, chance, view, veil = load(name, rules, 5, detail=detail), np.random.default_rng(3), SeatView(), Veil()
    secrets = 0
    for _ in range(250):
        if battle.over:
            break
        seat = battle.clock.player[0]
        state = battle.state_bytes()
        shown = view.of(battle, seat)
        assert battle.state_bytes() == state
        assert type(shown) is Battle and shown is not battle and shown.recorder is None
        assert not np.shares_memory(shown.buffer, battle.buffer)
        assert (shown.legal() == battle.legal()).all() and shown.decision == battle.decision
        hidden = battle.setup.ruleset.hidden(battle, seat)
        secrets += bool(hidden)
        known = veil.over(battle, seat)
        for table in battle.setup.layout.offsets:
            if table in ("dice", "script"):
                continue
            one, other = (battle.setup.layout.view(b.buffer, table) for b in (shown, known))
            if table == "units" and hidden and "order" in (one.dtype.names or ()):
                one = one.copy()
                one["order"] = other["order"]
            assert one.tobytes() == other.tobytes(), table
        for action in battle.decision.options[:2]:
            assert shown.describe(action) == battle.describe(action)
        random_step(battle, chance)
    assert secrets > 3


@pytest.mark.parametrize(("name", "rules", "detail"), SECRETS)
def test_what_is_shown_does_not_depend_on_what_is_hidden(name, rules, detail):
    """Random bytes where something is hidden: the same bytes are shown."""
    battle, chance = load(name, rules, 6, detail=detail), np.random.default_rng(4)
    views = (SeatView(), SeatView())
    seen = 0
    for _ in range(200):
        seat = battle.clock.player[0]
        hidden = battle.setup.ruleset.hidden(battle, seat)
        if hidden:
            plain = views[0].of(battle, seat).state_bytes()
            other = battle.clone()
            other.legal()
            for what in hidden:
                for part in hidden_parts(other.setup, other.buffer, what):
                    part[...] = np.frombuffer(chance.bytes(part.nbytes), part.dtype).reshape(part.shape)
            assert views[1].of(other, seat).state_bytes() == plain
            seen += 1
        random_step(battle, chance)
        if battle.over:
            break
    assert seen > 3


@pytest.mark.parametrize(("name", "rules", "detail"), SECRETS)
def test_battles_are_played_on_from_what_is_shown(name, rules, detail):
    """From every secret decision of some battles, to the end or for long, at random: nothing crashes, somebody is always asked."""
    chance, view, decisions, starts = np.random.default_rng(7), SeatView(), 0, 0
    greedy = make("greedy", 0)
    most = 250 if detail == "squad" else 120
    for seed in range(3):
        battle = load(name, rules, seed, detail=detail)
        for _ in range(400):
            if battle.over:
                break
            seat = battle.clock.player[0]
            if battle.setup.ruleset.hidden(battle, seat) and starts < 60:
                starts += 1
                copy = view.of(battle, seat).clone(int(chance.integers(1 << 40)))
                for number in range(most):
                    if copy.over:
                        break
                    mask = copy.legal()
                    assert mask.any()
                    copy.apply(greedy.act(copy, mask) if number % 8 == 0 else int(chance.choice(mask.nonzero()[0])))
                    decisions += 1
            random_step(battle, chance)
    assert starts > 8 and decisions > 1000


def test_orders_that_cannot_be_seen_are_completed():
    """The second player to give orders sees the enemy's formations with the first order there is, whatever they were given, while the
    first sees none; retreating formations have none."""
    battle, chance, view = load(EPIC, {"deployment": "alternate"}, 1), np.random.default_rng(5), SeatView()
    seen = [set(), set()]
    while battle.clock.round[0] < 4 and not battle.over:
        if battle.clock.phase[0] == Phase.ORDERS:
            seat = battle.clock.player[0]
            shown = view.of(battle, seat)
            second = seat != battle.clock.attacker[0]
            for unit in battle.units_of(1 - seat):
                seen[second].add(shown.units.order[unit])
                assert (shown.units.order[unit] == NO_ORDER) == (battle.units.order[unit] == NO_ORDER)
        random_step(battle, chance)
    assert seen[0] == {NO_ORDER} and 1 in seen[1] and seen[1] <= {NO_ORDER, 1}


def test_dice_are_not_shown():
    """Neither those to come, nor those that a test has queued; however the view is played on."""
    battle = load(SKIRMISH, seed=9)
    battle.script_array[:] = 6
    battle.dice.script_end[0] = len(battle.script_array)
    shown = SeatView().of(battle, battle.clock.player[0])
    assert shown.dice.script_end[0] == shown.dice.script_at[0] and not shown.script_array.any()
    battle.dice.script_at[0] = battle.dice.script_end[0]
    one, other = battle.clone(), shown.clone()
    assert [one.d6() for _ in range(60)] != [other.d6() for _ in range(60)]
    assert shown.dice.seed_low[0] != battle.dice.seed_low[0] and shown.dice.seed_high[0] != battle.dice.seed_high[0]
    for low, high in ((shown.dice.seed_low[0], 0), (0, shown.dice.seed_high[0])):
        battle.dice.seed_low[0], battle.dice.seed_high[0] = low, high
        again = SeatView().of(battle, battle.clock.player[0])
        assert again.dice.seed_low[0] != low and again.dice.seed_high[0] != high


def test_a_spoiled_view_is_whole_again_at_the_next_call():
    """Its bytes are; attributes that were replaced stay so, and belong to whoever did that."""
    battle, view = load(SKIRMISH, seed=2), SeatView()
    seat = battle.clock.player[0]
    before = view.of(battle, seat).state_bytes()
    spoiled = view.of(battle, seat)
    spoiled.buffer[:] = 9
    spoiled.buffer.setflags(write=False)
    spoiled.setup = None
    spoiled._options = b""
    shown = view.of(battle, seat)
    assert shown.state_bytes() == before and shown.decision == battle.decision
    shown.buffer = shown.units = shown.clock = shown.dice = None
    shown.__class__ = type("Other", (Battle,), {"__setattr__": None, "copy_from": None, "legal": None})
    state = battle.state_bytes()
    again = view.of(battle, seat)
    assert bytes(view._state) == before and again.setup.source == battle.setup.source and battle.state_bytes() == state
