"""The numbers by which the state of a battle names classes of its ruleset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence


class Numbers(dict[type, int]):
    """Numbers of the procedures, and of the decision kinds, of a ruleset by class, in the order in which they are
    registered.

    A base class that is not registered stands for the one registered class that is derived from it. So code that
    several rulesets share pushes or asks the base, and each ruleset runs its own class. Looking up any other class
    raises a LookupError that says why.
    """

    def __init__(
        self, ruleset: str, registered: Mapping[type, Sequence[type]], can_be_played: Callable[[type], bool]
    ) -> None:
        """Number the classes.

        Args:
            ruleset: its id.
            registered: the classes to number, by the class that they are all derived from.
            can_be_played: whether a class is complete.

        Raises:
            TypeError: a class is registered twice, or two classes are derived from one base that could be played
                itself.
        """
        super().__init__()
        self.ruleset = ruleset
        self.stands_for: dict[type, list[str]] = {}
        self.can_be_played = can_be_played
        for root, classes in registered.items():
            self._register(classes, root)

    def _register(self, classes: Sequence[type], root: type) -> None:
        """Number ``classes``, and the bases between them and ``root`` that stand for exactly one of them.

        Raises:
            TypeError: as ``__init__``.
        """
        for number, cls in enumerate(classes):
            if cls in self:
                raise TypeError(f"{self.ruleset}: {cls.__name__} is registered twice")
            self[cls] = number
        for number, cls in enumerate(classes):
            for base in cls.__mro__[1:]:
                if base is not root and issubclass(base, root) and base not in classes:
                    self.stands_for.setdefault(base, []).append(cls.__name__)
                    self[base] = number
        for base, names in self.stands_for.items():
            if len(names) > 1 and self.pop(base, None) is not None and self.can_be_played(base):
                raise TypeError(
                    f"{self.ruleset}: {base.__name__} stands for both {' and '.join(names)}; expected one of them"
                )

    def __missing__(self, cls: type) -> int:
        """Raises:
        LookupError: always; it says why the class has no number.
        """
        names = self.stands_for.get(cls)
        why = f"stands for {' and '.join(names)}" if names else "is not registered, nor is a class derived from it"
        raise LookupError(f"{self.ruleset}: {cls.__name__} {why}")
