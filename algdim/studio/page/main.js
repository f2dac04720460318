// The page: the drawing and its text in step, its answers beside them, and what was done before.

import * as answers from "./answers.js";
import { ask, isGivenUp, stop } from "./asking.js";
import { Canvas, exportPicture, keyOf } from "./canvas.js";
import * as hand from "./drawing.js";
import * as keeping from "./keeping.js";

const at = (id) => document.getElementById(id);
const copy = (value) => JSON.parse(JSON.stringify(value));
// names of variables are the keys: none is one of JavaScript's
const makePlaces = (found) => Object.assign(Object.create(null), found);
const startState = (family = "discrete") => ({ drawing: hand.startDrawing(family), text: "", places: makePlaces(), bends: {} });
const MOST_STEPS = 300, TYPING = 150, PROOF = 500;

let state = startState();  // what is kept; draft: a text that is not read yet
let read = null;         // what the program says of the text: graph, kind, family
let dimension = null;    // its answer about it
let isWrong = false, isTyped = false, lit = new Set(), joining = null, before = [], after = [], forms = [], typed = null, late = null, asked = 0;

const isEditable = () => state.drawing !== null;

function makeView() {
  const graph = read?.graph, labels = new Map(), lost = new Map(), counts = new Map();
  for (const [one, other, text] of graph?.labels ?? []) for (const kind of ["edge", "arc"]) labels.set(keyOf(kind, one, other), text);
  for (const one of dimension?.lost ?? []) {
    const [first, second] = one.owners, key = one.kind === "b" ? keyOf("edge", first, second) : one.kind === "c" ? keyOf("arc", first, second) : keyOf("node", one.owners.at(-1) ?? "", "");
    counts.set(key, [...(counts.get(key) ?? []), one.parameter]);
  }
  for (const [key, names] of counts) lost.set(key, `not identified (${dimension.lost_known.trust}): ${names.slice(0, 4).join(", ")}${names.length > 4 ? `, … (${names.length})` : ""}`);
  const drawing = state.drawing;
  const nodes = drawing ? drawing.variables.map((one) => ({ name: one.name, note: one.states === undefined ? "" : String(one.states), observed: one.observed })) : graph?.nodes ?? [];
  const edges = drawing ? drawing.edges : graph?.edges ?? [], arcs = drawing ? drawing.bidirected ?? [] : graph?.arcs ?? [];
  // the entries of a table are those of the arrows into its variable, too
  if (drawing && hand.hasStates(drawing)) for (const [one, other] of edges) { const said = lost.get(keyOf("node", other, "")); if (said) lost.set(keyOf("edge", one, other), said); }
  for (const key of [...labels.keys()]) if (drawing && !edges.some(([one, other]) => key === keyOf("edge", one, other)) && !arcs.some(([one, other]) => key === keyOf("arc", one, other))) labels.delete(key);
  return { nodes, edges, arcs, lines: drawing ? [] : graph?.lines ?? [], frames: dimension || !drawing ? graph?.frames ?? [] : [], labels, lost, lit, places: state.places, bends: state.bends, editable: isEditable() };
}

const canvas = new Canvas(at("canvas"), {
  begin: () => remember(),
  move: (name, place) => { state.places[name] = place; draw(); },
  settle: () => keeping.keep(state),
  bend: (key, bend) => { state.bends[key] = bend; draw(); keeping.keep(state); },
  select: (what) => choose(what),
  activate: (name) => activate(name),
  rename: (name) => startRenaming(name),
  tapGround: (place, shift) => addVariable(!shift, place),
  connect: (from, to, place) => {
    if (to) return void link(from, to, "edge");
    if (place) edit(() => { const name = hand.addVariable(state.drawing, true); state.places[name] = place; hand.connect(state.drawing, from, name, "edge"); return { name }; });
  },
});

function draw() {
  const view = makeView(), mutable = isEditable();
  canvas.show(view);
  at("empty").hidden = view.nodes.length > 0;
  for (const id of ["add-observed", "add-latent", "connect", "turn", "rename", "remove"]) at(id).disabled = !mutable;
  at("connect-arc").hidden = !mutable || hand.hasStates(state.drawing);
  at("undo").disabled = !before.length;
  at("redo").disabled = !after.length;
  at("connect").setAttribute("aria-pressed", String(joining?.kind === "edge"));
  at("connect-arc").setAttribute("aria-pressed", String(joining?.kind === "arc"));
}

const say = (text) => { at("said").textContent = text; };

