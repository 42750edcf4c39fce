// A page under a strict Content Security Policy works, or the console names the directive to add (U23 too).
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch } from "./chromium.mjs";
import { serve, site } from "./server.mjs";

let server, browser, pages;
const policies = {};

before(async () => {
  server = await serve();
  browser = await launch({ flags: ["--host-resolver-rules=MAP evil.example 127.0.0.1"] });
  pages = await site(path => {
    const policy = policies[path];
    return policy && { headers: { "content-security-policy": policy.header }, body: policy.body };
  });
});
after(async () => {
  await browser.close();
  await pages.close();
  assert.equal(await server.stop(), 0);
});

const script = (attributes = "") => `<!doctype html><meta charset="utf-8"><title>strict</title>
<script ${attributes} src="${server.origin}/_bridge/client.js"></script>`;
const base = "default-src 'none'; base-uri 'none'; require-trusted-types-for 'script'";

async function openUnder(path, header, body) {
  policies[path] = { header, body };
  return browser.open(pages.origin + path);
}

test("the classic script works where script and connection are allowed by source", async () => {
  const ws = `ws://localhost:${server.port}`;
  const page = await openUnder("/allowed", `${base}; script-src ${server.origin}; connect-src ${ws}`, script());
  const answer = await page.evaluate(() => window.webkit.messageHandlers.bridge.postMessage({ eventName: "getRandomTitle" }));
  assert.match(answer, /^Title: /);
  assert.deepEqual(page.errors, []);
  assert.deepEqual(page.console.filter(line => line.type === "error"), []);
  await page.close();
});

test("the classic script works with a nonce", async () => {
  const ws = `ws://localhost:${server.port}`;
  const page = await openUnder(
    "/nonce", `${base}; script-src 'nonce-abc123' 'strict-dynamic'; connect-src ${ws}`, script('nonce="abc123"'));
  assert.match(
    await page.evaluate(() => window.webkit.messageHandlers.bridge.postMessage({ eventName: "getRandomTitle" })), /^Title: /);
  assert.deepEqual(page.console.filter(line => line.type === "error"), []);
  await page.close();
});

test("a refused connection names the directive and the source to add", async () => {
  const page = await openUnder("/refused", `${base}; script-src ${server.origin}; connect-src 'self'`, script());
  const { text } = await page.waitForConsole(/connect-src .*ws:\/\/localhost:\d+/);
  assert.match(text, new RegExp(`ws://localhost:${server.port}`));
  assert.equal(await page.evaluate(() => typeof window.webkit.messageHandlers.bridge.postMessage), "function");
  await page.close();
});

test("an origin that the server refuses is named with the option that allows it", async () => {
  const page = await browser.open("about:blank");
  policies["/foreign"] = { header: "script-src *; connect-src *", body: script() };
  await page.goto(`http://evil.example:${pages.port}/foreign`);
  const { text } = await page.waitForConsole(/--allow-origin/);
  assert.match(text, new RegExp(`--allow-origin http://evil.example:${pages.port}`));
  await page.close();
});

test("a page whose origin is not its address's is named as the browser names it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bridgehead-page-"));
  const file = join(folder, "page.html");
  writeFileSync(file, script());
  policies["/sandbox"] = { header: "sandbox allow-scripts", body: script() };
  for (const address of [pathToFileURL(file).href, `${pages.origin}/sandbox`]) {
    const page = await browser.open(address);
    const { text } = await page.waitForConsole(/--allow-origin/);
    assert.match(text, /--allow-origin null$/);
    await page.close();
  }
  rmSync(folder, { recursive: true });
  const open = await serve("--allow-origin", "null");
  policies["/let-in"] = { header: "sandbox allow-scripts", body: script().replace(server.origin, open.origin) };
  const page = await browser.open(`${pages.origin}/let-in`);
  assert.equal(await page.evaluate(() => bridgehead.ready.then(() => bridgehead.status)), "open");
  await page.close();
  assert.equal(await open.stop(), 0);
});

test("with no server the page goes on after one quiet line", async () => {
  const gone = await serve();
  const origin = gone.origin;
  const clientText = await (await fetch(`${origin}/_bridge/client.js`)).text();
  assert.equal(await gone.stop(), 0);
  policies["/alone"] = { header: "script-src * 'unsafe-inline'; connect-src *",
    body: `<!doctype html><script src="/own-client.js" data-url="${origin.replace("http", "ws")}/_bridge/ws"></script>
           <script>window.later = "ran";</script>` };
  const own = await site(path => path === "/own-client.js"
    ? { type: "text/javascript", body: clientText } : policies[path] && { body: policies[path].body });
  const page = await browser.open(`${own.origin}/alone`);
  assert.equal(await page.evaluate(() => window.later), "ran");
  // Chromium tells of every attempt, the client once.
  const attempts = () => page.console.filter(({ text }) => /^WebSocket connection to .* failed/.test(text)).length;
  while (attempts() < 3) await page.next("Log.entryAdded", "Runtime.consoleAPICalled");
  const lines = page.console.filter(({ text }) => text.startsWith("[bridgehead]"));
  assert.deepEqual(lines.map(({ type }) => type), ["info"]);
  assert.deepEqual(page.errors, []);
  await page.close();
  await own.close();
});

test("switched off by the address", async () => {
  policies["/off"] = { header: "script-src * 'unsafe-inline'; connect-src *", body: script() };
  for (const [query, expected] of [["?bridgehead=off", "undefined"], ["", "object"]]) {
    const page = await browser.open(`${pages.origin}/off${query}`);
    assert.equal(await page.evaluate(() => typeof window.webkit), expected);
    await page.close();
  }
});
