"""Sniper shots: what they need, whom they are meant for, who suffers them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.arming import man
from wh_env import Battle
from wh_env.rulesets.wap.codes import CHAMPION, STANDARD
from wh_env.rulesets.wap.shooting.shots import AS_REACTION, IN_PHASE, MULTIPLE, SNIPE, VOLLEY, firings, ways_of
from wh_env.rulesets.wap.shooting.sniping import marks_in
from wh_env.testing import dice_left, pick, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle

SNIPERS = man("handgun", bs=5, rules=["Sniper"])


def scene_of(
    mine: dict[str, Any] = SNIPERS, theirs: dict[str, Any] | None = None, *, dice: Sequence[int] = (), models: int = 1,
    command: Sequence[str] = ("champion", "standard"),
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """Snipers who look at a unit 12 inches away."""
    scene = RegimentScene()
    a = scene.unit(0, mine, (24, 12), models=models, files=models, facing=NORTH)
    b = scene.unit(1, theirs or man(), (24, 24), models=20, files=5, facing=SOUTH, command=command)
    return scene.battle("shooting", dice=dice, detail="full"), a, b


@pytest.mark.rule("wap.special.sniper")
def test_a_sniper_shot_is_harder() -> None:
    battle, a, b = scene_of()
    needs = {way: [row.needed for row in firings(battle, a.row, b.row, way, IN_PHASE)] for way in (0, SNIPE)}
    assert needs == {0: [2], SNIPE: [3]}


@pytest.mark.rule("wap.special.sniper")
def test_several_shots_may_be_sniper_shots_and_a_volley_may_not() -> None:
    battle, a, b = scene_of(man("throwing weapon", "bow", rules=["Sniper"]))
    ways = ways_of(battle, a.row, b.row, IN_PHASE)
    assert any(way & SNIPE and way & MULTIPLE for way in ways) and any(way & VOLLEY for way in ways)
    assert not any(way & SNIPE and way & VOLLEY for way in ways)
    plain, a, b = scene_of(man("handgun"))
    assert not any(way & SNIPE for way in ways_of(plain, a.row, b.row, IN_PHASE))
    assert ways_of(battle, 0, 1, AS_REACTION)


def test_a_weapon_may_be_a_sniper_s() -> None:
    rifle = {"weapon": "rifle", "range": 36, "strength": 4, "rules": ["Sniper"]}
    battle, a, b = scene_of(man("rifle", weapons=[rifle]))
    assert any(way & SNIPE for way in ways_of(battle, a.row, b.row, IN_PHASE))


def take_aim(battle: Battle, at: str) -> None:
    """Shoot as a sniper at a model that is called so."""
    pick(battle, "unit 00 shoots")
    if battle.decision is not None and battle.decision.kind == "shoot-target":
        pick(battle, "at unit")
    pick(battle, "sniper shots")
    assert battle.decision is not None and battle.decision.kind == "snipe-at"
    pick(battle, at)


def test_the_model_that_is_named_suffers() -> None:
    """A champion of 2 Wounds among twenty is hit and wounded: he loses one, then he falls; nobody falls in his place."""
    champion = {**man()["profile"], "w": 2, "t": 4}
    battle, _, b = scene_of(theirs=man(champion=champion, w=2), dice=[3, 4])
    assert [battle.models.role[k] for k in marks_in(battle, b.row)] == [0, CHAMPION, STANDARD]
    take_aim(battle, "champion")
    assert dice_left(battle) == 0
    leader = next(k for k in range(b.first, b.first + 20) if battle.models.role[k] == CHAMPION)
    assert battle.models.wounds[leader] == 1 and battle.units.alive[b] == 20
    assert told(battle, "wap.shoot.wound.roll")[0]["needed"] == 4
    assert told(battle, "wap.special.sniper.target")[0]["model"] == leader


def test_a_named_champion_falls_and_somebody_takes_his_place() -> None:
    battle, _, b = scene_of(dice=[3, 3])
    take_aim(battle, "champion")
    m = battle.models
    assert battle.units.alive[b] == 19 and not any(
        m.role[k] == CHAMPION and m.alive[k] for k in range(b.first, b.first + 20)
    )
    assert sum(m.rank[k] == 0 for k in range(b.first, b.first + 20)) == 5


def test_who_is_missed_does_not_suffer() -> None:
    battle, _, b = scene_of(dice=[2])
    take_aim(battle, "champion")
    assert battle.units.alive[b] == 20 and dice_left(battle) == 0


def test_one_of_the_rank_and_file_may_be_named() -> None:
    battle, _, b = scene_of(dice=[3, 3], command=())
    pick(battle, "unit 00 shoots")
    if battle.decision is not None and battle.decision.kind == "shoot-target":
        pick(battle, "at unit")
    pick(battle, "sniper shots")  # there is nobody else to name
    assert battle.units.alive[b] == 19 and dice_left(battle) == 0
