"""A wizard turns into a monster and back (wap.lore.beasts.transformation-of-kadon, .limits). How forms are kept is told
in ``basics.forms``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.tables import DESTROYED, ON_TABLE, RESERVE
from wh_env.rulesets.wap.basics.blocks import derive, set_block
from wh_env.rulesets.wap.basics.contacts import block_of, foes_of, meet
from wh_env.rulesets.wap.basics.effects import (
    Effect,
    act_elsewhere,
    begin_effect,
    is_equipment,
    number_of,
    rows_in_use,
)
from wh_env.rulesets.wap.basics.forms import other_form
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.basics.passage import ground_to_stand_in
from wh_env.rulesets.wap.basics.passed_on import is_late_as
from wh_env.rulesets.wap.basics.room import may_stand
from wh_env.rulesets.wap.casualties.removing import HANDED_ON
from wh_env.rulesets.wap.characters.joining import clear_parts, free_files_for, stand_in
from wh_env.rulesets.wap.codes import IN_RANKS
from wh_env.rulesets.wap.magic.spells import Casting, Deed

RULE = "wap.lore.beasts.transformation-of-kadon.limits"
# columns that one form takes over from the other, besides those that heirs of a unit take over
TAKEN_OVER = (
    *HANDED_ON, "due", "begun", "chilled", "scorched", "feigned", "alive_phase", "us_phase", "deployed", "high",
    "storms", "stormed", "stormed_in", "disgraced",
)  # fmt: skip
TABLES = ("units", "models", "parts", "contacts", "charges")  # that a change of form may have to be taken back in


@dataclass(frozen=True)
class Shape:
    """What a wizard turns into.

    Attributes:
        kind: its troop type. profile: its characteristics, by their names. rules: its special rules, as cards have
        them.
    """

    kind: str
    profile: tuple[tuple[str, int], ...]
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Transforms(Deed):
    """The wizard takes another form for as long as the effect lasts, if there is room for it."""

    effect: Effect
    shape: Shape

    def effects(self) -> tuple[Effect, ...]:
        return (self.effect,)

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        wizard = casting.caster
        form = other_form(g, wizard)
        if not turn_into(g, wizard, form):
            g.note(RULE, "finds no room", unit=wizard, name=casting.spell.name)
            return
        number = number_of(g, self.effect)
        begin_effect(g, number, form, casting.player, wizard, casting.row + 1)


def turn_into(g: BattleCore, unit: int, form: int) -> bool:
    """Let a unit take its other form, if there is room for that. Returns whether it has."""
    if is_inside(g, block_of(g, unit)):  # a monster may not occupy a building
        return False
    kept = {name: getattr(g, name).rows.copy() for name in TABLES}
    make_whole(g, form)
    if not exchange(g, unit, form):
        for name, rows in kept.items():
            getattr(g, name).rows[:] = rows
        return False
    g.units.place[unit] = RESERVE
    hand_over(g, unit, form)
    g.note(RULE, "changes form", unit=unit, target=form, amount=g.models.wounds[g.units.first[form]])
    return True


def turn_back(g: BattleCore, form: int, unit: int) -> None:
    """The form that a unit has ends: the unit has its own again, with the Wounds that it had (.limits)."""
    exchange(g, form, unit, certain=True)
    u, first = g.units, g.units.first[form]
    g.models.alive[first] = g.models.wounds[first] = 0
    u.alive[form], u.place[form] = 0, DESTROYED
    derive(g, form)
    hand_over(g, form, unit)
    g.note(RULE, "changes form", unit=form, target=unit, amount=g.models.wounds[g.units.first[unit]])


def make_whole(g: BattleCore, form: int) -> None:
    """A form without models gets its model, unhurt."""
    m, u, first = g.models, g.units, g.units.first[form]
    m.alive[first], m.wounds[first] = 1, m.max_wounds[first]
    u.alive[form], u.block[form] = 1, 1
    for column in ("weapon", "ward", "breaths", "breathed", "lost_rules", "gained_rules", "fresh_rules"):
        getattr(u, column)[form] = 0


def exchange(g: BattleCore, old: int, new: int, *, certain: bool = False) -> bool:
    """Put one form in the place of the other, alone or in a unit. Returns whether there was room; ``certain``: it is
    put there in any case.
    """
    u, host = g.units, host_of(g, old)
    foes = set(foes_of(g, block_of(g, old)))
    for name in TAKEN_OVER:
        getattr(u, name)[new] = getattr(u, name)[old]
    file = g.models.file[u.first[old]]
    for row in (old, new):
        u.files[row], u.bodyguard[row], u.cowers[row], u.beside[row] = 0, -1, 0, IN_RANKS
        g.models.post[u.first[row]] = -1
    u.place[old] = RESERVE
    margin = 0.0 if foes else float(g.setup.rules["one_inch"])
    if host >= 0:
        return exchange_in(g, old, new, host, file, margin, certain=certain)
    x, y, facing, deep = u.x[old], u.y[old], u.facing[old], 2.0 * (u.base_a[new] - u.base_a[old])
    rename(g, old, new)
    clear_parts(g, old)
    derive(g, old)
    u.place[new] = ON_TABLE
    poses = [(x + share * deep * cos(facing), y + share * deep * sin(facing)) for share in (0.0, 0.5, 1.0)]
    before = g.contacts.rows.copy()
    for px, py in poses:
        if stands(g, new, px, py, facing, margin) or certain:
            set_block(g, new, px, py, facing, 1)
            meet(g)
            if set(foes_of(g, new)) == foes:
                return True
            g.contacts.rows[:] = before
    if certain:
        set_block(g, new, x, y, facing, 1)
        meet(g)
    return certain


def stands(g: BattleCore, unit: int, x: float, y: float, facing: float, margin: float) -> bool:
    """Whether a unit of one file has room at a place."""
    setup = g.setup
    found: bool = g.work.call(
        may_stand,
        g.troops,
        ground_to_stand_in(g, unit),
        setup.corners,
        setup.length,
        setup.width,
        unit,
        x,
        y,
        facing,
        1,
        margin,
        g.work.block,
    )
    return found


def exchange_in(
    g: BattleCore, old: int, new: int, host: int, file: int, margin: float, *, certain: bool
) -> bool:  # fmt: skip
    """``exchange`` in a unit, which is rearranged. ``file``: where the old form stood."""
    u = g.units
    derive(g, old)
    derive(g, host)
    u.files[host] = min(u.files[host], u.block[host])
    derive(g, host)
    posts = free_files_for(g, new, host, margin)
    if not posts and not certain:
        return False
    derive(g, new)
    stand_in(g, new, host, min(posts, key=lambda post: abs(post - file)) if posts else 0, RULE)
    meet(g)
    return True


def rename(g: BattleCore, old: int, new: int) -> None:
    """Contacts and charges of one form are those of the other."""
    for column in (g.contacts.a, g.contacts.b, g.charges.unit, g.charges.target):
        for k, row in enumerate(column):
            if row == old:
                column[k] = new
    for k, row in enumerate(g.charges.unit):
        if row == new:
            g.charges.aloft[k] = 0


def hand_over(g: BattleCore, old: int, new: int) -> None:
    """Whatever concerns one form concerns the other now: its duel, who pursues it, its role in the army and effects,
    but for those of magic items, which stop working (.limits).
    """
    u, p = g.units, g.players
    for column in (u.prey, p.general, p.bearer):
        for k, row in enumerate(column):
            if row == old:
                column[k] = new
    for k in rows_in_use(g):
        if g.effects.unit[k] == old and not is_equipment(g, k):
            g.effects.unit[k] = new
    is_late_as(g, new, old)
    enemy, u.duel[old] = u.duel[old], -1
    if enemy >= 0:
        u.duel[new], u.duel[enemy] = enemy, new
    u.fleeing[old] = u.due[old] = u.deployed[old] = 0
    act_elsewhere(g)


def shapes_among(deeds: Iterable[Deed]) -> list[Shape]:
    """The forms into which deeds turn a wizard."""
    return [deed.shape for deed in deeds if isinstance(deed, Transforms)]


def end_of_form(g: BattleCore, unit: int) -> None:
    """The spell that keeps up the other form of a unit has ended."""
    form = other_form(g, unit)
    if form >= 0 and g.units.alive[form]:
        turn_back(g, form, unit)
