"""The Magic phase (wap.magic.phase.sequence, .phase.end)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of
from wh_env.core.procedures import GO, STEP, ChooseUnit, DecisionKind, OfPlayer, Steps, integer
from wh_env.rulesets.wap.basics.carried import Moment
from wh_env.rulesets.wap.basics.ground import with_trait
from wh_env.rulesets.wap.basics.marks import marks_in_use, vortices
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.items.windows import offer_items
from wh_env.rulesets.wap.magic.casting import Cast
from wh_env.rulesets.wap.magic.comets import Comets
from wh_env.rulesets.wap.magic.deeds_triggers import EndOfMagic
from wh_env.rulesets.wap.magic.dispelling import dispel_in_play, may_dispel
from wh_env.rulesets.wap.magic.ground_spells import Portals
from wh_env.rulesets.wap.magic.in_play import end_spell, in_play
from wh_env.rulesets.wap.magic.libraries import Libraries, give_back
from wh_env.rulesets.wap.magic.may_cast import castable, who_casts
from wh_env.rulesets.wap.magic.phase_items import begin_items, release_stored
from wh_env.rulesets.wap.magic.shares import forget_shares
from wh_env.rulesets.wap.magic.sharing import divide_winds
from wh_env.rulesets.wap.magic.stored_dice import store_dice
from wh_env.rulesets.wap.magic.toads import ShakeOff, toads_of
from wh_env.rulesets.wap.magic.vortices import Drifts
from wh_env.rulesets.wap.magic.winds import roll_winds
from wh_env.rulesets.wap.magic.wizards import spell_at
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.panic.panic import Panic

END_IT = 0  # the option: a spell in play is ended


def begin_phase(g: BattleCore) -> None:
    """Forget what happened in other Magic phases: concentration is regained, and each spell can be tried again
    (wap.magic.cast.once).
    """
    w = g.wizards
    for unit in range(len(g.units.owner)):
        w.cannot_cast[unit] = w.cannot_cast_bound[unit] = w.cannot_dispel[unit] = 0
        w.own_dice[unit] = 0
        w.hit_by[unit] = w.hit_now[unit] = w.chained[unit] = w.fate[unit] = 0
        if g.units.owner[unit] == g.clock.turn[0]:
            w.gilded[unit] = 0
    g.spellbook.rows["tried"] = 0
    for player in (0, 1):
        g.pools.dice[player] = 0
    forget_shares(g)


class MagicPhase(OfPlayer):
    """The Magic phase of a player: spells in play may be ended, the winds blow, spells are cast one after the other."""

    class Step(Steps):
        BEGIN, STARTED, ENDING, WINDS, ENEMY, CASTING, OVER, ENDED, ITSELF = range(9)

    ROW = integer(count_of("spellbook"))  # spells in play whose casters were asked: those below this row
    asks = ("end-spell", "dispel-in-play", "cast-by")

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether there is a spell in play to be asked about, as long as casters are asked."""
        asked = g.stack[f + STEP] == MagicPhase.Step.ENDING
        return not asked or any(row >= g.stack[f + MagicPhase.ROW] for row in in_play(g))

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        stack, player = g.stack, g.stack[f + MagicPhase.PLAYER]
        step = stack[f + STEP]
        if step == MagicPhase.Step.BEGIN:
            begin_phase(g)
            stack[f + STEP] = MagicPhase.Step.ITSELF
            if toads_of(g, player):
                g.push(ShakeOff, player)
        elif step == MagicPhase.Step.ITSELF:
            stack[f + STEP] = MagicPhase.Step.STARTED
            MagicPhase.start(g, player)
        elif step == MagicPhase.Step.STARTED:
            stack[f + STEP] = MagicPhase.Step.ENDING
        elif step == MagicPhase.Step.ENDING:
            row = next((row for row in in_play(g) if row >= stack[f + MagicPhase.ROW]), -1)
            if row >= 0:
                unit = g.spellbook.unit[row]
                return g.ask(EndSpell, g.units.owner[unit], unit)
            stack[f + STEP] = MagicPhase.Step.WINDS
        elif step == MagicPhase.Step.WINDS:
            roll_winds(g, player)
            stack[f + STEP] = MagicPhase.Step.ENEMY
            if with_trait(g, "portal"):
                g.push(Portals, player)
            for seat in (1 - player, player):  # the one on top of the stack divides first
                divide_winds(g, seat)
        elif step == MagicPhase.Step.ENEMY:
            stack[f + STEP] = MagicPhase.Step.CASTING
            if may_dispel(g, 1 - player):
                return g.ask(DispelInPlay, 1 - player)
        elif step == MagicPhase.Step.CASTING and (may_dispel(g, player) or next(who_casts(g, player), -1) >= 0):
            return g.ask(CastBy, player)
        elif step != MagicPhase.Step.ENDED:
            stack[f + STEP] = MagicPhase.Step.ENDED
            give_back(g)
            if vortices(g):
                g.push(Drifts)
            g.push(EndOfMagic, player)
        else:
            g.pop()
            store_dice(g, player)
        return GO

    @staticmethod
    def start(g: BattleCore, player: int) -> None:
        """What happens before spells in play may be ended: items, ground and marks act."""
        begin_items(g)
        release_stored(g)
        offer_items(g, player, Moment.OWN_MAGIC)
        if with_trait(g, "library"):
            g.push(Libraries, player)
        if marks_in_use(g):
            g.push(Comets, player)


