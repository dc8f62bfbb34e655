"""Dice of rules that are no attacks, and single dice of sums, that the Underdog makes again (w8.mission.command-rerolls.use)."""

from __future__ import annotations

import pytest
from eighth import EighthScene

from wh_env.core.validation import contradictions
from wh_env.rulesets.w8.mission.state import Primary
from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import choose, dice_left, kind, pick, ranged, sheet, slots, told

ASK = {"stratagems": {"command-re-roll": "ask"}}
PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")
SIDES = pytest.mark.parametrize("player", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
USE = pytest.mark.rule("w8.mission.command-rerolls.use")
OFFERS = ("command-re-roll", "command-re-roll-die")


def turned(player, x, y):
    return (x, y) if player == 0 else (60 - x, 44 - y)


def points(player, number=1):
    return (number, 0) if player == 0 else (0, number)


def again(battle, faces, face, player=None):
    """The dice that are offered, by their faces; the one with this face is rolled again (0: none is)."""
    assert kind(battle) in OFFERS
    assert slots(battle, "number") == faces
    assert player is None or battle.decision.player == player
    if face:
        choose(battle, "number", face)
    else:
        battle.apply(battle.decision.options[0])


def wounds(battle, unit):
    first, count = battle.units.first[unit], battle.units.count[unit]
    return sum(battle.models.wounds[k] for k in range(first, first + count))


def cast(dice, player, detail, cp, W=4, fnp=None):
    """A psyker with W wounds attempts Smite at an enemy 10" away."""
    scene = EighthScene()
    data = sheet("Caster", W=W, keywords=PSYKER)
    caster = scene.unit(player, data, at=turned(player, 30, 10), psychic=PsychicProfile(1, 0))
    scene.unit(player, sheet("Friend", W=9), at=turned(player, 32, 10))
    enemy = scene.unit(1 - player, sheet("Enemy", W=20, fnp=fnp), at=turned(player, 30, 21))
    battle = scene.battle("psychic", active=player, dice=dice, detail=detail, rules=ASK, cp=cp)
    pick(battle, "Caster")
    return battle, caster, enemy


@USE
@SIDES
@DETAILS
def test_the_d3_of_smite(player, detail):
    """A test of 5 is kept; the D3 is a 1 (1), then a 6 (3)."""
    battle, _, enemy = cast([2, 3, 1, 6], player, detail, points(player))
    again(battle, [2, 3], 0, player)
    again(battle, [1], 1, player)
    assert wounds(battle, enemy) == 17
    assert battle.players.cp[player] == 0
    assert dice_left(battle) == 0


@USE
@SIDES
@DETAILS
def test_the_d3_of_perils_and_of_the_explosion(player, detail):
    """Perils of 3 wounds slay the psyker; of those for the friend 1" away the die of 6 becomes a 1."""
    battle, caster, _ = cast([1, 1, 5, 6, 1], player, detail, points(player), W=3)
    again(battle, [1], 0, player)
    again(battle, [5], 0, player)
    assert wounds(battle, caster) == 0
    again(battle, [6], 6, player)
    friend = battle.setup.names["units"].index("Friend")
    assert wounds(battle, friend) == 8
    assert battle.players.cp[player] == 0


@USE
@pytest.mark.rule("w8.mission.command-rerolls.own-dice")
@SIDES
@DETAILS
def test_a_wound_that_is_not_ignored(player, detail):
    """Smite of 2: the enemy ignores wounds on 5+, rolls a 4 that becomes a 5, then a 3 that cannot be rolled again."""
    battle, _, enemy = cast([3, 4, 3, 4, 5, 3], player, detail, points(1 - player), fnp=5)
    again(battle, [4], 4, 1 - player)
    assert wounds(battle, enemy) == 19
    assert battle.players.cp[1 - player] == 0
    assert dice_left(battle) == 0


def shot(gun, dice, player, detail, cp, foe=None):
    """A gun shoots at an enemy of 20 wounds, whose save always fails, unless ``foe`` says otherwise."""
    scene = EighthScene()
    scene.unit(player, sheet("Gunner", models=(1, 1), weapons={"gun": gun}), at=turned(player, 20, 20))
    scene.unit(player, sheet("Friend", W=9), at=turned(player, 23, 28))
    data = foe or sheet("Foe", W=20, Sv=7)
    target = scene.unit(1 - player, data, at=turned(player, 20, 30), models=1)
    scene.unit(1 - player, sheet("Rest"), at=turned(player, 50, 40))
    battle = scene.battle("shooting", active=player, dice=dice, detail=detail, rules=ASK, cp=cp)
    pick(battle, "Gunner", kind="select-to-shoot")
    while kind(battle) in ("shoot-target", "weapon-target"):
        battle.apply(battle.decision.options[-1])
    return battle, target


@USE
@SIDES
@DETAILS
def test_one_die_of_a_damage_roll(player, detail):
    """2D6 Damage of 1 and 5: the 1 becomes a 4."""
    battle, target = shot(ranged(24, BS=2, S=9, AP=-3, D="2D6"), [6, 6, 1, 1, 5, 4], player, detail, points(player))
    again(battle, [6], 0)
    again(battle, [6], 0)
    again(battle, [1, 5], 1)
    assert wounds(battle, target) == 11
    assert dice_left(battle) == 0


@USE
@SIDES
@DETAILS
def test_one_die_of_a_number_of_attacks_and_of_a_strength(player, detail):
    """2D6 attacks of 1 and 1, of which one becomes a 2; Strength 2D6 of 1 and 2: the 1 becomes a 6."""
    dice = [1, 1, 2, 6, 1, 1, 1, 2, 6, 5, 1]
    battle, target = shot(ranged(24, A="2D6", BS=2, S="2D6"), dice, player, detail, points(player, 2))
    again(battle, [1], 1)
    again(battle, [1], 0)
    again(battle, [1, 6], 0)
    again(battle, [1, 2], 1)
    assert wounds(battle, target) == 19  # Strength 8 against 4
    assert dice_left(battle) == 0


@USE
@SIDES
@DETAILS
def test_several_dice_of_a_batch_as_long_as_there_are_rerolls(player, detail):
    """Three shots of 1, 1 and 2 that hit on 3+: both ones are made again, one of them stays a 1 for good."""
    dice = [1, 1, 2, 1, 6, 6, 1]
    battle, target = shot(ranged(24, A=3, BS=3, S=9), dice, player, detail, points(player, 3))
    again(battle, [1, 2], 1)
    again(battle, [1, 2], 1)
    again(battle, [2], 0)
    again(battle, [6], 0)
    assert wounds(battle, target) == 19
    assert battle.players.cp[player] == 1


@USE
@pytest.mark.rule("w8.mission.command-rerolls.own-dice")
@SIDES
@DETAILS
def test_the_die_and_the_wounds_of_a_burst(player, detail):
    """A vehicle is destroyed; its player makes the 5 again, which becomes a 6, and the D3 of a unit near it."""
    tank = sheet("Tank", W=6, Sv=7, keywords=("VEHICLE",), abilities={"deadly_demise": "D3"})
    gun = ranged(24, BS=2, S=18, AP=-3, D=6)
    battle, tank = shot(gun, [6, 6, 1, 5, 6, 1, 5], player, detail, points(1 - player, 2), foe=tank)
    again(battle, [1], 0, 1 - player)  # the save
    again(battle, [5], 5, 1 - player)
    while kind(battle) == "demise-unit":
        pick(battle, "Friend")
    again(battle, [1], 1, 1 - player)
    friend = battle.setup.names["units"].index("Friend")
    assert wounds(battle, friend) == 6
    assert dice_left(battle) == 0


@USE
@pytest.mark.rule("w8.transport.destroyed.casualties")
@SIDES
@DETAILS
def test_the_dice_of_a_wreck(player, detail):
    """Five get out of a wreck: of two ones that are rolled one is made again; one model is lost."""
    scene = EighthScene()
    scene.unit(
        player, sheet("Gun", weapons={"gun": ranged(30, BS=2, S=18, AP=-3, D=6)}, height=9), at=turned(player, 20, 40)
    )
    scene.unit(player, sheet("Idle", weapons={"gun": ranged(60)}), at=turned(player, 56, 40))
    hull = sheet(
        "Bus", W=6, T=9, Sv=7, models=(1, 1), hull_in=(5, 3), height=9, keywords=("VEHICLE", "TRANSPORT"),
        abilities={"transport": {"capacity": 12, "allowed": ["INFANTRY"]}},
    )  # fmt: skip
    bus = scene.unit(1 - player, hull, at=turned(player, 20, 22), facing=0.0)
    crew = scene.unit(1 - player, sheet("Crew"), models=5, embarked_in=bus)
    scene.unit(1 - player, sheet("Rest"), at=turned(player, 3, 3))
    dice = [6, 6, 1, 1, 3, 1, 6, 2, 4]
    battle = scene.battle("shooting", active=player, dice=dice, detail=detail, rules=ASK, cp=points(1 - player))
    pick(battle, "Gun", kind="select-to-shoot")
    while kind(battle) not in OFFERS:
        battle.apply(battle.decision.options[-1])
    again(battle, [1], 0, 1 - player)  # the save
    while kind(battle) not in OFFERS:
        battle.apply(battle.first_legal())
    again(battle, [1, 2, 3, 6], 1, 1 - player)
    assert sorted(told(battle, "w8.transport.destroyed.casualties")[0]["rolls"]) == [1, 2, 3, 4, 6]
    while kind(battle) == "wreck-loss":
        battle.apply(battle.decision.options[-1])
    assert battle.units.alive[crew] == 4
    assert battle.players.cp[1 - player] == 0


def last_turn(player, dice, cp, **options):
    """The last turn of a battle of Slay and Secure ends; the Warlord of the other player is slain."""
    scene = EighthScene()
    scene.unit(player, sheet("Victor"), at=turned(player, 10, 10))
    scene.unit(1 - player, sheet("Rest"), at=turned(player, 50, 40))
    lords = {
        p: scene.unit(p, sheet(f"Lord {p}"), at=turned(p, 30, 4), place="table" if p == player else "destroyed")
        for p in (0, 1)
    }

    def settle(battle):
        battle.mission.primary[0] = Primary.SLAY_AND_SECURE
        battle.mission.underdog[0] = 1 + player
        for p, lord in lords.items():
            battle.warlords.model[p] = lord.model(0) + 1

    return scene.battle("morale", active=1, round=5, dice=dice, cp=cp, rules={**ASK, **options}, set_state=settle)


@USE
@pytest.mark.rule("w8.mission.primary.slay-and-secure")
@SIDES
@DETAILS
@pytest.mark.parametrize(("face", "vp"), [(1, 3), (0, 1)])
def test_the_d3_for_a_slain_warlord_once_the_battle_is_over(player, detail, face, vp):
    battle = last_turn(player, [1, 6], points(player), detail=detail)
    assert not battle.over
    assert list(contradictions(battle)) == []
    again(battle, [1], face, player)
    assert battle.over
    assert battle.players.vp[player] == vp
    assert battle.result.winner == player


@USE
@SIDES
def test_nobody_is_asked_for_it_without_a_reroll(player):
    battle = last_turn(player, [4], (0, 0), detail="full")
    assert battle.over
    assert battle.players.vp[player] == 2


@USE
@pytest.mark.rule("w8.concepts.sequencing.out-of-turn", "w8.concepts.roll-off")
@SIDES
def test_the_die_of_a_roll_off(player):
    """Two rules are due as a battle round starts. The Underdog's 2 against a 4 becomes a 5: the Underdog orders them."""
    scene = EighthScene()
    for p in (0, 1):
        unit = scene.unit(p, sheet("Hurt", W=4), at=turned(p, 10, 10), wounds=[1], name=f"Hurt {p}")
        scene.rule(TimedRule(f"rule {p}", "round-start", p, "heal", unit, 1))
    dice = [4, 2, 5]
    battle = scene.battle("morale", active=1, round=1, dice=dice, cp=points(player), detail="full", rules=ASK)
    again(battle, [2], 2, player)
    assert (kind(battle), battle.decision.player) == ("due-order", player)
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.shoot.rapid-fire")
@SIDES
@pytest.mark.parametrize("cp", [(0, 0), (1, 0), (0, 1)])
def test_rapid_fire_with_dice_makes_all_its_attacks_whoever_may_roll_again(cp, player):
    """A D6 and Rapid Fire D6 at 8": two dice of 4 are eight attacks."""
    scene = EighthScene()
    gun = sheet(
        "Gunner", models=(1, 1), weapons={"gun": ranged(24, A="D6", BS=3, S=4, D=1, abilities=["Rapid Fire D6"])}
    )
    scene.unit(player, gun, at=turned(player, 20, 20))
    scene.unit(1 - player, sheet("Target", W=30), at=turned(player, 20, 29), models=1)
    shares = cp if player == 0 else cp[::-1]
    battle = scene.battle("shooting", active=player, dice=[4, 4, *[1] * 8], cp=shares, rules=ASK)
    while battle.decision is not None and battle.clock.phase[0] == 3:
        decline = kind(battle) in OFFERS
        battle.apply(battle.decision.options[0 if decline else -1])
    assert len(told(battle, "w8.attack.hit")) == 8
    assert dice_left(battle) == 0
