// The demo pages in real Chromium do what they show, in light and dark.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { launch } from "./chromium.mjs";
import { root, serve } from "./server.mjs";

let server, browser;
const title = /^Title: [0-9A-F-]{36}$/;
const shots = `${root}.build/screenshots`;

before(async () => {
  mkdirSync(shots, { recursive: true });
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser.close();
  assert.equal(await server.stop(), 0);
});

const open = (path, options) => browser.open(server.origin + path, options);
const data = (page, selector) => page.evaluate(selector => ({ ...document.querySelector(selector).dataset }), selector);
const reaches = (page, selector, state) => page.waitFor(
  (selector, state) => document.querySelector(selector)?.dataset.state === state, selector, state);
const fill = (page, selector, value) => page.evaluate((selector, value) => {
  document.querySelector(selector).value = value;
}, selector, value);
const submit = (page, selector) => page.evaluate(selector => document.querySelector(selector).requestSubmit(), selector);

function assertClean(page) {
  assert.deepEqual(page.errors, []);
  assert.deepEqual(page.console.filter(line => line.type === "error" || line.type === "warning"), []);
}

test("the index shows the connection, the events and the line to paste", async () => {
  const page = await open("/");
  await page.waitFor(() => document.querySelector("#status").dataset.status === "connected");
  const events = await page.waitFor(() => {
    const names = [...document.querySelectorAll("#events [data-event]")].map(item => item.dataset.event);
    return names.length ? names : undefined;
  });
  const own = events.filter(name => !name.startsWith("conformance."));
  assert.ok(own.includes("getRandomTitle") && own.includes("download"));
  assert.deepEqual(events.slice(0, own.length), own);
  assert.equal(await page.text("#snippet"), `<script src="${server.origin}/_bridge/client.js"></script>`);
  for (const path of ["plain", "pending", "client"]) {
    assert.ok(await page.evaluate(path => Boolean(document.querySelector(`a[href="/pages/${path}.html"]`)), path));
  }
  for (const path of ["article", "short", "growing", "app", "windows"]) {
    assert.ok(await page.evaluate(path => Boolean(document.querySelector(`a[href="/_bridge/shell?url=/pages/${path}.html"]`)), path));
  }
  assertClean(page);
  await page.close();
});

test("(a) the plain convention: eventName out, handleNativeResponse in", async () => {
  const page = await open("/pages/plain.html");
  for (const count of [1, 2, 3]) {
    await page.click("#get-title");
    await page.waitFor(count => document.querySelector("#result").dataset.count === String(count), count);
    assert.match(await page.text("#result"), title);
  }
  assertClean(page);
  await page.close();
});

test("(b) the page's own pending map, and a page function called by native", async () => {
  const page = await open("/pages/pending.html");
  await page.click("#ask-three");
  const answers = await page.waitFor(() => {
    const rows = [...document.querySelectorAll("#request-rows tr")];
    return rows.length === 3 && rows.every(row => row.dataset.state === "answered")
      ? rows.map(row => row.cells[1].textContent) : undefined;
  });
  assert.equal(new Set(answers).size, 3);
  for (const answer of answers) assert.match(answer, title);
  assert.equal((await data(page, "#pending-count")).count, "0");

  const text = `O'Brien "\\" \u2028 </script> 😀 é`;
  await fill(page, "#new-title", text);
  await submit(page, "#rename");
  await reaches(page, "#page-title", "done");
  assert.equal(await page.text("#page-title"), text);
  assertClean(page);
  await page.close();
});

