"""Sentences of abilities as effects: what each pattern makes of a sentence of ours, and what is not understood."""

from __future__ import annotations

import re
from typing import Any

import pytest

from wh_env.content.catalogues.prose import ability_of, attacks, choices, ninth, tenth, understood, units
from wh_env.content.catalogues.prose.words import About, plain
from wh_env.content.load import validate
from wh_env.content.w40k.schema import OtherAbility

TENTH = (attacks.RULES, units.RULES, tenth.RULES)
NINTH = (attacks.RULES, units.RULES, ninth.RULES)
KEYWORDS = frozenset(("RIVER FOLK", "EEL", "INFANTRY", "VEHICLE", "MONSTER", "SPIRIT"))
SQUAD = About(("Harpoon", "Net gun"), KEYWORDS, largest=10)
ONE = About(("Harpoon", "Net gun"), KEYWORDS)
LEADER = About(("Harpoon",), KEYWORDS, leads=True)
OF_SOME = About((), KEYWORDS, largest=10, whole=False)

HITS, WOUNDS = {"effect": "hit rolls", "by": 1}, {"effect": "wound rolls", "by": 1}
LED: dict[str, Any] = {"leading": True}
BOTH = [{"effect": "Attacks", "by": 2, "weapons": "melee", "leading": True}]
STAYS = "that objective marker remains under your control, even if you have no models within range of it, until your"
PLAYS: list[tuple[About, str, list[dict[str, Any]]]] = [
    # attacks that are made
    (SQUAD, "Each time a model in this unit makes an attack, add 1 to the Hit roll.", [HITS]),
    (SQUAD, "Each time a model in this unit makes a melee attack, subtract 1 from the Wound roll.",
     [{"effect": "wound rolls", "by": -1, "weapons": "melee"}]),
    (ONE, "Each time this model makes an attack, add 1 to the Hit roll and to the Wound roll.", [HITS, WOUNDS]),
    (ONE, "Each time this model makes a ranged attack with its net gun, you can re-roll the Wound roll.",
     [{"effect": "re-roll wound rolls", "weapons": "ranged", "weapon": ["Net gun"]}]),
    (ONE, "Each time this model makes an attack that targets a **^^Monster^^** or **^^Vehicle^^** unit, re-roll hit and wound rolls",
     [{"effect": f"re-roll {roll} rolls", "against": ["MONSTER", "VEHICLE"]} for roll in ("hit", "wound")]),
    (SQUAD, "Each time a model in this unit makes an attack, re‑roll a Hit roll of 1. If the target of that attack is within "
     "range of an objective marker, you can re-roll the Hit roll instead.",
     [{"effect": "re-roll hit rolls of 1"}, {"effect": "re-roll hit rolls", "facing": ["near a marker"]}]),
    (SQUAD, "Each time a model in this unit makes an attack that targets a unit below its Starting Strength, improve the "
     "Armour Penetration and Strength characteristics of that attack by 1.",
     [{"effect": name, "by": 1, "facing": ["below Starting Strength"]} for name in ("AP", "Strength")]),
    (SQUAD, "Each time a model in this unit makes an attack that targets a unit (excluding Monsters and Vehicles), add 1 to the "
     "Damage characteristic of that attack", [{"effect": "Damage", "by": 1, "unless": ["MONSTER", "VEHICLE"]}]),
    (SQUAD, "Each time a model in this unit makes an attack that targets a unit that cannot fly, add 2 to that attack's Strength",
     [{"effect": "Strength", "by": 2, "unless": ["FLY"]}]),
    (SQUAD, "Each time a model in this unit makes a melee attack, if this unit made a Charge move this turn, that attack has the "
     "[LETHAL HITS] and [SUSTAINED HITS 2] abilities.",
     [{"effect": "Lethal Hits", "when": ["charged"], "weapons": "melee"},
      {"effect": "Sustained Hits", "by": 2, "when": ["charged"], "weapons": "melee"}]),
    (SQUAD, "Each time a model in this unit makes an attack, an unmodified Hit roll of 5+ scores a Critical Hit",
     [{"effect": "Critical Hits on 5+"}]),
    (SQUAD, "Each time a model in this unit makes an attack, an unmodified hit roll of 6 automatically wounds the target.",
     [{"effect": "Lethal Hits"}]),
    (SQUAD, "Each time a model in this unit makes an attack, an unmodified hit roll of 6 scores 1 additional hit.",
     [{"effect": "Sustained Hits", "by": 1}]),
    (SQUAD, "Each time a model in this unit makes an attack, you can ignore any or all modifiers to the Hit roll.",
     [{"effect": "ignore modifiers"}]),
    (SQUAD, "Each time a model in this unit makes a ranged attack, the target does not receive the benefits of cover against that "
     "attack", [{"effect": "Ignores Cover", "weapons": "ranged"}]),
    (SQUAD, "Each time a model in this unit targets an enemy unit with a melee attack, re-roll a Wound roll of 1.",
     [{"effect": "re-roll wound rolls of 1", "weapons": "melee"}]),
    (ONE, "Each time a ranged attack made by this model is allocated to a Monster model, you can re-roll the Damage roll.",
     [{"effect": "re-roll damage rolls", "weapons": "ranged", "against": ["MONSTER"]}]),
    (LEADER, "Each time this model makes an attack, add 1 to the Hit roll.", [{**HITS, "own": True}]),
    (SQUAD, "While this unit is below its Starting Strength, each time a model in this unit makes an attack, add 1 to the Wound roll.",
     [{**WOUNDS, "when": ["below Starting Strength"]}]),
    (SQUAD, "Each time a model in this unit makes an attack that targets a unit that is not Below Half-strength, add 1 to the Hit roll.",
     [{**HITS, "facing": ["at least Half-strength"]}]),
    # attacks that are suffered
    (SQUAD, "Each time a ranged attack targets this unit, subtract 1 from the Hit roll.",
     [{"effect": "hit rolls", "by": -1, "weapons": "ranged", "attacks": "suffered"}]),
    (ONE, "Each time an attack is allocated to this model, subtract 1 from the Damage characteristic of that attack (to a minimum of "
     "1).", [{"effect": "Damage", "by": -1, "attacks": "suffered"}]),
    (ONE, "Each time an attack is allocated to this model,subtract 1 from that attack's Damage characteristic",
     [{"effect": "Damage", "by": -1, "attacks": "suffered"}]),
    (ONE, "Each time an attack is allocated to this model, reduce the Damage characteristic of that attack by 1",
     [{"effect": "Damage", "by": -1, "attacks": "suffered"}]),
    (ONE, "Each time an attack is allocated to this model, halve the Damage characteristic of that attack.",
     [{"effect": "halve Damage", "attacks": "suffered"}]),
    (SQUAD, "Each time an attack targets this unit, worsen the Armour Penetration characteristic of that attack by 1.",
     [{"effect": "AP", "by": -1, "attacks": "suffered"}]),
    (SQUAD, "Each time a ranged attack targets this unit, models in this unit have the Benefit of Cover against that attack.",
     [{"effect": "Benefit of Cover", "weapons": "ranged", "attacks": "suffered"}]),
    (SQUAD, "While a Character model is leading this unit, each time an attack targets this unit, subtract 1 from the Wound roll.",
     [{"effect": "wound rolls", "by": -1, "when": ["led"], "attacks": "suffered"}]),
    # weapons
    (LEADER, "While this model is leading a unit, melee weapons equipped by models in that unit have the [LANCE] ability.",
     [{"effect": "Lance", "weapons": "melee", **LED}]),
    (ONE, "This model's ranged weapons have the [PRECISION] ability.", [{"effect": "Precision", "weapons": "ranged"}]),
    (LEADER, "While this model is leading a unit, improve the Armour Penetration characteristic of melee weapons equipped by models in "
     "that unit by 1.", [{"effect": "AP", "by": 1, "weapons": "melee", **LED}]),
    (LEADER, "While this model is leading a unit, add 2 to the Attacks characteristic of melee weapons equipped by models in that unit.",
     BOTH),
    (ONE, "Each time this model ends a Charge move, until the end of the turn, add 1 to the Strength characteristic of this model's "
     "melee weapons", [{"effect": "Strength", "by": 1, "weapons": "melee", "when": ["charged"]}]),
    (ONE, "Each time this model Remains Stationary, until the end of the turn, ranged weapons equipped by this model have the [IGNORES "
     "COVER] ability.", [{"effect": "Ignores Cover", "weapons": "ranged", "when": ["stationary"]}]),
    # Auras
    (ONE, "While a friendly River Folk Infantry unit is within 6\" of this model, each time a model in that unit makes an attack, "
     "re-roll a Hit roll of 1.", [{"effect": "re-roll hit rolls of 1", "range": 6, "keyword": ["RIVER FOLK", "INFANTRY"]}]),
    (ONE, "While an enemy unit is within 9\" of this model, each time that unit takes a Battle-shock or Leadership test, subtract 1 from "
     "the result.", [{"effect": f"-1 to {test} tests", "range": 9, "affects": "enemy"} for test in ("Battle-shock", "Leadership")]),
    (
        ONE,
        'While a Spirit unit is within 6" of this model, add 1 to Charge rolls made for that unit.',
        [
            {"effect": "+1 to charge rolls", "range": 6, "keyword": "SPIRIT"},
            {"effect": "+1 to charge rolls", "range": 6, "keyword": "SPIRIT", "affects": "enemy"},
        ],
    ),
    # units
    (SQUAD, "Models in this unit have a 5+ invulnerable save.", [{"effect": "invulnerable save 5+"}]),
    (LEADER, "While this model is leading a unit, models in that unit have the Feel No Pain 4+ ability against Psychic Attacks and mortal "
     "wounds.", [{"effect": f"feel no pain 4+ against {what}", **LED} for what in ("Psychic Attacks", "mortal wounds")]),
    (SQUAD, "This unit is eligible to shoot and declare a charge in a turn in which it Advanced or Fell Back.",
     [{"effect": f"{act} after {what}"} for act in ("shoot", "charge") for what in ("Advancing", "Falling Back")]),
    (SQUAD, "You can re-roll Advance and Charge rolls made for this unit.",
     [{"effect": "re-roll Advance rolls"}, {"effect": "re-roll charge rolls"}]),
    (SQUAD, "Each time this unit declares a charge, you can re-roll the Charge roll.", [{"effect": "re-roll charge rolls"}]),
    (SQUAD, "Add 2\" to the Move characteristic of models in this unit.", [{"effect": "+2 Move"}]),
    (ONE, "Add 3\" to this model's Move characteristic.", [{"effect": "+3 Move"}]),
    (SQUAD, "Add 1 to Charge rolls made for this unit.", [{"effect": "+1 to charge rolls"}]),
    (SQUAD, "Each time a charge roll is made for this unit, add 1 to that roll.", [{"effect": "+1 to charge rolls"}]),
    (ONE, "Enemy units that are set up on the battlefield as Reinforcements cannot be set up within 12\" of this model.",
     [{"effect": "no Reinforcements within range", "range": 12, "affects": "enemy"}]),
    # the 10th edition
    (SQUAD, "Add 1 to Battle-shock tests taken for this unit.", [{"effect": "+1 to Battle-shock tests"}]),
    (SQUAD, "You can re-roll Battle-shock tests taken for this unit.", [{"effect": "re-roll Battle-shock tests"}]),
    (SQUAD, "Each time this unit takes a Battle-shock test, you can re-roll that test.", [{"effect": "re-roll Battle-shock tests"}]),
    (ONE, "While an enemy unit is within 6\" of this model, worsen the Leadership characteristic of models in that unit by 1.",
     [{"effect": "+1 Leadership", "range": 6, "affects": "enemy"}]),
    (SQUAD, "Add 1 to Advance and Charge rolls made for this unit.",
     [{"effect": "+1 to Advance rolls"}, {"effect": "+1 to charge rolls"}]),
    (SQUAD, "Add 2 to Advance rolls made for this unit.", [{"effect": "+2 to Advance rolls"}]),
    (LEADER, "While this model is leading a unit, add 1 to the Objective Control characteristic of models in that unit.",
     [{"effect": "+1 Objective Control", **LED}]),
    (LEADER, "While this model is leading a unit, improve the Objective Control characteristic of models in that unit by 1 and each time "
     "a model in that unit makes an attack, add 1 to the Hit roll.", [{"effect": "+1 Objective Control", **LED}, {**HITS, **LED}]),
    (SQUAD, "Enemy units cannot use the Fire Overwatch Stratagem to shoot at this unit.", [{"effect": "no Fire Overwatch at it"}]),
    (SQUAD, "This unit cannot be targeted with the Fire Overwatch Stratagem.", [{"effect": "no Fire Overwatch at it"}]),
    (ONE, "Each time a unit disembarks from this model after it has made a Normal move, that unit is still eligible to declare a charge "
     "this turn.", [{"effect": "passengers may charge after its Normal move"}]),
    (LEADER, "While this model is leading a unit, models in that unit have the Stealth ability.",
     [{"effect": "Stealth", "attacks": "suffered", **LED}]),
    (SQUAD, "This unit has the Benefit of Cover.", [{"effect": "Benefit of Cover", "attacks": "suffered"}]),
    (SQUAD, f"At the end of your Command phase, if this unit is within range of an objective marker you control, {STAYS} opponent controls "
     "it at the start or end of any turn.", [{"effect": "keeps control of markers"}]),
    (SQUAD, "You can target this unit with the Heroic Intervention Stratagem for 0CP, and can do so even if you have already targeted a "
     "different unit with that Stratagem this phase.", [{"effect": "Heroic Intervention costs 0 CP"}]),
    (SQUAD, "Each time you target this unit with a Stratagem, roll one D6: on a 5+, you gain 1CP.",
     [{"effect": "1 CP for a Stratagem on it on 5+"}]),
    (ONE, "Once per battle round, one model from your army with this ability can use it when a friendly River Folk unit within 12\" of "
     "that model is targeted with a Stratagem. If it does, reduce the CP cost of that use of that Stratagem by 1CP.",
     [{"effect": "one Stratagem in each battle round costs 1 CP less", "range": 12, "keyword": "RIVER FOLK"}]),
    (ONE, "Each time this model destroys an enemy Character model, you gain 1CP.",
     [{"effect": "1 CP for each CHARACTER that it destroys"}]),
    (LEADER, "While this model is leading a unit, ranged weapons equipped by models in that unit have the [ASSAULT] ability.",
     [{"effect": "shoot after Advancing", **LED}]),
    (ONE, "Units can disembark from this Transport after it has Advanced. Units that do so count as having made a Normal move, and cannot "
     "declare a charge that turn.", [{"effect": "passengers may disembark after its Advance"}]),
    (ONE, "If a unit disembarks from this Transport before it moves, until the end of the turn, that unit is eligible to charge in a turn "
     "in which it Advanced.", [{"effect": "passengers that leave before it moves may charge after Advancing"}]),
]  # fmt: skip
OF_THE_NINTH: list[tuple[About, str, list[dict[str, Any]]]] = [
    (ONE, "Each time an attack with an Armour Penetration characteristic of -1 is allocated to this model, that attack has an Armour "
     "Penetration characteristic of 0 instead.", [{"effect": "attacks at it: AP -1 is AP 0"}]),
    (ONE, "Each time an attack is made against this model, an unmodified wound roll of 1-3 for that attack fails, irrespective of any "
     "abilities that the weapon or model making the attack may have.",
     [{"effect": "attacks at it: unmodified wound rolls of 1 to 3 fail"}]),
    (ONE, "While a friendly <Eel> unit is within 6\" of this model, add 1 to the Leadership characteristic of models in that unit.",
     [{"effect": "+1 Leadership", "range": 6, "keyword": "EEL"}]),
    (ONE, "While a friendly Eel unit is within 6\" of this model, that unit automatically passes Morale tests.",
     [{"effect": "passes Morale tests", "range": 6, "keyword": "EEL"}]),
]  # fmt: skip
SHOT = "In your Shooting phase, after this unit has shot, "
HIT = "select one enemy unit hit by one or more of those attacks."
AFTER_SHOTS = {"when": "shot", "whom": "enemy", "must": True}
ONE_TARGET = {"chosen": "target", "range": 1000}
ITSELF = {"whom": "itself", "lasts": "phase"}
CHOICES: list[tuple[About, str, dict[str, Any], list[dict[str, Any]]]] = [
    (SQUAD, f"{SHOT}{HIT} That unit must take a Battle-shock test.", {**AFTER_SHOTS, "lasts": "phase", "effect": "shock"}, []),
    (SQUAD, f"{SHOT}you can select one enemy Infantry unit hit by one or more of those attacks. Until the end of the phase, that unit "
     "cannot have the Benefit of Cover.", {"when": "shot", "whom": "enemy", "keyword": "INFANTRY", "lasts": "phase"},
     [{"effect": "Ignores Cover", **ONE_TARGET}]),
    (SQUAD, f"{SHOT}select one enemy unit (excluding Monsters and Vehicles) hit by one or more of those attacks. Until the start of your "
     "next turn, that unit is bogged. While a unit is bogged, subtract 2\" from its Move characteristic and subtract 2 from Charge rolls "
     "made for it.", {**AFTER_SHOTS, "without": ["MONSTER", "VEHICLE"], "lasts": "command"},
     [{"effect": "-2 Move", "chosen": "unit"}, {"effect": "-2 to charge rolls", "chosen": "unit"}]),
    (SQUAD, f"{SHOT}{HIT} Until the end of the turn, each time a friendly River Folk unit makes an attack that targets that unit, improve "
     "the Armour Penetration characteristic of that attack by 1. The same enemy unit can only be affected by this ability once per turn.",
     {**AFTER_SHOTS, "lasts": "turn"}, [{"effect": "AP", "by": 1, "keyword": "RIVER FOLK", **ONE_TARGET}]),
    (ONE, "At the start of the Fight phase, select one enemy unit within Engagement Range of this model. Until the end of the phase, each "
     "time a model in that unit makes an attack, subtract 1 from the Hit roll.",
     {"when": "fight", "whom": "enemy", "must": True, "engaged": True, "lasts": "phase"},
     [{"effect": "hit rolls", "by": -1, "chosen": "unit"}]),
    (ONE, "At the start of your Command phase, this model regains up to D3 lost wounds.",
     {"when": "command", **ITSELF, "must": True, "effect": "repair"}, []),
    (LEADER, "While this model is leading a unit, in your Command phase, you can return 1 destroyed Bodyguard model to that unit.",
     {"when": "command", **ITSELF, "effect": "return", "amount": 1}, []),
    (SQUAD, "At the end of your opponent's turn, if this unit is not within Engagement Range of one or more enemy units, you can remove it "
     "from the battlefield and place it into Strategic Reserves.",
     {"when": "turn end", **ITSELF, "declines": True, "effect": "withdraw", "free": True}, []),
    (SQUAD, "Once per turn, when an enemy unit ends a Normal, Advance or Fall Back move within 9\" of this unit, if this unit is not "
     "within Engagement Range of one or more enemy units, it can make a Normal move of up to D6\".",
     {"when": "enemy moved", "whom": "itself", "lasts": "turn", "reach": 9, "free": True, "effect": "move D6"}, []),
    (SQUAD, f"{SHOT}if it is not within Engagement Range of one or more enemy units, it can make a Normal move of up to 6\". If it does, "
     "until the end of the turn, this unit is not eligible to declare a charge.",
     {"when": "shot", **ITSELF, "free": True, "effect": "move, no charge", "amount": 6}, []),
    (ONE, "Each time this model ends a Charge move, select one enemy unit within Engagement Range of it and roll one D6: on a 4+, that "
     "unit suffers D3 mortal wounds.",
     {"when": "charged", "whom": "enemy", "engaged": True, "lasts": "phase", "must": True, "needs": 4, "fails": "none",
      "effect": "mortal D3"}, []),
    (ONE, "At the start of your Command phase, if this model is on the battlefield, roll one D6: on a 4+, you gain 1CP.",
     {"when": "command", **ITSELF, "must": True, "needs": 4, "fails": "none", "effect": "cp", "amount": 1}, []),
    (LEADER, "Once per battle, at the start of the Fight phase, this model can use this ability. If it does, until the end of the phase, "
     "add 3 to the Attacks characteristic of melee weapons equipped by this model and those weapons have the [DEVASTATING WOUNDS] ability.",
     {"when": "fight", **ITSELF, "once": True},
     [{"effect": "Attacks", "by": 3, "weapons": "melee", "own": True, "chosen": "unit"},
      {"effect": "Devastating Wounds", "weapons": "melee", "own": True, "chosen": "unit"}]),
]  # fmt: skip


