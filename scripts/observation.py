"""Write or check docs/observation.md, which says what every number of an observation means."""

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
from wh_env.core.bounds import Bounds
from wh_env.core.features import UNITS, Field
from wh_env.core.files import replacing
from wh_env.core.procedures import Ruleset
from wh_env.envs.observation import PARTS, SIZE, Part
from wh_env.envs.observation_fields import COLUMNS, OWN_FIELDS, POOL, ROOM, ROWS, SAMPLES
from wh_env.envs.observation_terrain import LOOKERS
from wh_env.envs.registry import environment, rulesets

GRID = ActionSpace().grid
PROJECT = Path(__file__).resolve().parents[1]
PAGE = PROJECT / "docs" / "observation.md"

HEAD = f"""\
# The observation

`scripts/observation.py` writes this page from the fields in `wh_env/envs/observation_fields.py` and
from the `features` of each ruleset. Edit those, then run the program again.

An environment gives observations in one of two forms:

- `observation="vector"` is one array of {SIZE} float32.
- `observation="entities"` is a dict of float32 arrays, one for each part below. Some parts,
  such as `relations` (numbers about each pair of an own and an enemy unit), are not in the vector.

The sizes are the same for every battle, army and ruleset. Empty slots and unused columns contain 0.
Every number lies in -1..1, and the spaces declare that range. The tables below give the range of
each field, which holds in every battle.

- Each seat sees the table from its own side. The Attacker sees it as the map gives it, the other
  seat sees it turned by half a turn. `x` runs along the table and `y` across it, both from the
  middle of the table.
- Row *i* of `own` and `enemy` is slot *i* of the segments `own unit` and `enemy unit` of the action
  space. Row *i* of `models` is slot *i* of the segment `model`.
- Some decisions ask for a place, as a cell of a grid. Cell *c* lies in column *c* mod {GRID} and in row
  *c* div {GRID}. The centres of the outermost cells are `x` ± `span_x` and `y` ± `span_y`, four fields of
  the part `decision`.
- No field shows what the other seat keeps secret (`Ruleset.hidden`). Such values are shown as they
  were before the battle began, and the part `decision` is empty of details about a secret decision.
- Some options are data: abilities, psychic powers, spells, magic items. The part `options` says in
  numbers what each of them does; its fields are those of the ruleset. Nothing is told by its name,
  so a policy may meet an army that it has never seen.
- Every column of the state that may change in a battle is shown, or the section "what is not shown"
  of its ruleset says why it need not be. `scripts/aliasing.py` is the proof: it changes single
  numbers, and what no seat sees at once must not come to matter within sixty decisions. The frames
  of procedures and the dice are left out of that.
- Lengths are in inches, divided by the number that the unit names, and at most 1. A ruleset in
  centimetres is converted to inches.

Three functions of `wh_env.envs.observation` help to read a vector. `split(vector)` gives its parts by
name, `column_of(ruleset, part, field)` gives the column of a field, and `describe(ruleset, index)`
says what any number of the vector means:

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

| value | how it is computed |
| --- | --- |
| `distance`, `nearest_enemy` | Exact: the shortest distance between the bases of two models, differences in height \
included. |
| `nearest_marker`, `own_distance`, `enemy_distance` | Measured to the smallest circle around the base; exact for \
round bases. |
| `sight` | An estimate that takes only terrain into account. For up to {LOOKERS} models of each unit, every pair of \
models is tested with three straight lines: through the middles of the bases and along both sides, from top to top. A \
line is blocked by solid terrain. It is also blocked by a footprint that hides what lies behind it, unless one of its \
ends lies in that footprint. Models do not block lines, and a gap that only other lines would find is missed. `sight` \
is the slowest part to compute, so the vector does not contain it. The masks of targets are exact in both forms. |
| `terrain` | {COLUMNS} x {ROWS} cells over the table, each the mean of {SAMPLES} x {SAMPLES} points. A cell of the \
vector is the mean of {POOL} x {POOL} of these cells. |

"""


