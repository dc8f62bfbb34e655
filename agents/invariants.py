"""Conditions that must hold in a battle after every action, whatever was chosen."""

from __future__ import annotations

import numpy as np

from wh_env import Battle, IllegalAction
from wh_env.core.events import check_event
from wh_env.core.geometry.shapes import inside_table_at, overlap_at, overlaps_in_height
from wh_env.core.kernel import kernel
from wh_env.core.procedures import FRAME_SIZE
from wh_env.core.tables import ATTACHED, DEPLOYING, EMBARKED, ON_TABLE, RESERVE, Array
from wh_env.core.validation import Validator

COUNTED = (ON_TABLE, RESERVE, EMBARKED, DEPLOYING)
FINE, OVERLAP, OUTSIDE = 0, 1, 2


@kernel
def model_fault(models: Array, stacked: Array, length: float, width: float, midway: int, found: Array) -> int:
    """Find the first fault of the models on the table.

    Args:
        models: the table of models.
        stacked: int8, by unit: 1 if its models stand at one place (``Ruleset.stacked``).
        length, width: sides of the battlefield.
        midway: row of a unit in the middle of its move, whose models may overlap others; -1: none.
        found: int array of length 2; receives the row of the faulty model, and of the second model of an
            overlap.

    Returns:
        ``OUTSIDE`` (a base crosses the edge of the table), ``OVERLAP`` (two models overlap) or ``FINE``.
    """
    for i in range(len(models)):
        p = models[i]
        if p["on_table"] == 0:
            continue
        if not inside_table_at(models, i, p["x"], p["y"], p["facing"], length, width):
            found[0] = i
            return OUTSIDE
        for j in range(i + 1, len(models)):
            q = models[j]
            if q["on_table"] == 0 or (stacked[p["unit"]] != 0 and stacked[q["unit"]] != 0):
                continue
            if midway >= 0 and (p["unit"] == midway or q["unit"] == midway):
                continue
            far = p["radius"] + q["radius"]
            dx = p["x"] - q["x"]
            dy = p["y"] - q["y"]
            if dx * dx + dy * dy >= far * far or not overlaps_in_height(p["z"], p["height"], q["z"], q["height"]):
                continue
            if overlap_at(models, i, p["x"], p["y"], p["facing"], j, q["x"], q["y"], q["facing"]):
                found[0] = i
                found[1] = j
                return OVERLAP
    return FINE


VALIDATED = 4  # every fourth state is checked column by column, which costs as much as all other checks


class Invariants:
    """Checks one battle while it is played. Call ``before`` and ``after`` around each action. Events
    are checked if the battle records them.
    """

    def __init__(self, battle: Battle) -> None:
        setup = battle.setup
        self.battle = battle
        self._pair = np.zeros(2, np.int64)
        self._rounds = setup.rules.get("rounds", 5)
        self._depth = len(battle.stack) // FRAME_SIZE
        self._vp = (0, 0)
        self._events_checked = len(battle.events)
        self._audit = setup.ruleset.audit(battle)
        self._validator = Validator(setup)
        self._actions = 0

    def before(self) -> None:
        """Remember what the next action must not change. Call it right before the action."""
        b = self.battle
        self._vp = (b.players.vp[0], b.players.vp[1])
        self._audit.before()

    def after(self) -> list[str]:
        """The conditions that do not hold after the action, one sentence each."""
        faults = state_faults(self.battle, self._pair, self._rounds, self._depth)
        vp = (self.battle.players.vp[0], self.battle.players.vp[1])
        if vp[0] < self._vp[0] or vp[1] < self._vp[1]:
            faults.append(f"victory points fell from {self._vp} to {vp}")
        # the bounds declared for states from files must also hold for states reached by play
        self._actions += 1
        if self._actions % VALIDATED == 0:
            faults += [f"out of bounds: {fault}" for fault in self._validator.faults(self.battle)]
        events = self.battle.events
        for event in events[self._events_checked :]:
            faults += check_event(self.battle.setup, event)
        self._events_checked = len(events)
        return faults + self._audit.after()


