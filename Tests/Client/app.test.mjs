// In a real app the client uses the bridge that is there: WKWebView's in either mode, or Android's object.
import assert from "node:assert/strict";
import { test } from "node:test";
import { install } from "../../web-fixtures/client/install.mjs";
import { page } from "./window.mjs";
import { captured, outcome } from "./support.mjs";

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

test("a handler that throws in place, as one does that the app has removed, fails its request only", async () => {
  let isGone = true;
  const window = page({ webkit: { messageHandlers: { bridge: { postMessage: body => {
    if (isGone) throw new Error("InvalidAccessError");
    return Promise.resolve(body.n);
  } } } } });
  const bridge = install(window, source, {}, never);
  const { error } = await outcome(bridge.request("a", { n: 1 }));
  assert.deepEqual([error.code, error.message], [-32000, "InvalidAccessError"]);
  isGone = false;
  assert.equal(await bridge.request("a", { n: 2 }), 2);
  assert.equal(bridge.pendingCount, 0);
});

test("an Android object that has only postMessage and onmessage, and one that throws", async () => {
  const object = {
    postMessage(text) {
      const { eventName, requestId } = JSON.parse(text);
      if (eventName === "throw") throw new Error("Java exception was raised");
      queueMicrotask(() => object.onmessage({ data: JSON.stringify({ requestId, response: eventName }) }));
    },
  };
  const bridge = install(page({ bridge: object }), source, {}, never);
  assert.equal(bridge.status, "native");
  assert.equal(await bridge.request("a"), "a");
  const { error } = await outcome(bridge.request("throw"));
  assert.deepEqual([error.code, error.message, error.eventName], [-32000, "Java exception was raised", "throw"]);
  assert.equal(bridge.pendingCount, 0);
});

test("the native side asks the page through Android's object", async () => {
  const object = Object.assign(new EventTarget(), { sent: [], postMessage(text) { object.sent.push(JSON.parse(text)); } });
  const bridge = install(page({ bridge: object }), source, {}, never);
  bridge.handle("rename", ({ title }) => title.length);
  object.dispatchEvent(Object.assign(new Event("message"), { data: '{"eventName":"rename","requestId":"n1","title":"four"}' }));
  assert.deepEqual(object.sent, [{ requestId: "n1", response: 4 }]);
});

class Node {}
for (const [name, value] of [
  ["an element with that id", Object.assign(new Node(), { postMessage() {} })],
  ["a frame of that name", (() => { const frame = { postMessage() {} }; frame.window = frame; return frame; })()],
]) {
  test(`${name} is not taken for Android's object`, () => captured(() => {
    assert.equal(install(page({ bridge: value, Node }), source, { url: "nowhere:" }, never).status, "off");
  }));
}

test("a page's function declaration does not keep the client from its answers", async () => {
  const window = page({});
  const asked = [];
  window.webkit = { messageHandlers: { bridge: { postMessage: async body => void asked.push(body.requestId) } } };
  const bridge = install(window, source, { handlers: "bridge:plain" }, never);
  const answer = bridge.request("early");
  const seen = [];
  // What `function handleNativeResponse() {}` in a later script does to a configurable property.
  Object.defineProperty(window, "handleNativeResponse", { value: (...all) => seen.push(all), writable: true, enumerable: true, configurable: true });
  window.dispatchEvent(new Event("DOMContentLoaded"));
  window.handleNativeResponse("here", asked[0]);
  assert.equal(await answer, "here");
  window.handleNativeResponse("mine", 1);
  assert.deepEqual(seen, [["mine", 1]]);
});

test("in reply mode undefined is null, and in an app evaluation is never loaded", async () => {
  const posted = [];
  const window = page({ webkit: { messageHandlers: { bridge: { postMessage: async body => void posted.push(body) } } } });
  const bridge = install(window, source, { handlers: "bridge:reply", allowEvaluate: "" }, never);
  assert.equal(await bridge.request("nothing"), null);
});

test("a data-url that names no server turns the bridge off, and says what to write", async () => {
  for (const url of ["localhost:7357", "file:///x", "http://["]) {
    const window = page({});
    const printed = await captured(() => { assert.equal(install(window, source, { url }, never).status, "off"); });
    assert.match(printed[0].join(" "), /^error .*data-url="http:\/\/localhost:7357"/);
  }
});
