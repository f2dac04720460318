// The canvas: variables and arrows as SVG, moved and joined by mouse, finger or keys. It draws what it is shown and says what was done.

const NS = "http://www.w3.org/2000/svg";
const HALF = 24, LETTER = 4.2, ROOM = 12, LONGEST = 24, FRAME = 34;
const FRAMES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const INK = "#222222", LOST = "#a83a00";
export const LIT = "#ffe27a", PAPER = "#ffffff", HIDDEN = "#dfe5ee";

export function make(tag, attributes = {}, ...children) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined && value !== null) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Signs that turn the direction of what follows are shown, not obeyed.
export const plain = (text) => text.replace(/[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);
const shorten = (name) => { const signs = [...plain(name)]; return signs.length <= LONGEST ? signs.join("") : `${signs.slice(0, LONGEST - 1).join("")}…`; };
export const keyOf = (kind, one, other) => `${kind} ${one} ${other}`;

function boxOf(node, place) {
  const wide = Math.max(HALF, LETTER * Math.max([...shorten(node.label ?? node.name)].length, 0.8 * node.note.length) + ROOM + (node.observed ? 0 : 4));
  return { x: place[0], y: place[1], wide, high: node.observed && wide > HALF ? HALF - 3 : HALF, round: !node.observed };
}

function rim(box, x, y, more) {
  const dx = x - box.x, dy = y - box.y, length = Math.hypot(dx, dy) || 1;
  const reach = box.round ? 1 / (Math.hypot(dx / box.wide, dy / box.high) || 1)
    : Math.min(dx ? box.wide / Math.abs(dx) : 1e9, dy ? box.high / Math.abs(dy) : 1e9);
  const share = Math.min(1, reach) + more / length;
  return [box.x + dx * share, box.y + dy * share];
}

function curveOf(start, end, bend, tips) {
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const x = (end.x - start.x) / length, y = (end.y - start.y) / length;
  const middle = [(start.x + end.x) / 2 - y * bend, (start.y + end.y) / 2 + x * bend];
  return [rim(start, ...middle, tips[0]), middle, rim(end, ...middle, tips[1])];
}

const write = (curve) => curve.map((point, number) => (number === 0 ? "M" : number === 1 ? "Q" : " ") + point.map((one) => one.toFixed(1)).join(" ")).join("");
// The first bend with which an arrow runs through no other variable.
const BENDS = [0, 50, -50, 100, -100, 160, -160];
function bendAround(boxes, one, other, start, bow) {
  const others = [...boxes].filter(([name]) => name !== one && name !== other).map(([, box]) => box);
  const isClear = (bend) => {
    const [a, b, c] = curveOf(start, boxes.get(other), bend, [0, 0]);
    for (let step = 1; step < 16; step += 1) {
      const t = step / 16, x = (1 - t) ** 2 * a[0] + 2 * t * (1 - t) * b[0] + t * t * c[0], y = (1 - t) ** 2 * a[1] + 2 * t * (1 - t) * b[1] + t * t * c[1];
      if (others.some((box) => Math.abs(x - box.x) < box.wide + 2 && Math.abs(y - box.y) < box.high + 2)) return false;
    }
    return true;
  };
  return BENDS.find((bend) => isClear(bow + bend)) ?? 0;
}

const halfway = ([a, b, c]) => [(a[0] + 2 * b[0] + c[0]) / 4, (a[1] + 2 * b[1] + c[1]) / 4];

// The picture alone: what is drawn, without what can be done with it.
export function paint(view) {
  const boxes = new Map(view.nodes.map((node) => [node.name, boxOf(node, view.places[node.name] ?? [0, 0])]));
  const group = make("g", { "text-anchor": "middle", "font-family": "Helvetica, Arial, sans-serif", fill: INK });
  const names = new Map(view.nodes.map((node) => [node.name, node.label ?? node.name]));
  const hidden = new Set(view.nodes.filter((node) => !node.observed).map((node) => node.name));
  view.frames.forEach((members, number) => {  // a band around the variables of a district and what joins them
    const inside = new Set(members.filter((name) => boxes.has(name)));
    const frame = make("g", { class: "frame", fill: "none", stroke: FRAMES[number % FRAMES.length], "stroke-width": 2 * FRAME, "stroke-linecap": "round", "stroke-linejoin": "round", opacity: 0.13 });
    for (const name of inside) { const box = boxes.get(name), more = box.wide - HALF; frame.append(make("path", { d: `M${box.x - more} ${box.y}h${2 * more + 0.01}` })); }
    for (const [one, other] of view.edges) {
      if (inside.has(one) && inside.has(other) && hidden.has(one)) {
        const curve = curveOf(boxes.get(one), boxes.get(other), view.bends[keyOf("edge", one, other)] ?? 0, [0, 0]);
        frame.append(make("path", { d: `M${boxes.get(one).x} ${boxes.get(one).y}Q${curve[1].join(" ")} ${boxes.get(other).x} ${boxes.get(other).y}` }));
      }
    }
    group.append(frame);
  });
  const both = new Set(view.edges.map((pair) => pair.join(" ")));
  const draw = (kind, one, other) => {
    const start = boxes.get(one), end = boxes.get(other);
    if (!start || !end) return;
    const key = keyOf(kind, one, other), lost = view.lost.get(key);
    const bow = kind === "arc" ? -0.25 * Math.hypot(end.x - start.x, end.y - start.y) - 30 : both.has(`${other} ${one}`) ? 14 : 0;
    const curve = curveOf(start, end, view.bends[key] || (kind === "arc" ? bow : bow + bendAround(boxes, one, other, start, bow)), kind === "edge" ? [1, 5] : kind === "arc" ? [5, 5] : [1, 1]);
    const colour = lost ? LOST : INK;
    const [first, second] = [one, other].map((name) => plain(names.get(name)));
    const say = { edge: `arrow from ${first} to ${second}`, arc: `covariance of ${first} and ${second}`, line: `${first} and ${second} joined` }[kind];
    const line = make("g", { class: `link ${kind}${lost ? " lost" : ""}`, "data-key": key, "data-kind": kind, "data-one": one, "data-other": other, "aria-label": lost ? `${say}: ${lost}` : say, role: "button" },
      make("title", {}, lost ? `${say}: ${lost}` : say),
      make("path", { class: "hit", d: write(curve), fill: "none", stroke: "transparent", "stroke-width": 16 }),
      make("path", { class: "stroke", d: write(curve), fill: "none", stroke: colour, "stroke-width": lost ? 2.4 : 1.5, "stroke-dasharray": kind === "arc" ? "5 3" : undefined,
        "marker-end": kind === "line" ? undefined : `url(#tip${lost ? "-lost" : ""})`, "marker-start": kind === "arc" ? `url(#tail${lost ? "-lost" : ""})` : undefined }));
    const text = view.labels.get(key) ?? (lost ? "?" : undefined);
    if (text !== undefined) {
      const [x, y] = halfway(curve), width = 7.2 * text.length + 8;
      line.append(make("rect", { x: x - width / 2, y: y - 9, width, height: 18, rx: 3, fill: "#ffffff", opacity: 0.92 }), make("text", { x, y: y + 4.5, "font-size": 12.5, fill: lost ? LOST : INK }, text));
    }
    group.append(line);
  };
  for (const [one, other] of view.edges) draw("edge", one, other);
  for (const [one, other] of view.lines) draw("line", one, other);
  for (const [one, other] of view.arcs) draw("arc", one, other);
  for (const node of view.nodes) {
    const box = boxes.get(node.name), lost = view.lost.get(keyOf("node", node.name, "")), name = shorten(node.label ?? node.name);
    const look = { stroke: lost ? LOST : INK, "stroke-width": lost ? 2.4 : 1.6, "stroke-dasharray": lost ? "6 2" : undefined, fill: view.lit.has(node.name) ? LIT : node.observed ? PAPER : HIDDEN };
    const outline = (more, about) => (box.round ? make("ellipse", { cx: box.x + about, cy: box.y - about, rx: box.wide, ry: box.high, ...look, ...more })
      : make("rect", { x: box.x - box.wide + about, y: box.y - box.high - about, width: 2 * box.wide, height: 2 * box.high, rx: 5, ...look, ...more }));
    const behind = node.count ? [10, 5].map((about) => outline({ "stroke-width": 1, class: "copy" }, about)) : [];
    const note = node.count ? [`${node.count} ×`, node.note].filter(Boolean).join(" ") : node.note;
    const many = node.count ? `${node.count} alike variables ${plain(node.label)}` : plain(node.name);
    const say = `${many}, ${node.observed ? "observed" : "latent"}${/^\d+$/.test(node.note) ? `, ${node.note} states` : node.note === "ℝ" ? ", Gaussian" : ""}`;
    const element = make("g", { class: `node ${node.observed ? "observed" : "hidden"}${lost ? " lost" : ""}`, "data-name": node.name, role: "button", "aria-label": lost ? `${say}: ${lost}` : say },
      make("title", {}, lost ? `${say}: ${lost}` : say), ...behind, outline({ class: "shape" }, 0), make("text", { x: box.x, y: box.y + (note ? -3 : 4.5), "font-size": 14 }, name));
    if (note) element.append(make("text", { x: box.x, y: box.y + 14, "font-size": 11, fill: "#444444" }, note));
    group.append(element);
  }
  return { group, boxes };
}

function tips() {
  const tip = (id, path, x, colour) => make("marker", { id, viewBox: "0 0 8 8", refX: x, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto" }, make("path", { d: path, fill: colour }));
  return make("defs", {}, ...["", "-lost"].flatMap((more) => [tip(`tip${more}`, "M0 0L8 4L0 8z", 6, more ? LOST : INK), tip(`tail${more}`, "M8 0L0 4L8 8z", 2, more ? LOST : INK)]));
}

// A picture that stands by itself.
export function exportPicture(view) {
  const { group, boxes } = paint({ ...view, lit: new Set() });
  const all = [...boxes.values()], left = Math.min(...all.map((box) => box.x - box.wide)) - 50, top = Math.min(...all.map((box) => box.y - box.high)) - 50;
  const width = Math.max(...all.map((box) => box.x + box.wide)) + 50 - left, height = Math.max(...all.map((box) => box.y + box.high)) + 50 - top;
  for (const element of group.querySelectorAll(".hit")) element.remove();
  for (const element of group.querySelectorAll("[role]")) element.removeAttribute("role");
  const svg = make("svg", { xmlns: NS, viewBox: `${left} ${top} ${width} ${height}`, width, height }, make("rect", { x: left, y: top, width, height, fill: "#ffffff" }), tips(), group);
  return { text: new XMLSerializer().serializeToString(svg), width, height };
}

export class Canvas {
  // done: what is called when a hand did something (move, select, activate, connect, bend, tapGround, rename)
  constructor(svg, done) {
    Object.assign(this, { svg, done, view: null, selected: null, window: { x: -300, y: -120, scale: 1 }, gesture: null, pointers: new Map(), lastTap: null, frame: 0, size: { width: 0, height: 0 } });
    this.ground = make("g", { id: "ground" });
    svg.append(tips(), this.ground);
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, (event) => this.release(event));
    svg.addEventListener("wheel", (event) => { event.preventDefault(); this.zoom(Math.exp(-event.deltaY / 500), event.clientX, event.clientY); }, { passive: false });
    svg.addEventListener("focusin", (event) => this.focus(event.target));
    new ResizeObserver(() => { this.size = svg.getBoundingClientRect(); this.look(); }).observe(svg);
    this.size = svg.getBoundingClientRect();
  }

  show(view) {
    this.view = view;
    const had = document.activeElement?.closest?.("#ground [data-name], #ground [data-key]");
    const again = had && (had.dataset.name !== undefined ? `[data-name="${CSS.escape(had.dataset.name)}"]` : `[data-key="${CSS.escape(had.dataset.key)}"]`);
    const { group, boxes } = paint(view);
    this.boxes = boxes;
    for (const element of group.querySelectorAll(".node, .link")) element.setAttribute("tabindex", "0");
    const chosen = this.selected && group.querySelector(this.selector());
    if (!chosen) this.selected = null;
    else {
      chosen.classList.add("selected");
      chosen.setAttribute("aria-pressed", "true");
      const box = this.selected.name !== undefined && view.editable && boxes.get(this.selected.name);
      if (box) group.append(make("g", { class: "handle", "data-handle": this.selected.name }, make("title", {}, "drag to another variable: an arrow"),
        make("circle", { cx: box.x, cy: box.y + box.high + 20, r: 20, fill: "transparent" }), make("circle", { class: "dot", cx: box.x, cy: box.y + box.high + 12, r: 7 })));
    }
    this.ground.replaceChildren(group);
    if (again) { this.quiet = true; this.ground.querySelector(again)?.focus({ preventScroll: true }); this.quiet = false; }
    if (had && !this.ground.contains(document.activeElement)) this.svg.focus({ preventScroll: true });
  }

  selector() {
    return this.selected.name !== undefined ? `[data-name="${CSS.escape(this.selected.name)}"]` : `[data-key="${CSS.escape(this.selected.key)}"]`;
  }

  focus(target) {
    const element = target.closest("[data-name], [data-key]");
    if (this.quiet || !element) return;
    this.done.select(this.read(element));
  }

  read(element) {
    if (element.dataset.name !== undefined) return { name: element.dataset.name };
    return { key: element.dataset.key, kind: element.dataset.kind, one: element.dataset.one, other: element.dataset.other };
  }

  select(what) {
    this.selected = what;
    if (this.view) this.show(this.view);
    this.focusSelected();
  }

  focusSelected() {
    if (this.selected) { this.quiet = true; this.ground.querySelector(this.selector())?.focus({ preventScroll: true }); this.quiet = false; }
  }

  look() {
    const { width, height } = this.size, { x, y, scale } = this.window;
    if (width) this.svg.setAttribute("viewBox", `${x} ${y} ${width / scale} ${height / scale}`);
  }

  fit() {
    const all = [...(this.boxes?.values() ?? [])], { width, height } = this.svg.getBoundingClientRect();
    if (!all.length || !width) return;
    const left = Math.min(...all.map((box) => box.x - box.wide)) - 50, right = Math.max(...all.map((box) => box.x + box.wide)) + 50;
    const top = Math.min(...all.map((box) => box.y - box.high)) - 50, bottom = Math.max(...all.map((box) => box.y + box.high)) + 60;
    const scale = Math.min(1.4, width / (right - left), height / (bottom - top));
    this.window = { scale, x: (left + right) / 2 - width / scale / 2, y: (top + bottom) / 2 - height / scale / 2 };
    this.look();
  }

  // Show all, if something that is drawn cannot be seen.
  reveal() {
    const [x, y, reach] = this.seen(), high = reach * this.size.height / (this.size.width || 1);
    if ([...this.boxes.values()].some((box) => Math.abs(box.x - x) > reach - box.wide || Math.abs(box.y - y) > high - box.high)) this.fit();
  }

  zoom(by, clientX, clientY) {
    const box = this.svg.getBoundingClientRect(), [x, y] = this.toGround(clientX ?? box.left + box.width / 2, clientY ?? box.top + box.height / 2);
    const scale = Math.min(4, Math.max(0.1, this.window.scale * by)), share = this.window.scale / scale;
    this.window = { scale, x: x - (x - this.window.x) * share, y: y - (y - this.window.y) * share };
    this.look();
  }

  toGround(clientX, clientY) {
    const box = this.svg.getBoundingClientRect();
    return [this.window.x + (clientX - box.left) / this.window.scale, this.window.y + (clientY - box.top) / this.window.scale];
  }

  toScreen(x, y) { return [(x - this.window.x) * this.window.scale, (y - this.window.y) * this.window.scale]; }
  // What can be seen: its middle, and how far it reaches from there.
  seen() { const { width, height } = this.svg.getBoundingClientRect(), { x, y, scale } = this.window; return [x + width / scale / 2, y + height / scale / 2, width / scale / 2]; }

  nodeAt(x, y) {
    for (const [name, box] of [...this.boxes].reverse()) if (Math.abs(x - box.x) <= box.wide + 4 && Math.abs(y - box.y) <= box.high + 4) return name;
    return null;
  }

  press(event) {
    if (event.button > 0) return;
    this.svg.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.pointers.size === 2) { this.gesture = { kind: "pinch", ...this.spread() }; return; }
    const at = this.toGround(event.clientX, event.clientY), handle = event.target.closest("[data-handle]"), element = event.target.closest("[data-name], [data-key]");
    const base = { at, from: [event.clientX, event.clientY], moved: false };
    if (handle) this.gesture = { ...base, kind: "arrow", name: handle.dataset.handle };
    else if (element?.dataset.name !== undefined) { const box = this.boxes.get(element.dataset.name); this.gesture = { ...base, kind: "node", name: element.dataset.name, offset: [box.x - at[0], box.y - at[1]] }; }
    else if (element) this.gesture = { ...base, kind: "link", what: this.read(element) };
    else this.gesture = { ...base, kind: "ground", window: { ...this.window } };
    event.preventDefault();
  }

  spread() {
    const [one, other] = [...this.pointers.values()];
    return { distance: Math.hypot(one[0] - other[0], one[1] - other[1]) || 1, middle: [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2] };
  }

  drag(event) {
    if (!this.pointers.has(event.pointerId) || !this.gesture) return;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    const gesture = this.gesture;
    if (gesture.kind === "pinch" && this.pointers.size === 2) {
      const now = this.spread();
      this.zoom(now.distance / gesture.distance, ...now.middle);
      gesture.distance = now.distance;
      return;
    }
    if (!gesture.moved && Math.hypot(event.clientX - gesture.from[0], event.clientY - gesture.from[1]) < 5) return;
    const first = !gesture.moved, [x, y] = this.toGround(event.clientX, event.clientY);
    gesture.moved = true;
    if (gesture.kind === "ground") {
      this.window.x = gesture.window.x - (event.clientX - gesture.from[0]) / this.window.scale;
      this.window.y = gesture.window.y - (event.clientY - gesture.from[1]) / this.window.scale;
      this.look();
    } else if (gesture.kind === "node") {
      cancelAnimationFrame(this.frame);
      if (first) this.done.begin();
      this.frame = requestAnimationFrame(() => this.done.move(gesture.name, [x + gesture.offset[0], y + gesture.offset[1]]));
    } else if (gesture.kind === "link") {
      const start = this.boxes.get(gesture.what.one), end = this.boxes.get(gesture.what.other), length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
      const bend = 2 * (((x - start.x) * -(end.y - start.y) + (y - start.y) * (end.x - start.x)) / length);
      if (first) { this.done.begin(); this.done.select(gesture.what); }
      this.done.bend(gesture.what.key, Math.abs(bend) < 8 ? 0 : Math.round(bend));
    } else if (gesture.kind === "arrow") {
      this.ground.querySelector(".drawn")?.remove();
      const box = this.boxes.get(gesture.name);
      this.ground.append(make("path", { class: "drawn", d: `M${box.x} ${box.y}L${x} ${y}`, stroke: "#0059a3", "stroke-width": 2, "stroke-dasharray": "4 3", "marker-end": "url(#tip)" }));
    }
  }

  release(event) {
    const gesture = this.gesture;
    this.pointers.delete(event.pointerId);
    if (this.pointers.size) return;
    this.gesture = null;
    this.ground.querySelector(".drawn")?.remove();
    if (!gesture || event.type === "pointercancel" || gesture.kind === "pinch") return;
    const [x, y] = this.toGround(event.clientX, event.clientY), over = this.nodeAt(x, y);
    if (gesture.kind === "arrow") { this.done.connect(gesture.name, gesture.moved ? over : null, gesture.moved ? [x, y] : null); return; }
    if (gesture.moved) { if (gesture.kind === "node") this.done.settle(); return; }
    const now = performance.now(), again = this.lastTap && now - this.lastTap.now < 400 && Math.hypot(event.clientX - this.lastTap.x, event.clientY - this.lastTap.y) < 12 && this.lastTap.kind === gesture.kind;
    this.lastTap = again ? null : { now, x: event.clientX, y: event.clientY, kind: gesture.kind };
    if (gesture.kind === "node") { again ? this.done.rename(gesture.name) : this.done.activate(gesture.name); }
    else if (gesture.kind === "link") this.done.select(gesture.what);
    else if (again) this.done.tapGround([x, y], event.shiftKey);
    else { this.done.select(null); this.svg.focus({ preventScroll: true }); }
  }
}
