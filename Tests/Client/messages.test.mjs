// What comes in and is wrong, or too much, from either side; and batches (PROTOCOL.md, D10–D18, L5, L7, L9, L13).
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Bridge } from "../../web-fixtures/client/bridge.mjs";
import { BridgeError, codes } from "../../web-fixtures/client/errors.mjs";
import { log } from "../../web-fixtures/client/log.mjs";
import { captured, connect, native, outcome, welcome } from "./support.mjs";

let side, bridge, session;
let answer = () => undefined;
const limit = 4096;
before(async () => {
  side = await native((message, session) => answer(message, session), { hello: { ...welcome, limits: { message: limit, batch: 3, inFlight: 1024 } } });
  bridge = connect(side, { parts: [log()] });
  await captured(() => bridge.ready);
  [session] = side.sessions;
});
after(() => captured(() => { bridge.close(); return side.close(); }));

/** Sends texts, and resolves with everything that the page sent by the time it has answered a fence after them. */
async function send(...messages) {
  const from = session.received.length;
  const id = `fence${from}`;
  const done = session.next(({ requestId }) => requestId === id);
  const printed = await captured(async () => {
    for (const message of messages) session.send(message);
    session.send({ eventName: "$/fence", requestId: id });
    await done;
  });
  return { sent: session.received.slice(from, -1), printed: printed.filter(([level]) => level !== "log") };
}

const rpcFault = (id, sent) => assert.deepEqual(sent.map(({ jsonrpc, id, error }) => [jsonrpc, id, error.code]), [["2.0", id, -32600]]);

for (const text of ["", "{", "[1,", "\ufeff{}", "nul", "{'a':1}"]) {
  test(`L5: ${JSON.stringify(text)} is -32700 with id null, also when messages are shown`, async () => {
    const { sent } = await send(text);
    assert.deepEqual(sent.map(({ jsonrpc, id, error }) => [jsonrpc, id, error.code]), [["2.0", null, -32700]]);
  });
}

for (const [message, id] of [
  ["null", null], ["5", null], ['"a"', null], ["{}", null], ['{"id":5}', 5], ['{"eventName":"a","requestId":null}', null], ['{"eventName":"a","requestId":[]}', null],
  ['{"jsonrpc":"1.0","method":"a","id":7}', 7], ['{"jsonrpc":"2.0","method":1,"id":"x"}', "x"], ['{"jsonrpc":"2.0","method":"a","params":5,"id":""}', ""],
  ['{"jsonrpc":"2.0","method":"a","id":{}}', null], ["[]", null], [JSON.stringify(Array(4).fill({ jsonrpc: "2.0", method: "a" })), null],
]) {
  test(`L5, D12: ${message.slice(0, 60)} is -32600 with id ${JSON.stringify(id)}`, async () => rpcFault(id, (await send(message)).sent));
}

test("L5: a message with a valid requestId and no eventName gets its fault in event form", async () => {
  const { sent } = await send('{"eventName":5,"requestId":"r"}');
  assert.deepEqual(sent.map(({ requestId, error }) => [requestId, error.code]), [["r", -32600]]);
});

test("D1: a reply is never answered, malformed or not, and in a batch neither", async () => {
  for (const reply of [{ requestId: "no", response: 1 }, { response: 1 }, { result: null }, { error: "?" }, { requestId: {}, progress: 1 }, { jsonrpc: "2.0", id: 1, result: 1 }, { jsonrpc: "1", result: 1, id: [] }]) {
    assert.deepEqual((await send(reply)).sent, [], JSON.stringify(reply));
    assert.deepEqual((await send([reply])).sent, [], JSON.stringify([reply]));
  }
});

test("D10: replies that come in a batch settle their requests", async () => {
  const held = [];
  answer = message => { held.push(message); if (held.length === 2) session.send(held.map(({ id }, n) => ({ jsonrpc: "2.0", id, result: n }))); };
  await captured(async () => assert.deepEqual(await Promise.all([bridge.request("a", []), bridge.request("b", [])]), [0, 1]));
});

