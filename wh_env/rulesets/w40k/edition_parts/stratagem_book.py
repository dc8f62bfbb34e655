"""The Stratagems of an edition as data, who may use which of them now, and paying for them (stratagem.*).

Rows of ``rules["stratagem_costs"]`` change what one costs: mappings with ``stratagem`` (its name) or ``faction`` (all that have this one), ``operation``
(of ``modified``), ``amount`` and, where it is narrower, ``player``. ``rules["stratagems"]`` says by name how each is played: ``ask`` (its player decides), ``delegate`` (the policy documented at
its decision does) or ``off``. What is not named is asked; the re-roll for Command points, which would interrupt every roll, is off at
squad detail unless it is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.codes import Freedom
from wh_env.rulesets.w40k.edition_parts.prices import GRATIS, SAVED
from wh_env.rulesets.w40k.modified import modified

ASK, DELEGATE, OFF = "ask", "delegate", "off"
MODES = (ASK, DELEGATE, OFF)
PHASES = 16  # numbers that a phase may have
FREED = int(Freedom.STRATAGEM_FREED)


class Moment(IntEnum):
    """When Stratagems can be used; most are moments of a unit."""

    STARTS_MOVE = 0  # its kind is declared, the Advance roll made, nobody has moved
    STARTS_CHARGE = 1  # the Charge roll is sufficient, nobody has moved
    ENDS_MOVE = 2
    ENDS_CHARGE = 3
    SET_UP = 4  # in the Movement or Charge phase
    TARGETS_SELECTED = 5
    MOVEMENT_ENDS = 6  # of no unit
    BETWEEN_SHOOTERS = 7  # of no unit
    TEST_FAILED = 8  # a test that shocks
    SELECTED_TO_FIGHT = 9
    HAS_FOUGHT = 10
    BEFORE_MORALE_TEST = 11
    DECLARES_CHARGE = 12  # its targets are declared, nothing was rolled
    SELECTED_TO_MOVE = 13
    WRECKED = 14  # a TRANSPORT is destroyed, nobody has got out of it
    BEFORE_BATTLE = 15  # of no unit, and of no phase
    ROUND_ENDS = 16  # of no unit: a battle round is over, no phase of the next one has begun


class Category(Enum):
    """Kinds of Stratagems that other rules may refer to (stratagem.categories)."""

    BATTLE_TACTIC = "Battle Tactic"
    EPIC_DEED = "Epic Deed"
    STRATEGIC_PLOY = "Strategic Ploy"
    WARGEAR = "Wargear"


class Whose(Enum):
    """In whose turn a Stratagem can be used (stratagem.turn-marks)."""

    EITHER = "either"
    OWN = "own"
    OPPONENTS = "opponent's"


@dataclass(frozen=True)
class Entry:
    """One Stratagem: its name (also in ``rules["stratagems"]``), category (``None``: the edition has none), cost, in whose turn and in which phases
    (none: in any) it can be used, whether only once a turn or once a battle, and the factions whose Stratagem it is (none: anybody's)."""

    name: str
    category: Category | None
    cp: int
    turn: Whose
    phases: tuple[int, ...] = ()
    once_per_turn: bool = False
    once_per_battle: bool = False
    factions: tuple[str, ...] = ()

    def meant(self, row: Mapping[str, Any]) -> bool:
        """Whether a row of ``rules["stratagem_costs"]`` speaks of it."""
        return row.get("stratagem") == self.name or row.get("faction") in self.factions


# of a player: by phase, whether it is the own turn, CP at hand, bits of Stratagems
Could = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
Users = tuple[tuple[int, tuple[int, ...]], ...]  # players, and bits of Stratagems by CP at hand
Windows = tuple[tuple[tuple[Users, Users], ...], ...]  # by moment, phase and whose turn it is


def bits(stratagems: Iterable[int]) -> int:
    """The bits of some Stratagems, as in ``players.used`` and ``players.used_turn``."""
    return sum(1 << stratagem for stratagem in stratagems)


def saved_for_some(g: BattleCore, player: int) -> bool:
    """Whether an ability makes the player's next Stratagem cheaper for some unit."""
    for power in g.setup.statics["powers"]["free"]:
        if power.owner == player:
            k = power.models[0]
            if g.models.on_table[k] and not g.units.marks[g.models.unit[k]] & FREED:
                return True
    return False


def gratis(g: BattleCore, player: int, unit: int = -1, name: str = "") -> list[Any]:
    """Abilities (``Power``) that make a Stratagem (of that name) free, for the unit whose models have it (-1: for any that is not
    destroyed)."""
    m, marks = g.models, g.units.marks
    found = []
    for power in g.setup.statics["powers"]["gratis"]:
        stratagem, once = GRATIS[power.effect]
        own = [m.unit[k] for k in power.models if m.alive[k]]
        if power.owner != player or (name and name != stratagem) or not own or (unit >= 0 and unit not in own):
            continue
        if not once or not any(marks[u] & FREED for u in units_bearing(g, power)):
            found.append(power)
    return found


def units_bearing(g: BattleCore, power: Any) -> set[int]:
    """Units in which models fight that have the ability or another one of its name."""
    every = (p for hook in ("free", "gratis") for p in g.setup.statics["powers"][hook])
    return {g.models.unit[k] for p in every if p.name == power.name and p.owner == power.owner for k in p.models}


def usable(g: BattleCore, player: int, could: tuple[int, ...]) -> int:
    """Bits of the Stratagems that the player could use, of those that there is CP for (``could``, by CP at hand): not those that were used
    already, and any for which no CP are needed."""
    players = g.players
    used = players.used[player] | players.used_turn[player] | players.used_battle[player]
    free = again = 0
    if g.setup.statics["powers"]["gratis"]:
        names = g.setup.ruleset.stratagems.names  # type: ignore[attr-defined]
        for power in gratis(g, player):
            stratagem, once = GRATIS[power.effect]
            free |= 1 << names[stratagem]
            again |= 0 if once else 1 << names[stratagem]
    most: int = could[-1] & ~(used & ~again)
    cp = players.cp[player]
    if not most or cp >= len(could):
        return most
    left: int = most & (could[cp] | free)
    if left != most and saved_for_some(g, player):
        left |= most & could[min(cp + SAVED, len(could) - 1)]
    return left


@dataclass(frozen=True)
class StratagemBook:
    """The Stratagems of an edition.

    Attributes:
        table: what each of them is, by its number. offered: by moment, in the order in which they are asked.
        reroll: the one that makes a roll again. steadfast: those that affect a unit whatever its nerves.
        names: numbers by name. every: bits of all. masks: by moment, the bits of those offered.
    """

    table: Mapping[int, Entry]
    offered: Mapping[Moment, tuple[int, ...]]
    reroll: int | None = None
    steadfast: int = 0
    names: Mapping[str, int] = field(init=False)
    every: int = field(init=False)
    masks: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        worked_out = {
            "names": {entry.name: stratagem for stratagem, entry in self.table.items()},
            "every": bits(self.table),
            "masks": tuple(bits(self.offered.get(moment, ())) for moment in Moment),
        }
        for name, value in worked_out.items():
            object.__setattr__(self, name, value)

    def entries(self, rules: Mapping[str, Any]) -> Mapping[int, Entry]:
        """What each of them is under these rules."""
        return self.table

    def denied(self, rules: Mapping[str, Any], player: int) -> int:
        """Bits of those that the player has no access to under these rules."""
        return 0

    def costs(self, rules: Mapping[str, Any], player: int) -> dict[int, int]:
        """What each Stratagem costs the player under these rules, no less than 0 (stratagem-cost.order, .minimum)."""
        rows = [row for row in rules.get("stratagem_costs", ()) if row.get("player", player) == player]
        return {
            stratagem: modified(entry.cp, [(row["operation"], row["amount"]) for row in rows if entry.meant(row)], 0)
            for stratagem, entry in self.entries(rules).items()
        }

    def could(self, costs: Mapping[int, int], on: int, entries: Mapping[int, Entry] | None = None) -> Could:
        """Bits of those of ``on`` that can be used, by phase, whether it is the own turn, and CP at hand (more than the last: as the
        last)."""

        def when(phase: int, whose: Whose) -> tuple[int, ...]:
            then = [
                s
                for s, e in (self.table if entries is None else entries).items()
                if on >> s & 1 and (not e.phases or phase in e.phases) and e.turn in (Whose.EITHER, whose)
            ]
            return tuple(bits(s for s in then if costs[s] <= cp) for cp in range(max(costs.values(), default=0) + 1))

        return tuple((when(phase, Whose.OPPONENTS), when(phase, Whose.OWN)) for phase in range(PHASES))

    def statics(self, rules: Mapping[str, Any]) -> dict[str, Any]:
        """What follows from the rules of a battle: ``stratagems``, bits of those in play; by player ``stratagem_costs``; ``could_use``, what
        ``could`` says by phase, whose turn it is, and player; and ``windows``."""
        on = self.switched_on(rules)
        costs = tuple(self.costs(rules, player) for player in (0, 1))
        entries = self.entries(rules)
        first, second = (self.could(c, on & ~self.denied(rules, p), entries) for p, c in enumerate(costs))
        use = tuple(
            tuple((first[phase][turn == 0], second[phase][turn == 1]) for turn in (0, 1)) for phase in range(PHASES)
        )
        return {"stratagems": on, "stratagem_costs": costs, "could_use": use, "windows": self.windows(use)}

    def windows(self, use: tuple[tuple[tuple[tuple[int, ...], tuple[int, ...]], ...], ...]) -> Windows:
        """By moment, phase and whose turn it is the players who could use some of what is offered then, the turn player first, and what
        by CP at hand; ``use``: ``could`` by phase, whose turn it is, and player."""

        def those_who_could(moment: Moment, phase: int, turn: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
            offered = self.masks[moment]
            could = (
                (player, tuple(offered & some for some in use[phase][turn][player])) for player in (turn, 1 - turn)
            )
            return tuple((player, some) for player, some in could if some[-1])

        return tuple(
            tuple((those_who_could(moment, phase, 0), those_who_could(moment, phase, 1)) for phase in range(PHASES))
            for moment in Moment
        )

    def mode(self, rules: Mapping[str, Any], stratagem: int) -> str:
        """How a Stratagem is played under these rules: one of ``MODES``."""
        usual = OFF if stratagem == self.reroll and rules["detail"] == "squad" else ASK
        return str(rules["stratagems"].get(self.table[stratagem].name, usual))

    def switched_on(self, rules: Mapping[str, Any]) -> int:
        """Bits of the Stratagems that are in play under these rules.

        Raises:
            ValueError: ``rules["stratagems"]`` names an unknown Stratagem or mode.
        """
        for name, how in rules["stratagems"].items():
            if name not in self.names or how not in MODES:
                raise ValueError(
                    f"stratagems: {name}: {how}; known: {', '.join(self.names)}, each {' or '.join(MODES)}"
                )
        return bits(stratagem for stratagem in self.table if self.mode(rules, stratagem) != OFF)

    def available(self, g: BattleCore, player: int, among: int = -1) -> int:
        """Bits of the Stratagems (of ``among``, bits) that the player could use now, going by CP, phase, turn and what was used already."""
        clock = g.clock
        return among & usable(g, player, g.setup.statics["could_use"][clock.phase[0]][clock.turn[0]][player])

    def can_use(self, g: BattleCore, player: int, stratagem: int, unit: int) -> bool:
        """Whether the player could use the Stratagem now on their unit; -1: on none."""
        return bool(self.available(g, player) >> stratagem & 1) and (unit < 0 or self.affects(g, stratagem, unit))

    def affects(self, g: BattleCore, stratagem: int, unit: int) -> bool:
        """Whether the player of the unit can affect it with the Stratagem: not while it is shocked
        (command.battle-shock.stratagems)."""
        if g.units.shocked[unit] and not self.steadfast >> stratagem & 1:
            return False
        powers = g.setup.statics["powers"]
        if not powers["free"] and not powers["gratis"]:
            return True
        player = g.units.owner[unit]
        if g.players.used[player] >> stratagem & 1:  # only where an ability lets it be used again
            return bool(self.gratis(g, player, stratagem, unit))
        return self.price(g, player, stratagem, unit) <= g.players.cp[player]

    def gratis(self, g: BattleCore, player: int, stratagem: int, unit: int) -> list[Any]:
        """Abilities that make the Stratagem free on the unit."""
        if unit < 0 or not g.setup.statics["powers"]["gratis"]:
            return []
        return gratis(g, player, unit, self.table[stratagem].name)

    def price(self, g: BattleCore, player: int, stratagem: int, unit: int) -> int:
        """Command points for the Stratagem on the unit, as abilities change them (-1: on none)."""
        if self.gratis(g, player, stratagem, unit):
            return 0
        cost: int = g.setup.statics["stratagem_costs"][player][stratagem]
        return max(0, cost - SAVED) if cost and self.saves(g, player, unit) else cost

    @staticmethod
    def saves(g: BattleCore, player: int, unit: int) -> bool:
        """Whether an ability makes the player's next Stratagem cheaper if it is used on the unit."""
        if not g.setup.statics["powers"]["free"]:
            return False
        return bool(g.setup.ruleset.frees(g, player, unit))  # type: ignore[attr-defined]

    def pay(self, g: BattleCore, player: int, stratagem: int, unit: int) -> None:
        """The player uses the Stratagem on their unit: its CP are gone and it is used up for this phase (or turn)."""
        entry, players = self.table[stratagem], g.players
        price, free = self.price(g, player, stratagem, unit), self.gratis(g, player, stratagem, unit)
        if free and GRATIS[free[0].effect][1]:
            g.units.marks[unit] |= FREED
        elif price != g.setup.statics["stratagem_costs"][player][stratagem] and not free:
            g.setup.ruleset.freed(g, player, unit)  # type: ignore[attr-defined]
        players.cp[player] -= price
        players.used[player] |= 1 << stratagem
        if entry.once_per_turn:
            players.used_turn[player] |= 1 << stratagem
        if entry.once_per_battle:
            players.used_battle[player] |= 1 << stratagem
        if g.recorder is not None:
            g.tell(f"stratagem.{entry.name}", "Stratagem", player=player, unit=unit, cp=players.cp[player])
        g.setup.ruleset.stratagem_used(g, player, unit)  # type: ignore[attr-defined]


NO_STRATAGEMS = StratagemBook({}, {})
