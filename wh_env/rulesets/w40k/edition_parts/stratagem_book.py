"""The Stratagems of an edition as data, the conditions for using them, and the payment of their cost (stratagem.*).

Rows of ``rules["stratagem_costs"]`` change costs. They are mappings with ``stratagem`` (a name) or ``faction`` (all its
Stratagems), ``operation`` (of ``modified``), ``amount`` and optionally ``player``.

``rules["stratagems"]`` gives the mode of each Stratagem by name: ``ask`` (its player decides), ``delegate`` (the policy
documented at its decision decides) or ``off``. The default is ``ask``. At squad detail the default of the re-roll for
Command points is ``off``, because it would interrupt every roll.
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
PHASES = 16  # all phases have numbers below this
FREED = int(Freedom.STRATAGEM_FREED)


class Moment(IntEnum):
    """When Stratagems can be used. Most moments belong to a unit."""

    STARTS_MOVE = 0  # the kind of move is declared, the Advance roll made, no model has moved
    STARTS_CHARGE = 1  # the Charge roll is sufficient, no model has moved
    ENDS_MOVE = 2
    ENDS_CHARGE = 3
    SET_UP = 4  # in the Movement or Charge phase
    TARGETS_SELECTED = 5
    MOVEMENT_ENDS = 6  # of no unit
    BETWEEN_SHOOTERS = 7  # of no unit
    TEST_FAILED = 8  # a Battle-shock test
    SELECTED_TO_FIGHT = 9
    HAS_FOUGHT = 10
    BEFORE_MORALE_TEST = 11
    DECLARES_CHARGE = 12  # the targets are declared, the Charge roll is not made yet
    SELECTED_TO_MOVE = 13
    WRECKED = 14  # a TRANSPORT is destroyed, no unit has disembarked from it yet
    BEFORE_BATTLE = 15  # of no unit, and of no phase
    ROUND_ENDS = 16  # of no unit: a battle round is over and the next has not begun


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
    """One Stratagem.

    Attributes:
        name: also its key in ``rules["stratagems"]``.
        title: its name as players read it.
        category: ``None`` if the edition has no categories.
        cp: its cost in Command points.
        turn, phases: in whose turn and in which phases it can be used; no phases: in any.
        once_per_turn, once_per_battle: whether it can be used only once a turn or once a battle.
        factions: the factions that have it; empty: every army has it.
    """

    name: str
    title: str
    category: Category | None
    cp: int
    turn: Whose
    phases: tuple[int, ...] = ()
    once_per_turn: bool = False
    once_per_battle: bool = False
    factions: tuple[str, ...] = ()

    def meant(self, row: Mapping[str, Any]) -> bool:
        """Whether a row of ``rules["stratagem_costs"]`` applies to this Stratagem."""
        return row.get("stratagem") == self.name or row.get("faction") in self.factions


# bits of the Stratagems that one player could use, indexed by phase, whether it is the player's own turn, and CP
Could = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
Users = tuple[tuple[int, tuple[int, ...]], ...]  # pairs: player, and bits of Stratagems by CP
Windows = tuple[tuple[tuple[Users, Users], ...], ...]  # by moment, phase and whose turn it is


def bits(stratagems: Iterable[int]) -> int:
    """The bits of some Stratagems, as in ``players.used`` and ``players.used_turn``."""
    return sum(1 << stratagem for stratagem in stratagems)


def saved_for_some(g: BattleCore, player: int) -> bool:
    """Whether an ability makes the player's next Stratagem cheaper if it is used on some unit."""
    for power in g.setup.statics["powers"]["free"]:
        if power.owner == player:
            k = power.models[0]
            if g.models.on_table[k] and not g.units.marks[g.models.unit[k]] & FREED:
                return True
    return False


def gratis(g: BattleCore, player: int, unit: int = -1, name: str = "") -> list[Any]:
    """Abilities (``Power``) of the player that make a Stratagem free on ``unit`` (-1: on any unit).

    ``name``: the Stratagem, "" for any. A model that is not destroyed must have the ability.
    """
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
    """Rows of the units of models that have ``power`` or, for the same player, another ability with the same name."""
    every = (p for hook in ("free", "gratis") for p in g.setup.statics["powers"][hook])
    return {g.models.unit[k] for p in every if p.name == power.name and p.owner == power.owner for k in p.models}


