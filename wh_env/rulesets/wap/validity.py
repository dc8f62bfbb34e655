"""The conditions that a state of a battle of regiments must meet so that the battle can be played on; see
``core.validation``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.setup import Setup
from wh_env.core.tables import ATTACHED, DESTROYED, ON_TABLE, RESERVE, Array
from wh_env.core.validation import Fault, row_faults
from wh_env.rulesets.wap.basics.blocks import derive_all
from wh_env.rulesets.wap.basics.carried import item_at, rows_carried
from wh_env.rulesets.wap.basics.effects import changed_lines, effects_of, kept_from
from wh_env.rulesets.wap.basics.ground import features_of
from wh_env.rulesets.wap.basics.moved_ground import follow_ground
from wh_env.rulesets.wap.basics.secret_items import secrets_in
from wh_env.rulesets.wap.basics.standing import stand_on, standing_now
from wh_env.rulesets.wap.codes import CHARACTERISTICS, KNOWN, LENT, OWN_SPELL, UNKNOWN
from wh_env.rulesets.wap.tables import MOST


def sizes(setup: Setup) -> dict[str, float]:
    """Sizes that bounds of this ruleset name. Each area counts twice: for units that have room in it, and for those
    that have none.
    """
    divisions = setup.statics["divisions"]
    effects = len(setup.statics["effects"])
    return {
        "divisions": len(divisions),
        "areas": 2 * len(divisions[0].areas),
        "effect_kinds": effects,
        "item_kinds": len(setup.statics["items"]),
        "spell_kinds": len(setup.statics["spells"]),
        "features": len(setup.features),
    }


def contradictions(g: BattleCore) -> Iterator[Fault]:
    """Yield faults: models in a wrong unit, places that do not follow from the blocks, and the like."""
    follow_ground(g)
    setup, models, units = g.setup, g.models.rows, g.units.rows
    template = setup.layout.view(setup.template, "models")
    yield from row_faults("models", "unit", models["unit"], models["unit"] != template["unit"], "the unit it is of")
    yield from unlike_wounds(g, template["max_wounds"])
    yield from impossible_places(g)
    held = np.array([len(outfit.weapons) for outfit in setup.statics["outfits"]])
    yield from row_faults("units", "weapon", units["weapon"], units["weapon"] > held, "one of the weapons that it has")
    yield from astray_ground(g)
    acts = g.effects.rows
    half = (acts["effect"] < 0) != (acts["unit"] < 0)
    yield from row_faults("effects", "unit", acts["unit"], half, "a unit in each row that has an effect, and no other")
    yield from impossible_magic(g)
    yield from impossible_items(g)
    if not (too_few_files(g).any() or lost_characters(g).any()):
        yield from underived(g)
        yield from unlike_effects(g)


def too_few_files(g: BattleCore) -> Array:
    """Bool, one for each unit: it is on the table without files, or with more files than models."""
    units = g.units.rows
    few: Array = (units["place"] == ON_TABLE) & ((units["files"] < 1) | (units["files"] > units["block"]))
    return few


def lost_characters(g: BattleCore) -> Array:
    """Bool, one for each unit: it has joined what it cannot join, or stands in a unit that it has not joined."""
    units = g.units.rows
    attached, hosts = units["place"] == ATTACHED, units["bodyguard"]
    lost: Array = attached & ((hosts < 0) | (units["owner"][hosts] != units["owner"]) | attached[hosts])
    lost |= (attached & ((units["count"] != 1) | (units["alive"] != 1))) | (~attached & (hosts >= 0))
    return lost


def impossible_places(g: BattleCore) -> Iterator[Fault]:
    """Yield faults of units and characters that cannot be where they are."""
    units = g.units.rows
    there, attached = units["place"] == ON_TABLE, units["place"] == ATTACHED
    yield from row_faults(
        "units", "files", units["files"], too_few_files(g), "1 file or more, and no more than models, on the table"
    )
    yield from row_faults(
        "units",
        "bodyguard",
        units["bodyguard"],
        lost_characters(g),
        "a unit of the same player for one character who has joined it",
    )
    yield from impossible_ties(units, there)
    strange = (units["beside"] != 0) & ~(attached | (units["out_of"] >= 0)) & (units["alive"] > 0)
    yield from row_faults("units", "beside", units["beside"], strange, "0 for who has joined nobody")
    craven = (units["cowers"] != 0) & ~attached
    yield from row_faults("units", "cowers", units["cowers"], craven, "0 for who has joined nobody")
    dead = there & (units["alive"] == 0)
    yield from row_faults("units", "place", units["place"], dead, f"{DESTROYED} for a unit without models")


def impossible_ties(units: Array, there: Array) -> Iterator[Fault]:
    """Yield faults of units that hide in, charge out of or duel with what they cannot. ``there``: bool, those on the
    table.
    """
    inside = units["hides_in"]
    astray = (inside >= 0) & (
        (units["place"] != RESERVE)
        | (units["alive"] != 1)
        | (units["owner"][inside] != units["owner"])
        | ~there[inside]
    )
    yield from row_faults(
        "units", "hides_in", inside, astray, "a unit of the same player on the table, for one model in reserve"
    )
    left = units["out_of"]
    strange = (left >= 0) & (
        (units["owner"][left] != units["owner"]) | ~there | ~there[left] | (units["let_out"][left] == 0)
    )
    yield from row_faults(
        "units",
        "out_of",
        left,
        strange,
        "a unit of the same player on the table that a character on the table charges out of",
    )
    rival = units["duel"]
    alone = (rival >= 0) & (
        (rival[rival] != np.arange(len(units))) | (units["owner"][rival] == units["owner"]) | (units["count"] != 1)
    )
    yield from row_faults("units", "duel", rival, alone, "an enemy character who duels with it")


def astray_ground(g: BattleCore) -> Iterator[Fault]:
    """Yield faults of features that have moved off the table."""
    rows = g.walks.rows
    if len(rows):
        outlines = [np.array(features_of(g)[row].outline) for row in rows["feature"].tolist()]
        limits = np.array([g.setup.length, g.setup.width]) + EPS
        waiting = np.isin(rows["feature"], list(chain(*g.setup.statics["fortresses"])))  # until they are placed
        unmoved = waiting & (rows["dx"] == 0.0) & (rows["dy"] == 0.0)
        astray = ~unmoved & [(outline < -EPS).any() or (outline > limits).any() for outline in outlines]
        yield from row_faults("walks", "dx", rows["dx"], astray, "a move that ends on the table")


def most_wounds(g: BattleCore) -> Array:
    """The most Wounds that each model may have left: as many as any has, once an item has exchanged some
    (wap.item.enchanted.lifestone-of-ashraaz).
    """
    most: Array = g.models.rows["max_wounds"]
    spent = (k for k in rows_carried(g) if g.items.used[k])
    exchanged = any(use.exchanges for k in spent for use in item_at(g, k).uses)
    return np.full_like(most, most.max()) if exchanged else most


def unlike_wounds(g: BattleCore, at_first: Array) -> Iterator[Fault]:
    """Yield faults in the Wounds of unhurt models that are not those they had ``at_first`` and what their profiles have
    grown (wap.terrain.hill.temple-of-skulls).
    """
    most, own = g.models.rows["max_wounds"], g.setup.statics["profiles"]["w"]
    grown = np.minimum(MOST, own + g.lines.rows["more_w"]) - own
    wrong = most != at_first + grown[g.models.rows["line"]]
    yield from row_faults("models", "max_wounds", most, wrong, "its Wounds, and no more than its profile has grown")


def impossible_magic(g: BattleCore) -> Iterator[Fault]:
    """Yield faults of wizards and of spells in play: a spell that is kept in play is known to its caster, who is on the
    battlefield (wap.magic.rip.lasting).
    """
    book, wizards, acts = g.spellbook.rows, g.wizards.rows, g.effects.rows
    casts = acts["cast"]
    yield from row_faults("effects", "cast", casts, (acts["effect"] < 0) & (casts > 0), "0 without an effect")
    if not len(book):
        return
    own = (book["source"] == OWN_SPELL) & (book["known"] == KNOWN)
    plain = own & (wizards["level"][book["unit"]] == 0)
    yield from row_faults("spellbook", "known", book["known"], plain, "no own spell of a unit that is no wizard")
    yield from row_faults("spellbook", "spell", book["spell"], ~are_its_spells(g), "a spell that its unit may know")
    early = (book["tried"] != 0) & (book["known"] == UNKNOWN)
    yield from row_faults("spellbook", "tried", book["tried"], early, "0 for a spell that is not known")
    lores = 1 << len(g.setup.statics["lores"])
    yield from row_faults("wizards", "hit_by", wizards["hit_by"], wizards["hit_by"] >= lores, "lores of the battle")
    kept = (acts["effect"] >= 0) & (casts > 0)
    rows = np.where(kept, casts - 1, 0)
    known = np.isin(book["known"][rows], (KNOWN, LENT)) & (book["unit"][rows] == acts["caster"])
    yield from row_faults("effects", "cast", casts, kept & ~known, "a spell that its caster knows")
    caster, units = book["unit"][rows], g.units.rows
    block = np.where(units["place"][caster] == ATTACHED, units["bodyguard"][caster], caster)
    forms = np.array(g.setup.statics["forms"])[caster]
    changed = (forms >= 0) & (units["alive"][forms] > 0)
    there = (units["alive"][caster] > 0) & ((units["place"][block] == ON_TABLE) | changed)
    yield from row_faults("effects", "cast", casts, kept & ~there, "a spell of a caster on the battlefield")


def are_its_spells(g: BattleCore) -> Array:
    """Whether each row of ``spellbook`` is the spell that it was when the battle began, or of a lore that was drawn."""
    now = g.spellbook.rows["spell"]
    found: Array = now == g.setup.layout.view(g.setup.template, "spellbook")["spell"]
    for unit, lores in g.setup.statics["drawn_lores"].items():
        first = g.wizards.first_spell[unit]
        own = slice(first, first + len(lores[0]))
        found[own] = any(now[own].tolist() == list(lore) for lore in lores)
    return found


def impossible_items(g: BattleCore) -> Iterator[Fault]:
    """Yield faults of magic items: another item than the bearer's, one that was used and that nobody has seen."""
    items, found = g.items.rows, secrets_in(g)
    own = g.setup.layout.view(g.setup.template, "items")["item"] if found is None else np.array(found.items)
    yield from row_faults("items", "item", items["item"], items["item"] != own, "the item that its bearer has")
    secret = (items["used"] != 0) & (items["seen"] == 0)
    yield from row_faults("items", "seen", items["seen"], secret, "1 for an item that was used")


