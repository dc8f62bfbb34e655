"""The engine: dice, state tables, geometry, the stack of procedures and the battle. It knows no ruleset and no RL
library.
"""
