"""What is found of a map is found once, unless limits ended the search."""

from algdim.limits import Allowance, allowing, gathering, has_time
from algdim.maps import find_once, map_of
from algdim.models.notation import parse


def search_numbers():
    """0, 1, 2, as far as there is time."""
    with gathering("numbers"):
        return [number for number in range(3) if has_time()]


def test_a_search_is_made_once():
    """The second answer is the record of the first."""
    pmap = map_of(parse("2:2,2"))
    assert find_once(pmap, "numbers", search_numbers) is find_once(pmap, "numbers", search_numbers)


def test_a_search_that_was_ended_is_made_again():
    """What it found in no time is not what is found in two minutes."""
    pmap = map_of(parse("2:2,2"))
    with allowing(Allowance(seconds=0)) as allowance:
        assert [] == find_once(pmap, "ended", search_numbers)
        assert ["numbers"] == list({one.search for one in allowance.untried})

    assert [0, 1, 2] == find_once(pmap, "ended", search_numbers)
