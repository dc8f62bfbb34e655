"""Which weapons a unit of the 8th edition fires (w8.shoot.all-weapons.mandatory, w8.shoot.pistol.or-others,
w8.shoot.grenade).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.shoot import phase
from wh_env.rulesets.w40k.shoot.declare import OTHERS, THROWN, way_of_firing
from wh_env.rulesets.w40k.shoot.phase import Shoot, open_targets


class WeaponTarget(phase.WeaponTarget):
    """A weapon that has a target must be fired, but a model fires either its Pistols, or a Grenade, or all its other
    weapons.

    A weapon may be passed over if a later profile of it, or a later weapon of another kind, can be fired instead;
    without such a profile this gives up its whole kind. A Grenade may be kept without that
    (w8.shoot.all-weapons.mandatory). Each Pistol of an engaged unit has the target of its own model
    (w8.shoot.pistol.closest).
    """

    what = (
        "The target of one weapon profile of one model; not to fire it only where it fires weapons of another kind or "
        "profile instead."
    )
    instead = (
        "Every weapon that can fires at the unit of `shoot-target`, the others at what they hurt most; Pistols where "
        "nothing else can."
    )
    keys = (*phase.WeaponTarget.keys, "weapon.grenade")
    one_target = False

    @staticmethod
    def kind_of(g: BattleCore, model: int, number: int) -> int:
        """The kind of the weapon: weapons of one model are fired in one kind only."""
        return way_of_firing(g, int(g.setup.statics["arsenal_weapon"][g.models.first_weapon[model] + number]))

    def instead_of(self, g: BattleCore, f: int) -> tuple[bool, bool]:
        """(profile, kind): whether a later profile of the same weapon can be fired (for a Grenade also a later
        Grenade), and whether a later weapon of another kind can.
        """
        model, number = Shoot.asked(g, f)
        slots, first = g.setup.statics["arsenal"]["slot"], g.models.first_weapon[model]
        later = [k for k in range(number + 1, g.models.weapons[model]) if open_targets(g, f, model, k)]
        kind, others = self.kind_of(g, model, number), [self.kind_of(g, model, k) for k in later]
        profile = any(slots[first + k] == slots[first + number] for k in later) or (kind == THROWN and kind in others)
        return profile, any(other != kind for other in others)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        super().options(g, f, mask)
        kept = self.kind_of(g, *Shoot.asked(g, f)) == THROWN and not Shoot.gave_up(g, f) >> OTHERS
        mask[0] = kept or any(self.instead_of(g, f))

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            super().answer(g, f, action)
        elif not self.instead_of(g, f)[0]:
            Shoot.give_up(g, f, self.kind_of(g, *Shoot.asked(g, f)))
