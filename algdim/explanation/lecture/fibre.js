"use strict";
// The slider along a fibre: bars of parameters and bars of the distribution, at points that were computed beforehand.
if (pageData.fibre) {
  const { scales, digits, walks, begins } = pageData.fibre, track = 230;
  const slider = document.getElementById("fibre-slider"), output = document.getElementById("fibre-output");
  const place = document.getElementById("fibre-directions");
  for (const walk of walks) { walk.points = unpack(walk.points); walk.values = unpack(walk.values); }
  const rows = ["p", "c"].map((key) => [...document.querySelectorAll(`#fibre [data-key^="${key}"]`)].map((row) => ({
    row, value: row.querySelector(".value"), range: row.querySelector(".range"), number: row.querySelector(".number"),
  })));
  const at = (side, value) => begins[side] + track * (value - scales[side][0]) / (scales[side][1] - scales[side][0]);
  let walk = walks[0];
  function column(side, number, step) {
    const width = rows[side].length, table = side ? walk.values : walk.points;
    return table[step * width + number];
  }
  function draw() {
    const step = Number(slider.value);
    let moved = 0;
    rows.forEach((bars, side) => bars.forEach((bar, number) => {
      const value = column(side, number, step), zero = at(side, Math.max(scales[side][0], Math.min(0, scales[side][1]))), end = at(side, value);
      bar.value.setAttribute("x", Math.min(zero, end)); bar.value.setAttribute("width", Math.abs(end - zero));
      bar.number.textContent = value.toFixed(digits[side]);
      bar.row.dataset.value = value;
      if (!side) moved = Math.max(moved, Math.abs(value - column(0, number, walk.start)));
    }));
    output.textContent = step === walk.start ? "the point of this page; move the slider"
      : `a parameter has moved by ${moved.toFixed(3)}, no bar on the right by more than ${walk.off}`;
  }
  const how = document.querySelector("#step-fibre .how");
  function choose(number) {
    walk = walks[number];
    if (number || how.dataset.changed) { how.textContent = walk.how; how.dataset.changed = "yes"; }
    slider.max = walk.count - 1; slider.value = walk.start;
    rows.forEach((bars, side) => bars.forEach((bar, row) => {
      let low = Infinity, high = -Infinity;
      for (let step = 0; step < walk.count; step += 1) {
        low = Math.min(low, column(side, row, step)); high = Math.max(high, column(side, row, step));
      }
      bar.range.setAttribute("x", at(side, low)); bar.range.setAttribute("width", Math.max(0, at(side, high) - at(side, low)));
    }));
    draw();
  }
  slider.addEventListener("input", draw);
  if (walks.length > 1) {
    const select = document.createElement("select");
    select.id = "fibre-walk"; select.setAttribute("aria-label", "direction");
    walks.forEach((one, number) => select.add(new Option(one.name.length > 48 ? `${one.name.slice(0, 47)}…` : one.name, number)));
    select.addEventListener("change", () => choose(Number(select.value)));
    place.append("direction: ", select);
  }
  document.getElementById("fibre-controls").hidden = false;
  choose(0);
}