def casts_without(g: BattleCore, player: int, unit: int, rows: Collection[int]) -> bool:
    """Whether a player would be asked who casts (``unit``: -1), or a unit what it casts, without the spells of some
    rows of ``spellbook``.
    """
    if unit < 0 and may_dispel(g, player):
        return True
    casters = who_casts(g, player) if unit < 0 else (unit,)
    return any(row not in rows for caster in casters for row in castable(g, caster))


class EndSpell(DecisionKind):
    name = "end-spell"
    what = "Whether a wizard ends a spell of his that remains in play; done: he keeps it up."
    policy = "He keeps it up."
    keys = ("wap.magic.rip.end", "wap.lore.beasts.transformation-of-kadon.limits")
    squad = False

    @staticmethod
    def row(g: BattleCore, f: int) -> int:
        """The spell that is asked about."""
        return next(row for row in in_play(g) if row >= g.stack[f + MagicPhase.ROW])

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option + END_IT] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        row = EndSpell.row(g, f)
        g.stack[f + MagicPhase.ROW] = row + 1
        if action:
            end_spell(g, row, "wap.magic.rip.end")

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return 0

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{'end' if action else 'keep'} {spell_at(g, EndSpell.row(g, f)).name}"


class DispelInPlay(DecisionKind):
    name = "dispel-in-play"
    what = "Which enemy spell that remains in play a player tries to dispel in the enemy's Magic phase; done: none."
    keys = ("wap.magic.rip.dispel",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for at in range(len(may_dispel(g, 1 - g.stack[f + MagicPhase.PLAYER]))):
            mask[g.setup.space.option + at] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player = 1 - g.stack[f + MagicPhase.PLAYER]
        if action:
            g.stack[f + STEP] = MagicPhase.Step.ENEMY  # he is asked again
            dispel_in_play(g, player, may_dispel(g, player)[action - g.setup.space.option])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return "dispel nothing"
        rows = may_dispel(g, 1 - g.stack[f + MagicPhase.PLAYER])
        return f"dispel {spell_at(g, rows[action - g.setup.space.option]).name}"


class CastBy(ChooseUnit):
    name = "cast-by"
    what = "Which unit casts a spell next, or which enemy spell in play is dispelled; done: the Magic phase ends."
    keys = ("wap.magic.cast.once", "wap.magic.next", "wap.magic.phase.end", "wap.magic.rip.dispel")
    declines = True

    def among(self, g: BattleCore, player: int) -> Iterator[int]:
        return who_casts(g, player)

    def may(self, g: BattleCore, unit: int) -> bool:
        return True

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        super().options(g, f, mask)
        for at in range(len(may_dispel(g, g.stack[f + MagicPhase.PLAYER]))):
            mask[g.setup.space.option + at] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        space, player = g.setup.space, g.stack[f + MagicPhase.PLAYER]
        if 0 < action < space.own:
            dispel_in_play(g, player, may_dispel(g, player)[action - space.option])
            return
        super().answer(g, f, action)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.stack[f + STEP] = MagicPhase.Step.ENEMY
        g.push(Cast, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + STEP] = MagicPhase.Step.OVER

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        space, player = g.setup.space, g.stack[f + MagicPhase.PLAYER]
        if action == 0:
            return "no more magic"
        if action < space.own:
            return f"dispel {spell_at(g, may_dispel(g, player)[action - space.option]).name}"
        return f"{g.default_words(action)} casts a spell"
