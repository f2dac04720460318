// The page: the drawing and its text in step, its answers beside them, and what was done before.

import * as answers from "./answers.js";
import { ask, isGivenUp, stop } from "./asking.js";
import { Canvas, HIDDEN, LIT, PAPER, exportPicture, keyOf, plain } from "./canvas.js";
import * as hand from "./drawing.js";
import * as keeping from "./keeping.js";
import { showSelected } from "./selected.js";
import * as viewing from "./viewing.js";

const at = (id) => document.getElementById(id);
const copy = (value) => JSON.parse(JSON.stringify(value));
// names of variables are the keys: none is one of JavaScript's
const makePlaces = (found) => Object.assign(Object.create(null), found);
const startState = (family = "discrete") => ({ drawing: hand.startDrawing(family), text: "", places: makePlaces(), bends: {}, plates: [] });
const MOST_STEPS = 300, TYPING = 150, PROOF = 500;

let state = startState();  // what is kept; draft: a text that is not read yet
let read = null;         // what the program says of the text: graph, kind, family
let dimension = null;    // its answer about it
let reading = Promise.resolve(), isBehind = false;  // whether what is drawn or typed is newer than `read`
let isWrong = false, isTyped = false, lit = [], joining = null, before = [], after = [], forms = [], typed = null, late = null, asked = 0;

const isEditable = () => state.drawing !== null;
const membersOf = (name) => hand.membersOf(state.plates, name);
const getModel = () => (read && !isWrong && !isBehind ? read : null);

const makeView = () => viewing.makeView({ state, read: isWrong && state.drawing ? null : read, dimension, lit });

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
    if (place) edit(() => { const name = hand.addVariable(state.drawing, true); state.places[name] = place; for (const one of membersOf(from)) hand.connect(state.drawing, one, name, "edge"); return { name }; });
  },
});

function draw() {
  const view = makeView(), mutable = isEditable();
  canvas.show(view);
  at("empty").hidden = view.nodes.length > 0;
  for (const id of ["add-observed", "add-latent", "connect"]) at(id).disabled = !mutable;
  at("connect-arc").hidden = !mutable || !hand.hasArcs(state.drawing);
  at("undo").disabled = !before.length;
  at("redo").disabled = !after.length;
  at("connect").setAttribute("aria-pressed", String(joining?.kind === "edge"));
  at("connect-arc").setAttribute("aria-pressed", String(joining?.kind === "arc"));
}

const say = (text) => { at("said").textContent = plain(text); };

function choose(what) {
  const same = JSON.stringify(what) === JSON.stringify(canvas.selected);
  canvas.select(what);
  if (same) return;
  showSelected(canvas.selected, state);
  askWhatIf();
}

function activate(name) {
  if (joining?.from && joining.from !== name) { const { from, kind } = joining; joining = null; canvas.lastTap = null; link(from, name, kind); return; }
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
  if (membersOf(from) === membersOf(to)) return;
  edit(() => { for (const one of membersOf(from)) for (const other of membersOf(to)) hand.connect(state.drawing, one, other, kind); return { name: from }; });
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
  if (state.draft !== undefined && from === before) { restore(JSON.parse(snapshot())); return; }  // the text that has errors is what is taken back
  if (!from.length) return;
  to.push(snapshot());
  restore(JSON.parse(from.pop()));
}

function restore(found) {
  state = { drawing: null, text: "", bends: {}, plates: [], ...found, places: makePlaces(found.places) };
  if (state.drawing) state.plates = hand.keepPlates(state.drawing, state.plates);
  dimension = null;
  joining = null; isTyped = false;
  say("");
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
  state.plates = hand.keepPlates(state.drawing, state.plates);
  if (what) canvas.selected = what;
  draw();
  if (what) canvas.focusSelected();
  askDrawing();
  showSelected(canvas.selected, state);
}

function editEach(change) {
  const name = canvas.selected?.name;
  if (name !== undefined) edit(() => { for (const one of membersOf(name)) change(one); return { name }; });
}

function addVariable(observed, place) {
  edit(() => {
    const name = hand.addVariable(state.drawing, observed), taken = Object.values(state.places), [middle, height, reach] = canvas.seen();
    let [x, y] = place ?? [middle, height];
    while (!place && taken.some(([a, b]) => Math.abs(a - x) < 60 && Math.abs(b - y) < 60)) { x += 90; if (x > middle + reach - 40) { x -= 90 * Math.floor((x - middle + reach - 40) / 90); y += 90; } }
    state.places[name] = [Math.round(x), Math.round(y)];
    return { name };
  });
  if (!place) canvas.reveal();
}

