"""What the 9th edition's decisions are worth to greedy: of each kind a position where the better choice is taken and one where it is left."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.agents.policies import make
from wh_env.rulesets.w9.actions.data import Action, PsychicAction, When
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w9.view.appraise import NinthAppraiser
from wh_env.rulesets.w40k.attack.odds import expected_wounds
from wh_env.rulesets.w40k.attack.rolls import Near
from wh_env.rulesets.w40k.psychic.data import Affects, Lasts, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.psychic.state import LEADERSHIP
from wh_env.rulesets.w40k.shoot.snap import promise
from wh_env.rulesets.w40k.view.appraise_effects import command_point
from wh_env.rulesets.w40k.view.appraise_morale import flight
from wh_env.rulesets.w40k.view.chances import FINISHED, RESULTS, above, mean_lost
from wh_env.testing import kind, melee, pick, ranged, script, sheet, words

PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")
QUIET = {"cp_each_command_phase": 0}
LANCE = PsychicPower("Lance", 6, "mortal", Affects.ENEMY, 24, amount=(1, 3, 0))
STING = PsychicPower("Sting", 4, "mortal", Affects.CLOSEST, 24, amount=(0, 0, 1))
AIM = PsychicPower("Aim", 5, "+1 to hit", Affects.FRIEND, 24)
FOG = PsychicPower("Fog", 5, "-1 to hit", Affects.ENEMY, 24, lasts=Lasts.NEXT_PSYCHIC)
VEIL = PsychicPower("Veil", 5, "attacks at it: -1 to hit", Affects.FRIEND, 24, lasts=Lasts.NEXT_PSYCHIC)
BALM = PsychicPower("Balm", 5, "heal", Affects.FRIEND, 24, amount=(1, 3, 0))
RIFLE = {"rifle": ranged(24, A=2, BS=3, S=4), "knife": melee(A=1, WS=4, S=3)}
AXE = {"axe": melee(A=4, WS=3, S=6, AP=-3, D=2)}


def choice(battle: Battle) -> str:
    """The words of what greedy does."""
    return words(battle)[make("greedy").act(battle, battle.legal())]


def seer(*powers: PsychicPower, manifests: int = 1, denies: int = 0) -> PsychicProfile:
    return PsychicProfile(manifests, denies, powers)


# ---------------------------------------------------------------- numbers, against all dice


def test_two_dice_and_mortal_wounds_against_all_dice():
    for result, chance in RESULTS.items():
        assert chance == sum(a + b == result for a, b in product(range(1, 7), repeat=2)) / 36
        assert above(result) == pytest.approx(sum(a + b > result for a, b in product(range(1, 7), repeat=2)) / 36)
    for left in (1, 2, 3, 7):
        dice = [-(-die // 2) for die in range(1, 7)]
        right = sum(FINISHED * left if d >= left else d for d in dice) / 6
        assert mean_lost((1, 3, 0), left) == pytest.approx(right)
    assert mean_lost((1, 3, 0), 9, ignored=0.5) == pytest.approx(1.0)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("denier", [False, True])
def test_an_attempt_is_worth_what_all_dice_bring(player: int, denier: bool):
    """Lance on 6+, D3 mortal wounds at 5 points each; on double 1 and 6 the psyker of 4 wounds of 20 points suffers D3; denied by more."""
    scene = NinthScene()
    caster = scene.unit(player, sheet("Seer", W=4, keywords=PSYKER), at=(30, 10), points=80, psychic=seer(LANCE))
    target = scene.unit(1 - player, sheet("Target", W=9), at=(30, 24), models=1, points=45)
    if denier:
        warder = sheet("Warder", W=4, keywords=PSYKER)
        scene.unit(1 - player, warder, at=(40, 20), psychic=PsychicProfile(0, 1))
    battle = scene.battle("psychic", active=player)
    total = 0.0
    for first, second in product(range(1, 7), repeat=2):
        perils = first == second and first in (1, 6)
        total -= 2 * 20 * perils
        stands = sum(a + b <= first + second for a, b in product(range(1, 7), repeat=2)) / 36 if denier else 1.0
        total += (2 * 5 * stands) * (first + second >= 6)
    worths = NinthAppraiser(battle.setup).psychic
    number = battle.setup.statics["psychic_powers"].index(LANCE)
    assert worths.attempt(battle, caster.row, number, target.row) == pytest.approx(total / 36)


def test_a_psyker_who_may_die_of_perils_takes_friends_along():
    """One wound is left: every double 1 or 6 destroys it, nothing is manifested, and the friend 3" away suffers D3."""
    scene = NinthScene()
    caster = scene.unit(0, sheet("Seer", W=4, keywords=PSYKER), at=(30, 10), wounds=[1], points=80, psychic=seer(STING))
    scene.unit(0, sheet("Friend", W=9), at=(33, 10), models=1, points=90)
    scene.unit(1, sheet("Target", W=9), at=(30, 24), models=1, points=45)
    battle = scene.battle("psychic")
    worths = NinthAppraiser(battle.setup).psychic
    survives, harm = worths.perils(battle, caster.row)
    assert survives == 0.0
    assert harm == pytest.approx(FINISHED * 20 + 2 * 10)
    number = battle.setup.statics["psychic_powers"].index(STING)
    manifested = sum(RESULTS[n] for n in range(4, 12))  # not on 12
    assert worths.attempt(battle, caster.row, number, -1) == pytest.approx(manifested * 5 - harm / 18)


