"""Datasheets as a user writes them, with numbers that are rolled, several Anti abilities and TRANSPORTS in squadrons: they load, play
by the rules at both details, and are told on pages."""

from __future__ import annotations

import pytest
import yaml

from wh_env import Battle
from wh_env.agents.invariants import soak
from wh_env.agents.match import play_battle
from wh_env.agents.policies import make
from wh_env.content.replay import Recorder
from wh_env.content.w10 import load_army
from wh_env.render.labels import Labels
from wh_env.render.page import build_page
from wh_env.render.tape import record_tape
from wh_env.testing import Scene

ARMY = """
name: Strange guns
faction: Adeptus Astartes
detachment: Gladius Task Force
units:
  - {datasheet: Captain of guns, warlord: true, leads: line}
  - {datasheet: Gunners, models: 5, id: line, embarked_in: trucks}
  - {datasheet: Gunners, models: 5, id: second, embarked_in: trucks}
  - {datasheet: Trucks, models: 2, id: trucks}
  - {datasheet: Walkers, models: 2}
datasheets:
  - name: Captain of guns
    faction: Adeptus Astartes
    faction_keywords: [ADEPTUS ASTARTES]
    keywords: [INFANTRY, CHARACTER]
    models:
      - {name: Captain, min: 1, max: 1, M: 6, T: 4, Sv: 3+, W: 5, Ld: 6+, OC: 1, invuln: 4+, base: {circle_mm: 40}, height_in: 1.6,
         weapons: [Hunter, Blade]}
    weapons:
      Hunter: {range: 24, A: 2, skill: 2+, S: 4, AP: -1, D: 2,
               abilities: [Anti-MONSTER 4+, Anti-INFANTRY 3+, Anti-VEHICLE 5+, Devastating Wounds, Rapid Fire D3]}
      Blade: {range: melee, A: D3+2, skill: 2+, S: D6+2, AP: -2, D: 2, abilities: [Sustained Hits D3, Lethal Hits]}
    abilities: {leader: [Gunners]}
    points: [{models: 1, points: 80}]
  - name: Gunners
    faction: Adeptus Astartes
    faction_keywords: [ADEPTUS ASTARTES]
    keywords: [INFANTRY]
    models:
      - {name: Gunner, min: 5, max: 10, M: 6, T: 4, Sv: 3+, W: 2, Ld: 6+, OC: 2, base: {circle_mm: 32}, height_in: 1.4,
         weapons: [Repeater, Fists]}
    weapons:
      Repeater: {range: 24, A: 1, skill: 3+, S: 4, AP: -1, D: 1, abilities: [Rapid Fire D3, Sustained Hits D3]}
      Fists: {range: melee, A: 2, skill: 3+, S: 2D6, AP: 0, D: 1}
    points: [{models: 5, points: 80}, {models: 10, points: 160}]
  - name: Trucks
    faction: Adeptus Astartes
    faction_keywords: [ADEPTUS ASTARTES]
    keywords: [VEHICLE, TRANSPORT]
    models:
      - {name: Truck, min: 1, max: 3, M: 12, T: 8, Sv: 4+, W: 6, Ld: 7+, OC: 1, base: {hull_in: [4, 2.5]}, height_in: 2.2,
         weapons: [Ram]}
    weapons:
      Ram: {range: melee, A: 2, skill: 4+, S: D6+2, AP: -1, D: 1}
    abilities:
      transport: {capacity: 6, allowed: [INFANTRY], firing_deck: 3}
      deadly_demise: D3
    points: [{models: 1, points: 60}, {models: 2, points: 120}, {models: 3, points: 180}]
  - name: Walkers
    faction: Adeptus Astartes
    faction_keywords: [ADEPTUS ASTARTES]
    keywords: [VEHICLE, WALKER]
    models:
      - {name: Walker, min: 1, max: 2, M: 8, T: 7, Sv: 3+, W: 6, Ld: 7+, OC: 2, base: {circle_mm: 60}, height_in: 2.5,
         weapons: [Lance of fire, Wild gun]}
    weapons:
      Lance of fire: {range: 18, A: D3, skill: 3+, S: 9, AP: -4, D: D6, abilities: [Melta D3, Twin-linked]}
      Wild gun: {range: 36, A: D6, skill: 4+, S: 2D6, AP: -2, D: 1, abilities: [Blast, Melta D6+1, Hazardous]}
    points: [{models: 1, points: 70}, {models: 2, points: 140}]
"""
BATTLE = {
    "name": "Strange guns",
    "ruleset": "w10",
    "mission": "only-war-skirmish",
    "size": "Skirmish",
    "battlefield": "skirmish-1",
}


def battle(seed: int, detail: str, **rules: object) -> Battle:
    """Both sides have the same army."""
    army = yaml.safe_load(ARMY)
    return Battle.load({**BATTLE, "armies": [army, {**army, "name": "Other guns"}]}, seed, detail=detail, **rules)


@pytest.mark.parametrize(("detail", "seeds"), [("squad", range(20)), ("full", range(20, 23))])
def test_they_play_by_the_rules(detail, seeds):
    for seed in seeds:
        count, faults = soak(battle(seed, detail), seed, every=20, legal_sample=8)
        assert faults == [], f"seed {seed}"
        assert count > 30


def test_numbers_stand_as_they_were_written():
    army = load_army(yaml.safe_load(ARMY))
    weapons = {name: weapon for sheet in army.datasheets for name, weapon in sheet.weapons.items()}
    written = weapons["Hunter"].model_dump()["profiles"][0]["abilities"]
    assert list(written) == [
        "Anti-MONSTER 4+", "Anti-INFANTRY 3+", "Anti-VEHICLE 5+", "Devastating Wounds", "Rapid Fire D3",
    ]  # fmt: skip
    assert weapons["Fists"].model_dump()["profiles"][0]["S"] == "2D6"


def test_a_page_tells_the_dice_and_who_is_in_which_model():
    game = battle(3, "squad")
    recorder = Recorder(game, 3)
    aboard = {game.setup.names["units"][unit]: Labels(game).states(unit) for unit in (1, 2)}
    play_battle(game, [make("greedy", 1), make("greedy", 2)], recorder=recorder)
    tape = record_tape(recorder.replay(("greedy", "greedy"), (1, 2)))
    page = build_page(tape)
    assert "strength" in page and "Strength" in page
    assert aboard == {"line": ["in Truck 1"], "second": ["in Truck 2"]}
    scene = Scene()
    sheets = {sheet["name"]: sheet for sheet in yaml.safe_load(ARMY)["datasheets"]}
    trucks = scene.unit(0, sheets["Trucks"], at=[(10, 10), (10, 13.5)], facing=0.0)
    squad = scene.unit(0, sheets["Gunners"], models=5, embarked_in=trucks, hull=1)
    scene.unit(1, sheets["Walkers"], at=[(40, 30)])
    labels = Labels(scene.battle())
    assert (labels.place(squad.row), labels.states(squad.row)) == ("in Trucks", ["in Truck 2"])
