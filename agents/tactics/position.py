"""Positions of the tactics benchmark as files: which units stand where, which player moves, until when, and what
counts.

A file is a theme. It has ``sheets`` (datasheets in the short form of ``wh_env.testing.sheet``; included
datasheets are known by name) and ``positions``. A position leaves nothing to chance: the same file gives the
same bytes.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, PrivateAttr, field_validator, model_validator

from wh_env import Battle, ContentError
from wh_env.content.errors import Expected, unknown
from wh_env.content.fields import Content, Count, Few, Inches, Name, Point, Real, Side, Some, Wounds
from wh_env.content.games import GAMES
from wh_env.content.w9.schema import PowerSpec
from wh_env.content.w40k.schema import MANY
from wh_env.core.tables import DESTROYED, Array
from wh_env.envs.registry import DEFAULT_RULESET
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.testing import Scene, pick, sheet

Phase = Literal["command", "movement", "psychic", "shooting", "charge", "fight", "morale"]
# These moves into contact are always made, because they are hardly ever a mistake.
BY_ITSELF = ("pile-in", "consolidate")

Words = Annotated[str, Field(strict=True, min_length=1, max_length=2000)]
Round = Annotated[int, Field(strict=True, ge=1, le=5)]
Spot = Annotated[tuple[Real, ...], Field(min_length=2, max_length=4)]
Choice = Words | Point
# least and greatest count of numbers that describe a piece of terrain
CORNERS = {"box": (5, 5), "wall": (5, 5), "woods": (4, 5), "crater": (4, 4)}
# Columns of a unit's row that a position may set; the others follow from the units and their places.
STATE = ("shocked", "moved", "advance", "charged", "can_charge", "fought", "fights_first", "arrived", "disembarked")


class Until(Content):
    """The horizon: the first decision in or after this phase is no longer played."""

    round: Round
    turn: Literal[0, 1]
    phase: Phase


class Worth(Content):
    """What counts at the horizon. Each value counts minus the same of the other side.

    Attributes:
        vp: value of each victory point.
        wounds: value of each point of enemy units lost, in proportion to wounds.
        units: value of each point of enemy units that are entirely destroyed.
    """

    vp: Inches = 0.0
    wounds: Inches = 0.0
    units: Inches = 0.0

    @property
    def unit(self) -> str:
        """The unit of values: ``points`` or ``VP``."""
        return "points" if self.wounds or self.units else "VP"


class Placed(Content):
    """A unit on the table or in Reserves.

    Attributes:
        side, sheet, name: player, datasheet and name of the unit.
        at: a spot for each model, or that of the first model of a row along +x; ``None`` in Reserves.
        models: number of models.
        gap: gap between models of a row, inches.
        facing: facing of the models.
        wounds: wounds left of each model.
        reserves: kind of Reserves.
        points: points of the unit.
        lost: number of its first models that were destroyed this turn before the position begins.
        state: further columns of its row.
    """

    side: Literal[0, 1]
    sheet: Name
    name: Name
    at: Annotated[tuple[Spot, ...], Field(min_length=1, max_length=MANY)] | Spot | None = None
    models: Some | None = None
    gap: Inches = 0.2
    facing: Real | None = None
    wounds: Annotated[tuple[Wounds, ...], Field(max_length=MANY)] = ()
    reserves: Literal["deep-strike", "strategic"] | None = None
    points: Count | None = None
    lost: Few = 0
    state: dict[Name, Annotated[int, Field(strict=True, ge=0, le=15)]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _some_left(self) -> Self:
        """Refuse a unit that lost all its models."""
        if self.lost and self.lost >= (self.models or 0):
            raise Expected("fewer than its models, which it has to name", "are too many", "lost", self.lost)
        return self

    @field_validator("state")
    @classmethod
    def _columns(cls, state: dict[str, int]) -> dict[str, int]:
        """Refuse columns that a position may not set."""
        strange = [name for name in state if name not in STATE]
        if strange:
            raise Expected("columns of " + ", ".join(STATE), f"has {strange[0]}")
        return state


class Position(Content):
    """One position. Player 0 has the first turn of each round.

    Attributes:
        tests: what the position asks of a player.
        why: why the best choice is best.
        player: the player for whom the agent decides; the greedy policy decides for the other.
        round, turn, phase: where it begins.
        until: where it ends.
        worth: what counts at its end.
        table: length and width, inches.
        markers, held: places of objective markers, and the player who holds each (-1: none).
        terrain: pieces of terrain by kind, with their numbers (see ``CORNERS``).
        units: the units.
        cp, vp: Command points and victory points of both players.
        rules: changed numbers and switches of the ruleset.
        opening: words of choices already made, in order.
        best, naive: two choices in the first decision after the opening, by their words or by a place.
        spacing: distance in cells of the places that the solver tries.
        places: further places that it tries.
    """

    name: Name
    tests: Words
    why: Words
    player: Literal[0, 1] = 0
    round: Round
    turn: Literal[0, 1] = 0
    phase: Phase
    until: Until
    worth: Worth
    table: tuple[Side, Side] = (44.0, 30.0)
    markers: Annotated[tuple[Point, ...], Field(max_length=MANY)] = ()
    held: Annotated[tuple[Annotated[int, Field(strict=True, ge=-1, le=1)], ...], Field(max_length=MANY)] = ()
    terrain: Annotated[
        tuple[dict[Literal["box", "wall", "woods", "crater"], tuple[Real, ...]], ...], Field(max_length=MANY)
    ] = ()
    units: Annotated[tuple[Placed, ...], Field(min_length=1, max_length=64)]
    cp: tuple[Few, Few] = (0, 0)
    vp: tuple[Few, Few] = (0, 0)
    rules: dict[str, Any] = Field(default_factory=dict)
    opening: Annotated[tuple[Words, ...], Field(max_length=100)] = ()
    best: Choice
    naive: Choice
    spacing: Annotated[int, Field(strict=True, ge=1, le=100)] = 2
    places: Annotated[tuple[Point, ...], Field(max_length=1000)] = ()
    _ruleset: str = PrivateAttr(DEFAULT_RULESET)
    _theme: str = PrivateAttr("")
    _file: Path = PrivateAttr(Path())
    _sheets: dict[str, Any] = PrivateAttr(default_factory=dict)
    _start: Battle | None = PrivateAttr(None)
    _before: float | None = PrivateAttr(None)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        """Refuse terrain and markers that are malformed."""
        if len(self.held) > len(self.markers):
            raise Expected(f"at most {len(self.markers)}, one for each marker", "are too many", "held", self.held)
        for at, feature in enumerate(self.terrain):
            for what, numbers in feature.items():
                least, most = CORNERS[what]
                line = what == "wall" and numbers[:2] == numbers[2:4]
                if not least <= len(numbers) <= most or line:
                    expected = f"{least} numbers: two corners that differ" + (" and a height" if least == 5 else "")
                    raise Expected(expected, "is none", f"terrain[{at}].{what}", numbers)
        return self

    @property
    def theme(self) -> str:
        """The name of the theme."""
        return self._theme

    @property
    def edition(self) -> Edition:
        """The edition that it is played by."""
        return edition_named(self._ruleset, str(self._file))

    @property
    def file(self) -> Path:
        """The file that it comes from."""
        return self._file

    @property
    def digest(self) -> str:
        """A hash of everything about the position that values depend on."""
        return self.digest_of({unit.sheet: self._sheets.get(unit.sheet) for unit in self.units})

    def digest_of(self, used: dict[str, Any]) -> str:
        """The digest, given the content of the sheets that the position uses."""
        data = self.model_dump(mode="json", exclude={"tests", "why", "best", "naive", "places", "spacing"})
        for unit in data["units"]:
            if not unit["lost"]:
                del unit["lost"]  # so that digests from before this field stay valid
        parts = [data, used] if self._ruleset == DEFAULT_RULESET else [self._ruleset, data, used]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def start(self) -> Battle:
        """The battle at its first decision. Do not change it.

        Raises:
            ContentError: a unit stands where it cannot, or the opening cannot be played.
        """
        if self._start is None:
            try:
                battle = self._set_up()
            except ContentError as error:
                field = f"{self.name}.{error.field}"
                raise ContentError(str(self._file), field, error.value, error.expected, error.problem) from error
            self._start = self._play_opening(battle)
        return self._start

    def begin(self, seed: int) -> Battle:
        """A copy of the battle to play, with dice of its own."""
        return self.start.clone(seed)

    def _set_up(self) -> Battle:
        """The battle before the opening."""
        scene = Scene(size=self.table, edition=self.edition)
        for x, y in self.markers:
            scene.marker(x, y)
        for feature in self.terrain:
            for what, corners in feature.items():
                getattr(scene, what)(*corners)
        slain = []
        for unit in self.units:
            sheet = self._sheets.get(unit.sheet)
            columns: dict[str, Any] = dict(unit.state)
            handle = scene.unit(
                unit.side,
                unit.sheet if sheet is None else full_sheet(unit.sheet, sheet),
                unit.at,
                models=unit.models,
                gap=unit.gap,
                facing=unit.facing,
                wounds=unit.wounds or None,
                reserves=unit.reserves,
                name=unit.name,
                points=unit.points,
                lost=range(unit.lost),
                psychic=None if sheet is None else profile_of(sheet),
                **columns,
            )
            slain += [(handle, number) for number in range(unit.lost)]

        def set_state(battle: Battle) -> None:
            for marker, holder in enumerate(self.held):
                battle.objectives.holder[marker] = holder
            for handle, number in slain:
                battle.toll_array[handle.model(number)] = 1

        return scene.battle(
            self.phase,
            active=self.turn,
            round=self.round,
            cp=self.cp,
            vp=self.vp,
            rules={"cp_each_command_phase": 0, **self.rules},
            delegates=dict.fromkeys(BY_ITSELF, last_option),
            set_state=set_state,
        )

    def _play_opening(self, battle: Battle) -> Battle:
        """Play the opening and return the battle.

        Raises:
            ContentError: it cannot be played, or does not end at a decision of the player.
        """
        for words in self.opening:
            try:
                pick(battle, words)
            except LookupError as error:
                expected = "words of one legal choice"
                raise ContentError(str(self._file), f"{self.name}.opening", words, expected, f"({error})") from error
        if battle.decision is None or battle.clock.player[0] != self.player:
            expected = f"a decision of player {self.player} after the opening"
            raise ContentError(str(self._file), f"{self.name}.opening", self.opening, expected)
        battle.recorder = None
        return battle

    def action(self, choice: Choice) -> int:
        """The action of the first decision that a choice means: by its words, or the legal cell nearest to a
        place.

        Raises:
            ContentError: no action fits, or several do.
        """
        battle = self.start
        if not isinstance(choice, str):
            actions, xs, ys = legal_cells(battle)
            if len(actions):
                return int(actions[np.hypot(xs - choice[0], ys - choice[1]).argmin()])
            raise ContentError(str(self._file), f"{self.name}.best", choice, "words, as no place is asked for")
        known = {int(a): battle.describe(int(a)) for a in np.flatnonzero(battle.legal())}
        fits = [a for a, w in known.items() if w == choice] or [a for a, w in known.items() if choice in w]
        if len(fits) != 1:
            raise ContentError(
                str(self._file), f"{self.name}.best", choice, f"words of one of {sorted(known.values())}"
            )
        return fits[0]

    def number_of(self, phase: str) -> int:
        """The number of a phase of its game."""
        return number_of(self.edition, phase)

    def over(self, battle: Battle) -> bool:
        """Whether the horizon is reached."""
        clock = battle.clock
        now = (clock.round[0], int(clock.turn[0] != clock.first_player[0]), clock.phase[0])
        until = self.until
        then = (until.round, int(until.turn != clock.first_player[0]), self.number_of(until.phase))
        return battle.over or now >= then

    def value(self, battle: Battle) -> float:
        """The value of the battle for the player, minus that at the start of the position."""
        if self._before is None:
            self._before = self._total(self.start)
        return self._total(battle) - self._before

    def _total(self, battle: Battle) -> float:
        """The value of the battle for the player."""
        vp, worth, mine = battle.players.vp, self.worth, self.player
        total = worth.vp * (vp[mine] - vp[1 - mine])
        if worth.wounds or worth.units:
            units, models = battle.units.rows, battle.models.rows
            destroyed = units["place"] == DESTROYED
            rows = models["datasheet"]
            wounds = np.bincount(rows, models["wounds"] * models["alive"], len(units))
            full = np.bincount(rows, models["max_wounds"], len(units))
            lost = units["points"] * np.where(destroyed, 1.0, 1.0 - wounds / np.maximum(full, 1))
            price = worth.wounds * lost + worth.units * units["points"] * destroyed
            total += float(np.where(units["owner"] == mine, -price, price).sum())
        return float(total)


def last_option(_battle: Any, mask: Array) -> int:
    """The last legal action (a delegate)."""
    return len(mask) - 1 - int(mask[::-1].argmax())


def legal_cells(battle: Battle) -> tuple[Array, Array, Array]:
    """The legal cells of the waiting decision.

    Returns:
        The cells as actions, and x and y of the unit's middle for each, inches; all of shape (cells,).
    """
    space, mask = battle.setup.space, battle.legal()
    slots = np.flatnonzero(mask[space.cell : space.angle])
    if len(slots) == 0:
        return slots, slots.astype(float), slots.astype(float)
    unit = battle.clock.subject[0]
    rows = list(battle.members(unit))
    centre = (0.0, 0.0)
    if rows:
        models = battle.models.rows
        centre = (float(models["x"][rows].mean()), float(models["y"][rows].mean()))
    xs, ys = battle.pending().cells(space.grid, centre)
    return space.cell + slots, xs[slots], ys[slots]


class Powers(Content):
    """What a unit can do in the Psychic phase.

    Attributes:
        manifests, denies: number of powers that it may manifest and deny.
        powers: powers that it knows besides Smite.
    """

    manifests: Few = 0
    denies: Few = 0
    powers: Annotated[tuple[PowerSpec, ...], Field(max_length=12)] = ()


class Short(Content):
    """A datasheet in the short form of ``wh_env.testing.sheet``. The full datasheet made from it checks the
    values.

    ``psychic`` is only for editions with a Psychic phase.
    """

    M: Any = None
    T: Any = None
    Sv: Any = None
    W: Any = None
    Ld: Any = None
    OC: Any = None
    invuln: Any = None
    invuln2: Any = None
    fnp: Any = None
    base_mm: Any = None
    hull_in: tuple[Real, Real] | None = None
    height: Any = None
    models: tuple[Few, Some] = (1, 20)
    weapons: dict[Name, Any] = Field(default_factory=dict)
    keywords: Annotated[tuple[Name, ...], Field(max_length=MANY)] = ()
    faction_keywords: Annotated[tuple[Name, ...], Field(max_length=MANY)] = ()
    abilities: dict[Name, Any] = Field(default_factory=dict)
    points: Any = None
    psychic: Powers | None = None


def full_sheet(name: str, fields: dict[str, Any]) -> dict[str, Any]:
    """The full datasheet for a short form."""
    return sheet(name, **{field: value for field, value in fields.items() if field != "psychic"})


def profile_of(fields: dict[str, Any]) -> PsychicProfile | None:
    """The psychic profile in a short form; ``None`` if it has none."""
    profile = Short(**fields).psychic
    if profile is None:
        return None
    return PsychicProfile(profile.manifests, profile.denies, tuple(power.power for power in profile.powers))


def edition_named(ruleset: str, file: str) -> Edition:
    """The edition with this id.

    Args:
        ruleset: the id.
        file: the file that names it, for errors.

    Raises:
        ContentError: there is none.
    """
    known = {name: game.ruleset for name, game in GAMES.items() if isinstance(game.ruleset, Edition)}
    if ruleset not in known:
        raise unknown(file, "ruleset", ruleset, known)
    return known[ruleset]


def number_of(edition: Edition, phase: str) -> int:
    """The number of a phase; 0 if the edition has no such phase."""
    names = [name.lower() for name in edition.phases]
    return names.index(phase) if phase in names else 0
