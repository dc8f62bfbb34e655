"""Deployment, and units that come to the battle later or by other ways (wap.battle.deploy.*, wap.scenario.*)."""
