// The classic script in a real page: what needs a browser, against a native side that a test scripts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch } from "./chromium.mjs";
import { site } from "./server.mjs";
import { native, welcome } from "../Client/support.mjs";

const folder = new URL("../../web-fixtures/client/", import.meta.url);
let browser, pages;
const documents = new Map();

before(async () => {
  browser = await launch({ flags: ["--disable-ipc-flooding-protection"] });
  pages = await site((path) => {
    if (documents.has(path)) return documents.get(path);
    if (!path.startsWith("/_bridge/")) return undefined;
    return { type: "text/javascript", body: readFileSync(new URL(path.slice("/_bridge/".length), folder), "utf8") };
  });
});
after(async () => {
  await browser.close();
  await pages.close();
});

/** A page with the classic script and then `script`, and the session that it opens. */
async function open(t, { script = "", attributes = "", answer, hello = welcome, policy }) {
  const side = await native(answer, { hello });
  t.after(() => side.close());
  const path = `/${documents.size}.html`;
  const headers = policy ? { "Content-Security-Policy": `${policy} ws://127.0.0.1:${side.port} ${side.url}` } : {};
  documents.set(path, {
    headers,
    body: `<!doctype html><title>start</title><script src="/_bridge/client.js" data-url="${side.url}" ${attributes}></script><script nonce="n">${script}</script>`,
  });
  const started = new Promise((resolve) => side.once("session", resolve));
  const page = await browser.open(pages.origin + path);
  const session = await started;
  const ask = async (eventName, params) => {
    const requestId = `ask${Math.random()}`;
    const next = session.next((message) => message.requestId === requestId);
    session.send({ eventName, requestId, ...params });
    const { response, error } = await next;
    return error ?? response;
  };
  await page.evaluate(() => window.bridgehead.ready.then(() => true));
  return { page, side, session, ask };
}

test("U3: WebKit's shape is there for the page's next script", async (t) => {
  const { page } = await open(t, {
    attributes: 'data-handlers="analytics:plain, __proto__ toString"',
    script: `
      const { messageHandlers } = window.webkit, { bridge } = messageHandlers;
      window.shape = {
        tags: [window.webkit, messageHandlers, bridge].map(object => Object.prototype.toString.call(object)),
        names: [Object.keys(window.webkit), Object.getOwnPropertyNames(messageHandlers), Object.keys(messageHandlers)].flat(),
        found: ["bridge" in messageHandlers, "analytics" in messageHandlers, messageHandlers.missing === undefined],
        odd: [String(messageHandlers.__proto__), String(messageHandlers.toString)],
        same: messageHandlers.bridge === bridge,
        length: bridge.postMessage.length,
      };
      const texts = [];
      const { postMessage } = bridge;
      window.rejections = Promise.all([
        postMessage({}), bridge.postMessage(), bridge.postMessage({ f() {} }), bridge.postMessage(document), bridge.postMessage(window),
        bridge.postMessage({ a: Math }), bridge.postMessage(Promise.resolve()),
      ].map(promise => promise.then(() => "resolved", String)));
      window.plain = messageHandlers.analytics.postMessage(1).then(value => value === undefined);
    `,
  });
  assert.deepEqual(await page.evaluate("window.shape"), {
    tags: ["[object WebKitNamespace]", "[object UserMessageHandlersNamespace]", "[object UserMessageHandler]"],
    names: [],
    found: [true, true, true],
    odd: ["[object UserMessageHandler]", "[object UserMessageHandler]"],
    same: true,
    length: 1,
  });
  const clone = "DataCloneError: The object can not be cloned.";
  assert.deepEqual(await page.evaluate("window.rejections"), [
    "TypeError: Can only call UserMessageHandler.postMessage on instances of UserMessageHandler",
    "TypeError: Not enough arguments", clone, clone, clone, clone, clone,
  ]);
  assert.equal(await page.evaluate("window.plain"), true);
});

