"""Helpers for the row of the attack machine: its log, its dice, the re-rolls that it offers."""

from __future__ import annotations

from wh_env.core.dice import roll_d6
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack_row import ALL_DICE, ASK_REROLL_ONE, GO_ON, Event, Window


@kernel
def record(
    log: Array, attack: Array, event: int, who: int, model: int, die: int, needed: int, result: int, extra: int
) -> None:
    """Append a row to the log if it has room; ``who``: the attacking model."""
    at = attack[0]["log_count"]
    if at < log.shape[0]:
        attack[0]["log_count"] = at + 1
        log[at, 0] = event
        log[at, 1] = who
        log[at, 2] = attack[0]["target"]
        log[at, 3] = model
        log[at, 4] = die
        log[at, 5] = needed
        log[at, 6] = result
        log[at, 7] = extra


@inner_kernel
def clear_faces(attack: Array) -> None:
    """Empty the batch of dice."""
    for face in range(7):
        attack[0]["faces"][face] = 0
        attack[0]["spent"][face] = 0


@kernel
def rolled(attack: Array, lowest: int) -> int:
    """Dice of the batch that show ``lowest`` or more."""
    total = 0
    for face in range(max(1, lowest), 7):
        total += attack[0]["faces"][face] + attack[0]["spent"][face]
    return total


@kernel
def failed(attack: Array) -> int:
    """Dice of the batch that show less than ``needed``."""
    total = 0
    for face in range(1, min(7, attack[0]["needed"])):
        total += attack[0]["faces"][face] + attack[0]["spent"][face]
    return total


@kernel
def verdict(die: int, needed: int, critical: int) -> int:
    """0 failed, 1 success, 2 critical success."""
    return 0 if die < needed else (2 if die >= critical else 1)


@inner_kernel
def reroll_face(attack: Array, dice: Array, script: Array, log: Array, face: int, reason: int) -> None:
    """Re-roll one die of the batch that shows ``face``."""
    die = roll_d6(dice, script)
    attack[0]["faces"][face] -= 1
    attack[0]["spent"][die] += 1
    record(log, attack, Event.REROLL.value, attack[0]["attacker"], -1, die, attack[0]["needed"], reason, face)


@inner_kernel
def close_windows(attack: Array) -> None:
    """The player has used a re-roll: offer that player no other, unless each die may be re-rolled."""
    if attack[0]["offer"] & Window.EACH.value:
        return
    mine = Window.SAVE.value
    if attack[0]["window"] != Window.SAVE.value:
        mine = 31  # the attacker's five
    attack[0]["offer"] = int(attack[0]["offer"]) & ~mine


@inner_kernel
def batch_window(attack: Array, dice: Array, script: Array, log: Array, window: int) -> int:
    """Offer the re-roll of one die of the batch, by its face; in some editions of each die in turn. Returns GO_ON when
    that is done.
    """
    row = attack[0]
    if row["asked"] != 0:
        row["asked"] = 0
        face = row["answer"]
        if face <= 0:
            return GO_ON
        if face > 6 or row["faces"][face] <= 0:
            raise ValueError("no die of that face can be re-rolled")
        reroll_face(attack, dice, script, log, face, window)
        close_windows(attack)
        if row["offer"] & Window.EACH.value == 0:
            return GO_ON
    if row["offer"] & window == 0:
        return GO_ON
    highest = row["needed"] - 1 if row["offer"] & Window.ONLY_BAD.value else 6
    for face in range(1, min(6, highest) + 1):
        if row["faces"][face] > 0:
            row["asked"] = ASK_REROLL_ONE
            row["window"] = window
            return ASK_REROLL_ONE
    return GO_ON


@inner_kernel
def throw_faces(attack: Array, dice: Array, script: Array, count: int) -> None:
    """Roll ``count`` dice as the new batch."""
    clear_faces(attack)
    for _ in range(count):
        attack[0]["faces"][roll_d6(dice, script)] += 1


@inner_kernel
def sum_of_faces(attack: Array, sides: int) -> int:
    """The sum of the batch, its D6 read as dice of ``sides`` (6 or 3)."""
    total = 0
    for face in range(1, 7):
        number = attack[0]["faces"][face] + attack[0]["spent"][face]
        total += number * ((face + 1) // 2 if sides == 3 else face)
    return int(total)


@inner_kernel
def all_again(attack: Array) -> bool:
    """Whether the player wants to re-roll all dice of a sum."""
    return bool(attack[0]["answer"] == (ALL_DICE if attack[0]["offer"] & Window.EACH.value else 1))


@inner_kernel
def sum_window(attack: Array, dice: Array, script: Array, log: Array, window: int, sides: int, who: int) -> int:
    """Take the answer to the offer to re-roll dice of a sum (``die``). Returns GO_ON when that is done; the caller then
    re-rolls all dice if the player wants that (``all_again``).

    If each die may be re-rolled the dice are the batch: one die is re-rolled and the others are offered next. ``who``:
    the model for the log.
    """
    row = attack[0]
    old, face = row["die"], row["answer"]
    row["asked"] = 0
    if row["offer"] & Window.EACH.value == 0 or face <= 0 or face >= ALL_DICE:
        return GO_ON
    if row["faces"][face] <= 0:
        raise ValueError("no die of that face can be re-rolled")
    die = roll_d6(dice, script)
    row["faces"][face] -= 1
    row["spent"][die] += 1
    row["die"] = sum_of_faces(attack, sides)
    row["answer"] = 0
    record(log, attack, Event.REROLL.value, who, -1, row["die"], 0, window, old)
    for face in range(1, 7):
        if row["faces"][face] > 0:
            row["asked"] = ASK_REROLL_ONE
            row["window"] = window
            return ASK_REROLL_ONE
    return GO_ON


@kernel
def destroy_model(models: Array, units: Array, attack: Array, log: Array, casualties: Array, model: int) -> None:
    """Take a destroyed model off the table and list it (attack.damage.destroyed). Its place stays readable."""
    models[model]["wounds"] = 0
    models[model]["alive"] = 0
    models[model]["on_table"] = 0
    units[models[model]["unit"]]["alive"] -= 1
    at = attack[0]["casualties"]
    if at >= casualties.shape[0]:
        raise ValueError("the list of casualties is full")
    casualties[at] = model
    attack[0]["casualties"] = at + 1
    record(log, attack, Event.MODEL_DESTROYED.value, attack[0]["attacker"], model, 0, 0, 0, 0)
