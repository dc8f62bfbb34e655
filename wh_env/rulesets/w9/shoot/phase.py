"""How a unit of the 9th edition selects targets (w9.shoot.big-guns, w9.weapon.pistol)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import STEP
from wh_env.rulesets.w9.rare import open_topped
from wh_env.rulesets.w9.rare.open_topped import from_hull
from wh_env.rulesets.w9.rare.stationary import SHOOTING, phase_begins, phase_ends
from wh_env.rulesets.w40k.questions.engagements import engagements
from wh_env.rulesets.w40k.shoot import phase

BIG_GUNS = ("w9.shoot.big-guns", "w9.shoot.big-guns.others")


class ShootingPhase(phase.ShootingPhase):
    """The Shooting phase. In it units may count as having made another move than they did."""

    def begun(self, g: BattleCore) -> bool:
        phase_begins(g, g.clock.turn[0], SHOOTING)
        open_topped.phase_begins(g, g.clock.turn[0])
        return False

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + STEP] == ShootingPhase.Step.END:
            phase_ends(g)
        return super().advance(g, f)


class ShootTarget(phase.ShootTarget):
    """An engaged unit shoots at a unit that it is engaged with, if any of its weapons can; its other weapons are aimed
    elsewhere (w9.shoot.big-guns, .others).
    """

    keys = (*phase.ShootTarget.keys, *BIG_GUNS)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.clock.subject[0]
        with from_hull(g, unit):
            super().options(g, f, mask)
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        enemies = [enemy for enemy in g.units_of(1 - g.units.owner[unit]) if mask[at + enemy]]
        engaged = engagements(g)[unit].tobytes()
        if 1 in engaged and any(engaged[enemy] for enemy in enemies):
            for enemy in enemies:
                mask[at + enemy] = bool(engaged[enemy])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        with from_hull(g, g.clock.subject[0]):
            super().answer(g, f, action)


class WeaponTarget(phase.WeaponTarget):
    """Each Pistol of an engaged unit may have a target of its own (w9.weapon.pistol)."""

    keys = (*phase.WeaponTarget.keys, *BIG_GUNS, "weapon.grenade")
    one_target = False

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        with from_hull(g, g.clock.subject[0]):
            super().answer(g, f, action)
