import { byId, make } from "./elements.mjs";

/** The iframe that shows the page. Its name tells the client in it which phone it is in, and which platform to be. */
export class Frame {
  #view = byId("view");
  #element;
  #load = 0;
  #didLoad;

  /** @param {() => void} didLoad */
  constructor(didLoad) {
    this.#didLoad = didLoad;
  }

  get element() {
    return this.#element;
  }

  show({ phone, platform, frame, title, notice }) {
    const name = `bridgehead-phone:${phone}:${platform}`;
    const isNew = this.#element === undefined || this.#element.name !== name;
    const isAsked = frame.load > this.#load;
    this.#load = frame.load;
    if (frame.url !== null && (isAsked || (isNew && this.#element !== undefined))) {
      // A frame keeps the name it was made with, so another name is another frame.
      if (isNew) this.#replace(name, frame.url);
      else this.#element.src = frame.url;
    }
    if (this.#element === undefined) return;
    this.#element.title = title || "Page";
    // What lies over the page hides it from everybody.
    this.#element.style.setProperty("visibility", notice === null ? "visible" : "hidden");
  }

  /** Opens the page in a window of the phone's size, which is the phone's page from then on. */
  openWindow(url, { width, height }) {
    const { name } = this.#element ?? {};
    if (name === undefined) return;
    // A window cannot have the name as long as the frame has it.
    this.#element.remove();
    this.#element = undefined;
    window.open(url, name, `popup,width=${width},height=${height}`);
  }

  #replace(name, src) {
    this.#element?.remove();
    this.#element = make("iframe", { id: "page", name, src });
    this.#element.addEventListener("load", () => this.#didLoad());
    this.#view.prepend(this.#element);
  }
}
