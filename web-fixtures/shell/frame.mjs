import { byId, make } from "./elements.mjs";

/** The iframe that shows the page. Its name tells the client in it which phone it is in, and which platform to be. */
export class Frame {
  #element;
  /** Of the frame or window that the page is in. */
  #name;
  /** What the next one is to be called. */
  #next;
  #load = 0;
  #didLoad;

  /** @param {() => void} didLoad */
  constructor(didLoad) {
    this.#didLoad = didLoad;
  }

  get element() {
    return this.#element;
  }

  get isInWindow() {
    return this.#element === undefined && this.#name !== undefined;
  }

  show({ phone, platform, frame, title, notice }) {
    this.#next = `bridgehead-phone:${phone}:${platform}`;
    if (frame.load > this.#load && frame.url !== null) this.#open(frame.url);
    this.#load = frame.load;
    if (this.#element === undefined) return;
    this.#element.title = title || "Page";
    // What lies over the page hides it from everybody.
    this.#element.style.setProperty("visibility", notice === null ? "visible" : "hidden");
  }

  /**
   * Opens the page in a window of the phone's size, which shows the phone's page from then on.
   * @returns {boolean} Whether the browser lets it.
   */
  openWindow(url, { width, height }) {
    // As long as the frame has the name, it would be the frame that is meant.
    this.#element?.remove();
    this.#element = undefined;
    this.#name = this.#next;
    return window.open(url, this.#name, `popup,width=${width},height=${height}`) !== null;
  }

  #open(url) {
    if (this.#element !== undefined && this.#next === this.#name) {
      this.#element.src = url;
      return;
    }
    // A frame keeps the name it was made with, so another name is another frame.
    this.#element?.remove();
    this.#name = this.#next;
    this.#element = make("iframe", { id: "page", name: this.#name, src: url });
    this.#element.addEventListener("load", () => this.#didLoad());
    byId("view").prepend(this.#element);
  }
}
