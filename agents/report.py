"""Write a battle report for people: events grouped by battle round, turn and phase."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from wh_env import Battle, Event
from wh_env.core.events import NONE, Tally, Value
from wh_env.core.sentences import agreeing, counted
from wh_env.render.arms import weapons_of_attack
from wh_env.render.labels import Labels, won_by_destruction
from wh_env.render.words import used_stratagem

# kinds of values that are printed as names, with the table of names
NAMED = {Value.UNIT: "units", Value.UNITS: "units", Value.MODEL: "models", Value.MODELS: "models"}
MANY = 4  # greatest number of models that are listed by name


@dataclass
class Volley:
    """The attacks of one unit at one target, counted.

    Attributes:
        attacker, target: rows of the units.
        counts: number of each thing counted, such as hits, by name.
        rules: ids of the rules that were applied.
        weapons: names of the weapons, in order of use (the values are unused).
    """

    attacker: int
    target: int
    counts: dict[str, int] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)
    weapons: dict[str, None] = field(default_factory=dict)  # names, in order

    def add(self, name: str, amount: int) -> None:
        """Add ``amount`` to the count called ``name``."""
        self.counts[name] = self.counts.get(name, 0) + amount


class Reporter:
    """Turns events into lines of a report. Call it with each event when it happens, because attached
    Leaders change the names of units.

    ``lines`` returns the complete lines so far, ``finish`` the rest.

    Args:
        battle: the battle that the events come from.
        rules: also name the rules that were applied.
    """

    def __init__(self, battle: Battle, *, rules: bool = False) -> None:
        self.battle = battle
        self.names = battle.setup.names
        self.labels = Labels(battle)
        self.rules = rules
        self.ready: list[str] = []
        self.volley: Volley | None = None
        self.heading = ""

    def __call__(self, event: Event) -> None:
        """Add an event."""
        data, ruleset = event.data, self.battle.setup.ruleset
        tally = ruleset.tally(self.battle, event)
        if tally is not None:
            self.count(event, tally)
            return
        self.end_volley()
        if event.kind == "turn":
            self.heading = f"Round {data['round']}, {self.player(data['player'])}"
            self.ready.append("")
            self.ready.append(f"== {self.heading} ==")
        elif event.kind == "phase":
            turn = "" if "player" in data else f", round {data['round']}"  # phases that both players share
            self.ready.append(f"-- {data['phase']} phase{turn} --")
        elif event.kind not in ruleset.untold:
            sentence = ruleset.sentence(self.battle, event) or used_stratagem(self.labels, event)
            sentence = sentence or self.sentence(event.kind, data)
            self.say(f"{sentence}.", [event.rule])

    def lines(self) -> Iterator[str]:
        """The lines that are complete and not yet returned; phases in which nothing happened are left
        out.
        """
        ready, self.ready = self.ready, []
        for number, line in enumerate(ready):
            following = ready[number + 1] if number + 1 < len(ready) else None
            if line.startswith("-- "):
                if following is None:
                    self.ready.append(line)
                elif following.startswith("-- ") or not following:
                    continue
                else:
                    yield line
            else:
                yield line

    def finish(self) -> Iterator[str]:
        """The remaining lines, and the state of the battle."""
        self.end_volley()
        yield from self.lines()
        for line in self.ready:
            if not line.startswith("-- "):
                yield line
        self.ready = []
        yield ""
        yield outcome(self.battle)

    # ---- words

    def say(self, text: str, rules: list[str]) -> None:
        """Add a line of text, with rule ids if they are wanted."""
        suffix = f"  [{', '.join(dict.fromkeys(rules))}]" if self.rules and rules else ""
        self.ready.append(f"   {text}{suffix}")

    def player(self, player: int) -> str:
        """A player in words: the army, with a number if both armies have that name."""
        return self.labels.player(player)

    def unit(self, unit: int) -> str:
        """The name of a unit, with that of its attached Leader."""
        leader = self.battle.units.leader[unit]
        name = self.names["units"][unit]
        return f"{self.names['units'][leader]} with {name}" if leader >= 0 else name

    def value(self, name: str, value: Any) -> str:
        """A value of an event in words; ``name`` is its key."""
        declared = self.battle.setup.ruleset.event_fields.get(name)
        kind = declared.value if declared is not None else None
        if kind in NAMED:
            rows = value if isinstance(value, tuple | list) else [value]
            if kind is Value.MODELS and len(rows) > MANY:
                return f"{len(rows)} of them"
            names = self.names[NAMED[kind]]
            return ", ".join(str(names[row]) if row != NONE else "nobody" for row in rows)
        if kind is Value.PLAYER:
            return self.player(value) if value != NONE else "nobody"
        if kind is Value.MARKER:
            return str(value + 1)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, float):
            return f"{value:.1f}"
        if isinstance(value, tuple | list):
            return ", ".join(self.value("", part) for part in value)
        return str(value)

    def sentence(self, kind: str, data: dict[str, Any]) -> str:
        """An event in words: first the unit, player or marker that it is about, then what happened.

        Args:
            kind: kind of the event.
            data: its values.
        """
        rest = {name: value for name, value in data.items() if name not in ("path", "levels", "wanted")}
        subject = ""
        if isinstance(rest.get("unit"), int) and rest["unit"] >= 0:
            subject = self.unit(rest.pop("unit"))
        elif isinstance(rest.get("player"), int) and rest["player"] >= 0:
            subject = self.player(rest.pop("player"))
        elif isinstance(rest.get("marker"), int):
            subject = f"marker {rest.pop('marker') + 1}"
        path = data.get("path")
        if path:
            x, y = path[-1]
            return f'{subject} {kind.removeprefix("unit ")} {(x * x + y * y) ** 0.5:.1f}"'
        passed = rest.pop("passed", None)
        parts = [f"{name.replace('_', ' ')} {self.value(name, value)}" for name, value in rest.items()]
        if passed is not None:
            parts.append("passed" if passed else "failed")
        words = f"{subject}: {kind.removeprefix('unit ')}" if subject else kind
        return f"{words} ({'; '.join(parts)})" if parts else words

    # ---- attacks

    def count(self, event: Event, tally: Tally) -> None:
        """Add an event to the volley of its attacker and target."""
        volley, attacker = self.volley, tally.attacker
        if volley is None or (attacker >= 0 and volley.attacker != attacker) or volley.target != tally.target:
            self.end_volley()
            volley = self.volley = Volley(attacker, tally.target)
        volley.rules.append(event.rule)
        volley.weapons.update(dict.fromkeys(weapons_of_attack(self.battle, event)))
        for name, amount in tally.counts.items():
            volley.add(name, amount)

    def end_volley(self) -> None:
        """Write the line of the volley counted so far."""
        volley, self.volley = self.volley, None
        if volley is None:
            return
        counts = ", ".join(f"{amount} {agreeing(amount, name)}" for name, amount in volley.counts.items() if amount)
        target = self.names["units"][volley.target] if volley.target >= 0 else "nobody"
        subject = f"{self.names['units'][volley.attacker]} → {target}" if volley.attacker >= 0 else target
        subject += f" with {', '.join(volley.weapons)}" if volley.weapons else ""
        if counts:
            self.say(f"{subject}: {counts}.", volley.rules)


def outcome(battle: Battle) -> str:
    """How the battle ended or stands, in one sentence."""
    vp = battle.players.vp
    points = f"{vp[0]}:{vp[1]} victory points"
    result = battle.result
    if result is None:
        return f"Not finished: round {battle.clock.round[0]}, {points}."
    rounds = counted(result.rounds, "round")
    if result.winner is None:
        return f"Draw after {rounds}, {points}."
    labels = Labels(battle)
    wins = f"{labels.player(result.winner)} wins after {rounds}"
    if won_by_destruction(battle, result.winner):
        return f"{wins}: nothing is left of {labels.player(1 - result.winner)}; {points}."
    return f"{wins}, {points}."
