"""Units that look out for a lone character whom a magic missile hits (wap.character.lone.look-out-sir,
wap.shoot.what-is).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.magic.casting import Cast, frame_of_cast
from wh_env.rulesets.wap.magic.spells import Casting
from wh_env.rulesets.wap.shooting.allotting import LOOKS_OUT, Allot, take_allotted, wait


class LookOut(Allot):
    """The player of a lone character allots the hits of a spell on him; the deed that is done now goes on with
    ``fall``.
    """

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the unit casts a spell."""
        at = frame_of_cast(g, f)
        if at < 0 or not Allot.looks_out(g, f):
            return False
        return bool(Cast.casting(g, at).caster == Allot.shooter(g, f) and Cast.deed(g, at) is not None)

    @staticmethod
    def resolve(g: BattleCore, f: int) -> None:
        """Let all allotted hits fall, those on the character first."""
        target, found = Allot.target(g, f), dict[int, int]()
        for _, row, number in take_allotted(g):
            found[row] = found.get(row, 0) + number
        at = frame_of_cast(g, f)
        casting, deed = Cast.casting(g, at), Cast.deed(g, at)
        assert deed is not None, f
        g.pop()
        for row in sorted(found, key=lambda row: row != target):
            if g.units.alive[row]:
                deed.fall(g, casting, row, found[row])


def let_look_out(g: BattleCore, casting: Casting, unit: int, number: int) -> None:
    """The player of a lone character is asked about so many hits of a missile on him."""
    wait(g, casting.caster, unit, g.units.first_line[casting.caster], number, 0)
    g.push(LookOut, casting.caster, unit, 0, LOOKS_OUT)
