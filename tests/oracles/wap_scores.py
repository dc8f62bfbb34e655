"""The result of a round of close combat from a plain description, as the rules read. Shares no code with the engine.

``units``: dicts with side, us, gone, wounds, ranks, rank5 (a whole rank), charged, standard, musician, fear (Unit Strength of those who cause it),
brave (Immunity to Fear), stubborn, skirmish. ``hits``: {(i, j): (arc of j that i attacks: "F", "L", "R", "B"; wounds of i on j)}.
"""

from __future__ import annotations

from itertools import combinations


def outcome(units, hits):
    """(totals, winner or None, {unit: (what, penalty, steadfast)}) of a combat."""
    here = [k for k, u in enumerate(units) if not u["gone"]]
    fights = [k for k in here if any(k in pair for pair in hits)]  # the others have no enemy left: only wounds count
    might = [sum(units[k]["us"] for k in fights if units[k]["side"] == s) for s in (0, 1)]
    messy = {j for (i, j), (arc, _) in hits.items() if arc != "F" and units[i]["us"] >= 10}

    def ranks(group):
        best = 0
        for size in range(len(group) + 1):
            for some in combinations(group, size):
                spots = [(j, arc) for (i, j), (arc, _) in hits.items() if i in some]
                if len(spots) == len(set(spots)):
                    best = max(best, sum(units[k]["ranks"] for k in some if k not in messy))
        return best

    def fear(group, victim):
        ghosts = [k for k in group if units[k]["fear"]]
        prey = {j for (i, j) in hits if i in ghosts}
        if all(units[j]["brave"] for j in prey if victim is None or j == victim):
            return 0
        return 1 + (sum(units[k]["fear"] for k in ghosts) >= 2 * sum(units[j]["us"] for j in prey))

    def extras(group, side, victim=None):
        if not group:
            return 0
        arcs = {(j, arc) for (i, j), (arc, _) in hits.items() if i in group and units[i]["us"] >= 5}
        flat = sum(units[k]["charged"] + units[k]["standard"] for k in group)
        worth = {"F": 0, "L": 1, "R": 1, "B": 2}
        return (
            flat + ranks(group) + sum(worth[a] for _, a in arcs) + (might[side] > might[1 - side]) + fear(group, victim)
        )

    alive = [[k for k in here if units[k]["side"] == s] for s in (0, 1)]
    sides = [[k for k in fights if units[k]["side"] == s] for s in (0, 1)]
    totals = [sum(u["wounds"] for u in units if u["side"] == s) + extras(sides[s], s) for s in (0, 1)]
    wiped = bool(alive[0]) != bool(alive[1])
    drums = [any(units[k]["musician"] for k in sides[s]) for s in (0, 1)]
    bonus = [0, 0]
    if totals[0] == totals[1] and drums[0] != drums[1] and not wiped:
        bonus[drums.index(True)] = 1
        totals = [totals[s] + bonus[s] for s in (0, 1)]
    margin = abs(totals[0] - totals[1])
    winner = (0 if alive[0] else 1) if wiped else None if margin == 0 or not here else int(totals[1] > totals[0])
    told = {}
    for k in here:
        u, foes = units[k], [i for (i, j) in hits if j == k]
        own = u["wounds"] + extras([k], u["side"]) + bonus[u["side"]]
        theirs = (
            sum(hits[i, k][1] for i in foes) + extras(foes, 1 - u["side"], k) + (bonus[1 - u["side"]] if foes else 0)
        )
        lost = winner is not None and winner != u["side"] and theirs > own
        alone = all(len([v for v in units if v["side"] == s]) == 1 for s in (0, 1))
        weigh = [sum(units[i]["us"] for i in sides[s] if alone or i not in messy) for s in (0, 1)]
        proud = u["us"] >= 10 and u["rank5"] and not u["skirmish"] and k not in messy
        firm = lost and (u["stubborn"] or (proud and weigh[u["side"]] > weigh[1 - u["side"]]))
        what = "lost" if lost else "won" if winner == u["side"] else "drew"
        told[k] = (what, min(margin, theirs - own) if lost else 0, firm)
    return totals, winner, told
