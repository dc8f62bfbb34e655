"""Characters and champions on a temple seek the favour of its gods at the start of each player's turn
(wap.terrain.hill.temple-of-skulls).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of, flag
from wh_env.core.procedures import GO, DecisionKind, OfPlayer, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.effects import grow
from wh_env.rulesets.wap.basics.ground import models_in, with_trait
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import CHAMPION, CHARACTERISTICS
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.panic.panic import Panic

RULE = "wap.terrain.hill.temple-of-skulls"
DEVOURED = 1  # the face of a die that costs the model its soul
IN_A_ROW = 3  # characteristics among which a D3 chooses, after a D3 has chosen their row
SEEK = 0  # the option


def seekers(g: BattleCore, player: int) -> list[int]:
    """The models on temples that may seek favour, those of the player whose turn it is first, by rows."""
    found = []
    for side in (player, 1 - player):
        for unit in g.units_of(side):
            if g.units.place[block_of(g, unit)] != ON_TABLE:
                continue
            chosen = [k for k in g.members(unit) if is_character(g, unit) or g.models.role[k] == CHAMPION]
            if chosen and any(k in models_in(g, unit, ground) for ground in with_trait(g, "favours") for k in chosen):
                found += chosen
    return found


def d3(g: BattleCore) -> int:
    """Half a die, rounded up."""
    return -(-g.d6() // 2)


def seek(g: BattleCore, model: int) -> None:
    """A model seeks favour: one of its characteristics grows by D3 for good, or it is removed without a save."""
    unit, die = g.models.unit[model], g.d6()
    if die == DEVOURED:
        g.note(RULE, "is devoured", unit=unit, model=model, die=die)
        slay(g, model, RULE)
        return
    name = CHARACTERISTICS[IN_A_ROW * (d3(g) - 1) + d3(g) - 1]
    more = grow(g, g.models.line[model], name, d3(g))
    if name == "w":
        g.models.wounds[model] += more
        g.models.max_wounds[model] += more
    if g.recorder is not None:
        g.note(RULE, "is favoured", unit=unit, model=model, die=die, name=name, amount=more)


class Favours(OfPlayer):
    """The models on temples are asked one after the other."""

    asks = ("seek-favour",)
    ASKED = integer(count_of("models"))  # models whose players have answered: those below this row
    THEIRS = integer(flag())  # 1: the turn of the enemy's models has come

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        while True:
            model = Favours.next_model(g, f)
            if model >= 0:
                return g.ask(SeekFavour, g.models.owner[model], g.models.unit[model])
            if g.stack[f + Favours.THEIRS]:
                return g.pop()
            g.stack[f + Favours.THEIRS], g.stack[f + Favours.ASKED] = 1, 0

    @staticmethod
    def next_model(g: BattleCore, f: int) -> int:
        """The model that is asked next; -1: none of that player is left."""
        stack, owner = g.stack, g.models.owner
        side = stack[f + Favours.PLAYER] ^ stack[f + Favours.THEIRS]
        rows = (k for k in seekers(g, side) if owner[k] == side and k >= stack[f + Favours.ASKED])
        return min(rows, default=-1)


class SeekFavour(DecisionKind):
    name = "seek-favour"
    what = "Whether a champion or a character on a temple seeks the favour of its gods; done: it does not."
    policy = "It does not."
    keys = (RULE,)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option + SEEK] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        model = Favours.next_model(g, f)
        g.stack[f + Favours.ASKED] = model + 1
        if action:
            seek(g, model)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return 0

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.names["models"][Favours.next_model(g, f)]
        return f"{name} seeks favour" if action else f"{name} does not"
