// Native views over a page (overlays.mjs): they are where their marker is, and the page keeps room for them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { footer, overlay, stage } from "./overlay-page.mjs";

let s;
before(async () => { s = await stage(); });
after(() => s.close());

const marker = '<div id="app-footer-placeholder"></div>';
const block = (height, id = "") => `<div ${id && `id="${id}"`} style="height:${height}px"></div>`;
const bare = "<style>html, body { margin: 0 }</style>";

test("heights 0, 44, 120 and 400, and changing: room for exactly that, once; the page shorter than the screen or longer", async () => {
  for (const own of [300, 3000]) {
    const page = await s.open(`${bare}${block(own - 100)}${marker}${block(100)}`);
    for (const height of [0, 44, 120, 400, 120, 120.5, 0, 400]) {
      const { measurement, hosts, room } = await page.evaluate(async (wanted) => {
        apply(wanted); // twice is once
        const measurement = apply(wanted);
        await frame();
        return { measurement, hosts: hosts(), room: marker() };
      }, footer(height));
      assert.deepEqual(measurement, {
        isLoaded: true, viewport: { width: 400, height: 800 }, scroll: { x: 0, y: 0 }, scale: 1, pageHeight: own, contentHeight: own + height,
        anchors: [{ at: { placeholder: "app-footer-placeholder" }, count: 1, top: own - 100, height, isRendered: true, clip: null }],
      });
      assert.deepEqual(hosts, [height === 0 ? null : { top: own - 100, left: 0, width: 400, height }]);
      assert.deepEqual(room, { top: own - 100, height });
    }
    assert.equal(await page.evaluate(() => told.length), 0, "what apply has returned is not told again");
    await page.close();
  }
});

test("after remove, and for what is no longer wanted, the page is as it was", async () => {
  const page = await s.open(`<style>body { color: red }</style><p>One</p>${marker}<p style="margin: 3px">Two</p><span id="inline"></span>`);
  const [was, between, now, sheets] = await page.evaluate(async (...list) => {
    const was = document.documentElement.outerHTML;
    apply(...list); await frame();
    apply(); await frame();
    const between = document.documentElement.outerHTML;
    apply(...list); await frame();
    overlays.remove(); await frame();
    return [was, between, document.documentElement.outerHTML, document.adoptedStyleSheets.length];
  }, footer(120), overlay(2, { endOfContent: true }, 50), overlay(3, { stacked: true }, 60), overlay(4, { placeholder: "inline" }, 70));
  assert.equal(between, was);
  assert.equal(now, was);
  assert.equal(sheets, 0);
  await page.close();
});

test("the overlays of one anchor stand below one another; a hidden one takes no room", async () => {
  const page = await s.open(`${bare}${block(200)}${marker}${block(200)}<div id="other"></div>`);
  const at = { placeholder: "app-footer-placeholder" };
  const list = [overlay(1, at, 50), overlay(2, at, 60, { isHidden: true }), overlay(3, { placeholder: "other" }, 30), overlay(4, at, 70)];
  const [measurement, hosts] = await page.evaluate((...list) => [apply(...list), hosts()], ...list);
  assert.deepEqual(hosts.map((host) => host && [host.top, host.height]), [[200, 50], null, [520, 30], [250, 70]]);
  assert.deepEqual(measurement.anchors.map(({ top, height }) => [top, height]), [[200, 120], [520, 30]]);
  assert.equal(measurement.contentHeight, 550);
  assert.equal(measurement.pageHeight, 400);
  await page.close();
});

const layouts = {
  "plain": "", "the browser's own margins": "html, body { margin: revert } p { margin: revert }",
  "flex column": "body { display: flex; flex-direction: column; gap: 20px }", "flex row": "body { display: flex }",
  "centred": "body { display: flex; justify-content: center; align-items: center; min-height: 100vh }",
  "grid": "body { display: grid; grid-template-columns: 1fr 1fr; gap: 10px }",
  "grid, centred": "body { display: grid; place-items: center; min-height: 100vh }",
  "height: 100%": "html, body { height: 100% }", "min-height: 100vh": "body { min-height: 100vh }", "columns": "body { columns: 2 }",
  "body positioned": "body { position: absolute; width: 100% }", "floats": "p { float: left; width: 40% }",
};

