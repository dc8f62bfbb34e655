"""Whose phase it is, acting as if it were another phase, and spending Command points (w9.round.active-player, .out-of-phase,
w9.command.cp-pool), shown by Stratagems of an edition that is the 9th with four more of them."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest
from ninth import NinthScene

from wh_env.rulesets.w9.classes import KINDS, PROCEDURES
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w9.ruleset import NINTH_EDITION, NinthEdition
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.reaction.book import Category, Entry, Moment, Whose
from wh_env.rulesets.w40k.reaction.windows import UseStratagem
from wh_env.rulesets.w40k.shoot.declare import forget_targets
from wh_env.rulesets.w40k.shoot.phase import Shoot, ready_to_shoot
from wh_env.testing import choose, kind, pick, ranged, sheet, told

MARCH, DEAR, SALVO, STEADY = 12, 13, 14, 15
PLOY = Category.STRATEGIC_PLOY
OFFERED = {
    Moment.ENDS_MOVE: (MARCH, DEAR),
    Moment.MOVEMENT_ENDS: (SALVO,),
    Moment.TARGETS_SELECTED: (STEADY,),
}
BOOK = replace(
    NINTH_EDITION.stratagems,
    table={
        **NINTH_EDITION.stratagems.table,
        MARCH: Entry("march", PLOY, 1, Whose.OWN, (Phase.MOVEMENT,)),
        DEAR: Entry("dear", PLOY, 2, Whose.OWN, (Phase.MOVEMENT,)),
        SALVO: Entry("salvo", PLOY, 1, Whose.OWN, (Phase.MOVEMENT,)),
        STEADY: Entry("steady", PLOY, 1, Whose.OWN, (Phase.SHOOTING,)),
    },
    offered={**NINTH_EDITION.stratagems.offered, **OFFERED},
)


class Used(UseStratagem):
    """It can be used on any unit of its player and does nothing."""

    def units(self, g, unit, player):
        return [row for row in g.units_of(player) if g.units.alive[row]]

    def use(self, g, f, unit):
        pass


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
    """The 9th edition with the four Stratagems of this module."""

    stratagems = BOOK
    rule_ids = MappingProxyType(
        {
            **NINTH_EDITION.rule_ids,
            **{f"stratagem.{name}": "w9.stratagem.use" for name in ("march", "dear", "salvo", "steady")},
        }
    )

    def __init__(self):
        Edition.__init__(self, PROCEDURES, (*KINDS, March, Dear, Salvo, Steady))


MORE = MoreStratagems()
ONLY = dict.fromkeys(NINTH_EDITION.stratagems.names, "off")


def scene_of(gun=None):
    """A unit of either player, out of each other's reach; with guns in range of each other."""
    scene = NinthScene(edition=MORE)
    weapons = {"gun": gun} if gun else None
    far = (50, 40) if gun is None else (14, 32)
    mine = scene.unit(0, sheet("Mine", weapons=weapons), at=[(10 + 1.5 * k, 10) for k in range(5)])
    theirs = scene.unit(1, sheet("Theirs", weapons=weapons, W=5), at=[far])
    return scene, mine, theirs


def off(*names):
    return {"stratagems": {**ONLY, **dict.fromkeys(names, "off")}}


# ---------------------------------------------------------------- whose phase


@pytest.mark.rule("w9.round.active-player")
def test_your_movement_phase_is_one_of_your_own_turn():
    """In battle round 2 both players have 1 CP and more: each is offered it in the own Movement phase alone."""
    scene, _, _ = scene_of()
    battle = scene.battle("movement", round=2, cp=(5, 5), rules=off("dear", "salvo", "steady"))
    first = []
    while battle.clock.round[0] == 2 and not battle.over:
        if kind(battle) == "march":
            first.append((battle.decision.player, battle.clock.turn[0], battle.clock.phase[0]))
            choose(battle, "done")
            continue
        if kind(battle) == "move-kind":
            pick(battle, "Normal move")
            continue
        battle.apply(battle.first_legal())
    assert first == [(0, 0, Phase.MOVEMENT), (1, 1, Phase.MOVEMENT)]


# ---------------------------------------------------------------- out of phase

RAPID = ranged(24, A=1, BS=2, S=8, AP=-6, abilities=["Rapid Fire 1"])


@pytest.mark.rule("w9.round.out-of-phase")
@pytest.mark.parametrize(("move", "dice", "attacks"), [("Normal move", [], 5), ("Advance", [3], 0)])
def test_what_holds_in_that_phase_holds_for_the_action(move, dice, attacks):
    """Shooting at the end of the Movement phase: five Rapid Fire weapons after a Normal move, none after an Advance."""
    scene, _, _ = scene_of(RAPID)
    battle = scene.battle("movement", cp=(5, 5), dice=[*dice, *[1] * 20], rules=off("march", "dear"))
    pick(battle, move)
    choose(battle, "cell", battle.setup.space.grid**2 // 2)  # it stays in range
    if attacks:
        assert (kind(battle), battle.clock.phase[0]) == ("salvo", Phase.MOVEMENT)
        choose(battle, "own", 0)
    assert told(battle, "w9.move.advance" if attacks == 0 else "w9.move.normal")
    assert len(told(battle, "w9.attack.hit")) == attacks
    assert battle.players.cp[0] == 5 - (attacks > 0)


@pytest.mark.rule("w9.round.out-of-phase")
def test_stratagems_of_that_phase_cannot_be_used_for_it():
    """The Stratagem "use in your Shooting phase" is offered when the unit shoots then, not when it does before."""
    scene, _, _ = scene_of(RAPID)
    battle = scene.battle("movement", cp=(5, 5), dice=[1] * 20, rules=off("march", "dear"))
    pick(battle, "Stationary")
    assert kind(battle) == "salvo"
    choose(battle, "own", 0)
    assert len(told(battle, "w9.attack.hit")) == 5
    assert kind(battle) == "select-to-shoot"
    pick(battle, "Mine")
    assert (kind(battle), battle.clock.phase[0]) == ("steady", Phase.SHOOTING)


# ---------------------------------------------------------------- the pool


@pytest.mark.rule("w9.command.cp-pool")
@pytest.mark.parametrize(("cp", "offered"), [(1, False), (2, True), (3, True)])
def test_only_what_the_pool_holds_can_be_spent(cp, offered):
    """A Stratagem of 2 CP."""
    scene, _, _ = scene_of()
    battle = scene.battle("movement", cp=(cp, 0), rules=off("march", "salvo", "steady"))
    pick(battle, "Normal move")
    battle.apply(battle.first_legal())
    assert (kind(battle) == "dear") is offered
    if offered:
        choose(battle, "own", 0)
    assert battle.players.cp[0] == cp - (2 if offered else 0)


@pytest.mark.rule("w9.command.cp-pool")
def test_each_player_spends_from_a_pool_of_their_own():
    """1 CP buys one march; the second move of the phase offers none, and the other player still has 1."""
    scene, _, _ = scene_of()
    scene.unit(0, sheet("Second"), at=(20, 20))
    battle = scene.battle("movement", cp=(1, 1), rules=off("dear", "salvo", "steady"))
    pick(battle, "Mine")
    pick(battle, "Normal move")
    battle.apply(battle.first_legal())
    assert kind(battle) == "march"
    choose(battle, "own", 0)
    assert tuple(battle.players.cp) == (0, 1)