for (const [name, reply, data] of [
  ["error is a text", { error: "no" }, { error: "no" }], ["code is a text", { error: { code: "1", message: "m" } }, { error: { code: "1", message: "m" } }],
  ["code is a fraction", { error: { code: 1.5, message: "m" } }, { error: { code: 1.5, message: "m" } }], ["no message", { error: { code: 1 } }, { error: { code: 1 } }],
  ["neither response nor error", { result: 1 }, { error: undefined }],
]) {
  test(`D15: a malformed answer (${name}) is -32603, with what came`, async () => {
    answer = ({ requestId }, session) => session.send({ requestId, ...reply });
    await captured(async () => {
      const { error } = await outcome(bridge.request("a"));
      assert.deepEqual([error.code, error.data, error.eventName], [codes.internalError, data, "a"]);
    });
  });
}

test("D15: an error that is null is none", async () => {
  answer = ({ requestId }, session) => session.send({ requestId, error: null, response: 5 });
  await captured(async () => assert.equal(await bridge.request("a"), 5));
});

test("D11, D17: answers stand in the order of their requests, and the array goes out once", async () => {
  let finish;
  bridge.handle("slow", () => new Promise(resolve => { finish = resolve; }));
  let signal;
  bridge.handle("fast", (_, call) => { signal ??= call.signal; return "fast"; });
  const batch = [{ jsonrpc: "2.0", method: "slow", id: 1 }, { jsonrpc: "2.0", method: "fast", id: 2 }, { jsonrpc: "2.0", method: "fast" }];
  const { sent } = await send(batch, { jsonrpc: "2.0", method: "fast", id: 2 }, { eventName: "$/cancelRequest", id: 2 });
  assert.equal(signal.aborted, false); // it has its answer, only the array has not gone out
  rpcFault(2, sent); // 2 is in flight until the array has gone out
  assert.equal(sent[0].error.data.duplicate, true);
  const array = session.next(Array.isArray);
  await captured(async () => {
    finish("slow");
    assert.deepEqual(await array, [{ jsonrpc: "2.0", result: "slow", id: 1 }, { jsonrpc: "2.0", result: "fast", id: 2 }]);
  });
  const again = await send({ jsonrpc: "2.0", method: "fast", id: 2 });
  assert.deepEqual(again.sent, [{ jsonrpc: "2.0", result: "fast", id: 2 }]);
});

test("D10: an element without jsonrpc is -32600 with id null, in the array; notifications alone get nothing", async () => {
  const { sent: [array] } = await send([{ eventName: "fast", requestId: 1 }, { jsonrpc: "2.0", method: "fast", id: 3 }, 5]);
  assert.deepEqual(array.map(({ id, error, result }) => [id, error?.code ?? result]), [[null, -32600], [3, "fast"], [null, -32600]]);
  assert.deepEqual((await send([{ jsonrpc: "2.0", method: "fast" }])).sent, []);
});

test("D12: answers that would push the array over the message limit become -32603", async () => {
  bridge.handle("big", ({ n }) => "é".repeat(n));
  const { sent: [array] } = await send([1000, 880, 200].map((n, id) => ({ jsonrpc: "2.0", method: "big", params: { n }, id })));
  assert.deepEqual(array.map(({ result, error }) => error?.code ?? result.length), [1000, 880, -32603]);
});

