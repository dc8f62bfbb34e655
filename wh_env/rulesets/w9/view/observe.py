"""The fields of observations that only the 9th edition has: losses and Morale, fighting order, psykers, actions,
Objective Secured.

Its fields of units take columns of shared fields that mean nothing in this edition, and one column more
(``core.features``).
"""

from __future__ import annotations

from math import hypot
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.features import UNITS, Field, columns, share
from wh_env.core.geometry.areas import units_engaged_across
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.profiles import Ability
from wh_env.rulesets.w40k.view import observe
from wh_env.rulesets.w40k.view.observe_psychic import (
    DENIES,
    KNOWS,
    MANIFESTS,
    POWERS,
    PsychicFeatures,
    Tables,
    bits_set,
)

FIGHTS_FIRST = int(Ability.FIGHTS_FIRST)

# by the name of the shared field whose column the field takes
IN_PLACE_OF = {
    "shocked": Field("slain", "models of it that were slain this turn", "/ 10"),
    "shock_tested": Field("passes_morale", "a rule lets it pass the Morale tests of this turn"),
    "escape_tested": Field("fails_morale", "a rule makes it fail the Morale tests of this turn"),
    "scouted": Field("acting", "performs an action"),
    "smoke": Field("broke_out", "made a Desperate Breakout this turn"),
    "ground": Field("intervened", "made a Heroic Intervention this turn"),
    "fights_first": Field("fights_first", "fights first (1) or last (-1) by rules", "-1/0/1", low=-1.0),
    "has_scouts": Field("held", "rules forbid it to Fall Back, or ask for a roll-off before it can"),
    "has_infiltrators": Field("powers_on", "psychic powers that modify it or that it radiates", "/ 4"),
    "has_hover": Field("powers_known", "psychic powers that it knows, Smite included", "/ 8"),
    "has_lone_operative": Field("manifested", "was selected in this Psychic phase"),
    "has_stealth": Field("denied", "attempts to deny in this Psychic phase", "/ 4"),
    "has_firing_deck": Field("secured", "its models have Objective Secured, as control was last determined"),
    "is_grenades": Field("manifests", "psychic powers that it can attempt in a Psychic phase", "/ 4"),
    "is_smoke": Field("denies", "psychic powers that it can attempt to deny in a Psychic phase", "/ 4"),
}
GLOBALS = (
    *observe.GLOBALS,
    Field("own_smites", "attempts of the seat at Smite in this Psychic phase", "/ 6"),
    Field("enemy_smites", "attempts of the other seat at Smite in this Psychic phase", "/ 6"),
)
UNIT = (
    *(IN_PLACE_OF.get(field.name, field) for field in observe.UNIT),
    Field("started", "has started an action in this battle round, a psychic one included"),
    Field("counted", "markers that its models have counted for in this turn, by their numbers, their mean", "/ 8"),
    *POWERS,
)
GLOBAL_AT, UNIT_AT = columns(GLOBALS), columns(UNIT)
ENGAGED = columns(observe.RELATION).engaged
MARGIN = 1e-3  # inches: more than the rounding of distances


@inner_kernel
def fill_one_side(
    models: Array, units: Array, toll: Array, nerve: Array, combat: Array, psyche: Array, acting: Array, holding: Array,
    counted_for: Array, psykers: Array, now: int, first: int, count: int, at: int, stride: int, out: Array,
) -> None:  # fmt: skip
    """Write the columns of ``count`` units of one player into ``out``, from index ``at`` on."""
    U = UNIT_AT
    for slot in range(count):
        u = first + slot
        row = at + slot * stride
        start, fought, mind = units[u]["first"], combat[u], psyche[u]
        slain = 0
        counted = 0
        for k in range(start, start + units[u]["count"]):
            counted += counted_for[k]
            if toll[k] != 0 and models[k]["alive"] == 0:
                slain += 1
        out[row + U.counted] = share(counted, 8.0 * units[u]["count"])
        out[row + U.slain] = share(slain, 10.0)
        out[row + U.passes_morale] = float(nerve[u]["passes"])
        out[row + U.fails_morale] = float(nerve[u]["fails"])
        out[row + U.acting] = 1.0 if acting[u]["now"] != 0 else 0.0
        out[row + U.started] = 1.0 if now > 0 and acting[u]["round"] == now else 0.0
        out[row + U.broke_out] = float(fought["broke_out"])
        out[row + U.intervened] = float(fought["intervened"])
        earlier = fought["first"] > 0 or int(units[u]["flags"]) & FIGHTS_FIRST != 0
        later = fought["last"] > 0
        out[row + U.fights_first] = (1.0 if earlier else 0.0) - (1.0 if later else 0.0)
        out[row + U.held] = 1.0 if fought["held"] != 0 or fought["tested"] != 0 else 0.0
        out[row + U.powers_on] = share(bits_set(int(mind["under"])), 4.0)
        out[row + U.powers_known] = share(bits_set(int(psykers[u, KNOWS]) | int(mind["learnt"])), 8.0)
        out[row + U.manifested] = float(mind["picked"])
        out[row + U.denied] = share(mind["denies"], 4.0)
        out[row + U.secured] = float(holding[u]["secured"])
        out[row + U.manifests] = share(psykers[u, MANIFESTS], 4.0)
        out[row + U.denies] = share(psykers[u, DENIES], 4.0)