def line(*cells: str) -> str:
    """A row of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def heading(*names: str) -> str:
    """The first two lines of a Markdown table; columns of numbers are aligned right."""
    return line(*names) + "|" + "".join(" ---: |" if name in ("column", "n") else " --- |" for name in names) + "\n"


def shape(sizes: tuple[int, ...]) -> str:
    """A shape, as ``32 x 110``."""
    return " x ".join(map(str, sizes))


def index(part: Part) -> str:
    """Where the numbers of a part are in the vector, as a formula; ``-`` if the vector does not contain the part."""
    if part.start < 0:
        return "-"
    if len(part.vector_shape) == 1:
        return f"{part.start} + column"
    if part.name == "terrain":
        _, rows, columns = part.vector_shape
        return f"{part.start} + {rows * columns} * column + {columns} * row + cell"
    return f"{part.start} + {part.vector_shape[1]} * {part.axes[0]} + column"


def span(field: Field) -> str:
    """The range of a field, as ``0..1``."""
    return f"{field.low:g}..{field.high:g}"


def runs(fields: tuple[Field, ...], first: int) -> Iterator[tuple[str, str, Field, str]]:
    """The rows of a table of fields: column, name, field, meaning.

    Fields whose names only differ in a number (``kind_0``, ``kind_1``, ...) share one row.

    Args:
        fields: the fields, in the order of their columns.
        first: column of the first field.
    """
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
    """A table of fields; ``first`` is the column of the first one."""
    text = heading("column", "name", "unit", "range", "meaning")
    for column, name, field, meaning in runs(fields, first):
        text += line(column, name, field.unit, span(field), meaning)
    return text


def parts_table() -> str:
    """The table of the parts of an observation."""
    text = heading("part", "shape in `entities`", "axes", "in the vector", "index in the vector", "what")
    for part in PARTS.values():
        where = f"{part.start} .. {part.stop - 1}" if part.start >= 0 else "-"
        text += line(f"`{part.name}`", shape(part.shape), ", ".join(part.axes), where, index(part), part.meaning)
    return text


def groups() -> dict[str, tuple[str, tuple[Field, ...]]]:
    """For each group of fields: the parts that consist of it, as text, and its fields without those of rulesets."""
    by_group = {}
    for name, fields in OWN_FIELDS.items():
        by_group[name] = (", ".join(f"`{part.name}`" for part in PARTS.values() if part.fields == name), fields)
    return by_group


def all_rulesets() -> list[Ruleset]:
    """The rulesets with an environment."""
    return [Battle.load(environment(name).skirmish, 0).setup.ruleset for name in rulesets()]


def hidden(ruleset: Ruleset) -> list[tuple[str, str]]:
    """The columns of the state that observations need not show, with the reasons."""
    setup = Battle.load(environment(ruleset.id).skirmish, 0).setup
    found = []
    for spec in setup.layout.specs:
        if isinstance(spec.bounds, Bounds):
            found.append((spec.name, spec.bounds.unseen))
        else:
            found += [(f"{spec.name}.{column}", bounds.unseen) for column, bounds in spec.bounds.items()]
    return [(name, why) for name, why in found if why]


def ruleset_pages(ruleset: Ruleset) -> str:
    """The section about a ruleset: the fields that it adds, its phases and its kinds of decision."""
    text = f"## Fields of `{ruleset.id}`\n\n"
    for group, (parts, own) in groups().items():
        added = ruleset.features.fields.get(group, ())
        if added:
            room = ROOM[group]
            text += f"### `{ruleset.id}`: {parts}\n\nFrom column {len(own)} on, {len(added)} of {room} in use.\n\n"
            text += field_table(added, len(own)) + "\n"
    if ruleset.features.notes:
        text += f"### `{ruleset.id}`: what is exact and what is estimated\n\n" + heading("value", "how it is computed")
        text += "".join(line(*note) for note in ruleset.features.notes) + "\n"
    text += f"### `{ruleset.id}`: what is not shown\n\n"
    text += heading("column of the state", "why") + "".join(line(f"`{name}`", why) for name, why in hidden(ruleset))
    text += f"\n### `{ruleset.id}`: phases and kinds of decision\n\n"
    phases = ", ".join(f"{number} {name}" for number, name in enumerate(ruleset.phases))
    text += f"Numbers of `phase_n`: {phases}.\n\n" if phases else ""
    text += "Numbers of `kind_n`. If their order changes, the version of the environment changes:\n\n"
    text += heading("n", "kind") + "".join(
        line(str(number), f"`{kind.name}`") for number, kind in enumerate(ruleset.kinds)
    )
    return text


def render() -> str:
    """The whole page."""
    text = HEAD + "## Parts\n\n" + parts_table() + "\n" + NOTES + "## Fields of all rulesets\n\n"
    for name, (parts, fields) in groups().items():
        room = ROOM.get(name)
        behind = f" After them come up to {room} fields of the ruleset." if room else ""
        text += f"### {parts}\n\n{len(fields)} fields.{behind}\n\n" + field_table(fields) + "\n"
    text += (
        f"### `sight`\n\nOne number for each pair of an own slot and an enemy slot ({UNITS} x {UNITS}). 1: the two "
        "units can see each other, as far as terrain allows it; 0: they cannot.\n\n"
    )
    return text + "\n".join(ruleset_pages(ruleset) for ruleset in all_rulesets())


def as_json() -> dict[str, Any]:
    """Parts and fields as data for JSON."""
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
    out: Annotated[Path, typer.Option(help="File of the page.")] = PAGE,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if the page is out of date.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print parts and fields as JSON instead.")] = False,
) -> None:
    """Write the page with all fields of the observation, or check it.

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
    written = out.read_text(encoding="utf-8", errors="replace") if out.is_file() else ""
    if written != text:
        changes = difflib.unified_diff(written.splitlines(), text.splitlines(), str(out), "expected", lineterm="", n=0)
        for change in changes:
            typer.echo(change)
        typer.echo(f"{out} is out of date: run scripts/observation.py", err=True)
        raise typer.Exit(1)


if __name__ == "__main__":
    run(main)
