"""Which units a character may join, and how he is placed in one (wap.character.join.*, .position.front-rank)."""

from __future__ import annotations

from functools import partial
from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ATTACHED, ON_TABLE, Array
from wh_env.rulesets.wap.allies.relations import bond_between
from wh_env.rulesets.wap.basics.blocks import MOST_POSTS, derive, stands_in
from wh_env.rulesets.wap.basics.effects import renew
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.files import file_bits
from wh_env.rulesets.wap.basics.joined import deepest, host_of, is_character, joined_to
from wh_env.rulesets.wap.basics.passage import ground_to_stand_in
from wh_env.rulesets.wap.basics.passed_on import joins_late
from wh_env.rulesets.wap.basics.reshaping import has_room_after
from wh_env.rulesets.wap.basics.room import in_rock, may_stand
from wh_env.rulesets.wap.codes import AT_THE_RIGHT, IN_RANKS, RANK_AND_FILE, SHRINE
from wh_env.rulesets.wap.commands.roles import leaders_of
from wh_env.rulesets.wap.tables import PARTS, Troops


def fits(g: BattleCore, character: int, unit: int) -> bool:
    """Whether the character's base covers a whole number of the unit's bases (wap.character.base.same-size,
    .multiple).
    """
    return bool(g.setup.statics["fitting"][character][unit])


def joins_others(g: BattleCore, unit: int) -> bool:
    """Whether a unit can join others: it is a character or a shrine."""
    return is_character(g, unit) or (g.units.kind[unit] == SHRINE)


