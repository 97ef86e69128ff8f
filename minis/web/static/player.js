// A player's page: what his side may know, lines of sight of his own units, distances, and nothing else.

import { bearing, button, by, flat, h, inches, steady } from "./dom.js";
import { TableMap } from "./map.js";
import { latest, post } from "./net.js";
import { Table, attempt, factsOf, logList, mapButtons, nameOf, say, shortcuts, tabs, unitList, zoomKeys } from "./shell.js";

let first = null;
let second = null; // a unit's id, or a place
let answer = null;

const isPlace = (what) => Array.isArray(what);
const called = (what) => (isPlace(what) ? what.map(inches).join(", ") : what);

function choose(id) {
  [first, second, answer] = [id, null, null];
  map.lay("line", "");
  draw();
  if (id) {
    open("line");
    say(`${nameOf(table.unit(id))} chosen`);
  }
}

function pairUp(a, b) {
  [first, second, answer] = [a, b, null];
  open("line");
  draw();
  askFor(a, b);
}

/** The distance, and from a unit of his own to one that he sees the line of sight too. */
const askFor = latest(async (a, b, current) => {
  const looks = table.unit(a)?.own && !isPlace(b);
  const [measured, los] = await Promise.all([
    attempt(() => post("/api/measure", { a, b })),
    looks ? attempt(() => post("/api/los", { a, b })) : null,
  ]);
  if (!current() || a !== first || b !== second) return;
  answer = { measured, los };
  map.lay("line", los?.picture ?? "");
  draw();
  say([los?.words?.[0] ?? los?.why, measured && distance(measured)].filter(Boolean).join(". "));
});

const distance = (measured) => {
  const levels = measured.levels?.length ? `, level ${measured.levels.join(" to ")}` : "";
  return `${measured.distance ?? `${inches(measured.distance_in)}″`}${measured.bearing === null || measured.bearing === undefined ? "" : `, bearing ${bearing(measured.bearing)}`}${levels}`;
};

function picked(unit) {
  if (!unit) return;
  if (!first) choose(unit.id);
  else if (unit.id === first) choose(null);
  else if (unit.own && table.unit(first)?.own && !second) choose(unit.id);
  else if (unit.own && second) choose(unit.id);
  else pairUp(first, unit.id);
}

function tapped(units, at) {
  if (units.length > 0) picked(units[0]);
  else if (first) pairUp(first, at.map((value) => Math.round(value * 100) / 100));
}

function drawLine() {
  const place = by("line");
  const unit = table.unit(first);
  if (!unit) {
    place.replaceChildren(
      h(
        "div",
        { class: "quiet stack" },
        h("p", null, "Tap a unit of yours, then another unit: the distance and the line of sight."),
        h("p", null, "Tap a place instead to measure to it. Pinch to zoom."),
      ),
    );
    return;
  }
  const clear = button("Clear", () => choose(null), { class: "small plain", "aria-keyshortcuts": "Escape" });
  if (second === null) {
    const words = [unit.side, unit.unknown ? "token" : (unit.label ?? unit.kind), ...factsOf(unit)].filter(Boolean).join(", ");
    place.replaceChildren(h("div", { class: "pair" }, h("h2", null, unit.id), h("div", { class: "row" }, clear)), h("p", null, words), h("p", { class: "quiet" }, "Tap the other unit, or a place."));
    return;
  }
  const { measured, los } = answer ?? {};
  const [head, ...rest] = los ? (los.words?.length ? los.words : [los.why]).map(flat) : [];
  place.replaceChildren(
    h("div", { class: "pair" }, h("h2", null, `${first} → ${called(second)}`), h("div", { class: "row" }, clear)),
    head
      ? h("p", { class: los.clear ? "verdict clear" : "verdict blocked" }, h("span", { class: "sign", "aria-hidden": "true" }, los.clear ? "●" : "✕"), h("span", null, head))
      : "",
    measured && !los ? h("p", { class: "verdict" }, distance(measured)) : "",
    ...rest.map((line) => h("p", { class: "words" }, line)),
  );
}

function draw() {
  const { view } = table;
  if (!view) return;
  const ids = [first, isPlace(second) ? null : second];
  map.mark([...(first ? [[first, "chosen"]] : []), ...(ids[1] ? [[ids[1], "target"]] : [])]);
  map.press(ids.filter(Boolean));
  if (isPlace(second) && table.unit(first)) drawTape();
  drawLine();
  const pick = (unit) => {
    choose(unit.id);
    map.look(unit.at);
  };
  steady(by("log"), () => logList(by("log"), view.log ?? []));
  steady(by("units"), () => unitList(by("units"), view.units, { chosen: ids, pick }));
}

/** The tape from a unit to a place. */
function drawTape() {
  const [from, to] = [table.unit(first).at, second].map((at) => map.user(at).join(" "));
  map.lay("line", `<path class="tape" d="M${from}L${to}" stroke-width="${map.px(3)}"/>`);
}

function changed() {
  if (first && !table.unit(first)) [first, second, answer] = [null, null, null];
  if (second && !isPlace(second) && !table.unit(second)) [second, answer] = [null, null];
  draw();
  if (second !== null) askFor(first, second);
  else map.lay("line", "");
}

const map = new TableMap(by("map"), {
  name: nameOf,
  tap: tapped,
  pick: picked,
  shown: () => isPlace(second) && table.unit(first) && drawTape(),
});
const table = new Table(map, changed);
const open = tabs();
mapButtons(map);
shortcuts({ ...zoomKeys(map), Escape: () => choose(second === null ? null : first) });
drawLine();
attempt(() => table.load()).then(() => table.follow());
