"""A person at the terminal: what is shown, what can be typed, and how the battle is kept when the person leaves."""

from __future__ import annotations

import builtins
import io
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from programs_in_place import in_place
from rich.console import Console

from wh_env import Battle, Event
from wh_env.agents.live import listen
from wh_env.agents.match import play_battle
from wh_env.agents.policies import RandomPolicy
from wh_env.agents.policies.human import HumanPolicy, Left, may_hear, nearest_place, search
from wh_env.content.replay import Recorder, read_replay
from wh_env.envs.registry import environment

SKIRMISH = "w10/only-war-skirmish"
OPTION = re.compile(r"^ +(\d+)  (.*)$", re.MULTILINE)


class Paper(io.StringIO):
    """What a person reads: everything since the last answer."""

    def read_off(self) -> str:
        told = self.getvalue()
        self.seek(0)
        self.truncate()
        return told


def at_the_table(answers: Callable[[str], str], seed: int = 1) -> HumanPolicy:
    """A person who answers what is shown."""
    paper = Paper()
    return HumanPolicy(seed, read=lambda _: answers(paper.read_off()), console=Console(file=paper, width=120))


def typed(*lines: str) -> tuple[HumanPolicy, list[str]]:
    """A person who types these lines and then leaves, and what was shown before each of them."""
    left, shown = iter([*lines, "quit"]), []

    def answer(paper: str) -> str:
        shown.append(paper)
        return next(left)

    return at_the_table(answer), shown


def ask(battle: Battle, *lines: str) -> list[str]:
    """What each line that chooses nothing shows, at the waiting decision."""
    person, shown = typed(*lines)
    with pytest.raises(Left):
        person.act(battle, battle.legal())
    return shown[1:]


def deploying(battle: Battle) -> Battle:
    """The battle, where a place is asked for."""
    while battle.decision is not None and battle.decision.kind != "deploy-to":
        battle.apply(battle.first_legal())
    return battle


@pytest.mark.parametrize("ruleset", ["w10", "epic", "wap"])
def test_a_skirmish_is_played_to_its_end(ruleset: str) -> None:
    """By numbers and by letters, between requests for everything that can be shown."""
    dice, asked = random.Random(4), 0

    def answer(paper: str) -> str:
        nonlocal asked
        asked += 1
        options = OPTION.findall(paper)
        if asked % 40 == 7:
            return dice.choice(["help", "table", "map", "?", "log", "all"])
        if not options:
            return ""
        number, words = dice.choice(options)
        return number if asked % 2 else words

    battle = Battle.load(environment(ruleset).skirmish, 5, record=True)
    person = at_the_table(answer)
    recorder = Recorder(battle, 5)
    play_battle(battle, [person, RandomPolicy(2)], on_event=listen(battle, {0: person}), recorder=recorder)
    assert battle.over and asked > 20
    assert recorder.replay().new_battle().setup.source == battle.setup.source


def test_every_option_is_told_in_the_words_of_the_battle() -> None:
    battle = deploying(Battle.load(SKIRMISH, 3))
    words = [battle.describe(action) for action in battle.decision.options]
    few, everything = ask(battle, "", "all")
    assert [told for _, told in OPTION.findall(everything)] == words
    assert [told for _, told in OPTION.findall(few)] == words[:20]
    assert f"and {len(words) - 20} more" in few


def test_what_can_be_asked_for() -> None:
    battle = Battle.load(SKIRMISH, 3)
    told = dict(
        zip(("help", "table", "map", "?", "hint"), ask(battle, "help", "table", "map", "?", "hint"), strict=True)
    )
    assert "Ctrl-C" in told["help"]
    assert "broodlord + genestealers" in told["table"] and "6/6" in told["table"]
    assert "①" in told["map"] and "objectives" in told["map"]
    assert "w10.mission.only-war.deploy" in told["?"] and "alternately deploy" in told["?"]
    assert re.search(r"^greedy: \w+$", told["hint"], re.MULTILINE) and "tactician: " in told["hint"]


