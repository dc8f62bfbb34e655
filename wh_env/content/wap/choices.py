"""Choices of players that are made in files before a battle: which field of which schema holds each."""

from __future__ import annotations

from wh_env.content.game import Choice
from wh_env.content.wap.schema_battle import Battle, Battlefield, Feature, Rules
from wh_env.content.wap.schema_units import Army, Card, Entry

CHOICES: tuple[Choice, ...] = (
    Choice(
        ("wap.command.composition",), Entry, "command", "which of champion, standard bearer and musician lead a unit"
    ),
    Choice(
        ("wap.terrain.agreement", "wap.building.agreement", "wap.building.arcane.type"),
        Feature,
        "kind",
        "what the feature is: ground or building",
    ),
    Choice(("wap.building.shooting.five-per-storey",), Feature, "shooters", "how many models shoot from each storey"),
    Choice(("wap.scenario.watchtower.tower",), Feature, "name", "the feature that stands for the tower: `tower`"),
    Choice(
        ("wap.battle.points", "wap.army.points.cost"),
        Army,
        "units",
        "units of its sheet within the limits of army lists",
    ),
    Choice(("wap.army.points.limit",), Battle, "points", "the most that an army may cost; lists can name points too"),
    Choice(("wap.army.general.required",), Entry, "general", "a Lord, or a Hero of an army without Lords"),
    Choice(
        ("wap.scenario.select.agree",), Battle, "mission", "the mission that is played, or `random`: a die names it"
    ),
    Choice(
        ("wap.battle.terrain.placing",), Battlefield, "features", "the pieces of terrain that the players have placed"
    ),
    Choice(("wap.ally.teams",), Army, "allies", "the other armies of the side, each with the player who leads it"),
    Choice(("wap.ally.two-books",), Rules, "two_books", "whether one player may choose an army from two army books"),
    Choice(
        ("wap.army.list.hidden",), Rules, "lists", "whether the players know each other's magic items from the start"
    ),
    Choice(
        (
            "wap.magic.lore.choice",
            "wap.army.wizards.lore",
            "wap.magic.signature.two-lores",
            "wap.lore.general.eight-lores",
        ),
        Entry,
        "lores",
        "the lores that a wizard uses; the first two give him their signature spells",
    ),
    Choice(("wap.special.loremaster",), Card, "rules", "the lore, in brackets, that a Loremaster knows whole"),
    Choice(("wap.item.general.common-items",), Entry, "items", "the magic items of a character"),
    Choice(("wap.item.general.banner-access",), Entry, "banner", "the magic banner of a unit"),
    Choice(("wap.general.bsb.who",), Entry, "battle_standard", "who bears the standard of the army"),
)
