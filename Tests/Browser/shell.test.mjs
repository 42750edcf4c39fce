// The phone's view, in real Chromium: all it shows is the state that a native side sends, and all that is pressed is told.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { launch } from "./chromium.mjs";
import { devices, fakeShell } from "./fake-shell.mjs";

let browser, shell, page;

/** Tells its opener or parent what it is told, and each key it gets. */
const told = `<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><title>Told</title><h1>Told</h1><input aria-label="Field" autofocus>
<script>
  const tell = (what) => (window.opener ?? parent).postMessage({ name: window.name, dark: matchMedia("(prefers-color-scheme: dark)").matches, ...what }, "*");
  addEventListener("keydown", ({ key }) => tell({ key }));
  onmessage = ({ data }) => data === "focus" ? (document.querySelector("input").focus(), tell({ focused: true })) : tell({ asked: data });
  tell({ loaded: location.search, width: innerWidth, height: innerHeight });
</script>`;

before(async () => { browser = await launch(); });
after(() => browser.close());
beforeEach(async () => {
  shell = await fakeShell((path) => path === "/told" ? told : undefined);
  page = await browser.open("about:blank", { viewport: { width: 1280, height: 960 } });
  // What frames and windows tell, from the first on.
  await page.send("Page.addScriptToEvaluateOnNewDocument", { source: "if (window === top) { window.told = []; addEventListener('message', ({ data }) => told.push(data)); }" });
});
afterEach(async () => {
  const errors = page.errors;
  await page.close();
  await shell.kill().catch(() => {});
  assert.deepEqual(errors, []);
});

/** Opens the shell and resolves when it shows its first state. */
async function open(changes = {}, query = "") {
  Object.assign(shell.current, changes);
  await page.goto(`${shell.origin}/_bridge/shell${query}`);
  await page.waitFor(() => document.body.dataset.status === "ready");
  return shell.next();
}
const withPage = (search = "") => ({ frame: { url: `${shell.origin}/told${search}`, load: 1 }, address: `${shell.origin}/told`, connection: "connected" });
const is = (selector, expected) => page.waitFor((selector, expected) => {
  const element = document.querySelector(selector);
  return element && Object.entries(expected).every(([name, value]) => name.includes("-") ? element.getAttribute(name) === value : element[name] === value);
}, selector, expected);
const heard = (part) => page.waitFor((part) => told.find((message) => Object.entries(part).every(([name, value]) => message[name] === value)), part);
const status = (value) => page.waitFor((value) => document.body.dataset.status === value, value);
const focus = (selector) => page.evaluate((selector) => document.querySelector(selector).focus(), selector);
const focused = (id) => page.waitFor((id) => document.activeElement?.id === id, id);

const keys = { Tab: 9, Enter: 13, Escape: 27, " ": 32, ArrowDown: 40 };
/** Presses a key as a keyboard does. */
async function press(key, { shift = false } = {}) {
  const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
  const details = { key, code: key === " " ? "Space" : key, windowsVirtualKeyCode: keys[key] ?? key.toUpperCase().charCodeAt(0), modifiers: shift ? 8 : 0 };
  await page.send("Input.dispatchKeyEvent", { type: text === undefined ? "rawKeyDown" : "keyDown", text, ...details });
  await page.send("Input.dispatchKeyEvent", { type: "keyUp", ...details });
}
/** Presses Tab until the element has the focus. */
async function tabTo(id) {
  for (let count = 0; count < 30; count += 1) {
    if (await page.evaluate((id) => document.activeElement?.id === id, id)) return;
    await press("Tab");
  }
  assert.fail(`#${id} is not reached with Tab`);
}

test("it begins with the URL and the chrome that its own address names", async () => {
  const begun = await open({}, "?url=/pages/short.html&chrome=bare");
  assert.deepEqual(begun, { name: "shell.begin", url: "/pages/short.html", phone: null, chrome: "bare" });
  assert.equal(await page.evaluate(() => getComputedStyle(document.getElementById("panel")).display), "none");
});

