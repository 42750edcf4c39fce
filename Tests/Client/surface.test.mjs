// window.webkit.messageHandlers, and Android's object, over a session (PROTOCOL.md, section 6).
import assert from "node:assert/strict";
import { test } from "node:test";
import { install, parseHandlers } from "../../web-fixtures/client/install.mjs";
import { captured, native, outcome, welcome } from "./support.mjs";
import { page } from "./window.mjs";

const never = () => { throw new Error("evaluation was not asked for"); };

/** A page with the client in it, and the native side that it reaches. */
async function open(t, answer, { attributes = {}, hello = welcome, surface = {} } = {}) {
  const side = await native(answer, { hello });
  const window = page(surface, { url: "http://localhost/" });
  const bridge = install(window, `${side.url}/_bridge/client.js`, attributes, never);
  t.after(() => { bridge.close(); return side.close(); });
  return { side, window, bridge, handlers: window.webkit?.messageHandlers };
}

test("S3, U1: events posted before any session go as posted, in order; an id is added where there is none", async t => {
  const { side, handlers } = await open(t, message => message.eventName);
  const bodies = [{ eventName: "a", requestId: "own", n: 1 }, { eventName: "b", requestId: 7 }, { eventName: "c" }, { eventName: "d", requestId: null }];
  assert.deepEqual(await Promise.all(bodies.map(body => handlers.bridge.postMessage(body))), ["a", "b", "c", "d"]);
  assert.deepEqual(side.received.slice(0, 2), bodies.slice(0, 2));
  assert.deepEqual(side.received.slice(2).map(({ eventName, requestId }) => [eventName, typeof requestId]), [["c", "string"], ["d", "string"]]);
});

test("S3: an id in flight is replaced on the way and given back", async t => {
  const { side, window, handlers } = await open(t, message => message.n);
  const seen = [];
  window.handleNativeResponse = (...all) => seen.push(all);
  const post = n => handlers.bridge.postMessage({ eventName: "e", requestId: "same", n });
  assert.deepEqual(await Promise.all([post(1), post(2)]), [1, 2]);
  assert.equal(new Set(side.received.map(({ requestId }) => requestId)).size, 2);
  assert.deepEqual(seen, [[1, "same"], [2, "same"]]);
});

test("S4: any other body, and one that JSON cannot say, is $/postMessage in the codec", async t => {
  const { side, handlers } = await open(t, ({ body }) => body, { attributes: { handlers: "analytics" } });
  const date = new Date(5);
  for (const [name, body, wire] of [
    ["bridge", "text", "text"], ["bridge", undefined, { $undefined: true }], ["bridge", null, null], ["bridge", [1, , NaN], [1, { $undefined: true }, { $number: "NaN" }]],
    ["bridge", { eventName: 1 }, { eventName: 1 }], ["bridge", { eventName: "e", when: date }, { eventName: "e", when: { $date: 5 } }],
    ["analytics", { eventName: "e" }, { eventName: "e" }], ["bridge", { $ref: 0 }, { $object: { $ref: 0 } }],
  ]) {
    const back = await handlers[name].postMessage(body);
    const { eventName, handler, body: sent } = side.received.at(-1);
    assert.deepEqual([eventName, handler, sent], ["$/postMessage", name, wire]);
    assert.deepEqual(back, Array.isArray(body) ? [1, undefined, NaN] : body);
  }
});

test("an event whose own member is \"jsonrpc\" travels in JSON-RPC, as any payload does", async t => {
  for (const platform of [undefined, "android"]) {
    const { side, window, bridge } = await open(t, message => message.params, { attributes: { platform } });
    await bridge.ready;
    const body = { eventName: "e", jsonrpc: "1.0", requestId: "r" };
    if (platform) {
      const answered = new Promise(resolve => { window.bridge.onmessage = ({ data }) => resolve(JSON.parse(data)); });
      window.bridge.postMessage(JSON.stringify(body));
      assert.deepEqual(await answered, { requestId: "r", response: { jsonrpc: "1.0" } });
    } else assert.deepEqual(await window.webkit.messageHandlers.bridge.postMessage(body), { jsonrpc: "1.0" });
    assert.deepEqual(side.received, [{ jsonrpc: "2.0", id: "r", method: "e", params: { jsonrpc: "1.0" } }]);
  }
});

