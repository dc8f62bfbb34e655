"""Wounds are lost and models removed: from the rear rank, in place of another model, or the whole unit. Models that are
left fill the gaps (wap.core.casualties.*).
"""

from __future__ import annotations

from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.wap.basics.blocks import derive, set_block
from wh_env.rulesets.wap.basics.contacts import meet
from wh_env.rulesets.wap.basics.effects import caster_is_gone, standard_is_lost, target_is_gone
from wh_env.rulesets.wap.basics.forms import whose_form
from wh_env.rulesets.wap.basics.fronts import front_now
from wh_env.rulesets.wap.basics.garrisons import assailant_of, end_assault, give_up, opponent_in_assault, take_over
from wh_env.rulesets.wap.basics.joined import is_character, is_too_wide, most_files
from wh_env.rulesets.wap.basics.leaving_by_charge import part
from wh_env.rulesets.wap.basics.passed_on import hand_on, leave_behind
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.reshaping import has_room_after, make_room, outline_of
from wh_env.rulesets.wap.casualties.closing import close_gaps
from wh_env.rulesets.wap.casualties.losses import last_ranker, wounds_before_command, wounds_of
from wh_env.rulesets.wap.codes import AT_THE_RIGHT, CHARGED, RANK_AND_FILE, STANDARD, WAR_MACHINE
from wh_env.rulesets.wap.commands.standards import capture, capture_of_army, falls_to_enemy
from wh_env.rulesets.wap.morale.panic_causes import NOBODY, blame, has_lost, has_lost_its_first, is_gone

LEFT, RIGHT = 0, 1  # ends of a single rank

# columns of a unit that the characters in it take over when the last of its own models is gone
HANDED_ON = (
    "x",
    "y",
    "facing",
    "fleeing",
    "did",
    "steeled",
    "charging",
    "braked",
    "rounds",
    "fought",
    "fighting",
    "outcome",
    "penalty",
    "steadfast",
    "intent",
    "answered",
    "flees_from",
    "rolled",
    "prey",
    "let_out",
    "stupid",
    "dealt",
    "overkill",
)


def kill(g: BattleCore, model: int) -> None:
    """Remove a model. The block is not laid out anew; the caller does that."""
    m, u = g.models, g.units
    unit = m.unit[model]
    m.alive[model] = m.wounds[model] = 0
    u.alive[unit] -= 1
    if falls_to_enemy(g, unit):
        if m.role[model] == STANDARD:
            capture(g, unit)
        capture_of_army(g, unit)
    if m.role[model] == STANDARD:
        standard_is_lost(g, unit)
    if u.alive[unit] == 0:
        u.place[unit] = DESTROYED
        u.files[unit] = u.cowers[unit] = 0
        loses_who_hides(g, unit)
        caster_is_gone(g, unit)
        dies_in_form(g, unit)


def loses_who_hides(g: BattleCore, host: int) -> None:
    """A unit is destroyed: models that hide in it are lost (wap.special.hidden.lost)."""
    u = g.units
    for unit in g.units_of(u.owner[host]):
        if u.hides_in[unit] == host:
            u.hides_in[unit], u.place[unit], u.alive[unit] = -1, DESTROYED, 0
            g.models.alive[u.first[unit]] = g.models.wounds[u.first[unit]] = 0
            derive(g, unit)
            g.note("wap.special.hidden.lost", "is lost", unit=unit, target=host)


def dies_in_form(g: BattleCore, form: int) -> None:
    """The form that a character has is lost: so is he (wap.lore.beasts.transformation-of-kadon.limits)."""
    unit, u = whose_form(g, form), g.units
    if unit < 0 or not u.alive[unit]:
        return
    u.alive[unit], u.place[unit] = 0, DESTROYED
    g.models.alive[u.first[unit]] = g.models.wounds[u.first[unit]] = 0
    derive(g, unit)
    for column in (g.players.general, g.players.bearer):
        for k, row in enumerate(column):
            if row == form:
                column[k] = unit
    caster_is_gone(g, unit)
    g.note("wap.lore.beasts.transformation-of-kadon.limits", "slain", unit=unit, model=u.first[unit])


def remove_unit(g: BattleCore, unit: int) -> None:
    """A whole unit is lost, with all characters in it: it flees from the table, or never arrives."""
    u, m = g.units, g.models
    part(g, unit)
    is_gone(g, unit)
    for row in wholly(g, unit):
        if u.duel[row] >= 0:
            u.duel[u.duel[row]] = u.duel[row] = -1
    for joined in wholly(g, unit)[1:]:
        kill(g, u.first[joined])
        u.bodyguard[joined], u.beside[joined] = -1, 0
        target_is_gone(g, joined)
        derive(g, joined)
        g.note("wap.character.combined.one-unit", "slain", unit=joined, model=u.first[joined])
    u.place[unit] = DESTROYED
    u.alive[unit] = u.files[unit] = 0
    loses_who_hides(g, unit)
    caster_is_gone(g, unit)
    dies_in_form(g, unit)
    target_is_gone(g, unit)
    for k in range(u.first[unit], u.first[unit] + u.count[unit]):
        m.alive[k] = m.wounds[k] = 0
    leaves_building(g, unit)
    derive(g, unit)
    if u.fights[unit]:
        meet(g)


