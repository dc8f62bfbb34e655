"""The Psychic phase: who attempts which powers, in which order, and denying (w8.psychic.select, .allowance, .deny*, ...)."""

from __future__ import annotations

import pytest
from eighth import EighthScene

from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.psychic.data import Affects, Discipline, PsychicPower, PsychicProfile
from wh_env.testing import dice_left, kind, offered, pick, script, sheet, slots, told, words

PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")
BOLT = PsychicPower("Bolt", 5, "mortal", Affects.ENEMY, 18, amount=(0, 0, 1))
BLAST = PsychicPower("Blast", 6, "mortal", Affects.ENEMY, 18, amount=(0, 0, 2))
TEST, DENY = "w8.psychic.test", "w8.psychic.deny"


def psyker(name="Psyker", W=5, keywords=PSYKER, **fields):
    return sheet(name, W=W, keywords=keywords, **fields)


def profile(manifests=1, denies=1, powers=(), **fields):
    return PsychicProfile(manifests, denies, tuple(powers), **fields)


def turned(player, x, y):
    return (x, y) if player == 0 else (60 - x, 44 - y)


def powers_offered(battle):
    """Names of the powers that the selected psyker may attempt."""
    assert kind(battle) == "select-power"
    return [text.split(": ")[1].split(" (")[0] for text in words(battle).values() if "(" in text]


def attempt(battle, unit, power):
    """Select the psyker if that is asked, then the power if that is."""
    if kind(battle) == "select-psyker":
        pick(battle, unit)
    if kind(battle) == "select-power":
        pick(battle, f"{unit}: {power} (")


def results(battle):
    """(name of the unit, result) of the Psychic tests."""
    names = battle.setup.names["units"]
    return [(names[e["unit"]], e["result"]) for e in told(battle, TEST) if "result" in e]


def lost(battle, unit):
    first, count = battle.units.first[unit], battle.units.count[unit]
    return sum(battle.models.max_wounds[k] - battle.models.wounds[k] for k in range(first, first + count))


# ---------------------------------------------------------------- psykers and their powers


@pytest.mark.rule("w8.psychic.psyker")
@pytest.mark.parametrize("player", [0, 1])
def test_only_models_with_the_keyword_manifest_and_deny(player):
    scene = EighthScene()
    scene.unit(player, sheet("No psyker", W=5), at=turned(player, 10, 10), psychic=profile())
    scene.unit(player, psyker("Caster"), at=turned(player, 20, 10), psychic=profile())
    scene.unit(1 - player, sheet("Enemy", W=9), at=turned(player, 20, 20), psychic=profile(1, 1))
    battle = scene.battle("psychic", active=player, dice=[4, 3, 3])
    assert offered(battle, "select-psyker") == [1]
    attempt(battle, "Caster", "Smite")
    assert kind(battle) != "deny"
    assert told(battle, DENY) == []


@pytest.mark.rule("w8.psychic.psyker")
def test_an_army_without_psykers_is_offered_nothing():
    scene = EighthScene()
    scene.unit(0, sheet("Mine"), at=(10, 10))
    scene.unit(1, psyker("Enemy"), at=(10, 20), psychic=profile())
    battle = scene.battle("psychic")
    assert kind(battle) != "select-psyker"


def sergeant(name="Squad"):
    """A unit of which only the first model is a psyker."""
    data = sheet(name, W=3, keywords=("INFANTRY",))
    model = data["models"][0]
    data["models"] = [
        {**model, "name": "Seer", "min": 1, "max": 1, "keywords": ["PSYKER"]},
        {**model, "name": "Man", "min": 2, "max": 2},
    ]
    data["points"] = [{"models": 3, "points": 100}]
    return data


@pytest.mark.rule("w8.psychic.psyker", "w8.psychic.deny")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("gap", "asked"), [(24.0, True), (24.1, False)])
def test_distances_are_those_of_the_psyker_model(player, gap, asked):
    """Its comrades are nearer to the psyker that manifests."""
    scene = EighthScene(size=(90, 44))
    scene.unit(player, psyker("Caster"), at=(10, 10), psychic=profile(1, 0))
    scene.unit(1 - player, sheet("Enemy", W=9), at=(10, 20))
    spots = [(11 + gap, 10), (9.8 + gap, 10), (8.6 + gap, 10)]
    scene.unit(1 - player, sergeant("Denier"), at=spots, psychic=profile(0, 1))
    battle = scene.battle("psychic", active=player, dice=[4, 3, 1])
    attempt(battle, "Caster", "Smite")
    assert (kind(battle) == "deny") == asked


