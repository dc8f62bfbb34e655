"""The shots of one unit at one target: rolled to hit, allotted and resolved (wap.shoot.sequence)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.scatter import MISFIRE, artillery_die
from wh_env.rulesets.wap.casualties.harm import UNHARMED, harmed, roll_to_wound
from wh_env.rulesets.wap.casualties.removing import strike_down
from wh_env.rulesets.wap.morale.panic_causes import NOBODY
from wh_env.rulesets.wap.shooting.aims import block_of, own_row, quarters_of_models
from wh_env.rulesets.wap.shooting.allotting import Struck, deal
from wh_env.rulesets.wap.shooting.bolts import fly, is_in_ranks
from wh_env.rulesets.wap.shooting.hits import (
    freeze,
    friends_hit,
    hit_of,
    roll_to_hit,
    saves_again,
    side_shot,
    take_hits,
)
from wh_env.rulesets.wap.shooting.misfires import misfire
from wh_env.rulesets.wap.shooting.shots import ANSWERS, Firing, firings, weapon_in
from wh_env.rulesets.wap.troops.war_machines import toughness_against_shots
from wh_env.rulesets.wap.weapons.hit import RANGED, Hit
from wh_env.rulesets.wap.weapons.machines import BOLT_THROWER, machine_of


def with_grapeshot(g: BattleCore, unit: int, groups: list[Firing]) -> list[Firing]:
    """The shots of a machine that fires grapeshot: as many as an artillery die and a D6 show together; none after a
    misfire (wap.machine.grapeshot.fire).
    """
    number = artillery_die(g)
    if number == MISFIRE:
        misfire(g, unit)
        return []
    die = g.d6()
    if g.recorder is not None:
        told = {"amount": number + die, "rolls": (number, die)}
        g.note("wap.machine.grapeshot.fire", "fires grapeshot", unit=unit, **told)
    return [firing._replace(shots=number + die) for firing in groups]


def shoot(g: BattleCore, unit: int, target: int, way: int, when: int, mark: int = NOBODY, at: int = NOBODY) -> None:
    """A unit, or a character in one by himself, shoots at a target (wap.shoot.sequence, .hit.attacks-irrelevant,
    wap.charge.stand-shoot.resolve).

    Args:
        way: the way of shooting.
        when: the moment, such as ``IN_PHASE``.
        mark: the model that sniper shots are meant for, or ``NOBODY``.
        at: the character in the target who is aimed at, or ``NOBODY``.
    """
    weapon, groups = weapon_in(g, unit, way), firings(g, unit, target if at == NOBODY else at, way, when)
    block, machine = block_of(g, unit), machine_of(g, unit)
    if machine is not None and weapon in machine.others:
        groups = with_grapeshot(g, unit, groups)
        if not groups:  # the machine may be gone
            return
    into_combat, side = engaged(g, target), side_shot(g, block, target)
    struck, astray = list[Struck](), dict[int, list[tuple[int, Hit]]]()
    rule = "wap.charge.stand-shoot.resolve" if when in ANSWERS else "wap.shoot.hit.roll"
    for line, needed, shots, rerolls in groups:
        found, ones, shown = roll_to_hit(g, shots, needed, rerolls)
        if g.recorder is not None:
            told = {"amount": shots, "needed": needed, "rolls": shown, "result": found}
            g.note(rule, "shoots", unit=unit, target=target, name=weapon.name, **told)
        hit = hit_of(g, line, weapon, target if mark == NOBODY else own_row(g, mark))
        if found:
            struck.append(Struck(line, found, hit))
        for friend, number in friends_hit(g, target, ones if into_combat else 0).items():
            astray.setdefault(friend, []).append((number, hit_of(g, line, weapon, friend)))
    if hits := [(part.number, part.hit) for part in struck]:
        freeze(g, target, hits)
        if machine is not None and machine.kind == BOLT_THROWER and is_in_ranks(g, target):
            fly(g, unit, target, at, struck, side)
        elif mark == NOBODY:
            deal(g, unit, target, way, struck, side, at)
        else:
            snipe(g, mark, hits, side, block)
    for friend, strays in astray.items():
        if g.recorder is not None:
            number = sum(count for count, _ in strays)
            g.note("wap.shoot.into-combat.ones", "hit by friends", unit=friend, target=target, amount=number)
        freeze(g, friend, strays)
        take_hits(
            g, friend, strays, max(quarters_of_models(g, block, friend).items(), key=lambda item: item[1])[0], block
        )


def snipe(g: BattleCore, mark: int, hits: list[tuple[int, Hit]], side: int, by: int) -> None:
    """Resolve hits of sniper shots on one model. It alone is wounded, saves and suffers; surplus wounds are lost
    (wap.special.sniper.target).

    Args:
        mark: the model.
        hits: the number and kind of hits, for each kind.
        side: the side of its unit's block from which they come.
        by: the row of the unit that shot.
    """
    row, target, harm = own_row(g, mark), g.models.unit[mark], UNHARMED
    toughness = toughness_against_shots(g, row, g.models.line[mark])
    for number, hit in hits:
        wounds = roll_to_wound(g, row, number, hit, toughness)
        if g.recorder is not None:
            told = {"amount": number, "needed": wounds.needed, "rolls": wounds.shown, "result": wounds.number}
            g.note("wap.shoot.wound.roll", "to wound", unit=by, target=target, **told)
        if wounds.number:
            shot = hit._replace(nature=hit.nature | RANGED)
            harm = harm.and_then(harmed(g, row, wounds, shot, side, 0))
    lost = min(harm.lost, g.models.wounds[mark])
    if not lost or saves_again(g, row, harm, by):
        return
    g.note("wap.special.sniper.target", "wounds", unit=by, target=row, model=mark, amount=lost)
    strike_down(g, mark, lost, by)
