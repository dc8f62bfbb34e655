"""Spells that change shots: dice to hit and to wound, and shots without Ballistic Skill."""

from __future__ import annotations

import pytest
from enchanting import Rite, cast, end_magic, until
from machines import machine

from wh_env import Battle
from wh_env.rulesets.wap.basics.rerolls import Rerolls
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.shooting.hits import roll_to_hit
from wh_env.rulesets.wap.shooting.shots import chance_to_hit
from wh_env.testing import choose, dice_left, kind, pick, told
from wh_env.testing.play import script
from wh_env.testing.wap import UnitHandle, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
DART = {"weapon": "dart", "range": 24, "strength": 3, "rules": []}
BOWS = square(equipment=["hand weapon", "dart"], weapons=[DART])
SHOTS, WOUNDS, SAVES = "wap.shoot.hit.roll", "wap.shoot.wound.roll", "wap.shoot.save.roll"
BLIND = "wap.magic.resolve"


def shoot(battle: Battle, unit: UnitHandle, target: UnitHandle, dice: list[int]) -> None:
    """Go on to the Shooting phase of the unit's player; the unit shoots."""
    end_magic(battle)
    until(
        battle,
        lambda b: (
            b.clock.turn[0] == unit.player and b.clock.phase[0] == Phase.SHOOTING and kind(b) == "select-to-shoot"
        ),
    )
    battle.events.clear()
    script(battle, dice)
    choose(battle, "own", unit.number)
    if kind(battle) == "machine-way":
        choose(battle, "option", 0)
    while kind(battle) in ("shoot-target", "machine-target"):
        choose(battle, "enemy", target.number)


def needed(battle: Battle, rule: str = SHOTS) -> list[tuple[int, int]]:
    """(needed, result) of the rolls."""
    return [(data["needed"], data["result"]) for data in told(battle, rule)]


@OWNERS
@pytest.mark.rule("wap.lore.metal.enchanted-blades-of-aiban", "wap.special.armour-piercing")
def test_enchanted_bows_hit_more_easily_and_do_not_pierce(owner: int) -> None:
    """BS 3 at short range: 3+ in place of 4+. Armour Piercing of a model counts in close combat alone."""
    rite = Rite("metal", owner)
    bows = rite.own(BOWS, (18, 12), models=5)
    foes = rite.enemy(square(equipment=["light armour"]), (18, 24), models=10)
    rite.own(BOWS, (40, 12), models=5)
    battle = rite.battle()
    cast(battle, "Enchanted Blades", bows, 9)
    shoot(battle, bows, foes, [3, 3, 2, 1, 1, 4, 4, 6, 5])
    assert needed(battle) == [(3, 2)]
    assert [data["needed"][0] for data in told(battle, SAVES)] == [6] and battle.units.alive[foes] == 9


@OWNERS
@pytest.mark.rule("wap.lore.fire.flaming-sword-of-rhuin")
def test_arrows_of_the_flaming_sword_wound_more_easily_and_burn(owner: int) -> None:
    rite = Rite("fire", owner)
    bows = rite.own(BOWS, (18, 12), models=5)
    foes = rite.enemy(square(t=4, rules=["Regeneration (4+)"]), (18, 24), models=10)
    battle = rite.battle()
    cast(battle, "Flaming Sword", bows, 8)
    shoot(battle, bows, foes, [4, 4, 4, 1, 1, 4, 3, 1])
    assert needed(battle, WOUNDS) == [(4, 1)]
    assert battle.units.alive[foes] == 9 and not told(battle, SAVES)


@OWNERS
@pytest.mark.rule("wap.lore.beasts.curse-of-anraheir", "wap.lore.metal.transmutation-of-lead")
@pytest.mark.parametrize(
    ("lore", "spell", "total"), [("beasts", "Anraheir", 9), ("metal", "Transmutation of Lead", 12)]
)
def test_hexed_bows_hit_less_easily(owner: int, lore: str, spell: str, total: int) -> None:
    rite = Rite(lore, owner)
    bows = rite.enemy(BOWS, (18, 24), models=5)
    target = rite.own(None, (18, 12), models=10)
    battle = rite.battle()
    cast(battle, spell, bows, total)
    shoot(battle, bows, target, [4, 4, 5, 6, 1])
    assert needed(battle) == [(5, 2)]


