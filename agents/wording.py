"""What people read of a battle: questions, options, events, states of units. Nothing of the engine may be in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from wh_env import Battle, Event
from wh_env.core.questions import answer_words, asked, option_words
from wh_env.core.sentences import is_plural
from wh_env.render.labels import Labels
from wh_env.render.panel import panel
from wh_env.render.words import HEADINGS, is_attack, sentence, used_stratagem, volley

from .report import Reporter

NOUNS = "attack|hit|wound|shot|point|model|file|rank|standard|degree|test|save|inche|weapon|unit|objective|round|marker"
ONE_OF_SEVERAL = re.compile(rf"(?<![\d.:+-])1 (?:[a-z]+ )?(?:(?i:{NOUNS})s|dice)\b")
SEVERAL_OF_ONE = re.compile(rf"\b(?:[02-9]|\d\d+) (?:{NOUNS.replace('inche', 'inch')})\b(?! roll)")
FIELD = re.compile(  # names of fields with their values, codes, numbers that stand for something else
    r"[_\[\]{}]|(?<!=)=(?!=)|(?<![\d.])999\b|\bNone\b|\bnan\b|\bfnp\b|\breroll"
    r"|\b(?:cp|target|owner|holder|winner|amount|needed|option|slot|cell|action|number|angle|enemy|own) -?\d"
    r"|\bcell column\b|\((?:order|step|target|unit|model|amount|name|roll|dice?|needed|result) |\([^()]*;[^()]*\)"
)
OPTIONS = 12  # of one decision, chosen at random
VOLLEY = 40  # events that a volley may have


def words_of(battle: Battle, seed: int) -> Iterator[tuple[str, str]]:
    """Play a battle at random and yield everything that people read of it: where it stands, and the words.

    Args:
        battle: a battle with ``record``. seed: of the random actions.
    """
    chance, report, labels, seen = np.random.default_rng(seed), Reporter(battle), Labels(battle), 0
    ruleset = battle.setup.ruleset
    while not battle.over:
        kind = ruleset.kinds[battle.clock.kind[0]]
        title, question, _ = asked(ruleset, kind)
        yield f"question of {kind.name}", f"{title}: {question}"
        legal = battle.legal().nonzero()[0]
        for action in chance.choice(legal, min(OPTIONS, len(legal)), replace=False):
            yield f"option of {kind.name}", option_words(battle, int(action))
        yield "beside the table", Labels(battle).asked()
        action = int(chance.choice(legal))
        yield f"answer to {kind.name}", answer_words(battle, action)
        battle.apply(action)
        for number in range(seen, len(battle.events)):
            event = battle.events[number]
            report(event)
            if event.kind not in ruleset.untold:
                yield f"event {event.kind}", sentence(labels, event)
            yield "volley", volley(labels, battle.events[max(0, number - VOLLEY) : number + 1])
        seen = len(battle.events)
        yield from (("report", line) for line in report.lines())
    for row in panel(battle).units:
        yield "units", ", ".join((row.place, *row.states))
    yield from (("report", line) for line in report.finish())


def untold(battle: Battle, event: Event) -> bool:
    """Whether an event has no sentence, so that its fields are told instead."""
    if event.kind in HEADINGS or event.kind in battle.setup.ruleset.untold or is_attack(event):
        return False
    return not (battle.setup.ruleset.sentence(battle, event) or used_stratagem(Labels(battle), event))


def word_faults(battle: Battle, seed: int) -> tuple[int, list[str]]:
    """Play a battle at random and find what is no player's words.

    Args:
        battle: a battle with ``record``. seed: of the random actions.

    Returns:
        The number of texts, and each fault once: where it was found, and the text.
    """
    several = [re.escape(name) for name in battle.setup.names["units"] if is_plural(name)]
    verb_of_one = re.compile(rf"(?:{'|'.join(several)}) (?!as\b)[a-z]*[a-rt-z]s\b") if several else None
    names = sorted({name for names in battle.setup.names.values() for name in names if FIELD.search(name)}, key=len)
    found: dict[str, str] = {}
    count = 0
    for where, words in words_of(battle, seed):
        count += 1
        told = words
        for name in reversed(names):
            told = told.replace(name, "name")
        if FIELD.search(told) or ONE_OF_SEVERAL.search(told) or SEVERAL_OF_ONE.search(told):
            found.setdefault(where, words)
        if verb_of_one is not None and where.startswith("event") and verb_of_one.match(words):
            found.setdefault(where, f"a verb of one: {words}")
    for event in battle.events:
        if untold(battle, event):
            found.setdefault(f"event {event.kind}", f"no sentence: {sentence(Labels(battle), event)}")
    return count, [f"{where}: {words}" for where, words in found.items()]
