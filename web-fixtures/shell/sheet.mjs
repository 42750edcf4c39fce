import { byId } from "./elements.mjs";

/** The page's alert, confirm and prompt, as sheets of the phone: one after another, and nothing else of the phone meanwhile. */
export class Sheet {
  #dialog = byId("sheet");
  #text = byId("sheet-text");
  #current;
  #before;
  #answer;

  /** @param {(answer: {sheet: number, accepts: boolean, text: string | null}) => void} answer */
  constructor(answer) {
    this.#answer = answer;
    byId("sheet-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#settle(true);
    });
    byId("sheet-cancel").addEventListener("click", () => this.#settle(false));
    this.#dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      this.#settle(this.#current.kind === "alert");
    });
  }

  get isOpen() {
    return this.#current !== undefined;
  }

  show({ sheets: [sheet] }) {
    if (sheet?.id === this.#current?.id) return;
    if (this.#current === undefined) this.#before = document.activeElement;
    this.#current = sheet;
    const isOpen = sheet !== undefined;
    byId("shade").hidden = !isOpen;
    for (const element of [byId("view"), byId("bar")]) element.inert = isOpen;
    if (!isOpen) {
      this.#dialog.close();
      this.#return();
      return;
    }
    const { kind, message, defaultText, origin } = sheet;
    this.#dialog.dataset.kind = kind;
    this.#dialog.setAttribute("role", kind === "prompt" ? "dialog" : "alertdialog");
    byId("sheet-origin").textContent = origin;
    byId("sheet-message").textContent = message;
    byId("sheet-cancel").hidden = kind === "alert";
    this.#text.hidden = kind !== "prompt";
    this.#text.value = defaultText ?? "";
    if (!this.#dialog.open) this.#dialog.show();
    // A message that is longer than the screen is scrolled with keys too.
    const words = byId("sheet-words");
    if (words.scrollHeight > words.clientHeight) words.tabIndex = 0;
    else words.removeAttribute("tabindex");
    if (kind === "prompt") this.#text.select();
    (kind === "prompt" ? this.#text : byId("sheet-ok")).focus();
  }

  #settle(accepts) {
    const { id, kind } = this.#current;
    this.#answer({ sheet: id, accepts, text: accepts && kind === "prompt" ? this.#text.value : null });
  }

  /** The focus goes back to where it was, unless somebody has taken it elsewhere. */
  #return() {
    const before = this.#before;
    this.#before = undefined;
    const active = document.activeElement;
    if (active !== null && active !== document.body && !this.#dialog.contains(active)) return;
    if (before?.isConnected) before.focus();
  }
}
