"""Command points and victory points (command.cp-cap)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore


def gain_cp(g: BattleCore, player: int, amount: int) -> int:
    """Give the player CP beyond those of Command phases, limited in each battle round (command.cp-cap). Returns the CP
    gained.
    """
    gained = int(max(0, min(amount, g.setup.rules["extra_cp_each_round"] - g.players.cp_gained[player])))
    g.players.cp[player] += gained
    g.players.cp_gained[player] += gained
    g.tell("command.cp-cap", "extra CP", player=player, wanted=amount, gained=gained)
    return gained


def score(g: BattleCore, player: int, amount: int, rule: str) -> int:
    """Give victory points for ``rule`` (a key), limited by the mission in each turn. Returns the points scored."""
    scored = int(max(0, min(amount, g.setup.rules["max_vp_each_turn"] - g.players.vp_turn[player])))
    g.players.vp[player] += scored
    g.players.vp_turn[player] += scored
    g.tell(rule, "victory points", player=player, scored=scored, total=g.players.vp[player])
    return scored
