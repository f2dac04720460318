"""Results show themselves: a short line, a table or a figure in a notebook, data frames, public names alone."""

import importlib
import pickle
import re
import sys
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest
from packages import ROOT

import algdim

PAGE = (ROOT / "docs/python.md").read_text(encoding="utf-8")
HOSTILE = "<script>alert('x')</script>&"
YES_NO = {name: [0, 1, 1, 0, 1, 0, 1, 1] for name in ("X1", "X2", "X3")}
LABELLED = {name: ["no", HOSTILE, HOSTILE, "no", "no", HOSTILE] for name in ("X1", "X2", "X3")}
MEASURED = {name: [0.1 * (number * k % 7) for k in range(12)] for number, name in enumerate(("X1", "X2"), 2)}
HALVES = {"H": [[0.5, 0.5]], "X1": [[0.2, 0.8], [0.7, 0.3]], "X2": [[0.2, 0.8], [0.7, 0.3]]}
MODELS = (
    "3:2,2,2,2",
    "A -> C <- H -> D <- B; hidden H",
    "sigmoid: H -> X1, X2; hidden H",
    "gaussian: F -> X1, X2, X3; hidden F",
    "latent-profile: H -> X, C; hidden H; states C=2",
    "poisson: {A},{B} -> E",
    "classifier Y: Y -> A, B",
    "loglinear: {A,B}, {B,C}",
    "polynomial: parameters x, y; coordinates x*y, x^2",
)

COPY = "A -> B; fix P(B=0|A=0)=1, P(B=1|A=0)=0, P(B=0|A=1)=0, P(B=1|A=1)=1"


class GaussianMixture:
    """What a fitted estimator of scikit-learn has."""

    __module__ = "sklearn.mixture"
    covariance_type, means_ = "diag", np.zeros((3, 2))


MAKERS = {
    "Report": lambda: algdim.dimension("3:2,2,2,2"),
    "Reports": lambda: algdim.dimensions(["2:2,2", "3:2,2,2,2"]),
    "Identification": lambda: algdim.identify("3:2,2,2,2"),
    "BoundsReport": lambda: algdim.bounds("4:3,3,3"),
    "Comparison": lambda: algdim.compare("2:2,2,2,2", "3:2,2,2,2"),
    "Constraints": lambda: algdim.constraints("3:2,2,2,2"),
    "DecompositionReport": lambda: algdim.decompose("5(2,3(2,2),3(2,2))"),
    "ClassifierDecomposition": lambda: algdim.decompose("classifier Y: Y -> X1; Y -> X2; X1 -> X2; states Y=3"),
    "Explanation": lambda: algdim.explain("2:2,2"),
    "Certificate": lambda: algdim.prove("2:2,2"),
    "Verification": lambda: algdim.verify(algdim.prove("2:2,2")),
    "Fit": lambda: algdim.fit(LABELLED, "2:2,2,2", starts=2),
    "Scores": lambda: algdim.score(YES_NO, "X1 -> X2 -> X3", score="bic,bic+"),
    "Selection": lambda: algdim.select(YES_NO, classes=[1, 2], score="bic,bic+", by="bic+", starts=2),
    "Estimated": lambda: algdim.for_estimator(GaussianMixture()),
    "Simulation": lambda: algdim.simulate("2:2,2", HALVES, 100),
    "Grid": lambda: algdim.table("kocka-zhang-1"),
}
"""The kinds of results; `Swept` is made of a file, below."""


@cache
def made(kind):
    """One result of a kind."""
    result = MAKERS[kind]()
    assert type(result).__name__ == kind
    return result


@cache
def swept(folder):
    """The end of a sweep."""
    return algdim.sweep("lc cells<=4", f"{folder}/results.sqlite", workers=1)


def result_of(kind, tmp_path_factory):
    """One result of a kind, of sweeps as well."""
    if kind == "Swept":
        return swept(str(tmp_path_factory.getbasetemp()))
    return made(kind)


KINDS = [*MAKERS, "Swept"]
in_each_kind = pytest.mark.parametrize("kind", KINDS)


class Tags(HTMLParser):
    """What elements there are, each closed where it should be."""

    EMPTY = frozenset({"wbr", "br", "meta"})

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.text = [], set(), ""
        self.feed(text)
        self.close()
        assert [] == self.open

    def handle_starttag(self, tag, attrs):
        """One is opened."""
        assert not any(name.startswith("on") for name, _ in attrs)
        self.seen.add(tag)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """One without content."""
        self.seen.add(tag)

    def handle_endtag(self, tag):
        """One is closed."""
        assert tag == self.open.pop()

    def handle_data(self, data):
        """Text."""
        self.text += data