@OWNERS
@pytest.mark.rule("wap.lore.light.phas-protection")
def test_the_protected_are_shot_less_easily(owner: int) -> None:
    rite = Rite("light", owner)
    bows = rite.enemy(BOWS, (18, 24), models=5)
    target = rite.own(None, (18, 12), models=10)
    battle = rite.battle()
    cast(battle, "Pha's Protection", target, 6)
    shoot(battle, bows, target, [4, 4, 5, 6, 1])
    assert needed(battle) == [(5, 2)]


@OWNERS
@pytest.mark.rule("wap.lore.heavens.harmonic-convergence")
def test_ones_of_shots_are_rolled_again(owner: int) -> None:
    rite = Rite("heavens", owner)
    bows = rite.own(BOWS, (18, 12), models=5)
    foes = rite.enemy(None, (18, 24), models=10)
    battle = rite.battle()
    cast(battle, "Harmonic", bows, 6)
    shoot(battle, bows, foes, [1, 1, 3, 4, 6, 5, 1, 1, 4, 2, 4])
    assert needed(battle) == [(4, 3)]
    assert needed(battle, WOUNDS) == [(4, 2)]  # 1, 4, 2, and the 1 again as a 4


@OWNERS
@pytest.mark.rule("wap.lore.heavens.curse-of-the-midnight-wind")
def test_sixes_of_shots_are_rolled_again(owner: int) -> None:
    rite = Rite("heavens", owner)
    bows = rite.enemy(BOWS, (18, 24), models=4, files=4)
    target = rite.own(None, (18, 12), models=10)
    battle = rite.battle()
    cast(battle, "Midnight Wind", bows, 10)
    shoot(battle, bows, target, [6, 6, 4, 3, 5, 2, 6, 6, 4, 6])
    assert needed(battle) == [(4, 2)]
    assert needed(battle, WOUNDS) == [(4, 2)] and not dice_left(battle)


@pytest.mark.rule("wap.shoot.hit.seven-plus", "wap.lore.heavens.harmonic-convergence")
def test_both_dice_of_a_difficult_shot_can_be_rolled_again() -> None:
    """7+ is a 6, then a 4 or more."""
    rite = Rite("heavens")
    rite.enemy(None, (18, 30), models=5)
    game = rite.battle()
    script(game, [6, 1, 2, 6, 1, 3, 5])
    assert roll_to_hit(game, 3, 7, Rerolls(ones=True))[:2] == (1, 0)  # 6, 1 again as 6, 2; then 1 again as 5, 3
    script(game, [6, 6, 2, 6, 1, 6, 6])
    assert roll_to_hit(game, 3, 7, Rerolls(sixes=True))[:2] == (1, 1)  # 6 as 6, 6 as 1; then 6 as 6
    faces = range(1, 7)
    for rerolls in (Rerolls(), Rerolls(ones=True), Rerolls(sixes=True)):
        for score in (3, 6, 7, 8):
            hits = 0.0
            for first in faces:
                for again in faces:
                    shown = again if rerolls.faces(min(score, 6)) >> first & 1 else first
                    if score <= 6:
                        hits += (shown >= score) / 36
                    elif shown == 6:
                        least = {7: 4, 8: 5}[score]
                        second = [a if rerolls.faces(least) >> b & 1 else b for a in faces for b in faces]
                        hits += sum(die >= least for die in second) / 36 / 36
            assert chance_to_hit(score, rerolls) == pytest.approx(hits)


# ---------------------------------------------------------------- shots without Ballistic Skill


