// In a real app the client uses the bridge that is there: WKWebView's in either mode, or Android's object.
import assert from "node:assert/strict";
import { test } from "node:test";
import { install } from "../../web-fixtures/client/install.mjs";

/** As much of a window as an app's page has before any script has run. */
function page(surface) {
  const window = new EventTarget();
  Object.assign(window, {
    location: new URL("https://app.example.test/"), document: Object.assign(new EventTarget(), { readyState: "complete", title: "" }),
    navigator: { userAgent: "test" }, ...surface,
  });
  window.parent = window;
  return window;
}
const source = "https://app.example.test/client.js";
const never = () => { throw new Error("evaluation is never loaded in an app"); };

test("a reply handler settles the promise that postMessage returned", async () => {
  const posted = [];
  const window = page({
    webkit: { messageHandlers: { bridge: { postMessage: async body => {
      posted.push(body);
      if (body.eventName === "fail") throw new Error("no such thing");
      return { title: "Home" };
    } } } },
  });
  const bridge = install(window, source, { allowEvaluate: "" }, never);
  assert.equal(bridge.status, "native");
  assert.deepEqual(await bridge.request("getTitle", { a: 1 }), { title: "Home" });
  assert.deepEqual(posted.map(({ requestId, ...rest }) => rest), [{ eventName: "getTitle", a: 1 }]);
  await assert.rejects(bridge.request("fail"), { name: "BridgeError", code: -32000, message: "no such thing" });
  assert.equal(bridge.pendingCount, 0);
});

test("a plain handler answers through handleNativeResponse, which the page may have too", async () => {
  const window = page({});
  const seen = [];
  window.webkit = { messageHandlers: { bridge: { postMessage: body => {
    queueMicrotask(() => window.handleNativeResponse({ n: body.n }, body.requestId));
    return Promise.resolve(undefined);
  } } } };
  const bridge = install(window, source, { handlers: "bridge:plain" }, never);
  window.handleNativeResponse = (response, id) => seen.push([response, id]);
  assert.deepEqual(await Promise.all([1, 2, 3].map(n => bridge.request("echo", { n }))), [{ n: 1 }, { n: 2 }, { n: 3 }]);
  window.handleNativeResponse("for the page", "its-own");
  assert.deepEqual(seen, [["for the page", "its-own"]]);
});

test("Android's object takes strings and sends strings", async () => {
  const object = Object.assign(new EventTarget(), {
    postMessage(text) {
      const { requestId, n } = JSON.parse(text);
      queueMicrotask(() => object.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify({ requestId, response: n }) })));
    },
  });
  const bridge = install(page({ bridge: object }), source, {}, never);
  assert.deepEqual(await Promise.all([1, 2].map(n => bridge.request("echo", { n }))), [1, 2]);
});

test("installing twice gives the same bridge", () => {
  const window = page({ webkit: { messageHandlers: { bridge: { postMessage: async () => null } } } });
  assert.equal(install(window, source, {}, never), install(window, source, {}, never));
});

test("?bridgehead=off leaves the page alone", () => {
  const window = page({ location: new URL("https://app.example.test/?bridgehead=off") });
  assert.equal(install(window, source, {}, never).status, "off");
  assert.equal(window.webkit, undefined);
});
