"""A character takes his place in a unit that he joins, or changes his place in it (wap.character.position.front-rank,
.combined.reposition).
"""

from __future__ import annotations

from functools import partial

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.rulesets.wap.basics.blocks import MOST_POSTS, derive
from wh_env.rulesets.wap.basics.contacts import apart_from, foes_of, meet, touches_block
from wh_env.rulesets.wap.basics.joined import host_of, is_too_wide, joined_to
from wh_env.rulesets.wap.basics.reshaping import has_room_after, has_room_now, outline_of
from wh_env.rulesets.wap.basics.traps import moves
from wh_env.rulesets.wap.characters.joining import (
    files_to_reveal,
    fits,
    free_files_for,
    keep_leaders,
    middle_of,
    places_for,
    stand_in,
)
from wh_env.rulesets.wap.characters.stepping_out import fill_place_of, let_go
from wh_env.rulesets.wap.codes import JOINED, MOVED, RANK_AND_FILE

DEPLOYED, MOVING, CHANGING, REVEALED, SWAPS = range(5)  # the occasions on which a character takes a place
RULES = {
    DEPLOYED: "wap.battle.deploy.characters",
    MOVING: "wap.character.join.procedure",
    REVEALED: "wap.special.hidden.reveal",
}


class Join(Procedure):
    """A character takes a place in the front rank of a unit. The player is asked for it if there is more than one."""

    class Step(Steps):
        WHERE, DONE = range(2)

    UNIT = integer(row_of("units"))
    HOST = integer(row_of("units"))
    WHEN = integer(between(DEPLOYED, SWAPS))
    asks = ("hero-place",)

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        character, host = stack[f + Join.UNIT], stack[f + Join.HOST]
        if stack[f + STEP] == Join.Step.DONE or not g.units.alive[character]:
            return g.pop()
        posts = places_open(g, f)
        if len(posts) > 1 and (stack[f + Join.WHEN] == CHANGING or not g.is_answered_by_default(HeroPlace)):
            return g.ask(HeroPlace, g.units.owner[character], character)
        Join.stand(g, f, middle_of(g, host, posts))
        return GO

    @staticmethod
    def stand(g: BattleCore, f: int, post: int) -> None:
        """Place the character at ``post``. Joining by a move ends the move of the character and of the unit
        (wap.character.join.procedure). Changing places counts as a move of the unit.
        """
        stack, u = g.stack, g.units
        character, host, when = stack[f + Join.UNIT], stack[f + Join.HOST], stack[f + Join.WHEN]
        if when == CHANGING:
            change_places(g, character, host, post)
        elif when == SWAPS:
            trade_places(g, character, host, post)
        else:
            left = host_of(g, character)
            if left >= 0:
                before, left = outline_of(g, left), let_go(g, character)
            stand_in(g, character, host, post, RULES[when])
            if left >= 0:
                fill_place_of(g, left, before)
            if when == REVEALED:
                meet(g)
        if when == MOVING:
            u.did[host] |= JOINED
            u.did[character] |= JOINED | MOVED
        stack[f + STEP] = Join.Step.DONE
        if when == CHANGING:
            moves(g, host)


def change_places(g: BattleCore, character: int, host: int, post: int) -> None:
    """Move a character to file ``post`` of the front rank. That was the move of the whole unit
    (wap.character.combined.reposition).
    """
    g.models.post[g.units.first[character]] = post
    keep_leaders(g, host)
    derive(g, host)
    g.note("wap.character.combined.reposition", "changes places", unit=character, target=host, files=post + 1)
    g.units.did[host] |= MOVED
    g.units.did[character] |= MOVED


def trade_places(g: BattleCore, character: int, host: int, post: int) -> None:
    """Bring a character forward to file ``post`` for a combat. The model there takes his old place
    (wap.character.make-way.swap). If he had hidden after a refused challenge, he does so no more
    (wap.challenge.refuse.return).
    """
    m, k = g.models, g.units.first[character]
    was, hid = m.file[k], g.units.cowers[character]
    keep_leaders(g, host)
    if not hid:
        for leader in g.members(host):
            if m.rank[leader] == 0 and m.role[leader] != RANK_AND_FILE and m.file[leader] == post:
                m.post[leader] = was
    g.units.cowers[character], m.post[k] = 0, post
    derive(g, host)
    if g.recorder is not None:
        rule = "wap.challenge.refuse.return" if hid else "wap.character.make-way.swap"
        g.note(rule, "comes forward", unit=character, target=host, files=post + 1)


