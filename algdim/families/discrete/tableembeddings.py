"""Maps of the parameters of one network to those of another that carry tables over (lemmas "embedding", "merging").

A variable takes the table of its counterpart, whatever its further parents and further states of these are; further
states of a hidden variable get the probability 0, and further hidden variables are ignored. Hidden variables of the first
network that have one child may be summed into it, and several parents of an effect that is a function of its parents
into one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice, product
from math import prod
from typing import cast

from algdim.errors import join_names
from algdim.explanation.evidence import MOST_MATCHES, Embedding, iterate_matches, prove_embedding
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.locals.classifier import Embedded, format_inner_key
from algdim.families.discrete.locals.function import Deterministic
from algdim.families.discrete.locals.sigmoid import Sigmoid, SigmoidEntries
from algdim.families.discrete.locals.table import Cell, Table
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network, Variable, order_parents_first
from algdim.families.discrete.tableforms import (
    Form,
    TablePiece,
    TableSource,
    build_table_source,
    compute_row_number,
    eliminate_into_child,
    evaluate_form,
    group_parents,
    identify_operations,
    iterate_rows,
    make_constant,
    move_table_to_hidden,
)
from algdim.figures import format_count
from algdim.maps import Map
from algdim.trust import proved_by, trust_in_all

MOST_GROUPINGS = 100
"""This many ways to put the parents of effects together are tried at most."""
MOST_TRIED = 10_000
"""This many maps are tried at most."""

MOST_SIMPLER = 20
"""This many networks with tables in the place of mechanisms are tried."""

Match = Mapping[str, str]
"""For hidden variables of the second network those of the first for which they stand."""


def find_table_embedding(first: Map, second: ParamMap) -> Embedding | None:
    """The map that carries tables over, if the second model's edges, states, fixed and named entries allow it."""
    if not isinstance(first, ParamMap) or set(first.model.given) != set(second.model.given):
        return None
    start = build_table_source(first)
    return next(
        filter(
            None,
            (
                build_embedding(source, second, match)
                for source, match in islice(iterate_sources(start, second.model), MOST_TRIED)
            ),
        ),
        None,
    )


def iterate_sources(start: TableSource, other: Network) -> Iterator[tuple[TableSource, Match]]:
    """The first network as it may be seen, with what hidden variables of the second stand for; as it is comes first."""
    for source, known in islice(iterate_regrouped(start, other), MOST_GROUPINGS):
        mine = [name for name in source.hidden if name not in known.values()]
        theirs = [variable.name for variable in other.hidden if variable.name not in known]
        fixed = {name: one for name, one in known.items() if one is not None}
        yield from ((source, {**match, **fixed}) for match in iterate_matches(mine, theirs))
        for match in islice(iterate_matches(mine, theirs, all_of_them=False), MOST_MATCHES):
            left = [name for name in mine if name not in match.values()]
            found: TableSource | None = source
            for name in left:
                found = None if found is None else eliminate_into_child(found, name)
            if left and found is not None:
                yield found, {**match, **fixed}


def iterate_regrouped(source: TableSource, other: Network) -> Iterator[tuple[TableSource, Mapping[str, str | None]]]:
    """The first network, then with parents of effects put together as the second has them; ``None``: stands for none."""
    yield source, {}
    by_name = {variable.name: variable for variable in other.variables}
    effects = [
        variable
        for variable in other.observed
        if isinstance(variable.local, Deterministic)
        and any(is_private_cause(by_name[name], other) for name in variable.parents)
    ]

    def iterate_all_groupings(
        start: TableSource, rest: Sequence[Variable]
    ) -> Iterator[tuple[TableSource, dict[str, str | None]]]:
        if not rest:
            yield start, {}
            return
        effect, *others = rest
        for here, known in iterate_groupings(start, effect, by_name, other):
            for final, more in iterate_all_groupings(here, others):
                yield final, {**known, **more}

    if effects:
        yield from iterate_all_groupings(source, effects)
    # a hidden variable between, of which the next one is a copy
    for variable in other.observed:
        between = [name for name in variable.parents if is_private_cause(by_name[name], other)]
        if isinstance(variable.local, Table) and source.pieces[variable.name].table is not None:
            name = f"the variable {variable.name}"
            for one in between:
                yield move_table_to_hidden(source, name, variable.name), {one: name}


