"use strict";
// What the steps have in common: the data of the page, tables of numbers, small helpers.
const pageData = JSON.parse(document.getElementById("page-data").textContent);
function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Float64Array(bytes.buffer);
}
function button(place, text, act) {
  const made = document.createElement("button");
  made.type = "button"; made.textContent = text; made.addEventListener("click", act);
  place.append(made, " ");
  return made;
}
