"""What a unit of the 8th edition fires (w8.shoot.all-weapons.mandatory, w8.shoot.pistol.or-others, w8.shoot.grenade)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.shoot import phase
from wh_env.rulesets.w40k.shoot.declare import HELD, OTHERS, THROWN, way_of_firing
from wh_env.rulesets.w40k.shoot.phase import Shoot, open_targets


class WeaponTarget(phase.WeaponTarget):
    """A weapon with a target is fired, but for the choice between Pistols, a Grenade and all other weapons of a model.

    To hold one of them back gives up its whole kind, in favour of a kind that is asked about later; a Grenade may always be kept
    (w8.shoot.all-weapons.mandatory). Each Pistol of an engaged unit has the target of its own model (w8.shoot.pistol.closest).
    """

    what = "The target of one weapon profile of one model; not to fire it only where it fires weapons of another kind or profile instead."
    instead = "Every weapon that can fires at the unit of `shoot-target`, the others at what they hurt most; Pistols where nothing else can."
    keys = (*phase.WeaponTarget.keys, "weapon.grenade")
    one_target = False

    @staticmethod
    def model_asked(g: BattleCore, f: int) -> int:
        """The model whose weapon is asked about."""
        return int(edition(g).lending.armed(g, g.stack[f + Shoot.UNIT])[g.stack[f + Shoot.MODEL]])

    @staticmethod
    def kind_of(g: BattleCore, model: int, number: int) -> int:
        """In which of the ways that exclude each other the weapon is fired."""
        return way_of_firing(g, int(g.setup.statics["arsenal_weapon"][g.models.first_weapon[model] + number]))

    def instead_of(self, g: BattleCore, f: int) -> tuple[bool, bool]:
        """Whether a later profile of the weapon asked about can be fired, and whether weapons of another kind can."""
        model, number = self.model_asked(g, f), g.stack[f + Shoot.WEAPON] - 1
        slots, first = g.setup.statics["arsenal"]["slot"], g.models.first_weapon[model]
        later = [k for k in range(number + 1, g.models.weapons[model]) if open_targets(g, f, model, k)]
        profile = any(slots[first + k] == slots[first + number] for k in later)
        return profile, any(self.kind_of(g, model, k) != self.kind_of(g, model, number) for k in later)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        super().options(g, f, mask)
        unforced = (
            self.kind_of(g, self.model_asked(g, f), g.stack[f + Shoot.WEAPON] - 1) == THROWN
            and not g.stack[f + Shoot.DECLARED] >> HELD + OTHERS
        )
        mask[0] = unforced or any(self.instead_of(g, f))

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            super().answer(g, f, action)
        elif not self.instead_of(g, f)[0]:
            number = g.stack[f + Shoot.WEAPON] - 1
            g.stack[f + Shoot.DECLARED] |= 1 << HELD + self.kind_of(g, self.model_asked(g, f), number)
