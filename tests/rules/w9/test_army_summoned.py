"""Units that are added to an army during the battle (w9.army.all-units.added)."""

from __future__ import annotations

import pytest
from classic import raw_sheet
from ninth import NinthScene

from wh_env.content import ContentError, w9
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.core.validation import Validator
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import kind, ranged, sheet, words

GUNS = {"gun": ranged(36, A=1, BS=3, S=4)}


def summoning(player, detail="squad", *, size=(60, 44), foe=(30, 22), lists=1, rules=None):
    """In its Command phase the player's summoner calls a unit of three; the battle when that is to be set up."""
    scene = NinthScene(size=size)
    caller = scene.unit(player, sheet("Caller", keywords=("INFANTRY", "F")), at=(3, 3), models=1)
    late = [
        scene.unit(player, sheet(f"Imps {n}", weapons=GUNS), models=3, reserves="summoned", name=f"Imps {n}")
        for n in range(lists)
    ]
    enemy = scene.unit(1 - player, sheet("Foe", W=9), at=foe, models=1, name="Foe")
    scene.rule(TimedRule("Summoning", "command", player, "summon", caller, 0))
    return scene.battle("command", active=player, detail=detail, rules=rules or {}), late, enemy


def put(battle, unit):
    """It is set up somewhere."""
    while battle.units.place[unit] != ON_TABLE:
        battle.apply(battle.first_legal())


@pytest.mark.rule("w9.army.all-units.added")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_it_is_set_up_more_than_nine_inches_from_enemies_and_acts_in_that_turn(detail, player):
    """It is nowhere before; then it arrives as Reinforcements do, does not move and shoots."""
    battle, (late,), enemy = summoning(player, detail)
    assert (kind(battle), battle.decision.player) == ("arrive-at" if detail == "squad" else "place-model", player)
    for action in list(battle.decision.options):
        clone = battle.clone()
        clone.apply(action)
        if kind(clone) == "place-exactly":
            clone.apply(clone.first_legal())
        assert clone.distance(late.row, enemy.row) > 9
    put(battle, late)
    assert (battle.units.alive[late], battle.units.strength[late]) == (3, 3)
    assert [str(fault) for fault in Validator(battle.setup).faults(battle)] == []
    asked = set()
    while battle.clock.turn[0] == player and not battle.over:
        if "Imps 0" in words(battle).values():
            asked.add(kind(battle))
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert "select-to-shoot" in asked
    assert "select-to-move" not in asked


@pytest.mark.rule("w9.army.all-units.added")
@pytest.mark.parametrize("player", [0, 1])
def test_without_room_nobody_comes(player):
    """On a table of 12" by 12" with an enemy in the middle."""
    battle, (late,), _ = summoning(player, size=(12, 12), foe=(6, 6))
    assert kind(battle) != "arrive-at"
    assert (battle.units.place[late], battle.units.strength[late]) == (DESTROYED, 0)


@pytest.mark.rule("w9.army.all-units.added")
@pytest.mark.parametrize("player", [0, 1])
def test_who_waits_to_be_summoned_is_in_no_army(player):
    """The army is destroyed with its last unit, although another one could have been summoned."""
    scene = NinthScene()
    scene.unit(player, sheet("Caller", W=1), at=(3, 3), models=1)
    scene.unit(player, sheet("Imps"), models=3, reserves="summoned")
    scene.unit(1 - player, sheet("Foe"), at=(50, 40), models=1)
    scene.rule(TimedRule("Doom", "command", player, "mortal", 0 if player == 0 else 1, 1))
    battle = scene.battle("command", active=player)
    while not battle.over and battle.clock.turn[0] == player:
        battle.apply(battle.first_legal())
    assert battle.over


@pytest.mark.rule("w9.army.all-units.added")
@pytest.mark.parametrize("player", [0, 1])
def test_it_stands_outside_detachments_and_the_army_is_battle_forged_all_the_same(player):
    """In a Detachment it is refused."""
    army = w9_army(summoned=True)
    loaded = load(army, player)
    assert loaded.armies[player].battle_forged
    with pytest.raises(ContentError, match="a unit in no Detachment"):
        load(w9_army(summoned=False), player)


def w9_army(*, summoned):
    """A Patrol and a unit that may be summoned, which is listed outside it, or wrongly in it."""
    roles = {"A": "HQ", "B": "Troops", "Imps": "Troops"}
    sheets = [
        raw_sheet(
            name,
            role=role,
            faction_keywords=["TESTERS"],
            points=1,
            model={"max": 1, "weapons": []},
        )
        for name, role in roles.items()
    ]
    imps = {"datasheet": "Imps", "reserves": "summoned"}
    units = [{"datasheet": "A", "warlord": True}, {"datasheet": "B"}]
    inside, outside = (units, [imps]) if summoned else ([*units, imps], [])
    return {
        "name": "T", "faction": "Testers", "datasheets": sheets, "units": outside,
        "detachments": [{"type": "Patrol", "units": inside}],
    }  # fmt: skip


def load(army, player):
    """A battle of it against a Patrol like it, without anybody to be summoned."""
    other = w9_army(summoned=True)
    other["units"] = []
    armies = [army, other] if player == 0 else [other, army]
    return w9.GAME.load("w9/only-war-patrol", {"armies": armies})
