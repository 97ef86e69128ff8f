// The table on the screen: ground and pieces, pan, pinch and zoom, which unit a finger means, the way by keys.

import { picture, s } from "./dom.js";

const UNITS = 100; // user units of the pictures to an inch of the table
const REACH_PX = 22; // a finger means what is this near: 44 px across
const STILL_PX = 9; // less than this is no drag
const LONG_MS = 550;
const NEAREST = 3; // inches of the table that fill the shorter side at most zoom
const LETTER = 105; // the size of the letters of labels, in user units
const READABLE_PX = 4.5; // smaller ones are left out

/** How far apart two spots are. */
const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * A table in an element.
 *
 * What happens is told to `on`: tap(unit, at), long(unit, at), drag(unit, at) → a follower {move, still, end, cancel}
 * or null where the map is to be panned; pick(unit) by keyboard. Places are inches, north up.
 */
export class TableMap {
  constructor(box, on) {
    this.box = box;
    this.on = on;
    this.units = [];
    this.width = 84;
    this.depth = 48;
    this.scale = 0; // pixels to an inch
    this.left = 0; // inches east of the west edge at the left of the screen
    this.top = 0; // inches south of the north edge at its top
    this.focus = null;
    this.layers = {};
    this.ground = s("svg", { class: "sheet ground-sheet", "aria-hidden": "true" });
    this.sheet = s("svg", { class: "sheet", role: "group", "aria-label": "Table" });
    for (const name of ["plan", "pieces", "line", "marks", "move"]) {
      this.layers[name] = s("g", { class: `layer-${name}`, "aria-hidden": "true" });
    }
    this.hits = s("g", { class: "hits", role: "group", "aria-label": "Units: arrow keys go to the nearest, page keys through all" });
    this.sheet.append(...Object.values(this.layers), this.hits);
    box.append(this.ground, this.sheet);
    this.listen();
    new ResizeObserver(() => this.resized()).observe(box);
  }

  // --- what is shown

  setGround({ svg, width_in, depth_in }) {
    const first = this.scale === 0 || width_in !== this.width || depth_in !== this.depth;
    [this.width, this.depth] = [width_in, depth_in];
    const night = s("rect", { class: "night", width: width_in * UNITS, height: depth_in * UNITS });
    this.ground.replaceChildren(...picture(svg).childNodes, night);
    if (first) this.fit();
  }

  setPieces(svg, units) {
    if (svg !== this.pieces) this.layers.pieces.replaceChildren(...picture(svg).childNodes);
    this.pieces = svg;
    this.units = units;
    this.byId = new Map(units.map((unit) => [unit.id, unit]));
    if (!this.byId.has(this.focus)) this.focus = units[0]?.id ?? null;
    this.drawHits();
  }

  /** Lay a picture, or nodes, into a layer. */
  lay(layer, what) {
    const nodes = typeof what === "string" ? [...picture(what).childNodes] : what ?? [];
    this.layers[layer].replaceChildren(...nodes);
  }

  /** Rings around units: [[id, class], …]. */
  mark(rings) {
    this.rings = rings;
    this.drawMarks();
  }

  // --- places

  /** From the screen to inches. */
  place(clientX, clientY) {
    const box = this.box.getBoundingClientRect();
    const x = (clientX - box.left) / this.scale + this.left;
    const y = (clientY - box.top) / this.scale + this.top;
    return [Math.min(Math.max(x, 0), this.width), Math.min(Math.max(this.depth - y, 0), this.depth)];
  }

  /** From inches to the screen. */
  screen([x, y]) {
    const box = this.box.getBoundingClientRect();
    return [(x - this.left) * this.scale + box.left, (this.depth - y - this.top) * this.scale + box.top];
  }

  /** From inches to user units of the pictures. */
  user([x, y]) {
    return [x * UNITS, (this.depth - y) * UNITS];
  }

  /** So many pixels in user units. */
  px(count) {
    return (count * UNITS) / this.scale;
  }

  /** The units a finger on a place may mean, likeliest first: those whose base it is on, then the nearest. */
  under([x, y], reach_px = REACH_PX) {
    const found = [];
    for (const unit of this.units) {
      const [dx, dy] = [x - unit.at[0], y - unit.at[1]];
      const far = Math.hypot(dx, dy);
      const way = ((unit.facing ?? 0) * Math.PI) / 180;
      const ahead = Math.abs(dx * Math.sin(way) + dy * Math.cos(way));
      const aside = Math.abs(dx * Math.cos(way) - dy * Math.sin(way));
      const on = ahead <= (unit.length_in ?? 1) / 2 && aside <= (unit.width_in ?? 1) / 2;
      if (on || far * this.scale <= reach_px) found.push({ unit, cost: (on ? 0 : 1000) + far, ride: !!unit.goes_with });
    }
    found.sort((a, b) => a.cost - b.cost || a.ride - b.ride);
    return found.map((one) => one.unit);
  }

