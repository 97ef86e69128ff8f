// Elements of the page. Words only ever become text; the one thing that is parsed is the server's own SVG.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, kids) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...kids.flat(Infinity).filter((kid) => kid !== null && kid !== undefined && kid !== false));
  return node;
}

/** An element of HTML: its tag, attributes and listeners, what it holds. */
export function h(tag, props, ...kids) {
  return fill(document.createElement(tag), props, kids);
}

/** An element of SVG. */
export function s(tag, props, ...kids) {
  return fill(document.createElementNS(SVG, tag), props, kids);
}

/** The element with an id. */
export const by = (id) => document.getElementById(id);

/** A button with words. */
export function button(words, act, props = {}) {
  return h("button", { type: "button", ...props, onclick: act }, words);
}

/** A control with its name above it. */
export function field(name, control, props = {}) {
  return h("label", { class: "field", ...props }, h("span", null, name), control);
}

/** A list of choices: words, or pairs of value and words. */
export function choice(options, props = {}) {
  const pairs = options.map((one) => (Array.isArray(one) ? one : [one, one]));
  return h("select", props, pairs.map(([value, words]) => h("option", { value }, words)));
}

/** Part of a panel that opens and closes. */
export function fold(title, ...kids) {
  return h("details", { class: "fold" }, h("summary", null, title), h("div", { class: "stack" }, kids));
}

/** The server's SVG as nodes of this page; what could act is left out, whoever wrote it. */
export function picture(text) {
  if (!text) return s("g");
  const whole = text.trimStart().startsWith("<svg") ? text : `<svg xmlns="${SVG}">${text}</svg>`;
  const root = new DOMParser().parseFromString(whole, "image/svg+xml").documentElement;
  if (root.nodeName !== "svg") throw new Error("the picture cannot be read");
  root.querySelectorAll("script, style, foreignObject, a, animate, set").forEach((node) => node.remove());
  for (const node of [root, ...root.querySelectorAll("*")]) {
    for (const { name } of [...node.attributes]) {
      if (name === "style" || name.startsWith("on") || name.endsWith("href")) node.removeAttribute(name);
    }
  }
  return document.importNode(root, true);
}

/** A line of the command line without its columns: what stood in the next column follows after a dot. */
export const flat = (line) => line.trim().replace(/([.:])\s{2,}/g, "$1 ").replace(/\s{2,}/g, " · ");

/** Inches as on a tape: two decimals at most. */
export const inches = (value) => `${+value.toFixed(2)}`;

/** A bearing in three figures. */
export const bearing = (value) => String(Math.round(((value % 360) + 360) % 360) % 360).padStart(3, "0");

/** Whether single keys are for the page and not for a field. */
export function typing(target) {
  return Boolean(target.closest?.("input, textarea, select, dialog, [contenteditable]"));
}

/** What a control is called, for finding it again after its part of the page was drawn anew. */
const called = (node) => [
  node.tagName,
  node.closest("[data-kind]")?.dataset.kind,
  node.getAttribute("aria-label") ?? (node.closest("[role=radiogroup]") ?? node.closest("label"))?.firstChild.textContent ?? node.textContent,
  node.type === "radio" ? node.value : "",
].join("|"); // prettier-ignore

/** Draw a part of the page anew: what is typed in it, what has the focus and how far it is scrolled stay. */
export function steady(place, draw, { fresh = false } = {}) {
  const fields = fresh ? [] : [...place.querySelectorAll("input, select, textarea")];
  const kept = new Map(fields.map((node) => [called(node), node.type === "radio" || node.type === "checkbox" ? node.checked : node.value]));
  const focus = place.contains(document.activeElement) ? called(document.activeElement) : null;
  const { scrollTop } = place;
  draw();
  for (const node of place.querySelectorAll("input, select, textarea, button, summary")) {
    const name = called(node);
    if (name === focus && !place.contains(document.activeElement)) node.focus({ preventScroll: true });
    if (!kept.has(name) || node.dataset.fixed) continue;
    if (node.type === "radio" || node.type === "checkbox") node.checked = kept.get(name);
    else if (node.tagName !== "SELECT" || [...node.options].some((one) => one.value === kept.get(name))) node.value = kept.get(name);
  }
  place.scrollTop = scrollTop;
}
