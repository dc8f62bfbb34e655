"""Compile the kernels of games beforehand, with as many processes as there are cores."""

from __future__ import annotations

from typing import Annotated

import numba
import typer

from wh_env.agents.programs import fail, run
from wh_env.content.games import game_named
from wh_env.content.warming import BATTLE, USES, Warmed, listed, telling, warm
from wh_env.core.kernel_cache import folder_for_kernels
from wh_env.core.kernel_crew import cores
from wh_env.core.kernel_plan import Plan
from wh_env.envs.registry import rulesets


def in_words(ruleset: str, done: Warmed) -> str:
    """One line about what was compiled."""
    if not done.plan.wanted:
        return f"{ruleset}: nothing to compile"
    spent = sum(done.spent.values())
    lost = f"; not as listed: {', '.join(sorted(set(done.failed)))}" if done.failed else ""
    return (
        f"{ruleset}: {len(done.spent)} kernels in {done.seconds:.1f} s by {done.processes} "
        f"process{'es' if done.processes > 1 else ''}, {spent:.1f} s of processor time{lost}"
    )


def main(
    rulesets_: Annotated[
        list[str] | None, typer.Argument(metavar="[RULESET]...", help="Rulesets to compile. Default: all.")
    ] = None,
    battles: Annotated[
        bool,
        typer.Option("--battles", help="Only kernels of a first battle, not those of observations and policies."),
    ] = False,
    processes: Annotated[
        int | None, typer.Option(min=1, max=256, help="Number of processes. Default: one for each core.")
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Compile nothing; print how long it would take.")] = False,
) -> None:
    """Compile kernels beforehand, so that no battle has to wait for them.

    Example: wh-env warm w10 wap
    """
    uses = (BATTLE,) if battles else USES
    for ruleset in rulesets_ or rulesets():
        game_named(ruleset)
    if numba.config.DISABLE_JIT:
        fail("kernels are plain Python (NUMBA_DISABLE_JIT)")
    if not plan and folder_for_kernels() is None:
        fail("no folder takes compiled kernels (WH_ENV_CACHE names one)")
    for ruleset in rulesets_ or rulesets():
        if plan:
            typer.echo(f"{ruleset}: {Plan(listed(ruleset, uses)).in_words()}")
            continue
        done = warm(ruleset, uses, processes or cores(), telling)
        typer.echo(in_words(ruleset, done))
        if done.spent:
            typer.echo(f"  by the times measured: {Plan(done.times()).in_words()}")


if __name__ == "__main__":
    run(main)
