"""Views of a battle: observations, words, pictures, the worth of options, and checks of what must always hold."""
