// Requests and their answers: correlation, order, progress, cancelling, failures.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { BridgeError, codes } from "../../web-fixtures/client/errors.mjs";
import { captured, connect, native, outcome } from "./support.mjs";

let side, bridge;
let answer = () => undefined;
before(async () => {
  side = await native((message, session) => answer(message, session));
  bridge = connect(side);
  await bridge.ready;
});
after(async () => { bridge.close(); await side.close(); });

test("a request is one message, and its answer settles it", async () => {
  answer = message => ({ got: message.text });
  assert.deepEqual(await bridge.request("echo", { text: "é\u2028\ud800" }), { got: "é\u2028\ud800" });
  const { requestId, ...rest } = side.received.at(-1);
  assert.deepEqual(rest, { eventName: "echo", text: "é\u2028\ud800" });
  assert.equal(typeof requestId, "string");
});

test("U13: a thousand concurrent calls answered in reverse each get their own", async () => {
  const held = [];
  answer = (message, session) => {
    held.push(message);
    if (held.length === 1000) for (const message of held.reverse()) session.respond(message, message.n);
  };
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, n) => bridge.request("echo", { n })));
  assert.deepEqual(answers, [...Array(1000).keys()]);
});

test("U14: messages arrive in the order in which they were sent", async () => {
  answer = message => (message.requestId === undefined ? undefined : null);
  const from = side.received.length;
  for (let n = 0; n < 10_000; n++) bridge.notify("count", { n });
  await bridge.request("fence");
  assert.deepEqual(side.received.slice(from, -1).map(message => message.n), [...Array(10_000).keys()]);
});

test("U16: nothing is left after 100,000 requests", async () => {
  answer = () => 0;
  for (let round = 0; round < 100; round++) {
    await Promise.all(Array.from({ length: 1000 }, () => bridge.request("echo", {}, { timeout: 60_000 })));
  }
  assert.equal(bridge.pendingCount, 0);
});

test("U15: progress comes before the answer, and none after it", async () => {
  answer = (message, session) => {
    const { requestId } = message;
    session.send({ requestId, progress: 1 });
    session.send({ requestId, progress: { two: 2 } });
    session.respond(message, "done");
    session.send({ requestId, progress: 3 });
  };
  const seen = [];
  seen.push(await bridge.request("work", {}, { onProgress: value => seen.push(value) }));
  answer = () => null;
  await bridge.request("fence");
  assert.deepEqual(seen, [1, { two: 2 }, "done"]);
});

test("a callback that throws disturbs nothing", async () => {
  answer = (message, session) => {
    session.send({ requestId: message.requestId, progress: 1 });
    return "done";
  };
  const printed = await captured(async () => {
    assert.equal(await bridge.request("work", {}, { onProgress() { throw new Error("mine"); } }), "done");
  });
  assert.match(printed[0][1], /mine/);
});

test("an abort rejects with the signal's reason and cancels", async () => {
  answer = () => undefined;
  const controller = new AbortController();
  const reason = new Error("changed my mind");
  const cancelled = side.sessions.at(-1).next(message => message.eventName === "$/cancelRequest");
  const result = outcome(bridge.request("work", {}, { signal: controller.signal }));
  controller.abort(reason);
  assert.equal((await result).error, reason);
  assert.equal((await cancelled).id, side.received.find(message => message.eventName === "work" && message.requestId === side.received.at(-1).id).requestId);
  assert.equal(bridge.pendingCount, 0);
});

test("an abort beforehand sends nothing", async () => {
  const from = side.received.length;
  assert.equal((await outcome(bridge.request("work", {}, { signal: AbortSignal.abort("no") }))).error, "no");
  answer = () => null;
  await bridge.request("fence");
  assert.deepEqual(side.received.slice(from).map(message => message.eventName), ["fence"]);
});

test("a timeout is −32001 and cancels; the answer that comes after it is dropped", async () => {
  answer = () => undefined;
  const cancelled = side.sessions.at(-1).next(message => message.eventName === "$/cancelRequest");
  assert.equal((await outcome(bridge.request("work", {}, { timeout: 5 }))).code, codes.timedOut);
  const { id } = await cancelled;
  const printed = await captured(async () => {
    side.sessions.at(-1).send({ requestId: id, error: { code: -32800, message: "Cancelled" } });
    answer = () => null;
    await bridge.request("fence");
  });
  assert.deepEqual(printed, []);
});

test("U7, U18: a failure has code, message, data, event and id", async () => {
  const message = "it's \"quoted\"\n\u2028\\";
  answer = () => Object.assign(new Error(message), { code: 4001, data: { text: message } });
  const { error } = await outcome(bridge.request("pay"));
  assert.ok(error instanceof BridgeError && error instanceof Error);
  const { requestId } = side.received.at(-1);
  assert.deepEqual(
    [error.name, error.code, error.reason, error.message, error.data, error.eventName, error.requestId],
    ["BridgeError", 4001, "application", message, { text: message }, "pay", requestId]);
});

test("U4: an event without handler teaches on the console, once", async () => {
  answer = ({ eventName }) => Object.assign(new Error("Method not found"),
    { code: -32601, data: { eventName, nearest: ["getTitle"], help: `no handler is registered for "${eventName}"` } });
  const printed = await captured(async () => {
    for (let n = 0; n < 3; n++) assert.equal((await outcome(bridge.request("getTitel"))).code, codes.methodNotFound);
  });
  assert.equal(printed.length, 1);
  assert.match(printed[0][1], /no handler is registered for "getTitel"/);
});

for (const payload of [[1, 2], { eventName: "x" }, { requestId: 1 }, { jsonrpc: "1.0" }]) {
  test(`${JSON.stringify(payload)} travels as JSON-RPC`, async () => {
    answer = message => message.params;
    assert.deepEqual(await bridge.request("echo", payload), payload);
    const { id, ...rest } = side.received.at(-1);
    assert.deepEqual(rest, { jsonrpc: "2.0", method: "echo", params: payload });
  });
}

for (const payload of ["text", 1, true, null, () => {}, 1n]) {
  test(`a payload that is ${typeof payload} ${String(payload)} is refused and not sent`, async () => {
    const from = side.received.length;
    assert.equal((await outcome(bridge.request("echo", payload))).code, codes.invalidParams);
    assert.throws(() => bridge.notify("echo", payload), { code: codes.invalidParams });
    answer = () => null;
    await bridge.request("fence");
    assert.equal(side.received.length, from + 1);
  });
}

for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
  test(`an event named ${name} is an event like others`, async () => {
    answer = message => message.eventName;
    assert.equal(await bridge.request(name), name);
  });
}

test("L2, L7: an answer with another kind of id, or for nothing, settles nothing", async () => {
  answer = (message, session) => {
    const printed = Number(message.requestId.replace(/\D/g, ""));
    session.send({ requestId: printed, response: "wrong" });
    session.send({ requestId: null, error: { code: -32600, message: "Invalid Request" } });
    session.send({ requestId: "nobody", response: "wrong" });
    return "right";
  };
  await captured(async () => assert.equal(await bridge.request("echo"), "right"));
});
