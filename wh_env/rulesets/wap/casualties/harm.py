"""From hits to losses, for blows and shots alike: rolls to wound, saves, the Wounds that each unsaved wound takes,
killing blows.
"""

from __future__ import annotations

from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.auras import wounding_near
from wh_env.rulesets.wap.basics.carried import show_givers
from wh_env.rulesets.wap.basics.changed_dice import wound_rerolls_against
from wh_env.rulesets.wap.basics.charms import hits_that_land
from wh_env.rulesets.wap.basics.dice import FACES, rolled_number
from wh_env.rulesets.wap.basics.immunity import catches_fire, ignores
from wh_env.rulesets.wap.basics.many_dice import throw
from wh_env.rulesets.wap.basics.needed import to_wound
from wh_env.rulesets.wap.basics.profiles import characteristic, wounds_each
from wh_env.rulesets.wap.basics.rerolls import Rerolls
from wh_env.rulesets.wap.casualties.losses import order_of_loss
from wh_env.rulesets.wap.codes import TROOP_TYPES
from wh_env.rulesets.wap.rule_book import IMMUNITY, KILLING_BLOW
from wh_env.rulesets.wap.weapons.arms import NO_SAVE
from wh_env.rulesets.wap.weapons.blows import Blow
from wh_env.rulesets.wap.weapons.hit import FLAMING, HEROIC, MORTAL, ONE, SLAYING, Hit, Number
from wh_env.rulesets.wap.weapons.saves import ENERGIES, WORST_DIE, Saved, is_harmless, roll_saves

SLAIN = tuple(map(TROOP_TYPES.index, ("infantry", "cavalry", "war beast")))  # by a killing blow
UNLIMITED = 99  # Wounds of one blow in a duel
SWARM = TROOP_TYPES.index("swarm")


class Failed(NamedTuple):
    """A failed save that could be rolled again: the scores that its armour save and its ward save need, more than 6:
    that one cannot; and the Wounds that are not lost if it is passed.
    """

    armour: int = NO_SAVE
    ward: int = NO_SAVE
    wounds: int = 0

    @property
    def may(self) -> bool:
        """Whether either of them can be rolled again."""
        return min(self.armour, self.ward) <= WORST_DIE

    @property
    def worth(self) -> int:
        """A number that grows with the Wounds and with the chance to pass."""
        return self.wounds * max(0, NO_SAVE - min(self.armour, self.ward))


class Harm(NamedTuple):
    """What wounds cost a unit: the Wounds that it would lose, even if that is more than it has, and the wounds not
    saved. ``failed``: the save among them that is worth most to roll again.
    """

    lost: int
    unsaved: int
    failed: Failed = Failed()

    def and_then(self, other: Harm) -> Harm:
        """Both together."""
        worst = max(self.failed, other.failed, key=lambda failed: failed.worth)
        return Harm(self.lost + other.lost, self.unsaved + other.unsaved, worst)


UNHARMED = Harm(0, 0)


class Wounds(NamedTuple):
    """The result of rolls to wound: the number of wounds, those of killing blows among them (``mortal``), the roll
    needed, the dice.
    """

    number: int
    mortal: int
    needed: int
    shown: tuple[int, ...]


def wound_rerolls(g: BattleCore, target: int, hit: Hit | Blow) -> Rerolls:
    """The dice to wound that are rolled again: those that the hit says, those that effects on the unit say, and all
    failures of flaming hits on a Flammable unit (wap.special.flammable).
    """
    found = hit.wound_rerolls + wound_rerolls_against(g, target)
    return Rerolls(failed=1) + found if hit.nature & FLAMING and catches_fire(g, target) else found


def hits_that_hurt(g: BattleCore, target: int, hits: int, hit: Hit | Blow) -> int:
    """How many of these hits on a unit are rolled to wound: none of those that do it no harm, of others those that no
    charm stops.
    """
    if hits and is_harmless(g, target, hit.nature):
        show_givers(g, target, IMMUNITY, *(rule.name for _, rule in ENERGIES))
        g.note("wap.special.immunity", "is not harmed", unit=target)
        return 0
    return hits_that_land(g, target, hits)


def roll_to_wound(g: BattleCore, target: int, hits: int, hit: Hit | Blow, toughness: int) -> Wounds:
    """Roll to wound a unit of Toughness ``toughness``, with the hits that it suffers."""
    hits = hits_that_hurt(g, target, hits, hit)
    needed = to_wound(hit.strength, toughness) - hit.wounding - wounding_near(g, target)
    return rolled_wounds(g, target, hits, hit, min(needed, hit.at_worst) if hit.at_worst else needed)


