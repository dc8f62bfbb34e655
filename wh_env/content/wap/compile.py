"""Compiles a loaded battle of regiments to a ``Setup``: units, models, fighting profiles, terrain, rules' numbers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from wh_env.content.errors import ContentError
from wh_env.content.load import merge, validate
from wh_env.content.plain import plain
from wh_env.content.wap.alliances import Party, alliances_for, fill_armies, has_allies
from wh_env.content.wap.bared import bared, with_mundane_rules
from wh_env.content.wap.divisions import cliffs, divisions_of
from wh_env.content.wap.fill import fill_units, model_names
from wh_env.content.wap.fortresses import fortresses
from wh_env.content.wap.ground_magic import (
    effects_of_riddles,
    lores_of_ground,
    lores_taught,
    magic_of_ground,
    spells_of_ground,
)
from wh_env.content.wap.item_files import items_in, known_items
from wh_env.content.wap.item_secrets import cells_between, held_spells, without_powers
from wh_env.content.wap.items import Trove, equipped
from wh_env.content.wap.limits import check_lists, general_of
from wh_env.content.wap.load import PLAIN, LoadedArmy, LoadedBattle, Placed, controlled, troop_types
from wh_env.content.wap.magic import Wizardry, wizardry_of
from wh_env.content.wap.muster import files_of, lores_of, points_of
from wh_env.content.wap.outfits import (
    auras_of,
    fighting_lines,
    gifts_near,
    line_abilities_of,
    outfit_for,
    supports_for,
    unit_abilities_of,
)
from wh_env.content.wap.regiment import Regiment
from wh_env.content.wap.schema_battle import Mission, Rules
from wh_env.content.wap.schema_units import Entry, Sheet
from wh_env.content.wap.spell_forms import with_forms
from wh_env.content.wap.terrain import (
    effects_of,
    gifts_of,
    ground_of,
    spared_by,
    terrain_tables,
    walkers_among,
)
from wh_env.content.wap.unit_tables import engines_of, machines_of, moving_of, shooting_of, worn_by
from wh_env.core.actions import ActionSpace
from wh_env.core.setup import Delegate, Setup
from wh_env.core.tables import DESTROYED, Array, Layout
from wh_env.rulesets.wap import rule_book
from wh_env.rulesets.wap.basics.effects import Bares, Effect, On, by_field, by_power, by_rule
from wh_env.rulesets.wap.basics.ground import Ground
from wh_env.rulesets.wap.basics.secret_items import Secrets
from wh_env.rulesets.wap.basics.special_rules import Abilities
from wh_env.rulesets.wap.battle.fortitude import breaking_point
from wh_env.rulesets.wap.characters.kinds import fitting, who_may_join
from wh_env.rulesets.wap.codes import GROUND, UNKNOWN
from wh_env.rulesets.wap.magic.winds import winds_for
from wh_env.rulesets.wap.rule_book import ALL_GROUND, ETHEREAL, STRIDER, SpecialRule
from wh_env.rulesets.wap.ruleset import WAP
from wh_env.rulesets.wap.tables import EFFECTS, blank, layout
from wh_env.rulesets.wap.turns.handlers import HANDLERS

OPENERS = frozenset((STRIDER.of(ALL_GROUND), ETHEREAL.of()))  # rules to whose bearers all ground is open
Units = Sequence[tuple[int, Regiment]]  # of both armies, each with its player


@dataclass(frozen=True)
class Plan:
    """All data that a Setup is compiled from."""

    size: tuple[float, float]
    armies: tuple[Sequence[Regiment], Sequence[Regiment]]
    rules: Rules
    mission: Mission
    features: Sequence[Placed] = ()
    points: int | None = None
    detail: str = "squad"
    players: tuple[str, str] = ("player 0", "player 1")
    delegates: Mapping[str, Delegate] = field(default_factory=dict)
    script: int = 1
    effects: Sequence[Effect] = ()  # that there can be in the battle
    parties: tuple[Sequence[Party], Sequence[Party]] = ((), ())  # the armies of both sides; empty: one army
    source: str = ""


def regiment_of(entry: Entry, sheet: Sheet, rules: Rules) -> Regiment:
    """A unit of an army list."""
    card = sheet.cards[entry.card]
    points = points_of(entry, card, rules.command_points, sheet)
    name = entry.name or entry.card
    names = (sheet.name, sheet.alignment, entry.card)
    leads = (entry.general, entry.battle_standard)
    own = entry.champion_option
    found = Regiment(
        name, card, entry.models, files_of(entry), entry.command, points, entry.options, names, *leads, own
    )
    found = replace(found, level=entry.level, lores=lores_of(entry, card), items=entry.items, banner=entry.banner)
    return found if not items_in(entry) else replace(found, book=tuple(known_items(sheet).values()))


def mustered(side: LoadedArmy, rules: Rules) -> list[Regiment]:
    """The units of the army lists of a side, with the Generals marked (wap.army.general.required)."""
    found: list[Regiment] = []
    for number, loaded in enumerate(side.side):
        army, general, first = loaded.army, general_of(loaded.army, loaded.sheet), len(found)
        for n, entry in enumerate(army.units):
            host = army.number_of(entry.inside)
            unit = regiment_of(entry, loaded.sheet, rules)
            inside = first + host if host >= 0 else -1
            found.append(replace(unit, inside=inside, general=n == general, army=number))
    return found


def with_masters(army: Sequence[Regiment]) -> list[Regiment]:
    """The units of an army, followed by the pack masters of its mixed units, each as a unit of one model.

    The rule is wap.special.mixed-unit.formation.
    """
    found = list(army)
    for at, unit in enumerate(army):
        if unit.card.masters is not None:
            card = unit.card.masters.card()
            for n in range(unit.card.masters.number):
                name = f"{unit.name}, master {n + 1}"
                found.append(Regiment(name, card, 1, 1, (), card.points, (), unit.names, drives=at, army=unit.army))
    return found


def plan_of(loaded: LoadedBattle, rules: Rules, delegates: Mapping[str, Delegate], source: str) -> Plan:
    """The plan that a loaded battle compiles from."""
    armies = [mustered(army, rules) for army in loaded.armies]
    first, second = loaded.armies
    return Plan(
        size=loaded.size,
        armies=(with_masters(armies[0]), with_masters(armies[1])),
        rules=rules,
        mission=loaded.mission,
        features=loaded.features,
        points=loaded.config.points,
        detail=loaded.config.detail,
        players=(first.army.name, second.army.name),
        delegates=delegates,
        source=source,
        parties=(parties_of(first), parties_of(second)),
    )


def parties_of(side: LoadedArmy) -> list[Party]:
    """The armies of a side, as alliances see them."""
    return [army.party for army in side.side]


def source_of(loaded: LoadedBattle, rules: Rules) -> str:
    """The battle as one JSON text with all content that it refers to."""

    def dump(model: Any) -> Any:
        return model.model_dump(mode="json", by_alias=True)

    def written(army: LoadedArmy) -> dict[str, Any]:
        return {**dump(army.army), "sheet": dump(army.sheet)}

    config = dump(loaded.config)
    config["armies"] = [{**written(army), "allies": [written(ally) for ally in army.allies]} for army in loaded.armies]
    config["battlefield"] = dump(loaded.battlefield)
    config["mission"] = dump(loaded.mission)
    config["rules"] = dump(rules)
    return json.dumps({"battle": config, "rules": {}}, separators=(",", ":"))


def compile_battle(
    loaded: LoadedBattle,
    rules: Mapping[str, Any] | None = None,
    delegates: Mapping[str, Delegate] | None = None,
) -> Setup:
    """The Setup of a loaded battle.

    ``rules`` overrides rules of the battle, by the names in ``configs/wap/rules.yaml``.

    Raises:
        ContentError: a rule is not known, or an army list is not allowed (wap.army.*).
    """
    chosen = loaded.rules
    if rules is not None and not isinstance(rules, Mapping):
        raise ContentError("<call>", "rules", rules, "a mapping of rules by name", "is no mapping")
    changes: Mapping[str, Any] = {} if rules is None else plain(rules, "<rules>")
    if changes:
        chosen = validate(Rules, merge(chosen.model_dump(mode="json", by_alias=True), changes), "<rules>")
    check_lists(loaded, chosen)
    return compile_plan(plan_of(loaded, chosen, delegates or {}, source_of(loaded, chosen)))


def compile_plan(plan: Plan) -> Setup:
    """The frozen Setup of a plan.

    Raises:
        ContentError: more units than the tables hold.
    """
    space, mustered = ActionSpace(), plan.armies
    plan, brought = closed(plan)
    ground, blocks, corners, features, laid = terrain_tables(plan.features, plan.rules)
    plan, magic, forms = completed(plan, laid, space.units)
    units = [(player, unit) for player in (0, 1) for unit in plan.armies[player]]
    decisive, trove = controlled(plan.mission, plan.features), Trove(units)
    plan, acting = with_effects(plan, magic, laid, trove)
    moving = [*(walkers_among(laid) if magic.spells else ()), *chain(*brought)]
    table, buffer, profiles = template_of(plan, units, decisive, magic, acting, moving)
    put_aside(table, buffer, [row for row in forms if row >= 0])
    abilities = tuple(unit_abilities_of(unit.card, troop_types().row(unit.card.type)) for _, unit in units)
    return Setup(
        ruleset=WAP,
        layout=table,
        template=buffer,
        space=space,
        length=plan.size[0],
        width=plan.size[1],
        blocks=blocks,
        corners=corners,
        features=features,
        statics={
            **ground_of(plan.features, cliffs(plan.mission, plan.size), ground, laid, abilities, len(plan.effects)),
            "profiles": profiles,
            "divisions": divisions_of(plan.mission, plan.size),
            "alliances": alliances_for(plan.parties, units),
            "controlled": decisive,
            "fortresses": brought,
            "leaves_at": limits_of_fortitude(plan),
            "rosters": tuple(
                [roster_entry(army, unit, plan.rules.lists == "open") for unit in army] for army in mustered
            ),
            "forms": forms,
            "forms_of": tuple(forms.index(row) if row in forms else -1 for row in range(len(forms))),
            "inside": inside_of(units, len(plan.armies[0])),
            **characters_of(units, abilities, table.view(buffer, "units")),
            **equipment_of(units),
            **moving_of(units, abilities),
            **magic_of(plan, magic, laid),
            **items_of(plan, units, mustered, trove, magic, laid, (table, buffer)),
            **abilities_of(plan, units, abilities, laid),
        },
        names=names_of(plan, units),
        rules=numbers_of(plan),
        delegates=WAP.delegates(plan.detail, dict(plan.delegates)),
        source=plan.source,
        digest=hashlib.sha256(plan.source.encode()).hexdigest(),
        policies=plan.delegates,
    )


def characters_of(units: Units, abilities: Sequence[Abilities], rows: Array) -> dict[str, Any]:
    """The statics about characters and the units that they may join. ``rows``: of the table ``units``."""
    characters = tuple(unit.card.character for _, unit in units)
    return {
        "characters": characters,
        "core": tuple(unit.card.category == "core" for _, unit in units),
        "open_to": who_may_join(rows, abilities, characters, [unit.gear.stays_alone for _, unit in units]),
        "fitting": fitting(rows, characters),
    }


def equipment_of(units: Units) -> dict[str, Any]:
    """The statics about what units carry and wear."""
    outfits = [outfit_for(unit.card, unit.kit, unit.names, unit.champion_option, unit.gear) for _, unit in units]
    return {
        "kit": tuple(unit.kit for _, unit in units),
        "outfits": tuple(outfits),
        "machines": machines_of(units),
        "has_machines": any(unit.card.machine for _, unit in units),
        "engines": engines_of(units),
        **shooting_of(units, outfits),
        "worn": worn_by(units, outfits),
        "supports": tuple(most for _, unit in units for most in supports_for(unit, troop_types().row(unit.card.type))),
    }


def magic_of(plan: Plan, magic: Wizardry, laid: Sequence[Ground]) -> dict[str, Any]:
    """The statics about lores, spells and the winds of magic."""
    return {
        "lores": magic.grimoire.lores,
        "spells": magic.spells,
        "drawn_lores": magic.drawn,
        **magic_of_ground(laid, magic.grimoire),
        "winds": winds_for(points_of_game(plan)),
    }


def items_of(
    plan: Plan,
    units: Units,
    mustered: Any,
    trove: Trove,
    magic: Wizardry,
    laid: Sequence[Ground],
    template: tuple[Layout, Array],
) -> dict[str, Any]:
    """The statics about magic items. ``mustered``: the units of the plan before forms of wizards were added;
    ``template``: the layout of the state and its first bytes.
    """
    bare = without_powers(units, mustered)
    stripped = bared(trove, bare)
    return {
        "items": trove.items,
        "bare": stripped,
        "spared_bare": spared_by(laid, [one.rules for one in stripped]),
        "secrets": secrets_of(plan, trove, *template, bare, magic) if keeps_secrets(plan, trove) else None,
    }


def abilities_of(plan: Plan, units: Units, abilities: Sequence[Abilities], laid: Sequence[Ground]) -> dict[str, Any]:
    """The statics about special rules, those of units and those that units and ground lend to others."""
    auras = auras_of(units)
    lines = tuple(rules for _, unit in units for rules in line_abilities_of(unit, troop_types().row(unit.card.type)))
    return {
        "unit_auras": auras,
        **special_rules_of(plan, abilities, lines, gifts_of(laid) | gifts_near(auras)),
    }


def with_effects(plan: Plan, magic: Wizardry, laid: Sequence[Ground], trove: Trove) -> tuple[Plan, int]:
    """The plan with all effects that can act in the battle, and the most that may act at once. Effects that ground
    gives to units that cross it stand last.
    """
    plain, by_crossing = (*plan.effects, *effects_of_riddles(laid)), effects_of(laid).values()
    units = sum(map(len, plan.armies))
    heroes = max(sum(unit.card.character for unit in army) for army in plan.armies)
    by_ground = spells_of_ground(laid, magic.grimoire).values()
    acting = magic.most_effects(units, heroes, by_ground) + trove.most_effects
    if plain or by_crossing:
        acting += EFFECTS * units
    return replace(plan, effects=(*plain, *magic.grimoire.effects, *trove.effects, *by_crossing)), acting


def closed(plan: Plan) -> tuple[Plan, tuple[tuple[int, ...], ...]]:
    """A plan with the buildings that items bring (their rows, by player), and with the ground that closes the table."""
    buildings, rows = fortresses(plan.armies, plan.size, len(plan.features))
    outside = [
        Placed("impassable", outline, [outline], traits=PLAIN["impassable"])
        for outline in cliffs(plan.mission, plan.size)
    ]
    return replace(plan, features=(*plan.features, *buildings, *outside)), rows


def completed(plan: Plan, laid: Sequence[Ground], most: int) -> tuple[Plan, Wizardry, tuple[int, ...]]:
    """A plan with all units equipped (``items``) and their other forms (``basics.forms``), its magic, and for each unit
    row the row of its other form. ``most``: units of an army.

    Raises:
        ContentError: an army has more units.
    """
    of_ground = tuple(lores_of_ground(laid)), lores_taught(laid)
    own = tuple(list(map(equipped, army)) for army in plan.armies)
    magic = wizardry_of([*own[0], *own[1]], *of_ground)
    armies, forms = with_forms(own, magic)
    for army in armies:
        if len(army) > most:
            raise ContentError("<battle>", "armies", len(army), f"at most {most} units in an army")
    if any(form >= 0 for form in forms):
        magic = wizardry_of([*armies[0], *armies[1]], *of_ground)
    return replace(plan, armies=armies), magic, forms


def put_aside(table: Layout, buffer: Array, forms: Sequence[int]) -> None:
    """Take the models of the other forms of units out of the battle (``basics.forms``)."""
    units, models = table.view(buffer, "units"), table.view(buffer, "models")
    for row in forms:
        units["place"][row] = DESTROYED
        for column in ("alive", "block", "alive_phase", "us", "us_phase"):
            units[column][row] = 0
        models["alive"][units["first"][row]] = models["wounds"][units["first"][row]] = 0


def template_of(
    plan: Plan, units: Units, decisive: int, magic: Wizardry, effects: int, moving: Sequence[int]
) -> tuple[Layout, Array, Array]:
    """The layout of a battle, its buffer before anything is deployed, and the profiles of its lines.

    Args:
        decisive: the row of the terrain feature that decides the battle, -1: none does.
        effects: that may act at once. moving: rows of the terrain features that can move.
    """
    models = sum(unit.models for _, unit in units)
    lines = sum(len(fighting_lines(unit, troop_types().row(unit.card.type))) for _, unit in units)
    armies = sum(map(len, plan.parties)) if has_allies(plan.parties) else 0
    objectives = int(decisive >= 0)
    table = layout(
        len(units),
        max(1, models),
        max(1, lines),
        objectives,
        plan.script,
        len(plan.features),
        effects,
        armies,
        len(magic.rows),
        sum(len(unit.gear.items) for _, unit in units),
        bool(magic.spells),
        magic.marks,
        len(moving),
    )
    buffer = blank(table)
    table.view(buffer, "walks")["feature"] = moving
    magic.fill(table.view(buffer, "wizards"), table.view(buffer, "spellbook"))
    trove = Trove(units)
    if keeps_secrets(plan, trove):
        trove.fill_secretly(table.view(buffer, "items"))
    else:
        trove.fill(table.view(buffer, "items"), table.view(buffer, "effects"), plan.effects)
    if objectives:
        fill_objective(table.view(buffer, "objectives"), plan.features[decisive])
    profiles = fill_units(units, *(table.view(buffer, name) for name in ("units", "models", "lines", "parts")))
    fill_players(table.view(buffer, "players"), plan.armies, units)
    if armies:
        fill_armies(plan.parties, units, table.view(buffer, "armies"), table.view(buffer, "units"))
    return table, buffer, profiles


def names_of(plan: Plan, units: Units) -> dict[str, list[str]]:
    """What units, models and other things of a battle are called."""
    return {
        "units": [unit.name for _, unit in units],
        "models": [f"{unit.name} {name}" for _, unit in units for name in model_names(unit)],
        "weapons": [],
        "players": list(plan.players),
        "terrain": list(GROUND),
    }


def keeps_secrets(plan: Plan, trove: Trove) -> bool:
    """Whether the players do not know each other's magic items (wap.army.list.hidden)."""
    return plan.rules.lists == "hidden" and bool(trove.items)


