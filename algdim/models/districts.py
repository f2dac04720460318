"""Districts: join every hidden variable with all of its children; the connected components are the districts.

An observed variable without hidden parents is a district of its own. The observed distribution is the product of one
kernel per district, the distribution of its observed members given their observed parents outside.
"""

from __future__ import annotations

from collections.abc import Iterable

from algdim.models.network import Network, Variable

Members = tuple[str, ...]


def districts(model: Network) -> tuple[Members, ...]:
    """The districts, each in the model's order; variables conditioned on belong to none.

    >>> from algdim.models.notation import parse
    >>> districts(parse("A -> C <- H -> D <- B; hidden H"))
    (('A',), ('C', 'H', 'D'), ('B',))
    """
    hidden = {variable.name for variable in model.hidden}
    links = [(parent, child) for parent, child in model.edges if parent in hidden]
    return components([v.name for v in model.variables if v.name not in model.given], links)


def components(names: Iterable[str], links: Iterable[tuple[str, str]]) -> tuple[Members, ...]:
    """The connected components, by order of their first name.

    >>> components("abc", [("a", "c")])
    (('a', 'c'), ('b',))
    """
    root = {name: name for name in names}

    def find(name: str) -> str:
        while root[name] != name:
            root[name] = root[root[name]]
            name = root[name]
        return name

    for one, other in links:
        root[find(other)] = find(one)
    found: dict[str, list[str]] = {}
    for name in root:
        found.setdefault(find(name), []).append(name)
    return tuple(tuple(members) for members in found.values())


def kernel(model: Network, members: Iterable[str]) -> Network:
    """The model of the members' observed variables given their parents outside, which become roots without parameters.

    >>> from algdim.models.notation import parse
    >>> small = kernel(parse("A -> C <- H -> D <- B; hidden H"), ("C", "H", "D"))
    >>> [variable.name for variable in small.variables], small.given
    (['A', 'C', 'H', 'D', 'B'], ('A', 'B'))
    """
    inside = set(members)
    outside = {
        parent for variable in model.variables if variable.name in inside for parent in variable.parents
    } - inside
    variables = tuple(
        variable if variable.name in inside else Variable(variable.name, variable.states)
        for variable in model.variables
        if variable.name in inside or variable.name in outside
    )
    return Network(variables, tuple(variable.name for variable in variables if variable.name in outside))
