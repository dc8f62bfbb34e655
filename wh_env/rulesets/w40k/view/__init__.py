"""Views of a battle for players, programs and policies."""
