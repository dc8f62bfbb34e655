"""Characters in units where models charge, duel and fall: impact hits of their mounts and on them, duels to the end of
the round, killing blows."""

from __future__ import annotations

from typing import Any

import pytest
from charging import HOLD, charge, over, react
from heroes import HORSE, hero, rider

from wh_env import Battle
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.wap.basics.declared_charges import enter
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.challenges.duels import begin_duel
from wh_env.rulesets.wap.codes import CHARGED
from wh_env.testing import choose, kind, pick, script, slots, told
from wh_env.testing.play import dice_left
from wh_env.testing.wap import NORTH, WEST, RegimentScene, UnitHandle, fight, fight_again, other_combats, square
from wh_env.testing.wap import fought as before_pursuit

NUMBER, HIT, WOUND = "wap.special.impact-hits.number", "wap.combat.hit.roll", "wap.combat.wound.roll"
MISSES = [1] * 40
BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
BOTH_DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])


def fought(scene: RegimentScene, unit: UnitHandle, dice: list[int], **fields: Any) -> Battle:
    """One round of the combat of a unit, in its player's turn."""
    return fight(scene.battle("combat", player=unit.player, dice=dice, run=False, **fields), unit)


def wound_rolls(battle: Battle) -> list[tuple[int, int, int]]:
    """Target, what dice to wound needed, how many there were."""
    return [(event["target"], event["needed"], event["amount"]) for event in told(battle, WOUND)]


# ---------------------------------------------------------------- impact hits of mounts of characters


@BOTH_PLAYERS
@BOTH_DETAILS
@pytest.mark.rule("wap.special.impact-hits.when", "wap.troop.cavalry.rules", "wap.special.impact-hits.strength")
@pytest.mark.parametrize(("rules", "dice", "number"), [([], [], 1), (["Impact Hits (D3)"], [6], 3)])
def test_the_mount_of_a_character_in_infantry_makes_impact_hits(
    player: int, detail: str, rules: list[str], dice: list[int], number: int
) -> None:
    """Infantry has none, the horse of the character among it does, by its own Strength of 5."""
    scene = RegimentScene()
    own = scene.unit(player, square(a=0), (24, 24), models=10, files=5, charging=1)
    lord = rider(a=0, s=3, mount={**HORSE, "s": 5, "a": 0}, mount_rules=rules)
    scene.unit(player, lord, inside=own, models=1, post=2)
    foe = scene.beside(own, 1 - player, square(a=0), models=15, files=5)
    battle = fought(scene, own, [*dice, *[2] * number], detail=detail)
    assert [(e["amount"], e["targets"]) for e in told(battle, NUMBER)] == [(number, (foe.row,))]
    assert wound_rolls(battle) == [(foe.row, 2, number)] and battle.units.alive[foe] == 15 - number
    assert dice_left(battle) == 0 and battle.units.dealt[own] == number


@pytest.mark.rule("wap.special.impact-hits.when")
def test_cavalry_and_the_mount_of_a_character_each_by_its_own_strength() -> None:
    """Five horsemen and a character: five hits, and one of his horse."""
    scene = RegimentScene()
    card = square(type="cavalry", base_mm=[25.4, 50.8], a=0, mount={**HORSE, "a": 0})
    own = scene.unit(0, card, (24, 24), models=5, files=6, charging=1)
    scene.unit(0, rider(a=0, mount={**HORSE, "s": 4, "a": 0}), inside=own, models=1, post=0)
    foe = scene.beside(own, 1, square(a=0), models=20, files=10)
    battle = fought(scene, own, MISSES)
    assert [e["amount"] for e in told(battle, NUMBER)] == [5, 1]
    assert wound_rolls(battle) == [(foe.row, 4, 5), (foe.row, 3, 1)]


