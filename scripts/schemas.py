"""Write JSON Schemas of content files, with which editors complete and check fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from wh_env.agents.programs import fail, run
from wh_env.content.editor import schema_of
from wh_env.content.games import GAMES
from wh_env.core.files import replacing


def main(
    into: Annotated[
        Path, typer.Option(help="Output folder; it gets a folder for each ruleset and a file for each kind.")
    ] = Path("schemas"),
    ruleset: Annotated[list[str] | None, typer.Option(help="Only this ruleset; may be repeated.")] = None,
) -> None:
    """Write the schemas.

    An editor with a YAML language server uses a schema if the file has a first line such as
    # yaml-language-server: $schema=../../schemas/w10/armies.json

    Example: schemas.py --into mine/schemas --ruleset w10
    """
    count = 0
    for name in ruleset or sorted(GAMES):
        if name not in GAMES:
            fail(f"--ruleset: {name!r} is not known; expected one of {', '.join(sorted(GAMES))}")
        for kind in sorted(GAMES[name].schemas):
            path = into / name / f"{kind}.json"
            try:
                text = json.dumps(schema_of(name, kind), indent=1, sort_keys=True) + "\n"
                with replacing(path) as draft:
                    draft.write_text(text, encoding="utf-8")
            except OSError as error:
                fail(f"{path}: cannot be written ({error.strerror}); expected a folder that can")
            count += 1
    typer.echo(f"{into}: {count} schemas")


if __name__ == "__main__":
    run(main)