@in_each_kind
def test_a_result_is_a_short_line(kind, tmp_path_factory):
    """At most 300 characters, with the name of the kind before it."""
    line = repr(result_of(kind, tmp_path_factory))

    assert line.startswith(f"{kind}(")
    assert len(line) <= 300
    assert line.isprintable()


@in_each_kind
def test_a_notebook_shows_a_table_or_a_figure(kind, tmp_path_factory):
    """Elements are closed, nothing runs, and no text of a user's is read as an element."""
    tags = Tags(result_of(kind, tmp_path_factory)._repr_html_())

    assert tags.seen & {"table", "svg"}
    assert not tags.seen & {"pre", "script", "iframe", "img", "link"}


@in_each_kind
def test_a_result_becomes_data_frames(kind, tmp_path_factory):
    """pandas and polars have the same rows and columns."""
    result = result_of(kind, tmp_path_factory)
    first, second = result.to_pandas(), result.to_polars()

    assert first.shape == second.shape
    assert list(first.columns) == second.columns
    assert len(first)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_library_that_is_missing_is_named(library, monkeypatch):
    """The error says what to do."""
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(algdim.InputError, match=f"{library}, which is not installed: python3 -m pip install"):
        getattr(made("Report"), f"to_{library}")()


def test_data_frames_load_nothing_before():
    """The libraries are loaded where they are asked for."""
    source = importlib.import_module("inspect").getsource(algdim.Report.to_pandas)
    assert "import pandas" in source


@in_each_kind
def test_a_result_is_a_document_in_several_forms(kind, tmp_path_factory):
    """Text, Markdown, LaTeX and HTML are made of the same blocks, and what data say is no markup in any of them."""
    found = result_of(kind, tmp_path_factory).document()
    words = re.findall(r"[a-z]{4,}", found.text())

    assert words
    assert found.markdown().startswith("# ")
    assert found.latex().endswith(r"\end{document}")
    assert found.latex().count("{") == found.latex().count("}")
    assert all(word in found.markdown() for word in words)
    assert "<script>" not in found.html()
    assert "<script>" not in re.sub(r"```.*?```", "", found.markdown(), flags=re.DOTALL).replace(r"\<script>", "")


@in_each_kind
def test_what_is_printed_is_its_lines(kind, tmp_path_factory):
    """`print` has one way."""
    result = result_of(kind, tmp_path_factory)

    assert "\n".join(result.lines()) == str(result)


@in_each_kind
def test_autocompletion_offers_public_names_alone(kind, tmp_path_factory):
    """What a console offers exists, has no underscore, and the class says what it is."""
    result = result_of(kind, tmp_path_factory)
    names = dir(result)

    assert {"to_pandas", "to_polars"} <= set(names)
    assert all(hasattr(result, name) and not name.startswith("_") for name in names)


