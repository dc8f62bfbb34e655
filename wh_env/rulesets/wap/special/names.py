"""Checks of special rules as an army list writes them (wap.special.general.none-by-default)."""

from __future__ import annotations

from wh_env.rulesets.wap import rule_book
from wh_env.rulesets.wap.rule_book import FEELINGS, IMMUNITY, WRITTEN


def fault_of(words: str) -> tuple[str, str, str] | None:
    """The fault of a special rule as an army list writes it, such as ``Impact Hits (D6)``; None: it is right. The fault
    is what was expected, what is wrong, and the unknown name; each may be empty.
    """
    book = rule_book.BOOK
    match = WRITTEN.fullmatch(words)
    if match is None:
        return "a rule such as Stubborn, or Impact Hits (D6)", "is not written so", ""
    name, parameter = match[1], match[2]
    rule = book.by_name.get(name)
    if rule is None:
        return "", "is not known", name
    if rule.form is None:
        return None if parameter is None else (f"{name} alone", "has brackets that the rule does not know", "")
    if not rule.form.fits(parameter):
        return f"words such as {name} ({rule.form.example})", rule.form.problem, ""
    if rule is IMMUNITY and parameter is not None:
        for part in (part.strip() for part in parameter.replace("/", ",").split(",")):
            if part not in names_of_immunity():
                return "", "is not known", part
    return None


def names_of_immunity() -> tuple[str, ...]:
    """The names that Immunity may have in brackets: those of feelings and of special rules."""
    return (*(feeling.name for feeling in FEELINGS), *rule_book.BOOK.names)
