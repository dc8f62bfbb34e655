"""Checks of a battle after every action, in addition to those of every game; for programs that play at random.

The tables that the engine keeps because they are expensive to compute (engagement, targets, composition of Attached
units) are computed again and compared.
"""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.barriers import mark_units_facing_across
from wh_env.core.geometry.engaged import coherent
from wh_env.core.procedures import FRAME_SIZE, Audit
from wh_env.core.tables import ATTACHED, DESTROYED, ON_TABLE, Array
from wh_env.rulesets.w40k.attack.making import Attacks
from wh_env.rulesets.w40k.attack.sequence import LOST
from wh_env.rulesets.w40k.codes import COVERED, Moved
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.psychic.data import NO_PROFILE
from wh_env.rulesets.w40k.psychic.state import profile_of
from wh_env.rulesets.w40k.questions.move_limits import engaged
from wh_env.rulesets.w40k.shoot.kept import stale_engagement, stale_target

MOVED = (Moved.NORMAL, Moved.ADVANCE, Moved.FELL_BACK)
MOVES = ("move-to", "fall-back-to", "select-model")
TARGET_WORDS = ("unknown", "a target", "barred", "hidden")


class EditionAudit(Audit):
    """Checks of one battle: when points are scored, how moves end, and whether kept tables are right."""

    def __init__(self, g: BattleCore) -> None:
        self.g = g
        models, units = len(g.models.x), len(g.units.place)
        self._labels = np.zeros(models, np.int32)
        self._reaches = np.zeros(models, np.float64)
        self._engaged = np.zeros((units, units), np.uint8)
        self._across = np.zeros(units, np.uint8)
        self._found = np.zeros(3, np.int64)
        self._moment = (0, 0, 0)
        self._vp = (0, 0)
        self._kind = ""
        self._unit = -1
        self._places = self._positions()

    def before(self) -> None:
        g = self.g
        clock = g.clock
        self._vp = (g.players.vp[0], g.players.vp[1])
        self._moment = (clock.round[0], clock.turn[0], clock.phase[0])
        self._kind = g.setup.ruleset.kinds[clock.kind[0]].name
        self._unit = clock.subject[0]
        self._places = self._positions()

    def charges_of_foes(self) -> list[str]:
        """No unit has declared a charge against a unit of its own army (for editions that list charged units)."""
        g, names = self.g, self.g.setup.names["units"]
        owner = g.units.rows["owner"]
        wrong = (g.charges != 0) & (owner[:, None] == owner[None, :])
        return [
            f"{names[int(a)]} has charged {names[int(b)]} of its own army"
            for a, b in zip(*wrong.nonzero(), strict=True)
        ]

    def psykers(self, actions: int = 0) -> list[str]:
        """Units attempt only powers that they know, and deny no more often than their datasheets allow.

        ``actions``: bits of the powers that every psyker may attempt.
        """
        g, names, known = self.g, self.g.setup.names["units"], self.g.setup.statics["psychic_known"]
        faults = []
        for unit, (tried, learnt) in enumerate(zip(g.psyche.tried, g.psyche.learnt, strict=True)):
            if tried & ~(known.get(unit, 0) | learnt | actions):
                faults.append(f"{names[unit]} has attempted a power that it does not know")
            profile = profile_of(g, unit)
            if g.psyche.denies[unit] > profile.denies and profile is not NO_PROFILE:
                faults.append(f"{names[unit]} has denied more often than it can")
            if g.psyche.under[unit] and g.units.place[unit] in (DESTROYED, ATTACHED):
                faults.append(f"{names[unit]} is modified by powers although it is not there")
        return faults

    def _positions(self) -> Array:
        """(2, models): x and y of all models, inches."""
        models = self.g.models.rows
        return np.stack([models["x"], models["y"]])

    def after(self) -> list[str]:
        faults = [*self._score(), *self._move()]
        if self.g.queue[LOST] == 0:  # else losses are not settled yet, and the tables are not read before that
            faults += [*self._kept(), *self._composition()]
        return faults

    def _score(self) -> list[str]:
        """Faults of scores: negative Command points, or victory points that change in a phase without scoring."""
        g = self.g
        if min(g.players.cp) < 0:
            return [f"negative Command points: {tuple(g.players.cp)}"]
        vp = (g.players.vp[0], g.players.vp[1])
        moment = (g.clock.round[0], g.clock.turn[0], g.clock.phase[0])
        # a Command phase may pass without a decision: then a new turn has begun
        same_turn = moment[:2] == self._moment[:2]
        if g.clock.over[0] and edition(g).scores_at_end:
            return []
        if vp != self._vp and same_turn and not {moment[2], self._moment[2]} & set(edition(g).scoring):
            return [f"victory points changed from {self._vp} to {vp} in a phase in which none are scored"]
        return []

    def _move(self) -> list[str]:
        """Faults of a move that has ended: the unit is within Engagement Range or out of coherency."""
        g, unit = self.g, self._unit
        if self._kind not in MOVES or unit < 0:
            return []
        moved = g.units.moved[unit]
        if moved not in MOVED or g.units.place[unit] != ON_TABLE or g.units.alive[unit] == 0:
            return []
        if self._kind == "select-model" and g.clock.asking[0] and g.clock.subject[0] == unit:
            return []  # the move goes on
        if (self._positions() == self._places).all():
            return []
        faults = []
        name = g.setup.names["units"][unit]
        m, u, near = g.models.rows, g.units.rows, edition(g).measures
        if engaged(g, unit):
            faults.append(f"{name} ended a move within Engagement Range")
        if not coherent(m, u, unit, near.coherency, near.coherency_vertical, near.large_unit, self._labels):
            faults.append(f"{name} ended a move out of coherency")
        return faults

    def _kept(self) -> list[str]:
        """Faults of the tables of engagement and targets: entries that differ from those computed now."""
        g, setup, found = self.g, self.g.setup, self._found
        m, u, names = g.models.rows, g.units.rows, setup.names["units"]
        faults = []
        if g.target_known[1]:
            mark_units_facing_across(m, u, setup.blocks, setup.corners, self._across)
            if (self._across != g.across_array).any():
                faults.append("who faces whom across a barricade is kept and no longer so")
        if not g.target_known[0]:
            if g.targets.any():
                faults.append("targets are kept although it is not known who is engaged")
            return faults
        faults += edition(g).stale_answers(g)
        weapons, arsenal, fire = setup.statics["weapons"], setup.statics["arsenal"], setup.statics["shooting_rules"]
        if stale_engagement(m, u, setup.blocks, setup.corners, fire, g.engaged, self._engaged, found):
            a, e = found[:2].tolist()
            now = "within" if self._engaged[a, e] else "out of"
            return [*faults, f"{names[a]} and {names[e]} are {now} Engagement Range, and the opposite is kept"]
        if stale_target(
            m, u, setup.blocks, setup.corners, weapons, arsenal, g.targets, self._engaged, fire, int(Moved.ADVANCE),
            int(Moved.FELL_BACK), self._reaches, found,
        ):  # fmt: skip
            a, e, right = found.tolist()
            kept = TARGET_WORDS[g.targets[a, e]]
            faults.append(f"{names[e]} is {TARGET_WORDS[right]} for {names[a]}, and {kept!r} is kept")
        return faults

    def _composition(self) -> list[str]:
        """Faults of units: Leaders, Starting Strength, keywords and abilities; cover that outlasts its attacks."""
        g, names = self.g, self.g.setup.names["units"]
        m, u = g.models.rows, g.units.rows
        faults = []
        led = np.flatnonzero(u["leader"] >= 0)
        leaders = u["leader"][led]
        if (u["bodyguard"][leaders] != led).any() or (u["place"][leaders] != ATTACHED).any():
            faults.append("a unit has a Leader that is not attached to it")
        if ((u["place"] == ATTACHED) != (u["bodyguard"] >= 0)).any() or len(led) != (u["bodyguard"] >= 0).sum():
            faults.append("an attached Leader leads no unit")
        strength = u["own_strength"].copy()
        strength[led] += u["own_strength"][leaders]
        for spare, whole in g.setup.statics["spares"].items():
            parted = u["strength"][spare]
            strength[spare], strength[whole] = parted, strength[whole] - parted
        wrong = (u["strength"] != strength) & (u["place"] == ON_TABLE)
        if wrong.any():
            faults.append(f"{names[int(wrong.argmax())]} has another Starting Strength than its components")
        living = m["alive"] != 0
        unit = m["unit"][living]
        missing = m["keywords"][living] & ~u["keywords"][unit]
        if missing.any():
            faults.append(f"{names[unit[missing.argmax()]]} lacks a keyword of one of its models")
        missing = u["flags"][unit] & ~m["flags"][living]
        if missing.any():
            faults.append(f"{names[unit[missing.argmax()]]} has an ability that one of its models lacks")
        if (m["flags"] & np.uint64(COVERED)).any():
            running = {g.stack[depth * FRAME_SIZE] for depth in range(g.clock.depth[0])}
            if g.setup.ruleset.number[Attacks] not in running:
                faults.append("a model keeps the Benefit of Cover after the attacks for which it was determined")
        return faults
