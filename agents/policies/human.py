"""A person at a terminal: the battle as a table, options in the battle's own words, searched by letters or chosen by number."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from wh_env import Battle
from wh_env.content.rulebook import rule_text
from wh_env.core.actions import Segment
from wh_env.core.events import Event, Value
from wh_env.core.tables import Array
from wh_env.render.panel import panel
from wh_env.render.text import COLUMNS, render_ansi, unit_letters

SHOWN = 20  # options that are listed at once
COLOURS = ("bold blue", "bold red")
AT = re.compile(r"at\s+([-+]?\d+(?:\.\d*)?)[\s,]+([-+]?\d+(?:\.\d*)?)", re.IGNORECASE)
HELP = """\
a number         choose that option
some letters     choose the option with them in its words; of several show those (/letters: where they are a command)
at X Y           choose the place nearest to X Y, in the numbers that places are told in
all              every option
table            the units of both sides
map              the table from above
?                the rules behind this decision
hint             what other policies would do
log              what happened since your last decision, once more
help             this
quit             leave the battle; what was played is saved as a replay (so does the end of input, or Ctrl-C)
Enter            the options once more"""


class Left(Exception):
    """The person has left the battle."""


class HumanPolicy:
    """Asks a person. All that is shown comes from the battle as the seat sees it, and from ``news``.

    Args:
        seed: of the policies that give hints.
        hints: their names, separated by spaces.
        read: where answers come from, called with a prompt.
        console: where everything is shown.
    """

    def __init__(
        self,
        seed: int = 0,
        hints: str = "greedy tactician",
        read: Callable[[str], str] = input,
        console: Console | None = None,
    ) -> None:
        self.hints, self.read = hints.split(), read
        self.console = console if console is not None else Console(highlight=False)
        self.news: Callable[[], list[str]] = list  # what happened since it was asked last, in lines (``agents.live``)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """A new battle begins."""
        self.seed = seed
        self.told: list[str] = []
        self.greeted = False

    def act(self, battle: Battle, mask: Array) -> int:
        """What the person chooses.

        Raises:
            Left: nothing: the person has left, or there is no more input.
        """
        actions = [int(action) for action in mask.nonzero()[0]]
        words = _told_apart([battle.describe(action) for action in actions])
        self._begin(battle)
        self._list(actions, words, range(len(words)))
        while True:
            try:
                answer = self.read("> ").strip()
            except EOFError:
                raise Left from None
            chosen = self._answer(battle, mask, actions, words, answer)
            if chosen is not None:
                self.console.print(f"→ {words[chosen]}", style="bold", markup=False)
                return actions[chosen]

    # ---- what is shown

    def _begin(self, battle: Battle) -> None:
        """What happened, and what is asked."""
        if not self.greeted:
            self.greeted = True
            self.console.print("You play; help tells what can be typed.", style="dim")
            self._units(battle)
        self.told = self.news()
        self._log()
        told, seat = panel(battle), battle.clock.player[0]
        score = "  ".join(
            f"{side.name} {side.score} VP" + (f", {side.command} CP" if side.command >= 0 else "")
            for side in told.seats
        )
        self.console.rule(Text(told.moment), style="dim")
        self.console.print(score, style="dim", markup=False)
        self.console.print(told.asked, style=COLOURS[seat], markup=False)

    def _log(self) -> None:
        for line in self.told:
            self.console.print(line, markup=False)

    def _list(self, actions: Sequence[int], words: Sequence[str], rows: Sequence[int], most: int = SHOWN) -> None:
        """Options with their numbers."""
        width = len(str(len(words)))
        for row in rows[:most]:
            self.console.print(f"  {row + 1:>{width}}  {words[row]}", markup=False)
        if len(rows) > most:
            self.console.print(f"  … and {len(rows) - most} more: type letters of one, or all", style="dim")

    def _units(self, battle: Battle) -> None:
        """The units of both sides."""
        told, letters = panel(battle), unit_letters(battle)
        for player, side in enumerate(told.seats):
            table = Table(
                title=Text(f"{side.name}, {side.score} VP"), title_style=COLOURS[player], title_justify="left"
            )
            for name in ("", "unit", "state"):
                table.add_column(name)
            for name in ("models", "wounds"):
                table.add_column(name, justify="right")
            for row in told.units:
                if row.player == player:
                    state = ", ".join([*([] if row.standing else [row.place]), *row.states])
                    numbers = (f"{row.alive}/{row.strength}", f"{row.wounds}/{row.most}")
                    style = "" if row.alive else "dim"
                    table.add_row(*map(Text, (letters[row.unit], row.name, state, *numbers)), style=style)
            self.console.print(table)

    def _map(self, battle: Battle) -> None:
        columns = max(20, min(COLUMNS, self.console.width - 2))
        self.console.print(Text.from_ansi(render_ansi(battle, self.console.is_terminal, columns=columns)))

    def _rules(self, battle: Battle) -> None:
        """The rules behind the decision."""
        kind = battle.setup.ruleset.kinds[battle.clock.kind[0]]
        for rule in kind.rules:
            self.console.print(rule_text(rule), markup=False)
            self.console.print()
        if not kind.rules:
            self.console.print("no rule of the catalogue stands behind this", style="dim")

    def _hints(self, battle: Battle, mask: Array) -> None:
        """What other policies would do, each asked on a copy."""
        from . import UnknownPolicy, make

        for name in self.hints:
            try:
                action = int(make(name, self.seed).act(battle.clone(), mask))
                self.console.print(f"{name}: {battle.describe(action)}", markup=False)
            except UnknownPolicy as error:
                self.console.print(f"{name}: {error}", markup=False)

    # ---- what is answered

    def _answer(
        self, battle: Battle, mask: Array, actions: Sequence[int], words: Sequence[str], answer: str
    ) -> int | None:
        """The number of the option that is chosen; None if something was shown instead."""
        everything = range(len(words))
        shows: dict[str, Callable[[], None]] = {
            "": lambda: self._list(actions, words, everything),
            "all": lambda: self._list(actions, words, everything, len(words)),
            "table": lambda: self._units(battle),
            "map": lambda: self._map(battle),
            "?": lambda: self._rules(battle),
            "hint": lambda: self._hints(battle, mask),
            "log": self._log,
            "help": lambda: self.console.print(HELP, markup=False),
        }
        name = answer.lower()
        if name == "quit":
            raise Left
        if name in shows:
            shows[name]()
            return None
        if answer.isdecimal():
            if 1 <= int(answer) <= len(words):
                return int(answer) - 1
            self.console.print(f"there is no option {answer}: 1 to {len(words)}", style="red")
            return None
        if place := AT.fullmatch(answer):
            nearest = nearest_place(battle, actions, float(place[1]), float(place[2]))
            if nearest is None:
                self.console.print("no places are asked for", style="red")
            return nearest
        found = search(words, name.removeprefix("/"))
        if len(found) == 1:
            return found[0]
        if found:
            self._list(actions, words, found)
        else:
            self.console.print(
                f"no option has {answer!r} in its words (help tells what can be typed)", style="red", markup=False
            )
        return None


def _told_apart(words: list[str]) -> list[str]:
    """Words of options with a number behind those that several options share."""
    counts: dict[str, int] = {}
    told = []
    for word in words:
        counts[word] = counts.get(word, 0) + 1
        told.append(word if words.count(word) == 1 else f"{word} ({counts[word]})")
    return told


def search(words: Sequence[str], letters: str) -> list[int]:
    """Rows of the options that have every part of what was typed in their words; that one alone that is just so."""
    whole = [row for row, word in enumerate(words) if word.lower() == letters]
    parts = letters.split()
    return whole or [row for row, word in enumerate(words) if parts and all(part in word.lower() for part in parts)]


def nearest_place(battle: Battle, actions: Sequence[int], x: float, y: float) -> int | None:
    """The row of the option whose cell lies nearest to a place (of a move: to a displacement); None without cells."""
    region, space = battle.pending().region, battle.setup.space
    if region is None:
        return None
    steps = max(1, space.grid - 1)
    best, least = None, 0.0
    for row, action in enumerate(actions):
        segment, slot = space.split(action)
        if segment == Segment.CELL:
            across, up = (slot % space.grid) / steps, (slot // space.grid) / steps
            dx, dy = region.x0 + across * (region.x1 - region.x0) - x, region.y0 + up * (region.y1 - region.y0) - y
            if best is None or dx * dx + dy * dy < least:
                best, least = row, dx * dx + dy * dy
    return best


def may_hear(battle: Battle, seat: int, event: Event) -> bool:
    """Whether an event names nothing that is kept from a seat now."""
    setup = battle.setup
    kept = {(h.table, row) for h in setup.ruleset.hidden(battle, seat) for row in range(h.first, h.last)}
    if not kept:
        return True
    tables = {Value.UNIT: "units", Value.UNITS: "units", Value.MODEL: "models", Value.MODELS: "models"}
    for name, value in event.data.items():
        declared = setup.ruleset.event_fields.get(name)
        table = tables.get(declared.value) if declared is not None else None
        rows = value if isinstance(value, list | tuple) else [value]
        if table is not None and any((table, row) in kept for row in rows):
            return False
    return True
