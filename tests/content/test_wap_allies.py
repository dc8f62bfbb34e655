"""Army lists with allies: teams, second army books, shares of the points, leaders, and what is wrong with them."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env import Battle, ContentError
from wh_env.content.wap import load_army, load_battle
from wh_env.content.wap.alliances import alliance_tables
from wh_env.testing.wap import square

BARE = {"name": "bare"}
SIDES = pytest.mark.parametrize("player", [0, 1])


def sheet(book: str, alignment: str = "order", /, **fields: Any) -> dict[str, Any]:
    """A sheet whose units cost 500 points each; heroes cost 100."""
    cards = {
        f"{book} men": square(points=500, size=[1, 1]),
        f"{book} hero": square(points=100, character=True, size=[1, 1], category="hero"),
        f"{book} guard": square(points=500, size=[1, 1], category="special"),
    }
    return {"name": book, "alignment": alignment, "cards": cards, **fields}


def army(book: str, *, men: int = 2, guard: int = 0, hero: bool = True, **fields: Any) -> dict[str, Any]:
    """An army of a book: so many units of men, and its General."""
    alignment = alliance_tables().alignment_of(book) or "order"
    units = [{"card": f"{book} men", "models": 1, "name": f"men {n}"} for n in range(men)]
    units += [{"card": f"{book} guard", "models": 1, "name": f"guard {n}"} for n in range(guard)]
    if hero:
        units.append({"card": f"{book} hero", "models": 1, "general": True})
    few = {"without": ["units", "duplicates"]}
    return {"name": f"the {book}", "sheet": sheet(book, alignment), "units": units, **few, **fields}


def battle(player: int, mine: dict[str, Any], theirs: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """A battle in which a side of several armies fights one."""
    other = theirs if theirs is not None else army("Beastmen", men=5)
    armies = [mine, other] if player == 0 else [other, mine]
    return {
        "name": "allied", "ruleset": "wap", "battlefield": BARE, "mission": "battleline", "armies": armies, **fields
    }  # fmt: skip


@SIDES
@pytest.mark.rule("wap.ally.teams")
def test_two_players_share_one_side(player: int) -> None:
    """Two of 1,500 points against one of 3,000: each side has 3,000, and the two act as one player."""
    mine = army("Empire", allies=[army("Dwarfs", player="Anna", points=1500)])
    loaded = Battle.load(battle(player, mine, army("Beastmen", men=5), points=3000), 1)
    units = loaded.units_of(player)
    assert len(units) == 6 and len(loaded.units_of(1 - player)) == 6
    assert loaded.armies.player.tolist() == ([0, 0, 1] if player == 0 else [0, 1, 1])
    names = loaded.setup.names["units"]
    first = units.start
    assert [names[unit] for unit in units][:3] == ["men 0", "men 1", "Empire hero"]
    assert loaded.units.contingent[first] != loaded.units.contingent[first + 3]
    assert loaded.setup.rules["points"] == 3000


@SIDES
@pytest.mark.rule("wap.ally.teams")
def test_shares_of_a_side_are_within_the_points_of_the_game(player: int) -> None:
    """The main army has what the shares of its allies leave: 1,500 of 3,000, and 1,600 are too many."""
    mine = army("Empire", men=3, allies=[army("Dwarfs", player="Anna", points=1500)])
    told = r"units: 1600 points are spent; expected at most 1500 points, what its allies leave of the 3000 of the game"
    with pytest.raises(ContentError, match=told):
        Battle.load(battle(player, mine, points=3000), 1)
    told = r"allies\[0\]: units: 1600 points are spent; expected at most 1500 points, its share of those of the game"
    mine = army("Empire", allies=[army("Dwarfs", men=3, player="Anna", points=1500)])
    with pytest.raises(ContentError, match=told):
        Battle.load(battle(player, mine, points=3000), 1)
    mine = army("Empire", allies=[army("Dwarfs", player="Anna", points=3000)])
    told = r"allies: \[3000\] leave the army itself no points; expected fewer than the 3000 points of the game in all"
    with pytest.raises(ContentError, match=told):
        Battle.load(battle(player, mine, points=3000), 1)


def test_percentages_are_those_of_each_army_alone() -> None:
    """Half of an ally's points may go to Special units, however few its side has in all."""
    for guard, men, fits in ((1, 2, True), (2, 1, False)):
        ally = army("Dwarfs", men=men, guard=guard, player="Anna")
        side = battle(0, army("Empire", men=4, allies=[ally]))
        if fits:
            assert Battle.load(side, 1)
            continue
        with pytest.raises(ContentError, match=r"allies\[0\]: units: 1000 points spent on Special units are too many"):
            Battle.load(side, 1)


