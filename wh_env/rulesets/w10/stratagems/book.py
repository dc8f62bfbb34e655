"""The Core Stratagems (w10.stratagem.*)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType

from wh_env.rulesets.w10.codes import Phase
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Category, Entry, Moment, StratagemBook, Whose


class Stratagem(IntEnum):
    """Core Stratagems; bit ``1 << stratagem`` of ``players.used`` and ``players.used_turn``."""

    COMMAND_REROLL = 0
    COUNTER_OFFENSIVE = 1
    EPIC_CHALLENGE = 2
    INSANE_BRAVERY = 3
    GRENADE = 4
    TANK_SHOCK = 5
    FIRE_OVERWATCH = 6
    RAPID_INGRESS = 7
    GO_TO_GROUND = 8
    SMOKESCREEN = 9
    HEROIC_INTERVENTION = 10


TABLE: Mapping[int, Entry] = MappingProxyType(
    {
        Stratagem.COMMAND_REROLL: Entry("command-re-roll", "Command Re-roll", Category.BATTLE_TACTIC, 1, Whose.EITHER),
        Stratagem.COUNTER_OFFENSIVE: Entry(
            "counter-offensive", "Counter-offensive", Category.STRATEGIC_PLOY, 2, Whose.EITHER, (Phase.FIGHT,)
        ),
        Stratagem.EPIC_CHALLENGE: Entry(
            "epic-challenge", "Epic Challenge", Category.EPIC_DEED, 1, Whose.EITHER, (Phase.FIGHT,)
        ),
        Stratagem.INSANE_BRAVERY: Entry(
            "insane-bravery", "Insane Bravery", Category.EPIC_DEED, 1, Whose.OWN, (Phase.COMMAND,)
        ),
        Stratagem.GRENADE: Entry("grenade", "Grenade", Category.WARGEAR, 1, Whose.OWN, (Phase.SHOOTING,)),
        Stratagem.TANK_SHOCK: Entry("tank-shock", "Tank Shock", Category.STRATEGIC_PLOY, 1, Whose.OWN, (Phase.CHARGE,)),
        Stratagem.FIRE_OVERWATCH: Entry(
            "fire-overwatch",
            "Fire Overwatch",
            Category.STRATEGIC_PLOY,
            1,
            Whose.OPPONENTS,
            (Phase.MOVEMENT, Phase.CHARGE),
            True,
        ),
        Stratagem.RAPID_INGRESS: Entry(
            "rapid-ingress", "Rapid Ingress", Category.STRATEGIC_PLOY, 1, Whose.OPPONENTS, (Phase.MOVEMENT,)
        ),
        Stratagem.GO_TO_GROUND: Entry(
            "go-to-ground", "Go to Ground", Category.BATTLE_TACTIC, 1, Whose.OPPONENTS, (Phase.SHOOTING,)
        ),
        Stratagem.SMOKESCREEN: Entry(
            "smokescreen", "Smokescreen", Category.WARGEAR, 1, Whose.OPPONENTS, (Phase.SHOOTING,)
        ),
        Stratagem.HEROIC_INTERVENTION: Entry(
            "heroic-intervention", "Heroic Intervention", Category.STRATEGIC_PLOY, 2, Whose.OPPONENTS, (Phase.CHARGE,)
        ),
    }
)
OFFERED: Mapping[Moment, tuple[Stratagem, ...]] = MappingProxyType(
    {
        Moment.STARTS_MOVE: (Stratagem.FIRE_OVERWATCH,),
        Moment.STARTS_CHARGE: (Stratagem.TANK_SHOCK, Stratagem.FIRE_OVERWATCH),
        Moment.ENDS_MOVE: (Stratagem.FIRE_OVERWATCH,),
        Moment.ENDS_CHARGE: (Stratagem.HEROIC_INTERVENTION, Stratagem.FIRE_OVERWATCH),
        Moment.SET_UP: (Stratagem.FIRE_OVERWATCH,),
        Moment.TARGETS_SELECTED: (Stratagem.GO_TO_GROUND, Stratagem.SMOKESCREEN),
        Moment.MOVEMENT_ENDS: (Stratagem.RAPID_INGRESS,),
        Moment.BETWEEN_SHOOTERS: (Stratagem.GRENADE,),
        Moment.TEST_FAILED: (Stratagem.INSANE_BRAVERY,),
        Moment.SELECTED_TO_FIGHT: (Stratagem.EPIC_CHALLENGE,),
        Moment.HAS_FOUGHT: (Stratagem.COUNTER_OFFENSIVE,),
    }
)
BOOK = StratagemBook(TABLE, OFFERED, reroll=Stratagem.COMMAND_REROLL, steadfast=1 << Stratagem.INSANE_BRAVERY)