function removeSelected() {
  const what = canvas.selected;
  if (!what) return;
  edit(() => {
    if (what.name !== undefined) for (const one of membersOf(what.name)) hand.removeVariable(state.drawing, one);
    else for (const [one, other] of listPairs(what)) hand.disconnect(state.drawing, one, other, what.kind);
  });
  at("canvas").focus();
}

const listPairs = (what) => membersOf(what.one).flatMap((one) => membersOf(what.other).map((other) => [one, other]));
const changeStates = (states) => editEach((one) => hand.setStates(state.drawing, one, states));
const statesOf = (name) => (state.drawing && hand.find(state.drawing, name)?.states) ?? 2;
const turnSelected = () => editEach((one) => hand.turn(state.drawing, one));

// Plates

const withPlate = (old, members) => [...state.plates.filter((one) => one !== old), ...(members.length > 1 ? [members] : [])];

function setCount(count) {
  const name = canvas.selected?.name, members = name !== undefined && membersOf(name);
  if (!members || !(count >= 1 && count <= 300)) return;
  edit(() => {
    const found = hand.setCount(state.drawing, members, Math.round(count));
    if (found[0] !== name) movePlace(name, found[0]);
    state.plates = withPlate(members, found);
    return { name: found[0] };
  });
}

function foldSelected() {
  const name = canvas.selected?.name;
  if (name === undefined || membersOf(name).length > 1) return;
  const alike = hand.listAlike(state.drawing, name);
  if (alike.length < 2) { setCount(2); return; }
  edit(() => { state.plates = [...state.plates, alike]; state.places[alike[0]] = averagePlace(alike); return { name: alike[0] }; });
}

function averagePlace(names) {
  const known = names.map((name) => state.places[name]).filter(Boolean);
  return [0, 1].map((axis) => Math.round(known.reduce((sum, place) => sum + place[axis], 0) / known.length));
}

function unfoldSelected() {
  const name = canvas.selected?.name, members = name !== undefined && membersOf(name);
  if (!members || members.length < 2) return;
  edit(() => {
    const [x, y] = state.places[members[0]], across = Math.min(10, members.length);
    state.plates = withPlate(members, []);
    members.forEach((one, place) => { state.places[one] = [x + 80 * (place % across - (across - 1) / 2), y + 80 * Math.floor(place / across)]; });
    return { name };
  });
}

function movePlace(name, wanted) {
  state.places[wanted] = state.places[name];
  delete state.places[name];
  const bends = {};
  for (const [key, bend] of Object.entries(state.bends)) bends[key.split(" ").map((word) => (word === name ? wanted : word)).join(" ")] = bend;
  state.bends = bends;
}

function startRenaming(name) {
  if (!isEditable()) return;
  const input = at("name"), [x, y] = canvas.toScreen(...state.places[name]), members = membersOf(name);
  input.value = members.length > 1 ? name.replace(/\d+$/, "") : name;
  input.style.left = `${Math.max(4, x - 60)}px`;
  input.style.top = `${Math.max(4, y - 16)}px`;
  input.hidden = false;
  input.dataset.of = name;
  input.focus();
  input.select();
}

function finishRenaming(take) {
  const input = at("name"), name = input.dataset.of, wanted = input.value.trim(), members = membersOf(name);
  if (input.hidden) return;
  input.hidden = true;
  canvas.lastTap = null;
  choose({ name });
  if (!take || !wanted || !isEditable() || !hand.find(state.drawing, name) || wanted === (members.length > 1 ? name.replace(/\d+$/, "") : name)) return;
  if (members.length < 2 && hand.find(state.drawing, wanted)) { say(`There is a variable ${wanted} already.`); return; }
  edit(() => {
    let names = [wanted];
    if (members.length < 2) hand.rename(state.drawing, name, wanted);
    else names = hand.renamePlate(state.drawing, members, wanted);
    if (!names) { say(`A variable has one of the names ${wanted}1, … already.`); return { name }; }
    state.plates = withPlate(members, names);
    movePlace(name, names[0]);
    return { name: names[0] };
  });
}

// In step with the program

async function askDrawing() {
  keeping.keep(state);
  startComputing();
  if (!state.drawing.variables.length) {
    read = null; isBehind = false; state.text = at("text").value = "";
    stop("read"); showError(null); answers.forget("nothing drawn"); answers.hideWhatIf();
    keeping.keep(state);
    return;
  }
  await askRead({ drawing: state.drawing }, (found) => { state.text = found.text; showText(found); });
}