def is_private_cause(variable: Variable, model: Network) -> bool:
    """Whether a variable is hidden, with a table, and has one child."""
    children = sum(variable.name in one.parents for one in model.variables)
    return not variable.observed and isinstance(variable.local, Table) and children == 1


def iterate_groupings(
    start: TableSource, effect: Variable, by_name: Mapping[str, Variable], other: Network
) -> Iterator[tuple[TableSource, dict[str, str | None]]]:
    """The ways to put together parents of one effect, so that there is one for each of the second network's own."""
    name = effect.name
    common = identify_operations(effect.local, len(effect.parents)) & identify_operations(
        start.pieces[name].local, len(start.pieces[name].parents)
    )
    operation = next((one for one in ("max", "sum", "parity", "and") if one in common), None)
    source: TableSource | None = start
    if operation is None:
        # another function, or a table: all in one
        for parent in start.pieces[name].parents:
            source = None if source is None else (eliminate_into_child(source, parent) or source)
        operation = next(
            (
                one
                for one in ("max", "parity", "and", "sum")
                if one in identify_operations(effect.local, len(effect.parents))
            ),
            None,
        )
        if source is None or operation is None:
            yield start, {}
            return
        source = move_table_to_hidden(source, f"the variable {name}", name)
    assert source is not None, "there is a source"  # noqa: S101
    targets = [one for one in effect.parents if is_private_cause(by_name[one], other)]
    members = [
        one
        for one in source.pieces[name].parents
        if not source.pieces[one].observed and len(source.children(one)) == 1 and source.pieces[one].table is not None
    ]
    choices = [[target for target in targets if can_act_through(source, one, by_name[target])] for one in members]
    if not all(choices):
        yield start, {}
        return
    ordered = [sorted(choice, key=one.__ne__) for one, choice in zip(members, choices, strict=True)]
    for chosen in islice(product(*ordered), MOST_GROUPINGS):
        found: TableSource | None = source
        known: dict[str, str | None] = {}
        for target in targets:
            group = [one for one, where in zip(members, chosen, strict=True) if where == target]
            known[target] = group[0] if len(group) == 1 else f"the {operation} of {', '.join(group)}" if group else None
            if len(group) > 1 and found is not None:
                found = group_parents(found, cast("str", known[target]), operation, group, name)
        if found is not None:
            yield found, known


def iterate_effect_tables(model: Network) -> Iterator[Network]:
    """The networks in which effects have the free table of one of their own mechanisms, the others being left out."""
    by_name = {variable.name: variable for variable in model.variables}
    effects = {
        one.name: [name for name in one.parents if by_name[name].local == Table()]
        for one in model.observed
        if isinstance(one.local, Deterministic) and all(is_private_cause(by_name[name], model) for name in one.parents)
    }
    for chosen in islice(product(*effects.values()), MOST_SIMPLER):
        kept = dict(zip(effects, chosen, strict=True))
        gone = {name for effect in kept for name in by_name[effect].parents}
        changed = (
            replace(one, parents=by_name[kept[one.name]].parents, local=Table()) if one.name in kept else one
            for one in model.variables
            if one.name not in gone
        )
        if kept and all(by_name[name].states == by_name[effect].states for effect, name in kept.items()):
            yield replace(model, variables=tuple(changed))


def can_act_through(source: TableSource, name: str, target: Variable) -> bool:
    """Whether a variable may act through another one: that has the observed parents, and states enough."""
    piece = source.pieces[name]
    needed = {parent for parent in piece.parents if source.pieces[parent].observed}
    return needed <= set(target.parents) and piece.states <= target.states


