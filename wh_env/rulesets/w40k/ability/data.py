"""Choices of abilities as data: when a player chooses, among what, and how long the mark lasts."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from wh_env.core.tables import Array

# In this order: before the owner's Command phase; before either Command phase; before the Fight phase; after a unit's
# ranged attacks; before the first battle round; after a Charge move; before the end of an opponent's turn; when a unit
# has declared attacks: choice of its player; the same: choice of the targets' player; after an enemy unit has moved;
# after a unit's melee attacks; when a friendly model near a bearer is destroyed, and as a turn begins for bearers that
# have lost wounds: at these two all units that qualify are marked and no player is asked.
MOMENTS = (
    "command",
    "any command",
    "fight",
    "shot",
    "battle",
    "charged",
    "turn end",
    "attacks",
    "targeted",
    "enemy moved",
    "fought",
    "friend destroyed",
    "turn begins",
)
OF_A_UNIT = ("shot", "charged", "attacks", "fought")  # moments of a unit at which its player chooses
OF_AN_ENEMY = ("targeted", "enemy moved")  # moments of a unit at which its opponent chooses
WHOM = ("enemy", "friend", "itself", "army")
# effects that change only units in this state (``conditions.STATES``)
USEFUL = {"heal": "wounded", "return D3": "below Starting Strength", "return D3+3": "below Starting Strength"}
# attacks: until the unit that attacks now has made its attacks; command: until the owner's next Command phase
LASTS = ("attacks", "phase", "turn", "command", "battle")


@dataclass(frozen=True)
class Choice:
    """A choice that an ability gives its player.

    Attributes:
        name: name of the ability.
        owner: player who chooses.
        bearers: rows of the models that have the ability; one must be on the battlefield.
        when: one of ``MOMENTS``. ``shot``: after the attacks of the bearers' own unit, among the units that it hit.
            ``charged``: after its Charge move.
        whom: one of ``WHOM``: marks an enemy unit, a friendly unit, the bearers' own unit or all units of the army.
        marks: bits of ``units.marks``, one for each of ``options``. Only one option where units are chosen.
        reach: greatest distance in inches from a bearer to the unit; 0: any.
        keyword: bits; the unit has one of them. 0: any unit.
        without: bits; the unit has none of them.
        lasts: one of ``LASTS``.
        must: whether the player cannot decline.
        once: bits of ``players.used_battle`` for options that can be chosen once in a battle; empty: no limit.
        engaged: only units within Engagement Range of an enemy; an enemy unit must be engaged with a bearers' unit.
        free: only units that are not within Engagement Range of an enemy.
        least: lowest Charge roll needed.
        declines: whether a policy does not use it.
        army: whether all models of the army have it.
        weapons: ``melee`` or ``ranged``: only when attacks with these are declared; empty: both.
        cost: Command points, for a Stratagem.
        used: bit of the Stratagem in ``players.used``; it cannot affect Battle-shocked units.
        effect, amount: an effect of ``Edition.effects``, carried out on each marked unit.
        beyond: inches; the unit is farther than this from all enemies. 0: no limit.
        inside: name of an ability that must be in force on the unit.
        second: chosen beside a unit that was chosen just now and on which ``inside`` is in force too.
        unless: bits; not while a unit of the player has one of these marks.
        replaces: bits that end on marked units.
        needs: lowest D6 needed; 0: none. On less no unit is marked and the effect ``fails`` befalls the bearers' unit.
        under, instead: units with one of the bits ``under`` get the effect and amount ``instead``.
        side: player whose units are marked.
        by_bearers: whether it depends on the units in which the bearers are.
        by_option: whether the player chooses among ``options``, not among units.
        plain: whether it asks for no state of the units.
    """

    name: str
    owner: int
    bearers: tuple[int, ...]
    when: str
    whom: str
    marks: tuple[int, ...]
    options: tuple[str, ...]
    reach: float = 0.0
    keyword: int = 0
    lasts: str = "command"
    must: bool = False
    once: tuple[int, ...] = ()
    engaged: bool = False
    free: bool = False
    least: int = 0
    declines: bool = False
    weapons: str = ""
    army: bool = False
    cost: int = 0
    used: int = 0
    effect: str = ""
    amount: int = 0
    beyond: float = 0.0
    inside: str = ""
    second: bool = False
    unless: int = 0
    replaces: int = 0
    needs: int = 0
    fails: str = ""
    under: int = 0
    instead: tuple[str, int] = ("", 0)
    without: int = 0
    side: int = field(init=False)
    by_bearers: bool = field(init=False)
    by_option: bool = field(init=False)
    plain: bool = field(init=False)

    def __post_init__(self) -> None:
        worked_out = {
            "side": 1 - self.owner if self.whom == "enemy" else self.owner,
            "by_bearers": self.when in OF_A_UNIT or not self.army or self.engaged or self.whom == "itself",
            "by_option": self.whom == "army" or (self.whom == "itself" and len(self.options) > 1),
            "plain": not (
                self.engaged
                or self.free
                or self.beyond
                or self.inside
                or self.unless
                or self.without
                or self.effect in USEFUL
            ),
        }
        for name, value in worked_out.items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True)
class Ends:
    """Bits of marks by when they end: with a unit's attacks, the phase, the turn, or as a player's Command phase
    begins.
    """

    attacks: int = 0
    phase: int = 0
    turn: int = 0
    command: tuple[int, int] = (0, 0)


def ends_of(choices: tuple[Choice, ...]) -> Ends:
    """The bits of the marks of these choices by when they end."""
    found = dict.fromkeys(LASTS, 0)
    command = [0, 0]
    for choice in choices:
        bits = sum(set(choice.marks))
        if choice.lasts == "command":
            command[choice.owner] |= bits
        else:
            found[choice.lasts] |= bits
    return Ends(found["attacks"], found["phase"], found["turn"], (command[0], command[1]))


# numbers of choices (int32) by moment, by player, and by whether attacks are in melee or a roll was made
Moments = dict[str, tuple[tuple[Array, Array], tuple[Array, Array]]]


def by_moment(choices: tuple[Choice, ...]) -> Moments:
    """Numbers of the choices that can come up at each moment, in the order in which they are asked.

    The player is the one whose unit's moment it is; at moments of no unit, the one whose turn it is, who chooses first.
    """

    def order(when: str, player: int, rolled: bool) -> Array:
        found = [
            number
            for number, choice in enumerate(choices)
            if moment_of(choice) == when
            and (choice.when not in (*OF_A_UNIT, "command") or choice.owner == player)
            and (choice.when not in (*OF_AN_ENEMY, "turn end") or choice.owner != player)
            and (not choice.weapons or (choice.weapons == "melee") == rolled)
        ]
        return np.array(sorted(found, key=lambda number: (choices[number].owner != player, number)), np.int32)

    return {
        when: (
            (order(when, 0, False), order(when, 0, True)),
            (order(when, 1, False), order(when, 1, True)),
        )
        for when in MOMENTS
    }


def moment_of(choice: Choice) -> str:
    """The moment at which the choice comes up; ``any command`` choices come up at ``command``."""
    return "command" if choice.when == "any command" else choice.when
