// Pages in which the usual code for overlays goes wrong.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { footer, overlay, stage } from "./overlay-page.mjs";

let s;
before(async () => { s = await stage(); });
after(() => s.close());

const place = '<div id="app-footer-placeholder"></div>';
const bare = "<style>html, body { margin: 0 }</style>";
const box = (height) => `<div id="box" style="height:${height}px"></div>`;

/** In the page: gives the box each height, and what is there in the next frame, and what has been told two frames later. */
async function resize(heights) {
  window.failures = [];
  window.addEventListener("error", ({ message }) => failures.push(message));
  const states = [];
  for (const height of heights) {
    document.getElementById("box").style.height = `${height}px`;
    await frame();
    const tops = hosts().map((host) => host?.top);
    await frame(); await frame();
    states.push({ height, tops, told: last() && [last().pageHeight, last().contentHeight], widths: hosts().map((host) => host?.width), width: document.scrollingElement.clientWidth });
  }
  return { states, failures };
}

test("a page that becomes longer and shorter than the screen, with scroll bars that take room and without", async () => {
  for (const mobile of [true, false]) {
    for (const at of [{ placeholder: "app-footer-placeholder" }, { endOfContent: true }, { stacked: true }]) {
      const page = await s.open(`${bare}${box(50)}${place}`, { viewport: { width: 500, height: 400, mobile } });
      await page.evaluate((wanted) => { apply(wanted); }, overlay(1, at, 100));
      const { states, failures } = await page.evaluate(resize, [350, 100, 360, 500, 310, 1000, 20]);
      for (const { height, tops, told, widths, width } of states) {
        assert.deepEqual([tops, told, widths], [[height], [height, height + 100], [width]], `${JSON.stringify(at)} ${mobile} ${height}`);
        assert.equal(width, mobile || height + 100 <= 400 ? 500 : 485);
      }
      assert.deepEqual(failures, [], "the page hears of no failure of an observer");
      await page.close();
    }
  }
});

test("content that overflows a body of the screen's height, and a page of the old kind", async () => {
  const heights = [350, 900, 1500, 100];
  const spa = await s.open(`<style>html, body, #root { height: 100%; margin: 0 }</style><div id="root">${box(900)}</div>`, { viewport: { width: 500, height: 400, mobile: true } });
  for (const at of [{ endOfContent: true }, { stacked: true }]) {
    await spa.evaluate((wanted) => { apply(wanted); }, overlay(1, at, 100));
    const { states } = await spa.evaluate(resize, heights);
    assert.deepEqual(states.map(({ told }) => told), [[400, 500], [900, 1000], [1500, 1600], [400, 500]]);
    assert.deepEqual(await spa.evaluate(() => hosts()[0].top), 400);
  }
  await spa.close();
  const old = await s.open(`<!-- no doctype --><body style="margin:0">${box(150)}`, { viewport: { width: 500, height: 400 } });
  await old.evaluate((...list) => { apply(...list); }, overlay(1, { endOfContent: true }, 60), overlay(2, { stacked: true }, 100));
  assert.equal(await old.evaluate(() => document.compatMode), "BackCompat");
  const { states } = await old.evaluate(resize, heights);
  assert.deepEqual(states.map(({ tops }) => tops), [[400, 460], [900, 960], [1500, 1560], [400, 460]]);
  await old.close();
});

test("scrolled to the end, a page that changes does not jump, and what is absolutely placed below it is not covered", async () => {
  const page = await s.open(`${bare}${box(2000)}<div id="far" style="position:absolute;top:2300px;height:50px;width:10px"></div>`);
  const [ends, scrolls, top] = await page.evaluate(async (wanted) => {
    const { contentHeight } = apply(wanted);
    scrollTo(0, 1e6);
    await frame();
    const ends = [contentHeight, scrollY + innerHeight];
    let scrolls = 0;
    addEventListener("scroll", () => scrolls++);
    for (let n = 0; n < 5; n++) { document.getElementById("box").append("x"); await frame(); ends.push(scrollY + innerHeight); }
    return [ends, scrolls, hosts()[0].top];
  }, overlay(1, { stacked: true }, 300));
  assert.deepEqual(ends, Array(7).fill(2650));
  assert.equal(scrolls, 0);
  assert.equal(top, 2350);
  const shorter = await page.evaluate(async () => { document.getElementById("far").remove(); await frame(); await frame(); return [hosts()[0].top, last().contentHeight]; });
  assert.deepEqual(shorter, [2000, 2300]);
  await page.close();
});

