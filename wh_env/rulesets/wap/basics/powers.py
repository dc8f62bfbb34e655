"""What single examples of ground do besides what all ground of their kind does: obstacles for those who defend them,
monuments for those near them. Each is a trait of ground (``basics.ground``), read from ``configs/wap/terrain``. Also
what an effect does that only saves ask for.
"""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.rulesets.wap.rule_book import Grant


@dataclass(frozen=True)
class Barrier:
    """What an obstacle does (wap.terrain.obstacle.types).

    Attributes:
        cover: of those who stand behind it in contact with it, ``light`` or ``heavy``.
        hitting: added to the dice to hit of those who charge across it, in the turn of the charge.
        burns: Strength of the hit that each charging model takes that comes into contact with it; 0: none.
        slows: a model of this alignment in contact with it has half its Initiative; "": none has.
        frightens: who defends it causes Fear in the round of the charge.
    """

    cover: str = "light"
    hitting: int = 0
    burns: int = 0
    slows: str = ""
    frightens: bool = False


@dataclass(frozen=True)
class Aura:
    """What ground does to units near it, while they are near (wap.terrain.monument.*, wap.building.arcane.*), or a
    unit to friends of its army near it.

    Attributes:
        inches: how near; those inside a building are. inside: it acts on nobody else.
        grants: special rules that units have. only: the units on which it acts, by the name of their army book,
            alignment or card; "": all.
        changes: (characteristic, what is added).
        wounding: added to the dice to wound of hits on them. hitting: added to their dice to hit in close combat.
        attacks: Attacks that a granted rule adds for those who have it anyway, in place of its own; 0: its own.
        restless: who has a granted rule anyway must re-roll a passed test not to charge.
        spurs: who begins a turn near it may re-roll a charge roll that is too short in that turn.
        dooms: they must roll passed ward saves again.
        keeps: a unit leaves its area only by a Leadership test with this modifier, below 0; 0: as it likes.
        channelling: added to their dice for channelling. channels_again: they roll failed ones again.
    """

    inches: float
    only: str = ""
    inside: bool = False
    grants: tuple[Grant, ...] = ()
    changes: tuple[tuple[str, int], ...] = ()
    wounding: int = 0
    hitting: int = 0
    attacks: int = 0
    restless: bool = False
    spurs: bool = False
    dooms: bool = False
    channelling: int = 0
    channels_again: bool = False
    keeps: int = 0


@dataclass(frozen=True)
class Gaze:
    """D6 hits that ground deals to units near it at the start of each player's turn, or at the end of each Shooting
    phase (wap.terrain.monument.sinister-statue, wap.building.arcane.haunted-mansion).

    Attributes:
        rule: that events cite. when: ``turn`` or ``shooting``. inches: how near.
        most: the highest result of a D6 on which a unit is hit; 6: it always is, and no die is rolled for it.
        strength: of the hits. no_armour: no armour save against them.
        spares: the units that it spares, by the name of their army book, alignment or card; "": none.
    """

    rule: str
    inches: float
    most: int
    strength: int
    when: str = "turn"
    no_armour: bool = False
    spares: str = ""


@dataclass(frozen=True)
class Well:
    """What units near ground may drink at the end of their Movement phase (wap.terrain.monument.wyrding-well).

    Attributes:
        inches: how near.
        effects: by the result of a D6, 1 to 6: ``poison``, ``heal`` or ``oblivion``.
    """

    inches: float
    effects: tuple[str, ...]


@dataclass(frozen=True)
class Portal:
    """The spells that ground casts on the nearest unit in each Magic phase (wap.terrain.monument.magic-portal).

    Attributes:
        spells: (lore, name of the spell) by the result of 2D6, from 2 to 12.
    """

    spells: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class GhostToShots:
    """A power of an effect: models are Ethereal to shooting attacks (wap.lore.shadow.steed-of-shadows)."""


@dataclass(frozen=True)
class GroundsAll:
    """A power of an effect: nobody on the table flies (wap.item.enchanted.orb-of-thunder)."""


@dataclass(frozen=True)
class SpoilsWards:
    """A power of an effect: its unit, and all units in base contact with it, roll passed ward saves again
    (wap.item.enchanted.other-tricksters-shard).
    """
