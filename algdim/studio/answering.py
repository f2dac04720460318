"""What the studio is asked, and what it answers: plain values in, plain values out, nothing kept in between.

As a program it is the process in which questions are answered: it can be ended at any moment, and its memory is limited.
A model comes as text or as a drawing, which is the dictionary of a model file. Neither names a file: texts go to the readers of
texts, and what follows is given the record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from threading import Thread
from typing import Any, TypeGuard

from algdim.errors import AlgdimError, InputError, LimitError, describe_closest_word, join_names
from algdim.figures import format_integer
from algdim.models.anymodel import AnyModel, convert_model_to_dictionary, read_model_dictionary
from algdim.models.notation import to_text
from algdim.studio.changing import ModelChange, fix_parameter, list_changes, list_link_changes
from algdim.studio.renaming import find_canonical_form
from algdim.sweeping.processes import answer_lines, open_answers
from algdim.trust import Trust

Fields = Mapping[str, Any]
Answer = dict[str, Any]

SECONDS = 20.0
"""Of the processor, for searches that only sharpen a proof."""
MEMORY = 1 << 30
"""Bytes of one answer; the process has some more, for what nobody counts."""
MOST_EQUATIONS = 300
MOST_PARAMETERS = 2000
"""Of those that are not identified: so many are shown on the drawing."""
MOST_CONTENT = 8_000_000
"""Characters of a file that is written."""
MOST_TEXT = 200_000
"""Characters of a model, as text or as a drawing."""

PLACE = re.compile(r"(?:at position (?P<position>\d+)|line (?P<line>\d+), column (?P<column>\d+)): ")


def answer_question(fields: Any) -> Answer:
    """The answer to one question; whatever goes wrong is one too.

    >>> answer_question({"question": "read", "text": "2:2,2"})["text"]
    '2:2,2'
    >>> answer_question({"question": "read", "text": "A -> "})["at"]
    {'line': 1, 'column': 5}
    """
    try:
        return find_question(fields)(fields)
    except AlgdimError as error:
        return describe_error(error)
    except MemoryError:
        return {"error": "out of memory; the model is too large for the studio, ask `algdim dim` with a --max-memory"}
    except RecursionError:
        return {"error": "the model is nested too deeply"}
    except Exception as error:  # noqa: BLE001  # a bug met by one question must not end the process
        return {"error": f"a bug in algdim, please report the model: {type(error).__name__}: {error}"}


def find_question(fields: Any) -> Callable[[Fields], Answer]:
    """What answers a question."""
    if not isinstance(fields, dict):
        raise InputError("a question is an object with the key question")
    name = fields.get("question")
    if not isinstance(name, str) or name not in QUESTIONS:
        close = describe_closest_word(str(name)[:60], QUESTIONS)
        raise InputError(f"there is no question {str(name)[:60]!r}{close}; known are {join_names(QUESTIONS)}")
    return QUESTIONS[name]


def describe_error(error: AlgdimError) -> Answer:
    """What an error says, and where in the text it is."""
    message = str(error)
    found = PLACE.match(message)
    kind = "limit" if isinstance(error, LimitError) else "input"
    if found is None:
        return {"error": message, "kind": kind}
    line, column = (1, found["position"]) if found["position"] else (found["line"], found["column"])
    shown = message[found.end() :].partition("\n")[0]
    return {"error": shown, "kind": kind, "at": {"line": int(line), "column": int(column)}}


def read_subject(fields: Fields) -> AnyModel:
    """The model that is asked about: a text in some notation, or a drawing."""
    text, drawing = fields.get("text"), fields.get("drawing")
    if isinstance(text, str):
        return read_text(text)
    if isinstance(drawing, dict):
        return read_model_dictionary(drawing)
    raise InputError("a question has a model: text, or drawing, the dictionary of a model file")


def read_text(text: str) -> AnyModel:
    """A model in the notation, a name of the catalogue, or a text of another program; never a path."""
    from algdim.readers.anything import read_model_text
    from algdim.readers.formats import find_format, read_as

    if len(text) > MOST_TEXT:
        raise LimitError(f"the text has {len(text)} characters; at most {MOST_TEXT} are read")
    form = find_format(text)
    return read_model_text(text) if form is None else read_as(text, form, {})


def answer_read(fields: Fields) -> Answer:
    """The model as text, as a drawing, and as a graph with places."""
    from algdim.families import load_family
    from algdim.plots.networkdrawing import drop_idle_frame, get_model_graph
    from algdim.plots.networklayout import fold_plates, list_plates, name_plate, place_nodes

    model = read_subject(fields)
    drawing = convert_model_to_dictionary(model)
    found: Answer = {
        "text": to_text(model),
        "drawing": None,
        "family": model.family,
        "kind": load_family(model.family).describe(model),
        **write_in_notation(model, fields.get("notation")),
        **write_canonical_form(drawing),
    }
    try:
        whole = drop_idle_frame(get_model_graph(model))
        plates = list_plates(whole)
        graph = fold_plates(whole)
        boxes = place_nodes(graph)
        first_of = {name_plate(members): first for first, members in plates.items()}
    except AlgdimError as error:
        return {**found, "graph": None, "editable": False, "why": str(error)}
    named = {one["name"] for one in drawing.get("variables", ())}
    drawn = {tuple(pair) for pair in drawing.get("edges", ())}
    editable = named == {node.name for node in whole.nodes} and drawn == {*whole.edges} and not whole.lines
    if editable:  # the page folds what it edits, so that it can unfold it
        boxes = {first_of.get(name, name): box for name, box in boxes.items()}
        graph = whole
    return {
        **found,
        "editable": editable,
        "drawing": drawing if editable else None,
        "plates": [list(members) for members in plates.values()] if editable else [],
        "why": "" if editable else "this drawing follows the text: change the text to change it",
        "graph": {
            "nodes": [{"name": node.name, "note": node.note, "observed": node.observed} for node in graph.nodes],
            "edges": [list(pair) for pair in graph.edges],
            "lines": [list(pair) for pair in graph.lines],
            "arcs": [list(pair) for pair in graph.arcs],
            "labels": [[*pair, text] for pair, text in graph.labels.items()],
            "frames": [list(members) for members in graph.frames],
        },
        "places": {name: [round(box.x, 1), round(box.y, 1)] for name, box in boxes.items()},
    }


NOTATIONS = ("lavaan", "dagitty")
"""In which the text can be shown, besides that of algdim."""


def write_in_notation(model: AnyModel, notation: object) -> Answer:
    """The model as another program writes it, or why that has no text for it; nothing where algdim's own is asked for."""
    from algdim.writers import export

    if notation not in NOTATIONS:
        return {}
    try:
        return {"shown": export(model, str(notation))}
    except AlgdimError as error:
        return {"not_shown": str(error)}


