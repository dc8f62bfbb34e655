"""The row that the attack machine keeps in the state, and its codes: stops, stages, choices, rows of its log."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from types import MappingProxyType

from wh_env.core.bounds import MOST_ATTACKS, amount, anything, between, bits, count_of, declared, flag, row_of

# ---- return values of ``resolve``
(
    DONE,
    ASK_ALLOCATE,  # answer: model row; options: ``candidate`` of attack.target
    ASK_PRECISION,  # answer: model row (``precision_candidate``) or -1 to leave the choice to the defender
    ASK_SAVE,  # attack.model saves: 0 armour, 1 invulnerable, 2 second invulnerable; numbers in attack.need, 0 for none
    ASK_FNP,  # attack.model would lose a wound: 0 feel_no_pain, 1 feel_no_pain2
    ASK_REROLL_WOUND,  # Twin-linked, wound die attack.die: 1 re-roll, 0 keep
    ASK_REROLL_ONE,  # attack.window; HIT, WOUND, HAZARDOUS: the face to re-roll one die of (attack.faces > 0) or 0;
    # ATTACKS, DAMAGE, STRENGTH: roll attack.die, ALL_DICE re-roll, 0 keep, with Window.EACH also the face of one die;
    # SAVE, IGNORE: roll attack.die, 1 re-roll, 0 keep
    LOSS,  # a model was destroyed (see Asks.STOP_LOSS, Asks.STOP_DEMISE); no answer needed
) = range(1, 9)

GO_ON = 0  # a step is finished: the next stage follows

# ---- stages
(
    IDLE,
    ATTACKS,
    HITS,
    HIT_WINDOW,
    WOUNDS,
    TWIN,
    WOUND_WINDOW,
    ALLOCATE,
    SAVE,
    SAVE_WINDOW,
    DAMAGE,
    LOSE,
    MORTAL,
    HAZARD_WINDOW,
    DEVASTATION,  # the Damage of Critical Wounds that inflict mortal wounds instead
) = range(15)


class Asks(IntFlag):
    """Choices that ``resolve`` stops for, and the default if the bit is not set."""

    ALLOCATE = 1 << 0  # else: the candidate with the fewest wounds left, on a tie the last row
    SAVE = 1 << 1  # else: the better chance, on a tie the armour
    FNP = 1 << 2  # else: the better chance
    TWIN = 1 << 3  # else: exactly the failed wound rolls are re-rolled
    PRECISION = 1 << 4  # else: the visible CHARACTER takes it
    STOP_LOSS = 1 << 5  # return LOSS after each destroyed model
    STOP_DEMISE = 1 << 6  # return LOSS after each destroyed model with Deadly Demise
    MARK_DAMAGE = 1 << 7  # no choice: damage to models and their lost wounds are marked (``DAMAGED``, ``LOST``)
    MARK_HITS = 1 << 8  # no choice: units that are hit are marked (``Effect.HIT``)


class Window(IntFlag):
    """Rolls of which one die may be re-rolled now (column ``offer``; column ``window`` has the roll that is being
    asked).

    The caller opens the windows that a player can pay for. A re-roll closes all windows of that player (SAVE and IGNORE
    for the defender, the others for the attacker), unless each die may be rolled again.
    """

    ATTACKS = 1 << 0
    HIT = 1 << 1
    WOUND = 1 << 2
    DAMAGE = 1 << 3
    HAZARDOUS = 1 << 4
    SAVE = 1 << 5
    ONLY_BAD = 1 << 6  # ask only after a failed roll, or a number below the average
    STRENGTH = 1 << 7
    IGNORE = 1 << 8  # whether a wound is ignored
    EACH = 1 << 9  # each die may be re-rolled on its own, one after the other
    USED = 1 << 10  # for the caller: the attacker has used the re-roll that a rule gives
    SAVE_USED = 1 << 11  # for the caller: the defender has used it


class Event(IntEnum):
    """Rows of ``log``: (event, attacking model or -1, target unit, target model or -1, die, needed, result, extra)."""

    ATTACKS_ROLL = 1  # die: sum of the dice; result: attacks
    HIT_ROLL = 2  # result 0 miss, 1 hit, 2 Critical Hit
    AUTO_HIT = 3  # Torrent, result: hits
    SUSTAINED = 4  # result: additional hits
    WOUND_ROLL = 5  # result 0 failed, 1 wound, 2 Critical Wound
    AUTO_WOUND = 6  # Lethal Hits, result: wounds
    REROLL = 7  # result: the Window, -2 for Twin-linked, -1 for re-rolled ones; extra: the old die
    DEVASTATING = 8  # result: mortal wounds to come
    ALLOCATED = 9  # result 1: by Precision
    SAVE_ROLL = 10  # result 1 saved; extra: 0 armour, 1 or 2 invulnerable; needed 0: no save, no die
    DAMAGE = 11  # result: damage
    FNP_ROLL = 12  # result 1 ignored
    WOUND_LOST = 13  # result: wounds left
    MODEL_DESTROYED = 14
    MORTAL_WOUND = 15  # result: mortal wounds left, this one included
    HAZARDOUS = 16  # result 1 failed
    STRENGTH = 17  # a random Strength, for the wound roll that follows; die: sum of the dice; result: the Strength
    OVERHEATED = 18  # the bearer is slain by its own weapon; result: hit rolls of 1


LOG_COLUMNS = 8

ALL_DICE = 7  # answer to ASK_REROLL_ONE: all dice of a sum are rolled again

# Column ``models.allocated``, for this phase. ALLOCATED, DAMAGED: bits; DAMAGED: an attack inflicted damage.
# From bit LOST on: the number of wounds that it lost. DAMAGED and LOST are written only with ``Asks.MARK_DAMAGE``.
ALLOCATED, DAMAGED, LOST = 1, 2, 2

# why observations need not show the row
RESOLVED = "the attack that is being resolved; what is left of it is shown with the decision"
ATTACK, ATTACK_BOUNDS = declared(
    [
        # set by the caller
        ("asks", "i4", bits(0x1FF)),  # Asks
        ("offer", "i4", bits(0xFFF)),  # Window
        ("answer", "i4", between(-1, "answers")),  # to the question that was returned last
        ("jobs", "i4", count_of("jobs")),  # rows of the job table in use
        (
            "critical_mortals",
            "i4",
            between(0, MOST_ATTACKS),
        ),  # mortal wounds that an unmodified wound roll of 6 inflicts in addition to its damage
        # what is being resolved
        ("stage", "i4", between(IDLE, DEVASTATION)),
        ("asked", "i4", between(0, LOSS)),  # the question that waits for its answer
        ("unit", "i4", row_of("units", none=True)),  # attacking unit
        ("attacker", "i4", row_of("models", none=True)),  # model of the group's first job
        ("group", "i4", row_of("jobs", none=True)),
        ("weapon", "i4", row_of("weapons", none=True)),
        ("target", "i4", row_of("units", none=True)),  # unit
        ("near", "i8", bits(2**63 - 1)),  # Near
        (
            "seen",
            "i8",
            anything(),
        ),  # CHARACTER models that Precision may pick: a bit for each model of the target (``member``)
        ("psychic", "i4", flag()),  # the wounds are those of a Psychic Attack (set after the beginning)
        ("needed", "i4", between(-99, 99)),  # number for the roll being made
        ("critical", "i4", between(0, 99)),
        ("cursor", "i4", between(0, "cursors")),  # job row, or face of the Twin-linked die being asked
        (
            "left",
            "i4",
            amount(),
        ),  # Twin-linked dice of that face still to ask about; Critical Wounds whose Damage is still to be determined
        ("hits", "i4", amount()),  # hits that need a wound roll; with a random Strength: hits that still need one
        ("wounds", "i4", amount()),  # attacks still to allocate
        ("pending", "i4", amount()),  # mortal wounds on the target after the normal damage
        ("mortal", "i4", amount()),  # mortal wounds now being inflicted
        ("first_model", "i4", row_of("models", none=True)),  # model that suffers the mortal wounds first, -1: none
        ("damage", "i4", amount()),  # points still to inflict on ``model``
        ("model", "i4", row_of("models", none=True)),
        ("die", "i4", amount()),
        ("choice", "i4", between(-1, 2)),  # save chosen
        ("window", "i4", bits(0x1FF)),  # the Window of the roll that the question is about
        (
            "failures",
            "i4",
            amount(),
        ),  # failed Hazardous tests; hit rolls of 1 with a weapon that slays its bearer for each of them
        ("casualties", "i4", count_of("models")),  # rows of the casualties list
        ("log_count", "i4", between(0, 4096)),
        # the numbers needed for the saves open to ``model``; during wound rolls, entry 0: the lowest wound roll that
        # the weapon does not re-roll
        ("need", "i4", (3,), between(0, 99)),
        ("faces", "i4", (7,), amount()),  # dice of the batch by face
        ("spent", "i4", (7,), amount()),  # dice by face that were re-rolled and cannot be again (concepts.reroll.once)
    ],
)
ATTACK_BOUNDS = MappingProxyType({name: bounds.not_shown(RESOLVED) for name, bounds in ATTACK_BOUNDS.items()})
