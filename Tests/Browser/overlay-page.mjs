// Pages with overlays.mjs alone in them: no server of ours, no native side.
import { readFileSync } from "node:fs";
import { launch } from "./chromium.mjs";
import { root, site } from "./server.mjs";

const read = (name) => readFileSync(`${root}web-fixtures/client/${name}`, "utf8");

/** The classic script of the module, which is what a browser engine injects into a world of its own. */
export const classic = () => read("overlays.js");

/** An overlay as the native side wants it. */
export const overlay = (id, at, height, more = {}) => ({
  id, at, height, isHidden: false, label: `Overlay ${id}`, version: 1, style: "div { height: 100%; background: #9cf; }",
  view: [{ name: "div", attributes: [["class", "card"]], children: [`Overlay ${id}`] }], ...more,
});
export const footer = (height, more) => overlay(1, { placeholder: "app-footer-placeholder" }, height, more);

/** A browser and a server of pages; `open(html)` shows one and gives `window.overlays` and `window.told` to it. */
export async function stage() {
  const browser = await launch();
  const bodies = new Map();
  const idle = [];
  const pages = await site((path, request) => {
    if (path.startsWith("/client/")) return { type: "text/javascript", body: read(path.slice("/client/".length)) };
    if (path === "/favicon.ico") return { status: 204, body: "" };
    const route = bodies.get(path);
    return typeof route === "function" ? route(request) : route;
  });
  const open = async (html, { viewport = { width: 400, height: 800, mobile: true }, headers = {}, inject = true } = {}) => {
    const path = `/${bodies.size}`;
    const doctype = html.startsWith("<!") ? "" : '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">';
    bodies.set(path, { headers, body: doctype + html });
    const page = idle.pop() ?? await browser.open("about:blank");
    await page.viewport(viewport);
    page.errors.length = page.console.length = 0;
    page.close = () => idle.push(page);
    await page.goto(pages.origin + path);
    if (inject) await page.evaluate(install);
    return page;
  };
  return { browser, bodies, pages, open, async close() { await browser.close(); await pages.close(); } };
}

/** In the page: the module, and what tests ask it. */
export async function install() {
  const { Overlays } = await import("/client/overlays.mjs");
  window.told = [];
  window.overlays = new Overlays(window, (message) => window.told.push(message));
  window.apply = (...list) => window.overlays.apply({ overlays: list, explain: false, safeArea: null });
  window.want = (wanted) => window.overlays.apply(wanted);
  /** After all that the page and the browser do in the frame that comes. */
  window.frame = () => new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  }));
  window.hosts = () => [...document.querySelectorAll("bridgehead-overlay")].map((host) => {
    const { top, left, width, height } = host.getBoundingClientRect();
    return getComputedStyle(host).display === "none" ? null : { top: top + scrollY, left: left + scrollX, width, height };
  });
  window.marker = (id = "app-footer-placeholder") => {
    const { top, height } = document.getElementById(id).getBoundingClientRect();
    return { top: top + scrollY, height };
  };
  window.last = () => window.told.filter(({ measurement }) => measurement).at(-1)?.measurement;
}