@inner_kernel
def fill_engaged(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    players: Array,
    across: float,
    vertical: float,
    seat: int,
    view: Array,
    out: Array,
) -> None:
    """Mark the units within Engagement Range across an area, and the pairs of them
    (w9.terrain.obscuring.engagement-range).

    ``across``, ``vertical``: the longest such range and its vertical part, inches.
    """
    v = view[0]
    me = players[seat]
    other = players[1 - seat]
    # a unit whose closest enemy is farther away than this is not engaged
    limit = hypot(across, vertical) + MARGIN
    nearest = v["nearest"]
    for i in range(min(UNITS, me["units"])):
        if nearest[i] > limit:
            continue
        for j in range(min(UNITS, other["units"])):
            if nearest[UNITS + j] > limit:
                continue
            a = me["first_unit"] + i
            e = other["first_unit"] + j
            if not units_engaged_across(models, units, blocks, corners, a, e, vertical):
                continue
            out[v["own"] + i * v["unit_stride"] + UNIT_AT.engaged] = 1.0
            out[v["enemy"] + j * v["unit_stride"] + UNIT_AT.engaged] = 1.0
            if v["own_from"] <= i < v["own_to"] and v["enemy_from"] <= j < v["enemy_to"]:
                cell = (
                    v["relations"] + (i - v["own_from"]) * v["own_stride"] + (j - v["enemy_from"]) * v["enemy_stride"]
                )
                out[cell + ENGAGED] = 1.0


@kernel
def fill_sides(
    models: Array,
    units: Array,
    toll: Array,
    nerve: Array,
    combat: Array,
    psyche: Array,
    acting: Array,
    holding: Array,
    counted_for: Array,
    psykers: Array,
    smites: Array,
    now: int,
    players: Array,
    blocks: Array,
    corners: Array,
    across: float,
    vertical: float,
    seat: int,
    view: Array,
    out: Array,
) -> None:
    """Write the columns of the units of both players and of the globals into ``out``.

    ``across``: the longest Engagement Range across any area of the battlefield, 0 if there is none; ``vertical``: its
    vertical part; inches.
    """
    v = view[0]
    if across > 0.0:
        fill_engaged(models, units, blocks, corners, players, across, vertical, seat, view, out)
    out[v["globals"] + GLOBAL_AT.own_smites] = share(smites[seat], 6.0)
    out[v["globals"] + GLOBAL_AT.enemy_smites] = share(smites[1 - seat], 6.0)
    for turn in range(2):
        side = players[1 - seat if turn else seat]
        fill_one_side(
            models, units, toll, nerve, combat, psyche, acting, holding, counted_for, psykers, now, side["first_unit"],
            min(UNITS, side["units"]), v["enemy"] if turn else v["own"], v["unit_stride"], out,
        )  # fmt: skip


class NinthFeatures(PsychicFeatures):
    """The fields of observations of the 9th edition."""

    fields = MappingProxyType({**observe.EditionFeatures.fields, "globals": GLOBALS, "units": UNIT})

    def fill(self, g: BattleCore, seat: int, tables: Tables, view: Array, out: Array) -> None:  # type: ignore[override]
        """Write the columns of every edition, then those of the 9th."""
        super().fill(g, seat, tables.shared, view, out)
        setup = g.setup
        tables.kernels.call(
            fill_sides,
            g.models.rows,
            g.units.rows,
            g.toll_array,
            g.nerve.rows,
            g.combat.rows,
            g.psyche.rows,
            g.acting.rows,
            g.holding.rows,
            g.counted_for_array,
            tables.psykers,
            g.smites_array,
            g.clock.round[0],
            g.players.rows,
            setup.blocks,
            setup.corners,
            setup.statics["engaged_across"],
            edition(g).measures.engagement_vertical,
            seat,
            view,
            out,
        )
        self.fill_psykers(g, seat, tables, UNIT_AT.other_discipline, view, out)
