"""What the fuzzer feeds: every reader of texts and files, with texts to begin from.

A format that `algdim.readers.formats.FORMATS` learns is fed from then on, with the files of examples/ and tests/corpora/ that
have its suffix and the texts of `SAMPLES`. What reads a file is given the path of one, and may open no other.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from classical_sems import CLASSICS

import algdim
from algdim.certificate import checker
from algdim.families.discrete.model import Network
from algdim.families.gaussian import reading as gaussianparameters
from algdim.families.gaussian.model import Gaussian
from algdim.fitting.samples import read_sample
from algdim.maps import map_of
from algdim.memory import parse_memory_size
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary
from algdim.models.notation import to_text
from algdim.readers import parameters
from algdim.readers.anything import read_model_text
from algdim.readers.formats import FORMATS, PACKED, read_file
from algdim.tables.spec import read_spec
from algdim_papers.claims import reading
from hunting import stores, uses
from hunting.random_models import KINDS, model_of

ROOT = Path(__file__).parents[1]
FOLDERS = (ROOT / "examples", ROOT / "tests" / "corpora")

DISCRETE = algdim.model("A -> X <- H -> Y; hidden H; states X=3")
SIGMOID = algdim.model("sigmoid: A -> X <- H -> Y; hidden H")
NOISY = algdim.model("noisy-or: {A},{B},{} -> E")
SHARED = algdim.model("H -> X, Y; share s: X, Y; hidden H; equal t=P(X=0|H=1), P(H=0)")
GAUSSIAN = algdim.model("gaussian: F -> X1, X2 <-> X3; hidden F")
NAMED = ("a", "b", "c.1")


@dataclass(frozen=True, slots=True)
class Target:
    """A reader, the texts that cases are made from, and the suffix of the file that it reads, if it reads one."""

    run: Callable[[Any], object]
    seeds: tuple[bytes, ...]
    suffix: str | None = None
    share: int = 1
    """How often it is chosen, beside the others."""
    prepared: Callable[[bytes], bytes] = bytes
    """What becomes of a text before it is read."""
    beside: str | None = None
    """What the name of a file has at its end that may be written beside the one that is read."""


def read_notation(data: bytes) -> None:
    """Read a model in the notation, print it and read that again."""
    model = read_model_text(data.decode("utf-8", "replace"))
    if len(data) < 300:
        check_text(model)


def check_text(model: Any) -> None:
    """Raise unless a model that is not large prints as a text that is read as the same model."""
    if len(getattr(model, "variables", ())) < 30 and read_model_text(to_text(model)) != model:
        raise AssertionError(f"the text {to_text(model)} is another model")


def map_notation(data: bytes) -> None:
    """Read a model and make its map, where that is not large."""
    model = read_model_text(data.decode("utf-8", "replace"))
    if len(getattr(model, "variables", ())) < 30:
        algdim.dimension(model, bounds="counting,ambient", max_memory="2M") if len(data) < 60 else map_of(model)


def read_dictionary(data: bytes) -> None:
    """Read a dictionary that need not come from a strict reader of JSON: numbers may be floats, NaN and infinity too."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return
    read_model_dictionary(document)


def read_graph(data: bytes) -> None:
    """Read a graph of networkx whose nodes and attributes are of any kind."""
    import networkx as nx

    try:
        document = json.loads(data)
        graph = nx.DiGraph()
        for node, attributes in document["nodes"]:
            graph.add_node(node, **attributes)
        graph.add_edges_from(document["edges"])
        graph.graph.update(document.get("graph", {}))
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError, nx.NetworkXError):
        return
    algdim.model(graph)


def read_certificate(data: bytes) -> None:
    """Check a certificate: one that is accepted claims what is so."""
    code, reason = checker.verdict(data)
    if len(reason) > 5000 or code not in (0, 1, 2):
        raise AssertionError(f"{code}: {reason[:200]}")
    if code == 0:
        claim = json.loads(data)["claim"]
        known = known_claims().get(json.dumps(claim["model"], sort_keys=True))
        if known is not None and known != claim["dimension"]:
            raise AssertionError(f"a certificate of dimension {claim['dimension']} is accepted where {known} is true")


