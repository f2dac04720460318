"""Fits of sums: the E step by definition (MH97 §3.2), likelihoods by enumeration, monotone EM."""

import json
from itertools import product
from math import exp, factorial, lgamma, log, pi, prod

import numpy as np
import pytest
from amount import daily

import algdim
from algdim import InputError
from algdim.families.additive.orderstatistics import describe_normal_order
from algdim.fitting.diagnostics import compute_memberships
from algdim.fitting.em import draw_starts
from algdim.fitting.maximization import Prior
from algdim.fitting.problems import make_problem

MODELS = [
    "poisson: {A},{B} -> E",
    "poisson: {A,H},{B} -> E; hidden H",
    "poisson: {A,B},{B},{} -> E; A -> B",
    "normal: {A},{B} -> E",
    "normal: {A,H},{B} -> E; hidden H; A -> H",
    "max-poisson: {A},{B},{} -> E",
    "max-normal: {A},{B} -> E",
    "max-poisson: {A,H},{B} -> E; hidden H",
    "at-least-poisson 2: {A},{B,H},{} -> E; hidden H",
    "at-least-normal 2: {A},{B},{} -> E",
]


def data_of(family, seed=1, count=80):
    """Two causes and an effect."""
    random = np.random.default_rng(seed)
    a, b = random.integers(0, 2, count), random.integers(0, 2, count)
    e = random.poisson(1 + 2 * a) + random.poisson(0.5 + b)
    if family.endswith("normal"):
        e = 1 + 2 * a - b + random.normal(size=count) * (1 + a)
    return {"A": a.tolist(), "B": b.tolist(), "E": e.tolist()}


def prepared(text, **options):
    """A model, data, and the problem."""
    data = data_of(text.split(":")[0].split()[0], **options)
    return data, make_problem(data, text, Prior())


@pytest.mark.parametrize("text", MODELS)
def test_em_is_monotone(text):
    """No step lowers the likelihood."""
    _, what = prepared(text)
    climbers = draw_starts(what, 2, 5)
    for _ in range(30):
        climbers = what.step(what.evaluator(5), climbers)

        assert (climbers.gain >= -1e-9).all()


@pytest.mark.parametrize("text", daily(MODELS, 2))
def test_a_converged_fit_is_stationary(text):
    """Moving any rate, mean or variance lowers the likelihood, as do the expected counts' sums stay N."""
    data, _ = prepared(text)
    found = algdim.fit(data, text, starts=3, absolute=1e-10)
    for name, value in found.parameters.items():
        if name[0] in "lmv":
            for sign in (1, -1):
                moved = {**found.parameters, name: max(value + sign * 1e-3, 1e-9)}
                assert algdim.fit_at(data, text, moved).loglik <= found.loglik + 1e-5


def poisson(k, rate):
    """A Poisson probability."""
    return exp(-rate) * rate**k / factorial(k)


def test_the_e_step_of_poisson_sums_is_binomial():
    """Over all ways to write e as a sum: the expectation of X_1, weighed by the two Poisson probabilities."""
    text = "poisson: {A},{B} -> E"
    data, what = prepared(text, count=15)
    at = {"P(A=0)": 0.4, "P(B=0)": 0.7, "l(E.1|A=0)": 0.6, "l(E.1|A=1)": 2.5, "l(E.2|B=0)": 1.5, "l(E.2|B=1)": 0.2}
    loglik, (_, _, first, _) = what.family.take_expectation(what.family.tables(at))
    sums, total = {0: 0.0, 1: 0.0}, 0.0
    for a, b, e in zip(data["A"], data["B"], data["E"], strict=True):
        one, other = at[f"l(E.1|A={a})"], at[f"l(E.2|B={b})"]
        ways = [poisson(x, one) * poisson(e - x, other) for x in range(e + 1)]
        sums[a] += sum(x * way for x, way in enumerate(ways)) / sum(ways)
        total += log((0.4, 0.6)[a]) + log((0.7, 0.3)[b]) + log(sum(ways))

    assert total == pytest.approx(loglik[0])
    assert [sums[0], sums[1]] == pytest.approx(first[0, :, 1].tolist())


