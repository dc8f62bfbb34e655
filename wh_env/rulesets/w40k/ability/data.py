"""Choices of abilities as data: when a player chooses, among what, and how long the mark lasts that is left."""

from __future__ import annotations

from dataclasses import dataclass

# before the owner's Command phase, before either Command phase, before the Fight phase; once a unit's attacks with ranged weapons are made; before
# the first battle round; once a unit has made a Charge move; before the end of a turn of the opponent; when a unit has declared its attacks: of
# its player, of the player of its targets; when an enemy unit has moved; once a unit has made its melee attacks; when a friendly model near by is
# destroyed (whoever can is marked, nobody is asked)
MOMENTS = (
    "command", "any command", "fight", "shot", "battle", "charged", "turn end", "attacks", "targeted", "enemy moved", "fought",
    "friend destroyed",
)  # fmt: skip
WHOM = ("enemy", "friend", "itself", "army")
# attacks: until the unit that attacks now has made its attacks; command: until the owner's next Command phase
LASTS = ("attacks", "phase", "turn", "command", "battle")


@dataclass(frozen=True)
class Choice:
    """A choice that an ability gives its player.

    Attributes:
        name: of the ability. owner: player. bearers: rows of the models that have it, one of which has to be on the battlefield.
        when: one of ``MOMENTS``; ``shot``: after the attacks of the bearers' own unit, among the units that it hit; ``charged``: after its Charge move.
        whom: one of ``WHOM``: an enemy unit, a friendly one, the bearers' own unit or all units of the army is marked.
        marks: bits of ``units.marks``, one for each of ``options``; units have no options but one.
        reach: inches from a bearer to the unit, 0: any. keyword: bits, the unit has one of them; 0: any unit.
        lasts: one of ``LASTS``. must: the player cannot decline.
        once: bits of ``players.used_battle`` for options that can be chosen once in a battle, 0: as often as one likes.
        engaged: only while the bearers' unit is within Engagement Range of an enemy; of units that are chosen: those.
        free: only while the bearers' unit is not. least: the Charge roll that is needed. declines: a policy does not use it.
        army: whether all models of the army have it. weapons: ``melee`` or ``ranged``, where attacks were declared: only then.
        cost: Command points, of a Stratagem. used: its bit of ``players.used``; it affects no unit that is Battle-shocked.
        effect: of ``Edition.effects``, which is carried out on each unit that is marked, with ``amount``.
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


@dataclass(frozen=True)
class Ends:
    """Bits of marks by when they end: with the attacks of a unit, with the phase, with the turn, as the Command phase of either player begins."""

    attacks: int = 0
    phase: int = 0
    turn: int = 0
    command: tuple[int, int] = (0, 0)


def ends_of(choices: tuple[Choice, ...]) -> Ends:
    """When the marks of these choices end."""
    found = dict.fromkeys(LASTS, 0)
    command = [0, 0]
    for choice in choices:
        bits = sum(set(choice.marks))
        if choice.lasts == "command":
            command[choice.owner] |= bits
        else:
            found[choice.lasts] |= bits
    return Ends(found["attacks"], found["phase"], found["turn"], (command[0], command[1]))


def by_moment(choices: tuple[Choice, ...]) -> dict[str, tuple[int, ...]]:
    """Numbers of the choices by the moment at which they come up; those of any Command phase do in each."""
    found: dict[str, list[int]] = {}
    for number, choice in enumerate(choices):
        found.setdefault("command" if choice.when == "any command" else choice.when, []).append(number)
    return {when: tuple(numbers) for when, numbers in found.items()}
