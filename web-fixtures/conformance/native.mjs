import { decode, encodeTagged } from "../codec.mjs";
import { fromCall, fromMessage, fromPromise, toApp } from "./envelope.mjs";

/**
 * The native side that shows this page: WebKit's message handler, or an object in the shape of Android's
 * WebMessageListener; undefined where there is none.
 * @param {Window} window
 * @param {import("./envelope.mjs").standard} envelope
 */
export function findNative(window, envelope) {
  const handler = window.webkit?.messageHandlers?.[envelope.handler];
  if (typeof handler?.postMessage === "function") return new WebKitNative(window, envelope);
  const object = window[envelope.handler];
  const isNamed = object instanceof window.Node || object?.window === object; // an element's id, or a frame's name
  if (typeof object?.postMessage === "function" && !isNamed) return new ListenerNative(window, envelope, object);
  return undefined;
}

/** What both have: arrivals, told to `onarrival` as messages of the suite. */
class Native {
  onarrival = () => {};
  envelope;

  constructor(window, envelope) {
    this.envelope = envelope;
    install(window, envelope.reply, (...values) => this.called(values));
  }
}

class WebKitNative extends Native {
  kind = "webkit";
  /** "reply", where promises bring the answers, or "plain"; known once something was answered. */
  mode;
  #window;
  /** Calls of the reply function while the mode is not known. */
  #early = [];
  /** Ids of events inside of a body, and the requests that posted them. */
  #inner = new Map();

  constructor(window, envelope) {
    super(window, envelope);
    this.#window = window;
  }

  get name() {
    return `webkit.messageHandlers.${this.envelope.handler}`;
  }

  has(handler) {
    return typeof this.#window.webkit.messageHandlers[handler]?.postMessage === "function";
  }

  /** @returns what was posted, for the record. */
  post(message) {
    const isBody = message.eventName === "$/postMessage";
    const handler = isBody ? message.handler : this.envelope.handler;
    const body = isBody ? decode(message.body) : toApp(this.envelope, message);
    if (isBody && message.body?.requestId !== undefined) this.#inner.set(JSON.stringify(message.body.requestId), message.requestId);
    const encode = isBody ? encodeTagged : (value) => value;
    // A promise around the call too: an older WebKit throws, and has no promise.
    new Promise((resolve) => resolve(this.#window.webkit.messageHandlers[handler].postMessage(body))).then(
      (value) => this.#resolved(message, value, encode),
      (error) => this.#rejected(message, error),
    );
    return isBody ? message.body : body;
  }

  #resolved({ requestId }, value, encode) {
    // Nothing that the suite asks for is answered with undefined.
    this.#learn(value === undefined ? "plain" : "reply");
    if (this.mode === "plain" || requestId === undefined) return;
    const arrival = fromPromise(this.envelope, requestId, value);
    if ("response" in arrival) arrival.response = encode(arrival.response);
    this.onarrival(arrival);
  }

  /** Of a failure a page gets an Error with a text; the code and the data only if the error has them. */
  #rejected({ requestId }, error) {
    this.#learn("reply");
    if (requestId === undefined) return;
    const { code = error?.cause?.code, data = error?.cause?.data } = Object(error);
    const failure = { message: String(error?.message ?? error) };
    if (typeof code === "number") failure.code = code;
    if (data !== undefined) failure.data = data;
    this.onarrival({ requestId, error: failure }, { isPartial: true });
  }

  /** A promise tells the mode; the reply function may be called before, in either mode. */
  #learn(mode) {
    if (this.mode !== undefined) return;
    this.mode = mode;
    for (const values of this.#early) this.called(values);
  }

  called(values) {
    if (this.mode === undefined) this.#early.push(values);
    if (this.mode !== "plain") return;
    const arrival = fromCall(this.envelope, values);
    const outer = this.#inner.get(JSON.stringify(arrival.requestId));
    if (outer === undefined) this.onarrival(arrival);
    else this.onarrival({ requestId: outer, response: encodeTagged(arrival.response) });
  }
}

class ListenerNative extends Native {
  kind = "android";
  mode = "messages";
  #object;

  constructor(window, envelope, object) {
    super(window, envelope);
    this.#object = object;
    const listener = ({ data }) => this.onarrival(fromMessage(envelope, data));
    if (typeof object.addEventListener === "function") object.addEventListener("message", listener);
    else object.onmessage = listener;
  }

  get name() {
    return this.envelope.handler;
  }

  has() {
    return false;
  }

  post(message) {
    const event = toApp(this.envelope, message);
    this.#object.postMessage(JSON.stringify(event));
    return event;
  }

  called(values) {
    this.onarrival(fromCall(this.envelope, values));
  }
}

/** Puts a function at a path on `window`, such as "handleNativeResponse" or "app.bridge.onAnswer". */
function install(window, path, action) {
  const names = path.split(".");
  const last = names.pop();
  let owner = window;
  for (const name of names) owner = owner[name] ??= {};
  owner[last] = action;
}
