"""From shots to losses: rolls to hit, rolls to wound, saves and removed models (wap.shoot.sequence, .wound.roll,
.wound.natural, .unusual, .hit.automatic).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount
from wh_env.core.procedures import integer
from wh_env.rulesets.wap.basics.changed_dice import rerolls_under_effects, wounding_under_effects
from wh_env.rulesets.wap.basics.combined_unit import units_beside
from wh_env.rulesets.wap.basics.contacts import block_of, foes_of
from wh_env.rulesets.wap.basics.dice import chosen_at_random
from wh_env.rulesets.wap.basics.dice_changes import WOUND
from wh_env.rulesets.wap.basics.ground import features_of
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.basics.profiles import bounded, characteristic
from wh_env.rulesets.wap.basics.rerolls import NONE, Rerolls, rolled
from wh_env.rulesets.wap.basics.special_rules import line_has
from wh_env.rulesets.wap.casualties.casualties import Casualties, suffer_together
from wh_env.rulesets.wap.casualties.harm import UNHARMED, Harm, Wounds, harmed, roll_to_wound, wounds_by_score
from wh_env.rulesets.wap.casualties.losses import is_asked, losses_of, wounds_of
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.casualties.second_saves import SaveAgain, ask_about_save, may_save_again
from wh_env.rulesets.wap.codes import FRONT, REAR
from wh_env.rulesets.wap.morale.panic_causes import NOBODY, blame, unit_behind
from wh_env.rulesets.wap.rule_book import IGNORES_ARMOUR_SAVES
from wh_env.rulesets.wap.shooting.aims import quarters_of_models
from wh_env.rulesets.wap.shooting.firing_points import engine_of
from wh_env.rulesets.wap.shooting.shots import FACES, IMPOSSIBLE, SECOND
from wh_env.rulesets.wap.troops.war_machines import toughness_against_shots
from wh_env.rulesets.wap.weapons.arms import Weapon
from wh_env.rulesets.wap.weapons.blows import POISON, is_poisoned, nature_of, takes_of
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC, DIRECT, ENGINE, FLAMING, FROM_AFAR, ICE, RANGED, Hit
from wh_env.rulesets.wap.weapons.machines import is_of_machine
from wh_env.rulesets.wap.weapons.saves import points_against, points_of, save_of

Hits = dict[int, list[tuple[int, Hit]]]  # by unit row, the number and kind of hits that it takes
STRADDLES = 4  # a unit equally in two quarters shoots at the rearmost of them on a die of this or more


def shared(values: Iterable[int]) -> int:
    """The value that counts for a unit whose models differ: that of most models; of equally frequent values the
    average, rounded up (wap.shoot.wound.mixed-unit).
    """
    found = Counter(values)
    most = [value for value in found if found[value] == max(found.values())]
    return -(-sum(most) // len(most))


def toughness_of(g: BattleCore, target: int) -> int:
    """The Toughness of unit ``target`` against shots; of rider and mount the higher counts, of a war machine, and of a
    character who serves it, that of the machine.
    """
    lines = [g.models.line[k] for k in g.members(target)]
    known = {line: toughness_against_shots(g, target, line) for line in set(lines)}
    return shared(known[line] for line in lines)


def as_shot(hit: Hit) -> Hit:
    """A hit from afar as shooting attacks make it, unless it is direct damage (wap.shoot.what-is)."""
    return hit if hit.nature & DIRECT else hit._replace(nature=hit.nature | RANGED)


def points_against_shots(g: BattleCore, target: int, hit: Hit, side: int) -> int:
    """The points of armour of a unit against shots from one side, up to those of the best possible save."""
    return points_of(save_of(points_against(g, target, as_shot(hit), side)))


def hit_of(g: BattleCore, line: int, weapon: Weapon, target: int) -> Hit:
    """The hit of a missile weapon fired by a model of profile ``line``; it has the weapon's own Strength if there is
    one (wap.shoot.wound.roll).
    """
    return Hit(
        bounded(weapon.strength_of(characteristic(g, line, "s"))),
        weapon.piercing,
        weapon.ignores_armour or line_has(g, line, IGNORES_ARMOUR_SAVES),
        POISON * is_poisoned(g, line, weapon, target) + wounding_under_effects(g, line),
        takes_of(g, line, weapon, ranged=True),
        nature_of(g, line, weapon, ranged=True) | ENGINE * is_of_machine(g, g.lines.unit[line], weapon),
        rerolls_under_effects(g, g.lines.unit[line], WOUND),
    )


def roll_to_hit(
    g: BattleCore, shots: int, needed: int, rerolls: Rerolls = NONE
) -> tuple[int, int, tuple[int, ...]]:  # fmt: skip
    """Roll to hit with ``shots`` shots. Returns the number of hits, the number of natural 1s, and the dice shown.

    A 1 always misses (wap.shoot.hit.one-misses). If more than 6 is needed, each 6 rolls a second die
    (wap.shoot.hit.seven-plus). ``rerolls`` are those of both dice.
    """
    if needed >= IMPOSSIBLE:
        return 0, 0, ()
    dice = tuple(rolled(g, shots, min(needed, FACES), rerolls))
    ones = dice.count(1)
    if needed <= FACES:
        return sum(die > 1 and die >= needed for die in dice), ones, dice
    second = tuple(rolled(g, dice.count(FACES), SECOND[needed], rerolls))
    return sum(die >= SECOND[needed] for die in second), ones, dice + second


def side_shot(g: BattleCore, unit: int, target: int) -> int:
    """The side of the target that a unit shoots at: the quarter in which most of its models stand. If two are equal, a
    die decides (wap.shoot.side, .side.straddle).
    """
    stands = quarters_of_models(g, unit, target)
    most = max(stands.values())
    found = sorted((side for side in stands if stands[side] == most), key=lambda side: (side != FRONT) + (side == REAR))
    if len(found) == 1:
        return found[0]
    return found[-1] if g.d6() >= STRADDLES else found[0]


def wounds_from(g: BattleCore, target: int, hits: int, hit: Hit, by: int = NOBODY) -> Wounds:
    """Roll to wound with ``hits`` hits: a 1 never wounds, a 6 always does (wap.shoot.wound.natural). ``by``: the source
    of the hits, for the event, as for ``lose``.
    """
    if hit.needs:
        wounds = wounds_by_score(g, target, hits, hit)
    else:
        wounds = roll_to_wound(g, target, hits, hit, toughness_of(g, target))
    if g.recorder is not None and hits:
        told = {"amount": hits, "needed": wounds.needed, "rolls": wounds.shown, "result": wounds.number}
        g.note("wap.shoot.wound.roll", "to wound", unit=unit_behind(g, by), target=target, **told)
    return wounds


def take_hits(g: BattleCore, target: int, hits: list[tuple[int, Hit]], side: int, by: int) -> int:
    """A unit takes hits that are not close combat blows, all at once: rolls to wound, saves and losses
    (wap.shoot.unusual, .hit.automatic, wap.armour.shield.infantry-front). Returns how many models fall.

    Args:
        hits: the number and kind of hits, for each kind.
        side: the side of the target's block from which they come.
        by: the source of the hits, as for ``lose``.
    """
    harm = UNHARMED
    for wounds, hit in [(wounds_from(g, target, number, hit, by), hit) for number, hit in hits]:
        harm = harm.and_then(harm_to(g, target, wounds, hit, side, harm.lost))
    fallen = losses_of(g, target, harm.lost) if harm.lost else 0
    lose(g, target, harm, by)
    return fallen


def harm_to(g: BattleCore, target: int, wounds: Wounds, hit: Hit, side: int, before: int) -> Harm:
    """What rolled wounds of a shot cost a unit after its saves.

    Args:
        side: of the target's block from which they come. before: Wounds that it loses at the same moment and has not
            suffered yet.
    """
    if not wounds.number:
        return UNHARMED
    shot = as_shot(hit)
    harm = harmed(g, target, wounds, shot, side, before, points=points_against_shots(g, target, hit, side))
    g.units.scorched[block_of(g, target)] |= bool(harm.lost and hit.nature & FLAMING)
    return harm


class SaveFromHits(SaveAgain):
    """A unit may roll a save again against hits that are no blows."""

    advance = ask_about_save
    BY = integer(amount())  # the unit that dealt them, or the ground, counted from 1; 0: none

    def goes_on(self, g: BattleCore, unit: int, harm: Harm, f: int) -> None:
        by = g.stack[f + SaveFromHits.BY] - 1
        (lose_to_ground if is_harmful(g, by) else lose)(g, unit, harm, by)


def saves_again(g: BattleCore, target: int, harm: Harm, by: int) -> bool:
    """Whether the player of a unit is asked whether it rolls a save again; then he suffers what is left after that."""
    if not may_save_again(g, target, harm):
        return False
    g.push(SaveFromHits, target, harm.lost, harm.unsaved, *harm.failed, by + 1)
    return True


def lose(g: BattleCore, target: int, harm: Harm, by: int) -> None:
    """A unit suffers Wounds of shots, at most those that it has. ``by``: the unit that shot, the ground that has dealt
    the hits (``panic_causes.ground_source``), or ``NOBODY``.
    """
    lost, shooter = min(wounds_of(g, target), harm.lost), unit_behind(g, by)
    if not lost or saves_again(g, target, harm, by):
        return
    g.note("wap.shoot.sequence", "wounds", unit=shooter, target=target, amount=lost)
    if by != shooter:
        blame(g, target, by, losses_of(g, target, lost))
    if is_asked(g, target, lost):
        g.push(Casualties, target, lost, shooter + 1)
    else:
        suffer(g, target, lost, by=shooter)


def is_harmful(g: BattleCore, source: int) -> bool:
    """Whether a source of losses is ground that harms who stands in it, or asks riddles."""
    if source < len(g.units.owner):
        return False
    traits = features_of(g)[source - len(g.units.owner)].traits
    return traits.harm is not None or traits.riddles > 0.0


def lose_to_ground(g: BattleCore, target: int, harm: Harm, source: int) -> None:
    """A unit suffers Wounds of a terrain feature, at most those that it has. ``source``: as of
    ``panic_causes.ground_source``.
    """
    lost = min(wounds_of(g, target), harm.lost)
    if not lost or saves_again(g, target, harm, source):
        return
    harms = features_of(g)[source - len(g.units.owner)].traits.harm
    rule = "wap.building.arcane.sphinx" if harms is None else harms.rule
    g.note(rule, "is hurt by the ground", unit=target, amount=lost)
    blame(g, target, source, losses_of(g, target, lost))
    suffer_together(g, {target: lost})


def freeze(g: BattleCore, target: int, hits: list[tuple[int, Hit]]) -> None:
    """If any of the hits on a unit is of ice, mark the unit and the characters in it as chilled: they strike last until
    the next turn of the player who shot begins (wap.special.ice-attacks.ranged).
    """
    if any(number and hit.nature & ICE for number, hit in hits):
        chill(g, target)


def chill(g: BattleCore, target: int) -> None:
    """Ice affects a unit and the characters in it."""
    for row in units_beside(g, target):
        if not g.units.chilled[row]:
            g.units.chilled[row] = 1
            g.note("wap.special.ice-attacks.ranged", "freezes", unit=row)


def friends_hit(g: BattleCore, target: int, ones: int) -> dict[int, int]:
    """The friendly units in combat with the target that are hit by the shots that rolled a 1, each chosen at random,
    and how many hits each takes (wap.shoot.into-combat.ones).
    """
    friends, found = foes_of(g, target), dict[int, int]()
    for _ in range(ones if friends else 0):
        friend = friends[chosen_at_random(g, len(friends)) if len(friends) > 1 else 0]
        found[friend] = found.get(friend, 0) + 1
    return found


# ---------------------------------------------------------------- templates


def hit_of_machine(g: BattleCore, unit: int, target: int) -> Hit:
    """An automatic hit of a war machine's template on a unit: Strength, Wounds and rules of the weapon
    (wap.machine.cannon.profile, wap.machine.stone-thrower.profile, wap.machine.fire-thrower.profile).
    """
    hit = hit_of(g, g.units.first_line[unit], engine_of(g, unit).weapon, target)
    return hit._replace(nature=hit.nature | AUTOMATIC | FROM_AFAR["template weapon"])


def deal_hits(g: BattleCore, unit: int, struck: Hits) -> None:
    """Units take the hits of a template of ``unit``, characters in units last."""
    by = block_of(g, unit)
    sides = {target: side_shot(g, unit, block_of(g, target)) for target in struck}
    for target in sorted(struck, key=lambda row: (host_of(g, row) >= 0, row)):
        freeze(g, target, struck[target])
        take_hits(g, target, struck[target], sides[target], by)