@BOTH_PLAYERS
@pytest.mark.rule("wap.special.impact-hits.distribution")
def test_who_touches_nobody_but_a_character_hits_the_unit(player: int) -> None:
    scene = RegimentScene()
    own = scene.unit(player, square(base_mm=[20, 20], rules=["Impact Hits (2)"], a=0), (24, 24), models=1, charging=1)
    foe = scene.beside(own, 1 - player, square(a=0), models=14, files=5)
    lord = scene.unit(1 - player, hero(a=0), inside=foe, models=1, post=2)
    battle = fought(scene, own, [6, 6])
    assert wound_rolls(battle) == [(foe.row, 4, 2)]
    assert battle.units.alive[foe] == 12 and battle.units.alive[lord] == 1


# ---------------------------------------------------------------- impact hits on characters


def run_over(
    player: int, soldiers: int, die: int, detail: str, dice: list[int] | None = None
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A chariot charges a few soldiers and a character."""
    scene = RegimentScene()
    card = square(type="chariot", base_mm=[50.8, 50.8], s=5, a=0, w=4)
    own = scene.unit(player, card, (24, 24), models=1, files=1, charging=1)
    foe = scene.beside(own, 1 - player, square(a=0), models=soldiers, files=soldiers + 1)
    lord = scene.unit(1 - player, hero(a=0, w=3, t=5), inside=foe, models=1, post=0)
    return fought(scene, own, [die, *(dice or MISSES)], detail=detail), foe, lord


@BOTH_PLAYERS
@pytest.mark.rule("wap.special.impact-hits.distribution")
def test_six_hits_on_three_soldiers_and_a_character(player: int) -> None:
    """Soldiers first, but nobody takes a second one before the character has taken his: five and one, each against its
    own Toughness."""
    battle, foe, lord = run_over(player, 3, 6, "squad", [1, 1, 1, 1, 1, 6])
    assert sorted(wound_rolls(battle)) == sorted([(foe.row, 2, 5), (lord.row, 4, 1)])
    assert battle.units.alive[foe] == 3 and battle.models.wounds[lord.model()] == 2 and dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.special.impact-hits.distribution", "wap.character.shooting.few-left")
def test_who_is_hit_says_who_takes_which(player: int) -> None:
    """Six hits: the character takes one of the first four, and one of the last two if his player likes."""
    battle, foe, lord = run_over(player, 3, 6, "full")
    offered = []
    while kind(battle) == "take-hit":
        assert battle.clock.player[0] == 1 - player
        offered.append(slots(battle, "own"))
        choose(battle, "own", lord.number if lord.number in offered[-1] else foe.number)
    assert offered[0] == [foe.number, lord.number] and len(offered) == 2
    assert sorted(wound_rolls(battle)) == sorted([(foe.row, 2, 4), (lord.row, 4, 2)])


@BOTH_PLAYERS
@BOTH_DETAILS
@pytest.mark.rule("wap.special.impact-hits.distribution")
def test_five_soldiers_take_all_hits(player: int, detail: str) -> None:
    battle, foe, _ = run_over(player, 5, 6, detail)
    assert wound_rolls(battle) == [(foe.row, 2, 6)]


@pytest.mark.rule("wap.challenge.fight.protected")
def test_who_duels_takes_no_impact_hit() -> None:
    scene = RegimentScene((60, 48))
    foe = scene.unit(1, square(a=0), (24, 24), models=3, files=4)
    rival = scene.unit(1, hero(a=0), inside=foe, models=1, post=1)
    own = scene.beside(foe, 0, square(a=0), models=10, files=5)
    lord = scene.unit(0, hero(a=0), inside=own, models=1, post=2)
    card = square(type="chariot", base_mm=[25.4, 25.4], s=5, a=0, w=4)
    scene.unit(0, card, (26, 24.5), facing=WEST, models=1, files=1, charging=1)
    battle = scene.battle("combat", dice=[6, *MISSES], run=False)
    begin_duel(battle, lord.row, rival.row)
    fight(battle, own)
    assert wound_rolls(battle) == [(foe.row, 2, 6)]


# ---------------------------------------------------------------- duels


def duel(
    player: int, dice: list[int], *, lord: dict[str, Any], rival: dict[str, Any], soldiers: int = 0,
    detail: str = "squad", own_models: int = 14,
) -> tuple[Battle, dict[str, UnitHandle]]:  # fmt: skip
    """Two characters in two units front to front who duel; ``soldiers``: Attacks of the rival's comrades."""
    scene = RegimentScene((60, 48))
    own = scene.unit(player, square(a=0), (24, 24), models=own_models, files=5)
    found = {"own": own, "lord": scene.unit(player, lord, inside=own, models=1, post=2)}
    foe = found["foe"] = scene.beside(own, 1 - player, square(a=soldiers), models=14, files=5)
    found["rival"] = scene.unit(1 - player, rival, inside=foe, models=1, post=2)
    battle = scene.battle("combat", player=player, dice=dice, run=False, detail=detail)
    begin_duel(battle, found["lord"].row, found["rival"].row)
    return battle, found


def hit_rolls(battle: Battle, unit: UnitHandle) -> list[int]:
    """The targets of the attacks of a unit and of those who have joined it, in order."""
    return [event["target"] for event in told(battle, HIT) if event["unit"] == unit.row]


@BOTH_PLAYERS
@BOTH_DETAILS
@pytest.mark.rule("wap.challenge.fight.protected")
def test_nobody_strikes_at_the_victor_in_that_round(player: int, detail: str) -> None:
    """Soldiers at Initiative 3 touch him, whose rival he has slain at 9; in the next round they may strike him."""
    dice = [6, 6, *MISSES]
    battle, at = duel(player, dice, lord=hero(a=1, i=9), rival=hero(a=0, w=1), soldiers=1, detail=detail)
    fight(battle, at["own"])
    assert battle.units.place[at["rival"]] == DESTROYED
    assert kind(battle) != "strike-target"
    assert hit_rolls(battle, at["own"]) == [at["rival"].row] and hit_rolls(battle, at["foe"]) == [at["own"].row]
    assert not list(battle.setup.ruleset.contradictions(battle))
    fight_again(battle, at["own"], [1] * 40)
    while kind(battle) == "strike-share":
        battle.apply(battle.first_legal())
    assert kind(battle) == "strike-target" and at["lord"].number in slots(battle, "enemy")


@BOTH_PLAYERS
@BOTH_DETAILS
@pytest.mark.rule("wap.challenge.fight.attacks", "wap.challenge.overkill.counting")
def test_the_slower_mount_strikes_at_the_rival_whom_its_rider_has_slain(player: int, detail: str) -> None:
    """What it does to him counts as overkill, and is nobody else's loss."""
    lord = rider(a=1, i=9, mount={**HORSE, "a": 2, "ws": 3, "s": 3, "i": 3})
    battle, at = duel(player, [6, 6, 6, 6, 6, 6], lord=lord, rival=hero(a=0, w=1), detail=detail)
    fight(battle, at["own"])
    assert hit_rolls(battle, at["own"]) == [at["rival"].row] * 2 and dice_left(battle) == 0
    assert battle.units.overkill[at["own"]] == 2 and battle.units.dealt[at["own"]] == 1
    assert battle.units.alive[at["foe"]] == 14


@pytest.mark.rule("wap.challenge.fight.attacks")
def test_so_does_that_of_who_is_alone_with_his_rival() -> None:
    scene = RegimentScene()
    lord = scene.unit(0, rider(a=1, i=9, mount={**HORSE, "a": 1, "i": 3}), (24, 24), models=1)
    rival = scene.beside(lord, 1, hero(a=0, w=1), models=1)
    battle = scene.battle("combat", dice=[6, 6, 6, 6], run=False)
    begin_duel(battle, lord.row, rival.row)
    fight(battle, lord)
    assert hit_rolls(battle, lord) == [rival.row] * 2 and battle.units.overkill[lord] == 1


@BOTH_PLAYERS
@pytest.mark.rule("wap.challenge.fight.protected", "wap.challenge.fight.attacks")
def test_stomps_fall_on_the_unit_and_never_on_who_duels(player: int) -> None:
    """A monster touches a character who duels with somebody else: it is not asked whom it stomps on."""
    scene = RegimentScene((60, 48))
    own = scene.unit(player, square(a=0), (24, 20), models=10, files=5)
    lord = scene.unit(player, hero(a=0), inside=own, models=1, post=4)
    foe = scene.beside(own, 1 - player, square(a=0), models=10, files=5)
    rival = scene.unit(1 - player, hero(a=0), inside=foe, models=1, post=0)
    beast = square(type="monster", base_mm=[50.8, 50.8], a=0, s=5, w=5)
    monster = scene.beside(foe, player, beast, side=1, along=0.5, models=1)
    battle = scene.battle("combat", player=player, dice=[4, *MISSES], run=False)
    begin_duel(battle, lord.row, rival.row)
    fight(battle, monster)
    assert kind(battle) != "strike-target"
    assert [event["target"] for event in told(battle, "wap.special.stomp")] == [foe.row]


@BOTH_PLAYERS
@pytest.mark.rule("wap.challenge.overkill", "wap.challenge.overkill.counting")
def test_overkill_counts_whose_unit_falls_in_that_round(player: int) -> None:
    """The lord slays his rival twice over; then the only one of his soldiers falls, and he is a unit by himself."""
    lord, rival = hero(a=3, i=9), hero(a=0, w=1)
    battle, at = duel(player, [6] * 26, lord=lord, rival=rival, soldiers=1, own_models=1)
    battle.run()
    while kind(battle) is not None and not told(battle, "wap.result.sum"):
        battle.apply(battle.first_legal())
    sums = {event["player"]: event["overkill"] for event in told(battle, "wap.result.sum")}
    assert battle.units.alive[at["own"]] == 0 and battle.units.place[at["lord"]] == ON_TABLE
    assert sums[player] == 2 and sums[1 - player] == 0
    state = {event["unit"]: event for event in told(battle, "wap.result.state")}
    assert state[at["lord"].row]["own"] == 1 + 2 and state[at["lord"].row]["wounds"] == 1


@BOTH_PLAYERS
@pytest.mark.rule("wap.challenge.overkill")
def test_overkill_counts_of_who_falls_with_his_rival(player: int) -> None:
    """Two lone characters slay each other at one step: the one has dealt three Wounds to a rival with one, the other
    one."""
    scene = RegimentScene()
    one = scene.unit(player, hero(a=3, w=1), (24, 24), models=1)
    two = scene.beside(one, 1 - player, hero(a=1, w=1), models=1)
    friend = scene.beside(two, player, square(a=0), side=1, models=10, files=5)
    battle = scene.battle("combat", player=player, dice=[6] * 8, run=False)
    begin_duel(battle, one.row, two.row)
    battle.run()
    while kind(battle) is not None and not told(battle, "wap.result.sum"):
        battle.apply(battle.first_legal())
    sums = {event["player"]: (event["wounds"], event["overkill"]) for event in told(battle, "wap.result.sum")}
    assert sums == {player: (1, 2), 1 - player: (1, 0)} and battle.units.alive[friend] == 10


# ---------------------------------------------------------------- whom a charge was on, whom a pursuit is after


@BOTH_PLAYERS
@pytest.mark.rule("wap.weapon.melee.lance", "wap.special.strength-bonus.weapon")
def test_lances_are_none_against_who_was_not_charged_once_the_charged_are_gone(player: int) -> None:
    """Two enemies stand before the knights, who have charged one of them; he falls to the impact hits."""
    scene = RegimentScene()
    card = square(type="cavalry", s=3, a=1, equipment=["hand weapon", "lance"])
    own = scene.unit(player, card, (24, 24), models=4, files=4, charging=1, did=CHARGED)
    charged = scene.beside(own, 1 - player, square(a=0), along=1.5, models=1, files=1)
    other = scene.beside(own, 1 - player, square(a=0), along=-1.0, models=10, files=2)

    def set_state(battle: Battle) -> None:
        enter(battle, own.row, charged.row, 0)

    battle = scene.battle("combat", player=player, dice=[6, 6, *[6] * 20], run=False, set_state=set_state)
    fight(battle, own)
    assert battle.units.place[charged] == DESTROYED
    needed = {target: need for target, need, _ in wound_rolls(battle)}
    assert needed == {charged.row: 4, other.row: 4}


@BOTH_PLAYERS
@pytest.mark.rule("wap.character.unit-destroyed.new-unit", "wap.weapon.melee.lance")
@pytest.mark.parametrize(("at", "needed"), [(0, 2), (1, 4)])
def test_a_character_whose_unit_has_fallen_has_charged_whom_it_charged(player: int, at: int, needed: int) -> None:
    """The charge was on one enemy, another one stands before him as well: his lance is one against the first alone."""
    scene = RegimentScene()
    card = square(type="cavalry", base_mm=[25.4, 25.4], s=3, a=1, i=3)
    own = scene.unit(player, card, (24, 24), models=1, files=2, charging=1, did=CHARGED)
    lance = hero(type="cavalry", s=3, a=1, i=3, equipment=["hand weapon", "lance"])
    lord = scene.unit(player, lance, inside=own, models=1, post=0)
    charged = scene.beside(own, 1 - player, square(a=0), along=-1.0, models=2, files=2)
    other = scene.beside(own, 1 - player, square(a=0), along=1.0, models=2, files=2)

    def set_state(battle: Battle) -> None:
        enter(battle, own.row, charged.row, 0)

    battle = scene.battle("combat", player=player, run=False, set_state=set_state, dice=[1, 6, 6])
    suffer(battle, own.row, 1)
    assert battle.units.place[lord] == ON_TABLE and battle.units.fights[lord] == 2
    fight(battle, lord)
    assert wound_rolls(battle) == [(charged.row, 4, 1)]  # of the impact hit
    assert kind(battle) == "strike-target" and slots(battle, "enemy") == [charged.number, other.number]
    foe = (charged, other)[at]
    choose(battle, "enemy", foe.number)
    assert wound_rolls(battle)[1:] == [(foe.row, needed, 1)]


@BOTH_PLAYERS
@pytest.mark.rule("wap.pursuit.move", "wap.character.unit-destroyed.new-unit")
def test_a_pursuer_goes_after_the_character_whom_his_unit_has_left(player: int) -> None:
    """Three soldiers are caught and cut down; their lord flees on, and their pursuer turns to him and rides him
    down."""
    scene = RegimentScene((60, 60))
    own = scene.unit(player, square(), (24, 30), models=10, files=5)
    foe = scene.beside(own, 1 - player, square(), along=2.0, models=3, files=4)
    lord = scene.unit(1 - player, hero(w=9, m=4), inside=foe, models=1, post=0)
    other_combats(scene)
    state = before_pursuit(won=[own], broken=[foe])
    battle = scene.battle("combat", player=player, dice=[2, 3, 6, 5], set_state=state)
    pick(battle, "pursues")
    assert battle.units.alive[foe] == 0
    [move] = told(battle, "wap.pursuit.move")
    straight = 90.0 if player == 0 else 270.0
    assert move["facing"] % 360 != pytest.approx(straight)
    assert battle.units.prey[own] == lord.row


# ---------------------------------------------------------------- killing blows


@BOTH_PLAYERS
@BOTH_DETAILS
@pytest.mark.rule("wap.special.killing-blow.types", "wap.special.multiple-wounds", "wap.special.general.cumulative")
@pytest.mark.parametrize(
    ("rules", "dice", "lost"),
    [
        (["Multiple Wounds (2)"], [], 2),
        (["Multiple Wounds (D3)"], [6], 3),
        ([], [], 1),
        (["Multiple Wounds (9)"], [], 3),
    ],
)
def test_a_killing_blow_that_does_not_slay_is_a_wound_that_is_multiplied(
    player: int, detail: str, rules: list[str], dice: list[int], lost: int
) -> None:
    """Full plate and Regeneration do not help the ogres against it; other models of theirs do not fall of one blow."""
    scene = RegimentScene()
    own = scene.unit(player, square(i=9, rules=["Killing Blow", *rules]), (24, 24), models=1)
    card = square(type="monstrous infantry", base_mm=[40, 40], w=3, a=0, equipment=["hand weapon", "full plate armour"])
    foe = scene.beside(own, 1 - player, {**card, "rules": ["Regeneration (4+)"]}, models=3, files=1)
    battle = fought(scene, own, [6, 6, *dice], detail=detail)
    assert sum(battle.models.wounds[k] for k in battle.members(foe.row)) == 9 - lost
    assert battle.units.dealt[own] == lost and dice_left(battle) == 0


# ---------------------------------------------------------------- dangerous ground


@BOTH_PLAYERS
@BOTH_DETAILS
@pytest.mark.rule("wap.terrain.dangerous.test", "wap.compulsory.flee.dangerous")
@pytest.mark.parametrize("ground", ["dangerous", "impassable"])
def test_characters_in_a_unit_that_flees_test_as_well(player: int, detail: str, ground: str) -> None:
    """Ten men and a character: eleven dice, of which the last is his."""
    scene = RegimentScene((48, 48))
    unit = scene.unit(player, square(ld=2), (24, 20), models=9, files=5, facing=NORTH, fleeing=1)
    lord = scene.unit(player, hero(ld=2, w=2), inside=unit, models=1, post=2)
    scene.unit(player, None, (4, 6))
    scene.unit(1 - player, None, (40, 46))
    scene.area(ground, 20, 21, 28, 22)
    dice = [6, 6, 6, 5, *[4] * 9, 1]
    battle = scene.battle("movement", player=player, dice=dice, detail=detail)
    assert battle.models.wounds[lord.model()] == 1 and battle.units.alive[unit] == 9
    assert dice_left(battle) == 0


@BOTH_PLAYERS
@BOTH_DETAILS
@pytest.mark.rule("wap.terrain.dangerous.test")
def test_characters_in_a_unit_that_charges_test_as_well(player: int, detail: str) -> None:
    scene = RegimentScene((48, 48))
    way = 1 if player == 0 else -1
    unit = scene.unit(player, square(), (24, 24 - 4 * way), models=9, files=5)
    lord = scene.unit(player, hero(w=2), inside=unit, models=1, post=2)
    foe = scene.unit(1 - player, square(), (24, 24), models=10, files=5)
    scene.area("dangerous", 20, 24 - 2 * way - 0.2, 28, 24 - 2 * way + 0.2)
    battle = scene.battle("movement", player=player, detail=detail)
    charge(battle, unit, foe)
    script(battle, [6, 6, *[4] * 9, 1])
    react(battle, HOLD)
    over(battle)
    while kind(battle) is not None and not told(battle, "wap.terrain.dangerous.test"):
        battle.apply(battle.first_legal())
    tests = [(event["unit"], len(event["dice"])) for event in told(battle, "wap.terrain.dangerous.test")]
    assert tests == [(unit.row, 9), (lord.row, 1)]
    assert battle.models.wounds[lord.model()] == 1 and battle.units.fights[unit] == 1


@BOTH_PLAYERS
@BOTH_DETAILS
@pytest.mark.rule("wap.terrain.dangerous.chariots-and-shrines")
@pytest.mark.parametrize(
    ("troop", "dice", "left"),
    [("chariot", [1, 3], 1), ("chariot", [1, 5], 0), ("chariot", [2], 4), ("shrine", [1, 2], 2), ("monster", [1], 3)],
)
def test_who_fails_on_dangerous_ground_loses_wounds(
    player: int, detail: str, troop: str, dice: list[int], left: int
) -> None:
    scene = RegimentScene((48, 48))
    card = square(type=troop, base_mm=[50.8, 50.8], w=4, ld=2)
    unit = scene.unit(player, card, (24, 24), models=1, files=1, facing=NORTH, fleeing=1)
    scene.unit(player, None, (4, 6))
    scene.unit(1 - player, None, (40, 46))
    scene.area("dangerous", 20, 24.5, 28, 26)
    flight = [2, 3, 1] if troop == "chariot" else [2, 3]
    battle = scene.battle("movement", player=player, dice=[6, 6, *flight, *dice], detail=detail)
    while kind(battle) in ("compulsory-order", "rally-order"):
        battle.apply(battle.first_legal())
    assert battle.models.wounds[unit.model()] == left
    assert dice_left(battle) == 0
