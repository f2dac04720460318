// The drawing: the dictionary of a model file, changed by hand. Whether it is a model, the program decides.

const WORD = /[A-Za-z_][A-Za-z0-9_.]*(?!\()/g;

export function startDrawing(family) {
  const more = family === "gaussian" ? { bidirected: [], means: false } : {};
  return { family, variables: [], edges: [], ...more };
}

const hasStates = (drawing) => drawing.family !== "gaussian";
export const hasBothKinds = (drawing) => drawing.family === "conditional-gaussian";
export const hasArcs = (drawing) => drawing.family === "gaussian";
export const find = (drawing, name) => drawing.variables.find((one) => one.name === name);

export function chooseName(drawing, observed) {
  const taken = new Set(drawing.variables.map((one) => one.name)), letter = observed ? "X" : "H";
  if (!observed && !taken.has("H")) return "H";
  for (let number = 1; ; number += 1) if (!taken.has(letter + number)) return letter + number;
}

// Where both kinds are drawn what is observed is Gaussian to begin with, and what is latent a class.
export function addVariable(drawing, observed) {
  const name = chooseName(drawing, observed);
  drawing.variables.push({ name, ...(hasStates(drawing) && !(observed && hasBothKinds(drawing)) ? { states: 2 } : {}), observed });
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

// Where numbers have names: those of "linear" are sums of others.
const NUMBERS = ["fixed", "equal", "linear"];

function keepNumbers(drawing, keep) {
  for (const key of NUMBERS) {
    if (drawing[key]) drawing[key] = Object.fromEntries(Object.entries(drawing[key]).filter(([name, value]) => keep(name) && (key !== "linear" || Object.keys(value).every(keep))));
  }
  if (drawing.common) drawing.common = drawing.common.filter(keep);
}

const pairOf = (text) => text.slice(text.indexOf("(") + 1, -1).split(/<->|->/).map((one) => one.trim());

export function connect(drawing, one, other, kind) {
  if (one === other || !find(drawing, one) || !find(drawing, other)) return false;
  if (kind === "arc") {
    if (!hasArcs(drawing)) return false;
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
  if (drawing.class === name) drawing.class = "";
  keepNumbers(drawing, (text) => !pairOf(text).includes(name));
}

export function setStates(drawing, name, states) {
  const variable = find(drawing, name);
  if (variable?.states === undefined || states < 1 || states > 999) return false;
  variable.states = variable.observed ? Math.max(2, states) : states;
  delete variable.labels;
  loosen(drawing, name);
  for (const [from, to] of drawing.edges) if (from === name) loosen(drawing, to);
  return true;
}

export function setKind(drawing, name, isDiscrete) {
  const variable = find(drawing, name);
  if (isDiscrete) variable.states ??= 2; else delete variable.states;
  keepNumbers(drawing, (text) => !pairOf(text).includes(name));
}

export const tableOf = (drawing, name) => (drawing.local && Object.hasOwn(drawing.local, name) ? drawing.local[name].type : "table");

export function setTable(drawing, name, type) {
  loosen(drawing, name);
  drawing.local = { ...drawing.local, [name]: { type } };
  if (type === "table") loosen(drawing, name);
}

export function turn(drawing, name) {
  const variable = find(drawing, name);
  variable.observed = !variable.observed;
  if (variable.observed && variable.states === 1) variable.states = 2;
}

const within = (text, name, wanted) => text.replace(WORD, (word) => (word === name ? wanted : word));
const swapKeys = (values, name, wanted) => Object.fromEntries(Object.entries(values).map(([text, value]) => [within(text, name, wanted), value instanceof Object ? swapKeys(value, name, wanted) : value]));

function swapLocal(local, name, wanted) {
  const found = { ...local };
  for (const key of ["fixed", "equal"]) if (local[key]) found[key] = swapKeys(local[key], name, wanted);
  return found;
}

export function rename(drawing, name, wanted) {
  const swap = (text) => (text === name ? wanted : text);
  for (const one of drawing.variables) one.name = swap(one.name);
  for (const key of ["edges", "bidirected"]) if (drawing[key]) drawing[key] = drawing[key].map((pair) => pair.map(swap));
  if (drawing.given) drawing.given = drawing.given.map(swap);
  if (drawing.class) drawing.class = swap(drawing.class);
  for (const key of NUMBERS) if (drawing[key]) drawing[key] = swapKeys(drawing[key], name, wanted);
  if (drawing.common) drawing.common = drawing.common.map((text) => within(text, name, wanted));
  if (drawing.local) drawing.local = Object.fromEntries(Object.entries(drawing.local).map(([owner, local]) => [swap(owner), swapLocal(local, name, wanted)]));
}

// Plates: variables that are alike, drawn and changed as one. A plate is the list of their names; the first one stands for all.

export const membersOf = (plates, name) => plates.find((members) => members.includes(name)) ?? [name];
const stemOf = (name) => name.replace(/\d+$/, "");

// What a variable is besides its name.
function describe(drawing, name) {
  const call = (text) => within(text, name, "self "), ends = (key) => (drawing[key] ?? []).filter((pair) => pair.includes(name)).map((pair) => pair.map(call).join(" ")).sort();
  const listed = [...NUMBERS.flatMap((key) => Object.entries(drawing[key] ?? {})), ...(drawing.common ?? []).map((text) => [text, "common"])];
  const numbers = listed.map((one) => [one, Object.entries(swapKeys(Object.fromEntries([one]), name, "self "))[0]].map((pair) => JSON.stringify(pair)))
    .filter(([was, now]) => was !== now).map(([, now]) => now).sort();
  const local = drawing.local && Object.hasOwn(drawing.local, name) ? swapLocal(drawing.local[name], name, "self ") : null;
  const arcs = (drawing.bidirected ?? []).filter((pair) => pair.includes(name)).map((pair) => pair.find((one) => one !== name)).sort();
  return JSON.stringify([{ ...find(drawing, name), name: "" }, ends("edges"), arcs, numbers, local, drawing.given?.includes(name), drawing.class === name]);
}

export function listAlike(drawing, name) {
  const wanted = describe(drawing, name);
  return drawing.variables.map((one) => one.name).filter((one) => describe(drawing, one) === wanted);
}

// What of the plates is still alike: who has become another one stands for itself.
export function keepPlates(drawing, plates) {
  const names = new Set(drawing.variables.map((one) => one.name));
  return plates.flatMap((members) => {
    const groups = new Map();
    for (const name of members) if (names.has(name)) { const look = describe(drawing, name); groups.set(look, [...(groups.get(look) ?? []), name]); }
    return [...groups.values()].filter((group) => group.length > 1);
  });
}

function copyVariable(drawing, name, wanted, last) {
  const swap = (text) => (text === name ? wanted : text), number = drawing.variables.findIndex((one) => one.name === last);
  drawing.variables.splice(number + 1, 0, { ...find(drawing, name), name: wanted });
  for (const key of ["edges", "bidirected"]) if (drawing[key]) drawing[key].push(...drawing[key].filter((pair) => pair.includes(name)).map((pair) => pair.map(swap)));
  if (drawing.given?.includes(name)) drawing.given.push(wanted);
  for (const key of NUMBERS) if (drawing[key]) drawing[key] = { ...swapKeys(drawing[key], name, wanted), ...drawing[key] };
  if (drawing.common) drawing.common = [...new Set([...drawing.common, ...drawing.common.map((text) => within(text, name, wanted))])];
  if (drawing.local && Object.hasOwn(drawing.local, name)) drawing.local[wanted] = swapLocal(drawing.local[name], name, wanted);
}

// So many alike variables: the last ones go, or the first one is copied. Returns their names.
export function setCount(drawing, members, count) {
  const found = [...members];
  while (found.length > Math.max(1, count)) removeVariable(drawing, found.pop());
  if (found.length === 1 && count > 1 && stemOf(found[0]) === found[0] && !find(drawing, `${found[0]}1`)) { rename(drawing, found[0], `${found[0]}1`); found[0] += "1"; }
  const stem = stemOf(found[0]);
  for (let number = Number(found[0].slice(stem.length)) + 1; found.length < count; number += 1) {
    if (find(drawing, stem + number)) continue;
    copyVariable(drawing, found[0], stem + number, found.at(-1));
    found.push(stem + number);
  }
  return found;
}

// New names for all that a plate has; nothing where one of them is taken.
export function renamePlate(drawing, members, wanted) {
  const stem = stemOf(wanted) || wanted, names = members.map((name, place) => stem + (name.slice(stemOf(name).length) || place + 1));
  if (names.some((name) => find(drawing, name) && !members.includes(name)) || new Set(names).size < names.length) return null;
  members.forEach((name, place) => rename(drawing, name, `${names[place]}_._`));
  for (const name of names) rename(drawing, `${name}_._`, name);
  return names;
}