@in_each_kind
def test_what_is_offered_is_on_the_page(kind, tmp_path_factory):
    """The table of docs/python.md has exactly these names."""
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{kind}` |"))
    listed = re.findall(r"`(\w+)`", row.rsplit("|", 2)[1].partition(";")[0])
    common = {"to_dict", "to_pandas", "to_polars", "lines", "document"} - (
        {"to_dict"} if "no `to_dict`" in row else set()
    )

    assert sorted({*listed, *common}) == dir(result_of(kind, tmp_path_factory))
    assert len(listed) == len(set(listed))


def test_the_module_offers_what_it_promises():
    """`dir(algdim)` is `algdim.__all__`."""
    assert sorted(algdim.__all__) == dir(algdim)


@pytest.mark.parametrize("text", MODELS)
def test_a_model_prints_as_its_notation_and_is_drawn(text):
    """Its repr reads it again; a notebook shows the graph, or a table where there is none."""
    model = algdim.model(text)
    tags = Tags(model._repr_html_())

    assert str(model) == algdim.model(str(model)).__str__()
    assert model == eval(repr(model))
    assert ("svg" in tags.seen) == (model._repr_svg_() is not None)
    assert tags.seen & {"svg", "table"}
    assert not any(name.startswith("_") for name in dir(model))


def test_large_models_are_cut():
    """400 items."""
    model = algdim.model("2:2^400")

    assert len(repr(algdim.model("H -> X1..X200; hidden H"))) <= 300
    assert len(repr(algdim.dimensions([f"2:2^{number}" for number in range(3, 30)]))) <= 300
    assert "svg" in Tags(model._repr_html_()).seen  # alike items are one stack
    apart = algdim.model("; ".join(f"A{number} -> B{number}" for number in range(100)))
    assert apart._repr_svg_() is None
    assert "table" in Tags(apart._repr_html_()).seen
    long = algdim.model("; ".join(f"A{'b' * 60}{number} -> C{'d' * 60}{number}" for number in range(9)))
    assert len(repr(long)) <= 300
    assert len(repr(algdim.dimension(long))) <= 300


def test_labels_of_data_are_text():
    """A label that looks like a script is shown, and does not run."""
    assert HOSTILE in Tags(made("Fit")._repr_html_()).text
    drawn = algdim.simulate("states X1=2", made_of_labels(), 5)
    assert HOSTILE in Tags(drawn._repr_html_()).text
    forged = algdim.Certificate({**algdim.prove("2:2,2").data, "format": HOSTILE})
    assert HOSTILE in Tags(forged._repr_html_()).text
    odd = algdim.Estimated(HOSTILE, 1, 1, algdim.dimension("2:2,2").trust)
    assert HOSTILE in Tags(odd._repr_html_()).text


def made_of_labels():
    """The JSON of a fit whose data have odd labels."""
    return algdim.fit({"X1": LABELLED["X1"]}, "states X1=2").to_dict()


@pytest.mark.parametrize(
    "kind", ["Report", "Identification", "Comparison", "Fit", "Scores", "Selection", "Explanation"]
)
def test_equal_questions_have_equal_answers(kind):
    """However long they took."""
    again = MAKERS[kind]()

    assert made(kind) == again
    assert made(kind) != MAKERS["BoundsReport"]()
    if kind not in ("Comparison", "Identification"):  # these hold dictionaries
        assert hash(made(kind)) == hash(again)


def test_different_answers_differ():
    """By one candidate, one number of states."""
    assert made("Report") != algdim.dimension("3:2,2,2,3")
    assert made("Scores") != algdim.score(YES_NO, "X1 -> X2, X3", score="bic,bic+")


@pytest.mark.parametrize("text", [*MODELS, COPY])
def test_df_are_those_of_identify(text):
    """A report has the same number, structural zeros left out."""
    report = algdim.dimension(text)

    assert report.df == algdim.identify(text).df
    assert report.proved == report.exact
    if report.complete is not None:
        assert report.complete - report.standard == report.df_by_counting


def test_df_leave_structural_zeros_out():
    """B is a copy of A: two of four cells are impossible."""
    report = algdim.dimension(COPY)

    assert (3, 1, 1, 0, 2) == (report.complete, report.dimension, report.standard, report.df, report.df_by_counting)


def test_several_dimensions_are_a_table():
    """In their order; the place of what is wrong is said."""
    found = made("Reports")

    assert [3, 13] == [one.dimension for one in found] == found.to_pandas()["dimension"].tolist()
    assert (2, found[1]) == (len(found), found.reports[1])
    assert 2 == len(str(found).splitlines())
    assert "Reports(no models)" == repr(algdim.dimensions([]))
    with pytest.raises(algdim.InputError, match="model 2 of the list"):
        algdim.dimensions(["2:2,2", "2:2,"])
    with pytest.raises(algdim.InputError, match="as a list"):
        algdim.dimensions("2:2,2")


def test_numbers_without_bound_fit_into_data_frames():
    """2^100 cells."""
    found = algdim.dimensions(["2:2,2", "2:2^100"])
    values = found.to_polars()["complete"].to_list()

    assert found.to_pandas()["complete"].tolist() == values == [3, float(2**100 - 1)]


def test_words_of_the_notation_have_no_markup():
    """Numbers of variables are lowered in a notebook; the text is the same."""
    text = re.sub(r"\s+", " ", Tags(made("Report")._repr_html_()).text)
    assert "flattening X1,X2|X3,X4 (4×4, rank 3)" in text


@pytest.mark.parametrize("text", ["2:2,2", "A -> C <- H -> D <- B; hidden H", "gaussian: H -> A, B, C; hidden H"])
def test_a_result_can_be_pickled(text):
    """Other processes can be asked for dimensions."""
    for ask in (algdim.dimension, algdim.identify):
        found = ask(text)

        assert pickle.loads(pickle.dumps(found)) == found


def test_models_and_reports_are_drawn(tmp_path):
    """By `plot`, as SVG that a notebook shows; what there is no picture of is an error in words."""
    report = made("Report")
    for drawn in (report.plot(), report.plot("states"), report.plot("network"), report.model.plot()):
        assert drawn._repr_svg_() == str(drawn)
        assert Tags(str(drawn)).seen >= {"svg", "text"}
    report.plot("states").save(tmp_path / "states.svg")
    with pytest.raises(algdim.InputError, match="did you mean 'network'"):
        report.plot("netwrk")
    with pytest.raises(algdim.InputError, match="no graph"):
        algdim.model(MODELS[-1]).plot()

    assert (tmp_path / "states.svg").read_text(encoding="utf-8") == report.plot("states")
