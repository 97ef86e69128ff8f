// A move that is being laid: its path with way points, facing and turret by handles or figures, what it would show.

import { bearing, button, choice, field, h, inches, s } from "./dom.js";
import { latest, post } from "./net.js";

const HANDLE_PX = 46; // from the middle of the ghost to a handle
const TURRET_PX = 76;
const GRAB_PX = 26;
const PREVIEW_MS = 90;

const STEP = 1; // inches that an arrow key moves the ghost; a quarter with Shift
const FINE = 0.25;

/** The bearing from a place to another, in degrees clockwise from north. */
const way = (from, to) => (Math.atan2(to[0] - from[0], to[1] - from[1]) * 180) / Math.PI;

const far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** To the hundredth of an inch: finer than any tape. */
const place = ([x, y]) => [Math.round(x * 100) / 100, Math.round(y * 100) / 100];

/**
 * The move of one unit, from the first drag to Confirm or Cancel.
 *
 * `act(asked)` records it and is true where it was recorded; `done()` when it is over; `say(words)`.
 */
export class Move {
  constructor(map, panel, unit, { act, done, say }) {
    Object.assign(this, { map, panel, unit, act, done, say });
    this.points = []; // way points, and last where the move ends
    this.facing = null; // as the judge turned it; else it follows the path
    this.turret = null;
    this.how = "";
    this.snap = true;
    this.snapped = null; // {at, to, facing} where it was put against a line
    this.answer = null;
    this.preview = latest((asked, current) => this.asked(asked, current), PREVIEW_MS);
    this.form();
    this.draw();
    this.say(`Moving ${unit.id}. Arrow keys move it, W sets a way point, Enter confirms, Escape cancels.`);
  }

  // --- what it comes to

  get start() {
    return this.unit.at;
  }

  get end() {
    return this.points.at(-1) ?? this.start;
  }

  /** Where it faces at the end: as it was turned, else along the last leg, backwards where it backs. */
  get faces() {
    if (this.facing !== null) return this.facing;
    if (Number.isFinite(this.snapped?.facing)) return this.snapped.facing;
    const from = this.points.at(-2) ?? this.start;
    if (far(from, this.end) < 0.01) return this.unit.facing;
    return way(from, this.end) + (this.how === "reverse" ? 180 : 0);
  }

  get aims() {
    if (this.turret !== null) return this.turret;
    return this.faces + ((this.unit.turret ?? this.unit.facing) - this.unit.facing);
  }

  get hasTurret() {
    return this.unit.kind === "vehicle";
  }

  /** The request as the rules take it. */
  request() {
    const asked = { unit: this.unit.id };
    if (this.points.length > 0) asked.to = place(this.end);
    if (this.points.length > 1) asked.via = this.points.slice(0, -1).map(place);
    const turned = this.facing ?? this.snapped?.facing ?? null;
    if (turned !== null) asked.facing = Math.round(turned * 10) / 10;
    if (this.turret !== null) asked.turret = Math.round(this.turret * 10) / 10;
    if (["assault", "hazardous", "dash"].includes(this.how)) asked.how = this.how;
    if (this.how === "reverse" || this.how === "motion") asked[this.how] = true;
    return asked;
  }

  changed() {
    this.draw();
    this.figures();
    const { unit, to, via, ...rest } = this.request();
    this.preview({ unit, path: [...(via ?? []), ...(to ? [to] : [])], ...rest });
  }

  async asked(body, current) {
    let answer;
    try {
      answer = await post("/api/preview", body);
    } catch (error) {
      answer = { allowed: false, refusal: error.message };
    }
    if (this.over || !current()) return;
    this.answer = answer;
    this.map.lay("line", answer.picture ?? "");
    this.told();
  }

  // --- fingers

  /** The end goes to a place. */
  to(at) {
    this.snapped = null;
    if (this.points.length === 0) this.points.push(at);
    else this.points[this.points.length - 1] = at;
    this.changed();
  }

  /** What a finger that begins at a place drags: a handle, a way point, the ghost; null for none of them. */
  grab(at) {
    const reach = GRAB_PX / this.map.scale;
    const handle = this.handles().find((one) => far(one.at, at) <= reach);
    if (handle) {
      const turn = (to) => {
        this[handle.name] = ((way(this.end, to) % 360) + 360) % 360;
        this.changed();
      };
      return { move: turn, end: turn };
    }
    const point = this.points.findIndex((spot) => far(spot, at) <= reach);
    if (point >= 0 && point < this.points.length - 1) {
      const shift = (to) => {
        this.points[point] = to;
        this.changed();
      };
      return { move: shift, end: shift };
    }
    return far(this.end, at) <= Math.max(reach, (this.unit.length_in ?? 1) / 2) ? this.drag() : null;
  }