@pytest.mark.rule("w8.psychic.psyker")
def test_a_unit_whose_psyker_has_fallen_manifests_nothing():
    scene = EighthScene()
    scene.unit(0, sergeant("Squad"), at=(10, 10), lost=[0], psychic=profile())
    scene.unit(0, psyker("Caster"), at=(20, 10), psychic=profile())
    scene.unit(1, sheet("Enemy", W=9), at=(10, 20))
    # the unit was mustered with three models, and its two others stand
    assert offered(scene.battle("psychic"), "select-psyker") == [1]


@pytest.mark.rule("w8.psychic.allowance", "w8.psychic.once-per-power")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("dice", [[1, 3], [4, 3, 1]])
def test_so_many_attempts_as_the_datasheet_says_succeed_or_not(player, dice):
    scene = EighthScene()
    scene.unit(player, psyker("One"), at=turned(player, 10, 10), psychic=profile(1, 0, [BOLT]))
    scene.unit(player, psyker("Two"), at=turned(player, 20, 10), psychic=profile(2, 0, [BOLT]))
    scene.unit(1 - player, sheet("Enemy", W=90), at=turned(player, 15, 20))
    battle = scene.battle("psychic", active=player, dice=dice + dice)
    pick(battle, "One")
    assert powers_offered(battle) == ["Smite", "Bolt"]
    attempt(battle, "One", "Smite")
    assert offered(battle, "select-psyker") == [1]
    attempt(battle, "Two", "Smite")
    assert offered(battle, "select-psyker") == [1]
    script(battle, [4, 3])
    pick(battle, "Two")  # Bolt is all that is left
    assert [unit for unit, _ in results(battle)] == ["One", "Two", "Two"]
    assert kind(battle) != "select-psyker"


@pytest.mark.rule("w8.psychic.once-per-power")
def test_a_psyker_attempts_no_power_twice_another_one_may():
    scene = EighthScene()
    scene.unit(0, psyker("P"), at=(10, 10), psychic=profile(2, 0))
    scene.unit(0, psyker("Q"), at=(20, 10), psychic=profile(2, 0))
    scene.unit(1, sheet("Enemy", W=90), at=(15, 20))
    battle = scene.battle("psychic", dice=[1, 3, 4, 3, 1])
    attempt(battle, "P", "Smite")
    assert offered(battle, "select-psyker") == [1]
    attempt(battle, "Q", "Smite")
    assert kind(battle) != "select-psyker"
    assert results(battle) == [("P", 4), ("Q", 7)]


@pytest.mark.rule("w8.psychic.once-per-power")
def test_the_next_turn_of_its_player_brings_it_again():
    scene = EighthScene()
    scene.unit(0, psyker("P"), at=(10, 10), psychic=profile(1, 0))
    scene.unit(1, sheet("Enemy", W=90), at=(10, 20))
    battle = scene.battle("psychic", dice=[1, 3])
    attempt(battle, "P", "Smite")
    for _ in range(300):
        if kind(battle) == "select-psyker":
            break
        battle.apply(battle.first_legal())
    assert battle.clock.round[0] == 2
    assert offered(battle, "select-psyker") == [0]


@pytest.mark.rule("w8.psychic.knows-smite", "w8.psychic.other-powers")
@pytest.mark.parametrize("player", [0, 1])
def test_every_psyker_knows_smite_unless_its_datasheet_says_otherwise(player):
    scene = EighthScene()
    known = {
        "Plain": profile(9, 0),
        "More": profile(9, 0, [BLAST]),
        "Instead": profile(9, 0, [BOLT, BLAST], smite=False),
    }
    for n, (name, what) in enumerate(known.items()):
        scene.unit(player, psyker(name), at=turned(player, 10 + 5 * n, 10), psychic=what)
    scene.unit(1 - player, sheet("Enemy", W=90), at=turned(player, 15, 20))
    battle = scene.battle("psychic", active=player)
    found = {}
    for name in known:
        other = battle.clone()
        pick(other, name)
        found[name] = powers_offered(other) if kind(other) == "select-power" else ["Smite"]  # the only one is not asked
    found = {name: sorted(powers, key=lambda power: (power != "Smite", power)) for name, powers in found.items()}
    assert found == {"Plain": ["Smite"], "More": ["Smite", "Blast"], "Instead": ["Blast", "Bolt"]}


