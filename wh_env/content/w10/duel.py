"""An attacker and a target by their datasheets, without a battlefield, optionally with Leaders and Stratagems."""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.content.errors import ContentError, unknown
from wh_env.content.game import Company, Duel
from wh_env.content.w10.compile import compile_plan
from wh_env.content.w10.load import load_datasheet, load_faction
from wh_env.content.w10.muster import MusteredModel, MusteredUnit, write_out
from wh_env.content.w10.schema import ArmyUnit, Datasheet, Stratagem
from wh_env.content.w40k.compile import Plan
from wh_env.rulesets.w40k.attack.abilities import GUARDS, MADE_CHANGES, SUFFERED_CHANGES
from wh_env.rulesets.w40k.edition import Edition

SIZE = (60.0, 44.0)
ZONE = ((0.0, 0.0), (60.0, 0.0), (60.0, 44.0), (0.0, 44.0))
COUNTED = (*MADE_CHANGES, *SUFFERED_CHANGES, *GUARDS)  # effects that odds know


def duel(edition: Edition, attacker: str, target: str, models: int | None) -> Duel:
    """One model with every weapon of the datasheet ``attacker`` against ``models`` models of the datasheet ``target``.

    If ``models`` is None the target is a unit of the smallest size.

    Raises:
        ContentError: a name is not known, or the unit cannot have that many models.
    """
    return led_duel(edition, attacker, target, models, Company())


def led_duel(edition: Edition, attacker: str, target: str, models: int | None, company: Company) -> Duel:
    """``duel`` of units with Leaders.

    The attacker's Leader is one more model, with every weapon of its datasheet. The target's Leader follows its models.

    Raises:
        ContentError: a name is not known, a unit cannot have that many models, a Leader cannot lead the unit, or a
            Stratagem changes no attacks.
    """
    first, second = load_datasheet(attacker), load_datasheet(target)
    squads = (squad(first, company.attackers, "<attacker>"), squad(second, models, "<target>"))
    smallest = write_out(ArmyUnit(datasheet=first.name), first)
    carriers = {name: sum(name in model.weapons for model in smallest) for name in first.weapons}
    leaders = (
        leader_of(first, company.leader, "<attacker>", "leader"),
        leader_of(second, company.target_leader, "<target>", "target_leader"),
    )
    shooters, loadouts = [all_weapons(first)], [squads[0]]
    if leaders[0] is not None:
        shooters.append(all_weapons(leaders[0], leads=0))
        loadouts.append(squad(leaders[0], None, "<attacker>"))
    targets = [MusteredUnit(second.name, second, squads[1], 0)]
    if leaders[1] is not None:
        led = squad(leaders[1], None, "<target>")
        targets.append(MusteredUnit(leaders[1].name, leaders[1], led, 0, leads=0))
    rules, chosen = stratagems_named(company.stratagems, (first, second))
    setup = compile_plan(Plan(edition, SIZE, (shooters, targets), (ZONE, ZONE), army_rules=rules))
    return Duel(
        setup,
        first.name,
        second.name,
        carriers,
        leader=leaders[0].name if leaders[0] is not None else "",
        target_leader=leaders[1].name if leaders[1] is not None else "",
        loadouts=tuple(tuple(model.weapons for model in each) for each in loadouts),
        chosen=chosen,
    )


def all_weapons(sheet: Datasheet, leads: int | None = None) -> MusteredUnit:
    """One model with every weapon of the datasheet."""
    return MusteredUnit(sheet.name, sheet, (MusteredModel(sheet.models[0], tuple(sheet.weapons)),), 0, leads=leads)


def squad(sheet: Datasheet, models: int | None, place: str) -> tuple[MusteredModel, ...]:
    """A unit of ``models`` models (None: the smallest unit) of a datasheet, without options.

    Raises:
        ContentError: the unit cannot have that many models.
    """
    if models is not None and not sheet.smallest <= models <= sheet.largest:
        expected = f"{sheet.smallest} to {sheet.largest} for {sheet.name}"
        raise ContentError(place, "models", models, expected, "models are no unit")
    return write_out(ArmyUnit(datasheet=sheet.name, models=models), sheet)


def leader_of(sheet: Datasheet, name: str | None, place: str, field: str) -> Datasheet | None:
    """The datasheet of a Leader of the unit (w10.deploy.leader.attach); None if ``name`` is None.

    Raises:
        ContentError: there is no such datasheet, or it cannot lead the unit.
    """
    if name is None:
        return None
    leader = load_datasheet(name)
    if sheet.name not in leader.abilities.leader:
        expected = f"a Leader of {sheet.name}; {leader.name} leads {', '.join(leader.abilities.leader) or 'no unit'}"
        raise ContentError(place, field, leader.name, expected, "cannot lead it")
    return leader


def stratagems_named(
    names: Sequence[str], sheets: tuple[Datasheet, Datasheet]
) -> tuple[tuple[tuple[Stratagem, ...], ...], tuple[str, ...]]:
    """The named Stratagems of each player's Detachments, and the names of the options in force.

    Raises:
        ContentError: neither player has a Stratagem of that name that changes attacks, or it has no such option.
    """
    if not names:
        return (), ()
    own = [
        [one for d in load_faction(sheet.faction).detachments for one in d.stratagems if counts(one)]
        for sheet in sheets
    ]
    known = {
        f"{one.name}: {option}" if one.chooses.options else one.name: (one, option or one.name)
        for one in (*own[0], *own[1])
        if one.chooses is not None
        for option in one.chooses.options or ("",)
    }
    lower = {name.lower(): name for name in known}
    for name in names:
        if name.lower() not in lower:
            raise unknown("<call>", "stratagem", name, known)
    wanted = [known[lower[name.lower()]] for name in dict.fromkeys(names)]
    used = {one.name for one, _ in wanted}
    rules = tuple(tuple(one for one in side if one.name in used) for side in own)
    return rules, tuple(dict.fromkeys(option for _, option in wanted))


def counts(stratagem: Stratagem) -> bool:
    """Whether a Stratagem is played and changes attacks, saves or Feel No Pain."""
    return stratagem.active and any(play.power_effect in COUNTED for play in stratagem.plays)
