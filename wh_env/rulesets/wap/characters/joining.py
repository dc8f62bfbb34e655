"""Which units a character may join, and how he comes to stand in one (wap.character.join.*, .position.front-rank)."""

from __future__ import annotations

from collections.abc import Collection
from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ATTACHED, ON_TABLE
from wh_env.rulesets.wap.basics.blocks import MOST_POSTS, derive
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.room import may_stand
from wh_env.rulesets.wap.basics.special_rules import INCLUDED_IN
from wh_env.rulesets.wap.characters.joined import host_of, is_character, joined_to
from wh_env.rulesets.wap.codes import AT_THE_LEFT, AT_THE_RIGHT, IN_RANKS, INFANTRY, RANK_AND_FILE, SHRINE, TROOP_TYPES
from wh_env.rulesets.wap.tables import PARTS

OPEN_TO_ALL = tuple(
    map(
        TROOP_TYPES.index,
        ("infantry", "war beast", "cavalry", "monstrous infantry", "monstrous beast", "monstrous cavalry"),
    )
)
CHARIOT, MONSTER = TROOP_TYPES.index("chariot"), TROOP_TYPES.index("monster")
SAME = 1e-3  # inches that bases may differ by
# rules that a unit shares with who may join it: of both or of neither; .unbreakable.characters, .unstable.characters, .expendable.characters
ALIKE = ("Unstable", "Expendable")
# rules of a unit that a character must have himself (wap.special.scouts.character, .ambushers.character, .ethereal.characters)
HIS_OWN = ("Scouts", "Ambushers", "Ethereal", "Fly")
# rules of a unit that only characters of its troop type may join (wap.special.fast-cavalry.characters, .skirmishers.characters)
OF_THE_TYPE = ("Fast Cavalry", "Skirmishers", "Fly")


def fits(g: BattleCore, character: int, unit: int) -> bool:
    """Whether his base covers a whole number of those of a unit (wap.character.base.same-size, .multiple); of another character's, just one."""
    u, most = g.units, 1 if is_character(g, unit) else 99
    for mine, theirs in ((u.base_a[character], u.base_a[unit]), (u.base_b[character], u.base_b[unit])):
        times = round(mine / theirs)
        if not 1 <= times <= most or abs(times * theirs - mine) > SAME:
            return False
    return True


def joins_others(g: BattleCore, unit: int) -> bool:
    """Whether a unit is such as may join others: a character, a shrine."""
    return is_character(g, unit) or bool(g.units.kind[unit] == SHRINE)


def with_included(card: Collection[str]) -> set[str]:
    """The special rules of a card and those that they include."""
    return {*card, *(name for name, others in INCLUDED_IN.items() if any(other in card for other in others))}


def is_open_to(g: BattleCore, character: int, unit: int) -> bool:
    """Whether the kind of a unit lets a character join it, whatever it does now: troop types (wap.character.join.types, .forbidden, .too-big), Unit Strength
    (.unit-strength), special rules of their cards (not such that they have for a while; wap.special.unbreakable.characters, wap.special.unstable.characters,
    wap.special.expendable.characters). A shrine joins infantry that does not skirmish
    (wap.troop.shrine.join); nobody joins a mixed unit (wap.special.mixed-unit.formation)."""
    u, cards = g.units, g.setup.statics["abilities"]
    kind, own = u.kind[unit], u.kind[character]
    if unit == character or u.owner[unit] != u.owner[character] or not joins_others(g, character):
        return False
    if u.drives[unit] or "Mixed Unit" in cards[unit]:
        return False
    if own == SHRINE and (kind != INFANTRY or is_character(g, unit) or "Skirmishers" in cards[unit]):
        return False
    by_chariot = kind == CHARIOT and own == CHARIOT
    if own == MONSTER or (own == CHARIOT and not by_chariot) or (kind not in OPEN_TO_ALL and not by_chariot):
        return False
    if u.each[unit] > u.each[character]:
        return False
    mine, theirs = (with_included(cards[row]) for row in (character, unit))
    steady = ["Unbreakable" in names or "Unstable" in names for names in (mine, theirs)]
    if steady[0] != steady[1] or any((name in mine) != (name in theirs) for name in ALIKE):
        return False
    if any(name in theirs and name not in mine for name in HIS_OWN):
        return False
    return own == kind or not any(name in theirs for name in OF_THE_TYPE)


def places_for(g: BattleCore, character: int, unit: int) -> tuple[int, int]:
    """How many files and ranks of a unit his base takes."""
    u = g.units
    return round(u.base_b[character] / u.base_b[unit]), round(u.base_a[character] / u.base_a[unit])


def files_with(g: BattleCore, character: int, unit: int) -> int:
    """Files of the unit when he has joined: those that it has, one more where only characters stand in it."""
    newly = is_character(g, unit) and host_of(g, character) != unit
    return int(g.units.files[unit]) + (places_for(g, character, unit)[0] if newly else 0)


