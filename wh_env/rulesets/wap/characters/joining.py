"""Which units a character may join, and how he comes to stand in one (wap.character.join.*, .position.front-rank)."""

from __future__ import annotations

from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ATTACHED, ON_TABLE, Array
from wh_env.rulesets.wap.basics.blocks import MOST_POSTS, derive, file_bits, stands_in
from wh_env.rulesets.wap.basics.effects import renew
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.joined import host_of, is_character, joined_to
from wh_env.rulesets.wap.basics.room import may_stand
from wh_env.rulesets.wap.codes import AT_THE_RIGHT, IN_RANKS, RANK_AND_FILE, SHRINE
from wh_env.rulesets.wap.commands.roles import leaders_of
from wh_env.rulesets.wap.tables import PARTS


def fits(g: BattleCore, character: int, unit: int) -> bool:
    """Whether his base covers a whole number of those of a unit (wap.character.base.same-size, .multiple)."""
    return bool(g.setup.statics["fitting"][character][unit])


def joins_others(g: BattleCore, unit: int) -> bool:
    """Whether a unit is such as may join others: a character, a shrine."""
    return is_character(g, unit) or (g.units.kind[unit] == SHRINE)


def is_open_to(g: BattleCore, character: int, unit: int) -> bool:
    """Whether the kind of a unit lets a character join it, whatever it does now: troop types, Unit Strength, special
    rules of their cards, not such that they have for a while (``kinds.is_open``).
    """
    return bool(g.setup.statics["open_to"][character][unit])


def places_for(g: BattleCore, character: int, unit: int) -> tuple[int, int]:
    """How many files and ranks of a unit his base takes."""
    u = g.units
    return round(u.base_b[character] / u.base_b[unit]), round(u.base_a[character] / u.base_a[unit])


def files_with(g: BattleCore, character: int, unit: int) -> int:
    """Files of the unit when he has joined: those that it has, one more where only characters stand in it."""
    newly = is_character(g, unit) and host_of(g, character) != unit
    return g.units.files[unit] + (places_for(g, character, unit)[0] if newly else 0)


@inner_kernel
def take_off(parts: Array, first: int) -> int:
    """Take the rectangles of a unit off the table; returns which stood there, bit by bit."""
    stood = 0
    for n in range(PARTS):
        stood |= parts[first + n]["on_table"] << n
        parts[first + n]["on_table"] = 0
    return stood


@inner_kernel
def put_back(parts: Array, first: int, stood: int) -> None:
    """Put them back."""
    for n in range(PARTS):
        parts[first + n]["on_table"] = stood >> n & 1


@kernel
def may_grow(
    parts: Array,
    units: Array,
    ground: Array,
    corners: Array,
    length: float,
    width: float,
    u: int,
    character: int,
    places: int,
    files: int,
    margin: float,
    block: Array,
) -> bool:
    """Whether unit ``u`` has room where it stands with so many places more in its ranks, in so many files, once a
    character stands nowhere else.
    """
    unit, first = units[u], units[character]["first_part"]
    stood = take_off(parts, first)
    unit["block"] += places
    room = may_stand(
        parts, units, ground, corners, length, width, u, unit["x"], unit["y"], unit["facing"], files, margin, block
    )
    unit["block"] -= places
    put_back(parts, first, stood)
    return room


