// The example bridge with one deliberate fault: what a suite that is worth anything has to notice.
//
// A fault stands between the wire and the session. It sees each message, both ways, and passes on what it likes.

import { createServer } from "node:net";
import { conformanceHandlers } from "../../web-fixtures/examples/node-bridge/conformance.mjs";
import { serveLines } from "../../web-fixtures/examples/node-bridge/lines.mjs";
import { Session } from "../../web-fixtures/examples/node-bridge/session.mjs";

const limits = { message: 262_144, nesting: 64, batch: 100, inFlight: 16 };

/**
 * Listens on a free port of loopback, until it is closed.
 * @param {(link: { toNative, toPage, close }) => { up?, down? }} [makeFault] called for each connection
 */
export async function serveBroken(makeFault = () => ({})) {
  const handlers = conformanceHandlers();
  const sockets = new Set();
  const server = createServer({ allowHalfOpen: true }, (socket) => serveLines(socket, limits.message, (send) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    const link = {
      toNative: (text) => session.receive(text),
      toPage: (text) => send(text),
      close: () => socket.destroy(),
    };
    const fault = makeFault(link);
    const session = new Session(handlers, limits, (text) => (fault.down ?? send)(text));
    return {
      receive: (text) => (fault.up ?? link.toNative)(text),
      inputEnded: () => session.inputEnded(),
      end: () => session.end(),
      get isIdle() {
        return session.isIdle;
      },
    };
  }));
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    target: `lines://127.0.0.1:${server.address().port}`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
