"""Stratagems of Factions and of their sub-factions: who has access to them, what they cost and do (w9.stratagem.faction, .sub-faction)."""

from __future__ import annotations

from typing import Any

import pytest
from classic import battle_of, in_phase, raw_sheet

from wh_env import Battle
from wh_env.content import w9
from wh_env.content.errors import ContentError
from wh_env.content.load import validate
from wh_env.content.w9.schema import Faction
from wh_env.testing import kind, pick, slots, told, words

PRAYER = {"name": "Prayer", "cp": 1, "moment": "movement-ends", "turn": "own", "effect": "heal", "amount": 2}
RITE = {**PRAYER, "name": "Rite", "sub_faction": "HOUSE"}
SPOTS = {"A": (10.0, 5.0), "B": (14.0, 5.0), "Foe": (40.0, 28.0)}


def force(other: tuple[str, ...], *, apart: bool = False, stratagems: tuple[Any, ...] = (PRAYER,)) -> dict[str, Any]:
    """Five units of ROOT, of which the last has other Faction keywords, in a Patrol Detachment, or that last one in a Detachment of its own."""
    keywords = [("ROOT", "HOUSE")] * 4 + [other]
    roles = ["HQ", "Troops", "Troops", "Elites", "Elites"]
    sheets = [
        raw_sheet(name, model={"max": 1, "W": 6, "weapons": []}, role=role, faction_keywords=[*own], points=5)
        for name, role, own in zip(("A", "B", "C", "D", "E"), roles, keywords, strict=True)
    ]
    units = [{"datasheet": name, "warlord": name == "A"} for name in ("A", "B", "C", "D", "E")]
    groups = [("Patrol", units[:4]), ("Auxiliary Support", units[4:])] if apart else [("Patrol", units)]
    detachments = [{"type": kind, "units": group} for kind, group in groups]
    return {
        "name": "Test",
        "faction": "Root",
        "datasheets": sheets,
        "stratagems": list(stratagems),
        "detachments": detachments,
    }


def foes() -> dict[str, Any]:
    """The other army, without Stratagems of its own."""
    sheet = raw_sheet("Foe", model={"max": 1, "weapons": []}, points=5)
    units = [{"datasheet": "Foe", "warlord": True}]
    return {"name": "Foes", "faction": "Testers", "units": units, "datasheets": [sheet]}


def at_the_end(mine: dict[str, Any], player: int, cp: int, theirs: Any = None, **rules: Any) -> Battle:
    """The player's Movement phase, in which all remain stationary; the battle at the next decision on a Stratagem, else when nobody may move."""
    armies = [mine, theirs or foes()]
    loaded = w9.GAME.load("w9/only-war-incursion", {"armies": armies if player == 0 else armies[::-1]})
    battle = in_phase(loaded, "movement", SPOTS, active=player, cp_each_command_phase=0, **rules)
    for side in (0, 1):
        battle.players.cp[side] = cp
    hurt = battle.units.first[battle.players.first_unit[player]]
    battle.models.wounds[hurt] = 1
    while kind(battle) in ("select-to-move", "move-kind", "select-reserves"):
        if kind(battle) == "move-kind":
            pick(battle, "Remain Stationary")
        else:
            battle.apply(0 if kind(battle) == "select-reserves" else battle.first_legal())
    return battle


def asked(battle: Battle) -> bool:
    """Whether a Stratagem of a Faction is offered in the first battle round."""
    return battle.clock.round[0] == 1 and (kind(battle) or "").startswith("faction-")


OF_HOUSE = {**PRAYER, "faction": "HOUSE"}


@pytest.mark.rule("w9.stratagem.faction")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("last", "apart", "access"),
    [
        (("ROOT", "HOUSE"), False, True),
        (("ROOT", "GUILD"), False, False),
        (("ROOT", "GUILD"), True, True),
        (("UNALIGNED",), False, True),
    ],
)
def test_all_units_of_a_detachment_have_to_be_of_the_faction(
    last: tuple[str, ...], apart: bool, access: bool, player: int
) -> None:
    """Four units of Faction HOUSE; the fifth is of it, of another in the same Detachment, of another in its own, or an exception."""
    battle = at_the_end(force(last, apart=apart, stratagems=(OF_HOUSE,)), player, 3)
    assert asked(battle) == access
    if access:
        assert battle.decision.player == player


@pytest.mark.rule("w9.stratagem.faction")
@pytest.mark.parametrize("player", [0, 1])
def test_it_costs_cp_does_what_it_says_and_is_used_once_a_phase(player: int) -> None:
    """Prayer heals the chosen unit for 2 wounds and costs 1 CP; the opponent, who has no such Detachment, is not asked."""
    battle = at_the_end(force(("ROOT",)), player, 2)
    first = battle.players.first_unit[player]
    assert set(words(battle).values()) == {"no Prayer", "Prayer: A", "Prayer: B"}
    assert len(slots(battle, "own")) == 2
    pick(battle, "Prayer: A")
    assert battle.models.wounds[battle.units.first[first]] == 3
    assert list(battle.players.cp)[player] == 1
    assert [e["unit"] for e in told(battle, "w9.stratagem.faction") if "name" in e and e["name"] == "Prayer"] == [first]
    assert not asked(battle)


