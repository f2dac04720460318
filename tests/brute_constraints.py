"""Equations of Gaussian models evaluated from their JSON with fractions, and separation by listing paths; no engine code.

Σ and μ come from (I − B)⁻¹ by elimination. A kernel is a joint covariance matrix in which the inputs are independent with
variance 1; every regression is solved in it.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations


def solve(matrix, right):
    """Solve a system by elimination over the rationals; ``None`` if it is singular."""
    size = len(matrix)
    rows = [[Fraction(x) for x in row] + [Fraction(y)] for row, y in zip(matrix, right, strict=True)]
    for column in range(size):
        pivot = next((r for r in range(column, size) if rows[r][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for other in range(size):
            if other != column and rows[other][column]:
                rows[other] = [x - rows[other][column] * y for x, y in zip(rows[other], rows[column], strict=True)]
    return [row[size] for row in rows]


def determinant(matrix):
    """Leibniz' formula."""
    total = Fraction(0)
    for order in permutations(range(len(matrix))):
        sign = (-1) ** sum(a > b for a, b in combinations(order, 2))
        value = Fraction(sign)
        for row, column in enumerate(order):
            value *= matrix[row][column]
        total += value
    return total


def member(model, source):
    """A random distribution of the model: covariances and means by name; equal entries are equal, fixed ones fixed."""
    names = [variable.name for variable in model.variables]
    fixed, labels = dict(model.fixed), dict(model.equal)
    drawn: dict = {}

    def value(*entry):
        if entry in fixed:
            return fixed[entry]
        scale = 40 if entry[0] == "v" else 0
        return drawn.setdefault(labels.get(entry, entry), Fraction(scale + source.randint(1, 30), source.randint(1, 7)))

    count = len(names)
    while True:
        drawn.clear()
        coefficients = [[Fraction(0)] * count for _ in names]
        errors = [[Fraction(0)] * count for _ in names]
        for one, other in model.edges:
            coefficients[names.index(one)][names.index(other)] = value("b", one, other)
        for place, name in enumerate(names):
            errors[place][place] = value("v", name)
        for one, other in model.bidirected:
            i, j = names.index(one), names.index(other)
            errors[i][j] = errors[j][i] = value("c", one, other)
        # X = BᵀX + m + ε: the columns of (I − Bᵀ)⁻¹
        system = [[Fraction(i == j) - coefficients[j][i] for j in range(count)] for i in range(count)]
        columns = [solve(system, [Fraction(i == k) for i in range(count)]) for k in range(count)]
        if columns[0] is not None:
            break
    total = [[columns[k][i] for k in range(count)] for i in range(count)]
    covariance = {
        (one, other): sum(
            total[i][k] * errors[k][m] * total[j][m] for k in range(count) for m in range(count) if errors[k][m]
        )
        for i, one in enumerate(names)
        for j, other in enumerate(names)
    }
    intercepts = [value("m", name) if model.means else Fraction(0) for name in names]
    means = {name: sum(total[i][k] * intercepts[k] for k in range(count)) for i, name in enumerate(names)}
    return covariance, means


def any_covariance(names, source):
    """A random covariance matrix, not of a model, and random means."""
    root = {name: [Fraction(source.randint(-20, 20), source.randint(1, 5)) for _ in names] for name in names}
    covariance = {
        (one, other): sum(x * y for x, y in zip(root[one], root[other], strict=True)) + 30 * (one == other)
        for one in names
        for other in names
    }
    return covariance, {name: Fraction(source.randint(1, 99)) for name in names}


def schur(covariance, one, other, given):
    """The partial covariance; ``None`` if that of what is given is singular."""
    slopes = solve([[covariance[u, w] for w in given] for u in given], [covariance[u, other] for u in given])
    if slopes is None:
        return None
    return covariance[one, other] - sum(covariance[one, u] * x for u, x in zip(given, slopes, strict=True))


def value_of(told, covariance, means):
    """The value of an equation as its JSON describes it; ``None`` where it has none."""
    kind = told["kind"]
    if kind == "zero mean":
        return means[told["variables"][0]]
    if kind == "kernel":
        return kernel_value(told, covariance)
    if "terms" in told:
        total = Fraction(0)
        for sign, pairs in told["terms"]:
            product = Fraction(sign)
            for one, other in pairs:
                product *= covariance[one, other]
            total += product
        return total
    if kind == "partial":
        given = told["rows"][1:]
        assert given == told["columns"][1:]
        return schur(covariance, told["rows"][0], told["columns"][0], given)
    return determinant([[covariance[i, j] for j in told["columns"]] for i in told["rows"]])


def kernel_value(told, covariance):
    """Go through the kernels: regress, put the new system together, leave out what is not kept."""
    joint, inputs = dict(covariance), []
    for step in told["kernels"]:
        rows = {}
        for vertex, given in step["regressions"]:
            slopes = solve([[joint[u, w] for w in given] for u in given], [joint[u, vertex] for u in given])
            if slopes is None:
                return None
            left = joint[vertex, vertex] - sum(joint[vertex, u] * x for u, x in zip(given, slopes, strict=True))
            rows[vertex] = dict(zip(given, slopes, strict=True)), left
        inputs = sorted({u for slopes, _ in rows.values() for u in slopes} - set(rows))
        joint = {(u, w): Fraction(u == w) for u in inputs for w in inputs}
        done = list(inputs)
        for vertex, (slopes, left) in rows.items():
            for w in done:
                joint[vertex, w] = joint[w, vertex] = sum((x * joint[u, w] for u, x in slopes.items()), Fraction(0))
            joint[vertex, vertex] = left + sum((x * joint[u, vertex] for u, x in slopes.items()), Fraction(0))
            done.append(vertex)
        seen = {*inputs, *step["kept"]}
        joint = {pair: value for pair, value in joint.items() if seen.issuperset(pair)}
    if told["cause"] in inputs:
        return joint[told["cause"], told["response"]]
    return schur(joint, told["cause"], told["response"], [*told["given"], *inputs])


def separated(edges, bidirected, one, other, given):
    """Whether no path between two vertices is active given a set: all paths are listed."""
    steps = [(a, b, "-", ">") for a, b in edges] + [(a, b, ">", ">") for a, b in bidirected]
    steps += [(b, a, last, first) for a, b, first, last in steps]
    above = set(given)
    while grown := {a for a, b in edges if b in above} - above:
        above |= grown

    def active(vertex, arrow, seen):
        for start, end, first, last in steps:
            if start != vertex or end in seen:
                continue
            if arrow is not None:
                is_collider = arrow == ">" == first
                if (vertex not in above) if is_collider else (vertex in given):
                    continue
            if end == other or active(end, last, {*seen, end}):
                return True
        return False

    return not active(one, None, {one})
