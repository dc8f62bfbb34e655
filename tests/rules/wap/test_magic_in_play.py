"""How long spells last: those that remain in play, and those that last until a phase (wap.magic.rip.*, .duration.*)."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from heroes import hero
from wizards import SPARE, TRIAL, cast, dispel, knowing, let_be, offered_spells, pools, row_of, wizard

from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.effects import begin_effect
from wh_env.rulesets.wap.battle.timing import start_phase
from wh_env.rulesets.wap.casualties.removing import remove_unit, slay, suffer
from wh_env.rulesets.wap.characters.stepping_out import step_out
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.magic.in_play import in_play
from wh_env.rulesets.wap.pursuit.off_table import carried_off
from wh_env.testing import choose, kind, pick, script, slots, told, words
from wh_env.testing.wap import RegimentScene, UnitHandle, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])
EVERY = "Stroke,Shield,Curse,Cloak,Rot,Gale"


class Scene:
    """Player ``player`` has a wizard of level 2 with a unit, and the enemy a wizard of level ``level`` with a unit, too
    far from each other to fight; it is ``player``'s Magic phase. ``spell`` was cast on ``target``."""

    def __init__(
        self, player: int = 0, spell: str = "", *, on: str = "", level: int = 2, result: tuple[int, ...] = (6, 1),
        dice: int = 1, detail: str = "full", host: bool = False, lore: str = TRIAL, known: str = EVERY,
    ) -> None:  # fmt: skip
        scene = RegimentScene(size=(72, 72))
        self.player, self.sign = player, 1 if player == 0 else -1
        self.unit = scene.unit(player, None, (36, 36), models=20, files=10)
        if host:
            self.mage = scene.unit(player, wizard(2, lore), inside=self.unit, models=1)
        else:
            self.mage = scene.unit(player, wizard(2, lore), (44, 36), models=1)
        self.foe = scene.unit(1 - player, None, (36, 36 + self.sign * 22), models=20, files=10)
        self.enemy = scene.unit(1 - player, wizard(level), (44, 36 + self.sign * 22), models=1)
        self.scene = scene
        self.battle = scene.battle(
            "magic", player=player, dice=(6, 6, *[1] * (2 + level)), detail=detail,
            set_state=knowing({self.mage: known, self.enemy: EVERY if level else ""}),
        )  # fmt: skip
        self.start = [int(self.toughness(unit)) for unit in (self.unit, self.foe)]
        if spell:
            script(self.battle, result)
            cast(self.battle, self.mage, spell, getattr(self, on) if on else None, dice)
            if kind(self.battle) == "spell-version":
                choose(self.battle, "option", slots(self.battle, "option")[-1])
            let_be(self.battle)

    def toughness(self, unit: UnitHandle) -> int:
        return int(self.battle.lines.t[self.battle.units.first_line[unit]])

    def to_magic(self, player: int, *, ending: str = "keep", dice: tuple[int, ...] = (), asked: bool = False) -> None:
        """Play on to the next Magic phase of a player, without magic in between, and pass the questions there whether
        spells are kept up; ``dice`` are those of its winds. ``asked``: stop where
        the enemy may dispel a spell in play."""
        b = self.battle
        if kind(b) == "cast-by":
            choose(b, "done")
        for _ in range(600):
            if b.clock.phase[0] == Phase.MAGIC and b.clock.turn[0] == player:
                break
            b.apply(b.first_legal())
        script(b, dice)
        while kind(b) == "end-spell":
            pick(b, ending + " ", kind="end-spell")
        while kind(b) == "dispel-in-play" and not asked:
            choose(b, "done")


@pytest.mark.rule("wap.magic.rip.lasting")
@PLAYERS
def test_a_spell_in_play_lasts_until_its_caster_dies(player: int) -> None:
    """It works in turn 3; then he is slain and it ends at once."""
    s = Scene(player, "Cloak", on="unit")
    assert s.toughness(s.unit) == 6 and in_play(s.battle) == [row_of(s.battle, s.mage, "Cloak")]
    s.to_magic(1 - player)
    s.to_magic(player)
    assert s.battle.clock.round[0] == 2 and s.toughness(s.unit) == 6
    s.to_magic(1 - player)
    s.to_magic(player)
    assert s.battle.clock.round[0] == 3 and s.toughness(s.unit) == 6
    assert list(Validator(s.battle.setup).faults(s.battle)) == []
    slay(s.battle, s.mage.first)
    assert s.toughness(s.unit) == 3 and in_play(s.battle) == []


