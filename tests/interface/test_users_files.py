"""Files of users, from packages that anybody has: what algdim says of them beside the program that they were made for.

R scripts of lavaan on its own data sets, psych's data, the networks and graphs that pgmpy ships. The other program is
asked each time; only where it cannot be asked is the test skipped.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest
from amount import daily, first, in_turn
from classical_sems import CLASSICS
from real_lavaan import FOR_R, has, needs_lavaan
from shipped import shipped_files

import algdim
from algdim import AlgdimError, InputError, constraints

EQUAL_LOADINGS = """
ind60 =~ x1 + x2 + x3
dem60 =~ y1 + a*y2 + b*y3 + c*y4
dem65 =~ y5 + a*y6 + b*y7 + c*y8
dem60 ~ ind60
dem65 ~ ind60 + dem60
y1 ~~ y5
y2 ~~ y4 + y6
y3 ~~ y7
y4 ~~ y8
y6 ~~ y8
"""
BURNS = "Selfesteem ~ Age + HADS + RUM + Sex\nHADS ~ Age + TBSA + RUM + Sex\nRUM ~ Age + TBSA + Sex\n"
BIG_FIVE = "\n".join(f"{trait} =~ " + " + ".join(f"{trait}{number}" for number in range(1, 6)) for trait in "ACENO")

TESTS = {
    "spatial": "t01_visperc t02_cubes t03_frmbord t04_lozenges",
    "verbal": "t05_geninfo t06_paracomp t07_sentcomp t08_wordclas t09_wordmean",
    "speed": "t10_addition t11_code t12_countdot t13_sccaps",
    "memory": "t14_wordrecg t15_numbrecg t16_figrrecg t17_objnumb t18_numbfig t19_figword",
}
ABILITIES = "\n".join(f"{factor} =~ " + " + ".join(items.split()) for factor, items in TESTS.items())
SCHOLASTIC = "able =~ ACT + SATV + SATQ\nable ~ education + age\neducation ~ age\n"


class Script(NamedTuple):
    """What a script fits: a model, by a function of lavaan, with options, to a data set."""

    model: str
    function: str
    options: str
    data: str

    def text(self):
        """The script."""
        return (
            f"library(lavaan)\nmodel <- '{self.model}'\n"
            f"fit <- {self.function}(model{self.options}, data = {self.data})\n"
        )


def classic(name):
    """The text of a classical model, a line for each formula."""
    return CLASSICS[name].text.replace(";", "\n")


HOLZINGER = "HolzingerSwineford1939"
SCRIPTS = {
    "Holzinger": Script(classic("Holzinger-Swineford"), "cfa", "", HOLZINGER),
    "democracy": Script(classic("Bollen's democracy"), "sem", "", "PoliticalDemocracy"),
    "growth with covariates": Script(classic("growth with covariates"), "growth", "", "Demo.growth"),
    "Holzinger, unit variances": Script(classic("Holzinger-Swineford"), "cfa", ", std.lv = TRUE", HOLZINGER),
    "Holzinger, orthogonal": Script(classic("Holzinger-Swineford"), "cfa", ", orthogonal = TRUE", HOLZINGER),
    "Holzinger, means": Script(classic("Holzinger-Swineford"), "cfa", ", meanstructure = TRUE", HOLZINGER),
    "democracy, equal loadings": Script(EQUAL_LOADINGS, "sem", "", "PoliticalDemocracy"),
    "growth": Script(classic("growth"), "growth", "", "Demo.growth"),
    "burns": Script(BURNS, "sem", "", "FacialBurns"),
    "five factors": Script(BIG_FIVE, "cfa", "", "na.omit(psych::bfi[, 1:25])"),
    "four abilities": Script(ABILITIES, "cfa", "", "na.omit(psychTools::holzinger.swineford)"),
    "scholastic tests": Script(SCHOLASTIC, "sem", "", "na.omit(psychTools::sat.act)"),
}
TWO_LEVELS = "level: 1\nfw =~ y1 + y2 + y3\nlevel: 2\nfb =~ y1 + y2 + y3\n"


def said_by_r(program):
    """What R prints."""
    ended = subprocess.run(
        ["Rscript", "-"],
        input=f"options(warn = -1)\n{program}",
        capture_output=True,
        check=True,
        timeout=300,
        encoding="utf-8",
        env=FOR_R,
    )
    return ended.stdout


def needs(package):
    """Skip the test where R has not this package."""
    if not has(package):
        pytest.skip(f"the R package {package} is not installed (Debian: apt-get install r-cran-{package.lower()})")


@in_turn(2)
@pytest.mark.parametrize("name", first(SCRIPTS, 1))
def test_scripts_of_lavaan(name, tmp_path):
    """Degrees of freedom, parameters, log-likelihood and χ² are lavaan's.

    To lavaan the moments of covariates are given, here they are parameters as others: they are added to its number, and
    its log-likelihood is that of the sample's own moments less half of χ².
    """
    needs_lavaan()
    script = SCRIPTS[name]
    if "::" in script.data:
        needs(re.search(r"(\w+)::", script.data)[1])
    file, data = tmp_path / "script.R", tmp_path / "data.csv"
    file.write_text(script.text(), encoding="utf-8")
    asked = f"""
