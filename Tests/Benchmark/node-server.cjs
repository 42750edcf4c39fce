// What the benchmark compares with: Node and `ws`, doing the same work for each message (parse, route, check, answer).
const { WebSocketServer, Server } = require("ws");

const handlers = new Map([
  ["conformance.echo", ({ eventName, requestId, ...payload }) => payload],
  ["conformance.typed", ({ id, price, tags, note }) => {
    if (!Number.isInteger(id)) throw new TypeError("$.id");
    if (typeof price !== "number") throw new TypeError("$.price");
    if (!Array.isArray(tags) || !tags.every(tag => typeof tag === "string")) throw new TypeError("$.tags");
    if (note !== undefined && note !== null && typeof note !== "string") throw new TypeError("$.note");
    return { id, price, tags, note };
  }],
]);

const server = new (WebSocketServer ?? Server)({ port: 0, host: "127.0.0.1", perMessageDeflate: false }, () => {
  console.log(`Listening on port ${server.address().port}`);
});
server.on("connection", socket => {
  socket.on("message", data => {
    const message = JSON.parse(data);
    const handler = handlers.get(message.eventName);
    const { requestId } = message;
    try {
      socket.send(JSON.stringify({ requestId, response: handler(message) }));
    } catch (error) {
      socket.send(JSON.stringify({ requestId, error: { code: -32602, message: error.message } }));
    }
  });
});
