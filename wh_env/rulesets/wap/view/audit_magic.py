"""What must hold of magic from one action to the next, for programs that play at random."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.carried import item_at, items_of
from wh_env.rulesets.wap.basics.ground import with_trait
from wh_env.rulesets.wap.codes import FORGOTTEN, KNOWN, Phase
from wh_env.rulesets.wap.magic.libraries import OF_RIDDLES
from wh_env.rulesets.wap.magic.phase_items import Teaches
from wh_env.rulesets.wap.magic.spells import has_magic, lore_of
from wh_env.rulesets.wap.magic.wizards import spell_at


def learners(g: BattleCore) -> set[int]:
    """The units that an item may teach spells in the battle."""
    rows = range(len(g.items.unit)) if items_of(g) else ()
    return {g.items.unit[k] for k in rows if any(isinstance(use, Teaches) for use in item_at(g, k).uses)}


def may_be_mastered(g: BattleCore, row: int) -> bool:
    """Whether a spell may be learned as the reward for a riddle (wap.building.arcane.sphinx)."""
    return bool(with_trait(g, "riddles")) and lore_of(g, spell_at(g, row)).name == OF_RIDDLES


class MagicAudit:
    """Pools change only in Magic phases, levels never rise, spells are learned before the battle and stay forgotten."""

    def __init__(self, g: BattleCore) -> None:
        self.g = g
        self._look()

    def _look(self) -> None:
        g = self.g
        self._when, self._began = self._now(), g.clock.round[0] > 0
        self._dice, self._levels = g.pools.dice.tolist() + g.armies.dice.tolist(), g.wizards.level.tolist()
        self._known = g.spellbook.known.tolist()

    def _now(self) -> tuple[int, int, int]:
        """Game turn, player and phase."""
        clock = self.g.clock
        return clock.round[0], clock.turn[0], clock.phase[0]

    def faults(self) -> list[str]:
        """What changed since the last call and should not have."""
        g = self.g
        if not has_magic(g):
            return []
        found, names = list[str](), g.setup.names["units"]
        taught = learners(g)
        stays = self._now() == self._when and g.clock.phase[0] != Phase.MAGIC
        if stays and g.pools.dice.tolist() + g.armies.dice.tolist() != self._dice:
            found.append(f"pools changed from {self._dice} outside a Magic phase")
        for unit, level in enumerate(self._levels):
            if g.wizards.level[unit] > level:
                found.append(f"the level of {names[unit]} rose from {level}")
        for row, before in enumerate(self._known):
            known, whose = g.spellbook.known[row], names[g.spellbook.unit[row]]
            if g.spellbook.unit[row] in taught:
                continue
            if before == FORGOTTEN and known != FORGOTTEN:
                found.append(f"{whose} knows a forgotten spell again")
            if self._began and before != KNOWN and known == KNOWN and not may_be_mastered(g, row):
                found.append(f"{whose} learned a spell during the battle")
        self._look()
        return found
