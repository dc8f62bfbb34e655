"""Both parts of an Attached unit destroyed at once, and mortal wounds of rules at full detail (w10.command.attached.*,
w10.attack.mortal.*)."""

from __future__ import annotations

import pytest

from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import Scene, choose, sheet, slots, told

VP = {"vp_each_unit_destroyed": 1}
HERO = sheet("Hero", W=2, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Squad"]}, models=(1, 1))


@pytest.mark.rule("w10.command.attached.destroyed-triggers", "w10.command.destroyed.unit")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("wounds", "destroyed"), [(1, 0), (2, 1), (3, 1), (4, 2), (9, 2)])
def test_each_part_that_is_destroyed_counts(player: int, wounds: int, destroyed: int) -> None:
    """Two Bodyguards of one wound and a Leader of two: so many mortal wounds at once destroy no unit, the Bodyguard, or both; a
    victory point for each."""
    scene = Scene()
    scene.unit(player, sheet("Before"), at=(50, 22), models=1)
    squad = scene.unit(player, sheet("Squad"), at=(20, 20), models=2)
    lead = scene.unit(player, HERO, at=(20, 21.5), models=1, leads=squad)
    scene.unit(1 - player, sheet("Theirs"), at=(40, 20), models=1)
    scene.rule(TimedRule("Doom", "charge", 1 - player, "mortal", squad.row, wounds, own_turn_only=False))
    battle = scene.battle("charge", active=player, rules=VP)
    places = [battle.units.place[unit] for unit in (squad, lead)]
    assert places.count(DESTROYED) == destroyed
    assert [e["unit"] for e in told(battle, "w10.command.destroyed.unit")] == [squad.row, lead.row][:destroyed]
    assert battle.players.vp[1 - player] == destroyed
    assert battle.players.vp[player] == 0
    if destroyed == 1:
        assert places == [DESTROYED, ON_TABLE]
        assert battle.models.wounds[lead.first] == 4 - wounds
        assert (battle.units.leader[squad], battle.units.bodyguard[lead]) == (-1, -1)
        assert (battle.units.alive[lead], battle.models.unit[lead.first]) == (1, lead.row)


@pytest.mark.rule("w10.attack.mortal.allocate")
@pytest.mark.parametrize("player", [0, 1])
def test_full_detail_asks_to_whom_a_mortal_wound_of_a_rule_goes(player: int) -> None:
    """Three models of W 2 and three mortal wounds: the owner picks the first model, which takes two of them, then another."""
    scene = Scene()
    scene.unit(player, sheet("Before"), at=(50, 22), models=1)
    unit = scene.unit(player, sheet("Squad", W=2), at=(20, 20), models=3)
    scene.unit(1 - player, sheet("Theirs"), at=(40, 20), models=1)
    scene.rule(TimedRule("Doom", "charge", 1 - player, "mortal", unit.row, 3, own_turn_only=False))
    battle = scene.battle("charge", active=player, detail="full")
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player, battle.decision.subject) == ("allocate", player, unit.row)
    choose(battle, "model", slots(battle, "model")[1])
    assert battle.decision.kind == "allocate"
    assert len(slots(battle, "model")) == 2
    choose(battle, "model", slots(battle, "model")[1])
    assert [battle.models.wounds[unit.model(k)] for k in range(3)] == [2, 0, 1]
