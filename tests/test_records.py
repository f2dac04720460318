"""Records behave as those of the standard library do."""

import copy
import dataclasses
import inspect
import pickle
import sys
import weakref
from functools import cached_property
from typing import ClassVar

import pytest

from algdim import records

OPTIONS = (
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "eq": False},
    {"frozen": True, "slots": True, "repr": False},
    {"frozen": True, "slots": True, "eq": False, "weakref_slot": True},
    {"frozen": True},
    {"slots": True},
    {"slots": True, "eq": False},
)


def define(decorate, options):
    """A record with fields of every kind that the standard library knows and that stand in the project."""

    @decorate(**options)
    class Example:
        """An example."""

        shared: ClassVar[int] = 7
        first: int
        second: str = "b"
        many: list = dataclasses.field(default_factory=list, hash=False)
        aside: float = dataclasses.field(default=0.5, compare=False, repr=False)
        state: int = dataclasses.field(default=3, init=False)
        found: list = dataclasses.field(default_factory=list, init=False, compare=False)

        def __post_init__(self):
            if self.first < 0:
                raise ValueError("negative")

        @property
        def twice(self):
            """A property stays."""
            return 2 * self.first

    return Example


@pytest.fixture(params=OPTIONS, ids=" ".join)
def both(request):
    """The same class by the standard library and by the project."""
    return define(dataclasses.dataclass, request.param), define(records.dataclass, request.param)


def outcome(work):
    """What comes of a call, or the kind of its error."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 (the kinds are compared)
        return type(error).__name__


WORK = {
    "positions": lambda make: [
        getattr(make(1, "x", [2], 0.1), name) for name in ("first", "second", "many", "aside", "state")
    ],
    "names": lambda make: dataclasses.astuple(make(second="c", first=5)),
    "no value": lambda make: make(),
    "a name that is no field": lambda make: make(1, third=2),
    "twice the same": lambda make: make(1, first=2),
    "a field that is not given": lambda make: make(1, state=2),
    "refused afterwards": lambda make: make(-1),
    "new lists": lambda make: make(1).many is make(1).many,
    "equal": lambda make: (make(1) == make(1), make(1) == make(2), make(1) == make(1, aside=9.0), make(1) == 1),
    "hash": lambda make: len({make(1, many=[1]), make(1, many=[2])}),
    "has hash": lambda make: make.__hash__ is None,
    "text": lambda make: repr(make(1)).partition(" at 0x")[0],
    "set": lambda make: setattr(make(1), "first", 2),
    "delete": lambda make: delattr(make(1), "first"),
    "replaced": lambda make: dataclasses.replace(make(1, "x"), first=4).twice,
    "copied": lambda make: copy.copy(make(1, "x", [3])).many,
    "fields": lambda make: [(one.name, one.type, one.init, one.compare) for one in dataclasses.fields(make)],
    "dictionary": lambda make: dataclasses.asdict(make(1)),
    "match": lambda make: make.__match_args__,
    "signature": lambda make: str(inspect.signature(make)),
    "slots": lambda make: hasattr(make(1), "__dict__"),
    "shared": lambda make: (make.shared, make(1).shared, make(1).twice),
    "weak": lambda make: weakref.ref(make(1)) is None,
}


@pytest.mark.parametrize("name", WORK)
def test_a_record_does_what_one_of_the_standard_library_does(both, name):
    """Creation, equality, hash, text, refusals, copies, fields and signature."""
    theirs, ours = both

    assert outcome(lambda: WORK[name](theirs)) == outcome(lambda: WORK[name](ours))


@records.dataclass(frozen=True, slots=True)
class Kept:
    """A record that is sent to other processes."""

    one: int
    more: tuple = ()


@records.dataclass(frozen=True)
class Remembering:
    """A record that remembers what it has found."""

    one: int

    @cached_property
    def double(self):
        """Found once."""
        return [2 * self.one]


@records.dataclass(frozen=True, slots=True)
class Own:  # noqa: PLW1641 (a record has a hash)
    """A record with methods of its own."""

    one: int

    def __repr__(self):
        return "own"

    def __eq__(self, other):
        return True


@records.dataclass(frozen=True, slots=True)
class Longer(Kept):
    """A record with the fields of another one before its own."""

    last: int = 5


def test_records_are_pickled_remember_and_keep_methods_of_their_own():
    """What the project does with records beside creating them."""
    remembering = Remembering(4)

    assert Kept(1, (2,)) == pickle.loads(pickle.dumps(Kept(1, (2,))))
    double = remembering.double
    assert [8] == double
    assert double is remembering.double
    assert "own" == repr(Own(1))
    assert Own(1) == Own(2)
    assert 1 == len({Own(1), Own(1)})
    assert "Longer(one=1, more=(2,), last=3)" == repr(Longer(1, (2,), 3))
    assert Longer(1) != Kept(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        remembering.other = 3


@pytest.mark.parametrize("first", [dataclasses.dataclass, records.dataclass])
@pytest.mark.parametrize("second", [dataclasses.dataclass, records.dataclass])
@pytest.mark.parametrize("frozen", [False, True])
def test_records_are_derived_from_those_of_the_standard_library_and_these_from_them(first, second, frozen):
    """Both know of each other whether they are frozen."""

    @first(frozen=frozen, slots=True)
    class Base:
        """A record."""

        one: int = 1

    @second(frozen=frozen, slots=True)
    class Derived(Base):
        """Another one."""

        two: int = 2

    assert (3, 2) == dataclasses.astuple(Derived(3))
    assert "Derived(one=3, two=2)" == repr(Derived(3)).rpartition(".")[2]
    assert ("FrozenInstanceError" if frozen else None) == outcome(lambda: setattr(Derived(), "one", 2))
    with pytest.raises(TypeError):
        second(frozen=not frozen)(type("Other", (Base,), {}))


def test_what_contains_itself_has_a_text():
    """A record in a list in the record."""
    one = Kept([])
    one.one.append(one)

    assert "Kept(one=[...], more=())" == repr(one)


def test_creation_is_compiled_when_the_first_one_is_created():
    """The class begins with what stands for it."""
    fresh = define(records.dataclass, {"frozen": True, "slots": True})

    assert isinstance(vars(fresh)["__init__"], records.Creation)
    assert 1 == fresh(1).first
    assert inspect.isfunction(vars(fresh)["__init__"])
    assert sys.modules[fresh.__init__.__module__].__name__ == __name__
