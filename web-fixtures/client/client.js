// The client of Bridgehead as a classic script. Made by bundle.mjs from the modules beside it; change those.
(() => {
"use strict";

// errors.mjs

/**
 * The protocol's failure codes by name (PROTOCOL.md, section 4).
 * @type {Readonly<Record<string, number>>}
 */
const codes = Object.freeze({
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
class BridgeError extends Error {
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
function invalidParams(path, expected) {
  return new BridgeError(codes.invalidParams, "Invalid params", { data: { path, expected, help: `${path}: expected ${expected}` } });
}

/**
 * What was thrown, as text.
 * @param {unknown} thrown
 * @returns {string}
 */
function describe(thrown) {
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
function report(error) {
  if (typeof globalThis.reportError === "function") globalThis.reportError(error);
  else console.error(error);
}

// messages.mjs

const reserved = ["eventName", "requestId", "jsonrpc"];
const nesting = 512;

/**
 * Whether a value may be the id of a request; `null` is none that could be waited for.
 * @param {unknown} value
 * @returns {boolean}
 */
const isId = (value) => typeof value === "string" || (typeof value === "number" && Number.isFinite(value));

/**
 * The length of a text as it travels.
 * @param {string} text
 * @returns {number} Bytes of UTF-8.
 */
const byteCount = (text) => new TextEncoder().encode(text).length;

/**
 * Whether a message is an answer, or progress: such a one is never answered, whatever is wrong with it.
 * @param {unknown} message
 * @returns {boolean}
 */
function isReply(message) {
  return (
    typeof message === "object" && message !== null &&
    message.method === undefined && message.eventName === undefined &&
    ["result", "error", "response", "progress"].some((member) => Object.hasOwn(message, member))
  );
}

/**
 * The text of a request, or of a notification when `id` is undefined. An object goes in the event dialect; an array, or
 * an object with a member whose name is reserved, in JSON-RPC (PROTOCOL.md, section 2).
 * @param {string} name
 * @param {string | number | undefined} id
 * @param {object | undefined} payload
 * @returns {string}
 * @throws {BridgeError} −32602 when the payload is none, or JSON cannot say it.
 */
function requestText(name, id, payload) {
  return stringify(requestMessage(name, id, payload), undefined, undefined, name);
}

/**
 * The message of {@link requestText} as a value.
 * @param {string} name
 * @param {string | number | undefined} id
 * @param {object | undefined} payload
 */
function requestMessage(name, id, payload) {
  if (typeof name !== "string") refuse("the event's name has to be a string", String(name));
  if (payload === undefined) return { requestId: id, eventName: name };
  if (typeof payload?.toJSON === "function") payload = payload.toJSON("");
  if (payload === null || typeof payload !== "object") {
    refuse("a payload is an object or an array; put the value into a member of one", name);
  }
  if (Array.isArray(payload) || reserved.some((member) => Object.hasOwn(payload, member))) {
    return { jsonrpc: "2.0", id, method: name, params: payload };
  }
  return { requestId: id, eventName: name, ...payload };
}

/**
 * The text of a request for an event that the page wrote as a whole: it goes as it is, but for an id that cannot be used.
 * @param {{eventName: string, requestId?: unknown}} event
 * @param {string | number} id
 * @returns {string}
 * @throws {BridgeError} −32602 when JSON cannot say it.
 */
function eventText(event, id) {
  const { eventName } = event;
  if (!Object.hasOwn(event, "jsonrpc")) {
    return stringify(event.requestId === id ? event : { ...event, requestId: id }, undefined, undefined, eventName);
  }
  const payload = { ...event };
  delete payload.eventName;
  delete payload.requestId;
  return requestText(eventName, id, payload);
}

function refuse(help, eventName) {
  throw new BridgeError(codes.invalidParams, "Invalid params", { data: { path: "$", help }, eventName });
}

/**
 * The text of an answer in its request's dialect.
 * @param {boolean} rpc Whether the request came in JSON-RPC.
 * @param {string | number | null} id
 * @param {unknown} result
 * @returns {string}
 * @throws {BridgeError} −32603 with `data.path` when JSON cannot say the result.
 */
function resultText(rpc, id, result) {
  const value = result === undefined ? null : result;
  if (typeof value === "function" || typeof value === "symbol") {
    throw new BridgeError(codes.unsupportedResult, "Unsupported result", {
      data: { help: `a ${typeof value} cannot be sent` },
    });
  }
  const message = rpc ? { jsonrpc: "2.0", result: value, id } : { requestId: id, response: value };
  return stringify(message, codes.internalError, "Internal error");
}

/**
 * The text of a failure in its request's dialect. It never throws: data that JSON cannot say is left out.
 * @param {boolean} rpc
 * @param {string | number | null} id
 * @param {{code: number, message: string, data?: unknown}} error
 * @returns {string}
 */
function errorText(rpc, id, { code, message, data }) {
  const error = { code, message: String(message), data };
  const whole = rpc ? { jsonrpc: "2.0", error, id } : { requestId: id, error };
  try {
    return JSON.stringify(whole);
  } catch {
    error.data = undefined;
    return JSON.stringify(whole);
  }
}

/**
 * The text of a progress message.
 * @param {boolean} rpc
 * @param {string | number} id
 * @param {unknown} value
 * @returns {string}
 */
function progressText(rpc, id, value = null) {
  const message = rpc
    ? { jsonrpc: "2.0", method: "$/progress", params: { id, value } }
    : { requestId: id, progress: value };
  return stringify(message, codes.internalError, "Internal error");
}

/**
 * The text of a message.
 * @param {object} message
 * @param {number} code What the error has when JSON cannot say the message.
 * @param {string} title The error's message.
 * @param {string} [eventName]
 * @returns {string}
 * @throws {BridgeError} with `data.path`, for NaN, infinities and cycles, and for what nests too deep to be read.
 */
function stringify(message, code = codes.invalidParams, title = "Invalid params", eventName = undefined) {
  let text;
  try {
    text = JSON.stringify(message);
  } catch (cause) {
    throw new BridgeError(code, title, { data: { path: "$", help: String(cause?.message ?? cause) }, eventName, cause });
  }
  // JSON.stringify turns NaN into null without a word, and only a text this long can nest too deep: few messages are
  // looked at a second time.
  if (text.includes("null") || text.length > 2 * nesting) {
    const fault = findFault(message, 1);
    if (fault) {
      throw new BridgeError(code, title, { data: { path: "$" + pathWithin(message, fault.path), help: fault.help }, eventName });
    }
  }
  return text;
}

/** The first number that JSON cannot say, or array or object too deep for the other side to read. */
function findFault(value, depth, key) {
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : { path: [], help: `JSON has no number ${value}` };
  }
  if (value === null || typeof value !== "object") return undefined;
  if (depth > nesting) return { path: [], help: `arrays and objects nest more than ${nesting} deep` };
  if (typeof value.toJSON === "function") {
    const plain = value.toJSON(key);
    return plain === value ? undefined : findFault(plain, depth, key);
  }
  for (const member of Object.keys(value)) {
    const fault = findFault(value[member], depth + 1, member);
    if (fault) {
      fault.path.unshift(Array.isArray(value) ? `[${member}]` : memberPath(member));
      return fault;
    }
  }
  return undefined;
}

function memberPath(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A path is told from the payload or result on, not from the message around it. */
function pathWithin(message, path) {
  return path.slice("eventName" in message ? 0 : 1).join("");
}

// android.mjs

/**
 * `window.bridge` in the shape of the object that Android's WebMessageListener puts into a page: strings only, and no
 * promise. What the native side answers comes as a message event.
 * @param {Window} window
 * @returns {Function} A part of the bridge.
 */
function android(window) {
  return (core) => {
    const listener = new WebMessageListener((text) => postText(core, listener, text));
    Object.defineProperty(window, "bridge", { value: listener, writable: true, enumerable: true, configurable: true });
  };
}

/** Whether `object` is this module's own. */
function isEmulatedListener(object) {
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

// nearest.mjs

/**
 * Up to three names that somebody who wrote `name` may have meant, the nearest first, and what tells them apart: case or
 * normalisation only, then spaces or punctuation, then an edit distance of at most a third (PROTOCOL.md, F3).
 * @param {string} name
 * @param {Iterable<string>} names
 * @returns {{name: string, difference: string}[]}
 */
function nearest(name, names) {
  const longest = 256; // only so much is compared: a request must not be able to make this expensive
  if (name.length > longest) return [];
  return [...names]
    .filter((candidate) => candidate.length <= longest)
    .map((candidate) => ({ name: candidate, ...compare(name, candidate) }))
    .filter(({ difference }) => difference !== undefined)
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name, difference }) => ({ name, difference }));
}

function compare(wanted, candidate) {
  if (candidate.normalize() === wanted.normalize()) return { edits: 0, difference: "differs in Unicode normalisation only" };
  if (candidate.normalize().toLowerCase() === wanted.normalize().toLowerCase()) {
    return { edits: 0, difference: "differs in upper and lower case only" };
  }
  if (fold(wanted) !== "" && fold(wanted) === fold(candidate)) {
    return { edits: 0.5, difference: "differs in spaces or punctuation only" };
  }
  const [from, to] = [[...wanted], [...candidate]];
  const length = Math.max(from.length, to.length);
  const edits = distance(from, to);
  if (length < 3 || edits > Math.max(1, Math.floor(length / 3))) return {};
  return { edits, difference: `differs in ${edits === 1 ? "one character" : `${edits} characters`}` };
}

const fold = (name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Insertions, deletions, replacements and swaps of neighbours that turn one into the other. */
function distance(from, to) {
  let beforeLast = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1), isSwap ? beforeLast[j - 2] + 1 : Infinity);
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length];
}

// inbox.mjs

/** Bytes of a failure that has nothing but its help. */
const shortFailure = 200;

/** What the native side asks of the page: finds the handler, runs it, answers exactly once. */
class Inbox {
  #handlers = new Map();
  /** Requests that are being handled: id → Call. */
  #running = new Map();
  /** While the page loads, messages that nobody handles yet: name → what to do when somebody does. */
  #unclaimed = new Map();
  #loading = true;

  /**
   * The protocol's own requests, whose names begin with `$/`.
   * @type {Map<string, (params: any, call: Call) => unknown>}
   */
  protocol = new Map([["$/cancelRequest", ({ id }) => this.#cancel(id)]]);
  #reply;

  /**
   * @param {(action: () => void) => void} whenLoaded Runs an action once the page has loaded.
   * @param {(message: object) => void} reply Takes a reply that came in a batch.
   */
  constructor(whenLoaded, reply) {
    this.#reply = reply;
    whenLoaded(() => this.#loaded());
  }

  /** The names that have a handler. */
  get names() {
    return [...this.#handlers.keys()];
  }

  /**
   * Registers the handler of an event.
   * @param {string} name
   * @param {(payload: any, call: Call) => unknown} handler
   * @returns {() => void} Takes the handler away again, unless another has taken its place.
   */
  handle(name, handler) {
    if (this.#handlers.has(name)) console.warn(`[bridgehead] A second handler of "${name}" takes the place of the first.`);
    this.#handlers.set(name, handler);
    const waiting = this.#unclaimed.get(name) ?? [];
    this.#unclaimed.delete(name);
    for (const deliver of waiting) deliver();
    return () => {
      if (this.#handlers.get(name) === handler) this.#handlers.delete(name);
    };
  }

  /**
   * Takes a message that is no reply.
   * @param {unknown} message
   * @param {{send: (text: string) => void, fits: (text: string, used?: number) => boolean}} line Where answers go.
   * @param {number} largestBatch
   */
  accept(message, line, largestBatch = Infinity) {
    if (!Array.isArray(message)) this.#acceptOne(message, line);
    else if (message.length > 0 && message.length <= largestBatch) this.#acceptBatch(message, line);
    else line.send(errorText(true, null, invalid({ help: `a batch has 1 to ${largestBatch} messages` })));
  }

  /** The session is over: what is being handled is told so and answers nobody. */
  end() {
    for (const call of this.#running.values()) call.abandon();
    this.#running.clear();
    this.#unclaimed.clear();
  }

  #acceptOne(message, line) {
    this.#accept(message, line, (text, call) => {
      if (call) this.#free(call);
      line.send(text);
    });
  }

  /** Answers stand in the order of their requests, whose ids stay in flight until the array goes out. */
  #acceptBatch(batch, line) {
    const answers = [];
    const settled = [];
    let due = 1;
    let bytes = 2;
    const settle = () => {
      if (--due > 0) return;
      for (const call of settled) this.#free(call);
      if (answers.length > 0) line.send(`[${answers.join(",")}]`);
    };
    // What is still due has room kept for it: for a failure that says there is no room.
    let open = batch.length;
    const part = { send: line.send, fits: (text) => line.fits(text, bytes + shortFailure * (open - 1)) };
    for (const message of batch) {
      if (isReply(message)) {
        open--;
        this.#reply(message);
        continue;
      }
      const place = answers.push(undefined) - 1;
      due++;
      const isDue = this.#accept(Object.hasOwn(Object(message), "jsonrpc") ? message : undefined, part, (text, call) => {
        answers[place] = text;
        bytes += byteCount(text) + 1;
        open--;
        if (call) settled.push(call);
        settle();
      });
      if (!isDue) {
        answers.pop();
        open--;
        due--;
      }
    }
    settle();
  }

  /** Whether `answer` is called, now or later. */
  #accept(message, line, answer) {
    const request = read(message);
    if (request.fault) {
      answer(errorText(request.rpc, request.id, invalid({ help: request.fault })));
      return true;
    }
    const { name, payload, rpc, id } = request;
    const isRequest = id !== undefined;
    if (isRequest && this.#running.has(id)) {
      answer(errorText(rpc, id, invalid({ duplicate: true, help: "a request with this id is still in flight" })));
      return true;
    }
    const call = new Call(rpc, id, line, (text) => isRequest && answer(text, call));
    if (isRequest && id !== null) this.#running.set(id, call);
    this.#deliver(name, payload, call);
    return isRequest;
  }

  #free(call) {
    if (this.#running.get(call.id) === call) this.#running.delete(call.id);
  }

  #cancel(id) {
    if (!isId(id)) throw invalidParams("$.id", "a string or a number");
    this.#running.get(id)?.cancel();
    return null;
  }

  #deliver(name, payload, call) {
    if (name.startsWith("$/")) {
      const handler = this.protocol.get(name);
      if (handler) run(handler, payload, call);
      else call.fail(notFound(name, []));
      return;
    }
    const handler = this.#handlers.get(name);
    if (handler) run(handler, payload, call, asFailure);
    else if (!this.#loading) call.fail(notFound(name, this.names));
    else {
      const waiting = this.#unclaimed.get(name) ?? [];
      waiting.push(() => call.isOpen && this.#deliver(name, payload, call));
      this.#unclaimed.set(name, waiting);
    }
  }

  #loaded() {
    this.#loading = false;
    const waiting = [...this.#unclaimed.values()].flat();
    this.#unclaimed.clear();
    for (const deliver of waiting) deliver();
  }
}

/** One request of the native side, as its handler sees it. */
class Call {
  #controller;
  #rpc;
  #id;
  #line;
  #answer;

  constructor(rpc, id, line, answer) {
    this.#rpc = rpc;
    this.#id = id;
    this.#line = line;
    this.#answer = answer;
  }

  /** The request's id; undefined for a notification. */
  get id() {
    return this.#id;
  }

  /** Whether an answer is still wanted. */
  get isOpen() {
    return this.#answer !== undefined;
  }

  /** Aborted when the native side cancels the request, or the session ends first. */
  get signal() {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (!this.isOpen) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /**
   * Reports progress to the native side; nothing after the answer. What cannot be sent is dropped, and the request goes
   * on. A function of its own, so that a handler can take it apart: `(payload, { progress }) => …`.
   */
  progress = (value) => {
    if (!this.isOpen || this.#id === undefined || this.#id === null) return;
    try {
      this.#line.send(progressText(this.#rpc, this.#id, value)); // which says so if it is too long
    } catch ({ message, data }) {
      console.error(`[bridgehead] Dropped progress: ${message}.`, data ?? "");
    }
  };

  respond(result) {
    if (!this.isOpen) return;
    try {
      const text = resultText(this.#rpc, this.#id, result);
      if (!this.#line.fits(text)) throw tooLong("the answer");
      this.#settle(text);
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    if (!this.isOpen) return;
    const failure = error instanceof BridgeError ? error : internal(describe(error));
    const text = errorText(this.#rpc, this.#id, failure);
    this.#settle(this.#line.fits(text) ? text : errorText(this.#rpc, this.#id, tooLong("the failure")));
  }

  cancel() {
    if (!this.isOpen) return;
    this.fail(new BridgeError(codes.cancelled, "Cancelled"));
    this.#controller?.abort(new BridgeError(codes.cancelled, "Cancelled"));
  }

  abandon() {
    this.#answer = undefined;
    this.#controller?.abort(new BridgeError(codes.connectionClosed, "Connection closed"));
  }

  #settle(text) {
    const answer = this.#answer;
    this.#answer = undefined;
    answer(text);
  }
}

/**
 * Runs in place: a synchronous handler has returned, and been answered, before the next message is looked at.
 * @param {(error: unknown) => unknown} [translate] Makes what may travel of what the handler throws.
 */
function run(handler, payload, call, translate = (error) => error) {
  const fail = (error) => call.fail(translate(error));
  let result;
  let isPromise;
  try {
    result = handler(payload, call);
    isPromise = typeof result?.then === "function";
  } catch (error) {
    fail(error);
    return;
  }
  if (isPromise) Promise.resolve(result).then((value) => call.respond(value), fail);
  else call.respond(result);
}

/** Turns what an application's handler throws into what may travel. */
function asFailure(error) {
  if (!(error instanceof BridgeError)) {
    report(error);
    return new BridgeError(codes.handlerFailed, error instanceof Error ? String(error.message) : describe(error));
  }
  const { code, message, data } = error;
  const isOwn = Number.isInteger(code) && code === (code | 0) && code !== codes.cancelled && !(code >= -32768 && code <= -32000);
  if (isOwn) return error;
  const members = data === undefined ? {} : typeof data === "object" && data !== null && !Array.isArray(data) ? data : { data };
  return new BridgeError(codes.handlerFailed, message, { data: { ...members, code } });
}

function internal(help) {
  return new BridgeError(codes.internalError, "Internal error", { data: { help } });
}

function tooLong(what) {
  return internal(`${what} is over the limit for a message (--limit message=N)`);
}

function invalid(data) {
  return new BridgeError(codes.invalidRequest, "Invalid Request", { data });
}

function notFound(eventName, names) {
  const near = nearest(eventName, names);
  const differences = near.map(({ name, difference }) => `; "${name}" ${difference}`).join("");
  return new BridgeError(codes.methodNotFound, "Method not found", {
    data: {
      eventName,
      nearest: near.map(({ name }) => name),
      help: `the page has no handler of "${eventName}"${differences}. To add one: bridge.handle(${JSON.stringify(eventName)}, (payload) => null)`,
    },
  });
}

/** What a message asks for, in either dialect, or what is wrong with it and how to say so. */
function read(message) {
  if (message === null || typeof message !== "object" || Array.isArray(message)) {
    return { rpc: true, id: null, fault: "a message is an object" };
  }
  if (Object.hasOwn(message, "jsonrpc")) {
    const { jsonrpc, method: name, params, id } = message;
    const isValid = id === undefined || id === null || isId(id);
    const fault =
      jsonrpc !== "2.0" ? '"jsonrpc" has to be "2.0"'
      : typeof name !== "string" ? '"method" has to be a string'
      : params !== undefined && typeof params !== "object" ? '"params" has to be an object or an array'
      : !isValid ? '"id" has to be a string, a number or null'
      : undefined;
    if (fault) return { rpc: true, id: isValid ? (id ?? null) : null, fault };
    return { rpc: true, name, id, payload: params ?? {} };
  }
  const { eventName: name, requestId: id, ...payload } = message;
  const isRequest = Object.hasOwn(message, "requestId");
  if (typeof name === "string" && (!isRequest || isId(id))) return { rpc: false, name, id, payload };
  const fault = typeof name === "string" ? '"requestId" has to be a string or a number' : '"eventName" has to be a string';
  if (isId(id)) return { rpc: false, id, fault };
  return { rpc: true, id: isId(message.id) ? message.id : null, fault };
}

// options.mjs

/** What each option of a request has to be, and whether a value is. */
const kinds = {
  signal: ["an AbortSignal, such as controller.signal", ({ aborted, addEventListener }) => typeof aborted === "boolean" && typeof addEventListener === "function"],
  timeout: ["a number of milliseconds", (value) => typeof value === "number" && !Number.isNaN(value)],
  onProgress: ["a function", (value) => typeof value === "function"],
};

/**
 * The options of a request. A slip, such as a controller in the place of its signal, is told before anything is sent.
 * @param {unknown} options
 * @returns {{signal?: AbortSignal, timeout?: number, onProgress?: (value: unknown) => void}}
 * @throws {TypeError}
 */
function checkOptions(options) {
  if (options === undefined || options === null) return {};
  if (typeof options !== "object") throw new TypeError("bridge.request: the options have to be an object, such as { timeout: 1000 }");
  const { signal, timeout, onProgress } = options;
  const checked = { signal, timeout, onProgress };
  for (const [name, [kind, isOfKind]] of Object.entries(kinds)) {
    const value = checked[name];
    if (value === undefined || value === null || isOfKind(value)) continue;
    throw new TypeError(`bridge.request: "${name}" has to be ${kind}`);
  }
  return checked;
}

// outbox.mjs

/**
 * What the page sends, in its order. Messages wait here before the session is open, and requests while as many are in
 * flight as the other side takes; what comes after a message that waits, waits behind it.
 */
class Outbox {
  #send;
  #limit = Infinity;
  /** Messages that wait: id → text; a notification's key is an object of its own. */
  #waiting = new Map();
  #inFlight = new Set();

  /** @returns {number} How many messages wait to be sent. */
  get waiting() {
    return this.#waiting.size;
  }

  /**
   * Sends a message, now or in its turn.
   * @param {string} text
   * @param {string | number} [id] The id, if it is a request.
   */
  post(text, id) {
    if (this.#send !== undefined && this.#waiting.size === 0 && (id === undefined || this.#inFlight.size < this.#limit)) {
      this.#transmit(text, id);
    } else {
      this.#waiting.set(id ?? {}, text);
    }
  }

  /**
   * A request needs no answer any more, or has it.
   * @param {string | number} id
   * @returns {boolean} Whether it had been sent.
   */
  release(id) {
    const wasSent = this.#inFlight.delete(id);
    if (!wasSent) this.#waiting.delete(id);
    if (this.#waiting.size > 0) this.#flush();
    return wasSent;
  }

  /**
   * Nobody wants the answer any more. The other side is told before the next request takes the place, as until then it
   * counts this one.
   * @param {string | number} id
   * @param {string} text What tells it; not sent if the request was not.
   * @returns {boolean} Whether the request had been sent.
   */
  withdraw(id, text) {
    if (this.#inFlight.has(id)) this.#send(text);
    return this.release(id);
  }

  /**
   * The session is open: sends what waits.
   * @param {(text: string, id?: string | number) => void} send
   * @param {number} limit How many requests may be in flight.
   */
  open(send, limit) {
    this.#send = send;
    this.#limit = limit;
    this.#flush();
  }

  /**
   * The session is over: what waits goes on waiting.
   * @returns {(string | number)[]} The requests that had been sent and were not answered.
   */
  close() {
    this.#send = undefined;
    const lost = [...this.#inFlight];
    this.#inFlight.clear();
    return lost;
  }

  #transmit(text, id) {
    if (id !== undefined) this.#inFlight.add(id);
    this.#send(text, id);
  }

  #flush() {
    for (const [key, text] of this.#waiting) {
      if (this.#send === undefined) return;
      const id = typeof key === "object" ? undefined : key;
      if (id !== undefined && this.#inFlight.size >= this.#limit) return;
      this.#waiting.delete(key);
      this.#transmit(text, id);
    }
  }
}

// pending.mjs

/** The longest delay that a timer can hold; a longer timeout is none. */
const longest = 2 ** 31 - 1;

/**
 * The heart of the client: a call is posted as a message, its promise waits in a map under the message's id, and the
 * message that brings the answer carries the same id.
 *
 *     const title = pending.call("7", () => socket.send('{"requestId":"7","eventName":"getTitle"}'));
 *     socket.onmessage = ({ data }) => pending.settle(JSON.parse(data).requestId)?.resolve(…);
 */
class Pending {
  #pending = new Map();

  /** How many calls wait. */
  get size() {
    return this.#pending.size;
  }

  /**
   * Posts a call and promises its answer.
   * @param {string | number} id Not in use by another call that waits.
   * @param {() => void} post Sends the message; runs once the call is in the map, as the answer may come during it.
   * @param {{signal?: AbortSignal, timeout?: number, onProgress?: (value: unknown) => void, eventName?: string}} options
   * @param {() => void} giveUp Tells the other side that nobody waits any more: after an abort or the timeout.
   * @returns {Promise<unknown>}
   */
  call(id, post, { signal, timeout, onProgress, eventName }, giveUp) {
    return new Promise((resolve, reject) => {
      const entry = { resolve, reject, onProgress, eventName, timer: undefined, unlisten: undefined };
      const fail = (error) => {
        this.settle(id);
        reject(error);
        giveUp();
      };
      this.#pending.set(id, entry);
      try {
        if (typeof timeout === "number" && timeout <= longest) {
          const error = () => new BridgeError(codes.timedOut, "Timed out", { eventName, requestId: id, data: { timeout } });
          entry.timer = setTimeout(() => fail(error()), timeout);
        }
        if (signal) {
          const abort = () => fail(signal.reason);
          signal.addEventListener("abort", abort);
          entry.unlisten = () => signal.removeEventListener("abort", abort);
        }
        post();
      } catch (error) {
        this.settle(id)?.reject(error);
      }
    });
  }

  /**
   * Takes a call out, once: whoever gets it settles it. Its timer and its listener go with it.
   * @param {string | number} id
   * @returns {{resolve: (value: unknown) => void, reject: (error: unknown) => void, eventName?: string} | undefined}
   */
  settle(id) {
    const entry = this.#pending.get(id);
    if (entry === undefined) return undefined;
    this.#pending.delete(id);
    if (entry.timer !== undefined) clearTimeout(entry.timer);
    entry.unlisten?.();
    return entry;
  }

  /** The call that waits under `id`, left where it is. */
  peek(id) {
    return this.#pending.get(id);
  }

  /** Whether a call waits under `id`. */
  has(id) {
    return this.#pending.has(id);
  }

  /** The ids of the calls that wait, in the order of the calls. */
  ids() {
    return [...this.#pending.keys()];
  }
}

// phone.mjs

const known = new WeakMap();

/**
 * The phone that the page is shown on: its window is named `bridgehead-phone:ID:PLATFORM`, be it the phone shell's frame or
 * a window of its own (PROTOCOL.md, section 7).
 * @param {Window} window
 * @returns {{id: string, platform: "ios" | "android"} | undefined} As it was at first: a page may give its window another name.
 */
function phoneOf(window) {
  if (!known.has(window)) {
    const [, id, platform] = /^bridgehead-phone:([\w-]{1,64}):(ios|android)$/.exec(window.name) ?? [];
    known.set(window, id && { id, platform });
  }
  return known.get(window);
}

/** Whether the page is all that its window, or its phone, shows. */
function isMainFrame(window) {
  return window.parent === window || phoneOf(window) !== undefined;
}

/**
 * What the page's part of the history holds, where the browser tells: of a server that has just started nobody else knows.
 * @param {Window} window
 * @returns {{urls: string[], index: number} | undefined} At most 50, with the page's own.
 */
function entries({ navigation }) {
  const all = navigation?.entries?.() ?? [];
  const current = navigation?.currentEntry?.index ?? -1;
  if (!all[current]) return undefined;
  const first = Math.max(0, Math.min(current - 25, all.length - 50));
  return { urls: all.slice(first, first + 50).map(({ url }) => url ?? "about:blank"), index: current - first };
}

/**
 * What a page on a phone leaves to the native side: windows, which the phone has no place for, and dialogs.
 * @param {Window} window
 * @returns {Function} A part of the bridge.
 */
function phone(window) {
  return (core) => {
    const isGone = () => core.bridge.status === "closed" || core.bridge.status === "off";
    const tellWindow = (url) => {
      core.tell("$/page.window", { url, hasUserGesture: window.navigator.userActivation?.isActive ?? false });
    };
    replaceOpen(window, isGone, tellWindow);
    watchLinks(window, isGone, tellWindow);
    const { alert } = window;
    window.alert = (message = "") => {
      if (isGone()) alert.call(window, message);
      else core.tell("$/page.dialog", { kind: "alert", message: String(message) });
    };
  };
}

/** As in an app whose windows open in the page itself: a script gets null for them. */
function replaceOpen(window, isGone, tellWindow) {
  const { open } = window;
  window.open = (url = "", target = "_blank", ...rest) => {
    const place = placeOf(window, String(target) || "_blank");
    if (place === "frame" || isGone()) return open.call(window, url, target, ...rest);
    if (url === "") return place === "own" ? window : null;
    let absolute;
    try {
      absolute = new URL(url, window.document.baseURI).href;
    } catch {
      throw new DOMException(`Unable to open a window with invalid URL '${url}'.`, "SyntaxError");
    }
    if (place === "own") return open.call(window, absolute, "_self");
    tellWindow(absolute);
    return null;
  };
}

/** Links that lead out of the page's frame, once the page's own listeners have left them to the browser. */
function watchLinks(window, isGone, tellWindow) {
  window.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.composedPath().find((node) => /^(a|area)$/.test(node.localName) && typeof node.href === "string");
    if (!link?.href || link.hasAttribute("download")) return;
    const target = link.target || window.document.querySelector("base[target]")?.target || "_self";
    const place = placeOf(window, target);
    if (place === "frame" || target.toLowerCase() === "_self" || (place === "window" && isGone())) return;
    event.preventDefault();
    if (place === "own") window.location.assign(link.href);
    else tellWindow(link.href);
  });
}

/** Where a target leads: to the page itself, which has nothing above it, to a frame in it, or to a new window. */
function placeOf(window, target) {
  if (/^_(self|parent|top)$/i.test(target) || target === window.name) return "own";
  const isFrame = [...window.document.getElementsByName(target)].some(({ localName }) => /^i?frame$/.test(localName));
  return isFrame ? "frame" : "window";
}

// socket.mjs

/**
 * How long to wait before the next attempt: it doubles from 0.25 s to 15 s, less up to a half by chance, so that many
 * pages do not come back in step.
 * @param {number} attempt 0 for the first.
 * @returns {number} Milliseconds.
 */
function backOff(attempt) {
  return Math.min(15_000, 250 * 2 ** attempt) * (1 - Math.random() / 2);
}

/**
 * The server that a text names; undefined if it is no whole URL of http, https, ws or wss.
 * @param {string | URL} text
 * @returns {URL | undefined}
 */
function serverURL(text) {
  try {
    const url = new URL(text);
    return /^(http|ws)s?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** A WebSocket that comes back. Each socket it opens is a session of its own; nothing of one reaches the next. */
class Connection {
  #options;
  #socket;
  #timer;
  #attempt = 0;

  /**
   * @param {object} options
   * @param {string} options.url
   * @param {typeof WebSocket} options.WebSocket
   * @param {(attempt: number) => number} [options.retryDelay]
   * @param {() => void} options.connecting An attempt begins.
   * @param {(send: (text: string) => void) => void} options.opened
   * @param {(text: string) => void} options.received
   * @param {(end: {code: number, reason: string, opened: boolean, error?: unknown}) => void} options.closed The socket is
   *   gone, or could not be opened; the next attempt is on its way.
   */
  constructor(options) {
    this.#options = { ...options, retryDelay: options.retryDelay ?? backOff };
  }

  /** Connects, and connects again whenever the connection is lost. */
  start() {
    clearTimeout(this.#timer);
    const { url, WebSocket, connecting, opened, received } = this.#options;
    connecting();
    let socket;
    try {
      socket = new WebSocket(url, ["bridgehead.1"]);
    } catch (error) {
      this.#lost({ code: 0, reason: "", opened: false, error });
      return;
    }
    this.#socket = socket;
    let isOpen = false;
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      isOpen = true;
      this.#attempt = 0;
      opened((text) => socket.send(text));
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) received(data);
    };
    socket.onerror = () => {}; // "close" follows and says as much
    socket.onclose = ({ code, reason }) => {
      if (socket === this.#socket) this.#lost({ code, reason, opened: isOpen });
    };
  }

  /**
   * Closes, and does not come back unless started again.
   * @param {number} [code]
   */
  stop(code = 1000) {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close(code);
  }

  #lost(end) {
    this.#socket = undefined;
    this.#timer = setTimeout(() => this.start(), this.#options.retryDelay(this.#attempt++));
    this.#options.closed(end);
  }
}

// tab.mjs

/** Where the tab's id is, for its documents of one origin. */
const key = "bridgehead.tab";

/**
 * What names the tab, whichever document it shows: the native side follows a page by it from document to document.
 * @param {Window} window
 * @returns {string | undefined} Nothing where the page may not store anything.
 */
function tabId(window) {
  const phone = phoneOf(window);
  if (phone) return `phone:${phone.id}`;
  try {
    const { sessionStorage } = window;
    // A window that a page has opened begins with a copy of that page's storage.
    const isCopy = window.opener !== null && window.opener !== undefined && window.history.length === 1;
    const known = isCopy ? null : sessionStorage.getItem(key);
    if (known) return known;
    const made = newId();
    sessionStorage.setItem(key, made);
    return made;
  } catch {
    return undefined;
  }
}

/**
 * How the document came to be, in the words of the Navigation API: "push", "replace", "reload" or "traverse".
 * @param {Window} window
 * @returns {string | undefined} Nothing where the browser does not tell.
 */
function navigationType({ navigation, performance }) {
  const type = navigation?.activation?.navigationType;
  if (type) return type;
  const [entry] = performance?.getEntriesByType?.("navigation") ?? [];
  return { navigate: "push", reload: "reload", back_forward: "traverse" }[entry?.type];
}

/** @returns {string} One that no other is. */
function newId() {
  const bytes = globalThis.crypto?.getRandomValues(new Uint8Array(16)) ?? Array.from({ length: 16 }, () => Math.random() * 256);
  return Array.from(bytes, (byte) => (byte & 255).toString(16).padStart(2, "0")).join("");
}

// bridge.mjs

const version = "0.1.0";
/** What holds until the other side has said otherwise in its answer to `$/hello`. */
const defaults = { protocol: 1, server: null, session: null, events: [], messageHandlers: {}, limits: {} };
const defaultLimits = { message: 16 * 1024 * 1024, inFlight: 1024, batch: 1000 };
/** The answer to `$/hello` says how much may be sent; a side that does not answer is not waited for longer than this. */
const patience = 1000;

/**
 * The page's end of the bridge. What is posted before the session is open waits for it, in order; each new connection is
 * a new session, in which only what had not been sent is sent.
 *
 * Events: "statuschange" (see `status`), "eventschange" (see `events`).
 */
class Bridge extends EventTarget {
  #pending = new Pending();
  #outbox = new Outbox();
  #inbox;
  #connection;
  #status = "off";
  #ready;
  #events = [];
  #limits = defaultLimits;
  #session;
  /** Why there will be no session any more. */
  #whyClosed;
  #hasFailed = false;
  #lastId = 0;
  #documentId;
  #cancelled = new Set();
  #taught = new Set();
  #tap;
  #core;
  #options;

  /**
   * @param {object} options
   * @param {string | URL} [options.url] The server, such as "http://localhost:7357".
   * @param {string} [options.token] For a server that asks for one.
   * @param {typeof WebSocket} [options.WebSocket] The socket class; the browser's own if not given.
   * @param {(attempt: number) => number} [options.retryDelay] Milliseconds before an attempt to connect again.
   * @param {object} [options.page] What `$/hello` says of the page.
   * @param {Window} [options.window] The page, if there is one.
   * @param {Function[]} [options.parts] What belongs to the bridge in this page: each is called with its inner side.
   * @param {Function} [options.connect] Another way than a WebSocket, made by native.mjs.
   * @param {string} [options.off] Why there is no connection at all.
   */
  constructor({ url, token, parts = [], ...options } = {}) {
    super();
    const { window } = options;
    this.#options = options;
    this.#ready = deferred();
    this.#inbox = new Inbox((action) => whenLoaded(window, action), (message) => this.#reply(message));
    this.#inbox.protocol.set("$/eventsChanged", ({ events }) => this.#setEvents(events));
    this.#inbox.protocol.set("$/progress", ({ id, value }) => this.#progress(id, value));
    this.#core = {
      bridge: this,
      /** The protocol's own requests that a part answers. */
      protocol: this.#inbox.protocol,
      /** The page's own id if it can be used, else a new one. */
      idFor: (wanted) => (isId(wanted) && !this.#pending.has(wanted) ? wanted : this.#newId()),
      request: (eventName, id, text) => this.#call(id, text, { eventName }),
      tell: (name, payload) => this.#tell(name, payload),
      /** Called with the answer to `$/hello` when a session is open. */
      greeted: new Set(),
      /** Called when an attempt to connect has failed, or a connection is lost. */
      ended: new Set(),
      tap: (listener) => (this.#tap = listener),
    };
    for (const part of parts) part(this.#core);
    if (options.off !== undefined) {
      this.#shut("off", options.off);
      return;
    }
    const events = {
      connecting: () => this.#setStatus("connecting"),
      opened: (send) => this.#opened(send),
      received: (text) => this.#received(text),
      message: (message) => this.#accept(message),
      closed: (end) => this.#closed(end),
    };
    const { WebSocket = globalThis.WebSocket, retryDelay } = options;
    if (options.connect === undefined && typeof WebSocket !== "function") {
      this.#shut("off", "there is no WebSocket here: give one, new Bridge({ url, WebSocket })");
      return;
    }
    this.#connection =
      options.connect?.(events) ?? new Connection({ url: socketURL(url, token), WebSocket, retryDelay, ...events });
    this.#connection.start();
    window?.addEventListener?.("pagehide", () => this.#leave());
    window?.addEventListener?.("pageshow", ({ persisted }) => {
      if (persisted && this.#status === "closed" && this.#connection) this.#connection.start();
    });
  }

  /**
   * "connecting", "open", "closed" (it tries again by itself, unless `close` was called), "native" in a real app, or
   * "off".
   */
  get status() {
    return this.#status;
  }

  /** Resolves with the answer to `$/hello` when a session is open; rejects only when there will be none. */
  get ready() {
    return this.#ready.promise;
  }

  /** The names of the events that the native side handles, as it last told. */
  get events() {
    return [...this.#events];
  }

  /** How many requests wait for their answers. */
  get pendingCount() {
    return this.#pending.size - (this.#pending.has(this.#session?.greeting) ? 1 : 0);
  }

  /**
   * Asks the native side.
   * @param {string} name The event.
   * @param {object} [payload] An object or an array.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Cancels the request; the promise rejects with the signal's reason.
   * @param {number} [options.timeout] Milliseconds until it fails with −32001 and is cancelled; none if not given.
   * @param {(value: any) => void} [options.onProgress] Called with each report of progress.
   * @returns {Promise<any>} The answer. Rejects with a {@link BridgeError}, the signal's reason, or a TypeError for an
   *   option of another kind.
   */
  request(name, payload, options) {
    try {
      const checked = checkOptions(options);
      if (checked.signal?.aborted) return Promise.reject(checked.signal.reason);
      const id = this.#newId();
      return this.#call(id, this.#text(name, id, payload), { ...checked, eventName: name });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Tells the native side; nothing comes back.
   * @param {string} name
   * @param {object} [payload] An object or an array.
   * @throws {BridgeError} −32602 when the payload is none, or JSON cannot say it.
   */
  notify(name, payload) {
    const text = this.#text(name, undefined, payload);
    if (this.#connection) this.#outbox.post(text);
  }

  /**
   * Answers an event of the native side. The handler may return a promise; it gets the payload, and a call with `signal`
   * and `progress(value)`.
   * @param {string} name
   * @param {(payload: any, call: {signal: AbortSignal, progress: (value: unknown) => void}) => unknown} handler
   * @returns {() => void} Stops it.
   */
  handle(name, handler) {
    if (typeof name !== "string" || typeof handler !== "function") {
      throw new TypeError("bridge.handle takes the event's name and a function");
    }
    if (name.startsWith("$/")) {
      throw new TypeError(`bridge.handle("${name}"): names that begin with "$/" are the protocol's own; take another name`);
    }
    return this.#inbox.handle(name, handler);
  }

  /** The class itself, where nothing is imported: `throw new bridgehead.BridgeError(4001, "Not signed in")`. */
  get BridgeError() {
    return BridgeError;
  }

  /** Closes for good: what is pending fails with −32004, and so does every later request. */
  close() {
    if (!this.#connection) return;
    this.#connection.stop();
    this.#end();
    this.#connection = undefined;
    this.#shut("closed", "the bridge was closed by bridge.close()");
  }

  #newId() {
    let id;
    do id = `bh${++this.#lastId}`;
    while (this.#pending.has(id));
    return id;
  }

  #text(name, id, payload) {
    try {
      return requestText(name, id, payload);
    } catch (error) {
      this.#teach(error);
      throw error;
    }
  }

  /** Posts the text of a request and promises its answer. */
  #call(id, text, options) {
    if (!this.#connection) {
      const error = this.#connectionClosed(this.#whyClosed, { eventName: options.eventName, requestId: id });
      this.#teach(error);
      return Promise.reject(error);
    }
    return this.#pending.call(id, () => this.#outbox.post(text, id), options, () => this.#cancel(id));
  }

  #cancel(id) {
    if (this.#outbox.withdraw(id, requestText("$/cancelRequest", undefined, { id }))) this.#cancelled.add(id);
  }

  // A session, from its first message to its end.

  #opened(transmit) {
    const session = {
      greeting: this.#newId(),
      timer: undefined,
      send: (text, id) => {
        if (this.#session !== session) return;
        if (text.length * 3 > this.#limits.message && this.#isTooLong(text, id)) return;
        this.#tap?.("up", text);
        transmit(text, id);
      },
    };
    this.#session = session;
    if (this.#connection.greets === false) {
      this.#begin(session, defaults);
      return;
    }
    const hello = { protocol: 1, client: { name: "bridgehead", version }, page: this.#page() };
    const text = requestText("$/hello", session.greeting, hello);
    session.timer = setTimeout(() => this.#begin(session, defaults), patience);
    this.#pending
      .call(session.greeting, () => session.send(text), {}, () => {})
      .then(
        (result) => this.#begin(session, asWelcome(result)),
        (error) => {
          if (this.#session !== session) return;
          console.error(`[bridgehead] The server does not take this client: ${error.message}.`, error.data ?? "");
          this.#begin(session, defaults);
        },
      );
  }

  #page() {
    if (this.#options.page) return this.#options.page;
    const { window } = this.#options;
    this.#documentId ??= newId();
    const { navigation } = window ?? {};
    return {
      url: window?.location.href ?? "",
      title: window?.document.title ?? "",
      isMainFrame: window ? isMainFrame(window) : true,
      documentId: this.#documentId,
      tabId: window && tabId(window),
      navigationType: window && navigationType(window),
      index: navigation?.currentEntry?.index,
      entries: window && phoneOf(window) && entries(window),
      userAgent: window?.navigator.userAgent ?? "",
    };
  }

  #begin(session, result) {
    if (this.#session !== session) return;
    clearTimeout(session.timer);
    this.#limits = { ...defaultLimits, ...result.limits };
    this.#hasFailed = false;
    for (const listener of this.#core.greeted) listener(result);
    this.#setEvents(result.events);
    this.#outbox.open(session.send, this.#limits.inFlight);
    this.#ready.resolve(result);
    this.#setStatus(this.#connection?.status ?? "open");
  }

  /** The session, if there is one, is over; what it had sent fails, as nobody can tell what became of it. */
  #end(help = "the connection ended before the answer came; whether the request was carried out is unknown") {
    const session = this.#session;
    this.#session = undefined;
    const lost = this.#outbox.close();
    if (session) {
      clearTimeout(session.timer);
      lost.push(session.greeting);
    }
    this.#cancelled.clear();
    this.#inbox.end();
    for (const id of lost) this.#failCall(id, help);
  }

  #failCall(id, help) {
    const entry = this.#pending.settle(id);
    entry?.reject(this.#connectionClosed(help, { eventName: entry.eventName, requestId: id }));
  }

  #connectionClosed(help, details) {
    return new BridgeError(codes.connectionClosed, "Connection closed", { data: { help }, ...details });
  }

  #closed(end) {
    this.#hasFailed = true;
    this.#end();
    this.#becomeClosed();
    for (const listener of this.#core.ended) listener(end);
  }

  #becomeClosed() {
    if (this.#ready.isSettled) this.#ready = deferred();
    this.#setStatus("closed");
  }

  /** The page is left. The browser may keep it, with its socket; so the session ends here. */
  #leave() {
    if (!this.#connection || this.#status === "native") return;
    this.#connection.stop();
    this.#end();
    this.#becomeClosed();
  }

  #shut(status, why) {
    this.#whyClosed = why;
    for (const id of this.#pending.ids()) {
      this.#outbox.release(id);
      this.#failCall(id, why);
    }
    if (this.#ready.isSettled) this.#ready = deferred();
    this.#ready.reject(this.#connectionClosed(why, {}));
    this.#setStatus(status);
  }

  #setStatus(status) {
    if (status === this.#status) return;
    this.#status = status;
    this.dispatchEvent(new Event("statuschange"));
  }

  #setEvents(events) {
    if (!Array.isArray(events)) return;
    this.#events = events;
    this.dispatchEvent(new Event("eventschange"));
  }

  /** What the page reports by itself: kept for the first session, dropped while there is no server. */
  #tell(name, payload) {
    if (this.#whyClosed !== undefined || (this.#session === undefined && this.#hasFailed)) return;
    this.#outbox.post(requestText(name, undefined, payload));
  }

  #isTooLong(text, id) {
    const bytes = byteCount(text);
    const { message: limit } = this.#limits;
    if (bytes <= limit) return false;
    const entry = id === undefined ? undefined : this.#pending.settle(id);
    const help = `the message has ${bytes} bytes, ${limit} are allowed (--limit message=N)`;
    const error = new BridgeError(codes.internalError, "Internal error", {
      data: { help },
      eventName: entry?.eventName,
      requestId: id,
    });
    if (entry) {
      this.#outbox.release(id);
      this.#teach(error);
      entry.reject(error);
    } else {
      console.error(`[bridgehead] Not sent: ${help}.`);
    }
    return true;
  }

  // What comes in.

  #received(text) {
    if (this.#session === undefined) return;
    this.#tap?.("down", text);
    let message;
    try {
      message = JSON.parse(text);
    } catch (error) {
      this.#session.send(errorText(true, null, { code: codes.parseError, message: "Parse error", data: { help: error.message } }));
      return;
    }
    this.#accept(message);
  }

  #accept(message) {
    if (isReply(message)) this.#reply(message);
    else if (this.#session !== undefined) this.#inbox.accept(message, this.#line(this.#session), this.#limits.batch);
  }

  /** Where answers and progress go, and whether a text may go there after `used` bytes of the same message. */
  #line({ send }) {
    return {
      send,
      fits: (text, used = 0) => text.length * 3 + used <= this.#limits.message || byteCount(text) + used <= this.#limits.message,
    };
  }

  #reply(message) {
    const isRpc = Object.hasOwn(message, "jsonrpc");
    const id = isRpc ? message.id : message.requestId;
    if (!isRpc && Object.hasOwn(message, "progress")) {
      this.#progress(id, message.progress);
      return;
    }
    const entry = this.#pending.settle(id);
    if (entry === undefined) {
      if (!this.#cancelled.delete(id)) this.#reportStale(id, message);
      return;
    }
    this.#outbox.release(id);
    const isAnswer = isRpc ? "result" in message : "response" in message;
    if (isAnswer && (message.error ?? null) === null) {
      entry.resolve(isRpc ? message.result : message.response);
      return;
    }
    const error = asError(message.error, entry.eventName, id);
    this.#teach(error);
    entry.reject(error);
  }

  /**
   * The console says what helps against a failure of the protocol's own, each thing once: of an error that nobody catches
   * the browser prints no more than the message.
   */
  #teach(error) {
    if (!(error instanceof BridgeError) || error.reason === "application") return;
    const { code, message, data, eventName } = error;
    const { nearest, help } = Object(data);
    const isMissing = code === codes.methodNotFound; // whose help names the event
    let text;
    if (typeof help === "string") text = isMissing ? help : `"${eventName}" failed: ${help} (${message}, ${code}).`;
    else if (isMissing) text = `no handler is registered for "${eventName}"`;
    if (text === undefined || this.#taught.has(text)) return;
    this.#taught.add(text);
    const names = Array.isArray(nearest) ? nearest : [];
    const unnamed = names.filter((name) => typeof name === "string" && !text.includes(name));
    console.error(`[bridgehead] ${text}${unnamed.length > 0 ? ` Nearest: ${unnamed.join(", ")}.` : ""}`);
  }

  #progress(id, value) {
    try {
      this.#pending.peek(id)?.onProgress?.(value);
    } catch (error) {
      report(error);
    }
  }

  #reportStale(id, message) {
    if (id === null || id === undefined) console.error("[bridgehead] The server could not read a message:", message);
    else console.debug(`[bridgehead] Dropped a stale answer: no request ${JSON.stringify(id)} waits for one.`);
  }
}

/** The answer to `$/hello`, without what is not of its kind. */
function asWelcome(result) {
  const welcome = { ...defaults, ...Object(result) };
  const { events, messageHandlers, limits } = welcome;
  welcome.events = Array.isArray(events) ? events.filter((name) => typeof name === "string") : [];
  welcome.messageHandlers = Object.fromEntries(
    Object.entries(Object(messageHandlers)).filter(([, mode]) => mode === "reply" || mode === "plain"),
  );
  welcome.limits = Object.fromEntries(
    Object.entries(Object(limits)).filter(([, limit]) => typeof limit === "number" && limit > 0),
  );
  return welcome;
}

function asError(error, eventName, requestId) {
  if (!Number.isInteger(error?.code) || typeof error.message !== "string") {
    return new BridgeError(codes.internalError, "Malformed answer", { data: { error }, eventName, requestId });
  }
  return new BridgeError(error.code, error.message, { data: error.data, eventName, requestId });
}

function deferred() {
  const result = { isSettled: false };
  result.promise = new Promise((resolve, reject) => {
    result.resolve = (value) => {
      result.isSettled = true;
      resolve(value);
    };
    result.reject = (error) => {
      result.isSettled = true;
      reject(error);
    };
  });
  result.promise.catch(() => {}); // nobody has to listen
  return result;
}

function whenLoaded(window, action) {
  if (!window?.document || window.document.readyState === "complete") action();
  // One turn later, so that the page's own "load" listeners have registered what they handle.
  else window.addEventListener("load", () => setTimeout(action), { once: true });
}

/**
 * Where the server's WebSocket is.
 * @param {string | URL} url The server.
 * @param {string} [token]
 * @returns {string}
 */
function socketURL(url, token) {
  const server = serverURL(url);
  if (server === undefined) throw new TypeError(`new Bridge({ url }) takes a server, such as "http://localhost:7357", not ${describe(url)}`);
  const socket = new URL("/_bridge/ws", server);
  socket.protocol = socket.protocol === "https:" || socket.protocol === "wss:" ? "wss:" : "ws:";
  if (token) socket.searchParams.set("token", token);
  return socket.href;
}

// diagnostics.mjs

const loopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i;

/**
 * Says on the console what the browser or the server refused, and what cures it: each thing once.
 * @param {Window} window
 * @param {URL} url The server.
 * @param {string} [token]
 * @returns {Function} A part of the bridge.
 */
function diagnostics(window, url, token) {
  return (core) => {
    const said = new Set();
    const say = (level, text) => {
      if (said.has(text)) return;
      said.add(text);
      console[level](`[bridgehead] ${text}`);
    };
    let isBlocked = false;
    window.document.addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective, disposition }) => {
      if (disposition === "report" || !isSameHost(blockedURI, url)) return;
      isBlocked = true;
      say("error", contentPolicy(effectiveDirective, blockedURI, url));
    });
    core.greeted.add(() => said.clear());
    core.ended.add(async ({ opened, code, error }) => {
      if (opened || isBlocked || said.size > 0) return;
      said.add("");
      const refusal = await findRefusal(window, url, token, error);
      if (isBlocked) return;
      if (refusal) say("error", refusal);
      else say("info", `No server at ${url.origin} (${code}): the page works without it, and connects when it is there.`);
    });
  };
}

function isSameHost(blocked, url) {
  try {
    return new URL(blocked).host === url.host;
  } catch {
    return false;
  }
}

function contentPolicy(directive, blocked, url) {
  const source = directive === "connect-src" ? `${url.protocol === "https:" ? "wss" : "ws"}://${url.host} ${url.origin}` : url.origin;
  return `The page's Content-Security-Policy does not allow ${blocked}. Add to it: ${directive} ${source}`;
}

/** What stands between the page and the server, if it is not that there is no server. */
async function findRefusal(window, url, token, error) {
  const { location } = window;
  if (location.protocol === "https:" && url.protocol === "http:" && (error || !loopback.test(url.hostname))) {
    return `The page came over https, and the browser does not let it open ws://${url.host} (mixed content). Open the page over http, or use a server at http://localhost, which Chrome and Firefox allow.`;
  }
  const health = await readHealth(url, token);
  if (health?.needsToken) {
    const cure = `load the client with ?token=…, as the server printed it: <script src="${url.origin}/_bridge/client.js?token=…">`;
    return `The server at ${url.origin} ${token ? "does not take this token" : "asks for a token"}: ${cure}`;
  }
  if (health?.originAllowed === false) {
    // The page's origin is not always its address's: it is "null" for a file and in a sandbox.
    return `The server at ${url.origin} does not let this page in. Start it with: --allow-origin ${window.origin}`;
  }
  if (health?.status === "draining") return undefined;
  if (health !== undefined) return `The server at ${url.origin} is there but refuses the connection; its terminal says why.`;
  if (!loopback.test(location.hostname) && loopback.test(url.hostname)) {
    for (const name of ["loopback-network", "local-network-access"]) {
      const state = await permission(window, name);
      if (state === "denied") {
        return `The browser does not let this page reach ${url.host} (local network access is denied). Allow it in the site's settings, behind the icon before the address.`;
      }
      if (state === "prompt") {
        return `The browser has not let this page reach ${url.host} yet (local network access). Allow it when it asks, or in the site's settings; pages on localhost are not asked.`;
      }
    }
  }
  return undefined;
}

async function readHealth(url, token) {
  try {
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    const response = await fetch(new URL("/_bridge/health", url), { headers });
    return response.status === 401 ? { needsToken: true } : await response.json();
  } catch {
    return undefined;
  }
}

async function permission(window, name) {
  try {
    return (await window.navigator.permissions.query({ name })).state;
  } catch {
    return undefined; // the browser knows no such permission
  }
}

// evaluation.mjs

/**
 * Answers `$/page.evaluate` and `$/page.call` with evaluate.mjs, which is loaded only for pages that allow evaluation.
 * @param {Window} window
 * @param {() => Promise<object>} load Imports evaluate.mjs.
 * @returns {Function} A part of the bridge.
 */
function evaluation(window, load) {
  return (core) => {
    const module = load().catch((error) => ({ error }));
    const answer = (eventName, body) => async (params) => {
      const { error, ...functions } = await module;
      if (error) throw noEvaluation(eventName, `evaluate.mjs could not be loaded: ${error.message}`);
      return body(functions, params);
    };
    core.protocol.set("$/page.evaluate", answer("$/page.evaluate", ({ evaluate }, params) => evaluate(window, params)));
    core.protocol.set("$/page.call", answer("$/page.call", ({ call }, params) => call(window, params)));
  };
}

/**
 * The failure of an evaluation in a page where there is none.
 * @param {string} eventName
 * @param {string} reason
 * @returns {BridgeError}
 */
function noEvaluation(eventName, reason) {
  return new BridgeError(codes.methodNotFound, "Method not found", { data: { eventName, reason } });
}

// log.mjs

/**
 * Every message on the console, as it passes: asked for with `data-log`.
 * @returns {Function} A part of the bridge.
 */
function log() {
  return (core) => core.tap((direction, text) => console.log(...describeMessage(direction, parse(text)), text));
}

/** What is no message is shown too; the bridge says what is wrong with it. */
function parse(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

const styles = {
  up: ["⬆", "color: #15803d"],
  down: ["⬇", "color: #dc2626"],
  failure: ["×", "color: #dc2626; font-weight: bold"],
};

/** An arrow that tells the direction by its shape, in colour, and what the message is. */
function describeMessage(direction, message) {
  const { eventName, method, requestId, id, error } = message;
  const [arrow, style] = error ? styles.failure : styles[direction];
  const label =
    Array.isArray(message) ? `batch of ${message.length}`
    : eventName ?? method ?? (error ? `failed: ${error.message}` : "progress" in message ? "progress" : "answer");
  const key = requestId ?? id;
  return [`%c${arrow}%c ${direction === "up" ? "page → native" : "native → page"}  ${label}${key === undefined ? "" : ` #${key}`}`, style, ""];
}

// codec.mjs

/**
 * The tagged codec: what WebKit can serialise, as JSON (PROTOCOL.md, section 6). What JSON cannot say is an object with one
 * member whose name begins with `$`; a real object of that shape is wrapped in `$object`.
 */

/**
 * Encodes as WebKit serialises the body of a message.
 * @param {unknown} value
 * @returns {{json: unknown, isJSON: boolean}} The value for JSON.stringify; and whether it is JSON without any tag.
 * @throws {DOMException} DataCloneError where WebKit cannot serialise.
 */
function encode(value) {
  const encoder = new Encoder(true);
  const json = encoder.encode(value);
  if (encoder.tags > 0 || encoder.wraps === 0) return { json, isJSON: encoder.tags === 0 };
  return { json: new Encoder(false).encode(value), isJSON: true };
}

/**
 * Like {@link encode}, for where the tagged form is wanted whatever the value.
 * @param {unknown} value
 * @returns {unknown}
 */
function encodeTagged(value) {
  return new Encoder(true).encode(value);
}

/**
 * The value that {@link encode} was given.
 * @param {unknown} json
 * @returns {unknown}
 */
function decode(json) {
  return decodeValue(json, []);
}

const PlainObject = {}.constructor;
// What a page may have put its own in place of by the time of a message.
const uncurried = (method) => Function.prototype.call.bind(method);
const tagText = uncurried(Object.prototype.toString);
const textOf = uncurried(Function.prototype.toString);
const sliceOf = uncurried(String.prototype.slice);
const matchOf = uncurried(RegExp.prototype.exec);
const timeOf = uncurried(Date.prototype.getTime);
const indexOf = uncurried(Map.prototype.get);
const remember = uncurried(Map.prototype.set);

function notCloneable() {
  return new DOMException("The object can not be cloned.", "DataCloneError");
}

/** What WebKit turns into an empty dictionary, whatever it holds, and what into null. */
const empty = oneOf("Map", "Set", "RegExp", "Error", "ArrayBuffer", "SharedArrayBuffer", "DataView", "Number", "Boolean");
const nothing = oneOf("Blob", "File", "FileList", "ImageData");
/** What WebKit passes on as undefined. */
const unknown = /^DOM(Point|Rect|Matrix|Quad)(ReadOnly)?$/;
const kind = (value) => sliceOf(tagText(value), 8, -1);

function oneOf(...list) {
  const found = { __proto__: null };
  for (const name of list) found[name] = true;
  return found;
}

class Encoder {
  tags = 0;
  wraps = 0;
  #seen = new Map();
  #count = 0;
  #wrapping;

  constructor(wrapping) {
    this.#wrapping = wrapping;
  }

  encode(value) {
    try {
      return this.#encode(value);
    } catch (error) {
      throw error instanceof RangeError ? notCloneable() : error; // too deep for the stack
    }
  }

  #encode(value) {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        if (Number.isFinite(value) && !Object.is(value, -0)) return value;
        return this.#tag("$number", Object.is(value, -0) ? "-0" : `${value}`);
      case "undefined":
      case "bigint":
        return this.#tag("$undefined", true);
      case "object":
        return value === null ? null : this.#object(value);
      default:
        throw notCloneable();
    }
  }

  #tag(name, value) {
    this.tags++;
    return { [name]: value };
  }

  #object(value) {
    if (value instanceof Date || kind(value) === "Date") {
      const time = timeOf(value);
      return this.#tag("$date", Number.isNaN(time) ? null : time);
    }
    const index = indexOf(this.#seen, value);
    if (index !== undefined) return this.#tag("$ref", index);
    if (Array.isArray(value)) {
      remember(this.#seen, value, this.#count++);
      return this.#elements(value);
    }
    const name = kind(value);
    if (name in nothing) return null;
    if (matchOf(unknown, name) !== null) return this.#tag("$undefined", true);
    if (!(name in empty) && !ArrayBuffer.isView(value) && !isRecord(value, name)) throw notCloneable();
    remember(this.#seen, value, this.#count++);
    return name in empty ? {} : this.#members(value);
  }

  #elements(array) {
    const result = [];
    const { length } = array;
    for (let index = 0; index < length; index++) result[index] = this.#encode(array[index]);
    return result;
  }

  #members(value) {
    const result = {};
    const keys = Object.keys(value);
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index];
      let member;
      try {
        member = value[key];
      } catch {
        continue; // WebKit skips a getter that throws
      }
      const encoded = this.#encode(member);
      if (key in result) Object.defineProperty(result, key, { value: encoded, enumerable: true });
      else result[key] = encoded;
    }
    if (keys.length !== 1 || keys[0][0] !== "$") return result;
    this.wraps++;
    return this.#wrapping ? { $object: result } : result;
  }
}

/** A plain object, an instance of the page's classes, or a boxed string: not one of the platform's objects. */
function isRecord(value, name) {
  if (name === "String" || name === "Arguments") return true;
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) return false;
  // The platform's interfaces and namespaces carry their name as a tag that is not the page's own doing.
  return name === "Object" || !isPlatformTag(value);
}

function isPlatformTag(value) {
  for (let object = value; object !== null; object = Object.getPrototypeOf(object)) {
    const tag = Object.getOwnPropertyDescriptor(object, Symbol.toStringTag);
    if (tag === undefined) continue;
    const { constructor } = object;
    if (typeof constructor !== "function" || constructor === PlainObject) return !tag.enumerable;
    return matchOf(/\{\s*\[native code\]\s*\}\s*$/, textOf(constructor)) !== null;
  }
  return false;
}

function decodeValue(json, seen) {
  if (json === null || typeof json !== "object") return json;
  if (Array.isArray(json)) {
    const array = [];
    seen[seen.length] = array;
    for (let index = 0; index < json.length; index++) array[index] = decodeValue(json[index], seen);
    return array;
  }
  const keys = Object.keys(json);
  if (keys.length === 1) {
    const content = json[keys[0]];
    switch (keys[0]) {
      case "$undefined":
        return undefined;
      case "$number":
        return +content;
      case "$date":
        return new Date(content ?? NaN);
      case "$ref":
        return seen[content];
      case "$object":
        if (typeof content === "object" && content !== null) return decodeMembers(content, seen);
    }
  }
  return decodeMembers(json, seen);
}

function decodeMembers(json, seen) {
  const object = {};
  seen[seen.length] = object;
  const keys = Object.keys(json);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    const value = decodeValue(json[key], seen);
    // Neither the prototype nor a setter that the page has put there.
    if (key in object) Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
    else object[key] = value;
  }
  return object;
}

// handlers.mjs

/**
 * `window.webkit.messageHandlers`, in the shape that WebKit gives it: the objects alone, and not what becomes of a message.
 * @module
 */

const rejected = Promise.reject.bind(Promise);

class UserMessageHandler {
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
function makeNamespaces(window) {
  const names = Object.create(dress({}, "UserMessageHandlersNamespace"));
  const messageHandlers = Object.create(names);
  const prototype = Object.defineProperty({}, "messageHandlers", { get: () => messageHandlers, enumerable: true });
  const webkit = Object.create(dress(prototype, "WebKitNamespace"));
  // A page can replace it, in WebKit too.
  Object.defineProperty(window, "webkit", { value: webkit, writable: true, enumerable: true, configurable: false });
  return names;
}

// surface.mjs

/**
 * `window.webkit.messageHandlers`, in the shape that WebKit gives it.
 * @param {Window} window
 * @param {Map<string, "reply" | "plain" | undefined>} handlers The names that the page gives, with their modes if it does.
 * @returns {Function} A part of the bridge.
 */
function surface(window, handlers) {
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
function isEmulated(object) {
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

// native.mjs

/** How long an answer of `undefined` may turn out to be that of a plain handler. */
const doubtFor = 3000;

/**
 * The bridge of the app that shows the page, if there is one: WKWebView's message handler named "bridge", or Android's
 * object of that name.
 * @param {Window} window
 * @param {"reply" | "plain" | undefined} mode The mode of WKWebView's handler, if the page knows it.
 * @returns {Function | undefined} What makes the connection, or nothing in an ordinary browser.
 */
function nativeConnection(window, mode) {
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

// overlay.mjs

/** How long after a session has begun what an earlier one drew stays, in milliseconds, if the native side does not ask. */
const afterglow = 2000;

/**
 * Answers `$/page.overlays` with overlays.mjs, which is loaded when the native side first asks, and tells of the overlays
 * by notifications of that name.
 * @param {Window} window
 * @param {() => Promise<object>} load Imports overlays.mjs.
 * @returns {Function} A part of the bridge.
 */
function overlays(window, load) {
  return (core) => {
    let drawn;
    let isOld = false;
    let timer;
    const clear = () => {
      drawn?.remove();
      drawn = undefined;
      isOld = false;
    };
    // A native side that has just begun numbers its views anew; until it asks, the page keeps the room for them.
    core.greeted.add(() => {
      isOld = drawn !== undefined;
      clearTimeout(timer);
      if (isOld) timer = setTimeout(clear, afterglow);
    });
    let module;
    core.protocol.set("$/page.overlays", async ({ wanted }, { signal }) => {
      const { overlays: list, ...rest } = Object(decode(wanted));
      if (!Array.isArray(list)) throw invalidParams("$.wanted.overlays", "an array");
      module ??= load();
      const { Overlays } = await module.catch((error) => {
        module = undefined;
        const reason = `overlays.mjs could not be loaded: ${error.message}`;
        throw new BridgeError(codes.methodNotFound, "Method not found", { data: { eventName: "$/page.overlays", reason } });
      });
      if (signal.aborted) return null; // a later session may have asked for something else by now
      if (isOld) clear();
      clearTimeout(timer);
      drawn ??= new Overlays(window, (message) => core.tell("$/page.overlays", message));
      try {
        const measurement = drawn.apply({ ...rest, overlays: list });
        if (list.length === 0 && !rest.explain && !rest.safeArea) clear(); // a page that nothing is wanted of is not watched
        return measurement;
      } catch (error) {
        throw new BridgeError(codes.invalidParams, "Invalid params", { data: { path: "$.wanted", help: error.message } });
      }
    });
  };
}

// functions.mjs

/**
 * Calls a function that the page defines, by its path on `window`, such as "app.ui.updateTitle". Nothing is evaluated:
 * what the browser itself defines (`eval`, `setTimeout`, …) cannot be called.
 * @param {Window} window
 * @param {{name: string, arguments?: unknown[]}} params
 * @returns {Promise<unknown>} What it returns or resolves to.
 */
async function callFunction(window, { name, arguments: values = [] }) {
  if (typeof name !== "string" || name === "") throw invalidParams("$.name", "the path of a function on window");
  if (!Array.isArray(values)) throw invalidParams("$.arguments", "an array");
  let { owner, method, reason } = find(window, name);
  if (reason !== undefined && window.document.readyState !== "complete") {
    await new Promise((resolve) => window.addEventListener("load", () => setTimeout(resolve), { once: true }));
    ({ owner, method, reason } = find(window, name));
  }
  if (reason !== undefined) {
    throw new BridgeError(codes.methodNotFound, "Method not found", { data: { eventName: "$/page.callFunction", name, reason } });
  }
  let result;
  try {
    result = await Reflect.apply(method, owner, values);
  } catch (error) {
    throw scriptException(error);
  }
  checkResult(result);
  return result;
}

/** The function at a path and the object it is called on, as `a.b.c()` would; or why there is none. */
function find(window, path) {
  const names = path.split(".");
  let owner, value = window;
  for (const [index, name] of names.entries()) {
    owner = value;
    try {
      if (!isReachable(owner, name)) return { reason: `the page has no ${names.slice(0, index + 1).join(".")}` };
      value = owner[name];
    } catch (error) {
      throw scriptException(error); // a getter of the page, or a Proxy
    }
  }
  if (typeof value !== "function") return { reason: `${path} is no function` };
  if (!isDefinedByPage(value)) return { reason: `${path} is the browser's own: only functions that the page defines are called` };
  return { owner: names.length === 1 ? window : owner, method: value };
}

/** A member of the object or of its class, but nothing that every object has, such as `constructor`. */
function isReachable(object, name) {
  if (object === null || (typeof object !== "object" && typeof object !== "function")) return false;
  if (Object.hasOwn(object, name)) return true;
  for (let holder = Object.getPrototypeOf(object); holder !== null; holder = Object.getPrototypeOf(holder)) {
    if (Object.hasOwn(holder, name)) return name !== "constructor" && name !== "__proto__";
  }
  return false;
}

/**
 * The browser's own functions are printed without a program, but with their name. A Proxy of a function has no program
 * either; it is printed without a name, or in WebKit as ProxyObject. So is what `bind` makes, which WebKit prints with one.
 */
function isDefinedByPage(method) {
  const isNative = /^function (?!ProxyObject\()[^\s(].*\{\s*\[native code\]\s*\}\s*$/.test(Function.prototype.toString.call(method));
  return !isNative || method.name?.startsWith?.("bound ");
}

/** A result by WebKit's rules: what cannot be cloned is no result, nor is what JSON cannot hold. */
function checkResult(result) {
  try {
    encode(result);
    JSON.stringify(result);
  } catch (error) {
    throw unsupported(error.message);
  }
}

/**
 * The failure for what script returned and cannot be sent; the message is WebKit's.
 * @param {string} help
 * @returns {BridgeError}
 */
function unsupported(help) {
  return new BridgeError(codes.unsupportedResult, "JavaScript execution returned a result of an unsupported type", { data: { help } });
}

/**
 * The failure for what script threw.
 * @param {unknown} error
 * @param {boolean} [hasPosition] Whether a line and column are told.
 * @returns {BridgeError}
 */
function scriptException(error, hasPosition = true) {
  const message = describe(error);
  const isError = error instanceof Error || (typeof error === "object" && error !== null && "stack" in error);
  const data = {
    name: isError ? String(error.name) : undefined,
    message: isError ? String(error.message) : message,
    stack: isError && error.stack !== undefined ? String(error.stack) : undefined,
    ...(isError && hasPosition ? position(error) : undefined),
  };
  return new BridgeError(codes.scriptException, message, { data });
}

/** WebKit and Firefox say where; elsewhere it stands in the first frame of the stack. */
function position({ line, column, lineNumber, columnNumber, stack }) {
  if (typeof (line ?? lineNumber) === "number") return { line: line ?? lineNumber, column: column ?? columnNumber };
  const frame = String(stack ?? "").split("\n").find((text) => /:\d+:\d+\)?$/.test(text));
  const [, first, second] = frame?.match(/:(\d+):(\d+)\)?$/) ?? [];
  return first === undefined ? {} : { line: Number(first), column: Number(second) };
}

// page.mjs

/**
 * What the page tells of itself, `$/page.url` and `$/page.state`, one for every change; and what the native side may ask
 * of it (PROTOCOL.md, section 7).
 * @param {Window} window
 * @returns {Function} A part of the bridge.
 */
function page(window) {
  return (core) => {
    const reporter = new Reporter(window, core.tell);
    core.greeted.add(() => reporter.begin());
    for (const [name, answer] of pageRequests(window)) core.protocol.set(name, answer);
  };
}

function pageRequests(window) {
  const { location, history } = window;
  const afterAnswer = (action) => {
    setTimeout(action); // the answer goes out before the navigation begins
    return null;
  };
  return [
    ["$/page.callFunction", (params, call) => callFunction(window, params, call)],
    ["$/page.load", ({ url }) => {
      const target = httpURL(url, location.href);
      return afterAnswer(() => location.assign(target));
    }],
    ["$/page.reload", () => afterAnswer(() => location.reload())],
    ["$/page.stop", () => afterAnswer(() => window.stop())],
    ["$/page.go", ({ delta }) => {
      if (!Number.isInteger(delta)) throw invalidParams("$.delta", "a whole number");
      return afterAnswer(() => history.go(delta));
    }],
    ...["$/page.evaluate", "$/page.call"].map((name) => [name, () => {
      const reason = "the page does not allow evaluation: <script src=\"…/client.js\" data-allow-evaluate>";
      throw new BridgeError(codes.methodNotFound, "Method not found", { data: { eventName: name, reason } });
    }]),
  ];
}

function httpURL(text, base) {
  let url;
  try {
    url = typeof text === "string" ? new URL(text, base) : undefined;
  } catch {
    // falls through to the failure
  }
  if (url?.protocol !== "http:" && url?.protocol !== "https:") throw invalidParams("$.url", "an http or https URL");
  return url.href;
}

/** Watches the page's address, title and progress, and tells each change in its place. */
class Reporter {
  #window;
  #tell;
  #sequence = 0;
  #url;
  #title;
  #stage;
  #index;
  #titles;
  #last = "";

  constructor(window, tell) {
    this.#window = window;
    this.#tell = tell;
    const { document, location } = window;
    this.#url = location.href;
    this.#title = document.title;
    this.#stage = document.readyState;
    this.#index = entryIndex(window);
    this.#watchTitle();
    this.#watchHistory();
    this.#tellURL("load");
    document.addEventListener("readystatechange", () => {
      // "complete" comes just before the "load" event, in which the page counts as still loading.
      if (document.readyState === "interactive") this.#enter("interactive");
    });
    window.addEventListener("load", () => this.#enter("complete"));
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted) this.#moved("traverse", entryIndex(window));
    });
  }

  /** A session has begun: it knows the state from now on. */
  begin() {
    this.#last = "";
    this.#tellState();
  }

  #enter(stage) {
    this.#readTitles();
    this.#stage = stage;
    this.#tellState();
  }

  #watchHistory() {
    const { navigation } = this.#window;
    if (navigation?.currentEntry) {
      let isHash = false;
      navigation.addEventListener("navigate", ({ hashChange }) => (isHash = hashChange));
      navigation.addEventListener("currententrychange", ({ navigationType }) => {
        if (navigationType !== null) this.#moved(navigationType, entryIndex(this.#window), undefined, isHash);
      });
    } else {
      this.#watchOldHistory();
    }
  }

  /** Without the Navigation API: the two methods, wrapped, and the events that follow the rest. */
  #watchOldHistory() {
    const { history } = this.#window;
    const moved = (cause, url, isHash) => this.#window.location.href !== this.#url && this.#moved(cause, null, url, isHash);
    for (const [name, cause] of [["pushState", "push"], ["replaceState", "replace"]]) {
      const original = history[name];
      history[name] = function (...parameters) {
        moved("push", undefined, true); // a fragment set before in this turn, whose event is still to come
        const result = original.apply(this, parameters);
        moved(cause);
        return result;
      };
    }
    this.#window.addEventListener("popstate", () => moved("traverse"));
    // Of several fragments set in one turn each has its event, with the address that it led to.
    this.#window.addEventListener("hashchange", ({ oldURL, newURL }) => moved("push", oldURL === this.#url ? newURL : undefined, true));
  }

  #moved(cause, index, url = this.#window.location.href, isHash = false) {
    this.#readTitles();
    if (url === this.#url && index === this.#index) return;
    this.#url = url;
    this.#index = index;
    this.#tellURL(cause, isHash);
    this.#tellState();
  }

  #watchTitle() {
    const { document, MutationObserver } = this.#window;
    const root = document.head ?? document.documentElement;
    if (!root || !MutationObserver) return;
    this.#titles = new MutationObserver((records) => this.#readTitles(records));
    this.#titles.observe(root, { childList: true, characterData: true, subtree: true });
  }

  /** Several changes of the title in one turn come as one list; each is told. */
  #readTitles(records = this.#titles?.takeRecords() ?? []) {
    for (const { target, addedNodes } of records) {
      if (target.nodeName !== "TITLE" || addedNodes.length === 0) continue;
      this.#setTitle(Array.from(addedNodes, (node) => node.textContent).join(""));
    }
    this.#setTitle(this.#window.document.title);
  }

  #setTitle(text) {
    const title = text.replace(/[\t\n\f\r ]+/g, " ").trim();
    if (title === this.#title) return;
    this.#title = title;
    this.#tellState();
  }

  #tellURL(cause, isHash = false) {
    const change = { url: this.#url, cause, index: this.#index, sequence: this.#sequence++ };
    this.#tell("$/page.url", isHash ? { ...change, isHash } : change);
  }

  #tellState() {
    const { navigation, history } = this.#window;
    const state = {
      url: this.#url,
      title: this.#title,
      isLoading: this.#stage !== "complete",
      estimatedProgress: { loading: 0.1, interactive: 0.5, complete: 1 }[this.#stage],
      canGoBack: navigation?.canGoBack ?? history.length > 1,
      canGoForward: navigation?.canGoForward ?? false,
    };
    const text = JSON.stringify(state);
    if (text === this.#last) return;
    this.#last = text;
    this.#tell("$/page.state", state);
  }
}

/** The place of the document in the history, where the browser tells it. */
function entryIndex({ navigation }) {
  return navigation?.currentEntry?.index ?? null;
}

// install.mjs

/**
 * Makes the page's bridge as the attributes of its script tag say, or finds the one that is there: `window.bridgehead`.
 * @param {Window} window
 * @param {string} source Where the client was loaded from.
 * @param {Record<string, string | undefined>} attributes The `data-…` attributes: `url`, `handlers`, `platform`,
 *   `allowEvaluate`, `log`.
 * @param {(file: "evaluate.mjs" | "overlays.mjs") => Promise<object>} load Imports a module that few pages need.
 * @returns {Bridge}
 */
function install(window, source, attributes, load) {
  if (window.bridgehead?.request) return window.bridgehead;
  const bridge = new Bridge({ window, ...settings(window, source, attributes, load) });
  Object.defineProperty(window, "bridgehead", { value: bridge, configurable: true, writable: true });
  return bridge;
}

function settings(window, source, attributes, load) {
  if (new URLSearchParams(window.location.search).get("bridgehead") === "off") {
    return { off: "the page was opened with ?bridgehead=off" };
  }
  const handlers = parseHandlers(attributes.handlers);
  const parts = attributes.log === undefined ? [] : [log()];
  // On a phone the native side is the phone's, whatever the view that shows the phone has.
  const connect = phoneOf(window) ? undefined : nativeConnection(window, handlers.get("bridge"));
  if (connect !== undefined) return { connect, parts };
  checkAttributes(attributes);
  const url = serverURL(attributes.url || source); // a data-url, else where the client came from
  if (url === undefined) {
    const help = `there is no server at ${JSON.stringify(attributes.url || source)}: say where it is with data-url="http://localhost:7357"`;
    console.error(`[bridgehead] The bridge is off: ${help}`);
    return { off: help };
  }
  const token = url.searchParams.get("token") ?? new URL(source).searchParams.get("token") ?? undefined;
  const { platform } = phoneOf(window) ?? attributes;
  parts.push(platform === "android" ? android(window) : surface(window, handlers));
  parts.push(page(window), overlays(window, () => load("overlays.mjs")));
  if (phoneOf(window)) parts.push(phone(window));
  if (attributes.allowEvaluate !== undefined) parts.push(evaluation(window, () => load("evaluate.mjs")));
  parts.push(diagnostics(window, url, token));
  return { url, token, parts };
}

/** Names what is written almost as an attribute of the client is; other attributes are somebody else's. */
function checkAttributes(attributes) {
  const { platform } = attributes;
  if (platform !== undefined && platform !== "android") {
    console.error(`[bridgehead] data-platform="${platform}" is no platform: "android" is one; without it the page has window.webkit.`);
  }
  const known = ["url", "handlers", "platform", "allowEvaluate", "log"];
  for (const name of Object.keys(attributes)) {
    const [meant] = known.includes(name) ? [] : nearest(name, known);
    if (meant) console.warn(`[bridgehead] ${asAttribute(name)} is no attribute of the client: did you mean ${asAttribute(meant.name)}?`);
  }
}

/** As `dataset` names them: `allowEvaluate` is `data-allow-evaluate`. */
const asAttribute = (name) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * @param {string | undefined} text Such as "bridge:plain,analytics".
 * @returns {Map<string, "plain" | "reply" | undefined>}
 */
function parseHandlers(text = "") {
  const handlers = new Map();
  for (const item of text.split(/[\s,]+/)) {
    const colon = item.lastIndexOf(":");
    const [name, mode] = colon < 0 ? [item] : [item.slice(0, colon), item.slice(colon + 1)];
    if (name === "") continue;
    const isMode = mode === "plain" || mode === "reply";
    if (mode !== undefined && !isMode) {
      console.warn(`[bridgehead] data-handlers: "${mode}" is no mode; "${name}:reply" and "${name}:plain" are.`);
    }
    handlers.set(name, isMode ? mode : undefined);
  }
  return handlers;
}

// classic.mjs

// What client.js does when it runs: bundle.mjs puts the modules before it.
if (typeof window !== "undefined") {
  const script = document.currentScript;
  const source = script?.src || location.href;
  install(window, source, { ...script?.dataset }, (file) => {
    const module = new URL(file, source);
    module.search = new URL(source).search; // a token is asked for here too
    return import(module.href);
  });
}
})();
