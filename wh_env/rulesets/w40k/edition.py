"""What an edition is: numbers, the order of its phases, its Stratagems, its terrain, and answers that shared code asks it for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, fields, replace
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, cast

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import DecisionKind, Default, Procedure, Ruleset
from wh_env.core.setup import Delegate, Setup
from wh_env.core.tables import Array, TableSpec
from wh_env.rulesets.w40k.codes import Deed
from wh_env.rulesets.w40k.edition_parts.fire_rules import fire_rules
from wh_env.rulesets.w40k.edition_parts.lending import Lending
from wh_env.rulesets.w40k.edition_parts.psychic_rules import PsychicRules
from wh_env.rulesets.w40k.edition_parts.stratagem_book import DELEGATE, NO_STRATAGEMS, OFF, Moment, StratagemBook
from wh_env.rulesets.w40k.edition_parts.ways import Ground
from wh_env.rulesets.w40k.numbers import (
    Aircraft,
    Charging,
    Demise,
    Dice,
    Escape,
    Fighting,
    Guidelines,
    Intervening,
    Measures,
    MoveRules,
    Numbers,
    Placing,
    Targeting,
    Transports,
)
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.terrain.types import PartRules, TerrainType

UNLIMITED = 1e4  # inches

Occasion = Callable[[BattleCore, int, int], bool]
Effect = Callable[[BattleCore, int, int, int], None]  # of a rule: the battle, its owner, a unit, an amount


class MayWait(Protocol):
    """A decision on a Stratagem (``reaction.windows.UseStratagem``) that says whether it waits for an occasion."""

    waits: ClassVar[bool]

    @staticmethod
    def occasion(g: BattleCore, unit: int, player: int) -> bool: ...


class Edition(Ruleset):
    """A ruleset of the 40k family. What it does not say is the same in all of them."""

    # its phases, each pushed with the player; they are numbered in this order, from 1 on
    turn: ClassVar[tuple[type[Procedure], ...]]
    turn_ends: ClassVar[tuple[type[Procedure], ...]] = ()  # what comes after them
    numbers: ClassVar[Numbers]
    # the numbers, each under its own name
    core_rules: Mapping[str, Any]
    measures: Measures
    attack_rules: Array
    targeting: Targeting
    moves: Mapping[tuple[str, bool], MoveRules]
    aircraft: Aircraft
    escape: Escape
    placing: Placing
    transports: Transports
    charging: Charging
    fighting: Fighting
    demise: Demise
    guidelines: Guidelines
    dice: Dice
    intervening: Intervening  # of editions with a Heroic Interventions step
    part_rules: PartRules
    scoring: ClassVar[tuple[int, ...]] = ()  # numbers of the phases in which victory points are scored
    marks_damage: ClassVar[bool] = False  # whether models that suffered damage are marked for the phase
    scores_at_end: ClassVar[bool] = False  # whether they are at the end of the battle, too
    stratagems: ClassVar[StratagemBook] = NO_STRATAGEMS
    any_die: ClassVar[bool] = False  # whether a Command Re-roll is for any one die that its player rolled
    attacks_of_models: ClassVar[bool] = False  # whether Attacks is what models have, for melee alone
    least_attacks: ClassVar[int] = 1  # that modifiers leave of Attacks
    strange_keywords: ClassVar[
        Collection[Keyword]
    ] = ()  # those of ``Keyword`` that its rules do not know: keywords like others
    huge: ClassVar[int] = 0  # Wounds from which on models have the bit ``profiles.HUGE``; 0: none has
    terrain: ClassVar[Mapping[str, TerrainType]]  # by kind of feature, as battlefields name them
    effects: ClassVar[Mapping[str, Effect]]  # of rules that are data, by name
    ground: ClassVar[Ground | None] = None  # terrain that slows down who moves over it
    lending: ClassVar[Lending] = Lending()
    psychic: ClassVar[PsychicRules] = PsychicRules()
    off = "its Stratagem is not in play at squad detail unless the battle's `stratagems` say so"
    delegated_by = "for a Stratagem, by `stratagems: {name: delegate}`"
    phase_number: Mapping[type[Procedure], int]
    shooting: int  # the number of its Shooting phase, -1: it has none
    uses: Mapping[int, type[DecisionKind]]  # the decision on each Stratagem
    # by moment whether it is an occasion for some Stratagem offered then (the battle, a unit, a player); ``None``: some wait for none
    occasions: tuple[Occasion | None, ...]

    def __init__(self, procedures: Sequence[type[Procedure]], kinds: Sequence[type[DecisionKind]]) -> None:
        super().__init__(procedures, kinds)
        own = vars(self)
        own.update((each.name, getattr(self.numbers, each.name)) for each in fields(self.numbers))
        played = {type(self.procedures[self.number[phase]]): at for at, phase in enumerate(self.turn, 1)}
        own["phase_number"] = MappingProxyType(played)
        own["shooting"] = self.phases.index("Shooting") if "Shooting" in self.phases else -1
        uses: dict[int, Any] = {kind.stratagem: type(kind) for kind in self.kinds if getattr(kind, "offers", False)}  # type: ignore[attr-defined]
        own["uses"] = MappingProxyType(uses)
        offered = ([uses[stratagem] for stratagem in self.stratagems.offered.get(moment, ())] for moment in Moment)
        own["occasions"] = tuple(occasion_at(kinds) for kinds in offered)

    def tables(self, units: int, models: int) -> Sequence[TableSpec]:
        """Tables of its own in the state, for so many units and models."""
        return ()

    def slain(self, g: BattleCore, models: Array) -> None:
        """These models (rows) were destroyed by attacks or mortal wounds, and all that follows was settled."""

    def count_control(self, g: BattleCore) -> None:
        """Write into the rows of markers what counts for either player and who controls each."""
        raise NotImplementedError

    def first_round(self, g: BattleCore, strategic: bool) -> int:
        """From which battle round on units in Reserves can arrive, those in Strategic Reserves or the others."""
        return self.placing.first_round if strategic else 0

    def battle_ends(self, g: BattleCore) -> None:
        """The battle is over: what is scored then."""

    def more_move(self, g: BattleCore, unit: int) -> float:
        """Inches that are added to the Move of each model for a Normal move of the unit."""
        return 0.0

    def zones(
        self, zones: tuple[Array, Array], length: float, width: float
    ) -> Sequence[tuple[tuple[Array, Array], bool]]:
        """The divisions of a table of this size into two deployment zones that a battle may have, where its battlefield or mission says
        ``zones``; and of each whether they lie opposite each other along x."""
        return ((zones, length < width),)

    def division(self, g: BattleCore) -> int:
        """Which of them the battle has."""
        return 0

    def straight_move(self, g: BattleCore, unit: int) -> tuple[float, float]:
        """Inches that an AIRCRAFT flies straight ahead, at least and at most (aircraft.move.minimum, .no-maximum)."""
        return self.aircraft.least, UNLIMITED

    def may_reserve(self, g: BattleCore, unit: int, points: int, *, strategic: bool) -> bool:
        """Whether the unit can start the battle in Reserves, by a rule of its own or (``strategic``) in Strategic Reserves, where
        so many ``points`` would stand with it."""
        return not strategic or bool(points <= g.setup.rules["strategic_reserves_points"])

    def reserves_declared(self, g: BattleCore) -> None:
        """Both players have said which units start in Reserves and in TRANSPORTS."""

    def arrived(self, g: BattleCore, unit: int) -> None:
        """The unit was set up from Reserves."""

    def mode_aboard(self, g: BattleCore, unit: int) -> int:
        """Which weapons an embarked unit may fire itself (a mode of ``questions.targets``), -1: none."""
        return -1

    def closed(self, g: BattleCore, unit: int) -> bool:
        """Whether the TRANSPORT of an embarked unit has made a move after which the unit does not disembark (transport.disembark.when)."""
        return g.units.moved[g.units.carrier[unit]] in self.transports.closed_after

    def left_transport(self, g: BattleCore, unit: int, carrier: int) -> None:
        """The unit got out of its TRANSPORT (row ``carrier``), destroyed or not."""

    def bars_embarking(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit got out of a TRANSPORT so lately that it may not embark (transport.embark.not-after-disembark)."""
        return bool(g.units.disembarked[unit])

    def turn_begins(self, g: BattleCore) -> None:
        """A turn begins: what its own tables say of the last one is forgotten."""

    def turn_starts(self, g: BattleCore, player: int) -> None:
        """The player's turn starts: pushes what is resolved before its first phase, which is on the stack."""

    def does_nothing_more(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit can do nothing else in this turn, whatever other rules let it do."""
        return False

    def may_fall_back(self, g: BattleCore, unit: int) -> bool:
        """Whether no rule forbids the unit to Fall Back."""
        return True

    def stops_fall_back(self, g: BattleCore, unit: int) -> bool:
        """The unit was selected to Fall Back: whether a roll that a rule asks for prevents it."""
        return False

    def barred_in_melee(self, g: BattleCore, unit: int) -> Array:
        """Units that the unit may not target with melee attacks however near they are (int32 by unit, not 0)."""
        barred: Array = g.work.no_targets
        return barred

    def phase_ended(self, g: BattleCore, player: int, phase: int) -> None:
        """A phase (its number) of the player's turn is over; pushes what comes before the next, or before the end of the turn."""

    def before_phase(self, g: BattleCore, player: int, phase: int) -> None:
        """A phase (its number) of the player's turn comes next and is on the stack: pushes what is resolved before it."""

    def phase_begins(self, g: BattleCore) -> None:
        """A phase begins, nothing in it was done yet."""

    def moved(self, g: BattleCore, unit: int) -> None:
        """The unit has ended a Normal move, an Advance or a Fall Back of its player's Movement phase: pushes what follows."""

    def before_attacks(self, g: BattleCore, unit: int, melee: bool) -> bool:
        """The unit has declared attacks (rows of ``jobs``), nothing was made of them yet: whether something was pushed that comes first."""
        return False

    def free_among(self, g: BattleCore, player: int, units: list[int]) -> list[int]:
        """Those of these units on which the player's next Stratagem costs less (``abilities.SAVED``)."""
        return []

    def frees(self, g: BattleCore, player: int, unit: int) -> bool:
        """Whether the player's next Stratagem costs less if it is used on their unit (-1: on none)."""
        return bool(self.free_among(g, player, [unit]))

    def freed(self, g: BattleCore, player: int, unit: int) -> None:
        """It was used."""

    def shocked(self, g: BattleCore, unit: int) -> None:
        """The unit has failed a Battle-shock test: pushes what follows."""

    def stratagem_used(self, g: BattleCore, player: int, unit: int) -> None:
        """The player has used a Stratagem on their unit (-1: on none)."""

    def attacked(self, g: BattleCore, unit: int, melee: bool) -> None:
        """All attacks that the unit had declared are made and what they did is settled: pushes what follows from them."""

    def acts(self, g: BattleCore, unit: int, deed: Deed) -> None:
        """The unit does something that may put an end to what it was doing."""

    def modifying(self, g: BattleCore) -> bool:
        """Whether something modifies units for a while (``modifiers``)."""
        return False

    def modifiers(self, g: BattleCore, unit: int, hook: str, against: int) -> list[Any]:
        """What modifies a unit for a while, as ``attack.abilities.Power``, where ``hook`` asks; ``against``: in attacks at this unit, -1: in none."""
        return []

    def more_leadership(self, g: BattleCore, unit: int) -> int:
        """What is added to the Leadership of the unit where it stands."""
        return 0

    def immune(self, g: BattleCore, unit: int) -> bool:
        """Whether some of what modifies other units does not count in their attacks at this unit."""
        return False

    def power_rows(self, g: BattleCore, hook: str) -> tuple[Array, Array]:
        """Rows (``attack.powers.POWER``) of the abilities that are asked about at ``hook``, and the models that bear them."""
        rows: tuple[Array, Array] = g.setup.statics["power_rows"][hook]
        return rows

    def declared(self, g: BattleCore, unit: int, melee: bool) -> None:
        """All attacks of the unit (rows of ``jobs``) were declared; none is made yet."""

    def heeds(self, g: BattleCore, unit: int) -> bool:
        """Whether what happens to attacks of the unit is counted (``heed``); asked where a datasheet says that attacks generate others."""
        return False

    def heed(self, g: BattleCore) -> None:
        """Rows of the log of the attack machine are about to be told or dropped."""

    def generates(self, g: BattleCore, unit: int) -> bool:
        """All attacks of the unit are resolved: whether others were declared that follow now."""
        return False

    def prepares(self, g: BattleCore, unit: int) -> bool:
        """Whether ``prepare`` is called before each group of alike attacks of the unit; then it says itself who is in cover."""
        return False

    def prepare(self, g: BattleCore, group: int, melee: bool) -> None:
        """A group of alike attacks (row of ``jobs``) is made next: flag the models of the target that are in cover, drop attacks that are not
        made after all."""

    def states(self, g: BattleCore, unit: int) -> list[str]:
        """Battle-shock, and what the unit did in this turn."""
        units = g.units
        seen = (
            (units.shocked, "shocked"),
            (units.advance, "advanced"),
            (units.charged, "charged"),
            (units.fought, "fought"),
            (units.arrived, "arrived"),
        )
        return [word for column, word in seen if column[unit] > 0]

    def statics(self, rules: Mapping[str, Any], across: float = 0.0) -> dict[str, Any]:
        """Rows of numbers (``shooting_rules``: the fire rules of Shooting phases); bits of the Stratagems that are in play, and whether the
        one that makes a roll again is.

        ``across``: the longest Engagement Range across any area of the battlefield, in inches; 0 without any.
        """
        stratagems, reroll = self.stratagems.statics(rules), self.stratagems.reroll
        near = self.measures
        reach = {
            "engagement": near.engagement,
            "engagement_vertical": near.engagement_vertical,
            "engagement_across": across,
            "rank": self.fighting.rank,
        }
        return {
            "attack_rules": self.attack_rules,
            "fire_rules": fire_rules(**reach, **asdict(replace(self.targeting, closest_only=False))),
            "shooting_rules": fire_rules(**reach, **asdict(self.targeting)),
            "engaged_across": across,
            **stratagems,
            "reroll_for_cp": reroll is not None and bool(stratagems["stratagems"] >> reroll & 1),
        }

    def in_play(self, kind: DecisionKind, detail: str) -> bool:
        """Whether its Stratagem is, if it belongs to one."""
        stratagem = self.stratagem_of(kind)
        return stratagem is None or self.stratagems.mode({"detail": detail, "stratagems": {}}, stratagem) != OFF

    def policies(self, rules: Mapping[str, Any]) -> dict[str, Delegate]:
        """The decisions on Stratagems that are delegated."""
        chosen: dict[str, Delegate] = {}
        for kind in self.kinds:
            stratagem = self.stratagem_of(kind)
            if stratagem is not None and self.stratagems.mode(rules, stratagem) == DELEGATE:
                chosen[kind.name] = Default(kind)
        return chosen

    def stratagem_of(self, kind: DecisionKind) -> int | None:
        """The Stratagem that a decision belongs to, if it does to one."""
        found: int | None = getattr(kind, "stratagem", None)
        return self.stratagems.reroll if getattr(kind, "by_reroll", False) else found


def occasion_at(offered: Sequence[type[MayWait]]) -> Occasion | None:
    """Whether it is an occasion for some of the Stratagems offered at a moment; ``None``: some wait for none."""
    if not offered or not all(use.waits for use in offered):
        return None
    waiting = [use.occasion for use in offered]
    return waiting[0] if len(waiting) == 1 else lambda g, unit, player: any(at(g, unit, player) for at in waiting)


def edition_of(setup: Setup) -> Edition:
    """The edition of a Setup."""
    return cast(Edition, setup.ruleset)


def edition(g: BattleCore) -> Edition:
    """The edition by which a battle is played."""
    return g.setup.ruleset  # type: ignore[return-value]  # asked for several times in a decision: ``cast`` is a call
