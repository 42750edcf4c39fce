import { nearest } from "../nearest.mjs";

/**
 * How an app spells what passes its bridge. `bridgehead conformance --app --envelope FILE` reads the same members from a
 * file; the page's query may give them too: `?eventName=action&requestId=callbackId&payload=params`.
 *
 * `payload` names the member that holds the payload; without it the payload's members stand beside the event's name.
 * `answer` is how answers reach the page: a list is the order of the reply function's parameters, an object names the
 * members of the one object that it is called with (and that a promise resolves to).
 */
export const standard = {
  handler: "bridge",
  eventName: "eventName",
  requestId: "requestId",
  payload: undefined,
  reply: "handleNativeResponse",
  answer: ["response", "requestId"],
};

const parts = ["response", "requestId", "error"];

/**
 * @param {Record<string, unknown>} file
 * @param {URLSearchParams} query Goes before the file.
 * @returns {typeof standard}
 * @throws {Error} For a name that means nothing here, with the one that may be meant.
 */
export function readEnvelope(file, query) {
  const given = { ...file };
  for (const [name, text] of query) given[name] = name === "answer" ? readAnswer(text) : text;
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(standard, name)) throw unknown(name, Object.keys(standard), "is no name of the envelope");
    if (name === "answer") checkAnswer(value);
    else if (typeof value !== "string" || value === "") throw new Error(`"${name}" of the envelope is a text.`);
  }
  return { ...standard, ...given };
}

function readAnswer(text) {
  if (!text.startsWith("{")) return text.split(",");
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('"answer" of the envelope begins with "{" and is no JSON.');
  }
}

function checkAnswer(answer) {
  const names = Array.isArray(answer) ? answer : Object.keys(Object(answer));
  for (const name of names) if (!parts.includes(name)) throw unknown(name, parts, 'is no part of "answer"');
  if (!Array.isArray(answer) && Object.values(Object(answer)).some((name) => typeof name !== "string")) {
    throw new Error('"answer" of the envelope names each member with a text.');
  }
  for (const name of ["response", "requestId"]) {
    if (!names.includes(name)) throw new Error(`"answer" of the envelope has to have "${name}".`);
  }
}

function unknown(name, names, what) {
  const [meant] = nearest(name, names);
  return new Error(`"${name}" ${what}.${meant ? ` Did you mean "${meant.name}"?` : ` There are: ${names.join(", ")}.`}`);
}

/** A message of the suite as the app spells it. */
export function toApp(envelope, { eventName, requestId, ...payload }) {
  const event = { [envelope.eventName]: eventName };
  if (requestId !== undefined) event[envelope.requestId] = requestId;
  if (envelope.payload !== undefined) event[envelope.payload] = payload;
  else for (const key of Object.keys(payload)) define(event, key, payload[key]);
  return event;
}

function define(object, key, value) {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

/** What the reply function was called with, as a message of the suite. */
export function fromCall({ answer }, values) {
  if (!Array.isArray(answer)) return fromObject(answer, typeof values[0] === "string" ? parse(values[0]) : values[0]);
  const found = Object.fromEntries(answer.map((part, index) => [part, values[index]]));
  return message(found.requestId, found.response, found.error);
}

/** What a promise resolved to. */
export function fromPromise({ answer }, requestId, value) {
  if (Array.isArray(answer) || !isAnswer(answer, value)) return message(requestId, value);
  return message(requestId, value[answer.response], value[answer.error]);
}

/** A message of an object that takes and sends text. */
export function fromMessage(envelope, data) {
  const value = typeof data === "string" ? parse(data) : data;
  if (!Array.isArray(envelope.answer)) return fromObject(envelope.answer, value);
  if (value === null || typeof value !== "object") return { response: value };
  const { [envelope.requestId]: requestId, ...rest } = value;
  return requestId === undefined ? rest : { requestId, ...rest };
}

function fromObject(answer, value) {
  if (value === null || typeof value !== "object") return { response: value };
  return message(value[answer.requestId], value[answer.response], value[answer.error]);
}

const isAnswer = (answer, value) =>
  value !== null && typeof value === "object" && [answer.response, answer.error].some((name) => Object.hasOwn(value, name));

/** Undefined is null to JSON, which is all that the app was asked to speak. */
function message(requestId, response, error) {
  const id = requestId === undefined ? {} : { requestId };
  if ((error ?? null) === null) return { ...id, response: response ?? null };
  return { ...id, error: typeof error === "object" ? error : { message: String(error) } };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