async function askText(isEdit, isNew = false) {
  say("");
  const text = at("text").value;
  startComputing();
  if (!text.trim()) { if (isEdit) remember(); state = startState(); dimension = null; draw(); askDrawing(); return; }
  state.draft = text;  // until it is read: what has errors, or meets no program, is kept as well
  keeping.keep(state);
  await askRead({ text }, (found) => {
    delete state.draft;
    isTyped = false;
    if (isEdit) remember();
    if (isNew) Object.assign(state, { places: makePlaces(), bends: {}, plates: [] });
    dimension = null;
    state.text = text;
    state.drawing = found.drawing;
    state.plates = mergePlates(found);
    state.places = mergePlaces(found);
    if (document.activeElement !== at("text")) { state.text = found.text; showText(found); }
  });
}

// From here on what is shown is of an earlier model: nothing that is asked about it may be shown any more.
function startComputing() {
  isBehind = true;
  asked += 1;
  clearTimeout(typed);
  clearTimeout(late);
  for (const kind of ["dim", "quick", "constraints", "what-if", "score", "fixing"]) stop(kind);
  at("saved").textContent = "";
  at("fixed").replaceChildren();
  answers.showStatus("computing");
  answers.setBusy(true, ...answers.OF_DIMENSION, "equations", "what-if", "score");
}

// Plates stay as far as they are alike, and grow; very many alike variables are folded unless a hand has drawn each.
function mergePlates(found) {
  if (!found.drawing) return [];
  const kept = hand.keepPlates(found.drawing, state.plates), isKept = (name) => kept.some((members) => members.includes(name));
  const more = found.plates.filter((members) => members.some(isKept) || !members.every((name) => state.places[name]));
  return [...kept.filter((members) => !more.some((wider) => wider.includes(members[0]))), ...more];
}

function showText(found) {
  at("text").value = found.shown ?? found.text;
  if (found.not_shown) say(found.not_shown);
}

// What the hand has placed stays; what is new stands where the program puts it, moved to where the others are.
function mergePlaces(found) {
  const known = state.places, hidden = new Set(state.plates.flatMap((members) => members.slice(1)));
  const names = Object.keys(found.places ?? {}).filter((name) => !hidden.has(name)), kept = names.filter((name) => known[name]);
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
  requestAnimationFrame(() => canvas.reveal());
  return merged;
}

function askRead(fields, take) { reading = readModel(fields, take); return reading; }

async function readModel(fields, take) {
  const number = asked;
  try {
    const found = await ask("read", { question: "read", ...fields, notation: at("notation").value });
    if (number !== asked) return;
    read = found;
    isBehind = false;
    take(found);
    showError(null);
    if (found.why) say(found.why);
    keeping.keep(state);
    draw();
    showSelected(canvas.selected, state);
    askAnswers(found);
  } catch (error) {
    if (isGivenUp(error) || number !== asked) return;
    isBehind = false;
    showError(error, "text" in fields);
    keeping.keep(state);
    answers.forget("no model");
    answers.hideWhatIf("");
    draw();
  }
}