describe("what it shows", () => {
  test("address, title, progress, back, forward, reload and stop", async () => {
    await open();
    for (const [canGoBack, canGoForward] of [[true, false], [false, true], [true, true], [false, false]]) {
      shell.show({ canGoBack, canGoForward });
      await is("#back", { disabled: !canGoBack });
      await is("#forward", { disabled: !canGoForward });
    }
    shell.show({ address: "https://example.com/a?b#c", title: "A <b>title</b>", isSecure: true, isLoading: true, progress: 0.4 });
    await is("#address", { value: "https://example.com/a?b#c" });
    await is("#reload", { "aria-label": "Stop", "data-does": "stop" });
    await is("#progress", { hidden: false, value: 0.4 });
    assert.match(await page.evaluate(() => document.title), /^A <b>title<\/b> – iPhone 15$/);
    assert.equal(await page.evaluate(() => document.getElementById("secure").hasAttribute("hidden")), false);
    shell.show({ isLoading: false, progress: null });
    await is("#reload", { "aria-label": "Reload", "data-does": "reload" });
    await is("#progress", { hidden: true });
  });

  test("the last state wins, and one that was overtaken is not shown", async () => {
    await open();
    shell.current.revision = 9;
    shell.show({ address: "http://localhost/new" });
    shell.current.revision = 3;
    shell.show({ address: "http://localhost/old" });
    shell.current.revision = 10;
    shell.show({ title: "Now", address: "http://localhost/new" });
    await page.waitFor(() => document.title.startsWith("Now"));
    await is("#address", { value: "http://localhost/new" });
  });

  for (const name of Object.keys(devices)) {
    test(`the page has the size that the device has: ${name}`, async () => {
      const device = devices[name];
      await open({ ...withPage(), device, isRotated: device.width > device.height, platform: device.cutout === "hole" ? "android" : "ios" });
      await heard({ width: device.page.width, height: device.page.height });
      const { screen, view, bar } = await page.evaluate(() => {
        const fit = Number(getComputedStyle(document.documentElement).getPropertyValue("--fit"));
        const measure = (id) => {
          const outer = document.getElementById("screen").getBoundingClientRect();
          const { left, top, width, height } = document.getElementById(id).getBoundingClientRect();
          return { left: (left - outer.left) / fit, top: (top - outer.top) / fit, width: width / fit, height: height / fit };
        };
        return { screen: measure("screen"), view: measure("view"), bar: measure("bar") };
      });
      const close = (a, b) => assert.ok(Math.abs(a - b) < 0.5, `${a} is not ${b}`);
      close(screen.width, device.width);
      close(screen.height, device.height);
      close(view.width, device.page.width);
      close(view.height, device.page.height);
      assert.ok(view.left > -0.5 && view.left + view.width < device.width + 0.5 && view.top + 0.5 > device.safeArea.top && view.top + view.height < device.height + 0.5);
      assert.ok(bar.top + bar.height < view.top + 0.5 || bar.top + 0.5 > view.top + view.height, "the toolbar is beside the page, not over it");
      assert.ok(bar.height >= 44);
    });
  }

  test("its frame has the name that tells the page of its phone, and another platform is another name", async () => {
    await open(withPage("?1"));
    await heard({ loaded: "?1", name: "bridgehead-phone:7:ios" });
    shell.show({ platform: "android", frame: { url: `${shell.origin}/told?2`, load: 2 } });
    await heard({ loaded: "?2", name: "bridgehead-phone:7:android" });
    assert.equal(await page.evaluate(() => document.querySelectorAll("iframe").length), 1);
    // The same load again is no load; the next one is, of the same address too.
    shell.show({ title: "Same" });
    shell.show({ frame: { url: `${shell.origin}/told?2`, load: 3 } });
    await page.waitFor(() => told.filter(({ loaded }) => loaded === "?2").length === 2);
    assert.equal(shell.events.filter(({ name }) => name === "shell.frameDidLoad").length > 0, true);
  });

  test("light and dark are the state's, for the page too", async () => {
    await open({ ...withPage(), scheme: "light" });
    await heard({ dark: false });
    const paper = () => page.evaluate(() => getComputedStyle(document.getElementById("panel")).backgroundColor);
    const light = await paper();
    shell.show({ scheme: "dark" });
    await is("#scheme", { "aria-checked": "true" });
    assert.notEqual(await paper(), light);
    await page.evaluate(() => document.getElementById("page").contentWindow.postMessage("now", "*"));
    await heard({ asked: "now", dark: true });
  });

  test("device, rotation, platform, explain and the overlays' numbers", async () => {
    await open();
    const frame = { x: 0, y: 1833.5, width: 393, height: 120 };
    shell.show({
      device: devices.pixel, platform: "android", isExplaining: true, contentHeight: 1953.5,
      overlays: [{ label: "Footer", isVisible: true, reason: null, frame }, { label: "Cart", isVisible: false, reason: "No <marker>.", frame: { x: 0, y: 0, width: 0, height: 0 } }],
    });
    await is("#phone", { "data-device": "pixel-7", "data-look": "android", "aria-label": "Pixel 7" });
    await is("#device", { value: "pixel-7" });
    await is("#platform", { value: "android" });
    await is("#explain", { "aria-checked": "true" });
    assert.match(await page.evaluate(() => document.getElementById("overlays").innerText), /Footer\s+visible[^]*1833\.5[^]*120[^]*Cart\s+not shown\s+No <marker>\./);
    assert.match(await page.text("#content-height"), /1953\.5/);
    shell.show({ device: devices.iphoneRotated, isRotated: true, overlays: [], contentHeight: null });
    await is("#phone", { "data-rotated": "true", "data-device": "iphone-15" });
    await is("#rotate", { "aria-checked": "true" });
    await is("#overlays-empty", { hidden: false });
  });

  test("text is text", async () => {
    const text = "<img src=x onerror=alert(1)><b>&amp;";
    await open({
      title: text, address: text, notice: { kind: "denied", title: text, text, url: text },
      sheets: [{ id: 1, kind: "alert", message: text, defaultText: null, origin: text }],
      overlays: [{ label: text, isVisible: false, reason: text, frame: { x: 0, y: 0, width: 0, height: 0 } }],
      devices: [{ id: "iphone-15", name: text }],
    });
    for (const selector of ["#notice-title", "#notice-text", "#notice-url", "#sheet-message", "#sheet-origin", "#device option", ".overlay p"]) {
      assert.equal(await page.text(selector), text, selector);
    }
    assert.equal(await page.evaluate(() => document.querySelectorAll("img[src=x], b:not(.banner b, .shown b)").length), 0);
  });
});

