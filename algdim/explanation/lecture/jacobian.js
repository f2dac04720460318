"use strict";
// The heat map of the Jacobian: what is under the pointer, its formula, and the variables of its parameter in the network.
if (pageData.jacobian?.values) {
  const { rows, columns, names, formulas, formula } = pageData.jacobian, values = unpack(pageData.jacobian.values);
  const place = document.getElementById("jacobian"), svg = place.querySelector("svg"), entry = document.getElementById("jacobian-entry");
  const frame = svg.querySelector("rect");
  const nodes = [...document.querySelectorAll("#step-jacobian [data-name]")];
  const known = new Set(nodes.map((node) => node.dataset.name));
  // a stack stands for all that have no node of their own
  const isLit = (name, column) => names[column].includes(name) || (name.includes(" … ") && names[column].some((one) => !known.has(one)));
  const mark = document.createElementNS(svg.namespaceURI, "rect");
  for (const [name, value] of [["fill", "none"], ["stroke", "currentColor"], ["stroke-width", "2"], ["visibility", "hidden"]]) mark.setAttribute(name, value);
  svg.append(mark);
  const box = { x: +frame.getAttribute("x"), y: +frame.getAttribute("y"), width: +frame.getAttribute("width"), height: +frame.getAttribute("height") };
  const wide = box.width / columns.length, high = box.height / rows.length;
  function show(row, column) {
    const number = row * columns.length + column, value = values[number];
    const text = formulas?.[formula[number]] ? ` = ${formulas[formula[number]]}` : "";
    const decimal = value === 0 ? "0" : Math.abs(value) < 1e-4 ? value.toExponential(2) : value.toPrecision(4);
    entry.textContent = `∂ ${rows[row]} / ∂ ${columns[column]}${text}${text === " = 0" || text === ` = ${decimal}` ? "" : `${text ? " ≈ " : " ≈ "}${decimal} at the point`}`;
    entry.hidden = false;
    mark.setAttribute("x", box.x + wide * column); mark.setAttribute("y", box.y + high * row);
    mark.setAttribute("width", wide); mark.setAttribute("height", high); mark.setAttribute("visibility", "visible");
    for (const node of nodes) node.classList.toggle("lit", isLit(node.dataset.name, column));
  }
  function point(event) {
    const scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width, seen = svg.getBoundingClientRect();
    const column = Math.floor(((event.clientX - seen.left) * scale - box.x) / wide);
    const row = Math.floor(((event.clientY - seen.top) * scale - box.y) / high);
    if (row >= 0 && row < rows.length && column >= 0 && column < columns.length) show(row, column);
  }
  svg.addEventListener("pointermove", point);
  svg.addEventListener("pointerdown", point);
  show(0, 0);
}
