// Node's `ws` (Debian's node-ws), as it comes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { once } from "node:events";
import { createRequire } from "node:module";
import { serve } from "../Browser/server.mjs";

const WebSocket = createRequire(import.meta.url)("ws");
let server;
before(async () => { server = await serve(); });
after(async () => { assert.equal(await server.stop(), 0); });

async function open(...args) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/_bridge/ws`, ...args);
  await once(socket, "open");
  return socket;
}

test("an event, with compression and a subprotocol offered", async () => {
  const socket = await open(["bridgehead.1"], { perMessageDeflate: true });
  assert.equal(socket.protocol, "bridgehead.1");
  assert.equal(socket.extensions, "");
  socket.send('{"requestId":"1","eventName":"conformance.echo","n":18446744073709551615}');
  const [data] = await once(socket, "message");
  assert.equal(String(data), '{"requestId":"1","response":{"n":18446744073709551615}}');
  socket.close(1000);
  const [code] = await once(socket, "close");
  assert.equal(code, 1000);
});

test("ten thousand notifications, counted in order", async () => {
  const socket = await open();
  for (let n = 0; n < 10_000; n++) socket.send('{"eventName":"conformance.counter"}');
  socket.send('{"requestId":1,"eventName":"conformance.counter"}');
  const [data] = await once(socket, "message");
  assert.deepEqual(JSON.parse(data), { requestId: 1, response: { count: 10_001 } });
  socket.terminate();
});
