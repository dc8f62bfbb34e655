"""Units that look out for a lone character whom a magic missile hits (wap.character.lone.look-out-sir, wap.shoot.what-is)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.magic.casting import Cast, frame_of_cast
from wh_env.rulesets.wap.magic.spells import Casting
from wh_env.rulesets.wap.shooting.allotting import LOOKS_OUT, Allot, wait


class LookOut(Allot):
    """The player of a lone character allots the hits of a spell on him; the deed that is done now goes on with
    ``fall``.
    """

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the unit casts a spell."""
        at = frame_of_cast(g, f)
        if at < 0 or g.stack[f + Allot.WHY] != LOOKS_OUT:
            return False
        casting = Cast.casting(g, at)
        deeds = casting.spell.versions[casting.version].deeds
        return bool(casting.caster == g.stack[f + Allot.UNIT] and g.stack[at + Cast.DEED] < len(deeds))

    @staticmethod
    def resolve(g: BattleCore, f: int) -> None:
        """Let all allotted hits fall, those on the character first."""
        target, b, found = g.stack[f + Allot.TARGET], g.blows, dict[int, int]()
        for k in range(len(b.unit)):
            if b.unit[k] >= 0 and b.attacks[k]:
                found[b.target[k]] = found.get(b.target[k], 0) + b.attacks[k]
            b.unit[k] = b.line[k] = b.target[k] = -1
            b.attacks[k] = b.key[k] = b.later[k] = 0
        at = frame_of_cast(g, f)
        casting = Cast.casting(g, at)
        deed = casting.spell.versions[casting.version].deeds[g.stack[at + Cast.DEED]]
        g.pop()
        for row in sorted(found, key=lambda row: row != target):
            if g.units.alive[row]:
                deed.fall(g, casting, row, found[row])


def let_look_out(g: BattleCore, casting: Casting, unit: int, number: int) -> None:
    """The player of a lone character is asked about so many hits of a missile on him."""
    wait(g, casting.caster, unit, g.units.first_line[casting.caster], number, 0)
    g.push(LookOut, casting.caster, unit, 0, LOOKS_OUT)
