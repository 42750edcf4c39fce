import { byId } from "./elements.mjs";

/** The address field. What is being typed is the view's own; everything else it shows is the state's. */
export class Address {
  #input = byId("address");
  #capsule = byId("capsule");
  #host = byId("address-shown").querySelector("b");
  #path = byId("address-shown").querySelector("span");
  #address = "";
  #isTyping = false;

  /** @param {(input: string) => void} open */
  constructor(open) {
    const input = this.#input;
    input.addEventListener("input", () => (this.#isTyping = true));
    input.addEventListener("focus", () => {
      this.#rest();
      input.select();
    });
    input.addEventListener("blur", () => this.#end());
    input.addEventListener("keydown", ({ key }) => {
      if (key !== "Escape") return;
      this.#end();
      input.select();
    });
    byId("bar").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = input.value.trim();
      if (text === "") return;
      this.#isTyping = false;
      open(text);
    });
  }

  show({ address, isSecure }) {
    this.#address = address;
    byId("secure").toggleAttribute("hidden", !isSecure);
    if (!this.#isTyping) this.#end();
  }

  focus() {
    this.#input.focus();
  }

  #end() {
    this.#isTyping = false;
    this.#input.value = this.#address;
    this.#rest();
  }

  #rest() {
    const isResting = this.#address !== "" && document.activeElement !== this.#input;
    this.#capsule.dataset.resting = isResting;
    const [host, path] = parts(this.#address);
    this.#host.textContent = host;
    this.#path.textContent = path;
  }
}

/** The host, and the rest if there is any to speak of. */
function parts(address) {
  try {
    const { host, pathname, search, hash } = new URL(address);
    const rest = pathname + search + hash;
    return host === "" ? [address, ""] : [host, rest === "/" ? "" : rest];
  } catch {
    return [address, ""];
  }
}
