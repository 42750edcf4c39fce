import { decode, encode, encodeTagged } from "./codec.mjs";
import { BridgeError, report } from "./errors.mjs";
import { makeNamespaces, UserMessageHandler } from "./handlers.mjs";
import { eventText, requestText } from "./messages.mjs";
import { isMainFrame } from "./phone.mjs";

/**
 * `window.webkit.messageHandlers`, in the shape that WebKit gives it.
 * @param {Window} window
 * @param {Map<string, "reply" | "plain" | undefined>} handlers The names that the page gives, with their modes if it does.
 * @returns {Function} A part of the bridge.
 */
export function surface(window, handlers) {
  return (core) => {
    const names = namespaces(window);
    const modes = new Modes(handlers);
    const own = new Set(["bridge", ...handlers.keys()]);
    /** Those that only the native side names. */
    const learned = new Map();
    /** Those that a script may have kept. */
    const gone = new WeakSet();
    const install = (name) => {
      if (Object.hasOwn(names, name)) return undefined;
      const handler = new UserMessageHandler((body) => (gone.has(handler) ? Promise.reject(invalidAccess()) : post(core, window, modes, name, body)));
      Object.defineProperty(names, name, { value: handler, configurable: true });
      return handler;
    };
    const learn = (messageHandlers) => {
      for (const name of Object.keys(messageHandlers)) {
        const handler = own.has(name) ? undefined : install(name);
        if (handler) learned.set(name, handler);
      }
      for (const [name, handler] of learned) {
        if (Object.hasOwn(messageHandlers, name)) continue;
        learned.delete(name);
        delete names[name];
        gone.add(handler);
      }
      modes.learn(messageHandlers);
    };
    for (const name of own) install(name);
    core.greeted.add(({ messageHandlers }) => {
      // Where nobody has answered the greeting, nothing is known of what has gone.
      if (Object.keys(messageHandlers).length > 0) learn(messageHandlers);
      else modes.complete();
    });
    core.protocol.set("$/messageHandlersChanged", ({ messageHandlers }) => learn(Object(messageHandlers)));
  };
}

function invalidAccess() {
  return new DOMException("The object does not support the operation or argument.", "InvalidAccessError");
}

/** Whether `object` is a handler of this module's making, and not the real thing. */
export function isEmulated(object) {
  return brand in Object(object);
}

const brand = Symbol.for("bridgehead.emulated");
Object.defineProperty(UserMessageHandler.prototype, brand, { value: true });

/** What holds the handlers: the page's, where there is one already. */
function namespaces(window) {
  const existing = window.webkit?.messageHandlers;
  if (existing !== undefined) return isEmulated(existing) ? Object.getPrototypeOf(existing) : existing;
  const names = makeNamespaces(window);
  Object.defineProperty(Object.getPrototypeOf(names), brand, { value: true });
  return names;
}

/** Which mode each handler is in: as the page says, else as the server says, else "reply". */
class Modes {
  #own;
  #modes;
  #isComplete = false;
  #waiting = [];

  constructor(handlers) {
    this.#own = [...handlers].filter(([, mode]) => mode !== undefined);
    this.#modes = new Map(this.#own);
  }

  learn(fromServer) {
    this.#modes = new Map([...Object.entries(fromServer), ...this.#own]);
    this.complete();
  }

  complete() {
    this.#isComplete = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const action of waiting) action();
  }

  isPlain(name) {
    return this.#modes.get(name) === "plain";
  }

  isKnown(name) {
    return this.#isComplete || this.#modes.has(name);
  }

  whenKnown(action) {
    this.#waiting.push(action);
  }
}

function post(core, window, modes, name, body) {
  let message;
  try {
    message = asMessage(core, name, body);
  } catch (error) {
    return Promise.reject(asWebKitError(error));
  }
  const { id, text, eventName, own, isTagged } = message;
  let result;
  const answer = core.request(eventName ?? "$/postMessage", id, text).then(
    (response) => {
      const value = isTagged ? decode(response) : response;
      if (eventName !== undefined) nativeResponse(window)?.(value, own);
      return value;
    },
    (error) => {
      const isConvention = eventName !== undefined && nativeResponse(window) !== undefined;
      if (isConvention || modes.isPlain(name)) {
        result.catch(() => {});
        reportFailure(eventName ?? name, error, isConvention);
      }
      throw asWebKitError(error);
    },
  );
  const settle = () => {
    if (!modes.isPlain(name)) return answer;
    answer.catch(() => {}); // said on the console
    return undefined;
  };
  if (modes.isKnown(name)) {
    result = Promise.resolve(settle());
  } else {
    // A mode becomes known before anything is sent; an answer that comes first says that there will be no session.
    result = new Promise((resolve) => {
      modes.whenKnown(() => resolve(settle()));
      answer.catch(() => resolve(answer));
    });
  }
  return result;
}

/** An event, which goes as it was posted, or `$/postMessage` for any other body and for one that JSON cannot say. */
function asMessage(core, handler, body) {
  const { json, isJSON } = encode(body);
  const isEvent = handler === "bridge" && Object.hasOwn(Object(json), "eventName") && typeof json.eventName === "string";
  const own = isEvent ? json.requestId : undefined;
  const id = core.idFor(own);
  const eventName = isEvent ? json.eventName : undefined;
  const isTagged = !isEvent || !isJSON;
  const text = isTagged ? requestText("$/postMessage", id, { handler, body: isJSON ? encodeTagged(body) : json }) : eventText(json, id);
  return { id, text, eventName, own, isTagged };
}

function reportFailure(name, error, isConvention) {
  const convention = isConvention ? "handleNativeResponse(response, requestId)" : "A handler in plain mode";
  console.error(
    `[bridgehead] "${name}" failed: ${error.message} (${error.code}). ${convention} has no channel for failures: the page is told nothing.`,
    error.data ?? "",
  );
}

/** The page's function of the convention, looked up when an answer arrives, in the main frame. */
function nativeResponse(window) {
  if (!isMainFrame(window)) return undefined;
  const handler = window.handleNativeResponse;
  if (typeof handler !== "function") return undefined;
  return (response, requestId) => {
    try {
      handler.call(window, response, requestId);
    } catch (error) {
      report(error);
    }
  };
}

/** A page of WKWebView sees an Error with the native side's text and no more; what more there is, is its cause. */
function asWebKitError(error) {
  return error instanceof BridgeError ? new Error(error.message, { cause: error }) : error;
}
