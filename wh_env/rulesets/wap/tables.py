"""Tables of a battle of regiments: the columns for models, units, sides and time that this game adds to those of every
game, and tables of its own.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from wh_env.core.bounds import (
    FARTHEST,
    OUTSIDE,
    TURNS,
    amount,
    anything,
    between,
    bits,
    count_of,
    declared,
    finite,
    fixed,
    flag,
    player,
    row_of,
)
from wh_env.core.procedures import FRAME_SIZE
from wh_env.core.tables import (
    BY_LIST,
    CLOCK,
    CLOCK_BOUNDS,
    DICE,
    DICE_BOUNDS,
    MODEL,
    MODEL_BOUNDS,
    OBJECTIVE,
    OBJECTIVE_BOUNDS,
    OF_SUBJECT,
    PLAYER,
    PLAYER_BOUNDS,
    UNIT,
    UNIT_BOUNDS,
    Array,
    Layout,
    TableSpec,
    extended,
)
from wh_env.rulesets.wap.codes import (
    AT_THE_LEFT,
    BARRED,
    BROKEN,
    CAUSES,
    CHARACTERISTICS,
    COLUMN,
    EVERYTHING,
    EXTRA,
    FOREIGN,
    LEFT,
    MUSICIAN,
    PARTIES,
    STAYS,
    TO_REFORM,
    WAYS_OF_DEPLOYING,
)

STACK_DEPTH = 32
MOST_SHIFT = 999  # half files
MOST_DISTRUST = 3  # steps from the closest bond between armies to the loosest
PARTS = 4  # rectangles of a unit at most
PAIRS = 2  # contacts a unit: that of blocks of two sides side by side is a planar graph of two colours
BLOWS = 6 * PAIRS  # rows a unit: both ways across a contact, by troopers, champion, mounts
DIE_OR_LOT = 255
MOST_LEVEL = 4  # of a wizard (wap.magic.level)
MOST_LORES = 8  # of a battle
MOST_WINGS = 20  # inches of a Fly rule
MOST_DRAWN = 2  # wap.lore.metal.attribute
MOST = 10  # no characteristic is higher (wap.profile.range)
# why observations need not show some columns
DERIVED = "worked out from the blocks of units, which are shown"
FREE = "rows in use are shown as relations of two units; in a free row nothing else is read"
INT = np.dtype("i4")
BYTE = np.dtype("u1")

# a figure; its place is derived from the block of its unit (``basics.blocks.lay_out_unit``)
FIGURE, FIGURE_BOUNDS = extended(
    MODEL,
    MODEL_BOUNDS,
    [
        ("line", "i4", row_of("lines").not_shown(BY_LIST)),  # its fighting profile
        ("role", "i4", between(0, MUSICIAN).not_shown(BY_LIST)),  # rank and file, champion, standard bearer, musician
        (
            "post",
            "i4",
            between(-1, "models", -1).not_shown(OF_SUBJECT),
        ),  # file of the front rank that its player has given a command model, -1: none
        ("rank", "i4", between(-1, "models", -1)),  # 0 is the front rank; -1: it is not on the table
        ("file", "i4", between(-1, "models", -1)),  # within its rank, from the right
        ("crossed", "i4", amount()),  # dangerous features on its way in the current move, bit by bit
        (
            "struck",
            "i4",
            between(0, 127).not_shown(OF_SUBJECT),
        ),  # profiles that it has struck with in this round, a bit each: its own, then those besides
        # Line of Sight value that the ground under it adds; derived by ``basics.standing``
        ("lifted", "i4", amount()),
    ],
)
# Wounds may grow (wap.terrain.hill.temple-of-skulls)
FIGURE_BOUNDS = MappingProxyType({**FIGURE_BOUNDS, "max_wounds": amount()})

# a regiment and its block
REGIMENT, REGIMENT_BOUNDS = extended(
    UNIT,
    UNIT_BOUNDS,
    [
        ("x", "f8", finite(-OUTSIDE, "length", OUTSIDE)),  # middle of the front edge
        ("y", "f8", finite(-OUTSIDE, "width", OUTSIDE)),
        ("facing", "f8", finite(-TURNS, TURNS)),
        ("spacing", "f8", finite(0, FARTHEST)),  # between neighbours; 0: base to base
        # half the depth of a base, and half its width; of a garrison: of the building (``basics.garrisons``)
        ("base_a", "f8", finite(0, FARTHEST).not_shown("shown as the depth of its block")),
        ("base_b", "f8", finite(0, FARTHEST).not_shown("shown as the width of its front")),
        # the pose that a move which is not finished would end in
        ("px", "f8", finite(-OUTSIDE, "length", OUTSIDE)),
        ("py", "f8", finite(-OUTSIDE, "width", OUTSIDE)),
        ("pf", "f8", finite(-TURNS, TURNS)),
        ("spent", "f8", finite(0, FARTHEST)),  # how much of its move that has cost
        ("strayed", "f8", finite(0, FARTHEST)),  # how far a model has gone in the free reform before it, at most
        ("pfiles", "i4", count_of("models")),
        ("files", "i4", count_of("models")),  # 0 while it is not on the table
        ("shape", "i4", between(0, COLUMN)),  # ranks, skirmish, lone, column
        ("kind", "i4", fixed()),  # troop type
        ("sight", "i4", fixed()),  # Line of Sight value
        ("first_line", "i4", fixed()),  # its rows of ``lines``
        ("lines", "i4", fixed()),
        ("first_part", "i4", fixed()),  # its rows of ``parts``
        ("wide", "i4", fixed()),  # files in which the army list has it deployed
        ("contingent", "i4", fixed()),  # its row of ``armies``; 0 if no side has allies (``allies.relations``)
        ("each", "i4", fixed()),  # Unit Strength of a model
        ("full_rank", "i4", fixed()),  # models that make a rank for the rank bonus; 0: it never has one
        ("us", "i4", amount()),  # Unit Strength now
        ("us_phase", "i4", amount()),  # ... at the start of the phase
        ("us_start", "i4", fixed()),  # ... of the battle
        ("alive_phase", "i4", count_of("models")),  # models at the start of the phase
        ("fleeing", "i4", flag()),
        ("begun", "i4", amount()),  # effects of the start of the turn that it has resolved, bit by bit
        ("did", "i4", bits(EVERYTHING)),  # what it did this turn (``codes``)
        ("due", "i4", bits(CAUSES)),  # why it has to take a Panic test (``codes``)
        ("steeled", "i4", flag()),  # it has taken one in this phase
        # close combat
        (
            "fights",
            "i4",
            count_of("units"),
        ),  # enemy units that it is in contact with; derived by ``basics.contacts.meet``
        ("charging", "i4", flag()),  # it counts as having charged in the next round that it fights
        ("rounds", "i4", amount()),  # rounds that it has fought since it was last free
        ("fought", "i4", flag()),  # it has fought in this phase
        ("fighting", "i4", flag()),  # it is in the combat that is being resolved
        ("dealt", "i4", amount()),  # wounds that it has caused in this round
        ("outcome", "i4", between(0, BROKEN)),  # of its last round (``codes``)
        ("penalty", "i4", amount()),  # by how much it has lost that round
        ("steadfast", "i4", flag()),
        ("intent", "i4", between(0, STAYS)),  # what it does about a beaten enemy (``codes``)
        ("answered", "i4", between(0, TO_REFORM)),  # in the step of the combat that is being resolved (``codes``)
        ("flees_from", "i4", between(-1, LEFT)),  # side of its block at which the enemy is that has broken it
        ("rolled", "i4", amount()),  # its flee or pursuit roll of this round
        ("prey", "i4", row_of("units", none=True)),  # the broken enemy that it pursues
        # where it was carried off the table by a pursuit, until it comes back (wap.pursuit.off-table.return)
        ("left_edge", "i4", between(-1, 3)),
        ("left_at", "f8", finite(-OUTSIDE, FARTHEST)),  # inches along that edge
        ("left_files", "i4", count_of("models")),
        ("weapon", "i4", amount()),  # in its hands in this combat, counted from 1 in ``outfits``; 0: not chosen
        ("ward", "i4", amount()),  # the ward save that it takes next, counted from 1; 0: the likeliest
        ("lost_rules", "i4", amount()),  # special rules that it has no more, bit by bit (``Book.lost_bits``)
        ("gained_rules", "i4", amount()),  # ... that it has gained (``Book.gained_bits``)
        ("fresh_rules", "i4", amount()),  # ... of those, gained since it last fought
        (
            "stupid",
            "i4",
            flag(),
        ),  # it has failed a test of Stupidity and passed none since (wap.special.stupidity.until-passed)
        ("chilled", "i4", flag()),  # ice has hit it, and its enemy has not begun another turn since
        ("scorched", "i4", flag()),  # it has lost Wounds to flaming shots in this phase
        ("deployed", "i4", bits(WAYS_OF_DEPLOYING)),  # how it comes to the battle (``codes``)
        (
            "feigned",
            "i4",
            between(0, 2),
        ),  # its flight is one by choice that light troops rally from (``special.light_troops``)
        (
            "block",
            "i4",
            amount(),
        ),  # places of its ranks and files that are filled: by its models and by characters in it; derived
        ("hides_in", "i4", row_of("units", none=True)),  # the unit that it hides in (wap.special.hidden.deploy)
        (
            "out_of",
            "i4",
            row_of("units", none=True),
        ),  # the unit that a character has declared a charge out of and has not left yet (wap.character.leave.charge)
        ("let_out", "i4", flag()),  # a character has declared one out of it in this charge step
        # of a character whose base does not fit the unit: the end of its front rank at which the character stands
        # (``basics.blocks``)
        ("beside", "i4", between(0, AT_THE_LEFT)),
        # inches that the character takes at that end, above 0 to the left, and half the depth of the base; derived
        ("wider", "f8", finite(-FARTHEST, FARTHEST).not_shown(DERIVED)),
        ("beside_a", "f8", finite(0, FARTHEST)),
        # half files from the middle to the left at which a short rank stands, so that it has room beside a base that
        # reaches back from the ranks before it; derived
        ("rear_shift", "i4", between(-MOST_SHIFT, MOST_SHIFT)),
        ("drives", "i4", fixed()),  # 1: a pack master in the unit that it drives (``special.mixed_units``)
        # of characters in close combat (``challenges``)
        (
            "duel",
            "i4",
            row_of("units", none=True),
        ),  # the enemy character that it duels with, or that it has slain in a duel in this round
        ("cowers", "i4", flag()),  # it hides in the rear ranks
        ("disgraced", "i4", flag()),  # ... and no unit tests on its Leadership in this turn
        (
            "overkill",
            "i4",
            amount(),
        ),  # of a unit: Wounds beyond the last that it or characters in it have caused in duels in this round
        # the area of its zone that was rolled for it, counted from 1; 0: all of the zone; with the number of areas
        # added: it goes as near to the area as it has room
        ("area", "i4", between(0, "areas")),
        ("breaths", "i4", amount()),  # its breaths that it has used, bit by bit (``special.breath``)
        ("breathed", "i4", flag()),  # it has said in this phase whether it breathes
        # of a war machine: its player's Shooting phases, the present one included, that its crew hide under it and do
        # not fire; its player's turns, the present one included, in which it cannot fire after a misfire
        ("ducks", "i4", between(0, 2)),
        ("jammed", "i4", between(0, 2)),
        ("braked", "i4", flag()),  # its charge brings it no bonus in this round (``weapons.charged``)
        # of a character in a unit: the war machine that he was chosen to assault in this phase
        ("assaults", "i4", row_of("units", none=True)),
        # of buildings (``basics.garrisons``), which are terrain features
        ("garrison", "i4", between(-1, "features", -1)),  # the building that it is in; -1: none
        ("storms", "i4", between(-1, "features", -1)),  # the building that it assaults; -1: none
        ("stormed", "i4", between(-1, "features", -1)),  # the building at which it fought last, inside or outside
        ("stormed_in", "i4", amount()),  # the player's turn in which it did (``basics.garrisons.turn_number``)
        ("party", "i4", bits(PARTIES)),  # who takes part in an assault (``codes``)
        ("slowed", "i4", amount()),  # inches of Movement that the ground costs it; derived by ``basics.standing``
        ("high", "i4", amount()),  # height of most of its models when the player's turn began
    ],
)

SIDE, SIDE_BOUNDS = extended(
    PLAYER,
    PLAYER_BOUNDS,
    [
        ("drops", "i4", count_of("units")),  # units that it has deployed
        ("standards", "i4", count_of("units")),  # of the enemy that it has captured (wap.victory.standards)
        ("battle_standard", "i4", count_of("units")),  # it has captured those of so many of the enemy's armies
        ("general", "i4", row_of("units", none=True)),  # its General's unit
        ("bearer", "i4", row_of("units", none=True)),  # the unit of its Battle Standard Bearer
        ("conceded", "i4", flag()),
    ],
)

TIME, TIME_BOUNDS = extended(
    CLOCK,
    CLOCK_BOUNDS,
    [
        ("finished", "i4", player(none=True)),  # the player who finished deploying first, -1: neither has yet
        ("division", "i4", between(0, "divisions", -1)),  # of the table into two zones, of those that the mission has
    ],
)

# a fighting profile of a unit: the characteristics as they count now; ``statics["profiles"]`` holds those of the army
# sheet, row for row
LINE, LINE_BOUNDS = declared(
    [
        ("unit", "i4", fixed()),
        ("kind", "i4", between(0, EXTRA).not_shown(BY_LIST)),
        ("number", "i4", fixed()),  # of such figures on each model
        *((name, "i4", between(0, MOST)) for name in CHARACTERISTICS),
        # by how much each has grown for good (wap.terrain.hill.temple-of-skulls)
        *((f"more_{name}", "i4", between(0, MOST)) for name in CHARACTERISTICS),
    ]
)

# a rectangle of a block, with the columns that kernels over shapes read; derived by ``lay_out_unit``
PART, PART_BOUNDS = declared(
    [
        ("x", "f8", finite(-OUTSIDE, "length", OUTSIDE)),
        ("y", "f8", finite(-OUTSIDE, "width", OUTSIDE)),
        ("facing", "f8", finite(-TURNS, TURNS)),
        ("half_a", "f8", finite(0, FARTHEST)),
        ("half_b", "f8", finite(0, FARTHEST)),
        ("radius", "f8", finite(0, FARTHEST)),
        ("shape", "i4", fixed()),
        ("unit", "i4", fixed()),
        ("owner", "i4", fixed()),
        ("on_table", "i4", flag().not_shown(DERIVED)),
    ]
)

# where a unit that moves began
ORIGIN, ORIGIN_BOUNDS = declared(
    [
        ("x", "f8", finite(-OUTSIDE, "length", OUTSIDE)),
        ("y", "f8", finite(-OUTSIDE, "width", OUTSIDE)),
        ("facing", "f8", finite(-TURNS, TURNS)),
        ("files", "i4", count_of("models")),
    ]
)

# two enemy units in contact, and the wounds that each has caused to the other in this round of close combat; a free row
# has no units
CONTACT, CONTACT_BOUNDS = declared(
    [
        ("a", "i4", row_of("units", none=True)),  # of player 0
        ("b", "i4", row_of("units", none=True).not_shown(FREE)),  # of player 1
        ("side_a", "i4", between(0, LEFT)),  # side of a's block that b stands at
        ("side_b", "i4", between(0, LEFT)),  # ... of b's
        ("wounds_a", "i4", amount()),  # that a has caused to b
        ("wounds_b", "i4", amount()),
        # across an obstacle that the charged unit defends: the number of the feature, counted from 1, and inches
        # between the blocks; 0: they touch (wap.terrain.obstacle.defended.contact)
        ("across", "i4", amount()),
        ("apart", "f8", finite(0, FARTHEST)),
        # of a contact with a war machine: models of the other unit that were chosen to assault it in this phase, and
        # whether the champion is one of them (``combat.machine_assault``)
        ("group", "i4", amount()),
        ("led", "i4", flag()),
    ]
)

# a charge that was declared in this turn; a free row has no unit
CHARGE, CHARGE_BOUNDS = declared(
    [
        ("unit", "i4", row_of("units", none=True).not_shown(FREE)),
        ("target", "i4", row_of("units", none=True)),
        ("side", "i4", between(0, LEFT)),  # of the target, fixed when it is declared (wap.charge.side.timing)
        ("reaction", "i4", between(0, BARRED)),  # and what became of the charge (``codes``)
        ("first", "i4", row_of("units", none=True)),  # the target from which it was redirected
        # inches that the charge goes by its dice (``reach``; 0: they are not rolled), and inches that the unit goes if
        # it fails (``short``); in a BARRED row both hold, bit by bit, the enemies that the unit does not dare to charge
        ("reach", "i4", amount()),
        ("short", "i4", amount()),
        ("aloft", "i4", flag()),  # it is made through the air
    ]
)

# attacks of one profile of a unit at an enemy, aimed and not yet removed from the table; a free row has no unit
BLOW, BLOW_BOUNDS = declared(
    [
        ("unit", "i4", row_of("units", none=True)),
        ("line", "i4", row_of("lines", none=True)),
        ("target", "i4", row_of("units", none=True)),
        ("attacks", "i4", amount()),
        ("key", "i4", amount()),  # the step at which they are made
        ("later", "i4", flag()),  # that comes after the one at which they were aimed
        ("wounds", "i4", amount()),  # that they have caused
        ("breath", "i4", amount()),  # they are hits of a breath of the profile, counted from 1; 0: of none
    ]
)

# an effect that acts on a unit (``basics.effects``); a free row has none
MOST_LATE = 32  # units of a player
EFFECT, EFFECT_BOUNDS = declared(
    [
        ("effect", "i4", between(-1, "effect_kinds", -1)),  # its number in ``statics["effects"]``
        ("unit", "i4", row_of("units", none=True)),  # that it is on
        ("caster", "i4", row_of("units", none=True)),  # the unit that brought it about
        ("player", "i4", player(none=True)),  # the player whose effect it is
        ("cast", "i4", count_of("spellbook")),  # the row of the spell that keeps it up, counted from 1; 0: none does
        ("amount", "i4", amount()),  # that was rolled for it
        # characters of the player whose unit it is on who have joined that since it began, bit by bit from his first
        ("late", "i8", bits((1 << MOST_LATE) - 1)),
    ]
)
EFFECTS = 4  # rows a unit, in battles whose content has effects

# an army of a side, in battles in which a side has allies (``allies.relations``)
ARMY, ARMY_BOUNDS = declared(
    [
        ("player", "i4", fixed()),
        ("distrust", "i4", between(0, MOST_DISTRUST)),  # steps by which its alliances have decayed
        ("dice", "i4", amount()),  # of magic in the player's pool that no other army may use (``magic.shares``)
    ]
)

# magic, in battles in which somebody knows a spell (``magic.wizards``): a row for each unit
WIZARD, WIZARD_BOUNDS = declared(
    [
        ("level", "i4", between(0, MOST_LEVEL)),  # 0: it is no wizard
        ("first_spell", "i4", fixed()),  # its rows of ``spellbook``
        ("spells", "i4", fixed()),
        ("cannot_cast", "i4", flag()),  # in this phase: own spells
        ("cannot_cast_bound", "i4", flag()),  # ... bound spells
        ("cannot_dispel", "i4", flag()),  # ... dispel
        ("hit_by", "i4", bits((1 << MOST_LORES) - 1)),  # lores whose missiles or direct damage hit it in this phase
        # ... lores of which the spell that is resolved now does so; lores whose chains of lightning struck it
        ("hit_now", "i4", bits((1 << MOST_LORES) - 1)),
        ("chained", "i4", bits((1 << MOST_LORES) - 1)),
        ("drawn", "i4", between(0, MOST_DRAWN)),  # by how much its armour makes the spell that is cast on it easier
        ("will", "i4", between(-1, 1)),  # what a test of its will adds to the casting roll that it is about to make
        ("fate", "i4", amount()),  # dice that it may roll again in this phase by the lore of Heavens
        ("own_dice", "i4", amount()),  # power dice of this phase that it alone may use
        ("gilded", "i4", flag()),  # it was turned to gold, and its player's next turn has not begun
        ("wings", "i4", between(0, MOST_WINGS)),  # inches that magic lets it fly now
        ("in_light", "i4", flag()),  # when its move began it stood in ground that casts spells on those who enter
    ]
)
# ... a row for each player: the dice left in the pool
POOL, POOL_BOUNDS = declared([("dice", "i4", amount())])
# ... a row for each spell that a unit may know
SPELL, SPELL_BOUNDS = declared(
    [
        ("unit", "i4", fixed()),
        ("spell", "i4", between(0, "spell_kinds", -1)),  # its number in ``statics["spells"]``
        ("source", "i4", fixed()),  # ``codes``
        ("known", "i4", between(0, FOREIGN)),  # ``codes``
        ("tried", "i4", flag()),  # it was tried in this turn
    ]
)
# a magic item that a unit carries (``basics.carried``)
ITEM, ITEM_BOUNDS = declared(
    [
        ("unit", "i4", fixed()),  # its bearer, or the unit whose banner it is
        ("item", "i4", between(-1, "item_kinds", -1)),  # its number in ``statics["items"]``; -1: not known yet
        ("used", "i4", flag()),
        ("seen", "i4", flag()),  # the other side knows of it
        # dice that it keeps, or gives to the spell that is being cast; 1 of another item that acts on that spell, or in
        # this phase; 2 if its bearer chooses the target of that spell (``magic.sides``); 0: nothing
        ("charge", "i4", amount()),
    ]
)
# ... what spells leave on the table (``basics.marks``): vortices, and markers of what is still to come
MARK, MARK_BOUNDS = declared(
    [
        ("row", "i4", count_of("spellbook")),  # of the spell, counted from 1; 0: the row is free
        ("version", "i4", amount()),  # of the spell
        ("x", "f8", finite(-OUTSIDE, "length", OUTSIDE)),  # of its middle
        ("y", "f8", finite(-OUTSIDE, "width", OUTSIDE)),
        ("radius", "f8", finite(0, FARTHEST)),  # of a vortex; 0: it is a point
        ("count", "i4", amount()),  # markers
        ("fresh", "i4", flag()),  # it was put on the table in this phase
    ]
)
MARKS = 4  # rows for each spell that a unit may know and that leaves one
# a terrain feature that can move in the battle (``basics.moved_ground``)
WALK, WALK_BOUNDS = declared(
    [
        ("feature", "i4", fixed()),  # its row among the features
        ("dx", "f8", finite(-FARTHEST, FARTHEST)),  # inches by which it has moved since the battle began
        ("dy", "f8", finite(-FARTHEST, FARTHEST)),
    ]
)
FREE_ROW = {
    "a": -1, "b": -1, "unit": -1, "line": -1, "target": -1, "first": -1, "effect": -1, "caster": -1, "player": -1,
    "cast": 0, "amount": 0, "late": 0,
}  # fmt: skip

# ---- static tables

# the profile of a line by its army sheet; ``free``: nothing slows it (wap.special.ethereal.movement)
PROFILE = np.dtype([(name, "i4") for name in (*CHARACTERISTICS, "free")], align=True)

# a convex piece of a terrain feature; the pieces of one feature follow each other
PIECE = np.dtype(
    [
        ("min_x", "f8"),
        ("min_y", "f8"),
        ("max_x", "f8"),
        ("max_y", "f8"),
        ("first", "i4"),  # its corners are corners[first : first + count], counter-clockwise
        ("count", "i4"),
        ("feature", "i4"),
        ("passage", "i4"),  # open, dangerous, impassable
        ("sight", "i4"),  # Line of Sight value, 0: it hides nothing
        ("screen", "i4"),  # the same for cover, 0: it gives none
        ("cover", "i4"),  # that it gives (``shooting.cover``)
        ("kind", "i4"),  # of ground (``codes.GROUND``)
        ("depth", "f8"),  # inches of it that hide what is behind; 0: it hides from its edge on
    ],
    align=True,
)


class Troops(NamedTuple):
    """The tables of who stands where. A battle keeps them in one piece for kernels, as ``g.troops``."""

    models: Array
    units: Array
    parts: Array


def layout(
    units: int,
    models: int,
    lines: int,
    objectives: int,
    script: int,
    features: int = 0,
    effects: int = 0,
    armies: int = 0,
    spells: int = 0,
    items: int = 0,
    has_magic: bool = False,
    marks: int = 0,
    walks: int = 0,
) -> Layout:
    """The layout of the buffer of a battle with so many rows of each table.

    Args:
        script: room for dice. features: terrain features. armies: of both sides; 0 if no side has allies.
        spells: that units may know. has_magic: spells can be cast, by units or by ground. marks: that spells may leave
            on the table at once. items: magic items that units carry. walks: terrain features that can move.
    """
    magic = int(has_magic)
    return Layout(
        [
            TableSpec("clock", TIME, 1, TIME_BOUNDS),
            TableSpec("dice", DICE, 1, DICE_BOUNDS),
            TableSpec("players", SIDE, 2, SIDE_BOUNDS),
            TableSpec("units", REGIMENT, units, REGIMENT_BOUNDS),
            TableSpec("models", FIGURE, models, FIGURE_BOUNDS),
            TableSpec("lines", LINE, lines, LINE_BOUNDS),
            TableSpec("parts", PART, PARTS * units, PART_BOUNDS),
            TableSpec("contacts", CONTACT, PAIRS * units, CONTACT_BOUNDS),
            TableSpec("charges", CHARGE, PAIRS * units, CHARGE_BOUNDS),
            TableSpec("blows", BLOW, BLOWS * units, BLOW_BOUNDS),
            TableSpec("effects", EFFECT, effects, EFFECT_BOUNDS),
            TableSpec("objectives", OBJECTIVE, objectives, OBJECTIVE_BOUNDS),
            TableSpec("stack", INT, FRAME_SIZE * STACK_DEPTH, anything()),
            TableSpec("origin", ORIGIN, units, ORIGIN_BOUNDS),
            # models that each unit has lost in this phase to each unit and each terrain feature
            # (``morale.panic_causes``)
            TableSpec("hurts", BYTE, units * (units + features), between(0, 255)),
            TableSpec("script", BYTE, script, between(0, DIE_OR_LOT)),
            TableSpec("armies", ARMY, armies, ARMY_BOUNDS),
            TableSpec("wizards", WIZARD, magic * units, WIZARD_BOUNDS),
            TableSpec("pools", POOL, magic * 2, POOL_BOUNDS),
            TableSpec("spellbook", SPELL, spells, SPELL_BOUNDS),
            TableSpec("items", ITEM, items, ITEM_BOUNDS),
            TableSpec("omens", MARK, marks, MARK_BOUNDS),
            TableSpec("walks", WALK, walks, WALK_BOUNDS),
        ]
    )


def blank(plan: Layout) -> Array:
    """A buffer of zeros, with -1 in the columns whose empty value is -1."""
    buffer: Array = np.zeros(plan.size, np.uint8)
    units = plan.view(buffer, "units")
    for column in (
        "carrier",
        "leader",
        "bodyguard",
        "flees_from",
        "prey",
        "left_edge",
        "hides_in",
        "out_of",
        "duel",
        "assaults",
    ):
        units[column] = -1
    for column in ("garrison", "storms", "stormed"):
        units[column] = -1
    for name in ("contacts", "charges", "blows", "effects"):
        rows = plan.view(buffer, name)
        for column in FREE_ROW.keys() & set(rows.dtype.names or ()):
            rows[column] = FREE_ROW[column]
    players = plan.view(buffer, "players")
    players["general"] = players["bearer"] = -1
    models = plan.view(buffer, "models")
    for column in ("post", "rank", "file"):
        models[column] = -1
    clock = plan.view(buffer, "clock")
    clock["winner"] = clock["subject"] = clock["finished"] = -1
    plan.view(buffer, "objectives")["holder"] = -1
    return buffer
