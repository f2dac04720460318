// The row below the canvas: what is selected, and all that can be done with it without a key.

import { plain } from "./canvas.js";
import * as hand from "./drawing.js";

const at = (id) => document.getElementById(id);
const TABLES = { table: "free", sigmoid: "logistic", multinomial: "multinomial logit", adjacent: "adjacent logits", cumulative: "cumulative logits", rasch: "Rasch", max: "maximum of its parents", sum: "sum of its parents", parity: "parity of its parents" };
const PARTS = ["rename", "turn", "states-part", "kind-part", "table-part", "items-part", "fold", "unfold", "straighten", "remove"];

const set = (id, text) => { if (at(id).textContent !== text) at(id).textContent = text; };

// Fills the row for a variable, and returns which of its parts there are.
function showVariable(name, { drawing, plates }) {
  const variable = hand.find(drawing, name), members = hand.membersOf(plates, name), isPlate = members.length > 1;
  const alike = isPlate ? members : hand.listAlike(drawing, name), table = hand.tableOf(drawing, name);
  set("selected-name", isPlate ? `${plain(members[0])} … ${plain(members.at(-1))}` : plain(name).slice(0, 40));
  set("turn", variable.observed ? "make latent" : "make observed");
  set("states-now", String(variable.states ?? ""));
  at("fewer").disabled = variable.states <= (variable.observed ? 2 : 1);
  at("kind-of").value = variable.states === undefined ? "gaussian" : "discrete";
  if (!at("table").options.length) at("table").append(...Object.entries(TABLES).map(([value, text]) => new Option(text, value)));
  if (![...at("table").options].some((one) => one.value === table)) at("table").append(new Option(plain(String(table)), table));
  at("table").value = table;
  at("items").value = members.length;
  set("fold", `Fold ${alike.length} into a plate`);
  const parts = { "states-part": variable.states !== undefined, "kind-part": hand.hasBothKinds(drawing), "table-part": drawing.family === "discrete", fold: !isPlate && alike.length > 1, unfold: isPlate };
  return ["rename", "turn", "items-part", "remove", ...Object.keys(parts).filter((id) => parts[id])];
}

function showLink(what, { bends }) {
  set("selected-name", `${plain(what.one)} ${what.kind === "arc" ? "↔" : "→"} ${plain(what.other)}`.slice(0, 80));
  return bends[what.key] ? ["remove", "straighten"] : ["remove"];
}

export function showSelected(what, state) {
  let parts = [];
  if (what && state.drawing && (what.name === undefined || hand.find(state.drawing, what.name))) parts = what.name === undefined ? showLink(what, state) : showVariable(what.name, state);
  else set("selected-name", "Nothing is selected.");
  for (const id of PARTS) at(id).hidden = !parts.includes(id);
}
