// What the native side asks of the page: handlers, progress, cancelling, exactly one answer.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { BridgeError } from "../../web-fixtures/client/errors.mjs";
import { captured, connect, native } from "./support.mjs";

let side, bridge, session;
before(async () => {
  side = await native();
  bridge = connect(side);
  await bridge.ready;
  [session] = side.sessions;
});
after(async () => { bridge.close(); await side.close(); });

let lastId = 0;
/** Asks the page and resolves with its terminal message. */
function ask(eventName, payload = {}, id = ++lastId) {
  const answered = session.next(message => message.requestId === id && !("progress" in message));
  session.send({ requestId: id, eventName, ...payload });
  return answered;
}

for (const [name, handler, expected] of [
  ["returns", ({ a }) => a + 1, { response: 2 }],
  ["resolves", async ({ a }) => ({ a }), { response: { a: 1 } }],
  ["returns nothing", () => {}, { response: null }],
  ["throws", () => { throw new Error("it's broken\n\u2028"); }, { error: { code: -32000, message: "it's broken\n\u2028" } }],
  ["throws the bridge's own class", () => { throw new bridge.BridgeError(4001, "no", { data: [1] }); }, { error: { code: 4001, message: "no", data: [1] } }],
  ["throws an error that has a code otherwise", () => { throw new DOMException("gone", "AbortError"); }, { error: { code: -32000, message: "gone" } }],
  ["throws a code", () => { throw new BridgeError(4001, "no", { data: [1] }); }, { error: { code: 4001, message: "no", data: [1] } }],
]) {
  test(`a handler that ${name}`, async () => {
    const stop = bridge.handle(name, handler);
    const { requestId, ...answer } = await ask(name, { a: 1 });
    if (answer.error) {
      const { code, message, data } = answer.error;
      assert.deepEqual({ code, message, ...(expected.error.data && { data }) }, expected.error);
    } else assert.deepEqual(answer, expected);
    stop();
    assert.equal((await ask(name)).error.code, -32601);
  });
}

test("U9: an answer that JSON cannot say is −32603 with its path", async () => {
  bridge.handle("bad", () => ({ ok: true, bad: [1, NaN] }));
  const { error } = await ask("bad");
  assert.equal(error.code, -32603);
  assert.equal(error.data.path, "$.bad[1]");
});

test("a second handler takes the place of the first, with one warning", async () => {
  const printed = await captured(async () => {
    bridge.handle("twice", () => 1);
    bridge.handle("twice", () => 2);
    assert.equal((await ask("twice")).response, 2);
  });
  assert.equal(printed.length, 1);
  assert.equal(printed[0][0], "warn");
});

test("progress, then the answer; cancelling aborts and settles with −32800", async () => {
  let aborted;
  bridge.handle("work", (_, call) => {
    call.progress(1);
    aborted = new Promise(resolve => call.signal.addEventListener("abort", () => resolve(true)));
    return new Promise(() => {});
  });
  const progress = session.next(message => "progress" in message);
  const answer = ask("work", {}, "w");
  assert.deepEqual(await progress, { requestId: "w", progress: 1 });
  session.send({ eventName: "$/cancelRequest", id: "w" });
  assert.equal((await answer).error.code, -32800);
  assert.equal(await aborted, true);
});

test("an id in flight is not taken twice", async () => {
  let finish;
  bridge.handle("slow", () => new Promise(resolve => { finish = resolve; }));
  const first = session.next(message => message.requestId === "d" && message.response === "first");
  session.send({ requestId: "d", eventName: "slow" });
  const second = session.next(message => message.error?.data?.duplicate === true);
  session.send({ requestId: "d", eventName: "slow" });
  assert.equal((await second).error.code, -32600);
  finish("first");
  await first;
});

test("malformed messages are answered and end nothing", async () => {
  for (const [text, code] of [["{", -32700], ["123", -32600], ['{"x":1}', -32600], ["[]", -32600]]) {
    const answered = session.next(message => (message.error ?? message[0]?.error)?.code === code);
    session.send(text);
    await answered;
  }
  bridge.handle("alive", () => true);
  assert.equal((await ask("alive")).response, true);
});

test("JSON-RPC requests are answered in JSON-RPC, batches in one array", async () => {
  bridge.handle("add", params => params.reduce((a, b) => a + b, 0));
  const answered = session.next(message => Array.isArray(message));
  session.send([
    { jsonrpc: "2.0", method: "add", params: [1, 2], id: 1 }, { jsonrpc: "2.0", method: "add", params: [3] },
    { jsonrpc: "2.0", method: "none", id: 2 },
  ]);
  const answers = await answered;
  assert.deepEqual(answers.find(answer => answer.id === 1), { jsonrpc: "2.0", id: 1, result: 3 });
  assert.equal(answers.find(answer => answer.id === 2).error.code, -32601);
  assert.equal(answers.length, 2);
});
