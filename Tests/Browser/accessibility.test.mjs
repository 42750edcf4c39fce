// axe-core finds nothing serious in the shell, in whatever it shows, and in the demo pages.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch } from "./chromium.mjs";
import { devices, fakeShell, state } from "./fake-shell.mjs";
import { root } from "./server.mjs";

// `Tests/run` installs it from PyPI.
const packages = `${root}.build/tests-venv/lib`;
const [axe] = readdirSync(packages).map((python) => `${packages}/${python}/site-packages/axe_playwright_python/axe.min.js`);
const source = readFileSync(axe, "utf8");
let browser, shell;

before(async () => {
  browser = await launch();
  shell = await fakeShell();
});
after(async () => {
  await browser.close();
  await shell.kill();
});

/** What axe finds that is serious or worse, as lines; frames are looked at by themselves. */
async function findings(page) {
  await page.evaluate(source);
  const { violations, passes } = await page.evaluate(async () => {
    // What is still on its way in is no colour yet.
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    return axe.run(document, { iframes: false, resultTypes: ["violations"] }).then(({ violations, passes }) => ({
      violations: violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`) })),
      passes: passes.length,
    }));
  });
  assert.ok(passes > 10, `${passes} rules were applied`);
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical");
}

test("the check finds what it should", async () => {
  const page = await browser.open(`${shell.origin}/pages/short.html`);
  await page.evaluate(() => document.body.append(document.createElement("button"), Object.assign(document.createElement("img"), { src: "/pages/mark.svg" })));
  assert.deepEqual((await findings(page)).map(({ id }) => id).sort(), ["button-name", "image-alt"]);
  await page.close();
});

const sheet = { id: 1, kind: "alert", message: "The tide is turning.", defaultText: null, origin: "localhost:7357" };
const frame = { x: 0, y: 1833.5, width: 393, height: 120 };
const cases = {
  "nothing yet": {},
  "a page, with overlays": {
    canGoBack: true, isSecure: true, isLoading: true, progress: 0.5, contentHeight: 1953.5, isExplaining: true,
    overlays: [{ label: "Footer", isVisible: true, reason: null, frame }, { label: "Cart", isVisible: false, reason: "There is no marker.", frame }],
  },
  "an alert": { sheets: [sheet] },
  "a confirm": { sheets: [{ ...sheet, kind: "confirm" }] },
  "a long confirm": { sheets: [{ ...sheet, kind: "confirm", message: "Once more unto the bridge. ".repeat(80) }] },
  "a prompt": { sheets: [{ ...sheet, kind: "prompt", defaultText: "A friend" }] },
  ...Object.fromEntries(["confirm", "denied", "failed", "badURL", "noClient", "noFraming"].map((kind) => [
    `a notice: ${kind}`, { notice: { kind, title: "A title", text: "What it is about, in a sentence.", url: "https://example.com/a/page" } },
  ])),
};
const phones = { iphone: {}, iphoneRotated: { isRotated: true }, pixel: { platform: "android" } };

for (const [name, changes] of Object.entries(cases)) {
  for (const scheme of ["light", "dark"]) {
    test(`the shell: ${name}, ${scheme}`, async () => {
      const page = await browser.open("about:blank", { viewport: { width: 1280, height: 900 }, scheme });
      for (const [device, more] of Object.entries(phones)) {
        const pageShown = { frame: { url: `${shell.origin}/pages/short.html`, load: 1 }, address: `${shell.origin}/pages/short.html`, title: "A short page", connection: "connected" };
        shell.current = state({ ...(name === "nothing yet" ? {} : pageShown), ...changes, ...more, device: devices[device], scheme });
        await page.goto(`${shell.origin}/_bridge/shell`);
        await page.waitFor(() => document.body.dataset.status === "ready");
        assert.deepEqual(await findings(page), [], device);
      }
      await page.close();
    });
  }
}

test("the shell without its native side", async () => {
  const own = await fakeShell();
  for (const scheme of ["light", "dark"]) {
    own.current = state({ scheme, address: "http://localhost/", canGoBack: true });
    const page = await browser.open(`${own.origin}/_bridge/shell`);
    await page.waitFor(() => document.body.dataset.status === "ready");
    await own.kill();
    await page.waitFor(() => document.body.dataset.status === "gone");
    assert.deepEqual(await findings(page), []);
    await page.close();
    await own.restart();
  }
  await own.kill();
});

for (const name of readdirSync(`${root}web-fixtures/pages`).filter((file) => file.endsWith(".html"))) {
  test(`the page ${name}`, async () => {
    for (const scheme of ["light", "dark"]) {
      for (const viewport of [{ width: 393, height: 659, mobile: true }, { width: 1280, height: 900 }]) {
        const page = await browser.open(`${shell.origin}/pages/${name}`, { scheme, viewport });
        assert.deepEqual(await findings(page), [], `${scheme}, ${viewport.width}`);
        await page.close();
      }
    }
  });
}
