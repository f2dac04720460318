"use strict";
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
