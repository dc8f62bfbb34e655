"""Events in words, and the dice that they report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from wh_env.core.events import Event, Value
from wh_env.core.sentences import agreeing, counted
from wh_env.render.arms import stratagem, weapons_of_attack
from wh_env.render.labels import Labels

# keys of an event's data that its sentence leaves out or puts in another way
UNTOLD = ("path", "levels", "wanted", "step", "order")
HEADINGS = ("turn", "phase")
PART_KEYS = ("bodyguard", "leader", "carrier")  # units that are named without those attached to them
# what the number `result` of an event of an attack log means, by kind of event; {} stands for the number
VERDICTS: dict[str, tuple[str, ...] | str] = {
    "hit roll": ("miss", "hit", "critical hit"),
    "wound roll": ("no wound", "wound", "critical wound"),
    "save roll": ("failed", "saved"),
    "fnp roll": ("not ignored", "ignored"),
    "hazardous": ("passed", "failed"),
    "attacks roll": "{} attacks",
    "auto hit": "{} hits",
    "auto wound": "{} wounds",
    "sustained": "{} more hits",
    "strength": "Strength {}",
    "devastating": "{} mortal wounds to come",
    "damage": "{} damage",
    "wound lost": "{} wounds left",
    "mortal wound": "{} to suffer",
}
# kinds of events of an attack log in words, where the kind is none
ATTACKS = {
    "fnp roll": "Feel No Pain roll",
    "reroll": "re-roll",
    "auto hit": "without a hit roll",
    "auto wound": "without a wound roll",
}
# events of which the dice are added up; what is needed is their sum
SUMS = ("casts", "fails to cast", "dispels")


class Die(NamedTuple):
    """A die, or the total of several.

    Attributes:
        value: its number. good: whether it passed; ``None`` if no result was needed.
    """

    value: int
    good: bool | None = None


def is_attack(event: Event) -> bool:
    """Whether the event is part of an attack log."""
    return "attacker" in event.data and "needed" in event.data


def dice_of(event: Event) -> list[Die]:
    """The dice that an event reports, in order."""
    data = event.data
    needed = data.get("needed")
    found: list[int] = []
    for key in ("die", "roll", "rolls", "dice"):
        value = data.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            found += [value] if value > 0 or key != "die" else []
        elif isinstance(value, list | tuple):
            found += [part for part in value if isinstance(part, int)]
    passed = data.get("passed")
    if isinstance(passed, bool) and len(found) == 1:
        return [Die(found[0], passed)]
    if isinstance(needed, int) and needed > 0 and event.kind not in SUMS:
        return [Die(value, value >= needed) for value in found]
    return [Die(value) for value in found]


def sentence(labels: Labels, event: Event) -> str:
    """An event in words: first the unit, player, marker or model that it is about, then what happened.

    Call it when the event happens, because the names of units change (attached leaders).
    """
    if is_attack(event):
        return _attack(labels, event)
    kind = event.kind.removeprefix("unit ")
    if event.kind in HEADINGS:
        return _heading(labels, event)
    own = labels.battle.setup.ruleset.sentence(labels.battle, event) or used_stratagem(labels, event)
    if own:
        return own
    rest = {name: value for name, value in event.data.items() if name not in UNTOLD or isinstance(value, str)}
    subject = ""
    if _row(rest.get("unit")):
        subject = labels.unit(rest.pop("unit"))
    elif _row(rest.get("player")):
        subject = labels.player(rest.pop("player"))
    elif _row(rest.get("marker")):
        subject = f"marker {rest.pop('marker') + 1}"
    elif _row(rest.get("model")):
        subject = labels.model(rest.pop("model"))
    passed, title = rest.pop("passed", None), rest.pop("name", "")
    details = [_told(labels, name, value) for name, value in rest.items()]
    path = event.data.get("path")
    if path:
        x, y = path[-1]
        details.insert(0, labels.length((x * x + y * y) ** 0.5))
    if passed is not None:
        details.append("passed" if passed else "failed")
    words = f"{subject}: {kind}" if subject else kind
    words += f": {title}" if title else ""
    return f"{words} ({'; '.join(details)})" if details else words


def used_stratagem(labels: Labels, event: Event) -> str:
    """The words for the use of a Stratagem; empty for other events."""
    title, data = stratagem(event), event.data
    if not title:
        return ""
    on = f" on {labels.unit(data['unit'])}" if _row(data.get("unit")) else ""
    left = f" and has {data['cp']} CP left" if "cp" in data else ""
    return f"{labels.player(data['player'])} uses {title}{on}{left}"


def _heading(labels: Labels, event: Event) -> str:
    """The words for the beginning of a turn or a phase, with the player if it is one player's."""
    data = event.data
    whose = f" of {labels.player(data['player'])}" if _row(data.get("player")) else ""
    if event.kind == "phase":
        return f"{data.get('phase', 'next')} phase{whose}"
    return f"turn{whose}, round {data['round']}" if _row(data.get("round")) else f"turn{whose}"


