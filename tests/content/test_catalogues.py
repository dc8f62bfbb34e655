"""Catalogues of BattleScribe: reading them, following their links, what a unit of them is."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import pytest
from catalogues import (
    POINTS,
    ability,
    catalogue,
    condition,
    element,
    entry,
    game,
    group,
    gun,
    limit,
    link,
    model_line,
    modifier,
    profile,
    written,
)

from wh_env import ContentError
from wh_env.content.catalogues import Library, read_library, unit_entries
from wh_env.content.catalogues.entries import Entry
from wh_env.content.catalogues.tree import MOST_DEPTH, parse_tree

SQUAD = entry(
    "squad",
    "Squad",
    "unit",
    categories=["Infantry"],
    points=80,
    groups=[
        group(
            "men",
            "Men",
            [
                entry(
                    "chief", "Chief", "model", profiles=[model_line("Chief")], limits=[limit("min", 1), limit("max", 1)]
                ),
                entry(
                    "man",
                    "Man",
                    "model",
                    profiles=[model_line("Man")],
                    links=[link("rifle", "Rifle")],
                    limits=[limit("min", 4), limit("max", 9)],
                ),
            ],
        )
    ],
    modifiers=[modifier("set", POINTS, "160", [condition("atLeast", "man", 5)])],
)
RIFLE = entry("rifle", "Rifle", profiles=[gun("Rifle")])


def read(folder: Path, units: list[str], **more: list[str]) -> tuple[Library, list[Entry]]:
    """A catalogue of these units, and its units."""
    library = read_library([written(folder, units, **more)])
    return library, unit_entries(library, library.given[0])


def test_a_unit_with_its_links(tmp_path):
    library, units = read(tmp_path, [SQUAD], shared=[RIFLE])
    assert library.game == "Warhammer 40,000 10th Edition" and not library.missing
    [squad] = units
    assert [(m.name, m.least, m.most) for m in squad.models()] == [("Chief", 1, 1), ("Man", 4, 9)]
    assert squad.sizes() == (5, 10)
    assert [line.name for line in squad.lines_of("Ranged Weapons")] == ["Rifle"]
    assert squad.points == 80
    assert squad.dearer == ((6, 160),)  # five men beside the chief, whom the condition does not count


def test_what_is_hidden_or_left_out_is_not_there(tmp_path):
    odd = entry(
        "odd",
        "Odd",
        "model",
        profiles=[model_line("Odd")],
        categories=["Infantry"],
        links=[
            link("rifle", "Rifle", hidden="true"),
            link("secret", "Secret"),
            link("nowhere", "Nowhere"),
            link("camp", "Campaign"),
        ],
    )
    shared = [
        RIFLE,
        entry("secret", "Secret", hidden="true", profiles=[gun("Secret")]),
        entry("camp", "Campaign", profiles=[gun("Camp")]),
    ]
    library, [unit] = read(tmp_path, [odd], shared=shared)
    assert [line.name for line in unit.lines_of("Ranged Weapons")] == ["Camp"]
    [unit] = unit_entries(library, library.given[0], frozenset(("campaign",)))
    assert not unit.lines_of("Ranged Weapons")


def test_a_change_counts_where_its_condition_can_be_told(tmp_path):
    better = modifier("set", "type-BS", "2+", [condition("instanceOf", "category-Captain")])
    chosen = modifier("set", "type-S", "9", [condition("atLeast", "relic")])  # hangs on what else is chosen
    rifle = entry("rifle", "Rifle", profiles=[gun("Rifle", [better, chosen])])
    units = [
        entry(n, n, "model", profiles=[model_line(n)], categories=[c], links=[link("rifle", "Rifle", f"link-{n}")])
        for n, c in (("Hero", "Captain"), ("Man", "Infantry"))
    ]
    _, found = read(tmp_path, units, shared=[rifle])
    skills = {unit.name: [(g.get("BS"), g.get("s")) for g in unit.lines_of("Ranged Weapons")] for unit in found}
    assert skills == {"Hero": [("2+", "4")], "Man": [("3+", "4")]}


def test_a_line_is_there_where_no_condition_hides_it(tmp_path):
    """A line of a shared upgrade belongs to some of the units that take it; what others choose is not known."""
    lost = modifier("set", "hidden", "true", [condition("notInstanceOf", "category-Captain")])
    maybe = modifier("set", "hidden", "true", [condition("atLeast", "relic")])
    lines = [profile("Only his", "Abilities", [lost], Description="x")]
    lines.append(profile("Perhaps", "Abilities", [maybe], Description="x"))
    banner = entry("banner", "Banner", profiles=lines)
    units = [
        entry(n, n, "model", profiles=[model_line(n)], categories=[c], links=[link("banner", "Banner", f"link-{n}")])
        for n, c in (("Hero", "Captain"), ("Man", "Infantry"))
    ]
    _, found = read(tmp_path, units, shared=[banner])
    names = {unit.name: [line.name for line in unit.lines_of("Abilities")] for unit in found}
    assert names == {"Hero": ["Only his", "Perhaps"], "Man": ["Perhaps"]}


def test_a_rule_has_what_its_link_appends(tmp_path):
    demise = element(
        "infoLink", [element("modifiers", [modifier("append", "name", "D3")])], targetId="demise", name="Demise"
    )
    tank = entry("tank", "Tank", "model", profiles=[model_line("Tank")], categories=["Vehicle"], infos=[demise])
    _, [unit] = read(tmp_path, [tank], rules=[element("rule", id="demise", name="Deadly Demise", hidden="false")])
    assert unit.rules == ("Deadly Demise D3",)


def test_entries_that_hold_each_other_end(tmp_path):
    one = entry("one", "One", links=[link("two", "Two")])
    two = entry("two", "Two", links=[link("one", "One")])
    unit = entry(
        "unit", "Unit", "model", profiles=[model_line("U")], categories=["Infantry"], links=[link("one", "One")]
    )
    _, [found] = read(tmp_path, [unit], shared=[one, two])
    assert [inner.name for inner in found.walk()] == ["Unit", "One", "Two"]


def test_linked_catalogues_are_found_beside_the_file(tmp_path):
    written(tmp_path, [])
    (tmp_path / "library.cat").write_text(catalogue([SQUAD], [RIFLE], id_="library", name="Library"))
    (tmp_path / "main.cat").write_text(catalogue([], id_="main", name="Main", linked=["library", "gone"]))
    library = read_library([tmp_path / "main.cat"])
    assert library.missing == ["gone"]
    assert [root.get("name") for root in library.given] == ["Main"]
    [squad] = unit_entries(library, library.given[0])
    assert squad.name == "Squad" and squad.home == "library"


def zipped(**files: str) -> bytes:
    """A zip of files by name; an underscore stands for the dot."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files.items():
            packed.writestr(name.replace("_", "."), text)
    return stream.getvalue()


