"""Models of evolution on trees and networks: dimensions from print, ranks by a pruning of their own, and what is refused."""

from __future__ import annotations

from functools import reduce

import brute
import numpy as np
import pytest
from amount import daily

import algdim
from algdim.errors import InputError, LimitError
from algdim.models.notation import parse, to_text

CLAW, QUARTET, FIVE = "(A,B,C)", "((A,B),(C,D))", "((A,B),C,(D,E))"
SUNLET = "((A,#B),((#B,C),D))"

PRINTED = [
    # group-based models: as many as edges times free eigenvalues (Sturmfels and Sullivant 2005)
    *((f"phylo CFN: {tree}", edges) for tree, edges in ((CLAW, 3), (QUARTET, 5), (FIVE, 7))),
    *((f"phylo JC69: {tree}", edges) for tree, edges in ((CLAW, 3), (QUARTET, 5), (FIVE, 7))),
    *((f"phylo K2P: {tree}", 2 * edges) for tree, edges in ((CLAW, 3), (QUARTET, 5), (FIVE, 7))),
    *((f"phylo K3P: {tree}", 3 * edges) for tree, edges in ((CLAW, 3), (QUARTET, 5), (FIVE, 7))),
    # the general Markov model: k - 1 and k(k - 1) for each edge (Allman and Rhodes 2003)
    ("phylo GM2: (A,B,C)", 7),
    ("phylo GM2: ((A,B),(C,D))", 11),
    ("phylo GM: (A,B,C)", 39),
    ("phylo GM: ((A,B),(C,D))", 63),
    # with invariable sites: 1 + 3 more (Allman and Rhodes 2008)
    ("phylo GM: ((A,B),(C,D)); invariable", 67),
    # strand symmetry: 1 and 6 for each edge (Casanellas and Sullivant 2005)
    ("phylo SSM: (A,B,C)", 19),
    ("phylo SSM: ((A,B),(C,D))", 31),
    # a clock: a number for each time of branching (Casanellas, Garcia and Sullivant 2005, the catalogue of small trees)
    ("phylo JC69: ((A,B),C); clock", 2),
    ("phylo JC69: ((A,B),(C,D)); clock", 3),
    ("phylo JC69: (((A,B),C),D); clock", 3),
    ("phylo K2P: ((A,B),C); clock", 4),
    ("phylo K3P: ((A,B),C); clock", 6),
    # networks with one cycle, no triangle: edges less cycles, times free eigenvalues (Gross, Krone and Martin 2024)
    (f"phylo JC69: {SUNLET}", 7),
    (f"phylo K2P: {SUNLET}", 14),
    (f"phylo K3P: {SUNLET}", 21),
    ("phylo JC69: ((A,(E,#B)),((#B,C),D))", 9),
    # mixtures of Jukes and Cantor's model on a claw fill the space of its linear invariants, 4 + 1 (Steel and Fu 1995)
    ("phylo JC69: (A,B,C); classes 2", 4),
]


@pytest.mark.parametrize(("text", "printed"), daily(PRINTED, 8))
def test_printed_dimensions(text, printed):
    """The numbers of the literature, proved."""
    report = algdim.dimension(text)

    assert (printed, True) == (report.dimension, report.exact)


def test_linear_invariants_of_the_quartet():
    """Three classes fill the 13-dimensional space that Steel and Fu (1995) count for four leaves, proved."""
    report = algdim.dimension("phylo JC69: ((A,B),(C,D)); classes 3")

    assert (12, 17, True) == (report.dimension, report.standard, report.exact)
    assert "span" == report.upper.kind


# Ranks by pruning: matrices by definition, likelihoods from the leaves to the root, derivatives by complex steps.


def jukes_cantor(x):
    """All changes alike."""
    return np.eye(4) * (1 - 4 * x[0]) + x[0]


def kimura(x):
    """Three kinds of changes; A, C, G, T are the elements of Klein's group."""
    return np.array([[(1 - sum(x), *x)[i ^ j] for j in range(4)] for i in range(4)])


