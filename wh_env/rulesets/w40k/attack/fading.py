"""Abilities that end while a unit makes its attacks, because the models that bear them fall (concepts.aura,
datasheet.aura.range).

What abilities change is written into the declared attacks before the first of them is made. As the attacks on the next
target begin, ``fade`` takes back what depended on models that have been destroyed since. Saves and Feel No Pain need
this not: they are looked up anew for each group of attacks (``powers.guard_unit``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.attack.abilities import ATTACKS, TARGETED
from wh_env.rulesets.w40k.attack.circumstances import Near
from wh_env.rulesets.w40k.attack.granting import FLAGS, Change, number_in, put, with_changes
from wh_env.rulesets.w40k.attack.modifiers import Bits, Granted, effects_between

# what is left of a modifier that ends: the change that takes it back
TAKEN_BACK: dict[Bits, Change] = {
    ATTACKS["+1 to hit"]: ("hit rolls", -1),
    ATTACKS["-1 to hit"]: ("hit rolls", 1),
    ATTACKS["+1 to wound"]: ("wound rolls", -1),
    ATTACKS["-1 to wound"]: ("wound rolls", 1),
    TARGETED["+1 to saving throws"]: ("saving throws", -1),
}
LESS, SUSTAINED = int(Near.DAMAGE_LESS), int(Near.SUSTAINED_HITS)
Effects = tuple[list[Bits], list[str], dict[int, tuple[Change, ...]]]  # bits, changes of profiles, changes by job


@contextmanager
def standing(g: BattleCore, models: Sequence[int]) -> Iterator[None]:
    """A context in which these destroyed models stand where they fell."""
    m = g.models
    for k in models:
        m.alive[k] = m.on_table[k] = 1
    try:
        yield
    finally:
        for k in models:
            m.alive[k] = m.on_table[k] = 0


def effects_on(g: BattleCore, jobs: Sequence[int], target: int, printed: Sequence[int]) -> Effects:
    """The effects of abilities on these declared attacks of one unit on the target; ``printed``: their profiles."""
    model = g.jobs.model
    granted = Granted(g)
    bits, profiles = effects_between(g, g.models.unit[model[jobs[0]]], target)
    rows = [row if row >= 0 else g.jobs.weapon[job] for job, row in zip(jobs, printed, strict=True)]
    return bits, profiles, {job: granted.changes(model[job], row, target) for job, row in zip(jobs, rows, strict=True)}


def changed(g: BattleCore, weapon: int, profiles: Iterable[str]) -> int:
    """The row of a profile after these changes; -1 if they cannot be made."""
    for effect in profiles:
        weapon = g.setup.statics["changed_weapons"].get((effect, weapon), -1)
    return weapon


def printed_profile(g: BattleCore, job: int, profiles: Sequence[str]) -> int:
    """The profile that these changes have made into that of the declared attacks; -1 if there is none."""
    rows = range(len(g.setup.statics["weapons"]))
    return next((row for row in rows if changed(g, row, profiles) == g.jobs.weapon[job]), -1)


def without(near: int, gone: Iterable[Bits], left: Iterable[Bits]) -> int:
    """``near`` without the effects that are ``gone``; ``left``: the effects that hold on."""
    remaining = sum({bit for effect in left for bit in effect})
    for effect in gone:
        if effect in TAKEN_BACK:
            near = with_changes(near, (TAKEN_BACK[effect],))
        else:
            near &= ~max((bit for bit in effect if near & bit and not remaining & bit), default=0)
    return near


def less(near: int, gone: Iterable[Change], left: Sequence[Change]) -> int:
    """``near`` without the changes of single attacks that are ``gone``; ``left``: the changes that hold on."""
    for name, by in gone:
        if name in FLAGS:
            near &= ~FLAGS[name] if all(name != other for other, _ in left) else near
        elif name == "Sustained Hits":
            near = put(near, SUSTAINED, max((number for other, number in left if other == name), default=0))
        elif name == "Damage" and by < 0:
            near = put(near, LESS, number_in(near, LESS) + by)
        else:
            near = with_changes(near, ((name, -by),))
    return near


def fade(g: BattleCore, target: int, fallen: Sequence[int]) -> None:
    """The attacks on ``target`` begin, after these models have been destroyed by the attacks made so far: take back
    what abilities of theirs have changed.
    """
    jobs = g.jobs
    left = [job for job in range(g.attack.jobs[0]) if jobs.attacks[job] and jobs.target[job] == target]
    by_unit: dict[int, list[int]] = {}
    for job in left:
        by_unit.setdefault(g.models.unit[jobs.model[job]], []).append(job)
    for own in by_unit.values():
        with standing(g, fallen):
            profiles = effects_between(g, g.models.unit[jobs.model[own[0]]], target)[1]
            printed = [printed_profile(g, job, profiles) for job in own]
            before = effects_on(g, own, target, printed)
        now = effects_on(g, own, target, printed)
        if before == now:
            continue
        gone = list((Counter(before[0]) - Counter(now[0])).elements())
        for job, row in zip(own, printed, strict=True):
            if row >= 0 and before[1] != now[1]:
                jobs.weapon[job] = changed(g, row, now[1])
            lost = list((Counter(before[2][job]) - Counter(now[2][job])).elements())
            jobs.near[job] = less(without(jobs.near[job], gone, now[0]), lost, now[2][job])