def write_canonical_form(drawing: Mapping[str, Any]) -> Answer:
    """The text about which dimension and equations are asked, and the names that are put into the answers."""
    form = find_canonical_form(drawing)
    if form is None:
        return {}
    try:
        return {"canonical": {"text": to_text(read_model_dictionary(form[0])), "as": form[1].to_dict()}}
    except AlgdimError:
        return {}  # a variable has the name of something else: the model is asked about under its own names


def answer_dim(fields: Fields) -> Answer:
    """The dimension with both bounds and the reasons; only with bounds that need no search if it is asked for quickly."""
    from algdim.identifiability.answers import answer_dimension
    from algdim.maps import map_of
    from algdim.memory import allow
    from algdim.report import dimension

    quick = fields.get("quick") is True
    with allow(SECONDS, MEMORY):
        report = dimension(read_subject(fields), bounds="no-proof" if quick else "auto")
        answer = answer_dimension(report, looks_for_lost=not quick)
    lost = answer.lost
    records: Mapping[str, Any] = {}
    if lost is not None:
        records = {str(one): one for one in map_of(report.model).records}
    return {
        "rows": [list(row) for row in (*report.rows, *answer.rows)],
        "dimension": report.dimension,
        "upper": report.upper.value,
        "parameters": format_integer(report.standard),
        "saturated": format_integer(report.complete),
        **encode_trust(report.trust),
        "reasons": report.derivation.to_dict()["because"],
        "sentences": list(answer.sentences),
        "lost": [] if lost is None else [place_parameter(name, records) for name in lost.names[:MOST_PARAMETERS]],
        "lost_known": None if lost is None else encode_trust(lost.trust),
        "fixing": [] if lost is None or lost.fixing is None else list(lost.fixing),
        "not_tried": [str(one) for one in report.untried],
        "quick": quick,
        "seconds": report.seconds,
    }