@dataclass(slots=True)
class Carrying:
    """What is known while tables are carried over: what stands for what, and the tables so far."""

    source: TableSource
    other: Network
    counterpart: Mapping[str, str | None]
    originals: Mapping[str | None, str]
    tables: dict[str, list[Form]] = field(default_factory=dict)
    functions: dict[str, Callable[[Sequence[Fraction]], list[Fraction]]] = field(default_factory=dict)
    """Tables that are no polynomials, as functions of the parameters."""
    names: dict[str, Form] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    def piece(self, name: str) -> TablePiece | None:
        """What a variable stands for."""
        known = self.counterpart[name]
        return None if known is None else self.source.pieces[known]

    def idle_state(self, variable: Variable) -> int | None:
        """The state in which a variable that stands for none changes nothing: 1 for "and", else 0; ``None`` if both are needed."""
        needed = set()
        for child in self.other.variables:
            if variable.name in child.parents and isinstance(child.local, Deterministic):
                piece = self.piece(child.name)
                needed.add(int(piece is not None and self.operation(child, piece) == "and"))
        return None if len(needed) > 1 else next(iter(needed), 0)

    def operation(self, variable: Variable, piece: TablePiece) -> str | None:
        """The function that a variable and its counterpart both are, of parents that stand for each other."""
        common = identify_operations(variable.local, len(variable.parents)) & identify_operations(
            piece.local, len(piece.parents)
        )
        # of three parents and two in their place only what a parent in its idle state does not change
        return next(iter(sorted(common)), None)

    def is_same_function(self, variable: Variable, piece: TablePiece) -> bool:
        """Whether a variable is the function of its parents that its counterpart is, up to parents that stand for none."""
        stood = sorted(one for one in (self.counterpart[name] for name in variable.parents) if one is not None)
        idle = [name for name in variable.parents if self.counterpart[name] is None]
        by_name = {one.name: one for one in self.other.variables}
        return (
            self.operation(variable, piece) is not None
            and stood == sorted(piece.parents)
            and piece.states <= variable.states
            and all(isinstance(by_name[name].local, Table) and not by_name[name].observed for name in idle)
            and all(self.originals[self.counterpart[name]] == name for name in variable.parents if name not in idle)
        )

    def carry(self, variable: Variable) -> bool:
        """Find the table of one variable; whether there is one."""
        piece = self.piece(variable.name)
        if piece is not None and variable.name != self.originals[piece.name]:
            return self.copy(variable, piece)
        local = variable.local
        if isinstance(local, Deterministic):
            if piece is not None:
                return self.is_same_function(variable, piece)
            children = [one for one in self.other.variables if variable.name in one.parents]
            return all(isinstance(child.local, Table | Sigmoid) for child in children)
        if piece is None:
            state = self.idle_state(variable)
            size = prod(self.other.states[parent] for parent in variable.parents)
            forms = [make_constant(own == (state or 0)) for _ in range(size) for own in range(variable.states)]
            return state is not None and self.put(variable, forms, f"{variable.name} is in state {state} always")
        if isinstance(local, Embedded):
            return self.carry_classifier(variable, local, piece)
        if not isinstance(local, Table | Sigmoid):
            return False  # the entries of such a table obey conditions that are not known here
        found = self.carry_table(variable, piece)
        if found is None or (isinstance(local, Sigmoid) and not self.fits_weights(variable, piece)):
            return False
        return self.put(variable, found, self.line_of(variable, piece))

    def copy(self, variable: Variable, piece: TablePiece) -> bool:
        """The table of a variable that has the state of a parent that stands for the same variable."""
        parent = next((name for name in variable.parents if self.counterpart[name] == piece.name), None)
        if parent is None or variable.states < piece.states or not isinstance(variable.local, Table):
            return False
        place, states = variable.parents.index(parent), self.other.states
        # in further states of the parent, which have the probability 0, any row will do
        forms = [
            make_constant(state == (row[place] if row[place] < piece.states else 0))
            for row in iterate_rows([states[name] for name in variable.parents])
            for state in range(variable.states)
        ]
        return self.put(variable, forms, f"{variable.name} is a copy of {parent}")

    def carry_table(self, variable: Variable, piece: TablePiece) -> list[Form] | None:
        """The table of a variable, from that of its counterpart; ``None`` if that needs a missing parent."""
        states, own, pieces = self.other.states, variable.states, self.source.pieces
        parents = [self.counterpart[name] for name in variable.parents]
        if piece.table is None or piece.states > own or not set(piece.parents) <= set(parents):
            return None
        places = [parents.index(name) for name in piece.parents]
        sizes = [pieces[name].states for name in piece.parents]
        forms: list[Form] = []
        for row in iterate_rows([states[parent] for parent in variable.parents]):
            # in further states of a hidden parent, which have the probability 0, any row will do
            inner = [row[place] if row[place] < size else 0 for place, size in zip(places, sizes, strict=True)]
            start = compute_row_number(inner, sizes) * piece.states
            forms += piece.table[start : start + piece.states]
            forms += [make_constant(0)] * (own - piece.states)
        return forms

    def fits_weights(self, variable: Variable, piece: TablePiece) -> bool:
        """Whether the log-odds of a table are surely those that a sigmoid variable, or one of its kin, can have."""
        mine, theirs = piece.local.kind, variable.local.kind
        if theirs == Sigmoid.kind and mine in (*SAME_IF_BINARY, "rasch"):
            wide = [self.source.pieces[name].states > 2 for name in piece.parents]
            return mine != "rasch" or not any(wide)
        if theirs == Sigmoid.kind:
            return self.is_additive(piece)
        stood = {self.counterpart[name] for name in variable.parents}
        if piece.states != variable.states or (theirs == "rasch" and stood != {*piece.parents}):
            return False  # the levels of a parent are those of all its children
        same_if_binary = mine == Sigmoid.kind and theirs in SAME_IF_BINARY
        return mine == theirs or same_if_binary or (mine, theirs) == ("adjacent", "multinomial")

    def is_additive(self, piece: TablePiece) -> bool:
        """Whether the log-odds of a table are surely linear in the scores of the parents, as a sigmoid variable needs them."""
        if isinstance(piece.local, Sigmoid):
            return piece.local.kind == Sigmoid.kind
        if isinstance(piece.local, Embedded):
            states = self.source.pmap.model.states
            inputs = [
                [states[name] for name in factor.inputs if states[name] > 1]
                for factor in piece.local.classifier.factors
            ]
            return all(sizes in ([], [2]) for sizes in inputs)
        assert piece.table is not None, "a table was carried over"  # noqa: S101
        if any(one in (make_constant(0), make_constant(1)) for one in piece.table):
            return False
        sizes = [self.source.pieces[name].states for name in piece.parents]
        rows = [piece.table[start : start + 2] for start in range(0, len(piece.table), 2)]
        if all(set(dict(one)) <= {()} for one in piece.table):
            odds = {
                row: dict(two)[()] / dict(one)[()] for row, (one, two) in zip(iterate_rows(sizes), rows, strict=True)
            }
            zero = (0,) * len(sizes)
            units = [
                odds[(*zero[:j], 1, *zero[j + 1 :])] / odds[zero] if size > 1 else Fraction(1)
                for j, size in enumerate(sizes)
            ]
            return all(
                value == odds[zero] * prod((u**x for u, x in zip(units, row, strict=True)), start=Fraction(1))
                for row, value in odds.items()
            )
        moving = [
            axis
            for axis, size in enumerate(sizes)
            if size > 1
            and any(
                rows[compute_row_number(row, sizes)]
                != rows[compute_row_number((*row[:axis], 0, *row[axis + 1 :]), sizes)]
                for row in iterate_rows(sizes)
            )
        ]
        return all(sizes[axis] == 2 for axis in moving) and len(moving) <= 1

    def carry_classifier(self, variable: Variable, local: Embedded, piece: TablePiece) -> bool:
        """The tables of a classifier's network, from those of its counterpart's, which has the same variables."""
        if isinstance(piece.local, Sigmoid):
            is_plain = piece.local.kind == Sigmoid.kind
            return is_plain and self.carry_logistic(variable, local.classifier, piece)
        if not isinstance(piece.local, Embedded) and isinstance(variable.local, Embedded):
            return self.carry_table_into_classifier(variable, local.classifier, piece)
        if not isinstance(piece.local, Embedded) or piece.states != variable.states:
            return False
        inner, mine = local.classifier.network, piece.local.classifier.network
        called = {name: self.counterpart[name] for name in inner.states}
        if sorted(map(str, called.values())) != sorted(mine.states):
            return False
        pieces = {
            one.name: TablePiece(
                one.name,
                one.states,
                True,
                one.parents,
                one.local,
                self.source.inside[format_inner_key(piece.name, one.local.share or one.name)],
            )
            for one in mine.variables
        }
        if any(pieces[cast("str", called[name])].states != states for name, states in inner.states.items()):
            return False
        below = Carrying(
            TableSource(self.source.pmap, pieces, {}, ()), inner, called, {one: name for name, one in called.items()}
        )
        if not all(below.carry(one) for one in inner.variables):
            return False
        self.tables |= {format_inner_key(variable.name, key): forms for key, forms in below.tables.items()}
        self.lines += [f"in the classifier of {variable.name}: {line}" for line in below.lines]
        return True

    def carry_table_into_classifier(self, variable: Variable, classifier: Classifier, piece: TablePiece) -> bool:
        """The tables of a classifier whose class has the parents that a table has: that table, and children that say nothing."""
        inner = classifier.network
        own = next(one for one in inner.variables if one.name == variable.name)
        forms = None if any(one.local != Table() for one in inner.variables) else self.carry_table(own, piece)
        if forms is None:
            return False
        self.tables[format_inner_key(variable.name, own.name)] = forms
        for one in inner.variables:
            if one.name != own.name:
                rows = prod(inner.states[name] for name in one.parents)
                self.tables[format_inner_key(variable.name, one.name)] = [make_constant(Fraction(1, one.states))] * (
                    rows * one.states
                )
        self.lines.append(
            f"in the classifier of {variable.name} the class has the same table, and its children are independent of it"
        )
        return True

    def carry_logistic(self, variable: Variable, classifier: Classifier, piece: TablePiece) -> bool:
        """The tables of a classifier's network whose log-odds are those of a sigmoid variable: naive Bayes and logistic regression."""
        inner = classifier.network
        weights = map_logistic_weights(self.source.pmap, piece)
        called = {one.name: self.counterpart[one.name] for one in inner.variables}
        parents = next(one.parents for one in inner.variables if one.name == variable.name)
        children = [one for one in inner.variables if variable.name in one.parents]
        acting = {called[name] for name in (*parents, *(one.name for one in children))}
        if any(one.local != Table() for one in inner.variables) or not set(weights) <= {*acting, ""}:
            return False

        def factor(point: Sequence[Fraction], name: str) -> Fraction:
            number = weights.get(str(called[name]))
            return Fraction(1) if number is None else point[number]

        def row(one: Variable, at: Mapping[str, int], point: Sequence[Fraction]) -> list[Fraction]:
            if one.name == variable.name:
                odds = prod((factor(point, name) ** at[name] for name in parents), start=point[weights[""]])
                for child in children:
                    powers = [factor(point, child.name) ** state for state in range(child.states)]
                    odds *= sum(powers, Fraction(0)) / child.states
                return [1 / (1 + odds), odds / (1 + odds)]
            base = factor(point, one.name) if at.get(variable.name) == 1 else Fraction(1)
            powers = [base**state for state in range(one.states)]
            return [power / sum(powers, Fraction(0)) for power in powers]

        for one in inner.variables:
            rows = [
                dict(zip(one.parents, states, strict=True))
                for states in iterate_rows([inner.states[name] for name in one.parents])
            ]
            self.functions[format_inner_key(variable.name, one.name)] = lambda point, one=one, rows=rows: [  # type: ignore[misc]
                value for at in rows for value in row(one, at, point)
            ]
        self.lines.append(f"the classifier of {variable.name} has the log-odds of the sigmoid variable")
        return True

    def put(self, variable: Variable, forms: list[Form], line: str) -> bool:
        """Keep a table, if it has the fixed entries of the variable, and equal names and shares the same everywhere."""
        local = variable.local
        sizes = [*(self.other.states[parent] for parent in variable.parents), variable.states]

        def at(cell: Cell) -> Form:
            return forms[compute_row_number((*cell[0], cell[1]), sizes)]

        if isinstance(local, Table):
            if any(at(cell) != make_constant(value) for cell, value in local.fixed):
                return False
            if any(self.names.setdefault(label, at(cell)) != at(cell) for cell, label in local.equal):
                return False
        self.lines.extend(filter(None, [line]))
        return self.tables.setdefault(variable.local.share or variable.name, forms) == forms

    def family_of(self, variable: Variable) -> str:
        """A variable with its parents, and what stands there in the first network, the parents of which are among what these stand for."""
        piece = self.piece(variable.name)
        mine = format_conditional(variable.name, variable.parents)
        return f"{mine} from {format_conditional(piece.name, piece.parents)}" if piece else f"{mine} from nothing"

    def line_of(self, variable: Variable, piece: TablePiece) -> str:
        """What becomes of one table, in a sentence; nothing if it stays as it is."""
        called = variable.name if piece.name == variable.name else f"{variable.name}, in place of {piece.name},"
        further = [name for name in variable.parents if self.counterpart[name] not in piece.parents]
        texts = [f"whatever {', '.join(further)} {'is' if len(further) == 1 else 'are'}"] if further else []
        if variable.states > piece.states:
            texts.append(
                f"with probability 0 beyond the first {format_count(piece.states, 'state').removeprefix('1 ')}"
            )
        if piece.name not in self.source.pmap.model.states:
            return ", ".join([f"{variable.name} has the distribution of {piece.name}", *texts])
        if isinstance(variable.local, Sigmoid) and not isinstance(piece.local, Sigmoid):
            texts.append("whose log-odds are linear in the states of its parents")
        if isinstance(piece.local, Sigmoid) and not isinstance(variable.local, Sigmoid):
            texts.append(
                "whose rows are 1/(1 + z), z/(1 + z), z = A·∏ B^state being the odds there"
                if piece.local.kind == Sigmoid.kind
                else f"whose rows follow from the log-odds of the {piece.local.kind} variable"
            )
        if has_other_weights(variable, piece):
            texts.append(f"whose {piece.local.kind} log-odds are those of {WEIGHTED[variable.local.kind]} variable")
        if isinstance(piece.local, Embedded):
            texts.append("whose rows are products of entries of the classifier, divided by their sum (Bayes' rule)")
        if isinstance(piece.local, Deterministic) and not isinstance(variable.local, Deterministic):
            texts.append("with 1 at the value of the function and 0 elsewhere")
        if not texts and called == variable.name:
            return ""
        return f"{called} has the same table{', ' if texts else ''}{', '.join(texts)}"


