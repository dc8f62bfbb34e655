"""How allied armies share the dice of the winds of magic."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from wizards import cast, knowing, pools, wizard

from wh_env import Battle
from wh_env.envs.observation import Observer, column_of
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.magic.shares import dice_for_unit, dice_of, take_dice
from wh_env.rulesets.wap.magic.sharing import divide_winds
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told, words
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])
EMPIRE, DWARFS, OGRES = ("Empire", "order"), ("Dwarfs", "order"), ("Ogre Kingdoms", "neutral")
BEASTMEN, SKAVEN = ("Beastmen", "destruction"), ("Skaven", "destruction")
SHARING, EVENLY = "wap.ally.magic.sharing", "wap.ally.desperate.magic"


class Side:
    """A side of several armies, a wizard of level 2 in each that has one, and an enemy unit and an enemy wizard."""

    def __init__(
        self, player: int, *armies: tuple[str, str], with_wizard: Sequence[int] = (0, 1), dice: Sequence[int] = (),
        casts: bool = True, points: int = 2000,
    ) -> None:  # fmt: skip
        scene = RegimentScene((72, 48))
        scene.points = points
        self.player = player
        for n, (book, alignment) in enumerate(armies):
            scene.army(player, book, alignment, leader=str(n) if n else "")
        self.units = [
            scene.unit(
                player, wizard(2) if n in with_wizard else None, (30 + 15 * n, 10), models=1, army=n, facing=NORTH
            )
            for n in range(len(armies))
        ]
        self.target = scene.unit(1 - player, square(ld=10), (24, 30), models=20, files=5, facing=SOUTH)
        self.foe = scene.unit(1 - player, wizard(1), (40, 30), models=1, facing=SOUTH)
        self.battle = scene.battle(
            "magic",
            player=player if casts else 1 - player,
            dice=dice,
            set_state=knowing({self.foe: "Stroke"}),
        )

    def share(self, number: int) -> None:
        """Give so many dice to the army that is asked about."""
        assert kind(self.battle) == "share-dice" and asked(self.battle) == self.player
        choose(self.battle, *(("number", number - 1) if number else ("done",)))

    def dice(self) -> list[int]:
        """The dice that each unit of the side may use."""
        return [dice_for_unit(self.battle, unit.row) for unit in self.units]


def asked(battle: Battle) -> int:
    """The player who is asked."""
    assert battle.decision is not None
    return battle.decision.player


def delegated(battle: Battle) -> int:
    """The default answer."""
    decision = battle.setup.ruleset.kinds[battle.clock.kind[0]]
    return decision.delegate(battle, battle.frame, memoryview(bytes(battle.legal().tobytes())))


def most(battle: Battle) -> int:
    """The most dice that are offered."""
    return max(slots(battle, "number")) + 1


# ---------------------------------------------------------------- as the players like


@pytest.mark.rule("wap.ally.magic.sharing")
@PLAYERS
@pytest.mark.parametrize("partner", [DWARFS, OGRES])
def test_trusted_and_suspicious_allies_divide_the_dice_of_the_winds(player: int, partner: tuple[str, str]) -> None:
    """8 dice of the winds, and one that the first army has channelled, which is its own."""
    side = Side(player, EMPIRE, partner, dice=(5, 3, 5, 1, 1, 1, 1))
    battle = side.battle
    assert kind(battle) == "share-dice" and asked(battle) == player
    assert pools(battle)[player] == 9 and most(battle) == 8 and 0 in battle.legal().nonzero()[0]
    side.share(2)
    assert kind(battle) == "cast-by" and side.dice() == [3, 6] and pools(battle)[player] == 9
    told_of = [(event["name"], event["amount"]) for event in told(battle, SHARING)]
    assert told_of == [("Empire", 2), (partner[0], 6)]


@pytest.mark.rule("wap.ally.magic.sharing")
@PLAYERS
def test_an_army_casts_with_its_own_dice_alone(player: int) -> None:
    """Its wizard could use 4 dice; one channelled and 2 of the winds are all that it has."""
    side = Side(player, EMPIRE, DWARFS, dice=(5, 3, 5, 1, 1, 1, 1))
    battle = side.battle
    side.share(2)
    cast(battle, side.units[0], "Spark", side.target, 0)
    assert kind(battle) == "spell-dice" and most(battle) == 3
    script(battle, [1, 2, 1])
    choose(battle, "number", 2)
    assert side.dice() == [0, 6] and pools(battle)[player] == 6
    while kind(battle) != "cast-by":
        battle.apply(battle.first_legal())
    assert slots(battle, "own") == [side.units[1].number]
    cast(battle, side.units[1], "Spark", side.target, 0)
    assert most(battle) == 4


@pytest.mark.rule("wap.ally.magic.sharing")
@PLAYERS
@pytest.mark.parametrize("gives", [0, 8])
def test_one_army_may_get_all_dice(player: int, gives: int) -> None:
    side = Side(player, EMPIRE, DWARFS, dice=(5, 3, 1, 1, 1, 1, 1))
    side.share(gives)
    assert side.dice() == [gives, 8 - gives]
    number = side.units[0 if gives else 1].number
    assert kind(side.battle) == "cast-by" and slots(side.battle, "own") == [number]


@pytest.mark.rule("wap.ally.magic.sharing")
@PLAYERS
def test_three_armies_are_asked_one_after_the_other(player: int) -> None:
    """The last one gets what is left; who has given all away is not asked further."""
    side = Side(player, EMPIRE, DWARFS, ("High Elves", "order"), dice=(5, 3, 1, 1, 1, 1, 1))
    battle = side.battle.clone()
    side.share(3)
    assert "for Dwarfs" in words(side.battle)[int(side.battle.legal().nonzero()[0][0])]
    assert most(side.battle) == 5
    side.share(4)
    assert side.dice() == [3, 4, 1]
    side.battle = battle
    side.share(8)
    assert kind(side.battle) == "cast-by" and side.dice() == [8, 0, 0]


@pytest.mark.rule("wap.ally.magic.sharing")
@PLAYERS
def test_dispel_dice_are_divided_too(player: int) -> None:
    """The wizard of the first army may dispel with his share and the die that he has channelled, the second army
    without a wizard with its own."""
    side = Side(player, EMPIRE, DWARFS, with_wizard=(0,), casts=False, dice=(5, 3, 1, 6, 1))
    battle = side.battle
    assert pools(battle)[player] == 6 and most(battle) == 5
    side.share(2)
    script(battle, [2, 3])
    cast(battle, side.foe, "Stroke", side.units[0], 2)
    assert kind(battle) == "dispel-by"
    assert sorted(words(battle).values()) == sorted(
        ["let it be", "Dwarfs dispels", "Empire dispels", f"{battle.setup.names['units'][side.units[0].row]} dispels"]
    )
    for by, dice in ((lambda b: choose(b, "own", side.units[0].number), 3), (lambda b: pick(b, "Dwarfs dispels"), 3)):
        copy = battle.clone()
        by(copy)
        assert kind(copy) == "dispel-dice" and most(copy) == dice
        script(copy, [1, 2, 1])
        before = [dice_of(copy, player, row) for row in armies(copy, player)]
        choose(copy, "number", dice - 1)
        after = [dice_of(copy, player, row) for row in armies(copy, player)]
        assert sorted(now - then for now, then in zip(after, before, strict=True)) == [-3, 0]
        assert copy.units.alive[side.units[0]] == 1 or dice_left(copy) == 0


def armies(battle: Battle, player: int) -> list[int]:
    return [row for row, owner in enumerate(battle.armies.player) if owner == player]


@pytest.mark.rule("wap.ally.magic.sharing")
@PLAYERS
def test_an_army_without_dice_does_not_dispel(player: int) -> None:
    side = Side(player, EMPIRE, DWARFS, casts=False, dice=(5, 3, 1, 1, 1, 1, 1))
    battle = side.battle
    side.share(5)
    script(battle, [2, 3])
    cast(battle, side.foe, "Stroke", side.units[0], 2)
    assert slots(battle, "own") == [side.units[0].number] and slots(battle, "option") == [0]


@pytest.mark.rule("wap.ally.magic.sharing")
@PLAYERS
def test_armies_of_one_blood_use_their_dice_together(player: int) -> None:
    side = Side(player, EMPIRE, EMPIRE, dice=(5, 3, 5, 1, 1, 1, 1))
    assert kind(side.battle) == "cast-by" and side.dice() == [9, 9]
    mixed = Side(player, EMPIRE, DWARFS, EMPIRE, with_wizard=(0, 1, 2), dice=(5, 3, 1, 1, 1, 1, 6, 1, 1))
    assert kind(mixed.battle) == "share-dice"
    mixed.share(5)
    assert kind(mixed.battle) == "cast-by" and mixed.dice() == [6, 3, 6]


@pytest.mark.rule("wap.ally.magic.sharing")
@PLAYERS
def test_an_army_without_a_living_unit_gets_no_dice(player: int) -> None:
    side = Side(player, EMPIRE, DWARFS, dice=(5, 3, 1, 1, 1, 1, 1))
    battle = side.battle
    assert kind(battle) == "share-dice"
    battle.units.alive[side.units[1]] = 0
    battle.apply(battle.first_legal())
    assert kind(battle) == "cast-by"


@pytest.mark.rule("wap.ally.magic.sharing")
@PLAYERS
def test_an_army_that_is_left_alone_divides_nothing(player: int) -> None:
    """All dice stay common: none are told to have been shared, and its wizard may use all eight."""
    side = Side(player, EMPIRE, DWARFS, dice=(5, 3, 1, 1, 1, 1, 1))
    battle = side.battle
    battle.units.alive[side.units[1]] = 0
    frame, dice = battle.frame, pools(battle)
    divide_winds(battle, player)
    assert battle.frame == frame and pools(battle) == dice
    assert not told(battle, SHARING) and side.dice()[0] == 8


@pytest.mark.rule("wap.ally.magic.sharing")
def test_dice_that_are_lost_are_those_of_the_army_first() -> None:
    side = Side(0, EMPIRE, DWARFS, dice=(5, 3, 5, 1, 1, 1, 1))
    side.share(2)
    take_dice(side.battle, 0, 2, 0)
    assert side.dice() == [1, 6]
    take_dice(side.battle, 0, 3, 0)
    assert side.dice() == [0, 4] and pools(side.battle)[0] == 4
    take_dice(side.battle, 0, 9, 1)
    assert side.dice() == [0, 0] and pools(side.battle)[0] == 0


@pytest.mark.rule("wap.ally.magic.sharing")
@PLAYERS
def test_the_phase_is_over_if_the_dice_are_of_no_use(player: int) -> None:
    """The army of the only wizard has none."""
    side = Side(player, EMPIRE, DWARFS, with_wizard=(0,), dice=(5, 3, 1, 1, 1))
    side.share(0)
    assert not told(side.battle, "wap.magic.cast.value") and side.battle.clock.phase[0] != Phase.MAGIC


@PLAYERS
def test_the_default_answer_divides_by_levels(player: int) -> None:
    side = Side(player, EMPIRE, DWARFS, dice=(5, 4, 1, 1, 1, 1, 1))
    assert delegated(side.battle) == side.battle.setup.space.number + 3
    alone = Side(player, EMPIRE, DWARFS, with_wizard=(1,), dice=(5, 4, 1, 1, 1))
    assert delegated(alone.battle) == 0


@PLAYERS
def test_both_seats_see_the_dice_of_each_army(player: int) -> None:
    side = Side(player, EMPIRE, DWARFS, dice=(5, 3, 5, 1, 1, 1, 1))
    side.share(2)
    for seat in (0, 1):
        whose, other = ("own", "enemy") if seat == player else ("enemy", "own")
        found = Observer(side.battle.setup, "entities").observe(side.battle, seat)["globals"]
        values = {name: float(found[column_of("wap", "globals", name)]) for name in (
            "own_share", "enemy_share", "own_shares", "enemy_shares",
        )}  # fmt: skip
        assert values[f"{whose}_share"] == pytest.approx(3 / 40) and values[f"{other}_share"] == 0.0
        assert values[f"{whose}_shares"] == pytest.approx(6 / 64) and values[f"{other}_shares"] == 0.0


# ---------------------------------------------------------------- desperate allies


@pytest.mark.rule("wap.ally.desperate.magic")
@PLAYERS
@pytest.mark.parametrize(("die", "shares"), [(1, [5, 4]), (3, [5, 4]), (4, [4, 5]), (6, [4, 5])])
def test_desperate_allies_divide_dice_evenly(player: int, die: int, shares: list[int]) -> None:
    """9 dice; the ninth goes to one of them at random. Channelled dice come to that."""
    side = Side(player, EMPIRE, BEASTMEN, dice=(5, 4, 1, 1, 5, 5, 1, die))
    assert kind(side.battle) == "cast-by" and dice_left(side.battle) == 0
    assert side.dice() == [shares[0], shares[1] + 2] and pools(side.battle)[player] == 11
    assert [event["amount"] for event in told(side.battle, EVENLY)] == shares


@pytest.mark.rule("wap.ally.desperate.magic")
@PLAYERS
def test_an_even_number_of_dice_needs_no_die(player: int) -> None:
    side = Side(player, EMPIRE, BEASTMEN, dice=(5, 3, 1, 1, 1, 1, 1))
    assert side.dice() == [4, 4] and dice_left(side.battle) == 0


@pytest.mark.rule("wap.ally.desperate.magic")
@PLAYERS
@pytest.mark.parametrize("which", [0, 1])
def test_the_only_army_with_a_wizard_uses_all_dice(player: int, which: int) -> None:
    side = Side(player, EMPIRE, BEASTMEN, with_wizard=(which,), dice=(5, 4, 1, 1, 1))
    assert side.dice()[which] == 9 and side.dice()[1 - which] == 0
    assert kind(side.battle) == "cast-by"


@pytest.mark.rule("wap.ally.desperate.magic")
@PLAYERS
def test_dispel_dice_of_desperate_allies_are_divided_evenly(player: int) -> None:
    """5 dice, the fifth at random; one of the first army is channelled. Without a wizard both armies use them all."""
    side = Side(player, EMPIRE, BEASTMEN, casts=False, dice=(5, 3, 1, 6, 1, 1, 1, 4))
    assert side.dice() == [3, 3] and dice_left(side.battle) == 0
    without = Side(player, EMPIRE, BEASTMEN, with_wizard=(), casts=False, dice=(5, 3, 1))
    assert without.dice() == [5, 5]


@pytest.mark.rule("wap.ally.desperate.magic")
@PLAYERS
def test_three_factions_get_no_more_than_one_die_left_over(player: int) -> None:
    """Two dice are left over: the second goes to one of the two others."""
    side = Side(player, EMPIRE, BEASTMEN, DWARFS, with_wizard=(0, 1, 2), dice=(5, 3, *(1,) * 7, 3, 5))
    assert side.dice() == [2, 3, 3] and dice_left(side.battle) == 0


@pytest.mark.rule("wap.ally.desperate.magic")
@PLAYERS
def test_an_alliance_that_decays_to_despair_divides_evenly(player: int) -> None:
    """Empire and Ogres divide as they like until they despair of each other; two steps of decay of one are enough."""
    for steps, asked in ((0, "share-dice"), (1, "cast-by")):
        scene = RegimentScene((72, 48))
        units: list[UnitHandle] = []
        for n, (book, alignment) in enumerate((EMPIRE, OGRES)):
            scene.army(player, book, alignment, leader=str(n) if n else "")
            units.append(scene.unit(player, wizard(2), (10 + 15 * n, 10), models=1, army=n, facing=NORTH))
        scene.unit(1 - player, square(ld=10), (24, 30), models=20, files=5, facing=SOUTH)

        def decay(battle: Battle, steps: int = steps, unit: UnitHandle = units[0]) -> None:
            battle.armies.distrust[battle.units.contingent[unit]] = steps

        battle = scene.battle("magic", player=player, dice=(4, 4, 1, 1, 1, 1), set_state=decay)
        assert kind(battle) == asked
        if not steps:
            assert most(battle) == 8
