// What is rarer: smoke, facts and weapons by hand, passengers, notes, planning help, the command line, the end.

import { button, by, choice, field, fold, h, inches } from "./dom.js";
import { post } from "./net.js";
import { attempt, notice, question, say } from "./shell.js";
import { seatsFold } from "./seats.js";

const number = (props = {}) => h("input", { type: "number", step: "any", inputmode: "decimal", autocomplete: "off", ...props });
const words = (props = {}) => h("input", { type: "text", autocomplete: "off", ...props });

/** A form that does one thing; `read()` gives what is asked, null where something is missing. */
function form(name, fields, act) {
  return h(
    "form",
    { class: "stack", onsubmit: (event) => (event.preventDefault(), act(event.target)) },
    h("div", { class: "figures" }, fields),
    h("div", { class: "row" }, h("button", { class: "main" }, name)),
  );
}

const given = (input) => (input.value.trim() === "" ? undefined : Number(input.value));

/** Only what was said. */
const said = (asked) => Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined && value !== ""));

/**
 * The panel of rarer things. `app`: act(kind, asked), control(body), pickPlace(words) → a place that is tapped on the
 * map or null, chosen() → the unit chosen, table, map.
 */
export class More {
  constructor(place, app) {
    this.place = place;
    this.app = app;
    this.names = h("datalist", { id: "unit-names" });
    this.clouds = h("datalist", { id: "cloud-names" });
    place.replaceChildren(
      this.names, this.clouds,
      this.planning(), this.smoke(), this.facts(), this.weapons(), this.passengers(), this.onTable(), this.note(),
      this.boresight(), this.commandLine(), seatsFold(app), this.settings(), this.ending(),
    ); // prettier-ignore
  }

  /** The lists that the fields offer, from the view. */
  update(view) {
    this.names.replaceChildren(...view.units.map((unit) => h("option", { value: unit.id })));
    this.clouds.replaceChildren(...(view.smoke ?? []).map((cloud) => h("option", { value: cloud.id })));
    const fill = (select, options) => {
      const last = select.value;
      select.replaceChildren(...(options ?? []).map((one) => h("option", { value: one }, one.replaceAll("_", " "))));
      if ((options ?? []).includes(last)) select.value = last;
    };
    fill(this.fact, view.settable);
    fill(this.state, view.weapon_states);
    fill(this.seedSide, view.sides);
  }

  unit(props = {}) {
    return words({ list: "unit-names", onfocus: (event) => !event.target.value && (event.target.value = this.app.chosen() ?? ""), ...props });
  }

  at() {
    const x = number({ required: true });
    const y = number({ required: true });
    const tap = button("Tap the place", async () => {
      const spot = await this.app.pickPlace("Tap the place on the table.");
      if (spot) [x.value, y.value] = spot.map(inches);
    });
    return { fields: [field("x, inches", x), field("y, inches", y), tap], read: () => [Number(x.value), Number(y.value)] };
  }

  // --- planning help

  planning() {
    const say_ = h("div", { class: "stack" });
    const show = (what) => async () => {
      const unit = this.app.chosen();
      if (!unit && what !== "dead") {
        notice("Choose a unit first: of a place only the dead ground is shown.", { bad: true });
        return;
      }
      const at = unit ? null : await this.app.pickPlace("Tap the place to look from.");
      if (!unit && !at) return;
      say_.replaceChildren(h("p", { class: "quiet" }, "Working it out …"));
      const answer = await attempt(() => post("/api/overlay", { what, ...(unit ? { unit } : { at }) }));
      say_.replaceChildren(...(answer?.words ?? []).map((line) => h("p", null, line)));
      if (answer) {
        this.app.map.lay("plan", answer.picture);
        say(answer.words?.[0] ?? "The map shows it");
      }
    };
    const clear = () => {
      this.app.map.lay("plan", "");
      say_.replaceChildren();
    };
    return fold(
      "Planning help",
      h("p", { class: "quiet" }, "For the chosen unit; dead ground of a place too, which you tap."),
      h("div", { class: "row" }, button("Dead ground", show("dead")), button("Field of fire", show("field")), button("Chance to sight", show("chance")), button("Clear", clear)),
      say_,
    );
  }