@pytest.mark.parametrize(("models", "lost", "ld"), [(6, 3, 7), (6, 2, 5), (5, 3, 4), (6, 2, 9)])
def test_who_flees_on_average_is_what_all_dice_bring(models: int, lost: int, ld: int):
    """The Morale phase is played with every die of the test and every row of dice of Combat Attrition."""
    scene = NinthScene()
    unit = scene.unit(0, sheet("Mob", Ld=ld), at=(10, 10), models=models, lost=range(lost))
    scene.unit(1, sheet("Foe"), at=(40, 30), models=1)
    slain = [unit.model(k) for k in range(lost)]
    start = scene.battle("morale", set_state=lambda g: g.toll_array.__setitem__(slain, 1), rules=QUIET, run=False)
    left = models - lost
    gone = 0
    for dice in product(range(1, 7), repeat=left):  # of the test, then of those who are left when one has fled
        battle = start.clone()
        script(battle, dice)
        while battle.clock.phase[0] == Phase.MORALE and not battle.over and battle.units.place[unit.row] == 1:
            battle.run()
            if battle.clock.phase[0] != Phase.MORALE or kind(battle) != "select-to-test":
                break
            battle.apply(battle.first_legal())
        gone += left - battle.units.alive[unit.row]
    assert flight(start, unit.row) == pytest.approx(gone / 6**left)


def test_hold_steady_is_known_to_what_overwatch_promises():
    """Ten shots on 6+ that always wound and are never saved; on 5+ twice as many."""
    gun = {"gun": ranged(24, A=10, BS=3, S=10, AP=-6, D=1)}
    scene = NinthScene()
    unit = scene.unit(1, sheet("Guns", weapons=gun), at=(10, 20), models=1)
    foe = scene.unit(0, sheet("Foe", T=5, W=9), at=(10, 12), models=2)
    battle = scene.battle("charge")
    by_dice = {lowest: 10 * sum(d >= lowest for d in range(1, 7)) / 6 * 5 / 6 for lowest in (5, 6)}
    statics, m = battle.setup.statics, battle.models
    tables = (m.rows, battle.units.rows, statics["weapons"], statics["attack_rules"])
    weapon = statics["arsenal_weapon"][m.first_weapon[unit.first]]
    for near, lowest in ((Near.SNAP, 6), (Near.SNAP | Near.STEADY, 5)):
        assert expected_wounds(*tables, unit.first, weapon, foe.row, int(near)) == pytest.approx(by_dice[lowest])
        assert promise(battle, unit.row, foe.row, int(near)) == pytest.approx(by_dice[lowest])


# ---------------------------------------------------------------- psychic powers