test("at the end of the content and stacked: the page's own height and the overlay's, however the body is laid out", async () => {
  for (const [name, css] of Object.entries(layouts)) {
    for (const own of [100, 2000]) {
      const html = `<style>html, body, p { margin: 0 } ${css}</style><p style="height:${own / 2}px">a</p><p style="height:${own / 2}px">b</p>`;
      const page = await s.open(html);
      const bottom = await page.evaluate(() => Math.max(...[...document.querySelectorAll("html, p")].map((element) => element.getBoundingClientRect().bottom)));
      for (const at of [{ endOfContent: true }, { stacked: true }]) {
        const label = `${name}, ${own}, ${Object.keys(at)}`;
        const [measurement, hosts, low] = await page.evaluate(async (wanted) => {
          apply(wanted); await frame(); await frame();
          const measurement = apply(wanted);
          return [measurement, hosts(), Math.max(...[...document.querySelectorAll("p")].map((p) => p.getBoundingClientRect().bottom))];
        }, overlay(1, at, 120));
        assert.equal(measurement.pageHeight, bottom, label);
        assert.equal(measurement.contentHeight, bottom + 120, label);
        assert.deepEqual(hosts, [{ top: bottom, left: 0, width: 400, height: 120 }], label);
        assert.ok(low <= bottom, `${label}: content to ${low} is covered`);
        const reach = await page.evaluate(() => { scrollTo(0, 1e6); const end = scrollY + innerHeight; scrollTo(0, 0); return end; });
        assert.equal(reach, Math.max(800, bottom + 120), `${label}: all can be scrolled to, and nothing beyond`);
      }
      await page.close();
    }
  }
});

test("a page that grows and shrinks takes the overlays with it, in the next frame", async () => {
  const page = await s.open(`${bare}${block(500, "box")}${marker}`);
  const list = [footer(100), overlay(2, { endOfContent: true }, 50), overlay(3, { stacked: true }, 60)];
  for (const height of [500, 100, 2000, 20, 900]) {
    const [hosts, message] = await page.evaluate(async (height, ...list) => {
      if (height === 500) apply(...list);
      document.getElementById("box").style.height = `${height}px`;
      await frame();
      return [hosts(), last()];
    }, height, ...list);
    assert.deepEqual(hosts.map(({ top }) => top), [height, height + 100, height + 150]);
    if (height !== 500) assert.deepEqual([message.pageHeight, message.contentHeight], [height, height + 210]);
  }
  await page.close();
});

test("1,000 scroll steps of the page and of a scroller in it: the top is the marker's at the next frame, each time", async () => {
  const page = await s.open(`${bare}${block(900)}<div id="scroller" style="height:500px;overflow:auto;border:5px solid">${block(700)}${marker}${block(1500)}</div>${block(2000)}`);
  const { worst, seen, out } = await page.evaluate(async (wanted) => {
    apply(wanted);
    const scroller = document.getElementById("scroller");
    let worst = 0, seen = 0, out = 0, seed = 7;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let n = 0; n < 1000; n++) {
      if (n % 3 !== 0) scroller.scrollTop = random() * 2000;
      else scrollTo(0, random() * 2600);
      await new Promise(requestAnimationFrame);
      const [host] = hosts(), { top, height } = marker(), box = scroller.getBoundingClientRect();
      const [from, to] = [box.top + scrollY + 5, box.top + scrollY + 505];
      const clipped = { top: Math.max(top, from), bottom: Math.min(top + height, to) };
      if (clipped.bottom <= clipped.top) {
        out++;
        if (host !== null) throw new Error(`shown at ${host.top}, where nothing of ${top} is to be seen`);
      } else {
        seen++;
        worst = Math.max(worst, Math.abs(host.top - clipped.top), Math.abs(host.top + host.height - clipped.bottom));
      }
    }
    return { worst, seen, out };
  }, footer(120));
  assert.ok(seen > 100 && out > 100, `${seen} seen, ${out} not`);
  assert.ok(worst < 1, `off by ${worst}`);
  await page.close();
});

