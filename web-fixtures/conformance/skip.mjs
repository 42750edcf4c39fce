import { decode, encodeTagged } from "../codec.mjs";

/** Why a vector is not run here: what a page cannot post, or does not get to see. */

/** What stands for a number that a page does not have. */
const unheld = "\u0000number ";

/**
 * The suite's text as a value, in which numbers that a page's doubles cannot hold are marked.
 * @param {string} text
 */
export function parseSuite(text) {
  return JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) => {
    if (token.startsWith('"')) return token;
    const value = Number(token);
    const isHeld = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)) && !Object.is(value, -0);
    return isHeld ? token : JSON.stringify(unheld + token);
  }));
}

/**
 * @param {object} vector
 * @param {import("./native.mjs").WebKitNative | import("./native.mjs").ListenerNative} native
 * @returns {string | undefined}
 */
export function reasonToSkip(vector, native) {
  const steps = flat(vector.steps);
  for (const step of steps) {
    if ("send-text" in step || "expect-text" in step) return "it is about the text of a message, which a page does not see";
    if (["hang-up", "expect-close", "reconnect", "crowd", "drain"].some((name) => name in step)) return "it is about the connection, which a page does not see";
  }
  if (vector.limit !== undefined) return "it needs a limit, which this app's page is not told";
  const strings = new Set();
  collect(vector.steps, strings);
  for (const text of strings) {
    if (text.startsWith(unheld)) return `a page has no number ${text.slice(unheld.length)}`;
    if (text.isWellFormed?.() === false) return "WebKit and Android do not keep lone surrogates";
  }
  const sent = steps.filter((step) => "send" in step).map(({ send }) => send);
  return sent.map((message) => reasonNotToPost(message, native)).find(Boolean)
    ?? reasonOfIds(steps)
    ?? reasonOfAnswers(vector, steps.filter((step) => "expect" in step).map(({ expect }) => expect), native);
}

const flat = (steps) => steps.flatMap((step) => [step, ...flat(step["any-order"] ?? step.repeat ?? [])]);

function collect(value, strings) {
  if (typeof value === "string") strings.add(value);
  else if (value !== null && typeof value === "object") {
    for (const key of Object.keys(value)) {
      strings.add(key);
      collect(value[key], strings);
    }
  }
}

function reasonNotToPost(message, native) {
  const isEvent = message !== null && typeof message === "object" && typeof message.eventName === "string";
  if (!isEvent || Object.hasOwn(message, "jsonrpc")) return "what it sends is no event, and would reach the app as another body";
  if ("requestId" in message && !["string", "number"].includes(typeof message.requestId)) {
    return "what it sends has an id that is none; a page's request is given another";
  }
  if (message.eventName === "$/postMessage") {
    if (native.kind !== "webkit") return "Android's object takes events alone";
    if (typeof message.handler !== "string" || !native.has(message.handler)) return `the app has no message handler ${JSON.stringify(message.handler)}`;
    if (!("body" in message)) return "what it sends has no body, which a page cannot leave out";
    if (String(message.body?.eventName).startsWith("$/")) return "it is about the protocol's own messages, which a page does not post";
    if (!isPostable(message.body)) return "what it sends is not what any value becomes";
    if (native.mode === "plain" && message.body?.requestId === undefined) return "a plain handler does not answer this body";
    return undefined;
  }
  if (message.eventName.startsWith("$/")) return "it is about the protocol's own messages, which a page does not post";
  return undefined;
}

/** Whether a body is what the tagged codec makes of a value: a page posts values. */
function isPostable(body) {
  try {
    return JSON.stringify(encodeTagged(decode(body))) === JSON.stringify(body);
  } catch {
    return false;
  }
}

/** A page's promise belongs to one call, whatever the id. */
function reasonOfIds(steps) {
  const waiting = new Set();
  let sends = 0;
  for (const { send, expect } of steps) {
    const id = JSON.stringify(Object(send ?? expect).requestId);
    if (expect !== undefined) waiting.delete(id);
    if (send === undefined || id === undefined) continue;
    if (waiting.has(id)) return "it sends an id that is in flight; a page's second request is given another";
    waiting.add(id);
    sends++;
  }
  return sends === 0 && steps.some((step) => "send" in step) ? "it sends no request, and a page sees no more than answers" : undefined;
}

function reasonOfAnswers(vector, expected, native) {
  const { answer } = native.envelope;
  const names = Array.isArray(answer) ? answer : Object.keys(answer);
  const hasFailures = vector.mustFail || vector.canFail || expected.some((message) => Object.hasOwn(Object(message), "error"));
  if (native.mode === "plain" && hasFailures && !names.includes("error")) {
    return "the plain convention has no channel for failures";
  }
  if (expected.some((message) => message === null || typeof message !== "object" || Object.hasOwn(message, "eventName"))) {
    return "it is about messages that a page does not see";
  }
  if (expected.some((message) => Object.hasOwn(message, "progress"))) return "progress does not reach a page through this bridge";
  return undefined;
}