def psychic_battle(*powers: PsychicPower, player: int = 0, near: int = 40, far: int = 300, **fields: Any) -> Battle:
    """A psyker who attempts one power, rabble near and guards behind it, and riflemen of its own."""
    y = (6, 14, 20) if player == 0 else (38, 30, 24)
    scene = NinthScene()
    scene.unit(player, sheet("Seer", W=4, keywords=PSYKER), at=(30, y[0]), points=8, psychic=seer(*powers, **fields))
    scene.unit(player, sheet("Rifles", weapons=RIFLE), at=(10, y[0]), models=10, points=200)
    scene.unit(1 - player, sheet("Rabble"), at=(28, y[1]), models=8, points=near)
    scene.unit(1 - player, sheet("Guard", W=3, weapons=RIFLE), at=(28, y[2]), models=4, points=far)
    battle = scene.battle("psychic", active=player)
    assert choice(battle).endswith("Seer")
    pick(battle, "Seer")
    return battle


@pytest.mark.parametrize("player", [0, 1])
def test_a_harder_power_at_dear_models_and_smite_at_dear_models_near(player: int):
    assert choice(psychic_battle(LANCE, player=player)).startswith("Seer: Lance")
    battle = psychic_battle(LANCE, player=player, near=400, far=60)
    assert choice(battle).startswith("Seer: Smite")
    pick(battle, "Seer: Lance", kind="select-power")
    assert choice(battle) == "Lance: Rabble"


def test_the_power_falls_on_whom_it_costs_most():
    battle = psychic_battle(LANCE)
    pick(battle, "Seer: Lance", kind="select-power")
    assert choice(battle) == "Lance: Guard"


def test_a_blessing_goes_to_those_who_shoot_and_nobody_needs_one_twice():
    cheap = {"near": 80, "far": 600}
    battle = psychic_battle(AIM, **cheap)
    assert choice(battle).startswith("Seer: Aim")
    pick(battle, "Seer: Aim", kind="select-power")
    assert choice(battle) == "Aim: Rifles"
    battle = psychic_battle(AIM, **cheap)
    number = battle.setup.statics["psychic_powers"].index(AIM)
    battle.psyche.under[1] = 1 << number
    assert choice(battle).startswith("Seer: Smite")


def test_a_curse_on_riflemen_and_a_veil_over_those_they_shoot_at():
    """Guards with rifles come nearer and shoot: who hits less often, or is hit less often, is better off."""
    for power in (FOG, VEIL):
        battle = psychic_battle(power, near=1)
        worths = NinthAppraiser(battle.setup).psychic
        number = battle.setup.statics["psychic_powers"].index(power)
        rifles, rabble, guard = 1, 2, 3
        assert worths.on(battle, 0, number, guard if power is FOG else rifles, 7) > 0.5
        assert worths.on(battle, 0, number, rabble if power is FOG else guard, 7) <= 0.0
        assert choice(battle).startswith(f"Seer: {power.name}")


def test_a_wounded_friend_is_healed_and_an_unhurt_one_is_not():
    for wounds, healed in ((1, True), (9, False)):
        scene = NinthScene()
        scene.unit(0, sheet("Seer", W=4, keywords=PSYKER), at=(30, 6), points=80, psychic=seer(BALM))
        scene.unit(0, sheet("Beast", W=9), at=(20, 6), models=1, wounds=[wounds], points=300)
        scene.unit(1, sheet("Rabble"), at=(30, 16), models=5, points=50)
        battle = scene.battle("psychic")
        pick(battle, "Seer")
        assert choice(battle).startswith("Seer: Balm") == healed
        if healed:
            pick(battle, "Seer: Balm")
            assert choice(battle) == "Balm: Beast"


def test_what_is_worth_less_than_its_perils_is_not_attempted():
    """Smite may take a man of one point; double 1 and 6 may take the last wound of a seer of 400."""
    for points, tries in ((400, False), (4, True)):
        scene = NinthScene()
        scene.unit(0, sheet("Seer", W=4, keywords=PSYKER), at=(30, 6), wounds=[1], points=points, psychic=seer())
        scene.unit(1, sheet("Rabble"), at=(30, 16), models=5, points=5)
        battle = scene.battle("psychic")
        assert (choice(battle) != "done") == tries
        if not tries:
            pick(battle, "Seer")
            assert choice(battle) == "Seer: no further power"


