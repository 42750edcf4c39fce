// A native side to hold the client against: a real WebSocket server (Debian's node-ws) that a test scripts.
import { createRequire } from "node:module";
import { inspect } from "node:util";
import { EventEmitter, once } from "node:events";
import { Bridge } from "../../web-fixtures/client/bridge.mjs";

const WebSocket = createRequire(import.meta.url)("ws");

export const welcome = {
  protocol: 1, server: { name: "fake", version: "1" }, session: "s", events: ["echo"], messageHandlers: { bridge: "reply" },
  limits: { message: 16777216, inFlight: 1024 },
};

/**
 * Listens on a free port. `answer(message, session)` says what each message but the greeting is answered: a value is the
 * response, an Error (with `code`) the failure, undefined nothing. `hello` is the answer to the greeting, or a function:
 * then the test answers it. Emits "session", and on a session "message".
 */
export async function native(answer = () => undefined, { hello = welcome, port = 0 } = {}) {
  const server = new WebSocket.Server({ port, host: "127.0.0.1" });
  await once(server, "listening");
  const side = new EventEmitter();
  Object.assign(side, { port: server.address().port, sessions: [], received: [] });
  side.url = `http://127.0.0.1:${side.port}`;
  server.on("connection", socket => {
    const session = new Session(socket);
    side.sessions.push(session);
    socket.on("message", data => {
      const message = JSON.parse(data);
      session.received.push(message);
      if (message.eventName === "$/hello") {
        if (typeof hello !== "function") session.respond(message, hello);
      } else if (message.eventName !== "$/page.state" && message.eventName !== "$/page.url") {
        side.received.push(message);
        const isReply = message.eventName === undefined && message.method === undefined;
        const value = isReply ? undefined : answer(message, session);
        if (value !== undefined) session.respond(message, value);
      }
      session.emit("message", message);
    });
    side.emit("session", session);
  });
  side.close = () => {
    for (const { socket } of side.sessions) socket.terminate();
    return new Promise(resolve => server.close(resolve));
  };
  return side;
}

export class Session extends EventEmitter {
  received = [];
  constructor(socket) { super(); this.socket = socket; }
  send(message) { this.socket.send(typeof message === "string" ? message : JSON.stringify(message)); }
  respond({ jsonrpc, id, requestId }, value) {
    if (value instanceof Error) {
      const error = { code: value.code ?? -32000, message: value.message, data: value.data };
      this.send(jsonrpc ? { jsonrpc, id, error } : { requestId, error });
    } else this.send(jsonrpc ? { jsonrpc, id, result: value } : { requestId, response: value });
  }
  /** The next message that `matches`. */
  next(matches = () => true) {
    return new Promise(resolve => {
      const listener = message => {
        if (!matches(message)) return;
        this.off("message", listener);
        resolve(message);
      };
      this.on("message", listener);
    });
  }
}

/** A client of that native side which comes back without delay. */
export const connect = (side, options) => new Bridge({ url: side.url, WebSocket, retryDelay: () => 0, ...options });

/** What a promise comes to, as a value to compare. */
export const outcome = promise => promise.then(value => ({ value }), error => ({ code: error.code, error }));

/** Replaces console methods while `body` runs; resolves with what was printed. */
export async function captured(body) {
  const printed = [];
  const originals = {};
  for (const level of ["error", "warn", "info", "debug", "log"]) {
    originals[level] = console[level];
    console[level] = (...args) => printed.push([level, args.map(value => (typeof value === "string" ? value : inspect(value))).join(" ")]);
  }
  try { await body(printed); } finally { Object.assign(console, originals); }
  return printed;
}
