"use strict";
// Steps for a class: one after the other, with buttons or the keys n and p.
const steps = [...document.querySelectorAll("details")];
const tools = document.getElementById("tools");
function button(place, text, act) {
  const made = document.createElement("button");
  made.type = "button"; made.textContent = text; made.addEventListener("click", act);
  place.append(made, " ");
  return made;
}
function all(open) { for (const step of steps) step.open = open; }
function next() {
  const step = steps.find((one) => !one.open);
  if (step) { step.open = true; step.scrollIntoView({ block: "nearest" }); }
}
function previous() { const step = steps.findLast((one) => one.open); if (step) step.open = false; }
button(tools, "Close all steps", () => all(false));
button(tools, "Next step (n)", next);
button(tools, "Back (p)", previous);
button(tools, "Open all", () => all(true));
tools.hidden = false;
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "n") next();
  if (event.key === "p") previous();
});
addEventListener("beforeprint", () => all(true));

// Exact fractions: [numerator, denominator], the denominator positive.
function gcd(a, b) { if (a < 0n) a = -a; while (b) [a, b] = [b, a % b]; return a; }
function fraction(a, b) {
  if (b === 0n) throw new RangeError("division by zero");
  if (b < 0n) { a = -a; b = -b; }
  const g = gcd(a, b) || 1n;
  return [a / g, b / g];
}
const zero = [0n, 1n], one = [1n, 1n];
const plus = (x, y) => x[0] === 0n ? y : y[0] === 0n ? x : fraction(x[0] * y[1] + y[0] * x[1], x[1] * y[1]);
const times = (x, y) => x[0] === 0n || y[0] === 0n ? zero : fraction(x[0] * y[0], x[1] * y[1]);
const over = (x, y) => fraction(x[0] * y[1], x[1] * y[0]);
const minus = (x, y) => plus(x, [-y[0], y[1]]);
function parse(text) {
  const found = /^\s*(-?)(\d{1,12})(?:\.(\d{1,12}))?(?:\/(\d{1,12}))?\s*$/.exec(text);
  if (!found || (found[3] && found[4])) throw new SyntaxError("not a fraction or a decimal: " + text);
  const places = (found[3] || "").length;
  const value = BigInt(found[2] + (found[3] || ""));
  return fraction(found[1] ? -value : value, found[4] ? BigInt(found[4]) : 10n ** BigInt(places));
}
function show(x) {
  const text = x[1] === 1n ? String(x[0]) : x[0] + "/" + x[1];
  if (text.length <= 11) return text;
  const sign = x[0] < 0n ? "-" : "", a = x[0] < 0n ? -x[0] : x[0];
  const whole = a / x[1];
  if (whole > 999999n) return sign + whole;
  const digits = String(a * 10n ** 9n / x[1]).padStart(10, "0");
  return sign + Number(digits.slice(0, -9) + "." + digits.slice(-9)).toPrecision(6);
}

