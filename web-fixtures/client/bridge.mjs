import { BridgeError, codes, describe, report } from "./errors.mjs";
import { Inbox } from "./inbox.mjs";
import { byteCount, errorText, isId, isReply, requestText } from "./messages.mjs";
import { checkOptions } from "./options.mjs";
import { Outbox } from "./outbox.mjs";
import { Pending } from "./pending.mjs";
import { entries, isMainFrame, phoneOf } from "./phone.mjs";
import { Connection, serverURL } from "./socket.mjs";
import { navigationType, newId, tabId } from "./tab.mjs";

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
export class Bridge extends EventTarget {
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
