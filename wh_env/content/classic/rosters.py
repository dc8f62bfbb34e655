"""Rosters of the classic editions as armies: each unit becomes a datasheet as it was chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from wh_env.content.catalogues.entries import Entry
from wh_env.content.catalogues.loadouts import WEAPON_LINES
from wh_env.content.catalogues.telling import Report, name_of
from wh_env.content.classic.facts import FACTION, UNIT
from wh_env.content.classic.importing import sheet_of_entry
from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.errors import ContentError, Expected
from wh_env.content.fields import Content
from wh_env.content.load import validate
from wh_env.content.rosters import Imported, units_of
from wh_env.content.rosters.selections import Profile, Roster, Selection
from wh_env.content.w40k.keywords import spelt
from wh_env.content.w40k.schema import MANY

UNKNOWN_FACTION = "Unknown"
POINTS_OF_POWER = 20  # about as much as 1 Power


@dataclass(frozen=True)
class Classic:
    """What an edition adds.

    Attributes:
        ruleset: its id.
        army: its schema of armies.
        sheets: returns the known datasheets by name.
        factions: returns (name, keyword) of the known factions.
        muster: checks an army.
        limits: fields of an army for its points and Power.
        by_power: whether armies are mustered by Power.
    """

    ruleset: str
    army: type[Content]
    sheets: Callable[[], Mapping[str, ClassicDatasheet]]
    factions: Callable[[], Iterable[tuple[str, str]]]
    muster: Callable[[Any], Any]
    limits: Callable[[int, int], dict[str, Any]]
    by_power: bool = False


def army_of(how: Classic, form: str, roster: Roster, file: str, name: str | None) -> Imported:
    """The army of a roster; its units stand in no Detachment.

    Args:
        form: of the file.
        name: of the army; None: that of the roster.

    Raises:
        ContentError: the army cannot be played.
    """
    report = Report()
    units = with_characteristics(units_of(roster, file), file)
    every = [one for force in roster.forces for one in force.selections]
    weapons = known_weapons(every)
    known = {sheet.name.lower(): sheet for sheet in how.sheets().values()}
    faction, keyword = faction_of(units, roster, how.factions())
    every_keyword = frozenset(
        word.removeprefix(FACTION).strip("<> ").upper()
        for unit in units
        for one in unit.all()
        for word in one.categories
    )
    for one in every:
        if one not in units:
            chosen = ", ".join(inner.name for inner in one.inside)
            report.leave(f"{one.name}{f': {chosen}' if chosen else ''}")
    power = 0
    rows: list[dict[str, Any]] = []
    sheets: dict[str, dict[str, Any]] = {}
    for unit in units:
        entry = entry_of(unit, weapons, file, report)
        if how.by_power and not entry.power:
            entry = replace(entry, power=max(1, round(unit.total / POINTS_OF_POWER)))
            report.guess(f"{unit.name}: {entry.power} Power, from {unit.total} points")
        sheet = sheet_of_entry(entry, faction, file, report, every_keyword)
        power += entry.power
        if keyword not in sheet["faction_keywords"]:
            sheet["faction_keywords"].append(keyword)
            report.guess(f"{unit.name} counts as {keyword}")
        priced(sheet, unit, report)
        sheet["keywords"] = spelt_keywords(sheet["keywords"], unit.name, report)
        stands_as(sheet, known.get(unit.name.lower()), report)
        models = sum(model["max"] for model in sheet["models"])
        row: dict[str, Any] = {"datasheet": added(sheets, sheet), "models": models}
        if any(one.name.lower() == "warlord" or "Warlord" in one.categories for one in unit.all()):
            row["warlord"] = True
        rows.append(row)
        report.taken.append(f"{models} {unit.name}, {unit.total} points, {unit.total_power} Power")
    only_one_warlord(rows, sheets, report)
    points = sum(unit.total for unit in units)
    army = {
        "name": name or roster.name,
        "faction": faction,
        **how.limits(points, power),
        "units": rows,
        "datasheets": list(sheets.values()),
    }
    checked = validate(how.army, army, file)
    return Imported(form, army, None, how.muster(checked), report, how.ruleset)


def faction_of(units: list[Selection], roster: Roster, known: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """Name and keyword of the faction: a known one whose keyword most units have, else the keyword that most have."""
    words = Counter(
        word.removeprefix(FACTION).upper()
        for unit in units
        for word in unit.categories
        if word.startswith(FACTION) and "<" not in word
    )
    for name, keyword in known:
        if 2 * words[keyword.upper()] > len(units):
            return name, keyword.upper()
    book = roster.forces[0].book.split(" - ")[-1].strip() or UNKNOWN_FACTION
    common = max(words.values(), default=0)
    keyword = (
        book.upper() if words[book.upper()] == common else next((w for w in words if words[w] == common), book.upper())
    )
    return keyword, keyword


def with_characteristics(units: list[Selection], file: str) -> list[Selection]:
    """The units that have characteristics; others are choices of the player, such as the kind of game.

    Raises:
        ContentError: none has.
    """
    found = [unit for unit in units if any(one.profiles_of(UNIT) for one in unit.all())]
    if not found:
        expected = "profiles of the type Unit (export the roster with its profiles)"
        raise ContentError(file, "forces", units[0].name, expected, "has no characteristics")
    return found


# ---------------------------------------------------------------- a unit


def known_weapons(selections: Iterable[Selection]) -> dict[str, tuple[Profile, ...]]:
    """Weapon lines of the whole roster by the name of the selection, as a repeated weapon may come without its own."""
    found: dict[str, tuple[Profile, ...]] = {}
    for top in selections:
        for one in top.all():
            if lines := weapon_lines(one):
                found.setdefault(one.name, lines)
    return found


def weapon_lines(one: Selection) -> tuple[Profile, ...]:
    """The weapon lines of a selection, each once."""
    return tuple(dict.fromkeys(profile for profile in one.profiles if profile.kind in WEAPON_LINES))


Carried = tuple[str, ...]


def entry_of(unit: Selection, known: Mapping[str, tuple[Profile, ...]], file: str, report: Report) -> Entry:
    """A unit as an entry of a catalogue whose every choice is made.

    A roster gives totals of wargear for all models, so items are dealt to the models one after the other; items of the
    unit are dealt to all its models.

    Raises:
        ContentError: the unit has more kinds of models or of weapons than a datasheet can have.
    """
    models = [one for one in unit.all() if one.kind == "model"] or [unit]
    each: list[tuple[Selection, list[str]]] = [(model, []) for model in models for _ in range(max(1, model.number))]
    for model in models:
        own = [carried for of, carried in each if of is model]
        deal([one for one in model.all() if one is model or one.kind != "model"], own, known)
    if models != [unit]:
        inside = {id(one) for model in models for one in model.all()}
        loose = [one for one in unit.all() if id(one) not in inside and one.kind != "model"]
        deal(loose, [carried for _, carried in each], known)
        if any(lines_of_weapon(one, known) for one in loose):
            report.guess(f"{unit.name}: which models carry the weapons of the unit")
    alike = Counter((id(model), tuple(sorted(carried))) for model, carried in each)
    weapons = {name for _, carried in alike for name in carried}
    for found, what in ((len(alike), "kinds of models"), (len(weapons), "weapons")):
        if found > MANY:
            raise ContentError(file, unit.name, found, f"at most {MANY} {what} in a unit", "are too many")
    by_id = {id(model): model for model in models}
    called: Counter[str] = Counter()
    entries = []
    for (number, carried), count in alike.items():
        model = by_id[number]
        called[model.name] += 1
        name = model.name if called[model.name] == 1 else f"{model.name} [{called[model.name]}]"
        entries.append(model_entry(model, name, count, carried, known))
    others = [one for one in unit.all() if one is not unit and one not in models]
    lines = tuple(p for one in (unit, *others) for p in one.profiles if p.kind not in WEAPON_LINES)
    rules = tuple(rule for one in (unit, *others) for rule in one.rules)
    whole = replace(
        _entry(unit.name, "unit", lines, rules, tuple(entries)), power=unit.total_power, categories=unit.categories
    )
    return whole


def deal(items: Iterable[Selection], models: list[list[str]], known: Mapping[str, tuple[Profile, ...]]) -> None:
    """Deal the weapons among these selections to models, which are lists of the weapons that they carry."""
    at = 0
    for one in items:
        if not lines_of_weapon(one, known):
            continue
        number = max(1, one.number) if one.kind == "upgrade" else len(models)
        every, over = divmod(number, len(models))
        for carried in models:
            carried += [one.name] * min(every, MOST_COPIES)
        for n in range(over):
            models[(at + n) % len(models)].append(one.name)
        at += over


MOST_COPIES = 6  # of one weapon on one model


def lines_of_weapon(one: Selection, known: Mapping[str, tuple[Profile, ...]]) -> tuple[Profile, ...]:
    """The weapon lines of a selection: its own, else those of the same name elsewhere in the roster."""
    return weapon_lines(one) or known.get(one.name, ())


def model_entry(
    model: Selection, name: str, count: int, carried: Carried, known: Mapping[str, tuple[Profile, ...]]
) -> Entry:
    """Models of one kind with the same weapons."""
    weapons = tuple(
        replace(_entry(weapon, "upgrade", known[weapon]), least=times, most=times)
        for weapon, times in Counter(carried).items()
    )
    lines = tuple(profile for profile in model.profiles if profile.kind not in WEAPON_LINES)
    one = _entry(name, "model", lines, model.rules, weapons)
    return replace(one, least=count, most=count, categories=model.categories)


def _entry(
    name: str, kind: str, lines: tuple[Profile, ...], rules: tuple[str, ...] = (), inside: tuple[Entry, ...] = ()
) -> Entry:
    return Entry(name, "", name, kind, 1, 1, "", 0, (), (), lines, rules, inside)


# ---------------------------------------------------------------- its datasheet


def priced(sheet: dict[str, Any], unit: Selection, report: Report) -> None:
    """Give each model its share of the unit's points; what is left over is the price of the smallest kind of models."""
    counts = [model["max"] for model in sheet["models"]]
    each, over = divmod(unit.total, sum(counts))
    for model in sheet["models"]:
        model.pop("points", None)
    sheet["points"] = each
    least = min(range(len(counts)), key=lambda n: counts[n])
    if over and over % counts[least] == 0:
        sheet["models"][least]["points"] = each + over // counts[least]
    elif over:
        sheet["points"] = each + 1
        report.guess(f"{unit.name}: {each + 1} points of a model, {unit.total} points of the unit")


