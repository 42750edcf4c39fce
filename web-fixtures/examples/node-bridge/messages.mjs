// The two dialects: what an object says, and how answers are written (PROTOCOL.md, section 2).

import { Failure, internalError, invalidRequest } from "./failure.mjs";
import { JSONNumber, stringify } from "./json.mjs";

/** Where an answer goes: the dialect of its request, and its id as it was written. */
export class Address {
  /** @param {"event" | "rpc"} dialect */
  constructor(dialect, id) {
    this.dialect = dialect;
    this.id = id;
  }

  /** Ids are equal when their keys are (rule L2); null is never in flight and has none. */
  get key() {
    return keyOf(this.id);
  }

  response(result) {
    const [id, text] = [stringify(this.id), stringify(result, "$", 1)];
    return this.dialect === "event"
      ? `{"requestId":${id},"response":${text}}`
      : `{"jsonrpc":"2.0","result":${text},"id":${id}}`;
  }

  /** @param {Failure} failure */
  failure({ code, message, data }) {
    const [id, error] = [stringify(this.id), stringify({ code, message, data })];
    return this.dialect === "event"
      ? `{"requestId":${id},"error":${error}}`
      : `{"jsonrpc":"2.0","error":${error},"id":${id}}`;
  }

  progress(value) {
    const [id, text] = [stringify(this.id), stringify(value)];
    return this.dialect === "event"
      ? `{"requestId":${id},"progress":${text}}`
      : `{"jsonrpc":"2.0","method":"$/progress","params":{"id":${id},"value":${text}}}`;
  }
}

/** For what no id can be read from. */
export const unknownAddress = new Address("rpc", null);

export const isID = (value) => typeof value === "string" || value instanceof JSONNumber;

export function keyOf(id) {
  if (typeof id === "string") return `text ${id}`;
  return id instanceof JSONNumber ? `number ${id.key}` : undefined;
}

/**
 * What an object says, told in the order of rule D1:
 * `{ event, payload, address? }`, `{ reply: { key, result | failure | progress } }` or `{ address, failure }`.
 * @param {Map<string, any>} object
 */
export function classify(object, isInBatch) {
  if (!object.has("method") && !object.has("eventName")) {
    const reply = readReply(object);
    if (reply) return { reply };
  }
  if (object.has("jsonrpc")) return readRPC(object);
  // Events are not sent in batches (rule D10).
  if (isInBatch) return { address: unknownAddress, failure: invalidRequest("an element of a batch is JSON-RPC") };
  if (object.has("eventName")) return readEvent(object);
  return { address: addressOfMalformed(object), failure: invalidRequest("neither eventName nor jsonrpc is there") };
}

function readEvent(object) {
  const malformed = (help) => ({ address: addressOfMalformed(object), failure: invalidRequest(help) });
  const event = object.get("eventName");
  if (typeof event !== "string") return malformed("eventName is not text");
  const payload = new Map(object);
  payload.delete("eventName");
  payload.delete("requestId");
  if (!object.has("requestId")) return { event, payload };
  const id = object.get("requestId");
  if (!isID(id)) return malformed("requestId is no text and no number");
  return { event, payload, address: new Address("event", id) };
}

function readRPC(object) {
  const malformed = (help) => ({ address: addressOfMalformed(object), failure: invalidRequest(help) });
  const event = object.get("method");
  if (object.get("jsonrpc") !== "2.0") return malformed("jsonrpc is not 2.0");
  if (typeof event !== "string") return malformed("method is not text");
  const id = object.get("id");
  if (id !== undefined && id !== null && !isID(id)) return malformed("id is no text, no number and not null");
  const payload = object.get("params") ?? new Map();
  if (!(payload instanceof Map || Array.isArray(payload))) return malformed("params are no object and no array");
  return { event, payload, address: object.has("id") ? new Address("rpc", id) : undefined };
}

/** Where the failure of what is no message goes (rule L5). */
function addressOfMalformed(object) {
  if (!object.has("jsonrpc") && isID(object.get("requestId"))) return new Address("event", object.get("requestId"));
  return isID(object.get("id")) ? new Address("rpc", object.get("id")) : unknownAddress;
}

/** An answer or progress of the other side (rule D15); undefined if the object is none. */
function readReply(object) {
  const [first, second] = object.has("jsonrpc") ? ["id", "requestId"] : ["requestId", "id"];
  const key = keyOf(object.has(first) ? object.get(first) : object.get(second));
  const error = object.get("error");
  if (error !== undefined && error !== null) return { key, failure: readFailure(error) };
  for (const name of ["result", "response"]) if (object.has(name)) return { key, result: object.get(name) };
  if (object.has("progress")) return { key, progress: object.get("progress") };
  return error === null ? { key, failure: readFailure(error) } : undefined;
}

function readFailure(error) {
  const [code, message] = error instanceof Map ? [error.get("code"), error.get("message")] : [];
  const isFailure = code instanceof JSONNumber && code.integer !== undefined && typeof message === "string";
  return isFailure ? new Failure(code, message, error.get("data")) : internalError({ error });
}

/** A request or notification to the page. What no event can carry travels in JSON-RPC (rule D3). */
export function writeEvent(event, payload, id, dialect) {
  const reserved = ["eventName", "requestId", "jsonrpc"];
  const members = payload ?? new Map();
  if (dialect === "event" && members instanceof Map && !reserved.some((name) => members.has(name))) {
    return stringify(new Map([...(id === undefined ? [] : [["requestId", id]]), ["eventName", event], ...members]));
  }
  return stringify({ jsonrpc: "2.0", method: event, params: payload, id });
}
