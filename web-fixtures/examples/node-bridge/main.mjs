#!/usr/bin/env node
// A bridge in plain Node, for whoever writes one of their own: no packages, none of Bridgehead's code.
//
//     node main.mjs                 listens on a free port of 127.0.0.1
//     node main.mjs 9000            on that port
//     node main.mjs /tmp/bridge     on a Unix-domain socket
//
//     bridgehead conformance --target lines://127.0.0.1:9000
//
// Where things are: session.mjs is the protocol, messages.mjs its two dialects, failure.mjs its failures, codec.mjs the
// values that JSON cannot say, json.mjs a JSON that loses nothing, nearest.mjs the names that an unknown one resembles,
// conformance.mjs the handlers, lines.mjs the transport.

import { createServer } from "node:net";
import { conformanceHandlers } from "./conformance.mjs";
import { serveLines } from "./lines.mjs";
import { Session } from "./session.mjs";

const limits = { message: 1_048_576, nesting: 512, batch: 1000, inFlight: 256 };
const handlers = conformanceHandlers();

const server = createServer({ allowHalfOpen: true }, (socket) =>
  serveLines(socket, limits.message, (send) => new Session(handlers, limits, send)));

const place = process.argv[2] ?? "0";
if (/^\d+$/.test(place)) {
  server.listen(Number(place), "127.0.0.1", () => console.log(`Lines on port ${server.address().port}`));
} else {
  process.umask(0o177); // its owner's alone
  server.listen(place, () => console.log(`Lines on ${place}`));
}
