import { BridgeError, codes, describe, invalidParams, report } from "./errors.mjs";
import { byteCount, errorText, isId, isReply, progressText, resultText } from "./messages.mjs";
import { nearest } from "./nearest.mjs";

/** Bytes of a failure that has nothing but its help. */
const shortFailure = 200;

/** What the native side asks of the page: finds the handler, runs it, answers exactly once. */
export class Inbox {
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
