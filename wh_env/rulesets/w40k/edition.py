"""An edition: its numbers, phases, Stratagems and terrain, and the questions and events that shared code passes
to it.
"""

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
    """A decision on a Stratagem (``reaction.windows.UseStratagem``) that says whether it needs an occasion."""

    waits: ClassVar[bool]

    @staticmethod
    def occasion(g: BattleCore, unit: int, player: int) -> bool: ...


class Edition(Ruleset):
    """A ruleset of the 40k family. Its methods and values are defaults; an edition overrides those that differ."""

    # the phases of a turn, in order and numbered from 1; each is pushed with the player
    turn: ClassVar[tuple[type[Procedure], ...]]
    turn_ends: ClassVar[tuple[type[Procedure], ...]] = ()  # the procedures after the phases
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
    scores_at_end: ClassVar[bool] = False  # whether victory points are scored at the end of the battle, too
    stratagems: ClassVar[StratagemBook] = NO_STRATAGEMS
    any_die: ClassVar[bool] = False  # whether a Command Re-roll can re-roll any one die that its player rolled
    attacks_of_models: ClassVar[bool] = False  # whether Attacks is a characteristic of models, for melee only
    least_attacks: ClassVar[int] = 1  # the fewest Attacks after modifiers
    strange_keywords: ClassVar[Collection[Keyword]] = ()  # members of ``Keyword`` that its rules do not name
    huge: ClassVar[int] = 0  # models with at least so many Wounds have the bit ``profiles.HUGE``; 0: none has
    terrain: ClassVar[Mapping[str, TerrainType]]  # by kind of feature, as battlefields name them
    effects: ClassVar[Mapping[str, Effect]]  # of rules that are data, by name
    ground: ClassVar[Ground | None] = None  # terrain that slows down models that move over it
    lending: ClassVar[Lending] = Lending()
    psychic: ClassVar[PsychicRules] = PsychicRules()
    off = "its Stratagem is not in play at squad detail unless the battle's `stratagems` say so"
    delegated_by = "for a Stratagem, by `stratagems: {name: delegate}`"
    phase_number: Mapping[type[Procedure], int]
    shooting: int  # the number of its Shooting phase, -1: it has none
    uses: Mapping[int, type[DecisionKind]]  # the decision on each Stratagem
    # by moment a function (battle, unit, player): whether it is an occasion for a Stratagem that is offered then.
    # ``None``: a Stratagem that is offered then needs no occasion
    occasions: tuple[Occasion | None, ...]

    def __init__(self, procedures: Sequence[type[Procedure]], kinds: Sequence[type[DecisionKind]]) -> None:
        super().__init__(procedures, kinds)
        own = vars(self)
        own.update((each.name, getattr(self.numbers, each.name)) for each in fields(self.numbers))
        played = {type(self.procedures[self.number[phase]]): at for at, phase in enumerate(self.turn, 1)}
        own["phase_number"] = MappingProxyType(played)
        own["shooting"] = self.phases.index("Shooting") if "Shooting" in self.phases else -1
        asking: list[Any] = [kind for kind in self.kinds if getattr(kind, "offers", False)]
        uses: dict[int, Any] = {kind.stratagem: type(kind) for kind in asking}
        own["uses"] = MappingProxyType(uses)
        offered = ([uses[stratagem] for stratagem in self.stratagems.offered.get(moment, ())] for moment in Moment)
        own["occasions"] = tuple(occasion_at(kinds) for kinds in offered)

    def tables(self, units: int, models: int) -> Sequence[TableSpec]:
        """Tables of this edition alone in the state, for so many units and models."""
        return ()

    def slain(self, g: BattleCore, models: Array) -> None:
        """Called after these models (rows) were destroyed by attacks or mortal wounds and all consequences were
        settled.
        """

    def count_control(self, g: BattleCore) -> None:
        """Write into the rows of markers the count of each player and the player who controls the marker."""
        raise NotImplementedError

    def first_round(self, g: BattleCore, strategic: bool) -> int:
        """The first battle round in which units in Reserves can arrive: in Strategic Reserves if ``strategic``, else in
        others.
        """
        return self.placing.first_round if strategic else 0

    def battle_ends(self, g: BattleCore) -> None:
        """Called when the battle is over, to score what is scored then."""

    def more_move(self, g: BattleCore, unit: int) -> float:
        """Inches added to the Move of each model for a Normal move of the unit."""
        return 0.0

    def zones(
        self, zones: tuple[Array, Array], length: float, width: float
    ) -> Sequence[tuple[tuple[Array, Array], bool]]:
        """The ways to divide a table of this size (inches) into two deployment zones, given the ``zones`` of its
        battlefield or mission. With each pair comes a flag: True if the zones lie opposite each other along x, False if
        along y.
        """
        return ((zones, length < width),)

    def division(self, g: BattleCore) -> int:
        """The index, in ``zones``, of the division that the battle uses."""
        return 0

    def straight_move(self, g: BattleCore, unit: int) -> tuple[float, float]:
        """The least and the most inches that an AIRCRAFT flies straight ahead (aircraft.move.minimum, .no-maximum)."""
        return self.aircraft.least, UNLIMITED

    def may_reserve(self, g: BattleCore, unit: int, points: int, *, strategic: bool) -> bool:
        """Whether the unit can start the battle in Reserves, by a rule of its own or in Strategic Reserves
        (``strategic``).

        ``points``: the points in Strategic Reserves with this unit.
        """
        return not strategic or bool(points <= g.setup.rules["strategic_reserves_points"])

    def reserves_declared(self, g: BattleCore) -> None:
        """Called after both players have declared the units that start in Reserves and in TRANSPORTS."""

    def arrived(self, g: BattleCore, unit: int) -> None:
        """Called after the unit was set up from Reserves."""

    def positions_changed(self, g: BattleCore) -> None:
        """Called before the engagement table is computed anew: settle what depends on where models stand."""

    def stale_answers(self, g: BattleCore) -> list[str]:
        """Faults of what ``positions_changed`` settles: answers that differ from those computed now."""
        return []

    def mode_aboard(self, g: BattleCore, unit: int) -> int:
        """The weapons that an embarked unit may fire itself, a mode of ``questions.targets``; -1: none."""
        return -1

    def closed(self, g: BattleCore, unit: int) -> bool:
        """Whether the TRANSPORT of an embarked unit has made a move after which the unit cannot disembark
        (transport.disembark.when).
        """
        return g.units.moved[g.units.carrier[unit]] in self.transports.closed_after

    def left_transport(self, g: BattleCore, unit: int, carrier: int) -> None:
        """Called after the unit left its TRANSPORT (row ``carrier``), destroyed or not."""

    def bars_embarking(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit left a TRANSPORT too recently to embark (transport.embark.not-after-disembark)."""
        return bool(g.units.disembarked[unit])

    def turn_begins(self, g: BattleCore) -> None:
        """Called when a turn begins, to clear the facts of the last turn in the edition's own tables."""

    def turn_starts(self, g: BattleCore, player: int) -> None:
        """Called when the player's turn starts, with its first phase on the stack: push procedures that come before
        that phase.
        """

    def does_nothing_more(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit can take no other action in this turn, whatever other rules allow."""
        return False

    def may_fall_back(self, g: BattleCore, unit: int) -> bool:
        """Whether no rule forbids the unit to Fall Back."""
        return True

    def stops_fall_back(self, g: BattleCore, unit: int) -> bool:
        """Called when the unit was selected to Fall Back. Whether a roll that a rule requires prevents the move."""
        return False

    def barred_in_melee(self, g: BattleCore, unit: int) -> Array:
        """int32 by unit, not 0: the unit may not target this one with melee attacks, however near it is."""
        barred: Array = g.work.no_targets
        return barred

    def phase_ended(self, g: BattleCore, player: int, phase: int) -> None:
        """Called after a phase (its number) of the player's turn: push procedures that come before the next phase or
        the end of the turn.
        """

    def before_phase(self, g: BattleCore, player: int, phase: int) -> None:
        """Called when a phase (its number) of the player's turn is on the stack as the next: push procedures that come
        before it.
        """

    def phase_begins(self, g: BattleCore) -> None:
        """Called when a phase begins, before any action in it."""

    def moved(self, g: BattleCore, unit: int) -> None:
        """Called after a Normal move, an Advance or a Fall Back of the unit in its player's Movement phase: push what
        follows.
        """

    def before_attacks(self, g: BattleCore, unit: int, melee: bool) -> bool:
        """Called when the unit has declared attacks (rows of ``jobs``) and none is made yet. Returns whether a
        procedure was pushed that comes before the attacks.
        """
        return False

    def free_among(self, g: BattleCore, player: int, units: list[int]) -> list[int]:
        """Those of ``units`` on which the player's next Stratagem costs less (``prices.SAVED``)."""
        return []

    def frees(self, g: BattleCore, player: int, unit: int) -> bool:
        """Whether the player's next Stratagem costs less if it is used on the unit (-1: on none)."""
        return bool(self.free_among(g, player, [unit]))

    def freed(self, g: BattleCore, player: int, unit: int) -> None:
        """Called when the player has used a Stratagem on the unit at the lower cost."""

    def shocked(self, g: BattleCore, unit: int) -> None:
        """Called after the unit has failed a Battle-shock test: push what follows."""

    def stratagem_used(self, g: BattleCore, player: int, unit: int) -> None:
        """Called after the player has used a Stratagem on the unit (-1: on none)."""

    def attacked(self, g: BattleCore, unit: int, melee: bool) -> None:
        """Called after all declared attacks of the unit were made and their results settled: push what follows."""

    def acts(self, g: BattleCore, unit: int, deed: Deed) -> None:
        """Called when the unit takes an action that can end other actions of it."""

    def modifying(self, g: BattleCore) -> bool:
        """Whether any temporary modifier of units exists (``modifiers``)."""
        return False

    def modifiers(self, g: BattleCore, unit: int, hook: str, against: int) -> list[Any]:
        """Temporary modifiers of the unit at ``hook``, each an ``attack.abilities.Power``.

        ``against``: the unit that is attacked, -1: the question is not about attacks.
        """
        return []

    def more_leadership(self, g: BattleCore, unit: int) -> int:
        """The number added to the Leadership of the unit at its position."""
        return 0

    def immune(self, g: BattleCore, unit: int) -> bool:
        """Whether some modifiers of other units do not apply to their attacks at this unit."""
        return False

    def power_rows(self, g: BattleCore, hook: str) -> tuple[Array, Array]:
        """Rows (``attack.powers.POWER``) of the abilities at ``hook``, and the rows of the models that bear them."""
        rows: tuple[Array, Array] = g.setup.statics["power_rows"][hook]
        return rows

    def declared(self, g: BattleCore, unit: int, melee: bool) -> None:
        """Called when all attacks of the unit (rows of ``jobs``) are declared and none is made yet."""

    def heeds(self, g: BattleCore, unit: int) -> bool:
        """Whether the results of the unit's attacks are counted (``heed``). Asked only in battles where a datasheet has
        attacks that generate others.
        """
        return False

    def heed(self, g: BattleCore) -> None:
        """Called before rows of the attack machine's log are told or dropped."""

    def generates(self, g: BattleCore, unit: int) -> bool:
        """Called after all attacks of the unit are resolved. Whether further attacks were declared, which
        follow now.
        """
        return False

    def prepares(self, g: BattleCore, unit: int) -> bool:
        """Whether ``prepare`` is called before each group of alike attacks of the unit. If so, ``prepare`` also
        determines cover.
        """
        return False

    def prepare(self, g: BattleCore, group: int, melee: bool) -> None:
        """Called before a group of alike attacks (row of ``jobs``) is made: flag the models of the target that have the
        Benefit of Cover, and drop attacks that can no longer be made.
        """

    def states(self, g: BattleCore, unit: int) -> list[str]:
        """Words for the state of the unit: Battle-shocked, and its actions in this turn."""
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
        """Rows of numbers for kernels (``shooting_rules`` are the fire rules of Shooting phases), bits of the
        Stratagems in play, and whether the Command Re-roll is in play.

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
        """Whether the decision can occur at this ``detail``: it belongs to no Stratagem, or its Stratagem is in
        play.
        """
        stratagem = self.stratagem_of(kind)
        return stratagem is None or self.stratagems.mode({"detail": detail, "stratagems": {}}, stratagem) != OFF

    def policies(self, rules: Mapping[str, Any]) -> dict[str, Delegate]:
        """The delegates of the decisions on Stratagems that these rules delegate, by name of the decision."""
        chosen: dict[str, Delegate] = {}
        for kind in self.kinds:
            stratagem = self.stratagem_of(kind)
            if stratagem is not None and self.stratagems.mode(rules, stratagem) == DELEGATE:
                chosen[kind.name] = Default(kind)
        return chosen

    def stratagem_of(self, kind: DecisionKind) -> int | None:
        """The Stratagem that a decision belongs to, ``None`` if it belongs to none."""
        found: int | None = getattr(kind, "stratagem", None)
        return self.stratagems.reroll if getattr(kind, "by_reroll", False) else found


def occasion_at(offered: Sequence[type[MayWait]]) -> Occasion | None:
    """A function: whether it is an occasion for any of the Stratagems ``offered`` at a moment. ``None`` if one of them
    needs no occasion, or none is offered.
    """
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
