// What the page sends, and when: order, the in-flight limit, cancelling, and that nothing stays behind.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { codes } from "../../web-fixtures/client/errors.mjs";
import { connect, native, outcome, welcome } from "./support.mjs";

async function limited(t, inFlight, answer) {
  const side = await native(answer, { hello: { ...welcome, limits: { inFlight } } });
  const bridge = connect(side);
  t.after(() => { bridge.close(); return side.close(); });
  await bridge.ready;
  const arrived = (name) => (side.received.some(({ eventName }) => eventName === name) ? undefined : side.sessions[0].next(({ eventName }) => eventName === name));
  return { side, bridge, arrived };
}
const names = (side) => side.received.map(({ eventName }) => eventName);

test("S10: a cancel goes out before the request that takes the place, which the other side would refuse", async t => {
  const { side, bridge, arrived } = await limited(t, 1, ({ eventName }) => (eventName === "second" ? "answered" : undefined));
  const controller = new AbortController();
  const first = outcome(bridge.request("first", {}, { signal: controller.signal }));
  const second = bridge.request("second");
  await arrived("first");
  controller.abort();
  assert.equal(await second, "answered");
  assert.equal((await first).error.name, "AbortError");
  assert.deepEqual(names(side), ["first", "$/cancelRequest", "second"]);
});

test("a request that is given up while it waits is not sent, and what stood behind it goes", async t => {
  const { side, bridge, arrived } = await limited(t, 1, () => undefined);
  const controller = new AbortController();
  outcome(bridge.request("first"));
  const second = outcome(bridge.request("second", {}, { signal: controller.signal }));
  bridge.notify("behind");
  await arrived("first");
  controller.abort("enough");
  await arrived("behind");
  assert.equal((await second).error, "enough");
  assert.deepEqual(names(side), ["first", "behind"]);
});

test("notifications keep their place among requests that are held back", async t => {
  const { side, bridge } = await limited(t, 2, ({ requestId }) => (requestId === undefined ? undefined : 0));
  const sent = [];
  const answers = Array.from({ length: 300 }, (_, n) => {
    sent.push(`e${n}`);
    return n % 3 === 0 ? bridge.notify(`e${n}`) : bridge.request(`e${n}`);
  });
  await Promise.all(answers);
  await bridge.request("fence");
  assert.deepEqual(names(side), [...sent, "fence"]);
});

test("what is given up before the session is open is never sent", async t => {
  const side = await native(({ requestId }) => (requestId === undefined ? undefined : 0));
  const bridge = connect(side);
  t.after(() => { bridge.close(); return side.close(); });
  const controller = new AbortController();
  const aborted = outcome(bridge.request("aborted", {}, { signal: controller.signal }));
  controller.abort();
  await bridge.request("kept");
  await aborted;
  assert.deepEqual(names(side), ["kept"]);
});

test("U16: nothing of a request stays behind: no timer, no listener, no entry", async t => {
  const { side, bridge } = await limited(t, 8, ({ eventName }) => (eventName === "fail" ? Object.assign(new Error("no"), { code: 1 }) : eventName === "hang" ? undefined : 0));
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const { signal } = new AbortController();
  const hanging = new AbortController();
  const before = timers();
  const options = { signal, timeout: 60_000 };
  const all = Array.from({ length: 10 }, (_, n) => outcome(bridge.request(n % 2 ? "ok" : "fail", {}, options)));
  assert.equal(getEventListeners(signal, "abort").length, 10);
  assert.equal(bridge.pendingCount, 10);
  await Promise.all(all);
  const hang = outcome(bridge.request("hang", {}, { signal: hanging.signal, timeout: 60_000 }));
  hanging.abort();
  await hang;
  const lost = outcome(bridge.request("hang", {}, options));
  side.sessions[0].socket.terminate();
  assert.equal((await lost).code, codes.connectionClosed);
  assert.deepEqual([bridge.pendingCount, getEventListeners(signal, "abort").length, getEventListeners(hanging.signal, "abort").length], [0, 0, 0]);
  await bridge.ready; // the new session's greeting has its timer too
  assert.equal(timers(), before);
});

for (const timeout of [undefined, null, Infinity, 2 ** 31]) {
  test(`a timeout of ${timeout} is none`, async t => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const { bridge } = await limited(t, 8, (message, session) => { setImmediate(() => setImmediate(() => session.respond(message, "answer"))); });
    const before = timers();
    const answer = bridge.request("e", {}, { timeout });
    assert.equal(timers(), before);
    assert.equal(await answer, "answer");
  });
}

test("the greeting is no call: pendingCount counts what the page waits for", async t => {
  const side = await native(() => undefined, { hello: () => {} });
  const bridge = connect(side);
  t.after(() => { bridge.close(); return side.close(); });
  assert.equal(bridge.pendingCount, 0);
  await new Promise((resolve) => side.once("session", (session) => session.once("message", resolve)));
  assert.equal(bridge.pendingCount, 0);
  outcome(bridge.request("a"));
  assert.equal(bridge.pendingCount, 1);
});

test("L6: a session's limit is its own, and what was held back goes to the next session", async t => {
  let session = 0;
  const side = await native((message, { socket }) => { if (session === 1) { socket.terminate(); return undefined; } return message.n; }, { hello: { ...welcome, limits: { inFlight: 1 } } });
  side.on("session", () => session++);
  const bridge = connect(side);
  t.after(() => { bridge.close(); return side.close(); });
  const results = await Promise.all([1, 2, 3].map((n) => outcome(bridge.request("e", { n }))));
  assert.deepEqual(results.map(({ code, value }) => code ?? value), [codes.connectionClosed, 2, 3]);
  assert.deepEqual(side.received.map(({ n }) => n), [1, 2, 3]);
});
