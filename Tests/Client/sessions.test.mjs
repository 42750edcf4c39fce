// Sessions: what waits for one, what ends with one, and that nothing crosses from one to the next.
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Bridge } from "../../web-fixtures/client/bridge.mjs";
import { codes } from "../../web-fixtures/client/errors.mjs";
import { connect, native, outcome, welcome } from "./support.mjs";

test("U1: what is sent before the session is open waits, and arrives in order after the greeting", async () => {
  const side = await native(message => (message.requestId === undefined ? undefined : message.n ?? null));
  const bridge = connect(side);
  assert.equal(bridge.status, "connecting");
  const answers = Promise.all(Array.from({ length: 100 }, (_, n) => bridge.request("echo", { n })));
  bridge.notify("last");
  assert.deepEqual(await answers, [...Array(100).keys()]);
  await bridge.request("fence");
  const { received } = side.sessions[0];
  assert.equal(received[0].eventName, "$/hello");
  assert.equal(received[0].protocol, 1);
  assert.deepEqual(side.received.slice(0, 100).map(message => message.n), [...Array(100).keys()]);
  bridge.close();
  await side.close();
});

test("U16: when the connection is lost, what was in flight fails with −32004, and what comes later goes to the next", async () => {
  const side = await native(message => (message.eventName === "echo" ? message.n : undefined));
  const bridge = connect(side);
  await bridge.ready;
  const inFlight = Array.from({ length: 50 }, () => outcome(bridge.request("work")));
  await side.sessions[0].next(() => side.received.length === 50);
  const next = once(side, "session");
  side.sessions[0].socket.terminate();
  for (const { code } of await Promise.all(inFlight)) assert.equal(code, codes.connectionClosed);
  const later = bridge.request("echo", { n: 7 });
  await next;
  assert.equal(await later, 7);
  assert.deepEqual(side.sessions[1].received.map(message => message.eventName).filter(name => !name.startsWith("$/")), ["echo"]);
  bridge.close();
  await side.close();
});

test("two hundred connections cut at any moment: every promise settles, and nothing arrives twice", async () => {
  const seen = new Map();
  let seed = 1;
  const chance = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const side = await native((message, session) => {
    if (message.eventName !== "echo") return undefined;
    seen.set(message.n, (seen.get(message.n) ?? 0) + 1);
    if (chance() < 0.2) session.socket.terminate();
    return chance() < 0.5 ? message.n : undefined;
  });
  const bridge = connect(side);
  const results = [];
  let n = 0;
  while (side.sessions.length < 200) {
    const wave = Array.from({ length: 10 }, () => {
      const own = n++;
      return bridge.request("echo", { n: own }, { timeout: 50 }).then(
        value => assert.equal(value, own),
        error => assert.ok([codes.connectionClosed, codes.timedOut].includes(error.code), error));
    });
    results.push(...wave);
    await Promise.all(wave);
  }
  await Promise.all(results);
  assert.equal(bridge.pendingCount, 0);
  for (const [id, times] of seen) assert.equal(times, 1, `${id} arrived ${times} times`);
  bridge.close();
  await side.close();
});

test("U12: an answer of an earlier session settles nothing in the next", async () => {
  const ids = [];
  const side = await native((message, session) => {
    ids.push(message.requestId);
    if (side.sessions.length === 1) return void session.socket.terminate();
    session.send({ requestId: ids[0], response: "stale" });
    return "fresh";
  });
  const bridge = connect(side);
  assert.equal((await outcome(bridge.request("first"))).code, codes.connectionClosed);
  const debug = console.debug;
  const printed = [];
  console.debug = text => printed.push(text);
  assert.equal(await bridge.request("second"), "fresh");
  console.debug = debug;
  assert.notEqual(ids[0], ids[1]);
  assert.match(printed[0], /stale/);
  bridge.close();
  await side.close();
});

test("no more requests are in flight than the limit, in order, and all are answered", async () => {
  const held = [];
  let most = 0;
  const side = await native((message, session) => {
    held.push(message);
    most = Math.max(most, held.length);
    setImmediate(() => { const next = held.shift(); session.respond(next, next.n); });
  }, { hello: { ...welcome, limits: { ...welcome.limits, inFlight: 4 } } });
  const bridge = connect(side);
  const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => bridge.request("echo", { n })));
  assert.deepEqual(answers, [...Array(100).keys()]);
  assert.deepEqual(side.received.map(message => message.n), [...Array(100).keys()]);
  assert.equal(most, 4);
  bridge.close();
  await side.close();
});

test("closing for good fails what is pending and whatever comes later", async () => {
  const side = await native();
  const bridge = connect(side);
  await bridge.ready;
  const pending = outcome(bridge.request("work"));
  const closed = once(side.sessions[0].socket, "close");
  bridge.close();
  assert.equal((await pending).code, codes.connectionClosed);
  assert.equal((await outcome(bridge.request("work"))).code, codes.connectionClosed);
  assert.equal((await closed)[0], 1000);
  assert.equal(bridge.status, "closed");
  await assert.rejects(bridge.ready, { code: codes.connectionClosed });
  await side.close();
});

