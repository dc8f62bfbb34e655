"""What a weapon does to a target, by the names of their datasheets: the exact distribution of wounds lost and models destroyed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from wh_env.content.errors import ContentError, unknown
from wh_env.content.games import duel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.abilities import AGAINST_MORTAL, GUARDS, MADE_CHANGES, SUFFERED_CHANGES, Power
from wh_env.rulesets.w40k.attack.conditions import STATES
from wh_env.rulesets.w40k.attack.granting import with_changes
from wh_env.rulesets.w40k.attack.odds import Odds, Target, damage_distribution
from wh_env.rulesets.w40k.attack.rolls import BLAST_SHIFT, Near
from wh_env.rulesets.w40k.profiles import Ability, WeaponAbility

REROLLS = ("none", "ones", "failed")
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
        reroll_hits, reroll_wounds: ``none``, ``ones`` or ``failed``.
        another: each attack that inflicts no damage generates another one; so it does where an ability of the attacker says so.
        states, target_states: of ``conditions.STATES``, that the attacker and the target are in. leading: Leaders lead units.
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
        """The flags of the attack sequence.

        Raises:
            ContentError: a modifier is larger than the rules let several effects make it, or a re-roll is not known.
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
    """A weapon profile against a target, and what comes of it.

    Attributes:
        attacker, weapon, target: names. attackers: models that attack. models: of the target.
        profile: of the target's models: T, Sv, W and, where it has them, invulnerable save and Feel No Pain.
        others: further kinds of model in the target, which are taken to be like the rest.
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
        ruleset: whose datasheets and rules.
        attacker, target: names of datasheets.
        models: of the target; not given: the smallest unit.
        kind: the type of the target's models; not given: that of most.
        invulnerable, feel_no_pain: of the target instead of its own.

    Raises:
        ContentError: a name is not known, or the unit cannot have so many models.
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
    ) -> None:
        self.duel = duel(ruleset, attacker, target, models)
        self.setup = self.duel.setup
        self.weapons: Array = self.setup.statics["weapons"]
        self.names: Sequence[str] = self.setup.names["weapons"]
        self.keywords = int(self.setup.layout.view(self.setup.template, "units")[0]["keywords"])
        self.target, self.others = self._target(kind, invulnerable, feel_no_pain)
        # the attacker is the first model of the battle
        self.generates = any(0 in power.models for power in self.setup.statics["powers"]["generated"])

    def _target(
        self, kind: str | None, invulnerable: int | None, feel_no_pain: int | None
    ) -> tuple[Target, tuple[str, ...]]:
        layout, template = self.setup.layout, self.setup.template
        body = layout.view(template, "models")[1:]
        kinds = Counter(self.setup.names["models"][1 + k].rpartition(" ")[0] for k in range(len(body)))
        if kind is not None and kind not in kinds:
            raise unknown("<target>", "kind", kind, kinds)
        wanted = kind or kinds.most_common(1)[0][0]
        at = next(k for k in range(len(body)) if self.setup.names["models"][1 + k].rpartition(" ")[0] == wanted)
        row = body[at]

        def best(*saves: int) -> int:
            return min((int(save) for save in saves if save), default=0)

        guards = self._guards()
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
            keywords=int(layout.view(template, "units")[1]["keywords"]),
            stealthy=bool((body["flags"] & int(Ability.STEALTH)).all()),
            feel_no_pain_mortal=guards["mortal"] if feel_no_pain is None else 0,
            shrugs=len(body) == 1 and any(1 in power.models for power in self.setup.statics["powers"]["shrugged"]),
        )
        values = ("toughness", "save", "max_wounds", "invulnerable", "feel_no_pain")
        alike = [all(other[name] == row[name] for name in values) for other in body]
        names = (self.setup.names["models"][1 + k].rpartition(" ")[0] for k in range(len(body)) if not alike[k])
        return target, tuple(dict.fromkeys(names))

    def _guards(self) -> dict[str, int]:
        """The best saves and Feel No Pain that abilities of the target give it without anybody's choice, 0 for none."""
        found = {"invulnerable": 0, "feel_no_pain": 0, "mortal": 0}
        for power in self.setup.statics["powers"]["guards"]:
            column, needed, only_psychic = GUARDS[power.effect]
            if 0 in power.models or power.enemies or power.mark or power.leading or power.own_only or only_psychic:
                continue
            kind = "mortal" if power.effect.endswith(AGAINST_MORTAL) else column
            if kind in found:
                found[kind] = min(found[kind] or 7, needed)
        return found

    def changes(self, row: int, how: Circumstances) -> list[tuple[str, int]]:
        """What abilities of both datasheets make of attacks with a profile (``granting.CHANGES``)."""
        powers = self.setup.statics["powers"]
        if not how.abilities:
            return []
        own = self.keywords
        made = [
            (MADE_CHANGES[power.effect], power.by)
            for power in powers["made"]
            if 0 in power.models and self._holds(power, row, how, how.states, how.target_states, self.target.keywords)
        ]
        suffered = [
            (SUFFERED_CHANGES[power.effect], power.by)
            for power in powers["suffered"]
            if 0 not in power.models and self._holds(power, row, how, how.target_states, how.states, own)
        ]
        return made + suffered

    def _holds(
        self, power: Power, row: int, how: Circumstances, states: Sequence[str], facing: Sequence[str], keywords: int
    ) -> bool:
        """Whether a power of one side, which is in these states, counts in an attack with a profile; ``facing``, ``keywords``: of the other."""
        names = self.setup.statics["mark_names"]
        marks = sum(bit for bit, name in names.items() if name in how.chosen)
        if power.enemies or (power.leading and not how.leading):
            return False
        if power.weapons and (power.weapons == "melee") != bool(self.weapons[row]["melee"]):
            return False
        if power.profiles and row not in power.profiles:
            return False
        if power.facing_keyword and not power.facing_keyword & keywords:
            return False
        if any(wanted and not wanted & marks for wanted in (power.mark, power.facing_mark)):
            return False
        return set(power.states) <= set(states) and set(power.facing_states) <= set(facing)

    def profiles(self, weapon: str | None = None) -> list[int]:
        """Rows of the weapon's profiles (all weapons when not given), by name of weapon or profile, whatever the case.

        Raises:
            ContentError: the attacker has no such weapon.
        """
        own = [row for row in range(len(self.names)) if self._weapon(row) in self.duel.weapons]
        if weapon is None:
            return own
        wanted = weapon.lower()
        rows = [row for row in own if wanted in (self.names[row].lower(), self._weapon(row).lower())]
        if not rows:
            raise unknown("<attacker>", "weapon", weapon, [self.names[row] for row in own])
        return rows

    def _weapon(self, row: int) -> str:
        """The weapon that a profile is of: ``Missile launcher`` of ``Missile launcher (krak)``."""
        name = self.names[row]
        return name if name in self.duel.weapons else name.rpartition(" (")[0]

    def carriers(self, row: int) -> int:
        """Models of the smallest unit of the attacker that carry the weapon without options, at least one."""
        return max(1, self.duel.weapons[self._weapon(row)])

    def attack(self, row: int, circumstances: Circumstances, attackers: int | None = None) -> Attack:
        """The odds of a profile; ``attackers`` not given: ``carriers``."""
        near = circumstances.near()
        weapons = self.weapons[row : row + 1].copy()
        if weapons[0]["abilities"] & int(WeaponAbility.BLAST):
            near |= self.target.models // BLAST_EVERY << BLAST_SHIFT
        if circumstances.reroll_wounds == "failed":
            weapons["abilities"] |= int(WeaponAbility.TWIN_LINKED)
        number = self.carriers(row) if attackers is None else attackers
        rules = self.setup.statics["attack_rules"]
        near = with_changes(near, self.changes(row, circumstances))
        failed = circumstances.reroll_hits == "failed"
        another = circumstances.another or self.generates
        odds = damage_distribution(weapons, 0, number, near, self.target, rules, failed, another)
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
