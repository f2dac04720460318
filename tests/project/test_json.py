"""The page about JSON: every key and every word for a verdict that commands print stands there, and nothing else does."""

from __future__ import annotations

import ast
import json
import re

import pytest
from amount import daily
from packages import PAPERS, ROOT, modules
from sources import nodes_of

from algdim.cli import build_parser, main
from algdim.explanation.comparing import EQUAL, NESTED, NOT_NESTED, UNDECIDED
from algdim.explanation.constraints import list_equation_titles
from algdim.families import FOLDERS
from algdim.families.discrete.trees import CAPPED, DELETED, SPLICED
from algdim.identifiability.classification import FINITE, NOT, RELABELLING, UNKNOWN
from algdim.sweeping import tasks
from algdim_papers.claims.reading import VERDICTS

DOCS = ROOT / "docs"
LINK = re.compile(r"\]\(([a-z-]+\.md)?(?:#([a-z0-9-]+))?\)")

AT = str(ROOT / "examples" / "two-classes.json")
CLASSIFIER = "classifier Y: Y -> X"
SWEEP = "sweep|lc cells<=8|--store|s.sqlite|--workers|1"
RUNS = (
    "dim|3:2,2,2,2",
    "dim|2:2,2|--method|rowreduce|--show",
    "dim|latent-profile: H -> X1, X2; hidden H",
    f"dim|2:2^4|--at|{AT}",
    "bounds|9:4,2,2",
    "bounds|3:2,2,2,2",
    "decompose|5(2,3(2,2),3(2,2))",
    "decompose|3(2,3(2))",
    "decompose|A -> B; C -> D -> E; hidden D",
    "decompose|classifier-figure-2a",
    f"decompose|{CLASSIFIER}|--at|class.json",
    "map|2:2|--jacobian",
    "map|gaussian: A -> B",
    "identify|gaussian: H -> X1, X2; hidden H",
    "identify|3:2,2,2,2",
    "identify|2:2^4|--data|data.csv",
    f"identify|2:2^4|--at|{AT}",
    "compare|A -> B -> C|A -> B -> C <- A",
    "compare|gaussian: A, B|gaussian: H -> A, B; hidden H",
    "compare|gaussian: A, B; means off|gaussian: H -> A, B; hidden H; means off; fix b(H->A)=1, b(H->B)=1",
    "explain|3:2,2,2,2",
    "explain|gaussian: H -> A, B, C, D; hidden H",
    "constraints|verma",
    "constraints|max: {C1,C2},{C3} -> E",
    "constraints|gaussian: F, G -> A, B, C, D, E; hidden F, G; means off",
    "export|A -> B|--to|bif",
    "prove|2:2,2|-o|proof.json|--quiet",
    "verify|proof.json|data.csv",
    "models|triangle",
    "fit|data.csv|2:2^4",
    "fit|numbers.csv|gaussian: A -> B",
    f"simulate|2:2^4|--at|{AT}|-n|2",
    "score|data.csv|2:2^4",
    "score|numbers.csv|gaussian: A -> B",
    "select|data.csv|--classes|1..2",
    "reproduce|KZ02",
    "table|table.toml",
    "check|claims.md",
    "rowreduce|2:2|--points|2",
    SWEEP,
    "query|s.sqlite|--count",
    "cite|HM97",
    "lookup|3:2,2,2,2",
    "doctor",
)
WITHOUT = {"completion", "man", "studio"}
"""Commands that have no JSON, and one that runs until it is ended."""

