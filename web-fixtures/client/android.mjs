import { report } from "./errors.mjs";
import { eventText, requestText } from "./messages.mjs";

/**
 * `window.bridge` in the shape of the object that Android's WebMessageListener puts into a page: strings only, and no
 * promise. What the native side answers comes as a message event.
 * @param {Window} window
 * @returns {Function} A part of the bridge.
 */
export function android(window) {
  return (core) => {
    const listener = new WebMessageListener((text) => postText(core, listener, text));
    Object.defineProperty(window, "bridge", { value: listener, writable: true, enumerable: true, configurable: true });
  };
}

/** Whether `object` is this module's own. */
export function isEmulatedListener(object) {
  return object instanceof WebMessageListener;
}

class WebMessageListener {
  #post;
  #target = new EventTarget();
  #onmessage = null;

  constructor(post) {
    this.#post = post;
    this.#target.addEventListener("message", (event) => this.#onmessage?.call(this, event));
  }

  postMessage(message) {
    if (typeof message !== "string") throw new TypeError("bridge.postMessage takes a string here.");
    this.#post(message);
  }

  get onmessage() {
    return this.#onmessage;
  }

  set onmessage(listener) {
    this.#onmessage = typeof listener === "function" ? listener : null;
  }

  addEventListener(type, listener) {
    this.#target.addEventListener(type, listener);
  }

  removeEventListener(type, listener) {
    this.#target.removeEventListener(type, listener);
  }

  /** A message of the native side to the page. */
  static deliver(listener, data) {
    listener.#target.dispatchEvent(new MessageEvent("message", { data }));
  }
}

/** A text that is an event goes as one; the native side's answer comes back under the page's own id, if it gave one. */
function postText(core, listener, text) {
  const event = parseEvent(text);
  const own = event?.requestId;
  const id = core.idFor(own);
  let message;
  try {
    message = event
      ? eventText(event, id)
      : requestText("$/postMessage", id, { handler: "bridge", body: text });
  } catch (error) {
    report(error);
    return;
  }
  const envelope = own === undefined ? {} : { requestId: own };
  core.request(event?.eventName ?? "$/postMessage", id, message).then(
    (response) => deliver(listener, event ? JSON.stringify({ ...envelope, response }) : asText(response)),
    (error) => {
      const { code, message, data } = error;
      if (event) deliver(listener, JSON.stringify({ ...envelope, error: { code, message, data } }));
      else console.error(`[bridgehead] "bridge" failed: ${message} (${code}).`, data ?? "");
    },
  );
}

const deliver = WebMessageListener.deliver;
const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value));

function parseEvent(text) {
  try {
    const value = JSON.parse(text);
    return typeof value?.eventName === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