@pytest.mark.parametrize(("amount", "taken"), [(9, True), (1, False)])
def test_a_psychic_action_is_attempted_where_it_is_worth_more_than_all_powers(amount: int, taken: bool):
    """It excludes both powers that the seer could attempt; what it brings are Command points."""
    scene = NinthScene()
    scene.action(PsychicAction("Ritual", 4, "cp", amount=(0, 0, amount)))
    profile = seer(LANCE, manifests=2)
    scene.unit(0, sheet("Seer", W=4, keywords=PSYKER), at=(30, 6), points=8, psychic=profile)
    scene.unit(1, sheet("Guard", W=3), at=(30, 20), models=4, points=120)
    battle = scene.battle("psychic")
    pick(battle, "Seer")
    assert choice(battle).startswith("Seer: Ritual") == taken


def test_dread_weighs_on_a_unit_that_has_lost_models():
    dread = PsychicPower("Dread", 5, LEADERSHIP, Affects.ENEMY, 24, amount=(0, 0, -2))
    battle = psychic_battle(dread)
    worths = NinthAppraiser(battle.setup).psychic
    number = battle.setup.statics["psychic_powers"].index(dread)
    assert worths.on(battle, 0, number, 3, 7) == 0.0
    first = battle.units.first[3]
    battle.toll_array[first] = 1
    battle.models.alive[first] = battle.models.on_table[first] = 0
    battle.units.alive[3] -= 1
    assert worths.on(battle, 0, number, 3, 7) > 0.0


# ---------------------------------------------------------------- Deny the Witch


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("more", [False, True])
def test_a_denial_is_kept_for_what_hurts_more(player: int, more: bool):
    """A Sting takes one man. The only attempt to deny goes to it, unless the Lance is still to come."""
    scene = NinthScene()
    y = (10, 20) if player == 0 else (34, 24)
    profile = seer(STING, LANCE, manifests=2 if more else 1)
    scene.unit(player, sheet("Seer", W=4, keywords=PSYKER), at=(30, y[0]), points=80, psychic=profile)
    scene.unit(1 - player, sheet("Rabble"), at=(30, y[1]), models=5, points=50)
    scene.unit(1 - player, sheet("Guard", W=3), at=(22, y[1] + 1), models=3, points=450)
    warder = sheet("Warder", W=4, keywords=PSYKER)
    scene.unit(1 - player, warder, at=(40, y[1]), points=80, psychic=PsychicProfile(0, 1))
    battle = scene.battle("psychic", active=player, dice=[2, 3])
    pick(battle, "Seer")
    pick(battle, "Seer: Sting")
    assert kind(battle) == "deny"
    assert choice(battle) == ("do not deny Sting (5)" if more else "Warder denies Sting (5)")


def test_nothing_is_denied_that_cannot_be():
    """Nobody rolls more than 12."""
    scene = NinthScene()
    scene.unit(0, sheet("Seer", W=4, keywords=PSYKER), at=(30, 10), psychic=seer(LANCE))
    scene.unit(1, sheet("Guard", W=3), at=(30, 20), models=3, points=450)
    scene.unit(1, sheet("Warder", W=4, keywords=PSYKER), at=(40, 20), psychic=PsychicProfile(0, 1))
    battle = scene.battle("psychic", dice=[6, 6, 1])
    pick(battle, "Seer")
    pick(battle, "Seer: Lance")
    pick(battle, "Lance: Guard")
    assert kind(battle) == "deny"
    assert choice(battle) == "do not deny Lance (12)"


def test_of_units_equally_close_the_dearer_one_suffers():
    for dear in (0, 1):
        scene = NinthScene()
        scene.unit(0, sheet("Seer", W=4, keywords=PSYKER), at=(30, 10), psychic=seer(STING))
        for at, x in enumerate((24, 36)):
            scene.unit(1, sheet(f"F{at}", W=3), at=(x, 18), models=1, points=300 if at == dear else 30)
        battle = scene.battle("psychic", dice=[3, 3])
        pick(battle, "Seer")
        pick(battle, "Seer: Sting")
        assert kind(battle) == "closest-unit"
        assert choice(battle) == f"F{dear}"


# ---------------------------------------------------------------- meeting a charge


