"""What lasts until the end of the turn (w9.round.turn-end)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower, PsychicProfile
from wh_env.testing import kind, melee, pick, ranged, sheet, told, words

AEGIS = PsychicPower("Aegis", 5, "+1 to saving throws", Affects.FRIEND, 12)
WEAPONS = {"blade": melee(A=1, WS=2, S=8), "pistol": ranged(12, A=1, BS=2, S=8, abilities=["Pistol"])}


@pytest.mark.rule("w9.round.turn-end")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("player", [0, 1])
def test_a_power_ends_with_the_turn_of_its_player(player: int, detail: str) -> None:
    """+1 to saves of Sv 4+: in its player's Fight phase a 3 saves, in the opponent's Shooting phase of the same round it does not."""
    scene = NinthScene()
    profile = PsychicProfile(1, 0, (AEGIS,))
    scene.unit(player, sheet("Caster", W=9, keywords=("INFANTRY", "PSYKER")), at=(30, 10), psychic=profile)
    ward = scene.unit(player, sheet("Ward", W=9, Sv=4), at=(30, 14), models=1)
    scene.unit(1 - player, sheet("Foe", W=9, weapons=WEAPONS), at=(30, 15.5), models=1)
    dice = [4, 4, 6, 6, 3, 6, 6, 3]
    battle = scene.battle(
        "psychic",
        active=player,
        first_player=player,
        round=2,
        dice=dice,
        detail=detail,
        rules={"cp_each_command_phase": 0},
    )
    pick(battle, "Caster")
    pick(battle, "Aegis (5+)")
    if kind(battle) == "power-target":
        pick(battle, "Aegis: Ward")
    while battle.decision is not None and len(told(battle, "w9.attack.save")) < 2:
        texts = words(battle)
        wanted = next((a for a, text in texts.items() if "Foe" in text and "pile" not in text), None)
        if kind(battle) == "move-kind":
            wanted = next(a for a, text in texts.items() if "Remain Stationary" in text)
        elif kind(battle) in ("select-psyker", "select-to-charge", "pile-in", "consolidate"):
            wanted = 0 if 0 in texts else None
        elif any("at Ward" in text or text == "Ward" for text in texts.values()):
            wanted = next(a for a, text in texts.items() if "Ward" in text)
        battle.apply(battle.first_legal() if wanted is None else wanted)
    first, second = told(battle, "w9.attack.save")
    assert (first["die"], first["needed"], first["result"]) == (3, 3, 1)
    assert (second["die"], second["needed"], second["result"]) == (3, 4, 0)
    assert (battle.clock.round[0], battle.clock.turn[0]) == (2, 1 - player)
    assert battle.clock.phase[0] >= Phase.SHOOTING
    assert battle.models.wounds[ward.first] == 8
