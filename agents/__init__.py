"""Policies that play battles, and the means to train, rate and match them."""
