// `$/page.overlays`: the client draws what the native side wants over a connected page, and tells what it measures.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch } from "./chromium.mjs";
import { footer, overlay } from "./overlay-page.mjs";
import { root, site } from "./server.mjs";
import { native } from "../Client/support.mjs";

let browser, pages;
const documents = new Map();
const marker = '<style>body { margin: 0 }</style><div id="box" style="height:100px"></div><div id="app-footer-placeholder"></div>';

before(async () => {
  browser = await launch();
  pages = await site((path) => {
    if (documents.has(path)) return documents.get(path);
    if (!path.startsWith("/_bridge/")) return { status: 204, body: "" };
    return { type: "text/javascript", body: readFileSync(`${root}web-fixtures/client/${path.slice("/_bridge/".length)}`, "utf8") };
  });
});
after(async () => {
  await browser.close();
  await pages.close();
});

async function open(t, { tag = "", policy, port, close = true } = {}) {
  const side = await native(undefined, { port });
  if (close) t.after(() => side.close());
  const path = `/${documents.size}.html`;
  const script = tag === "module" ? 'type="module" src="/_bridge/client.mjs"' : 'src="/_bridge/client.js" nonce="n"';
  documents.set(path, {
    headers: policy ? { "Content-Security-Policy": `${policy}; connect-src ws://127.0.0.1:${side.port} ${side.url}` } : {},
    body: `<!doctype html><title>t</title><script ${script} data-url="${side.url}"></script>${policy ? marker.replace(/<style.*\/style>/, "").replace(/ style="[^"]*"/, "") : marker}`,
  });
  const started = new Promise((resolve) => side.once("session", resolve));
  const page = await browser.open(pages.origin + path);
  t.after(() => page.close());
  return { page, side, session: await started };
}

async function ask(session, wanted) {
  const requestId = `ask${Math.random()}`;
  if (!session.received.some(({ eventName }) => eventName === "$/page.state")) await session.next(({ eventName }) => eventName === "$/page.state");
  const next = session.next((message) => message.requestId === requestId);
  session.send({ eventName: "$/page.overlays", requestId, wanted });
  const { response, error } = await next;
  return error ?? response;
}

const wanted = (...overlays) => ({ overlays, explain: false, safeArea: null });
const told = (session, matches = () => true) => session.next((message) => message.eventName === "$/page.overlays" && matches(message));
const hosts = () => [...document.querySelectorAll("bridgehead-overlay")].map((host) => host.getBoundingClientRect().top);

for (const [name, options] of Object.entries({
  "the classic script": {}, "the module": { tag: "module" },
  "a strict policy": { policy: "default-src 'none'; base-uri 'none'; require-trusted-types-for 'script'; script-src 'nonce-n' 'strict-dynamic'" },
})) {
  test(`with ${name}: asked, it draws and answers; changed, it tells`, async (t) => {
    const { page, session } = await open(t, options);
    const top = options.policy ? 8 : 100;
    assert.equal(await page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => name.includes("overlays.mjs"))), false);
    const measurement = await ask(session, wanted(footer(120), overlay(2, { stacked: true }, 30)));
    assert.deepEqual(measurement.anchors[0], { at: { placeholder: "app-footer-placeholder" }, count: 1, top, height: 120, isRendered: true, clip: null });
    assert.deepEqual(await page.evaluate(hosts), [top, measurement.pageHeight + 120]);
    const change = told(session);
    await page.evaluate(() => document.getElementById("app-footer-placeholder").before("text"));
    const { measurement: next } = await change;
    assert.ok(next.anchors[0].top > top);
    assert.deepEqual(page.console.filter(({ type }) => type === "error"), []);
    await ask(session, wanted());
    assert.equal(await page.evaluate(() => document.documentElement.outerHTML.includes("overlay")), false);
  });
}

test("what is used in a view is told, with the value of a field", async (t) => {
  const { page, session } = await open(t);
  const view = [
    { name: "button", attributes: [["event", "like"], ["autofocus", ""]].slice(0, 1), children: ["Like"] },
    { name: "input", attributes: [["event", "name"], ["aria-label", "Name"]], children: [] },
  ];
  await ask(session, wanted(footer(100, { view, style: "button, input { display: block; width: 200px; height: 40px; margin: 0 }" })));
  const click = async (x, y) => {
    for (const type of ["mousePressed", "mouseReleased"]) await page.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
  };
  let next = told(session, ({ event }) => event);
  await click(50, 120);
  assert.deepEqual((await next).event, { overlay: 1, name: "like", value: null });
  await click(50, 160);
  next = told(session, ({ event }) => event?.value === "hi");
  await page.send("Input.insertText", { text: "hi" });
  assert.deepEqual((await next).event, { overlay: 1, name: "name", value: "hi" });
});

test("what may not be shown is refused with what and why, and nothing changes", async (t) => {
  const { page, session } = await open(t);
  await ask(session, wanted(footer(120)));
  const bad = footer(50, { version: 2, view: [{ name: "script", attributes: [], children: [] }] });
  const { code, data } = await ask(session, wanted(overlay(5, { stacked: true }, 10), bad));
  assert.equal(code, -32602);
  assert.match(data.help, /<script>/);
  assert.equal((await ask(session, {})).code, -32602);
  assert.deepEqual(await page.evaluate(hosts), [100]);
});

test("a module that cannot be loaded is said, and asked for again the next time", async (t) => {
  const { page, session } = await open(t);
  await page.send("Network.setBlockedURLs", { urls: ["*overlays.mjs*"] });
  const { code, data } = await ask(session, wanted(footer(120)));
  assert.equal(code, -32601);
  assert.match(data.reason, /overlays\.mjs could not be loaded/);
  await page.send("Network.setBlockedURLs", { urls: [] });
  const { anchors } = await ask(session, wanted(footer(120)));
  assert.equal(anchors[0].height, 120);
});

test("a native side that comes back draws anew, though its numbers are the same; one that asks for nothing has nothing", async (t) => {
  const first = await open(t, { close: false });
  const { page } = first;
  const view = (text) => footer(120, { view: [{ name: "button", attributes: [["event", text]], children: [text] }], style: "button { width: 300px; height: 100px }" });
  await ask(first.session, wanted(view("old")));
  await page.evaluate(() => { window.before = document.querySelector("bridgehead-overlay"); });
  await first.side.close();
  assert.deepEqual(await page.evaluate(hosts), [100], "while it is away, the room is kept");
  const second = await native(undefined, { port: first.side.port });
  const [session] = second.sessions.length > 0 ? second.sessions : await new Promise((resolve) => second.once("session", (session) => resolve([session])));
  await ask(session, wanted(view("new")));
  const next = told(session, ({ event }) => event);
  for (const type of ["mousePressed", "mouseReleased"]) await page.send("Input.dispatchMouseEvent", { type, x: 50, y: 150, button: "left", clickCount: 1 });
  assert.deepEqual((await next).event, { overlay: 1, name: "new", value: null });
  assert.equal(await page.evaluate(() => document.querySelectorAll("bridgehead-overlays").length), 1);
  await second.close();
  const third = await native(undefined, { port: first.side.port });
  t.after(() => third.close());
  await page.waitFor(() => document.querySelector("bridgehead-overlay") === null);
  assert.equal(await page.evaluate(() => document.querySelector("[data-bridgehead-overlay]")), null);
});