def secrets_of(plan: Plan, trove: Trove, table: Layout, buffer: Array, bare: Units, magic: Wizardry) -> Secrets:
    """What is secret of the magic items of a battle. ``buffer``: its template, in which units lose the powers of their
    items. ``bare``: the units without them.
    """
    plain = blank(table)
    fill_units(bare, *(table.view(plain, name) for name in ("units", "models", "lines", "parts")))
    whole = blank(table)
    fill_units(trove.units, *(table.view(whole, name) for name in ("units", "models", "lines", "parts")))
    cells = tuple(cells_between(table.view, plain, whole))
    for cell in cells:
        table.view(buffer, cell.table)[cell.column][cell.row] = table.view(plain, cell.table)[cell.column][cell.row]
    outfits = [outfit_for(unit.card, unit.kit, unit.names, unit.champion_option) for _, unit in bare]
    spells = tuple(held_spells(trove.rows, magic))
    table.view(buffer, "spellbook")["known"][[row for _, row in spells]] = UNKNOWN
    types = troop_types()
    rules = tuple(unit_abilities_of(unit.card, types.row(unit.card.type)) for _, unit in bare)
    line_rules = tuple(
        each for _, unit in bare for each in line_abilities_of(with_mundane_rules(unit), types.row(unit.card.type))
    )
    return Secrets(trove.numbers, cells, trove.acting(plan.effects), spells, worn_by(bare, outfits), rules, line_rules)


