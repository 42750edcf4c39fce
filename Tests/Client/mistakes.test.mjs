// What a page gets wrong is told where it happens, with the cure, and leaves nothing behind.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { getEventListeners } from "node:events";
import { createRequire } from "node:module";
import { Bridge } from "../../web-fixtures/client/bridge.mjs";
import { BridgeError } from "../../web-fixtures/client/errors.mjs";
import { install } from "../../web-fixtures/client/install.mjs";
import { captured, connect, native, outcome } from "./support.mjs";
import { page } from "./window.mjs";

const WebSocket = createRequire(import.meta.url)("ws");
const never = () => { throw new Error("evaluation was not asked for"); };
let side, bridge;
let answer = () => null;
before(async () => {
  side = await native((message, session) => answer(message, session));
  bridge = connect(side);
  await bridge.ready;
});
after(async () => { bridge.close(); await side.close(); });

const odd = ["text", "50", "", 0, 5, NaN, 1n, true, false, Symbol("s"), [], {}, Object.create(null), () => {}, class {}, new Date(NaN), Promise.resolve(), new AbortController(), new EventTarget(), new Proxy({}, { get() { throw new Error("trap"); } })];
const but = (...kept) => odd.filter((value) => !kept.some((other) => Object.is(value, other)));
const functions = odd.filter((value) => typeof value === "function");

for (const [option, values, text] of [
  ["signal", odd, /"signal" has to be an AbortSignal, such as controller\.signal|trap/],
  ["timeout", [...but(0, 5), new Number(5)], /"timeout" has to be a number of milliseconds/],
  ["onProgress", but(...functions), /"onProgress" has to be a function/],
]) {
  test(`a bad ${option} rejects with what it has to be; nothing waits, nothing is sent`, async () => {
    const from = side.received.length;
    const { signal } = new AbortController();
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const before = timers();
    for (const value of values) {
      const { error } = await outcome(bridge.request("e", {}, { signal, timeout: 60_000, [option]: value }));
      assert.match(error.message, text);
      if (error.message !== "trap") assert.ok(error instanceof TypeError);
      assert.equal(bridge.pendingCount, 0);
    }
    assert.deepEqual([getEventListeners(signal, "abort").length, timers()], [0, before]);
    await bridge.request("fence");
    assert.deepEqual(side.received.slice(from).map(({ eventName }) => eventName), ["fence"]);
  });
}

test("a signal that cannot be listened to rejects, and nothing waits", async () => {
  const broken = { aborted: false, addEventListener() { throw new Error("deaf"); }, removeEventListener() {} };
  const { error } = await outcome(bridge.request("e", {}, { signal: broken, timeout: 60_000 }));
  assert.deepEqual([error.message, bridge.pendingCount], ["deaf", 0]);
});

test("no options are none; options that are no object reject", async () => {
  for (const options of [undefined, null, {}, [], { signal: null, timeout: null, onProgress: null }]) assert.equal(await bridge.request("e", {}, options), null);
  for (const options of odd.filter((value) => typeof value !== "object")) {
    const { error } = await outcome(bridge.request("e", {}, options));
    assert.ok(error instanceof TypeError, String(options));
    assert.match(error.message, /the options have to be an object/);
  }
  const { error } = await outcome(bridge.request("e", {}, { get timeout() { throw new Error("mine"); } }));
  assert.deepEqual([error.message, bridge.pendingCount], ["mine", 0]);
});

test("the protocol's own names are not handled by a page", () => {
  for (const name of ["$/", "$/page.load", "$/anything"]) {
    assert.throws(() => bridge.handle(name, () => {}), (error) => error instanceof TypeError && error.message.includes(`"${name}"`) && /take another name/.test(error.message));
  }
  bridge.handle("$money", () => {})();
});

test("a url that names no server is a TypeError that says what does", () => {
  for (const url of ["ftp://x", "not a url", "", "/", "localhost:7357", "http://[", "http://x:99999", "javascript:1", 5, null, undefined, Symbol("s"), {}, Object.create(null)]) {
    assert.throws(() => new Bridge({ url, WebSocket }), (error) => error instanceof TypeError && /takes a server, such as "http:\/\/localhost:7357"/.test(error.message), String(typeof url));
  }
  assert.throws(() => new Bridge(), /takes a server/);
});