def slay(g: BattleCore, model: int, rule: str = "wap.core.casualties.fill-gap") -> None:
    """Slay a model that no other model equals (a champion, a character); a model from the rear fills its place."""
    unit = g.models.unit[model]
    kill(g, model)
    settle(g, unit, 1, LEFT)
    g.note(rule, "slain", unit=unit, model=model)


def settle(g: BattleCore, unit: int, lost: int, end: int) -> None:
    """Lay out a unit that has lost models. A single rank is shortened evenly at both ends, by one model more at
    ``end``.
    """
    u = g.units
    if u.alive[unit] == 0 and u.bodyguard[unit] >= 0:  # a character in another unit: the gap is filled there
        host, u.bodyguard[unit], u.beside[unit] = u.bodyguard[unit], -1, 0
        u.alive_phase[host] += u.alive_phase[unit]  # one model that it has lost in this phase
        leave_behind(g, unit, host)
        target_is_gone(g, unit)
        derive(g, unit)
        settle(g, host, lost, end)
        return
    left_behind, before, bent = u.out_of[unit], outline_of(g, unit), u.rear_shift[unit]
    around = outline_of(g, left_behind) if left_behind >= 0 else before
    heir = -1
    if u.alive[unit] == 0:
        heir = form_new_unit(g, unit)
        target_is_gone(g, unit)
        is_gone(g, unit)
        leaves_building(g, unit)
    if left_behind >= 0 and u.alive[unit] == 0:
        narrow(g, left_behind)
        make_room(g, left_behind, around)
    wide, left = u.files[unit], u.alive[unit] and front_now(g, unit)
    if u.place[unit] == ON_TABLE and left < wide:
        rank = min(wide, left + lost)  # models of the rank before it was shortened
        if (rank - left) % 2:
            aside = u.base_b[unit] + 0.5 * u.spacing[unit]
            aside = -aside if end == LEFT else aside
            u.x[unit] -= sin(u.facing[unit]) * aside
            u.y[unit] += cos(u.facing[unit]) * aside
        u.files[unit] = left
    derive(g, unit)
    if left:
        narrow(g, unit)
        if bent or u.rear_shift[unit] or u.wider[unit]:  # who stands beside a single rank follows its end
            make_room(g, unit, before)
    if u.fights[unit]:
        if opponent_in_assault(g, unit) < 0:
            close_gaps(g, unit)
        meet(g)
    if left:
        has_lost(g, unit)
    elif heir >= 0 and is_character(g, unit):
        has_lost_its_first(g, heir, unit)


def leaves_building(g: BattleCore, unit: int) -> None:
    """A unit is destroyed: the building that it was in is empty, and its assault is over. One on it that has not begun
    to be fought is over too.
    """
    if g.units.garrison[unit] >= 0:
        attacker = assailant_of(g, unit)
        if attacker >= 0 and not g.units.fighting[attacker]:
            end_assault(g, attacker)
        give_up(g, unit)
    end_assault(g, unit)


def narrow(g: BattleCore, unit: int) -> None:
    """Reduce the files of a unit that does not fight until it is as deep as the bases of the characters in it, if it
    has room for that (wap.character.base.multiple). One that has none stays as wide as it is.
    """
    u = g.units
    if u.fights[unit] or u.place[unit] != ON_TABLE or not is_too_wide(g, unit, u.files[unit]):
        return
    pose, files = (u.x[unit], u.y[unit], u.facing[unit]), most_files(g, unit)
    if files and has_room_after(g, unit, lambda: set_block(g, unit, *pose, files)):
        set_block(g, unit, *pose, files)


