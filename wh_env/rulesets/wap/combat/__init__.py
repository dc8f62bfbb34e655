"""The Close Combat phase: the order of combats, the models that strike, the wounds that they cause (wap.combat.*)."""
