/** What overlays put into a page is of these names, so that no style sheet of the page means it. */
export const tags = { container: "bridgehead-overlays", host: "bridgehead-overlay", spacer: "bridgehead-spacer" };

/** The attribute that marks what overlays size: a marker of the page's own, and the spacer. */
export const attribute = "data-bridgehead-overlay";

const xhtml = "http://www.w3.org/1999/xhtml";

/**
 * The members of the document that overlays need, as the browser made them: a page may have patched its own, and an
 * element with a name such as "body" stands before the document's member of that name.
 * @param {Window} window
 */
export function dom(window) {
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
export function bodyEnd(window, dom) {
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
export function setStyle(element, properties) {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, "important");
}