function choose(what) {
  const same = JSON.stringify(what) === JSON.stringify(canvas.selected);
  canvas.select(what);
  if (!same) askWhatIf();
}

function activate(name) {
  if (joining?.from && joining.from !== name) { const { from, kind } = joining; joining = null; link(from, name, kind); return; }
  if (joining && !joining.from) { joining.from = name; say(`${joining.kind === "arc" ? "Arc" : "Arrow"} from ${name}: choose where it ends; Esc leaves.`); }
  choose({ name });
  draw();
}

function startJoining(kind) {
  if (!isEditable()) return;
  if (joining?.kind === kind) { joining = null; say(""); draw(); return; }
  joining = { kind, from: canvas.selected?.name ?? null };
  say(joining.from ? `${kind === "arc" ? "Arc" : "Arrow"} from ${joining.from}: choose where it ends; Esc leaves.` : "Choose where it begins, then where it ends; Esc leaves.");
  draw();
}

function link(from, to, kind) {
  edit(() => (hand.connect(state.drawing, from, to, kind) ? { name: from } : null));
  say(kind === "arc" ? `${from} ↔ ${to}` : `${from} → ${to}`);
}

// What was done before

const snapshot = () => JSON.stringify({ ...state, draft: undefined });

function remember() {
  before.push(snapshot());
  if (before.length > MOST_STEPS) before.shift();
  after = [];
}

function goTo(from, to) {
  if (!from.length) return;
  to.push(snapshot());
  restore(JSON.parse(from.pop()));
}

function restore(found) {
  state = { drawing: null, text: "", bends: {}, ...found, places: makePlaces(found.places) };
  if (state.drawing && !Array.isArray(state.drawing.variables)) state.drawing = null;
  dimension = null;
  at("text").value = state.draft ?? state.text;
  if (state.draft !== undefined) { draw(); askText(true); } else if (state.drawing) { draw(); askDrawing(); } else askText(false);
}

function edit(change) {
  if (!isEditable()) return;
  const kept = snapshot(), what = change();
  if (kept === snapshot()) return;
  delete state.draft;
  say("");
  before.push(kept);
  if (before.length > MOST_STEPS) before.shift();
  after = [];
  dimension = null;
  if (what !== undefined && what !== null) canvas.selected = what;
  draw();
  if (what) canvas.focusSelected();
  askDrawing();
}

function addVariable(observed, place) {
  edit(() => {
    const name = hand.addVariable(state.drawing, observed), taken = Object.values(state.places);
    let [x, y] = place ?? canvas.middle();
    while (!place && taken.some(([a, b]) => Math.abs(a - x) < 60 && Math.abs(b - y) < 60)) { x += 90; if (x > canvas.middle()[0] + 300) { x -= 540; y += 90; } }
    state.places[name] = [Math.round(x), Math.round(y)];
    return { name };
  });
}

function removeSelected() {
  const what = canvas.selected;
  if (!what) return;
  edit(() => {
    if (what.name !== undefined) hand.removeVariable(state.drawing, what.name);
    else hand.disconnect(state.drawing, what.one, what.other, what.kind);
  });
  at("canvas").focus();
}

function changeStates(states) {
  const name = canvas.selected?.name;
  if (name !== undefined) edit(() => (hand.setStates(state.drawing, name, states) ? { name } : null));
}

const statesOf = (name) => (state.drawing && hand.find(state.drawing, name)?.states) ?? 2;

function startRenaming(name) {
  if (!isEditable()) return;
  const input = at("name"), [x, y] = canvas.toScreen(...state.places[name]);
  input.value = name;
  input.style.left = `${x - 60}px`;
  input.style.top = `${y - 16}px`;
  input.hidden = false;
  input.dataset.of = name;
  input.focus();
  input.select();
}

function finishRenaming(take) {
  const input = at("name"), name = input.dataset.of, wanted = input.value.trim();
  if (input.hidden) return;
  input.hidden = true;
  canvas.lastTap = null;
  if (take && wanted && wanted !== name) {
    if (hand.find(state.drawing, wanted)) { say(`There is a variable ${wanted} already.`); return; }
    edit(() => {
      hand.rename(state.drawing, name, wanted);
      state.places[wanted] = state.places[name];
      delete state.places[name];
      state.bends = {};
      return { name: wanted };
    });
  } else choose({ name });
}

// In step with the program

async function askDrawing() {
  keeping.keep(state);
  stop("dim"); stop("constraints"); stop("what-if"); stop("score"); clearTimeout(typed);
  if (!state.drawing.variables.length) {
    read = null; state.text = at("text").value = "";
    stop("read"); showError(null); answers.forget("nothing drawn"); answers.hideWhatIf();
    keeping.keep(state);
    return;
  }
  startComputing();
  await askRead({ drawing: state.drawing }, (found) => { state.text = found.text; showText(found); });
}