def has_room_for(g: BattleCore, character: int, unit: int) -> bool:
    """Whether the unit has room for the models that he sends to its rear, and no more ranks than files then."""
    setup = g.setup
    wide, deep = places_for(g, character, unit)
    files, places = files_with(g, character, unit), wide * deep
    after = g.units.block[unit] + places
    if wide > files or -(-after // files) > files or after // files < deep or not free_bits(g, character, unit):
        return False
    room: bool = g.work.call(
        may_grow,
        g.parts.rows,
        g.units.rows,
        setup.statics["ground"],
        setup.corners,
        setup.length,
        setup.width,
        unit,
        character,
        places,
        files,
        setup.rules["one_inch"],
        g.work.block,
    )
    return room


@kernel
def find_open_ends(
    parts: Array,
    units: Array,
    ground: Array,
    corners: Array,
    length: float,
    width: float,
    u: int,
    character: int,
    margin: float,
    block: Array,
) -> int:
    """The ends of the front rank of unit ``u`` at which a character has room, bit by bit: the right one first. The
    ranks stay where they are.
    """
    unit, half, first = units[u], units[character]["base_b"], units[character]["first_part"]
    stood = take_off(parts, first)
    found = 0
    for end in range(2):
        aside = half if end == 1 else -half
        unit["wider"] = 2.0 * aside
        unit["beside_a"] = units[character]["base_a"]
        x = unit["x"] - aside * sin(unit["facing"])
        y = unit["y"] + aside * cos(unit["facing"])
        if may_stand(
            parts, units, ground, corners, length, width, u, x, y, unit["facing"], unit["files"], margin, block
        ):
            found |= 1 << end
    unit["wider"] = 0.0
    unit["beside_a"] = 0.0
    put_back(parts, first, stood)
    return found


def ends_open(g: BattleCore, character: int, unit: int) -> int:
    """The ends of the front rank of a unit at which a character has room whose base does not fit into it, bit by bit,
    the right one first; one of them at a time, and none beside other characters who form a unit
    (wap.character.base.misfit).
    """
    u, setup = g.units, g.setup
    if is_character(g, unit) or any(u.beside[row] for row in joined_to(g, unit)):
        return 0
    found: int = g.work.call(
        find_open_ends,
        g.parts.rows, u.rows, setup.statics["ground"], setup.corners, setup.length, setup.width, unit, character,
        setup.rules["one_inch"], g.work.block,
    )  # fmt: skip
    return found


def takes_in(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a character and those whom he displaces have room in a unit where it stands now, or he at an end of its
    front rank.
    """
    return has_room_for(g, character, unit) if fits(g, character, unit) else bool(ends_open(g, character, unit))


def lets_in(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a character may join a unit if there is room: it is of such a kind, and neither fights nor flees
    (wap.character.join.engaged-or-fleeing).
    """
    u = g.units
    return (
        (u.place[unit] == ON_TABLE and not u.fleeing[unit]) and not engaged(g, unit) and is_open_to(g, character, unit)
    )


def may_join(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a character may join a unit where it stands now: it lets him in, and he and those whom he displaces have
    room.
    """
    return lets_in(g, character, unit) and takes_in(g, character, unit)


@kernel
def find_free_files(models: Array, units: Array, u: int, character: int, files: int, apart: bool) -> int:
    """``free_files_for`` of who fits into the ranks of unit ``u``, bit by bit: of so many files; ``apart``: not the
    first one.
    """
    held = 1 if apart else 0
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        m = models[k]
        if m["role"] != RANK_AND_FILE and m["on_table"] == 1 and m["rank"] == 0 and 0 <= m["file"] < files:
            held |= 1 << m["file"]
    for c in range(len(units)):
        if c == character or units[c]["beside"] != 0 or not stands_in(units, c, u):
            continue
        at = models[units[c]["first"]]["file"]
        for file in range(max(0, at), min(files, at + round(units[c]["base_b"] / units[u]["base_b"]))):
            held |= 1 << file
    wide = round(units[character]["base_b"] / units[u]["base_b"])
    found = 0
    for at in range(files - wide + 1):
        if held & file_bits(at, wide) == 0:
            found |= 1 << at
    return found


def free_bits(g: BattleCore, character: int, unit: int) -> int:
    """``free_files_for``, bit by bit."""
    if not fits(g, character, unit):
        return ends_open(g, character, unit)
    files = min(files_with(g, character, unit), MOST_POSTS, g.setup.space.numbers)
    return int(g.work.call(find_free_files, g.models.rows, g.units.rows, unit, character, files, is_character(g, unit)))


def free_files_for(g: BattleCore, character: int, unit: int) -> list[int]:
    """Files of the front rank of a unit, each the first from the right that he would take, without those of command
    models and other characters: he takes the place of ordinary ones (wap.character.position.front-rank), and not that
    of the character who was there first; of who does not fit into it the ends at which he has room: 0 the right, 1 the
    left one.
    """
    bits = free_bits(g, character, unit)
    return [at for at in range(bits.bit_length()) if bits >> at & 1]


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
    renew(g)
    g.note(rule, "joins", unit=character, target=unit, files=post + 1)


def keep_leaders(g: BattleCore, unit: int) -> None:
    """The command models of the front rank stay in their files."""
    m = g.models
    for k in leaders_of(g, unit):
        if m.rank[k] == 0:
            m.post[k] = m.file[k]


def clear_parts(g: BattleCore, unit: int) -> None:
    """A unit has no block of its own."""
    rows = g.parts.rows[g.units.first_part[unit] : g.units.first_part[unit] + PARTS]
    for column in ("x", "y", "facing", "half_a", "half_b", "radius", "on_table"):
        rows[column] = 0


def middle_of(g: BattleCore, unit: int, posts: list[int]) -> int:
    """That of some files which is nearest the middle of the front."""
    files = g.units.files[unit]
    return min(posts, key=lambda post: (abs(2 * post + 1 - files), post))
