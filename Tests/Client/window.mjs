// As much of a window as the client looks at, where there is none: a page of an app, or of a browser.
import { createRequire } from "node:module";

/** Node 18 and 20 have no WebSocket of their own, and a page's client takes the global one. */
globalThis.WebSocket = createRequire(import.meta.url)("ws");

/** A window before any script has run. */
export function page(surface = {}, { url = "https://app.example.test/", readyState = "complete" } = {}) {
  const window = new EventTarget();
  Object.assign(window, {
    location: new URL(url), origin: new URL(url).origin, history: { length: 1 }, navigator: { userAgent: "test" },
    document: Object.assign(new EventTarget(), { readyState, title: "" }), ...surface,
  });
  window.parent ??= window;
  return window;
}

/** An event with members, of which Node has no class. */
export const event = (type, members) => Object.assign(new Event(type), members);