def charge(
    guns: Any, charger: Any, *, cp: int = 1, terrain: bool = True, second: int = 0, points: int = 200, player: int = 0
) -> Battle:
    """A charge was declared at a unit of player ``1 - player``, in a wood; ``second``: points of another that can charge as well."""
    y = (12.0, 18.5) if player == 0 else (32.0, 25.5)
    scene = NinthScene()
    if terrain:
        scene.woods(6, min(y[1], 40) - 3, 30, y[1] + 3)
    scene.unit(player, sheet("Charger", weapons=charger, T=4, Sv=6), at=(10, y[0]), models=8, points=points)
    if second:
        scene.unit(player, sheet("Second", weapons=AXE, T=4, Sv=6), at=(40, y[0]), models=8, points=second)
        scene.unit(1 - player, sheet("Others", weapons=guns), at=(40, y[1]), models=8, points=200)
    scene.unit(1 - player, sheet("Target", weapons=guns), at=(10, y[1]), models=8, points=200)
    battle = scene.battle("charge", active=player, cp=(0, cp) if player == 0 else (cp, 0), rules=QUIET, round=3)
    if kind(battle) == "select-to-charge":
        pick(battle, "Charger")
    if kind(battle) == "charge-target":
        pick(battle, "charge Target")
    if kind(battle) == "charge-target":
        pick(battle, "no more targets")
    return battle


SHOOTERS = {"gun": ranged(24, A=3, BS=3, S=5, AP=-1), "butt": melee(A=1, WS=5, S=3)}
STICK = {"stick": melee(A=1, WS=6, S=1)}
STRIKERS = {"pistol": ranged(12, A=1, BS=4, S=3), "glaive": melee(A=3, WS=5, S=6, AP=-2)}


@pytest.mark.parametrize("player", [0, 1])
def test_gunners_hold_steady_and_strikers_set_to_defend(player: int):
    assert choice(charge(SHOOTERS, AXE, player=player)) == "Hold Steady"
    assert choice(charge(STRIKERS, AXE, player=player)) == "Set to Defend"


def test_who_cannot_pay_for_overwatch_sets_to_defend():
    assert choice(charge(SHOOTERS, AXE, cp=0)) == "Set to Defend"


def test_overwatch_is_fired_at_who_is_worth_it():
    dear = charge(SHOOTERS, AXE, terrain=False)
    assert kind(dear) == "fire-overwatch" and choice(dear) == "Fire Overwatch: Target"
    assert choice(charge(SHOOTERS, STICK, terrain=False, points=8)) == "no Fire Overwatch"


def test_overwatch_waits_for_a_worse_charge():
    assert choice(charge(SHOOTERS, AXE, terrain=False, points=60, second=600)) == "no Fire Overwatch"
    assert choice(charge(SHOOTERS, AXE, terrain=False, points=600, second=60)) == "Fire Overwatch: Target"


@pytest.mark.parametrize("player", [0, 1])
def test_a_hero_intervenes_where_he_wins(player: int):
    for axe, foe_axe, goes in ((AXE, RIFLE, True), (RIFLE, AXE, False)):
        scene = NinthScene()
        y = (10.0, 13.5)
        scene.unit(player, sheet("Foes", weapons=foe_axe), at=(10, y[0]), models=3, points=150)
        hero = sheet("Hero", W=5, weapons=axe, keywords=("INFANTRY", "CHARACTER"))
        scene.unit(1 - player, hero, at=(10, y[1]), models=1, points=100)
        battle = scene.battle("charge", active=player, rules=QUIET)
        while kind(battle) != "select-to-intervene":
            battle.apply(0)
        assert (choice(battle) != "done") == goes


