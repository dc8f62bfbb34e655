"""Words for rows of the tables: players, units, models, places, lengths. They come from the Setup; no ruleset is named
here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wh_env.core import sentences
from wh_env.core.battle import BattleCore
from wh_env.core.columns import Columns
from wh_env.core.questions import asked
from wh_env.core.sentences import LENGTH_UNITS, counted
from wh_env.core.tables import ATTACHED, DEPLOYING, DESTROYED, EMBARKED, ON_TABLE, OVER, RESERVE

PLACES = {
    DEPLOYING: "to be deployed",
    ON_TABLE: "on the table",
    RESERVE: "in reserve",
    EMBARKED: "embarked",
    DESTROYED: "destroyed",
    ATTACHED: "attached",
}

PHASE = "phase"  # kind of the event with which a phase begins


def column(table: Columns, name: str) -> Any:
    """The column ``name`` of a table; ``None`` if its rows have no such column."""
    return getattr(table, name) if name in (table.rows.dtype.names or ()) else None


class Labels:
    """Words for the rows of one battle, as it stands when a method is called."""

    def __init__(self, battle: BattleCore) -> None:
        """``battle``: the battle that the words are about."""
        self.battle = battle
        self.names = battle.setup.names
        self.suffix = LENGTH_UNITS.get(battle.setup.ruleset.length_unit, f" {battle.setup.ruleset.length_unit}")

    def length(self, value: float) -> str:
        """A length with its unit: ``7.3"``, ``24"``, ``15 cm``."""
        return f"{value:.1f}".removesuffix(".0") + self.suffix

    def player(self, player: int) -> str:
        """The name of a player's army, with the player's number if both have that name; ``nobody`` for -1."""
        return sentences.player(self.battle, player) if player >= 0 else "nobody"

    def unit(self, unit: int) -> str:
        """The name of a unit, with the name of the unit attached to it (``leader + unit``)."""
        return sentences.unit(self.battle, unit) if 0 <= unit < len(self.names["units"]) else "no unit"

    def part(self, unit: int) -> str:
        """The name of a unit alone."""
        return str(self.names["units"][unit]) if 0 <= unit < len(self.names["units"]) else "no unit"

    def units(self, units: Sequence[int]) -> str:
        """The names of several units, separated by commas."""
        return ", ".join(self.unit(unit) for unit in units)

    def model(self, model: int) -> str:
        """The name of a model."""
        return str(self.names["models"][model]) if 0 <= model < len(self.names["models"]) else "no model"

    def phase(self) -> str:
        """The name of the current phase."""
        phases, number = self.battle.setup.ruleset.phases, self.battle.clock.phase[0]
        return phases[number] if 0 <= number < len(phases) else f"phase {number}"

    def moment(self) -> str:
        """Round, player and phase: ``Round 2 · Tyranids · Movement``.

        If the battle records its events, the phase is left out between the beginning of a turn and that of its first
        phase.
        """
        clock = self.battle.clock
        if clock.over[0] == OVER:
            return "The battle is over"
        if clock.round[0] == 0:
            return "Before the battle"
        begins = self.battle.setup.ruleset.turn_events | {PHASE}
        last = next((event.kind for event in reversed(self.battle.events) if event.kind in begins), PHASE)
        phase = f" · {self.phase()}" if last == PHASE else ""
        return f"Round {clock.round[0]} · {self.player(clock.turn[0])}{phase}"

    def place(self, unit: int) -> str:
        """The place of a unit in words; for an embarked or attached unit, the unit that it is in or with."""
        units = self.battle.units
        place = units.place[unit]
        word = PLACES.get(place, f"place {place}")
        for code, name, sense in ((EMBARKED, "carrier", "in"), (ATTACHED, "bodyguard", "with")):
            row = column(units, name)
            if place == code and row is not None and row[unit] >= 0:
                return f"{sense} {self.names['units'][row[unit]]}"
        return word

    def states(self, unit: int) -> list[str]:
        """What the ruleset says of a unit besides its place and its losses."""
        return [*self.battle.setup.ruleset.states(self.battle, unit)]

    def feature(self, kind: int) -> str:
        """The name of a kind of terrain feature."""
        kinds = self.names.get("terrain", ())
        return kinds[kind] if 0 <= kind < len(kinds) else "terrain"

    def outcome(self) -> str:
        """The result of the battle in words; empty while it goes on."""
        result = self.battle.result
        if result is None:
            return ""
        rounds = counted(result.rounds, "round")
        if result.winner is None:
            return f"Draw after {rounds}"
        if won_by_destruction(self.battle, result.winner):
            return f"{self.player(result.winner)} wins after {rounds}: nothing is left of the other army"
        return f"{self.player(result.winner)} wins after {rounds}"

    def asked(self) -> str:
        """Which player must decide what; the result once the battle is over."""
        battle = self.battle
        clock = battle.clock
        if not clock.asking[0]:
            return self.outcome()
        title = asked(battle.setup.ruleset, battle.setup.ruleset.kinds[clock.kind[0]]).title
        subject = clock.subject[0]
        about = f": {self.unit(subject)}" if 0 <= subject < len(self.names["units"]) else ""
        return f"{self.player(clock.player[0])} decides: {title}{about}"


def won_by_destruction(battle: BattleCore, winner: int) -> bool:
    """Whether nothing is left of the loser's army while something is left of the winner's, which decides a battle
    whatever the points.
    """
    wiped_out = battle.setup.ruleset.wiped_out
    return wiped_out(battle, 1 - winner) and not wiped_out(battle, winner)
