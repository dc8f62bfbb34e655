"""Which models take the hits of shots if characters are in or near the unit that is shot at (wap.character.shooting.*,
.lone.look-out-sir, .leave.stand-and-shoot), and the hits of impacts on such units
(wap.special.impact-hits.distribution).

Hits for which a player must be asked wait in ``blows``. There ``unit`` is the shooting unit, ``line`` the profile that
hit, ``key`` the way of shooting, and ``later`` is 1 for hits that are already allotted.
"""

from __future__ import annotations

from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, between, row_of
from wh_env.core.procedures import GO, DecisionKind, Procedure, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.joined import joined_to
from wh_env.rulesets.wap.basics.leaving_by_charge import leaving
from wh_env.rulesets.wap.shooting.aims import block_of, may_be_singled_out
from wh_env.rulesets.wap.shooting.hits import hit_of, side_shot, take_hits
from wh_env.rulesets.wap.shooting.looking_out import SOLDIERS, WARNED, is_warned, looking_out
from wh_env.rulesets.wap.shooting.shots import weapon_in
from wh_env.rulesets.wap.special.mixed_units import masters_of, may_hit_masters
from wh_env.rulesets.wap.troops.war_machines import crew_left, is_machine
from wh_env.rulesets.wap.weapons.hit import Hit

# why a player allots hits: units look out for a lone character; a small unit shares the hits of shots; or those of
# impacts, which stay in ``blows``
LOOKS_OUT, SHARED, IMPACTS = range(3)


class Struck(NamedTuple):
    """Hits by models of one profile."""

    line: int
    number: int
    hit: Hit


def singled_out(g: BattleCore, target: int) -> list[int]:
    """The characters in a unit that shooters may aim at."""
    return [character for character in joined_to(g, target) if may_be_singled_out(g, character, target)]


def deal(g: BattleCore, unit: int, target: int, way: int, struck: list[Struck], side: int, at: int) -> None:
    """Allot and resolve the hits of a unit's shots at a target.

    Args:
        unit: the unit, or the character in one, that has shot.
        way: its way of shooting.
        struck: the hits.
        side: the side of the target's block from which they come.
        at: the character in the target who was aimed at; -1: none.
    """
    block = block_of(g, unit)
    if at >= 0:
        deal_to_singled_out(g, block, target, at, struck, as_hit_on(g, unit, way, struck, at), side)
        return
    host = leaving(g, target)
    if host >= 0:
        deal_to_leaving(g, block, host, target, as_hit_on(g, unit, way, struck, host), struck, side)
        return
    few = is_few(g, target)
    if not few and not looking_out(g, target):
        take_hits(g, target, [(part.number, part.hit) for part in struck], side, block)
        return
    for part in struck:
        wait(g, unit, target, part.line, part.number, way)
    g.push(Allot, unit, target, way, SHARED if few else LOOKS_OUT)


def is_few(g: BattleCore, target: int) -> bool:
    """Whether characters or masters in a unit may be hit: so few of its own models are left, or a character among them
    is of another troop type and cannot be aimed at (wap.character.shooting.few-left, .protected,
    wap.special.mixed-unit.shooting).
    """
    if not joined_to(g, target) or masters_of(g, target):
        return may_hit_masters(g, target)
    return bool(sharers_in(g, target))


def ordinary_in(g: BattleCore, unit: int) -> int:
    """The number of a unit's own models that hits are shared among; of a war machine that of its crew
    (wap.machine.shot-at.mixed-crew).
    """
    return crew_left(g, unit) if is_machine(g, unit) else int(g.units.alive[unit])


def sharers_in(g: BattleCore, unit: int) -> list[int]:
    """The characters and masters in a unit who share its hits: all if few of its own models are left, else those who
    are of another troop type and have no more Unit Strength than they. Who serves a war machine is of its crew.
    """
    inside, u = joined_to(g, unit), g.units
    if ordinary_in(g, unit) < SOLDIERS or masters_of(g, unit):
        return inside
    if is_machine(g, unit):
        return []
    return [row for row in inside if u.kind[row] != u.kind[unit] and not may_be_singled_out(g, row, unit)]


def heads_in(g: BattleCore, unit: int) -> dict[int, int]:
    """The models of a unit that hits are shared among, by the row of the unit itself and of each character in it."""
    return {unit: ordinary_in(g, unit), **dict.fromkeys(sharers_in(g, unit), 1)}


def as_hit_on(g: BattleCore, unit: int, way: int, struck: list[Struck], target: int) -> list[Struck]:
    """The hits of a unit's shots as they are on ``target``, to which poison may do less than to others
    (wap.special.immunity).
    """
    weapon = weapon_in(g, unit, way)
    return [part._replace(hit=hit_of(g, part.line, weapon, target)) for part in struck]


