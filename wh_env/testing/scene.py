"""Building any position: to test a rule, to check a ruling, to start training from a set piece.

    from wh_env.testing import Scene, sheet

    scene = Scene(size=(60, 44))
    guns = scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, A=2, BS=3, S=4)}), at=[(10, 10), (12, 10)])
    mob = scene.unit(1, "Termagants", at=(20, 10))
    battle = scene.battle(phase="shooting", dice=[3, 4, 1])
    pick(battle, "Guns")            # choose the action whose words contain this
    battle.units.alive[mob]         # a unit handle is its row

Units come from datasheets by name or inline as a dict of the same schema. Every position that overlaps or leaves the
table is a ``ContentError``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import pi
from typing import Any, Literal

import numpy as np

from wh_env.content.battle import Battle
from wh_env.content.errors import ContentError
from wh_env.content.load import validate
from wh_env.content.w10.compile import TenthCompiler
from wh_env.content.w10.load import load_datasheet
from wh_env.content.w10.muster import MusteredUnit, write_out
from wh_env.content.w10.schema import ArmyUnit, Datasheet, Enhancement
from wh_env.content.w40k.compile import SUMMONED, Plan
from wh_env.content.w40k.schema import Battlefield, OtherAbility
from wh_env.content.w40k.terrain import compile_terrain
from wh_env.core.geometry.shapes import inside_table_at, overlap_at, overlaps_in_height
from wh_env.core.setup import Delegate
from wh_env.core.tables import DEPLOYING, DESTROYED, EMBARKED, ON_TABLE, RESERVE, Array
from wh_env.rulesets.w10.ruleset import TENTH_EDITION
from wh_env.rulesets.w40k.edition import Edition
from wh_env.rulesets.w40k.psychic.data import PsychicPower, PsychicProfile
from wh_env.testing.play import SCRIPT_ROOM, Spot, script

PLACES = {"table": ON_TABLE, "deploy": DEPLOYING, "reserves": RESERVE, "embarked": EMBARKED, "destroyed": DESTROYED}


def ranged(
    reach: float,
    A: int | str = 1,
    BS: int | None = 4,
    S: int | str = 4,
    AP: int = 0,
    D: int | str = 1,
    abilities: Sequence[str] = (),
) -> dict[str, Any]:
    """A ranged weapon of one profile as the datasheet schema writes it (``S="2D6"``, ``abilities=["Melta D3"]``).

    ``BS=None``: Torrent.
    """
    profile: dict[str, Any] = {"range": reach, "A": A, "S": S, "AP": AP, "D": D, "abilities": list(abilities)}
    return profile if BS is None else {**profile, "skill": BS}


def melee(
    A: int | str = 1, WS: int = 4, S: int | str = 4, AP: int = 0, D: int | str = 1, abilities: Sequence[str] = ()
) -> dict[str, Any]:
    """A melee weapon of one profile as the datasheet schema writes it."""
    return {"range": "melee", "A": A, "skill": WS, "S": S, "AP": AP, "D": D, "abilities": list(abilities)}


def sheet(
    name: str = "Squad",
    *,
    M: float = 6,
    T: int = 4,
    Sv: int = 4,
    W: int = 1,
    Ld: int = 7,
    OC: int = 1,
    invuln: int | None = None,
    invuln2: int | None = None,
    fnp: int | None = None,
    base_mm: float | tuple[float, float] | None = 25.4,
    hull_in: tuple[float, float] | None = None,
    height: float = 1.5,
    models: tuple[int, int] = (1, 20),
    weapons: Mapping[str, Any] | None = None,
    keywords: Sequence[str] = ("INFANTRY",),
    faction_keywords: Sequence[str] = ("TESTERS",),
    abilities: Mapping[str, Any] | None = None,
    points: int = 100,
    **model: Any,
) -> dict[str, Any]:
    """An inline datasheet of one kind of model, by default on a base of 1 inch; ``model`` adds fields of its model."""
    if hull_in is not None:
        base: dict[str, Any] = {"hull_in": list(hull_in)}
    elif isinstance(base_mm, tuple):
        base = {"oval_mm": list(base_mm)}
    else:
        base = {"circle_mm": base_mm}
    kind: dict[str, Any] = {
        "name": name, "min": models[0], "max": models[1], "M": M, "T": T, "Sv": Sv, "W": W, "Ld": Ld, "OC": OC,
        "base": base, "height_in": height, "weapons": list(weapons or {}), **model,
    }  # fmt: skip
    given = {"invuln": invuln, "invuln2": invuln2, "fnp": fnp}
    kind |= {field: value for field, value in given.items() if value is not None}
    return {
        "name": name,
        "faction": "Testers",
        "faction_keywords": list(faction_keywords),
        "keywords": list(keywords),
        "models": [kind],
        "weapons": dict(weapons or {}),
        "abilities": dict(abilities or {}),
        "points": [{"models": models[1], "points": points}],
    }


class SceneCompiler(TenthCompiler):
    """The compiler of the 10th edition with entries from datasheets of other editions.

    They are Power Ratings, a lower Move, passengers that get out on arrival or shoot, and units that pass Morale tests.
    """

    def __init__(self, plan: Plan[MusteredUnit], told: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(plan)
        self.told = told

    def statics(self, models: Array) -> dict[str, Any]:
        """The statics of the 10th edition, with more entries.

        ``power`` and ``least_move`` are by unit row. ``drops`` and ``passes_morale`` are unit rows. ``open_topped``
        maps unit rows of TRANSPORTS to whether passengers shoot with all weapons while the TRANSPORT is engaged.
        """
        return {
            **super().statics(models),
            "power": [unit["power"] for unit in self.told],
            "least_move": [unit["least_move"] for unit in self.told],
            "passes_morale": tuple(row for row, unit in enumerate(self.told) if unit["passes_morale"]),
            "drops": tuple(row for row, unit in enumerate(self.told) if unit["drops"]),
            "open_topped": {
                row: how == "engaged" for row, unit in enumerate(self.told) if (how := unit["open_topped"])
            },
        }


class UnitHandle:
    """A unit of a scene; usable as its row once the battle is built (``battle.units.alive[handle]``)."""

    def __init__(self, scene: Scene, player: int, number: int) -> None:
        self._scene, self.player, self.number = scene, player, number

    @property
    def row(self) -> int:
        """Row in the tables of the battle: units of player 0, then its spare rows, then the same of player 1."""
        return self.number + (len(self._scene.units[0]) + len(self._scene.splitting(0)) if self.player else 0)

    @property
    def spare(self) -> int:
        """The row of the second part of a unit that can split."""
        units = self._scene.units[self.player]
        return self.row - self.number + len(units) + self._scene.splitting(self.player).index(self.number)

    def __index__(self) -> int:
        return self.row

    def __eq__(self, other: object) -> bool:
        return self.row == other

    def __ge__(self, other: int) -> bool:
        return self.row >= other

    def __hash__(self) -> int:
        return hash((self.player, self.number))

    @property
    def first(self) -> int:
        """Row of its first model."""
        before = [u for p in (0, 1) for k, u in enumerate(self._scene.units[p]) if (p, k) < (self.player, self.number)]
        return sum(len(u["mustered"].models) for u in before)

    def model(self, n: int) -> int:
        """Row of its n-th model."""
        return self.first + n


class Scene:
    """A position that is built step by step. Player 0 is the Attacker; its deployment zone lies along y = 0.

    Datasheets are those of the 10th edition; ``edition`` says by which rules they are played.
    """

    def __init__(
        self,
        size: tuple[float, float] = (60.0, 44.0),
        zone_depth: float = 10.0,
        *,
        edition: Edition = TENTH_EDITION,
    ) -> None:
        self.size = (float(size[0]), float(size[1]))
        self.edition = edition
        self.units: tuple[list[dict[str, Any]], list[dict[str, Any]]] = ([], [])
        self.features: list[dict[str, Any]] = []
        self.markers: list[tuple[float, float]] = []
        self.timed: list[Any] = []
        self.actions: list[Any] = []
        # by player, of factions and Detachments
        self.army_rules: tuple[list[OtherAbility], list[OtherAbility]] = ([], [])
        self.psychic_actions: list[PsychicPower] = []
        length, width = self.size
        self.zones = (
            ((0.0, 0.0), (length, 0.0), (length, zone_depth), (0.0, zone_depth)),
            ((0.0, width - zone_depth), (length, width - zone_depth), (length, width), (0.0, width)),
        )

    def unit(
        self,
        player: int,
        datasheet: str | Mapping[str, Any],
        at: Spot | Sequence[Spot] | None = None,
        *,
        models: int | None = None,
        equipment: Mapping[str, Mapping[str, int]] | None = None,
        gap: float = 0.5,
        facing: float | None = None,
        wounds: Sequence[int] | Mapping[int, int] | None = None,
        lost: Iterable[int] = (),
        place: str = "table",
        reserves: str | None = None,
        leads: UnitHandle | None = None,
        embarked_in: UnitHandle | None = None,
        warlord: bool = False,
        hull: int = 0,
        name: str | None = None,
        points: int | None = None,
        power: int = 0,
        least_move: float | None = None,
        drops: bool = False,
        open_topped: bool | Literal["engaged"] = False,
        passes_morale: bool = False,
        psychic: PsychicProfile | None = None,
        splits: int = 0,
        enhancement: Enhancement | None = None,
        **columns: int,
    ) -> UnitHandle:
        """Add a unit.

        Args:
            player: 0 or 1. datasheet: name of a shipped one, or one inline (see ``sheet``).
            at: a spot ``(x, y)``, ``(x, y, z)`` or ``(x, y, z, facing)`` for each model; or one spot for the first
                model, the others follow in a row along +x with ``gap`` inches between bases.
            models: None: one for each spot, else the smallest unit. equipment: as in army lists.
            wounds: wounds left by model number. lost: numbers of destroyed models.
            place: ``table``, ``deploy``, ``embarked``, ``destroyed`` or ``reserves`` (by the rule ``reserves``).
            leads: its Bodyguard unit. warlord: it has the WARLORD. embarked_in: its TRANSPORT; hull: model number.
            power, least_move, drops, open_topped, passes_morale: see ``SceneCompiler.statics``.
            psychic: what it manifests, denies and knows. splits: number of its models that can split off (``spare``).
            enhancement: of its CHARACTER. columns: of its row by name (``shocked=1``).
        """
        known, spots = _sheet_of(datasheet), _spots(at)
        count = models if models is not None else (len(spots) if len(spots) > 1 else known.smallest)
        led, carried = (unit.number if unit is not None else None for unit in (leads, embarked_in))
        mustered = self._mustered(known, name, count, equipment or {}, known.cost(count) if points is None else points)
        mustered = replace(mustered, leads=led, embarked_in=carried, warlord=warlord, reserves=reserves)
        mustered = replace(mustered, splits=splits, enhancement=enhancement)
        start = _starts(place, reserves, embarked_in is not None)
        entry = _standing(spots, gap, start, wounds or {}, lost, pi / 2 - pi * player if facing is None else facing)
        entry |= {"mustered": mustered, "carrier": embarked_in, "hull": hull, "columns": columns, "psychic": psychic}
        entry["told"] = _told(power, least_move, drops, open_topped, passes_morale)
        self.units[player].append(entry)
        return UnitHandle(self, player, len(self.units[player]) - 1)

    def _mustered(
        self, known: Datasheet, name: str | None, count: int, equipment: Mapping[str, Mapping[str, int]], points: int
    ) -> MusteredUnit:
        """A unit of ``count`` models with its equipment; not named, it is called by its datasheet."""
        unit = {"datasheet": known.name, "models": count, "equipment": dict(equipment)}
        same = sum(1 for side in self.units for u in side if u["mustered"].datasheet.name == known.name)
        called = name or (known.name if not same else f"{known.name} {same + 1}")
        return MusteredUnit(called, known, write_out(validate(ArmyUnit, unit, "<scene>"), known), points)

    def splitting(self, player: int) -> list[int]:
        """Numbers of the units of a player that can split."""
        return [number for number, unit in enumerate(self.units[player]) if unit["mustered"].splits]

    def feature(self, **fields: Any) -> None:
        """Add a terrain feature as the battlefield schema writes it (``kind``, ``polygon``, ``height``, ``parts``)."""
        self.features.append(fields)

    def box(
        self, x0: float, y0: float, x1: float, y1: float, height: float, kind: str = "container", z: float = 0.0
    ) -> None:
        """Add a solid box of a kind of terrain feature; ``z``: the height of its lower side (an arch, a bridge)."""
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        parts = {"masses": [{"polygon": corners, "z": z, "height": height}]} if z else None
        self.features.append(
            {"kind": kind, "polygon": corners, "height": height, **({"parts": parts} if parts is not None else {})}
        )

    def wall(
        self, x0: float, y0: float, x1: float, y1: float, height: float, kind: str = "building", thickness: float = 0.1
    ) -> None:
        """Add a wall along a line as a feature of its own."""
        length = float(np.hypot(x1 - x0, y1 - y0))
        nx, ny = -(y1 - y0) / length * thickness / 2, (x1 - x0) / length * thickness / 2
        outline = [(x0 - nx, y0 - ny), (x1 - nx, y1 - ny), (x1 + nx, y1 + ny), (x0 + nx, y0 + ny)]
        self.features.append(
            {
                "kind": kind,
                "polygon": [(float(x), float(y)) for x, y in outline],
                "height": height,
                "parts": {"walls": [{"polygon": [(float(x), float(y)) for x, y in outline], "height": height}]},
            }
        )

    def floor(self, x0: float, y0: float, x1: float, y1: float, height: float, kind: str = "ruins") -> None:
        """Add a ruin that is only an upper floor."""
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        parts = {"floors": [{"polygon": corners, "height": height}]}
        self.features.append({"kind": kind, "polygon": corners, "height": height, "parts": parts})

    def area(self, kind: str, x0: float, y0: float, x1: float, y1: float, height: float = 0.0, **parts: Any) -> None:
        """Add a terrain feature on a rectangle with only the given parts (``walls``, ``floors``, ``masses``)."""
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        self.features.append({"kind": kind, "polygon": corners, "height": height, "parts": parts})

    def ruins(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        walls: Sequence[Mapping[str, Any]] = (),
        floors: Sequence[float] = (),
        height: float = 5.0,
    ) -> None:
        """Add Ruins on a rectangle: walls as in the battlefield schema, and full floors at ``floors`` inches."""
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        storeys = [{"polygon": corners, "height": z} for z in floors]
        self.area("ruins", x0, y0, x1, y1, height, walls=[dict(wall) for wall in walls], floors=storeys)

    def woods(self, x0: float, y0: float, x1: float, y1: float, height: float = 4.0) -> None:
        """Add Woods on a rectangle: a footprint only, without obstacles."""
        self.area("woods", x0, y0, x1, y1, height)

    def crater(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Add a flat crater on a rectangle."""
        self.area("crater", x0, y0, x1, y1)

    def marker(self, x: float, y: float) -> int:
        """Add an objective marker; returns its row."""
        self.markers.append((float(x), float(y)))
        return len(self.markers) - 1

    def rule(self, rule: Any) -> None:
        """Add a timed rule (``wh_env.rulesets.w40k.sequence.sequencing.TimedRule``); its ``unit`` may be a handle."""
        self.timed.append(rule)

    def action(self, action: Any) -> int:
        """Add an action that units may perform, as the edition knows it, and return its number.

        A psychic action is a ``PsychicPower``.
        """
        known = self.psychic_actions if isinstance(action, PsychicPower) else self.actions
        known.append(action)
        return len(known) - 1

    def battle(
        self,
        phase: str | None = "movement",
        *,
        active: int = 0,
        round: int = 1,
        first_player: int = 0,
        attacker: int | None = 0,
        cp: tuple[int, int] = (0, 0),
        vp: tuple[int, int] = (0, 0),
        dice: Sequence[int] = (),
        detail: str = "squad",
        seed: int = 0,
        rules: Mapping[str, Any] | None = None,
        delegates: Mapping[str, Delegate] | None = None,
        set_state: Callable[[Battle], None] | None = None,
        run: bool = True,
    ) -> Battle:
        """The battle, waiting for its first decision.

        Args:
            phase: ``command``, ``movement``, ``shooting``, ``charge`` or ``fight`` of ``active`` in ``round``;
                ``mission``: from the placing of markers and deployment on; ``end``: the end of that player's turn.
            attacker: number of the player; None: rolled off in the mission sequence.
            dice: scripted dice, used up before random ones.
            rules: numbers and switches by name (``Edition.core_rules``).
            set_state: called with the battle before it runs, to change any other state.
            run: False leaves the battle standing before the phase begins.
        """
        own = {"detail": detail, "attacker": -1 if attacker is None else attacker, **(rules or {})}
        battle = self._bound(self._plan(own, delegates or {}), seed, dice)
        battle.players.cp[0], battle.players.cp[1] = cp
        battle.players.vp[0], battle.players.vp[1] = vp
        battle.clock.attacker[0], battle.clock.first_player[0] = attacker or 0, first_player
        if phase != "mission":
            self._place(battle)
        self._set_columns(battle)
        if set_state is not None:
            set_state(battle)
        self.edition.enter(battle, phase or "movement", active, round)
        if run:
            battle.run()
        return battle

    def _plan(self, rules: Mapping[str, Any], delegates: Mapping[str, Delegate]) -> Plan[MusteredUnit]:
        """The plan that the scene compiles from."""
        return Plan(
            edition=self.edition,
            size=self.size,
            armies=tuple([u["mustered"] for u in side] for side in self.units),  # type: ignore[arg-type]
            zones=self.zones,
            terrain=self._terrain(),
            objectives=self.markers,
            markers=int(rules.get("players_place_markers", 0)),
            rules=rules,
            timed=[_with_row(rule) for rule in self.timed],
            psychic={row: unit["psychic"] for row, unit in self._rows() if unit["psychic"] is not None},
            psychic_actions=self.psychic_actions,
            actions=self.actions,
            army_rules=self.army_rules,
            delegates=delegates,
            script=SCRIPT_ROOM,
            source=f"scene:{self.size}",
        )

    def _bound(self, plan: Plan[MusteredUnit], seed: int, dice: Sequence[int]) -> Battle:
        """A battle of the plan before its start, with scripted dice."""
        if len(dice) > SCRIPT_ROOM:
            raise ContentError("<scene>", "dice", len(dice), f"at most {SCRIPT_ROOM} scripted dice")
        told = [self.units[p][n]["told"] for p in (0, 1) for n in (*range(len(self.units[p])), *self.splitting(p))]
        setup = SceneCompiler(plan, told).run()
        battle = object.__new__(Battle)
        battle._bind(setup, setup.template.copy(), record=True)
        battle._seed(seed)
        script(battle, dice)
        return battle

    def _rows(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Each unit with its row."""
        for player, side in enumerate(self.units):
            for number, unit in enumerate(side):
                yield UnitHandle(self, player, number).row, unit

    def _set_columns(self, battle: Battle) -> None:
        """Set the columns of units that the scene names."""
        for row, unit in self._rows():
            for column, value in unit["columns"].items():
                getattr(battle.units, column)[row] = int(value)

    def _terrain(self) -> Any:
        if not self.features:
            return None
        field = validate(Battlefield, {"name": "scene", "size": list(self.size), "features": self.features}, "<scene>")
        return compile_terrain(field, types=self.edition.terrain)

    def _place(self, battle: Battle) -> None:
        m, u = battle.models, battle.units
        from wh_env.rulesets.w40k.attack.casualties import drop_keywords
        from wh_env.rulesets.w40k.deploy.formations import attach

        for row, unit in self._rows():
            first, count = u.first[row], u.count[row]
            u.place[row] = PLACES[unit["place"]]
            if unit["place"] == "reserves":
                u.reserve[row] = 2 if unit["mustered"].reserves == "strategic" else 1
            if unit["carrier"] is not None:
                u.carrier[row] = unit["carrier"].row
                if len(battle.hulls):
                    battle.hulls[row] = unit["carrier"].model(unit["hull"])
            spots = _row_of(unit["spots"], unit["gap"], [m.radius[first + k] for k in range(count)])
            for k in range(count):
                model = first + k
                m.wounds[model] = unit["wounds"].get(k, m.max_wounds[model])
                if k in unit["lost"] or unit["place"] == "destroyed":
                    m.alive[model] = m.wounds[model] = 0
                    u.alive[row] -= 1
                elif unit["place"] == "table":
                    if k >= len(spots):
                        raise ContentError("<scene>", "at", len(spots), f"a place for each of {count} models")
                    spot = spots[k]
                    m.x[model], m.y[model] = float(spot[0]), float(spot[1])
                    m.z[model] = float(spot[2]) if len(spot) > 2 else 0.0
                    m.facing[model] = float(spot[3]) if len(spot) > 3 else unit["facing"]
                    m.on_table[model] = 1
                    self._check(battle, model, unit["mustered"].name, k)
            drop_keywords(battle, [first + k for k in unit["lost"]])
        for player, side in enumerate(self.units):
            for number, unit in enumerate(side):
                if unit["mustered"].leads is not None:
                    leader = UnitHandle(self, player, number).row
                    bodyguard = UnitHandle(self, player, unit["mustered"].leads).row
                    standing = u.place[bodyguard]
                    u.place[leader] = u.place[bodyguard] = DEPLOYING
                    attach(battle, leader, bodyguard)
                    u.place[bodyguard] = standing

    def _check(self, battle: Battle, model: int, unit: str, number: int) -> None:
        m = battle.models
        x, y, f = m.x[model], m.y[model], m.facing[model]
        if not inside_table_at(m.rows, model, x, y, f, *self.size):
            raise ContentError("<scene>", f"{unit}.at[{number}]", (x, y), f"a place on the table of {self.size}")
        for other in range(len(m.x)):
            if (
                other != model
                and m.on_table[other]
                and overlap_at(m.rows, model, x, y, f, other, m.x[other], m.y[other], m.facing[other])
            ):
                if overlaps_in_height(m.z[model], m.height[model], m.z[other], m.height[other]):
                    raise ContentError(
                        "<scene>", f"{unit}.at[{number}]", (x, y), "no overlap with another base", "overlaps"
                    )


def _sheet_of(datasheet: str | Mapping[str, Any]) -> Datasheet:
    """A shipped datasheet by name, or one inline."""
    if isinstance(datasheet, str):
        return load_datasheet(datasheet)
    return validate(Datasheet, dict(datasheet), "<scene>")


def _starts(place: str, reserves: str | None, aboard: bool) -> str:
    """The place of a unit when the scene begins, one of ``PLACES``; a unit that may be summoned counts as destroyed."""
    if reserves == SUMMONED:
        return "destroyed"
    return "reserves" if reserves else "embarked" if aboard else place


def _standing(
    spots: list[Spot],
    gap: float,
    place: str,
    wounds: Sequence[int] | Mapping[int, int],
    lost: Iterable[int],
    facing: float,
) -> dict[str, Any]:
    """Where the models of a unit stand, and what they have lost."""
    left = dict(enumerate(wounds)) if isinstance(wounds, Sequence) else dict(wounds)
    return {"spots": spots, "gap": gap, "facing": facing, "wounds": left, "lost": set(lost), "place": place}


def _told(
    power: int, least_move: float | None, drops: bool, open_topped: bool | str, passes_morale: bool
) -> dict[str, Any]:
    """The entries of datasheets of other editions, by name."""
    return {
        "power": power,
        "least_move": least_move,
        "drops": drops,
        "open_topped": open_topped,
        "passes_morale": passes_morale,
    }


def _spots(at: Any) -> list[Spot]:
    if at is None:
        return []
    if isinstance(at[0], int | float):
        return [at]
    return list(at)


def _row_of(spots: list[Spot], gap: float, radii: list[float]) -> list[Spot]:
    """The spots; a single spot becomes a row of bases with these radii along +x."""
    if len(spots) != 1 or len(radii) < 2:
        return spots
    row, x = [spots[0]], float(spots[0][0])
    for before, after in pairwise(radii):
        x += before + gap + after
        row.append((x, *spots[0][1:]))
    return row


def _with_row(rule: Any) -> Any:
    if isinstance(rule.unit, UnitHandle):
        return replace(rule, unit=rule.unit.row)
    return rule
