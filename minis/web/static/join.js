// The link of a seat: only a tap takes it, so that a preview of the link does not.

import { by } from "./dom.js";
import { post } from "./net.js";

const token = location.pathname.split("/").filter(Boolean).pop();

by("join").addEventListener("click", async () => {
  by("join").disabled = true;
  try {
    await post("/join", { token });
    location.replace("/");
  } catch (error) {
    by("join").disabled = false;
    by("say").textContent = error.status === 0 ? error.message : "This link is no longer good. Ask the judge for a new one.";
  }
});
