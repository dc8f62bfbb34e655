"""Values of options in the 8th edition: markers by the number of models and by when they are scored, Warlords, the
first turn.
"""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.w8.mission.objectives import RELIC, SECURED
from wh_env.rulesets.w8.mission.state import Primary
from wh_env.rulesets.w8.view.appraise_markers import marker_places
from wh_env.rulesets.w8.warlord.state import warlord
from wh_env.rulesets.w40k.attack.circumstances import Near
from wh_env.rulesets.w40k.view.appraise import Table, marker_range
from wh_env.rulesets.w40k.view.appraise_attacks import apart, chance_to_charge, shots
from wh_env.rulesets.w40k.view.appraise_classic import ClassicAppraiser
from wh_env.rulesets.w40k.view.appraise_places import MARKER, NEXT_TURN

SNAP = int(Near.SNAP)
WARLORD = MARKER  # worth of slaying the Warlord if it brings victory points: D3, as a marker brings 2
EARLY, LATE = 0.5, 2.0  # weight of markers that are scored as the battle ends: in the first battle round, in the last
# how many markers of Slay and Secure one marker is worth, if it is not one
POINTS: dict[int, float] = {Primary.ANCIENT_RELIC: RELIC / SECURED}


class EighthAppraiser(ClassicAppraiser):
    """Values of options in battles of one Setup."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._plain = self._price.copy()
        self._hunted: tuple[int, ...] = ()
        self.scorers |= {"first-turn": self.first_turn}

    def best(self, battle: BattleCore, mask: Array) -> int:
        """The best option, with the current prices of Warlords."""
        self._hunt(battle)
        return super().best(battle, mask)

    def _hunt(self, g: BattleCore) -> None:
        """Raise the price of wounds of Warlords if slaying them brings victory points
        (w8.mission.primary.slay-and-secure).
        """
        slay = g.mission.primary[0] == Primary.SLAY_AND_SECURE
        hunted = tuple(warlord(g, player) for player in (0, 1)) if slay else ()
        if hunted == self._hunted:
            return
        self._hunted = hunted
        self._price = self._plain.copy()
        for model in hunted:
            if model >= 0:
                self._price[g.models.unit[model]] += WARLORD / max(1, g.models.max_wounds[model])
        self._worth[:] = np.nan
        self._melee.clear()

    def weight(self, g: BattleCore) -> float:
        """The weight of markers: 1 if they are scored each turn, else growing towards the end of the battle, when they
        are scored.
        """
        primary = g.mission.primary[0]
        if primary == Primary.DOMINATION:
            return 1.0
        rounds = max(1, g.setup.rules["rounds"])
        left = self.rounds_left(g) / max(1, rounds - 1)
        return float(LATE + (EARLY - LATE) * min(1.0, left)) * POINTS.get(primary, 1.0)

    @staticmethod
    def rounds_left(g: BattleCore) -> int:
        """The number of battle rounds after the current one."""
        return int(max(0, g.setup.rules["rounds"] - max(1, g.clock.round[0])))

    def fade(self, g: BattleCore) -> float:
        """The factor on the value of a marker for each turn that the unit is away from it. It is nearer to 1 while
        rounds are left, if markers are scored only at the end of the battle.
        """
        if g.mission.primary[0] == Primary.DOMINATION:
            return NEXT_TURN
        return float(NEXT_TURN ** (1.0 / (1 + self.rounds_left(g))))

    def marker_values(
        self, battle: BattleCore, table: Table, unit: int, xs: Array, ys: Array, size: float, move: float
    ) -> Array:
        """The value for markers of being at each place (xs, ys). Of a unit on the table each model counts."""
        if not table.here[unit]:
            return self.weight(battle) * super().marker_values(battle, table, unit, xs, ys, size, move)
        rows = battle.models.rows[list(battle.members(unit))]
        best = np.empty(len(xs))
        marker_places(
            best, np.asarray(xs, np.float64), np.asarray(ys, np.float64), unit, battle.units.owner[unit],
            rows["x"] - table.x[unit], rows["y"] - table.y[unit], rows["radius"].copy(), max(1.0, move),
            self.fade(battle), battle.objectives.rows, battle.models.rows, marker_range(battle),
        )  # fmt: skip
        return self.weight(battle) * MARKER * best

    def overwatch(self, g: BattleCore, target: int, charger: int) -> float:
        """Points that the target of a charge takes from a unit by Overwatch; 0 while it is engaged
        (w8.charge.overwatch.not-engaged).
        """
        if self.near(g, target, self._engaged):
            return 0.0
        return shots(self, g, target, charger, SNAP, apart(g, target, charger))

    def select_to_charge(self, battle: BattleCore, mask: Array) -> int:
        """The unit whose charge is worth most, with the Overwatch that it spares the units that charge after it; done
        if no charge is worth its Overwatch.
        """
        space, first = battle.setup.space, battle.players.first_unit[battle.clock.player[0]]
        plans = {}
        for slot in np.flatnonzero(mask[space.own : space.enemy]).tolist():
            unit = first + slot
            values = [(self.charge_value(battle, unit, e), -e) for e in self.in_reach(battle, unit)]
            value, target = max(values, default=(0.0, 0))
            if value > 0.0:
                plans[slot] = value, -target, self.overwatch(battle, -target, unit)
        best, choice = 0.0, 0
        for slot, (value, target, suffers) in plans.items():
            others = sum(more for at, (_, aim, more) in plans.items() if at != slot and aim == target)
            worth = value - suffers + chance_to_charge(battle, first + slot, target) * others
            if worth > best:
                best, choice = worth, space.own + slot
        return int(choice)

    def first_turn(self, g: BattleCore, mask: Array) -> int:
        """Take the first turn if markers are scored each turn; else let the opponent have it, to have the last turn of
        the battle.
        """
        last = g.mission.primary[0] != Primary.DOMINATION
        return g.setup.space.option + last
