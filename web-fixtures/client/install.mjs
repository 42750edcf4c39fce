import { android } from "./android.mjs";
import { Bridge } from "./bridge.mjs";
import { diagnostics } from "./diagnostics.mjs";
import { evaluation } from "./evaluation.mjs";
import { log } from "./log.mjs";
import { nativeConnection } from "./native.mjs";
import { nearest } from "./nearest.mjs";
import { overlays } from "./overlay.mjs";
import { page } from "./page.mjs";
import { phone, phoneOf } from "./phone.mjs";
import { serverURL } from "./socket.mjs";
import { surface } from "./surface.mjs";

/**
 * Makes the page's bridge as the attributes of its script tag say, or finds the one that is there: `window.bridgehead`.
 * @param {Window} window
 * @param {string} source Where the client was loaded from.
 * @param {Record<string, string | undefined>} attributes The `data-…` attributes: `url`, `handlers`, `platform`,
 *   `allowEvaluate`, `log`.
 * @param {(file: "evaluate.mjs" | "overlays.mjs") => Promise<object>} load Imports a module that few pages need.
 * @returns {Bridge}
 */
export function install(window, source, attributes, load) {
  if (window.bridgehead?.request) return window.bridgehead;
  const bridge = new Bridge({ window, ...settings(window, source, attributes, load) });
  Object.defineProperty(window, "bridgehead", { value: bridge, configurable: true, writable: true });
  return bridge;
}

function settings(window, source, attributes, load) {
  if (new URLSearchParams(window.location.search).get("bridgehead") === "off") {
    return { off: "the page was opened with ?bridgehead=off" };
  }
  const handlers = parseHandlers(attributes.handlers);
  const parts = attributes.log === undefined ? [] : [log()];
  // On a phone the native side is the phone's, whatever the view that shows the phone has.
  const connect = phoneOf(window) ? undefined : nativeConnection(window, handlers.get("bridge"));
  if (connect !== undefined) return { connect, parts };
  checkAttributes(attributes);
  const url = serverURL(attributes.url || source); // a data-url, else where the client came from
  if (url === undefined) {
    const help = `there is no server at ${JSON.stringify(attributes.url || source)}: say where it is with data-url="http://localhost:7357"`;
    console.error(`[bridgehead] The bridge is off: ${help}`);
    return { off: help };
  }
  const token = url.searchParams.get("token") ?? new URL(source).searchParams.get("token") ?? undefined;
  const { platform } = phoneOf(window) ?? attributes;
  parts.push(platform === "android" ? android(window) : surface(window, handlers));
  parts.push(page(window), overlays(window, () => load("overlays.mjs")));
  if (phoneOf(window)) parts.push(phone(window));
  if (attributes.allowEvaluate !== undefined) parts.push(evaluation(window, () => load("evaluate.mjs")));
  parts.push(diagnostics(window, url, token));
  return { url, token, parts };
}

/** Names what is written almost as an attribute of the client is; other attributes are somebody else's. */
function checkAttributes(attributes) {
  const { platform } = attributes;
  if (platform !== undefined && platform !== "android") {
    console.error(`[bridgehead] data-platform="${platform}" is no platform: "android" is one; without it the page has window.webkit.`);
  }
  const known = ["url", "handlers", "platform", "allowEvaluate", "log"];
  for (const name of Object.keys(attributes)) {
    const [meant] = known.includes(name) ? [] : nearest(name, known);
    if (meant) console.warn(`[bridgehead] ${asAttribute(name)} is no attribute of the client: did you mean ${asAttribute(meant.name)}?`);
  }
}

/** As `dataset` names them: `allowEvaluate` is `data-allow-evaluate`. */
const asAttribute = (name) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * @param {string | undefined} text Such as "bridge:plain,analytics".
 * @returns {Map<string, "plain" | "reply" | undefined>}
 */
export function parseHandlers(text = "") {
  const handlers = new Map();
  for (const item of text.split(/[\s,]+/)) {
    const colon = item.lastIndexOf(":");
    const [name, mode] = colon < 0 ? [item] : [item.slice(0, colon), item.slice(colon + 1)];
    if (name === "") continue;
    const isMode = mode === "plain" || mode === "reply";
    if (mode !== undefined && !isMode) {
      console.warn(`[bridgehead] data-handlers: "${mode}" is no mode; "${name}:reply" and "${name}:plain" are.`);
    }
    handlers.set(name, isMode ? mode : undefined);
  }
  return handlers;
}
