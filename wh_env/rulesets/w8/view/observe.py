"""The fields of observations that only the 8th edition has: losses and Morale, Warlords, psykers, the mission.

Its fields of units take columns of shared fields that mean nothing in this edition (``core.features``).
"""

from __future__ import annotations

from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.features import UNITS, Field, columns, share
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w8.mission.state import DIVISIONS, Primary
from wh_env.rulesets.w8.warlord.state import Trait
from wh_env.rulesets.w40k.codes import WITH_BONUS
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
    "control": Field("control", "its models, as they count at markers", "/ 20"),
    "shocked": Field("slain", "models of it that were slain this turn", "/ 10"),
    "shock_tested": Field("passes_morale", "a rule lets it pass the Morale tests of this turn"),
    "escape_tested": Field("fails_morale", "a rule makes it fail the Morale tests of this turn"),
    "scouted": Field("answered", "fires Overwatch no more at the charge that was declared last"),
    "smoke": Field("warlord", "the living Warlord of its army is a model of it"),
    "fights_first": Field("fights_first", "fights before units that did not charge"),
    "has_scouts": Field("held", "was within 1 in of an enemy when its player's Movement phase began"),
    "has_infiltrators": Field("powers_on", "psychic powers that modify it or that it radiates", "/ 4"),
    "has_hover": Field("powers_known", "psychic powers that it knows, Smite included", "/ 8"),
    "has_lone_operative": Field("manifested", "was selected in this Psychic phase"),
    "has_stealth": Field("denied", "attempts to deny in this Psychic phase", "/ 4"),
    "is_grenades": Field("manifests", "psychic powers that it can attempt in a Psychic phase", "/ 4"),
    "is_smoke": Field("denies", "psychic powers that it can attempt to deny in a Psychic phase", "/ 4"),
}
_COMMAND = {
    "own_cp": Field("own_cp", "own Command re-rolls", "/ 20"),
    "enemy_cp": Field("enemy_cp", "the other seat's Command re-rolls", "/ 20"),
}
GLOBALS = (
    *(_COMMAND.get(field.name, field) for field in observe.GLOBALS),
    Field("underdog", "the seat is the Underdog (1), the other one is (-1)", "-1/0/1", low=-1.0),
    *(
        Field(primary.name.lower(), f"the primary objective is {primary.name.replace('_', ' ').title()}")
        for primary in Primary
    ),
    Field(
        "roller",
        "the seat rolled on the objectives table and chooses the zones (1), the other one did (-1)",
        "-1/0/1",
        low=-1.0,
    ),
    Field("division", "how the table is divided, by the options of `divide` (1 the first); 0: not yet", "/ 4"),
    *(
        Field(f"{whose}_{trait.name.lower()}", f"{of} Warlord has the Trait {trait.name.replace('_', ' ').title()}")
        for whose, of in (("own", "the own"), ("enemy", "the other seat's"))
        for trait in Trait
    ),
)
UNIT = (*(IN_PLACE_OF.get(field.name, field) for field in observe.UNIT), *POWERS)
GLOBAL_AT, UNIT_AT = columns(GLOBALS), columns(UNIT)
OWN_TRAITS, ENEMY_TRAITS = GLOBAL_AT.own_legendary_fighter, GLOBAL_AT.enemy_legendary_fighter


@inner_kernel
def fill_side(
    models: Array, units: Array, toll: Array, nerve: Array, held: Array, answered: Array, psyche: Array, psykers: Array,
    warlord: int, first: int, count: int, at: int, stride: int, out: Array,
) -> None:  # fmt: skip
    """Write the columns of ``count`` units of one player into ``out``, from index ``at`` on. ``warlord``: the row of
    the player's Warlord, -1: none.
    """
    U = UNIT_AT
    for slot in range(count):
        u = first + slot
        row = at + slot * stride
        start, mind = units[u]["first"], psyche[u]
        slain = 0
        for k in range(start, start + units[u]["count"]):
            if toll[k] != 0 and models[k]["alive"] == 0:
                slain += 1
        alive = warlord >= 0 and models[warlord]["alive"] != 0 and models[warlord]["unit"] == u
        out[row + U.slain] = share(slain, 10.0)
        out[row + U.passes_morale] = float(nerve[u]["passes"])
        out[row + U.fails_morale] = float(nerve[u]["fails"])
        out[row + U.answered] = 1.0 if answered[u] != 0 else 0.0
        out[row + U.warlord] = 1.0 if alive else 0.0
        earlier = units[u]["charged"] == WITH_BONUS or int(units[u]["flags"]) & FIGHTS_FIRST != 0
        out[row + U.fights_first] = 1.0 if earlier else 0.0
        out[row + U.held] = float(held[u]["held"])
        out[row + U.powers_on] = share(bits_set(int(mind["under"])), 4.0)
        out[row + U.powers_known] = share(bits_set(int(psykers[u, KNOWS]) | int(mind["learnt"])), 8.0)
        out[row + U.manifested] = float(mind["picked"])
        out[row + U.denied] = share(mind["denies"], 4.0)
        out[row + U.manifests] = share(psykers[u, MANIFESTS], 4.0)
        out[row + U.denies] = share(psykers[u, DENIES], 4.0)


@kernel
def fill_sides(
    models: Array, units: Array, toll: Array, nerve: Array, held: Array, answered: Array, psyche: Array, psykers: Array,
    warlords: Array, mission: Array, players: Array, seat: int, view: Array, out: Array,
) -> None:  # fmt: skip
    """Write the columns of the units of both players and of the globals into ``out``."""
    v = view[0]
    at = v["globals"]
    now = mission[0]
    if now["underdog"] != 0:
        out[at + GLOBAL_AT.underdog] = 1.0 if now["underdog"] - 1 == seat else -1.0
    if now["roller"] != 0:
        out[at + GLOBAL_AT.roller] = 1.0 if now["roller"] - 1 == seat else -1.0
    if now["primary"] != 0:
        out[at + GLOBAL_AT.slay_and_secure + now["primary"] - 1] = 1.0
    out[at + GLOBAL_AT.division] = now["division"] / DIVISIONS
    for turn in range(2):
        player = 1 - seat if turn else seat
        side = players[player]
        leader = warlords[player]
        if leader["trait"] != 0:
            out[at + (ENEMY_TRAITS if turn else OWN_TRAITS) + leader["trait"] - 1] = 1.0
        fill_side(
            models, units, toll, nerve, held, answered, psyche, psykers, leader["model"] - 1, side["first_unit"],
            min(UNITS, side["units"]), v["enemy"] if turn else v["own"], v["unit_stride"], out,
        )  # fmt: skip


class EighthFeatures(PsychicFeatures):
    """The fields of observations of the 8th edition."""

    fields = MappingProxyType({**observe.EditionFeatures.fields, "globals": GLOBALS, "units": UNIT})

    def fill(self, g: BattleCore, seat: int, tables: Tables, view: Array, out: Array) -> None:  # type: ignore[override]
        """Write the columns of every edition, then those of the 8th."""
        super().fill(g, seat, tables.shared, view, out)
        tables.kernels.call(
            fill_sides,
            g.models.rows,
            g.units.rows,
            g.toll_array,
            g.nerve.rows,
            g.held.rows,
            g.answered_array,
            g.psyche.rows,
            tables.psykers,
            g.warlords.rows,
            g.mission.rows,
            g.players.rows,
            seat,
            view,
            out,
        )
        self.fill_psykers(g, seat, tables, UNIT_AT.other_discipline, view, out)
