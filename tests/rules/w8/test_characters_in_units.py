"""CHARACTER models in units of others: what a CHARACTER may do, that model alone does (w8.warlord.legendary-fighter, w8.charge.heroic)."""

from __future__ import annotations

import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.rulesets.w8.warlord.state import Trait
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.testing import UnitHandle, choose, kind, melee, pick, place, sheet, slots, told

CHARACTER = int(Keyword.CHARACTER)
BLADE = {"blade": melee(A=2, WS=3, S=4)}


@pytest.mark.rule("w8.warlord.legendary-fighter")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("leader", [0, 2])
@pytest.mark.parametrize("charge", [True, False])
def test_comrades_of_a_legendary_fighter_make_no_more_attacks(
    charge: bool, leader: int, detail: str, player: int
) -> None:
    """Three models with 2 attacks each, one of them the Warlord: 7 attacks after a charge, 6 without one."""
    scene = EighthScene()
    places = [(20.0, 20.0), (21.1, 20.0), (22.2, 20.0)]
    guard = scene.unit(player, sheet("Guard", W=3, weapons=BLADE), at=places, models=3)
    ahead = 24.0 if charge else 22.4
    scene.unit(1 - player, sheet("Post", T=10, W=60, base_mm=100, models=(1, 1)), at=(21.1, ahead + 0.6))
    settle = {"trait": Trait.LEGENDARY_FIGHTER}

    def lead(battle: Battle) -> None:
        battle.warlords.model[player] = guard.model(leader) + 1
        battle.warlords.trait[player] = settle["trait"]

    phase = "charge" if charge else "fight"
    battle = scene.battle(phase, active=player, dice=[6, 6] if charge else [], set_state=lead, detail=detail)
    while battle.decision is not None and not told(battle, "w8.attack.hit"):
        battle.apply(battle.decision.options[-1])
    by = [e["attacker"] for e in told(battle, "w8.attack.hit")]
    counts = [by.count(guard.model(n)) for n in range(3)]
    assert counts == [3 if charge and n == leader else 2 for n in range(3)]


def heroes(player: int, detail: str, enemies: list[tuple[float, float]]) -> tuple[Battle, UnitHandle]:
    """Three models in a row in the Charge phase of the other player, the second of them a CHARACTER; enemies at these spots."""
    scene = EighthScene()
    spots = [(20.0, 20.0), (22.5, 20.0), (25.0, 20.0)]
    guard = scene.unit(player, sheet("Guard", W=3, keywords=("INFANTRY", "CHARACTER")), at=spots, models=3)
    for number, spot in enumerate(enemies):
        scene.unit(1 - player, sheet(f"Enemy {number}", W=9), at=spot, models=1)

    def demote(battle: Battle) -> None:
        for number in (0, 2):
            battle.models.keywords[guard.model(number)] &= ~CHARACTER

    return scene.battle("charge", active=1 - player, detail=detail, set_state=demote), guard


@pytest.mark.rule("w8.charge.heroic")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(
    ("enemies", "eligible"),
    [
        ([(22.5, 22.4)], True),
        ([(18.0, 21.0)], False),  # 1.2" from the first model, 3.6" from the CHARACTER
        ([(18.0, 21.0), (22.5, 22.4)], True),
    ],
)
def test_only_the_character_has_to_be_near_and_only_he_moves(
    enemies: list[tuple[float, float]], eligible: bool, detail: str, player: int
) -> None:
    """An enemy near a comrade alone is none that the CHARACTER meets; where he intervenes his comrades stay."""
    battle, guard = heroes(player, detail, enemies)
    while kind(battle) == "select-to-charge":
        choose(battle, "done")
    assert (kind(battle) == "select-to-intervene") is eligible
    if not eligible:
        return
    pick(battle, "Guard")
    if detail == "full":
        assert kind(battle) == "close-order"
        assert slots(battle, "model") == [1]
        pick(battle, "leave the move to the engine")
    assert place(battle, guard.model(0)) == (20, 20)
    assert place(battle, guard.model(2)) == (25, 20)
    assert place(battle, guard.model(1))[1] > 20.1
