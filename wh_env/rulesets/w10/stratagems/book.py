"""The Core Stratagems as data, who may use which of them now, and paying for them (w10.stratagem.*).

``rules["stratagems"]`` says by name how each is played: ``ask`` (its player decides), ``delegate`` (the policy documented at
its decision does) or ``off``. What is not named is asked; Command Re-roll, which would interrupt every roll, is off at squad
detail unless it is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w10.codes import Phase

ASK, DELEGATE, OFF = "ask", "delegate", "off"
MODES = (ASK, DELEGATE, OFF)


class Stratagem(IntEnum):
    """Core Stratagems; bit ``1 << stratagem`` of ``players.used`` and ``players.used_turn``."""

    COMMAND_REROLL = 0
    COUNTER_OFFENSIVE = 1
    EPIC_CHALLENGE = 2
    INSANE_BRAVERY = 3
    GRENADE = 4
    TANK_SHOCK = 5
    FIRE_OVERWATCH = 6
    RAPID_INGRESS = 7
    GO_TO_GROUND = 8
    SMOKESCREEN = 9
    HEROIC_INTERVENTION = 10


class Category(Enum):
    """Kinds of Stratagems that other rules may refer to (w10.stratagem.categories)."""

    BATTLE_TACTIC = "Battle Tactic"
    EPIC_DEED = "Epic Deed"
    STRATEGIC_PLOY = "Strategic Ploy"
    WARGEAR = "Wargear"


class Whose(Enum):
    """In whose turn a Stratagem can be used (w10.stratagem.turn-marks)."""

    EITHER = "either"
    OWN = "own"
    OPPONENTS = "opponent's"


@dataclass(frozen=True)
class Entry:
    """One Stratagem: its name (also in ``rules["stratagems"]``), category, cost, in whose turn and in which phases
    (none: in any) it can be used, and whether only once a turn."""

    name: str
    category: Category
    cp: int
    turn: Whose
    phases: tuple[Phase, ...] = ()
    once_per_turn: bool = False


TABLE: dict[Stratagem, Entry] = {
    Stratagem.COMMAND_REROLL: Entry("command-re-roll", Category.BATTLE_TACTIC, 1, Whose.EITHER),
    Stratagem.COUNTER_OFFENSIVE: Entry("counter-offensive", Category.STRATEGIC_PLOY, 2, Whose.EITHER, (Phase.FIGHT,)),
    Stratagem.EPIC_CHALLENGE: Entry("epic-challenge", Category.EPIC_DEED, 1, Whose.EITHER, (Phase.FIGHT,)),
    Stratagem.INSANE_BRAVERY: Entry("insane-bravery", Category.EPIC_DEED, 1, Whose.OWN, (Phase.COMMAND,)),
    Stratagem.GRENADE: Entry("grenade", Category.WARGEAR, 1, Whose.OWN, (Phase.SHOOTING,)),
    Stratagem.TANK_SHOCK: Entry("tank-shock", Category.STRATEGIC_PLOY, 1, Whose.OWN, (Phase.CHARGE,)),
    Stratagem.FIRE_OVERWATCH: Entry(
        "fire-overwatch", Category.STRATEGIC_PLOY, 1, Whose.OPPONENTS, (Phase.MOVEMENT, Phase.CHARGE), True
    ),
    Stratagem.RAPID_INGRESS: Entry("rapid-ingress", Category.STRATEGIC_PLOY, 1, Whose.OPPONENTS, (Phase.MOVEMENT,)),
    Stratagem.GO_TO_GROUND: Entry("go-to-ground", Category.BATTLE_TACTIC, 1, Whose.OPPONENTS, (Phase.SHOOTING,)),
    Stratagem.SMOKESCREEN: Entry("smokescreen", Category.WARGEAR, 1, Whose.OPPONENTS, (Phase.SHOOTING,)),
    Stratagem.HEROIC_INTERVENTION: Entry(
        "heroic-intervention", Category.STRATEGIC_PLOY, 2, Whose.OPPONENTS, (Phase.CHARGE,)
    ),
}
BY_NAME = {entry.name: stratagem for stratagem, entry in TABLE.items()}
MOST_CP = max(entry.cp for entry in TABLE.values())


def bits(stratagems: Any) -> int:
    """The bits of some Stratagems."""
    return sum(1 << stratagem for stratagem in stratagems)


# the same table as bits: by phase and whether it is the own turn, and by the CP at hand
USABLE: tuple[tuple[int, int], ...] = tuple(
    tuple(  # type: ignore[misc]
        bits(
            s
            for s, entry in TABLE.items()
            if (not entry.phases or phase in entry.phases) and entry.turn in (Whose.EITHER, whose)
        )
        for whose in (Whose.OPPONENTS, Whose.OWN)
    )
    for phase in Phase
)
PAYABLE = tuple(bits(s for s, entry in TABLE.items() if entry.cp <= cp) for cp in range(MOST_CP + 1))


def mode(rules: Mapping[str, Any], stratagem: Stratagem) -> str:
    """How a Stratagem is played under these rules: one of ``MODES``."""
    usual = OFF if stratagem == Stratagem.COMMAND_REROLL and rules["detail"] == "squad" else ASK
    return str(rules["stratagems"].get(TABLE[stratagem].name, usual))


def switched_on(rules: Mapping[str, Any]) -> int:
    """Bits of the Stratagems that are in play under these rules.

    Raises:
        ValueError: ``rules["stratagems"]`` names an unknown Stratagem or mode.
    """
    for name, how in rules["stratagems"].items():
        if name not in BY_NAME or how not in MODES:
            raise ValueError(f"stratagems: {name}: {how}; known: {', '.join(BY_NAME)}, each {' or '.join(MODES)}")
    return bits(stratagem for stratagem in Stratagem if mode(rules, stratagem) != OFF)


def available(g: BattleCore, player: int) -> int:
    """Bits of the Stratagems that the player could use now, going by CP, phase, turn and what was used already."""
    players, clock = g.players, g.clock
    cp = players.cp[player]
    if cp <= 0:
        return 0
    usable = USABLE[clock.phase[0]][clock.turn[0] == player] & PAYABLE[cp if cp < MOST_CP else MOST_CP]
    return int(usable & g.setup.statics["stratagems"] & ~(players.used[player] | players.used_turn[player]))


def usable(g: BattleCore, player: int, stratagem: Stratagem, unit: int) -> bool:
    """Whether the player could use the Stratagem now on their unit.

    A Battle-shocked unit is affected by none but Insane Bravery (w10.command.battle-shock.stratagems).
    """
    return bool(available(g, player) >> stratagem & 1) and affects(g, stratagem, unit)


def affects(g: BattleCore, stratagem: Stratagem, unit: int) -> bool:
    """Whether the player of the unit can affect it with the Stratagem: not while it is Battle-shocked."""
    return not g.units.shocked[unit] or stratagem == Stratagem.INSANE_BRAVERY


def pay(g: BattleCore, player: int, stratagem: Stratagem, unit: int) -> None:
    """The player uses the Stratagem on their unit: its CP are gone and it is used up for this phase (or turn)."""
    entry, players = TABLE[stratagem], g.players
    players.cp[player] -= entry.cp
    players.used[player] |= 1 << stratagem
    if entry.once_per_turn:
        players.used_turn[player] |= 1 << stratagem
    if g.recorder is not None:
        g.note(f"w10.stratagem.{entry.name}", "Stratagem", player=player, unit=unit, cp=players.cp[player])
