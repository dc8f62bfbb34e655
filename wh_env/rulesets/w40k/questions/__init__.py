"""Questions that several chapters ask of the state. They know no procedure and change nothing but answers that are kept."""
