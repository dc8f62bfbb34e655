"""Victory points: Capture and Control in Command phases, and scoring at the end of the battle (w9.mission.*)."""

from __future__ import annotations

from collections.abc import Iterator

from wh_env.core.battle import BattleCore
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.w9.mission.quarters import QUARTERS, quarters_held
from wh_env.rulesets.w9.mission.stand import STANDING, score_standing
from wh_env.rulesets.w40k.keywords import keyword_bit
from wh_env.rulesets.w40k.phases.timing import determine_control
from wh_env.rulesets.w40k.sequence.objectives import held
from wh_env.rulesets.w40k.sequence.points import score

EACH_MARKER, CONDITIONS = "each marker", "conditions"  # how ``rules["primary"]`` has Capture and Control scored
WARLORD = "WARLORD"


def capture_and_control(g: BattleCore, player: int) -> None:
    """Score Capture and Control, and a secondary objective about quarters, for the player whose Command phase ends."""
    rules, mine = g.setup.rules, held(g, player)
    if g.clock.round[0] < rules["first_scoring_round"]:
        return
    if QUARTERS in rules["secondaries"][player]:
        score(g, player, rules["vp_each_quarter"] * quarters_held(g, player), "w9.mission.quarters")
    if rules["primary"] == CONDITIONS:
        met = (mine >= 1) + (mine >= 2) + (mine > held(g, 1 - player))
        score(g, player, rules["vp_each_condition"] * met, "w9.mission.capture-and-control.conditional")
    else:
        score(g, player, rules["vp_each_marker"] * mine, "w9.mission.only-war.primary")


def at_the_end(g: BattleCore) -> None:
    """The battle is over: score for both players."""
    rules = g.setup.rules
    determine_control(g)
    for player in (0, 1):
        if held(g, player) > held(g, 1 - player):
            award(g, player, rules["vp_more_markers"], "w9.mission.only-war.bonus")
        if slain_warlord(g, 1 - player):
            award(g, player, rules["vp_warlord"], "w9.mission.only-war.slay")
        if STANDING in rules["secondaries"][player]:
            award(g, player, score_standing(g, player), "w9.mission.while-we-stand.score")


def award(g: BattleCore, player: int, amount: int, rule: str) -> None:
    """Give victory points of the end of the battle, which no limit for a turn cuts off."""
    g.players.vp[player] += amount
    g.note(rule, "victory points", player=player, scored=amount, total=g.players.vp[player])


def warlords(g: BattleCore, player: int) -> Iterator[int]:
    """Models of the player that were mustered as WARLORD."""
    bit = keyword_bit(g.setup.statics["keyword_bits"], WARLORD)
    return (k for k, owner in enumerate(g.models.owner) if owner == player and g.models.keywords[k] & bit)


def slain_warlord(g: BattleCore, player: int) -> bool:
    """Whether the player had a WARLORD, and has none now."""
    place, m = g.units.place, g.models
    found = [m.alive[k] and place[m.unit[k]] != DESTROYED for k in warlords(g, player)]
    return bool(found) and not any(found)
