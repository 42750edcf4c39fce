import { setStyle, tags } from "./overlay-dom.mjs";
import { buildView, checkStyle, listen } from "./overlay-view.mjs";

/** What the page's listeners need not see: to them, all that happens in a native view happened outside of the page. */
const kept = ["click", "dblclick", "auxclick", "contextmenu", "keydown", "keyup", "keypress", "beforeinput", "input", "change",
  "submit", "focusin", "focusout", "pointerdown", "pointerup", "pointermove", "mousedown", "mouseup", "mousemove", "touchstart",
  "touchend", "touchmove", "compositionstart", "compositionupdate", "compositionend", "copy", "cut", "paste", "dragstart"];

const base = `:host { -webkit-user-select: none; user-select: none; }
input, textarea { -webkit-user-select: text; user-select: text; }
#view { position: absolute; left: 0; width: 100%; box-sizing: border-box; overflow: hidden; font: 16px/1.4 system-ui, sans-serif; }`;

/** One native view: an element over the page that is as large as can be seen of it, and in its shadow the view. */
export class Host {
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