describe("what is pressed", () => {
  test("each control tells its event", async () => {
    await open({ ...withPage(), canGoBack: true, canGoForward: true });
    for (const [id, event] of [
      ["back", { name: "shell.back" }], ["forward", { name: "shell.forward" }], ["reload", { name: "shell.reloadOrStop" }],
      ["rotate", { name: "shell.device", isRotated: true }], ["scheme", { name: "shell.device", scheme: "dark" }],
      ["explain", { name: "shell.explain", isOn: true }],
    ]) {
      await page.click(`#${id}`);
      assert.deepEqual(await shell.next(), event);
    }
    for (const [id, value, event] of [["device", "pixel-7", { id: "pixel-7" }], ["platform", "android", { platform: "android" }]]) {
      await page.evaluate((id, value) => {
        const select = document.getElementById(id);
        select.value = value;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      }, id, value);
      assert.deepEqual(await shell.next(), { name: "shell.device", ...event });
    }
  });

  test("nothing changes until Swift says so", async () => {
    await open(withPage());
    await page.click("#rotate");
    await shell.next();
    await is("#rotate", { "aria-checked": "false" });
    await is("#phone", { "data-rotated": "false" });
  });

  test("what is typed stays while states come, Escape takes it back, Enter opens it", async () => {
    await open(withPage());
    await focus("#address");
    for (const letter of "abc") await press(letter);
    shell.show({ address: "http://localhost/elsewhere", title: "Elsewhere" });
    await page.waitFor(() => document.title.startsWith("Elsewhere"));
    await is("#address", { value: "abc" });
    await press("Escape");
    await is("#address", { value: "http://localhost/elsewhere" });
    for (const letter of "xyz") await press(letter);
    await press("Enter");
    assert.deepEqual(await shell.next(), { name: "shell.open", input: "xyz" });
    await focused("page");
  });

  test("why something did not work is said", async () => {
    await open({ canGoBack: true });
    shell.failure = "There is nothing to go back to.";
    await page.click("#back");
    await is("#toast", { hidden: false });
    assert.equal(await page.text("#toast-text"), shell.failure);
  });
});