def test_the_e_step_of_normal_sums_is_conditional():
    """On a fine grid of X_1: its mean and square given the sum; the hidden state inside is summed out."""
    text = "normal: {A,H},{B} -> E; hidden H"
    data, what = prepared(text, count=5)
    found = algdim.fit(data_of("normal"), text, starts=2, iterations=5).parameters
    loglik, parts = what.family.take_expectation(what.family.tables(found))
    names = [one.name for one in what.family.layout.variables]
    moments = parts[len(names)][0]
    grid = np.linspace(-40, 40, 80001)

    def normal(x, name):
        return (
            np.exp(-0.5 * (x - found[f"m({name})"]) ** 2 / found[f"v({name})"]) / (2 * pi * found[f"v({name})"]) ** 0.5
        )

    expected, total = np.zeros((4, 3)), 0.0
    for a, b, e in zip(data["A"], data["B"], data["E"], strict=True):
        densities = []
        for h in (0, 1):
            weight = found["P(H=0)"] if h == 0 else 1 - found["P(H=0)"]
            densities.append(weight * normal(grid, f"E.1|A={a},H={h}") * normal(e - grid, f"E.2|B={b}"))
        whole = sum(float(one.sum()) for one in densities)
        for h in (0, 1):
            for power in range(3):
                expected[2 * a + h, power] += float((densities[h] * grid**power).sum()) / whole
        chances = [(found["P(A=0)"], 1 - found["P(A=0)"])[a], (found["P(B=0)"], 1 - found["P(B=0)"])[b]]
        total += log(whole * (grid[1] - grid[0])) + log(chances[0]) + log(chances[1])

    assert total == pytest.approx(loglik[0], abs=1e-6)
    assert expected == pytest.approx(moments, abs=1e-5)


@pytest.mark.parametrize("place", [1, 2, 3])
def test_the_e_step_of_poisson_variables_by_size(place):
    """Over all values of the three variables of which e is the greatest, the second, the least; far above there is nothing."""
    text = f"{'max-poisson' if place == 1 else f'at-least-poisson {place}'}: {{A}},{{B}},{{}} -> E"
    data, what = prepared(text, count=12)
    at = {"P(A=0)": 0.4, "P(B=0)": 0.7, "l(E.1|A=0)": 0.6, "l(E.1|A=1)": 2.5, "l(E.2|B=0)": 1.5, "l(E.2|B=1)": 0.2}
    at["l(E.3)"] = 1.1
    loglik, (_, _, first, second, third) = what.family.take_expectation(what.family.tables(at))
    sums, total = [[0.0, 0.0], [0.0, 0.0], [0.0]], 0.0
    for a, b, e in zip(data["A"], data["B"], data["E"], strict=True):
        rates = at[f"l(E.1|A={a})"], at[f"l(E.2|B={b})"], at["l(E.3)"]
        most = e if place == 1 else e + 20
        values = [xs for xs in product(range(most + 1), repeat=3) if sorted(xs)[-place] == e]
        ways = {xs: prod(map(poisson, xs, rates)) for xs in values}
        for number, row in enumerate((a, b, 0)):
            sums[number][row] += sum(xs[number] * way for xs, way in ways.items()) / sum(ways.values())
        total += log((0.4, 0.6)[a]) + log((0.7, 0.3)[b]) + log(sum(ways.values()))

    assert total == pytest.approx(loglik[0])
    for expected, found in zip(sums, (first, second, third), strict=True):
        assert expected == pytest.approx(found[0, :, 1].tolist())