def special_rules_of(
    plan: Plan,
    abilities: Sequence[Iterable[SpecialRule]],
    line_abilities: Sequence[Iterable[SpecialRule]],
    gifts: Iterable[SpecialRule],
) -> dict[str, Any]:
    """Statics about special rules: the book, the rules of each unit and line, handlers and effects of the battle.
    ``open_ground``: the effects that make all ground open (``OPENERS``), by number, with whether they do so for all who
    stand in the unit. ``baring``: numbers of the effects that take equipment.
    ``gives``: those that effects or ground may give. ``of_effects``: for each that effects give, the
    marks of these effects; ``of_effects_with_included``: and for those that these rules include. ``gifts``: those
    that ground and auras give. ``lasting_rules``: those that are not given by effects alone.
    """
    named = [rule for rules in (*abilities, *line_abilities) for rule in rules]
    of_effects = by_rule(plan.effects)
    granted, book = [*gifts, *of_effects], rule_book.BOOK
    return {
        "handlers": rule_book.by_point(HANDLERS),
        "effects": tuple(plan.effects),
        "effects_with": by_field(plan.effects),
        "effects_with_power": by_power(plan.effects),
        "gives": frozenset(granted),
        "of_effects": of_effects,
        "of_effects_with_included": by_rule(plan.effects, included=True),
        "open_ground": {
            n: effect.on is not On.MODELS
            for n, effect in enumerate(plan.effects)
            if not OPENERS.isdisjoint(effect.grants)
        },
        "baring": frozenset(
            n for n, effect in enumerate(plan.effects) if any(isinstance(power, Bares) for power in effect.powers)
        ),
        "abilities": abilities,
        "line_abilities": line_abilities,
        "book": book,
        "includers": book.includers,
        "named_rules": book.with_included([*named, *granted]),
        "lasting_rules": book.with_included([*named, *gifts]),
        "gifts": frozenset(gifts),
    }


