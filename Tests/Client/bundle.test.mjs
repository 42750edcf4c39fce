// client.js and overlays.js are what bundle.mjs makes of the modules.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";
import { native } from "./support.mjs";
import { page } from "./window.mjs";
import { bundle, scripts } from "../../web-fixtures/client/bundle.mjs";

const folder = new URL("../../web-fixtures/client/", import.meta.url);
const text = readFileSync(new URL("client.js", folder), "utf8");

test("the classic scripts are in step with the modules: node web-fixtures/client/bundle.mjs", () => {
  for (const script of Object.keys(scripts)) assert.equal(readFileSync(new URL(script, folder), "utf8"), bundle(folder, script), script);
});

test("client.js is a classic script without eval, and does nothing without a window", () => {
  assert.doesNotMatch(text, /\beval\(|new Function\(/);
  const context = vm.createContext({ EventTarget, Error, URL });
  new vm.Script(text).runInContext(context);
  assert.deepEqual(Object.keys(context), ["EventTarget", "Error", "URL"]);
});

/** Runs the classic script in a page of its own, as a tag with these attributes does. */
function run(side, dataset = {}, window = page({}, { url: "http://localhost/" })) {
  window.document.currentScript = { src: `${side.url}/_bridge/client.js`, dataset };
  const names = { window, document: window.document, location: window.location, ...Object.fromEntries(["console", "URL", "URLSearchParams", "Event", "EventTarget", "MessageEvent", "WebSocket", "TextEncoder", "AbortController", "DOMException", "setTimeout", "clearTimeout", "fetch", "crypto"].map(name => [name, globalThis[name]])) };
  new vm.Script(text).runInContext(vm.createContext(names));
  return window;
}

test("U3: the classic script installs itself: the next script finds the surface, and its first message arrives", async t => {
  const side = await native(({ eventName }) => eventName);
  const window = run(side, { handlers: "analytics:plain" });
  t.after(() => { window.bridgehead.close(); return side.close(); });
  const { messageHandlers } = window.webkit;
  assert.deepEqual(["bridge" in messageHandlers, "analytics" in messageHandlers, messageHandlers.missing], [true, true, undefined]);
  assert.equal(await messageHandlers.bridge.postMessage({ eventName: "first" }), "first");
  assert.equal(await messageHandlers.analytics.postMessage(1), undefined);
});

test("a page of the classic script fails with a code of its own", async t => {
  const side = await native();
  const window = run(side);
  t.after(() => { window.bridgehead.close(); return side.close(); });
  await window.bridgehead.ready;
  window.bridgehead.handle("pay", () => { throw new window.bridgehead.BridgeError(4001, "Not signed in", { data: { user: null } }); });
  const [session] = side.sessions;
  const answered = session.next(({ requestId }) => requestId === 1);
  session.send({ eventName: "pay", requestId: 1 });
  assert.deepEqual((await answered).error, { code: 4001, message: "Not signed in", data: { user: null } });
});

test("the tag twice is one bridge and one session", async t => {
  const side = await native(() => 1);
  const window = run(side);
  t.after(() => { window.bridgehead.close(); return side.close(); });
  const { bridgehead, webkit } = window;
  run(side, {}, window);
  assert.ok(window.bridgehead === bridgehead && window.webkit === webkit);
  await window.bridgehead.request("fence");
  assert.equal(side.sessions.length, 1);
});
