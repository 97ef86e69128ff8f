// The ruling on a pair of units: the line, the sighting, the shot, each with its sum, its chance and its dice.

import { button, choice, field, flat, fold, h, steady } from "./dom.js";
import { diceBox } from "./dice.js";

/** A chance in percent, however the server writes it: a number, "1/6", or with its percent beside it. */
export function percent(chance) {
  if (chance === null || chance === undefined) return null;
  if (typeof chance === "object") return chance.percent ?? percent(chance.fraction);
  if (typeof chance === "number") return chance;
  const [above, below = "1"] = String(chance).split("/");
  return (100 * Number(above)) / Number(below);
}

/** Percent for the eye: two decimals at most. */
export const shown = (chance) => {
  const value = percent(chance);
  return value === null ? "" : `${+value.toFixed(2)} %`;
};

/** A sum with each of its items, its rule and where it comes from. */
export function tally(items, leftOut = []) {
  const sign = (item, index) => {
    const value = +Number(item.value).toFixed(2);
    if (item.on === "dr" || index > 0) return value < 0 ? `−${-value}` : `+${value}`;
    return value < 0 ? `−${-value}` : String(value);
  };
  const row = (item, index) =>
    h(
      "tr",
      null,
      h("td", { class: "number" }, sign(item, index)),
      h("th", { scope: "row" }, item.case ? h("b", null, `${item.case} `) : null, item.label),
      h("td", { class: "rule" }, item.rule, item.source && item.source !== "seed" ? h("small", null, item.source) : null),
    );
  return [
    items?.length > 0 && h("table", { class: "tally" }, h("caption", { class: "unseen" }, "Sum"), h("tbody", null, items.map(row))),
    leftOut?.length > 0 &&
      h("p", { class: "quiet" }, `Left out: ${leftOut.map((one) => `${one.label}${one.why ? ` (${one.why})` : ""}`).join("; ")}`),
  ];
}

/** What an attempt needs, in a line. */
function needOf(sight, verb) {
  if (sight.outcome === "roll") {
    const side = sight.test === "at_most" ? "less" : "more";
    return sight.need === null ? `${verb}: smoke dice first` : `${verb} on ${sight.need} or ${side}`;
  }
  return { automatic: `${verb} without a roll`, impossible: `${verb}: impossible` }[sight.outcome] ?? `${verb}: ${sight.outcome}`;
}

const SMOKE = (count) => (count > 0 ? [["smoke", count > 1 ? `Smoke dice (${count})` : "Smoke die", 100, count]] : []);

/** Whether the phase that is on is one for looking. */
const looking = (view) => /sight/i.test(view?.phase_id ?? view?.phase ?? "");

/**
 * The panel of a pair. `acts`: act(kind, asked, typed, throws), ask(more) to put the pair to the server again,
 * pair(a, b), swap(), clear().
 */
export class Ruling {
  constructor(place, acts) {
    this.place = place;
    this.acts = acts;
    this.open = {};
  }

  /** Nothing chosen: what a tap does. */
  rest(view, effects) {
    this.place.replaceChildren(
      ...effects,
      h(
        "div",
        { class: "quiet stack" },
        h("p", null, "Tap a unit, then another: the line of sight, the sighting and the shot between them."),
        h("p", null, "Drag a chosen unit to move it. Hold a finger on a second unit of the same side to pair the two."),
        h("p", null, `${view?.units.length ?? 0} units on this table. Pinch to zoom.`),
      ),
    );
  }

  /** One unit chosen. */
  one(unit, facts, effects, tools) {
    this.place.replaceChildren(
      ...effects,
      h(
        "div",
        { class: "pair" },
        h("h2", null, unit.id),
        h("div", { class: "row" }, button("Clear", this.acts.clear, { class: "small plain", "aria-keyshortcuts": "Escape" })),
      ),
      h("p", null, [unit.side, unit.label ?? unit.kind, ...facts].filter(Boolean).join(", ")),
      h("div", { class: "row" }, tools),
      h("p", { class: "quiet" }, "Tap the other unit."),
    );
  }