def packed(data: bytes) -> bytes:
    """A text that is packed, or half of the time one whose file only says so."""
    return gzip.compress(data, 1) if sum(data) % 2 else data


def read_size(data: bytes) -> None:
    """Read an amount of memory."""
    parse_memory_size(data.decode("utf-8", "replace"))


def read_claims(data: bytes) -> None:
    """Read a file of claims."""
    reading.read(data.decode("utf-8", "replace"), "fuzz")


def notations() -> tuple[bytes, ...]:
    """Texts of random models, and those that tests call wrong."""
    models = [model_of("fuzz", number)[1] for number in range(20 * len(KINDS))]
    bad = (ROOT / "tests" / "corpora" / "notation_bad.txt").read_text(encoding="utf-8").splitlines()[1:]
    texts = [*map(to_text, models), *(line.split(" ### ")[0].replace("\\n", "\n") for line in bad)]
    return tuple(text.encode() for text in texts)


def documents() -> tuple[bytes, ...]:
    """Model files of random models."""
    models = [model_of("fuzz", number)[1] for number in range(10 * len(KINDS))]
    return tuple(json.dumps(convert_model_to_dictionary(model)).encode() for model in models)


def files(suffix: str) -> tuple[bytes, ...]:
    """The files of a suffix, below some size."""
    found = [path for folder in FOLDERS for path in sorted(folder.rglob(f"*{suffix}"))]
    return tuple(path.read_bytes() for path in found if path.stat().st_size < 20_000)


def certificates(folder: str = ".") -> tuple[bytes, ...]:
    """Certificates that tests know, all or those of one verdict, and those of some of the papers' models."""
    corpora = ROOT / "tests" / "corpora" / "certificates" / folder
    paths = [*sorted(corpora.rglob("*.json")), *sorted((ROOT / "proofs" / "certificates").rglob("*.json"))[:40]]
    return tuple(path.read_bytes() for path in paths if path.stat().st_size < 6000 and path.name != "reasons.json")


@cache
def known_claims() -> dict[str, int]:
    """The dimension that accepted certificates prove, by model; made when a hostile one is accepted for the first time."""
    found = {}
    for data in certificates("accepted"):
        if checker.verdict(data)[0] == 0:
            claim = json.loads(data)["claim"]
            found[json.dumps(claim["model"], sort_keys=True)] = claim["dimension"]
    return found


def numbers() -> dict[str, tuple[bytes, ...]]:
    """Parameter files by what reads them."""
    halves = {"A": [["1/2", "1/2"]], "H": [[0.25, 0.75]]}
    tables = {**halves, "X": [["1/2", "1/4", "1/4"]] * 4, "Y": [[1, 0], ["1e-3", "0.999"]]}
    weights = {**halves, "X": {"a": -0.5, "b": {"A": "3/2", "H": 1}}, "Y": {"a": 1, "b": {"H": 0}}}
    weights = {**weights, "A": {"a": 1}, "H": {"a": "1/3"}}
    return {
        "discrete": (json.dumps(tables).encode(),),
        "sigmoid": (json.dumps(weights).encode(),),
        "noisy": (
            json.dumps({"A": [[0.5, 0.5]], "B": [[1, 0]], "E": {"leak": 0.1, "q": {"A": 0.5, "B": 0}}}).encode(),
        ),
        "shared": (json.dumps({"H": [["1/2", "1/2"]], "s": [[0.1, 0.9], ["1/2", "1/2"]]}).encode(),),
        "gaussian": ((ROOT / "examples" / "gaussian-parameters.json").read_bytes(),),
        "named": (json.dumps({"a": 1, "b": "1/2", "c.1": -0.25}).encode(),),
    }


PARAMETER_READERS: Mapping[str, Callable[[Path], object]] = {
    "discrete": lambda path: parameters.read_parameters(path, discrete(DISCRETE)),
    "sigmoid": lambda path: parameters.read_parameters(path, discrete(SIGMOID)),
    "noisy": lambda path: parameters.read_parameters(path, discrete(NOISY)),
    "shared": lambda path: parameters.read_parameters(path, discrete(SHARED)),
    "gaussian": lambda path: gaussianparameters.read_parameters(path, gaussian(GAUSSIAN)),
    "named": lambda path: parameters.read_named_parameters(path, NAMED),
}


