// The page as the native side sees it and what it may ask of it (PROTOCOL.md, section 7), with a small fake of a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { callFunction } from "../../web-fixtures/client/functions.mjs";
import { page as pagePart } from "../../web-fixtures/client/page.mjs";
import { install } from "../../web-fixtures/client/install.mjs";
import { captured, native, outcome, welcome } from "./support.mjs";
import { event, page } from "./window.mjs";

const never = () => { throw new Error("evaluation was not asked for"); };

/** A history such as the browser keeps it, without the Navigation API. */
function browser(options) {
  const window = page({}, { url: "http://localhost/start", ...options });
  const move = (url) => { window.location.href = new URL(url, window.location.href).href; };
  window.history = { length: 1, pushState: (_state, _title, url) => move(url), replaceState: (_state, _title, url) => move(url), go() {} };
  window.go = (url, type) => { const oldURL = window.location.href; move(url); window.dispatchEvent(event(type, { oldURL, newURL: window.location.href })); };
  return window;
}

async function open(t, window, attributes = {}) {
  const side = await native(({ eventName, requestId }) => (eventName === undefined || requestId === undefined ? undefined : null));
  const bridge = install(window, `${side.url}/_bridge/client.js`, attributes, never);
  t.after(() => { bridge.close(); return side.close(); });
  await bridge.ready;
  const [session] = side.sessions;
  const told = async (name) => {
    await bridge.request("fence");
    return session.received.filter(({ eventName }) => eventName === name);
  };
  let id = 0;
  const ask = (eventName, params) => {
    const requestId = `ask${id++}`;
    const answered = session.next((message) => message.requestId === requestId);
    session.send({ eventName, requestId, ...params });
    return answered.then(({ response, error }) => error ?? response);
  };
  return { side, bridge, session, told, ask };
}

test("U19, P3: pushState, replaceState, fragments and traversal without the Navigation API: each once, in order", async t => {
  const window = browser();
  const { told } = await open(t, window);
  for (let n = 0; n < 100; n++) window.history.pushState(null, "", `/p${n}`);
  window.history.replaceState(null, "", "/r");
  window.history.replaceState(null, "", "/r");
  window.go("#f", "hashchange");
  window.location.href = "http://localhost/r#g"; // set in this turn; its event comes after the push
  window.history.pushState(null, "", "/q");
  window.dispatchEvent(event("hashchange", { newURL: "http://localhost/r#g" }));
  window.go("/r#g", "popstate");
  const urls = await told("$/page.url");
  assert.deepEqual(urls.map(({ url, cause }) => `${cause} ${url.slice("http://localhost".length)}`), [
    "load /start", ...Array.from({ length: 100 }, (_, n) => `push /p${n}`), "replace /r", "push /r#f", "push /r#g", "push /q", "traverse /r#g",
  ]);
  assert.deepEqual(urls.map(({ sequence }) => sequence), [...urls.keys()]);
});

test("P3: fragments set in one turn are each told, without the Navigation API", async t => {
  const window = browser();
  const { told } = await open(t, window);
  const addresses = ["start", "start#a", "start#b", "start#c"].map((name) => `http://localhost/${name}`);
  const steps = addresses.slice(1).map((newURL, index) => ({ oldURL: addresses[index], newURL }));
  window.location.href = addresses.at(-1); // set three times; the events come when the turn is over
  for (const step of steps) window.dispatchEvent(event("hashchange", step));
  window.history.pushState(null, "", "/start");
  for (const step of steps) window.dispatchEvent(event("hashchange", step)); // told already
  const urls = await told("$/page.url");
  assert.deepEqual(urls.map(({ url }) => url), [...addresses, "http://localhost/start"]);
});

test("P3: with the Navigation API the browser's own causes and indexes are told", async t => {
  const window = browser();
  window.navigation = Object.assign(new EventTarget(), { currentEntry: { index: 0 }, canGoBack: false, canGoForward: false });
  const { told } = await open(t, window);
  const change = (url, index, navigationType) => {
    window.location.href = new URL(url, window.location.href).href;
    window.navigation.currentEntry = { index };
    window.navigation.canGoBack = index > 0;
    window.navigation.dispatchEvent(event("currententrychange", { navigationType }));
  };
  change("/a", 1, "push");
  change("/a", 1, null); // updateCurrentEntry: no navigation
  change("/a", 2, "push"); // the same address, another entry
  change("/a", 2, "replace"); // nothing changes
  change("/start", 0, "traverse");
  assert.deepEqual((await told("$/page.url")).map(({ cause, index, sequence }) => [cause, index, sequence]),
    [["load", 0, 0], ["push", 1, 1], ["push", 2, 2], ["traverse", 0, 3]]);
  assert.deepEqual((await told("$/page.state")).map(({ canGoBack }) => canGoBack), [false, true, false]);
});