def is_open_to(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a character may join a unit, by the troop types, Unit Strength and special rules of their cards
    (``kinds.is_open``) and by the bond between their armies (wap.ally.permissions).
    """
    return bool(g.setup.statics["open_to"][character][unit]) and bond_between(g, character, unit).characters_join


def places_for(g: BattleCore, character: int, unit: int) -> tuple[int, int]:
    """The numbers of files and of ranks of the unit that the character's base takes."""
    u = g.units
    return round(u.base_b[character] / u.base_b[unit]), round(u.base_a[character] / u.base_a[unit])


def files_with(g: BattleCore, character: int, unit: int) -> int:
    """The unit's files after the character has joined it: its present ones, or more if only characters are in it."""
    newly = is_character(g, unit) and host_of(g, character) != unit
    return g.units.files[unit] + (places_for(g, character, unit)[0] if newly else 0)


@inner_kernel
def take_off(parts: Array, first: int) -> int:
    """Take the rectangles of a unit off the table. Returns the bits of those that were on it."""
    stood = 0
    for n in range(PARTS):
        stood |= parts[first + n]["on_table"] << n
        parts[first + n]["on_table"] = 0
    return stood


@inner_kernel
def put_back(parts: Array, first: int, stood: int) -> None:
    """Put the rectangles with bits in ``stood`` back on the table."""
    for n in range(PARTS):
        parts[first + n]["on_table"] = stood >> n & 1


@kernel
def may_grow(
    troops: Troops,
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
    """Whether unit ``u`` has room where it stands with ``places`` more places, in ``files`` files, if the rectangles of
    ``character`` are off the table.
    """
    units, parts = troops.units, troops.parts
    unit, first = units[u], units[character]["first_part"]
    stood = take_off(parts, first)
    bent = unit["rear_shift"]
    unit["block"] += places
    unit["rear_shift"] = 0
    room = may_stand(
        troops,
        ground,
        corners,
        length,
        width,
        u,
        unit["x"],
        unit["y"],
        unit["facing"],
        files,
        margin,
        block,
    )
    unit["block"] -= places
    unit["rear_shift"] = bent
    put_back(parts, first, stood)
    return room


def has_room_for(g: BattleCore, character: int, unit: int, margin: float) -> bool:
    """Whether the unit has room where it stands for the models that the character displaces to its rear, has no more
    ranks than files then, full ranks enough for the bases of all characters in it, and a free place in its front rank.
    """
    setup = g.setup
    wide, deep = places_for(g, character, unit)
    files, places = files_with(g, character, unit), wide * deep
    after = g.units.block[unit] + places
    if (
        wide > files
        or -(-after // files) > files
        or after // files < max(deep, deepest(g, unit))
        or not free_bits(g, character, unit, margin)
    ):
        return False
    room: bool = g.work.call(
        may_grow,
        g.troops,
        ground_to_stand_in(g, character),
        setup.corners,
        setup.length,
        setup.width,
        unit,
        character,
        places,
        files,
        margin,
        g.work.block,
    )
    return room


@kernel
def find_open_ends(
    troops: Troops,
    ground: Array,
    corners: Array,
    length: float,
    width: float,
    u: int,
    character: int,
    margin: float,
    block: Array,
) -> int:
    """The ends of the front rank of unit ``u`` beside which a character has room: bit 0 the right end, bit 1 the left.
    The ranks stay where they are.
    """
    units, parts = troops.units, troops.parts
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
            troops,
            ground,
            corners,
            length,
            width,
            u,
            x,
            y,
            unit["facing"],
            unit["files"],
            margin,
            block,
        ):
            found |= 1 << end
    unit["wider"] = 0.0
    unit["beside_a"] = 0.0
    put_back(parts, first, stood)
    return found


def takes_misfit(g: BattleCore, unit: int) -> bool:
    """Whether a character whose base does not fit a unit's ranks may stand at an end of its front: only one may, and
    none beside a unit of characters (wap.character.base.misfit).
    """
    return not is_character(g, unit) and all(fits(g, row, unit) for row in joined_to(g, unit))


def ends_open(g: BattleCore, character: int, unit: int, margin: float) -> int:
    """The ends of a unit's front rank beside which a character has room if his base does not fit its ranks: bit 0 the
    right end, bit 1 the left.
    """
    setup = g.setup
    if not takes_misfit(g, unit):
        return 0
    found: int = g.work.call(
        find_open_ends,
        g.troops,
        ground_to_stand_in(g, character),
        setup.corners,
        setup.length,
        setup.width,
        unit,
        character,
        margin,
        g.work.block,
    )
    return found


def is_out_of_depth(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a unit stands in deep water that bars the character (wap.special.aquatic.movement)."""
    theirs, his = ground_to_stand_in(g, unit), ground_to_stand_in(g, character)
    return theirs is not his and in_rock(g.parts.rows, g.units.rows, his, g.setup.corners, unit)


def takes_in(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a unit has room for a character where it stands now: in its front rank, or at an end of it if his base
    does not fit.
    """
    margin = float(g.setup.rules["one_inch"])
    if is_out_of_depth(g, character, unit):
        return False
    if fits(g, character, unit):
        return has_room_for(g, character, unit, margin)
    return bool(ends_open(g, character, unit, margin))


def lets_in(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a character may join a unit if there is room: the unit is open to him, on the table, and neither engaged
    nor fleeing (wap.character.join.engaged-or-fleeing).
    """
    u = g.units
    return (
        (u.place[unit] == ON_TABLE and u.garrison[unit] < 0 and not u.fleeing[unit])
        and not engaged(g, unit)
        and is_open_to(g, character, unit)
    )


def may_join(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a character may join a unit where it stands now, and has room in it."""
    return lets_in(g, character, unit) and takes_in(g, character, unit)


@kernel
def find_free_files(models: Array, units: Array, u: int, character: int, files: int, apart: bool) -> int:
    """``free_files_for`` a character who fits the ranks of unit ``u``, as bits, among its first ``files`` files.
    ``apart``: without the first file.
    """
    held = 1 if apart else 0
    led = 0
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        m = models[k]
        if m["role"] != RANK_AND_FILE and m["on_table"] == 1 and m["rank"] == 0 and 0 <= m["file"] < files:
            led |= 1 << m["file"]
    for c in range(len(units)):
        m = models[units[c]["first"]]
        if c != character and units[c]["beside"] == 0 and stands_in(units, c, u) and m["rank"] == 0:
            held |= file_bits(m["file"], round(units[c]["base_b"] / units[u]["base_b"]))
    wide = round(units[character]["base_b"] / units[u]["base_b"])
    found = 0
    least = files + 1  # command models that have to make way
    for at in range(files - wide + 1):
        if held & file_bits(at, wide) != 0:
            continue
        displaced = 0
        for file in range(at, at + wide):
            displaced += led >> file & 1
        if displaced < least:
            least = displaced
            found = 0
        if displaced == least:
            found |= 1 << at
    return found


def free_bits(g: BattleCore, character: int, unit: int, margin: float | None = None) -> int:
    """``free_files_for``, as bits."""
    if not fits(g, character, unit):
        return ends_open(g, character, unit, g.setup.rules["one_inch"] if margin is None else margin)
    files = min(files_with(g, character, unit), MOST_POSTS, g.setup.space.numbers)
    return int(g.work.call(find_free_files, g.models.rows, g.units.rows, unit, character, files, is_character(g, unit)))


def free_files_for(g: BattleCore, character: int, unit: int, margin: float | None = None) -> list[int]:
    """The files of a unit's front rank that a character may take, each given by the rightmost file that his base
    covers.

    He displaces ordinary models and no characters who were there first; command models only where there is no other
    room, and as few as can be (wap.character.position.front-rank). If his base does not fit: the ends beside which he
    has room, 0 the right, 1 the left. ``margin``: inches that the unit keeps to others, if not the usual ones.
    """
    bits = free_bits(g, character, unit, margin)
    return [at for at in range(bits.bit_length()) if bits >> at & 1]


def files_to_reveal(g: BattleCore, character: int, unit: int) -> list[int]:
    """The files of a unit's front rank into which a model hidden in it can step: it needs as much room for the model
    that goes to its rear as for one who joins it, but may fight (wap.special.hidden.reveal).
    """
    u, places = g.units, places_for(g, character, unit)
    after = u.block[unit] + places[0] * places[1]
    if -(-after // u.files[unit]) > u.files[unit]:
        return []
    free = free_files_for(g, character, unit)
    return [at for at in free if has_room_after(g, unit, partial(take_place, g, character, unit, at))]


def fits_inside(g: BattleCore, character: int, garrison: int) -> bool:
    """Whether a character's base lets him stand with a garrison, as he could with the same unit outside
    (wap.character.base.misfit).
    """
    return fits(g, character, garrison) or takes_misfit(g, garrison)


def stand_inside(g: BattleCore, character: int, garrison: int) -> None:
    """Place a character in a garrison, where nobody has a place of his own."""
    u = g.units
    joins_late(g, character, garrison)
    u.place[character], u.bodyguard[character], u.files[character] = ATTACHED, garrison, 0
    g.models.post[u.first[character]], u.beside[character] = -1, IN_RANKS
    clear_parts(g, character)
    derive(g, garrison)
    renew(g)


def stand_in(g: BattleCore, character: int, unit: int, post: int, rule: str) -> None:
    """``take_place``, with its event."""
    joins_late(g, character, unit)
    take_place(g, character, unit, post)
    renew(g)
    g.note(rule, "joins", unit=character, target=unit, files=post + 1)


def take_place(g: BattleCore, character: int, unit: int, post: int) -> None:
    """Place a character in a unit: in file ``post`` of its front rank, or at end ``post`` of it if his base does not
    fit. Command models keep their files.
    """
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


def keep_leaders(g: BattleCore, unit: int) -> None:
    """Make the command models in the front rank keep their files."""
    m = g.models
    for k in leaders_of(g, unit):
        if m.rank[k] == 0:
            m.post[k] = m.file[k]


def clear_parts(g: BattleCore, unit: int) -> None:
    """Clear the rectangles of a unit that has no block of its own any more."""
    rows = g.parts.rows[g.units.first_part[unit] : g.units.first_part[unit] + PARTS]
    for column in ("x", "y", "facing", "half_a", "half_b", "radius", "on_table"):
        rows[column] = 0


def middle_of(g: BattleCore, unit: int, posts: list[int]) -> int:
    """The file in ``posts`` that is nearest the middle of the unit's front."""
    files = g.units.files[unit]
    return min(posts, key=lambda post: (abs(2 * post + 1 - files), post))
