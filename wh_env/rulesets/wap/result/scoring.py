"""The result of a round of close combat: describe the combat to the scorer and write its answer to the state
(wap.result.*).

It is worked out when all models have struck (wap.result.when), from the units after casualties are removed
(wap.result.state). Wounds are those that were tallied, so wounds caused by friends count for neither side
(wap.result.wounds, .wounds.friendly).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.changed_units import result_under_effects
from wh_env.rulesets.wap.basics.combined_unit import bearers_within, has
from wh_env.rulesets.wap.basics.contacts import foes_of, side_towards, wounds_by
from wh_env.rulesets.wap.basics.effects import effects_of
from wh_env.rulesets.wap.basics.garrisons import is_inside, opponent_in_assault
from wh_env.rulesets.wap.basics.ground import with_trait
from wh_env.rulesets.wap.basics.sight import within
from wh_env.rulesets.wap.basics.special_rules import is_kept, lose, lose_gained
from wh_env.rulesets.wap.basics.standing import height_of_most
from wh_env.rulesets.wap.basics.strength import rank_bonus, unit_strength
from wh_env.rulesets.wap.codes import FRONT, HELD, MUSICIAN, SKIRMISH, STANDARD
from wh_env.rulesets.wap.morale.army_leaders import has_battle_standard
from wh_env.rulesets.wap.result.scores import NOBODY, Blows, Combat, Fighter, Limits, Result, resolve
from wh_env.rulesets.wap.rule_book import FRENZY, SKIRMISHERS
from wh_env.rulesets.wap.special.psychology import (
    fears_fire,
    fearsome_strength,
    frightened_by,
    heeds_scarecrows,
    is_stubborn,
)
from wh_env.rulesets.wap.troops.war_machines import is_machine
from wh_env.rulesets.wap.weapons.charged import scores_by_charge

NO_MAGIC: Mapping[int, int] = MappingProxyType({})
OUTCOMES = ("none", "won", "drew", "lost")


def leads(g: BattleCore, unit: int, role: int, *, front_rank: bool = False) -> bool:
    """Whether the unit has a model with a role; ``front_rank``: in its front rank."""
    m = g.models
    return any(m.role[k] == role and not (front_rank and m.rank[k] != 0) for k in g.members(unit))


def fighter(g: BattleCore, unit: int, magic: int = 0) -> Fighter:
    """A unit as the scorer reads it. ``magic``: what its magic banners add."""
    u = g.units
    side, wounds = u.owner[unit], u.dealt[unit]
    if u.alive[unit] == 0:
        return Fighter(unit, side, 0, wounds, gone=True, overkill=u.overkill[unit])
    if opponent_in_assault(g, unit) >= 0:
        return fighter_in_assault(g, unit)
    least = u.full_rank[unit]
    return Fighter(
        unit,
        side,
        unit_strength(g, unit),
        wounds,
        ranks=rank_bonus(g, unit),
        ranked=0 < least <= min(u.files[unit], u.block[unit]),
        charged=scores_by_charge(g, unit),
        standard=leads(g, unit, STANDARD) + has_battle_standard(g, unit) + magic,
        musician=leads(g, unit, MUSICIAN, front_rank=True),
        feared=feared_strength(g, unit),
        stubborn=is_stubborn(g, unit),
        overkill=u.overkill[unit],
        height=height_of(g, unit) if with_trait(g, "lifts") else 0,
        skirmishes=u.shape[unit] == SKIRMISH or has(g, unit, SKIRMISHERS),
    )


def feared_strength(g: BattleCore, unit: int) -> int:
    """Unit Strength of the models of a unit that cause Fear, also that in some enemies alone."""
    foes = foes_of(g, unit)
    wings = any(heeds_scarecrows(g, foe, unit) for foe in foes)
    return fearsome_strength(g, unit, fire=any(fears_fire(g, foe) for foe in foes), wings=wings)


def arc_at(g: BattleCore, unit: int, foe: int) -> int:
    """The side of an enemy at which a unit stands; a war machine has no flanks and no rear
    (wap.machine.combat.no-flank).
    """
    return FRONT if is_machine(g, foe) else side_towards(g, foe, unit)


def frightens(g: BattleCore, unit: int, foe: int) -> bool:
    """Whether fear of a unit counts against an enemy in the result: not in an assault."""
    return opponent_in_assault(g, unit) < 0 and frightened_by(g, foe, unit)


def fighter_in_assault(g: BattleCore, unit: int) -> Fighter:
    """A unit that assaults a building or is assaulted in one, as the scorer reads it: only Wounds count, and musicians
    in a draw; a garrison is always steadfast (wap.building.assault.result, .defender-loses).
    """
    u = g.units
    return Fighter(
        unit,
        u.owner[unit],
        0,
        u.dealt[unit],
        musician=leads(g, unit, MUSICIAN, front_rank=True),
        stubborn=is_inside(g, unit),
        overkill=u.overkill[unit],
    )


def height_of(g: BattleCore, unit: int) -> int:
    """Height of most models of a unit's front rank, or that at which it began the turn in which it has charged
    (wap.result.high-ground, .charge-down, wap.terrain.hill.charge-bonus).
    """
    now = height_of_most(g, [k for k in within(g, unit) if g.models.rank[k] == 0])
    return max(now, g.units.high[unit]) if g.units.charging[unit] else now


def describe(g: BattleCore, magic: Mapping[int, int] = NO_MAGIC) -> Combat:
    """The combat that is being fought, as the scorer reads it. ``magic``: what magic banners add, by unit."""
    rules = g.setup.rules
    members = [unit for unit in range(len(g.units.owner)) if g.units.fighting[unit]]
    blows = [
        Blows(unit, foe, arc_at(g, unit, foe), wounds_by(g, unit, foe), frightens(g, unit, foe))
        for unit in members
        for foe in foes_of(g, unit)
    ]
    limits = Limits(rules["attack_strength"], rules["disorganising_strength"], rules["steadfast_strength"])
    return Combat([fighter(g, unit, magic.get(unit, 0)) for unit in members], blows, limits)


def roll_for_banners(g: BattleCore) -> dict[int, int]:
    """What the magic banners of the units of the combat add to its result, each rolled once in a round; not in an
    assault, where only Wounds count, and not for units that have no enemy left (wap.item.banner.battle-banner,
    wap.multi.no-enemy-left).
    """
    if not effects_of(g):
        return {}
    u = g.units
    flown = [
        unit
        for unit in range(len(u.owner))
        if u.fighting[unit] and u.alive[unit] and opponent_in_assault(g, unit) < 0 and foes_of(g, unit)
    ]
    return {unit: result_under_effects(g, unit) for unit in flown}


def score_combat(g: BattleCore) -> None:
    """Work out the result of the combat that is being fought and write ``outcome``, ``penalty`` and ``steadfast`` of
    its units. A beaten unit loses its frenzy (wap.special.frenzy.loss).
    """
    combat = describe(g, roll_for_banners(g))
    result, u = resolve(combat), g.units
    for unit, standing in result.units.items():
        u.outcome[unit], u.penalty[unit] = standing.outcome, standing.penalty
        u.steadfast[unit] = standing.steadfast
    if g.recorder is not None:
        tell(g, combat, result)
    for unit, standing in result.units.items():
        if standing.outcome == HELD:
            calm_down(g, unit)


def calm_down(g: BattleCore, unit: int) -> None:
    """Take Frenzy from the models of a beaten unit and from characters in it: the rule of their card and the one that
    they have gained (wap.special.frenzy.loss), unless they can never lose it.
    """
    for row in bearers_within(g, unit, FRENZY):
        if is_kept(g, row, FRENZY):
            continue
        lose(g, row, FRENZY)
        lose_gained(g, row, FRENZY)
        g.note("wap.special.frenzy.loss", "loses its frenzy", unit=row)


def tell(g: BattleCore, combat: Combat, result: Result) -> None:
    """Note the events of the result: every unit with the values behind its score, both sides, and the winner."""
    for row in combat.fighters:
        standing = result.units[row.unit]
        blows = [b for b in combat.blows if b.unit == row.unit]
        g.note(
            "wap.result.state",
            "as it stands",
            unit=row.unit,
            strength=row.strength,
            wounds=row.wounds,
            ranks=row.ranks,
            charge=int(row.charged),
            standards=int(row.standard),
            musician=int(row.musician),
            fear=row.feared,
            disorganised=standing.disorganised,
            steadfast=standing.steadfast,
            own=standing.own,
            against=standing.against,
            penalty=standing.penalty,
            outcome=OUTCOMES[standing.outcome],
            targets=tuple(b.foe for b in blows),
            sides=tuple(b.side for b in blows),
            amount=tuple(b.wounds for b in blows),
        )
    for player, parts in enumerate(result.sides):
        g.note("wap.result.sum", "scores", player=player, totals=parts.total, **parts._asdict())
    if result.annihilated:
        rule = "wap.result.annihilation"
    elif any(parts.musician for parts in result.sides):
        rule = "wap.command.musician.tie"
    else:
        rule = "wap.result.draw" if result.winner == NOBODY else "wap.result.winner"
    totals = tuple(parts.total for parts in result.sides)
    g.note(rule, "result", winner=result.winner, totals=totals, amount=result.difference)