async function askText(isEdit, isNew = false) {
  say("");
  const text = at("text").value;
  stop("dim"); stop("constraints"); stop("what-if"); stop("score");
  if (!text.trim()) { if (isEdit) { remember(); state = startState(); dimension = null; draw(); askDrawing(); } return; }
  startComputing();
  state.draft = text;  // until it is read: what has errors, or meets no program, is kept as well
  keeping.keep(state);
  await askRead({ text }, (found) => {
    delete state.draft;
    isTyped = false;
    if (isEdit) remember();
    if (isNew) { state.places = makePlaces(); state.bends = {}; }
    dimension = null;
    state.text = text;
    state.drawing = found.drawing;
    state.places = mergePlaces(found);
    if (document.activeElement !== at("text")) { state.text = found.text; showText(found); }
  });
}

function startComputing() {
  answers.showStatus("computing");
  answers.setBusy(true, ...answers.OF_DIMENSION, "equations", "what-if", "score");
}

function showText(found) {
  at("text").value = found.shown ?? found.text;
  if (found.not_shown) say(found.not_shown);
}

// What the hand has placed stays; what is new stands where the program puts it, moved to where the others are.
function mergePlaces(found) {
  const known = state.places, names = Object.keys(found.places ?? {}), kept = names.filter((name) => known[name]);
  if (!names.length || kept.length === names.length) return known;
  if (!kept.length) { requestAnimationFrame(() => canvas.fit()); return makePlaces(found.places); }
  const shift = [0, 1].map((axis) => kept.reduce((sum, name) => sum + known[name][axis] - found.places[name][axis], 0) / kept.length);
  const merged = makePlaces();
  for (const name of kept) merged[name] = known[name];
  for (const name of names) {
    if (known[name]) continue;
    let [x, y] = [found.places[name][0] + shift[0], found.places[name][1] + shift[1]];
    while (Object.values(merged).some(([a, b]) => Math.abs(a - x) < 55 && Math.abs(b - y) < 55)) x += 90;
    merged[name] = [x, y];
  }
  return merged;
}

async function askRead(fields, take) {
  const number = (asked += 1);
  try {
    const found = await ask("read", { question: "read", ...fields, notation: at("notation").value });
    if (number !== asked) return;
    read = found;
    take(found);
    showError(null);
    if (found.why) say(found.why);
    keeping.keep(state);
    draw();
    askAnswers(found);
  } catch (error) {
    if (isGivenUp(error)) return;
    showError(error, "text" in fields);
    keeping.keep(state);
    answers.forget("no model");
    answers.hideWhatIf("");
  }
}

function showError(error, isOfText = false) {
  isWrong = Boolean(error);
  const place = error?.answer?.at, text = at("text").value, where = at("where");
  at("wrong").hidden = !error;
  at("wrong").textContent = error ? (error.answer?.error ?? String(error)) : "";
  at("text").setAttribute("aria-invalid", String(Boolean(error && isOfText)));
  where.hidden = !(error && isOfText && place);
  where.replaceChildren();
  if (where.hidden) return;
  const line = text.split("\n")[place.line - 1] ?? "", start = Math.max(0, place.column - 1 - 50);
  where.append(`${start ? "…" : ""}${line.slice(start, place.column - 1)}`, answers.write("mark", line.slice(place.column - 1, place.column) || " "), line.slice(place.column, place.column + 30));
}

async function askAnswers(found) {
  const text = found.text;
  clearTimeout(late);
  let isDone = false;
  late = setTimeout(async () => {
    try {
      const answer = await ask("quick", { question: "dim", text, quick: true });
      if (!isDone && read?.text === text) showDimension({ ...answer, lost: [], fixing: [] }, found);
    } catch { /* the other answer comes, or its error */ }
  }, PROOF);
  askEquations(text);
  askWhatIf();
  scoreFile();
  try {
    const answer = await ask("dim", { question: "dim", text });
    isDone = true;
    clearTimeout(late);
    if (read?.text !== text) return;
    dimension = answer;
    showDimension(answer, found);
    draw();
  } catch (error) {
    isDone = true;
    clearTimeout(late);
    if (!isGivenUp(error)) { answers.forget("no answer"); at("sentences").replaceChildren(answers.write("p", error.answer?.error ?? String(error))); }
  }
}

