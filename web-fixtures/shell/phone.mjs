import { byId } from "./elements.mjs";
import { geometry } from "./geometry.mjs";

/** The desk left free around the phone. */
const margin = 22;
/** Where the tools stand, in the order in which the Tab key comes to them. */
const orders = { bottom: ["capsule", "back", "forward", "reload"], top: ["back", "forward", "capsule", "reload"] };

/** The phone itself: its measures, its look, and how far it is scaled down to fit. */
export class Phone {
  #outer = { width: 0, height: 0 };
  #order = orders.bottom;
  #shape;

  constructor() {
    this.#measure(placeholder);
    new ResizeObserver(() => this.#fit()).observe(byId("stage"));
  }

  show(state) {
    const phone = byId("phone");
    phone.setAttribute("aria-label", state.device.name);
    phone.dataset.device = state.device.id;
    // States come often, other phones do not.
    const shape = JSON.stringify([state.device, state.isRotated, state.platform]);
    if (shape !== this.#shape) this.#measure(state);
    this.#shape = shape;
  }

  #measure(state) {
    const { look, place, hasChin, home, outer, properties } = geometry(state);
    const phone = byId("phone");
    Object.assign(phone.dataset, { look, cutout: state.device.cutout, rotated: state.isRotated, chin: hasChin, home });
    for (const [name, value] of Object.entries(properties)) document.documentElement.style.setProperty(name, value);
    byId("bar").dataset.place = place;
    this.#arrange(orders[place]);
    this.#outer = outer;
    this.#fit();
  }

  #arrange(order) {
    if (order === this.#order) return;
    this.#order = order;
    const focused = document.activeElement;
    byId("bar").prepend(...order.map(byId));
    if (byId("bar").contains(focused)) focused.focus(); // moving has taken it away
  }

  #fit() {
    const stage = byId("stage");
    const { width, height } = this.#outer;
    const set = (name, value) => document.documentElement.style.setProperty(name, value);
    const byWidth = Math.min(1, (stage.clientWidth - 2 * margin) / width);
    set("--wanted-height", `${Math.ceil(height * byWidth + 2 * margin)}px`);
    set("--fit", Math.max(0.2, Math.min(byWidth, (stage.clientHeight - 2 * margin) / height)));
  }
}

/** What is drawn before there is a state. */
const placeholder = {
  device: { width: 393, height: 852, page: { width: 393, height: 659 }, safeArea: { top: 59, right: 0, bottom: 34, left: 0 }, cornerRadius: 55, cutout: "island" },
  isRotated: false, platform: "ios",
};
