"""Combats of the assault phase: pairing off, their order, 2D6 + Assault Factor (epic.assault.pairing, .combat-roll)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of, row_of
from wh_env.core.procedures import STEP, DecisionKind, Procedure, Steps, integer
from wh_env.rulesets.epic.assault.pairing import Touching, choices, group_of, touching
from wh_env.rulesets.epic.basics.contact import eliminate, refresh_contacts
from wh_env.rulesets.epic.event_fields import both_sides

NOBODY, LEFT_OVER = -1, -2  # columns ``models.paired`` and ``.joined``


def contacts_of(g: BattleCore) -> Touching:
    """The enemies that each unit touches; the units of the player with the south edge come first."""
    found = touching(g.models.rows, g.work.pairs)
    south = g.clock.attacker[0]
    return {k: found[k] for k in sorted(found, key=lambda k: (g.models.owner[k] != south, k))}


class Combats(Procedure):
    """All combats of the phase: units are paired off, units left over join a combat, then the combats are fought one by
    one.
    """

    class Step(Steps):
        PAIR, JOIN, ORDER, END = range(4)

    UNIT = integer(row_of("models"))  # that is asked about
    asks = ("pair-off", "join-combat", "next-combat")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Combats.Step
        stack, m = g.stack, g.models
        if stack[f + STEP] == Step.PAIR:
            if not m.rows["contact"].any():
                return g.pop()
            unit = next_to_pair(g)
            if unit >= 0:
                stack[f + Combats.UNIT] = unit
                return g.ask(PairOff, m.owner[unit], m.unit[unit])
            stack[f + STEP] = Step.JOIN
        if stack[f + STEP] == Step.JOIN:
            unit = next_to_join(g)
            if unit >= 0:
                stack[f + Combats.UNIT] = unit
                return g.ask(JoinCombat, m.owner[unit], m.unit[unit])
            stack[f + STEP] = Step.ORDER
        if stack[f + STEP] == Step.ORDER:
            if combats_left(g):
                return g.ask(NextCombat, g.clock.initiative[0])
            m.rows["paired"] = m.rows["joined"] = NOBODY
            m.rows["fought"] = 0
            refresh_contacts(g)
        return g.pop()


# ---------------------------------------------------------------- pairing off


def chooser(g: BattleCore, group: set[int]) -> int:
    """The player who pairs off a group of touching units: the one with more of them; if equal, the one with the
    initiative.
    """
    own = sum(1 if g.models.owner[k] == 0 else -1 for k in group)
    return g.clock.initiative[0] if own == 0 else int(own < 0)


def undecided(g: BattleCore, contacts: Touching, unit: int) -> list[int]:
    """The units of this unit's group that are neither paired nor left over and belong to the group's chooser."""
    m = g.models
    group = group_of(contacts, unit)
    player = chooser(g, group)
    return [k for k in sorted(group) if m.owner[k] == player and m.paired[k] == NOBODY]


def next_to_pair(g: BattleCore) -> int:
    """The next unit that needs a partner; -1 when all are paired or left over."""
    contacts = contacts_of(g)
    for unit in contacts:
        left = undecided(g, contacts, unit)
        if left:
            return left[0]
    return -1


def partners(g: BattleCore, unit: int) -> tuple[list[int], bool]:
    """(enemies, free): the enemies that the unit can be paired with, and whether it can be left over."""
    m = g.models
    contacts = contacts_of(g)
    taken = {k for k in contacts if m.paired[k] >= 0}
    return choices(contacts, unit, undecided(g, contacts, unit), taken)


class PairOff(DecisionKind):
    name = "pair-off"
    what = "With which enemy in contact (by number) a unit is paired off; done: it is one of those that are left over."
    policy = "The first enemy that it can be paired with."
    keys = ("epic.assault.pairing",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        enemies, left_over = partners(g, g.stack[f + Combats.UNIT])
        for n in range(len(enemies)):
            mask[g.setup.space.number + n] = True
        mask[0] = left_over

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, m = g.stack[f + Combats.UNIT], g.models
        if action == 0:
            m.paired[unit] = LEFT_OVER
            return
        enemy = partners(g, unit)[0][action - g.setup.space.number]
        m.paired[unit], m.paired[enemy] = enemy, unit

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, names = g.stack[f + Combats.UNIT], g.setup.names["models"]
        if action == 0:
            return f"{names[unit]} is left over"
        return f"{names[unit]} against {names[partners(g, unit)[0][action - g.setup.space.number]]}"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        first = g.setup.space.number
        return first if mask[first] else 0


def next_to_join(g: BattleCore) -> int:
    """The next unit left over that has not joined a combat, -1 if there is none."""
    m = g.models
    return next((k for k in contacts_of(g) if m.paired[k] < 0 and m.joined[k] == NOBODY), -1)


def enemies_to_join(g: BattleCore, unit: int) -> list[int]:
    """The paired enemies that a left-over unit touches: it can join the combat of any of them."""
    return [k for k in contacts_of(g)[unit] if g.models.paired[k] >= 0]


class JoinCombat(DecisionKind):
    name = "join-combat"
    what = "To which combat a surplus unit is added: that of one of the enemies it touches (by number)."
    keys = ("epic.assault.pairing",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for n in range(len(enemies_to_join(g, g.stack[f + Combats.UNIT]))):
            mask[g.setup.space.number + n] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Combats.UNIT]
        g.models.joined[unit] = enemies_to_join(g, unit)[action - g.setup.space.number]

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, names = g.stack[f + Combats.UNIT], g.setup.names["models"]
        return f"{names[unit]} joins against {names[enemies_to_join(g, unit)[action - g.setup.space.number]]}"


# ---------------------------------------------------------------- fighting


def fighters(g: BattleCore, alone: int) -> list[int]:
    """The enemies of unit ``alone`` in its combat: its partner and the units that joined against it."""
    m = g.models
    return [m.paired[alone], *(k for k, enemy in enumerate(m.joined) if enemy == alone)]


def combats_left(g: BattleCore) -> list[int]:
    """The combats that are yet to be fought, in row order, each as the row of the unit that fights alone in it.

    In a combat of one against one it is the unit of the player with the south edge. Its dice are rolled first.
    """
    m, south = g.models, g.clock.attacker[0]
    found = []
    for unit, enemy in enumerate(m.paired):
        if enemy < 0 or m.owner[unit] != south or m.fought[unit]:
            continue
        alone = enemy if any(k == enemy for k in m.joined) else unit
        found.append(alone)
    return found


class NextCombat(DecisionKind):
    name = "next-combat"
    what = "Which combat is fought next (by number); the player with the initiative decides."
    keys = ("epic.assault.order-of-combats",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        for n in range(min(space.numbers, len(combats_left(g)))):
            mask[space.number + n] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.push(Combat, combats_left(g)[action - g.setup.space.number])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        names = g.setup.names["models"]
        alone = combats_left(g)[action - g.setup.space.number]
        return f"{names[alone]} against {', '.join(names[k] for k in fighters(g, alone))}"


class Combat(Procedure):
    """One combat: a unit fights its enemies one after the other until it is eliminated. Each later enemy rolls one die
    more (epic.assault.outnumbering).
    """

    ALONE = integer(row_of("models"))  # the unit that fights alone
    FOUGHT = integer(count_of("models"))  # how many it fought
    asks = ("next-opponent",)

    def advance(self, g: BattleCore, f: int) -> int:
        stack, m = g.stack, g.models
        alone = stack[f + Combat.ALONE]
        if m.on_table[alone] and opponents_left(g, alone):
            enemy = m.owner[opponents_left(g, alone)[0]]
            return g.ask(NextOpponent, enemy, m.unit[alone])
        m.fought[alone] = 1
        for k in fighters(g, alone):
            m.fought[k] = 1
        return g.pop()


def opponents_left(g: BattleCore, alone: int) -> list[int]:
    """The enemies of unit ``alone`` in its combat that have not fought it yet."""
    return [k for k in fighters(g, alone) if not g.models.fought[k]]


class NextOpponent(DecisionKind):
    name = "next-opponent"
    what = "Which of several units (by number) fights the one enemy next: his player decides."
    policy = "The weakest first: those that come later have more dice."
    keys = ("epic.assault.pairing", "epic.assault.outnumbering")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for n in range(len(opponents_left(g, g.stack[f + Combat.ALONE]))):
            mask[g.setup.space.number + n] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        alone = g.stack[f + Combat.ALONE]
        enemy = opponents_left(g, alone)[action - g.setup.space.number]
        g.models.fought[enemy] = 1
        fight(g, alone, enemy, g.setup.rules["assault"]["dice"] + g.stack[f + Combat.FOUGHT])
        g.stack[f + Combat.FOUGHT] += 1

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        alone, names = g.stack[f + Combat.ALONE], g.setup.names["models"]
        return f"{names[opponents_left(g, alone)[action - g.setup.space.number]]} fights {names[alone]}"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        enemies = opponents_left(g, g.stack[f + Combat.ALONE])
        weakest = min(range(len(enemies)), key=lambda n: (g.models.assault[enemies[n]], n))
        return g.setup.space.number + weakest


def assault_factor(g: BattleCore, k: int) -> int:
    """The Assault Factor of a unit, with its change in retreat (epic.assault.retreating-factor)."""
    factor = g.models.assault[k]
    if g.units.retreating[g.models.unit[k]]:
        factor += g.setup.rules["retreat"]["assault_factor"]
    return int(factor)


def fight(g: BattleCore, unit: int, enemy: int, dice: int) -> None:
    """Fight one combat; ``enemy`` rolls ``dice`` dice. The loser is eliminated without a save; a tie changes
    nothing.
    """
    own = g.roll(g.setup.rules["assault"]["dice"], 6, assault_factor(g, unit))
    theirs = g.roll(dice, 6, assault_factor(g, enemy))
    loser = NOBODY if own == theirs else enemy if own > theirs else unit
    if g.recorder is not None:
        rule = "epic.assault.combat-roll" if own != theirs else "epic.assault.tie"
        results = {"result": own, "against": theirs, "dice_count": dice, "loser": loser}
        g.note(rule, "combat", **both_sides(g, unit, enemy), **results)
    if loser != NOBODY:
        eliminate(g.models.rows, g.units.rows, loser)