// A value and its derivatives by all parameters, from the nested lists of the map.
function evaluate(tree, point, width) {
  const constant = (value) => ({ value, slope: new Array(width).fill(zero) });
  if (typeof tree === "string") { const [a, b] = tree.split("/"); return constant(fraction(BigInt(a), BigInt(b || 1))); }
  if (typeof tree === "number") {
    const found = constant(point[tree]);
    found.slope[tree] = one;
    return found;
  }
  const [sign, ...rest] = tree;
  const first = evaluate(rest[0], point, width);
  if (sign === "^") {
    let power = one;
    const n = rest[1], base = n < 0 ? over(one, first.value) : first.value;
    for (let k = 0; k < Math.abs(n) - 1; k += 1) power = times(power, base);
    // n · x^(n − 1)
    const factor = n === 0 ? zero : times([BigInt(n), 1n], n > 0 ? power : times(times(power, base), base));
    return { value: n === 0 ? one : times(power, base), slope: first.slope.map((x) => times(factor, x)) };
  }
  if (sign === "log") return { value: zero, slope: first.slope.map((x) => over(x, first.value)) };
  return rest.slice(1).reduce((left, part) => {
    const right = evaluate(part, point, width);
    if (sign === "+") return { value: plus(left.value, right.value), slope: left.slope.map((x, j) => plus(x, right.slope[j])) };
    return {
      value: times(left.value, right.value),
      slope: left.slope.map((x, j) => plus(times(x, right.value), times(left.value, right.slope[j]))),
    };
  }, first);
}
function reduce(matrix, width) {
  const rows = matrix.map((row) => [...row]), pivots = [];
  for (let column = 0; column < width && pivots.length < rows.length; column += 1) {
    const top = pivots.length, found = rows.findIndex((row, i) => i >= top && row[column][0] !== 0n);
    if (found < 0) continue;
    rows.splice(top, 0, rows.splice(found, 1)[0]);
    const lead = rows[top][column];
    rows[top] = rows[top].map((x) => over(x, lead));
    for (let i = 0; i < rows.length; i += 1) {
      const factor = rows[i][column];
      if (i !== top && factor[0] !== 0n) rows[i] = rows[i].map((x, j) => minus(x, times(factor, rows[top][j])));
    }
    pivots.push(column);
  }
  return { rows, pivots };
}

const data = document.getElementById("play-data");
const place = document.getElementById("play");
if (data && place) {
  const play = JSON.parse(data.textContent), width = play.parameters.length;
  const heading = document.createElement("h3");
  heading.textContent = "Choose a point and watch the rank";
  const buttons = document.createElement("p"), inputs = document.createElement("div");
  const output = document.createElement("output"), shown = document.createElement("div");
  inputs.className = "inputs"; shown.className = "wide"; output.id = "rank";
  const fields = play.parameters.map((name) => {
    const label = document.createElement("label"), field = document.createElement("input");
    label.append(name, field); field.inputMode = "decimal"; field.addEventListener("input", compute);
    inputs.append(label);
    return field;
  });
  function set(values) { values.forEach((value, j) => { fields[j].value = value; }); compute(); }
  function compute() {
    const point = [];
    let wrong = false;
    fields.forEach((field, j) => {
      field.removeAttribute("aria-invalid");
      try { point[j] = parse(field.value); } catch { field.setAttribute("aria-invalid", "true"); wrong = true; }
    });
    shown.replaceChildren();
    if (wrong) { output.textContent = "Every parameter is a decimal or a fraction, such as 0.25 or 1/4."; return; }
    let reduced;
    try {
      reduced = reduce(play.coordinates.map((tree) => evaluate(tree, point, width).slope), width);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      output.textContent = "The map has no value there: a denominator is zero.";
      return;
    }
    const rank = reduced.pivots.length, d = play.dimension;
    const words = rank < d ? `less than ${d}: a special point, it proves only that the dimension is at least ${rank}`
      : rank > d ? `so the dimension is at least ${rank}`
      : play.exact ? "the dimension: the point is regular" : "the greatest that was seen";
    output.textContent = `Rank ${rank} — ${words}.`;
    const table = document.createElement("table");
    table.className = "matrix";
    for (const [i, row] of reduced.rows.slice(0, 18).entries()) {
      const line = table.insertRow();
      row.slice(0, 16).forEach((x, j) => {
        const cell = line.insertCell();
        cell.textContent = show(x);
        cell.className = reduced.pivots[i] === j ? "pivot" : x[0] === 0n ? "zero" : "";
      });
      if (row.length > 16) line.insertCell().textContent = "…";
    }
    shown.append(table);
  }
  button(buttons, "random point", () => {
    set(fields.map(() => `${1 + Math.floor(Math.random() * play.top)}/1000`));
  });
  for (const [name, values] of Object.entries(play.points)) button(buttons, name, () => set(values));
  place.append(heading, buttons, inputs, output, shown);
  place.hidden = false;
  set(Object.values(play.points)[0]);
}
