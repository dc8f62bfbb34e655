"""Objective markers and the victory points for them (w8.mission.objectives.*, w8.mission.primary.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS, disc_gap_at
from wh_env.core.kernel import kernel
from wh_env.core.procedures import Procedure
from wh_env.core.tables import Array
from wh_env.rulesets.w8.mission.state import Primary
from wh_env.rulesets.w8.warlord.state import slain_warlord
from wh_env.rulesets.w40k.attack.rerolls import Thrown, summed
from wh_env.rulesets.w40k.phases.timing import determine_control
from wh_env.rulesets.w40k.sequence.objectives import held

SECURED, RELIC = 2, 6  # victory points for a marker at the end of the battle
SLAIN = (1, 3, 0)  # victory points for a slain Warlord: number of dice, their sides, what is added


@kernel
def count_models(models: Array, objectives: Array, reach: float) -> None:
    """For each placed marker, count the models of both players within ``reach`` inches of its centre in a straight
    line, and set its holder: the player with more (w8.mission.objectives.control, .measure).
    """
    for o in range(len(objectives)):
        if objectives[o]["placed"] == 0:
            continue
        x, y, z = objectives[o]["x"], objectives[o]["y"], objectives[o]["z"]
        first = 0
        second = 0
        for k in range(len(models)):
            m = models[k]
            if m["on_table"] == 0 or abs(m["x"] - x) > reach + m["radius"] + 0.01:
                continue
            away = max(0.0, disc_gap_at(models, k, m["x"], m["y"], m["facing"], x, y, 0.0))
            high = abs(m["z"] - z)
            far = reach + EPS
            if away * away + high * high <= far * far:
                if m["owner"] == 0:
                    first += 1
                else:
                    second += 1
        objectives[o]["level0"] = first
        objectives[o]["level1"] = second
        objectives[o]["holder"] = 0 if first > second else (1 if second > first else -1)


def award(g: BattleCore, player: int, amount: int, rule: str) -> None:
    """The player scores victory points."""
    g.players.vp[player] += amount
    g.note(rule, "victory points", player=player, scored=amount, total=g.players.vp[player])


class ScoreTurn(Procedure):
    """A turn ends: both players score Domination (w8.mission.primary.domination)."""

    def advance(self, g: BattleCore, f: int) -> int:
        if g.mission.primary[0] == Primary.DOMINATION:
            determine_control(g)
            for player in (0, 1):
                award(g, player, held(g, player), "w8.mission.primary.domination")
        return g.pop()


def draw_relic(g: BattleCore) -> None:
    """The first battle round starts: under Ancient Relic one marker is drawn as the relic and the others are removed
    (w8.mission.primary.ancient-relic).
    """
    o = g.objectives
    standing = [marker for marker, placed in enumerate(o.placed) if placed]
    if g.mission.primary[0] != Primary.ANCIENT_RELIC or not standing:
        return
    relic = standing[g.draw(len(standing))]
    for marker in standing:
        if marker != relic:
            o.placed[marker] = 0
            o.holder[marker] = -1
            o.level0[marker] = o.level1[marker] = 0
    g.note("w8.mission.primary.ancient-relic", "relic drawn", marker=relic)


def score_battle(g: BattleCore) -> None:
    """The battle is over: score the markers of Slay and Secure or of Ancient Relic (w8.mission.primary.slay-and-secure,
    .ancient-relic).
    """
    primary = g.mission.primary[0]
    if primary not in (Primary.SLAY_AND_SECURE, Primary.ANCIENT_RELIC):
        return
    determine_control(g)
    for player in (0, 1):
        if primary == Primary.ANCIENT_RELIC:
            award(g, player, RELIC * held(g, player), "w8.mission.primary.ancient-relic")
            continue
        award(g, player, SECURED * held(g, player), "w8.mission.primary.slay-and-secure")


def roll_for_warlords(g: BattleCore) -> None:
    """Under Slay and Secure each player rolls for victory points if the enemy Warlord was slain, player 0 first
    (w8.mission.primary.slay-and-secure).
    """
    if g.mission.primary[0] != Primary.SLAY_AND_SECURE:
        return
    for player in (1, 0):  # the procedure pushed last rolls first
        if slain_warlord(g, 1 - player):
            SlayRoll.begin(g, player, -1, SLAIN)


class SlayRoll(Thrown):
    """The roll for the victory points of a player who has slain the enemy Warlord."""

    name = "Slay and Secure"

    def use(self, g: BattleCore, player: int, unit: int, faces: list[int], sides: int, plus: int) -> None:
        award(g, player, summed(faces, sides) + plus, "w8.mission.primary.slay-and-secure")
