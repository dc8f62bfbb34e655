"""Hints for a player: what policies would do in the same place, where an option leads, and the odds between
units.

All hints follow from what the player's seat sees (``SeatView``) and are computed on copies with other dice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from wh_env import Battle
from wh_env.core.actions import Segment
from wh_env.core.battle import BattleCore
from wh_env.core.questions import option_words
from wh_env.core.tables import RECT
from wh_env.core.views import SeatView
from wh_env.envs.observation import Observer
from wh_env.envs.observation_fields import FAR, INCH, LENGTH, PARTS, fields_of
from wh_env.render.labels import Labels
from wh_env.render.shapes import Shape
from wh_env.render.tape import rounded, shape_changes

from ..policies import Policy, make
from .choices import asked_of, unit_at

# policies that give hints, with the packages that each needs
ADVISERS = {"greedy": (), "tactician": (), "learned": ("torch", "stable_baselines3")}
GHOSTS = 41  # drawing layer of models where they would stand
LEAST = 0.005  # smaller shares and chances are left out
PAIRS = 6  # greatest number of pairs of units for which odds are shown
FLAG, CHANCES = "0/1", ("share", "probability")  # units of measure of observation fields


def error_words(error: Exception) -> str:
    """The message of an error without paths of this machine, which are private."""
    return re.sub(r"(\S*[/\\]\S+: )|(\S*[/\\])", "", str(error)) or type(error).__name__


def advisers() -> list[str]:
    """The policies that give hints, without those whose packages are not installed."""
    return [name for name, packages in ADVISERS.items() if all(find_spec(package) for package in packages)]


class Adviser:
    """A policy that says what it would do.

    Args:
        name: the policy, as for ``policies.make``.
        seed: seed of the policy.
    """

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name, self.seed = name, seed
        self._policy: Policy | None = None
        self._view = SeatView()

    def __call__(self, battle: Battle, seat: int) -> dict[str, Any]:
        """The policy's answer to the waiting decision, or the reason why it has none, as plain data for the
        page.
        """
        try:
            if self._policy is None:
                self._policy = make(self.name, self.seed)
            shown: Any = self._view.of(battle, seat)
            action = int(self._policy.act(shown, battle.legal()))
            return {"policy": self.name, "action": action, "words": option_words(battle, action)}
        except Exception as error:  # it may play another game, need a package, or be a faulty policy of a user
            return {"policy": self.name, "error": error_words(error)}


def preview_action(view: SeatView, battle: Battle, seat: int, action: int) -> dict[str, Any]:
    """Where a legal action leads, as far as no die is rolled.

    Args:
        view: scratch for what the seat sees.
        battle: the battle.
        seat: the seat that asks.
        action: the action.

    Returns:
        ``shapes``: by key, models that would stand elsewhere. ``ask``: the seat's next decision, or ``None``.
        ``dice``: whether dice would be rolled; then the other two are empty.
    """
    shown = view.of(battle, seat)
    then = shown.clone()
    rolled = then.dice.counter[0]
    try:
        then.apply(action)
        if then.dice.counter[0] != rolled:
            return {"dice": True, "shapes": {}, "ask": None}
        goes_on = then.clock.asking[0] and then.clock.player[0] == seat
        return {"dice": False, "shapes": dict(ghosts(shown, then)), "ask": asked_of(then) if goes_on else None}
    except Exception:  # playing on may need something that is hidden from the seat
        return {"dice": False, "shapes": {}, "ask": None}


def ghosts(now: BattleCore, then: BattleCore) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Models that stand elsewhere in ``then`` than in ``now``, as shapes by key."""
    a, b = now.models.rows, then.models.rows
    moved = (b["on_table"] == 1) & (
        (a["on_table"] != 1) | (abs(a["x"] - b["x"]) + abs(a["y"] - b["y"]) + abs(a["facing"] - b["facing"]) > 1e-4)
    )
    shapes = {}
    for k in moved.nonzero()[0].tolist():
        row = b[k]
        kind = "box" if row["shape"] == RECT else "oval"
        x, y, half_a, half_b, turn = (float(row[name]) for name in ("x", "y", "half_a", "half_b", "facing"))
        shapes[f"g{k}"] = rounded(
            Shape(kind, f"ghost-{int(row['owner'])}", x, y, half_a, half_b, turn, layer=GHOSTS, nose=True)
        )
    yield from shape_changes({}, shapes).items()