for (const [past, code] of [[0, undefined], [1, -32603]]) {
  test(`an answer ${past} bytes over the message limit`, async () => {
    const stop = bridge.handle("sized", ({ n }) => "x".repeat(n));
    const n = limit - '{"requestId":"s","response":""}'.length + past;
    const { sent: [message] } = await send({ eventName: "sized", requestId: "s", n });
    assert.equal(message.error?.code, code);
    stop();
  });

  test(`a request ${past} bytes over the message limit`, async () => {
    answer = () => "got";
    await captured(async () => {
      await bridge.request("fence");
      const { requestId } = side.received.at(-1);
      const fixed = JSON.stringify({ requestId, eventName: "e", t: "" }).length;
      const { code: failure, value } = await outcome(bridge.request("e", { t: "x".repeat(limit - fixed + past) }));
      assert.deepEqual([failure, value], [code, past ? undefined : "got"]);
    });
  });
}

test("L1: a failure whose data is too long still comes, once", async () => {
  bridge.handle("fails", () => { throw new BridgeError(4001, "no", { data: "x".repeat(limit) }); });
  const { sent } = await send({ eventName: "fails", requestId: "f" });
  assert.deepEqual(sent.map(({ requestId, error }) => [requestId, error.code]), [["f", -32603]]);
});

test("L13: progress that is over the limit or JSON cannot say is dropped and told; the request goes on", async () => {
  bridge.handle("progress", (_, { progress }) => {
    for (const value of [NaN, "x".repeat(limit), 1n, undefined, 2]) progress(value);
    return "done";
  });
  const { sent, printed } = await send({ eventName: "progress", requestId: "p" });
  assert.deepEqual(sent, [{ requestId: "p", progress: null }, { requestId: "p", progress: 2 }, { requestId: "p", response: "done" }]);
  assert.equal(printed.filter(([level]) => level === "error").length, 3);
});

test("D8, D18: $/cancelRequest with an id is answered null, without a valid id -32602; unknown ids are ignored", async () => {
  const { sent } = await send(
    { eventName: "$/cancelRequest", requestId: 1, id: "none" }, { eventName: "$/cancelRequest", requestId: 2, id: [] }, { eventName: "$/cancelRequest", requestId: 3 },
    { eventName: "$/cancelRequest" }, { jsonrpc: "2.0", method: "$/cancelRequest", params: [1] });
  assert.deepEqual(sent.map(({ requestId, response, error }) => [requestId, error ? [error.code, error.data.path] : response]),
    [[1, null], [2, [-32602, "$.id"]], [3, [-32602, "$.id"]]]);
});

test("D9: unknown names of the protocol are -32601 as requests and ignored as notifications", async () => {
  const { sent } = await send({ eventName: "$/unknown", requestId: 1 }, { eventName: "$/unknown" });
  assert.deepEqual(sent.map(({ requestId, error }) => [requestId, error.code]), [[1, -32601]]);
});

for (const [thrown, code, message, data] of [
  [null, -32000, "null"], [undefined, -32000, "undefined"], ["text", -32000, "text"], [Object.create(null), -32000, "[object Object]"], [Symbol("s"), -32000, "Symbol(s)"],
  [new BridgeError(-32602, "m", { data: { a: 1 } }), -32000, "m", { a: 1, code: -32602 }], [new BridgeError(-32800, "m"), -32000, "m", { code: -32800 }],
  [new BridgeError(2 ** 31, "m", { data: [1] }), -32000, "m", { data: [1], code: 2 ** 31 }], [new BridgeError(1.5, "m", { data: "text" }), -32000, "m", { data: "text", code: 1.5 }],
  [new BridgeError(-2147483648, "m"), -2147483648, "m"], [new BridgeError(0, "m"), 0, "m"], [new BridgeError(-32768, "m"), -32000, "m", { code: -32768 }], [new BridgeError(-32000, "m"), -32000, "m", { code: -32000 }], [new BridgeError(-31999, "m"), -31999, "m"], [new BridgeError(-32769, "m"), -32769, "m"],
]) {
  for (const style of ["throws", "rejects"]) {
    test(`F1, F2: a handler ${style} ${Object.prototype.toString.call(thrown)} ${thrown?.code ?? ""}`, async () => {
      const stop = bridge.handle("f", style === "throws" ? () => { throw thrown; } : () => Promise.reject(thrown));
      const done = session.next(({ requestId }) => requestId === "f");
      await captured(async () => {
        session.send({ eventName: "f", requestId: "f" });
        assert.deepEqual(await done, { requestId: "f", error: { code, message, ...(data && { data }) } });
      });
      stop();
    });
  }
}

