"""The Lifestone of Ashraaz, which exchanges Wounds with an enemy in contact."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from heroes import hero
from houses import house

from wh_env import Battle
from wh_env.agents.invariants import Invariants
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.carried import Moment, use_item
from wh_env.rulesets.wap.battle.restoring import heal
from wh_env.rulesets.wap.battle.timing import start_phase
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.view.appraise_items import best_use
from wh_env.rulesets.wap.view.ledger import Ledger
from wh_env.testing import choose, kind, told, words
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle, square

OWNERS = pytest.mark.parametrize("owner", [0, 1])
RULE, STONE = "wap.item.enchanted.lifestone-of-ashraaz", "Lifestone of Ashraaz"
OGRE = {"type": "monstrous infantry", "base_mm": (40, 40), "w": 3}


def wounded(**left: int) -> Any:
    """A ``set_state`` in which the first models of units have so many Wounds left, by the rows of the units."""

    def apply(battle: Battle) -> None:
        for row, wounds in left.items():
            battle.models.wounds[battle.units.first[int(row[1:])]] = wounds

    return apply


def facing(
    owner: int, foe: dict[str, Any], *, own: int = 1, theirs: int = 0, turn: int | None = None, foes: int = 1,
    detail: str = "full", lists: str = "open", run: bool = True,
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """A bearer with ``own`` Wounds left of 3 in contact with enemies, at the start of a Close Combat phase of the
    player ``turn``; ``theirs``: Wounds left of the first of them, 0: it is unhurt.
    """
    scene = RegimentScene(rules={"lists": lists})
    lord = scene.unit(owner, hero(w=3, a=0), (24, 24), models=1, files=1, items=[STONE])
    enemy = scene.beside(lord, 1 - owner, foe, models=foes, files=min(5, foes))
    left = {f"u{lord.row}": own, **({f"u{enemy.row}": theirs} if theirs else {})}
    side = owner if turn is None else turn
    return scene.battle("combat", player=side, detail=detail, set_state=wounded(**left), run=run), lord, enemy


def left(battle: Battle, unit: UnitHandle) -> list[int]:
    """The Wounds left of the models of a unit."""
    first = battle.units.first[unit]
    return battle.models.wounds.tolist()[first : first + battle.units.count[unit]]


@OWNERS
@pytest.mark.rule("wap.item.enchanted.lifestone-of-ashraaz", "wap.item.general.one-use")
@pytest.mark.parametrize("others_turn", [False, True])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_the_bearer_exchanges_wounds_with_a_hero_in_contact(owner: int, others_turn: bool, detail: str) -> None:
    """He has 1 left of 3, the enemy 2: then he has 2 and the enemy 1, in the Close Combat phase of either player."""
    battle, lord, enemy = facing(owner, hero(w=3), theirs=2, turn=owner ^ others_turn, detail=detail)
    ledger = Ledger(battle)
    assert kind(battle) == "use-item" and battle.decision is not None and battle.decision.player == owner
    (name,) = [name for name in battle.setup.names["models"] if name.startswith(enemy.regiment.name)]
    assert list(words(battle).values()) == [
        f"{lord.regiment.name} keeps {STONE}", f"{lord.regiment.name} uses {STONE} on {name} (2 left)"
    ]  # fmt: skip
    choose(battle, "option")
    assert (left(battle, lord), left(battle, enemy)) == ([2], [1])
    assert told(battle, RULE) == [
        {"unit": lord.row, "name": STONE},
        {"unit": lord.row, "target": enemy.row, "name": STONE, "amount": 2, "result": 1},
    ]
    exchanged = next(event for event in battle.events if event.kind == "exchanges Wounds")
    assert "2 Wounds left" in str(battle.setup.ruleset.sentence(battle, exchanged))
    assert battle.items.used.tolist() == [1] and battle.items.seen.tolist() == [1]
    assert not list(Validator(battle.setup).faults(battle)) and ledger.faults() == []
    asked = set()
    while battle.clock.round[0] < 3 and not battle.over:
        asked.add(kind(battle))
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert "use-item" not in asked and ledger.faults() == []


@OWNERS
@pytest.mark.rule("wap.item.enchanted.lifestone-of-ashraaz")
def test_nobody_is_wounded_by_it(owner: int) -> None:
    """Neither side has an Attack: the round is a draw, though the enemy has two Wounds less than before."""
    battle, lord, enemy = facing(owner, hero(w=3, a=0), own=1, theirs=3)
    ledger = Ledger(battle)
    choose(battle, "option")
    assert (left(battle, lord), left(battle, enemy)) == ([3], [1]) and ledger.faults() == []
    assert not told(battle, "wap.combat.casualties.tally") and not [e for e in battle.events if e.kind == "losses"]
    for _ in range(9):
        if [event for event in battle.events if event.kind == "scores"]:
            break
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    scores = [event.data for event in battle.events if event.kind == "scores"]
    assert scores and all(data["wounds"] == 0 for data in scores)


@OWNERS
@pytest.mark.rule("wap.item.enchanted.lifestone-of-ashraaz")
def test_the_number_counts_whatever_the_starting_wounds(owner: int) -> None:
    """A monster of 6 Wounds: the bearer has 6 of his 3 then, and the monster 1. Nobody heals beyond what he started
    with, and the battle is stored as it is.
    """
    monster = square(type="monster", base_mm=(50, 50), w=6)
    battle, lord, enemy = facing(owner, monster, run=False)
    start_phase(battle, Phase.COMBAT)
    use_item(battle, 0, Moment.START_OF_PHASE)
    assert (left(battle, lord), left(battle, enemy)) == ([6], [1])
    assert [fault for fault in Validator(battle.setup).faults(battle) if fault.where != "clock.asking"] == []
    assert heal(battle, lord.row, 2) == 0 and left(battle, lord) == [6]
    assert heal(battle, enemy.row, 9) == 5 and left(battle, enemy) == [6]
    suffer(battle, lord.row, 4)
    assert left(battle, lord) == [2] and heal(battle, lord.row, 9) == 1
    suffer(battle, lord.row, 3)
    assert battle.units.alive[lord] == 0


@OWNERS
@pytest.mark.rule("wap.item.enchanted.lifestone-of-ashraaz")
def test_a_model_of_the_rank_and_file(owner: int) -> None:
    """Of three ogres, one of whom is hurt, those that touch the bearer are offered; Wounds gather on one model."""
    battle, lord, enemy = facing(owner, square(**OGRE), own=1, foes=3)
    assert sorted(text.split("(")[-1] for text in list(words(battle).values())[1:]) == ["3 left)"]
    choose(battle, "option")
    assert left(battle, lord) == [3] and left(battle, enemy) == [3, 3, 1]
    suffer(battle, enemy.row, 2)
    assert left(battle, enemy) == [3, 2, 0] and battle.units.alive[enemy] == 2
    assert not list(Validator(battle.setup).faults(battle))


@OWNERS
@pytest.mark.rule("wap.item.enchanted.lifestone-of-ashraaz")
def test_only_models_that_touch_him_and_each_command_model_by_itself(owner: int) -> None:
    """The champion and a hero touch the bearer, a soldier too; the hero at the other end does not."""
    scene = RegimentScene()
    lord = scene.unit(owner, hero(w=3), (24, 24), models=1, files=1, items=[STONE])
    unit = scene.beside(lord, 1 - owner, square(), models=12, files=6, command=["champion"], along=0.5)
    heroes = [scene.unit(1 - owner, hero(w=n), inside=unit, models=1, post=post) for n, post in ((2, 2), (4, 5))]
    battle = scene.battle("combat", player=owner, detail="full")
    assert kind(battle) == "use-item"
    offered = list(words(battle).values())[1:]
    near, far = ([text for text in offered if each.regiment.name in text] for each in heroes)
    assert len(near) == 1 and far == [] and any("champion" in text or "0" in text for text in offered)
    assert len(offered) in (2, 3)
    at = offered.index(near[0])
    choose(battle, "option", at)
    assert left(battle, lord) == [2] and left(battle, heroes[0]) == [3] and left(battle, heroes[1]) == [4]


@OWNERS
@pytest.mark.rule("wap.item.enchanted.lifestone-of-ashraaz")
def test_it_is_not_offered_in_other_phases(owner: int) -> None:
    battle, *_ = facing(owner, hero(w=3, a=0))
    phases = set()
    while battle.clock.round[0] < 3 and not battle.over:
        if kind(battle) == "use-item":
            phases.add(Phase(battle.clock.phase[0]))
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert phases == {Phase.COMBAT}


@OWNERS
@pytest.mark.rule("wap.item.enchanted.lifestone-of-ashraaz")
def test_who_stands_at_one_end_of_his_unit_touches_no_enemy_at_the_other(owner: int) -> None:
    offered = []
    for along in (-3.5, 3.5):
        scene = RegimentScene()
        host = scene.unit(owner, None, (24, 24), models=20, files=10)
        scene.unit(owner, hero(w=3), inside=host, post=9, models=1, items=[STONE])
        scene.beside(host, 1 - owner, None, models=3, files=3, along=along)
        offered.append(kind(scene.battle("combat", player=owner)) == "use-item")
    assert sorted(offered) == [False, True]


@OWNERS
@pytest.mark.rule("wap.item.enchanted.lifestone-of-ashraaz")
def test_in_an_assault_the_models_inside_are_in_contact(owner: int) -> None:
    scene = RegimentScene()
    house(scene)
    lord = scene.unit(owner, hero(w=3), (22.5, 20), facing=NORTH, models=1, files=1, storms=0, items=[STONE])
    inside = scene.unit(1 - owner, square(**OGRE), models=4, garrison=0)
    battle = scene.battle("combat", player=owner, detail="full", set_state=wounded(**{f"u{lord.row}": 1}))
    assert kind(battle) == "use-item"
    use_item(battle, 0, Moment.START_OF_PHASE)
    assert left(battle, lord) == [3] and left(battle, inside) == [3, 3, 3, 1]


@OWNERS
@pytest.mark.rule("wap.item.enchanted.lifestone-of-ashraaz")
def test_greedy_play_uses_it_when_it_gains_wounds(owner: int) -> None:
    for own, theirs, uses in ((1, 2, True), (2, 2, False), (3, 1, False)):
        battle, *_ = facing(owner, hero(w=3), own=own, theirs=theirs)
        assert bool(best_use(battle, np.array(battle.legal()))) == uses


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.rule("wap.item.enchanted.lifestone-of-ashraaz")
def test_who_exchanges_wounds_may_have_more_than_he_began_with(owner: int) -> None:
    """The bearer has 4 Wounds left of his 3 then: no invariant of a battle is broken."""
    battle, lord, enemy = facing(owner, hero(w=5), own=1, theirs=4)
    invariants = Invariants(battle)
    invariants.before()
    choose(battle, "option")
    assert (left(battle, lord), left(battle, enemy)) == ([4], [1]) and not invariants.after()