def spelt_keywords(words: Iterable[str], unit: str, report: Report) -> list[str]:
    """The keywords that content accepts; one that looks like a misspelt keyword of the core rules is reported."""
    found = []
    for word in words:
        try:
            found.append(spelt(word))
        except Expected:
            report.leave(f"{unit}: keyword {word}")
    return found or ["INFANTRY"]


def stands_as(sheet: dict[str, Any], known: ClassicDatasheet | None, report: Report) -> None:
    """Bases and heights of the known datasheet, in place of guessed ones."""
    if known is None:
        return
    for model in sheet["models"]:
        same = next((kind for kind in known.models if kind.name.lower() == model["name"].lower()), known.models[-1])
        model["base"] = {key: value for key, value in same.base.model_dump(mode="json").items() if value is not None}
        model["height_in"] = same.height_in
    report.guessed[:] = [line for line in report.guessed if not line.startswith(f"{name_of(sheet['name'])}: base ")]


def added(sheets: dict[str, dict[str, Any]], sheet: dict[str, Any]) -> str:
    """Add a datasheet to those of the army and return its name; one that differs from its namesake gets a number."""
    name: str = sheet["name"]
    number = 1
    while name in sheets and {**sheets[name], "name": ""} != {**sheet, "name": ""}:
        number += 1
        name = f"{sheet['name']} ({number})"
    sheets.setdefault(name, {**sheet, "name": name})
    return name


def only_one_warlord(rows: list[dict[str, Any]], sheets: Mapping[str, dict[str, Any]], report: Report) -> None:
    """An army has one WARLORD: the first that is named, else the first CHARACTER, else the first unit, as a guess."""
    named = [row for row in rows if row.pop("warlord", False)]
    if not named:
        named = [row for row in rows if "CHARACTER" in sheets[row["datasheet"]]["keywords"]] or rows
        report.guess(f"{named[0]['datasheet']} is the Warlord")
    for row in named[:1]:
        row["warlord"] = True