@pytest.mark.rule("w8.psychic.other-powers")
def test_a_power_has_its_own_warp_charge():
    for dice, wounds in (([2, 3], 0), ([3, 3], 2)):
        scene = EighthScene()
        scene.unit(0, psyker("P"), at=(10, 10), psychic=profile(1, 0, [BLAST]))
        enemy = scene.unit(1, sheet("Enemy", W=90), at=(10, 20))
        battle = scene.battle("psychic", dice=dice)
        attempt(battle, "P", "Blast")
        assert lost(battle, enemy) == wounds


@pytest.mark.rule("w8.psychic.generate-before-battle")
@pytest.mark.parametrize("player", [0, 1])
def test_powers_are_chosen_after_the_zones_and_before_the_first_unit_is_set_up(player):
    powers = (BOLT, BLAST, PsychicPower("Third", 7, "mortal", Affects.ENEMY, 12, amount=(0, 0, 3)))
    scene = EighthScene()
    learns = PsychicProfile(1, 1, (), 1, (Discipline("Lore", powers),))
    for owner in (0, 1):
        scene.unit(
            owner,
            psyker("Seer") if owner == player else sheet("Men"),
            place="deploy",
            psychic=learns if owner == player else None,
        )
    scene.marker(30, 22)
    battle = scene.battle("mission")
    for _ in range(50):
        if kind(battle) == "learn-power":
            break
        assert kind(battle) not in ("select-to-deploy", "deploy-to")
        battle.apply(battle.first_legal())
    assert battle.decision.player == player
    assert sorted(words(battle).values()) == ["Seer knows Blast", "Seer knows Bolt", "Seer knows Third"]
    assert any(e.rule == "w8.mission.deploy.zones" for e in battle.events) or battle.clock.attacker[0] in (0, 1)
    assert not any(battle.models.on_table)
    pick(battle, "Seer knows Blast")
    unit = battle.players.first_unit[player]
    assert battle.psyche.learnt[unit].bit_count() == 1
    told_ = [e.data["name"] for e in battle.events if e.rule == "w8.psychic.generate-before-battle"]
    assert told_ == ["Blast"]


# ---------------------------------------------------------------- the order of attempts


@pytest.mark.rule("w8.psychic.select")
@pytest.mark.parametrize("player", [0, 1])
def test_attempts_of_several_psykers_alternate_as_their_player_likes(player):
    scene = EighthScene()
    for n, name in enumerate("PQ"):
        scene.unit(player, psyker(name), at=turned(player, 10 + 5 * n, 10), psychic=profile(2, 0, [BOLT]))
    scene.unit(1 - player, sheet("Enemy", W=90), at=turned(player, 15, 20))
    battle = scene.battle("psychic", active=player, dice=8 * [1, 2])
    assert battle.decision.player == player
    for name, power in (("P", "Smite"), ("Q", "Bolt"), ("P", "Bolt"), ("Q", "Smite")):
        attempt(battle, name, power)
    assert [unit for unit, _ in results(battle)] == ["P", "Q", "P", "Q"]
    assert kind(battle) != "select-psyker"


@pytest.mark.rule("w8.psychic.select")
def test_attempting_is_optional():
    scene = EighthScene()
    for n, name in enumerate("PQ"):
        scene.unit(0, psyker(name), at=(10 + 5 * n, 10), psychic=profile(1, 0))
    scene.unit(1, sheet("Enemy", W=90), at=(15, 20))
    battle = scene.battle("psychic", dice=[1, 2])
    attempt(battle, "P", "Smite")
    assert slots(battle, "done") == [0]
    assert offered(battle, "select-psyker") == [1]
    pick(battle, "done")
    assert len(results(battle)) == 1
    assert kind(battle) != "select-psyker"


