"""Effects of spells and of magic items as files write them: each is a mapping of words, which a reader takes out one by
one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from wh_env.content.errors import ContentError
from wh_env.rulesets.wap.basics.dice import number_of
from wh_env.rulesets.wap.codes import CHARACTERISTICS
from wh_env.rulesets.wap.weapons.hit import Number

Words = dict[str, Any]
AS_IN_TABLES = "words as the tables of the catalogue have them"
# what a reader raises where a word is missing, has a value of another kind, or stands before what it belongs to
MALFORMED = (AttributeError, LookupError, TypeError, ValueError)


@dataclass
class WordReading:
    """Something with effects that is being read.

    Attributes:
        row: its row. file, place: where it stands, for messages.
    """

    row: Any
    file: str
    place: str

    def refuse(self, field: str, value: object, expected: str) -> ContentError:
        """A fault of what is read."""
        return ContentError(self.file, f"{self.place}.{field}", value, expected)

    def number(self, value: object) -> Number:
        """A number such as ``D6``, as (dice, sides, plus), or a multiple such as ``D6x5``."""
        try:
            return number_of(str(value))
        except ValueError:
            raise self.refuse("effects", value, "a number such as 1, D6, 2D6 or D6x5") from None

    def stats(self, words: Words) -> list[str]:
        """The characteristics that an effect names by ``stat``, in lower case."""
        value = words.pop("stat")
        named = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        names = [str(name).lower() for name in named]
        unknown = [name for name in names if name not in CHARACTERISTICS]
        if unknown:
            raise self.refuse("effects", unknown[0], "one of " + ", ".join(CHARACTERISTICS))
        return names

    def take(self, words: Words, key: str, *known: object) -> object:
        """Take a word that has one of a few values; returns it.

        Raises:
            ContentError: it has another one.
        """
        value = words.pop(key, None)
        if value not in known:
            raise self.refuse("effects", value, "one of " + ", ".join(map(str, known)))
        return value

    def finish(self, words: Words) -> None:
        """Check that no word is left.

        Raises:
            ContentError: one is.
        """
        if words:
            raise self.refuse("effects", sorted(words)[0], "a word that the game can play")


R = TypeVar("R", bound=WordReading)
Reader = Callable[[R, Words], None]  # takes its words out of the mapping


def read_effect(reading: R, readers: Iterable[tuple[frozenset[str], Reader[R]]], effect: Mapping[str, Any]) -> None:
    """Read one effect. ``readers``: by the words that an effect must have; the first that fits reads it.

    Raises:
        ContentError: no reader takes it, or one leaves a word.
    """
    words = dict(effect)
    reader = next((reader for needed, reader in readers if needed <= words.keys()), None)
    if reader is None:
        raise reading.refuse("effects", effect, "an effect that the game can play")
    try:
        reader(reading, words)
    except ContentError:
        raise
    except MALFORMED:
        raise reading.refuse("effects", effect, AS_IN_TABLES) from None
    reading.finish(words)
