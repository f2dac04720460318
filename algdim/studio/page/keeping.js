// What was drawn is kept in this browser and in the address; the program keeps nothing.

const PREFIX = "algdim-studio:", MOST = 20, LONGEST = 100000;
let tab = null;

function read(key) { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } }

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
    if (hash.startsWith("text=")) return { text: decodeURIComponent(hash.slice(5)) };
    if (hash.startsWith("model=")) return JSON.parse(decodeURIComponent(hash.slice(6)));
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
