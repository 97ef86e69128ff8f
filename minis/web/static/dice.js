// Dice that lie on the table: tapped for six faces, typed for a hundred.

import { h } from "./dom.js";

let count = 0;

/** A die with six faces as a row of buttons. */
function sixes(name) {
  const group = `die-${++count}`;
  const id = `${group}-name`;
  const faces = [1, 2, 3, 4, 5, 6].map((face) =>
    h("label", { class: "face" }, h("input", { type: "radio", name: group, value: String(face) }), h("span", null, face)),
  );
  const node = h("div", { class: "die", role: "radiogroup", "aria-labelledby": id }, h("span", { id }, name), h("div", null, faces));
  return {
    node,
    read: () => [...node.querySelectorAll("input:checked")].map((input) => Number(input.value)),
  };
}

/** Dice with a hundred faces, typed; several with a space between them; 00 is a hundred. */
function hundreds(name, many) {
  const input = h("input", {
    type: "text", inputmode: "numeric", autocomplete: "off", pattern: "[0-9 ,]*", maxlength: many * 4,
    placeholder: many > 1 ? `${many} dice` : "00–99",
  }); // prettier-ignore
  const faces = () => input.value.split(/[\s,]+/).filter(Boolean).map((word) => (/^0+$/.test(word) ? 100 : Number(word)));
  return { node: h("label", { class: "field narrow" }, h("span", null, name), input), read: faces, input };
}

/**
 * A set of dice: [[purpose, name, faces, many], …]; `read()` gives the dice that lie there by purpose.
 */
export function diceBox(wanted) {
  const dice = wanted.map(([purpose, name, faces, many = 1]) => {
    if (faces === 6 && many === 1) return { purpose, ...sixes(name) };
    return { purpose, ...hundreds(name, many) };
  });
  return {
    node: h("div", { class: "dice" }, dice.map((die) => die.node)),
    read: () => {
      const typed = {};
      for (const die of dice) {
        const faces = die.read();
        if (faces.length > 0) typed[die.purpose] = [...(typed[die.purpose] ?? []), ...faces];
      }
      return typed;
    },
    onenter: (act) => {
      for (const die of dice) die.input?.addEventListener("keydown", (event) => event.key === "Enter" && act());
    },
  };
}
