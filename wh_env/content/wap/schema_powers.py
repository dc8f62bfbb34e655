"""Schemas of what single examples of ground do; the fields are those of ``basics.powers``. Lengths are inches."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from wh_env.content.errors import Expected
from wh_env.content.fields import Content, Few, Flag, Length, Name
from wh_env.rulesets.wap.basics.powers import Aura, Barrier, Gaze, Portal, Well
from wh_env.rulesets.wap.rule_book import BOOK, Grant

Change = Annotated[int, Field(strict=True, ge=-10, le=10)]
Face = Annotated[int, Field(strict=True, ge=1, le=6)]
Characteristic = Literal["ld"]  # auras change no other one yet


class Power(Content):
    """A power of ground."""

    def compiled(self) -> Any:
        """The power as the engine asks it."""
        raise NotImplementedError


class BarrierRow(Power):
    """What an obstacle does for those who stand behind it."""

    cover: Literal["light", "heavy"] = "light"
    hitting: Change = 0
    burns: Few = 0
    slows: Name | None = None
    frightens: Flag = False

    def compiled(self) -> Barrier:
        """The barrier as the engine asks it."""
        return Barrier(self.cover, self.hitting, self.burns, self.slows or "", self.frightens)


class AuraRow(Power):
    """What ground does to units near it; ``grants`` are special rules as cards write them."""

    inches: Length = 0.0
    only: Name | None = None
    inside: Flag = False
    grants: Annotated[tuple[Name, ...], Field(max_length=8)] = ()
    changes: Annotated[dict[Characteristic, Change], Field(max_length=9)] = Field(default_factory=dict)
    wounding: Change = 0
    hitting: Change = 0
    attacks: Few = 0
    restless: Flag = False
    spurs: Flag = False
    dooms: Flag = False
    channelling: Change = 0
    channels_again: Flag = False
    keeps: Change = 0

    @model_validator(mode="after")
    def _known(self) -> AuraRow:
        """Check that the book has all the rules granted, with parameters that fit."""
        for at, words in enumerate(self.grants):
            read = BOOK.read(words)
            if read is None or not (read.rule.can_be_gained and fits(read)):
                raise Expected("a special rule that can be gained", "is none", f"grants[{at}]", words)
        return self

    def compiled(self) -> Aura:
        """The aura as the engine asks it."""
        grants = tuple(read for words in self.grants if (read := BOOK.read(words)))
        changes = tuple((str(name), amount) for name, amount in self.changes.items())
        told = {name: getattr(self, name) for name in type(self).model_fields}
        return Aura(**{**told, "only": self.only or "", "grants": grants, "changes": changes})


def fits(grant: Grant) -> bool:
    """Whether what stands in the brackets of a rule may stand there."""
    if grant.rule.form is None:
        return not grant.parameter
    return grant.rule.form.fits(grant.parameter or None)


class GazeRow(Power):
    """Hits at the start of each player's turn, or at the end of each Shooting phase."""

    rule: Name
    inches: Length
    most: Face
    strength: Few
    when: Literal["turn", "shooting"] = "turn"
    no_armour: Flag = False
    spares: Name | None = None

    def compiled(self) -> Gaze:
        """The gaze as the engine asks it."""
        told = {name: getattr(self, name) for name in type(self).model_fields}
        return Gaze(**{**told, "spares": self.spares or ""})


class WellRow(Power):
    """What a drink does, by the result of a D6."""

    inches: Length
    effects: Annotated[tuple[Literal["poison", "heal", "oblivion"], ...], Field(min_length=6, max_length=6)]

    def compiled(self) -> Well:
        """The well as the engine asks it."""
        return Well(self.inches, tuple(self.effects))


class PortalSpell(Content):
    """A spell that a portal casts on some results of 2D6."""

    rolls: Annotated[tuple[Annotated[int, Field(strict=True, ge=2, le=12)], ...], Field(min_length=1, max_length=11)]
    lore: Name
    spell: Name


class PortalRow(Power):
    """What a portal casts, by the result of 2D6."""

    table: Annotated[tuple[PortalSpell, ...], Field(min_length=1, max_length=11)]

    @model_validator(mode="after")
    def _whole(self) -> PortalRow:
        """Check that each result has one spell."""
        results = sorted(result for row in self.table for result in row.rolls)
        if results != list(range(2, 13)):
            raise Expected("each result from 2 to 12 once", "is not so", "table", results)
        return self

    def compiled(self) -> Portal:
        """The portal as the engine asks it."""
        spells = {result: (row.lore, row.spell) for row in self.table for result in row.rolls}
        return Portal(tuple(spells[result] for result in sorted(spells)))