def encode_trust(trust: Trust) -> Answer:
    """How far a statement is known: for the page's colours and for readers."""
    return {"status": trust.status, "trust": str(trust)}


def place_parameter(name: str, records: Mapping[str, Any]) -> Answer:
    """A parameter, and whose it is: one variable, or two with an arrow between them."""
    record = records.get(name)
    if record is None:
        return {"parameter": name, "owners": []}
    return {"parameter": name, "owners": list(record.owners), "kind": record.kind}


def answer_constraints(fields: Fields) -> Answer:
    """The equations by kind, each with its variables and its status."""
    from algdim.explanation.constraints import constraints, list_equation_titles
    from algdim.memory import allow

    model = read_subject(fields)
    named = {one["name"] for one in convert_model_to_dictionary(model).get("variables", ())}
    with allow(SECONDS, MEMORY):
        found = constraints(model)
    titles = list_equation_titles(found.family)
    return {
        "equations": [
            {
                "kind": titles.get(one.kind, one.kind),
                "text": one.text,
                "because": one.because,
                "variables": sorted(named & set(iterate_texts(one.evidence))),
                **encode_trust(one.trust),
            }
            for one in found.constraints[:MOST_EQUATIONS]
        ],
        "count": len(found.constraints),
        "notes": [*found.notes, found.reason],
    }


def iterate_texts(value: Any) -> list[str]:
    """All texts inside of nested lists and objects."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return [text for one in inner for text in iterate_texts(one)]


def answer_what_if(fields: Fields) -> Answer:
    """What the dimension becomes after each of the changes that can be made at variables or arrows, or of a parameter."""
    model = read_subject(fields)
    names, pairs, parameter = (fields.get(key) for key in ("variables", "pairs", "parameter"))
    if isinstance(parameter, str):
        changes: Sequence[ModelChange] = [fix_parameter(model, parameter)]
    elif is_list_of_texts(names):
        changes = list_changes(model, names)
    elif isinstance(pairs, list) and all(is_list_of_texts(pair) and len(pair) == 2 for pair in pairs):
        changes = list_link_changes(model, pairs, "bidirected" if fields.get("arc") is True else "edges")
    else:
        raise InputError("what if: one of the keys variables, pairs and parameter says what is changed")
    return {"changes": [try_change(one) for one in changes]}


def is_list_of_texts(value: Any) -> TypeGuard[list[str]]:
    """Whether a value is one, with something in it."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


def try_change(change: ModelChange) -> Answer:
    """The dimension of a model after a change, or why there is none."""
    from algdim.memory import allow
    from algdim.report import dimension

    shown: Answer = {"label": change.label, "kind": change.kind, "states": change.states, "now": change.now}
    try:
        model = read_model_dictionary(change.drawing)
        with allow(SECONDS / 4, MEMORY):
            report = dimension(model)
    except AlgdimError as error:
        return {**shown, **describe_error(error)}
    return {
        **shown,
        "text": to_text(model),
        "dimension": report.dimension,
        "upper": report.upper.value,
        "parameters": format_integer(report.standard),
        **encode_trust(report.trust),
    }


