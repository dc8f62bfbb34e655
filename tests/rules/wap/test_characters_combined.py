"""A unit and the characters in it as one: strength, distances, flight, rules that they share."""

from __future__ import annotations

from itertools import pairwise

import pytest
from heroes import hero, horse, rider

from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.joined import is_character, joined_to, models_in
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.battle.timing import start_phase
from wh_env.rulesets.wap.breaking.crumbling import crumble
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.characters.joining import is_open_to
from wh_env.rulesets.wap.codes import HEAVY_CASUALTIES, Phase
from wh_env.rulesets.wap.compulsory.rally import is_reduced
from wh_env.rulesets.wap.morale.leadership import leadership_value
from wh_env.rulesets.wap.morale.panic_causes import worst_source
from wh_env.rulesets.wap.special.light_troops import feint_of, has_vanguard, is_fast_cavalry, is_skirmishing
from wh_env.testing import choose, kind, slots
from wh_env.testing.wap import INCH, PLAIN, RegimentScene, special_rules_of, square

LIGHT = ["hand weapon", "light armour"]


@pytest.mark.rule("wap.character.combined.one-unit")
def test_a_unit_and_its_characters_are_one() -> None:
    scene = RegimentScene()
    host = scene.unit(0, None, (24, 20), models=10, files=5)
    lords = [scene.unit(0, hero(), inside=host, models=1, post=post) for post in (0, 4)]
    foe = scene.unit(1, None, (26.0, 30.0), models=5, files=1)
    battle = scene.battle(run=False)
    assert unit_strength(battle, host.row) == 12 and battle.units.block[host] == 12
    assert joined_to(battle, host.row) == [lord.row for lord in lords] and len(models_in(battle, host.row)) == 12
    # the hero at the right end stands nearest: x 26 to 27, the enemy above him
    assert distance(battle, host.row, foe.row) == pytest.approx(10.0)
    first = lords[0].model()
    assert (battle.models.x[first], battle.models.y[first]) == (pytest.approx(26.0), pytest.approx(19.5))


@pytest.mark.rule("wap.character.fleeing.quarter-strength")
def test_a_character_counts_among_those_who_are_left() -> None:
    for joins, reduced, value in ((True, False, 9), (False, True, 4)):
        scene = RegimentScene((48, 48))
        host = scene.unit(0, None, (24, 20), models=5, files=5, lost=15, fleeing=1)
        if joins:
            scene.unit(0, hero(), inside=host, models=1)
        scene.unit(1, None, (24, 44), models=5)
        battle = scene.battle(run=False)
        assert is_reduced(battle, host.row) is reduced
        assert leadership_value(battle, host.row, halved=reduced) == value


@pytest.mark.rule("wap.special.skirmishers.characters")
def test_who_joins_skirmishers_skirmishes() -> None:
    scene = RegimentScene((48, 48))
    host = scene.unit(0, square(rules=["Skirmishers"]), (24, 20), models=10, files=5)
    lord = scene.unit(0, hero(), inside=host, models=1, post=4)
    on_foot, mounted = scene.unit(0, hero(), (10, 10), models=1), scene.unit(0, rider(), (14, 10), models=1)
    scene.unit(1, None, (24, 44), models=5)
    battle = scene.battle(run=False)
    assert is_skirmishing(battle, host.row) and len(models_in(battle, host.row)) == 11
    m = battle.models
    front = sorted(m.x[k] for k in models_in(battle, host.row) if m.rank[k] == 0)
    assert m.rank[lord.model()] == 0 and len(front) == 5
    assert [b - a for a, b in pairwise(front)] == pytest.approx([1.5] * 4)
    assert is_open_to(battle, on_foot.row, host.row) and not is_open_to(battle, mounted.row, host.row)


@pytest.mark.rule("wap.special.vanguard.character")
@pytest.mark.parametrize(
    ("card", "advances"), [(hero(), True), (rider(), False), (rider(rules=["Vanguard"]), True), (None, True)]
)
def test_mounted_characters_keep_a_vanguard_back(card: dict[str, object] | None, advances: bool) -> None:
    scene = RegimentScene((48, 48))
    host = scene.unit(0, square(rules=["Vanguard"]), (24, 20), models=15, files=5)
    if card is not None:
        scene.unit(0, card, inside=host, models=1)
    scene.unit(1, None, (24, 44), models=5)
    battle = scene.battle(run=False)
    assert has_vanguard(battle, host.row) is advances


def light(**values: object) -> dict[str, object]:
    return horse(rules=["Fast Cavalry"], equipment=LIGHT, **values)


@pytest.mark.parametrize(("worn", "stays"), [(LIGHT, True), (["hand weapon", "full plate armour", "shield"], False)])
def test_a_heavy_rider_slows_fast_cavalry(worn: list[str], stays: bool) -> None:
    scene = RegimentScene((48, 48))
    host = scene.unit(0, light(), (24, 20), models=5, files=5)
    scene.unit(0, rider(equipment=worn), inside=host, models=1)
    on_foot = scene.unit(0, hero(), (10, 10), models=1)
    scene.unit(1, None, (24, 44), models=5)
    battle = scene.battle(run=False)
    assert is_fast_cavalry(battle, host.row) is stays and bool(feint_of(battle, host.row)) is stays
    assert has_vanguard(battle, host.row) is stays
    assert not is_open_to(battle, on_foot.row, host.row)


