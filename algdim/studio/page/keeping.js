// What was drawn is kept in this browser and in the address; the program keeps nothing.

const PREFIX = "algdim-studio:", MOST = 20, LONGEST = 100000, MOST_VARIABLES = 2000;
let tab = null;

const isText = (one) => typeof one === "string", isNumber = (one) => Number.isFinite(one), isObject = (one) => one instanceof Object;
const areAll = (list, holds, most = Infinity) => Array.isArray(list) && list.length <= most && list.every(holds);
const isPair = (holds) => (one) => areAll(one, holds) && one.length === 2;
const pick = (values, holds) => Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => holds(value)));

function isDrawing(found) {
  return Boolean(found) && isText(found.family) && areAll(found.variables, (one) => Boolean(one) && isText(one.name), MOST_VARIABLES)
    && areAll(found.edges, isPair(isText)) && areAll(found.bidirected ?? [], isPair(isText))
    && areAll([found.given ?? [], found.common ?? []], (list) => areAll(list, isText))
    && areAll([found.local, found.fixed, found.equal, found.linear], (one) => one === undefined || isObject(one)) && areAll(Object.values(found.local ?? {}), isObject);
}

// A link can come from anywhere: what has not the form of a drawing is left out.
function clean(found) {
  if (!found || typeof found !== "object") return null;
  const drawing = isDrawing(found.drawing) ? found.drawing : null, text = isText(found.text) ? found.text : "";
  if (!drawing && !text && !isText(found.draft)) return null;
  return { drawing, text, places: pick(found.places, isPair(isNumber)), bends: pick(found.bends, isNumber),
    plates: (areAll(found.plates, (one) => areAll(one, isText) && one.length > 1) && found.plates) || [], ...(isText(found.draft) ? { draft: found.draft } : {}) };
}

function read(key) {
  try {
    const found = JSON.parse(localStorage.getItem(key));
    return { time: found.time, state: clean(found.state) };
  } catch { return {}; }
}

function list() {
  return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => ({ key, ...read(key) }))
    .filter((one) => one.state && typeof one.time === "number").sort((a, b) => b.time - a.time);
}

export function start() {
  const given = readAddress();
  try {
    tab = sessionStorage.getItem(PREFIX);
    const known = tab && read(PREFIX + tab);
    if (!tab) { tab = String(Date.now()) + Math.random().toString(36).slice(2); sessionStorage.setItem(PREFIX, tab); }
    return given ?? known?.state ?? list()[0]?.state ?? null;
  } catch { return given; }
}

export function listRecent() { try { return list().filter((one) => one.key !== PREFIX + tab).slice(0, 8); } catch { return []; } }

export function readAddress() {
  const hash = location.hash.slice(1);
  try {
    if (hash.startsWith("text=")) return clean({ text: decodeURIComponent(hash.slice(5)) });
    if (hash.startsWith("model=")) return clean(JSON.parse(decodeURIComponent(hash.slice(6))));
  } catch { /* a broken link opens what was drawn last */ }
  return null;
}

let waiting = null;
export function keep(state) {
  try {
    localStorage.setItem(PREFIX + tab, JSON.stringify({ time: Date.now(), state }));
    for (const one of list().slice(MOST)) localStorage.removeItem(one.key);
  } catch { /* a private window: the address has it */ }
  clearTimeout(waiting);
  waiting = setTimeout(() => writeAddress(state), 250);
}

export function writeAddress(state) {
  const text = encodeURIComponent(JSON.stringify(state));
  history.replaceState(null, "", text.length <= LONGEST ? `#model=${text}` : location.pathname);
}