  /** Drag the ghost: a finger that keeps still sets a way point there. */
  drag() {
    return {
      move: (to) => this.to(to),
      still: () => this.wayPoint(),
      end: (to) => {
        this.to(to);
        this.settle(to);
      },
    };
  }

  /** On a crest line, a wall or a hedge that is near, where the judge wants that. */
  async settle(at) {
    if (!this.snap) return;
    let found = null;
    try {
      found = await post("/api/snap", { at: place(at), unit: this.unit.id });
    } catch {
      return; // a move needs no snap
    }
    if (!found?.at || this.over || this.end !== at) return;
    this.points[this.points.length - 1] = found.at;
    this.snapped = found;
    this.changed();
  }

  wayPoint() {
    if (this.points.length === 0 || (this.points.length > 1 && far(this.points.at(-2), this.end) < 0.01)) return;
    this.points.push([...this.end]);
    this.snapped = null;
    this.say(`Way point at ${this.end.map(inches).join(", ")}`);
    navigator.vibrate?.(15);
    this.changed();
  }

  back() {
    this.points.pop();
    this.snapped = null;
    this.changed();
  }

  keys(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (ways) {
      const step = event.shiftKey ? FINE : STEP;
      const [x, y] = [this.end[0] + ways[0] * step, this.end[1] + ways[1] * step];
      this.to([Math.min(Math.max(x, 0), this.map.width), Math.min(Math.max(y, 0), this.map.depth)]);
      this.map.look(this.end);
    } else if (event.key === "Enter") this.confirm();
    else if (event.key === "w") this.wayPoint();
    else if (event.key === "Backspace") this.back();
    else if (event.key === "[" || event.key === "]") {
      this.facing = this.faces + (event.key === "]" ? 15 : -15);
      this.changed();
    } else return false;
    event.preventDefault();
    return true;
  }

  // --- the end of it

  async confirm() {
    if (this.busy || (this.points.length === 0 && this.facing === null && this.turret === null)) return;
    this.busy = true;
    const done = await this.act(this.request());
    this.busy = false;
    if (done) this.close();
  }

  close() {
    this.over = true;
    this.preview.cancel();
    this.map.lay("move", []);
    this.map.lay("line", "");
    this.done();
  }

  // --- the picture

  handles() {
    const spot = (name, degrees, px) => {
      const out = px / this.map.scale + (this.unit.length_in ?? 1) / 2;
      const angle = (degrees * Math.PI) / 180;
      return { name, at: [this.end[0] + out * Math.sin(angle), this.end[1] + out * Math.cos(angle)] };
    };
    const found = [spot("facing", this.faces, HANDLE_PX)];
    return this.hasTurret ? [...found, spot("turret", this.aims, TURRET_PX)] : found;
  }