def test_a_fight_is_interrupted_where_the_next_blows_would_cost_many():
    """A charger has fought; the other one has axes, or there is one man with a knife."""
    for weapons, others, interrupts in ((AXE, 5, True), (RIFLE, 1, False)):
        scene = NinthScene()
        scene.unit(0, sheet("Knives", weapons=RIFLE), at=(10, 10), models=5, charged=1, points=100)
        scene.unit(0, sheet("Others", weapons=weapons), at=(40, 10), models=others, charged=1, points=200)
        scene.unit(1, sheet("Left", weapons=AXE), at=(10, 11.9), models=5, points=200)
        scene.unit(1, sheet("Right", weapons=AXE), at=(40, 11.9), models=5, points=200)
        battle = scene.battle(
            "fight", cp=(0, 2), rules=QUIET, round=3, set_state=lambda g: g.charges.__setitem__(slice(None), 1)
        )
        pick(battle, "Knives")
        while kind(battle) != "counter-offensive":
            battle.apply(battle.first_legal() if kind(battle) != "fight-target" else int(battle.legal().argmax()))
        assert choice(battle) == ("Counter-Offensive: Right" if interrupts else "no Counter-Offensive")


# ---------------------------------------------------------------- Morale


def shaken(*units: tuple[str, int, int], lost: int = 5, ld: int = 6, player: int = 0) -> Battle:
    """Units that lost five models, or so many, this turn: name, points; asked about Insane Bravery for the first."""
    scene = NinthScene()
    handles = [
        scene.unit(player, sheet(name, Ld=ld), at=(6, 8 + 8 * n), models=models, points=points, lost=range(lost))
        for n, (name, models, points) in enumerate(units)
    ]
    scene.unit(1 - player, sheet("Foe"), at=(50, 30), models=1)

    def toll(g: Battle) -> None:
        for handle in handles:
            g.toll_array[handle.first : handle.first + lost] = 1

    points = (2, 0) if player == 0 else (0, 2)
    return scene.battle("morale", cp=points, set_state=toll, rules=QUIET, round=3)


@pytest.mark.parametrize("player", [0, 1])
def test_courage_goes_to_the_dear_ones(player: int):
    assert choice(shaken(("Veterans", 12, 400), player=player)) == "Insane Bravery: Veterans"
    assert choice(shaken(("Militia", 12, 40), player=player)) == "no Insane Bravery"
    assert choice(shaken(("Militia", 12, 200), ("Veterans", 12, 400), player=player)) == "no Insane Bravery"
    assert choice(shaken(("Wavering", 12, 100), player=player)) == "Insane Bravery: Wavering"
    assert choice(shaken(("Brave", 12, 100), lost=2, ld=8, player=player)) == "no Insane Bravery"


def test_shots_go_where_most_run():
    """Two mobs alike, of which one has lost eight already and runs anyway; or neither has lost anybody."""
    for lost, wanted in ((8, "Fresh"), (0, "Beaten")):
        scene = NinthScene()
        scene.unit(0, sheet("Rifles", weapons=RIFLE), at=(20, 5), models=10)
        beaten = scene.unit(1, sheet("Beaten", T=3, Sv=6, Ld=6), at=(10, 20), models=20, points=200, lost=range(lost))
        scene.unit(1, sheet("Fresh", T=3, Sv=6, Ld=6), at=(10, 23), models=20, points=200)

        def toll(g: Battle, first: int = beaten.first, lost: int = lost) -> None:
            g.toll_array[first : first + lost] = 1

        battle = scene.battle("shooting", set_state=toll)
        if kind(battle) == "select-to-shoot":
            pick(battle, "Rifles")
        assert choice(battle) == wanted


# ---------------------------------------------------------------- actions and Stratagems

BANNER = Action("Banner", When(Phase.MOVEMENT), effect="cp", amount=1)


@pytest.mark.parametrize("player", [0, 1])
def test_an_action_is_started_by_who_gives_up_least_and_then_kept(player: int):
    """The pikes have nobody to shoot at. The rifles do: if they are alone nobody starts."""
    for alone in (False, True):
        scene = NinthScene()
        scene.action(BANNER)
        y, foe = (5, 20) if player == 0 else (39, 24)
        scene.unit(player, sheet("Rifles", weapons=RIFLE), at=(20, y), models=10, points=100)
        if not alone:
            scene.unit(player, sheet("Pikes"), at=(40, y), models=5, points=50)
        scene.unit(1 - player, sheet("Foe"), at=(20, foe), models=10, points=200)
        battle = scene.battle("movement", active=player, rules=QUIET)
        while kind(battle) != "start-action":
            if kind(battle) == "move-kind":
                pick(battle, "Remain Stationary")
            else:
                battle.apply(battle.first_legal())
        assert choice(battle) == ("nobody starts Banner" if alone else "Pikes starts Banner")