test("S7: what WebKit cannot clone rejects and is not sent", async t => {
  const { side, handlers } = await open(t, () => null);
  for (const body of [() => {}, Symbol("s"), { eventName: "e", f() {} }, [Promise.resolve()], new WeakMap(), (function* () {})()]) {
    await assert.rejects(handlers.bridge.postMessage(body), { name: "DataCloneError", message: "The object can not be cloned." });
  }
  await handlers.bridge.postMessage({ eventName: "fence" });
  assert.deepEqual(side.received.map(({ eventName }) => eventName), ["fence"]);
});

test("S2: faults of the call are rejections with WebKit's texts", async t => {
  const { handlers } = await open(t, () => null);
  const { postMessage } = handlers.bridge;
  await assert.rejects(postMessage({}), { name: "TypeError", message: "Can only call UserMessageHandler.postMessage on instances of UserMessageHandler" });
  await assert.rejects(handlers.bridge.postMessage(), { name: "TypeError", message: "Not enough arguments" });
});

test("a failure rejects with an Error of the native side's text, and its cause has the rest", async t => {
  const { handlers } = await open(t, () => Object.assign(new Error("it's\n\u2028"), { code: 4001, data: [1] }));
  const { error } = await outcome(handlers.bridge.postMessage({ eventName: "e" }));
  assert.deepEqual([error.name, error.message, error.cause.code, error.cause.data], ["Error", "it's\n\u2028", 4001, [1]]);
});

for (const [from, attributes, messageHandlers] of [
  ["the page", { handlers: "bridge:plain" }, {}], ["the server", {}, { bridge: "plain" }], ["the page, against the server", { handlers: "bridge:plain" }, { bridge: "reply" }],
]) {
  test(`S8: plain mode of ${from} resolves undefined, and handleNativeResponse gets the answer`, async t => {
    let arrive;
    const arrived = new Promise(resolve => { arrive = (...all) => void resolve(all); });
    const { window, bridge, handlers } = await open(t, arrive, { attributes, hello: { ...welcome, messageHandlers } });
    const answered = new Promise(resolve => { window.handleNativeResponse = (...all) => resolve(all); });
    assert.equal(await handlers.bridge.postMessage({ eventName: "e", requestId: "r" }), undefined);
    const [message, session] = await arrived;
    session.respond(message, "late");
    assert.deepEqual(await answered, ["late", "r"]);
    await bridge.ready;
    assert.equal(await handlers.bridge.postMessage({ eventName: "unanswered" }), undefined);
  });
}

test("S1: what only the server names is there with its greeting", async t => {
  const { side, window, bridge, handlers } = await open(t, () => 1, { hello: { ...welcome, messageHandlers: { analytics: "plain", store: "reply", "__proto__": "reply" } } });
  assert.equal(handlers.store, undefined);
  await bridge.ready;
  assert.deepEqual(Object.getOwnPropertyNames(handlers), []);
  assert.equal(await handlers.store.postMessage(1), 1);
  assert.equal(await handlers.analytics.postMessage(1), undefined);
  assert.equal(window.webkit.messageHandlers, handlers);
  await bridge.request("fence");
  assert.deepEqual(side.received.map(({ handler, eventName }) => handler ?? eventName), ["store", "analytics", "fence"]);
});

test("S9: a failure under handleNativeResponse is a console error, and no unhandled rejection", async t => {
  const unhandled = [];
  const note = reason => unhandled.push(reason);
  process.on("unhandledRejection", note);
  t.after(() => process.off("unhandledRejection", note));
  for (const attributes of [{}, { handlers: "bridge:plain" }]) {
    const { window, bridge, handlers } = await open(t, message => (message.eventName === "fail" ? Object.assign(new Error("no"), { code: 4001 }) : 1), { attributes });
    await bridge.ready;
    window.handleNativeResponse = () => {};
    const printed = await captured(async () => {
      handlers.bridge.postMessage({ eventName: "fail" });
      await bridge.request("fence");
      await new Promise(setImmediate);
    });
    assert.deepEqual(printed.map(([level]) => level), ["error"]);
    assert.match(printed[0][1], /"fail" failed: no \(4001\)/);
  }
  assert.deepEqual(unhandled, []);
});

