"""The player names the single model that a spell is cast on, if a unit has several to choose from."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, count_of, flag, row_of
from wh_env.core.features import Pending
from wh_env.core.procedures import FRAME_SIZE, DecisionKind, Procedure, beneath, integer
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.codes import RANK_AND_FILE
from wh_env.rulesets.wap.magic.models import may_be_named, within_reach
from wh_env.rulesets.wap.magic.sides import who_aims
from wh_env.rulesets.wap.magic.targets import targets_of
from wh_env.rulesets.wap.magic.wizards import known_rows, spell_at


class NameModel(Procedure):
    """A player names a model of the unit that a spell is cast on. It is written to the frame beneath."""

    UNIT = integer(row_of("units"))  # that casts the spell
    ROW = integer(count_of("spellbook"))  # of ``spellbook``
    TARGET = integer(row_of("units"))
    BOOSTED = integer(flag())  # boosted versions can be cast
    INTO = integer(amount())  # offset in the frame beneath at which the model is written, counted from 1
    VERSION = integer(amount())  # in which it was cast, counted from 1; 0: it is not cast yet
    asks = ("spell-model",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + NameModel.UNIT]
        return g.ask(SpellModel, who_aims(g, unit), unit)

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the unit knows the spell, it may be cast on the target, and there are models to name."""
        stack, unit, row = g.stack, g.stack[f + NameModel.UNIT], g.stack[f + NameModel.ROW]
        if row not in known_rows(g, unit) or not 0 < stack[f + NameModel.INTO] < FRAME_SIZE:
            return False
        spell = spell_at(g, row)
        if stack[f + NameModel.VERSION] > len(spell.versions):
            return False
        if spell.picks is None or stack[f + NameModel.TARGET] not in targets_of(g, unit, spell):
            return False
        return bool(NameModel.models(g, f))

    @staticmethod
    def models(g: BattleCore, f: int) -> list[int]:
        """The models that may be named."""
        stack = g.stack
        unit, row, target = (stack[f + at] for at in (NameModel.UNIT, NameModel.ROW, NameModel.TARGET))
        spell, version = spell_at(g, row), stack[f + NameModel.VERSION]
        if not version:
            return may_be_named(g, unit, spell, target, boosted=bool(stack[f + NameModel.BOOSTED]))
        return within_reach(g, unit, spell, target, spell.versions[version - 1].range)


class SpellModel(DecisionKind):
    name = "spell-model"
    what = "Which model of its target a spell is cast on: one of the rank and file, a command model, or a character."
    policy = "The character who costs the most points, else a command model."
    keys = (
        "wap.lore.death.spirit-leech",
        "wap.lore.metal.gehennas-golden-hounds",
        "wap.lore.beasts.panns-impenetrable-pelt",
        "wap.lore.beasts.savage-beast-of-horros",
        "wap.lore.death.caress-of-laniph",
        "wap.lore.death.fate-of-bjuna",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for at in range(len(NameModel.models(g, f))):
            mask[g.setup.space.model + at] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        model = NameModel.models(g, f)[action - g.setup.space.model]
        g.stack[beneath(f) + g.stack[f + NameModel.INTO]] = model + 1
        g.pop()

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        models = NameModel.models(g, f)
        return int(g.setup.space.model + max(range(len(models)), key=lambda at: worth_of(g, models[at])))

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(slots=NameModel.models(g, f))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"on {g.setup.names['models'][NameModel.models(g, f)[action - g.setup.space.model]]}"


def worth_of(g: BattleCore, model: int) -> tuple[int, bool]:
    """A key by which models of a unit are ordered: characters by their points, command models above the rank and
    file.
    """
    unit = g.models.unit[model]
    return (int(g.units.points[unit]) if is_character(g, unit) else -1), g.models.role[model] != RANK_AND_FILE
