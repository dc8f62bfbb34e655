"""A person at a terminal, as a policy. The person sees the battle as a table and chooses options by number or by
letters of their words.
"""

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
from wh_env.core.questions import asked, option_words
from wh_env.core.tables import Array
from wh_env.render.panel import panel
from wh_env.render.text import COLUMNS, render_ansi, unit_letters

SHOWN = 20  # greatest number of options that are listed at once
COLOURS = ("bold blue", "bold red")
AT = re.compile(r"at\s+([-+]?\d+(?:\.\d*)?)[\s,]+([-+]?\d+(?:\.\d*)?)", re.IGNORECASE)
HELP = """\
a number         choose that option
some letters     choose the option whose words contain them; if several do, list them (/letters if they are a command)
at X Y           choose the place nearest to X Y, in the coordinates of the listed places
all              list every option
table            show the units of both sides
map              show the table from above
?                show the rules behind this decision
hint             show what other policies would do
log              show again what happened since your last decision
help             show this list
quit             leave the battle and save it as a replay (the end of input and Ctrl-C do the same)
Enter            list the options again"""


class Left(Exception):
    """The person has left the battle."""


class HumanPolicy:
    """Asks a person. Everything it shows comes from the battle as the seat sees it, and from ``news``.

    Args:
        seed: seed of the policies that give hints.
        hints: names of these policies, separated by spaces.
        read: called with a prompt, returns the person's answer.
        console: where everything is shown.

    Attributes:
        news: returns the report lines since the last decision; ``agents.live.listen`` sets it.
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
        self.news: Callable[[], list[str]] = list
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Prepare for a new battle."""
        self.seed = seed
        self._news: list[str] = []
        self.greeted = False

    def act(self, battle: Battle, mask: Array) -> int:
        """The action that the person chooses.

        Raises:
            Left: the person has left, or there is no more input.
        """
        actions = [int(action) for action in mask.nonzero()[0]]
        words = _made_unique([option_words(battle, action) for action in actions])
        self._show_decision(battle)
        self._show_options(actions, words, range(len(words)))
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

    def _show_decision(self, battle: Battle) -> None:
        """Show what happened since the last decision, the score, and what is asked."""
        if not self.greeted:
            self.greeted = True
            self.console.print("You play; type help for a list of commands.", style="dim")
            self._show_units(battle)
        self._news = self.news()
        self._show_log()
        panel_data, seat = panel(battle), battle.clock.player[0]
        score = "  ".join(
            f"{side.name} {side.score} VP" + (f", {side.command} CP" if side.command >= 0 else "")
            for side in panel_data.seats
        )
        self.console.rule(Text(panel_data.moment), style="dim")
        self.console.print(score, style="dim", markup=False)
        self.console.print(panel_data.asked, style=COLOURS[seat], markup=False)
        ruleset = battle.setup.ruleset
        question = asked(ruleset, ruleset.kinds[battle.clock.kind[0]]).question
        self.console.print(question, style="dim", markup=False)

    def _show_log(self) -> None:
        """Show the report lines since the last decision."""
        for line in self._news:
            self.console.print(line, markup=False)

    def _show_options(
        self, actions: Sequence[int], words: Sequence[str], rows: Sequence[int], most: int = SHOWN
    ) -> None:
        """List the options in ``rows`` with their numbers, at most ``most`` of them."""
        width = len(str(len(words)))
        for row in rows[:most]:
            self.console.print(f"  {row + 1:>{width}}  {words[row]}", markup=False)
        if len(rows) > most:
            self.console.print(f"  … and {len(rows) - most} more: type letters of one, or all", style="dim")

    def _show_units(self, battle: Battle) -> None:
        """Show the units of both sides."""
        panel_data, letters = panel(battle), unit_letters(battle)
        for player, side in enumerate(panel_data.seats):
            table = Table(
                title=Text(f"{side.name}, {side.score} VP"), title_style=COLOURS[player], title_justify="left"
            )
            for name in ("", "unit", "state"):
                table.add_column(name)
            for name in ("models", "wounds"):
                table.add_column(name, justify="right")
            for row in panel_data.units:
                if row.player == player:
                    state = ", ".join([*([] if row.standing else [row.place]), *row.states])
                    numbers = (f"{row.alive}/{row.strength}", f"{row.wounds}/{row.most}")
                    style = "" if row.alive else "dim"
                    table.add_row(*map(Text, (letters[row.unit], row.name, state, *numbers)), style=style)
            self.console.print(table)

    def _show_map(self, battle: Battle) -> None:
        """Show the table from above."""
        columns = max(20, min(COLUMNS, self.console.width - 2))
        self.console.print(Text.from_ansi(render_ansi(battle, self.console.is_terminal, columns=columns)))

    def _show_rules(self, battle: Battle) -> None:
        """Show the rules behind the decision."""
        kind = battle.setup.ruleset.kinds[battle.clock.kind[0]]
        for rule in kind.rules:
            self.console.print(rule_text(rule), markup=False)
            self.console.print()
        if not kind.rules:
            self.console.print("no rule of the catalogue stands behind this", style="dim")

    def _show_hints(self, battle: Battle, mask: Array) -> None:
        """Show what other policies would do; each gets a copy of the battle."""
        from . import UnknownPolicy, make

        for name in self.hints:
            try:
                action = int(make(name, self.seed).act(battle.clone(), mask))
                self.console.print(f"{name}: {option_words(battle, action)}", markup=False)
            except UnknownPolicy as error:
                self.console.print(f"{name}: {error}", markup=False)

    # ---- what is answered

    def _answer(
        self, battle: Battle, mask: Array, actions: Sequence[int], words: Sequence[str], answer: str
    ) -> int | None:
        """The number of the chosen option; ``None`` if the answer was a command or matched no single option.

        Raises:
            Left: the answer was ``quit``.
        """
        everything = range(len(words))
        shows: dict[str, Callable[[], None]] = {
            "": lambda: self._show_options(actions, words, everything),
            "all": lambda: self._show_options(actions, words, everything, len(words)),
            "table": lambda: self._show_units(battle),
            "map": lambda: self._show_map(battle),
            "?": lambda: self._show_rules(battle),
            "hint": lambda: self._show_hints(battle, mask),
            "log": self._show_log,
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
        matches = search(words, name.removeprefix("/"))
        if len(matches) == 1:
            return matches[0]
        if matches:
            self._show_options(actions, words, matches)
        else:
            self.console.print(
                f"no option has {answer!r} in its words (help lists the commands)", style="red", markup=False
            )
        return None


def _made_unique(words: list[str]) -> list[str]:
    """Append a number to words that several options share."""
    counts: dict[str, int] = {}
    told = []
    for word in words:
        counts[word] = counts.get(word, 0) + 1
        told.append(word if words.count(word) == 1 else f"{word} ({counts[word]})")
    return told


def search(words: Sequence[str], letters: str) -> list[int]:
    """Numbers of the options whose words contain every part of ``letters``; if one option has exactly these
    words, only that.
    """
    whole = [row for row, word in enumerate(words) if word.lower() == letters]
    parts = letters.split()
    return whole or [row for row, word in enumerate(words) if parts and all(part in word.lower() for part in parts)]


def nearest_place(battle: Battle, actions: Sequence[int], x: float, y: float) -> int | None:
    """The number of the option whose cell lies nearest to a place.

    Args:
        battle: the battle that asks.
        actions: the legal actions.
        x, y: the place, in inches (epic: centimetres); for a move, the displacement.

    Returns:
        An index into ``actions``; ``None`` if no cells are asked for.
    """
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
    """Whether an event names nothing that is hidden from a seat now."""
    setup = battle.setup
    hidden = {(h.table, row) for h in setup.ruleset.hidden(battle, seat) for row in range(h.first, h.last)}
    if not hidden:
        return True
    tables = {Value.UNIT: "units", Value.UNITS: "units", Value.MODEL: "models", Value.MODELS: "models"}
    for name, value in event.data.items():
        declared = setup.ruleset.event_fields.get(name)
        table = tables.get(declared.value) if declared is not None else None
        rows = value if isinstance(value, list | tuple) else [value]
        if table is not None and any((table, row) in hidden for row in rows):
            return False
    return True
