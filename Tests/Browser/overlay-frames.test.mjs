// What overlays cost: one measurement a frame, however many there are, and nothing while nothing happens.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { footer, overlay, stage } from "./overlay-page.mjs";

let s;
before(async () => { s = await stage(); });
after(() => s.close());

const block = (height) => `<div style="height:${height}px"></div>`;
const twenty = Array.from({ length: 20 }, (_, n) => overlay(n, { placeholder: `m${n}` }, 30));
const markers = twenty.map(({ at }) => `${block(100)}<div id="${at.placeholder}"></div>`).join("");

/** Counts, in the page, what the module asks the browser for. Before the module comes. */
const counted = `<script>
window.counts = { rects: 0, frames: 0, timers: 0 };
const { getBoundingClientRect } = Element.prototype;
Element.prototype.getBoundingClientRect = function () {
  if (this.id.startsWith("m")) counts.rects++;
  return getBoundingClientRect.call(this);
};
const { requestAnimationFrame: raf, setTimeout: later } = window;
window.requestAnimationFrame = (action) => { if (action.name !== "mine") counts.frames++; return raf(action); };
window.setTimeout = (...args) => { counts.timers++; return later(...args); };
window.zero = () => Object.assign(counts, { rects: 0, frames: 0, timers: 0 });
/** What is painted: after all that runs in the frame. In a task of its own, the browser may have moved its animations on. */
window.painted = () => new Promise((resolve) => raf(function mine() {
  const last = new ResizeObserver(() => { last.disconnect(); resolve(); });
  last.observe(document.documentElement);
}));
window.step = () => new Promise((resolve) => raf(function mine() { later(resolve); }));
</script>`;

test("with 20 overlays, each marker is measured once in a frame in which the page scrolls, or changes many times", async () => {
  const page = await s.open(`${counted}<body style="margin:0">${markers}${block(3000)}`);
  const results = await page.evaluate(async (list) => {
    apply(...list);
    await step(); await step();
    const results = {};
    for (const [name, change] of Object.entries({
      scroll: (n) => scrollTo(0, 10 + n),
      changes: async (n) => {
        for (let k = 0; k < 30; k++) {
          document.body.firstElementChild.style.height = `${100 + n + k}px`;
          document.body.append(document.createElement("b"));
          await null;
        }
      },
      both: (n) => { scrollTo(0, 100 + n); document.body.firstElementChild.style.height = `${100 - n}px`; },
    })) {
      zero();
      told.length = 0;
      for (let n = 0; n < 10; n++) { await change(n); await step(); }
      results[name] = { ...counts, told: told.length };
    }
    return results;
  }, twenty);
  for (const [name, { rects, told }] of Object.entries(results)) {
    assert.ok(rects <= 20 * 11 && rects >= 20 * 9, `${name}: ${rects} in 10 frames`);
    assert.ok(told <= 11 && told >= 9, `${name}: told ${told} times in 10 frames`);
  }
  await page.close();
});

test("while nothing happens, there are no animation frames, no timers and no measurements", async () => {
  const page = await s.open(`${counted}<body style="margin:0">${markers}<i style="display:block;animation:spin 1s infinite">x</i><style>@keyframes spin { to { transform: rotate(1turn) } }</style>`);
  const counts = await page.evaluate(async (list) => {
    apply(...list, { ...list[0], id: 99, at: { stacked: true } }, { ...list[0], id: 98, at: { endOfContent: true } });
    for (let n = 0; n < 3; n++) await step();
    zero();
    for (let n = 0; n < 60; n++) await step();
    return window.counts;
  }, twenty);
  assert.deepEqual(counts, { rects: 0, frames: 0, timers: 0 });
  await page.close();
});