def in_order(plays: Any) -> list[list[tuple[str, Any]]]:
    return [sorted(play.items()) for play in plays]


@pytest.mark.parametrize(("about", "sentence", "plays"), PLAYS)
def test_what_sentences_of_the_10th_edition_do(about: About, sentence: str, plays: list[dict[str, Any]]) -> None:
    found = understood(sentence, about, TENTH)
    assert found is not None and found.chooses is None
    assert in_order(found.plays) == in_order(plays)
    validate(OtherAbility, ability_of("Name", found, False), "<test>")


@pytest.mark.parametrize(("about", "sentence", "plays"), OF_THE_NINTH)
def test_what_sentences_of_the_9th_edition_do(about: About, sentence: str, plays: list[dict[str, Any]]) -> None:
    found = understood(sentence, About(**{**vars(about), "chooses": False}), NINTH)
    assert found is not None and in_order(found.plays) == in_order(plays)
    validate(OtherAbility, ability_of("Name", found, False), "<test>")


@pytest.mark.parametrize(("about", "sentence", "chooses", "plays"), CHOICES)
def test_what_sentences_let_players_choose(
    about: About, sentence: str, chooses: dict[str, Any], plays: list[dict[str, Any]]
) -> None:
    found = understood(sentence, about, TENTH)
    assert found is not None and found.chooses == chooses
    assert in_order(found.plays) == in_order(plays)
    validate(OtherAbility, ability_of("Name", found, False), "<test>")
    assert understood(sentence, About(**{**vars(about), "chooses": False}), NINTH) is None


