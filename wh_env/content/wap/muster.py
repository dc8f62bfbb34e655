"""Composition and cost of an army's units."""

from __future__ import annotations

from wh_env.content.errors import Expected
from wh_env.content.wap.item_files import Items, points_of_items
from wh_env.content.wap.item_limits import faults_of_items
from wh_env.content.wap.schema_units import Card, Entry, Sheet

NARROWEST = 5  # files of a unit whose army list says nothing of them


def files_of(entry: Entry) -> int:
    """Files in which a unit is deployed if no player is asked: those of the army list, else five.

    It has more files if ranks would outnumber files (wap.core.unit.rank-limit).
    """
    if entry.files is not None:
        return entry.files
    files = min(NARROWEST, entry.models)
    while files * files < entry.models:
        files += 1
    return files


def points_of(entry: Entry, card: Card, command_points: int, sheet: Sheet | Items | None = None) -> int:
    """Points of a unit with all its purchases (wap.victory.cost-includes). ``sheet``: the army book that may have magic
    items and prices of its own, or its items; None: it has none of its own.
    """
    each = card.points + sum(card.options[item] for item in entry.options)
    own = card.champion_options[entry.champion_option] if entry.champion_option is not None else 0
    taught = card.wizard.upgrades.get(entry.level, 0) if card.wizard is not None and entry.level is not None else 0
    return entry.models * each + command_points * len(entry.command) + own + taught + points_of_items(entry, sheet)


def cost_of(entry: Entry, card: Card, command_points: int, sheet: Sheet | Items | None = None) -> int:
    """``points_of`` plus the points of the pack masters of a mixed unit (wap.army.points.cost)."""
    masters = card.masters
    more = masters.number * masters.points if masters is not None else 0
    return points_of(entry, card, command_points, sheet) + more


def faults_of_entry(entry: Entry, card: Card, sheet: Sheet | Items | None = None) -> list[Expected]:
    """The faults of a unit of an army list that its card does not allow. ``sheet``: as in ``points_of``."""
    found = [fault_of_formation(entry, card), fault_of_champion(entry, card), fault_of_wizard(entry, card)]
    for role in entry.command:
        if role not in card.command:
            found.append(Expected("one of " + (", ".join(card.command) or "none"), "is not to be had", "command", role))
    if len(entry.command) > entry.models:
        found.append(Expected("no more of them than models", "are too many", "command", list(entry.command)))
    for item in entry.options:
        if item not in card.options:
            found.append(Expected("one of " + (", ".join(card.options) or "none"), "is not to be had", "options", item))
    return [fault for fault in found if fault is not None] + list(faults_of_items(entry, card, sheet))


def fault_of_formation(entry: Entry, card: Card) -> Expected | None:
    """The fault of the number of models or of files; None if they are legal."""
    low, high = card.size
    if not low <= entry.models <= high:
        return Expected(f"{low} to {high} models", "is not that", "models", entry.models)
    if entry.files is not None and not entry.files <= entry.models:
        return Expected("no more files than models", "is too wide", "files", entry.files)
    if entry.files is not None and -(-entry.models // entry.files) > entry.files:
        return Expected("no more ranks than files", "makes more ranks than files", "files", entry.files)
    return None


def fault_of_champion(entry: Entry, card: Card) -> Expected | None:
    """The fault of the weapon that a unit's champion has bought (wap.command.champion.equipment), or None."""
    item = entry.champion_option
    if item is None:
        return None
    if item not in card.champion_options:
        names = ", ".join(card.champion_options) or "none"
        return Expected("one of " + names, "is not to be had", "champion_option", item)
    if "champion" not in entry.command:
        return Expected("a champion among `command`", "has nobody to bear it", "champion_option", item)
    return None


def lores_of(entry: Entry, card: Card) -> tuple[str, ...]:
    """The lores that a wizard uses: those of the army list, or those of his card if he has no choice."""
    return () if card.wizard is None else entry.lores or card.wizard.lores


def fault_of_wizard(entry: Entry, card: Card) -> Expected | None:
    """The fault of the level or of the lores of a wizard (wap.magic.lore.choice, wap.army.wizards.lore), or None."""
    wizard = card.wizard
    if wizard is None:
        for field, value in (("level", entry.level), ("lores", list(entry.lores))):
            if value:
                return Expected("none, as the unit is no wizard", "is not to be had", field, value)
        return None
    levels = [wizard.level, *wizard.upgrades]
    if entry.level is not None and entry.level not in levels:
        return Expected("one of " + ", ".join(map(str, sorted(levels))), "is not to be had", "level", entry.level)
    for lore in entry.lores:
        if lore not in wizard.lores:
            return Expected("one of " + ", ".join(wizard.lores), "is not open to him", "lores", lore)
    chosen = lores_of(entry, card)
    if len(set(chosen)) != min(wizard.together, len(wizard.lores)) or len(set(chosen)) < len(chosen):
        told = "1 lore" if wizard.together == 1 else f"{wizard.together} lores"
        return Expected(f"{told} among " + ", ".join(wizard.lores), "is not that", "lores", list(entry.lores))
    return None
