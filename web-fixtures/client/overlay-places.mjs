import { attribute, bodyEnd, tags } from "./overlay-dom.mjs";

/**
 * @typedef {{placeholder: string} | {endOfContent: true} | {stacked: true}} At
 * @typedef {object} Place Where overlays stand below one another.
 * @property {At} at
 * @property {string} token What its element has as attribute.
 * @property {number} height What it reserves, in CSS pixels.
 * @property {Element | null} element The page's marker, or the spacer.
 * @property {number} count
 * @property {number} zoom The factor of CSS zoom at its element.
 * @property {number} before The part of the spacer that content which overflows the body stands in.
 */

/** How often in one frame things are put back where they belong: a page that puts them elsewhere each time has its way. */
const patience = 10;

/** Makes room in the page: marks the page's markers, keeps the spacer, and has the style sheet that sizes them. */
export class Places {
  #window;
  #dom;
  #sheet;
  #text = "";
  #next = 0;
  #byKey = new Map();
  #safeArea = null;
  #repairs = 0;

  constructor(window, dom) {
    this.#window = window;
    this.#dom = dom;
    this.#sheet = new window.CSSStyleSheet();
  }

  /** @returns {Place[]} */
  get all() {
    return [...this.#byKey.values()];
  }

  /** @returns {Place} */
  of(at) {
    return this.#byKey.get(JSON.stringify(at));
  }

  /** Takes the wanted state. */
  set(overlays, safeArea) {
    const known = this.#byKey;
    this.#byKey = new Map();
    this.#safeArea = safeArea ?? null;
    for (const { at, height, isHidden } of overlays) {
      const key = JSON.stringify(at);
      const place = this.#byKey.get(key) ?? known.get(key) ?? { at, token: `${this.#next++}`, element: null, count: 1, zoom: 1, before: 0 };
      if (!this.#byKey.has(key)) place.height = 0;
      this.#byKey.set(key, place);
      if (!isHidden) place.height += height;
    }
    for (const [key, place] of known) if (!this.#byKey.has(key)) this.#release(place);
    this.#repairs = 0;
  }

  /** Whether everything is as it should be; asked once a frame, in which things may be put back some times. */
  get isWhole() {
    const isPatient = this.#repairs <= patience;
    this.#repairs = 0;
    const fits = (place) => place.element === null || (this.#dom.zoom(place.element) === place.zoom && this.#before(place) === place.before
      && this.#dom.style(place.element).display !== "inline");
    return isPatient && this.#dom.sheets().includes(this.#sheet) && this.all.every(fits);
  }

  /** Whether a change of the tree may have put something out of its place. */
  concerns(records) {
    if (this.all.some(({ element, before }) => before > 0 || element?.getAttribute(attribute)?.endsWith(" block"))) return true;
    return records.some(({ type, attributeName }) => type === "childList" || attributeName === "id" || attributeName === attribute);
  }

  /**
   * Puts everything where it belongs in the page as it is now.
   * @returns {boolean} False if that has been done too often in this frame.
   */
  repair() {
    if (this.#repairs++ > patience) return false;
    for (const place of this.#byKey.values()) {
      if (place.at.placeholder !== undefined) this.#findMarker(place);
      else if (place.at.endOfContent) this.#keepSpacer(place);
    }
    this.#dropCopies();
    this.#size();
    return true;
  }

  /** Leaves the page as it was. */
  remove() {
    for (const place of this.#byKey.values()) this.#release(place);
    this.#byKey.clear();
    const sheets = this.#dom.sheets();
    if (sheets.includes(this.#sheet)) this.#dom.adopt(sheets.filter((sheet) => sheet !== this.#sheet));
  }

  #release(place) {
    if (place.element === null) return;
    if (place.at.endOfContent) place.element.remove();
    else place.element.removeAttribute(attribute);
    place.element = null;
  }

  #findMarker(place) {
    const id = place.at.placeholder;
    const marker = id === "" ? null : this.#dom.byId(id);
    if (marker !== place.element) this.#release(place);
    place.element = marker;
    place.count = marker === null ? 0 : this.#dom.all(`[id="${this.#window.CSS.escape(id)}"]`).length;
    if (marker === null) return;
    this.#mark(marker, place.token);
    // An inline box has no height. Whether it would be one is asked without the rule, which would show what is hidden.
    if (this.#dom.style(marker).display === "inline") this.#mark(marker, `${place.token} block`);
  }

  #mark(element, value) {
    if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
  }

  #keepSpacer(place) {
    const body = this.#dom.body();
    if (body === null || this.#dom.readyState() === "loading") return;
    if (place.element === null) {
      place.element = this.#dom.create(tags.spacer);
      place.element.setAttribute("aria-hidden", "true");
      place.element.setAttribute(attribute, `${place.token} space`);
    }
    const { element } = place;
    if (this.#scrollsItself(body)) {
      if (element.parentNode !== body || element.nextElementSibling !== null) body.append(element);
    } else if (element.previousElementSibling !== body) {
      // After the body, no rule of the page lays it out, and the margins in the body end as they did.
      body.after(element);
    }
  }

  /** How far the content overflows a body that may be no higher: the spacer has to reach beyond. */
  #before({ at, element, before }) {
    if (!at.endOfContent || element.parentNode === this.#dom.body()) return 0;
    const gap = (bodyEnd(this.#window, this.#dom) ?? -Infinity) - this.#dom.rect(element).top;
    return gap >= 1 ? (Math.abs(gap - before) < 1 ? before : gap) : 0;
  }

  #scrollsItself(body) {
    const root = this.#dom.style(this.#dom.root());
    const { overflowY } = this.#dom.style(body);
    return (root.overflowY !== "visible" && overflowY !== "visible" && overflowY !== "clip") || !/^(block|flow-root)$/.test(root.display);
  }

  /** A page that copies its own markup copies what was put into it too. */
  #dropCopies() {
    const own = new Set(this.all.map(({ element }) => element));
    for (const element of this.#dom.all(`[${attribute}]`)) {
      if (own.has(element)) continue;
      if (element.localName === tags.spacer) element.remove();
      else element.removeAttribute(attribute);
    }
  }

  #size() {
    const rules = [];
    for (const place of this.all) {
      if (place.element === null) continue;
      place.zoom = this.#dom.zoom(place.element);
      place.before = this.#before(place);
      const height = `${(place.height + place.before) / place.zoom}px !important`;
      rules.push(`${selector(place.token)} { height: ${height}; min-height: ${height}; max-height: ${height}; }`);
    }
    if (rules.length > 0) rules.push(common);
    if (this.#safeArea) {
      const sides = ["top", "right", "bottom", "left"].map((side) => `--safe-area-inset-${side}: ${Number(this.#safeArea[side]) || 0}px;`);
      rules.push(`:root { ${sides.join(" ")} }`);
    }
    const text = rules.join("\n");
    if (text !== this.#text) this.#sheet.replaceSync(text);
    this.#text = text;
    const sheets = this.#dom.sheets();
    if (!sheets.includes(this.#sheet)) this.#dom.adopt([...sheets, this.#sheet]);
  }
}

/** With the weight of ids that no element has, so that it counts more than the page's own important rules. */
const selector = (token) => `[${attribute}~="${token}"]:not(#_#_#_)`;

const common = `
${selector("").replace(/~="[^"]*"/, "")} {
  box-sizing: border-box !important; flex-shrink: 0 !important; overflow: clip !important;
  padding-top: 0 !important; padding-bottom: 0 !important; border-top-width: 0 !important; border-bottom-width: 0 !important;
}
${selector("block")} { display: block !important; }
${selector("space")} {
  display: block !important; pointer-events: none !important; position: static !important;
  float: none !important; clear: both !important; margin: 0 !important; padding: 0 !important; border: 0 !important;
  width: 100% !important; min-width: 0 !important; max-width: none !important; flex-grow: 0 !important; flex-basis: auto !important;
  grid-column: 1 / -1 !important; align-self: end !important; order: 2147483647 !important; column-span: all !important;
  transform: none !important; background: none !important;
}`;