def deal_to_singled_out(
    g: BattleCore, unit: int, target: int, at: int, on_unit: list[Struck], on_him: list[Struck], side: int
) -> None:
    """Resolve hits on a character ``at`` who was aimed at in unit ``target``. For each hit a die decides whether the
    unit takes it. ``on_unit``, ``on_him``: the hits as they are on either.
    """
    own, others = looked_out(g, target, at, on_unit, on_him, "wap.character.shooting.different-type")
    take_hits(g, at, own, side, unit)
    if g.units.place[target] == ON_TABLE:
        take_hits(g, target, others, side, unit)


def deal_to_leaving(
    g: BattleCore, unit: int, host: int, target: int, on_unit: list[Struck], on_him: list[Struck], side: int
) -> None:
    """Resolve hits on a character ``target`` who charges out of unit ``host``. He takes them all if he is of another
    troop type than the unit; else a die for each decides whether the unit takes it
    (wap.character.leave.stand-and-shoot). ``on_unit``, ``on_him``: the hits as they are on either.
    """
    if g.units.kind[host] != g.units.kind[target]:
        take_hits(g, target, [(part.number, part.hit) for part in on_him], side, unit)
        return
    own, others = looked_out(g, host, target, on_unit, on_him, "wap.character.leave.stand-and-shoot")
    behind = side_shot(g, unit, host) if any(number for number, _ in others) else side
    take_hits(g, target, own, side, unit)
    take_hits(g, host, others, behind, unit)


def looked_out(
    g: BattleCore, host: int, character: int, on_unit: list[Struck], on_him: list[Struck], rule: str
) -> tuple[list[tuple[int, Hit]], list[tuple[int, Hit]]]:
    """Roll a die for each hit on a character whose unit looks out for him. Returns the hits that he takes and those
    that the unit takes.
    """
    own, others = list[tuple[int, Hit]](), list[tuple[int, Hit]]()
    for part, on_host in zip(on_him, on_unit, strict=True):
        dice = [g.d6() for _ in range(part.number)]
        warned = sum(die >= WARNED for die in dice)
        own.append((part.number - warned, part.hit))
        others.append((warned, on_host.hit))
        if g.recorder is not None:
            told = {"amount": part.number, "needed": WARNED, "rolls": tuple(dice), "result": warned}
            g.note(rule, "looks out", unit=host, target=character, **told)
    return own, others


# ---------------------------------------------------------------- hits that wait


def wait(g: BattleCore, unit: int, target: int, line: int, number: int, way: int, allotted: bool = False) -> None:
    """Put hits into ``blows``, together with others of the same kind.

    Raises:
        LookupError: ``blows`` has no row left.
    """
    b = g.blows
    for k in range(len(b.unit)):
        alike = (b.unit[k], b.line[k], b.target[k], b.key[k], b.later[k]) == (unit, line, target, way, allotted)
        if b.unit[k] < 0 or alike:
            b.unit[k], b.line[k], b.target[k], b.key[k], b.later[k] = unit, line, target, way, allotted
            b.attacks[k] += number
            return
    raise LookupError("no room for further hits")


def waiting(g: BattleCore, target: int) -> list[int]:
    """The rows of ``blows`` with hits on a unit that are not allotted yet."""
    b = g.blows
    return [
        k for k in range(len(b.unit)) if b.unit[k] >= 0 and b.target[k] == target and b.attacks[k] and not b.later[k]
    ]


def allotted_to(g: BattleCore, unit: int) -> int:
    """The number of hits that are allotted to a unit."""
    b = g.blows
    return int(sum(b.attacks[k] for k in range(len(b.unit)) if b.unit[k] >= 0 and b.later[k] and b.target[k] == unit))


def allot(g: BattleCore, target: int, unit: int) -> None:
    """Allot the next waiting hit on ``target`` to ``unit``."""
    b, k = g.blows, waiting(g, target)[0]
    b.attacks[k] -= 1
    wait(g, b.unit[k], unit, b.line[k], 1, b.key[k], True)


def take_allotted(g: BattleCore) -> list[tuple[int, int, int]]:
    """Take all allotted hits from ``blows``: line of the shooter, unit that takes them, number."""
    b, found = g.blows, list[tuple[int, int, int]]()
    for k in range(len(b.unit)):
        if b.unit[k] >= 0 and b.attacks[k]:
            found.append((b.line[k], b.target[k], b.attacks[k]))
        b.unit[k] = b.line[k] = b.target[k] = -1
        b.attacks[k] = b.key[k] = b.later[k] = 0
    return found


