"""What special rules have in common: who has any, what several of them make together, when they act, whom they reach."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env import Battle
from wh_env.content.errors import ContentError
from wh_env.content.load import validate
from wh_env.content.wap import compile as compiling
from wh_env.content.wap.schema_units import Card
from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.needed import to_wound
from wh_env.rulesets.wap.basics.special_rules import gain, lose_gained, models_have
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.movement.start_of_turn import ON_START_OF_BATTLE, StartEffect
from wh_env.rulesets.wap.rule_book import BOOK, FLAMING_ATTACKS, FRENZY, STUBBORN, SpecialRule
from wh_env.rulesets.wap.view.appraise_combat import share_of_hit
from wh_env.rulesets.wap.view.odds_harm import blow_harm
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.rulesets.wap.weapons.saves import points_against, save_of
from wh_env.testing import told
from wh_env.testing.wap import RegimentScene, UnitHandle, fight, special_rules_of, square


def two(mine: dict[str, Any], his: dict[str, Any] | None = None) -> tuple[Battle, UnitHandle, UnitHandle]:
    scene = RegimentScene()
    unit = scene.unit(0, square(**mine), (24, 24), models=5, files=5)
    foe = scene.beside(unit, 1, square(**(his or {})), models=5, files=5)
    return scene.battle("combat", run=False), unit, foe


def attacks(battle: Battle, unit: UnitHandle, foe: UnitHandle) -> int:
    return blow_of(battle, unit.row, battle.units.first_line[unit], foe.row).attacks


def test_a_plain_unit_has_no_special_rules_but_those_that_a_spell_gives_it_for_a_time() -> None:
    battle, unit, foe = two({})
    assert special_rules_of(battle, unit.row) == special_rules_of(battle, foe.row) == ()
    gain(battle, unit.row, FLAMING_ATTACKS)
    assert special_rules_of(battle, unit.row) == ("Flaming Attacks",) and models_have(battle, unit.row, FLAMING_ATTACKS)
    assert special_rules_of(battle, foe.row) == ()
    lose_gained(battle, unit.row, FLAMING_ATTACKS)
    assert special_rules_of(battle, unit.row) == ()
    battle, unit, _ = two({"rules": ["Stubborn"]})
    lose_gained(battle, unit.row, STUBBORN)  # it was its own, not given
    assert models_have(battle, unit.row, STUBBORN)


@pytest.mark.rule("wap.special.general.none-by-default")
def test_the_troop_type_and_the_card_give_rules() -> None:
    battle, unit, foe = two({"rules": ["Stubborn", "Hatred (Orcs)"]})
    assert special_rules_of(battle, unit.row) == ("Stubborn", "Hatred") and special_rules_of(battle, foe.row) == ()
    scene = RegimentScene()
    knights = scene.unit(0, "knights", (24, 24), models=5)
    scene.unit(1, None, (24, 40))
    assert special_rules_of(scene.battle("movement", run=False), knights.row) == ("Impact Hits", "Swiftstride")


@pytest.mark.parametrize(("rules", "charging", "expected"), [
    ([], 1, 1), (["Frenzy"], 1, 2), (["Devastating Charge"], 1, 2), (["Devastating Charge"], 0, 1), (["Frenzy", "Devastating Charge"], 1, 3),
    (["Frenzy", "Devastating Charge"], 0, 2),
])  # fmt: skip
@pytest.mark.rule("wap.special.general.cumulative")
def test_different_rules_add_up(rules: list[str], charging: int, expected: int) -> None:
    battle, unit, foe = two({"a": 1, "rules": rules})
    battle.units.charging[unit] = charging
    assert attacks(battle, unit, foe) == expected


@pytest.mark.rule("wap.special.general.no-duplicate")
def test_the_same_rule_twice_gives_nothing_more() -> None:
    battle, unit, foe = two({"a": 1, "rules": ["Frenzy", "Frenzy"]})
    assert attacks(battle, unit, foe) == 2
    gain(battle, unit.row, FRENZY)
    assert attacks(battle, unit, foe) == 2 and special_rules_of(battle, unit.row) == ("Frenzy",)
    battle, unit, foe = two({"a": 1})
    gain(battle, unit.row, FRENZY)
    assert attacks(battle, unit, foe) == 2


class Prayer(StartEffect):
    """A D6 at the start of the battle (for these tests)."""

    rule = "wap.special.general.start-of-battle"

    def due(self, g: BattleCore, unit: int) -> bool:
        return g.units.owner[unit] == 0

    def resolve(self, g: BattleCore, unit: int) -> None:
        g.note(self.rule, "prays", unit=unit, die=g.d6())


@pytest.mark.rule("wap.special.general.start-of-battle")
def test_the_start_of_the_battle_is_after_deployment_and_before_the_first_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "HANDLERS", (ON_START_OF_BATTLE.does(SpecialRule("Prayer"), Prayer()),))
    scene = RegimentScene()
    for player in (0, 1):
        scene.unit(player, None, models=5)
    battle = scene.battle("deployment", dice=[6, 1, 4, 6, 1])
    while battle.clock.phase[0] == 0:
        battle.apply(battle.first_legal())
    order = [event.kind for event in battle.events if event.kind in ("deployed", "prays", "plays first")]
    assert order == ["deployed", "deployed", "prays", "plays first"]
    assert [event.data["die"] for event in battle.events if event.kind == "prays"] == [4]


@pytest.mark.parametrize(("immune", "needed"), [(False, 3), (True, 4)])
@pytest.mark.rule("wap.special.immunity")
def test_who_is_immune_to_poison_is_wounded_as_by_any_other_blow(immune: bool, needed: int) -> None:
    """Strength 3 against Toughness 3."""
    rules = ["Immunity (Poisoned Attacks)"] if immune else ["Immunity (Killing Blow)"]
    battle, unit, foe = two({"rules": ["Poisoned Attacks"]}, {"rules": rules})
    blow = blow_of(battle, unit.row, battle.units.first_line[unit], foe.row)
    assert to_wound(blow.strength, 3) - blow.wounding == needed


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("killer", ["Killing Blow", "Heroic Killing Blow"])
@pytest.mark.parametrize(("rules", "lost"), [([], 3), (["Immunity (Killing Blow)"], 0)])
@pytest.mark.rule("wap.special.immunity", "wap.special.killing-blow")
def test_who_is_immune_to_killing_blows_saves_as_against_any_other(
    player: int, killer: str, rules: list[str], lost: int
) -> None:
    """A 6 to wound slays a model of three Wounds in heavy armour; who is immune saves on 4+, and odds know it."""
    scene = RegimentScene()
    own = scene.unit(player, square(i=9, rules=[killer]), (24, 24), models=1)
    victim = square(w=3, a=0, equipment=["hand weapon", "heavy armour"], rules=rules)
    foe = scene.beside(own, 1 - player, victim, models=1)
    battle = scene.battle("combat", player=player, run=False, dice=[6, 6, 4])
    blow = blow_of(battle, own.row, battle.units.first_line[own], foe.row)
    plain = blow._replace(nature=0)
    for odds in (
        lambda one: blow_harm(battle, foe.row, one, 3, 3, FRONT),
        lambda one: share_of_hit(battle, one.hit, foe.row, FRONT, 3),
    ):
        assert (odds(blow) == pytest.approx(odds(plain))) is bool(rules)
    fight(battle, own)
    assert battle.units.alive[foe] == (0 if lost else 1)
    assert bool(told(battle, "wap.special.killing-blow")) is not bool(rules)


@pytest.mark.parametrize(("rules", "save"), [([], 6), (["Immunity (Lightning Attacks)"], 3)])
@pytest.mark.rule("wap.special.immunity", "wap.special.lightning-attacks")
def test_armour_helps_who_is_immune_to_lightning(rules: list[str], save: int) -> None:
    """Heavy armour makes three points, natural armour one."""
    card = {"equipment": ["hand weapon", "heavy armour"], "rules": ["Natural Armour (6+)", *rules]}
    battle, unit, foe = two({"rules": ["Lightning Attacks"]}, card)
    blow = blow_of(battle, unit.row, battle.units.first_line[unit], foe.row)
    assert save_of(points_against(battle, foe.row, blow, FRONT)) == save


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(("rule", "said"), [
    ("Stuborn", "did you mean 'Stubborn'"), ("Feer", "did you mean 'Fear'"), ("Fear (2)", "expected Fear alone"),
    ("Frenzy (2)", r"Frenzy \(never lost\)"),
    ("Large Target (x)", r"Large Target \(3\)"),
    ("Immunity", r"Immunity \(Panic\)"), ("Immunity (Panik)", "did you mean 'Panic'"), ("Multiple Wounds (x)", r"Multiple Wounds \(D3\)"),
    ("Impact Hits", r"Impact Hits \(D6\)"), ("(Fear)", "a rule such as Stubborn"),
])  # fmt: skip
@pytest.mark.rule("wap.special.general.none-by-default")
def test_a_rule_that_nobody_knows_is_told_with_what_may_be_meant(rule: str, said: str) -> None:
    for field in ("rules", "champion_rules"):
        with pytest.raises(ContentError, match=said) as fault:
            validate(Card, square(**{field: ["Stubborn", rule]}), "<sheet>")
        assert fault.value.field == f"{field}[1]" and fault.value.value == rule


@pytest.mark.rule("wap.special.general.none-by-default")
def test_all_known_rules_are_taken() -> None:
    for known in BOOK:
        name = known.name
        rule = f"{name} ({known.form.example})" if known.form is not None and known.form.needed else name
        own = square(rules=[rule])
        if name == "Mixed Unit":  # which nobody is without masters
            own["masters"] = {at: own[at] for at in ("base_mm", "profile")}
        if name == "Breath Attack":  # of models alone that are units by themselves
            own["size"] = [1, 1]
        assert validate(Card, own, "<sheet>").rules == (rule,)
