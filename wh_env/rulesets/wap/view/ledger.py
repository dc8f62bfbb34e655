"""Compares losses and victory points with the events that told of them, for programs that play at random.

A unit must have lost the Wounds that events have dealt to it, less those that it has still to suffer, and the models
that events have removed. A player must have scored what events have awarded. A battle that records no events is not
checked.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.events import Event
from wh_env.rulesets.wap.basics.forms import whose_form
from wh_env.rulesets.wap.casualties.casualties import wounds_still_due
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.codes import Phase

# events that deal wounds, by their kind or, where others share the kind, by their rule: the key of the unit that
# suffers them
DEALT = {
    "dangerous terrain": "unit",
    "cut down": "unit",
    "caught": "unit",
    "is hurt": "unit",
    "is hurt by the ground": "unit",
    "costs wounds": "unit",
}
DEALT_BY = {
    "wap.combat.casualties.tally": "target",
    "wap.charge.fleeing.wounds": "target",
    "wap.shoot.sequence": "target",
    "wap.special.sniper.target": "target",
    "wap.special.unstable": "unit",
}
OF_SPELL = "spell wounds"  # Wounds that a model loses; without a model, wounds that saves may still prevent
# events after which a whole unit is gone, and the key of that unit
REMOVED = {"wap.charge.fleeing.us10": "target", "wap.compulsory.flee.off-table": "unit"}
OTHERWISE = ("slain",)  # events after which a unit's Wounds are counted anew
SCORED = ("scored", "trophy")


class Ledger:
    """What the events of one battle have told up to now."""

    def __init__(self, g: BattleCore) -> None:
        self.g = g
        units = range(len(g.units.owner))
        self._read = len(g.events)
        self._wounds = [wounds_of(g, unit) for unit in units]
        self._models = [g.units.alive[unit] for unit in units]
        self._dealt = [wounds_still_due(g, unit) for unit in units]
        self._lost = [0 for _ in units]
        self._gone: set[int] = set()
        self._vp = [int(points) for points in g.players.vp]

    def faults(self) -> list[str]:
        """Losses and points that the events since the last call do not account for."""
        g = self.g
        if g.recorder is None:
            return []
        for event in g.events[self._read :]:
            self._read_one(event)
        self._read = len(g.events)
        faults = [fault for unit in range(len(self._wounds)) for fault in self._of_unit(unit)]
        for player, points in enumerate(self._vp):
            if g.players.vp[player] != points:
                faults.append(f"player {player} has {g.players.vp[player]} victory points, events give {points}")
        return faults

    def _read_one(self, event: Event) -> None:
        data = event.data
        if event.kind == OF_SPELL:
            self._dealt[data["target"]] += data["amount"] if "model" in data else 0
        elif event.kind in DEALT or event.rule in DEALT_BY:
            who = DEALT.get(event.kind) or DEALT_BY[event.rule]
            self._dealt[data[who]] += data["amount"]
        elif event.rule in REMOVED and event.kind in ("runs down", "deserts"):
            self._gone.add(data[REMOVED[event.rule]])
        elif event.kind in ("is destroyed", "is lost"):
            self._gone.add(data["unit"])
        elif event.kind == "losses":
            self._lost[data["unit"]] += data["amount"]
        elif event.kind in SCORED:
            self._vp[data["player"]] += data["points"]
        elif event.kind == "is favoured" and data["name"] == "w":
            self._wounds[data["unit"]] += data["amount"]
        elif event.kind == "exchanges Wounds":
            self._wounds[data["unit"]] += data["amount"] - data["result"]
            self._wounds[data["target"]] -= data["amount"] - data["result"]
        elif event.kind == "changes form":
            self._change(data["unit"], data["target"], data["amount"])
        elif event.kind == "recovers a Wound":
            self._wounds[data["unit"]] += 1
        elif event.kind == "is healed":
            self._wounds[data["unit"]] += data["amount"]
            self._models[data["unit"]] += data.get("result", 0)
        elif event.kind in OTHERWISE:
            self._count(data["unit"])

    def _change(self, old: int, new: int, wounds: int) -> None:
        """A unit has taken its other form, of so many Wounds, or has its own again (``basics.forms``)."""
        comes = whose_form(self.g, new) >= 0
        form = new if comes else old
        self._gone.discard(form)
        self._wounds[form], self._models[form] = (wounds, 1) if comes else (0, 0)
        self._dealt[form] = self._lost[form] = 0

    def _count(self, unit: int) -> None:
        """Count the Wounds and models of a unit anew."""
        self._wounds[unit], self._models[unit] = wounds_of(self.g, unit), int(self.g.units.alive[unit])
        self._dealt[unit], self._lost[unit] = wounds_still_due(self.g, unit), 0

    def _of_unit(self, unit: int) -> list[str]:
        g = self.g
        stays_away = g.clock.phase[0] == Phase.DEPLOYMENT or g.clock.round[0] == 0
        if unit in self._gone or (g.units.alive[unit] == 0 and stays_away):
            self._gone.add(unit)
            return [] if g.units.alive[unit] == 0 else [f"{g.setup.names['units'][unit]} is told to be gone"]
        name, faults = g.setup.names["units"][unit], []
        lost = self._wounds[unit] - wounds_of(g, unit)
        dealt = self._dealt[unit] - wounds_still_due(g, unit)
        if g.units.alive[unit] == 0:
            dealt = min(dealt, self._wounds[unit])  # more than it had
        if lost != dealt:
            faults.append(f"{name} has lost {lost} Wounds, events deal {dealt}")
        models = self._models[unit] - g.units.alive[unit]
        if models != self._lost[unit]:
            faults.append(f"{name} has lost {models} models, events remove {self._lost[unit]}")
        return faults