@pytest.mark.parametrize(
    ("about", "sentence"),
    [
        (SQUAD, "Each time a model in this unit makes an attack that targets the closest eligible target, add 1 to the Hit roll."),
        (SQUAD, "Each time a model in this unit makes an attack that targets a unit within 9\", add 1 to the Hit roll."),
        (SQUAD, "Each time a model in this unit makes an attack with its trumpet, add 1 to the Hit roll."),
        (SQUAD, "Each time a model in this unit makes an attack, if the moon is full, add 1 to the Hit roll."),
        (SQUAD, "Each time a model in this unit makes an attack, add 1 to the Hit roll. It then dances."),
        (SQUAD, "Each time a model in this unit makes an attack, add 1 to the Hit roll and roll one D6."),
        (SQUAD, "Once per battle, each time a model in this unit makes an attack, add 1 to the Hit roll."),
        (SQUAD, "Each time a model in this unit makes an attack, add 1 to the Hit roll. If the target of that attack is within range of an "
                "objective marker, add 2 to the Hit roll instead."),
        (SQUAD, "Each time a model in this unit makes an attack, that attack has the [RAPID FIRE 1] ability."),
        (SQUAD, "Each time a model in this unit makes an attack, improve the Armour Penetration characteristic of that attack by 5."),
        (OF_SOME, "Each time a model in this unit makes an attack, add 1 to the Hit roll."),
        (LEADER, "Each time an attack targets this model, subtract 1 from the Hit roll."),
        (LEADER, "This model is eligible to shoot in a turn in which it Fell Back."),
        (SQUAD, "While this model is leading a unit, models in that unit have the Stealth ability."),
        (ONE, "While a friendly Otter unit is within 6\" of this model, add 1 to Charge rolls made for that unit."),
        (ONE, "While a friendly Eel unit is within 6\" of and visible to this model, add 1 to Charge rolls made for that unit."),
        (ONE, "While a friendly Eel unit is within 6\" of this model, add 1 to Charge rolls made for this model."),
        (ONE, "While this model is within range of an objective marker, this model has a 4+ invulnerable save."),
        (ONE, "This model has a 4+ invulnerable save against ranged attacks."),
        (SQUAD, "Each time this unit ends a Charge move, select one enemy unit within Engagement Range of it and roll one D6 for each model in "
                "this unit: on a 4+, that unit suffers 1 mortal wound."),
        (SQUAD, f"{SHOT}{HIT} That unit must take a Battle-shock test, subtracting 1 from that test."),
        (SQUAD, f"{SHOT}{HIT} Until the end of your opponent's next turn, that unit cannot have the Benefit of Cover."),
        (LEADER, "At the start of your Command phase, this model regains up to D3 lost wounds."),
        (SQUAD, "While this unit contains an Eel model, add 1 to Charge rolls made for this unit."),
        (LEADER, "While this model is leading a unit, ranged weapons equipped by models in that unit have the [ASSAULT] ability and melee "
                 "weapons equipped by models in that unit have the [HEAVY] ability."),
    ],
)  # fmt: skip
def test_what_is_not_understood(about: About, sentence: str) -> None:
    """A condition or an effect that the vocabulary lacks."""
    assert understood(sentence, about, TENTH) is None