test("L1: whatever a handler returns, there is one answer", async () => {
  const results = {
    fn: [() => () => {}, -32011], symbol: [() => Symbol("s"), -32011], bigint: [() => 1n, -32603], infinite: [() => [Infinity], -32603],
    then: [() => ({ get then() { throw new Error("then"); } }), -32000], json: [() => ({ toJSON() { throw new Error("json"); } }), -32603],
    twice: [() => { let n = 0; return { toJSON() { if (n++ > 0) throw new Error("json"); return { a: null }; } }; }, -32603],
    cycle: [() => { const a = {}; a.a = a; return a; }, -32603], deep: [() => JSON.parse("[".repeat(600) + "]".repeat(600)), -32603],
  };
  for (const [name, [handler, code]] of Object.entries(results)) {
    bridge.handle(name, handler);
    const { sent } = await send({ eventName: name, requestId: name });
    assert.deepEqual(sent.map(({ requestId, error }) => [requestId, error?.code]), [[name, code]]);
  }
});

test("F3: an unknown event names what is near, and what differs", async () => {
  for (const name of ["getTitle", "get-title", "openUrl", "x"]) bridge.handle(name, () => 1);
  for (const [name, near, text] of [["gettitle", ["getTitle", "get-title"], /"getTitle" differs in upper and lower case only/], ["openUlr", ["openUrl"], /one character/], ["y", [], /bridge\.handle\("y"/]]) {
    const { sent: [{ error }] } = await send({ eventName: name, requestId: 1 });
    assert.deepEqual([error.code, error.data.eventName, error.data.nearest], [-32601, name, near]);
    assert.match(error.data.help, text);
  }
});

test("a greeting whose members are of the wrong kind opens the session all the same", async () => {
  for (const hello of [null, 5, "x", { events: 5, messageHandlers: null, limits: null }, { events: [1, "e"], messageHandlers: [1], limits: { inFlight: "none", message: -1 } }]) {
    const other = await native(message => message.n, { hello: () => hello });
    other.on("session", session => session.on("message", ({ eventName, requestId }) => eventName === "$/hello" && session.send({ requestId, response: hello })));
    const odd = connect(other);
    assert.equal(await odd.request("e", { n: 1 }), 1);
    assert.deepEqual(odd.events, hello?.events?.length ? ["e"] : []);
    odd.close();
    await other.close();
  }
});

test("one BridgeError is the other copy's too: a page may have client.js and client.mjs", async () => {
  const { BridgeError: Other } = await import("../../web-fixtures/client/errors.mjs?copy");
  assert.notEqual(Other, BridgeError);
  assert.ok(new Other(1, "m") instanceof BridgeError);
  assert.ok(!(new Error("m") instanceof BridgeError));
  class Own extends BridgeError {}
  assert.ok(new Own(1, "m") instanceof BridgeError && new Own(1, "m") instanceof Own && !(new BridgeError(1, "m") instanceof Own));
  bridge.handle("other", () => { throw new Other(4001, "mine", { data: 1 }); });
  const { sent } = await send({ eventName: "other", requestId: "o" });
  assert.deepEqual(sent, [{ requestId: "o", error: { code: 4001, message: "mine", data: 1 } }]);
});

test("where there is no WebSocket the bridge is off and says what to give it", async () => {
  const off = new Bridge({ url: side.url, WebSocket: null });
  assert.equal(off.status, "off");
  const { error } = await outcome(off.request("a"));
  assert.match(error.data.help, /new Bridge\(\{ url, WebSocket \}\)/);
  await assert.rejects(off.ready, { code: codes.connectionClosed });
});
