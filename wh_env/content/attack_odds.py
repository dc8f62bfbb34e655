"""The odds of one weapon against one target, each named by its datasheet.

The result is the exact distribution of wounds lost and models destroyed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wh_env.content.errors import ContentError, unknown
from wh_env.content.game import Company
from wh_env.content.games import duel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.abilities import AGAINST_MORTAL, GUARDS, MADE_CHANGES, SUFFERED_CHANGES, Power
from wh_env.rulesets.w40k.attack.conditions import STATES
from wh_env.rulesets.w40k.attack.granting import with_changes
from wh_env.rulesets.w40k.attack.odds import Odds, Target, damage_distribution
from wh_env.rulesets.w40k.attack.rolls import BLAST_SHIFT, Near
from wh_env.rulesets.w40k.attack.whole_odds import Volley, whole_distribution
from wh_env.rulesets.w40k.profiles import ALL_FAILED, Ability, WeaponAbility

REROLLS = ("none", "ones", "failed", "any")
BLAST_EVERY = 5  # models of the target for another attack of Blast
# By how many flags a modifier can be raised or lowered.
STEPS: dict[str, tuple[Sequence[Near], Sequence[Near]]] = {
    "hit": ((Near.HIT_MINUS, Near.HIT_MINUS_2ND), (Near.HIT_PLUS, Near.HIT_PLUS_2ND)),
    "wound": ((Near.WOUND_MINUS, Near.WOUND_MINUS_2ND), (Near.WOUND_PLUS, Near.WOUND_PLUS_2ND)),
    "save": ((), (Near.SAVE_PLUS, Near.SAVE_PLUS_2ND)),
    "ap": ((), (Near.AP_PLUS,)),
    "attacks": ((), (Near.ATTACKS_PLUS,)),
}


@dataclass(frozen=True)
class Circumstances:
    """How the attack is made.

    Attributes:
        half_range, stationary, charged, cover, stealth, unseen, overwatch: as the rules call them.
        engaged: the shooter or its target is within Engagement Range (Big Guns Never Tire).
        hit, wound, save, ap, attacks: modifiers by other rules (``ap`` 1 is one better).
        reroll_hits, reroll_wounds: ``none``, ``ones``, ``failed`` (before modifiers) or ``any`` (failed after
            modifiers).
        another: each attack that inflicts no damage generates another attack. An ability of the attacker can do the
            same.
        states, target_states: states of the attacker and of the target, from ``conditions.STATES``.
        leading: Leaders lead units.
        chosen: names of choices or of their options that are in force (``Oath of Moment``, ``Swords``).
        abilities: whether abilities of both datasheets count.
    """

    half_range: bool = False
    stationary: bool = False
    charged: bool = False
    cover: bool = False
    stealth: bool = False
    unseen: bool = False
    overwatch: bool = False
    engaged: bool = False
    hit: int = 0
    wound: int = 0
    save: int = 0
    ap: int = 0
    attacks: int = 0
    reroll_hits: str = "none"
    reroll_wounds: str = "none"
    another: bool = False
    states: tuple[str, ...] = ()
    target_states: tuple[str, ...] = ()
    leading: bool = False
    chosen: tuple[str, ...] = ()
    abilities: bool = True

    def near(self) -> int:
        """The flags of the attack sequence (``Near``) for these circumstances.

        Raises:
            ContentError: a modifier exceeds the limit of the rules, or a re-roll is not known.
        """
        flags = {
            Near.HALF_RANGE: self.half_range,
            Near.STATIONARY: self.stationary,
            Near.CHARGED: self.charged,
            Near.COVER: self.cover,
            Near.STEALTH: self.stealth,
            Near.UNSEEN: self.unseen,
            Near.SNAP: self.overwatch,
            Near.ENGAGED_SHOOTER: self.engaged,
            Near.REROLL_HIT_ONES: self.reroll_hits == "ones",
            Near.REROLL_FAILED_HITS: self.reroll_hits == "failed",
            Near.REROLL_HITS: self.reroll_hits == "any",
            Near.REROLL_WOUND_ONES: self.reroll_wounds == "ones",
        }
        total = sum(int(flag) for flag, given in flags.items() if given)
        for name, (down, up) in STEPS.items():
            value = getattr(self, name)
            if not -len(down) <= value <= len(up):
                raise ContentError("<circumstances>", name, value, f"a number from {-len(down)} to {len(up)}")
            total += sum(int(flag) for flag in (up if value > 0 else down)[: abs(value)])
        for name in ("states", "target_states"):
            for state in getattr(self, name):
                if state not in STATES:
                    raise unknown("<circumstances>", name, state, STATES)
        for name in ("reroll_hits", "reroll_wounds"):
            if getattr(self, name) not in REROLLS:
                raise unknown("<circumstances>", name, getattr(self, name), REROLLS)
        return total


@dataclass(frozen=True)
class Attack:
    """A weapon profile against a target, with its odds.

    Attributes:
        attacker, weapon, target: names.
        attackers: number of models that attack.
        models: number of models in the target.
        profile: of the target's models: T, Sv, W, and invulnerable save and Feel No Pain if they have them.
        others: further kinds of model in the target, computed as if they were like the rest.
        odds: the distribution.
    """

    attacker: str
    weapon: str
    attackers: int
    target: str
    models: int
    profile: Target
    others: tuple[str, ...]
    odds: Odds


class Range:
    """An attacker and a target by their datasheets.

    Args:
        ruleset: id of the ruleset of the datasheets and rules.
        attacker, target: names of datasheets.
        models: number of models of the target; None: the smallest unit.
        kind: the type of the target's models; None: the most frequent type.
        invulnerable, feel_no_pain: replace those of the target, not of its Leader.
        company: Leaders of both sides, and Stratagems; None: none.

    Raises:
        ContentError: a name is not known, the unit cannot have that many models, or a Leader or Stratagem does not fit.
    """

    def __init__(
        self,
        ruleset: str,
        attacker: str,
        target: str,
        *,
        models: int | None = None,
        kind: str | None = None,
        invulnerable: int | None = None,
        feel_no_pain: int | None = None,
        company: Company | None = None,
    ) -> None:
        self.duel = duel(ruleset, attacker, target, models, company)
        self.setup = self.duel.setup
        self.weapons: Array = self.setup.statics["weapons"]
        self.names: Sequence[str] = self.setup.names["weapons"]
        units = self.setup.layout.view(self.setup.template, "units")
        # rows of the models: the attacker with its Leader, the target, the target's Leader
        self.own = range(2 if self.duel.leader else 1)
        self.led = range(
            int(units[len(self.own) + 1]["first"]) if self.duel.target_leader else self._models, self._models
        )
        self.body = range(len(self.own), self.led.start)
        self.keywords = int(np.bitwise_or.reduce(units["keywords"][: len(self.own)]))
        self.target, self.others = self._target(self.body, kind, invulnerable, feel_no_pain)
        # the target as its attackers meet it: its models, then its Leader
        self.parts = (self.target, *([self._target(self.led, None, None, None)[0]] if self.led else []))
        self.generates = any(set(self.own) & set(power.models) for power in self.setup.statics["powers"]["generated"])

    @property
    def _models(self) -> int:
        """The number of models in the setup."""
        return len(self.setup.names["models"])

    def _target(
        self, rows: range, kind: str | None, invulnerable: int | None, feel_no_pain: int | None
    ) -> tuple[Target, tuple[str, ...]]:
        layout, template = self.setup.layout, self.setup.template
        everybody = layout.view(template, "models")
        body = everybody[rows.start : rows.stop]
        called = [self.setup.names["models"][k].rpartition(" ")[0] for k in rows]
        kinds = Counter(called)
        if kind is not None and kind not in kinds:
            raise unknown("<target>", "kind", kind, kinds)
        row = body[called.index(kind or kinds.most_common(1)[0][0])]

        def best(*saves: int) -> int:
            return min((int(save) for save in saves if save), default=0)

        guards = self._guards(rows)
        units = layout.view(template, "units")
        target = Target(
            toughness=int(row["toughness"]),
            save=int(row["save"]),
            wounds=int(row["max_wounds"]),
            models=len(body),
            invulnerable=best(row["invulnerable"], row["invulnerable2"], guards["invulnerable"])
            if invulnerable is None
            else invulnerable,
            feel_no_pain=best(row["feel_no_pain"], row["feel_no_pain2"], guards["feel_no_pain"])
            if feel_no_pain is None
            else feel_no_pain,
            keywords=int(np.bitwise_or.reduce(units["keywords"][len(self.own) :])),
            stealthy=bool((everybody["flags"][len(self.own) :] & int(Ability.STEALTH)).all()),
            feel_no_pain_mortal=guards["mortal"] if feel_no_pain is None else 0,
            shrugs=len(body) == 1
            and any(rows[0] in power.models for power in self.setup.statics["powers"]["shrugged"]),
        )
        values = ("toughness", "save", "max_wounds", "invulnerable", "feel_no_pain")
        alike = [all(other[name] == row[name] for name in values) for other in body]
        return target, tuple(dict.fromkeys(name for name, same in zip(called, alike, strict=True) if not same))

    def _guards(self, rows: range) -> dict[str, int]:
        """The best saves and Feel No Pain (lowest roll needed, 0: none) that abilities give the models in ``rows``.

        A power that needs a mark counts only if ``duel.chosen`` names the choice that sets the mark.
        """
        found = {"invulnerable": 0, "feel_no_pain": 0, "mortal": 0}
        marks = self._marks(self.duel.chosen)
        for power in self.setup.statics["powers"]["guards"]:
            column, needed, only_psychic = GUARDS[power.effect]
            bearers = set(power.models)
            if power.enemies or only_psychic or bearers & set(self.own) or (power.mark and not power.mark & marks):
                continue
            if (power.own_only and not bearers & set(rows)) or (power.leading and not bearers & set(self.led)):
                continue
            kind = "mortal" if power.effect.endswith(AGAINST_MORTAL) else column
            if kind in found:
                found[kind] = min(found[kind] or 7, needed)
        return found

    def _marks(self, chosen: Sequence[str]) -> int:
        """The bits of the marks that the choices named in ``chosen`` set."""
        return sum(bit for bit, name in self.setup.statics["mark_names"].items() if name in chosen)

    def changes(self, row: int, how: Circumstances, model: int = 0) -> list[tuple[str, int]]:
        """The effects of abilities of both sides on attacks with profile ``row``, as (change, amount) pairs.

        The changes are those of ``granting.CHANGES``. ``model`` is 0 for the attacker and 1 for its Leader.
        """
        powers = self.setup.statics["powers"]
        if not how.abilities:
            return []
        own = self.keywords
        made = [
            (MADE_CHANGES[power.effect], power.by)
            for power in powers["made"]
            if set(self.own) & set(power.models)
            and (not power.own_only or model in power.models)
            and self._holds(power, row, how, how.states, how.target_states, self.target.keywords)
        ]
        suffered = [
            (SUFFERED_CHANGES[power.effect], power.by)
            for power in powers["suffered"]
            if not set(self.own) & set(power.models)
            and self._holds(power, row, how, how.target_states, how.states, own)
        ]
        return made + suffered

    def _holds(
        self, power: Power, row: int, how: Circumstances, states: Sequence[str], facing: Sequence[str], keywords: int
    ) -> bool:
        """Whether a power counts in an attack with profile ``row``.

        ``states`` are those of the power's side; ``facing`` and ``keywords`` are states and keywords of the other side.
        """
        marks = self._marks((*how.chosen, *self.duel.chosen))
        leaders = {*(self.own[1:]), *self.led} & set(power.models)
        if power.enemies or (power.leading and not how.leading and not leaders):
            return False
        if power.weapons and (power.weapons == "melee") != bool(self.weapons[row]["melee"]):
            return False
        if power.profiles and row not in power.profiles:
            return False
        if power.facing_without & keywords or (power.facing_keyword and not power.facing_keyword & keywords):
            return False
        if any(wanted and not wanted & marks for wanted in (power.mark, power.under, power.facing_mark)):
            return False
        return set(power.states) <= set(states) and set(power.facing_states) <= set(facing)

    def profiles(self, weapon: str | None = None) -> list[int]:
        """Weapon rows of the profiles of a weapon, by name of weapon or profile in any case; None: of all weapons.

        Raises:
            ContentError: the attacker has no such weapon.
        """
        models = self.setup.layout.view(self.setup.template, "models")
        first, carried = int(models[0]["first_weapon"]), int(models[0]["weapons"])
        held = self.setup.statics["arsenal_weapon"][first : first + carried]
        own = [row for row in range(len(self.names)) if row in held and self._weapon(row) in self.duel.weapons]
        if weapon is None:
            return own
        wanted = weapon.lower()
        rows = [row for row in own if wanted in (self.names[row].lower(), self._weapon(row).lower())]
        if not rows:
            raise unknown("<attacker>", "weapon", weapon, [self.names[row] for row in own])
        return rows

    def _weapon(self, row: int) -> str:
        """The name of a profile's weapon: ``Missile launcher`` for ``Missile launcher (krak)``."""
        name = self.names[row]
        return name if name in self.duel.weapons else name.rpartition(" (")[0]

    def carriers(self, row: int) -> int:
        """The number of models of the attacker's smallest unit that carry the weapon without options, at least 1."""
        return max(1, self.duel.weapons[self._weapon(row)])

    def volley(self, row: int, circumstances: Circumstances, attackers: int, model: int = 0) -> Volley:
        """The attacks of ``attackers`` models with profile ``row``, with the effects of abilities.

        ``model`` is 0 for the attacker and 1 for its Leader.
        """
        near = circumstances.near()
        weapons = self.weapons[row : row + 1].copy()
        if weapons[0]["abilities"] & int(WeaponAbility.BLAST):
            near |= sum(part.models for part in self.parts) // BLAST_EVERY << BLAST_SHIFT
        if circumstances.reroll_wounds == "failed":
            weapons["wound_reroll"] = ALL_FAILED
        elif circumstances.reroll_wounds == "any":
            weapons["abilities"] |= int(WeaponAbility.TWIN_LINKED)
        near = with_changes(near, self.changes(row, circumstances, model))
        return Volley(weapons, 0, attackers, near)

    def attack(self, row: int, circumstances: Circumstances, attackers: int | None = None) -> Attack:
        """The odds of profile ``row``; ``attackers`` is ``carriers(row)`` if None."""
        number = self.carriers(row) if attackers is None else attackers
        rules = self.setup.statics["attack_rules"]
        volley = self.volley(row, circumstances, number)
        if len(self.parts) > 1:
            odds = whole_distribution([volley], self.parts, rules)
        else:
            another = circumstances.another or self.generates
            odds = damage_distribution(volley.weapons, 0, number, volley.near, self.target, rules, another)
        return Attack(
            self.duel.attacker,
            self.names[row],
            number,
            self.duel.target,
            self.target.models,
            self.target,
            self.others,
            odds,
        )


__all__ = ["REROLLS", "Attack", "Circumstances", "Range"]
