"""What every chapter asks: blocks, Unit Strength, sight values, dice, tests, casualties (wap.core.*, wap.profile.*)."""
