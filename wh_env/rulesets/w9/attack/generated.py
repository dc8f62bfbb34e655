"""Attacks that the attacks of a unit generate (w9.rare.generated-attacks): one more at once for each unmodified hit
roll of 6; one more, when all attacks are resolved, for each attack that inflicted no damage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import MOST_ATTACKS, between
from wh_env.core.tables import TableSpec
from wh_env.rulesets.w40k.attack.abilities import GENERATED, Power, counts_in, in_force
from wh_env.rulesets.w40k.attack.making import Attacks
from wh_env.rulesets.w40k.attack_row import Event, Window

SIX = 6
MADE = -1  # the model's additional attacks are being made: its attacks are no longer counted


def tables(models: int) -> tuple[TableSpec, ...]:
    """``generated``: for each model the number of its attacks in this volley that have not reached the Inflict Damage
    step, or ``MADE``.
    """
    return (TableSpec("generated", np.dtype("i4"), models, between(MADE, MOST_ATTACKS)),)


def begin(g: BattleCore, unit: int) -> None:
    """The unit has declared its attacks: start counting from 0, if any rule of the battle generates attacks."""
    if g.setup.statics["powers"]["generated"]:
        for model in g.members(unit):
            g.generated[model] = 0


def generates(g: BattleCore, unit: int) -> bool:
    """Whether an ability in force makes attacks of the unit generate others."""
    return bool(in_force(g, unit, "generated"))


def heed(g: BattleCore) -> None:
    """Read the log of the attack machine, and count attacks without damage and hit rolls of 6. Generated attacks
    generate no others.
    """
    attack = g.attack
    powers, weapon = in_force(g, attack.unit[0], "generated"), attack.weapon[0]
    events = g.work.log[: attack.log_count[0]].tolist()
    if any(not GENERATED[power.effect] for power in powers):
        count_missed(g, events)
    sixes = [power for power in powers if GENERATED[power.effect] and counts_in(g, power, weapon, attack.target[0])]
    made_again = g.generated[attack.attacker[0]] == MADE  # attacks that a rule has generated generate no others
    if sixes and not made_again and weapon not in plain_weapons(g):
        strike_again(g, events, sixes)


def plain_weapons(g: BattleCore) -> frozenset[int]:
    """Rows of the weapon profiles for attacks that an unmodified hit roll of 6 has generated."""
    changed: Mapping[tuple[str, int], int] = g.setup.statics["changed_weapons"]
    return frozenset(row for (effect, _), row in changed.items() if GENERATED.get(effect))


def strike_again(g: BattleCore, events: Sequence[Sequence[int]], powers: Sequence[Power]) -> None:
    """Each unmodified hit roll of 6 of the current group adds one attack for each of the powers, with the same weapon
    at the same unit; they are the next group (w9.rare.generated-attacks).
    """
    group, plain = g.attack.group[0], g.setup.statics["changed_weapons"]
    sixes = sum(number for number, die, _ in hit_dice(events) if die == SIX)
    if sixes:
        g.jobs.attacks[group] += sixes * len(powers)
        g.jobs.weapon[group] = plain[powers[0].effect, g.attack.weapon[0]]
        g.tell("rare.generated-attacks", "additional attacks", unit=g.attack.unit[0], result=sixes * len(powers))


def hit_dice(events: Sequence[Sequence[int]]) -> Iterator[tuple[int, int, int]]:
    """The dice of the hit rolls: 1, what a die shows, and what it needs; -1 for a die that was re-rolled."""
    rolled = -1
    for event, _, _, _, die, needed, result, old in events:
        if event in (Event.HIT_ROLL, Event.AUTO_WOUND, Event.WOUND_ROLL):
            rolled = event
        again = event == Event.REROLL and (result == Window.HIT or (result < 0 and rolled == Event.HIT_ROLL))
        if again:
            yield -1, old, needed
        if again or event == Event.HIT_ROLL:
            yield 1, die, needed


def count_missed(g: BattleCore, events: Sequence[Sequence[int]]) -> None:
    """Count the attacks of each model, and take off those that inflict damage. Each hit roll and each automatic hit is
    an attack.

    Attacks of a group are alike, so an attack that inflicts damage may be taken off any model of the group. No more are
    taken off than have hit: additional hits are none (w9.rare.additional-hits).
    """
    attack, jobs, missed = g.attack, g.jobs, g.generated
    if attack.weapon[0] in plain_weapons(g):
        return
    stack, hits = g.stack, g.frame + Attacks.HITS
    sure = [row[6] for row in events if row[0] == Event.AUTO_HIT]
    if sure or any(row[0] == Event.HIT_ROLL for row in events):  # a group begins
        stack[hits] = sum(sure)
    stack[hits] += sum(number for number, die, needed in hit_dice(events) if die >= needed)
    for row in events:
        event, model = row[0], row[1]
        if event in (Event.HIT_ROLL, Event.AUTO_HIT):
            if missed[model] != MADE:
                made = 1 if event == Event.HIT_ROLL else row[6]
                missed[model] = min(MOST_ATTACKS, missed[model] + made)
        elif event == Event.DAMAGE and stack[hits] > 0:
            stack[hits] -= 1
            group = attack.group[0]
            alike = [jobs.model[job] for job in range(attack.jobs[0]) if jobs.group[job] == group]
            model = next((k for k in alike if missed[k] > 0), -1)
            if model >= 0:
                missed[model] -= 1


def more(g: BattleCore, unit: int) -> bool:
    """All attacks of the unit are resolved: declare the attacks that they generated, each with the weapon and at the
    target of the model's last job whose target is alive. Returns whether there are any attacks to make.
    """
    jobs, missed, m = g.jobs, g.generated, g.models
    if any(jobs.attacks[job] > 0 and g.units.alive[jobs.target[job]] > 0 for job in range(g.attack.jobs[0])):
        return True  # attacks that the last hit rolls have generated
    plain: Mapping[tuple[str, int], int] = g.setup.statics["changed_weapons"]
    effects = [power.effect for power in in_force(g, unit, "generated") if not GENERATED[power.effect]]
    last = {
        jobs.model[job]: job
        for job in range(g.attack.jobs[0])
        if m.unit[jobs.model[job]] == unit and m.alive[jobs.model[job]] and g.units.alive[jobs.target[job]] > 0
    }
    declared: Sequence[tuple[int, int]] = [(model, job) for model, job in last.items() if missed[model] > 0 and effects]
    alike: dict[tuple[int, int, int], int] = {}
    for model, job in declared:
        jobs.attacks[job] = missed[model]
        jobs.weapon[job] = plain.get((effects[0], jobs.weapon[job]), jobs.weapon[job])
        jobs.group[job] = alike.setdefault((jobs.weapon[job], jobs.target[job], jobs.near[job]), job)
    for model in g.members(unit):
        missed[model] = MADE if declared else 0
    if declared:
        total = sum(jobs.attacks[job] for _, job in declared)
        g.tell("rare.generated-attacks", "additional attacks", unit=unit, result=total)
    return bool(declared)
