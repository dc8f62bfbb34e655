"""Victory points, terrain that decides a battle, and the winner (wap.victory.*, wap.scenario.battleline.victory)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import DESTROYED, ON_TABLE, RESERVE
from wh_env.rulesets.wap.allies.relations import generals_of
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import part_of
from wh_env.rulesets.wap.basics.forms import as_it_is, whose_form
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.basics.strength import own_strength
from wh_env.rulesets.wap.battle.control import determine_control, strengths_near
from wh_env.rulesets.wap.battle.fortitude import fortitude, have_left
from wh_env.rulesets.wap.battle.scenarios import cited
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.codes import AMBUSHES, MONSTER

DRAW, MASSACRE = "draw", "massacre"
LEFT = (ON_TABLE, RESERVE)
LOST = ("wap.victory.dead-or-fled", "wap.special.ambushers.never")  # rules of units of which nothing is left


def share_of(g: BattleCore, unit: int) -> tuple[str, int]:
    """The rule that applies to a unit at the end of the battle and the percentage of its cost that its enemy scores:
    the first that applies, never a sum (wap.victory.points). Characters in it count for themselves
    (wap.victory.separate-models).
    """
    unit = as_it_is(g, unit)
    u, shares = g.units, g.setup.rules["victory"]
    us, start = own_strength(g, unit), u.us_start[unit]
    if start == 0:  # of a type that is counted by its Wounds
        us, start = (
            wounds_of(g, unit),
            sum(g.models.max_wounds[k] for k in range(u.first[unit], u.first[unit] + u.count[unit])),
        )
    if u.place[unit] == DESTROYED or u.alive[unit] == 0:
        return "wap.victory.dead-or-fled", shares["destroyed"]
    block = block_of(g, unit)
    if u.place[block] == RESERVE and u.deployed[block] & AMBUSHES and u.left_edge[block] < 0:
        return "wap.special.ambushers.never", shares["destroyed"]
    flees = u.fleeing[block]
    if flees and 2 * us < start:
        return "wap.victory.scattered", shares["scattered"]
    if flees and 2 * us > start:
        return "wap.victory.broken", shares["broken"]
    if 2 * us <= start:
        return "wap.victory.decimated", shares["decimated"]
    first = u.first[unit]
    single = is_character(g, unit) or u.kind[unit] == MONSTER
    if single and 2 * g.models.wounds[first] <= g.models.max_wounds[first]:
        return "wap.victory.wounded", shares["wounded"]
    return "", 0


def points_of(g: BattleCore, unit: int) -> tuple[str, int]:
    """The rule and the victory points that the enemy scores for a unit at the end, rounded up; ("", 0) if no rule
    applies.
    """
    if whose_form(g, unit) >= 0:  # it counts for the unit whose form it is
        return "", 0
    rule, percent = share_of(g, unit)
    return (rule, part_of(g.units.points[unit], 100, percent)) if percent else ("", 0)


def score(g: BattleCore) -> None:
    """Add the victory points of both players at the end of the battle."""
    for unit in range(len(g.units.owner)):
        rule, points = points_of(g, unit)
        if not rule:
            continue
        enemy = 1 - g.units.owner[unit]
        g.players.vp[enemy] += points
        g.note(rule, "scored", unit=unit, player=enemy, points=points)
    for player in (0, 1):
        score_trophies(g, player)


def trophies_of(g: BattleCore, player: int) -> tuple[tuple[str, int], ...]:
    """The rules and points that a player scores besides units: each of the enemy's Generals who is destroyed or has
    never come, and captured standards (wap.victory.king-is-dead, .standards, wap.special.ambushers.never).
    """
    p, shares = g.players, g.setup.rules["victory"]
    dead = sum(share_of(g, general)[0] in LOST for general in generals_of(g, 1 - player))
    return (
        ("wap.victory.king-is-dead", shares["general"] * dead),
        ("wap.victory.standards", shares["standard"] * p.standards[player]),
        ("wap.victory.standards", shares["battle_standard"] * p.battle_standard[player]),
    )


def score_trophies(g: BattleCore, player: int) -> None:
    """Add the points that a player scores besides units."""
    for rule, points in trophies_of(g, player):
        g.players.vp[player] += points
        if points and g.recorder is not None:
            g.note(rule, "trophy", player=player, points=points)


def points_due(g: BattleCore) -> tuple[tuple[int, int], tuple[int, int]]:
    """Victory points of both players if the battle ended now: those for enemy units that flee, and all others."""
    u, flights = g.units, [0, 0]
    found = [sum(points for _, points in trophies_of(g, player)) for player in (0, 1)]
    for unit in range(len(u.owner)):
        flees = u.alive[unit] > 0 and u.fleeing[block_of(g, as_it_is(g, unit))]
        (flights if flees else found)[1 - u.owner[unit]] += points_of(g, unit)[1]
    return (flights[0], flights[1]), (found[0], found[1])


def degree_of(lead: int, points: int, degrees: dict[str, int]) -> str:
    """The degree of a victory by ``lead`` points in a battle of armies of ``points`` (wap.victory.result)."""
    for name, least in ((MASSACRE, degrees["massacre"]), ("solid victory", degrees["solid"])):
        if 100 * lead >= least * points:
            return name
    return "minor victory" if 100 * lead >= degrees["minor"] * points else DRAW


def winner_of(g: BattleCore) -> int:
    """The winner by the victory condition of the mission, -1 for a draw (wap.victory.by-scenario). If the strengths of
    both sides at the mission's terrain feature are equal, the points decide.
    """
    feature = g.setup.statics["controlled"]
    if feature >= 0 and not (g.players.conceded[0] or g.players.conceded[1]):
        totals = strengths_near(g, feature)
        if totals[0] != totals[1]:
            winner = int(totals[1] > totals[0])
            g.note(cited(g).control, "victor", winner=winner, totals=totals)
            return winner
    survivor = survivor_of(g)
    return survivor if survivor >= 0 else leader_of(g)


def survivor_of(g: BattleCore) -> int:
    """The winner because only the other army has left the field; -1: none (wap.scenario.blood-and-glory.victory)."""
    left = have_left(g)
    if len(left) != 1 or g.players.conceded[0] or g.players.conceded[1]:
        return -1
    winner = 1 - left[0]
    if g.recorder is not None:
        g.note(
            "wap.scenario.blood-and-glory.victory", "victor", winner=winner, totals=(fortitude(g, 0), fortitude(g, 1))
        )
    return winner


def leader_of(g: BattleCore) -> int:
    """The winner by victory points, -1 for a draw (wap.scenario.battleline.victory)."""
    vp, rules = g.players.vp, g.setup.rules
    degree = degree_of(abs(vp[0] - vp[1]), rules["points"], rules["degrees"])
    winner = -1 if degree == DRAW else int(vp[1] > vp[0])
    rule = cited(g).victory
    if g.players.conceded[0] or g.players.conceded[1]:
        rule, degree, winner = "wap.victory.concede", MASSACRE, g.players.conceded[0]
    g.note(rule, "victor", winner=winner, vp=(vp[0], vp[1]), degree=degree)
    return winner


def finish_if_decided(g: BattleCore) -> bool:
    """End the battle after its last game turn, or when an army has no unit left (wap.battle.end,
    wap.scenario.battleline.length), or because a die says so. Returns whether it ended.
    """
    over = g.clock.round[0] >= g.setup.rules["rounds"] or wiped_out(g, 0) or wiped_out(g, 1)
    if not over and not ends_by_die(g):
        return False
    finish(g)
    return True


def ends_by_die(g: BattleCore) -> bool:
    """Whether the battle ends with this game turn because of a die, if its length is uncertain
    (wap.scenario.watchtower.length).
    """
    ends, turn = g.setup.rules["mission"]["ends"], g.clock.round[0]
    if ends is None or turn < ends["turn"]:
        return False
    die = g.d6()
    over = bool(die + turn >= ends["total"])
    g.note("wap.scenario.watchtower.length", "length", round=turn, die=die, passed=over)
    return over


def finish_if_left(g: BattleCore) -> bool:
    """End the battle at once if an army has left the field (wap.scenario.blood-and-glory.length). Returns whether it
    ended.
    """
    if g.setup.statics["leaves_at"] is None:  # as a rule
        return False
    left = have_left(g)
    if not left:
        return False
    if g.recorder is not None:
        for player in left:
            g.note(
                "wap.scenario.blood-and-glory.length", "leaves the field", player=player, amount=fortitude(g, player)
            )
    finish(g)
    return True


def finish(g: BattleCore) -> None:
    """Count the points and end the battle."""
    determine_control(g)
    score(g)
    g.note("wap.battle.end", "end of the battle", round=g.clock.round[0], vp=(g.players.vp[0], g.players.vp[1]))
    g.finish()


def wiped_out(g: BattleCore, player: int) -> bool:
    """Whether a player has no unit on the table or in reserve."""
    place = g.units.place
    return all(place[unit] not in LEFT for unit in g.units_of(player))
