// What is drawn: the drawing with its plates folded, and what the program said of it.

import { keyOf } from "./canvas.js";
import { find, hasBothKinds, membersOf } from "./drawing.js";

// The first member of a plate stands for all of them.
export function makeShown(plates) {
  const first = new Map();
  for (const members of plates) for (const name of members) first.set(name, members[0]);
  return (name) => first.get(name) ?? name;
}

function fold(pairs, shown) {
  const found = new Map(pairs.map((pair) => { const [one, other] = pair.map(shown); return [`${one} ${other}`, [one, other]]; }));
  return [...found.values()];
}

function describeNode(variable, { drawing, plates }) {
  const members = membersOf(plates, variable.name), isPlate = members.length > 1;
  const note = variable.states === undefined ? (hasBothKinds(drawing) ? "ℝ" : "") : String(variable.states);
  return { name: variable.name, note, observed: variable.observed, ...(isPlate ? { count: members.length, label: `${members[0]} … ${members.at(-1)}` } : {}) };
}

const keyOfLost = (one, shown) => {
  const [first, second] = one.owners.map(shown);
  return one.kind === "b" ? keyOf("edge", first, second) : one.kind === "c" ? keyOf("arc", first, second) : keyOf("node", shown(one.owners.at(-1) ?? ""), "");
};

export function groupLost(dimension, shown) {
  const groups = new Map();
  for (const one of dimension?.lost ?? []) { const key = keyOfLost(one, shown); groups.set(key, [...(groups.get(key) ?? []), one.parameter]); }
  return groups;
}

export function makeView({ state, read, dimension, lit }) {
  const graph = read?.graph, { drawing, places, bends } = state, shown = makeShown(state.plates), labels = new Map(), lost = new Map();
  for (const [key, names] of groupLost(dimension, shown)) lost.set(key, `not identified (${dimension.lost_known.trust}): ${names.slice(0, 4).join(", ")}${names.length > 4 ? `, … (${names.length})` : ""}`);
  const edges = fold(drawing ? drawing.edges : graph?.edges ?? [], shown), arcs = fold(drawing ? drawing.bidirected ?? [] : graph?.arcs ?? [], shown);
  const drawn = new Set([...edges.map((pair) => keyOf("edge", ...pair)), ...arcs.map((pair) => keyOf("arc", ...pair))]);
  for (const [one, other, text] of graph?.labels ?? []) for (const kind of ["edge", "arc"]) { const key = keyOf(kind, shown(one), shown(other)); if (drawn.has(key)) labels.set(key, text); }
  // the entries of a table are those of the arrows into its variable, too; so are variances by the states of a parent
  for (const [one, other] of edges) if (drawing && find(drawing, one)?.states !== undefined) { const said = lost.get(keyOf("node", other, "")); if (said) lost.set(keyOf("edge", one, other), said); }
  return {
    nodes: drawing ? drawing.variables.filter((one) => shown(one.name) === one.name).map((one) => describeNode(one, state)) : graph?.nodes ?? [],
    edges, arcs, labels, lost, lines: drawing ? [] : graph?.lines ?? [], lit: new Set(lit.map(shown)),
    frames: dimension || !drawing ? (graph?.frames ?? []).map((members) => [...new Set(members.map(shown))]) : [],
    places, bends, editable: drawing !== null,
  };
}
