import { byId, make } from "./elements.mjs";

/** What is said in the page's place: what can be done about it is in buttons. */
export class Notice {
  #element = byId("notice");
  #shown = "null";
  #act;

  /** @param {{confirm: () => void, dismiss: () => void, retry: (url: string) => void, openWindow: (url: string) => void, edit: () => void}} act */
  constructor(act) {
    this.#act = act;
  }

  show({ notice }) {
    const text = JSON.stringify(notice);
    if (text === this.#shown) return;
    this.#shown = text;
    const hadFocus = this.#element.contains(document.activeElement);
    this.#element.hidden = notice === null;
    if (notice === null) {
      delete this.#element.dataset.kind;
      if (hadFocus) byId("page")?.focus();
      return;
    }
    this.#element.dataset.kind = notice.kind;
    byId("notice-icon").setAttribute("href", `#i-${notice.kind}`);
    byId("notice-title").textContent = notice.title;
    byId("notice-text").textContent = notice.text;
    byId("notice-url").textContent = notice.url ?? "";
    byId("notice-url").hidden = notice.url === null;
    byId("notice-buttons").replaceChildren(...this.#choices(notice).map(([id, textContent, act]) => {
      const button = make("button", { type: "button", id, textContent });
      button.addEventListener("click", act);
      return button;
    }));
    // It is in the page's place, so it takes the focus that the page had.
    if (hadFocus || document.activeElement === byId("page")) this.#element.focus();
  }

  #choices({ kind, url }) {
    const { confirm, dismiss, retry, openWindow, edit } = this.#act;
    const openIt = url === null ? [] : [["notice-window", "Open in a window", () => openWindow(url)]];
    switch (kind) {
      case "confirm": return [["notice-confirm", "Open", confirm], ["notice-dismiss", "Cancel", dismiss]];
      case "noFraming": return openIt;
      case "noClient": return [...openIt, ["notice-dismiss", "Show it here", dismiss]];
      case "failed": return [...(url === null ? [] : [["notice-retry", "Try again", () => retry(url)]]), ["notice-dismiss", "Dismiss", dismiss]];
      case "badURL": return [["notice-edit", "Edit the address", edit], ["notice-dismiss", "Dismiss", dismiss]];
      default: return [["notice-dismiss", "OK", dismiss]];
    }
  }
}
