"""The Psychic phase of editions that have one."""
