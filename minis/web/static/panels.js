// What is still to do, the log with what the judge may do to an entry, hidden units and who watches.

import { button, by, choice, field, fold, h } from "./dom.js";
import { logList, question, unitList } from "./shell.js";

/** What is still to do, with buttons that do it. */
export function todoPanel(place, view, { pair, one, open, act }) {
  const todo = (view.todo ?? []).filter((entry) => entry.kind !== "effect");
  const rows = todo.map((entry) => {
    const chips = (entry.about ?? []).map((name) =>
      button(name, () => pair(entry.unit, name), { class: "chip", "aria-label": `${entry.unit} and ${name}` }),
    );
    const place_it = entry.kind === "hidden" && button("Place", () => act("place", { unit: entry.unit }), { class: "chip", "aria-label": `Place ${entry.unit}` });
    return h(
      "li",
      { class: "todo" },
      button(entry.unit, () => one(entry.unit), { class: "chip main" }),
      h("span", null, { sighting: "may still try to sight", hidden: "is hidden and sees" }[entry.kind] ?? entry.words ?? ""),
      chips,
      place_it,
    );
  });
  const known = view.todo && view.todo_is_fresh !== false;
  const words = !known ? "What is left to do is being worked out …" : rows.length > 0 ? "" : "Nothing more is left to do in this phase.";
  place.replaceChildren(...open, rows.length > 0 ? h("ul", { class: "list" }, rows) : "", words ? h("p", { class: "quiet" }, words) : "");
  const count = todo.length + open.length;
  by("tab-todo").textContent = count > 0 ? `To do ${count}` : "To do";
}

const OVERRULED = { sight: ["sighted", "not sighted"], identify: ["sighted", "not sighted"], fire: ["hit", "miss"] };

/** The log with undo, redo, overrule and new dice at each entry. */
export function logPanel(place, entries, control) {
  const more = (entry) => {
    const event = entry.number;
    const rules = entry.overrule ?? OVERRULED[entry.kind] ?? [];
    const overrule = async () => {
      const to = choice(rules, { name: "to" });
      const why = h("input", { name: "why", required: true, autocomplete: "off" });
      const said = await question(`Overrule event ${event}`, { fields: [field("It came to", to), field("Why", why)], yes: "Overrule" });
      if (said) control({ what: "overrule", event, ...said });
    };
    const dice = async () => {
      const why = h("input", { name: "why", required: true, autocomplete: "off" });
      const said = await question(`New dice for event ${event}`, { fields: [field("Why", why)], yes: "New dice" });
      if (said) control({ what: "new dice", event, ...said });
    };
    const back = entry.fate === "taken back";
    const buttons = [
      !back && !["start", "undo", "redo", "newdice", "new dice", "seed"].includes(entry.kind) && button("Take back", () => control({ what: "undo", event }), { "aria-label": `Take back event ${event}` }),
      back && button("Bring back", () => control({ what: "redo", event }), { "aria-label": `Bring back event ${event}` }),
      !back && rules.length > 0 && button("Overrule", overrule, { "aria-label": `Overrule event ${event}` }),
      back && rules.length > 0 && button("New dice", dice, { "aria-label": `New dice for event ${event}` }),
    ].filter(Boolean);
    return buttons.length > 0 ? [h("div", { class: "row" }, buttons)] : [];
  };
  logList(place, entries, more);
}

/** Units by side, before them the hidden ones that see an enemy. */
export function unitsPanel(place, view, chosen, pick) {
  const watch = view.watch ?? [];
  const extra = [];
  if (watch.length > 0) {
    const rows = watch.map((one) => h("li", null, button([h("b", null, one.unit), " ", h("small", null, one.words ?? "")], () => pick({ id: one.unit }), { class: "item" })));
    extra.push(h("h3", null, "Hidden, with an enemy in sight"), h("ul", { class: "list" }, rows));
  }
  const hidden = (view.hidden ?? []).filter((id) => !watch.some((one) => one.unit === id));
  if (hidden.length > 0) {
    extra.push(fold(`Hidden (${hidden.length})`, h("div", { class: "row" }, hidden.map((id) => button(id, () => pick({ id }), { class: "chip" })))));
  }
  unitList(place, view.units, { pick, chosen, extra });
  if (view.out?.length > 0) {
    place.append(h("h3", null, "Out of the game"), h("ul", { class: "behind" }, view.out.map((one) => h("li", null, `${one.unit}: ${one.how}`))));
  }
}
