"""How results show themselves in Python, in figures: `.venv/bin/python tests/python_measures.py`.

The tests in `interface/test_showing.py`, `interface/test_wrong_arguments.py` and `project/test_docstrings.py` hold each.
"""

import inspect
import sys
import tempfile
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent


def describe_measures():
    """Each measure with what is asked."""
    sys.path[:0] = [str(HERE), str(HERE / "interface"), str(HERE / "project"), str(HERE.parent)]
    names = ("algdim", "test_docstrings", "test_showing", "test_wrong_arguments")
    algdim, test_docstrings, test_showing, test_wrong_arguments = map(import_module, names)
    with tempfile.TemporaryDirectory() as folder:
        results = {kind: test_showing.made(kind) for kind in test_showing.MAKERS}
        results["Swept"] = test_showing.swept(folder)
    lengths = {kind: len(repr(result)) for kind, result in results.items()}
    longest = max(lengths, key=lengths.get)
    tags = {kind: test_showing.Tags(result._repr_html_()).seen for kind, result in results.items()}
    shown = [kind for kind, seen in tags.items() if seen & {"table", "svg"} and "pre" not in seen]
    frames = [
        kind for kind, result in results.items() if result.to_pandas().shape == result.to_polars().shape is not None
    ]
    refused = total = 0
    for name, argument in test_wrong_arguments.CASES:
        for odd in test_wrong_arguments.ODD:
            total += 1
            try:
                getattr(algdim, name)(**{**test_wrong_arguments.BASE[name], argument: odd})
            except algdim.AlgdimError:
                refused += 1
            except Exception as error:  # noqa: BLE001  # it is counted
                print(f"  {name}({argument}={odd!r}): {type(error).__name__}: {error}")
            else:
                refused += 1
    functions = test_docstrings.FUNCTIONS
    parameters = [(name, one) for name, value in functions.items() for one in inspect.signature(value).parameters]
    named = [
        (name, one)
        for name, one in parameters
        if one in test_docstrings.names_in(test_docstrings.sections_of(functions[name].__doc__)["Parameters"])
    ]
    yield f"longest repr of a result: {lengths[longest]} characters ({longest}); at most 300"
    yield f"results that are a table or a figure in a notebook, no <pre>: {len(shown)} of {len(results)}; all"
    yield f"results that become data frames of pandas and polars: {len(frames)} of {len(results)}; all"
    yield f"odd arguments that are accepted or refused in words: {refused} of {total}; all"
    yield f"parameters of public functions that a docstring names: {len(named)} of {len(parameters)}; all"
    yield f"names that dir(algdim) lists and that are not public: {len(set(dir(algdim)) - set(algdim.__all__))}; none"


if __name__ == "__main__":
    print(*describe_measures(), sep="\n")
