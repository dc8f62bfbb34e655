"""Rules of the 9th edition that a call may override, and their possible values.

The rules of all editions are in ``w40k.rules``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from wh_env.content.classic.powers import check_effect
from wh_env.content.errors import Expected
from wh_env.content.fields import Content, Count, Few, Flag, Inches, Name
from wh_env.content.w9.schema import MOMENT, TURN
from wh_env.content.w40k.keywords import KeywordName
from wh_env.content.w40k.rules import MOST_ROWS, EffectName, OwnRules, Player, UnitRow
from wh_env.rulesets.w9.mission.quarters import QUARTERS
from wh_env.rulesets.w9.mission.scoring import CONDITIONS, EACH_MARKER
from wh_env.rulesets.w9.mission.stand import STANDING
from wh_env.rulesets.w9.move.moved import MOVED_OVER
from wh_env.rulesets.w9.move.over import DICE
from wh_env.rulesets.w9.objective.control import EFFECTS
from wh_env.rulesets.w9.rare.stationary import CHARGE, RAPID_FIRE_AT_ANY_RANGE, SHOOTING
from wh_env.rulesets.w9.stratagems.book import FACTION, FACTION_EFFECTS
from wh_env.rulesets.w40k.modified import OPERATIONS

Change = Annotated[int, Field(strict=True, ge=0, le=100)]  # of Command points, or the divisor or factor


def _one_of(known: tuple[str, ...], name: str) -> str:
    if name not in known:
        raise Expected("one of " + ", ".join(known), "is not known")
    return name


class MovedSoFar(Content):
    """A trigger for a unit that has moved a given distance (``rulesets.w9.move.moved``)."""

    unit: UnitRow
    inches: Inches
    effect: EffectName
    amount: Count | Literal[*DICE]  # type: ignore[valid-type]  # a constant
    on: UnitRow | Literal[MOVED_OVER] = 0  # type: ignore[valid-type]  # a constant


class MovesNormally(Content):
    """Inches that are added to the Move of a unit for Normal Moves."""

    unit: UnitRow
    inches: Annotated[float, Field(strict=True, ge=-100, le=100, allow_inf_nan=False)]


class StratagemCost(Content):
    """A change to the cost of a Stratagem, or of all of a Faction (``rulesets.w40k.edition_parts.stratagem_book``)."""

    stratagem: Name | None = None
    faction: Name | None = None
    operation: Name
    amount: Change
    player: Player = 0

    @field_validator("operation")
    @classmethod
    def _known(cls, operation: str) -> str:
        return _one_of(OPERATIONS, operation)

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.stratagem is None) == (self.faction is None):
            raise Expected("either stratagem or faction")
        if self.operation == "divide" and not self.amount:
            raise Expected("a number above 0 to divide by", "is no divisor", "amount", 0)
        return self


class Army(Content):
    """A condition on every unit of an army (``rulesets.w9.army.whole``)."""

    keyword: KeywordName
    exceptions: Annotated[tuple[KeywordName, ...], Field(max_length=MOST_ROWS, alias="except")] = ()


class Control(Content):
    """A rule about Objective Secured (``rulesets.w9.objective.control``)."""

    effect: Name
    keyword: KeywordName
    player: Player = 0
    if_all: Army = Army(keyword="ANY")

    @field_validator("effect")
    @classmethod
    def _known(cls, effect: str) -> str:
        return _one_of(EFFECTS, effect)


class CountsAsStationary(Content):
    """A unit that counts as having Remained Stationary in some phases (``rulesets.w9.rare.stationary``)."""

    unit: UnitRow
    phases: Annotated[tuple[Literal[SHOOTING, CHARGE], ...], Field(max_length=2)]  # type: ignore[valid-type]


class WhenStationary(Content):
    """An ability of a unit that Remains Stationary."""

    unit: UnitRow
    effect: Literal[RAPID_FIRE_AT_ANY_RANGE]  # type: ignore[valid-type]


class FactionStratagem(Content):
    """A Stratagem of a Faction (``rulesets.w9.stratagems.book``)."""

    name: Name
    faction: Name
    sub_faction: Name | None
    cp: Few
    moment: MOMENT
    turn: TURN
    effect: Name
    amount: Count
    keyword: KeywordName | None
    access: tuple[Flag, Flag]

    @model_validator(mode="after")
    def _known(self) -> Self:
        check_effect(self.effect, FACTION_EFFECTS)
        return self


class OfPlayers(Content):
    """A value for either player."""

    value: tuple[Any, Any]


class Forged(OfPlayers):
    """Which players' armies are Battle-forged."""

    value: tuple[Flag, Flag]


class Pools(OfPlayers):
    """Command points at the start."""

    value: tuple[Few, Few]


Secondary = Literal[STANDING, QUARTERS]  # type: ignore[valid-type]


class Secondaries(OfPlayers):
    """Secondary objectives."""

    value: tuple[tuple[Secondary, ...], tuple[Secondary, ...]]


class FactionStratagems(Content):
    """The Stratagems of Factions, at most as many as the battle has places for."""

    value: Annotated[tuple[FactionStratagem, ...], Field(max_length=len(FACTION))]


class Leaving(Content):
    """Units and TRANSPORTS: the units may disembark after the TRANSPORT has moved."""

    value: Annotated[tuple[UnitRow, ...], Field(max_length=MOST_ROWS)]


OWN_RULES = OwnRules(
    rows={
        "moved": MovedSoFar,
        "moves_normally": MovesNormally,
        "stratagem_costs": StratagemCost,
        "control": Control,
        "stationary": CountsAsStationary,
        "when_stationary": WhenStationary,
    },
    values={
        "battle_forged": Forged,
        "cp_at_start": Pools,
        "secondaries": Secondaries,
        "faction_stratagems": FactionStratagems,
        "leaves_after_move": Leaving,
    },
    choices={"primary": (EACH_MARKER, CONDITIONS)},
)
