// What faults are made of. A fault is a function of a connection's two ends, which gives what stands between them:
// `up` is given each message of the page, `down` each of the native side, as text, and passes on what it likes.

import { JSONNumber, parse, stringify } from "../../../web-fixtures/examples/node-bridge/json.mjs";

export { JSONNumber, stringify };

/** A message; undefined for what is not JSON. */
export function read(text) {
  try {
    return parse(text, 1024);
  } catch {
    return undefined;
  }
}

export const isObject = (value) => value instanceof Map;
export const object = (members) => new Map(Object.entries(members));
export const number = (value) => new JSONNumber(String(value));
export const without = (map, ...names) => new Map([...map].filter(([name]) => !names.includes(name)));

export const isRPC = (message) => isObject(message) && message.has("jsonrpc");
export const isEvent = (message) => isObject(message) && !isRPC(message) && message.has("eventName");
export const idOf = (message) => message.get(message.has("requestId") ? "requestId" : "id");
export const withID = (message, id) => new Map(message).set(message.has("requestId") ? "requestId" : "id", id);
const nameOf = (message) => (isObject(message) ? message.get("eventName") ?? message.get("method") : undefined);
export const isCall = (message, event) => nameOf(message) === event;
export const isRequest = (message) =>
  nameOf(message) !== undefined && message.has(isRPC(message) ? "id" : "requestId");
export const isAnswer = (message) =>
  isObject(message) && nameOf(message) === undefined
    && ["response", "result", "error"].some((name) => message.has(name));
/** What an answer that is no failure brings. */
export const resultOf = (message) =>
  (isAnswer(message) && !message.has("error") ? message.get(isRPC(message) ? "result" : "response") : undefined);
export const codeOf = (message) => (isAnswer(message) && message.has("error")
  ? message.get("error").get("code").double : undefined);

/** The answer to the same request, with a result. */
export const withResult = (message, result) =>
  new Map([...without(message, "error")]).set(isRPC(message) ? "result" : "response", result);

export const responseTo = (request, result) => stringify(isRPC(request)
  ? { jsonrpc: "2.0", result, id: request.get("id") ?? null }
  : { requestId: request.get("requestId") ?? null, response: result });
export const failureTo = (request, code) => stringify(isRPC(request)
  ? { jsonrpc: "2.0", error: { code, message: "broken" }, id: request.get("id") ?? null }
  : { requestId: request.get("requestId") ?? null, error: { code, message: "broken" } });

const pass = (change, on) => (text) => {
  const message = read(text);
  const changed = message === undefined ? undefined : change(message);
  if (message === undefined) on(text);
  else if (changed !== undefined) on(stringify(changed));
};

/** Changes messages of the native side: into another, or none. */
export const down = (change) => ({ toPage }) => ({ down: pass(change, toPage) });
/** The same for each answer, those in batches too. */
export const downEach = (change) =>
  down((message) => (Array.isArray(message)
    ? message.map(change).filter((element) => element !== undefined) : change(message)));
/** Changes messages of the page. */
export const up = (change) => ({ toNative }) => ({ up: pass(change, toNative) });
/** Changes each value in messages of the native side, from the inside out. */
export const downValues = (change) => down((message) => mapValues(message, change));
/** Changes what failures of a code say. */
export const downFailure = (code, change) => downEach((message) => {
  if (codeOf(message) !== code) return message;
  const error = new Map(message.get("error"));
  change(error, error.get("data"));
  return new Map(message).set("error", error);
});
/** Answers some messages of the page itself; the rest goes on. */
export const instead = (answer) => ({ toNative, toPage }) => ({
  up: (text) => {
    const own = answer(read(text), text);
    if (own === undefined) toNative(text);
    else toPage(own);
  },
});
/** Sends something of its own after some messages of the page. */
export const also = (answer) => ({ toNative, toPage }) => ({
  up: (text) => {
    toNative(text);
    const own = answer(read(text));
    if (own !== undefined) toPage(own);
  },
});

export function mapValues(value, change) {
  if (Array.isArray(value)) return change(value.map((element) => mapValues(element, change)));
  if (!isObject(value)) return change(value);
  return change(new Map([...value].map(([name, member]) => [name, mapValues(member, change)])));
}
