// A page on a phone in a real browser (PROTOCOL.md, section 7): in a frame of another page, which the shell is.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch } from "./chromium.mjs";
import { site } from "./server.mjs";
import { native } from "../Client/support.mjs";

const folder = new URL("../../web-fixtures/client/", import.meta.url);
let browser, pages;
const documents = new Map();

before(async () => {
  browser = await launch();
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

let count = 0;

/** A page in a frame of that name, and the native side, which has heard its greeting. */
async function open(t, name, body = "", head = "") {
  const side = await native(() => null);
  t.after(() => side.close());
  count++;
  const [outer, inner, next] = ["/outer", "/inner", "/next"].map((path) => `/${count}${path}`);
  const client = `<script src="/_bridge/client.js" data-url="${side.url}"></script>`;
  documents.set(outer, `<!doctype html><title>outer</title><iframe id=page name="${name}" src="${inner}"></iframe>`);
  documents.set(inner, `<!doctype html><title>inner</title>${head}${client}${body}`);
  documents.set(next, `<!doctype html><title>next</title>${client}`);
  const greeted = (document) => new Promise((resolve) => {
    side.on("session", (session) => session.on("message", ({ eventName, page }) => {
      if (eventName === "$/hello" && page.url.endsWith(document)) resolve({ session, page });
    }));
  });
  const first = greeted(inner);
  const page = await browser.open(pages.origin + outer);
  t.after(() => page.close());
  const { session, page: told } = await first;
  const inFrame = (script) => page.evaluate(`document.getElementById("page").contentWindow.eval(${JSON.stringify(script)})`);
  return { side, page, session, told, inFrame, greeted, inner: pages.origin + inner, next: pages.origin + next };
}

const pushed = (session, name) => session.next(({ eventName }) => eventName === name);

test("the page in the frame is the phone's main frame, and tells its list when it connects again", async (t) => {
  const { told, session, inFrame, greeted, inner, next } = await open(t, "bridgehead-phone:p1:ios");
  assert.deepEqual([told.tabId, told.isMainFrame, told.entries], ["phone:p1", true, { urls: [inner], index: 0 }]);
  const moved = pushed(session, "$/page.url");
  await inFrame('history.pushState(null, "", "#a")');
  await moved;
  const again = greeted("#a");
  session.socket.close(1012);
  assert.deepEqual((await again).page.entries, { urls: [inner, `${inner}#a`], index: 1 });
  const second = greeted("/next");
  await inFrame(`location.assign(${JSON.stringify(next)})`);
  const { page } = await second;
  assert.deepEqual([page.tabId, page.navigationType, page.entries.urls, page.entries.index], ["phone:p1", "push", [inner, `${inner}#a`, next], 2]);
});

test("a frame of another name is a frame", async (t) => {
  const { told } = await open(t, "other");
  assert.deepEqual([told.isMainFrame, told.entries], [false, undefined]);
});

test("a view that shows the phone and has a native side of its own is not the page's", async (t) => {
  const { told } = await open(t, "bridgehead-phone:abc:ios", "", "<script>window.webkit = { messageHandlers: { bridge: { postMessage() {} } } };</script>");
  assert.equal(told.isMainFrame, true);
});

test("the platform is the phone's", async (t) => {
  const { inFrame } = await open(t, "bridgehead-phone:p2:android");
  assert.deepEqual(await inFrame("[typeof bridge.postMessage, typeof webkit]"), ["function", "undefined"]);
});

test("windows are told, by scripts and by links, and the page above stays", async (t) => {
  const body = '<a id=blank target=_blank href="next?1">a</a> <a id=top target=_top href="next?2"><b>a</b></a>';
  const { page, session, inFrame, greeted, next } = await open(t, "bridgehead-phone:p3:ios", body);
  let told = pushed(session, "$/page.window");
  assert.equal(await inFrame('window.open("next", "w")'), null);
  assert.deepEqual([(await told).url, (await told).hasUserGesture], [next, true]);
  told = pushed(session, "$/page.window");
  await inFrame('document.getElementById("blank").click()');
  assert.equal((await told).url, `${next}?1`);
  const there = greeted("/next?2");
  await inFrame('document.querySelector("#top b").click()');
  assert.equal((await there).page.tabId, "phone:p3");
  assert.equal(await page.evaluate("document.title"), "outer");
});

test("an alert is told and does not hold the page up", async (t) => {
  const { session, inFrame } = await open(t, "bridgehead-phone:p4:ios");
  const told = pushed(session, "$/page.dialog");
  assert.equal(await inFrame('alert("hello"); 5'), 5);
  assert.deepEqual([(await told).kind, (await told).message], ["alert", "hello"]);
});