function showDimension(answer, found) { answers.showDimension(answer, found.kind, light, tryFixing); }

async function askEquations(text) {
  try {
    const answer = await ask("constraints", { question: "constraints", text });
    if (read?.text === text) answers.showEquations(answer, light);
  } catch (error) {
    if (!isGivenUp(error)) { answers.setBusy(false, "equations"); at("equation-count").textContent = ""; at("equation-list").replaceChildren(answers.write("p", error.answer?.error ?? "", { class: "small" })); }
  }
}

async function askWhatIf() {
  const name = canvas.selected?.name, text = read?.text;
  if (name === undefined || !text || !isEditable()) { stop("what-if"); answers.hideWhatIf(); return; }
  try {
    const answer = await ask("what-if", { question: "what-if", text, variable: name });
    if (read?.text === text && canvas.selected?.name === name) answers.showWhatIf(name, answer, takeText);
  } catch (error) { if (!isGivenUp(error)) answers.hideWhatIf(error.answer?.error ?? ""); }
}

async function tryFixing(parameter) {
  try {
    const answer = await ask("fixing", { question: "what-if", text: read.text, parameter });
    at("fixed").replaceChildren(...answer.changes.map((one) => answers.showChange(one, takeText)));
  } catch (error) { if (!isGivenUp(error)) at("fixed").replaceChildren(answers.write("p", error.answer?.error ?? "")); }
}

function light(names) {
  lit = new Set(names);
  for (const element of document.querySelectorAll("#ground [data-name] > .shape")) {
    const name = element.parentElement.dataset.name;
    element.setAttribute("fill", lit.has(name) ? "#ffe27a" : element.parentElement.classList.contains("observed") ? "#ffffff" : "#dfe5ee");
  }
}

function takeText(text, isNew = false) { at("text").value = text; at("text").blur(); askText(true, isNew); }

// Take away

function download(name, content, type = "text/plain") {
  const link = document.createElement("a"), address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  at("saved").textContent = `${name} saved`;
}

async function savePicture(form) {
  const { text, width, height } = exportPicture(makeView());
  if (form === "svg") return download("model.svg", text, "image/svg+xml");
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const sheet = document.createElement("canvas");
  Object.assign(sheet, { width: 2 * width, height: 2 * height });
  sheet.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
  download("model.png", await new Promise((done) => sheet.toBlob(done, "image/png")));
}

async function save() {
  const form = at("form").value;
  if (!read || isWrong) { at("saved").textContent = "There is no model to save."; return; }
  if (form === "svg" || form === "png") return savePicture(form);
  at("saved").textContent = "computing";
  try {
    const answer = await ask("write", { question: "write", text: read.text, form });
    download(answer.name, answer.content);
  } catch (error) { if (!isGivenUp(error)) at("saved").textContent = error.answer?.error ?? String(error); }
}

async function scoreFile() {
  const [file] = at("file").files;
  answers.setBusy(false, "score");
  if (!file || !read || isWrong) return;
  if (file.size > 7e6) { at("score").textContent = "The file has more than 7 MB: ask `algdim score`."; return; }
  at("score").textContent = "computing";
  const { text } = read;
  try {
    const answer = await ask("score", { question: "score", text, data: await file.text() }, "data");
    if (read?.text === text) at("score").textContent = answer.text;
  } catch (error) { if (!isGivenUp(error)) at("score").textContent = error.answer?.error ?? String(error); }
}

async function loadGallery() {
  if (forms.length) return;
  try {
    const answer = await ask("gallery", { question: "gallery" });
    forms = answer.forms;
    at("form").replaceChildren(...[["svg", "SVG, as drawn"], ["png", "PNG, as drawn"], ...forms.map((one) => [one.form, one.title])].map(([value, title]) => answers.write("option", title, { value })));
    answers.showGallery(answer, (text) => { at("gallery").close(); takeText(text, true); });
  } catch (error) { if (!isGivenUp(error)) at("models").textContent = error.answer?.error ?? String(error); }
}

function openGallery() {
  loadGallery();
  const recent = keeping.listRecent();
  at("recent-title").hidden = !recent.length;
  at("recent").replaceChildren(...recent.map((one) => answers.write("button", one.state.text || "a drawing without text", { type: "button", class: "recent", onclick: () => { at("gallery").close(); remember(); restore(one.state); } })));
  at("gallery").showModal();
}

function openLecture() {
  if (!read || isWrong) { at("saved").textContent = "There is no model to explain."; return; }
  const frame = document.createElement("iframe");  // its page has an origin of its own, and can ask nothing
  frame.title = "The model explained step by step, with a slider along its fibre";
  frame.src = `lecture?text=${encodeURIComponent(read.text)}#step-fibre`;
  at("lecture-page").replaceChildren(frame);
  at("lecture-dialog").showModal();
}