def answer_score(fields: Fields) -> Answer:
    """A model on data, given as the text of a CSV file: fit, degrees of freedom, BIC by parameters and by dimension."""
    from algdim.fitting.tabulardata import read_csv
    from algdim.memory import allow
    from algdim.scores.scores import score

    data = fields.get("data")
    if not isinstance(data, str):
        raise InputError("the data are the text of a CSV file, with the names of the variables in the first line")
    with allow(SECONDS, MEMORY):
        found = score(read_csv(data, "the data"), read_subject(fields), score=["bic", "bic+"])
    return {"text": str(found), "values": {name: found.values.get(name) for name in ("bic", "bic+")}}


def write_certificate(model: AnyModel) -> str:
    """The proof as a file."""
    from algdim.certificate.exporting import prove

    return prove(model).text


def write_lecture(model: AnyModel) -> str:
    """The page of `algdim explain --html`."""
    from algdim.explanation.explaining import explain

    return explain(model).html()


def write_picture(model: AnyModel) -> str:
    """The graph as SVG, as `algdim explain --svg network` draws it."""
    from algdim.plots.networkdrawing import draw_network
    from algdim.plots.svg import convert_to_standalone

    return convert_to_standalone(draw_network(model))


def write_tikz(model: AnyModel) -> str:
    """The graph for LaTeX."""
    from algdim.plots.networkdrawing import write_network_tikz

    return write_network_tikz(model) + "\n"


def write_python(model: AnyModel) -> str:
    """The lines of Python that ask the same."""
    return f"import algdim\n\nprint(algdim.dimension({to_text(model)!r}))\n"


def write_command(model: AnyModel) -> str:
    """The command that asks the same."""
    from shlex import quote

    return f"algdim dim {quote(to_text(model))}\n"


def write_by_export(target: str) -> Callable[[AnyModel], str]:
    """What `algdim export` writes."""

    def write(model: AnyModel) -> str:
        from algdim.writers import export

        return export(model, target)

    return write


FORMS: Mapping[str, tuple[str, str, Callable[[AnyModel], str]]] = {
    "tikz": ("model.tex", "TikZ for LaTeX", write_tikz),
    "json": ("model.json", "model file", write_by_export("json")),
    "certificate": ("certificate.json", "certificate of the dimension", write_certificate),
    "lecture": ("lecture.html", "lecture page with fibre slider", write_lecture),
    "python": ("model.py", "Python", write_python),
    "command": ("model.sh", "command line", write_command),
    "lavaan": ("model.lav", "lavaan", write_by_export("lavaan")),
    "dagitty": ("model.dagitty", "dagitty", write_by_export("dagitty")),
    "bif": ("model.bif", "BIF", write_by_export("bif")),
    "macaulay2": ("model.m2", "Macaulay2", write_by_export("macaulay2")),
}
"""What can be taken away: the name of a file, what it is, what writes it."""


def answer_write(fields: Fields) -> Answer:
    """The model as a file."""
    from algdim.memory import allow

    form = fields.get("form")
    if not isinstance(form, str) or form not in FORMS:
        raise InputError(f"there is no form {str(form)[:60]!r}; known are {join_names(FORMS)}")
    name, _, write = FORMS[form]
    with allow(SECONDS, MEMORY):
        content = write(read_subject(fields))
    if len(content) > MOST_CONTENT:
        raise LimitError(
            f"{name} would have {len(content)} characters; at most {MOST_CONTENT} are sent; ask the command"
        )
    return {"name": name, "content": content}


PAPERS = ("GHM96", "HM97", "KZ02", "CH96", "MH97")
"""The papers whose models come first in the gallery."""


