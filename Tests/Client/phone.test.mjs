// A page on a phone (PROTOCOL.md, P5 and P6): a window of that name, in a frame or not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { entries, isMainFrame, phoneOf } from "../../web-fixtures/client/phone.mjs";
import { install } from "../../web-fixtures/client/install.mjs";
import { tabId } from "../../web-fixtures/client/tab.mjs";
import { native } from "./support.mjs";
import { event, page } from "./window.mjs";

const named = (name, members = {}) => page({ name, parent: {}, ...members }, { url: "http://localhost:5173/a/start" });

async function open(t, window, attributes = {}) {
  const side = await native(() => null);
  const bridge = install(window, `${side.url}/_bridge/client.js`, attributes, () => {});
  t.after(() => { bridge.close(); return side.close(); });
  await bridge.ready;
  const told = async (name) => {
    await bridge.request("fence");
    return side.sessions[0].received.filter(({ eventName }) => eventName === name);
  };
  return { side, bridge, told };
}

/** A phone's page with what it would do by itself. */
function phonePage(name = "bridgehead-phone:p1:ios") {
  const done = [];
  const window = named(name, {
    navigator: { userAgent: "test", userActivation: { isActive: true } },
    open: (...all) => { done.push(["open", ...all]); return "opened"; },
    alert: (text) => done.push(["alert", text]),
  });
  window.location.assign = (url) => done.push(["assign", url]);
  Object.assign(window.document, {
    baseURI: window.location.href, getElementsByName: (frame) => (frame === "inner" ? [{ localName: "iframe" }] : []),
    querySelector: () => window.base ?? null,
  });
  return { window, done };
}

test("P5: the name of the window says which phone it is, and only a whole one does", () => {
  assert.deepEqual(phoneOf(named("bridgehead-phone:a-1:ios")), { id: "a-1", platform: "ios" });
  assert.deepEqual(phoneOf(named("bridgehead-phone:A_2:android")), { id: "A_2", platform: "android" });
  for (const name of ["", undefined, "bridgehead-phone:", "bridgehead-phone::ios", "bridgehead-phone:a:windows", "bridgehead-phone:a b:ios", "x bridgehead-phone:a:ios", `bridgehead-phone:${"a".repeat(65)}:ios`]) {
    assert.equal(phoneOf(named(name)), undefined, name);
  }
});

test("P5: a page that names its window otherwise is still the phone's", () => {
  const window = named("bridgehead-phone:a:ios");
  assert.ok(isMainFrame(window));
  window.name = "other";
  assert.equal(tabId(window), "phone:a");
});

test("P5: the phone's page is the main frame, in a frame too, with the phone's tab and the browser's list", async t => {
  const urls = Array.from({ length: 3 }, (_, n) => `http://localhost:5173/${n}`);
  const navigation = Object.assign(new EventTarget(), { entries: () => urls.map((url) => ({ url })), currentEntry: { index: 1 }, canGoBack: true, canGoForward: true });
  const { side } = await open(t, named("bridgehead-phone:p1:ios", { navigation }));
  const [{ page: told }] = side.sessions[0].received;
  assert.deepEqual([told.tabId, told.isMainFrame, told.entries], ["phone:p1", true, { urls, index: 1 }]);
});

test("a frame of another name is none, and tells no list", async t => {
  const navigation = Object.assign(new EventTarget(), { entries: () => [{ url: "x" }], currentEntry: { index: 0 } });
  const { side } = await open(t, named("inner", { navigation, sessionStorage: undefined }));
  const [{ page: told }] = side.sessions[0].received;
  assert.deepEqual([told.isMainFrame, "entries" in told, "tabId" in told], [false, false, false]);
});

test("P5: of a long list fifty are told, with the page's own among them", () => {
  const list = (length, index) => entries({ navigation: { entries: () => Array.from({ length }, (_, n) => ({ url: n === 3 ? null : `u${n}` })), currentEntry: { index } } });
  for (const [length, index] of [[1, 0], [50, 49], [51, 0], [51, 50], [200, 100], [200, 199], [200, 10]]) {
    const { urls, index: place } = list(length, index);
    assert.equal(urls.length, Math.min(50, length));
    assert.equal(urls[place], index === 3 ? "about:blank" : `u${index}`, `${index} of ${length}`);
  }
  assert.equal(list(5, 0).urls[3], "about:blank"); // which its policy keeps to itself
  assert.equal(entries({}), undefined);
});