@pytest.mark.parametrize("place", [1, 2, 3])
def test_the_e_step_of_normal_variables_by_size(place):
    """On fine grids on both sides of e, and at e itself; also of a case far out to the left, where all distribution functions are 0."""
    effect, step = [2.0, -0.3, -60.0 if place == 1 else -6.0], 0.0005
    numbers = [(0.5, 1.2), (1.0, 0.3), (-2.0, 4.0)]
    parts = [tuple(np.array(one)[None, None, None] for one in pair) for pair in numbers]
    logs, moments = describe_normal_order(np.array(effect)[None, :, None], parts, place)
    for case, e in enumerate(effect):
        # relative to the values at e, as both can be far below what a computer can tell from 0
        at_e = [-0.5 * (e - m) ** 2 / v - 0.5 * log(2 * pi * v) for m, v in numbers]
        sides = []
        for grid in (np.arange(e - 30, e + step / 2, step), np.arange(e, e + (30 if place > 1 else step), step)):
            widths = np.full(len(grid), step)
            widths[[0, -1]] /= 2
            densities = [
                np.exp(-0.5 * (grid - m) ** 2 / v - 0.5 * log(2 * pi * v) - top) * widths
                for (m, v), top in zip(numbers, at_e, strict=True)
            ]
            sides.append([[float((one * grid**power).sum()) for power in range(3)] for one in densities])
        ways = []  # of each variable: below e, at e, above e
        for where in product(range(3), repeat=3):
            if where.count(1) == 1 and where.count(2) == place - 1:
                each = [[e**power for power in range(3)] if w == 1 else sides[w // 2][j] for j, w in enumerate(where)]
                ways.append((prod(one[0] for one in each), each))
        total = sum(way for way, _ in ways)
        assert log(total) + sum(at_e) == pytest.approx(logs[0, case, 0], rel=1e-5)
        for j, power in product(range(3), (1, 2)):
            expected = sum(way * each[j][power] / each[j][0] for way, each in ways) / total
            assert expected == pytest.approx(moments[j][power - 1][0, case, 0], rel=1e-4)


def test_one_mechanism_of_all_causes_has_the_means():
    """Each row's rate is the mean of its cases."""
    data = data_of("poisson")
    found = algdim.fit(data, "poisson: {A,B} -> E").parameters
    chosen = [e for a, b, e in zip(data["A"], data["B"], data["E"], strict=True) if (a, b) == (1, 0)]

    assert np.mean(chosen) == pytest.approx(found["l(E.1|A=1,B=0)"])


@pytest.mark.parametrize("text", MODELS)
def test_a_fit_is_a_parameter_file(text, tmp_path):
    """Read again it has the same likelihood."""
    data, _ = prepared(text)
    found = algdim.fit(data, text, iterations=5, starts=2)
    path = tmp_path / "fit.json"
    path.write_text(json.dumps(found.to_dict()), encoding="utf-8")

    assert found.loglik == pytest.approx(algdim.fit_at(data, text, path).loglik)
    assert 80 == pytest.approx(np.sum(found.expected["E.2"]))


@pytest.mark.parametrize(
    ("text", "effect", "word"),
    [
        ("poisson: {A} -> E", [1, 0.5], "integers from 0"),
        ("poisson: {A} -> E", [1, -1], "integers from 0"),
        ("normal: {A} -> E", [2, 2], "same in all cases"),
    ],
)
def test_effects_of_another_kind_are_refused(text, effect, word):
    """Counts are whole, and what is normal varies."""
    with pytest.raises(InputError, match=word):
        algdim.fit({"A": [0, 1], "E": effect}, text)


def density(family, numbers, value):
    """Of an effect with these rates, or means and variances, by the definition; of a count too small to be a maximum 0."""
    if value is None:
        return 1.0
    if family == "normal":
        mean, variance = (sum(part) for part in zip(*numbers, strict=True))
        return exp(-((value - mean) ** 2) / (2 * variance)) / (2 * pi * variance) ** 0.5
    if family == "poisson":
        return poisson(value, sum(rate for (rate,) in numbers))
    most = [prod(sum(poisson(k, rate) for k in range(end + 1)) for (rate,) in numbers) for end in (value - 1, value)]
    return most[1] - most[0]


@pytest.mark.parametrize(
    "text",
    [
        "poisson: {A,H},{B} -> E; {H} -> F; hidden H; A -> H",
        "poisson: {H,G} -> E; {G},{A} -> F; hidden H, G; states G=3",
        "poisson: {A,H},{B,G} -> E; hidden H, G; B -> G",
        "normal: {A,H},{H},{B} -> E; hidden H; H -> B",
        "max-poisson: {A,H},{B} -> E; hidden H; states H=3",
    ],
)
def test_the_classes_of_each_row_are_those_of_bayes(text):
    """Joint chances of all states, one after the other, with missing entries; of rows in the order of the data."""
    model, random = algdim.model(text), np.random.default_rng(4)
    states, by_name = model.network.states, {one.name: one for one in model.network.variables}
    data = data_of(model.family.removeprefix("max-"), count=12)
    data["F"] = random.poisson(2, 12).tolist()
    data = {name: data[name] for name in (*(one.name for one in model.network.observed), *model.effects)}
    # the labels of two states are known by the rows that show them
    rows = [dict(zip(data, row, strict=True)) for row in zip(*data.values(), strict=True)]
    rows += [rows[0] | {next(iter(data)): None}, rows[1] | {model.effects[-1]: None}, rows[0]]
    data = {name: [row[name] for row in rows] for name in data}
    found = algdim.fit(data, model, iterations=3, starts=1, missing=True, identify=False)
    at = found.parameters

    def name_row(letter, name, row):
        given = ",".join(f"{one}={state}" for one, state in row)
        return f"{letter}({name}|{given})" if given else f"{letter}({name})"

    def chance(variable, where):
        given = [(one, where[one]) for one in variable.parents]
        free = [at[name_row("P", f"{variable.name}={k}", given)] for k in range(variable.states - 1)]
        return [*free, 1 - sum(free)][where[variable.name]]

    def joint(where, row):
        total = prod(chance(one, where) for one in by_name.values())
        for number, effect in enumerate(model.effects):
            numbers = []
            own = [(name, set(parents)) for name, parents, k in mechanisms if k == number]
            for name, parents in own:
                # an order of the parents that the parameters know
                start = [key for key in at if f"({name}|" in key and all(f"{p}={where[p]}" in key for p in parents)]
                numbers.append([at[key] for key in sorted(start)] if parents else [at[f"l({name})"]])
            total *= density(model.family, numbers, row[effect])
        return total

    mechanisms = list(zip(model.names, model.mechanisms, model.owners, strict=True))
    shares = compute_memberships(data, found, missing=True).shares

    assert set(model.hidden) == set(shares)
    for place, row in enumerate(rows):
        sums = {name: np.zeros(states[name]) for name in model.hidden}
        for cell in product(*(range(one.states) for one in by_name.values())):
            where = dict(zip(by_name, cell, strict=True))
            if all(row.get(name) in (None, where[name]) for name in by_name):
                for name in model.hidden:
                    sums[name][where[name]] += joint(where, row)
        for name in model.hidden:
            assert sums[name] / sums[name].sum() == pytest.approx(shares[name][place], abs=1e-9)


def test_without_hidden_causes_there_are_no_classes():
    """All causes are seen."""
    data, _ = prepared("poisson: {A},{B} -> E")

    with pytest.raises(InputError, match="there are no classes"):
        compute_memberships(data, algdim.fit(data, "poisson: {A},{B} -> E", starts=1, identify=False))


def test_a_single_normal_row_has_classes():
    """A constant effect is refused by fits alone."""
    data = {name: column for name, column in data_of("normal").items() if name != "B"}
    found = algdim.fit(data, "normal: {A,H} -> E; hidden H", starts=1, identify=False)
    row = {name: column[:1] for name, column in data.items()}

    assert compute_memberships(data, found).shares["H"][:1] == pytest.approx(
        compute_memberships(row, found).shares["H"]
    )


def test_cheeseman_and_stutz_s_score_is_a_lower_bound():
    """Two Poisson mechanisms without causes: log p(D) on a grid of both rates, gamma priors as the score takes them."""
    effects = [0, 2, 3, 1, 4, 2]
    data = {"A": [0, 1, 0, 1, 1, 0], "E": effects}
    found = algdim.score(data, "poisson: {},{} -> E; states A=2", score="cs,cs+", alpha=1.5)
    mean = np.mean(effects) / 2
    grid = (np.arange(800) + 0.5) / 60
    density = grid**0.5 * np.exp(-1.5 * grid / mean)
    density /= density.sum()
    together = grid[:, None] + grid[None, :]
    likelihood = np.prod([np.exp(-together) * together**e / factorial(e) for e in effects], axis=0)
    exact = log(density @ likelihood @ density)
    causes = gamma_log(3.0, 3.0, 1.5, 6)

    assert found.values["cs"] <= exact + causes + 1e-6
    assert found.values["cs"] == pytest.approx(exact + causes, abs=1.5)
    assert found.report.redundant / 2 * log(6) == pytest.approx(found.values["cs+"] - found.values["cs"])


def gamma_log(first, second, alpha, count):
    """The log marginal likelihood of a binary variable."""
    return (
        lgamma(2 * alpha) - lgamma(2 * alpha + count)
        + lgamma(alpha + first) - lgamma(alpha) + lgamma(alpha + second) - lgamma(alpha)
    )  # fmt: skip


def test_complete_normal_data_have_their_marginal_likelihood():
    """One mechanism hides nothing: CS is the product of the predictions, Student's t one after the other."""
    effects = [1.0, 2.5, 0.5, 3.0]
    found = algdim.score({"A": [0, 1, 0, 1], "E": effects}, "normal: {} -> E; states A=2", score="cs", alpha=2.0)
    weight, shape, mean, rate = 2.0, 2.0, np.mean(effects), 2.0 * np.var(effects)
    total = gamma_log(2.0, 2.0, 2.0, 4)
    for value in effects:
        scale = rate * (weight + 1) / (weight * shape)
        total += lgamma(shape + 0.5) - lgamma(shape) - 0.5 * log(2 * shape * pi * scale)
        total -= (shape + 0.5) * log(1 + (value - mean) ** 2 / (2 * shape * scale))
        rate += weight * (value - mean) ** 2 / (2 * (weight + 1))
        mean = (weight * mean + value) / (weight + 1)
        weight, shape = weight + 1, shape + 0.5

    assert total == pytest.approx(found.values["cs"], abs=1e-6)


def test_the_score_wants_an_exponent():
    """BDeu is for tables."""
    found = algdim.score(data_of("poisson"), "poisson: {A},{B} -> E", score="cs,bic")

    assert "alpha" in found.reasons["cs"]
