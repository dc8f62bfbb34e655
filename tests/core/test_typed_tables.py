"""What the type checker knows of tables is what they are."""

from __future__ import annotations

from typed_tables import written


def test_the_classes_of_tables_are_up_to_date() -> None:
    """If not, ``python tests/typed_tables.py`` writes them anew."""
    for path, text in written().items():
        assert path.read_text(encoding="utf-8") == text, path
