// The judge's page: everything on the table, every act of the game.

import { button, by, steady, typing } from "./dom.js";
import { TableMap } from "./map.js";
import { Move } from "./move.js";
import { More } from "./more.js";
import { latest, post } from "./net.js";
import { logPanel, todoPanel, unitsPanel } from "./panels.js";
import { Ruling, openEffects } from "./ruling.js";
import { Table, attempt, factsOf, mapButtons, nameOf, notice, question, say, shortcuts, tabs, zoomKeys } from "./shell.js";

let first = null; // the unit chosen
let second = null; // the other of the pair
let pair = null; // the server's answer on the two
let asked = {}; // weapon and ammunition that the pair was asked with
let move = null; // the move that is being laid
let placing = null; // who waits for a tap on a place
const tried = new Set(); // pairs ruled upon since the list of what is to do was worked out

// --- choosing

function choose(id) {
  [first, second, pair, asked] = [id, null, null, {}];
  map.lay("line", "");
  draw();
  if (id) {
    open("ruling");
    say(`${nameOf(table.unit(id))} chosen`);
  }
}

function pairUp(a, b) {
  if (a !== first || b !== second) [pair, asked] = [null, {}];
  [first, second] = [a, b];
  open("ruling");
  draw();
  ruleOn(a, b);
}

const ruleOn = latest(async (a, b, current) => {
  const answer = await attempt(() => post("/api/pair", { a, b, ...asked }));
  if (!current() || a !== first || b !== second) return;
  const news = pair === null;
  pair = answer ?? null;
  draw();
  if (pair) map.lay("line", pair.los.picture ?? "");
  if (pair && news) say([pair.los.words?.[0] ?? pair.los.why, ...(pair.sight?.words ?? []).slice(0, 1)].join(". "));
});

/** A tap on a unit: choose it, or pair the one chosen with it. */
function picked(unit, together = false) {
  if (!unit) return;
  const chosen = table.unit(first);
  if (!chosen || (!together && chosen.side === unit.side && unit.id !== first)) choose(unit.id);
  else if (unit.id === first) choose(null);
  else pairUp(first, unit.id);
}

/** The next of the units under a finger: a second tap on a carrier means its passenger. */
function tapped(units, at) {
  if (placing) {
    placing(at);
    return;
  }
  if (move) {
    move.to(at);
    move.settle(at);
    return;
  }
  if (units.length === 0) {
    if (second) choose(first);
    else choose(null);
    return;
  }
  const index = units.findIndex((unit) => unit.id === first);
  const rider = index === 0 && !second ? units.find((unit) => unit.goes_with === first) : null;
  if (rider) choose(rider.id);
  else picked(index === 0 && second ? units.find((unit) => unit.id !== first && unit.id !== second) ?? units[0] : units[0]);
}

function startMove() {
  const unit = table.unit(first);
  if (!unit || move) return;
  [second, pair] = [null, null];
  open("ruling");
  move = new Move(map, by("ruling"), unit, {
    say,
    act: (request) => act("move", request),
    done: () => {
      move = null;
      draw();
    },
  });
  hint("");
  rings();
}

/** Wait for a tap on a place of the table; null where the judge leaves it. */
function pickPlace(words) {
  hint(words);
  return new Promise((answer) => {
    placing = (at) => {
      placing = null;
      hint("");
      answer(at ? at.map((value) => Math.round(value * 100) / 100) : null);
    };
  });
}

function hint(words) {
  by("hint").textContent = words;
  by("hint").hidden = !words;
}

// --- acts

async function act(kind, request, typed = {}, throws = false) {
  const body = { kind, asked: request, ...(Object.keys(typed).length > 0 ? { typed } : {}), ...(throws ? { throws } : {}) };
  const answer = await attempt(() => post("/api/act", body));
  if (!answer) return null;
  if (answer.event) {
    ruling.used();
    if (request.sighter) tried.add(`${request.sighter} ${request.target}`);
  }
  told(answer, "Nothing is recorded: it takes dice, typed or rolled.");
  await table.load().catch(() => {});
  return answer;
}

async function control(body) {
  const answer = await attempt(() => post("/api/control", body));
  if (!answer) return null;
  told(answer, "Done.", body.what === "undo" ? [["Redo", () => control({ what: "redo" })]] : []);
  await table.load().catch(() => {});
  return answer;
}