function startNew(family) {
  say("");
  remember();
  restore(startState(family));
  canvas.select(null);
  at("canvas").focus();
}

// Keys and buttons

const STEPS = { ArrowLeft: [-12, 0], ArrowRight: [12, 0], ArrowUp: [0, -12], ArrowDown: [0, 12] };

function pressKey(event) {
  const key = event.key, name = canvas.selected?.name, isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && key.toLowerCase() === "z") { event.shiftKey ? goTo(after, before) : goTo(before, after); event.preventDefault(); return; }
  if (isCommand && key.toLowerCase() === "y") { goTo(after, before); event.preventDefault(); return; }
  if (isCommand || event.altKey) return;
  const keys = {
    n: () => addVariable(true), l: () => addVariable(false), c: () => startJoining("edge"), b: () => !at("connect-arc").hidden && startJoining("arc"),
    o: () => name !== undefined && edit(() => { hand.turn(state.drawing, name); return { name }; }),
    F2: () => name !== undefined && startRenaming(name), Delete: removeSelected, Backspace: removeSelected,
    "+": () => name !== undefined && changeStates(statesOf(name) + 1), "-": () => name !== undefined && changeStates(statesOf(name) - 1), 0: () => canvas.fit(),
    Enter: () => { if (name === undefined) return; joining ? activate(name) : startRenaming(name); },
    " ": () => name !== undefined && activate(name),
    Escape: () => { joining = null; say(""); choose(null); at("canvas").focus(); draw(); },
  };
  if (/^[1-9]$/.test(key) && name !== undefined) changeStates(Number(key));
  else if (STEPS[key] && name !== undefined) {
    remember();
    const [x, y] = state.places[name], [dx, dy] = STEPS[key];
    state.places[name] = [x + dx, y + dy];
    draw();
    keeping.keep(state);
  } else {
    const found = keys[key.length === 1 ? key.toLowerCase() : key];
    if (!found) return;
    found();
  }
  event.preventDefault();
}

at("canvas").addEventListener("keydown", pressKey);
at("name").addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === "Escape") { finishRenaming(event.key === "Enter"); event.preventDefault(); } event.stopPropagation(); });
at("name").addEventListener("blur", () => finishRenaming(true));
at("text").addEventListener("input", () => { isTyped = true; clearTimeout(typed); typed = setTimeout(() => askText(true), TYPING); });
at("text").addEventListener("change", () => { if (isTyped) { clearTimeout(typed); askText(true); } else if (read && !isWrong) { state.text = read.text; showText(read); } });
at("notation").addEventListener("change", () => read && !isWrong && askRead({ text: read.text }, (found) => { state.text = found.text; showText(found); }));

const buttons = {
  "new-discrete": () => startNew("discrete"), "new-gaussian": () => startNew("gaussian"), "open-gallery": openGallery,
  "add-observed": () => addVariable(true), "add-latent": () => addVariable(false), connect: () => startJoining("edge"), "connect-arc": () => startJoining("arc"),
  turn: () => canvas.selected?.name !== undefined && edit(() => { hand.turn(state.drawing, canvas.selected.name); return canvas.selected; }),
  rename: () => canvas.selected?.name !== undefined && startRenaming(canvas.selected.name), remove: removeSelected,
  undo: () => goTo(before, after), redo: () => goTo(after, before), "zoom-in": () => canvas.zoom(1.25), "zoom-out": () => canvas.zoom(0.8), "zoom-fit": () => canvas.fit(),
  arrange: () => { if (!read?.places) return; remember(); state.places = makePlaces(copy(read.places)); state.bends = {}; draw(); canvas.fit(); keeping.keep(state); },
  save, lecture: openLecture,
  "copy-link": async () => { keeping.writeAddress(state); try { await navigator.clipboard.writeText(location.href); at("saved").textContent = "The address has the model; it is copied."; } catch { at("saved").textContent = "The address of this page has the model: copy it there."; } },
};
for (const [id, run] of Object.entries(buttons)) at(id).addEventListener("click", run);
at("file").addEventListener("change", scoreFile);
addEventListener("hashchange", () => { const found = keeping.readAddress(); if (found) { remember(); restore(found); } });

const kept = keeping.start();
if (kept) restore(kept); else draw();
loadGallery();
canvas.fit();
document.documentElement.dataset.ready = "yes";
