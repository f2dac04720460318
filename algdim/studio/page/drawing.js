// The drawing: the dictionary of a model file, changed by hand. Whether it is a model, the program decides.

const WORD = /[A-Za-z_][A-Za-z0-9_.]*(?!\()/g;

export function startDrawing(family) {
  const more = family === "gaussian" ? { bidirected: [], means: false } : {};
  return { family, variables: [], edges: [], ...more };
}

export const hasStates = (drawing) => drawing.family !== "gaussian";
export const find = (drawing, name) => drawing.variables.find((one) => one.name === name);

export function chooseName(drawing, observed) {
  const taken = new Set(drawing.variables.map((one) => one.name)), letter = observed ? "X" : "H";
  if (!observed && !taken.has("H")) return "H";
  for (let number = 1; ; number += 1) if (!taken.has(letter + number)) return letter + number;
}

export function addVariable(drawing, observed) {
  const name = chooseName(drawing, observed);
  drawing.variables.push({ name, ...(hasStates(drawing) ? { states: 2 } : {}), observed });
  return name;
}

// What was fixed or made equal in a table no longer fits when its shape changes.
function loosen(drawing, name) {
  if (!drawing.local || !Object.hasOwn(drawing.local, name)) return;
  const local = drawing.local[name];
  delete local.fixed; delete local.equal; delete local.share;
  if (local.type === "table") delete drawing.local[name];
  if (!Object.keys(drawing.local).length) delete drawing.local;
}

function keepNumbers(drawing, keep) {
  for (const key of ["fixed", "equal"]) {
    if (drawing[key]) drawing[key] = Object.fromEntries(Object.entries(drawing[key]).filter(([name]) => keep(name)));
  }
}

const pairOf = (text) => text.slice(text.indexOf("(") + 1, -1).split(/<->|->/).map((one) => one.trim());

export function connect(drawing, one, other, kind) {
  if (one === other || !find(drawing, one) || !find(drawing, other)) return false;
  if (kind === "arc") {
    if (hasStates(drawing)) return false;
    drawing.bidirected ??= [];
    if (drawing.bidirected.some((pair) => pair.includes(one) && pair.includes(other))) return false;
    drawing.bidirected.push([one, other]);
    return true;
  }
  if (drawing.edges.some(([from, to]) => from === one && to === other)) return false;
  drawing.edges.push([one, other]);
  loosen(drawing, other);
  return true;
}

export function disconnect(drawing, one, other, kind) {
  const key = kind === "arc" ? "bidirected" : "edges";
  drawing[key] = drawing[key].filter((pair) => pair[0] !== one || pair[1] !== other);
  if (kind !== "arc") loosen(drawing, other);
  const sign = kind === "arc" ? "<->" : "->";
  keepNumbers(drawing, (name) => !(name.includes(sign) && pairOf(name).join(sign) === [one, other].join(sign)));
}

export function removeVariable(drawing, name) {
  for (const [from, to] of drawing.edges) if (from === name) loosen(drawing, to);
  drawing.variables = drawing.variables.filter((one) => one.name !== name);
  for (const key of ["edges", "bidirected"]) if (drawing[key]) drawing[key] = drawing[key].filter((pair) => !pair.includes(name));
  if (drawing.given) drawing.given = drawing.given.filter((one) => one !== name);
  if (drawing.local) delete drawing.local[name];
  keepNumbers(drawing, (text) => !pairOf(text).includes(name));
}

export function setStates(drawing, name, states) {
  const variable = find(drawing, name);
  if (!hasStates(drawing) || !variable || states < 1 || states > 999) return false;
  variable.states = variable.observed ? Math.max(2, states) : states;
  delete variable.labels;
  loosen(drawing, name);
  for (const [from, to] of drawing.edges) if (from === name) loosen(drawing, to);
  return true;
}

export function turn(drawing, name) {
  const variable = find(drawing, name);
  variable.observed = !variable.observed;
  if (variable.observed && variable.states === 1) variable.states = 2;
}

export function rename(drawing, name, wanted) {
  const swap = (text) => (text === name ? wanted : text), within = (text) => text.replace(WORD, swap);
  for (const one of drawing.variables) one.name = swap(one.name);
  for (const key of ["edges", "bidirected"]) if (drawing[key]) drawing[key] = drawing[key].map((pair) => pair.map(swap));
  if (drawing.given) drawing.given = drawing.given.map(swap);
  if (drawing.class) drawing.class = swap(drawing.class);
  for (const key of ["fixed", "equal"]) {
    if (drawing[key]) drawing[key] = Object.fromEntries(Object.entries(drawing[key]).map(([text, value]) => [within(text), value]));
  }
  if (drawing.local) {
    drawing.local = Object.fromEntries(Object.entries(drawing.local).map(([owner, local]) => {
      for (const key of ["fixed", "equal"]) {
        if (local[key]) local[key] = Object.fromEntries(Object.entries(local[key]).map(([text, value]) => [within(text), value]));
      }
      return [swap(owner), local];
    }));
  }
}