@pytest.mark.rule("wap.magic.rip.lasting")
@PLAYERS
@pytest.mark.parametrize("how", ["flees off", "pursues off", "pursues off in a unit"])
def test_it_ends_as_the_caster_leaves_the_battlefield(player: int, how: str) -> None:
    s = Scene(player, "Curse", on="foe", host=how.endswith("unit"))
    assert s.toughness(s.foe) == 2
    leaver = s.unit if how.endswith("unit") else s.mage
    (remove_unit if how == "flees off" else carried_off)(s.battle, leaver.row)
    assert s.toughness(s.foe) == 3 and in_play(s.battle) == []


@pytest.mark.rule("wap.magic.rip.lasting")
@PLAYERS
def test_it_ends_with_its_target(player: int) -> None:
    """At once: the wizard may cast it again in his next phase, and the enemy has nothing to dispel."""
    s = Scene(player, "Curse", on="foe")
    suffer(s.battle, s.foe.row, 20)
    assert in_play(s.battle) == [] and not any(unit == s.foe.row for unit in s.battle.effects.unit)


@pytest.mark.rule("wap.magic.rip.end")
@PLAYERS
@pytest.mark.parametrize("ends", [True, False])
def test_the_caster_is_asked_at_the_start_of_each_magic_phase(player: int, ends: bool) -> None:
    """In his own and in the enemy's, before the winds blow, and at no other time."""
    s = Scene(player, "Cloak", on="unit")
    b, asked = s.battle, list[tuple[int, int]]()
    winds = len(told(b, "wap.magic.winds.roll"))
    choose(b, "done")
    for _ in range(900):
        if b.clock.round[0] == 3 or b.decision is None:
            break
        if kind(b) == "end-spell":
            assert b.decision.player == player and b.decision.subject == s.mage.row
            assert b.clock.phase[0] == Phase.MAGIC
            assert len(told(b, "wap.magic.winds.roll")) == winds + len(asked)
            asked.append((int(b.clock.round[0]), int(b.clock.turn[0])))
            assert list(words(b).values()) == ["keep Cloak", "end Cloak"]
            assert list(Validator(b.setup).faults(b)) == []
            late = ends and len(asked) == 2
            pick(b, "end Cloak" if late else "keep Cloak")
            assert s.toughness(s.unit) == (3 if late else 6)
            continue
        b.apply(b.first_legal())
    both = [(1, 1 - player), (2, player), (2, 1 - player)]
    first = 0 if b.clock.first_player[0] == player else 1
    assert first == 0 and asked == (both[:2] if ends else both)


@pytest.mark.rule("wap.magic.rip.other-spells")
@PLAYERS
def test_who_keeps_up_a_spell_casts_others_but_not_that_one(player: int) -> None:
    s = Scene(player, "Cloak", on="unit")
    s.to_magic(1 - player)
    s.to_magic(player, dice=(6, 6, 1, 1, 1, 1))
    assert "Cloak" not in offered_spells(s.battle, s.mage) and "Shield" in offered_spells(s.battle, s.mage)
    s.to_magic(1 - player)
    s.to_magic(player, ending="end", dice=(6, 6, 1, 1, 1, 1))
    assert "Cloak" in offered_spells(s.battle, s.mage)


@pytest.mark.rule("wap.magic.rip.dispel", "wap.magic.rip.dispel-value")
@PLAYERS
def test_it_is_dispelled_in_one_s_own_phase_with_power_dice(player: int) -> None:
    """Cloak (6+) was cast with 19; in the enemy's phase with a pool of 7 a level 2 wizard needs 5 with two dice."""
    s = Scene(player, "Cloak", on="unit", result=(6, 6, 5, 1), dice=2)
    assert told(s.battle, "wap.magic.cast.value")[-1]["amount"] == 19
    s.to_magic(1 - player, dice=(4, 3, 1, 1, 1, 1))
    b = s.battle
    assert pools(b)[1 - player] == 7 and kind(b) == "cast-by" and "dispel Cloak" in words(b).values()
    pick(b, "dispel Cloak")
    assert kind(b) == "dispel-by" and not b.legal()[0]  # he has chosen to
    script(b, [2, 3])
    dispel(b, s.enemy, 2)
    assert s.toughness(s.unit) == 3 and in_play(b) == [] and pools(b)[1 - player] == 5
    assert kind(b) == "cast-by" and "dispel Cloak" not in words(b).values()
    assert told(b, "wap.magic.dispel.value")[-1]["needed"] == 6


