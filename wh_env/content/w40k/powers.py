"""Compiled abilities of datasheets and armies: where a ``Power`` is in force, and the ``Choice`` of a player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from wh_env.content.errors import ContentError
from wh_env.content.w40k.schema import Aura, Chooses, OtherAbility, Play
from wh_env.rulesets.w40k.ability.data import Choice
from wh_env.rulesets.w40k.attack.abilities import Power
from wh_env.rulesets.w40k.codes import FIRST_MARK

FAR = 1e4  # inches: everywhere
MARKS = 63 - FIRST_MARK
FIRST_ONCE = 32  # bit of ``players.used_battle``; below stand Stratagems
MOST_ONCE = 31
FIRST_STRATAGEM = 16  # bit of ``players.used``; below stand those of the book

Mask = Callable[[Sequence[str]], int]
ProfilesOf = Callable[[Sequence[str]], frozenset[int]]


class Powers:
    """Collects the powers and choices of a battle.

    Args:
        mask: turns keywords into bits.
        profiles: rows of weapon profiles by the names of weapons or profiles.
    """

    def __init__(self, mask: Mask, profiles: ProfilesOf) -> None:
        self.mask, self.profiles = mask, profiles
        self.powers: list[Power] = []
        self.choices: list[Choice] = []
        self.marks: dict[tuple[int, str, str], int] = {}
        self.once: dict[tuple[int, str, str], int] = {}
        self.armies: dict[int, tuple[int, ...]] = {}  # all models of the players
        self.stratagems: dict[tuple[int, str], int] = {}
        self.under: list[tuple[int, int, str]] = []  # number of a power, player, option that it asks for
        self.about: list[tuple[int, Chooses]] = []  # number of a choice, and its conditions on other choices

    def add(
        self, ability: OtherAbility, owner: int, models: tuple[int, ...], having: Callable[[str], tuple[int, ...]]
    ) -> None:
        """Add an active ability of these models; ``having`` returns the army's models with a keyword."""
        if ability.chooses is not None:
            bearers = ability.chooses.bearers
            for _ in range(ability.chooses.times):
                self._choice(ability, owner, models if bearers is None else having(bearers))
        if not ability.plays:
            if ability.chooses is None:
                self.powers.append(self._whole(ability, owner, models))
            return
        for number, play in enumerate(ability.plays):
            rows = models if play.bearers is None else tuple(k for k in having(play.bearers) if k in models)
            if rows:
                if play.under is not None:
                    self.under.append((len(self.powers), owner, play.under))
                self.powers.append(self._play(ability, number, play, owner, rows))

    def finished(self) -> tuple[tuple[Power, ...], tuple[Choice, ...]]:
        """All powers and choices, with the marks of the options that they depend on.

        Powers that depend on an option that no player can choose are left out.
        """
        asked = {number: self._marks(owner, option=option) for number, owner, option in self.under}
        powers = [
            replace(power, under=asked[number]) if number in asked else power
            for number, power in enumerate(self.powers)
            if asked.get(number, 1)
        ]
        for number, said in self.about:
            choice = self.choices[number]
            self.choices[number] = replace(
                choice,
                unless=self._marks(choice.owner, said.unless) if said.unless else 0,
                replaces=self._marks(choice.owner, said.replaces) if said.replaces else 0,
                under=self._marks(choice.owner, option=said.instead.under) if said.instead else 0,
            )
        return tuple(powers), tuple(self.choices)

    def _marks(self, owner: int, name: str = "", option: str = "") -> int:
        """The bits of a player's options: of the ability ``name``, or of all options called ``option``."""
        return sum(
            1 << FIRST_MARK + number
            for (player, ability, of_it), number in self.marks.items()
            if player == owner and (ability == name if name else of_it == option)
        )

    def _whole(self, ability: OtherAbility, owner: int, models: tuple[int, ...]) -> Power:
        aura = ability if isinstance(ability, Aura) else None
        return Power(
            name=ability.name,
            effect=ability.effect,
            owner=owner,
            models=models,
            reach=aura.range if aura else 0.0,
            enemies=aura is not None and aura.affects == "enemy",
            keyword=self.mask([ability.keyword]) if ability.keyword else 0,
        )

    def _play(self, ability: OtherAbility, number: int, play: Play, owner: int, models: tuple[int, ...]) -> Power:
        aura = ability if isinstance(ability, Aura) else None
        everywhere = play.range is None
        reach = play.range if play.range is not None else aura.range if aura is not None else 0.0
        enemies = (aura.affects if aura is not None else play.affects) == "enemy"
        mark = 0
        if play.choice_of is not None:
            mark = self.mark(owner, play.choice_of, play.option or play.choice_of)
        elif play.chosen is not None and ability.chooses is not None:
            options = [play.option] if play.option else list(ability.chooses.options) or [ability.name]
            mark = sum({self.mark(owner, ability.name, option or "") for option in options})
            if everywhere and play.chosen == "unit" and ability.chooses.whom in ("enemy", "friend"):
                reach, enemies = FAR, ability.chooses.whom == "enemy"
        return Power(
            name=play.same_as or (f"{ability.name} {number + 1}" if len(ability.plays) > 1 else ability.name),
            effect=play.power_effect,
            owner=owner,
            models=models,
            reach=reach,
            enemies=enemies,
            keyword=self.mask(play.keywords),
            by=play.by,
            leading=play.leading,
            own_only=play.own,
            mark=mark if play.chosen == "unit" else 0,
            states=play.when,
            weapons=play.weapons or "",
            profiles=self.profiles(play.weapon) if play.weapon else frozenset(),
            facing_keyword=self.mask(play.against) if play.against else 0,
            facing_without=self.mask(play.unless) if play.unless else 0,
            facing_mark=mark if play.chosen == "target" else 0,
            facing_states=play.facing,
        )

    def mark(self, owner: int, name: str, option: str) -> int:
        """The bit of ``units.marks`` for an option of a player's ability.

        Raises:
            ContentError: there are more options than bits.
        """
        if len(self.marks) >= MARKS and (owner, name, option) not in self.marks:
            raise ContentError("<battle>", "armies", len(self.marks), f"at most {MARKS} choices", "choose too much")
        return 1 << FIRST_MARK + self.marks.setdefault((owner, name, option), len(self.marks))

    def _choice(self, ability: OtherAbility, owner: int, models: tuple[int, ...]) -> None:
        said = ability.chooses
        assert said is not None
        options = said.options or (ability.name,)
        once = []
        bearer = "" if said.whom == "army" else str(models[0])
        for option in options if said.once else ():
            number = self.once.setdefault((owner, ability.name + bearer, option), len(self.once))
            once.append(1 << FIRST_ONCE + number)
        if said.whom == "friend" and len(options) > 1:
            for option in options:
                alone = said.model_copy(update={"options": (option,)})
                self._choice(ability.model_copy(update={"chooses": alone}), owner, models)
            return
        cost = int(getattr(ability, "cp", 0))
        used = 0
        if cost:
            own = sum(1 for player, _ in self.stratagems if player == owner)
            used = 1 << FIRST_STRATAGEM + self.stratagems.setdefault((owner, ability.name), own)
        if len(self.once) > MOST_ONCE:
            expected = f"at most {MOST_ONCE} abilities that are used once in a battle"
            raise ContentError("<battle>", "armies", len(self.once), expected, "have too many")
        self.about.append((len(self.choices), said))
        self.choices.append(
            Choice(
                name=ability.name,
                owner=owner,
                bearers=models,
                when=said.when,
                whom=said.whom,
                marks=tuple(self.mark(owner, ability.name, option) for option in options),
                options=options,
                reach=said.reach or 0.0,
                keyword=self.mask(said.keywords) if said.keywords else 0,
                without=self.mask(said.without) if said.without else 0,
                lasts=said.lasts,
                must=said.must,
                once=tuple(once),
                engaged=said.engaged,
                free=said.free,
                least=said.least,
                declines=said.declines,
                weapons=said.weapons or "",
                army=models == self.armies.get(owner),
                cost=cost,
                used=used,
                effect=said.effect or "",
                amount=said.amount,
                beyond=said.beyond or 0.0,
                inside=said.inside or "",
                needs=said.needs or 0,
                fails=said.fails or "",
                instead=(said.instead.effect, said.instead.amount) if said.instead is not None else ("", 0),
            )
        )
        if said.twice is not None:
            second = replace(self.choices[-1], inside=said.twice, cost=0, used=0, once=(), second=True)
            self.about.append((len(self.choices), said))
            self.choices.append(second)
