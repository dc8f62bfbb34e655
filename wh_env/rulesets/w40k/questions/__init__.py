"""Questions that several chapters ask of the state: they change nothing that the rules speak of, and know no procedure."""
