"""Stratagems used between the steps of a phase: Insane Bravery, Grenade, Go to Ground, Smokescreen, Tank Shock, Epic
Challenge. Those that act out of phase are in ``reactions``.
"""

from __future__ import annotations

from collections.abc import Iterable

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.geometry.unit_sight import unit_sees_unit
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, beneath, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w10.stratagems.book import BOOK, Stratagem
from wh_env.rulesets.w40k.attack.casualties import mortal_wounds
from wh_env.rulesets.w40k.attack.jobs import targeted
from wh_env.rulesets.w40k.attack.odds import mean_dice
from wh_env.rulesets.w40k.attack.rolls import Near, unit_toughness
from wh_env.rulesets.w40k.codes import Effect, Selected
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.questions.engagements import engagements, forget_targets
from wh_env.rulesets.w40k.questions.targets import enemies_within
from wh_env.rulesets.w40k.reaction.windows import Interruptible, UseStratagem, decline, delegated, unit_of

CHARACTER, INFANTRY, SMOKE = int(Keyword.CHARACTER), int(Keyword.INFANTRY), int(Keyword.SMOKE)
GRENADES, VEHICLE = int(Keyword.GRENADES), int(Keyword.VEHICLE)
GRENADE = Stratagem.GRENADE
GRENADE_BIT = 1 << GRENADE
GRENADE_RANGE, GRENADE_DICE, GRENADE_NEEDED = 8.0, 6, 4
TANK_SHOCK_NEEDED, TANK_SHOCK_MORE, TANK_SHOCK_MOST = 5, 2, 6
NOW, LATER = 1, 2  # when Tank Shock is resolved


class Strike(Procedure):
    """A unit strikes an enemy unit that its player chooses: base of ``Throw`` and ``Ram``."""

    UNIT = integer(row_of("units"))
    TARGET = integer(row_of("units"))


class StruckUnit(DecisionKind):
    """Which enemy unit a ``Strike`` hits. Its policy: the one that costs most points."""

    def targets(self, g: BattleCore, unit: int) -> list[int]:
        """Enemy units that the unit can strike."""
        raise NotImplementedError

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + Strike.UNIT]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        for enemy in self.targets(g, unit):
            mask[at + enemy] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        enemy_player = 1 - g.units.owner[g.stack[f + Strike.UNIT]]
        g.stack[f + Strike.TARGET] = g.players.first_unit[enemy_player] + action - g.setup.space.enemy

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        first, space = g.players.first_unit[1 - g.units.owner[g.stack[f + Strike.UNIT]]], g.setup.space
        slots = [slot for slot in range(space.units) if mask[space.enemy + slot]]
        return space.enemy + max(slots, key=lambda slot: g.units.points[first + slot])


# ---------------------------------------------------------------- Insane Bravery


class InsaneBravery(UseStratagem):
    name = "insane-bravery"
    what = "Treat the Battle-shock test that the unit has just failed as passed."
    policy = "Its policy always does."
    keys = ("w10.stratagem.insane-bravery", "w10.stratagem.pay", "w10.stratagem.once-per-phase")
    stratagem = Stratagem.INSANE_BRAVERY

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        return (unit,) if g.units.owner[unit] == player else ()

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        g.units.shocked[unit] = 0


# ---------------------------------------------------------------- Go to Ground, Smokescreen


def units_targeted(g: BattleCore, player: int, keyword: int) -> list[int]:
    """Units of the player with the keyword that are the target of declared attacks."""
    found = g.work.found
    n: int = g.work.call(targeted, g.units.rows, g.jobs.rows, player, keyword, found)
    return list(found[:n].tolist())


def protect(g: BattleCore, unit: int, effects: int, near: Near) -> None:
    """Give the unit ``effects`` until the end of the phase, and ``near`` to the declared attacks that target it."""
    g.units.cover[unit] |= effects
    jobs = g.jobs
    for row, attacks in enumerate(jobs.attacks):
        if attacks and jobs.target[row] == unit:
            jobs.near[row] |= int(near)