  // --- smoke

  smoke() {
    const at = this.at();
    const radius = number({ min: 0 });
    const until = number({ min: 0, step: 1 });
    const by_ = this.unit({ onfocus: null });
    const put = () => this.app.act("smoke", said({ do: "place", at: at.read(), radius: given(radius), until: given(until), by: by_.value }));
    const cloud = words({ list: "cloud-names", required: true });
    const to = this.at();
    const off = words({ list: "cloud-names", required: true });
    return fold(
      "Smoke",
      form("Place smoke", [at.fields, field("Radius, inches", radius), field("Until turn", until), field("Own smoke of", by_)], put),
      form("Move a cloud", [field("Cloud", cloud), to.fields], () => this.app.act("smoke", { do: "move", id: cloud.value, at: to.read() })),
      form("Take off a cloud", [field("Cloud", off)], () => this.app.act("smoke", { do: "remove", id: off.value })),
    );
  }

  // --- facts, weapons, passengers

  facts() {
    const unit = this.unit({ required: true });
    this.fact = choice([], {});
    const value = choice([["true", "yes"], ["false", "no"], ...[1, 2, 3].map((n) => [String(n), `${n} (stun)`])]);
    const why = words();
    const act = () => this.app.act("set", said({ unit: unit.value, facts: { [this.fact.value]: JSON.parse(value.value) }, why: why.value }));
    return fold("Facts of a unit", form("Set the fact", [field("Unit", unit), field("Fact", this.fact), field("Is", value), field("Why", why)], act));
  }

  weapons() {
    const unit = this.unit({ required: true });
    const weapon = words({ placeholder: "its first" });
    this.state = choice([], {});
    const why = words();
    const act = () => this.app.act("weapon", said({ unit: unit.value, weapon: weapon.value, state: this.state.value, why: why.value }));
    const tank = this.unit({ required: true });
    const die = number({ min: 1, max: 6, step: 1 });
    const centre = number();
    const manoeuvre = () => {
      const face = given(die);
      return this.app.act("manoeuvre", said({ unit: tank.value, centre: given(centre) }), face === undefined ? {} : { manoeuvre: [face] }, face === undefined);
    };
    return fold(
      "Weapons and hull down",
      form("Set the weapon", [field("Unit", unit), field("Weapon", weapon), field("Is", this.state), field("Why", why)], act),
      form("Hull-down manoeuvre", [field("Vehicle", tank), field("Die (empty: roll)", die), field("Centre of the arc", centre)], manoeuvre),
    );
  }

  passengers() {
    const unit = this.unit({ required: true });
    const carrier = this.unit({ required: true, onfocus: null });
    const tow = h("input", { type: "checkbox" });
    const off = this.unit({ required: true });
    const at = this.at();
    const facing = number();
    return fold(
      "Passengers and tows",
      form("Load", [field("Unit", unit), field("On", carrier), h("label", { class: "check" }, tow, "on tow")], () =>
        this.app.act("load", { unit: unit.value, carrier: carrier.value, ...(tow.checked ? { tow: true } : {}) }),
      ),
      form("Unload", [field("Unit", off), at.fields, field("Facing", facing)], () => this.app.act("unload", said({ unit: off.value, at: at.read(), facing: given(facing) }))),
    );
  }

  onTable() {
    const unit = this.unit({ required: true });
    const token = h("input", { type: "checkbox" });
    const why = words();
    const gone = this.unit({ required: true });
    const how = words();
    const remove = async () => {
      if (await question(`Take ${gone.value} out of the game?`, { yes: "Take it out", danger: true })) this.app.act("remove", said({ unit: gone.value, how: how.value }));
    };
    return fold(
      "Place and remove",
      form("Place on the table", [field("Hidden unit", unit), h("label", { class: "check" }, token, "as a token"), field("Why", why)], () =>
        this.app.act("place", said({ unit: unit.value, token: token.checked || undefined, why: why.value })),
      ),
      form("Take out of the game", [field("Unit", gone), field("How", how)], remove),
    );
  }