def test_every_pattern_is_tested() -> None:
    """Each pattern of a sentence, a clause or a choice matches a sentence above."""
    told = [sentence for _, sentence, _ in (*PLAYS, *OF_THE_NINTH)] + [sentence for _, sentence, *_ in CHOICES]
    tried: set[re.Pattern[str]] = set()
    for group in (*TENTH, ninth.RULES):
        for pattern, _ in group:
            tried.add(pattern)
    used = {
        pattern for sentence in told for pattern in tried if any(_matches(pattern, part) for part in _parts(sentence))
    }
    assert not [pattern.pattern for pattern in tried - used]
    chosen = [pattern for pattern, _ in choices.CHOICES]
    unused = [p.pattern for p in chosen if not any(p.fullmatch(plain(sentence)) for sentence in told)]
    assert not unused
    clauses = [clause for sentence in told for clause in attacks._CLAUSES.split(plain(sentence))]
    clauses += [clause.split(", ")[-1] for clause in clauses]
    clauses = [attacks._TAIL.sub("", clause).removesuffix(" instead") for clause in clauses]
    for pattern, _ in (*attacks.MADE, *attacks.SUFFERED):
        assert any(re.fullmatch(pattern, clause) for clause in clauses), pattern


def _parts(sentence: str) -> list[str]:
    """The sentence and its ends after each comma or "and"."""
    words = plain(sentence)
    ends = [words, *(words[m.end() :] for m in re.finditer(r", ", words))]
    return [part for end in ends for part in (end, *end.split(" and "))]


def _matches(pattern: re.Pattern[str], words: str) -> bool:
    return pattern.fullmatch(words) is not None