def build_embedding(source: TableSource, second: ParamMap, match: Match) -> Embedding | None:
    """The map that carries the tables of these pieces over, if the second model allows it."""
    other = second.model
    counterpart = {
        variable.name: match.get(variable.name, variable.name if variable.observed else None)
        for variable in other.variables
    }
    originals = {counterpart[name]: name for name in reversed(order_parents_first(other))}
    work = Carrying(source, other, counterpart, originals)
    for variable in other.variables:
        if variable.name not in other.given and not work.carry(variable):
            return None
    merged = source.pieces.keys() != {variable.name for variable in source.pmap.model.variables}
    lemma = (
        "merging"
        if merged or any(isinstance(one.local, Deterministic | Sigmoid | Embedded) for one in other.variables)
        else "embedding"
    )
    together = {name for piece in source.pieces.values() for name in piece.merged}
    summed = [
        one.name for one in source.pmap.model.hidden if one.name not in source.pieces and one.name not in together
    ]
    work.lines += [f"{name} is summed out" for name in summed]

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        values = source.values(point)
        tables = {owner: [[evaluate_form(one, values) for one in forms]] for owner, forms in work.tables.items()}
        return second.point(tables | {owner: [function(point)] for owner, function in work.functions.items()})

    hypotheses = [work.family_of(variable) for variable in other.variables if variable.name not in other.given]
    trust = prove_embedding(lemma, work.lines, hypotheses)
    further = []
    if names := find_replaced(work, Sigmoid):
        kinds = {piece.local.kind for name in names if (piece := work.piece(name)) is not None}
        odds = "the odds z of a row give its entries 1/(1 + z), z/(1 + z)"
        fact = odds if kinds == {Sigmoid.kind} else "a row follows from its log-odds"
        further.append(proved_by("sigmoid", f"{join_names(names)}: {fact}"))
    if names := [
        one.name
        for one in other.variables
        if one.name not in other.given and has_other_weights(one, work.piece(one.name))
    ]:
        further.append(proved_by("sigmoid", f"{join_names(names)}: log-odds of one kind as log-odds of another"))
    if names := find_replaced(work, Embedded):
        fact = (
            f"{join_names(names)}: a row of the classifier is products of entries of its tables, divided by their sum"
        )
        further.append(proved_by("classifier", fact))
    trust = trust_in_all([trust, *further])
    return Embedding(tuple(work.lines), trust, source.pmap, second, at)