suppressMessages({{{script.text()}}})
data <- {script.data}
write.csv(data, '{data.as_posix()}', row.names = FALSE)
causes <- length(lavNames(fit, 'ov.x'))
moments <- causes * (causes + 1) / 2
if (lavInspect(fit, 'meanstructure')) moments <- moments + causes
names <- lavNames(fit, 'ov')
covariances <- cov(data[names]) * (nrow(data) - 1) / nrow(data)
best <- -nrow(data) / 2 * (length(names) * (log(2 * pi) + 1) + log(det(covariances)))
found <- fitMeasures(fit, c('npar', 'df', 'chisq', 'logl'))
loglik <- if (causes) best - found['chisq'] / 2 else found['logl']
cat(sprintf('%.6f', c(found['npar'] + moments, found['df'], found['chisq'], loglik)))
"""
    count, df, chi, loglik = map(float, said_by_r(asked).split())
    found = algdim.score(data, algdim.model(file), score=["bic"])

    assert df == found.goodness.dof
    assert count == found.report.standard == found.report.dimension
    assert loglik == pytest.approx(found.fit.loglik, abs=1e-4)
    assert chi == pytest.approx(found.goodness.g2, abs=1e-3)


@in_turn(3)
def test_two_levels_are_refused(tmp_path):
    """Lavaan fits such models; here the argument of the script and the word in the model are refused by name."""
    needs_lavaan()
    script = Script(TWO_LEVELS, "sem", ", cluster = 'cluster'", "Demo.twolevel")
    file = tmp_path / "script.R"
    file.write_text(script.text(), encoding="utf-8")

    assert "TRUE" == said_by_r(f"suppressMessages({{{script.text()}}})\ncat(lavInspect(fit, 'converged'))")
    with pytest.raises(AlgdimError, match="the argument cluster changes the model and is not read"):
        algdim.model(file)
    with pytest.raises(
        AlgdimError,
        match=r"line 1, .*levels and blocks other than 'group: NAME' are not available; give the model of one of them",
    ):
        algdim.model(TWO_LEVELS, format="lavaan")


@pytest.fixture(scope="module")
def psych_data(tmp_path_factory):
    """Data sets of psych as CSV files."""
    needs("psych")
    folder = tmp_path_factory.mktemp("psych")
    for name in ("bfi", "lsat6"):
        said_by_r(f"write.csv(psych::{name}, '{(folder / name).as_posix()}.csv', row.names = FALSE)")
    return folder


@in_turn(3)
def test_gaps_in_factor_models_are_allowed_by_name(psych_data):
    """The first row with one is named; where gaps are allowed the fit is lavaan's of all values, not that of the complete rows."""
    needs_lavaan()
    agreeable = BIG_FIVE.partition("\n")[0]
    fitted = f"library(lavaan)\nfit <- cfa('{agreeable}', data = psych::bfi, missing = 'ml')\n"
    loglik, cases = map(float, said_by_r(f"{fitted}cat(sprintf('%.6f', c(logLik(fit), nobs(fit))))").split())
    model = algdim.model(f"{agreeable}\nA1 ~ 1\nA2 ~ 1\nA3 ~ 1\nA4 ~ 1\nA5 ~ 1", format="lavaan:cfa")

    with pytest.raises(InputError, match=r"row 113, column A1 is empty .* allow missing values .*missing=True"):
        algdim.score(psych_data / "bfi.csv", algdim.model(BIG_FIVE, format="lavaan:cfa"), score=["bic"])
    found = algdim.fit(psych_data / "bfi.csv", model, missing=True)
    assert (cases, True) == (found.sample.size, found.sample.missing > 0)
    assert loglik == pytest.approx(found.loglik, abs=1e-3)