  // --- the part of the table that is shown

  fit() {
    const { clientWidth: wide, clientHeight: tall } = this.box;
    if (!wide || !tall) return;
    this.scale = Math.min(wide / this.width, tall / this.depth) * 0.98;
    this.left = this.width / 2 - wide / this.scale / 2;
    this.top = this.depth / 2 - tall / this.scale / 2;
    this.fitted = true;
    this.show();
  }

  /** Zoom by a factor; what is at a spot of the screen, else in its middle, stays there. */
  zoom(factor, clientX, clientY) {
    const box = this.box.getBoundingClientRect();
    const [x, y] = clientX === undefined ? [box.width / 2, box.height / 2] : [clientX - box.left, clientY - box.top];
    const least = Math.min(box.width / this.width, box.height / this.depth) * 0.7;
    const most = Math.min(box.width, box.height) / NEAREST;
    const scale = Math.min(Math.max(this.scale * factor, least), most);
    this.left += x / this.scale - x / scale;
    this.top += y / this.scale - y / scale;
    this.scale = scale;
    this.fitted = false;
    this.show();
  }

  pan(dx, dy) {
    this.left -= dx / this.scale;
    this.top -= dy / this.scale;
    this.fitted = false;
    this.show();
  }

  /** Bring a place into the middle, unless it is well in sight already. */
  look([x, y], always = false) {
    const { clientWidth: wide, clientHeight: tall } = this.box;
    const [sx, sy] = [(x - this.left) * this.scale, (this.depth - y - this.top) * this.scale];
    const edge = 30;
    if (!always && sx > edge && sy > edge && sx < wide - edge && sy < tall - edge) return;
    this.left = x - wide / this.scale / 2;
    this.top = this.depth - y - tall / this.scale / 2;
    this.fitted = false;
    this.show();
  }

  resized() {
    if (this.fitted || !this.scale) this.fit();
    else this.show();
  }