class GoToGround(UseStratagem):
    name = "go-to-ground"
    what = "A targeted INFANTRY unit gets a 6+ invulnerable save and the Benefit of Cover until the end of the phase."
    policy = "Its policy always uses it, on the unit that costs most."
    keys = ("w10.stratagem.go-to-ground", "w10.stratagem.pay", "w10.stratagem.once-per-phase")
    stratagem = Stratagem.GO_TO_GROUND

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        return units_targeted(g, player, INFANTRY)

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        protect(g, unit, Effect.BENEFIT_OF_COVER | Effect.SHIELDED, Near.COVER)


class Smokescreen(UseStratagem):
    name = "smokescreen"
    what = "A targeted SMOKE unit gets the Benefit of Cover and Stealth until the end of the phase."
    policy = "Its policy always uses it, on the unit that costs most."
    keys = ("w10.stratagem.smokescreen", "w10.stratagem.pay", "w10.stratagem.once-per-phase")
    stratagem = Stratagem.SMOKESCREEN

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        return units_targeted(g, player, SMOKE)

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        protect(g, unit, Effect.BENEFIT_OF_COVER | Effect.STEALTH, Near.COVER | Near.STEALTH)


# ---------------------------------------------------------------- Grenade


def grenade_targets(g: BattleCore, unit: int) -> list[int]:
    """Enemy units within 8" of the unit that it sees and that are not engaged with any unit."""
    u, found = g.units, g.work.found
    count = g.work.call(enemies_within, g.models.rows, u.rows, unit, GRENADE_RANGE, found)
    if not count:
        return []
    engaged = engagements(g)  # searching bytes is faster than numpy's reductions at this size
    return [
        enemy
        for enemy in found[:count].tolist()
        if 1 not in engaged[enemy].tobytes()
        and g.work.call(unit_sees_unit, g.models.rows, u.rows, g.setup.blocks, g.setup.corners, unit, enemy)
    ]


def can_throw(g: BattleCore, player: int) -> bool:
    """Whether the turn player could use Grenade now, between two units that shoot."""
    if not BOOK.available(g, player, GRENADE_BIT):
        return False
    return any(BOOK.affects(g, GRENADE, unit) for unit in throwers(g, player))


def throwers(g: BattleCore, player: int) -> Iterable[int]:
    """The player's GRENADES units that are not engaged, were not selected to shoot and have a target."""
    u = g.units
    for unit in g.units_of(player):
        if (
            u.keywords[unit] & GRENADES
            and u.place[unit] == ON_TABLE
            and not u.selected[unit] & Selected.SHOOT
            and 1 not in engagements(g)[unit].tobytes()
            and grenade_targets(g, unit)
        ):
            yield unit


class Grenade(UseStratagem):
    name = "grenade"
    what = (
        "Which GRENADES unit throws; asked when its player wants to throw (an option where units are selected to "
        "shoot)."
    )
    policy = "Its policy throws at the start of the phase if it can, with the unit that costs most."
    keys = ("w10.stratagem.grenade", "w10.stratagem.pay", "w10.stratagem.once-per-phase")
    stratagem = Stratagem.GRENADE

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        return throwers(g, player)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        super().options(g, f, mask)
        space = g.setup.space
        if any(mask[space.own : space.enemy]):
            mask[0] = delegated(g, self.stratagem)  # a player who is asked has chosen to throw

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        g.push(Throw, unit)