NAMED = frozenset(
    "coordinates treks jacobian moves at point points states columns counts outcomes scores reasons weights "
    "identifiable packages environment inputs phi_values rows".split()
)
"""Keys whose values may have names of variables, of scores and the like for keys."""
ELSEWHERE = frozenset({"claim", "model", "parameters", "expected"})
"""Keys whose values are described on other pages: the format of certificates, model files, parameter files."""
FILES = {
    "claims.md": "|model|dimension|df|\n|-|-|-|\n|3:2^4|13|1|\n\n|a|\n|-|\n",
    "class.json": json.dumps({"Y": [["1/2", "1/2"]], "X": [["1/3", "2/3"], ["1/5", "4/5"]]}),
    "numbers.csv": "A,B\n1,2\n2,1\n3,5\n4,4\n",
    "table.toml": 'models = ["2:2,2"]\n[[footnote]]\ncolumn = "standard"\nwhen = "standard > complete"\ntext = "many"\n',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with what the commands read."""
    path = tmp_path_factory.mktemp("json")
    for name, text in FILES.items():
        (path / name).write_text(text, encoding="utf-8")
    return path


def printed(arguments, capsys):
    """The document that a command prints."""
    main([*arguments, "--json"])
    return json.loads(capsys.readouterr().out)


def keys_of(value, named=False):
    """All keys of a document but those that are names."""
    if isinstance(value, list):
        for item in value:
            yield from keys_of(item, named)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if not named:
                yield key
            if key == "evidence":
                yield from (inner_key for inner_key in ("kind", "reason") if inner_key in inner)
            elif named or key not in ELSEWHERE or not isinstance(inner, dict):
                yield from keys_of(inner, named=not named and key in NAMED and is_named(key, inner))


def is_named(key, value):
    """Whether a value has names for keys; lists of records, as the parameters of `identify`, have not."""
    own = {"at": "rank", "point": "label"}.get(key)
    return key in ("points", "rows") or (isinstance(value, dict) and own not in value)


def section(page, heading):
    """The text of a section, to the next heading of its kind."""
    text = (DOCS / page).read_text(encoding="utf-8")
    for part in re.split(r"^(?=##+ )", text, flags=re.MULTILINE):
        title = part.partition("\n")[0]
        if re.sub(r"[^a-z0-9-]", "", title.lower().lstrip("# ").replace(" ", "-")) == heading:
            return part
    raise AssertionError(f"{page} has no section {heading}")


def described(command):
    """What the page says of a command: its section, and the sections that this one names."""
    text = (DOCS / "json.md").read_text(encoding="utf-8")
    own = next(
        part
        for part in re.split(r"^(?=## )", text, flags=re.MULTILINE)
        if command in re.split(r"[^a-z]+", part.partition("\n")[0])
    )
    linked = [section(page or "json.md", anchor) for page, anchor in LINK.findall(own) if anchor]
    return "\n".join([text.partition("## ")[0], own, *linked])


@pytest.mark.parametrize("run", daily(RUNS, 14))
def test_every_key_is_described(run, folder, capsys, monkeypatch):
    """Each key stands in the section of its command, or in one that the section names, in the type of code."""
    monkeypatch.chdir(folder)
    if not (folder / "data.csv").exists():
        main(["simulate", "2:2^4", "--at", AT, "-n", "100", "--seed", "1"])
        (folder / "data.csv").write_text(capsys.readouterr().out, encoding="utf-8")
    arguments = run.split("|")
    if arguments[0] == "query":
        assert 0 == main(SWEEP.split("|"))
        capsys.readouterr()
    text = described(arguments[0])
    if arguments[0] in ("fit", "score", "select"):
        text += described("fit") + described("score")
    if arguments[0] in ("decompose", "explain"):
        text += described("dim") + described("constraints")
    words = set(re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)))

    assert "" == ", ".join(sorted({key for key in keys_of(printed(arguments, capsys)) if key not in words}))


def test_every_command_is_run():
    """None is left out of the test, and each has a section."""
    names = set(next(action for action in build_parser()._actions if action.dest == "command").choices) - WITHOUT

    assert names == {run.partition("|")[0] for run in RUNS}
    assert all(described(name) for name in names)


WORDS = {
    "reproduce": VERDICTS,
    "compare": (EQUAL, NESTED, NOT_NESTED, UNDECIDED),
    "constraints": tuple(kind for family in FOLDERS for kind in list_equation_titles(family)),
    "bounds": (RELABELLING, FINITE, NOT, UNKNOWN),
    "decompose": (CAPPED, SPLICED, DELETED),
    "sweep": (tasks.DONE, tasks.FAILED, tasks.REFUSED, tasks.TIMEOUT, tasks.MEMORY, tasks.DIED),
    "verify": ("accepted", "invalid", "unreadable"),
    "fit": ("absolute", "relative", "iterations", "given"),
    "identify": ("parameter", "sum", "product", "coordinate"),
}


@pytest.mark.parametrize("command", WORDS)
def test_every_word_is_described(command):
    """The words for verdicts, kinds and outcomes are those of the code."""
    own = described(command)

    assert [] == [word for word in WORDS[command] if f"`{word}`" not in own and f"*{word}*" not in own]


def test_no_verdict_is_invented():
    """The table of verdicts has those of the code and no other."""
    rows = re.findall(r"^\| (`.*`) \|", described("reproduce"), flags=re.MULTILINE)

    assert sorted(VERDICTS) == sorted(re.findall(r"`([^`]+)`", " ".join(rows[1:])))


def names_without_attributes(classes):
    """What records say of their JSON form, in `_json` or to `convert_members(self, …)`, and do not have."""
    by_name = {one.name: one for one in classes}

    def attributes(name):
        one = by_name.get(name)
        if one is None:
            return set()
        own = {node.name for node in one.body if isinstance(node, ast.FunctionDef)}
        own |= {node.target.id for node in one.body if isinstance(node, ast.AnnAssign)}
        return own.union(*(attributes(ast.unparse(base).split("[")[0]) for base in one.bases))

    for one in classes:
        said = [node.value for node in one.body if isinstance(node, ast.AnnAssign) and node.target.id == "_json"]
        for node in ast.walk(one):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "convert_members":
                said += node.args[1:] if ast.unparse(node.args[0]) == "self" else []
        for word in " ".join(text.value for text in said if isinstance(text, ast.Constant)).split():
            first = word.rstrip("?").partition("=")[2] or word.rstrip("?")
            if first.split(".")[0] not in attributes(one.name):
                yield f"{one.name}: {word}"


def test_records_have_what_their_json_form_names():
    """No name leads nowhere: a type checker does not see them."""
    engine = [path for path in modules() if PAPERS not in path.parts]  # there a name stands for one class
    classes = [node for path in engine for node in nodes_of(path) if isinstance(node, ast.ClassDef)]
    assert not list(names_without_attributes(classes))

    offence = ast.parse("class A:\n x: int\n _json: str = 'x y=x.z z? w=u.v'").body
    assert list(names_without_attributes(offence)) == ["A: z?", "A: w=u.v"]
