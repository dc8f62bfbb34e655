"""The Close Combat phase: which combat is fought next, who strikes, what that costs (wap.combat.*)."""