def points_of_game(plan: Plan) -> int:
    """The points agreed for the game, else those of the larger army."""
    return plan.points or max(sum(unit.points for unit in army) for army in plan.armies)


def limits_of_fortitude(plan: Plan) -> tuple[int, int] | None:
    """The Fortitude at which each army leaves the field; None if the mission has no Fortitude.

    An army that starts at or below its limit leaves with its first loss (wap.scenario.blood-and-glory.breaking-point,
    .fortitude).
    """
    fortitude = plan.mission.fortitude
    if fortitude is None:
        return None
    found = []
    for army in plan.armies:
        banners = sum("standard" in unit.command for unit in army) + sum(unit.battle_standard for unit in army)
        own = banners + fortitude.general * sum(unit.general for unit in army)
        found.append(min(breaking_point(sum(unit.points for unit in army), fortitude.points), own - 1))
    return found[0], found[1]


def fill_objective(objectives: Array, feature: Placed) -> None:
    """Fill the row of the objective: the middle of the terrain feature that decides the battle, and half its depth."""
    xs, ys = zip(*feature.outline, strict=True)
    objectives["x"], objectives["y"] = 0.5 * (min(xs) + max(xs)), 0.5 * (min(ys) + max(ys))
    objectives["radius"] = 0.5 * min(max(xs) - min(xs), max(ys) - min(ys))
    objectives["placed"] = 1


