"""Weapons: their table, the choice among them, what they make of who uses them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.arming import beast, blow, line_of, man, pair, rider
from wh_env import ContentError
from wh_env.content.battle import Battle
from wh_env.content.load import config_root, validate
from wh_env.content.reading import read_yaml
from wh_env.content.rulebook import catalogue
from wh_env.content.wap import load_sheet
from wh_env.content.wap.armoury import Weapons
from wh_env.content.wap.load import weapons
from wh_env.rulesets.wap.codes import FRONT, LEFT, REAR, RIGHT, TROOP_TYPES
from wh_env.rulesets.wap.combat.close_combat import begin_combat, end_combat, round_over
from wh_env.rulesets.wap.combat.weapon_choice import ChooseWeapons, has_to_choose
from wh_env.rulesets.wap.weapons.arms import HAND_WEAPON, NO_SAVE, Weapon, outfit_of, weapon_of
from wh_env.rulesets.wap.weapons.blows import extra_ranks
from wh_env.rulesets.wap.weapons.saves import armour_save, parries_of
from wh_env.testing import choose, kind, pick, told, words
from wh_env.testing.wap import PLAIN, RegimentScene, fight

SWORD = {"weapon": "rune sword", "strength": "+2", "rules": ["magic weapon"]}
HEAVY = ("war beast", "cavalry", "monstrous infantry", "monstrous beast", "monstrous cavalry", "chariot", "monster")


# ---------------------------------------------------------------- the tables


@pytest.mark.rule("wap.weapon.melee.table")
def test_the_table_of_close_combat_weapons_is_the_rule_s() -> None:
    table = catalogue("wap")["wap.weapon.melee.table"]["table"]
    assert read_yaml(config_root() / "wap" / "weapons.yaml")["combat"] == table
    assert len(table) == 9


@pytest.mark.rule("wap.weapon.melee.table")
def test_what_the_table_means() -> None:
    """Its words become numbers, none is left over."""
    heavy = frozenset(TROOP_TYPES.index(name) for name in HEAVY)
    both = frozenset({"initiative", "bonus"})
    known = weapons()
    expected = [
        Weapon("hand weapon"),
        Weapon("additional hand weapon", attacks=1, parry=6, two_hands=True),
        Weapon("halberd (polearm)", strength=1, two_hands=True),
        Weapon("great weapon", strength=1, initiative=-2, bonus=1, two_hands=True),
        Weapon("flail", bonus=2, two_hands=True),
        Weapon("spear (infantry)", initiative=1, ranks=1, bonus=1, when=1, starred=both, against=heavy),
        Weapon("spear (cavalry)", initiative=1, bonus=1, when=2, starred=both),
        Weapon("lance", initiative=2, bonus=2, when=2, starred=both, mounted=True),
        Weapon("pike", initiative=3, ranks=3, bonus=1, when=1, starred=both, against=heavy, two_hands=True),
    ]
    assert [weapon for weapon in known.values() if not weapon.range] == expected


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"rules": ["Very Sharp"]}, "combat[0].rules[0]", "is no rule of weapons"),
        ({"rules": ["Strength Bonus"]}, "combat[0].rules[0]", "Strength Bonus (1)"),
        ({"strength": "strong"}, "combat[0].strength", "user, +1, or a number"),
        ({"rules": ["+1 Initiative*"]}, "combat[0].condition", "words that say when what is starred holds"),
        ({"rules": ["+1 Initiative*"], "condition": "* on Sundays"}, "combat[0].condition", "is no condition"),
        (
            {
                "rules": ["Strength Bonus (1)*"],
                "condition": "* in turns in which charged in the front; Strength Bonus only against XX",
            },
            "combat[0].condition",
            "is no condition",
        ),
        ({"range": 12}, "combat[0].range", "no range: a weapon for close combat"),
    ],
)
@pytest.mark.rule("wap.weapon.general.profile")
def test_a_weapon_that_means_nothing_is_told_in_words(changes: dict[str, Any], field: str, words: str) -> None:
    row = {"weapon": "thing", "strength": "user", "rules": []} | changes
    with pytest.raises(ContentError) as fault:
        validate(Weapons, {"combat": [row], "missile": []}, "weapons.yaml")
    assert fault.value.file == "weapons.yaml" and fault.value.field == field
    assert words in str(fault.value)


@pytest.mark.parametrize(
    ("weapon", "user", "strength", "range_"),
    [
        ("bow", 2, 3, 24),
        ("javelin", 4, 4, 12),
        ("throwing axe", 3, 4, 6),
        ("crossbow", 2, 4, 30),
        ("throwing weapon", 5, 5, 8),
    ],
)
@pytest.mark.rule("wap.weapon.general.profile")
def test_three_forms_of_a_weapon_s_strength(weapon: str, user: int, strength: int, range_: int) -> None:
    """Fixed, the user's, the user's and more."""
    battle, a, _ = pair(man(HAND_WEAPON, weapon, s=user), man())
    missile = outfit_of(battle, a.row).missiles[0]
    assert (missile.strength_of(battle.lines.s[line_of(battle, a)]), missile.range) == (strength, range_)
    assert weapon_of(battle, a.row).name == HAND_WEAPON  # nobody fights hand to hand with it


@pytest.mark.parametrize(("strength", "user", "hits"), [("user", 4, 4), ("+1", 4, 5), (5, 4, 5), (5, 2, 5)])
@pytest.mark.rule("wap.weapon.general.profile")
def test_the_same_in_close_combat(strength: int | str, user: int, hits: int) -> None:
    own = {"weapon": "blade", "strength": strength}
    battle, a, b = pair(man("blade", weapons=[own], s=user), man())
    assert blow(battle, a, b).strength == hits


def sheet(card: dict[str, Any]) -> dict[str, Any]:
    return {"name": "one", "cards": {"men": {"category": "core", "points": 5, "profile": dict(PLAIN), **card}}}


@pytest.mark.rule("wap.weapon.melee.lance")
def test_nobody_on_foot_has_a_lance() -> None:
    foot: dict[str, Any] = {"type": "infantry", "base_mm": [25, 25], "equipment": ["lance"]}
    with pytest.raises(ContentError, match="is for riders only") as fault:
        load_sheet(sheet(foot))
    assert fault.value.field == "cards.men.equipment[0]"
    with pytest.raises(ContentError, match="is for riders only"):
        load_sheet(sheet(foot | {"equipment": [], "options": {"lance": 2}}))
    assert load_sheet(sheet(foot | {"type": "cavalry", "base_mm": [25, 50]})).cards["men"].equipment == ("lance",)


def test_equipment_that_is_not_known() -> None:
    foot: dict[str, Any] = {"type": "infantry", "base_mm": [25, 25], "equipment": ["hand weapon", "halberd (poleaxe)"]}
    with pytest.raises(ContentError, match=r"did you mean 'halberd \(polearm\)'") as fault:
        load_sheet(sheet(foot))
    assert fault.value.field == "cards.men.equipment[1]"


@pytest.mark.rule("wap.weapon.general.unit-equipment")
def test_all_models_of_a_unit_carry_what_the_unit_does() -> None:
    """Its champion and who bears its standard too."""
    card = man(HAND_WEAPON, "spear (infantry)", "shield")
    battle, a, b = pair(card, man(), command=("champion", "standard", "musician"))
    assert weapon_of(battle, a.row).name == "spear (infantry)"
    assert [piece.name for piece in outfit_of(battle, a.row).worn] == ["shield"]
    assert armour_save(battle, a.row) == 6
    for k in battle.members(a.row):
        assert battle.models.line[k] in (line_of(battle, a), line_of(battle, a, "champion"))
    assert blow(battle, a, b).strength == blow(battle, a, b, "champion").strength == 3
    assert extra_ranks(battle, a.row) == 2


# ---------------------------------------------------------------- the choice


def hero(**values: Any) -> dict[str, Any]:
    return man(HAND_WEAPON, "great weapon", "rune sword", weapons=[SWORD], **values)


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.rule("wap.weapon.general.choose")
def test_who_has_several_weapons_is_asked_once_before_any_blow(owner: int) -> None:
    """In his own turn and in the enemy's; of the plain hand weapon beside them there is no word."""
    cards = (hero(), man()) if owner == 0 else (man(), hero())
    battle, a, b = pair(*cards, models=(1, 1), others=man(), run=True)
    unit, foe = (a, b) if owner == 0 else (b, a)
    decision = battle.decision
    assert decision is not None and (decision.kind, decision.player, decision.subject) == (
        "choose-weapon",
        owner,
        unit.row,
    )
    assert list(words(battle).values()) == ["great weapon", "rune sword"]
    assert not told(battle, "wap.combat.phase.sequence")
    pick(battle, "rune sword")
    assert told(battle, "wap.weapon.general.choose") == [{"unit": unit.row, "name": "rune sword"}]
    assert blow(battle, unit, foe).strength == 5
    assert kind(battle) == "choose-combat"


