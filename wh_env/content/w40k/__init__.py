"""Content that the 40k editions share: weapons, keywords, battlefields, and rules that a call overrides."""