class Allot(Procedure):
    """The player of the unit that is hit allots the hits one by one. Hits of shots are then resolved; those of impacts
    stay in ``blows``.
    """

    UNIT = integer(row_of("units"))
    TARGET = integer(row_of("units"))
    WAY = integer(amount())
    WHY = integer(between(LOOKS_OUT, IMPACTS))
    asks = ("take-hit",)

    def advance(self, g: BattleCore, f: int) -> int:
        target, why = g.stack[f + Allot.TARGET], g.stack[f + Allot.WHY]
        while waiting(g, target):
            takers = Allot.takers(g, f)
            if why != LOOKS_OUT and len(takers) == 1:
                allot(g, target, takers[0])
                continue
            if why == LOOKS_OUT and not takers:
                allot(g, target, target)
                continue
            return g.ask(TakeHit, g.units.owner[target], target)
        if why == IMPACTS:
            return g.pop()
        self.resolve(g, f)
        return GO

    @staticmethod
    def shooter(g: BattleCore, f: int) -> int:
        """The unit whose hits are allotted."""
        return int(g.stack[f + Allot.UNIT])

    @staticmethod
    def target(g: BattleCore, f: int) -> int:
        """The unit that was hit."""
        return int(g.stack[f + Allot.TARGET])

    @staticmethod
    def looks_out(g: BattleCore, f: int) -> bool:
        """Whether units look out for a lone character."""
        return bool(g.stack[f + Allot.WHY] == LOOKS_OUT)

    @staticmethod
    def takers(g: BattleCore, f: int) -> list[int]:
        """The rows that may take the next hit.

        For a lone character these are the units that look out for him. For a small unit, its soldiers and each
        character, so that no model takes a second hit before all have taken one (wap.character.shooting.few-left).
        Models in a challenge take no impact hits (wap.challenge.fight.protected).
        """
        target, why = g.stack[f + Allot.TARGET], g.stack[f + Allot.WHY]
        if why == LOOKS_OUT:
            return looking_out(g, target)
        heads = {row: models for row, models in heads_in(g, target).items() if why == SHARED or g.units.duel[row] < 0}
        rounds = sum(allotted_to(g, row) for row in heads) // sum(heads.values()) + 1
        return [row for row, models in heads.items() if allotted_to(g, row) < rounds * models]

    @staticmethod
    def resolve(g: BattleCore, f: int) -> None:
        """Resolve all allotted hits, those on the target itself first."""
        stack = g.stack
        unit, target, way = stack[f + Allot.UNIT], stack[f + Allot.TARGET], stack[f + Allot.WAY]
        found: dict[int, list[tuple[int, Hit]]] = {}
        for line, row, number in take_allotted(g):
            found.setdefault(row, []).append((number, hit_of(g, line, weapon_in(g, unit, way), row)))
        g.pop()
        block = block_of(g, unit)
        side = side_shot(g, block, target)
        sides = {
            row: side if row == target or row in joined_to(g, target) else side_shot(g, block, row) for row in found
        }
        for row in sorted(found, key=lambda row: row != target):
            if g.units.alive[row]:
                take_hits(g, row, found[row], sides[row], block)


class TakeHit(DecisionKind):
    name = "take-hit"
    what = (
        "Who takes the next hit of shots or impacts: which unit looks out for a lone character, or which character, "
        "or the soldiers, of a small unit; done: himself."
    )
    policy = "The nearest unit, and soldiers before characters."
    keys = (
        "wap.character.lone.look-out-sir", "wap.character.shooting.few-left", "wap.special.mixed-unit.shooting",
        "wap.special.impact-hits.distribution", "wap.machine.shot-at.mixed-crew",
    )  # fmt: skip
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        at = g.setup.space.own - g.players.first_unit[g.units.owner[g.stack[f + Allot.TARGET]]]
        for row in Allot.takers(g, f):
            mask[at + row] = True
        mask[0] = g.stack[f + Allot.WHY] == LOOKS_OUT

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        target = g.stack[f + Allot.TARGET]
        row = g.players.first_unit[g.units.owner[target]] + action - g.setup.space.own if action else target
        if action and g.stack[f + Allot.WHY] == LOOKS_OUT:
            row = row if is_warned(g, target, row) else target
        allot(g, target, row)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        takers = Allot.takers(g, f)
        first = g.players.first_unit[g.units.owner[g.stack[f + Allot.TARGET]]]
        return int(g.setup.space.own + takers[0] - first)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return f"{g.setup.names['units'][g.stack[f + Allot.TARGET]]} takes the hit"
        return (
            f"{g.default_words(action)} looks out"
            if g.stack[f + Allot.WHY] == LOOKS_OUT
            else f"{g.default_words(action)} takes the hit"
        )
