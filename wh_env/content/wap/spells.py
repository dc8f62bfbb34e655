"""From the files of lores to spells that the engine plays.

Each effect of a spell is a mapping with the words of the catalogue's tables. A reader below turns it into a deed, or
into a part of the effect that begins to act on the spell's target. A spell with a word that no reader takes is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from wh_env.content.errors import ContentError, from_validation, unknown
from wh_env.content.load import Source, load_content
from wh_env.content.wap import spell_moves
from wh_env.content.wap.effect_words import AS_IN_TABLES, MALFORMED, WordReading, Words, read_effect
from wh_env.content.wap.schema_magic import BoundRow, LoreFile, SpellRow
from wh_env.content.wap.spell_forms import read_transform
from wh_env.content.wap.spell_lasting import ICY, LASTING
from wh_env.content.wap.spell_marks import (
    PER_PHASE,
    read_comet,
    read_marker,
    read_misfire,
    read_vortex,
    with_more_markers,
)
from wh_env.content.wap.spell_options import OPTIONS, alternatives, changed
from wh_env.content.wap.spell_targets import MODEL_TARGETS, PICKS, TARGET_READERS, hit_in
from wh_env.content.wap.spell_templates import PLACES, inches_of, read_casualty, read_each, template_of
from wh_env.content.wap.spell_triggers import read_cage, read_thorns
from wh_env.rulesets.wap.basics.effects import LEAST, Effect, On, Until
from wh_env.rulesets.wap.basics.powers import GroundsAll
from wh_env.rulesets.wap.magic.attributes import ATTRIBUTES
from wh_env.rulesets.wap.magic.chains import ChainHits
from wh_env.rulesets.wap.magic.deeds import Hits, Puts, PutsOnCaster
from wh_env.rulesets.wap.magic.deeds_model import PutsOnModel
from wh_env.rulesets.wap.magic.deeds_moves import Flies
from wh_env.rulesets.wap.magic.shapes import Transforms
from wh_env.rulesets.wap.magic.spells import Aim, Deed, Kind, Lore, Spell, Version
from wh_env.rulesets.wap.rule_book import BOOK, Grant
from wh_env.rulesets.wap.tables import MOST

KINDS = {
    "magic-missile": Kind.MISSILE,
    "direct-damage": Kind.DAMAGE,
    "augment": Kind.AUGMENT,
    "hex": Kind.HEX,
    "vortex": Kind.VORTEX,
    "special": Kind.NONE,
}
# target: what is named, whether the spell acts on all such units in range, and on which models
TARGETS: Mapping[str, tuple[Aim, bool, On]] = {
    "enemy-unit": (Aim.ENEMY, False, On.UNIT),
    "friendly-unit": (Aim.FRIEND, False, On.UNIT),
    "all-enemy-units": (Aim.ENEMY, True, On.UNIT),
    "all-friendly-units": (Aim.FRIEND, True, On.UNIT),
    "all-models-with-fly": (Aim.FLYERS, False, On.MODELS),
    "self": (Aim.CASTER, False, On.MODELS),
    "self-and-unit": (Aim.CASTER, False, On.UNIT),
    "self-on-foot": (Aim.CASTER, False, On.MODELS),
    **MODEL_TARGETS,
    **{words: (aim, False, On.UNIT) for words, (aim, _) in PLACES.items()},
}
DURATIONS = {"next-magic-phase": Until.NEXT_MAGIC_PHASE, "remains-in-play": Until.BATTLE, "game": Until.BATTLE}
IN_PLAY = "remains-in-play"
SPENT = ("instant", "until-strike")  # durations of spells that put nothing on their targets
# keys of a boosted version that are no words of effects
KEPT = ("cast", "range", "length", "scatter", "target", "effects")


@dataclass
class Reading(WordReading):
    """A version of a spell that is being read.

    Attributes:
        row: its row, with what this version has different. lore: its number in the battle.
        deeds: read so far. lasting: the fields of the effect on its target, read so far. markers: that it puts on a
            point.
        puts: makes the deed by which that effect begins.
    """

    row: SpellRow
    lore: int = 0
    deeds: list[Deed] = field(default_factory=list)
    lasting: dict[str, Any] = field(default_factory=dict)
    puts: Callable[[Effect], Deed] = Puts
    markers: int = 0

    def rule(self, words: str) -> Grant:
        """A special rule as the catalogue writes it: ``always-strikes-first``, ``armour-piercing-1``."""
        for rule in BOOK:
            called = rule.name.lower().replace(" ", "-")
            if words == called or (rule.form and rule.form.needed and words.startswith(f"{called}-")):
                parameter = words.removeprefix(called).removeprefix("-")
                if rule.can_be_gained and (rule.form is None or rule.form.fits(parameter or None)):
                    return rule.of(parameter)
        raise self.refuse("effects", words, "a special rule that can be gained")

    def add(self, field: str, *values: object) -> None:
        """Add to a field of the effect that has several values."""
        self.lasting[field] = (*self.lasting.get(field, ()), *values)


Reader = Callable[[Reading, Words], None]  # takes its words out of the mapping


def read_hits(reading: Reading, words: Words) -> None:
    """``hits``, ``s``, ``rules``, ``wounds``: hits of a Strength."""
    reading.deeds.append(Hits(reading.number(words.pop("hits")), hit_in(reading, words)))


def read_stat(reading: Reading, words: Words) -> None:
    """``stat``, ``by`` (or ``set``, ``times``): characteristics that change. ``min`` and ``max`` are those of every
    spell (wap.magic.type.cumulative), unless ``min`` is 0 (wap.profile.zero.stw).
    """
    names = reading.stats(words)
    reading.take(words, "max", None, MOST)
    if reading.take(words, "min", None, LEAST, 0) == 0:
        reading.lasting["deadly"] = True
    for key, into in (("by", "changes"), ("set", "sets"), ("times", "multiplies")):
        if key in words:
            value = words.pop(key)
            if value == "-D3" and key == "by":
                reading.lasting["lowers_by"] = (*reading.lasting.get("lowers_by", ()), *names)
                reading.take(words, "one_roll", None, True)
            else:
                reading.lasting[into] = (*reading.lasting.get(into, ()), *((name, int(value)) for name in names))


def read_scoped_stat(reading: Reading, words: Words) -> None:
    """``stat`` with ``scope``: of the whole ``model``, or of its ``rider`` alone."""
    scope = words.pop("scope")
    if scope not in ("model", "rider"):
        raise reading.refuse("effects.scope", scope, "model or rider")
    reading.lasting["spares_mounts"] = scope == "rider"
    read_stat(reading, words)


def read_grant(reading: Reading, words: Words) -> None:
    """``grant``: special rules that the target gains."""
    grants = tuple(reading.rule(rule) for rule in words.pop("grant"))
    reading.lasting["grants"] = (*reading.lasting.get("grants", ()), *grants)


def read_prevent(reading: Reading, words: Words) -> None:
    """``prevent: fly``: nobody flies as long as the spell remains in play."""
    reading.take(words, "prevent", "fly")
    effect = Effect(reading.row.name, On.MODELS, Until.BATTLE, while_caster_lives=True, powers=(GroundsAll(),))
    reading.deeds.append(PutsOnCaster(effect))


def read_regeneration(reading: Reading, words: Words) -> None:
    """``regeneration``: the target regenerates with this or more."""
    grant = BOOK.read(f"Regeneration ({words.pop('regeneration')}+)")
    assert grant is not None
    reading.lasting["grants"] = (*reading.lasting.get("grants", ()), grant)


# readers by the words that an effect must have; the first that fits reads it
READERS: tuple[tuple[frozenset[str], Reader], ...] = (
    (frozenset({"marker"}), read_marker),
    (frozenset({"move", "each"}), read_vortex),
    (frozenset({"misfire"}), read_misfire),
    (frozenset({"trigger", "on_roll", "fail"}), read_comet),
    (frozenset({"trigger", "once"}), read_cage),
    (frozenset({"trigger", "scope", "hits"}), read_thorns),
    *LASTING,
    *TARGET_READERS,
    *spell_moves.READERS,
    (frozenset({"each"}), read_each),
    (frozenset({"trigger", "test"}), read_casualty),
    (frozenset({"transform"}), read_transform),
    (frozenset({"hits", "s"}), read_hits),
    (frozenset({"stat", "scope"}), read_scoped_stat),
    (frozenset({"stat"}), read_stat),
    (frozenset({"grant"}), read_grant),
    (frozenset({"regeneration"}), read_regeneration),
    (frozenset({"prevent"}), read_prevent),
    ICY,
)


def boosted(row: SpellRow, boost: Mapping[str, Any]) -> SpellRow:
    """A version of a spell: the base version with what ``boost`` says. Other words than those of the spell itself
    replace the same words of its effects.
    """
    own = {key: boost[key] for key in KEPT if key in boost}
    others = {key: value for key, value in boost.items() if key not in KEPT}
    kept = [with_more_markers(effect, others) for effect in row.effects]
    effects = [{**effect, **{key: others[key] for key in effect.keys() & others.keys()}} for effect in kept]
    return changed(row, **{"effects": effects, **own})


def version_of(row: SpellRow, lore: int, file: str, place: str) -> Version:
    """One version of a spell, with what it does when it is empowered."""
    deeds = deeds_of(row, lore, file, place)
    better = deeds_of(boosted(row, row.empowered), lore, file, place) if row.empowered else ()
    return Version(row.cast, inches_of(row), deeds, TARGETS[row.target][1], better, template=template_of(row))


def deeds_of(row: SpellRow, lore: int, file: str, place: str) -> tuple[Deed, ...]:
    """What a version of a spell does.

    Raises:
        ContentError: the game cannot play it.
    """
    reading = Reading(row, file, place, lore)
    if row.target not in TARGETS:
        raise reading.refuse("target", row.target, "one of " + ", ".join(TARGETS))
    for effect in row.effects:
        read_effect(reading, READERS, effect)
    durations = (*DURATIONS, *(() if reading.lasting else SPENT))
    if row.duration not in durations:
        raise reading.refuse("duration", row.duration, "one of " + ", ".join(durations))
    if reading.lasting:
        lives = row.duration == IN_PLAY
        on = TARGETS[row.target][2]
        lasting = Effect(row.name, on, DURATIONS[row.duration], while_caster_lives=lives, **reading.lasting)
        begins = (PutsOnModel if row.target in PICKS else reading.puts)(lasting)
        flights = [at for at, deed in enumerate(reading.deeds) if isinstance(deed, Flies)]
        reading.deeds.insert(min(flights, default=len(reading.deeds)), begins)  # before it flies out of range
    return tuple(reading.deeds)


def spell_of(row: SpellRow, lore: int, file: str, place: str) -> Spell:
    """A spell of a lore, with its versions.

    Raises:
        ContentError: the game cannot play it.
    """
    try:
        check_changes(row, file, place)
        return with_versions(row, lore, file, place)
    except ContentError:
        raise
    except ValidationError as error:  # a version has a value that a spell cannot have
        raise from_validation(f"{file}: {place}", error, row.model_dump()) from None
    except MALFORMED:
        raise ContentError(file, place, row.name, AS_IN_TABLES) from None


def check_changes(row: SpellRow, file: str, place: str) -> None:
    """Check that boosts, options and ``empowered`` change something that the spell says.

    Raises:
        ContentError: one has a word that stands nowhere in the spell.
    """
    own = {word for effect in row.effects for word in effect}
    changes = [(f"boosts[{at}]", boost, {*KEPT, PER_PHASE}) for at, boost in enumerate(row.boosts)]
    changes += [(f"options[{at}]", option, {*KEPT}) for at, option in enumerate(row.options)]
    changes.append(("empowered", row.empowered, {"effects", OPTIONS}))
    changes += [(f"empowered.{OPTIONS}[{at}]", more, set()) for at, more in enumerate(row.empowered.get(OPTIONS, ()))]
    for where, change, others in changes:
        for word in change:
            if word not in own | others:
                raise unknown(file, f"{place}.{where}.{word}", word, own | others)


def with_versions(row: SpellRow, lore: int, file: str, place: str) -> Spell:
    """A spell of a lore, each choice and boost of it a version."""
    choices = alternatives(row)
    more = [each for boost in row.boosts for each in alternatives(boosted(row, boost))]
    versions = [
        replace(version_of(each.row, lore, file, place), words=each.words, own=each.own) for each in choices + more
    ]
    aim = TARGETS[choices[-1].row.target][0]
    once = any(isinstance(deed, ChainHits) for deed in versions[0].deeds)
    own = (row.name, row.rule, lore, row.number, KINDS[row.type], aim, tuple(versions), row.duration == IN_PLAY)
    return Spell(*own, PICKS.get(row.target), once, any(isinstance(deed, Transforms) for deed in versions[0].deeds))


def load_lore(name: Source, file: str = "<call>", field: str = "") -> LoreFile:
    """A lore by its name or path."""
    return load_content(LoreFile, "lores", name, "wap", file, field)


@dataclass(frozen=True)
class Grimoire:
    """All spells of a battle.

    Attributes:
        names: of the files of lores. lores, spells: as the engine asks them.
    """

    names: tuple[str, ...] = ()
    lores: tuple[Lore, ...] = ()
    spells: tuple[Spell, ...] = ()

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The effects that the spells can begin, each once."""
        deeds = (deed for spell in self.spells for version in spell.versions for deed in version.all_deeds)
        return tuple(dict.fromkeys(effect for deed in deeds for effect in deed.effects()))

    def of_lore(self, name: str) -> list[int]:
        """The numbers of the spells of a lore, by their numbers in it."""
        lore = self.names.index(name)
        found = [n for n, spell in enumerate(self.spells) if spell.lore == lore]
        return sorted(found, key=lambda n: self.spells[n].number)


def grimoire_of(names: Iterable[str], bound: Iterable[BoundRow] = (), own: Iterable[SpellRow] = ()) -> Grimoire:
    """The spells of these lores, and the bound spells, each with its power level as its casting value
    (wap.magic.bound.cast). ``own``: spells of items that are of no lore, which stand behind the others.
    """
    kept = tuple(dict.fromkeys((*names, *(row.lore for row in bound))))
    files = [load_lore(name) for name in kept]
    spells = [
        spell_of(row, lore, file.source, f"spells[{at}]")
        for lore, file in enumerate(files)
        for at, row in enumerate(file.spells)
    ]
    lores = [Lore(file.name, ATTRIBUTES[file.attribute]) for file in files]
    if rows := {row.name: row for row in own}:  # an item of both sides has one spell
        spells += [spell_of(row, len(lores), "<items>", name) for name, row in rows.items()]
        lores.append(Lore("", ATTRIBUTES["none"]))
    return Grimoire(kept, tuple(lores), tuple(spells))


def bound_version(spell: Spell, power: int) -> Spell:
    """A spell as a bound one: without boosted versions, with the power level as its value
    (wap.magic.bound.base-version).
    """
    return replace(spell, versions=tuple(replace(version, value=power) for version in spell.base_versions))