  /** A pair, as /api/pair answers it. */
  pair(answer, view, effects) {
    const { a, b, los } = answer;
    const head = h(
      "div",
      { class: "pair" },
      h("h2", null, `${a} → ${b}`),
      h(
        "div",
        { class: "row" },
        this.nextOne(view, a, b),
        button("Swap", this.acts.swap, { class: "small" }),
        button("Clear", this.acts.clear, { class: "small plain", "aria-keyshortcuts": "Escape" }),
      ),
    );
    const [first, ...rest] = (los.words?.length ? los.words : [los.why]).map(flat);
    const line = h(
      "details",
      { class: "fold line-words" },
      h("summary", { class: los.clear ? "verdict clear" : "verdict blocked" }, h("span", { class: "sign", "aria-hidden": "true" }, los.clear ? "●" : "✕"), h("span", null, first)),
      rest.map((words) => h("p", { class: "words" }, words)),
    );
    const eye = looking(view);
    const parts = [
      answer.sight && this.looked(answer, answer.sight, "sight", "Sight", eye),
      answer.identify && this.looked(answer, answer.identify, "identify", "Identify", eye && !answer.sight?.can_record),
      answer.sight && this.shots(answer, !eye),
      !answer.sight && h("p", { class: "quiet" }, "Both are of one side: there is nothing to sight or to shoot at."),
    ];
    const other = this.last !== `${a} ${b}`;
    this.last = `${a} ${b}`;
    steady(this.place, () => this.place.replaceChildren(...effects, head, line, ...parts.filter(Boolean)), { fresh: other || this.fresh });
    this.fresh = false;
    if (other) this.place.scrollTop = 0;
  }

  /** The dice that lie there have been used. */
  used() {
    this.fresh = true;
  }

  /** The next pair of which an attempt is still to do. */
  nextOne(view, a, b) {
    const left = (view.todo ?? []).filter((todo) => todo.kind === "sighting").flatMap((todo) => todo.about.map((name) => [todo.unit, name]));
    const [one, other] = left.find(([x, y]) => x !== a || y !== b) ?? [];
    return one && button(`Next: ${one} → ${other}`, () => this.acts.pair(one, other), { class: "small" });
  }

  section(name, title, value, open, ...kids) {
    const node = h(
      "details",
      { class: "section", "data-kind": name, open: this.open[name] ?? open },
      h("summary", null, h("span", null, title), h("b", null, value)),
      h("div", { class: "halves" }, kids),
    );
    node.addEventListener("toggle", () => (this.open[name] = node.open));
    return node;
  }

  // --- sighting and identification

  looked(answer, sight, kind, verb, open) {
    const { a, b } = answer;
    const need = needOf(sight, verb);
    const chance = sight.outcome === "roll" ? shown(sight.chance) : "";
    const already = sight.already_sighted && h("p", { class: "quiet" }, `${a} has sighted ${b} already.`);
    return this.section(
      kind,
      need,
      chance,
      open,
      h(
        "div",
        { class: "stack" },
        already,
        sight.why_not && h("p", { class: "quiet" }, sight.why_not),
        sight.can_record !== false && this.dice(kind, { sighter: a, target: b }, this.sightDice(sight), verb),
      ),
      h("div", { class: "stack" }, tally(sight.tally, sight.left_out)),
    );
  }

  sightDice(sight) {
    if (sight.outcome !== "roll" || percent(sight.chance) === 100) return [];
    return [...SMOKE(sight.smoke_dice_needed ?? 0), ["sighting", "Sighting die", 100]];
  }

  /** The dice of an act, and the two ways to have them: typed from the table, or thrown by the machine. */
  dice(kind, asked, wanted, verb, more = []) {
    const box = diceBox(wanted);
    const extra = diceBox(more);
    const typed = () => ({ ...box.read(), ...extra.read() });
    const record = () => this.acts.act(kind, typeof asked === "function" ? asked() : asked, typed(), false);
    const roll = () => this.acts.act(kind, typeof asked === "function" ? asked() : asked, typed(), true);
    box.onenter(record);
    if (wanted.length === 0) return h("div", { class: "row" }, button(`Record: ${verb.toLowerCase()}`, record, { class: "main" }));
    return h(
      "div",
      { class: "stack" },
      box.node,
      more.length > 0 && h("details", { class: "fold" }, h("summary", null, "Further and effect dice"), extra.node),
      h(
        "div",
        { class: "row" },
        button("Roll", roll, { class: "main", "aria-label": `Roll: ${verb.toLowerCase()}` }),
        button("Record these dice", record, { "aria-label": `Record these dice: ${verb.toLowerCase()}` }),
      ),
    );
  }

  // --- shots

