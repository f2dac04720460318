"""Records as `dataclasses` makes them, with less text to be compiled: what creates one is compiled when the first one is created.

A command loads the records of all that it may need, and creates few of them. To compile the six methods of each took longer than to load
numpy; all but one need no text of their own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, field, fields, replace
from functools import partial
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "field", "replace"]

Values = Callable[[Any], tuple[Any, ...]]


class Factory:
    """Stands in signatures for a value that is made for each record."""

    def __repr__(self) -> str:
        return "<factory>"


MADE = Factory()

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """The class as a record, with the options of `dataclasses.dataclass`."""
        return partial(make_record, **options) if cls is None else make_record(cls, **options)


def make_record(
    cls: type,
    *,
    frozen: bool = False,
    slots: bool = False,
    eq: bool = True,
    repr: bool = True,  # noqa: A002 (as in the standard library)
    weakref_slot: bool = False,
) -> Any:
    """The class with fields and methods; those that it defines itself stay.

    >>> @dataclass(frozen=True, slots=True)
    ... class Point:
    ...     "A point."
    ...
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(1, 0), {Point(1), Point(1, 0)}
    (Point(x=1, y=0), True, {Point(x=1, y=0)})
    """
    has_slots = {"slots": slots, "weakref_slot": weakref_slot}
    if any(map(dataclasses.is_dataclass, cls.__mro__[1:])):  # there are few
        return dataclasses.dataclass(frozen=frozen, eq=eq, repr=repr, **has_slots)(cls)
    own = {name for name, value in vars(cls).items() if value is not None}
    record: Any = dataclasses.dataclass(init=False, repr=False, eq=False, **has_slots)(cls)
    record.__dataclass_params__.frozen = frozen  # those that are derived ask
    methods: dict[str, Any] = {"__init__": Creation(record, is_frozen=frozen)}
    compared = [one for one in fields(record) if one.compare]
    if repr:
        methods["__repr__"] = make_text([one.name for one in fields(record) if one.repr])
    if eq:
        hashed = [one.name for one in compared if one.hash is not False]
        methods["__eq__"] = make_comparison(select_values([one.name for one in compared]))
        # what is equal to others and can change has no hash
        methods["__hash__"] = make_hash(select_values(hashed)) if frozen else None
    if frozen:
        methods |= {"__setattr__": refuse_value, "__delattr__": refuse_deletion}
        if slots:
            methods |= {"__getstate__": list_values, "__setstate__": set_values}
    for name, method in methods.items():
        if name not in own:
            setattr(record, name, method)
    return record


class Creation:
    """What creates records of a class, until it is asked for: then it is compiled."""

    def __init__(self, record: type, *, is_frozen: bool) -> None:
        self.record, self.is_frozen = record, is_frozen

    def __get__(self, instance: object, owner: type) -> Any:
        found = compile_creation(self.record, is_frozen=self.is_frozen)
        self.record.__init__ = found  # type: ignore[misc]
        return found.__get__(instance, owner)


def compile_creation(record: Any, *, is_frozen: bool) -> Any:
    """The function that gives a new record the values of its fields, in their order or by their names."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_MADE": MADE}
    taken, lines = ["self"], []
    for one in fields(record):
        name, value, default = one.name, one.name, ""
        if one.default_factory is not MISSING:
            known[f"_make_{name}"] = one.default_factory
            value = f"_make_{name}() if {name} is _MADE else {name}" if one.init else f"_make_{name}()"
            default = "=_MADE"
        elif one.default is not MISSING:
            known[f"_default_{name}"] = one.default
            value, default = (name if one.init else f"_default_{name}"), f"=_default_{name}"
        elif not one.init:
            continue
        if one.init:
            taken.append(f"{name}{default}")
        lines.append(f"_set(self, {name!r}, {value})" if is_frozen else f"self.{name} = {value}")
    if hasattr(record, "__post_init__"):
        lines.append("self.__post_init__()")
    text = "\n ".join([f"def __init__({', '.join(taken)}):", *(lines or ["pass"])])
    exec(text, known)  # noqa: S102 (names of fields, which Python has read)
    found = known["__init__"]
    found.__module__, found.__qualname__ = record.__module__, f"{record.__qualname__}.__init__"
    found.__annotations__ = {one.name: one.type for one in fields(record) if one.init} | {"return": None}
    return found


def select_values(names: list[str]) -> Values:
    """What makes the tuple of some fields of a record."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda record: tuple([getattr(record, name) for name in names])


def make_comparison(compared: Values) -> Callable[[Any, object], bool]:
    """Records of the same class are equal if the values of their fields are."""

    def __eq__(self: Any, other: object) -> bool:  # noqa: N807
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def make_hash(compared: Values) -> Callable[[Any], int]:
    """The hash of the values."""

    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(compared(self))

    return __hash__


def make_text(names: list[str]) -> Callable[[Any], str]:
    """The class and the values with their names."""

    @recursive_repr()
    def __repr__(self: Any) -> str:  # noqa: N807
        values = ", ".join([f"{name}={getattr(self, name)!r}" for name in names])
        return f"{self.__class__.__qualname__}({values})"

    return __repr__


def refuse_value(self: object, name: str, value: object) -> None:
    """A record that is frozen takes no value."""
    del self, value
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def refuse_deletion(self: object, name: str) -> None:
    """Nor does it lose one."""
    del self
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def list_values(self: Any) -> list[Any]:
    """The values of all fields, as they are kept in a file."""
    return [getattr(self, one.name) for one in fields(self)]


def set_values(self: Any, values: list[Any]) -> None:
    """Give a record that was just made the values of its fields."""
    for one, value in zip(fields(self), values, strict=True):
        object.__setattr__(self, one.name, value)