// The text has its error marked where it is: what stands behind it shows through.
function showError(error, isOfText = false) {
  isWrong = Boolean(error);
  const place = error?.answer?.at, text = at("text").value, where = at("where");
  at("wrong").hidden = !error;
  at("wrong").textContent = error ? plain(error.answer?.error ?? String(error)) : "";
  at("text").setAttribute("aria-invalid", String(Boolean(error && isOfText)));
  at("place").classList.toggle("behind", Boolean(error && isOfText));  // the drawing is of an earlier text
  at("paper").classList.toggle("behind", Boolean(error && !isOfText));  // or the text of an earlier drawing
  where.hidden = !(error && isOfText && place);
  where.replaceChildren();
  if (where.hidden) return;
  const start = text.split("\n").slice(0, place.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + place.column - 1, end = start + (text[start] === "\n" ? 0 : 1);
  where.append(text.slice(0, start), answers.write("mark", text.slice(start, end) || " "), text.slice(end));
  where.scrollTop = at("text").scrollTop;
}

// Ask about the model that is shown; its answer is shown if that is still the same one.
async function askAbout(kind, fields, show, fail, path) {
  const number = asked;
  try {
    const answer = await ask(kind, fields, path);
    if (number === asked) show(answer);
  } catch (error) {
    if (!isGivenUp(error) && number === asked) fail(error.answer?.error ?? String(error));
  }
}

async function askAnswers(found) {
  const about = found.canonical ?? { text: found.text };
  let isDone = false;
  const show = (answer) => { answers.showDimension(answer, found.kind, light, tryFixing); };
  late = setTimeout(() => askAbout("quick", { question: "dim", ...about, quick: true }, (answer) => { if (!isDone) show({ ...answer, lost: [], fixing: [] }); }, () => {}), PROOF);
  askAbout("constraints", { question: "constraints", ...about }, (answer) => answers.showEquations(answer, light), answers.failEquations);
  askWhatIf();
  scoreFile();
  const finish = () => { isDone = true; clearTimeout(late); stop("quick"); };
  await askAbout("dim", { question: "dim", ...about }, (answer) => { finish(); dimension = answer; show(answer); draw(); showFixThis(); }, (text) => {
    finish();
    answers.forget("no answer");
    at("sentences").replaceChildren(answers.write("p", text));
  });
}

function askWhatIf() {
  const what = canvas.selected, model = getModel();
  showFixThis();
  if (!what || !model || (what.key !== undefined && !isEditable())) { stop("what-if"); answers.hideWhatIf(isEditable() ? "Select a variable or an arrow." : "Select a variable."); return; }
  const subject = what.name !== undefined ? { variables: membersOf(what.name) } : { pairs: listPairs(what), arc: what.kind === "arc" };
  const show = (answer) => { if (JSON.stringify(canvas.selected) === JSON.stringify(what)) answers.showWhatIf(what.name ?? "", answer, makeTake()); };
  answers.setBusy(true, "what-if");
  askAbout("what-if", { question: "what-if", text: model.text, ...subject }, show, (text) => answers.hideWhatIf(text));
}

// What is not identified of the selected variable or arrow.
function showFixThis() {
  const what = canvas.selected, key = what && (what.key ?? keyOf("node", what.name, ""));
  const names = (key && viewing.groupLost(dimension, viewing.makeShown(state.plates)).get(key)) ?? [];
  at("fix-this").replaceChildren(...names.slice(0, 12).map((name) => answers.makeChip(`fix ${name}`, () => tryFixing(name))));
}

function tryFixing(parameter) {
  const model = getModel();
  if (!model) return;
  const show = (answer) => { at("fixed").replaceChildren(...answer.changes.map((one) => answers.showChange(one, makeTake()))); at("fixed").scrollIntoView({ block: "nearest" }); };
  askAbout("fixing", { question: "what-if", text: model.text, parameter }, show, (text) => at("fixed").replaceChildren(answers.write("p", text)));
}

function light(names) {
  lit = names;
  const on = new Set(names.map(viewing.makeShown(state.plates)));
  for (const shape of document.querySelectorAll("#ground [data-name] > .shape")) {
    const node = shape.parentElement;
    shape.setAttribute("fill", on.has(node.dataset.name) ? LIT : node.classList.contains("observed") ? PAPER : HIDDEN);
  }
}

// A change that was computed for a model is made only while that is the model.
function makeTake() { const number = asked; return (text) => { if (number === asked) takeText(text); }; }

function takeText(text, isNew = false) { at("text").value = text; at("text").blur(); askText(true, isNew); }

// Export

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

// The model that is drawn now: what is still being read is waited for.
async function settle(place) {
  await reading;
  if (!getModel()) at(place).textContent = "There is no model.";
  return getModel();
}

async function save() {
  const form = at("form").value, model = await settle("saved");
  if (!model) return;
  if (form === "svg" || form === "png") { await savePicture(form); return; }
  at("saved").textContent = "computing";
  await askAbout("write", { question: "write", text: model.text, form }, (answer) => download(answer.name, answer.content), (text) => { at("saved").textContent = text; });
}

async function scoreFile() {
  const [file] = at("file").files, number = asked;
  answers.setBusy(false, "score");
  if (!file || !getModel()) return;
  if (file.size > 7e6) { at("score").textContent = "The file has more than 7 MB: ask `algdim score`."; return; }
  at("score").textContent = "computing";
  const data = await file.text();
  if (number !== asked) return;
  const show = (text) => { at("score").textContent = text; };
  await askAbout("score", { question: "score", text: getModel().text, data }, (answer) => show(answer.text), show, "data");
}

async function loadGallery() {
  if (forms.length) return;
  try {
    const answer = await ask("gallery", { question: "gallery" });
    forms = answer.forms;
    at("form").replaceChildren(...[["svg", "SVG, as drawn"], ["png", "PNG, as drawn"], ...forms.map((one) => [one.form, one.title])].map(([value, title]) => answers.write("option", title, { value })));
    answers.showGallery(answer, (text) => { at("gallery").close(); canvas.select(null); takeText(text, true); });
  } catch (error) { if (!isGivenUp(error)) at("models").textContent = error.answer?.error ?? String(error); }
}

function openGallery() {
  loadGallery();
  const recent = keeping.listRecent();
  at("recent-title").hidden = !recent.length;
  at("recent").replaceChildren(...recent.map((one) => answers.write("button", one.state.text || "a drawing that is no model", { type: "button", class: "recent", onclick: () => { at("gallery").close(); remember(); restore(one.state); } })));
  at("gallery").showModal();
}

async function openLecture() {
  const model = await settle("saved");
  if (!model) return;
  const frame = document.createElement("iframe");  // its page has an origin of its own, and can ask nothing
  frame.title = "The model explained step by step, with a slider along its fibre";
  frame.src = `lecture?text=${encodeURIComponent(model.text)}#step-fibre`;
  at("lecture-page").replaceChildren(frame);
  at("lecture-dialog").showModal();
}

function startNew(family) {
  at("gallery").close();
  remember();
  canvas.select(null);
  restore(startState(family));
  showSelected(null, state);
  at("canvas").focus();
}

// Keys and buttons

function bendSelected(bend) {
  if (canvas.selected?.key === undefined) return;
  remember();
  state.bends[canvas.selected.key] = bend;
  draw();
  showSelected(canvas.selected, state);
  keeping.keep(state);
}

const STEPS = { ArrowLeft: [-12, 0], ArrowRight: [12, 0], ArrowUp: [0, -12], ArrowDown: [0, 12] };

function pressKey(event) {
  const key = event.key, name = canvas.selected?.name, isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && key.toLowerCase() === "z") { event.shiftKey ? goTo(after, before) : goTo(before, after); event.preventDefault(); return; }
  if (isCommand && key.toLowerCase() === "y") { goTo(after, before); event.preventDefault(); return; }
  if (isCommand || event.altKey) return;
  const keys = {
    n: () => addVariable(true), l: () => addVariable(false), c: () => startJoining("edge"), b: () => !at("connect-arc").hidden && startJoining("arc"),
    o: turnSelected, p: foldSelected,
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
  } else if (STEPS[key] && canvas.selected?.key !== undefined) {
    const bend = (state.bends[canvas.selected.key] ?? 0) + STEPS[key][0] + STEPS[key][1];
    bendSelected(bend);
  } else {
    const found = keys[key.length === 1 ? key.toLowerCase() : key];
    if (!found) return;
    found();
  }
  event.preventDefault();
}