MATRICES = {"Thurstone": "Thurstone", "Harman.5": "cor(Harman.5)", "Harman.Holzinger": "Harman.Holzinger"}


@in_turn(3)
@pytest.mark.parametrize("name", first(MATRICES, 1))
def test_exploratory_factors_of_psych(name):
    """Factors that lead to all variables have the degrees of freedom of `fa`, which knows of rotations."""
    needs("psych")
    asked = f"""
suppressWarnings(suppressMessages(library(psych)))
matrix <- {MATRICES[name]}
width <- ncol(matrix)
cat(width, '')
for (k in 1:width) if ((width - k)^2 >= width + k) cat(fa(matrix, k, n.obs = 213, rotate = 'none')$dof, '')
"""
    width, *degrees = map(int, said_by_r(asked).split())
    items = ", ".join(f"X{number}" for number in range(1, width + 1))

    assert degrees
    for number, degree in enumerate(degrees, 1):
        factors = ", ".join(f"F{factor}" for factor in range(1, number + 1))
        report = algdim.dimension(f"gaussian: {factors} -> {items}; hidden {factors}; means off")
        assert degree == report.complete - report.dimension, number


@in_turn(3)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "columns", "states", "classes", "measurement"),
    [
        ("lsat6", 5, 2, 2, "binary"),
        pytest.param("bfi", 5, 6, 2, "categorical_nan", marks=pytest.mark.slow),
    ],
)
def test_latent_classes_beside_stepmix(psych_data, name, columns, states, classes, measurement):
    """The same greatest likelihood of the answers, gaps included, and the same number of parameters."""
    pandas = pytest.importorskip("pandas")
    made = pytest.importorskip("stepmix").StepMix(
        classes,
        measurement=measurement,
        random_state=0,
        n_init=3,
        abs_tol=1e-9,
        max_iter=2000,
        verbose=0,
        progress_bar=0,
    )
    data = pandas.read_csv(psych_data / f"{name}.csv").iloc[:, :columns]
    coded = data - (measurement != "binary")
    other = made.fit(coded)
    model = f"{classes}:{states}^{columns}"

    assert other.n_parameters == algdim.dimension(model).standard
    assert other.score(coded) * len(data) == pytest.approx(
        algdim.fit(data, model, missing=measurement != "binary").loglik, abs=1e-2
    )


BINARY = {
    "votes": ("mlbench", "data('HouseVotes84', package = 'mlbench'); data <- na.omit(HouseVotes84)[, 10:16] == 'y'"),
    "ability": ("psychTools", "data <- na.omit(psychTools::ability[, 1:6])"),
    "six": ("psych", "data <- psych::lsat6"),
}


@in_turn(2)
@pytest.mark.parametrize(("name", "classes"), daily([("votes", 2), ("six", 2), ("ability", 2), ("ability", 3)], 1))
def test_latent_classes_beside_e1071(name, classes, tmp_path):
    """The same greatest likelihood as the best of some starts of `lca`, and the same number of parameters.

    Where an estimate is 0 or 1, `lca` may print NaN, on one processor and not on another: such a start does not count.
    """
    package, read = BINARY[name]
    needs("e1071")
    needs(package)
    data = tmp_path / "data.csv"
    asked = f"""
{read}
data <- 1 * as.matrix(data)
write.csv(data, '{data.as_posix()}', row.names = FALSE)
best <- -Inf
for (seed in 1:8) {{
  set.seed(seed)
  found <- try(e1071::lca(data, {classes}, niter = 1000), silent = TRUE)
  if (!inherits(found, 'try-error') && is.finite(found$logl)) best <- max(best, found$logl)
}}
cat(sprintf('%.6f', c(best, found$np, ncol(data))))
"""
    best, count, columns = map(float, said_by_r(asked).split())
    found = algdim.score(data, f"{classes}:2^{int(columns)}", score="bic")

    assert count == found.report.standard == found.report.dimension
    assert best == pytest.approx(found.fit.loglik, abs=1e-3)


CLUSTERS = [
    ("faithful", "VVI", "", 2),
    ("iris[1:4]", "VVI", "", 2),
    ("iris[1:4]", "EEI", "; covariances equal", 2),
    ("faithful", "VVV", "; covariances full", 2),
    ("iris[1:4]", "EEE", "; covariances full, equal", 2),
]


