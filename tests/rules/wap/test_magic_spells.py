"""Which spells wizards know: lores, numbers, signature spells, levels lost (wap.magic.spells.*, .level.*)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from wizards import (
    SPARE,
    THIRD,
    TRIAL,
    cast,
    in_cast,
    knowing,
    known_names,
    let_be,
    offered_spells,
    ring,
    row_of,
    wizard,
)

from wh_env import Battle, ContentError
from wh_env.content.load import config_root, validate
from wh_env.content.wap.muster import fault_of_wizard
from wh_env.content.wap.schema_magic import LoreFile
from wh_env.content.wap.schema_units import Card, Entry
from wh_env.content.wap.spells import load_lore
from wh_env.core.features import Veil
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.magic.in_play import reduce_level
from wh_env.rulesets.wap.magic.winds import roll_winds
from wh_env.rulesets.wap.magic.wizards import channellers, dispellers, level_of
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told, words
from wh_env.testing.wap import RegimentScene, UnitHandle, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])
NAMES = {0: "Spark", 1: "Stroke", 2: "Shield", 3: "Curse", 4: "Cloak", 5: "Rot", 6: "Gale"}


def mustering(*cards: dict[str, Any], player: int = 0, detail: str = "full") -> tuple[Battle, list[UnitHandle]]:
    """An army of these wizards before anything is deployed."""
    scene = RegimentScene()
    mages = [scene.unit(player, card, models=1) for card in cards]
    scene.unit(player, None, models=5)
    scene.unit(1 - player, None, models=5)
    return scene.battle("deployment", detail=detail), mages


def learn(battle: Battle, mage: UnitHandle, *names: str) -> None:
    """A wizard is chosen, if that is asked, and selects these spells; what leaves no choice is not asked."""
    if kind(battle) == "learns-next":
        choose(battle, "own", mage.number)
    for name in names:
        if name not in known_names(battle, mage):
            pick(battle, name, kind="learn-spell")


def offered_to(battle: Battle) -> list[str]:
    """The spells that the wizard may select now."""
    assert kind(battle) == "learn-spell", kind(battle)
    return list(words(battle).values())


# ---------------------------------------------------------------- which spells


@pytest.mark.rule("wap.lore.general.eight-lores")
@PLAYERS
def test_eight_lores_of_seven_spells_and_an_attribute(player: int) -> None:
    names = {file.stem for file in (config_root() / "wap" / "lores").glob("*.yaml")}
    assert names == {"fire", "metal", "life", "beasts", "heavens", "light", "shadow", "death"}
    lores = {name: load_lore(name) for name in names}
    numbers = {name: sorted(row.number for row in lore.spells) for name, lore in lores.items()}
    assert numbers == {name: [*range(7)] for name in names}
    assert len({row.name for lore in lores.values() for row in lore.spells}) == 56
    assert len({lore.attribute for lore in lores.values()}) == 8
    battle, (mage,) = mustering(wizard(1, "fire"), player=player)
    assert known_names(battle, mage) == ["Fireball"]
    by_number = {row.number: row.name for row in lores["fire"].spells}
    assert offered_to(battle) == [by_number[n] for n in (1, 2, 3)]
    choose(battle, "number", slots(battle, "number")[0])
    assert sorted(known_names(battle, mage)) == sorted(["Fireball", by_number[1]])


@pytest.mark.rule("wap.magic.spells.by-level")
@pytest.mark.parametrize(("level", "highest"), [(1, 3), (2, 4), (3, 5), (4, 6)])
def test_the_spells_that_a_level_allows(level: int, highest: int) -> None:
    battle, _ = mustering(wizard(level))
    assert offered_to(battle) == [NAMES[n] for n in range(1, highest + 1)]


@pytest.mark.rule("wap.magic.spells.count", "wap.magic.spells.when")
@PLAYERS
@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_as_many_spells_as_levels_before_anything_is_deployed(player: int, level: int) -> None:
    battle, (mage,) = mustering(wizard(level), player=player)
    for n in range(level):
        assert kind(battle) == "learn-spell" and battle.decision is not None and battle.decision.player == player
        assert len(known_names(battle, mage)) == 1 + n  # the signature spell too
        assert list(Validator(battle.setup).faults(battle)) == []
        choose(battle, "number", slots(battle, "number")[0])
    assert kind(battle) != "learn-spell"  # a further one is refused
    known = known_names(battle, mage)
    assert len(known) == 1 + level
    assert not any(event.rule.startswith("wap.deploy") for event in battle.events)
    for _ in range(40):
        if battle.decision is not None:
            battle.apply(battle.first_legal())
    assert known_names(battle, mage) == known


@pytest.mark.rule("wap.magic.spells.order")
@PLAYERS
def test_the_player_chooses_which_wizard_is_first(player: int) -> None:
    battle, (one, four) = mustering(wizard(1), wizard(4), player=player)
    assert kind(battle) == "learns-next" and slots(battle, "own") == [one.number, four.number]
    other = battle.clone()
    learn(battle, one, "Curse")
    assert "Curse" not in offered_to(battle) and known_names(battle, four) == ["Spark"]
    learn(other, four, "Curse", "Cloak", "Rot", "Gale")
    assert offered_to(other) == ["Stroke", "Shield"]


@pytest.mark.rule("wap.magic.spells.unique")
@PLAYERS
def test_each_spell_once_in_an_army(player: int) -> None:
    """Another army may know it too."""
    scene = RegimentScene()
    first, second = (scene.unit(player, wizard(2), models=1) for _ in range(2))
    enemy = scene.unit(1 - player, wizard(2), models=1)
    battle = scene.battle("deployment", detail="full")
    if player == 1:
        learn(battle, enemy, "Stroke", "Shield")
    learn(battle, first, "Stroke", "Shield")
    if kind(battle) == "learn-spell" and player == 0:
        assert offered_to(battle) == ["Curse", "Cloak"]
        learn(battle, second, "Curse", "Cloak")
    while len(known_names(battle, second)) < 3:
        battle.apply(battle.first_legal())
    assert known_names(battle, second) == ["Spark", "Curse", "Cloak"]
    if player == 0:
        assert offered_to(battle) == ["Stroke", "Shield", "Curse", "Cloak"]
        learn(battle, enemy, "Stroke", "Shield")
    assert known_names(battle, enemy) == ["Spark", "Stroke", "Shield"]


@pytest.mark.rule("wap.magic.spells.unique-exceptions")
def test_who_finds_all_spells_taken_shares_them_evenly() -> None:
    battle, (first, second, third) = mustering(wizard(2), wizard(2), wizard(2))
    learn(battle, first, "Stroke", "Shield")
    learn(battle, second, "Curse", "Cloak")
    if kind(battle) == "learns-next":
        choose(battle, "own", third.number)
    assert offered_to(battle) == ["Stroke", "Shield", "Curse", "Cloak"]
    pick(battle, "Curse")
    assert offered_to(battle) == ["Stroke", "Shield", "Cloak"]  # he knows Curse, which two know now
    pick(battle, "Cloak")
    assert known_names(battle, third) == ["Spark", "Curse", "Cloak"]


@pytest.mark.rule("wap.magic.spells.unique-exceptions")
def test_spells_shared_twice_are_not_shared_a_third_time() -> None:
    battle, mages = mustering(*[wizard(2)] * 5)
    learn(battle, mages[0], "Stroke", "Shield")
    learn(battle, mages[1], "Curse", "Cloak")
    learn(battle, mages[2], "Stroke", "Shield")
    if kind(battle) == "learns-next":
        choose(battle, "own", mages[3].number)
    assert offered_to(battle) == ["Curse", "Cloak"]


@pytest.mark.rule("wap.magic.spells.unique-exceptions")
def test_spells_of_who_has_no_choice_are_free_to_others() -> None:
    """A model that knows them by its rules, a bound spell, and a Loremaster."""
    battle, (fixed, _, _, mage) = mustering(
        wizard(2, spells=[1, 2]),
        square(character=True, size=[1, 1], bound=ring("Curse", 4)),
        wizard(1, rules=["Loremaster (Lore of Trials)"]),
        wizard(1),
    )
    assert known_names(battle, fixed) == ["Stroke", "Shield"]
    assert offered_to(battle) == ["Stroke", "Shield", "Curse"]
    learn(battle, mage, "Shield")
    assert known_names(battle, mage) == ["Spark", "Shield"]


@pytest.mark.rule("wap.magic.spells.open")
@PLAYERS
def test_both_players_see_the_spells_of_all(player: int) -> None:
    """At every detail; they stand in the state of each unit, in the state that each player may see."""
    scene = RegimentScene()
    mage = scene.unit(player, wizard(2), (24, 10), models=1)
    enemy = scene.unit(1 - player, wizard(1), (24, 40), models=1)
    battle = scene.battle("magic", set_state=knowing({mage: "Curse,Shield", enemy: "Stroke"}))
    for seat in (0, 1):
        view = Veil().over(battle, seat)
        assert known_names(view, mage) == ["Spark", "Shield", "Curse"] and known_names(view, enemy) == [
            "Spark",
            "Stroke",
        ]
        states = [battle.setup.ruleset.states(view, unit.row) for unit in (mage, enemy)]
        assert {"wizard of level 2", "knows Spark", "knows Shield", "knows Curse"} <= set(states[0])
        assert {"wizard of level 1", "knows Spark", "knows Stroke"} <= set(states[1])


# ---------------------------------------------------------------- signature spells, Loremasters


@pytest.mark.rule("wap.magic.signature")
def test_every_wizard_of_a_lore_knows_its_signature_spell() -> None:
    battle, (one, other) = mustering(wizard(1), wizard(1))
    learn(battle, one, "Stroke")
    learn(battle, other, "Shield")
    assert known_names(battle, one) == ["Spark", "Stroke"] and known_names(battle, other) == ["Spark", "Shield"]


@pytest.mark.rule("wap.magic.signature.two-lores")
@pytest.mark.parametrize("lores", [(TRIAL, SPARE, THIRD), (THIRD, TRIAL, SPARE)])
def test_of_three_lores_two_signature_spells(lores: tuple[str, ...]) -> None:
    """The army list names the lores in the player's order: he has the signature spells of the first two."""
    signatures = {TRIAL: "Spark", SPARE: "Glow", THIRD: "Gleam"}
    battle, (mage,) = mustering(wizard(4, *lores, together=3))
    assert sorted(known_names(battle, mage)) == sorted(signatures[lore] for lore in lores[:2])
    assert signatures[lores[2]] not in offered_to(battle)