@pytest.mark.rule("wap.weapon.general.choose")
def test_who_has_one_weapon_is_not_asked() -> None:
    battle, _, _ = pair(man(HAND_WEAPON, "great weapon"), man(HAND_WEAPON), others=man(), run=True)
    assert kind(battle) == "choose-combat"


@pytest.mark.rule("wap.weapon.general.choose")
def test_whose_turn_it_is_chooses_first_and_who_does_not_fight_is_not_asked() -> None:
    scene = RegimentScene()
    scene.unit(0, hero(), (6, 6), models=1)
    a = scene.unit(0, hero(), (24, 24), models=5)
    b = scene.beside(a, 1, hero(), models=5)
    for turn, order in ((0, [a.row, b.row]), (1, [b.row, a.row])):
        battle = scene.battle("combat", player=turn)
        asked = []
        while battle.decision is not None and battle.decision.kind == "choose-weapon":
            asked.append(battle.decision.subject)
            choose(battle, "option", 0)
        assert asked == order


@pytest.mark.rule("wap.weapon.general.keep")
def test_a_weapon_is_kept_while_the_combat_goes_on() -> None:
    """Two that never hurt each other and never break: nobody is asked again in the next phase."""
    calm = {"a": 0, "rules": ["Unbreakable"]}
    battle, a, _ = pair(hero(**calm), man(**calm), models=(5, 5), others=man(**calm), run=True)
    pick(battle, "rune sword")
    phase = battle.clock.round[0], battle.clock.turn[0]
    for _ in range(400):
        decision = battle.decision
        assert decision is not None and decision.kind != "choose-weapon"
        later = (battle.clock.round[0], battle.clock.turn[0]) != phase
        if later and decision.kind == "choose-combat":
            break
        battle.apply(battle.first_legal())
    else:
        raise AssertionError("no second round")
    assert battle.units.rounds[a] == 1
    assert weapon_of(battle, a.row).name == "rune sword"