def usable(g: BattleCore, player: int, could: tuple[int, ...]) -> int:
    """Bits of the Stratagems that the player can use now. ``could``: bits of the Stratagems of this phase, by CP.

    Stratagems that were used already are left out, except where an ability lets the player use one again. Free
    Stratagems need no CP.
    """
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
        table: the entry of each Stratagem, by its number.
        offered: by moment the Stratagems in the order in which the player is asked.
        reroll: the Stratagem that re-rolls dice, ``None`` if there is none.
        steadfast: bits of those that can affect a Battle-shocked unit.
        names: numbers by name.
        every: bits of all Stratagems.
        masks: by moment the bits of those offered.
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
        """The entry of each Stratagem under these rules, by number."""
        return self.table

    def denied(self, rules: Mapping[str, Any], player: int) -> int:
        """Bits of the Stratagems that the player cannot use under these rules."""
        return 0

    def costs(self, rules: Mapping[str, Any], player: int) -> dict[int, int]:
        """The CP that each Stratagem costs the player by these rules, at least 0 (stratagem-cost.order, .minimum)."""
        rows = [row for row in rules.get("stratagem_costs", ()) if row.get("player", player) == player]
        return {
            stratagem: modified(entry.cp, [(row["operation"], row["amount"]) for row in rows if entry.meant(row)], 0)
            for stratagem, entry in self.entries(rules).items()
        }

    def could(self, costs: Mapping[int, int], on: int, entries: Mapping[int, Entry] | None = None) -> Could:
        """Bits of the Stratagems of ``on`` that can be used, indexed by phase, whether it is the player's own turn, and
        CP. The last entry holds for all higher CP, too.
        """

        def when(phase: int, whose: Whose) -> tuple[int, ...]:
            then = [
                s
                for s, e in (self.table if entries is None else entries).items()
                if on >> s & 1 and (not e.phases or phase in e.phases) and e.turn in (Whose.EITHER, whose)
            ]
            return tuple(bits(s for s in then if costs[s] <= cp) for cp in range(max(costs.values(), default=0) + 1))

        return tuple((when(phase, Whose.OPPONENTS), when(phase, Whose.OWN)) for phase in range(PHASES))

    def statics(self, rules: Mapping[str, Any]) -> dict[str, Any]:
        """Facts about Stratagems that follow from the rules of a battle: ``stratagems``, bits of those in play;
        ``stratagem_costs`` by player; ``could_use``, the bits of ``could`` by phase, turn player and player; and
        ``windows``.
        """
        on = self.switched_on(rules)
        costs = tuple(self.costs(rules, player) for player in (0, 1))
        entries = self.entries(rules)
        first, second = (self.could(c, on & ~self.denied(rules, p), entries) for p, c in enumerate(costs))
        use = tuple(
            tuple((first[phase][turn == 0], second[phase][turn == 1]) for turn in (0, 1)) for phase in range(PHASES)
        )
        return {"stratagems": on, "stratagem_costs": costs, "could_use": use, "windows": self.windows(use)}

    def windows(self, use: tuple[tuple[tuple[tuple[int, ...], tuple[int, ...]], ...], ...]) -> Windows:
        """The players who could use a Stratagem, by moment, phase and turn player, the turn player first. Each comes
        with the bits of the offered Stratagems by CP. ``use``: bits of ``could`` by phase, turn player and player.
        """

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
        """Bits of the Stratagems that the player could use now by CP, phase, turn and earlier uses. ``among``: bits to
        choose from.
        """
        clock = g.clock
        return among & usable(g, player, g.setup.statics["could_use"][clock.phase[0]][clock.turn[0]][player])

    def can_use(self, g: BattleCore, player: int, stratagem: int, unit: int) -> bool:
        """Whether the player could use the Stratagem now on ``unit`` (-1: on no unit)."""
        return bool(self.available(g, player) >> stratagem & 1) and (unit < 0 or self.affects(g, stratagem, unit))

    def affects(self, g: BattleCore, stratagem: int, unit: int) -> bool:
        """Whether the player of the unit can use the Stratagem on it: not while it is Battle-shocked, and only if its
        price on this unit can be paid (command.battle-shock.stratagems).
        """
        if g.units.shocked[unit] and not self.steadfast >> stratagem & 1:
            return False
        powers = g.setup.statics["powers"]
        if not powers["free"] and not powers["gratis"]:
            return True
        player = g.units.owner[unit]
        if g.players.used[player] >> stratagem & 1:  # only an ability lets the player use it again
            return bool(self.gratis(g, player, stratagem, unit))
        return self.price(g, player, stratagem, unit) <= g.players.cp[player]

    def gratis(self, g: BattleCore, player: int, stratagem: int, unit: int) -> list[Any]:
        """Abilities that make the Stratagem free on the unit."""
        if unit < 0 or not g.setup.statics["powers"]["gratis"]:
            return []
        return gratis(g, player, unit, self.table[stratagem].name)

    def price(self, g: BattleCore, player: int, stratagem: int, unit: int) -> int:
        """Command points that the Stratagem costs on the unit (-1: on none), as abilities change them."""
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
        """Pay the CP for a Stratagem on the unit (-1: on none) and mark it as used in this phase, and in this turn or
        battle.
        """
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
