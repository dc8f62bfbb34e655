"""A scroll by which its bearer takes an enemy spell over: he chooses another target for it
(wap.item.arcane.scroll-of-the-hypnotic-eye).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, count_of, row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.rulesets.wap.basics.carried import item_at
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.commands.first_failures import TestWaits, ask_again, waits
from wh_env.rulesets.wap.magic.aiming import AimSpell
from wh_env.rulesets.wap.magic.casting import Cast, frame_of_cast
from wh_env.rulesets.wap.magic.models import within_reach
from wh_env.rulesets.wap.magic.naming import NameModel
from wh_env.rulesets.wap.magic.places import targets_at_spots, ways_for
from wh_env.rulesets.wap.magic.scrolls import Scroll
from wh_env.rulesets.wap.magic.sides import TAKEN, TakesTarget
from wh_env.rulesets.wap.magic.spells import AHEAD, AT_PLACES, Aim, Casting, Kind, Version
from wh_env.rulesets.wap.magic.targets import reached_with
from wh_env.rulesets.wap.morale.leadership import leadership_test


@dataclass(frozen=True)
class Sways(Scroll, TakesTarget):
    """The wizard who casts the spell takes a Leadership test; if he fails, the bearer chooses the target."""

    def act(self, g: BattleCore, k: int) -> None:
        super().act(g, k)
        caster = Cast.casting(g, frame_of_cast(g, g.frame)).caster
        if not leadership_test(g, caster, item_at(g, k).rule) and not waits(g, caster, SwayWaits, k):
            sway(g, k)


def sway(g: BattleCore, k: int) -> None:
    """A wizard has failed the test that the item of row ``k`` makes him take."""
    g.items.charge[k] = TAKEN
    spell = Cast.casting(g, frame_of_cast(g, g.frame)).spell
    g.note(item_at(g, k).rule, "takes a spell over", unit=g.items.unit[k], name=spell.name)
    g.push(Sway, k)


def has_sway(g: BattleCore, k: int) -> bool:
    """Whether the item of row ``k`` can take a spell over."""
    return any(isinstance(use, Sways) for use in item_at(g, k).uses)


class SwayWaits(TestWaits):
    """A wizard who may roll his test again, in a unit whose banner lets him."""

    advance = ask_again
    ITEM = integer(row_of("items"))

    def follows(self, g: BattleCore, unit: int, more: Sequence[int], passed: bool) -> None:
        if not passed:
            sway(g, more[0])

    def fits(self, g: BattleCore, f: int) -> bool:
        return frame_of_cast(g, f) >= 0 and has_sway(g, g.stack[f + SwayWaits.ITEM])


class Sway(Procedure):
    """The bearer of an item chooses the target of the spell that is being cast, in the version in which it was cast. If
    there is none, the spell has no effect.
    """

    class Step(Steps):
        TARGET, MODEL, PLACE, DONE = range(4)

    ITEM = integer(row_of("items"))
    TARGET = integer(count_of("units"))  # counted from 1; 0: not chosen
    MODEL = integer(count_of("models"))  # of the target, that alone is meant, counted from 1; 0: none
    PLACE = integer(amount())  # as in ``Cast``
    asks = ("sway-target",)

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether a spell is being cast that the item has taken over, and, if the player is asked, it has targets."""
        k, step = g.stack[f + Sway.ITEM], g.stack[f + STEP]
        if frame_of_cast(g, f) < 0 or not has_sway(g, k) or g.items.charge[k] != TAKEN:
            return False
        if step == Sway.Step.TARGET:
            return bool(f == g.frame and len(Sway.targets(g, f)) > 1)
        return bool(f != g.frame and g.stack[f + Sway.TARGET])

    def advance(self, g: BattleCore, f: int) -> int:
        stack, casting = g.stack, Sway.casting(g, f)
        step, spell = stack[f + STEP], casting.spell
        if spell.kind is Kind.VORTEX:  # it has no target, and is placed when it is resolved
            return g.pop()
        if step == Sway.Step.TARGET:
            found = Sway.targets(g, f)
            if len(found) > 1 and not Sway.version(casting).everyone:
                return g.ask(SwayTarget, g.units.owner[g.items.unit[stack[f + Sway.ITEM]]], casting.caster)
            Sway.turn_on(g, f, found[0] if found else -1)
            return GO
        if step == Sway.Step.MODEL:
            stack[f + STEP] = Sway.Step.PLACE
            Sway.name_model(g, f, casting)
        elif step == Sway.Step.PLACE:
            stack[f + STEP] = Sway.Step.DONE
            if spell.aim in AT_PLACES:
                over = stack[f + Sway.TARGET] if spell.aim is Aim.SPOT else 0
                g.push(AimSpell, casting.caster, casting.row, over, 1, Sway.PLACE, casting.version + 1)
        else:
            target, model, place = (stack[f + at] - 1 for at in (Sway.TARGET, Sway.MODEL, Sway.PLACE))
            Cast.turn_on(g, frame_of_cast(g, f), target, model, place)
            return g.pop()
        return GO

    @staticmethod
    def casting(g: BattleCore, f: int) -> Casting:
        """The spell that is being cast."""
        return Cast.casting(g, frame_of_cast(g, f))

    @staticmethod
    def version(casting: Casting) -> Version:
        """The version in which it was cast."""
        return casting.spell.versions[casting.version]

    @staticmethod
    def targets(g: BattleCore, f: int) -> list[int]:
        """The units that may be chosen; the unit of the wizard stands for a direction or a point. A spell on the wizard
        himself has no target that can be chosen, and his own unit is not before him.
        """
        casting = Sway.casting(g, f)
        wizard, spell, version = casting.caster, casting.spell, Sway.version(casting)
        own = block_of(g, wizard)
        if spell.aim is Aim.WAY:
            return [own] if any(True for _ in ways_for(g, wizard, (version,))) else []
        if spell.aim is Aim.POINT:
            return [own]
        if spell.aim is Aim.SPOT:
            return [unit for unit in targets_at_spots(g, wizard, (version,)) if unit != own]
        if spell.aim not in (Aim.ENEMY, Aim.FRIEND):
            return []
        return [
            unit
            for unit in reached_with(g, wizard, spell, version.range)
            if version.own in (None, unit == own) and not (unit == own and spell.kind in AHEAD)
        ]

    @staticmethod
    def turn_on(g: BattleCore, f: int, target: int) -> None:
        """A target was chosen; -1: there is none."""
        k, casting, stack = g.stack[f + Sway.ITEM], Sway.casting(g, f), g.stack
        if target < 0 or not (casting.spell.aim in (Aim.WAY, Aim.POINT) or Sway.version(casting).everyone):
            g.note(item_at(g, k).rule, "turns a spell", unit=casting.caster, target=target, name=casting.spell.name)
        if target < 0:
            Cast.fizzle(g, frame_of_cast(g, f))
            g.pop()
            return
        stack[f + Sway.TARGET], stack[f + STEP] = target + 1, Sway.Step.MODEL

    @staticmethod
    def name_model(g: BattleCore, f: int, casting: Casting) -> None:
        """If the spell is cast on a single model of the target, let the player name it if there are several."""
        if casting.spell.picks is None:
            return
        wizard, target = casting.caster, g.stack[f + Sway.TARGET] - 1
        models = within_reach(g, wizard, casting.spell, target, Sway.version(casting).range)
        if len(models) == 1:
            g.stack[f + Sway.MODEL] = models[0] + 1
        else:
            g.push(NameModel, wizard, casting.row, target, 1, Sway.MODEL, casting.version + 1)


class SwayTarget(DecisionKind):
    name = "sway-target"
    what = "On which unit an enemy spell that a scroll has taken over is turned."
    policy = "The one that costs the most points."
    keys = ("wap.item.arcane.scroll-of-the-hypnotic-eye",)

    @staticmethod
    def slots(g: BattleCore, f: int) -> dict[int, int]:
        """The actions, each with the row of its unit."""
        space, player = g.setup.space, g.units.owner[g.items.unit[g.stack[f + Sway.ITEM]]]
        first = (space.own - g.players.first_unit[player], space.enemy - g.players.first_unit[1 - player])
        return {first[g.units.owner[unit] != player] + unit: unit for unit in Sway.targets(g, f)}

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for action in SwayTarget.slots(g, f):
            mask[action] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        Sway.turn_on(g, f, SwayTarget.slots(g, f)[action])

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        slots = SwayTarget.slots(g, f)
        return max(slots, key=lambda action: (g.units.points[slots[action]], -action))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{Sway.casting(g, f).spell.name} on {g.default_words(action)}"
