"""Exact odds of an attack: how many wounds and models a target loses to a weapon, or to a whole unit with its
Leader.

For the game of regiments, the exact odds of a round of close combat.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from wh_env import ContentError
from wh_env.agents.programs import fail, run, writable
from wh_env.content.attack_odds import REROLLS, Attack, Circumstances, Range
from wh_env.content.game import Company
from wh_env.content.wap.combat_odds import Fight, fight, regiment_named
from wh_env.content.wap.machine_odds import Shelling, shelling
from wh_env.content.wap.spell_odds import SpellOdds, spell_odds
from wh_env.content.whole_odds import PHASES, Whole
from wh_env.content.whole_odds import whole as all_attacks
from wh_env.core.files import replacing
from wh_env.core.tables import Array
from wh_env.envs.registry import DEFAULT_RULESET
from wh_env.rulesets.w40k.attack.odds import Target

SHOWN = 0.0005  # rows with a lower probability are left out of the table
REGIMENTS = "wap"  # the ruleset with odds of a round of close combat
OF_SPELLS = ("spell", "level", "against", "against_level")
ONLY_OF_REGIMENTS = ("files", "target_files", "later", "away", *OF_SPELLS)  # options that only this ruleset has
OF_REGIMENTS = ("models", "attackers", "charged", "json_", *ONLY_OF_REGIMENTS)
AWAY = 24.0  # inches from a war machine to its target
PICTURES = (".png", ".svg", ".pdf")
REROLL_HELP = f"{', '.join(REROLLS)}. failed: rolls that fail before modifiers; any: rolls that fail after them."

Weapon = Annotated[str | None, typer.Option(help="Weapon of the attacker. Default: a line for each weapon.")]
CARRIERS = "Attacking models. Default: those with the weapon in the smallest unit. With --whole: size of the unit."
Attackers = Annotated[int | None, typer.Option(min=1, max=40, help=CARRIERS)]
TOGETHER = f"All weapons of the unit and its Leader together: {', '.join(PHASES)}."
Together = Annotated[str | None, typer.Option(help=TOGETHER)]
NAMES = "Stratagem of either Detachment in force; with an option 'NAME: OPTION'. May be repeated."
Stratagems = Annotated[list[str] | None, typer.Option(help=NAMES)]
GENERATES = "Attacks without damage generate another attack, as by some abilities."
INSTEAD = "of the target, instead of its own."
Invulnerable = Annotated[int | None, typer.Option(min=2, max=6, help=f"Invulnerable save {INSTEAD}")]
FeelNoPain = Annotated[int | None, typer.Option(min=2, max=6, help=f"Feel No Pain {INSTEAD}")]
Later = Annotated[bool, typer.Option("--later", help="A later round of the combat, not the first (--ruleset wap).")]
FAR = "Inches from a war machine to its target (--ruleset wap)."
Away = Annotated[float, typer.Option(min=0.0, max=72.0, help=FAR)]
Spell = Annotated[str | None, typer.Option(help="Spell that the attacker, a wizard, casts (--ruleset wap).")]
Level = Annotated[int | None, typer.Option(min=1, max=4, help="Wizard level of the attacker (--ruleset wap).")]
Against = Annotated[int, typer.Option(min=0, max=40, help="Dice with which a spell is dispelled (--ruleset wap).")]
AgainstLevel = Annotated[int, typer.Option(min=0, max=4, help="Level of who dispels it, 0: the army (--ruleset wap).")]
Another = Annotated[bool, typer.Option("--another", help=GENERATES)]


def main(
    context: typer.Context,
    attacker: Annotated[str, typer.Argument(help="Name of the attacker's datasheet.")],
    target: Annotated[str, typer.Argument(help="Name of the target's datasheet.")],
    weapon: Weapon = None,
    attackers: Attackers = None,
    models: Annotated[int | None, typer.Option(min=1, help="Models of the target. Default: the smallest unit.")] = None,
    whole: Together = None,
    leader: Annotated[str | None, typer.Option(help="Datasheet that leads the attacker.")] = None,
    target_leader: Annotated[str | None, typer.Option(help="Datasheet that leads the target.")] = None,
    stratagem: Stratagems = None,
    kind: Annotated[str | None, typer.Option(help="Type of the target's models. Default: the most common.")] = None,
    invulnerable: Invulnerable = None,
    feel_no_pain: FeelNoPain = None,
    half_range: Annotated[bool, typer.Option("--half-range", help="Within half range (Rapid Fire, Melta).")] = False,
    stationary: Annotated[bool, typer.Option("--stationary", help="The attacker did not move (Heavy).")] = False,
    charged: Annotated[bool, typer.Option("--charged", help="The attacker charged (Lance).")] = False,
    cover: Annotated[bool, typer.Option("--cover", help="The target has the Benefit of Cover.")] = False,
    stealth: Annotated[bool, typer.Option("--stealth", help="An effect gives the target Stealth.")] = False,
    unseen: Annotated[bool, typer.Option("--unseen", help="Indirect Fire at a target that is not visible.")] = False,
    overwatch: Annotated[bool, typer.Option("--overwatch", help="Overwatch: only unmodified sixes hit.")] = False,
    engaged: Annotated[bool, typer.Option("--engaged", help="Shooting while engaged (Big Guns Never Tire).")] = False,
    hit: Annotated[int, typer.Option(help="Modifier of hit rolls from other rules, -2 to 2.")] = 0,
    wound: Annotated[int, typer.Option(help="Modifier of wound rolls from other rules, -2 to 2.")] = 0,
    save: Annotated[int, typer.Option(help="Bonus to saves from other rules, 0 to 2.")] = 0,
    ap: Annotated[int, typer.Option(help="1: AP is better by one.")] = 0,
    attacks: Annotated[int, typer.Option(help="1: one more attack for each attacking model.")] = 0,
    reroll_hits: Annotated[str, typer.Option(help=REROLL_HELP)] = "none",
    reroll_wounds: Annotated[str, typer.Option(help=REROLL_HELP)] = "none",
    another: Another = False,
    files: Annotated[int | None, typer.Option(min=1, help="Files of the attacker (--ruleset wap).")] = None,
    target_files: Annotated[int | None, typer.Option(min=1, help="Files of the target (--ruleset wap).")] = None,
    later: Later = False,
    away: Away = AWAY,
    spell: Spell = None,
    level: Level = None,
    against: Against = 0,
    against_level: AgainstLevel = 0,
    ruleset: Annotated[str, typer.Option(help="Ruleset of the datasheets and rules.")] = DEFAULT_RULESET,
    plot: Annotated[Path | None, typer.Option(help=f"Draw the odds into this file ({', '.join(PICTURES)}).")] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print the distributions as JSON.")] = False,
) -> None:
    """Print the exact distribution of one volley; nothing is simulated.

    A target with several kinds of models is computed as if all were of one kind, except its Leader, who is attacked
    last. Blast counts the models of the target. Left out are Precision, Hazardous tests, and abilities that modify
    Toughness or whole weapons.

    With --whole each model attacks the target with the weapons that do most, in its default equipment.

    With --ruleset wap both names are cards of army sheets. The odds are the losses of both units in a round of close
    combat, front to front. --attackers, --models, --files, --target-files, --charged and --later describe it. If the
    first is a war machine, they are the losses to each of its shots; --models, --target-files and --away describe them.
    With --spell they are the chances of a wizard's spell; --level, --against and --against-level describe it.

    Example: odds.py "Hellblaster Squad" "Terminator Squad" --weapon "Plasma incinerator" --cover --plot out/odds.png

    Example: odds.py "Intercessor Squad" Termagants --whole shooting --leader Lieutenant --stratagem "Storm of Fire"
    """
    check_options(context, ruleset)
    if ruleset == REGIMENTS:
        return of_regiments(attacker, target, context.params)
    circumstances = Circumstances(
        half_range, stationary, charged, cover, stealth, unseen, overwatch, engaged,
        hit, wound, save, ap, attacks, reroll_hits, reroll_wounds, another,
    )  # fmt: skip
    one = Company(leader, target_leader, attackers if whole is not None else None, tuple(stratagem or ()))
    company = one if whole is not None or one != Company() else None
    try:
        odds_range = Range(
            ruleset, attacker, target, models=models, kind=kind, invulnerable=invulnerable, feel_no_pain=feel_no_pain,
            company=company,
        )  # fmt: skip
        if whole is not None:
            results = [together(odds_range, all_attacks(odds_range, whole, circumstances))]
        else:
            results = [odds_range.attack(row, circumstances, attackers) for row in odds_range.profiles(weapon)]
    except ContentError as error:
        fail(str(error))
    tell(results, weapon or whole, plot, json_)


def tell(attacks: list[Attack], chosen: str | None, plot: Path | None, as_json: bool) -> None:
    """Draw and print the odds."""
    if plot is not None:
        try:
            draw(attacks, plot)
        except ImportError as error:
            fail(f"--plot: {error}; pip install 'wh-env[render]'")
    if as_json:
        typer.echo(json.dumps([data(attack) for attack in attacks], indent=1))
        return
    console = Console(emoji=False, markup=False)
    show_all(console, attacks, chosen)
    if plot is not None:
        typer.echo(f"plot: {plot}", err=True)


def check_options(context: typer.Context, ruleset: str) -> None:
    """Refuse options that do not apply, and a plot file that cannot be written; exits with an error."""
    options = {name for name in context.params if str(context.get_parameter_source(name)).endswith("COMMANDLINE")}
    known = {"attacker", "target", "ruleset", *OF_REGIMENTS}
    for name in sorted(options - known if ruleset == REGIMENTS else options & set(ONLY_OF_REGIMENTS)):
        fail(f"--{name.rstrip('_').replace('_', '-')}: means nothing with --ruleset {ruleset}")
    plot = context.params["plot"]
    if plot is not None and plot.suffix not in PICTURES:
        fail(f"--plot: {plot}: expected a file ending in {', '.join(PICTURES)}")
    writable(plot, "--plot")
    if "spell" not in options:
        for name in sorted(options & {"level", "against", "against_level"}):
            fail(f"--{name.replace('_', '-')}: means nothing without --spell")
    if "whole" in options and "weapon" in options:
        fail("--weapon: means nothing with --whole, which takes all of them")
    if "another" in options and options & {"whole", "target_leader"}:
        fail("--another: means nothing with --whole or --target-leader")


def together(odds_range: Range, total: Whole) -> Attack:
    """All attacks of a unit as one ``Attack``, named after its parts."""
    names = [f"{part.attackers} × {part.weapon}" for part in total.parts]
    return Attack(
        " with ".join(name for name in (odds_range.duel.attacker, odds_range.duel.leader) if name),
        f"{total.phase}: {', '.join(names)}",
        sum(map(len, odds_range.duel.loadouts)),
        " with ".join(name for name in (odds_range.duel.target, odds_range.duel.target_leader) if name),
        len(total.odds.killed) - 1,
        odds_range.target,
        odds_range.others,
        total.odds,
    )


def of_regiments(first: str, second: str, options: Mapping[str, Any]) -> None:
    """Print the odds of a round of combat, of shots of a war machine, or of a spell; ``options``: of the program."""
    models, files, as_json = options["models"], options["target_files"], options["json_"]
    if options["spell"] is not None:
        magic = options["level"], options["against"], options["against_level"]
        spells(first, second, options["spell"], magic, (models, files), as_json)
    elif is_war_machine(first):
        machines(first, second, models, files, options["away"], as_json)
    else:
        sizes, wide = (options["attackers"], models), (options["files"], files)
        regiments(first, second, sizes, wide, options["charged"], options["later"], as_json)


def show_all(console: Console, attacks: list[Attack], one: str | None) -> None:
    """Print a line for each weapon; if a weapon or a whole unit was chosen, its full distributions."""
    if one is None:
        overview(console, attacks)
        return
    for attack in attacks:
        distribution(console, attack)


def regiments(
    first: str,
    second: str,
    models: tuple[int | None, int | None],
    files: tuple[int | None, int | None],
    charged: bool,
    later: bool,
    as_json: bool,
) -> None:
    """Print the odds of a round of close combat."""
    try:
        result = fight(first, second, models=models, files=files, charged=charged, later=later)
    except ContentError as error:
        fail(str(error))
    if as_json:
        typer.echo(json.dumps(round_data(result), indent=1))
        return
    console, odds = Console(emoji=False, markup=False), result.odds
    sizes = [
        f"{n} × {name} in {wide} files" for n, name, wide in zip(result.models, result.names, result.files, strict=True)
    ]
    console.print(
        f"{sizes[0]}{', which has charged,' if charged else ''} against {sizes[1]}, "
        f"{'a later' if later else 'the first'} round"
    )
    more, same, fewer = (f"{100 * share:.1f} %" for share in odds.leads)
    console.print(f"{first} cause more wounds: {more}, as many: {same}, fewer: {fewer}")
    for unit, name in enumerate(result.names):
        chances = odds.models(unit)
        table = Table(title=f"models lost by {name}: {float((np.arange(len(chances)) * chances).sum()):.3f} on average")
        lines(table, chances)
        console.print(table)


def spells(
    wizard: str,
    target: str,
    spell: str,
    magic: tuple[int | None, int, int],
    size: tuple[int | None, int | None],
    as_json: bool,
) -> None:
    """Print the chances of a spell. ``magic``: level of the wizard, dice and level against him. ``size``: models and
    files of the target.
    """
    level, against, other = magic
    known = {"level": level, "models": size[0], "files": size[1]}
    try:
        result = spell_odds(wizard, target, spell, **known, against=against, against_level=other)
    except ContentError as error:
        fail(str(error))
    if as_json:
        typer.echo(json.dumps(spell_data(result), indent=1))
        return
    console = Console(emoji=False, markup=False)
    console.print(
        f"{wizard} of level {result.level} casts {spell} on {result.models} × {target} in {result.files} files"
    )
    table = Table(title=f"dispelled with {against} dice")
    for column in ("dice", *(f"{value}+" for value in result.values), "dispelled", "miscast"):
        table.add_column(column, justify="right")
    for row in result.attempts:
        shares = (*row.cast, row.dispelled, row.miscast)
        table.add_row(str(row.dice), *(f"{100 * share:.1f} %" for share in shares))
    console.print(table)
    for value, wounds in zip(result.values, result.wounds, strict=True):
        if wounds:
            console.print(f"{value}+: {wounds:.3f} wounds on average")


def spell_data(result: SpellOdds) -> dict[str, Any]:
    """A spell as plain data."""
    return {
        "units": list(result.names),
        "level": result.level,
        "models": result.models,
        "files": result.files,
        "spell": result.spell,
        "values": list(result.values),
        "against": result.against,
        "against_level": result.against_level,
        "mean_wounds_lost": list(result.wounds),
        "attempts": [
            {"dice": row.dice, "cast": list(row.cast), "dispelled": row.dispelled, "miscast": row.miscast}
            for row in result.attempts
        ],
    }


def is_war_machine(card: str) -> bool:
    """Whether a card of the army sheets is a war machine; exits with an error if there is no such card."""
    try:
        machine = regiment_named(card, None, None).card.machine
    except ContentError as error:
        fail(str(error))
    return machine is not None


def machines(machine: str, target: str, models: int | None, files: int | None, away: float, as_json: bool) -> None:
    """Print the odds of a war machine's shots."""
    try:
        result = shelling(machine, target, models=models, files=files, away=away)
    except ContentError as error:
        fail(str(error))
    if as_json:
        typer.echo(json.dumps(shelling_data(result), indent=1))
        return
    console = Console(emoji=False, markup=False)
    console.print(f'{machine} against {result.models} × {target} in {result.files} files, {away:g}" away')
    for shot, odds in result.odds.items():
        console.print(
            f"{shot}: {odds.mean:.3f} wounds on average, {odds.hits:.3f} models in its way, "
            f"misfires {100 * odds.misfire:.1f} %"
        )
        table = Table(title=f"models lost by {target}")
        lines(table, odds.models)
        console.print(table)
    if not result.odds:
        console.print("out of reach")


