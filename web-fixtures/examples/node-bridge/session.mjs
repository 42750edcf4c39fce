// One session: the messages of one connection. Knows no transport; texts come in by `receive` and go out by `send`.

import { readTagged, writeTagged } from "./codec.mjs";
import {
  cancelled, connectionClosed, duplicateID, Failure, internalError, invalidParams, invalidRequest, methodNotFound,
  noReply, pageNotConnected, parseError, tooManyRequests, unsupportedVersion,
} from "./failure.mjs";
import { EncodingError, JSONNumber, parse } from "./json.mjs";
import { classify, isID, keyOf, unknownAddress, writeEvent } from "./messages.mjs";
import { nearest } from "./nearest.mjs";

/** An answer that is not sent yet. Everything that can happen to a request ends in `settle`, once (rule L1). */
class Request {
  isSettled = false;
  /** Counted as in flight (rule L12). */
  isCounted = false;
  #abort = new AbortController();

  constructor(address, batch) {
    this.address = address;
    this.batch = batch;
    this.place = batch?.reserve();
  }

  get signal() {
    return this.#abort.signal;
  }

  stop() {
    this.#abort.abort();
  }
}

/** A batch whose array has not gone out (rules D11, D17). */
class Batch {
  answers = [];
  keys = [];
  missing = 1; // the elements that are still to be started
  /** The dialect of a hello in it. */
  greeting;

  reserve() {
    this.missing += 1;
    return this.answers.push(undefined) - 1;
  }
}

export class Session {
  #handlers;
  #limits;
  #send;
  #log;
  /** What the ids in flight belong to. Set before a handler runs, so that no answer comes too early. */
  #inFlight = new Map();
  #counted = 0;
  #unsettled = new Set();
  /** Calls to the page. */
  #calls = new Map();
  #lastCall = 0;
  /** The dialect of the page's last hello; undefined before it (rules H3, H4). */
  #greeting;
  #inputHasEnded = false;

  /**
   * @param {Map<string, (payload: any, call: object) => any>} handlers
   * @param {{ message: number, nesting: number, batch: number, inFlight: number }} limits
   * @param {(text: string) => void} send
   * @param {(text: string) => void} log
   */
  constructor(handlers, limits, send, log = () => {}) {
    this.#handlers = handlers;
    this.#limits = limits;
    this.#send = send;
    this.#log = log;
  }

  get isIdle() {
    return this.#unsettled.size === 0;
  }

  /** Takes one message. Every fault is answered, and the session goes on (rule L5). */
  receive(text) {
    let json;
    try {
      json = parse(text, this.#limits.nesting);
    } catch (error) {
      this.#send(unknownAddress.failure(parseError(error.message)));
      return;
    }
    if (json instanceof Map) this.#take(json);
    else if (Array.isArray(json)) this.#takeBatch(json);
    else this.#send(unknownAddress.failure(invalidRequest("a message is an object, or a batch of them")));
  }

  /** Nothing more comes in: what is pending is still answered, but the page cannot be called (rule H10). */
  inputEnded() {
    this.#inputHasEnded = true;
    for (const call of this.#calls.values()) call.reject(connectionClosed());
    this.#calls.clear();
  }

  /** The other side is gone. */
  end() {
    this.#send = () => {};
    for (const request of this.#unsettled) request.stop();
    this.inputEnded();
  }

  // Messages

  #takeBatch(elements) {
    if (elements.length === 0 || elements.length > this.#limits.batch) {
      this.#send(unknownAddress.failure(invalidRequest(`a batch has 1 to ${this.#limits.batch} elements`)));
      return;
    }
    const batch = new Batch();
    for (const element of elements) {
      if (element instanceof Map) this.#take(element, batch);
      else this.#fail(this.#begin(unknownAddress, batch), invalidRequest("an element of a batch is an object"));
    }
    this.#lessMissing(batch);
  }

  #take(object, batch) {
    const message = classify(object, batch !== undefined);
    if (message.reply) return this.#takeReply(message.reply);
    if (message.failure) return this.#fail(this.#begin(message.address, batch), message.failure);
    if (message.address) this.#takeRequest(message, batch);
    else this.#takeNotification(message);
  }

  /** The checks come in the order of rule L12. */
  #takeRequest({ event, payload, address }, batch) {
    const request = this.#begin(address, batch);
    if (this.#inFlight.has(address.key)) return this.#fail(request, duplicateID());
    if (address.key !== undefined) {
      this.#inFlight.set(address.key, request);
      batch?.keys.push(address.key);
    }
    if (event.startsWith("$/")) return this.#takeProtocolRequest(event, payload, request);
    this.#start(event, this.#handlers.get(event), payload, request);
  }

  #takeNotification({ event, payload }) {
    const id = memberOf(payload, "id");
    switch (event) {
      case "$/cancelRequest": return this.#cancel(id);
      case "$/progress": return this.#takeReply({ key: keyOf(id), progress: memberOf(payload, "value") });
      case "$/postMessage": return this.#post(payload);
    }
    // Without an address nobody is told what becomes of it (rule D2); unknown ones are ignored.
    const handler = this.#handlers.get(event);
    if (handler) this.#run(handler, payload, this.#callFor());
  }

