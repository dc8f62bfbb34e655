"""Death: spells on a single model, and what its attribute brings."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero, rider
from lore_hits import PLAYERS, Field, amounts, needed, wizard

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.special_rules import models_have
from wh_env.rulesets.wap.magic.naming import NameModel
from wh_env.rulesets.wap.rule_book import STUPIDITY
from wh_env.testing import choose, dice_left, kind, pick, slots, told, words
from wh_env.testing.wap import UnitHandle, square

LEECH, CARESS, BJUNA = "Spirit Leech", "The Caress", "The Fate of Bjuna"
RULE = "wap.lore.death."
CHIEF = "the chief"


def prey(
    player: int, *spells: int, level: int = 4, inches: float = 8.0, caster: dict[str, Any] | None = None, **values: Any
) -> tuple[Field, UnitHandle, UnitHandle]:
    """A hero of 3 Wounds in a full suit of armour among twenty soldiers, and the wizard."""
    field = Field(player, wizard("death", *spells, level=level, **(caster or {})))
    host = field.enemy(None, (24, 12 + inches), models=20)
    card = hero(
        **{"s": 4, "t": 4, "w": 3, "ld": 7, "equipment": ["hand weapon", "full plate armour", "shield"], **values}
    )
    return field, host, field.enemy(card, None, inside=host, models=1, name=CHIEF, post=2)


def strike(field: Field, spell: str, host: UnitHandle, then: list[int], **more: Any) -> Battle:
    """Cast a spell on the hero."""
    battle = field.battle()
    field.cast(battle, spell, host, then, model=CHIEF, **more)
    return battle


@PLAYERS
@pytest.mark.rule("wap.lore.death.spirit-leech")
@pytest.mark.parametrize(("rolls", "lost"), [((5, 3), 3), ((4, 3), 2), ((2, 3), 0), ((1, 6), 0), ((3, 3), 1)])
def test_the_excess_of_the_caster_wounds(player: int, rolls: tuple[int, int], lost: int) -> None:
    """Leadership 8 against 7. Armour does not save, and no die is rolled to wound; each Wound rolls a die after it."""
    field, host, chief = prey(player, 0)
    battle = strike(field, LEECH, host, [*rolls, *[1] * lost])
    assert battle.models.wounds[chief.model()] == 3 - lost and battle.units.alive[host] == 20
    assert told(battle, RULE + "spirit-leech")[0]["totals"] == (8 + rolls[0], 7 + rolls[1])
    assert needed(battle) == [] and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.death.spirit-leech")
def test_ward_saves_and_regeneration_may_be_made(player: int) -> None:
    for rule in ("Ward Save (4+)", "Regeneration (4+)"):
        field, host, chief = prey(player, 0, rules=[rule])
        battle = strike(field, LEECH, host, [5, 3, 4, 3, 6, 1])
        assert battle.models.wounds[chief.model()] == 2 and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.death.spirit-leech")
def test_leadership_is_each_ones_own(player: int) -> None:
    """The General beside them lends none; a soldier has that of his unit, without the hero's."""
    field, host, chief = prey(player, 0)
    field.own(hero(ld=10), (22, 12), models=1, leads=["general"])
    field.enemy(hero(ld=10), (27, 23), models=1, leads=["general"])
    battle = field.battle()
    field.cast(battle, LEECH, host, [1, 1], model=CHIEF)
    assert told(battle, RULE + "spirit-leech")[0]["totals"] == (9, 8)
    battle = field.battle()
    field.cast(battle, LEECH, host, [1, 1], model=" 20")
    assert told(battle, RULE + "spirit-leech")[0]["totals"] == (9, 11)
    assert chief.row


@PLAYERS
@pytest.mark.rule("wap.lore.death.spirit-leech")
@pytest.mark.parametrize(("inches", "version", "reaches"), [(12, 0, True), (12.1, 0, False), (24, 1, True)])
def test_ranges_of_the_leech(player: int, inches: float, version: int, reaches: bool) -> None:
    field, host, chief = prey(player, 0, inches=inches)
    battle = strike(field, LEECH, host, [6, 1, 1, 1, 1], version=version)
    assert (battle.models.wounds[chief.model()] < 3) == reaches