@pytest.mark.parametrize(
    ("rounds", "weapon", "asked"), [(0, 2, True), (0, 0, True), (1, 2, False), (4, 2, False), (1, 0, False)]
)
@pytest.mark.rule("wap.weapon.general.keep")
def test_in_a_new_combat_it_is_chosen_anew(rounds: int, weapon: int, asked: bool) -> None:
    """What it had in its hands in the last one is forgotten."""
    columns = ({"rounds": rounds, "weapon": weapon}, {"rounds": rounds})
    battle, a, _ = pair(hero(), man(), columns=columns, others=man(), run=True)
    assert (kind(battle) == "choose-weapon") == asked
    if not asked:
        assert weapon_of(battle, a.row).name == ("rune sword" if weapon else "great weapon")


@pytest.mark.rule("wap.weapon.general.keep", "wap.weapon.general.choose")
def test_who_comes_into_a_second_combat_in_one_phase_chooses_for_it() -> None:
    """The unit has fought already, and pursued into enemies that have not."""
    battle, a, _ = pair(hero(), man(), columns=({"fought": 1, "weapon": 1}, {}))
    begin_combat(battle, a.row)
    assert has_to_choose(battle, a.row)
    battle.units.weapon[a] = 1
    round_over(battle)
    end_combat(battle)
    begin_combat(battle, a.row)  # the next round of the same combat
    assert not has_to_choose(battle, a.row) and weapon_of(battle, a.row).name == "great weapon"


@pytest.mark.rule("wap.weapon.general.choose")
def test_before_a_combat_only_who_fights_in_it_is_asked() -> None:
    """Two combats, neither of whose units has chosen."""
    battle, a, b = pair(hero(), hero(), others=hero())
    begin_combat(battle, a.row)
    battle.clock.depth[0] = 0
    battle.push(ChooseWeapons, True)
    battle.run()
    asked = []
    while battle.decision is not None:
        asked.append((battle.decision.kind, battle.decision.subject))
        choose(battle, "option", 1)
    assert asked == [("choose-weapon", a.row), ("choose-weapon", b.row)]
    chosen = [unit for unit in range(len(battle.units.owner)) if battle.units.weapon[unit]]
    assert chosen == sorted([a.row, b.row])