  #takeReply({ key, progress, result, failure }) {
    const call = this.#calls.get(key);
    if (!call) return this.#log("a stale reply was dropped");
    if (progress !== undefined) return;
    this.#calls.delete(key);
    if (failure) call.reject(failure);
    else call.resolve(result);
  }

  // The protocol's own requests

  #takeProtocolRequest(event, payload, request) {
    switch (event) {
      case "$/hello": return this.#greet(payload, request);
      case "$/postMessage": return this.#post(payload, request);
      case "$/cancelRequest": {
        const id = memberOf(payload, "id");
        if (!isID(id) && id !== null) return this.#fail(request, invalidParams("$.id", "the id of a request"));
        this.#cancel(id);
        return this.#succeed(request, null);
      }
    }
    this.#fail(request, methodNotFound({ eventName: event, nearest: [], help: "the protocol has no such request" }));
  }

  #greet(hello, request) {
    const version = memberOf(hello, "protocol");
    if (!(version instanceof JSONNumber && version.integer === 1n)) return this.#fail(request, unsupportedVersion());
    const { dialect } = request.address;
    // In a batch it takes effect when the array has gone out (rule H8).
    if (request.batch) request.batch.greeting = dialect;
    this.#succeed(request, {
      protocol: 1,
      server: { name: "node-bridge", version: "1" },
      session: "example",
      events: [...this.#handlers.keys()].sort(),
      messageHandlers: { bridge: "reply" },
      limits: this.#limits,
    });
    if (!request.batch) this.#greeting = dialect;
  }

  #cancel(id) {
    const request = this.#inFlight.get(keyOf(id));
    if (!request || request.isSettled) return;
    request.stop();
    this.#fail(request, cancelled());
  }

  /** What a page posts that JSON cannot say, in the tagged codec (rules S4, S12, S13). */
  #post(payload, request) {
    const [name, body] = [memberOf(payload, "handler"), memberOf(payload, "body")];
    if (typeof name !== "string") return this.#fail(request, invalidParams("$.handler", "the name of a handler"));
    const event = memberOf(body, "eventName");
    if (name !== "bridge" || typeof event !== "string" || event.startsWith("$/")) {
      const help = "there are no message handlers here but bridge, and it takes events";
      return this.#fail(request, methodNotFound({ handler: name, nearest: [], help }));
    }
    const handler = this.#handlers.get(event);
    let plain;
    try {
      plain = readTagged(body);
    } catch (error) {
      if (handler) return this.#fail(request, error);
    }
    plain?.delete("eventName");
    plain?.delete("requestId");
    this.#start(event, handler, plain, request, writeTagged);
  }

  // Handlers

  /** @param request undefined for a notification */
  #start(event, handler, payload, request, encode = (value) => value) {
    if (!handler) return this.#fail(request, this.#unknown(event));
    if (request) {
      if (this.#counted >= this.#limits.inFlight) return this.#fail(request, tooManyRequests());
      request.isCounted = true;
      this.#counted += 1;
    }
    this.#run(handler, payload, this.#callFor(request), (result) => {
      if (result === undefined) this.#fail(request, noReply());
      else this.#succeed(request, encode(result));
    }, (error) => this.#fail(request, error instanceof Failure ? error : new Failure(-32000, error.message)));
  }

  /** A handler that answers at once has answered when this returns; another has run to its first `await` (rule L4). */
  #run(handler, payload, call, succeed = () => {}, fail = () => {}) {
    let result;
    try {
      result = handler(payload, call);
    } catch (error) {
      return fail(error);
    }
    if (result instanceof Promise) result.then(succeed, fail);
    else succeed(result);
  }

  #unknown(eventName) {
    const help = `no handler is registered for ${JSON.stringify(eventName)}`;
    return methodNotFound({ eventName, nearest: nearest(eventName, this.#handlers.keys()), help });
  }

  /** What a handler can do besides answering. */
  #callFor(request) {
    return {
      session: this,
      /** Aborted when the answer is not wanted any more. */
      signal: request?.signal ?? new AbortController().signal,
      /** Progress: not after the answer, and not without one (rule D7); what cannot be sent is dropped (rule L13). */
      report: (value) => {
        if (!request || request.isSettled) return;
        let text;
        try {
          text = request.address.progress(value);
        } catch (error) {
          return this.#log(`progress was dropped: ${error.message}`);
        }
        if (Buffer.byteLength(text) <= this.#limits.message) this.#send(text);
      },
      /** Calls the page, and gives its answer. */
      request: (event, payload) => this.#request(event, payload, request?.signal),
    };
  }

  // Answers

  #begin(address, batch) {
    const request = new Request(address, batch);
    this.#unsettled.add(request);
    return request;
  }

  #succeed(request, result) {
    if (!request || request.isSettled) return;
    let text;
    try {
      text = request.address.response(result);
    } catch (error) {
      const data = error instanceof EncodingError ? { path: error.path, help: error.message } : undefined;
      return this.#fail(request, internalError(data));
    }
    if (Buffer.byteLength(text) > this.#limits.message) return this.#fail(request, internalError());
    this.#settle(request, text);
  }

  #fail(request, failure) {
    if (!request || request.isSettled) return;
    let text = request.address.failure(failure);
    if (Buffer.byteLength(text) > this.#limits.message) text = request.address.failure(internalError());
    this.#settle(request, text);
  }

  #settle(request, text) {
    request.isSettled = true;
    if (request.isCounted) this.#counted -= 1;
    this.#unsettled.delete(request);
    if (request.batch) {
      request.batch.answers[request.place] = { text, address: request.address };
      this.#lessMissing(request.batch);
      return;
    }
    if (this.#inFlight.get(request.address.key) === request) this.#inFlight.delete(request.address.key);
    this.#send(text);
  }

  /** Sends the array when its last answer is there. */
  #lessMissing(batch) {
    batch.missing -= 1;
    if (batch.missing > 0) return;
    for (const key of batch.keys) this.#inFlight.delete(key);
    let size = 1;
    const texts = batch.answers.map(({ text, address }) => {
      // One that would push the array over the limit (rule D12).
      const isTooLong = size + Buffer.byteLength(text) + 1 > this.#limits.message;
      const fitting = isTooLong ? address.failure(internalError()) : text;
      size += Buffer.byteLength(fitting) + 1;
      return fitting;
    });
    if (texts.length > 0) this.#send(`[${texts.join(",")}]`);
    if (batch.greeting) this.#greeting = batch.greeting;
  }

  // Calls to the page

  #request(event, payload, signal) {
    return new Promise((resolve, reject) => {
      if (this.#inputHasEnded) return reject(connectionClosed());
      if (!this.#greeting) return reject(pageNotConnected());
      if (payload !== undefined && !(payload instanceof Map || Array.isArray(payload))) {
        return reject(invalidParams("$", "an object or an array"));
      }
      this.#lastCall += 1; // rule H9
      const id = new JSONNumber(String(this.#lastCall));
      const [key, dialect] = [keyOf(id), this.#greeting];
      this.#calls.set(key, { resolve, reject });
      signal?.addEventListener("abort", () => {
        if (!this.#calls.delete(key)) return;
        // Nobody waits for the answer any more: the page is told.
        this.#send(writeEvent("$/cancelRequest", new Map([["id", id]]), undefined, dialect));
      });
      this.#send(writeEvent(event, payload, id, dialect));
    });
  }
}

const memberOf = (value, name) => (value instanceof Map ? value.get(name) : undefined);