test("P3: loading is told by its stages, and a state that did not change is not told again", async t => {
  const window = browser({ readyState: "loading" });
  const { told } = await open(t, window);
  window.document.readyState = "interactive";
  window.document.dispatchEvent(new Event("readystatechange"));
  window.document.readyState = "complete";
  window.document.dispatchEvent(new Event("readystatechange"));
  window.dispatchEvent(new Event("load"));
  window.dispatchEvent(new Event("load"));
  assert.deepEqual((await told("$/page.state")).map(({ isLoading, estimatedProgress }) => [isLoading, estimatedProgress]), [[true, 0.1], [true, 0.5], [false, 1]]);
});

test("what is told before the session is open comes with it; without a server nothing piles up", async t => {
  const window = browser();
  const side = await native();
  const bridge = install(window, `${side.url}/_bridge/client.js`, {}, never);
  t.after(() => { bridge.close(); return side.close(); });
  window.history.pushState(null, "", "/early");
  await bridge.ready;
  const [session] = side.sessions;
  if (!session.received.some(({ url }) => url?.endsWith("/early"))) await session.next(({ url }) => url?.endsWith("/early"));
  assert.deepEqual(session.received.filter(({ eventName }) => eventName === "$/page.url").map(({ sequence }) => sequence), [0, 1]);
});

test("P1, U2: a name without handler waits for the page's load, runs once, else is -32601", async t => {
  const window = browser({ readyState: "interactive" });
  const { bridge, ask, session } = await open(t, window);
  let runs = 0;
  const claimed = ask("claimed", { n: 1 });
  const missing = ask("missing");
  session.send({ eventName: "claimed" });
  await ask("$/fence");
  bridge.handle("claimed", ({ n }) => { runs++; return n; });
  assert.equal(await claimed, 1);
  assert.equal(runs, 2);
  window.addEventListener("load", () => bridge.handle("atLoad", () => "in time"));
  const atLoad = ask("atLoad");
  await ask("$/fence");
  window.dispatchEvent(new Event("load"));
  assert.equal(await atLoad, "in time");
  assert.equal((await missing).code, -32601);
  assert.equal((await ask("missing")).code, -32601);
  assert.equal(runs, 2);
});

test("a request that waits for load can be cancelled", async t => {
  const window = browser({ readyState: "interactive" });
  const { bridge, ask, session } = await open(t, window);
  const waiting = ask("later");
  session.send({ eventName: "$/cancelRequest", id: "ask0" });
  assert.equal((await waiting).code, -32800);
  let runs = 0;
  bridge.handle("later", () => runs++);
  await ask("$/fence");
  assert.equal(runs, 0);
});

for (const [path, values, expected] of [
  ["add", [1, 2], 3], ["app.ui.who", [], "ui"], ["self", [], true], ["later", [1], { ok: 1 }], ["nothing", [], undefined], ["app.Type.make", [], "Type"], ["bound", [], "bound"],
  ["missing", [], -32601], ["app.missing.x", [], -32601], ["app", [], -32601], ["", [], -32602], ["a..b", [], -32601], ["eval", [], -32601], ["setTimeout", [], -32601],
  ["app.constructor", [], -32601], ["add.call", [], -32601], ["add.constructor", [], -32601], ["own.constructor", [], -32601], ["own.__proto__.x", [], -32601], ["text.length", [], -32601],
  ["throws", [], -32010], ["rejects", [], -32010], ["throwsNothing", [], -32010], ["app.trap.x", [], -32010], ["unnamed", [], "ran"],
  ["proxied", [1, 2], 3], ["proxiedUnnamed", [], "ran"], ["proxiedBound", [], "bound"], ["proxiedClass.make", [], "Type"], ["proxiedApp.ui.who", [], "ui"], ["proxiedTwice", [1, 2], 3],
  ["revoked", [], -32010], ["trapped", [], -32010], ["trapping.x", [], -32010], ["hidden.x", [], -32601], ["parseInt", ["1"], -32601], ["boundAway", [], "bound"],
  ["givesFunction", [], -32011], ["givesSymbol", [], -32011], ["givesCycle", [], -32011], ["givesPromiseOfFunction", [], -32011], ["givesBigInt", [], -32011],
]) {
  test(`$/page.callFunction of ${path || "no path"}`, async () => {
    const cycle = []; cycle.push(cycle);
    const revoked = Proxy.revocable(() => {}, {}); revoked.revoke();
    class Type { static name_ = "Type"; static make() { return this.name_; } }
    const window = browser();
    Object.assign(window, {
      own: new Type(), eval, setTimeout: parseInt, text: "text", add: (a, b) => a + b, self() { return this === window; }, later: async (v) => ({ ok: v }), nothing() {}, bound: function () { return this.v; }.bind({ v: "bound" }),
      app: { ui: { name: "ui", who() { return this.name; } }, Type, get trap() { throw new TypeError("trap"); } },
      throws() { throw new TypeError("it's\nso"); }, rejects: () => Promise.reject("why"), throwsNothing() { throw undefined; }, unnamed: Object.defineProperty(() => "ran", "name", { value: undefined }),
      proxied: new Proxy((a, b) => a + b, {}), proxiedUnnamed: new Proxy((() => () => "ran")(), {}), proxiedTwice: new Proxy(new Proxy(function add(a, b) { return a + b; }, {}), {}),
      proxiedClass: new Proxy(Type, {}), revoked: revoked.proxy, trapped: new Proxy(() => {}, { get() { throw new Error("get"); }, apply() { throw new Error("apply"); } }),
      trapping: new Proxy({}, { getOwnPropertyDescriptor() { throw new Error("own"); } }), hidden: new Proxy({}, { getPrototypeOf: () => null }), parseInt,
      givesFunction: () => () => {}, givesSymbol: () => Symbol("s"), givesCycle: () => cycle, givesPromiseOfFunction: async () => () => {}, givesBigInt: () => 1n,
    });
    Object.assign(window, { proxiedApp: new Proxy(window.app, {}), proxiedBound: new Proxy(window.bound, {}), boundAway: Object.defineProperty(window.bound.bind(), "name", { value: "other" }) });
    const { code, value } = await outcome(callFunction(window, { name: path, arguments: values }));
    if (typeof expected === "number" && expected < -1000) assert.equal(code, expected);
    else assert.deepEqual([code, value], [undefined, expected]);
  });
}