  show() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      const { clientWidth: wide, clientHeight: tall } = this.box;
      // never so far off that nothing of the table is left on the screen
      const keep = 60 / this.scale;
      this.left = Math.min(Math.max(this.left, keep - wide / this.scale), this.width - keep);
      this.top = Math.min(Math.max(this.top, keep - tall / this.scale), this.depth - keep);
      const view = [this.left, this.top, wide / this.scale, tall / this.scale].map((v) => (v * UNITS).toFixed(1));
      this.ground.setAttribute("viewBox", view.join(" "));
      this.sheet.setAttribute("viewBox", view.join(" "));
      this.box.classList.toggle("far", (LETTER * this.scale) / UNITS < READABLE_PX);
      this.drawMarks();
      this.sizeHits();
      this.on.shown?.();
    });
  }

  // --- rings and the places of keys and screen readers

  drawMarks() {
    if (!this.scale || !this.byId) return;
    const nodes = [];
    for (const [id, kind] of this.rings ?? []) {
      const unit = this.byId.get(id);
      if (!unit) continue;
      const [cx, cy] = this.user(unit.at);
      const base = (Math.hypot(unit.length_in ?? 1, unit.width_in ?? 1) * UNITS) / 2;
      const r = Math.max(base + this.px(4), this.px(13));
      nodes.push(s("circle", { class: `ring ring-back`, cx, cy, r, "stroke-width": this.px(6) }));
      nodes.push(s("circle", { class: `ring ${kind}`, cx, cy, r, "stroke-width": this.px(3) }));
    }
    this.layers.marks.replaceChildren(...nodes);
  }

  /** A place for each unit; that of a unit that was there stays, and with it the focus of whoever is on it. */
  drawHits() {
    const had = this.hits.contains(document.activeElement);
    const before = new Map([...this.hits.childNodes].map((node) => [node.dataset.unit, node]));
    for (const unit of this.units) {
      const [cx, cy] = this.user(unit.at);
      const node = before.get(unit.id) ?? s("circle", { class: "hit", role: "button", "data-unit": unit.id });
      const now = {
        cx, cy, "aria-label": this.on.name(unit), tabindex: unit.id === this.focus ? 0 : -1,
        "aria-pressed": String(this.pressed?.includes(unit.id) ?? false),
      }; // prettier-ignore
      for (const [name, value] of Object.entries(now)) node.setAttribute(name, value);
      if (!before.delete(unit.id)) this.hits.append(node);
    }
    for (const node of before.values()) node.remove();
    this.sizeHits();
    if (had && !this.hits.contains(document.activeElement)) this.hitOf(this.focus)?.focus({ preventScroll: true });
  }

  sizeHits() {
    if (!this.scale) return;
    const r = this.px(14);
    for (const node of this.hits.childNodes) node.setAttribute("r", r);
  }

  /** Say which units are chosen, to whoever cannot see the rings. */
  press(ids) {
    this.pressed = ids;
    for (const node of this.hits.childNodes) node.setAttribute("aria-pressed", String(ids.includes(node.dataset.unit)));
  }

  hitOf(id) {
    return [...this.hits.childNodes].find((node) => node.dataset.unit === id);
  }

  focusUnit(id) {
    this.hitOf(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = id;
    const node = this.hitOf(id);
    node?.setAttribute("tabindex", "0");
    if (this.byId.get(id)) this.look(this.byId.get(id).at);
    node?.focus({ preventScroll: true });
  }

  /** The nearest unit in a direction: what is twice as far aside counts as far off. */
  step(dx, dy) {
    const from = this.byId?.get(this.focus);
    if (!from) return;
    let best = null;
    for (const unit of this.units) {
      const [x, y] = [unit.at[0] - from.at[0], unit.at[1] - from.at[1]];
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (unit.id === from.id || ahead <= 0 || aside > ahead * 2.5) continue;
      const cost = ahead + aside * 2;
      if (!best || cost < best.cost) best = { cost, unit };
    }
    if (best) this.focusUnit(best.unit.id);
  }

  /** The next unit or the one before, in the order of the list: all of them in the end. */
  turn(by) {
    const index = this.units.findIndex((unit) => unit.id === this.focus);
    this.focusUnit(this.units.at((index + by) % this.units.length).id);
  }

  keys(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const node = event.target.closest?.(".hit");
    if (!node || this.on.keys?.(event)) return;
    const turns = { PageDown: 1, PageUp: -1 };
    if (ways[event.key]) this.step(...ways[event.key]);
    else if (turns[event.key]) this.turn(turns[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.on.pick(this.byId.get(node.dataset.unit), event.shiftKey);
    else return;
    event.preventDefault();
  }

  // --- fingers, pen and mouse

  listen() {
    const { box } = this;
    this.fingers = new Map();
    box.addEventListener("pointerdown", (event) => this.down(event));
    box.addEventListener("pointermove", (event) => this.moved(event));
    box.addEventListener("pointerup", (event) => this.up(event));
    box.addEventListener("pointercancel", (event) => this.up(event, true));
    box.addEventListener("contextmenu", (event) => event.preventDefault());
    box.addEventListener("keydown", (event) => this.keys(event));
    // a screen reader presses the button of a unit without a finger on the glass
    this.hits.addEventListener("click", (event) => {
      if (event.detail === 0) this.on.pick(this.byId.get(event.target.dataset.unit), false);
    });
    const wheel = (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), event.clientX, event.clientY);
    };
    box.addEventListener("wheel", wheel, { passive: false });
  }

  down(event) {
    if (event.button > 0 || event.target.closest("button")) return;
    event.preventDefault();
    if (document.activeElement?.matches("input, textarea, select")) document.activeElement.blur();
    this.box.setPointerCapture?.(event.pointerId);
    const spot = { x: event.clientX, y: event.clientY };
    this.fingers.set(event.pointerId, spot);
    if (this.fingers.size > 1) {
      this.stop();
      return;
    }
    this.start = { ...spot, at: this.place(spot.x, spot.y), moved: false };
    this.follower = null;
    this.timer = setTimeout(() => this.held(), LONG_MS);
  }

  /** A second finger: it is a pinch, and no tap or drag any more. */
  stop() {
    clearTimeout(this.timer);
    this.follower?.cancel?.();
    this.follower = null;
    this.start = null;
  }

  held() {
    if (this.follower) this.follower.still?.();
    else if (this.start && !this.start.moved) {
      const { at } = this.start;
      this.start = null;
      this.on.long?.(this.under(at), at);
    }
  }

  moved(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    this.fingers.set(event.pointerId, now);
    if (this.fingers.size > 1) {
      this.pinch(event.pointerId, before, now);
      return;
    }
    if (!this.start) return;
    if (!this.start.moved) {
      if (apart(this.start, now) < STILL_PX) return;
      this.start.moved = true;
      this.follower = this.on.drag?.(this.under(this.start.at), this.start.at) ?? null;
      this.still = now;
    }
    if (!this.follower) {
      clearTimeout(this.timer);
      this.pan(now.x - before.x, now.y - before.y);
      return;
    }
    this.follower.move(this.place(now.x, now.y));
    if (apart(this.still, now) >= STILL_PX) {
      this.still = now;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.held(), LONG_MS);
    }
  }

  pinch(id, before, now) {
    const other = [...this.fingers].find(([name]) => name !== id)[1];
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    this.zoom(apart(now, other) / Math.max(apart(before, other), 1), middle.x, middle.y);
  }

  up(event, cancelled = false) {
    if (!this.fingers.delete(event.pointerId)) return;
    clearTimeout(this.timer);
    const { start, follower } = this;
    this.start = this.follower = null;
    if (cancelled) follower?.cancel?.();
    else if (follower) follower.end(this.place(event.clientX, event.clientY));
    else if (start && !start.moved && this.fingers.size === 0) this.on.tap(this.under(start.at), start.at);
  }
}
