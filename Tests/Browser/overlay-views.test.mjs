// What is in an overlay, and what is left to the page around it.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { classic, footer, overlay, stage } from "./overlay-page.mjs";

let s;
before(async () => { s = await stage(); });
after(() => s.close());

const place = '<div id="app-footer-placeholder"></div>';
const element = (name, attributes = [], children = []) => ({ name, attributes, children });
const form = {
  style: "* { margin: 0; display: block } button, a, input, select { width: 150px; height: 30px } .row { height: 30px }",
  view: [
    element("div", [["class", "row"]], ["just text"]),
    element("button", [["event", "like"]], [element("span", [], ["Like it"])]),
    element("input", [["event", "name"], ["aria-label", "Name"]]),
    element("input", [["event", "agree"], ["type", "checkbox"], ["aria-label", "Agree"]]),
    element("form", [["event", "send"]], [element("button", [], ["Send"])]),
  ],
};

async function click(page, x, y, clickCount = 1) {
  for (const type of ["mousePressed", "mouseReleased"]) await page.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount });
}
async function press(page, key, code = key, text) {
  for (const type of ["keyDown", "keyUp"]) await page.send("Input.dispatchKeyEvent", { type, key, code, text: type === "keyDown" ? text : undefined, windowsVirtualKeyCode: { Tab: 9, Enter: 13, " ": 32 }[key] });
}
const events = (page) => page.evaluate(() => window.told.filter(({ event }) => event).map(({ event }) => `${event.overlay} ${event.name} ${event.value}`));