def _row(value: Any) -> bool:
    """Whether ``value`` is a row and not ``NONE``."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _told(labels: Labels, name: str, value: Any) -> str:
    """A field of an event in words, by its declaration in the ruleset."""
    declared = labels.battle.setup.ruleset.event_fields.get(name)
    kind, plain = declared.value if declared is not None else None, name.replace("_", " ")
    if name == "targets":
        return f"at {labels.units(value)}"
    if name == "needed":
        return f"{value}+ needed"
    if name == "model":
        return labels.model(value)
    if name == "target_model":
        return f"at {labels.model(value)}"
    if kind is Value.UNIT:
        return f"{plain} {labels.part(value) if name in PART_KEYS else labels.unit(value)}"
    if kind is Value.UNITS:
        return f"{plain} {labels.units(value)}"
    if kind is Value.MODEL:
        return f"{plain} {labels.model(value)}"
    if kind is Value.MODELS:
        return counted(len(value), "model")
    if kind is Value.PLAYER:
        return f"{plain} {labels.player(value)}"
    if kind is Value.MARKER:
        return f"{plain} {value + 1}"
    return f"{plain} {_value(value)}"


def _value(value: Any) -> str:
    """A plain value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    if isinstance(value, list | tuple):
        return ", ".join(_value(part) for part in value)
    return str(value)


def _attack(labels: Labels, event: Event) -> str:
    """An event of an attack log in words: attacker, target, roll, result."""
    data = event.data
    attacker = labels.model(data["attacker"]) if data["attacker"] >= 0 else ""
    model, target = data.get("model", -1), data.get("target", -1)
    attacked = labels.model(model) if model >= 0 else labels.unit(target) if target >= 0 else ""
    sides = " → ".join(side for side in (attacker, attacked) if side)
    weapons = weapons_of_attack(labels.battle, event)
    sides += f" with {weapons[0]}" if len(weapons) == 1 else ""
    die = f" {data['die']}" if data.get("die", 0) > 0 else ""
    needed = f", {data['needed']}+ needed" if die and data["needed"] > 0 else ""
    verdict, result = VERDICTS.get(event.kind), data.get("result", 0)
    outcome = ""
    if isinstance(verdict, str):
        outcome = agreeing(result, verdict.format(result))
    elif verdict is not None and 0 <= result < len(verdict):
        outcome = verdict[result]
    told = f"{ATTACKS.get(event.kind, event.kind)}{die}{needed}" + (f": {outcome}" if outcome else "")
    return f"{sides}: {told}" if sides else told


def volley(labels: Labels, events: Sequence[Event]) -> str:
    """The attacks that the last events report, counted; empty if the last event is no attack.

    Example: ``hellblasters at exocrine: 10 hit rolls, 5 good; 5 wound rolls, 3 good; 2 models destroyed``
    """
    rolls: dict[str, list[Die]] = {}
    lost = 0
    attackers = target = -1
    models = labels.battle.models
    for event in reversed(events):
        if not is_attack(event) or target not in (-1, event.data["target"]):
            break
        attacker = event.data["attacker"]
        unit = models.unit[attacker] if attacker >= 0 else -1
        if attackers >= 0 and unit not in (attackers, -1):
            break
        attackers, target = max(attackers, unit), event.data["target"]
        rolls.setdefault(event.kind, []).extend(dice_of(event))
        lost += event.kind == "model destroyed"
    if target < 0:
        return ""
    parts = []
    for kind, dice in reversed(rolls.items()):
        good = [die for die in dice if die.good]
        if any(die.good is not None for die in dice):
            parts.append(f"{counted(len(dice), ATTACKS.get(kind, kind))}, {len(good)} good")
    if lost:
        parts.append(f"{counted(lost, 'model')} destroyed")
    sides = f"{labels.unit(attackers)} at {labels.unit(target)}" if attackers >= 0 else labels.unit(target)
    return f"{sides}: {'; '.join(parts)}" if parts else ""


def last_dice(events: Sequence[Event]) -> tuple[str, list[Die]]:
    """The name of the last roll and its dice; ``("", [])`` if no event reports dice.

    It is the roll of the last event that reports dice. If it was made at a target, earlier rolls of the same kind in a
    row belong to it.
    """
    kind = ""
    dice: list[Die] = []
    for event in reversed(events):
        found = dice_of(event)
        if not found:
            continue
        if kind and event.kind != kind:
            break
        kind = event.kind
        dice[:0] = found
        if "target" not in event.data:
            break
    return ATTACKS.get(kind, kind), dice
