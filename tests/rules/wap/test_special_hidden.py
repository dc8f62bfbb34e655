"""Models that hide in a friendly unit: deployed unseen, revealed, lost with it; never their Leadership."""

from __future__ import annotations

from typing import Any

import pytest
from charging import FLEE, charge, react
from heroes import hero
from houses import house

from wh_env import Battle, ContentError
from wh_env.agents.invariants import Invariants
from wh_env.content.wap import load_army
from wh_env.core.features import Veil
from wh_env.core.tables import ATTACHED, DEPLOYING, DESTROYED, ON_TABLE, RESERVE
from wh_env.envs.observation import Observer
from wh_env.rulesets.wap.battle.victory import score, share_of
from wh_env.rulesets.wap.casualties.removing import remove_unit, suffer
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.morale.leadership import leadership_of
from wh_env.testing import choose, kind, slots
from wh_env.testing.wap import RegimentScene, UnitHandle, ranks, square


def assassin(**values: Any) -> dict[str, Any]:
    return hero(**{"rules": ["Hidden"], "points": 100, "ld": 10, **values})


def deploying() -> tuple[Battle, UnitHandle, UnitHandle]:
    """Player 0 is asked what becomes of his assassin."""
    scene = RegimentScene((60, 48))
    host = scene.unit(0, None, models=20, files=5)
    other = scene.unit(0, None, models=10, files=5)
    knife = scene.unit(0, assassin(), models=1)
    scene.unit(1, None, models=5)
    battle = scene.battle("deployment", dice=[6, 1])
    choose(battle, "option", 0)
    while kind(battle) != "join-unit":
        cells = slots(battle, "cell")
        choose(battle, "cell", cells[len(cells) // 2]) if cells else battle.apply(battle.first_legal())
    assert other.row == 1
    return battle, host, knife


def hiding(
    phase: str = "movement", *, player: int = 0, models: int = 20, fights: bool = False, run: bool = True, **values: Any
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """An assassin hides in a unit."""
    scene = RegimentScene((60, 48))
    host = scene.unit(0, square(ld=7), (24, 20), models=models, files=5)
    knife = scene.unit(0, assassin(**values), models=1, reserve=True, hides_in=0)
    if fights:
        scene.beside(host, 1, models=10)
    else:
        scene.unit(1, None, (24, 44), models=5)
    return scene.battle(phase, player=player, run=run, detail="full"), host, knife


def hide_all(battle: Battle, knives: list[UnitHandle], host: UnitHandle) -> None:
    for knife in knives:
        battle.units.hides_in[knife] = host.row


@pytest.mark.rule("wap.special.hidden.deploy")
def test_who_hides_is_not_seen() -> None:
    battle, host, knife = deploying()
    assert slots(battle, "option") == [0] and battle.legal()[0] and slots(battle, "own") == [0, 1]
    choose(battle, "option", 0)
    assert kind(battle) == "join-unit" and slots(battle, "own") == [0, 1] and not battle.legal()[0]
    choose(battle, "own", host.number)
    u = battle.units
    assert (u.place[knife], u.hides_in[knife], u.us[host], u.alive[host]) == (RESERVE, host.row, 20, 20)
    veil = Veil()
    known = veil.over(battle, 1)
    assert known.units.hides_in[knife] == -1 and known.units.place[knife] == DEPLOYING
    assert known.units.us[host] == 20 and len(list(known.members(host.row))) == 20
    assert veil.over(battle, 0).units.hides_in[knife] == host.row


@pytest.mark.rule("wap.special.hidden.deploy")
def test_where_somebody_hides_changes_nothing_that_the_enemy_observes() -> None:
    seen = []
    for number in (0, 1):
        scene = RegimentScene((60, 48))
        for x in (14, 30):
            scene.unit(0, None, (x, 20), models=20, files=5)
        scene.unit(0, assassin(), models=1, reserve=True, hides_in=number)
        scene.unit(1, None, (24, 44), models=5)
        battle = scene.battle(run=False)
        observer = Observer(battle.setup)
        seen.append((observer.observe(battle, 1).copy(), observer.observe(battle, 0).copy()))
    assert (seen[0][0] == seen[1][0]).all()


def test_who_may_hide_need_not() -> None:
    battle, host, knife = deploying()
    choose(battle, "own", host.number)
    assert battle.units.place[knife] == ATTACHED and battle.units.hides_in[knife] == -1


@pytest.mark.rule("wap.special.hidden.reveal")
def test_he_steps_forward_at_the_start_of_a_turn() -> None:
    battle, host, knife = hiding()
    assert kind(battle) == "start-effect" and slots(battle, "own") == [knife.number] and battle.legal()[0]
    left = battle.clone()
    choose(left, "done")
    assert left.units.hides_in[knife] == host.row
    choose(battle, "own", knife.number)
    assert kind(battle) == "hero-place"
    choose(battle, "number", 2)
    m = battle.models
    assert battle.units.place[knife] == ATTACHED and (m.rank[knife.model()], m.file[knife.model()]) == (0, 2)
    assert ranks(battle, host) == [4, 5, 5, 5, 1] and battle.units.us[host] == 21


@pytest.mark.rule("wap.special.hidden.reveal")
@pytest.mark.parametrize("player", [0, 1])
def test_he_steps_forward_before_combats_of_either_player(player: int) -> None:
    battle, host, knife = hiding("combat", player=player, fights=True)
    assert kind(battle) == "reveal-hidden" and battle.clock.player[0] == 0 and battle.legal()[0]
    choose(battle, "own", knife.number)
    choose(battle, "number", 2)
    assert battle.units.place[knife] == ATTACHED
    for _ in range(6):
        if battle.clock.phase[0] == Phase.COMBAT:
            battle.apply(battle.first_legal())
    struck = [e.data for e in battle.events if e.kind == "attacks" and e.rule == "wap.combat.attacks.number"]
    assert any(data["strikers"] == 1 and data["amount"] == 3 for data in struck)
    assert battle.units.fights[host] >= 0


def test_he_may_stay_hidden_while_they_fight() -> None:
    battle, host, knife = hiding("combat", fights=True)
    choose(battle, "done")
    assert battle.units.hides_in[knife] == host.row


@pytest.mark.rule("wap.special.hidden.reveal")
@pytest.mark.parametrize("player", [0, 1])
def test_several_step_forward_in_a_building(player: int) -> None:
    """Nobody is asked for a file there. What stands beside the building bars nobody; of those whose bases do not fit
    the ranks of their unit only one joins it.
    """
    for base, both in ((None, True), ([30, 30], False)):
        scene = RegimentScene((60, 48))
        house(scene)
        for x in (16, 26):
            scene.area("impassable", x, 18, x + 3, 28)
        host = scene.unit(player, square(ld=7), models=20, files=5, garrison=0)
        card = assassin() if base is None else assassin(base_mm=base)
        knives = [scene.unit(player, card, models=1, reserve=True, hides_in=0) for _ in range(2)]
        scene.unit(1 - player, None, (24, 44), models=5)
        battle = scene.battle(player=player, detail="full", set_state=lambda b, k=knives, h=host: hide_all(b, k, h))
        assert kind(battle) == "start-effect" and slots(battle, "own") == [knife.number for knife in knives]
        choose(battle, "own", knives[0].number)
        assert (kind(battle) == "start-effect") is both
        if both:
            choose(battle, "own", knives[1].number)
        inside = [battle.units.place[knife] == ATTACHED for knife in knives]
        assert inside == [True, both] and kind(battle) != "hero-place"
        assert battle.units.us[host] == 21 + both and Invariants(battle).after() == []
        assert all(battle.models.post[k.model()] == -1 and battle.units.beside[k] == 0 for k in knives)


@pytest.mark.rule("wap.special.hidden.lost")
def test_who_hides_is_lost_with_the_unit() -> None:
    for how in ("slain", "gone"):
        battle, host, knife = hiding(run=False)
        if how == "slain":
            suffer(battle, host.row, 19)
            assert battle.units.place[knife] == RESERVE
            suffer(battle, host.row, 1)
        else:
            remove_unit(battle, host.row)
        assert battle.units.place[knife] == DESTROYED and battle.units.hides_in[knife] == -1
        assert share_of(battle, knife.row) == ("wap.victory.dead-or-fled", 100)
        before = battle.players.vp[1]
        score(battle)
        assert battle.players.vp[1] - before >= 100
        assert not list(battle.setup.ruleset.contradictions(battle))


@pytest.mark.rule("wap.special.hidden.lost")
def test_events_account_for_who_is_lost_with_a_unit_that_flees_from_the_table() -> None:
    scene = RegimentScene((60, 48))
    host = scene.unit(0, None, (24, 4), models=10)
    knife = scene.unit(0, assassin(), models=1, reserve=True, hides_in=0)
    scene.unit(0, None, (50, 10), models=5)
    foe = scene.unit(1, None, (24, 9), models=5)
    battle = scene.battle(player=1, dice=[6, 6])
    watch = Invariants(battle)
    charge(battle, foe, host)
    react(battle, FLEE)
    assert (battle.units.place[host], battle.units.place[knife]) == (DESTROYED, DESTROYED)
    assert watch.after() == []


@pytest.mark.rule("wap.special.hidden.general")
def test_nobody_tests_on_his_leadership() -> None:
    for rules, best in ((["Hidden"], 7), ([], 10)):
        scene = RegimentScene()
        host = scene.unit(0, square(ld=7), (24, 20), models=20, files=5)
        knife = scene.unit(0, assassin(rules=rules), inside=host, models=1)
        scene.unit(1, None, (24, 40), models=5)
        battle = scene.battle(run=False)
        assert leadership_of(battle, host.row) == best and leadership_of(battle, knife.row) == 10


@pytest.mark.rule("wap.special.hidden.general")
def test_the_general_does_not_hide() -> None:
    def army(**fields: Any) -> dict[str, Any]:
        sheet = {"name": "night", "cards": {"knife": assassin(), "spears": square(size=[5, 30])}}
        return {
            "name": "knives",
            "sheet": sheet,
            "units": [{"card": "spears", "models": 20}, {"card": "knife", "models": 1, **fields}],
        }

    load_army(army())
    with pytest.raises(ContentError, match="does not hide"):
        load_army(army(general=True))


@pytest.mark.rule("wap.army.list.record")
@pytest.mark.parametrize("player", [0, 1])
def test_lists_tell_what_units_bear_and_in_which_unit_somebody_hides_is_recorded(player: int) -> None:
    """Both players read every unit's name, equipment and command. He cannot hide without a unit that is named: until
    then nothing is deployed further, and the record is his player's alone.
    """
    scene = RegimentScene((60, 48))
    host = scene.unit(player, square(equipment=["hand weapon", "shield"]), models=20, files=5, command=("standard",))
    other = scene.unit(player, None, models=10, files=5)
    knife = scene.unit(player, assassin(equipment=["great weapon"]), models=1)
    scene.unit(1 - player, None, models=5)
    battle = scene.battle("deployment", dice=[6, 1] if player == 0 else [1, 6])
    listed = {entry["name"]: entry for entry in battle.roster(player)}
    assert len(listed) == 3 and listed[host.regiment.name]["command"] == ("standard",)
    assert "shield" in listed[host.regiment.name]["equipment"] and listed[host.regiment.name]["models"] == 20
    assert "great weapon" in listed[knife.regiment.name]["equipment"]
    while kind(battle) != "join-unit":
        cells = slots(battle, "cell")
        choose(battle, "cell", cells[len(cells) // 2]) if cells else battle.apply(battle.first_legal())
    assert battle.clock.player[0] == player
    choose(battle, "option", 0)
    assert kind(battle) == "join-unit" and slots(battle, "own") == [host.number, other.number] and not battle.legal()[0]
    choose(battle, "own", host.number)
    assert battle.units.hides_in[knife] == host.row
    assert Veil().over(battle, 1 - player).units.hides_in[knife] == -1
    assert Veil().over(battle, player).units.hides_in[knife] == host.row


@pytest.mark.rule("wap.army.list.record")
@pytest.mark.parametrize("player", [0, 1])
def test_who_finds_no_unit_to_hide_in_is_not_concealed(player: int) -> None:
    """The only unit is of beasts, which nobody joins."""
    scene = RegimentScene((60, 48))
    scene.unit(player, square(type="swarm", base_mm=[40, 40]), models=5)
    knife = scene.unit(player, assassin(), models=1)
    scene.unit(1 - player, None, models=5)
    battle = scene.battle("deployment", dice=[6, 1] if player == 0 else [1, 6])
    while battle.units.place[knife] == DEPLOYING:
        assert kind(battle) != "join-unit" or 0 not in slots(battle, "option")
        battle.apply(battle.first_legal())
    assert battle.units.place[knife] == ON_TABLE and battle.units.hides_in[knife] == -1