test("hidden, taken away and moved: the overlay goes and comes with its marker", async () => {
  const page = await s.open(`${bare}<div id="a">${block(100)}${marker}</div><div id="b">${block(300)}</div>`);
  const states = await page.evaluate(async (wanted) => {
    apply(wanted);
    const at = (id) => document.getElementById(id);
    const place = at("app-footer-placeholder");
    const states = [];
    const step = async (name, change, undo) => {
      for (const [what, action] of [[name, change], ["back", undo]]) {
        action();
        await frame();
        const [host] = hosts(), { isRendered, count, height } = last().anchors[0];
        states.push([what, host?.top ?? null, isRendered, count, height]);
      }
    };
    const sheet = document.createElement("style");
    await step("display", () => { place.style.display = "none"; }, () => { place.style.display = ""; });
    await step("an ancestor's display", () => { at("a").hidden = true; }, () => { at("a").hidden = false; });
    await step("visibility", () => { at("a").style.visibility = "hidden"; }, () => { at("a").style.visibility = ""; });
    await step("a style sheet", () => { sheet.textContent = "#a { display: none }"; document.head.append(sheet); }, () => sheet.remove());
    await step("a rule that a script adds", () => { document.head.append(sheet); sheet.textContent = ""; sheet.sheet.insertRule("#a > div { height: 50px !important }"); }, () => sheet.remove());
    await step("removed", () => place.remove(), () => at("a").append(place));
    await step("moved", () => at("b").append(place), () => at("a").append(place));
    await step("rendered anew", () => { at("a").innerHTML = at("a").innerHTML; }, () => { at("a").innerHTML = at("a").innerHTML; });
    await step("another id", () => { at("app-footer-placeholder").id = "x"; }, () => { at("x").id = "app-footer-placeholder"; });
    await step("a second one", () => { at("b").innerHTML += '<i id="app-footer-placeholder">'; }, () => { at("b").lastChild.remove(); });
    await step("the first of two", () => { at("a").insertAdjacentHTML("beforebegin", '<i id="app-footer-placeholder"></i>'); }, () => document.body.querySelector("i").remove());
    return states;
  }, footer(80));
  const back = ["back", 100, true, 1, 80];
  const gone = (name, count) => [[name, null, false, count, 0], back];
  assert.deepEqual(states, [
    ...gone("display", 1), ...gone("an ancestor's display", 1), ...gone("visibility", 1), ...gone("a style sheet", 1),
    ["a rule that a script adds", 50, true, 1, 80], back, ...gone("removed", 0), ["moved", 400, true, 1, 80], back,
    ["rendered anew", 100, true, 1, 80], back, ...gone("another id", 0), ["a second one", 100, true, 2, 80], back,
    ["the first of two", 0, true, 2, 80], back,
  ]);
  await page.close();
});

