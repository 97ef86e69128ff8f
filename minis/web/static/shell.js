// What both pages have: the bar, the tabs, notices, questions, the line to the server, the view as it is now.

import { bearing, button, by, h, inches, typing } from "./dom.js";
import { follow, get } from "./net.js";

const NOTICE_MS = 12000;

// --- notices

/** Say something to a screen reader. */
export function say(words) {
  const place = by("say");
  place.textContent = place.textContent === words ? `${words} ` : words;
}

/** A notice that leaves by itself: its first line, what stands behind it, buttons. */
export function notice(line, { behind = [], actions = [], bad = false, stay = false } = {}) {
  const close = () => note.remove();
  const lines = behind.map((words) => h("li", null, words));
  const note = h(
    "div",
    { class: bad ? "notice bad" : "notice" },
    h("p", null, line),
    lines.length > 0 && h("ul", { class: "behind" }, lines),
    h(
      "div",
      { class: "row" },
      actions.map(([words, act]) => button(words, () => (close(), act()), { class: "small" })),
      button("Close", close, { class: "small plain" }),
    ),
  );
  const place = by("notices");
  // the table must stay in sight: the last notice alone, and what went wrong until it has been read
  place.querySelectorAll(".notice:not(.bad)").forEach((old) => old.remove());
  place.append(note);
  while (place.children.length > 2) place.firstChild.remove();
  if (!stay) setTimeout(close, bad ? NOTICE_MS * 1.5 : NOTICE_MS);
  return note;
}

/** Do something, and show what went wrong in its own words. */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.status === undefined) console.error(error);
    notice(error.message, { bad: true });
    say(error.message);
    return undefined;
  }
}

/** A question with buttons and fields; the fields' values when it is answered with yes, else null. */
export function question(title, { fields = [], yes = "Yes", danger = false } = {}) {
  return new Promise((answer) => {
    const form = h(
      "form",
      { method: "dialog", class: "stack" },
      h("h2", { id: "question" }, title),
      fields,
      h(
        "div",
        { class: "row" },
        h("button", { value: "yes", class: danger ? "danger" : "main" }, yes),
        h("button", { value: "no", formnovalidate: true }, "Cancel"),
      ),
    );
    const box = h("dialog", { "aria-labelledby": "question" }, form);
    document.body.append(box);
    box.addEventListener("close", () => {
      const said = box.returnValue === "yes" ? Object.fromEntries(new FormData(form)) : null;
      box.remove();
      answer(said);
    });
    box.showModal();
  });
}

// --- tabs

/** The tabs of the panel, by arrow keys too; the button beside them folds the panel away. */
export function tabs() {
  const all = [...document.querySelectorAll("[role=tab]")];
  const panel = by("panel");
  const toggle = by("fold");
  const fold = (folded) => {
    panel.classList.toggle("folded", folded);
    toggle.setAttribute("aria-expanded", String(!folded));
  };
  const open = (name, focus = false) => {
    for (const tab of all) {
      const on = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      by(tab.getAttribute("aria-controls")).hidden = !on;
      if (on && focus) tab.focus();
    }
    fold(false);
  };
  const name = (tab) => tab.id.slice("tab-".length);
  all.forEach((tab, index) => {
    tab.addEventListener("click", () => open(name(tab)));
    tab.addEventListener("keydown", (event) => {
      const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: all.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      open(name(all[(to + all.length) % all.length]), true);
    });
  });
  toggle.addEventListener("click", () => fold(!panel.classList.contains("folded")));
  return open;
}

// --- units in words

/** A unit in a few words, as a screen reader says it. */
export function nameOf(unit) {
  const what = unit.unknown ? "token" : (unit.label ?? unit.kind ?? "");
  const marks = ["hidden", "dummy", "wreck"].filter((mark) => unit[mark]);
  const where = `at ${inches(unit.at[0])}, ${inches(unit.at[1])}`;
  return [unit.id, unit.side, what, ...marks, where].filter(Boolean).join(", ");
}

/** What more there is to know of a unit, in words. */
export function factsOf(unit) {
  const found = [];
  if (unit.token && !unit.unknown) found.push(`token ${unit.token}`);
  found.push(...["hidden", "dummy", "wreck"].filter((mark) => unit[mark]));
  if (!unit.unknown && unit.facing !== undefined && unit.facing !== null) {
    found.push(`facing ${bearing(unit.facing)}`);
    const turned = unit.turret !== null && unit.turret !== undefined && bearing(unit.turret) !== bearing(unit.facing);
    if (turned) found.push(`turret ${bearing(unit.turret)}`);
  }
  if (unit.level !== undefined) found.push(`level ${unit.level}`);
  if (unit.roof) found.push("roof");
  else if (unit.storey) found.push(`storey ${unit.storey}`);
  if (unit.goes_with) found.push(`with ${unit.goes_with}`);
  return [...found, ...(unit.marks ?? [])];
}