SAME_IF_BINARY = ("multinomial", "adjacent", "cumulative")
"""Kinds of log-odds that with two states are those of a sigmoid variable."""
WEIGHTED = {
    "sigmoid": "a sigmoid",
    "multinomial": "a multinomial",
    "adjacent": "an adjacent",
    "cumulative": "a cumulative",
    "rasch": "a rasch",
}


def has_other_weights(variable: Variable, piece: TablePiece | None) -> bool:
    """Whether a variable has log-odds, and what stands for it has others."""
    both = piece is not None and isinstance(piece.local, Sigmoid) and isinstance(variable.local, Sigmoid)
    return both and piece is not None and piece.local.kind != variable.local.kind


def find_replaced(work: Carrying, kind: type[Sigmoid | Embedded]) -> list[str]:
    """The variables that stand for ones of a kind, sigmoid or with classifiers, and are of another kind."""
    return [
        variable.name
        for variable in work.other.variables
        if variable.name not in work.other.given
        and not isinstance(variable.local, kind)
        and (piece := work.piece(variable.name)) is not None
        and isinstance(piece.local, kind)
    ]


def format_conditional(name: str, parents: Sequence[str]) -> str:
    """A variable and its parents.

    >>> format_conditional("C", ["A", "B"]), format_conditional("A", [])
    ('P(C|A,B)', 'P(A)')
    """
    return f"P({name}{'|' if parents else ''}{','.join(parents)})"


def map_logistic_weights(pmap: ParamMap, piece: TablePiece) -> dict[str, int]:
    """The numbers of the parameters of a sigmoid variable: of A under no name, of B under those of the parents that have states."""
    states = pmap.model.states
    entries = next(
        entries
        for owner, entries in zip(pmap.owners, pmap.arrays, strict=True)
        if owner == (piece.local.share or piece.name)
    )
    assert isinstance(entries, SigmoidEntries), "a sigmoid variable has weights"  # noqa: S101
    moving = [name for name in piece.parents if states[name] > 1]
    return {"": entries.first} | {name: entries.first + place for place, name in enumerate(moving, 1)}
