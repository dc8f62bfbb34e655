"""Keywords in content files: any name is allowed, but one that looks like a misspelt core keyword is refused."""

from __future__ import annotations

import difflib
from typing import Annotated

from pydantic import AfterValidator

from wh_env.content.errors import Expected
from wh_env.content.fields import Name
from wh_env.rulesets.w40k.keywords import singular
from wh_env.rulesets.w40k.profiles import Keyword

ALIKE = 0.83  # share of letters in common from which a word is taken for another one misspelt
CORE = {singular(keyword.name): keyword.name.replace("_", " ") for keyword in Keyword if keyword.name}


def spelt(keyword: str) -> str:
    """The keyword unchanged.

    Raises:
        Expected: it is close to, but not equal to, a keyword of the core rules.
    """
    name = singular(keyword)
    if name not in CORE:
        near = difflib.get_close_matches(name, CORE, n=1, cutoff=ALIKE)
        if near:
            raise Expected(
                f"{CORE[near[0]]}, or a keyword that is not so like one of the core rules",
                "seems misspelt",
                value=keyword,
            )
    return keyword


KeywordName = Annotated[Name, AfterValidator(spelt)]