def test_only_the_weapon_in_hand_counts() -> None:
    """A flail that is not used leaves the shield free; one that is does not."""
    card = man("flail", "rune sword", "shield", weapons=[SWORD])
    for at, strength, save in ((1, 5, NO_SAVE), (2, 5, 6)):
        battle, a, b = pair(card, man(), columns=({"weapon": at}, {}))
        assert blow(battle, a, b).strength == strength
        assert armour_save(battle, a.row) == save
        battle.units.rounds[a] = 1
        assert blow(battle, a, b).strength == (3 if at == 1 else 5)


# ---------------------------------------------------------------- weapon by weapon


@pytest.mark.rule("wap.weapon.melee.hand-weapon")
def test_a_hand_weapon_is_plain() -> None:
    for card in (man(HAND_WEAPON), man()):
        battle, a, b = pair(card, man())
        assert blow(battle, a, b)[:6] == (1, 1, 3, 3, 3, 1)
        assert extra_ranks(battle, a.row) == 1


@pytest.mark.rule("wap.weapon.melee.hand-weapon")
def test_who_has_a_special_weapon_uses_it() -> None:
    battle, a, _ = pair(man(HAND_WEAPON, "spear (infantry)", "shield"), man(), others=man(), run=True)
    assert kind(battle) == "choose-combat"
    assert weapon_of(battle, a.row).name == "spear (infantry)"
    assert parries_of(battle, a.row) == []


@pytest.mark.rule("wap.weapon.melee.additional-hand-weapon")
def test_two_hand_weapons_in_a_fight() -> None:
    battle, a, _ = pair(man("additional hand weapon"), man(), models=(10, 10), dice=[1] * 50)
    fight(battle, a)
    assert struck_at(battle, a.row) == ([3], [10], [5])


@pytest.mark.rule("wap.weapon.melee.additional-hand-weapon")
def test_two_hand_weapons() -> None:
    battle, a, b = pair(man(HAND_WEAPON, "additional hand weapon", "shield"), man())
    found = blow(battle, a, b)
    assert (found.attacks, found.supports, found.strength) == (2, 1, 3)
    assert [ward.save for ward in parries_of(battle, a.row)] == [6]
    assert armour_save(battle, a.row) == NO_SAVE


@pytest.mark.parametrize("rounds", [0, 1])
@pytest.mark.rule("wap.weapon.melee.halberd")
def test_halberds(rounds: int) -> None:
    battle, a, b = pair(man(HAND_WEAPON, "halberd (polearm)"), man(), columns=({"rounds": rounds}, {}))
    assert (blow(battle, a, b).strength, blow(battle, a, b).initiative) == (4, 3)


@pytest.mark.parametrize(
    ("rounds", "charging", "strength", "initiative"), [(0, 0, 5, 1), (0, 1, 5, 2), (1, 0, 4, 1), (3, 0, 4, 1)]
)
@pytest.mark.rule("wap.weapon.melee.great-weapon")
def test_great_weapons(rounds: int, charging: int, strength: int, initiative: int) -> None:
    columns = ({"rounds": rounds, "charging": charging}, {})
    battle, a, b = pair(man("great weapon"), man(), columns=columns)
    assert (blow(battle, a, b).strength, blow(battle, a, b).initiative) == (strength, initiative)


@pytest.mark.rule("wap.weapon.melee.great-weapon")
def test_nobody_s_initiative_falls_below_nothing() -> None:
    battle, a, b = pair(man("great weapon", i=1), man())
    assert blow(battle, a, b).initiative == 0


@pytest.mark.parametrize(("rounds", "strength"), [(0, 5), (1, 3)])
@pytest.mark.rule("wap.weapon.melee.flail")
def test_flails(rounds: int, strength: int) -> None:
    battle, a, b = pair(man("flail", "shield"), man(), columns=({"rounds": rounds}, {}))
    assert (blow(battle, a, b).strength, blow(battle, a, b).initiative) == (strength, 3)
    assert armour_save(battle, a.row) == NO_SAVE


def charged(by: dict[str, Any], weapon: str, side: int = FRONT, **columns: Any) -> tuple[int, int]:
    """Strength and Initiative of men with a weapon whom an enemy has charged."""
    battle, a, b = pair(man(weapon), by, side=side, columns=(columns, {"charging": 1}), models=(25, 5))
    found = blow(battle, a, b)
    return found.strength, found.initiative