def fill_players(
    players: Array, armies: tuple[Sequence[Regiment], Sequence[Regiment]], units: Sequence[tuple[int, Regiment]]
) -> None:
    """Fill the rows of the players: their units and their General."""
    for player in (0, 1):
        players[player]["first_unit"] = player * len(armies[0])
        players[player]["units"] = len(armies[player])
    for row, (player, unit) in enumerate(units):
        if unit.general:
            players[player]["general"] = row
        if unit.battle_standard:
            players[player]["bearer"] = row


def inside_of(units: Sequence[tuple[int, Regiment]], own: int) -> tuple[int, ...]:
    """The row of the unit that each character is deployed in, by unit row; -1: none.

    ``own`` is the number of units of the first army.
    """
    return tuple(-1 if unit.inside < 0 else unit.inside + player * own for player, unit in units)


def roster_entry(army: Sequence[Regiment], unit: Regiment, shown: bool) -> dict[str, Any]:
    """The entry of a unit that both players know from the start (wap.army.list.hidden, wap.army.list.record).

    A pack master has ``driven``, the name of its mixed unit. ``shown``: they know each other's magic items.
    """
    told = {"name": unit.name, "models": unit.models, "command": list(unit.command), "equipment": list(unit.kit)}
    items = items_in(unit)
    if items and shown:
        told["items"] = list(items)
    return {**told, "points": unit.points, **({"driven": army[unit.drives].name} if unit.drives >= 0 else {})}


def numbers_of(plan: Plan) -> dict[str, Any]:
    """``Setup.rules``: the rules by their names, the mission, and the numbers that all rulesets share."""
    rules = plan.rules.model_dump()
    rules["detail"], rules["rounds"] = plan.detail, plan.mission.rounds
    rules["mission"] = plan.mission.model_dump()
    costs = [sum(unit.points for unit in army) for army in plan.armies]
    rules["points"] = plan.points or max(1, *costs)
    return rules