@pytest.mark.parametrize(("data", "form", "clause", "classes"), daily(CLUSTERS, 2))
def test_mixtures_of_normals_beside_mclust(data, form, clause, classes, tmp_path):
    """Latent profiles: the same greatest likelihood, the same number of parameters."""
    needs("mclust")
    file = tmp_path / "data.csv"
    asked = f"""
suppressMessages(library(mclust))
data <- {data}
names(data) <- gsub('.', '_', names(data), fixed = TRUE)
write.csv(data, '{file.as_posix()}', row.names = FALSE)
found <- Mclust(data, G = {classes}, modelNames = '{form}', verbose = FALSE, control = emControl(tol = 1e-13, itmax = 20000))
cat(sprintf('%.6f', found$loglik), found$df, names(data))
"""
    best, count, *names = said_by_r(asked).split()
    found = algdim.score(
        file, f"latent-profile: H -> {', '.join(names)}; hidden H; states H={classes}{clause}", score="bic"
    )

    assert int(count) == found.report.standard == found.report.dimension
    assert float(best) == pytest.approx(found.fit.loglik, abs=1e-3)


# Networks and graphs that pgmpy ships.

NETWORKS = (
    "asia alarm insurance cancer child earthquake hailfinder hepar2 sachs survey water win95pts andes barley diabetes link "
    "mildew munin munin1 munin2 munin3 munin4 pathfinder pigs"
).split()


def file_of(name):
    """A file of pgmpy's."""
    files = {Path(file).name: file for file in shipped_files(Path(name).suffix) if isinstance(file, Path)}
    if name not in files:
        pytest.skip(f"pgmpy is not installed, or ships no {name}")
    return files[name]


@in_turn(3)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", first(NETWORKS, 1))
def test_networks_of_pgmpy(name):
    """Pgmpy's own reader finds the same variables, and tables with this many free entries as the dimension has."""
    readwrite = pytest.importorskip("pgmpy.readwrite")
    file = file_of(f"{name}.bif.gz")
    other = readwrite.BIFReader(string=gzip.decompress(file.read_bytes()).decode("utf-8")).get_model()
    shapes = [cpd.get_values().shape for cpd in other.get_cpds()]
    report = algdim.dimension(file)

    assert set(other.nodes()) == {variable.name for variable in report.model.variables}
    assert sum((states - 1) * rows for states, rows in shapes) == report.standard == report.dimension
    assert "proved" == report.trust.status


GRAPHS = "Thoemmes_2013 Kampen_2014 M-bias Acid_1996 Didelez_2010 Polzer_2012 Schipf_2010 Sebastiani_2005 Shrier_2008".split()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", first(GRAPHS))
def test_graphs_of_dagitty(name):
    """What algdim lists as independent pgmpy finds d-separated, and no other pair can be separated."""
    base = pytest.importorskip("pgmpy.base")
    file = file_of(f"{name}.txt")
    graph = base.DAG.from_dagitty(string=file.read_text(encoding="utf-8"))
    found = constraints(algdim.model(file))
    pairs = {}
    for one in found.of_kind("zero"):
        pairs[frozenset(one.evidence["variables"])] = []
    for one in found.of_kind("partial"):
        (first, *given), (second, *_) = one.evidence["rows"], one.evidence["columns"]
        pairs[frozenset((first, second))] = given
    expected = set()
    for first, second in combinations(sorted(set(graph.nodes()) - set(graph.latents)), 2):
        adjacent = graph.has_edge(first, second) or graph.has_edge(second, first)
        if not adjacent and graph.minimal_dseparator(first, second, include_latents=False) is not None:
            expected.add(frozenset((first, second)))

    assert expected == set(pairs)
    for pair, given in pairs.items():
        first, second = sorted(pair)
        assert not graph.is_dconnected(first, second, observed=given), (pair, given)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", first("ecoli70 magic-niab magic-irri arth150".split(), 2))
def test_gaussian_networks_of_pgmpy(name):
    """A variance and a mean for each variable, a coefficient for each edge; the file itself is refused by its first key."""
    models = pytest.importorskip("pgmpy.models")
    file = file_of(f"{name}.json")
    content = json.loads(file.read_text(encoding="utf-8"))
    graph = models.LinearGaussianBayesianNetwork(list(map(tuple, content["arcs"])))
    graph.add_nodes_from(content["nodes"])
    report = algdim.dimension(graph)
    numbers = sum(len(cpd["coefficients"]) + len(cpd["variance"]) for cpd in content["cpds"].values())

    assert numbers == report.standard == report.dimension
    assert "proved" == report.trust.status
    with pytest.raises(InputError, match="unknown key 'nodes'"):
        algdim.model(file)