@pytest.mark.rule("wap.special.unstable.allocation")
@pytest.mark.parametrize(("wounds", "bones", "left"), [(5, 0, 0), (4, 0, 1), (3, 0, 2), (2, 1, 2)])
def test_characters_crumble_after_their_unit(wounds: int, bones: int, left: int) -> None:
    scene = RegimentScene((48, 48))
    host = scene.unit(0, square(rules=["Unstable"]), (24, 20), models=3, files=3)
    lord = scene.unit(0, hero(rules=["Unstable"]), inside=host, models=1)
    scene.unit(1, None, (24, 44), models=5)
    battle = scene.battle("movement", run=False)
    crumble(battle, host.row, wounds)
    battle.run()
    assert (battle.units.alive[host], battle.models.wounds[lord.model()]) == (bones, left)
    assert bool(battle.units.alive[lord]) is bool(left)


@pytest.mark.rule("wap.special.unstable.allocation")
def test_his_player_divides_what_is_left() -> None:
    scene = RegimentScene((48, 48))
    host = scene.unit(0, square(rules=["Unstable"]), (24, 20), models=3, files=3)
    lords = [scene.unit(0, hero(rules=["Unstable"]), inside=host, models=1) for _ in range(2)]
    scene.unit(1, None, (24, 44), models=5)
    battle = scene.battle("movement", run=False, detail="full")
    crumble(battle, host.row, 5)
    battle.run()
    assert kind(battle) == "crumble" and slots(battle, "own") == [lord.number for lord in lords]
    choose(battle, "own", lords[1].number)
    choose(battle, "own", lords[0].number)
    assert [battle.models.wounds[lord.model()] for lord in lords] == [1, 1]


@pytest.mark.rule("wap.troop.general.characters")
def test_a_character_has_a_troop_type_too() -> None:
    scene = RegimentScene((48, 48))
    chariot = hero(type="chariot", w=4, base_mm=[2 * INCH, 4 * INCH])
    lords = [scene.unit(0, card, (10 + 8 * n, 10), models=1) for n, card in enumerate((hero(), rider(), chariot))]
    scene.unit(1, None, (24, 44), models=5)
    battle = scene.battle(run=False)
    u = battle.units
    assert [u.each[lord] for lord in lords] == [1, 2, 4] and [u.kind[lord] for lord in lords] == [0, 2, 8]
    assert all(is_character(battle, lord.row) for lord in lords) and not is_character(battle, 3)


@pytest.mark.rule("wap.troop.monster.character")
def test_a_lord_on_a_dragon_is_a_monster_and_a_character() -> None:
    dragon = {**PLAIN, "s": 6, "t": 6, "w": 6, "a": 5, "m": 6}
    scene = RegimentScene((48, 48))
    lord = scene.unit(0, hero(type="monster", w=3, base_mm=[50, 100], mount=dragon), (24, 20), models=1)
    foe = scene.beside(lord, 1, square(), models=10, files=5)
    rival = scene.unit(1, hero(), inside=foe, models=1, post=2)
    battle = scene.battle("combat")
    u = battle.units
    assert (unit_strength(battle, lord.row), u.sight[lord], u.kind[lord]) == (7, 5, 7) and is_character(
        battle, lord.row
    )
    assert {"Stomp", "Terror"} <= set(special_rules_of(battle, lord.row))
    assert kind(battle) == "challenge" and slots(battle, "own") == [lord.number] and rival.number == 1
    copy = scene.battle("combat", run=False)
    suffer(copy, lord.row, 5)
    assert copy.units.alive[lord] == 1
    suffer(copy, lord.row, 1)
    assert copy.units.alive[lord] == 0


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("slain", [0, 1, 2])
@pytest.mark.rule("wap.panic.heavy-casualties", "wap.panic.direction.heavy", "wap.character.join.types")
def test_a_unit_of_characters_panics_whoever_of_them_falls(player: int, slain: int) -> None:
    """One of three is a third of the unit, also the one whom the others had joined; they flee from who has slain
    him.
    """
    scene = RegimentScene()
    lords = [scene.unit(player, hero(), (24, 24), models=1)]
    lords += [scene.unit(player, hero(), inside=lords[0], models=1, post=post) for post in (1, 2)]
    archers = scene.unit(1 - player, None, (40, 24), models=10)
    scene.unit(1 - player, None, (20, 24), models=10)
    battle = scene.battle("movement", run=False)
    start_phase(battle, Phase.SHOOTING)
    suffer(battle, lords[slain].row, 2, by=archers.row)
    left = [lord.row for n, lord in enumerate(lords) if n != slain]
    host = next(row for row in left if battle.units.place[row] == ON_TABLE)
    assert [row for row in range(len(battle.units.due)) if battle.units.due[row]] == [host]
    assert battle.units.due[host] == HEAVY_CASUALTIES and worst_source(battle, host) == archers.row
    assert joined_to(battle, host) == [row for row in left if row != host]