@pytest.mark.rule("wap.magic.rip.dispel")
@PLAYERS
def test_it_is_dispelled_in_the_enemy_s_phase_with_dispel_dice(player: int) -> None:
    """Not in the phase in which it was cast; later before the first spell and between spells."""
    s = Scene(player, "Cloak", on="unit")
    b = s.battle
    assert kind(b) == "cast-by" and b.decision is not None and b.decision.player == player
    s.to_magic(1 - player)
    s.to_magic(player, dice=(6, 4, 1, 1, 1, 1), asked=True)
    assert kind(b) == "dispel-in-play" and b.decision.player == 1 - player and pools(b)[1 - player] == 6
    choose(b, "done")
    script(b, [6, 2])
    cast(b, s.mage, "Shield", s.unit, 1)
    let_be(b)
    assert kind(b) == "dispel-in-play" and list(words(b).values()) == ["dispel nothing", "dispel Cloak"]
    pick(b, "dispel Cloak")
    script(b, [5])
    dispel(b, s.enemy, 1)  # 6 of 6
    assert s.toughness(s.unit) == 4 and pools(b)[1 - player] == 5 and kind(b) == "cast-by"


@pytest.mark.rule("wap.magic.rip.dispel-boosted")
@PLAYERS
def test_a_boosted_version_is_dispelled_on_the_base_value(player: int) -> None:
    """Curse (7+, boosted 11+), cast with 13."""
    s = Scene(player, "Curse", on="foe", result=(6, 6))
    assert told(s.battle, "wap.magic.cast.value")[-1]["amount"] == 13
    assert s.toughness(s.foe) == 2
    s.to_magic(1 - player, dice=(4, 3, 1, 1, 1, 1))
    pick(s.battle, "dispel Curse")
    script(s.battle, [4, 3])
    dispel(s.battle, None, 2)
    assert s.toughness(s.foe) == 3


@pytest.mark.rule("wap.magic.rip.dispel-failed")
@PLAYERS
def test_who_fails_to_dispel_it_does_no_more_magic_in_this_phase(player: int) -> None:
    """In his own phase, with a natural 4: he casts nothing, and dispels nothing; the army may still."""
    s = Scene(player, "Cloak", on="unit")
    s.to_magic(1 - player, dice=(4, 3, 1, 1, 1, 1))
    b = s.battle
    assert offered_spells(b, s.enemy)
    pick(b, "dispel Cloak")
    script(b, [4])
    dispel(b, s.enemy, 1)  # 5 of 6
    assert s.toughness(s.unit) == 6 and offered_spells(b, s.enemy) == []
    assert told(b, "wap.magic.rip.dispel-failed") == [{"unit": s.enemy.row}]
    pick(b, "dispel Cloak")
    assert kind(b) != "dispel-by" or s.enemy.number not in slots(b, "own")
    assert b.wizards.cannot_dispel[s.enemy] and b.wizards.cannot_cast[s.enemy]


@pytest.mark.rule("wap.magic.rip.dispel-failed")
@PLAYERS
def test_the_same_in_the_enemy_s_phase(player: int) -> None:
    s = Scene(player, "Cloak", on="unit")
    s.to_magic(1 - player)
    s.to_magic(player, dice=(6, 4, 1, 1, 1, 1), asked=True)
    b = s.battle
    pick(b, "dispel Cloak")
    script(b, [4])
    dispel(b, s.enemy, 1)
    choose(b, "done")
    script(b, [6, 2])
    cast(b, s.mage, "Shield", s.unit, 1)
    assert kind(b) == "dispel-by" and s.enemy.number not in slots(b, "own")


@pytest.mark.rule("wap.magic.duration.turns", "wap.lore.general.until-next-magic-phase")
@PLAYERS
def test_a_spell_until_the_next_magic_phase(player: int) -> None:
    """It lasts through the enemy's turn although the caster is slain in it, nobody may dispel it, and it ends as the
    caster's player begins his next Magic phase."""
    s = Scene(player, "Shield", on="unit")
    b = s.battle
    slay(b, s.mage.first)
    assert s.toughness(s.unit) == 4 and in_play(b) == []
    s.to_magic(1 - player, dice=(6, 6, 1, 1))
    assert s.toughness(s.unit) == 4
    assert kind(b) != "cast-by" or not any(text.startswith("dispel") for text in words(b).values())
    if kind(b) == "cast-by":
        choose(b, "done")
    while b.clock.round[0] == 1:
        assert s.toughness(s.unit) == 4
        b.apply(b.first_legal())
    while s.toughness(s.unit) == 4:
        assert b.clock.turn[0] == player and b.clock.phase[0] == Phase.MOVEMENT
        b.apply(b.first_legal())
    at = [event.kind for event in b.events].index("is free of an effect")
    assert b.events[at + 1].data == {"phase": "Magic", "player": player, "round": 2}


