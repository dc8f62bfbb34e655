"""Keys of rules: how code that several rulesets share names a rule, and which rule of a catalogue that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True)
class RuleIds:
    """The rules of one ruleset by the keys of shared code: ``rule_ids["charge.roll"]`` is ``"toy.charge.roll"``.

    Attributes:
        ruleset: the prefix of the catalogue. A key stands for ``<ruleset>.<key>`` unless the ruleset says otherwise.
        others: ids by key, of rules that the catalogue has under another name.
        absent: keys for which the catalogue has no rule.
    """

    ruleset: str
    others: Mapping[str, str] = field(default_factory=dict)
    absent: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "others", MappingProxyType(dict(self.others)))

    def __contains__(self, key: str) -> bool:
        """Whether the ruleset has a rule for the key."""
        return key not in self.absent

    def __getitem__(self, key: str) -> str:
        """The id of the rule.

        Raises:
            KeyError: the ruleset has no such rule.
        """
        if key in self.absent:
            raise KeyError(f"{self.ruleset} has no rule for {key}")
        return self.others.get(key) or f"{self.ruleset}.{key}"


def keys(text: str) -> frozenset[str]:
    """The keys in a text that separates them by blanks and line ends."""
    return frozenset(text.split())
