"""The Psychic phase."""
