"""The page that says what stands where in an observation, made from the fields that the code lays out."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from wh_env import Battle
from wh_env.agents.programs import run, writable
from wh_env.core.actions import ActionSpace
from wh_env.core.features import UNITS, Field
from wh_env.core.files import replacing
from wh_env.core.procedures import Ruleset
from wh_env.envs.observation import PARTS, SIZE, Part
from wh_env.envs.observation_fields import COLUMNS, MARKER, OWN_FIELDS, POOL, ROOM, ROWS, SAMPLES
from wh_env.envs.observation_terrain import LOOKERS
from wh_env.envs.registry import environment, rulesets

GRID = ActionSpace().grid
PROJECT = Path(__file__).resolve().parents[1]
PAGE = PROJECT / "docs" / "observation.md"

HEAD = f"""\
# The observation

Made by `scripts/observation.py` from the fields in `wh_env/envs/observation_fields.py` and in the `features` of each ruleset;
edit those, then run it again.

`observation="vector"` is one array of {SIZE} float32. `observation="entities"` is a dict of float32 arrays, with the relations of
every own to every enemy unit on top. Sizes are the same for every battle, army and ruleset; what is not there is 0. Every number
lies in -1..1, which is what the spaces say; the range of each field is given below and holds in every battle.

- Both seats see the table from their own side: the Attacker as it lies, the other seat turned by half a turn. `x` runs along the
  table, `y` across it, both from its middle.
- Row *i* of `own` and `enemy` is slot *i* of the segments `own unit` and `enemy unit` of the action space, row *i* of `models` is slot
  *i* of the segment `model`. Cell *c* of a decision that asks for places lies in column *c* mod {GRID} and row *c* div {GRID} of a grid whose
  outermost centres are `x` ± `span_x` and `y` ± `span_y` of the part `decision`.
- What the other seat keeps secret is not shown, in no field: it stands there as it was before the battle began, and of a decision on
  it nothing is told (`Ruleset.hidden`).
- Lengths are in inches, divided as the unit says, and never more than 1; a ruleset in centimetres is converted.

`wh_env.envs.observation.split(vector)` gives the parts of a vector by name, `column_of(ruleset, part, field)` a column,
`describe(ruleset, index)` says of any number of the vector what it is:

```python
from wh_env.envs import observation

column = observation.describe("w10", 3)
print(column)  # 3: globals, attacker (0/1, 0..1): the seat is the Attacker (until that is settled: player 0)
print(column.part, column.name, column.unit, column.low, column.high, column.place)
for column in (observation.describe("w10", index) for index in range(observation.SIZE)):
    assert -1 <= column.low <= column.high <= 1
```

"""

NOTES = f"""\
## What is exact and what is estimated

| value | how it is found |
| --- | --- |
| `distance`, `nearest_enemy` | Exact: between the closest models' bases, differences in height included. |
| `nearest_marker`, `own_distance`, `enemy_distance` | To the circle round the base; exact for round bases. |
| `sight` | An estimate, of terrain alone: three straight lines (through the middles, along both sides; from top to top) between \
each two of up to {LOOKERS} models of each unit. Lines stop at what is solid and at footprints that hide what lies behind them, if \
neither end lies in one. Models do not stop them, and a gap that only other lines find is missed. It is the dearest part, so \
the vector goes without it; masks of targets are exact in both forms. |
| `terrain` | {COLUMNS} x {ROWS} cells over the table, each the mean of {SAMPLES} x {SAMPLES} points; in the vector the mean of \
{POOL} x {POOL} cells. |

"""


def line(*cells: str) -> str:
    """A row of a table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def heading(*names: str) -> str:
    """The head of a table; numbers to the right."""
    return line(*names) + "|" + "".join(" ---: |" if name in ("column", "n") else " --- |" for name in names) + "\n"


def shape(sizes: tuple[int, ...]) -> str:
    return " x ".join(map(str, sizes))


def index(part: Part) -> str:
    """Where the numbers of a part stand in the vector, as a formula."""
    if part.start < 0:
        return "-"
    if len(part.vector_shape) == 1:
        return f"{part.start} + column"
    if part.name == "terrain":
        _, rows, columns = part.vector_shape
        return f"{part.start} + {rows * columns} * column + {columns} * row + cell"
    return f"{part.start} + {part.vector_shape[1]} * {part.axes[0]} + column"


def span(field: Field) -> str:
    return f"{field.low:g}..{field.high:g}"


def runs(fields: tuple[Field, ...], first: int) -> Iterator[tuple[str, str, Field, str]]:
    """(column, name, field, meaning) of fields; flags numbered through (``kind_0``, ...) are one row."""
    at = 0
    while at < len(fields):
        field, stem = fields[at], fields[at].name.rpartition("_")[0]
        end = at + 1
        while field.name == f"{stem}_0" and end < len(fields) and fields[end].name == f"{stem}_{end - at}":
            end += 1
        if end == at + 1:
            yield str(first + at), f"`{field.name}`", field, field.meaning
        else:
            last = end - at - 1
            names = f"`{stem}_0` .. `{stem}_{last}`"
            yield f"{first + at} .. {first + end - 1}", names, field, field.meaning.replace("number 0", "number *n*")
        at = end


