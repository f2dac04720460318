// The row below the canvas: what is selected, and all that can be done with it without a key.

import { plain } from "./canvas.js";
import * as hand from "./drawing.js";

const at = (id) => document.getElementById(id);
const show = (id, isShown) => { at(id).hidden = !isShown; };
const TABLES = { table: "free", sigmoid: "logistic", multinomial: "multinomial logit", adjacent: "adjacent logits", cumulative: "cumulative logits", rasch: "Rasch", max: "maximum of its parents", sum: "sum of its parents", parity: "parity of its parents" };
const PARTS = ["rename", "turn", "states-part", "kind-part", "table-part", "items-part", "fold", "unfold", "straighten", "remove"];

function showVariable(name, state) {
  const { drawing, plates } = state, variable = hand.find(drawing, name), members = hand.membersOf(plates, name), isPlate = members.length > 1;
  const alike = isPlate ? members : hand.listAlike(drawing, name), table = hand.tableOf(drawing, name);
  at("selected-name").textContent = isPlate ? `${plain(members[0])} … ${plain(members.at(-1))}` : plain(name).slice(0, 40);
  for (const id of ["rename", "turn", "items-part", "remove"]) show(id, true);
  at("turn").textContent = variable.observed ? "make latent" : "make observed";
  show("states-part", variable.states !== undefined);
  at("states-now").textContent = variable.states ?? "";
  at("fewer").disabled = variable.states <= (variable.observed ? 2 : 1);
  show("kind-part", hand.hasBothKinds(drawing));
  at("kind-of").value = variable.states === undefined ? "gaussian" : "discrete";
  show("table-part", drawing.family === "discrete");
  if (!at("table").options.length) at("table").append(...Object.entries(TABLES).map(([value, text]) => new Option(text, value)));
  if (!Object.hasOwn(TABLES, table) && ![...at("table").options].some((one) => one.value === table)) at("table").append(new Option(plain(String(table)), table));
  at("table").value = table;
  at("items").value = members.length;
  show("fold", !isPlate && alike.length > 1);
  at("fold").textContent = `Fold ${alike.length} alike`;
  show("unfold", isPlate);
}

export function showSelected(what, state) {
  for (const id of PARTS) show(id, false);
  at("selected-name").textContent = "Nothing is selected.";
  if (!what || !state.drawing) return;
  if (what.name !== undefined) { if (hand.find(state.drawing, what.name)) showVariable(what.name, state); return; }
  at("selected-name").textContent = `${plain(what.one)} ${what.kind === "arc" ? "↔" : "→"} ${plain(what.other)}`.slice(0, 80);
  show("remove", true);
  show("straighten", Boolean(state.bends[what.key]));
}
