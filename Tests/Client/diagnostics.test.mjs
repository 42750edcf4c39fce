// What the browser or the server refused is named on the console, with the cure: each thing once.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { once } from "node:events";
import { test } from "node:test";
import { backOff } from "../../web-fixtures/client/socket.mjs";
import { install } from "../../web-fixtures/client/install.mjs";
import { captured, native } from "./support.mjs";
import { event, page } from "./window.mjs";

const never = () => { throw new Error("evaluation was not asked for"); };
const WebSocket = createRequire(import.meta.url)("ws");

/** A server that refuses every WebSocket; `health` answers the question why. */
async function refusing(t, health) {
  const server = createServer((request, response) => health(request, response));
  const seen = { upgrades: [] };
  server.on("upgrade", (request, socket) => { seen.upgrades.push(request.url); socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"); });
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => server.close());
  return Object.assign(seen, { url: `http://127.0.0.1:${server.address().port}`, server });
}
const json = (value, status = 200) => (_, response) => { response.writeHead(status, { "Content-Type": "application/json" }); response.end(JSON.stringify(value)); };

/** The first lines that the client prints. */
async function firstLine(t, window, source, attributes = {}) {
  let bridge;
  const line = new Promise((resolve) => {
    for (const level of ["error", "warn", "info"]) {
      const original = console[level];
      console[level] = (text) => resolve([level, text]);
      t.after(() => { console[level] = original; });
    }
    bridge = install(window, source, attributes, never);
  });
  t.after(() => bridge.close());
  return await line;
}

for (const [name, health, attributes, level, text] of [
  ["an origin that is not allowed", json({ status: "ok", originAllowed: false }), {}, "error", /--allow-origin http:\/\/page\.test$/],
  ["a token that is missing", json({}, 401), {}, "error", /asks for a token: load the client with \?token=/],
  ["a refusal of another kind", json({ status: "ok", originAllowed: true }), {}, "error", /is there but refuses the connection/],
  ["a server that drains", json({ status: "draining", originAllowed: true }, 503), {}, "info", /No server at/],
]) {
  test(`U23: ${name} is named`, async t => {
    const { url } = await refusing(t, health);
    assert.deepEqual(await firstLine(t, page({}, { url: "http://page.test/" }), `${url}/_bridge/client.js`, attributes).then(([level, line]) => [level, text.test(line)]), [level, true]);
  });
}

test("a token goes with the socket and, as a header, with the question; one that is not taken is named", async t => {
  const tokens = [];
  const { url, upgrades } = await refusing(t, (request, response) => { tokens.push(request.headers.authorization); response.writeHead(401); response.end("this server asks for the token"); });
  const [, line] = await firstLine(t, page(), `${url}/_bridge/client.js?token=wrong`);
  assert.match(line, /does not take this token/);
  assert.doesNotMatch(line, /wrong/);
  assert.deepEqual([upgrades[0], tokens[0]], ["/_bridge/ws?token=wrong", "Bearer wrong"]);
});

test("a token in data-url goes to that server", async t => {
  const { url, upgrades } = await refusing(t, json({ originAllowed: false }));
  await firstLine(t, page(), "https://app.example.test/client.js", { url: `${url}/?token=abc` });
  assert.equal(upgrades[0], "/_bridge/ws?token=abc");
});

test("mixed content is named, and the page goes on", async t => {
  class Blocked { constructor() { throw new DOMException("insecure", "SecurityError"); } }
  globalThis.WebSocket = Blocked;
  t.after(() => { globalThis.WebSocket = WebSocket; });
  const [level, line] = await firstLine(t, page({}, { url: "https://page.test/" }), "http://server.test:7357/_bridge/client.js");
  assert.equal(level, "error");
  assert.match(line, /mixed content/);
});

for (const [directive, cure] of [["connect-src", "connect-src ws://server.test:7357 http://server.test:7357"], ["script-src-elem", "script-src-elem http://server.test:7357"]]) {
  test(`a Content-Security-Policy is named with what to add to ${directive}`, async t => {
    class Silent { close() {} }
    globalThis.WebSocket = Silent;
    t.after(() => { globalThis.WebSocket = WebSocket; });
    const window = page();
    const printed = await captured(() => {
      const bridge = install(window, "http://server.test:7357/_bridge/client.js", {}, never);
      const violation = { effectiveDirective: directive, disposition: "enforce" };
      for (const other of [{ blockedURI: "https://elsewhere.test/" }, { blockedURI: "inline" }, { blockedURI: "ws://server.test:7357", disposition: "report" }]) {
        window.document.dispatchEvent(event("securitypolicyviolation", { ...violation, ...other }));
      }
      for (let n = 0; n < 3; n++) window.document.dispatchEvent(event("securitypolicyviolation", { ...violation, blockedURI: "ws://server.test:7357/_bridge/ws" }));
      bridge.close();
    });
    assert.equal(printed.length, 1);
    assert.ok(printed[0][1].endsWith(`Add to it: ${cure}`), printed[0][1]);
  });
}

for (const [name, state, level, text] of [["denied", "denied", "error", /local network access is denied/], ["not given yet", "prompt", "error", /has not let this page reach/], ["given", "granted", "info", /No server at/]]) {
  test(`U23: local network access ${name}`, async t => {
    const free = await native();
    const { url } = free;
    await free.close();
    const navigator = { permissions: { query: async () => ({ state }) } };
    const [said, line] = await firstLine(t, page({ navigator }, { url: "http://page.test/" }), `${url}/_bridge/client.js`);
    assert.equal(said, level);
    assert.match(line, text);
  });
}

test("without a server there is one quiet line however often it tries, and the page's calls wait for it", async t => {
  const { random } = Math;
  Math.random = () => 1; // half of the delay
  t.after(() => { Math.random = random; });
  const free = await native();
  const { port, url } = free;
  await free.close();
  let bridge, side;
  const printed = await captured(async () => {
    bridge = install(page(), `${url}/_bridge/client.js`, {}, never);
    const call = bridge.request("e", { n: 1 });
    for (let attempts = 0; attempts < 3;) if (await new Promise((resolve) => bridge.addEventListener("statuschange", () => resolve(bridge.status), { once: true })) === "closed") attempts++;
    side = await native((message) => message.n, { port });
    assert.equal(await call, 1);
  });
  assert.deepEqual(printed.map(([level]) => level), ["info"]);
  assert.match(printed[0][1], /No server at http:\/\/127/);
  bridge.close();
  await side.close();
});

test("back-off doubles from 0.25 s to 15 s, less up to a half", t => {
  const { random } = Math;
  t.after(() => { Math.random = random; });
  for (const [chance, factor] of [[0, 1], [1, 0.5]]) {
    Math.random = () => chance;
    assert.deepEqual([0, 1, 2, 5, 6, 100, 5000].map(backOff), [250, 500, 1000, 8000, 15000, 15000, 15000].map((delay) => delay * factor));
  }
});