def shelling_data(result: Shelling) -> dict[str, Any]:
    """A war machine's shots as plain data."""
    return {
        "units": list(result.names),
        "models": result.models,
        "files": result.files,
        "away": result.away,
        "shots": {
            shot: {
                "mean_wounds_lost": odds.mean,
                "mean_models_in_the_way": odds.hits,
                "misfire": odds.misfire,
                "wounds_lost": odds.lost.tolist(),
                "models_lost": odds.models.tolist(),
            }
            for shot, odds in result.odds.items()
        },
    }


def round_data(fight: Fight) -> dict[str, Any]:
    """A round as plain data; ``lost[a][b]`` is the probability that the first unit loses ``a`` wounds and the
    second ``b``.
    """
    odds = fight.odds
    return {
        "units": list(fight.names),
        "models": list(fight.models),
        "files": list(fight.files),
        "charged": fight.charged,
        "later": fight.later,
        "mean_wounds_lost": list(odds.means),
        "models_lost": [odds.models(unit).tolist() for unit in (0, 1)],
        "causes_more_as_many_fewer": list(odds.leads),
        "lost": odds.lost.tolist(),
    }


def lines(table: Table, chances: Array) -> None:
    """Fill a table with the probabilities of each number, and of each number or more."""
    for column in ("number", "exactly", "at least"):
        table.add_column(column, justify="right")
    for number, (exactly, more) in enumerate(zip(chances, at_least(chances), strict=True)):
        if exactly >= SHOWN:
            table.add_row(str(number), f"{100 * exactly:.2f} %", f"{100 * more:.2f} %")


