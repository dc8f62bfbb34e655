"""What a caster may choose within the base version of a spell: another target, or one of several characteristics. Each
choice becomes a version of its own with the same casting value.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from wh_env.content.wap.schema_magic import SpellRow

CHOICE, CHOOSE = "choice", "choose"  # the value of ``stat``, and the key that lists the characteristics
OPTIONS = "options"  # the key of ``empowered`` that says what each other target has different then
OWN_TARGETS = ("self", "self-and-unit")


class Alternative(NamedTuple):
    """A choice: the spell as it is then, words that tell it from the others, and whether it is one for the wizard's own
    unit; other choices are for other units. None: it is for any.
    """

    row: SpellRow
    words: str = ""
    own: bool | None = None


def alternatives(row: SpellRow) -> list[Alternative]:
    """The choices of the base version, at least one."""
    chosen = [effect[CHOOSE] for effect in row.effects if effect.get("stat") == CHOICE]
    if chosen:
        return [Alternative(with_stat(row, name), name) for name in chosen[0]]
    if not row.options:
        return [Alternative(row)]
    found = [Alternative(row, own=row.target in OWN_TARGETS)]
    better = row.empowered.get(OPTIONS) or [{}] * len(row.options)
    for option, more in zip(row.options, better, strict=True):
        words = {key: value for key, value in option.items() if key in SpellRow.model_fields}
        effects = [
            {**effect, **{key: option[key] for key in effect.keys() & option.keys() - words.keys()}}
            for effect in row.effects
        ]
        other = changed(row, **words, effects=effects, empowered={**row.empowered, **more})
        found.append(Alternative(other, own=other.target in OWN_TARGETS))
    return found


def with_stat(row: SpellRow, name: str) -> SpellRow:
    """The spell with one characteristic chosen."""
    effects = [
        {key: name if key == "stat" else value for key, value in effect.items() if key != CHOOSE}
        if effect.get("stat") == CHOICE
        else effect
        for effect in row.effects
    ]
    return changed(row, effects=effects)


def changed(row: SpellRow, **words: Any) -> SpellRow:
    """The spell with other words."""
    return SpellRow.model_validate({**row.model_dump(), "options": [], "boosts": [], **words})
