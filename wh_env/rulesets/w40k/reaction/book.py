"""The Stratagems of an edition as data, who may use which of them now, and paying for them (stratagem.*).

Rows of ``rules["stratagem_costs"]`` change what one costs: mappings with ``stratagem`` (its name), ``operation`` (of ``modified``),
``amount`` and, where it is narrower, ``player``. ``rules["stratagems"]`` says by name how each is played: ``ask`` (its player decides), ``delegate`` (the policy documented at
its decision does) or ``off``. What is not named is asked; the re-roll for Command points, which would interrupt every roll, is off at
squad detail unless it is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.modified import modified

ASK, DELEGATE, OFF = "ask", "delegate", "off"
MODES = (ASK, DELEGATE, OFF)
PHASES = 16  # numbers that a phase may have


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
    (none: in any) it can be used, and whether only once a turn or once a battle."""

    name: str
    category: Category | None
    cp: int
    turn: Whose
    phases: tuple[int, ...] = ()
    once_per_turn: bool = False
    once_per_battle: bool = False


def bits(stratagems: Iterable[int]) -> int:
    """The bits of some Stratagems, as in ``players.used`` and ``players.used_turn``."""
    return sum(1 << stratagem for stratagem in stratagems)


@dataclass(frozen=True)
class StratagemBook:
    """The Stratagems of an edition.

    Attributes:
        table: what each of them is, by its number. offered: by moment, in the order in which they are asked.
        reroll: the one that makes a roll again. steadfast: those that affect a unit whatever its nerves.
        names: numbers by name. most: the highest cost. every: bits of all.
        masks: by moment, the bits of those offered. could: of those that can be used, by phase, whether it is the own turn, CP at hand.
    """

    table: Mapping[int, Entry]
    offered: Mapping[Moment, tuple[int, ...]]
    reroll: int | None = None
    steadfast: int = 0
    names: Mapping[str, int] = field(init=False)
    most: int = field(init=False)
    every: int = field(init=False)
    masks: tuple[int, ...] = field(init=False)
    could: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = field(init=False)

    def __post_init__(self) -> None:
        table = self.table
        most = max((entry.cp for entry in table.values()), default=0)

        def when(phase: int, whose: Whose) -> tuple[int, ...]:
            then = {
                s: e
                for s, e in table.items()
                if (not e.phases or phase in e.phases) and e.turn in (Whose.EITHER, whose)
            }
            return tuple(bits(s for s, e in then.items() if e.cp <= cp) for cp in range(most + 1))

        worked_out = {
            "names": {entry.name: stratagem for stratagem, entry in table.items()},
            "most": most,
            "every": bits(table),
            "masks": tuple(bits(self.offered.get(moment, ())) for moment in Moment),
            "could": tuple((when(phase, Whose.OPPONENTS), when(phase, Whose.OWN)) for phase in range(PHASES)),
        }
        for name, value in worked_out.items():
            object.__setattr__(self, name, value)

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

    def available(self, g: BattleCore, player: int) -> int:
        """Bits of the Stratagems that the player could use now, going by CP, phase, turn and what was used already."""
        if g.setup.rules.get("stratagem_costs"):
            return self._at_changed_costs(g, player)
        players, clock = g.players, g.clock
        cp = players.cp[player]
        if cp <= 0:
            return 0
        could = self.could[clock.phase[0]][clock.turn[0] == player][cp if cp < self.most else -1]
        used = players.used[player] | players.used_turn[player] | players.used_battle[player]
        return int(could & g.setup.statics["stratagems"] & ~used)

    def _at_changed_costs(self, g: BattleCore, player: int) -> int:
        """The same where rules of the battle change what Stratagems cost."""
        players, clock = g.players, g.clock
        could = self.could[clock.phase[0]][clock.turn[0] == player][-1] & g.setup.statics["stratagems"]
        could &= ~(players.used[player] | players.used_turn[player] | players.used_battle[player])
        return bits(s for s in self.table if could >> s & 1 and self.cost(g, player, s) <= players.cp[player])

    def cost(self, g: BattleCore, player: int, stratagem: int) -> int:
        """What the Stratagem costs the player now: no less than 0 (stratagem-cost.order, .minimum)."""
        entry = self.table[stratagem]
        changes = [
            (row["operation"], row["amount"])
            for row in g.setup.rules.get("stratagem_costs", ())
            if row["stratagem"] == entry.name and row.get("player", player) == player
        ]
        return modified(entry.cp, changes, 0) or 0

    def can_use(self, g: BattleCore, player: int, stratagem: int, unit: int) -> bool:
        """Whether the player could use the Stratagem now on their unit."""
        return bool(self.available(g, player) >> stratagem & 1) and self.affects(g, stratagem, unit)

    def affects(self, g: BattleCore, stratagem: int, unit: int) -> bool:
        """Whether the player of the unit can affect it with the Stratagem: not while it is shocked
        (command.battle-shock.stratagems)."""
        return not g.units.shocked[unit] or bool(self.steadfast >> stratagem & 1)

    def pay(self, g: BattleCore, player: int, stratagem: int, unit: int) -> None:
        """The player uses the Stratagem on their unit: its CP are gone and it is used up for this phase (or turn)."""
        entry, players = self.table[stratagem], g.players
        players.cp[player] -= self.cost(g, player, stratagem)
        players.used[player] |= 1 << stratagem
        if entry.once_per_turn:
            players.used_turn[player] |= 1 << stratagem
        if entry.once_per_battle:
            players.used_battle[player] |= 1 << stratagem
        if g.recorder is not None:
            g.tell(f"stratagem.{entry.name}", "Stratagem", player=player, unit=unit, cp=players.cp[player])


NO_STRATAGEMS = StratagemBook({}, {})