test("what ancestors clip: scrollers in scrollers, hidden overflow that grows, boxes that the marker is not clipped by", async () => {
  const at = { placeholder: "app-footer-placeholder" };
  for (const [name, html, clip, contentHeight, host] of [
    ["two scrollers", `<div style="height:300px;overflow:auto"><div style="height:250px"></div><div style="height:200px;overflow:auto"><div style="height:20px"></div>${place}<div style="height:500px"></div></div></div>`, { top: 250, bottom: 300 }, 300, [270, 30]],
    ["hidden, growing", `<div style="overflow:hidden">${box(100)}${place}</div>`, { top: 0, bottom: 220 }, 220, [100, 120]],
    ["hidden, no height", `<div style="overflow:hidden;height:0">${place}</div>`, { top: 0, bottom: 0 }, 0, null],
    ["absolute out of a static one", `<div style="height:100px;overflow:hidden"><div style="position:absolute;top:150px;width:100%">${place}</div></div>`, null, 100, [150, 120]],
    ["fixed", `<div style="height:100px;overflow:hidden;position:relative"><div style="position:fixed;top:200px;width:100%">${place}</div></div>`, null, 100, [200, 120]],
    ["a border", `<div style="height:100px;overflow:scroll;border:7px solid"><div style="height:50px"></div>${place}</div>`, { top: 7, bottom: 107 }, 114, [57, 50]],
    ["a zoomed scroller", `<div style="height:100px;overflow:auto;zoom:2"><div style="height:50px"></div>${place}</div>`, { top: 0, bottom: 200 }, 200, [100, 100]],
    ["a body that hides", `<style>body { overflow: hidden; height: 100px }</style><div style="height:150px"></div>${place}`, null, 270, [150, 120]],
  ]) {
    const page = await s.open(bare + html);
    const [measurement, hosts] = await page.evaluate((wanted) => [apply(wanted), hosts()], overlay(1, at, 120));
    assert.deepEqual(measurement.anchors[0].clip, clip, name);
    assert.equal(measurement.contentHeight, contentHeight, name);
    assert.deepEqual(hosts, [host && { top: host[0], left: 0, width: 400, height: host[1] }], name);
    const reach = await page.evaluate(() => document.scrollingElement.scrollHeight);
    assert.equal(reach, Math.max(800, contentHeight), `${name}: nothing is added to what can be scrolled to`);
    await page.close();
  }
});

test("a marker that is no block: sized, and still hidden when the page hides it", async () => {
  for (const html of ['<span id="app-footer-placeholder"></span>', '<app-footer id="app-footer-placeholder"></app-footer>', '<a id="app-footer-placeholder">text</a>']) {
    const page = await s.open(`${bare}<style>.gone { display: none }</style><div style="height:100px">text</div><section>${html}</section>`);
    const states = await page.evaluate(async (wanted) => {
      const states = [apply(wanted).contentHeight];
      const { classList } = document.getElementById("app-footer-placeholder");
      classList.add("gone"); await frame(); await frame(); states.push(hosts()[0]);
      classList.remove("gone"); await frame(); await frame(); states.push(hosts()[0].top, marker().height);
      document.querySelector("section").className = "gone"; await frame(); states.push(hosts()[0]);
      document.querySelector("section").className = ""; await frame(); await frame(); states.push(hosts()[0].top, marker().height);
      return states;
    }, footer(120));
    assert.deepEqual(states, [220, null, 100, 120, null, 100, 120]);
    await page.close();
  }
});

test("a marker in flex and grid, stretched or shrunk by the page, has exactly the overlay's height", async () => {
  for (const css of ["display: flex; flex-direction: column; height: 300px", "display: flex; align-items: stretch; height: 300px", "display: grid; grid-template-rows: 1fr 1fr; height: 500px", "display: grid; grid-auto-rows: 10px", "display: table; height: 300px"]) {
    const page = await s.open(`${bare}<style>main { ${css} } main > * { flex: 1 1 0; min-height: 0; padding: 9px }</style><main><p>one</p>${place}<p>two</p></main>`);
    for (const height of [0, 44, 250]) assert.equal(await page.evaluate((wanted) => { apply(wanted); return marker().height; }, footer(height)), height, css);
    await page.close();
  }
});