@pytest.mark.parametrize(("weapon", "more", "ranks"), [("spear (infantry)", 1, 2), ("pike", 3, 4)])
@pytest.mark.rule("wap.weapon.melee.spear-infantry", "wap.weapon.melee.pike")
def test_spears_and_pikes_against_a_charge(weapon: str, more: int, ranks: int) -> None:
    assert charged(rider(), weapon) == (4, 3 + more)
    assert charged(man(), weapon) == (3, 3 + more)
    for side in (LEFT, RIGHT, REAR):
        assert charged(rider(), weapon, side) == (3, 3)
    battle, a, b = pair(man(weapon), rider(), columns=({"charging": 1}, {}))  # they charge themselves
    assert blow(battle, a, b)[3:5] == (3, 4)
    battle, a, b = pair(man(weapon), rider())  # nobody has charged in this turn
    assert blow(battle, a, b)[3:5] == (3, 3)
    assert extra_ranks(battle, a.row) == ranks
    assert outfit_of(battle, a.row).weapons[0].two_hands == (weapon == "pike")


def struck_at(battle: Battle, unit: int) -> tuple[list[int], list[int], list[int]]:
    """Of one round of combat: the Initiatives at which there were blows, attacks of a unit in contact, and of those behind."""
    steps = [event["initiative"] for event in told(battle, "wap.combat.order.initiative")]
    rules = ("wap.combat.attacks.number", "wap.combat.attacks.support.who")
    made = [[event["amount"] for event in told(battle, rule) if event["unit"] == unit] for rule in rules]
    return steps, made[0], made[1]


@pytest.mark.parametrize(
    ("weapon", "models", "charging", "steps", "behind"),
    [
        ("spear (infantry)", 15, 1, [4], [10]),
        ("spear (infantry)", 15, 0, [3], [10]),
        ("spear (infantry)", 20, 1, [4], [10]),
        ("spear (infantry)", 10, 1, [4], [5]),
        ("pike", 25, 1, [6, 4], [20]),
        ("pike", 25, 0, [3], [20]),
        ("halberd (polearm)", 15, 1, [4, 3], [5]),
    ],
)
@pytest.mark.rule("wap.weapon.melee.spear-infantry", "wap.weapon.melee.pike", "wap.special.extra-ranks")
def test_ranks_of_spears_in_a_fight(
    weapon: str, models: int, charging: int, steps: list[int], behind: list[int]
) -> None:
    """Charged in the front by cavalry, or not: how many strike, and when."""
    columns = ({}, {"charging": charging})
    battle, a, b = pair(man(weapon), rider(), models=(models, 5), dice=[1] * 200, columns=columns)
    fight(battle, a)
    assert struck_at(battle, a.row) == (steps, [5], behind)
    assert struck_at(battle, b.row)[1] == [5, 5]


@pytest.mark.parametrize(
    ("kind_", "strength"),
    [(name, 4 if name in HEAVY else 3) for name in TROOP_TYPES if name not in ("war machine", "shrine")],
)
@pytest.mark.rule("wap.weapon.melee.spear-infantry", "wap.weapon.melee.pike")
def test_whom_spears_are_stronger_against(kind_: str, strength: int) -> None:
    for weapon, initiative in (("spear (infantry)", 4), ("pike", 6)):
        assert charged(beast(kind_), weapon) == (strength, initiative)


@pytest.mark.rule("wap.weapon.melee.spear-infantry", "wap.special.strength-bonus")
def test_a_spear_s_strength_bonus_is_one_of_the_first_round() -> None:
    """Cavalry that joins a combat that goes on is met sooner, not harder."""
    assert charged(rider(), "spear (infantry)", rounds=1) == (3, 4)


@pytest.mark.rule("wap.weapon.melee.spear-infantry")
def test_who_is_charged_in_front_and_in_the_flank_strikes_both_as_in_front() -> None:
    """The condition is of the turn, the Strength Bonus of the enemy struck."""
    scene = RegimentScene()
    a = scene.unit(0, man("spear (infantry)"), (24, 24), models=25, files=5)
    front = scene.beside(a, 1, man(), models=5, charging=1)
    flank = scene.beside(a, 1, rider(), side=LEFT, models=5, files=5, charging=1)
    battle = scene.battle("combat", run=False)
    assert blow(battle, a, front)[3:5] == (3, 4)
    assert blow(battle, a, flank)[3:5] == (4, 4)