class Throw(Strike):
    """Throw grenades: six D6 at an enemy unit, which suffers a mortal wound for each 4+."""

    class Step(Steps):
        BEGIN, TARGETED = range(2)

    asks = ("grenade-target",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit, step = g.stack[f + Throw.UNIT], g.stack[f + STEP]
        if step == Throw.Step.BEGIN:
            g.stack[f + STEP] = Throw.Step.TARGETED
            return g.ask(GrenadeTarget, g.units.owner[unit], unit)
        target = g.stack[f + Throw.TARGET]
        dice = [g.d6() for _ in range(GRENADE_DICE)]
        wounds = sum(die >= GRENADE_NEEDED for die in dice)
        g.note("w10.stratagem.grenade", "grenades", unit=unit, target=target, dice=dice, mortal_wounds=wounds)
        g.pop()
        if wounds:
            mortal_wounds(g, target, wounds)
        return GO


class GrenadeTarget(StruckUnit):
    name = "grenade-target"
    what = "The enemy unit at which the grenades are thrown."
    policy = "Its policy: the one that costs most."
    keys = ("w10.stratagem.grenade",)
    stratagem = Stratagem.GRENADE

    def targets(self, g: BattleCore, unit: int) -> list[int]:
        return grenade_targets(g, unit)


# ---------------------------------------------------------------- Tank Shock


def engaged_with(g: BattleCore, unit: int) -> list[int]:
    """Enemy units within Engagement Range of the unit, measured anew."""
    forget_targets(g)
    row = engagements(g)[unit]
    return [enemy for enemy in g.units_of(1 - g.units.owner[unit]) if row[enemy]]


def melee_weapons(g: BattleCore, unit: int) -> list[int]:
    """Melee weapon profiles with which models of the unit are equipped."""
    m, statics = g.models, g.setup.statics
    found: list[int] = []
    for k in g.members(unit):
        for s in range(m.first_weapon[k], m.first_weapon[k] + m.weapons[k]):
            weapon = int(statics["arsenal_weapon"][s])
            if statics["weapons"][weapon]["melee"] and weapon not in found:
                found.append(weapon)
    return found


class TankShock(UseStratagem):
    name = "tank-shock"
    what = "Whether the VEHICLE unit rams: asked when its Charge roll is sufficient, before it moves."
    policy = "Its policy always does."
    keys = ("w10.stratagem.tank-shock", "w10.stratagem.tank-shock.window", "w10.stratagem.pay")
    stratagem = Stratagem.TANK_SHOCK

    def units(self, g: BattleCore, unit: int, player: int) -> Iterable[int]:
        u = g.units
        rams = u.owner[unit] == player and u.keywords[unit] & VEHICLE and melee_weapons(g, unit)
        return (unit,) if rams else ()

    def use(self, g: BattleCore, f: int, unit: int) -> None:
        Interruptible.mark(g, beneath(f), NOW)


class Ram(Strike):
    """Tank Shock after the Charge move: D6 equal to the weapon's Strength, more if it is higher than the target's
    Toughness; a mortal wound for each 5+, six at most.
    """

    class Step(Steps):
        TARGET, WEAPON, ROLL = range(3)

    WEAPON = integer(row_of("weapons"))
    asks = ("tank-shock-target", "tank-shock-weapon")

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        unit, step = stack[f + Ram.UNIT], stack[f + STEP]
        owner = g.units.owner[unit]
        if step < Ram.Step.ROLL:
            if g.units.place[unit] != ON_TABLE or (step == Ram.Step.TARGET and not engaged_with(g, unit)):
                return g.pop()
            stack[f + STEP] = step + 1
            return g.ask(TankShockWeapon if step else TankShockTarget, owner, unit)
        target, weapon = stack[f + Ram.TARGET], stack[f + Ram.WEAPON]
        profile = g.setup.statics["weapons"][weapon]
        strength = g.roll(profile["strength_dice"], profile["strength_sides"], profile["strength_plus"])
        if profile["strength_dice"] and g.recorder is not None:
            g.note("w10.datasheet.random.other", "Strength of the ramming weapon", unit=unit, amount=strength)
        stronger = strength > unit_toughness(g.models.rows, g.units.rows, target)
        dice = [g.d6() for _ in range(strength + (TANK_SHOCK_MORE if stronger else 0))]
        wounds = min(TANK_SHOCK_MOST, sum(die >= TANK_SHOCK_NEEDED for die in dice))
        g.note("w10.stratagem.tank-shock", "rams", unit=unit, target=target, dice=dice, mortal_wounds=wounds)
        g.pop()
        if wounds:
            mortal_wounds(g, target, wounds)
        return GO


class TankShockTarget(StruckUnit):
    name = "tank-shock-target"
    what = "The enemy unit within Engagement Range that is rammed."
    policy = "Its policy: the one that costs most."
    keys = ("w10.stratagem.tank-shock",)
    stratagem = Stratagem.TANK_SHOCK

    def targets(self, g: BattleCore, unit: int) -> list[int]:
        return engaged_with(g, unit)


class TankShockWeapon(DecisionKind):
    name = "tank-shock-weapon"
    what = "The melee weapon whose Strength counts."
    policy = "Its policy, and the engine at squad detail: the strongest."
    keys = ("w10.stratagem.tank-shock",)
    stratagem = Stratagem.TANK_SHOCK
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for number, _ in enumerate(melee_weapons(g, g.stack[f + Ram.UNIT])[: g.setup.space.numbers]):
            mask[g.setup.space.number + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + Ram.WEAPON] = melee_weapons(g, g.stack[f + Ram.UNIT])[action - g.setup.space.number]

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        weapon = melee_weapons(g, g.stack[f + Ram.UNIT])[action - g.setup.space.number]
        return f"{BOOK.table[Stratagem.TANK_SHOCK].title} with {g.setup.names['weapons'][weapon]}"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        weapons = melee_weapons(g, g.stack[f + Ram.UNIT])[: g.setup.space.numbers]
        rows = g.setup.statics["weapons"]
        strength = [mean_dice(*(rows[w][f"strength_{part}"] for part in ("dice", "sides", "plus"))) for w in weapons]
        return g.setup.space.number + max(range(len(weapons)), key=strength.__getitem__)


class TankShockOrder(DecisionKind):
    name = "tank-shock-order"
    what = (
        "Whether the turn player resolves Tank Shock before the opponent's Stratagems after the Charge move (first "
        "option), or after them."
    )
    policy = "Its policy: before them."
    keys = ("w10.stratagem.same-trigger",)
    stratagem = Stratagem.TANK_SHOCK
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option] = mask[option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action > g.setup.space.option:
            Interruptible.mark(g, f, LATER)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        title = BOOK.table[Stratagem.TANK_SHOCK].title
        return f"{title} first" if action == g.setup.space.option else "the opponent first"


# ---------------------------------------------------------------- Epic Challenge


class EpicChallenge(UseStratagem):
    name = "epic-challenge"
    what = "Which CHARACTER model of the unit selected to fight gets Precision for its melee attacks (done: none)."
    policy = "Its policy picks the first one."
    keys = ("w10.stratagem.epic-challenge", "w10.stratagem.pay", "w10.stratagem.once-per-phase")
    stratagem = Stratagem.EPIC_CHALLENGE

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, u = unit_of(g, f), g.units
        mask[0] = True
        if u.owner[unit] != g.clock.player[0] or not u.keywords[unit] & CHARACTER:
            return
        if not BOOK.affects(g, self.stratagem, unit) or all(u.leader[enemy] < 0 for enemy in engaged_with(g, unit)):
            return
        for slot, k in enumerate(g.members(unit)):
            if g.models.keywords[k] & CHARACTER:
                mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            decline(g, f, self.stratagem)
            return
        unit = unit_of(g, f)
        model = list(g.members(unit))[action - g.setup.space.model]
        BOOK.pay(g, g.clock.player[0], self.stratagem, unit)
        Interruptible.mark(g, beneath(f), model + 1)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        title = BOOK.table[Stratagem.EPIC_CHALLENGE].title
        if action == 0:
            return f"no {title}"
        model = list(g.members(unit_of(g, f)))[action - g.setup.space.model]
        return f"{title}: {g.setup.names['models'][model]}"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        first = next((slot for slot in range(g.setup.space.models) if mask[g.setup.space.model + slot]), -1)
        return (g.setup.space.model + first) if first >= 0 else 0


def give_precision(g: BattleCore, model: int) -> None:
    """Give Precision to the declared attacks of the model at Attached units. Attacks that now differ are rolled in
    different groups.
    """
    jobs = g.jobs
    alike: dict[tuple[int, int, int], int] = {}
    for row, attacks in enumerate(jobs.attacks):
        if not attacks:
            continue
        target = jobs.target[row]
        if jobs.model[row] == model and g.units.leader[target] >= 0:
            jobs.near[row] |= int(Near.PRECISION)
        jobs.group[row] = alike.setdefault((jobs.weapon[row], target, jobs.near[row]), row)
