// The native side of an app that speaks the plain convention in its own way, as a script for a page. It shares no code with
// ours. `names` is how it spells the envelope, `fault` what it does wrong.

/** @returns The text of a script that puts `window.webkit.messageHandlers[names.handler]` into the page. */
export function plainNative(names = {}, fault = "") {
  const all = { handler: "bridge", event: "eventName", id: "requestId", payload: null, style: "positions", reply: "handleNativeResponse", mode: "plain", ...names };
  return `(${native})(${JSON.stringify(all)}, ${JSON.stringify(fault)});`;
}

function native(names, fault) {
  let calls = 0, lastId;
  const waiting = new Set();
  class Failure extends Error {
    constructor(code, message, data) { super(message); this.code = code; this.data = data; }
  }
  const typed = p => {
    const check = (path, ok) => { if (!ok) throw new Failure(-32602, "Invalid params", { path, expected: "another kind" }); };
    const has = name => { if (!Object.hasOwn(p, name)) throw new Failure(-32602, "Invalid params", { path: `$.${name}`, expected: "a value" }); };
    has("id"); check("$.id", Number.isInteger(p.id));
    has("price"); check("$.price", typeof p.price === "number");
    has("tags"); check("$.tags", Array.isArray(p.tags));
    p.tags.forEach((tag, index) => check(`$.tags[${index}]`, typeof tag === "string"));
    if (Object.hasOwn(p, "note")) check("$.note", p.note === null || typeof p.note === "string");
    const { id, price, tags, note } = p;
    return note === undefined || note === null ? { id, price, tags } : { id, price, tags, note };
  };
  const isOwn = code => Number.isInteger(code) && code === (code | 0) && code !== -32800 && !(code >= -32768 && code <= -32000);
  const events = {
    "conformance.profiles": () => ["core"],
    "conformance.echo": p => p,
    "conformance.wait": ({ ms }) => new Promise(resolve => setTimeout(() => resolve({ waited: ms }), ms)),
    "conformance.fail": ({ code, message, data }) => {
      if (isOwn(code)) throw new Failure(code, message, data);
      throw new Failure(-32000, message, data === undefined ? { code } : typeof data === "object" && data !== null && !Array.isArray(data) ? { ...data, code } : { data, code });
    },
    "conformance.throw": ({ text }) => { throw new Failure(-32000, text); },
    "conformance.progress": ({ count }) => ({ count }),
    "conformance.forget": () => { throw new Failure(-32003, "No reply"); },
    "conformance.unencodable": () => { throw new Failure(-32603, "Internal error", { path: "$.bad[1]" }); },
    "conformance.typed": typed,
    "conformance.counter": () => ({ count: ++calls }),
  };
  const faults = {
    drop: (answer, id) => ++calls % 5 === 0 ? undefined : answer(id),
    twice: (answer, id) => { answer(id); answer(id); },
    swap: (answer, id) => { const other = lastId ?? id; lastId = id; answer(other); },
    stale: (answer, id) => { answer(id); answer("somebody-elses"); },
    "kind of ids": (answer, id) => answer(String(id)),
  };
  const spoil = {
    numbers: value => JSON.parse(JSON.stringify(value), (_, v) => typeof v === "number" ? String(v) : v),
    nulls: value => JSON.parse(JSON.stringify(value), (_, v) => v === null ? undefined : v),
    text: value => JSON.parse(JSON.stringify(value), (_, v) => typeof v === "string" ? v.normalize("NFD").trim() : v),
  }[fault] ?? (value => value);
  const reply = names.reply.split(".");
  const call = (...values) => {
    const owner = reply.slice(0, -1).reduce((object, name) => object[name], window);
    owner[reply.at(-1)](...values);
  };
  const answer = (id, response, error) => {
    // As an app does: through a text that is evaluated in the page.
    const [i, r, e] = [id, response, error].map(value => value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
    if (names.style === "positions") { if (e === undefined) call(r, i); }
    else if (names.style === "with errors") call(i, r ?? null, e ?? null);
    else if (names.style === "object") { if (e === undefined) call({ requestId: i, response: r }); else call({ requestId: i, error: e }); }
    else call(JSON.stringify(e === undefined ? { callbackId: i, data: r } : { callbackId: i, failure: e }));
  };
  const post = message => {
    // What crosses is a copy.
    const body = structuredClone(message);
    const id = body[names.id];
    const { [names.event]: name, [names.id]: _, ...members } = body;
    const payload = names.payload ? body[names.payload] ?? {} : members;
    const result = Promise.resolve().then(() => {
      const event = Object.hasOwn(events, name) ? events[name] : () => { throw new Failure(-32601, "Method not found", { eventName: name, nearest: [] }); };
      return event(payload);
    });
    if (names.mode === "reply") return result.then(value => spoil(value), error => { throw fault === "message" ? new Error("Error") : new Error(error.message); });
    if (fault === "one id") {
      if (waiting.has(String(id))) return call(id, null, { code: -32600, message: "Duplicate id" });
      waiting.add(String(id));
      result.catch(() => {}).then(() => waiting.delete(String(id)));
    }
    if (id === undefined) { result.catch(() => {}); return Promise.resolve(undefined); }
    const send = faults[fault] ?? ((answer, id) => answer(id));
    result.then(
      value => send(id => answer(id, spoil(value)), id),
      ({ code, message, data }) => send(id => answer(id, undefined, { code: fault === "codes" ? 1 : code, message, data }), id),
    );
    return Promise.resolve(undefined);
  };
  window.webkit = { messageHandlers: { [names.handler]: { postMessage: post } } };
}
