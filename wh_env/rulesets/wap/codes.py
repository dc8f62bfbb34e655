"""Integer codes that the columns of the game's state tables hold."""

from __future__ import annotations

from enum import IntEnum


class Phase(IntEnum):
    """Phases of a player's turn, in order (wap.battle.turn.phases)."""

    DEPLOYMENT = 0
    MOVEMENT = 1
    MAGIC = 2
    SHOOTING = 3
    COMBAT = 4


PHASE_NAMES = ("Deployment", "Movement", "Magic", "Shooting", "Close Combat")
PHASES = ("deployment", "movement", "magic", "shooting", "combat", "end")

# column ``clock.step``: steps of the Movement phase
START_OF_TURN, CHARGES, COMPULSORY, OTHER_MOVES = 0, 1, 2, 3

# column ``units.shape``
RANKS, SKIRMISH, LONE, COLUMN = 0, 1, 2, 3

# bits of ``units.did``: what the unit did in this turn of its player
CHARGED, FAILED, MARCHED, MOVED, REFORMED, RALLIED, FLED, JOINED, SHOT, ARRIVED, STAYED = (1 << n for n in range(11))
REDIRECTED, PURSUED, OVERRAN, DRIVEN, HELD_BACK = (1 << n for n in range(11, 16))
SPURRED, DRANK, POISONED, ENTERED = (1 << n for n in range(16, 20))
LEAVES, LINGERS = 1 << 20, 1 << 21  # it may leave the area of ground that keeps it, or must end within
EVERYTHING = (1 << 22) - 1
DEEDS = (
    "charged",
    "failed a charge",
    "marched",
    "moved",
    "reformed",
    "rallied",
    "fled",
    "joined",
    "shot",
    "arrived",
    "stayed",
    "tried to redirect a charge",
    "pursued",
    "overran",
    "was moved outside the Movement phase",
    "holds its frenzy back",
    "began its turn near an idol",
    "drank from a well",
    "is poisoned",
    "entered a building",
)

# column ``units.outcome``: how the last round of close combat ended for the unit
NO_RESULT, WON, DREW, HELD, BROKEN = range(5)

# column ``units.intent``: what the player of a unit that has beaten its enemies decided; a unit that restrains itself
# may still reform
NO_INTENT, RESTRAINS, PURSUES, OVERRUNS, REFORMS, STAYS = range(6)

# column ``units.answered``: the unit has not been asked; it has tested, or stays as it is; it wishes to reform; it may
# reform
UNASKED, ANSWERED, WISHES, TO_REFORM = range(4)

# column ``charges.reaction``
# KEPT: the target flees, and the charger will not try to redirect. MISSED: the charger's dice are too low to reach it.
# BARRED: there is no charge, as the unit does not dare to charge the target in this turn.
UNANSWERED, HOLDS, SHOOTS, FLEES, KEPT, MISSED, BARRED = range(7)
REACTIONS = ("does not answer yet", "holds", "stands and shoots", "flees")

# bits of ``units.due``: why a unit has to take a Panic test
FLED_THROUGH, HEAVY_CASUALTIES, FRIEND_DESTROYED, FRIEND_BROKEN = (1 << n for n in range(4))
BURNT = 1 << 4  # a fire thrower has cost it models
SPELLBOUND = 1 << 5  # a spell of which each loss makes units panic has cost it models
CAUSES = (1 << 6) - 1

# column ``models.role``
RANK_AND_FILE, CHAMPION, STANDARD, MUSICIAN = 0, 1, 2, 3
ROLES = {"champion": CHAMPION, "standard": STANDARD, "musician": MUSICIAN}

# column ``lines.kind``: which fighting profile of the unit it is
TROOPERS, LEADERS, MOUNTS, CREW, BEASTS, STOMPS = range(6)
CHASSIS = 6  # of a war machine, the last of its lines: only its Toughness counts
OFF_HAND = 7  # the Attack with a mundane weapon beside a magic one (wap.item.general.weapon-is-hand-weapon)
EXTRA = 8  # an Attack of a Strength of its own, without a weapon (wap.item.enchanted.combat-familiar)

# troop types, in the order of ``configs/wap/troop-types.yaml`` (wap.troop.general.types)
TROOP_TYPES = (
    "infantry",
    "monstrous infantry",
    "cavalry",
    "monstrous cavalry",
    "swarm",
    "war beast",
    "monstrous beast",
    "monster",
    "chariot",
    "war machine",
    "shrine",
)
INFANTRY, CAVALRY, SWARM, WAR_BEAST = 0, 2, 4, 5
MONSTROUS_CAVALRY = 3
MONSTER, CHARIOT, SHRINE = 7, 8, 10
WAR_MACHINE = 9
BODIES = (
    MONSTER,
    CHARIOT,
    SHRINE,
)  # their own Toughness and Wounds count (wap.troop.monster.attacked, .chariot.attacked, .shrine.attacked)

# column ``units.beside``: a character stands in the ranks, or at an end of the front rank (wap.character.base.misfit)
IN_RANKS, AT_THE_RIGHT, AT_THE_LEFT = range(3)

# sides of a block, and of the table
FRONT, RIGHT, REAR, LEFT = 0, 1, 2, 3
QUARTERS = ("front", "right flank", "rear", "left flank")

# how ground affects a unit that enters it
OPEN, DANGEROUS, IMPASSABLE = 0, 1, 2
# kinds of ground; the first three are named after how they affect a unit
HILL, FOREST, RIVER, MARSH, OBSTACLE, MONUMENT, BUILDING = range(3, 10)
GROUND = {
    "open": OPEN,
    "dangerous": DANGEROUS,
    "impassable": IMPASSABLE,
    "hill": HILL,
    "forest": FOREST,
    "river": RIVER,
    "marsh": MARSH,
    "obstacle": OBSTACLE,
    "monument": MONUMENT,
    "building": BUILDING,
}

CHARACTERISTICS = ("m", "ws", "bs", "s", "t", "w", "i", "a", "ld")

# cover; the code is also the modifier that it takes off a roll to hit (wap.shoot.cover.light, .heavy)
NO_COVER, LIGHT_COVER, HEAVY_COVER = range(3)
COVERS = {"none": NO_COVER, "light": LIGHT_COVER, "heavy": HEAVY_COVER}

# bits of ``units.deployed``: the unit was kept back as scouts; it lies in ambush; it arrives this turn; it has made a
# vanguard move; its player was asked about a vanguard move; it arrives late, by a die that the mission asks for
SCOUTS, AMBUSHES, COMING, ADVANCED, ASKED, LATE = (1 << n for n in range(6))
IN_TOWER = 1 << 6  # it was deployed in the watchtower
WAYS_OF_DEPLOYING = (1 << 7) - 1

# bits of ``units.party``: who takes part in an assault of a building. Of a character: he does; of a unit: its champion
# does; of either: special attacks of the enemy fall on its models
TAKES_PART, WITH_CHAMPION, EXPOSED = (1 << n for n in range(3))
PARTIES = (1 << 3) - 1

# column ``spellbook.known``: the unit has not selected the spell; it knows it; it has lost it; it knows it in this
# phase; it is of a lore that the unit does not use, which ground or an item may teach it
UNKNOWN, KNOWN, FORGOTTEN, LENT, FOREIGN = range(5)
# column ``spellbook.source``: a wizard's own spell, a bound spell that is innate, or one of a magic item
OWN_SPELL, INNATE, OF_ITEM = range(3)