@pytest.mark.rule("wap.lore.death.spirit-leech")
def test_a_hero_farther_than_his_soldiers_is_not_reached() -> None:
    """He stands at the end of a rank of fifteen: he is beyond 24", soldiers before the wizard are not."""
    field = Field(0, wizard("death", 0))
    host = field.enemy(None, (24, 35.6), models=29, files=15)
    field.enemy(hero(), None, inside=host, models=1, name=CHIEF, post=14)
    battle = field.battle()
    field.cast(battle, LEECH, host, [6, 1, 1], version=1)
    assert kind(battle) != "spell-model" and battle.units.alive[host] == 28  # a soldier was the only one to be named


@PLAYERS
@pytest.mark.rule("wap.lore.death.caress-of-laniph")
@pytest.mark.parametrize(
    ("dice", "hits", "wounds", "lost"),
    [((5, 4), 5, [4, 4, 3, 6, 1], 3), ((1, 2), 0, [], 0), ((2, 3), 1, [4], 1), ((3, 3), 2, [3, 2], 0)],
)
def test_the_caress(player: int, dice: tuple[int, int], hits: int, wounds: list[int], lost: int) -> None:
    """2D6 minus Strength 4. It wounds on 4+, whatever his Toughness is."""
    field, host, chief = prey(player, 2, t=9, w=5)
    battle = strike(field, CARESS, host, [*dice, *wounds, *[1] * lost])
    assert amounts(battle, RULE + "caress-of-laniph") == [hits]
    assert battle.models.wounds[chief.model()] == 5 - lost and battle.units.alive[host] == 20 and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.death.caress-of-laniph")
def test_a_rider_s_strength_is_his_own(player: int) -> None:
    field = Field(player, wizard("death", 2))
    horse = {"m": 8, "ws": 3, "bs": 0, "s": 6, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 5}
    target = field.enemy(rider(s=3, w=3, mount=horse), (24, 20), models=1)
    battle = field.battle()
    field.cast(battle, CARESS, target, [2, 2, 3])
    assert amounts(battle, RULE + "caress-of-laniph") == [1] and dice_left(battle) == 0
    far = Field(player, wizard("death", 2))
    target = far.enemy(hero(s=3), (24, 35), models=1)
    for version, hits in ((0, []), (1, [1])):
        battle = far.battle()
        far.cast(battle, CARESS, target, [2, 2, 1], version=version)
        assert amounts(battle, RULE + "caress-of-laniph") == hits


@PLAYERS
@pytest.mark.rule("wap.lore.death.fate-of-bjuna")
@pytest.mark.parametrize(("dice", "wounds", "lost"), [((2, 4), [2, 1], 1), ((1, 2), [], 0), ((1, 4), [1], 0)])
def test_who_survives_the_fate_is_stupid(player: int, dice: tuple[int, int], wounds: list[int], lost: int) -> None:
    """2D6 minus Toughness 4 hits, which wound on 2+. He is stupid for the game, and his unit with him."""
    field, host, chief = prey(player, 5)
    battle = strike(field, BJUNA, host, [*dice, *wounds, *[1] * lost])
    assert amounts(battle, RULE + "fate-of-bjuna") == [max(0, sum(dice) - 4)]
    assert battle.models.wounds[chief.model()] == 3 - lost and dice_left(battle) == 0
    assert models_have(battle, chief.row, STUPIDITY) and not models_have(battle, host.row, STUPIDITY)
    assert has(battle, host.row, STUPIDITY)
    while battle.clock.round[0] < 4:
        battle.apply(battle.first_legal())
    tests = told(battle, "wap.special.stupidity.test")
    assert len(tests) > 1 and {event["unit"] for event in tests} == {host.row}


