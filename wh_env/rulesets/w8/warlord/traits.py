"""Nominating a Warlord, determining its Trait, and the effects of Traits (w8.warlord.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_plus_one
from wh_env.core.geometry.shapes import EPS, straight_distance
from wh_env.core.procedures import STEP, ChooseUnit, DecisionKind, OfPlayer, Steps, integer
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.w8.warlord.state import Trait, by_lists, has_trait, warlord
from wh_env.rulesets.w40k.attack.abilities import Power
from wh_env.rulesets.w40k.attack.granting import MADE
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.questions.strength import living

CHARACTER = int(Keyword.CHARACTER)
INSPIRES = 6.0  # inches (w8.warlord.inspiring-leader)
SURVIVES = 6  # the lowest die that saves a wound (w8.warlord.tenacious-survivor)
TITLES = {
    Trait.LEGENDARY_FIGHTER: "Legendary Fighter",
    Trait.INSPIRING_LEADER: "Inspiring Leader",
    Trait.TENACIOUS_SURVIVOR: "Tenacious Survivor",
}
MORE_ATTACKS = MADE + "Attacks"
CHOOSE = "choose"  # ``rules["warlords"]``: players nominate; else army lists do


class Nominate(OfPlayer):
    """The player nominates a model as Warlord (w8.warlord.nominate). If army lists do it, the listed model is
    nominated.
    """

    class Step(Steps):
        BEGIN, MODEL, END = range(3)

    UNIT = integer(row_plus_one("units"))
    asks = ("nominate-unit", "nominate-model")

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack = Nominate.Step, g.stack
        player, step = stack[f + Nominate.PLAYER], stack[f + STEP]
        stack[f + STEP] = step + 1
        if step == Step.BEGIN:
            if g.setup.rules["warlords"] != CHOOSE:
                named = by_lists(g, player)
                if named >= 0:
                    nominate(g, player, named)
                return g.pop()
            return g.ask(NominateUnit, player)
        if step == Step.MODEL:
            return g.ask(NominateModel, player, stack[f + Nominate.UNIT] - 1)
        return g.pop()


def nominate(g: BattleCore, player: int, model: int) -> None:
    """The model becomes the player's Warlord."""
    g.warlords.model[player] = model + 1
    g.note("w8.warlord.nominate", "Warlord", player=player, model=model)


class NominateUnit(ChooseUnit):
    name = "nominate-unit"
    what = "Which unit the Warlord of the army is a model of."
    keys = ("w8.warlord.nominate",)

    def may(self, g: BattleCore, unit: int) -> bool:
        return g.units.place[unit] != DESTROYED

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.stack[f + Nominate.UNIT] = unit + 1


class NominateModel(DecisionKind):
    name = "nominate-model"
    what = "Which model of that unit is the Warlord."
    policy = "The first one (who leads a unit comes first)."
    keys = ("w8.warlord.nominate",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot, _ in enumerate(living(g, g.stack[f + Nominate.UNIT] - 1)):
            mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        members = list(living(g, g.stack[f + Nominate.UNIT] - 1))
        nominate(g, g.stack[f + Nominate.PLAYER], members[action - g.setup.space.model])

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.model


class DetermineTrait(OfPlayer):
    """The Trait of a Warlord that is a CHARACTER is rolled or chosen (w8.warlord.trait, .determine)."""

    class Step(Steps):
        BEGIN, END = range(2)

    asks = ("warlord-trait",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + DetermineTrait.PLAYER]
        model = warlord(g, player)
        done = g.stack[f + STEP] == DetermineTrait.Step.END
        if done or model < 0 or not g.models.keywords[model] & CHARACTER:
            return g.pop()
        g.stack[f + STEP] = DetermineTrait.Step.END
        return g.ask(WarlordTrait, player, g.models.unit[model])


class WarlordTrait(DecisionKind):
    name = "warlord-trait"
    what = "The Warlord's Trait: roll a D3 for it (option 0), or one of the three."
    policy = "Roll for it."
    keys = ("w8.warlord.trait", "w8.warlord.trait.determine", "w8.warlord.trait.table")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for number in range(1 + len(Trait)):
            mask[g.setup.space.option + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player, chosen = g.stack[f + DetermineTrait.PLAYER], action - g.setup.space.option
        trait = Trait(chosen or g.roll(1, 3))
        g.warlords.trait[player] = trait
        if trait == Trait.TENACIOUS_SURVIVOR:
            survive(g, warlord(g, player))
        g.note("w8.warlord.trait.determine", "Warlord Trait", player=player, name=TITLES[trait])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        chosen = action - g.setup.space.option
        return TITLES[Trait(chosen)] if chosen else "roll a D3 for the Warlord Trait"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.option


def survive(g: BattleCore, model: int) -> None:
    """The model rolls a die for each wound that it would lose, in addition to an ability of its own
    (w8.warlord.tenacious-survivor, .stacking).
    """
    g.models.feel_no_pain2[model] = SURVIVES


def inspired(g: BattleCore, unit: int) -> int:
    """1 if a Warlord near the unit adds to its Leadership, else 0 (w8.warlord.inspiring-leader). Embarked units neither
    inspire nor are inspired (w8.transport.embarked.aura, .inactive).
    """
    player = g.units.owner[unit]
    if g.units.place[unit] != ON_TABLE or not has_trait(g, player, Trait.INSPIRING_LEADER):
        return 0
    leader = warlord(g, player)
    return int(
        any(k == leader or straight_distance(g.models.rows, leader, k) <= INSPIRES + EPS for k in g.members(unit))
    )


def fights_on(g: BattleCore, player: int) -> bool:
    """Whether the Warlord of the player charged this turn and makes one more attack for that
    (w8.warlord.legendary-fighter).
    """
    if not has_trait(g, player, Trait.LEGENDARY_FIGHTER):
        return False
    return bool(g.units.charged[g.models.unit[warlord(g, player)]])


def modifiers(g: BattleCore, unit: int, hook: str) -> list[Power]:
    """The additional attack that the Warlord's Trait gives it, as an ability in force; other models of its unit get
    none.
    """
    player = g.units.owner[unit]
    if hook != "made" or not fights_on(g, player) or g.models.unit[warlord(g, player)] != unit:
        return []
    leader = (warlord(g, player),)
    return [Power(TITLES[Trait.LEGENDARY_FIGHTER], MORE_ATTACKS, player, leader, by=1, own_only=True, weapons="melee")]