@pytest.mark.rule("wap.magic.signature.not-if-fixed")
def test_who_does_not_choose_his_spells_has_no_signature_spell() -> None:
    battle, (mage, bearer) = mustering(
        wizard(2, spells=[4]), square(character=True, size=[1, 1], bound=ring("Curse", 4))
    )
    assert known_names(battle, mage) == ["Cloak"] and known_names(battle, bearer) == ["Curse"]
    assert kind(battle) != "learn-spell"


@pytest.mark.rule("wap.special.loremaster")
@pytest.mark.parametrize(("level", "highest"), [(1, 3), (2, 4), (4, 6)])
def test_a_loremaster_knows_all_spells_that_his_level_allows(level: int, highest: int) -> None:
    battle, (mage,) = mustering(wizard(level, rules=["Loremaster (Lore of Trials)"]))
    assert known_names(battle, mage) == [NAMES[n] for n in range(highest + 1)]
    assert kind(battle) not in ("learn-spell", "learns-next")


@pytest.mark.rule("wap.special.loremaster")
def test_a_loremaster_with_several_lores_masters_the_one_in_brackets() -> None:
    battle, (mage,) = mustering(wizard(2, TRIAL, SPARE, together=2, rules=["Loremaster (Lore of Spares)"]))
    assert known_names(battle, mage) == ["Spark", "Glow", "Might", "Bane", "Halo"]