test("while something moves it, it is followed in each frame; then the frames end", async () => {
  const page = await s.open(`${counted}<style>body { margin: 0 } #box { height: 100px; transition: height 600ms linear } .more { height: 400px !important }
    @keyframes slide { from { margin-top: 0 } to { margin-top: 200px } } .slide { animation: slide 600ms linear }</style>
    <div id="box"></div><main><div id="app-footer-placeholder"></div></main>`);
  const results = await page.evaluate(async (wanted) => {
    apply(wanted);
    await step();
    const results = [];
    for (const change of [
      () => document.getElementById("box").classList.add("more"),
      () => document.querySelector("main").classList.add("slide"),
      () => { document.querySelector("main").animate([{ transform: "none" }, { transform: "translateY(99px)" }], 600); told.length = 0; document.body.append("x"); },
    ]) {
      change();
      let worst = 0, moved = new Set();
      do {
        await painted();
        const [host] = hosts(), { top } = marker();
        worst = Math.max(worst, Math.abs(host.top - top));
        moved.add(top);
      } while (document.getAnimations().length > 0);
      await step(); await step();
      worst = Math.max(worst, Math.abs(hosts()[0].top - marker().top));
      zero();
      for (let n = 0; n < 20; n++) await step();
      results.push([worst, moved.size > 1, { ...counts }]);
    }
    return results;
  }, footer(50));
  for (const [worst, moved, counts] of results) {
    assert.ok(worst < 1, `off by ${worst}`);
    assert.ok(moved);
    assert.deepEqual(counts, { rects: 0, frames: 0, timers: 0 });
  }
  await page.close();
});

test("equal measurements are told once, and another only once a frame", async () => {
  const page = await s.open(`<body style="margin:0">${block(100)}<div id="app-footer-placeholder"></div>`);
  const told = await page.evaluate(async (wanted) => {
    apply(wanted);
    const box = document.body.firstElementChild;
    for (let n = 0; n < 5; n++) { box.title = `${n}`; await frame(); }
    const nothing = window.told.length;
    for (let n = 1; n <= 5; n++) { box.style.height = `${100 + n}px`; await frame(); }
    return [nothing, window.told.map(({ measurement }) => measurement.anchors[0].top)];
  }, footer(50));
  assert.deepEqual(told, [0, [101, 102, 103, 104, 105]]);
  await page.close();
});

test("a page that undoes what overlays do has its way, and nothing runs for ever", async () => {
  for (const script of [
    "new MutationObserver(() => { if (document.body.nextSibling !== own) document.body.after(own) }).observe(document.documentElement, { childList: true })",
    "new MutationObserver(() => document.querySelector('bridgehead-overlays')?.remove()).observe(document.documentElement, { childList: true })",
    "new MutationObserver(() => document.querySelector('[data-bridgehead-overlay]')?.removeAttribute('data-bridgehead-overlay')).observe(document.documentElement, { subtree: true, attributes: true })",
    "document.getElementById('app-footer-placeholder').style.setProperty('display', 'inline', 'important')",
    "document.getElementById('app-footer-placeholder').style.setProperty('height', '7px', 'important')",
    "for (const name of ['body', 'documentElement', 'getElementById', 'adoptedStyleSheets', 'readyState', 'scrollingElement', 'querySelectorAll', 'createElementNS']) document.body.append(Object.assign(new Image(), { name }))",
    "for (const prototype of [Element.prototype, Document.prototype]) for (const name of ['getBoundingClientRect', 'querySelectorAll', 'getElementById', 'attachShadow', 'createElementNS']) if (prototype[name]) prototype[name] = () => { throw new Error('mine') }",
  ]) {
    const page = await s.open(`${block(100)}<div id="app-footer-placeholder"></div>`);
    const alive = await page.evaluate(async (script, ...list) => {
      window.own = document.createElement("own-thing");
      apply(...list);
      const element = document.createElement("script");
      element.textContent = script;
      document.head.append(element);
      document.querySelector("bridgehead-overlays")?.remove();
      for (let n = 0; n < 5; n++) { document.body.append("x"); await frame(); }
      return apply(...list).isLoaded;
    }, script, footer(50), overlay(2, { endOfContent: true }, 50));
    assert.equal(alive, true, script);
    assert.deepEqual(page.errors, [], script);
    await page.close();
  }
});