@pytest.mark.parametrize(("amount", "shoots"), [(1, True), (9, False)])
def test_who_performs_an_action_shoots_only_if_that_is_worth_more(amount: int, shoots: bool):
    scene = NinthScene()
    scene.action(Action("Banner", When(Phase.MOVEMENT), effect="cp", amount=amount))
    rifles = scene.unit(0, sheet("Rifles", weapons=RIFLE), at=(20, 5), models=10, points=100)
    scene.unit(1, sheet("Foe"), at=(20, 20), models=10, points=200)

    def acting(g: Battle) -> None:
        g.acting.now[rifles.row] = g.acting.last[rifles.row] = g.acting.round[rifles.row] = 1

    battle = scene.battle("shooting", set_state=acting)
    assert kind(battle) == "select-to-shoot"
    assert (choice(battle) != "done") == shoots


def test_command_points_are_worth_less_towards_the_end():
    scene = NinthScene()
    scene.unit(0, sheet("One"), at=(10, 10), models=1)
    scene.unit(1, sheet("Two"), at=(40, 30), models=1)
    worths = [command_point(scene.battle("movement", round=n)) for n in (1, 3, 5)]
    assert worths == pytest.approx([8.0, 4.8, 1.6])


@pytest.mark.parametrize(("wounds", "amount", "cp", "used"), [(1, 3, 1, True), (9, 3, 1, False), (8, 3, 1, False)])
def test_a_stratagem_of_a_faction_is_used_where_it_is_worth_its_points(wounds: int, amount: int, cp: int, used: bool):
    """It heals three wounds of 4 points each; a Command point is worth almost five. One lost wound is not enough."""
    row = {"name": "Prayer", "faction": "TESTERS", "sub_faction": None, "cp": cp, "moment": "movement-ends", "turn": "own",
           "effect": "heal", "amount": amount, "keyword": None, "access": (True, False)}  # fmt: skip
    scene = NinthScene()
    scene.unit(0, sheet("Sound", W=9), at=(10, 10), models=1, points=36)
    scene.unit(0, sheet("Hurt", W=9), at=(20, 10), models=1, points=36, wounds=[wounds])
    scene.unit(1, sheet("Foe"), at=(50, 30), models=1)
    battle = scene.battle("movement", cp=(3, 0), round=3, rules={**QUIET, "faction_stratagems": (row,)})
    while kind(battle) != "faction-1":
        if kind(battle) == "move-kind":
            pick(battle, "Remain Stationary")
        else:
            battle.apply(battle.first_legal())
    assert choice(battle) == ("Prayer: Hurt" if used else "no Prayer")


def test_models_are_cut_down_where_enough_strike():
    for models, cuts in ((8, True), (1, False)):
        scene = NinthScene()
        scene.unit(0, sheet("Cowards", weapons=RIFLE), at=(20, 20), models=8, points=200)
        scene.unit(1, sheet("Blades", weapons=AXE), at=(20, 21.9), models=models, points=100)
        battle = scene.battle("movement", cp=(0, 1), rules=QUIET, round=3)
        pick(battle, "Cowards") if kind(battle) == "select-to-move" else None
        pick(battle, "Fall Back")
        if kind(battle) == "fall-back-to":
            battle.apply(battle.first_legal())
        assert kind(battle) == "cut-them-down"
        assert (choice(battle) != "no Cut Them Down") == cuts


def test_whole_battles_are_played_and_left_as_they_are():
    """Greedy comes to all that is asked of it, answers legally and changes nothing."""
    asked = set()
    for name in ("w9/only-war-incursion", "w9/random-patrol?seed=11"):
        battle, policy = Battle.load(name, 2), make("greedy")
        while not battle.over:
            mask, before = battle.legal(), battle.state_bytes()
            asked.add(kind(battle))
            action = policy.act(battle, mask)
            assert mask[action] and battle.state_bytes() == before
            battle.apply(action)
    assert asked >= {"select-psyker", "deny", "defend", "fire-overwatch", "insane-bravery", "counter-offensive"}
