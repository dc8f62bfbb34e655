"""The engine: dice, state tables, geometry, the procedure stack and the battle. It knows no ruleset and no RL."""
