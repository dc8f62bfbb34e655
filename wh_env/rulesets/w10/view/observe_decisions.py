"""What the waiting decision is about, for observations: where its cells lie, which model and which weapon it concerns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.core.features import PLAIN, Field, Pending
from wh_env.core.geometry.rigid import unit_allowance
from wh_env.core.procedures import DecisionKind
from wh_env.core.tables import Array
from wh_env.rulesets.w10.deploy.mission import (
    DeployTo,
    PlaceMarker,
    PlaceMarkerExactly,
    PlaceMarkers,
    inner_cell,
    table_cell,
)
from wh_env.rulesets.w10.deploy.scouts import ScoutMove, scout_limits
from wh_env.rulesets.w10.transport.firing_deck import FiringDeck, FiringDeckModel, FiringDeckWeapon, armed, below_deck
from wh_env.rulesets.w40k.attack import decisions as machine
from wh_env.rulesets.w40k.attack.rerolls import CommandReroll, CommandRerollDie, DiceRoll, Reroll, RerollDie
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.deploy import battlefield, setting_up
from wh_env.rulesets.w40k.deploy.formations import living
from wh_env.rulesets.w40k.fight import close_order
from wh_env.rulesets.w40k.fight import weapons as melee_choices
from wh_env.rulesets.w40k.move import model_moves
from wh_env.rulesets.w40k.move.fall_back import FallBackTo
from wh_env.rulesets.w40k.move.reinforcements import ArriveAt
from wh_env.rulesets.w40k.move.unit_moves import MoveTo, MoveUnit, limits_of
from wh_env.rulesets.w40k.shoot.phase import Shoot, WeaponTarget
from wh_env.rulesets.w40k.transport.hulls import EmbarkModel
from wh_env.rulesets.w40k.transport.losses import LeftInWreck
from wh_env.rulesets.w40k.transport.transports import DisembarkAt
from wh_env.rulesets.w40k.view.observe_damage import mean_of

DECISION = (
    Field("roll", "the roll that may be made again", "/ 12"),
    Field("weapon_range", "range of the weapon profile that is asked about; 0 in melee", "in / 48"),
    Field("weapon_attacks", "its A, on average", "/ 20"),
    Field("weapon_skill", "its BS or WS, 1 for Torrent", "(7 - skill) / 6"),
    Field("weapon_strength", "its S, on average", "/ 16"),
    Field("weapon_ap", "its AP, without the sign", "/ 6"),
    Field("weapon_damage", "its D, on average", "/ 10"),
)

Region = tuple[float, float, float, float]


def between(first: tuple[float, float], last: tuple[float, float]) -> Region:
    """The region from the centre of the first cell to that of the last one."""
    return (first[0] + last[0]) / 2, (first[1] + last[1]) / 2, (last[0] - first[0]) / 2, (last[1] - first[1]) / 2


def of_grid(g: BattleCore, x0: float, y0: float, dx: float, dy: float) -> Region:
    """The region of a grid by the centre of its first cell and its steps."""
    side = g.setup.space.grid - 1
    return between((x0, y0), (x0 + side * dx, y0 + side * dy))


def square(x: float, y: float, reach: float) -> Region:
    """The region of a window round a place."""
    return x, y, reach, reach


def last_cell(g: BattleCore) -> int:
    """Number of the last cell."""
    return int(g.setup.space.grid) ** 2 - 1


def weapon_values(g: BattleCore, weapon: int) -> dict[str, float]:
    """The fields of a weapon profile."""
    row = g.setup.statics["weapons"][weapon]
    return {
        "weapon_range": min(1.0, float(row["range"]) / 48.0),
        "weapon_attacks": min(1.0, mean_of(row, "attacks") / 20.0),
        "weapon_skill": (7 - int(row["skill"])) / 6.0 if row["skill"] else 1.0,
        "weapon_strength": min(1.0, mean_of(row, "strength") / 16.0),
        "weapon_ap": min(1.0, abs(int(row["ap"])) / 6.0),
        "weapon_damage": min(1.0, mean_of(row, "damage") / 10.0),
    }


# ---------------------------------------------------------------- by kind


def moving(limits: Callable[[BattleCore, int], Array]) -> Callable[[BattleCore, int], Pending]:
    """Of a kind that moves its subject as one, within the limits that the frame has."""

    def of(g: BattleCore, f: int) -> Pending:
        reach = float(unit_allowance(g.models.rows, g.units.rows, limits(g, f), g.clock.subject[0]))
        return Pending(region=square(0.0, 0.0, reach), moves=True)

    return of


def in_formation(g: BattleCore, f: int) -> Pending:
    """A unit is set up in formation: the grid lies over the box round its zone, as ``placement.zone_cell`` has it."""
    unit = g.clock.subject[0]
    corners = setting_up.where(g, unit, g.units.reserve[unit])[0].tolist() or [
        (0.0, 0.0),
        (g.setup.length, g.setup.width),
    ]
    x0, x1 = min(x for x, _ in corners), max(x for x, _ in corners)
    y0, y1 = min(y for _, y in corners), max(y for _, y in corners)
    part = (g.setup.space.grid - 1) / g.setup.space.grid / 2
    region = (x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) * part, (y1 - y0) * part
    return Pending(region=region, slots=list(living(g, unit)))


def single(inner: bool | None) -> Callable[[BattleCore, int], Pending]:
    """One model of a unit is set up; ``inner``: on the fine grid, ``None``: no cells are asked for."""

    def of(g: BattleCore, f: int) -> Pending:
        return Pending(
            region=None if inner is None else of_grid(g, *setting_up.grid_at(g, f, inner)),
            model=g.stack[f + setting_up.PlaceModels.MODEL],
            slots=list(living(g, g.stack[f + setting_up.PlaceModels.UNIT])),
        )

    return of


def marker(g: BattleCore, f: int) -> Pending:
    return Pending(region=between(table_cell(g, 0), table_cell(g, last_cell(g))))


def marker_exactly(g: BattleCore, f: int) -> Pending:
    cell = g.stack[f + PlaceMarkers.CELL]
    return Pending(region=between(inner_cell(g, cell, 0), inner_cell(g, cell, last_cell(g))))


def feature(g: BattleCore, f: int) -> Pending:
    return Pending(region=of_grid(g, *battlefield.table_grid(g)))


def feature_exactly(g: BattleCore, f: int) -> Pending:
    return Pending(region=of_grid(g, *battlefield.cell_grid(g, g.stack[f + battlefield.PlaceTerrain.CELL])))


def model_moved(g: BattleCore, f: int) -> Pending:
    return Pending(model=model_moves.selected_model(g, f))


def model_to(g: BattleCore, f: int) -> Pending:
    model = model_moves.selected_model(g, f)
    return Pending(region=square(*model_moves.window(g, f, model, model_moves.model_limits(g, f))), model=model)


def model_refine(g: BattleCore, f: int) -> Pending:
    model = model_moves.selected_model(g, f)
    window = model_moves.ModelRefine.inner(g, f, model, model_moves.model_limits(g, f))
    return Pending(region=square(*window), model=model)


def close_to(g: BattleCore, f: int) -> Pending:
    model = close_order.CloseTo.model(g, f)
    reach = float(g.stack[f + close_order.CloseMoves.REACH])
    return Pending(region=square(g.models.x[model], g.models.y[model], reach), model=model)


def roll(g: BattleCore, f: int) -> Pending:
    return Pending(values={"roll": min(1.0, g.stack[f + DiceRoll.RESULT] / 12.0)})


def machine_die(g: BattleCore, f: int) -> Pending:
    """A die of the attack machine may be rolled again."""
    attack: Any = machine.machine_of(g, f)
    values = weapon_values(g, attack.weapon[0]) if attack.weapon[0] >= 0 else {}
    return Pending(values={**values, "roll": min(1.0, max(0, attack.die[0]) / 12.0)})


def machine_attack(g: BattleCore, f: int) -> Pending:
    """An attack of the machine is allocated, or its model saves."""
    attack: Any = machine.machine_of(g, f)
    values = weapon_values(g, attack.weapon[0]) if attack.weapon[0] >= 0 else {}
    return Pending(model=attack.model[0], values=values)


def weapon_target(g: BattleCore, f: int) -> Pending:
    model = armed(g, g.stack[f + Shoot.UNIT])[g.stack[f + Shoot.MODEL]]
    row = g.models.first_weapon[model] + g.stack[f + Shoot.WEAPON] - 1
    return Pending(model=model, values=weapon_values(g, g.setup.statics["arsenal_weapon"][row]))


def fighter(g: BattleCore, f: int) -> int:
    """The model whose melee weapons are chosen."""
    return int(
        list(g.members(g.stack[f + melee_choices.MeleeWeapons.UNIT]))[g.stack[f + melee_choices.MeleeWeapons.SLOT]]
    )


def melee_weapon(g: BattleCore, f: int) -> Pending:
    return Pending(model=fighter(g, f))


def melee_target(g: BattleCore, f: int) -> Pending:
    return Pending(model=fighter(g, f), values=weapon_values(g, g.stack[f + melee_choices.MeleeWeapons.WEAPON]))


def in_wreck(g: BattleCore, f: int) -> Pending:
    return Pending(slots=list(living(g, g.clock.subject[0])))


def on_hulls(g: BattleCore, f: int) -> Pending:
    carrier = g.units.carrier[g.clock.subject[0]]
    first = g.units.first[carrier]
    return Pending(slots=list(range(first, first + g.units.count[carrier])))


def on_deck(g: BattleCore, f: int) -> Pending:
    return Pending(slots=below_deck(g, f))


def deck_weapon(g: BattleCore, f: int) -> Pending:
    return Pending(slots=below_deck(g, f), model=g.stack[f + FiringDeck.MODEL])


ABOUT: dict[type[DecisionKind], Callable[[BattleCore, int], Pending]] = {
    MoveTo: moving(lambda g, f: limits_of(g, g.stack[f + MoveUnit.UNIT], g.stack[f + MoveUnit.KIND])),
    FallBackTo: moving(lambda g, f: limits_of(g, g.clock.subject[0], Moved.FELL_BACK)),
    ScoutMove: moving(lambda g, f: scout_limits(g, g.clock.subject[0])),
    DeployTo: in_formation,
    ArriveAt: in_formation,
    DisembarkAt: in_formation,
    setting_up.PlaceTogether: in_formation,
    setting_up.PlaceModel: single(False),
    setting_up.PlaceExactly: single(True),
    setting_up.PlaceFacing: single(None),
    setting_up.PlaceLevel: single(None),
    PlaceMarker: marker,
    PlaceMarkerExactly: marker_exactly,
    battlefield.PlaceFeature: feature,
    battlefield.PlaceFeatureExactly: feature_exactly,
    model_moves.ModelFacing: model_moved,
    model_moves.ModelLevel: model_moved,
    model_moves.ModelTo: model_to,
    model_moves.ModelRefine: model_refine,
    close_order.CloseTo: close_to,
    Reroll: roll,
    CommandReroll: roll,
    RerollDie: machine_die,
    CommandRerollDie: machine_die,
    machine.Allocate: machine_attack,
    machine.SaveChoice: machine_attack,
    machine.PrecisionChoice: machine_attack,
    machine.FeelNoPainChoice: machine_attack,
    WeaponTarget: weapon_target,
    melee_choices.MeleeWeapon: melee_weapon,
    melee_choices.ExtraWeapon: melee_weapon,
    melee_choices.AttackTarget: melee_target,
    LeftInWreck: in_wreck,
    EmbarkModel: on_hulls,
    FiringDeckModel: on_deck,
    FiringDeckWeapon: deck_weapon,
}


def pending(g: BattleCore) -> Pending:
    """What the waiting decision is about."""
    about = ABOUT.get(type(g.setup.ruleset.kinds[g.clock.kind[0]]))
    return about(g, g.frame) if about is not None else PLAIN