def form_new_unit(g: BattleCore, unit: int) -> int:
    """The last model of a unit is gone: the characters in it become a unit, which takes over its place and its fights
    (wap.character.unit-destroyed.new-unit). Returns its row; -1: there are none.
    """
    u, c, b, before = g.units, g.contacts, g.blows, outline_of(g, unit)
    part(g, unit)
    heirs = [row for row in wholly(g, unit) if row != unit]
    if not heirs:
        return -1
    new = min(heirs, key=lambda row: u.base_a[row] * u.base_b[row])  # the bases of the others are laid over its own
    for name in HANDED_ON:
        getattr(u, name)[new] = getattr(u, name)[unit]
    u.place[new], u.bodyguard[new] = ON_TABLE, -1
    take_over(g, new, unit)
    others = [row for row in heirs if row != new]
    for other in others:
        u.bodyguard[other] = new
    hand_on(g, unit, [new, *others])
    u.dealt[unit] = u.overkill[unit] = 0  # they count once
    for k in range(len(c.a)):
        for column in (c.a, c.b):
            if column[k] == unit:
                column[k] = new
                if c.group[k]:  # of the heirs only those fight who were chosen (wap.machine.combat.assault-group)
                    machine = c.a[k] + c.b[k] - new
                    c.group[k], c.led[k] = int(u.assaults[new] == machine), 0
    for k in range(len(b.unit)):
        if b.unit[k] == unit and b.line[k] >= 0 and g.lines.unit[b.line[k]] in heirs:
            b.unit[k] = new
    made = [g.charges.unit] if u.did[unit] & CHARGED else []  # a charge that is not made yet is over
    for column in (g.charges.target, u.prey, *made):
        for k in range(len(column)):
            if column[k] == unit:
                column[k] = new
    for heir in heirs:
        u.cowers[heir] = u.beside[heir] = 0
    stand_together(g, new, others)
    if any(new in pair for pair in zip(c.a, c.b, strict=True)) and opponent_in_assault(g, new) < 0:
        close_gaps(g, new)
    meet(g)
    make_room(g, new, before)
    if g.recorder is not None:
        g.note("wap.character.unit-destroyed.new-unit", "forms a unit", unit=new, units=tuple(heirs))
    return new


def covers(g: BattleCore, other: int, unit: int) -> bool:
    """Whether the base of a character covers a whole number of those of a unit (wap.character.base.multiple)."""
    u = g.units
    sides = (u.base_a[other] / u.base_a[unit], u.base_b[other] / u.base_b[unit])
    return all(round(side) >= 1 and abs(side - round(side)) < EPS for side in sides)


def stand_together(g: BattleCore, unit: int, others: list[int]) -> None:
    """Lay out a unit of characters abreast. One whose base does not fit stands at the right end
    (wap.character.base.misfit).
    """
    u, abreast = g.units, 1
    for other in others:
        if covers(g, other, unit):
            abreast += round(u.base_b[other] / u.base_b[unit])
        elif u.garrison[unit] < 0:
            u.beside[other] = AT_THE_RIGHT
    u.files[unit] = 1 if u.garrison[unit] >= 0 else abreast
    derive(g, unit)


def lose_crew(g: BattleCore, unit: int, lost: int) -> None:
    """A war machine that is still served has lost ``lost`` of its crew: its Unit Strength falls
    (wap.machine.crew.wounds). It is one model, which has lost none (wap.panic.heavy-casualties).
    """
    derive(g, unit)
    g.note("wap.machine.crew.wounds", "loses crew", unit=unit, amount=lost)


def suffer(g: BattleCore, unit: int, wounds: int, end: int = LEFT, by: int = NOBODY) -> int:
    """A unit loses so many wounds, from its rear rank (wap.core.casualties.rear-rank) or, if it has a single rank, from
    both ends (.single-rank). Wounds beyond its last are lost (wap.character.combat.excess-wounds).

    Args:
        end: of a single rank that loses one model more. by: the unit or feature that caused them, as for
            ``morale.panic_causes.blame``.

    Returns:
        The number of models removed.
    """
    m, u, lost = g.models, g.units, 0
    wounds = min(wounds, wounds_of(g, unit))
    while wounds > 0:
        k = last_ranker(g, unit)
        taken = min(wounds, m.wounds[k])
        wounds -= taken
        m.wounds[k] -= taken
        if m.wounds[k] == 0:
            kill(g, k)
            lost += 1
        elif u.kind[unit] == WAR_MACHINE:
            lose_crew(g, unit, taken)
    if lost:
        blame(g, unit, by, lost)
        settle(g, unit, lost, end)
        g.note("wap.core.casualties.rear-rank", "losses", unit=unit, amount=lost)
    return lost


def wound_model(g: BattleCore, model: int, wounds: int, by: int = NOBODY) -> int:
    """Wounds aimed at one model; returns the number of models removed. For a command model another model of its unit
    falls, unless the unit has no rank and file left (wap.command.casualties.last).
    """
    unit = g.models.unit[model]
    if g.models.role[model] != RANK_AND_FILE and wounds_before_command(g, unit):
        return suffer(g, unit, wounds, by=by)
    return strike_down(g, model, wounds, by)


def strike_down(g: BattleCore, model: int, wounds: int, by: int = NOBODY) -> int:
    """Wounds that ``model`` itself suffers and no other model can take; returns the number of models removed."""
    unit = g.models.unit[model]
    taken = min(wounds, g.models.wounds[model])
    g.models.wounds[model] -= taken
    if g.models.wounds[model]:
        if g.units.kind[unit] == WAR_MACHINE:
            lose_crew(g, unit, taken)
        return 0
    kill(g, model)
    blame(g, unit, by, 1)
    settle(g, unit, 1, LEFT)
    g.note("wap.core.casualties.rear-rank", "losses", unit=unit, amount=1)
    return 1
