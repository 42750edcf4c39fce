import { isEmulatedListener } from "./android.mjs";
import { codes } from "./errors.mjs";
import { isEmulated } from "./surface.mjs";

/** How long an answer of `undefined` may turn out to be that of a plain handler. */
const doubtFor = 3000;

/**
 * The bridge of the app that shows the page, if there is one: WKWebView's message handler named "bridge", or Android's
 * object of that name.
 * @param {Window} window
 * @param {"reply" | "plain" | undefined} mode The mode of WKWebView's handler, if the page knows it.
 * @returns {Function | undefined} What makes the connection, or nothing in an ordinary browser.
 */
export function nativeConnection(window, mode) {
  const handler = window.webkit?.messageHandlers?.bridge;
  if (typeof handler?.postMessage === "function" && !isEmulated(handler)) {
    return (events) => webKitConnection(window, handler, mode, events);
  }
  const object = window.bridge;
  if (typeof object?.postMessage === "function" && !isEmulatedListener(object) && !isNamed(window, object)) {
    return (events) => androidConnection(window, object, events);
  }
  return undefined;
}

/** An element with the id "bridge" is a property of the window too, and so is the window of a frame of that name. */
function isNamed(window, object) {
  return (typeof window.Node === "function" && object instanceof window.Node) || object.window === object;
}

/**
 * Posts to a real message handler. One with replies settles the promise of `postMessage`; a plain one resolves it with
 * undefined at once, and its answer comes as a call of `window.handleNativeResponse(response, requestId)`.
 */
function webKitConnection(window, handler, mode, events) {
  const asked = new Set();
  /** Answers of undefined, as long as the mode is not known: id → timer. */
  const doubtful = new Map();

  const answer = (requestId, response = null) => {
    asked.delete(requestId);
    clearTimeout(doubtful.get(requestId));
    doubtful.delete(requestId);
    events.message({ requestId, response });
  };
  const settled = (id, response) => {
    if (response !== undefined) mode = "reply";
    if (mode === "plain") return;
    if (mode === undefined) {
      doubtful.set(id, setTimeout(() => doubt(id), doubtFor));
      return;
    }
    for (const other of doubtful.keys()) answer(other);
    answer(id, response);
  };
  const doubt = (id) => {
    console.warn(
      '[bridgehead] The app answered undefined. If it answers through handleNativeResponse, say so: data-handlers="bridge:plain"; if undefined is the answer: "bridge:reply".',
    );
    answer(id);
  };
  const failed = (requestId, error) => {
    asked.delete(requestId);
    events.message({ requestId, error: { code: codes.handlerFailed, message: String(error?.message ?? error) } });
  };
  const isOurs = (response, id) => {
    if (!asked.has(id)) return false;
    mode = "plain";
    answer(id, response);
    return true;
  };
  const send = (text, id) => {
    if (id !== undefined) asked.add(id);
    hookResponses(window, isOurs);
    // A promise around the call too: a handler that the app has removed may throw.
    const result = new Promise((resolve) => resolve(handler.postMessage(JSON.parse(text))));
    if (id === undefined) result.catch(() => {});
    else result.then((response) => settled(id, response), (error) => failed(id, error));
  };
  whenParsed(window, () => hookResponses(window, isOurs));
  return { greets: false, status: "native", start: () => events.opened(send), stop() {} };
}

const hooks = new WeakSet();

/**
 * Sees the calls of `window.handleNativeResponse` before the page's own function, which keeps those that are not the
 * client's. A function declaration of the page takes the hook's place, so this is looked after with each message, and
 * when the page's scripts have run.
 */
function hookResponses(window, isOurs) {
  if (hooks.has(window.handleNativeResponse)) return;
  let own = window.handleNativeResponse;
  const hook = (response, id) => {
    if (!isOurs(response, id)) return own?.call(window, response, id);
  };
  hooks.add(hook);
  Object.defineProperty(window, "handleNativeResponse", {
    get: () => hook,
    set: (value) => {
      if (value !== hook) own = value;
    },
    configurable: true,
    enumerable: true,
  });
}

function whenParsed(window, action) {
  for (const type of ["DOMContentLoaded", "load"]) window.addEventListener(type, action);
}

/** Android's object takes strings; what comes back are strings too, as events or through handleNativeResponse. */
function androidConnection(window, object, events) {
  const asked = new Set();
  const isOurs = (response, requestId) => {
    if (!asked.delete(requestId)) return false;
    events.message({ requestId, response });
    return true;
  };
  const listener = ({ data }) => {
    if (typeof data === "string") events.received(data);
  };
  if (typeof object.addEventListener === "function") object.addEventListener("message", listener);
  else object.onmessage = listener;
  const send = (text, id) => {
    if (id !== undefined) asked.add(id);
    hookResponses(window, isOurs);
    try {
      object.postMessage(text);
    } catch (error) {
      asked.delete(id);
      const failure = { code: codes.handlerFailed, message: String(error?.message ?? error) };
      if (id !== undefined) queueMicrotask(() => events.message({ requestId: id, error: failure }));
    }
  };
  whenParsed(window, () => hookResponses(window, isOurs));
  return { greets: false, status: "native", start: () => events.opened(send), stop() {} };
}
