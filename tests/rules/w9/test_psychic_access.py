"""Powers that psykers know are selected before the battle (w9.psychic.powers, .access.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w40k.psychic.data import Affects, Discipline, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.psychic.state import known, numbers_in, power_of
from wh_env.testing import kind, pick, sheet, words

PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")


def discipline(name, powers=6):
    return Discipline(
        name,
        tuple(PsychicPower(f"{name} {n}", 4 + n, "mortal", Affects.ENEMY, 18, amount=(0, 0, 1)) for n in range(powers)),
    )


X, Y = discipline("Obscuration"), discipline("Interromancy")


def scene_with(*profiles, player=0):
    """A mission before the battle with psykers of one player; the units."""
    scene = NinthScene()
    units = [
        scene.unit(player, sheet("Psyker", W=5, keywords=PSYKER), place="deploy", name=f"P{n}", psychic=profile)
        for n, profile in enumerate(profiles)
    ]
    scene.unit(1 - player, sheet("Enemy"), place="deploy", models=5)
    return scene.battle("mission"), units


def options(battle):
    """The powers offered, without the name of the unit."""
    assert kind(battle) == "learn-power"
    return [text.split(" knows ")[1] for text in words(battle).values()]


def names(battle, unit):
    """The powers that a unit knows."""
    return {power_of(battle, number).name for number in numbers_in(known(battle, unit.row))}


@pytest.mark.rule("w9.psychic.powers", "w9.psychic.access.listed")
@pytest.mark.parametrize("player", [0, 1])
def test_powers_are_selected_from_the_discipline_of_the_datasheet(player):
    """Two of six, then one more of the four or five left; those of a discipline that another psyker has are not offered."""
    battle, (mine, other) = scene_with(
        PsychicProfile(2, 1, learns=3, disciplines=(X,)),
        PsychicProfile(1, 1, learns=1, disciplines=(Y,)),
        player=player,
    )
    assert battle.decision is not None
    assert (battle.decision.player, battle.decision.subject) == (player, mine)
    assert options(battle) == [power.name for power in X.powers]
    pick(battle, "P0 knows Obscuration 2")
    pick(battle, "P0 knows Obscuration 4")
    assert options(battle) == [X.powers[n].name for n in (0, 1, 3, 5)]
    pick(battle, "P0 knows Obscuration 0")
    assert names(battle, mine) == {"Smite", "Obscuration 2", "Obscuration 4", "Obscuration 0"}
    assert options(battle) == [power.name for power in Y.powers]
    pick(battle, "P1 knows Interromancy 5")
    assert names(battle, other) == {"Smite", "Interromancy 5"}
    assert kind(battle) != "learn-power"


@pytest.mark.rule("w9.psychic.access.listed")
def test_a_power_that_the_datasheet_gives_is_not_offered_again():
    battle, _ = scene_with(PsychicProfile(1, 1, powers=(X.powers[0],), learns=1, disciplines=(X,)))
    assert options(battle) == [power.name for power in X.powers[1:]]


@pytest.mark.rule("w9.psychic.access.additional")
def test_a_discipline_in_addition_is_offered_too():
    battle, (mine, _) = scene_with(
        PsychicProfile(2, 1, learns=2, disciplines=(X, Y)), PsychicProfile(2, 1, learns=2, disciplines=(X,))
    )
    assert options(battle) == [power.name for power in (*X.powers, *Y.powers)]
    pick(battle, "P0 knows Interromancy 1")
    pick(battle, "P0 knows Obscuration 1")
    assert names(battle, mine) == {"Smite", "Interromancy 1", "Obscuration 1"}
    assert options(battle) == [power.name for power in X.powers]


@pytest.mark.rule("w9.psychic.access.instead")
def test_each_unit_has_one_discipline_or_the_other():
    """Three powers each: two by the datasheet, one by a relic."""
    profile = PsychicProfile(2, 1, learns=3, disciplines=(X,), instead=Y)
    battle, (first, second) = scene_with(profile, profile)
    assert kind(battle) == "discipline"
    assert sorted(words(battle).values()) == ["P0: Interromancy", "P0: Obscuration"]
    pick(battle, "P0: Interromancy")
    assert options(battle) == [power.name for power in Y.powers]
    for n in (0, 1):
        pick(battle, f"P0 knows Interromancy {n}")
    assert options(battle) == [power.name for power in Y.powers[2:]]
    pick(battle, "P0 knows Interromancy 2")
    pick(battle, "P1: Obscuration")
    for n in (0, 1):
        pick(battle, f"P1 knows Obscuration {n}")
    assert options(battle) == [power.name for power in X.powers[2:]]
    pick(battle, "P1 knows Obscuration 5")
    assert names(battle, first) == {"Smite", *(f"Interromancy {n}" for n in (0, 1, 2))}
    assert names(battle, second) == {"Smite", *(f"Obscuration {n}" for n in (0, 1, 5))}
