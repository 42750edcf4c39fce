// The lines transport: one JSON value a line, over a socket (PROTOCOL.md, rules T5, T6, A5 and A8).

import { invalidRequest, parseError } from "./failure.mjs";
import { unknownAddress } from "./messages.mjs";

/** What a browser says when a page has sent it here: nothing after it is processed. */
const isWebRequest = (text) =>
  /^(?:GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH) /.test(text) || /^host:/i.test(text);

/**
 * Serves one connection.
 * @param {import("node:net").Socket} socket which allows half-open connections
 * @param {number} limit how many bytes a message may have
 * @param {(send: (text: string) => void) => { receive, inputEnded, end, isIdle }} makeSession
 */
export function serveLines(socket, limit, makeSession) {
  let inputHasEnded = false;
  const session = makeSession((text) => {
    // Who does not read what is sent is not read from.
    if (!socket.write(`${text}\n`)) socket.pause();
    if (inputHasEnded && session.isIdle) socket.end();
  });

  const take = (line) => {
    const bytes = line.at(-1) === 0x0d ? line.subarray(0, -1) : line;
    if (isWebRequest(bytes.toString("latin1", 0, 16))) return socket.destroy();
    if (bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)) return;
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      socket.write(`${unknownAddress.failure(parseError("this is not UTF-8"))}\n`);
      return;
    }
    session.receive(text);
  };

  /** What came of a line that has not ended. */
  let pieces = [];
  let size = 0;
  socket.on("data", (chunk) => {
    let rest = chunk;
    while (!socket.destroyed) {
      const end = rest.indexOf(0x0a);
      const piece = end < 0 ? rest : rest.subarray(0, end);
      size += piece.length;
      if (size > limit + 1) { // one more for a CR
        socket.write(`${unknownAddress.failure(invalidRequest(`a message has at most ${limit} bytes`))}\n`);
        return socket.destroySoon();
      }
      pieces.push(piece);
      if (end < 0) return;
      const line = Buffer.concat(pieces);
      [pieces, size] = [[], 0];
      rest = rest.subarray(end + 1);
      take(line);
    }
  });
  socket.on("drain", () => socket.resume());
  socket.on("end", () => {
    if (size > 0) take(Buffer.concat(pieces)); // a last line without LF counts
    inputHasEnded = true;
    session.inputEnded();
    if (session.isIdle) socket.end();
  });
  socket.on("error", () => {}); // `close` follows
  socket.on("close", () => session.end());
}
