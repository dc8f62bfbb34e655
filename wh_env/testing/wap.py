"""Building any position of the game of regiments, as ``wh_env.testing`` does for the others.

    from wh_env.testing.wap import NORTH, RegimentScene

    scene = RegimentScene()
    # (24, 10) is the middle of the front edge
    spears = scene.unit(0, "spearmen", (24, 10), facing=NORTH, files=5, models=20)
    wolves = scene.unit(1, "wolves", (24, 30), models=5)
    battle = scene.battle("movement", dice=[3, 4])
    battle.units.alive[spears]                        # a handle is its row

Cards are those of the shipped sheets by name, or inline as a dict of the same schema; ``square`` makes plain ones on
bases of one inch. The functions of ``wh_env.testing`` that play a position (``pick``, ``choose``, ``slots``, ``told``,
...) work on these battles too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import cos, pi, sin
from typing import Any

from wh_env.content.battle import Battle
from wh_env.content.errors import ContentError, unknown
from wh_env.content.load import merge, names, validate
from wh_env.content.wap import Plan, Regiment, compile_plan, load_mission, load_rules, load_sheet
from wh_env.content.wap.alliances import Party
from wh_env.content.wap.item_files import Known
from wh_env.content.wap.load import placed
from wh_env.content.wap.muster import files_of
from wh_env.content.wap.schema_battle import Battlefield, Mission
from wh_env.content.wap.schema_items import ItemRow
from wh_env.content.wap.schema_units import Card, Entry
from wh_env.core.geometry.flush import flush_front
from wh_env.core.procedures import STEP
from wh_env.core.setup import Delegate, Setup
from wh_env.core.tables import ATTACHED, DEPLOYING, ON_TABLE, RESERVE
from wh_env.rulesets.wap.basics.blocks import blocks_overlap, derive_all
from wh_env.rulesets.wap.basics.contacts import meet
from wh_env.rulesets.wap.basics.effects import Effect
from wh_env.rulesets.wap.basics.garrisons import occupy
from wh_env.rulesets.wap.basics.sight import find_who_see
from wh_env.rulesets.wap.basics.special_rules import book_of, models_have
from wh_env.rulesets.wap.basics.standing import settle_all
from wh_env.rulesets.wap.battle.timing import start_phase
from wh_env.rulesets.wap.codes import BROKEN, FRONT, HELD, WON, Phase
from wh_env.rulesets.wap.combat.close_combat import CloseCombat, FightCombat
from wh_env.rulesets.wap.combat.impact_hits import ImpactHits
from wh_env.rulesets.wap.combat.rivals import count_rivals
from wh_env.rulesets.wap.combat.rounds import begin_combat, end_combat, round_over
from wh_env.rulesets.wap.combat.strikes import Strikes
from wh_env.rulesets.wap.movement.movers import is_leaver, is_mover
from wh_env.rulesets.wap.tables import PARTS
from wh_env.testing.play import SCRIPT_ROOM, Spot, script

EAST, NORTH, WEST, SOUTH = 0.0, 0.5 * pi, pi, -0.5 * pi
PLAIN: Mapping[str, Any] = {"m": 4, "ws": 3, "bs": 3, "s": 3, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 7}
INCH = 25.4


def square(**values: Any) -> dict[str, Any]:
    """A card of Core infantry, or of a Hero, on bases of one inch.

    ``values`` are fields of the card, or characteristics by name.
    """
    profile = {name: values.pop(name, PLAIN[name]) for name in PLAIN}
    category = "hero" if values.get("character") else "core"
    return {
        "type": "infantry",
        "category": category,
        "base_mm": [INCH, INCH],
        "points": 5,
        "profile": profile,
        **values,
    }


def shipped_cards() -> dict[str, Card]:
    """The cards of all shipped army sheets."""
    cards: dict[str, Card] = {}
    for name in names("factions", "wap"):
        cards.update(load_sheet(name).cards)
    return cards


def shipped_books() -> dict[str, tuple[str, str]]:
    """Army book and alignment of the cards of all shipped army sheets."""
    sheets = [load_sheet(name) for name in names("factions", "wap")]
    return {card: (sheet.name, sheet.alignment) for sheet in sheets for card in sheet.cards}


def inline(items: Sequence[str | Mapping[str, Any]]) -> list[Known]:
    """The magic items that are not named but written out."""
    return [Known(validate(ItemRow, item, "<scene>"), "<scene>", "") for item in items if not isinstance(item, str)]


def carrying(regiment: Regiment, items: Sequence[str | Mapping[str, Any]]) -> Regiment:
    """A unit with these magic items, by name or inline."""
    named = tuple(item if isinstance(item, str) else item["name"] for item in items)
    return replace(regiment, items=named, book=inline(items))


def leading(regiment: Regiment, leads: Sequence[str], champion_option: str | None) -> Regiment:
    """A unit with its roles in the army, and the weapon that its champion has for himself."""
    general, bearer = "general" in leads, "battle standard" in leads
    return replace(regiment, general=general, battle_standard=bearer, champion_option=champion_option)


@dataclass(eq=False)
class UnitHandle:
    """A unit of a scene; usable as its row once the battle is built (``battle.units.alive[handle]``)."""

    scene: RegimentScene
    player: int
    number: int
    regiment: Regiment
    at: Spot | None
    facing: float
    lost: int
    columns: dict[str, Any] = field(default_factory=dict)
    inside: UnitHandle | None = None
    post: int = -1
    garrison: int = -1

    @property
    def row(self) -> int:
        """Row in ``units``: the units of player 0 come first."""
        return self.number + (len(self.scene.sides[0]) + self.scene.forms if self.player else 0)

    def __index__(self) -> int:
        return self.row

    @property
    def first(self) -> int:
        """Row of its first model."""
        sides = self.scene.sides
        before = [*sides[0], *sides[1]][: self.number + (len(sides[0]) if self.player else 0)]
        return sum(handle.regiment.models for handle in before) + (self.scene.forms if self.player else 0)

    def model(self, n: int = 0) -> int:
        """Row of its n-th model; command models come first."""
        return self.first + n


class RegimentScene:
    """A position that is built step by step. Player 0 has the southern edge (y = 0).

    ``effects`` are those that the battle can have.
    """

    def __init__(
        self,
        size: tuple[float, float] = (48.0, 48.0),
        *,
        rules: Mapping[str, Any] | None = None,
        mission: Mapping[str, Any] | str = "battleline",
        points: int | None = None,
        effects: Sequence[Effect] = (),
    ) -> None:
        self.size = (float(size[0]), float(size[1]))
        self.rules = load_rules(rules, "<scene>")
        self.points = points
        self.effects = tuple(effects)
        self.mission = self._mission(mission)
        self.parties: tuple[list[Party], list[Party]] = ([], [])
        self.sides: tuple[list[UnitHandle], list[UnitHandle]] = ([], [])
        self.features: list[dict[str, Any]] = []
        self.forms = 0  # other forms of player 0's wizards, whose rows follow his units
        self.cards = shipped_cards()
        self.books = shipped_books()

    @staticmethod
    def _mission(mission: Mapping[str, Any] | str) -> Mission:
        if isinstance(mission, str):
            return load_mission(mission)
        plain = load_mission("battleline").model_dump(mode="json", by_alias=True)
        return validate(Mission, merge(plain, mission), "<scene>")

    def army(self, player: int, book: str, alignment: str = "neutral", *, leader: str = "") -> int:
        """Add an army to a side of allies: the first is its main army. Returns the number that ``unit`` takes.

        Args:
            player: 0 or 1.
            book: its army book; also its name.
            alignment: ``order``, ``destruction`` or ``neutral``.
            leader: who leads it; "": the player of the main army.
        """
        armies = self.parties[player]
        armies.append(Party(book, book, alignment, leader))
        return len(armies) - 1

    def unit(
        self,
        player: int,
        card: str | Mapping[str, Any] | None = None,
        at: Spot | None = None,
        *,
        models: int = 10,
        files: int | None = None,
        facing: float | None = None,
        command: Sequence[str] = (),
        options: Sequence[str] = (),
        champion_option: str | None = None,
        leads: Sequence[str] = (),
        lost: int = 0,
        name: str | None = None,
        book: Sequence[str] = (),
        inside: UnitHandle | None = None,
        post: int = -1,
        drives: bool = False,
        army: int = 0,
        garrison: int = -1,
        items: Sequence[str | Mapping[str, Any]] = (),
        banner: str | None = None,
        **columns: Any,
    ) -> UnitHandle:
        """Add a unit.

        Args:
            player: 0 or 1.
            card: name of a shipped card, or one inline; None: infantry on bases of one inch.
            at: ``(x, y)`` of the middle of its front edge; None: it is not deployed. facing: in radians; None: towards
                the other edge.
            models: its number of models now. lost: number of its models already lost.
            files: None: five, more if it would be deeper than wide.
            command: its command models, of ``champion``, ``standard``, ``musician``.
            options: equipment that its card lets it buy. champion_option: the weapon that its champion has for himself.
            leads: its role in the army, of ``general``, ``battle standard``.
            book: names of its army book and alignment, if it is no shipped card.
            inside: the unit a character stands in; ``post``: its file in the front rank, counted from the right.
            drives: it is a pack master of the mixed unit ``inside``.
            army: number of its army on its side, if that has allies.
            garrison: the building that it is in, by its number among the features.
            items, banner: its magic items, by name or inline, and its magic banner; no limit of lists is checked.
            columns: further columns of its row (``fleeing=1``, ``did=MARCHED``, ...); ``reserve=True``: off the table.
        """
        called, known, book = self._card(card, book)
        side, bought = self.sides[player], models + lost
        wide = min(files if files is not None else files_of(Entry(card=called, models=models)), 32)
        points = bought * (known.points + sum(known.options[item] for item in options))
        points += self.rules.command_points * len(command)
        named, of = name or f"{called} {player}{len(side)}", (*book, called)
        regiment = Regiment(named, known, bought, wide, command, points, options, of, army=army, banner=banner)
        regiment = leading(carrying(regiment, items), leads, champion_option)
        if drives and inside is not None:
            regiment = replace(regiment, drives=inside.number)
        turned = facing if facing is not None else (NORTH if player == 0 else SOUTH)
        handle = UnitHandle(self, player, len(side), regiment, at, turned, lost, columns, inside, post, garrison)
        side.append(handle)
        return handle

    def _card(self, card: str | Mapping[str, Any] | None, book: Sequence[str]) -> tuple[str, Card, Sequence[str]]:
        """The name of a card, the card, and names of its army book and alignment (``book`` if it is no shipped card).

        Raises:
            ContentError: no shipped card has the name, or the inline one is not valid.
        """
        if not isinstance(card, str):
            return "unit", validate(Card, square() if card is None else card, "<scene>"), book
        if card not in self.cards:
            raise unknown("<scene>", "card", card, self.cards)
        return card, self.cards[card], book or self.books[card]

    def beside(
        self,
        target: UnitHandle,
        player: int,
        card: str | Mapping[str, Any] | None = None,
        *,
        side: int = FRONT,
        along: float = 0.0,
        **fields: Any,
    ) -> UnitHandle:
        """Add a unit whose front lies along a side of another one: in contact with it.

        Args:
            target: the unit it touches, on the table. player, card, fields: as for ``unit``.
            side: of the target, ``FRONT``, ``RIGHT``, ``REAR`` or ``LEFT``.
            along: inches from the middle of that side to the middle of the front, to the left as seen from the target.

        Raises:
            ValueError: the target is not on the table.
        """
        if target.at is None:
            raise ValueError(f"beside: {target.regiment.name} is not on the table")
        models = target.regiment.models - target.lost
        files = min(target.regiment.files, models)
        across, deep = target.regiment.card.base
        half_a = 0.5 * deep * -(-models // files)
        x, y = target.at[0] - half_a * cos(target.facing), target.at[1] - half_a * sin(target.facing)
        px, py, facing = flush_front(x, y, target.facing, half_a, 0.5 * across * files, side, along)
        return self.unit(player, card, (px, py), facing=facing, **fields)

    def area(
        self, kind: str, x0: float, y0: float, x1: float, y1: float, *, name: str | None = None, **fields: Any
    ) -> None:
        """Add ground of a kind on a rectangle; ``fields`` are others of a feature of a battlefield."""
        self.feature(kind, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)], name=name, **fields)

    def feature(self, kind: str, polygon: Sequence[Spot], *, name: str | None = None, **fields: Any) -> None:
        """Add ground of a kind on a polygon; ``name`` is its name in missions."""
        corners = [tuple(map(float, point)) for point in polygon]
        self.features.append({"kind": kind, "polygon": corners, "name": name, **fields})

    def battle(
        self,
        phase: str | None = "movement",
        *,
        turn: int = 1,
        player: int = 0,
        dice: Sequence[int] = (),
        detail: str = "squad",
        seed: int = 0,
        delegates: Mapping[str, Delegate] | None = None,
        set_state: Callable[[Battle], None] | None = None,
        run: bool = True,
    ) -> Battle:
        """The battle, waiting for its first decision.

        Args:
            phase: ``deployment``, ``movement``, ``magic``, ``shooting``, ``combat`` or ``end`` of ``turn``.
            player: the player whose turn it is; also the first player.
            dice: scripted dice, used up before random ones.
            set_state: called with the battle before it runs.
            run: False leaves the battle standing before the phase begins.

        Raises:
            ContentError: two units overlap.
        """
        setup = self._compiled(detail, delegates or {})
        self.forms = int(setup.layout.view(setup.template, "players")["units"][0]) - len(self.sides[0])
        battle = object.__new__(Battle)
        battle._bind(setup, setup.template.copy(), record=True)
        battle._seed(seed)
        script(battle, dice)
        self._set_up(battle)
        setup.ruleset.enter(battle, phase or "movement", player, turn)
        for handle in (*self.sides[0], *self.sides[1]):
            for column, value in handle.columns.items():
                if column != "reserve":
                    getattr(battle.units, column)[handle.row] = value
        derive_all(battle.models.rows, battle.units.rows, battle.parts.rows)
        settle_all(battle)
        if set_state is not None:
            set_state(battle)
        meet(battle)
        if run:
            battle.run()
        return battle

    def _compiled(self, detail: str, delegates: Mapping[str, Delegate]) -> Setup:
        """The Setup of the armies and the ground that were named so far."""
        table = {
            "name": "scene",
            "features": [{**f, "polygon": [list(p) for p in f["polygon"]]} for f in self.features],
        }
        battlefield = validate(Battlefield, table, "<scene>")
        armies = tuple([handle.regiment for handle in side] for side in self.sides)
        return compile_plan(
            Plan(
                size=self.size,
                armies=(armies[0], armies[1]),
                rules=self.rules,
                mission=self.mission,
                features=placed(battlefield, self.size),
                points=self.points,
                detail=detail,
                delegates=delegates,
                script=SCRIPT_ROOM,
                effects=self.effects,
                parties=self._parties(),
                source=f"scene:{self.size}",
            )
        )

    def _set_up(self, battle: Battle) -> None:
        """Put all units where they are to stand, those of garrisons into their buildings.

        Raises:
            ContentError: two units overlap.
        """
        handles = (*self.sides[0], *self.sides[1])
        for handle in handles:
            self._place(battle, handle)
        derive_all(battle.models.rows, battle.units.rows, battle.parts.rows)
        for handle in handles:  # characters may make a rank as wide as it was meant to be
            if battle.units.place[handle.row] == ON_TABLE:
                battle.units.files[handle.row] = min(handle.regiment.files, battle.units.block[handle.row])
        derive_all(battle.models.rows, battle.units.rows, battle.parts.rows)
        self._apart(battle)
        for handle in handles:
            if handle.garrison >= 0:
                occupy(battle, handle.row, handle.garrison, "wap.building.enter")
                battle.units.did[handle.row] = 0

    def _parties(self) -> tuple[list[Party], list[Party]]:
        """The armies of both sides; a side that names none has one."""
        plain = ([Party("player 0", "first", "order")], [Party("player 1", "second", "destruction")])
        return self.parties[0] or plain[0], self.parties[1] or plain[1]

    @staticmethod
    def _place(battle: Battle, handle: UnitHandle) -> None:
        u, row = battle.units, handle.row
        for k in range(handle.model(handle.regiment.models - handle.lost), handle.model(handle.regiment.models)):
            battle.models.alive[k] = battle.models.wounds[k] = 0
        u.alive[row] -= handle.lost
        if handle.inside is not None:
            u.place[row], u.bodyguard[row] = ATTACHED, handle.inside.row
            battle.models.post[handle.model()] = handle.post
            return
        if handle.at is None:
            u.place[row] = RESERVE if handle.columns.get("reserve") else DEPLOYING
            return
        u.place[row] = ON_TABLE
        u.x[row], u.y[row], u.facing[row] = float(handle.at[0]), float(handle.at[1]), handle.facing
        u.files[row] = min(handle.regiment.files, u.alive[row])

    @staticmethod
    def _apart(battle: Battle) -> None:
        units = [unit for unit in range(len(battle.units.owner)) if battle.units.place[unit] == ON_TABLE]
        for a in units:
            for b in units:
                if a < b and blocks_overlap(battle.parts.rows, battle.units.rows, a, b):
                    place = (battle.units.x[b], battle.units.y[b])
                    raise ContentError("<scene>", f"units[{b}].at", place, "no overlap with another unit", "overlaps")


def fought(
    *,
    won: Sequence[UnitHandle] = (),
    broken: Sequence[UnitHandle] = (),
    held: Sequence[UnitHandle] = (),
    lost_by: int = 1,
    then: Callable[[Battle], None] | None = None,
) -> Callable[[Battle], None]:
    """A ``set_state`` for a battle in the Close Combat phase: these units have fought a combat, up to the break tests.

    Args:
        won, broken, held: units of the combat, by its outcome for them.
        lost_by: the penalty of units that did not win.
        then: called at the end, to change any other state.
    """

    def apply(battle: Battle) -> None:
        u = battle.units
        meet(battle)
        battle.stack[battle.frame + STEP] += 1
        start_phase(battle, Phase.COMBAT)
        battle.push(CloseCombat, battle.clock.turn[0])
        battle.stack[battle.frame + STEP] = CloseCombat.Step.PICK
        for units, outcome in ((won, WON), (broken, BROKEN), (held, HELD)):
            for handle in units:
                u.fighting[handle.row] = u.fought[handle.row] = 1
                u.outcome[handle.row] = outcome
                u.penalty[handle.row] = 0 if outcome == WON else lost_by
        battle.push(FightCombat, won[0].row)
        battle.stack[battle.frame + STEP] = FightCombat.Step.CHOOSE
        if then is not None:
            then(battle)

    return apply


def other_combats(scene: RegimentScene) -> list[UnitHandle]:
    """Add two combats in corners of the table that are still to be fought; returns their units.

    The active player is then asked for the next combat when another one is over.
    """
    units = []
    for x in (4.0, scene.size[0] - 4.0):
        units.append(scene.unit(0, None, (x, 2), models=5))
        units.append(scene.beside(units[-1], 1, models=5))
    return units


# ---------------------------------------------------------------- one round


def fight(battle: Battle, unit: UnitHandle | int) -> Battle:
    """Fight one round of a unit's combat: impact hits and blows, without result or later phase.

    Stops at a decision, or when all have struck (the battle is over then). For battles made with ``run=False``.
    """
    battle.clock.depth[0] = battle.clock.over[0] = 0
    start_phase(battle, Phase.COMBAT)
    begin_combat(battle, int(unit))
    count_rivals(battle)
    battle.push(Strikes)
    battle.push(ImpactHits)
    battle.run()
    return battle


def fight_again(battle: Battle, unit: UnitHandle | int, dice: Sequence[int] = ()) -> Battle:
    """Fight the next round of a combat after one was fought, with scripted ``dice``."""
    round_over(battle)
    end_combat(battle)
    script(battle, dice)
    return fight(battle, unit)


# ---------------------------------------------------------------- reading a scene


def pose(battle: Battle, unit: UnitHandle | int) -> tuple[float, float, float]:
    """(x, y, facing) of a unit: the middle of its front edge in inches, and its facing in radians."""
    u, row = battle.units, int(unit)
    return u.x[row], u.y[row], u.facing[row]


def ranks(battle: Battle, unit: UnitHandle | int) -> list[int]:
    """The number of models in each rank, the front rank first."""
    u, row = battle.units, int(unit)
    count = -(-u.block[row] // max(1, u.files[row]))
    m = battle.models
    return [sum(1 for k in battle.members(row) if m.rank[k] == rank) for rank in range(count)]


def places(battle: Battle, unit: UnitHandle | int) -> list[tuple[float, float]]:
    """(x, y) of the unit's models in inches, rank by rank, from the right."""
    m = battle.models
    rows = sorted(battle.members(int(unit)), key=lambda k: (m.rank[k], m.file[k]))
    return [(m.x[k], m.y[k]) for k in rows]