describe("sheets", () => {
  const sheet = (changes) => ({ id: 1, kind: "alert", message: "The tide is turning.", defaultText: null, origin: "localhost:7357", ...changes });

  for (const [kind, act, answer] of [
    ["alert", () => page.click("#sheet-ok"), { accepts: true, text: null }],
    ["alert", () => press("Escape"), { accepts: true, text: null }],
    ["confirm", () => page.click("#sheet-ok"), { accepts: true, text: null }],
    ["confirm", () => page.click("#sheet-cancel"), { accepts: false, text: null }],
    ["confirm", () => press("Escape"), { accepts: false, text: null }],
    ["prompt", () => press("Enter"), { accepts: true, text: "A friend" }],
    ["prompt", async () => { await press("x"); await press("Enter"); }, { accepts: true, text: "x" }],
    ["prompt", () => press("Escape"), { accepts: false, text: null }],
  ]) {
    test(`${kind}: ${act.toString().replace(/^.*?=> /, "")}`, async () => {
      await open(withPage());
      await focus("#reload");
      shell.show({ sheets: [sheet({ kind, id: 5, defaultText: kind === "prompt" ? "A friend" : null })] });
      await is("dialog#sheet", { open: true, "data-kind": kind });
      await focused(kind === "prompt" ? "sheet-text" : "sheet-ok");
      assert.equal(await page.evaluate(() => document.getElementById("view").inert && document.getElementById("bar").inert), true);
      await act();
      assert.deepEqual(await shell.next(), { name: "shell.answer", sheet: 5, ...answer });
      await is("dialog#sheet", { open: true }); // until Swift takes it away
      shell.show({ sheets: [] });
      await is("dialog#sheet", { open: false });
      await focused("reload");
    });
  }

  test("several come one after another, and the focus goes back into the page it came from", async () => {
    await open(withPage());
    await heard({ loaded: "" });
    await focus("#page");
    await page.evaluate(() => document.getElementById("page").contentWindow.postMessage("focus", "*"));
    await heard({ focused: true });
    shell.show({ sheets: [sheet({ message: "One" }), sheet({ id: 2, kind: "confirm", message: "Two" })] });
    await is("#sheet-message", { textContent: "One" });
    shell.show({ sheets: [sheet({ id: 2, kind: "confirm", message: "Two" })] });
    await is("#sheet-message", { textContent: "Two" });
    await press("Enter");
    assert.deepEqual(await shell.next(), { name: "shell.answer", sheet: 2, accepts: true, text: null });
    shell.show({ sheets: [] });
    await focused("page");
    await press("k");
    await heard({ key: "k" });
  });
});

