"""Titles and questions of decisions for players, where the names of the kinds and what they ask are no player's words
(``core/questions.py``); an empty one stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from wh_env.rulesets.w40k.edition_parts.stratagem_book import StratagemBook

EXACTLY = "Where exactly, near the place that was chosen?"
QUESTIONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        # setting up
        "place-marker": ("Place an objective marker", "Where does the next objective marker go?"),
        "place-marker-exactly": ("Place the marker exactly", EXACTLY),
        "select-feature": ("Choose a terrain feature", ""),
        "turn-feature": ("Turn the terrain feature", ""),
        "place-feature": ("Place the terrain feature", "Where does the middle of the terrain feature go?"),
        "place-feature-exactly": ("Place the terrain feature exactly", EXACTLY),
        "select-to-deploy": ("Choose a unit to set up", ""),
        "deploy-by": ("How to set up", ""),
        "deploy-to": ("Set up the unit", "Where in its deployment zone is the unit set up?"),
        "pre-battle": ("Before the battle", ""),
        "hover-mode": ("Hover mode", ""),
        "attach-leader": ("Attach the Leader", "Which Bodyguard unit is the Leader attached to?"),
        "start-embarked": ("Start embarked", "Which TRANSPORT does the unit start the battle in?"),
        "place-facing": ("Facing of the model", "Which way does the model that is set up next face?"),
        "place-level": ("Level of the model", "On which of the surfaces at its place is the model set up?"),
        "place-model": ("Set up a model", "Where is the next model of the unit set up?"),
        "place-exactly": ("Set up a model exactly", EXACTLY),
        "place-together": ("Set up in formation", ""),
        "select-scouts": ("Choose a unit with Scouts", ""),
        "scout-move": ("Scouts move", "Where does the unit move before the first turn?"),
        "coherency-removal": ("Restore coherency", ""),
        "due-order": ("What comes first", ""),
        "battle-shock-order": ("Choose a Battle-shock test", ""),
        # moves
        "select-to-move": (
            "Choose a unit to move",
            "Which unit moves or disembarks next? Each unit on the battlefield is selected once.",
        ),
        "move-kind": ("Kind of move", "Does the unit stay, move, or Advance? An engaged unit stays or Falls Back."),
        "move-to": ("Move the unit", "Where does the unit go, all its models together?"),
        "move-level": (
            "Height of the move",
            "Does the unit end as near as can be to its own height, or as high as it can?",
        ),
        "select-model": ("Choose a model to move", "Which model moves next?"),
        "model-facing": ("Facing of the model", "Which way does the model face at the end of its move?"),
        "model-level": ("Level of the model", "On which of the surfaces above each other does the model end?"),
        "model-to": ("Move the model", "Where does the model move?"),
        "model-refine": ("Move the model exactly", EXACTLY),
        "fall-back-to": ("Fall Back", "Where does the unit Fall Back to? It goes around enemy models where it can."),
        "fall-back-over": ("Fall Back over enemies", "Which models move over enemy models?"),
        "escape-loss": ("Desperate Escape", ""),
        "select-reserves": ("Choose Reserves", "Which Reserves unit is set up next?"),
        "arrive-by": ("Arrive from Reserves", ""),
        "arrive-at": ("Arrive from Reserves", "Where on the battlefield is the Reserves unit set up?"),
        "embark": ("Embark", "Which TRANSPORT does the unit embark in at the end of its move?"),
        "embark-model": ("Embark", ""),
        "disembark-at": ("Disembark", "Where near its TRANSPORT is the unit set up?"),
        "select-to-disembark": (
            "Choose a unit to disembark",
            "Which unit disembarks next from the TRANSPORT that has arrived?",
        ),
        "wreck-order": ("Get out of the wreck", ""),
        "left-in-wreck": ("Left in the wreck", ""),
        "wreck-loss": ("Lost in the wreck", ""),
        "aircraft-distance": (
            "Fly straight forward",
            "How far does the AIRCRAFT fly straight forward, or does it leave the table?",
        ),
        "aircraft-distance-exactly": (
            "Fly exactly",
            "How far exactly, between the distance that was chosen and the next?",
        ),
        "aircraft-pivot": ("Pivot the AIRCRAFT", "By how much, up to 90 degrees either way, does it pivot?"),
        "aircraft-pivot-exactly": (
            "Pivot exactly",
            "By how much exactly, between the pivot that was chosen and the next?",
        ),
        "extra-move": ("Move by an ability", "Where does the unit move by the ability, all its models together?"),
        # shooting and fighting
        "select-to-shoot": ("Choose a unit to shoot", "Which unit shoots next?"),
        "shoot-target": (
            "Choose a target",
            "At which unit do all weapons shoot that can? The others take their best target.",
        ),
        "weapon-target": ("Target of a weapon", "At which unit does the model shoot with this weapon?"),
        "target-order": ("Choose a target to resolve", ""),
        "profile-order": (
            "Choose attacks to resolve",
            "Which of the alike attacks against the target are resolved next?",
        ),
        "hazardous-model": ("Hazardous weapon", ""),
        "allocate": ("Allocate the attack", ""),
        "precision": ("Precision", "Which CHARACTER of the Attached unit takes the attack, if any?"),
        "save": ("Choose a save", ""),
        "feel-no-pain": ("Feel No Pain", ""),
        "demise-unit": ("Deadly Demise", ""),
        "demise-order": ("Deadly Demise", ""),
        "reroll": ("Re-roll", ""),
        "reroll-wound": ("Re-roll the wound roll", ""),
        "reroll-die": ("Re-roll a die", "Is one of the dice rolled again, and which?"),
        "command-re-roll-test": ("Command Re-roll", ""),
        "command-re-roll-die": ("Command Re-roll", "Is one of the dice rolled again with Command Re-roll, and which?"),
        "firing-deck-model": ("Firing Deck", "Which embarked model's weapon does the TRANSPORT fire too?"),
        "firing-deck-weapon": ("Firing Deck", ""),
        "select-to-charge": ("Choose a unit to charge", "Which unit declares a charge next?"),
        "charge-target": (
            "Targets of the charge",
            "Which enemy units does the unit charge? They are chosen one after the other.",
        ),
        "select-to-fight": ("Choose a unit to fight", ""),
        "select-to-intervene": ("Heroic Intervention", ""),
        "fight-target": (
            "Choose a target",
            "Which unit do all models attack that can? The others take their best target.",
        ),
        "close-order": ("Choose a model to move", "Which model moves next?"),
        "close-to": ("Move the model", "Where does the model end its move?"),
        "melee-weapon": ("Choose a weapon", ""),
        "attack-target": ("Target of an attack", ""),
        "resolution": ("An open case", ""),
        "grenade-target": ("Target of the grenades", ""),
        "tank-shock-target": ("Target of Tank Shock", ""),
        "tank-shock-weapon": ("Weapon of Tank Shock", ""),
        "tank-shock-order": (
            "What comes first",
            "Is Tank Shock resolved before the opponent's Stratagems, or after them?",
        ),
        "use-ability": ("Use an ability", ""),
        "select-to-test": ("Choose a Morale test", ""),
        "fleeing-model": ("Who flees", ""),
        "grenade": ("", "Which GRENADES unit throws?"),
        "tank-shock": ("", "Does the VEHICLE unit ram before its Charge move?"),
        **{
            f"faction-{number}": ("Stratagem of a Faction", "On which unit is the Stratagem used?")
            for number in range(1, 5)
        },
        # psychic powers
        "select-psyker": ("Choose a psyker", ""),
        "select-power": ("Choose a psychic power", ""),
        "power-target": ("Target of the power", ""),
        "deny": ("Deny the Witch", ""),
        "discipline": (
            "Psychic discipline",
            "Does the unit know the disciplines of its datasheet, or another one instead?",
        ),
        "learn-power": ("Learn a psychic power", ""),
        # the 9th edition
        "choose-zone": ("Choose a deployment zone", ""),
        "count-for": ("Count for an objective", ""),
        "stand-and-fight": ("While We Stand, We Fight", ""),
        "redeploy": ("Set up again", "Which own unit is taken up and set up again?"),
        "redeploy-to": ("Set up again", ""),
        "reposition": ("Set up again", "Which unit is removed from the battlefield and set up again?"),
        "reposition-at": ("Set up again", "Where on the battlefield is the unit set up again?"),
        "breakout-loss": ("Lost in the breakout", ""),
        "breakout-to": ("Break out", ""),
        "start-action": ("Start an action", "Which unit starts to perform the action?"),
        "split-model": ("Split the unit", ""),
        "defend": (
            "Defensible terrain",
            "Does the unit Hold Steady (Overwatch hits on 5+) or Set to Defend (+1 to hit in melee, no Overwatch)?",
        ),
        "at-the-start": ("At the start of deployment", "Which rule does the player use at the start of deployment?"),
        # the 8th edition
        "command-re-roll": ("Command Re-roll", "Is the roll, or one of its dice, made again with a Command Re-roll?"),
        "divide": ("Divide the battlefield", ""),
        "first-turn": ("The first turn", "Which player has the first turn of every battle round?"),
        "nominate-unit": ("The Warlord's unit", ""),
        "nominate-model": ("The Warlord", ""),
        "warlord-trait": ("The Warlord's Trait", "Is a D3 rolled for the Warlord's Trait, or which one is chosen?"),
        "charge-or-stay": ("Charge or stay", "The Charge roll is sufficient: does the unit make the Charge move?"),
    }
)


def questions(book: StratagemBook) -> Mapping[str, tuple[str, str]]:
    """The titles and questions of an edition with these Stratagems, which are titled by their names."""
    named = {
        entry.name: (entry.title, QUESTIONS.get(entry.name, ("", ""))[1])
        for entry in book.table.values()
        if entry.title != entry.name
    }
    return MappingProxyType({**QUESTIONS, **named})