/** The list of units by side, with a filter; `pick(unit)` when one is chosen. */
export function unitList(place, units, { pick, chosen, extra = [] }) {
  const last = place.querySelector("input[type=search]")?.value ?? "";
  const rows = [];
  for (const side of [...new Set(units.map((unit) => unit.side))].sort()) {
    const own = units.filter((unit) => unit.side === side);
    rows.push(
      h("h3", null, `${side} (${own.length})`),
      h(
        "ul",
        { class: "list" },
        own.map((unit) => {
          const facts = factsOf(unit).join(", ");
          const words = [h("b", null, unit.id), " ", unit.unknown ? "token" : (unit.label ?? unit.kind ?? "")];
          const props = { "aria-pressed": String(chosen.includes(unit.id)), class: "item" };
          const one = button([...words, h("small", null, facts)], () => pick(unit), props);
          return h("li", { "data-words": `${unit.id} ${words[2]} ${facts}`.toLowerCase() }, one);
        }),
      ),
    );
  }
  const list = h("div", null, rows);
  const sift = () => {
    const wanted = search.value.trim().toLowerCase();
    for (const item of list.querySelectorAll("li")) item.hidden = !item.dataset.words.includes(wanted);
  };
  const search = h("input", { type: "search", "aria-label": "Find a unit", placeholder: "Find a unit", oninput: sift });
  search.value = last;
  sift();
  place.replaceChildren(search, ...extra, list);
}

/** The log, newest first; `more(entry)` gives what else a judge's entry holds. */
export function logList(place, entries, more = () => []) {
  const open = new Set([...place.querySelectorAll("details[open]")].map((node) => node.dataset.number));
  const rows = [...entries].reverse().map((entry) => {
    const lines = entry.lines ?? [entry.line];
    const words = [h("small", null, `${entry.number} · ${entry.when}`), lines.map((line) => h("span", null, line))];
    if (entry.fate) words.push(h("em", null, entry.fate));
    const inside = [(entry.behind ?? []).map((line) => h("p", null, line)), more(entry)].flat(Infinity);
    if (inside.length === 0) return h("li", { class: "entry" }, words);
    const props = { class: "entry", "data-number": String(entry.number), open: open.has(String(entry.number)) };
    const summary = h("summary", { class: entry.fate === "taken back" ? "gone" : null }, words);
    return h("li", null, h("details", props, summary, inside));
  });
  const empty = h("p", { class: "quiet" }, "Nothing has happened yet.");
  place.replaceChildren(rows.length > 0 ? h("ul", { class: "list log" }, rows) : empty);
}

// --- the view

/** The table as the server shows it to this seat, kept up to date; `changed(view)` after each change. */
export class Table {
  constructor(map, changed) {
    this.map = map;
    this.changed = changed;
    this.view = null;
    this.groundTag = null;
    this.busy = null;
  }

  /** Ask for the view; calls that come meanwhile wait for one more answer, not for one each. */
  async load() {
    if (this.busy) {
      this.again = true;
      return this.busy;
    }
    this.busy = (async () => {
      try {
        do {
          this.again = false;
          await this.once();
        } while (this.again);
      } finally {
        this.busy = null;
      }
    })();
    return this.busy;
  }

  async once() {
    const [me, ground, view] = await Promise.all([
      this.me ?? get("/api/me"),
      this.ground ?? get("/api/ground"),
      get("/api/view"),
    ]);
    if (!this.ground) this.map.setGround(ground);
    [this.me, this.ground] = [me, ground];
    by("seat").textContent = me.seat;
    this.show(view);
  }

  show(view) {
    if (this.view?.version === view.version) return;
    this.view = view;
    this.map.setPieces(view.pieces, view.units);
    by("title").textContent = view.title;
    document.title = `${view.title}: ${view.phase ?? ""}`;
    const turn = view.turn ? `Turn ${view.turn}` : "Set-up";
    const phase = view.phase ?? "";
    const words = view.ended ? "The game has ended" : phase.toLowerCase().startsWith("turn") ? phase : `${turn}, ${phase}`;
    by("phase").textContent = words.replace(/, $/, "");
    this.changed(view);
  }

  unit(id) {
    return this.map.byId?.get(id);
  }

  /** Follow the game; `words` tells what to say while the server is not reached. */
  follow() {
    const banner = by("lost");
    follow({
      view: (version) => {
        if (version !== this.view?.version) this.load().catch(() => {});
      },
      lost: () => (banner.hidden = false),
      back: () => (banner.hidden = true),
      bye: () => location.reload(),
    });
  }
}

/** The buttons on the map. */
export function mapButtons(map) {
  by("zoom-in").addEventListener("click", () => map.zoom(1.4));
  by("zoom-out").addEventListener("click", () => map.zoom(1 / 1.4));
  by("zoom-fit").addEventListener("click", () => map.fit());
}

/** Single keys of the page, where nobody types; `keys` maps a key to what it does. */
export function shortcuts(keys) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (localStorage.getItem("minis-keys") === "off" && event.key !== "Escape") return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** The keys that both pages have. */
export const zoomKeys = (map) => ({
  "+": () => map.zoom(1.4), "=": () => map.zoom(1.4), "-": () => map.zoom(1 / 1.4), 0: () => map.fit(),
}); // prettier-ignore
