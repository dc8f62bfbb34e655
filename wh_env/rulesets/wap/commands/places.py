"""The places of command models in the front rank (wap.command.position.front-rank, .reform)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, row_of
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import MOST_POSTS, derive
from wh_env.rulesets.wap.codes import ROLES
from wh_env.rulesets.wap.commands.roles import leaders_of


def choose_places(g: BattleCore, unit: int) -> None:
    """Place the command models of a unit in a new formation: in the middle of the front rank, or where its player puts
    them.
    """
    leaders = leaders_of(g, unit)
    for k in leaders:
        g.models.post[k] = -1
    if not leaders or g.units.place[unit] != ON_TABLE:
        return
    derive(g, unit)
    if not g.is_answered_by_default(FrontPlace):
        g.push(FrontPlaces, unit)


def abreast_of(g: BattleCore, unit: int) -> int:
    """The number of files of the front rank that can be named."""
    return int(min(g.units.files[unit], g.units.block[unit], g.setup.space.numbers, MOST_POSTS))


def free_files(g: BattleCore, unit: int) -> list[int]:
    """Files of the front rank in which the player has put no command model."""
    taken = {g.models.post[k] for k in leaders_of(g, unit)}
    return [file for file in range(abreast_of(g, unit)) if file not in taken]


class FrontPlaces(Procedure):
    """The player of a unit puts its command models in their places, one after the other."""

    UNIT = integer(row_of("units"))
    DONE = integer(amount())  # the number of command models dealt with
    asks = ("front-place",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + FrontPlaces.UNIT]
        if not FrontPlaces.left(g, f) or not free_files(g, unit):
            return g.pop()
        return g.ask(FrontPlace, g.units.owner[unit], unit)

    @staticmethod
    def left(g: BattleCore, f: int) -> list[int]:
        """The command models still to be placed."""
        return leaders_of(g, g.stack[f + FrontPlaces.UNIT])[g.stack[f + FrontPlaces.DONE] :]

    @staticmethod
    def put(g: BattleCore, f: int, file: int) -> None:
        """Give the next command model a file of the front rank; -1: a place behind the front."""
        k = FrontPlaces.left(g, f)[0]
        g.models.post[k] = file
        derive(g, g.models.unit[k])
        g.stack[f + FrontPlaces.DONE] += 1
        if g.recorder is not None and file >= 0:
            g.note("wap.command.position.front-rank", "stands", unit=g.models.unit[k], model=k, files=file + 1)


class FrontPlace(DecisionKind):
    name = "front-place"
    what = (
        "In which file of the front rank, counted from the right, the next command model stands; done: behind it, "
        "where not all have room."
    )
    policy = "They stand in the middle."
    keys = ("wap.command.position.front-rank", "wap.command.position.reform")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        free = free_files(g, g.stack[f + FrontPlaces.UNIT])
        for file in free:
            mask[g.setup.space.number + file] = True
        mask[0] = len(FrontPlaces.left(g, f)) > len(free)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        FrontPlaces.put(g, f, action - g.setup.space.number if action else -1)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        role = g.models.role[FrontPlaces.left(g, f)[0]]
        who = next(name for name, number in ROLES.items() if number == role)
        return (
            f"the {who} in file {action - g.setup.space.number + 1}" if action else f"the {who} behind the front rank"
        )

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        number, files = g.setup.space.number, abreast_of(g, g.stack[f + FrontPlaces.UNIT])
        free = [file for file in range(files) if mask[number + file]]
        return number + min(free, key=lambda file: (abs(2 * file + 1 - files), file))
