"""Compiles a loaded Epic-scale battle to a ``Setup``: formations, units, weapons, terrain, numbers of the rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wh_env.content.epic.load import LoadedEpicBattle, Placed
from wh_env.content.epic.schema import NEEDED, Card, Rules
from wh_env.content.errors import ContentError
from wh_env.content.geometry import hull, seams
from wh_env.content.load import merge, validate
from wh_env.content.plain import plain
from wh_env.core.actions import ActionSpace
from wh_env.core.setup import Delegate, Setup
from wh_env.core.tables import BLOCK, CIRCLE, FEATURE, Array
from wh_env.rulesets.epic.codes import BLOCKS, CLEAR, DEPTH
from wh_env.rulesets.epic.orders.orders import Order
from wh_env.rulesets.epic.ruleset import EPIC
from wh_env.rulesets.epic.tables import NUMBERS, PIECE, WEAPON, blank, layout

UNIT_POINTS = 10  # of a unit, to weigh formations: the rules give no points costs (epic.mission.broken-points)
HEIGHT = 1.0  # cm of every unit; nothing in the rules asks for it
HIDES = 2  # BLOCK["screen"]: models behind it are not visible
ENDLESS = 1e9  # cm: terrain has no height in these rules
IMPOSSIBLE = 7  # a die that no roll reaches


@dataclass(frozen=True)
class Formation:
    """A formation: its units, each with the name of its card."""

    name: str
    units: Sequence[tuple[str, Card]]


@dataclass(frozen=True)
class Plan:
    """All data that a Setup is compiled from."""

    size: tuple[float, float]
    armies: tuple[Sequence[Formation], Sequence[Formation]]
    strategic: tuple[int, int]
    morale: tuple[int, int]
    rules: Rules
    features: Sequence[Placed] = ()
    objectives: Sequence[tuple[float, float]] = ()
    detail: str = "squad"
    players: tuple[str, str] = ("player 0", "player 1")
    delegates: Mapping[str, Delegate] = field(default_factory=dict)
    script: int = 1
    source: str = ""


def plan_of(loaded: LoadedEpicBattle, rules: Rules, delegates: Mapping[str, Delegate], source: str) -> Plan:
    """The plan that a loaded battle compiles from."""
    armies = []
    for army in loaded.armies:
        armies.append(
            [
                Formation(
                    entry.name, [(c, army.sheet.cards[c]) for c, number in entry.units.items() for _ in range(number)]
                )
                for entry in army.army.formations
            ]
        )
    first, second = loaded.armies
    return Plan(
        size=loaded.size,
        armies=(armies[0], armies[1]),
        strategic=(first.sheet.strategic_value, second.sheet.strategic_value),
        morale=(first.sheet.morale, second.sheet.morale),
        rules=rules,
        features=loaded.features,
        objectives=loaded.battlefield.objectives,
        detail=loaded.config.detail,
        players=(first.army.name, second.army.name),
        delegates=delegates,
        source=source,
    )


def source_of(loaded: LoadedEpicBattle, rules: Rules) -> str:
    """The battle as one JSON text with all content that it refers to."""

    def dump(model: Any) -> Any:
        return model.model_dump(mode="json", by_alias=True)

    config = dump(loaded.config)
    config["armies"] = [{**dump(army.army), "sheet": dump(army.sheet)} for army in loaded.armies]
    config["battlefield"] = dump(loaded.battlefield)
    config["rules"] = dump(rules)
    return json.dumps({"battle": config, "rules": {}}, separators=(",", ":"))


def compile_battle(
    loaded: LoadedEpicBattle,
    rules: Mapping[str, Any] | None = None,
    delegates: Mapping[str, Delegate] | None = None,
) -> Setup:
    """The Setup of a loaded battle.

    ``rules`` overrides rules of the battle, by the names in ``configs/epic/rules.yaml``.
    """
    chosen = loaded.rules
    if rules is not None and not isinstance(rules, Mapping):
        raise ContentError("<call>", "rules", rules, "a mapping of rules by name", "is no mapping")
    changes: Mapping[str, Any] = {} if rules is None else plain(rules, "<rules>")
    if changes:
        chosen = validate(Rules, merge(chosen.model_dump(mode="json"), changes), "<rules>")
    return compile_plan(plan_of(loaded, chosen, delegates or {}, source_of(loaded, chosen)))


def compile_plan(plan: Plan) -> Setup:
    """The frozen Setup of a plan.

    Raises:
        ContentError: more formations or weapons than the tables hold.
    """
    space = ActionSpace()
    for army in plan.armies:
        if len(army) > space.units:
            raise ContentError("<battle>", "armies", len(army), f"at most {space.units} formations in an army")
    check_secret_zones(plan)
    formations = [(player, formation) for player in (0, 1) for formation in plan.armies[player]]
    stands = sum(len(formation.units) for _, formation in formations)
    shots = max([1, *(sum(len(card.weapons) for _, card in formation.units) for _, formation in formations)])
    table = layout(len(formations), max(1, stands), shots, len(plan.objectives), plan.script)
    buffer = blank(table)
    weapons, weapon_names = fill_rows(plan, formations, table.view(buffer, "units"), table.view(buffer, "models"))
    fill_players(plan, table.view(buffer, "players"))
    objectives = table.view(buffer, "objectives")
    for row, (x, y) in enumerate(plan.objectives):
        objectives[row]["x"], objectives[row]["y"], objectives[row]["placed"] = x, y, 1
    ground, blocks, corners, features = terrain_tables(plan)
    rules = numbers_of(plan)
    return Setup(
        ruleset=EPIC,
        layout=table,
        template=buffer,
        space=space,
        length=plan.size[0],
        width=plan.size[1],
        blocks=blocks,
        corners=corners,
        features=features,
        statics={
            "ground": ground,
            "weapons": weapons,
            "numbers": kernel_numbers(plan),
            "orders": tuple(Order(name=name, **dict(order)) for name, order in plan.rules.orders.items()),
            "rosters": tuple([roster_entry(formation) for formation in army] for army in plan.armies),
        },
        names={
            "units": [formation.name for _, formation in formations],
            "models": [
                f"{formation.name}: {card} {n + 1}"
                for _, formation in formations
                for n, (card, _) in enumerate(formation.units)
            ],
            "weapons": weapon_names,
            "players": list(plan.players),
            "terrain": list(plan.rules.terrain),
        },
        rules=rules,
        delegates=EPIC.delegates(plan.detail, dict(plan.delegates)),
        source=plan.source,
        digest=hashlib.sha256(plan.source.encode()).hexdigest(),
        policies=plan.delegates,
    )


def fill_players(plan: Plan, players: Array) -> None:
    """Fill the rows of the players."""
    for player in (0, 1):
        players[player]["first_unit"] = player * len(plan.armies[0])
        players[player]["units"] = len(plan.armies[player])
        players[player]["strategic"], players[player]["morale"] = plan.strategic[player], plan.morale[player]


def check_secret_zones(plan: Plan) -> None:
    """Check epic.deploy.order: armies that deploy in secret must not be able to get in each other's way.

    Otherwise an illegal place would reveal where the opponent's units stand.

    Raises:
        ContentError: bases could overlap between the zones.
    """
    rules = plan.rules
    most = 0.5 * plan.size[1] - max(rules.infantry_radius_cm, rules.vehicle_radius_cm)
    if rules.deployment == "secret" and rules.deployment_depth_cm > most:
        expected = f"at most {most:.2f} cm on this table where the armies are deployed in secret"
        raise ContentError("<battle>", "rules.deployment_depth_cm", rules.deployment_depth_cm, expected)


def roster_entry(formation: Formation) -> dict[str, Any]:
    """The entry of a formation that both players know from the start."""
    cards: dict[str, int] = {}
    for name, _ in formation.units:
        cards[name] = cards.get(name, 0) + 1
    return {"name": formation.name, "units": cards}


def fill_rows(
    plan: Plan, formations: Sequence[tuple[int, Formation]], units: Array, models: Array
) -> tuple[Array, list[str]]:
    """Fill the rows of formations and units; returns the weapons of all cards as one array, and their names."""
    rules = plan.rules
    weapons: list[tuple[Any, ...]] = []
    names: list[str] = []
    known: dict[tuple[str, Card], int] = {}
    k = 0
    for row, (player, formation) in enumerate(formations):
        r = units[row]
        cards = [card for _, card in formation.units]
        r["owner"], r["first"], r["count"] = player, k, len(cards)
        r["alive"] = r["strength"] = len(cards)
        r["vehicle"] = int(any(card.is_vehicle for card in cards))
        r["points"] = UNIT_POINTS * sum(rules.broken.vehicle_counts if card.is_vehicle else 1 for card in cards)
        for name, card in formation.units:
            key = (name, card)
            if key not in known:
                known[key] = len(weapons)
                for weapon in card.weapons:
                    numbers = (weapon.dice, weapon.to_hit, weapon.save_modifier, int(weapon.turret))
                    weapons.append((weapon.range_cm, *numbers))
                    names.append(weapon.name)
            m = models[k]
            radius = rules.vehicle_radius_cm if card.is_vehicle else rules.infantry_radius_cm
            m["half_a"] = m["half_b"] = m["radius"] = radius
            m["shape"], m["height"], m["move"] = CIRCLE, HEIGHT, card.move_cm
            m["unit"], m["owner"], m["alive"], m["wounds"], m["max_wounds"] = row, player, 1, 1, 1
            m["save"], m["assault"] = card.save or 0, card.assault_factor
            m["rank"], m["traits"] = card.rank_code, card.trait_bits
            m["keywords"] = (1 << (card.rank_code - 1)) | card.trait_bits << 3
            m["first_weapon"], m["weapons"] = known[key], len(card.weapons)
            k += 1
    return np.array(weapons, WEAPON), names


def terrain_tables(plan: Plan) -> tuple[Array, Array, Array, Array]:
    """The terrain as tables: pieces for the game's own kernels; blocks, corners and features for drawing."""
    kinds = list(plan.rules.terrain)
    corners: list[tuple[float, float]] = []
    pieces = [[*item.pieces, *seams(item.pieces)] for item in plan.features]
    count = sum(map(len, pieces))
    ground, blocks = np.zeros(count, PIECE), np.zeros(count, BLOCK)
    features = np.zeros(len(plan.features), FEATURE)
    row = 0
    for at, item in enumerate(plan.features):
        rule = plan.rules.terrain[item.kind]
        feature = features[at]
        footprint = hull(item.outline)
        feature["kind"], feature["first"], feature["count"] = kinds.index(item.kind), len(corners), len(footprint)
        feature["first_block"], feature["blocks"] = row, len(pieces[at])
        corners += footprint
        for points in pieces[at]:
            xs, ys = [x for x, _ in points], [y for _, y in points]
            for table in (ground, blocks):
                piece = table[row]
                piece["min_x"], piece["max_x"], piece["min_y"], piece["max_y"] = min(xs), max(xs), min(ys), max(ys)
                piece["first"], piece["count"], piece["feature"] = len(corners), len(points), at
            piece = ground[row]
            piece["infantry"], piece["vehicle"] = rule.passages
            piece["cover"] = -rule.cover
            piece["sight"] = BLOCKS if rule.sight == "blocks" else CLEAR if rule.sight == "clear" else DEPTH
            piece["depth"] = rule.sight if isinstance(rule.sight, float) else 0.0
            blocks[row]["screen"] = 0 if rule.sight == "clear" else HIDES
            blocks[row]["z_low"], blocks[row]["z_high"] = -ENDLESS, ENDLESS
            corners += points
            row += 1
    return ground, blocks, np.array(corners, np.float64).reshape(-1, 2), features


def kernel_numbers(plan: Plan) -> Array:
    """The numbers of the rules that kernels need."""
    rules, table = plan.rules, np.zeros(1, NUMBERS)
    row = table[0]
    row["length"], row["width"] = plan.size
    row["coherency"] = rules.coherency_cm
    row["cover_save"], row["best_save"], row["rear_modifier"] = (
        rules.cover_save,
        rules.best_save,
        rules.rear_save_modifier,
    )
    row["second_die"] = [*(rules.second_die[needed] for needed in NEEDED), IMPOSSIBLE]
    return table


def numbers_of(plan: Plan) -> dict[str, Any]:
    """``Setup.rules``: the rules by their names, and the numbers that all rulesets share."""
    rules = plan.rules.model_dump()
    rules["detail"], rules["rounds"] = plan.detail, plan.rules.turns
    rules["attacker"] = -1 if plan.rules.attacker is None else plan.rules.attacker
    return rules
