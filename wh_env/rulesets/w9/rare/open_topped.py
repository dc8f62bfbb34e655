"""Units that shoot while they are embarked in an open-topped TRANSPORT (w9.rare.shoot-embarked.*).

While such a unit selects targets and looks for lines of sight, its models take the pose and outline of their
TRANSPORT's model (``from_hull``). The poses are restored when the context ends, and nothing found from there is cached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from wh_env.core.battle import BattleCore
from wh_env.core.tables import EMBARKED, ON_TABLE
from wh_env.rulesets.w9.rare.stationary import SHOOTING, count_as, stands_by_rule
from wh_env.rulesets.w40k.attack.abilities import ATTACKS, Power, in_force
from wh_env.rulesets.w40k.attack.modifiers import OPPOSITES, effects_of_itself
from wh_env.rulesets.w40k.codes import Moved, Selected
from wh_env.rulesets.w40k.edition_parts.lending import Lending
from wh_env.rulesets.w40k.profiles import WeaponAbility
from wh_env.rulesets.w40k.questions.engagements import engagements, forget_unit
from wh_env.rulesets.w40k.questions.hulls import hull_of
from wh_env.rulesets.w40k.questions.targets import ALL_WEAPONS, ASSAULT_ONLY, PISTOLS_ONLY
from wh_env.rulesets.w40k.shoot.declare import shooting_mode, shooting_row

POSE = ["x", "y", "z", "facing", "half_a", "half_b", "radius", "height", "shape"]
ASSAULT = int(WeaponAbility.ASSAULT)
WHERE_IT_STANDS = nullcontext()
PASSED_ON = {bits: name for name, bits in ATTACKS.items() if any(bits in pair for pair in OPPOSITES)}


def looks_out(g: BattleCore, unit: int) -> bool:
    """Whether the unit is embarked in a TRANSPORT on the battlefield from which passengers shoot."""
    u, carrier = g.units, g.units.carrier[unit]
    return u.place[unit] == EMBARKED and carrier in g.setup.statics["open_topped"] and u.place[carrier] == ON_TABLE


def from_hull(g: BattleCore, unit: int) -> AbstractContextManager[None]:
    """A context in which a unit that shoots from a TRANSPORT measures and sees from the TRANSPORT's model
    (w9.rare.shoot-embarked.measure). The TRANSPORT itself does not block its lines of sight. It changes nothing for
    other units.
    """
    return standing_in_for(g, unit) if looks_out(g, unit) else WHERE_IT_STANDS


@contextmanager
def standing_in_for(g: BattleCore, unit: int) -> Iterator[None]:
    """``from_hull`` for a unit embarked in an open-topped TRANSPORT."""
    u, rows = g.units, g.models.rows
    own = [k for k in range(u.first[unit], u.first[unit] + u.count[unit]) if rows["alive"][k]]
    if any(rows["on_table"][k] for k in own):  # already
        yield
        return
    carrier, hull, engaged = u.carrier[unit], hull_of(g, unit), engagements(g)
    hulls = [k for k in range(u.first[carrier], u.first[carrier] + u.count[carrier]) if rows["on_table"][k]]
    poses, beside = rows[POSE][own].copy(), engaged[unit].copy()
    for name in POSE:
        rows[name][own] = rows[name][hull]
    rows["on_table"][own], rows["on_table"][hulls], engaged[unit] = 1, 0, engaged[carrier]
    try:
        yield
    finally:
        for name in POSE:
            rows[name][own] = poses[name]
        rows["on_table"][own], rows["on_table"][hulls], engaged[unit] = 0, 1, beside
        forget_unit(g, unit)


def phase_begins(g: BattleCore, player: int) -> None:
    """A unit that shoots from a TRANSPORT counts as having made the TRANSPORT's move of this turn. If it has a rule to
    count as Remained Stationary, that rule holds, unless the TRANSPORT arrived this turn (w9.rare.shoot-embarked.moved,
    .own-abilities).
    """
    u = g.units
    for unit in g.units_of(player) if g.setup.statics["open_topped"] else ():
        if looks_out(g, unit):
            carrier = u.carrier[unit]
            stands = not u.arrived[carrier] and stands_by_rule(g, unit, SHOOTING)
            count_as(g, unit, int(Moved.STATIONARY) if stands else u.moved[carrier])


def mode_aboard(g: BattleCore, unit: int) -> int:
    """Code of the weapons that the embarked unit may fire; -1: none. If its TRANSPORT may not shoot, neither may the
    unit. While the TRANSPORT is engaged it fires Pistols only, or all weapons if the ability says so
    (w9.rare.shoot-embarked.restrictions, .engaged).
    """
    if not looks_out(g, unit):
        return -1
    carrier = g.units.carrier[unit]
    mode = shooting_mode(g, carrier)
    if mode < 0 or (mode == ASSAULT_ONLY and not has_assault_weapon(g, carrier)):
        return -1
    if 1 not in engagements(g)[carrier].tobytes():
        return mode
    return ALL_WEAPONS if g.setup.statics["open_topped"][carrier] else PISTOLS_ONLY


def has_assault_weapon(g: BattleCore, unit: int) -> bool:
    """Whether a model of the unit carries an Assault weapon."""
    m, weapon, abilities = g.models, g.setup.statics["arsenal_weapon"], g.setup.statics["weapon_abilities"]
    return any(
        abilities[weapon[s]] & ASSAULT
        for k in g.members(unit)
        for s in range(m.first_weapon[k], m.first_weapon[k] + m.weapons[k])
    )


def modifiers_aboard(g: BattleCore, unit: int, hook: str, against: int) -> list[Power]:
    """What modifies the attacks of a unit that shoots from a TRANSPORT: abilities of its own models, and modifiers of
    the TRANSPORT's hit and wound rolls. Abilities of other units and effects from before it embarked do not count
    (w9.rare.shoot-embarked.abilities, .earlier-effects, .own-abilities, .modifiers).
    """
    u, m = g.units, g.models
    own = [
        power
        for power in g.setup.statics["powers"][hook]
        if not power.enemies
        and (not power.keyword or u.keywords[unit] & power.keyword)
        and any(m.unit[k] == unit and m.alive[k] for k in power.models)
    ]
    if hook != "attacks":
        return own
    hull, carrier = hull_of(g, unit), u.carrier[unit]
    effects = [*effects_of_itself(g, hull)]
    effects += [ATTACKS[p.effect] for p in in_force(g, carrier, hook, against) if not is_radiated(g, p, carrier)]
    passed = [PASSED_ON[bits] for bits in effects if bits in PASSED_ON]
    return own + [Power(f"of its TRANSPORT {n}", name, u.owner[unit], ()) for n, name in enumerate(passed)]


def is_radiated(g: BattleCore, power: Power, carrier: int) -> bool:
    """Whether the power is an Aura of a friendly unit other than the TRANSPORT. Such an Aura does not reach the
    passengers, not even through their TRANSPORT.
    """
    unit = g.models.unit
    friends = power.reach > 0 and power.owner == g.units.owner[carrier]
    return friends and all(unit[k] != carrier for k in power.models)


class OpenTopped(Lending):
    """Embarked units that can be selected to shoot, and the models that they shoot with."""

    def outlook(self, g: BattleCore, unit: int) -> AbstractContextManager[None]:
        return from_hull(g, unit)

    def armed(self, g: BattleCore, unit: int) -> list[int]:
        if not looks_out(g, unit):
            return super().armed(g, unit)
        u, m = g.units, g.models
        return [k for k in range(u.first[unit], u.first[unit] + u.count[unit]) if m.alive[k]]

    def ready(self, g: BattleCore, player: int) -> Iterable[int]:
        if not g.setup.statics["open_topped"]:
            return ()
        aboard = [unit for unit in g.units_of(player) if looks_out(g, unit)]
        return [unit for unit in aboard if not g.units.selected[unit] & Selected.SHOOT and has_target(g, unit)]


def has_target(g: BattleCore, unit: int) -> bool:
    """Whether some weapon of the embarked unit may target an enemy unit."""
    mode = mode_aboard(g, unit)
    with from_hull(g, unit):
        return mode >= 0 and shooting_row(g, unit, mode, whole=False)[1]