describe("(c) the bundled client", () => {
  let page;
  before(async () => {
    page = await open("/pages/client.html");
    await page.waitFor(() => document.querySelector("#status").dataset.status === "connected");
  });
  after(() => page.close());

  test("many requests at once, each with its own answer", async () => {
    await fill(page, "#many-count", "1000");
    await submit(page, "#many");
    await reaches(page, "#many-result", "done");
    const { answered, matched } = await data(page, "#many-result");
    assert.deepEqual({ answered, matched }, { answered: "1000", matched: "1000" });
  });

  test("progress, then the answer", async () => {
    await submit(page, "#download");
    await reaches(page, "#download-result", "done");
    const result = await data(page, "#download-result");
    assert.equal(result.received, result.total);
    assert.ok(Number(result.reports) > 1);
    assert.notEqual(result.path, "");
  });

  test("cancelling on the way", async () => {
    await submit(page, "#download");
    await page.waitFor(() => Number(document.querySelector("#download-result").dataset.reports) >= 1);
    await page.click("#download-cancel");
    await reaches(page, "#download-result", "cancelled");
    const { received, total } = await data(page, "#download-result");
    assert.ok(Number(received) < Number(total));
  });

  const failures = [
    { button: "#sign-in", expected: { code: "4001", message: "Not signed in" } },
    { button: "#add-wrong", expected: { code: "-32602", message: "Invalid params", path: "$.price" } },
    { button: "#misspell", expected: { code: "-32601", message: "Method not found", nearest: /\bgetRandomTitle\b/ } },
  ];
  for (const { button, expected } of failures) {
    test(`the failure behind ${button}`, async () => {
      await page.click(button);
      await reaches(page, "#failure", "failed");
      for (const [fact, value] of Object.entries(expected)) {
        const text = await page.text(`#failure-facts [data-fact="${fact}"]`);
        if (value instanceof RegExp) assert.match(text, value);
        else assert.equal(text, value);
      }
    });
  }

  test("the same event, correctly", async () => {
    await page.click("#add-right");
    await reaches(page, "#failure", "done");
  });

  for (const [answer, heard] of [["yes", "true"], ["no", "false"]]) {
    test(`native asks, the page answers ${answer}`, async () => {
      await submit(page, "#ask");
      await page.waitFor(() => document.querySelector("#questions .question"));
      await page.click(`#questions [data-answer="${answer}"]`);
      await reaches(page, "#ask-result", "done");
      assert.match((await data(page, "#ask-result")).answer, new RegExp(heard));
    });
  }

  test("the device", async () => {
    await page.click("#device");
    await reaches(page, "#device-result", "done");
    assert.ok(await page.evaluate(() => document.querySelectorAll("#device-facts dd").length > 1));
  });

  test("nothing on the console but what helps against a wrong payload and an unknown event", () => {
    const lines = page.console.filter(line => line.type === "error" || line.type === "warning");
    assert.equal(lines.length, 2);
    assert.match(lines[0].text, /failed: \$\.\w+: expected/);
    assert.match(lines[1].text, /getRandomTitel.*"getRandomTitle"/);
    assert.deepEqual(page.errors, []);
  });
});

describe("the pages for the phone, in a browser without one", () => {
  let page;
  const visit = async name => { page = await open(`/pages/${name}.html`); };
  const pushed = () => page.evaluate(() => navigation.entries().length);
  const said = pattern => page.waitFor((source) => new RegExp(source).test(document.querySelector("#said").textContent), pattern);
  afterEach(async () => {
    assertClean(page);
    await page.close();
  });

  test("the article: a marker near its end, and what to do for a footer", async () => {
    await visit("article");
    assert.equal(await page.evaluate(() => document.querySelectorAll("main > #app-footer-placeholder:empty").length), 1);
    await page.evaluate(() => {
      const height = document.querySelector("#height");
      height.value = 44;
      height.dispatchEvent(new Event("input"));
    });
    await reaches(page, "#said", "failed");
    await said("Open this page in the phone");
  });

  test("the article tells its native side the height", async () => {
    page = await browser.open("about:blank");
    await page.send("Page.addScriptToEvaluateOnNewDocument", { source: `
      window.posted = [];
      window.webkit = { messageHandlers: { footer: { postMessage: async body => { posted.push(body); } }, bridge: { postMessage: async () => null } } };` });
    await page.goto(`${server.origin}/pages/article.html`);
    await page.evaluate(() => {
      const height = document.querySelector("#height");
      height.value = 44;
      height.dispatchEvent(new Event("input"));
    });
    await reaches(page, "#said", "done");
    assert.deepEqual(await page.evaluate(() => posted), [{ height: 44 }]);
    assert.equal(await page.text("#height-value"), "44");
  });

  test("the short page is shorter than a phone's screen", async () => {
    await visit("short");
    await page.viewport({ width: 393, height: 659 });
    assert.ok(await page.evaluate(() => document.body.getBoundingClientRect().bottom) < 659);
    assert.ok(await page.evaluate(() => Boolean(document.querySelector("main > #app-footer-placeholder"))));
  });

  test("the growing page: text, then the marker, which moves and goes", async () => {
    await visit("growing");
    const reach = (texts, marker) => page.waitFor((texts, marker) => {
      const { dataset } = document.querySelector("#said");
      return dataset.texts === texts && dataset.marker === marker;
    }, texts, marker);
    await reach("1", "first");
    for (const [button, texts, marker] of [["add", "2", "first"], ["move", "2", "second"], ["move", "2", "first"], ["marker", "2", "none"], ["marker", "2", "first"], ["remove", "1", "first"]]) {
      await page.click(`#${button}`);
      await reach(texts, marker);
      assert.equal(await page.evaluate(() => document.getElementById("app-footer-placeholder")?.parentElement.id ?? "none"), marker);
    }
  });

  test("the app: routes are entries, back and forward and a reload show them", async () => {
    await visit("app");
    const route = name => page.waitFor(name => document.querySelector("#route").dataset.route === name, name);
    await route("bridges");
    await page.evaluate(() => { window.isSame = true; });
    for (const [link, name] of [["?route=bridges/arch", "bridges/arch"], ["?route=about", "about"]]) {
      await page.click(`a[href="${link}"]`);
      await route(name);
    }
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "About");
    await page.evaluate(() => history.back());
    await route("bridges/arch");
    assert.ok(await page.evaluate(() => isSame && Boolean(document.querySelector("#route #app-footer-placeholder"))));
    const before = await pushed();
    await page.click("#replace");
    assert.equal(await pushed(), before);
    await page.click('a[href="#notes"]');
    await page.waitFor(() => location.hash === "#notes");
    await page.reload();
    await route("bridges/arch");
    assert.match(await page.evaluate(() => document.title), /^An arch – App$/);
  });

  for (const [kind, question, accept, answer] of [
    ["alert", "The tide is turning.", true, "The alert was read."], ["confirm", "Cross the bridge?", true, "You cross."],
    ["confirm", "Cross the bridge?", false, "You stay."], ["prompt", "Who goes there?", true, "Welcome, A friend."],
    ["prompt", "Who goes there?", false, "Nobody."],
  ]) {
    test(`windows and questions: ${kind}, ${accept ? "accepted" : "not"}`, async () => {
      await visit("windows");
      const opening = page.next("Page.javascriptDialogOpening");
      const clicked = page.click(`#${kind}`);
      const { type, message, defaultPrompt } = await opening;
      assert.deepEqual([type, message], [kind, question]);
      await page.send("Page.handleJavaScriptDialog", { accept, promptText: defaultPrompt });
      await clicked;
      await reaches(page, "#said", "done");
      assert.equal(await page.text("#said"), answer);
    });
  }

  test("windows and questions: a window", async () => {
    await visit("windows");
    const opened = page.next("Page.windowOpen");
    await page.click("#open");
    assert.match((await opened).url, /\/pages\/article\.html$/);
  });
});

