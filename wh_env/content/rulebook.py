"""The catalogue of rules, for explaining events."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from wh_env.content.load import config_root, read_yaml


def catalogue_root() -> Path:
    """The folder of the catalogue: ``docs/rules`` in a checkout, or packed beside the configurations in a wheel."""
    packed = config_root() / "rules"
    return packed if packed.is_dir() else config_root().parent / "docs" / "rules"


@lru_cache(maxsize=8)
def catalogue(ruleset: str) -> dict[str, dict[str, Any]]:
    """The rules of a ruleset by id."""
    rules: dict[str, dict[str, Any]] = {}
    for file in sorted(catalogue_root().glob(f"{ruleset}*.yaml")):
        data = read_yaml(file)
        rules.update({entry["id"]: {**entry, "source": data["source"]} for entry in data["rules"]})
    return rules


def rule_text(rule: str) -> str:
    """Title, source lines and text of a rule; only the id if the catalogue lacks it."""
    entry = catalogue(rule.split(".")[0]).get(rule)
    if entry is None:
        return rule
    return f"{entry['title']} [{rule}; lines {entry['lines']} of {entry['source']}]\n{entry['rule'].strip()}"