def at_least(chances: Array) -> Array:
    """Probabilities of each number or more, from those of each number; same shape."""
    return np.asarray(np.cumsum(chances[::-1])[::-1])


def profile(target: Target) -> str:
    """The target's characteristics in words."""
    parts = [f"T{target.toughness}", f"Sv {target.save}+" if target.save else "no Sv", f"W{target.wounds}"]
    if target.invulnerable:
        parts.append(f"invulnerable {target.invulnerable}+")
    if target.feel_no_pain:
        parts.append(f"Feel No Pain {target.feel_no_pain}+")
    return ", ".join(parts)


def heading(attack: Attack) -> str:
    """The attacker and the target in words."""
    return f"{attack.attackers} × {attack.weapon} ({attack.attacker}) → {attack.models} × {attack.target}"


def notes(attack: Attack) -> str:
    """The target's characteristics, and models that are computed as others."""
    aside = f"; counted alike: {', '.join(attack.others)}" if attack.others else ""
    return f"target: {profile(attack.profile)}{aside}"


def overview(console: Console, attacks: list[Attack]) -> None:
    """Print a line for each weapon."""
    table = Table(title=f"{attacks[0].attacker} → {attacks[0].models} × {attacks[0].target}")
    table.add_column("weapon", overflow="fold")
    for column in ("models", "wounds lost", "destroyed", "any destroyed", "all destroyed"):
        table.add_column(column, justify="right")
    for attack in attacks:
        odds = attack.odds
        any_, every = 1 - odds.killed[0], odds.killed[-1]
        table.add_row(
            attack.weapon, str(attack.attackers), f"{odds.mean_lost:.2f}", f"{odds.mean_killed:.2f}",
            f"{100 * any_:.1f} %", f"{100 * every:.1f} %",
        )  # fmt: skip
    console.print(table)
    console.print(notes(attacks[0]))


