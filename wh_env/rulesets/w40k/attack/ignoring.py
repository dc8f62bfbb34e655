"""Feel No Pain (attack.feel-no-pain): wounds that a model ignores on a die. One stage of the attack machine."""

from __future__ import annotations

from wh_env.core.dice import roll_d6
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.state import record
from wh_env.rulesets.w40k.attack_row import ASK_REROLL_ONE, Event, Window


@inner_kernel
def ignores_wound(
    models: Array, attack: Array, rules: Array, dice: Array, script: Array, log: Array, choice: int
) -> int:
    """attack.feel-no-pain: roll for one wound with ability ``choice`` of the model (0 or 1; -1: the better one). If the
    rules roll for both, the other follows.

    Returns 1 if the wound is ignored, 0 if not, or ASK_REROLL_ONE if the die may be re-rolled. Columns ``choice`` and
    ``left`` then keep the ability and the number of rolls left, this one included.
    """
    row = attack[0]
    model = row["model"]
    first = models[model]["feel_no_pain"]
    second = models[model]["feel_no_pain2"]
    rolls = 2 if rules[0]["ignore_twice"] != 0 and first > 0 and second > 0 else 1
    offered = row["asked"] == ASK_REROLL_ONE
    if offered:
        choice = row["choice"]
        rolls = row["left"]
    elif choice < 0:
        choice = 1 if second > 0 and (first == 0 or second < first) else 0
    row["asked"] = 0
    while rolls > 0:
        needed = second if choice == 1 else first
        if needed == 0:
            return 0
        die = row["die"] if offered else roll_d6(dice, script)
        if offered and row["answer"] == 1:
            old = die
            die = roll_d6(dice, script)
            record(log, attack, Event.REROLL.value, row["attacker"], model, die, needed, Window.IGNORE.value, old)
        elif not offered and row["offer"] & Window.IGNORE.value:
            row["die"] = die
            row["needed"] = needed
            row["choice"] = choice
            row["left"] = rolls
            row["asked"] = ASK_REROLL_ONE
            row["window"] = Window.IGNORE.value
            return ASK_REROLL_ONE
        offered = False
        ignored = die >= needed
        record(log, attack, Event.FNP_ROLL.value, row["attacker"], model, die, needed, ignored, choice)
        if ignored:
            return 1
        choice = 1 - choice
        rolls -= 1
    return 0
