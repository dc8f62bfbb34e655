"""Modifiers of powers, units that no power affects, contradictory rules (w9.glossary.unaffected-by-powers.*, w9.rare.psychic-threshold,
w9.rare.manifest-priority)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w40k.psychic.data import Affects, Lasts, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.psychic.lasting import leadership
from wh_env.testing import dice_left, kind, pick, ranged, sheet, told, words

PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")
BOLT = PsychicPower("Bolt", 5, "mortal", Affects.ENEMY, 12, amount=(0, 0, 1))
BLESSING = PsychicPower("Blessing", 5, "+1 to hit", Affects.FRIEND, 12)
DREAD = PsychicPower("Dread", 5, "leadership", Affects.ENEMIES_NEAR, 6, amount=(0, 0, -1), lasts=Lasts.NEXT_PSYCHIC)
TERROR = PsychicPower("Terror", 6, "leadership", Affects.ENEMY, 18, amount=(0, 0, -2), beyond_leadership=(0, 0, 1))
UNTOUCHED = PsychicProfile(unaffected=True)


def wounds(battle, unit):
    first, count = battle.units.first[unit], battle.units.count[unit]
    return sum(battle.models.wounds[k] for k in range(first, first + count))


def caster(scene, *powers, player=0, at=(30, 10), **fields):
    return scene.unit(
        player, sheet("Caster", W=9, keywords=PSYKER), at=at, psychic=PsychicProfile(2, 0, powers, **fields)
    )


def offered(battle):
    return sorted(text.split(": ")[1] for text in words(battle).values() if "(" in text)


@pytest.mark.rule("w9.glossary.unaffected-by-powers.target")
@pytest.mark.parametrize("active", [0, 1])
def test_it_is_no_target_of_enemy_or_friendly_powers(active):
    """The only enemy in range is no target: the power cannot be attempted. Of two friends the other one is offered."""
    y = (10, 17) if active == 0 else (34, 27)
    scene = NinthScene()
    caster(scene, BOLT, BLESSING, player=active, at=(30, y[0]))
    scene.unit(active, sheet("Knights"), at=(25, y[0]), psychic=UNTOUCHED)
    scene.unit(active, sheet("Plain"), at=(35, y[0]))
    scene.unit(1 - active, sheet("Untouched", W=9), at=(30, y[1]), psychic=UNTOUCHED)
    battle = scene.battle("psychic", active=active, dice=[4, 4])
    pick(battle, "Caster")
    assert offered(battle) == ["Blessing (5+)", "Smite (5+)"]
    pick(battle, "Blessing (5+)")
    assert sorted(words(battle).values()) == ["Blessing: Caster", "Blessing: Plain"]


@pytest.mark.rule("w9.glossary.unaffected-by-powers.target")
def test_an_ordinary_unit_there_is_one():
    scene = NinthScene()
    caster(scene, BOLT)
    enemy = scene.unit(1, sheet("Enemy", W=9), at=(30, 17))
    battle = scene.battle("psychic", dice=[4, 4])
    pick(battle, "Caster")
    pick(battle, "Bolt (5+)")
    assert wounds(battle, enemy) == 8


@pytest.mark.rule("w9.glossary.unaffected-by-powers.smite")
@pytest.mark.parametrize(("profile", "lost"), [(UNTOUCHED, 0), (None, 2)])
def test_smite_does_nothing_if_it_is_closest(profile, lost):
    scene = NinthScene()
    caster(scene)
    closest = scene.unit(1, sheet("Closest", W=9), at=(30, 17), psychic=profile)
    other = scene.unit(1, sheet("Other", W=9), at=(40, 10))
    battle = scene.battle("psychic", dice=[4, 5, 3])
    pick(battle, "Caster")
    pick(battle, "Smite (")
    assert (wounds(battle, closest), wounds(battle, other)) == (9 - lost, 9)


@pytest.mark.rule("w9.glossary.unaffected-by-powers.aura")
def test_a_power_that_is_an_aura_passes_it_by():
    """-1 Leadership within 6" until the caster's next Psychic phase; not the untouched, nor units beyond 6", nor friends."""
    scene = NinthScene()
    caster(scene, DREAD)
    friend = scene.unit(0, sheet("Friend", Ld=7), at=(25, 10))
    untouched = scene.unit(1, sheet("Untouched", Ld=8), at=(30, 15), psychic=UNTOUCHED)
    plain = scene.unit(1, sheet("Plain", Ld=8), at=(35, 10))
    far = scene.unit(1, sheet("Far", Ld=8), at=(37.5, 10))
    battle = scene.battle("psychic", dice=[4, 4])
    pick(battle, "Caster")
    pick(battle, "Dread (5+)")
    pick(battle, "no further power")
    assert [leadership(battle, unit.row) for unit in (friend, untouched, plain, far)] == [7, 8, 7, 8]
    for _ in range(200):
        if battle.clock.turn[0] == 1 and battle.clock.phase[0] == 5:
            break
        battle.apply(battle.first_legal())
    at_six = [battle.distance(unit, 0) <= 6 for unit in (untouched, plain, far)]
    assert [leadership(battle, unit.row) for unit in (untouched, plain, far)] == [8, 8 - at_six[1], 8 - at_six[2]]
    assert at_six[1]
    for _ in range(200):
        if battle.clock.round[0] == 2 and kind(battle) == "select-psyker":
            break
        battle.apply(battle.first_legal())
    assert battle.clock.turn[0] == 0
    assert leadership(battle, plain.row) == 8


@pytest.mark.rule("w9.glossary.unaffected-by-powers.attacks")
def test_powers_on_attackers_do_not_count_in_their_attacks_at_it():
    """BS 4+ under +1 to hit: five 3s at the untouched miss, five at the other unit hit."""
    scene = NinthScene()
    caster(scene, BLESSING, at=(30, 8))
    guns = {"gun": ranged(24, A=1, BS=4, S=8, AP=-5)}
    scene.unit(0, sheet("Shooters", weapons=guns), at=(24, 10), models=10)
    scene.unit(1, sheet("Untouched"), at=(24, 22), models=10, psychic=UNTOUCHED)
    scene.unit(1, sheet("Plain"), at=(24, 25), models=10)
    battle = scene.battle("psychic", dice=[4, 4, *[3] * 10, *[6] * 20], detail="full")
    pick(battle, "Caster")
    pick(battle, "Blessing (5+)")
    pick(battle, "Blessing: Shooters")
    pick(battle, "no further power")
    pick(battle, "Shooters")
    for shot in range(10):
        assert kind(battle) == "weapon-target"
        pick(battle, "at Untouched" if shot < 5 else "at Plain")
    for _ in range(60):
        if kind(battle) not in ("target-order", "profile-order", "allocate", "save-choice"):
            break
        battle.apply(battle.first_legal())
    hits = told(battle, "w9.attack.hit")
    by_target = {
        battle.setup.names["units"][t]: [e["result"] for e in hits if e["target"] == t]
        for t in {e["target"] for e in hits}
    }
    assert by_target == {"Untouched": [0] * 5, "Plain": [1] * 5}


def test_a_modifier_on_a_unit_that_is_destroyed_is_over():
    scene = NinthScene()
    hex_ = PsychicPower("Hex", 5, "-1 to hit", Affects.ENEMY, 18)
    scene.unit(0, sheet("Caster", W=9, keywords=PSYKER), at=(30, 10), psychic=PsychicProfile(2, 0, (hex_,)))
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, A=2, BS=2, S=8)}), at=(24, 10))
    enemy = scene.unit(1, sheet("Enemy", Sv=6), at=(28, 22))
    scene.unit(1, sheet("Elsewhere"), at=(58, 42))
    battle = scene.battle("psychic", dice=[4, 4, 6, 6, 6, 6, 1, 1])
    pick(battle, "Caster")
    pick(battle, "Hex (5+)")
    assert battle.psyche.under[enemy]
    pick(battle, "no further power")
    pick(battle, "Guns")
    assert battle.units.alive[enemy] == 0 and not any(battle.psyche.under)


@pytest.mark.rule("w9.psychic.manifest")
def test_a_modifier_ends_with_the_turn():
    scene = NinthScene()
    caster(scene, BLESSING)
    scene.unit(0, sheet("Shooters"), at=(24, 10))
    scene.unit(1, sheet("Enemy"), at=(24, 40), models=5)
    battle = scene.battle("psychic", dice=[4, 4])
    pick(battle, "Caster")
    pick(battle, "Blessing (5+)")
    pick(battle, "Blessing: Shooters")
    assert any(battle.psyche.under)
    pick(battle, "no further power")
    for _ in range(50):
        if battle.clock.turn[0] == 1:
            break
        assert any(battle.psyche.under)
        battle.apply(battle.first_legal())
    assert not any(battle.psyche.under)


@pytest.mark.rule("w9.concepts.characteristic.minimum")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize(("worse", "left"), [(6, 2), (7, 1), (20, 1)])
def test_leadership_is_never_modified_below_1(active, worse, left):
    power = PsychicPower("Dread", 5, "leadership", Affects.ENEMY, 18, amount=(0, 0, -worse))
    y = (10, 20) if active == 0 else (34, 24)
    scene = NinthScene()
    caster(scene, power, player=active, at=(30, y[0]))
    enemy = scene.unit(1 - active, sheet("Enemy", Ld=8), at=(30, y[1]))
    battle = scene.battle("psychic", active=active, dice=[4, 4])
    pick(battle, "Caster")
    pick(battle, "Dread (5+)")
    assert leadership(battle, enemy.row) == left
    assert battle.models.leadership[battle.units.first[enemy]] == 8


@pytest.mark.rule("w9.rare.psychic-threshold")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize(("dice", "lost"), [([4, 4], 0), ([4, 5], 1)])
def test_the_result_is_compared_with_leadership_as_it_was(active, dice, lost):
    y = (10, 20) if active == 0 else (34, 24)
    scene = NinthScene()
    caster(scene, TERROR, player=active, at=(30, y[0]))
    enemy = scene.unit(1 - active, sheet("Enemy", Ld=8, W=3), at=(30, y[1]))
    battle = scene.battle("psychic", active=active, dice=dice)
    pick(battle, "Caster")
    pick(battle, "Terror (6+)")
    assert leadership(battle, enemy.row) == 6
    assert wounds(battle, enemy) == 3 - lost


@pytest.mark.rule("w9.rare.manifest-priority")
@pytest.mark.parametrize(
    ("deniable", "roll", "left", "unused"),
    [(False, 4, 8, 1), (True, 4, 9, 0), (True, 3, 8, 0)],
    ids=["cannot be denied", "resisted", "not resisted"],
)
def test_a_power_that_cannot_be_denied_is_not_resisted(deniable, roll, left, unused):
    power = PsychicPower("Doom", 5, "mortal", Affects.ENEMY, 18, amount=(0, 0, 1), deniable=deniable)
    scene = NinthScene()
    caster(scene, power)
    enemy = scene.unit(1, sheet("Enemy", W=9), at=(30, 20), psychic=PsychicProfile(resists=4))
    battle = scene.battle("psychic", dice=[4, 4, roll])
    pick(battle, "Caster")
    pick(battle, "Doom (5+)")
    assert wounds(battle, enemy) == left
    assert dice_left(battle) == unused


@pytest.mark.rule("w9.rare.manifest-priority")
@pytest.mark.parametrize("deniable", [True, False])
def test_nor_is_it_denied_by_a_psyker(deniable):
    power = PsychicPower("Doom", 5, "mortal", Affects.ENEMY, 18, amount=(0, 0, 1), deniable=deniable)
    scene = NinthScene()
    caster(scene, power)
    scene.unit(1, sheet("Enemy", W=9, keywords=PSYKER), at=(30, 20), psychic=PsychicProfile(1, 1))
    battle = scene.battle("psychic", dice=[4, 4])
    pick(battle, "Caster")
    pick(battle, "Doom (5+)")
    assert (kind(battle) == "deny") == deniable


@pytest.mark.rule("w9.psychic.manifest")
def test_an_aura_for_friends_reaches_them_the_psyker_included():
    hope = PsychicPower("Hope", 5, "leadership", Affects.FRIENDS_NEAR, 6, amount=(0, 0, 1))
    scene = NinthScene()
    bearer = caster(scene, hope)
    near = scene.unit(0, sheet("Near", Ld=7), at=(25, 10))
    far = scene.unit(0, sheet("Far", Ld=7), at=(37.5, 10))
    enemy = scene.unit(1, sheet("Enemy", Ld=7), at=(30, 15))
    battle = scene.battle("psychic", dice=[4, 4])
    pick(battle, "Caster")
    pick(battle, "Hope (5+)")
    assert [leadership(battle, unit.row) for unit in (bearer, near, far, enemy)] == [8, 8, 7, 7]