# ---------------------------------------------------------------- lores


@pytest.mark.rule("wap.magic.lore.choice", "wap.army.wizards.lore")
def test_a_list_names_a_lore_among_those_open_to_the_wizard() -> None:
    card = validate(Card, wizard(2, "fire", "heavens"), "<test>")
    plain = validate(Card, square(), "<test>")

    def fault(card: Card, **fields: Any) -> str | None:
        found = fault_of_wizard(validate(Entry, {"card": "mage", "models": 1, **fields}, "<test>"), card)
        return None if found is None else found.args[0] if found.args else str(found)

    assert fault(card, lores=["fire"]) is None and fault(card, lores=["heavens"]) is None
    assert fault(card, lores=["life"]) and fault(card) and fault(card, lores=["fire", "heavens"])
    assert fault(card, lores=["fire", "fire"])
    assert fault(plain) is None and fault(plain, lores=["fire"])


@pytest.mark.rule("wap.army.wizards.lore")
def test_his_spells_come_from_the_lore_on_the_list() -> None:
    for lore, known in ((TRIAL, "Spark"), (SPARE, "Glow")):
        battle, (mage,) = mustering(wizard(1, lore, together=1))
        assert known_names(battle, mage) == [known]
        assert set(offered_to(battle)) <= set(NAMES.values()) if lore == TRIAL else {"Might", "Bane", "Halo"}


