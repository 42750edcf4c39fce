import { setStyle, tags } from "./overlay-dom.mjs";

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
export class Explanation {
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