test("handleNativeResponse is the main frame's, and one that throws disturbs nothing", async t => {
  const { window, handlers } = await open(t, () => 1);
  window.handleNativeResponse = () => { throw new Error("the page's"); };
  const printed = await captured(async () => assert.equal(await handlers.bridge.postMessage({ eventName: "e" }), 1));
  assert.match(printed[0][1], /the page's/);
  const frame = await open(t, () => 2, { surface: { parent: {} } });
  let calls = 0;
  frame.window.handleNativeResponse = () => calls++;
  assert.equal(await frame.handlers.bridge.postMessage({ eventName: "e" }), 2);
  assert.equal(calls, 0);
});

test("U4: a handler that the server does not know teaches once for each, naming what is near", async t => {
  const { handlers, bridge } = await open(t, ({ handler }) => Object.assign(new Error("Method not found"),
    { code: -32601, data: { handler, nearest: ["store"], help: `no message handler "${handler}"` } }), { attributes: { handlers: "a b" } });
  await bridge.ready;
  const printed = await captured(async () => {
    for (const name of ["a", "b", "a"]) await outcome(handlers[name].postMessage(1));
  });
  assert.deepEqual(printed, [
    ["error", '[bridgehead] no message handler "a" Nearest: store.'], ["error", '[bridgehead] no message handler "b" Nearest: store.'],
  ]);
});

test("data-handlers names handlers and modes, and says what is no mode", async () => {
  const printed = await captured(() => {
    assert.deepEqual([...parseHandlers(" bridge:plain, a  b:reply,c:odd, d:e:plain,")],
      [["bridge", "plain"], ["a", undefined], ["b", "reply"], ["c", undefined], ["d:e", "plain"]]);
  });
  assert.deepEqual(printed.map(([level, text]) => [level, text.includes('"odd" is no mode')]), [["warn", true]]);
});

test("Android's object takes strings only, answers by message events, and its listeners come off", async t => {
  const { side, window } = await open(t, ({ eventName, body, n }) => (n === 0 ? Object.assign(new Error("no"), { code: 4001 }) : body ?? eventName), { attributes: { platform: "android" } });
  assert.equal(window.webkit, undefined);
  const messages = [];
  let wake;
  const count = n => new Promise(resolve => { wake = () => messages.length >= n && resolve(); wake(); });
  const gone = () => assert.fail("was removed");
  window.bridge.addEventListener("message", gone);
  window.bridge.removeEventListener("message", gone);
  window.bridge.addEventListener("message", ({ data }) => { messages.push(data); wake?.(); });
  for (const text of ['{"eventName":"a","requestId":"r"}', '{"eventName":"b"}', "text", '{"eventName":"c","requestId":"f","n":0}']) window.bridge.postMessage(text);
  assert.throws(() => window.bridge.postMessage({ eventName: "a" }), TypeError);
  await count(4);
  assert.deepEqual(messages, ['{"requestId":"r","response":"a"}', '{"response":"b"}', "text", '{"requestId":"f","error":{"code":4001,"message":"no"}}']);
  assert.deepEqual(side.received[0], { eventName: "a", requestId: "r" });
});

test("S1: handlers that the native side adds or removes later come and go at once; one that was kept is refused", async t => {
  const { side, bridge, handlers } = await open(t, ({ body }) => body, { attributes: { handlers: "own" }, hello: { ...welcome, messageHandlers: { bridge: "reply", first: "reply" } } });
  await bridge.ready;
  const [session] = side.sessions;
  const tell = async (messageHandlers) => {
    session.send({ eventName: "$/messageHandlersChanged", messageHandlers });
    session.send({ eventName: "fence", requestId: "f" });
    await session.next((message) => message.requestId === "f");
  };
  const { first } = handlers;
  await tell({ bridge: "reply", second: "plain" });
  assert.deepEqual([..."bridge own first second".split(" ")].map((name) => name in handlers), [true, true, false, true]);
  assert.equal(await handlers.second.postMessage(1), undefined);
  await assert.rejects(first.postMessage(1), { name: "InvalidAccessError", message: "The object does not support the operation or argument." });
  await tell({ bridge: "reply", first: "reply", own: "reply" });
  assert.notEqual(handlers.first, first);
  assert.equal(await handlers.first.postMessage(2), 2);
  await tell({ bridge: "reply" });
  assert.equal("own" in handlers && "bridge" in handlers, true);
});
