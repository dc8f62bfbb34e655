"""What lasts until the end of the turn, or until the next phase of a kind (w9.round.turn-end, w9.psychic.manifest)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.content.battle import Battle
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.psychic.data import Affects, Lasts, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.psychic.lasting import powers_on
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


def manifested(player: int, power: PsychicPower, detail: str) -> tuple[Battle, int, int]:
    """A power is manifested on the ward, or on the foe, of whom each shoots at the other: the battle, the ward, the foe."""
    scene = NinthScene()
    caster = sheet("Caster", W=9, keywords=("INFANTRY", "PSYKER"))
    scene.unit(player, caster, at=(30, 5), psychic=PsychicProfile(1, 0, (power,)))
    guns = {"gun": ranged(24, A=1, BS=3, S=1)}
    ward = scene.unit(player, sheet("Ward", W=90, weapons=guns), at=(30, 14), models=1)
    foe = scene.unit(1 - player, sheet("Foe", W=90, weapons=guns), at=(30, 30), models=1)
    battle = scene.battle(
        "psychic", active=player, first_player=player, round=2, dice=[4, 4, *[2] * 60], detail=detail,
        rules={"cp_each_command_phase": 0},
    )  # fmt: skip
    pick(battle, "Caster")
    pick(battle, f"{power.name} (5+)")
    if kind(battle) == "power-target":
        pick(battle, "Foe" if power.affects == Affects.ENEMY else "Ward")
    return battle, ward.row, foe.row


def played_on(battle: Battle, unit: int) -> tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]]:
    """Play to the end of round 3 without moving: at which decisions (round, player, phase) a power is on the unit, and at which none."""
    on, off = [], []
    audit = battle.setup.ruleset.audit(battle)
    while battle.decision is not None and battle.clock.round[0] < 4:
        (on if any(powers_on(battle, unit)) else off).append(
            (battle.clock.round[0], battle.clock.turn[0], battle.clock.phase[0])
        )
        audit.before()
        texts = words(battle)
        if kind(battle) == "move-kind":
            battle.apply(next(a for a, text in texts.items() if "Remain Stationary" in text))
        elif kind(battle) in ("select-psyker", "select-to-charge"):
            battle.apply(0)
        else:
            at_whom = ("at Foe", "at Ward", "Foe", "Ward")
            wanted = (a for name in at_whom for a, text in texts.items() if name in text)
            battle.apply(next(wanted, battle.first_legal()))
        assert audit.after() == []
    return on, off


@pytest.mark.rule("w9.round.turn-end", "w9.psychic.manifest")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("lasts", "until"), [(Lasts.NEXT_COMMAND, Phase.COMMAND), (Lasts.NEXT_PSYCHIC, Phase.PSYCHIC)])
@pytest.mark.parametrize("hostile", [False, True])
def test_a_power_lasts_until_the_next_phase_of_its_player(
    hostile: bool, lasts: Lasts, until: Phase, player: int, detail: str
) -> None:
    """Through the opponent's turn, his Command and Psychic phases among it, up to the start of that phase of round 3: -1 to hit."""
    effect, affects = ("-1 to hit", Affects.ENEMY) if hostile else ("attacks at it: -1 to hit", Affects.FRIEND)
    battle, ward, foe = manifested(player, PsychicPower("Fog", 5, effect, affects, 36, lasts=lasts), detail)
    on, off = played_on(battle, foe if hostile else ward)
    last = (3, player, until)
    assert all(when[0] == 2 or (when[1] == player and when < last) for when in on)
    assert {when[1] for when in on} == {0, 1} and (2, 1 - player, Phase.SHOOTING) in on
    assert off and all(when[0] == 3 and (when[1] != player or when >= last) for when in off)
    assert ((3, player, Phase.MOVEMENT) in on) == (lasts == Lasts.NEXT_PSYCHIC)
    shots = [e["needed"] for e in told(battle, "w9.attack.hit") if e["target"] == ward]
    assert shots == [4, 3]  # in round 2 and in round 3