def unlike_effects(g: BattleCore) -> Iterator[Fault]:
    """Yield faults in characteristics and removed rules that do not match the effects in play."""
    if not effects_of(g):
        return
    for unit in range(len(g.units.owner)):
        kept = g.units.rows["lost_rules"][unit : unit + 1]
        wrong = kept != kept_from(g, unit)
        yield from row_faults("units", "lost_rules", kept, wrong, "what effects take from the unit")
        for line, values in changed_lines(g, unit):
            own = g.lines.rows[line : line + 1]
            for name, value in zip(CHARACTERISTICS, values, strict=True):
                yield from row_faults("lines", name, own[name], own[name] != value, "what effects make of the profile")


def underived(g: BattleCore) -> Iterator[Fault]:
    """Yield faults in places, parts and Unit Strengths that do not follow from the blocks, and in what does not follow
    from the ground below them.
    """
    tables = {name: getattr(g, name).rows for name in ("models", "units", "parts")}
    known = {name: rows.copy() for name, rows in tables.items()}
    derive_all(known["models"], known["units"], known["parts"])
    ground = standing_now(g)
    if ground is not None:
        for unit in range(len(g.units.owner)):
            stand_on(known["models"], known["units"], unit, *ground, g.setup.corners)
    for name, rows in tables.items():
        for column in rows.dtype.names or ():
            wrong = rows[column] != known[name][column]
            yield from row_faults(name, column, rows[column], wrong, "what follows from the block of its unit")