def field_table(fields: tuple[Field, ...], first: int = 0) -> str:
    """A table of fields whose first one stands in column ``first``."""
    text = heading("column", "name", "unit", "range", "meaning")
    for column, name, field, meaning in runs(fields, first):
        text += line(column, name, field.unit, span(field), meaning)
    return text


def parts_table() -> str:
    text = heading("part", "shape in `entities`", "axes", "in the vector", "index in the vector", "what")
    for part in PARTS.values():
        where = f"{part.start} .. {part.stop - 1}" if part.start >= 0 else "-"
        text += line(f"`{part.name}`", shape(part.shape), ", ".join(part.axes), where, index(part), part.meaning)
    return text


def groups() -> dict[str, tuple[str, tuple[Field, ...]]]:
    """By group of fields: the parts that have it, and the core's fields."""
    found = {}
    for name, fields in (*OWN_FIELDS.items(), ("markers", MARKER)):
        found[name] = (", ".join(f"`{part.name}`" for part in PARTS.values() if part.fields == name), fields)
    return found


def all_rulesets() -> list[Ruleset]:
    """Those that have an environment."""
    return [Battle.load(environment(name).skirmish, 0).setup.ruleset for name in rulesets()]


def ruleset_pages(ruleset: Ruleset) -> str:
    """What a ruleset adds, its phases and its kinds of decision."""
    text = f"## Fields of `{ruleset.id}`\n\n"
    for group, (parts, own) in groups().items():
        added = ruleset.features.fields.get(group, ())
        if added:
            room = ROOM[group]
            text += f"### `{ruleset.id}`: {parts}\n\nFrom column {len(own)} on, {len(added)} of {room} in use.\n\n"
            text += field_table(added, len(own)) + "\n"
    if ruleset.features.notes:
        text += f"### `{ruleset.id}`: what is exact and what is estimated\n\n" + heading("value", "how it is found")
        text += "".join(line(*note) for note in ruleset.features.notes) + "\n"
    text += f"### `{ruleset.id}`: phases and kinds of decision\n\n"
    phases = ", ".join(f"{number} {name}" for number, name in enumerate(ruleset.phases))
    text += f"Numbers of `phase_n`: {phases}.\n\n" if phases else ""
    text += "Numbers of `kind_n` (another order of them is another version of the environment):\n\n"
    text += heading("n", "kind") + "".join(
        line(str(number), f"`{kind.name}`") for number, kind in enumerate(ruleset.kinds)
    )
    return text


def render() -> str:
    """The whole page."""
    text = HEAD + "## Parts\n\n" + parts_table() + "\n" + NOTES + "## Fields of all rulesets\n\n"
    for name, (parts, fields) in groups().items():
        room = ROOM.get(name)
        behind = f" Behind them is room for {room} of the ruleset." if room else ""
        text += f"### {parts}\n\n{len(fields)} fields.{behind}\n\n" + field_table(fields) + "\n"
    text += f"### `sight`\n\nOne number for each pair of slots, own x enemy ({UNITS} x {UNITS}): 0 or 1, the same both ways.\n\n"
    return text + "\n".join(ruleset_pages(ruleset) for ruleset in all_rulesets())


def as_json() -> dict[str, Any]:
    """Parts and fields as data."""
    return {
        "size": SIZE,
        "parts": {part.name: {**asdict(part), "stop": part.stop if part.start >= 0 else -1} for part in PARTS.values()},
        "fields": {
            ruleset.id: {
                name: [asdict(field) for field in (*own, *ruleset.features.fields.get(name, ()))]
                for name, (_, own) in groups().items()
            }
            for ruleset in all_rulesets()
        },
    }


def main(
    out: Annotated[Path, typer.Option(help="The page.")] = PAGE,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if the page is out of date.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print parts and fields as JSON instead.")] = False,
) -> None:
    """Write the page of all fields of the observation, or check it.

    Example: observation.py --check
    """
    if json_:
        typer.echo(json.dumps(as_json(), indent=1))
        return
    text = render()
    if not check:
        writable(out, "--out")
        with replacing(out) as draft:
            draft.write_text(text, encoding="utf-8")
        typer.echo(f"{out}: {len(PARTS)} parts, a vector of {SIZE}")
        return
    there = out.read_text(encoding="utf-8", errors="replace") if out.is_file() else ""
    if there != text:
        for change in difflib.unified_diff(there.splitlines(), text.splitlines(), str(out), "due", lineterm="", n=0):
            typer.echo(change)
        typer.echo(f"{out} is out of date: run scripts/observation.py", err=True)
        raise typer.Exit(1)


if __name__ == "__main__":
    run(main)
