"""Models that hide in a friendly unit and are revealed later (wap.special.hidden.*). ``units.hides_in`` holds the unit
that a model hides in. Until the model is revealed it is in reserve, and the enemy does not see that it hides.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.procedures import ChooseUnit, Hidden, OfPlayer, integer
from wh_env.core.tables import DEPLOYING, ON_TABLE, RESERVE
from wh_env.rulesets.wap.basics.blocks import derive
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.contacts import meet
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.characters.joining import files_to_reveal, fits, fits_inside, is_open_to, stand_inside
from wh_env.rulesets.wap.characters.joins import REVEALED, RULES, Join
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.movement.start_of_turn import StartEffect
from wh_env.rulesets.wap.rule_book import HIDDEN


def can_hide_in(g: BattleCore, unit: int) -> list[int]:
    """The units in which a model that is being deployed can hide (wap.special.hidden.deploy)."""
    u = g.units
    if not has(g, unit, HIDDEN):
        return []
    friends = g.units_of(u.owner[unit])
    return [host for host in friends if u.place[host] == ON_TABLE and is_open_to(g, unit, host) and fits(g, unit, host)]


def hide(g: BattleCore, unit: int, host: int) -> None:
    """Hide a model in the unit ``host``."""
    g.units.place[unit], g.units.hides_in[unit] = RESERVE, host
    derive(g, unit)
    g.note("wap.special.hidden.deploy", "hides", unit=unit)


def somebody_hides(g: BattleCore) -> bool:
    """Whether any model of either player hides in a unit."""
    return max(g.units.hides_in.tolist(), default=-1) >= 0


def may_be_revealed(g: BattleCore, unit: int) -> bool:
    """Whether a hidden model can step forward now: the front rank has a place for it, and the unit room for
    one more model; in a building there is room (wap.special.hidden.reveal)."""
    u, host = g.units, g.units.hides_in[unit]
    if host < 0 or u.place[unit] != RESERVE or u.place[host] != ON_TABLE:
        return False
    return fits_inside(g, unit, host) if is_inside(g, host) else bool(files_to_reveal(g, unit, host))


def reveal(g: BattleCore, unit: int) -> None:
    """The model steps into the front rank of its unit, as a character that joins a unit does; in a building nobody
    stands in ranks (wap.building.enter.character).
    """
    host, g.units.hides_in[unit] = g.units.hides_in[unit], -1
    if is_inside(g, host):
        stand_inside(g, unit, host)
        g.note(RULES[REVEALED], "joins", unit=unit, target=host)
        meet(g)
    else:
        g.push(Join, unit, host, REVEALED)


class Reveal(StartEffect):
    """Hidden models may be revealed at the start of their player's turn."""

    rule = "wap.special.hidden.reveal"
    optional = True

    def possible(self, g: BattleCore) -> bool:
        return somebody_hides(g)

    def due(self, g: BattleCore, unit: int) -> bool:
        return may_be_revealed(g, unit)

    def resolve(self, g: BattleCore, unit: int) -> None:
        reveal(g, unit)


class Reveals(OfPlayer):
    """At the start of a Close Combat phase a player reveals any of the player's hidden models."""

    OVER = integer(flag())
    asks = ("reveal-hidden",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + Reveals.PLAYER]
        asked = somebody_hides(g) and not g.stack[f + Reveals.OVER]
        if asked and any(may_be_revealed(g, unit) for unit in g.units_of(player)):
            return g.ask(RevealHidden, player)
        return g.pop()


class RevealHidden(ChooseUnit):
    name = "reveal-hidden"
    what = "Which hidden model is revealed before the combats; done: none."
    keys = ("wap.special.hidden.reveal",)
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_be_revealed(g, unit)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        reveal(g, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + Reveals.OVER] = 1

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "nobody is revealed" if action == 0 else f"{g.default_words(action)} is revealed"


# ---------------------------------------------------------------- secrets from the enemy


def secrets(g: BattleCore, seat: int) -> tuple[Hidden, ...]:
    """Columns of the state to hide from ``seat``: where enemy models hide, and the question whether they step
    forward.
    """
    first, hosts = g.players.first_unit[1 - seat], g.units.hides_in
    hiding = [unit for unit in range(first, first + g.players.units[1 - seat]) if hosts[unit] >= 0]
    found = [Hidden("units", ("place", "hides_in"), unit, unit + 1) for unit in hiding]
    if found and g.clock.asking[0] and g.clock.player[0] != seat:
        found.append(Hidden("clock", ("asking", "kind", "subject"), 0, 1))
    return tuple(found)


def without_secrets(g: BattleCore, seat: int) -> None:
    """In a copy of the battle without secrets, put enemy units that were never seen into reserve."""
    if g.clock.phase[0] == Phase.DEPLOYMENT:
        return
    for unit in g.units_of(1 - seat):
        if g.units.place[unit] == DEPLOYING:
            g.units.place[unit] = RESERVE