for (const [platform, attribute, hasWebKit] of [["ios", "android", true], ["android", undefined, false]]) {
  test(`P5: the surface is that of the phone's platform: ${platform}`, async t => {
    const window = named(`bridgehead-phone:p:${platform}`);
    await open(t, window, { platform: attribute });
    assert.deepEqual([window.webkit !== undefined, window.bridge !== undefined], [hasWebKit, !hasWebKit]);
  });
}

test("S9, P5: a phone's page is told answers by the convention, as the main frame is", async t => {
  const window = named("bridgehead-phone:p:ios");
  const calls = [];
  window.handleNativeResponse = (...all) => calls.push(all);
  await open(t, window);
  await window.webkit.messageHandlers.bridge.postMessage({ eventName: "x", requestId: "r" });
  assert.deepEqual(calls, [[null, "r"]]);
});

test("P6: window.open is told, and gives null; what stays in the page's own frames is the browser's", async t => {
  const { window, done } = phonePage();
  const { told } = await open(t, window);
  for (const all of [["next"], ["/next", "_blank", "popup"], ["http://other.test/", "named"], ["mailto:a@b.test", ""]]) assert.equal(window.open(...all), null);
  window.navigator.userActivation.isActive = false;
  assert.equal(window.open("javascript:1"), null);
  assert.deepEqual((await told("$/page.window")).map(({ url, hasUserGesture }) => [url, hasUserGesture]), [
    ["http://localhost:5173/a/next", true], ["http://localhost:5173/next", true], ["http://other.test/", true], ["mailto:a@b.test", true], ["javascript:1", false],
  ]);
  assert.equal(window.open(), null);
  assert.throws(() => window.open("http://["), { name: "SyntaxError" });
  assert.deepEqual(done, []);
  for (const target of ["_self", "_PARENT", "_top", "bridgehead-phone:p1:ios"]) assert.equal(window.open("x", target), "opened");
  assert.equal(window.open("x", "inner"), "opened");
  assert.deepEqual(done, [...Array(4).fill(["open", "http://localhost:5173/a/x", "_self"]), ["open", "x", "inner"]]);
  assert.equal((await told("$/page.window")).length, 5);
});

function click(window, link, members = {}) {
  const clicked = event("click", { button: 0, composedPath: () => [{ localName: "b" }, { localName: "a", target: "", hasAttribute: () => false, href: "http://localhost:5173/l", ...link }, window], ...members });
  Object.defineProperty(clicked, "preventDefault", { value: () => (clicked.isKept = true) });
  if (members.isPrevented) Object.defineProperty(clicked, "defaultPrevented", { value: true });
  window.dispatchEvent(clicked);
  return clicked.isKept === true;
}

test("P6: a link to a new window is told; one to above the page stays in it; others are the browser's", async t => {
  const { window, done } = phonePage();
  const { told } = await open(t, window);
  assert.ok(click(window, { target: "_blank" }));
  window.base = { target: "elsewhere" };
  assert.ok(click(window, {}));
  window.base = undefined;
  assert.equal((await told("$/page.window")).length, 2);
  assert.ok(click(window, { target: "_top" }) && click(window, { target: "_parent" }));
  assert.deepEqual(done, Array(2).fill(["assign", "http://localhost:5173/l"]));
  for (const [link, members] of [
    [{}], [{ target: "_self" }], [{ target: "inner" }], [{ href: "" }], [{ target: "_blank", hasAttribute: (name) => name === "download" }], [{ target: "_blank", href: {} }],
    [{ target: "_blank" }, { button: 1 }], [{ target: "_blank" }, { ctrlKey: true }], [{ target: "_blank" }, { metaKey: true }], [{ target: "_blank" }, { isPrevented: true }],
  ]) assert.ok(!click(window, link, members), JSON.stringify([link, members]));
  assert.equal((await told("$/page.window")).length, 2);
});

test("P6: alert is told and returns", async t => {
  const { window, done } = phonePage();
  const { told } = await open(t, window);
  window.alert("hello");
  window.alert(5);
  window.alert();
  assert.deepEqual((await told("$/page.dialog")).map(({ kind, message }) => [kind, message]), [["alert", "hello"], ["alert", "5"], ["alert", ""]]);
  assert.deepEqual(done, []);
});

test("P6: without a connection the browser does it all", async t => {
  const { window, done } = phonePage();
  const { bridge } = await open(t, window);
  bridge.close();
  window.open("/next");
  window.alert("hello");
  assert.ok(!click(window, { target: "_blank" }));
  assert.deepEqual(done, [["open", "/next", "_blank"], ["alert", "hello"]]);
});
