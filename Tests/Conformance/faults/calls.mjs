// Sections 4, 5 and 6 of PROTOCOL.md: failures, the handshake, calls to the page, message handlers.

import {
  codeOf, down, downEach, downFailure, downValues, failureTo, idOf, instead, isAnswer, isCall, isEvent, isObject,
  isRequest, JSONNumber, mapValues, number, object, read, responseTo, resultOf, stringify, up, withID, withResult,
  without,
} from "./tools.mjs";

const hello = (change) => up((m) => (isCall(m, "$/hello") ? change(m) : m));
/** Changes what is posted, from the inside out. */
const posted = (change) => up((m) => (isCall(m, "$/postMessage") ? mapValues(m, change) : m));
const isTag = (value, name) => isObject(value) && value.size === 1 && value.has(name);

const helloOnce = (link) => {
  let isGreeted = false;
  return instead((m) => {
    if (!isCall(m, "$/hello")) return undefined;
    const again = isGreeted;
    isGreeted = true;
    return again ? failureTo(m, -32600) : undefined;
  })(link);
};

/** Hello is said for the page. */
const greetUnasked = ({ toNative, toPage }) => {
  let isGreeted = false;
  return {
    up: (text) => {
      if (!isGreeted) toNative('{"eventName":"$/hello","requestId":"broken","protocol":1}');
      isGreeted = true;
      toNative(text);
    },
    down: (text) => {
      if (!text.startsWith('{"requestId":"broken"')) toPage(text);
    },
  };
};

/** The page sees other ids of calls than the session behind. */
const renumber = (out, back) => ({ toNative, toPage }) => ({
  up: (text) => {
    const message = read(text);
    const id = isAnswer(message) ? back(idOf(message)) : undefined;
    toNative(id === undefined ? text : stringify(withID(message, number(id))));
  },
  down: (text) => {
    const message = read(text);
    toPage(isRequest(message) ? stringify(withID(message, out(idOf(message)))) : text);
  },
});

/** @type {[rule: string, fault: string, make: (link: object) => object][]} */
export const calls = [
  ["F1", "the protocol's codes pass as thrown", downFailure(-32000, (error, data) => {
    if (isObject(data) && data.has("code")) error.set("code", data.get("code")).delete("data");
  })],
  ["F1", "an application's code becomes the bridge's", downFailure(4001, (error) => error.set("code", number(-32000)))],
  ["F1", "data is lost", downFailure(4001, (error) => error.delete("data"))],
  ["F1", "the message is another", downFailure(4001, (error) => error.set("message", "Error: m"))],
  ["F1", "codes are cut to 32 bits", downFailure(-32000, (error, data) => {
    if (isObject(data) && data.has("code")) error.set("code", number(data.get("code").double | 0)).delete("data");
  })],
  ["F2", "data gives way to the code", downFailure(-32000, (error, data) => {
    if (isObject(data) && data.has("code")) error.set("data", object({ code: data.get("code") }));
  })],
  ["F3", "what resembles an unknown name is not told", downFailure(-32601, (error, data) => {
    if (isObject(data)) error.set("data", new Map(data).set("nearest", []));
  })],
  ["F3", "an unknown name is told in lower case", downFailure(-32601, (error, data) => {
    const name = isObject(data) ? data.get("eventName") : undefined;
    if (typeof name === "string") error.set("data", new Map(data).set("eventName", name.toLowerCase()));
  })],

  ["H1", "hello is ignored", hello(() => undefined)],
  ["H1", "hello does not tell the limits",
    downEach((m) => (isObject(resultOf(m)) ? withResult(m, without(resultOf(m), "limits")) : m))],
  ["H2", "every version of the protocol is spoken",
    hello((m) => (isEvent(m) ? new Map(m).set("protocol", number(1)) : m))],
  ["H2", "which versions are spoken is not told", downFailure(-32600, (error) => error.delete("data"))],
  ["H3", "a call to the page is answered by the bridge itself",
    instead((m) => (isCall(m, "conformance.callPage") && isRequest(m) ? responseTo(m, null) : undefined))],
  ["H3", "calls are events, whatever the page speaks",
    down((m) => (isCall(m, "ask") && isObject(m.get("params"))
      ? new Map([["requestId", m.get("id")], ["eventName", "ask"], ...m.get("params")]) : m))],
  ["H4", "a page that has not said hello is called", greetUnasked],
  ["H7", "without a page a call waits for ever", downEach((m) => (codeOf(m) === -32006 ? undefined : m))],
  ["H7", "a hello that is refused connects a page", hello((m) => (isEvent(m) ? new Map(m).set("protocol", number(1)) : m))],
  ["H8", "hello is taken once", helloOnce],
  ["H8", "hello counts as a notification, too",
    hello((m) => (isEvent(m) && !isRequest(m) ? new Map(m).set("requestId", "unasked") : m))],
  ["H9", "calls are numbered from 0",
    renumber((id) => number(id.double - 1), (id) => (id instanceof JSONNumber ? id.double + 1 : undefined))],
  ["H9", "calls have texts as ids",
    renumber((id) => `call-${id.text}`, (id) => (/^call-\d+$/.test(id) ? id.slice(5) : undefined))],
  ["H10", "a call waits for a page whose input has ended", downEach((m) => (codeOf(m) === -32004 ? undefined : m))],
  ["H10", "the end of input ends what is pending, too",
    downEach((m) => (isObject(resultOf(m)) && resultOf(m).has("waited") ? undefined : m))],

  ["S3", "an event is always in the codec",
    up((m) => (isEvent(m) && !isCall(m, "$/postMessage") ? mapValues(m, (v) => (isTag(v, "$undefined")
      ? null : v)) : m))],
  ["S4", "a body without a handler is for nobody", downFailure(-32602, (error) => error.set("code", number(-32601)))],
  ["S5", "what is shared is lost", posted((v) => (isTag(v, "$ref") ? null : v))],
  ["S5", "references count from 1",
    posted((v) => (isTag(v, "$ref") ? object({ $ref: number(v.get("$ref").double - 1) }) : v))],
  ["S5", "tags are not read",
    posted((v) => (isObject(v) && v.size === 1 && /^\$/.test([...v.keys()][0]) && !v.has("$object")
      ? object({ $object: v }) : v))],
  ["S6", "an undefined member is null", posted((v) => (isTag(v, "$undefined") ? null : v))],
  ["S6", "a date is a number", posted((v) => (isTag(v, "$date") && v.get("$date") !== null ? v.get("$date") : v))],
  ["S6", "NaN is null", posted((v) => (isTag(v, "$number") ? null : v))],
  ["S12", "the tag of an answer is lost", downValues((v) => (isTag(v, "$object") ? v.get("$object") : v))],
  ["S12", "a posted event is for nobody",
    instead((m) => (isCall(m, "$/postMessage") && isRequest(m) ? failureTo(m, -32601) : undefined))],
  ["S13", "which handler is unknown is not told", downFailure(-32601, (error) => error.delete("data"))],
  ["S13", "a body for nobody is answered null", downEach((m) => (codeOf(m) === -32601 ? withResult(m, null) : m))],
];