@pytest.mark.rule("wap.magic.cast.minimum-value")
def test_a_casting_value_is_three_or_more() -> None:
    raw = yaml.safe_load(Path(TRIAL).read_text(encoding="utf-8"))
    raw["spells"][0]["cast"] = 3
    assert validate(LoreFile, raw, "<lore>").spells[0].cast == 3
    raw["spells"][0]["cast"] = 2
    with pytest.raises(ContentError, match="cast"):
        validate(LoreFile, raw, "<lore>")


# ---------------------------------------------------------------- levels lost


def master(level: int, spells: str, *, bound: Any = (), player: int = 0) -> tuple[Battle, UnitHandle, UnitHandle]:
    scene = RegimentScene()
    mage = scene.unit(player, wizard(level, bound=bound), (24, 24), models=1)
    scene.unit(player, wizard(1), (30, 24), models=1)
    foe = scene.unit(1 - player, None, (24, 34 if player == 0 else 14), models=10)
    dice = (6, 6, *[1] * (level + 1))
    battle = scene.battle("magic", player=player, dice=dice, set_state=knowing({mage: spells}))
    return battle, mage, foe


@pytest.mark.rule("wap.magic.level.lost")
@PLAYERS
def test_a_lost_level_costs_a_spell_at_random(player: int) -> None:
    for die, kept in ((2, "Stroke"), (1, "Shield")):
        battle, mage, _ = master(2, "Stroke,Shield", player=player)
        script(battle, [6, die])  # a 6 is no spell of two: it is rolled again
        reduce_level(battle, mage.row, "wap.magic.level.lost")
        assert level_of(battle, mage.row) == 1 and known_names(battle, mage) == ["Spark", kept]
        assert dice_left(battle) == 0
        assert len(told(battle, "wap.magic.level.lost")) == 2


@pytest.mark.rule("wap.magic.level.bound-kept")
def test_bound_spells_are_kept() -> None:
    battle, mage, _ = master(1, "Stroke", bound=ring("Curse", 4))
    script(battle, [5])
    reduce_level(battle, mage.row, "wap.magic.level.lost")
    assert dice_left(battle) == 1 and known_names(battle, mage) == ["Curse"]


@pytest.mark.rule("wap.magic.level.zero")
@PLAYERS
def test_at_level_zero_he_is_no_wizard(player: int) -> None:
    """He casts no spell of his own, not even the signature spell; bound ones he does."""
    battle, mage, _ = master(1, "Stroke", bound=ring("Curse", 4), player=player)
    reduce_level(battle, mage.row, "wap.magic.level.lost")
    reduce_level(battle, mage.row, "wap.magic.level.lost")  # there is nothing more to lose
    assert level_of(battle, mage.row) == 0
    assert len([e for e in told(battle, "wap.magic.level.lost") if "name" in e]) == 2
    assert mage.row not in channellers(battle, player) and mage.row not in dispellers(battle, player)
    assert offered_spells(battle, mage) == ["Curse"]
    before = len(told(battle, "wap.magic.winds.channel-power"))
    for active in (player, 1 - player):  # only the other wizard, of level 1, channels
        script(battle, [1, 1, 6])
        roll_winds(battle, active)
        assert dice_left(battle) == 0
    assert len(told(battle, "wap.magic.winds.channel-power")) == before + 1


@pytest.mark.rule("wap.magic.level.lost", "wap.magic.rip.lasting")
@PLAYERS
def test_a_spell_in_play_that_is_forgotten_ends(player: int) -> None:
    battle, mage, foe = master(1, "Curse", player=player)
    script(battle, [6, 1])
    cast(battle, mage, "Curse", foe, 1)
    let_be(battle)
    line = battle.units.first_line[foe]
    assert battle.lines.t[line] == 2
    reduce_level(battle, mage.row, "wap.magic.level.lost")
    assert battle.lines.t[line] == 3 and in_cast(battle, 0) == -1
    assert row_of(battle, mage, "Curse") not in [k - 1 for k in battle.effects.cast]