def discrete(model: Any) -> Network:
    """A model that is known to be discrete."""
    assert isinstance(model, Network)
    return model


def gaussian(model: Any) -> Gaussian:
    """A model that is known to be Gaussian."""
    assert isinstance(model, Gaussian)
    return model


def parquet() -> tuple[bytes, ...]:
    """A small Parquet file; nothing where pyarrow is not installed."""
    try:
        import pyarrow as pa
        from pyarrow import parquet as pq
    except ImportError:
        return ()
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"A": [0, 1, 1], "X": ["a", "b", "c"], "Y": [0.0, 1.0, None]}), sink)
    return (sink.getvalue().to_pybytes(),)


XML = """<?xml version="1.0"?>
<!DOCTYPE BIF [ <!ELEMENT BIF (NETWORK)*> <!ATTLIST BIF VERSION CDATA #REQUIRED> ]>
<BIF VERSION="0.3"><NETWORK><NAME>n</NAME>
<VARIABLE TYPE="nature"><NAME>A</NAME><OUTCOME>no</OUTCOME><OUTCOME>yes</OUTCOME></VARIABLE>
<VARIABLE TYPE="nature"><NAME>B</NAME><OUTCOME>0</OUTCOME><OUTCOME>1</OUTCOME></VARIABLE>
<DEFINITION><FOR>A</FOR><TABLE>0.5 0.5</TABLE></DEFINITION>
<DEFINITION><FOR>B</FOR><GIVEN>A</GIVEN><TABLE>0.1 0.9 0.7 0.3</TABLE></DEFINITION>
</NETWORK></BIF>
"""
BOMB = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(12))

SAMPLES: Mapping[str, tuple[str, ...]] = {
    "lavaan": tuple(model.text for model in CLASSICS.values()),
    "xmlbif": (
        XML,
        XML.replace("<!ELEMENT", f'<!ENTITY e0 "x"> {BOMB} <!ELEMENT').replace("<NAME>A<", "<NAME>&e12;<"),
        XML.replace("<!ELEMENT", '<!ENTITY e SYSTEM "file:///etc/hostname"> <!ELEMENT').replace(">no<", ">&e;<"),
    ),
    "digraph6": ("&DI?AO?", ">>digraph6<<&B?G", "&AG"),
    "graph6": ("DQc", ">>graph6<<C~", "A_", "~?@c"),
    "polca": ("f <- cbind(A,B,C) ~ 1\npoLCA(f, data, nclass=3)", "cbind(Y1, Y2) ~ X", "cbind(A,B)~1"),
}
"""Texts by format, of formats of which the project has no files."""

CSVS = (
    b"A,X,Y,count\n0,0,0,3\n1,2,1,4\n0,1,1,1\n",
    b"A;X;Y\nno;a;1\nyes;b;0\nno;c;1\n",
    b'"A","X","Y"\n"0","1",""\n1,2,NA\n',
    b"1,2,3\n0,1,0\n",
)
NUMBER_CSVS = (
    b"A,X,Y,count\n0.5,0,3,2\n1.5,2,1,1\n-2,1,0,4\n1e3,0,7,1\n",
    b"A;X;Y\n1;a;1\n2;b;0\n3.5;c;4\n3.5;a;4\n",
    b"A,X,Y\n0,1,0\n1,1,1\n0,0,1\n0,1,0\n",
)
COLUMNS = (
    b'{"A": [0, 1, 1], "X": ["a", "b", "c"], "Y": [0.0, 1.0, null], "count": [1, 2.5, 3]}',
    b"[[0, 2, 1], [1, 1, 0], [0, 0, 0]]",
)
GRAPHS = tuple(
    json.dumps(one).encode()
    for one in (
        {
            "nodes": [["H", {"states": 2, "hidden": True}], ["X", {"states": 3}], ["Y", {}]],
            "edges": [["H", "X"], ["H", "Y"]],
            "graph": {"given": []},
        },
        {
            "nodes": [["A", {}], ["B", {}], ["E", {"local": {"type": "noisy-or"}}]],
            "edges": [["A", "E"], ["B", "E"]],
            "graph": {"order": ["A"]},
        },
        {
            "nodes": [["A", {"observed": False}], ["B", {"parents": ["A"], "local": {"type": "sigmoid"}}]],
            "edges": [["A", "B"]],
        },
    )
)
SPECS = (
    b'models = ["3:2,2,2,2", {model = "w", label = "W"}]\ncolumns = ["standard", "dimension"]\ncaption = "c"\n',
    b'models = ["2:2,2"]\n[heads]\ndimension = "d"\n[[bold]]\ncolumn = "dimension"\nwhen = "defect > 0"\n',
)
LISTS = (b'label,model\nfirst,"3:2,2,2,2"\n,2:2^3\n',)


