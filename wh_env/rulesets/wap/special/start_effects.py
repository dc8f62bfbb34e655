"""What rules do at the start of a player's turn, all of them (wap.move.start)."""

from __future__ import annotations

from wh_env.rulesets.wap.movement.start_of_turn import StartEffect
from wh_env.rulesets.wap.special.deploying import Ambush
from wh_env.rulesets.wap.special.hidden import Reveal
from wh_env.rulesets.wap.special.stupidity import Stupidity

# in the order of their bits in ``units.begun``: what is new goes to the end
START_EFFECTS: tuple[StartEffect, ...] = (Stupidity(), Ambush(), Reveal())
# the same for the start of the battle (``battle.deployment.start_of_battle``)
BATTLE_EFFECTS: tuple[StartEffect, ...] = ()