@pytest.mark.parametrize(
    ("weapon", "card", "charging", "rounds", "expected"),
    [
        ("spear (cavalry)", {"s": 3, "i": 3}, 1, 0, (4, 5)),
        ("spear (cavalry)", {"s": 3, "i": 3}, 0, 0, (3, 3)),
        ("spear (cavalry)", {"s": 3, "i": 3}, 0, 1, (3, 3)),
        ("lance", {"s": 4, "i": 4}, 1, 0, (6, 7)),
        ("lance", {"s": 4, "i": 4}, 0, 0, (4, 4)),
        ("lance", {"s": 4, "i": 4}, 0, 1, (4, 4)),
    ],
)
@pytest.mark.rule("wap.weapon.melee.spear-cavalry", "wap.weapon.melee.lance")
def test_riders_spears_and_lances(
    weapon: str, card: dict[str, int], charging: int, rounds: int, expected: tuple[int, int]
) -> None:
    columns = ({"charging": charging, "rounds": rounds}, {})
    battle, a, b = pair(rider(weapon, **card), man(), models=(5, 20), columns=columns)
    found = blow(battle, a, b)
    assert (found.strength, found.initiative) == expected
    mount = blow(battle, a, b, "mount")
    assert (mount.attacks, mount.strength, mount.initiative) == (1, 3, 3 + charging)


@pytest.mark.parametrize("declared", [False, True])
@pytest.mark.rule("wap.weapon.melee.lance", "wap.weapon.melee.spear-cavalry")
def test_a_lance_is_for_the_enemy_that_was_charged(declared: bool) -> None:
    """Not for one that has charged the riders meanwhile, nor for who stood beside the one that was charged."""
    for weapon, with_it, without in (("lance", (6, 7), (4, 5)), ("spear (cavalry)", (5, 6), (4, 5))):
        scene = RegimentScene()
        knights = scene.unit(0, rider(weapon, s=4, i=4), (24, 24), models=5, charging=1)
        target = scene.beside(knights, 1, man(), along=2.0, models=20, files=5)
        flank = scene.beside(knights, 1, man(), side=RIGHT, models=4, files=2, charging=1)
        other = scene.beside(knights, 1, man(), along=-3.0, models=20, files=5, charging=int(not declared))

        def charge(battle: Any, unit: int = knights.row, of: int = target.row, declared: bool = declared) -> None:
            if declared:
                battle.charges.unit[0], battle.charges.target[0] = unit, of

        battle = scene.battle("combat", run=False, set_state=charge)
        assert blow(battle, knights, target)[3:5] == with_it
        assert blow(battle, knights, flank)[3:5] == without
        assert blow(battle, knights, other)[3:5] == without


@pytest.mark.rule("wap.weapon.melee.lance")
def test_a_lance_is_for_all_that_were_charged_at_once() -> None:
    scene = RegimentScene()
    knights = scene.unit(0, rider("lance"), (24, 24), models=5, charging=1)
    left = scene.beside(knights, 1, man(), along=2.5, models=20, files=5)
    right = scene.beside(knights, 1, man(), along=-2.5, models=20, files=5)

    def charge(battle: Any) -> None:
        for row, target in enumerate((left, right)):
            battle.charges.unit[row], battle.charges.target[row] = knights.row, target.row

    battle = scene.battle("combat", run=False, set_state=charge)
    assert blow(battle, knights, left).strength == blow(battle, knights, right).strength == 5


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("equipment", "rules", "s", "t", "rounds", "needed"),
    [
        ("great weapon", [], 3, 4, 0, 3), ("great weapon", [], 3, 4, 1, 4),
        ("great weapon", ["Strength Bonus (1)"], 4, 7, 0, 4), ("great weapon", ["Strength Bonus (1)"], 4, 7, 1, 6),
    ],
)  # fmt: skip
@pytest.mark.rule("wap.weapon.melee.great-weapon", "wap.special.strength-bonus.cumulative")
def test_what_a_great_weapon_needs_to_wound(
    equipment: str, rules: list[str], s: int, t: int, rounds: int, needed: int, player: int
) -> None:
    """S5 in the first round and S4 later; with a bonus of one's own S7 and S5. Of Initiative 3 and so 1: they strike after enemies of 2."""
    mine, foes = man(equipment, s=s, rules=rules), man(t=t, i=2)
    columns = ({"rounds": rounds}, {"rounds": rounds})
    cards = (mine, foes) if player == 0 else (foes, mine)
    battle, *units = pair(*cards, models=(5, 5), columns=columns, dice=[1] * 5 + [6] * 5 + [1] * 5)
    fight(battle, units[player])
    assert [note["needed"] for note in told(battle, "wap.combat.wound.roll")] == [needed]
    assert [note["unit"] for note in told(battle, "wap.combat.hit.roll")] == [units[1 - player].row, units[player].row]