def rolled_wounds(g: BattleCore, target: int, hits: int, hit: Hit | Blow, needed: int) -> Wounds:
    """Roll to wound, ``needed`` or more; 6s of a killing blow are counted apart (wap.special.killing-blow)."""
    number, shown = throw(g, hits, needed, wound_rerolls(g, target, hit))
    mortal = 0
    if hits and may_slay(g, target, hit.nature):
        mortal = int((g.work.strikes.dice[:hits] == FACES).sum())
    return Wounds(number, mortal, needed, shown)


def wounds_by_score(g: BattleCore, target: int, hits: int, hit: Hit) -> Wounds:
    """Roll to wound with hits that wound on a score of their own, which nothing changes; one above 6 wounds nobody."""
    hits = hits_that_hurt(g, target, hits, hit)
    return rolled_wounds(g, target, hits, hit, hit.needs) if hit.needs <= FACES else Wounds(0, 0, hit.needs, ())


def may_slay(g: BattleCore, target: int, nature: int) -> bool:
    """Whether hits on a unit can be killing blows: not on models that are immune to these (wap.special.immunity)."""
    return bool(nature & SLAYING) and not ignores(g, target, KILLING_BLOW)


def is_slain(g: BattleCore, target: int, nature: int) -> bool:
    """Whether a killing blow slays the models of a unit (wap.special.killing-blow.types, .heroic)."""
    kind = g.units.kind[target]
    return bool(nature & HEROIC and kind != SWARM) or kind in SLAIN


def wounds_taken(g: BattleCore, target: int, unsaved_ones: int, takes: Number, *, duel: bool = False) -> list[int]:
    """The Wounds that each of so many unsaved wounds takes: a roll of ``takes``, at most the Wounds of a model unless
    in a duel (wap.shoot.multi-damage, .multi-wound, wap.special.multiple-wounds, .dice).
    """
    if takes == ONE:
        return [1] * unsaved_ones
    most = UNLIMITED if duel else most_wounds(g, target)
    return [min(most, rolled_number(g, takes)) for _ in range(unsaved_ones)]


def most_wounds(g: BattleCore, target: int) -> int:
    """The most Wounds that a hit takes of a unit: those of an unhurt model."""
    return int(max(wounds_each(g, target), characteristic(g, g.units.first_line[target], "w")))


def wounds_of_slain(g: BattleCore, target: int, slain: int, before: int) -> int:
    """The Wounds left on the next ``slain`` models that fall after a unit has lost ``before`` Wounds
    (wap.special.killing-blow.result).
    """
    found = 0
    for k in order_of_loss(g, target):
        left = g.models.wounds[k]
        gone = min(before, left)
        before -= gone
        if left > gone and slain:
            found += left - gone
            slain -= 1
    return found


def harmed(
    g: BattleCore,
    target: int,
    wounds: Wounds,
    hit: Hit,
    side: int,
    before: int,
    *,
    points: int | None = None,
    duel: bool = False,
) -> Harm:
    """Roll the saves of a unit, killing blows first, and the Wounds that each unsaved wound takes. A killing blow that
    does not slay is an ordinary wound, which Multiple Wounds multiply (wap.special.killing-blow.types,
    wap.special.general.cumulative).

    Args:
        side: of the unit's block from which the wounds come. before: Wounds that it loses at the same moment and has
            not suffered yet.
        points: of armour; None: those of the unit's own models.
        duel: all Wounds count, however many the model has left (wap.challenge.overkill.counting).
    """
    found = UNHARMED
    if wounds.mortal:
        mortal = hit._replace(nature=hit.nature | MORTAL)
        saved = roll_saves(g, target, wounds.mortal, mortal, side, points=0)
        if not is_slain(g, target, hit.nature):
            found = harm_by(g, target, saved, hit.takes, duel=duel)
        elif duel:
            each = max(1, g.models.wounds[g.units.first[target]])
            found = Harm(each * saved.left, saved.left, Failed(saved.armour, saved.ward, each))
        else:
            lost = wounds_of_slain(g, target, saved.left, before)
            found = Harm(lost, saved.left, Failed(saved.armour, saved.ward, lost if saved.left == 1 else 0))
        if g.recorder is not None:
            told = {"unit": target, "amount": wounds.mortal, "result": found.lost}
            g.note("wap.special.killing-blow", "killing blows", **told)
    ordinary = wounds.number - wounds.mortal
    if ordinary:
        saved = roll_saves(g, target, ordinary, hit, side, points=points)
        found = found.and_then(harm_by(g, target, saved, hit.takes, duel=duel))
    return found


def harm_by(g: BattleCore, target: int, saved: Saved, takes: Number, *, duel: bool = False) -> Harm:
    """What unsaved wounds cost, each of which takes a roll of ``takes``; see ``wounds_taken``."""
    each = wounds_taken(g, target, saved.left, takes, duel=duel)
    return Harm(sum(each), saved.left, Failed(saved.armour, saved.ward, each[-1] if each else 0))
