"""The handlers of special rules at the points of other chapters. A rule that a chapter asks for by its name has no
handler.
"""

from __future__ import annotations

from typing import Any

from wh_env.rulesets.wap.compulsory.stupidity import Stupidity
from wh_env.rulesets.wap.deployment.hidden import Reveal
from wh_env.rulesets.wap.deployment.special_deployment import Ambush
from wh_env.rulesets.wap.movement.start_of_turn import ON_START_OF_TURN
from wh_env.rulesets.wap.rule_book import AMBUSHERS, DEVASTATING_CHARGE, FRENZY, HIDDEN, STUPIDITY, Handler
from wh_env.rulesets.wap.weapons.blows import ON_ATTACKS, more_in_frenzy, one_more_in_a_charge

# handlers of one point act in this order; the state numbers those of ``ON_START_OF_TURN`` by it, so a new one goes to
# the end
HANDLERS: tuple[Handler[Any], ...] = (
    ON_START_OF_TURN.does(STUPIDITY, Stupidity()),
    ON_START_OF_TURN.does(AMBUSHERS, Ambush()),
    ON_START_OF_TURN.does(HIDDEN, Reveal()),
    ON_ATTACKS.does(FRENZY, more_in_frenzy),
    ON_ATTACKS.does(DEVASTATING_CHARGE, one_more_in_a_charge),
)
