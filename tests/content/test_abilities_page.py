"""The page of abilities that play says what there is."""

from __future__ import annotations

from abilities_page import PAGE, page


def test_the_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(), "python tests/abilities_page.py"
