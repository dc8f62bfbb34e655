"""Characters are deployed together, after all other units of their army (wap.battle.deploy.characters)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.procedures import GO, DecisionKind, OfPlayer, integer
from wh_env.core.tables import DEPLOYING, RESERVE
from wh_env.rulesets.wap.basics.garrisons import is_inside, may_occupy
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.characters.joining import fits_inside, is_open_to, may_join, stand_inside
from wh_env.rulesets.wap.characters.joins import DEPLOYED, RULES, Join
from wh_env.rulesets.wap.characters.waiting import could_stand_in, waits_with
from wh_env.rulesets.wap.codes import AMBUSHES, SCOUTS, WAR_MACHINE
from wh_env.rulesets.wap.deployment.gathering import deploy, goes_by_die
from wh_env.rulesets.wap.deployment.hidden import can_hide_in, hide

ALONE = 0


def open_units(g: BattleCore, character: int) -> list[int]:
    """The units that a character being deployed may join, on the table or in ambush."""
    units = g.units_of(g.units.owner[character])
    return [unit for unit in units if is_open_now(g, character, unit)]


def is_open_now(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a character being deployed may join a unit. A character whose place a die decides joins no unit on the
    table (wap.scenario.dawn-attack.characters).
    """
    if goes_by_die(g, character):
        return may_wait_in(g, character, unit)
    return may_wait_in(g, character, unit) or may_join(g, character, unit) or may_stand_inside(g, character, unit)


def may_stand_inside(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a character being deployed may join a war machine that was deployed in a building of the zone."""
    inside = is_inside(g, unit) and g.units.kind[unit] == WAR_MACHINE and may_occupy(g, character)
    return inside and is_open_to(g, character, unit) and fits_inside(g, character, unit)


def may_wait_in(g: BattleCore, character: int, unit: int) -> bool:
    """Whether a character may wait in ambush with a unit (wap.special.ambushers.character)."""
    u = g.units
    return bool(u.place[unit] == RESERVE and u.deployed[unit] & AMBUSHES and could_stand_in(g, character, unit))


def joins_unit(g: BattleCore, character: int, unit: int) -> None:
    """Deploy a character in a unit."""
    if g.units.place[unit] == RESERVE:
        waits_with(g, character, unit, "wap.special.ambushers.character")
    elif is_inside(g, unit):
        stand_inside(g, character, unit)
        g.note(RULES[DEPLOYED], "joins", unit=character, target=unit)
    else:
        g.push(Join, character, unit, DEPLOYED)


class DeployCharacters(OfPlayer):
    """Deploy all characters of a player, one after the other, each in a unit or alone."""

    HIDES = integer(flag())  # the character that is asked about hides; its unit is still to be chosen
    LATE = integer(flag())  # deploy the characters that were kept back as scouts
    asks = ("join-unit",)

    def advance(self, g: BattleCore, f: int) -> int:
        player, late, u = g.stack[f + DeployCharacters.PLAYER], g.stack[f + DeployCharacters.LATE], g.units
        left = [
            unit
            for unit in g.units_of(player)
            if u.place[unit] == DEPLOYING and is_character(g, unit) and bool(u.deployed[unit] & SCOUTS) == bool(late)
        ]
        if not left:
            return g.pop()
        character = left[0]
        wanted = g.setup.statics["inside"][character]
        if g.stack[f + DeployCharacters.HIDES]:
            return g.ask(JoinUnit, player, character)
        if wanted >= 0 and is_open_now(g, character, wanted) and not can_hide_in(g, character):
            joins_unit(g, character, wanted)
        elif any(is_open_now(g, character, unit) for unit in g.units_of(player)) or (
            goes_by_die(g, character) and can_hide_in(g, character)
        ):
            return g.ask(JoinUnit, player, character)
        else:
            stands_alone(g, character)
        return GO


def stands_alone(g: BattleCore, character: int) -> None:
    """Deploy a character as a unit alone."""
    deploy(g, character)


class JoinUnit(DecisionKind):
    name = "join-unit"
    what = "Which unit a character joins, or whether he hides, and where; done: none, he stands alone."
    keys = (
        "wap.battle.deploy.characters",
        "wap.character.join.types",
        "wap.character.definition",
        "wap.special.hidden.deploy",
        "wap.special.scouts.character",
        "wap.special.ambushers.character",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        character = g.clock.subject[0]
        at = g.setup.space.own - g.players.first_unit[g.units.owner[character]]
        if g.stack[f + DeployCharacters.HIDES]:
            for unit in can_hide_in(g, character):
                mask[at + unit] = True
            return
        for unit in open_units(g, character):
            mask[at + unit] = True
        mask[ALONE] = True
        mask[g.setup.space.option] = bool(can_hide_in(g, character))

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        character = g.clock.subject[0]
        if action == ALONE:
            stands_alone(g, character)
            return
        if action == g.setup.space.option:
            g.stack[f + DeployCharacters.HIDES] = 1
            return
        if g.stack[f + DeployCharacters.HIDES]:
            g.stack[f + DeployCharacters.HIDES] = 0
            hide(g, character, g.players.first_unit[g.units.owner[character]] + action - g.setup.space.own)
            return
        joins_unit(g, character, g.players.first_unit[g.units.owner[character]] + action - g.setup.space.own)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.names["units"][g.clock.subject[0]]
        if action == g.setup.space.option:
            return f"{name} hides"
        if g.stack[f + DeployCharacters.HIDES]:
            return f"{name} hides among {g.default_words(action)}"
        return f"{name} stands alone" if action == ALONE else f"{name} joins {g.default_words(action)}"
