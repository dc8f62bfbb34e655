"""Readers of the words of spells that act on a single model, or whose numbers depend on the target (see ``spells``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wh_env.content.wap.effect_words import Words
from wh_env.rulesets.wap.basics.effects import Effect, On, Until
from wh_env.rulesets.wap.magic.chains import ChainHits
from wh_env.rulesets.wap.magic.deeds import Hits
from wh_env.rulesets.wap.magic.deeds_model import LEADERSHIP, STRENGTH, TOUGHNESS, Contest, ModelHits, PutsOnModel
from wh_env.rulesets.wap.magic.deeds_target import Bolt, EachModel, Gilds, HitsByTarget
from wh_env.rulesets.wap.magic.spells import Aim, Picks
from wh_env.rulesets.wap.rule_book import BOOK, SpecialRule
from wh_env.rulesets.wap.weapons.hit import BANISHING, FLAMING, ICE, LIGHTNING, UNHEALED, Hit, Number

if TYPE_CHECKING:
    from wh_env.content.wap.spells import Reading

# targets of which one model is named: the unit that it is in, whether all in range are meant, the models it acts on
MODEL_TARGETS: Mapping[str, tuple[Aim, bool, On]] = {
    "single-enemy-model": (Aim.ENEMY, False, On.MODELS),
    "friendly-character": (Aim.FRIEND, False, On.MODELS),
    "self-or-friendly-infantry-character": (Aim.FRIEND, False, On.MODELS),
}
PICKS: Mapping[str, Picks] = {
    "single-enemy-model": Picks.MODEL,
    "friendly-character": Picks.CHARACTER,
    "self-or-friendly-infantry-character": Picks.ON_FOOT,
}
NATURES: Mapping[str, int] = {"flaming": FLAMING, "ice-attack": ICE, "lightning-attacks": LIGHTNING}
NO_ARMOUR, THROUGH_RANKS = "ignores-armour-saves", "penetrates-ranks"
OF_TARGET = {"-target-S": STRENGTH, "-target-T": TOUGHNESS}
WEARS = "target-armour-save"
WIZARDS = "+other-light-wizards-within-12"
DENIED = {"regeneration": UNHEALED}


def hit_in(reading: Reading, words: Words, *others: str) -> Hit:
    """The hit that ``s``, ``rules`` and ``wounds`` describe. ``others``: words of ``rules`` that the caller takes."""
    nature, ignores = 0, False
    for rule in words.pop("rules", ()):
        if rule not in (*NATURES, NO_ARMOUR, *others):
            raise reading.refuse("effects", rule, "one of " + ", ".join((*NATURES, NO_ARMOUR, *others)))
        nature |= NATURES.get(rule, 0)
        ignores |= rule == NO_ARMOUR
    takes = reading.number(words.pop("wounds", 1))
    return Hit(int(words.pop("s", 0)), ignores_armour=ignores, takes=takes, nature=nature)


def read_bolt(reading: Reading, words: Words) -> None:
    """``rules: [penetrates-ranks]`` of a hit with ``wounds``; without that word, as for other hits."""
    is_bolt = THROUGH_RANKS in words.get("rules", ())
    hit, number = hit_in(reading, words, THROUGH_RANKS), reading.number(words.pop("hits"))
    if is_bolt and number != reading.number(1):
        raise reading.refuse("effects.hits", number, "1, if it penetrates ranks")
    reading.deeds.append(Bolt(hit) if is_bolt else Hits(number, hit))


def rules_called(reading: Reading, words: str) -> tuple[SpecialRule, ...]:
    """Special rules in words such as ``daemonic-undead-vampiric``."""
    known = {rule.name.lower(): rule for rule in BOOK}
    for word in words.split("-"):
        if word not in known:
            raise reading.refuse("effects.versus", word, "names of special rules")
    return tuple(known[word] for word in words.split("-"))


def hits_alone(reading: Reading, words: Mapping[str, Any]) -> Number:
    """The number of hits in words that say nothing else."""
    if words.keys() != {"hits"}:
        raise reading.refuse("effects", words, "hits alone")
    return reading.number(words["hits"])


def read_versus(reading: Reading, words: Words) -> None:
    """``versus``: the number of hits on models of some special rules. ``s`` may grow with other wizards, and
    ``reroll_successful: ward-save`` has ward saves that pass rolled again.
    """
    ((rules, other),) = words.pop("versus").items()
    strength = str(words["s"])
    words["s"] = strength.removesuffix(WIZARDS)
    number, hit = reading.number(words.pop("hits")), hit_in(reading, words)
    if words.pop("reroll_successful", None) == "ward-save":
        hit = hit._replace(nature=hit.nature | BANISHING)
    versus, many = rules_called(reading, rules), hits_alone(reading, other)
    reading.deeds.append(HitsByTarget(number, hit, versus, many, by_wizards=strength.endswith(WIZARDS)))


def read_near_forest(reading: Reading, words: Words) -> None:
    """``if_within_3_of_forest``: the number of hits on a unit near a forest."""
    near = hits_alone(reading, words.pop("if_within_3_of_forest"))
    reading.deeds.append(HitsByTarget(reading.number(words.pop("hits")), hit_in(reading, words), near_forest=near))


def read_per_rank(reading: Reading, words: Words) -> None:
    """``per: complete-rank``: hits for each complete rank."""
    if words.pop("per") != "complete-rank":
        raise reading.refuse("effects.per", reading.row.effects, "complete-rank")
    reading.deeds.append(HitsByTarget(reading.number(words.pop("hits")), hit_in(reading, words), per_rank=True))


def read_wound_on(reading: Reading, words: Words) -> None:
    """``wound_on``: the score that wounds, a number or the target's armour save. Hits may be fewer by a characteristic
    of a single model.
    """
    score, hits = words.pop("wound_on"), str(words.pop("hits"))
    reading.take(words, "min", None, 0)  # there are never less than none
    less = next((ending for ending in OF_TARGET if hits.endswith(ending)), "")
    number, hit = reading.number(hits.removesuffix(less)), hit_in(reading, words)
    if score == WEARS:
        reading.deeds.append(HitsByTarget(number, hit, on_armour=True))
    else:
        reading.deeds.append(ModelHits(number, hit._replace(needs=int(score)), OF_TARGET.get(less, "")))


def read_model_hits(reading: Reading, words: Words) -> None:
    """``no_look_out_sir``: hits on a single model."""
    reading.take(words, "no_look_out_sir", True)
    reading.deeds.append(ModelHits(reading.number(words.pop("hits")), hit_in(reading, words)))


def read_contest(reading: Reading, words: Words) -> None:
    """``contest``: as many wounds as the caster has more than the model."""
    if words.pop("contest") != {"roll": "D6", "add": "Ld"} or words.pop("wounds", None) != "caster-excess":
        raise reading.refuse("effects.contest", reading.row.effects, "a roll of D6 with Ld, of which the excess wounds")
    reading.deeds.append(Contest(LEADERSHIP, hit_in(reading, words)))


def read_survivor(reading: Reading, words: Words) -> None:
    """``if: survives``, ``grant``: special rules that a single model has for the game if it lives."""
    if words.pop("if") != "survives" or words.pop("duration") != "game":
        raise reading.refuse("effects.if", reading.row.effects, "survives, for the game")
    grants = tuple(rule.of() for words in words.pop("grant") for rule in rules_called(reading, words))
    reading.deeds.append(PutsOnModel(Effect(reading.row.name, On.MODELS, Until.BATTLE, grants)))


def read_each_model(reading: Reading, words: Words) -> None:
    """``each: model-in-unit``: a die (``roll``, ``roll_multiwound``) or a ``test`` for each model, ``wounds``, and
    saves that it may not take (``deny``).
    """
    if words.pop("each") != "model-in-unit":
        raise reading.refuse("effects.each", reading.row.effects, "model-in-unit")
    test = words.pop("test", "").lower()
    needs, many = words.pop("roll", 0), words.pop("roll_multiwound", 0)
    if test:
        words.update(words.pop("fail"))
    denied, nature = words.pop("deny", ()), 0
    for save in denied:
        if save not in (*DENIED, "armour"):
            raise reading.refuse("effects.deny", save, "armour or regeneration")
        nature |= DENIED.get(save, 0)
    hit = Hit(0, ignores_armour="armour" in denied, takes=reading.number(words.pop("wounds")), nature=nature)
    reading.deeds.append(EachModel(hit, needs, many or needs, test))


def read_dazzle(reading: Reading, words: Words) -> None:
    """``trigger: start-of-enemy-turn``, ``test: stupidity``: the target dazzles units near it. They are settled before
    the target can be destroyed.
    """
    told = (words.pop("trigger"), words.pop("scope"), words.pop("test"))
    if told != ("start-of-enemy-turn", "enemy-units-within-12-of-target", "stupidity"):
        raise reading.refuse("effects.trigger", told, "a Stupidity test near the target")
    reading.deeds.insert(0, Gilds())


def read_chain(reading: Reading, words: Words) -> None:
    """``chain``: the hits before it leap on."""
    chain = words.pop("chain")
    hits = reading.deeds.pop() if reading.deeds else None
    if (
        not isinstance(hits, Hits)
        or chain.keys() != {"roll", "within", "once_per_unit"}
        or chain["once_per_unit"] is not True
    ):
        raise reading.refuse("effects.chain", chain, "roll, within and once_per_unit after hits")
    reading.deeds.append(ChainHits(hits, chain["roll"], float(chain["within"])))


TARGET_READERS: tuple[tuple[frozenset[str], Callable[[Reading, Words], None]], ...] = (
    (frozenset({"hits", "s", "versus"}), read_versus),
    (frozenset({"hits", "s", "if_within_3_of_forest"}), read_near_forest),
    (frozenset({"hits", "s", "per"}), read_per_rank),
    (frozenset({"hits", "wound_on"}), read_wound_on),
    (frozenset({"hits", "no_look_out_sir"}), read_model_hits),
    (frozenset({"hits", "s", "wounds"}), read_bolt),
    (frozenset({"contest"}), read_contest),
    (frozenset({"if", "grant", "duration"}), read_survivor),
    (frozenset({"trigger", "scope", "test"}), read_dazzle),
    (frozenset({"chain"}), read_chain),
)
