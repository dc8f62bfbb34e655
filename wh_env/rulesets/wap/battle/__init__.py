"""The battle from deployment to its result (wap.battle.*, wap.scenario.*)."""
