// What goes over the network: questions, acts, and the stream that says when the view has changed.

/** An answer that says no, in words; `status` is that of HTTP, 0 where the server was not reached. */
export class Refused extends Error {
  constructor(status, message, rule) {
    super(rule ? `${message} (${rule})` : message);
    this.status = status;
  }
}

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, { credentials: "same-origin", cache: "no-cache", ...options });
  } catch {
    throw new Refused(0, "the server is not reached");
  }
  let body = null;
  try {
    body = await answer.json();
  } catch {
    // no JSON: the status says it all
  }
  if (!answer.ok) {
    if (answer.status === 401 && path.startsWith("/api/")) location.reload();
    throw new Refused(answer.status, body?.error ?? `the server answers ${answer.status}`, body?.rule);
  }
  return body;
}

/** Ask for a route. */
export const get = (path) => ask(path, {});

/** Send a question or an act. */
export const post = (path, body) =>
  ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Minis": "1" },
    body: JSON.stringify(body),
  });

const SOON_MS = 700;
const LATE_MS = 4000;

/**
 * Follow the view: `view(version)` whenever it changes and after each return, `lost()` while the server is not
 * reached, `bye()` where this seat has been revoked.
 */
export function follow({ view, lost, back, bye }) {
  let source = null;
  let wait = SOON_MS;
  let timer = 0;
  const again = () => {
    source?.close();
    source = null;
    lost();
    clearTimeout(timer);
    timer = setTimeout(open, wait);
    wait = Math.min(wait * 1.6, LATE_MS);
  };
  const open = () => {
    source?.close();
    source = new EventSource("/api/events");
    source.addEventListener("view", (event) => {
      wait = SOON_MS;
      back();
      view(event.data);
    });
    source.addEventListener("bye", () => {
      source.close();
      bye();
    });
    source.onerror = again;
  };
  // a tablet that slept, or came back into the network, does not wait for its stream to notice
  const wake = () => document.visibilityState === "visible" && open();
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => event.persisted && open());
  open();
}

/** The last of many calls wins: one is under way, and the newest that came meanwhile goes next. */
export function latest(work, wait_ms = 0) {
  let running = false;
  let next = null;
  let timer = 0;
  const go = async () => {
    if (running || next === null) return;
    const mine = next;
    next = null;
    running = true;
    try {
      await work(...mine, () => next === null);
    } finally {
      running = false;
      if (next !== null) go();
    }
  };
  const call = (...args) => {
    next = args;
    clearTimeout(timer);
    timer = setTimeout(go, wait_ms);
  };
  call.cancel = () => {
    next = null;
    clearTimeout(timer);
  };
  return call;
}