test("by keyboard and by name: the overlay is reached after the page's own, and has a group's name", async () => {
  const page = await s.open(`<button id="own">Own</button><input id="field">${place}`);
  await page.evaluate((wanted) => { apply(wanted); document.getElementById("own").focus(); }, footer(200, { ...form, label: "Article footer" }));
  await press(page, "Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "field");
  await press(page, "Tab");
  assert.equal(await page.evaluate(() => document.activeElement.localName), "bridgehead-overlay");
  await press(page, " ", "Space", " ");
  await press(page, "Tab");
  await page.send("Input.insertText", { text: "Ada" });
  await press(page, "Tab");
  await press(page, " ", "Space", " ");
  await press(page, "Tab");
  await press(page, "Enter", "Enter", "\r");
  assert.deepEqual(await events(page), ["1 like null", "1 name Ada", "1 agree true", "1 send null"]);
  await page.send("Accessibility.enable");
  const { nodes } = await page.send("Accessibility.getFullAXTree");
  const named = nodes.filter(({ ignored }) => !ignored).map(({ role, name }) => `${role.value} ${name?.value}`);
  for (const wanted of ["group Article footer", "button Like it", "textbox Name", "checkbox Agree", "button Send"]) {
    assert.ok(named.includes(wanted), `no ${wanted} in ${named}`);
  }
  await page.close();
});

test("pointer, keys, focus and selection: outside the overlay they are the page's, inside the page does not see them", async () => {
  const page = await s.open(`<style>body { margin: 0 } p { margin: 0; height: 100px }</style><p id="a">first words</p>${place}<p id="b"><input id="field" style="width:300px;height:50px"></p>`);
  await page.evaluate((wanted) => {
    apply(wanted);
    window.seen = [];
    for (const type of ["pointerdown", "click", "keydown", "input", "focusin"]) document.addEventListener(type, ({ target }) => seen.push(`${type} ${target.id || target.localName}`));
  }, footer(200, form));
  await click(page, 20, 10);
  await click(page, 20, 320);
  await press(page, "x", "KeyX", "x");
  assert.deepEqual(await page.evaluate(() => seen.splice(0)), ["pointerdown a", "click a", "pointerdown field", "focusin field", "click field", "keydown field", "input field"]);
  assert.equal(await page.evaluate(() => document.getElementById("field").value), "x");
  await click(page, 20, 145); // the button
  await click(page, 20, 175); // the field
  await press(page, "y", "KeyY", "y");
  assert.deepEqual(await page.evaluate(() => seen.splice(0)), []);
  assert.deepEqual(await events(page), ["1 like null", "1 name y"]);
  const selected = await page.evaluate(() => { document.activeElement.blur(); getSelection().selectAllChildren(document.documentElement); return String(getSelection()); });
  assert.match(selected, /first words/);
  assert.doesNotMatch(selected, /just text/);
  await click(page, 20, 10, 1);
  await click(page, 20, 10, 2);
  assert.equal(await page.evaluate(() => String(getSelection()).trim()), "first");
  for (const [y, name] of [[50, "a"], [150, "bridgehead-overlay"], [380, "b"]]) {
    assert.equal(await page.evaluate((y) => { const { id, localName } = document.elementFromPoint(350, y); return id || localName; }, y), name);
  }
  await page.close();
});

test("the page can neither reach into a view nor style it", async () => {
  const page = await s.open(`<style>* { display: none !important; color: red } html, body, div { display: block !important } bridgehead-overlay, bridgehead-overlays { display: none !important; opacity: 0 !important; left: 50px !important; transform: scale(2) !important }</style>${place}`);
  const state = await page.evaluate((wanted) => {
    apply(wanted);
    const host = document.querySelector("bridgehead-overlay");
    const { left, width } = host.getBoundingClientRect();
    return [host.shadowRoot, host.childNodes.length, left, width, getComputedStyle(host).opacity, getComputedStyle(host).color];
  }, footer(100));
  assert.deepEqual(state, [null, 0, 0, 400, "1", "rgb(0, 0, 0)"]);
  await page.close();
});

test("what could run, frame or load something else is refused by name, and nothing changes", async () => {
  const page = await s.open(place);
  const refused = await page.evaluate((good, list) => {
    apply(good);
    const before = document.documentElement.outerHTML;
    return list.map(([view, style]) => {
      try {
        apply({ ...good, version: 2, height: 10, view, style });
        return "taken";
      } catch (error) {
        if (!(error instanceof TypeError) || document.documentElement.outerHTML !== before) return `changed by ${error}`;
        return error.message;
      }
    });
  }, footer(50), [
    ...["script", "iframe", "style", "object", "embed", "link", "base", "meta", "svg", "SCRIPT", "template", "x-y", "constructor", ""].map((name) => [[element(name)], ""]),
    [[null], ""], [[5], ""],
    ...[["onclick", "x"], ["ONCLICK", "x"], ["style", "x"], ["srcdoc", "x"], ["formaction", "x"], ["is", "x"], ["xlink:href", "x"], ["autofocus", ""], ["slot", "x"], ["href", "https://a.example"], ["class", 5]]
      .map((attribute) => [[element("p", [attribute])], ""]),
    ...["javascript:alert(1)", " java\nscript:alert(1)", "JAVASCRIPT:x", "data:text/html,x", "//a.example", "page.html", "", "\u0001javascript:x", "blob:https://a.example/x", "file:///x"].map((href) => [[element("a", [["href", href]])], ""]),
    [[element("img", [["src", "data:image/png,x"]])], ""], [[element("input", [["type", "image"], ["src", "https://a.example"]])], ""], [[element("input", [["type", "file"]])], ""],
    ...["@import 'https://a.example'", "@\\69mport 'x'", "p { background: url(data:x) }", "p { background: URL( 'javascript:x' ) }", "p { background: u\\72l(//x) }", "p { background: ur/**/l(x) } a { b: url(file:x) }", "p { background: image-set('x.png' 1x) }"].map((style) => [[], style]),
  ]);
  assert.deepEqual(refused.filter((text) => !/^(A native view may not have|The style of a native view may not have) /.test(text)), []);
  for (const part of ["<script>", "onclick", "srcdoc", "java\\nscript"]) assert.ok(refused.some((text) => text.includes(part)), part);
  const links = element("a", [["href", " https://a.example/\n"], ["event", "open"]], ["<b onclick=x>&amp;"]);
  assert.equal(await page.evaluate((wanted) => apply(wanted).anchors[0].height, footer(60, { version: 3, view: [links], style: "a { background: url(https://a.example/x.png) }" })), 60);
  for (const height of [-1, NaN, "12", null, undefined, Infinity]) {
    await assert.rejects(page.evaluate(`apply(${JSON.stringify(footer(50))} && { ...${JSON.stringify(footer(50))}, height: ${typeof height === "string" ? `"${height}"` : height} })`), /TypeError: The height of an overlay/, String(height));
  }
  await page.close();
});

test("a view is made anew for another version only, and keeps the focus and what was typed otherwise", async () => {
  const page = await s.open(place);
  await page.evaluate((wanted) => { apply(wanted); }, footer(200, form));
  await click(page, 20, 85);
  await page.send("Input.insertText", { text: "a" });
  await page.evaluate((wanted, other) => { apply(wanted); apply({ ...wanted, height: 210 }, other); apply(other, wanted); }, footer(200, form), overlay(2, { stacked: true }, 30));
  await page.send("Input.insertText", { text: "b" });
  assert.deepEqual(await events(page), ["1 name a", "1 name ab"]);
  await page.close();
});

test("in a world of its own, from one classic script, under the strictest policy", async () => {
  const page = await s.open(`<h1>Strict</h1>${place}<p>text</p>`, { headers: { "content-security-policy": "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'; sandbox allow-scripts" }, inject: false });
  const { frameTree } = await page.send("Page.getFrameTree");
  const { executionContextId } = await page.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id, worldName: "overlays" });
  const run = async (expression) => {
    const { result, exceptionDetails } = await page.send("Runtime.evaluate", { contextId: executionContextId, expression, returnByValue: true, awaitPromise: true });
    assert.equal(exceptionDetails, undefined, exceptionDetails?.exception?.description);
    return result.value;
  };
  const wanted = { overlays: [footer(120, form), overlay(2, { endOfContent: true }, 40), overlay(3, { stacked: true }, 50)], explain: true, safeArea: { top: 59, right: 0, bottom: 34, left: 0 } };
  await run(`${classic()}; globalThis.told = []; globalThis.overlays = new bridgeheadOverlays.Overlays(globalThis, (message) => told.push(message)); 0`);
  const { anchors } = await run(`overlays.apply(${JSON.stringify(wanted)})`);
  assert.deepEqual(anchors.map(({ height }) => height), [120, 40, 50]);
  assert.deepEqual(await page.evaluate(() => [
    typeof window.bridgeheadOverlays, document.querySelectorAll("bridgehead-overlay").length, document.getElementById("app-footer-placeholder").offsetHeight,
    getComputedStyle(document.documentElement).getPropertyValue("--safe-area-inset-top"), getComputedStyle(document.documentElement).getPropertyValue("--safe-area-inset-bottom"),
  ]), ["undefined", 4, 120, "59px", "34px"]);
  await click(page, 20, anchors[0].top + 45);
  assert.deepEqual(await run("told.filter(({ event }) => event)"), [{ event: { overlay: 1, name: "like", value: null } }]);
  // The world's module and the page's prototypes are apart; the page sees the elements only.
  await page.evaluate(() => { document.adoptedStyleSheets = []; document.querySelector("h1").style.height = "300px"; });
  await page.waitFor(() => document.getElementById("app-footer-placeholder").offsetHeight === 120);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  const [host, marker] = await page.evaluate(() => [document.querySelector("bridgehead-overlay"), document.getElementById("app-footer-placeholder")].map((element) => element.getBoundingClientRect().top));
  assert.equal(host, marker);
  assert.deepEqual(page.console.filter(({ type }) => type === "error"), []);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("asked before the document has anything, it draws when it has", async () => {
  const page = await s.open("<p>first</p>", { inject: false });
  const source = `${classic()}; globalThis.overlays = new bridgeheadOverlays.Overlays(globalThis, () => {}); overlays.apply(${JSON.stringify({ overlays: [footer(120), overlay(2, { endOfContent: true }, 40)] })});`;
  const { identifier } = await page.send("Page.addScriptToEvaluateOnNewDocument", { source, worldName: "overlays" });
  await page.reload();
  await page.evaluate(() => document.body.insertAdjacentHTML("afterbegin", '<div id="app-footer-placeholder"></div>'));
  await page.waitFor(() => document.querySelectorAll("bridgehead-overlay").length === 2 && document.querySelector("bridgehead-overlay").getBoundingClientRect().height === 120);
  assert.equal(await page.evaluate(() => document.documentElement.lastElementChild.localName), "bridgehead-overlays");
  assert.deepEqual(page.errors, []);
  await page.send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
  await page.close();
});

test("a page written from right to left, also one that is wider than the screen", async () => {
  for (const wide of [false, true]) {
    const page = await s.open(`<html dir="rtl"><style>body { margin: 0 }</style><p style="margin:0;height:50px;${wide ? "width:900px" : ""}">שלום</p>${place}`, { viewport: { width: 400, height: 800 } });
    const [hosts, room, scroll] = await page.evaluate((wanted) => { apply(wanted); const found = hosts(); scrollTo(-1e4, 0); apply(wanted); return [[...found, ...hosts()], marker(), scrollX]; }, footer(120));
    assert.deepEqual(hosts, Array(2).fill({ top: 50, left: 0, width: 400, height: 120 }));
    assert.equal(room.height, 120);
    assert.equal(scroll, wide ? -500 : 0);
    await page.close();
  }
});

test("explain draws the marker, the overlay and the numbers over them, and takes nothing from the pointer", async (t) => {
  const page = await s.open(`<style>body { font: 16px sans-serif; margin: 16px }</style><h1>Article</h1><p>${"Some words of an article. ".repeat(20)}</p>${place}<p>More of it.</p>`);
  const list = [footer(120, { style: "div { height: 100%; background: #def; border-radius: 12px; display: grid; place-items: center }" }), overlay(2, { endOfContent: true }, 60), overlay(3, { stacked: true }, 80)];
  const [was, now, at] = await page.evaluate(async (list) => {
    want({ overlays: list, explain: false });
    const was = document.documentElement.outerHTML;
    const measured = JSON.stringify(want({ overlays: list, explain: true }));
    if (measured !== JSON.stringify(want({ overlays: list, explain: false }))) throw new Error("explaining changes what is measured");
    const now = document.documentElement.outerHTML;
    want({ overlays: list, explain: true });
    return [was, now, document.elementFromPoint(30, 30).localName];
  }, list);
  assert.equal(now, was);
  assert.equal(at, "h1");
  if (process.env.SCREENSHOTS) writeFileSync(`${process.env.SCREENSHOTS}/explain.png`, await page.screenshot());
  await page.close();
});
