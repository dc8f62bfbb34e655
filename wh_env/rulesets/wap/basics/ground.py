"""The ground of the battle, and which of it models stand on (wap.terrain.*).

``statics["features"]`` has one ``Ground`` for each terrain feature, in the order of its rows among
``statics["ground"]``. What ground does is data: its ``Traits``, one set for each kind with what its example changes
(``configs/wap/terrain``). A feature that moves during a battle gives it another Setup (``basics.moved_ground``).

To add a behaviour of ground:

1. Add a field to ``Traits`` here, with a default that does nothing, and the same field to ``TraitRow`` in
   ``content/wap/schema_terrain.py``.
2. Set it in the files of ``configs/wap/terrain``, for a kind or for an example.
3. Where the rule acts, loop over ``with_trait(g, "field")`` - empty in most battles, so ask it first - and ask where
   models stand: ``is_partly_in``, ``is_mostly_in``, ``models_in``, ``touching``, ``distance_to``. A rule of one named
   example is a trait too; no code asks for the name of an example.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.powers import Aura, Barrier, Gaze, Portal, Well
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.room import feature_distance
from wh_env.rulesets.wap.basics.standing import is_in_piece, touches_piece
from wh_env.rulesets.wap.rule_book import Grant, SpecialRule

TOUCHES, INSIDE = 1, 2  # bits of ``mark_on_ground``


@dataclass(frozen=True)
class Harm:
    """How ground hurts units in it.

    Attributes:
        rule: that events cite.
        when: at the end of ``own moves`` (the Movement phase of the unit's player), ``all moves``, or a ``turn``; or
            when ``magic`` is used in it.
        mostly: most models must be in it; else one that is partly in it is enough.
        escapes_by: the characteristic on which the unit may test to be spared; empty: it may not.
        needs: the least die with which it happens; 0: it always does.
        each_model: each model that is at least partly in it is hit; else the unit takes D6 hits.
        strength: of the hits; 0: so many models are removed instead. no_armour: no armour saves.
        is_fire: it spares models immune to Flaming Attacks. harbours: it spares units of that name, in lower case.
        walks: D6 whose sum is the inches that the ground moves once its hits are resolved, in a random direction.
    """

    rule: str
    when: str
    mostly: bool = False
    escapes_by: str = ""
    needs: int = 0
    each_model: bool = False
    strength: int = 0
    no_armour: bool = False
    is_fire: bool = False
    harbours: str = ""
    walks: int = 0


@dataclass(frozen=True)
class Traits:
    """What ground does. The defaults are open ground (wap.terrain.open).

    Attributes:
        entry: how it affects a unit that enters it: ``open`` or ``impassable``.
        dangerous: which models take Dangerous Terrain tests in it: ``nobody``, ``riders``, all ``unless skirmishers``,
            ``everybody``.
        dangerous_always: everybody does, whatever the kind of move.
        tests_flyers: models that take off or land in it do.
        fails_on, fails_on_mounted: the highest die that fails such a test; of cavalry and chariots.
        swallows: troop types of which a model that fails is removed.
        sight: its Line of Sight value, 0: it hides nothing; of a hill: of each level.
        sight_depth: inches of it that hide what is in or behind it; 0: it hides from its edge on.
        lifts: models that stand on it add its Line of Sight value to theirs.
        screen: cover for units that it hides in part: ``none``, ``light``, ``heavy``.
        cover_inside: cover for a unit of which most models are in it.
        no_march: no march leads through it.
        slows: inches of Movement that it costs a unit that is partly in it.
        ranks: when a unit has no rank bonus: ``kept`` (never), ``lost inside`` (most models are in it), ``lost at a
            touch`` (one is partly in it).
        water: it is open ground to Aquatic models.
        daunts: what it takes off the Leadership of a unit of which most models are in it.
        gives_partly, gives_mostly: special rules that a unit has while one model is partly in it, or most are in it.
        gives_named: ... that it has while one model is partly in it, if it is called so: (name, rule). Names are those
            that hatred can name, in lower case.
        gives_crossing: ... that a unit has when it has moved through it, until the next player's turn ends.
        harm: how it hurts units that stand in it.
        obstacle: what it does for units behind it. auras: what it does to units near it. gaze: which units it hurts.
        well: what may be drunk there. favours: characters and champions on it may seek favour.
        library: inches within which it teaches a wizard in each Magic phase. riddles: ... it asks characters riddles.
        portal: the spells that it casts in Magic phases. casts: the lore of which it casts a spell at random on units
            that enter it; "": none.
        venomous: it poisons the attacks in close combat of models in it.
    """

    entry: str = "open"
    dangerous: str = "nobody"
    dangerous_always: bool = False
    tests_flyers: bool = False
    fails_on: int = 1
    fails_on_mounted: int = 1
    swallows: tuple[str, ...] = ()
    sight: int = 0
    sight_depth: float = 0.0
    lifts: bool = False
    screen: str = "none"
    cover_inside: str = "none"
    no_march: bool = False
    slows: int = 0
    ranks: str = "kept"
    water: bool = False
    daunts: int = 0
    gives_partly: tuple[Grant, ...] = ()
    gives_mostly: tuple[Grant, ...] = ()
    gives_named: tuple[tuple[str, Grant], ...] = ()
    gives_crossing: tuple[Grant, ...] = ()
    harm: Harm | None = None
    obstacle: Barrier | None = None
    auras: tuple[Aura, ...] = ()
    gaze: Gaze | None = None
    well: Well | None = None
    favours: bool = False
    library: float = 0.0
    riddles: float = 0.0
    portal: Portal | None = None
    casts: str = ""
    venomous: bool = False

    @property
    def gives(self) -> tuple[Grant, ...]:
        """All special rules that it can give to units."""
        near = (grant for aura in self.auras for grant in aura.grants)
        return (*self.gives_partly, *self.gives_mostly, *(grant for _, grant in self.gives_named), *near)

    @property
    def noted(self) -> bool:
        """Whether rules ask which models have crossed it."""
        tests = self.dangerous != "nobody" or self.dangerous_always or self.tests_flyers
        return tests or bool(self.gives_crossing or self.casts)


NOTHING = Traits()
TRAITS = tuple(f.name for f in fields(Traits))


@dataclass(frozen=True, eq=False)
class Ground:
    """A terrain feature of the battle.

    Attributes:
        row: of the feature, as in ``statics["ground"]["feature"]``.
        kind: a name of ``codes.GROUND``. example: of its kind, as in ``configs/wap/terrain``; None: no named one.
        name: that missions use; None: it has none.
        traits: what it does.
        levels: of a hill. storeys: of a building; 0: it is none.
        outline: its corners in inches, counter-clockwise; may be concave.
        pieces: its convex pieces, rows of ``tables.PIECE``.
        fords: of a river, its crossings: (width in inches, pieces of the river beside crossings that wide or wider),
            the narrowest first (wap.terrain.river.crossing).
    """

    row: int
    kind: str
    traits: Traits
    outline: tuple[tuple[float, float], ...]
    pieces: Array
    example: str | None = None
    name: str | None = None
    levels: int = 1
    storeys: int = 0
    fords: tuple[tuple[float, Array], ...] = ()

    @property
    def sight(self) -> int:
        """Its Line of Sight value: that of a level, or of a storey, for each."""
        return self.traits.sight * (self.storeys or self.levels)


def by_trait(features: Iterable[Ground]) -> dict[str, tuple[Ground, ...]]:
    """``statics["ground_with"]``: for each trait the features in which it differs from open ground."""
    listed = tuple(features)
    found = {
        name: tuple(item for item in listed if getattr(item.traits, name) != getattr(NOTHING, name)) for name in TRAITS
    }
    return {name: items for name, items in found.items() if items}


def features_of(g: BattleCore) -> tuple[Ground, ...]:
    """All terrain features of the battle, by row."""
    found: tuple[Ground, ...] = g.setup.statics["features"]
    return found


def with_trait(g: BattleCore, name: str) -> tuple[Ground, ...]:
    """The features of the battle that have a trait."""
    found: tuple[Ground, ...] = g.setup.statics["ground_with"].get(name, ())
    return found


@kernel
def mark_on_ground(models: Array, first: int, count: int, pieces: Array, corners: Array, marks: Array) -> None:
    """Write to ``marks`` (u1), for each of ``count`` models from row ``first`` on, ``TOUCHES`` if its base overlaps one
    of the pieces, and ``INSIDE`` if its middle lies in one of them. Models that are not on the table have 0.
    """
    for n in range(count):
        k = first + n
        m = models[k]
        marks[n] = 0
        if m["on_table"] == 0:
            continue
        for b in range(len(pieces)):
            if marks[n] == 0 and touches_piece(models, k, corners, pieces[b]):
                marks[n] = TOUCHES
            if is_in_piece(corners, pieces[b], m["x"], m["y"]):
                marks[n] = TOUCHES | INSIDE
                break


def pieces_for(g: BattleCore, unit: int, ground: Ground) -> Array:
    """The pieces of a feature that count for a unit: of a river those beside its crossings, if the unit is narrow
    enough to pass there (wap.terrain.river.crossing).
    """
    if ground.fords:
        u = g.units
        wide = max(1, u.files[unit]) * (2.0 * u.base_b[unit] + u.spacing[unit]) - u.spacing[unit]
        for most, beside in ground.fords:
            if wide <= most + 1e-4:
                return beside
    return ground.pieces


def marks_of(g: BattleCore, row: int, ground: Ground) -> Array:
    """``mark_on_ground`` of all models of a unit, without joined characters; u1, by model of the unit."""
    u = g.units
    marks = np.zeros(u.count[row], np.uint8)
    pieces = pieces_for(g, block_of(g, row), ground)
    g.work.call(mark_on_ground, g.models.rows, u.first[row], u.count[row], pieces, g.setup.corners, marks)
    return marks


def models_in(g: BattleCore, unit: int, ground: Ground) -> list[int]:
    """The models of a unit and of all characters in it whose base lies in a feature by more than half: its middle
    does.
    """
    return [k for row in wholly(g, unit) for k in _marked(g, row, ground, INSIDE)]


def touching(g: BattleCore, unit: int, ground: Ground) -> list[int]:
    """The models of a unit and of all characters in it that are at least partly in a feature."""
    return [k for row in wholly(g, unit) for k in _marked(g, row, ground, TOUCHES)]


def _marked(g: BattleCore, row: int, ground: Ground, bit: int) -> list[int]:
    """The models of a unit, without joined characters, whose mark has a bit."""
    first = g.units.first[row]
    return [first + n for n, mark in enumerate(marks_of(g, row, ground).tolist()) if mark & bit]


def is_mostly_in(g: BattleCore, unit: int, *grounds: Ground) -> bool:
    """Whether more than half of the models of a unit and of all characters in it are in a feature; of several features,
    in one or the other.
    """
    standing = sum(1 for row in wholly(g, unit) for _ in g.members(row))
    return 2 * len({k for ground in grounds for k in models_in(g, unit, ground)}) > standing


def is_partly_in(g: BattleCore, unit: int, ground: Ground) -> bool:
    """Whether a model of a unit or of a character in it is at least partly in a feature."""
    return any(marks_of(g, row, ground).any() for row in wholly(g, unit))


def given_by_ground(g: BattleCore, unit: int, rule: SpecialRule) -> tuple[str, ...]:
    """For each feature that gives a unit's own models a special rule now: what stands in the rule's brackets, "" for
    nothing. A character has what the ground gives the unit that he stands in (wap.terrain.forest.fungus,
    .marsh.earthblood-mere).
    """
    gifts = g.setup.statics["gifts"]
    if not gifts or rule not in gifts:
        return ()
    block = block_of(g, unit)
    partly = [(item, grant) for item in with_trait(g, "gives_partly") for grant in item.traits.gives_partly]
    names = g.setup.statics["outfits"][unit].names
    for item in with_trait(g, "gives_named"):
        partly += [(item, grant) for name, grant in item.traits.gives_named if name in names]
    mostly = [(item, grant) for item in with_trait(g, "gives_mostly") for grant in item.traits.gives_mostly]
    found = [parameter for item, (given, parameter) in partly if given is rule and is_partly_in(g, block, item)]
    found += [parameter for item, (given, parameter) in mostly if given is rule and is_mostly_in(g, block, item)]
    return tuple(found)


def is_venomous_ground(g: BattleCore, unit: int) -> bool:
    """Whether most models of a unit, or a character, stand in ground that poisons their attacks in close combat
    (wap.terrain.forest.venom.poison).
    """
    return is_mostly_in(g, unit, *with_trait(g, "venomous"))


def distance_to(g: BattleCore, unit: int, ground: Ground) -> float:
    """Inches between a unit and a feature; 0: they touch or overlap, inf: the unit is not on the table."""
    statics = g.setup.statics
    found: float = g.work.call(
        feature_distance, g.parts.rows, g.units.rows, statics["ground"], g.setup.corners, unit, ground.row
    )
    return found