const contrast = `(() => {
  const parse = text => text.match(/[\\d.]+/g).map(Number);
  const channel = value => { const s = value / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; };
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const background = element => {
    for (; element; element = element.parentElement) {
      const color = parse(getComputedStyle(element).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const low = [];
  let texts = 0;
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    const text = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!text || style.visibility === "hidden" || !element.getClientRects().length || element.matches(":disabled, .skip")) continue;
    texts += 1;
    const [a, b] = [luminance(parse(style.color)), luminance(background(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) low.push(element.tagName + " " + element.className + " " + ratio.toFixed(2) + " " + element.textContent.trim().slice(0, 30));
  }
  return { low, texts, scheme: luminance(background(document.body)) < 0.2 ? "dark" : "light" };
})()`;

const phonePages = ["article", "short", "growing", "app", "windows"];
for (const path of ["/", ...["plain", "pending", "client", ...phonePages].map(name => `/pages/${name}.html`)]) {
  for (const scheme of ["light", "dark"]) {
    test(`${path} in ${scheme}: text stands out, and fits a phone and a desk`, async () => {
      for (const viewport of [{ width: 390, height: 844, mobile: true }, { width: 1280, height: 900 }]) {
        const page = await open(path, { scheme, viewport });
        const name = path === "/" ? "index" : path.slice(7, -5);
        writeFileSync(`${shots}/${name}-${scheme}-${viewport.width}.png`, await page.screenshot());
        const { low, texts, scheme: seen } = await page.evaluate(contrast);
        assert.deepEqual({ low, seen }, { low: [], seen: scheme });
        assert.ok(texts > 10, `${texts} texts`);
        const { wide, view } = await page.evaluate(() => ({
          wide: document.documentElement.scrollWidth, view: document.documentElement.clientWidth,
        }));
        assert.ok(wide <= view, `${wide} wide in ${view}`);
        const cut = await page.evaluate(() => [...document.querySelectorAll("pre")].filter(code => code.scrollWidth > code.clientWidth).map(code => code.textContent));
        if (!viewport.mobile) assert.deepEqual(cut, []);
        await page.close();
      }
    });
  }
}
