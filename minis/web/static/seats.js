// The seats of the table: who has joined, new links with their QR code, seats taken back.

import { button, choice, field, fold, h, picture } from "./dom.js";
import { get, post } from "./net.js";
import { attempt, question } from "./shell.js";

/** Part of the panel for the seats; it asks for them when it is opened. */
export function seatsFold(app) {
  const list = h("ul", { class: "list" });
  const shown = h("div", { class: "stack" });
  const side = choice([], {});
  const name = h("input", { type: "text", autocomplete: "off", placeholder: "allied-2", pattern: "[a-z0-9][a-z0-9-]*", maxlength: 40 });

  const show = (answer) => {
    const code = answer.qr ? picture(answer.qr) : null;
    code?.setAttribute("class", "qr");
    code?.setAttribute("role", "img");
    code?.setAttribute("aria-label", `QR code of the link for ${answer.seat}`);
    const copy = button("Copy the link", () => navigator.clipboard?.writeText(answer.link), { class: "small" });
    shown.replaceChildren(
      h("h3", null, `Link for ${answer.seat}`),
      h("p", { class: "mono link" }, answer.link),
      h("div", { class: "row" }, navigator.clipboard && copy, button("Hide", () => shown.replaceChildren(), { class: "small" })),
      code ?? "",
    );
    shown.scrollIntoView({ block: "nearest" });
  };

  const load = async () => {
    const answer = await attempt(() => get("/api/seats"));
    if (!answer) return;
    const sides = app.table.view?.sides ?? [];
    side.replaceChildren(...sides.map((one) => h("option", { value: one }, one)));
    list.replaceChildren(
      ...answer.seats.map((seat) => {
        const devices = Array.isArray(seat.devices) ? seat.devices.length : (seat.devices ?? 0);
        return h(
          "li",
          { class: "seat-row" },
          h("b", null, seat.seat),
          h("small", null, devices === 1 ? "1 device" : `${devices} devices`),
          button("New link", () => make({ seat: seat.seat, what: "new", ...(seat.side ? { side: seat.side } : {}) }), { class: "small", "aria-label": `New link for ${seat.seat}` }),
          seat.seat !== "judge" && button("Take back", () => revoke(seat.seat), { class: "small", "aria-label": `Take back the seat ${seat.seat}` }),
        );
      }),
    );
  };

  const make = async (body) => {
    const answer = await attempt(() => post("/api/seats", body));
    if (!answer) return;
    show(answer);
    load();
  };

  const revoke = async (seat) => {
    const yes = await question(`Take back the seat ${seat}? Its devices are out at once.`, { yes: "Take it back", danger: true });
    if (!yes || !(await attempt(() => post("/api/seats", { seat, what: "revoke" })))) return;
    load();
  };

  const add = (event) => {
    event.preventDefault();
    make({ seat: name.value.trim() || side.value, side: side.value, what: "new" });
  };
  const node = fold(
    "Seats",
    list,
    h("form", { class: "stack", onsubmit: add }, h("div", { class: "figures" }, field("Side", side), field("Name of the seat", name)), h("div", { class: "row" }, h("button", { class: "main" }, "New seat"))),
    shown,
  );
  node.addEventListener("toggle", () => node.open && load());
  return node;
}
