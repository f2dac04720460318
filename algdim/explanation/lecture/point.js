"use strict";
// A point to play with: its rank in exact fractions, and the singular values of its Jacobian in floating point.
function toFloat(x) {
  const whole = x[0] / x[1];
  return Number(whole) + Number((x[0] - whole * x[1]) * 10n ** 18n / x[1]) / 1e18;
}
// One-sided Jacobi: columns are turned in pairs until all are orthogonal; their lengths are the singular values.
function singularValues(matrix, width) {
  const columns = Array.from({ length: width }, (_, j) => Float64Array.from(matrix, (row) => row[j]));
  for (let sweep = 0; sweep < 30; sweep += 1) {
    let turned = false;
    for (let p = 0; p < width; p += 1) for (let q = p + 1; q < width; q += 1) {
      const a = columns[p], b = columns[q];
      let aa = 0, bb = 0, ab = 0;
      for (let i = 0; i < a.length; i += 1) { aa += a[i] * a[i]; bb += b[i] * b[i]; ab += a[i] * b[i]; }
      if (Math.abs(ab) <= 1e-15 * Math.sqrt(aa * bb)) continue;
      turned = true;
      const z = (bb - aa) / (2 * ab), t = (Math.sign(z) || 1) / (Math.abs(z) + Math.sqrt(1 + z * z)), c = 1 / Math.sqrt(1 + t * t), s = c * t;
      for (let i = 0; i < a.length; i += 1) { const x = a[i]; a[i] = c * x - s * b[i]; b[i] = s * x + c * b[i]; }
    }
    if (!turned) break;
  }
  return columns.map((column) => Math.hypot(...column)).sort((x, y) => y - x);
}
// A value and its derivatives in a field of machine numbers: floats, or residues of a prime below 2^26.
const floats = { constant: ([a, b]) => toFloat([a, b]), plus: (x, y) => x + y, times: (x, y) => x * y, over: (x, y) => x / y };
function residues(prime) {
  const p = BigInt(prime), power = (x, n) => { let found = 1n; for (x = ((x % p) + p) % p; n; n >>= 1n, x = x * x % p) if (n & 1n) found = found * x % p; return found; };
  const over = (a, b) => {
    if (b % p === 0n) throw new RangeError("division by zero");
    return Number((((a % p) + p) % p) * power(b, p - 2n) % p);
  };
  return {
    constant: ([a, b]) => over(a, b), plus: (x, y) => (x + y) % prime, times: (x, y) => (x * y) % prime,
    minus: (x) => (x === 0 ? 0 : prime - x),
    over: (x, y) => over(BigInt(x), BigInt(y)),
  };
}
function differentiate(tree, point, width, field) {
  const { plus: add, times: by, over: through, constant } = field, none = () => new Float64Array(width);
  const visit = (one) => {
    if (typeof one === "string") { const [a, b] = one.split("/"); return { value: constant([BigInt(a), BigInt(b || 1)]), slope: none() }; }
    if (typeof one === "number") { const slope = none(); slope[one] = 1; return { value: point[one], slope }; }
    const [sign, ...rest] = one, first = visit(rest[0]);
    if (sign === "^") {
      const n = rest[1], unit = constant([1n, 1n]), base = n < 0 ? through(unit, first.value) : first.value;
      let power = unit;
      for (let k = 0; k < Math.abs(n) - 1; k += 1) power = by(power, base);
      const factor = n === 0 ? constant([0n, 1n]) : by(constant([BigInt(n), 1n]), n > 0 ? power : by(by(power, base), base));
      return { value: n === 0 ? unit : by(power, base), slope: first.slope.map((x) => by(factor, x)) };
    }
    if (sign === "log") return { value: constant([0n, 1n]), slope: first.slope.map((x) => through(x, first.value)) };
    return rest.slice(1).reduce((left, part) => {
      const right = visit(part), slope = left.slope;
      for (let j = 0; j < width; j += 1) {
        slope[j] = sign === "+" ? add(slope[j], right.slope[j]) : add(by(slope[j], right.value), by(left.value, right.slope[j]));
      }
      return { value: sign === "+" ? add(left.value, right.value) : by(left.value, right.value), slope };
    }, first);
  };
  return visit(tree).slope;
}
function rankModulo(rows, width, field) {
  let rank = 0;
  for (let column = 0; column < width && rank < rows.length; column += 1) {
    const found = rows.findIndex((row, i) => i >= rank && row[column] !== 0);
    if (found < 0) continue;
    [rows[rank], rows[found]] = [rows[found], rows[rank]];
    const top = rows[rank];
    for (let i = rank + 1; i < rows.length; i += 1) {
      if (rows[i][column] === 0) continue;
      const factor = field.over(rows[i][column], top[column]);
      for (let j = column; j < width; j += 1) rows[i][j] = field.plus(rows[i][j], field.minus(field.times(factor, top[j])));
    }
    rank += 1;
  }
  return rank;
}
if (pageData.lower?.coordinates) {
  const play = pageData.lower, width = play.parameters.length, place = document.getElementById("play");
  const most = Math.min(width, play.coordinates.length);
  const heading = document.createElement("h3");
  heading.textContent = "Choose a point and watch the rank";
  const buttons = document.createElement("p"), inputs = document.createElement("div"), output = document.createElement("output");
  const meter = document.createElement("div"), more = document.createElement("details");
  inputs.className = "inputs"; output.id = "rank"; meter.className = "meter";
  meter.setAttribute("role", "img");
  const fields = play.parameters.map((name, j) => {
    const label = document.createElement("label"), slider = document.createElement("input"), field = document.createElement("input");
    slider.type = "range"; slider.min = play.ends[j][0] * 1000; slider.max = play.ends[j][1] * 1000; slider.step = 1;
    slider.setAttribute("aria-label", name);
    field.inputMode = "decimal"; field.setAttribute("aria-label", `${name}, as a fraction`);
    slider.addEventListener("input", () => { field.value = `${slider.value}/1000`; later(); });
    field.addEventListener("input", () => { follow(slider, field); later(); });
    const text = document.createElement("span");
    text.textContent = name;
    label.append(text, slider, field);
    inputs.append(label);
    return { slider, field };
  });
  function follow(slider, field) { try { slider.value = Math.round(toFloat(parse(field.value)) * 1000); } catch { /* not yet a number */ } }
  let waiting = 0;
  function later() { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(compute); }
  function set(values) { values.forEach((value, j) => { fields[j].field.value = value; follow(fields[j].slider, fields[j].field); }); compute(); }
  function compute() {
    const point = [];
    let wrong = false;
    fields.forEach(({ field }, j) => {
      field.removeAttribute("aria-invalid");
      try { point[j] = parse(field.value); } catch { field.setAttribute("aria-invalid", "true"); wrong = true; }
    });
    meter.replaceChildren();
    if (wrong) { output.textContent = "Every parameter is a decimal or a fraction, such as 0.25 or 1/4."; return; }
    let slopes, rank;
    try {
      if (play.prime) {
        const field = residues(play.prime), [there, near] = [field, floats].map((one) => point.map(one.constant));
        rank = rankModulo(play.coordinates.map((tree) => differentiate(tree, there, width, field)), width, field);
        slopes = play.coordinates.map((tree) => differentiate(tree, near, width, floats));
      } else {
        slopes = play.coordinates.map((tree) => evaluate(tree, point, width).slope);
        rank = reduce(slopes, width).pivots.length;
        slopes = slopes.map((row) => row.map(toFloat));
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      output.textContent = "The map has no value there: a denominator is zero.";
      return;
    }
    const d = play.dimension, how = `${play.rows ? ` of ${play.rows}` : ""}${play.prime ? `, modulo the prime ${play.prime}` : ""}`;
    const words = rank < d ? `less than ${d}: a special point, it proves only that the dimension is at least ${rank}`
      : rank > d ? `so the dimension is at least ${rank}`
      : play.exact ? `the dimension${play.of || ""}: the point is regular` : "the greatest that was seen";
    output.textContent = `Rank ${rank}${how} — ${words}.`;
    const sizes = singularValues(slopes, width);
    for (let j = 0; j < most; j += 1) {
      const bar = document.createElement("span"), share = sizes[0] > 0 ? Math.max(0, 1 + Math.log10(Math.max(sizes[j] / sizes[0], 1e-9)) / 9) : 0;
      bar.style.height = `${(4 + 52 * share).toFixed(1)}px`;
      bar.className = j < rank ? "on" : "";
      bar.title = `singular value ${j + 1}: ${sizes[j].toPrecision(3)} (floating point)`;
      meter.append(bar);
    }
    meter.setAttribute("aria-label", `rank meter: ${rank} of ${most}`);
  }
  for (const [name, values] of Object.entries(play.points)) button(buttons, name, () => set(values));
  button(buttons, "random point", () => set(fields.map(() => `${1 + Math.floor(Math.random() * play.top)}/1000`)));
  const special = play.points[play.special], way = document.createElement("div");
  if (special) {
    // on the straight way to the special point, in exact fractions
    const [from, to] = [Object.values(play.points)[0], special].map((values) => values.map(parse));
    const label = document.createElement("label"), text = document.createElement("span"), slider = document.createElement("input");
    way.className = "towards"; slider.type = "range"; slider.id = "towards"; slider.min = 0; slider.max = 100; slider.value = 0;
    text.textContent = `towards “${play.special}”`;
    slider.addEventListener("input", () => {
      const s = BigInt(slider.value);
      set(from.map((x, j) => { const [a, b] = plus(times(fraction(100n - s, 100n), x), times(fraction(s, 100n), to[j])); return `${a}/${b}`; }));
    });
    label.append(text, slider);
    way.append(label);
  }
  const summary = document.createElement("summary");
  summary.textContent = `The ${width} parameters: sliders, or fractions`;
  more.append(summary, inputs);
  place.append(heading, buttons, way, output, meter, more);
  place.hidden = false;
  set(Object.values(play.points)[0]);
}