test("without a server it keeps trying, waits longer each time, and the calls wait", async () => {
  const free = await native();
  const { port } = free;
  await free.close();
  const attempts = [];
  let enough;
  const tried = new Promise(resolve => { enough = resolve; });
  const bridge = connect({ url: `http://127.0.0.1:${port}` }, {
    retryDelay: attempt => { attempts.push(attempt); if (attempt === 4) enough(); return 1; },
  });
  const call = bridge.request("echo", { n: 1 });
  await tried;
  assert.deepEqual(attempts.slice(0, 5), [0, 1, 2, 3, 4]);
  const side = await native(message => message.n, { port });
  assert.equal(await call, 1);
  bridge.close();
  await side.close();
});

test("U23, −32600: a server of another protocol version is named on the console, and calls go on", async () => {
  const side = await native(message => message.n, { hello: Object.assign(new Error("Invalid Request"), { code: -32600, data: { supported: [2] } }) });
  const error = console.error;
  const printed = [];
  console.error = (...args) => printed.push(args.map(a => JSON.stringify(a)).join(" "));
  const bridge = connect(side);
  assert.equal(await bridge.request("echo", { n: 3 }), 3);
  console.error = error;
  assert.match(printed.join("\n"), /supported/);
  bridge.close();
  await side.close();
});

test("under Node, without a window, the module imports and its bridge is off", async () => {
  const { bridge } = await import("../../web-fixtures/client/client.mjs");
  assert.ok(bridge instanceof Bridge);
  assert.equal(bridge.status, "off");
  assert.equal((await outcome(bridge.request("echo"))).code, codes.connectionClosed);
});

test("L6: what the page was doing for a session that ended is told so, and answers nobody", async () => {
  const side = await native(() => 1);
  const bridge = connect(side);
  await bridge.ready;
  let finish;
  const aborted = new Promise(resolve => bridge.handle("work", (_, { signal }) => {
    signal.addEventListener("abort", () => resolve(signal.reason));
    return new Promise(done => { finish = done; });
  }));
  bridge.handle("ping", () => "pong");
  const [first] = side.sessions;
  first.send({ eventName: "work", requestId: 1 });
  const ponged = first.next(({ response }) => response === "pong");
  first.send({ eventName: "ping", requestId: 2 });
  await ponged;
  const next = once(side, "session");
  first.socket.terminate();
  assert.equal((await aborted).code, codes.connectionClosed);
  const [second] = await next;
  finish("too late");
  await bridge.request("fence");
  const answered = second.next(({ requestId }) => requestId === 1);
  second.send({ eventName: "ping", requestId: 1 }); // the id is free in a new session
  assert.equal((await answered).response, "pong");
  assert.equal(second.received.filter(({ response }) => response === "too late").length, 0);
  bridge.close();
  await side.close();
});

test("a connection that was made starts the back-off anew", async () => {
  const side = await native(() => 1);
  const attempts = [];
  const bridge = connect(side, { retryDelay: attempt => { attempts.push(attempt); return 0; } });
  for (let n = 0; n < 3; n++) {
    await bridge.ready;
    const next = once(side, "session");
    side.sessions[n].socket.terminate();
    await next;
    await bridge.request("fence");
  }
  assert.deepEqual(attempts, [0, 0, 0]);
  bridge.close();
  await side.close();
});

test("U12: a socket of an earlier session has no say in the next, even when the browser still delivers", async () => {
  const sockets = [];
  class Socket {
    sent = [];
    constructor() { sockets.push(this); }
    send(text) { this.sent.push(JSON.parse(text)); }
    close() {}
  }
  const window = Object.assign(new EventTarget(), { location: new URL("http://localhost/"), document: { readyState: "complete", title: "" }, navigator: { userAgent: "" } });
  const bridge = new Bridge({ url: "http://localhost", WebSocket: Socket, window });
  const greet = socket => { socket.onopen(); socket.onmessage({ data: JSON.stringify({ requestId: socket.sent[0].requestId, response: welcome }) }); };
  greet(sockets[0]);
  await bridge.ready;
  window.dispatchEvent(new Event("pagehide"));
  window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  greet(sockets[1]);
  await bridge.ready;
  let runs = 0;
  bridge.handle("e", () => runs++);
  sockets[0].onmessage({ data: '{"eventName":"e","requestId":1}' });
  sockets[0].onclose({ code: 1000, reason: "" });
  sockets[0].onopen();
  assert.deepEqual([runs, bridge.status, sockets.length], [0, "open", 2]);
  bridge.close();
});