@pytest.mark.rule("w8.psychic.no-restriction-engaged")
@pytest.mark.parametrize("player", [0, 1])
def test_neither_combat_nor_moves_nor_arriving_keep_a_psyker_from_anything(player):
    scene = EighthScene()
    columns = ({"moved": Moved.ADVANCE}, {"moved": Moved.FELL_BACK}, {"arrived": 1}, {})
    for n, column in enumerate(columns):
        scene.unit(player, psyker(f"P{n}"), at=turned(player, 10 + 8 * n, 10), psychic=profile(1, 0), **column)
    enemy = scene.unit(1 - player, sheet("Enemy", W=9), at=turned(player, 34, 11.8))
    denier = scene.unit(1 - player, psyker("Denier"), at=turned(player, 18, 11.8), psychic=profile(0, 1))
    battle = scene.battle("psychic", active=player, dice=[4, 3, 3, 4, 3])
    assert offered(battle, "select-psyker") == [0, 1, 2, 3]
    pick(battle, "P3")
    pick(battle, "Denier denies", kind="deny")
    assert lost(battle, enemy) == 2  # the unit that it fights is struck
    assert lost(battle, denier) == 0


# ---------------------------------------------------------------- test, deny, effect


@pytest.mark.rule("w8.psychic.sequence", "w8.psychic.deny.test")
@pytest.mark.parametrize("player", [0, 1])
def test_choose_test_deny_resolve(player):
    scene = EighthScene()
    scene.unit(player, psyker("P"), at=turned(player, 10, 10), psychic=profile(1, 0))
    enemy = scene.unit(1 - player, sheet("Enemy", W=9), at=turned(player, 10, 20))
    scene.unit(1 - player, psyker("Denier"), at=turned(player, 10, 30), psychic=profile(0, 1))
    battle = scene.battle("psychic", active=player, dice=[3, 4, 2, 4, 4])
    attempt(battle, "P", "Smite")
    assert (kind(battle), battle.decision.player) == ("deny", 1 - player)
    pick(battle, "Denier denies")
    steps = [e.rule for e in battle.events if e.rule.startswith("w8.psychic") or e.rule == "w8.attack.mortal.no-rolls"]
    expected = [
        "w8.psychic.select",
        "w8.psychic.allowance",
        TEST,
        DENY,
        "w8.psychic.allowance",
        *2 * ["w8.attack.mortal.no-rolls"],
    ]
    assert steps == expected
    assert lost(battle, enemy) == 2
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.psychic.test")
@pytest.mark.parametrize(("dice", "wounds"), [([2, 4, 3], 2), ([2, 3, 3], 2), ([1, 3], 0)])
def test_the_total_reaches_the_warp_charge(dice, wounds):
    """A test that fails is not denied."""
    scene = EighthScene()
    scene.unit(0, psyker("P"), at=(10, 10), psychic=profile(1, 0))
    enemy = scene.unit(1, sheet("Enemy", W=9), at=(10, 20))
    scene.unit(1, psyker("Denier"), at=(10, 30), psychic=profile(0, 1))
    battle = scene.battle("psychic", dice=dice)
    attempt(battle, "P", "Smite")
    assert (kind(battle) == "deny") == bool(wounds)
    if wounds:
        pick(battle, "do not deny")
    assert lost(battle, enemy) == wounds


@pytest.mark.rule("w8.psychic.deny")
@pytest.mark.parametrize("player", [0, 1])
def test_psykers_within_24_inches_may_deny(player):
    scene = EighthScene(size=(90, 44))
    scene.unit(player, psyker("P"), at=(10, 10), psychic=profile(1, 0))
    scene.unit(1 - player, sheet("Enemy", W=9), at=(10, 20))
    scene.unit(1 - player, psyker("Near"), at=(35.0, 10), psychic=profile(0, 1))
    scene.unit(1 - player, psyker("Far"), at=(10, 35.1), psychic=profile(0, 1))
    battle = scene.battle("psychic", active=player, dice=[4, 3])
    attempt(battle, "P", "Smite")
    assert sorted(words(battle).values()) == ["Near denies Smite (7)", "do not deny Smite (7)"]
    assert battle.decision.player == 1 - player


