"""Policies that play battles, and the tools to train, rate and compare them."""
