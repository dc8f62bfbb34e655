"""The Shooting phase: targets, cover, rolls to hit, and the losses from hits (wap.shoot.*)."""