def distribution(console: Console, attack: Attack) -> None:
    """Print both distributions of one attack."""
    console.print(heading(attack))
    console.print(notes(attack))
    for name, chances, mean in (
        ("models destroyed", attack.odds.killed, attack.odds.mean_killed),
        ("wounds lost", attack.odds.lost, attack.odds.mean_lost),
    ):
        console.print(f"{name}: {mean:.3f} on average")
        table = Table()
        lines(table, chances)
        console.print(table)


def data(attack: Attack) -> dict[str, Any]:
    """An attack as plain data."""
    target = attack.profile
    return {
        "attacker": attack.attacker,
        "weapon": attack.weapon,
        "attackers": attack.attackers,
        "target": attack.target,
        "models": attack.models,
        "profile": {
            "T": target.toughness,
            "Sv": target.save,
            "W": target.wounds,
            "invulnerable": target.invulnerable,
            "feel_no_pain": target.feel_no_pain,
        },
        "counted_alike": list(attack.others),
        "mean_wounds_lost": attack.odds.mean_lost,
        "mean_models_destroyed": attack.odds.mean_killed,
        "wounds_lost": attack.odds.lost.tolist(),
        "models_destroyed": attack.odds.killed.tolist(),
    }


def draw(attacks: list[Attack], file: Path) -> None:
    """Draw the distributions of each attack: bars for each number, a line for each number or more.

    Raises:
        ImportError: matplotlib is not installed.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 3.2 * len(attacks)), layout="constrained")
    axes = figure.subplots(len(attacks), 2, squeeze=False)
    for row, attack in zip(axes, attacks, strict=True):
        for axis, name, chances in zip(
            row, ("models destroyed", "wounds lost"), (attack.odds.killed, attack.odds.lost), strict=True
        ):
            last = int(np.flatnonzero(chances >= SHOWN)[-1])
            numbers = np.arange(last + 1)
            axis.bar(numbers, 100 * chances[: last + 1], color="#9a7fc0", label="exactly")
            axis.plot(
                numbers, 100 * at_least(chances)[: last + 1], "o-", color="#b35806", markersize=4, label="at least"
            )
            axis.set_xlabel(name)
            axis.set_ylabel("chance, %")
            axis.set_ylim(0, 103)
            axis.xaxis.get_major_locator().set_params(integer=True)
            axis.grid(axis="y", color="#ddd")
            axis.set_axisbelow(True)
        row[0].set_title(f"{heading(attack)}\n{notes(attack)}", loc="left", fontsize=9)
        row[1].legend(frameon=False)
    with replacing(file) as draft:
        figure.savefig(draft, dpi=130)


if __name__ == "__main__":
    run(main)
