import { BridgeError, codes } from "./errors.mjs";

const reserved = ["eventName", "requestId", "jsonrpc"];
const nesting = 512;

/**
 * Whether a value may be the id of a request; `null` is none that could be waited for.
 * @param {unknown} value
 * @returns {boolean}
 */
export const isId = (value) => typeof value === "string" || (typeof value === "number" && Number.isFinite(value));

/**
 * The length of a text as it travels.
 * @param {string} text
 * @returns {number} Bytes of UTF-8.
 */
export const byteCount = (text) => new TextEncoder().encode(text).length;

/**
 * Whether a message is an answer, or progress: such a one is never answered, whatever is wrong with it.
 * @param {unknown} message
 * @returns {boolean}
 */
export function isReply(message) {
  return (
    typeof message === "object" && message !== null &&
    message.method === undefined && message.eventName === undefined &&
    ["result", "error", "response", "progress"].some((member) => Object.hasOwn(message, member))
  );
}

/**
 * The text of a request, or of a notification when `id` is undefined. An object goes in the event dialect; an array, or
 * an object with a member whose name is reserved, in JSON-RPC (PROTOCOL.md, section 2).
 * @param {string} name
 * @param {string | number | undefined} id
 * @param {object | undefined} payload
 * @returns {string}
 * @throws {BridgeError} −32602 when the payload is none, or JSON cannot say it.
 */
export function requestText(name, id, payload) {
  return stringify(requestMessage(name, id, payload), undefined, undefined, name);
}

/**
 * The message of {@link requestText} as a value.
 * @param {string} name
 * @param {string | number | undefined} id
 * @param {object | undefined} payload
 */
export function requestMessage(name, id, payload) {
  if (typeof name !== "string") refuse("the event's name has to be a string", String(name));
  if (payload === undefined) return { requestId: id, eventName: name };
  if (typeof payload?.toJSON === "function") payload = payload.toJSON("");
  if (payload === null || typeof payload !== "object") {
    refuse("a payload is an object or an array; put the value into a member of one", name);
  }
  if (Array.isArray(payload) || reserved.some((member) => Object.hasOwn(payload, member))) {
    return { jsonrpc: "2.0", id, method: name, params: payload };
  }
  return { requestId: id, eventName: name, ...payload };
}

/**
 * The text of a request for an event that the page wrote as a whole: it goes as it is, but for an id that cannot be used.
 * @param {{eventName: string, requestId?: unknown}} event
 * @param {string | number} id
 * @returns {string}
 * @throws {BridgeError} −32602 when JSON cannot say it.
 */
export function eventText(event, id) {
  const { eventName } = event;
  if (!Object.hasOwn(event, "jsonrpc")) {
    return stringify(event.requestId === id ? event : { ...event, requestId: id }, undefined, undefined, eventName);
  }
  const payload = { ...event };
  delete payload.eventName;
  delete payload.requestId;
  return requestText(eventName, id, payload);
}

function refuse(help, eventName) {
  throw new BridgeError(codes.invalidParams, "Invalid params", { data: { path: "$", help }, eventName });
}

/**
 * The text of an answer in its request's dialect.
 * @param {boolean} rpc Whether the request came in JSON-RPC.
 * @param {string | number | null} id
 * @param {unknown} result
 * @returns {string}
 * @throws {BridgeError} −32603 with `data.path` when JSON cannot say the result.
 */
export function resultText(rpc, id, result) {
  const value = result === undefined ? null : result;
  if (typeof value === "function" || typeof value === "symbol") {
    throw new BridgeError(codes.unsupportedResult, "Unsupported result", {
      data: { help: `a ${typeof value} cannot be sent` },
    });
  }
  const message = rpc ? { jsonrpc: "2.0", result: value, id } : { requestId: id, response: value };
  return stringify(message, codes.internalError, "Internal error");
}

/**
 * The text of a failure in its request's dialect. It never throws: data that JSON cannot say is left out.
 * @param {boolean} rpc
 * @param {string | number | null} id
 * @param {{code: number, message: string, data?: unknown}} error
 * @returns {string}
 */
export function errorText(rpc, id, { code, message, data }) {
  const error = { code, message: String(message), data };
  const whole = rpc ? { jsonrpc: "2.0", error, id } : { requestId: id, error };
  try {
    return JSON.stringify(whole);
  } catch {
    error.data = undefined;
    return JSON.stringify(whole);
  }
}

/**
 * The text of a progress message.
 * @param {boolean} rpc
 * @param {string | number} id
 * @param {unknown} value
 * @returns {string}
 */
export function progressText(rpc, id, value = null) {
  const message = rpc
    ? { jsonrpc: "2.0", method: "$/progress", params: { id, value } }
    : { requestId: id, progress: value };
  return stringify(message, codes.internalError, "Internal error");
}

/**
 * The text of a message.
 * @param {object} message
 * @param {number} code What the error has when JSON cannot say the message.
 * @param {string} title The error's message.
 * @param {string} [eventName]
 * @returns {string}
 * @throws {BridgeError} with `data.path`, for NaN, infinities and cycles, and for what nests too deep to be read.
 */
export function stringify(message, code = codes.invalidParams, title = "Invalid params", eventName = undefined) {
  let text;
  try {
    text = JSON.stringify(message);
  } catch (cause) {
    throw new BridgeError(code, title, { data: { path: "$", help: String(cause?.message ?? cause) }, eventName, cause });
  }
  // JSON.stringify turns NaN into null without a word, and only a text this long can nest too deep: few messages are
  // looked at a second time.
  if (text.includes("null") || text.length > 2 * nesting) {
    const fault = findFault(message, 1);
    if (fault) {
      throw new BridgeError(code, title, { data: { path: "$" + pathWithin(message, fault.path), help: fault.help }, eventName });
    }
  }
  return text;
}

/** The first number that JSON cannot say, or array or object too deep for the other side to read. */
function findFault(value, depth, key) {
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : { path: [], help: `JSON has no number ${value}` };
  }
  if (value === null || typeof value !== "object") return undefined;
  if (depth > nesting) return { path: [], help: `arrays and objects nest more than ${nesting} deep` };
  if (typeof value.toJSON === "function") {
    const plain = value.toJSON(key);
    return plain === value ? undefined : findFault(plain, depth, key);
  }
  for (const member of Object.keys(value)) {
    const fault = findFault(value[member], depth + 1, member);
    if (fault) {
      fault.path.unshift(Array.isArray(value) ? `[${member}]` : memberPath(member));
      return fault;
    }
  }
  return undefined;
}

function memberPath(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A path is told from the payload or result on, not from the message around it. */
function pathWithin(message, path) {
  return path.slice("eventName" in message ? 0 : 1).join("");
}