@pytest.mark.rule("w8.psychic.deny.test")
@pytest.mark.parametrize(("dice", "wounds"), [([4, 4], 0), ([3, 4, 3], 2), ([1, 1, 3], 2)])
def test_only_a_greater_total_denies(dice, wounds):
    scene = EighthScene()
    scene.unit(0, psyker("P"), at=(10, 10), psychic=profile(1, 0))
    enemy = scene.unit(1, sheet("Enemy", W=9), at=(10, 20))
    scene.unit(1, psyker("Denier"), at=(10, 30), psychic=profile(0, 1))
    battle = scene.battle("psychic", dice=[3, 4, *dice])
    attempt(battle, "P", "Smite")
    pick(battle, "Denier denies")
    assert lost(battle, enemy) == wounds
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.psychic.deny.one-attempt", "w8.psychic.deny.allowance")
@pytest.mark.parametrize("player", [0, 1])
def test_one_attempt_for_each_power_that_was_manifested(player):
    scene = EighthScene()
    scene.unit(player, psyker("P"), at=turned(player, 10, 10), psychic=profile(2, 0, [BOLT]))
    scene.unit(1 - player, sheet("Enemy", W=90), at=turned(player, 10, 20))
    for n in range(3):
        scene.unit(1 - player, psyker(f"D{n}"), at=turned(player, 20 + 3 * n, 25), psychic=profile(0, 1))
    battle = scene.battle("psychic", active=player, dice=[4, 3, 1, 2, 3, 4, 3])
    attempt(battle, "P", "Smite")
    pick(battle, "D0 denies")  # in vain, and nobody else may
    assert kind(battle) != "deny"
    attempt(battle, "P", "Bolt")
    if kind(battle) == "power-target":
        pick(battle, "Bolt: Enemy")
    assert kind(battle) == "deny"
    assert sorted(w.split()[0] for w in words(battle).values()) == ["D1", "D2", "do"]  # D0 has none left


@pytest.mark.rule("w8.psychic.deny.allowance")
@pytest.mark.parametrize(("denies", "asked"), [(0, [False, False]), (1, [True, False]), (2, [True, True])])
def test_so_many_attempts_to_deny_as_the_datasheet_says(denies, asked):
    scene = EighthScene()
    scene.unit(0, psyker("P"), at=(10, 10), psychic=profile(2, 0, [BOLT]))
    scene.unit(1, sheet("Enemy", W=90), at=(10, 20))
    scene.unit(1, psyker("Denier"), at=(25, 25), psychic=profile(0, denies))
    tries = [4, 3, *([1, 2] if denies else []), 1, 4, 3]
    battle = scene.battle("psychic", dice=tries)
    seen = []
    for power in ("Smite", "Bolt"):
        attempt(battle, "P", power)
        if kind(battle) == "power-target":
            pick(battle, "Bolt: Enemy")
        seen.append(kind(battle) == "deny")
        if seen[-1]:
            pick(battle, "Denier denies")
    assert seen == asked


@pytest.mark.rule("w8.psychic.deny.no-perils")
@pytest.mark.parametrize(("dice", "denied"), [([6, 6], True), ([1, 1, 3], False)])
def test_doubles_of_a_deny_test_do_nothing(dice, denied):
    scene = EighthScene()
    scene.unit(0, psyker("P"), at=(10, 10), psychic=profile(1, 0))
    enemy = scene.unit(1, sheet("Enemy", W=9), at=(10, 20))
    denier = scene.unit(1, psyker("Denier"), at=(10, 30), psychic=profile(0, 1))
    battle = scene.battle("psychic", dice=[3, 4, *dice])
    attempt(battle, "P", "Smite")
    pick(battle, "Denier denies")
    assert lost(battle, denier) == 0
    assert (lost(battle, enemy) == 0) == denied
    assert told(battle, "w8.psychic.perils") == []
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.psychic.resolve")
@pytest.mark.parametrize("player", [0, 1])
def test_a_power_takes_effect_before_the_next_psyker_is_chosen(player):
    scene = EighthScene()
    for n, name in enumerate("PQ"):
        scene.unit(player, psyker(name), at=turned(player, 10 + 5 * n, 10), psychic=profile(1, 0))
    enemy = scene.unit(1 - player, sheet("Enemy", W=90), at=turned(player, 10, 20))
    battle = scene.battle("psychic", active=player, dice=[2, 4, 5])
    attempt(battle, "P", "Smite")
    assert offered(battle, "select-psyker") == [1]
    assert lost(battle, enemy) == 3
    assert dice_left(battle) == 0