test("events go as posted, ids in flight are replaced and given back, other bodies are $/postMessage", async (t) => {
  const { page, side } = await open(t, {
    answer: ({ eventName, requestId }) => (eventName === "fail" ? Object.assign(new Error("no\n"), { code: 4001 }) : `${eventName}`),
    script: `
      window.seen = [];
      const { bridge } = window.webkit.messageHandlers;
      window.handleNativeResponse = (...parameters) => window.seen.push(parameters);
      window.answers = Promise.all([
        bridge.postMessage({ eventName: "a", requestId: "r", nested: { $ref: 1 } }),
        bridge.postMessage({ requestId: "r", eventName: "b" }),
        bridge.postMessage({ eventName: "c" }),
        bridge.postMessage({ eventName: "d", requestId: 5, when: new Date(0), un: undefined }),
        bridge.postMessage("text"),
      ]);
      bridge.postMessage({ eventName: "fail", requestId: "f" });
    `,
  });
  assert.deepEqual(await page.evaluate("window.answers"), ["a", "b", "c", "$/postMessage", "$/postMessage"]);
  const [a, b, c, d, e] = side.received;
  assert.deepEqual(a, { eventName: "a", requestId: "r", nested: { $ref: 1 } });
  assert.deepEqual([b.eventName, b.requestId === "r"], ["b", false]);
  assert.equal(typeof c.requestId, "string");
  assert.deepEqual([d.eventName, d.handler, d.body], ["$/postMessage", "bridge", { eventName: "d", requestId: 5, when: { $date: 0 }, un: { $undefined: true } }]);
  assert.deepEqual([e.handler, e.body], ["bridge", "text"]);
  const line = await page.waitForConsole(/"fail" failed/);
  assert.match(line.text, /handleNativeResponse\(response, requestId\) has no channel for failures/);
  assert.deepEqual(await page.evaluate("window.seen"), [["a", "r"], ["b", "r"], ["c", null], ["$/postMessage", 5]]);
  assert.deepEqual(page.errors, []);
});

test("U19: every address once, in order, with its sequence", async (t) => {
  const { page, session } = await open(t, {});
  await page.evaluate(() => {
    history.pushState(null, "", "?a");
    history.replaceState(null, "", "?b");
    location.hash = "c";
    location.hash = "d";
    history.pushState(null, "", "?e");
  });
  const back = session.next(({ eventName, cause }) => eventName === "$/page.url" && cause === "traverse");
  await page.evaluate(() => history.go(-2));
  await back;
  const urls = session.received.filter(({ eventName }) => eventName === "$/page.url");
  const names = urls.map(({ url }) => new URL(url)).map(({ search, hash }) => search + hash);
  assert.deepEqual(names, ["", "?a", "?b", "?b#c", "?b#d", "?e", "?b#c"]);
  assert.deepEqual(urls.map(({ cause }) => cause), ["load", "push", "replace", "push", "push", "push", "traverse"]);
  assert.deepEqual(urls.map(({ sequence }) => sequence), [0, 1, 2, 3, 4, 5, 6]);
});

test("the page's state is told at every change, titles of one turn included", async (t) => {
  const { page, session } = await open(t, {});
  const last = session.next(({ title }) => title === "three");
  await page.evaluate(() => { document.title = "one"; document.title = " two  2 "; document.title = "three"; });
  await last;
  const states = session.received.filter(({ eventName }) => eventName === "$/page.state");
  assert.deepEqual(states.slice(-3).map(({ title }) => title), ["one", "two 2", "three"]);
  assert.deepEqual([states.at(-1).isLoading, states.at(-1).estimatedProgress], [false, 1]);
});

