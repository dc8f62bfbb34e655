"""What the content of the 40k editions shares: weapons, keywords, battlefields, rules that a call overrides."""
