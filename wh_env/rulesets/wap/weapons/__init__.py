"""Weapons and armour of close combat (wap.weapon.*, wap.armour.*)."""