class Bookmaker:
    """Tells the odds between units of a battle, from the game's observations and its appraiser."""

    def __init__(self, battle: BattleCore) -> None:
        setup = battle.setup
        self._observer = Observer(setup, "entities")
        self._fields = fields_of(setup.ruleset, PARTS["relations"].fields)
        self._appraiser = setup.ruleset.appraiser(setup)
        self._view = SeatView()

    def __call__(self, battle: Battle, seat: int) -> list[dict[str, Any]]:
        """The odds for the pairs of units that the waiting decision is about: rows and names of both, and lines
        of text.
        """
        shown = self._view.of(battle, seat)
        labels = Labels(shown)
        seen = self._observer.observe(shown, seat)["relations"]
        entries = []
        for unit, enemy in pairs(shown, seat):
            lines = self._lines(shown, seat, seen, unit, enemy)
            if lines:
                names = labels.unit(unit), labels.unit(enemy)
                entries.append({"unit": unit, "enemy": enemy, "names": names, "lines": lines})
        return entries

    def at_target(self, battle: Battle, seat: int, action: int) -> list[str]:
        """The odds between the unit that the waiting decision is about and the enemy unit that an action names, as
        lines; none if there are no such units.
        """
        segment, slot = battle.setup.space.split(action)
        decision = battle.decision
        if segment != Segment.ENEMY or decision is None:
            return []
        shown = self._view.of(battle, seat)
        unit, enemy, owner = decision.subject, unit_at(shown, segment, slot), shown.units.owner
        if enemy < 0 or not 0 <= unit < len(owner) or owner[unit] != seat:
            return []
        if told := self._appraiser.prospects(shown, unit, enemy):
            return [*told]
        seen = self._observer.observe(shown, seat)["relations"]
        return [*self._relations(shown, seat, seen, unit, enemy)]

    def _lines(self, battle: BattleCore, seat: int, seen: Any, unit: int, enemy: int) -> list[str]:
        """Lines of text for a pair of units."""
        return [*self._relations(battle, seat, seen, unit, enemy), *self._appraiser.prospects(battle, unit, enemy)]

    def _relations(self, battle: BattleCore, seat: int, seen: Any, unit: int, enemy: int) -> Iterator[str]:
        """Lines of text for the relations between two units."""
        first = battle.players.first_unit
        row = seen[unit - first[seat], enemy - first[1 - seat]]
        labels = Labels(battle)
        for field, value in zip(self._fields, row.tolist(), strict=False):
            if field.name == "there":
                if not value:
                    return
            elif field.unit == FLAG and value:
                yield field.meaning
            elif field.unit in CHANCES and value >= LEAST:
                yield f"{100 * value:.0f} %: {field.meaning}"
            elif field.unit == LENGTH:
                yield f"{labels.length(value * FAR * INCH[battle.setup.ruleset.length_unit])}: {field.meaning}"


def pairs(battle: BattleCore, seat: int) -> list[tuple[int, int]]:
    """Pairs of an own and an enemy unit whose odds matter for the seat's waiting decision: its subject with the
    units that it may choose, else with the nearest ones.
    """
    decision = battle.decision
    if decision is None or decision.player != seat:
        return []
    owner = battle.units.owner
    on_table = [unit for unit in range(len(owner)) if any(True for _ in battle.members(unit))]
    named = []
    for action in decision.options:
        segment, slot = battle.setup.space.split(action)
        if segment in (Segment.OWN, Segment.ENEMY) and (unit := unit_at(battle, segment, slot)) in on_table:
            named.append(unit)
    subject = decision.subject if decision.subject in on_table else -1
    chosen = []
    if subject >= 0:
        others = [unit for unit in named if owner[unit] != owner[subject]]
        chosen = [(subject, unit) for unit in others or nearest(battle, subject, on_table)]
    else:
        chosen = [(unit, other) for unit in named for other in nearest(battle, unit, on_table)[:1]]
    return [(a, b) if owner[a] == seat else (b, a) for a, b in chosen[:PAIRS]]


def nearest(battle: BattleCore, unit: int, on_table: list[int]) -> list[int]:
    """Units of the other side among ``there``, the nearest first."""
    owner = battle.units.owner
    return sorted(
        (other for other in on_table if owner[other] != owner[unit]), key=lambda other: battle.distance(unit, other)
    )
