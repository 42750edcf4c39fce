/**
 * Native views over a page: draws what the native side wants, keeps room for it in the page, watches the page, and tells
 * what it measures.
 * @module
 */
import { dom, setStyle, tags } from "./overlay-dom.mjs";
import { Explanation } from "./overlay-explain.mjs";
import { Host } from "./overlay-host.mjs";
import { measure } from "./overlay-measure.mjs";
import { Places } from "./overlay-places.mjs";
import { Watch } from "./overlay-watch.mjs";

/**
 * @typedef {object} WantedOverlay
 * @property {number} id
 * @property {import("./overlay-places.mjs").At} at
 * @property {number} height
 * @property {boolean} isHidden
 * @property {string} label
 * @property {string} style
 * @property {import("./overlay-view.mjs").ViewNode[]} view
 * @property {number} version
 */

export class Overlays {
  #window;
  #dom;
  #tell;
  #places;
  #watch;
  #container;
  #explanation = null;
  #wanted = [];
  #hosts = new Map();
  #isStale = true;
  #hasTried = false;
  #own = { key: "", height: 0 };
  #lowest = 0;
  #told = "";
  #toldAt;
  #waiting = null;

  /**
   * @param {Window} window
   * @param {(message: {measurement: object} | {event: {overlay: number, name: string, value: string | null}}) => void} tell
   */
  constructor(window, tell) {
    this.#window = window;
    this.#dom = dom(window);
    this.#tell = tell;
    this.#places = new Places(window, this.#dom);
    this.#container = this.#dom.create(tags.container);
    setStyle(this.#container, {
      all: "initial", display: "block", position: "absolute", left: "0", top: "0", width: "100%", height: "0", "z-index": "2147483647",
      "pointer-events": "none", "transform-origin": "0 0", "color-scheme": "inherit",
    });
    this.#watch = new Watch(window, this.#dom, {
      changed: (records) => this.#changed(records),
      measure: (isLaidOut) => this.#frame(isLaidOut),
    });
  }

  /**
   * Takes the whole wanted state; the same again changes nothing.
   * @param {{overlays: WantedOverlay[], explain?: boolean, safeArea?: {top: number, right: number, bottom: number, left: number} | null}} wanted
   * @returns {object} The measurement; it counts as told.
   * @throws {TypeError} If a view may not be shown; then nothing has changed.
   */
  apply({ overlays, explain = false, safeArea = null }) {
    const hosts = new Map();
    const shows = [];
    for (const wanted of overlays) {
      const { height } = wanted;
      if (!Number.isFinite(height) || height < 0) throw new TypeError(`The height of an overlay has to be a number of 0 or more, not ${height}`);
      const { id } = wanted;
      const host = this.#hosts.get(id) ?? new Host(this.#window, this.#dom, (name, value) => this.#tell({ event: { overlay: id, name, value } }));
      shows.push(host.prepare(wanted));
      hosts.set(id, host);
    }
    this.#watch.quietly(() => {
      for (const show of shows) show();
      for (const [id, { element }] of this.#hosts) if (!hosts.has(id)) element.remove();
      this.#hosts = hosts;
      this.#wanted = overlays;
      this.#places.set(overlays, safeArea);
      if (explain) this.#explanation ??= new Explanation(this.#window, this.#dom, this.#container);
      else this.#explanation = this.#explanation?.remove() ?? null;
    });
    this.#isStale = true;
    this.#repair();
    const measurement = this.#measure();
    this.#told = JSON.stringify(measurement);
    return measurement;
  }

  /** Leaves the page as it was, and watches it no more. */
  remove() {
    this.#watch.stop();
    if (this.#waiting !== null) this.#window.cancelAnimationFrame(this.#waiting);
    this.#places.remove();
    this.#container.remove();
    this.#hosts.clear();
    this.#wanted = [];
  }

  #changed(records) {
    this.#isStale = true;
    if (records.length > 0) this.#hasTried = false;
    if (records.length === 0 || this.#places.concerns(records)) this.#repair();
    this.#watch.schedule();
  }

  /** Puts back what the page has taken away. Not while the browser lays out: what is watched would change under it. */
  #repair() {
    this.#watch.quietly(() => {
      if (this.#places.repair()) this.#keepContainer();
    });
    const watched = [this.#dom.root(), this.#dom.body()];
    for (const { element } of this.#places.all) for (let at = element; at; at = at.parentElement) watched.push(at);
    this.#watch.observe(watched.filter((element) => element !== null));
  }

  #keepContainer() {
    const root = this.#dom.root();
    const body = this.#dom.body();
    if (body === null || this.#wanted.length === 0) return this.#container.remove();
    const isLast = this.#container.parentNode === root && (body.compareDocumentPosition(this.#container) & 4) !== 0;
    if (!isLast) root.append(this.#container);
    this.#wanted.forEach(({ id }, index) => {
      const { element } = this.#hosts.get(id);
      // What stands where it should is not touched, and keeps the focus.
      if (this.#container.children[index] !== element) this.#container.insertBefore(element, this.#container.children[index] ?? null);
    });
  }

  #frame(isLaidOut) {
    const isWhole = this.#places.isWhole;
    if (!isWhole && !this.#hasTried) {
      if (isLaidOut) this.#window.setTimeout(() => this.#changed([]));
      else this.#repair();
    }
    this.#hasTried = !isWhole; // what the page does not let be put right is left until it changes again
    this.#report(this.#measure(isLaidOut));
    const hosts = [...this.#hosts.values()];
    this.#watch.follow((target) => {
      if (this.#places.all.some(({ element }) => element !== null && target.contains(element))) return true;
      return hosts.some(({ root }) => root.contains(target)) ? false : undefined;
    });
  }

  /** One measurement for all overlays, then all of them placed by it. */
  #measure(isLaidOut = false) {
    if (this.#dom.root() === null) return measure(this.#window, this.#dom, this.#places.all, undefined);
    let measurement;
    this.#watch.quietly(() => {
      this.#straighten();
      const { left, top, width } = this.#dom.rect(this.#container);
      const { scrollHeight, clientHeight } = this.#dom.scroller();
      measurement = measure(this.#window, this.#dom, this.#places.all, { lowest: this.#lowest, alone: (key, read) => this.#alone(key, read) });
      this.#isStale = false;
      // With what is placed now the document gets scroll bars, say, or loses them, and the root has another width.
      if (isLaidOut && scrollHeight > clientHeight !== measurement.contentHeight > measurement.viewport.height) this.#watch.pause();
      this.#place(measurement, { x: left + this.#window.scrollX, y: top + this.#window.scrollY, more: measurement.viewport.width - width });
    });
    return measurement;
  }

  /** Overlays lengthen the document, so its own height is only to be seen without; it is read when it may be another. */
  #alone(key, read) {
    if (!this.#isStale && this.#own.key === key) return this.#own.height;
    const { scrollX, scrollY } = this.#window;
    setStyle(this.#container, { display: "none" });
    this.#own = { key, height: read() };
    setStyle(this.#container, { display: "block" });
    // The browser may have scrolled back to where the shorter document ends.
    this.#dom.rect(this.#container);
    if (this.#window.scrollY !== scrollY) this.#window.scrollTo({ left: scrollX, top: scrollY, behavior: "instant" });
    return this.#own.height;
  }

  /** `origin`: where the container is in the document, and by how much the viewport is wider. */
  #place(measurement, origin) {
    const used = new Map();
    this.#lowest = this.#explanation?.draw(measurement, this.#wanted, origin) ?? 0;
    const { anchors } = measurement;
    const width = `calc(100% + ${origin.more}px)`; // so that the browser keeps it when the viewport gets scroll bars
    for (const { id, at, height, isHidden } of this.#wanted) {
      const key = JSON.stringify(at);
      const anchor = anchors.find((found) => JSON.stringify(found.at) === key);
      const offset = used.get(key) ?? 0;
      if (isHidden || !anchor.isRendered || height === 0) {
        this.#hosts.get(id).place(null);
        continue;
      }
      used.set(key, offset + height);
      this.#lowest = Math.max(this.#lowest, Math.min(anchor.top + offset + height, anchor.clip?.bottom ?? Infinity));
      const clip = anchor.clip && { top: anchor.clip.top - origin.y, bottom: anchor.clip.bottom - origin.y };
      this.#hosts.get(id).place({ left: -origin.x, top: anchor.top + offset - origin.y, width, height, clip });
    }
  }

  /** In the container, a pixel is one of the viewport, whatever the page does to its root. */
  #straighten() {
    const root = this.#dom.root();
    const { transform } = this.#dom.style(root);
    const matrix = transform === "none" ? null : new this.#window.DOMMatrix(transform);
    let inverse = "none";
    if (matrix?.is2D && (matrix.a !== 1 || matrix.b !== 0 || matrix.c !== 0 || matrix.d !== 1)) {
      const { a, b, c, d } = new this.#window.DOMMatrix([matrix.a, matrix.b, matrix.c, matrix.d, 0, 0]).inverse();
      if (Number.isFinite(a)) inverse = `matrix(${a}, ${b}, ${c}, ${d}, 0, 0)`;
    }
    setStyle(this.#container, { zoom: `${1 / this.#dom.zoom(root)}`, transform: inverse });
  }

  /** Tells a measurement that is another than the last, one in a frame. */
  #report(measurement) {
    const text = JSON.stringify(measurement);
    if (text === this.#told) return;
    const time = this.#window.document.timeline?.currentTime ?? null;
    if (time !== null && time === this.#toldAt && !this.#window.document.hidden) {
      this.#waiting ??= this.#window.requestAnimationFrame(() => {
        this.#waiting = null;
        this.#watch.schedule();
      });
      return;
    }
    this.#told = text;
    this.#toldAt = time;
    this.#tell({ measurement });
  }
}