describe("notices", () => {
  const notice = (kind, url = `${shell.origin}/told`) => ({ notice: { kind, title: "Title", text: "Text", url } });

  for (const [kind, button, event] of [
    ["confirm", "confirm", () => ({ name: "shell.confirm" })], ["confirm", "dismiss", () => ({ name: "shell.dismissNotice" })],
    ["denied", "dismiss", () => ({ name: "shell.dismissNotice" })], ["failed", "dismiss", () => ({ name: "shell.dismissNotice" })],
    ["failed", "retry", () => ({ name: "shell.open", input: `${shell.origin}/told` })],
    ["badURL", "dismiss", () => ({ name: "shell.dismissNotice" })], ["noClient", "dismiss", () => ({ name: "shell.dismissNotice" })],
  ]) {
    test(`${kind}: ${button}`, async () => {
      await open(notice(kind));
      await is("#notice", { hidden: false, "data-kind": kind });
      await page.click(`#notice-${button}`);
      assert.deepEqual(await shell.next(), event());
      shell.show({ notice: null });
      await is("#notice", { hidden: true });
    });
  }

  test("an address that is none can be edited at once", async () => {
    await open(notice("badURL", null));
    await page.click("#notice-edit");
    await focused("address");
  });

  for (const kind of ["noFraming", "noClient"]) {
    test(`${kind}: a window of the phone's size takes the frame's name`, async () => {
      await open(withPage("?frame"));
      await heard({ loaded: "?frame" });
      shell.show({ notice: { kind, title: "Title", text: "Text", url: `${shell.origin}/told?window` } });
      await is("#notice", { hidden: false });
      assert.equal(await page.evaluate(() => getComputedStyle(document.getElementById("page")).visibility), "hidden");
      await page.click("#notice-window");
      await heard({ loaded: "?window", name: "bridgehead-phone:7:ios" });
      assert.equal(await page.evaluate(() => document.querySelectorAll("iframe").length), 0);
      shell.show({ notice: null });
      await is("#blank-text", { textContent: "The page is in a window of its own." });
      shell.show({ frame: { url: `${shell.origin}/told?back`, load: 2 } });
      await heard({ loaded: "?back", name: "bridgehead-phone:7:ios" });
      await is("#blank", { hidden: true });
    });
  }
});

test("a page that may not be framed, and for which there never was a frame, opens in the phone's window", async () => {
  await open({ notice: { kind: "noFraming", title: "Title", text: "Text", url: `${shell.origin}/told?window` } });
  await is("#notice", { hidden: false });
  await page.click("#notice-window");
  await heard({ loaded: "?window", name: "bridgehead-phone:7:ios" });
  shell.show({ notice: null });
  await is("#blank-text", { textContent: "The page is in a window of its own." });
});

test("a native side that goes and comes back: banner, nothing can be pressed, the page is the same", async () => {
  await open({ ...withPage("?once"), canGoBack: true });
  await heard({ loaded: "?once" });
  await focus("#back");
  await shell.kill();
  await status("gone");
  await is("#banner", { hidden: false });
  assert.match(await page.text("#banner"), /The native side is gone — waiting for it to come back/);
  for (const id of ["back", "forward", "reload", "address", "device", "rotate", "scheme", "platform", "explain"]) await is(`#${id}`, { disabled: true });
  await is("#connection", { "data-connection": "gone" });

  await shell.restart();
  const begun = await shell.next();
  assert.deepEqual(begun, { name: "shell.begin", url: null, phone: "7", chrome: "full", was: { id: "iphone-15", isRotated: false, scheme: "light", platform: "ios", isExplaining: false } });
  await status("ready");
  await is("#banner", { hidden: true });
  await is("#back", { disabled: false });
  await focused("back");
  // A server that was started anew counts from the start; only what it asks for after that is a load.
  shell.current.revision = 0;
  shell.show({ frame: { url: null, load: 0 }, address: "" });
  shell.show({ title: "After" });
  await page.waitFor(() => document.title.startsWith("After"));
  await page.evaluate(() => document.getElementById("page").contentWindow.postMessage("still there", "*"));
  await heard({ asked: "still there" });
  assert.equal(await page.evaluate(() => told.filter(({ loaded }) => loaded === "?once").length), 1);
  await is("#blank", { hidden: true });
});

test("a native side that is not there yet", async () => {
  shell.failure = "Not now.";
  await page.goto(`${shell.origin}/_bridge/shell`);
  await shell.next();
  await is("#toast", { hidden: false });
  assert.equal(await page.evaluate(() => document.body.dataset.status), "connecting");
});