def corners(battle: Battle, unit: UnitHandle | int) -> list[tuple[float, float]]:
    """Corners (x, y) of the unit's rectangles in inches: four for each, front left first, clockwise."""
    found = []
    u, parts = battle.units, battle.parts
    for k in range(u.first_part[int(unit)], u.first_part[int(unit)] + PARTS):
        if parts.on_table[k]:
            x, y, f, a, b = parts.x[k], parts.y[k], parts.facing[k], parts.half_a[k], parts.half_b[k]
            for ahead, aside in ((a, b), (a, -b), (-a, -b), (-a, b)):
                found.append((x + cos(f) * ahead - sin(f) * aside, y + sin(f) * ahead + cos(f) * aside))
    return found


# ---------------------------------------------------------------- asking a battle


def who_see(battle: Battle, unit: UnitHandle | int, target: UnitHandle | int) -> list[int]:
    """Rows of the models of a unit that see a base of another unit."""
    if not find_who_see(battle, int(unit), int(target)):
        return []
    seeing = battle.work.sights.seeing.tolist()
    return [k for k in battle.members(int(unit)) if seeing[k]]


def special_rules_of(battle: Battle, unit: UnitHandle | int) -> tuple[str, ...]:
    """Names of the special rules that models of a unit have now, each once.

    They come from its card and its troop type, and from rules that it has gained.
    """
    own = tuple(battle.setup.statics["abilities"][int(unit)])
    rules = dict.fromkeys((*own, *book_of(battle).gained_bits))
    return tuple(rule.name for rule in rules if models_have(battle, int(unit), rule))


def may_move(battle: Battle, unit: UnitHandle | int) -> bool:
    """Whether a unit may be chosen to move."""
    tables = battle.models.rows, battle.units.rows, battle.lines.rows, battle.setup.statics["profiles"]
    return bool(battle.work.call(is_mover, *tables, int(unit)))


def may_leave(battle: Battle, character: UnitHandle | int) -> bool:
    """Whether a character may be chosen to leave his unit."""
    tables = battle.models.rows, battle.units.rows, battle.lines.rows, battle.setup.statics["profiles"]
    return bool(battle.work.call(is_leaver, *tables, int(character)))
