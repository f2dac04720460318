"""The atlas as one page that is read without a server: all its rows, a search, and for each entry a drawing, a sentence, a certificate and a citation.

The rows are in the page, packed, and the drawings are made from the notation when an entry is opened. An entry leads to its
certificate if that is stored; otherwise it says which command makes it.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Collection
from functools import lru_cache

KEPT = ("class", "model", "parameters", "saturated", "dimension", "status", "proof", "identified")
CERTIFICATES = "certificates"
"""The folder next to the page in which certificates are, by class and key."""


@lru_cache
def write_browser(stored: Collection[tuple[str, str]] = frozenset()) -> str:
    """The page, with links to the certificates that are stored, each named by the class and the key of its entry."""
    from algdim.about import VERSION
    from algdim.sweeping.lookup import ATLAS, iterate_entries

    rows = [
        [row[name] for name in KEPT] + [row["key"] if (row["class"], row["key"]) in stored else ""]
        for row in iterate_entries(ATLAS)
    ]
    data = b64encode(gzip.compress(json.dumps(rows, separators=(",", ":")).encode(), 9, mtime=0)).decode()
    return PAGE.replace("@VERSION@", VERSION).replace("@CERTIFICATES@", CERTIFICATES).replace("@DATA@", data)


PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The atlas of algdim</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.4 system-ui, sans-serif; margin: 1rem auto; max-width: 76rem; padding: 0 1rem; }
form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; }
input[type=search] { flex: 1 1 20rem; }
input, select { font: inherit; padding: .3rem; }
table { border-collapse: collapse; width: 100%; margin-top: .8rem; }
th, td { text-align: left; padding: .25rem .5rem; border-bottom: 1px solid #8886; vertical-align: top; }
td.number, th.number { text-align: right; }
td button { font: .9rem ui-monospace, monospace; text-align: left; background: none; border: 0; padding: 0; color: inherit; text-decoration: underline; cursor: pointer; overflow-wrap: anywhere; }
svg { display: block; max-width: 100%; height: auto; }
svg text { font: 13px system-ui, sans-serif; fill: currentColor; text-anchor: middle; }
svg circle, svg rect, svg line { stroke: currentColor; fill: none; }
svg path { fill: currentColor; }
table { display: block; overflow-x: auto; }
@media (max-width: 40rem) {
  td:first-child { min-width: 13rem; }
  th:nth-child(2), td:nth-child(2) { display: none; }
  th, td { padding: .25rem; font-size: .9rem; }
}
</style>
<h1>The atlas of algdim</h1>
<p><a href="../atlas.html">What the atlas shows</a>. Search for parts of a model's text, of its class or of the reason for its upper bound; all words must occur. <code>algdim lookup MODEL</code> finds a model under any names.</p>
<form role="search">
<input type="search" id="words" aria-label="Words" placeholder="3:2,2   or   H1 -&gt; X1   or   flattenings">
<select id="kind" aria-label="Class"><option value="">all classes</option></select>
<label><input type="checkbox" id="below"> dimension below the expected one</label>
</form>
<p id="count" role="status">unpacking</p>
<section id="entry" aria-live="polite"></section>
<table><thead><tr><th>model</th><th>class</th><th class="number">dimension</th><th class="number">expected</th><th class="number">parameters</th><th class="number">saturated</th><th>status</th></tr></thead><tbody id="rows"></tbody></table>
<script type="text/plain" id="data">@DATA@</script>
<script>
let rows = [];
const SHOWN = 200, by = id => document.getElementById(id);

async function unpack() {
  const packed = Uint8Array.from(atob(by("data").textContent), sign => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  rows = (await new Response(stream).json()).map(([kind, model, parameters, saturated, dimension, status, proof, identified, key]) =>
    ({kind, model, parameters: +parameters, saturated: +saturated, dimension: +dimension, status, proof, identified, key, expected: Math.min(+parameters, +saturated), text: `${model} ${kind} ${proof}`.toLowerCase()}));
  for (const kind of new Set(rows.map(row => row.kind))) by("kind").append(new Option(kind, kind));
  by("words").oninput = by("kind").onchange = by("below").onchange = show;
  show();
}

function show() {
  const words = by("words").value.toLowerCase().split(/\\s+/).filter(Boolean);
  const found = rows.filter(row => (!by("kind").value || row.kind === by("kind").value) && (!by("below").checked || row.dimension < row.expected)
    && words.every(word => row.text.includes(word)));
  by("count").textContent = `${found.length} of ${rows.length} models` + (found.length > SHOWN ? `; the first ${SHOWN} are listed` : "");
  by("rows").replaceChildren(...found.slice(0, SHOWN).map(row => {
    const line = document.createElement("tr"), button = document.createElement("button");
    button.textContent = row.model;
    button.onclick = () => open(row);
    const first = document.createElement("td");
    first.append(button);
    line.append(first);
    for (const [value, number] of [[row.kind], [row.dimension, 1], [row.expected, 1], [row.parameters, 1], [row.saturated, 1], [row.status]]) {
      const cell = document.createElement("td");
      cell.textContent = value;
      if (number) cell.className = "number";
      line.append(cell);
    }
    return line;
  }));
}

function open(row) {
  const less = row.expected - row.dimension;
  const lines = [
    `The dimension is ${row.dimension} (${row.status}); there are ${row.parameters} parameters, and the saturated model has ${row.saturated} dimensions.`
      + (less ? ` That is ${less} less than expected.` : " That is as expected.") + ` The upper bound is by ${row.proof}.`,
    row.identified === "all" ? "All parameters are locally identified." : row.identified ? `Of the parameters ${row.identified} are locally identified.` : "Which parameters are identified was not computed.",
    certify(row),
    `Cite as: atlas of algdim @VERSION@, class ${row.kind}, ${row.model}`,
  ];
  const title = document.createElement("h2");
  title.textContent = row.model;
  by("entry").replaceChildren(title, ...draw(row.model), ...lines.map(words => {
    const line = document.createElement("p");
    line.append(...[words].flat());
    return line;
  }));
  by("entry").scrollIntoView();
}

// The stored certificate and the checker's command, or the command that makes one.
function certify(row) {
  if (row.status !== "proved") return "There is no certificate: the dimension is probable.";
  if (!row.key) return `Certificate: algdim prove '${row.model}' -o certificate.json, where the format has one for this kind of model`;
  const link = document.createElement("a");
  link.href = `@CERTIFICATES@/${row.kind}/${row.key.slice(0, 2)}/${row.key}.json`;
  link.textContent = "certificate";
  return ["Proved by this ", link, `, which python3 -I -S check.py ${row.key}.json accepts; or algdim prove '${row.model}'`];
}

// Edges and hidden variables of the notation of networks, Gaussian and log-linear models, trees and chains; nothing for what has no graph here.
function read(text) {
  const edges = [], hidden = new Set(), names = [];
  const add = name => { if (!names.includes(name)) names.push(name); return name; };
  const chain = /^hmm: .*length (\\d+)/.exec(text);
  if (chain) {
    for (let time = 1; time <= chain[1]; time += 1) {
      hidden.add(add(`H${time}`));
      add(`X${time}`);
      if (time > 1) edges.push([`H${time - 1}`, `H${time}`, "->"]);
      edges.push([`H${time}`, `X${time}`, "->"]);
    }
    return {names, hidden, edges, columns: true};
  }
  if (/^loglinear:/.test(text)) {
    (/hidden ([^;]*)/.exec(text)?.[1] ?? "").split(",").map(name => name.trim()).filter(Boolean).forEach(name => hidden.add(name));
    for (const [, pair] of text.matchAll(/\\{([^}]*)\\}/g)) {
      const ends = pair.split(",").map(name => add(name.trim()));
      ends.forEach((one, place) => ends.slice(place + 1).forEach(other => edges.push([one, other, "-"])));
    }
    return {names, hidden, edges};
  }
  if (/^[a-z-]+: /.test(text) && !text.startsWith("gaussian:")) return null;
  const tree = /^\\d+[(:]/.test(text);
  if (tree) {
    let place = 0, number = 0;
    // 2^3* are three items of one table
    const each = text.replace(/(\\d+)\\^(\\d+)\\*?/g, (all, states, items) => Array(Math.min(+items, 30)).fill(states).join(","));
    const source = each.includes(":") ? each.replace(":", "(") + ")" : each;
    const node = above => {
      const states = /^\\d+/.exec(source.slice(place))[0];
      place += states.length;
      const inner = source[place] === "(", name = add(`${inner ? "H" : "X"}${++number}=${states}`);
      if (above) edges.push([above, name, "->"]);
      if (!inner) return;
      hidden.add(name);
      do { place += 1; node(name); } while (source[place] === ",");
      place += 1;
    };
    node("");
    return {names, hidden, edges};
  }
  const split = part => part.split(",").map(name => name.trim()).filter(Boolean);
  for (const clause of text.replace(/^gaussian:/, "").split(";").map(part => part.trim())) {
    if (/^hidden /.test(clause)) { split(clause.slice(7)).forEach(name => hidden.add(name)); continue; }
    if (/^(states|share|means|given|fix|max|equal) /.test(clause)) continue;
    const parts = clause.split(/(<->|<-|->)/);
    split(parts[0]).forEach(add);
    for (let place = 1; place < parts.length; place += 2)
      for (const left of split(parts[place - 1])) for (const right of split(parts[place + 1]))
        edges.push(parts[place] === "<-" ? [add(right), add(left), "->"] : [add(left), add(right), parts[place]]);
  }
  return {names, hidden, edges};
}

function draw(text) {
  const graph = read(text);
  if (!graph || graph.names.length > 64) return [];
  const level = Object.fromEntries(graph.names.map(name => [name, 0]));
  for (const name of graph.names) if (graph.columns ? !graph.hidden.has(name) : graph.edges[0]?.[2] === "-" && !graph.hidden.has(name)) level[name] = 1;
  for (let turn = 0; turn < graph.names.length && !graph.columns; turn += 1)
    for (const [from, to, sign] of graph.edges) if (sign === "->") level[to] = Math.max(level[to], level[from] + 1);
  const layers = [];
  for (const name of graph.names) (layers[level[name]] ??= []).push(name);
  const width = 90 * Math.max(...layers.map(layer => layer.length)) + 40, height = 90 * layers.length + 10, at = {};
  layers.forEach((layer, row) => layer.forEach((name, column) => { at[name] = [(column + 0.5 + (row % 2) * 0.12) * width / layer.length * 0.94, 45 + 90 * row]; }));
  const space = "http://www.w3.org/2000/svg", picture = document.createElementNS(space, "svg");
  const put = (tag, values, words) => {
    const one = document.createElementNS(space, tag);
    Object.entries(values).forEach(([key, value]) => one.setAttribute(key, value));
    if (words) one.textContent = words;
    picture.append(one);
  };
  const head = (x, y, angle) => put("path", {d: "M0 0L-9 -4L-9 4Z", transform: `translate(${x} ${y}) rotate(${angle})`});
  put("title", {}, text);
  for (const [from, to, sign] of graph.edges) {
    const [x1, y1] = at[from], [x2, y2] = at[to], length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const dx = (x2 - x1) / length, dy = (y2 - y1) / length, angle = Math.atan2(dy, dx) * 180 / Math.PI;
    put("line", {x1: x1 + 20 * dx, y1: y1 + 20 * dy, x2: x2 - 20 * dx, y2: y2 - 20 * dy});
    if (sign !== "-") head(x2 - 20 * dx, y2 - 20 * dy, angle);
    if (sign === "<->") head(x1 + 20 * dx, y1 + 20 * dy, angle + 180);
  }
  for (const name of graph.names) {
    const [x, y] = at[name];
    graph.hidden.has(name) ? put("circle", {cx: x, cy: y, r: 19}) : put("rect", {x: x - 20, y: y - 15, width: 40, height: 30});
    put("text", {x, y: y + 4}, name);
  }
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.setAttribute("width", width);
  picture.setAttribute("role", "img");
  return [picture];
}

document.querySelector("form").onsubmit = event => event.preventDefault();
const ready = unpack();
</script>
</html>
"""
