"""The Shooting phase with Grenade between two units that shoot (w10.stratagem.grenade)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w10.stratagems.book import BOOK, Stratagem
from wh_env.rulesets.w10.stratagems.effects import can_throw
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.reaction.windows import delegated, open_window
from wh_env.rulesets.w40k.shoot import phase

GRENADE = Stratagem.GRENADE


class ShootingPhase(phase.ShootingPhase):
    """One unit after the other shoots. If a policy uses Grenade, it does so before the first unit shoots."""

    def begun(self, g: BattleCore) -> bool:
        return delegated(g, GRENADE) and open_window(g, Moment.BETWEEN_SHOOTERS)


class SelectToShoot(phase.SelectToShoot):
    what = "Which eligible unit shoots next (done: the phase ends); option 0: use Grenade first."
    keys = ("shoot.select-unit", "stratagem.grenade")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        super().options(g, f, mask)
        throws = not delegated(g, GRENADE) and can_throw(g, g.stack[f + ShootingPhase.PLAYER])
        mask[g.setup.space.option] = throws

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == g.setup.space.option:
            open_window(g, Moment.BETWEEN_SHOOTERS)
        else:
            super().answer(g, f, action)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        title = BOOK.table[GRENADE].title
        return f"use {title}" if action == g.setup.space.option else g.default_words(action)
