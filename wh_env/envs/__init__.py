"""Battles as reinforcement-learning environments: spaces, observation, reward, and the shells that libraries expect.

``aec`` is PettingZoo's form, ``single`` Gymnasium's for one learner, ``vector`` and ``processes`` many battles at once, ``sb3`` and ``masked`` what
single libraries ask for beyond that. No rule lives here.
"""
