/**
 * `window.webkit.messageHandlers`, in the shape that WebKit gives it: the objects alone, and not what becomes of a message.
 * @module
 */

const rejected = Promise.reject.bind(Promise);

export class UserMessageHandler {
  #post;

  /** @param {(body: unknown) => Promise<unknown>} post */
  constructor(post) {
    this.#post = post;
  }

  /** Always a promise, as in WebKit: what is wrong with the call is a rejection. */
  postMessage(body) {
    if (this === null || typeof this !== "object" || !(#post in this)) {
      return rejected(new TypeError("Can only call UserMessageHandler.postMessage on instances of UserMessageHandler"));
    }
    if (arguments.length === 0) return rejected(new TypeError("Not enough arguments"));
    const post = this.#post;
    return post(body);
  }
}
Object.defineProperty(UserMessageHandler.prototype, "postMessage", { enumerable: true });
dress(UserMessageHandler.prototype, "UserMessageHandler");

/** WebKit's interfaces have no constructor that a page could reach. */
function dress(prototype, name) {
  if (Object.hasOwn(prototype, "constructor")) delete prototype.constructor;
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
  return prototype;
}

/**
 * Gives the window its `webkit`.
 * @param {Window} window
 * @returns {object} The object that holds the handlers: the prototype of `messageHandlers`, as that has no names of its own
 *   and yet finds them all.
 */
export function makeNamespaces(window) {
  const names = Object.create(dress({}, "UserMessageHandlersNamespace"));
  const messageHandlers = Object.create(names);
  const prototype = Object.defineProperty({}, "messageHandlers", { get: () => messageHandlers, enumerable: true });
  const webkit = Object.create(dress(prototype, "WebKitNamespace"));
  // A page can replace it, in WebKit too.
  Object.defineProperty(window, "webkit", { value: webkit, writable: true, enumerable: true, configurable: false });
  return names;
}