at("canvas").addEventListener("keydown", pressKey);
at("name").addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === "Escape") { finishRenaming(event.key === "Enter"); event.preventDefault(); } event.stopPropagation(); });
at("name").addEventListener("blur", (event) => {
  const next = event.relatedTarget;
  finishRenaming(true);
  if (next && !at("canvas").contains(next)) next.focus();  // who clicks the text goes on to type there
});
at("text").addEventListener("input", () => { isTyped = true; startComputing(); at("where").hidden = true; typed = setTimeout(() => askText(true), TYPING); });
at("text").addEventListener("change", () => { if (isTyped) askText(true); else if (getModel()) { state.text = read.text; showText(read); } });
at("text").addEventListener("scroll", () => { at("where").scrollTop = at("text").scrollTop; });
at("notation").addEventListener("change", () => { const model = getModel(); if (model) { startComputing(); askRead({ text: model.text }, (found) => { state.text = found.text; showText(found); }); } });
at("items").addEventListener("change", () => setCount(Number(at("items").value)));
at("table").addEventListener("change", () => { const type = at("table").value; editEach((one) => hand.setTable(state.drawing, one, type)); });
at("kind-of").addEventListener("change", () => { const isDiscrete = at("kind-of").value === "discrete"; editEach((one) => hand.setKind(state.drawing, one, isDiscrete)); });

const buttons = {
  "new-discrete": () => startNew("discrete"), "new-gaussian": () => startNew("gaussian"), "new-conditional-gaussian": () => startNew("conditional-gaussian"), "open-gallery": openGallery,
  "add-observed": () => addVariable(true), "add-latent": () => addVariable(false), connect: () => startJoining("edge"), "connect-arc": () => startJoining("arc"),
  turn: turnSelected, fewer: () => changeStates(statesOf(canvas.selected?.name) - 1), more: () => changeStates(statesOf(canvas.selected?.name) + 1),
  fold: foldSelected, unfold: unfoldSelected, straighten: () => bendSelected(0),
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
showSelected(null, state);
loadGallery();
canvas.fit();
document.documentElement.dataset.ready = "yes";