@SIDES
@pytest.mark.rule("wap.ally.two-books")
def test_a_second_book_needs_the_consent_of_both(player: int) -> None:
    mine = army("Empire", allies=[army("Dwarfs")])
    told = (
        r"allies\[0\]: sheet: 'Dwarfs' is a second army book of one player; expected the `player` who leads it, or "
        r"`two_books: true` among the rules \(wap.ally.two-books\)"
    )
    with pytest.raises(ContentError, match=told):
        Battle.load(battle(player, mine), 1)
    loaded = Battle.load(battle(player, mine, rules={"two_books": True}), 1)
    alliances = loaded.setup.statics["alliances"]
    first = player
    assert alliances.names[first : first + 2] == ("the Empire", "the Dwarfs")
    assert alliances.relations[first][first + 1] == 1
    unlike = army("Empire", allies=[army("Empire", name="others", player="Ben")])
    assert Battle.load(battle(player, unlike), 1).setup.statics["alliances"].relations[first][first + 1] == 0


@SIDES
@pytest.mark.rule("wap.ally.general-and-standard")
def test_each_army_has_a_general_and_may_have_a_standard(player: int) -> None:
    bare = army("Dwarfs", hero=False, player="Anna")
    with pytest.raises(
        ContentError, match=r"allies\[0\]: units: 'the Dwarfs' has no General; expected a Lord or a Hero"
    ):
        Battle.load(battle(player, army("Empire", allies=[bare])), 1)
    with pytest.raises(ContentError, match="'the Empire' has no General"):
        Battle.load(battle(player, army("Empire", hero=False, allies=[army("Dwarfs", player="Anna")])), 1)
    armies = []
    for book in ("Empire", "Dwarfs"):
        one = army(book, men=4)
        one["units"].append({"card": f"{book} hero", "models": 1, "name": "bearer", "battle_standard": True})
        armies.append(one)
    mine = {**armies[0], "allies": [{**armies[1], "player": "Anna"}]}
    loaded = Battle.load(battle(player, mine), 1)
    first = loaded.units_of(player).start
    alliances = loaded.setup.statics["alliances"]
    assert alliances.generals[player : player + 2] == (first + 4, first + 10)
    assert alliances.bearers[player : player + 2] == (first + 5, first + 11)
    twice = {**armies[1], "player": "Anna", "units": [*armies[1]["units"], {**armies[1]["units"][-1], "name": "third"}]}
    with pytest.raises(ContentError, match=r"allies\[0\].units\[6\].battle_standard: True is a second one"):
        load_army({**armies[0], "allies": [twice]})


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"player": "Anna", "name": "the Empire"}, r"allies\[0\].name: 'the Empire' is there twice"),
        ({"playr": "Anna"}, r"allies\[0\].playr: 'playr' is not known"),
        ({"player": "Anna", "sheet": "dwarfs"}, r"allies\[0\]: sheet: 'dwarfs' is not known"),
        ({"player": "Anna", "units": []}, r"allies\[0\].units: .* expected at least 1 items"),
        ({"player": "Anna", "points": 0}, r"allies\[0\].points: 0 is not valid; expected at least 1"),
    ],
)
def test_what_is_wrong_with_allies(fields: dict[str, Any], told: str) -> None:
    with pytest.raises(ContentError, match=told):
        load_army(army("Empire", allies=[{**army("Dwarfs"), **fields}]))


def test_two_allies_of_one_player() -> None:
    allies = [army("Dwarfs", player="Anna"), army("Kislev", player="Anna")]
    with pytest.raises(ContentError, match=r"allies\[1\].player: 'Anna' is there twice; expected another player"):
        load_army(army("Empire", allies=allies))


@pytest.mark.rule("wap.ally.alignment")
def test_a_sheet_of_a_known_book_has_its_alignment() -> None:
    wrong = {**army("Skaven"), "sheet": sheet("Skaven", "order")}
    with pytest.raises(
        ContentError, match=r"alignment: 'order' is not valid; expected destruction, the alignment of Skaven"
    ):
        load_army(wrong)
    expansion = sheet("Warren", "neutral", book="Skaven")
    with pytest.raises(ContentError, match="expected destruction, the alignment of Skaven"):
        load_army({"name": "warren", "sheet": expansion, "units": [{"card": "Warren men", "models": 1}]})


def test_what_was_loaded_is_part_of_the_battle() -> None:
    loaded = Battle.load(battle(0, army("Empire", allies=[army("Skaven", player="Anna")])), 5)
    twin = Battle.from_bytes(loaded.to_bytes())
    assert twin.setup.source == loaded.setup.source
    assert twin.setup.statics["alliances"] == loaded.setup.statics["alliances"]
    assert [ally.army.name for ally in load_battle(battle(0, army("Empire", allies=[army("Skaven")]))).armies[0].allies] == [
        "the Skaven"
    ]  # fmt: skip
