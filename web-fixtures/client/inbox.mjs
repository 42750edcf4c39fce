import { BridgeError, codes, report } from "./errors.mjs";
import { errorText, isId, progressText, resultText } from "./messages.mjs";
import { nearest } from "./nearest.mjs";

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
  protocol = new Map([["$/cancelRequest", ({ id }) => this.#running.get(id)?.cancel()]]);

  /** @param {(action: () => void) => void} whenLoaded Runs an action once the page has loaded. */
  constructor(whenLoaded) {
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
   * @param {(text: string) => void} send
   */
  accept(message, send) {
    if (Array.isArray(message) && message.length > 0) this.#acceptBatch(message, send);
    else this.#accept(message, send, send);
  }

  /** The session is over: what is being handled is told so and answers nobody. */
  end() {
    for (const call of this.#running.values()) call.abandon();
    this.#running.clear();
    this.#unclaimed.clear();
  }

  #acceptBatch(batch, send) {
    const answers = [];
    let due = 1;
    const settle = () => {
      if (--due === 0 && answers.length > 0) send(`[${answers.join(",")}]`);
    };
    for (const message of batch) {
      due++;
      const isDue = this.#accept(Object.hasOwn(Object(message), "jsonrpc") ? message : undefined, send, (text) => {
        answers.push(text);
        settle();
      });
      if (!isDue) settle();
    }
    settle();
  }

  /** Whether `answer` is called, now or later. */
  #accept(message, send, answer) {
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
    const call = new Call(rpc, id, send, (text) => {
      if (this.#running.get(id) === call) this.#running.delete(id);
      if (isRequest) answer(text);
    });
    if (isRequest && id !== null) this.#running.set(id, call);
    this.#deliver(name, payload, call);
    return isRequest;
  }

  #deliver(name, payload, call) {
    if (name.startsWith("$/")) {
      const handler = this.protocol.get(name);
      if (handler) run(handler, payload, call);
      else call.fail(notFound(name, []));
      return;
    }
    const handler = this.#handlers.get(name);
    if (handler) run((value, context) => userFailure(() => handler(value, context)), payload, call);
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
  #send;
  #answer;

  constructor(rpc, id, send, answer) {
    this.#rpc = rpc;
    this.#id = id;
    this.#send = send;
    this.#answer = answer;
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

  /** Reports progress to the native side; nothing after the answer. */
  progress(value) {
    if (this.isOpen && this.#id !== undefined && this.#id !== null) this.#send(progressText(this.#rpc, this.#id, value));
  }

  respond(result) {
    if (!this.isOpen) return;
    try {
      this.#settle(resultText(this.#rpc, this.#id, result));
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    if (this.isOpen) this.#settle(errorText(this.#rpc, this.#id, error));
  }

  cancel() {
    this.fail(new BridgeError(codes.cancelled, "Cancelled"));
    this.#controller?.abort(new BridgeError(codes.cancelled, "Cancelled"));
    return null;
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

/** Runs in place: a synchronous handler has returned, and been answered, before the next message is looked at. */
function run(handler, payload, call) {
  let result;
  try {
    result = handler(payload, call);
  } catch (error) {
    call.fail(error);
    return;
  }
  if (typeof result?.then === "function") {
    Promise.resolve(result).then((value) => call.respond(value), (error) => call.fail(error));
  } else {
    call.respond(result);
  }
}

/** Turns what an application's handler throws into what may travel. */
function userFailure(body) {
  let result;
  try {
    result = body();
  } catch (error) {
    throw asFailure(error);
  }
  if (typeof result?.then !== "function") return result;
  return Promise.resolve(result).catch((error) => {
    throw asFailure(error);
  });
}

function asFailure(error) {
  if (!(error instanceof BridgeError)) {
    report(error);
    return new BridgeError(codes.handlerFailed, String(error instanceof Error ? error.message : error));
  }
  const { code, message, data } = error;
  const isOwn = Number.isInteger(code) && code === (code | 0) && code !== codes.cancelled && !(code >= -32768 && code <= -32000);
  return isOwn ? error : new BridgeError(codes.handlerFailed, message, { data: { ...Object(data), code } });
}

function invalid(data) {
  return new BridgeError(codes.invalidRequest, "Invalid Request", { data });
}

function notFound(eventName, names) {
  return new BridgeError(codes.methodNotFound, "Method not found", {
    data: {
      eventName,
      nearest: nearest(eventName, names),
      help: `the page has no handler of "${eventName}": bridge.handle(${JSON.stringify(eventName)}, (payload) => { … })`,
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