def state_faults(battle: Battle, found: Array, rounds: int, depth: int) -> list[str]:
    """The conditions that do not hold in a single state, one sentence each.

    Args:
        battle: the battle to check.
        found: int array of length 2 for ``model_fault``.
        rounds: greatest allowed battle round.
        depth: greatest allowed depth of the stack.
    """
    faults: list[str] = []
    models, units, players, clock = battle.models.rows, battle.units.rows, battle.players, battle.clock
    names = battle.setup.names
    asked = battle.setup.ruleset.kinds[clock.kind[0]]
    midway = clock.subject[0] if clock.asking[0] and asked.midway else -1
    stacked = np.zeros(len(units), np.int8)
    stacked[list(battle.setup.ruleset.stacked(battle))] = 1
    fault = model_fault(models, stacked, battle.setup.length, battle.setup.width, midway, found)
    if fault == OVERLAP:
        one, other = (f"{names['models'][row]} (row {row})" for row in found)
        faults.append(f"models {one} and {other} overlap")
    elif fault == OUTSIDE:
        faults.append(f"model {names['models'][found[0]]} (row {found[0]}) stands over the edge of the table")

    wounds, alive, on_table = models["wounds"], models["alive"], models["on_table"]
    if ((wounds < 0) | (wounds > battle.setup.ruleset.most_wounds(battle))).any():
        faults.append("a model has fewer than 0 wounds or more than its Wounds")
    if ((alive != 0) != (wounds > 0)).any():
        faults.append("a model without wounds lives, or one with wounds does not")
    place = units["place"]
    # a destroyed transport stays on the table until the units embarked in it have disembarked
    loaded = np.isin(models["unit"], units["carrier"][place == EMBARKED])
    if ((on_table > alive) & ~loaded).any():
        faults.append("a destroyed model stands on the table")
    standing = models["unit"][on_table != 0]
    # a unit that is being set up model by model is not on the table yet
    setting_up = clock.subject[0] if clock.asking[0] else -1
    joins = battle.setup.ruleset.joins  # attached models then stand with the unit that they joined
    allowed = (place == ON_TABLE) | (joins & (place == ATTACHED) & (place[units["bodyguard"]] == ON_TABLE))
    if not allowed[standing[standing != setting_up]].all():
        faults.append("a model stands on the table whose unit does not")
    counts = np.bincount(models["unit"][alive != 0], minlength=len(units))
    wrong = np.isin(place, COUNTED) & (counts != units["alive"])
    if wrong.any():
        unit = int(wrong.argmax())
        faults.append(f"unit {names['units'][unit]} has {counts[unit]} living models and says {units['alive'][unit]}")
    if not joins and (units["alive"][place == ATTACHED] != 0).any():
        faults.append("an attached Leader counts models of its own")
    if min(players.vp) < 0:
        faults.append(f"negative victory points: {tuple(players.vp)}")
    holder = battle.objectives.rows["holder"]
    if ((holder < -1) | (holder > 1)).any():
        faults.append("a marker is held by neither player")
    if not 0 <= clock.depth[0] <= depth or not 0 <= clock.round[0] <= rounds:
        faults.append(f"stack depth {clock.depth[0]}, round {clock.round[0]}")
    if battle.over:
        if clock.asking[0] or clock.winner[0] not in (-1, 0, 1):
            faults.append("the battle is over and asks a decision, or its winner is no player")
    elif not clock.asking[0] or clock.player[0] not in (0, 1) or not battle.legal().any():
        faults.append("the battle goes on, but no decision is asked or no action is legal")
    return faults


