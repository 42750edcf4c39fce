// A page with a client of its own, small and without a line of ours: what a third party's page under test may look like.
// `fault` is what it does wrong.

/** @returns The HTML of a page that connects to the host in its address, `?bridge=localhost:1234`. */
export const foreignPage = (fault = "") => `<!doctype html><title>Foreign</title><script type="module">(${client})(${JSON.stringify(fault)});</script>`;

function client(fault) {
  const host = new URLSearchParams(location.search).get("bridge");
  const socket = new WebSocket(`ws://${host}/_bridge/ws`);
  const waiting = new Map();
  const answering = new Set();
  const key = id => JSON.stringify(id);
  let count = 0;
  const send = message => socket.send(JSON.stringify(message));
  const isObject = value => typeof value === "object" && value !== null && !Array.isArray(value);

  function request(event, payload = {}) {
    const id = ++count;
    return new Promise((resolve, reject) => {
      if (typeof payload !== "object" || payload === null) {
        if (fault !== "bad payloads") return reject({ code: -32602, message: "Invalid params" });
        payload = { payload };
      }
      waiting.set(key(id), { resolve, reject });
      const isReserved = Array.isArray(payload) || ["eventName", "requestId", "jsonrpc"].some(name => Object.hasOwn(payload, name));
      if (isReserved && fault !== "reserved names") send({ jsonrpc: "2.0", id, method: event, params: payload });
      else send({ eventName: event, requestId: id, ...payload });
    });
  }

  function settle(reply) {
    const id = key("jsonrpc" in reply ? reply.id : reply.requestId);
    const entry = fault === "order" ? waiting.values().next().value : waiting.get(id);
    if (!entry) return;
    if (fault === "order") waiting.delete(waiting.keys().next().value);
    else waiting.delete(id);
    const { error } = reply;
    if ((error ?? null) === null) entry.resolve("result" in reply ? reply.result : reply.response);
    else if (Number.isInteger(error.code) && typeof error.message === "string") entry.reject(fault === "texts" ? { ...error, message: "failed" } : error);
    else entry.reject({ code: -32603, message: "Malformed answer", data: { error } });
  }

  const handlers = new Map(Object.entries({
    "conformance.profiles": () => ["core"],
    "conformance.page.echo": payload => fault === "nulls" ? JSON.parse(JSON.stringify(payload), (_, value) => value ?? undefined) : payload,
    "conformance.page.request": ({ event, payload }) => request(event, payload).then(response => ({ response }), error => ({ error })),
  }));

  /** The answer to a message, or a promise of it; nothing where there is none. */
  function answer(message, inBatch) {
    const rpc = Object.hasOwn(Object(message), "jsonrpc");
    const invalid = (id, help, more) => ({ ...(rpc || id === null ? { jsonrpc: "2.0", id } : { requestId: id }), error: { code: -32600, message: "Invalid Request", data: { help, ...more } } });
    if (!isObject(message)) return invalid(null, "no object");
    const isReply = !Object.hasOwn(message, "method") && !Object.hasOwn(message, "eventName") && ["result", "error", "response", "progress"].some(name => Object.hasOwn(message, name));
    if (isReply) return void settle(message);
    const id = rpc ? message.id : message.requestId;
    const name = rpc ? message.method : message.eventName;
    if (typeof name !== "string" || (inBatch && !rpc)) return invalid(typeof id === "string" || typeof id === "number" ? id : null, "no event");
    if (id !== undefined && answering.has(key(id))) return invalid(id, "in flight", { duplicate: true });
    const { eventName: _, requestId: __, ...members } = message;
    const payload = rpc ? message.params ?? {} : members;
    const wrap = (member, value) => rpc ? { jsonrpc: "2.0", id, [member === "response" ? "result" : member]: value } : { requestId: id, [member]: value };
    const handler = handlers.get(name);
    if (!handler && name.startsWith("$/") && id === undefined) return;
    if (!handler) return id === undefined ? undefined : wrap("error", { code: fault === "codes" ? -32000 : -32601, message: "Method not found" });
    const result = handler(payload);
    if (id === undefined) return fault === "notifications" ? { requestId: null, response: null } : undefined;
    const done = value => {
      answering.delete(key(id));
      if (fault === "twice") send(wrap("response", value));
      return wrap("response", value);
    };
    if (!(result instanceof Promise)) return done(result);
    answering.add(key(id));
    return result.then(done);
  }

  function receive(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return send({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } });
    }
    if (!Array.isArray(message)) {
      const result = answer(message);
      if (result instanceof Promise) result.then(send);
      else if (result) send(result);
    } else if (message.length === 0) {
      send({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid Request" } });
    } else {
      Promise.all(message.map(one => answer(one, true))).then(answers => {
        const given = answers.filter(Boolean);
        if (given.length > 0) send(given);
      });
    }
  }

  socket.onmessage = ({ data }) => receive(data);
  socket.onopen = () => {
    if (fault === "no greeting") return;
    request("$/hello", {
      protocol: 1, client: { name: "foreign", version: "0" },
      page: { url: location.href, title: document.title, isMainFrame: true, documentId: String(Math.random()), userAgent: navigator.userAgent },
    });
  };
}
