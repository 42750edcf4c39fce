// What Bridgehead is measured beside: Node with `ws`, doing the same work. Parse, route by event, check types, answer, write;
// over WebSocket, HTTP and lines. Ends with its standard input, so it never outlives the benchmark.
"use strict";
const { createServer: createHTTP } = require("node:http");
const { createServer: createTCP } = require("node:net");
const { WebSocketServer } = require("ws");

const isObject = value => typeof value === "object" && value !== null && !Array.isArray(value);

const events = new Map([
  ["echo", payload => payload],
  ["addToCart", ({ id, price, note }) => {
    if (!Number.isInteger(id)) throw new TypeError("id: expected an integer");
    if (typeof price !== "number") throw new TypeError("price: expected a number");
    if (note !== undefined && typeof note !== "string") throw new TypeError("note: expected a string");
    return { id, total: price, note };
  }],
]);

/** The answer to one message, as text. */
function answer(text) {
  let requestId = null;
  try {
    const message = JSON.parse(text);
    if (!isObject(message) || typeof message.eventName !== "string") throw new TypeError("not a request");
    if (typeof message.requestId !== "string" && typeof message.requestId !== "number") throw new TypeError("no requestId");
    const { eventName, requestId: id, ...payload } = message;
    requestId = id;
    const handler = events.get(eventName);
    if (handler === undefined) throw new TypeError(`no handler for ${eventName}`);
    return JSON.stringify({ requestId, response: handler(payload) });
  } catch (error) {
    return JSON.stringify({ requestId, error: { code: -32602, message: error.message } });
  }
}

const http = createHTTP((request, response) => {
  const parts = [];
  request.on("data", part => parts.push(part));
  request.on("end", () => {
    const body = answer(Buffer.concat(parts).toString());
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
    response.end(body);
  });
});

new WebSocketServer({ server: http }).on("connection", socket => {
  socket.on("message", data => socket.send(answer(data.toString())));
  socket.on("error", () => {});
});

const lines = createTCP({ noDelay: true }, socket => {
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", text => {
    const whole = (rest + text).split("\n");
    rest = whole.pop();
    if (whole.length > 0) socket.write(whole.map(line => answer(line) + "\n").join(""));
  });
  socket.on("error", () => {});
});

lines.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
  console.log(`Lines on port ${lines.address().port}`);
  http.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => console.log(`Listening on port ${http.address().port}`));
});
process.stdin.on("end", () => process.exit(0)).resume();