  shots(answer, open) {
    const { a, b } = answer;
    const shots = answer.shots ?? [];
    if (shots.length === 0) return this.section("fire", "Fire", "no weapon", false, h("p", { class: "quiet" }, `${a} has no weapon in this scenario.`));
    const kept = this.weapon?.unit === a ? this.weapon : {};
    const chosen = shots.find((one) => one.weapon === kept.weapon && (!kept.ammo || one.ammo === kept.ammo)) ?? shots.find((one) => one.allowed) ?? shots[0];
    const given = () => {
      const words = facts.value.trim().split(/\s+/).filter(Boolean);
      return words.length > 0 ? { facts: Object.fromEntries(words.map((word) => word.split("="))) } : {};
    };
    const again = (weapon, ammo) => {
      this.weapon = { unit: a, weapon, ammo };
      this.open.fire = true;
      this.acts.ask({ weapon, ...(ammo ? { ammo } : {}), ...given() });
    };
    const weapons = [...new Map(shots.map((one) => [one.weapon, one.name ?? one.weapon]))];
    const pick = choice(weapons, { "data-fixed": "yes", onchange: () => again(pick.value) });
    pick.value = chosen.weapon;
    const ammos = choice(chosen.ammos?.length ? chosen.ammos : [chosen.ammo].filter(Boolean), { "data-fixed": "yes", onchange: () => again(chosen.weapon, ammos.value) });
    ammos.value = chosen.ammo ?? "";
    const also = h("input", { type: "text", autocomplete: "off", placeholder: "P2 P3" });
    const facts = h("input", { type: "text", autocomplete: "off", placeholder: "intensive=true", onchange: () => again(chosen.weapon, chosen.ammo) });
    const asked = () => ({
      firer: a,
      target: b,
      weapon: chosen.weapon,
      ...(chosen.ammo ? { ammo: chosen.ammo } : {}),
      ...(also.value.trim() ? { also: also.value.trim().split(/[\s,]+/) } : {}),
      ...given(),
    });
    const dice = [
      ...(chosen.needs_sighting ? this.sightDice(answer.sight) : []),
      ["coloured", "Coloured", 6],
      ["white", "White", 6],
    ];
    const more = [
      ["further", "Further die", 6],
      ["effect", "Effect dice", 6, 2],
      ["blinding", "Blinding die", 100],
    ];
    const shoot = this.dice("fire", asked, dice, "Fire", more);
    const title = chosen.allowed ? `Fire: hits on ${chosen.hit_on} or less` : "Fire: not allowed";
    const why = chosen.refusal && `${chosen.refusal.why} (${chosen.refusal.rule})`;
    return this.section(
      "fire",
      title,
      chosen.allowed ? shown(chosen.chance ?? chosen.odds?.hit) : "",
      open,
      h(
        "div",
        { class: "stack" },
        h("div", { class: "row" }, field("Weapon", pick), field("Ammunition", ammos)),
        why && h("p", { class: "refused" }, why),
        chosen.why_not && chosen.why_not !== chosen.refusal?.why && h("p", { class: "refused" }, chosen.why_not),
        chosen.allowed && (chosen.can_record === false ? fold("Fire all the same", shoot) : shoot),
      ),
      h(
        "div",
        { class: "stack" },
        tally(chosen.tally, chosen.left_out),
        chosen.allowed && this.odds(chosen.odds),
        chosen.allowed &&
          h("details", { class: "fold" }, h("summary", null, "More targets and facts"), h("div", { class: "row" }, field("Also at", also), field("Facts", facts))),
      ),
    );
  }

  odds(odds) {
    if (!odds) return null;
    const names = { hull: "hull", turret: "turret", critical: "critical", malfunction: "malfunction", keeps_rof: "fires again" };
    const words = Object.entries(names).filter(([key]) => percent(odds[key]) > 0).map(([key, name]) => `${name} ${shown(odds[key])}`);
    return words.length > 0 && h("p", { class: "quiet" }, words.join(", "));
  }
}

/** Hits whose effect is still to be taken, each with its buttons. */
export function openEffects(view, act) {
  return (view?.effects ?? view?.todo ?? [])
    .filter((todo) => !todo.kind || todo.kind === "effect")
    .map((todo) => {
      const asked = { event: todo.event, target: todo.unit };
      const pick = choice(view.results ?? [], { "aria-label": `Another result for ${todo.unit}` });
      return h(
        "div",
        { class: "effect stack" },
        h("p", null, h("b", null, todo.unit), ` was hit by event ${todo.event}: its effect is to be taken.`),
        h(
          "div",
          { class: "row" },
          button("As rolled", () => act("effect", asked), { class: "main", "aria-label": `Take the effect on ${todo.unit} as rolled` }),
          pick,
          button("This instead", () => act("effect", { ...asked, take: pick.value }), { "aria-label": `Take this effect on ${todo.unit} instead` }),
        ),
      );
    });
}