def mask_faults(
    battle: Battle, chance: np.random.Generator, legal_sample: int = 0, masked_sample: int = 24
) -> list[str]:
    """Check that the mask is exact, and that the state survives being saved and loaded.

    Every legal action is applied to a copy and must leave a sound state. Every masked action must
    raise ``IllegalAction`` and change nothing.

    Args:
        battle: a battle that asks a decision; it is not changed.
        chance: draws the samples.
        legal_sample: number of legal actions to try, among them the first and the last; 0 tries all.
        masked_sample: number of random actions to try besides the bounds of every segment; legal ones among
            them are skipped.

    Returns:
        One sentence for each fault.
    """
    faults: list[str] = []
    mask = battle.legal().copy()
    state = battle.state_bytes()
    probe = battle.clone()
    if not (probe.legal() == mask).all():
        faults.append("a copy has another mask")
    if probe.state_bytes() != state:
        faults.append("asking for the mask again changes the state")
    loaded = Battle.from_bytes(battle.to_bytes())
    if loaded.state_bytes() != state or not (loaded.legal() == mask).all():
        faults.append("the state is another after being saved and loaded")

    found, rounds, depth = np.zeros(2, np.int64), battle.setup.rules.get("rounds", 5), len(battle.stack) // FRAME_SIZE
    legal = np.flatnonzero(mask)
    if legal_sample and len(legal) > legal_sample:
        inner = chance.choice(legal[1:-1], legal_sample - 2, replace=False)
        legal = np.concatenate([legal[:1], inner, legal[-1:]])
    for action in legal.tolist():
        probe.copy_from(battle)
        try:
            probe.apply(action)
        except Exception as error:
            faults.append(f"legal action {action} ({battle.describe(action)}) raises {type(error).__name__}: {error}")
            continue
        faults += [
            f"after action {action} ({battle.describe(action)}): {fault}"
            for fault in state_faults(probe, found, rounds, depth)
        ]

    return faults + masked_faults(battle, chance, masked_sample)


def masked_faults(battle: Battle, chance: np.random.Generator, sample: int) -> list[str]:
    """Check that masked actions raise ``IllegalAction`` and change nothing: the bounds of segments, and some others."""
    faults: list[str] = []
    space, mask, state, probe = battle.setup.space, battle.legal().copy(), battle.state_bytes(), battle.clone()
    starts = (0, space.option, space.own, space.enemy, space.cell, space.angle, space.number, space.model, space.size)
    bounds = {start + step for start in starts for step in (-1, 0)} | {-space.size, space.size + 1}
    tried = sorted({*bounds, *chance.integers(0, space.size, sample).tolist()})
    probe.legal()
    for action in tried:
        if 0 <= action < space.size and mask[action]:
            continue
        try:
            probe.apply(action)
        except IllegalAction:
            pass
        except Exception as error:
            faults.append(f"masked action {action} raises {type(error).__name__}: {error}")
        else:
            faults.append(f"masked action {action} is carried out")
        if probe.state_bytes() != state:
            faults.append(f"masked action {action} changes the state")
            probe.copy_from(battle)
            probe.legal()
    return faults


def soak(battle: Battle, seed: int, every: int = 10, legal_sample: int = 16, most: int = 20) -> tuple[int, list[str]]:
    """Play a battle with random actions and check everything.

    Args:
        battle: the battle to play.
        seed: seed of the random actions.
        every: check the mask at every so many-th decision.
        legal_sample: see ``mask_faults``.
        most: stop after this number of faults.

    Returns:
        The number of decisions, and the faults.
    """
    chance = np.random.default_rng(seed)
    invariants = Invariants(battle)
    faults: list[str] = []
    count = 0
    while not battle.over and len(faults) < most:
        kind = battle.setup.ruleset.kinds[battle.clock.kind[0]].name
        where = f"decision {count} ({kind}, round {battle.clock.round[0]})"
        options = battle.legal().nonzero()[0]
        action = int(options[int(chance.random() * len(options))])
        if count % every == every - 1:
            try:
                found = mask_faults(battle, chance, legal_sample)
            except Exception as error:  # a state that is refused when it is loaded
                found = [f"{type(error).__name__}: {error}"]
            faults += [f"{where}: {fault}" for fault in found]
        invariants.before()
        try:
            words = battle.describe(action)
            battle.apply(action)
        except Exception as error:
            faults.append(f"{where}: action {action}: {type(error).__name__}: {error}")
            break
        count += 1
        faults += [f"{where}, after action {action} ({words}): {fault}" for fault in invariants.after()]
    return count, faults