  draw() {
    const { map } = this;
    const user = (at) => map.user(at).map((value) => value.toFixed(1)).join(" ");
    const thick = (px) => map.px(px);
    const path = [this.start, ...this.points].map(user).join("L");
    const [x, y] = map.user(this.end);
    const long = Math.max((this.unit.length_in ?? 1) * 100, thick(16));
    const wide = Math.max((this.unit.width_in ?? 1) * 100, thick(10));
    const ghost = s(
      "g",
      { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${this.faces.toFixed(2)})` },
      s("rect", { class: "ghost", x: -wide / 2, y: -long / 2, width: wide, height: long, "stroke-width": thick(2) }),
      s("path", { class: "ghost-front", d: `M${-wide / 2} ${-long / 2}L${wide / 2} ${-long / 2}`, "stroke-width": thick(4) }),
    );
    const nodes = [
      s("path", { class: "path-back", d: `M${path}`, "stroke-width": thick(7) }),
      s("path", { class: "path", d: `M${path}`, "stroke-width": thick(3), "stroke-dasharray": `${thick(9)} ${thick(5)}` }),
      ...this.points.slice(0, -1).map((at) => {
        const [cx, cy] = map.user(at);
        return s("circle", { class: "way-point", cx, cy, r: thick(7), "stroke-width": thick(2) });
      }),
      ghost,
    ];
    for (const handle of this.handles()) {
      const [hx, hy] = map.user(handle.at);
      nodes.push(
        s("path", { class: `stalk ${handle.name}`, d: `M${x} ${y}L${hx} ${hy}`, "stroke-width": thick(2) }),
        s("circle", { class: `handle ${handle.name}`, cx: hx, cy: hy, r: thick(13), "stroke-width": thick(2) }),
        s("text", { class: "handle-name", x: hx, y: hy + thick(4.5), "font-size": thick(13), "text-anchor": "middle" }, handle.name === "facing" ? "F" : "T"),
      );
    }
    map.lay("move", nodes);
  }

  // --- the panel

  form() {
    const infantry = this.unit.kind === "infantry";
    const ways = infantry ? [["", "as it is"], "assault", "hazardous", "dash"] : [["", "forwards"], ["reverse", "in reverse"], ["motion", "stays in motion"]];
    const number = (change, props = {}) => h("input", { type: "number", step: "any", inputmode: "decimal", autocomplete: "off", ...props, onchange: change });
    const value = (input) => (input.value === "" ? null : Number(input.value));
    const put = () => {
      const [x, y] = [value(this.x), value(this.y)];
      if (x !== null && y !== null) this.to([Math.min(Math.max(x, 0), this.map.width), Math.min(Math.max(y, 0), this.map.depth)]);
    };
    const turn = (name) => (event) => {
      this[name] = value(event.target);
      this.changed();
    };
    this.x = number(put);
    this.y = number(put);
    this.f = number(turn("facing"), { min: -360, max: 720 });
    this.t = number(turn("turret"), { min: -360, max: 720 });
    const how = choice(ways, { onchange: () => ((this.how = how.value), this.changed()) });
    const snap = h("input", { type: "checkbox", checked: true, onchange: () => (this.snap = snap.checked) });
    this.words = h("div", { class: "stack" });
    this.sum = h("p", { class: "verdict" });
    this.ok = button("Confirm the move", () => this.confirm(), { class: "main", "aria-keyshortcuts": "Enter" });
    this.panel.replaceChildren(
      h("div", { class: "pair" }, h("h2", null, `Move ${this.unit.id}`)),
      h(
        "div",
        { class: "row" },
        this.ok,
        button("Way point", () => this.wayPoint(), { "aria-keyshortcuts": "w" }),
        button("Step back", () => this.back(), { "aria-keyshortcuts": "Backspace" }),
        button("Cancel", () => this.close(), { "aria-keyshortcuts": "Escape" }),
      ),
      this.sum,
      this.words,
      h(
        "div",
        { class: "figures" },
        field("x, inches", this.x), field("y, inches", this.y), field("Facing", this.f), this.hasTurret && field("Turret", this.t),
        field("How", how),
      ),
      h("label", { class: "check" }, snap, "Snap to crest lines, walls and hedges"),
    ); // prettier-ignore
    this.figures();
    this.told();
  }

  figures() {
    this.x.value = inches(this.end[0]);
    this.y.value = inches(this.end[1]);
    this.f.value = String(Number(bearing(this.faces)));
    this.t.value = String(Number(bearing(this.aims)));
  }

  told() {
    const { answer } = this;
    this.ok.disabled = this.points.length === 0 && this.facing === null && this.turret === null;
    if (!answer) {
      this.sum.textContent = "Drag it, or tap where it goes. Hold still for a way point.";
      this.words.replaceChildren();
      return;
    }
    const [length = "", ...further] = answer.words ?? [];
    this.sum.textContent = answer.allowed === false ? answer.refusal : length + (this.snapped?.to ? `; at ${this.snapped.to}` : "");
    this.sum.className = answer.allowed === false ? "verdict refused" : "verdict";
    const seen = answer.seen_by ?? [];
    const names = seen.map((one) => one.enemy);
    // who may fire where it stops is said once, with the shots that he has
    const chances = new Map((answer.opportunities ?? []).map((one) => [one.firer, one.words]));
    const looks = seen.map((one) => chances.get(one.enemy) ?? one.words);
    const lines = answer.allowed === false ? [] : [...new Set([...looks, ...further, ...(answer.notes ?? [])])];
    this.words.replaceChildren(
      h("p", { class: "seen" }, names.length > 0 ? `Seen on the way by ${names.join(", ")}` : answer.allowed === false ? "" : "Nobody sees it on the way"),
      h("ul", { class: "behind" }, lines.map((line) => h("li", null, line))),
    );
  }
}
