"""Battles as reinforcement-learning environments: spaces, observation, reward, and the classes that libraries expect.

``aec`` is for PettingZoo, ``single`` for Gymnasium with one learner, ``vector`` and ``processes`` play many battles at
once, ``sb3`` and ``masked`` serve single libraries. No rule of a game lives here.
"""
