"""The weapons of an attack and the title of a Stratagem, for events that do not name them: read from the tables and the
catalogue.
"""

from __future__ import annotations

from wh_env.content.rulebook import catalogue
from wh_env.core.battle import BattleCore
from wh_env.core.events import Event
from wh_env.render.labels import column

STRATAGEM = "Stratagem"
MADE_BY_WEAPONS = frozenset(("attacks roll", "hit roll", "auto hit"))  # events that begin an attack


def stratagem(event: Event) -> str:
    """The title of the Stratagem that an event reports; empty for other events."""
    if event.kind != STRATAGEM:
        return ""
    entry = catalogue(event.rule.split(".")[0]).get(event.rule)
    return str(entry["title"]) if entry is not None else event.rule.rpartition(".")[2].replace("-", " ")


def weapons_of_attack(battle: BattleCore, event: Event) -> list[str]:
    """The names of the weapons with which the attacking model of an event attacks its target; an empty list if no table
    says so.

    They are those of the attacks that were declared last, so ask when the event happens, or before more attacks are
    declared.
    """
    attacker, target = event.data.get("attacker", -1), event.data.get("target", -1)
    if (
        event.kind not in MADE_BY_WEAPONS
        or attacker < 0
        or not battle.setup.layout.offsets.keys() >= {"jobs", "attack"}
    ):
        return []
    used, jobs = column(battle.attack, "jobs"), battle.jobs
    weapons = battle.setup.names["weapons"]
    rows = range(used[0] if used is not None else 0)
    found = [weapons[jobs.weapon[row]] for row in rows if jobs.model[row] == attacker and jobs.target[row] == target]
    return list(dict.fromkeys(found))
