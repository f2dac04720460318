// What the program answers, shown. Every text is set as text.

const at = (id) => document.getElementById(id);

export function write(tag, text = "", more = {}) {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(more)) name === "onclick" ? element.addEventListener("click", value) : element.setAttribute(name, value);
  return element;
}

export function showStatus(word, text = word) {
  at("status").textContent = text;
  at("status").className = `badge ${word.replace(/[^a-z]/g, "-")}`;
}

// What is shown of an earlier model is grey until the answer about the present one is there.
export function setBusy(isBusy, ...ids) { for (const id of ids) at(id).setAttribute("aria-busy", String(isBusy)); }
export const OF_DIMENSION = ["number", "rows", "sentences", "lost", "why"];

export function forget(word) {
  setBusy(false, ...OF_DIMENSION, "equations", "what-if", "score");
  at("score").textContent = "";
  at("number").textContent = "–";
  showStatus(word);
  for (const id of ["rows", "sentences", "reasons", "equation-list", "fixed", "fix-this", "lost-list"]) at(id).replaceChildren();
  at("kind").textContent = at("fixing").textContent = at("equation-count").textContent = "";
  at("lost").hidden = true;
}

function lightOnHover(element, names, light) {
  for (const name of ["pointerenter", "focus"]) element.addEventListener(name, () => light(names));
  for (const name of ["pointerleave", "blur"]) element.addEventListener(name, () => light([]));
}

function list(reasons) {
  const found = document.createElement("ul");
  for (const one of reasons) {
    const line = write("li", one.text);
    if (one.because.length) line.append(list(one.because));
    found.append(line);
  }
  return found;
}

export function showDimension(answer, kind, light, tryFixing) {
  setBusy(false, ...OF_DIMENSION);
  const open = answer.upper > answer.dimension ? "≥ " : "";
  at("number").textContent = `${open}${answer.dimension}`;
  showStatus(answer.quick && answer.status !== "proved" ? "computing" : answer.status, answer.quick && answer.status !== "proved" ? `${answer.trust}; looking for a proof` : answer.trust);
  at("kind").textContent = kind;
  at("rows").replaceChildren(...answer.rows.map(([name, number, more]) => {
    const row = document.createElement("tr");
    row.append(write("th", name, { scope: "row" }), write("td", number), write("td", more, { class: "small" }));
    return row;
  }));
  at("sentences").replaceChildren(...[...answer.sentences, ...(answer.not_tried.length ? [`not tried, or not to the end: ${answer.not_tried.join("; ")}`] : [])].map((text) => write("p", text)));
  at("reasons").replaceChildren(list(answer.reasons));
  at("lost").hidden = !answer.lost.length;
  at("fixing").textContent = answer.fixing.length ? "Choose one to see what fixing it does; those in bold are proposed." : "";
  at("lost-list").replaceChildren(...[...answer.lost].sort((one, other) => answer.fixing.includes(other.parameter) - answer.fixing.includes(one.parameter)).slice(0, 60).map((one) => {
    const chip = makeChip(one.parameter, () => tryFixing(one.parameter), answer.fixing.includes(one.parameter));
    lightOnHover(chip.firstChild, one.owners, light);
    return chip;
  }));
  if (answer.lost.length > 60) at("lost-list").append(write("li", `… ${answer.lost.length} in all`));
}

export function makeChip(text, run, isProposed = false) {
  const line = document.createElement("li");
  line.append(write("button", text, { class: isProposed ? "proposed" : "", onclick: run }));
  return line;
}

export const sayDimension = (one) => (one.error ? one.error : `dimension ${one.upper > one.dimension ? "≥ " : ""}${one.dimension} (${one.trust}), ${one.parameters} parameters`);

export function showChange(one, take) {
  const line = document.createElement("div");
  line.className = "change";
  line.append(write("span", `${one.label}: ${sayDimension(one)} `));
  if (!one.error) line.append(write("button", "Apply", { onclick: () => take(one.text), "aria-label": `Apply: ${one.label}` }));
  return line;
}