  note() {
    const text = h("textarea", { rows: 2, required: true });
    return fold("Note", form("Write it down", [field("Words for the log", text, { class: "field wide" })], async () => (await this.app.act("note", { text: text.value })) && (text.value = "")));
  }

  boresight() {
    const unit = this.unit({ required: true });
    const weapon = words({ placeholder: "its first" });
    const spotter = this.unit({ onfocus: null });
    const at = this.at();
    const act = () => this.app.act("boresight", said({ unit: unit.value, weapon: weapon.value, spotter: spotter.value, at: at.read() }));
    return fold("Bore sight, at set-up", form("Record the spot", [field("Unit", unit), field("Weapon", weapon), field("Spotter", spotter), at.fields], act));
  }

  // --- the command line

  commandLine() {
    const line = words({ "aria-label": "Command line", placeholder: "s T1 P3 59    ? lists the verbs", autocapitalize: "off", spellcheck: "false", class: "mono" });
    const output = h("pre", { class: "output", tabindex: "0", role: "log", "aria-label": "What it printed" });
    const past = [];
    let index = 0;
    line.addEventListener("keydown", (event) => {
      const to = { ArrowUp: index - 1, ArrowDown: index + 1 }[event.key];
      if (to === undefined || to < 0 || to > past.length) return;
      index = to;
      line.value = past[index] ?? "";
      event.preventDefault();
    });
    const run = async () => {
      const typed = line.value.trim();
      if (!typed) return;
      past.push(typed);
      index = past.length;
      line.value = "";
      const answer = await attempt(() => post("/api/line", { line: typed }));
      if (!answer) return;
      output.append(`> ${typed}\n${answer.output.replace(/\n*$/, "\n")}`);
      output.scrollTop = output.scrollHeight;
      say(answer.output.split("\n")[0]);
      this.app.table.load();
    };
    this.line = fold(
      "Command line",
      h("form", { class: "row", onsubmit: (event) => (event.preventDefault(), run()) }, line, h("button", { class: "main" }, "Do it")),
      output,
    );
    this.lineField = line;
    return this.line;
  }

  /** Open the command line and go there. */
  openLine() {
    this.line.open = true;
    this.lineField.focus();
  }

  // --- settings, the end

  settings() {
    const keys = h("input", {
      type: "checkbox", checked: localStorage.getItem("minis-keys") !== "off",
      onchange: () => localStorage.setItem("minis-keys", keys.checked ? "on" : "off"),
    }); // prettier-ignore
    const list = [["Arrow keys", "the nearest unit that way"], ["Page keys", "the next unit, the one before"], ["Enter", "choose; again on another: the pair"], ["m", "move the chosen unit"], ["u", "undo"], ["n", "next phase"], ["/", "command line"], ["+ − 0", "zoom, whole table"], ["Esc", "leave"]];
    return fold(
      "Keys",
      h("label", { class: "check" }, keys, "Single keys act"),
      h("dl", { class: "keys" }, list.map(([key, does]) => [h("dt", null, key), h("dd", null, does)])),
    );
  }

  ending() {
    this.seedSide = choice([], {});
    const text = words({ required: true });
    const end = async () => {
      const yes = await question("End the game? The key of the machine's dice is shown to everybody.", { yes: "End the game", danger: true });
      if (yes) this.app.act("end", {});
    };
    return fold(
      "Dice of the machine, and the end",
      form("Add what a side says to the dice", [field("Side", this.seedSide), field("Its words", text)], () => this.app.control({ what: "seed", side: this.seedSide.value, text: text.value })),
      h("div", { class: "row" }, button("Redo what was taken back last", () => this.app.control({ what: "redo" })), button("End the game", end, { class: "danger" })),
    );
  }
}