test("a font that comes late moves the overlay with the text", async () => {
  const file = execFileSync("fc-match", ["-f", "%{file}", "monospace"]).toString();
  s.bodies.set("/late.font", { type: "font/ttf", body: readFileSync(file) });
  const page = await s.open(`<style>@font-face { font-family: Late; src: url(/late.font); size-adjust: 300% } p { font: 16px/normal Late, serif }</style><p>Some words.</p>${place}`, { inject: false });
  await page.evaluate(() => document.fonts.ready.then(() => true));
  const late = await page.evaluate(() => document.getElementById("app-footer-placeholder").getBoundingClientRect().top);
  const other = await s.open(`<style>p { font: 16px/normal Late, serif; height: auto }</style><div style="height:500px;overflow:hidden"><p>Some words.</p>${place}</div>`);
  const tops = await other.evaluate(async (wanted) => {
    const tops = [apply(wanted).anchors[0].top];
    const face = new FontFace("Late", "url(/late.font)", { sizeAdjust: "300%" });
    document.fonts.add(face);
    await face.load();
    await frame(); await frame();
    tops.push(hosts()[0].top, marker().top, last().anchors[0].top);
    return tops;
  }, footer(50));
  assert.ok(tops[1] > tops[0] + 10, `${tops}`);
  assert.deepEqual(tops.slice(2), [tops[1], tops[1]]);
  assert.ok(late > 0);
  await page.close();
  await other.close();
});

test("explaining changes nothing of what is measured, in long pages and where a scroller ends with the page", async () => {
  for (const html of [`${box(2000)}${place}`, `<div style="height:900px;overflow:auto">${box(850)}${place}</div>`, `${box(300)}${place}`]) {
    const page = await s.open(bare + html);
    const [first, ...others] = await page.evaluate(async (...overlays) => {
      const measured = [want({ overlays }), want({ overlays, explain: true })];
      for (let n = 0; n < 3; n++) { document.body.append(document.createComment("")); await frame(); measured.push(want({ overlays, explain: true })); }
      return measured.map((measurement) => JSON.stringify(measurement));
    }, footer(120), overlay(2, { stacked: true }, 40));
    assert.deepEqual(others, Array(4).fill(first));
    await page.close();
  }
});

test("routes of a single-page app: each view's marker, and none where there is none", async () => {
  const page = await s.open(`${bare}<main id="app"></main>`);
  const states = await page.evaluate(async (wanted) => {
    const routes = { "/a": '<p style="margin:0;height:100px">a</p><div id="app-footer-placeholder"></div>', "/b": "<p>b</p>", "/c": '<div id="app-footer-placeholder"></div>' };
    apply(wanted);
    const states = [];
    for (const route of ["/a", "/b", "/c", "/a", "/b", "/a"]) {
      history.pushState(null, "", route);
      document.getElementById("app").innerHTML = routes[route];
      await frame();
      const { count, height } = last().anchors[0];
      states.push([route, hosts()[0]?.top ?? null, count, height]);
    }
    return states;
  }, footer(80));
  assert.deepEqual(states, [["/a", 100, 1, 80], ["/b", null, 0, 0], ["/c", 0, 1, 80], ["/a", 100, 1, 80], ["/b", null, 0, 0], ["/a", 100, 1, 80]]);
  await page.close();
});

test("a page that the browser has kept and shows again goes on where it was", async () => {
  const page = await s.open(`${bare}${box(100)}${place}`, { headers: { "cache-control": "max-age=60" } });
  await page.evaluate((wanted) => {
    apply(wanted);
    window.addEventListener("pageshow", ({ persisted }) => { window.isKept = persisted; });
  }, footer(50));
  s.bodies.set("/elsewhere", "<p>elsewhere</p>");
  await page.goto(`${s.pages.origin}/elsewhere`);
  const { entries, currentIndex } = await page.send("Page.getNavigationHistory");
  const shown = page.next("Page.frameNavigated");
  await page.send("Page.navigateToHistoryEntry", { entryId: entries[currentIndex - 1].id });
  await shown;
  const state = await page.evaluate(async () => {
    document.getElementById("box").style.height = "300px";
    await frame();
    return [window.isKept, hosts()[0].top, last().contentHeight];
  });
  assert.deepEqual(state, [true, 300, 350]);
  await page.close();
});

test("a page in the background is measured too, without frames", async () => {
  const page = await s.open(`${bare}${box(100)}${place}`);
  const heights = await page.evaluate(async (wanted) => {
    apply(wanted);
    // What a page in the background is: nothing asks for frames there.
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    document.getElementById("box").style.height = "300px";
    await new Promise((resolve) => setTimeout(resolve));
    await new Promise((resolve) => setTimeout(resolve));
    const heights = [last()?.contentHeight];
    delete document.hidden;
    document.dispatchEvent(new Event("visibilitychange"));
    document.getElementById("box").style.height = "400px";
    await frame();
    return [...heights, last().contentHeight];
  }, footer(50));
  assert.deepEqual(heights, [350, 450]);
  await page.close();
});
