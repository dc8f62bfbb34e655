"""What rules do at the start of a player's turn, all of them (wap.move.start)."""

from __future__ import annotations

from wh_env.rulesets.wap.compulsory.stupidity import Stupidity
from wh_env.rulesets.wap.deployment.hidden import Reveal
from wh_env.rulesets.wap.deployment.special_deployment import Ambush
from wh_env.rulesets.wap.movement.start_of_turn import StartEffect

# in the order of their bits in ``units.begun``: what is new goes to the end
START_EFFECTS: tuple[StartEffect, ...] = (Stupidity(), Ambush(), Reveal())
# the same for the start of the battle (``deployment.deployment.start_of_battle``)
BATTLE_EFFECTS: tuple[StartEffect, ...] = ()
