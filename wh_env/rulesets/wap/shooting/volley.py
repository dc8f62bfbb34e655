"""The shots of one unit at one target: rolled to hit, allotted and resolved (wap.shoot.sequence)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.morale.panic_causes import NOBODY
from wh_env.rulesets.wap.shooting.aims import block_of, quarters_of_models
from wh_env.rulesets.wap.shooting.allotting import Struck, deal
from wh_env.rulesets.wap.shooting.hits import freeze, friends_hit, hit_of, roll_to_hit, side_shot, take_hits
from wh_env.rulesets.wap.shooting.shots import ANSWERS, firings, weapon_in
from wh_env.rulesets.wap.shooting.sniping import snipe
from wh_env.rulesets.wap.weapons.hit import Hit


def shoot(g: BattleCore, unit: int, target: int, way: int, when: int, mark: int = NOBODY, at: int = NOBODY) -> None:
    """A unit, or a character in one by himself, shoots at a target (wap.shoot.sequence, .hit.attacks-irrelevant,
    wap.charge.stand-shoot.resolve).

    Args:
        way: the way of shooting.
        when: the moment, such as ``IN_PHASE``.
        mark: the model that sniper shots are meant for, or ``NOBODY``.
        at: the character in the target who is aimed at, or ``NOBODY``.
    """
    weapon, groups = weapon_in(g, unit, way), firings(g, unit, target, way, when)
    block = block_of(g, unit)
    into_combat, side = engaged(g, target), side_shot(g, block, target)
    struck, astray = list[Struck](), dict[int, list[tuple[int, Hit]]]()
    rule = "wap.charge.stand-shoot.resolve" if when in ANSWERS else "wap.shoot.hit.roll"
    for line, needed, shots in groups:
        found, ones, shown = roll_to_hit(g, shots, needed)
        if g.recorder is not None:
            told = {"amount": shots, "needed": needed, "rolls": shown, "result": found}
            g.note(rule, "shoots", unit=unit, target=target, name=weapon.name, **told)
        hit = hit_of(g, line, weapon, target)
        if found:
            struck.append(Struck(line, found, hit))
        for friend, number in friends_hit(g, target, ones if into_combat else 0).items():
            astray.setdefault(friend, []).append((number, hit_of(g, line, weapon, friend)))
    if hits := [(part.number, part.hit) for part in struck]:
        freeze(g, target, hits)
        if mark == NOBODY:
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