test("$/page.callFunction calls what the page defines, and evaluates nothing", async (t) => {
  const { page, ask } = await open(t, {
    script: `
      function add(a, b) { return a + b; }
      class App { #name = "app"; hello() { return this.#name; } }
      window.app = { ui: new App(), later: async () => ({ ok: [null] }), dom: () => document, fn: () => () => 1, none() {} };
      function fails() { throw new TypeError("it's\\nso"); }
      window.spied = new Proxy(add, {});
      window.bound = add.bind(null, 1);
    `,
  });
  assert.equal(await ask("$/page.callFunction", { name: "add", arguments: [1, 2] }), 3);
  for (const name of ["spied", "bound"]) assert.equal(await ask("$/page.callFunction", { name, arguments: [1, 2] }), name === "bound" ? 2 : 3);
  assert.equal(await ask("$/page.callFunction", { name: "app.ui.hello" }), "app");
  assert.deepEqual(await ask("$/page.callFunction", { name: "app.later" }), { ok: [null] });
  assert.equal(await ask("$/page.callFunction", { name: "app.none" }), null);
  for (const name of ["app.dom", "app.fn"]) assert.equal((await ask("$/page.callFunction", { name })).code, -32011, name);
  const thrown = await ask("$/page.callFunction", { name: "fails" });
  assert.deepEqual([thrown.code, thrown.message, thrown.data.name, thrown.data.message, typeof thrown.data.line],
    [-32010, "TypeError: it's\nso", "TypeError", "it's\nso", "number"]);
  for (const name of ["missing", "app.missing", "app", "eval", "Function", "setTimeout", "constructor.constructor", "app.ui.constructor", "__proto__.x"]) {
    assert.equal((await ask("$/page.callFunction", { name, arguments: ["window.ran = 1"] })).code, -32601, name);
  }
  assert.equal((await ask("$/page.evaluate", { script: "window.ran = 1" })).code, -32601);
  assert.equal((await ask("$/page.load", { url: "javascript:window.ran=1" })).code, -32602);
  assert.equal(await page.evaluate(() => typeof window.ran), "undefined");
});

test("evaluation by WebKit's rules, where the page allows it", async (t) => {
  const { ask } = await open(t, { attributes: "data-allow-evaluate" });
  const evaluate = (script) => ask("$/page.evaluate", { script });
  const call = (body, values) => ask("$/page.call", { body, arguments: values });
  assert.equal(await evaluate("1 + 1"), 2);
  assert.deepEqual(await evaluate("var x = 1"), { $undefined: true });
  assert.equal((await evaluate("Promise.resolve(1)")).code, -32011);
  const thrown = await evaluate("\n\nthrow new Error('bad')");
  assert.deepEqual([thrown.code, thrown.message, thrown.data.line], [-32010, "Error: bad", 3]);
  assert.equal((await evaluate("return 1")).code, -32010);
  assert.equal(await call("return a + b", { a: 40, b: 2 }), 42);
  assert.deepEqual(await call("return [a, await Promise.resolve(2), this === window]", { a: { $date: 5 } }), [{ $date: 5 }, 2, true]);
  assert.equal((await call("return { then: 1 }")).then, 1);
  assert.equal((await call("throw null")).message, "null");
  assert.equal((await call("return 1", { "a){}//": 1 })).code, -32602);
});

test("a Content-Security-Policy without unsafe-eval is named as the reason", async (t) => {
  const { ask } = await open(t, { attributes: "data-allow-evaluate", policy: "default-src 'none'; script-src 'self' 'nonce-n'; connect-src" });
  const { code, data } = await ask("$/page.evaluate", { script: "1" });
  assert.equal(code, -32601);
  assert.match(data.reason, /Content-Security-Policy does not allow evaluation \(script-src 'unsafe-eval'\)/);
});

test("Android's object: strings, message events, no window.webkit", async (t) => {
  const { page, side } = await open(t, {
    attributes: 'data-platform="android"',
    answer: ({ eventName, body }) => (eventName === "$/postMessage" ? body : { eventName }),
    script: `
      window.seen = [];
      window.bridge.onmessage = ({ data }) => window.seen.push(data);
      window.bridge.addEventListener("message", ({ data }) => window.seen.push(data));
      window.bridge.postMessage(JSON.stringify({ eventName: "a", requestId: "r" }));
      window.bridge.postMessage("text");
      try { window.bridge.postMessage({}); } catch (error) { window.thrown = error.name; }
    `,
  });
  await page.waitFor(() => window.seen.length === 4);
  const answer = '{"requestId":"r","response":{"eventName":"a"}}';
  assert.deepEqual(await page.evaluate("window.seen"), [answer, answer, "text", "text"]);
  assert.deepEqual(await page.evaluate("[typeof window.webkit, window.thrown]"), ["undefined", "TypeError"]);
  assert.deepEqual(side.received[0], { eventName: "a", requestId: "r" });
});
