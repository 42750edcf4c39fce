import { byId, make } from "./elements.mjs";

const connections = {
  none: "No page yet.",
  waiting: "Waiting for the page to connect…",
  connected: "The page is connected.",
  between: "From one document to the next…",
  lost: "The page’s connection is lost.",
  closed: "The page has gone.",
  gone: "The native side is gone.",
};
const controls = ["device", "rotate", "scheme", "platform", "explain"];

/** The settings beside the phone, and what is measured of the overlays. */
export class Panel {
  #state;
  #measured;

  /** @param {(name: string, payload: object) => void} send */
  constructor(send) {
    byId("device").addEventListener("change", ({ target }) => send("shell.device", { id: target.value }));
    byId("platform").addEventListener("change", ({ target }) => send("shell.device", { platform: target.value }));
    byId("rotate").addEventListener("click", () => send("shell.device", { isRotated: !this.#state.isRotated }));
    byId("scheme").addEventListener("click", () => send("shell.device", { scheme: this.#state.scheme === "dark" ? "light" : "dark" }));
    byId("explain").addEventListener("click", () => send("shell.explain", { isOn: !this.#state.isExplaining }));
  }

  show(state) {
    this.#state = state;
    const { device, devices, isRotated, scheme, platform, isExplaining } = state;
    for (const id of controls) byId(id).disabled = false;
    showDevices(devices, device.id);
    byId("platform").value = platform;
    for (const [id, isOn] of [["rotate", isRotated], ["scheme", scheme === "dark"], ["explain", isExplaining]]) {
      byId(id).setAttribute("aria-checked", isOn);
    }
    this.#connection(state.connection);
    showFacts(device);
    // They may come with each frame: only what is new is drawn.
    const measured = JSON.stringify([state.overlays, state.contentHeight]);
    if (measured !== this.#measured) showOverlays(state);
    this.#measured = measured;
  }

  gone() {
    for (const id of controls) byId(id).disabled = true;
    this.#connection("gone");
  }

  #connection(name) {
    const element = byId("connection");
    if (element.dataset.connection === name && this.#state === undefined) return;
    element.dataset.connection = name;
    const text = connections[name] ?? name;
    if (element.textContent !== text) element.textContent = text;
  }
}

function showDevices(devices, selected) {
  const select = byId("device");
  const names = devices.map(({ id, name }) => `${id} ${name}`).join();
  if (select.dataset.names !== names) {
    select.dataset.names = names;
    select.replaceChildren(...devices.map(({ id, name }) => make("option", { value: id, textContent: name })));
  }
  select.value = selected;
}

function showFacts({ width, height, scale, page, safeArea }) {
  const insets = Object.entries(safeArea).filter(([, inset]) => inset > 0).map(([side, inset]) => `${inset} ${side}`);
  const facts = [
    ["Screen", `${width} × ${height} @${scale}x`], ["Page area", `${page.width} × ${page.height}`], ["Safe area", insets.join(", ") || "all of it"],
  ];
  byId("facts").replaceChildren(...facts.flatMap(definition));
}

function showOverlays({ overlays, contentHeight }) {
  byId("overlays-empty").hidden = overlays.length > 0;
  byId("overlays").replaceChildren(...overlays.map(({ label, isVisible, reason, frame }) => {
    const numbers = { x: frame.x, y: frame.y, width: frame.width, height: frame.height };
    const item = make("div", { className: "overlay" },
      make("h3", {}, label, make("span", { textContent: isVisible ? "visible" : "not shown" })),
      isVisible || !reason
        ? make("dl", { className: "numbers" }, ...Object.entries(numbers).map(([name, value]) => make("div", {}, ...definition([name, pixels(value)]))))
        : make("p", { textContent: reason }));
    item.dataset.visible = isVisible;
    return item;
  }));
  const total = byId("content-height");
  total.hidden = contentHeight === null;
  if (contentHeight !== null) total.replaceChildren("Height of the content", make("b", { textContent: pixels(contentHeight) }));
}

const definition = ([name, value]) => [make("dt", { textContent: name }), make("dd", { textContent: value })];
const pixels = (value) => String(Math.round(value * 100) / 100);