export function showWhatIf(name, answer, take) {
  setBusy(false, "what-if");
  const states = answer.changes.filter((one) => one.kind === "states"), others = answer.changes.filter((one) => one.kind !== "states");
  at("what-if-none").hidden = true;
  at("what-if-states").hidden = !states.length;
  at("what-if-list").replaceChildren(...others.map((one) => { const line = document.createElement("li"); line.append(showChange(one, take)); return line; }));
  if (!states.length) return;
  const slider = at("states"), most = Math.max(...states.map((one) => one.dimension ?? 0), 1);
  slider.max = states.length;
  slider.value = states.findIndex((one) => one.now) + 1 || 1;
  at("states-of").textContent = name;
  at("states-bars").replaceChildren(...states.map((one) => { const bar = document.createElement("span"); bar.style.height = `${(56 * (one.dimension ?? 0)) / most + 4}px`; bar.dataset.number = one.dimension ?? ""; return bar; }));
  const say = () => {
    const one = states[Number(slider.value) - 1];
    at("states-said").textContent = `${one.label}: ${sayDimension(one)}`;
    [...at("states-bars").children].forEach((bar, number) => bar.classList.toggle("on", number === Number(slider.value) - 1));
    at("states-apply").disabled = one.now || Boolean(one.error);
    at("states-apply").onclick = () => take(one.text);
  };
  slider.oninput = say;
  say();
}

export function hideWhatIf(text = "Select a variable or an arrow.") {
  setBusy(false, "what-if");
  at("what-if-none").hidden = false;
  at("what-if-none").textContent = text;
  at("what-if-states").hidden = true;
  at("what-if-list").replaceChildren();
}

export function showEquations(answer, light) {
  setBusy(false, "equations");
  const kinds = new Map();
  for (const one of answer.equations) kinds.set(one.kind, [...(kinds.get(one.kind) ?? []), one]);
  at("equation-count").textContent = answer.count ? `(${answer.count})` : "(none found)";
  at("equation-list").replaceChildren(...[...kinds].flatMap(([kind, some]) => {
    const found = document.createElement("ul");
    for (const one of some) {
      const line = write("li", `${one.text}${one.because ? `   ${one.because}` : ""} `, { tabindex: "0" });
      line.append(write("span", one.trust, { class: `badge ${one.status}` }));
      lightOnHover(line, one.variables, light);
      found.append(line);
    }
    return [write("h3", kind), found];
  }), ...answer.notes.filter(Boolean).map((text) => write("p", text, { class: "small" })));
}

export function failEquations(text) {
  setBusy(false, "equations");
  at("equation-count").textContent = "";
  at("equation-list").replaceChildren(write("p", text, { class: "small" }));
}

function makeCard(one, open) {
  const card = write("button", "", { class: "card", type: "button", title: `${one.text}\n${one.remark ?? ""}`, onclick: () => open(one.text), ...(one.name ? { "data-name": one.name } : {}) });
  if (one.picture) { const image = document.createElement("img"); image.alt = ""; image.loading = "lazy"; image.src = `data:image/svg+xml,${encodeURIComponent(one.picture)}`; card.append(image); }
  card.append(write("strong", one.title), write("span", one.citation ?? "", { class: "small" }));
  return card;
}

export function showGallery(answer, open) {
  const search = at("search"), all = [...answer.starts, ...answer.models];
  const cards = all.map((one) => [makeCard(one, open), `${one.name ?? ""} ${one.title} ${one.citation ?? ""} ${one.text}`.toLowerCase()]);
  const filter = () => { for (const [card, words] of cards) card.hidden = !words.includes(search.value.toLowerCase()); };
  search.oninput = filter;
  at("starts").replaceChildren(...cards.slice(0, answer.starts.length).map(([card]) => card));
  at("models").replaceChildren(...cards.slice(answer.starts.length).map(([card]) => card));
  filter();
}