def felsenstein(x, pi):
    """With chance x a draw from the equilibrium."""
    return np.eye(4) * (1 - x[0]) + x[0] * np.ones((4, 1)) * pi


def reversible(x, pi):
    """Symmetric rates times the equilibrium."""
    rates = np.zeros((4, 4), dtype=complex)
    rates[np.triu_indices(4, 1)] = x
    found = (rates + rates.T) * pi
    return found + np.diag(1 - found.sum(axis=1))


def strands(x):
    """Rows of T and G are those of A and C, turned around."""
    rows = []
    for own, free in ((0, x[:3]), (1, x[3:])):
        row = list(free)
        row.insert(own, 1 - sum(free))
        rows.append(row)
    return np.array([rows[0], rows[1], rows[1][::-1], rows[0][::-1]])


def prune(tree, take, matrix):
    """The array of the chances of the leaves below, the state of the root on the first axis."""
    if isinstance(tree, str):
        return np.eye(4, dtype=complex)
    below = [np.tensordot(matrix(take), prune(one, take, matrix), axes=(1, 0)) for one in tree]
    return reduce(lambda a, b: a[(..., *[None] * (b.ndim - 1))] * b[(slice(None), *[None] * (a.ndim - 1))], below)


def rank_by_pruning(tree, edges, free, matrix, equilibrium):
    """The rank of the Jacobian at a random point."""
    rng = np.random.default_rng(5)
    count = edges * free + equilibrium
    point = rng.uniform(0.02, 0.15, count)

    def law(x):
        values = iter(x)
        pi = np.array([next(values) for _ in range(equilibrium)])
        pi = np.append(pi, 1 - pi.sum()) if equilibrium == 3 else np.full(4, 0.25)
        if equilibrium == 1:
            pi = np.array([x[0], 0.5 - x[0], 0.5 - x[0], x[0]])

        def edge(take):
            own = [next(take) for _ in range(free)]
            return matrix(own, pi) if equilibrium == 3 else matrix(own)

        return np.tensordot(pi, prune(tree, values, edge), axes=(0, 0)).ravel()

    rows = [law(point + 1e-30j * np.eye(count)[k]).imag / 1e-30 for k in range(count)]
    sizes = np.linalg.svd(np.array(rows), compute_uv=False)
    return int((sizes > 1e-9 * sizes[0]).sum())


TREES = [(("A", "B", "C"), CLAW, 3), (("A", "B", ("C", "D")), QUARTET, 5)]


@pytest.mark.parametrize(("tree", "text", "edges"), TREES)
@pytest.mark.parametrize(
    ("model", "free", "matrix", "equilibrium"),
    [
        ("JC69", 1, jukes_cantor, 0),
        ("K3P", 3, kimura, 0),
        ("SSM", 6, strands, 1),
        ("F81", 1, felsenstein, 3),
        ("GTR", 6, reversible, 3),
    ],
)
def test_ranks_by_pruning(tree, text, edges, model, free, matrix, equilibrium):
    """The same number by matrices of the textbook and floating-point derivatives."""
    report = algdim.dimension(f"phylo {model}: {text}")

    assert rank_by_pruning(tree, edges, free, matrix, equilibrium) == report.dimension
    assert edges * free + equilibrium == report.standard


def test_root_makes_no_difference():
    """Wherever it is, between two edges or at a node, the dimension is that of the tree without a root."""
    texts = ("((A,B),(C,D))", "(A,B,(C,D))", "(A,(B,(C,D)))", "(((A,B),C),D)")

    assert {(33, 33)} == {
        (report.dimension, report.standard) for report in (algdim.dimension(f"phylo GTR: {text}") for text in texts)
    }


