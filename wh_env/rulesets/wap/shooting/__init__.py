"""The Shooting phase: who may shoot at whom, cover, to hit, what comes of it (wap.shoot.*)."""