def all_targets() -> dict[str, Target]:
    """Every target by name."""
    texts, models = notations(), documents()
    found = {
        "notation": Target(read_notation, texts, share=6),
        "map": Target(map_notation, texts),
        "dictionary": Target(read_dictionary, models, share=3),
        "graph": Target(read_graph, GRAPHS),
        "certificate": Target(read_certificate, certificates(), share=2),
        "size": Target(read_size, (b"4G", b"500MB", b"1000")),
        "claims": Target(
            read_claims, tuple(path.read_bytes()[:4000] for path in (ROOT / "algdim_papers" / "claims").glob("*.toml"))
        ),
        "table (TOML)": Target(lambda path: read_spec(str(path)), SPECS, ".toml"),
        "table (CSV)": Target(lambda path: read_spec(str(path)), LISTS, ".csv"),
        "data": Target(lambda path: read_sample(path, discrete(DISCRETE)), CSVS, ".csv", 2),
        "store (pages)": Target(stores.use, stores.pages(), ".sqlite", beside=stores.LOCK),
        "store (values)": Target(stores.use, stores.documents(), ".sqlite", 2, stores.database, beside=stores.LOCK),
        "data (dictionary)": Target(uses.columns, COLUMNS),
        "score": Target(uses.scored, CSVS, ".csv"),
        "select": Target(uses.chosen, CSVS, ".csv"),
        "identify with data": Target(uses.identified, CSVS, ".csv"),
        "identify": Target(uses.determined, texts),
        "compare": Target(uses.compared, (*uses.PAIRS, *(text + b" versus " + text for text in texts))),
        "export": Target(uses.exported, texts, share=2),
        "sweep": Target(uses.swept, uses.SWEEPS),
        "sweep (list)": Target(uses.listed, uses.MODEL_LISTS, ".txt"),
        "sweep (CSV)": Target(uses.listed, LISTS, ".csv"),
        "condition": Target(uses.condition, uses.CONDITIONS),
        "data with gaps": Target(lambda path: read_sample(path, discrete(DISCRETE), missing=True), CSVS, ".tsv"),
    }
    own = {"json": models, **{name: tuple(map(str.encode, samples)) for name, samples in SAMPLES.items()}}
    for name, form in FORMATS.items():
        suffix = form.suffixes[0]
        # without a text of its own a format is fed with those of the others
        seeds = (*own.get(name, ()), *files(suffix)) or (*models, *texts)
        found[f"model file {suffix}"] = Target(read_file, seeds, suffix, 2)
        found[f"model file {suffix}{PACKED}"] = Target(read_file, seeds, suffix + PACKED, 1, packed)
    found["model file of any format"] = Target(read_file, (*own["lavaan"], *models[:20]), ".txt")
    given = numbers()
    for name, read in PARAMETER_READERS.items():
        found[f"parameters ({name})"] = Target(read, given[name], ".json")
    for number, text in enumerate(uses.DATA_MODELS):
        name = f"fit ({text.partition(':')[0] if ':' in text else text})"
        seeds = CSVS if text == uses.DATA_MODELS[0] else (*CSVS, *NUMBER_CSVS)
        found[name] = Target(uses.fitted(number), seeds, ".csv")
    for number, (text, seeds) in enumerate(zip(uses.AT_MODELS, uses.fits(), strict=True)):
        name = f"parameters of a fit ({text.partition(':')[0] if ':' in text else 'discrete'})"
        found[name] = Target(uses.at_parameters(number), seeds, ".json")
    columns = parquet()
    if columns:
        found["fit (Parquet)"] = Target(uses.fitted(0), columns, ".parquet")
        found["data (Parquet)"] = Target(lambda path: read_sample(path, discrete(DISCRETE)), columns, ".parquet")
    return found