@pytest.mark.rule("w9.stratagem.faction")
@pytest.mark.parametrize("player", [0, 1])
def test_both_players_have_access_each_in_their_turn(player: int) -> None:
    """Both armies are of the Faction: the player of the turn is asked, at a moment of any turn both are; without CP nobody."""
    mine, theirs = force(("ROOT",)), force(("ROOT",))
    for sheet, unit in zip(theirs["datasheets"], theirs["detachments"][0]["units"], strict=True):
        sheet["name"] = unit["datasheet"] = f"Foe {sheet['name']}".replace("Foe A", "Foe")
    battle = at_the_end(mine, player, 1, theirs)
    assert asked(battle)
    assert battle.decision.player == player
    battle.apply(0)
    assert not asked(battle)
    for army in (mine, theirs):
        army["stratagems"] = [{**PRAYER, "turn": "either"}]
    battle = at_the_end(mine, player, 1, theirs)
    battle.apply(0)
    assert asked(battle)
    assert battle.decision.player == 1 - player
    assert not asked(at_the_end(mine, player, 0, theirs))


@pytest.mark.rule("w9.stratagem.sub-faction")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("last", "access"), [(("ROOT", "HOUSE"), True), (("ROOT",), False), (("ROOT", "GUILD"), False)]
)
def test_all_units_have_to_be_of_the_sub_faction_too(last: tuple[str, ...], access: bool, player: int) -> None:
    """All five are of ROOT, whose Prayer is to be had in any case; the Rite of HOUSE only if all are of HOUSE."""
    battle = at_the_end(force(last, stratagems=(PRAYER, RITE)), player, 3)
    assert "no Prayer" in words(battle).values()
    battle.apply(0)
    assert asked(battle) == access


@pytest.mark.rule("w9.stratagem.sub-faction")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("faction", "cp", "left"),
    [("Root", 3, 1), ("Root", 2, 0), ("Root", 1, None), ("HOUSE", 3, 1), ("GUILD", 3, 2), (None, 3, 2)],
)
def test_a_rule_about_the_faction_counts_for_its_sub_factions(
    faction: str | None, cp: int, left: int | None, player: int
) -> None:
    """The Rite of 1 CP costs 2 where Stratagems of ROOT (or of HOUSE) cost 1 CP more."""
    costs = [{"faction": faction, "operation": "add", "amount": 1}] if faction else []
    battle = at_the_end(force(("ROOT", "HOUSE"), stratagems=(RITE,)), player, cp, stratagem_costs=costs)
    assert asked(battle) == (left is not None)
    if left is not None:
        pick(battle, "Rite: A")
        assert battle.players.cp[player] == left


@pytest.mark.rule("w9.stratagem.faction")
@pytest.mark.parametrize("player", [0, 1])
def test_a_keyword_narrows_the_units(player: int) -> None:
    mine = force(("ROOT",), stratagems=({**PRAYER, "keyword": "MONSTER"},))
    mine["datasheets"][1]["keywords"] = ["MONSTER"]
    assert set(words(at_the_end(mine, player, 1)).values()) == {"no Prayer", "Prayer: B"}


@pytest.mark.rule("w9.stratagem.faction")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("mover", ["A", "B", "Foe"])
def test_at_the_moment_of_a_unit_it_is_used_on_that_unit_or_in_the_other_turn_on_any_own_one(
    mover: str, player: int
) -> None:
    """A unit has ended its move: its player may use it on that unit alone, the opponent on each of its own units."""
    turn = "opponent's" if mover == "Foe" else "own"
    mine = force(("ROOT",), stratagems=({**PRAYER, "moment": "ends-move", "turn": turn},))
    armies = [mine, foes()]
    loaded = w9.GAME.load("w9/only-war-incursion", {"armies": armies if player == 0 else armies[::-1]})
    active = player if turn == "own" else 1 - player
    battle = in_phase(loaded, "movement", SPOTS, active=active, cp_each_command_phase=0)
    battle.players.cp[player] = 1
    if kind(battle) == "select-to-move":
        pick(battle, mover)
    pick(battle, "Normal move", kind="move-kind")
    battle.apply(battle.first_legal())
    assert asked(battle)
    assert battle.decision.player == player
    offered = {"no Prayer", f"Prayer: {mover}"} if turn == "own" else {"no Prayer", "Prayer: A", "Prayer: B"}
    assert set(words(battle).values()) == offered


def test_effects_are_those_that_are_known() -> None:
    with pytest.raises(ContentError, match="effect"):
        validate(Faction, {"name": "X", "keyword": "X", "stratagems": [{**PRAYER, "effect": "win"}]}, "<faction>")


@pytest.mark.rule("w9.stratagem.faction", "w9.rare.cp-stratagems.outside-phase")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("moment", ["before-battle", "round-ends", "movement-ends"])
def test_one_of_a_moment_outside_phases(moment: str, player: int) -> None:
    """A Stratagem of 1 CP by which its player gains 3: before the battle and at the end of a battle round 1 is gained, in a phase all."""
    tithe = {"name": "Tithe", "cp": 1, "moment": moment, "turn": "either", "effect": "stratagem-cp", "amount": 3}
    armies = [force(("ROOT",), stratagems=(tithe,)), foes()]
    loaded = w9.GAME.load("w9/only-war-incursion", {"armies": armies if player == 0 else armies[::-1]})
    battle = battle_of(w9.GAME.compile(loaded, {"cp_each_command_phase": 0}, None))
    for _ in range(2000):
        if (kind(battle) or "").startswith("faction-") or battle.over:
            break
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert (kind(battle) or "").startswith("faction-")
    assert battle.decision.player == player
    rounds = {"before-battle": 0, "round-ends": 1, "movement-ends": 1}
    assert battle.clock.round[0] == rounds[moment]
    before = battle.players.cp[player]
    battle.apply(next(a for a in battle.decision.options if a))
    assert battle.players.cp[player] == before - 1 + (3 if moment == "movement-ends" else 1)