def has_room_for(g: BattleCore, character: int, unit: int) -> bool:
    """Whether the unit has room for the models that he sends to its rear, and no more ranks than files then."""
    u, setup, p = g.units, g.setup, g.parts
    wide, deep = places_for(g, character, unit)
    block, files = int(u.block[unit]), files_with(g, character, unit)
    after = block + wide * deep
    if (
        wide > files
        or -(-after // files) > files
        or after // files < deep
        or len(free_files_for(g, character, unit)) == 0
    ):
        return False
    own = range(u.first_part[character], u.first_part[character] + PARTS)
    shown = [p.on_table[k] for k in own]
    for k in own:
        p.on_table[k] = 0
    u.block[unit] = after
    room = g.work.call(
        may_stand,
        p.rows, u.rows, setup.statics["ground"], setup.corners, setup.length, setup.width, unit, u.x[unit], u.y[unit],
        u.facing[unit], files, setup.rules["one_inch"], g.work.block,
    )  # fmt: skip
    u.block[unit] = block
    for k, was in zip(own, shown, strict=True):
        p.on_table[k] = was
    return bool(room)


def ends_open(g: BattleCore, character: int, unit: int) -> list[int]:
    """The ends of the front rank of a unit at which a character has room whose base does not fit into it, the right one first; one of them at a time, and none
    beside other characters who form a unit (wap.character.base.misfit)."""
    u, setup, p = g.units, g.setup, g.parts
    if is_character(g, unit) or any(u.beside[row] for row in joined_to(g, unit)):
        return []
    own, found = range(u.first_part[character], u.first_part[character] + PARTS), list[int]()
    shown = [p.on_table[k] for k in own]
    for k in own:
        p.on_table[k] = 0
    for end, sign in ((AT_THE_RIGHT, -1.0), (AT_THE_LEFT, 1.0)):
        u.wider[unit], u.beside_a[unit] = sign * 2.0 * u.base_b[character], u.base_a[character]
        aside = sign * u.base_b[character]  # the ranks stay where they are
        x, y = u.x[unit] - aside * sin(u.facing[unit]), u.y[unit] + aside * cos(u.facing[unit])
        if g.work.call(
            may_stand,
            p.rows, u.rows, setup.statics["ground"], setup.corners, setup.length, setup.width, unit, x, y, u.facing[unit],
            u.files[unit], setup.rules["one_inch"], g.work.block,
        ):  # fmt: skip
            found.append(end)
    u.wider[unit] = u.beside_a[unit] = 0.0
    for k, was in zip(own, shown, strict=True):
        p.on_table[k] = was
    return found


def takes_in(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a character and those whom he displaces have room in a unit where it stands now, or he at an end of its front rank."""
    return has_room_for(g, character, unit) if fits(g, character, unit) else bool(ends_open(g, character, unit))


def lets_in(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a character may join a unit if there is room: it is of such a kind, and neither fights nor flees (wap.character.join.engaged-or-fleeing)."""
    u = g.units
    return (
        bool(u.place[unit] == ON_TABLE and not u.fleeing[unit])
        and not engaged(g, unit)
        and is_open_to(g, character, unit)
    )


def may_join(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a character may join a unit where it stands now: it lets him in, and he and those whom he displaces have room."""
    return lets_in(g, character, unit) and takes_in(g, character, unit)


def free_files_for(g: BattleCore, character: int, unit: int) -> list[int]:
    """Files of the front rank of a unit, each the first from the right that he would take, without those of command models and other characters: he takes the
    place of ordinary ones (wap.character.position.front-rank); of who does not fit into it the ends at which he has room: 0 the right, 1 the left one."""
    m, u = g.models, g.units
    if not fits(g, character, unit):
        return [end - AT_THE_RIGHT for end in ends_open(g, character, unit)]
    wide, _ = places_for(g, character, unit)
    held = {m.file[k] for k in leaders_of(g, unit) if m.rank[k] == 0}
    for other in joined_to(g, unit):
        if other != character and not u.beside[other]:
            first = m.file[u.first[other]]
            held |= set(range(first, first + places_for(g, other, unit)[0]))
    if is_character(g, unit):
        held.add(0)  # where he stands who was there first
    most = min(files_with(g, character, unit), MOST_POSTS, g.setup.space.numbers)
    return [at for at in range(most - wide + 1) if held.isdisjoint(range(at, at + wide))]


def stand_in(g: BattleCore, character: int, unit: int, post: int, rule: str) -> None:
    """A character stands in a unit from now on, in a file of its front rank; command models stay where they are."""
    m, u = g.models, g.units
    keep_leaders(g, unit)
    fit = fits(g, character, unit)
    u.files[unit] = files_with(g, character, unit) if fit else u.files[unit]
    u.place[character], u.bodyguard[character], u.files[character] = ATTACHED, unit, 0
    m.post[u.first[character]], u.beside[character] = (post, IN_RANKS) if fit else (-1, post + AT_THE_RIGHT)
    for k in range(u.first_part[character], u.first_part[character] + PARTS):
        g.parts.on_table[k] = 0
    clear_parts(g, character)
    derive(g, unit)
    if g.recorder is not None:
        g.note(rule, "joins", unit=character, target=unit, files=post + 1)


def keep_leaders(g: BattleCore, unit: int) -> None:
    """The command models of the front rank stay in their files."""
    m = g.models
    for k in leaders_of(g, unit):
        if m.rank[k] == 0:
            m.post[k] = m.file[k]


def leaders_of(g: BattleCore, unit: int) -> list[int]:
    """The command models of a unit that are on the table."""
    m, first = g.models, g.units.first[unit]
    roles = m.role[first : first + g.units.count[unit]].tolist()
    return [k for k, role in enumerate(roles, first) if role != RANK_AND_FILE and m.on_table[k]]


def clear_parts(g: BattleCore, unit: int) -> None:
    """A unit has no block of its own."""
    rows = g.parts.rows[g.units.first_part[unit] : g.units.first_part[unit] + PARTS]
    for column in ("x", "y", "facing", "half_a", "half_b", "radius", "on_table"):
        rows[column] = 0


def middle_of(g: BattleCore, unit: int, posts: list[int]) -> int:
    """That of some files which is nearest the middle of the front."""
    files = g.units.files[unit]
    return min(posts, key=lambda post: (abs(2 * post + 1 - files), post))