def held_by_others(g: BattleCore, character: int, host: int) -> set[int]:
    """The files of the front rank that other characters take."""
    found = set[int]()
    for other in joined_to(g, host):
        if other != character and not (g.units.cowers[other] or g.units.beside[other]):
            at = g.models.file[g.units.first[other]]
            found |= set(range(at, at + places_for(g, other, host)[0]))
    return found


def trading_files(g: BattleCore, character: int) -> list[int]:
    """The files of the front rank in which a character would touch an enemy, without those of other characters
    (wap.character.make-way.limits).
    """
    m, u, host = g.models, g.units, host_of(g, character)
    k, wide, taken = u.first[character], places_for(g, character, host)[0], held_by_others(g, character, host)
    now, posts, found, before = m.file[k], m.rows["post"].copy(), list[int](), outline_of(g, host)
    for leader in g.members(host):
        m.post[leader] = -1
    for at in range(min(u.files[host], u.block[host], MOST_POSTS, g.setup.space.numbers) - wide + 1):
        if at == now or taken & set(range(at, at + wide)):
            continue
        m.post[k] = at
        derive(g, host)
        rows = m.rows, g.parts.rows, u.rows
        touches = any(touches_block(*rows, k, foe, apart_from(g, host, foe)) for foe in foes_of(g, host))
        if touches and has_room_now(g, host, before):
            found.append(at)
    m.rows["post"] = posts
    derive(g, host)
    return found


def places_open(g: BattleCore, f: int) -> list[int]:
    """The files of the front rank that the character of the frame may take. When he changes his place, his present file
    is not among them.
    """
    character, host = g.stack[f + Join.UNIT], g.stack[f + Join.HOST]
    if g.stack[f + Join.WHEN] == CHANGING:
        return other_files(g, character)
    if g.stack[f + Join.WHEN] == SWAPS and not g.units.cowers[character]:
        return trading_files(g, character)
    if g.stack[f + Join.WHEN] == REVEALED:
        return files_to_reveal(g, character, host)
    return free_files_for(g, character, host)


def other_files(g: BattleCore, character: int) -> list[int]:
    """The files of the front rank to which a character in a unit could change."""
    host, now = host_of(g, character), g.models.file[g.units.first[character]]
    if g.units.beside[character]:
        return []
    posts = [at for at in free_files_for(g, character, host) if at != now]
    if not is_too_wide(g, host, g.units.files[host]):  # the short rank stays where it is
        return posts
    k = g.units.first[character]

    def changes(post: int) -> None:
        g.models.post[k] = post
        keep_leaders(g, host)
        derive(g, host)

    return [at for at in posts if has_room_after(g, host, partial(changes, at))]


class HeroPlace(DecisionKind):
    name = "hero-place"
    what = (
        "In which file of the front rank, counted from the right, or at which end of it, a character stands in the "
        "unit that he joins or has joined."
    )
    policy = "The one nearest the middle."
    keys = (
        "wap.character.position.front-rank",
        "wap.character.base.multiple",
        "wap.character.base.misfit",
        "wap.character.combined.reposition",
        "wap.special.hidden.reveal",
        "wap.character.make-way.swap",
        "wap.challenge.refuse.return",
    )
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for post in places_open(g, f):
            mask[g.setup.space.number + post] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        Join.stand(g, f, action - g.setup.space.number)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.names["units"][g.stack[f + Join.UNIT]]
        if not fits(g, g.stack[f + Join.UNIT], g.stack[f + Join.HOST]):
            return f"{name} at the {('right', 'left')[action - g.setup.space.number]} end"
        return f"{name} in file {action - g.setup.space.number + 1}"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.number + middle_of(g, g.stack[f + Join.HOST], places_open(g, f))