@OWNERS
@pytest.mark.rule("wap.lore.heavens.iceshard-blizzard")
@pytest.mark.parametrize("weapon", ["cannon", "stone thrower", "fire thrower"])
@pytest.mark.parametrize("die", [3, 4])
def test_machines_in_a_blizzard_may_lose_their_shot(owner: int, weapon: str, die: int) -> None:
    """With a 3 the shot is lost, with a 4 the machine fires as usual."""
    rite = Rite("heavens", owner)
    away = 8 if weapon == "fire thrower" else 20
    gun = rite.enemy(machine(weapon), (18, 14 + away), models=1)
    target = rite.own(None, (18, 12), models=20, files=5)
    rite.enemy(None, (44, 44), models=5)
    battle = rite.battle()
    cast(battle, "Iceshard", gun, 9, version="9+")
    shoot(battle, gun, target, [die, 5, 1, 1, 1, 1, 1, 1])
    (blind,) = [data for data in told(battle, BLIND) if "needed" in data]
    assert (blind["die"], blind["needed"], blind["passed"]) == (die, 4, die == 4)
    fired = [
        event
        for event in battle.events
        if event.rule.startswith(("wap.machine.cannon", "wap.machine.stone", "wap.machine.fire-"))
    ]
    assert bool(fired) is (die == 4)


@OWNERS
@pytest.mark.rule("wap.lore.light.phas-protection")
@pytest.mark.parametrize("die", [3, 4])
def test_machines_that_aim_at_the_protected_may_lose_their_shot(owner: int, die: int) -> None:
    rite = Rite("light", owner)
    gun = rite.enemy(machine("cannon"), (18, 30), models=1)
    target = rite.own(None, (18, 12), models=20, files=5)
    rite.enemy(None, (44, 44), models=5)
    battle = rite.battle()
    cast(battle, "Pha's Protection", target, 6)
    shoot(battle, gun, target, [die, 5, 1, 1, 1, 1])
    assert [data["passed"] for data in told(battle, BLIND) if "needed" in data] == [die == 4]
    assert bool(told(battle, "wap.machine.cannon.deviation")) is (die == 4)


@pytest.mark.rule("wap.lore.light.phas-protection", "wap.lore.heavens.iceshard-blizzard")
def test_machines_that_nothing_hinders_roll_no_die() -> None:
    rite = Rite("light")
    gun = rite.enemy(machine("cannon"), (18, 30), models=1)
    target = rite.own(None, (18, 12), models=20, files=5)
    rite.enemy(None, (44, 44), models=5)
    battle = rite.battle()
    shoot(battle, gun, target, [5, 1, 1, 1])
    assert not [data for data in told(battle, BLIND) if "needed" in data]


@OWNERS
@pytest.mark.rule("wap.lore.heavens.iceshard-blizzard")
def test_bolts_need_no_die_as_their_crew_aims(owner: int) -> None:
    """They hit less easily: the crew's Ballistic Skill is one less."""
    rite = Rite("heavens", owner)
    gun = rite.enemy(machine("bolt thrower"), (18, 30), models=1)
    target = rite.own(None, (18, 12), models=20, files=5)
    rite.enemy(None, (44, 44), models=5)
    battle = rite.battle()
    cast(battle, "Iceshard", gun, 5)
    shoot(battle, gun, target, [4, 1])
    assert needed(battle) == [(5, 0)] and not [data for data in told(battle, BLIND) if "needed" in data]


@OWNERS
@pytest.mark.rule("wap.lore.heavens.iceshard-blizzard", "wap.special.breath.shooting")
@pytest.mark.parametrize("die", [3, 4])
def test_a_breath_in_a_blizzard_may_be_lost(owner: int, die: int) -> None:
    rite = Rite("heavens", owner)
    dragon = square(type="monster", base_mm=[50.8, 101.6], w=4, rules=["Breath Attack (S4)"])
    beast = rite.enemy(dragon, (18, 17), models=1, files=1)
    rite.own(None, (18, 12), models=20, files=5)
    rite.enemy(None, (44, 44), models=5)
    battle = rite.battle()
    cast(battle, "Iceshard", beast, 5)
    end_magic(battle)
    until(battle, lambda b: b.clock.turn[0] != owner and kind(b) == "select-to-shoot")
    script(battle, [die])
    choose(battle, "own", beast.number)
    pick(battle, "S4", kind="choose-breath")
    if kind(battle) == "breath-direction":
        battle.apply(battle.first_legal())
    assert bool(told(battle, "wap.special.breath.template")) is (die == 4)