@pytest.mark.rule("wap.magic.duration.turns")
@PLAYERS
@pytest.mark.parametrize("with_him", [True, False])
def test_what_he_gave_himself_and_his_unit_outlives_him_on_the_unit(player: int, with_him: bool) -> None:
    """Slain in the unit: the unit keeps it. Slain after he has left it: the unit has lost it before."""
    s = Scene(player, "Glow", host=True, lore=SPARE, known="Might")
    assert s.toughness(s.unit) == s.toughness(s.mage) == 4
    if not with_him:
        step_out(s.battle, s.mage.row)
    slay(s.battle, s.mage.first)
    assert s.toughness(s.unit) == (4 if with_him else 3)
    assert list(Validator(s.battle.setup).faults(s.battle)) == []
    start_phase(s.battle, Phase.MAGIC)
    assert s.toughness(s.unit) == 3


@pytest.mark.rule("wap.magic.rip.lasting", "wap.magic.type.augment.leaving")
@PLAYERS
def test_what_he_keeps_up_on_himself_and_his_unit_ends_with_him(player: int) -> None:
    s = Scene(player, "Halo", host=True, lore=SPARE, known="Halo")
    lines = [s.battle.units.first_line[unit] for unit in (s.unit, s.mage)]
    assert [s.battle.lines.i[line] for line in lines] == [4, 4]
    slay(s.battle, s.mage.first)
    assert s.battle.lines.i[lines[0]] == 3 and in_play(s.battle) == []


@PLAYERS
def test_a_stored_question_about_a_spell_that_is_not_in_play_is_refused(player: int) -> None:
    s = Scene(player, "Cloak", on="unit")
    b = s.battle
    choose(b, "done")
    while kind(b) != "end-spell":
        b.apply(b.first_legal())
    assert list(Validator(b.setup).faults(b)) == []
    for k in range(len(b.effects.cast)):
        b.effects.cast[k] = 0
    assert list(Validator(b.setup).faults(b))


@PLAYERS
def test_every_unit_may_be_under_every_spell(player: int) -> None:
    """The table of effects has room for them, however small the battle is."""
    s = Scene(player)
    names = [effect.name for effect in s.battle.setup.statics["effects"]]
    for unit in range(len(s.battle.units.owner)):
        for number in [names.index(name) for name in dict.fromkeys(names)]:
            assert begin_effect(s.battle, number, unit, player)
    assert list(Validator(s.battle.setup).faults(s.battle)) == []


@pytest.mark.rule("wap.profile.zero.stw")
@PLAYERS
@pytest.mark.parametrize(("toughness", "slain"), [(3, True), (4, False)])
def test_who_has_no_toughness_left_is_slain(player: int, toughness: int, slain: bool, tmp_path: Path) -> None:
    """A curse of -1, and then another of -2 that is not held at 1: of Toughness 3 nothing is left, nobody saves, and a
    character in the unit who has a Toughness of his own lives on. The first curse alone leaves 1 at least.
    """
    raw = yaml.safe_load(Path(TRIAL).read_text(encoding="utf-8"))
    rot = next(row for row in raw["spells"] if row["name"] == "Rot")
    rot.update(range=24, effects=[{"stat": "T", "by": -2, "min": 0}])
    lore = tmp_path / "lore.yaml"
    lore.write_text(yaml.safe_dump(raw), encoding="utf-8")
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    mage = scene.unit(player, wizard(2, str(lore)), (44, 36), models=1)
    kit = ["hand weapon", "full plate armour"]
    card = square(t=toughness, equipment=kit, rules=["Ward Save (2+)", "Regeneration (2+)"])
    foe = scene.unit(1 - player, card, (36, 36 + sign * 20), models=20, files=10, command=("champion",))
    lord = scene.unit(1 - player, hero(t=5), inside=foe, models=1, post=2)
    battle = scene.battle("magic", player=player, dice=(6, 6, 1, 1), set_state=knowing({mage: "Curse,Rot"}))
    for spell, left in (("Curse", 20), ("Rot", 0 if slain else 20)):
        script(battle, [4, 4, 4])
        cast(battle, mage, spell, foe, 3)
        if kind(battle) == "spell-version":
            choose(battle, "option", 0)
        let_be(battle)
        assert battle.units.alive[foe] == left
    assert battle.dice.script_at[0] == 3  # no dice for saves
    assert not told(battle, "wap.shoot.save.roll") and battle.units.alive[lord] == 1
    assert len(told(battle, "wap.profile.zero.stw")) == (20 if slain else 0)
    assert Validator(battle.setup).fault(battle) is None