test("late things: the marker, an image, a font, the whole body", async () => {
  s.bodies.set("/late.svg", { type: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="333"/>' });
  const page = await s.open(`${bare}<div id="box">text</div>`);
  const measured = await page.evaluate(async (...list) => {
    const first = apply(...list);
    const tops = [first.anchors[0].count];
    document.body.insertAdjacentHTML("beforeend", '<div id="app-footer-placeholder"></div>');
    await frame();
    tops.push(hosts()[0].top - marker().top, last().anchors[0].count);
    const image = new Image();
    image.style.display = "block";
    const loaded = new Promise((resolve) => { image.onload = resolve; });
    image.src = "/late.svg";
    document.getElementById("box").replaceChildren(image);
    await loaded; await frame();
    tops.push(hosts()[0].top, hosts()[1].top);
    document.body.innerHTML = `<p style="margin:0;height:70px"></p><div id="app-footer-placeholder"></div>`;
    await frame();
    tops.push(hosts()[0].top, hosts()[1].top);
    const body = document.createElement("body");
    body.innerHTML = `<p style="margin:0;height:90px"></p><div id="app-footer-placeholder"></div>`;
    document.body.replaceWith(body);
    await frame();
    tops.push(hosts()[0].top, hosts()[1].top);
    document.querySelector("bridgehead-overlays").remove();
    document.querySelector("bridgehead-spacer").remove();
    await frame();
    document.querySelector("bridgehead-overlay").remove();
    document.adoptedStyleSheets = [];
    await frame(); await frame();
    tops.push(hosts()[0].top, hosts()[1].top, marker().height);
    document.body.innerHTML += "<b></b>";
    await frame();
    tops.push(hosts()[0].top, hosts()[1].top, marker().height, document.querySelectorAll("bridgehead-spacer").length);
    return tops;
  }, footer(40), overlay(2, { endOfContent: true }, 50));
  assert.deepEqual(measured, [0, 0, 1, 333, 373, 70, 110, 90, 130, 90, 130, 40, 90, 130, 40, 1]);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a document that is written anew keeps its overlays", async () => {
  const page = await s.open(`${bare}${block(100)}${marker}`);
  const tops = await page.evaluate(async (...list) => {
    apply(...list);
    document.open();
    document.write(`<!doctype html><style>body { margin: 0 }</style><div id="box" style="height:260px"></div><div id="app-footer-placeholder"></div>`);
    document.close();
    await frame(); await frame();
    const tops = hosts().map(({ top }) => top);
    document.getElementById("box").style.height = "30px";
    await frame();
    return [...tops, ...hosts().map(({ top }) => top), marker().height];
  }, footer(40), overlay(2, { endOfContent: true }, 50));
  assert.deepEqual(tops, [260, 300, 30, 70, 40]);
  await page.close();
});

const roots = {
  "html with margin and border": "html { margin: 30px 20px; border: 3px solid }", "html positioned": "html { position: relative; left: 17px; top: 9px; margin: 10px }",
  "html moved": "html { transform: translate(13px, 21px) }", "html scaled": "html { transform: scale(0.5); transform-origin: 0 0 }",
  "html turned about": "html { transform: rotate(180deg); transform-origin: 200px 400px }", "html zoomed": "html { zoom: 2 }",
  "body zoomed": "body { zoom: 1.5 }", "both zoomed": "html { zoom: 1.1 } body { zoom: 1.5 }", "an ancestor zoomed": "main { zoom: 0.7 }",
  "an ancestor moved": "main { transform: translateY(40px) }", "hostile": "* { position: relative !important; margin: 7px !important; display: block; transform: none; top: 3px !important } div { padding: 50px !important; min-height: 30px !important; border: 4px solid !important; max-height: 60px !important; flex: 1 1 50%; float: right; height: 1px !important }",
};

test("whatever the page does to its root: x is 0, the width is the viewport's, the top and the height are the marker's", async () => {
  for (const [name, css] of Object.entries(roots)) {
    const page = await s.open(`<style>${css}</style><main><p>text</p>${marker}<p>more</p></main>`);
    const [[host], room] = await page.evaluate(async (wanted) => { apply(wanted); await frame(); return [hosts(), marker()]; }, footer(120));
    for (const [what, value, wanted] of [["left", host.left, 0], ["width", host.width, 400], ["top", host.top, room.top]]) {
      assert.ok(Math.abs(value - wanted) < 0.5, `${name}: ${what} ${value}, not ${wanted}`);
    }
    const factor = { "html scaled": 0.5 }[name] ?? 1; // a transform of the page's is not undone in the page
    assert.ok(Math.abs(host.height - 120) < 0.1 && Math.abs(room.height - 120 * factor) < 0.1, `${name}: ${host.height} in ${room.height}`);
    await page.close();
  }
});

test("resize, rotation and zoom while it is shown", async () => {
  const page = await s.open(`${bare}<p style="margin:0">${"word ".repeat(200)}</p>${marker}`);
  await page.evaluate((wanted) => { apply(wanted); }, footer(120));
  for (const viewport of [{ width: 800, height: 400 }, { width: 320, height: 500, scale: 3 }, { width: 400, height: 800, scale: 2.625 }]) {
    await page.viewport({ mobile: true, ...viewport });
    await page.waitFor((width) => last()?.viewport.width === width, viewport.width);
    const [[host], room, { anchors }] = await page.evaluate(() => [hosts(), marker(), last()]);
    assert.ok(Math.abs(host.top - room.top) < 1 && Math.abs(anchors[0].top - room.top) < 1);
    assert.deepEqual([host.left, host.width], [0, viewport.width]);
  }
  for (const zoom of [2, 0.5, 1]) {
    const [[host], room] = await page.evaluate(async (zoom) => {
      document.documentElement.style.zoom = zoom;
      await frame(); await frame();
      return [hosts(), marker()];
    }, zoom);
    assert.ok(Math.abs(host.top - room.top) < 1 && Math.abs(room.height - 120) < 0.1, `zoom ${zoom}: ${host.top} at ${room.top}, ${room.height} high`);
  }
  await page.close();
});
