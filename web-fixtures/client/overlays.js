// Bridgehead's native views over a page as a classic script. Made by bundle.mjs from the modules beside it; change those.
(() => {
"use strict";

// overlay-dom.mjs

/** What overlays put into a page is of these names, so that no style sheet of the page means it. */
const tags = { container: "bridgehead-overlays", host: "bridgehead-overlay", spacer: "bridgehead-spacer" };

/** The attribute that marks what overlays size: a marker of the page's own, and the spacer. */
const attribute = "data-bridgehead-overlay";

const xhtml = "http://www.w3.org/1999/xhtml";

/**
 * The members of the document that overlays need, as the browser made them: a page may have patched its own, and an
 * element with a name such as "body" stands before the document's member of that name.
 * @param {Window} window
 */
function dom(window) {
  const { document, Document, Element } = window;
  const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const body = getter(Document.prototype, "body");
  const root = getter(Document.prototype, "documentElement");
  const scroller = getter(Document.prototype, "scrollingElement");
  const readyState = getter(Document.prototype, "readyState");
  const sheets = Object.getOwnPropertyDescriptor(Document.prototype, "adoptedStyleSheets");
  const { getElementById, querySelectorAll, createElementNS, createTextNode } = Document.prototype;
  const { getBoundingClientRect, attachShadow } = Element.prototype;
  return {
    root: () => root.call(document),
    /** The body, if it is one that can hold an overlay's spacer; a frame set is none. */
    body: () => {
      const found = body.call(document);
      return found?.localName === "body" ? found : null;
    },
    scroller: () => scroller.call(document) ?? root.call(document),
    sheets: () => [...sheets.get.call(document)],
    adopt: (list) => sheets.set.call(document, list),
    readyState: () => readyState.call(document),
    byId: (id) => getElementById.call(document, id),
    all: (selector) => [...querySelectorAll.call(document, selector)],
    create: (name) => createElementNS.call(document, xhtml, name),
    text: (value) => createTextNode.call(document, value),
    rect: (element) => getBoundingClientRect.call(element),
    shadow: (element) => attachShadow.call(element, { mode: "closed" }),
    style: (element) => window.getComputedStyle(element),
    /** The factor of CSS zoom that an element is drawn with. */
    zoom: (element) => {
      if (element.currentCSSZoom) return Math.round(element.currentCSSZoom * 1e6) / 1e6;
      let factor = 1;
      for (let at = element; at; at = at.parentElement) factor *= Number(window.getComputedStyle(at).zoom) || 1;
      return factor;
    },
  };
}

/**
 * Where the content of the body ends, in the viewport's coordinates; it may overflow a body that may be no higher.
 * @returns {number | null} Nothing where the body does not tell: in a page of the old kind, it tells the document's height.
 */
function bodyEnd(window, dom) {
  const body = dom.body();
  if (body === null || window.document.compatMode === "BackCompat") return null;
  // Of one of the two, overflow is the viewport's; a body with its own ends where its box does.
  if (dom.style(body).overflowY !== "visible" && dom.style(dom.root()).overflowY !== "visible") return null;
  return dom.rect(body).top + (body.clientTop + body.scrollHeight) * dom.zoom(body);
}

/**
 * Sets properties that no style sheet of the page overrides. It goes through the object model, which a
 * Content-Security-Policy leaves alone.
 * @param {HTMLElement} element
 * @param {Record<string, string>} properties
 */
function setStyle(element, properties) {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, "important");
}

// overlay-explain.mjs

const explained = `
div { position: absolute; box-sizing: border-box; font: 11px/1.3 ui-monospace, monospace; pointer-events: none; }
.anchor { outline: 1px dashed #d6006c; outline-offset: -1px; background: repeating-linear-gradient(45deg, #d6006c22 0 6px, transparent 6px 12px); }
.overlay { outline: 2px solid #0a66ff; outline-offset: -2px; }
.page { background: #008a3e; }
span { position: absolute; right: 0; max-width: 100%; padding: 1px 4px; color: #fff; white-space: pre; overflow: hidden; }
.anchor span { top: 0; background: #d6006c; }
.overlay span { bottom: 0; background: #0a66ff; }
.page span { right: auto; left: 0; bottom: 0; background: #008a3e; }`;

/** Draws what was measured over the page, so that a person sees whether the page or the native side is wrong. */
class Explanation {
  #dom;
  #element;
  #root;
  #container;
  #drawn = "";

  constructor(window, dom, container) {
    this.#dom = dom;
    this.#container = container;
    this.#element = dom.create(tags.host);
    this.#element.setAttribute("aria-hidden", "true");
    setStyle(this.#element, { all: "initial", display: "block", position: "absolute", left: "0", width: "100%", height: "0", "pointer-events": "none" });
    this.#root = dom.shadow(this.#element);
    const sheet = new window.CSSStyleSheet();
    sheet.replaceSync(explained);
    this.#root.adoptedStyleSheets = [sheet];
  }

  /**
   * @param {{x: number, y: number, more: number}} origin Where the container begins in the document, and how much wider the
   *   viewport is.
   * @returns {number} Where the lowest of what is drawn ends in the document.
   */
  draw({ viewport, anchors, pageHeight, contentHeight }, wanted, origin) {
    if (this.#element.parentNode !== this.#container) this.#container.append(this.#element);
    const boxes = [["page", contentHeight - 2, 2, `page ${pageHeight}  content ${contentHeight}`]];
    for (const anchor of anchors) {
      const name = anchor.at.placeholder !== undefined ? `#${anchor.at.placeholder}` : Object.keys(anchor.at)[0];
      if (!anchor.isRendered) continue;
      boxes.push(["anchor", anchor.top, anchor.height, `${name}  top ${anchor.top}  height ${anchor.height}`]);
      let { top } = anchor;
      for (const { id, at, height, isHidden } of wanted) {
        if (isHidden || JSON.stringify(at) !== JSON.stringify(anchor.at)) continue;
        boxes.push(["overlay", top, height, `overlay ${id}  y ${top}  ${viewport.width}×${height}`]);
        top += height;
      }
    }
    const text = JSON.stringify([boxes, origin]);
    if (text !== this.#drawn) this.#root.replaceChildren(...boxes.map((box) => this.#box(box, origin)));
    this.#drawn = text;
    return Math.max(...boxes.map(([, top, height]) => top + height));
  }

  #box([kind, top, height, text], origin) {
    const box = this.#dom.create("div");
    const label = this.#dom.create("span");
    box.className = kind;
    label.textContent = text;
    box.append(label);
    setStyle(box, { left: `${-origin.x}px`, top: `${top - origin.y}px`, width: `calc(100% + ${origin.more}px)`, height: `${height}px` });
    return box;
  }

  remove() {
    this.#element.remove();
  }
}

// overlay-view.mjs

const words = (text) => new Set(text.split(/\s+/));

/** What a native view may be made of. Nothing here runs, loads or styles anything but by the rules below. */
const elements = words(`a abbr address article aside b blockquote br button caption cite code col colgroup dd del details div dl dt
  em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr i img input ins kbd label legend li main mark meter nav
  ol optgroup option output p pre progress q s samp section select small span strong sub summary sup table tbody td textarea
  tfoot th thead time tr u ul var wbr`);
const attributes = words(`abbr alt autocapitalize autocomplete checked class cols colspan datetime dir disabled enterkeyhint event for
  headers height hidden high href id inputmode label lang low max maxlength min minlength multiple name open optimum pattern
  placeholder readonly rel required reversed role rows rowspan scope selected size span spellcheck src start step tabindex title
  type value width`);
const inputTypes = words(`button checkbox color date datetime-local email month number password radio range reset search submit tel
  text time url week`);

/**
 * @typedef {string | {name: string, attributes?: [string, string][], children?: ViewNode[]}} ViewNode
 */

/**
 * Makes the elements of a native view.
 * @param {ReturnType<import("./overlay-dom.mjs").dom>} dom
 * @param {ViewNode[]} nodes
 * @returns {{nodes: Node[], events: Map<Element, string>}} `events`: what each element with the attribute `event` tells.
 * @throws {TypeError} It names what is refused.
 */
function buildView(dom, nodes) {
  const events = new Map();
  const build = (node) => {
    if (typeof node === "string") return dom.text(node);
    const { name, attributes: list = [], children = [] } = Object(node);
    if (!elements.has(name)) throw new TypeError(`A native view may not have the element <${name}>`);
    const element = dom.create(name);
    for (const [attribute, value] of list) {
      checkAttribute(name, attribute, value);
      if (attribute === "event") events.set(element, value);
      else element.setAttribute(attribute, value);
    }
    element.append(...children.map(build));
    return element;
  };
  return { nodes: nodes.map(build), events };
}

function checkAttribute(element, name, value) {
  const refuse = (what) => {
    throw new TypeError(`A native view may not have ${what} in <${element}>`);
  };
  if (typeof value !== "string" || !(attributes.has(name) || /^(aria|data)-[a-z0-9-]+$/.test(name))) refuse(`the attribute ${name}`);
  if ((name === "href" && element !== "a") || (name === "src" && element !== "img")) refuse(`the attribute ${name}`);
  if ((name === "href" || name === "src") && !isWebURL(value)) refuse(`${name}=${JSON.stringify(value)}, which is no http or https URL,`);
  if (element === "input" && name === "type" && !inputTypes.has(value.toLowerCase())) refuse(`type=${JSON.stringify(value)}`);
}

/** As the browser would read it: it skips blanks around a URL, and tabs and newlines in it. */
function isWebURL(text) {
  try {
    return ["http:", "https:"].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}

/**
 * @param {string} style
 * @returns {string} The same.
 * @throws {TypeError} If it would load something that does not come over http or https.
 */
function checkStyle(style) {
  const plain = style
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/\\([0-9a-f]{1,6})\s?|\\([^0-9a-f\n])/gi, (_, code, character) => character ?? String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)));
  if (/@import/i.test(plain)) throw new TypeError("The style of a native view may not have @import");
  for (const [, url] of plain.matchAll(/(?:url|src|image-set)\(\s*["']?([^"')]*)/gi)) {
    if (!isWebURL(url)) throw new TypeError(`The style of a native view may not have url(${url}), which is no http or https URL`);
  }
  return style;
}

/**
 * Tells what a person does with the elements that have an event.
 * @param {Node} root The shadow root that holds the view.
 * @param {() => Map<Element, string>} events
 * @param {(name: string, value: string | null) => void} tell
 */
function listen(root, events, tell) {
  const last = new WeakMap();
  const find = (event) => {
    for (let at = event.target; at && at !== root; at = at.parentNode) if (events().has(at)) return at;
    return undefined;
  };
  const isInput = (element) => /^(input|select|textarea)$/.test(element.localName) && !/^(button|submit|reset)$/.test(element.type);
  root.addEventListener("click", (event) => {
    const element = find(event);
    if (element && !isInput(element) && element.localName !== "form") tell(events().get(element), null);
  });
  for (const type of ["input", "change"]) {
    root.addEventListener(type, (event) => {
      const element = find(event);
      if (!element || !isInput(element)) return;
      const value = element.type === "checkbox" ? String(element.checked) : element.value;
      // "change" repeats what "input" has told.
      if (type === "change" && last.get(element) === value) return;
      last.set(element, value);
      tell(events().get(element), value);
    });
  }
  root.addEventListener("submit", (event) => {
    event.preventDefault(); // a native view never takes the page elsewhere by itself
    const element = find(event);
    if (element) tell(events().get(element), null);
  });
}

// overlay-host.mjs

/** What the page's listeners need not see: to them, all that happens in a native view happened outside of the page. */
const kept = ["click", "dblclick", "auxclick", "contextmenu", "keydown", "keyup", "keypress", "beforeinput", "input", "change",
  "submit", "focusin", "focusout", "pointerdown", "pointerup", "pointermove", "mousedown", "mouseup", "mousemove", "touchstart",
  "touchend", "touchmove", "compositionstart", "compositionupdate", "compositionend", "copy", "cut", "paste", "dragstart"];

const base = `:host { -webkit-user-select: none; user-select: none; }
input, textarea { -webkit-user-select: text; user-select: text; }
#view { position: absolute; left: 0; width: 100%; box-sizing: border-box; overflow: hidden; font: 16px/1.4 system-ui, sans-serif; }`;

/** One native view: an element over the page that is as large as can be seen of it, and in its shadow the view. */
class Host {
  #window;
  #dom;
  #view;
  #sheet;
  #version;
  #events = new Map();
  #placed = "";

  /**
   * @param {Window} window
   * @param {ReturnType<import("./overlay-dom.mjs").dom>} dom
   * @param {(name: string, value: string | null) => void} tell
   */
  constructor(window, dom, tell) {
    this.#window = window;
    this.#dom = dom;
    this.element = dom.create(tags.host);
    this.element.setAttribute("role", "group");
    setStyle(this.element, {
      all: "initial", display: "none", position: "absolute", overflow: "clip", "pointer-events": "auto", "color-scheme": "inherit",
    });
    this.root = dom.shadow(this.element);
    const common = new window.CSSStyleSheet();
    common.replaceSync(base);
    this.#sheet = new window.CSSStyleSheet();
    this.root.adoptedStyleSheets = [common, this.#sheet];
    this.#view = dom.create("div");
    this.#view.id = "view";
    this.root.append(this.#view);
    listen(this.root, () => this.#events, tell);
    for (const type of kept) this.element.addEventListener(type, (event) => event.stopPropagation(), { passive: true });
  }

  /**
   * Makes a view, if it is another than is shown.
   * @returns {() => void} What shows it.
   * @throws {TypeError} If it may not be shown.
   */
  prepare({ version, view, style, label }) {
    if (version === this.#version) return () => {};
    checkStyle(style);
    const { nodes, events } = buildView(this.#dom, view);
    return () => {
      this.#version = version;
      this.#events = events;
      this.#view.replaceChildren(...nodes);
      this.#sheet.replaceSync(style);
      this.element.setAttribute("aria-label", label);
    };
  }

  /**
   * @param {{left: number, top: number, width: string, height: number, clip: {top: number, bottom: number} | null} | null} frame
   *   In the container's own coordinates; nothing when the view is not to be seen.
   */
  place(frame) {
    const text = JSON.stringify(frame);
    if (text === this.#placed) return;
    this.#placed = text;
    const from = Math.max(frame?.top, frame?.clip?.top ?? -Infinity);
    const to = Math.min(frame?.top + frame?.height, frame?.clip?.bottom ?? Infinity);
    // Of a view in a scroller only what can be seen takes place in the page, or the page would become longer by the rest.
    if (frame === null || (frame.clip !== null && to <= from)) return setStyle(this.element, { display: "none" });
    const { left, top, width, height } = frame;
    setStyle(this.element, { display: "block", left: `${left}px`, top: `${from}px`, width, height: `${to - from}px` });
    setStyle(this.#view, { top: `${top - from}px`, height: `${height}px` });
  }
}

// overlay-measure.mjs

/** Positions are told in hundredths of a pixel: what is below that is noise of the browser's arithmetic. */
const round = (number) => Math.round(number * 100) / 100 + 0;

/**
 * Reads, without writing, where everything is.
 * @param {Window} window
 * @param {ReturnType<import("./overlay-dom.mjs").dom>} dom
 * @param {import("./overlay-places.mjs").Place[]} places
 * @param {{lowest: number, alone: (key: string, read: () => number) => number}} drawn `lowest`: where the lowest of the overlays
 *   ends in the document; `alone` calls `read` while no overlay lengthens the document, or knows its result for that key.
 */
function measure(window, dom, places, drawn) {
  if (dom.root() === null) return nothing(places);
  const scroller = dom.scroller();
  const x = window.scrollX;
  const y = window.scrollY;
  const viewport = { width: scroller.clientWidth, height: scroller.clientHeight };
  const stacked = places.find(({ at }) => at.stacked);
  const own = documentHeight(window, dom, drawn);
  const clips = new Map();
  let reserved = 0;
  const anchors = places.map((place) => {
    if (place.at.stacked) return { at: place.at, count: 1, top: round(own), height: place.height, isRendered: true, clip: null };
    const { at, element } = place;
    const count = at.endOfContent ? 1 : place.count;
    if (element === null || !isRendered(window, element)) {
      return { at, count, top: 0, height: 0, isRendered: false, clip: null };
    }
    const rect = dom.rect(element);
    // What is meant, if the page lets it be so.
    const height = Math.abs(rect.height - place.before - place.height) < 0.5 ? place.height : rect.height - place.before;
    const { clip, isApart } = clipOf(dom, element, clips);
    if (!isApart) reserved += height;
    return {
      at, count, top: round(rect.bottom - height + y), height: round(height), isRendered: true,
      clip: clip && { top: round(clip.top + y), bottom: round(clip.bottom + y) },
    };
  });
  return {
    isLoaded: dom.readyState() === "complete",
    viewport,
    scroll: { x: round(x), y: round(y) },
    scale: window.visualViewport?.scale ?? 1,
    pageHeight: round(own - reserved),
    contentHeight: round(own + (stacked?.height ?? 0)),
    anchors,
  };
}

/** The measurement of a document in which there is nothing yet. */
function nothing(places) {
  const anchors = places.map(({ at }) => ({ at, count: at.placeholder === undefined ? 1 : 0, top: 0, height: 0, isRendered: false, clip: null }));
  const [viewport, scroll] = [{ width: 0, height: 0 }, { x: 0, y: 0 }];
  return { isLoaded: false, viewport, scroll, scale: 1, pageHeight: 0, contentHeight: 0, anchors };
}

/** How high the page's content is; where it does not fill the viewport, that is less than the browser lets one scroll over. */
function documentHeight(window, dom, drawn) {
  const scroller = dom.scroller();
  const root = dom.root();
  const rootEnd = dom.rect(root).bottom + (parseFloat(dom.style(root).marginBottom) || 0) * dom.zoom(root);
  const contentEnd = bodyEnd(window, dom) ?? rootEnd;
  // The body's end is a whole number: it counts only if content really reaches beyond the root.
  const bottom = (contentEnd - rootEnd >= 1 ? contentEnd : rootEnd) + window.scrollY;
  const { scrollHeight, clientHeight } = scroller;
  // A whole number, and the content's own end rounded if that is what it stands for.
  if (scrollHeight <= clientHeight || scrollHeight - bottom < 1) return bottom;
  if (drawn === undefined || drawn.lowest < scrollHeight - 1) return scrollHeight;
  // It reaches as far as an overlay does: what is stacked below the page, or was drawn where the page has ended since.
  return drawn.alone(JSON.stringify([bottom, scrollHeight]), () => documentHeight(window, dom));
}

function isRendered(window, element) {
  if (element.checkVisibility) return element.checkVisibility({ visibilityProperty: true, checkVisibilityCSS: true });
  return element.getClientRects().length > 0 && window.getComputedStyle(element).visibility === "visible";
}

/**
 * What the ancestors that scroll or clip let be seen of an element, in the viewport's coordinates.
 * @returns {{clip: {top: number, bottom: number} | null, isApart: boolean}} `isApart`: its height is not the page's.
 */
function clipOf(dom, element, cache) {
  const root = dom.root();
  const body = dom.body();
  let clip = null;
  let isApart = false;
  let { position } = dom.style(element);
  for (let at = element.parentElement; at && at !== root; at = at.parentElement) {
    if (position === "fixed") break;
    if (!cache.has(at)) cache.set(at, box(dom, at, at === body && dom.style(root).overflowY === "visible"));
    const found = cache.get(at);
    // What is positioned absolutely is clipped only from its containing block on.
    if (position === "absolute" && !found.contains) continue;
    position = found.position;
    if (!found.clips) continue;
    isApart ||= found.overflows;
    clip = { top: Math.max(found.top, clip?.top ?? -Infinity), bottom: Math.min(found.bottom, clip?.bottom ?? Infinity) };
  }
  return { clip, isApart: isApart || position === "fixed" };
}

function box(dom, element, isViewport) {
  const style = dom.style(element);
  const { position, overflowY } = style;
  const contains = position !== "static" || style.transform !== "none" || style.filter !== "none" || /paint|layout|strict|content/.test(style.contain);
  if (overflowY === "visible" || isViewport || element.offsetHeight === 0) {
    // An empty box that clips lets nothing be seen; an inline one does not clip.
    const clips = !isViewport && overflowY !== "visible" && element.offsetHeight === 0 && style.display !== "inline" && style.display !== "contents";
    const { top } = clips ? dom.rect(element) : { top: 0 };
    return { contains, position, clips, overflows: clips, top, bottom: top };
  }
  const rect = dom.rect(element);
  const scale = rect.height / element.offsetHeight;
  const top = rect.top + element.clientTop * scale;
  return {
    contains, position, clips: true, overflows: element.scrollHeight > element.clientHeight + 1, top, bottom: top + element.clientHeight * scale,
  };
}

// overlay-places.mjs

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
class Places {
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

// overlay-watch.mjs

/** What keyframes have that moves nothing but the element itself and what is in it. */
const still = new Set(["offset", "computedOffset", "easing", "composite", "transform", "translate", "rotate", "scale", "opacity", "filter",
  "color", "backgroundColor", "backgroundPositionX", "backgroundPositionY", "boxShadow", "fill", "stroke", "strokeDashoffset", "visibility"]);

/** Sees everything by which a page can lay itself out anew, and asks for one measurement in the frame that follows. */
class Watch {
  #window;
  #dom;
  #changed;
  #measure;
  #resizes;
  #mutations;
  #observed = new Set();
  #listeners = new AbortController();
  #root = null;
  #isWaiting = false;
  #frame = null;
  #animates = new WeakMap();

  /**
   * @param {Window} window
   * @param {ReturnType<import("./overlay-dom.mjs").dom>} dom
   * @param {{changed: (records: MutationRecord[]) => void, measure: (isLaidOut: boolean) => void}} of `changed`: the page's
   *   tree is another; `measure`: it is time to. `isLaidOut`: the browser has just laid out, and paints next.
   */
  constructor(window, dom, { changed, measure }) {
    this.#window = window;
    this.#dom = dom;
    this.#changed = changed;
    this.#measure = measure;
    this.#resizes = new window.ResizeObserver(() => this.#now(true));
    this.#mutations = new window.MutationObserver((records) => {
      if (dom.root() !== this.#root) this.#begin();
      changed(records);
    });
    this.#begin();
  }

  /** Begins with a document, and again when the page has written it anew, which took the listeners with it. */
  #begin() {
    const { document, visualViewport } = this.#window;
    this.#root = this.#dom.root();
    this.#mutations.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    const soon = this.#soon;
    const listen = (target, types, listener = soon) => {
      for (const type of types) target?.addEventListener(type, listener, { capture: true, passive: true, signal: this.#listeners.signal });
    };
    listen(this.#window, ["scroll"], this.#scrolled);
    listen(this.#window, ["load", "pageshow"], this.#atOnce);
    listen(this.#window, ["resize"]);
    listen(document, ["DOMContentLoaded", "readystatechange", "visibilitychange"], this.#atOnce);
    listen(document, [
      "load", "error", "loadedmetadata", "toggle", "input", "fullscreenchange", "transitionrun", "transitionend",
      "transitioncancel", "animationstart", "animationend", "animationcancel",
    ]);
    listen(document.fonts, ["loadingdone", "loadingerror"]);
    listen(visualViewport, ["resize", "scroll"]);
  }

  /** Watches the size of these, and of nothing else. */
  observe(elements) {
    const wanted = new Set(elements);
    for (const element of this.#observed) if (!wanted.has(element)) this.#resizes.unobserve(element);
    for (const element of wanted) if (!this.#observed.has(element)) this.#resizes.observe(element);
    this.#observed = wanted;
  }

  /** Watches no sizes until this frame is over: what changes now is the overlays' own doing. */
  pause() {
    const observed = this.#observed;
    this.observe([]);
    this.#window.setTimeout(() => {
      if (this.#observed.size === 0 && !this.#listeners.signal.aborted) this.observe(observed);
    });
  }

  /** Forgets what the overlays themselves have changed just now; what the page had changed before is told. */
  quietly(change) {
    const records = this.#mutations.takeRecords();
    if (records.length > 0) this.#changed(records);
    change();
    this.#mutations.takeRecords();
  }

  /**
   * Has the page measured once in the next frame: when its own code has run and the browser has laid it out, so that
   * nothing is laid out for the measurement alone.
   */
  schedule() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    if (this.#window.document.hidden || this.#root === null) {
      this.#window.setTimeout(() => this.#now(false)); // there are no frames
      return;
    }
    // An observer tells the size of what it begins to observe.
    this.#resizes.unobserve(this.#root);
    this.#resizes.observe(this.#root);
    if (!this.#observed.has(this.#root)) this.#observed.add(this.#root);
  }

  /**
   * To be called after each measurement: while the page moves something, there is one in each frame.
   * @param {(target: Element) => boolean | undefined} moves Whether what is measured moves with the element, if that is known.
   */
  follow(moves) {
    if (this.#frame !== null || !this.#window.document.getAnimations) return;
    const { document } = this.#window;
    // One that scrolling drives moves when there is an event of that.
    const isRunning = ({ playState, timeline }) => playState === "running" && (timeline === document.timeline || !timeline);
    if (!document.getAnimations().some((animation) => isRunning(animation) && this.#moves(animation, moves))) return;
    this.#frame = this.#window.requestAnimationFrame(() => {
      this.#frame = null;
      this.schedule();
    });
  }

  #moves(animation, moves) {
    const { effect } = animation;
    const isKnown = effect?.target ? moves(effect.target) : false;
    if (isKnown !== undefined) return isKnown;
    if (!this.#animates.has(animation)) {
      const names = effect.getKeyframes().flatMap((frame) => Object.keys(frame));
      this.#animates.set(animation, names.some((name) => !still.has(name)));
    }
    return this.#animates.get(animation);
  }

  stop() {
    this.#listeners.abort();
    this.#mutations.disconnect();
    this.#resizes.disconnect();
    if (this.#frame !== null) this.#window.cancelAnimationFrame(this.#frame);
    this.#isWaiting = true; // nothing is measured any more
  }

  #soon = () => this.schedule();

  #atOnce = () => {
    this.#changed([]);
    this.#now(false);
  };

  /** In a scroller within the page, what is over it has moved: its event is the first of the frame, and the place for it. */
  #scrolled = ({ target }) => {
    const time = this.#window.document.timeline?.currentTime ?? null;
    if (target === this.#window.document || (time !== null && time === this.#scrolledAt)) return this.schedule();
    this.#scrolledAt = time;
    this.#measure(false);
  };
  #scrolledAt;

  #now(isLaidOut) {
    this.#isWaiting = false;
    if (!this.#listeners.signal.aborted) this.#measure(isLaidOut);
  }
}

// overlays.mjs

/**
 * Native views over a page: draws what the native side wants, keeps room for it in the page, watches the page, and tells
 * what it measures.
 * @module
 */
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

class Overlays {
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

// overlay-classic.mjs

// What overlays.js does when it runs, in a world of its own: bundle.mjs puts the modules before it.
globalThis.bridgeheadOverlays = { Overlays };
})();