for (const [name, expected, act] of [
  ["a payload that is none", /^\[bridgehead\] "pay" failed: a payload is an object or an array.* \(Invalid params, -32602\)\.$/, (bridge) => outcome(bridge.request("pay", "x"))],
  ["a notification's payload", /"pay" failed: a payload is an object/, (bridge) => assert.throws(() => bridge.notify("pay", "x"))],
  ["what JSON cannot say", /"pay" failed: JSON has no number NaN/, (bridge) => outcome(bridge.request("pay", { a: NaN }))],
  ["a name that is none", /the event's name has to be a string/, (bridge) => outcome(bridge.request(5))],
  ["what the native side explains", /"pay" failed: \$\.a: expected an integer \(Invalid params, -32602\)\./, (bridge) => outcome(bridge.request("pay"))],
  ["a bridge that was closed", /"pay" failed: the bridge was closed by bridge\.close\(\) \(Connection closed, -32004\)\./, (bridge) => { bridge.close(); return outcome(bridge.request("pay")); }],
]) {
  test(`an uncaught error prints its message only; the console has the help, once: ${name}`, async t => {
    answer = () => Object.assign(new Error("Invalid params"), { code: -32602, data: { help: "$.a: expected an integer" } });
    const bridge = connect(side);
    t.after(() => { bridge.close(); answer = () => null; });
    await bridge.ready;
    const printed = await captured(async () => { for (let n = 0; n < 3; n++) await act(bridge); });
    assert.deepEqual(printed.map(([level]) => level), ["error"]);
    assert.match(printed[0][1], expected);
  });
}

test("an application's failure, and help of no known kind, are the page's own affair", async t => {
  const failures = [[4001, { help: "call us" }], [-32602, { help: { toString: 1 } }], [-32601, { help: 5, nearest: [{ toString: 1 }] }], [-32001, undefined], [-32603, "text"]];
  t.after(() => { answer = () => null; });
  const printed = await captured(async () => {
    for (const [code, data] of failures) {
      answer = () => Object.assign(new Error("no"), { code, data });
      assert.equal((await outcome(bridge.request("pay"))).code, code);
    }
  });
  assert.deepEqual(printed, [["error", '[bridgehead] no handler is registered for "pay"']]);
});

test("JSON of an error has its message", () => {
  assert.deepEqual(JSON.parse(JSON.stringify(new BridgeError(4001, "no", { data: [1], eventName: "pay" }))),
    { code: 4001, reason: "application", message: "no", data: [1], eventName: "pay" });
});

for (const [name, attributes, level, text] of [
  ["a platform that there is not", { platform: "Android" }, "error", /data-platform="Android" is no platform: "android" is one/],
  ["an empty platform", { platform: "" }, "error", /data-platform="" is no platform/],
  ["an address that is no URL", { url: "not a url" }, "error", /no server at "not a url": say where it is with data-url="http:/],
  ["an address of another kind", { url: "ftp://x" }, "error", /no server at "ftp:\/\/x"/],
  ["an address without a host", { url: "/there" }, "error", /no server at "\/there"/],
  ["an attribute in the singular", { handler: "a" }, "warn", /data-handler is no attribute of the client: did you mean data-handlers\?/],
  ["an attribute without its hyphen", { allowevaluate: "" }, "warn", /data-allowevaluate .* did you mean data-allow-evaluate\?/],
]) {
  test(`the script tag: ${name} is told`, async () => {
    const printed = await captured(() => install(page({}, { url: "http://localhost/" }), `${side.url}/_bridge/client.js`, attributes, never).close());
    assert.deepEqual(printed.map(([level]) => level), [level]);
    assert.match(printed[0][1], text);
  });
}

test("the script tag: what is right, and what is somebody else's, is not told", async () => {
  for (const attributes of [{}, { url: side.url, handlers: "a:plain", platform: "android", log: "" }, { url: "", platform: undefined }, { cfasync: "false", turboTrack: "reload", id: "1", src: "x", state: "" }]) {
    assert.deepEqual(await captured(() => install(page({}, { url: "http://localhost/" }), `${side.url}/_bridge/client.js`, attributes, never).close()), []);
  }
});