describe("by keyboard alone", () => {
  test("everything is reached with Tab, in the order in which it stands, and used with Enter and Space", async () => {
    await open({ ...withPage(), canGoBack: true, canGoForward: true });
    for (const [id, key, event] of [
      ["back", "Enter", "shell.back"], ["forward", " ", "shell.forward"], ["reload", "Enter", "shell.reloadOrStop"],
      ["rotate", " ", "shell.device"], ["scheme", "Enter", "shell.device"], ["explain", " ", "shell.explain"],
    ]) {
      await tabTo(id);
      await press(key);
      assert.equal((await shell.next()).name, event);
    }
    const order = async () => page.evaluate(() => [...document.querySelectorAll("#bar :is(button, input)")].map(({ id }) => id));
    assert.deepEqual(await order(), ["address", "back", "forward", "reload"]);
    shell.show({ device: devices.pixel, platform: "android" });
    await is("#phone", { "data-look": "android" });
    assert.deepEqual(await order(), ["back", "forward", "address", "reload"]);
  });

  test("no key that is pressed in the page is the shell's", async () => {
    await open({ ...withPage(), canGoBack: true });
    await heard({ loaded: "" });
    await focus("#page");
    await page.evaluate(() => document.getElementById("page").contentWindow.postMessage("focus", "*"));
    await heard({ focused: true });
    shell.events.length = 0;
    for (const key of ["b", "r", "d", "e", "?", "/", " ", "Escape", "Enter", "ArrowDown"]) {
      await press(key);
      await heard({ key });
    }
    await focused("page");
    assert.deepEqual(shell.events, []);
  });

  test("nor one that is pressed on the desk", async () => {
    await open({ ...withPage(), canGoBack: true });
    await heard({ loaded: "" });
    await page.evaluate(() => document.activeElement?.blur());
    for (const key of ["b", "r", "d", "e", "?", "/", "Escape"]) await press(key);
    await page.click("#explain"); // told after them all
    assert.equal((await shell.next()).name, "shell.explain");
  });
});

test("a phone in a phone shows its page instead", async () => {
  await open({ frame: { url: `${shell.origin}/_bridge/shell?url=/told%3Finner`, load: 1 } });
  await heard({ loaded: "?inner" });
});

for (const viewport of [{ width: 360, height: 640 }, { width: 700, height: 400 }, { width: 834, height: 1112 }, { width: 1280, height: 720 }, { width: 2560, height: 1440 }]) {
  test(`the whole phone is seen in ${viewport.width} × ${viewport.height}, upright and turned`, async () => {
    await page.viewport(viewport);
    await open();
    for (const [name, isRotated] of [["iphone", false], ["iphoneRotated", true], ["pixel", false], ["small", false]]) {
      shell.show({ device: devices[name], isRotated });
      await is("#phone", { "data-device": devices[name].id, "data-rotated": String(isRotated) });
      const { phone, wide } = await page.waitFor(() => {
        const { left, right, top, bottom, width } = document.getElementById("phone").getBoundingClientRect();
        const stage = document.getElementById("stage").getBoundingClientRect();
        const isInside = left >= stage.left && right <= stage.right && top >= stage.top && bottom <= stage.bottom && bottom <= innerHeight;
        return isInside && { phone: width, wide: document.documentElement.scrollWidth - document.documentElement.clientWidth };
      });
      assert.ok(phone > 80 && wide <= 0, `${phone} wide, ${wide} beyond the window`);
    }
  });
}

test("the policy of the shell is not broken by anything it does", async () => {
  await open({ ...withPage(), sheets: [{ id: 1, kind: "prompt", message: "?", defaultText: "", origin: "localhost" }], notice: { kind: "failed", title: "T", text: "t", url: null } });
  shell.show({ sheets: [], notice: null, isExplaining: true, scheme: "dark", device: devices.pixel });
  await is("#phone", { "data-look": "android" });
  assert.deepEqual(page.console.filter(({ type, text }) => type === "error" && /Content Security Policy/.test(text)), []);
});
