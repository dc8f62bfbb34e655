"""What observations show of the 8th edition's own tables, and what its audit notices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from eighth import EighthScene
from small_armies import BLADES, RIFLES

from wh_env import Battle
from wh_env.core.tables import DESTROYED
from wh_env.envs.observation import Observer, column_of
from wh_env.rulesets.w8.mission.state import Primary
from wh_env.rulesets.w8.view.observe import GLOBALS, IN_PLACE_OF, UNIT
from wh_env.rulesets.w8.warlord.state import Trait
from wh_env.rulesets.w40k.codes import WITH_BONUS
from wh_env.rulesets.w40k.view import observe
from wh_env.rulesets.w40k.view.observe_psychic import POWERS

SKIRMISH = "w8/only-war-skirmish"


def scene_battle() -> tuple[Any, int, int]:
    scene = EighthScene(size=(60, 44))
    mine = scene.unit(0, RIFLES, models=5, at=(10, 10))
    theirs = scene.unit(1, BLADES, models=5, at=(40, 30))
    return scene.battle("movement"), mine.row, theirs.row


def seen(battle: Any, seat: int, part: str, slot: int, name: str) -> float:
    return float(Observer(battle.setup, "entities").observe(battle, seat)[part][slot, column_of("w8", part, name)])


def globally(battle: Any, seat: int, name: str) -> float:
    return float(Observer(battle.setup, "entities").observe(battle, seat)["globals"][column_of("w8", "globals", name)])


def slay(g: Any, unit: int) -> None:
    g.toll_array[g.units.first[unit]] = 1
    g.models.alive[g.units.first[unit]] = 0


def lead(g: Any, unit: int) -> None:
    g.warlords.model[g.units.owner[unit]] = g.units.first[unit] + 1


WAYS: list[tuple[str, Callable[[Any, int], object], float]] = [
    ("slain", slay, 0.1),
    ("passes_morale", lambda g, u: g.nerve.passes.__setitem__(u, 1), 1.0),
    ("fails_morale", lambda g, u: g.nerve.fails.__setitem__(u, 1), 1.0),
    ("answered", lambda g, u: g.answered.__setitem__(u, 1), 1.0),
    ("warlord", lead, 1.0),
    ("fights_first", lambda g, u: g.units.charged.__setitem__(u, WITH_BONUS), 1.0),
    ("held", lambda g, u: g.held.held.__setitem__(u, 1), 1.0),
    ("powers_on", lambda g, u: g.psyche.under.__setitem__(u, 5), 0.5),
    ("powers_known", lambda g, u: g.psyche.learnt.__setitem__(u, 6), 0.25),
    ("manifested", lambda g, u: g.psyche.picked.__setitem__(u, 1), 1.0),
    ("denied", lambda g, u: g.psyche.denies.__setitem__(u, 1), 0.25),
]


@pytest.mark.parametrize(("name", "change", "value"), WAYS, ids=[way[0] for way in WAYS])
@pytest.mark.parametrize("seat", [0, 1])
def test_both_seats_see_what_becomes_of_a_unit(
    name: str, change: Callable[[Any, int], object], value: float, seat: int
) -> None:
    battle, mine, _ = scene_battle()
    part = ("own", "enemy")
    assert seen(battle, seat, part[seat], 0, name) == 0.0
    change(battle, mine)
    assert seen(battle, seat, part[seat], 0, name) == pytest.approx(value)
    assert seen(battle, seat, part[1 - seat], 0, name) == 0.0


def test_a_slain_warlord_is_seen_nowhere() -> None:
    battle, mine, _ = scene_battle()
    lead(battle, mine)
    slay(battle, mine)
    assert seen(battle, 0, "own", 0, "warlord") == seen(battle, 1, "enemy", 0, "warlord") == 0.0


@pytest.mark.parametrize("primary", Primary)
def test_the_mission_is_seen(primary: Primary) -> None:
    battle, _, _ = scene_battle()
    battle.mission.primary[0], battle.mission.division[0], battle.mission.underdog[0] = primary, 3, 2
    for seat in (0, 1):
        shown = {each for each in Primary if globally(battle, seat, each.name.lower())}
        assert shown == {primary}
        assert globally(battle, seat, "division") == pytest.approx(0.75)
        assert globally(battle, seat, "underdog") == (1.0 if seat == 1 else -1.0)


@pytest.mark.parametrize("trait", Trait)
def test_traits_are_seen_of_whom_they_are(trait: Trait) -> None:
    battle, _, _ = scene_battle()
    battle.warlords.trait[1] = trait
    for seat, whose in ((0, "enemy"), (1, "own")):
        for each in Trait:
            assert globally(battle, seat, f"{whose}_{each.name.lower()}") == float(each == trait)
            other = "own" if whose == "enemy" else "enemy"
            assert globally(battle, seat, f"{other}_{each.name.lower()}") == 0.0


def test_psykers_are_seen() -> None:
    battle = Battle.load(SKIRMISH, 1)
    row = battle.setup.names["units"].index("librarian")
    profile = battle.setup.statics["psychic_profiles"][row]
    assert profile.manifests > 0
    slot = row - battle.players.first_unit[0]
    assert seen(battle, 0, "own", slot, "manifests") == pytest.approx(profile.manifests / 4)
    assert seen(battle, 1, "enemy", slot, "denies") == pytest.approx(profile.denies / 4)


def test_fields_stand_in_columns_of_shared_ones() -> None:
    assert set(IN_PLACE_OF) <= {field.name for field in observe.UNIT}
    assert len(UNIT) == len(observe.UNIT) + len(POWERS)
    assert len({field.name for field in GLOBALS}) == len(GLOBALS)


AUDITS: list[tuple[str, Callable[[Any, int, int], object], str]] = [
    ("nothing", lambda g, a, b: None, ""),
    ("charge", lambda g, a, b: g.charges.__setitem__((a, a), 1), "of its own army"),
    ("power", lambda g, a, b: g.psyche.tried.__setitem__(a, 1 << 40), "does not know"),
    ("gone", lambda g, a, b: (g.psyche.under.__setitem__(a, 1), g.units.place.__setitem__(a, DESTROYED)), "is not there"),
    ("warlord", lambda g, a, b: g.warlords.model.__setitem__(0, g.units.first[b] + 1), "of the other army"),
    ("trait", lambda g, a, b: g.warlords.trait.__setitem__(0, 1), "no Warlord"),
    ("re-rolls", lambda g, a, b: (g.mission.underdog.__setitem__(0, 1), g.players.cp.__setitem__(1, 1)), "not the Underdog"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "change", "said"), AUDITS, ids=[each[0] for each in AUDITS])
def test_the_audit_notices_what_cannot_be(what: str, change: Callable[[Any, int, int], object], said: str) -> None:
    battle, mine, theirs = scene_battle()
    change(battle, mine, theirs)
    audit = battle.setup.ruleset.audit(battle)
    faults = [*audit.charges_of_foes(), *audit.psykers(), *audit._mission()]
    assert [said in fault for fault in faults] == ([True] if said else [])


def test_the_audit_notices_a_second_relic() -> None:
    battle = Battle.load(SKIRMISH, 1, rules={"primary": int(Primary.ANCIENT_RELIC)})
    while battle.clock.round[0] == 0:
        battle.apply(battle.first_legal())
    audit = battle.setup.ruleset.audit(battle)
    assert audit._mission() == []
    battle.objectives.rows["placed"] = 1
    assert audit._mission() == ["4 markers are left where one is the relic"]