test("-32010 says name, message, stack and where", async () => {
  const { error } = await outcome(callFunction(browser(), { name: "x.y" }));
  assert.equal(error.data.reason, "the page has no x");
  const window = Object.assign(browser(), { throws() { throw new TypeError("it's\nso"); } });
  const { error: { message, data } } = await outcome(callFunction(window, { name: "throws" }));
  assert.deepEqual([message, data.name, data.message, typeof data.line, typeof data.column], ["TypeError: it's\nso", "TypeError", "it's\nso", "number", "number"]);
  assert.match(data.stack, /page\.test\.mjs/);
});

test("a function that a later script defines is waited for until load", async () => {
  const window = browser({ readyState: "loading" });
  const answered = callFunction(window, { name: "late", arguments: [2] });
  window.late = (n) => n * 2;
  window.document.readyState = "complete";
  window.dispatchEvent(new Event("load"));
  assert.equal(await answered, 4);
});

test("navigation is answered before it begins, and only with what may be loaded", async t => {
  const window = browser();
  const begun = [];
  Object.assign(window.location, { assign: (url) => begun.push(["load", url]), reload: () => begun.push(["reload"]) });
  Object.assign(window, { stop: () => begun.push(["stop"]) });
  window.history.go = (delta) => begun.push(["go", delta]);
  const { ask } = await open(t, window);
  for (const [name, params, code] of [
    ["load", { url: "javascript:alert(1)" }, -32602], ["load", { url: "file:///etc/passwd" }, -32602], ["load", { url: 5 }, -32602], ["load", {}, -32602], ["load", { url: "http://[" }, -32602],
    ["go", { delta: 1.5 }, -32602], ["go", {}, -32602], ["evaluate", { script: "1" }, -32601], ["call", { body: "1" }, -32601],
  ]) assert.equal((await ask(`$/page.${name}`, params)).code, code, `${name} ${JSON.stringify(params)}`);
  assert.match((await ask("$/page.evaluate", { script: "1" })).data.reason, /data-allow-evaluate/);
  assert.deepEqual(begun, []);
  for (const [name, params, action] of [["load", { url: "/next" }, ["load", "http://localhost/next"]], ["reload", {}, ["reload"]], ["stop", {}, ["stop"]], ["go", { delta: -1 }, ["go", -1]]]) {
    assert.equal(await ask(`$/page.${name}`, params), null);
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(begun.pop(), action);
  }
  const core = { greeted: new Set(), protocol: new Map(), tell() {} };
  pagePart(window)(core);
  assert.equal(core.protocol.get("$/page.stop")({}), null);
  assert.deepEqual(begun, []); // not yet
});

test("H5: pagehide closes with 1000 and fails what is in flight; a persisted pageshow opens a new session", async t => {
  const window = browser();
  const { side, bridge, session } = await open(t, window);
  const closed = new Promise((resolve) => session.socket.once("close", resolve));
  side.removeAllListeners("session");
  const hanging = outcome(new Promise((resolve, reject) => {
    const held = bridge.request("fence");
    window.dispatchEvent(new Event("pagehide"));
    held.then(resolve, reject);
  }));
  assert.equal((await hanging).code, -32004);
  assert.equal(await closed, 1000);
  const opened = new Promise((resolve) => side.once("session", resolve));
  window.dispatchEvent(event("pageshow", { persisted: false }));
  assert.equal(bridge.status, "closed");
  const waiting = bridge.request("after");
  window.dispatchEvent(event("pageshow", { persisted: true }));
  await opened;
  assert.equal(await waiting, null);
  assert.equal(side.sessions.length, 2);
});