def test_a_zip_with_one_catalogue_is_read():
    assert parse_tree(zipped(own_cat=catalogue([SQUAD])), "own.catz").get("name") == "Own"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "no element found"),
        (b"<roster/>", "'roster' is none"),
        (b"<catalogue><a></catalogue>", "mismatched tag"),
        (b'<!DOCTYPE a [<!ENTITY x "y">]><catalogue>&x;</catalogue>', "without a document type"),
        (b"<a>" * (MOST_DEPTH + 1) + b"</a>" * (MOST_DEPTH + 1), "too large"),
        (b"PK\x03\x04 nothing", "a zip with one catalogue"),
        (zipped(a_cat=game(), b_cat=game()), "2 catalogues"),
        (zipped(a_cat="<catalogue>" + " " * 5_000_000 + "</catalogue>"), "bytes are too many"),
    ],
)
def test_hostile_files_are_refused_by_name(data, told):
    with pytest.raises(ContentError, match="x\\.cat") as error:
        parse_tree(data, "x.cat")
    assert told in str(error.value)


def test_a_folder_without_catalogues(tmp_path):
    with pytest.raises(ContentError, match="has none"):
        read_library([tmp_path])


def test_damaged_catalogues_raise_nothing_but_content_errors(tmp_path):
    rng = random.Random(36)
    text = catalogue(
        [SQUAD, entry("t", "T", "model", profiles=[model_line("T"), ability("Leader")], categories=["V"])], [RIFLE]
    )
    for _ in range(400):
        damaged = bytearray(text.encode())
        for _ in range(rng.randint(1, 6)):
            at, size = rng.randrange(len(damaged)), rng.randint(0, 30)
            damaged[at : at + size] = rng.choice(
                (b"", b'"', b"<", b"-1", b"1e999", bytes(rng.randrange(256) for _ in range(3)))
            )
        (tmp_path / "x.cat").write_bytes(damaged)
        try:
            library = read_library([tmp_path / "x.cat"])
            for root in library.given:
                unit_entries(library, root)
        except ContentError:
            pass