function told(answer, otherwise, actions = null) {
  const { event } = answer;
  const line = event?.line ?? answer.words?.[0] ?? otherwise;
  const undo = event ? [["Undo", () => control({ what: "undo", event: event.number })]] : [];
  notice(line, { behind: event?.behind ?? [], actions: actions ?? undo });
  say(line);
}

async function next() {
  const left = (table.view?.todo ?? []).length;
  const words = left > 0 ? `${left} ${left === 1 ? "thing is" : "things are"} still to do in this phase. Go on?` : "Go on to the next phase?";
  if (await question(words, { yes: "Next phase" })) act("turn", {});
}

// --- drawing

function rings() {
  map.mark([...(first ? [[first, "chosen"]] : []), ...(second ? [[second, "target"]] : [])]);
  map.press([first, second].filter(Boolean));
}

function draw() {
  const { view } = table;
  if (!view) return;
  rings();
  const open_effects = openEffects(view, act);
  if (!move) {
    const unit = table.unit(first);
    if (pair && second) ruling.pair(pair, view, open_effects);
    else if (unit) ruling.one(unit, factsOf(unit), open_effects, [button("Move it", startMove, { class: "main", "aria-keyshortcuts": "m" })]);
    else ruling.rest(view, open_effects);
  }
  steady(by("todo"), () => todoPanel(by("todo"), view, { pair: pairUp, one: show, open: openEffects(view, act), act }));
  steady(by("log"), () => logPanel(by("log"), view.log ?? [], control));
  steady(by("units"), () => unitsPanel(by("units"), view, [first, second], (unit) => show(unit.id)));
}

/** Choose a unit from a list, and bring it into sight. */
function show(id) {
  const unit = table.unit(id);
  if (!unit) return;
  choose(id);
  map.look(unit.at);
}

/** Working out what is to do takes a while: until then the last list stays, without what was tried since. */
function freshen(view) {
  if (view.todo_is_fresh !== false) tried.clear();
  const left = (todo) => ({ ...todo, about: todo.about.filter((name) => !tried.has(`${todo.unit} ${name}`)) });
  view.todo = view.todo?.map((todo) => (todo.kind === "sighting" ? left(todo) : todo)).filter((todo) => todo.kind !== "sighting" || todo.about.length > 0);
}

function changed(view) {
  if (first && !table.unit(first)) [first, second, pair] = [null, null, null];
  if (second && !table.unit(second)) [second, pair] = [null, null];
  more.update(view);
  freshen(view);
  draw();
  if (second) ruleOn(first, second);
  else if (!move) map.lay("line", "");
}

// --- the page

const map = new TableMap(by("map"), {
  name: nameOf,
  tap: tapped,
  long: (units) => {
    const other = units.find((unit) => unit.id !== first);
    if (first && other && !move) picked(other, true);
    else if (units[0] && !move) choose(units[0].id);
  },
  drag: (units, at) => {
    if (move) return move.grab(at);
    if (placing || !first || !units.some((unit) => unit.id === first)) return null;
    startMove();
    return move.drag();
  },
  pick: (unit, together) => picked(unit, together),
  keys: (event) => move?.keys(event) ?? false,
  shown: () => move?.draw(),
});
const table = new Table(map, changed);
const open = tabs();
const ruling = new Ruling(by("ruling"), {
  act,
  ask: (what) => {
    asked = what;
    ruleOn(first, second);
  },
  pair: (a, b) => pairUp(a, b),
  swap: () => pairUp(second, first),
  clear: () => choose(null),
});
const more = new More(by("more"), { act, control, pickPlace, table, map, chosen: () => first });

by("next").addEventListener("click", next);
by("undo").addEventListener("click", () => control({ what: "undo" }));
mapButtons(map);
shortcuts({
  ...zoomKeys(map),
  u: () => control({ what: "undo" }),
  n: next,
  m: () => {
    startMove();
    map.focusUnit(first);
  },
  "/": () => {
    open("more");
    more.openLine();
  },
  Escape: () => {
    if (placing) placing(null);
    else if (move) move.close();
    else if (second) choose(first);
    else choose(null);
  },
});
// in a field Escape leaves the field, and the next one what the page is about
document.addEventListener("keydown", (event) => event.key === "Escape" && typing(event.target) && event.target.blur?.());

ruling.rest(null, []);
attempt(() => table.load()).then(() => table.follow());