STARTS = (
    ("latent classes", "H -> X1..X4; hidden H; states H=3"),
    ("network with hidden variables", "A -> C <- H -> D <- B; hidden H"),
    ("factor analysis", "gaussian: F -> X1..X4; hidden F; means off"),
    ("structural equations", "gaussian: F -> X1..X3; G -> Y1..Y3; F -> G; X1 <-> Y1; hidden F, G; means off"),
    ("instrument, with correlated errors", "gaussian: Z -> X -> Y; X <-> Y; means off"),
    ("mixture of regressions", "conditional-gaussian: X -> Y; H -> X, Y; hidden H; states H=2"),
    ("Gaussian mixture", "latent-profile: H -> X1, X2; hidden H; states H=3"),
    ("item response, Rasch", "H -> X1..X5; hidden H; states H=3; rasch X1..X5"),
    ("logistic network", "sigmoid: H1, H2 -> X1..X4; hidden H1, H2"),
    ("noisy-or", "noisy-or: {A},{B} -> E1, E2, E3; hidden A, B"),
    ("cognitive diagnosis", "diagnosis DINA: items 100, 010, 001, 110, 101"),
    ("hidden Markov model", "hmm: states 2, items 3, length 4, homogeneous"),
    ("tree of species", "phylo K2P: ((A,B),(C,D))"),
    ("classifier", "classifier Y: Y -> X1, X2, X3"),
    ("log-linear model", "loglinear: {X1,H}, {X2,H}, {X3,H}; hidden H"),
    ("sum of counts", "poisson: {A,B},{B,C} -> E"),
)
"""A model of each family, and of each kind that has a name of its own: whoever starts from one has chosen its family."""


def answer_gallery(fields: Fields) -> Answer:
    """The catalogue, the papers' models first, each with a small picture; and what a drawing can become."""
    from algdim.models.catalogue import list_catalogue_entries

    del fields
    order = {paper: number for number, paper in enumerate(PAPERS)}
    entries = sorted(list_catalogue_entries(), key=lambda one: order.get(one.citation.split()[0], len(PAPERS)))
    models = [
        {
            "name": entry.name,
            "title": entry.title,
            "citation": entry.citation,
            "remark": entry.remark,
            **show_model(entry.notation),
        }
        for entry in entries
    ]
    return {
        "starts": [{"title": title, **show_model(text)} for title, text in STARTS],
        "models": models,
        "forms": [{"form": form, "title": title} for form, (_, title, _) in FORMS.items()],
    }


def show_model(text: str) -> Answer:
    """A model with a small picture; without one if it has no graph, or a very large one."""
    try:
        return {"text": text, "picture": write_picture(read_text(text))}
    except AlgdimError:
        return {"text": text, "picture": None}


QUESTIONS: Mapping[str, Callable[[Fields], Answer]] = {
    "read": answer_read,
    "dim": answer_dim,
    "constraints": answer_constraints,
    "what-if": answer_what_if,
    "score": answer_score,
    "write": answer_write,
    "gallery": answer_gallery,
}
"""What can be asked, by name."""


FIRST = (
    {"question": "dim", "text": "2:2,2"},
    {"question": "constraints", "text": "gaussian: H -> A, B, C, D; hidden H"},
    {"question": "constraints", "text": "A -> C <- H -> D <- B; hidden H"},
    {"question": "dim", "text": "classifier Y: Y -> A, B"},
    {"question": "read", "text": "A <- H -> B; hidden H"},
)
"""Answered before anybody asks: what is loaded for them takes neither the time nor the memory of the first question."""


def main() -> None:
    """Answer questions until there are no more."""
    answers = open_answers()
    for one in FIRST:
        answer_question(one)
    # a few models need it, and nobody is to wait for it
    Thread(target=import_module, args=("networkx",), daemon=True).start()
    answer_lines(answers, answer_question, MEMORY)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the server has gone: there is nobody to tell
        raise SystemExit(0) from None
