"""Observations, appraisers, audits and harm: the views of a battle for players, programs and policies."""
