"""Questions that several chapters ask of the state. They import no procedure and change only stored answers."""