@pytest.mark.parametrize(
    ("text", "by_hand"),
    [
        (
            "phylo GM2: ((A,B),C); clock",
            "R -> N, T; N -> A, B; T -> C; hidden R, N, T; share t2: N, T; share t1: A, B, C",
        ),
        ("phylo GM2: (A,B); clock", "R -> A, B; hidden R; share t1: A, B"),
        ("phylo GM: (A,B); clock", "R -> A, B; hidden R; states R=4, A=4, B=4; share t1: A, B"),
    ],
)
def test_a_clock_ties_free_matrices_too(text, by_hand):
    """All lineages have the same matrix in a slice, whatever its form: the tables of edges are shared."""
    dimension = brute.dimension(parse(by_hand))

    assert dimension == brute.dimension(parse(text)) == algdim.dimension(text).dimension
    assert dimension < algdim.dimension(text.replace("; clock", "")).dimension


def test_order_of_branching():
    """A clock on a balanced tree and on a caterpillar: matrices of the same slices, in another order."""
    model = algdim.model("phylo JC69: ((A,B),(C,D)); clock")
    labels = {label for variable in model.variables for _, label in variable.local.equal}

    assert {"t1.q", "t2.q", "t3.q"} == labels


def test_mixture_is_one_of_different_trees():
    """The same tree twice has the dimension of one tree with two classes; the text says it as short as it is."""
    twice = algdim.model("phylo JC69: ((A,B),(C,D)); ((A,B),(C,D))")

    assert "phylo JC69: ((A,B),(C,D)); classes 2" == to_text(twice)
    assert 11 == algdim.dimension(twice).dimension
    assert 11 == algdim.dimension("phylo JC69: ((A,B),(C,D)); ((A,C),(B,D))").dimension


@pytest.mark.parametrize(
    "text",
    [
        "phylo JC69: ((A,B),(C,D))",
        "phylo GTR: ((A,B)x,C); classes 2; invariable",
        "phylo F81: ((A,B),C); clock",
        f"phylo K2P: {SUNLET}; invariable",
        "phylo GM: ((A,B),(C,D)); ((A,C),(B,D))",
    ],
)
def test_round_trip(text):
    """The line is printed as it was read, and as clauses where something was changed."""
    model = parse(text)

    assert text == to_text(model)
    assert model == parse(to_text(model))
    hidden = algdim.model(text, hidden=["A"])
    assert "phylo" not in to_text(hidden)
    assert hidden == parse(to_text(hidden))


def test_files(tmp_path):
    """A file of Newick's format, with lengths, comments and quoted names; data have the letters."""
    path = tmp_path / "apes.nwk"
    path.write_text("[a tree] (('Homo sapiens':0.1,Pan:0.2)0.98:0.05,Gorilla:0.3,Pongo);\n", encoding="utf-8")
    model = algdim.model(path, format="newick:model=K2P")

    assert "phylo K2P: ((Homo_sapiens,Pan),Gorilla,Pongo)" == to_text(model)
    assert ("A", "C", "G", "T") == model.observed[0].labels
    assert "phylo CFN: (A,B); clock" == to_text(algdim.model("(A,B);", format="newick:model=CFN,clock"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("phylo JC: (A,B", "the parenthesis at position 11 is open"),
        ("phylo JC69: (A,A)", "the leaf A occurs twice"),
        ("phylo JC69: (A,)", "the name of a leaf"),
        ("phylo JC69: A", "a tree such as"),
        ("phylo JC69: (A)", "two leaves at least"),
        ("phylo JC69: (A,B); clock 3", "';' or the end"),
        ("phylo JC69: (A,B); classes", "the number of classes"),
        ("phylo JC69: (A,B); classes 99", "the number of classes"),
        ("phylo JC69: (A,B); clock; clock", "occurs twice"),
        ("phylo JC69: (A,B); (A,C)", "these differ in B, C"),
        ("phylo JC69: (A,B); (B,A); classes 2", "write each of several trees"),
        ("phylo JC68: (A,B)", "did you mean 'JC69'"),
        ("phylo HKY: (A,B)", "the nearest is TN93"),
        ("phylo GTR: ((A,B),C); clock", "products of its matrices"),
        ("phylo SYM: ((A,B),C); clock", "products of its matrices"),
        (f"phylo JC69: {SUNLET}; clock", "a clock is available on trees"),
        ("phylo JC69: ((A,#B),C)", "#B occurs once"),
        ("phylo: (A,B)", "'phylo MODEL:'"),
    ],
)
def test_what_is_refused(text, message):
    """What was given, what is allowed."""
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        parse(text)