def test_what_cannot_be_chosen_is_said_and_chooses_nothing() -> None:
    battle = Battle.load(SKIRMISH, 3)
    before = battle.state_bytes()
    wrong, no_such, no_place = ask(battle, "999", "dragons", "at 3 4")
    assert "no option 999" in wrong and "'dragons'" in no_such and "no places" in no_place
    assert battle.state_bytes() == before


def test_letters_find_options() -> None:
    words = ["charge assault", "charge terminators", "done", "charge"]
    assert search(words, "charge") == [3], "the one that is just so"
    assert search(words, "char") == [0, 1, 3]
    assert search(words, "ter char") == [1]
    assert search(words, "") == [] and search(words, "dragon") == []


def test_the_nearest_place_is_the_one_that_is_told_so() -> None:
    battle = deploying(Battle.load(SKIRMISH, 3))
    actions = battle.decision.options
    places = [tuple(map(float, re.findall(r"-?\d+\.\d", battle.describe(action)))) for action in actions]
    x, y = 20.3, 2.0
    row = nearest_place(battle, actions, x, y)
    assert row == min(range(len(places)), key=lambda k: (places[k][0] - x) ** 2 + (places[k][1] - y) ** 2)


def test_what_a_seat_may_not_see_it_does_not_hear() -> None:
    """Epic orders are secret: an event that names a formation of the other side is kept from a seat as long as that lasts."""
    battle = Battle.load(environment("epic").skirmish, 1)
    ruleset = battle.setup.ruleset
    while not any(ruleset.hidden(battle, seat) for seat in (0, 1)):
        battle.apply(battle.first_legal())
    seat = next(seat for seat in (0, 1) if ruleset.hidden(battle, seat))
    own, enemy = battle.units_of(seat)[0], battle.units_of(1 - seat)[0]
    assert not may_hear(battle, seat, Event("", "unit deployed", {"unit": enemy}))
    assert may_hear(battle, seat, Event("", "unit deployed", {"unit": own}))
    open_battle = Battle.load(SKIRMISH, 1)
    assert may_hear(open_battle, 0, Event("", "unit deployed", {"unit": open_battle.units_of(1)[0]}))


# ---------------------------------------------------------------- the program


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Types these lines, then does what the last one is if that is an exception."""

    def types(*lines: str | type[BaseException]) -> None:
        left: Iterator[str | type[BaseException]] = iter(lines)

        def read(_prompt: str) -> str:
            line = next(left)
            if isinstance(line, str):
                return line
            raise line

        monkeypatch.setattr(builtins, "input", read)
        monkeypatch.setattr(HumanPolicy.__init__, "__defaults__", (0, "greedy tactician", read, None))

    return types


@pytest.mark.parametrize(("end", "code"), [("quit", 0), (EOFError, 0), (KeyboardInterrupt, 130)])
def test_whoever_leaves_finds_the_battle_kept(tmp_path: Path, keyboard, end, code: int) -> None:
    keyboard("1", "1", "table", end)
    file = tmp_path / "left.replay"
    done = in_place("play.py", "--battle", SKIRMISH, "--agents", "human", "random", "--seed", "3", "--replay", file)
    assert done.returncode == code, done.stderr
    assert str(file) in done.stderr and "Not finished" in done.stdout
    replay = read_replay(file)
    assert not replay.complete and replay.agents == ("human", "random") and len(replay.actions) >= 2
    assert replay.verify().state_bytes() == replay.final


def test_a_battle_with_people_is_kept_without_being_asked(tmp_path: Path, keyboard, monkeypatch) -> None:
    keyboard("quit")
    file = tmp_path / "w10-only-war-skirmish-3.replay"
    monkeypatch.setattr("contextlib.chdir", lambda _: __import__("contextlib").nullcontext())
    monkeypatch.chdir(tmp_path)
    done = in_place("play.py", "--battle", SKIRMISH, "--agents", "human", "human", "--seed", "3")
    assert done.returncode == 0, done.stderr
    assert read_replay(file).actions == []