@PLAYERS
@pytest.mark.rule("wap.lore.death.fate-of-bjuna")
def test_who_dies_of_the_fate_leaves_no_stupid_unit(player: int) -> None:
    field, host, chief = prey(player, 5)
    battle = strike(field, BJUNA, host, [4, 4, 2, 2, 2, 2, 1, 1, 1])
    assert battle.units.alive[chief] == 0 and battle.units.alive[host] == 20
    assert not has(battle, host.row, STUPIDITY) and dice_left(battle) == 0
    assert told(battle, RULE + "fate-of-bjuna")


@PLAYERS
@pytest.mark.rule("wap.lore.death.attribute-life-leeching")
@pytest.mark.parametrize(("dice", "won"), [((6, 2, 6), 2), ((1, 5, 5), 0), ((6, 6, 6), 3)])
def test_wounds_bring_power_dice(player: int, dice: tuple[int, int, int], won: int) -> None:
    field, host, chief = prey(player, 5)
    battle = field.battle()
    battle.pools.dice[player] = 6
    field.cast(battle, BJUNA, host, [4, 3, 2, 2, 2, *dice], model=CHIEF)
    assert battle.units.alive[chief] == 0 and dice_left(battle) == 0
    assert battle.pools.dice[player] == 2 + won
    assert told(battle, RULE + "attribute-life-leeching")[0]["rolls"] == dice


@pytest.mark.rule("wap.lore.death.attribute-life-leeching")
def test_saved_wounds_and_those_beyond_the_last_bring_none() -> None:
    field, host, chief = prey(0, 5, w=1, rules=["Ward Save (4+)"])
    battle = strike(field, BJUNA, host, [4, 4, 2, 2, 2, 2, 4, 4, 3, 3, 6])
    assert battle.units.alive[chief] == 0 and battle.pools.dice[0] == 12 - 4 + 1 and dice_left(battle) == 0


@pytest.mark.rule("wap.lore.death.spirit-leech")
def test_the_question_is_asked_at_both_details_and_can_be_delegated() -> None:
    field, _, chief = prey(0, 0)
    for detail in ("squad", "full"):
        battle = field.battle(detail=detail)
        choose(battle, "own", field.caster.number)
        for wanted in ("cast-spell", "spell-target"):
            if kind(battle) == wanted:
                battle.apply(battle.first_legal())
        assert kind(battle) == "spell-model" and slots(battle, "model") == [0, 1]
        number = battle.clock.kind[0]
        mask = memoryview(battle.legal())  # type: ignore[arg-type]
        action = battle.setup.ruleset.kinds[number].delegate(battle, battle.frame, mask)
        assert words(battle)[action] == f"on {battle.setup.names['models'][chief.model()]}"
        assert Validator(battle.setup).fault(battle) is None
        spoilt = battle.clone()
        spoilt.stack[spoilt.frame + NameModel.TARGET] = field.caster.row
        assert Validator(battle.setup).fault(spoilt) is not None
        pick(battle, CHIEF)
        assert kind(battle) == "spell-dice"


@pytest.mark.rule("wap.lore.death.spirit-leech")
def test_a_model_in_a_building() -> None:
    field = Field(0, wizard("death", 0))
    field.area("building", 20, 20, 28, 28, storeys=1)
    host = field.enemy(None, None, models=5, garrison=0)
    field.enemy(hero(ld=2), None, inside=host, models=1, name=CHIEF)
    battle = strike(field, LEECH, host, [5, 3, 1, 1])
    assert told(battle, RULE + "spirit-leech")[0]["totals"] == (13, 5)
    assert battle.units.alive[host] == 5


@pytest.mark.rule("wap.lore.death.caress-of-laniph")
def test_the_last_soldier_dies_and_heroes_stand_alone() -> None:
    field = Field(0, wizard("death", 2))
    host = field.enemy(square(ld=10), (24, 20), models=1, files=2)
    chief = field.enemy(hero(), None, inside=host, models=1, name=CHIEF)
    battle = field.battle()
    field.cast(battle, CARESS, host, [2, 2, 4, 1], model="unit 10")
    assert battle.units.alive[host] == 0 and battle.units.alive[chief] == 1
    assert battle.units.bodyguard[chief] == -1
