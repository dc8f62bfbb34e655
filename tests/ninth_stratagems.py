"""The 9th edition with five Stratagems more, for rules about Stratagems at large."""

from __future__ import annotations

from dataclasses import replace

from ninth import NinthScene

from wh_env.rulesets.w9.classes import KINDS, PROCEDURES
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w9.command.gains import stratagem_cp
from wh_env.rulesets.w9.ruleset import NINTH_EDITION, NinthEdition
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Category, Entry, Moment, Whose
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.reaction.windows import UseStratagem
from wh_env.rulesets.w40k.shoot.phase import Shoot, ready_to_shoot
from wh_env.testing import sheet

WINDFALL, MARCH, DEAR, SALVO, STEADY = 11, 12, 13, 14, 15
NAMES = ("windfall", "march", "dear", "salvo", "steady")
PLOY = Category.STRATEGIC_PLOY
OFFERED = {
    Moment.ENDS_MOVE: (MARCH, DEAR, WINDFALL),
    Moment.MOVEMENT_ENDS: (SALVO,),
    Moment.TARGETS_SELECTED: (STEADY,),
}
BOOK = replace(
    NINTH_EDITION.stratagems,
    table={
        **NINTH_EDITION.stratagems.table,
        WINDFALL: Entry("windfall", "Windfall", PLOY, 1, Whose.OWN, (Phase.MOVEMENT,)),
        MARCH: Entry("march", "March", PLOY, 1, Whose.OWN, (Phase.MOVEMENT,)),
        DEAR: Entry("dear", "Dear", PLOY, 2, Whose.OWN, (Phase.MOVEMENT,)),
        SALVO: Entry("salvo", "Salvo", PLOY, 1, Whose.OWN, (Phase.MOVEMENT,)),
        STEADY: Entry("steady", "Steady", PLOY, 1, Whose.OWN, (Phase.SHOOTING,)),
    },
    offered={**NINTH_EDITION.stratagems.offered, **OFFERED},
)


class Used(UseStratagem):
    """It can be used on any unit of its player and does nothing."""

    def units(self, g, unit, player):
        return [row for row in g.units_of(player) if g.units.alive[row]]

    def use(self, g, f, unit):
        pass


class Windfall(Used):
    """Its player gains 3 CP."""

    name, stratagem = "windfall", WINDFALL

    def use(self, g, f, unit):
        stratagem_cp(g, g.units.owner[unit], unit, 3)


class March(Used):
    name, stratagem = "march", MARCH


class Dear(Used):
    name, stratagem = "dear", DEAR


class Salvo(Used):
    """The unit shoots as if it were its Shooting phase."""

    name, stratagem = "salvo", SALVO

    def units(self, g, unit, player):
        forget_targets(g)
        return ready_to_shoot(g, player)

    def use(self, g, f, unit):
        g.push(Shoot, unit)


class Steady(Used):
    name, stratagem = "steady", STEADY


class MoreStratagems(NinthEdition):
    """The 9th edition with the five Stratagems of this module."""

    stratagems = BOOK
    rule_ids = replace(
        NINTH_EDITION.rule_ids,
        others={**NINTH_EDITION.rule_ids.others, **{f"stratagem.{name}": "w9.stratagem.use" for name in NAMES}},
    )

    def __init__(self):
        Edition.__init__(self, PROCEDURES, (*KINDS, Windfall, March, Dear, Salvo, Steady))


MORE = MoreStratagems()


def scene_of(gun=None):
    """A unit of either player, out of each other's reach; with guns in range of each other."""
    scene = NinthScene(edition=MORE)
    weapons = {"gun": gun} if gun else None
    far = (50, 40) if gun is None else (14, 32)
    mine = scene.unit(0, sheet("Mine", weapons=weapons), at=[(10 + 1.5 * k, 10) for k in range(5)])
    theirs = scene.unit(1, sheet("Theirs", weapons=weapons, W=5), at=[far])
    return scene, mine, theirs


def only(*names, **rules):
    """Rules of a battle in which only these Stratagems are in play."""
    off = dict.fromkeys((*NINTH_EDITION.stratagems.names, *NAMES), "off")
    return {"stratagems": {**off, **dict.fromkeys(names, "ask")}, **rules}
