/**
 * The protocol's failure codes by name (PROTOCOL.md, section 4).
 * @type {Readonly<Record<string, number>>}
 */
export const codes = Object.freeze({
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  handlerFailed: -32000,
  timedOut: -32001,
  noReply: -32003,
  connectionClosed: -32004,
  pageNavigatedAway: -32005,
  pageNotConnected: -32006,
  tooManyRequests: -32008,
  scriptException: -32010,
  unsupportedResult: -32011,
  cancelled: -32800,
});

const bridgeError = Symbol.for("bridgehead.error");
const names = new Map(Object.entries(codes).map(([name, code]) => [code, name]));

/**
 * The one error of the bridge, whichever side it comes from. A handler given to `bridge.handle` throws it to fail with a
 * code of its own: `throw new BridgeError(4001, "Not signed in", { data: { user: null } })`. The bridge has the class too:
 * `bridgehead.BridgeError`.
 */
export class BridgeError extends Error {
  /** A page may hold two copies of this class, client.js's and client.mjs's; an error of one is an error of the other. */
  static [Symbol.hasInstance](value) {
    return this === BridgeError ? bridgeError in Object(value) : Function.prototype[Symbol.hasInstance].call(this, value);
  }

  /**
   * @param {number} code One of {@link codes}, or an application's own.
   * @param {string} message
   * @param {{data?: unknown, eventName?: string, requestId?: string | number, cause?: unknown}} [details]
   */
  constructor(code, message, { data, eventName, requestId, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    /** The number that tells what kind of failure it is. */
    this.code = code;
    /** The code's name, such as "timedOut"; "application" for an application's own code. */
    this.reason = names.get(code) ?? "application";
    /** What the failing side added, as it was sent. */
    this.data = data;
    /** The event of the request that failed. */
    this.eventName = eventName;
    /** The id under which that request travelled. */
    this.requestId = requestId;
  }

  /** Of an error, JSON.stringify leaves out the message. */
  toJSON() {
    return { ...this, message: this.message };
  }
}
Object.defineProperty(BridgeError.prototype, "name", { value: "BridgeError", configurable: true, writable: true });
Object.defineProperty(BridgeError.prototype, bridgeError, { value: true });

/**
 * The failure of a request whose payload does not decode.
 * @param {string} path Where, such as "$.url".
 * @param {string} expected
 * @returns {BridgeError}
 */
export function invalidParams(path, expected) {
  return new BridgeError(codes.invalidParams, "Invalid params", { data: { path, expected, help: `${path}: expected ${expected}` } });
}

/**
 * What was thrown, as text.
 * @param {unknown} thrown
 * @returns {string}
 */
export function describe(thrown) {
  try {
    return String(thrown);
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}

/**
 * Hands an error of someone else's callback to the page's own error reporting; it must not disturb the bridge.
 * @param {unknown} error
 */
export function report(error) {
  if (typeof globalThis.reportError === "function") globalThis.reportError(error);
  else console.error(error);
}