@pytest.mark.slow
def test_what_is_too_large():
    """It is refused before tables are made."""
    leaves = ",".join(f"L{number}" for number in range(3000))
    with pytest.raises(LimitError, match="take fewer species"):
        parse(f"phylo JC69: ({leaves}); classes 50")
    with pytest.raises(LimitError, match="a parent in each tree"):
        parse(
            "phylo JC69: "
            + "; ".join(
                f"(({a},{b}),({c},{d}),E)"
                for a, b, c, d in ["ABCD", "ACBD", "ADBC", "EABC", "EBAC", "ECAB", "DEAB"]
                if "E" not in (a, b, c, d)
            )
            + "; ((E,A),(B,C),D); ((E,B),(A,C),D); ((E,C),(A,B),D); ((E,D),(A,B),C)"
        )


@pytest.mark.parametrize("model", ["CFN", "GM2"])
def test_trees_of_two_leaves_in_any_order(model):
    """Which leaf is written first says nothing, also where several trees are mixed."""
    mixed = [
        algdim.dimension(f"phylo {model}: {text}") for text in ("(A,B); (B,A)", "(B,A); (A,B)", "(A,B); classes 2")
    ]

    assert 1 == len({(one.dimension, one.standard) for one in mixed})


def test_a_tree_without_a_model(tmp_path):
    """It is asked for."""
    path = tmp_path / "tree.nwk"
    path.write_text("(A,B,C);", encoding="utf-8")
    with pytest.raises(InputError, match="newick:model=JC69"):
        algdim.model(path)


@pytest.mark.slow
def test_certificate_of_a_network():
    """The checker accepts the field that moves the mixing proportion."""
    certificate = algdim.prove(f"phylo JC69: {SUNLET}")

    assert 7 == certificate.dimension
    assert algdim.verify(certificate).accepted


NEXUS = """#NEXUS
[ written by a program ]
Begin taxa; dimensions ntax=4; taxlabels A B C D; end;
Begin trees;
  Translate
    1 Homo_sapiens,
    2 'Pan troglodytes',
    3 Gorilla,
    4 Pongo
  ;
  tree con_50 = [&U] [&W 1/2] (1[&prob=1]:0.1,2:0.2,(3:1e-3,4:0.2)[&prob=0.9]:0.1);
  {more}
END;
"""


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ("", "(Homo_sapiens,Pan_troglodytes,(Gorilla,Pongo))"),
        (
            "utree * 'a second' = ((1,3),2,4);",
            "(Homo_sapiens,Pan_troglodytes,(Gorilla,Pongo)); ((Homo_sapiens,Gorilla),Pan_troglodytes,Pongo)",
        ),
    ],
)
def test_nexus(more, line, tmp_path):
    """The trees of the block, numbers translated; several are a class of sites each, as in a Newick file."""
    for name in ("trees.nex", "trees.txt"):
        path = tmp_path / name
        path.write_text(NEXUS.replace("{more}", more), encoding="utf-8")
        assert f"phylo JC69: {line}" == to_text(algdim.model(path, format="newick:model=JC69"))
    assert f"phylo JC69: {line}" == to_text(
        algdim.model(NEXUS.replace("{more}", "[model JC69] " + more), format="newick")
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#NEXUS begin data; end;", "no block of trees"),
        ("#nexus begin trees; end;", "the block of trees has none"),
        ("#NEXUS\nbegin trees;\ntree a = (A,\n(B,C;\nend;", "line 4, column 5"),
        ("#NEXUS begin trees; translate 1 A, 2 A; tree a = (1,2); end;", "the leaf A occurs twice"),
    ],
)
def test_nexus_that_is_refused(text, message):
    """With the place in the file."""
    with pytest.raises(InputError, match=message):
        algdim.model(text, format="newick:model=JC69")
